// Supple: examples compiled: each one's displacements at rest, and who shares which poses.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Memory

typedef struct supKept
{
    void* block;
    size_t size;
} supKept;

supArray supKeepBlocks( const supAllocator* allocator )
{
    return supMakeArray( sizeof( supKept ), allocator );
}

void* supKeepBlock( supArray* blocks, size_t count, size_t itemSize )
{
    size_t size;
    supKept* kept = supMulSize( count + 1, itemSize, &size ) ? supArray_Add( blocks, 1 ) : NULL;
    if ( kept == NULL )
    {
        return NULL;
    }
    *kept = ( supKept ){ supAllocZeroed( &blocks->allocator, 1, size, SUP_MAX_ALIGNMENT ), size };
    return kept->block;
}

void supFreeBlocks( supArray* blocks, const supAllocator* allocator )
{
    const supKept* kept = blocks->data;
    for ( size_t i = 0; i < blocks->count; ++i )
    {
        supFree( allocator, kept[i].block, kept[i].size );
    }
    supArray_Destroy( blocks );
}

void supDestroyCorrectives( void* compiled, const supAllocator* allocator )
{
    supCorrectives* correctives = compiled;
    for ( int32_t i = 0; correctives->examples != NULL && i < correctives->count; ++i )
    {
        const supExample* example = correctives->examples + i;
        for ( int32_t k = 0; k < example->tubeCount; ++k )
        {
            supFree( allocator, example->tubes[k].tube, example->tubes[k].tube->blockSize );
        }
    }
    supFreeBlocks( &correctives->kept, allocator );
    supFree( allocator, correctives, sizeof( supCorrectives ) );
}

static supResult supNoMemory( supError* error )
{
    return supFail( error, sup_errorMemory, "no memory for the examples" );
}

// ---------------------------------------------------------------------------------------------------------------
// Groups

/// A group with these joints, new where there is none. NULL: no memory.
static supExampleGroup* supFindGroup( supCorrectives* out, const int32_t* joints, int32_t count )
{
    for ( int32_t g = 0; g < out->groupCount; ++g )
    {
        supExampleGroup* group = out->groups + g;
        if ( group->jointCount == count && memcmp( group->joints, joints, sizeof( int32_t ) * (size_t)count ) == 0 )
        {
            return group;
        }
    }
    supExampleGroup* group = out->groups + out->groupCount;
    size_t n = (size_t)count;
    group->joints = supKeepBlock( &out->kept, n, sizeof( int32_t ) );
    group->restTurns = supKeepBlock( &out->kept, n, sizeof( supQuatd ) );
    group->axes = supKeepBlock( &out->kept, n, sizeof( supVec3d ) );
    group->examples = supKeepBlock( &out->kept, (size_t)out->count, sizeof( int32_t ) );
    if ( group->joints == NULL || group->restTurns == NULL || group->axes == NULL || group->examples == NULL )
    {
        return NULL;
    }
    memcpy( group->joints, joints, sizeof( int32_t ) * n );
    group->jointCount = count;
    out->groupCount += 1;
    out->mostJoints = count > out->mostJoints ? count : out->mostJoints;
    return group;
}

/// Along the bone, in the joint's own frame: to the joints below it, or as it comes from the one above.
static supVec3d supBoneAxis( const supCharacter* character, int32_t joint )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supVec3 head = rest[joint].t, sum = supVec3_zero;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        if ( supCharacter_Joint( character, j )->parent == joint )
        {
            sum = supAdd( sum, supSub( rest[j].t, head ) );
        }
    }
    int32_t parent = supCharacter_Joint( character, joint )->parent;
    float least = 1e-6f * supCharacter_Info( character )->size;
    if ( supLength( sum ) <= least && parent >= 0 )
    {
        sum = supSub( head, rest[parent].t );
    }
    supQuatd turned = supNearestRotationD( supMatToDouble( rest[joint] ) );
    return supLength( sum ) > least ? supNormalizeD( supRotateD( supConjugateD( turned ), supToDouble( sum ) ) )
                                    : ( supVec3d ){ 0.0, 1.0, 0.0 };
}

