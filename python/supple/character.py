"""Characters: meshes, influences, skeleton and clips. They never change once they are made."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_void_p
from dataclasses import dataclass, field
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c
from ._native import (Handle, Notes, Owner, address, choose, create, failure, lib, mat34, numbers, rows, sure, text, vec3, view,
                      view_or_none)


# ----------------------------------------------------------------------------------------------------------------
# What a character is made of

@dataclass
class JointDef:
    """A joint: any node of the tree, whether or not a skin uses it."""

    name: str = ""
    parent: int = -1
    translation: Sequence[float] = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (0.0, 0.0, 0.0, 1.0)  #: x, y, z, w
    scale: Sequence[float] = (1.0, 1.0, 1.0)
    matrix: Any = None  #: instead of the three; such a joint is not animated
    human_bone: Optional[str] = None  #: in the words of VRM: "leftUpperLeg"
    has_physics: bool = False


@dataclass
class SkinDef:
    """A list of joints that meshes are bound to."""

    joints: Sequence[int] = ()
    inverse_bind: Any = None  #: (n, 4, 3) or (n, 4, 4); None: identity
    name: str = ""


@dataclass
class MeshDef:
    """One set of vertices with one material."""

    positions: Any = None  #: (n, 3)
    indices: Any = None  #: (triangles, 3)
    joints: Any = None  #: (n, k) places in the skin's list of joints
    weights: Any = None  #: (n, k)
    normals: Any = None  #: (n, 3)
    skin: int = 0  #: -1: not skinned, carried by `joint`
    joint: int = 0
    name: str = ""
    material: Optional[str] = None
    morphs: Sequence[Any] = ()  #: displacements, (n, 3) each
    morph_names: Optional[Sequence[str]] = None
    morph_weights: Any = None


@dataclass
class TrackDef:
    """Keys of one joint: "translation", "rotation", "scale", or "weights" of its morph targets."""

    joint: int
    path: str
    times: Any
    values: Any
    interpolation: str = "linear"


@dataclass
class ClipDef:
    name: str
    tracks: List[TrackDef] = field(default_factory=list)


class _Fill:
    """Fills the structs of a definition and keeps everything that they point to."""

    def __init__(self):
        self.kept: List[Any] = []

    def array(self, values: Any, kind: Any, shape: Sequence[int], what: str) -> Optional[int]:
        if values is None:
            return None
        array = numbers(values, kind, shape, what)
        self.kept.append(array)
        return address(array)

    def pointers(self, kind: Any, values: Sequence[Any]) -> Any:
        table = (kind * max(len(values), 1))(*values)
        self.kept.append(table)
        return ctypes.cast(table, POINTER(kind))

    def joint(self, it: JointDef) -> _c.supJointDef:
        out = _c.supJointDef(name=text(it.name), parent=it.parent, humanBone=text(it.human_bone), hasPhysics=it.has_physics)
        out.rest = _c.supTransform(vec3(it.translation), _c.supQuat(*it.rotation), vec3(it.scale))
        if it.matrix is not None:
            matrix = mat34(it.matrix)
            self.kept.append(matrix)
            out.matrix = ctypes.addressof(matrix)
        return out

    def skin(self, it: SkinDef) -> _c.supSkinDef:
        bind = None if it.inverse_bind is None else rows(it.inverse_bind, len(it.joints), "inverse_bind")
        self.kept.append(bind)
        return _c.supSkinDef(name=text(it.name), jointCount=len(it.joints), inverseBind=address(bind),
                             joints=self.array(it.joints, np.int32, (-1,), "joints"))

    def mesh(self, it: MeshDef) -> _c.supMeshDef:
        positions = numbers(it.positions, np.float32, (-1, 3), "positions")
        count = len(positions)
        self.kept.append(positions)
        indices = np.zeros(0, np.uint32) if it.indices is None else np.ascontiguousarray(it.indices, np.uint32).reshape(-1)
        self.kept.append(indices)
        out = _c.supMeshDef(name=text(it.name), material=text(it.material), joint=it.joint, skin=it.skin, vertexCount=count,
                            positions=address(positions), normals=self.array(it.normals, np.float32, (count, 3), "normals"),
                            indexCount=len(indices), indices=address(indices), sourceMesh=-1, sourcePrimitive=-1)
        if it.skin >= 0:
            weights = numbers(it.weights, np.float32, (count, -1), "weights")
            self.kept.append(weights)
            out.influenceCount, out.weights = weights.shape[1], address(weights)
            out.jointIndices = self.array(it.joints, np.uint16, weights.shape, "joints")
        self.morphs(it, out, count)
        return out

    def morphs(self, it: MeshDef, out: _c.supMeshDef, count: int) -> None:
        out.morphCount = len(it.morphs)
        if it.morphs:
            moves = [self.array(one, np.float32, (count, 3), "morphs") for one in it.morphs]
            none = self.pointers(c_void_p, [None] * len(moves))
            out.morphPositions, out.morphNormals, out.morphTangents = self.pointers(c_void_p, moves), none, none
            out.morphWeights = self.array(it.morph_weights, np.float32, (len(moves),), "morph_weights")
            if it.morph_names is not None:
                out.morphNames = self.pointers(c_char_p, [text(name) for name in it.morph_names])

    def clip(self, it: ClipDef) -> _c.supClipDef:
        tracks = (_c.supTrackDef * max(len(it.tracks), 1))(*[self.track(one) for one in it.tracks])
        self.kept.append(tracks)
        return _c.supClipDef(text(it.name), len(it.tracks), tracks)

    def track(self, it: TrackDef) -> _c.supTrackDef:
        times = numbers(it.times, np.float32, (-1,), "times")
        form = choose("supInterpolation", it.interpolation)
        per_key = 3 if form == _c.sup_interpolationCubic else 1
        values = np.ascontiguousarray(it.values, np.float32)
        if len(times) == 0 or values.size % (len(times) * per_key):
            raise ValueError(f"values: {values.size} numbers do not fit {len(times)} keys")
        self.kept += [times, values]
        return _c.supTrackDef(it.joint, choose("supPath", it.path), form, len(times), address(times), address(values),
                              values.size // (len(times) * per_key))


# ----------------------------------------------------------------------------------------------------------------
# What a character has

@dataclass(frozen=True)
class Joint:
    name: str
    parent: int
    local: np.ndarray  #: (4, 3)
    human_bone: str
    is_skin_joint: bool
    has_physics: bool


@dataclass(frozen=True)
class Skin:
    name: str
    joints: np.ndarray
    inverse_bind: np.ndarray  #: (n, 4, 3)


@dataclass(frozen=True)
class Mesh:
    """Arrays look into the character's memory."""

    name: str
    material: str
    joint: int
    skin: int
    first_vertex: int
    positions: np.ndarray
    normals: Optional[np.ndarray]
    joints: Optional[np.ndarray]
    weights: Optional[np.ndarray]
    indices: np.ndarray  #: (triangles, 3)
    morph_names: Tuple[str, ...]


