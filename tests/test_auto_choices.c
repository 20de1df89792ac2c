// What one may choose of an automatic rig, and the words for it: kinds, regions, directions that are known already.

#include "base/math.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "support/found_flesh.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// Words

static void supTestKinds( void** state )
{
    (void)state;
    const char* const names[] = { "human", "quadruped", "biped", "fish", "snake", "many-legged", "blob", "machine" };
    assert_int_equal( sup_bodyKindCount, sizeof( names ) / sizeof( names[0] ) );
    for ( int k = 0; k < sup_bodyKindCount; ++k )
    {
        int32_t kind = sup_bodyKindCount;
        supError error = { 0 };
        assert_string_equal( supWordFor( sup_wordsBodyKind, k ), names[k] );
        assert_int_equal( supFindWord( sup_wordsBodyKind, names[k], &kind, &error ), sup_success );
        assert_int_equal( kind, k );
    }
    int32_t kind = sup_bodyFish;
    supError error = { 0 };
    assert_int_equal( supFindWord( sup_wordsBodyKind, "cthulhu", &kind, &error ), sup_errorNotFound );
    assert_non_null( strstr( error.text, "cthulhu" ) );
    assert_non_null( strstr( error.text, "many-legged" ) ); // what there is
    assert_int_equal( kind, sup_bodyFish );
}

/// Every list ends with NULL, and every word of presets and sides is found again.
static void supTestWordLists( void** state )
{
    (void)state;
    const supWords lists[] = { sup_wordsPreset, sup_wordsSide, sup_wordsBodyKind, sup_wordsRegion };
    const int32_t counts[] = { 4, 3, sup_bodyKindCount, sup_regionCount };
    for ( int list = 0; list < 4; ++list )
    {
        assert_null( supWordFor( lists[list], -1 ) );
        assert_null( supWordFor( lists[list], counts[list] ) );
        for ( int32_t value = 0; value < counts[list]; ++value )
        {
            int32_t found = -1;
            assert_non_null( supWordFor( lists[list], value ) );
            if ( list < 2 )
            {
                assert_int_equal(
                    supFindWord( lists[list], supWordFor( lists[list], value ), &found, NULL ), sup_success );
                assert_int_equal( found, value );
            }
        }
    }
    supError error = { 0 };
    int32_t found = 7;
    assert_int_equal( supFindWord( sup_wordsPreset, "wobbly", &found, &error ), sup_errorNotFound );
    assert_string_equal( error.text, "no preset \"wobbly\"; there are subtle, natural, heavy and cartoon" );
    assert_int_equal( found, 7 );
}

static void supTestRegionNames( void** state )
{
    (void)state;
    static const struct
    {
        supRegion region;
        const char *name, *plural, *other;
    } words[] = {
        { sup_regionBelly, "belly", "bellies", "BELLY" },
        { sup_regionBreast, "breast", "breasts", "Breasts" },
        { sup_regionBottom, "bottom", "bottoms", "Bottom" },
        { sup_regionThigh, "thigh", "thighs", "Thigh" },
        { sup_regionCalf, "calf", "calves", "Calves" },
        { sup_regionUpperArm, "upperArm", "upperArms", "upper-arm" },
        { sup_regionForearm, "forearm", "forearms", "Forearms" },
        { sup_regionCheek, "cheek", "cheeks", "Cheek" },
        { sup_regionChin, "chin", "chins", "Chin" },
        { sup_regionDewlap, "dewlap", "dewlaps", "Dewlap" },
        { sup_regionHump, "hump", "humps", "Hump" },
        { sup_regionRump, "rump", "rumps", "Rump" },
        { sup_regionUdder, "udder", "udders", "Udder" },
        { sup_regionSide, "side", "sides", "Sides" },
        { sup_regionAbdomen, "abdomen", "abdomens", "Abdomen" },
        { sup_regionBody, "body", "bodies", "Body" },
    };
    for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
    {
        const char* const spelled[] = { words[i].name, words[i].plural, words[i].other };
        assert_string_equal( supWordFor( sup_wordsRegion, words[i].region ), words[i].name );
        for ( int k = 0; k < 3; ++k )
        {
            int32_t region = sup_regionNone;
            supError error = { 0 };
            if ( supFindWord( sup_wordsRegion, spelled[k], &region, &error ) != sup_success )
            {
                fail_msg( "%s: %s", spelled[k], error.text );
            }
            assert_int_equal( region, words[i].region );
        }
    }
    // what carries no flesh cannot be asked for
    int32_t region = sup_regionBelly;
    supError error = { 0 };
    assert_int_equal( supFindWord( sup_wordsRegion, "tail", &region, &error ), sup_errorNotFound );
    assert_int_equal( supFindWord( sup_wordsRegion, "", &region, &error ), sup_errorNotFound );
    assert_int_equal( region, sup_regionBelly );
    assert_string_equal( supWordFor( sup_wordsSide, sup_sideLeft ), "left" );
    assert_string_equal( supWordFor( sup_wordsSide, sup_sideRight ), "right" );
    assert_string_equal( supWordFor( sup_wordsSide, sup_sideMiddle ), "middle" );
}

// ---------------------------------------------------------------------------------------------------------------
// Readings

static supCreature* supMakeCreature( const char* name )
{
    supCreature* creature = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCreature( name, NULL, &creature, &error ), sup_success );
    return creature;
}

