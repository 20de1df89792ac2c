// Flesh elements pressed against the skin of other parts.
// SPDX-License-Identifier: MIT
//
// Smooth skin has overlaps of its own (armpits, folded knees), and taking these out is not flesh's business. What flesh
// adds is. A vertex at x is inside another part where the skin goes around a place a hair outside of it; it comes out
// at q, the closest point of another part's skin; n points from x to q, and depth is their distance. Flesh has moved
// the two against each other by r = (x - x0) - (q - q0) since the smooth skin. They are brought apart by
//
//     z = min( depth - depth0, -r.n, gate )     where that is above zero
//
// along n, each in the measure in which it may move, the vertex by its whole push and the triangle's corners by their
// shares (Mueller, Heidelberger, Hennix, Ratcliff, "Position based dynamics", 2007). depth0: as deep as the smooth skin
// has it. gate: the distance to the closest triangle of any part that is not around the vertex, so that what has just
// come through a fold of its own part is not thrown out of another. What the first sweeps leave is brought apart
// without the gate, and what these leave is taken back: with x0 and q0 in place of x and q nothing is added.
//
// With no elongation r is 0 and nothing moves, bit for bit. No push is larger than what flesh has moved. There is no
// memory: the same pose and elongations give the same skin, so nothing can jitter. Where the closest way out changes
// from one side of a part to another, as it may in deep folds, a push can jump.
//
// Found in little time: closest triangles by clusters of sixteen (posed_clusters.c), rays by columns (posed_around.c),
// and hardly any rays where no skin touches other skin (contact_inside.c). After the first sweep only what was pushed,
// what is beside it, and what it was pushed to are looked at again.
//
// Tried before: capsules fitted to the parts (inside these nothing was left, but on the skin itself, where it counts,
// only a fifth to two fifths of what flesh adds was gone). Contacts found in the smooth skin alone, with vertices held
// to what they are inside of there, or their shifts scaled down: 60 to 97% gone, since what is pushed comes into third
// parts.
#include "layers/contact/contact.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "supple/lab/drawing.h"

#include <stddef.h>
#include <string.h>

enum
{
    supPressSweeps = 7, ///< over all that is inside, then over what was pushed: it may have come into a third part
    supPressRounds = 4, ///< over the contacts of a sweep
};

/// Squared shares of what may move in a contact count as this at least: no vertex is pushed by more than three times
/// its share, though the contact may then stay.
static const float supLeastGive = 1.0f / 3.0f;
/// What flesh brings together counts from this share of the size on.
static const float supNegligible = 1e-5f;

/// What the sweeps do, one after another. All of them bring apart what flesh has brought together, up to `left`.
static const struct supSweepKind
{
    float left; ///< what may be left of the added depth, as a share of the size
    bool gated; ///< no farther than the closest skin of any part is
    bool back;  ///< by taking back what flesh has moved, rather than by pushing
} sup_sweepKinds[] = { { 0.0f, true, false }, { 0.0f, true, false }, { 1e-4f, false, false }, { 1e-4f, false, false },
    { 1e-4f, false, false }, { 4e-4f, false, true }, { 4e-4f, false, true } };

typedef struct supContacts
{
    supSkinClusters* clusters;
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
    char place[SUP_PATH_TEXT];
    for ( int32_t i = 0; i < def->joints.count; ++i )
    {
        if ( supFindJointWords( context->character, def->joints.names[i] ) < 0 )
        {
            supPathText( place, "contacts[%d].joints[%d]", item, i );
            return supNoJoint( context->character, place, def->joints.names[i], error );
        }
    }
    supPathText( place, "contacts[%d].element", item );
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

static void supDestroyContacts( void* compiled, const supAllocator* allocator )
{
    supContacts* contacts = compiled;
    supDropSkinClusters( contacts->clusters, allocator );
    supFree( allocator, contacts, contacts->blockSize );
}

static supResult supCompileContacts(
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
    int32_t vertices = supCharacter_Info( context->character )->vertexCount,
            joints = supCharacter_Info( context->character )->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supContacts, contacts, 1 );
    SUP_PUT_NEW( &layout, int32_t, itemsRoom, vertices );
    SUP_PUT_NEW( &layout, int32_t, touched, vertices );
    SUP_PUT_NEW( &layout, uint8_t, against, (size_t)count * (size_t)joints );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "contacts: no memory" );
    }
    *contacts = ( supContacts ){ .clusters = supMakeSkinClusters( context->character, context->allocator ),
        .itemCount = count,
        .jointCount = joints,
        .items = itemsRoom,
        .against = against,
        .touched = touched,
        .blockSize = layout.size };
    if ( contacts->clusters == NULL )
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

