// An elastic solid, put together from its elements.
// SPDX-License-Identifier: MIT
#include "solve/elastic.h"

#include "base/memory.h"

#include <string.h>

enum
{
    supMostMasters = 8, ///< nodes that a corner stands for
    supPowerSteps = 40,
};

/// What a corner of an element stands for: itself, or the nodes that it hangs between.
typedef struct supMasters
{
    int32_t count;
    int32_t nodes[supMostMasters];
} supMasters;

typedef struct supAssembly
{
    const supElasticDef* def;
    int32_t* hangs;  ///< of each node: its entry among the hanging ones, or -1
    int32_t* starts; ///< elements around each node that is not hanging
    int32_t* around;
    int32_t* marks;
    const supAllocator* allocator;
    size_t size;
    char* block;
    supArray elements; ///< what `around` points at
} supAssembly;

static supMasters supMastersOf( const supAssembly* assembly, int32_t node )
{
    supMasters masters = { 1, { node } };
    if ( assembly->hangs[node] >= 0 )
    {
        const supHangingNode* hanging = assembly->def->hanging + assembly->hangs[node];
        masters.count = hanging->parentCount;
        memcpy( masters.nodes, hanging->parents, sizeof( masters.nodes ) );
    }
    return masters;
}

/// Nodes that an element's corners stand for, each once. At most 64.
static int32_t supElementNodes( const supAssembly* assembly, int32_t element, int32_t* nodes )
{
    int32_t count = 0;
    for ( int32_t c = 0; c < supHexCorners; ++c )
    {
        supMasters masters = supMastersOf( assembly, assembly->def->corners[supHexCorners * element + c] );
        for ( int32_t m = 0; m < masters.count; ++m )
        {
            bool known = false;
            for ( int32_t i = 0; i < count && !known; ++i )
            {
                known = nodes[i] == masters.nodes[m];
            }
            if ( !known )
            {
                nodes[count++] = masters.nodes[m];
            }
        }
    }
    return count;
}

/// Lists the elements around each node.
static bool supListAround( supAssembly* assembly )
{
    const supElasticDef* def = assembly->def;
    int32_t nodes[supHexCorners * supMostMasters];
    for ( int32_t pass = 0; pass < 2; ++pass )
    {
        for ( int32_t e = 0; e < def->elementCount; ++e )
        {
            int32_t count = supElementNodes( assembly, e, nodes );
            for ( int32_t i = 0; i < count; ++i )
            {
                int32_t* start = assembly->starts + nodes[i] + 1;
                if ( pass == 1 )
                {
                    assembly->around[( *start )] = e;
                }
                *start += 1;
            }
        }
        if ( pass == 0 )
        {
            for ( int32_t i = 0; i < def->nodeCount; ++i )
            {
                assembly->starts[i + 1] += assembly->starts[i];
            }
            int32_t total = assembly->starts[def->nodeCount];
            assembly->around = supArray_Add( &assembly->elements, (size_t)total + 1 );
            if ( assembly->around == NULL )
            {
                return false;
            }
            // as places to write to: each moves up to its own end in the second pass
            memmove( assembly->starts + 1, assembly->starts, sizeof( int32_t ) * (size_t)def->nodeCount );
            assembly->starts[0] = 0;
        }
    }
    return true;
}

static bool supStartAssembly( supAssembly* assembly, const supElasticDef* def, const supAllocator* allocator )
{
    size_t nodes = (size_t)def->nodeCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, hangs, nodes + 1 );
    SUP_PUT_NEW( &layout, int32_t, starts, nodes + 2 );
    SUP_PUT_NEW( &layout, int32_t, marks, nodes + 1 );
    *assembly = ( supAssembly ){ .def = def,
        .allocator = allocator,
        .block = supAllocLayout( allocator, &layout ),
        .size = layout.size,
        .elements = supMakeArray( sizeof( int32_t ), allocator ) };
    if ( assembly->block == NULL )
    {
        return false;
    }
    assembly->hangs = hangs;
    assembly->starts = starts;
    assembly->marks = marks;
    for ( int32_t i = 0; i < def->nodeCount; ++i )
    {
        assembly->hangs[i] = -1;
    }
    for ( int32_t i = 0; i < def->hangingCount; ++i )
    {
        assembly->hangs[def->hanging[i].node] = i;
    }
    return supListAround( assembly );
}

