// Fat by the reference.
// SPDX-License-Identifier: MIT
//
// The solid was put together at one stiffness. One that swings c times as fast has c^2 times the stiffness: the same
// solid in a time that runs c times as fast, under forces over c^2.
//
// A node is tied to where smooth skinning carries it, and to where the solid would come to rest on its inner border as
// that stands now, K_t x = -pull e: the skin is moved so far by the layer that owns the border. Both go the way that
// the live solver's springs see (solve/spring_step.c): a polynomial through the last frames. K_t: with voxels above
// tense muscles as stiff as they are.

#include "layers/fat/fat_reference.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_nodes.h"
#include "solve/elastic.h"
#include "solve/lanes.h"

#include <string.h>

_Static_assert( SUP_ELASTIC_PATH == SUP_PATH_SPANS, "the way through the last frames is what the solid is moved by" );

/// Explicit steps in a frame; a longer frame is cut short.
static const double supMostSteps = 50000.0;
/// Of the load: what a solution by gradients may be off by.
static const double supSolved = 1e-10;
enum
{
    supMostGradients = 100,
    supGradientVectors = 5,
};

/// Vectors of three numbers a free node.
typedef struct supReferencePlaces
{
    size_t count;           ///< numbers of a vector
    double *moved, *speeds; ///< from where the node is tied
    double* forces[2];      ///< when the frame begins and ends
    double* ground;         ///< where the solid would come to rest on its border
    double* groundSpeed;    ///< at the end of the last frame
    double* groundDeltas;   ///< in the last frames, newest first
    double* path;           ///< coefficients
    double* held;           ///< of the anchored nodes
    double* scratch;        ///< of the explicit steps, or of gradients
    double* added;          ///< of supAddedStiffness
    double* pulls;          ///< of gravity, three a joint, in the last frame
} supReferencePlaces;

static size_t supSolverScratch( const supFat* fat )
{
    size_t steps = supElastic_ScratchCount( fat->elastic ),
           gradients = supGradientVectors * 3 * (size_t)fat->freeCount + supBlockFactor_ScratchCount( fat->factor );
    return steps > gradients ? steps : gradients;
}

static supReferencePlaces supReferenceIn( const supFat* fat, void* block, size_t* size )
{
    size_t count = 3 * (size_t)fat->freeCount, held = fat->ground != NULL ? 3 * (size_t)fat->ground->anchorCount : 0;
    double* numbers = block;
    size_t sizes[10] = { count, count, 2 * count, count, count, SUP_PATH_SPANS * count, SUP_PATH_SPANS * count, held,
        supSolverScratch( fat ), supAddedStiffness_ScratchCount( fat ) };
    double* places[11] = { numbers };
    size_t total = 0;
    for ( int i = 0; i < 10; ++i )
    {
        total += sizes[i];
        places[i + 1] = numbers != NULL ? numbers + total : NULL;
    }
    if ( size != NULL )
    {
        *size = total + 3 * (size_t)fat->jointCount;
    }
    return ( supReferencePlaces ){ count, places[0], places[1],
        { places[2], numbers != NULL ? places[2] + count : NULL }, places[3], places[4], places[5], places[6],
        places[7], places[8], places[9], places[10] };
}

