// A character on stage, stepped frame by frame, against the take of the same clip.
#include "io/gltf_edit.h"
#include "supple/lab/measures.h"
#include "support/baked_file.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// A smooth run

/// Values of a sampler with the tangents of Catmull and Rom, as glTF's CUBICSPLINE has them.
static void supMakeTangents( const float* times, float* values, int32_t keyCount, int32_t width, float* out )
{
    for ( int32_t k = 1; k < keyCount && width == 4; ++k ) // the nearer of q and -q
    {
        float* q = values + 4 * k;
        float dot = q[0] * q[-4] + q[1] * q[-3] + q[2] * q[-2] + q[3] * q[-1];
        for ( int c = 0; c < 4 && dot < 0.0f; ++c )
        {
            q[c] = -q[c];
        }
    }
    for ( int32_t k = 0; k < keyCount; ++k )
    {
        int32_t before = k > 0 ? k - 1 : 0, after = k + 1 < keyCount ? k + 1 : k;
        float span = times[after] - times[before];
        for ( int32_t c = 0; c < width; ++c )
        {
            float* to = out + 3 * k * width + c;
            float slope = span > 0.0f ? ( values[after * width + c] - values[before * width + c] ) / span : 0.0f;
            to[0] = to[2 * width] = slope;
            to[width] = values[k * width + c];
        }
    }
}

static void supSmoothSampler( supGltfEdit* edit, json_t* sampler )
{
    int32_t input = (int32_t)json_integer_value( json_object_get( sampler, "input" ) );
    int32_t output = (int32_t)json_integer_value( json_object_get( sampler, "output" ) );
    supAccessor times = supReader_Accessor( &edit->reader, input, "input", 1, 1, sup_componentFloat );
    supAccessor values = supReader_AccessorOfAnyWidth( &edit->reader, output, "output", sup_componentFloat );
    size_t width = (size_t)values.rows, count = (size_t)times.count;
    float* numbers = calloc( count * ( 1 + 4 * width ), sizeof( float ) );
    supAccessor_ReadFloats( &times, numbers );
    supAccessor_ReadFloats( &values, numbers + count );
    float* cubic = numbers + count + count * width;
    supMakeTangents( numbers, numbers + count, times.count, values.rows, cubic );
    supNewAccessor made = { .view = supEdit_AddView( edit, cubic, 3 * count * width * sizeof( float ), 0 ),
        .component = sup_componentFloat,
        .type = width == 4 ? "VEC4" : "VEC3",
        .count = 3 * times.count };
    json_object_set_new( sampler, "output", json_integer( supEdit_AddAccessor( edit, &made ) ) );
    json_object_set_new( sampler, "interpolation", json_string( "CUBICSPLINE" ) );
    free( numbers );
}

/// The heavy man with smooth curves through the keys of all his clips.
static void supWriteSmooth( const char* in, const char* out )
{
    supGltf* document;
    supError error = { 0 };
    assert_int_equal( supOpenGltf( in, ( supLog ){ 0 }, &document, &error ), sup_success );
    supGltfEdit edit = supStartEdit( document, true, &error );
    for ( int32_t a = 0; a < supGltf_Count( document, "animations" ); ++a )
    {
        size_t i;
        json_t* sampler;
        json_array_foreach( json_object_get( supGltf_Item( document, "animations", a ), "samplers" ), i, sampler )
        {
            supSmoothSampler( &edit, sampler );
        }
    }
    assert_true( supEdit_Ok( &edit ) );
    assert_int_equal( supGltf_Write( document, out, &error ), sup_success );
    supCloseGltf( document );
}

// ---------------------------------------------------------------------------------------------------------------
// On stage

/// One step of the body to a time of the clip; gives the largest difference from the take, and raises *largest.
static double supStepLive( supBakedFile* baked, int32_t clip, double time, double dt, double* largest )
{
    supVec3 elongations[256];
    double error = 0.0;
    supPose_Sample( baked->pose, clip, time );
    supBody_Step( baked->body, supPose_Joints( baked->pose ), supMat34_identity, (float)dt );
    supTake_Elongations( baked->takes[clip], time, elongations );
    for ( int32_t e = 0; e < supModel_Info( baked->model )->elementCount; ++e )
    {
        supVec3 live = supBody_Element( baked->body, e ).elongation, u = elongations[e];
        double x = (double)( live.x - u.x ), y = (double)( live.y - u.y ), z = (double)( live.z - u.z );
        *largest = fmax( *largest, sqrt( (double)( u.x * u.x + u.y * u.y + u.z * u.z ) ) );
        error = fmax( error, sqrt( x * x + y * y + z * z ) );
    }
    return error;
}