void supMeasureGroup( const supCharacter* character, supExampleGroup* group )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    for ( int32_t i = 0; i < group->jointCount; ++i )
    {
        int32_t parent = supCharacter_Joint( character, group->joints[i] )->parent;
        supQuatd own = supNearestRotationD( supMatToDouble( rest[group->joints[i]] ) );
        if ( parent >= 0 )
        {
            own = supMulQuatD( supConjugateD( supNearestRotationD( supMatToDouble( rest[parent] ) ) ), own );
        }
        group->restTurns[i] = supConjugateD( own );
        group->axes[i] = supBoneAxis( character, group->joints[i] );
    }
}

/// `features`: of all examples, `stride` apart.
static supResult supShareGroup( supCorrectives* out, supExampleGroup* group, const supExampleDef* const* defs,
    const double* features, size_t stride, supError* error )
{
    size_t width = (size_t)group->jointCount * supPoseFeatures;
    double* own = supKeepBlock( &out->kept, width * (size_t)group->count, sizeof( double ) );
    const char** names = supKeepBlock( &out->kept, (size_t)group->count, sizeof( const char* ) );
    char* block = supKeepBlock( &out->kept, supPoseSpace_MemorySize( group->jointCount, group->count ), 1 );
    if ( own == NULL || names == NULL || block == NULL )
    {
        return supNoMemory( error );
    }
    for ( int32_t e = 0; e < group->count; ++e )
    {
        memcpy( own + (size_t)e * width, features + (size_t)group->examples[e] * stride, width * sizeof( double ) );
        names[e] = defs[group->examples[e]]->name;
    }
    supError inner = { 0 };
    supResult result = supInitPoseSpace(
        &group->space, block, group->jointCount, group->count, own, names, &out->kept.allocator, &inner );
    out->largestGroup = group->count > out->largestGroup ? group->count : out->largestGroup;
    return result == sup_success
               ? result
               : supFail( error, result, "examples[%d]: %s", group->examples[group->count - 1], inner.text );
}

// ---------------------------------------------------------------------------------------------------------------
// One example

static supResult supKeepMoves( const supExampleWork* work, supExample* example, uint8_t* marks )
{
    int32_t all = supCharacter_Info( work->context->character )->vertexCount;
    for ( int32_t v = 0; v < all; ++v )
    {
        if ( !supIsFiniteVec3( work->moves[v] ) )
        {
            return supFail(
                work->error, sup_errorData, "%s: the move of vertex %d is not a finite number", work->place, v );
        }
        example->count += supLengthSquared( work->moves[v] ) > 0.0f;
    }
    example->rows = supKeepBlock( work->kept, (size_t)example->count, sizeof( int32_t ) );
    example->moves = supKeepBlock( work->kept, (size_t)example->count, sizeof( supVec3 ) );
    if ( example->rows == NULL || example->moves == NULL )
    {
        return supNoMemory( work->error );
    }
    int32_t at = 0;
    for ( int32_t v = 0; v < all; ++v )
    {
        if ( supLengthSquared( work->moves[v] ) > 0.0f )
        {
            example->rows[at] = v; // of the character until all examples are there
            example->moves[at++] = work->moves[v];
            marks[v] = 1;
        }
    }
    return sup_success;
}