size_t supFatReferenceSize( const supFat* fat )
{
    size_t numbers = 0;
    if ( fat->elastic != NULL )
    {
        supReferenceIn( fat, NULL, &numbers );
    }
    return ( sizeof( double ) * numbers + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
}

// ---------------------------------------------------------------------------------------------------------------
// At rest

static supAddedStiffness supAddedBy( const supFat* fat, const supReferencePlaces* own, const supFatLoad* load )
{
    supAddedStiffness added = { fat, load->tensions, 0.0, own->added, own->added + 6 * (size_t)fat->nodeCount };
    return added;
}

static bool supIsTense( const supFat* fat, const supFatLoad* load )
{
    bool tense = false;
    for ( int32_t t = 0; t < fat->tenseCount && load->tensions != NULL; ++t )
    {
        tense = tense || load->tensions[t] > 0.0f;
    }
    return tense;
}

/// out = K_t x.
static void supMultiplyTense( const supFat* fat, const supAddedStiffness* added, const double* x, double* out )
{
    supBlockMatrix_Multiply( &fat->elastic->stiffness, x, out );
    supAddedStiffness_Pull( x, out, added );
}

/// K_t x = b by conjugate gradients, after K^-1, which leaves eigenvalues from one to how much stiffer it is: few
/// steps do. `x` holds b, and is given the solution.
static void supSolveTense( const supFat* fat, const supAddedStiffness* added, double* x, double* scratch )
{
    size_t count = 3 * (size_t)fat->freeCount;
    double *r = scratch, *z = r + count, *p = z + count, *image = p + count, *inner = image + count;
    memcpy( r, x, sizeof( double ) * count );
    memset( x, 0, sizeof( double ) * count );
    double before = 1.0, least = supSolved * supSolved * supDotRowsD( r, r, count );
    for ( int step = 0; step < supMostGradients && supDotRowsD( r, r, count ) > least; ++step )
    {
        memcpy( z, r, sizeof( double ) * count );
        supBlockFactor_SolveOne( fat->factor, z, inner );
        double now = supDotRowsD( r, z, count );
        for ( size_t i = 0; i < count; ++i )
        {
            p[i] = step > 0 ? z[i] + now / before * p[i] : z[i];
        }
        supMultiplyTense( fat, added, p, image );
        double share = now / supDotRowsD( p, image, count );
        for ( size_t i = 0; i < count; ++i )
        {
            x[i] += share * p[i];
            r[i] -= share * image[i];
        }
        before = now;
    }
}

/// K_t x = b, in place.
static void supSolveAtRest( const supFat* fat, const supReferencePlaces* own, const supFatLoad* load, double* x )
{
    if ( supIsTense( fat, load ) )
    {
        supAddedStiffness added = supAddedBy( fat, own, load );
        supSolveTense( fat, &added, x, own->scratch );
    }
    else
    {
        supBlockFactor_SolveOne( fat->factor, x, own->scratch );
    }
}

/// Where the solid would come to rest on its border: K_t x = -pull e.
static void supFindGround( const supFat* fat, const supReferencePlaces* own, const supFatLoad* load, double* x )
{
    supFatGround_Moves( fat->ground, load->shares, own->held );
    supBlockMatrix_Multiply( &fat->elastic->pull, own->held, x );
    if ( supIsTense( fat, load ) )
    {
        supAddedStiffness added = supAddedBy( fat, own, load );
        supAddedStiffness_PullHeld( &added, own->held, x );
    }
    for ( size_t i = 0; i < own->count; ++i )
    {
        x[i] = -x[i];
    }
    supSolveAtRest( fat, own, load, x );
}

/// Gravity's pull on the nodes, and forces from outside, in the solid's own time.
static void supFillForces(
    const supFat* fat, const supFatPlaces* at, const supFatLoad* load, const double* pulls, double* forces )
{
    double square = (double)load->speed * load->speed;
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        const supFatHold* hold = fat->holds + i;
        double sum[3] = { 0.0, 0.0, 0.0 };
        for ( int k = 0; k < supFatHolds && hold->weights[k] > 0.0f; ++k )
        {
            for ( int d = 0; d < 3; ++d )
            {
                sum[d] += (double)hold->weights[k] * pulls[3 * hold->joints[k] + d];
            }
        }
        for ( int d = 0; d < 3; ++d )
        {
            double force = load->forced ? at->forces[3 * i + d] : 0.0;
            forces[3 * i + d] = ( fat->elastic->masses[i] * sum[d] + force ) / square;
        }
    }
}

static void supKeepPulls( const supFat* fat, const supFatLoad* load, double* pulls )
{
    for ( int32_t i = 0; i < 3 * fat->jointCount; ++i )
    {
        pulls[i] = (double)load->pulls[i];
    }
}

