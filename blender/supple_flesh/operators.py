"""Buttons: add and remove flesh, presets, mirror, weights, rig files."""
import json
from contextlib import contextmanager

import bpy
import numpy as np
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import live, modifier, movers, scene as scenes
from .properties import SLIDERS, set_rig
from .vendor import supple


TROUBLES = (scenes.Trouble, supple.SuppleError, OSError)


class Reporting:
    """An operator whose troubles become messages to the user."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            return self.work(context) or {"FINISHED"}
        except TROUBLES as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}


def fleshed(context):
    armature = scenes.selected_armature(context)
    if not armature.supple.rig:
        raise scenes.Trouble(f'"{armature.name}" has no flesh yet: press "Add flesh" first.')
    return armature


def character_for(armature, scene):
    """The character with its action, which the automatic rig looks at for typical motion."""
    if not movers.may_move(armature):
        return scenes.make_character(armature)
    start, end = live.frame_range(armature, scene)
    frames = live.frames_between(start, end)
    with live.Progress():
        poses = live.sample(armature, scene, frames)
    with live.at_frame(scene, live.rest_frame(frames, poses)):
        return scenes.make_character(armature, [(live.action_name(armature), poses, (frames - start) / live.frames_a_second(scene))])


def add_modifiers(armature):
    with live.Quiet():
        for object_ in scenes.check_meshes(armature):
            modifier.add(object_, armature)


@contextmanager
def fitted(armature):
    """The modifiers on all meshes, while a first rig is made; they go again where none comes out of it."""
    had = bool(armature.supple.rig)
    add_modifiers(armature)
    try:
        yield
    except BaseException:
        if not had:
            armature.supple.rig = ""
            for object_ in scenes.meshes_of(armature):
                modifier.remove(object_)
        raise


class SUPPLE_OT_add_flesh(Reporting, bpy.types.Operator):
    """Find the soft regions of the selected armature's meshes, and let them live"""

    bl_idname, bl_label = "supple.add_flesh", "Add Flesh"

    def work(self, context):
        armature = scenes.selected_armature(context)
        armature.supple.scene_frames = 0, 0
        with fitted(armature):
            rig = supple.propose_rig(character_for(armature, context.scene), armature.supple.preset)
            if not rig.get("elements"):
                raise scenes.Trouble(f'Nothing soft was found on "{armature.name}": it looks like a machine or a prop.')
        rig.pop("gravity", None)  # however the body lies: what is down is the same in all of Blender's world
        set_rig(armature, rig)
        armature.supple.enabled = True
        live.refresh(armature, context)
        self.report({"INFO"}, f"{len(rig['elements'])} regions: " + ", ".join(one["name"] for one in rig["elements"]))


class SUPPLE_OT_remove_flesh(Reporting, bpy.types.Operator):
    """Take the flesh off again: the modifiers, the attribute and the rig"""

    bl_idname, bl_label = "supple.remove_flesh", "Remove Flesh"

    def work(self, context):
        armature = fleshed(context)
        from . import anatomy
        anatomy.remove(armature)
        for object_ in scenes.meshes_of(armature):
            modifier.remove(object_)
            for group in [one for one in object_.vertex_groups if one.name.startswith("supple:")]:
                object_.vertex_groups.remove(group)
        live.bodies.pop(armature.supple.uid, None)
        set_rig(armature, {})
        armature.supple.rig = armature.supple.uid = ""


class SUPPLE_OT_mirror(Reporting, bpy.types.Operator):
    """Give the other side the numbers of the active region"""

    bl_idname, bl_label = "supple.mirror", "Mirror"

    def work(self, context):
        armature = fleshed(context)
        settings = armature.supple
        if not settings.regions:
            raise scenes.Trouble("The rig has no region.")
        row = settings.regions[settings.active]
        sides = {"left": "right", "right": "left"}
        other = " ".join(sides.get(word, word) for word in row.name.split(" "))
        if other == row.name or other not in settings.regions:
            raise scenes.Trouble(f'There is no other side of "{row.name}".')
        rig = json.loads(settings.rig)
        rows = {one.get("name") or one["driver"]: one for one in rig["elements"]}
        for field in SLIDERS:
            rows[other].pop(field.name, None)
            if field.name in rows[row.name]:
                rows[other][field.name] = rows[row.name][field.name]
        set_rig(armature, rig)
        live.refresh(armature, context)


