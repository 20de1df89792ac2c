// One model on stage: life cycle, time, live edits.
// SPDX-License-Identifier: MIT

#include "base/hash.h"
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/hashes.h"
#include "supple/lab/machine.h"
#include "supple/lab/profile.h"
#include "supple/lab/states.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Memory: everything in one block

/// Offsets into the block.
typedef struct supBodyPlan
{
    supLayout layout;
    size_t joints, palette, duals, morphWeights, shown, fleshRows, tunes, stale;
    supBodyStackPlan layers;
    supKeptPlan kept;
} supBodyPlan;

static supBodyPlan supPlanBody( const supModel* model )
{
    const supCharacter* character = model->character;
    int32_t elements = model->flesh->elementCount;
    supBodyPlan plan = { .layout = supMakeLayout() };
    supLayoutAdd( &plan.layout, sizeof( supBody ), SUP_MAX_ALIGNMENT );
    plan.joints = SUP_LAYOUT_ARRAY( &plan.layout, supMat34, supCharacter_Info( character )->jointCount );
    plan.palette = SUP_LAYOUT_WIDE( &plan.layout, supMat34, supCharacter_Info( character )->paletteCount );
    plan.duals = SUP_LAYOUT_ARRAY( &plan.layout, supDualJoint, supCharacter_Info( character )->paletteCount );
    plan.morphWeights = SUP_LAYOUT_ARRAY( &plan.layout, float, supCharacter_Info( character )->morphWeightCount );
    plan.shown = SUP_LAYOUT_ARRAY( &plan.layout, supVec3[SUP_FLESH_LANES], model->flesh->blockCount );
    plan.fleshRows =
        SUP_LAYOUT_WIDE( &plan.layout, float[sup_fleshRowCount * SUP_FLESH_LANES], model->flesh->blockCount );
    plan.tunes = SUP_LAYOUT_ARRAY( &plan.layout, supFleshTune, elements );
    plan.stale = SUP_LAYOUT_ARRAY( &plan.layout, bool, elements );
    supPlanBodyStack( &plan.layers, model, &plan.layout );
    supPlanKept( &plan.kept, model, &plan.layout );
    return plan;
}

size_t supBody_MemorySize( const supModel* model )
{
    return supPlanBody( model ).layout.size;
}

supResult supInitBody( void* block, size_t size, const supModel* model, supBody** out, supError* error )
{
    *out = NULL;
    supBodyPlan plan = supPlanBody( model );
    if ( block == NULL || (uintptr_t)block % SUP_MAX_ALIGNMENT != 0 || size < plan.layout.size )
    {
        return supFail( error, sup_errorArgument,
            "a body of this model needs a block of %zu bytes aligned to %d, got %zu bytes", plan.layout.size,
            SUP_MAX_ALIGNMENT, size );
    }
    memset( block, 0, plan.layout.size );
    char* bytes = block;
    supBody* body = block;
    body->model = model;
    body->blockSize = plan.layout.size;
    body->joints = (supMat34*)( bytes + plan.joints );
    body->palette = (supMat34*)( bytes + plan.palette );
    body->duals = (supDualJoint*)( bytes + plan.duals );
    body->morphWeights = (float*)( bytes + plan.morphWeights );
    body->shown = (supVec3*)( bytes + plan.shown );
    body->flesh.rows = (float*)( bytes + plan.fleshRows );
    body->flesh.blockCount = model->flesh->blockCount;
    body->flesh.tunes = (supFleshTune*)( bytes + plan.tunes );
    body->flesh.stale = (bool*)( bytes + plan.stale );

    const supCharacter* character = model->character;
    memcpy( body->joints, supCharacter_Info( character )->restJoints,
        sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    supCharacter_Palette( character, body->joints, body->palette );
    body->world = supMat34_identity;
    body->simd = body->flesh.simd = model->simd;
    supBody_SetMorphWeights( body, NULL );
    supFlesh_Init( model->flesh, &body->flesh, model->gravity );
    supInitBodyStack( &body->layers, &plan.layers, model, bytes );
    supInitKept( &body->kept, &plan.kept, bytes );
    supBody_Keep( body );
    *out = body;
    return sup_success;
}

supResult supCreateBody( const supModel* model, supBody** out, supError* error )
{
    *out = NULL;
    size_t size = supBody_MemorySize( model );
    void* block = supAlloc( &model->allocator, size, SUP_MAX_ALIGNMENT );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a body of %zu bytes", size );
    }
    supResult result = supInitBody( block, size, model, out, error );
    assert( result == sup_success && *out != NULL );
    if ( *out != NULL )
    {
        ( *out )->ownsBlock = true;
    }
    return result;
}

