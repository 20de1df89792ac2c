"""Actions of all versions: before Blender 4.4 an action has one row of curves, since then one for each slot."""


def slot_of(data):
    """The slot of an action that an owner's animation data use, or None where there are no slots."""
    return getattr(data, "action_slot", None) if data is not None else None


def name(data):
    """What tells one slot from another."""
    slot = slot_of(data)
    return None if slot is None else slot.identifier


def bag_of(action, slot):
    """The curves of a slot, or None."""
    for layer in action.layers:
        for strip in layer.strips:
            found = strip.channelbag(slot)
            if found is not None:
                return found
    return None


def frame_range(data):
    """First and last frame of the keys that move an owner: those of its slot, or what the user has set for the action."""
    action, slot = data.action, slot_of(data)
    bag = None if slot is None or action.use_frame_range else bag_of(action, slot)
    frames = [at for curve in bag.fcurves for at in curve.range()] if bag is not None else []
    return (min(frames), max(frames)) if frames else tuple(action.frame_range)


def curves_of(owner, action):
    """Puts an action onto an object or shape keys, and gives the list of its curves for it; makes a slot where none fits."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = data.action_slot or next((one for one in action.slots if one.target_id_type == owner.id_type), None)
    if slot is None:
        slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    data.action_slot = slot
    layer = action.layers[0] if len(action.layers) else action.layers.new("Layer")
    strip = layer.strips[0] if len(layer.strips) else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves
