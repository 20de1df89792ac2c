// Vertices that came past their bone: counted over a take, beside those that smooth skinning alone brings there.
// SPDX-License-Identifier: MIT
//
// The virtual bone is rigid with its driver: in a pose its line runs through D from, along D a, where D is the driver's
// motion from rest. A vertex has a side of that line, r, the way across to it at rest. A joint that twists carries the
// side along, so r is turned by the vertex's own blended matrix B: n = B r. The vertex p is past the bone where
//
//     (p - D from) . n' < 0,   n' = n less its part along D a
//
// that is, where it stands behind the line as seen from its own side. For a vertex that hangs on the driver alone B is
// D, and the smooth skin has (p - D from) . n' = |r|^2 (without scale): only a displacement longer than |r| could bring
// it past, and none is longer than its reach, which is |r| less the bone's thickness, attenuated. Other vertices smooth
// skinning itself brings there, in a bent knee or a curled trunk: these are counted apart, at the same times.

#include "bake/error_plan.h"
#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "supple/lab/measures.h"

#include <assert.h>

/// A vertex is past its bone by this share of the size at least: not by rounding.
static const float supPastLeast = 1e-6f;

/// What a vertex was seen to do.
enum
{
    sup_pastLiving = 1,
    sup_pastSmooth = 2,
    sup_pastRigid = 4 ///< it was past with all its weight on the driver
};

typedef struct supPastWork
{
    const supTake* take;
    const supSkinOffsets* offsets;
    supPose* pose;
    supMat34* palette;
    supVec3* shown;        ///< an element: its elongation
    supVec3 *from, *along; ///< an element: its bone's line in the pose
    supVec3* sides;        ///< a touch: r in the mesh's own space
    uint8_t* rigid;        ///< a touch: all weight is on the driver
    uint8_t* seen;         ///< a row
    int32_t* meshes;       ///< a row
    float least;           ///< metres
} supPastWork;

/// B: the blended matrix of a vertex.
static supMat34 supBlend( const supMeshView* mesh, int32_t vertex, const supMat34* palette )
{
    const float* weights = mesh->weights + (size_t)vertex * (size_t)mesh->influenceCount;
    const uint16_t* joints = mesh->jointIndices + (size_t)vertex * (size_t)mesh->influenceCount;
    const supMat34* own = palette + mesh->firstPalette;
    supMat34 sum = { supVec3_zero, supVec3_zero, supVec3_zero, supVec3_zero };
    for ( int32_t i = 0; i < mesh->influenceCount && weights[i] > 0.0f; ++i )
    {
        const supMat34* m = own + joints[i];
        sum.x = supMulAdd( sum.x, weights[i], m->x );
        sum.y = supMulAdd( sum.y, weights[i], m->y );
        sum.z = supMulAdd( sum.z, weights[i], m->z );
        sum.t = supMulAdd( sum.t, weights[i], m->t );
    }
    return sum;
}

/// What holds for all poses: the sides of all touches. `palette` is that of the rest pose.
static void supFindSides( supPastWork* work )
{
    const supSkinOffsets* offsets = work->offsets;
    const supCharacter* character = work->take->model->character;
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    const float* rest = supCharacter_Info( character )->restPositions;
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, work->palette );
    int32_t mesh = -1; // there may be none
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        while ( offsets->touched[row] >= view.firstVertex + view.vertexCount )
        {
            view = supCharacter_Mesh( character, ++mesh );
        }
        work->meshes[row] = mesh;
        int32_t vertex = offsets->touched[row] - view.firstVertex;
        const float* p = rest + 3 * (size_t)offsets->touched[row];
        const uint16_t* joints = view.jointIndices + (size_t)vertex * (size_t)view.influenceCount;
        const float* weights = view.weights + (size_t)vertex * (size_t)view.influenceCount;
        bool isSingle = view.influenceCount == 1 || weights[1] == 0.0f;
        supMat34 back = supMat34_identity;
        supInvertMat( supBlend( &view, vertex, work->palette ), &back );
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            const supElementView* element = offsets->elements + offsets->touches[i].element;
            const supOffsetBone* bone = offsets->bones + offsets->touches[i].element;
            supVec3 across = supSub( ( supVec3 ){ p[0], p[1], p[2] }, bone->from );
            across = supMulAdd( across, -supDot( across, element->localFrame.y ), element->localFrame.y );
            work->sides[i] = supTransformVector( back, across );
            work->rigid[i] = isSingle && paletteJoints[view.firstPalette + joints[0]] == element->driver;
        }
    }
}

static void supPoseBones( supPastWork* work, double time )
{
    const supMat34* joints;
    supPose_Sample( work->pose, work->take->clip, time );
    joints = supPose_Joints( work->pose );
    supCharacter_Palette( work->take->model->character, joints, work->palette );
    supTake_Elongations( work->take, time, work->shown );
    for ( int32_t e = 0; e < work->offsets->elementCount; ++e )
    {
        const supElementView* element = work->offsets->elements + e;
        const supOffsetBone* bone = work->offsets->bones + e;
        supMat34 motion = supMulMat( joints[element->driver], bone->driverFromRest );
        work->from[e] = supTransformPoint( motion, bone->from );
        work->along[e] = supNormalize( supTransformVector( motion, element->localFrame.y ) );
    }
}