class SUPPLE_OT_remove_region(Reporting, bpy.types.Operator):
    """Take the active region out of the rig"""

    bl_idname, bl_label = "supple.remove_region", "Remove Region"

    def work(self, context):
        armature = fleshed(context)
        rig = json.loads(armature.supple.rig)
        if not rig.get("elements"):
            raise scenes.Trouble("The rig has no region.")
        del rig["elements"][armature.supple.active]
        set_rig(armature, rig)
        live.refresh(armature, context)


def share_of(view):
    """How much of each vertex belongs to an element: its weight is that, times how far flesh reaches there, over the most."""
    return np.clip(np.where(view.reach > 0, view.weights * view.thickness / np.maximum(view.reach, 1e-12), 0.0), 0.0, 1.0)


class SUPPLE_OT_weights(Reporting, bpy.types.Operator):
    """Make vertex groups of what belongs to the regions, to be painted with Blender's own brushes. They decide from then on"""

    bl_idname, bl_label = "supple.weights", "Weights to Vertex Groups"

    def work(self, context):
        armature = fleshed(context)
        found = live.living_of(armature, context.scene)
        elements = json.loads(armature.supple.rig).get("elements", [])
        for element, view in zip(elements, found.model.elements):
            share = share_of(view)
            for name, first, end in found.meshes:
                object_, group_name = bpy.data.objects[name], live.group_of(element)
                own = min(end, first + len(object_.data.vertices))  # those of a mirror take the other side's group
                inside = (view.vertices >= first) & (view.vertices < own)
                if inside.any() and group_name not in object_.vertex_groups:
                    group = object_.vertex_groups.new(name=group_name)
                    for vertex, weight in zip(view.vertices[inside] - first, share[inside]):
                        group.add([int(vertex)], float(weight), "REPLACE")
        found.dirty = live.ALL
        live.refresh(armature, context)


class SUPPLE_OT_refresh(Reporting, bpy.types.Operator):
    """Make the flesh anew: after painting weights, or a change that was not noticed"""

    bl_idname, bl_label = "supple.refresh", "Refresh"

    def work(self, context):
        armature = fleshed(context)
        live.bodies.pop(armature.supple.uid, None)
        armature.supple.scene_frames = 0, 0
        add_modifiers(armature)
        live.refresh(armature, context)


class SUPPLE_OT_export_rig(Reporting, bpy.types.Operator, ExportHelper):
    """Write the rig as a .rig.json file, which the program and the other packages read"""

    bl_idname, bl_label = "supple.export_rig", "Export Rig"
    filename_ext = ".json"

    def work(self, context):
        supple.write_rig(json.loads(fleshed(context).supple.rig), bpy.path.abspath(self.filepath))


class SUPPLE_OT_import_rig(Reporting, bpy.types.Operator, ImportHelper):
    """Read a .rig.json file onto the selected armature"""

    bl_idname, bl_label = "supple.import_rig", "Import Rig"
    filename_ext = ".json"

    def work(self, context):
        armature = scenes.selected_armature(context)
        with fitted(armature):
            character = scenes.make_character(armature)
            rig = supple.read_rig(bpy.path.abspath(self.filepath), character)
            supple.Model(character, rig)  # says what does not fit before anything changes
        set_rig(armature, rig)
        live.refresh(armature, context)


CLASSES = (SUPPLE_OT_add_flesh, SUPPLE_OT_remove_flesh, SUPPLE_OT_mirror, SUPPLE_OT_remove_region, SUPPLE_OT_weights,
           SUPPLE_OT_refresh, SUPPLE_OT_export_rig, SUPPLE_OT_import_rig)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
