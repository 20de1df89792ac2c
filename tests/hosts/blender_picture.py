# In Blender: one frame of a clip of a baked file, as a picture, and where its vertices are.
#
# usage: blender -b --factory-startup --python-exit-code 3 --python blender_picture.py -- WORK.json
import json
import math
import sys

import bpy
import numpy as np
from mathutils import Matrix, Vector

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool


def blender_axes(v):
    """From glTF, y up, to Blender, z up."""
    return Vector((v[0], -v[2], v[1]))


def put_camera(view, width, height):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.scene.collection.objects.link(camera)
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = view["width"] if width >= height else view["width"] * height / width
    center, back = blender_axes(view["center"]), blender_axes(view["back"]).normalized()
    right = Vector((0, 0, 1)).cross(back).normalized()
    axes = Matrix((right, back.cross(right), back)).transposed().to_4x4()
    camera.matrix_world = Matrix.Translation(center + 10.0 * view["width"] * back) @ axes
    camera.data.clip_end = 100.0 * view["width"]
    bpy.context.scene.camera = camera
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    bpy.context.scene.collection.objects.link(sun)
    sun.data.energy = 1.8
    sun.data.angle = math.radians(20.0)
    sun.matrix_world = axes @ Matrix.Rotation(math.radians(-35.0), 4, "X") @ Matrix.Rotation(math.radians(-25.0), 4, "Y")


work = json.load(open(sys.argv[sys.argv.index("--") + 1]))
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = work["fps"]
bpy.ops.import_scene.gltf(filepath=work["path"])
for object_ in scene.objects:
    keys = object_.data.shape_keys if object_.type == "MESH" else None
    for owner in (object_, keys):
        if owner is not None and owner.animation_data is not None:
            for track in owner.animation_data.nla_tracks:
                track.mute = True
                if track.name == work["clip"]:
                    owner.animation_data.action = track.strips[0].action
scene.frame_set(work["frame"])
mesh = max((o for o in scene.objects if o.type == "MESH"), key=lambda o: len(o.data.vertices))
evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
data = evaluated.to_mesh()
xyz = np.empty(3 * len(data.vertices), np.float32)
data.vertices.foreach_get("co", xyz)
matrix = np.array(evaluated.matrix_world, np.float64)
xyz = xyz.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
np.stack([xyz[:, 0], xyz[:, 2], -xyz[:, 1]], 1).astype("<f4").tofile(work["positions"])

put_camera(work["view"], work["width"], work["height"])
world = bpy.data.worlds.new("world")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.9, 0.9, 0.92, 1.0)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.35
scene.world = world
for object_ in scene.objects:
    if object_.type == "ARMATURE":
        object_.hide_render = True
scene.render.engine = "CYCLES"
scene.cycles.device = "CPU"
scene.cycles.samples = 24
scene.cycles.use_denoising = False
scene.view_settings.view_transform = "Standard"
scene.render.film_transparent = True
scene.render.resolution_x, scene.render.resolution_y = work["width"], work["height"]
scene.render.filepath = work["picture"]
bpy.ops.render.render(write_still=True)
