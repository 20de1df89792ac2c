"""Supple for Blender: living flesh on skinned, animated characters."""
bl_info = {
    "name": "Supple",
    "description": "Living flesh on the meshes of an armature: exact while scrubbing, playing and rendering",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D Viewport > Sidebar > Supple",
    "category": "Animation",
}

from . import anatomy, bakes, live, operators, overlay, panel, properties  # noqa: E402

PARTS = (properties, operators, anatomy, bakes, panel, overlay, live)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
