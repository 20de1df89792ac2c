"""Supple: living flesh for skinned, animated characters.

    import supple

    character = supple.Character.load("fox.glb")
    model = supple.Model(character, supple.propose_rig(character))
    body, pose = model.body(), character.pose()
    for frame in range(60):
        body.step(pose.sample("Run", frame / 30), 1 / 30)
        positions, normals = body.skin()

The classes have the names of the C library, whose headers say more. Units are metres, kilograms, seconds and radians, with
y up. Matrices are (4, 3): the images of the three axes and of the origin; (4, 4) matrices are understood too.
"""
from ._native import (ArgumentError, Canceled, DataError, FileError, FormatError, LimitError, NotFoundError, OutOfMemory, Pool,
                      SuppleError, UnsupportedError, lib as _lib)
from .bake import (BakedClip, BakedHelper, BakedMesh, JointBake, MorphBake, MorphKeys, MorphTarget, Take, TakeInfo,
                   write_point_cache)
from .body import Body, Drawing, Editor, Element, ElementState, Helper, Model, drawing_names
from .character import (Character, Clip, ClipDef, Joint, JointDef, Look, Mesh, MeshDef, Pose, Skin, SkinDef, TrackDef,
                        creature_names)
from .gltf import Gltf
from .picture import Figure, Stage, write_movie, write_png, write_webp
from .rig import (Field, Layer, Proposal, Rig, add_fat, add_muscles, check_rig, layers, preset_names, propose, propose_rig,
                  read_rig, region_names, rig_schema, write_rig)

__version__ = _lib.supVersion().decode()

__all__ = [name for name in dir() if name[0] != "_" and name not in ("bake", "body", "character", "gltf", "picture", "rig")]
