// Supple: where joints and vertices rest.
//
// A skin's inverse bind matrices B[j] say where its joints stood when the mesh was bound, in the mesh's own space,
// which may be in centimetres, quantized, or lying on its back. Its topmost joint t, where the nodes put it (R[t]),
// carries all of that into model space:
//
//     S = R[t] B[t]        R[j] = S inverse( B[j] )
//
// so that every palette entry R[j] B[j] is S, and vertices rest at S p.
//
// One walk down the tree does it: a joint of no skin stands by its local transform under its parent's rest; a skin is
// placed when the walk comes to its topmost joint. What an earlier skin has placed stays, so a skin of the head alone
// hangs on the bind pose of the body and not on the pose of the nodes.
//
// A joint scaled to nothing has no inverse. It rests where the nodes put it, and vertices that hang on it are blended.
//
// SPDX-License-Identifier: MIT
#include "base/math.h"
#include "base/memory.h"
#include "character/joint_tree.h"
#include "character_data.h"

/// What rounding can make of a singular matrix of floats, as a share of the largest determinant with such axes.
#define SUP_SINGULAR 1e-7
/// Entries of one skin that carry the mesh to the same place but for this share of its size do so exactly: files hold
/// floats.
#define SUP_SAME_PLACE 1e-5

typedef struct supBox
{
    supVec3d lower, upper;
} supBox;

static const supBox supEmptyBox = { { 1e300, 1e300, 1e300 }, { -1e300, -1e300, -1e300 } };

typedef struct supRestWork
{
    char* block;
    size_t blockSize;
    supMat34d* joints;  // of each joint: at rest, model space
    bool* isPlaced;     // of each joint: by a skin
    int32_t* firstSkin; // of each joint: a skin whose topmost it is, or -1
    int32_t* nextSkin;  // of each skin: another with the same topmost joint, or -1
    int32_t* topEntry;  // of each skin: which of its joints is the topmost, or -1
    supMat34d* carry;   // of each skin: S
    supBox* boxes;      // of each skin: around its meshes' vertices, as their files have them
    supMat34d* palette; // of each palette entry at rest
    bool* isCarry;      // of each palette entry: it is S
    bool* canInvert;    // of each palette entry: its inverse bind matrix
} supRestWork;

static bool supCreateRestWork( const supCharacter* character, supRestWork* work )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMat34d, joints, character->jointCount );
    SUP_PUT_NEW( &layout, bool, placed, character->jointCount );
    SUP_PUT_NEW( &layout, int32_t, first, character->jointCount );
    SUP_PUT_NEW( &layout, int32_t, next, character->skinCount );
    SUP_PUT_NEW( &layout, int32_t, top, character->skinCount );
    SUP_PUT_NEW( &layout, supMat34d, carry, character->skinCount );
    SUP_PUT_NEW( &layout, supBox, boxes, character->skinCount );
    SUP_PUT_NEW( &layout, supMat34d, palette, character->paletteCount );
    SUP_PUT_NEW( &layout, bool, isCarry, character->paletteCount );
    SUP_PUT_NEW( &layout, bool, can, character->paletteCount + 1 ); // so that it is never empty
    char* block = supAllocLayout( &character->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    *work =
        ( supRestWork ){ block, layout.size, joints, placed, first, next, top, carry, boxes, palette, isCarry, can };
    return true;
}

/// By Hadamard's bound on the determinant, taken by columns and by rows: so a flat scale before or after a rotation is
/// not singular.
static bool supInvertBind( supMat34d m, supMat34d* out )
{
    double columns = supLengthD( m.x ) * supLengthD( m.y ) * supLengthD( m.z );
    supVec3d rowX = { m.x.x, m.y.x, m.z.x }, rowY = { m.x.y, m.y.y, m.z.y }, rowZ = { m.x.z, m.y.z, m.z.z };
    double rows = supLengthD( rowX ) * supLengthD( rowY ) * supLengthD( rowZ );
    *out = supMat34d_identity;
    return supAbs( supDeterminantD( m ) ) > SUP_SINGULAR * supMin( columns, rows ) && supInvertMatD( m, out );
}

static supMat34d supChainLocal( const supCharacter* character, const supMat34d* joints, int32_t j )
{
    int32_t parent = character->joints[j].view.parent;
    supMat34d local = supJointLocal( character->joints + j );
    return parent >= 0 ? supMulMatD( joints[parent], local ) : local;
}

