// Influences of the living skin: P1 + alpha2 u is itself linear blend skinning.
// SPDX-License-Identifier: MIT
//
// A helper child of joint j that is translated by L_j^-1 u moves as the joint does, plus u. A vertex that hands b_j of
// its weight on j to that helper, with sum b_j = alpha2, moves by alpha2 u. Taken from the largest weights first that
// makes n + 1 influences, not 2 n. What turns needs its share of every joint: rig/skin_motions.h.
#include "bake/joint_bake_data.h"

#include "bake/refit.h"
#include "base/math.h"

#include <assert.h>
#include <string.h>

/// Shares of a vertex that are too small to be seen, in any size of motion: dropped, and the rest brought to 1 again.
static const float supLeastShare = 1e-7f;

// ---------------------------------------------------------------------------------------------------------------
// Helpers

int32_t supAddBakedHelper( supJointBake* bake, supBakedHelper helper, int32_t turn, const float* mix )
{
    size_t motions = (size_t)bake->model->motions->count;
    supBakedHelper* at = supArray_Add( &bake->helpers, 1 );
    int32_t* turnAt = at != NULL ? supArray_Add( &bake->turns, 1 ) : NULL;
    float* shares = turnAt != NULL ? supArray_Add( &bake->mixes, motions ) : NULL;
    if ( shares == NULL )
    {
        return -1;
    }
    *at = helper;
    *turnAt = turn;
    bake->turningCount += turn >= 0;
    memcpy( shares, mix, motions * sizeof( float ) );
    return (int32_t)bake->helpers.count - 1;
}

supVec3d supHelperMoveD( const supJointBake* bake, int32_t helper, const supVec3d* shifts )
{
    int32_t motions = bake->model->motions->count;
    const float* mix = (const float*)bake->mixes.data + (size_t)helper * (size_t)motions;
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t m = 0; m < motions; ++m )
    {
        sum = mix[m] != 0.0f ? supMulAddD( sum, mix[m], shifts[m] ) : sum;
    }
    return sum;
}

supVec3 supHelperMove( const supJointBake* bake, int32_t helper, const supVec3* shifts )
{
    int32_t motions = bake->model->motions->count;
    const float* mix = (const float*)bake->mixes.data + (size_t)helper * (size_t)motions;
    supVec3 sum = supVec3_zero;
    for ( int32_t m = 0; m < motions; ++m )
    {
        sum = mix[m] != 0.0f ? supMulAdd( sum, mix[m], shifts[m] ) : sum;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// One vertex

int32_t supMeshJointCount( const supCharacter* character, const supMeshView* mesh )
{
    return mesh->skin >= 0 ? supCharacter_Skin( character, mesh->skin ).jointCount : 1;
}

int32_t supFindMeshJoint( const supCharacter* character, const supMeshView* mesh, int32_t joint )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh->firstPalette;
    int32_t count = supMeshJointCount( character, mesh ), at = 0;
    while ( at + 1 < count && joints[at] != joint )
    {
        ++at;
    }
    return at;
}

static void supAddInfluence( supExactInfluences* exact, int32_t joint, int32_t helper, float weight )
{
    if ( weight <= supLeastShare )
    {
        return;
    }
    int32_t at = exact->count;
    if ( at == SUP_MAX_CANDIDATES )
    {
        at = 0; // beyond all reason: the smallest one makes room
        for ( int32_t i = 1; i < exact->count; ++i )
        {
            at = exact->influences[i].weight < exact->influences[at].weight ? i : at;
        }
        if ( exact->influences[at].weight >= weight )
        {
            return;
        }
    }
    exact->influences[at] = ( supBakeInfluence ){ joint, helper, weight };
    exact->count = at == exact->count ? at + 1 : exact->count;
}

supExactInfluences supExactInfluencesOf( const supJointBake* bake, const supMeshView* mesh, int32_t row, bool* isExact )
{
    const supModel* model = bake->model;
    const supSkinOffsets* offsets = &model->offsets;
    const int32_t* paletteJoints = supCharacter_Info( model->character )->paletteJoints + mesh->firstPalette;
    size_t first = (size_t)( offsets->touched[row] - mesh->firstVertex ) * (size_t)mesh->influenceCount;
    float rest[SUP_MAX_INFLUENCES];
    supHelperShare shares[SUP_MOST_SHARES];
    memcpy( rest, mesh->weights + first, sizeof( float ) * (size_t)mesh->influenceCount );
    supExactInfluences exact = { 0 };
    int32_t count = supSkinMotions_Share( model->motions, row, mesh->influenceCount, rest, shares, isExact );
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t joint = mesh->jointIndices[first + (size_t)shares[i].influence];
        supAddInfluence( &exact, joint, supHelperOf( bake, shares[i].kind, paletteJoints[joint] ), shares[i].weight );
    }
    for ( int32_t k = 0; k < mesh->influenceCount; ++k )
    {
        supAddInfluence( &exact, mesh->jointIndices[first + (size_t)k], -1, rest[k] );
    }
    return exact;
}

