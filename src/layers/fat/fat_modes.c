// What the body's motion gives to each vibration of fat, and what the vibrations give to the nodes.
// SPDX-License-Identifier: MIT
#include "layers/fat/fat_modes.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/scalar_math.h"
#include "layers/fat/fat_nodes.h"
#include "solve/lanes.h"

#include <string.h>

/// Accelerations that are as likely as one m/s^2 of a joint: of what it turns, at its usual distance, in m/s^2; and of
/// the inner border what a muscle's bulge, a twentieth of the way to the skin, is to 10 m/s^2.
static const double supUsualTurn = 0.7, supUsualSwelling = 0.005;

/// Matrices' numbers are taken in this order: for each coordinate d of the displacement, the factors of x, y, z and 1.
static void supAddGather( supFat* fat, const supElastic* elastic, int32_t mode, const double* shape )
{
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        supVec3d p = elastic->places[i];
        const double factors[4] = { p.x, p.y, p.z, 1.0 };
        for ( int k = 0; k < supFatHolds; ++k )
        {
            double share = elastic->masses[i] * fat->holds[i].weights[k];
            for ( int e = 0; e < 12 && share > 0.0; ++e )
            {
                size_t row = 12 * (size_t)fat->holds[i].joints[k] + (size_t)e;
                fat->gather[row * fat->modeSize + (size_t)mode] +=
                    (float)( share * shape[3 * i + e / 4] * factors[e % 4] );
            }
        }
    }
}

/// The weight that joint `j` carries, along one axis, under one m/s^2.
static void supJointLoad( const supFat* fat, const supElastic* elastic, int32_t j, int axis, double* force )
{
    memset( force, 0, sizeof( double ) * 3 * (size_t)elastic->freeCount );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int k = 0; k < supFatHolds; ++k )
        {
            double share = fat->holds[i].joints[k] == j ? fat->holds[i].weights[k] : 0.0;
            force[3 * i + axis] += share * elastic->masses[i];
        }
    }
}

static double supHoldOf( const supFatHold* hold, int32_t joint )
{
    double sum = 0.0;
    for ( int k = 0; k < supFatHolds; ++k )
    {
        sum += hold->joints[k] == joint ? (double)hold->weights[k] : 0.0;
    }
    return sum;
}

/// The middle of what a joint carries, and how far from there it lies in the mean.
static supVec3d supMiddleOfJoint(
    const supFatNodes* nodes, const supElastic* elastic, int32_t joint, double* mass, double* arm )
{
    supVec3d middle = { 0.0, 0.0, 0.0 };
    double sum = 0.0, square = 0.0;
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        double own = elastic->masses[i] * supHoldOf( nodes->holds + elastic->freeNodes[i], joint );
        middle = supMulAddD( middle, own, elastic->places[i] );
        sum += own;
    }
    middle = supScaleD( middle, sum > 0.0 ? 1.0 / sum : 0.0 );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        double own = elastic->masses[i] * supHoldOf( nodes->holds + elastic->freeNodes[i], joint );
        supVec3d off = supSubD( elastic->places[i], middle );
        square += own * supDotD( off, off );
    }
    *mass = sum;
    *arm = square > 0.0 ? supSqrt( square / sum ) : 1.0;
    return middle;
}

/// Nodes move as a joint carries them along an axis (`load` 0 to 2), or about one through the middle of what it carries
/// (3 to 5).
static void supFillCarried(
    const supFatNodes* nodes, const supElastic* elastic, int32_t joint, int32_t load, double* motion )
{
    double mass, arm;
    supVec3d middle = supMiddleOfJoint( nodes, elastic, joint, &mass, &arm );
    int axis = load % 3, next = ( axis + 1 ) % 3, last = ( axis + 2 ) % 3;
    memset( motion, 0, sizeof( double ) * 3 * (size_t)elastic->freeCount );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        double hold = supHoldOf( nodes->holds + elastic->freeNodes[i], joint ), turn = supUsualTurn * hold / arm;
        supVec3d off = supSubD( elastic->places[i], middle );
        const double x[3] = { off.x, off.y, off.z };
        double* own = motion + 3 * (size_t)i;
        own[axis] = load < 3 ? hold : 0.0;
        own[next] -= load < 3 ? 0.0 : turn * x[last];
        own[last] += load < 3 ? 0.0 : turn * x[next];
    }
}

