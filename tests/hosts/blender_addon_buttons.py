# In Blender: every operator, and the rigs, sliders, weights and meshes that the buttons make.
import json
import os

import bpy
import numpy as np

from blender_addon_tools import FOX, MAN, STRANGERS, clear, folder, frames, load, of, offsets, refuses, seen, select, test
from supple_flesh import anatomy, bakes, live, modifier, operators, overlay, scene as scenes
from supple_flesh.vendor import supple


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
    for one in [one for one in mesh.vertex_groups if one.name.startswith("supple:")]:
        one.remove(range(len(mesh.data.vertices)))
    bpy.ops.supple.refresh()
    assert np.abs(offsets(armature)).max() == 0.0, "nothing is left of any region"


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
