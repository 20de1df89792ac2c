"""What moves: for every armature with flesh a model, a body and a take, and the handlers that show them at each frame.

The flesh at a frame is that of the take: the same whether the frame is played, scrubbed to, or rendered alone. An action that
goes on in cycles is one loop; one that ends before the scene does goes on until the scene's end, so that flesh comes to rest.
Parents, constraints and drivers count as the action does. Where nothing moves the armature over time, the body is stepped
from frame to frame.
"""
import json
import time
import uuid
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import modifier, movers, scene as scenes, slots
from .vendor import supple

bodies = {}  # uid of the armature: Living
quiet = 0    # above 0: the add-on itself changes frames or data, and looks away
followers = []  # what else moves with a body: called with its armature and the Living
last_share = 0.0  # seconds of the processor that the last frame change took here, without what was made anew


EDITING = {"EDIT_MESH", "EDIT_ARMATURE", "PAINT_WEIGHT", "SCULPT"}


class Quiet:
    def __enter__(self):
        global quiet
        quiet += 1

    def __exit__(self, *_):
        global quiet
        quiet -= 1


class Progress:
    """Blender's progress at the cursor, while flesh is made. Bakes have their own."""

    depth = 0

    def __enter__(self):
        if Progress.depth == 0:
            bpy.context.window_manager.progress_begin(0, 100)
        Progress.depth += 1

    def __exit__(self, *_):
        Progress.depth -= 1
        if Progress.depth == 0:
            bpy.context.window_manager.progress_end()

    @staticmethod
    def tell(stage, done):
        if Progress.depth:
            bpy.context.window_manager.progress_update(100 * done)


ALL, RIG = "all", "rig"  # what is old: everything, or the rig alone


class Living:
    """One armature's flesh. It holds no reference to Blender's data, which undo may replace at any time."""

    def __init__(self):
        self.character = self.model = self.body = self.take = None
        self.meshes = []    # (name, first vertex, end)
        self.to_local = []  # for each of them, as it was modelled: what turns displacements into its own space
        self.key = None     # what the take was made of, as far as it can be asked in every frame
        self.dirty = ALL    # ALL, RIG, or nothing
        self.frame = None
        self.inside = False  # there may be meshes that show what is inside

    def build(self, armature, scene):
        """The character with the action as its clips, the model, and the take."""
        settings = armature.supple
        with Progress():
            if self.character is None or self.dirty != RIG:
                self.record(armature, scene)
            rig = painted(json.loads(settings.rig), armature, self.character)
            self.model = supple.Model(self.character, rig, watch=Progress.tell)
            self.body, self.take = self.model.body(), None
            if self.moves:
                self.take = supple.Take(self.model, 0, loop=settings.loop.lower(), watch=Progress.tell)
            self.wraps = self.cycles and self.take.info.loops
            self.last = self.end
            if self.goes_on and not self.take.info.loops:
                self.take, self.last = supple.Take(self.model, 1, loop="off", watch=Progress.tell), self.goes_on
        self.living, self.smooth = np.empty((2, self.character.vertex_count, 3), np.float32)
        self.frame, self.dirty, self.key = None, False, key_of(armature, scene)

    def record(self, armature, scene):
        """The character, with the poses of all frames."""
        self.start, self.end = start, end = frame_range(armature, scene)
        self.fps, frames = frames_a_second(scene), frames_between(start, end)
        poses = sample(armature, scene, frames) if movers.may_move(armature) else []
        self.moves = movers.has_keys(armature) or len(poses) > 0 and bool(np.ptp(poses, axis=0).max() > 0)
        self.cycles, self.goes_on, clips = False, None, []
        if self.moves:
            clips = [(action_name(armature), poses, (frames - start) / self.fps)]
            later = scene_range(armature, scene)[1]
            if later > end:
                self.cycles = goes_in_cycles(armature, scene, start, end)
            if later > end and not self.cycles:
                more = frames_between(np.floor(end) + 1, later)
                clips.append(("and on", poses + sample(armature, scene, more), (np.append(frames, more) - start) / self.fps))
                self.goes_on = float(later)
        with at_frame(scene, rest_frame(frames, poses)):
            self.character = scenes.make_character(armature, clips)
            self.to_local = [scenes.local_offsets(scenes.evaluated(one)) for one in scenes.meshes_of(armature)]
        self.inside = True
        first, self.meshes = 0, []
        for one, mesh in zip(scenes.meshes_of(armature), self.character.meshes):
            self.meshes.append((one.name, first, first + len(mesh.positions)))
            first += len(mesh.positions)

    def action_take(self):
        """The take of the action alone, for bakes."""
        return self.take if self.last == self.end else supple.Take(self.model, 0, loop="off")

    def moment(self, frame):
        """The time of the take at a frame."""
        length = self.last - self.start
        past = frame - self.start
        inside = 0.0 <= past <= length
        return (past if inside else past % length if self.wraps else min(max(past, 0.0), length)) / self.fps

    def place(self, armature, frame):
        """Puts the body where it is at a frame, for an evaluated armature."""
        joints = scenes.pose_matrices(armature)
        if self.take is not None:
            self.take.show(self.moment(frame), self.body, joints)
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

    def show(self, armature, frame, graph):
        """What is seen at a frame. `graph` has the objects as they are then: a render has others than the viewport."""
        self.place(armature.evaluated_get(graph), frame)
        moved = self.offsets()
        for name, first, end in self.meshes:
            object_ = bpy.data.objects.get(name)
            if object_ is None:
                self.dirty = ALL
            elif not object_.data.is_editmode:  # Blender holds a mesh that is edited elsewhere
                local = moved[first:end] @ scenes.local_offsets(object_.evaluated_get(graph)).T.astype(np.float32)
                if not modifier.write(object_, np.ascontiguousarray(local, np.float32).reshape(-1)):
                    self.dirty = ALL
                if graph.mode == "RENDER":
                    keep_moving(object_)
        for follow in followers:
            follow(armature, self)