/// A clip played live at a rate, against the take. Share of the largest elongation. The clip begins in full run, and a
/// body that has just come on stage has no past to learn speed and acceleration from; what that leaves dies away with
/// the softest element's damping (4.9/s here), so the first 0.8 s are not judged.
static double supLiveError( supBakedFile* baked, int32_t clip, double rate )
{
    supTakeInfo take = supTake_Info( baked->takes[clip] );
    double largest = 0.0, error = 0.0;
    supBody_Reset( baked->body );
    for ( int32_t i = 0; take.start + i / rate <= take.end; ++i )
    {
        double off = supStepLive( baked, clip, take.start + i / rate, i == 0 ? 0.0 : 1.0 / rate, &largest );
        bool onKey = rate <= 60.0 || i % (int32_t)( rate / 60.0 ) == 0;
        error = i / rate >= 0.8 && onKey ? fmax( error, off ) : error;
    }
    return error / largest;
}

/// Within 1% from 60 Hz up where the motion between keys is a smooth one. As the file has it, with straight lines
/// between 60 keys a second, a body that is stepped more often follows their corners too, which have up to (pi f /
/// 60)^2 / 3 less of a motion of f Hz in them: printed here, and judged against the same corners by supTestRates.
static void supTestRun( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512], folder[256], smooth[512], out[512];
    assert_true( supTestAssetPath( "mh_human/mh_heavy.glb", in, sizeof( in ) ) );
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( smooth, sizeof( smooth ), "%s/smooth.glb", folder );
    snprintf( out, sizeof( out ), "%s/baked.glb", folder );
    supWriteSmooth( in, smooth );
    for ( int file = 0; file < 2; ++file )
    {
        supBakedFile baked;
        supBakedFileDef def = supDefaultBakedFileDef( file == 0 ? in : smooth, out );
        def.loop = sup_loopOff; // a body on stage begins settled too
        assert_true( supMakeBakedFile( &def, &baked ) );
        int32_t run = supCharacter_FindClip( baked.character, "run" );
        assert_true( run >= 0 );
        static const double rates[] = { 24.0, 30.0, 60.0, 120.0, 240.0 };
        for ( int i = 0; i < 5; ++i )
        {
            double error = supLiveError( &baked, run, rates[i] );
            print_message( "the heavy man's run%s live at %g Hz: %.3g%% of the largest elongation off\n",
                file == 0 ? "" : ", smooth,", rates[i], 100.0 * error );
            bool corners = file == 0 && rates[i] > 60.0; // judged by supTestRates
            assert_true( rates[i] < 60.0 || corners || error <= 0.02 );
        }
        supDropBakedFile( &baked );
    }
    supRemoveTestFolder( folder );
}

/// Plays a clip live; keeps the elongations at every 1/120 s in `out`, elements * frames of them.
static int32_t supPlayLive( supBakedFile* baked, int32_t clip, int32_t rate, supVec3* out, int32_t most )
{
    supTakeInfo take = supTake_Info( baked->takes[clip] );
    int32_t elements = supModel_Info( baked->model )->elementCount, kept = 0;
    supBody_Reset( baked->body );
    for ( int32_t i = 0; take.start + (double)i / rate <= take.end; ++i )
    {
        supPose_Sample( baked->pose, clip, take.start + (double)i / rate );
        supBody_Step(
            baked->body, supPose_Joints( baked->pose ), supMat34_identity, i == 0 ? 0.0f : 1.0f / (float)rate );
        for ( int32_t e = 0; e < elements && i % ( rate / 120 ) == 0 && ( kept + 1 ) * elements <= most; ++e )
        {
            out[kept * elements + e] = supBody_Element( baked->body, e ).elongation;
        }
        kept += i % ( rate / 120 ) == 0;
    }
    return kept;
}

