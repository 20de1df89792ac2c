"""How the living skin gets into Blender: an attribute of the mesh, and a modifier that adds it.

`supple_offset` holds, for every vertex, living less smooth skin in the mesh's own space. A Geometry Nodes modifier right after
the armature adds it, so that shape keys, modifiers before and after, drivers and renders go on as they did. Nothing of the
artist's own is changed, and the modifier can be switched off like any other.
"""
import bpy
import numpy as np

ATTRIBUTE = "supple_offset"
MODIFIER = "Supple"
TREE = "Supple: add offset"


def tree():
    """The node group, shared by all meshes."""
    found = bpy.data.node_groups.get(TREE)
    if found is not None:
        return found
    made = bpy.data.node_groups.new(TREE, "GeometryNodeTree")
    if hasattr(made, "interface"):  # Blender 4
        made.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        made.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        made.inputs.new("NodeSocketGeometry", "Geometry")
        made.outputs.new("NodeSocketGeometry", "Geometry")
    enter, leave = made.nodes.new("NodeGroupInput"), made.nodes.new("NodeGroupOutput")
    attribute, move = made.nodes.new("GeometryNodeInputNamedAttribute"), made.nodes.new("GeometryNodeSetPosition")
    attribute.data_type = "FLOAT_VECTOR"
    attribute.inputs["Name"].default_value = ATTRIBUTE
    enter.location, attribute.location, move.location, leave.location = (-400, 100), (-400, -100), (-150, 0), (100, 0)
    made.links.new(enter.outputs[0], move.inputs["Geometry"])
    vector = next(one for one in attribute.outputs if one.enabled and one.name == "Attribute")
    made.links.new(vector, move.inputs["Offset"])
    made.links.new(move.outputs["Geometry"], leave.inputs[0])
    return made


def find(object_):
    """The modifier of a mesh, or None."""
    return next((one for one in object_.modifiers
                 if one.type == "NODES" and one.node_group is not None and one.node_group.name.startswith(TREE)), None)


def move_modifier(object_, name, index):
    if hasattr(object_.modifiers, "move"):
        object_.modifiers.move(object_.modifiers.find(name), index)
        return
    with bpy.context.temp_override(object=object_, active_object=object_, selected_objects=[object_]):
        bpy.ops.object.modifier_move_to_index(modifier=name, index=index)


def add(object_, armature_modifier):
    """Puts the modifier right after the armature's."""
    made = find(object_)
    if made is None:
        made = object_.modifiers.new(MODIFIER, "NODES")
        made.node_group = tree()
    after = object_.modifiers.find(armature_modifier.name)
    at = object_.modifiers.find(made.name)
    want = after + 1 if at > after else after
    if at != want:
        move_modifier(object_, made.name, want)
    write(object_, np.zeros(3 * len(object_.data.vertices), np.float32))


def remove(object_):
    made = find(object_)
    if made is not None:
        object_.modifiers.remove(made)
    attribute = object_.data.attributes.get(ATTRIBUTE)
    if attribute is not None:
        object_.data.attributes.remove(attribute)


def write(object_, flat):
    """Writes offsets, three floats a vertex."""
    data = object_.data
    attribute = data.attributes.get(ATTRIBUTE)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != "FLOAT_VECTOR":
        if attribute is not None:
            data.attributes.remove(attribute)
        attribute = data.attributes.new(ATTRIBUTE, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", flat)
    data.update_tag()


def read(object_):
    attribute = object_.data.attributes.get(ATTRIBUTE)
    if attribute is None:
        return None
    out = np.empty(3 * len(object_.data.vertices), np.float32)
    attribute.data.foreach_get("vector", out)
    return out
