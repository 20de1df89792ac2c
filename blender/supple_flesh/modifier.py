"""How the living skin gets into Blender: an attribute of the mesh, and a modifier that adds it.

`supple_offset` holds, for every vertex, living less smooth skin in the mesh's own space. A Geometry Nodes modifier right after
the armature adds it, so that shape keys, modifiers before and after, drivers and renders go on as they did. Nothing of the
artist's own is changed, and the modifier can be switched off like any other.
"""
import bpy
import numpy as np

from . import scene as scenes

ATTRIBUTE = "supple_offset"
MODIFIER = "Supple"
TREE = "Supple: add offset"


def new_tree(name):
    made = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(made, "interface"):  # Blender 4
        made.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        made.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        made.inputs.new("NodeSocketGeometry", "Geometry")
        made.outputs.new("NodeSocketGeometry", "Geometry")
    return made


def enabled(sockets, name):
    """Nodes have one socket for each type of data, and one of them in use."""
    return next(one for one in sockets if one.enabled and one.name == name)


def tree():
    """The node group, shared by all meshes."""
    found = bpy.data.node_groups.get(TREE)
    if found is not None:
        return found
    made = new_tree(TREE)
    enter, leave = made.nodes.new("NodeGroupInput"), made.nodes.new("NodeGroupOutput")
    attribute, move = made.nodes.new("GeometryNodeInputNamedAttribute"), made.nodes.new("GeometryNodeSetPosition")
    attribute.data_type = "FLOAT_VECTOR"
    attribute.inputs["Name"].default_value = ATTRIBUTE
    enter.location, attribute.location, move.location, leave.location = (-400, 100), (-400, -100), (-150, 0), (100, 0)
    made.links.new(enter.outputs[0], move.inputs["Geometry"])
    made.links.new(enabled(attribute.outputs, "Attribute"), move.inputs["Offset"])
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


def place(object_, made, want):
    if object_.modifiers.find(made.name) != want:
        move_modifier(object_, made.name, want)


def add(object_, armature):
    """Puts the modifier right after the armature's, and one that carries offsets along after those that mirror the mesh."""
    carry(object_, armature)
    made = find(object_)
    if made is None:
        made = object_.modifiers.new(MODIFIER, "NODES")
        made.node_group = tree()
    after = object_.modifiers.find(scenes.armature_modifier(object_, armature).name)
    place(object_, made, after + 1 if object_.modifiers.find(made.name) > after else after)
    with scenes.mesh_to_read(object_) as data:
        count = len(data.vertices)
    write(object_, np.zeros(3 * count, np.float32))


def remove(object_, is_copy=False):
    """Takes it off again. A copy shares the node group and the carrier with its source."""
    for made in [find(object_), carrying(object_)]:
        if made is not None:
            group, carrier = made.node_group, None if is_copy else carrier_of(made)
            object_.modifiers.remove(made)
            if carrier is not None:
                bpy.data.node_groups.remove(group)
                bpy.data.meshes.remove(carrier.data)
    attribute = object_.data.attributes.get(ATTRIBUTE)
    if attribute is not None:
        object_.data.attributes.remove(attribute)


def write(object_, flat):
    """Writes offsets, three floats a vertex. False: the mesh has got another number of vertices."""
    made = carrying(object_)
    data = object_.data if made is None else carrier_of(made).data
    if 3 * len(data.vertices) != len(flat):
        return False
    attribute = data.attributes.get(ATTRIBUTE)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != "FLOAT_VECTOR":
        if attribute is not None:
            data.attributes.remove(attribute)
        attribute = data.attributes.new(ATTRIBUTE, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", flat)
    data.update_tag()
    return True


def read(object_):
    made = carrying(object_)
    data = object_.data if made is None else carrier_of(made).data
    attribute = data.attributes.get(ATTRIBUTE)
    if attribute is None:
        return None
    out = np.empty(3 * len(data.vertices), np.float32)
    attribute.data.foreach_get("vector", out)
    return out


# ----------------------------------------------------------------------------------------------------------------
# Meshes that a modifier mirrors before the armature: both halves have flesh of their own. Offsets stand on the points of a
# carrier, a mesh that nobody sees with as many points as the mirrored mesh, and are fetched by index after the mirror.

def carry(object_, armature):
    """Makes the carrier and the modifier that fetches from it, anew where they do not fit; takes them away where nothing mirrors."""
    old = carrying(object_)
    if old is not None:
        group, carrier = old.node_group, carrier_of(old)
        object_.modifiers.remove(old)
        if group.users == 0:
            bpy.data.node_groups.remove(group)
            bpy.data.meshes.remove(carrier.data)
    last = scenes.last_mirror(object_, armature)
    if last < 0:
        return
    with scenes.mesh_to_read(object_, last) as data:
        count = len(data.vertices)
    mesh = bpy.data.meshes.new(f"supple:{object_.name}")
    mesh.from_pydata([(0.0, 0.0, 0.0)] * count, [], [])
    made = object_.modifiers.new("Supple carry", "NODES")
    made.node_group = carry_tree(bpy.data.objects.new(mesh.name, mesh))
    place(object_, made, last + 1)


def own_carriers(armature):
    """For a duplicate, whose modifiers fetch from the carriers of its original."""
    with_carrier = [one for one in scenes.meshes_of(armature) if carrying(one) is not None]
    for object_ in with_carrier:
        carry(object_, armature)


def carry_tree(carrier):
    made = new_tree(scenes.CARRY)
    enter, leave, store = (made.nodes.new(f"{kind}") for kind in ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeStoreNamedAttribute"))
    holder, fetch = made.nodes.new("GeometryNodeObjectInfo"), made.nodes.new("GeometryNodeSampleIndex")
    value, index = made.nodes.new("GeometryNodeInputNamedAttribute"), made.nodes.new("GeometryNodeInputIndex")
    holder.name = "Carrier"
    holder.inputs["Object"].default_value = carrier
    value.data_type = fetch.data_type = store.data_type = "FLOAT_VECTOR"
    value.inputs["Name"].default_value = store.inputs["Name"].default_value = ATTRIBUTE
    made.links.new(enter.outputs[0], store.inputs["Geometry"])
    made.links.new(holder.outputs["Geometry"], fetch.inputs["Geometry"])
    made.links.new(enabled(value.outputs, "Attribute"), enabled(fetch.inputs, "Value"))
    made.links.new(index.outputs[0], fetch.inputs["Index"])
    made.links.new(enabled(fetch.outputs, "Value"), enabled(store.inputs, "Value"))
    made.links.new(store.outputs["Geometry"], leave.inputs[0])
    return made


def carrying(object_):
    """The modifier that carries offsets past mirrors, or None."""
    at = scenes.following(object_)
    return object_.modifiers[at] if at >= 0 and carrier_of(object_.modifiers[at]) is not None else None


def carrier_of(made):
    holder = made.node_group.nodes.get("Carrier")
    return None if holder is None else holder.inputs["Object"].default_value
