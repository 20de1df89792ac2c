// What each layer above flesh costs a frame, beside the same frame without it.
// SPDX-License-Identifier: MIT
//
// The built-in woman in her jump, with the automatic rig; for clothes in a shirt. Both bodies are shown at the same
// moments, one after the other, and skinned with normals; of each moment the best of several counts. Printed, never
// judged.
#include "paper/garment.h"
#include "paper/program.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/lab/compiled.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMoments = 24,
    supRounds = 7,
};

static bool supIsUnderShirt( supVec3 place )
{
    return place.y > 0.95f && place.y < 1.38f && fabsf( place.x ) < 0.2f;
}

/// The automatic rig's elements, on the skin and not on the shirt.
static supResult supMakeElements( const supCharacter* character, supRig** out, supError* error )
{
    static const char* const shirt[] = { "shirt" };
    supRig* found = NULL;
    supResult result = supProposeRig( character, sup_presetNatural, &found, error );
    result = result == sup_success ? supCreateRig( NULL, out, error ) : result;
    for ( int32_t i = 0; result == sup_success && i < supRig_ElementCount( found ); ++i )
    {
        supElementDef def = *supRig_Element( found, i );
        def.skipMeshes = ( supNameList ){ supCharacter_Info( character )->meshCount > 1 ? 1 : 0, shirt };
        result = supRig_AddElement( *out, &def, error );
    }
    supDestroyRig( found );
    return result;
}

/// All limbs carried by curves between three poses, 24 curves of 31 nodes each.
static supResult supAddLimbs( supRig* rig, int32_t layer, supError* error )
{
    static const char* const limbs[4][2] = { { "shin.L", "thigh.L" }, { "shin.R", "thigh.R" },
        { "lowerArm.L", "upperArm.L" }, { "lowerArm.R", "upperArm.R" } };
    static const supVec3 turns[2] = { { 60.0f, 0.0f, 0.0f }, { 110.0f, 0.0f, 0.0f } };
    supBeamPose poses[2] = { supDefaultBeamPose(), supDefaultBeamPose() };
    poses[0].pose = ( supPointList ){ 1, turns };
    poses[1].pose = ( supPointList ){ 1, turns + 1 };
    supResult result = sup_success;
    for ( int i = 0; i < 4 && result == sup_success; ++i )
    {
        supBeamsDef def = supDefaultBeamsDef();
        def.joints = ( supNameList ){ 1, limbs[i] };
        def.part = ( supNameList ){ 2, limbs[i] };
        def.poses = ( supItemList ){ 2, poses };
        def.use = sup_beamsCarry;
        result = supRig_AddItem( rig, layer, &def, error );
    }
    return result;
}

/// Items of a layer: one on each element, or one in all.
static supResult supAddItems( supRig* rig, const char* key, supError* error )
{
    int32_t layer = supFindLayer( key );
    if ( strcmp( key, "beams" ) == 0 )
    {
        return supAddLimbs( rig, layer, error );
    }
    if ( strcmp( key, "wrinkles" ) == 0 )
    {
        supWrinkleDef def = supDefaultWrinkleDef();
        return supRig_AddItem( rig, layer, &def, error );
    }
    if ( strcmp( key, "clothes" ) == 0 )
    {
        supClothDef def = supDefaultClothDef();
        def.mesh = "shirt";
        return supRig_AddItem( rig, layer, &def, error );
    }
    supResult result = sup_success;
    for ( int32_t i = 0; i < supRig_ElementCount( rig ) && result == sup_success; ++i )
    {
        supModeDef mode = supDefaultModeDef();
        supVolumeDef volume = supDefaultVolumeDef();
        supContactDef contact = supDefaultContactDef();
        mode.element = volume.element = contact.element = supRig_Element( rig, i )->name;
        mode.motion = sup_modeTurn;
        const void* def = strcmp( key, "modes" ) == 0     ? (const void*)&mode
                          : strcmp( key, "volumes" ) == 0 ? (const void*)&volume
                                                          : (const void*)&contact;
        result = supRig_AddItem( rig, layer, def, error );
    }
    return result;
}

/// A body with its take of the jump.
typedef struct supRunner
{
    supModel* model;
    supTake* take;
    supBody* body;
    double setUp; // seconds, of the model
} supRunner;

