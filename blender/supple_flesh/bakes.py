"""Bakes: copies of the armature and its meshes that live by themselves, without the add-on. Nothing of the artist's is touched.

Each bake is a generator of shares done, so that the same work runs at once from a script and in pieces, with a bar and Esc, from
the panel.
"""
import os

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import live, modifier, scene as scenes
from .operators import Reporting, fleshed
from .vendor import supple

COLLECTION = "Living"


# ----------------------------------------------------------------------------------------------------------------
# Copies

def collection(scene):
    found = next((one for one in scene.collection.children if one.name == COLLECTION), None)
    if found is None:
        found = bpy.data.collections.new(COLLECTION)
        scene.collection.children.link(found)
    return found


class Copies:
    """The armature (where it is asked for) and its meshes once more, in a collection of their own. `drop` takes them away."""

    def __init__(self, context, armature, with_armature):
        self.made, self.meshes = [], []
        home = collection(context.scene)
        self.armature = armature
        if with_armature:
            self.armature = self.copy(armature, home)
            self.armature.supple.rig = self.armature.supple.uid = ""
            self.armature.supple.regions.clear()
        for source in scenes.meshes_of(armature):
            made = self.copy(source, home)
            modifier.remove(made)
            for group in [one for one in made.vertex_groups if one.name.startswith("supple:")]:
                made.vertex_groups.remove(group)
            for one in made.modifiers:
                if one.type == "ARMATURE" and one.object == armature:
                    one.object = self.armature
            if made.parent == armature and with_armature:
                inverse = made.matrix_parent_inverse.copy()
                made.parent = self.armature
                made.matrix_parent_inverse = inverse
            self.meshes.append((source, made))

    def copy(self, source, home):
        made = source.copy()
        made.data = source.data.copy()
        made.name = made.data.name = f"{source.name} (living)"
        made[scenes.BAKED] = True
        home.objects.link(made)
        self.made.append(made)
        return made

    def drop(self):
        for made in self.made:
            data, kind = made.data, made.type
            bpy.data.objects.remove(made)
            (bpy.data.armatures if kind == "ARMATURE" else bpy.data.meshes).remove(data)


def curves_of(owner, action):
    """The list of curves of an action for an object or for shape keys; slots of Blender 4.4 and later included."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = data.action_slot or (action.slots[0] if len(action.slots) else None)
    if slot is None or slot.target_id_type != owner.id_type:
        slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    data.action_slot = slot
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def add_curve(curves, path, index, frames, values, group=None):
    curve = curves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    flat = np.empty(2 * len(frames), np.float32)
    flat[0::2], flat[1::2] = frames, values
    curve.keyframe_points.foreach_set("co", flat)
    linear = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
    curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), linear, np.int32))
    curve.update()


def take_of(context, armature):
    found = live.living_of(armature, context.scene)
    if found.dirty:
        found.build(armature, context.scene)
    if found.take is None:
        raise scenes.Trouble(f'"{armature.name}" has no action to bake.')
    return found


# ----------------------------------------------------------------------------------------------------------------
# Helper bones

def bake_bones(context, armature, tolerance, told):
    found = take_of(context, armature)
    if found.model.needs_morphs:
        raise scenes.Trouble("The rig has layers that bones cannot carry: bake to shape keys or to a mesh cache.")
    bake = supple.JointBake([found.take], tolerance=tolerance, fps=found.fps)
    yield 0.4
    clip = bake.clips[0]
    copies = Copies(context, armature, True)
    try:
        helpers = add_bones(context, copies.armature, bake)
        yield 0.6
        for number, (source, made) in enumerate(copies.meshes):
            set_weights(made, copies.armature, bake.mesh(number), helpers)
            yield 0.6 + 0.3 * (number + 1) / len(copies.meshes)
        animate_bones(armature, copies.armature, helpers, bake, clip, found)
        yield 1.0
    except GeneratorExit:
        copies.drop()
        raise
    told(f"{len(helpers)} helper bones, {len(clip.times)} keys, error {1000 * clip.max_error:.3g} mm", clip.max_error)


def add_bones(context, armature, bake):
    """Helper bones: as long and as turned as the bones that carry them. Gives their names."""
    bones = [bone.name for bone in armature.data.bones]
    elements = [element.name for element in bake.model.elements]
    names = []
    previous = context.view_layer.objects.active
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        edit = armature.data.edit_bones
        for number, helper in enumerate(bake.helpers):
            parent = edit.get(bones[helper.joint - 1]) if helper.joint > 0 else None
            what = elements[helper.element] if helper.element >= 0 else f"mix {number}"
            bone = edit.new(f"supple:{what}:{parent.name if parent else 'object'}"[:63])
            matrix = parent.matrix.copy() if parent else Matrix.Identity(4)
            bone.head, bone.tail = (0, 0, 0), (0, parent.length if parent else 1.0, 0)
            bone.parent = parent
            bone.matrix = matrix @ Matrix.Translation(Vector(helper.place)) if parent else matrix
            bone.use_deform = True
            names.append(bone.name)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        context.view_layer.objects.active = previous
    return names


def set_weights(object_, armature, baked, helpers):
    """The new influences as vertex groups of the copy."""
    if not baked.changed:
        return
    bones = [None] + [bone.name for bone in armature.data.bones if bone.name not in set(helpers)]
    names = bones + helpers
    deforming = {bone.name for bone in armature.data.bones}
    for group in [one for one in object_.vertex_groups if one.name in deforming]:
        object_.vertex_groups.remove(group)
    groups = {}
    for vertex, (joints, weights) in enumerate(zip(baked.joints.tolist(), baked.weights.tolist())):
        for joint, weight in zip(joints, weights):
            name = names[joint]
            if weight > 0 and name is not None:
                if name not in groups:
                    groups[name] = object_.vertex_groups.new(name=name)
                groups[name].add([vertex], weight, "ADD")


def animate_bones(source, armature, helpers, bake, clip, found):
    """A copy of the artist's action with curves for the helpers."""
    old = source.animation_data.action if source.animation_data is not None else None
    action = old.copy() if old is not None else bpy.data.actions.new(source.name)
    action.name = f"{old.name if old is not None else source.name} (living)"
    curves = curves_of(armature, action)
    frames = found.start + clip.times.astype(float) * found.fps
    turning = 0
    for number, name in enumerate(helpers):
        path = f'pose.bones["{bpy.utils.escape_identifier(name)}"]'
        for axis in range(3):
            add_curve(curves, path + ".location", axis, frames, clip.translations[number, :, axis] - bake.helpers[number].place[axis])
        if bake.helpers[number].turns:
            armature.pose.bones[name].rotation_mode = "QUATERNION"
            x, y, z, w = clip.rotations[turning].T
            for axis, values in enumerate((w, x, y, z)):
                add_curve(curves, path + ".rotation_quaternion", axis, frames, values)
            turning += 1