/// Above the rate of the keys a body is handed the straight lines between them, and that is the motion it answers: so
/// the truth there is the same motion in far smaller steps. Within 1%, once the body has a past to learn its speed
/// from.
static void supTestRates( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    enum
    {
        supMost = 16384
    };
    static supVec3 truth[supMost], live[supMost];
    char in[512], folder[256], out[512];
    assert_true( supTestAssetPath( "mh_human/mh_heavy.glb", in, sizeof( in ) ) );
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( out, sizeof( out ), "%s/baked.glb", folder );
    supBakedFile baked;
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    def.loop = sup_loopOff;
    assert_true( supMakeBakedFile( &def, &baked ) );
    int32_t run = supCharacter_FindClip( baked.character, "run" ),
            elements = supModel_Info( baked.model )->elementCount;
    int32_t frames = supPlayLive( &baked, run, 3840, truth, supMost );
    assert_true( frames > 100 && frames * elements <= supMost );
    for ( int32_t rate = 120; rate <= 960; rate *= 2 )
    {
        double worst = 0.0, largest = 0.0;
        assert_int_equal( supPlayLive( &baked, run, rate, live, supMost ), frames );
        for ( int32_t i = 0; i < frames * elements; ++i )
        {
            supVec3 a = truth[i], b = live[i];
            double x = (double)( a.x - b.x ), y = (double)( a.y - b.y ), z = (double)( a.z - b.z );
            double off = sqrt( x * x + y * y + z * z );
            worst = i / elements > 48 ? fmax( worst, off ) : worst; // from 0.4 s on
            largest = fmax( largest, sqrt( (double)( a.x * a.x + a.y * a.y + a.z * a.z ) ) );
        }
        print_message( "live at %d Hz against 3840 Hz: %.3g%% of the largest elongation off\n", (int)rate,
            100.0 * worst / largest );
        assert_true( worst < 0.01 * largest );
    }
    supDropBakedFile( &baked );
    supRemoveTestFolder( folder );
}

// ---------------------------------------------------------------------------------------------------------------
// Coming on stage in mid-run

/// A body that comes on stage at `time` of a clip, after stepping through `before` seconds of it at 60 Hz: how far it
/// is off in the second that follows, against one that has played the clip from its start. Share of the largest
/// elongation.
static double supLateError( supBakedFile* baked, supBody* old, int32_t clip, double time, double before )
{
    static const double rate = 60.0;
    supTakeInfo take = supTake_Info( baked->takes[clip] );
    int32_t now = (int32_t)floor( ( time - take.start ) * rate ), first = now - (int32_t)( before * rate + 0.5 );
    int32_t end = now + 60;
    double largest = 0.0, error = 0.0;
    supBody_Reset( old );
    supBody_Reset( baked->body );
    for ( int32_t i = 0; i <= end && take.start + i / rate <= take.end; ++i )
    {
        supPose_Sample( baked->pose, clip, take.start + i / rate );
        supBody_Step( old, supPose_Joints( baked->pose ), supMat34_identity, i == 0 ? 0.0f : (float)( 1.0 / rate ) );
        if ( i >= first )
        {
            supBody_Step( baked->body, supPose_Joints( baked->pose ), supMat34_identity,
                i == first ? 0.0f : (float)( 1.0 / rate ) );
        }
        for ( int32_t e = 0; i >= now && e < supModel_Info( baked->model )->elementCount; ++e )
        {
            supVec3 a = supBody_Element( old, e ).elongation, b = supBody_Element( baked->body, e ).elongation;
            double x = (double)( a.x - b.x ), y = (double)( a.y - b.y ), z = (double)( a.z - b.z );
            largest = fmax( largest, sqrt( (double)( a.x * a.x + a.y * a.y + a.z * a.z ) ) );
            error = fmax( error, sqrt( x * x + y * y + z * z ) );
        }
    }
    return error / largest;
}

/// The recipe of body.h: what leads up to the moment is stepped through first, and the body comes on stage as if it had
/// always been there. jog_stop is the hard case: what swings on from the run is more than what the stop adds.
static void supTestComingOnStage( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char in[512], folder[256], out[512];
    assert_true( supTestAssetPath( "mh_human/mh_heavy.glb", in, sizeof( in ) ) );
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( out, sizeof( out ), "%s/baked.glb", folder );
    supBakedFile baked;
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    assert_true( supMakeBakedFile( &def, &baked ) );
    supBody* old = NULL;
    assert_int_equal( supCreateBody( baked.model, &old, NULL ), sup_success );
    int32_t clip = supCharacter_FindClip( baked.character, "jog_stop" );
    assert_true( clip >= 0 );
    static const double warmUps[] = { 0.0, 0.125, 0.25, 0.5, 1.0 };
    double errors[5] = { 0 };
    for ( int i = 0; i < 5; ++i )
    {
        for ( double time = 1.05; time < 1.3; time += 0.05 )
        {
            errors[i] = fmax( errors[i], supLateError( &baked, old, clip, time, warmUps[i] ) );
        }
        print_message( "on stage in mid-run after %.2f s of the clip: %.2g%% of the largest elongation off\n",
            warmUps[i], 100.0 * errors[i] );
    }
    assert_true( errors[0] > 0.1 ); // it matters
    assert_true( errors[3] < 0.4 * errors[0] && errors[4] < 0.03 );
    supDestroyBody( old );
    supDropBakedFile( &baked );
    supRemoveTestFolder( folder );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestRun ),
        cmocka_unit_test( supTestRates ),
        cmocka_unit_test( supTestComingOnStage ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