void supFatReference_Start( const supFat* fat, const supFatPlaces* at, const supFatLoad* load )
{
    supReferencePlaces own = supReferenceIn( fat, at->reference, NULL );
    supKeepPulls( fat, load, own.pulls );
    supFillForces( fat, at, load, own.pulls, own.moved );
    if ( supIsTense( fat, load ) )
    {
        // K_t ( u + sag ) = f + K sag
        supAddedStiffness added = supAddedBy( fat, &own, load );
        added.sag = -(double)load->tensions[fat->tenseCount];
        memset( own.speeds, 0, sizeof( double ) * own.count );
        supAddedStiffness_Pull( own.speeds, own.moved, &added );
    }
    supSolveAtRest( fat, &own, load, own.moved );
    memset( own.speeds, 0, sizeof( double ) * own.count );
    if ( fat->ground != NULL && load->shares != NULL )
    {
        supFindGround( fat, &own, load, own.ground );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// In a frame

/// Where the border goes: it pulls the solid along, at rest.
static void supMoveGround(
    const supFat* fat, const supFatPlaces* at, const supReferencePlaces* own, const supFatLoad* load )
{
    double* newest = own->groundDeltas;
    memmove( newest + own->count, newest, sizeof( double ) * ( SUP_PATH_SPANS - 1 ) * own->count );
    supFindGround( fat, own, load, newest );
    bool first = at->own->clock.times.count == 1;
    for ( size_t i = 0; i < own->count; ++i )
    {
        double now = newest[i];
        newest[i] = now - own->ground[i];
        own->ground[i] = now;
        own->groundSpeed[i] = first ? newest[i] / at->own->clock.times.spans[0] : own->groundSpeed[i];
    }
}

/// What joints' motions are at a node, taken back by their turns. Metres of the model
static supVec3d supCarriedBy(
    const supFat* fat, const supFatPlaces* at, int32_t node, const supMat34* motions, size_t stride )
{
    const supFatHold* hold = fat->holds + node;
    supVec3 place = supToFloat( fat->elastic->places[node] );
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int k = 0; k < supFatHolds && hold->weights[k] > 0.0f; ++k )
    {
        size_t j = (size_t)hold->joints[k];
        supVec3 back = supTransposeVector( at->turns[j], supTransformPoint( motions[j * stride], place ) );
        sum = supMulAddD( sum, (double)hold->weights[k], supToDouble( back ) );
    }
    return sum;
}

/// The way that what the nodes are tied to goes in this frame; the speed of that when it began is added to theirs.
static void supFillPath(
    const supFat* fat, const supFatPlaces* at, const supReferencePlaces* own, const supFatLoad* load )
{
    const supPathBasis* basis = &at->own->clock.basis;
    double amount = load->live[sup_fatAmount], scale = 1.0 / load->worldScale;
    memset( own->path, 0, sizeof( double ) * SUP_PATH_SPANS * own->count );
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        supVec3d speed = supCarriedBy( fat, at, i, at->starts, 1 );
        const double began[3] = { scale * speed.x, scale * speed.y, scale * speed.z };
        for ( size_t d = 3 * (size_t)i; d < 3 * (size_t)i + 3; ++d )
        {
            own->speeds[d] += amount * ( began[d % 3] + own->groundSpeed[d] );
        }
        for ( size_t s = 0; s < SUP_PATH_SPANS; ++s )
        {
            supVec3d delta = supCarriedBy( fat, at, i, at->motions + s, SUP_PATH_SPANS + 1 );
            const double moves[3] = { scale * delta.x, scale * delta.y, scale * delta.z };
            for ( size_t k = 0; k < 3 * SUP_PATH_SPANS; ++k )
            {
                size_t d = 3 * (size_t)i + k % 3;
                double move = amount * ( moves[k % 3] + own->groundDeltas[s * own->count + d] );
                own->path[k / 3 * own->count + d] += basis->m[k / 3][s] * move;
            }
        }
    }
}

