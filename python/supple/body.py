"""Models and bodies: a compiled rig, and the state that moves."""
from __future__ import annotations

import ctypes
from ctypes import byref
from dataclasses import dataclass
from operator import index
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c
from ._native import (IDENTITY, Handle, Owner, Watch, address, call, callback, choose, create, failure, lib, mat34, numbers,
                      output, rows, sure, text, vec3, view)
from .character import Character
from .rig import Rig, layer_number, rig_dict, rig_owner


@dataclass(frozen=True)
class Element:
    """What became of a flesh element. `vertices` and `weights` look into the model's memory."""

    name: str
    driver: int
    frame: np.ndarray  #: (4, 3) at rest, model space; y along the bone
    bone_length: float
    volume: float
    mass: float
    thickness: float
    frequency: float
    damping_ratio: float
    amount: float
    vertices: np.ndarray
    weights: np.ndarray
    reach: np.ndarray


@dataclass(frozen=True)
class Helper:
    """A helper joint: a child of `joint` that moves as a piece of flesh does."""

    name: str
    joint: int
    element: int
    turns: bool
    place: Tuple[float, float, float]


class Model(Handle):
    """A character with its compiled rig. It never changes, and any number of bodies share it."""

    def __init__(self, character: Character, rig: Rig, watch: Optional[Callable[[str, float], Any]] = None):
        """`watch( stage, done )` is called now and then; where it returns False, `Canceled` is raised."""
        made = lib.supDefaultMakeDef()
        rig_ = rig_owner(rig, character)
        with Watch(watch) as watching:
            made.watch = watching.watch
            out = ctypes.c_void_p()
            call(lib.supCompileModelWith, character._pointer, rig_.pointer, byref(made), byref(out))
        self.character = character
        self._owner = Owner(sure(out.value), lib.supDestroyModel, character._owner)

    @property
    def _info(self) -> _c.supModelInfo:
        return lib.supModel_Info(self._pointer).contents

    @property
    def elements(self) -> List[Element]:
        """The flesh elements, in the rig's order."""
        out, info = [], self._info
        for i in range(info.elementCount):
            it = info.elements[i]
            n, owner = it.vertexCount, self._owner
            frame = np.frombuffer(it.localFrame, np.float32).reshape(4, 3).copy()
            out.append(Element(it.name.decode(), it.driver, frame, it.boneLength, it.volume, it.mass, it.thickness,
                               it.frequency, it.dampingRatio, it.amount, view(owner, it.vertices, (n,), "<i4"),
                               view(owner, it.weights, (n,)), view(owner, it.reach, (n,))))
        return out

    @property
    def helpers(self) -> List[Helper]:
        """The helper joints, in the order of `Body.helper_joints`."""
        out, info = [], self._info
        for i in range(info.helperCount):
            it = info.helpers[i]
            out.append(Helper(it.name.decode(), it.joint, it.element, it.turns, (it.place.x, it.place.y, it.place.z)))
        return out

    @property
    def needs_morphs(self) -> bool:
        """Whether it has a layer that helper joints cannot carry."""
        return self._info.morphLayer >= 0

    def body(self) -> "Body":
        """A new body of it."""
        return Body(self)


# The two calls of the frame loop, without argument types: the arguments are kept as ctypes would convert them, which saves
# that in every frame. Both calls together then cost 0.55 us more than in C, 1.6% of a frame of 13,000 vertices (0.65 us with
# objects of c_void_p and c_float, 1.2 us with argument types).
_plain = ctypes.CDLL(lib._name)
_step, _skin = _plain.supBody_Step, _plain.supBody_Skin
_step.restype, _skin.restype = ctypes.c_int, None
_pointer_argument, _float_argument = ctypes.c_void_p.from_param, ctypes.c_float.from_param


@dataclass(frozen=True)
class ElementState:
    """How an element swings now. World space, metres."""

    elongation: Tuple[float, float, float]
    velocity: Tuple[float, float, float]
    anchor: Tuple[float, float, float]
    limited: bool


