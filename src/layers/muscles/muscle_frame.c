// Muscles at a moment.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_frame.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/muscles/muscles.h"
#include "solve/monotone_cubic.h"

/// Sections grow and shrink no further than this, however short or long a line is pulled.
static const double supLeastElongation = 0.1, supMostElongation = 10.0;
static const float supLeastScale = 0.05f;
/// No more than so much is made up for in volume: a form that is folded into itself has none.
static const float supMostKept = 2.0f;

static size_t supLayFrame( const supMuscles* muscles, void* memory, supMuscleFrame* now )
{
    supLayout layout = supLayoutIn( memory );
    SUP_PUT( &layout, now->line, muscles->vertexCount );
    SUP_PUT( &layout, now->strands, muscles->strandVertexCount );
    SUP_PUT( &layout, now->ellipsoids, muscles->ellipsoidCount );
    SUP_PUT( &layout, now->lengths, muscles->count );
    SUP_PUT( &layout, now->contractions, muscles->count );
    return layout.size;
}

size_t supMuscleFrame_Size( const supMuscles* muscles )
{
    supMuscleFrame now;
    return supLayFrame( muscles, NULL, &now );
}

void supMuscleFrame_Place( supMuscleFrame* now, const supMuscles* muscles, void* memory )
{
    *now = ( supMuscleFrame ){ 0 };
    supLayFrame( muscles, memory, now );
}

void supPlaceLine( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, supVec3* line )
{
    const supLineAnchor* anchors = muscles->anchors + muscle->firstAnchor;
    const supLineVertex* vertices = muscles->vertices + muscle->firstVertex;
    supVec3 from = supVec3_zero, to = supAnchorPlace( anchors, joints );
    int32_t anchor = -1;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        if ( vertices[i].anchor != anchor )
        {
            anchor = vertices[i].anchor;
            from = to;
            to = anchor + 1 < muscle->anchorCount ? supAnchorPlace( anchors + anchor + 1, joints ) : to;
        }
        line[i] = vertices[i].t > 0.0f ? supLerp( from, to, vertices[i].t ) : from;
    }
}

/// Scales nearer to 1 than this are rounding.
static const float supNoScale = 1e-4f;

/// The mean of what its axes are stretched by.
static float supScaleOf( supMat34 m )
{
    return ( supLength( m.x ) + supLength( m.y ) + supLength( m.z ) ) / 3.0f;
}

float supMuscleScale( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints )
{
    const supLineVertex *first = muscles->vertices + muscle->firstVertex, *last = first + muscle->vertexCount - 1;
    float scale = 0.5f * ( supScaleOf( supMulMat( joints[first->joint], first->jointFromRest ) ) +
                             supScaleOf( supMulMat( joints[last->joint], last->jointFromRest ) ) );
    return supAbsF( scale - 1.0f ) < supNoScale ? 1.0f : supMaxF( scale, supNoScale );
}

/// Length now over that at rest, smoothly along the line: a monotone cubic through the middles of the segments (a
/// natural spline would overshoot where belly and tendon meet). `scale`: the pose's own, that counts for none. Gives
/// the line's length.
static float supElongations(
    const supLineVertex* vertices, const supVec3* line, int32_t count, float scale, double* elongations )
{
    double at[sup_mostLineVertices], values[sup_mostLineVertices], slopes[sup_mostLineVertices];
    float length = 0.0f;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        float now = supDistance( line[i], line[i + 1] );
        length += now;
        at[i] = 0.5 * ( (double)vertices[i].along + vertices[i + 1].along );
        values[i] = supClamp( (double)( now / scale ) / vertices[i].restLength, supLeastElongation, supMostElongation );
    }
    supMonotoneSlopes( at, values, count - 1, slopes );
    int32_t knot = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        elongations[i] = supMonotoneValue( at, values, slopes, count - 1, vertices[i].along, &knot );
    }
    return length;
}

/// A muscle's line in a pose.
typedef struct supPosedLine
{
    const supVec3* line;
    float scale; ///< of the pose itself
    supVec3 normals[sup_mostLineVertices], wide[sup_mostLineVertices], deep[sup_mostLineVertices];
    double elongations[sup_mostLineVertices];
} supPosedLine;

/// The middle of a section beside a vertex of its strand, where that is at `at`.
static supVec3 supSectionMiddle( const supMuscles* muscles, const supPosedLine* posed, int32_t i, size_t strandVertex,
    supVec3 at, supSectionScale scales )
{
    float wide = posed->scale * scales.wide * muscles->asideWide[strandVertex];
    float deep = posed->scale * scales.deep * muscles->asideDeep[strandVertex];
    return supMulAdd( supMulAdd( at, wide, posed->wide[i] ), deep, posed->deep[i] );
}

