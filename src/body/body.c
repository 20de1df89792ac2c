// One model on stage: life cycle, time, live edits.
// SPDX-License-Identifier: MIT

#include "base/float_settings.h"
#include "base/hash.h"
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/hashes.h"
#include "supple/lab/machine.h"
#include "supple/lab/profile.h"
#include "supple/lab/states.h"

#include <assert.h>
#include <string.h>

#define SUP_BODY_COOKIE 0x424f4459

// ---------------------------------------------------------------------------------------------------------------
// Memory: everything in one block

/// Sets the pointers of a body into its block, which it begins. `block` NULL: nothing but the size is wanted.
static size_t supPlaceBody( supBody* body, const supModel* model, void* block )
{
    const supCharacterInfo* info = supCharacter_Info( model->character );
    supLayout layout = supLayoutIn( block );
    SUP_PUT_NEW_WIDE( &layout, supBody, first, 1 );
    assert( first == block );
    SUP_PUT( &layout, body->joints, info->jointCount );
    SUP_PUT_WIDE( &layout, body->palette, info->paletteCount );
    SUP_PUT( &layout, body->duals, info->paletteCount );
    SUP_PUT( &layout, body->morphWeights, info->morphWeightCount );
    supPlaceBodyStack( &body->layers, model, &layout );
    supPlaceJumps( &body->jumps, model->character, &layout );
    supPlaceKept( &body->kept, model, &layout );
    return layout.size;
}

size_t supBody_MemorySize( const supModel* model )
{
    supBody body = { .model = model };
    return supPlaceBody( &body, model, NULL );
}

supResult supInitBody( void* block, size_t size, const supModel* model, supBody** out, supError* error )
{
    *out = NULL;
    size_t needed = supBody_MemorySize( model );
    if ( block == NULL || (uintptr_t)block % SUP_MAX_ALIGNMENT != 0 || size < needed )
    {
        return supFail( error, sup_errorArgument,
            "a body of this model needs a block of %zu bytes aligned to %d, got %zu bytes", needed, SUP_MAX_ALIGNMENT,
            size );
    }
    supFloatSettings host = supEnterFloatSettings();
    memset( block, 0, needed );
    supBody* body = block;
    body->model = model;
    body->blockSize = supPlaceBody( body, model, block );

    const supCharacter* character = model->character;
    memcpy( body->joints, supCharacter_Info( character )->restJoints,
        sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    supCharacter_Palette( character, body->joints, body->palette );
    body->world = supMat34_identity;
    body->gravity = model->gravity;
    body->simd = model->simd;
    supBody_SetMorphWeights( body, NULL );
    supInitBodyStack( &body->layers, model );
    int32_t at = supStack_Offsets( &model->stack );
    body->shown = at >= 0 ? (supVec3*)body->layers.layers[at].shown : NULL;
    supInitJumps( &body->jumps, character );
    supBody_Keep( body );
    supLeaveFloatSettings( host );
    *out = body;
    return sup_success;
}

supBodyDef supDefaultBodyDef( void )
{
    return ( supBodyDef ){ .cookie = SUP_BODY_COOKIE };
}

supResult supCreateBodyWith( const supBodyDef* def, supBody** out, supError* error )
{
    *out = NULL;
    if ( def->cookie != SUP_BODY_COOKIE || def->model == NULL )
    {
        return supFail( error, sup_errorArgument, "the body's def was not made by supDefaultBodyDef, or has no model" );
    }
    if ( def->block != NULL )
    {
        return supInitBody( def->block, def->blockSize, def->model, out, error );
    }
    const supAllocator* allocator = def->allocator != NULL ? def->allocator : &def->model->allocator;
    size_t size = supBody_MemorySize( def->model );
    void* block = supAlloc( allocator, size, SUP_MAX_ALIGNMENT );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a body of %zu bytes", size );
    }
    supResult result = supInitBody( block, size, def->model, out, error );
    assert( result == sup_success && *out != NULL );
    if ( *out != NULL )
    {
        ( *out )->ownsBlock = true;
        ( *out )->allocator = supKeepAllocator( allocator );
    }
    return result;
}

supResult supCreateBody( const supModel* model, supBody** out, supError* error )
{
    supBodyDef def = supDefaultBodyDef();
    def.model = model;
    return supCreateBodyWith( &def, out, error );
}

