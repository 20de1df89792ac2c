"""What moves: for every armature with flesh a model, a body and a take, and the handlers that show them at each frame.

At a frame that the action covers, the flesh is that of the take: the same whether the frame is played, scrubbed to, or rendered
alone. Without an action the body is stepped from frame to frame.
"""
import json
import time
import uuid

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import modifier, scene as scenes
from .vendor import supple

bodies = {}  # uid of the armature: Living
quiet = 0    # above 0: the add-on itself changes frames or data, and looks away
last_share = 0.0  # seconds of the processor that the last frame change took here, without what was made anew


class Quiet:
    def __enter__(self):
        global quiet
        quiet += 1

    def __exit__(self, *_):
        global quiet
        quiet -= 1


class Living:
    """One armature's flesh. It holds no reference to Blender's data, which undo may replace at any time."""

    def __init__(self, armature, scene):
        self.character = self.model = self.body = self.take = None
        self.meshes = []      # (name, first vertex, end)
        self.key = None       # what the take was made of
        self.dirty = True
        self.frame = None
        self.build(armature, scene)

    def build(self, armature, scene):
        """The character with the action as its clip, the model, and the take."""
        rig = json.loads(armature.supple.rig)
        start, end = frame_range(armature, scene)
        poses, times = sample(armature, scene, start, end) if has_animation(armature) else (None, None)
        self.character = scenes.make_character(armature, poses, times, action_name(armature))
        self.model = supple.Model(self.character, painted(rig, armature, self.character))
        self.body = self.model.body()
        self.take = supple.Take(self.model, 0, loop=armature.supple.loop.lower()) if poses is not None else None
        self.start, self.end, self.fps = start, end, frames_a_second(scene)
        first, self.meshes = 0, []
        for one in scenes.meshes_of(armature):
            self.meshes.append((one.name, first, first + len(one.data.vertices)))
            first += len(one.data.vertices)
        self.living, self.smooth = np.empty((2, self.character.vertex_count, 3), np.float32)
        self.frame, self.dirty = None, False

    def place(self, armature, frame):
        """Puts the body where it is at a frame, for an evaluated armature."""
        joints = scenes.pose_matrices(armature)
        if self.take is not None:
            self.take.show(min(max((frame - self.start) / self.fps, 0.0), (self.end - self.start) / self.fps), self.body, joints)
        elif self.frame is not None and 0 < frame - self.frame <= 10:
            self.body.step(joints, (frame - self.frame) / self.fps)
        elif self.frame is None or frame != self.frame:
            self.body.reset()
            self.body.step(joints, 0.0)
        self.frame = frame

    def offsets(self):
        """Living less smooth skin of all vertices, in the library's world."""
        self.body.skin(self.living, None)
        self.body.smooth_skin(self.smooth, None)
        return self.living - self.smooth

    def show(self, armature, frame):
        self.place(armature, frame)
        moved = self.offsets()
        for name, first, end in self.meshes:
            object_ = bpy.data.objects.get(name)
            if object_ is None or len(object_.data.vertices) != end - first:
                self.dirty = True
                continue
            local = moved[first:end] @ scenes.local_offsets(object_).T.astype(np.float32)
            modifier.write(object_, np.ascontiguousarray(local, np.float32).reshape(-1))


# ----------------------------------------------------------------------------------------------------------------
# What the scene says

def frames_a_second(scene):
    return scene.render.fps / scene.render.fps_base


def has_animation(armature):
    data = armature.animation_data
    return data is not None and (data.action is not None or any(track.strips and not track.mute for track in data.nla_tracks))


def action_name(armature):
    data = armature.animation_data
    return data.action.name if data is not None and data.action is not None else "animation"


def frame_range(armature, scene):
    """The frames of the action; those of the scene where there is none (but strips), or where the user says so."""
    data = armature.animation_data
    if armature.supple.use_scene_range or data is None or data.action is None:
        return float(scene.frame_start), float(max(scene.frame_end, scene.frame_start + 1))
    start, end = data.action.frame_range
    return float(start), float(max(end, start + 1))


def sample(armature, scene, start, end):
    """The pose at every frame, constraints and drivers included. Meshes are left out meanwhile, since they are slow."""
    frames = np.arange(int(np.floor(start)), int(np.ceil(end)) + 1)
    frames = np.unique(np.clip(frames.astype(float), start, end))
    hidden = [(one, mod) for one in scenes.meshes_of(armature) for mod in one.modifiers if mod.show_viewport]
    before, poses = scene.frame_current_final, []
    with Quiet():
        for _, mod in hidden:
            mod.show_viewport = False
        try:
            for frame in frames:
                scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
                graph = bpy.context.evaluated_depsgraph_get()
                poses.append(scenes.pose_matrices(armature.evaluated_get(graph)))
        finally:
            for _, mod in hidden:
                mod.show_viewport = True
            scene.frame_set(int(np.floor(before)), subframe=float(before - np.floor(before)))
    return poses, (frames - start) / frames_a_second(scene)


