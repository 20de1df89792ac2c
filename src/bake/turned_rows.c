// Vertices whose influences are on helpers that turn: how far the baked skin is from the living one there.
// SPDX-License-Identifier: MIT

#include "bake/error_plan.h"

#include "base/math.h"

#include <string.h>

supMat34 supMotionMatrix( const supSkinMotion* motion )
{
    supMat34d m = supMatFromQuatD( motion->turn );
    m.t = supSubD( motion->pivot, supTransformVectorD( m, motion->pivot ) );
    m.t = supAddD( m.t, motion->shift );
    return supMatToFloat( m );
}

// ---------------------------------------------------------------------------------------------------------------
// Making them

/// The mesh of each row in turn.
typedef struct supRowMesh
{
    const supCharacter* character;
    int32_t mesh;
    supMeshView view;
} supRowMesh;

static void supSeekMesh( supRowMesh* at, int32_t vertex )
{
    while ( at->view.vertexCount == 0 || vertex >= at->view.firstVertex + at->view.vertexCount )
    {
        at->view = supCharacter_Mesh( at->character, ++at->mesh );
    }
}

static bool supAddEntries( supTurnedRows* rows, const supJointBake* bake, const supRowMesh* at, int32_t vertex )
{
    const supBakedMesh* baked = bake->meshes + at->mesh;
    int32_t joints = supMeshJointCount( at->character, &at->view );
    size_t first = (size_t)vertex * (size_t)baked->influenceCount;
    for ( int32_t k = 0; k < baked->influenceCount; ++k )
    {
        int32_t joint = baked->joints[first + (size_t)k], helper = joint - joints;
        float weight = baked->weights[first + (size_t)k];
        supTurnedEntry* entry = weight > 0.0f ? supArray_Add( &rows->entries, 1 ) : NULL;
        if ( entry == NULL && weight > 0.0f )
        {
            return false;
        }
        if ( entry != NULL )
        {
            joint = helper >= 0 ? supFindMeshJoint( at->character, &at->view, supHelperJoint( bake, helper ) ) : joint;
            *entry = ( supTurnedEntry ){ at->view.firstPalette + joint, helper >= 0 ? helper : -1, weight };
        }
    }
    return true;
}

/// Grows the boxes of the helpers that vertex `index` hangs on. `palette`: at rest.
static void supGrowBoxes(
    supTurnedRows* rows, const supJointBake* bake, int32_t index, const supMat34* palette, supVec3 point )
{
    const supMat34* joints = supCharacter_Info( bake->model->character )->restJoints;
    const supTurnedEntry* entries = rows->entries.data;
    for ( int32_t i = rows->offsets[index]; i < rows->offsets[index + 1]; ++i )
    {
        int32_t helper = entries[i].helper;
        supMat34 inverse;
        if ( helper >= 0 && supInvertMat( joints[supHelperJoint( bake, helper )], &inverse ) )
        {
            supVec3 local = supTransformPoint( inverse, supTransformPoint( palette[entries[i].palette], point ) );
            rows->lower[helper] = supMinVec3( rows->lower[helper], local );
            rows->upper[helper] = supMaxVec3( rows->upper[helper], local );
        }
    }
}

static bool supFillTurnedRows( supTurnedRows* rows, const supJointBake* bake, supMat34* palette )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    const supRefit* refits = bake->refits.data;
    supRowMesh at = { .character = bake->model->character, .mesh = -1 };
    size_t nextRefit = 0;
    supCharacter_Palette( at.character, supCharacter_Info( at.character )->restJoints, palette );
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        bool refitted = nextRefit < bake->refits.count && refits[nextRefit].row == row;
        nextRefit += refitted;
        if ( !supSkinMotions_RowTurns( bake->model->motions, row ) )
        {
            continue;
        }
        supSeekMesh( &at, offsets->touched[row] );
        int32_t vertex = offsets->touched[row] - at.view.firstVertex, index = rows->count++;
        rows->rows[index] = row;
        rows->meshes[index] = at.mesh;
        rows->marks[row] = 1;
        rows->refits += refitted;
        if ( !supAddEntries( rows, bake, &at, vertex ) )
        {
            return false;
        }
        rows->offsets[index + 1] = (int32_t)rows->entries.count;
        const float* p = at.view.positions + 3 * (size_t)vertex;
        supGrowBoxes( rows, bake, index, palette, ( supVec3 ){ p[0], p[1], p[2] } );
    }
    return true;
}

