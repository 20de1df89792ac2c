"""Rigs: what Supple adds to a character. In Python a rig is a dict, the same as in a .rig.json file."""
from __future__ import annotations

import ctypes
import json
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _c
from ._native import Owner, Pool, call, choices, choose, create, failure, lib, path, sure, tasks_of, text, vec3, word
from .character import Character

Rig = Dict[str, Any]


def _text_of(function: Any, *arguments: Any) -> str:
    size = function(*arguments, None, 0)
    buffer = ctypes.create_string_buffer(size + 1)
    function(*arguments, buffer, size + 1)
    return buffer.value.decode()


def _plain(value: Any) -> Any:
    """What numpy counts with, as JSON has it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"a rig holds what JSON can, and no {type(value).__name__}: {value!r}")


def rig_owner(rig: Rig, character: Optional[Character] = None, name: str = "rig") -> Owner:
    """The library's own rig, made of a dict."""
    data = json.dumps(rig, default=_plain).encode()
    pointer = create(lib.supReadRigMemory, data, len(data), text(name), character and character._pointer, None)
    return Owner(pointer, lib.supDestroyRig)


def rig_dict(owner: Owner) -> Rig:
    """A rig of the library as a dict. It takes the owner, which must live until the text is made."""
    return json.loads(_text_of(lib.supRigToJson, owner.pointer))


def check_rig(rig: Rig, character: Optional[Character] = None) -> Rig:
    """Checks a rig and gives it back as the library writes it: without what is at its default, lengths as shares."""
    return rig_dict(rig_owner(rig, character))


def read_rig(file: Any, character: Optional[Character] = None) -> Rig:
    """Reads a .rig.json file and checks it."""
    pointer = create(lib.supReadRig, path(file), character and character._pointer, None)
    return rig_dict(Owner(pointer, lib.supDestroyRig))


def write_rig(rig: Rig, file: Any) -> None:
    """Writes a .rig.json file: the whole of it, or nothing."""
    owner = rig_owner(rig)
    call(lib.supWriteRig, owner.pointer, path(file))


def rig_schema() -> Dict[str, Any]:
    """The JSON Schema of rigs."""
    return json.loads(_text_of(lib.supRigSchema))


# ----------------------------------------------------------------------------------------------------------------
# A rig by itself

@dataclass(frozen=True)
class ProposedElement:
    """One element of a proposed rig, and why it is as it is."""

    name: str
    region: str
    side: str
    center: Tuple[float, float, float]
    ceiling: float
    typical: float
    peak: float


@dataclass(frozen=True)
class Proposal:
    """Why a proposed rig is as it is."""

    kind: str
    front: Tuple[float, float, float]
    up: Tuple[float, float, float]
    confidence: float
    elements: List[ProposedElement]
    joint_regions: List[str]


def preset_names() -> List[str]:
    return list(choices("supPreset"))


def region_names() -> List[str]:
    """Regions that carry flesh, by their names in a rig and in `propose_rig`."""
    out = []
    for name, number in choices("supRegion").items():
        found = ctypes.c_int32()
        if lib.supFindWord(_c.sup_wordsRegion, text(name), byref(found), None) == _c.sup_success:
            out.append(name)
    return out


def _tuple(vector: _c.supVec3) -> Tuple[float, float, float]:
    return (vector.x, vector.y, vector.z)


def _number_of(words: int, name: str) -> int:
    found = ctypes.c_int32()
    call(lib.supFindWord, words, text(name), byref(found))
    return found.value


def _propose_def(preset: str, kind: Optional[str], front: Any, up: Any, regions: Optional[Dict[str, float]],
                 clips: Optional[Sequence[int]], pool: Optional[Pool]) -> Tuple[_c.supProposeDef, Any]:
    made = lib.supDefaultProposeDef()
    made.preset = choose("supPreset", preset)
    if kind is not None:
        made.kind = _number_of(_c.sup_wordsBodyKind, kind)
    made.front = vec3(front if front is not None else (0, 0, 0))
    made.up = vec3(up if up is not None else (0, 0, 0))
    for name, times in (regions or {}).items():
        made.regions[_number_of(_c.sup_wordsRegion, name)] = times
    kept = None
    if clips is not None:
        kept = (ctypes.c_int32 * max(len(clips), 1))(*clips)
        made.clips, made.clipCount = ctypes.addressof(kept), len(clips)
    made.tasks = tasks_of(pool)
    return made, kept