static void supEndAssembly( supAssembly* assembly )
{
    supArray_Destroy( &assembly->elements );
    supFree( assembly->allocator, assembly->block, assembly->size );
}

// ---------------------------------------------------------------------------------------------------------------
// Shape

typedef struct supElasticCounts
{
    int32_t freeCount, anchorCount;
    int64_t freeBlocks, pullBlocks;
} supElasticCounts;

/// Calls for each pair of a free node and a node next to it, itself included.
static supElasticCounts supCountElastic( supAssembly* assembly )
{
    const supElasticDef* def = assembly->def;
    supElasticCounts counts = { 0 };
    for ( int32_t i = 0; i < def->nodeCount; ++i )
    {
        bool held = def->anchored[i] != 0;
        counts.anchorCount += held && assembly->hangs[i] < 0;
        if ( held || assembly->hangs[i] >= 0 )
        {
            continue;
        }
        counts.freeCount += 1;
        for ( int32_t k = assembly->starts[i]; k < assembly->starts[i + 1]; ++k )
        {
            int32_t nodes[supHexCorners * supMostMasters];
            int32_t count = supElementNodes( assembly, assembly->around[k], nodes );
            for ( int32_t n = 0; n < count; ++n )
            {
                if ( assembly->marks[nodes[n]] != i + 1 )
                {
                    assembly->marks[nodes[n]] = i + 1;
                    bool pulled = def->anchored[nodes[n]] != 0;
                    counts.pullBlocks += pulled;
                    counts.freeBlocks += !pulled;
                }
            }
        }
    }
    return counts;
}

static supElastic* supAllocElastic( const supElasticDef* def, supElasticCounts counts, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    size_t freeCount = (size_t)counts.freeCount;
    SUP_PUT_NEW( &layout, supElastic, elastic, 1 );
    SUP_PUT_NEW( &layout, int32_t, indices, def->nodeCount );
    SUP_PUT_NEW( &layout, int32_t, freeNodes, freeCount );
    SUP_PUT_NEW( &layout, int32_t, anchors, counts.anchorCount );
    SUP_PUT_NEW( &layout, supHangingNode, hanging, def->hangingCount );
    SUP_PUT_NEW( &layout, double, masses, freeCount );
    SUP_PUT_NEW( &layout, supVec3d, places, freeCount );
    SUP_PUT_NEW( &layout, int64_t, starts, 2 * ( freeCount + 1 ) );
    SUP_PUT_NEW( &layout, int32_t, columns, counts.freeBlocks + counts.pullBlocks );
    SUP_PUT_NEW_WIDE( &layout, double, blocks, 9 * ( counts.freeBlocks + counts.pullBlocks ) );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *elastic = ( supElastic ){ .nodeCount = def->nodeCount,
        .freeCount = counts.freeCount,
        .anchorCount = counts.anchorCount,
        .hangingCount = def->hangingCount,
        .indices = indices,
        .freeNodes = freeNodes,
        .anchors = anchors,
        .hanging = hanging,
        .masses = masses,
        .places = places,
        .stiffness = { counts.freeCount, starts, columns, blocks },
        .pull = { counts.freeCount, starts + freeCount + 1, columns + counts.freeBlocks,
            blocks + 9 * counts.freeBlocks },
        .blockSize = layout.size };
    return elastic;
}

static void supNumberNodes( const supAssembly* assembly, supElastic* elastic )
{
    const supElasticDef* def = assembly->def;
    int32_t freeCount = 0, anchorCount = 0;
    for ( int32_t i = 0; i < def->nodeCount; ++i )
    {
        if ( assembly->hangs[i] >= 0 )
        {
            continue;
        }
        if ( def->anchored[i] != 0 )
        {
            elastic->anchors[anchorCount] = i;
            elastic->indices[i] = -1 - anchorCount++;
        }
        else
        {
            elastic->freeNodes[freeCount] = i;
            elastic->places[freeCount] = def->places[i];
            elastic->indices[i] = freeCount++;
        }
    }
    if ( def->hangingCount > 0 )
    {
        memcpy( elastic->hanging, def->hanging, sizeof( supHangingNode ) * (size_t)def->hangingCount );
    }
}