/// From the frame's own terms back to the tie's, where that has gone.
static void supEndFrame( const supReferencePlaces* own, const supElasticFrame* frame, const supFatLoad* load )
{
    for ( size_t i = 0; i < own->count; ++i )
    {
        double place, speed;
        supElasticFrame_Tie( frame, own->count, i, 1.0, &place, &speed );
        own->moved[i] -= place;
        own->speeds[i] = ( own->speeds[i] - speed ) * load->speed;
    }
}

/// The border's own speed, for the next frame's beginning.
static void supEndGround( const supFatPlaces* at, const supReferencePlaces* own )
{
    float slopes[SUP_PATH_SPANS];
    supSwingClock_Slopes( &at->own->clock, slopes );
    for ( size_t i = 0; i < own->count; ++i )
    {
        own->groundSpeed[i] = 0.0;
        for ( size_t s = 0; s < SUP_PATH_SPANS; ++s )
        {
            own->groundSpeed[i] += slopes[s] * own->groundDeltas[s * own->count + i];
        }
    }
}

bool supFatReference_Step( const supFat* fat, const supFatPlaces* at, const supFatLoad* load )
{
    supReferencePlaces own = supReferenceIn( fat, at->reference, NULL );
    double first = fat->omegas[0], zeta = load->live[sup_fatDampingRatio], viscous = load->live[sup_fatViscosity];
    bool tense = supIsTense( fat, load ), grounded = fat->ground != NULL && load->shares != NULL;
    supAddedStiffness added = supAddedBy( fat, &own, load );
    added.sag = tense ? (double)load->tensions[fat->tenseCount] : 0.0;
    supElasticFrame frame = { .damping = { 2.0 * zeta * first * ( 1.0 - viscous ), 2.0 * zeta * viscous / first },
        .span = (double)load->dt * load->speed,
        .forces = { own.forces[0], own.forces[1] },
        .path = own.path,
        .more = tense ? supAddedStiffness_Pull : NULL,
        .user = &added };
    supFillForces( fat, at, load, own.pulls, own.forces[0] );
    supKeepPulls( fat, load, own.pulls );
    supFillForces( fat, at, load, own.pulls, own.forces[1] );
    if ( grounded )
    {
        supMoveGround( fat, at, &own, load );
    }
    supFillPath( fat, at, &own, load );
    for ( size_t i = 0; i < own.count; ++i )
    {
        own.speeds[i] /= load->speed;
    }
    double step = supElastic_StableStep( fat->elastic, frame.damping, tense ? supAddedStiffness_Most( &added ) : 1.0 );
    double wanted = supFloor( frame.span / step ) + 1.0, steps = supMin( wanted, supMostSteps );
    double h = supMin( frame.span / steps, step );
    frame.span = steps * h;
    for ( double n = 0.0; n < steps; n += 1.0 )
    {
        supElastic_StepExplicit( fat->elastic, &frame, n * h, h, own.moved, own.speeds, own.scratch );
    }
    supEndFrame( &own, &frame, load );
    if ( grounded )
    {
        supEndGround( at, &own );
    }
    return wanted <= supMostSteps;
}

void supFatReference_Show( const supFat* fat, const supFatPlaces* at, float* shown )
{
    supReferencePlaces own = supReferenceIn( fat, at->reference, NULL );
    for ( size_t i = 0; i < own.count; ++i )
    {
        shown[i] = (float)own.moved[i];
    }
}

void supFatReference_Node( const supFat* fat, const supFatPlaces* at, int32_t node, supVec3d* moved, supVec3d* speed )
{
    supReferencePlaces own = supReferenceIn( fat, at->reference, NULL );
    const double *u = own.moved + 3 * (size_t)node, *v = own.speeds + 3 * (size_t)node;
    *moved = ( supVec3d ){ u[0], u[1], u[2] };
    *speed = ( supVec3d ){ v[0], v[1], v[2] };
}
