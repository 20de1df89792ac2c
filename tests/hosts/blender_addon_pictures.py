# In Blender: draws man.webp and anatomy.webp of docs/blender.md with Workbench. (blender_window.py draws the panel.)
#
# usage: blender -b --factory-startup --python-exit-code 3 --python blender_addon_pictures.py -- ADDON-FOLDER MAN.glb OUT-FOLDER
import os
import sys

import bpy
import numpy as np

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool
addon, man, out = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, addon)
bpy.ops.wm.read_factory_settings(use_empty=True)
import supple_flesh  # noqa: E402

supple_flesh.register()
from supple_flesh import anatomy, live, scene as scenes  # noqa: E402
from supple_flesh.vendor import supple  # noqa: E402

scene = bpy.context.scene
scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=man)
armature = next(one for one in bpy.data.objects if one.type == "ARMATURE")
armature.animation_data.action = next(one for one in bpy.data.actions if one.name.startswith("run"))
bpy.context.view_layer.objects.active = armature
armature.supple.preset = "heavy"
bpy.ops.supple.add_flesh()
mesh = scenes.meshes_of(armature)[0]
found = live.bodies[armature.supple.uid]

# the frame in which the flesh is farthest from the smooth skin
best, most = 0, 0.0
for frame in range(int(found.start), int(found.end) + 1):
    scene.frame_set(frame)
    moved = float(np.abs(found.living - found.smooth).max())
    if moved > most:
        best, most = frame, moved
scene.frame_set(best)
center = np.array(mesh.matrix_world) @ np.append(np.mean([corner[:] for corner in mesh.bound_box], 0), 1)
evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
corners = np.array([np.array(evaluated.matrix_world) @ np.append(corner[:], 1) for corner in evaluated.bound_box])[:, :3]
middle = corners.mean(0)
bpy.ops.object.camera_add(location=middle + np.array([4.6, -1.0, 0.3]), rotation=(1.5, 0, 1.36))
scene.camera = bpy.context.active_object
scene.camera.data.lens = 70
scene.render.engine = "BLENDER_WORKBENCH"
scene.render.resolution_x, scene.render.resolution_y = 420, 560
scene.display.shading.light, scene.display.shading.studio_light = "STUDIO", "paint.sl"
scene.display.shading.show_cavity = True
scene.display.shading.color_type = "VERTEX"
scene.render.film_transparent = False
scene.world = bpy.data.worlds.new("World")
scene.world.color = (0.9, 0.9, 0.9)
scene.view_settings.view_transform = "Standard"


def paint(values):
    """Vertex colours: skin, redder the farther the flesh has moved."""
    colors = np.ones((len(mesh.data.vertices), 4), np.float32)
    colors[:, :3] = np.array([0.80, 0.62, 0.52])
    share = np.clip(values, 0, 1)[:, None]
    colors[:, :3] = colors[:, :3] * (1 - share) + np.array([0.85, 0.12, 0.08]) * share
    attribute = mesh.data.color_attributes.get("show") or mesh.data.color_attributes.new("show", "FLOAT_COLOR", "POINT")
    attribute.data.foreach_set("color", colors.reshape(-1))
    mesh.data.color_attributes.active_color = attribute


def render():
    """A picture as an array of bytes, top row first."""
    scene.render.filepath = os.path.join(bpy.app.tempdir, "one.png")
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    pixels = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)[::-1]
    bpy.data.images.remove(image)
    return np.round(255 * pixels).astype(np.uint8)


def keep(name, pictures):
    supple.write_webp(np.ascontiguousarray(np.concatenate(pictures, 1)), os.path.join(out, name), 85)


moved = np.linalg.norm(found.living - found.smooth, axis=1)
armature.supple.enabled = False
paint(np.zeros(len(moved)))
man = [render()]
armature.supple.enabled = True
scene.frame_set(best)
paint(moved / most)
man.append(render())
weights = np.zeros(len(moved))
for element in found.model.elements:
    weights[element.vertices] = np.maximum(weights[element.vertices], element.weights)
paint(weights)
keep("man.webp", man + [render()])
print(f"frame {best}: flesh is {1000 * most:.1f} mm from the smooth skin")

# the same frame from beneath the skin: a short piece of the run around it is enough
bpy.context.view_layer.objects.active = armature
scene.frame_start, scene.frame_end = best - 4, best + 1
armature.supple.use_scene_range = True
armature.supple.scene_frames = 0, 0
bpy.ops.supple.add_muscles()
bpy.ops.supple.add_fat()
for what, _, _ in anatomy.THINGS:
    bpy.ops.supple.show_anatomy(what=what)
scene.frame_set(best)
mesh.hide_render = True
inside = []
for what, _, _ in anatomy.THINGS:
    for one in anatomy.shown_of(armature):
        one.hide_render = one[anatomy.SHOWS] != what
    inside.append(render())
keep("anatomy.webp", inside)
