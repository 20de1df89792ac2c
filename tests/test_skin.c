// Smooth skinning against what can be worked out by hand.
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supSkinned
{
    float positions[3 * SUP_TWO_BONES_VERTICES];
    float normals[3 * SUP_TWO_BONES_VERTICES];
    float tangents[4 * SUP_TWO_BONES_VERTICES];
} supSkinned;

static void supRunBar( const supCharacter* character, const supMat34* joints, supSkinning method, supSkinned* out )
{
    supMat34 palette[8];
    supCharacter_Palette( character, joints, palette );
    supSkinJob job = supCharacter_SkinJob( character, 0, palette, NULL );
    job.method = method;
    job.outPositions = ( supOutStream ){ out->positions, SUP_TWO_BONES_VERTICES, 12 };
    job.outNormals = ( supOutStream ){ out->normals, SUP_TWO_BONES_VERTICES, 12 };
    job.outTangents = ( supOutStream ){ out->tangents, SUP_TWO_BONES_VERTICES, 16 };
    supError error = { 0 };
    if ( supSkinJob_Run( &job, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

static void supAssertPoint( const float* p, double x, double y, double z, double tolerance )
{
    if ( !( fabs( p[0] - x ) <= tolerance && fabs( p[1] - y ) <= tolerance && fabs( p[2] - z ) <= tolerance ) )
    {
        fail_msg( "(%.9g %.9g %.9g) is not (%.9g %.9g %.9g) within %g", (double)p[0], (double)p[1], (double)p[2], x, y,
            z, tolerance );
    }
}

/// Bent by 90 degrees, the upper half lies along -X; the lower half stands; the ring between is their mean.
static void supTestBend( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 1.0 );
    supSkinned skinned;
    supRunBar( character, supPose_Joints( pose ), sup_skinningLinear, &skinned );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        const float* p = bones.positions + 3 * v;
        double w = bones.weights[2 * v + 1];
        double turned[3] = { 1.0 - p[1], 1.0 + p[0], p[2] };
        supAssertPoint(
            skinned.positions + 3 * v, p[0] + w * ( turned[0] - p[0] ), p[1] + w * ( turned[1] - p[1] ), p[2], 2e-7 );
        double x = bones.normals[3 * v]; // along (1, 0, 0), turned to (0, 1, 0), half way between where both share
        supAssertPoint( skinned.normals + 3 * v,
            w == 1.0   ? 0.0
            : w == 0.5 ? x * sqrt( 0.5 )
                       : x,
            w == 1.0   ? x
            : w == 0.5 ? x * sqrt( 0.5 )
                       : 0.0,
            0.0, 2e-7 );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestBend ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
