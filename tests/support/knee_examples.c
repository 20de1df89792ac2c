#include "support/knee_examples.h"
#include "supple/lab/states.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

supExampleDef supShinExample( const char* name, const supVec3* pose )
{
    static const char* const shin[] = { "shin" };
    supExampleDef def = supDefaultExampleDef();
    def.name = name;
    def.joints = ( supNameList ){ 1, shin };
    def.pose = ( supPointList ){ 1, pose };
    return def;
}

supResult supTryExamples(
    const supCharacter* character, const supExampleDef* defs, int32_t count, supModel** model, supError* error )
{
    supRig* rig = NULL;
    *model = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supResult result = sup_success;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supRig_AddItem( rig, supFindLayer( "examples" ), defs + i, error );
    }
    result = result == sup_success ? supCompileModel( character, rig, model, error ) : result;
    supDestroyRig( rig );
    return result;
}

supBody* supBodyWith( const supCharacter* character, const supExampleDef* defs, int32_t count, supModel** model )
{
    supError error = { 0 };
    supBody* body = NULL;
    if ( supTryExamples( character, defs, count, model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    assert_int_equal( supCreateBody( *model, &body, &error ), sup_success );
    return body;
}

void supShowJoints( supBody* body, const supMat34* joints, supVec3 places[supKneeVertices] )
{
    assert_int_equal( supBody_Step( body, joints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &places[0].x, NULL );
}

void supShowKnee( supBody* body, double bend, double twist, supVec3 places[supKneeVertices] )
{
    supMat34 joints[3];
    supPoseKnee( supModel_Info( supBody_Model( body ) )->character, bend, twist, joints );
    supShowJoints( body, joints, places );
}

double supFarthestOf( const supVec3* a, const supVec3* b )
{
    double most = 0.0;
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        double x = (double)a[v].x - b[v].x, y = (double)a[v].y - b[v].y, z = (double)a[v].z - b[v].z;
        most = fmax( most, sqrt( x * x + y * y + z * z ) );
    }
    return most;
}
