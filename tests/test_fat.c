// Fat between bones and skin: rigid motion, gravity, the two solvers, frame rates, loops, and what it refuses.
#include "base/math.h"
#include "layers/fat/fat.h"
#include "layers/fat/fat_step.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/lab/compiled.h"
#include "supple/lab/items.h"
#include "support/fat_case.h"
#include "support/limb.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------

/// Standing as modelled nothing moves, bit for bit; nor does it when carried along and turned, without gravity.
static void TestRigidMotion( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    for ( int i = 0; i < 5; ++i )
    {
        supStepFatCase( &c, supMat34_identity, 1.0f / 60.0f );
    }
    assert_true( supLargestFatShift( &c ) == 0.0f );
    assert_true( supBody_IsAtRest( c.body ) );

    // steady travel
    supBody_SetGravity( c.body, supMakeVec3( 0.0f, -9.81f, 0.0f ) );
    supBody_Reset( c.body );
    for ( int i = 0; i < 120; ++i )
    {
        supStepFatCase( &c, supMoved( 0.05f * (float)i, 0.01f * (float)i, 0.0f ), 1.0f / 60.0f );
    }
    assert_true( supLargestFatShift( &c ) < 2e-5f * c.fat->thickest + 1e-6f );

    // any posture, as if it had always been there: with gravity gone the sag of the model is undone the same way
    float wanted = 0.0f;
    for ( int i = 0; i < 6; ++i )
    {
        supMat34 world =
            supTurned( supMakeVec3( 1.0f, 0.3f * (float)i, -0.4f ), 0.9f * (float)i, supMakeVec3( 3.0f, 0.0f, 1.0f ) );
        supBody_Reset( c.body );
        supBody_SetGravity( c.body, supVec3_zero );
        supStepFatCase( &c, world, 0.0f );
        float shift = supLargestFatShift( &c );
        wanted = i == 0 ? shift : wanted;
        assert_true( shift > 0.001f );
        assert_true( supAbsF( shift - wanted ) < 1e-6f );
    }
    supCloseFatCase( &c );
}

/// Gravity that turns with the body leaves the shape as it is: no strain comes of the turn itself.
static void TestTurnWithGravity( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.gravity = sup_gravityPlain;
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    supStepFatCase( &c, supMat34_identity, 0.0f );
    float wanted = supLargestFatShift( &c );
    assert_true( wanted > 0.01f * c.fat->thickest );
    for ( int i = 1; i < 5; ++i )
    {
        supMat34 world = supTurned( supMakeVec3( 0.2f, 1.0f, 0.5f ), 0.7f * (float)i, supVec3_zero );
        supBody_Reset( c.body );
        supBody_SetGravity( c.body, supTransformVector( world, supMakeVec3( 0.0f, -9.81f, 0.0f ) ) );
        supStepFatCase( &c, world, 0.0f );
        assert_true( supAbsF( supLargestFatShift( &c ) - wanted ) < 1e-5f * wanted + 1e-7f );
    }
    supCloseFatCase( &c );
}

/// Few modes and many come to rest at the same shape: what they leave out is added.
static void TestStaticCorrection( void** state )
{
    (void)state;
    float shifts[2], first[2];
    for ( int i = 0; i < 2; ++i )
    {
        supFatDef def = supLimbFat();
        def.modes = i == 0 ? 6.0f : 120.0f;
        def.mu = 20000.0f;
        def.gravity = sup_gravityPlain;
        supFatCase c;
        supOpenFatCase( &c, NULL, &def );
        supBody_SetGravity( c.body, supMakeVec3( -9.81f, 0.0f, 0.0f ) );
        supStepFatCase( &c, supMat34_identity, 0.0f );
        shifts[i] = supLargestFatShift( &c );
        first[i] = c.fat->firstFrequency;
        supCloseFatCase( &c );
    }
    print_message( "sag by 6 modes %.5f m, by 120 %.5f m; %.3f, %.3f Hz\n", shifts[0], shifts[1], first[0], first[1] );
    assert_true( supAbsF( shifts[0] / shifts[1] - 1.0f ) < 0.001f );
    assert_true( supAbsF( first[0] / first[1] - 1.0f ) < 0.01f );
}

