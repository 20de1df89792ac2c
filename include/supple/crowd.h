// Supple: a crowd is thousands of bodies, of several models, on several threads. Any number of threads gives the same
// bits.
// SPDX-License-Identifier: MIT
//
//     supCrowdDef def = supDefaultCrowdDef();
//     def.models = models;  def.modelCount = 2;  def.capacity = 1000;  def.tasks = supPool_Tasks( pool );
//     supCreateCrowd( &def, &crowd, &error );
//     int32_t who = supCrowd_Add( crowd, 0 );
//     supCrowd_SetFrame( crowd, who, &frame );     // where it stands now, where its vertices go
//     supCrowd_Run( crowd, dt );                   // steps and skins everybody
//
// Nothing is allocated after the crowd is made. Level of detail never shows as a jump: springs that are stepped less
// often are stepped over the whole time in closed form, and what is shown moves from the last result to the new one
// over the frames between; flesh that is left out fades; bodies that rest are passed over and go on, when something
// moves, as if they had been stepped all along.
#pragma once

#include "supple/body.h"

typedef struct supCrowd supCrowd;

typedef struct supCrowdDef
{
    const supModel* const* models; ///< they outlive the crowd
    int32_t modelCount;
    int32_t capacity; ///< the most bodies at once
    supTasks tasks;   ///< zeroed: the calling thread alone. May be changed later
    /// How long flesh takes to come or go when a level turns it on or off. Seconds, >= 0. Default 0.3
    float fadeTime;
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultCrowdDef
} supCrowdDef;

/// No models yet, one thread.
SUP_API supCrowdDef supDefaultCrowdDef( void );
/// Makes a crowd without bodies; the caller destroys it. Refuses: a def that supDefaultCrowdDef did not make, no
/// models, a capacity below 1, a fadeTime below 0.
SUP_API supResult supCreateCrowd( const supCrowdDef* def, supCrowd** out, supError* error );
/// Destroys it with its bodies. NULL is passed over.
SUP_API void supDestroyCrowd( supCrowd* crowd );

/// Adds a body at rest. Gives its number, which stays its own until it is removed, or -1 where the crowd is full.
SUP_API int32_t supCrowd_Add( supCrowd* crowd, int32_t model );
/// Takes a body out; its number may be given to another. A number that nobody has is passed over.
SUP_API void supCrowd_Remove( supCrowd* crowd, int32_t who );
/// A body of the crowd, to tune, push or look at; do not step it by hand. NULL where there is none.
SUP_API supBody* supCrowd_Body( supCrowd* crowd, int32_t who );

/// How much is done for a body.
typedef struct supCrowdLevel
{
    int32_t rate; ///< its springs are stepped every so many frames, 1 to 16; neighbours take turns. Default 1
    bool flesh;   ///< false: the smooth skin alone. Default true
    bool skin;    ///< false: no vertices, the springs alone (for helper joints on the GPU). Default true
    bool sleeps;  ///< passed over while it rests. Default true
    /// Vertices are written every so many frames, 1 to 16; neighbours take turns. In the others buffers keep what they
    /// have; one that was not written last is written at once. Default 1, and 0 is taken as it
    int32_t skinRate;
} supCrowdLevel;

/// Everything, in every frame.
SUP_API supCrowdLevel supDefaultCrowdLevel( void );
/// Sets the level of a body from the next frame on. Rates out of range are taken as the nearest.
SUP_API void supCrowd_SetLevel( supCrowd* crowd, int32_t who, supCrowdLevel level );

/// What the host says of a body for the coming frames. Buffers are the host's and are read and written during
/// supCrowd_Run.
typedef struct supCrowdFrame
{
    const supMat34* joints; ///< model-space matrices of every joint of its character; NULL: left out of coming frames
    supMat34 world;         ///< model space to world space
    float* positions;       ///< 3 floats per vertex; NULL: not wanted
    float* normals;         ///< likewise
    bool ordered;           ///< in our own order (supModel_SkinOrder) instead of the file's
} supCrowdFrame;

/// Says where a body is and where its vertices go, until it is said anew. The struct is copied.
SUP_API void supCrowd_SetFrame( supCrowd* crowd, int32_t who, const supCrowdFrame* frame );

/// Runs one frame for every body that has been given one: steps them all, then skins them. A body whose joints are
/// not finite keeps its last state.
SUP_API void supCrowd_Run( supCrowd* crowd, float dt );

typedef struct supCrowdReport
{
    int32_t bodies;  ///< in the crowd
    int32_t stepped; ///< whose springs were stepped in the last frame
    int32_t asleep;  ///< that were passed over, since they rest
    int32_t skinned;
    int32_t refused;   ///< whose joints or world were not finite, or absurd (supBody_Step)
    size_t memory;     ///< of the whole crowd. Bytes
    size_t bodyMemory; ///< of one body of the largest model. Bytes
    int64_t healed;    ///< `healed` of supBody_Counts, of all bodies together
} supCrowdReport;

/// What the last frame came to.
SUP_API supCrowdReport supCrowd_Report( const supCrowd* crowd );
