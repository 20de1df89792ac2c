// Hello, flesh: a character, an automatic rig, a body on stage, stepped and skinned frame by frame.
// SPDX-License-Identifier: MIT
//
//     example_hello_flesh [FILE.glb]        without a file: the built-in cat
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/supple.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int supFailHello( const supError* error )
{
    fprintf( stderr, "%s\n", error->text );
    return 1;
}

/// How far the flesh is from the smooth skin, at the farthest vertex.
static double supFarthest( const float* living, const float* smooth, size_t vertexCount )
{
    double farthest = 0.0;
    for ( size_t v = 0; v < vertexCount; ++v )
    {
        double x = (double)( living[3 * v] - smooth[3 * v] ), y = (double)( living[3 * v + 1] - smooth[3 * v + 1] );
        double z = (double)( living[3 * v + 2] - smooth[3 * v + 2] );
        farthest = fmax( farthest, sqrt( x * x + y * y + z * z ) );
    }
    return farthest;
}

/// Plays the first clip three times, as a game would: joints in, positions and normals out.
static int supPlay( const supCharacter* character, supBody* body, supPose* pose )
{
    size_t vertexCount = (size_t)supCharacter_Info( character )->vertexCount;
    float* positions = (float*)malloc( vertexCount * 9 * sizeof( float ) );
    if ( positions == NULL )
    {
        return 1;
    }
    float *normals = positions + 3 * vertexCount, *smooth = normals + 3 * vertexCount;
    supClipView clip = supCharacter_Clip( character, 0 );
    const float dt = 1.0f / 60.0f;
    int frames = (int)( 3.0 * ( clip.end - clip.start ) * 60.0 );
    double farthest = 0.0;
    for ( int frame = 0; frame < frames; ++frame )
    {
        supPose_Sample( pose, 0, clip.start + fmod( frame / 60.0, clip.end - clip.start ) );
        supBody_Step( body, supPose_Joints( pose ), supMat34_identity, dt ); // all of the motion
        supBody_Skin( body, positions, normals );                            // what is to be drawn
        supBody_SmoothSkin( body, smooth, NULL );
        farthest = fmax( farthest, supFarthest( positions, smooth, vertexCount ) );
    }
    printf( "%s: \"%s\", %d frames: flesh came as far as %.1f%% of the size from the smooth skin\n",
        supCharacter_Info( character )->name, clip.name, frames,
        100.0 * farthest / (double)supCharacter_Info( character )->size );
    free( positions );
    return farthest > 0.0 ? 0 : 1;
}

/// Finds the flesh and puts a body on stage. Whatever fails, what was made is given back.
static int supStage( const supCharacter* character )
{
    supError error = { sup_success, "" };
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supProposeRig( character, sup_presetNatural, &rig, &error );
    result = result == sup_success ? supCompileModel( character, rig, &model, &error ) : result;
    result = result == sup_success ? supCreateBody( model, &body, &error ) : result;
    result = result == sup_success ? supCreatePose( character, NULL, &pose, &error ) : result;
    int code = 1;
    if ( result != sup_success )
    {
        supFailHello( &error );
    }
    else
    {
        printf( "%d elements found\n", supModel_Info( model )->elementCount );
        code = supCharacter_Info( character )->clipCount > 0 ? supPlay( character, body, pose ) : 1;
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    return code;
}

int main( int argc, char** argv )
{
    supError error;
    supCreature* creature = NULL;
    supCharacter* loaded = NULL;
    supResult result =
        argc > 1 ? supLoadGltf( argv[1], &loaded, &error ) : supCreateCreature( "cat", NULL, &creature, &error );
    if ( result != sup_success )
    {
        return supFailHello( &error );
    }
    int code = supStage( creature != NULL ? supCreature_Character( creature ) : loaded );
    supDestroyCharacter( loaded );
    supDestroyCreature( creature );
    return code;
}
