// The shape of a trunk.
// SPDX-License-Identifier: MIT

#include "auto/trunk_shape.h"

#include "base/math.h"

typedef struct supShapeWork
{
    const supPlan* plan;
    const bool* wanted;
    supTrunkShape* shape;
    float plane; ///< where the plane of symmetry is, along the body's left
    float grain; ///< triangles are cut until their sides are shorter
} supShapeWork;

static float supAlongTrunk( const supTrunkShape* shape, supVec3 p )
{
    return supDot( supSub( p, shape->from ), shape->along ) / supMaxF( shape->length, 1e-30f );
}

static void supPutPoint( const supShapeWork* work, supVec3 p )
{
    supTrunkShape* shape = work->shape;
    supVec3 away = supSub( p, shape->from );
    float t = supDot( away, shape->along ) / supMaxF( shape->length, 1e-30f );
    float across = supAbsF( supDot( p, work->plan->left ) - work->plane ) / supMaxF( shape->halfWidth, 1e-30f );
    float place = ( t - shape->low ) / ( shape->high - shape->low );
    if ( place >= 0.0f && place < 1.0f && across < 1.0f )
    {
        int32_t row = (int32_t)( place * (float)supShapeRows ), lane = (int32_t)( across * (float)supShapeLanes );
        float depth = supDot( away, shape->outward );
        shape->depth[row][lane] = supMaxF( shape->depth[row][lane], depth );
    }
}

static void supPutTriangle( const supShapeWork* work, const supVec3* p, int32_t depth )
{
    float longest = supMaxF( supLengthSquared( supSub( p[0], p[1] ) ),
        supMaxF( supLengthSquared( supSub( p[1], p[2] ) ), supLengthSquared( supSub( p[2], p[0] ) ) ) );
    if ( longest < work->grain * work->grain || depth == 6 )
    {
        supPutPoint( work, p[0] );
        supPutPoint( work, p[1] );
        supPutPoint( work, p[2] );
        return;
    }
    supVec3 m[3] = { supLerp( p[1], p[2], 0.5f ), supLerp( p[2], p[0], 0.5f ), supLerp( p[0], p[1], 0.5f ) };
    supPutTriangle( work, ( supVec3[3] ){ p[0], m[1], m[2] }, depth + 1 );
    supPutTriangle( work, ( supVec3[3] ){ m[2], p[1], m[0] }, depth + 1 );
    supPutTriangle( work, ( supVec3[3] ){ m[1], m[0], p[2] }, depth + 1 );
    supPutTriangle( work, m, depth + 1 );
}

/// How much of a vertex hangs on wanted parts.
static float supWantedShare( const supShapeWork* work, const supMeshView* mesh, int32_t v )
{
    const int32_t* joints = supCharacter_Info( work->plan->character )->paletteJoints + mesh->firstPalette;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        int32_t at = v * mesh->influenceCount + i, part = work->plan->graph->partOf[joints[mesh->jointIndices[at]]];
        sum += part >= 0 && work->wanted[part] ? mesh->weights[at] : 0.0f;
    }
    return sum;
}

static void supForTriangles( const supShapeWork* work, void ( *put )( const supShapeWork*, const supVec3* ) )
{
    const supPlan* plan = work->plan;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount && mesh.skin >= 0 && !plan->isWorn[m]; i += 3 )
        {
            supVec3 p[3];
            float least = 1.0f;
            bool hard = false;
            for ( int k = 0; k < 3; ++k )
            {
                int32_t v = (int32_t)mesh.indices[i + k];
                p[k] = supPlan_Vertex( plan, mesh.firstVertex + v );
                least = supMinF( least, supWantedShare( work, &mesh, v ) );
                hard = hard || plan->pieces[mesh.firstVertex + v] >= 0;
            }
            if ( least > 0.35f && !hard )
            {
                put( work, p );
            }
        }
    }
}

static void supPutWhole( const supShapeWork* work, const supVec3* p )
{
    int32_t before = 0, beyond = 0; // corners that lie before the trunk's end and beyond the other
    for ( int k = 0; k < 3; ++k )
    {
        float t = supAlongTrunk( work->shape, p[k] );
        before += t < work->shape->low;
        beyond += t > work->shape->high;
    }
    if ( before < 3 && beyond < 3 )
    {
        supPutTriangle( work, p, 0 );
    }
}

static void supWiden( const supShapeWork* work, const supVec3* p )
{
    for ( int k = 0; k < 3; ++k )
    {
        float t = supAlongTrunk( work->shape, p[k] ),
              across = supAbsF( supDot( p[k], work->plan->left ) - work->plane );
        bool inside = t > work->shape->low && t < work->shape->high;
        work->shape->halfWidth = inside ? supMaxF( work->shape->halfWidth, across ) : work->shape->halfWidth;
    }
}

