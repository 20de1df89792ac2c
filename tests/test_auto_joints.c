// The automatic rig among the extra joints that riggers add, on a doll: twists, correctives, IK targets, poles, armour.

#include "rig/layer_list.h"
#include "supple/lab/items.h"
#include "support/found_flesh.h"
#include "support/mannequin.h"
#include "support/strangers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int32_t supElementOn( const supFound* found, const char* driver )
{
    for ( int32_t e = 0; e < supRig_ElementCount( found->rig ); ++e )
    {
        const char* name = supRig_Element( found->rig, e )->driver;
        if ( strcmp( name, driver ) == 0 && !supIsOfTrunk( found->proposal->elements[e].region ) )
        {
            return e;
        }
    }
    return -1;
}

static void supCheckBone( const supFound* found, const char* driver, const char* end )
{
    int32_t e = supElementOn( found, driver );
    if ( e < 0 )
    {
        fail_msg( "no flesh on %s", driver );
    }
    const supElementDef* def = supRig_Element( found->rig, e );
    assert_int_equal( def->ends.count, 1 );
    assert_string_equal( def->ends.names[0], end );
}

static void supCheckDoll( const supFound* found )
{
    supCheckBone( found, "upperArm.L", "foreArm.L" );
    supCheckBone( found, "upperArm.R", "foreArm.R" );
    supCheckBone( found, "thigh.L", "shin.L" );
    supCheckBone( found, "thigh.R", "shin.R" );
    supCheckBone( found, "shin.L", "foot.L" );
    assert_int_equal(
        found->proposal->regions[supCharacter_FindJoint( found->character, "hand.L" )], sup_regionExtremity );
    assert_int_equal(
        found->proposal->regions[supCharacter_FindJoint( found->character, "foot.R" )], sup_regionExtremity );
    assert_int_equal( found->proposal->regions[supCharacter_FindJoint( found->character, "head" )], sup_regionHead );
}

/// The skin's flesh of a variant against that of the plain doll: the largest difference at any vertex of the body.
static float supCompareFlesh( const supFound* plain, const supFound* other )
{
    float* a = supFleshWeights( plain->model );
    float* b = supFleshWeights( other->model );
    float largest = 0.0f;
    for ( int32_t v = 0; v < supCharacter_Mesh( plain->character, 0 ).vertexCount; ++v )
    {
        largest = fmaxf( largest, fabsf( a[v] - b[v] ) );
    }
    free( a );
    free( b );
    return largest;
}

/// Flesh beside hard pieces is held, which test_flesh measures. Without that the skin is the same as without pieces.
static void supLetGo( supFound* found )
{
    supError error = { 0 };
    for ( int32_t e = 0; e < supRig_ElementCount( found->rig ); ++e )
    {
        supElementDef def = *supRig_Element( found->rig, e );
        assert_true( def.rigidMargin > 0.0f || !def.skipRigid );
        def.rigidMargin = 0.0f;
        assert_int_equal( supRig_SetItem( found->rig, sup_layerFlesh, e, &def, &error ), sup_success );
    }
    supDestroyModel( found->model );
    found->model = NULL;
    assert_int_equal( supCompileModel( found->character, found->rig, &found->model, &error ), sup_success );
}

/// `slack`: correctives hold skin of their own near the joint, which carries none.
static void supCheckVariant( supMannequinDef def, float slack )
{
    supCharacter* doll = supMakeMannequin( ( supMannequinDef ){ .still = def.still } );
    supCharacter* variant = supMakeMannequin( def );
    supFound plain = supFindFleshOn( doll, sup_presetNatural );
    supFound found = supFindFleshOn( variant, sup_presetNatural );
    supCheckDoll( &plain );
    supCheckDoll( &found );
    assert_int_equal( supRig_ElementCount( found.rig ), supRig_ElementCount( plain.rig ) );
    supLetGo( &found );
    float largest = supCompareFlesh( &plain, &found );
    if ( !( largest <= slack ) )
    {
        fail_msg( "flesh differs by %g at some vertex", (double)largest );
    }
    supDropFound( &found );
    supDropFound( &plain );
    supDestroyCharacter( variant );
    supDestroyCharacter( doll );
}

static void supTestTwistsInLine( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .twistsInLine = true }, 0.01f );
}

