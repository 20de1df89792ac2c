# In a window of Blender: what only happens there. usage: see blender_window.py
import os
import sys
import time
import traceback

import bpy
import numpy as np

if "bool" not in np.__dict__:  # Blender 3.4's glTF importer wants numpy's old names
    np.bool = bool
folder, assets, picture = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, folder)
import supple_flesh  # noqa: E402

supple_flesh.register()
from supple_flesh import bakes, live, overlay, scene as scenes  # noqa: E402

bpy.context.preferences.view.show_splash = False
window = bpy.context.window_manager.windows[0]
FOX = os.path.join(assets, "khronos_fox/glTF-Binary/Fox.glb")


bars = []  # what the bar has shown
show = bakes.Baking.show
bakes.Baking.show = lambda self, context, share: (bars.append(share), show(self, context, share))


def say(*words):
    print("window:", *words, flush=True)


def view():
    area = next(one for one in window.screen.areas if one.type == "VIEW_3D")
    return {"window": window, "area": area, "region": next(one for one in area.regions if one.type == "WINDOW")}


def key(name, **more):
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=400, y=500)
    window.event_simulate(type=name, value="PRESS", **more)
    window.event_simulate(type=name, value="RELEASE", **more)


def counts():
    return [len(one) for one in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions, bpy.data.collections)]


def share():
    return bpy.context.window_manager.supple_progress


def until(condition, what, seconds=120):
    """Waits for something; a generator, so that Blender goes on meanwhile."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        yield 0.1


def armature():
    return next(one for one in bpy.data.objects if one.type == "ARMATURE" and scenes.BAKED not in one)


def start():
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.import_scene.gltf(filepath=FOX)
    one = armature()
    one.animation_data.action = next(action for action in bpy.data.actions if "run" in action.name.lower())
    bpy.context.scene.render.fps = 30
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 0, 34
    bpy.context.view_layer.objects.active = one
    bpy.ops.supple.add_flesh()
    one.supple.overlay = True
    bpy.context.scene.frame_set(7)
    space = bpy.context.space_data
    space.show_region_ui, space.clip_end = True, 5000
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.view3d.view_selected()
    bpy.ops.object.select_all(action="DESELECT")
    one.select_set(True)
    bpy.ops.ed.undo_push(message="loaded")


def steps():
    with bpy.context.temp_override(**view()):
        start()
    yield 1.0
    drawn = []
    handle = bpy.types.SpaceView3D.draw_handler_add(lambda: drawn.append(overlay.draw()), (), "WINDOW", "POST_VIEW")
    view()["area"].tag_redraw()
    yield from until(lambda: drawn, "the overlay", 20)
    bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    if picture != "-":
        yield from take_picture()
    before = counts()
    with bpy.context.temp_override(**view()):  # so fine a tolerance takes long
        assert bpy.ops.supple.bake_shape_keys("INVOKE_DEFAULT", tolerance=1e-5) == {"RUNNING_MODAL"}
    yield from until(lambda: share() > 0, "the bar")
    say("Esc at", round(share()), "%")
    key("ESC")
    yield from until(lambda: share() == 0, "Esc", 20)
    yield 0.5
    assert counts() == before, "a bake that was stopped has left something"
    with bpy.context.temp_override(**view()):
        assert bpy.ops.supple.bake_bones("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    bars.clear()
    yield from until(lambda: counts() != before and share() == 0, "a bake", 240)
    assert bars[-1] == 0 and bars[:-1] == sorted(bars[:-1]) and len(set(bars)) > 3 and max(bars) > 50, bars
    yield 0.5
    key("Z", ctrl=True)
    yield from until(lambda: counts() == before, "undo", 20)
    say("one Ctrl+Z takes a bake back")
    with bpy.context.temp_override(**view()):
        bpy.ops.screen.animation_play()
    at = bpy.context.scene.frame_current
    yield from until(lambda: bpy.context.scene.frame_current != at, "play", 60)
    with bpy.context.temp_override(**view()):
        bpy.ops.screen.animation_cancel()
    found, one = live.bodies[armature().supple.uid], armature()
    assert not one.supple.message and np.abs(found.living - found.smooth).max() > 0.1
    say("all passed")


def take_picture():
    """Clicks on the panel's tab, and keeps what the window shows."""
    window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=1143, y=753)
    yield 0.5
    for value in ("PRESS", "RELEASE"):
        window.event_simulate(type="LEFTMOUSE", value=value, x=1143, y=753)
    yield 2.0
    with bpy.context.temp_override(**view()):
        bpy.ops.screen.screenshot(filepath=picture)
    yield 1.0


work = steps()


def tick():
    try:
        return next(work)
    except StopIteration:
        pass
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        say("failed")
    os._exit(0)  # a window would ask whether to save


bpy.app.timers.register(tick, first_interval=1.0)