/// The built-in characters, which look along +z: a reading by itself, and the same one in a proposal.
static void supTestReadings( void** state )
{
    (void)state;
    static const struct
    {
        const char* name;
        supBodyKind kind;
    } bodies[] = { { "woman", sup_bodyHuman }, { "cat", sup_bodyQuadruped }, { "horse", sup_bodyQuadruped } };
    for ( size_t i = 0; i < sizeof( bodies ) / sizeof( bodies[0] ); ++i )
    {
        supCreature* creature = supMakeCreature( bodies[i].name );
        supBodyReading body;
        supError error = { 0 };
        assert_int_equal( supReadBody( supCreature_Character( creature ), NULL, &body, &error ), sup_success );
        print_message( "%s: %s, front %.2f %.2f %.2f, up %.2f %.2f %.2f, confidence %.2f\n", bodies[i].name,
            supWordFor( sup_wordsBodyKind, body.kind ), (double)body.front.x, (double)body.front.y,
            (double)body.front.z, (double)body.up.x, (double)body.up.y, (double)body.up.z, (double)body.confidence );
        assert_int_equal( body.kind, bodies[i].kind );
        assert_true( body.front.z > 0.98f && body.up.y > 0.98f && body.left.x > 0.98f );
        assert_true( body.confidence > 0.0f && body.confidence <= 1.0f );
        assert_true( body.evidenceCount > 0 && body.evidenceCount <= supMostEvidence );
        supFound found = supFindFleshOn( supCreature_Character( creature ), sup_presetNatural );
        const supBodyReading* same = &found.proposal->body;
        assert_true( same->kind == body.kind && same->confidence == body.confidence );
        assert_true( supDistance( same->front, body.front ) == 0.0f && supDistance( same->up, body.up ) == 0.0f );
        supDropFound( &found );
        supDestroyCreature( creature );
    }
}

/// What is known already is believed; a front that is not at right angles to up is made so.
static void supTestOverruled( void** state )
{
    (void)state;
    supCreature* creature = supMakeCreature( "woman" );
    supProposeDef def = supDefaultProposeDef();
    supBodyReading body;
    supError error = { 0 };
    def.front = supMakeVec3( 0.0f, 0.1f, -2.0f );
    def.up = supMakeVec3( 0.0f, 3.0f, 0.0f );
    def.kind = sup_bodyBiped;
    assert_int_equal( supReadBody( supCreature_Character( creature ), &def, &body, &error ), sup_success );
    assert_int_equal( body.kind, sup_bodyBiped );
    assert_true( body.front.z < -0.98f && body.up.y > 0.98f && body.left.x < -0.98f );
    assert_true( fabsf( supDot( body.front, body.up ) ) < 1e-5f && fabsf( supLength( body.front ) - 1.0f ) < 1e-5f );
    // a human that is told to look the other way has its belly there
    def.kind = sup_bodyHuman;
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    assert_int_equal(
        supProposeRigWith( supCreature_Character( creature ), &def, &rig, &proposal, &error ), sup_success );
    int32_t bellies = 0;
    for ( int32_t e = 0; e < proposal->elementCount; ++e )
    {
        const supProposedElement* element = proposal->elements + e;
        bool belly = element->region == sup_regionBelly;
        bellies += belly;
        assert_true( !belly || element->center.z < element->origin.z );
    }
    assert_int_equal( bellies, 1 );
    supDestroyProposal( proposal );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

// ---------------------------------------------------------------------------------------------------------------
// Regions

static int32_t supCountOf( const supProposal* proposal, supRegion region )
{
    int32_t count = 0;
    for ( int32_t e = 0; e < proposal->elementCount; ++e )
    {
        count += proposal->elements[e].region == region;
    }
    return count;
}

/// None of one region, half as much again of another; all else as it was.
static void supTestRegionShares( void** state )
{
    (void)state;
    supFound all = supFindFlesh( "woman", sup_presetNatural );
    supProposeDef def = supDefaultProposeDef();
    def.regions[sup_regionBelly] = 1.5f;
    def.regions[sup_regionThigh] = 0.0f;
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRigWith( all.character, &def, &rig, &proposal, &error ), sup_success );
    assert_true( supCountOf( all.proposal, sup_regionThigh ) == 2 && supCountOf( proposal, sup_regionThigh ) == 0 );
    assert_int_equal( proposal->elementCount, all.proposal->elementCount - 2 );
    int32_t at = 0;
    for ( int32_t e = 0; e < all.proposal->elementCount; ++e )
    {
        supRegion region = all.proposal->elements[e].region;
        if ( region == sup_regionThigh )
        {
            continue;
        }
        const supElementDef *before = supRig_Element( all.rig, e ), *after = supRig_Element( rig, at );
        float times = region == sup_regionBelly ? 1.5f : 1.0f;
        assert_string_equal( before->name, after->name );
        assert_true( fabsf( after->amount - times * before->amount ) <= 0.01f * after->amount ); // three digits
        assert_true( fabsf( after->sag - times * before->sag ) <= 0.01f * after->sag );
        assert_true( after->frequency == before->frequency );
        ++at;
    }
    supDestroyProposal( proposal );
    supDestroyRig( rig );
    supDropFound( &all );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestKinds ),
        cmocka_unit_test( supTestWordLists ),
        cmocka_unit_test( supTestRegionNames ),
        cmocka_unit_test( supTestReadings ),
        cmocka_unit_test( supTestOverruled ),
        cmocka_unit_test( supTestRegionShares ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