/// The same motion at 30, 60 and 240 frames a second.
static float supShaken( supFatCase* c, int fps )
{
    supBody_Reset( c->body );
    for ( int i = 0; i <= fps; ++i )
    {
        float t = (float)i / (float)fps;
        // at rest to begin with; half a swing of 5 cm every quarter of a second
        float x = 0.05f * (float)( 0.5 - 0.5 * cos( 4.0 * SUP_PI * t ) ) * ( t < 0.5f ? 4.0f * t * t : 1.0f );
        supStepFatCase( c, supMoved( x, 0.0f, 0.0f ), i == 0 ? 0.0f : 1.0f / (float)fps );
    }
    return supLargestFatShift( c );
}

static void TestFrameRates( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    float fine = supShaken( &c, 240 );
    print_message(
        "largest shift %.5f m at 240 fps, %.5f at 60, %.5f at 30\n", fine, supShaken( &c, 60 ), supShaken( &c, 30 ) );
    assert_true( fine > 0.02f * c.fat->thickest );
    assert_true( supAbsF( supShaken( &c, 60 ) / fine - 1.0f ) < 0.02f );
    assert_true( supAbsF( supShaken( &c, 30 ) / fine - 1.0f ) < 0.08f );
    supCloseFatCase( &c );
}

/// A swinging limb is pulled outwards: the path's curve is felt, not only its length.
static void TestCircling( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.mu = 60000.0f;
    def.gravity = sup_gravityPlain;
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    supBody_SetGravity( c.body, supVec3_zero );
    // about the z axis, 8 m to the left of the limb: 2.5 rad/s give 50 m/s^2 at the limb, along +x of its own
    for ( int i = 0; i < 240; ++i )
    {
        float angle = 2.5f * (float)i / 120.0f;
        supMat34 world = supTurned( supMakeVec3( 0.0f, 0.0f, 1.0f ), angle, supVec3_zero );
        world.t = supTransformVector( world, supMakeVec3( 8.0f, -0.5f, 0.0f ) );
        supStepFatCase( &c, world, 1.0f / 120.0f );
    }
    float circled = supLargestFatShift( &c );
    supBody_Reset( c.body );
    supBody_SetGravity( c.body, supMakeVec3( 50.0f, 0.0f, 0.0f ) );
    supStepFatCase( &c, supMat34_identity, 0.0f );
    float pulled = supLargestFatShift( &c );
    print_message( "circling %.5f m, the same pull at rest %.5f m\n", circled, pulled );
    assert_true( supAbsF( circled / pulled - 1.0f ) < 0.1f );
    supCloseFatCase( &c );
}

/// One live field of fat, and what it is set to while it swings.
typedef struct supFatEdit
{
    const char* field;
    float value;
    bool physical; ///< the material is given in Pa
    bool atOnce;   ///< it says how much is shown: no motion leads there
} supFatEdit;

