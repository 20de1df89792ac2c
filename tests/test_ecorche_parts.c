// The écorché part by part, on rods whose muscles are cylinders along their axes: where rays must meet the surface is
// known, and what the skin must do.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/muscles/ecorche_compile.h"
#include "rig/layer_list.h"
#include "supple/body.h"
#include "supple/lab/states.h"
#include "support/assert_near.h"
#include "support/two_rods.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMiddleRing = SUP_ROD_RINGS / 2, ///< at y = 0.5
    supMostMuscles = 2,
};

/// Cylinders along "right", from y = 0.05 to 0.95, as thick in their tendons as in their bellies.
typedef struct supRods
{
    supCharacter* character;
    supEcorcheDef ecorcheDef;
    int32_t muscleCount;
    supMuscleDef muscles[supMostMuscles];
    supMusclePoint points[supMostMuscles][2];
    supMuscleField ball;
    supModel* model;
    supBody* body;
    int32_t at; ///< of the écorché, in the model's stack
    const supEcorche* ecorche;
    supVec3 skin[2 * SUP_ROD_VERTICES], smooth[2 * SUP_ROD_VERTICES];
} supRods;

static const char* const sup_rodMuscleNames[supMostMuscles] = { "one", "other" };

static void supAddCylinder( supRods* rods, float x, float radius )
{
    int32_t m = rods->muscleCount++;
    float size = supCharacter_Info( rods->character )->size;
    supMuscleDef* def = rods->muscles + m;
    *def = supDefaultMuscleDef();
    for ( int32_t k = 0; k < 2; ++k )
    {
        rods->points[m][k] = supDefaultMusclePoint();
        rods->points[m][k].joint = "right";
        rods->points[m][k].at = supScale( supMakeVec3( x, k == 0 ? 0.05f : 0.95f, 0.0f ), 1.0f / size );
    }
    def->name = sup_rodMuscleNames[m];
    def->points = ( supItemList ){ 2, rods->points[m] };
    def->segments = 18.0f;
    def->radius = def->tendonRadius = radius / size;
}

/// Only the character; cylinders are added, and numbers changed, before supMakeRods.
static supRods* supOpenRods( void )
{
    supRods* rods = calloc( 1, sizeof( *rods ) );
    assert_non_null( rods );
    rods->character = supMakeTwoRods();
    rods->ecorcheDef = supDefaultEcorcheDef();
    rods->ecorcheDef.filling = 0.1f;
    rods->ecorcheDef.limit = 1.0f;
    rods->ecorcheDef.inward = 1.0f;
    return rods;
}

static void supMakeRods( supRods* rods )
{
    supError error = { 0 };
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, &error );
    for ( int32_t m = 0; m < rods->muscleCount && result == sup_success; ++m )
    {
        result = supRig_AddItem( rig, sup_layerMuscles, rods->muscles + m, &error );
    }
    result = result == sup_success ? supRig_AddItem( rig, sup_layerEcorche, &rods->ecorcheDef, &error ) : result;
    result = result == sup_success ? supCompileModel( rods->character, rig, &rods->model, &error ) : result;
    result = result == sup_success ? supCreateBody( rods->model, &rods->body, &error ) : result;
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    rods->at = supStack_Find( &rods->model->stack, sup_layerEcorche );
    rods->ecorche = rods->model->stack.layers[rods->at].compiled;
    assert_int_equal( rods->ecorche->rayCount, 2 * SUP_ROD_VERTICES );
}

static void supDropModel( supRods* rods )
{
    supDestroyBody( rods->body );
    supDestroyModel( rods->model );
}

static void supDropRods( supRods* rods )
{
    supDropModel( rods );
    supDestroyCharacter( rods->character );
    free( rods );
}

static const float* supShownOf( const supRods* rods )
{
    return rods->body->layers.layers[rods->at].shown;
}

static void supStepRods( supRods* rods, float dt )
{
    const supMat34* rest = supCharacter_Info( rods->character )->restJoints;
    assert_int_equal( supBody_Step( rods->body, rest, supMat34_identity, dt ), sup_success );
    supBody_Skin( rods->body, &rods->skin[0].x, NULL );
    supBody_SmoothSkin( rods->body, &rods->smooth[0].x, NULL );
}

