// Flesh that turns, in files: helper joints carry its rotation. The independent evaluator plays them, the take says
// where the flesh should be.
#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/creatures.h"
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "support/bake_bar.h"
#include "support/baked_file.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char sup_folder[256];

static int supSetUp( void** state )
{
    (void)state;
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    return 0;
}

static int supTearDown( void** state )
{
    (void)state;
    supRemoveTestFolder( sup_folder );
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Rigs

static supModeDef supModeNamed( const char* name, const char* element, supModeMotion motion, supModePattern pattern )
{
    supModeDef def = supDefaultModeDef();
    def.name = name;
    def.element = element;
    def.motion = motion;
    def.pattern = pattern;
    def.frequency = 4.0f;
    def.dampingRatio = 0.2f;
    return def;
}

static void supAddMode( supRig* rig, supModeDef def )
{
    supError error = { 0 };
    if ( supRig_AddItem( rig, sup_layerModes, &def, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

/// Every kind of mode on one element: two even turns (one of them a twist), an even shift, a rocking shift, and a twist
/// of the ends against one another.
static void supAddAllModes( supRig* rig, const char* element )
{
    supModeDef twist = supModeNamed( "twist", element, sup_modeTurn, sup_patternEven );
    twist.direction = supMakeVec3( 0.0f, 1.0f, 0.0f );
    twist.frequency = 6.0f;
    supAddMode( rig, supModeNamed( "tilt", element, sup_modeTurn, sup_patternEven ) );
    supAddMode( rig, twist );
    supAddMode( rig, supModeNamed( "shift", element, sup_modeShift, sup_patternEven ) );
    supAddMode( rig, supModeNamed( "rock", element, sup_modeShift, sup_patternAlong ) );
    supAddMode( rig, supModeNamed( "wring", element, sup_modeTurn, sup_patternAlong ) );
}

/// The bar of another test, its model with modes: every kind, or one turn.
static void supBuildTurningBar( supBar* bar, bool all )
{
    supBuildBar( bar );
    supDestroyModel( bar->model );
    supRig* rig = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &bar->element, &error ), sup_success );
    if ( all )
    {
        supAddAllModes( rig, bar->element.name );
    }
    else
    {
        supAddMode( rig, supModeNamed( "turn", bar->element.name, sup_modeTurn, sup_patternEven ) );
    }
    if ( supCompileModel( bar->character, rig, &bar->model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
}

static supJointBake* supBakeBar( const supBar* bar, supTake* take, float fps, supKeyForm keys )
{
    const supTake* takes[1] = { take };
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = bar->model;
    def.takeCount = 1;
    def.takes = takes;
    def.fps = fps;
    def.keys = keys;
    def.influences = 8;
    supJointBake* bake = NULL;
    supError error = { 0 };
    if ( supBakeJoints( &def, &bake, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return bake;
}

static void supSway( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[0] = 0.1 * sin( 2.0 * SUP_PI * time );
    rotation[0] = 0.2 * sin( 2.0 * SUP_PI * time );
    rotation[1] = 0.3 * cos( 4.0 * SUP_PI * time );
}

static void supSwayForward( double time, double translation[3], double rotation[3], const void* user )
{
    supSway( time, translation, rotation, user );
    translation[2] += 2.0 * time;
}

static void supSwayRound( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[1] = 0.1 * sin( 2.0 * SUP_PI * time ); // along the axis: sideways the seam would be a blow
    rotation[1] = 0.7 * time + 0.2 * sin( 2.0 * SUP_PI * time );
}

// ---------------------------------------------------------------------------------------------------------------
// Files, by the independent evaluator

/// What is baked.
typedef struct supTurningCase
{
    const char* what;
    supKeyForm keys;
    bool alone;    ///< the rig's first element alone: no vertex needs more than twice its joints
    bool all;      ///< every kind of mode on it, not one turn
    double atKeys; ///< allowed. Share of the size
} supTurningCase;

/// Bakes `in` with the automatic rig and modes on its first element.
static supBakedFile supBakeTurning( const char* in, const supTurningCase* of )
{
    static char out[512];
    supCharacter* character = NULL;
    supGltf* document = NULL;
    supRig *found = NULL, *rig = NULL;
    supError error = { 0 };
    snprintf( out, sizeof( out ), "%s/baked.glb", sup_folder );
    assert_int_equal( supOpenGltf( in, ( supLog ){ 0 }, &document, &error ), sup_success );
    assert_int_equal( supGltf_Character( document, NULL, &character, &error ), sup_success );
    supCloseGltf( document );
    assert_int_equal( supProposeRig( character, sup_presetNatural, &found, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    for ( int32_t e = 0; e < ( of->alone ? 1 : supRig_ElementCount( found ) ); ++e )
    {
        assert_int_equal( supRig_AddElement( rig, supRig_Element( found, e ), &error ), sup_success );
    }
    supDestroyRig( found );
    const char* element = supRig_Element( rig, 0 )->name;
    if ( of->all )
    {
        supAddAllModes( rig, element );
    }
    else
    {
        supAddMode( rig, supModeNamed( "turn", element, sup_modeTurn, sup_patternEven ) );
    }
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    def.rig = rig;
    def.keys = of->keys;
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    return baked;
}

/// How much of the living skin is turning: the largest rotation of any helper in any clip. Radians
static double supLargestTurn( const supJointBake* bake )
{
    double largest = 0.0;
    for ( int32_t c = 0; c < supJointBake_Info( bake )->clipCount; ++c )
    {
        supBakedClip clip = supJointBake_Info( bake )->clips[c];
        int32_t parts = clip.keys == sup_keysCubic ? 3 : 1;
        for ( int32_t k = 0; k < clip.keyCount * supJointBake_Info( bake )->turningCount; ++k )
        {
            const float* q = clip.rotations + 4 * ( parts * k + parts / 2 );
            double sine = sqrt( (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] );
            largest = fmax( largest, 2.0 * atan2( sine, fabs( (double)q[3] ) ) );
        }
    }
    return largest;
}

static void supJudgeTurning( const char* in, const supTurningCase* of )
{
    supBakedFile baked = supBakeTurning( in, of );
    supBakeErrors errors = supBakedFile_Judge( &baked, 4, SUP_SLOW_BUILD ? 37 : 3 );
    double turn = supLargestTurn( baked.joints );
    print_message( "%s, %s, %s keys: %.2g of the size at keys, %.2g between; largest turn %.2g rad; %d of %d helpers "
                   "turn, %d vertices fitted\n",
        of->what, of->all ? "all kinds of modes" : "one turn", of->keys == sup_keysCubic ? "cubic" : "linear",
        errors.atKeys, errors.between, turn, supJointBake_Info( baked.joints )->turningCount,
        supJointBake_Info( baked.joints )->helperCount, supJointBake_Info( baked.joints )->refittedCount );
    assert_true( turn > 0.02 );
    assert_true( errors.atKeys <= of->atKeys );
    assert_true( errors.between <= 5e-4 );
    supDropBakedFile( &baked );
}

/// The built-in cat, written to a file and baked from there. With normals, and more than one mesh.
static void supTestCatFile( void** state )
{
    (void)state;
    char in[512];
    supCreature* cat = NULL;
    supError error = { 0 };
    snprintf( in, sizeof( in ), "%s/cat.glb", sup_folder );
    assert_int_equal( supCreateCreature( "cat", NULL, &cat, &error ), sup_success );
    assert_int_equal( supSaveGltf( supCreature_Character( cat ), supCreature_Look( cat ), in, &error ), sup_success );
    supDestroyCreature( cat );
    static const supTurningCase cases[] = {
        { "cat's first element", sup_keysLinear, true, false, 1e-5 },
        { "cat's first element", sup_keysLinear, true, true, 5e-4 }, // some need nine influences
        { "cat", sup_keysLinear, false, false, 5e-4 },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supJudgeTurning( in, cases + i );
    }
}

static void supTestFoxFile( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512];
    assert_true( supTestAssetPath( "khronos_fox/glTF-Binary/Fox.glb", in, sizeof( in ) ) );
    static const supTurningCase cases[] = { { "fox", sup_keysLinear, false, false, 1e-5 },
        { "fox", sup_keysCubic, false, false, 1e-5 } };
    supJudgeTurning( in, cases );
    supJudgeTurning( in, cases + 1 );
}

// ---------------------------------------------------------------------------------------------------------------
// Loops

/// The largest difference of any vertex from a body that has walked for long, all along the cycle. Metres
static double supFromLongWalk( const supBar* bar, const supTake* take )
{
    static supVec3 walked[SUP_BAR_MOMENTS][SUP_BAR_VERTICES];
    supWalkBar( bar, walked );
    supBody* body = NULL;
    supPose* pose = NULL;
    assert_int_equal( supCreateBody( bar->model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar->character, NULL, &pose, NULL ), sup_success );
    supBody_SetExact( body, true );
    double worst = 0.0;
    for ( int k = 1; k <= SUP_BAR_MOMENTS; ++k )
    {
        supVec3 living[SUP_BAR_VERTICES];
        double time = (double)k / SUP_BAR_MOMENTS;
        supPose_Sample( pose, 0, time );
        assert_int_equal( supTake_Show( take, time, supPose_Joints( pose ), body ), sup_success );
        supBody_Skin( body, &living[0].x, NULL );
        for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
        {
            worst = fmax( worst, (double)supDistance( living[v], walked[k - 1][v] ) );
        }
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return worst;
}

/// Cycles in place, with root motion and with a turn: the first and the last keys are the same, and they are the cycle
/// that a body comes to which walks on and on.
static void supTestTurningLoops( void** state )
{
    (void)state;
    supBarMotion* const motions[3] = { supSway, supSwayForward, supSwayRound };
    static const char* const words[3] = { "in place", "root motion", "turning" };
    for ( int m = 0; m < 3; ++m )
    {
        supBar bar;
        supInitBar( &bar );
        bar.root = motions[m];
        bar.clipName = "walk";
        bar.fps = 960.0; // so that straight lines between keys, which the walk feels, are the motion itself
        bar.blended = true;
        supBuildTurningBar( &bar, true );
        supTake* take = supBarTake( &bar, sup_loopOn, sup_endsFree );
        supJointBake* bake = supBakeBar( &bar, take, 30.0f, sup_keysLinear );
        supBakedClip clip = supJointBake_Info( bake )->clips[0];
        double seam = 0.0;
        for ( int32_t h = 0; h < supJointBake_Info( bake )->helperCount; ++h )
        {
            const float* first = clip.translations + 3 * h * clip.keyCount;
            const float* last = first + 3 * ( clip.keyCount - 1 );
            for ( int k = 0; k < 3; ++k )
            {
                seam = fmax( seam, fabs( (double)first[k] - (double)last[k] ) );
            }
        }
        for ( int32_t h = 0; h < supJointBake_Info( bake )->turningCount; ++h )
        {
            const float* first = clip.rotations + 4 * h * clip.keyCount;
            const float* last = first + 4 * ( clip.keyCount - 1 );
            for ( int k = 0; k < 4; ++k )
            {
                seam = fmax( seam, fabs( (double)first[k] - (double)last[k] ) );
            }
        }
        double turn = supLargestTurn( bake ), off = supFromLongWalk( &bar, take );
        print_message(
            "%s: seam %.2g, within %.2g m of a long walk, largest turn %.2g rad\n", words[m], seam, off, turn );
        double least = 1e-5 * (double)supCharacter_Info( bar.character )->size;
        assert_true( turn > 0.02 && seam <= least && off <= least );
        supDestroyJointBake( bake );
        supDestroyTake( take );
        supFreeBar( &bar );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Frame rates

/// What a player makes of a helper's keys at a time: value and rotation, between linear keys.
static void supPlayHelper(
    const supBakedClip* clip, int32_t helper, int32_t turning, double time, supVec3* value, supQuat* turn )
{
    int32_t k = 0;
    while ( k + 2 < clip->keyCount && (double)clip->times[k + 1] <= time )
    {
        ++k;
    }
    float share =
        (float)( ( time - (double)clip->times[k] ) / ( (double)clip->times[k + 1] - (double)clip->times[k] ) );
    const float* v = clip->translations + 3 * ( (size_t)helper * (size_t)clip->keyCount + (size_t)k );
    const float* q = clip->rotations + 4 * ( (size_t)turning * (size_t)clip->keyCount + (size_t)k );
    *value = supLerp( supMakeVec3( v[0], v[1], v[2] ), supMakeVec3( v[3], v[4], v[5] ), share );
    *turn = supSlerp( ( supQuat ){ q[0], q[1], q[2], q[3] }, ( supQuat ){ q[4], q[5], q[6], q[7] }, share );
}

/// The largest difference of any turning helper's value, and of its rotation in radians, at times that are keys of
/// neither.
static void supCompareBakes( const supJointBake* a, const supJointBake* b, double* values, double* turns )
{
    supBakedClip clips[2] = { supJointBake_Info( a )->clips[0], supJointBake_Info( b )->clips[0] };
    *values = *turns = 0.0;
    for ( int32_t h = 0, turning = 0; h < supJointBake_Info( a )->helperCount; ++h )
    {
        for ( int n = 0; n < 211 && supJointBake_Info( a )->helpers[h].turns; ++n )
        {
            supVec3 value[2];
            supQuat turn[2];
            for ( int k = 0; k < 2; ++k )
            {
                supPlayHelper( clips + k, h, turning, ( n + 0.37 ) / 211.0, value + k, turn + k );
            }
            supQuat between = supMulQuat( turn[0], supConjugate( turn[1] ) );
            *values = fmax( *values, (double)supDistance( value[0], value[1] ) );
            *turns = fmax( *turns, 2.0 * sqrt( (double)between.x * between.x + (double)between.y * between.y +
                                               (double)between.z * between.z ) );
        }
        turning += supJointBake_Info( a )->helpers[h].turns;
    }
}

/// A clip of six keys a second, baked at different rates, is played as one motion: against the finest of them, at times
/// that are nobody's keys, and against the take none is off by more than 0.1% of the size.
static void supTestBakeRates( void** state )
{
    (void)state;
    static const float rates[] = { 480.0f, 24.0f, 30.0f, 60.0f, 120.0f };
    supBar bar;
    supInitBar( &bar );
    bar.root = supSway;
    bar.fps = 6.0;
    bar.blended = true;
    supBuildTurningBar( &bar, true );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    supJointBake* finest = supBakeBar( &bar, take, rates[0], sup_keysLinear );
    double size = (double)supCharacter_Info( bar.character )->size, largest = supLargestTurn( finest );
    for ( int r = 1; r < 5; ++r )
    {
        supJointBake* bake = supBakeBar( &bar, take, rates[r], sup_keysLinear );
        supBakedClip clip = supJointBake_Info( bake )->clips[0];
        double values, turns;
        supCompareBakes( finest, bake, &values, &turns );
        print_message( "%g fps: %d keys, %.2g of the size off at keys, %.2g between; played %.2g of the size and %.2g "
                       "rad (of %.2g) from %d keys\n",
            (double)rates[r], clip.keyCount, (double)clip.maxErrorAtKeys / size, (double)clip.maxError / size,
            values / size, turns, largest, supJointBake_Info( finest )->clips[0].keyCount );
        assert_true( clip.keyCount >= (int32_t)rates[r] &&
                     clip.keyCount < 3 * supJointBake_Info( finest )->clips[0].keyCount / 4 );
        assert_true( (double)clip.maxError <= 1e-3 * size && (double)clip.maxErrorAtKeys <= 1e-5 * size );
        assert_true( values <= 1e-3 * size && turns <= 0.05 * largest );
        supDestroyJointBake( bake );
    }
    supDestroyJointBake( finest );
    supDestroyTake( take );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Hosts that drive helpers themselves

/// Linear blend skinning with the body's helper matrices is the living skin.
static void supTestDrivenHelpers( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.root = supSway;
    bar.blended = true;
    supBuildTurningBar( &bar, true );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    supJointBake* bake = supBakeBar( &bar, take, 30.0f, sup_keysLinear );
    supBody* body = NULL;
    supPose* pose = NULL;
    assert_int_equal( supCreateBody( bar.model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar.character, NULL, &pose, NULL ), sup_success );
    supMeshView mesh = supCharacter_Mesh( bar.character, 0 );
    supBakedMesh baked = supJointBake_Info( bake )->meshes[0];
    const int32_t* skinJoints = supCharacter_Skin( bar.character, mesh.skin ).joints;
    int32_t jointCount = supCharacter_Skin( bar.character, mesh.skin ).jointCount;
    supMat34 helpers[64];
    supVec3 living[SUP_BAR_VERTICES];
    assert_in_range( supModel_Info( bar.model )->helperCount, 1, 64 );
    double worst = 0.0;
    for ( int n = 0; n < 40; ++n )
    {
        supPose_Sample( pose, 0, n / 40.0 );
        assert_int_equal( supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 1.0f / 40.0f ), sup_success );
        supBody_Skin( body, &living[0].x, NULL );
        supBody_HelperJoints( body, helpers );
        for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
        {
            const float* p = mesh.positions + 3 * v;
            supVec3 sum = supVec3_zero;
            for ( int32_t k = 0; k < baked.influenceCount; ++k )
            {
                int32_t joint = baked.joints[v * baked.influenceCount + k], helper = joint - jointCount;
                supVec3 place = supVec3_zero;
                supMat34 matrix = helper < 0 ? supPose_Joints( pose )[skinJoints[joint]] : helpers[helper];
                if ( helper >= 0 )
                {
                    supHelperView view = supModel_Info( bar.model )->helpers[helper];
                    place = view.place;
                    for ( joint = 0; skinJoints[joint] != view.joint; )
                    {
                        ++joint;
                    }
                }
                supVec3 bound = supTransformPoint(
                    supCharacter_Skin( bar.character, mesh.skin ).inverseBind[joint], supMakeVec3( p[0], p[1], p[2] ) );
                sum = supMulAdd( sum, baked.weights[v * baked.influenceCount + k],
                    supTransformPoint( matrix, supSub( bound, place ) ) );
            }
            worst = fmax( worst, (double)supDistance( sum, living[v] ) );
        }
    }
    print_message( "driven helpers: %.2g m off\n", worst );
    assert_true( worst < 1e-6 );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyJointBake( bake );
    supDestroyTake( take );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Live edits

/// A take that is tuned as a body is the take of a rig that says the same, bit for bit; and so is what it shows.
static void supTestTunedTakes( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.root = supSway;
    supBuildTurningBar( &bar, false );
    supBody* edited = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateBody( bar.model, &edited, &error ), sup_success );
    assert_int_equal( supBody_SetField( edited, sup_layerModes, 0, "frequency", 7.0f, &error ), sup_success );
    assert_int_equal( supBody_SetField( edited, 0, 0, "frequency", 2.5f, &error ), sup_success );
    supModel* plain = bar.model;
    supTakeDef def = supDefaultTakeDef();
    def.model = plain;
    supTake *own = NULL, *tuned = NULL, *written = NULL;
    assert_int_equal( supCreateTake( &def, &own, &error ), sup_success );
    def.tunedAs = edited;
    assert_int_equal( supCreateTake( &def, &tuned, &error ), sup_success );

    supRig* rig = NULL;
    supModeDef mode = supModeNamed( "turn", bar.element.name, sup_modeTurn, sup_patternEven );
    mode.frequency = 7.0f;
    supElementDef element = bar.element;
    element.frequency = 2.5f;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &element, &error ), sup_success );
    supAddMode( rig, mode );
    assert_int_equal( supCompileModel( bar.character, rig, &bar.model, &error ), sup_success );
    supDestroyRig( rig );
    def.model = bar.model;
    assert_int_equal( supCreateTake( &def, &written, &error ), sup_errorArgument ); // a body of another model
    def.tunedAs = NULL;
    assert_int_equal( supCreateTake( &def, &written, &error ), sup_success );

    supJointBake* bakes[3];
    const supTake* const takes[3] = { own, tuned, written };
    for ( int i = 0; i < 3; ++i )
    {
        supBar one = bar;
        one.model = i == 2 ? bar.model : plain;
        bakes[i] = supBakeBar( &one, (supTake*)takes[i], 30.0f, sup_keysLinear );
    }
    assert_true( supJointBake_ClipHash( bakes[1], 0 ) == supJointBake_ClipHash( bakes[2], 0 ) );
    assert_true( supJointBake_ClipHash( bakes[0], 0 ) != supJointBake_ClipHash( bakes[2], 0 ) );
    for ( int i = 0; i < 3; ++i )
    {
        supDestroyJointBake( bakes[i] );
        supDestroyTake( (supTake*)takes[i] );
    }
    supDestroyBody( edited );
    supDestroyModel( plain );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Crowds

/// A member whose flesh is switched off: its modes fade with it, without a jump, to the smooth skin, bit for bit.
static void supTestCrowdFades( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.element.amount = 0.0f; // modes alone
    supBuildTurningBar( &bar, false );
    const supModel* models[1] = { bar.model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = 1;
    supCrowd* crowd = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCrowd( &def, &crowd, &error ), sup_success );
    assert_int_equal( supCrowd_Add( crowd, 0 ), 0 );
    supCrowdLevel level = supDefaultCrowdLevel();
    const supMat34* joints = supCharacter_Info( bar.character )->restJoints;
    supVec3 living[SUP_BAR_VERTICES], before[SUP_BAR_VERTICES], smooth[SUP_BAR_VERTICES];
    double swing = 0.0, jump = 0.0, smallest = 1.0, left = 1.0;
    for ( int n = 0; n < 120; ++n )
    {
        level.rate = n < 40 ? 1 : 4; // every fourth frame: shown on its way in between
        level.flesh = n < 60;
        supCrowd_SetLevel( crowd, 0, level );
        supMat34 world = supMatFromQuat(
            supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 0.4f * (float)sin( 0.25 * ( n < 60 ? n : 60 ) ) ) );
        supCrowdFrame frame = { .joints = joints, .world = world, .positions = &living[0].x };
        supCrowd_SetFrame( crowd, 0, &frame );
        supCrowd_Run( crowd, 1.0f / 60.0f );
        supBody_SmoothSkin( supCrowd_Body( crowd, 0 ), &smooth[0].x, NULL );
        double step = 0.0;
        left = 0.0;
        for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
        {
            left = fmax( left, (double)supDistance( living[v], smooth[v] ) );
            step = n > 0 ? fmax( step, (double)supDistance( living[v], before[v] ) ) : 0.0;
        }
        swing = fmax( swing, left );
        jump = n > 44 ? fmax( jump, step ) : jump;
        smallest = n > 44 && n < 60 ? fmin( smallest, step ) : smallest;
        memcpy( before, living, sizeof( before ) );
    }
    print_message( "crowd: swings by %.3g m, at most %.3g m from one frame to the next while it fades; %.2g left\n",
        swing, jump, left );
    assert_true( swing > 0.01 && jump < 0.6 * swing );
    assert_true( smallest > 0.0 );
    assert_true( left == 0.0 );
    supDestroyCrowd( crowd );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Nothing

/// Modes of no amount are no modes, bit for bit: the skin, and the keys of a bake.
static void supTestTurningOff( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.root = supSway;
    bar.blended = true;
    supBuildTurningBar( &bar, true );
    supBar plain;
    supInitBar( &plain );
    plain.root = supSway;
    plain.blended = true;
    supBuildBar( &plain );
    supBody* bodies[2] = { NULL, NULL };
    supPose* pose = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateBody( bar.model, bodies, &error ), sup_success );
    assert_int_equal( supCreateBody( plain.model, bodies + 1, &error ), sup_success );
    assert_int_equal( supCreatePose( bar.character, NULL, &pose, &error ), sup_success );
    for ( int32_t i = 0; i < supModel_ItemCount( bar.model, sup_layerModes ); ++i )
    {
        assert_int_equal( supBody_SetField( bodies[0], sup_layerModes, i, "amount", 0.0f, &error ), sup_success );
    }
    supVec3 skins[2][SUP_BAR_VERTICES];
    for ( int n = 0; n < 60; ++n )
    {
        supPose_Sample( pose, 0, n / 60.0 );
        for ( int b = 0; b < 2; ++b )
        {
            supBody_Step( bodies[b], supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
            supBody_Skin( bodies[b], &skins[b][0].x, NULL );
        }
        assert_memory_equal( skins[0], skins[1], sizeof( skins[0] ) );
    }
    supDestroyPose( pose );
    supDestroyBody( bodies[0] );
    supDestroyBody( bodies[1] );
    supFreeBar( &plain );
    supFreeBar( &bar );
}

// ---------------------------------------------------------------------------------------------------------------
// Figures of a report

/// What a report says of a layer: how far it moves vertices, and that a cycle with a turn closes.
static void supTestLayerReport( void** state )
{
    (void)state;
    supBar bar;
    supInitBar( &bar );
    bar.root = supSwayRound;
    bar.clipName = "walk";
    supBuildTurningBar( &bar, true );
    supTake* take = supBarTake( &bar, sup_loopOn, sup_endsFree );
    const supTake* takes[1] = { take };
    supLayerReport layer = { 0 }, none = { 0 };
    supModeReport modes[5];
    supError error = { 0 };
    assert_int_equal( supMeasureLayer( take, sup_layerModes, &layer, &error ), sup_success );
    assert_int_equal( supMeasureLayer( take, sup_layerWrinkles, &none, &error ), sup_success );
    assert_int_equal( supMeasureModes( bar.model, takes, 1, modes, &error ), sup_success );
    const supTake* missing[1] = { NULL };
    supVolumeReport volumes[1];
    assert_int_equal( supMeasureModes( bar.model, missing, 1, modes, &error ), sup_errorArgument );
    assert_int_equal( supMeasureVolumes( bar.model, missing, 1, volumes, &error ), sup_errorArgument );
    assert_int_equal( supMeasureLayer( NULL, sup_layerModes, &none, &error ), sup_errorArgument );
    print_message( "modes: %.3g m, seam %.2g m; \"%s\" turns by %.3g rad\n", (double)layer.maxDisplacement,
        (double)layer.seam, modes[0].name, (double)modes[0].largest );
    assert_true( layer.itemCount == 5 && layer.vertexCount > 0 && none.itemCount == 0 );
    // no vertex of the bar is farther than a metre from the pivot: what turns it moves it by less than the angle
    assert_true( layer.maxDisplacement > 1e-3f && layer.maxDisplacement < 1.0f );
    assert_true( (double)layer.seam <= 1e-5 * (double)supCharacter_Info( bar.character )->size );
    assert_true( modes[0].turns && modes[0].largest > 0.01f && !modes[3].turns && modes[3].vertexCount > 0 );
    supDestroyTake( take );
    supFreeBar( &bar );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCatFile ),
        cmocka_unit_test( supTestFoxFile ),
        cmocka_unit_test( supTestTurningLoops ),
        cmocka_unit_test( supTestBakeRates ),
        cmocka_unit_test( supTestDrivenHelpers ),
        cmocka_unit_test( supTestTunedTakes ),
        cmocka_unit_test( supTestCrowdFades ),
        cmocka_unit_test( supTestTurningOff ),
        cmocka_unit_test( supTestLayerReport ),
    };
    return cmocka_run_group_tests( tests, supSetUp, supTearDown );
}
