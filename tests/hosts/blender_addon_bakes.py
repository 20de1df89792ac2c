# In Blender: what bakes leave, and that they leave nothing where they fail.
import os

import bpy
import numpy as np
from mathutils.kdtree import KDTree

from blender_addon_tools import FOX, folder, frames, load, refuses, seen, select, test
from supple_flesh import bakes, live, scene as scenes, slots
from supple_flesh.vendor import supple


@test
def bones_shape_keys_and_caches():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene, source = bpy.context.scene, scenes.meshes_of(armature)[0]
    found = live.bodies[armature.supple.uid]
    kept = ([bone.name for bone in armature.data.bones], len(armature.animation_data.action.fcurves), len(source.vertex_groups))
    truth = {}
    for frame in frames():
        scene.frame_set(frame)
        truth[frame] = found.living.copy()
    manager = bpy.context.window_manager
    for operator, arguments in ((bpy.ops.supple.bake_bones, {}), (bpy.ops.supple.bake_shape_keys, {}),
                                (bpy.ops.supple.bake_mesh_cache, {"folder": os.path.join(folder, "cache")})):
        select(armature)
        known = set(bpy.data.objects)
        assert operator(**arguments) == {"FINISHED"}
        made = next(one for one in set(bpy.data.objects) - known if one.type == "MESH")
        worst = 0.0
        for frame in list(frames())[::4]:
            scene.frame_set(frame)
            worst = max(worst, float(np.linalg.norm(seen(made) - truth[frame], axis=1).max()))
        allowed = manager["supple_error"] + 1e-5 * found.character.size
        print(f"{operator.idname()}: {worst:.2e} m from the library, {allowed:.2e} m allowed, size {found.character.size:.3g} m")
        assert worst <= allowed, (worst, allowed)
        if operator.idname() == "SUPPLE_OT_bake_bones":
            closes(made)
            exported(made, found, truth, manager["supple_error"])
        for one in set(bpy.data.objects) - known:
            bpy.data.objects.remove(one)
    assert kept == ([bone.name for bone in armature.data.bones], len(armature.animation_data.action.fcurves), len(source.vertex_groups))


def closes(made):
    """A run is a loop: the helper bones end where they start."""
    action = scenes.armature_modifier(made, made.modifiers[0].object).object.animation_data.action
    curves = [one for one in action.fcurves if "supple:" in one.data_path]
    ends = np.array([[one.keyframe_points[at].co.y for at in (0, -1)] for one in curves])
    swing = max(np.ptp([point.co.y for point in one.keyframe_points]) for one in curves)
    assert len(curves) > 20 and np.abs(ends[:, 1] - ends[:, 0]).max() < 1e-3 * swing


def exported(made, found, truth, error):
    """Blender's own exporter, then the library's reader: the baked file moves as the living body did."""
    living = scenes.armature_modifier(made, made.modifiers[0].object).object
    for one in bpy.context.view_layer.objects:
        one.select_set(one in (made, living))
    for track in list(living.animation_data.nla_tracks):
        living.animation_data.nla_tracks.remove(track)
    path = os.path.join(folder, "baked.glb")
    bpy.ops.export_scene.gltf(filepath=path, use_selection=True, export_all_influences=True, export_frame_range=False,
                              export_force_sampling=True)
    character = supple.Character.load(path)
    body, pose = supple.Model(character, {}).body(), character.pose()
    tree = KDTree(found.character.vertex_count)
    for number, place in enumerate(found.character.rest_positions):
        tree.insert(place, number)
    tree.balance()
    pairs = [tree.find(place) for place in character.rest_positions]
    assert max(distance for _, _, distance in pairs) < 1e-4 * character.size
    which = [number for _, number, _ in pairs]
    worst = 0.0
    clip = next(one.name for one in character.clips if "(living)" in one.name)
    for frame in list(frames())[::4]:
        body.step(pose.sample(clip, frame / found.fps), 0.0)
        there = body.skin(normals=None)[0]
        worst = max(worst, float(np.linalg.norm(there - truth[frame][which], axis=1).max()))
    print(f"exported by Blender and read again: {worst:.2e} m from the library, baked with {error:.2e} m")
    assert worst <= error + 1e-5 * found.character.size, worst


@test
def what_fails_or_stops_leaves_nothing():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()

    def counts():
        return [len(one) for one in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.collections)]

    before = counts()
    refuses("No such file", bpy.ops.supple.bake_mesh_cache, folder="/proc/nothing/here")
    refuses("Choose a folder", bpy.ops.supple.bake_mesh_cache)
    assert counts() == before
    for bake in (bakes.bake_bones, bakes.bake_shape_keys):  # Esc ends the generator wherever it is
        for steps in (1, 10**6):
            work, share = bake(bpy.context, armature, 5e-4, lambda words, error: None), 0.0
            for number, share in enumerate(work):
                if steps == 1 or share > 0.72:
                    break
            work.close()
            assert counts() == before and bpy.context.mode == "OBJECT", (bake, share)


@test
def slots_of_later_blenders():
    """What Blender 4.4 hands out instead of an action's curves, by stand-ins; and this one's own."""
    class Bag:
        def __init__(self):
            self.fcurves = []

    class Strip:
        def __init__(self):
            self.bags = {}

        def channelbag(self, slot, ensure=False):
            return self.bags.setdefault(slot.handle, Bag()) if ensure else self.bags.get(slot.handle)

    class Row(list):
        def new(self, *words, **more):
            self.append(self.make(*words, **more))
            return self[-1]

    class Slot:
        def __init__(self, id_type, name):
            self.target_id_type, self.identifier, self.handle = id_type, id_type[:2] + name, object()

    class Layer:
        def __init__(self, name):
            self.strips = Row()
            self.strips.make = lambda type: Strip()

    class Action:
        use_frame_range, frame_range = False, (1.0, 90.0)

        def __init__(self):
            self.slots, self.layers = Row(), Row()
            self.slots.make, self.layers.make = Slot, Layer

    class Data:
        action = action_slot = None

    class Owner:
        id_type, name = "OBJECT", "Man"

        def __init__(self):
            self.animation_data = Data()

    class Curve:
        def __init__(self, first, last):
            self.ends = first, last

        def range(self):
            return self.ends

    action, man, woman = Action(), Owner(), Owner()
    woman.name = "Woman"
    slots.curves_of(man, action).append(Curve(1.0, 20.0))
    assert len(action.slots) == 1 and man.animation_data.action_slot is action.slots[0] and action.slots[0].target_id_type == "OBJECT"
    woman.animation_data.action_slot = action.slots.new("OBJECT", "Woman")
    slots.curves_of(woman, action).append(Curve(5.0, 90.0))
    assert slots.frame_range(man.animation_data) == (1.0, 20.0) and slots.frame_range(woman.animation_data) == (5.0, 90.0)
    assert slots.name(man.animation_data) != slots.name(woman.animation_data)
    keys = Owner()
    keys.id_type = "KEY"
    assert slots.curves_of(keys, action) == [] and len(action.slots) == 3
    action.use_frame_range = True
    assert slots.frame_range(man.animation_data) == (1.0, 90.0)
    armature = load(FOX, "run")
    data = armature.animation_data
    assert slots.frame_range(data) == tuple(data.action.frame_range)