static void supSetRods( supRods* rods, int32_t layer, const char* field, float value )
{
    assert_int_equal( supBody_SetField( rods->body, layer, 0, field, value, NULL ), sup_success );
}

/// The ray that ends on a vertex of the skin.
static int32_t supRayAt( const supRods* rods, int32_t rod, int32_t ring, int32_t around )
{
    int32_t vertex = supRodVertex( rod, ring, around ), ray = 0;
    while ( ray < rods->ecorche->rayCount && rods->ecorche->vertices[ray] != vertex )
    {
        ++ray;
    }
    assert_true( ray < rods->ecorche->rayCount );
    return ray;
}

/// Where a ray of "right" meets the surface at rest, from the foot of the rod's axis. Metres
static supVec3 supHitAt( const supRods* rods, int32_t ring, int32_t around )
{
    int32_t ray = supRayAt( rods, sup_rodRight, ring, around );
    const supEcorche* ecorche = rods->ecorche;
    supVec3 hit = supMulAdd( ecorche->from[ray], ecorche->rest[ray], ecorche->way[ray] );
    return supSub( hit, supCharacter_Info( rods->character )->restJoints[sup_rodRight].t );
}

static double supOffAxis( supVec3 p )
{
    return hypot( (double)p.x, (double)p.z );
}

/// How far a vertex of "right" has moved outward, and that it has not moved otherwise. Metres
static double supRisen( const supRods* rods, int32_t ring, int32_t around )
{
    int32_t v = supRodVertex( sup_rodRight, ring, around );
    double angle = 2.0 * SUP_PI * around / SUP_ROD_AROUND;
    supVec3 u = supSub( rods->skin[v], rods->smooth[v] );
    double out = (double)u.x * cos( angle ) + (double)u.z * sin( angle );
    double aside = (double)u.z * cos( angle ) - (double)u.x * sin( angle );
    assert_true( fabs( aside ) < 1e-4 + 0.02 * fabs( out ) && fabs( (double)u.y ) < 1e-4 + 0.02 * fabs( out ) );
    return out;
}

/// One cylinder: rays meet it at its radius; when it swells they follow, and the skin goes with them, times `amount`.
static void supTestSwells( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.08f );
    supMakeRods( rods );
    supStepRods( rods, 0.0f );
    supSetRods( rods, sup_layerMuscles, "swell", 1.15f );
    supStepRods( rods, 0.0f );
    for ( int32_t around = 0; around < SUP_ROD_AROUND; ++around )
    {
        int32_t ray = supRayAt( rods, sup_rodRight, supMiddleRing, around );
        supAssertNear( (double)rods->ecorche->rest[ray], 0.8, 1e-4 );
        supAssertNear( (double)supShownOf( rods )[ray], 0.12, 1e-4 );
        // neighbours rise alike, but each in its own direction: their mean is a little less
        double risen = supRisen( rods, supMiddleRing, around );
        assert_true( risen < 0.01201 && risen > 0.0111 );
    }
    double once = supRisen( rods, supMiddleRing, 3 );
    supSetRods( rods, sup_layerEcorche, "amount", 2.5f );
    supStepRods( rods, 0.0f );
    supAssertNear( supRisen( rods, supMiddleRing, 3 ), 2.5 * once, 1e-6 );
    supSetRods( rods, sup_layerMuscles, "swell", 0.9f ); // and back in
    supStepRods( rods, 0.0f );
    supAssertNear( supRisen( rods, supMiddleRing, 3 ), 2.5 * once * -0.08 / 0.12, 2e-5 );
    supDropRods( rods );
}

/// Of a move inwards the skin takes its own share, and all of one outwards; live.
static void supTestInward( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.08f );
    supMakeRods( rods );
    const float swells[2] = { 0.8f, 1.1f };
    for ( int k = 0; k < 2; ++k )
    {
        supSetRods( rods, sup_layerMuscles, "swell", swells[k] );
        supSetRods( rods, sup_layerEcorche, "inward", 1.0f );
        supStepRods( rods, 0.0f );
        double whole = supRisen( rods, supMiddleRing, 0 );
        assert_true( k == 0 ? whole < -0.01 : whole > 0.005 );
        supSetRods( rods, sup_layerEcorche, "inward", 0.25f );
        supStepRods( rods, 0.0f );
        supAssertNear( supRisen( rods, supMiddleRing, 0 ), k == 0 ? 0.25 * whole : whole, 1e-6 );
    }
    supDropRods( rods );
}

