#include "support/player.h"

#include "base/math.h"
#include "body/body_data.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

supPlayer* supMakePlayer( const supFound* found )
{
    supPlayer* player = calloc( 1, sizeof( *player ) );
    assert_int_equal( supCreateBody( found->model, &player->body, NULL ), sup_success );
    assert_int_equal( supCreatePose( found->character, NULL, &player->pose, NULL ), sup_success );
    player->elements = found->model->offsets.elementCount;
    assert_in_range( player->elements, 1, supMostElements );
    assert_in_range( supCharacter_Info( found->character )->jointCount, 1, supMostJoints );
    return player;
}

void supDropPlayer( supPlayer* player )
{
    supDestroyPose( player->pose );
    supDestroyBody( player->body );
    free( player );
}

void supPlayAt( supPlayer* player, int32_t clip, double time, supMat34 world, double dt )
{
    supClipView view = supCharacter_Clip( player->body->model->character, clip );
    double length = fmax( view.end - view.start, 1e-6 );
    supPose_Sample( player->pose, clip, view.start + fmod( time, length ) );
    assert_int_equal( supBody_Step( player->body, supPose_Joints( player->pose ), world, (float)dt ), sup_success );
}

supVec3 supShownOf( const supPlayer* player, int32_t element )
{
    return player->body->shown[element];
}

void supFindReach( const supFound* found, double rate, float reach[supMostElements] )
{
    supPlayer* player = supMakePlayer( found );
    memset( reach, 0, sizeof( float ) * supMostElements );
    for ( int32_t clip = 0; clip < supCharacter_Info( found->character )->clipCount; ++clip )
    {
        supClipView view = supCharacter_Clip( found->character, clip );
        supBody_Reset( player->body );
        for ( double time = 0.0; time < view.end - view.start; time += 1.0 / rate )
        {
            supPlayAt( player, clip, time, supMat34_identity, 1.0 / rate );
            for ( int32_t e = 0; e < player->elements; ++e )
            {
                reach[e] = supMaxF( reach[e], supLength( supShownOf( player, e ) ) );
            }
        }
    }
    supDropPlayer( player );
}

double supApart( const supPlayer* a, const supPlayer* b, const float reach[supMostElements] )
{
    double worst = 0.0;
    for ( int32_t e = 0; e < a->elements; ++e )
    {
        float apart = supLength( supSub( supShownOf( a, e ), supShownOf( b, e ) ) );
        worst = fmax( worst, (double)( apart / supMaxF( reach[e], 1e-9f ) ) );
    }
    return worst;
}

supMat34 supStand( double x, double turn )
{
    float s = (float)sin( turn ), c = (float)cos( turn );
    return ( supMat34 ){ { c, 0.0f, -s }, { 0.0f, 1.0f, 0.0f }, { s, 0.0f, c }, { (float)x, 0.0f, 0.0f } };
}
