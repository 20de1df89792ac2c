"""Pictures of characters as arrays, drawn without a window."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _c
from ._native import Handle, Notes, Owner, address, call, create, lib, numbers, path, rows, vec3
from .character import Character, Look
from .gltf import _look_pointer


class Stage(Handle):
    """A graphics driver without a window. Making one raises UnsupportedError where there is no driver."""

    def __init__(self):
        self._owner = Owner(create(lib.supCreateStage), lib.supDestroyStage)

    @property
    def driver(self) -> str:
        return lib.supStage_Driver(self._pointer).decode()

    def figure(self, character: Character, look: Optional[Look] = None) -> "Figure":
        """The character, ready to be drawn. `look`: None is the character's own."""
        return Figure(self, character, look)


class Figure(Handle):
    """A character's triangles and look, in the driver's memory."""

    def __init__(self, stage: Stage, character: Character, look: Optional[Look] = None):
        notes = Notes()
        pointer = create(lib.supCreateFigure, stage._pointer, character._pointer, _look_pointer(look or character.look), notes.log)
        self.stage, self.character, self.notes = stage, character, notes.done()
        self._owner = Owner(pointer, lib.supDestroyFigure, stage._owner, character._owner)

    def draw(self, positions: Any = None, normals: Any = None, *, joints: Any = None, width: int = 960, height: int = 720,
             yaw: float = 0.6, pitch: float = 0.2, supersample: int = 1, ground: bool = True, wireframe: bool = False,
             frame: Any = None, out: Optional[np.ndarray] = None) -> np.ndarray:
        """A picture, (height, width, 4) bytes of sRGB and alpha.

        `positions`: the skin, as `Body.skin` gives it; None: the smooth skin at `joints`, or at rest. `frame`: points that
        must be seen, (n, 3); None: `positions`. `out`: an array of that shape to draw into."""
        shape = self._shape(positions, normals, joints)
        view = lib.supDefaultView()
        view.width, view.height, view.supersample, view.yaw, view.pitch, view.ground = width, height, supersample, yaw, pitch, ground
        framing = lib.supBeginFraming(byref(view))
        if frame is None:
            lib.supFraming_Add(byref(framing), shape.positions, self.character.vertex_count, vec3((0, 0, 0)))
        else:
            points = numbers(frame, np.float32, (-1, 3), "frame")
            lib.supFraming_Add(byref(framing), address(points), len(points), vec3((0, 0, 0)))
        lib.supFraming_End(byref(framing), byref(view))
        actor = lib.supDefaultActor(self._pointer, shape)
        actor.wireframe = wireframe
        if out is None:
            out = np.empty((height, width, 4), np.uint8)
        elif out.shape != (height, width, 4) or out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise ValueError(f"out: a tight uint8 array of shape {(height, width, 4)} is wanted")
        pixels = _c.supPixels(width, height, address(out))
        call(lib.supStage_Draw, self.stage._pointer, byref(view), byref(actor), 1, byref(pixels))
        return out

    def _shape(self, positions: Any, normals: Any, joints: Any) -> _c.supShape:
        if positions is None:
            matrices = self.character.rest_joints if joints is None else rows(joints, self.character.joint_count, "joints")
            return lib.supFigure_Pose(self._pointer, address(matrices), None)
        size = (self.character.vertex_count, 3)
        self._kept = (numbers(positions, np.float32, size, "positions"),
                      None if normals is None else numbers(normals, np.float32, size, "normals"))
        return _c.supShape(address(self._kept[0]), address(self._kept[1]), None)


def _pixels(image: np.ndarray) -> Tuple[_c.supPixels, np.ndarray]:
    array = numbers(image, np.uint8, (-1, -1, 4), "image")
    return _c.supPixels(array.shape[1], array.shape[0], address(array)), array


def write_png(image: np.ndarray, file: Any) -> None:
    """Writes a (height, width, 4) picture as PNG."""
    pixels, _kept = _pixels(image)
    call(lib.supWritePng, byref(pixels), path(file))


def write_webp(image: np.ndarray, file: Any, quality: float = 90.0) -> None:
    """Writes a (height, width, 4) picture as WebP; quality 100 is lossless."""
    pixels, _kept = _pixels(image)
    call(lib.supWriteWebp, byref(pixels), quality, path(file))


def write_movie(frames: Sequence[np.ndarray], file: Any, fps: float = 30.0, quality: float = 75.0) -> None:
    """Writes pictures of one size as a moving WebP."""
    made, movie = lib.supDefaultMovieDef(), None
    for number, frame in enumerate(frames):
        pixels, _kept = _pixels(frame)
        if movie is None:
            made.width, made.height, made.quality = pixels.width, pixels.height, quality
            movie = Owner(create(lib.supCreateMovie, byref(made)), lib.supDestroyMovie)
        call(lib.supMovie_Add, movie.pointer, byref(pixels), (number + 1) / fps)
    if movie is None:
        raise ValueError("write_movie: there is no frame")
    call(lib.supMovie_Write, movie.pointer, path(file))
