// Contraction on the skin: the modelled body is a relaxed one, so a rig that contracts a muscle bulges at rest, just as
// one that is contracted live.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "support/arm_anatomy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct supArm
{
    supModel* model;
    supBody* body;
    supVec3* skin; ///< at rest, after `supSettle`
} supArm;

static void supSettle( supArm* arm )
{
    const supCharacter* character = supModel_Info( arm->model )->character;
    for ( int i = 0; i < 60; ++i )
    {
        assert_int_equal(
            supBody_Step( arm->body, supCharacter_Info( character )->restJoints, supMat34_identity, 1.0f / 60.0f ),
            sup_success );
    }
    supBody_Skin( arm->body, &arm->skin->x, NULL );
}

static supArm supOpenArm( const supCharacter* character, float contraction )
{
    supArm arm;
    supError error;
    supRig* rig = supArmAnatomy( contraction, false );
    assert_int_equal( supCompileModel( character, rig, &arm.model, &error ), sup_success );
    assert_int_equal( supCreateBody( arm.model, &arm.body, &error ), sup_success );
    arm.skin = malloc( (size_t)supCharacter_Info( character )->vertexCount * sizeof( supVec3 ) );
    supDestroyRig( rig );
    supSettle( &arm );
    return arm;
}

static void supCloseArm( supArm* arm )
{
    supDestroyBody( arm->body );
    supDestroyModel( arm->model );
    free( arm->skin );
}

static float supFarthestApart( const supCharacter* character, const supVec3* a, const supVec3* b )
{
    float most = 0.0f;
    for ( int32_t v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        most = supMaxF( most, supDistance( a[v], b[v] ) );
    }
    return most;
}

static void supTestContraction( void** state )
{
    (void)state;
    supError error;
    supCreature* creature;
    assert_int_equal( supCreateCreature( "arm", NULL, &creature, &error ), sup_success );
    const supCharacter* character = supCreature_Character( creature );
    float size = supCharacter_Info( character )->size;
    supArm relaxed = supOpenArm( character, 0.0f ), given = supOpenArm( character, 1.0f );
    float bulge = supFarthestApart( character, relaxed.skin, given.skin );
    assert_int_equal( supBody_SetField( relaxed.body, sup_layerMuscles, 0, "contraction", 1.0f, &error ), sup_success );
    supSettle( &relaxed );
    float apart = supFarthestApart( character, relaxed.skin, given.skin );
    print_message( "contracted in the rig: %.2f mm out; contracted live: %.2g mm beside it\n", 1e3 * (double)bulge,
        1e3 * (double)apart );
    assert_true( bulge > 0.003f * size );
    assert_true( apart < 1e-5f * size );
    supArm fresh = supOpenArm( character, 0.0f );
    assert_int_equal( supBody_SetField( relaxed.body, sup_layerMuscles, 0, "contraction", 0.0f, &error ), sup_success );
    supSettle( &relaxed );
    assert_true( supFarthestApart( character, relaxed.skin, fresh.skin ) < 1e-5f * size ); // let go, nothing is left
    supCloseArm( &fresh );
    supCloseArm( &relaxed );
    supCloseArm( &given );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestContraction ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