static void supTestTwistsBeside( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .twistsBeside = true }, 0.01f );
}

static void supTestHelpers( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .helpers = true }, 0.1f );
}

static void supTestAllAtOnce( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .helpers = true, .twistsInLine = true, .twistsBeside = true }, 0.1f );
    supCheckVariant( ( supMannequinDef ){ .helpers = true, .twistsBeside = true, .still = true }, 0.1f );
}

static void supTestSilentTwists( void** state )
{
    (void)state;
    for ( int k = 0; k < 16; ++k )
    {
        // no clip turns them, or there is none at all, which leaves elbows and knees as straight as the twist joints
        supMannequinDef def = { .twistsStill = true, .still = ( k & 1 ) != 0, .gradual = ( k & 2 ) != 0 };
        def.twistsUpper = ( k >> 2 ) != 1;
        def.twistsLower = ( k >> 2 ) != 2;
        def.helpers = ( k >> 2 ) == 3;
        supCheckVariant( def, 0.1f );
    }
}

/// The same joints under names that say nothing: the same rig.
static void supTestScrambled( void** state )
{
    (void)state;
    for ( int k = 0; k < 4; ++k )
    {
        supMannequinDef def = { .twistsInLine = k > 0, .twistsStill = true, .still = k > 1, .helpers = k > 2 };
        supCharacter* doll = supMakeMannequin( def );
        def.scrambled = true;
        supCharacter* other = supMakeMannequin( def );
        supFound a = supFindFleshOn( doll, sup_presetNatural ), b = supFindFleshOn( other, sup_presetNatural );
        supCheckDoll( &a );
        assert_int_equal( supRig_ElementCount( a.rig ), supRig_ElementCount( b.rig ) );
        for ( int32_t e = 0; e < supRig_ElementCount( a.rig ); ++e )
        {
            const supElementDef *x = supRig_Element( a.rig, e ), *y = supRig_Element( b.rig, e );
            assert_int_equal( supListedJoint( doll, x->driver ), supListedJoint( other, y->driver ) );
            assert_int_equal( x->joints.count, y->joints.count );
            assert_true( x->amount == y->amount && x->frequency == y->frequency );
        }
        assert_true( supCompareFlesh( &a, &b ) == 0.0f );
        supDropFound( &b );
        supDropFound( &a );
        supDestroyCharacter( other );
        supDestroyCharacter( doll );
    }
}

/// Hard pieces in the body's own mesh: none of their vertices moves, and the skin around them has its flesh.
static void supTestShells( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .shells = true }, 0.01f );
    supCharacter* plain = supMakeMannequin( ( supMannequinDef ){ 0 } );
    supCharacter* doll = supMakeMannequin( ( supMannequinDef ){ .shells = true } );
    supFound found = supFindFleshOn( doll, sup_presetNatural );
    assert_int_equal( found.proposal->hardCount, 5 );
    float* weights = supFleshWeights( found.model );
    int32_t first = supCharacter_Info( plain )->vertexCount;
    assert_true( supCharacter_Info( doll )->vertexCount > first + 100 );
    for ( int32_t v = first; v < supCharacter_Info( doll )->vertexCount; ++v )
    {
        assert_true( weights[v] == 0.0f );
    }
    free( weights );
    supDropFound( &found );
    supDestroyCharacter( doll );
    supDestroyCharacter( plain );
}

/// A limb of rigid blocks is a machine's; a doll of blocks has no flesh at all, and that is no failure.
static void supTestBlocks( void** state )
{
    (void)state;
    supCharacter* half = supMakeMannequin( ( supMannequinDef ){ .blockLimbs = true } );
    supCharacter* whole = supMakeMannequin( ( supMannequinDef ){ .blocks = true } );
    supFound a = supFindFleshOn( half, sup_presetNatural ), b = supFindFleshOn( whole, sup_presetNatural );
    assert_true( supRig_ElementCount( a.rig ) >= 2 );
    for ( int32_t e = 0; e < supRig_ElementCount( a.rig ); ++e )
    {
        assert_true( supIsOfTrunk( a.proposal->elements[e].region ) );
    }
    int32_t thigh = supCharacter_FindJoint( half, "thigh.L" );
    assert_true( a.proposal->regions[thigh] == sup_regionThigh || a.proposal->regions[thigh] == sup_regionHard );
    assert_true( a.proposal->carriers[thigh] == -1 && a.proposal->hardShares[thigh] > 0.99f );
    assert_int_equal( supRig_ElementCount( b.rig ), 0 );
    assert_true( b.proposal->hardShare > 0.99f );
    assert_int_equal( b.proposal->body.kind, sup_bodyMachine );
    supDropFound( &b );
    supDropFound( &a );
    supDestroyCharacter( whole );
    supDestroyCharacter( half );
}