void supStoreInfluences(
    supJointBake* bake, int32_t mesh, int32_t vertex, int32_t count, const supBakeInfluence* influences )
{
    supBakedMesh* baked = bake->meshes + mesh;
    supMeshView view = supCharacter_Mesh( bake->model->character, mesh );
    int32_t jointCount = supMeshJointCount( bake->model->character, &view );
    int32_t room = baked->influenceCount;
    // the arrays are this object's own: const to others alone
    int32_t* joints = (int32_t*)baked->joints + (size_t)vertex * (size_t)room;
    float* weights = (float*)baked->weights + (size_t)vertex * (size_t)room;
    double sum = 0.0;
    int32_t stored = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const supBakeInfluence* from = influences + i;
        int32_t at = stored < room ? stored++ : room;
        while ( at > 0 && weights[at - 1] < from->weight )
        {
            if ( at < room )
            {
                joints[at] = joints[at - 1];
                weights[at] = weights[at - 1];
            }
            --at;
        }
        if ( at < room )
        {
            joints[at] = from->helper >= 0 ? jointCount + from->helper : from->joint;
            weights[at] = from->weight;
        }
    }
    for ( int32_t i = 0; i < stored; ++i )
    {
        sum += weights[i];
    }
    for ( int32_t i = 0; i < room; ++i )
    {
        joints[i] = i < stored ? joints[i] : 0;
        weights[i] = i < stored ? (float)( weights[i] / sum ) : 0.0f;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All meshes

/// Influences as they were. There is room for all that have weight.
static void supCopyMesh( supBakedMesh* baked, const supMeshView* view )
{
    int32_t room = baked->influenceCount, own = view->influenceCount;
    int32_t* joints = (int32_t*)baked->joints;
    float* weights = (float*)baked->weights;
    for ( int32_t v = 0; v < view->vertexCount; ++v, joints += room, weights += room )
    {
        for ( int32_t k = 0; k < own && k < room; ++k )
        {
            size_t from = (size_t)v * (size_t)own + (size_t)k;
            joints[k] = view->weights[from] > 0.0f ? view->jointIndices[from] : 0;
            weights[k] = view->weights[from];
        }
    }
}

/// The most influences that any vertex of a mesh really has.
static int32_t supUsedInfluences( const supMeshView* view )
{
    int32_t most = 1;
    for ( int32_t v = 0; v < view->vertexCount; ++v )
    {
        for ( int32_t k = most; k < view->influenceCount; ++k )
        {
            size_t at = (size_t)v * (size_t)view->influenceCount + (size_t)k;
            most = view->weights[at] > supLeastShare ? k + 1 : most;
        }
    }
    return most;
}

/// The touched vertices of a mesh: rows from *first up to, not including, what it gives.
static int32_t supRowsOfMesh( const supSkinOffsets* offsets, const supMeshView* view, int32_t* first )
{
    while ( *first < offsets->touchedCount && offsets->touched[*first] < view->firstVertex )
    {
        ++*first;
    }
    int32_t end = *first;
    while ( end < offsets->touchedCount && offsets->touched[end] < view->firstVertex + view->vertexCount )
    {
        ++end;
    }
    return end;
}

static supResult supMakeMesh( supJointBake* bake, int32_t mesh, int32_t influences, int32_t* firstRow, supError* error )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    supMeshView view = supCharacter_Mesh( bake->model->character, mesh );
    supBakedMesh* baked = bake->meshes + mesh;
    baked->mesh = mesh;
    int32_t endRow = supRowsOfMesh( offsets, &view, firstRow );
    if ( endRow == *firstRow )
    {
        return sup_success;
    }
    int32_t most = supUsedInfluences( &view );
    for ( int32_t row = *firstRow; row < endRow; ++row )
    {
        int32_t needed = supExactInfluencesOf( bake, &view, row, NULL ).count;
        most = influences > 4 && needed > most ? needed : most;
    }
    baked->changed = true;
    baked->influenceCount = most > 4 ? 8 : 4;
    size_t cells = (size_t)view.vertexCount * (size_t)baked->influenceCount;
    baked->joints = supAllocZeroed( &bake->allocator, cells, sizeof( int32_t ), _Alignof( int32_t ) );
    baked->weights = supAllocZeroed( &bake->allocator, cells, sizeof( float ), _Alignof( float ) );
    if ( baked->joints == NULL || baked->weights == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the influences of %d vertices", view.vertexCount );
    }
    supCopyMesh( baked, &view );
    for ( int32_t row = *firstRow; row < endRow; ++row )
    {
        bool isExact;
        supExactInfluences exact = supExactInfluencesOf( bake, &view, row, &isExact );
        supStoreInfluences( bake, mesh, offsets->touched[row] - view.firstVertex, exact.count, exact.influences );
        if ( exact.count > baked->influenceCount || !isExact )
        {
            supRefit* refit = supArray_Add( &bake->refits, 1 );
            if ( refit == NULL )
            {
                return supFail(
                    error, sup_errorMemory, "no memory for the influences of %d vertices", view.vertexCount );
            }
            *refit = ( supRefit ){ row, mesh };
        }
    }
    *firstRow = endRow;
    return sup_success;
}

