// Garments bound to the skin beneath them.
// SPDX-License-Identifier: MIT
//
// Each vertex of a garment hangs on the point of the skin that is closest to it at rest, by the shares of that
// triangle's corners. Its place is its own smooth skin plus the displacement that flesh and the layers before have
// given that point: what lies on the skin in the smooth animation lies on it in the living one. The skin turns and
// bends as it moves, so a vertex close to it could still come through another triangle. Each is therefore put back
// where it is deeper in the living skin than its smooth place is in the smooth one; both skins stand in trees of boxes
// that are fitted every frame.
#include "layers/layer.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/triangle_tree.h"
#include "supple/lab/drawing.h"

#include <stddef.h>
#include <string.h>

enum
{
    supClothTurns = 8,
};

/// As far outside as this share of the size needs no keeping.
static const float supClothMargin = 5e-4f;

typedef struct supClothBond
{
    int32_t item;
    int32_t corners[3]; ///< vertices of the skin
    float shares[3];
    float hold; ///< 1 within reach, 0 past twice as far
} supClothBond;

/// What a garment lies on.
typedef struct supClothSkin
{
    int32_t sameAs; ///< an item before with the very same skin, or this one
    int32_t triangleCount;
    int32_t* corners;
    size_t cornersSize;
    supTriangleTree* tree; ///< NULL where it is another one's
    int32_t movedCount;    ///< of its vertices that something before may move
    int32_t* moved;
    size_t movedSize;
} supClothSkin;

typedef struct supClothes
{
    int32_t itemCount;
    supClothSkin* skins; ///< an item
    int32_t count;
    int32_t* vertices; ///< rising
    supClothBond* bonds;
    float margin;
    size_t bondsSize, blockSize;
} supClothes;

/// While it is compiled.
typedef struct supClothWork
{
    const supLayerContext* context;
    const supClothDef* const* defs;
    int32_t itemCount;
    const supVec3* rest;
    uint8_t* moved;    ///< a vertex: something before may move it
    uint8_t* seen;     ///< a vertex: listed already
    int32_t* owners;   ///< a mesh: the item whose garment it is, or -1
    supClothBond* all; ///< a vertex; hold 0: none
    supClothes* clothes;
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
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
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
        char place[SUP_PATH_TEXT];
        if ( !supHasMeshNamed( character, work->defs[i]->mesh ) )
        {
            supPathText( place, "clothes[%d].mesh", i );
            return supNoMesh( character, place, work->defs[i]->mesh, error );
        }
        for ( int32_t k = 0; k < work->defs[i]->skin.count; ++k )
        {
            if ( !supHasMeshNamed( character, work->defs[i]->skin.names[k] ) )
            {
                supPathText( place, "clothes[%d].skin[%d]", i, k );
                return supNoMesh( character, place, work->defs[i]->skin.names[k], error );
            }
        }
    }
    return sup_success;
}

static float supHold( float distance, float reach )
{
    float t = supClampF( 2.0f - distance / reach, 0.0f, 1.0f );
    return t * t * ( 3.0f - 2.0f * t );
}

static bool supIsSkinOf( const supClothWork* work, int32_t item, int32_t mesh )
{
    supMeshView view = supCharacter_Mesh( work->context->character, mesh );
    return work->owners[mesh] < 0 && supIsListed( &work->defs[item]->skin, view.name );
}

/// The first item that lies on the same meshes.
static int32_t supFindSameSkin( const supClothWork* work, int32_t item )
{
    for ( int32_t other = 0; other < item; ++other )
    {
        bool same = true;
        for ( int32_t m = 0; m < supCharacter_Info( work->context->character )->meshCount && same; ++m )
        {
            same = supIsSkinOf( work, item, m ) == supIsSkinOf( work, other, m );
        }
        if ( same )
        {
            return other;
        }
    }
    return item;
}