/// Small moves are taken whole, larger ones never by more than the limit; at 0 none is, and the skin is the smooth one.
static void supTestLimit( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.08f );
    supMakeRods( rods );
    supStepRods( rods, 0.0f );
    double last = 0.0, free = 0.0;
    for ( int32_t k = 1; k <= 5; ++k )
    {
        double move = 0.032 * k; // of the way: the limit is 0.1
        supSetRods( rods, sup_layerMuscles, "swell", 1.0f + (float)( move / 0.8 ) );
        supSetRods( rods, sup_layerEcorche, "limit", 1.0f );
        supStepRods( rods, 0.0f );
        free = supRisen( rods, supMiddleRing, 0 );
        supSetRods( rods, sup_layerEcorche, "limit", 0.1f );
        supStepRods( rods, 0.0f );
        double held = supRisen( rods, supMiddleRing, 0 );
        assert_true( held > last + 1e-4 && held < 0.01 );
        assert_true( k == 1 ? held == free : held < free - 1e-4 );
        last = held;
    }
    supSetRods( rods, sup_layerEcorche, "limit", 0.0f );
    supStepRods( rods, 0.0f );
    assert_memory_equal( rods->skin, rods->smooth, sizeof( rods->skin ) );
    supDropRods( rods );
}

/// The mean way from a vertex of the skin to the rays that it follows, on the middle of "right". Metres
static double supBondReach( const supRods* rods )
{
    const supEcorche* ecorche = rods->ecorche;
    double sum = 0.0, weights = 0.0;
    for ( int32_t i = 0; i < ecorche->skinCount; ++i )
    {
        supVec3 p = rods->smooth[ecorche->skin[i]];
        for ( int32_t k = ecorche->firstBond[i]; k < ecorche->firstBond[i + 1] && fabsf( p.y - 0.5f ) < 0.2f; ++k )
        {
            supVec3 q = rods->smooth[ecorche->vertices[ecorche->bondRays[k]]];
            sum += (double)( ecorche->bondWeights[k] * supDistance( p, q ) );
            weights += (double)ecorche->bondWeights[k];
        }
    }
    assert_true( weights > 0.0 );
    return sum / weights;
}

/// `falloff`: a muscle 40 mm deep moves a wider circle of the skin.
static void supTestFalloff( void** state )
{
    (void)state;
    const float falloffs[2] = { 0.0f, 4.0f };
    double reach[2];
    for ( int32_t k = 0; k < 2; ++k )
    {
        supRods* rods = supOpenRods();
        supAddCylinder( rods, 0.0f, 0.06f );
        rods->ecorcheDef.falloff = falloffs[k];
        supMakeRods( rods );
        supStepRods( rods, 0.0f );
        reach[k] = supBondReach( rods );
        supDropRods( rods );
    }
    print_message( "a ray moves the skin at %.1f mm around it in the mean, with a falloff of 4 at %.1f mm\n",
        1000.0 * reach[0], 1000.0 * reach[1] );
    assert_true( reach[1] > 1.1 * reach[0] );
}

/// Two cylinders side by side. Sharp, the groove between them is that of two circles; soft, it is filled, by no more
/// than the blending width; outside both are where they were. Tendons have a sharpness of their own.
static void supTestSharpness( void** state )
{
    (void)state;
    const double groove = sqrt( 0.05 * 0.05 - 0.03 * 0.03 );
    double filled = 0.0;
    for ( int32_t k = 0; k < 3; ++k )
    {
        supRods* rods = supOpenRods();
        supAddCylinder( rods, -0.03f, 0.05f );
        supAddCylinder( rods, 0.03f, 0.05f );
        for ( int32_t m = 0; m < 2; ++m )
        {
            rods->muscles[m].tendonFrom = 0.5f;
            rods->muscles[m].tendonTo = 0.0f;
            rods->muscles[m].sharpness = k == 0 ? 100.0f : 1.0f;
            rods->muscles[m].tendonSharpness = k == 1 ? 1.0f : 100.0f;
        }
        supMakeRods( rods );
        for ( int32_t half = 0; half < 2; ++half )
        {
            int32_t ring = half == 0 ? 10 : 22; // tendon, belly
            bool sharp = k == 0 || ( k == 2 && half == 0 );
            double at = supOffAxis( supHitAt( rods, ring, SUP_ROD_AROUND / 4 ) );
            filled = k == 1 && half == 0 ? at - groove : filled;
            supAssertNear( supOffAxis( supHitAt( rods, ring, 0 ) ), 0.08, 1e-5 );
            assert_true( sharp ? fabs( at - groove ) < 1e-3 : at > groove + 5e-3 && at < groove + 0.035 );
            assert_true( sharp || fabs( at - groove - filled ) < 1e-4 );
        }
        supDropRods( rods );
    }
}

