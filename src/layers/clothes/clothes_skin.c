// Garments bound to the skin beneath them.
// SPDX-License-Identifier: MIT
//
// Each vertex of a garment hangs on the point of the skin that is closest to it at rest, by the shares of that
// triangle's corners. Its place is its own smooth skin plus the displacement that flesh and the layers before have
// given that point: what lies on the skin in the smooth animation lies on it in the living one. The skin turns and
// bends as it moves, so a vertex close to it could still come through a neighbouring triangle. Each therefore knows the
// triangles around, at rest and at moments of the clips, and is put back where it is deeper in the living skin than its
// smooth place is in the smooth one.

#include "layers/clothes/clothes_skin.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/clip_moments.h"
#include "layers/closest_point.h"
#include "layers/names_in_rig.h"

#include <string.h>

enum
{
    supClothNear = 192,     ///< triangles of skin around a vertex, at most
    supClothNearRest = 8,   ///< of these at rest
    supClothNearMoment = 6, ///< and at every moment of the clips
    supClothMoments = 200,
    supClothTurns = 6,
};

/// As far outside as this share of the size needs no keeping.
static const float supClothMargin = 5e-4f;

typedef struct supClothBond
{
    int32_t item;
    int32_t corners[3]; ///< vertices of the skin
    float shares[3];
    float hold; ///< 1 within reach, 0 past twice as far
    int32_t nearCount;
    int32_t near[3 * supClothNear]; ///< corners of the triangles around
} supClothBond;

typedef struct supClothes
{
    int32_t count;
    int32_t* vertices; ///< rising
    supClothBond* bonds;
    float margin;
    size_t blockSize;
} supClothes;

/// While it is compiled.
typedef struct supClothWork
{
    const supLayerContext* context;
    const supClothDef* const* defs;
    int32_t itemCount;
    const supVec3* rest;
    uint8_t* moved;    ///< a vertex: something before may move it
    int32_t* owners;   ///< a mesh: the item whose garment it is, or -1
    int32_t* corners;  ///< of triangles of skin
    supClothBond* all; ///< a vertex; hold 0: none
} supClothWork;

static bool supIsListed( const supNameList* list, const char* name )
{
    bool listed = list->count == 0;
    for ( int32_t i = 0; i < list->count && !listed; ++i )
    {
        listed = strcmp( list->names[i], name ) == 0;
    }
    return listed;
}

static supResult supFindGarments( supClothWork* work, supError* error )
{
    const supCharacter* character = work->context->character;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        work->owners[m] = -1;
        for ( int32_t i = 0; i < work->itemCount && work->owners[m] < 0; ++i )
        {
            bool own = strcmp( mesh.name, work->defs[i]->mesh ) == 0 &&
                       supIsListed( &work->defs[i]->materials, mesh.material );
            work->owners[m] = own ? i : -1;
        }
    }
    for ( int32_t i = 0; i < work->itemCount; ++i )
    {
        char place[SUP_PLACE_TEXT];
        if ( !supHasMeshNamed( character, work->defs[i]->mesh ) )
        {
            supPlaceText( place, "clothes[%d].mesh", i );
            return supNoMesh( character, place, work->defs[i]->mesh, error );
        }
        for ( int32_t k = 0; k < work->defs[i]->skin.count; ++k )
        {
            if ( !supHasMeshNamed( character, work->defs[i]->skin.names[k] ) )
            {
                supPlaceText( place, "clothes[%d].skin[%d]", i, k );
                return supNoMesh( character, place, work->defs[i]->skin.names[k], error );
            }
        }
    }
    return sup_success;
}

/// Triangles that an item may lie on. Gives how many.
static int32_t supListSkin( supClothWork* work, int32_t item )
{
    const supCharacter* character = work->context->character;
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool skin = work->owners[m] < 0 && supIsListed( &work->defs[item]->skin, mesh.name );
        for ( int32_t i = 0; skin && i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                work->corners[3 * (size_t)count + (size_t)k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            ++count;
        }
    }
    return count;
}

static float supHold( float distance, float reach )
{
    float t = supClampF( 2.0f - distance / reach, 0.0f, 1.0f );
    return t * t * ( 3.0f - 2.0f * t );
}