def painted(rig, armature, character):
    """The rig with the vertex groups "supple:ELEMENT" as what belongs to their elements."""
    rig = json.loads(json.dumps(rig))
    meshes = scenes.meshes_of(armature)
    for element in rig.get("elements", []):
        group_name = group_of(element)
        found = []
        for object_ in meshes:
            group = object_.vertex_groups.get(group_name)
            if group is not None:
                listed = [(vertex.index, min(max(one.weight, 0.0), 1.0)) for vertex in object_.data.vertices
                          for one in vertex.groups if one.group == group.index and one.weight > 0]
                if listed:
                    found.append({"mesh": object_.name, "vertices": [i for i, _ in listed], "values": [w for _, w in listed]})
        if found:
            paint(element, character, found)
    return rig


def paint(element, character, meshes):
    """Lets painted values alone say what belongs to an element: all that the rig would choose by is taken out."""
    for field in ("facing", "spread", "spheres", "skipMeshes", "skipMaterials", "skipRigid", "rigidMargin"):
        element.pop(field, None)
    element["joints"] = [joint.name for joint in character.joints if joint.is_skin_joint]
    element["paint"] = {"fingerprint": f"0x{character.fingerprint:016x}", "meshes": meshes}


def group_of(element):
    return ("supple:" + (element.get("name") or element["driver"]))[:63]


# ----------------------------------------------------------------------------------------------------------------
# Handlers

def living_of(armature, scene):
    """The flesh of an armature, made (again) where it has to be."""
    settings = armature.supple
    if not settings.uid:
        settings.uid = uuid.uuid4().hex
    found = bodies.get(settings.uid)
    if found is None:
        found = bodies[settings.uid] = Living(armature, scene)
    elif found.dirty:
        found.build(armature, scene)
    return found


def with_flesh(scene):
    return [one for one in scene.objects if one.type == "ARMATURE" and one.supple.enabled and one.supple.rig]


def refresh(armature, context=None):
    """Shows an armature's flesh as it is at the frame that is current."""
    context = context or bpy.context
    graph = context.evaluated_depsgraph_get()
    found = living_of(armature, context.scene)
    with Quiet():
        found.show(armature.evaluated_get(context.evaluated_depsgraph_get() if graph is None else graph),
                   context.scene.frame_current_final)


@persistent
def on_frame(scene, graph=None):
    global last_share
    if quiet:
        return
    start = time.thread_time()
    made = 0.0
    for armature in with_flesh(scene):
        graph = graph or bpy.context.evaluated_depsgraph_get()
        try:
            found = bodies.get(armature.supple.uid)
            if found is None or found.dirty:
                before = time.thread_time()
                found = living_of(armature, scene)
                made += time.thread_time() - before
            with Quiet():
                found.show(armature.evaluated_get(graph), scene.frame_current_final)
            armature.supple.message = ""
        except (scenes.Trouble, supple.SuppleError) as error:
            armature.supple.message = str(error)
    last_share = time.thread_time() - start - made


@persistent
def on_update(scene, graph):
    """An action that changes makes the take old."""
    if quiet:
        return
    changed = {update.id.original for update in graph.updates if isinstance(update.id, (bpy.types.Action, bpy.types.Armature))}
    if not changed:
        return
    for armature in with_flesh(scene):
        data = armature.animation_data
        found = bodies.get(armature.supple.uid)
        if found is not None and (armature.data in changed or data is not None and data.action in changed):
            found.dirty = True


@persistent
def on_load(*_):
    bodies.clear()


@persistent
def on_undo(scene, *_):
    """What undo brought back may differ from what the bodies were made of."""
    for found in bodies.values():
        found.dirty = True
    for uid in set(bodies) - {one.supple.uid for one in bpy.data.objects if one.type == "ARMATURE"}:
        del bodies[uid]


HANDLERS = (("frame_change_post", on_frame), ("depsgraph_update_post", on_update), ("load_post", on_load), ("undo_post", on_undo),
            ("redo_post", on_undo))


def register():
    for name, function in HANDLERS:
        getattr(bpy.app.handlers, name).append(function)


def unregister():
    for name, function in HANDLERS:
        listed = getattr(bpy.app.handlers, name)
        if function in listed:
            listed.remove(function)
    bodies.clear()
