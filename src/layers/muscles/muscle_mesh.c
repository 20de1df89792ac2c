// Meshes of muscles.
// SPDX-License-Identifier: MIT
//
// A vertex hangs between the two planes that delimit its stretch of the line, after Sun, Hilton, Smith, Illingworth,
// "Layered animation of captured data", 1999: its place is the linear interpolation of where both planes would carry
// it.

#include "base/math.h"
#include "layers/muscles/muscles.h"

void supStrandRing( const supStrandVertex* vertex, supVec3 ring[sup_ringSides] )
{
    for ( int32_t i = 0; i < sup_ringSides; ++i )
    {
        double sine, cosine;
        supSinCos( 2.0 * SUP_PI * i / sup_ringSides, &sine, &cosine );
        supVec3 out = supMulAdd( vertex->at, vertex->width * (float)cosine, vertex->wide );
        ring[i] = supMulAdd( out, vertex->depth * (float)sine, vertex->deep );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A mesh of the user's

/// The frame at t between two planes: not quite orthonormal, as the interpolation has it.
static supMat34 supFrameBetween( const supStrandVertex* a, float t )
{
    const supStrandVertex* b = a + 1;
    return ( supMat34 ){ supLerp( a->along, b->along, t ), supLerp( a->wide, b->wide, t ),
        supLerp( a->deep, b->deep, t ), supLerp( a->at, b->at, t ) };
}

/// How far in front of the plane at t a point stands.
static float supBeforePlane( const supStrandVertex* a, float t, supVec3 point )
{
    supMat34 frame = supFrameBetween( a, t );
    return supDot( supSub( point, frame.t ), frame.x );
}

/// Between which two planes a point stands: of all stretches that have it between, the one whose line is nearest.
/// Beyond the line's ends: at the end.
static void supFindStretch( const supStrandVertex* strand, int32_t count, supVec3 point, supMeshHang* hang )
{
    float best = 3.4e38f;
    hang->vertex = supBeforePlane( strand, 0.0f, point ) < 0.0f ? 0 : count - 2;
    hang->t = hang->vertex == 0 ? 0.0f : 1.0f;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        const supStrandVertex* a = strand + i;
        if ( supBeforePlane( a, 0.0f, point ) < 0.0f || supBeforePlane( a, 1.0f, point ) > 0.0f )
        {
            continue;
        }
        float low = 0.0f, high = 1.0f;
        for ( int32_t k = 0; k < 24; ++k )
        {
            float middle = 0.5f * ( low + high );
            bool before = supBeforePlane( a, middle, point ) > 0.0f;
            low = before ? middle : low;
            high = before ? high : middle;
        }
        float distance = supDistance( point, supLerp( a->at, a[1].at, low ) );
        if ( distance < best )
        {
            best = distance;
            hang->vertex = i;
            hang->t = low;
        }
    }
}

static void supHangVertex( const supStrandVertex* strand, int32_t count, supVec3 point, supMeshHang* hang )
{
    supFindStretch( strand, count, point, hang );
    supMat34 frame = supFrameBetween( strand + hang->vertex, hang->t ), inverse;
    supInvertMat( frame, &inverse );
    supVec3 local = supTransformPoint( inverse, point );
    hang->along = local.x;
    hang->wide = local.y;
    hang->deep = local.z;
}

supVec3 supHungVertex( const supMeshHang* hang, const supStrandVertex* strand )
{
    supVec3 places[2];
    for ( int32_t k = 0; k < 2; ++k )
    {
        const supStrandVertex* plane = strand + hang->vertex + k;
        supVec3 at = supMulAdd( plane->at, hang->along * plane->scale, plane->along );
        at = supMulAdd( at, hang->wide * plane->wideScale, plane->wide );
        places[k] = supMulAdd( at, hang->deep * plane->deepScale, plane->deep );
    }
    return supLerp( places[0], places[1], hang->t );
}

/// What a mesh spans at a plane of the line, across it. Metres; empty: `low` above `high`
typedef struct supMeshSpan
{
    float lowWide, highWide, lowDeep, highDeep;
} supMeshSpan;

static void supMeshSpan_Add( supMeshSpan* span, float wide, float deep )
{
    span->lowWide = supMinF( span->lowWide, wide );
    span->highWide = supMaxF( span->highWide, wide );
    span->lowDeep = supMinF( span->lowDeep, deep );
    span->highDeep = supMaxF( span->highDeep, deep );
}

/// Adds where an edge of the mesh passes the planes of the line.
static void supSpanEdge( const supMeshHang* a, const supMeshHang* b, supMeshSpan* spans )
{
    float from = (float)a->vertex + a->t, to = (float)b->vertex + b->t;
    if ( from > to )
    {
        supSpanEdge( b, a, spans );
        return;
    }
    for ( int32_t i = a->vertex + ( a->t > 0.0f ? 1 : 0 ); (float)i <= to; ++i )
    {
        float t = to > from ? ( (float)i - from ) / ( to - from ) : 0.0f;
        supMeshSpan_Add( spans + i, a->wide + t * ( b->wide - a->wide ), a->deep + t * ( b->deep - a->deep ) );
    }
}

/// The sections of a mesh: an ellipse in what it spans at each plane. Where it does not come: the tendon's.
static void supMeasureMesh( const supMuscle* muscle, supMuscles* muscles )
{
    supMeshSpan spans[sup_mostLineVertices];
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        spans[i] = ( supMeshSpan ){ 1e30f, -1e30f, 1e30f, -1e30f };
    }
    const int32_t* corners = muscles->corners + muscle->firstCorner;
    const supMeshHang* hangs = muscles->hangs + muscle->firstHang;
    for ( int32_t i = 0; i < 3 * muscle->triangleCount; ++i )
    {
        supSpanEdge( hangs + corners[i], hangs + corners[i % 3 == 2 ? i - 2 : i + 1], spans );
    }
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        const supMeshSpan* span = spans + i;
        size_t at = (size_t)( muscle->firstStrandVertex + i );
        bool some = span->lowWide <= span->highWide;
        muscles->restWidths[at] =
            supMaxF( muscle->tendonRadius, some ? 0.5f * ( span->highWide - span->lowWide ) : 0.0f );
        muscles->restDepths[at] =
            supMaxF( muscle->tendonRadius, some ? 0.5f * ( span->highDeep - span->lowDeep ) : 0.0f );
        muscles->asideWide[at] = some ? 0.5f * ( span->highWide + span->lowWide ) : 0.0f;
        muscles->asideDeep[at] = some ? 0.5f * ( span->highDeep + span->lowDeep ) : 0.0f;
    }
}

