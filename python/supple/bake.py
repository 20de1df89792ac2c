"""Takes and bakes: a clip simulated, and fitted to what files can hold."""
from __future__ import annotations

import ctypes
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c
from ._native import (Handle, Owner, Pool, Watch, call, callback, choose, create, failure, lib, path, sure, tasks_of, view)
from .body import Body, Model
from .character import Pose


@dataclass(frozen=True)
class TakeInfo:
    """What became of a clip: see supTakeInfo in bake.h."""

    start: float
    end: float
    loops: bool
    is_once_by_name: bool
    pose_gap: float
    seam: float
    max_displacement: float
    limited: int


class Take(Handle):
    """One clip, simulated. Flesh is exact at every time, in any order."""

    def __init__(self, model: Model, clip: Union[str, int] = 0, loop: str = "auto", ends: str = "free",
                 tuned_as: Optional[Body] = None, watch: Optional[Callable[[str, float], Any]] = None):
        """`loop`: "auto", "on" or "off". `ends`: "free", or "rest" where a clip that does not loop is to come to rest.
        `tuned_as`: a body whose live fields are used as they are now."""
        made = lib.supDefaultTakeDef()
        made.model, made.clip = model._pointer, model.character.find_clip(clip)
        made.loop, made.ends = choose("supLoop", loop), choose("supEnds", ends)
        made.tunedAs = tuned_as and tuned_as._pointer
        out = ctypes.c_void_p()
        with Watch(watch) as watching:
            made.watch = watching.watch
            call(lib.supCreateTake, byref(made), byref(out))
        self.model, self.clip = model, made.clip
        self._owner = Owner(sure(out.value), lib.supDestroyTake, model._owner)
        self._pose: Pose = model.character.pose()
        self._has_morphs = model.character.morph_weight_count > 0

    @property
    def info(self) -> TakeInfo:
        it = lib.supTake_Info(self._pointer)
        return TakeInfo(it.start, it.end, it.loops, it.isOnceByName, it.poseGap, it.seam, it.maxDisplacement, it.limited)

    def show(self, time: float, body: Body, joints: Any = None) -> None:
        """Puts a body of the same model where the take is at a time. `joints`: those of the clip then; None: they are
        sampled here."""
        if joints is None:
            joints = self._pose.sample(self.clip, time)
            if self._has_morphs:
                body.set_morph_weights(self._pose.morph_weights)
        if joints is not body._joints:
            body._take_joints(joints)
        code = lib.supTake_Show(self._pointer, time, body._joints_at, body._pointer)
        if code:
            raise failure(code, "joints are not finite")


# ----------------------------------------------------------------------------------------------------------------
# Helper joints

@dataclass(frozen=True)
class BakedHelper:
    """A helper joint to be added as a child of `joint`."""

    joint: int
    element: int  #: -1: a mix of several, or a mode's
    turns: bool
    place: Tuple[float, float, float]


@dataclass(frozen=True)
class BakedMesh:
    """New influences: joints of the skin's list, or its joint count + helper. Arrays look into the bake's memory."""

    mesh: int
    changed: bool
    joints: Optional[np.ndarray]
    weights: Optional[np.ndarray]


@dataclass(frozen=True)
class BakedClip:
    """Keys of one clip; all helpers share the times. Where keys are cubic there are three values a key."""

    clip: int
    times: np.ndarray
    translations: np.ndarray  #: (helpers, keys, 3), or (helpers, keys, 3, 3) where cubic
    rotations: np.ndarray  #: (turning helpers, keys, 4), likewise
    max_error: float
    rms_error: float
    max_normal_error: float


def _model_of(takes: Any) -> Model:
    """The model of a bake's takes, with words for what people hand in by mistake."""
    if isinstance(takes, Take):
        raise TypeError("takes: a list of them is wanted, such as [take]")
    if len(takes) == 0:
        raise failure(_c.sup_errorArgument, "there is no take to bake")
    return takes[0].model


def _take_table(takes: Sequence[Take]) -> Any:
    return (ctypes.c_void_p * max(len(takes), 1))(*[take._pointer for take in takes])


def _check(number: int, count: int, what: str) -> int:
    if not 0 <= number < count:
        raise failure(_c.sup_errorNotFound, f"there is no {what} {number}; there are {count}")
    return number


