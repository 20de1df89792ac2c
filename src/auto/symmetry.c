// The plane about which a body is symmetric, whichever way it is turned.
// SPDX-License-Identifier: MIT
//
// Planes are proposed by pairs of parts that have about as much skin (the plane half way between them), and by the main
// axes of the skin. Each is judged by the mirror image of the body: how far places on the skin come from the skin when
// they are mirrored, and how many parts have a twin. The best ones are moved to fit: with q the place nearest to the
// mirror image of p, p - q lies along the normal and (p + q) / 2 in the plane.

#include "auto/body_graph.h"
#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"
#include "solve/dense.h"

#include <string.h>

/// Mirror images farther from the skin than this are as good as lost. Share of the size.
static const float supReach = 0.04f;
/// A part whose skin lies this near to the plane has no twin. Share of the size.
static const float supMiddle = 0.008f;
/// One without a twin is in the middle where it is on both sides by this share, or this near. Share of the size.
static const float supBothSides = 0.22f, supStray = 0.05f;
/// How far from its mirror image a part's twin may be. Share of the size.
static const float supTwinSlack = 0.05f;
/// How many times more skin a part may have than its twin: left and right are seldom painted quite the same.
static const float supAlike = 3.0f;
/// What twins count beside the skin, whose mirror error is below 1.
static const float supTwinCount = 0.35f;
/// What twins by the skeleton and by names count: a plane lies between them. Of less than this share of the skin, less.
static const float supKinCount = 0.25f, supEnoughKin = 0.15f;
/// Which of two such twins is on which side is told by places this far apart. Share of the size.
static const float supKinApart = 0.02f;
/// Planes that are worse than the best one by this much at a glance are given up.
static const float supFarOff = 0.25f;
/// A normal this near to an axis of the file is that axis. Cosine: half a degree.
static const float supRightAngled = 0.99996f;
/// Planes whose normals are closer than this are one. Cosine.
static const float supSamePlane = 0.97f;

enum
{
    supMostVoters = 36, ///< parts that propose planes: the largest
    supMostTried = 6,   ///< planes that are fitted
    supFitRounds = 4,
    supGlanceRounds = 3,
    supMostPlaces = 40000,
    supQueries = 800,
    supGlances = 150, ///< queries where a plane is only glanced at
    supCellsInReach = 4,
};

// ---------------------------------------------------------------------------------------------------------------
// Places on the skin, by cells

typedef struct supCells
{
    float reach;   ///< as far as places are looked for
    float cell;    ///< a part of that
    uint32_t mask; ///< buckets - 1
    int32_t count;
    int32_t* starts; ///< a bucket, and one past the last
    supVec3* places; ///< by bucket
    supVec3* unsorted;
    size_t blockSize;
} supCells;

