// How far the baked skin is from the living one, vertex by vertex, without skinning both.
// SPDX-License-Identifier: MIT

#include "bake/error_plan.h"

#include "base/math.h"
#include "base/wide.h"

#include <string.h>

/// What a refitted vertex's influences are on each joint, helpers on it included, less what they were.
static bool supAddDeltas(
    supErrorPlan* plan, const supMeshView* view, const float* sums, int32_t vertex, int32_t jointCount )
{
    size_t first = (size_t)vertex * (size_t)view->influenceCount;
    bool fits = true;
    for ( int32_t j = 0; j < jointCount && fits; ++j )
    {
        float delta = sums[j];
        for ( int32_t k = 0; k < view->influenceCount; ++k )
        {
            delta -= view->jointIndices[first + (size_t)k] == j ? view->weights[first + (size_t)k] : 0.0f;
        }
        if ( delta != 0.0f )
        {
            supPlanEntry* entry = supArray_Add( &plan->deltas, 1 );
            fits = entry != NULL;
            if ( fits )
            {
                *entry = ( supPlanEntry ){ view->firstPalette + j, delta };
            }
        }
    }
    return fits;
}

/// One row; `sums`: scratch, one a joint of the mesh, zero before and after.
static bool supPlanRow(
    supErrorPlan* plan, const supJointBake* bake, const supMeshView* view, int32_t row, bool refitted, float* sums )
{
    const supBakedMesh* baked = bake->meshes + plan->meshes[row];
    const supCharacter* character = bake->model->character;
    int32_t jointCount = supMeshJointCount( character, view );
    int32_t vertex = bake->model->offsets.touched[row] - view->firstVertex;
    size_t first = (size_t)vertex * (size_t)baked->influenceCount;
    bool fits = true;
    for ( int32_t k = 0; k < baked->influenceCount && fits; ++k )
    {
        int32_t joint = baked->joints[first + (size_t)k];
        float weight = baked->weights[first + (size_t)k];
        if ( weight == 0.0f )
        {
            continue;
        }
        if ( joint >= jointCount )
        {
            supPlanEntry* entry = supArray_Add( &plan->helpers, 1 );
            fits = entry != NULL;
            if ( fits )
            {
                *entry = ( supPlanEntry ){ joint - jointCount, weight };
            }
            joint = supFindMeshJoint( character, view, supHelperJoint( bake, joint - jointCount ) );
        }
        sums[joint] += weight;
    }
    fits = fits && ( !refitted || supAddDeltas( plan, view, sums, vertex, jointCount ) );
    memset( sums, 0, sizeof( float ) * (size_t)jointCount );
    return fits;
}

static void supSumProducts( const supErrorPlan* plan, int32_t row, int32_t helperCount, double* products )
{
    const supPlanEntry* entries = plan->helpers.data;
    for ( int32_t i = plan->helperOffsets[row]; i < plan->helperOffsets[row + 1]; ++i )
    {
        for ( int32_t k = plan->helperOffsets[row]; k < plan->helperOffsets[row + 1]; ++k )
        {
            size_t cell = (size_t)entries[i].index * (size_t)helperCount + (size_t)entries[k].index;
            products[cell] += (double)entries[i].weight * entries[k].weight;
        }
    }
}

