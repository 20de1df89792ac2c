# In Blender: puts the add-on in from its zip, and has what its tests share.
import os
import sys

import bpy
import numpy as np

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool
folder, assets, *only = sys.argv[sys.argv.index("--") + 1:]

bpy.ops.preferences.addon_install(filepath=os.path.join(folder, next(one for one in os.listdir(folder) if one.endswith(".zip"))))
bpy.ops.preferences.addon_enable(module="supple_flesh")
from supple_flesh import bakes, live, modifier, scene as scenes  # noqa: E402

FOX = "khronos_fox/glTF-Binary/Fox.glb"
MAN = "mh_human/mh_heavy.glb"
STRANGERS = (("strangers/Husky.glb", "gallop"), ("strangers/woman_clothes_unreal.glb", "run"))
tests = []


def test(function):
    tests.append(function)
    return function


def clear():
    for one in list(bpy.data.objects):
        bpy.data.objects.remove(one)
    for kind in (bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.collections, bpy.data.images, bpy.data.materials):
        for one in list(kind):
            kind.remove(one)
    live.bodies.clear()


def load(name, action=None, most=24):
    """Imports a file, takes one of its actions, and selects its armature. At most so many frames count."""
    clear()
    bpy.context.scene.render.fps = 30
    bpy.ops.import_scene.gltf(filepath=os.path.join(assets, name))
    armature = next(one for one in bpy.data.objects if one.type == "ARMATURE" and scenes.meshes_of(one))
    found = [one for one in bpy.data.actions if action and action in one.name.lower()] or list(bpy.data.actions)
    armature.animation_data_create().action = found[0]
    start = int(found[0].frame_range[0])
    bpy.context.scene.frame_start = start
    bpy.context.scene.frame_end = min(int(found[0].frame_range[1]), start + most)
    bpy.context.scene.frame_set(start)
    select(armature)
    return armature


def select(object_):
    bpy.context.view_layer.update()
    for one in bpy.context.view_layer.objects:
        one.select_set(False)
    bpy.context.view_layer.objects.active = object_
    if object_ is not None:
        object_.select_set(True)


def frames():
    return range(bpy.context.scene.frame_start, bpy.context.scene.frame_end + 1)


def seen(object_):
    """Where Blender shows the vertices of a mesh, in the library's world; later modifiers are off."""
    flat = bakes.evaluated_positions(object_)
    matrix = scenes.world(object_)
    return flat @ matrix[:3, :3].T + matrix[:3, 3]


def of(found, name):
    return next(found.living[first:end] for one, first, end in found.meshes if one == name)


def offsets(armature):
    return np.concatenate([modifier.read(one) for one in scenes.meshes_of(armature)])


def refuses(words, operator, **arguments):
    try:
        operator(**arguments)
    except RuntimeError as error:
        assert words in str(error), f"{words!r} is not in {error}"
        return
    raise AssertionError(f"nothing was refused; {words!r} was to be said")