/// Lists triangles, where there is room for them, and counts them.
static int32_t supListSkin( const supClothWork* work, int32_t item, int32_t* corners )
{
    const supCharacter* character = work->context->character;
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        int32_t indices = supIsSkinOf( work, item, m ) ? mesh.indexCount / 3 * 3 : 0;
        for ( int32_t i = 0; i < indices && corners != NULL; ++i )
        {
            corners[3 * (size_t)count + (size_t)i] = mesh.firstVertex + (int32_t)mesh.indices[i];
        }
        count += indices / 3;
    }
    return count;
}

/// The vertices of a skin that something before may move.
static void supListMoved( supClothWork* work, supClothSkin* skin )
{
    memset( work->seen, 0, (size_t)supCharacter_Info( work->context->character )->vertexCount );
    for ( int32_t i = 0; i < 3 * skin->triangleCount; ++i )
    {
        int32_t v = skin->corners[i];
        if ( work->moved[v] != 0 && work->seen[v] == 0 )
        {
            skin->moved[skin->movedCount++] = v;
        }
        work->seen[v] = 1;
    }
}

/// What an item lies on. False: no memory.
static bool supMakeClothSkin( supClothWork* work, int32_t item )
{
    const supAllocator* allocator = work->context->allocator;
    supClothSkin* skin = work->clothes->skins + item;
    skin->sameAs = supFindSameSkin( work, item );
    if ( skin->sameAs != item )
    {
        return true;
    }
    skin->triangleCount = supListSkin( work, item, NULL );
    skin->cornersSize = ( 3 * (size_t)skin->triangleCount + 1 ) * sizeof( int32_t );
    skin->movedSize = ( (size_t)work->context->movedCount + 1 ) * sizeof( int32_t );
    skin->corners = supAlloc( allocator, skin->cornersSize, _Alignof( int32_t ) );
    skin->moved = supAlloc( allocator, skin->movedSize, _Alignof( int32_t ) );
    if ( skin->corners == NULL || skin->moved == NULL )
    {
        return false;
    }
    supListSkin( work, item, skin->corners );
    supListMoved( work, skin );
    skin->tree = supMakeTriangleTree( work->rest, supCharacter_Info( work->context->character )->welds, skin->corners,
        skin->triangleCount, allocator );
    return skin->tree != NULL;
}

/// A vertex on skin none of which moves is let go, where it does not move itself.
static void supBindVertex( supClothWork* work, const supClothSkin* skin, int32_t item, int32_t v, float reach )
{
    supFootPoint foot = supTriangleTree_Closest( skin->tree, work->rest[v], 2.0f * reach );
    if ( foot.triangle < 0 || ( skin->movedCount == 0 && work->moved[v] == 0 ) )
    {
        return;
    }
    supClothBond* bond = work->all + v;
    *bond = ( supClothBond ){ .item = item, .hold = supHold( foot.distance, reach ) };
    memcpy( bond->corners, skin->corners + 3 * (size_t)foot.triangle, sizeof( bond->corners ) );
    memcpy( bond->shares, foot.shares, sizeof( bond->shares ) );
}

/// Bonds of one item. False: no memory.
static bool supBindItem( supClothWork* work, int32_t item )
{
    const supCharacter* character = work->context->character;
    float reach = work->defs[item]->reach * supCharacter_Info( character )->size;
    if ( !supMakeClothSkin( work, item ) )
    {
        return false;
    }
    const supClothSkin* skin = work->clothes->skins + work->clothes->skins[item].sameAs;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = mesh.firstVertex; work->owners[m] == item && v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            supBindVertex( work, skin, item, v, reach );
        }
    }
    return true;
}

/// Of all vertices, those that are held. False: no memory.
static bool supKeepBonds( supClothWork* work, int32_t vertexCount )
{
    supClothes* clothes = work->clothes;
    int32_t count = 0;
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        count += work->all[v].hold > 0.0f;
    }
    clothes->bondsSize = ( (size_t)count + 1 ) * ( sizeof( supClothBond ) + sizeof( int32_t ) );
    clothes->bonds = supAlloc( work->context->allocator, clothes->bondsSize, _Alignof( supClothBond ) );
    if ( clothes->bonds == NULL )
    {
        return false;
    }
    clothes->vertices = (int32_t*)( clothes->bonds + count + 1 );
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        if ( work->all[v].hold > 0.0f )
        {
            clothes->vertices[clothes->count] = v;
            clothes->bonds[clothes->count++] = work->all[v];
        }
    }
    return true;
}