/// Those that are not zero.
static bool supKeepProducts( supErrorPlan* plan, const double* products, size_t helpers )
{
    for ( size_t i = 0; i < helpers * helpers; ++i )
    {
        if ( products[i] == 0.0 || i / helpers > i % helpers )
        {
            continue;
        }
        supWeightProduct* product = supArray_Add( &plan->products, 1 );
        if ( product == NULL )
        {
            return false;
        }
        *product = ( supWeightProduct ){ (int32_t)( i / helpers ), (int32_t)( i % helpers ),
            i / helpers == i % helpers ? products[i] : 2.0 * products[i] };
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds: thousands of vertices share a few hundred patterns of weights on helpers, once these are rounded up

/// A row's weights on helpers, rounded up, by rising helper. At most as many as a vertex has influences.
static int32_t supPatternOf( const supErrorPlan* plan, int32_t row, supPlanEntry* pattern )
{
    static const float steps = 32.0f;
    const supPlanEntry* entries = (const supPlanEntry*)plan->helpers.data + plan->helperOffsets[row];
    int32_t count = plan->helperOffsets[row + 1] - plan->helperOffsets[row];
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t at = i;
        for ( ; at > 0 && pattern[at - 1].index > entries[i].index; --at )
        {
            pattern[at] = pattern[at - 1];
        }
        float up = (float)( (int32_t)( entries[i].weight * steps ) + 1 ) / steps;
        pattern[at] = ( supPlanEntry ){ entries[i].index, supMinF( up, 1.0f ) };
    }
    return count;
}

/// Adds a pattern where it is new. `table`: 1 + the pattern's number at the place of its hash; a power of two, never
/// full.
static bool supKeepPattern(
    supErrorPlan* plan, const supPlanEntry* pattern, int32_t count, int32_t* table, size_t places )
{
    uint32_t hash = 2166136261u; // Fowler, Noll, Vo
    for ( int32_t i = 0; i < count; ++i )
    {
        hash = ( hash ^ (uint32_t)pattern[i].index ) * 16777619u;
        hash = ( hash ^ (uint32_t)(int32_t)( pattern[i].weight * 32.0f ) ) * 16777619u;
    }
    for ( size_t at = hash & ( places - 1 );; at = ( at + 1 ) & ( places - 1 ) )
    {
        const supPlanEntry* bounds = plan->bounds.data;
        const int32_t* ends = plan->boundEnds.data;
        if ( table[at] == 0 )
        {
            supPlanEntry* made = supArray_Add( &plan->bounds, (size_t)count );
            int32_t* end = made != NULL ? supArray_Add( &plan->boundEnds, 1 ) : NULL;
            if ( end == NULL )
            {
                return false;
            }
            memcpy( made, pattern, (size_t)count * sizeof( supPlanEntry ) );
            *end = (int32_t)plan->bounds.count;
            table[at] = (int32_t)plan->boundEnds.count;
            return true;
        }
        int32_t first = table[at] > 1 ? ends[table[at] - 2] : 0;
        bool same = ends[table[at] - 1] - first == count;
        if ( same && memcmp( bounds + first, pattern, (size_t)count * sizeof( supPlanEntry ) ) == 0 )
        {
            return true;
        }
    }
}

static bool supFindBounds( supErrorPlan* plan, const supJointBake* bake )
{
    int32_t rows = bake->model->offsets.touchedCount;
    size_t places = 16;
    while ( places < 2 * (size_t)rows )
    {
        places *= 2;
    }
    int32_t* table = supAllocZeroed( &bake->allocator, places, sizeof( int32_t ), _Alignof( int32_t ) );
    bool fits = table != NULL;
    for ( int32_t row = 0; row < rows && fits; ++row )
    {
        supPlanEntry pattern[SUP_MAX_INFLUENCES];
        int32_t count = supPatternOf( plan, row, pattern );
        fits = count == 0 || supKeepPattern( plan, pattern, count, table, places );
    }
    supFree( &bake->allocator, table, places * sizeof( int32_t ) );
    return fits;
}

float supErrorBound( const supErrorPlan* plan, const float* lengths )
{
    const supPlanEntry* bounds = plan->bounds.data;
    const int32_t* ends = plan->boundEnds.data;
    float largest = 0.0f;
    int32_t i = 0;
    for ( size_t pattern = 0; pattern < plan->boundEnds.count; ++pattern )
    {
        float sum = 0.0f;
        for ( ; i < ends[pattern]; ++i )
        {
            sum += bounds[i].weight * lengths[bounds[i].index];
        }
        largest = supMaxF( largest, sum );
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool supPlanRows( supErrorPlan* plan, const supJointBake* bake, float* sums, double* products )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    const supRefit* refits = bake->refits.data;
    size_t nextRefit = 0;
    int32_t mesh = -1; // there may be none
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        while ( offsets->touched[row] >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( bake->model->character, ++mesh );
        }
        bool refitted = nextRefit < bake->refits.count && refits[nextRefit].row == row;
        nextRefit += refitted;
        const float* p = view.positions + 3 * (size_t)( offsets->touched[row] - view.firstVertex );
        plan->points[row] = ( supVec3 ){ p[0], p[1], p[2] };
        plan->meshes[row] = mesh;
        if ( !supPlanRow( plan, bake, &view, row, refitted, sums ) )
        {
            return false;
        }
        plan->helperOffsets[row + 1] = (int32_t)plan->helpers.count;
        plan->deltaOffsets[row + 1] = (int32_t)plan->deltas.count;
        if ( !supIsRefit( plan, row ) && !supIsTurned( plan, row ) )
        {
            supSumProducts( plan, row, supBakedHelperCount( bake ), products );
        }
    }
    return supKeepProducts( plan, products, bake->helpers.count ) && supFindBounds( plan, bake );
}

supResult supMakeErrorPlan( supErrorPlan* plan, const supJointBake* bake, supError* error )
{
    size_t rows = (size_t)bake->model->offsets.touchedCount, helpers = bake->helpers.count;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, helpersRoom, rows + 1 );
    SUP_PUT_NEW( &layout, int32_t, deltas, rows + 1 );
    SUP_PUT_NEW( &layout, int32_t, meshes, rows );
    SUP_PUT_NEW( &layout, supVec3, points, rows );
    SUP_PUT_NEW_ROWS( &layout, double, products, helpers, helpers );
    SUP_PUT_NEW( &layout, int32_t, steepestEnds, rows / SUP_PLAN_BLOCK + 1 );
    SUP_PUT_NEW( &layout, float, steep, bake->model->offsets.touchCount );
    SUP_PUT_NEW( &layout, supMat34, palette, supCharacter_Info( bake->model->character )->paletteCount );
    SUP_PUT_NEW( &layout, float, sums, supCharacter_Info( bake->model->character )->jointCount + 1 );
    char* block = supAllocLayout( &bake->allocator, &layout );
    *plan = ( supErrorPlan ){ .helpers = supMakeArray( sizeof( supPlanEntry ), &bake->allocator ),
        .deltas = supMakeArray( sizeof( supPlanEntry ), &bake->allocator ),
        .bounds = supMakeArray( sizeof( supPlanEntry ), &bake->allocator ),
        .boundEnds = supMakeArray( sizeof( int32_t ), &bake->allocator ),
        .steepest = supMakeArray( sizeof( supPlanEntry ), &bake->allocator ),
        .products = supMakeArray( sizeof( supWeightProduct ), &bake->allocator ),
        .blockSize = layout.size };
    if ( block != NULL )
    {
        plan->helperOffsets = helpersRoom;
        plan->deltaOffsets = deltas;
        plan->meshes = meshes;
        plan->points = points;
        plan->steep = steep;
        plan->steepestEnds = steepestEnds;
    }
    bool fits = block != NULL && supMakeTurnedRows( &plan->turned, bake );
    if ( !fits || !supPlanRows( plan, bake, sums, products ) || !supMeasureSteepness( plan, bake, palette ) )
    {
        supErrorPlan_Destroy( plan, &bake->allocator );
        return supFail( error, sup_errorMemory, "no memory to measure %zu vertices", rows );
    }
    return sup_success;
}

