// What the automatic rig reads off a body must not depend on where the file has it look, on its unit, on its left and
// right, and hardly on its names: the strangers, altered in all of their vertices, joints and keys.

#include "base/math.h"
#include "support/strangers.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static supStranger supMet[supMostBodies];
static int32_t supMetCount;

static int supMeetAll( void** state )
{
    (void)state;
    supMetCount = supMeetStrangers( supMet, supMostBodies );
    return 0;
}

static int supLeaveAll( void** state )
{
    (void)state;
    supLeave( supMet, supMetCount );
    return 0;
}

/// What became of one altered copy; a rig that cannot be had is unlike in all.
static supLikeness supFindAltered( const supStranger* stranger, const supAlteration* alteration )
{
    supLikeness likeness = { .words = "" };
    supFound other;
    supError error = { 0 };
    supCharacter* altered = supAlterCharacter( stranger->character, alteration );
    if ( supTryFind( altered, sup_presetNatural, &other, &error ) )
    {
        likeness = supCompareFound( &stranger->found, &other, alteration );
        supDropFound( &other );
    }
    else
    {
        snprintf( likeness.words, sizeof( likeness.words ), "refused: %.100s", error.text );
    }
    supDestroyCharacter( altered );
    return likeness;
}

static bool supIsAlike( const supLikeness* likeness )
{
    return likeness->kind && likeness->front && likeness->up && likeness->regions && likeness->numbers;
}

/// Many alterations of every stranger, all of which must be alike; a line each.
static void supCheckAll( const supAlteration* alterations, const char* const* words, int32_t count )
{
    int32_t wrong = 0;
    assert_true( supMetCount > 0 );
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        print_message( "%-24s", stranger->truth.name );
        if ( !stranger->isFound )
        {
            print_message( "REFUSED: %s\n", stranger->error.text );
            ++wrong;
            continue;
        }
        double farthest = 0.0, numberOff = 0.0;
        int32_t alike = 0;
        char complaints[16][200];
        for ( int32_t k = 0; k < count; ++k )
        {
            supLikeness likeness = supFindAltered( stranger, alterations + k );
            farthest = fmax( farthest, likeness.farthest );
            numberOff = fmax( numberOff, likeness.numberOff );
            bool same = supIsAlike( &likeness );
            alike += same;
            snprintf( complaints[k], sizeof( complaints[k] ), "%s%s%s", same ? "" : words[k], same ? "" : ": ",
                same ? "" : likeness.words );
        }
        print_message( " %d of %d alike; centres within %.3f%%, numbers within %.3f%%\n", alike, count,
            100.0 * farthest, 100.0 * numberOff );
        for ( int32_t k = 0; k < count; ++k )
        {
            if ( complaints[k][0] != '\0' )
            {
                print_message( "    WRONG: %s\n", complaints[k] );
            }
        }
        wrong += count - alike;
    }
    print_message( "%d wrong\n", wrong );
    assert_int_equal( wrong, 0 );
}

static void supTestTurned( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    const double yaws[] = { 45.0, 90.0, 135.0, 180.0, 225.0, 270.0, 315.0, 17.3, 112.9, 251.6 };
    const char* const words[] = { "45", "90", "135", "180", "225", "270", "315", "17.3", "112.9", "251.6" };
    enum
    {
        yawCount = sizeof( yaws ) / sizeof( yaws[0] )
    };
    supAlteration alterations[yawCount];
    for ( int k = 0; k < yawCount; ++k )
    {
        alterations[k] = supTurnedBy( supMakeVec3( 0.0f, 1.0f, 0.0f ), yaws[k] );
    }
    supCheckAll( alterations, words, yawCount );
}

/// Z up, also of a body that looks another way; centimetres; mirrored, also turned.
static void supTestInOtherFiles( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    const char* const words[] = { "z up", "z up, turned", "cm", "mirrored", "mirrored, turned" };
    supAlteration turned = supTurnedBy( supMakeVec3( 0.0f, 1.0f, 0.0f ), 67.0 ), up = supMadeZUp();
    supAlteration alterations[5] = { up, up, supNoAlteration(), supNoAlteration(), turned };
    alterations[1].turn = supMulQuat( up.turn, turned.turn );
    alterations[2].scale = 100.0f;
    alterations[3].isMirrored = true;
    alterations[4].isMirrored = true;
    supCheckAll( alterations, words, 5 );
}

/// Front and up stay in every file; the regions in all but two of 25.
static void supTestScrambled( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t turned = 0, other = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        print_message( "%-24s", stranger->truth.name );
        if ( !stranger->isFound )
        {
            print_message( "REFUSED: %s\n", stranger->error.text );
            ++turned;
            ++other;
            continue;
        }
        bool directions = true, regions = true;
        char words[160] = "";
        for ( uint32_t seed = 1; seed <= 2; ++seed )
        {
            supAlteration names = supNoAlteration();
            names.nameSeed = 7919 * seed;
            supLikeness likeness = supFindAltered( stranger, &names );
            directions = directions && likeness.front && likeness.up;
            regions = regions && likeness.kind && likeness.regions;
            if ( words[0] == '\0' )
            {
                snprintf( words, sizeof( words ), "%s", likeness.words );
            }
        }
        print_message(
            " front and up %s  regions %s  %s\n", directions ? "ok   " : "WRONG", regions ? "ok   " : "OTHER", words );
        turned += !directions;
        other += !regions;
    }
    print_message( "front and up changed in %d of %d, regions in %d\n", turned, supMetCount, other );
    assert_int_equal( turned, 0 );
    assert_true( 25 * other <= 2 * supMetCount );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTurned ),
        cmocka_unit_test( supTestInOtherFiles ),
        cmocka_unit_test( supTestScrambled ),
    };
    return cmocka_run_group_tests( tests, supMeetAll, supLeaveAll );
}
