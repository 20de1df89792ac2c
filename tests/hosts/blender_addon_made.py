# In Blender: a post of two bones that is made here, and what people do to objects: turn, scale, hide and name them.
import json
import os

import bmesh
import bpy
import numpy as np

from blender_addon_tools import clear, folder, offsets, refuses, seen, select, test
from supple_flesh import live, scene as scenes


def post(names=("below", "above")):
    """A cylinder along z on two bones, the upper of which sways for 24 frames, a hundredth as large as it was modelled."""
    clear()
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 25
    bpy.ops.object.armature_add()
    armature = bpy.context.active_object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    below, above = bones[0], bones.new("above")
    below.head, below.tail, above.head, above.tail = (0, 0, 0), (0, 0, 100), (0, 0, 100), (0, 0, 200)
    above.parent = below
    below.name, above.name = names
    names = [below.name, above.name]  # as Blender takes them
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.scale = (0.01,) * 3
    mesh = bpy.data.objects.new("post", bpy.data.meshes.new("post"))
    scene.collection.objects.link(mesh)
    made = bmesh.new()
    bmesh.ops.create_cone(made, cap_ends=True, segments=24, radius1=30, radius2=30, depth=200)
    bmesh.ops.translate(made, verts=made.verts, vec=(0, 0, 100))
    sides = [one for one in made.edges if abs(one.verts[0].co.z - one.verts[1].co.z) > 1]
    bmesh.ops.subdivide_edges(made, edges=sides, cuts=15)
    made.to_mesh(mesh.data)
    made.free()
    mesh.parent = armature
    groups = [mesh.vertex_groups.new(name=name) for name in names]
    for vertex in mesh.data.vertices:
        share = min(max((vertex.co.z / 200 - 0.4) / 0.2, 0), 1)
        for group, weight in zip(groups, (1 - share, share)):
            group.add([vertex.index], weight, "REPLACE")
    mesh.modifiers.new("Armature", "ARMATURE").object = armature
    bone = armature.pose.bones[names[1]]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0), (7, 0.9), (13, 0), (19, -0.9), (25, 0)):
        bone.rotation_euler.x = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(1)
    select(armature)
    return armature, mesh


def turned(owner):
    for frame, angle in ((1, 0.0), (13, 2.5), (25, 0.0)):
        owner.rotation_euler.x = angle
        owner.keyframe_insert("rotation_euler", frame=frame)


def scaled(owner):
    """Comes out of nothing, is there, and shrinks."""
    size = owner.scale[0]
    for frame, share in ((1, 0.0), (5, 1.0), (15, 1.0), (25, 0.5)):
        owner.scale = (share * size,) * 3
        owner.keyframe_insert("scale", frame=frame)


def parent_of(armature):
    made = bpy.data.objects.new("cart", None)
    bpy.context.scene.collection.objects.link(made)
    armature.parent = made
    return made


def bake_of(operator, **arguments):
    """The mesh that a bake makes."""
    known = set(bpy.data.objects)
    assert operator(**arguments) == {"FINISHED"}
    return next(one for one in set(bpy.data.objects) - known if one.type == "MESH")


def bakes_hold(armature, truth, size):
    """Every bake shows what was there, within its error."""
    for operator, arguments in ((bpy.ops.supple.bake_bones, {}), (bpy.ops.supple.bake_shape_keys, {}),
                                (bpy.ops.supple.bake_mesh_cache, {"folder": os.path.join(folder, "post")})):
        select(armature)
        made = bake_of(operator, **arguments)
        error = bpy.context.window_manager["supple_error"] + 1e-5 * size
        for frame, there in truth.items():
            bpy.context.scene.frame_set(frame)
            assert np.linalg.norm(seen(made) - there, axis=1).max() <= error, (operator, frame)
        bpy.context.scene.frame_set(11)


@test
def objects_that_turn_and_grow_are_exact_from_any_frame():
    """Flesh is the same wherever the scene stood when it was made, in a film, and in bakes."""
    scene = bpy.context.scene
    for change, of_parent in ((turned, False), (turned, True), (scaled, False)):
        armature, mesh = post()
        change(parent_of(armature) if of_parent else armature)
        scene.frame_set(11)
        assert bpy.ops.supple.add_flesh() == {"FINISHED"}
        played = {}
        for at in (11, 1, 20):  # as another Blender makes it, which opens the file at this frame
            live.bodies.clear()
            scene.frame_set(at)
            for frame in (4, 7, 9, 14, 22):
                scene.frame_set(frame)
                assert np.array_equal(played.setdefault(frame, offsets(armature)), offsets(armature)), (change, at, frame)
        found, truth = live.bodies[armature.supple.uid], {}
        for frame in played:
            scene.frame_set(frame)
            truth[frame] = seen(mesh)
            assert np.abs(truth[frame] - found.living).max() < 1e-5 * found.character.size
        assert np.abs(found.living - found.smooth).max() > 1e-3 * found.character.size
        film_has(armature)
        bakes_hold(armature, truth, found.character.size)


