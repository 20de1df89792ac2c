// A rig for the built-in arm, for tests.
#include "support/arm_anatomy.h"

#include "base/math.h"
#include "rig/layer_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

supRig* supArmAnatomy( float contraction, bool withFat )
{
    supError error;
    supRig* rig;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    supMusclePoint points[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
    points[0].joint = "upper";
    points[0].at = supMakeVec3( 0.0f, 0.02f, 0.03f );
    points[1].joint = "fore";
    points[1].at = supMakeVec3( 0.0f, 0.06f, 0.025f );
    supMuscleField ball = supDefaultMuscleField();
    ball.joint = "fore";
    ball.radii = supMakeVec3( 0.02f, 0.02f, 0.02f );
    supMuscleDef muscle = supDefaultMuscleDef();
    muscle.name = "biceps";
    muscle.radius = 0.03f;
    muscle.points = ( supItemList ){ 2, points };
    muscle.fields = ( supItemList ){ 1, &ball };
    muscle.contraction = contraction;
    supEcorcheDef ecorche = supDefaultEcorcheDef();
    supFatDef fat = supDefaultFatDef();
    fat.nodes = 200.0f;
    fat.modes = 8.0f;
    assert_int_equal( supRig_AddItem( rig, sup_layerMuscles, &muscle, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerEcorche, &ecorche, &error ), sup_success );
    if ( withFat )
    {
        assert_int_equal( supRig_AddItem( rig, sup_layerFat, &fat, &error ), sup_success );
    }
    return rig;
}
