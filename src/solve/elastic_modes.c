// Vibrations of a solid among the shapes that loads give it.
// SPDX-License-Identifier: MIT
//
// A body's motion loads the solid: M b, b the accelerations. A = M^1/2 K^-1 M^1/2 applied to M^1/2 b is where it would
// come to rest under that, applied again what that shape's own inertia does, and so on. The space of these, from the
// loads on, is where a body's motion takes it: few of them answer as many true eigenvectors would not, most of which
// nothing ever excites (Wilson, Yuan, Dickens, "Dynamic analysis by direct superposition of Ritz vectors", 1982).
// Among the shapes S of that space, all kept orthogonal,
//
//     S^T M S = 1,     S^T K S = Omega^2
//
// are the vibrations of the solid where it moves in these shapes alone: the slowest are its own, to many digits, the
// faster ones stand for what lies above. Eight vectors are solved for at once.

#include "solve/elastic_modes.h"

#include "base/memory.h"
#include "solve/lanes.h"
#include "solve/symmetric_eigen.h"

#include <string.h>

enum
{
    supWidth = SUP_FACTOR_COLUMNS,
    supMore = 24, ///< vectors beside the loads' own, at least
};

typedef struct supKrylov
{
    const supElastic* elastic;
    const supBlockFactor* factor;
    size_t size;     ///< numbers of a vector
    int32_t most;    ///< vectors in all
    int32_t count;   ///< so far
    double* vectors; ///< one after the other, orthonormal
    double* small;   ///< K among them, over the masses' roots: most x most
    double* roots;   ///< of the masses
    double* wide;    ///< eight vectors, interleaved
    double* scratch; ///< of the factor
    double* image;   ///< eight vectors: what A makes of others
    uint64_t noise;
    supWatched* watched;
} supKrylov;

static double* supVector( const supKrylov* krylov, int32_t i )
{
    return krylov->vectors + (size_t)i * krylov->size;
}

/// In [-1, 1): the same on every machine.
static double supNoise( uint64_t* state )
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)( *state >> 11 ) / 4503599627370496.0 - 1.0;
}

static void supFillNoise( supKrylov* krylov, double* vector )
{
    for ( size_t i = 0; i < krylov->size; ++i )
    {
        vector[i] = supNoise( &krylov->noise );
    }
}

static void supSubtract( double* vector, double factor, const double* other, size_t size )
{
    for ( size_t i = 0; i < size; ++i )
    {
        vector[i] -= factor * other[i];
    }
}

/// Makes a vector orthogonal to those so far, twice over (Kahan: "twice is enough").
static void supOrthogonalize( const supKrylov* krylov, double* vector )
{
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t i = 0; i < krylov->count; ++i )
        {
            double share = supDotRowsD( supVector( krylov, i ), vector, krylov->size );
            supSubtract( vector, share, supVector( krylov, i ), krylov->size );
        }
    }
}

/// Adds a vector to the space, at unit length, unless nothing of it is new.
static void supAddVector( supKrylov* krylov, const double* vector )
{
    double* own = supVector( krylov, krylov->count );
    memcpy( own, vector, sizeof( double ) * krylov->size );
    double before = supSqrt( supDotRowsD( own, own, krylov->size ) );
    supOrthogonalize( krylov, own );
    double length = supSqrt( supDotRowsD( own, own, krylov->size ) );
    bool adds = length > 1e-5 * before;
    for ( size_t i = 0; i < krylov->size && adds; ++i )
    {
        own[i] /= length;
    }
    krylov->count += adds;
}

static void supReadRoots( supKrylov* krylov )
{
    for ( int32_t i = 0; i < krylov->elastic->freeCount; ++i )
    {
        krylov->roots[i] = supSqrt( krylov->elastic->masses[i] );
    }
}

/// Adds A times some vectors to the space. `vectors`: at most eight.
static void supAddImages( supKrylov* krylov, const double* vectors, int32_t count )
{
    memset( krylov->wide, 0, sizeof( double ) * supWidth * krylov->size );
    for ( int32_t c = 0; c < count; ++c )
    {
        const double* vector = vectors + (size_t)c * krylov->size;
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            krylov->wide[supWidth * i + (size_t)c] = krylov->roots[i / 3] * vector[i];
        }
    }
    supBlockFactor_Solve( krylov->factor, krylov->wide, krylov->scratch );
    for ( int32_t c = 0; c < count && krylov->count < krylov->most; ++c )
    {
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            krylov->image[i] = krylov->roots[i / 3] * krylov->wide[supWidth * i + (size_t)c];
        }
        supAddVector( krylov, krylov->image );
    }
}