class Body(Handle):
    """One character on stage: the state that moves."""

    def __init__(self, model: Model):
        pointer = create(lib.supCreateBody, model._pointer)
        self._begin(model, Owner(pointer, lib.supDestroyBody, model._owner))

    def _begin(self, model: Any, owner: Owner) -> None:
        self.model = model
        self.character = model.character
        self._owner = owner
        self._at: Any = _pointer_argument(owner.pointer)
        self._model_owner = model._owner
        self._count = model.character.joint_count
        self._shape = (model.character.vertex_count, 3)
        # the last arrays that were handed in, and where they are: asking numpy costs more than the call itself
        self._joints: Any = ()
        self._joints_at = _pointer_argument(None)
        self._positions: Any = None
        self._positions_at = _pointer_argument(None)
        self._normals: Any = None
        self._normals_at = _pointer_argument(None)
        self._dt, self._dt_argument = 0.0, _float_argument(0.0)

    def close(self) -> None:
        self._at = None
        super().close()

    # -- time

    def step(self, joints: np.ndarray, dt: float, world: Any = None) -> None:
        """Moves on by `dt` seconds, to where the joints are now.

        `joints`: model-space matrices of all joints, (n, 4, 3) float32, as `Pose.joints` has them (no copy), or (n, 4, 4).
        `world`: where the character stands, (4, 3) or (4, 4). Refused where something is not finite or absurd."""
        if joints is not self._joints:
            self._take_joints(joints)
        if dt != self._dt:
            self._dt, self._dt_argument = dt, _float_argument(dt)
        code = _step(self._at or self._pointer, self._joints_at, IDENTITY if world is None else mat34(world), self._dt_argument)
        if code:
            raise failure(code, "the step is refused: joints, world or dt are not finite, or beyond all bounds")

    def _take_joints(self, joints: Any) -> None:
        self._joints = rows(joints, self._count, "joints")
        self._joints_at = _pointer_argument(address(self._joints))

    def reset(self) -> None:
        """Puts it to rest: no elongation, no speed, no memory of earlier steps."""
        lib.supBody_Reset(self._pointer)

    def teleport(self, start: Any, end: Any) -> None:
        """It was moved from one place to another without travelling."""
        lib.supBody_Teleport(self._pointer, mat34(start), mat34(end))

    @property
    def is_at_rest(self) -> bool:
        return lib.supBody_IsAtRest(self._pointer)

    # -- output

    def skin(self, positions: Optional[np.ndarray] = None, normals: Union[np.ndarray, bool, None] = True) \
            -> Tuple[np.ndarray, Optional[np.ndarray]]:
        """Writes the living skin, in model space, and gives (positions, normals).

        Arrays that are handed in, (vertices, 3) float32, are written in place; others are made. `normals` None or False:
        not wanted."""
        if positions is None or positions is not self._positions or normals is not self._normals:
            self._outputs(positions, normals)
        _skin(self._at or self._pointer, self._positions_at, self._normals_at)
        return self._positions, self._normals

    def smooth_skin(self, positions: Optional[np.ndarray] = None, normals: Union[np.ndarray, bool, None] = True) \
            -> Tuple[np.ndarray, Optional[np.ndarray]]:
        """The same as if the body had no flesh."""
        self._outputs(positions, normals)
        lib.supBody_SmoothSkin(self._pointer, self._positions_at, self._normals_at)
        return self._positions, self._normals

    def _outputs(self, positions: Any, normals: Any) -> None:
        if positions is None or positions is not self._positions:
            array = np.empty(self._shape, np.float32) if positions is None else output(positions, self._shape, "positions")
            self._positions, self._positions_at = array, _pointer_argument(address(array))
        if normals is None or normals is False:
            self._normals, self._normals_at = None, _pointer_argument(None)
        elif normals is True:
            self._normals = np.zeros(self._shape, np.float32)  # those of meshes without normals are left alone
            self._normals_at = _pointer_argument(address(self._normals))
        elif normals is not self._normals:
            self._normals = output(normals, self._shape, "normals")
            self._normals_at = _pointer_argument(address(normals))

    def helper_joints(self) -> np.ndarray:
        """Model-space matrices of the model's helper joints, (n, 4, 3)."""
        out = np.empty((lib.supModel_Info(self._model_owner.pointer).contents.helperCount, 4, 3), np.float32)
        lib.supBody_HelperJoints(self._pointer, address(out))
        return out

    def set_morph_weights(self, weights: Any) -> None:
        """Weights of the morph targets of all meshes for the next skin; None: the defaults."""
        if weights is not None:
            weights = numbers(weights, np.float32, (self.character.morph_weight_count,), "weights")
        lib.supBody_SetMorphWeights(self._pointer, address(weights))

    def set_skinning(self, method: str) -> None:
        """ "linear" or "dualQuaternion"."""
        lib.supBody_SetSkinning(self._pointer, choose("supSkinning", method))

    def set_exact(self, exact: bool) -> None:
        """Whether to skin in double precision, with the same bits on every machine."""
        lib.supBody_SetExact(self._pointer, exact)

    # -- forces and live fields

    def set_gravity(self, gravity: Sequence[float]) -> None:
        """In world space. m/s^2"""
        lib.supBody_SetGravity(self._pointer, vec3(gravity))

    def set_wind(self, wind: Sequence[float]) -> None:
        """In world space. m/s"""
        lib.supBody_SetWind(self._pointer, vec3(wind))

    def set_field(self, layer: Any, item: int, field: str, value: float) -> None:
        """Changes a live field of an item while it runs: body.set_field("elements", 0, "frequency", 3)."""
        call(lib.supBody_SetField, self._pointer, layer_number(layer), index(item), text(field), float(value))

    def field(self, layer: Any, item: int, field: str) -> float:
        """The value of a live field now; NaN where there is none."""
        return lib.supBody_Field(self._pointer, layer_number(layer), index(item), text(field))

    def draw(self, what: str) -> "Drawing":
        """What there is to see of a thing, as the body stands now: "muscles", "ecorche", "fat" (see `drawing_names`)."""
        sketch = _Sketch()
        if not lib.supBody_Draw(self._pointer, text(what), byref(sketch.draw)):
            raise failure(_c.sup_errorNotFound, f'there is no "{what}" to draw: {", ".join(drawing_names())}')
        return sketch.done()

    def element(self, element: int) -> ElementState:
        """How a flesh element swings now."""
        if not 0 <= element < lib.supModel_Info(self._model_owner.pointer).contents.elementCount:
            raise failure(_c.sup_errorNotFound, f"there is no element {element}")
        it = lib.supBody_Element(self._pointer, element)
        elongation, velocity, anchor = ((one.x, one.y, one.z) for one in (it.elongation, it.velocity, it.anchor))
        return ElementState(elongation, velocity, anchor, it.limited)


