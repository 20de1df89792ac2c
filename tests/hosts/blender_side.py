# In Blender: imports baked files, plays their clips, and puts point caches on the meshes by its own Mesh Cache modifier; how far its vertices are from
# where the caller expects them goes to a JSON file.
#
# usage: blender -b --factory-startup --python-exit-code 3 --python blender_side.py -- WORK.json RESULT.json
import json
import struct
import sys

import bpy
import numpy as np

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool


def read_pc2(path):
    data = open(path, "rb").read()
    points, = struct.unpack_from("<i", data, 16)
    frames, = struct.unpack_from("<i", data, 28)
    return np.frombuffer(data, "<f4", 3 * points * frames, 32).reshape(frames, points, 3)


def world_positions(object_):
    """In glTF's axes: y up."""
    evaluated = object_.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    xyz = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", xyz)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world, np.float64)
    xyz = xyz.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return np.stack([xyz[:, 0], xyz[:, 2], -xyz[:, 1]], 1)


def farthest(a, b):
    return float(np.max(np.linalg.norm(a - b, axis=1))) if a.shape == b.shape else 1e30


def open_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps
    bpy.ops.import_scene.gltf(filepath=path)


def movers():
    """Joints, whether the importer makes them bones or objects, by name."""
    for object_ in bpy.context.scene.objects:
        if object_.type == "ARMATURE":
            yield from ((bone.name, bone) for bone in object_.pose.bones)
        yield f"object {object_.name}", object_


def play(file):
    """Each clip as an action on whatever it moves. Joints that it does not move stand as the file has them: the importer leaves them as some clip has them, so
    the pose comes from the file without its clips."""
    open_file(file["still"], file["fps"])
    rest = {name: thing.matrix_basis.copy() for name, thing in movers()}
    open_file(file["path"], file["fps"])
    meshes = [o for o in bpy.context.scene.objects if o.type == "MESH" and len(o.data.vertices) == file["total"]]
    assert len(meshes) == 1, [o.name for o in bpy.context.scene.objects]
    owners = list(bpy.context.scene.objects) + [meshes[0].data.shape_keys]
    for clip in file["clips"]:
        truth = read_pc2(clip["cache"])
        actions = []
        for owner in owners:
            if owner is not None and owner.animation_data is not None:
                tracks = owner.animation_data.nla_tracks
                actions += [(owner.animation_data, strip.action) for t in tracks for strip in t.strips if t.name == clip["name"]]
                owner.animation_data.action = None
                for t in tracks:
                    t.mute = True
        bpy.context.view_layer.update()
        for name, thing in movers():
            if name in rest:
                thing.matrix_basis = rest[name]
        for data, action in actions:
            data.action = action
        worst = 0.0
        for frame in clip["frames"]:
            bpy.context.scene.frame_set(frame)
            worst = max(worst, farthest(world_positions(meshes[0]), truth[frame]))
        yield clip["name"], worst


def through_cache(file, clip, path):
    """The imported mesh with nothing but the Mesh Cache modifier on it."""
    truth = read_pc2(clip["cache"])
    object_ = [o for o in bpy.context.scene.objects if o.type == "MESH" and len(o.data.vertices) == file["total"]][0]
    object_.parent = None
    object_.matrix_world.identity()
    object_.shape_key_clear()
    object_.modifiers.clear()
    modifier = object_.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = "MDD" if path.endswith(".mdd") else "PC2"
    modifier.filepath = path
    modifier.play_mode = "SCENE"
    modifier.frame_start = 0
    modifier.interpolation = "NONE"
    modifier.forward_axis = "POS_Z"  # from glTF, y up, to Blender, z up
    modifier.up_axis = "NEG_Y"
    worst = 0.0
    for frame in clip["frames"]:
        bpy.context.scene.frame_set(frame)
        worst = max(worst, farthest(world_positions(object_), truth[frame]))
    return worst


work, result = sys.argv[sys.argv.index("--") + 1:]
rows = []
for file in json.load(open(work)):
    rows += [{"file": file["name"], "clip": name, "what": "glTF", "worst": worst} for name, worst in play(file)]
    for clip in file["clips"]:
        for path in clip["caches"]:
            rows.append({"file": file["name"], "clip": clip["name"], "what": path[-3:].upper(),
                "worst": through_cache(file, clip, path)})
json.dump(rows, open(result, "w"))