/// Which joint carries each skin: the topmost of those that can be inverted, as the nodes put them and in their bind
/// matrix.
static void supFindTopmost( const supCharacter* character, supRestWork* work, supFixes* fixes )
{
    supMat34d unused;
    for ( int32_t i = 0; i < character->jointCount; ++i )
    {
        int32_t j = character->jointOrder[i];
        work->joints[j] = supChainLocal( character, work->joints, j );
        work->firstSkin[j] = -1;
    }
    for ( int32_t s = character->skinCount - 1; s >= 0; --s ) // so that lists run from the first skin to the last
    {
        const supSkin* skin = character->skins + s;
        int32_t best = -1, bestDepth = 0;
        for ( int32_t i = 0; skin->hasInverseBind && i < skin->jointCount; ++i )
        {
            int32_t depth = character->joints[skin->joints[i]].depth;
            bool canInvert = supInvertBind( supMatToDouble( skin->inverseBind[i] ), &unused );
            work->canInvert[skin->firstPalette + i] = canInvert;
            fixes->singularBinds += !canInvert;
            if ( canInvert && ( best < 0 || depth < bestDepth ) &&
                 supInvertBind( work->joints[skin->joints[i]], &unused ) )
            {
                best = i;
                bestDepth = depth;
            }
        }
        work->topEntry[s] = best;
        if ( best >= 0 )
        {
            work->nextSkin[s] = work->firstSkin[skin->joints[best]];
            work->firstSkin[skin->joints[best]] = s;
        }
    }
}

static void supPlaceSkin( const supCharacter* character, int32_t s, supRestWork* work )
{
    const supSkin* skin = character->skins + s;
    int32_t top = work->topEntry[s];
    supMat34d S = supMulMatD( work->joints[skin->joints[top]], supMatToDouble( skin->inverseBind[top] ) );
    work->carry[s] = S;
    for ( int32_t i = 0; i < skin->jointCount; ++i )
    {
        int32_t j = skin->joints[i];
        int32_t entry = skin->firstPalette + i;
        if ( work->canInvert[entry] && !work->isPlaced[j] )
        {
            supMat34d bind;
            supInvertBind( supMatToDouble( skin->inverseBind[i] ), &bind );
            work->joints[j] = supMulMatD( S, bind );
            work->isPlaced[j] = true;
            work->isCarry[entry] = true;
        }
    }
}

/// A skin's joints are never above its topmost one, so whatever is placed here has descendants that are still to come.
static void supPlaceJoints( const supCharacter* character, supRestWork* work )
{
    for ( int32_t i = 0; i < character->jointCount; ++i )
    {
        int32_t j = character->jointOrder[i];
        if ( !work->isPlaced[j] )
        {
            work->joints[j] = supChainLocal( character, work->joints, j );
        }
        for ( int32_t s = work->firstSkin[j]; s >= 0; s = work->nextSkin[s] )
        {
            supPlaceSkin( character, s, work );
        }
    }
}

/// How far two maps carry the corners of a box apart, squared, at most.
static double supFarthestApart( supMat34d a, supMat34d b, const supBox* box )
{
    double farthest = 0.0;
    for ( int32_t corner = 0; corner < 8; ++corner )
    {
        supVec3d p = { corner & 1 ? box->upper.x : box->lower.x, corner & 2 ? box->upper.y : box->lower.y,
            corner & 4 ? box->upper.z : box->lower.z };
        supVec3d apart = supSubD( supTransformPointD( a, p ), supTransformPointD( b, p ) );
        farthest = supMax( supDotD( apart, apart ), farthest );
    }
    return farthest;
}

static void supGrowBox( supBox* box, const float* p )
{
    box->lower =
        ( supVec3d ){ supMin( p[0], box->lower.x ), supMin( p[1], box->lower.y ), supMin( p[2], box->lower.z ) };
    box->upper =
        ( supVec3d ){ supMax( p[0], box->upper.x ), supMax( p[1], box->upper.y ), supMax( p[2], box->upper.z ) };
}