void supErrorPlan_Destroy( supErrorPlan* plan, const supAllocator* allocator )
{
    supArray_Destroy( &plan->helpers );
    supArray_Destroy( &plan->deltas );
    supArray_Destroy( &plan->products );
    supArray_Destroy( &plan->bounds );
    supArray_Destroy( &plan->boundEnds );
    supArray_Destroy( &plan->steepest );
    supTurnedRows_Destroy( &plan->turned, allocator );
    supFree( allocator, plan->helperOffsets, plan->blockSize );
    *plan = ( supErrorPlan ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

supVec3 supMorphedPoint( const supMeshView* mesh, int32_t vertex, const float* morphWeights )
{
    const float* p = mesh->positions + 3 * (size_t)vertex;
    supVec3 point = { p[0], p[1], p[2] };
    for ( int32_t i = 0; mesh->morphPositions != NULL && i < mesh->morphCount; ++i )
    {
        float weight = morphWeights[mesh->firstMorphWeight + i];
        if ( weight != 0.0f && mesh->morphPositions[i] != NULL )
        {
            const float* m = mesh->morphPositions[i] + 3 * (size_t)vertex;
            point = supMulAdd( point, weight, ( supVec3 ){ m[0], m[1], m[2] } );
        }
    }
    return point;
}

supVec3 supExactRowError( const supErrorPlan* plan, int32_t row, const supVec3* errors )
{
    const supPlanEntry* entries = plan->helpers.data;
    supVec3 sum = supVec3_zero;
    for ( int32_t i = plan->helperOffsets[row]; i < plan->helperOffsets[row + 1]; ++i )
    {
        sum = supMulAdd( sum, entries[i].weight, errors[entries[i].index] );
    }
    return sum;
}

/// total += weight * a. Left to themselves compilers put several terms of a sum side by side, and gather for that.
static inline void supAddPadded( const supPadded* a, float weight, supPadded* total )
{
#if SUP_WIDTH == 4
    supStoreW( total->v, supMulAddW( supSplatW( weight ), supLoadW( a->v ), supLoadW( total->v ) ) );
#else
    for ( int k = 0; k < 3; ++k )
    {
        total->v[k] += weight * a->v[k];
    }
#endif
}

/// total += weight * ( m point ), with the four columns of m.
static inline void supAddMoved( const supPadded* m, supVec3 point, float weight, supPadded* total )
{
#if SUP_WIDTH == 4
    supW moved = supMulW( supLoadW( m[0].v ), supSplatW( point.x ) );
    moved = supMulAddW( supLoadW( m[1].v ), supSplatW( point.y ), moved );
    moved = supAddW( supMulAddW( supLoadW( m[2].v ), supSplatW( point.z ), moved ), supLoadW( m[3].v ) );
    supStoreW( total->v, supMulAddW( supSplatW( weight ), moved, supLoadW( total->v ) ) );
#else
    for ( int k = 0; k < 3; ++k )
    {
        float moved = m[0].v[k] * point.x + m[1].v[k] * point.y + m[2].v[k] * point.z + m[3].v[k];
        total->v[k] += weight * moved;
    }
#endif
}

supVec3 supRefitRowError( const supErrorPlan* plan, const supJointBake* bake, int32_t row, const supRefitPose* pose )
{
    const supSkinMotions* motions = bake->model->motions;
    const supPlanEntry *helpers = plan->helpers.data, *deltas = plan->deltas.data;
    supPadded sum = { { 0.0f, 0.0f, 0.0f, 0.0f } };
    for ( int32_t i = plan->helperOffsets[row]; i < plan->helperOffsets[row + 1]; ++i )
    {
        supAddPadded( pose->moves + helpers[i].index, helpers[i].weight, &sum );
    }
    for ( int32_t i = motions->offsets[row]; i < motions->offsets[row + 1]; ++i )
    {
        supAddPadded( pose->shifts + motions->touches[i].motion, -motions->touches[i].weight, &sum );
    }
    supVec3 point = plan->points[row];
    if ( pose->morphWeights != NULL )
    {
        supMeshView mesh = supCharacter_Mesh( bake->model->character, plan->meshes[row] );
        int32_t vertex = bake->model->offsets.touched[row] - mesh.firstVertex;
        point = supMorphedPoint( &mesh, vertex, pose->morphWeights );
    }
    for ( int32_t i = plan->deltaOffsets[row]; i < plan->deltaOffsets[row + 1]; ++i )
    {
        supAddMoved( pose->columns + 4 * (size_t)deltas[i].index, point, deltas[i].weight, &sum );
    }
    return ( supVec3 ){ sum.v[0], sum.v[1], sum.v[2] };
}