static uint32_t supBucketOf( const supCells* cells, int32_t x, int32_t y, int32_t z )
{
    return ( (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u ) & cells->mask;
}

static int32_t supCellOf( float x, float cell )
{
    return (int32_t)supFloor( (double)supClampF( x / cell, -1e6f, 1e6f ) );
}

static uint32_t supBucketAt( const supCells* cells, supVec3 p )
{
    return supBucketOf(
        cells, supCellOf( p.x, cells->cell ), supCellOf( p.y, cells->cell ), supCellOf( p.z, cells->cell ) );
}

/// Every vertex of the body, or every second, third…, and every sample.
static void supListPlaces( const supBodyGraph* graph, const supPlan* plan, int32_t step, supCells* cells )
{
    for ( int32_t m = 0; m < supCharacter_Info( graph->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( graph->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; v += step )
        {
            cells->unsorted[cells->count++] = supSub( supPlan_Vertex( plan, mesh.firstVertex + v ), graph->center );
        }
    }
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        cells->unsorted[cells->count++] = supSub( graph->samples[i].at, graph->center );
    }
}

static bool supMakeCells(
    const supBodyGraph* graph, const supPlan* plan, const supAllocator* allocator, supCells* cells )
{
    int32_t vertices = supCharacter_Info( graph->character )->vertexCount;
    int32_t step = 1 + vertices / supMostPlaces;
    int32_t most = vertices / step + supCharacter_Info( graph->character )->meshCount + 1 + graph->sampleCount;
    uint32_t buckets = 1024;
    while ( buckets < (uint32_t)most )
    {
        buckets *= 2;
    }
    supLayout layout = supMakeLayout();
    float reach = supMaxF( supReach * graph->size, 1e-30f );
    *cells = ( supCells ){ .reach = reach, .cell = reach / (float)supCellsInReach, .mask = buckets - 1 };
    SUP_PUT( &layout, cells->starts, buckets + 1 );
    SUP_PUT( &layout, cells->places, most );
    SUP_PUT( &layout, cells->unsorted, most );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return false;
    }
    cells->blockSize = layout.size;
    supListPlaces( graph, plan, step, cells );
    for ( int32_t i = 0; i < cells->count; ++i )
    {
        cells->starts[supBucketAt( cells, cells->unsorted[i] ) + 1] += 1;
    }
    for ( uint32_t b = 0; b < buckets; ++b )
    {
        cells->starts[b + 1] += cells->starts[b];
    }
    for ( int32_t i = 0; i < cells->count; ++i )
    {
        cells->places[cells->starts[supBucketAt( cells, cells->unsorted[i] )]++] = cells->unsorted[i];
    }
    // each start has come to where its bucket ends, which is where the next one starts
    memmove( cells->starts + 1, cells->starts, sizeof( int32_t ) * buckets );
    cells->starts[0] = 0;
    return true;
}

/// Where a place lies among the cells, and how far the cells around it are from it along each axis. Squared.
typedef struct supAround
{
    int32_t cell[3];
    float gaps[3][2 * supCellsInReach + 1];
} supAround;

static supAround supLookAround( const supCells* cells, supVec3 p )
{
    const float at[3] = { p.x, p.y, p.z };
    supAround around;
    for ( int k = 0; k < 3; ++k )
    {
        around.cell[k] = supCellOf( at[k], cells->cell );
        float inside = at[k] - (float)around.cell[k] * cells->cell;
        for ( int32_t d = -supCellsInReach; d <= supCellsInReach; ++d )
        {
            float gap = d < 0 ? inside - (float)( d + 1 ) * cells->cell : (float)d * cells->cell - inside;
            // a little nearer than it is: places at a cell's very border may be counted to either
            gap = supMaxF( 0.0f, gap - 1e-3f * cells->cell );
            around.gaps[k][d + supCellsInReach] = d == 0 ? 0.0f : gap * gap;
        }
    }
    return around;
}

static float supNearestInCell( const supCells* cells, const supAround* around, int32_t x, int32_t y, int32_t z,
    supVec3 p, float best, supVec3* out )
{
    uint32_t bucket = supBucketOf( cells, around->cell[0] + x, around->cell[1] + y, around->cell[2] + z );
    for ( int32_t i = cells->starts[bucket]; i < cells->starts[bucket + 1]; ++i )
    {
        float away = supLengthSquared( supSub( cells->places[i], p ) );
        if ( away < best )
        {
            best = away;
            *out = cells->places[i];
        }
    }
    return best;
}