/// Several skins share joints, each with its own rounding of the bind matrices: entries that nearly are S are taken as
/// S.
static void supSnapEntries( const supCharacter* character, supRestWork* work )
{
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        work->boxes[s] = supEmptyBox;
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        const supMeshView* mesh = character->meshes + m;
        for ( size_t v = 0; mesh->skin >= 0 && v < (size_t)mesh->vertexCount; ++v )
        {
            supGrowBox( work->boxes + mesh->skin, mesh->positions + 3 * v );
        }
    }
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        const supSkin* skin = character->skins + s;
        const supBox* box = work->boxes + s;
        if ( work->topEntry[s] < 0 || box->lower.x > box->upper.x )
        {
            continue;
        }
        supVec3d across = supTransformVectorD( work->carry[s], supSubD( box->upper, box->lower ) );
        double limit = SUP_SAME_PLACE * SUP_SAME_PLACE * supDotD( across, across );
        for ( int32_t entry = skin->firstPalette; entry < skin->firstPalette + skin->jointCount; ++entry )
        {
            work->isCarry[entry] =
                work->isCarry[entry] || supFarthestApart( work->palette[entry], work->carry[s], box ) <= limit;
        }
    }
}

static void supFillPalette( const supCharacter* character, supRestWork* work )
{
    for ( int32_t i = 0; i < character->paletteCount; ++i )
    {
        work->palette[i] = work->joints[character->paletteJoints[i]];
    }
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        const supSkin* skin = character->skins + s;
        for ( int32_t i = 0; i < skin->jointCount; ++i )
        {
            supMat34d* entry = work->palette + skin->firstPalette + i;
            *entry = supMulMatD( *entry, supMatToDouble( skin->inverseBind[i] ) );
        }
    }
}

/// A vertex as its mesh has it, with the default weights of the morph targets.
static supVec3d supMorphedPosition( const supMeshView* mesh, int32_t v )
{
    const float* from = mesh->positions + 3 * (size_t)v;
    supVec3d p = { from[0], from[1], from[2] };
    for ( int32_t m = 0; mesh->morphPositions != NULL && m < mesh->morphCount; ++m )
    {
        if ( mesh->morphPositions[m] != NULL )
        {
            const float* target = mesh->morphPositions[m] + 3 * (size_t)v;
            p = supMulAddD( p, mesh->morphWeights[m], ( supVec3d ){ target[0], target[1], target[2] } );
        }
    }
    return p;
}

static void supRestVertices( const supCharacter* character, const supMeshView* mesh, const supRestWork* work )
{
    const supMat34d* palette = work->palette + mesh->firstPalette;
    const bool* isCarry = work->isCarry + mesh->firstPalette;
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        supVec3d p = supMorphedPosition( mesh, v );
        const uint16_t* indices = mesh->jointIndices + (size_t)v * (size_t)mesh->influenceCount;
        const float* weights = mesh->weights + (size_t)v * (size_t)mesh->influenceCount;
        bool isCarried = true;
        supVec3d blended = { 0.0, 0.0, 0.0 };
        for ( int32_t i = 0; i < mesh->influenceCount && weights[i] > 0.0f; ++i )
        {
            isCarried = isCarried && isCarry[indices[i]];
            blended = supMulAddD( blended, weights[i], supTransformPointD( palette[indices[i]], p ) );
        }
        supVec3d rest = isCarried && mesh->skin >= 0 ? supTransformPointD( work->carry[mesh->skin], p ) : blended;
        float* to = character->restPositions + 3 * ( (size_t)mesh->firstVertex + (size_t)v );
        to[0] = (float)rest.x + 0.0f; // + 0: no -0, so that equal points have equal bits
        to[1] = (float)rest.y + 0.0f;
        to[2] = (float)rest.z + 0.0f;
    }
}

static void supMeasureRest( supCharacter* character )
{
    supBox box = supEmptyBox;
    for ( size_t v = 0; v < (size_t)character->vertexCount; ++v )
    {
        supGrowBox( &box, character->restPositions + 3 * v );
    }
    if ( character->vertexCount > 0 )
    {
        character->lower = supToFloat( box.lower );
        character->upper = supToFloat( box.upper );
        character->size = (float)supLengthD( supSubD( box.upper, box.lower ) );
    }
}

bool supComputeRest( supCharacter* character, supFixes* fixes )
{
    supRestWork work;
    if ( !supCreateRestWork( character, &work ) )
    {
        return false;
    }
    supFindTopmost( character, &work, fixes );
    supPlaceJoints( character, &work );
    supFillPalette( character, &work );
    supSnapEntries( character, &work );
    for ( int32_t j = 0; j < character->jointCount; ++j )
    {
        character->restJoints[j] = supMatToFloat( work.joints[j] );
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        supRestVertices( character, character->meshes + m, &work );
    }
    supMeasureRest( character );
    supFree( &character->allocator, work.block, work.blockSize );
    return true;
}