static supResult supMakeRunner( const supCharacter* character, const char* key, supRunner* out, supError* error )
{
    *out = ( supRunner ){ 0 };
    supRig* rig = NULL;
    supResult result = supMakeElements( character, &rig, error );
    result = result == sup_success && key != NULL ? supAddItems( rig, key, error ) : result;
    double start = supWallSeconds();
    result = result == sup_success ? supCompileModel( character, rig, &out->model, error ) : result;
    out->setUp = supWallSeconds() - start;
    supDestroyRig( rig );
    supTakeDef def = supDefaultTakeDef();
    def.model = out->model;
    def.clip = supCharacter_FindClip( character, "jump" );
    result = result == sup_success ? supCreateTake( &def, &out->take, error ) : result;
    return result == sup_success ? supCreateBody( out->model, &out->body, error ) : result;
}

static void supDropRunner( supRunner* runner )
{
    supDestroyBody( runner->body );
    supDestroyTake( runner->take );
    supDestroyModel( runner->model );
}

/// Seconds of one frame's skin.
static double supTimeSkin( const supRunner* runner, const supPose* pose, double time, float* positions, float* normals )
{
    supTake_Show( runner->take, time, supPose_Joints( pose ), runner->body );
    double start = supWallSeconds();
    supBody_Skin( runner->body, positions, normals );
    return supWallSeconds() - start;
}

static int supTimeLayer( const supCharacter* character, const char* key )
{
    supRunner plain, layered;
    supError error;
    supPose* pose = NULL;
    size_t floats = 3 * (size_t)supCharacter_Info( character )->vertexCount;
    float* skin = (float*)malloc( 2 * floats * sizeof( float ) );
    if ( skin == NULL || supMakeRunner( character, NULL, &plain, &error ) != sup_success ||
         supMakeRunner( character, key, &layered, &error ) != sup_success ||
         supCreatePose( character, NULL, &pose, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    double sums[2] = { 0.0, 0.0 };
    for ( int i = 0; i < supMoments; ++i )
    {
        supTakeInfo info = supTake_Info( plain.take );
        double time = info.start + ( info.end - info.start ) * i / ( supMoments - 1 ), best[2] = { 1e30, 1e30 };
        supPose_Sample( pose, supCharacter_FindClip( character, "jump" ), time );
        for ( int round = 0; round < supRounds; ++round )
        {
            best[0] = fmin( best[0], supTimeSkin( &plain, pose, time, skin, skin + floats ) );
            best[1] = fmin( best[1], supTimeSkin( &layered, pose, time, skin, skin + floats ) );
        }
        sums[0] += best[0];
        sums[1] += best[1];
    }
    const int32_t* vertices;
    int32_t layer = supFindLayer( key );
    printf( "%-9s %5d %8d %9.0f %11.0f %8.1f %11.0f\n", key, supModel_ItemCount( layered.model, layer ),
        supModel_LayerVertices( layered.model, layer, &vertices ), 1e6 * sums[0] / supMoments,
        1e6 * sums[1] / supMoments, sums[1] / sums[0], 1e3 * ( layered.setUp - plain.setUp ) );
    supDestroyPose( pose );
    supDropRunner( &plain );
    supDropRunner( &layered );
    free( skin );
    return 0;
}

int main( void )
{
    static const char* const keys[] = { "modes", "volumes", "contacts", "clothes", "wrinkles", "beams" };
    supError error;
    supCreature* creature;
    supCharacter* woman = NULL;
    if ( supCreateCreature( "woman", NULL, &creature, &error ) != sup_success ||
         supDressCharacter( supCreature_Character( creature ), "shirt", supIsUnderShirt, 0.004f, &woman, &error ) !=
             sup_success )
    {
        return supFailed( &error );
    }
    printf( "layer     items vertices  flesh us  with it us    times  set-up ms\n" );
    int failed = 0;
    for ( int i = 0; i < 6; ++i )
    {
        bool dressed = strcmp( keys[i], "clothes" ) == 0;
        failed += supTimeLayer( dressed ? woman : supCreature_Character( creature ), keys[i] );
    }
    supDestroyCharacter( woman );
    supDestroyCreature( creature );
    return failed;
}
