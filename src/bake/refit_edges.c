// What fitting has cost: the largest error, and how much errors differ between neighbours.
// SPDX-License-Identifier: MIT
//
// An error of a millimetre is not seen where its neighbours have it too; among exact ones it is a dent.
//
// Tried: fitting vertices once more to their neighbours' mean error. The largest jump stayed as it was, since there are
// but few ways to choose four influences; another mixed helper for the worst vertices does away with it.

#include "bake/refit.h"
#include "base/math.h"

#include <string.h>

/// The square of the largest difference of two refitted vertices' errors in any frame; of one from none where the other
/// is -1.
static double supJumpOf( const supRefitWork* work, int32_t first, int32_t second )
{
    size_t frames = (size_t)work->frames->count;
    int32_t a = first >= 0 ? first : second, b = first >= 0 ? second : first;
    if ( a < 0 )
    {
        return 0.0;
    }
    const supVec3* errors = work->frameErrors + (size_t)a * frames;
    const supVec3* others = b >= 0 ? work->frameErrors + (size_t)b * frames : NULL;
    double largest = 0.0;
    for ( size_t f = 0; f < frames; ++f )
    {
        supVec3 jump = others != NULL ? supSub( errors[f], others[f] ) : errors[f];
        largest = supMax( largest, supLengthSquared( jump ) );
    }
    return largest;
}

static void supMarkDent( const supRefitWork* work, int32_t refit, float* dented )
{
    if ( refit >= 0 )
    {
        dented[refit] = work->errors[refit];
    }
}

/// Over the edges of all meshes. Gives the largest jump; marks the ends of those that are seen.
static double supLookAtEdges( const supRefitWork* work, const int32_t* refitOf, float seen, float* dented )
{
    const supJointBake* bake = work->bake;
    double largest = 0.0;
    for ( int32_t m = 0; m < bake->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( bake->model->character, m );
        const int32_t* at = refitOf + mesh.firstVertex;
        for ( int32_t i = 0; bake->meshes[m].changed && i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                int32_t a = at[mesh.indices[i + k]], b = at[mesh.indices[i + ( k + 1 ) % 3]];
                float bound = ( a >= 0 ? work->errors[a] : 0.0f ) + ( b >= 0 ? work->errors[b] : 0.0f );
                if ( (double)bound * bound <= largest && bound <= seen )
                {
                    continue;
                }
                double jump = supJumpOf( work, a, b );
                largest = supMax( largest, jump );
                if ( jump > (double)seen * seen )
                {
                    supMarkDent( work, a, dented );
                    supMarkDent( work, b, dented );
                }
            }
        }
    }
    return supSqrt( largest );
}

supResult supMeasureRefits( const supRefitWork* work, float seen, float* dented, supError* error )
{
    supJointBake* bake = work->bake;
    const supRefit* refits = bake->refits.data;
    size_t vertices = (size_t)supCharacter_Info( bake->model->character )->vertexCount;
    int32_t* refitOf = supAllocZeroed( &bake->allocator, vertices, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( refitOf == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to measure %zu vertices", vertices );
    }
    memset( refitOf, 0xff, vertices * sizeof( int32_t ) );
    bake->refitError = 0.0f;
    for ( int32_t i = 0; i < (int32_t)bake->refits.count; ++i )
    {
        refitOf[bake->model->offsets.touched[refits[i].row]] = i;
        bake->refitError = supMaxF( bake->refitError, work->errors[i] );
    }
    memset( dented, 0, bake->refits.count * sizeof( float ) );
    bake->refitEdgeJump = (float)supLookAtEdges( work, refitOf, seen, dented );
    supFree( &bake->allocator, refitOf, vertices * sizeof( int32_t ) );
    return sup_success;
}