@dataclass(frozen=True)
class Clip:
    name: str
    start: float
    end: float


class Look(Handle):
    """Materials, images and colours, for pictures. It comes from a `Gltf` or from a creature."""

    def __init__(self, owner: Owner):
        self._owner = owner


class Character(Handle):
    """What the artist already has: meshes, influences, a skeleton and clips.

    Make one with `Character.load`, `Character.from_bytes`, `Character.create` or `Character.creature`."""

    def __init__(self, owner: Owner, notes: Sequence[str] = (), look: Optional[Look] = None):
        self._owner = owner
        self.notes = list(notes)  #: what was put right, a line each
        self.look = look  #: how it looks, where that is known
        info = lib.supCharacter_Info(owner.pointer).contents
        self.name: str = info.name.decode("utf-8", "replace")
        self.joint_count: int = info.jointCount
        self.vertex_count: int = info.vertexCount
        self.size: float = info.size  #: diagonal of the box around it at rest. Metres
        self.lower = np.array([info.lower.x, info.lower.y, info.lower.z], np.float32)
        self.upper = np.array([info.upper.x, info.upper.y, info.upper.z], np.float32)
        self.fingerprint: int = info.fingerprint
        self.morph_weight_count: int = info.morphWeightCount
        self._counts = (info.skinCount, info.meshCount, info.clipCount)

    # -- making one

    @classmethod
    def load(cls, file: Any, untrusted: bool = False) -> "Character":
        """Reads a .glb, .gltf or .vrm file."""
        from .gltf import Gltf
        with Gltf.open(file, untrusted=untrusted) as document:
            return document.character()

    @classmethod
    def from_bytes(cls, data: Any, name: str = "bytes", untrusted: bool = True) -> "Character":
        """Reads a .glb that is in memory already."""
        from .gltf import Gltf
        with Gltf.from_bytes(data, name, untrusted=untrusted) as document:
            return document.character()

    @classmethod
    def create(cls, name: str, joints: Sequence[JointDef], skins: Sequence[SkinDef] = (), meshes: Sequence[MeshDef] = (),
               clips: Sequence[ClipDef] = ()) -> "Character":
        """Makes one of arrays. They are checked and copied once; `notes` says what was put right."""
        fill, notes = _Fill(), Notes()
        made = lib.supDefaultCharacterDef()
        made.name, made.log = text(name), notes.log
        made.jointCount, made.skinCount, made.meshCount, made.clipCount = map(len, (joints, skins, meshes, clips))
        made.joints = fill.pointers(_c.supJointDef, [fill.joint(one) for one in joints])
        made.skins = fill.pointers(_c.supSkinDef, [fill.skin(one) for one in skins])
        made.meshes = fill.pointers(_c.supMeshDef, [fill.mesh(one) for one in meshes])
        made.clips = fill.pointers(_c.supClipDef, [fill.clip(one) for one in clips])
        pointer = create(lib.supCreateCharacter, byref(made))
        return cls(Owner(pointer, lib.supDestroyCharacter), notes.done())

    @classmethod
    def creature(cls, name: str) -> "Character":
        """One of the built-in characters: "woman", "cat", "horse" (see `creature_names`)."""
        owner = Owner(create(lib.supCreateCreature, text(name), None), lib.supDestroyCreature)
        look = sure(ctypes.cast(lib.supCreature_Look(owner.pointer), c_void_p).value)
        return cls(Owner(lib.supCreature_Character(owner.pointer), None, owner), (), Look(Owner(look, None, owner)))

    # -- looking at it

    @property
    def joints(self) -> List[Joint]:
        """All joints, in the order of the file's nodes."""
        out = []
        for i in range(self.joint_count):
            it = lib.supCharacter_Joint(self._pointer, i).contents
            local = np.frombuffer(it.local, np.float32).reshape(4, 3).copy()
            out.append(Joint(it.name.decode("utf-8", "replace"), it.parent, local, it.humanBone.decode(), it.isSkinJoint,
                             it.hasPhysics))
        return out

    @property
    def skins(self) -> List[Skin]:
        out = []
        for i in range(self._counts[0]):
            it = lib.supCharacter_Skin(self._pointer, i)
            out.append(Skin(it.name.decode("utf-8", "replace"), view(self._owner, it.joints, (it.jointCount,), "<i4"),
                            view(self._owner, it.inverseBind, (it.jointCount, 4, 3))))
        return out

    @property
    def meshes(self) -> List[Mesh]:
        return [self._mesh(lib.supCharacter_Mesh(self._pointer, i)) for i in range(self._counts[1])]

    def _mesh(self, it: _c.supMeshView) -> Mesh:
        n, k, owner = it.vertexCount, it.influenceCount, self._owner
        skinned = it.skin >= 0
        return Mesh(it.name.decode("utf-8", "replace"), it.material.decode("utf-8", "replace"), it.joint, it.skin, it.firstVertex,
                    view(owner, it.positions, (n, 3)), view_or_none(owner, it.normals, (n, 3)),
                    view(owner, it.jointIndices, (n, k), "<u2") if skinned else None,
                    view(owner, it.weights, (n, k)) if skinned else None,
                    view(owner, it.indices, (it.indexCount // 3, 3), "<u4"),
                    tuple(it.morphNames[i].decode("utf-8", "replace") for i in range(it.morphCount)))

    @property
    def clips(self) -> List[Clip]:
        out = []
        for i in range(self._counts[2]):
            it = lib.supCharacter_Clip(self._pointer, i)
            out.append(Clip(it.name.decode("utf-8", "replace"), it.start, it.end))
        return out

    def find_joint(self, name: str) -> int:
        """The number of a joint. Raises NotFoundError where there is none."""
        return self._find(lib.supCharacter_FindJoint, name, "joint")

    def find_clip(self, name: Union[str, int, None]) -> int:
        """The number of a clip, given its name or its number; -1 for None."""
        if name is None:
            return -1
        if isinstance(name, str):
            return self._find(lib.supCharacter_FindClip, name, "clip")
        if not -1 <= name < self._counts[2]:
            raise failure(_c.sup_errorNotFound, f"{self.name}: there is no clip {name}; it has {self._counts[2]}")
        return int(name)

    def _find(self, function: Any, name: str, what: str) -> int:
        found = function(self._pointer, text(name))
        if found < 0:
            raise failure(_c.sup_errorNotFound, f'{self.name}: there is no {what} "{name}"')
        return found

    @property
    def rest_positions(self) -> np.ndarray:
        """All vertices at rest, (n, 3), without a copy."""
        return view(self._owner, lib.supCharacter_Info(self._pointer).contents.restPositions, (self.vertex_count, 3))

    @property
    def rest_joints(self) -> np.ndarray:
        """All joints at rest, (n, 4, 3), without a copy."""
        return view(self._owner, lib.supCharacter_Info(self._pointer).contents.restJoints, (self.joint_count, 4, 3))

    def pose(self) -> "Pose":
        """A new pose of it, at rest."""
        return Pose(self)


class Pose(Handle):
    """Where the joints are at a time of a clip."""

    def __init__(self, character: Character):
        self.character = character
        self._owner = Owner(create(lib.supCreatePose, character._pointer, None), lib.supDestroyPose, character._owner)
        self.rest()
        pointer = self._owner.pointer
        #: model-space matrices, (joints, 4, 3); always the same array, filled anew by `sample`
        self.joints = view(self._owner, lib.supPose_Joints(pointer), (character.joint_count, 4, 3))
        #: of the morph targets of all meshes; likewise
        self.morph_weights = view(self._owner, lib.supPose_MorphWeights(pointer), (character.morph_weight_count,))

    def sample(self, clip: Union[str, int, None], time: float) -> np.ndarray:
        """Samples a clip (its name or number; None: where the file puts the joints) at a time in seconds. Gives `joints`."""
        number = clip if type(clip) is int and -1 <= clip < self.character._counts[2] else self.character.find_clip(clip)
        lib.supPose_Sample(self._pointer, number, float(time))
        return self.joints

    def rest(self) -> None:
        """Every joint in the bind pose."""
        lib.supPose_Rest(self._pointer)


def creature_names() -> List[str]:
    """The names of the built-in characters."""
    names = POINTER(c_char_p)()
    count = lib.supCreatureNames(byref(names))
    return [names[i].decode() for i in range(count)]
