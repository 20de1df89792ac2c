// What is meant to do harm, or looks like it: every call answers in words and keeps what was good.
#include "support/test_allocator.h"
#include "support/two_bones.h"

#include "supple/bake.h"
#include "supple/body.h"
#include "supple/lab/measures.h"
#include "supple/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// A clip and no skin, under a rig without elements: there are no rows to go over, and no first mesh to start from.
static void supTestNoMesh( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    bones.def.meshCount = 0;
    supCharacter* character = supTestCreate( &bones.def );
    supRig* rig = NULL;
    supModel* model = NULL;
    supTake* take = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, &error ), sup_success );
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    assert_int_equal( supCreateTake( &takeDef, &take, &error ), sup_success );
    supPastBone past;
    assert_int_equal( supTake_PastBone( take, 30.0, &past, &error ), sup_success );
    assert_int_equal( past.living, 0 );
    const supTake* takes[1] = { take };
    supJointBakeDef jointDef = supDefaultJointBakeDef();
    jointDef.model = model;
    jointDef.takes = takes;
    jointDef.takeCount = 1;
    supJointBake* joints = NULL;
    assert_int_equal( supBakeJoints( &jointDef, &joints, &error ), sup_success );
    assert_int_equal( supJointBake_Info( joints )->helperCount, 0 );
    supMorphBakeDef morphDef = supDefaultMorphBakeDef();
    morphDef.model = model;
    morphDef.takes = takes;
    morphDef.takeCount = 1;
    supMorphBake* morphs = NULL;
    assert_int_equal( supBakeMorphs( &morphDef, &morphs, &error ), sup_success );
    supDestroyMorphBake( morphs );
    supDestroyJointBake( joints );
    supDestroyTake( take );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestNoMesh ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
