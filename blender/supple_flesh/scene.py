"""Blender's armature and meshes as a character of the library.

The library has y up, Blender z. Joint 0 is the armature object, and its bones follow; all matrices are the world's, so that
unapplied scale and motion of the object itself count as they are seen. `UP` turns Blender's world into the library's.
"""
from contextlib import contextmanager

import bpy
import numpy as np

from .vendor import supple

UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], np.float64)
OBJECT_JOINT = "supple:object"
BAKED = "supple_baked"  # marks the copies that a bake makes
CARRY = "Supple: carry offset"  # the node group that follows modifiers which mirror a mesh
MOST_INFLUENCES = 8
MOST_NAME = 63  # bytes of a name in Blender


class Trouble(Exception):
    """What the user must be told: no error of the add-on, but something that it cannot work with."""


def short(name):
    """A name as long as Blender takes it: whole characters, in so many bytes."""
    return name.encode()[:MOST_NAME].decode(errors="ignore")


def armature_modifier(mesh, armature):
    """The last armature modifier of a mesh that follows this armature, or None."""
    found = [one for one in mesh.modifiers if one.type == "ARMATURE" and one.object == armature]
    return found[-1] if found else None


def following(object_):
    """The place among the modifiers of the one that carries flesh past those that mirror the mesh, or -1."""
    return next((i for i, one in enumerate(object_.modifiers) if one.type == "NODES" and one.node_group is not None
                 and one.node_group.name.startswith(CARRY)), -1)


def last_mirror(object_, armature):
    """The place of the last modifier before the armature's that makes other vertices of the mesh's, by turning it over."""
    before = list(object_.modifiers)[:object_.modifiers.find(armature_modifier(object_, armature).name)]
    return max((i for i, one in enumerate(before) if one.type == "MIRROR" and one.show_viewport), default=-1)


@contextmanager
def mesh_to_read(object_, last=None):
    """The mesh that flesh is made for: the object's own, or what its modifiers up to a place make of it."""
    last = following(object_) - 1 if last is None else last
    if last < 0:
        yield object_.data
        return
    keys = object_.data.shape_keys.key_blocks if object_.data.shape_keys else []
    shown = [(one, "show_viewport", True) for one in list(object_.modifiers)[last + 1:] if one.show_viewport]
    shown += [(one, "mute", False) for one in keys if not one.mute]
    for one, name, value in shown:
        setattr(one, name, not value)
    try:
        graph = bpy.context.evaluated_depsgraph_get()
        evaluated = object_.evaluated_get(graph)
        yield evaluated.to_mesh(preserve_all_data_layers=True, depsgraph=graph)
        evaluated.to_mesh_clear()
    finally:
        for one, name, value in shown:
            setattr(one, name, value)


def meshes_of(armature):
    """The meshes that an armature deforms, in the order of their names; without empty ones, and those that a bake has made."""
    found = [one for one in bpy.data.objects if one.type == "MESH" and BAKED not in one and len(one.data.vertices) > 0
             and armature_modifier(one, armature) is not None]
    return sorted(found, key=lambda one: one.name)


def selected_armature(context):
    """The armature that is meant: the active one, or that of the active mesh."""
    active = context.active_object if context.active_object is not None else None
    if active is None:
        raise Trouble("Select an armature, or a mesh that one deforms.")
    if active.type == "ARMATURE":
        armature = active
    elif active.type == "MESH":
        owners = [one.object for one in active.modifiers if one.type == "ARMATURE" and one.object is not None]
        if not owners:
            raise Trouble(f'The mesh "{active.name}" has no armature modifier: flesh needs a skeleton that moves it.')
        armature = owners[-1]
    else:
        raise Trouble(f'"{active.name}" is no armature, and no mesh that one deforms.')
    return armature


def check_meshes(armature):
    meshes = meshes_of(armature)
    if not meshes:
        raise Trouble(f'The armature "{armature.name}" deforms no mesh.')
    linked = [one.name for one in [armature, *meshes] if one.library or one.data.library]
    if linked:
        raise Trouble(f'"{linked[0]}" is linked from another file: append it, or make it and its data local.')
    shared = [one.name for one in meshes if one.data.users > 1]
    if shared:
        raise Trouble(f'The data of "{shared[0]}" are used by several objects: make them single-user first.')
    if any(one.mode == "EDIT" for one in meshes):
        raise Trouble("Leave edit mode first.")
    return meshes


def evaluated(object_):
    """An object as it is at the scene's frame. While Blender renders, the objects themselves are where they were before."""
    return object_.evaluated_get(bpy.context.evaluated_depsgraph_get())


def world(object_):
    return UP @ np.array(object_.matrix_world, np.float64)


def inverse(matrix):
    """The inverse of a matrix, 3x3 or 4x4. What is scaled to nothing along an axis goes to nothing there."""
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        out = np.eye(len(matrix))
        out[:3, :3] = np.linalg.pinv(matrix[:3, :3])
        out[:3, 3:] = -out[:3, :3] @ matrix[:3, 3:]
        return out


def local_offsets(object_):
    """Turns displacements of the library's world into those of a mesh's own space."""
    return inverse(world(object_)[:3, :3])


