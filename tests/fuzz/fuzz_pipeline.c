// A random small character with a random rig through everything: compiled, stepped, skinned, taken, baked as joints or
// morphs, made a glTF file, opened again and taken out of it. The bytes choose sizes, layers and the value of any field
// within its range, so that nearly every input goes all the way. Skins must be finite, a bake must be readable, its
// file must stand where the library has it according to the evaluator of the tests, and the exact path must agree with
// the live one of every instruction set that is here.
#include "fuzz/packed_file.h"
#include "fuzz/random_items.h"

#include "supple/bake.h"
#include "supple/body.h"
#include "supple/io.h"
#include "supple/lab/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool supStepAndSkin( const supModel* model, supBytesLeft* left )
{
    static float skins[2][3 * sup_tubeMostVertices], normals[3 * sup_tubeMostVertices];
    const supCharacter* character = supModel_Info( model )->character;
    supBody* body = NULL;
    supPose* pose = NULL;
    bool good = supCreateBody( model, &body, NULL ) == sup_success &&
                supCreatePose( character, NULL, &pose, NULL ) == sup_success;
    int32_t count = 3 * supCharacter_Info( character )->vertexCount;
    for ( int32_t i = 0; good && i < 12; ++i )
    {
        float dt = i == 0 ? 0.0f : 0.002f * (float)( 1 + supNextByte( left ) % 40 );
        supPose_Sample( pose, supCharacter_Info( character )->clipCount > 0 ? 0 : -1, 0.05 * i );
        supMat34 world = supMat34_identity;
        world.t.y = 0.002f * (float)supNextByte( left );
        supFuzzCheck(
            supBody_Step( body, supPose_Joints( pose ), world, dt ) == sup_success, "a plain step", "refused" );
        supBody_SetExact( body, true );
        supBody_Skin( body, skins[1], NULL );
        supBody_SetExact( body, false );
        for ( int simd = sup_simdScalar; simd <= sup_simdWasm; ++simd )
        {
            if ( !supBody_SetSimd( body, (supSimd)simd ) )
            {
                continue;
            }
            supBody_Skin( body, skins[0], normals );
            for ( int32_t k = 0; k < count; ++k )
            {
                supFuzzCheck( isfinite( skins[0][k] ) && isfinite( normals[k] ), "the skin", "is not finite" );
                float apart = fabsf( skins[0][k] - skins[1][k] ), size = 1.0f + fabsf( skins[1][k] );
                supFuzzCheck( apart <= 1e-4f * size, supSimdName( (supSimd)simd ), "is not the exact path" );
            }
        }
        supFuzzCheck( supBody_Counts( body ).healed == 0, "a plain step", "had to be healed" );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return good;
}

static void supBakeRandom( const supModel* model, const supRig* rig, bool asMorphs, supFuzzFile* file )
{
    supError error = { 0 };
    supTake* take = NULL;
    supGltf* document = NULL;
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    bool good = supFuzzGood( supCreateTake( &takeDef, &take, &error ), &error ) &&
                supFuzzGood( supMakeGltf( supModel_Info( model )->character, NULL, &document, &error ), &error );
    const supTake* takes[1] = { take };
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.rig = rig;
    if ( good && asMorphs )
    {
        supMorphBakeDef def = supDefaultMorphBakeDef();
        def.model = model;
        def.takes = takes;
        def.takeCount = 1;
        supMorphBake* bake = NULL;
        good = supFuzzGood( supBakeMorphs( &def, &bake, &error ), &error ) &&
               supFuzzGood( supGltf_AddMorphBake( document, model, bake, &options, &error ), &error );
        supDestroyMorphBake( bake );
    }
    else if ( good )
    {
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = model;
        def.takes = takes;
        def.takeCount = 1;
        supJointBake* bake = NULL;
        good = supFuzzGood( supBakeJoints( &def, &bake, &error ), &error ) &&
               supFuzzGood( supGltf_AddJointBake( document, model, bake, &options, &error ), &error );
        supDestroyJointBake( bake );
    }
    if ( good )
    {
        supFuzzPack( document, file );
    }
    supCloseGltf( document );
    supDestroyTake( take );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    supBytesLeft left = { data, size };
    uint8_t how = supNextByte( &left );
    supTubeDef tube = supNextTube( &left );
    supCharacter* character = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    if ( !supFuzzGood( supMakeSmallTube( &tube, NULL, &character, &error ), &error ) )
    {
        return 0;
    }
    supRig* rig = supMakeRandomRig( &tube, &left );
    supFuzzFile file = { 0 };
    if ( rig != NULL && supFuzzGood( supCompileModel( character, rig, &model, &error ), &error ) &&
         supStepAndSkin( model, &left ) )
    {
        supBakeRandom( model, rig, how % 2 == 1, &file );
        supFuzzCheckFile( &file, character );
    }
    free( file.data );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    return 0;
}