class JointBake(Handle):
    """The living skin as linear blend skinning with helper joints."""

    def __init__(self, takes: Sequence[Take], *, model: Optional[Model] = None, fps: float = 30.0, tolerance: float = 5e-4,
                 keys: str = "linear", influences: int = 4, model_helpers_only: bool = False, pool: Optional[Pool] = None,
                 watch: Optional[Callable[[str, float], Any]] = None):
        """`takes`: one for each clip, of one model. `tolerance`: the largest error between keys, as a share of the size.
        `watch( stage, done )` is called now and then; where it returns False, `Canceled` is raised."""
        self.model = _model_of(takes) if model is None else model
        made, table = lib.supDefaultJointBakeDef(), _take_table(takes)
        made.model, made.takeCount, made.takes = self.model._pointer, len(takes), table
        made.fps, made.tolerance, made.influences = fps, tolerance, influences
        made.keys, made.modelHelpersOnly = {"linear": _c.sup_keysLinear, "cubic": _c.sup_keysCubic}[keys], model_helpers_only
        made.tasks = tasks_of(pool)
        with Watch(watch) as watching:
            made.watch = watching.watch
            pointer = create(lib.supBakeJoints, byref(made))
        self._owner = Owner(pointer, lib.supDestroyJointBake, self.model._owner, *[take._owner for take in takes])
        self._cubic = keys == "cubic"
        self._vertex_counts = [len(mesh.positions) for mesh in self.model.character.meshes]

    @property
    def _info(self) -> _c.supJointBakeInfo:
        return lib.supJointBake_Info(self._pointer).contents

    @property
    def helpers(self) -> List[BakedHelper]:
        out, info = [], self._info
        for i in range(info.helperCount):
            it = info.helpers[i]
            out.append(BakedHelper(it.joint, it.element, it.turns, (it.place.x, it.place.y, it.place.z)))
        return out

    def mesh(self, mesh: int) -> BakedMesh:
        n = self._vertex_counts[_check(mesh, len(self._vertex_counts), "mesh")]
        it = self._info.meshes[mesh]
        if not it.changed:
            return BakedMesh(mesh, False, None, None)
        shape = (n, it.influenceCount)
        return BakedMesh(mesh, True, view(self._owner, it.joints, shape, "<i4"), view(self._owner, it.weights, shape))

    @property
    def clips(self) -> List[BakedClip]:
        out, info = [], self._info
        helpers, turning = info.helperCount, info.turningCount
        for i in range(info.clipCount):
            it = info.clips[i]
            form = (it.keyCount, 3) if self._cubic else (it.keyCount,)
            out.append(BakedClip(it.clip, view(self._owner, it.times, (it.keyCount,)),
                                 view(self._owner, it.translations, (helpers, *form, 3)),
                                 view(self._owner, it.rotations, (turning, *form, 4)), it.maxError, it.rmsError,
                                 it.maxNormalError))
        return out


# ----------------------------------------------------------------------------------------------------------------
# Morph targets

@dataclass(frozen=True)
class MorphTarget:
    """What one target does to one mesh; vertices that are not listed do not move."""

    vertices: np.ndarray
    positions: np.ndarray
    normal_vertices: np.ndarray
    normals: np.ndarray


@dataclass(frozen=True)
class MorphKeys:
    times: np.ndarray
    weights: np.ndarray  #: (keys, targets)


@dataclass(frozen=True)
class MorphErrors:
    clip: int
    max_error: float
    rms_error: float
    max_normal_error: float


class MorphBake(Handle):
    """The living skin as the fewest morph targets, for any layer."""

    def __init__(self, takes: Sequence[Take], *, model: Optional[Model] = None, fps: float = 30.0, tolerance: float = 5e-4,
                 normals: bool = True, pool: Optional[Pool] = None, watch: Optional[Callable[[str, float], Any]] = None):
        self.model = _model_of(takes) if model is None else model
        made, table = lib.supDefaultMorphBakeDef(), _take_table(takes)
        made.model, made.takeCount, made.takes = self.model._pointer, len(takes), table
        made.fps, made.tolerance, made.normals = fps, tolerance, normals
        made.tasks = tasks_of(pool)
        with Watch(watch) as watching:
            made.watch = watching.watch
            pointer = create(lib.supBakeMorphs, byref(made))
        self._owner = Owner(pointer, lib.supDestroyMorphBake, self.model._owner, *[take._owner for take in takes])

    @property
    def _info(self) -> _c.supMorphBakeInfo:
        return lib.supMorphBake_Info(self._pointer).contents

    def group(self, mesh: int) -> int:
        """The group of a mesh: meshes of one node share their weights. -1: nothing of it moves."""
        return self._info.meshes[_check(mesh, self._info.meshCount, "mesh")].group

    def target_count(self, group: int) -> int:
        return self._info.groups[_check(group, self._info.groupCount, "group")].targetCount

    def target(self, mesh: int, target: int) -> MorphTarget:
        _check(target, self.target_count(self.group(mesh)), "target")
        it, owner = self._info.meshes[mesh].targets[target], self._owner
        return MorphTarget(view(owner, it.vertices, (it.count,), "<i4"), view(owner, it.positions, (it.count, 3)),
                           view(owner, it.normalVertices, (it.normalCount,), "<i4"),
                           view(owner, it.normals, (it.normalCount, 3)))

    def keys(self, group: int, clip: int = 0) -> MorphKeys:
        """`clip`: the place among the takes."""
        _check(group, self._info.groupCount, "group")
        it = self._info.groups[group].keys[_check(clip, self._info.clipCount, "clip")]
        return MorphKeys(view(self._owner, it.times, (it.keyCount,)),
                         view(self._owner, it.weights, (it.keyCount, self.target_count(group))))

    @property
    def errors(self) -> List[MorphErrors]:
        found = (self._info.errors[i] for i in range(self._info.clipCount))
        return [MorphErrors(it.clip, it.maxError, it.rmsError, it.maxNormalError) for it in found]


# ----------------------------------------------------------------------------------------------------------------
# Point caches

def write_point_cache(file: Any, frames: Callable[[int, np.ndarray], None], frame_count: int, point_count: int,
                      fps: float) -> None:
    """Writes a .pc2 or .mdd file by the name's ending. `frames( frame, positions )` fills in a (points, 3) array."""
    problem: List[BaseException] = []

    def fill(frame: int, at: int, _: Any) -> None:
        array = np.ctypeslib.as_array((ctypes.c_float * (3 * point_count)).from_address(at)).reshape(-1, 3)
        try:
            frames(frame, array)
        except BaseException as error:  # pylint: disable=broad-except
            problem.append(error)
            array[:] = np.nan

    kept = callback(_c.supPointCache, "frame")(fill)
    cache = _c.supPointCache(pointCount=point_count, frameCount=frame_count, fps=fps, frame=kept)
    try:
        call(lib.supWritePointCache, byref(cache), path(file))
    finally:
        if problem:
            raise problem[0]