static void supBindVertex( supClothWork* work, const supTriangleIndex* index, int32_t item, int32_t v, float reach )
{
    supFootPoint feet[supClothNearRest];
    int32_t count = supTriangleIndex_Nearest( index, work->rest[v], 2.0f * reach, supClothNearRest, feet );
    supClothBond* bond = work->all + v;
    if ( count == 0 )
    {
        return;
    }
    *bond = ( supClothBond ){ .item = item, .hold = supHold( feet[0].distance, reach ), .nearCount = count };
    memcpy( bond->corners, work->corners + 3 * (size_t)feet[0].triangle, sizeof( bond->corners ) );
    memcpy( bond->shares, feet[0].shares, sizeof( bond->shares ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        memcpy( bond->near + 3 * i, work->corners + 3 * (size_t)feet[i].triangle, 3 * sizeof( int32_t ) );
    }
}

static bool supKnowsTriangle( const supClothBond* bond, const int32_t* corners )
{
    bool known = false;
    for ( int32_t i = 0; i < bond->nearCount && !known; ++i )
    {
        known = memcmp( bond->near + 3 * i, corners, 3 * sizeof( int32_t ) ) == 0;
    }
    return known;
}

/// One item at a moment of the clips: what has come near.
typedef struct supClothMoment
{
    supClothWork* work;
    int32_t item, triangles;
    float reach;
    bool fits;
} supClothMoment;

static void supAddNear( const supVec3* positions, void* user )
{
    supClothMoment* moment = user;
    supClothWork* work = moment->work;
    const supCharacter* character = work->context->character;
    supTriangleIndex* index =
        supMakeTriangleIndex( positions, work->corners, moment->triangles, work->context->allocator );
    moment->fits = moment->fits && index != NULL;
    for ( int32_t v = 0; index != NULL && v < supCharacter_VertexCount( character ); ++v )
    {
        supClothBond* bond = work->all + v;
        supFootPoint feet[supClothNearMoment];
        bool own = bond->hold > 0.0f && bond->item == moment->item;
        int32_t count =
            own ? supTriangleIndex_Nearest( index, positions[v], moment->reach, supClothNearMoment, feet ) : 0;
        for ( int32_t i = 0; i < count && bond->nearCount < supClothNear; ++i )
        {
            const int32_t* corners = work->corners + 3 * (size_t)feet[i].triangle;
            if ( !supKnowsTriangle( bond, corners ) )
            {
                memcpy( bond->near + 3 * bond->nearCount++, corners, 3 * sizeof( int32_t ) );
            }
        }
    }
    supFree( work->context->allocator, index, index != NULL ? index->blockSize : 0 );
}

/// A vertex with nothing near that moves is let go.
static void supDropStill( supClothWork* work, int32_t v )
{
    supClothBond* bond = work->all + v;
    bool moves = work->moved[v] != 0;
    for ( int32_t i = 0; i < 3 * bond->nearCount && !moves; ++i )
    {
        moves = work->moved[bond->near[i]] != 0;
    }
    bond->hold = moves ? bond->hold : 0.0f;
}

/// Bonds of one item. False: no memory.
static bool supBindItem( supClothWork* work, int32_t item )
{
    const supCharacter* character = work->context->character;
    float reach = work->defs[item]->reach * supCharacter_Size( character );
    int32_t triangles = supListSkin( work, item );
    supTriangleIndex* index = supMakeTriangleIndex( work->rest, work->corners, triangles, work->context->allocator );
    for ( int32_t m = 0; index != NULL && m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = mesh.firstVertex; work->owners[m] == item && v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            supBindVertex( work, index, item, v, reach );
        }
    }
    bool made = index != NULL;
    supFree( work->context->allocator, index, made ? index->blockSize : 0 );
    supClothMoment moment = { work, item, triangles, reach, true };
    made = made && supVisitClipMoments( character, supClothMoments, work->context->allocator, supAddNear, &moment );
    return made && moment.fits;
}

static supClothes* supKeepBonds( const supClothWork* work, int32_t vertexCount )
{
    int32_t count = 0;
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        count += work->all[v].hold > 0.0f;
    }
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supClothes, 1 );
    size_t atVertices = SUP_LAYOUT_ARRAY( &layout, int32_t, count );
    size_t atBonds = SUP_LAYOUT_ARRAY( &layout, supClothBond, count );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supClothes* clothes = (supClothes*)block;
    *clothes = ( supClothes ){ 0, (int32_t*)( block + atVertices ), (supClothBond*)( block + atBonds ),
        supClothMargin * supCharacter_Size( work->context->character ), layout.size };
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        if ( work->all[v].hold > 0.0f )
        {
            clothes->vertices[clothes->count] = v;
            clothes->bonds[clothes->count++] = work->all[v];
        }
    }
    return clothes;
}