static supResult supCompileExample( supExampleWork* work, double* features, uint8_t* marks )
{
    supCorrectives* out = work->out;
    const supCharacter* character = work->context->character;
    supExample* example = out->examples + work->index;
    int32_t* drivers = supKeepBlock( &out->kept, (size_t)work->def->joints.count, sizeof( int32_t ) );
    supResult result = drivers != NULL ? supFindDrivers( work, drivers ) : supNoMemory( work->error );
    result = result == sup_success ? supPoseExample( work, drivers ) : result;
    supExampleGroup* group = result == sup_success ? supFindGroup( out, drivers, work->def->joints.count ) : NULL;
    if ( group == NULL )
    {
        return result == sup_success ? supNoMemory( work->error ) : result;
    }
    supMeasureGroup( character, group );
    example->group = (int32_t)( group - out->groups );
    example->place = group->count;
    snprintf( example->name, sizeof( example->name ), "%s", work->def->name );
    group->examples[group->count++] = work->index;
    supReadFeatures( character, group, work->joints, features );
    memset( work->moves, 0, sizeof( supVec3 ) * (size_t)supCharacter_Info( character )->vertexCount );
    result = supSculptExample( work );
    result = result == sup_success ? supBendExample( work, drivers, example ) : result;
    return result == sup_success ? supKeepMoves( work, example, marks ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// What is touched, and what it hangs on

/// Joints that some touched vertex hangs on get a place among the turning ones: slots[joint] is that place plus 1.
static supResult supKeepHolds(
    const supCharacter* character, supArray* kept, int32_t* slots, supHeldSkin* out, supError* error )
{
    size_t joints = (size_t)supCharacter_Info( character )->jointCount;
    out->firstHold = supKeepBlock( kept, (size_t)out->touchedCount + 1, sizeof( int32_t ) );
    out->holds = supKeepBlock( kept, (size_t)out->touchedCount * SUP_MAX_INFLUENCES, sizeof( supHold ) );
    out->turnJoints = supKeepBlock( kept, joints, sizeof( int32_t ) );
    out->unturn = supKeepBlock( kept, joints, sizeof( supMat34d ) );
    if ( out->firstHold == NULL || out->holds == NULL || out->turnJoints == NULL || out->unturn == NULL )
    {
        return supNoMemory( error );
    }
    int32_t at = 0, row = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        const int32_t* palette = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
        for ( ; row < out->touchedCount && out->touched[row] < mesh.firstVertex + mesh.vertexCount; ++row )
        {
            size_t first = (size_t)( out->touched[row] - mesh.firstVertex ) * (size_t)mesh.influenceCount;
            out->firstHold[row] = at;
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                int32_t joint = palette[mesh.jointIndices[first + (size_t)k]];
                float weight = mesh.weights[first + (size_t)k];
                if ( weight > 0.0f )
                {
                    if ( slots[joint] == 0 )
                    {
                        out->turnJoints[out->turnCount++] = joint;
                        slots[joint] = out->turnCount;
                    }
                    out->holds[at++] = ( supHold ){ slots[joint] - 1, weight };
                }
            }
        }
    }
    out->firstHold[row] = at;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    for ( int32_t i = 0; i < out->turnCount; ++i )
    {
        if ( !supInvertMatD( supMatToDouble( rest[out->turnJoints[i]] ), out->unturn + i ) )
        {
            out->unturn[i] = supMat34d_identity;
        }
    }
    return sup_success;
}

supResult supHoldSkin( const supCharacter* character, const uint8_t* marks, supArray* kept, int32_t* slots,
    int32_t* rows, supHeldSkin* out, supError* error )
{
    int32_t all = supCharacter_Info( character )->vertexCount;
    out->touched = supKeepBlock( kept, (size_t)all, sizeof( int32_t ) );
    if ( out->touched == NULL )
    {
        return supNoMemory( error );
    }
    for ( int32_t v = 0; v < all; ++v )
    {
        rows[v] = out->touchedCount;
        if ( marks[v] != 0 )
        {
            out->touched[out->touchedCount++] = v;
        }
    }
    return supKeepHolds( character, kept, slots, out, error );
}

