"""Muscles and fat: added to the rig, and as meshes to look at, which move with the body.

The library draws what a body has inside as triangles and lines that keep their order, so that a mesh is made once and then moved.
"""
import json

import bpy
import numpy as np
from mathutils import Matrix

from . import live, modifier, scene as scenes
from .operators import Reporting, character_for, fitted, fleshed
from .properties import set_rig
from .vendor import supple

COLLECTION = "Anatomy"
SHOWS, OWNER = "supple_shows", "supple_owner"  # on the objects that are made here
COLOR = "supple_color"
THINGS = (("muscles", "Muscles", "The forms of the muscles"), ("ecorche", "Écorché", "The body without its skin"),
          ("fat", "Fat", "The voxels of the soft solid"))


def points_and_faces(drawing):
    """What is drawn as a mesh: (positions of all corners, their colours, how many make an edge or a face)."""
    if len(drawing.triangles):
        return drawing.triangles.reshape(-1, 3), drawing.triangle_colors.reshape(-1, 4), 3
    return drawing.lines.reshape(-1, 3), np.repeat(drawing.line_colors, 2, 0), 2


def make_mesh(name, drawing):
    """A mesh whose equal corners are one, and the corner that each of its points is taken from."""
    corners, _, sides = points_and_faces(drawing)
    _, first, inverse = np.unique(corners, axis=0, return_index=True, return_inverse=True)
    rows = np.unique(inverse.reshape(-1, sides), axis=0) if sides == 2 else inverse.reshape(-1, sides)
    rows = rows[(rows[:, 0] != rows[:, 1]) & (rows[:, -1] != rows[:, 0])]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners[first].tolist(), rows.tolist() if sides == 2 else [], rows.tolist() if sides == 3 else [])
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), bool))
    mesh["supple_corners"] = first.astype(np.int32).tolist()
    mesh.attributes.new(COLOR, "FLOAT_COLOR", "POINT")
    mesh.color_attributes.active_color = mesh.color_attributes[COLOR]
    return mesh


def material():
    """Takes the colours of the points, and is flesh red in solid view."""
    found = bpy.data.materials.get("Supple anatomy")
    if found is None:
        found = bpy.data.materials.new("Supple anatomy")
        found.diffuse_color, found.use_nodes = (0.46, 0.09, 0.07, 1.0), True
        color = found.node_tree.nodes.new("ShaderNodeAttribute")
        color.attribute_name = COLOR
        surface = next(one for one in found.node_tree.nodes if one.type == "BSDF_PRINCIPLED")
        found.node_tree.links.new(color.outputs["Color"], surface.inputs["Base Color"])
    return found


def wires(radius):
    """A node group that gives edges a thickness, so that renders show them."""
    made = modifier.new_tree("Supple: wires")
    enter, leave, curves, tubes, circle, dress = (made.nodes.new(kind) for kind in (
        "NodeGroupInput", "NodeGroupOutput", "GeometryNodeMeshToCurve", "GeometryNodeCurveToMesh",
        "GeometryNodeCurvePrimitiveCircle", "GeometryNodeSetMaterial"))
    circle.inputs["Resolution"].default_value = 4
    circle.inputs["Radius"].default_value = radius
    dress.inputs["Material"].default_value = material()
    made.links.new(enter.outputs[0], curves.inputs["Mesh"])
    made.links.new(curves.outputs["Curve"], tubes.inputs["Curve"])
    made.links.new(modifier.enabled(circle.outputs, "Curve"), tubes.inputs["Profile Curve"])
    made.links.new(tubes.outputs["Mesh"], dress.inputs["Geometry"])
    made.links.new(dress.outputs["Geometry"], leave.inputs[0])
    return made


def shown_of(armature):
    """The objects that show what is inside of an armature's body."""
    return [one for one in bpy.data.objects if SHOWS in one and one.get(OWNER) == armature.supple.uid]


def make(context, armature, what, drawing, size):
    home = bpy.data.collections.get(COLLECTION)
    if home is None:
        home = bpy.data.collections.new(COLLECTION)
        context.scene.collection.children.link(home)
    label = next(label for key, label, _ in THINGS if key == what)
    mesh = make_mesh(f"{armature.name} {label}", drawing)
    mesh.materials.append(material())
    made = bpy.data.objects.new(mesh.name, mesh)
    made.matrix_world = Matrix(np.linalg.inv(scenes.UP).tolist())
    made[SHOWS], made[OWNER] = what, armature.supple.uid
    home.objects.link(made)
    if not len(mesh.polygons):
        made.modifiers.new("Supple wires", "NODES").node_group = wires(8e-4 * size)
    move(made, drawing)
    return made