def pose_matrices(armature):
    """Joint 0 and all bones as the library has them, (n, 4, 4), of an evaluated armature."""
    count = len(armature.pose.bones)
    flat = np.empty(16 * count, np.float32)
    armature.pose.bones.foreach_get("matrix", flat)
    out = np.empty((count + 1, 4, 4))
    out[0] = world(armature)
    out[1:] = out[0] @ flat.reshape(count, 4, 4).transpose(0, 2, 1)  # Blender hands out columns
    return out


def rest_matrices(armature):
    object_ = world(evaluated(armature))
    return np.array([object_] + [object_ @ np.array(bone.matrix_local) for bone in armature.data.bones])


def parents(armature):
    """For every joint the number of its parent; bones keep Blender's order."""
    bones = armature.data.bones
    numbers = {bone.name: i + 1 for i, bone in enumerate(bones)}
    return [-1] + [numbers[bone.parent.name] if bone.parent else 0 for bone in bones]


def decompose(matrices):
    """Translations, rotations (x, y, z, w) and scales of matrices."""
    from mathutils import Matrix
    parts = [Matrix(one.tolist()).decompose() for one in matrices]
    turns = np.array([[turn.x, turn.y, turn.z, turn.w] for _, turn, _ in parts])
    return np.array([place[:] for place, _, _ in parts]), turns, np.array([scale[:] for _, _, scale in parts])


def locals_of(matrices, up):
    """Matrices of joints relative to their parents."""
    out = matrices.copy()
    for i, parent in enumerate(up):
        if parent >= 0:
            out[i] = inverse(matrices[parent]) @ matrices[i]
    return out


def influences(object_, data, armature):
    """Joints and weights of a mesh, (n, 8) each: its vertex groups that are called as deforming bones."""
    numbers = {bone.name: i + 1 for i, bone in enumerate(armature.data.bones) if bone.use_deform}
    groups = [numbers.get(group.name, 0) for group in object_.vertex_groups]
    count = len(data.vertices)
    joints, weights = np.zeros((count, MOST_INFLUENCES), np.uint16), np.zeros((count, MOST_INFLUENCES), np.float32)
    for vertex in data.vertices:
        found = sorted(((one.weight, groups[one.group]) for one in vertex.groups
                        if one.group < len(groups) and groups[one.group] and one.weight > 0), reverse=True)
        for place, (weight, joint) in enumerate(found[:MOST_INFLUENCES]):
            joints[vertex.index, place], weights[vertex.index, place] = joint, weight
    return joints, weights


def mesh_def(object_, armature):
    with mesh_to_read(object_) as data:
        return def_of(object_, data, armature)


def def_of(object_, data, armature):
    count = len(data.vertices)
    positions, normals = np.empty(3 * count, np.float32), np.empty(3 * count, np.float32)
    data.vertices.foreach_get("co", positions)
    data.vertices.foreach_get("normal", normals)
    data.calc_loop_triangles()
    corners = np.empty(3 * len(data.loop_triangles), np.int32)
    data.loop_triangles.foreach_get("vertices", corners)
    matrix = world(evaluated(object_))
    joints, weights = influences(object_, data, armature)
    unbound = weights.sum(1) == 0
    weights[unbound, 0], joints[unbound, 0] = 1, 0  # Blender leaves these alone: they go with the object
    turned = normals.reshape(-1, 3) @ np.linalg.inv(matrix[:3, :3])
    turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-20)
    return supple.MeshDef(positions.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3], corners, joints, weights, turned, skin=0,
                          joint=0, name=object_.name)


def make_character(armature, clips=()):
    """The character of an armature and its meshes. `clips`: (name, matrices of all joints at every time, times) for each."""
    meshes = check_meshes(armature)
    flat = [one.name for one in [armature, *meshes] if np.linalg.matrix_rank(world(evaluated(one))[:3, :3], tol=1e-12) < 3]
    if flat:
        raise Trouble(f'"{flat[0]}" is scaled to nothing at this frame: flesh is found on a body that has a size.')
    rest, up = rest_matrices(armature), parents(armature)
    names = [OBJECT_JOINT] + [bone.name for bone in armature.data.bones]
    places, turns, scales = decompose(locals_of(rest, up))
    joints = [supple.JointDef(names[i], up[i], places[i], turns[i], scales[i]) for i in range(len(names))]
    skin = supple.SkinDef(list(range(len(names))), np.linalg.inv(rest), armature.name)
    return supple.Character.create(armature.name, joints, [skin], [mesh_def(one, armature) for one in meshes],
                                   [clip_def(name, poses, times, up) for name, poses, times in clips])


def clip_def(name, poses, times, up):
    moved = [decompose(locals_of(one, up)) for one in poses]
    tracks = []
    for joint in range(len(up)):
        for path, part in (("translation", 0), ("rotation", 1), ("scale", 2)):
            values = np.array([one[part][joint] for one in moved])
            if path == "rotation":  # the short way round
                flips = np.cumprod(np.concatenate([[1], np.where((values[1:] * values[:-1]).sum(1) < 0, -1, 1)]))
                values = values * flips[:, None]
            tracks.append(supple.TrackDef(joint, path, times, values))
    return supple.ClipDef(name, tracks)
