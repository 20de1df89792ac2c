// Flesh elements pressed against the capsules of other parts.
// SPDX-License-Identifier: MIT
//
// Smooth skin has overlaps of its own (armpits, folded knees), and taking these out is not flesh's business. So each
// vertex may be as deep in a part as its smooth place is, and no deeper: what flesh adds is taken out along the
// capsule's normal. The other part is where its own flesh has moved it. With no elongation nothing moves, bit for bit;
// what is pushed is a continuous function of pose and elongations, so nothing can jitter.

#include "layers/contact/contact_press.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/contact/body_capsules.h"
#include "layers/names_in_rig.h"

#include <string.h>

enum
{
    supPressRounds = 4
};

typedef struct supPress
{
    int32_t vertex, item;
    uint64_t against; ///< capsules, one bit each
} supPress;

typedef struct supContacts
{
    supCapsuleSet set;
    int32_t count;
    supPress* presses; ///< by rising vertex
    int32_t touchedCount;
    int32_t* touched;
    size_t blockSize;
} supContacts;

// ---------------------------------------------------------------------------------------------------------------
// Compiling

/// Joints apart along the skeleton, 3 at most.
static int supApart( const supCharacter* character, int32_t a, int32_t b )
{
    int32_t parentA = supCharacter_JointParent( character, a ), parentB = supCharacter_JointParent( character, b );
    return a == b ? 0 : parentA == b || parentB == a ? 1 : parentA == parentB && parentA >= 0 ? 2 : 3;
}

/// The capsules that vertices of a part press against.
static uint64_t supOthersOf(
    const supLayerContext* context, const supCapsuleSet* set, const supContactDef* def, int32_t part )
{
    uint64_t mask = 0;
    for ( int32_t c = 0; c < set->count; ++c )
    {
        bool listed = def->joints.count == 0;
        for ( int32_t i = 0; i < def->joints.count && !listed; ++i )
        {
            listed = supFindJointWords( context->character, def->joints.names[i] ) == set->capsules[c].joint;
        }
        bool apart = supApart( context->character, part, set->capsules[c].joint ) >= 2;
        mask |= listed && apart ? (uint64_t)1 << c : 0;
    }
    return mask;
}

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

/// Every vertex of every item's element, by rising vertex; those of several items once.
static void supFillPresses(
    supContacts* contacts, const supLayerContext* context, const supContactDef* const* defs, int32_t itemCount )
{
    for ( int32_t v = 0; v < supCharacter_VertexCount( context->character ); ++v )
    {
        supPress press = { v, -1, 0 };
        for ( int32_t i = 0; i < itemCount; ++i )
        {
            const supElementView* element = context->elements + supFindElementNamed( context, defs[i]->element );
            int32_t low = 0, high = element->vertexCount;
            while ( low < high )
            {
                int32_t middle = low + ( high - low ) / 2;
                bool before = element->vertices[middle] < v;
                low = before ? middle + 1 : low;
                high = before ? high : middle;
            }
            if ( low < element->vertexCount && element->vertices[low] == v )
            {
                press.item = press.item < 0 ? i : press.item;
                press.against |= supOthersOf( context, &contacts->set, defs[i], contacts->set.parts[v] );
            }
        }
        if ( press.against != 0 )
        {
            contacts->touched[contacts->count] = v;
            contacts->presses[contacts->count++] = press;
        }
    }
    contacts->touchedCount = contacts->count;
}

supResult supCompileContacts(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supContactDef* const* defs = (const supContactDef* const*)items;
    size_t room = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        supResult result = supCheckContact( context, defs[i], i, error );
        if ( result != sup_success )
        {
            return result;
        }
        room += (size_t)context->elements[supFindElementNamed( context, defs[i]->element )].vertexCount;
    }
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supContacts, 1 );
    size_t atPresses = SUP_LAYOUT_ARRAY( &layout, supPress, room );
    size_t atTouched = SUP_LAYOUT_ARRAY( &layout, int32_t, room );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "contacts: no memory" );
    }
    supContacts* contacts = (supContacts*)block;
    *contacts = ( supContacts ){ .presses = (supPress*)( block + atPresses ),
        .touched = (int32_t*)( block + atTouched ),
        .blockSize = layout.size };
    if ( !supFitCapsules( context, &contacts->set ) )
    {
        supDestroyContacts( contacts, context->allocator );
        return supFail( error, sup_errorMemory, "contacts: no memory for the body's parts" );
    }
    supFillPresses( contacts, context, defs, count );
    *out = contacts;
    return sup_success;
}

void supDestroyContacts( void* compiled, const supAllocator* allocator )
{
    supContacts* contacts = compiled;
    supDropCapsules( &contacts->set, allocator );
    supFree( allocator, contacts, contacts->blockSize );
}