supResult supCompileClothes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supCharacter* character = context->character;
    int32_t vertices = supCharacter_VertexCount( character ), meshes = supCharacter_MeshCount( character );
    size_t indices = 0;
    for ( int32_t m = 0; m < meshes; ++m )
    {
        indices += (size_t)supCharacter_Mesh( character, m ).indexCount;
    }
    supLayout layout = supMakeLayout();
    size_t atMoved = SUP_LAYOUT_ARRAY( &layout, uint8_t, vertices + 1 );
    size_t atOwners = SUP_LAYOUT_ARRAY( &layout, int32_t, meshes );
    size_t atCorners = SUP_LAYOUT_ARRAY( &layout, int32_t, indices );
    size_t atAll = SUP_LAYOUT_ARRAY( &layout, supClothBond, vertices );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "clothes: no memory for %d vertices", vertices );
    }
    supClothWork work = { context, (const supClothDef* const*)items, count,
        (const supVec3*)supCharacter_RestPositions( character ), (uint8_t*)( block + atMoved ),
        (int32_t*)( block + atOwners ), (int32_t*)( block + atCorners ), (supClothBond*)( block + atAll ) };
    for ( int32_t i = 0; i < context->movedCount; ++i )
    {
        work.moved[context->moved[i]] = 1;
    }
    supResult result = supFindGarments( &work, error );
    bool fits = true;
    for ( int32_t i = 0; i < count && result == sup_success && fits; ++i )
    {
        fits = supBindItem( &work, i );
    }
    for ( int32_t v = 0; v < vertices; ++v )
    {
        supDropStill( &work, v );
    }
    *out = result == sup_success && fits ? supKeepBonds( &work, vertices ) : NULL;
    supFree( context->allocator, block, layout.size );
    return result == sup_success && *out == NULL ? supFail( error, sup_errorMemory, "clothes: no memory" ) : result;
}

void supDestroyClothes( void* compiled, const supAllocator* allocator )
{
    supFree( allocator, compiled, ( (supClothes*)compiled )->blockSize );
}

int32_t supClothesTouched( const void* compiled, const int32_t** vertices )
{
    const supClothes* clothes = compiled;
    *vertices = clothes->vertices;
    return clothes->count;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// How far the skin near a vertex has moved at most. Metres.
static float supMostMoved( const supClothBond* bond, const supVec3* smooth, const supVec3* living )
{
    float most = 0.0f;
    for ( int32_t i = 0; i < 3 * bond->nearCount; ++i )
    {
        most = supMaxF( most, supDistance( smooth[bond->near[i]], living[bond->near[i]] ) );
    }
    return most;
}

/// The place again, no deeper in the living skin than the smooth place is in the smooth skin. Where the skin has moved
/// by `moved` at most and the vertex with it, they have come closer by twice that at most, and twice that again is
/// allowed for corners; no push is longer. Hard pieces that stand in one another have no clear inside: a vertex of a
/// jacket was thrown by 2.8% of the size at one moment of a walk whose flesh moves by 0.08%.
static supVec3 supKeepOutside( const supClothBond* bond, float margin, float moved, supVec3 smoothPlace,
    const supVec3* smooth, const supVec3* living, supVec3 start )
{
    supVec3 normal, place = start;
    float depth = supSignedDistance( place, living, bond->near, bond->nearCount, &normal );
    if ( depth >= margin )
    {
        return place;
    }
    float before = supSignedDistance( smoothPlace, smooth, bond->near, bond->nearCount, &normal );
    float least = supMinF( before, margin );
    for ( int turn = 0; turn < supClothTurns; ++turn )
    {
        depth = supSignedDistance( place, living, bond->near, bond->nearCount, &normal );
        if ( depth >= least )
        {
            break;
        }
        place = supMulAdd( place, least - depth, normal );
    }
    supVec3 push = supSub( place, start );
    float length = supLength( push ), most = 4.0f * moved;
    return length > most ? supMulAdd( start, most / length, push ) : place;
}

/// Where nothing beneath has moved, and the garment itself neither, it stays: bit for bit.
void supApplyClothes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supClothes* clothes = compiled;
    for ( int32_t i = 0; i < clothes->count; ++i )
    {
        const supClothBond* bond = clothes->bonds + i;
        supVec3 move = supVec3_zero, own = frame->smooth[clothes->vertices[i]];
        for ( int k = 0; k < 3; ++k )
        {
            supVec3 of = supSub( positions[bond->corners[k]], frame->smooth[bond->corners[k]] );
            move = supMulAdd( move, bond->shares[k], of );
        }
        supVec3* place = positions + clothes->vertices[i];
        supVec3 change = supSub( supAdd( own, move ), *place );
        float strength = bond->hold * frame->live[bond->item];
        *place = supMulAdd( *place, strength, change );
        float moved = strength > 0.0f ? supMostMoved( bond, frame->smooth, positions ) : 0.0f;
        if ( moved > 0.0f )
        {
            supVec3 outside = supKeepOutside( bond, clothes->margin, moved, own, frame->smooth, positions, *place );
            *place = supLerp( *place, outside, frame->live[bond->item] );
        }
    }
}

/// Garments: a line from each vertex to the point of the skin that it goes with.
void supDrawClothes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown, (void)what, (void)frame;
    const supClothes* clothes = compiled;
    for ( int32_t i = 0; draw->line != NULL && i < clothes->count; ++i )
    {
        const supClothBond* bond = clothes->bonds + i;
        supVec3 foot = supVec3_zero;
        for ( int k = 0; k < 3; ++k )
        {
            foot = supMulAdd( foot, bond->shares[k], positions[bond->corners[k]] );
        }
        supColor color = supDraw_Distinct( bond->item );
        color.a = 0.2f + 0.8f * bond->hold;
        draw->line( positions[clothes->vertices[i]], foot, color, 1.5f, draw->user );
    }
}