/// `marks`: of the vertices that some example moves.
static supResult supKeepTouched( supCorrectives* out, const uint8_t* marks, int32_t* slots, supError* error )
{
    int32_t all = supCharacter_Info( out->character )->vertexCount;
    int32_t* rows = supKeepBlock( &out->kept, (size_t)all, sizeof( int32_t ) );
    supResult result = rows != NULL ? supHoldSkin( out->character, marks, &out->kept, slots, rows, &out->held, error )
                                    : supNoMemory( error );
    for ( int32_t e = 0; e < out->count && result == sup_success; ++e )
    {
        for ( int32_t i = 0; i < out->examples[e].count; ++i )
        {
            out->examples[e].rows[i] = rows[out->examples[e].rows[i]];
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// All

static supResult supCompileAll( supExampleWork* work, const supExampleDef* const* defs, double* features,
    uint8_t* marks, int32_t* slots, size_t stride )
{
    supCorrectives* out = work->out;
    out->examples = supKeepBlock( &out->kept, (size_t)out->count, sizeof( supExample ) );
    out->groups = supKeepBlock( &out->kept, (size_t)out->count, sizeof( supExampleGroup ) );
    supResult result = out->examples != NULL && out->groups != NULL ? sup_success : supNoMemory( work->error );
    for ( int32_t i = 0; i < out->count && result == sup_success; ++i )
    {
        work->def = defs[i];
        work->index = i;
        supPathText( work->place, "examples[%d]", i );
        result = supCompileExample( work, features + (size_t)i * stride, marks );
    }
    for ( int32_t g = 0; g < out->groupCount && result == sup_success; ++g )
    {
        result = supShareGroup( out, out->groups + g, defs, features, stride, work->error );
    }
    return result == sup_success ? supKeepTouched( out, marks, slots, work->error ) : result;
}

void supPutExampleWork( supLayout* layout, supExampleWork* work, const supCharacter* character )
{
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount;
    SUP_PUT( layout, work->moves, vertices );
    SUP_PUT( layout, work->skinned, vertices );
    SUP_PUT( layout, work->members, vertices );
    SUP_PUT( layout, work->joints, supCharacter_Info( character )->jointCount );
    SUP_PUT( layout, work->turns, supCharacter_Info( character )->jointCount );
    SUP_PUT( layout, work->palette, supCharacter_Info( character )->paletteCount );
    SUP_PUT( layout, work->morphWeights, supCharacter_Info( character )->morphWeightCount );
}

supResult supCompileCorrectives(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supExampleDef* const* defs = (const supExampleDef* const*)items;
    const supCharacter* character = context->character;
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount,
           joints = (size_t)supCharacter_Info( character )->jointCount;
    size_t stride = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        size_t width = (size_t)defs[i]->joints.count * supPoseFeatures;
        stride = width > stride ? width : stride;
    }
    supLayout layout = supMakeLayout();
    supExampleWork work = { .context = context, .error = error };
    supPutExampleWork( &layout, &work, character );
    SUP_PUT_NEW( &layout, uint8_t, marks, vertices );
    SUP_PUT_NEW( &layout, int32_t, slots, joints );
    SUP_PUT_NEW_ROWS( &layout, double, features, count, stride );
    char* scratch = supAllocLayout( context->allocator, &layout );
    supCorrectives* made =
        supAllocZeroed( context->allocator, 1, sizeof( supCorrectives ), _Alignof( supCorrectives ) );
    if ( scratch == NULL || made == NULL )
    {
        supFree( context->allocator, scratch, layout.size );
        supFree( context->allocator, made, sizeof( supCorrectives ) );
        return supNoMemory( error );
    }
    made->kept = supKeepBlocks( context->allocator );
    made->character = character;
    made->count = count;
    work.out = made;
    work.kept = &made->kept;
    supResult result = supCompileAll( &work, defs, features, marks, slots, stride );
    supFree( context->allocator, scratch, layout.size );
    if ( result != sup_success )
    {
        supDestroyCorrectives( made, context->allocator );
        return result;
    }
    *out = made;
    return sup_success;
}