static int32_t supContactsTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supContacts*)compiled )->touched;
    return ( (const supContacts*)compiled )->touchedCount;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// A vertex and a triangle that it has come into.
typedef struct supPress
{
    int32_t vertices[4]; ///< the vertex, then the corners
    float shares[4];     ///< 1, then those of the corners, below zero
    float free[4];       ///< how much each may be moved
    supVec3 way;         ///< out of it, for the vertex; unit length
    float deeper;        ///< than in the smooth skin, when it was found. Metres
    float closer;        ///< how far flesh had brought the two together then. Metres
    float gate;          ///< how far the closest triangle of any part is. Metres
} supPress;

/// What a frame's contacts are found with, in scratch memory.
typedef struct supPressWork
{
    const supContacts* contacts;
    const supLayerFrame* frame;
    supPosedClusters smooth, living;
    supInsides insides;
    supVec3* places; ///< of vertices that stand for others: the living skin
    supVec3* shifts; ///< of these: what flesh has moved them, and contact left
    float* depths;   ///< of these, in the smooth skin; below zero: not known yet
    bool* pushed;    ///< of these
    bool* moved;     ///< of these: in this sweep
    bool* suspects;  ///< of these: inside at first, or beside what was pushed since
    int32_t* list;
    supPress* presses;
    int32_t watchedCount;
    supPress* watched; ///< vertices that are inside, but not by what flesh has done: contact may bring others to them
    void* rooms[3];    ///< of the two skins, and of what is inside
    int32_t guess;     ///< the cluster where the last one came out
    int32_t* arounds;  ///< of vertices: what it was inside of when it was asked last, or -1
    int32_t* ways;     ///< of vertices: the cluster where it came out in the last sweep, or -1
} supPressWork;

static size_t supLayWork( const supContacts* contacts, void* block, supPressWork* work )
{
    const supSkinClusters* clusters = contacts->clusters;
    size_t posed = supPosedClusters_ScratchSize( clusters ), vertices = (size_t)clusters->vertexCount;
    supLayout layout = supLayoutIn( block );
    SUP_PUT_BYTES( &layout, work->rooms[0], posed );
    SUP_PUT_BYTES( &layout, work->rooms[1], posed );
    SUP_PUT_BYTES( &layout, work->rooms[2], supInsides_ScratchSize( clusters ) );
    SUP_PUT( &layout, work->places, vertices );
    SUP_PUT( &layout, work->shifts, vertices );
    SUP_PUT( &layout, work->depths, vertices );
    SUP_PUT( &layout, work->pushed, vertices );
    SUP_PUT( &layout, work->moved, vertices );
    SUP_PUT( &layout, work->suspects, vertices );
    SUP_PUT( &layout, work->ways, vertices );
    SUP_PUT( &layout, work->arounds, vertices );
    SUP_PUT( &layout, work->list, vertices );
    SUP_PUT( &layout, work->presses, vertices );
    SUP_PUT( &layout, work->watched, vertices );
    return layout.size;
}

static size_t supContactsScratch( const void* compiled )
{
    supPressWork work;
    return supLayWork( compiled, NULL, &work );
}

/// How much a vertex may be moved by a contact with a part: its item's amount.
static float supFreedom( const supContacts* contacts, const float* live, int32_t vertex, int32_t part )
{
    int32_t item = contacts->items[vertex];
    bool free = item >= 0 && contacts->against[(size_t)item * (size_t)contacts->jointCount + (size_t)part] != 0;
    return free ? live[item] : 0.0f;
}

/// How deep the smooth skin has a vertex.
static float supSmoothDepth( supPressWork* work, int32_t vertex )
{
    if ( work->depths[vertex] < 0.0f )
    {
        supVec3 outside = supOutsideOf( &work->smooth, vertex );
        int32_t around = supPosedClusters_Around( &work->smooth, outside ),
                part = work->contacts->clusters->parts[vertex];
        supFootPoint foot = { .triangle = -1 };
        if ( around >= 0 )
        {
            int32_t guess = work->ways[vertex]; // it hardly comes out elsewhere than in the living skin
            foot = supPosedClusters_WayOut( &work->smooth, work->frame->smooth[vertex], part, around, &guess );
        }
        work->depths[vertex] = foot.triangle >= 0 ? foot.distance : 0.0f;
    }
    return work->depths[vertex];
}

