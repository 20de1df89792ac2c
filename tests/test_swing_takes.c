// Modes along a clip: the take's closed form against a body that is stepped finely along the very same path, a spline
// through the clip's keys that is worked out here once more.

#include "base/math.h"
#include "rig/layer_list.h"
#include "supple/bake.h"
#include "supple/lab/items.h"
#include "support/bake_bar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supKeyCount = 31, ///< of a clip of one second
    supRate = 3840    ///< of the body that is stepped. Hz
};

/// Moves and turns about two axes at once: for modes that shift.
static void supShake( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    translation[0] = 0.1 * sin( 2.0 * SUP_PI * time ) + 0.01 * sin( 10.0 * SUP_PI * time );
    translation[1] = 0.03 * ( 1.0 - cos( 4.0 * SUP_PI * time ) );
    rotation[0] = 0.2 * sin( 4.0 * SUP_PI * time );
    rotation[2] = 0.1 * sin( 6.0 * SUP_PI * time );
}

/// Turns about one axis, where the way that it has turned is its angle: for modes that turn.
static void supTwist( double time, double translation[3], double rotation[3], const void* user )
{
    (void)user;
    (void)translation;
    rotation[1] = 0.3 * sin( 4.0 * SUP_PI * time ) + 0.02 * sin( 10.0 * SUP_PI * time );
}

/// The bar at 30 linear keys a second with one mode, its own flesh switched off.
static void supBuildSwingBar( supBar* bar, supModeMotion motion, float frequency, supModePattern pattern )
{
    supInitBar( bar );
    bar->root = motion == sup_modeTurn ? supTwist : supShake;
    bar->fps = supKeyCount - 1;
    bar->element.amount = 0.0f;
    bar->element.sag = 0.0f;
    supBuildBar( bar );
    supDestroyModel( bar->model );
    supModeDef mode = supDefaultModeDef();
    mode.element = bar->element.name;
    mode.motion = motion;
    mode.pattern = pattern;
    mode.frequency = frequency;
    mode.dampingRatio = 0.1f;
    mode.limit = 10.0f;
    mode.limitAngle = 3.0f;
    supRig* rig = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &bar->element, &error ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerModes, &mode, &error ), sup_success );
    assert_int_equal( supCompileModel( bar->character, rig, &bar->model, &error ), sup_success );
    supDestroyRig( rig );
}

// ---------------------------------------------------------------------------------------------------------------
// The path

/// Twelve numbers a key, of the root's matrix, or its angle and zeros; and their second derivatives.
typedef struct supKeyPath
{
    double x[supKeyCount][12], m[supKeyCount][12];
} supKeyPath;

/// By relaxation, which for a spline's equations halves the error at least with every round.
static void supBend( supKeyPath* path )
{
    double h = 1.0 / ( supKeyCount - 1 );
    memset( path->m, 0, sizeof( path->m ) );
    for ( int round = 0; round < 200; ++round )
    {
        for ( int i = 1; i + 1 < supKeyCount; ++i )
        {
            for ( int k = 0; k < 12; ++k )
            {
                double second = ( path->x[i + 1][k] - 2.0 * path->x[i][k] + path->x[i - 1][k] ) / ( h * h );
                path->m[i][k] = 1.5 * second - 0.25 * ( path->m[i - 1][k] + path->m[i + 1][k] );
            }
        }
        memcpy( path->m[0], path->m[1], sizeof( path->m[0] ) );
        memcpy( path->m[supKeyCount - 1], path->m[supKeyCount - 2], sizeof( path->m[0] ) );
    }
}

static double supPathAt( const supKeyPath* path, double time, int k )
{
    double h = 1.0 / ( supKeyCount - 1 );
    int i = (int)( time / h );
    i = i > supKeyCount - 2 ? supKeyCount - 2 : i;
    double b = time / h - i, a = 1.0 - b;
    double bend = ( a * a * a - a ) * path->m[i][k] + ( b * b * b - b ) * path->m[i + 1][k];
    return a * path->x[i][k] + b * path->x[i + 1][k] + bend * h * h / 6.0;
}

static supKeyPath supMakePath( const supBar* bar, supModeMotion motion )
{
    supKeyPath path = { 0 };
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( bar->character, NULL, &pose, NULL ), sup_success );
    for ( int i = 0; i < supKeyCount; ++i )
    {
        supPose_Sample( pose, 0, bar->times[i] );
        supMat34 root = supPose_Joints( pose )[0];
        const supVec3 columns[4] = { root.x, root.y, root.z, root.t };
        for ( int c = 0; c < 4; ++c )
        {
            path.x[i][3 * c] = columns[c].x;
            path.x[i][3 * c + 1] = columns[c].y;
            path.x[i][3 * c + 2] = columns[c].z;
        }
        if ( motion == sup_modeTurn )
        {
            memset( path.x[i], 0, sizeof( path.x[i] ) );
            path.x[i][0] = atan2( root.z.x, root.z.z );
        }
    }
    supBend( &path );
    supDestroyPose( pose );
    return path;
}

static void supJointsAt( const supKeyPath* path, supModeMotion motion, double time, supMat34 joints[3] )
{
    double v[12];
    for ( int k = 0; k < 12; ++k )
    {
        v[k] = supPathAt( path, time, k );
    }
    supMat34d root = { { v[0], v[1], v[2] }, { v[3], v[4], v[5] }, { v[6], v[7], v[8] }, { v[9], v[10], v[11] } };
    if ( motion == sup_modeTurn )
    {
        root = supMatFromQuatD( supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 1.0, 0.0 }, v[0] ) );
    }
    joints[0] = joints[1] = joints[2] = supMatToFloat( root );
    joints[2].t = supAdd( joints[2].t, joints[2].y );
}

