# In Blender: the add-on from its zip, tried by script. usage: see blender_addon.py
import json
import os
import random
import subprocess
import sys
import time

import bpy
import numpy as np
from mathutils.kdtree import KDTree

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool
folder, assets, *only = sys.argv[sys.argv.index("--") + 1:]

bpy.ops.preferences.addon_install(filepath=os.path.join(folder, next(one for one in os.listdir(folder) if one.endswith(".zip"))))
bpy.ops.preferences.addon_enable(module="supple_flesh")
from supple_flesh import anatomy, bakes, live, modifier, operators, overlay, scene as scenes, slots  # noqa: E402
from supple_flesh.vendor import supple  # noqa: E402

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


@test
def wrong_selections_give_a_message():
    clear()
    select(None)
    refuses("Select an armature", bpy.ops.supple.add_flesh)
    bpy.ops.mesh.primitive_cube_add()
    refuses("has no armature modifier", bpy.ops.supple.add_flesh)
    bpy.ops.object.camera_add()
    refuses("is no armature", bpy.ops.supple.add_flesh)
    bpy.ops.object.light_add()
    refuses("is no armature", bpy.ops.supple.bake_bones)
    bpy.ops.object.armature_add()
    refuses("deforms no mesh", bpy.ops.supple.add_flesh)
    refuses("has no flesh yet", bpy.ops.supple.bake_shape_keys)
    refuses("has no flesh yet", bpy.ops.supple.mirror)
    bone = bpy.context.active_object
    bpy.ops.mesh.primitive_cube_add()
    bpy.context.active_object.modifiers.new("Armature", "ARMATURE").object = bone
    try:
        bpy.ops.supple.add_flesh()
    except RuntimeError as error:  # a cube without weights: whatever is said, it is words and no trace
        assert "Traceback" not in str(error), error


def all_operators():
    """Every operator with what it needs to be called by a script."""
    path = os.path.join(folder, "nothing.rig.json")
    ops = bpy.ops.supple
    return [(ops.add_flesh, {}), (ops.remove_flesh, {}), (ops.mirror, {}), (ops.remove_region, {}), (ops.weights, {}),
            (ops.refresh, {}), (ops.export_rig, {"filepath": path}), (ops.import_rig, {"filepath": path}), (ops.bake_bones, {}),
            (ops.bake_shape_keys, {}), (ops.bake_mesh_cache, {"folder": os.path.join(folder, "nothing")}), (ops.add_muscles, {}),
            (ops.add_fat, {}), (ops.show_anatomy, {})]


@test
def default_objects_give_messages_and_no_traces():
    """Blender's own scene (cube, camera, light), and no scene at all, with every operator."""
    assert len(all_operators()) == sum(len(part.CLASSES) for part in (operators, bakes, anatomy))
    clear()
    bpy.ops.wm.read_homefile(use_empty=False, use_factory_startup=True)
    bpy.ops.preferences.addon_enable(module="supple_flesh")
    objects = list(bpy.data.objects)
    assert {one.type for one in objects} == {"MESH", "CAMERA", "LIGHT"}
    for chosen in [*objects, None]:
        select(chosen)
        words = {"MESH": "has no armature modifier", None: "Select an armature"}.get(chosen and chosen.type, "is no armature")
        for operator, arguments in all_operators():
            refuses(words, operator, **arguments)
    assert len(bpy.data.objects) == len(objects) and not bpy.data.objects["Cube"].modifiers
    clear()
    for operator, arguments in all_operators():
        refuses("Select an armature", operator, **arguments)


