// How steeply an element's motion rises over the skin.
// SPDX-License-Identifier: MIT
//
// Flesh that is shifted by u moves a vertex of weight w by w u, so two places of the skin that are d apart part by
// |grad w| d u. Where |grad w| u comes near 1 the skin between them is stretched to twice its length on one side and
// folded on the other: that is a crease, whatever made the weights steep (a short bone in a thick body, a ball that
// ends in the middle of a face, a mesh of few large triangles). So the ceiling of an element follows from how steep it
// is.

#include "auto/propose.h"
#include "base/math.h"
#include "base/memory.h"

enum
{
    supSteepBins = 256,
};

/// The steepest triangles, this share of the surface that moves, are left out: slivers, and single points.
static const float supSteepShare = 0.03f;
/// Steepness is counted in steps of this. Thickness of the flesh in each way along the skin
static const float supSteepStep = 0.05f;

/// |grad w| on a triangle, and its area.
static float supSlopeOf( const supVec3 p[3], const float w[3], float* area )
{
    supVec3 a = supSub( p[1], p[0] ), b = supSub( p[2], p[0] ), normal = supCross( a, b );
    float twice = supLength( normal ), wa = w[1] - w[0], wb = w[2] - w[0];
    *area = 0.5f * twice;
    // |wa b - wb a| / |a x b|: the gradient turned by a quarter
    return twice > 0.0f ? supLength( supSub( supScale( b, wa ), supScale( a, wb ) ) ) / twice : 0.0f;
}

static float supMeasureElement( const supPlan* plan, const supElementView* view, const float* weights )
{
    float bins[supSteepBins] = { 0.0f }, all = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supVec3 p[3];
            float w[3], area;
            for ( int k = 0; k < 3; ++k )
            {
                w[k] = weights[mesh.firstVertex + (int32_t)mesh.indices[i + k]];
            }
            if ( w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f )
            {
                continue;
            }
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supPlan_Vertex( plan, mesh.firstVertex + (int32_t)mesh.indices[i + k] );
            }
            float slope = supSlopeOf( p, w, &area ) * view->thickness / supSteepStep;
            bins[slope < (float)( supSteepBins - 1 ) ? (int32_t)slope : supSteepBins - 1] += area;
            all += area;
        }
    }
    float left = supSteepShare * all;
    for ( int32_t b = supSteepBins - 1; b >= 0; --b )
    {
        if ( left < bins[b] )
        {
            return ( (float)b + 1.0f - left / bins[b] ) * supSteepStep;
        }
        left -= bins[b];
    }
    return 0.0f;
}

supResult supFindSteepness( supSketch* sketch, const supModel* model, const supAllocator* allocator, supError* error )
{
    size_t count = (size_t)supCharacter_Info( sketch->plan.character )->vertexCount;
    float* weights = supAllocZeroed( allocator, count + 1, sizeof( float ), _Alignof( float ) );
    if ( weights == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to measure weights on %zu vertices", count );
    }
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supElementView view = supModel_Info( model )->elements[i];
        for ( int32_t k = 0; k < view.vertexCount; ++k )
        {
            weights[view.vertices[k]] = view.weights[k];
        }
        sketch->elements[i].steepness = supMeasureElement( &sketch->plan, &view, weights );
        for ( int32_t k = 0; k < view.vertexCount; ++k )
        {
            weights[view.vertices[k]] = 0.0f;
        }
    }
    supFree( allocator, weights, ( count + 1 ) * sizeof( float ) );
    return sup_success;
}