/// How far flesh has brought the vertex of a press and its triangle together.
static float supComeCloser( const supPress* press, const supVec3* shifts )
{
    supVec3 against = supVec3_zero;
    for ( int i = 0; i < 4; ++i )
    {
        against = supMulAdd( against, press->shares[i], shifts[press->vertices[i]] );
    }
    return -supDot( against, press->way );
}

/// Where a vertex that is inside a piece comes out of it.
static supFootPoint supFindWayOut( supPressWork* work, int32_t vertex, int32_t around )
{
    int32_t* guess = work->ways + vertex;
    *guess = *guess >= 0 ? *guess : work->guess;
    supFootPoint foot = supPosedClusters_WayOut(
        &work->living, work->places[vertex], work->contacts->clusters->parts[vertex], around, guess );
    work->guess = *guess;
    return foot;
}

/// What a vertex that comes out there has come into. False: flesh has not brought it there.
static bool supMakePress( supPressWork* work, int32_t vertex, supFootPoint foot, supPress* press )
{
    const supContacts* contacts = work->contacts;
    const supSkinClusters* clusters = contacts->clusters;
    press->vertices[0] = -1;
    if ( foot.triangle < 0 )
    {
        return false;
    }
    const int32_t* c = clusters->corners + 3 * (size_t)foot.triangle;
    *press = ( supPress ){ .vertices = { vertex, c[0], c[1], c[2] },
        .shares = { 1.0f, -foot.shares[0], -foot.shares[1], -foot.shares[2] } };
    supVec3 out = supNeg( work->places[vertex] );
    float sum = 0.0f;
    for ( int i = 0; i < 4; ++i )
    {
        int32_t other = clusters->parts[press->vertices[i == 0 ? 1 : 0]];
        press->free[i] = supFreedom( contacts, work->frame->live, press->vertices[i], other );
        sum += press->free[i] * supAbsF( press->shares[i] );
        out = i > 0 ? supMulAdd( out, -press->shares[i], work->places[press->vertices[i]] ) : out;
    }
    press->way = supNormalize( out );
    press->closer = supComeCloser( press, work->shifts );
    if ( press->closer <= supNegligible * clusters->size || !( sum > 0.0f ) )
    {
        return false;
    }
    press->deeper = press->gate = foot.distance - supSmoothDepth( work, vertex );
    return press->deeper > 0.0f;
}

/// What a vertex that was pushed, or is beside one, is inside of. Unless one has to be `sure`: a vertex that was inside
/// and is behind the closest triangle is so still. Where it comes out is given for one that is inside.
static int32_t supAskAgain( supPressWork* work, int32_t vertex, bool sure, supFootPoint* foot )
{
    const supSkinClusters* clusters = work->contacts->clusters;
    int32_t was = sure ? -1 : work->arounds[vertex];
    if ( was >= 0 )
    {
        *foot = supFindWayOut( work, vertex, was );
        const int32_t* c = clusters->corners + 3 * (size_t)( foot->triangle >= 0 ? foot->triangle : 0 );
        supVec3 normal = supFaceNormal( work->places[c[0]], work->places[c[1]], work->places[c[2]] );
        bool behind = supDot( normal, supSub( work->places[vertex], work->places[c[0]] ) ) < 0.0f;
        return foot->triangle >= 0 && behind ? was : -1;
    }
    int32_t around = supPosedClusters_Around( &work->living, supOutsideOf( &work->living, vertex ) );
    *foot = around >= 0 ? supFindWayOut( work, vertex, around ) : ( supFootPoint ){ .triangle = -1 };
    return around;
}

/// Contacts of the vertices that are listed. `first`: what they are inside of is known.
static int32_t supFindPresses( supPressWork* work, int32_t count, bool first, float left )
{
    int32_t found = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t v = work->list[i];
        supFootPoint foot = { .triangle = -1 };
        int32_t around = first ? supInsides_Around( &work->insides, v ) : supAskAgain( work, v, left > 0.0f, &foot );
        bool was = work->arounds[v] >= 0;
        work->arounds[v] = around;
        foot = first && around >= 0 ? supFindWayOut( work, v, around ) : foot;
        bool pressed = around >= 0 && supMakePress( work, v, foot, work->presses + found );
        pressed = pressed && work->presses[found].deeper > left;
        work->suspects[v] |= pressed || was;
        if ( first && around >= 0 && !pressed && work->presses[found].vertices[0] == v )
        {
            work->watched[work->watchedCount++] = work->presses[found];
        }
        found += pressed;
    }
    return found;
}

