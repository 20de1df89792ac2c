"""glTF documents: to read characters from, and to put rigs and bakes into without harm to the rest."""
from __future__ import annotations

import ctypes
from ctypes import byref
from typing import Any, Optional, Union

from . import _c
from ._native import Handle, Notes, Owner, call, create, create_or_none, lib, path, sure, text
from .bake import JointBake, MorphBake
from .character import Character, Look
from .rig import Rig, rig_dict, rig_owner


class Gltf(Handle):
    """A .glb, .gltf or .vrm file in memory: its JSON, kept whole, and its buffers."""

    def __init__(self, owner: Owner, notes: Notes):
        self._owner, self._notes = owner, notes

    @property
    def notes(self) -> list:
        """What was put right, a line each."""
        return self._notes.done()

    @classmethod
    def open(cls, file: Any, untrusted: bool = False) -> "Gltf":
        """Opens a file. `untrusted`: nothing outside of its folder is read, and its rig is held to limits."""
        notes = Notes()
        made = lib.supDefaultGltfOpenDef()
        made.log, made.isUntrusted = notes.log, untrusted
        return cls(Owner(create(lib.supOpenGltfWith, path(file), byref(made)), lib.supCloseGltf, notes), notes)

    @classmethod
    def from_bytes(cls, data: Any, name: str = "bytes", folder: Optional[str] = None, untrusted: bool = True) -> "Gltf":
        """Opens what is in memory already. `folder`: where files that it names are looked for; None: nowhere."""
        data, notes = bytes(data), Notes()
        made = lib.supDefaultGltfOpenDef()
        made.log, made.isUntrusted = notes.log, untrusted
        pointer = create(lib.supOpenGltfMemoryWith, data, len(data), text(name), folder and path(folder), byref(made))
        return cls(Owner(pointer, lib.supCloseGltf, notes), notes)

    @classmethod
    def make(cls, character: Character, look: Optional[Look] = None) -> "Gltf":
        """A document of a character that never was a file."""
        look = look or character.look
        pointer = create(lib.supMakeGltf, character._pointer, _look_pointer(look))
        return cls(Owner(pointer, lib.supCloseGltf), Notes())

    def character(self) -> Character:
        """The character in it, with its look."""
        pointer = create(lib.supGltf_Character, self._pointer, None)
        found = ctypes.POINTER(_c.supLook)()
        call(lib.supGltf_Look, self._pointer, byref(found))
        look = Look(Owner(sure(ctypes.cast(found, ctypes.c_void_p).value), None, self._owner))
        return Character(Owner(pointer, lib.supDestroyCharacter), self._notes.done(), look)

    def rig(self, character: Optional[Character] = None) -> Optional[Rig]:
        """The rig inside of it, or None."""
        pointer = create_or_none(lib.supGltf_Rig, self._pointer, character and character._pointer, None)
        return rig_dict(Owner(pointer, lib.supDestroyRig)) if pointer else None

    def set_rig(self, rig: Optional[Rig]) -> None:
        """Puts a rig into it; None takes the one that it has out."""
        owner = None if rig is None else rig_owner(rig)
        call(lib.supGltf_SetRig, self._pointer, owner and owner.pointer)

    def add_bake(self, bake: Union[JointBake, MorphBake], *, binary: bool = True, keep_names: bool = False,
                 drop_originals: bool = False, live: bool = False, rig: Optional[Rig] = None) -> None:
        """Puts a bake into the document that the bake's character was read from."""
        options = lib.supDefaultGltfBakeOptions()
        options.isBinary, options.keepNames, options.dropOriginals, options.isLive = binary, keep_names, drop_originals, live
        kept = None if rig is None else rig_owner(rig)
        options.rig = kept and kept.pointer
        function = lib.supGltf_AddJointBake if isinstance(bake, JointBake) else lib.supGltf_AddMorphBake
        call(function, self._pointer, bake.model._pointer, bake._pointer, byref(options))

    def remove_bake(self) -> bool:
        """Takes an earlier bake out. Whether there was one."""
        removed = ctypes.c_bool()
        call(lib.supGltf_RemoveBake, self._pointer, byref(removed))
        return removed.value

    def write(self, file: Any) -> None:
        """Writes .glb or .gltf by the name's ending: the whole of it, or nothing."""
        call(lib.supGltf_Write, self._pointer, path(file))


def _look_pointer(look: Optional[Look]) -> Any:
    return None if look is None else ctypes.cast(look._pointer, ctypes.POINTER(_c.supLook))