def move(object_, drawing):
    """Puts the points where they are drawn now. False: something else is drawn than the mesh was made of."""
    mesh = object_.data
    corners, colors, _ = points_and_faces(drawing)
    first = np.array(mesh.get("supple_corners", ()), np.int64)
    if len(first) != len(mesh.vertices) or len(first) == 0 or first.max() >= len(corners) or mesh.is_editmode:
        return False
    mesh.vertices.foreach_set("co", corners[first].reshape(-1))
    if COLOR in mesh.attributes:
        mesh.attributes[COLOR].data.foreach_set("color", colors[first].reshape(-1))
    mesh.update()
    return True


def follow(armature, found):
    """Moves what is shown of a body to where it is; called at each frame, after its flesh."""
    shown = shown_of(armature) if found.inside else []
    found.inside = bool(shown)
    for object_ in shown:
        if not (object_.hide_viewport and object_.hide_render):
            move(object_, found.body.draw(object_[SHOWS]))


def remove(armature):
    for object_ in shown_of(armature):
        mesh = object_.data
        groups = [one.node_group for one in object_.modifiers if one.type == "NODES" and one.node_group is not None]
        bpy.data.objects.remove(object_)
        bpy.data.meshes.remove(mesh)
        for group in groups:
            bpy.data.node_groups.remove(group)
    home = bpy.data.collections.get(COLLECTION)
    if home is not None and not home.all_objects:
        bpy.data.collections.remove(home)


def try_on(armature, character, rig):
    """Says what does not fit before anything changes."""
    with live.Progress():
        supple.Model(character, rig, watch=live.Progress.tell)
    set_rig(armature, rig)
    armature.supple.enabled = True


class SUPPLE_OT_add_muscles(Reporting, bpy.types.Operator):
    """Put the muscles of a human beneath the skin, from the skeleton and the shape. They are baked to shape keys or caches"""

    bl_idname, bl_label = "supple.add_muscles", "Add Muscles"

    def work(self, context):
        armature = scenes.selected_armature(context)
        with fitted(armature):
            character = character_for(armature, context.scene)
            rig = supple.add_muscles(json.loads(armature.supple.rig or "{}"), character)
            try_on(armature, character, rig)
        live.refresh(armature, context)
        self.report({"INFO"}, f"{len(rig['muscles'])} muscles")


class SUPPLE_OT_add_fat(Reporting, bpy.types.Operator):
    """Fat in place of the regions: a soft solid between the skin and the bones, or the muscles where there are some"""

    bl_idname, bl_label = "supple.add_fat", "Fat in Place of Regions"

    def work(self, context):
        armature = scenes.selected_armature(context)
        with fitted(armature):
            character = character_for(armature, context.scene)
            rig = json.loads(armature.supple.rig or "{}")
            rig["elements"] = []
            try_on(armature, character, supple.add_fat(rig, character))
        live.refresh(armature, context)


class SUPPLE_OT_show_anatomy(Reporting, bpy.types.Operator):
    """Make a mesh of what is inside, to look at. It moves with the body"""

    bl_idname, bl_label = "supple.show_anatomy", "Show as Mesh"
    what: bpy.props.EnumProperty(name="What", items=THINGS)

    def work(self, context):
        armature = fleshed(context)
        found = live.living_of(armature, context.scene)
        live.refresh(armature, context)
        drawing = found.body.draw(self.what)
        if not len(drawing.triangles) and not len(drawing.lines):
            raise scenes.Trouble(f'The rig of "{armature.name}" has no {self.what}: add muscles or fat first.')
        for old in [one for one in shown_of(armature) if one[SHOWS] == self.what]:
            bpy.data.objects.remove(old)
        make(context, armature, self.what, drawing, found.character.size)
        found.inside = True


CLASSES = (SUPPLE_OT_add_muscles, SUPPLE_OT_add_fat, SUPPLE_OT_show_anatomy)


def register():
    live.followers.append(follow)
    for one in CLASSES:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    live.followers.remove(follow)
