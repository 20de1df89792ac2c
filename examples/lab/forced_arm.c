// Curves in motion, step by step: in-betweens, an edited one as a key, forces read and changed, one shape under forces.
// SPDX-License-Identifier: MIT
//
// The built-in arm, straight and bent by 120 degrees (its first morph target), on nine curves.
#include "supple/creatures.h"
#include "supple/lab/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supArm
{
    int32_t vertexCount;
    const float* straight;
    float *bent, *half, *out;
    supCurveNetwork* network;
} supArm;

static supResult supFindCurves( supArm* arm, const supCharacter* character, supError* error )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = "arm";
    def.vertexCount = mesh.vertexCount;
    def.positions = arm->straight;
    def.indexCount = mesh.indexCount;
    def.indices = mesh.indices;
    def.curveCount = 9;
    return supCreateCurveNetwork( &def, &arm->network, error );
}

/// How far a shape is from another at its farthest vertex, in millimetres.
static double supApart( const supArm* arm, const float* a, const float* b )
{
    double most = 0.0;
    for ( int32_t v = 0; v < arm->vertexCount; ++v )
    {
        double x = a[3 * v] - b[3 * v], y = a[3 * v + 1] - b[3 * v + 1], z = a[3 * v + 2] - b[3 * v + 2];
        most = fmax( most, sqrt( x * x + y * y + z * z ) );
    }
    return 1e3 * most;
}

// Two shapes give every shape between them. One of those, changed by hand, goes in as a third.
static supResult supEditInBetween( supArm* arm, supError* error )
{
    double times[3] = { 0.0, 1.0 };
    const float* shapes[3] = { arm->straight, arm->bent };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    supCurveMotion* motion = NULL;
    def.shapeCount = 2;
    def.times = times;
    def.shapes = shapes;
    supResult result = supCreateCurveMotion( arm->network, &def, &motion, error );
    if ( result != sup_success )
    {
        return result;
    }
    supCurveMotion_At( motion, 0.5, arm->half );
    supDestroyCurveMotion( motion );
    for ( int32_t v = 0; v < arm->vertexCount; ++v )
    {
        // a biceps: the front of the upper arm comes out
        float along = ( arm->straight[3 * v + 1] + 0.12f ) / 0.1f;
        arm->half[3 * v + 2] += arm->straight[3 * v + 2] > 0.0f ? 0.015f * expf( -along * along ) : 0.0f;
    }
    times[1] = 0.5;
    times[2] = 1.0;
    shapes[1] = arm->half;
    shapes[2] = arm->bent;
    def.shapeCount = 3;
    def.smooth = true; // no jolt when it passes the edited shape
    result = supCreateCurveMotion( arm->network, &def, &motion, error );
    if ( result == sup_success )
    {
        supCurveMotion_At( motion, 0.5, arm->out );
        printf( "the edited in-between comes back to %.4f mm\n", supApart( arm, arm->out, arm->half ) );
        supDestroyCurveMotion( motion );
    }
    return result;
}

// The forces that carry one shape to the other, on the fifth curve: twice as strong on its first harmonic.
static supResult supEditForces( supArm* arm, supError* error )
{
    double times[2] = { 0.0, 1.0 }, constant[3 * 129], rate[3 * 129];
    const float* shapes[2] = { arm->straight, arm->bent };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    supCurveMotion* motion = NULL;
    def.shapeCount = 2;
    def.times = times;
    def.shapes = shapes;
    supResult result = supCreateCurveMotion( arm->network, &def, &motion, error );
    if ( result != sup_success )
    {
        return result;
    }
    supCurveMotion_At( motion, 0.5, arm->half );
    supCurveMotion_Forces( motion, 5, 0, constant, rate );
    for ( int i = 3; i < 9; ++i ) // coefficient 0 is the mean; 1 and 2 are the first cosine and sine
    {
        constant[i] *= 1.2;
        rate[i] *= 1.2;
    }
    result = supCurveMotion_SetForces( motion, 5, 0, constant, rate, error );
    supCurveMotion_At( motion, 0.5, arm->out );
    printf( "with a fifth more force on one curve the skin is %.1f mm away\n", supApart( arm, arm->out, arm->half ) );
    supDestroyCurveMotion( motion );
    return result;
}

// One shape, and a push that grows with the time.
static supResult supPushOneShape( supArm* arm, supError* error )
{
    double time = 0.0, constant[3 * 129] = { 0 }, rate[3 * 129] = { 0 };
    const float* shapes[1] = { arm->straight };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    supCurveMotion* motion = NULL;
    def.shapeCount = 1;
    def.times = &time;
    def.shapes = shapes;
    def.wire.density = 0.1;
    supResult result = supCreateCurveMotion( arm->network, &def, &motion, error );
    if ( result != sup_success )
    {
        return result;
    }
    rate[2] = 0.2; // on the mean, along z
    result = supCurveMotion_SetForces( motion, 5, 0, constant, rate, error );
    for ( int i = 0; result == sup_success && i <= 4; ++i )
    {
        supCurveMotion_At( motion, 0.1 * i, arm->out );
        printf( "t = %.1f: pushed by %.2f mm\n", 0.1 * i, supApart( arm, arm->out, arm->straight ) );
    }
    supDestroyCurveMotion( motion );
    return result;
}

int main( void )
{
    supError error = { sup_success, "" };
    supArm arm = { 0 };
    supCreature* creature = NULL;
    supResult result = supCreateCreature( "arm", NULL, &creature, &error );
    if ( result == sup_success )
    {
        const supCharacter* character = supCreature_Character( creature );
        supMeshView mesh = supCharacter_Mesh( character, 0 );
        size_t bytes = 12 * (size_t)mesh.vertexCount;
        arm = ( supArm ){ mesh.vertexCount, supCharacter_Info( character )->restPositions, (float*)malloc( bytes ),
            (float*)malloc( bytes ), (float*)malloc( bytes ), NULL };
        for ( int32_t i = 0; i < 3 * mesh.vertexCount; ++i )
        {
            arm.bent[i] = arm.straight[i] + mesh.morphPositions[0][i];
        }
        result = supFindCurves( &arm, character, &error );
    }
    result = result == sup_success ? supEditInBetween( &arm, &error ) : result;
    result = result == sup_success ? supEditForces( &arm, &error ) : result;
    result = result == sup_success ? supPushOneShape( &arm, &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "forced_arm: %s\n", error.text );
    }
    supDestroyCurveNetwork( arm.network );
    supDestroyCreature( creature );
    free( arm.bent );
    free( arm.half );
    free( arm.out );
    return result == sup_success ? 0 : 1;
}