// ---------------------------------------------------------------------------------------------------------------
// Take and body

static supBody* supExactBody( const supBar* bar )
{
    supBody* body = NULL;
    assert_int_equal( supCreateBody( bar->model, &body, NULL ), sup_success );
    supBody_SetExact( body, true );
    return body;
}

/// The largest difference of any vertex over the clip, as a share of the largest displacement. The first tenth is left
/// out for the body, which must find out how fast the anchor is under way.
static double supStepped( supModeMotion motion, float frequency, supModePattern pattern )
{
    supBar bar;
    supBuildSwingBar( &bar, motion, frequency, pattern );
    supKeyPath path = supMakePath( &bar, motion );
    supTake* take = supBarTake( &bar, sup_loopOff, sup_endsFree );
    supBody *stepped = supExactBody( &bar ), *shown = supExactBody( &bar );
    supVec3 a[SUP_BAR_VERTICES], b[SUP_BAR_VERTICES], smooth[SUP_BAR_VERTICES];
    double worst = 0.0, largest = 0.0;
    for ( int n = 0; n <= supRate; ++n )
    {
        double time = (double)n / supRate;
        supMat34 joints[3];
        supJointsAt( &path, motion, time, joints );
        float dt = n == 0 ? 0.0f : 1.0f / supRate;
        assert_int_equal( supBody_Step( stepped, joints, supMat34_identity, dt ), sup_success );
        if ( n % 7 == 0 && n > supRate / 10 )
        {
            assert_int_equal( supTake_Show( take, time, joints, shown ), sup_success );
            supBody_Skin( stepped, &a[0].x, NULL );
            supBody_Skin( shown, &b[0].x, NULL );
            supBody_SmoothSkin( shown, &smooth[0].x, NULL );
            for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
            {
                worst = fmax( worst, (double)supDistance( a[v], b[v] ) );
                largest = fmax( largest, (double)supDistance( b[v], smooth[v] ) );
            }
        }
    }
    print_message( "%s at %g Hz, %s: up to %.3g m, take and body differ by %.2g m, %.3f%%\n",
        motion == sup_modeTurn ? "turn" : "shift", (double)frequency, pattern == sup_patternEven ? "even" : "along",
        largest, worst, 100.0 * worst / largest );
    assert_true( largest > 1e-6 );
    supDestroyBody( stepped );
    supDestroyBody( shown );
    supDestroyTake( take );
    supFreeBar( &bar );
    return worst / largest;
}

static void supTestClosedForm( void** state )
{
    (void)state;
    static const float frequencies[] = { 5.0f, 10.0f, 20.0f, 40.0f, 80.0f };
    for ( size_t i = 0; i < sizeof( frequencies ) / sizeof( frequencies[0] ); ++i )
    {
        assert_true( supStepped( sup_modeShift, frequencies[i], sup_patternEven ) < 5e-3 );
        assert_true( supStepped( sup_modeShift, frequencies[i], sup_patternAlong ) < 5e-3 );
        assert_true( supStepped( sup_modeTurn, frequencies[i], sup_patternEven ) < 5e-3 );
    }
}

/// The largest displacement of any vertex at a time.
static double supShownAt( const supBar* bar, const supTake* take, double time )
{
    supBody* body = supExactBody( bar );
    supPose* pose = NULL;
    supVec3 living[SUP_BAR_VERTICES], smooth[SUP_BAR_VERTICES];
    double largest = 0.0;
    assert_int_equal( supCreatePose( bar->character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, time );
    assert_int_equal( supTake_Show( take, time, supPose_Joints( pose ), body ), sup_success );
    supBody_Skin( body, &living[0].x, NULL );
    supBody_SmoothSkin( body, &smooth[0].x, NULL );
    for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
    {
        largest = fmax( largest, (double)supDistance( living[v], smooth[v] ) );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return largest;
}

/// A clip that ends at rest has modes at rest too, and is as it was up to half a second before.
static void supTestEndsAtRest( void** state )
{
    (void)state;
    for ( int motion = 0; motion < 2; ++motion )
    {
        supBar bar;
        supBuildSwingBar( &bar, (supModeMotion)motion, 4.0f, sup_patternEven );
        supTake* ends[2] = { supBarTake( &bar, sup_loopOff, sup_endsFree ),
            supBarTake( &bar, sup_loopOff, sup_endsRest ) };
        double before = supShownAt( &bar, ends[0], 0.49 ), last = supShownAt( &bar, ends[0], 1.0 );
        assert_true( last > 1e-3 );
        assert_true( supShownAt( &bar, ends[1], 1.0 ) == 0.0 );
        assert_true( supShownAt( &bar, ends[1], 0.49 ) == before );
        double middle = supShownAt( &bar, ends[0], 0.75 );
        assert_true( fabs( supShownAt( &bar, ends[1], 0.75 ) - 0.5 * middle ) < 0.02 * middle );
        supDestroyTake( ends[0] );
        supDestroyTake( ends[1] );
        supFreeBar( &bar );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestClosedForm ),
        cmocka_unit_test( supTestEndsAtRest ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
