// The frame loop in C for bench/python_speed.py: the same calls on the same body and arrays as Python's, in one
// process, so that nothing but the language differs.
// SPDX-License-Identifier: MIT
#include "supple/body.h"

typedef supResult supStepFunction( supBody* body, const supMat34* joints, supMat34 world, float dt );
typedef void supSkinFunction( supBody* body, float* positions, float* normals );

/// `step` and `skin` are the library's own, handed in by whoever has loaded it.
SUP_API int supRunFrames( supStepFunction* step, supSkinFunction* skin, supBody* body, const supMat34* joints, float dt,
    float* positions, float* normals, int count );

int supRunFrames( supStepFunction* step, supSkinFunction* skin, supBody* body, const supMat34* joints, float dt,
    float* positions, float* normals, int count )
{
    int refused = 0;
    for ( int i = 0; i < count; ++i )
    {
        refused += step( body, joints, supMat34_identity, dt ) != sup_success;
        skin( body, positions, normals );
    }
    return refused;
}
