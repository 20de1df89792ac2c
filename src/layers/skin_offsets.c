// The second skinning: P = P1 + alpha2 u, and what that does to normals and tangents.
// SPDX-License-Identifier: MIT
//
// The displacement D(p) = sum_e alpha_e(p) u_e has the Jacobian J = I + sum_e u_e g_e^T, g_e the gradient of alpha_e on
// the posed skin. Tangents are carried by J, normals by its cofactor matrix; for one element that is n - g (u.n) / (1 +
// g.u), up to length. Only the part of g along the surface matters, and that is what the model has, in the mesh's
// space; it is carried by the inverse transpose of the blended matrix.

#include "layers/skin_offsets.h"
#include "base/math.h"
#include "character/skin_blend.h"

/// A 3x3 matrix by columns.
typedef struct supMat3
{
    supVec3 x, y, z;
} supMat3;

static supMat3 supCofactors( supMat3 m )
{
    return ( supMat3 ){ supCross( m.y, m.z ), supCross( m.z, m.x ), supCross( m.x, m.y ) };
}

static supVec3 supMulMat3( supMat3 m, supVec3 v )
{
    return supMulAdd( supMulAdd( supScale( m.x, v.x ), v.y, m.y ), v.z, m.z );
}

/// The map that the smooth skin moved a vertex by, without its translation.
static supMat3 supBlendedMap(
    const supMeshView* mesh, int32_t vertex, const supMat34* palette, supSkinning method, supDualCache* cache )
{
    const uint16_t* indices = mesh->jointIndices + (size_t)vertex * (size_t)mesh->influenceCount;
    const float* weights = mesh->weights + (size_t)vertex * (size_t)mesh->influenceCount;
    palette += mesh->firstPalette;
    supMat34d m = method == sup_skinningLinear ? supBlendLinear( palette, mesh->influenceCount, indices, weights )
                                               : supBlendDual( cache, palette, mesh->influenceCount, indices, weights );
    return ( supMat3 ){ supToFloat( m.x ), supToFloat( m.y ), supToFloat( m.z ) };
}

/// I + sum_e u_e g_e^T at a vertex.
static supMat3 supJacobian( const supOffsetTouch* touches, int32_t count, const supVec3* shown, supMat3 blended )
{
    supMat3 cofactors = supCofactors( blended );
    float determinant = supDot( blended.x, cofactors.x );
    supMat3 jacobian = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
    if ( !( supAbsF( determinant ) > 1e-30f ) )
    {
        return jacobian; // skin folded flat: there is no surface to take a gradient along
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 u = shown[touches[i].element];
        supVec3 g = supScale( supMulMat3( cofactors, touches[i].gradient ), 1.0f / determinant );
        jacobian.x = supMulAdd( jacobian.x, g.x, u );
        jacobian.y = supMulAdd( jacobian.y, g.y, u );
        jacobian.z = supMulAdd( jacobian.z, g.z, u );
    }
    return jacobian;
}

static supVec3 supLoadVec3( const float* p )
{
    return ( supVec3 ){ p[0], p[1], p[2] };
}

static void supStoreVec3( float* p, supVec3 v )
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

static float* supItem( supOutStream stream, int32_t index )
{
    return (float*)( (char*)stream.data + (size_t)index * (size_t)stream.stride );
}

static void supTurn( float* item, supMat3 m )
{
    supVec3 turned = supMulMat3( m, supLoadVec3( item ) );
    float length = supLength( turned );
    if ( length > 0.0f )
    {
        supStoreVec3( item, supScale( turned, 1.0f / length ) );
    }
}

/// The displacement of a touched vertex; false where nothing moves it.
static bool supDisplacement( const supOffsetTouch* touches, int32_t count, const supVec3* shown, supVec3* displacement )
{
    supVec3 sum = supVec3_zero;
    bool moves = false;
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 u = shown[touches[i].element];
        moves = moves || u.x != 0.0f || u.y != 0.0f || u.z != 0.0f;
        sum = supMulAdd( sum, touches[i].weight, u );
    }
    *displacement = sum;
    return moves;
}

supVec3 supSkinOffsets_LivingNormal(
    const supSkinOffsets* offsets, int32_t row, supMat34d blended, const supVec3* shown, supVec3 smooth )
{
    const supOffsetTouch* touches = offsets->touches + offsets->firsts[row];
    int32_t count = offsets->firsts[row + 1] - offsets->firsts[row];
    supMat3 map = { supToFloat( blended.x ), supToFloat( blended.y ), supToFloat( blended.z ) };
    float normal[3];
    supStoreVec3( normal, smooth );
    supTurn( normal, supCofactors( supJacobian( touches, count, shown, map ) ) );
    return supLoadVec3( normal );
}

int32_t supSkinOffsets_FirstRow( const supSkinOffsets* offsets, int32_t vertex )
{
    int32_t low = 0, high = offsets->touchedCount;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = offsets->touched[middle] < vertex;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void supSkinOffsets_ApplyRow( const supSkinOffsets* offsets, const supMeshView* mesh, int32_t row,
    const supOffsetTarget* target, int32_t to, supDualCache* cache )
{
    int32_t vertex = offsets->touched[row];
    const supOffsetTouch* touches = offsets->touches + offsets->firsts[row];
    int32_t count = offsets->firsts[row + 1] - offsets->firsts[row];
    supVec3 displacement;
    if ( !supDisplacement( touches, count, target->shown, &displacement ) )
    {
        return; // the smooth skin, bit for bit
    }
    float* position = supItem( target->positions, to );
    supStoreVec3( position, supAdd( supLoadVec3( position ), displacement ) );
    bool hasNormals = target->normals.data != NULL && mesh->normals != NULL;
    bool hasTangents = target->tangents.data != NULL && mesh->tangents != NULL;
    if ( !hasNormals && !hasTangents )
    {
        return;
    }
    supMat3 blended = supBlendedMap( mesh, vertex - mesh->firstVertex, target->palette, target->method, cache );
    supMat3 jacobian = supJacobian( touches, count, target->shown, blended );
    if ( hasNormals )
    {
        supTurn( supItem( target->normals, to ), supCofactors( jacobian ) );
    }
    if ( hasTangents )
    {
        supTurn( supItem( target->tangents, to ), jacobian );
    }
}

void supSkinOffsets_Apply( const supSkinOffsets* offsets, const supMeshView* mesh, const supOffsetTarget* target )
{
    supDualCache cache;
    supClearDualCache( &cache );
    int32_t end = supSkinOffsets_FirstRow( offsets, mesh->firstVertex + mesh->vertexCount );
    for ( int32_t row = supSkinOffsets_FirstRow( offsets, mesh->firstVertex ); row < end; ++row )
    {
        supSkinOffsets_ApplyRow( offsets, mesh, row, target, offsets->touched[row], &cache );
    }
}