def keep_moving(object_):
    """For a render, which takes an object whose mesh has changed anew from where the viewport has left it: its keys, and those of
    its shapes, are to be looked at again."""
    object_.update_tag(refresh={"OBJECT", "TIME"})
    keys = object_.data.shape_keys
    if keys is not None and keys.animation_data is not None:
        keys.animation_data.action_influence = keys.animation_data.action_influence  # asks for that, and changes nothing


# ----------------------------------------------------------------------------------------------------------------
# What the scene says

def frames_a_second(scene):
    return scene.render.fps / scene.render.fps_base


def action_name(armature):
    data = armature.animation_data
    return data.action.name if data is not None and data.action is not None else "animation"


def scene_range(armature, scene):
    """The scene's frames, as they were when flesh was made: who renders a part of them later sees the same. They grow."""
    kept = armature.supple.scene_frames
    first, last = scene.frame_start, max(scene.frame_end, scene.frame_start + 1)
    if kept[0] < kept[1]:
        first, last = min(first, kept[0]), max(last, kept[1])
    if (first, last) != tuple(kept):
        armature.supple.scene_frames = first, last
    return float(first), float(last)


def frame_range(armature, scene):
    """The frames of the action; those of the scene where there is none (but strips), or where the user says so."""
    data = armature.animation_data
    if armature.supple.use_scene_range or data is None or data.action is None:
        return scene_range(armature, scene)
    start, end = slots.frame_range(data)
    return float(start), float(max(end, start + 1))


def key_of(armature, scene):
    """What a take is made of, as far as a look in every frame can tell. A part of the scene's frames is no change."""
    data, kept = armature.animation_data, armature.supple.scene_frames
    action = None if data is None or data.action is None else (data.action.name, slots.name(data))
    return (action, movers.may_move(armature), frames_a_second(scene), armature.supple.use_scene_range,
            kept[0] < kept[1] and (scene.frame_start < kept[0] or scene.frame_end > kept[1]))


def frames_between(start, end):
    frames = np.arange(int(np.floor(start)), int(np.ceil(end)) + 1)
    return np.unique(np.clip(frames.astype(float), start, end))


def rest_frame(frames, poses):
    """The frame at which a body stands as it was modelled, wherever the scene is: the first at which it is as large as it gets.
    None where nothing may move."""
    if len(poses) == 0:
        return None
    sizes = np.abs(np.linalg.det(np.array([pose[0, :3, :3] for pose in poses])))
    return float(frames[np.argmax(sizes >= 0.999 * sizes.max())])


def goes_in_cycles(armature, scene, start, end):
    """Whether the poses after the end are those after the start, at most somewhere else. Still ones are no cycle."""
    shares = (end - start) * np.array([0.2, 0.5])
    early, late = (np.array(sample(armature, scene, at + shares)) for at in (start, end))
    sizes = np.ones((3, 4)) * np.abs(early[..., :3, :3]).max()
    sizes[:, 3] = max(np.ptp(early[0, :, :3, 3], axis=0).max(), 1e-9)
    change, moved = (late - early)[..., :3, :] / sizes, (late[1] - late[0])[..., :3, :] / sizes
    change[..., 3] -= change[:, :1, :, 3]  # where it is as a whole is free
    return bool(np.abs(moved).max() > 1e-6 and np.abs(change).max() < 1e-3)


def set_frame(scene, frame):
    scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))


@contextmanager
def at_frame(scene, frame):
    """The scene at another frame (None: as it is), while the add-on looks away."""
    before = scene.frame_current_final
    with Quiet():
        if frame is not None:
            set_frame(scene, frame)
        try:
            yield
        finally:
            if frame is not None:
                set_frame(scene, before)


def sample(armature, scene, frames):
    """The pose at every frame, constraints and drivers included. Meshes are left out meanwhile, since they are slow."""
    hidden = [(one, mod) for one in scenes.meshes_of(armature) for mod in one.modifiers if mod.show_viewport]
    before, poses = scene.frame_current_final, []
    with Quiet():
        for _, mod in hidden:
            mod.show_viewport = False
        try:
            for number, frame in enumerate(frames):
                Progress.tell("sampling", number / len(frames))
                set_frame(scene, frame)
                poses.append(scenes.pose_matrices(scenes.evaluated(armature)))
        finally:
            for _, mod in hidden:
                mod.show_viewport = True
            set_frame(scene, before)
    return poses


