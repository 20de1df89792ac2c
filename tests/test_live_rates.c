// What a body that is stepped live shows at 60, 30 and 24 frames a second: every clip of ten characters, beside the
// same clip at 960, and beside its take. docs/embedding.md has the table that this prints.
//
// A body does not know the path between two frames, and two poses a step tell it more (supBody_StepPath). A take is
// something else still: it draws a smooth curve through the clip's keys, where a player goes from key to key.
#include "base/math.h"
#include "body/body_data.h"
#include "support/player.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum
{
    supFineRate = 960,
    supMostFrames = 1 << 15,
    supWayCount = 5,
};

/// How a clip is played.
typedef struct supWay
{
    const char* name;
    int rate;
    int poses;   ///< a step; 0: the take
    double most; ///< that the rms may be, over all frames of all clips
} supWay;

static const supWay supWays[supWayCount] = { { "60 Hz", 60, 1, 0.04 }, { "30 Hz", 30, 1, 0.16 },
    { "24 Hz", 24, 1, 0.20 }, { "30 Hz, two poses", 30, 2, 0.03 }, { "the take", 60, 0, 0.13 } };

/// How far flesh is off, frame by frame: of the element that is farthest off, as a share of what it reaches.
typedef struct supOff
{
    float* all;
    int32_t count;
    double squares;
    char where[96];
} supOff;

static int supByValue( const void* a, const void* b )
{
    float x = *(const float*)a, y = *(const float*)b;
    return ( x > y ) - ( x < y );
}

static void supAddFrame( supOff* off, double apart, double* worst, const char* clip, double time )
{
    if ( off->count < supMostFrames )
    {
        off->all[off->count] = (float)apart;
        off->count += 1;
        off->squares += apart * apart;
    }
    if ( apart > *worst )
    {
        *worst = apart;
        snprintf( off->where, sizeof( off->where ), "%s at %.2f s", clip, time );
    }
}

/// A step to frame `n` of a clip, by way of as many poses as are told; the first one starts settled.
static void supPlayFrame( supPlayer* player, int32_t clip, int n, const supWay* way )
{
    double start = supCharacter_Clip( player->body->model->character, clip ).start;
    for ( int i = n == 0 ? way->poses : 1; i <= way->poses; ++i )
    {
        supPose_Sample( player->pose, clip, start + ( n - 1.0 + (double)i / way->poses ) / way->rate );
        float dt = 1.0f / (float)( way->rate * way->poses );
        assert_int_equal(
            supBody_Step( player->body, supPose_Joints( player->pose ), supMat34_identity, dt ), sup_success );
    }
}

static void supShowTake( const supTake* take, supPlayer* player, int32_t clip, double time )
{
    double at = supCharacter_Clip( player->body->model->character, clip ).start + time;
    supPose_Sample( player->pose, clip, at );
    assert_int_equal( supTake_Show( take, at, supPose_Joints( player->pose ), player->body ), sup_success );
}

/// Elongations of a whole clip at 960 Hz. From malloc.
static supVec3* supPlayFinely( supPlayer* player, int32_t clip, int frames )
{
    static const supWay fine = { "", supFineRate, 1, 0.0 };
    size_t elements = (size_t)player->elements;
    supVec3* all = calloc( elements * (size_t)( frames + 1 ), sizeof( supVec3 ) );
    assert_non_null( all );
    supBody_Reset( player->body );
    for ( int n = 0; n <= frames; ++n )
    {
        supPlayFrame( player, clip, n, &fine );
        memcpy( all + elements * (size_t)n, player->body->shown, sizeof( supVec3 ) * elements );
    }
    return all;
}