/// The inner border comes out below a joint's skin: M^-1 pull e, so that the solid at rest on it is the answer.
static void supFillSwelling( const supFatLoading* loading, const supElastic* elastic, int32_t joint, double* motion )
{
    memset( motion, 0, sizeof( double ) * 3 * (size_t)elastic->freeCount );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int64_t k = elastic->pull.starts[i]; k < elastic->pull.starts[i + 1]; ++k )
        {
            int32_t anchor = elastic->anchors[elastic->pull.columns[k]];
            supFootRay rays[supFootRays];
            int32_t count = supReadFootRays( loading->region, loading->mesh->nodes + anchor, rays );
            double share = supUsualSwelling * supHoldOf( loading->nodes->holds + anchor, joint ) / elastic->masses[i];
            const double* block = elastic->pull.blocks + 9 * k;
            for ( int32_t c = 0; c < 3 * count; ++c )
            {
                supVec3 e = rays[c / 3].way;
                const double* row = block + (ptrdiff_t)( 3 * ( c % 3 ) );
                motion[3 * i + c % 3] += share * ( row[0] * e.x + row[1] * e.y + row[2] * e.z );
            }
        }
    }
}

static void supFillFatLoad( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion )
{
    const supFatLoading* loading = user;
    if ( load < supRigidLoads )
    {
        supFillCarried( loading->nodes, elastic, group, load, motion );
    }
    else
    {
        supFillSwelling( loading, elastic, group, motion );
    }
}

supElasticLoads supFatLoads( const supFatLoading* loading )
{
    int32_t swellings = loading->region->border != NULL ? 1 : 0;
    return ( supElasticLoads ){ loading->region->jointCount, supRigidLoads + swellings, supFillFatLoad, loading };
}

float supUnitSag( const supElastic* elastic, const supBlockFactor* factor, double* force, double* scratch )
{
    double largest = 0.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( int32_t i = 0; i < 3 * elastic->freeCount; ++i )
        {
            force[i] = i % 3 == axis ? elastic->masses[i / 3] : 0.0;
        }
        supBlockFactor_SolveOne( factor, force, scratch );
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            const double* u = force + 3 * (size_t)i;
            largest = supMax( largest, u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
        }
    }
    return (float)supSqrt( largest );
}

/// What a ray's share gives to vibrations `first` and the seven after it: its anchors move, and the solid would come to
/// rest at -K^-1 pull e; the mode's part of that is -(shape . M K^-1 pull e). `wide`: K^-1 M shape of the eight.
static void supAddPushes( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supFatRegion* region,
    int32_t first, const double* wide )
{
    int32_t left = fat->modeCount - first, modes = left < SUP_FACTOR_COLUMNS ? left : SUP_FACTOR_COLUMNS;
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        const double* x = wide + SUP_FACTOR_COLUMNS * 3 * (size_t)i;
        for ( int64_t k = elastic->pull.starts[i]; k < elastic->pull.starts[i + 1]; ++k )
        {
            supFootRay rays[supFootRays];
            int32_t count = supReadFootRays( region, mesh->nodes + elastic->anchors[elastic->pull.columns[k]], rays );
            const double* block = elastic->pull.blocks + 9 * k;
            for ( int c = 0; c < count; ++c )
            {
                supVec3d e = supToDouble( rays[c].way );
                float* row = fat->pushes + (size_t)rays[c].ray * fat->modeSize + (size_t)first;
                for ( int r = 0; r < 3; ++r )
                {
                    double f = block[3 * r] * e.x + block[3 * r + 1] * e.y + block[3 * r + 2] * e.z;
                    for ( int32_t m = 0; m < modes; ++m )
                    {
                        row[m] -= (float)( f * x[SUP_FACTOR_COLUMNS * r + m] );
                    }
                }
            }
        }
    }
}

