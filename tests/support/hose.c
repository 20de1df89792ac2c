#include "support/hose.h"

#include "base/math.h"
#include "supple/lab/items.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/// The weights of the `influences` nearest joints.
static void supHoseWeights( double y, int influences, uint16_t* joints, float* weights )
{
    double values[supLinks];
    for ( int j = 0; j < supLinks; ++j )
    {
        double off = ( y - 0.2 * j - 0.1 ) / 0.35;
        values[j] = exp( -off * off );
    }
    for ( int k = 0; k < influences; ++k )
    {
        int best = 0;
        for ( int j = 1; j < supLinks; ++j )
        {
            best = values[j] > values[best] ? j : best;
        }
        joints[k] = (uint16_t)best;
        weights[k] = (float)values[best];
        values[best] = -1.0;
    }
}

supHose supMakeHose( int influences, int elements, double scale )
{
    static float positions[3 * supHoseVertices], weights[8 * supHoseVertices], times[supHoseKeys];
    static float rotations[supLinks][4 * supHoseKeys];
    static uint16_t jointIndices[8 * supHoseVertices];
    static uint32_t indices[6 * ( supHoseRings - 1 ) * supHoseSides];
    static const char* const names[supLinks] = { "j0", "j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8", "j9" };
    supJointDef joints[supLinks];
    supMat34 inverseBind[supLinks];
    int32_t skinJoints[supLinks];
    supTrackDef tracks[supLinks];
    for ( int j = 0; j < supLinks; ++j )
    {
        joints[j] = ( supJointDef ){ names[j], j - 1, supTransform_identity, NULL, NULL, false };
        joints[j].rest.translation.y = (float)( j > 0 ? 0.2 * scale : 0.0 );
        inverseBind[j] = supMat34_identity;
        inverseBind[j].t.y = (float)( -0.2 * j * scale );
        skinJoints[j] = j;
        for ( int k = 0; k < supHoseKeys; ++k )
        {
            times[k] = (float)k / 30.0f;
            double t = times[k], turn[3] = { 0.12 * sin( 12.0 * t + j ), 0.2 * sin( 3.0 * t + 2.0 * j ),
                0.15 * cos( 10.0 * t + 0.7 * j ) };
            supVec3d vector = { turn[0], turn[1], turn[2] };
            supQuatd q = supQuatFromAxisAngleD( supNormalizeD( vector ), supLengthD( vector ) );
            const float four[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
            memcpy( rotations[j] + 4 * k, four, sizeof( four ) );
        }
        tracks[j] =
            ( supTrackDef ){ j, sup_pathRotation, sup_interpolationLinear, supHoseKeys, times, rotations[j], 4 };
    }
    for ( int v = 0; v < supHoseVertices; ++v )
    {
        double angle = 2.0 * SUP_PI * ( v % supHoseSides ) / supHoseSides,
               y = 2.0 * ( v / supHoseSides ) / ( supHoseRings - 1 );
        positions[3 * v] = (float)( scale * 0.2 * cos( angle ) );
        positions[3 * v + 1] = (float)( scale * y );
        positions[3 * v + 2] = (float)( scale * 0.2 * sin( angle ) );
        supHoseWeights( y, influences, jointIndices + influences * v, weights + influences * v );
    }
    uint32_t* index = indices;
    for ( uint32_t v = 0; v + supHoseSides < supHoseVertices; ++v, index += 6 )
    {
        uint32_t b = v % supHoseSides == supHoseSides - 1 ? v + 1 - supHoseSides : v + 1;
        const uint32_t two[6] = { v, v + supHoseSides, b, b, v + supHoseSides, b + supHoseSides };
        memcpy( index, two, sizeof( two ) );
    }
    supSkinDef skin = { "links", supLinks, skinJoints, inverseBind };
    supMeshDef mesh = { .name = "hose",
        .skin = 0,
        .vertexCount = supHoseVertices,
        .positions = positions,
        .influenceCount = influences,
        .jointIndices = jointIndices,
        .weights = weights,
        .indexCount = (int32_t)( index - indices ),
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supClipDef clip = { "wave", supLinks, tracks };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "hose.test";
    def.jointCount = supLinks;
    def.skinCount = def.meshCount = def.clipCount = 1;
    def.joints = joints;
    def.skins = &skin;
    def.meshes = &mesh;
    def.clips = &clip;

    supHose hose = { 0 };
    supError error = { 0 };
    supRig* rig = NULL;
    supResult result = supCreateCharacter( &def, &hose.character, &error );
    result = result == sup_success ? supCreateRig( NULL, &rig, &error ) : result;
    for ( int e = 0; e < elements && result == sup_success; ++e )
    {
        static const char* const drivers[3] = { "j1", "j3", "j5" };
        static const char* const ends[3] = { "j5", "j7", "j9" };
        static const char* const elementNames[3] = { "low", "middle", "high" };
        supElementDef element = supDefaultElementDef();
        element.name = elementNames[e];
        element.driver = drivers[e];
        element.ends = ( supNameList ){ 1, ends + e };
        element.joints = ( supNameList ){ supLinks, names };
        element.frequency = 3.0f + (float)e;
        result = supRig_AddElement( rig, &element, &error );
    }
    result = result == sup_success ? supCompileModel( hose.character, rig, &hose.model, &error ) : result;
    supDestroyRig( rig );
    if ( result != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return hose;
}

void supFreeHose( supHose* hose )
{
    supDestroyModel( hose->model );
    supDestroyCharacter( hose->character );
}
