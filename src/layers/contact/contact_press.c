// Flesh elements pressed against the skin of other parts.
// SPDX-License-Identifier: MIT
//
// Smooth skin has overlaps of its own (armpits, folded knees), and taking these out is not flesh's business. What flesh
// adds is. A vertex at x is inside another part where the skin goes around a place a hair outside of it (skin_rays.h);
// it comes out at q, the closest point of another part's skin; n points from x to q, and depth is their distance. Flesh
// has moved the two against each other by r = (x - x0) - (q - q0) since the smooth skin. They are brought apart by
//
//     z = min( depth - depth0, -r.n, gate )     where that is above zero
//
// along n, each in the measure in which it may move, the vertex by its whole push and the triangle's corners by their
// shares (Mueller, Heidelberger, Hennix, Ratcliff, "Position based dynamics", 2007). depth0: as deep as the smooth skin
// has it. gate: the distance to the closest triangle of any part that is not around the vertex, so that what has just
// come through a fold of its own part is not thrown out of another.
//
// With no elongation r is 0 and nothing moves, bit for bit. No push is larger than what flesh has moved. There is no
// memory: the same pose and elongations give the same skin, so nothing can jitter. Where the closest way out changes
// from one side of a part to another, as it may in deep folds, a push can jump: 1 mm on a body of 1.7 m was measured.
//
// Tried before: capsules fitted to the parts. Inside these nothing was left, but on the skin itself, where it counts,
// only a fifth to two fifths of what flesh adds was gone.

#include "layers/contact/contact_press.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/contact/skin_patches.h"
#include "layers/contact/skin_rays.h"
#include "layers/names_in_rig.h"

#include <string.h>

enum
{
    supPressSweeps = 3, ///< over the whole skin, then over what was pushed: it may have come into a third part
    supPressRounds = 3, ///< over what was pushed
};

/// Overlaps of smooth skin up to this share of the size are looked through.
static const float supSmoothReach = 0.08f;
/// A vertex is inside another part where a place this share of the size outside of it is.
static const float supHair = 1e-4f;

typedef struct supContacts
{
    supSkinPatches* patches;
    int32_t itemCount, jointCount;
    int32_t* items;   ///< of vertices: the item that lets it move, or -1
    uint8_t* against; ///< of items and joints: whether it presses against that part
    int32_t touchedCount;
    int32_t* touched;
    size_t blockSize;
} supContacts;

// ---------------------------------------------------------------------------------------------------------------
// Compiling

static supResult supCheckContact(
    const supLayerContext* context, const supContactDef* def, int32_t item, supError* error )
{
    char place[SUP_PLACE_TEXT];
    for ( int32_t i = 0; i < def->joints.count; ++i )
    {
        if ( supFindJointWords( context->character, def->joints.names[i] ) < 0 )
        {
            supPlaceText( place, "contacts[%d].joints[%d]", item, i );
            return supNoJoint( context->character, place, def->joints.names[i], error );
        }
    }
    supPlaceText( place, "contacts[%d].element", item );
    return supFindElementNamed( context, def->element ) >= 0 ? sup_success
                                                             : supNoElement( context, place, def->element, error );
}

/// Which vertices an item lets move, and what they press against. A vertex of several items belongs to the first.
static void supFillItem( supContacts* contacts, const supLayerContext* context, const supContactDef* def, int32_t item )
{
    const supElementView* element = context->elements + supFindElementNamed( context, def->element );
    uint8_t* against = contacts->against + (size_t)item * (size_t)contacts->jointCount;
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        int32_t* own = contacts->items + element->vertices[i];
        *own = *own < 0 ? item : *own;
    }
    memset( against, def->joints.count == 0, (size_t)contacts->jointCount );
    for ( int32_t i = 0; i < def->joints.count; ++i )
    {
        against[supFindJointWords( context->character, def->joints.names[i] )] = 1;
    }
}