/// The nearest place within reach. Squared distance; `reach` squared where there is none. Cells are looked into from
/// the middle outwards, and only those that may hold a nearer one.
static float supNearest( const supCells* cells, supVec3 p, supVec3* out )
{
    float best = cells->reach * cells->reach;
    supAround around = supLookAround( cells, p );
    const float *gx = around.gaps[0] + supCellsInReach, *gy = around.gaps[1] + supCellsInReach,
                *gz = around.gaps[2] + supCellsInReach;
    for ( int32_t shell = 0; shell <= supCellsInReach; ++shell )
    {
        float least = (float)( shell - 1 ) * cells->cell; // nothing of this shell is nearer
        if ( shell > 1 && least * least > best )
        {
            break;
        }
        for ( int32_t z = -shell; z <= shell; ++z )
        {
            for ( int32_t y = -shell; y <= shell && gz[z] < best; ++y )
            {
                bool face = z == -shell || z == shell || y == -shell || y == shell;
                int32_t step = face || shell == 0 ? 1 : 2 * shell;
                for ( int32_t x = -shell; x <= shell && gz[z] + gy[y] < best; x += step )
                {
                    if ( gz[z] + gy[y] + gx[x] < best )
                    {
                        best = supNearestInCell( cells, &around, x, y, z, p, best, out );
                    }
                }
            }
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Planes. Offsets are relative to the skin's centre here.

typedef struct supPlane
{
    supVec3 normal;
    float offset;
    float twins; ///< share of all skin whose part has a twin, or lies in the middle
    float kin;   ///< how far twins by the skeleton and by names lie across from each other, 0 to 1
    float error; ///< of the mirror image. Share of the reach
} supPlane;

static supVec3 supMirrored( const supPlane* plane, supVec3 p )
{
    return supMulAdd( p, -2.0f * ( supDot( p, plane->normal ) - plane->offset ), plane->normal );
}

/// The share of skin whose parts have a twin. Those in the plane itself are their own.
static float supShareOfTwins( const supBodyGraph* graph, const supPlane* plane, const int32_t* voters, int32_t count )
{
    float all = 0.0f, twins = 0.0f, slack = supTwinSlack * graph->size;
    for ( int32_t i = 0; i < count; ++i )
    {
        const supPart* part = graph->parts + voters[i];
        supVec3 image = supMirrored( plane, supSub( part->center, graph->center ) );
        float best = slack * slack;
        for ( int32_t k = 0; k < count; ++k )
        {
            const supPart* other = graph->parts + voters[k];
            bool alike = other->area < supAlike * part->area && part->area < supAlike * other->area;
            float away = supLengthSquared( supSub( supSub( other->center, graph->center ), image ) );
            best = alike && away < best ? away : best;
        }
        float share = supMinF( part->area, 0.1f * graph->totalArea );
        all += share;
        twins += share * ( 1.0f - supSqrtF( best ) / supMaxF( slack, 1e-30f ) );
    }
    return all > 0.0f ? twins / all : 0.0f;
}

/// Judges a plane by the skin, and moves it to fit. `queries`: how many places have their mirror images looked up. They
/// are vertices mostly, so that those of the other side are met. `moves`: whether it may.
static void supFitPlane( const supCells* cells, int32_t queries, bool moves, supPlane* plane )
{
    int32_t step = 1 + cells->count / queries;
    supVec3 normal = supVec3_zero, middles = supVec3_zero;
    float all = 0.0f, lost = 0.0f, found = 0.0f;
    for ( int32_t i = 0; i < cells->count; i += step )
    {
        supVec3 p = cells->unsorted[i], q = supVec3_zero;
        float squared = supNearest( cells, supMirrored( plane, p ), &q );
        float share = 1.0f, away = supSqrtF( squared ) / cells->reach;
        all += share;
        lost += share * supMinF( away, 1.0f );
        supVec3 across = supSub( p, q );
        float sign = supDot( across, plane->normal ) < 0.0f ? -1.0f : 1.0f;
        if ( squared < cells->reach * cells->reach )
        {
            share *= 1.0f - away;
            normal = supMulAdd( normal, sign * share, across );
            middles = supMulAdd( middles, 0.5f * share, supAdd( p, q ) );
            found += share;
        }
    }
    plane->error = all > 0.0f ? lost / all : 1.0f;
    if ( moves && found > 0.0f && supLengthSquared( normal ) > 0.0f )
    {
        plane->normal = supNormalize( normal );
        plane->offset = supDot( middles, plane->normal ) / found;
    }
}

static void supOfferPlane( supPlane* planes, int32_t* count, supPlane plane )
{
    int32_t worst = 0;
    for ( int32_t i = 0; i < *count; ++i )
    {
        if ( supAbsF( supDot( planes[i].normal, plane.normal ) ) > supSamePlane )
        {
            planes[i] = plane.twins > planes[i].twins ? plane : planes[i];
            return;
        }
        worst = planes[i].twins < planes[worst].twins ? i : worst;
    }
    if ( *count < supMostTried )
    {
        planes[( *count )++] = plane;
    }
    else if ( plane.twins > planes[worst].twins )
    {
        planes[worst] = plane;
    }
}

/// The largest parts.
static int32_t supChooseVoters( const supBodyGraph* graph, int32_t voters[supMostVoters] )
{
    int32_t count = 0;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        int32_t at = count < supMostVoters ? count : supMostVoters - 1;
        if ( count == supMostVoters && graph->parts[p].area <= graph->parts[voters[at]].area )
        {
            continue;
        }
        for ( ; at > 0 && graph->parts[voters[at - 1]].area < graph->parts[p].area; --at )
        {
            voters[at] = voters[at - 1];
        }
        voters[at] = p;
        count += count < supMostVoters;
    }
    return count;
}

static void supOfferPairs(
    const supBodyGraph* graph, const int32_t* voters, int32_t count, supPlane* planes, int32_t* kept )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < i; ++k )
        {
            const supPart *a = graph->parts + voters[i], *b = graph->parts + voters[k];
            supVec3 across = supSub( a->center, b->center );
            bool alike = a->area < 1.6f * b->area && b->area < 1.6f * a->area;
            if ( alike && supLength( across ) > 0.03f * graph->size )
            {
                supPlane plane = { .normal = supNormalize( across ) };
                supVec3 middle = supSub( supLerp( a->center, b->center, 0.5f ), graph->center );
                plane.offset = supDot( middle, plane.normal );
                plane.twins = supShareOfTwins( graph, &plane, voters, count );
                supOfferPlane( planes, kept, plane );
            }
        }
    }
}

