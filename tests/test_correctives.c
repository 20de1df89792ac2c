// Sculpted examples: what comes back, what lies between, what is refused.
#include "support/knee_examples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double sup_degree = 3.14159265358979323846 / 180.0;
static const supVec3 sup_right = { 90.0f, 0.0f, 0.0f };

static supVec3 sup_places[supKneeVertices], sup_other[supKneeVertices];

// ---------------------------------------------------------------------------------------------------------------

/// Three posed sculpts of one knee, bent, bent little, bent and twisted; each comes back at its own pose.
static void supTestReturn( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const double poses[3][2] = { { 90.0, 0.0 }, { 40.0, 0.0 }, { 100.0, 35.0 } };
    static int32_t vertices[supKneeVertices];
    static supVec3 moves[3][supKneeVertices], targets[3][supKneeVertices];
    supModel* plain = NULL;
    supBody* smooth = supBodyWith( character, NULL, 0, &plain );
    supVertexValues lists[3];
    supVec3 turns[3] = { { 90.0f, 0.0f, 0.0f }, { 40.0f, 0.0f, 0.0f } };
    supExampleDef defs[3];
    static const char* const names[3] = { "bent", "little", "twisted" };
    for ( int e = 0; e < 3; ++e )
    {
        supShowKnee( smooth, poses[e][0] * sup_degree, poses[e][1] * sup_degree, targets[e] );
        for ( int v = 0; v < supKneeVertices; ++v )
        {
            supVec3* p = targets[e] + v;
            double s = 0.05 * sin( 7.0 * v + e );
            vertices[v] = v;
            moves[e][v] = ( supVec3 ){ (float)s, (float)( 0.04 * cos( 3.0 * v ) ), 0.03f * (float)( e + 1 ) };
            *p = ( supVec3 ){ p->x + moves[e][v].x, p->y + moves[e][v].y, p->z + moves[e][v].z };
        }
        lists[e] = ( supVertexValues ){ "Leg", 0, supKneeVertices, vertices, (const float*)moves[e] };
        defs[e] = supShinExample( names[e], turns + e );
        defs[e].moves = ( supVertexValueList ){ 1, lists + e, supCharacter_Info( character )->fingerprint };
        defs[e].space = sup_examplePosed;
    }
    // the third as a rotation vector: about x after about y
    double cx = cos( 50.0 * sup_degree ), sx = sin( 50.0 * sup_degree ), cy = cos( 17.5 * sup_degree ),
           sy = sin( 17.5 * sup_degree );
    double w = cx * cy, x = sx * cy, y = cx * sy, z = sx * sy, length = sqrt( x * x + y * y + z * z );
    double angle = 2.0 * atan2( length, w ) / sup_degree;
    turns[2] =
        ( supVec3 ){ (float)( x / length * angle ), (float)( y / length * angle ), (float)( z / length * angle ) };
    supModel* model = NULL;
    supBody* body = supBodyWith( character, defs, 3, &model );
    double size = (double)supCharacter_Info( character )->size, worst = 0.0;
    for ( int e = 0; e < 3; ++e )
    {
        supShowKnee( body, poses[e][0] * sup_degree, poses[e][1] * sup_degree, sup_places );
        worst = fmax( worst, supFarthestOf( sup_places, targets[e] ) / size );
    }
    printf( "examples come back to %.2g of the size\n", worst );
    assert_true( worst < 1e-6 );
    // rest asks for nothing, and half an example's amount is half of it
    supShowKnee( body, 0.0, 0.0, sup_places );
    supShowKnee( smooth, 0.0, 0.0, sup_other );
    assert_true( supFarthestOf( sup_places, sup_other ) < 1e-7 );
    supError error = { 0 };
    assert_int_equal( supBody_SetField( body, supFindLayer( "examples" ), 0, "amount", 0.5f, &error ), sup_success );
    supShowKnee( body, poses[0][0] * sup_degree, 0.0, sup_places );
    supShowKnee( smooth, poses[0][0] * sup_degree, 0.0, sup_other );
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        assert_float_equal( sup_places[v].x - sup_other[v].x, 0.5f * moves[0][v].x, 1e-6 );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

static double supRegion( const supVec3* places, double straight )
{
    return ( supKneeVolume( places ) - straight ) / supKneeRegion() + 1.0;
}

/// One example at 90 degrees, from a morph target: the volume of the joint up to 120.
static void supTestVolume( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supExampleDef def = supShinExample( "knee", &sup_right );
    def.morph = "knee90";
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, &def, 1, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    supShowKnee( smooth, 0.0, 0.0, sup_places );
    double straight = supKneeVolume( sup_places );
    supShowKnee( body, 90.0 * sup_degree, 0.0, sup_places );
    supBentKnee( 90.0 * sup_degree, sup_other );
    assert_true( supFarthestOf( sup_places, sup_other ) < 1e-6 * (double)supCharacter_Info( character )->size );
    double own = supRegion( sup_places, straight );
    assert_float_equal( own, 1.0, 2e-3 ); // the sculpt keeps its volume, but for its facets
    double worst = 0.0;
    printf( "bend  examples  linear    dual quaternions: volume of the joint\n" );
    for ( int bend = 0; bend <= 120; bend += 10 )
    {
        double volumes[3];
        supShowKnee( body, bend * sup_degree, 0.0, sup_places );
        volumes[0] = supRegion( sup_places, straight );
        for ( int method = 0; method < 2; ++method )
        {
            supBody_SetSkinning( smooth, (supSkinning)method );
            supShowKnee( smooth, bend * sup_degree, 0.0, sup_places );
            volumes[1 + method] = supRegion( sup_places, straight );
        }
        double line = 1.0 + ( own - 1.0 ) * bend / 90.0;
        printf( "%4d  %.4f    %.4f    %.4f\n", bend, volumes[0], volumes[1], volumes[2] );
        worst = fmax( worst, fabs( volumes[0] / line - 1.0 ) );
    }
    printf( "farthest from the example's line: %.2f%%\n", 100.0 * worst );
    assert_true( worst < 0.05 );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

/// The largest second difference of any vertex, a square degree, of a sweep from -150 to 150 degrees. `less`: only of
/// what is added to this one's skin; NULL: of all of it.
static double supLargestBend( supBody* body, supBody* less, double step )
{
    static supVec3 past[3][supKneeVertices], smooth[supKneeVertices];
    double most = 0.0;
    int count = (int)lround( 300.0 / step );
    for ( int i = 0; i <= count; ++i )
    {
        double bend = ( -150.0 + step * i ) * sup_degree, twist = 0.3 * sin( 0.02 * step * i );
        supShowKnee( body, bend, twist, past[i % 3] );
        if ( less != NULL )
        {
            supShowKnee( less, bend, twist, smooth );
        }
        for ( int v = 0; v < supKneeVertices && less != NULL; ++v )
        {
            supVec3* p = past[i % 3] + v;
            *p = ( supVec3 ){ p->x - smooth[v].x, p->y - smooth[v].y, p->z - smooth[v].z };
        }
        const supVec3 *a = past[i % 3], *b = past[( i + 2 ) % 3], *c = past[( i + 1 ) % 3];
        for ( int v = 0; v < supKneeVertices && i >= 2; ++v )
        {
            double x = (double)a[v].x - 2.0 * b[v].x + c[v].x, y = (double)a[v].y - 2.0 * b[v].y + c[v].y,
                   z = (double)a[v].z - 2.0 * b[v].z + c[v].z;
            most = fmax( most, sqrt( x * x + y * y + z * z ) / ( step * step ) );
        }
    }
    return most;
}

/// Through the whole range no vertex jumps: accelerations stay what they are when the steps get finer. A jump would
/// make them four times as large with half the step, a kink twice.
static void supTestSweep( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 turns[2] = { { 90.0f, 0.0f, 0.0f }, { 50.0f, 20.0f, 0.0f } };
    supExampleDef defs[2] = { supShinExample( "right", turns ), supShinExample( "turned", turns + 1 ) };
    defs[0].morph = "knee90";
    defs[1].force = ( supVec3 ){ 0.0f, 0.0f, 0.02f };
    defs[1].forceFrom = 0.3f;
    defs[1].forceTo = 0.7f;
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, defs, 2, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    double all = supLargestBend( body, NULL, 2.0 ), own = supLargestBend( smooth, NULL, 2.0 );
    double coarse = supLargestBend( body, smooth, 4.0 ), fine = supLargestBend( body, smooth, 2.0 );
    printf(
        "largest acceleration, m a square degree: %.3g, of smooth skin %.3g; of the correction alone %.3g with steps "
        "of 2 degrees, %.3g with 4\n",
        all, own, fine, coarse );
    assert_true( fine < 1.6 * coarse );
    assert_true( fine < 0.003 && all < 0.003 );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

/// A force all along moves the middle of the part by what it says, and its ends not at all; at a point twice as far.
static void supTestForce( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    supExampleDef def = supShinExample( "pulled", &sup_right );
    def.force = ( supVec3 ){ 0.02f, 0.0f, 0.0f };
    def.nodes = 201.0f;
    float size = supCharacter_Info( character )->size;
    for ( int point = 0; point < 2; ++point )
    {
        def.forceFrom = point == 0 ? 0.0f : 0.5f;
        def.forceTo = point == 0 ? 1.0f : 0.5f;
        supModel *model = NULL, *plain = NULL;
        supBody *body = supBodyWith( character, &def, 1, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
        supShowKnee( body, 90.0 * sup_degree, 0.0, sup_places );
        supShowKnee( smooth, 90.0 * sup_degree, 0.0, sup_other );
        // a clamped beam: F x^2 ( 1 - x )^2 / 24 all along, and F / 192 under a point load
        for ( int r = 0; r < supKneeRings; r += 5 )
        {
            double along = ( -0.2 + 2.4 * r / ( supKneeRings - 1 ) ) / 2.0, x = fmin( fmax( along, 0.0 ), 1.0 );
            x = fmin( x, 1.0 - x );
            double all = 16.0 * x * x * ( 1.0 - x ) * ( 1.0 - x ), at = 384.0 * x * x * ( 3.0 - 4.0 * x ) / 48.0;
            double moved = (double)( sup_places[r * supKneeAround].x - sup_other[r * supKneeAround].x );
            assert_float_equal( moved, (double)( 0.02f * size ) * ( point == 0 ? all : at ), 2e-4 * (double)size );
        }
        supDestroyBody( body );
        supDestroyModel( model );
        supDestroyBody( smooth );
        supDestroyModel( plain );
    }
    supDestroyCharacter( character );
}

static void supExpect( const supCharacter* character, const supExampleDef* defs, int32_t count, const char* words )
{
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_not_equal( supTryExamples( character, defs, count, &model, &error ), sup_success );
    assert_null( model );
    if ( strncmp( error.text, words, strlen( words ) ) != 0 )
    {
        fail_msg( "\"%s\", not \"%s\"", error.text, words );
    }
}

static void supTestRefusals( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 near = { 90.0f, 0.0f, 0.001f };
    static const char* const wrong[] = { "shim" };
    supExampleDef defs[2] = { supShinExample( "one", &sup_right ), supShinExample( "two", &near ) };
    defs[0].morph = defs[1].morph = "knee90";
    supExpect( character, defs, 2, "examples[1]: examples \"one\" and \"two\"" );
    supExampleDef def = defs[0];
    def.joints = ( supNameList ){ 1, wrong };
    supExpect( character, &def, 1, "examples[0].joints[0]: no joint \"shim\"; did you mean \"shin\"" );
    def = defs[0];
    def.morph = "knee9";
    supExpect( character, &def, 1, "examples[0].morph: no morph target \"knee9\"; did you mean \"knee90\"" );
    def = defs[0];
    def.nodes = 4.0f;
    supExpect( character, &def, 1, "examples[0].nodes: 4 is below 5" );
    def = defs[0];
    def.a1.y = NAN;
    supExpect( character, &def, 1, "examples[0].a1[1]: not a number" );
    def = defs[0];
    def.nodes = 5.0f;
    def.a2.z = 32.0f; // 4 * 16 * sin( pi / 4 )^2
    supExpect( character, &def, 1,
        "examples[0].a2[2]: a2 32 is not below 4 N^2 sin^2(pi/N) a1 = 32 for the 4 intervals of this curve: it would buckle" );
    def.a2.z = 31.999f;
    supModel* model = NULL;
    assert_int_equal( supTryExamples( character, &def, 1, &model, NULL ), sup_success );
    supDestroyModel( model );
    def = defs[0];
    const supVec3 lost = { 90.0f, NAN, 0.0f };
    def.pose.points = &lost;
    supExpect( character, &def, 1, "examples[0].pose[0][1]: not a number" );
    def = defs[0];
    def.part = ( supNameList ){ 1, wrong };
    supExpect( character, &def, 1, "examples[0].part[0]: no joint \"shim\"; did you mean \"shin\"" );
    static const char* const twice[] = { "shin", "shin" };
    def.part = ( supNameList ){ 2, twice };
    supExpect( character, &def, 1, "examples[0].part[1]: \"shin\" is listed twice" );
    def = defs[0];
    def.clip = "bend";
    supExpect( character, &def, 1, "examples[0]: it has two poses" );
    def.pose.count = 0;
    def.clip = "bent";
    supExpect( character, &def, 1, "examples[0].clip: no clip \"bent\"; did you mean \"bend\"" );
    const supVec3 moves[1] = { { NAN, 0.0f, 0.0f } }, none = { 0.0f, 0.0f, 0.0f };
    const int32_t vertices[1] = { 3 };
    supVertexValues list = { "Leg", 0, 1, vertices, (const float*)moves };
    def = defs[0];
    def.moves = ( supVertexValueList ){ 1, &list, supCharacter_Info( character )->fingerprint };
    supExpect( character, &def, 1, "examples[0].moves.meshes[0].moves[0][0]: not a number" );
    list.values = (const float*)&none;
    def.moves.fingerprint += 1;
    supExpect( character, &def, 1, "examples[0].moves: made for another mesh" );
    def = defs[0];
    def.shape = ( supSculpt ){ .file = "knee.obj", .count = 1, .points = &none };
    supExpect( character, &def, 1, "examples[0].shape: \"knee.obj\" has 1 vertices, but the character has 7730" );
    def.pose.points = &none;
    def.shape = ( supSculpt ){ 0 };
    supExpect( character, &def, 1, "examples[0]: " ); // rest is no example
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestReturn ),
        cmocka_unit_test( supTestVolume ),
        cmocka_unit_test( supTestSweep ),
        cmocka_unit_test( supTestForce ),
        cmocka_unit_test( supTestRefusals ),
    };
    return cmocka_run_group_tests_name( "correctives", tests, NULL, NULL );
}
