// Muscles that tense stiffen the fat above them, and no other.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/fat/fat_step.h"
#include "rig/layer_list.h"
#include "solve/dense.h"
#include "supple/lab/states.h"
#include "support/fat_case.h"
#include "support/limb.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// A limb with fat around muscles that run along its bone, from height to height.
typedef struct supTenseCase
{
    supCharacter* limb;
    supModel* model;
    supBody* body;
    const supFat* fat;
    bool borrowed; ///< the limb is another one's
    float* moved;  ///< of the free nodes, as supFatDisplacements gives them
} supTenseCase;

/// Heights in metres.
typedef struct supTenseMuscle
{
    const char* name;
    float from, to;
} supTenseMuscle;

static const supTenseMuscle supWhole = { "lower", 0.02f, 0.98f }, supLower = { "lower", 0.02f, 0.48f },
                            supUpper = { "upper", 0.52f, 0.98f };

static void supAddMuscle( supRig* rig, const supTenseMuscle* muscle, float size )
{
    supMuscleDef def = supDefaultMuscleDef();
    supMusclePoint points[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
    supError error = { 0 };
    for ( int i = 0; i < 2; ++i )
    {
        points[i].joint = "bone";
        points[i].at = supMakeVec3( 0.0f, ( i == 0 ? muscle->from : muscle->to ) / size, 0.0f );
    }
    def.name = muscle->name;
    def.points = ( supItemList ){ 2, points };
    def.radius = 0.02f / size;
    def.tendonRadius = 0.015f / size;
    if ( supRig_AddItem( rig, sup_layerMuscles, &def, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

/// One or two muscles, on the limb of another case if that is not NULL.
static void supOpenTenseOn( supTenseCase* c, const supTenseCase* other, const supTenseMuscle* first,
    const supTenseMuscle* second, supFatDef def )
{
    supRig* rig;
    supError error = { 0 };
    *c = ( supTenseCase ){ .limb = other != NULL ? other->limb : supMakeLimbCharacter( 1.0f, false ),
        .borrowed = other != NULL };
    float size = supCharacter_Info( c->limb )->size;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supAddMuscle( rig, first, size );
    if ( second != NULL )
    {
        supAddMuscle( rig, second, size );
    }
    if ( supRig_AddItem( rig, sup_layerFat, &def, &error ) != sup_success ||
         supCompileModel( c->limb, rig, &c->model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    assert_int_equal( supCreateBody( c->model, &c->body, NULL ), sup_success );
    const supStack* stack = &c->model->stack;
    c->fat = ( (const supFats*)stack->layers[supStack_Find( stack, sup_layerFat )].compiled )->fats;
    c->moved = malloc( sizeof( float ) * c->fat->rowSize );
}

static void supOpenTense( supTenseCase* c, int muscles, supFatDef def )
{
    supOpenTenseOn( c, NULL, muscles == 1 ? &supWhole : &supLower, muscles == 1 ? NULL : &supUpper, def );
}

static void supCloseTense( supTenseCase* c )
{
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCharacter( c->borrowed ? NULL : c->limb );
    free( c->moved );
}

static void supContract( supTenseCase* c, int32_t muscle, float contraction )
{
    assert_int_equal(
        supBody_SetField( c->body, sup_layerMuscles, muscle, "contraction", contraction, NULL ), sup_success );
}

static void supStepTense( supTenseCase* c, float dt )
{
    assert_int_equal(
        supBody_Step( c->body, supCharacter_Info( c->limb )->restJoints, supMat34_identity, dt ), sup_success );
    int32_t place = supStack_Find( &c->model->stack, sup_layerFat );
    supFatDisplacements( c->fat, c->body->layers.layers[place].shown, 100.0f, c->moved );
}

/// The largest shift of nodes between two heights.
static float supShiftBetween( const supTenseCase* c, float low, float high )
{
    float largest = 0.0f;
    for ( int32_t i = 0; i < c->fat->nodeCount; ++i )
    {
        int32_t own = c->fat->freeOf[i];
        if ( own >= 0 && c->fat->places[i].y > low && c->fat->places[i].y < high )
        {
            const float* u = c->moved + 3 * (size_t)own;
            largest = supMaxF( largest, supSqrtF( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] ) );
        }
    }
    return largest;
}

/// Sanitizers are slow, and vibrations are found anew in every step while tension changes.
static const float supModes = SUP_SLOW_BUILD ? 20.0f : 48.0f;

static supFatDef supTenseFat( float modes )
{
    supFatDef def = supLimbFat();
    def.gravity = sup_gravityPlain;
    def.limit = 10.0f;
    def.mu = 2000.0f;
    def.modes = modes;
    return def;
}

static float supSagAcross( supTenseCase* c, float low, float high )
{
    supBody_Reset( c->body );
    supBody_SetGravity( c->body, supMakeVec3( 9.81f, 0.0f, 0.0f ) );
    supStepTense( c, 0.0f );
    return supShiftBetween( c, low, high );
}

/// One muscle below everything, contracted: the same as `tension`, which stiffens everything, by another road.
static void TestAllOfIt( void** state )
{
    (void)state;
    supTenseCase c;
    supOpenTense( &c, 1, supTenseFat( 64.0f ) );
    float loose = supSagAcross( &c, 0.0f, 1.0f );
    supContract( &c, 0, 1.0f );
    float tense = supSagAcross( &c, 0.0f, 1.0f );
    supContract( &c, 0, 0.0f );
    assert_int_equal( supBody_SetField( c.body, sup_layerFat, 0, "tension", 1.0f, NULL ), sup_success );
    float all = supSagAcross( &c, 0.0f, 1.0f );
    print_message( "sag %.4f mm, muscle contracted %.4f mm, tension %.4f mm\n", 1e3 * loose, 1e3 * tense, 1e3 * all );
    assert_true( supAbsF( 4.0f * all / loose - 1.0f ) < 1e-3f );
    assert_true( supAbsF( tense / all - 1.0f ) < 0.02f );
    supCloseTense( &c );
}

/// Three times the stiffness of all voxels in the lower half, times x: written down anew. The voxels are all alike.
static void supStiffenLower( const double* x, double* out, void* user )
{
    const supFat* fat = user;
    supElasticMaterial material = { 2000.0, 200.0 * 2000.0, 0.0 };
    supVec3d places[supHexCorners], none = { 0.0, 0.0, 0.0 };
    double stiffness[supHexSize * supHexSize];
    for ( int c = 0; c < supHexCorners; ++c )
    {
        places[c] = supToDouble( fat->places[fat->corners[c]] );
    }
    assert_true( supHexStiffness( places, &material, none, stiffness ) );
    for ( int32_t e = 0; e < fat->elementCount; ++e )
    {
        const int32_t* corners = fat->corners + supHexCorners * (size_t)e;
        if ( fat->places[corners[0]].y + fat->places[corners[7]].y > 1.0f )
        {
            continue;
        }
        for ( int i = 0; i < supHexSize * supHexSize; ++i )
        {
            int32_t row = fat->freeOf[corners[i / supHexSize / 3]], column = fat->freeOf[corners[i % supHexSize / 3]];
            if ( row >= 0 && column >= 0 )
            {
                out[3 * row + i / supHexSize % 3] +=
                    3.0 * fat->stiffs[e] * stiffness[i] * x[3 * column + i % supHexSize % 3];
            }
        }
    }
}

/// Of two muscles one contracts: what lies above it sags less, the rest as before; as the solid does whose voxels there
/// are four times as stiff, solved here by gradients.
static void TestAbove( void** state )
{
    (void)state;
    supTenseCase c, truth;
    supOpenTense( &c, 2, supTenseFat( supModes ) );
    supFatDef def = supTenseFat( 4.0f );
    def.solver = sup_fatReference;
    supOpenTense( &truth, 2, def );
    float below = supSagAcross( &c, 0.1f, 0.3f ), above = supSagAcross( &c, 0.7f, 0.9f );
    supContract( &c, 0, 1.0f );
    float sag = supSagAcross( &c, 0.1f, 0.3f ), other = supSagAcross( &c, 0.7f, 0.9f );

    size_t count = 3 * (size_t)truth.fat->freeCount;
    double *f = calloc( 2 * count, sizeof( double ) ), *u = f + count;
    for ( size_t i = 0; i < count; i += 3 )
    {
        f[i] = 9.81 * truth.fat->elastic->masses[i / 3];
    }
    supSolveByGradients( truth.fat->elastic, supStiffenLower, (void*)truth.fat, f, u );
    for ( size_t i = 0; i < count; ++i )
    {
        truth.moved[i] = (float)u[i];
    }
    float trueSag = supShiftBetween( &truth, 0.1f, 0.3f ), trueOther = supShiftBetween( &truth, 0.7f, 0.9f );
    supContract( &truth, 0, 1.0f );
    float own = supSagAcross( &truth, 0.1f, 0.3f ), ownOther = supSagAcross( &truth, 0.7f, 0.9f );
    print_message( "by the reference %.3f and %.3f mm\n", 1e3 * (double)own, 1e3 * (double)ownOther );
    assert_true( supAbsF( own / trueSag - 1.0f ) < 0.01f && supAbsF( ownOther / trueOther - 1.0f ) < 0.01f );
    print_message( "sag above the tense muscle %.3f -> %.3f mm (stiffer voxels: %.3f), above the other %.3f -> %.3f "
                   "(%.3f)\n",
        1e3 * below, 1e3 * sag, 1e3 * trueSag, 1e3 * above, 1e3 * other, 1e3 * trueOther );
    assert_true( supAbsF( sag / trueSag - 1.0f ) < 0.03f );
    assert_true( supAbsF( other / trueOther - 1.0f ) < 0.03f && supAbsF( trueOther / above - 1.0f ) < 0.03f );
    free( f );
    supCloseTense( &c );
    supCloseTense( &truth );
}

/// Crossings of zero by the sideways mean of nodes between two heights, in three seconds after gravity is gone.
static int supSwings( supTenseCase* c, float low, float high )
{
    supSagAcross( c, low, high );
    supBody_SetGravity( c->body, supVec3_zero );
    int crossings = 0;
    float before = 1.0f;
    for ( int n = 0; n < 720; ++n )
    {
        supStepTense( c, 1.0f / 240.0f );
        float sum = 0.0f;
        for ( int32_t i = 0; i < c->fat->nodeCount; ++i )
        {
            bool within = c->fat->freeOf[i] >= 0 && c->fat->places[i].y > low && c->fat->places[i].y < high;
            sum += within ? c->moved[3 * (size_t)c->fat->freeOf[i]] : 0.0f;
        }
        crossings += sum * before < 0.0f;
        before = sum;
    }
    return crossings;
}

static void TestFrequency( void** state )
{
    (void)state;
    supFatDef def = supTenseFat( supModes );
    def.mu = 300.0f;
    def.dampingRatio = 0.01f;
    supTenseCase c;
    supOpenTense( &c, 2, def );
    int loose = supSwings( &c, 0.1f, 0.3f ), other = supSwings( &c, 0.7f, 0.9f );
    supContract( &c, 0, 1.0f );
    int tense = supSwings( &c, 0.1f, 0.3f ), after = supSwings( &c, 0.7f, 0.9f );
    print_message(
        "half swings in 3 s: %d -> %d above the tense muscle, %d -> %d above the other\n", loose, tense, other, after );
    // four times as stiff swings twice as fast
    assert_true( loose > 8 && abs( tense - 2 * loose ) <= 2 + loose / 5 );
    assert_true( abs( after - other ) <= 1 + other / 10 );
    supCloseTense( &c );
}

/// Tension that comes at once moves nothing at once; held, the fat comes to rest, and goes back when it is gone.
static void TestComesAndGoes( void** state )
{
    (void)state;
    supFatDef def = supTenseFat( supModes );
    def.gravity = sup_gravityRelative;
    supTenseCase c;
    supOpenTense( &c, 2, def );
    for ( int i = 0; i < 5; ++i )
    {
        supStepTense( &c, 1.0f / 60.0f );
    }
    assert_true( supShiftBetween( &c, 0.0f, 1.0f ) == 0.0f );
    supContract( &c, 0, 1.0f );
    supStepTense( &c, 1e-4f );
    float first = supShiftBetween( &c, 0.0f, 1.0f );
    for ( int i = 0; i < 400; ++i )
    {
        supStepTense( &c, 1.0f / 60.0f );
    }
    // the model holds its sag: tense, the fat is pulled up out of it
    float held = supShiftBetween( &c, 0.1f, 0.3f ), other = supShiftBetween( &c, 0.7f, 0.9f );
    print_message( "lifted by %.4f mm above the tense muscle, %.4f mm above the other\n", 1e3 * held, 1e3 * other );
    assert_true( held > 1e-4f && first < 0.02f * held && other < 0.05f * held );
    supContract( &c, 0, 0.0f );
    for ( int i = 0; i < 600; ++i )
    {
        supStepTense( &c, 1.0f / 60.0f );
    }
    assert_true( supShiftBetween( &c, 0.0f, 1.0f ) < 1e-3f * held );
    supCloseTense( &c );
}

/// What a muscle adds to the stiffness, as it is shown.
static float supTensionBy( const supTenseCase* c, int32_t muscle )
{
    const float* shown = c->body->layers.layers[supStack_Find( &c->model->stack, sup_layerFat )].shown;
    int32_t t = 0;
    while ( t < c->fat->tenseCount && c->fat->tenseParts[t] != muscle )
    {
        ++t;
    }
    assert_true( t < c->fat->tenseCount );
    return shown[c->fat->tensionsAt + t];
}

/// Taken over by a model that has lost a muscle, has them in another order, or calls one otherwise: each goes on as
/// tense as it was. (Found: they were matched by their places.)
static void TestOtherMuscles( void** state )
{
    (void)state;
    static const supTenseMuscle renamed = { "other", 0.02f, 0.48f };
    const struct
    {
        const supTenseMuscle *first, *second;
        int32_t upper, lower;
    } edits[3] = { { &supUpper, NULL, 0, -1 }, { &supUpper, &supLower, 0, 1 }, { &renamed, &supUpper, 1, 0 } };
    supTenseCase before, after;
    supFatDef def = supTenseFat( supModes );
    supOpenTense( &before, 2, def );
    supContract( &before, 0, 0.25f );
    supContract( &before, 1, 1.0f );
    supStepTense( &before, 0.0f );
    assert_true( supTensionBy( &before, 0 ) == 0.75f && supTensionBy( &before, 1 ) == 3.0f );
    for ( int i = 0; i < 3; ++i )
    {
        supOpenTenseOn( &after, &before, edits[i].first, edits[i].second, def );
        supBody_Adopt( after.body, before.body );
        assert_true( supTensionBy( &after, edits[i].upper ) == 3.0f );
        assert_true( edits[i].lower < 0 || supTensionBy( &after, edits[i].lower ) == 0.75f );
        supCloseTense( &after );
    }
    supCloseTense( &before );
}

/// A v = value v, and vectors at right angles, of matrices that are full, diagonal, and of equal values.
static void TestEigenvectors( void** state )
{
    (void)state;
    enum
    {
        n = 24
    };
    static double a[n * n], kept[n * n], values[n], vectors[n * n], scratch[3 * n];
    for ( int kind = 0; kind < 3; ++kind )
    {
        for ( int i = 0; i < n * n; ++i )
        {
            int r = i / n, k = i % n;
            double full = cos( 0.7 * ( r + 1 ) * ( k + 1 ) ) + ( r == k ? 5.0 * r : 0.0 );
            kept[i] = a[i] = kind == 0 ? full : kind == 1 ? ( r == k ? 3.0 + r : 0.0 ) : ( r == k ? 2.0 : 0.0 );
        }
        supSymmetricQl( n, a, values, vectors, scratch );
        for ( int i = 0; i < n * n; ++i )
        {
            double image = 0.0, dot = 0.0;
            for ( int k = 0; k < n; ++k )
            {
                image += kept[i % n * n + k] * vectors[i / n * n + k];
                dot += vectors[i / n * n + k] * vectors[i % n * n + k];
            }
            assert_true( fabs( image - values[i / n] * vectors[i] ) < 1e-11 );
            assert_true( fabs( dot - ( i / n == i % n ? 1.0 : 0.0 ) ) < 1e-12 );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestOtherMuscles ),
        cmocka_unit_test( TestEigenvectors ),
        cmocka_unit_test( TestAllOfIt ),
        cmocka_unit_test( TestAbove ),
        cmocka_unit_test( TestFrequency ),
        cmocka_unit_test( TestComesAndGoes ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
