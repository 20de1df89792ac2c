// Twins by the skeleton and by names, whatever the pose.
// SPDX-License-Identifier: MIT
//
// A mirror image is lost where a body was bound in a pose, or where it lacks an arm. But two joints that hang on the
// same one, or on twins, at the same distance and with as much skin, are twins wherever they lie; and so are those
// whose names differ by left and right alone. This says which parts belong together, not which plane lies between them.

#include "auto/body_graph.h"

#include "auto/body_plan.h"
#include "auto/joint_words.h"
#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// Skin and bones of twins by the skeleton differ by less than these.
static const float supAlikeSkin = 1.3f, supAlikeBone = 0.05f;
/// Shorter bones say nothing, nor do joints that lie in one place. Share of the size
static const float supLeastBone = 0.02f;
/// Of so many parts on one joint none are twins by the skeleton alone: fingers are all alike.
static const int32_t supFan = 5;
/// Twins by their names have at most this many times the other's skin.
static const float supNamedSkin = 4.0f;

typedef struct supKin
{
    int32_t above;      ///< the part that the joint hangs on, or -1
    int32_t parent;     ///< the joint that it hangs on, or -1
    int32_t depth;      ///< joints above
    int32_t siblings;   ///< parts on the same joint, with this one
    float length;       ///< from there
    float skin;         ///< of the part and of all below
    supNameWords words; ///< its name without its side
    char figures[8];    ///< those in its name
} supKin;

static void supReadKin( const supBodyGraph* graph, const supPlan* plan, int32_t index, supKin* kin )
{
    const supCharacter* character = graph->character;
    int32_t joint = graph->parts[index].joint;
    const char* name = supCharacter_Joint( character, joint )->name;
    *kin = ( supKin ){ .above = -1, .parent = supCharacter_Joint( character, joint )->parent };
    if ( kin->parent >= 0 )
    {
        kin->above = graph->partOf[kin->parent];
        kin->length = supDistance( supPlan_Joint( plan, kin->parent ), supPlan_Joint( plan, joint ) );
    }
    for ( int32_t up = kin->parent; up >= 0; up = supCharacter_Joint( character, up )->parent )
    {
        kin->depth += 1;
    }
    kin->words = supReadName( name );
    size_t figures = 0;
    for ( const char* c = name; *c != '\0' && figures + 1 < sizeof( kin->figures ); ++c )
    {
        if ( *c >= '0' && *c <= '9' )
        {
            kin->figures[figures++] = *c;
        }
    }
}

static bool supAreSkeletonTwins(
    const supBodyGraph* graph, const supPlan* plan, const supKin* kin, const int32_t* twins, int32_t a, int32_t b )
{
    const supKin *x = kin + a, *y = kin + b;
    bool same = x->parent >= 0 && x->parent == y->parent && x->siblings < supFan;
    bool cousins = x->above >= 0 && y->above >= 0 && x->above != y->above && twins[x->above] == y->above;
    float longer = supMaxF( x->length, y->length ), least = supLeastBone * graph->size;
    float apart =
        supDistance( supPlan_Joint( plan, graph->parts[a].joint ), supPlan_Joint( plan, graph->parts[b].joint ) );
    bool skin = x->skin < supAlikeSkin * y->skin && y->skin < supAlikeSkin * x->skin;
    return ( same || cousins ) && longer > least && apart > least && skin &&
           supAbsF( x->length - y->length ) < supAlikeBone * longer;
}

static bool supAreNamedTwins( const supKin* x, const supKin* y )
{
    return x->words.side >= 0 && y->words.side == 1 - x->words.side && x->depth == y->depth &&
           x->skin < supNamedSkin * y->skin && y->skin < supNamedSkin * x->skin &&
           strcmp( x->words.letters, y->words.letters ) == 0 && strcmp( x->figures, y->figures ) == 0;
}

/// The only part that may be another's twin, or -1: of several none can be told from the others.
static int32_t supOnlyTwin(
    const supBodyGraph* graph, const supPlan* plan, const supKin* kin, const int32_t* twins, int32_t part, bool byName )
{
    int32_t found = -1;
    for ( int32_t b = 0; b < graph->partCount; ++b )
    {
        bool are = b != part && twins[b] < 0 &&
                   ( byName ? supAreNamedTwins( kin + part, kin + b )
                            : supAreSkeletonTwins( graph, plan, kin, twins, part, b ) );
        if ( are && found >= 0 )
        {
            return -1;
        }
        found = are ? b : found;
    }
    return found;
}

bool supFindKin( const supBodyGraph* graph, const supPlan* plan, const supAllocator* allocator, int32_t* twins )
{
    size_t count = (size_t)graph->partCount + 1;
    supKin* kin = supAllocZeroed( allocator, count, sizeof( supKin ), _Alignof( supKin ) );
    if ( kin == NULL )
    {
        return false;
    }
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supReadKin( graph, plan, p, kin + p );
        kin[p].skin = graph->parts[p].area;
        twins[p] = -1;
    }
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        for ( int32_t b = 0; b < graph->partCount; ++b )
        {
            kin[p].siblings += kin[b].parent == kin[p].parent;
        }
    }
    for ( int32_t p = graph->partCount - 1; p >= 0; --p ) // parts stand below those that they hang on
    {
        if ( kin[p].above >= 0 && kin[p].above < p )
        {
            kin[kin[p].above].skin += kin[p].skin;
        }
    }
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        for ( int byName = 0; byName < 2 && twins[p] < 0; ++byName )
        {
            int32_t other = supOnlyTwin( graph, plan, kin, twins, p, byName == 1 );
            if ( other >= 0 && supOnlyTwin( graph, plan, kin, twins, other, byName == 1 ) == p )
            {
                twins[p] = other;
                twins[other] = p;
            }
        }
    }
    supFree( allocator, kin, count * sizeof( supKin ) );
    return true;
}