static void supShift( supPressWork* work, int32_t vertex, supVec3 shift )
{
    work->shifts[vertex] = shift;
    work->pushed[vertex] = true;
    work->moved[vertex] = true;
}

/// Brings the two apart by what flesh has brought them together.
static void supPushApart( supPressWork* work, const supPress* press, float left )
{
    float sum = 0.0f, closer = supComeCloser( press, work->shifts );
    for ( int i = 0; i < 4; ++i )
    {
        sum += press->free[i] > 0.0f ? press->shares[i] * press->shares[i] : 0.0f;
    }
    // a place that hangs on what may move by a corner alone is not brought out by that
    sum = supMaxF( sum, supLeastGive );
    // others may have brought them apart since they were found
    float deeper = press->deeper - ( press->closer - closer ) - left;
    float apart = supMinF( supMinF( press->gate - ( press->closer - closer ), deeper ), closer );
    for ( int i = 0; i < 4 && apart > 0.0f; ++i )
    {
        if ( press->free[i] > 0.0f )
        {
            float own = press->free[i] * press->shares[i] * apart / sum;
            supShift( work, press->vertices[i], supMulAdd( work->shifts[press->vertices[i]], own, press->way ) );
        }
    }
}

/// Takes back so much of what flesh has moved the two that they are as deep as in the smooth skin.
static void supTakeBack( supPressWork* work, const supPress* press, float left )
{
    float closer = supComeCloser( press, work->shifts );
    float deeper = press->deeper - ( press->closer - closer ) - left;
    float back = supMinF( deeper, closer ) / supMaxF( closer, 1e-30f );
    for ( int i = 0; i < 4 && back > 0.0f; ++i )
    {
        // a corner that the place hardly hangs on keeps what it has
        float own = press->free[i] * back * supMinF( 3.0f * supAbsF( press->shares[i] ), 1.0f );
        if ( own > 0.0f )
        {
            supShift( work, press->vertices[i], supScale( work->shifts[press->vertices[i]], 1.0f - own ) );
        }
    }
}

/// The living skin after a sweep. Around vertices that were moved others may have come inside.
static void supUpdatePlaces( supPressWork* work )
{
    const supSkinClusters* clusters = work->contacts->clusters;
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        if ( work->moved[v] )
        {
            work->places[v] = supAdd( work->frame->smooth[v], work->shifts[v] );
            for ( int32_t i = clusters->aroundStarts[v]; i < clusters->aroundStarts[v + 1]; ++i )
            {
                const int32_t* c = clusters->corners + 3 * (size_t)clusters->around[i];
                work->suspects[c[0]] = work->suspects[c[1]] = work->suspects[c[2]] = true;
            }
        }
    }
    for ( int32_t i = 0; i < work->watchedCount; ++i )
    {
        const supPress* press = work->watched + i;
        float closer = supComeCloser( press, work->shifts );
        work->suspects[press->vertices[0]] |= closer > press->closer + supNegligible * clusters->size;
    }
    supPosedClusters_Update( &work->living, work->moved );
    memset( work->moved, 0, sizeof( bool ) * (size_t)clusters->vertexCount );
}

static int32_t supListSuspects( supPressWork* work )
{
    int32_t count = 0;
    for ( int32_t v = 0; v < work->contacts->clusters->vertexCount; ++v )
    {
        work->list[count] = v;
        count += work->suspects[v];
        work->suspects[v] = false;
    }
    return count;
}

static bool supSweep( supPressWork* work, int sweep )
{
    const struct supSweepKind* kind = sup_sweepKinds + sweep;
    float left = kind->left * work->contacts->clusters->size;
    int32_t count = supFindPresses( work, supListSuspects( work ), sweep == 0, left );
    for ( int32_t i = 0; i < count && kind->gated; ++i )
    {
        supPress* press = work->presses + i;
        int32_t v = press->vertices[0];
        press->gate = supPosedClusters_Clearance( &work->living, work->places[v], v, press->deeper );
    }
    for ( int round = 0; round < supPressRounds; ++round )
    {
        for ( int32_t i = 0; i < count && kind->back; ++i )
        {
            supTakeBack( work, work->presses + i, left );
        }
        for ( int32_t i = 0; i < count && !kind->back; ++i )
        {
            supPushApart( work, work->presses + i, left );
        }
    }
    if ( count > 0 )
    {
        supUpdatePlaces( work );
    }
    return count > 0;
}