/// False: it is full, or to stop.
static bool supGrowsOn( const supKrylov* krylov )
{
    return supWatched_Tell( krylov->watched, NULL, (double)krylov->count / krylov->most ) &&
           krylov->count < krylov->most;
}

/// The answers to the loads, the answers to these, and so on.
static void supGrowKrylov( supKrylov* krylov, const supElasticLoads* loads )
{
    const supElastic* elastic = krylov->elastic;
    for ( int32_t first = 0; first < loads->count && supGrowsOn( krylov ); first += supWidth )
    {
        int32_t left = loads->count - first, count = left < supWidth ? left : supWidth;
        for ( int32_t c = 0; c < count; ++c )
        {
            double* load = krylov->image + (size_t)c * krylov->size;
            loads->fill( loads->user, elastic, first + c, load );
            for ( size_t i = 0; i < krylov->size; ++i )
            {
                load[i] *= krylov->roots[i / 3];
            }
        }
        supAddImages( krylov, krylov->image, count );
    }
    for ( int32_t first = 0; supGrowsOn( krylov ); )
    {
        int32_t left = krylov->count - first, count = left < supWidth ? left : supWidth;
        if ( count == 0 )
        {
            // all that comes of the loads is there
            supFillNoise( krylov, krylov->image );
            supAddVector( krylov, krylov->image );
            continue;
        }
        supAddImages( krylov, supVector( krylov, first ), count );
        first += count;
    }
}

/// K among the vectors.
static void supProjectStiffness( supKrylov* krylov )
{
    size_t most = (size_t)krylov->most;
    double *shape = krylov->image, *pull = krylov->image + krylov->size;
    for ( int32_t v = 0; v < krylov->most; ++v )
    {
        const double* vector = supVector( krylov, v );
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            shape[i] = vector[i] / krylov->roots[i / 3];
        }
        supBlockMatrix_Multiply( &krylov->elastic->stiffness, shape, pull );
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            pull[i] /= krylov->roots[i / 3];
        }
        for ( int32_t w = 0; w <= v; ++w )
        {
            double product = supDotRowsD( supVector( krylov, w ), pull, krylov->size );
            krylov->small[(size_t)v * most + (size_t)w] = krylov->small[(size_t)w * most + (size_t)v] = product;
        }
    }
}

/// `values` and `turns`: of the small matrix, falling.
static supElasticModes* supKeepModes(
    const supKrylov* krylov, int32_t wanted, const double* values, const double* turns, const supAllocator* allocator )
{
    int32_t count = wanted < krylov->most ? wanted : krylov->most;
    supLayout layout = supMakeLayout();
    size_t atModes = SUP_LAYOUT_ARRAY( &layout, supElasticModes, 1 );
    size_t atOmegas = SUP_LAYOUT_ARRAY( &layout, double, count );
    size_t shapeCount = 0;
    layout.tooLarge = layout.tooLarge || !supMulSize( (size_t)count, krylov->size, &shapeCount );
    size_t atShapes = SUP_LAYOUT_WIDE( &layout, double, shapeCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supElasticModes* modes = (supElasticModes*)( block + atModes );
    *modes = ( supElasticModes ){ count, krylov->size, (double*)( block + atOmegas ), (double*)( block + atShapes ),
        layout.size };
    for ( int32_t m = 0; m < count; ++m )
    {
        double* shape = modes->shapes + (size_t)m * modes->size;
        size_t from = (size_t)( krylov->most - 1 - m );
        modes->omegas[m] = supSqrt( supMax( values[from], 1e-12 ) ); // of K: one that is nearly 0 may round below
        for ( int32_t v = 0; v < krylov->most; ++v )
        {
            supSubtract( shape, -turns[from * (size_t)krylov->most + (size_t)v], supVector( krylov, v ), modes->size );
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            shape[i] /= krylov->roots[i / 3];
        }
    }
    return modes;
}

/// The vibrations in the space.
static supElasticModes* supSolveKrylov( supKrylov* krylov, int32_t wanted, const supAllocator* allocator )
{
    size_t most = (size_t)krylov->most, size = sizeof( double ) * most * ( most + 1 );
    double* block = supAlloc( allocator, size, SUP_MAX_ALIGNMENT );
    if ( block == NULL )
    {
        return NULL;
    }
    supSymmetricEigen( krylov->most, krylov->small, block, block + most );
    supElasticModes* modes = supKeepModes( krylov, wanted, block, block + most, allocator );
    supFree( allocator, block, size );
    return modes;
}

// ---------------------------------------------------------------------------------------------------------------

static supVec3d supMiddleOf( const supElastic* elastic )
{
    supVec3d middle = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        middle = supMulAddD( middle, 1.0 / elastic->freeCount, elastic->places[i] );
    }
    return middle;
}

