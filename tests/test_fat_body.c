// A whole body with fat, running: the live solver against the reference on the same voxels.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/fat/fat_step.h"
#include "rig/layer_list.h"
#include "supple/auto.h"
#include "support/fat_case.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum
{
    sup_frames = SUP_SLOW_BUILD ? 8 : 14
};

/// Displacements of the free nodes while the woman runs, frame after frame. `*modes`: vibrations that are followed.
static float* supRunWoman( const supFatDef* def, size_t* count, int32_t* modes )
{
    supFatCase c;
    supPose* pose;
    supOpenFatCase( &c, "woman", def );
    assert_int_equal( supCreatePose( c.character, NULL, &pose, NULL ), sup_success );
    float* all = calloc( c.fat->rowSize * sup_frames, sizeof( float ) );
    for ( int i = 0; i < sup_frames; ++i )
    {
        supPose_Sample( pose, supCharacter_FindClip( c.character, "run" ), i / 60.0 );
        float dt = i == 0 ? 0.0f : 1.0f / 60.0f;
        assert_int_equal( supBody_Step( c.body, supPose_Joints( pose ), supMat34_identity, dt ), sup_success );
        supFatDisplacements( c.fat, c.body->layers.layers[0].shown, 100.0f, all + (size_t)i * c.fat->rowSize );
    }
    *count = c.fat->rowSize * sup_frames;
    *modes = c.fat->modeCount;
    supDestroyPose( pose );
    supCloseFatCase( &c );
    return all;
}

/// Fat as `supple rig --fat` proposes it: joints all over the body, and nobody says how many vibrations. With 48
/// slowest ones of the body's own the two would be 30% apart.
static void TestRunningBody( void** state )
{
    (void)state;
    supCreature* woman;
    supRig* rig;
    assert_int_equal( supCreateCreature( "woman", NULL, &woman, NULL ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supProposeFat( supCreature_Character( woman ), NULL, rig, NULL ), sup_success );
    supFatDef def = *(const supFatDef*)supRig_Item( rig, sup_layerFat, 0 );
    def.nodes = SUP_SLOW_BUILD ? 250.0f : 500.0f;
    def.limit = 10.0f;
    size_t count = 0;
    int32_t modes = 0, few = 0;
    float* live = supRunWoman( &def, &count, &modes );
    def.solver = sup_fatReference;
    def.modes = 4.0f; // it has no use for them
    float* truth = supRunWoman( &def, &count, &few );
    double all = 0.0, apart = 0.0, largest = 0.0, most = 0.0;
    for ( size_t i = 0; i + 2 < count; i += 3 )
    {
        double shift = 0.0, off = 0.0;
        for ( size_t d = i; d < i + 3; ++d )
        {
            shift += (double)truth[d] * truth[d];
            off += ( (double)live[d] - truth[d] ) * ( (double)live[d] - truth[d] );
        }
        all += shift;
        apart += off;
        largest = fmax( largest, shift );
        most = fmax( most, off );
    }
    print_message( "%d vibrations: largest shift %.1f mm, apart by %.1f%% of it, rms %.1f%%\n", modes,
        1e3 * sqrt( largest ), 100.0 * sqrt( most / largest ), 100.0 * sqrt( apart / all ) );
    assert_true( modes > 48 && modes <= 160 );
    assert_true( sqrt( largest ) > 0.01 );
    assert_true( apart < 0.1 * 0.1 * all );
    assert_true( most < 0.16 * 0.16 * largest );
    free( live );
    free( truth );
    supDestroyRig( rig );
    supDestroyCreature( woman );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestRunningBody ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
