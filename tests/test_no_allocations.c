// Posing, stepping and skinning take nothing from the heap, nor do crowds on threads. The C library's own malloc is
// replaced by one that counts; sanitizers bring a malloc of their own, so there the test is skipped.
#include "supple/crowd.h"
#include "supple/lab/skin.h"
#include "supple/lab/states.h"
#include "support/fat_case.h"
#include "support/scene_tube.h"
#include "support/two_bones.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined( __has_feature )
#    define SUP_HAS_FEATURE( name ) __has_feature( name )
#else
#    define SUP_HAS_FEATURE( name ) 0
#endif
#if defined( __GLIBC__ ) && !defined( __SANITIZE_ADDRESS__ ) && !defined( __SANITIZE_THREAD__ ) &&                     \
    !SUP_HAS_FEATURE( address_sanitizer ) && !SUP_HAS_FEATURE( thread_sanitizer ) &&                                   \
    !SUP_HAS_FEATURE( memory_sanitizer )
#    define SUP_COUNTS_MALLOC 1
#else
#    define SUP_COUNTS_MALLOC 0
#endif

static long sup_allocations;

#if SUP_COUNTS_MALLOC
// glibc's, under the names that it keeps for this purpose
void* __libc_malloc( size_t size );
void* __libc_calloc( size_t count, size_t size );
void* __libc_realloc( void* block, size_t size );
void* __libc_memalign( size_t alignment, size_t size );

void* malloc( size_t size )
{
    ++sup_allocations;
    return __libc_malloc( size );
}

void* calloc( size_t count, size_t size )
{
    ++sup_allocations;
    return __libc_calloc( count, size );
}

void* realloc( void* block, size_t size )
{
    ++sup_allocations;
    return __libc_realloc( block, size );
}

void* aligned_alloc( size_t alignment, size_t size )
{
    ++sup_allocations;
    return __libc_memalign( alignment, size );
}

int posix_memalign( void** out, size_t alignment, size_t size )
{
    ++sup_allocations;
    *out = __libc_memalign( alignment, size );
    return *out != NULL ? 0 : ENOMEM;
}
#endif

/// Ends the test where allocations cannot be counted.
static void supSkipWithoutCounts( void )
{
    if ( !SUP_COUNTS_MALLOC )
    {
        print_message( "skipped: this build has a malloc of its own\n" );
        skip();
    }
}

