// A shot: a character on stage, and where its skin is at any time.
// SPDX-License-Identifier: MIT
#pragma once

#include "input.h"
#include "supple/bake.h"
#include "supple/picture.h"

/// Living skin: a model on the character, one clip of it simulated, and room for the vertices.
typedef struct supShotLife
{
    supModel* model;
    supBody* body;
    supTake* take;        ///< NULL where there is no clip
    supVec3* elongations; ///< one an element
    float* positions;
    float* normals;
    bool hasNormals; ///< every mesh of the file has them
} supShotLife;

typedef struct supShot
{
    supInput input;
    supPose* pose; ///< at the time that was asked for last
    supFigure* figure;
    int32_t clip;        ///< -1: the file has none, or none is wanted
    double start, end;   ///< of the clip. Seconds
    supVec3 up;          ///< across the floor
    supVec3 standing;    ///< middle of the smooth skin's vertices on the floor, at that time; of those it floats with
    const float* smooth; ///< its vertices themselves
    int32_t* close;      ///< vertices that the camera frames; NULL: all of them
    int32_t closeCount;
    bool floats; ///< it stands in the middle of these, wherever in the air that is
    bool living;
    supShotLife life;
} supShot;

/// Opens a file or a built-in character and puts it on stage. `clip` NULL: the first one, of the added motions where
/// there are any; "none": as the file stands. Notes go to stderr. The shot must be released in either case.
supResult supOpenShot( supShot* shot, supStage* stage, const supInputDef* def, const char* clip, supError* error );
void supReleaseShot( supShot* shot );

/// Brings the skin to life with this rig (see supInput_Rig).
supResult supShot_Animate( supShot* shot, const char* rigPath, const supProposeChoices* choices, supError* error );

/// Frames the skin that hangs most of all on some joints: names with commas between.
supResult supShot_CloseUp( supShot* shot, const char* list, supError* error );

/// Plays another clip of the file.
void supShot_Play( supShot* shot, int32_t clip );
/// Simulates the clip that plays, where the skin is living and that has not been done.
supResult supShot_Record( supShot* shot, supWatch watch, supError* error );
/// Without that: the living skin `dt` seconds after the last such step. Quick, and not quite what is drawn: nothing of
/// a cycle's rounds before. Vertices of the shot's own; `smooth` is set.
const float* supShot_StepTo( supShot* shot, double time, float dt );

/// The skin at a time of the clip, in any order; a living one must be recorded. Arrays of the shot's own, good until
/// the next call.
supShape supShot_At( supShot* shot, double time );

/// Fails where the time is outside the clip, and names what is inside.
supResult supShot_CheckTime( const supShot* shot, double time, supError* error );