static void supCompareClip( const supFound* found, int32_t clip, const float* reach, supOff* offs, double* worst )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = found->model;
    def.clip = clip;
    def.loop = sup_loopOff; // all begin settled
    supTake* take;
    assert_int_equal( supCreateTake( &def, &take, NULL ), sup_success );
    supClipView view = supCharacter_Clip( found->character, clip );
    supPlayer* player = supMakePlayer( found );
    int frames = (int)( ( view.end - view.start ) * supFineRate );
    supVec3* fine = supPlayFinely( player, clip, frames );
    for ( int w = 0; w < supWayCount; ++w )
    {
        supBody_Reset( player->body );
        for ( int n = 0; n * ( supFineRate / supWays[w].rate ) <= frames; ++n )
        {
            if ( supWays[w].poses == 0 )
            {
                supShowTake( take, player, clip, (double)n / supWays[w].rate );
            }
            else
            {
                supPlayFrame( player, clip, n, supWays + w );
            }
            const supVec3* truth = fine + n * ( supFineRate / supWays[w].rate ) * player->elements;
            double apart = 0.0;
            for ( int32_t e = 0; e < player->elements; ++e )
            {
                apart = fmax( apart, (double)( supLength( supSub( supShownOf( player, e ), truth[e] ) ) / reach[e] ) );
            }
            supAddFrame( offs + w, apart, worst + w, view.name, (double)n / supWays[w].rate );
        }
    }
    supDropPlayer( player );
    supDestroyTake( take );
    free( fine );
}

/// What the elements reach in the clips; of those that hardly move, a twentieth of the most.
static void supFindScale( const supFound* found, float reach[supMostElements] )
{
    supFindReach( found, 120.0, reach );
    float most = 0.0f;
    for ( int32_t e = 0; e < found->model->offsets.elementCount; ++e )
    {
        most = supMaxF( most, reach[e] );
    }
    for ( int32_t e = 0; e < found->model->offsets.elementCount; ++e )
    {
        reach[e] = supMaxF( reach[e], 0.05f * most );
    }
}

static void supCompareCharacter( const char* name )
{
    supFound found = supFindFlesh( name, sup_presetNatural );
    float reach[supMostElements];
    supFindScale( &found, reach );
    supOff offs[supWayCount] = { 0 };
    double worst[supWayCount] = { 0.0 };
    for ( int w = 0; w < supWayCount; ++w )
    {
        offs[w].all = calloc( supMostFrames, sizeof( float ) );
        assert_non_null( offs[w].all );
    }
    int32_t clips = supCharacter_Info( found.character )->clipCount;
    for ( int32_t clip = 0; clip < clips; ++clip )
    {
        supCompareClip( &found, clip, reach, offs, worst );
    }
    printf( "| %s | %d |", name, clips );
    for ( int w = 0; w < supWayCount; ++w )
    {
        qsort( offs[w].all, (size_t)offs[w].count, sizeof( float ), supByValue );
        double rms = sqrt( offs[w].squares / offs[w].count ), most = (double)offs[w].all[(int)( 0.99 * offs[w].count )];
        printf( " %.1f, %.1f, %.1f %s |", 100.0 * rms, 100.0 * most, 100.0 * worst[w], offs[w].where );
        assert_true( rms < supWays[w].most );
        free( offs[w].all );
    }
    printf( "\n" );
    supDropFound( &found );
}

static void supTestRates( void** state )
{
    (void)state;
    static const char* const names[] = { "woman", "cat", "mh_human/mh_heavy.glb", "strangers/heavywoman_unreal.glb",
        "quaternius/Character.glb", "quaternius/Cow.glb", "quaternius/Horse.glb", "khronos_fox/glTF-Binary/Fox.glb",
        "strangers/Husky.glb", "strangers/Trex.glb" };
    int32_t count = supTestAssets() != NULL && !SUP_SLOW_BUILD ? (int32_t)( sizeof( names ) / sizeof( names[0] ) ) : 2;
    printf( "| character | clips |" );
    for ( int w = 0; w < supWayCount; ++w )
    {
        printf( " %s |", supWays[w].name );
    }
    printf( "\n" );
    for ( int32_t i = 0; i < count; ++i )
    {
        supCompareCharacter( names[i] );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestRates ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
