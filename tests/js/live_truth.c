// What the library does with a character, for the JavaScript package to be compared with: 90 frames of its first clip
// with the rig that is found by itself, the entity walking and turning.
// SPDX-License-Identifier: MIT
//
//     live_truth IN.glb OUT      writes, as floats: exact positions and normals, the live ones in SSE2 (or the scalar
//                                path), helper joints
//     live_truth IN.glb time     prints the mean of 1,000 frames, step and vertices with normals, in SSE2: microseconds
#include "supple/auto.h"
#include "supple/body.h"
#include "supple/io.h"
#include "supple/lab/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static supCharacter* sup_character;
static supModel* sup_model;
static supBody* sup_body;
static supPose* sup_pose;

static supResult supMake( const char* path, supError* error )
{
    supRig* rig = NULL;
    supResult result = supLoadGltf( path, &sup_character, error );
    result = result == sup_success ? supProposeRig( sup_character, sup_presetNatural, &rig, error ) : result;
    result = result == sup_success ? supCompileModel( sup_character, rig, &sup_model, error ) : result;
    result = result == sup_success ? supCreateBody( sup_model, &sup_body, error ) : result;
    result = result == sup_success ? supCreatePose( sup_character, NULL, &sup_pose, error ) : result;
    supDestroyRig( rig );
    return result;
}

/// A walk along a line in steps of 1/64 m: exact in floats, so that the other side has the same numbers.
static void supStepTo( int frame )
{
    supMat34 world = supMat34_identity;
    world.t = ( supVec3 ){ (float)frame / 64.0f, 0.0f, (float)( frame % 8 ) / 32.0f };
    supPose_Sample( sup_pose, supCharacter_Info( sup_character )->clipCount > 0 ? 0 : -1, (double)frame / 64.0 );
    supBody_Step( sup_body, supPose_Joints( sup_pose ), world, 1.0f / 64.0f );
}

static double supSeconds( void )
{
    struct timespec now;
    clock_gettime( CLOCK_MONOTONIC, &now );
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void supWriteAll( FILE* out, float* floats, size_t count )
{
    for ( int exact = 1; exact >= 0; --exact )
    {
        supBody_SetExact( sup_body, exact != 0 );
        supBody_Skin( sup_body, floats, floats + count );
        fwrite( floats, sizeof( float ), 2 * count, out );
    }
    int32_t helpers = supModel_Info( sup_model )->helperCount;
    supMat34* matrices = calloc( (size_t)helpers + 1, sizeof( supMat34 ) );
    if ( matrices != NULL )
    {
        supBody_HelperJoints( sup_body, matrices );
        fwrite( matrices, sizeof( supMat34 ), (size_t)helpers, out );
    }
    free( matrices );
}

int main( int argc, char** args )
{
    supError error = { 0 };
    if ( argc != 3 || supMake( args[1], &error ) != sup_success )
    {
        fprintf( stderr, "live_truth: %s\n", argc != 3 ? "IN.glb OUT" : error.text );
        return 1;
    }
    size_t count = 3 * (size_t)supCharacter_Info( sup_character )->vertexCount;
    float* floats = calloc( 2 * count + 1, sizeof( float ) );
    if ( supBody_SetSimd( sup_body, sup_simdSse2 ) == false )
    {
        supBody_SetSimd( sup_body, sup_simdScalar );
    }
    if ( floats != NULL && strcmp( args[2], "time" ) == 0 )
    {
        double start = 0.0;
        for ( int i = -200; i < 1000; ++i )
        {
            start = i == 0 ? supSeconds() : start;
            supBody_Step( sup_body, supPose_Joints( sup_pose ), supMat34_identity, 1.0f / 64.0f );
            supBody_Skin( sup_body, floats, floats + count );
            if ( i < 0 )
            {
                supPose_Sample( sup_pose, 0, (double)( i + 200 ) / 64.0 );
            }
        }
        printf( "%.2f\n", 1e3 * ( supSeconds() - start ) );
    }
    else if ( floats != NULL )
    {
        FILE* out = fopen( args[2], "wb" );
        for ( int frame = 0; frame < 90; ++frame )
        {
            supStepTo( frame );
        }
        if ( out != NULL )
        {
            supWriteAll( out, floats, count );
            fclose( out );
        }
    }
    free( floats );
    supDestroyPose( sup_pose );
    supDestroyBody( sup_body );
    supDestroyModel( sup_model );
    supDestroyCharacter( sup_character );
    return 0;
}
