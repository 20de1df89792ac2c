// Vibrations by a block Krylov space.
// SPDX-License-Identifier: MIT
//
// The slowest vibrations of K x = omega^2 M x are the largest eigenvalues of A = M^1/2 K^-1 M^1/2. Eight vectors to
// begin with, A applied to them, to the result, and so on, all kept orthogonal: in the space that they span A is a
// small dense matrix whose eigenvectors come close to A's from the largest on (Golub, Underwood, "The block Lanczos
// method for computing eigenvalues", 1977). The first six are how a body's accelerations load it, three shifts and
// three turns, so what a moving body excites is in the space from the start, as in Wilson, Yuan, Dickens, "Dynamic
// analysis by direct superposition of Ritz vectors", 1982; the others are noise, for what these leave out. Several
// vectors at once find vibrations that come in pairs, as two breasts do.

#include "solve/elastic_modes.h"

#include "base/memory.h"
#include "solve/lanes.h"
#include "solve/symmetric_eigen.h"

#include <string.h>

enum
{
    supWidth = SUP_FACTOR_COLUMNS
};

typedef struct supKrylov
{
    const supElastic* elastic;
    const supBlockFactor* factor;
    size_t size;     ///< numbers of a vector
    int32_t most;    ///< vectors in all
    int32_t count;   ///< so far
    double* vectors; ///< one after the other, orthonormal
    double* small;   ///< A among them: most x most
    double* roots;   ///< of the masses
    double* wide;    ///< eight vectors, interleaved
    double* scratch; ///< of the factor
    double* image;   ///< A times the eight newest
    uint64_t noise;
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

/// Makes a vector orthogonal to those so far, twice over (Kahan: "twice is enough"). `shares`, or NULL, gets what was
/// taken out, `step` numbers apart.
static void supOrthogonalize( const supKrylov* krylov, double* vector, double* shares, size_t step )
{
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t i = 0; i < krylov->count; ++i )
        {
            double share = supDotRowsD( supVector( krylov, i ), vector, krylov->size );
            supSubtract( vector, share, supVector( krylov, i ), krylov->size );
            if ( shares != NULL )
            {
                shares[(size_t)i * step] += share;
            }
        }
    }
}

/// Adds a vector to the space, at unit length; noise in its place where nothing of it is new. Gives what its length
/// was.
static double supAddVector( supKrylov* krylov, const double* vector, double* shares, size_t step )
{
    double* own = supVector( krylov, krylov->count );
    memcpy( own, vector, sizeof( double ) * krylov->size );
    double before = supSqrt( supDotRowsD( own, own, krylov->size ) );
    supOrthogonalize( krylov, own, shares, step );
    double length = supSqrt( supDotRowsD( own, own, krylov->size ) ), kept = length;
    if ( !( length > 1e-10 * before ) )
    {
        kept = 0.0;
        supFillNoise( krylov, own );
        supOrthogonalize( krylov, own, NULL, 0 );
        length = supSqrt( supDotRowsD( own, own, krylov->size ) );
    }
    for ( size_t i = 0; i < krylov->size; ++i )
    {
        own[i] /= length;
    }
    krylov->count += 1;
    return kept;
}

/// How the eight first vectors move a node: three shifts, three turns, noise.
static double supFirstMotion( supKrylov* krylov, int32_t which, supVec3d p, int d )
{
    const double x[3] = { p.x, p.y, p.z };
    if ( which < 3 )
    {
        return which == d ? 1.0 : 0.0;
    }
    if ( which < 6 )
    {
        int axis = which - 3;
        return d == ( axis + 1 ) % 3 ? -x[( axis + 2 ) % 3] : d == ( axis + 2 ) % 3 ? x[( axis + 1 ) % 3] : 0.0;
    }
    return supNoise( &krylov->noise );
}

