// The pieces of the écorché's surface.
// SPDX-License-Identifier: MIT

#include "layers/muscles/ecorche_compile.h"

#include "base/math.h"

/// Blending width of a section of sharpness 1, as a share of the smaller radius.
static const float supSoftest = 0.7f;

static int32_t supCountFilling( const supMuscles* muscles )
{
    int32_t count = 0;
    for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
    {
        count += muscles->ellipsoids[e].fills;
    }
    return count;
}

int32_t supCountSegments( const supMuscles* muscles )
{
    return muscles->strandVertexCount - muscles->strandCount;
}

int32_t supCountPieces( const supMuscles* muscles )
{
    return muscles == NULL ? 0 : supCountSegments( muscles ) + supCountFilling( muscles );
}

static supImplicitBlob supSegmentOf( const supMuscleFrame* now, int32_t i, float sharpA, float sharpB, int32_t group )
{
    const supStrandVertex *a = now->strands + i, *b = now->strands + i + 1;
    supImplicitBlob piece = supMakeCapsule( a->middle, b->middle, a->width, b->width, 0.0f, group );
    piece.thin = supNormalize( supAdd( a->deep, b->deep ) );
    piece.flatA = a->width / a->depth;
    piece.flatB = b->width / b->depth;
    piece.blendA = supSoftest * supMinF( a->width, a->depth ) / sharpA;
    piece.blendB = supSoftest * supMinF( b->width, b->depth ) / sharpB;
    return piece;
}

/// Of the segment of a muscle's line from vertex `i` to the next.
static float supSharpnessOf( const supMuscles* muscles, const supMuscle* muscle, const float* live, int32_t i )
{
    const supLineVertex* vertex = muscles->vertices + muscle->firstVertex + i;
    float belly = live[sup_muscleSharpness], tendon = live[sup_muscleTendonSharpness];
    float own = supMusclePointLiveOf( muscle, live, vertex->anchor )[sup_musclePointSharpness];
    return own * ( belly + ( tendon - belly ) * vertex->tendon );
}

/// Sharpness belongs to segments; at a vertex the mean of both, so that it is continuous along the line.
static int32_t supPlaceStrands(
    const supMuscles* muscles, const supMuscleFrame* now, const float* allLive, supImplicitReady* out )
{
    int32_t count = 0, group = 0;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        const float* live = allLive + muscle->liveAt;
        for ( int32_t k = 0; k < muscle->strandCount; ++k, ++group )
        {
            int32_t first = muscle->firstStrandVertex + k * muscle->vertexCount, last = muscle->vertexCount - 2;
            for ( int32_t i = 0; i <= last; ++i )
            {
                float sharp = supSharpnessOf( muscles, muscle, live, i );
                float before = i > 0 ? supSharpnessOf( muscles, muscle, live, i - 1 ) : sharp;
                float after = i < last ? supSharpnessOf( muscles, muscle, live, i + 1 ) : sharp;
                supImplicitBlob piece =
                    supSegmentOf( now, first + i, 0.5f * ( before + sharp ), 0.5f * ( sharp + after ), group );
                out[count++] = supImplicitBlob_Ready( &piece );
            }
        }
    }
    return count;
}

static supImplicitBlob supEllipsoidOf( supMat34 m, int32_t group )
{
    const float radii[3] = { supLength( m.x ), supLength( m.y ), supLength( m.z ) };
    const supVec3 axes[3] = { supNormalize( m.x ), supNormalize( m.y ), supNormalize( m.z ) };
    float smallest = supMinF( radii[0], supMinF( radii[1], radii[2] ) );
    return supMakeEllipsoid( m.t, axes, radii, supSoftest * smallest, group );
}

void supPlacePieces( const supMuscles* muscles, const supMuscleFrame* now, const float* live, supImplicitReady* out )
{
    int32_t count = supPlaceStrands( muscles, now, live, out ), group = muscles->strandCount;
    for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
    {
        if ( muscles->ellipsoids[e].fills )
        {
            supImplicitBlob piece = supEllipsoidOf( now->ellipsoids[e], group++ );
            out[count++] = supImplicitBlob_Ready( &piece );
        }
    }
}

/// A segment of a strand: the joints of both ends of the line's segment.
static int32_t supSegmentJoints( const supMuscles* muscles, int32_t piece, int32_t* muscle, int32_t joints[4] )
{
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* one = muscles->muscles + m;
        int32_t segments = one->strandCount * ( one->vertexCount - 1 );
        if ( one->strandCount > 0 && piece < segments )
        {
            int32_t vertex = one->firstVertex + piece % ( one->vertexCount - 1 );
            int32_t anchor = muscles->vertices[vertex].anchor, last = one->anchorCount - 1;
            *muscle = m;
            for ( int k = 0; k < 2; ++k )
            {
                int32_t at = one->firstAnchor + ( anchor + k < last ? anchor + k : last );
                joints[2 * k] = muscles->anchors[at].joint;
                joints[2 * k + 1] = muscles->anchors[at].other;
            }
            return 4;
        }
        piece -= one->strandCount > 0 ? segments : 0;
    }
    return 0;
}

int32_t supPieceJoints( const supMuscles* muscles, int32_t piece, int32_t* muscle, int32_t joints[4] )
{
    int32_t segments = supCountSegments( muscles );
    if ( piece < segments )
    {
        return supSegmentJoints( muscles, piece, muscle, joints );
    }
    piece -= segments;
    for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
    {
        if ( muscles->ellipsoids[e].fills && piece-- == 0 )
        {
            *muscle = muscles->ellipsoids[e].muscle;
            joints[0] = muscles->ellipsoids[e].joint;
            return 1;
        }
    }
    return 0;
}