/// A filler alone: rays meet its ball, and what fills the way beyond it.
static void supTestFiller( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    float size = supCharacter_Info( rods->character )->size;
    supMuscleDef* def = rods->muscles;
    *def = supDefaultMuscleDef();
    rods->muscleCount = 1;
    rods->ball = supDefaultMuscleField();
    rods->ball.joint = "right";
    rods->ball.center = supScale( supMakeVec3( 0.0f, 0.5f, 0.0f ), 1.0f / size );
    rods->ball.radii = supScale( supMakeVec3( 0.08f, 0.1f, 0.08f ), 1.0f / size );
    def->name = "ball";
    def->shape = sup_muscleFiller;
    def->fields = ( supItemList ){ 1, &rods->ball };
    rods->ecorcheDef.filling = 0.3f;
    supMakeRods( rods );
    for ( int32_t around = 0; around < SUP_ROD_AROUND; ++around )
    {
        supAssertNear( supOffAxis( supHitAt( rods, supMiddleRing, around ) ), 0.08, 1e-5 );
        supVec3 hit = supHitAt( rods, supMiddleRing + 2, around );
        supAssertNear( hypot( supOffAxis( hit ) / 0.08, ( (double)hit.y - 0.5 ) / 0.1 ), 1.0, 1e-4 );
        int32_t beyond = supRayAt( rods, sup_rodRight, supMiddleRing + 6, around );
        supAssertNear( (double)rods->ecorche->rest[beyond], 0.3, 1e-4 );
        // it stands for bone: no muscle to be drawn there
        assert_true( rods->ecorche->redness[supRayAt( rods, sup_rodRight, supMiddleRing, around )] == 0.0f );
    }
    supStepRods( rods, 0.0f );
    assert_memory_equal( rods->skin, rods->smooth, sizeof( rods->skin ) );
    supDropRods( rods );
}

/// A muscle acts on the skin of its own joint and the next ones: not on a rod that only stands beside it, however near.
static void supTestBeside( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.09f ); // blends over 63 mm around it: 33 mm deep into the other rod
    rods->ecorcheDef.filling = 0.85f;
    supMakeRods( rods );
    supStepRods( rods, 0.0f );
    supSetRods( rods, sup_layerMuscles, "swell", 1.2f );
    supStepRods( rods, 0.0f );
    size_t half = SUP_ROD_VERTICES * sizeof( supVec3 );
    assert_memory_equal( rods->skin, rods->smooth, half );
    for ( int32_t around = 0; around < SUP_ROD_AROUND; ++around )
    {
        assert_true( supRisen( rods, supMiddleRing, around ) > 0.008 );
        int32_t ray = supRayAt( rods, sup_rodLeft, supMiddleRing, around );
        supAssertNear( (double)rods->ecorche->rest[ray], 0.85, 1e-4 ); // what fills it, alone
    }
    supDropRods( rods );
}

