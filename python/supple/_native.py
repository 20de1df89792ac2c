"""The library itself: how it is found, how its errors become exceptions, and how long its objects live."""
from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _c

_NAMES = {"win32": "supple.dll", "darwin": "libsupple.dylib"}


def _load() -> ctypes.CDLL:
    path = os.environ.get("SUPPLE_LIBRARY") or os.path.join(
        os.path.dirname(os.path.abspath(__file__)), _NAMES.get(sys.platform, "libsupple.so"))
    try:
        library = _c.bind(ctypes.CDLL(path))
    except (OSError, AttributeError) as error:
        raise ImportError(f"supple: the library {path} cannot be used: {error}") from error
    for name in _c.PICTURES:  # the one for Windows has none
        if not hasattr(library, name):
            setattr(library, name, _no_pictures)
    return library


def _no_pictures(*_: Any) -> None:
    raise failure(_c.sup_errorUnsupported, "this build of the library has no pictures")


lib = _load()


# ----------------------------------------------------------------------------------------------------------------
# Errors

class SuppleError(Exception):
    """What the library refuses, in its own words. `code` is the number of supResult."""

    code: int = 0


class OutOfMemory(SuppleError, MemoryError):
    """There was no memory to be had."""


class ArgumentError(SuppleError, ValueError):
    """The call itself is wrong."""


class FileError(SuppleError, OSError):
    """A file cannot be opened, read, written or renamed."""


class FormatError(SuppleError, ValueError):
    """The file is not what its name says, or it is cut off."""


class DataError(SuppleError, ValueError):
    """The data can be read but says something impossible, such as an index out of range or a NaN."""


class UnsupportedError(SuppleError, NotImplementedError):
    """Understood, but nothing that Supple can do."""


class NotFoundError(SuppleError, LookupError):
    """A name that is not there; the words give the nearest ones."""


class LimitError(SuppleError):
    """Beyond a limit of a format or of the machine."""


class Canceled(SuppleError):
    """A watch asked to stop."""


_KINDS = {_c.sup_errorMemory: OutOfMemory, _c.sup_errorArgument: ArgumentError, _c.sup_errorFile: FileError,
          _c.sup_errorFormat: FormatError, _c.sup_errorData: DataError, _c.sup_errorUnsupported: UnsupportedError,
          _c.sup_errorNotFound: NotFoundError, _c.sup_errorLimit: LimitError, _c.sup_errorCanceled: Canceled}


def failure(code: int, text: str = "") -> SuppleError:
    """The exception for a result of the library."""
    error = _KINDS.get(code, SuppleError)(text or lib.supResultText(code).decode())
    error.code = code
    return error


def call(function: Callable, *arguments: Any) -> None:
    """Calls a function that ends with a supError*, and raises what it says."""
    error = _c.supError()
    code = function(*arguments, byref(error))
    if code:
        raise failure(code, error.text.decode("utf-8", "replace"))


# ----------------------------------------------------------------------------------------------------------------
# Lives

class Owner:
    """One object of the library. It is destroyed when the last Python object lets go of it: the class that wraps it,
    objects made from it, and arrays that look into its memory."""

    __slots__ = ("pointer", "destroy", "keeps")

    def __init__(self, pointer: int, destroy: Optional[Callable[[int], None]], *keeps: Any):
        self.pointer, self.destroy, self.keeps = pointer, destroy, keeps

    def __del__(self):
        if self.pointer and self.destroy:
            self.destroy(self.pointer)
            self.pointer = None


def create_or_none(function: Callable, *arguments: Any) -> Optional[int]:
    """Calls a function whose last arguments are an object to be made and a supError*. Gives the object, if there is one."""
    out = ctypes.c_void_p()
    call(function, *arguments, byref(out))
    return out.value


def create(function: Callable, *arguments: Any) -> int:
    """The same for a function that always makes its object, or fails."""
    return sure(create_or_none(function, *arguments))


def sure(pointer: Optional[int]) -> int:
    """A pointer that the library has promised."""
    assert pointer is not None, "the library made nothing, and said nothing"
    return pointer


class Handle:
    """What all classes of the package share: `close`, and `with`."""

    _owner: Optional[Owner] = None

    @property
    def _pointer(self) -> int:
        if self._owner is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._owner.pointer

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._owner is None

    def close(self) -> None:
        """Lets go of the object. Its memory is released as soon as nothing that was made from it is in use."""
        self._owner = None

    def __enter__(self):
        self._pointer  # noqa: B018 (raises where it is closed)
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


# ----------------------------------------------------------------------------------------------------------------
# Arrays

class _Memory:
    """Memory of the library that numpy looks into; keeps the owner alive."""

    def __init__(self, owner: Any, address: int, shape: Sequence[int], kind: str):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "shape": tuple(shape), "typestr": kind, "data": (address, True)}


def view(owner: Any, address: Optional[int], shape: Sequence[int], kind: str = "<f4") -> np.ndarray:
    """Memory of the library as an array that cannot be written to, without a copy."""
    if 0 in shape:
        return np.zeros(shape, kind)
    assert address, "the library has no such array"
    return np.asarray(_Memory(owner, address, shape, kind))