def film_has(armature):
    """A render of several frames shows what the viewport does, whose objects stand elsewhere meanwhile."""
    scene, pictures, got = bpy.context.scene, {}, {}
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.rotation_euler = (8, 0, 1), (np.pi / 2, 0, np.pi / 2)
    scene.camera, scene.render.engine = camera, "BLENDER_WORKBENCH"
    scene.render.resolution_x = scene.render.resolution_y = 128
    scene.render.image_settings.file_format = "PNG"

    def look(scene, graph=None):
        got[scene.frame_current] = offsets(armature)

    for frame in (6, 8, 9):
        scene.frame_set(frame)
        scene.render.filepath = os.path.join(folder, "still.png")
        bpy.ops.render.render(write_still=True)
        pictures[frame] = offsets(armature), picture("still.png")
    scene.frame_set(20)
    scene.frame_start, scene.frame_end = 6, 9
    scene.render.filepath = os.path.join(folder, "post")
    bpy.app.handlers.frame_change_post.append(look)
    try:
        bpy.ops.render.render(animation=True)
    finally:
        bpy.app.handlers.frame_change_post.remove(look)
        scene.frame_start, scene.frame_end = 1, 25
    for frame, (moved, still) in pictures.items():
        assert np.array_equal(got[frame], moved), frame
        assert np.abs(picture(f"post{frame:04d}.png") - still).max() < 0.05, frame  # edges of a first picture differ a little
    scene.frame_set(11)


def picture(name):
    image = bpy.data.images.load(os.path.join(folder, name))
    out = np.array(image.pixels[:])
    bpy.data.images.remove(image)
    return out


@test
def films_have_the_keys_of_meshes_and_shapes():
    for kind in ("object", "shape", "modifier"):
        armature, mesh = post()
        if kind == "shape":
            mesh.shape_key_add(name="Basis")
            owner, field, values = mesh.shape_key_add(name="wide"), "value", (0.0, 1.0)
            for point in owner.data:
                point.co.y *= 2
        elif kind == "modifier":
            owner, field, values = mesh.modifiers.new("Displace", "DISPLACE"), "strength", (0.0, 40.0)
        else:
            owner, field, values = mesh, "scale", ((1, 1, 1), (1, 2, 1))
        for frame, value in zip((1, 13), values):
            setattr(owner, field, value)
            owner.keyframe_insert(field, frame=frame)
        bpy.context.scene.frame_set(1)
        assert bpy.ops.supple.add_flesh() == {"FINISHED"}
        film_has(armature)


@test
def what_is_scaled_to_nothing_is_no_error():
    armature, mesh = post()
    above = armature.pose.bones["above"]
    for frame, size in ((1, 1.0), (10, 1.0), (11, 0.0), (25, 0.0)):  # so are props put away
        armature.pose.bones["below"].scale = (size,) * 3
        armature.pose.bones["below"].keyframe_insert("scale", frame=frame)
    above.rotation_euler.x = 0
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    for frame in (9, 12, 5):
        bpy.context.scene.frame_set(frame)
        assert not armature.supple.message and np.isfinite(seen(mesh)).all()
    armature, mesh = post()
    armature.scale = (0, 0, 0)
    refuses("is scaled to nothing", bpy.ops.supple.add_flesh)
    assert not armature.supple.rig and len(mesh.modifiers) == 1


@test
def what_is_down_is_said_by_blender():
    """A post stands as well as it lies, for all that its shape says. Things fall along z."""
    armature, _ = post()
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    assert "gravity" not in json.loads(armature.supple.rig)


@test
def long_names_of_any_alphabet_are_baked():
    armature, mesh = post(("骨" * 20 + "1", "骨" * 20 + "2"))
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    found = live.bodies[armature.supple.uid]
    assert bpy.ops.supple.weights() == {"FINISHED"}
    truth = {}
    for frame in (4, 9, 20):
        bpy.context.scene.frame_set(frame)
        truth[frame] = seen(mesh)
    bakes_hold(armature, truth, found.character.size)


@test
def hidden_rigs_are_baked_and_modes_stay():
    for how in ("monitor", "eye", "collection", "pose"):
        armature, mesh = post()
        assert bpy.ops.supple.add_flesh() == {"FINISHED"}
        if how == "monitor":
            armature.hide_viewport = True
        elif how == "eye":
            armature.hide_set(True)
        elif how == "collection":
            home = bpy.data.collections.new("Living")  # where copies go
            bpy.context.scene.collection.children.link(home)
            bpy.context.view_layer.layer_collection.children["Living"].exclude = True
        else:
            bpy.ops.object.mode_set(mode="POSE")
        if how in ("monitor", "eye"):
            select(mesh)
        before, chosen = (bpy.context.active_object, bpy.context.mode), bpy.context.selected_objects
        made = bake_of(bpy.ops.supple.bake_bones)
        assert (bpy.context.active_object, bpy.context.mode) == before and set(chosen) <= set(bpy.context.selected_objects), how
        copy = scenes.armature_modifier(made, made.parent).object
        assert any(bone.name.startswith("supple:") for bone in copy.data.bones)
        assert [one.name for one in copy.users_collection] == ["Living"] and copy.hide_viewport == (how == "monitor")
        bpy.ops.object.mode_set(mode="OBJECT")


@test
def empty_meshes_are_left_alone():
    armature, mesh = post()
    empty = bpy.data.objects.new("empty", bpy.data.meshes.new("empty"))
    bpy.context.scene.collection.objects.link(empty)
    empty.modifiers.new("Armature", "ARMATURE").object = armature
    assert bpy.ops.supple.add_flesh() == {"FINISHED"}
    assert len(empty.modifiers) == 1
    bake_of(bpy.ops.supple.bake_mesh_cache, folder=os.path.join(folder, "empty"))
    bpy.data.objects.remove(mesh)
    select(armature)
    refuses("deforms no mesh", bpy.ops.supple.add_flesh)
