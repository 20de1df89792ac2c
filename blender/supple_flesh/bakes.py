"""Bakes: copies of the armature and its meshes that live by themselves, without the add-on. Nothing of the artist's is touched.

Each bake is a generator of shares done, so that the same work runs at once from a script and in pieces, with a bar and Esc, from
the panel.
"""
import os
import threading
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix, Vector

from . import live, modifier, scene as scenes, slots
from .operators import TROUBLES, Reporting, fleshed
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
    """The armature (where it is asked for) and its meshes once more, in a collection of their own. Used by `with`: whatever
    ends the work before its end takes them away again."""

    def __init__(self, context, armature, with_armature):
        self.made, self.actions, self.meshes = [], [], []
        self.scene, self.source, self.armature, self.with_armature = context.scene, armature, armature, with_armature

    def __enter__(self):
        try:
            self.copy_all()
        except BaseException:
            self.drop()
            raise
        return self

    def __exit__(self, kind, error, trace):
        if kind is not None:
            self.drop()

    def copy_all(self):
        if self.with_armature:
            self.armature = self.copy(self.source)
            self.armature.supple.rig = self.armature.supple.uid = ""
            self.armature.supple.regions.clear()
        for source in scenes.meshes_of(self.source):
            made = self.copy(source)
            for one in list(made.modifiers)[:max(scenes.following(made), 0)]:  # these are in its data now
                made.modifiers.remove(one)
            modifier.remove(made, is_copy=True)
            for group in [one for one in made.vertex_groups if one.name.startswith("supple:")]:
                made.vertex_groups.remove(group)
            for one in made.modifiers:
                if one.type == "ARMATURE" and one.object == self.source:
                    one.object = self.armature
            if made.parent == self.source and self.with_armature:
                inverse = made.matrix_parent_inverse.copy()
                made.parent = self.armature
                made.matrix_parent_inverse = inverse
            self.meshes.append((source, made))

    def copy(self, source):
        """A copy with data of its own; those of a mesh are as its mirrors have made them."""
        if source.type == "MESH" and scenes.following(source) > 0:
            with scenes.mesh_to_read(source):
                graph = bpy.context.evaluated_depsgraph_get()
                data = bpy.data.meshes.new_from_object(source.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph)
        else:
            data = source.data.copy()
        made = source.copy()
        made.data = data
        made.name = made.data.name = f"{source.name} (living)"
        made[scenes.BAKED] = True
        collection(self.scene).objects.link(made)
        self.made.append(made)
        return made

    def action(self, source, name):
        """A copy of the action of an object or of shape keys, or a new one."""
        old = source.animation_data.action if source.animation_data is not None else None
        made = old.copy() if old is not None else bpy.data.actions.new(name)
        made.name = f"{old.name if old is not None else name} (living)"
        self.actions.append(made)
        return made

    def drop(self):
        for made in self.made:
            data, kind = made.data, made.type
            bpy.data.objects.remove(made)
            (bpy.data.armatures if kind == "ARMATURE" else bpy.data.meshes).remove(data)
        for action in self.actions:
            bpy.data.actions.remove(action)
        home = next((one for one in self.scene.collection.children if one.name == COLLECTION), None)
        if home is not None and not home.all_objects:
            bpy.data.collections.remove(home)


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
    if found.take is None:
        raise scenes.Trouble(f'"{armature.name}" has no action to bake.')
    return found


def in_thread(work, share):
    """Runs work of the library, called with a function for its `watch`, and yields how far it is times `share`. Blender goes
    on meanwhile. Who stops asking ends it."""
    done, made, problem, given_up = [0.0], [], [], []

    def watch(_stage, now):
        done[0] = now
        return not given_up

    def run():
        try:
            made.append(work(watch))
        except BaseException as error:  # pylint: disable=broad-except
            problem.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.02)
            yield share * done[0]
    finally:
        given_up.append(True)
    if problem:
        raise problem[0]
    return made[0]


# ----------------------------------------------------------------------------------------------------------------
# Helper bones

def bake_bones(context, armature, tolerance, told):
    found = take_of(context, armature)
    if found.model.needs_morphs:
        raise scenes.Trouble("The rig has layers that bones cannot carry: bake to shape keys or to a mesh cache.")
    take = found.action_take()
    bake = yield from in_thread(lambda watch: supple.JointBake([take], tolerance=tolerance, fps=found.fps, pool=supple.Pool(),
                                                               watch=watch), 0.7)
    clip = bake.clips[0]
    with Copies(context, armature, True) as copies:
        helpers = add_bones(context, copies.armature, bake)
        yield 0.75
        for number, (_, made) in enumerate(copies.meshes):
            set_weights(made, copies.armature, bake.mesh(number), helpers)
            yield 0.75 + 0.2 * (number + 1) / len(copies.meshes)
        animate_bones(copies, helpers, bake, clip, found)
        yield 1.0
    told(f"{len(helpers)} helper bones, {len(clip.times)} keys, error {length_text(clip.max_error)}", clip.max_error)