void supDestroyBody( supBody* body )
{
    if ( body != NULL && body->ownsBlock )
    {
        supAllocator allocator = body->allocator;
        supFree( &allocator, body, body->blockSize );
    }
}

const supModel* supBody_Model( const supBody* body )
{
    return body->model;
}

// ---------------------------------------------------------------------------------------------------------------
// Time

static void supRefreshDuals( supBody* body )
{
    if ( body->skinning == sup_skinningDualQuaternion )
    {
        supMakeDualPalette( body->palette, supCharacter_Info( body->model->character )->paletteCount, body->duals );
    }
}

static bool supIsSanePose( const supBody* body, const supMat34* joints )
{
    return supAreSaneMats( joints, (size_t)supCharacter_Info( body->model->character )->jointCount );
}

static void supTakePose( supBody* body, const supMat34* joints )
{
    const supCharacter* character = body->model->character;
    memcpy( body->joints, joints, sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    supCharacter_Palette( character, joints, body->palette );
    supRefreshDuals( body );
}

supResult supBody_Pose( supBody* body, const supMat34* joints )
{
    if ( !supIsSanePose( body, joints ) )
    {
        return sup_errorData;
    }
    supJumps_KeepPosture( body );
    supTakePose( body, joints );
    return sup_success;
}

supResult supBody_Show( supBody* body, const supMat34* joints, const supVec3* elongations )
{
    int32_t count = body->model->offsets.elementCount;
    for ( int32_t e = 0; e < count; ++e )
    {
        if ( !supIsSaneVec3( elongations[e], SUP_MOST_PLACE ) )
        {
            return sup_errorData;
        }
    }
    supResult result = supBody_Pose( body, joints );
    if ( result == sup_success && count > 0 && elongations != body->shown )
    {
        memcpy( body->shown, elongations, sizeof( supVec3 ) * (size_t)count );
    }
    return result;
}

supResult supBody_Advance( supBody* body, const supMat34* joints, supMat34 world, float dt )
{
    double start = supBodyClock( body );
    supJointJumps jumps;
    supMat34 inverse;
    bool isBack = dt < 0.0f && supIsSaneStep( -dt ); // a clip that is wound back
    dt = isBack ? 0.0f : dt;
    if ( !supIsSaneWorld( &world, &inverse ) || !supIsSaneStep( dt ) || !supIsSanePose( body, joints ) )
    {
        return sup_errorData;
    }
    body->jumps.announced = isBack ? sup_jumpBackwards : body->jumps.announced;
    bool jumped = supJumps_Notice( body, joints, world, dt, &jumps );
    supTakePose( body, joints );
    body->world = world;
    if ( body->profile != NULL )
    {
        body->profile->pose += supBodyClock( body ) - start;
        body->profile->steps += 1;
    }
    supBodyStack_Step( body, dt, &inverse, jumped ? &jumps : NULL );
    return sup_success;
}

supResult supBody_Step( supBody* body, const supMat34* joints, supMat34 world, float dt )
{
    supFloatSettings host = supEnterFloatSettings();
    supResult result = supBody_Advance( body, joints, world, dt );
    if ( result == sup_success )
    {
        supBody_Heal( body );
    }
    supLeaveFloatSettings( host );
    return result;
}

supResult supBody_StepPath( supBody* body, const supStepDef* def )
{
    supResult result = def->poseCount > 0 ? sup_success : sup_errorArgument;
    if ( def->cut && result == sup_success )
    {
        supBody_Cut( body );
    }
    for ( int32_t i = 0; i < def->poseCount && result == sup_success; ++i )
    {
        supMat34 world = def->worlds != NULL ? def->worlds[i] : body->world;
        result = supBody_Step( body, def->poses[i], world, def->dt / (float)def->poseCount );
    }
    return result;
}

void supBody_Cut( supBody* body )
{
    body->jumps.announced = sup_jumpAnnounced;
}

void supBody_SetProfile( supBody* body, supProfile* profile )
{
    assert( profile == NULL || profile->clock != NULL );
    body->profile = profile;
}

supProfile supBody_GetProfile( const supBody* body )
{
    return body->profile != NULL ? *body->profile : ( supProfile ){ 0 };
}

bool supBody_IsAtRest( const supBody* body )
{
    return supBodyStack_IsAtRest( body );
}

void supBody_Reset( supBody* body )
{
    supFloatSettings host = supEnterFloatSettings();
    supBodyStack_Reset( body );
    supJumps_Reset( &body->jumps );
    supBody_Keep( body );
    supLeaveFloatSettings( host );
}

void supBody_Teleport( supBody* body, supMat34 from, supMat34 to )
{
    supFloatSettings host = supEnterFloatSettings();
    supMat34 inverse;
    bool good = supAreSaneMats( &from, 1 ) && supAreSaneMats( &to, 1 ) && supInvertMat( from, &inverse );
    supMat34 motion = good ? supMulMat( to, inverse ) : supMat34_identity, world = supMulMat( motion, body->world );
    if ( good && supIsSaneWorld( &motion, &inverse ) && supIsSaneWorld( &world, &inverse ) )
    {
        supBodyStack_Teleport( body, motion );
        supJumps_Teleport( &body->jumps, motion );
        body->world = world;
        supBody_Heal( body );
    }
    supLeaveFloatSettings( host );
}

void supBody_Adopt( supBody* body, const supBody* from )
{
    if ( body->model->character != from->model->character )
    {
        return;
    }
    const supCharacter* character = body->model->character;
    memcpy( body->joints, from->joints, sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    memcpy( body->palette, from->palette, sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->paletteCount );
    memcpy( body->morphWeights, from->morphWeights,
        sizeof( float ) * (size_t)supCharacter_Info( character )->morphWeightCount );
    body->world = from->world;
    body->skinning = from->skinning;
    supRefreshDuals( body );
    body->exact = from->exact;
    body->simd = from->simd;
    body->gravity = from->gravity;
    body->wind = from->wind;
    supJumps_Adopt( &body->jumps, &from->jumps );
    supBodyStack_Adopt( body, from );
    supBody_Keep( body );
}

// ---------------------------------------------------------------------------------------------------------------
// Live edits

void supBody_SetMorphWeights( supBody* body, const float* weights )
{
    const supCharacter* character = body->model->character;
    size_t count = (size_t)supCharacter_Info( character )->morphWeightCount;
    if ( weights != NULL && supAreSaneWeights( weights, count ) )
    {
        memcpy( body->morphWeights, weights, sizeof( float ) * count );
    }
    for ( int32_t m = 0; weights == NULL && m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i < mesh.morphCount; ++i )
        {
            body->morphWeights[mesh.firstMorphWeight + i] = mesh.morphWeights[i];
        }
    }
}

void supBody_SetSkinning( supBody* body, supSkinning method )
{
    supFloatSettings host = supEnterFloatSettings();
    body->skinning = method;
    supRefreshDuals( body );
    supLeaveFloatSettings( host );
}

void supBody_SetExact( supBody* body, bool exact )
{
    body->exact = exact;
}

bool supBody_SetSimd( supBody* body, supSimd simd )
{
    bool can = supHasSimd( simd );
    body->simd = can ? simd : body->simd;
    return can;
}

void supBody_SetWind( supBody* body, supVec3 wind )
{
    body->wind = supIsSaneVec3( wind, SUP_MOST_SPEED ) ? wind : body->wind;
}

void supBody_SetGravity( supBody* body, supVec3 gravity )
{
    body->gravity = supIsSaneVec3( gravity, SUP_MOST_GRAVITY ) ? gravity : body->gravity;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking at the state

static int64_t supCountCutSteps( const supBody* body )
{
    int64_t count = 0;
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        count += supBodyStack_CutCount( body, i );
    }
    return count;
}

supBodyCounts supBody_Counts( const supBody* body )
{
    return (
        supBodyCounts ){ supBody_LimitedSteps( body ), body->healedCount, supCountCutSteps( body ), body->jumps.view };
}

uint64_t supBody_Hash( const supBody* body )
{
    supHash hash = supMakeHash();
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        const supStackLayer* entry = body->model->stack.layers + i;
        const supBodyLayer* layer = body->layers.layers + i;
        if ( entry->layer->motion != NULL && entry->layer->motion->hash != NULL )
        {
            entry->layer->motion->hash( entry->compiled, layer->state, &hash );
        }
        else
        {
            supHash_Floats( &hash, layer->shown, (size_t)entry->shownCount );
        }
    }
    return supHash_Value( &hash );
}