/// Two bodies of one model shaken alike, the second with an edit: how far they are apart a short step after it, and at
/// most after that. Metres
static void supEditFat( const supFatEdit* edit, float* jump, float* most )
{
    supFatDef def = supLimbFat();
    def.mu = edit->physical ? 300.0f : def.mu;
    def.nodes = SUP_SLOW_BUILD ? 120.0f : def.nodes;
    supFatCase a, b;
    supOpenFatCase( &a, NULL, &def );
    supOpenFatCase( &b, NULL, &def );
    supFatCase* cases[2] = { &a, &b };
    supError error = { 0 };
    *jump = *most = 0.0f;
    double time = 0.0;
    for ( int i = 0; i < ( SUP_SLOW_BUILD ? 90 : 150 ); ++i )
    {
        bool now = i == 60;
        float dt = i == 0 ? 0.0f : now ? 1.0f / 240.0f : 1.0f / 60.0f;
        time += (double)dt;
        for ( int k = 0; k < 2; ++k )
        {
            if ( now && k == 1 &&
                 supBody_SetField( b.body, sup_layerFat, 0, edit->field, edit->value, &error ) != sup_success )
            {
                fail_msg( "%s", error.text );
            }
            supMat34 world = supTurned( supMakeVec3( 0.0f, 0.0f, 1.0f ), 0.5f * (float)supSin( 12.0 * time ),
                supMakeVec3( 0.03f * (float)supSin( 24.0 * time ), 0.0f, 0.0f ) );
            supStepFatCase( cases[k], world, dt );
            supLargestFatShift( cases[k] );
        }
        float apart = 0.0f;
        for ( int32_t v = 0; v < a.vertexCount; ++v )
        {
            apart = supMaxF( apart, supDistance( a.living[v], b.living[v] ) );
        }
        assert_true( i >= 60 || apart == 0.0f );
        *jump = now ? apart : *jump;
        *most = supMaxF( *most, apart );
    }
    assert_int_equal( supBody_SetField( b.body, sup_layerFat, 0, edit->field, -5.0f, &error ), sup_errorArgument );
    assert_true( supBody_Field( b.body, sup_layerFat, 0, edit->field ) == edit->value );
    supCloseFatCase( &b );
    supCloseFatCase( &a );
}

