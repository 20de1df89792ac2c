// What of a solid's answers to loads is worth following.
// SPDX-License-Identifier: MIT
//
// A load M b, b an acceleration, takes the solid to A M^1/2 b where it rests; what that shape's own inertia does is A
// applied again, and so on (Wilson, Yuan, Dickens, "Dynamic analysis by direct superposition of Ritz vectors", 1982).
// The first few of these hold whatever a joint's motion makes of the fat around it, but many of them are next to
// nothing. Among the vibrations (omega_k^2, shape_k) that the solid has in a joint's space the answer to load l that
// swings at s is shape_k . M b_l h_k( s ), h_k = 1 / ( omega_k^2 - s^2 + 2 i zeta_k omega_k s ). Over all loads and all
// s, weighed by how likely a body moves that fast,
//
//     G_km = sum_l (shape_k . M b_l) (shape_m . M b_l)  sum_s weight_s Re( h_k conj h_m )
//
// is how the answers are spread; eigenvectors of G are the shapes that matter most, and eigenvalues say how much
// (Phillips, Silveira, "Poor man's TBR: a simple model reduction scheme", 2005). Fat is held all over its inner border,
// so a joint's answers end not far from it, and joints can be asked one after the other.

#include "solve/elastic_modes.h"

#include "base/memory.h"
#include "base/scalar_math.h"
#include "solve/dense.h"
#include "solve/lanes.h"

#include <string.h>

enum
{
    supOrders = 4,      ///< times that A is applied to a group's loads
    supWholeOrders = 5, ///< to those of the whole: its slowest vibration is to be true to many digits
    supSamples = 24,    ///< of how fast a body moves
};

/// Of all that there is: a shape that is worth less is left out. Squared
static const double supWorth = 4e-3 * 4e-3;
/// Of all loads' squares: a group that has less is not asked how its answers swing.
static const double supLight = 1.0 / 500.0;
/// Times the slowest vibration: how fast a body's motion is, and the fastest that is looked at.
static const double supUsual = 2.0, supFastest = 12.0;
/// Damping ratio of the slowest vibration, half of it viscous: as fat has it unless told otherwise.
static const double supDampingRatio = 0.2;

typedef struct supAnswers
{
    supElasticSpace* kept; ///< its vectors are the best so far, in no order and as long as they are
    double* worths;        ///< of these
    double total;          ///< of all that there were
    supElasticSpace own;   ///< of one group
    double* loads;         ///< of it, times the masses' roots
    double *values, *turns, *driven;
    double *real, *imaginary; ///< h of each vibration: supSamples each
    double slowest;           ///< omega of the slowest vibration of all
} supAnswers;

// ---------------------------------------------------------------------------------------------------------------
// Loads

static supVec3d supMiddleOf( const supElastic* elastic )
{
    supVec3d middle = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        middle = supMulAddD( middle, 1.0 / elastic->freeCount, elastic->places[i] );
    }
    return middle;
}