def painted(rig, armature, character):
    """The rig with the vertex groups "supple:ELEMENT" as what belongs to their elements."""
    rig = json.loads(json.dumps(rig))
    listed = [(one, {group.name: group.index for group in one.vertex_groups}) for one in scenes.meshes_of(armature)]
    for element in rig.get("elements", []):
        group_name = group_of(element)
        groups_of = [weights_in(object_, groups[group_name]) for object_, groups in listed if group_name in groups]
        found = [one for one in groups_of if one["vertices"]]
        if found:
            paint(element, character, found)
        elif groups_of:  # all of it was wiped away, and an element without vertices is an error
            element.update(amount=0.0, sag=0.0)
    return rig


def weights_in(object_, group):
    """The vertices of a group of a mesh, as a rig lists them."""
    with scenes.mesh_to_read(object_) as data:
        pairs = [(vertex.index, min(max(one.weight, 0.0), 1.0)) for vertex in data.vertices
                 for one in vertex.groups if one.group == group and one.weight > 0]
    return {"mesh": object_.name, "vertices": [i for i, _ in pairs], "values": [w for _, w in pairs]}


def paint(element, character, meshes):
    """Lets painted values alone say what belongs to an element: all that the rig would choose by is taken out."""
    for field in ("facing", "spread", "spheres", "skipMeshes", "skipMaterials", "skipRigid", "rigidMargin"):
        element.pop(field, None)
    element["joints"] = [joint.name for joint in character.joints if joint.is_skin_joint]
    element["paint"] = {"fingerprint": f"0x{character.fingerprint:016x}", "meshes": meshes}


def group_of(element):
    return scenes.short("supple:" + (element.get("name") or element["driver"]))


# ----------------------------------------------------------------------------------------------------------------
# Handlers

def living_of(armature, scene):
    """The flesh of an armature, made (again) where it has to be."""
    tell_apart([armature] + [one for one in bpy.data.objects if one.type == "ARMATURE" and one != armature])
    found = bodies.get(armature.supple.uid)
    if found is None or found.character is None:
        found = Living()
        found.build(armature, scene)
        bodies[armature.supple.uid] = found
    elif found.dirty or found.key != key_of(armature, scene):
        found.dirty = RIG if found.dirty == RIG and found.key == key_of(armature, scene) else ALL
        found.build(armature, scene)
    return found


def tell_apart(armatures):
    """Gives marks to those with flesh. A duplicate has the mark of the one that it was made of, and gets its own."""
    seen = set()
    for one in armatures:
        settings = one.supple
        if settings.rig and (not settings.uid or settings.uid in seen):
            bodies.pop(settings.uid, None)
            if settings.uid:
                modifier.own_carriers(one)
            settings.uid = uuid.uuid4().hex
        seen.add(settings.uid)


def with_flesh(scene):
    return [one for one in scene.objects if one.type == "ARMATURE" and one.supple.enabled and one.supple.rig]


def refresh(armature, context=None):
    """Shows an armature's flesh as it is at the frame that is current."""
    context = context or bpy.context
    found = living_of(armature, context.scene)
    with Quiet():
        found.show(armature, context.scene.frame_current_final, context.evaluated_depsgraph_get())


@persistent
def on_frame(scene, graph=None):
    global last_share
    if quiet:
        return
    start = time.thread_time()
    made = 0.0
    armatures = with_flesh(scene)
    tell_apart(armatures)
    for armature in armatures:
        graph = graph or bpy.context.evaluated_depsgraph_get()
        message = ""
        try:
            found = bodies.get(armature.supple.uid)
            if found is None or found.dirty or found.key != key_of(armature, scene):
                before = time.thread_time()
                found = living_of(armature, scene)
                made += time.thread_time() - before
            with Quiet():
                found.show(armature, scene.frame_current_final, graph)
        except (scenes.Trouble, supple.SuppleError) as error:
            message = str(error)
        if armature.supple.message != message:
            armature.supple.message = message
    last_share = time.thread_time() - start - made


@persistent
def on_update(scene, graph):
    """An action that changes makes the take old; so do meshes and weights that are edited."""
    if quiet or graph.mode == "RENDER":
        return
    kinds = (bpy.types.Action, bpy.types.Armature) + ((bpy.types.Mesh,) if bpy.context.mode in EDITING else ())
    changed = {update.id.original for update in graph.updates if isinstance(update.id, kinds)}
    if not changed:
        return
    for armature in with_flesh(scene):
        found = bodies.get(armature.supple.uid)
        made_of = {armature.data, *(one.data for one in scenes.meshes_of(armature)), *movers.actions_of(armature)}
        if found is not None and changed & made_of:
            found.dirty = ALL


@persistent
def on_load(*_):
    bodies.clear()


@persistent
def on_undo(scene, *_):
    """What undo brought back may differ from what the bodies were made of."""
    for found in bodies.values():
        found.dirty = ALL
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