static void supTestFrames( void** state )
{
    (void)state;
    supSkipWithoutCounts();
    supTwoBones bones;
    supMakeTwoBones( &bones );
    long before = sup_allocations;
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    assert_true( sup_allocations > before ); // or it counts nothing

    supMat34 palette[2];
    float positions[3 * SUP_TWO_BONES_VERTICES], normals[3 * SUP_TWO_BONES_VERTICES],
        tangents[4 * SUP_TWO_BONES_VERTICES];
    before = sup_allocations;
    int failed = 0;
    for ( int frame = 0; frame < 100; ++frame )
    {
        supPose_Rest( pose );
        supPose_Sample( pose, frame % 10 == 0 ? -1 : 0, 0.02 * frame );
        supCharacter_Palette( character, supPose_Joints( pose ), palette );
        supSkinJob job = supCharacter_SkinJob( character, 0, palette, supPose_MorphWeights( pose ) );
        job.outPositions = ( supOutStream ){ positions, SUP_TWO_BONES_VERTICES, 12 };
        job.outNormals = ( supOutStream ){ normals, SUP_TWO_BONES_VERTICES, 12 };
        job.outTangents = ( supOutStream ){ tangents, SUP_TWO_BONES_VERTICES, 16 };
        job.method = (supSkinning)( frame % 2 );
        failed += supSkinJob_Run( &job, NULL ) != sup_success;
    }
    assert_int_equal( sup_allocations - before, 0 );
    assert_int_equal( failed, 0 );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// A frame of one body in every way that it can be asked for.
static void supRunBodyFrame( supBody* body, int frame, float* positions, float* normals )
{
    supMat34 joints[sup_tubeJoints], world;
    supTubeJoints( frame / 60.0, 0, joints, &world );
    supBody_SetSkinning( body, (supSkinning)( frame % 2 ) );
    supBody_SetExact( body, frame % 7 == 0 );
    assert_int_equal( supBody_Step( body, joints, world, 1.0f / 60.0f ), sup_success );
    supBody_Skin( body, positions, normals );
    supBody_SmoothSkin( body, positions, NULL );
    supBody_SkinOrdered( body, positions, normals );
}

/// The first frame may do what it likes; none after it may take anything from the heap, crowds on threads included.
static void supTestLivingFrames( void** state )
{
    (void)state;
    supSkipWithoutCounts();
    static float positions[3 * 2 * sup_tubeVertices], normals[3 * 2 * sup_tubeVertices];
    supTube* tube = supMakeTube();
    const supModel* models[1] = { tube->model };
    supBody* body = NULL;
    supCrowd* crowd = NULL;
    supPool* pool = NULL;
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = 40;
    assert_int_equal( supCreateBody( tube->model, &body, NULL ), sup_success );
    supPoolDef poolDef = supDefaultPoolDef();
    poolDef.workerCount = 2;
    assert_int_equal( supCreatePool( &poolDef, &pool, NULL ), sup_success );
    def.tasks = supPool_Tasks( pool );
    assert_int_equal( supCreateCrowd( &def, &crowd, NULL ), sup_success );
    supMat34 joints[sup_tubeJoints], world;
    supTubeJoints( 0.0, 0, joints, &world );
    supCrowdFrame still = { .joints = joints, .world = world };
    for ( int32_t who = 0; who < 40; ++who )
    {
        supCrowd_Add( crowd, 0 );
        supCrowd_SetFrame( crowd, who, &still );
    }
    still.positions = positions;
    still.normals = normals;
    supCrowd_SetFrame( crowd, 0, &still );
    long before = 0;
    for ( int frame = 0; frame < 100; ++frame )
    {
        supRunBodyFrame( body, frame, positions, normals );
        supTubeJoints( frame / 60.0, 0, joints, &world );
        supCrowd_Run( crowd, 1.0f / 60.0f );
        before = frame == 0 ? sup_allocations : before;
    }
    assert_int_equal( sup_allocations - before, 0 );
    supDestroyCrowd( crowd );
    supDestroyPool( pool );
    supDestroyBody( body );
    supDropTube( tube );
}

/// Muscles' lines, rays that follow the écorché, the skin over it, and reports: nothing from the heap.
static void supTestMuscleFrames( void** state )
{
    (void)state;
    supSkipWithoutCounts();
    static float positions[3 * 2 * sup_tubeVertices], normals[3 * 2 * sup_tubeVertices];
    supTube* tube = supMakeTube();
    supModel* model = supMakeTubeEcorche( tube, NULL );
    supBody* body = NULL;
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    long before = 0;
    for ( int frame = 0; frame < 100; ++frame )
    {
        supMuscleView views[2];
        supRunBodyFrame( body, frame, positions, normals );
        assert_int_equal( supBody_Muscles( body, views ), 2 );
        assert_true( views[0].length > 0.0f );
        before = frame == 0 ? sup_allocations : before;
    }
    assert_int_equal( sup_allocations - before, 0 );
    supDestroyBody( body );
    supDestroyModel( model );
    supDropTube( tube );
}

/// Fat by both solvers, with fingers on it that are answered in full: nothing from the heap.
static void supTestFatFrames( void** state )
{
    (void)state;
    supSkipWithoutCounts();
    static float positions[3 * 2 * sup_tubeVertices], normals[3 * 2 * sup_tubeVertices];
    supTube* tube = supMakeTube();
    for ( int solver = 0; solver < 2; ++solver )
    {
        supFatDef def = supDefaultFatDef();
        supError error = { 0 };
        supBody* body = NULL;
        def.nodes = solver == 0 ? 250.0f : 40.0f;
        def.modes = 12.0f;
        def.depth = 0.6f;
        def.touch = solver == 0;
        def.viscosity = 0.0f;          // the reference takes fewer steps
        def.incompressibility = 10.0f; // likewise
        def.solver = solver == 0 ? sup_fatLive : sup_fatReference;
        supModel* model = supCompileFatRig( tube->character, &def, &error );
        if ( model == NULL )
        {
            fail_msg( "%s", error.text );
        }
        assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
        long before = 0;
        for ( int frame = 0; frame < ( solver == 0 ? 100 : 4 ); ++frame )
        {
            assert_int_equal( supBody_ForceAt( body, frame, ( supVec3 ){ 0.0f, 1.0f, 0.0f }, NULL ), sup_success );
            supRunBodyFrame( body, frame, positions, normals );
            before = frame == 0 ? sup_allocations : before;
        }
        assert_int_equal( sup_allocations - before, 0 );
        supDestroyBody( body );
        supDestroyModel( model );
    }
    supDropTube( tube );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestFrames ), cmocka_unit_test( supTestLivingFrames ),
        cmocka_unit_test( supTestMuscleFrames ), cmocka_unit_test( supTestFatFrames ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
