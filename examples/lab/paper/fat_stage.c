// A torso with breasts of fat, or on springs, and motions for both.
// SPDX-License-Identifier: MIT
#include "fat_stage.h"

#include "program.h"

#include <math.h>
#include <stdlib.h>

supResult supOpenFatStage( supFatStage* stage, const supCharacter* character, const supRig* rig, supError* error )
{
    *stage = ( supFatStage ){ .character = character, .vertexCount = supCharacter_Info( character )->vertexCount };
    double start = supWallSeconds();
    supResult result = supCompileModel( character, rig, &stage->model, error );
    stage->seconds = supWallSeconds() - start;
    result = result == sup_success ? supCreateBody( stage->model, &stage->body, error ) : result;
    stage->living = (float*)calloc( 6 * (size_t)stage->vertexCount, sizeof( float ) );
    stage->smooth = stage->living != NULL ? stage->living + 3 * (size_t)stage->vertexCount : NULL;
    return result == sup_success && stage->living == NULL ? sup_errorMemory : result;
}

supResult supOpenFatOf( supFatStage* stage, const supCharacter* character, const supFatDef* def, supError* error )
{
    supRig* rig = NULL;
    *stage = ( supFatStage ){ 0 };
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "fat" ), def, error ) : result;
    result = result == sup_success ? supOpenFatStage( stage, character, rig, error ) : result;
    supDestroyRig( rig );
    return result;
}

void supCloseFatStage( supFatStage* stage )
{
    supDestroyBody( stage->body );
    supDestroyModel( stage->model );
    free( stage->living );
}

void supFatStage_Step( supFatStage* stage, supMat34 world, float dt )
{
    supBody_Step( stage->body, supCharacter_Info( stage->character )->restJoints, world, dt );
}

void supFatStage_Settle( supFatStage* stage, supMat34 world )
{
    supBody_Reset( stage->body );
    supBody_SetGravity( stage->body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
    supFatStage_Step( stage, world, 0.0f );
}

void supFatStage_Release( supFatStage* stage, supMat34 world )
{
    supBody_Reset( stage->body );
    supBody_SetGravity( stage->body, ( supVec3 ){ 0.0f, 0.0f, 0.0f } );
    supFatStage_Step( stage, world, 0.0f );
    supBody_SetGravity( stage->body, ( supVec3 ){ 0.0f, -9.81f, 0.0f } );
}

void supFatStage_Skin( supFatStage* stage )
{
    supBody_SmoothSkin( stage->body, stage->smooth, NULL );
    supBody_Skin( stage->body, stage->living, NULL );
}

supVec3 supFatStage_Shift( const supFatStage* stage, int32_t vertex )
{
    const float *a = stage->living + 3 * (size_t)vertex, *b = stage->smooth + 3 * (size_t)vertex;
    return ( supVec3 ){ a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

double supFatStage_Largest( const supFatStage* stage, int32_t* vertex )
{
    double largest = 0.0;
    for ( int32_t v = 0; v < stage->vertexCount; ++v )
    {
        supVec3 off = supFatStage_Shift( stage, v );
        double length = sqrt( (double)off.x * off.x + (double)off.y * off.y + (double)off.z * off.z );
        *vertex = length > largest ? v : *vertex;
        largest = fmax( largest, length );
    }
    return largest;
}

static double supVolumeOfSkin( const supCharacter* character, const float* skin )
{
    double six = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            const float* p[3];
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = skin + 3 * ( (size_t)mesh.firstVertex + mesh.indices[i + k] );
            }
            six += (double)p[0][0] * ( (double)p[1][1] * p[2][2] - (double)p[1][2] * p[2][1] ) +
                   (double)p[0][1] * ( (double)p[1][2] * p[2][0] - (double)p[1][0] * p[2][2] ) +
                   (double)p[0][2] * ( (double)p[1][0] * p[2][1] - (double)p[1][1] * p[2][0] );
        }
    }
    return six / 6.0;
}

double supFatStage_Gained( const supFatStage* stage )
{
    return supVolumeOfSkin( stage->character, stage->living ) - supVolumeOfSkin( stage->character, stage->smooth );
}

double supFatStage_BestSecond( supFatStage* stage, bool skins, int rounds )
{
    double best = 1e9;
    for ( int round = 0; round < rounds; ++round )
    {
        supFatStage_Release( stage, supMat34_identity );
        double start = supWallSeconds();
        for ( int i = 0; i < 60; ++i )
        {
            supFatStage_Step( stage, supMat34_identity, 1.0f / 60.0f );
            if ( skins )
            {
                supBody_Skin( stage->body, stage->living, NULL );
            }
        }
        best = fmin( best, supWallSeconds() - start );
    }
    return best;
}

supMat34 supTurnAbout( supVec3 axis, double angle )
{
    double c = cos( angle ), s = sin( angle );
    const double n[3] = { axis.x, axis.y, axis.z };
    supMat34 out = supMat34_identity;
    float* columns[3] = { &out.x.x, &out.y.x, &out.z.x };
    for ( int column = 0; column < 3; ++column )
    {
        for ( int row = 0; row < 3; ++row )
        {
            // Rodrigues: c I + s [n] + ( 1 - c ) n n^T
            int third = 3 - row - column;
            double cross = row == column ? 0.0 : ( ( row + 1 ) % 3 == column ? -n[third] : n[third] );
            columns[column][row] =
                (float)( ( row == column ? c : 0.0 ) + s * cross + ( 1.0 - c ) * n[row] * n[column] );
        }
    }
    return out;
}