/// Puts a column in its place among those of the last row.
static void supInsertColumn( supBlockMatrix* matrix, int32_t row, int32_t column )
{
    int64_t at = matrix->starts[row + 1]++;
    for ( ; at > matrix->starts[row] && matrix->columns[at - 1] > column; --at )
    {
        matrix->columns[at] = matrix->columns[at - 1];
    }
    matrix->columns[at] = column;
}

static void supListColumns( supAssembly* assembly, supElastic* elastic )
{
    memset( assembly->marks, 0, sizeof( int32_t ) * (size_t)elastic->nodeCount );
    for ( int32_t row = 0; row < elastic->freeCount; ++row )
    {
        int32_t node = elastic->freeNodes[row];
        elastic->stiffness.starts[row + 1] = elastic->stiffness.starts[row];
        elastic->pull.starts[row + 1] = elastic->pull.starts[row];
        for ( int32_t k = assembly->starts[node]; k < assembly->starts[node + 1]; ++k )
        {
            int32_t nodes[supHexCorners * supMostMasters];
            int32_t count = supElementNodes( assembly, assembly->around[k], nodes );
            for ( int32_t n = 0; n < count; ++n )
            {
                if ( assembly->marks[nodes[n]] != row + 1 )
                {
                    assembly->marks[nodes[n]] = row + 1;
                    int32_t index = elastic->indices[nodes[n]];
                    supInsertColumn(
                        index >= 0 ? &elastic->stiffness : &elastic->pull, row, index >= 0 ? index : -1 - index );
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

static double* supFindBlock( const supBlockMatrix* matrix, int32_t row, int32_t column )
{
    int64_t low = matrix->starts[row], high = matrix->starts[row + 1];
    while ( high - low > 1 )
    {
        int64_t middle = ( low + high ) / 2;
        low = matrix->columns[middle] <= column ? middle : low;
        high = matrix->columns[middle] <= column ? high : middle;
    }
    return matrix->blocks + 9 * low;
}

/// The block of corners a and b, for all nodes that these stand for.
static void supAddPair( const supAssembly* assembly, supElastic* elastic, const int32_t* corners, int32_t a, int32_t b,
    const double* stiffness, double share )
{
    supMasters rows = supMastersOf( assembly, corners[a] ), columns = supMastersOf( assembly, corners[b] );
    for ( int32_t p = 0; p < rows.count; ++p )
    {
        int32_t row = elastic->indices[rows.nodes[p]];
        for ( int32_t q = 0; q < columns.count && row >= 0; ++q )
        {
            int32_t column = elastic->indices[columns.nodes[q]];
            double* block = column >= 0 ? supFindBlock( &elastic->stiffness, row, column )
                                        : supFindBlock( &elastic->pull, row, -1 - column );
            double weight = share / ( (double)rows.count * (double)columns.count );
            for ( int i = 0; i < 9; ++i )
            {
                block[i] += weight * stiffness[( 3 * a + i / 3 ) * supHexSize + 3 * b + i % 3];
            }
        }
    }
}

static void supAddMass( const supAssembly* assembly, supElastic* elastic, const int32_t* corners, double mass )
{
    for ( int32_t c = 0; c < supHexCorners; ++c )
    {
        supMasters masters = supMastersOf( assembly, corners[c] );
        for ( int32_t m = 0; m < masters.count; ++m )
        {
            int32_t index = elastic->indices[masters.nodes[m]];
            if ( index >= 0 )
            {
                elastic->masses[index] += mass / ( (double)supHexCorners * masters.count );
            }
        }
    }
}

/// Elements of the same shape without fibres have the same stiffness: voxels are worked out once.
typedef struct supLastHex
{
    bool known;
    supVec3d edges[supHexCorners];
    double stiffness[supHexSize * supHexSize];
} supLastHex;

static bool supStiffnessOf( const supElasticDef* def, int32_t e, supVec3d* places, supLastHex* last )
{
    supVec3d fiber = def->fibers != NULL ? def->fibers[e] : ( supVec3d ){ 0.0, 0.0, 0.0 };
    bool plain = supDotD( fiber, fiber ) == 0.0, same = plain && last->known;
    for ( int c = 0; c < supHexCorners; ++c )
    {
        places[c] = def->places[def->corners[supHexCorners * e + c]];
        supVec3d edge = supSubD( places[c], places[0] ), off = supSubD( edge, last->edges[c] );
        same = same && supDotD( off, off ) <= 1e-20 * supDotD( edge, edge );
        last->edges[c] = edge;
    }
    last->known = plain;
    return same || supHexStiffness( places, &def->material, fiber, last->stiffness );
}

static supResult supAddElements( const supAssembly* assembly, supElastic* elastic, supError* error )
{
    const supElasticDef* def = assembly->def;
    supLastHex last = { 0 };
    elastic->smallest = 1e300;
    for ( int32_t e = 0; e < def->elementCount; ++e )
    {
        supVec3d places[supHexCorners];
        const int32_t* corners = def->corners + (size_t)supHexCorners * (size_t)e;
        if ( !supStiffnessOf( def, e, places, &last ) )
        {
            return supFail( error, sup_errorData, "element %d of the elastic solid has no volume", e );
        }
        double share = def->stiff != NULL ? def->stiff[e] : 1.0, full = def->full != NULL ? def->full[e] : 1.0;
        double edge = supLengthD( supSubD( places[1], places[0] ) );
        elastic->smallest = edge < elastic->smallest ? edge : elastic->smallest;
        supAddMass( assembly, elastic, corners, full * def->density * supHexVolume( places ) );
        for ( int32_t i = 0; i < supHexCorners * supHexCorners; ++i )
        {
            supAddPair( assembly, elastic, corners, i / supHexCorners, i % supHexCorners, last.stiffness, share );
        }
    }
    return sup_success;
}

static void supAddFoundation( supElastic* elastic, double share )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        double* own = supFindBlock( &elastic->stiffness, i, i );
        double least = supMin( own[0], supMin( own[4], own[8] ) );
        for ( int d = 0; d < 3; ++d )
        {
            own[4 * d] += share * least;
        }
    }
}

/// Nodes without mass are those that no element has, too.
static supResult supCheckMasses( const supElastic* elastic, supError* error )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        if ( !( elastic->masses[i] > 0.0 ) )
        {
            return supFail( error, sup_errorData, "node %d of the elastic solid has no mass", elastic->freeNodes[i] );
        }
    }
    return sup_success;
}

/// Gershgorin's bound on the eigenvalues of M^-1 K.
static void supBoundStiffness( supElastic* elastic )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int r = 0; r < 3; ++r )
        {
            double sum = 0.0;
            for ( int64_t k = elastic->stiffness.starts[i]; k < elastic->stiffness.starts[i + 1]; ++k )
            {
                const double* row = elastic->stiffness.blocks + 9 * k + (ptrdiff_t)( 3 * r );
                double scale = supSqrt( elastic->masses[i] * elastic->masses[elastic->stiffness.columns[k]] );
                sum += ( supAbs( row[0] ) + supAbs( row[1] ) + supAbs( row[2] ) ) / scale;
            }
            elastic->stiffest = sum > elastic->stiffest ? sum : elastic->stiffest;
        }
    }
}

