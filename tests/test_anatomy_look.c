// What the automatic anatomy looks like: fat that is seen to move, muscles that lie beneath it, and an écorché that
// ends where there are no muscles.
#include "base/math.h"
#include "supple/auto.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/lab/compiled.h"
#include "supple/lab/drawing.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct supLooked
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supPose* pose;
} supLooked;

/// Automatic muscles and fat, the skin moved by fat alone: what muscles do is another test's.
static void supOpenLooked( const supCharacter* character, supLooked* out )
{
    supRig* rig;
    supError error = { 0 };
    *out = ( supLooked ){ .character = character };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supProposeMuscles( character, NULL, rig, NULL, &error ), sup_success );
    assert_int_equal( supProposeFat( character, NULL, rig, &error ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &out->model, &error ), sup_success );
    assert_int_equal( supCreateBody( out->model, &out->body, &error ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &out->pose, &error ), sup_success );
    supResult result = supBody_SetField( out->body, supFindLayer( "ecorche" ), 0, "amount", 0.0f, &error );
    assert_int_equal( result, sup_success );
    supDestroyRig( rig );
}

static void supCloseLooked( supLooked* looked )
{
    supDestroyPose( looked->pose );
    supDestroyBody( looked->body );
    supDestroyModel( looked->model );
}

/// Of the skin inside a box at rest, over a clip. Metres.
typedef struct supSeenMotion
{
    supVec3 low, high;
    float way;                    ///< how far it gets from the smooth skin, at most
    float smoothJolt, livingJolt; ///< the largest change of its way from frame to frame: where that is large it pops
} supSeenMotion;

static float supJolt( const supVec3* now, const supVec3* last, const supVec3* before, int32_t v )
{
    return supLength( supAdd( supSub( now[v], supScale( last[v], 2.0f ) ), before[v] ) );
}

static void supSeeFrame( const supLooked* looked, int32_t count, supVec3* const* living, supVec3* const* smooth,
    bool jolts, supSeenMotion* seen )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( looked->character )->restPositions;
    for ( int32_t v = 0; v < count; ++v )
    {
        supVec3 p = rest[v], low = seen->low, high = seen->high;
        if ( p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y && p.z > low.z && p.z < high.z )
        {
            seen->way = supMaxF( seen->way, supDistance( living[0][v], smooth[0][v] ) );
            seen->livingJolt =
                supMaxF( seen->livingJolt, jolts ? supJolt( living[0], living[1], living[2], v ) : 0.0f );
            seen->smoothJolt =
                supMaxF( seen->smoothJolt, jolts ? supJolt( smooth[0], smooth[1], smooth[2], v ) : 0.0f );
        }
    }
}

static void supTurnOver( supVec3** frames )
{
    supVec3* oldest = frames[2];
    frames[2] = frames[1];
    frames[1] = frames[0];
    frames[0] = oldest;
}

static void supRunLooked( supLooked* looked, const char* clip, supSeenMotion* seen )
{
    int32_t count = supCharacter_Info( looked->character )->vertexCount;
    int32_t number = supCharacter_FindClip( looked->character, clip );
    supClipView view = supCharacter_Clip( looked->character, number );
    supVec3* block = malloc( 6 * (size_t)count * sizeof( supVec3 ) );
    supVec3* living[3] = { block, block + count, block + 2 * (size_t)count };
    supVec3* smooth[3] = { block + 3 * (size_t)count, block + 4 * (size_t)count, block + 5 * (size_t)count };
    const float dt = 1.0f / 60.0f, end = SUP_SLOW_BUILD ? supMinF( view.end, view.start + 0.85f ) : view.end;
    for ( int f = 0; view.start + (float)f * dt <= end; ++f )
    {
        supPose_Sample( looked->pose, number, (double)view.start + f * (double)dt );
        const supMat34* joints = supPose_Joints( looked->pose );
        assert_int_equal( supBody_Step( looked->body, joints, supMat34_identity, f > 0 ? dt : 0.0f ), sup_success );
        supTurnOver( living );
        supTurnOver( smooth );
        supBody_Skin( looked->body, &living[0]->x, NULL );
        supBody_SmoothSkin( looked->body, &smooth[0]->x, NULL );
        supSeeFrame( looked, count, living, smooth, f > 1, seen );
    }
    print_message( "%s: fat moves the skin by %.1f mm; jolts of %.1f mm, %.1f without it\n", clip,
        1e3 * (double)seen->way, 1e3 * (double)seen->livingJolt, 1e3 * (double)seen->smoothJolt );
    free( block );
}

