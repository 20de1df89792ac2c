// The takes' flesh, and all layers of a model, as something that moves skin.
// SPDX-License-Identifier: MIT
#include "bake/error_plan.h"

#include "bake/morph_data.h"
#include "bake/take_data.h"
#include "body/body_data.h"
#include "character/skin_blend.h"
#include "solve/dense.h"
#include "supple/lab/measures.h"

#include <string.h>

supMorphSource supModelMorphSource( const supModel* model )
{
    const supSkinOffsets* offsets = &model->offsets;
    const supStack* stack = &model->stack;
    bool alone = stack->applyCount == 0;
    return ( supMorphSource ){ .vertexCount = alone ? offsets->touchedCount : stack->movedCount,
        .vertices = alone ? offsets->touched : stack->moved };
}

bool supMakeMorphMoment( supMorphMoment* moment, const supMorphBakeDef* def )
{
    const supCharacter* character = def->model->character;
    bool alone = def->model->stack.applyCount == 0;
    int32_t vertices = alone ? 0 : supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    size_t bodySize = alone ? 0 : supBody_MemorySize( def->model );
    *moment = ( supMorphMoment ){ 0 };
    SUP_PUT( &layout, moment->shown, def->model->offsets.elementCount + 1 );
    SUP_PUT( &layout, moment->living, vertices );
    SUP_PUT( &layout, moment->other, vertices );
    char* body = NULL;
    SUP_PUT_BYTES( &layout, body, bodySize );
    moment->block = supAllocLayout( def->allocator, &layout );
    moment->blockSize = layout.size;
    if ( moment->block == NULL )
    {
        return false;
    }
    if ( !alone )
    {
        supInitBody( body, bodySize, def->model, &moment->body, NULL );
        supBody_SetExact( moment->body, true ); // the same bits everywhere
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Offsets of the skinning pass alone

/// Element by element: both its vertices and those of the source rise.
static void supOffsetMoves( const supTake* take, double time, supVec3* moves )
{
    const supSkinOffsets* offsets = &take->model->offsets;
    memset( moves, 0, sizeof( supVec3 ) * (size_t)offsets->touchedCount );
    for ( int32_t e = 0; e < offsets->elementCount; ++e )
    {
        const supElementView* element = offsets->elements + e;
        supVec3 u = supToFloat( supTakeSwingState( take, e, time, NULL ) );
        int32_t row = 0;
        for ( int32_t i = 0; i < element->vertexCount; ++i )
        {
            while ( row < offsets->touchedCount && offsets->touched[row] < element->vertices[i] )
            {
                ++row;
            }
            if ( row < offsets->touchedCount && offsets->touched[row] == element->vertices[i] )
            {
                moves[row] = supMulAdd( moves[row], element->weights[i], u );
            }
        }
    }
}

/// Turned as the living skin turns them; zeros where there is no normal.
static void supOffsetNormals(
    const supTake* take, double time, const supMat34* palette, supVec3* shown, supVec3* normals )
{
    const supSkinOffsets* offsets = &take->model->offsets;
    const supCharacter* character = take->model->character;
    memset( normals, 0, sizeof( supVec3 ) * (size_t)offsets->touchedCount );
    supTake_Elongations( take, time, shown );
    int32_t mesh = -1; // there may be none
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        while ( offsets->touched[row] >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( character, ++mesh );
        }
        size_t vertex = (size_t)( offsets->touched[row] - view.firstVertex );
        if ( view.normals != NULL )
        {
            const float* n = view.normals + 3 * vertex;
            size_t at = vertex * (size_t)view.influenceCount;
            supMat34d m = supBlendLinear(
                palette + view.firstPalette, view.influenceCount, view.jointIndices + at, view.weights + at );
            supVec3d smooth = supSkinnedNormal( m, ( supVec3d ){ n[0], n[1], n[2] } );
            normals[row] = supSkinOffsets_LivingNormal( offsets, row, m, shown, supToFloat( smooth ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All layers

/// The body as the take has it. Meshes that the file itself morphs are morphed before any layer sees them.
static void supShowMoment( supMorphMoment* moment, const supTake* take, double time, const supPose* pose )
{
    supBody_SetMorphWeights( moment->body, supPose_MorphWeights( pose ) );
    supTake_Show( take, time, supPose_Joints( pose ), moment->body );
}

static void supMorphMoment_Moves(
    supMorphMoment* moment, const supTake* take, double time, const supPose* pose, supVec3* moves )
{
    if ( moment->body == NULL )
    {
        supOffsetMoves( take, time, moves );
        return;
    }
    const supStack* stack = &take->model->stack;
    supShowMoment( moment, take, time, pose );
    supBody_Skin( moment->body, &moment->living->x, NULL );
    supBody_SmoothSkin( moment->body, &moment->other->x, NULL );
    for ( int32_t i = 0; i < stack->movedCount; ++i )
    {
        moves[i] = supSub( moment->living[stack->moved[i]], moment->other[stack->moved[i]] );
    }
}

static void supMorphMoment_Normals( supMorphMoment* moment, const supTake* take, double time, const supPose* pose,
    const supMat34* palette, supVec3* normals )
{
    if ( moment->body == NULL )
    {
        supOffsetNormals( take, time, palette, moment->shown, normals );
        return;
    }
    const supStack* stack = &take->model->stack;
    supShowMoment( moment, take, time, pose );
    memset( moment->other, 0, sizeof( supVec3 ) * (size_t)supCharacter_Info( take->model->character )->vertexCount );
    supBody_Skin( moment->body, &moment->living->x, &moment->other->x );
    for ( int32_t i = 0; i < stack->movedCount; ++i )
    {
        normals[i] = moment->other[stack->moved[i]];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Displacements at rest: what the source says of a time, taken back through the skinning.
//
// A vertex p with the morph target m is skinned to B ( p + m ) = B p + B m, B its blended matrix: so the target that
// moves it by d is m = B^-1 d. Where B is nearly flat (a collapsed elbow) that would be long, for the sake of one pose,
// and all targets would suffer. With the singular vectors B v_i = s_i u_i it is
//
//     m = sum_i v_i ( B v_i . d ) / max( s_i^2, s_1^2 / 100 )
//
// exact up to a condition of 10, and past that fading out in the flat directions alone, where no target could move the
// skin anyway; what is lost counts as error. (The nearest rotation in the place of a flat B was tried: it jumps at the
// threshold, which costs keys, and is wrong by a fifth in the directions that are not flat.)

static const double supWorstCondition = 10.0;

bool supMakeMorphClock( supMorphClock* clock, const supMorphPlan* plan )
{
    *clock = ( supMorphClock ){ .plan = plan };
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, clock->palette, supCharacter_Info( plan->character )->paletteCount );
    SUP_PUT( &layout, clock->moves, plan->source.vertexCount + 1 );
    clock->block = supAllocLayout( plan->allocator, &layout );
    clock->blockSize = layout.size;
    bool own = plan->def->source == NULL;
    if ( clock->block == NULL || ( own && !supMakeMorphMoment( &clock->moment, plan->def ) ) ||
         supCreatePose( plan->character, SUP_MAKE_IN( plan->allocator ), &clock->pose, NULL ) != sup_success )
    {
        supMorphClock_Destroy( clock );
        return false;
    }
    return true;
}

void supMorphClock_Destroy( supMorphClock* clock )
{
    supDestroyPose( clock->pose );
    supFree( clock->plan->allocator, clock->moment.block, clock->moment.blockSize );
    supFree( clock->plan->allocator, clock->block, clock->blockSize );
    *clock = ( supMorphClock ){ .plan = clock->plan };
}

void supMorphClock_Read( supMorphClock* clock, int32_t take, double time )
{
    const supMorphPlan* plan = clock->plan;
    supPose_Sample( clock->pose, supMorphTakeClip( plan, take ), time );
    supCharacter_Palette( plan->character, supPose_Joints( clock->pose ), clock->palette );
    if ( plan->def->source != NULL )
    {
        plan->source.moves( take, time, supPose_Joints( clock->pose ), clock->moves, plan->source.user );
    }
    else
    {
        supMorphMoment_Moves( &clock->moment, plan->def->takes[take], time, clock->pose, clock->moves );
    }
}

void supMorphClock_Normals( supMorphClock* clock, int32_t take, double time, supVec3* normals )
{
    const supMorphPlan* plan = clock->plan;
    if ( plan->def->source != NULL )
    {
        plan->source.normals( take, time, supPose_Joints( clock->pose ), normals, plan->source.user );
    }
    else
    {
        supMorphMoment_Normals( &clock->moment, plan->def->takes[take], time, clock->pose, clock->palette, normals );
    }
}

supMat34d supMorphClock_Matrix( const supMorphClock* clock, const supMorphSet* set, int32_t row )
{
    const supMeshView* mesh = clock->plan->meshes + set->meshes[row];
    size_t at = (size_t)set->vertices[row] * (size_t)mesh->influenceCount;
    return supBlendLinear(
        clock->palette + mesh->firstPalette, mesh->influenceCount, mesh->jointIndices + at, mesh->weights + at );
}

/// By singular vectors.
static supVec3d supBackThroughFlat( supMat34d m, supVec3d move )
{
    double xy = supDotD( m.x, m.y ), yz = supDotD( m.y, m.z ), xz = supDotD( m.x, m.z ), squares[3], v[9];
    double a[9] = { supDotD( m.x, m.x ), xy, xz, xy, supDotD( m.y, m.y ), yz, xz, yz, supDotD( m.z, m.z ) };
    supSymmetricEigen( 3, a, squares, v );
    double least = squares[0] / ( supWorstCondition * supWorstCondition );
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int i = 0; i < 3 && squares[0] > 0.0; ++i )
    {
        supVec3d axis = { v[3 * i], v[3 * i + 1], v[3 * i + 2] };
        double along = supDotD( supTransformVectorD( m, axis ), move );
        sum = supMulAddD( sum, along / supMax( squares[i], least ), axis );
    }
    return sum;
}

/// An upper bound of the largest stretch, exact for rotations times a scale: row sums of B^T B.
static double supMostStretch( supMat34d m )
{
    double xy = supAbs( supDotD( m.x, m.y ) ), yz = supAbs( supDotD( m.y, m.z ) ), xz = supAbs( supDotD( m.x, m.z ) );
    double x = supDotD( m.x, m.x ) + xy + xz, y = supDotD( m.y, m.y ) + xy + yz, z = supDotD( m.z, m.z ) + xz + yz;
    return supSqrt( supMax( supMax( x, y ), z ) );
}

static double supNormSquared( supMat34d m )
{
    return supDotD( m.x, m.x ) + supDotD( m.y, m.y ) + supDotD( m.z, m.z );
}

static supVec3d supBackToRest( supMat34d m, supVec3d move )
{
    supMat34d inverse;
    bool good = supInvertMatD( m, &inverse );
    // the condition is at most |B| |B^-1| in Frobenius norms, which is quicker to say
    good = good && supNormSquared( m ) * supNormSquared( inverse ) <= supWorstCondition * supWorstCondition;
    return good ? supTransformVectorD( inverse, move ) : supBackThroughFlat( m, move );
}

void supMorphClock_Rest( const supMorphClock* clock, const supMorphSet* set, float* rest, float* scales )
{
    for ( int32_t i = 0; i < set->count; ++i )
    {
        supVec3 move = clock->moves[set->sources[i]];
        supMat34d m = supMorphClock_Matrix( clock, set, i );
        supVec3 back = supToFloat( supBackToRest( m, supToDouble( move ) ) );
        rest[3 * (size_t)i] = back.x;
        rest[3 * (size_t)i + 1] = back.y;
        rest[3 * (size_t)i + 2] = back.z;
        scales[i] = (float)supMostStretch( m );
    }
}

supVec3d supMorphClock_Error( const supMorphClock* clock, const supMorphSet* set, int32_t row, supVec3d rest )
{
    supVec3d moved = supTransformVectorD( supMorphClock_Matrix( clock, set, row ), rest );
    return supSubD( moved, supToDouble( clock->moves[set->sources[row]] ) );
}

supVec3d supMorphClock_Loss( const supMorphClock* clock, const supMorphSet* set, int32_t row )
{
    supVec3d move = supToDouble( clock->moves[set->sources[row]] );
    return supMorphClock_Error( clock, set, row, supBackToRest( supMorphClock_Matrix( clock, set, row ), move ) );
}

// ---------------------------------------------------------------------------------------------------------------
// All frames, on any threads

enum
{
    supFrameBlock = 16
};

typedef struct supFrameWork
{
    supMorphPlan* plan;
    bool* good; ///< of each block
} supFrameWork;

static void supReadFrameBlock( int32_t index, void* context )
{
    supFrameWork* work = context;
    supMorphPlan* plan = work->plan;
    supMorphClock clock;
    work->good[index] = supMakeMorphClock( &clock, plan );
    int32_t first, end = supBlock( index, supFrameBlock, plan->frameCount, &first );
    for ( int32_t f = first; f < end && work->good[index]; ++f )
    {
        supMorphClock_Read( &clock, plan->frameTakes[f], plan->frameTimes[f] );
        for ( int32_t s = 0; s < plan->setCount; ++s )
        {
            supMorphSet* set = plan->sets + s;
            size_t at = (size_t)f * (size_t)set->count;
            supMorphClock_Rest( &clock, set, set->frames + 3 * at, set->scales + at );
        }
    }
    if ( work->good[index] )
    {
        supMorphClock_Destroy( &clock );
    }
}

supResult supReadMorphFrames( supMorphPlan* plan, supError* error )
{
    int32_t blocks = supBlockCount( supFrameBlock, plan->frameCount );
    bool* good = supAllocZeroed( plan->allocator, (size_t)blocks + 1, sizeof( bool ), _Alignof( bool ) );
    bool all = good != NULL;
    if ( all )
    {
        supFrameWork work = { plan, good };
        supRunTasks( plan->def->tasks, supReadFrameBlock, blocks, &work );
        for ( int32_t i = 0; i < blocks; ++i )
        {
            all = all && good[i];
        }
    }
    supFree( plan->allocator, good, ( (size_t)blocks + 1 ) * sizeof( bool ) );
    return all ? sup_success : supFail( error, sup_errorMemory, "no memory for %d frames", plan->frameCount );
}