/// `wide`: eight vectors, interleaved, then the factor's scratch.
static void supFillPushes( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, const supFatRegion* region, supWatched* watched, double* wide )
{
    for ( int32_t first = 0; first < modes->count && supWatched_Tell( watched, NULL, 0.5 + 0.5 * first / modes->count );
          first += SUP_FACTOR_COLUMNS )
    {
        for ( size_t i = 0; i < SUP_FACTOR_COLUMNS * modes->size; ++i )
        {
            int32_t mode = first + (int32_t)( i % SUP_FACTOR_COLUMNS );
            size_t at = i / SUP_FACTOR_COLUMNS;
            wide[i] =
                mode < modes->count ? elastic->masses[at / 3] * modes->shapes[(size_t)mode * modes->size + at] : 0.0;
        }
        supBlockFactor_Solve( factor, wide, wide + SUP_FACTOR_COLUMNS * modes->size );
        supAddPushes( fat, mesh, elastic, region, first, wide );
    }
}

/// What the modes leave out of the weight that joints carry: rows `first` and the seven after it. `force`: a vector,
/// then eight interleaved, then the factor's scratch.
static void supFillCorrections( supFat* fat, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, int32_t first, double* force )
{
    double *wide = force + modes->size, *scratch = wide + SUP_FACTOR_COLUMNS * modes->size;
    int32_t left = 3 * fat->jointCount - first, count = left < SUP_FACTOR_COLUMNS ? left : SUP_FACTOR_COLUMNS;
    memset( wide, 0, sizeof( double ) * SUP_FACTOR_COLUMNS * modes->size );
    for ( int32_t c = 0; c < count; ++c )
    {
        supJointLoad( fat, elastic, ( first + c ) / 3, ( first + c ) % 3, force );
        for ( size_t i = 0; i < modes->size; ++i )
        {
            wide[SUP_FACTOR_COLUMNS * i + (size_t)c] = force[i];
        }
    }
    supBlockFactor_Solve( factor, wide, scratch );
    for ( int32_t c = 0; c < count; ++c )
    {
        float* row = fat->rows + (size_t)( fat->modeCount + first + c ) * fat->rowSize;
        supJointLoad( fat, elastic, ( first + c ) / 3, ( first + c ) % 3, force );
        for ( int32_t m = 0; m < modes->count; ++m )
        {
            const double* shape = modes->shapes + (size_t)m * modes->size;
            double share = supDotRowsD( shape, force, modes->size ) / ( modes->omegas[m] * modes->omegas[m] );
            for ( size_t i = 0; i < modes->size; ++i )
            {
                wide[SUP_FACTOR_COLUMNS * i + (size_t)c] -= share * shape[i];
            }
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            row[i] = (float)wide[SUP_FACTOR_COLUMNS * i + (size_t)c];
        }
    }
}

