"""Elements, springs and limits, drawn over the body: the library's own lines, and a circle for how far each spring may go."""
import bpy
import numpy as np

from . import live
from .scene import UP

_handle = None
DOWN = np.linalg.inv(UP)[:3, :3]
FREE, HELD = (0.6, 0.6, 0.6, 0.7), (1.0, 0.15, 0.1, 1.0)
AROUND = np.linspace(0, 2 * np.pi, 25)


def springs(found):
    """What the library draws of a body's springs: ends of lines, (2 n, 3), and their colours."""
    drawing = found.body.draw("springs")
    return drawing.lines.reshape(-1, 3), np.repeat(drawing.line_colors, 2, 0), drawing.points.reshape(-1, 2, 3)


def limits(found, ends):
    """Where each spring stands and how far it may go, and whether the limit holds it back. `ends`: of the springs."""
    out = []
    for number, (element, (rest, now)) in enumerate(zip(found.model.elements, ends)):
        limit = element.thickness * found.body.field("elements", number, "limitScale")
        out.append((rest, limit, float(np.linalg.norm(now - rest)) > 0.5 * limit))
    return out


def lines(armature, facing=np.eye(3)):
    """What is drawn, in Blender's world: ends of lines, (2 n, 3), and their colours. `facing`: the axes of the view."""
    found = live.bodies.get(armature.supple.uid)
    if found is None or found.frame is None:
        return np.empty((0, 3)), np.empty((0, 4))
    places, colors, ends = springs(found)
    places, colors = [places @ DOWN.T], [colors]
    for rest, limit, held in limits(found, ends):
        circle = DOWN @ rest + limit * (np.cos(AROUND)[:, None] * facing[0] + np.sin(AROUND)[:, None] * facing[1])
        places.append(np.stack([circle[:-1], circle[1:]], 1).reshape(-1, 3))
        colors.append(np.tile(HELD if held else FREE, (len(places[-1]), 1)))
    return np.concatenate(places), np.concatenate(colors)


def draw():
    import gpu
    from gpu_extras.batch import batch_for_shader
    shader = gpu.shader.from_builtin("3D_FLAT_COLOR" if bpy.app.version < (4, 0, 0) else "FLAT_COLOR")
    facing = np.array(bpy.context.region_data.view_matrix)[:3, :3]
    for armature in live.with_flesh(bpy.context.scene):
        if not armature.supple.overlay:
            continue
        places, colors = lines(armature, facing)
        if len(places):
            gpu.state.blend_set("ALPHA")
            gpu.state.depth_test_set("NONE")  # over the body
            gpu.state.line_width_set(2.0)
            content = {"pos": places.astype(np.float32), "color": colors.astype(np.float32)}
            batch_for_shader(shader, "LINES", content).draw(shader)
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