def try_operators(name, action):
    """All buttons in the order in which a user would press them; bakes against the library on some frames."""
    armature = load(name, action, most=8)
    armature.supple.use_scene_range = True
    path = os.path.join(folder, "every.rig.json")
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    regions = len(armature.supple.regions)
    side = next(i for i, one in enumerate(armature.supple.regions) if one.name.endswith(" left"))
    armature.supple.active = side
    for operator, arguments in ((bpy.ops.supple.mirror, {}), (bpy.ops.supple.export_rig, {"filepath": path}),
                                (bpy.ops.supple.remove_region, {}), (bpy.ops.supple.import_rig, {"filepath": path}),
                                (bpy.ops.supple.refresh, {})):
        assert operator(**arguments) == {"FINISHED"}, operator
    assert len(armature.supple.regions) == regions
    found, size = live.bodies[armature.supple.uid], live.bodies[armature.supple.uid].character.size
    truth = {}
    for frame in frames():
        bpy.context.scene.frame_set(frame)
        truth[frame] = {one.name: of(found, one.name).copy() for one in scenes.meshes_of(armature)}
    for operator, arguments in ((bpy.ops.supple.bake_bones, {}), (bpy.ops.supple.bake_shape_keys, {}),
                                (bpy.ops.supple.bake_mesh_cache, {"folder": os.path.join(folder, "every")})):
        select(armature)
        known = set(bpy.data.objects)
        assert operator(**arguments) == {"FINISHED"}
        error = bpy.context.window_manager["supple_error"]
        made = [one for one in set(bpy.data.objects) - known if one.type == "MESH"]
        assert len(made) == len(scenes.meshes_of(armature))
        worst = 0.0
        for frame in list(frames())[::4]:
            bpy.context.scene.frame_set(frame)
            for one in made:
                there = truth[frame][one.name.split(" (living)")[0]]
                worst = max(worst, float(np.linalg.norm(seen(one) - there, axis=1).max()))
        print(f"{name}, {operator.idname()}: {1000 * worst:.3g} mm from the library, {1000 * error:.3g} mm printed")
        assert worst <= error + 1e-5 * size, (worst, error)
        for one in set(bpy.data.objects) - known:
            bpy.data.objects.remove(one)
    assert bpy.ops.supple.weights() == {"FINISHED"}
    assert bpy.ops.supple.remove_flesh() == {"FINISHED"}
    for one in scenes.meshes_of(armature):
        assert modifier.find(one) is None and not any(group.name.startswith("supple:") for group in one.vertex_groups)


@test
def every_operator_on_fox_man_and_strangers():
    for name, action in ((FOX, "run"), (MAN, "run"), *STRANGERS):
        try_operators(name, action)


def try_character(name, action):
    armature = load(name, action)
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    found = live.bodies[armature.supple.uid]
    worst, played, moved, shares = 0.0, {}, 0.0, []
    for frame in frames():
        bpy.context.scene.frame_set(frame)
        shares.append(live.last_share)
        for one in scenes.meshes_of(armature):
            worst = max(worst, float(np.abs(seen(one) - of(found, one.name)).max()) / found.character.size)
        moved = max(moved, float(np.abs(found.living - found.smooth).max()) / found.character.size)
        played[frame] = offsets(armature)
    assert worst < 1e-5, worst
    assert moved > 1e-3, moved
    order = list(frames())
    random.Random(7).shuffle(order)
    for frame in order:
        bpy.context.scene.frame_set(frame)
        assert np.array_equal(offsets(armature), played[frame]), frame
    print(f"{name}: {len(armature.supple.regions)} regions, {worst:.1e} of the size from the library, flesh moves {100 * moved:.1f}%, "
          f"our share of a frame {1000 * float(np.median(shares)):.2f} ms")
    return armature, found, float(np.median(shares))


@test
def fox_plays_and_scrubs_the_same():
    try_character(FOX, "run")


@test
def heavy_man_plays_and_scrubs_the_same():
    share = try_character(MAN, "run")[2]
    assert share < 0.004, share


@test
def strangers_play_and_scrub_the_same():
    for name, action in STRANGERS:
        try_character(name, action)