@dataclass(frozen=True)
class Drawing:
    """What there is to see of one thing: in model space, colours linear with alpha."""

    lines: np.ndarray  #: (n, 2, 3)
    line_colors: np.ndarray  #: (n, 4)
    points: np.ndarray  #: (n, 3)
    point_colors: np.ndarray  #: (n, 4)
    triangles: np.ndarray  #: (n, 3, 3)
    triangle_normals: np.ndarray  #: (n, 3, 3); zero where it faces as the triangle does
    triangle_colors: np.ndarray  #: (n, 3, 4)
    scalars: Optional[np.ndarray]  #: one for each vertex, 0 to 1
    colors: Optional[np.ndarray]  #: (vertices, 4)


class _Sketch:
    """Gathers what the library draws."""

    def __init__(self):
        self.lines: List[Any] = []
        self.points: List[Any] = []
        self.triangles: List[np.ndarray] = []
        self.scalars: Optional[np.ndarray] = None
        self.colors: Optional[np.ndarray] = None
        self.draw = _c.supDraw()
        for name in ("line", "point", "triangles", "scalars", "colors"):
            setattr(self.draw, name, callback(_c.supDraw, name)(getattr(self, f"_{name}")))

    def _line(self, start: Any, end: Any, color: Any, _width: float, _: Any) -> None:
        self.lines.append((start.x, start.y, start.z, end.x, end.y, end.z, color.r, color.g, color.b, color.a))

    def _point(self, at: Any, color: Any, _diameter: float, _: Any) -> None:
        self.points.append((at.x, at.y, at.z, color.r, color.g, color.b, color.a))

    def _triangles(self, corners: Any, count: int, _: Any) -> None:
        size = ctypes.sizeof(_c.supDrawCorner) * 3 * count
        bytes_ = ctypes.string_at(ctypes.cast(corners, ctypes.c_void_p), size)
        self.triangles.append(np.frombuffer(bytes_, np.float32).reshape(count, 3, -1))

    def _scalars(self, values: int, count: int, _: Any) -> None:
        self.scalars = np.frombuffer(ctypes.string_at(values, 4 * count), np.float32)

    def _colors(self, values: int, count: int, _: Any) -> None:
        self.colors = np.frombuffer(ctypes.string_at(values, 16 * count), np.float32).reshape(count, 4)

    def done(self) -> Drawing:
        lines = np.array(self.lines, np.float32).reshape(-1, 10)
        points = np.array(self.points, np.float32).reshape(-1, 7)
        corners = np.concatenate(self.triangles) if self.triangles else np.empty((0, 3, 10), np.float32)
        return Drawing(lines[:, :6].reshape(-1, 2, 3), lines[:, 6:], points[:, :3], points[:, 3:], corners[..., :3],
                       corners[..., 3:6], corners[..., 6:], self.scalars, self.colors)


