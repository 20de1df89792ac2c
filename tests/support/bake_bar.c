#include "support/bake_bar.h"

#include "base/math.h"
#include "supple/lab/items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void supInitBar( supBar* bar )
{
    static const char* const ends[] = { "tip" };
    memset( bar, 0, sizeof( *bar ) );
    bar->scale = 1.0;
    bar->end = 1.0;
    bar->fps = 60.0;
    bar->interpolation = sup_interpolationLinear;
    bar->clipName = "motion";
    bar->element = supDefaultElementDef();
    bar->element.name = "flesh";
    bar->element.driver = "trunk";
    bar->element.ends = ( supNameList ){ 1, ends };
    bar->gravity = ( supVec3 ){ 0.0f, -9.81f, 0.0f };
}

static void supFillMesh( const supBar* bar, float* positions, uint16_t* joints, float* weights, uint32_t* indices )
{
    for ( int v = 0; v < SUP_BAR_VERTICES; ++v )
    {
        int ring = v / SUP_BAR_SIDES, side = v % SUP_BAR_SIDES;
        double angle = 2.0 * SUP_PI * side / SUP_BAR_SIDES, y = (double)ring / ( SUP_BAR_RINGS - 1 );
        positions[3 * v] = (float)( bar->scale * 0.25 * supCos( angle ) );
        positions[3 * v + 1] = (float)( bar->scale * y );
        positions[3 * v + 2] = (float)( bar->scale * 0.25 * supSin( angle ) );
        double upper = bar->blended && y > 0.5 ? y - 0.5 : 0.0;
        joints[2 * v] = 0;
        joints[2 * v + 1] = 1;
        weights[2 * v] = (float)( 1.0 - upper );
        weights[2 * v + 1] = 1.0f - weights[2 * v];
    }
    for ( uint32_t ring = 0; ring + 1 < SUP_BAR_RINGS; ++ring )
    {
        for ( uint32_t side = 0; side < SUP_BAR_SIDES; ++side, indices += 6 )
        {
            uint32_t a = ring * SUP_BAR_SIDES + side, b = ring * SUP_BAR_SIDES + ( side + 1 ) % SUP_BAR_SIDES;
            const uint32_t two[6] = { a, a + SUP_BAR_SIDES, b, b, a + SUP_BAR_SIDES, b + SUP_BAR_SIDES };
            memcpy( indices, two, sizeof( two ) );
        }
    }
}