def propose_rig(character: Character, preset: str = "natural", *, kind: Optional[str] = None, front: Any = None, up: Any = None,
                regions: Optional[Dict[str, float]] = None, clips: Optional[Sequence[int]] = None,
                pool: Optional[Pool] = None) -> Rig:
    """Finds the regions of a character that carry flesh, and gives them believable numbers.

    `regions` multiplies the amount of some: {"belly": 1.5, "cheek": 0}. `kind`, `front` and `up` say what is known of the
    body already. `propose` gives the reasons too."""
    return propose(character, preset, kind=kind, front=front, up=up, regions=regions, clips=clips, pool=pool)[0]


def propose(character: Character, preset: str = "natural", *, kind: Optional[str] = None, front: Any = None, up: Any = None,
            regions: Optional[Dict[str, float]] = None, clips: Optional[Sequence[int]] = None,
            pool: Optional[Pool] = None) -> Tuple[Rig, Proposal]:
    """As `propose_rig`, with the reasons."""
    made, kept = _propose_def(preset, kind, front, up, regions, clips, pool)
    rig, why = ctypes.c_void_p(), ctypes.POINTER(_c.supProposal)()
    call(lib.supProposeRigWith, character._pointer, byref(made), byref(rig), byref(why))
    owner = Owner(sure(rig.value), lib.supDestroyRig)
    try:
        it = why.contents
        elements = [ProposedElement(one.name.decode(), word("supRegion", one.region), word("supSide", one.side),
                                    _tuple(one.center), one.ceiling, one.typical, one.peak)
                    for one in (it.elements[i] for i in range(it.elementCount))]
        regions_ = (ctypes.c_int * it.jointCount).from_address(_address(it.regions)) if it.jointCount else []
        reasons = Proposal(lib.supWordFor(_c.sup_wordsBodyKind, it.body.kind).decode(), _tuple(it.body.front), _tuple(it.body.up),
                           it.body.confidence, elements, [word("supRegion", one) for one in regions_])
    finally:
        lib.supDestroyProposal(why)
    del kept
    return rig_dict(owner), reasons


def _address(pointer: Any) -> int:
    return pointer if isinstance(pointer, int) else sure(ctypes.cast(pointer, ctypes.c_void_p).value)


def add_muscles(rig: Rig, character: Character) -> Rig:
    """The rig with the major muscles of a human and an écorché. Raises DataError on what is not a human."""
    owner = rig_owner(rig, character)
    call(lib.supProposeMuscles, character._pointer, None, owner.pointer, None)
    return rig_dict(owner)


def add_fat(rig: Rig, character: Character) -> Rig:
    """The rig with fat between the skin and the bones (or the muscles)."""
    owner = rig_owner(rig, character)
    call(lib.supProposeFat, character._pointer, None, owner.pointer)
    return rig_dict(owner)


# ----------------------------------------------------------------------------------------------------------------
# Field tables: what there is to set

@dataclass(frozen=True)
class Field:
    """A field of an item: its type, unit, range and default, and what it means in one line."""

    name: str
    type: str
    unit: str
    minimum: float
    maximum: float
    default: float
    optional: bool
    required: bool
    live: bool
    advanced: bool
    choices: Tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Layer:
    """A kind of item: flesh, muscles, fat. `key` is the name of its list in a rig."""

    name: str
    key: str
    words: str
    fields: Tuple[Field, ...]
    number: int

    def field(self, name: str) -> Field:
        return next(one for one in self.fields if one.name == name)


def layers() -> List[Layer]:
    """All layers, in the order in which they run."""
    out: List[Layer] = []
    while True:
        info = lib.supGetLayerInfo(len(out))
        if not info:
            return out
        it = info.contents
        out.append(Layer(it.name.decode(), it.key.decode(), it.words.decode(),
                         tuple(_field(it.fields[i]) for i in range(it.fieldCount)), len(out)))


def _field(it: _c.supField) -> Field:
    names: List[str] = []
    while it.choices and it.choices[len(names)] is not None:
        names.append(it.choices[len(names)].decode())
    return Field(it.name.decode(), word("supFieldType", it.type), it.unit.decode(), it.minimum, it.maximum, it.fallback,
                 it.optional, it.required, it.live, it.advanced, tuple(names), it.words.decode())


def layer_number(layer: Any) -> int:
    """The number of a layer, by its key, "elements", or by itself."""
    if isinstance(layer, str):
        found = lib.supFindLayer(text(layer))
        if found < 0:
            raise failure(_c.sup_errorNotFound, f'there is no layer "{layer}"')
        return found
    return layer.number if isinstance(layer, Layer) else int(layer)