static supClothes* supMakeClothes( const supLayerContext* context, int32_t count )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supClothes, clothes, 1 );
    SUP_PUT_NEW( &layout, supClothSkin, skins, count );
    if ( supAllocLayout( context->allocator, &layout ) != NULL )
    {
        *clothes = ( supClothes ){ .itemCount = count,
            .skins = skins,
            .margin = supClothMargin * supCharacter_Info( context->character )->size,
            .blockSize = layout.size };
    }
    return clothes;
}

static void supDestroyClothes( void* compiled, const supAllocator* allocator )
{
    supClothes* clothes = compiled;
    for ( int32_t i = 0; clothes != NULL && i < clothes->itemCount; ++i )
    {
        supClothSkin* skin = clothes->skins + i;
        supDropTriangleTree( skin->tree, allocator );
        supFree( allocator, skin->corners, skin->cornersSize );
        supFree( allocator, skin->moved, skin->movedSize );
    }
    if ( clothes != NULL )
    {
        supFree( allocator, clothes->bonds, clothes->bondsSize );
        supFree( allocator, clothes, clothes->blockSize );
    }
}

static supResult supCompileClothes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supCharacter* character = context->character;
    int32_t vertices = supCharacter_Info( character )->vertexCount, meshes = supCharacter_Info( character )->meshCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, uint8_t, moved, vertices + 1 );
    SUP_PUT_NEW( &layout, uint8_t, seen, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, owners, meshes );
    SUP_PUT_NEW( &layout, supClothBond, all, vertices );
    *out = NULL;
    char* block = supAllocLayout( context->allocator, &layout );
    supClothes* clothes = block != NULL ? supMakeClothes( context, count ) : NULL;
    supResult result = sup_success;
    bool fits = clothes != NULL;
    if ( fits )
    {
        supClothWork work = { context, (const supClothDef* const*)items, count,
            (const supVec3*)supCharacter_Info( character )->restPositions, moved, seen, owners, all, clothes };
        for ( int32_t i = 0; i < context->movedCount; ++i )
        {
            work.moved[context->moved[i]] = 1;
        }
        result = supFindGarments( &work, error );
        for ( int32_t i = 0; i < count && result == sup_success && fits; ++i )
        {
            fits = supBindItem( &work, i );
        }
        fits = result != sup_success || ( fits && supKeepBonds( &work, vertices ) );
    }
    supFree( context->allocator, block, layout.size );
    if ( result != sup_success || !fits )
    {
        supDestroyClothes( clothes, context->allocator );
        return fits ? result : supFail( error, sup_errorMemory, "clothes: no memory for %d vertices", vertices );
    }
    *out = clothes;
    return sup_success;
}

static int32_t supClothesTouched( const void* compiled, const int32_t** vertices )
{
    const supClothes* clothes = compiled;
    *vertices = clothes->vertices;
    return clothes->count;
}