def length_text(metres):
    return f"{metres:.3g} m" if metres >= 1 else f"{1000 * metres:.3g} mm"


@contextmanager
def edited(context, armature):
    """The bones of a copy to be edited, wherever it is hidden. Then all is active, selected and in the mode that it was."""
    layer, home = context.view_layer, context.scene.collection
    active, chosen, hidden = layer.objects.active, context.selected_objects, armature.hide_viewport
    mode = active.mode if active is not None else "OBJECT"
    if mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    home.objects.link(armature)  # one that no view layer can leave out
    armature.hide_viewport = False
    for one in chosen:
        one.select_set(False)  # those of the same type would be edited, too
    layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        yield armature.data.edit_bones
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.hide_viewport = hidden
        home.objects.unlink(armature)
        for one in chosen:
            one.select_set(True)
        layer.objects.active = active
        if mode != "OBJECT":
            bpy.ops.object.mode_set(mode=mode)


def add_bones(context, armature, bake):
    """Helper bones: as long and as turned as the bones that carry them. Gives their names."""
    bones = [bone.name for bone in armature.data.bones]
    elements = [element.name for element in bake.model.elements]
    names = []
    with edited(context, armature) as edit:
        for number, helper in enumerate(bake.helpers):
            parent = edit.get(bones[helper.joint - 1]) if helper.joint > 0 else None
            what = elements[helper.element] if helper.element >= 0 else f"mix {number}"
            bone = edit.new(scenes.short(f"supple:{what}:{parent.name if parent else 'object'}"))
            matrix = parent.matrix.copy() if parent else Matrix.Identity(4)
            bone.head, bone.tail = (0, 0, 0), (0, parent.length if parent else 1.0, 0)
            bone.parent = parent
            bone.matrix = matrix @ Matrix.Translation(Vector(helper.place)) if parent else matrix
            bone.use_deform = True
            names.append(bone.name)
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


def animate_bones(copies, helpers, bake, clip, found):
    """A copy of the artist's action with curves for the helpers."""
    armature = copies.armature
    curves = slots.curves_of(armature, copies.action(copies.source, copies.source.name))
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
    found, count = take_of(context, armature), 0
    take = found.action_take()
    bake = yield from in_thread(lambda watch: supple.MorphBake([take], tolerance=tolerance, normals=False, fps=found.fps,
                                                               pool=supple.Pool(), watch=watch), 0.7)
    with Copies(context, armature, False) as copies:
        for number, (_, made) in enumerate(copies.meshes):
            group = bake.group(number)
            if group >= 0:
                count = max(count, add_keys(copies, made, bake, number, group, found))
            yield 0.7 + 0.3 * (number + 1) / len(copies.meshes)
    error = bake.errors[0].max_error
    told(f"{count} shape keys, error {length_text(error)}", error)


def add_keys(copies, object_, bake, mesh, group, found):
    keys = bake.keys(group)
    if object_.data.shape_keys is None:
        object_.shape_key_add(name="Basis", from_mix=False)
    blocks = object_.data.shape_keys
    basis = np.empty(3 * len(object_.data.vertices), np.float32)
    blocks.reference_key.data.foreach_get("co", basis)
    to_local = found.to_local[mesh].T
    names = []
    for number in range(bake.target_count(group)):
        target = bake.target(mesh, number)
        places = basis.reshape(-1, 3).copy()
        places[target.vertices] += target.positions @ to_local
        block = object_.shape_key_add(name=f"supple:{number + 1}", from_mix=False)
        block.data.foreach_set("co", places.reshape(-1))
        names.append(block.name)
    curves = slots.curves_of(blocks, copies.action(blocks, f"{object_.name} keys"))
    frames = found.start + keys.times.astype(float) * found.fps
    for number, name in enumerate(names):
        add_curve(curves, f'key_blocks["{bpy.utils.escape_identifier(name)}"].value', 0, frames, keys.weights[:, number])
    return len(names)


# ----------------------------------------------------------------------------------------------------------------
# Mesh cache