/// Takes the skin as flesh has left it. False: flesh has moved nothing.
static bool supStartWork( supPressWork* work, const supVec3* positions )
{
    const supSkinClusters* clusters = work->contacts->clusters;
    float most = 0.0f;
    supLayWork( work->contacts, work->frame->scratch, work );
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        work->places[v] = positions[v];
        work->shifts[v] = supSub( positions[v], work->frame->smooth[v] );
        work->depths[v] = -1.0f;
        work->ways[v] = work->arounds[v] = -1;
        work->pushed[v] = work->moved[v] = false;
        most = supMaxF( most, supLengthSquared( work->shifts[v] ) );
    }
    if ( !( most > 0.0f ) )
    {
        return false;
    }
    supPoseClusters( clusters, work->frame->smooth, work->rooms[0], &work->smooth );
    supPoseClusters( clusters, work->places, work->rooms[1], &work->living );
    supFindInsides( &work->living, work->shifts, work->rooms[2], &work->insides );
    for ( int32_t v = 0; v < clusters->vertexCount; ++v )
    {
        work->suspects[v] = clusters->welds[v] == v && supInsides_Around( &work->insides, v ) >= 0;
    }
    return true;
}

static void supApplyContacts( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supContacts* contacts = compiled;
    supPressWork work = { .contacts = contacts, .frame = frame, .guess = -1 };
    if ( !supStartWork( &work, positions ) )
    {
        return;
    }
    for ( int sweep = 0; sweep < supPressSweeps && supSweep( &work, sweep ); ++sweep )
    {
    }
    for ( int32_t i = 0; i < contacts->touchedCount; ++i )
    {
        int32_t v = contacts->touched[i], first = contacts->clusters->welds[v];
        positions[v] = work.pushed[first] ? supAdd( frame->smooth[v], work.shifts[first] ) : positions[v];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

/// Points where the skin touches another part, or nearly does.
static void supDrawContacts( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown, (void)what;
    const supContacts* contacts = compiled;
    const supSkinClusters* clusters = contacts->clusters;
    float touching = 0.004f * clusters->size;
    supPosedClusters posed;
    supPoseClusters( clusters, positions, frame->scratch, &posed );
    for ( int32_t i = 0; i < contacts->touchedCount && draw->point != NULL; ++i )
    {
        int32_t v = contacts->touched[i], guess = -1;
        int32_t piece = clusters->owners[v] >= 0 ? clusters->pieces[clusters->owners[v]] : -1;
        supFootPoint foot = { .triangle = -1 };
        if ( piece >= 0 )
        {
            foot = supPosedClusters_WayOut( &posed, positions[v], clusters->parts[v], piece, &guess );
        }
        if ( foot.triangle >= 0 && foot.distance < touching )
        {
            draw->point( positions[v], supDraw_Distinct( contacts->items[v] ), 7.0f, draw->user );
        }
    }
}

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supContactDef, member, type, unit )

static const supField sup_contactFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two may have the same. Not given: the element's name." },
    { SUP_FIELD( element, sup_fieldName, "element" ), .required = true,
        .words = "The flesh element that presses against the body's other parts." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words = "The parts that it presses against, by their joints. Not given: all others." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of what flesh adds to the overlap is taken out: 0 nothing, 1 all of it." },
};

supContactDef supDefaultContactDef( void )
{
    supContactDef def = { 0 };
    supFillDefaults( sup_contactFields, SUP_COUNT( sup_contactFields ), &def );
    return def;
}

static void supCompleteContact( void* item )
{
    supContactDef* def = item;
    def->name = def->name != NULL ? def->name : def->element;
}

static const char* const sup_contactPictures[] = { "contact", NULL };

static const supLayerPictures sup_contactDrawing = {
    .names = sup_contactPictures,
    .draw = supDrawContacts,
};

const supLayer sup_contactLayer = {
    .info = { .name = "contact",
        .key = "contacts",
        .words = "Flesh elements that press against the body's other parts and do not pass through them.",
        .itemSize = sizeof( supContactDef ),
        .fieldCount = SUP_COUNT( sup_contactFields ),
        .fields = sup_contactFields },
    .nameOffset = offsetof( supContactDef, name ),
    .complete = supCompleteContact,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileContacts,
    .destroy = supDestroyContacts,
    .touched = supContactsTouched,
    .wantsSmooth = true,
    .scratchSize = supContactsScratch,
    .apply = supApplyContacts,
    .pictures = &sup_contactDrawing,
};