/// Boxes of both skins, of every skin that is there once.
static size_t supClothesScratch( const void* compiled )
{
    const supClothes* clothes = compiled;
    size_t boxes = 0;
    for ( int32_t i = 0; i < clothes->itemCount; ++i )
    {
        const supTriangleTree* tree = clothes->skins[i].tree;
        boxes += tree != NULL ? 2 * (size_t)supTriangleTree_BoxCount( tree ) : 0;
    }
    return boxes * sizeof( supBounds );
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// One of the skins at a moment.
typedef struct supWornSkin
{
    const supTriangleTree* tree;
    const supVec3 *smooth, *living;
    supBounds *smoothBoxes, *livingBoxes;
    float moved;       ///< the most that any of its vertices has moved. Metres
    bool smoothFitted; ///< only where a vertex comes close
} supWornSkin;

static float supCornersMoved( const supWornSkin* skin, const int32_t* corners )
{
    float most = 0.0f;
    for ( int k = 0; k < 3; ++k )
    {
        most = supMaxF( most, supDistance( skin->smooth[corners[k]], skin->living[corners[k]] ) );
    }
    return most;
}

/// How deep a vertex may be in one piece of the living skin: as deep as its smooth place is in the smooth one. Gives
/// the distance above which it need not be kept; `moved`: takes account of how far the skin there has moved.
static float supLeastAllowed(
    supWornSkin* skin, supTreeSide now, supVec3 smoothPlace, float margin, float reach, float* moved )
{
    const int32_t* corners = skin->tree->corners;
    if ( !skin->smoothFitted )
    {
        supTriangleTree_Fit( skin->tree, skin->smooth, skin->smoothBoxes );
        skin->smoothFitted = true;
    }
    supTreeSide before =
        supTriangleTree_Side( skin->tree, skin->smooth, skin->smoothBoxes, smoothPlace, 2.0f * reach, now.piece );
    if ( before.triangle < 0 )
    {
        return -1e30f; // so far away that it is none of this moment's doing
    }
    *moved = supMaxF( *moved, supMaxF( supCornersMoved( skin, corners + 3 * (size_t)now.triangle ),
                                  supCornersMoved( skin, corners + 3 * (size_t)before.triangle ) ) );
    return supMinF( before.distance, margin );
}

/// The place again, no deeper in the living skin than the smooth place is in the smooth skin. Where the skin has moved
/// by `moved` at most and the vertex with it, they have come closer by twice that at most: what is farther need not be
/// looked at; and twice that again is allowed for corners, no push is longer.
static supVec3 supKeepOutside(
    const supClothBond* bond, float margin, supWornSkin* skin, supVec3 smoothPlace, supVec3 start )
{
    float reach = margin + 2.0f * skin->moved, moved = supCornersMoved( skin, bond->corners );
    supVec3 place = start, best = start;
    float lacking = 1e30f; // of the best place
    for ( int turn = 0; turn <= supClothTurns; ++turn )
    {
        // the triangle that it hangs on is seldom the closest one, but never far: a good bound to search with
        const int32_t* c = bond->corners;
        float known =
            supClosestOnTriangle( place, skin->living[c[0]], skin->living[c[1]], skin->living[c[2]] ).distance;
        supTreeSide now = supTriangleTree_Side(
            skin->tree, skin->living, skin->livingBoxes, place, supMinF( reach, 1.001f * known + 1e-9f ), -1 );
        if ( now.triangle < 0 || now.distance >= margin )
        {
            return place;
        }
        float lacks = supLeastAllowed( skin, now, smoothPlace, margin, reach, &moved ) - now.distance;
        best = lacks < lacking ? place : best;
        lacking = supMinF( lacking, lacks );
        if ( !( lacks > 0.0f ) )
        {
            return place;
        }
        supVec3 push = supSub( supMulAdd( place, lacks, now.normal ), start );
        float length = supLength( push ), most = 4.0f * moved;
        place = supMulAdd( start, length > most ? most / length : 1.0f, push );
    }
    return best;
}

/// Fits the boxes of an item's skin; one that another has too was fitted with the other.
static void supWearSkin( const supClothSkin* skin, const supLayerFrame* frame, const supVec3* positions,
    supBounds** boxes, supWornSkin* out )
{
    int32_t count = supTriangleTree_BoxCount( skin->tree );
    *out = ( supWornSkin ){ skin->tree, frame->smooth, positions, *boxes, *boxes + count, 0.0f, false };
    *boxes += 2 * (size_t)count;
    for ( int32_t i = 0; i < skin->movedCount; ++i )
    {
        int32_t v = skin->moved[i];
        out->moved = supMaxF( out->moved, supDistance( frame->smooth[v], positions[v] ) );
    }
    if ( out->moved > 0.0f )
    {
        supTriangleTree_Fit( skin->tree, out->living, out->livingBoxes );
    }
}

/// The garments on one skin. Where nothing beneath has moved, and the garment itself neither, it stays: bit for bit.
static void supMoveGarments(
    const supClothes* clothes, int32_t skinItem, supWornSkin* skin, const supLayerFrame* frame, supVec3* positions )
{
    for ( int32_t i = 0; i < clothes->count; ++i )
    {
        const supClothBond* bond = clothes->bonds + i;
        if ( clothes->skins[bond->item].sameAs != skinItem )
        {
            continue;
        }
        supVec3 move = supVec3_zero, own = frame->smooth[clothes->vertices[i]];
        for ( int k = 0; k < 3; ++k )
        {
            supVec3 of = supSub( positions[bond->corners[k]], frame->smooth[bond->corners[k]] );
            move = supMulAdd( move, bond->shares[k], of );
        }
        supVec3* place = positions + clothes->vertices[i];
        supVec3 change = supSub( supAdd( own, move ), *place );
        float amount = frame->live[bond->item], strength = bond->hold * amount;
        *place = supMulAdd( *place, strength, change );
        if ( skin->moved > 0.0f && strength > 0.0f )
        {
            *place = supLerp( *place, supKeepOutside( bond, clothes->margin, skin, own, *place ), amount );
        }
    }
}

static void supApplyClothes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supClothes* clothes = compiled;
    supBounds* boxes = frame->scratch;
    for ( int32_t item = 0; item < clothes->itemCount; ++item )
    {
        if ( clothes->skins[item].sameAs == item )
        {
            supWornSkin skin;
            supWearSkin( clothes->skins + item, frame, positions, &boxes, &skin );
            supMoveGarments( clothes, item, &skin, frame, positions );
        }
    }
}

