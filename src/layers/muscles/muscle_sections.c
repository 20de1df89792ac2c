// Sections across an action line.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_sections.h"

#include "base/math.h"

void supLineNormals( const supVec3* line, int32_t count, supVec3* normals )
{
    supVec3 before = supVec3_zero;
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 after = i + 1 < count ? supNormalize( supSub( line[i + 1], line[i] ) ) : supVec3_zero;
        supVec3 normal = supNormalize( supAdd( before, after ) );
        // a line that turns back on itself has no plane between: the one before it will do
        normals[i] = supLengthSquared( normal ) > 0.5f ? normal
                     : i > 0                           ? normals[i - 1]
                                                       : supMakeVec3( 0.0f, 1.0f, 0.0f );
        before = after;
    }
}

/// Any direction at right angles.
static supVec3 supAcross( supVec3 normal )
{
    supVec3 axis = supAbsF( normal.x ) < 0.7f ? supMakeVec3( 1.0f, 0.0f, 0.0f ) : supMakeVec3( 0.0f, 1.0f, 0.0f );
    return supNormalize( supMulAdd( axis, -supDot( axis, normal ), normal ) );
}

/// What is left of `v` across the normal, of unit length.
static supVec3 supMakeAcross( supVec3 v, supVec3 normal )
{
    supVec3 across = supMulAdd( v, -supDot( v, normal ), normal );
    return supLengthSquared( across ) > 1e-12f * supLengthSquared( v ) ? supNormalize( across ) : supAcross( normal );
}

// The smallest rotation that takes a to b, both of unit length: v + 2 (a.v) b - ((a + b).v) / (1 + a.b) (a + b).
static supVec3 supTurnSmallest( supVec3 a, supVec3 b, supVec3 v )
{
    supVec3 sum = supAdd( a, b );
    float scale = 1.0f + supDot( a, b );
    if ( scale < 1e-6f )
    {
        return v; // a half turn about any axis: about v
    }
    return supMulAdd( supMulAdd( v, 2.0f * supDot( a, v ), b ), -supDot( sum, v ) / scale, sum );
}

void supCarryWide( supVec3 first, const supVec3* normals, int32_t count, supVec3* wide )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 carried = i > 0 ? supTurnSmallest( normals[i - 1], normals[i], wide[i - 1] ) : first;
        wide[i] = supMakeAcross( carried, normals[i] );
    }
}

// Twist springs in a row, clamped at both ends by the bones: each takes a share of the whole turn by its compliance
// (supLineVertex.turn), which is what the tridiagonal system of a chain of torsion springs comes to.
void supMuscleSections( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, const supVec3* line,
    float twist, supVec3* normals, supVec3* wide )
{
    const supLineAnchor* anchors = muscles->anchors + muscle->firstAnchor;
    int32_t count = muscle->vertexCount, last = count - 1;
    supLineNormals( line, count, normals );
    supCarryWide( supTransformVector( joints[anchors[0].joint], muscle->wideFirst ), normals, count, wide );
    if ( !( twist > 0.0f ) )
    {
        return;
    }
    supMat34 end = joints[anchors[muscle->anchorCount - 1].joint];
    supVec3 wanted = supMakeAcross( supTransformVector( end, muscle->wideLast ), normals[last] );
    supVec3 deep = supCross( normals[last], wide[last] );
    double angle = supAtan2( supDot( wanted, deep ), supDot( wanted, wide[last] ) ) * twist;
    if ( supAbs( angle ) < 1e-6 )
    {
        return;
    }
    const supLineVertex* vertices = muscles->vertices + muscle->firstVertex;
    for ( int32_t i = 1; i < count; ++i )
    {
        double sine, cosine;
        supSinCos( angle * vertices[i].turn, &sine, &cosine );
        supVec3 across = supCross( normals[i], wide[i] );
        wide[i] = supMulAdd( supScale( wide[i], (float)cosine ), (float)sine, across );
    }
}