supResult supCompileContacts(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supContactDef* const* defs = (const supContactDef* const*)items;
    for ( int32_t i = 0; i < count; ++i )
    {
        supResult result = supCheckContact( context, defs[i], i, error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    int32_t vertices = supCharacter_VertexCount( context->character ),
            joints = supCharacter_JointCount( context->character );
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supContacts, 1 );
    size_t atItems = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atTouched = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atAgainst = SUP_LAYOUT_ARRAY( &layout, uint8_t, (size_t)count * (size_t)joints );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "contacts: no memory" );
    }
    supContacts* contacts = (supContacts*)block;
    *contacts = ( supContacts ){ .patches = supMakeSkinPatches( context->character, context->allocator ),
        .itemCount = count,
        .jointCount = joints,
        .items = (int32_t*)( block + atItems ),
        .against = (uint8_t*)( block + atAgainst ),
        .touched = (int32_t*)( block + atTouched ),
        .blockSize = layout.size };
    if ( contacts->patches == NULL )
    {
        supDestroyContacts( contacts, context->allocator );
        return supFail( error, sup_errorMemory, "contacts: no memory for the skin" );
    }
    for ( int32_t v = 0; v < vertices; ++v )
    {
        contacts->items[v] = -1;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        supFillItem( contacts, context, defs[i], i );
    }
    for ( int32_t v = 0; v < vertices; ++v )
    {
        if ( contacts->items[v] >= 0 )
        {
            contacts->touched[contacts->touchedCount++] = v;
        }
    }
    *out = contacts;
    return sup_success;
}

void supDestroyContacts( void* compiled, const supAllocator* allocator )
{
    supContacts* contacts = compiled;
    supDropSkinPatches( contacts->patches, allocator );
    supFree( allocator, contacts, contacts->blockSize );
}

int32_t supContactsTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supContacts*)compiled )->touched;
    return ( (const supContacts*)compiled )->touchedCount;
}

/// Where things are in scratch memory: two skins (the smooth one and the living one), vertices that are inside, and how
/// deep the smooth skin has these.
typedef struct supPressRoom
{
    size_t patches[2], rays[2], inside, depths, pushed, size;
} supPressRoom;

static supPressRoom supMakeRoom( const supContacts* contacts )
{
    supPressRoom room;
    supLayout layout = supMakeLayout();
    size_t patchBytes = supSkinPatches_ScratchSize( contacts->patches ),
           rayBytes = supSkinRays_ScratchSize( contacts->patches->vertexCount, contacts->patches->triangleCount );
    for ( int i = 0; i < 2; ++i )
    {
        room.patches[i] = supLayoutAdd( &layout, patchBytes, SUP_MAX_ALIGNMENT );
        room.rays[i] = supLayoutAdd( &layout, rayBytes, SUP_MAX_ALIGNMENT );
    }
    room.inside = SUP_LAYOUT_ARRAY( &layout, int32_t, contacts->patches->vertexCount );
    room.depths = SUP_LAYOUT_ARRAY( &layout, float, contacts->patches->vertexCount );
    room.pushed = SUP_LAYOUT_ARRAY( &layout, bool, contacts->patches->vertexCount );
    room.size = layout.size;
    return room;
}

size_t supContactsScratch( const void* compiled )
{
    return supMakeRoom( compiled ).size;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// A vertex and a triangle that it has come into.
typedef struct supPress
{
    int32_t vertices[4]; ///< the vertex, then the corners
    float shares[4];     ///< 1, then those of the corners, below zero
    supVec3 way;         ///< out of it, for the vertex; unit length
    float depth, smoothDepth, gate;
} supPress;

/// How much a vertex may be moved by a contact with a part: its item's amount.
static float supFreedom( const supContacts* contacts, const float* live, int32_t vertex, int32_t part )
{
    int32_t item = contacts->items[vertex];
    bool free = item >= 0 && contacts->against[(size_t)item * (size_t)contacts->jointCount + (size_t)part] != 0;
    return free ? live[item] : 0.0f;
}

static supPress supMakePress(
    const supSkinPatches* patches, const supVec3* positions, int32_t vertex, const supNearSkin* near )
{
    const int32_t* c = patches->corners + 3 * (size_t)near->triangle;
    supPress press = { { vertex, c[0], c[1], c[2] }, { 1.0f, -near->shares[0], -near->shares[1], -near->shares[2] },
        supVec3_zero, near->distance, 0.0f, near->gate };
    supVec3 q = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        q = supMulAdd( q, near->shares[k], positions[c[k]] );
    }
    press.way = supNormalize( supSub( q, positions[vertex] ) );
    return press;
}