/// The main axes of the skin, and those of the file.
static int32_t supListAxes( const supBodyGraph* graph, supVec3 axes[6] )
{
    double matrix[9] = { 0.0 }, values[3], vectors[9];
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        supVec3 p = supSub( graph->samples[i].at, graph->center );
        double q[3] = { (double)p.x, (double)p.y, (double)p.z };
        for ( int k = 0; k < 9; ++k )
        {
            matrix[k] += (double)graph->samples[i].area * q[k / 3] * q[k % 3];
        }
    }
    supSymmetricEigen( 3, matrix, values, vectors );
    for ( int k = 0; k < 3; ++k )
    {
        // a body that is round has many planes: the file's own comes first
        axes[k] = supMakeVec3( k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f );
        axes[3 + k] = supMakeVec3( (float)vectors[3 * k], (float)vectors[3 * k + 1], (float)vectors[3 * k + 2] );
    }
    return 6;
}

/// The way across two twins. Unit length, or zero.
static supVec3 supAcrossKin( const supBodyGraph* graph, int32_t a, int32_t b )
{
    supVec3 across = supSub( graph->parts[a].center, graph->parts[b].center );
    return supLength( across ) > supKinApart * graph->size ? supNormalize( across ) : supVec3_zero;
}

/// How well a plane lies between twins by the skeleton and by names.
static float supLiesBetween( const supBodyGraph* graph, const int32_t* kin, supVec3 normal )
{
    float all = 0.0f, across = 0.0f;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        float area = kin[p] > p ? graph->parts[p].area + graph->parts[kin[p]].area : 0.0f;
        all += area;
        across += area > 0.0f ? area * supAbsF( supDot( supAcrossKin( graph, p, kin[p] ), normal ) ) : 0.0f;
    }
    return all > 0.0f ? across / supMaxF( all, supEnoughKin * graph->totalArea ) : 0.0f;
}