supResult supMakeInfluences( supJointBake* bake, int32_t influences, supError* error )
{
    int32_t firstRow = 0;
    supResult result = sup_success;
    for ( int32_t m = 0; m < bake->meshCount && result == sup_success; ++m )
    {
        result = supMakeMesh( bake, m, influences, &firstRow, error );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The best few of many influences.
//
// With the candidates' errors as columns (where each alone would put the vertex, less where it should be, over all
// frames) the squared error of weights that sum to 1 is w^T C w. On a given set its minimum is w = z / (1 . z), C z =
// 1, and the cost 1 / (1 . z). Which set: where there are few candidates all are tried, else from a good larger one the
// least missed are taken away one at a time, then single swaps as long as they help.

enum
{
    supMostTries = 130 ///< sets that are tried one by one
};

/// C z = 1 on the chosen ones, by Cholesky; a little is added to the diagonal so that candidates that never differ are
/// shared evenly. False where that fails.
static bool supSolveSet( const supWeightProblem* problem, supWeightChoice* choice )
{
    enum
    {
        n = SUP_MAX_CANDIDATES
    };
    double l[n][n], z[n];
    double trace = 0.0;
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        trace += problem->costs[choice->chosen[i]][choice->chosen[i]];
    }
    double little = 1e-9 * trace + 1e-300;
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        double rest = 1.0;
        for ( int32_t j = 0; j <= i; ++j )
        {
            double sum = problem->costs[choice->chosen[i]][choice->chosen[j]] + ( i == j ? little : 0.0 );
            for ( int32_t k = 0; k < j; ++k )
            {
                sum -= l[i][k] * l[j][k];
            }
            if ( i == j && !( sum > 0.0 ) )
            {
                return false;
            }
            l[i][j] = i == j ? supSqrt( sum ) : sum / l[j][j];
        }
        for ( int32_t k = 0; k < i; ++k )
        {
            rest -= l[i][k] * z[k];
        }
        z[i] = rest / l[i][i];
    }
    double total = 0.0;
    for ( int32_t i = choice->count - 1; i >= 0; --i )
    {
        for ( int32_t k = i + 1; k < choice->count; ++k )
        {
            z[i] -= l[k][i] * z[k];
        }
        z[i] /= l[i][i];
        total += z[i];
    }
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        choice->weights[i] = z[i] / total;
    }
    choice->cost = 1.0 / total;
    return total > 0.0;
}

