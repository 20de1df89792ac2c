// Scenes of the bench: a character with flesh, posed, and everything that is measured on it.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_measure.h"
#include "bench_plain.h"
#include "input.h"
#include "supple/body.h"

enum
{
    sup_benchFrames = 32, ///< of the clip, over and over
    sup_benchElements =
        100, ///< of the body with many: as many as the spring bones that it is compared with have joints
};

typedef struct supBenchScene
{
    const char* name;
    supInput input;
    supCharacter* own; ///< where the scene made its character itself
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supMat34* joints; ///< sup_benchFrames poses of a clip at 60 Hz
    supMat34* palette;
    float* duals;
    int32_t jointCount, vertexCount, meshCount, placeCount, frame;
    supPlainJob* plain;     ///< one a mesh
    float *out[4], *source; ///< staggered
    void ( *plainRun )( void* job );
} supBenchScene;

/// A built-in character by its name or a file, with the automatic rig. Dropped in either case.
supResult supOpenBenchScene( supBenchScene* scene, const char* name, const char* path, supError* error );
/// The skin of `from`, again and again, up to `vertexCount` vertices in one mesh, without flesh; every vertex keeps its
/// first `influences` influences.
supResult supRepeatBenchScene( supBenchScene* scene, const supBenchScene* from, const char* name, int32_t vertexCount,
    int32_t influences, supError* error );
void supDropBenchScene( supBenchScene* scene );
/// Poses of another clip: that of this name, where there is one.
supResult supPoseBenchScene( supBenchScene* scene, const char* clip, supError* error );
/// The scene with a model and a body of another rig, which the caller destroys; all else is the first one's.
supResult supRerigBenchScene( const supBenchScene* from, const supRig* rig, supBenchScene* scene, supError* error );

// What cases run; each takes a supBenchScene*
void supBenchSkin( void* scene );
void supBenchSmooth( void* scene );
void supBenchSkinNormals( void* scene );
void supBenchSmoothNormals( void* scene );
void supBenchOrdered( void* scene );
void supBenchCopy( void* scene );  ///< 48 bytes a vertex: 12 of positions, 24 of influences, 12 written
void supBenchStep( void* scene );  ///< one frame further
void supBenchPause( void* scene ); ///< the next pose in a frame without time
void supBenchStand( void* scene ); ///< the same pose again
void supBenchFrame( void* scene ); ///< step and skin, positions and normals