void supDestroyBody( supBody* body )
{
    if ( body != NULL && body->ownsBlock )
    {
        supFree( &body->model->allocator, body, body->blockSize );
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

void supBody_ReadShown( supBody* body )
{
    supMat34 inverse;
    supInvertMat( body->world, &inverse );
    supFlesh_ReadShown( &body->flesh, inverse, body->shown );
}

/// Checks and keeps a pose; the last good one stays where it is not finite, or absurd.
static supResult supTakePose( supBody* body, const supMat34* joints )
{
    const supCharacter* character = body->model->character;
    int32_t jointCount = supCharacter_Info( character )->jointCount;
    if ( !supAreSaneMats( joints, (size_t)jointCount ) )
    {
        return sup_errorData;
    }
    memcpy( body->joints, joints, sizeof( supMat34 ) * (size_t)jointCount );
    supCharacter_Palette( character, joints, body->palette );
    supRefreshDuals( body );
    return sup_success;
}

supResult supBody_Show( supBody* body, const supMat34* joints, const supVec3* elongations )
{
    int32_t count = body->model->flesh->elementCount;
    for ( int32_t e = 0; e < count; ++e )
    {
        if ( !supIsSaneVec3( elongations[e], SUP_MOST_PLACE ) )
        {
            return sup_errorData;
        }
    }
    supResult result = supTakePose( body, joints );
    if ( result == sup_success && count > 0 )
    {
        memcpy( body->shown, elongations, sizeof( supVec3 ) * (size_t)count );
    }
    return result;
}

supResult supBody_Step( supBody* body, const supMat34* joints, supMat34 world, float dt )
{
    bool good = supIsSaneWorld( &world ) && supIsSaneStep( dt );
    double start = supBodyClock( body );
    supResult result = good ? supTakePose( body, joints ) : sup_errorData;
    if ( result != sup_success )
    {
        return result;
    }
    double posed = supBodyClock( body );
    body->world = world;
    float size = supCharacter_Info( body->model->character )->size;
    supFlesh_Step( body->model->flesh, &body->flesh, joints, world, dt, size );
    supBody_ReadShown( body );
    if ( body->profile != NULL )
    {
        body->profile->pose += posed - start;
        body->profile->flesh += supBodyClock( body ) - posed;
        body->profile->steps += 1;
    }
    supBodyStack_Step( body, dt );
    supBody_Heal( body );
    return sup_success;
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
    return supFlesh_IsAtRest( body->model->flesh, &body->flesh ) && supBodyStack_IsAtRest( body );
}

void supBody_Reset( supBody* body )
{
    supFlesh_Reset( body->model->flesh, &body->flesh );
    supBody_ReadShown( body );
    supBodyStack_Reset( body );
    supBody_Keep( body );
}

void supBody_Teleport( supBody* body, supMat34 from, supMat34 to )
{
    supMat34 inverse;
    bool good = supAreSaneMats( &from, 1 ) && supAreSaneMats( &to, 1 ) && supInvertMat( from, &inverse );
    supMat34 motion = good ? supMulMat( to, inverse ) : supMat34_identity, world = supMulMat( motion, body->world );
    if ( good && supIsSaneWorld( &motion ) && supIsSaneWorld( &world ) )
    {
        supFlesh_Teleport( body->model->flesh, &body->flesh, motion );
        supBodyStack_Teleport( body, motion );
        body->world = world;
        supBody_Heal( body );
    }
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
    body->simd = body->flesh.simd = from->simd;
    body->flesh.gravity = from->flesh.gravity;
    body->flesh.wind = from->flesh.wind;
    supFlesh_Adopt( body->model->flesh, &body->flesh, from->model->flesh, &from->flesh, from->joints, from->world );
    supBody_ReadShown( body );
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
    body->skinning = method;
    supRefreshDuals( body );
}

void supBody_SetExact( supBody* body, bool exact )
{
    body->exact = exact;
}

bool supBody_SetSimd( supBody* body, supSimd simd )
{
    bool can = supHasSimd( simd );
    body->simd = body->flesh.simd = can ? simd : body->simd;
    return can;
}

supElementTuning supBody_Tuning( const supBody* body, int32_t element )
{
    const supFleshTune* tune = body->flesh.tunes + element;
    return ( supElementTuning ){
        .frequency = (float)( tune->spring.omega / ( 2.0 * SUP_PI ) ),
        .dampingRatio = tune->spring.dampingRatio,
        .amount = tune->spring.amount,
        .sag = tune->sag,
        .mass = tune->mass,
        .gravityScale = tune->gravityScale,
        .airFriction = tune->spring.airFriction,
        .limitScale = tune->limitScale,
    };
}

/// Everything about it finite and in range, or words about the first thing that is not.
static supResult supCheckTuning( const supElementTuning* t, const char* name, supError* error )
{
    const struct
    {
        const char* field;
        double value, least, most;
    } checks[] = {
        { "frequency", t->frequency, 1e-6, 1e9 },
        { "dampingRatio", t->dampingRatio, 0.0, 1e6 },
        { "amount", t->amount, 0.0, 1e3 },
        { "sag", t->sag, 0.0, 1e3 },
        { "mass", t->mass, 1e-12, 1e12 },
        { "gravityScale", t->gravityScale, -1e3, 1e3 },
        { "airFriction", t->airFriction, 0.0, 1e6 },
        { "limitScale", t->limitScale, 0.0, 1.0 },
    };
    for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
    {
        if ( !( checks[i].value >= checks[i].least && checks[i].value <= checks[i].most ) )
        {
            return supFail( error, sup_errorArgument, "element \"%s\": %s %g is not in [%g, %g]", name, checks[i].field,
                checks[i].value, checks[i].least, checks[i].most );
        }
    }
    return sup_success;
}

supResult supBody_Tune( supBody* body, int32_t element, const supElementTuning* tuning, supError* error )
{
    const char* name = body->model->flesh->elements[element].name;
    supResult result = supCheckTuning( tuning, name, error );
    if ( result != sup_success )
    {
        return result;
    }
    supFlesh_Tune( body->model->flesh, &body->flesh, element,
        ( supFleshTune ){
            .spring = { (float)( 2.0 * SUP_PI * tuning->frequency ), tuning->dampingRatio, tuning->airFriction,
                tuning->amount },
            .sag = tuning->sag,
            .mass = tuning->mass,
            .gravityScale = tuning->gravityScale,
            .limitScale = tuning->limitScale,
        } );
    return sup_success;
}

supResult supBody_TunePhysical(
    supBody* body, int32_t element, float mass, float stiffness, float damping, supError* error )
{
    const supFleshElement* flesh = body->model->flesh->elements + element;
    if ( !( mass > 0.0f && stiffness > 0.0f && damping >= 0.0f ) || !supIsFinite( mass ) || !supIsFinite( stiffness ) ||
         !supIsFinite( damping ) )
    {
        return supFail( error, sup_errorArgument,
            "element \"%s\": mass %g kg, stiffness %g N/m, damping %g N s/m: mass and stiffness must be above 0, damping not below",
            flesh->name, (double)mass, (double)stiffness, (double)damping );
    }
    double omega = supSqrt( (double)stiffness / mass );
    supElementTuning tuning = supBody_Tuning( body, element );
    tuning.frequency = (float)( omega / ( 2.0 * SUP_PI ) );
    tuning.dampingRatio = (float)( damping / ( 2.0 * mass * omega ) );
    tuning.sag = supSagOfGravity( omega, flesh->thickness );
    tuning.mass = mass;
    return supBody_Tune( body, element, &tuning, error );
}

void supBody_SetWind( supBody* body, supVec3 wind )
{
    body->flesh.wind = supIsSaneVec3( wind, SUP_MOST_SPEED ) ? wind : body->flesh.wind;
}

void supBody_SetGravity( supBody* body, supVec3 gravity )
{
    body->flesh.gravity = supIsSaneVec3( gravity, SUP_MOST_GRAVITY ) ? gravity : body->flesh.gravity;
}

void supBody_Push( supBody* body, int32_t element, supVec3 impulse )
{
    if ( supIsSaneVec3( impulse, SUP_MOST_FORCE ) )
    {
        supFlesh_Push( &body->flesh, element, impulse );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Looking at the state

supElementState supBody_Element( const supBody* body, int32_t element )
{
    const supFleshState* state = &body->flesh;
    return ( supElementState ){
        .elongation = supFleshVec3( state, sup_rowShown, element ),
        .state = supFleshVec3( state, sup_rowU, element ),
        .velocity = supFleshVelocity( state, element ),
        .anchor = supAdd( supFleshVec3( state, sup_rowArm, element ), state->worldOrigin ),
        .limited = *supFleshFloat( state, sup_rowLimited, element ) != 0.0f,
    };
}

int64_t supBody_CutCount( const supBody* body )
{
    int64_t count = 0;
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        count += supBodyStack_CutCount( body, i );
    }
    return count;
}

int64_t supBody_LimitedCount( const supBody* body )
{
    return body->flesh.limitedCount;
}

static void supHashVec3( supHash* hash, supVec3 v )
{
    supHash_Float( hash, v.x );
    supHash_Float( hash, v.y );
    supHash_Float( hash, v.z );
}

uint64_t supBody_Hash( const supBody* body )
{
    supHash hash = supMakeHash();
    for ( int32_t e = 0; e < body->model->flesh->elementCount; ++e )
    {
        supHashVec3( &hash, supFleshVec3( &body->flesh, sup_rowU, e ) );
        supHashVec3( &hash, supFleshVec3( &body->flesh, sup_rowS, e ) );
        supHashVec3( &hash, supFleshVec3( &body->flesh, sup_rowShown, e ) );
    }
    supHash_Floats( &hash, body->layers.shown, (size_t)body->layers.shownCount );
    return supHash_Value( &hash );
}
