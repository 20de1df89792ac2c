#include "edited_limb.h"

#include "base/math.h"
#include "rig/layer_list.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

supMusclePoint supPointAt( const char* joint, float x, float y, float z, float size )
{
    supMusclePoint point = supDefaultMusclePoint();
    point.joint = joint;
    point.at = supMakeVec3( x / size, y / size, z / size );
    return point;
}

supMuscleField supFieldAt( supVec3 at, float radius, float size )
{
    supMuscleField field = supDefaultMuscleField();
    field.joint = "bone";
    field.center = supScale( at, 1.0f / size );
    field.radii = supScale( supMakeVec3( 1.0f, 1.2f, 0.9f ), radius / size );
    return field;
}

static void supPut( supRig* rig, int32_t layer, const void* item )
{
    supError error = { 0 };
    if ( supRig_AddItem( rig, layer, item, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

static void supAddMuscles( supRig* rig, float size )
{
    supMuscleDef def = supDefaultMuscleDef();
    supMuscleField bone = supFieldAt( supMakeVec3( 0.0f, 0.5f, 0.0f ), 0.02f, size );
    def.name = "bone";
    def.shape = sup_muscleFiller;
    def.fields = ( supItemList ){ 1, &bone };
    supPut( rig, sup_layerMuscles, &def );

    static const char* const around[1] = { "bone" };
    supMuscleField ball = supFieldAt( supMakeVec3( 0.035f, 0.62f, 0.02f ), 0.012f, size );
    ball.pull = 0.5f;
    ball.solid = false;
    ball.reach = 4.0f;
    supMusclePoint points[3] = { supPointAt( "bone", 0.05f, 0.2f, 0.0f, size ),
        supPointAt( "bone", 0.058f, 0.5f, 0.02f, size ), supPointAt( "tip", 0.05f, -0.15f, 0.0f, size ) };
    points[1].free = true;
    points[1].other = "tip";
    points[1].share = 0.3f;
    def = supDefaultMuscleDef();
    def.name = "biceps";
    def.points = ( supItemList ){ 3, points };
    def.fields = ( supItemList ){ 1, &ball };
    def.around = ( supNameList ){ 1, around };
    def.radius = 0.025f / size;
    def.tendonRadius = 0.006f / size;
    def.activation = 0.2f;
    def.holding = 0.5f;
    def.hold = 1.0f;
    supPut( rig, sup_layerMuscles, &def );

    for ( int k = 0; k < 2; ++k )
    {
        float side = k == 0 ? -0.05f : 0.0f, front = k == 0 ? 0.0f : -0.055f;
        supMusclePoint ends[2] = { supPointAt( "bone", side, 0.15f, front, size ),
            supPointAt( "tip", side, -0.15f, front, size ) };
        supMuscleDef other = supDefaultMuscleDef();
        other.name = k == 0 ? "fan" : "sheet";
        other.shape = k == 0 ? sup_muscleBellies : sup_muscleFlat;
        other.points = ( supItemList ){ 2, ends };
        other.radius = 0.015f / size;
        other.tendonRadius = 0.005f / size;
        other.spreadFrom = 0.03f / size;
        other.spreadTo = 0.015f / size;
        other.segments = 4.0f;
        supPut( rig, sup_layerMuscles, &other );
    }
}

supRig* supMakeEditedRig( const supCharacter* limb )
{
    supRig* rig;
    float size = supCharacter_Info( limb )->size;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supAddMuscles( rig, size );
    supEcorcheDef ecorche = supDefaultEcorcheDef();
    ecorche.rays = 250.0f;
    supPut( rig, sup_layerEcorche, &ecorche );
    supFatDef fat = supDefaultFatDef();
    supSphere ball = { { 0.0f, 0.45f / size, 0.0f }, 0.75f / size };
    const supVec3 lines[2] = { { 0.1f / size, 0.1f / size, 0.0f }, { 0.1f / size, 0.9f / size, 0.0f } };
    fat.joint = "bone";
    fat.spheres = ( supSphereList ){ 1, &ball };
    fat.lines = ( supPointList ){ 2, lines };
    fat.lineStiffness = 2.0f;
    fat.nodes = 400.0f;
    fat.modes = 24.0f;
    fat.mu = 4000.0f;
    supPut( rig, sup_layerFat, &fat );
    return rig;
}

static void supMoment( const supCharacter* limb, double time, supMat34 joints[3], supMat34* world )
{
    memcpy( joints, supCharacter_Info( limb )->restJoints, 3 * sizeof( supMat34 ) );
    joints[2].t.y -= 0.08f * (float)( 1.0 - cos( 7.0 * time ) );
    joints[2].t.x += 0.03f * (float)sin( 5.0 * time );
    *world = supMoved( 0.02f * (float)sin( 22.0 * time ), 0.015f * (float)sin( 17.0 * time ), 0.0f );
}

void supStepAt( const supCharacter* limb, supBody* body, double time, float dt )
{
    supMat34 joints[3], world;
    supMoment( limb, time, joints, &world );
    assert_int_equal( supBody_Step( body, joints, world, dt ), sup_success );
}

void supRun( const supCharacter* limb, supBody* body, int from, int to )
{
    for ( int frame = from; frame < to; ++frame )
    {
        supStepAt( limb, body, frame / 60.0, frame == 0 ? 0.0f : 1.0f / 60.0f );
    }
}

float supSkinsApart( const supBody* a, const supBody* b )
{
    static supVec3 skins[2][SUP_LIMB_VERTICES];
    double sum = 0.0;
    supBody_Skin( a, &skins[0][0].x, NULL );
    supBody_Skin( b, &skins[1][0].x, NULL );
    for ( int v = 0; v < SUP_LIMB_VERTICES; ++v )
    {
        assert_true( supIsFiniteVec3( skins[0][v] ) && supIsFiniteVec3( skins[1][v] ) );
        sum += (double)supLengthSquared( supSub( skins[0][v], skins[1][v] ) );
    }
    return (float)supSqrt( sum / SUP_LIMB_VERTICES );
}