/// Brings the two apart by what flesh has brought them together. Gives whether there was something.
static bool supPushApart(
    const supContacts* contacts, const supLayerFrame* frame, const supPress* press, supVec3* positions, bool* pushed )
{
    const int32_t* parts = contacts->patches->parts;
    supVec3 against = supVec3_zero;
    float free[4], sum = 0.0f;
    for ( int i = 0; i < 4; ++i )
    {
        int32_t v = press->vertices[i], other = parts[press->vertices[i == 0 ? 1 : 0]];
        against = supMulAdd( against, press->shares[i], supSub( positions[v], frame->smooth[v] ) );
        free[i] = supFreedom( contacts, frame->live, v, other );
        sum += free[i] > 0.0f ? press->shares[i] * press->shares[i] : 0.0f;
    }
    float deeper = supMinF( press->gate, supMinF( press->depth - press->smoothDepth, -supDot( against, press->way ) ) );
    if ( !( deeper > 0.0f ) || !( sum > 0.0f ) )
    {
        return false;
    }
    for ( int i = 0; i < 4; ++i )
    {
        supVec3* p = positions + press->vertices[i];
        *p = free[i] > 0.0f ? supMulAdd( *p, free[i] * press->shares[i] * deeper / sum, press->way ) : *p;
        pushed[contacts->patches->welds[press->vertices[i]]] |= free[i] > 0.0f;
    }
    return true;
}

/// Vertices that seams have split go with the first one, where that was pushed.
static void supMoveCopies( const supContacts* contacts, const bool* pushed, supVec3* positions )
{
    const int32_t* welds = contacts->patches->welds;
    for ( int32_t i = 0; i < contacts->touchedCount; ++i )
    {
        int32_t v = contacts->touched[i], first = welds[v];
        positions[v] = first != v && pushed[first] ? positions[first] : positions[v];
    }
}

/// A skin to be asked what is inside of it.
typedef struct supAskedSkin
{
    supPosedPatches posed;
    supSkinRays rays;
    const supVec3* positions;
} supAskedSkin;

static bool supIsInsideOther( const supAskedSkin* skin, int32_t vertex )
{
    supVec3 hair = supScale( skin->posed.normals[vertex], supHair * skin->posed.patches->size );
    return supSkinRays_Turns( &skin->rays, supAdd( skin->positions[vertex], hair ) ) > 0;
}

/// What a frame's contacts are found with.
typedef struct supPressWork
{
    const supContacts* contacts;
    const supLayerFrame* frame;
    supPressRoom room;
    supAskedSkin smooth, living;
    supVec3* positions;
    int32_t* inside;
    float* depths; ///< of vertices in the smooth skin; below zero: not known yet
    bool* pushed;  ///< vertices, by their welds
} supPressWork;

static supSkinRays supSortSkin( const supPressWork* work, const supVec3* positions, int skin )
{
    const supSkinPatches* patches = work->contacts->patches;
    return supSortForRays( positions, patches->vertexCount, patches->corners, patches->triangleCount, patches->thinAxis,
        (char*)work->frame->scratch + work->room.rays[skin] );
}

static float supSmoothDepth( supPressWork* work, int32_t vertex, float reach )
{
    if ( work->depths[vertex] < 0.0f )
    {
        const supAskedSkin* smooth = &work->smooth;
        bool inside = supIsInsideOther( smooth, vertex );
        work->depths[vertex] =
            inside ? supFindNearSkin( &smooth->posed, smooth->positions, vertex, reach ).distance : 0.0f;
    }
    return work->depths[vertex];
}