/// Rays that can meet nothing (the surface is 8 times as far as the skin) keep their last place and are counted, each;
/// when it comes back they find it.
static void supTestLost( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.08f );
    supMakeRods( rods );
    supStepRods( rods, 0.0f );
    supSetRods( rods, sup_layerMuscles, "swell", 10.0f );
    supStepRods( rods, 0.0f );
    void* own = rods->body->layers.layers[rods->at].state;
    supEcorcheAudit audit = supAuditEcorche( rods->ecorche, own );
    const uint8_t* lost = supEcorcheLost( rods->ecorche, own );
    int32_t marked = 0;
    for ( int32_t ray = 0; ray < rods->ecorche->rayCount; ++ray )
    {
        marked += lost[ray];
        assert_true( lost[ray] == 0 || supShownOf( rods )[ray] == 0.0f );
    }
    assert_int_equal( audit.lost, marked );
    for ( int32_t i = 10 * SUP_ROD_AROUND; i < 23 * SUP_ROD_AROUND; ++i )
    {
        assert_int_equal( lost[supRayAt( rods, sup_rodRight, i / SUP_ROD_AROUND, i % SUP_ROD_AROUND )], 1 );
    }
    for ( int32_t i = 0; i < 2 * SUP_ROD_VERTICES; ++i )
    {
        assert_true( isfinite( rods->skin[i].x + rods->skin[i].y + rods->skin[i].z ) );
    }
    supSetRods( rods, sup_layerMuscles, "swell", 1.0f );
    supStepRods( rods, 0.0f );
    assert_int_equal( supAuditEcorche( rods->ecorche, own ).lost, 0 );
    supDropRods( rods );
}

/// Contraction reaches the skin: it rises over the belly, and not at the ends.
static void supTestContracted( void** state )
{
    (void)state;
    supRods* rods = supOpenRods();
    supAddCylinder( rods, 0.0f, 0.07f );
    rods->muscles[0].tendonRadius *= 0.6f;
    rods->muscles[0].tendonFrom = rods->muscles[0].tendonTo = 0.25f;
    supMakeRods( rods );
    supStepRods( rods, 0.0f );
    supSetRods( rods, sup_layerMuscles, "contraction", 1.0f );
    supStepRods( rods, 0.0f );
    int32_t middle = supRayAt( rods, sup_rodRight, supMiddleRing, 0 ), end = supRayAt( rods, sup_rodRight, 9, 0 );
    assert_true( supShownOf( rods )[middle] > 0.14f ); // a fifth of 0.7 at least
    assert_true( supShownOf( rods )[end] < 0.01f );
    assert_true( supRisen( rods, supMiddleRing, 0 ) > 0.01 );
    supDropRods( rods );
}

/// A body whose rig was edited has the skin that it had, bit for bit, also while a jump still dies away; and goes on
/// the same.
static void supTestEdited( void** state )
{
    (void)state;
    supRods *a = supOpenRods(), *b = supOpenRods();
    supDestroyCharacter( b->character );
    b->character = a->character;
    supAddCylinder( a, 0.0f, 0.08f );
    supAddCylinder( b, 0.0f, 0.08f );
    supMakeRods( a );
    supMakeRods( b );
    supStepRods( a, 0.0f );
    supSetRods( a, sup_layerMuscles, "swell", 1.15f );
    supSetRods( b, sup_layerMuscles, "swell", 1.15f );
    supStepRods( a, 1.0f / 60.0f ); // 12 mm at once: a jump
    supBody_Adopt( b->body, a->body );
    size_t bytes = (size_t)a->ecorche->rayCount * sizeof( float );
    assert_memory_equal( supShownOf( a ), supShownOf( b ), bytes );
    supBody_Skin( b->body, &b->skin[0].x, NULL );
    assert_memory_equal( a->skin, b->skin, sizeof( a->skin ) );
    double first = supRisen( a, supMiddleRing, 0 ), later = 0.0;
    for ( int32_t k = 0; k < 30; ++k )
    {
        supStepRods( a, 1.0f / 60.0f );
        supStepRods( b, 1.0f / 60.0f );
        assert_memory_equal( supShownOf( a ), supShownOf( b ), bytes );
        later = supRisen( a, supMiddleRing, 0 );
    }
    assert_true( first < 0.5 * later && later > 0.011 );
    supDropModel( b );
    free( b );
    supDropRods( a );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSwells ),
        cmocka_unit_test( supTestLimit ),
        cmocka_unit_test( supTestInward ),
        cmocka_unit_test( supTestFalloff ),
        cmocka_unit_test( supTestSharpness ),
        cmocka_unit_test( supTestFiller ),
        cmocka_unit_test( supTestBeside ),
        cmocka_unit_test( supTestLost ),
        cmocka_unit_test( supTestContracted ),
        cmocka_unit_test( supTestEdited ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