/// The largest eigenvalue of M^-1 K by powers of it, from below; a twentieth is added, and Gershgorin's bound holds.
static bool supFindStiffest( supElastic* elastic, const supAllocator* allocator )
{
    size_t count = 3 * (size_t)elastic->freeCount;
    double* x = supAlloc( allocator, sizeof( double ) * ( 2 * count + 1 ), SUP_MAX_ALIGNMENT );
    if ( x == NULL )
    {
        return false;
    }
    double *image = x + count, value = 0.0;
    for ( size_t i = 0; i < count; ++i )
    {
        x[i] = ( i * 7919u % 13u < 6u ? 1.0 : -1.0 ) + 0.001 * (double)( i % 17 );
    }
    for ( int step = 0; step < supPowerSteps; ++step )
    {
        double before = 0.0, after = 0.0;
        supBlockMatrix_Multiply( &elastic->stiffness, x, image );
        for ( size_t i = 0; i < count; ++i )
        {
            before += elastic->masses[i / 3] * x[i] * x[i];
            image[i] /= elastic->masses[i / 3];
            after += elastic->masses[i / 3] * image[i] * image[i];
        }
        value = supSqrt( after / before );
        double scale = 1.0 / supSqrt( after );
        for ( size_t i = 0; i < count; ++i )
        {
            x[i] = scale * image[i];
        }
    }
    elastic->stiffest = supMin( elastic->stiffest, 1.05 * value );
    supFree( allocator, x, sizeof( double ) * ( 2 * count + 1 ) );
    return true;
}

