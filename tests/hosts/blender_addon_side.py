# In Blender: the add-on from its zip, tried by script. usage: see blender_addon.py
import json
import os
import random
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
from supple_flesh import bakes, live, modifier, operators, overlay, scene as scenes  # noqa: E402
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
    flat = bakes.evaluated_positions(bpy.context, object_)
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
            (ops.bake_shape_keys, {}), (ops.bake_mesh_cache, {"folder": os.path.join(folder, "nothing")})]


@test
def default_objects_give_messages_and_no_traces():
    """Blender's own scene (cube, camera, light), and no scene at all, with every operator."""
    assert len(all_operators()) == len(operators.CLASSES) + len(bakes.CLASSES)
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
    assert len(overlay.lines(armature)) == 4 * len(kept["elements"])
    bpy.ops.supple.remove_flesh()
    mesh = scenes.meshes_of(armature)[0]
    assert modifier.find(mesh) is None and mesh.data.attributes.get(modifier.ATTRIBUTE) is None and not armature.supple.rig


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
            exported(made, found, truth, manager["supple_error"])
        for one in set(bpy.data.objects) - known:
            bpy.data.objects.remove(one)
    assert kept == ([bone.name for bone in armature.data.bones], len(armature.animation_data.action.fcurves), len(source.vertex_groups))


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
    armature.supple.enabled = False
    scene.render.filepath = os.path.join(folder, "smooth")
    bpy.ops.render.render(animation=True)
    smooth = picture(f"smooth{wanted:04d}.png")
    assert np.abs(film - smooth).max() > 0.05, "the flesh is not in the picture"


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