@test
def modifiers_shape_keys_and_scale_are_respected():
    """Flesh is added after the armature, whatever stands before and after; unapplied scale changes nothing in the world."""
    armature = load(FOX, "run")
    mesh = scenes.meshes_of(armature)[0]
    mesh.shape_key_add(name="Basis", from_mix=False)
    key = mesh.shape_key_add(name="wide", from_mix=False)
    key.data[0].co.x += 3.0
    mesh.modifiers.new("Smooth", "SMOOTH")
    bpy.ops.supple.add_flesh()
    names = [one.type for one in mesh.modifiers]
    assert names == ["ARMATURE", "NODES", "SMOOTH"], names
    mesh.modifiers["Smooth"].show_viewport = False
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 5)
    before = seen(mesh)
    key.value = 1.0
    bpy.context.view_layer.update()
    change = np.abs(seen(mesh) - before).max(1)
    assert change[0] > 1e-3 and np.count_nonzero(change > 1e-4) == 1, change.max()
    first = np.linalg.norm(offsets(armature).reshape(-1, 3), axis=1)
    # the same character, as large in the world, from an armature of another scale
    armature = load(FOX, "run")
    root = armature.parent or armature
    root.scale = root.scale * 2.0
    bpy.context.view_layer.update()
    bpy.ops.supple.add_flesh()
    found = live.bodies[armature.supple.uid]
    mesh = scenes.meshes_of(armature)[0]
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 5)
    assert np.abs(seen(mesh) - of(found, mesh.name)).max() < 1e-5 * found.character.size
    assert first.max() > 0


@test
def sliders_presets_mirror_and_rigs():
    armature = load(FOX, "run")
    armature.supple.preset = "heavy"
    bpy.ops.supple.add_flesh()
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 5)
    before = offsets(armature)
    row = armature.supple.regions[0]
    row.amount = row.amount * 0.5
    rig = json.loads(armature.supple.rig)
    assert abs(rig["elements"][0].get("amount", 1) - row.amount) < 1e-4
    assert not np.array_equal(before, offsets(armature))
    pairs = [i for i, one in enumerate(armature.supple.regions) if one.name.endswith(" left")]
    assert pairs
    armature.supple.active = pairs[0]
    armature.supple.regions[pairs[0]].frequency = 1.25
    bpy.ops.supple.mirror()
    other = armature.supple.regions[pairs[0]].name.replace("left", "right")
    assert armature.supple.regions[other].frequency == 1.25
    path = os.path.join(folder, "fox.rig.json")
    bpy.ops.supple.export_rig(filepath=path)
    kept = json.loads(armature.supple.rig)
    bpy.ops.supple.remove_region()
    assert len(json.loads(armature.supple.rig)["elements"]) == len(kept["elements"]) - 1
    bpy.ops.supple.import_rig(filepath=path)
    assert json.loads(armature.supple.rig) == supple.check_rig(kept)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"elements": [{"driver": "nobody"}]}')
    refuses('no joint "nobody"', bpy.ops.supple.import_rig, filepath=path)
    assert json.loads(armature.supple.rig) == supple.check_rig(kept)
    overlay_shows_the_springs(armature)
    bpy.ops.supple.remove_flesh()
    mesh = scenes.meshes_of(armature)[0]
    assert modifier.find(mesh) is None and mesh.data.attributes.get(modifier.ATTRIBUTE) is None and not armature.supple.rig


def overlay_shows_the_springs(armature):
    """A vertex that one element moves goes as far as its spring is drawn long; the circle has the size of the limit."""
    found = live.bodies[armature.supple.uid]
    places, colors = overlay.lines(armature)
    assert len(places) == len(colors) and np.isfinite(places).all()
    _, _, ends = overlay.springs(found)
    moved, size = found.offsets(), found.character.size
    elements = found.model.elements
    times = np.bincount(np.concatenate([one.vertices for one in elements]), minlength=len(moved))
    tried = 0
    for element, (rest, now), (_, limit, held) in zip(elements, ends, overlay.limits(found, ends)):
        alone = times[element.vertices] == 1
        wanted = element.weights[alone, None] * (now - rest)
        assert np.abs(moved[element.vertices[alone]] - wanted).max(initial=0) < 1e-5 * size
        assert np.linalg.norm(now - rest) <= limit * 1.001 and held == (np.linalg.norm(now - rest) > 0.5 * limit)
        tried += np.count_nonzero(alone)
    assert tried > 50 and np.abs(ends[:, 1] - ends[:, 0]).max() > 1e-4 * size