# ----------------------------------------------------------------------------------------------------------------
# Shape keys

def bake_shape_keys(context, armature, tolerance, told):
    found = take_of(context, armature)
    bake = supple.MorphBake([found.take], tolerance=tolerance, normals=False, fps=found.fps)
    yield 0.5
    copies, count = Copies(context, armature, False), 0
    try:
        for number, (source, made) in enumerate(copies.meshes):
            group = bake.group(number)
            if group >= 0:
                count = max(count, add_keys(made, bake, number, group, found))
            yield 0.5 + 0.5 * (number + 1) / len(copies.meshes)
    except GeneratorExit:
        copies.drop()
        raise
    error = bake.errors[0].max_error
    told(f"{count} shape keys, error {1000 * error:.3g} mm", error)


def add_keys(object_, bake, mesh, group, found):
    keys = bake.keys(group)
    if object_.data.shape_keys is None:
        object_.shape_key_add(name="Basis", from_mix=False)
    blocks = object_.data.shape_keys
    basis = np.empty(3 * len(object_.data.vertices), np.float32)
    blocks.reference_key.data.foreach_get("co", basis)
    to_local = scenes.local_offsets(object_).T
    names = []
    for number in range(bake.target_count(group)):
        target = bake.target(mesh, number)
        places = basis.reshape(-1, 3).copy()
        places[target.vertices] += target.positions @ to_local
        block = object_.shape_key_add(name=f"supple:{number + 1}", from_mix=False)
        block.data.foreach_set("co", places.reshape(-1))
        names.append(block.name)
    old = blocks.animation_data.action if blocks.animation_data is not None else None
    action = old.copy() if old is not None else bpy.data.actions.new(f"{object_.name} keys")
    curves = curves_of(blocks, action)
    frames = found.start + keys.times.astype(float) * found.fps
    for number, name in enumerate(names):
        add_curve(curves, f'key_blocks["{bpy.utils.escape_identifier(name)}"].value', 0, frames, keys.weights[:, number])
    return len(names)


# ----------------------------------------------------------------------------------------------------------------
# Mesh cache

