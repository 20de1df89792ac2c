"""What a file keeps: the rig as JSON on the armature, and one row of sliders for each region, made of the field tables."""
import json
import math

import bpy

from . import live
from .vendor import supple

FLESH = supple.layers()[0]
SLIDERS = [field for field in FLESH.fields if field.type in ("float", "length") and field.live and not field.advanced
           and not field.optional]
filling = False


def changed(region, context):
    """A slider has moved: into the rig, and onto the screen."""
    if filling:
        return
    armature = region.id_data
    rig = json.loads(armature.supple.rig or "{}")
    index = [one.as_pointer() for one in armature.supple.regions].index(region.as_pointer())
    element = rig["elements"][index]
    for field in SLIDERS:
        value = getattr(region, field.name)
        if math.isclose(value, field.default, rel_tol=1e-6):
            element.pop(field.name, None)
        else:
            element[field.name] = float(f"{value:.6g}")
    armature.supple.rig = json.dumps(rig)
    touch(armature)


def touch(armature, show=True):
    """The rig has changed: the flesh is made anew, and shown."""
    found = live.bodies.get(armature.supple.uid)
    if found is not None:
        found.dirty = found.dirty or live.RIG
    if show and armature.supple.enabled and not live.quiet:
        live.refresh(armature)


def renew(armature):
    """Other frames are to be simulated."""
    armature.supple.scene_frames = 0, 0
    if armature.supple.rig:
        found = live.bodies.get(armature.supple.uid)
        if found is not None:
            found.dirty = live.ALL
        touch(armature)


class SUPPLE_region(bpy.types.PropertyGroup):
    __annotations__ = {"name": bpy.props.StringProperty(name="Region")}
    for _field in SLIDERS:
        __annotations__[_field.name] = bpy.props.FloatProperty(
            name=_field.name, description=f"{_field.words} {_field.unit}".strip(), default=_field.default, min=_field.minimum,
            max=min(_field.maximum, 1e6), soft_max=min(_field.maximum, max(10 * abs(_field.default), 1.0)), update=changed)
    del _field


def toggled(settings, context):
    armature = settings.id_data
    from . import modifier, scene
    for object_ in scene.meshes_of(armature):
        made = modifier.find(object_)
        if made is not None:
            made.show_viewport = made.show_render = settings.enabled


class SUPPLE_settings(bpy.types.PropertyGroup):
    uid: bpy.props.StringProperty(options={"HIDDEN"})
    rig: bpy.props.StringProperty(name="Rig", description="The rig as JSON, as the program and the other packages read it")
    enabled: bpy.props.BoolProperty(name="Living", default=True, update=toggled)
    preset: bpy.props.EnumProperty(name="Preset", default="natural", description="How lively a new rig is",
                                   items=[(one, one.capitalize(), "") for one in supple.preset_names()])
    loop: bpy.props.EnumProperty(name="Loop", default="AUTO", update=lambda s, c: touch(s.id_data) if s.rig else None, items=[
        ("AUTO", "Auto", "The action is a loop if its pose closes"), ("ON", "On", "The end goes over into the start"),
        ("OFF", "Off", "The flesh starts at rest, and ends as it ends")])
    use_scene_range: bpy.props.BoolProperty(
        name="Scene's frames", description="Simulate the frames of the scene, and not those of the action",
        update=lambda s, c: renew(s.id_data))
    overlay: bpy.props.BoolProperty(name="Overlay", description="Draw elements, springs and limits over the body")
    regions: bpy.props.CollectionProperty(type=SUPPLE_region)
    active: bpy.props.IntProperty()
    scene_frames: bpy.props.IntVectorProperty(size=2, options={"HIDDEN"})
    message: bpy.props.StringProperty()


def set_rig(armature, rig):
    """Puts a rig onto an armature, and fills the rows of sliders."""
    global filling
    filling = True
    try:
        settings = armature.supple
        settings.rig = json.dumps(rig)
        settings.regions.clear()
        for element in rig.get("elements", []):
            row = settings.regions.add()
            row.name = element.get("name") or element["driver"]
            for field in SLIDERS:
                setattr(row, field.name, element.get(field.name, field.default))
        settings.active = min(settings.active, max(len(settings.regions) - 1, 0))
    finally:
        filling = False
    found = live.bodies.get(armature.supple.uid)
    if found is not None:
        found.dirty = found.dirty or live.RIG


def register():
    bpy.utils.register_class(SUPPLE_region)
    bpy.utils.register_class(SUPPLE_settings)
    bpy.types.Object.supple = bpy.props.PointerProperty(type=SUPPLE_settings)


def unregister():
    del bpy.types.Object.supple
    bpy.utils.unregister_class(SUPPLE_settings)
    bpy.utils.unregister_class(SUPPLE_region)