/// The plane that lies between them all, as far as one does.
static void supOfferKin( const supBodyGraph* graph, const int32_t* kin, supPlane* planes, int32_t* tried )
{
    supVec3 normal = supVec3_zero, middles = supVec3_zero;
    float all = 0.0f;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        if ( kin[p] > p )
        {
            float area = graph->parts[p].area + graph->parts[kin[p]].area;
            supVec3 across = supAcrossKin( graph, p, kin[p] );
            supVec3 middle = supLerp( graph->parts[p].center, graph->parts[kin[p]].center, 0.5f );
            normal = supMulAdd( normal, supDot( across, normal ) < 0.0f ? -area : area, across );
            middles = supMulAdd( middles, area, supSub( middle, graph->center ) );
            all += area;
        }
    }
    if ( all > 0.0f && supLength( normal ) > 0.3f * all )
    {
        normal = supNormalize( normal );
        planes[( *tried )++] = ( supPlane ){ .normal = normal, .offset = supDot( middles, normal ) / all };
    }
}

/// What is lost of the mirror image, less what twins say: the least is the best.
static float supPlaneScore( const supPlane* plane )
{
    return plane->error - supTwinCount * plane->twins - supKinCount * plane->kin;
}

static supPlane supBestPlane( const supBodyGraph* graph, const supCells* cells, const int32_t* kin )
{
    int32_t voters[supMostVoters], count = supChooseVoters( graph, voters ), tried = 0;
    supPlane planes[supMostTried + 7], best = { .normal = { 1.0f, 0.0f, 0.0f }, .error = 2.0f };
    supOfferPairs( graph, voters, count, planes, &tried );
    supVec3 axes[6];
    int32_t axisCount = supListAxes( graph, axes );
    for ( int32_t i = 0; i < axisCount; ++i )
    {
        planes[tried++] = ( supPlane ){ .normal = axes[i] };
    }
    supOfferKin( graph, kin, planes, &tried );
    // most planes are far off, which few places tell: what is lost costs most to look for
    float least = 2.0f;
    for ( int32_t i = 0; i < tried; ++i )
    {
        for ( int round = 0; round < supGlanceRounds; ++round )
        {
            supFitPlane( cells, supGlances, true, planes + i );
        }
        planes[i].twins = supShareOfTwins( graph, planes + i, voters, count );
        planes[i].kin = supLiesBetween( graph, kin, planes[i].normal );
        least = supMinF( least, supPlaneScore( planes + i ) );
    }
    for ( int32_t i = 0; i < tried; ++i )
    {
        supPlane* plane = planes + i;
        if ( supPlaneScore( plane ) > least + supFarOff )
        {
            continue;
        }
        for ( int round = 0; round < supFitRounds; ++round )
        {
            supFitPlane( cells, supQueries, true, plane );
        }
        supFitPlane( cells, supQueries, false, plane );
        plane->twins = supShareOfTwins( graph, plane, voters, count );
        plane->kin = supLiesBetween( graph, kin, plane->normal );
        best = supPlaneScore( plane ) < supPlaneScore( &best ) - 1e-4f ? *plane : best;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Sides

/// How much of every part lies beyond the plane.
static void supMeasureSides( const supBodyGraph* graph, const supPlan* plan, float* beyond )
{
    const int32_t* palette = supCharacter_Info( graph->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( graph->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( graph->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            float away = supBodyGraph_Away( graph, supPlan_Vertex( plan, vertex ) );
            for ( int32_t i = 0; i < mesh.influenceCount && away > 0.0f; ++i )
            {
                int32_t at = v * mesh.influenceCount + i;
                int32_t part = graph->partOf[palette[mesh.firstPalette + mesh.jointIndices[at]]];
                beyond[part >= 0 ? part : 0] += part >= 0 ? mesh.weights[at] * plan->vertexArea[vertex] : 0.0f;
            }
        }
    }
}

/// The part on the other side that is nearest to a part's mirror image, or -1.
static int32_t supMirrorPart( const supBodyGraph* graph, int32_t index )
{
    const supPart* part = graph->parts + index;
    float own = supBodyGraph_Away( graph, part->center ), nearest = supTwinSlack * graph->size;
    supVec3 image = supMulAdd( part->center, -2.0f * own, graph->normal );
    int32_t best = -1;
    for ( int32_t b = 0; b < graph->partCount && supAbsF( own ) > supMiddle * graph->size; ++b )
    {
        const supPart* other = graph->parts + b;
        float theirs = supBodyGraph_Away( graph, other->center ), away = supDistance( other->center, image );
        bool alike = own * theirs < 0.0f && supAbsF( theirs ) > supMiddle * graph->size &&
                     other->area < supAlike * part->area && part->area < supAlike * other->area;
        best = alike && away < nearest ? b : best;
        nearest = alike && away < nearest ? away : nearest;
    }
    return best;
}

/// Sides of twins by the skeleton and by names that have no mirror image: by where they lie beside each other, else as
/// what they hang on.
static void supSideKin( supBodyGraph* graph, const int32_t* kin )
{
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supPart *a = graph->parts + p, *b = kin[p] > p ? graph->parts + kin[p] : NULL;
        if ( b == NULL || a->twin >= 0 || b->twin >= 0 )
        {
            continue;
        }
        float apart = supBodyGraph_Away( graph, a->center ) - supBodyGraph_Away( graph, b->center );
        int32_t up = supCharacter_Joint( graph->character, a->joint )->parent;
        int32_t above = up >= 0 ? graph->partOf[up] : -1;
        int8_t side = above >= 0 ? graph->parts[above].side : 0;
        bool told = side != 0 && supAbsF( apart ) < 4.0f * supKinApart * graph->size;
        if ( told || supAbsF( apart ) > supKinApart * graph->size )
        {
            a->side = told ? side : apart > 0.0f ? 1 : -1;
            b->side = (int8_t)-a->side;
            a->kin = kin[p];
            b->kin = p;
        }
    }
}

/// A part has a side where it has a twin on the other one, or lies on that side by far.
static void supFindSides( supBodyGraph* graph, const supPlan* plan, const int32_t* kin )
{
    float beyond[supMostParts] = { 0.0f };
    int32_t mirrors[supMostParts];
    supMeasureSides( graph, plan, beyond );
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        mirrors[p] = supMirrorPart( graph, p );
    }
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supPart* part = graph->parts + p;
        part->twin = mirrors[p] >= 0 && mirrors[mirrors[p]] == p ? mirrors[p] : -1;
        float away = supBodyGraph_Away( graph, part->center );
        float share = part->samples > 0.0f ? beyond[p] / part->samples : 0.5f;
        bool middle = supMinF( share, 1.0f - share ) > supBothSides || supAbsF( away ) < supStray * graph->size;
        part->side = middle && part->twin < 0 ? 0 : away < 0.0f ? -1 : 1;
    }
    supSideKin( graph, kin );
}

bool supFindSymmetry( supBodyGraph* graph, const supPlan* plan, const supAllocator* allocator )
{
    supCells cells;
    int32_t kin[supMostParts];
    if ( !supFindKin( graph, plan, allocator, kin ) || !supMakeCells( graph, plan, allocator, &cells ) )
    {
        return false;
    }
    supPlane best = supBestPlane( graph, &cells, kin );
    // bodies are modelled about their file's planes: what fitting is off by is rounding
    for ( int k = 0; k < 3; ++k )
    {
        supVec3 axis = supMakeVec3( k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f );
        float along = supDot( best.normal, axis );
        best.normal = supAbsF( along ) > supRightAngled ? supScale( axis, along < 0.0f ? -1.0f : 1.0f ) : best.normal;
    }
    graph->normal = best.normal;
    graph->offset = best.offset + supDot( graph->center, best.normal );
    graph->mirrorError = best.error * supReach;
    supFree( allocator, cells.starts, cells.blockSize );
    supFindSides( graph, plan, kin );
    return true;
}