int32_t supContactsTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supContacts*)compiled )->touched;
    return ( (const supContacts*)compiled )->touchedCount;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// How much deeper a place is in a capsule than its smooth place in the smooth one; the way out.
static float supAddedDepth( const supPosedCapsule* posed, supVec3 smooth, supVec3 place, supVec3* out )
{
    float depth = supCapsuleDepth( posed->movedFrom, posed->movedTo, posed->radius, place, out );
    if ( !( depth > 0.0f ) )
    {
        return 0.0f;
    }
    supVec3 unused;
    float before = supCapsuleDepth( posed->from, posed->to, posed->radius, smooth, &unused );
    return supMaxF( depth - before, 0.0f );
}

void supApplyContacts( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supContacts* contacts = compiled;
    supPosedCapsule posed[supMostCapsules];
    bool still = true;
    supPoseCapsules( &contacts->set, frame->joints, frame->elongations, posed );
    for ( int32_t e = 0; e < contacts->set.elementCount; ++e )
    {
        still = still && supLengthSquared( frame->elongations[e] ) == 0.0f;
    }
    for ( int32_t i = 0; !still && i < contacts->count; ++i )
    {
        const supPress* press = contacts->presses + i;
        supVec3 place = positions[press->vertex];
        bool pressed = true;
        for ( int round = 0; round < supPressRounds && pressed; ++round )
        {
            pressed = false;
            for ( int32_t c = 0; c < contacts->set.count; ++c )
            {
                supVec3 out;
                float added = ( press->against >> c & 1 ) == 0
                                  ? 0.0f
                                  : supAddedDepth( posed + c, frame->smooth[press->vertex], place, &out );
                pressed = pressed || added > 0.0f;
                place = added > 0.0f ? supMulAdd( place, frame->live[press->item] * added, out ) : place;
            }
        }
        positions[press->vertex] = place;
    }
}

void supContactsAdded( const void* compiled, const supMat34* joints, const supVec3* elongations, const supVec3* smooth,
    const supVec3* living, float* deepest, double* sum )
{
    const supContacts* contacts = compiled;
    supPosedCapsule posed[supMostCapsules];
    supPoseCapsules( &contacts->set, joints, elongations, posed );
    for ( int32_t i = 0; i < contacts->count; ++i )
    {
        const supPress* press = contacts->presses + i;
        for ( int32_t c = 0; c < contacts->set.count; ++c )
        {
            supVec3 out;
            float added = ( press->against >> c & 1 ) == 0
                              ? 0.0f
                              : supAddedDepth( posed + c, smooth[press->vertex], living[press->vertex], &out );
            *deepest = supMaxF( *deepest, added );
            *sum += (double)added;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

/// The capsules, as their lines with rings around.
void supDrawContacts( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    enum
    {
        supRingSides = 24
    };
    (void)shown, (void)what, (void)positions;
    const supContacts* contacts = compiled;
    supPosedCapsule posed[supMostCapsules];
    supPoseCapsules( &contacts->set, frame->joints, frame->elongations, posed );
    for ( int32_t c = 0; draw->line != NULL && c < contacts->set.count; ++c )
    {
        const supCapsule* capsule = contacts->set.capsules + c;
        const supVec3 ends[2] = { posed[c].movedFrom, posed[c].movedTo };
        supVec3 along = supNormalize( supSub( ends[1], ends[0] ) );
        supVec3 away = supAbsF( along.x ) < 0.6f ? supMakeVec3( 1.0f, 0.0f, 0.0f ) : supMakeVec3( 0.0f, 0.0f, 1.0f );
        supVec3 x = supNormalize( supCross( along, away ) ), y = supCross( along, x );
        draw->line( ends[0], ends[1], supDraw_Distinct( c ), 2.0f, draw->user );
        for ( int i = 0; i < 3 * supRingSides; ++i )
        {
            double angle = 2.0 * SUP_PI * ( i % supRingSides ) / supRingSides,
                   next = angle + 2.0 * SUP_PI / supRingSides;
            supVec3 at = supLerp( ends[0], ends[1], 0.5f * (float)( i / supRingSides ) );
            supVec3 p = supMulAdd( supMulAdd( at, capsule->radius * (float)supCos( angle ), x ),
                capsule->radius * (float)supSin( angle ), y );
            supVec3 q = supMulAdd( supMulAdd( at, capsule->radius * (float)supCos( next ), x ),
                capsule->radius * (float)supSin( next ), y );
            draw->line( p, q, supDraw_Distinct( c ), 1.5f, draw->user );
        }
    }
}