def view_or_none(owner: Any, address: Optional[int], shape: Sequence[int], kind: str = "<f4") -> Optional[np.ndarray]:
    """The same, and None where the library has no such array."""
    return view(owner, address, shape, kind) if address or 0 in shape else None


def address(array: Optional[np.ndarray]) -> Optional[int]:
    """Where an array's first number is."""
    return None if array is None else array.__array_interface__["data"][0]


def numbers(values: Any, kind: Any, shape: Sequence[int], what: str) -> np.ndarray:
    """Values as a tight array of a shape (-1: any length). It is the same array where it fits already."""
    array = np.ascontiguousarray(values, kind)
    if array.ndim != len(shape) or any(want not in (-1, have) for want, have in zip(shape, array.shape)):
        raise ValueError(f"{what}: an array of shape {tuple(shape)} is wanted, this one has {array.shape}")
    return array


def output(array: np.ndarray, shape: Sequence[int], what: str) -> np.ndarray:
    """Checks an array that the library is to write into."""
    if not isinstance(array, np.ndarray) or array.dtype != np.float32 or array.shape != tuple(shape) \
            or not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError(f"{what}: a writeable, tight float32 array of shape {tuple(shape)} is wanted")
    return array


def rows(matrices: Any, count: int, what: str) -> np.ndarray:
    """Matrices as the library has them: (count, 4, 3), the images of the three axes and of the origin. Those of shape
    (count, 4, 4), as numpy and Blender write them, are turned into that."""
    array = np.asarray(matrices)
    if array.ndim == 3 and array.shape[1:] == (4, 4):
        array = array[:, :3, :].transpose(0, 2, 1)
    return numbers(array, np.float32, (count, 4, 3), what)


IDENTITY = _c.supMat34(_c.supVec3(1, 0, 0), _c.supVec3(0, 1, 0), _c.supVec3(0, 0, 1), _c.supVec3(0, 0, 0))


def mat34(matrix: Any) -> _c.supMat34:
    """One matrix, (4, 3) or (4, 4), as a struct. None is the identity."""
    if matrix is None:
        return IDENTITY
    if isinstance(matrix, _c.supMat34):
        return matrix
    return _c.supMat34.from_buffer_copy(rows(np.asarray(matrix)[None], 1, "matrix").data)


def vec3(vector: Sequence[float]) -> _c.supVec3:
    x, y, z = vector
    return _c.supVec3(x, y, z)


def text(words: Optional[str]) -> Optional[bytes]:
    return None if words is None else words.encode()


def path(name: Union[str, bytes, os.PathLike]) -> bytes:
    return os.fsencode(name)


def choices(enum: str) -> dict:
    """The words of an enum: {"auto": 0, "on": 1}."""
    members = _c.ENUMS[enum]
    prefix = os.path.commonprefix(list(members))
    while prefix and not all(name[len(prefix):len(prefix) + 1].isupper() for name in members):
        prefix = prefix[:-1]
    return {name[len(prefix):][:1].lower() + name[len(prefix):][1:]: number for name, number in members.items()}


def choose(enum: str, word: Union[str, int]) -> int:
    """The number of a word of an enum."""
    words = choices(enum)
    if word in words:
        return words[word]
    if isinstance(word, int) and word in words.values():
        return word
    raise ArgumentError(f"{word!r} is none of {', '.join(words)}")


def word(enum: str, number: int) -> str:
    return next((name for name, value in choices(enum).items() if value == number), str(number))


# ----------------------------------------------------------------------------------------------------------------
# Callbacks

def callback(struct: Any, field: str) -> Any:
    """The type of a function that a struct has as a field."""
    return dict(struct._fields_)[field]


class Notes(list):
    """What the library put right, a line each."""

    def __init__(self):
        super().__init__()
        kind = callback(_c.supLog, "note")
        self.log = _c.supLog(kind(lambda line, _: self.append(line.decode("utf-8", "replace"))), None)

    def done(self) -> list:
        """The lines alone, without a tie to the library."""
        return list(self)


class Watch:
    """Hands progress to a function of the caller's. What it raises ends the work, and is raised again afterwards."""

    def __init__(self, function: Optional[Callable[[str, float], Any]]):
        self.error: Optional[BaseException] = None
        self.function = function
        self.watch = _c.supWatch()
        if function is not None:
            self.watch.tell = callback(_c.supWatch, "tell")(self._tell)

    def _tell(self, stage: bytes, done: float, _: Any) -> bool:
        assert self.function is not None
        try:
            return self.function(stage.decode("utf-8", "replace") if stage else "", done) is not False
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
            return False

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self.error is not None:
            raise self.error


class Pool(Handle):
    """Threads for what takes long: `Pool()` has as many as the machine. Results never depend on it."""

    def __init__(self, workers: int = 0):
        made = lib.supDefaultPoolDef()
        made.workerCount = workers
        self._owner = Owner(create(lib.supCreatePool, byref(made)), lib.supDestroyPool)
        self.tasks = lib.supPool_Tasks(self._owner.pointer)


def tasks_of(pool: Optional[Pool]) -> Any:
    if pool is None:
        return None
    pool._pointer  # noqa: B018
    return ctypes.pointer(pool.tasks)