/// By how much the sections of a strand are larger than at rest: as much as its volume asks for where the line is
/// shorter, in the measure of `widening`, and by contraction. `bases`: without the latter.
static void supScaleStrand( const supMuscles* muscles, const supMuscle* muscle, int32_t strand, const float* live,
    float contraction, const supPosedLine* posed, float* bases, supSectionScale* scales )
{
    supSectionScale contracted[sup_mostLineVertices];
    supSection sections[sup_mostLineVertices];
    float roots[sup_mostLineVertices];
    size_t first = (size_t)muscle->firstStrandVertex + (size_t)strand * (size_t)muscle->vertexCount;
    supContractStrand( muscles, muscle, strand, contraction, contracted );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        roots[i] = (float)supSqrt( 1.0 / posed->elongations[i] );
        scales[i] = ( supSectionScale ){ roots[i] * contracted[i].wide, roots[i] * contracted[i].deep };
        float offset = posed->scale * roots[i] * muscles->offsets[first + (size_t)i];
        supVec3 at = supMulAdd( posed->line[i], offset, posed->wide[i] );
        supVec3 middle = supSectionMiddle( muscles, posed, i, first + (size_t)i, at, scales[i] );
        sections[i] = ( supSection ){ middle, posed->wide[i], posed->deep[i] };
    }
    float before = muscles->restVolumes[muscle->firstStrand + strand];
    float now = supSectionsVolume( muscles, muscle, strand, sections, scales ) / posed->scale;
    float kept = before <= 0.0f               ? 1.0f
                 : now * supMostKept > before ? supSqrtF( before / now )
                                              : supSqrtF( supMostKept );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        float widened = 1.0f + live[sup_muscleWidening] * ( kept * roots[i] - 1.0f );
        bases[i] = supMaxF( widened, supLeastScale ) * live[sup_muscleSwell];
        scales[i] = ( supSectionScale ){ bases[i] * contracted[i].wide, bases[i] * contracted[i].deep };
    }
}

/// One muscle's strands around its line.
static void supPoseStrands( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints,
    const float* live, float contraction, supMuscleFrame* now )
{
    const supVec3* line = now->line + muscle->firstVertex;
    supPosedLine posed = { .line = line, .scale = supMuscleScale( muscles, muscle, joints ) };
    supMuscleSections( muscles, muscle, joints, line, live[sup_muscleTwist], posed.normals, posed.wide );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        posed.deep[i] = supCross( posed.normals[i], posed.wide[i] );
    }
    now->lengths[muscle - muscles->muscles] = supElongations(
        muscles->vertices + muscle->firstVertex, line, muscle->vertexCount, posed.scale, posed.elongations );
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        supSectionScale scales[sup_mostLineVertices];
        float bases[sup_mostLineVertices], scale = posed.scale;
        supScaleStrand( muscles, muscle, k, live, contraction, &posed, bases, scales );
        for ( int32_t i = 0; i < muscle->vertexCount; ++i )
        {
            size_t at = (size_t)( muscle->firstStrandVertex + k * muscle->vertexCount + i );
            supVec3 place = supMulAdd( line[i], scale * bases[i] * muscles->offsets[at], posed.wide[i] );
            now->strands[at] = ( supStrandVertex ){ .at = place,
                .middle = supSectionMiddle( muscles, &posed, i, at, place, scales[i] ),
                .along = posed.normals[i],
                .wide = posed.wide[i],
                .deep = posed.deep[i],
                .width = scale * supMaxF( scales[i].wide * muscles->restWidths[at], muscles->leastSection ),
                .depth = scale * supMaxF( scales[i].deep * muscles->restDepths[at], muscles->leastSection ),
                .elongation = (float)posed.elongations[i],
                .wideScale = scale * scales[i].wide,
                .deepScale = scale * scales[i].deep,
                .scale = scale };
        }
    }
}

/// Free vertices leave their bound places by what is shown, in the frames of their joints.
static void supMoveFree(
    const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, const float* shown, supVec3* line )
{
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        const supLineVertex* vertex = muscles->vertices + muscle->firstVertex + i;
        if ( vertex->free )
        {
            const float* u = shown + 3 * (size_t)( muscle->firstVertex + i );
            supVec3 moved = supTransformVector( joints[vertex->joint], supMakeVec3( u[0], u[1], u[2] ) );
            line[i] = supAdd( line[i], moved );
        }
    }
}

float supMuscleContraction( const supMuscles* muscles, int32_t muscle, const float* live, const float* shown )
{
    if ( shown == NULL )
    {
        return 0.0f;
    }
    float activated = shown[3 * (size_t)muscles->vertexCount + (size_t)muscle];
    float given = live[(size_t)muscle * sup_muscleLiveCount + sup_muscleContraction];
    return supClampF( given + activated, 0.0f, 1.0f );
}

void supMuscleFrame_Pose(
    supMuscleFrame* now, const supMuscles* muscles, const supMat34* joints, const float* live, const float* shown )
{
    for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
    {
        now->ellipsoids[e] = supMulMat( joints[muscles->ellipsoids[e].joint], muscles->ellipsoids[e].inJoint );
    }
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        const float* own = live + (size_t)m * sup_muscleLiveCount;
        now->contractions[m] = supMuscleContraction( muscles, m, live, shown );
        now->lengths[m] = 0.0f;
        if ( muscle->vertexCount == 0 )
        {
            continue;
        }
        supVec3* line = now->line + muscle->firstVertex;
        supPlaceLine( muscles, muscle, joints, line );
        if ( shown != NULL )
        {
            supMoveFree( muscles, muscle, joints, shown, line );
        }
        supPoseStrands( muscles, muscle, joints, own, now->contractions[m], now );
    }
}
