// What src/base computes: elementary functions over small and large arguments, rotations, and work spread over tasks.
#include "base/math_double.h"
#include "base/scalar_math.h"
#include "base/tasks.h"
#include "support/hash_scenes.h"

void supScene_Elementary( supHash* hash, supTasks tasks )
{
    (void)tasks;
    uint64_t seed = 1;
    for ( int i = 0; i < 20000; ++i )
    {
        double x = supTestNumber( &seed );
        double large = x * supExp2( (double)( i % 60 ) - 30.0 );
        supHash_Double( hash, supSin( large ) );
        supHash_Double( hash, supCos( large ) );
        supHash_Double( hash, supExp( 700.0 * x ) );
        supHash_Double( hash, supExpm1( large ) );
        supHash_Double( hash, supLn( large < 0.0 ? -large : large ) );
        supHash_Double( hash, supAtan2( x, supTestNumber( &seed ) ) );
        supHash_Double( hash, supAcos( x ) );
        supHash_Float( hash, supSinF( (float)large ) );
        supHash_Float( hash, supExpF( (float)( 80.0 * x ) ) );
        supHash_Float( hash, supSqrtF( (float)( x < 0.0 ? -x : x ) ) );
    }
}

static void supHashQuat( supHash* hash, supQuatd q )
{
    supHash_Double( hash, q.x );
    supHash_Double( hash, q.y );
    supHash_Double( hash, q.z );
    supHash_Double( hash, q.w );
}

void supScene_Rotations( supHash* hash, supTasks tasks )
{
    (void)tasks;
    uint64_t seed = 2;
    supQuatd previous = { 0.0, 0.0, 0.0, 1.0 };
    for ( int i = 0; i < 2000; ++i )
    {
        supQuatd q;
        q.x = supTestNumber( &seed );
        q.y = supTestNumber( &seed );
        q.z = supTestNumber( &seed );
        q.w = supTestNumber( &seed );
        q = supNormalizeQuatD( q );
        supHashQuat( hash, q );
        previous = supSlerpD( previous, q, 0.5 + 0.5 * supTestNumber( &seed ) );
        supHashQuat( hash, previous );

        supMat34d m = supMatFromQuatD( previous ), inverse;
        m.x = supScaleD( m.x, 1.0 + supTestNumber( &seed ) );
        m.y = supMulAddD( m.y, supTestNumber( &seed ), m.z );
        m.t.x = supTestNumber( &seed );
        supHashQuat( hash, supQuatFromMatD( m ) );
        supHashQuat( hash, supNearestRotationD( m ) );
        supInvertMatD( m, &inverse );
        supHash_Double( hash, supDeterminantD( inverse ) );
        supHash_Double( hash, inverse.t.x );
        supHash_Double( hash, supLengthD( supRotationVectorD( q ) ) );
    }
}

typedef struct supTaskSums
{
    double sums[64];
} supTaskSums;

static void supSumBlock( int32_t index, void* context )
{
    supTaskSums* all = context;
    uint64_t seed = 100 + (uint64_t)index;
    double sum = 0.0;
    for ( int i = 0; i < 1000; ++i )
    {
        sum += supSin( 10.0 * supTestNumber( &seed ) );
    }
    all->sums[index] = sum;
}

void supScene_Tasks( supHash* hash, supTasks tasks )
{
    supTaskSums all = { { 0.0 } };
    supRunTasks( &tasks, supSumBlock, 64, &all );
    supHash_Doubles( hash, all.sums, 64 );
}