/// Every live field does something, and none of them at once.
static void TestLive( void** state )
{
    (void)state;
    static const supFatEdit edits[] = {
        { "frequency", 6.0f, false, false },
        { "mu", 900.0f, false, false },
        { "density", 3000.0f, true, false },
        { "dampingRatio", 0.8f, false, false },
        { "viscosity", 1.0f, false, false },
        { "amount", 0.3f, false, false },
        { "gravity", (float)sup_gravityPlain, false, false },
        { "sag", 0.3f, false, false },
        { "limit", 0.02f, false, true },
        { "keepVolume", 0.0f, false, true },
        { "tension", 1.0f, false, false },
    };
    const supLayerInfo* info = supGetLayerInfo( sup_layerFat );
    for ( int32_t i = 0; i < info->fieldCount; ++i )
    {
        const supFatEdit* edit = NULL;
        for ( size_t k = 0; k < sizeof( edits ) / sizeof( edits[0] ); ++k )
        {
            edit = strcmp( edits[k].field, info->fields[i].name ) == 0 ? edits + k : edit;
        }
        // muscleTension needs muscles: test_fat_tension has it
        bool elsewhere = strcmp( info->fields[i].name, "muscleTension" ) == 0;
        assert_true( ( edit != NULL || elsewhere ) == info->fields[i].live );
        if ( edit != NULL )
        {
            float jump, most;
            supEditFat( edit, &jump, &most );
            print_message( "%s: %.3f mm apart after 1/240 s, %.3f mm at most\n", edit->field, 1e3 * jump, 1e3 * most );
            assert_true( most > 2e-4f );
            assert_true( edit->atOnce || jump < 0.15f * most );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The paper's breast

/// Gravity is switched on, and after two seconds the shape is at rest: by vibrations and by explicit steps.
static void TestSolversAgree( void** state )
{
    (void)state;
    supSphere balls[2];
    float sags[2];
    for ( int i = 0; i < 2; ++i )
    {
        supFatDef def = supTorsoBreasts( balls );
        def.nodes = SUP_SLOW_BUILD ? 100.0f : 300.0f;
        def.solver = i == 0 ? sup_fatLive : sup_fatReference;
        def.dampingRatio = 0.5f;
        supFatCase c;
        supOpenFatCase( &c, "torso", &def );
        supBody_SetGravity( c.body, supVec3_zero );
        supStepFatCase( &c, supMat34_identity, 0.0f );
        assert_true( supLargestFatShift( &c ) == 0.0f );
        supBody_SetGravity( c.body, supMakeVec3( 0.0f, -9.81f, 0.0f ) );
        for ( int n = 0; n < 90; ++n )
        {
            supStepFatCase( &c, supMat34_identity, 1.0f / 60.0f );
        }
        sags[i] = supLargestFatShift( &c );
        supCloseFatCase( &c );
    }
    print_message( "sag at rest: live %.6f m, reference %.6f m\n", sags[0], sags[1] );
    assert_true( sags[0] > 0.002f );
    assert_true( supAbsF( sags[0] / sags[1] - 1.0f ) < 0.02f );
}

/// Two hops make a cycle: its end returns to its start.
static void TestLoop( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = 200.0f;
    supFatCase c;
    supOpenFatCase( &c, "torso", &def );
    supTakeDef take = supDefaultTakeDef();
    supTake* made = NULL;
    supError error = { 0 };
    take.model = c.model;
    take.clip = supCharacter_FindClip( c.character, "hop" );
    if ( supCreateTake( &take, &made, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supTakeInfo info = supTake_Info( made );
    assert_true( info.loops );
    assert_true( info.layerGap < 1e-3f );
    supDestroyTake( made );
    supCloseFatCase( &c );
}

/// A preset makes it slower, livelier and freer; the natural one is what supProposeFat gives, to the bit.
static void TestPresets( void** state )
{
    (void)state;
    supCreature* creature;
    assert_int_equal( supCreateCreature( "woman", NULL, &creature, NULL ), sup_success );
    const supCharacter* woman = supCreature_Character( creature );
    float last = 0.0f;
    for ( int preset = sup_presetSubtle; preset <= sup_presetCartoon + 1; ++preset )
    {
        supRig *plain, *rig;
        supError error = { 0 };
        assert_int_equal( supCreateRig( NULL, &plain, NULL ), sup_success );
        assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
        supResult result = supProposeFatAs( woman, (supPreset)preset, NULL, rig, &error );
        assert_int_equal( result, preset <= sup_presetCartoon ? sup_success : sup_errorData );
        assert_int_equal( supProposeFat( woman, NULL, plain, NULL ), sup_success );
        const supFatDef* natural = supRig_Item( plain, sup_layerFat, 0 );
        const supFatDef* own = result == sup_success ? supRig_Item( rig, sup_layerFat, 0 ) : natural;
        bool same = own->frequency == natural->frequency && own->amount == natural->amount &&
                    own->dampingRatio == natural->dampingRatio && own->limit == natural->limit &&
                    ( own->sag == natural->sag || ( own->sag != own->sag && natural->sag != natural->sag ) );
        assert_true( same == ( preset == sup_presetNatural || result != sup_success ) );
        assert_true( result != sup_success || own->amount / own->frequency > last );
        last = own->amount / own->frequency;
        supDestroyRig( rig );
        supDestroyRig( plain );
    }
    supDestroyCreature( creature );
}

/// With muscles it stands on the écorché.
static void TestOnMuscles( void** state )
{
    (void)state;
    supError error = { 0 };
    supCreature* creature;
    supRig* rig;
    supModel* model = NULL;
    supFatView view = { 0 };
    assert_int_equal( supCreateCreature( "woman", NULL, &creature, &error ), sup_success );
    const supCharacter* woman = supCreature_Character( creature );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supProposeMuscles( woman, NULL, rig, NULL, &error ), sup_success );
    assert_int_equal( supProposeFat( woman, NULL, rig, &error ), sup_success );
    if ( supCompileModel( woman, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_true( supModel_Fat( model, 0, &view ) );
    assert_true( view.onMuscles );
    assert_true( view.anchoredCount > 100 && view.vertexCount > 500 );
    assert_false( supModel_Fat( model, 1, &view ) );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}

// ---------------------------------------------------------------------------------------------------------------
// What it refuses

static void supRefuses( const supCharacter* character, const supFatDef* def, const char* words )
{
    supError error = { 0 };
    supModel* model = supCompileFatRig( character, def, &error );
    if ( model != NULL || strstr( error.text, words ) == NULL )
    {
        supDestroyModel( model );
        fail_msg( "wanted \"%s\", got \"%s\"", words, error.text );
    }
}

static void TestRefusals( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supFatDef def = supLimbFat();
    def.voxel = 0.4f;
    supRefuses( limb, &def, "do not fit between the borders" );
    def.voxel = 2e-5f;
    supRefuses( limb, &def, "the grid would have" );
    def = supLimbFat();
    def.mu = -1.0f;
    supRefuses( limb, &def, "fat[0].mu: -1 is below" );
    def = supLimbFat();
    def.lambda = 0.0f;
    supRefuses( limb, &def, "fat[0].lambda: 0 is below" );
    def = supLimbFat();
    const char* names[] = { "bonne" };
    def.joints = ( supNameList ){ 1, names };
    supRefuses( limb, &def, "did you mean \"bone\"" );
    def = supLimbFat();
    supSphere ball = { { 5.0f, 0.0f, 0.0f }, 0.1f };
    def.spheres = ( supSphereList ){ 1, &ball };
    supRefuses( limb, &def, "fat between the borders" );
    def = supLimbFat();
    def.meshes = ( supNameList ){ 1, names };
    supRefuses( limb, &def, "no mesh \"bonne\"" );
    supDestroyCharacter( limb );

    // a pose that is not a number is refused before it gets here: the state is as it was
    def = supLimbFat();
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    supShaken( &c, 60 );
    float before = supLargestFatShift( &c );
    supMat34 joints[3];
    memcpy( joints, supFatCaseRest( &c ), sizeof( joints ) );
    joints[1].t.x = NAN;
    assert_int_not_equal( supBody_Step( c.body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
    assert_true( supLargestFatShift( &c ) == before );
    supCloseFatCase( &c );
}

/// Whatever allocation fails, it says so and leaks nothing.
static void TestNoMemory( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supFatDef def = supLimbFat();
    def.nodes = 60.0f;
    def.modes = 4.0f;
    const void* items[1] = { &def };
    def.name = "fat";
    supTestAllocator counter = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counter );
    supLayerContext context = { .character = limb, .allocator = &allocator, .gravity = { 0.0f, -9.81f, 0.0f } };
    void* compiled = NULL;
    supError error;
    assert_int_equal( supCompileFats( &context, items, 1, &compiled, &error ), sup_success );
    supDestroyFats( compiled, &allocator );
    assert_int_equal( counter.live, 0 );
    int32_t calls = counter.calls;
    int32_t rare = SUP_SLOW_BUILD ? calls / 16 + 1 : calls / 40 + 1;
    for ( int32_t at = 0; at < calls; at += at < 40 ? 1 : rare )
    {
        counter = ( supTestAllocator ){ .failAt = at };
        assert_int_equal( supCompileFats( &context, items, 1, &compiled, &error ), sup_errorMemory );
        assert_null( compiled );
        assert_int_equal( counter.live, 0 );
    }
    supDestroyCharacter( limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestRigidMotion ),
        cmocka_unit_test( TestTurnWithGravity ),
        cmocka_unit_test( TestStaticCorrection ),
        cmocka_unit_test( TestFrameRates ),
        cmocka_unit_test( TestCircling ),
        cmocka_unit_test( TestLive ),
        cmocka_unit_test( TestSolversAgree ),
        cmocka_unit_test( TestLoop ),
        cmocka_unit_test( TestPresets ),
        cmocka_unit_test( TestOnMuscles ),
        cmocka_unit_test( TestRefusals ),
        cmocka_unit_test( TestNoMemory ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