@test
def painted_groups_say_what_belongs_to_an_element():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 5)
    before = live.bodies[armature.supple.uid].model.elements[0]
    weights, vertices = before.weights.copy(), before.vertices.copy()
    bpy.ops.supple.weights()
    after = live.bodies[armature.supple.uid].model.elements[0]
    painted = dict(zip(after.vertices.tolist(), after.weights.tolist()))
    worst = max(abs(painted.get(vertex, 0.0) - weight) for vertex, weight in zip(vertices.tolist(), weights.tolist()))
    assert worst < 1e-4, worst
    mesh = scenes.meshes_of(armature)[0]
    group = mesh.vertex_groups[live.group_of(json.loads(armature.supple.rig)["elements"][0])]
    order = np.argsort(weights)
    some = int(vertices[order[len(order) // 2]])
    group.add([some], 0.5 * group.weight(some), "REPLACE")
    bpy.ops.supple.refresh()
    after = live.bodies[armature.supple.uid].model.elements[0]
    now = dict(zip(after.vertices.tolist(), after.weights.tolist()))[some]
    assert abs(now - 0.5 * painted[some]) < 1e-4, (now, painted[some])


@test
def a_changed_action_makes_the_take_anew():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene = bpy.context.scene
    scene.frame_set(scene.frame_start + 6)
    before = offsets(armature)
    curve = next(one for one in armature.animation_data.action.fcurves if "rotation" in one.data_path and len(one.keyframe_points) > 8)
    for point in curve.keyframe_points[3:6]:
        point.co.y += 0.3
    curve.update()
    armature.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    assert live.bodies[armature.supple.uid].dirty
    scene.frame_set(scene.frame_start + 5)
    scene.frame_set(scene.frame_start + 6)
    assert not np.array_equal(before, offsets(armature))


@test
def another_action_and_edits_are_noticed():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene, mesh = bpy.context.scene, scenes.meshes_of(armature)[0]
    scene.frame_set(5)
    armature.animation_data.action = next(one for one in bpy.data.actions if "walk" in one.name.lower())
    scene.frame_set(6)
    found = live.bodies[armature.supple.uid]
    assert found.end == armature.animation_data.action.frame_range[1]
    scene.render.fps = 24
    scene.frame_set(7)
    assert found.fps == 24
    select(mesh)
    bpy.ops.object.mode_set(mode="EDIT")
    scene.frame_set(8)  # nothing to be shown, and no error
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    scene.frame_set(9)
    assert not armature.supple.message, armature.supple.message
    found = live.bodies[armature.supple.uid]
    assert found.character.vertex_count == len(mesh.data.vertices)
    assert np.abs(seen(mesh) - of(found, mesh.name)).max() < 1e-5 * found.character.size


@test
def a_duplicate_lives_by_itself():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene = bpy.context.scene
    truth = {}
    for frame in (7, 9):
        scene.frame_set(frame)
        truth[frame] = offsets(armature)
    for one in bpy.data.objects:
        one.select_set(True)
    bpy.ops.object.duplicate()
    other = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    other.animation_data.action = next(one for one in bpy.data.actions if "survey" in one.name.lower())
    for frame in (7, 9):
        scene.frame_set(frame)
        assert np.array_equal(offsets(armature), truth[frame])
        assert not np.array_equal(offsets(other), truth[frame])
    assert other.supple.uid != armature.supple.uid and len(live.bodies) == 2


@test
def cycles_go_on_and_ends_ring_out():
    """An action with cycles is one loop for ever; flesh of one that ends swings on, and comes to rest."""
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene, action = bpy.context.scene, armature.animation_data.action
    start, end = action.frame_range
    scene.frame_end = 100
    for curve in action.fcurves:
        curve.modifiers.new("CYCLES")
    action.update_tag()
    bpy.context.view_layer.update()
    rounds = []
    for at in (start + 4, end + 4, 2 * end - start + 4):
        scene.frame_set(int(at), subframe=at - int(at))
        rounds.append(offsets(armature))
    assert np.abs(rounds[0]).max() > 0.1
    for one in rounds[1:]:
        assert np.abs(one - rounds[0]).max() < 1e-4, np.abs(one - rounds[0]).max()
    armature = load(FOX, "run")
    armature.supple.loop = "OFF"
    scene.frame_end = 200
    bpy.ops.supple.add_flesh()
    found = live.bodies[armature.supple.uid]
    first = supple.Take(found.model, 0, loop="off")
    for frame in (3, 11, 26):  # what comes later does not act upon what was
        scene.frame_set(frame)
        shown = found.living.copy()
        first.show((frame - found.start) / found.fps, found.body)
        assert np.abs(found.body.skin(normals=None)[0] - shown).max() < 1e-4 * found.character.size
    late = []
    for frame in (36, 37, 198, 199):
        scene.frame_set(frame)
        late.append(offsets(armature))
    assert np.abs(late[1] - late[0]).max() > 0.1 and np.abs(late[3] - late[2]).max() < 1e-3


@test
def mirrored_halves_have_flesh_of_their_own():
    """Half a man and a mirror before his armature: Blender's vertices are the library's, and so are the bakes'."""
    armature = load(MAN, "run", most=4)
    mesh = half_of(armature)
    armature.supple.use_scene_range = True
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    assert [one.type for one in mesh.modifiers] == ["MIRROR", "NODES", "ARMATURE", "NODES"]
    found, truth, sides = live.bodies[armature.supple.uid], {}, 0.0
    assert found.character.vertex_count > 1.9 * len(mesh.data.vertices)
    for frame in frames():
        bpy.context.scene.frame_set(frame)
        flat = evaluated(mesh)
        truth[frame] = found.living.copy()
        assert np.abs(flat - truth[frame]).max() < 1e-5 * found.character.size
        moved = np.abs(found.living - found.smooth).max(1)
        half = len(mesh.data.vertices)
        sides = max(sides, abs(moved[:half].max() - moved[half:].max()))
    assert sides > 1e-4, "both halves move alike: the run is not symmetric"
    for operator, arguments in ((bpy.ops.supple.bake_bones, {}), (bpy.ops.supple.bake_mesh_cache, {"folder": os.path.join(folder, "halves")})):
        select(armature)
        known = set(bpy.data.objects)
        assert operator(**arguments) == {"FINISHED"}
        made = next(one for one in set(bpy.data.objects) - known if one.type == "MESH")
        bpy.context.scene.frame_set(frames()[2])
        error = np.linalg.norm(evaluated(made) - truth[frames()[2]], axis=1).max()
        assert error <= bpy.context.window_manager["supple_error"] + 1e-5 * found.character.size, error
    select(armature)
    known = len(bpy.data.node_groups)
    bpy.ops.supple.remove_flesh()
    assert [one.type for one in mesh.modifiers] == ["MIRROR", "ARMATURE"] and len(bpy.data.node_groups) == known - 1


def evaluated(object_):
    mesh = object_.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    flat = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", flat)
    matrix = scenes.world(object_)
    return flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def half_of(armature):
    """Cuts the right half off, names bones as Blender's mirror wants them, and mirrors the left."""
    import bmesh
    mesh = scenes.meshes_of(armature)[0]
    cut = bmesh.new()
    cut.from_mesh(mesh.data)
    bmesh.ops.delete(cut, geom=[one for one in cut.verts if one.co.x < -1e-4], context="VERTS")
    for one in cut.verts:
        one.co.x = 0.0 if abs(one.co.x) < 2e-3 else one.co.x
    cut.to_mesh(mesh.data)
    cut.free()
    for bone in armature.data.bones:
        for word, letter in (("Left", ".L"), ("Right", ".R")):
            if bone.name.startswith(word):
                bone.name = bone.name[len(word):] + letter
    mesh.modifiers.new("Mirror", "MIRROR")
    modifier.move_modifier(mesh, "Mirror", 0)
    return mesh


@test
def muscles_and_fat_are_added_and_shown():
    armature = load(FOX, "run", most=6)
    armature.supple.use_scene_range = True
    refuses("muscles are for humans", bpy.ops.supple.add_muscles)
    assert not armature.supple.rig and modifier.find(scenes.meshes_of(armature)[0]) is None
    bpy.ops.supple.add_flesh()
    refuses("has no fat", bpy.ops.supple.show_anatomy, what="fat")
    assert bpy.ops.supple.add_fat() == {"FINISHED"} and not armature.supple.regions
    refuses("shape keys or to a mesh cache", bpy.ops.supple.bake_bones)
    anatomy_follows(armature, "fat")
    armature = load(MAN, "run", most=3)
    armature.supple.use_scene_range = True
    assert bpy.ops.supple.add_muscles() == {"FINISHED"} and len(json.loads(armature.supple.rig)["muscles"]) == 70
    for what in ("muscles", "ecorche"):
        anatomy_follows(armature, what)
    bpy.ops.supple.remove_flesh()
    assert not any(anatomy.SHOWS in one for one in bpy.data.objects) and anatomy.COLLECTION not in bpy.data.collections


def anatomy_follows(armature, what):
    """The mesh has the points that the library draws, at every frame."""
    select(armature)
    assert bpy.ops.supple.show_anatomy(what=what) == {"FINISHED"}
    found, made = live.bodies[armature.supple.uid], next(one for one in bpy.data.objects if one.get(anatomy.SHOWS) == what)
    places = []
    for frame in list(frames())[::2]:
        bpy.context.scene.frame_set(frame)
        drawn = anatomy.points_and_faces(found.body.draw(what))[0]
        flat = np.empty(3 * len(made.data.vertices), np.float32)
        made.data.vertices.foreach_get("co", flat)
        places.append(flat.reshape(-1, 3))
        worst = np.abs(np.unique(drawn, axis=0) - np.unique(places[-1], axis=0)).max() if frame == frames()[0] else 0.0
        assert worst == 0.0 and np.isin(places[-1][:50, 0], drawn[:, 0]).all()
        inside = found.living.min(0) - 0.01 * found.character.size, found.living.max(0) + 0.01 * found.character.size
        assert (places[-1] > inside[0]).all() and (places[-1] < inside[1]).all()
    assert np.abs(places[-1] - places[0]).max() > 1e-3 * found.character.size


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
def a_frame_rendered_alone_is_the_frame_of_the_film():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    scene = bpy.context.scene
    bpy.ops.object.camera_add(location=(300, -20, 60), rotation=(1.4, 0, 1.5))
    scene.camera = bpy.context.active_object
    scene.camera.data.clip_end, scene.camera.data.lens = 5000, 35
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 160
    scene.render.image_settings.file_format = "PNG"
    wanted = scene.frame_start + 9

    def picture(name):
        image = bpy.data.images.load(os.path.join(folder, name))
        out = np.array(image.pixels[:])
        bpy.data.images.remove(image)
        return out

    scene.render.filepath = os.path.join(folder, "film")
    scene.frame_end = wanted
    bpy.ops.render.render(animation=True)
    film = picture(f"film{wanted:04d}.png")
    scene.frame_set(scene.frame_start)
    scene.frame_start = wanted
    scene.render.filepath = os.path.join(folder, "alone")
    bpy.ops.render.render(animation=True)
    alone = picture(f"alone{wanted:04d}.png")
    assert np.array_equal(film, alone)
    scene.frame_set(wanted - 4)
    path = os.path.join(folder, "render.blend")  # as a farm renders it: another Blender, one frame of a saved file
    bpy.ops.wm.save_as_mainfile(filepath=path)
    done = subprocess.run([bpy.app.binary_path, "-b", "--factory-startup", "--addons", "supple_flesh", path, "-o",
                           os.path.join(folder, "farm"), "-f", str(wanted)], capture_output=True, text=True, timeout=300, check=False)
    assert np.array_equal(film, picture(f"farm{wanted:04d}.png")), done.stdout + done.stderr
    armature.supple.enabled = False
    scene.render.filepath = os.path.join(folder, "smooth")
    bpy.ops.render.render(animation=True)
    smooth = picture(f"smooth{wanted:04d}.png")
    assert np.abs(film - smooth).max() > 0.05, "the flesh is not in the picture"


@test
def undo_restores_everything_after_every_operator():
    """What the file holds before an operator is what it holds after one step back, and again after one step on."""
    armature = load(FOX, "run", most=6)
    armature.supple.use_scene_range = True
    name = armature.name
    path = os.path.join(folder, "undo.rig.json")

    def held():
        armature = bpy.data.objects[name]
        meshes = [(one.name, [mod.name for mod in one.modifiers], sorted(group.name for group in one.vertex_groups),
                   [attribute.name for attribute in one.data.attributes]) for one in bpy.data.objects if one.type == "MESH"]
        kinds = (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.node_groups, bpy.data.collections)
        return json.dumps([sorted(meshes), [sorted(one.name for one in kind) for kind in kinds], armature.supple.rig,
                           [row.name for row in armature.supple.regions]])

    bpy.ops.ed.undo_push(message="loaded")
    ops = bpy.ops.supple
    steps = [(ops.add_flesh, {}), (ops.export_rig, {"filepath": path}), (ops.mirror, {}), (ops.weights, {}), (ops.remove_region, {}),
             (ops.import_rig, {"filepath": path}), (ops.bake_bones, {}), (ops.bake_shape_keys, {}),
             (ops.bake_mesh_cache, {"folder": os.path.join(folder, "undone")}), (ops.add_fat, {}), (ops.show_anatomy, {"what": "fat"}),
             (ops.remove_flesh, {})]
    for operator, arguments in steps:
        armature = bpy.data.objects[name]
        select(armature)
        armature.supple.active = min(1, max(len(armature.supple.regions) - 1, 0))
        bpy.ops.ed.undo_push(message="before")
        before = held()
        assert operator(**arguments) == {"FINISHED"}, operator
        after = held()
        bpy.ops.ed.undo_push(message="after")
        bpy.ops.ed.undo()
        assert held() == before, operator
        bpy.ops.ed.redo()
        assert held() == after, operator
        bpy.context.scene.frame_set(bpy.context.scene.frame_start + 2)
        assert not bpy.data.objects[name].supple.message


@test
def undo_restores_everything():
    armature = load(FOX, "run")
    name = armature.name
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.supple.add_flesh()
    bpy.ops.ed.undo_push(message="flesh")
    bpy.ops.ed.undo()
    armature = bpy.data.objects[name]
    mesh = scenes.meshes_of(armature)[0]
    assert modifier.find(mesh) is None and not armature.supple.rig and mesh.data.attributes.get(modifier.ATTRIBUTE) is None
    bpy.ops.ed.redo()
    armature = bpy.data.objects[name]
    assert armature.supple.rig and modifier.find(scenes.meshes_of(armature)[0]) is not None
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 4)
    assert np.abs(offsets(armature)).max() > 0


@test
def a_thousand_frames_do_not_grow():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()

    def megabytes():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096 / 1e6

    listed = list(frames())
    for i in range(1200):
        if i == 200:
            start = megabytes()
        bpy.context.scene.frame_set(listed[(i * 7) % len(listed)])
    grown = megabytes() - start
    print(f"1,000 frame changes: {grown:+.1f} MB")
    assert grown < 8, grown


@test
def a_saved_file_lives_again():
    armature = load(FOX, "run")
    bpy.ops.supple.add_flesh()
    name, wanted = armature.name, bpy.context.scene.frame_start + 7
    bpy.context.scene.frame_set(wanted)
    before = offsets(armature)
    path = os.path.join(folder, "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.context.scene.frame_set(wanted + 3)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not live.bodies
    bpy.context.scene.frame_set(wanted - 1)
    bpy.context.scene.frame_set(wanted)
    assert np.array_equal(offsets(bpy.data.objects[name]), before)


def main():
    failed = 0
    import traceback
    for one in tests:
        if only and one.__name__ not in only:
            continue
        start = time.time()
        try:
            one()
            print(f"passed: {one.__name__} ({time.time() - start:.1f} s)")
        except Exception:  # pylint: disable=broad-except
            failed += 1
            traceback.print_exc()
            print(f"FAILED: {one.__name__}")
    if failed:
        raise SystemExit(3)
    print("all passed")


main()