/// Garments: a line from each vertex to the point of the skin that it goes with.
static void supDrawClothes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
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

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supClothDef, member, type, unit )

static const supField sup_clothFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two garments may have the same. Not given: the mesh's name." },
    { SUP_FIELD( mesh, sup_fieldName, "mesh" ), .required = true,
        .words = "The garment. It goes with the skin beneath it, whatever elements it belongs to itself." },
    { SUP_FIELD( materials, sup_fieldNames, "material" ),
        .words = "Only these of the mesh's materials. Not given: all." },
    { SUP_FIELD( skin, sup_fieldNames, "mesh" ),
        .words = "Meshes that it lies on. Not given: all that are no garments themselves." },
    { SUP_FIELD( reach, sup_fieldLength, "size" ), .minimum = 1e-6f, .maximum = 10.0f, .fallback = 0.05f,
        .words = "Cloth as near to the skin as this follows it in full, fading out to twice as far." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of the skin's motion it takes: 0 leaves it as its own weights have it, 1 all." },
};

supClothDef supDefaultClothDef( void )
{
    supClothDef def = { 0 };
    supFillDefaults( sup_clothFields, SUP_COUNT( sup_clothFields ), &def );
    return def;
}

static void supCompleteCloth( void* item )
{
    supClothDef* def = item;
    def->name = def->name != NULL ? def->name : def->mesh;
}

static const char* const sup_clothesPictures[] = { "clothes", NULL };

static const supLayerPictures sup_clothesDrawing = {
    .names = sup_clothesPictures,
    .draw = supDrawClothes,
};

const supLayer sup_clothesLayer = {
    .info = { .name = "clothes",
        .key = "clothes",
        .words = "Garments that take the displacement of the skin beneath them.",
        .itemSize = sizeof( supClothDef ),
        .fieldCount = SUP_COUNT( sup_clothFields ),
        .fields = sup_clothFields },
    .nameOffset = offsetof( supClothDef, name ),
    .complete = supCompleteCloth,
    .ignores = sup_ignoresElements | sup_ignoresEarlier,
    .compile = supCompileClothes,
    .destroy = supDestroyClothes,
    .touched = supClothesTouched,
    .wantsSmooth = true,
    .scratchSize = supClothesScratch,
    .apply = supApplyClothes,
    .pictures = &sup_clothesDrawing,
};
