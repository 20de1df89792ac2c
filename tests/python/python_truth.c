// What the library does with a character, for the Python package to be compared with: the same calls in C.
// SPDX-License-Identifier: MIT
//
//     python_truth IN.glb OUT      writes, as floats: after 60 steps the exact skin with normals, the live one, helper
//                                  joints; the skin of a take at three times; translations of a bake
#include "supple/io.h"
#include "supple/supple.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct supTruth
{
    supCharacter* character;
    supModel* model;
    supBody* body;
    supPose* pose;
    float* floats;
    size_t count; // of the positions' floats
} supTruth;

static supResult supMakeTruth( supTruth* truth, const char* path, supError* error )
{
    supRig* rig = NULL;
    supProposeDef def = supDefaultProposeDef();
    supResult result = supLoadGltf( path, &truth->character, error );
    result = result == sup_success ? supProposeRigWith( truth->character, &def, &rig, NULL, error ) : result;
    result = result == sup_success ? supCompileModel( truth->character, rig, &truth->model, error ) : result;
    result = result == sup_success ? supCreateBody( truth->model, &truth->body, error ) : result;
    result = result == sup_success ? supCreatePose( truth->character, NULL, &truth->pose, error ) : result;
    supDestroyRig( rig );
    if ( result == sup_success )
    {
        truth->count = 3 * (size_t)supCharacter_Info( truth->character )->vertexCount;
        truth->floats = calloc( 2 * truth->count, sizeof( float ) );
    }
    return truth->floats == NULL && result == sup_success ? sup_errorMemory : result;
}

static void supDropTruth( supTruth* truth )
{
    free( truth->floats );
    supDestroyPose( truth->pose );
    supDestroyBody( truth->body );
    supDestroyModel( truth->model );
    supDestroyCharacter( truth->character );
}

/// Frames stand at 1/64 s and 1/64 m: exact in floats, so that the other side has the same numbers.
static void supWalk( supTruth* truth, int frame )
{
    supMat34 world = supMat34_identity;
    world.t = ( supVec3 ){ (float)frame / 64.0f, 0.0f, 0.0f };
    supPose_Sample( truth->pose, 0, (double)frame / 64.0 );
    supBody_Step( truth->body, supPose_Joints( truth->pose ), world, 1.0f / 64.0f );
}

static void supWriteSkin( supTruth* truth, FILE* out )
{
    supBody_Skin( truth->body, truth->floats, truth->floats + truth->count );
    fwrite( truth->floats, sizeof( float ), 2 * truth->count, out );
}

static void supWriteHelpers( supTruth* truth, FILE* out )
{
    size_t count = (size_t)supModel_Info( truth->model )->helperCount;
    supMat34* helpers = calloc( count + 1, sizeof( supMat34 ) );
    if ( helpers != NULL )
    {
        supBody_HelperJoints( truth->body, helpers );
        fwrite( helpers, sizeof( supMat34 ), count, out );
    }
    free( helpers );
}

static supResult supWriteTake( supTruth* truth, FILE* out, supError* error )
{
    supTake* take = NULL;
    supJointBake* bake = NULL;
    supTakeDef def = supDefaultTakeDef();
    def.model = truth->model;
    supResult result = supCreateTake( &def, &take, error );
    for ( int i = 0; result == sup_success && i < 3; ++i )
    {
        double time = 0.25 * (double)( 3 - i );
        supPose_Sample( truth->pose, 0, time );
        supTake_Show( take, time, supPose_Joints( truth->pose ), truth->body );
        supWriteSkin( truth, out );
    }
    supJointBakeDef bakeDef = supDefaultJointBakeDef();
    bakeDef.model = truth->model;
    bakeDef.takeCount = 1;
    bakeDef.takes = (const supTake* const*)&take;
    result = result == sup_success ? supBakeJoints( &bakeDef, &bake, error ) : result;
    if ( result == sup_success )
    {
        supBakedClip clip = supJointBake_Info( bake )->clips[0];
        size_t count = 3 * (size_t)clip.keyCount * (size_t)supJointBake_Info( bake )->helperCount;
        fwrite( clip.translations, sizeof( float ), count, out );
    }
    supDestroyJointBake( bake );
    supDestroyTake( take );
    return result;
}

static supResult supWriteTruth( supTruth* truth, const char* path, supError* error )
{
    FILE* out = fopen( path, "wb" );
    if ( out == NULL )
    {
        return supFail( error, sup_errorFile, "%s: cannot be written", path );
    }
    for ( int frame = 0; frame < 60; ++frame )
    {
        supWalk( truth, frame );
    }
    supBody_SetExact( truth->body, true );
    supWriteSkin( truth, out );
    supBody_SetExact( truth->body, false );
    supWriteSkin( truth, out );
    supWriteHelpers( truth, out );
    supResult result = supWriteTake( truth, out, error );
    return fclose( out ) == 0 ? result : supFail( error, sup_errorFile, "%s: cannot be written", path );
}

int main( int argc, char** args )
{
    supTruth truth = { 0 };
    supError error = { 0 };
    supResult result = argc == 3 ? supMakeTruth( &truth, args[1], &error )
                                 : supFail( &error, sup_errorArgument, "usage: python_truth IN.glb OUT" );
    if ( result == sup_success )
    {
        result = supWriteTruth( &truth, args[2], &error );
    }
    if ( result != sup_success )
    {
        fprintf( stderr, "python_truth: %s\n", error.text );
    }
    supDropTruth( &truth );
    return result == sup_success ? 0 : 1;
}