void supFillRigidLoad( const void* user, const supElastic* elastic, int32_t load, double* motion )
{
    (void)user;
    supVec3d middle = supMiddleOf( elastic );
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        supVec3d arm = supSubD( elastic->places[i], middle );
        const double x[3] = { arm.x, arm.y, arm.z };
        for ( int d = 0; d < 3; ++d )
        {
            int axis = load % 3, next = ( axis + 1 ) % 3, last = ( axis + 2 ) % 3;
            double turned = d == next ? -x[last] : d == last ? x[next] : 0.0;
            motion[3 * (size_t)i + (size_t)d] = load < 3 ? ( d == axis ? 1.0 : 0.0 ) : turned;
        }
    }
}

supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, const supElasticLoads* loads,
    int32_t wanted, supWatched* watched, const supAllocator* allocator, supElasticModes** out, supError* error )
{
    static const supElasticLoads rigid = { supRigidLoads, supFillRigidLoad, NULL };
    const supElasticLoads* from = loads != NULL ? loads : &rigid;
    size_t size = 3 * (size_t)elastic->freeCount;
    // where few are wanted the slowest are to be true all the same
    int32_t most = wanted > from->count + supMore ? wanted : from->count + supMore;
    most = (size_t)most > size ? (int32_t)size : most;
    supKrylov krylov = {
        .elastic = elastic, .factor = factor, .size = size, .most = most, .noise = 20001113, .watched = watched
    };
    supLayout layout = supMakeLayout();
    size_t vectorCount = 0;
    layout.tooLarge = !supMulSize( size, (size_t)most, &vectorCount );
    size_t atVectors = SUP_LAYOUT_WIDE( &layout, double, vectorCount );
    size_t atSmall = SUP_LAYOUT_WIDE( &layout, double, (size_t)most*(size_t)most );
    size_t atRoots = SUP_LAYOUT_WIDE( &layout, double, elastic->freeCount );
    size_t atWide = SUP_LAYOUT_WIDE( &layout, double, supWidth* size );
    size_t atImage = SUP_LAYOUT_WIDE( &layout, double, supWidth* size );
    size_t atScratch = SUP_LAYOUT_WIDE( &layout, double, supBlockFactor_ScratchCount( factor ) );
    char* block = supAllocLayout( allocator, &layout );
    *out = NULL;
    if ( block != NULL )
    {
        krylov.vectors = (double*)( block + atVectors );
        krylov.small = (double*)( block + atSmall );
        krylov.roots = (double*)( block + atRoots );
        krylov.wide = (double*)( block + atWide );
        krylov.image = (double*)( block + atImage );
        krylov.scratch = (double*)( block + atScratch );
        supReadRoots( &krylov );
        supGrowKrylov( &krylov, from );
        bool stopped = krylov.count < krylov.most;
        if ( !stopped )
        {
            supProjectStiffness( &krylov );
            *out = supSolveKrylov( &krylov, wanted, allocator );
        }
        supFree( allocator, block, layout.size );
        if ( stopped )
        {
            return sup_errorCanceled;
        }
    }
    return *out != NULL ? sup_success
                        : supFail( error, sup_errorMemory, "no memory for %d vibrations of %d nodes", wanted,
                              elastic->freeCount );
}

void supDestroyElasticModes( supElasticModes* modes, const supAllocator* allocator )
{
    if ( modes != NULL )
    {
        supFree( allocator, modes, modes->blockSize );
    }
}

void supElasticModes_Correction(
    const supElasticModes* modes, const supBlockFactor* factor, double* force, double* scratch )
{
    double* solved = scratch + supBlockFactor_ScratchCount( factor );
    memcpy( solved, force, sizeof( double ) * modes->size );
    supBlockFactor_SolveOne( factor, solved, scratch );
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        double share = supDotRowsD( shape, force, modes->size ) / ( modes->omegas[m] * modes->omegas[m] );
        supSubtract( solved, share, shape, modes->size );
    }
    memcpy( force, solved, sizeof( double ) * modes->size );
}