void supFillRigidLoad( const void* user, const supElastic* elastic, int32_t group, int32_t load, double* motion )
{
    (void)user;
    (void)group;
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

/// Fills a group's loads; gives the sum of their squares.
static double supReadLoads( supAnswers* answers, const supElasticLoads* loads, int32_t group )
{
    const supElasticSpace* own = &answers->own;
    double sum = 0.0;
    for ( int32_t l = 0; l < loads->perGroup; ++l )
    {
        double* load = answers->loads + (size_t)l * own->size;
        loads->fill( loads->user, own->elastic, group, l, load );
        for ( size_t i = 0; i < own->size; ++i )
        {
            load[i] *= own->roots[i / 3];
        }
        sum += supDotRowsD( load, load, own->size );
    }
    return sum;
}

/// The answers to the first `count` loads, the answers to these, and so on; and the vibrations among them.
static void supAnswer( supAnswers* answers, int32_t count, int orders )
{
    supElasticSpace* own = &answers->own;
    own->count = 0;
    for ( int32_t first = 0; first < count; first += supSpaceWidth )
    {
        int32_t left = count - first;
        supElasticSpace_AddImages(
            own, answers->loads + (size_t)first * own->size, left < supSpaceWidth ? left : supSpaceWidth );
    }
    for ( int32_t order = 1, from = 0; order < orders; ++order )
    {
        int32_t to = own->count;
        for ( ; from < to; from += supSpaceWidth )
        {
            int32_t left = to - from;
            supElasticSpace_AddImages( own, supSpaceVector( own, from ), left < supSpaceWidth ? left : supSpaceWidth );
        }
        from = to;
    }
    supElasticSpace_Project( own );
    supSymmetricEigen( own->count, own->small, answers->values, answers->turns );
}

/// out = sum of shares[i] vectors[i].
static void supMix( const supElasticSpace* own, const double* shares, double* out )
{
    memset( out, 0, sizeof( double ) * own->size );
    for ( int32_t i = 0; i < own->count; ++i )
    {
        supSubtractVector( out, -shares[i], supSpaceVector( own, i ), own->size );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What they are worth

/// The slowest vibration of the whole is the first that is kept.
static void supKeepSlowest( supAnswers* answers )
{
    supElasticSpace *own = &answers->own, *kept = answers->kept;
    const supElasticLoads rigid = { .fill = supFillRigidLoad, .groupCount = 1, .perGroup = supRigidLoads };
    supReadLoads( answers, &rigid, 0 );
    for ( int32_t l = supRigidLoads; l < supSpaceWidth; ++l )
    {
        supElasticSpace_Noise( kept, answers->loads + (size_t)l * own->size );
    }
    supAnswer( answers, supSpaceWidth, supWholeOrders );
    int32_t last = own->count - 1;
    answers->slowest = supSqrt( supMax( answers->values[last], 1e-12 ) );
    supMix( own, answers->turns + (size_t)last * (size_t)own->count, kept->vectors );
    answers->worths[0] = 1e300;
    kept->count = 1;
}

static double supSampleWeight( int s )
{
    double x = supFastest / supUsual * s / ( supSamples - 1 ), fall = 1.0 / ( 1.0 + x * x );
    return fall * fall;
}

/// h of all vibrations of the group.
static void supFillResponses( supAnswers* answers )
{
    double first = answers->slowest;
    for ( int32_t i = 0; i < supSamples * answers->own.count; ++i )
    {
        double square = supMax( answers->values[i / supSamples], 1e-12 ), omega = supSqrt( square );
        double swing = first * supFastest * ( i % supSamples ) / ( supSamples - 1 );
        double ratio = supDampingRatio * 0.5 * ( first / omega + omega / first );
        double re = square - swing * swing, im = 2.0 * ratio * omega * swing, all = re * re + im * im;
        answers->real[i] = re / all;
        answers->imaginary[i] = -im / all;
    }
}

/// G, into the group's small matrix.
static void supFillSpread( supAnswers* answers, int32_t loads )
{
    supElasticSpace* own = &answers->own;
    int32_t count = own->count;
    memset( answers->driven, 0, sizeof( double ) * (size_t)( count * loads ) );
    for ( int32_t i = 0; i < count * loads; ++i )
    {
        int32_t v = i / loads, l = i % loads;
        double share = supDotRowsD( supSpaceVector( own, v ), answers->loads + (size_t)l * own->size, own->size );
        for ( int32_t k = 0; k < count; ++k )
        {
            answers->driven[k * loads + l] += answers->turns[k * count + v] * share;
        }
    }
    supFillResponses( answers );
    for ( int32_t k = 0; k < count; ++k )
    {
        for ( int32_t m = 0; m <= k; ++m )
        {
            double both = supDotRowsD( answers->driven + (size_t)k * (size_t)loads,
                answers->driven + (size_t)m * (size_t)loads, (size_t)loads );
            double sum = 0.0;
            for ( int s = 0; s < supSamples; ++s )
            {
                sum += supSampleWeight( s ) *
                       ( answers->real[k * supSamples + s] * answers->real[m * supSamples + s] +
                           answers->imaginary[k * supSamples + s] * answers->imaginary[m * supSamples + s] );
            }
            own->small[k * count + m] = own->small[m * count + k] = both * sum;
        }
    }
}

/// Where a shape of that worth goes among those that are kept; -1: nowhere.
static int32_t supFindRoom( supAnswers* answers, double worth )
{
    supElasticSpace* kept = answers->kept;
    if ( kept->count < kept->most )
    {
        return kept->count++;
    }
    int32_t least = 0;
    for ( int32_t i = 1; i < kept->count; ++i )
    {
        least = answers->worths[i] < answers->worths[least] ? i : least;
    }
    return worth > answers->worths[least] ? least : -1;
}

/// Keeps what is best of a group. `numbers`: room for most ( most + 2 ) of them, most: vectors of a group.
static void supKeepBest( supAnswers* answers, int32_t loads, double* numbers )
{
    supElasticSpace* own = &answers->own;
    size_t count = (size_t)own->count;
    double *shares = numbers, *worths = shares + count, *mixes = worths + count;
    supFillSpread( answers, loads );
    supSymmetricEigen( own->count, own->small, worths, mixes );
    for ( size_t m = 0; m < count && worths[m] > 1e-12 * worths[0]; ++m )
    {
        int32_t at = supFindRoom( answers, worths[m] );
        answers->total += worths[m];
        if ( at < 0 )
        {
            continue;
        }
        memset( shares, 0, sizeof( double ) * count );
        for ( size_t k = 0; k < count; ++k )
        {
            supSubtractVector( shares, -mixes[m * count + k], answers->turns + k * count, count );
        }
        supMix( own, shares, supSpaceVector( answers->kept, at ) );
        answers->worths[at] = worths[m];
    }
}

// ---------------------------------------------------------------------------------------------------------------

static void supSwapVectors( double* a, double* b, size_t size )
{
    for ( size_t i = 0; i < size; ++i )
    {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/// The best first, as many as are worth it, orthonormal.
static void supCloseAnswers( supAnswers* answers, int32_t least )
{
    supElasticSpace* kept = answers->kept;
    int32_t found = kept->count, worthy = 0;
    for ( int32_t i = 0; i < found; ++i )
    {
        int32_t best = i;
        for ( int32_t k = i + 1; k < found; ++k )
        {
            best = answers->worths[k] > answers->worths[best] ? k : best;
        }
        if ( best != i )
        {
            supSwapVectors( answers->worths + i, answers->worths + best, 1 );
            supSwapVectors( supSpaceVector( kept, i ), supSpaceVector( kept, best ), kept->size );
        }
        worthy += answers->worths[i] > supWorth * answers->total;
    }
    int32_t wanted = worthy > least ? ( worthy + supLaneCount - 1 ) / supLaneCount * supLaneCount : least;
    kept->most = wanted < kept->most ? wanted : kept->most;
    kept->count = 0;
    for ( int32_t i = 0; i < found && kept->count < kept->most; ++i )
    {
        supElasticSpace_Add( kept, supSpaceVector( kept, i ) );
    }
}

/// Room for one group at a time. `weights`: of all groups.
static char* supOpenAnswers( supAnswers* answers, const supElasticLoads* loads, double** weights, double** numbers,
    const supAllocator* allocator, size_t* size )
{
    const supElasticSpace* kept = answers->kept;
    supElasticSpace* own = &answers->own;
    int32_t whole = supSpaceWidth * supWholeOrders, joint = loads->perGroup * supOrders;
    *own = *kept;
    own->most = whole > joint ? whole : joint;
    own->most = (size_t)own->most > kept->size ? (int32_t)kept->size : own->most;
    size_t most = (size_t)own->most,
           per = (size_t)( loads->perGroup > supSpaceWidth ? loads->perGroup : supSpaceWidth );
    supLayout layout = supMakeLayout();
    SUP_PUT_WIDE( &layout, own->vectors, most * kept->size );
    SUP_PUT_WIDE( &layout, answers->loads, per * kept->size );
    SUP_PUT_WIDE( &layout, answers->worths, kept->most );
    SUP_PUT_WIDE( &layout, *weights, loads->groupCount );
    SUP_PUT_WIDE( &layout, own->small, most * most );
    SUP_PUT_WIDE( &layout, answers->values, most * ( most + 1 ) );
    SUP_PUT_WIDE( &layout, answers->driven, most * ( per + 2 * supSamples ) );
    SUP_PUT_WIDE( &layout, *numbers, most * ( most + 2 ) );
    char* block = supAllocLayout( allocator, &layout );
    *size = layout.size;
    if ( block != NULL )
    {
        answers->turns = answers->values + most;
        answers->real = answers->driven + most * per;
        answers->imaginary = answers->real + most * supSamples;
    }
    return block;
}

supResult supAddAnswers(
    supElasticSpace* space, const supElasticLoads* loads, int32_t least, const supAllocator* allocator )
{
    supAnswers answers = { .kept = space };
    double *weights, *numbers, sum = 0.0;
    size_t size;
    char* block = supOpenAnswers( &answers, loads, &weights, &numbers, allocator, &size );
    if ( block == NULL )
    {
        return sup_errorMemory;
    }
    supKeepSlowest( &answers );
    for ( int32_t g = 0; g < loads->groupCount; ++g )
    {
        weights[g] = supReadLoads( &answers, loads, g );
        sum += weights[g];
    }
    bool goes = true;
    for ( int32_t g = 0; g < loads->groupCount && goes; ++g )
    {
        goes = supWatched_Tell( space->watched, NULL, ( g + 1.0 ) / ( loads->groupCount + 1.0 ) );
        supReadLoads( &answers, loads, g );
        supAnswer( &answers, loads->perGroup, weights[g] < supLight * sum ? 1 : supOrders );
        if ( answers.own.count > 0 )
        {
            supKeepBest( &answers, loads->perGroup, numbers );
        }
    }
    supCloseAnswers( &answers, least );
    supFree( allocator, block, size );
    return goes ? sup_success : sup_errorCanceled;
}
