// A character with flesh on it, shown at any moment of its clips.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/bake.h"

typedef struct supPerformer
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supPose* pose;
    supTake* take;     // of the clip that plays
    int32_t clip;      // -1: none yet
    double start, end; // of the clip, s
    int32_t vertexCount;
    float *smooth, *living; // the two skins at the last moment shown, 3 a vertex
    supVec3 offset;         // what brings it back to where it began: the root's way over the ground
} supPerformer;

/// Puts elements on a character, which must outlive it.
supResult supMakePerformer(
    const supCharacter* character, const supElementDef* elements, int count, supPerformer* out, supError* error );
/// The same with a whole rig, which it does not keep.
supResult supMakeRiggedPerformer(
    const supCharacter* character, const supRig* rig, supPerformer* out, supError* error );
void supDropPerformer( supPerformer* performer );

/// Takes up a clip by name. Loops are in their steady state, other clips begin settled.
supResult supPerformer_Play( supPerformer* performer, const char* clip, supError* error );
/// Both skins at a time of the clip.
supResult supPerformer_Show( supPerformer* performer, double time, supError* error );
/// How far the farthest vertex is from the smooth skin. Metres
double supPerformer_Farthest( const supPerformer* performer );