void supSolveWeights( const supWeightProblem* problem, supWeightChoice* choice )
{
    while ( choice->count > 0 )
    {
        if ( !supSolveSet( problem, choice ) )
        {
            choice->cost = supInfinity();
            return;
        }
        int32_t least = 0;
        for ( int32_t i = 1; i < choice->count; ++i )
        {
            least = choice->weights[i] < choice->weights[least] ? i : least;
        }
        if ( choice->weights[least] >= 0.0 )
        {
            return;
        }
        choice->chosen[least] = choice->chosen[--choice->count];
    }
}

static bool supIsChosen( const supWeightChoice* choice, int32_t candidate )
{
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        if ( choice->chosen[i] == candidate )
        {
            return true;
        }
    }
    return false;
}

/// All sets of `room` candidates, in order.
static supWeightChoice supTryAll( const supWeightProblem* problem, int32_t room )
{
    supWeightChoice best = { .cost = supInfinity() };
    int32_t set[SUP_MAX_CANDIDATES];
    for ( int32_t i = 0; i < room; ++i )
    {
        set[i] = i;
    }
    for ( ;; )
    {
        supWeightChoice choice = { .count = room };
        for ( int32_t i = 0; i < room; ++i )
        {
            choice.chosen[i] = set[i];
        }
        supSolveWeights( problem, &choice );
        best = choice.cost < best.cost ? choice : best;
        int32_t at = room - 1;
        while ( at >= 0 && set[at] == problem->count - room + at )
        {
            --at;
        }
        if ( at < 0 )
        {
            return best;
        }
        for ( ++set[at]; at + 1 < room; ++at )
        {
            set[at + 1] = set[at] + 1;
        }
    }
}

static supWeightChoice supTakeAway( const supWeightProblem* problem, const supWeightChoice* start, int32_t room )
{
    supWeightChoice choice = *start;
    supSolveWeights( problem, &choice );
    while ( choice.count > room )
    {
        supWeightChoice best = { .cost = supInfinity() };
        for ( int32_t i = 0; i < choice.count; ++i )
        {
            supWeightChoice less = choice;
            less.chosen[i] = less.chosen[--less.count];
            supSolveWeights( problem, &less );
            best = less.cost < best.cost || best.count == 0 ? less : best;
        }
        choice = best;
    }
    return choice;
}

/// Exchanges one candidate at a time as long as that helps.
static supWeightChoice supSwapWeights( const supWeightProblem* problem, supWeightChoice choice, int32_t room )
{
    for ( bool better = true; better; )
    {
        better = false;
        supWeightChoice best = choice;
        for ( int32_t candidate = 0; candidate < problem->count; ++candidate )
        {
            int32_t places = choice.count < room ? choice.count + 1 : choice.count;
            for ( int32_t i = 0; i < places && !supIsChosen( &choice, candidate ); ++i )
            {
                supWeightChoice other = choice;
                other.count = i == choice.count ? choice.count + 1 : choice.count;
                other.chosen[i] = candidate;
                supSolveWeights( problem, &other );
                best = other.cost < best.cost * ( 1.0 - 1e-6 ) ? other : best;
            }
        }
        better = best.cost < choice.cost;
        choice = best;
    }
    return choice;
}

supWeightChoice supChooseWeights( const supWeightProblem* problem, const supWeightChoice* start, int32_t room )
{
    int64_t sets = 1;
    for ( int32_t i = 0; i < room && sets <= supMostTries; ++i )
    {
        sets = sets * ( problem->count - i ) / ( i + 1 );
    }
    if ( problem->count <= room || sets <= supMostTries )
    {
        return supTryAll( problem, problem->count < room ? problem->count : room );
    }
    return supSwapWeights( problem, supTakeAway( problem, start, room ), room );
}