static void supStartKrylov( supKrylov* krylov )
{
    const supElastic* elastic = krylov->elastic;
    supVec3d middle = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        middle = supMulAddD( middle, 1.0 / elastic->freeCount, elastic->places[i] );
        krylov->roots[i] = supSqrt( elastic->masses[i] );
    }
    for ( int32_t c = 0; c < supWidth && c < krylov->most; ++c )
    {
        for ( int32_t i = 0; i < elastic->freeCount; ++i )
        {
            supVec3d arm = supSubD( elastic->places[i], middle );
            for ( int d = 0; d < 3; ++d )
            {
                krylov->image[3 * (size_t)i + (size_t)d] = krylov->roots[i] * supFirstMotion( krylov, c, arm, d );
            }
        }
        supAddVector( krylov, krylov->image, NULL, 0 );
    }
}

/// image = A times the vectors from `first` on.
static void supApplyInverse( supKrylov* krylov, int32_t first, int32_t count )
{
    memset( krylov->wide, 0, sizeof( double ) * supWidth * krylov->size );
    for ( int32_t c = 0; c < count; ++c )
    {
        const double* vector = supVector( krylov, first + c );
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            krylov->wide[supWidth * i + (size_t)c] = krylov->roots[i / 3] * vector[i];
        }
    }
    supBlockFactor_Solve( krylov->factor, krylov->wide, krylov->scratch );
    for ( int32_t c = 0; c < count; ++c )
    {
        double* image = krylov->image + (size_t)c * krylov->size;
        for ( size_t i = 0; i < krylov->size; ++i )
        {
            image[i] = krylov->roots[i / 3] * krylov->wide[supWidth * i + (size_t)c];
        }
    }
}

/// Grows the space to its full size, and works out A in it.
static void supGrowKrylov( supKrylov* krylov )
{
    size_t most = (size_t)krylov->most;
    for ( int32_t first = 0; first < krylov->most; )
    {
        int32_t count = krylov->count - first < supWidth ? krylov->count - first : supWidth;
        supApplyInverse( krylov, first, count );
        for ( int32_t c = 0; c < count; ++c )
        {
            double* image = krylov->image + (size_t)c * krylov->size;
            double* column = krylov->small + (size_t)( first + c );
            if ( krylov->count < krylov->most )
            {
                double length = supAddVector( krylov, image, column, most );
                column[(size_t)( krylov->count - 1 ) * most] = length;
            }
            else
            {
                supOrthogonalize( krylov, image, column, most );
            }
        }
        first += count;
    }
}

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
        modes->omegas[m] = supSqrt( 1.0 / values[m] );
        for ( int32_t v = 0; v < krylov->most; ++v )
        {
            supSubtract(
                shape, -turns[(size_t)m * (size_t)krylov->most + (size_t)v], supVector( krylov, v ), modes->size );
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            shape[i] /= krylov->roots[i / 3];
        }
    }
    return modes;
}

/// Eigenvectors of A in the space.
static supElasticModes* supSolveKrylov( supKrylov* krylov, int32_t wanted, const supAllocator* allocator )
{
    size_t most = (size_t)krylov->most, size = sizeof( double ) * most * ( most + 1 );
    double* block = supAlloc( allocator, size, SUP_MAX_ALIGNMENT );
    if ( block == NULL )
    {
        return NULL;
    }
    for ( size_t i = 0; i < most; ++i )
    {
        for ( size_t j = 0; j < i; ++j )
        {
            double mean = 0.5 * ( krylov->small[i * most + j] + krylov->small[j * most + i] );
            krylov->small[i * most + j] = krylov->small[j * most + i] = mean;
        }
    }
    supSymmetricEigen( krylov->most, krylov->small, block, block + most );
    supElasticModes* modes = supKeepModes( krylov, wanted, block, block + most, allocator );
    supFree( allocator, block, size );
    return modes;
}

supResult supFindElasticModes( const supElastic* elastic, const supBlockFactor* factor, int32_t wanted,
    const supAllocator* allocator, supElasticModes** out, supError* error )
{
    // half as many again, and two blocks, bring the last of them close enough
    size_t size = 3 * (size_t)elastic->freeCount;
    int32_t most = wanted + wanted / 2 + 2 * supWidth;
    most = (size_t)most > size ? (int32_t)size : most;
    supKrylov krylov = { .elastic = elastic, .factor = factor, .size = size, .most = most, .noise = 20001113 };
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
        supStartKrylov( &krylov );
        supGrowKrylov( &krylov );
        *out = supSolveKrylov( &krylov, wanted, allocator );
        supFree( allocator, block, layout.size );
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