/// Behind by enough, where `side` is how far it stands on its own side, times the length of `n`?
static bool supIsPast( const supPastWork* work, float side, supVec3 n )
{
    return side < 0.0f && side * side > work->least * work->least * supLengthSquared( n );
}

static void supLookAtRow( supPastWork* work, const supMeshView* mesh, int32_t row, const float* morphs )
{
    const supSkinOffsets* offsets = work->offsets;
    int32_t first = offsets->firsts[row], end = offsets->firsts[row + 1];
    int32_t vertex = offsets->touched[row] - mesh->firstVertex;
    const float* p = mesh->positions + 3 * (size_t)vertex;
    supVec3 point = { p[0], p[1], p[2] }, moved = supVec3_zero;
    point = mesh->morphCount > 0 ? supMorphedPoint( mesh, vertex, morphs ) : point;
    supMat34 blended = supBlend( mesh, vertex, work->palette );
    supVec3 smooth = supTransformPoint( blended, point );
    for ( int32_t i = first; i < end; ++i )
    {
        moved = supMulAdd( moved, offsets->touches[i].weight, work->shown[offsets->touches[i].element] );
    }
    for ( int32_t i = first; i < end; ++i )
    {
        int32_t element = offsets->touches[i].element;
        supVec3 along = work->along[element], n = supTransformVector( blended, work->sides[i] );
        n = supMulAdd( n, -supDot( n, along ), along );
        float side = supDot( supSub( smooth, work->from[element] ), n );
        if ( supIsPast( work, side + supDot( moved, n ), n ) )
        {
            work->seen[row] |= work->rigid[i] ? sup_pastLiving | sup_pastRigid : sup_pastLiving;
        }
        if ( supIsPast( work, side, n ) )
        {
            work->seen[row] |= sup_pastSmooth;
        }
    }
}

static void supLookAtTime( supPastWork* work, double time )
{
    supPoseBones( work, time );
    const float* morphs = supPose_MorphWeights( work->pose );
    int32_t mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < work->offsets->touchedCount; ++row )
    {
        if ( work->meshes[row] != mesh )
        {
            mesh = work->meshes[row];
            view = supCharacter_Mesh( work->take->model->character, mesh );
        }
        supLookAtRow( work, &view, row, morphs );
    }
}

static void supLookAtTake( supPastWork* work, double fps, supPastBone* out )
{
    double start = work->take->info.start, span = work->take->info.end - start;
    int32_t spans = (int32_t)supFloor( span * fps + 1e-4 );
    spans = spans < 1 ? 1 : spans;
    supFindSides( work );
    for ( int32_t k = 0; k <= spans; ++k )
    {
        supLookAtTime( work, start + span * k / spans );
    }
    *out = ( supPastBone ){ .frameCount = spans + 1 };
    for ( int32_t row = 0; row < work->offsets->touchedCount; ++row )
    {
        out->living += ( work->seen[row] & sup_pastLiving ) != 0;
        out->smooth += ( work->seen[row] & sup_pastSmooth ) != 0;
        out->rigid += ( work->seen[row] & sup_pastRigid ) != 0;
    }
}

supResult supTake_PastBone( const supTake* take, double fps, supPastBone* out, supError* error )
{
    assert( take != NULL && out != NULL && fps > 0.0 );
    const supSkinOffsets* offsets = &take->model->offsets;
    const supCharacter* character = take->model->character;
    *out = ( supPastBone ){ 0 };
    supResult result = supCheckTakes( take->model, &take, 1, fps, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMat34, palette, supCharacter_Info( character )->paletteCount );
    SUP_PUT_NEW( &layout, supVec3, shown, offsets->elementCount + 1 );
    SUP_PUT_NEW( &layout, supVec3, from, offsets->elementCount );
    SUP_PUT_NEW( &layout, supVec3, along, offsets->elementCount );
    SUP_PUT_NEW( &layout, supVec3, sides, offsets->touchCount );
    SUP_PUT_NEW( &layout, int32_t, meshes, offsets->touchedCount );
    SUP_PUT_NEW( &layout, uint8_t, rigid, offsets->touchCount );
    SUP_PUT_NEW( &layout, uint8_t, seen, offsets->touchedCount );
    char* block = supAllocLayout( &take->allocator, &layout );
    supPose* pose = NULL;
    if ( block == NULL || supCreatePose( character, SUP_MAKE_IN( &take->allocator ), &pose, NULL ) != sup_success )
    {
        supFree( &take->allocator, block, layout.size );
        return supFail( error, sup_errorMemory, "no memory to look at %d vertices", offsets->touchedCount );
    }
    supPastWork work = { take, offsets, pose, palette, shown, from, along, sides, rigid, seen, meshes,
        supPastLeast * supCharacter_Info( character )->size };
    supLookAtTake( &work, fps, out );
    supDestroyPose( pose );
    supFree( &take->allocator, block, layout.size );
    return sup_success;
}
