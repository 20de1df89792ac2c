// The body in time: frame rates, extremes, jumps, live edits, memory.
#include "base/math.h"
#include "base/platform.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "supple/lab/states.h"
#include "support/limb.h"
#include "support/test_allocator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/// A generator of our own: the same numbers everywhere.
static float supNoise( uint32_t* seed )
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)( *seed >> 8 ) / 8388608.0f - 1.0f;
}

/// A limb of 3.5 Hz and damping ratio 0.15.
static supLimb supMakeSoftLimb( float scale )
{
    supElementDef def = supLimbElement();
    def.frequency = 3.5f;
    def.dampingRatio = 0.15f;
    return supMakeLimb( ( supLimbDef ){ .scale = scale, .elements = &def, .elementCount = 1 } );
}

/// The largest error of the elongation against the steady state of u'' + … = -x'' for a bounce of 2 Hz and 5 cm, as a
/// share of the largest elongation.
static double supBounceError( double rate )
{
    supLimb limb = supMakeSoftLimb( 1.0f );
    double drive = 4.0 * SUP_PI, omega = 7.0 * SUP_PI, h = 1.0 / rate;
    double real = omega * omega - drive * drive, imaginary = 2.0 * 0.15 * omega * drive;
    double amplitude = 0.05 * drive * drive / sqrt( real * real + imaginary * imaginary ),
           phase = atan2( imaginary, real );
    double worst = 0.0;
    for ( int n = 0; n < (int)( 8.0 * rate ); ++n )
    {
        supStepLimb( &limb, supMoved( 0.0f, (float)( 0.05 * sin( drive * n * h ) ), 0.0f ), (float)h );
        if ( n * h > 5.0 )
        {
            double error = supBody_Element( limb.body, 0 ).state.y - amplitude * sin( drive * n * h - phase );
            worst = fmax( worst, fabs( error ) );
        }
    }
    supDropLimb( &limb );
    return worst / amplitude;
}

static void supTestFrameRates( void** state )
{
    (void)state;
    const double rates[] = { 24.0, 30.0, 60.0, 144.0, 1000.0 };
    for ( int i = 0; i < 5; ++i )
    {
        double error = supBounceError( rates[i] );
        print_message( "2 Hz bounce at %g Hz: elongation within %.4f%%\n", rates[i], 100.0 * error );
        assert_true( error < 0.01 );
    }
}

/// Frames of every length in between give the same motion as even ones.
static void supTestUnevenFrames( void** state )
{
    (void)state;
    supLimb even = supMakeSoftLimb( 1.0f ), uneven = supMakeSoftLimb( 1.0f );
    uint32_t seed = 7;
    double time = 0.0, worst = 0.0, largest = 0.0;
    for ( int n = 1; n <= 400; ++n )
    {
        // the same half second in 30 even frames or in about 40 uneven ones
        double until = n / 60.0;
        supStepLimb( &even, supMoved( 0.0f, (float)( 0.05 * sin( 4.0 * SUP_PI * until ) ), 0.0f ), 1.0f / 60.0f );
        double middle = time + ( until - time ) * ( 0.5 + 0.2 * supNoise( &seed ) );
        supStepLimb(
            &uneven, supMoved( 0.0f, (float)( 0.05 * sin( 4.0 * SUP_PI * middle ) ), 0.0f ), (float)( middle - time ) );
        supStepLimb(
            &uneven, supMoved( 0.0f, (float)( 0.05 * sin( 4.0 * SUP_PI * until ) ), 0.0f ), (float)( until - middle ) );
        time = until;
        float a = supBody_Element( even.body, 0 ).state.y, b = supBody_Element( uneven.body, 0 ).state.y;
        worst = n > 120 ? fmax( worst, fabs( a - b ) ) : worst;
        largest = fmax( largest, fabs( a ) );
    }
    assert_true( worst < 0.005 * largest );
    supDropLimb( &even );
    supDropLimb( &uneven );
}