supResult supCreateElastic( const supElasticDef* def, const supAllocator* allocator, supElastic** out, supError* error )
{
    *out = NULL;
    supAssembly assembly;
    supElastic* elastic = NULL;
    supResult result = sup_errorMemory;
    if ( supStartAssembly( &assembly, def, allocator ) )
    {
        elastic = supAllocElastic( def, supCountElastic( &assembly ), allocator );
    }
    if ( elastic == NULL )
    {
        supFail( error, result, "no memory for an elastic solid of %d nodes", def->nodeCount );
    }
    else
    {
        supNumberNodes( &assembly, elastic );
        supListColumns( &assembly, elastic );
        result = supAddElements( &assembly, elastic, error );
        result = result == sup_success ? supCheckMasses( elastic, error ) : result;
        if ( result == sup_success )
        {
            supAddFoundation( elastic, def->foundation );
            supBoundStiffness( elastic );
        }
        elastic->longitudinal = supSqrt( ( def->material.lambda + 2.0 * def->material.mu ) / def->density );
        if ( result == sup_success && !supFindStiffest( elastic, allocator ) )
        {
            result = supFail( error, sup_errorMemory, "no memory for an elastic solid of %d nodes", def->nodeCount );
        }
    }
    supEndAssembly( &assembly );
    if ( result != sup_success )
    {
        supDestroyElastic( elastic, allocator );
        elastic = NULL;
    }
    *out = elastic;
    return result;
}

void supDestroyElastic( supElastic* elastic, const supAllocator* allocator )
{
    if ( elastic != NULL )
    {
        supFree( allocator, elastic, elastic->blockSize );
    }
}

void supElastic_Expand( const supElastic* elastic, const double* moved, const double* held, double* out )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        memcpy( out + 3 * (size_t)elastic->freeNodes[i], moved + 3 * (size_t)i, 3 * sizeof( double ) );
    }
    for ( int32_t i = 0; i < elastic->anchorCount; ++i )
    {
        for ( size_t d = 0; d < 3; ++d )
        {
            out[3 * (size_t)elastic->anchors[i] + d] = held != NULL ? held[3 * (size_t)i + d] : 0.0;
        }
    }
    for ( int32_t i = 0; i < elastic->hangingCount; ++i )
    {
        const supHangingNode* node = elastic->hanging + i;
        for ( size_t d = 0; d < 3; ++d )
        {
            double sum = 0.0;
            for ( int32_t p = 0; p < node->parentCount; ++p )
            {
                sum += out[3 * (size_t)node->parents[p] + d];
            }
            out[3 * (size_t)node->node + d] = sum / node->parentCount;
        }
    }
}