def bake_mesh_cache(context, armature, folder, told):
    found = take_of(context, armature)
    if not folder:
        raise scenes.Trouble("Choose a folder, or save the file first: caches go beside it.")
    os.makedirs(folder, exist_ok=True)
    frames = np.arange(int(np.floor(found.start)), int(np.ceil(found.end)) + 1)
    sources = scenes.meshes_of(armature)
    stored = [[] for _ in sources]
    for number in record(context.scene, sources, frames, stored):
        yield 0.8 * number / len(frames)
    with Copies(context, armature, False) as copies:
        for (source, made), rows in zip(copies.meshes, stored):
            path = os.path.join(folder, bpy.path.clean_name(source.name) + ".pc2")
            supple.write_point_cache(path, lambda frame, out, rows=rows: out.__setitem__(slice(None), rows[frame]), len(rows),
                                     len(rows[0]), found.fps)
            play_cache(made, armature, path, float(frames[0]))
            yield 0.9
    told(f"{len(frames)} frames of {len(sources)} meshes in {folder}", 0.0)


def record(scene, sources, frames, stored):
    """Shows every frame and keeps the vertices that Blender has after flesh; later modifiers stay, and are left out here."""
    later = [mod for one in sources for mod in list(one.modifiers)[one.modifiers.find(modifier.find(one).name) + 1:]
             if mod.show_viewport]
    before = scene.frame_current_final
    for mod in later:
        mod.show_viewport = False
    try:
        for number, frame in enumerate(frames):
            scene.frame_set(int(frame))
            for object_, rows in zip(sources, stored):
                rows.append(evaluated_positions(object_))
            yield number + 1
    finally:
        for mod in later:
            mod.show_viewport = True
        scene.frame_set(int(np.floor(before)), subframe=before % 1)


def play_cache(made, armature, path, start):
    """The cache in place of all modifiers up to the armature's."""
    armature_at = made.modifiers.find(scenes.armature_modifier(made, armature).name)
    for mod in list(made.modifiers)[:armature_at + 1]:
        made.modifiers.remove(mod)
    cache = made.modifiers.new("Supple cache", "MESH_CACHE")
    cache.cache_format, cache.filepath, cache.frame_start, cache.interpolation = "PC2", path, start, "LINEAR"
    modifier.place(made, cache, 0)


def evaluated_positions(object_):
    with scenes.mesh_to_read(object_) as data:
        count = len(data.vertices)
    evaluated = object_.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    out = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", out)
    evaluated.to_mesh_clear()
    if len(out) != 3 * count:
        raise scenes.Trouble(f'A modifier changes the vertices of "{object_.name}" before flesh is added: put it after "Supple", '
                             "or apply it.")
    return out.reshape(-1, 3)


# ----------------------------------------------------------------------------------------------------------------
# Operators

class Baking(Reporting):
    """Runs the work at once from a script, and in pieces, with a bar and Esc, from the panel."""

    def told(self, words, error):
        self.report({"INFO"}, words)
        bpy.context.window_manager["supple_error"] = error

    def work(self, context):
        for _ in self.generator(context, fleshed(context)):
            pass

    def invoke(self, context, event):
        try:
            self._work = self.generator(context, fleshed(context))
        except TROUBLES as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.02, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._work.close()
            self.report({"WARNING"}, "Stopped; nothing was made.")
            return self.end(context, {"CANCELLED"})
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            self.show(context, 100 * next(self._work))
            return {"RUNNING_MODAL"}
        except StopIteration:
            return self.end(context, {"FINISHED"})
        except TROUBLES as error:
            self.report({"ERROR"}, str(error))
            return self.end(context, {"CANCELLED"})
        except BaseException:
            self.end(context, {"CANCELLED"})
            raise

    def show(self, context, share):
        if int(share) == int(context.window_manager.supple_progress) and share > 0:
            return  # to draw a window may take longer than to bake
        context.window_manager.progress_update(share)
        context.window_manager.supple_progress = share
        context.workspace.status_text_set(f"Supple: {share:.0f}%  (Esc stops)")
        for area in context.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()

    def end(self, context, result):
        self.show(context, 0.0)
        context.workspace.status_text_set(None)
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        return result


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


class SUPPLE_OT_bake_mesh_cache(Baking, bpy.types.Operator):
    """Write every vertex at every frame into .pc2 files, and copy the meshes with a Mesh Cache modifier that plays them"""

    bl_idname, bl_label = "supple.bake_mesh_cache", "Bake to Mesh Cache"
    folder: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH")

    def generator(self, context, armature):
        folder = self.folder or ("//supple_cache" if bpy.data.filepath else "")
        return bake_mesh_cache(context, armature, bpy.path.abspath(folder), self.told)


CLASSES = (SUPPLE_OT_bake_bones, SUPPLE_OT_bake_shape_keys, SUPPLE_OT_bake_mesh_cache)


def register():
    bpy.types.WindowManager.supple_progress = bpy.props.FloatProperty(name="Baking", subtype="PERCENTAGE", min=0, max=100)
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    del bpy.types.WindowManager.supple_progress