/// The heavy man's belly has fat on its muscles, none of which comes through the skin, and runs with him: not by a few
/// millimetres, nor like a pudding. It takes the captured motion's own jolts up, and adds none.
static void supTestBelly( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supCharacter* character = supLoadTestAsset( "mh_human/mh_heavy.glb" );
    supLooked looked;
    supFatView view;
    supOpenLooked( character, &looked );
    assert_true( supModel_Fat( looked.model, 0, &view ) );
    assert_int_equal( view.outsideCount, 0 );
    supSeenMotion belly = { .low = { -0.1f, 0.85f, 0.15f }, .high = { 0.1f, 1.15f, 1.0f } };
    supRunLooked( &looked, "run", &belly );
    assert_true( belly.way > 0.012f && belly.way < 0.05f && belly.livingJolt < 0.7f * belly.smoothJolt );
    supCloseLooked( &looked );
    supDestroyCharacter( character );
}

static void supTestBreasts( void** state )
{
    supLooked looked;
    supSeenMotion breasts = { .low = { -0.2f, 1.15f, 0.06f }, .high = { 0.2f, 1.35f, 1.0f } };
    supOpenLooked( supCreature_Character( *state ), &looked );
    supRunLooked( &looked, "run", &breasts );
    assert_true( breasts.way > 0.018f && breasts.way < 0.05f );
    supCloseLooked( &looked );
}

/// Corners of the écorché that are seen, above a height.
typedef struct supSeenAbove
{
    float height;
    int32_t above, below;
} supSeenAbove;

static void supCountSeen( const supDrawCorner* corners, int32_t triangleCount, void* user )
{
    supSeenAbove* seen = user;
    for ( int32_t i = 0; i < 3 * triangleCount; ++i )
    {
        bool solid = corners[i].color.a > 0.5f;
        seen->above += solid && corners[i].at.y > seen->height;
        seen->below += solid && corners[i].at.y <= seen->height;
    }
}

/// There are no muscles in a face: the écorché is not drawn there, as a shrunken head inside the head.
static void supTestFace( void** state )
{
    const supCharacter* character = supCreature_Character( *state );
    supLooked looked;
    supOpenLooked( character, &looked );
    supVec3 head = supCharacter_Info( character )->restJoints[supCharacter_FindJoint( character, "head" )].t;
    supSeenAbove seen = { .height = head.y + 0.1f };
    supDraw draw = { .triangles = supCountSeen, .user = &seen };
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    assert_int_equal( supBody_Step( looked.body, rest, supMat34_identity, 0.0f ), sup_success );
    assert_true( supBody_Draw( looked.body, "ecorche", &draw ) );
    assert_int_equal( seen.above, 0 );
    assert_true( seen.below > 6000 );
    supCloseLooked( &looked );
}

static int supOpenWoman( void** state )
{
    supError error = { 0 };
    return supCreateCreature( "woman", NULL, (supCreature**)state, &error ) != sup_success;
}

static int supCloseWoman( void** state )
{
    supDestroyCreature( *state );
    return 0;
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestBelly ),
        cmocka_unit_test( supTestBreasts ),
        cmocka_unit_test( supTestFace ),
    };
    return cmocka_run_group_tests( tests, supOpenWoman, supCloseWoman );
}
