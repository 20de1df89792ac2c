// The body's parts as capsules, fitted to the skin at rest.
// SPDX-License-Identifier: MIT

#include "layers/contact/body_capsules.h"

#include "base/math.h"
#include "base/memory.h"

#include <stdlib.h>

enum
{
    supLeastVertices = 8 ///< of a part
};

/// The joint that carries most of each vertex.
static void supFindParts( const supCharacter* character, int32_t* parts )
{
    const int32_t* paletteJoints = supCharacter_PaletteJoints( character );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            // influences are ordered by falling weight
            size_t at = (size_t)v * (size_t)mesh.influenceCount;
            parts[mesh.firstVertex + v] = paletteJoints[mesh.firstPalette + mesh.jointIndices[at]];
        }
    }
}

static supVec3 supMiddleOfPart( const supCharacter* character, const int32_t* parts, int32_t joint, int32_t* count )
{
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    supVec3d sum = { 0.0, 0.0, 0.0 };
    *count = 0;
    for ( int32_t v = 0; v < supCharacter_VertexCount( character ); ++v )
    {
        if ( parts[v] == joint )
        {
            sum = supAddD( sum, supToDouble( rest[v] ) );
            *count += 1;
        }
    }
    return supToFloat( supScaleD( sum, *count > 0 ? 1.0 / *count : 0.0 ) );
}

/// Where the part's line ends: the middle of the joint's skinned children, or as far past the skin's middle as the
/// joint is before it.
static supVec3 supEndOfPart( const supCharacter* character, const int32_t* parts, int32_t joint, supVec3 middle )
{
    const supMat34* rest = supCharacter_RestJoints( character );
    supVec3 sum = supVec3_zero;
    int32_t count = 0, vertices;
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        if ( supCharacter_JointParent( character, j ) == joint )
        {
            supMiddleOfPart( character, parts, j, &vertices );
            sum = vertices > 0 ? supAdd( sum, rest[j].t ) : sum;
            count += vertices > 0;
        }
    }
    return count > 0 ? supScale( sum, 1.0f / (float)count )
                     : supMulAdd( middle, 1.0f, supSub( middle, rest[joint].t ) );
}

static float supToSegment( supVec3 p, supVec3 a, supVec3 b, supVec3* foot )
{
    supVec3 ab = supSub( b, a );
    float square = supDot( ab, ab );
    float t = square > 0.0f ? supClampF( supDot( supSub( p, a ), ab ) / square, 0.0f, 1.0f ) : 0.0f;
    *foot = supMulAdd( a, t, ab );
    return supDistance( p, *foot );
}

static int supCompareFloats( const void* a, const void* b )
{
    float p = *(const float*)a, q = *(const float*)b;
    return p < q ? -1 : p > q;
}

/// The median distance of the part's skin from its line.
static float supFitRadius(
    const supCharacter* character, const int32_t* parts, int32_t joint, supVec3 from, supVec3 to, float* distances )
{
    const supVec3* rest = (const supVec3*)supCharacter_RestPositions( character );
    int32_t count = 0;
    for ( int32_t v = 0; v < supCharacter_VertexCount( character ); ++v )
    {
        supVec3 foot;
        if ( parts[v] == joint )
        {
            distances[count++] = supToSegment( rest[v], from, to, &foot );
        }
    }
    qsort( distances, (size_t)count, sizeof( float ), supCompareFloats );
    return distances[count / 2];
}

static void supFillPartShares(
    const supLayerContext* context, const supCapsuleSet* set, supCapsule* capsule, int32_t count )
{
    for ( int32_t e = 0; e < context->elementCount; ++e )
    {
        const supElementView* element = context->elements + e;
        for ( int32_t i = 0; i < element->vertexCount; ++i )
        {
            bool own = set->parts[element->vertices[i]] == capsule->joint;
            capsule->shares[e] += own ? element->weights[i] / (float)count : 0.0f;
        }
    }
}

bool supFitCapsules( const supLayerContext* context, supCapsuleSet* set )
{
    const supCharacter* character = context->character;
    size_t vertices = (size_t)supCharacter_VertexCount( character );
    *set = ( supCapsuleSet ){ .elementCount = context->elementCount };
    set->partsSize = ( vertices + 1 ) * sizeof( int32_t );
    set->sharesSize = ( (size_t)context->elementCount * supMostCapsules + 1 ) * sizeof( float );
    set->parts = supAlloc( context->allocator, set->partsSize, _Alignof( int32_t ) );
    set->shares = supAllocZeroed( context->allocator, set->sharesSize, 1, _Alignof( float ) );
    float* distances = supAlloc( context->allocator, ( vertices + 1 ) * sizeof( float ), _Alignof( float ) );
    bool fits = set->parts != NULL && set->shares != NULL && distances != NULL;
    if ( fits )
    {
        supFindParts( character, set->parts );
    }
    for ( int32_t j = 0; fits && j < supCharacter_JointCount( character ) && set->count < supMostCapsules; ++j )
    {
        int32_t count;
        supVec3 middle = supMiddleOfPart( character, set->parts, j, &count ),
                from = supCharacter_RestJoints( character )[j].t;
        supMat34 inverse;
        if ( count < supLeastVertices || !supInvertMat( supCharacter_RestJoints( character )[j], &inverse ) )
        {
            continue;
        }
        supVec3 to = supEndOfPart( character, set->parts, j, middle );
        supCapsule* capsule = set->capsules + set->count;
        *capsule = ( supCapsule ){ j, supTransformPoint( inverse, from ), supTransformPoint( inverse, to ),
            supFitRadius( character, set->parts, j, from, to, distances ),
            set->shares + (size_t)set->count * (size_t)context->elementCount };
        supFillPartShares( context, set, capsule, count );
        set->count += 1;
    }
    supFree( context->allocator, distances, ( vertices + 1 ) * sizeof( float ) );
    return fits;
}

void supDropCapsules( supCapsuleSet* set, const supAllocator* allocator )
{
    supFree( allocator, set->parts, set->partsSize );
    supFree( allocator, set->shares, set->sharesSize );
}

void supPoseCapsules(
    const supCapsuleSet* set, const supMat34* joints, const supVec3* elongations, supPosedCapsule* posed )
{
    for ( int32_t c = 0; c < set->count; ++c )
    {
        const supCapsule* capsule = set->capsules + c;
        supVec3 moved = supVec3_zero, from = supTransformPoint( joints[capsule->joint], capsule->from ),
                to = supTransformPoint( joints[capsule->joint], capsule->to );
        for ( int32_t e = 0; e < set->elementCount; ++e )
        {
            moved = supMulAdd( moved, capsule->shares[e], elongations[e] );
        }
        posed[c] = ( supPosedCapsule ){ from, to, supAdd( from, moved ), supAdd( to, moved ), capsule->radius };
    }
}

float supCapsuleDepth( supVec3 from, supVec3 to, float radius, supVec3 p, supVec3* out )
{
    supVec3 along = supSub( to, from ), off = supSub( p, from );
    float square = supDot( along, along );
    float t = square > 0.0f ? supClampF( supDot( off, along ) / square, 0.0f, 1.0f ) : 0.0f;
    supVec3 away = supMulAdd( off, -t, along );
    float distance = supDot( away, away );
    if ( distance >= radius * radius )
    {
        return 0.0f;
    }
    *out = supNormalize( away );
    return radius - supSqrtF( distance );
}