static void supAssertSane( const supLimb* limb )
{
    supElementState s = supBody_Element( limb->body, 0 );
    float limit = supModel_Info( limb->model )->elements[0].thickness;
    assert_true( supIsFiniteVec3( s.elongation ) && supIsFiniteVec3( s.state ) && supIsFiniteVec3( s.velocity ) );
    assert_true( supLength( s.elongation ) <= limit * 1.00001f );
}

/// Any stiffness, any mass, any step: finite, within the limit, and still in the end.
static void supTestExtremes( void** state )
{
    (void)state;
    const float stiffnesses[] = { 1e-3f, 1.0f, 1e4f, 1e9f }, masses[] = { 1e-9f, 1e-3f, 1.0f, 1e3f };
    const float steps[] = { 0.0f, 1e-6f, 1.0f / 144.0f, 1.0f / 24.0f, 0.5f, 5.0f };
    for ( int i = 0; i < 16; ++i )
    {
        for ( int limit = sup_limitSoft; limit <= sup_limitClamp; ++limit )
        {
            supElementDef def = supLimbElement();
            def.limit = limit;
            def.mass = masses[i / 4];
            def.stiffness = stiffnesses[i % 4];
            def.dampingRatio = 0.05f;
            def.sag = 0.0f;
            def.gravityScale = 0.0f;
            supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
            uint32_t seed = (uint32_t)i;
            for ( int n = 0; n < 300; ++n )
            {
                float far = n % 50 == 49 ? 1000.0f : 0.0f;
                supStepLimb(
                    &limb, supMoved( far + supNoise( &seed ), supNoise( &seed ), supNoise( &seed ) ), steps[n % 6] );
                supAssertSane( &limb );
            }
            float omega = sqrtf( def.stiffness / def.mass ), settle = fmaxf( 40.0f / ( 0.05f * omega ), 1.0f );
            for ( int n = 0; n < 200; ++n )
            {
                supStepLimb( &limb, supMat34_identity, settle / 100.0f );
                supAssertSane( &limb );
            }
            assert_true( supLength( supBody_Element( limb.body, 0 ).state ) < 1e-4f );
            supDropLimb( &limb );
        }
    }
}

static void supTestNoise( void** state )
{
    (void)state;
    supLimb limb = supMakeSoftLimb( 1.0f );
    uint32_t seed = 1;
    for ( int n = 0; n < 100000; ++n )
    {
        supMat34 motion = supMoved( supNoise( &seed ), supNoise( &seed ), supNoise( &seed ) );
        supStepLimb( &limb, motion, 0.02f * ( 1.0f + supNoise( &seed ) ) );
        supAssertSane( &limb );
    }
    supDropLimb( &limb );
}

/// A settled spring is really at rest: no denormal numbers are left that would make it slow.
static void supTestSettles( void** state )
{
    (void)state;
    supLimb limb = supMakeSoftLimb( 1.0f );
    supStepLimb( &limb, supMat34_identity, 1.0f / 60.0f );
    supStepLimb( &limb, supMoved( 0.1f, 0.0f, 0.0f ), 1.0f / 60.0f );
    for ( int n = 0; n < 1200; ++n )
    {
        supStepLimb( &limb, supMoved( 0.1f, 0.0f, 0.0f ), 1.0f / 60.0f );
    }
    supElementState s = supBody_Element( limb.body, 0 );
    assert_true( s.state.x == 0.0f && s.velocity.x == 0.0f );
    supDropLimb( &limb );
}