def bake_mesh_cache(context, armature, folder, told):
    found = take_of(context, armature)
    scene = context.scene
    os.makedirs(folder, exist_ok=True)
    frames = np.arange(int(np.floor(found.start)), int(np.ceil(found.end)) + 1)
    sources = scenes.meshes_of(armature)
    later = [mod for one in sources for mod in list(one.modifiers)[one.modifiers.find(modifier.find(one).name) + 1:] if mod.show_viewport]
    before, stored = scene.frame_current_final, [[] for _ in sources]
    for mod in later:
        mod.show_viewport = False
    try:
        for frame in frames:
            scene.frame_set(int(frame))
            for number, object_ in enumerate(sources):
                stored[number].append(evaluated_positions(context, object_))
            yield 0.8 * (frame - frames[0] + 1) / len(frames)
    finally:
        for mod in later:
            mod.show_viewport = True
        scene.frame_set(int(np.floor(before)), subframe=before % 1)
    copies = Copies(context, armature, False)
    for number, (source, made) in enumerate(copies.meshes):
        path = os.path.join(folder, bpy.path.clean_name(source.name) + ".pc2")
        rows = stored[number]
        supple.write_point_cache(path, lambda frame, out, rows=rows: out.__setitem__(slice(None), rows[frame]), len(rows),
                                 len(rows[0]), found.fps)
        armature_at = made.modifiers.find(scenes.armature_modifier(made, armature).name)
        for mod in list(made.modifiers)[:armature_at + 1]:
            made.modifiers.remove(mod)
        cache = made.modifiers.new("Supple cache", "MESH_CACHE")
        cache.cache_format, cache.filepath, cache.frame_start = "PC2", path, float(frames[0])
        cache.interpolation = "LINEAR"
        if len(made.modifiers) > 1:
            modifier.move_modifier(made, cache.name, 0)
    yield 1.0
    told(f"{len(frames)} frames of {len(sources)} meshes in {folder}", 0.0)


def evaluated_positions(context, object_):
    evaluated = object_.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    out = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", out)
    evaluated.to_mesh_clear()
    if len(out) != 3 * len(object_.data.vertices):
        raise scenes.Trouble(f'A modifier before the armature changes the vertices of "{object_.name}": apply it first.')
    return out.reshape(-1, 3)


# ----------------------------------------------------------------------------------------------------------------
# Operators

class Baking(Reporting):
    """Runs the work at once from a script, and in pieces, with a bar and Esc, from the panel."""

    def start(self, context):
        armature = fleshed(context)
        return self.generator(context, armature)

    def told(self, words, error):
        self.report({"INFO"}, words)
        bpy.context.window_manager["supple_error"] = error

    def work(self, context):
        for _ in self.start(context):
            pass

    def invoke(self, context, event):
        if isinstance(self, ExportFolder) and not self.folder:
            self.folder = bpy.path.abspath("//supple_cache")
        try:
            self._work = self.start(context)
        except (scenes.Trouble, supple.SuppleError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._work.close()
            return self.end(context, {"CANCELLED"})
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            context.window_manager.progress_update(100 * next(self._work))
            return {"RUNNING_MODAL"}
        except StopIteration:
            return self.end(context, {"FINISHED"})
        except (scenes.Trouble, supple.SuppleError) as error:
            self.report({"ERROR"}, str(error))
            return self.end(context, {"CANCELLED"})

    def end(self, context, result):
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        return result


class ExportFolder:
    pass


def tolerance_property():
    return bpy.props.FloatProperty(name="Tolerance", default=5e-4, min=1e-5, max=0.05, precision=5,
                                   description="The largest error of any vertex between keys, as a share of the size")


class SUPPLE_OT_bake_bones(Baking, bpy.types.Operator):
    """Copy armature, meshes and action, with helper bones that carry the flesh into any engine"""

    bl_idname, bl_label = "supple.bake_bones", "Bake to Helper Bones"
    tolerance: tolerance_property()

    def generator(self, context, armature):
        return bake_bones(context, armature, self.tolerance, self.told)


class SUPPLE_OT_bake_shape_keys(Baking, bpy.types.Operator):
    """Copy the meshes, with shape keys and their keyframes"""

    bl_idname, bl_label = "supple.bake_shape_keys", "Bake to Shape Keys"
    tolerance: tolerance_property()

    def generator(self, context, armature):
        return bake_shape_keys(context, armature, self.tolerance, self.told)


class SUPPLE_OT_bake_mesh_cache(Baking, ExportFolder, bpy.types.Operator):
    """Write every vertex at every frame into .pc2 files, and copy the meshes with a Mesh Cache modifier that plays them"""

    bl_idname, bl_label = "supple.bake_mesh_cache", "Bake to Mesh Cache"
    folder: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH")

    def generator(self, context, armature):
        return bake_mesh_cache(context, armature, bpy.path.abspath(self.folder or "//supple_cache"), self.told)


CLASSES = (SUPPLE_OT_bake_bones, SUPPLE_OT_bake_shape_keys, SUPPLE_OT_bake_mesh_cache)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
