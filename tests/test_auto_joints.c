// The automatic rig among the extra joints that riggers add, on a doll: twists, correctives, IK targets, poles, armour.

#include "support/found_flesh.h"
#include "support/mannequin.h"

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
        if ( strcmp( name, driver ) == 0 && found->proposal->elements[e].region != sup_regionTrunk )
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

/// Iron does not wobble: whole meshes that hang on one joint are left out by name, the skin below them is not.
static void supTestArmour( void** state )
{
    (void)state;
    supCheckVariant( ( supMannequinDef ){ .armour = true }, 0.01f );
    supCharacter* doll = supMakeMannequin( ( supMannequinDef ){ .armour = true } );
    supFound found = supFindFleshOn( doll, sup_presetNatural );
    float* weights = supFleshWeights( found.model );
    for ( int32_t m = 1; m < supCharacter_MeshCount( doll ); ++m )
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
        cmocka_unit_test( supTestArmour ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