bool supFillFatRows( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supBlockFactor* factor,
    const supElasticModes* modes, const supFatRegion* region, supWatched* watched, const supAllocator* allocator )
{
    size_t room =
        sizeof( double ) * ( supBlockFactor_ScratchCount( factor ) + ( SUP_FACTOR_COLUMNS + 2 ) * modes->size + 8 );
    double* force = supAlloc( allocator, room, SUP_MAX_ALIGNMENT );
    if ( force == NULL )
    {
        return false;
    }
    double* scratch = force + modes->size;
    for ( int32_t m = 0; m < fat->modeCount; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        fat->omegas[m] = (float)modes->omegas[m];
        supAddGather( fat, elastic, m, shape );
        for ( size_t i = 0; i < modes->size; ++i )
        {
            fat->rows[(size_t)m * fat->rowSize + i] = (float)shape[i];
        }
    }
    int32_t rows = 3 * fat->jointCount;
    for ( int32_t r = 0; r < rows && supWatched_Tell( watched, NULL, 0.5 * r / rows ); r += SUP_FACTOR_COLUMNS )
    {
        supFillCorrections( fat, elastic, factor, modes, r, force );
    }
    fat->sagUnit = supUnitSag( elastic, factor, force, scratch );
    if ( fat->rayCount > 0 )
    {
        supFillPushes( fat, mesh, elastic, factor, modes, region, watched, force + modes->size );
    }
    supFree( allocator, force, room );
    return supWatched_Tell( watched, NULL, 1.0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Blocks of vibrations that muscles which tense couple with one another.
//
// Tension couples vibrations that strain the same voxels, so eigenvectors of the tense solid are looked for among those
// that move the same places: a few small matrices in a frame in place of one large one, whose cost grows with the third
// power. At rest nothing is lost by that (fat_tension.c).

/// What of each vibration's motion is where a joint carries the nodes, its root: `region->jointCount` numbers each.
static void supSpreadOverJoints(
    const supElasticModes* modes, const supElastic* elastic, const supFatNodes* nodes, int32_t joints, double* spread )
{
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        double* own = spread + (size_t)m * (size_t)joints;
        const double* shape = modes->shapes + (size_t)m * modes->size;
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            const supFatHold* hold = nodes->holds + elastic->freeNodes[i];
            const double* u = shape + 3 * (size_t)i;
            double square = elastic->masses[i] * ( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
            for ( int k = 0; k < supFatHolds; ++k )
            {
                own[hold->joints[k]] += square * hold->weights[k];
            }
        }
        for ( int32_t j = 0; j < joints; ++j )
        {
            own[j] = supSqrt( own[j] );
        }
    }
}

static void supSwapNumbers( double* a, double* b, size_t count )
{
    for ( size_t i = 0; i < count && a != b; ++i )
    {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void supSwapModes( supElasticModes* modes, double* spread, int32_t joints, int32_t a, int32_t b )
{
    supSwapNumbers( modes->omegas + a, modes->omegas + b, 1 );
    supSwapNumbers( modes->shapes + (size_t)a * modes->size, modes->shapes + (size_t)b * modes->size, modes->size );
    supSwapNumbers( spread + (size_t)a * (size_t)joints, spread + (size_t)b * (size_t)joints, (size_t)joints );
}

/// Of the vibrations from `first` on the one that moves the same places as `sum`; with `sum` NULL the slowest.
static int32_t supFindNext(
    const supElasticModes* modes, const double* spread, int32_t joints, int32_t first, const double* sum )
{
    int32_t found = first;
    double best = -1e300;
    for ( int32_t m = first; m < modes->count; ++m )
    {
        double same = sum == NULL ? -modes->omegas[m] : 0.0;
        for ( int32_t j = 0; j < joints && sum != NULL; ++j )
        {
            same += sum[j] * spread[(size_t)m * (size_t)joints + (size_t)j];
        }
        found = same > best ? m : found;
        best = supMax( same, best );
    }
    return found;
}

bool supSortIntoBlocks( supElasticModes* modes, const supElastic* elastic, const supFatNodes* nodes,
    const supFatRegion* region, supFat* fat )
{
    size_t joints = (size_t)region->jointCount, size = sizeof( double ) * joints * ( (size_t)modes->count + 1 );
    double* spread = supAllocZeroed( region->allocator, 1, size, SUP_MAX_ALIGNMENT );
    if ( spread == NULL )
    {
        return false;
    }
    double* sum = spread + (size_t)modes->count * joints;
    supSpreadOverJoints( modes, elastic, nodes, (int32_t)joints, spread );
    fat->blockCount = ( modes->count + supMostOfBlock - 1 ) / supMostOfBlock;
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        int32_t begin = fat->blockStarts[b], end = modes->count * ( b + 1 ) / fat->blockCount;
        memset( sum, 0, sizeof( double ) * joints );
        for ( int32_t m = begin; m < end; ++m )
        {
            int32_t next = supFindNext( modes, spread, (int32_t)joints, m, m == begin ? NULL : sum );
            supSwapModes( modes, spread, (int32_t)joints, m, next );
            for ( size_t j = 0; j < joints; ++j )
            {
                sum[j] += spread[(size_t)m * joints + j];
            }
        }
        fat->blockStarts[b + 1] = end;
    }
    supFree( region->allocator, spread, size );
    return true;
}