def drawing_names() -> List[str]:
    """What `Body.draw` knows."""
    names, out = lib.supBody_DrawNames(), []
    while names[len(out)]:
        out.append(names[len(out)].decode())
    return out


class _EditedModel(Model):
    """The model of an editor, as it is now."""

    def __init__(self, character: Character, owner: Owner):  # pylint: disable=super-init-not-called
        self.character = character
        self._owner = owner


class _EditedBody(Body):
    def __init__(self, model: Model, owner: Owner):  # pylint: disable=super-init-not-called
        self._begin(model, owner)


class Editor(Handle):
    """A body whose rig changes while it runs: any field of any item, by one call."""

    def __init__(self, character: Character, rig: Rig):
        rig_ = rig_owner(rig, character)
        pointer = create(lib.supCreateEditor, character._pointer, rig_.pointer, None)
        self.character = character
        self._owner = Owner(pointer, lib.supDestroyEditor, character._owner)
        self._body: Optional[Body] = None

    @property
    def body(self) -> Body:
        """The body. Ask for it anew after each edit: an edit that compiles replaces it, and closes the one before."""
        if self._body is None:
            it = lib.supEditor_View(self._pointer)
            model = _EditedModel(self.character, Owner(it.model, None, self._owner))
            self._body = _EditedBody(model, Owner(it.body, None, self._owner))
        return self._body

    @property
    def model(self) -> Model:
        return self.body.model

    @property
    def rig(self) -> Rig:
        """The rig as it is now."""
        return rig_dict(Owner(lib.supEditor_View(self._pointer).rig, None, self._owner))

    def set(self, layer: Any, item: int, field: str, value: float) -> None:
        """Sets a number, a length, a switch or a choice (as its number). On an error nothing has changed."""
        call(lib.supEditor_SetNumber, self._pointer, layer_number(layer), index(item), text(field), float(value))
        if lib.supEditor_View(self._pointer).compiled and self._body is not None:
            self._body.model.close()
            self._body.close()
            self._body = None

    def number(self, layer: Any, item: int, field: str) -> float:
        """The number of a field now; NaN where there is none."""
        return lib.supEditor_Number(self._pointer, layer_number(layer), index(item), text(field))

    def close(self) -> None:
        if self._body is not None:
            self._body.model.close()
            self._body.close()
            self._body = None
        super().close()
