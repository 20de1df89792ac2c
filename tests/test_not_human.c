// Whom muscles are not for: animals, and machines in a human's form.
#include "rig/layer_list.h"
#include "supple/auto.h"
#include "supple/creatures.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/// A cat is told that it is none, and why.
static void supTestNotHuman( void** state )
{
    (void)state;
    supCreature* cat;
    supError error;
    supRig* rig;
    assert_int_equal( supCreateCreature( "cat", NULL, &cat, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supProposeMuscles( supCreature_Character( cat ), NULL, rig, NULL, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "not one: its trunk lies rather than stands" ) );
    assert_int_equal( supRig_ItemCount( rig, sup_layerMuscles ), 0 );
    supDestroyRig( rig );
    supDestroyCreature( cat );
}

/// Nor are muscles put under plates, though the skeleton is a human's.
static void supTestPlates( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supError error = { 0 };
    supCharacter* robot = supLoadTestAsset( "quaternius/Character.glb" );
    supRig* rig;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supProposeMuscles( robot, NULL, rig, NULL, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "muscles would not be seen: 75% of the surface are rigid pieces" ) );
    assert_int_equal( supRig_ItemCount( rig, sup_layerMuscles ), 0 );
    supDestroyRig( rig );
    supDestroyCharacter( robot );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestNotHuman ),
        cmocka_unit_test( supTestPlates ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