/// Drives two bodies along the same swing; the second is put elsewhere, turned, in mid-swing. Said or unsaid, its flesh
/// goes on as the first's.
static void supCompareTeleport( bool said )
{
    supLimb stays = supMakeSoftLimb( 1.0f ), jumps = supMakeSoftLimb( 1.0f );
    supMat34 place = supMat34_identity;
    const float dt = 1.0f / 60.0f;
    double worst = 0.0, largest = 0.0;
    for ( int n = 0; n < 240; ++n )
    {
        if ( n == 130 )
        {
            supMat34 there = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 1.0f, 0.0f ), 2.0f ) );
            there.t = supMakeVec3( 1000.0f, 20.0f, -300.0f );
            if ( said )
            {
                supBody_Teleport( jumps.body, place, there );
            }
            place = there;
        }
        supMat34 joints[3];
        supPoseLimb(
            &stays, supMoved( 0.05f * sinf( 0.2f * (float)n ), 0.0f, 0.05f * cosf( 0.17f * (float)n ) ), joints );
        assert_int_equal( supBody_Step( stays.body, joints, supMat34_identity, dt ), sup_success );
        assert_int_equal( supBody_Step( jumps.body, joints, place, dt ), sup_success );
        supVec3 a = supBody_Element( stays.body, 0 ).state;
        supVec3 b = supTransposeVector( place, supBody_Element( jumps.body, 0 ).state );
        worst = fmax( worst, supDistance( a, b ) );
        largest = fmax( largest, supLength( a ) );
    }
    // a jump that nobody announced hides one frame's own movement: it is guessed from the speed
    assert_true( worst < ( said ? 0.005 : 0.08 ) * largest );
    supDropLimb( &stays );
    supDropLimb( &jumps );
}

static void supTestTeleports( void** state )
{
    (void)state;
    supCompareTeleport( true );
    supCompareTeleport( false );
}