/// Rows without skin in a lane get what lies between their neighbours.
static void supFillRows( supTrunkShape* shape )
{
    for ( int32_t lane = 0; lane < supShapeLanes; ++lane )
    {
        int32_t last = -1;
        for ( int32_t row = 0; row < supShapeRows; ++row )
        {
            if ( shape->depth[row][lane] < 0.0f )
            {
                continue;
            }
            for ( int32_t k = last + 1; k < row && last >= 0; ++k )
            {
                float t = (float)( k - last ) / (float)( row - last );
                shape->depth[k][lane] =
                    shape->depth[last][lane] + t * ( shape->depth[row][lane] - shape->depth[last][lane] );
            }
            last = row;
        }
    }
}

void supMeasureTrunk( const supPlan* plan, supVec3 from, supVec3 to, supVec3 outward, float low, float high,
    const bool* wantedParts, supTrunkShape* shape )
{
    *shape = ( supTrunkShape ){ .from = from, .outward = outward, .low = low, .high = high };
    shape->length = supDistance( from, to );
    shape->along = shape->length > 0.0f ? supNormalize( supSub( to, from ) ) : plan->up;
    for ( int32_t i = 0; i < supShapeRows * supShapeLanes; ++i )
    {
        shape->depth[i / supShapeLanes][i % supShapeLanes] = -1.0f;
    }
    supVec3 middle =
        supMulAdd( plan->graph->center, -supBodyGraph_Away( plan->graph, plan->graph->center ), plan->graph->normal );
    float grain = 0.6f * shape->length / (float)supShapeRows * ( high - low );
    supShapeWork work = { plan, wantedParts, shape, supDot( middle, plan->left ), grain };
    supForTriangles( &work, supWiden );
    supForTriangles( &work, supPutWhole );
    supFillRows( shape );
}

float supTrunkShape_Depth( const supTrunkShape* shape, float along, float across )
{
    int32_t row = (int32_t)( ( along - shape->low ) / ( shape->high - shape->low ) * (float)supShapeRows );
    int32_t lane = (int32_t)( across * (float)supShapeLanes );
    bool inside = row >= 0 && row < supShapeRows && lane >= 0 && lane < supShapeLanes;
    return inside ? shape->depth[row][lane] : -1.0f;
}

static float supRowPlace( const supTrunkShape* shape, int32_t row )
{
    return shape->low + ( shape->high - shape->low ) * ( (float)row + 0.5f ) / (float)supShapeRows;
}

supLump supFindLump( const supTrunkShape* shape, float from, float to )
{
    supLump best = { .prominence = -1e30f, .lobe = -1e30f };
    for ( int32_t lane = 2; lane < supShapeLanes * 3 / 4; ++lane ) // not at the side, which falls back everywhere
    {
        for ( int32_t row = 1; row + 1 < supShapeRows; ++row )
        {
            float at = supRowPlace( shape, row ), depth = shape->depth[row][lane];
            if ( at < from || at > to || depth < 0.0f )
            {
                continue;
            }
            // how far the surface falls back above and below, within a third of the trunk
            float above = depth, below = depth;
            for ( int32_t k = 0; k < supShapeRows; ++k )
            {
                float other = shape->depth[k][lane], gap = supRowPlace( shape, k ) - at;
                bool near = other >= 0.0f && supAbsF( gap ) < 0.33f;
                above = near && gap > 0.0f ? supMinF( above, other ) : above;
                below = near && gap < 0.0f ? supMinF( below, other ) : below;
            }
            float prominence = supMinF( depth - above, depth - below );
            float lobe = depth - supMaxF( shape->depth[row][0], 0.0f );
            if ( supMinF( prominence, 3.0f * lobe ) > supMinF( best.prominence, 3.0f * best.lobe ) )
            {
                best = ( supLump ){ at, ( (float)lane + 0.5f ) / (float)supShapeLanes, depth, prominence, lobe };
            }
        }
    }
    return best;
}

/// How far the middle of the trunk stands out at a row; -1: no skin there.
static float supMiddleDepth( const supTrunkShape* shape, int32_t row )
{
    return supMaxF( shape->depth[row][0], supMaxF( shape->depth[row][1], shape->depth[row][2] ) );
}

supLump supFindRidge( const supTrunkShape* shape, float from, float to )
{
    supLump best = { .prominence = -1.0f };
    for ( int32_t row = 0; row < supShapeRows; ++row )
    {
        float at = supRowPlace( shape, row ), depth = supMiddleDepth( shape, row ), before = depth, behind = depth;
        for ( int32_t k = 0; k < supShapeRows && depth >= 0.0f; ++k )
        {
            float other = supMiddleDepth( shape, k ), gap = supRowPlace( shape, k ) - at;
            bool near = other >= 0.0f && supAbsF( gap ) < 0.25f;
            before = near && gap > 0.0f ? supMinF( before, other ) : before;
            behind = near && gap < 0.0f ? supMinF( behind, other ) : behind;
        }
        float prominence = supMinF( depth - before, depth - behind );
        if ( at >= from && at <= to && depth >= 0.0f && prominence > best.prominence )
        {
            best = ( supLump ){ .along = at, .depth = depth, .prominence = prominence };
        }
    }
    return best;
}
