// Springs in bulk: what all paths share.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"
#include "supple/lab/machine.h"

/// One frame of all elements of a body.
typedef struct supFleshJob
{
    const supFlesh* flesh;
    supFleshState* state;
    const supMat34* joints;
    supMat34 world;
    supVec3 travel;   ///< of the world's origin since the last frame
    supFleshRow move; ///< rows that take what the anchors moved by
} supFleshJob;

/// The kernels of one path. All paths give the same bits.
typedef struct supFleshKernels
{
    /// Arms, moves, next turns and next pulls of a frame.
    void ( *readFrame )( const supFleshJob* job );
    /// The linear map of solve/spring_step.h, from pull to next pull, which becomes the pull; puts to rest what has
    /// faded.
    void ( *advance )( supFleshState* state );
    /// From elongations to what is shown; gives how many feel their limit.
    int32_t ( *show )( supFleshState* state );
    /// What is shown, through a linear map: a vector an element.
    void ( *readShown )( const supFleshState* state, supMat34 map, supVec3* out );
} supFleshKernels;

extern const supFleshKernels supFleshKernelsScalar, supFleshKernelsSse2, supFleshKernelsAvx2, supFleshKernelsNeon,
    supFleshKernelsWasm;

/// For a set of instructions; the scalar ones where it was not compiled in.
const supFleshKernels* supFindFleshKernels( supSimd simd );