void supElastic_Gather( const supElastic* elastic, double* all, double* out )
{
    for ( int32_t i = 0; i < elastic->hangingCount; ++i )
    {
        const supHangingNode* node = elastic->hanging + i;
        for ( size_t k = 0; k < 3 * (size_t)node->parentCount; ++k )
        {
            all[3 * (size_t)node->parents[k / 3] + k % 3] += all[3 * (size_t)node->node + k % 3] / node->parentCount;
        }
    }
    for ( size_t i = 0; i < 3 * (size_t)elastic->freeCount; ++i )
    {
        out[i] += all[3 * (size_t)elastic->freeNodes[i / 3] + i % 3];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The elastic solid, stepped explicitly: the reference.
//
// Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, step their fat with an explicit scheme of fourth
// order and a step that follows the speed of waves. They print the speeds the wrong way round: compression travels at
// sqrt( (lambda + 2 mu) / rho ), shear at sqrt( mu / rho ), and the step follows the faster one.

/// Of what RK4 could hold, kept back.
static const double supSafety = 0.95;

double supElastic_StableStep( const supElastic* elastic, supElasticDamping damping, double stiffer )
{
    // a cube of edge h swings fastest at 2.42 c / h; partly filled and squeezed ones faster, as was found
    double wave = 2.42 * elastic->longitudinal / elastic->smallest, found = supSqrt( elastic->stiffest );
    double omega = ( wave > found ? wave : found ) * supSqrt( stiffer );
    double swing = 2.6 / omega, slow = 2.78 / ( damping.mass + damping.stiffness * omega * omega + 1e-300 );
    return supSafety * ( swing < slow ? swing : slow );
}

size_t supElastic_ScratchCount( const supElastic* elastic )
{
    return 7 * 3 * (size_t)elastic->freeCount;
}

/// The acceleration under displacement u and speed v, both less those of the tie: M^-1 ( f - K ( u + b v ) ) - a v.
/// `slack`: scratch of two vectors.
static void supAccelerate( const supElastic* elastic, const supElasticFrame* frame, double time, const double* u,
    const double* v, double* slack, double* out )
{
    size_t count = 3 * (size_t)elastic->freeCount;
    double *strained = slack, *slowed = slack + count, theta = time / frame->span;
    for ( size_t i = 0; i < count; ++i )
    {
        double place = 0.0, speed = 0.0;
        if ( frame->path != NULL )
        {
            supElasticFrame_Tie( frame, count, i, theta, &place, &speed );
        }
        slowed[i] = v[i] - speed;
        strained[i] = u[i] - place + frame->damping.stiffness * slowed[i];
    }
    supBlockMatrix_Multiply( &elastic->stiffness, strained, out );
    if ( frame->more != NULL )
    {
        frame->more( strained, out, frame->user );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        double force = frame->forces[0][i] + theta * ( frame->forces[1][i] - frame->forces[0][i] );
        out[i] = ( force - out[i] ) / elastic->masses[i / 3] - frame->damping.mass * slowed[i];
    }
}

void supElastic_StepExplicit( const supElastic* elastic, const supElasticFrame* frame, double time, double h,
    double* moved, double* speed, double* scratch )
{
    static const double reach[4] = { 0.0, 0.5, 0.5, 1.0 }, share[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    size_t count = 3 * (size_t)elastic->freeCount;
    double *u = scratch, *v = scratch + count, *slope = scratch + 2 * count, *slack = scratch + 3 * count,
           *gained = scratch + 5 * count, *gone = scratch + 6 * count;
    memset( gained, 0, sizeof( double ) * 2 * count );
    for ( int stage = 0; stage < 4; ++stage )
    {
        for ( size_t i = 0; i < count; ++i )
        {
            // v still holds the speed of the stage before, `slope` its acceleration
            double before = stage > 0 ? v[i] : 0.0, pull = stage > 0 ? slope[i] : 0.0;
            u[i] = moved[i] + reach[stage] * h * before;
            v[i] = speed[i] + reach[stage] * h * pull;
        }
        supAccelerate( elastic, frame, time + reach[stage] * h, u, v, slack, slope );
        for ( size_t i = 0; i < count; ++i )
        {
            gone[i] += share[stage] * v[i];
            gained[i] += share[stage] * slope[i];
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        moved[i] += h * gone[i];
        speed[i] += h * gained[i];
    }
}