/// Ten kilometres from the origin, where a float knows a position to a millimetre, flesh that moves within the body is
/// as smooth as at home.
static void supTestFarAway( void** state )
{
    (void)state;
    supLimb home = supMakeSoftLimb( 1.0f ), far = supMakeSoftLimb( 1.0f );
    for ( int n = 0; n < 300; ++n )
    {
        supMat34 joints[3];
        supPoseLimb( &home, supMoved( 0.0f, 0.05f * sinf( 0.2f * (float)n ), 0.0f ), joints );
        assert_int_equal( supBody_Step( home.body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
        assert_int_equal(
            supBody_Step( far.body, joints, supMoved( 10000.0f, 0.0f, 7000.0f ), 1.0f / 60.0f ), sup_success );
        assert_true(
            supDistance( supBody_Element( home.body, 0 ).state, supBody_Element( far.body, 0 ).state ) < 1e-6f );
    }
    supDropLimb( &home );
    supDropLimb( &far );
}

/// The same in every unit: a limb of a centimetre and one of a hundred metres move alike.
static void supTestScales( void** state )
{
    (void)state;
    const float scales[3] = { 1.0f, 0.01f, 100.0f };
    supLimb limbs[3];
    for ( int i = 0; i < 3; ++i )
    {
        limbs[i] = supMakeSoftLimb( scales[i] );
    }
    for ( int n = 0; n < 300; ++n )
    {
        float turn = 0.6f * sinf( 0.11f * (float)n );
        for ( int i = 0; i < 3; ++i )
        {
            supMat34 motion = supMatFromQuat( supQuatFromAxisAngle( supMakeVec3( 0.0f, 0.0f, 1.0f ), turn ) );
            motion.t = supMakeVec3( 0.05f * scales[i] * sinf( 0.2f * (float)n ), 0.0f, 0.0f );
            supStepLimb( &limbs[i], motion, 1.0f / 60.0f );
            supVec3 u = supScale( supBody_Element( limbs[i].body, 0 ).elongation, 1.0f / scales[i] );
            assert_true( supDistance( u, supBody_Element( limbs[0].body, 0 ).elongation ) < 1e-6f );
        }
    }
    for ( int i = 0; i < 3; ++i )
    {
        supDropLimb( &limbs[i] );
    }
}

/// Numbers changed in mid-swing: elongation and speed go on from where they are.
static void supTestLiveEdits( void** state )
{
    (void)state;
    supLimb limb = supMakeSoftLimb( 1.0f );
    const float dt = 1.0f / 240.0f;
    for ( int n = 0; n < 500; ++n )
    {
        supElementState before = supBody_Element( limb.body, 0 );
        if ( n % 100 == 99 )
        {
            supElementTuning tuning = supBody_Tuning( limb.body, 0 );
            tuning.frequency = n % 200 == 99 ? 8.0f : 2.0f;
            tuning.amount = n % 200 == 99 ? 0.3f : 1.0f;
            tuning.sag = n % 200 == 99 ? 0.4f : 0.0f;
            assert_int_equal( supBody_Tune( limb.body, 0, &tuning, NULL ), sup_success );
            supElementState after = supBody_Element( limb.body, 0 );
            assert_true( supDistance( before.state, after.state ) == 0.0f );
            assert_true( supDistance( before.velocity, after.velocity ) < 1e-4f );
        }
        supStepLimb( &limb, supMoved( 0.05f * sinf( 0.05f * (float)n ), 0.0f, 0.0f ), dt );
        supElementState after = supBody_Element( limb.body, 0 );
        assert_true( n == 0 || supDistance( before.state, after.state ) < 0.02f ); // at its speed, near resonance
    }
    supElementTuning bad = supBody_Tuning( limb.body, 0 ), good = bad;
    bad.frequency = NAN;
    supError error = { 0 };
    assert_int_equal( supBody_Tune( limb.body, 0, &bad, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "frequency" ) );
    supElementTuning kept = supBody_Tuning( limb.body, 0 );
    assert_memory_equal( &good, &kept, sizeof( good ) );
    supDropLimb( &limb );
}

/// A rig whose structure was edited: the element of the same name swings on.
static void supTestAdopt( void** state )
{
    (void)state;
    supLimb old = supMakeSoftLimb( 1.0f );
    supElementDef defs[2] = { supLimbElement(), supLimbElement() };
    defs[0].name = "other";
    defs[0].facing = ( supVec3 ){ 1.0f, 0.0f, 0.0f };
    defs[0].spread = 1.0f;
    defs[1].frequency = 3.5f;
    defs[1].dampingRatio = 0.15f;
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &defs[0], NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &defs[1], NULL ), sup_success );
    assert_int_equal( supCompileModel( old.character, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    double worst = 0.0, largest = 0.0;
    for ( int n = 0; n < 300; ++n )
    {
        supMat34 joints[3];
        supPoseLimb( &old, supMoved( 0.05f * sinf( 0.2f * (float)n ) + 0.05f * (float)n, 0.0f, 0.0f ), joints );
        if ( n == 150 )
        {
            supBody_Adopt( body, old.body );
            assert_true(
                supDistance( supBody_Element( body, 1 ).state, supBody_Element( old.body, 0 ).state ) == 0.0f );
        }
        assert_int_equal( supBody_Step( old.body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
        if ( n >= 150 )
        {
            assert_int_equal( supBody_Step( body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
            worst =
                fmax( worst, supDistance( supBody_Element( body, 1 ).state, supBody_Element( old.body, 0 ).state ) );
            assert_true( supLength( supBody_Element( body, 0 ).state ) < 0.05f ); // the newcomer is not thrown about
        }
        largest = fmax( largest, supLength( supBody_Element( old.body, 0 ).state ) );
    }
    assert_true( worst < 1e-5 * largest );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDropLimb( &old );
}

/// An edited rig in which the element feels less of the motion and may move less: its speed goes on as it was, and
/// what is shown is within the new limit at once. A newcomer stands where gravity holds it, without a speed.
static void supTestAdoptOtherNumbers( void** state )
{
    (void)state;
    supLimb old = supMakeSoftLimb( 1.0f );
    supElementDef defs[2] = { supLimbElement(), supLimbElement() };
    defs[0].name = "other";
    defs[1].amount = 0.25f;
    defs[1].limitScale = 0.01f;
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &defs[0], NULL ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &defs[1], NULL ), sup_success );
    assert_int_equal( supCompileModel( old.character, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    for ( int n = 0; n < 100; ++n )
    {
        supStepLimb( &old, supMoved( 0.05f * sinf( 0.2f * (float)n ) + 0.05f * (float)n, 0.0f, 0.0f ), 1.0f / 60.0f );
    }
    supBody_Adopt( body, old.body );
    supElementState before = supBody_Element( old.body, 0 ), after = supBody_Element( body, 1 );
    assert_true( supLength( before.velocity ) > 0.01f );
    assert_true( supDistance( before.velocity, after.velocity ) < 1e-4f * supLength( before.velocity ) );
    assert_true( supDistance( before.state, after.state ) == 0.0f );
    assert_true( supLength( after.elongation ) <= 0.01001f * supModel_Info( model )->elements[1].thickness );
    assert_true( supLength( supBody_Element( body, 0 ).velocity ) < 1e-4f );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDropLimb( &old );
}

/// Joints that shrink to nothing, as files do to hide a part, and come back: never a number that is none.
static void supTestVanishingJoints( void** state )
{
    (void)state;
    const float scales[] = { 1e-5f, 1e-18f, 3e-19f, 1e-19f, 3e-20f, 1e-20f, 1e-22f, 1e-30f, 0.0f };
    for ( size_t k = 0; k < sizeof( scales ) / sizeof( scales[0] ); ++k )
    {
        supLimb limb = supMakeSoftLimb( 1.0f );
        for ( int n = 0; n < 300; ++n )
        {
            supMat34 joints[3], small = supMat34_identity;
            supPoseLimb( &limb, supMat34_identity, joints );
            float scale = n >= 20 && n < 40 ? scales[k] : 1.0f;
            small.x.x = small.y.y = small.z.z = scale;
            for ( int j = 0; j < 3; ++j )
            {
                joints[j] = supMulMat( small, joints[j] );
            }
            assert_int_equal( supBody_Step( limb.body, joints, supMat34_identity, 1.0f / 60.0f ), sup_success );
            assert_true( supIsFiniteVec3( supBody_Element( limb.body, 0 ).state ) );
        }
        assert_true( supLength( supBody_Element( limb.body, 0 ).state ) < 0.01f );
        supDropLimb( &limb );
    }
}

/// What is not a pose is refused, and nothing changes.
static void supTestBadPoses( void** state )
{
    (void)state;
    supLimb limb = supMakeSoftLimb( 1.0f );
    for ( int n = 0; n < 30; ++n )
    {
        supStepLimb( &limb, supMoved( 0.01f * (float)n, 0.0f, 0.0f ), 1.0f / 60.0f );
    }
    uint64_t hash = supBody_Hash( limb.body );
    supMat34 joints[3], flat = supMat34_identity;
    supPoseLimb( &limb, supMat34_identity, joints );
    assert_int_equal( supBody_Step( limb.body, joints, supMat34_identity, -1e7f ), sup_errorData );
    assert_int_equal( supBody_Step( limb.body, joints, supMat34_identity, NAN ), sup_errorData );
    flat.x = supVec3_zero;
    assert_int_equal( supBody_Step( limb.body, joints, flat, 0.1f ), sup_errorData );
    flat = supMat34_identity;
    flat.z = flat.y;
    assert_int_equal( supBody_Step( limb.body, joints, flat, 0.1f ), sup_errorData );
    supMat34 lost = supMoved( NAN, 0.0f, 0.0f );
    supBody_Teleport( limb.body, lost, supMat34_identity );
    supBody_Teleport( limb.body, supMat34_identity, lost );
    supBody_Teleport( limb.body, flat, supMat34_identity );
    assert_true( supIsFiniteVec3( supBody_Element( limb.body, 0 ).anchor ) );
    joints[2].y.z = INFINITY;
    assert_int_equal( supBody_Step( limb.body, joints, supMat34_identity, 0.1f ), sup_errorData );
    assert_true( supBody_Hash( limb.body ) == hash );
    static float positions[3 * SUP_LIMB_VERTICES];
    supBody_Skin( limb.body, positions, NULL );
    for ( int i = 0; i < 3 * SUP_LIMB_VERTICES; ++i )
    {
        assert_true( supIsFinite( positions[i] ) );
    }
    supDropLimb( &limb );
}

/// A body lives in one block of the caller's, and moves just like one of its own.
static void supTestOwnBlock( void** state )
{
    (void)state;
    supLimb limb = supMakeSoftLimb( 1.0f );
    size_t size = supBody_MemorySize( limb.model );
    void* block = supSystemAlloc( size, 64 );
    supBody* body = NULL;
    supError error = { 0 };
    supBodyDef def = supDefaultBodyDef();
    def.model = limb.model;
    def.block = block;
    def.blockSize = size - 1;
    assert_int_equal( supCreateBodyWith( &def, &body, &error ), sup_errorArgument );
    assert_null( body );
    def.blockSize = size;
    assert_int_equal( supCreateBodyWith( &def, &body, &error ), sup_success );
    for ( int n = 0; n < 60; ++n )
    {
        supMat34 joints[3];
        supPoseLimb( &limb, supMoved( 0.05f * sinf( 0.3f * (float)n ), 0.0f, 0.0f ), joints );
        supBody_Step( limb.body, joints, supMat34_identity, 1.0f / 60.0f );
        supBody_Step( body, joints, supMat34_identity, 1.0f / 60.0f );
        assert_true( supBody_Hash( limb.body ) == supBody_Hash( body ) );
    }
    supDestroyBody( body ); // leaves the block alone
    supSystemFree( block );
    supDropLimb( &limb );
}

/// Helper joints under plain linear blend skinning give the living skin.
static void supTestHelperJoints( void** state )
{
    (void)state;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .blended = true } );
    for ( int n = 0; n < 20; ++n )
    {
        supStepLimb( &limb, supMoved( 0.1f * sinf( 0.4f * (float)n ), 0.0f, 0.0f ), 1.0f / 60.0f );
    }
    supMat34 helpers[8];
    int32_t count = supModel_Info( limb.model )->helperCount;
    assert_true( count >= 1 && count <= 3 );
    supBody_HelperJoints( limb.body, helpers );
    supVec3 u = supBody_Element( limb.body, 0 ).elongation;
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 joint =
            supCharacter_Info( limb.character )->restJoints[supModel_Info( limb.model )->helpers[i].joint].t;
        supVec3 motion = supMakeVec3( 0.1f * sinf( 0.4f * 19.0f ), 0.0f, 0.0f );
        assert_true( supDistance( helpers[i].t, supAdd( supAdd( joint, motion ), u ) ) < 1e-6f );
    }
    supDropLimb( &limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestFrameRates ),
        cmocka_unit_test( supTestUnevenFrames ),
        cmocka_unit_test( supTestExtremes ),
        cmocka_unit_test( supTestNoise ),
        cmocka_unit_test( supTestSettles ),
        cmocka_unit_test( supTestTeleports ),
        cmocka_unit_test( supTestFarAway ),
        cmocka_unit_test( supTestScales ),
        cmocka_unit_test( supTestLiveEdits ),
        cmocka_unit_test( supTestAdopt ),
        cmocka_unit_test( supTestAdoptOtherNumbers ),
        cmocka_unit_test( supTestVanishingJoints ),
        cmocka_unit_test( supTestBadPoses ),
        cmocka_unit_test( supTestOwnBlock ),
        cmocka_unit_test( supTestHelperJoints ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