bool supMakeTurnedRows( supTurnedRows* rows, const supJointBake* bake )
{
    *rows = ( supTurnedRows ){ .entries = supMakeArray( sizeof( supTurnedEntry ), &bake->allocator ) };
    if ( bake->turningCount == 0 )
    {
        return true;
    }
    size_t most = (size_t)bake->model->offsets.touchedCount, helpers = bake->helpers.count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, rows->rows, most );
    SUP_PUT( &layout, rows->meshes, most );
    SUP_PUT( &layout, rows->marks, most );
    SUP_PUT( &layout, rows->offsets, most + 1 );
    SUP_PUT( &layout, rows->lower, helpers );
    SUP_PUT( &layout, rows->upper, helpers );
    SUP_PUT_NEW( &layout, supMat34, palette, supCharacter_Info( bake->model->character )->paletteCount );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    rows->blockSize = layout.size;
    for ( size_t h = 0; h < helpers; ++h )
    {
        // a box with the helper's own place in it is never empty
        rows->lower[h] = rows->upper[h] = ( (const supBakedHelper*)bake->helpers.data )[h].place;
    }
    return supFillTurnedRows( rows, bake, palette );
}

void supTurnedRows_Destroy( supTurnedRows* rows, const supAllocator* allocator )
{
    supArray_Destroy( &rows->entries );
    supFree( allocator, rows->rows, rows->blockSize );
    *rows = ( supTurnedRows ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

/// The living place, less the smooth one.
static supVec3 supWantedMove( const supSkinMotions* motions, int32_t row, supVec3 smooth, const supMat34* wanted )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t i = motions->offsets[row]; i < motions->offsets[row + 1]; ++i )
    {
        const supMotionTouch* touch = motions->touches + i;
        supVec3 move = motions->turns[touch->motion]
                           ? supSub( supTransformPoint( wanted[touch->motion], smooth ), smooth )
                           : wanted[touch->motion].t;
        sum = supMulAdd( sum, touch->weight, move );
    }
    return sum;
}

supVec3 supTurnedRows_Error(
    const supTurnedRows* rows, const supJointBake* bake, int32_t index, const supTurnedPose* pose )
{
    int32_t row = rows->rows[index];
    supMeshView view = supCharacter_Mesh( bake->model->character, rows->meshes[index] );
    int32_t vertex = bake->model->offsets.touched[row] - view.firstVertex;
    size_t first = (size_t)vertex * (size_t)view.influenceCount;
    supVec3 point = supMorphedPoint( &view, vertex, pose->morphWeights );
    supVec3 smooth = supVec3_zero, baked = supVec3_zero;
    for ( int32_t k = 0; k < view.influenceCount && view.weights[first + (size_t)k] > 0.0f; ++k )
    {
        supMat34 joint = pose->palette[view.firstPalette + view.jointIndices[first + (size_t)k]];
        smooth = supMulAdd( smooth, view.weights[first + (size_t)k], supTransformPoint( joint, point ) );
    }
    const supTurnedEntry* entries = rows->entries.data;
    for ( int32_t i = rows->offsets[index]; i < rows->offsets[index + 1]; ++i )
    {
        int32_t helper = entries[i].helper;
        supVec3 place = supTransformPoint( pose->palette[entries[i].palette], point );
        if ( helper >= 0 )
        {
            place = supHelperTurn( bake, helper ) >= 0 ? supTransformPoint( pose->played[helper], place )
                                                       : supAdd( place, pose->moves[helper] );
        }
        baked = supMulAdd( baked, entries[i].weight, place );
    }
    return supSub( supSub( baked, smooth ), supWantedMove( bake->model->motions, row, smooth, pose->wanted ) );
}

float supTurnedRows_Bound( const supTurnedRows* rows, int32_t helper, supMat34 played, supMat34 target )
{
    supVec3 lower = rows->lower[helper], upper = rows->upper[helper];
    float largest = 0.0f;
    for ( int corner = 0; corner < 8; ++corner ) // what is off grows linearly: most of all in a corner
    {
        supVec3 point = { corner & 1 ? upper.x : lower.x, corner & 2 ? upper.y : lower.y,
            corner & 4 ? upper.z : lower.z };
        supVec3 off = supSub( supTransformPoint( played, point ), supTransformPoint( target, point ) );
        largest = supMaxF( largest, supLengthSquared( off ) );
    }
    return (float)supSqrt( largest );
}