void supHangMesh( const supMuscleDef* def, const supMuscleFrame* rest, supMuscle* muscle, supMuscles* muscles )
{
    const supStrandVertex* strand = rest->strands + muscle->firstStrandVertex;
    for ( int32_t v = 0; v < muscle->hangCount; ++v )
    {
        supHangVertex( strand, muscle->vertexCount, def->mesh.points[v], muscles->hangs + muscle->firstHang + v );
    }
    for ( int32_t i = 0; i < 3 * muscle->triangleCount; ++i )
    {
        muscles->corners[muscle->firstCorner + i] = def->mesh.corners[i];
    }
    supMeasureMesh( muscle, muscles );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        float depth = muscles->restDepths[muscle->firstStrandVertex + i];
        muscle->bellyRadius = supMaxF( muscle->bellyRadius, depth );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Volumes

/// Six times the volume of the tetrahedron with the origin.
static double supSixfold( supVec3 a, supVec3 b, supVec3 c )
{
    return supDotD( supToDouble( a ), supCrossD( supToDouble( b ), supToDouble( c ) ) );
}

static double supStrandVolume( const supStrandVertex* strand, int32_t count )
{
    supVec3 rings[2][sup_ringSides];
    double sum = 0.0;
    supVec3 origin = strand[0].at;
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 *ring = rings[i % 2], *before = rings[( i + 1 ) % 2];
        supStrandVertex vertex = strand[i];
        vertex.at = supSub( vertex.at, origin );
        supStrandRing( &vertex, ring );
        for ( int32_t k = 0; k < sup_ringSides; ++k )
        {
            int32_t next = ( k + 1 ) % sup_ringSides;
            if ( i > 0 )
            {
                sum += supSixfold( before[k], before[next], ring[next] ) + supSixfold( before[k], ring[next], ring[k] );
            }
            // the first cap has the origin as its middle: it adds nothing
            sum += i + 1 == count ? supSixfold( ring[k], ring[next], vertex.at ) : 0.0;
        }
    }
    return sum / 6.0;
}

static double supHungVolume( const supMuscles* muscles, const supMuscle* muscle, const supStrandVertex* strand )
{
    const int32_t* corners = muscles->corners + muscle->firstCorner;
    const supMeshHang* hangs = muscles->hangs + muscle->firstHang;
    double sum = 0.0;
    for ( int32_t t = 0; t < muscle->triangleCount; ++t )
    {
        supVec3 places[3];
        for ( int32_t k = 0; k < 3; ++k )
        {
            places[k] = supSub( supHungVertex( hangs + corners[3 * t + k], strand ), strand[0].at );
        }
        sum += supSixfold( places[0], places[1], places[2] );
    }
    return sum / 6.0;
}

double supMuscleVolume( const supMuscles* muscles, const supMuscle* muscle, const supMuscleFrame* now )
{
    const supStrandVertex* strands = now->strands + muscle->firstStrandVertex;
    if ( muscle->hangCount > 0 )
    {
        return supAbs( supHungVolume( muscles, muscle, strands ) );
    }
    double sum = 0.0;
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        sum += supAbs( supStrandVolume( strands + (size_t)k * (size_t)muscle->vertexCount, muscle->vertexCount ) );
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// Sections across an action line.

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