/// Joints that hold a piece of the chest's skin carry its flesh, or leave it to the chest: there is no hole where there
/// should be most of it.
static void supCheckBreasts( supMannequinDef def )
{
    supCharacter* doll = supMakeMannequin( ( supMannequinDef ){ 0 } );
    supCharacter* variant = supMakeMannequin( def );
    supFound plain = supFindFleshOn( doll, sup_presetNatural );
    supFound found = supFindFleshOn( variant, sup_presetNatural );
    supCheckDoll( &found );
    float* without = supFleshWeights( plain.model );
    float* with = supFleshWeights( found.model );
    int32_t* main = supMainJoints( variant );
    int32_t looked = 0;
    for ( int32_t v = 0; v < supCharacter_Mesh( doll, 0 ).vertexCount; ++v )
    {
        bool holds = main[v] >= 0 && strncmp( supCharacter_Joint( variant, main[v] )->name, "breast", 6 ) == 0;
        looked += holds;
        if ( holds && with[v] < without[v] - 0.1f )
        {
            fail_msg( "flesh of %g, %g without such joints", (double)with[v], (double)without[v] );
        }
    }
    assert_true( looked > 4 );
    free( main );
    free( with );
    free( without );
    supDropFound( &found );
    supDropFound( &plain );
    supDestroyCharacter( variant );
    supDestroyCharacter( doll );
}

static void supTestBreasts( void** state )
{
    (void)state;
    supCheckBreasts( ( supMannequinDef ){ .breasts = true } );
    supCheckBreasts( ( supMannequinDef ){ .pectorals = true } );
}

/// Names of joints that elements of the trunk have already, and names that are long and all alike.
static void supTestNames( void** state )
{
    (void)state;
    const supMannequinDef defs[2] = { { .clashes = true }, { .longNames = true } };
    supCharacter* plain = supMakeMannequin( ( supMannequinDef ){ 0 } );
    supFound a = supFindFleshOn( plain, sup_presetNatural );
    for ( int i = 0; i < 2; ++i )
    {
        supCharacter* doll = supMakeMannequin( defs[i] );
        supFound b = supFindFleshOn( doll, sup_presetNatural );
        assert_int_equal( supRig_ElementCount( a.rig ), supRig_ElementCount( b.rig ) );
        assert_true( supCompareFlesh( &a, &b ) == 0.0f );
        supDropFound( &b );
        supDestroyCharacter( doll );
    }
    supDropFound( &a );
    supDestroyCharacter( plain );
}

/// Iron does not wobble: whole meshes that hang on one joint are left out by name, the skin below them is not.
static void supTestArmour( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .armour = true }, 0.01f );
    supCharacter* doll = supMakeMannequin( ( supMannequinDef ){ .armour = true } );
    supFound found = supFindFleshOn( doll, sup_presetNatural );
    float* weights = supFleshWeights( found.model );
    for ( int32_t m = 1; m < supCharacter_Info( doll )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( doll, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            assert_true( weights[mesh.firstVertex + v] == 0.0f );
        }
    }
    free( weights );
    supDropFound( &found );
    supDestroyCharacter( doll );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTwistsInLine ),
        cmocka_unit_test( supTestTwistsBeside ),
        cmocka_unit_test( supTestHelpers ),
        cmocka_unit_test( supTestAllAtOnce ),
        cmocka_unit_test( supTestSilentTwists ),
        cmocka_unit_test( supTestScrambled ),
        cmocka_unit_test( supTestArmour ),
        cmocka_unit_test( supTestShells ),
        cmocka_unit_test( supTestBlocks ),
        cmocka_unit_test( supTestBreasts ),
        cmocka_unit_test( supTestNames ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
