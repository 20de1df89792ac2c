// Fat in takes: cycles that close, and morphs that are within their tolerance.
#include "base/math.h"
#include "support/bake_bar.h"
#include "support/fat_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void supHops( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[0] = 0.05 * sin( 2.0 * SUP_PI * time );
    translation[1] = 0.04 * cos( 4.0 * SUP_PI * time );
    rotation[2] = 0.2 * sin( 2.0 * SUP_PI * time );
}

/// A bar that hops, with fat in place of flesh.
static void supBuildFatBar( supBar* bar )
{
    supError error = { 0 };
    supFatDef def = supDefaultFatDef();
    def.nodes = 150.0f;
    def.modes = 12.0f;
    def.depth = 0.6f;
    supInitBar( bar );
    bar->root = supHops;
    bar->end = 1.0;
    supBuildBar( bar );
    supDestroyModel( bar->model );
    bar->model = supCompileFatRig( bar->character, &def, &error );
    if ( bar->model == NULL )
    {
        fail_msg( "%s", error.text );
    }
}

/// The skin of a take at a time.
static void supShowTake( const supTake* take, double time, supPose* pose, supBody* body, supVec3* out )
{
    supPose_Sample( pose, 0, time );
    assert_int_equal( supTake_Show( take, time, supPose_Joints( pose ), body ), sup_success );
    supBody_Skin( body, &out[0].x, NULL );
}

/// A cycle closes, and is what a body does that has gone round for long.
static void TestCycle( void** state )
{
    (void)state;
    static supBar bar;
    static supVec3 walked[SUP_BAR_MOMENTS][SUP_BAR_VERTICES], taken[SUP_BAR_VERTICES], first[SUP_BAR_VERTICES],
        smooth[SUP_BAR_VERTICES];
    supBody* body;
    supPose* pose;
    supBuildFatBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOn, sup_endsFree );
    supTakeInfo info = supTake_Info( take );
    assert_int_equal( supCreateBody( bar.model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar.character, NULL, &pose, NULL ), sup_success );
    supBody_SetExact( body, true );
    supWalkBar( &bar, walked );
    supShowTake( take, 0.0, pose, body, first );
    float largest = 0.0f, apart = 0.0f, seam = 0.0f;
    for ( int m = 0; m < SUP_BAR_MOMENTS; ++m )
    {
        supShowTake( take, ( m + 1.0 ) / SUP_BAR_MOMENTS, pose, body, taken );
        supBody_SmoothSkin( body, &smooth[0].x, NULL );
        for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
        {
            largest = supMaxF( largest, supDistance( taken[v], smooth[v] ) );
            apart = supMaxF( apart, supDistance( taken[v], walked[m][v] ) );
        }
    }
    for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
    {
        seam = supMaxF( seam, supDistance( taken[v], first[v] ) );
    }
    print_message( "cycle: moves by %.4f m, %.6f m from a long walk, its ends %.7f m apart, gap %.6f\n",
        (double)largest, (double)apart, (double)seam, (double)info.layerGap );
    assert_true( info.loops && info.layerGap < 1e-3f );
    assert_true( largest > 0.01f && seam < 1e-4f * largest && apart < 1e-3f * largest );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyTake( take );
    supFreeBar( &bar );
}

/// The bar hangs on one joint alone: its skin is its morphed mesh, carried by that joint.
static void supPlayMorphs( const supBar* bar, const supMorphBake* bake, double time, supVec3* out )
{
    supMeshView mesh = supCharacter_Mesh( bar->character, 0 );
    int32_t group = supMorphBake_Info( bake )->meshes[0].group,
            targets = supMorphBake_Info( bake )->groups[group].targetCount, key = 0;
    supMorphKeys keys = supMorphBake_Info( bake )->groups[group].keys[0];
    memcpy( out, mesh.positions, sizeof( supVec3 ) * (size_t)mesh.vertexCount );
    while ( key + 2 < keys.keyCount && (double)keys.times[key + 1] < time )
    {
        ++key;
    }
    float way = (float)( ( time - (double)keys.times[key] ) / (double)( keys.times[key + 1] - keys.times[key] ) );
    for ( int32_t t = 0; t < targets; ++t )
    {
        const float* w = keys.weights + (ptrdiff_t)key * targets + t;
        supMorphTarget target = supMorphBake_Info( bake )->meshes[0].targets[t];
        for ( int32_t i = 0; i < target.count; ++i )
        {
            const float* p = target.positions + 3 * (ptrdiff_t)i;
            supVec3* at = out + target.vertices[i];
            *at = supMulAdd( *at, w[0] + way * ( w[targets] - w[0] ), supMakeVec3( p[0], p[1], p[2] ) );
        }
    }
}

/// Played between its frames, a bake is within its tolerance of the take, and far nearer than no bake at all.
static void TestMorphs( void** state )
{
    (void)state;
    static supBar bar;
    static supVec3 living[SUP_BAR_VERTICES], played[SUP_BAR_VERTICES], smooth[SUP_BAR_VERTICES];
    supBody* body;
    supPose* pose;
    supMorphBake* bake = NULL;
    supError error = { 0 };
    supBuildFatBar( &bar );
    supTake* take = supBarTake( &bar, sup_loopOn, sup_endsFree );
    const supTake* takes[1] = { take };
    supMorphBakeDef def = supDefaultMorphBakeDef();
    def.model = bar.model;
    def.takeCount = 1;
    def.takes = takes;
    if ( supBakeMorphs( &def, &bake, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_int_equal( supCreateBody( bar.model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar.character, NULL, &pose, NULL ), sup_success );
    supBody_SetExact( body, true );
    float worst = 0.0f, largest = 0.0f, allowed = def.tolerance * supCharacter_Info( bar.character )->size;
    for ( int n = 0; n < 97; ++n )
    {
        double time = n / 97.0;
        supShowTake( take, time, pose, body, living );
        supBody_SmoothSkin( body, &smooth[0].x, NULL );
        supPlayMorphs( &bar, bake, time, played );
        for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
        {
            supVec3 p = supTransformPoint( supPose_Joints( pose )[1], played[v] );
            worst = supMaxF( worst, supDistance( p, living[v] ) );
            largest = supMaxF( largest, supDistance( smooth[v], living[v] ) );
        }
    }
    print_message( "morphs: %d targets, %.6f m from the take of %.4f m (allowed %.6f)\n",
        supMorphBake_Info( bake )->groups[0].targetCount, (double)worst, (double)largest, (double)allowed );
    assert_true( largest > 10.0f * allowed && worst <= 1.05f * allowed );
    supDestroyMorphBake( bake );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyTake( take );
    supFreeBar( &bar );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestCycle ), cmocka_unit_test( TestMorphs ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
