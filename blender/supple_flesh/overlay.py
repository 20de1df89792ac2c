"""Elements, springs and limits, drawn over the body."""
import bpy
import numpy as np

from . import live
from .scene import UP

_handle = None
DOWN = np.linalg.inv(UP)[:3, :3]


def lines(armature):
    """What is drawn, in Blender's world: [(from, to, colour)]. Bones of elements, their springs, and in red those that the limit
    holds back."""
    found = live.bodies.get(armature.supple.uid)
    if found is None or found.frame is None:
        return []
    out = []
    for number, element in enumerate(found.model.elements):
        state = found.body.element(number)
        anchor = np.array(state.anchor)
        shift = np.array(state.elongation)
        color = (1.0, 0.2, 0.1, 1.0) if state.limited else (0.1, 0.8, 0.3, 1.0)
        out.append((DOWN @ anchor, DOWN @ (anchor + shift), color))
        for axis in np.eye(3) * element.thickness:
            out.append((DOWN @ (anchor - axis / 2), DOWN @ (anchor + axis / 2), (0.3, 0.5, 1.0, 0.4)))
    return out


def draw():
    import gpu
    from gpu_extras.batch import batch_for_shader
    shader = gpu.shader.from_builtin("3D_FLAT_COLOR" if bpy.app.version < (4, 0, 0) else "FLAT_COLOR")
    for armature in live.with_flesh(bpy.context.scene):
        drawn = lines(armature) if armature.supple.overlay else []
        if drawn:
            places = [tuple(place) for start, end, _ in drawn for place in (start, end)]
            colors = [color for _, _, color in drawn for _ in range(2)]
            gpu.state.blend_set("ALPHA")
            gpu.state.line_width_set(2.0)
            batch_for_shader(shader, "LINES", {"pos": places, "color": colors}).draw(shader)
            gpu.state.blend_set("NONE")


def register():
    global _handle
    if not bpy.app.background:
        _handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister():
    global _handle
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None
