"""What moves an armature: its own keys, and others by parents, constraints and drivers, such as a control rig."""
import bpy


def has_keys(owner):
    """Whether an action or strips move an object."""
    data = owner.animation_data
    return data is not None and (data.action is not None or any(track.strips and not track.mute for track in data.nla_tracks))


def constraints_of(owner):
    bones = owner.pose.bones if owner.type == "ARMATURE" and owner.pose is not None else []
    return [one for held in (owner, *bones) for one in held.constraints if not one.mute]


def targets_of(constraint):
    """The objects that a constraint looks at. An armature constraint has several."""
    listed = [one.target for one in getattr(constraint, "targets", ())]
    return [one for one in [getattr(constraint, "target", None), *listed] if one is not None]


def drivers_of(owner):
    return [] if owner.animation_data is None else [one.driver for one in owner.animation_data.drivers]


def others(owner):
    """All objects that may move this one, and what may move those in turn."""
    found, ahead = set(), [owner]
    while ahead:
        one = ahead.pop()
        seen = [one.parent] + [target for held in constraints_of(one) for target in targets_of(held)]
        seen += [target.id for driver in drivers_of(one) for variable in driver.variables for target in variable.targets]
        for other in seen:
            if other is not None and isinstance(other, bpy.types.Object) and other != owner and other not in found:
                found.add(other)
                ahead.append(other)
    return found


def may_move(armature):
    """Whether there may be motion. Only a look at the poses tells whether what comes from others changes them."""
    return has_keys(armature) or bool(drivers_of(armature)) or bool(others(armature))


def actions_of(armature):
    """The actions whose change is a change of the armature's motion."""
    owners = [one.animation_data for one in (armature, *others(armature))]
    return {data.action for data in owners if data is not None and data.action is not None}
