# In Blender: what is seen at each frame is the take, whatever moves the body and in whatever order frames are asked for.
import os
import random
import subprocess

import bpy
import numpy as np

from blender_addon_tools import FOX, MAN, STRANGERS, folder, frames, load, of, offsets, seen, select, test
from supple_flesh import live, modifier, scene as scenes
from supple_flesh.vendor import supple


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
def motion_from_elsewhere_is_simulated_too():
    """A skeleton that copies another's bones, with no action of its own, is as exact as the one with the action."""
    armature = load(FOX, "run")
    control = armature.copy()
    bpy.context.scene.collection.objects.link(control)
    armature.animation_data.action = None
    for bone in armature.pose.bones:
        held = bone.constraints.new("COPY_TRANSFORMS")
        held.target, held.subtarget = control, bone.name
    select(armature)
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    found = live.bodies[armature.supple.uid]
    order, played = list(frames()), {}
    for frame in order:
        bpy.context.scene.frame_set(frame)
        played[frame] = offsets(armature)
    random.Random(3).shuffle(order)
    for frame in order:
        bpy.context.scene.frame_set(frame)
        assert np.array_equal(offsets(armature), played[frame]), frame
    truth, alone = supple.Take(found.model, 0), np.empty_like(found.living)
    bpy.context.scene.frame_set(frames()[9])
    truth.show((frames()[9] - found.start) / found.fps, found.body)
    found.body.skin(alone, None)
    assert np.abs(alone - found.living).max() < 1e-5 * found.character.size
    assert np.abs(found.living - found.smooth).max() > 1e-3 * found.character.size
    curve = control.animation_data.action.fcurves[0]
    curve.keyframe_points[2].co.y += 0.1
    control.animation_data.action.update_tag()
    bpy.context.view_layer.update()
    assert found.dirty, "the control rig's action has changed"


@test
def a_parent_carries_flesh_along():
    """Flesh of a still skeleton swings as the empty above it stops; an empty that rests is no motion."""
    armature = load(FOX, "run")
    armature.animation_data_clear()
    empty, scene = bpy.data.objects.new("cart", None), bpy.context.scene
    scene.collection.objects.link(empty)
    (armature.parent or armature).parent = empty
    scene.frame_start, scene.frame_end = 1, 40
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    assert live.bodies[armature.supple.uid].take is None
    for frame, place in ((1, 0.0), (10, 100.0)):
        empty.location.x = place
        empty.keyframe_insert("location", frame=frame)
    bpy.ops.supple.refresh()
    found = live.bodies[armature.supple.uid]
    assert found.take is not None
    swing = []
    for frame in (40, 12, 1):
        scene.frame_set(frame)
        swing.append(np.abs(found.living - found.smooth).max() / found.character.size)
    assert swing[1] > 1e-3 and swing[0] < 0.3 * swing[1], swing


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
def a_thousand_frames_do_not_grow():
    load(FOX, "run")
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