/// Two tracks for a joint that moves. Gives how many were made.
static int supFillTracks( supBar* bar, int joint, supBarMotion* motion, int keys, supTrackDef* tracks )
{
    if ( motion == NULL )
    {
        return 0;
    }
    float* translations = bar->values[joint];
    float* rotations = translations + (size_t)keys * 3;
    for ( int k = 0; k < keys; ++k )
    {
        double translation[3] = { 0.0, 0.0, 0.0 }, turn[3] = { 0.0, 0.0, 0.0 };
        motion( bar->times[k], translation, turn, bar->user );
        translation[1] += joint == 2 ? 1.0 : 0.0;
        supVec3d vector = { turn[0], turn[1], turn[2] };
        supQuatd q = supQuatFromAxisAngleD( supNormalizeD( vector ), supLengthD( vector ) );
        for ( int i = 0; i < 3; ++i )
        {
            translations[3 * k + i] = (float)( bar->scale * translation[i] );
        }
        const float rotation[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
        memcpy( rotations + 4 * (size_t)k, rotation, sizeof( rotation ) );
    }
    tracks[0] = ( supTrackDef ){ joint, sup_pathTranslation, bar->interpolation, keys, bar->times, translations, 3 };
    tracks[1] = ( supTrackDef ){ joint, sup_pathRotation, bar->interpolation, keys, bar->times, rotations, 4 };
    return 2;
}

void supBuildBar( supBar* bar )
{
    static float positions[3 * SUP_BAR_VERTICES], weights[2 * SUP_BAR_VERTICES];
    static uint16_t jointIndices[2 * SUP_BAR_VERTICES];
    static uint32_t indices[6 * ( SUP_BAR_RINGS - 1 ) * SUP_BAR_SIDES];
    supFillMesh( bar, positions, jointIndices, weights, indices );

    supJointDef joints[3] = { { "root", -1, supTransform_identity, NULL, NULL, false },
        { "trunk", 0, supTransform_identity, NULL, NULL, false },
        { "tip", 1, supTransform_identity, NULL, NULL, false } };
    joints[2].rest.translation.y = (float)bar->scale;
    const int32_t skinJoints[2] = { 1, 2 };
    supMat34 inverseBind[2] = { supMat34_identity, supMat34_identity };
    inverseBind[1].t.y = (float)-bar->scale;
    supSkinDef skin = { "bones", 2, skinJoints, inverseBind };
    supMeshDef mesh = { .name = "bar",
        .skin = 0,
        .vertexCount = SUP_BAR_VERTICES,
        .positions = positions,
        .influenceCount = 2,
        .jointIndices = jointIndices,
        .weights = weights,
        .indexCount = (int32_t)( sizeof( indices ) / sizeof( indices[0] ) ),
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };

    int keys = (int)( ( bar->end - bar->start ) * bar->fps + 0.5 ) + 1;
    assert_true( keys <= SUP_BAR_KEYS );
    for ( int k = 0; k < keys; ++k )
    {
        bar->times[k] = (float)( keys > 1 ? bar->start + ( bar->end - bar->start ) * k / ( keys - 1 ) : bar->start );
    }
    supTrackDef tracks[6];
    int count = supFillTracks( bar, 0, bar->root, keys, tracks );
    count += supFillTracks( bar, 1, bar->trunk, keys, tracks + count );
    count += supFillTracks( bar, 2, bar->tip, keys, tracks + count );
    supClipDef clip = { bar->clipName, count, tracks };

    supCharacterDef def = supDefaultCharacterDef();
    def.name = "bar.test";
    def.jointCount = 3;
    def.skinCount = def.meshCount = def.clipCount = 1;
    def.joints = joints;
    def.skins = &skin;
    def.meshes = &mesh;
    def.clips = &clip;
    supError error = { 0 };
    supRig* rig = NULL;
    supResult result = supCreateCharacter( &def, &bar->character, &error );
    result = result == sup_success ? supCreateRig( NULL, &rig, &error ) : result;
    if ( result == sup_success )
    {
        supRig_SetGravity( rig, bar->gravity );
        result = supRig_AddElement( rig, &bar->element, &error );
    }
    result = result == sup_success ? supCompileModel( bar->character, rig, &bar->model, &error ) : result;
    supDestroyRig( rig );
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

void supFreeBar( supBar* bar )
{
    supDestroyModel( bar->model );
    supDestroyCharacter( bar->character );
    bar->model = NULL;
    bar->character = NULL;
}

supTake* supBarTake( const supBar* bar, supLoop loop, supEnds ends )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = bar->model;
    def.loop = loop;
    def.ends = ends;
    supTake* take = NULL;
    supError error = { 0 };
    if ( supCreateTake( &def, &take, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return take;
}

void supWalkBar( const supBar* bar, supVec3 out[SUP_BAR_MOMENTS][SUP_BAR_VERTICES] )
{
    enum
    {
        supCycles = 20,
        supCycleSteps = 240
    };
    supBody* body = NULL;
    supPose* pose = NULL;
    assert_int_equal( supCreateBody( bar->model, &body, NULL ), sup_success );
    assert_int_equal( supCreatePose( bar->character, NULL, &pose, NULL ), sup_success );
    supBody_SetExact( body, true );
    supPose_Sample( pose, 0, 0.0 );
    supMat34 first = supPose_Joints( pose )[0], world = supMat34_identity;
    supPose_Sample( pose, 0, 1.0 );
    supMat34 back;
    assert_true( supInvertMat( first, &back ) );
    supMat34 onwards = supMulMat( supPose_Joints( pose )[0], back );
    for ( int cycle = 0; cycle < supCycles; ++cycle )
    {
        for ( int n = cycle == 0 ? 0 : 1; n <= supCycleSteps; ++n )
        {
            supPose_Sample( pose, 0, (double)n / supCycleSteps );
            assert_int_equal( supBody_Step( body, supPose_Joints( pose ), world, 1.0f / supCycleSteps ), sup_success );
            if ( cycle == supCycles - 1 && n % ( supCycleSteps / SUP_BAR_MOMENTS ) == 0 && n > 0 )
            {
                supBody_Skin( body, &out[n / ( supCycleSteps / SUP_BAR_MOMENTS ) - 1][0].x, NULL );
            }
        }
        world = supMulMat( world, onwards );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
}
