// The woman with her automatic rig, for measuring skin and springs in Node: bench/peers/wasm_supple.mjs.
#include "supple/auto.h"
#include "supple/body.h"
#include "supple/character.h"
#include "supple/creatures.h"

#include <stdlib.h>
#include <string.h>

enum
{
    sup_frames = 32,
};

SUP_API int32_t supTest_OpenBench( void );
SUP_API int32_t supTest_BenchVertices( void );
SUP_API int32_t supTest_BenchElements( void );
SUP_API void supTest_BenchSkin( int32_t repeats );
SUP_API void supTest_BenchNormals( int32_t repeats );
SUP_API void supTest_BenchStep( int32_t repeats );
SUP_API double supTest_BenchSum( void );

/// Made once; the module is dropped with it.
static struct
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supMat34* joints; ///< sup_frames poses of the second clip, as in `supple bench`
    float *positions, *normals;
    int32_t frame;
} supBenched;

int32_t supTest_OpenBench( void )
{
    supCreature* creature = NULL;
    supRig* rig = NULL;
    supPose* pose = NULL;
    supResult result = supCreateCreature( "woman", NULL, &creature, NULL );
    supBenched.character = result == sup_success ? supCreature_Character( creature ) : NULL;
    result = result == sup_success ? supProposeRig( supBenched.character, sup_presetNatural, &rig, NULL ) : result;
    result = result == sup_success ? supCompileModel( supBenched.character, rig, &supBenched.model, NULL ) : result;
    result = result == sup_success ? supCreateBody( supBenched.model, &supBenched.body, NULL ) : result;
    result = result == sup_success ? supCreatePose( supBenched.character, NULL, &pose, NULL ) : result;
    if ( result != sup_success )
    {
        return 0;
    }
    size_t joints = (size_t)supCharacter_Info( supBenched.character )->jointCount;
    size_t vertices = (size_t)supCharacter_Info( supBenched.character )->vertexCount;
    supBenched.joints = malloc( sizeof( supMat34 ) * joints * sup_frames );
    supBenched.positions = malloc( 12 * vertices );
    supBenched.normals = malloc( 12 * vertices );
    for ( int f = 0; f < sup_frames; ++f )
    {
        supPose_Sample( pose, 1, f / 60.0 );
        memcpy( supBenched.joints + (size_t)f * joints, supPose_Joints( pose ), sizeof( supMat34 ) * joints );
    }
    supDestroyPose( pose );
    supDestroyRig( rig );
    supTest_BenchStep( 20 );
    return 1;
}

int32_t supTest_BenchVertices( void )
{
    return supCharacter_Info( supBenched.character )->vertexCount;
}

int32_t supTest_BenchElements( void )
{
    return supModel_Info( supBenched.model )->elementCount;
}

void supTest_BenchSkin( int32_t repeats )
{
    for ( int32_t i = 0; i < repeats; ++i )
    {
        supBody_SmoothSkin( supBenched.body, supBenched.positions, NULL );
    }
}

void supTest_BenchNormals( int32_t repeats )
{
    for ( int32_t i = 0; i < repeats; ++i )
    {
        supBody_SmoothSkin( supBenched.body, supBenched.positions, supBenched.normals );
    }
}

void supTest_BenchStep( int32_t repeats )
{
    int32_t joints = supCharacter_Info( supBenched.character )->jointCount;
    for ( int32_t i = 0; i < repeats; ++i )
    {
        const supMat34* pose = supBenched.joints + supBenched.frame * joints;
        supBody_Step( supBenched.body, pose, supMat34_identity, 1.0f / 60.0f );
        supBenched.frame = ( supBenched.frame + 1 ) % sup_frames;
    }
}

double supTest_BenchSum( void )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < 3 * supTest_BenchVertices(); ++i )
    {
        sum += (double)supBenched.positions[i];
    }
    return sum;
}
