// Which poses call for which examples: swing and twist, several joints, edited frames; and forces on a stretch.
#include "supple/creatures.h"
#include "supple/lab/drawing.h"
#include "support/knee_examples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double sup_degree = 3.14159265358979323846 / 180.0;
static supVec3 sup_places[supKneeVertices], sup_other[supKneeVertices];

/// All vertices, moved alike.
typedef struct supEven
{
    int32_t vertices[supKneeVertices];
    supVec3 moves[supKneeVertices];
    supVertexValues list;
} supEven;

static supVertexValueList supMoveEvenly( supEven* even, const supCharacter* character, supVec3 move )
{
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        even->vertices[v] = v;
        even->moves[v] = move;
    }
    even->list = ( supVertexValues ){ "Leg", 0, supKneeVertices, even->vertices, (const float*)even->moves };
    return ( supVertexValueList ){ 1, &even->list, supCharacter_Info( character )->fingerprint };
}

/// How far the farthest thigh vertex (which does not turn) has gone along an axis.
static float supThighMoved( const supVec3* skin, const supVec3* smooth, int axis )
{
    // ring 0 hangs on the thigh alone
    return ( &skin[0].x )[axis] - ( &smooth[0].x )[axis];
}

/// A bend is not a twist: each calls for its own example alone, and both at once for both.
static void supTestSwingAndTwistApart( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 turns[2] = { { 80.0f, 0.0f, 0.0f }, { 0.0f, 60.0f, 0.0f } };
    static supEven evens[2];
    supExampleDef defs[2] = { supShinExample( "bent", turns ), supShinExample( "twisted", turns + 1 ) };
    defs[0].moves = supMoveEvenly( evens, character, ( supVec3 ){ 0.1f, 0.0f, 0.0f } );
    defs[1].moves = supMoveEvenly( evens + 1, character, ( supVec3 ){ 0.0f, 0.0f, 0.1f } );
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, defs, 2, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    const double poses[4][4] = { { 80.0, 0.0, 0.1, 0.0 }, { 0.0, 60.0, 0.0, 0.1 }, { 80.0, 60.0, 0.1, 0.1 },
        { 0.0, 0.0, 0.0, 0.0 } };
    for ( int i = 0; i < 4; ++i )
    {
        supShowKnee( body, poses[i][0] * sup_degree, poses[i][1] * sup_degree, sup_places );
        supShowKnee( smooth, poses[i][0] * sup_degree, poses[i][1] * sup_degree, sup_other );
        assert_float_equal( supThighMoved( sup_places, sup_other, 0 ), poses[i][2], 1e-6 );
        assert_float_equal( supThighMoved( sup_places, sup_other, 2 ), poses[i][3], 1e-6 );
    }
    // the bent one alone: no twist changes it, either way round
    supDestroyBody( body );
    supDestroyModel( model );
    body = supBodyWith( character, defs, 1, &model );
    for ( int twist = -90; twist <= 90; twist += 30 )
    {
        supShowKnee( body, 80.0 * sup_degree, twist * sup_degree, sup_places );
        supShowKnee( smooth, 80.0 * sup_degree, twist * sup_degree, sup_other );
        assert_float_equal( supThighMoved( sup_places, sup_other, 0 ), 0.1, 1e-6 );
    }
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

/// The shin bent, and the foot turned about x against it.
static void supPoseBoth( const supCharacter* character, double shin, double foot, supMat34 joints[3] )
{
    supPoseKnee( character, shin * sup_degree, 0.0, joints );
    float c = (float)cos( ( shin + foot ) * sup_degree ), s = (float)sin( ( shin + foot ) * sup_degree );
    joints[2].y = ( supVec3 ){ 0.0f, c, s };
    joints[2].z = ( supVec3 ){ 0.0f, -s, c };
}

/// Two joints drive one set of examples: each is itself where both joints are as it has them, and nothing at the
/// others' poses.
static void supTestSeveralJoints( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    static const char* const both[] = { "shin", "foot" };
    static const double poses[3][2] = { { 90.0, 0.0 }, { 90.0, 40.0 }, { 20.0, -50.0 } };
    static const supVec3 moves[3] = { { 0.1f, 0.0f, 0.0f }, { 0.0f, 0.1f, 0.0f }, { 0.0f, 0.0f, 0.1f } };
    static supEven evens[3];
    supVec3 turns[3][2];
    supExampleDef defs[3];
    static const char* const names[3] = { "one", "two", "three" };
    for ( int e = 0; e < 3; ++e )
    {
        turns[e][0] = ( supVec3 ){ (float)poses[e][0], 0.0f, 0.0f };
        turns[e][1] = ( supVec3 ){ (float)poses[e][1], 0.0f, 0.0f };
        defs[e] = supShinExample( names[e], NULL );
        defs[e].joints = ( supNameList ){ 2, both };
        defs[e].pose = ( supPointList ){ 2, turns[e] };
        defs[e].moves = supMoveEvenly( evens + e, character, moves[e] );
    }
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, defs, 3, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    supMat34 joints[3];
    for ( int e = 0; e < 3; ++e )
    {
        supPoseBoth( character, poses[e][0], poses[e][1], joints );
        supShowJoints( body, joints, sup_places );
        supShowJoints( smooth, joints, sup_other );
        for ( int axis = 0; axis < 3; ++axis )
        {
            assert_float_equal( supThighMoved( sup_places, sup_other, axis ), axis == e ? 0.1 : 0.0, 1e-6 );
        }
    }
    // halfway from the first to the second both take part
    supPoseBoth( character, 90.0, 20.0, joints );
    supShowJoints( body, joints, sup_places );
    supShowJoints( smooth, joints, sup_other );
    float first = supThighMoved( sup_places, sup_other, 0 ), second = supThighMoved( sup_places, sup_other, 1 );
    assert_true( first > 0.03f && first < 0.07f && second > 0.03f && second < 0.07f );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

/// A frame of the corrected character, edited again, becomes a further example; the first one stays what it is.
static void supTestEditedFrame( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 right = { 90.0f, 0.0f, 0.0f };
    supExampleDef defs[2] = { supShinExample( "right", &right ), supShinExample( "edited", NULL ) };
    defs[0].morph = "knee90";
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, defs, 1, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    static supVec3 edited[supKneeVertices];
    static supEven even;
    supShowKnee( body, 50.0 * sup_degree, 0.0, edited ); // 0.5 s of the clip
    supShowKnee( smooth, 50.0 * sup_degree, 0.0, sup_other );
    defs[1].moves = supMoveEvenly( &even, character, supVec3_zero );
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        edited[v].x += (float)( 0.03 * sin( 5.0 * (double)edited[v].y ) ); // the animator's hand
        even.moves[v] =
            ( supVec3 ){ edited[v].x - sup_other[v].x, edited[v].y - sup_other[v].y, edited[v].z - sup_other[v].z };
    }
    defs[1].pose.count = 0;
    defs[1].clip = "bend";
    defs[1].time = 0.5f;
    defs[1].space = sup_examplePosed;
    supDestroyBody( body );
    supDestroyModel( model );
    body = supBodyWith( character, defs, 2, &model );
    double size = (double)supCharacter_Info( character )->size;
    supShowKnee( body, 50.0 * sup_degree, 0.0, sup_places );
    double second = supFarthestOf( sup_places, edited ) / size;
    supBentKnee( 90.0 * sup_degree, sup_other );
    supShowKnee( body, 90.0 * sup_degree, 0.0, sup_places );
    double first = supFarthestOf( sup_places, sup_other ) / size;
    printf( "the edited frame comes back to %.2g of the size, the example before it to %.2g\n", second, first );
    assert_true( first < 1e-6 && second < 1e-6 );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCharacter( character );
}

/// How far a clamped beam of length 1 goes at x under a unit force at s; a1 is 1.
static double supGreen( double x, double s )
{
    if ( x > s )
    {
        x = 1.0 - x;
        s = 1.0 - s;
    }
    return x * x * ( 1.0 - s ) * ( 1.0 - s ) * ( 3.0 * s - x * ( 1.0 + 2.0 * s ) ) / 6.0;
}

/// A force on a stretch of the part, on one side of it: against the beam's integral, and how it fades around.
static void supTestForceOnStretch( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 right = { 90.0f, 0.0f, 0.0f };
    supExampleDef def = supShinExample( "pulled", &right );
    def.force = ( supVec3 ){ 0.02f, 0.0f, 0.0f };
    def.nodes = 201.0f;
    def.curves = 48.0f;
    def.forceFrom = 0.25f;
    def.forceTo = 0.45f;
    float size = supCharacter_Info( character )->size;
    for ( int sided = 0; sided < 2; ++sided )
    {
        def.forceAngle = sided == 1 ? 90.0f : NAN;
        def.forceSpread = 60.0f;
        supModel *model = NULL, *plain = NULL;
        supBody *body = supBodyWith( character, &def, 1, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
        supShowKnee( body, 90.0 * sup_degree, 0.0, sup_places );
        supShowKnee( smooth, 90.0 * sup_degree, 0.0, sup_other );
        int moved = 0;
        for ( int r = 10; r < supKneeRings - 10; r += 7 )
        {
            double x = ( -0.2 + 2.4 * r / ( supKneeRings - 1 ) ) / 2.0, truth = 0.0, most = 0.0;
            x = fmin( fmax( x, 0.0 ), 1.0 );
            for ( int k = 0; k < 200; ++k )
            {
                truth += 0.001 * supGreen( x, 0.25 + 0.001 * ( k + 0.5 ) );
            }
            truth *= 384.0 * (double)( 0.02f * size );
            for ( int a = 0; a < supKneeAround; ++a )
            {
                int v = r * supKneeAround + a;
                double own = (double)( sup_places[v].x - sup_other[v].x );
                most = fmax( most, own );
                moved += own > 0.1 * truth ? 1 : 0;
                assert_true( sided == 1 || fabs( own - truth ) < 0.01 * (double)( 0.02f * size ) );
            }
            assert_true( fabs( most - truth ) < 0.01 * (double)( 0.02f * size ) );
        }
        // cos^2 over 60 degrees to either side is above a tenth on 0.27 of the way around
        double share = moved / (double)( supKneeAround * ( ( supKneeRings - 20 + 6 ) / 7 ) );
        printf( sided == 1 ? "one side: %.2f of the vertices moved\n" : "all around: %.2f\n", share );
        assert_true( sided == 1 ? share > 0.2 && share < 0.35 : share > 0.9 );
        supDestroyBody( body );
        supDestroyModel( model );
        supDestroyBody( smooth );
        supDestroyModel( plain );
    }
    supDestroyCharacter( character );
}

static void supCountLine( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    (void)from;
    (void)to;
    (void)color;
    (void)width;
    *(int*)user += 1;
}

/// A part that forks: trunk and both arms, a patch each, all bent by the force; between them nothing tears.
static void supTestForkedPart( void** state )
{
    (void)state;
    supCreature* woman = NULL;
    assert_int_equal( supCreateCreature( "woman", NULL, &woman, NULL ), sup_success );
    const supCharacter* character = supCreature_Character( woman );
    static const char* const elbow[] = { "lowerArm.L" };
    static const char* const part[] = { "lowerArm.R", "chest", "upperArm.L", "hips", "lowerArm.L", "upperArm.R",
        "spine" };
    const supVec3 pose = { 60.0f, 0.0f, 0.0f };
    supExampleDef def = supShinExample( "all", &pose );
    def.joints = ( supNameList ){ 1, elbow };
    def.part = ( supNameList ){ 7, part };
    def.force = ( supVec3 ){ 0.0f, 0.0f, 0.02f };
    def.curves = 12.0f;
    def.nodes = 11.0f;
    supModel *model = NULL, *plain = NULL;
    supBody *body = supBodyWith( character, &def, 1, &model ), *smooth = supBodyWith( character, NULL, 0, &plain );
    supMat34 joints[64];
    memcpy( joints, supCharacter_Info( character )->restJoints,
        sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    supMat34* bent = joints + supCharacter_FindJoint( character, "lowerArm.L" );
    float c = (float)cos( 60.0 * sup_degree ), s = (float)sin( 60.0 * sup_degree );
    bent->y = ( supVec3 ){ 0.0f, c, s };
    bent->z = ( supVec3 ){ 0.0f, -s, c };
    size_t count = (size_t)supCharacter_Info( character )->vertexCount;
    supVec3* skins[2] = { malloc( count * sizeof( supVec3 ) ), malloc( count * sizeof( supVec3 ) ) };
    supBody* bodies[2] = { body, smooth };
    for ( int i = 0; i < 2; ++i )
    {
        assert_int_equal( supBody_Step( bodies[i], joints, supMat34_identity, 0.0f ), sup_success );
        supBody_Skin( bodies[i], &skins[i][0].x, NULL );
    }
    int lines = 0;
    supDraw draw = { .line = supCountLine, .user = &lines };
    supBody_Draw( body, "correctives", &draw );
    assert_in_range( lines, 320, 3 * 12 * 10 ); // some nodes meet no skin: the armpits
    // neighbours are moved nearly alike
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    double size = (double)supCharacter_Info( character )->size, most = 0.0, jump = 0.0;
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        uint32_t a = mesh.indices[i], b = mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
        double own = (double)( skins[0][a].z - skins[1][a].z ), other = (double)( skins[0][b].z - skins[1][b].z );
        most = fmax( most, fabs( own ) );
        jump = fmax( jump, fabs( own - other ) );
    }
    printf( "three patches: moved by up to %.3f of the size, neighbours apart by %.4f\n", most / size, jump / size );
    assert_true( most > 0.015 * size && most < 0.025 * size && jump < 0.4 * most );
    free( skins[0] );
    free( skins[1] );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyBody( smooth );
    supDestroyModel( plain );
    supDestroyCreature( woman );
}

/// What is refused leaves everything as it was: the rig its items, the body its fields.
static void supTestStateKept( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const supVec3 right = { 90.0f, 0.0f, 0.0f };
    supExampleDef def = supShinExample( "knee", &right );
    def.morph = "knee90";
    supModel* model = NULL;
    supBody* body = supBodyWith( character, &def, 1, &model );
    supShowKnee( body, 90.0 * sup_degree, 0.0, sup_places );
    supError error = { 0 };
    assert_int_not_equal( supBody_SetField( body, supFindLayer( "examples" ), 0, "amount", NAN, &error ), sup_success );
    assert_non_null( strstr( error.text, "amount" ) );
    assert_int_not_equal( supBody_SetField( body, supFindLayer( "examples" ), 0, "nodes", 4.0f, &error ), sup_success );
    supShowKnee( body, 90.0 * sup_degree, 0.0, sup_other );
    assert_memory_equal( sup_places, sup_other, sizeof( sup_places ) );
    supRig* rig = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, supFindLayer( "examples" ), &def, &error ), sup_success );
    supExampleDef bad = def;
    bad.name = "bad";
    bad.nodes = 4.0f;
    assert_int_not_equal( supRig_AddItem( rig, supFindLayer( "examples" ), &bad, &error ), sup_success );
    assert_int_equal( supRig_ItemCount( rig, supFindLayer( "examples" ) ), 1 );
    supDestroyRig( rig );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSwingAndTwistApart ),
        cmocka_unit_test( supTestSeveralJoints ),
        cmocka_unit_test( supTestEditedFrame ),
        cmocka_unit_test( supTestForceOnStretch ),
        cmocka_unit_test( supTestForkedPart ),
        cmocka_unit_test( supTestStateKept ),
    };
    return cmocka_run_group_tests_name( "correctives_poses", tests, NULL, NULL );
}