/// Whether a vertex that was inside is so still, by the side of the closest triangle that it is on.
static bool supIsBehind( const supPressWork* work, const supPress* press )
{
    const supVec3 *x = work->positions, a = x[press->vertices[1]];
    supVec3 normal = supCross( supSub( x[press->vertices[2]], a ), supSub( x[press->vertices[3]], a ) );
    return supDot( normal, press->way ) > 0.0f;
}

/// One round over some vertices. Gives how many of them were pushed: these come first in the list then.
static int32_t supPressOnce( supPressWork* work, int32_t count, bool first )
{
    float reach = supSmoothReach * work->contacts->patches->size;
    int32_t kept = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t v = work->inside[i];
        supNearSkin near = { 0 };
        if ( !first || supIsInsideOther( &work->living, v ) )
        {
            near = supFindNearSkin( &work->living.posed, work->positions, v, reach );
        }
        if ( !near.found )
        {
            continue;
        }
        supPress press = supMakePress( work->contacts->patches, work->positions, v, &near );
        press.smoothDepth = supSmoothDepth( work, v, reach );
        if ( first || supIsBehind( work, &press ) )
        {
            work->inside[kept] = v;
            kept += supPushApart( work->contacts, work->frame, &press, work->positions, work->pushed );
        }
    }
    return kept;
}

/// One vertex of each place: of all of them, or of those that were pushed.
static int32_t supListPlaces( supPressWork* work, bool all )
{
    const supSkinPatches* patches = work->contacts->patches;
    int32_t count = 0;
    for ( int32_t v = 0; v < patches->vertexCount; ++v )
    {
        work->inside[count] = v;
        count += patches->welds[v] == v && ( all || work->pushed[v] );
    }
    return count;
}

void supApplyContacts( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supContacts* contacts = compiled;
    const supSkinPatches* patches = contacts->patches;
    supPressWork work = { .contacts = contacts,
        .frame = frame,
        .room = supMakeRoom( contacts ),
        .smooth = { .positions = frame->smooth },
        .living = { .positions = positions },
        .positions = positions };
    char* scratch = frame->scratch;
    if ( !( supPoseSkinPatches(
                patches, frame->smooth, positions, scratch + work.room.patches[1], &work.living.posed ) > 0.0f ) )
    {
        return;
    }
    supPoseSkinPatches( patches, frame->smooth, frame->smooth, scratch + work.room.patches[0], &work.smooth.posed );
    work.smooth.rays = supSortSkin( &work, frame->smooth, 0 );
    work.inside = (int32_t*)( scratch + work.room.inside );
    work.depths = (float*)( scratch + work.room.depths );
    work.pushed = (bool*)( scratch + work.room.pushed );
    for ( int32_t v = 0; v < patches->vertexCount; ++v )
    {
        work.depths[v] = -1.0f;
        work.pushed[v] = false;
    }
    for ( int sweep = 0; sweep < supPressSweeps; ++sweep )
    {
        int32_t count = supListPlaces( &work, sweep == 0 );
        work.living.rays = supSortSkin( &work, positions, 1 );
        for ( int round = 0; round < supPressRounds && count > 0; ++round )
        {
            count = supPressOnce( &work, count, round == 0 );
        }
    }
    supMoveCopies( contacts, work.pushed, positions );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

/// Points where the skin touches another part, or nearly does.
void supDrawContacts( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown, (void)what;
    const supContacts* contacts = compiled;
    const supSkinPatches* patches = contacts->patches;
    supPosedPatches posed;
    float touching = 0.004f * patches->size;
    float most = supPoseSkinPatches( patches, frame->smooth, positions, frame->scratch, &posed );
    for ( int32_t v = 0; draw->point != NULL && most > 0.0f && v < patches->vertexCount; ++v )
    {
        supNearSkin near =
            contacts->items[v] >= 0 ? supFindNearSkin( &posed, positions, v, touching ) : ( supNearSkin ){ 0 };
        if ( near.found && near.distance < touching )
        {
            draw->point( positions[v], supDraw_Distinct( contacts->items[v] ), 7.0f, draw->user );
        }
    }
}
