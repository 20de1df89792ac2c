// Muscles as parts that tense, for layers above them.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscles.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/muscles/muscle_frame.h"

int32_t supTensingMuscleCount( const void* compiled )
{
    return ( (const supMuscles*)compiled )->count;
}

const char* supTensingMuscleName( const void* compiled, int32_t part )
{
    return ( (const supMuscles*)compiled )->muscles[part].name;
}

/// How far a point is from a segment of a strand whose section is taken for a circle of the mean radius.
static float supSegmentGap( const supStrandVertex* a, const supStrandVertex* b, supVec3 p )
{
    supVec3 way = supSub( b->middle, a->middle );
    float square = supLengthSquared( way );
    float t = square > 0.0f ? supClampF( supDot( supSub( p, a->middle ), way ) / square, 0.0f, 1.0f ) : 0.0f;
    float radius = 0.5f * ( ( 1.0f - t ) * ( a->width + a->depth ) + t * ( b->width + b->depth ) );
    return supDistance( p, supMulAdd( a->middle, t, way ) ) - radius;
}

static float supMuscleGap( const supMuscle* muscle, const supMuscleFrame* now, supVec3 p )
{
    float least = 1e30f;
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        const supStrandVertex* strand = now->strands + muscle->firstStrandVertex + (ptrdiff_t)k * muscle->vertexCount;
        for ( int32_t i = 0; i + 1 < muscle->vertexCount; ++i )
        {
            least = supMinF( least, supSegmentGap( strand + i, strand + i + 1, p ) );
        }
    }
    return least;
}

bool supMuscleDistances(
    const supEarlierLayer* self, const supLayerContext* context, const supVec3* points, int32_t pointCount, float* out )
{
    const supMuscles* muscles = self->compiled;
    size_t size = supMuscleFrame_Size( muscles );
    void* memory = supAlloc( context->allocator, size, SUP_MAX_ALIGNMENT );
    if ( memory == NULL )
    {
        return false;
    }
    supMuscleFrame now;
    supMuscleFrame_Place( &now, muscles, memory );
    supMuscleFrame_Pose( &now, muscles, supCharacter_Info( context->character )->restJoints, self->live, NULL );
    for ( int32_t i = 0; i < pointCount; ++i )
    {
        for ( int32_t m = 0; m < muscles->count; ++m )
        {
            *out++ = supMuscleGap( muscles->muscles + m, &now, points[i] );
        }
    }
    supFree( context->allocator, memory, size );
    return true;
}

void supMuscleTensions( const supEarlierLayer* self, float* out )
{
    const supMuscles* muscles = self->compiled;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        out[m] = supMuscleContraction( muscles, m, self->live, self->shown );
    }
}
