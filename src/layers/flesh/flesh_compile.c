// The flesh layer compiled: names to indices, weights, masses, springs.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "base/memory.h"
#include "character/character_data.h"
#include "flesh.h"
#include "layers/flesh/flesh_weights.h"

#include <string.h>

/// A weight below this moves nothing that anybody could see, and is dropped.
static const float supLeastWeight = 1e-6f;

/// What is needed while compiling. Arrays of one value a vertex and, where the name says so, an element.
typedef struct supFleshWork
{
    const supCharacter* character;
    const supElementDef* const* defs;
    int32_t elementCount, vertexCount;
    supFleshElement* elements;
    uint8_t* members;     ///< a joint
    float* factors;       ///< an element and a vertex: membership, later weights
    float* reach;         ///< an element and a vertex
    supVec3* gradients;   ///< an element and a vertex
    float* areas;         ///< a vertex: of the triangles around it, twice
    int32_t* touchCounts; ///< a vertex
    supRigidSkin rigid;
} supFleshWork;

static float* supRow( float* table, const supFleshWork* work, int32_t element )
{
    return table + (size_t)element * (size_t)work->vertexCount;
}

static supVec3 supRestPosition( const supCharacter* character, int32_t vertex )
{
    const float* p = supCharacter_Info( character )->restPositions + 3 * (size_t)vertex;
    return ( supVec3 ){ p[0], p[1], p[2] };
}

/// Rigid pieces are looked for where some element leaves them out.
static supResult supFindPieces( supFleshWork* work, const supAllocator* allocator, supError* error )
{
    bool asked = false, near = false;
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        asked = asked || work->defs[e]->skipRigid;
        near = near || ( work->defs[e]->skipRigid && work->defs[e]->rigidMargin > 0.0f );
    }
    return !asked || supFindRigidSkin( work->character, allocator, near, &work->rigid )
               ? sup_success
               : supFail(
                     error, sup_errorMemory, "no memory to look for rigid pieces on %d vertices", work->vertexCount );
}

static void supDropPieces( const supFleshWork* work, float* factors )
{
    for ( int32_t v = 0; v < work->vertexCount; ++v )
    {
        factors[v] = work->rigid.pieces[v] >= 0 ? 0.0f : factors[v];
    }
}

/// Names, bones and memberships of all elements.
static supResult supFindMembers( supFleshWork* work, supError* error )
{
    int32_t jointCount = supCharacter_Info( work->character )->jointCount;
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        memset( work->members, 0, (size_t)jointCount );
        supResult result = supFindBone( work->character, work->defs[e], e, work->elements + e, work->members, error );
        result = result == sup_success ? supCheckSkipped( work->character, work->defs[e], e, error ) : result;
        if ( result == sup_success )
        {
            result = supMakeFactors( work->character, work->defs[e], e, work->elements + e, work->members,
                supRow( work->factors, work, e ), error );
        }
        if ( result != sup_success )
        {
            return result;
        }
        if ( work->defs[e]->skipRigid )
        {
            supDropPieces( work, supRow( work->factors, work, e ) );
        }
    }
    supShareFactors( work->factors, work->elementCount, work->vertexCount );
    return sup_success;
}

/// Turns membership into alpha2, and measures the element.
static supResult supWeighElement( supFleshWork* work, int32_t e, supError* error )
{
    const supElementDef* def = work->defs[e];
    supFleshElement* element = work->elements + e;
    float* weights = supRow( work->factors, work, e );
    float* reach = supRow( work->reach, work, e );
    float size = supCharacter_Info( work->character )->size;

    element->volume = supFleshVolume( work->character, element, weights, supMaxF( def->boneThickness, 0.0f ) * size );
    float largest = 0.0f;
    int32_t members = 0;
    for ( int32_t v = 0; v < work->vertexCount; ++v )
    {
        if ( weights[v] > 0.0f )
        {
            reach[v] = supReach( def, element, size, supRestPosition( work->character, v ) );
            float margin = def->skipRigid ? def->rigidMargin * reach[v] : 0.0f;
            weights[v] *= reach[v] * supHeldByRigid( &work->rigid, supRestPosition( work->character, v ), margin );
            largest = supMaxF( largest, weights[v] );
            ++members;
        }
    }
    if ( members == 0 )
    {
        return supFail( error, sup_errorData,
            "elements[%d] (\"%s\"): no vertex belongs to it: none is skinned to its joints, or paint, side, spheres and skipRigid leave nothing",
            e, element->name );
    }
    if ( !( largest > 1e-7f * size ) )
    {
        return supFail( error, sup_errorData,
            "elements[%d] (\"%s\"): none of its %d vertices lies beside the bone and outside `boneThickness`: there is no flesh to move",
            e, element->name, members );
    }

    element->thickness = largest;
    element->count = 0;
    for ( int32_t v = 0; v < work->vertexCount; ++v )
    {
        weights[v] = weights[v] / largest;
        weights[v] = weights[v] < supLeastWeight ? 0.0f : weights[v];
        element->count += weights[v] > 0.0f;
        work->touchCounts[v] += weights[v] > 0.0f;
    }
    element->largestEdgeJump = supLargestEdgeJump( work->character, weights );
    supWeightGradients(
        work->character, weights, work->areas, work->gradients + (size_t)e * (size_t)work->vertexCount );
    return sup_success;
}

/// Frequency, damping and sag, from artists' numbers or from physical ones.
static supResult supTuneElement( const supElementDef* def, int32_t e, supFleshElement* element, supError* error )
{
    bool given = def->mass == def->mass;
    element->mass = given ? def->mass : def->density * element->volume;
    if ( !( element->mass > 0.0f ) )
    {
        // an open or flat patch of skin has no volume; frequency and sag need none, and impulses need some mass
        element->mass = def->density * 1e-3f * element->thickness * element->thickness * element->thickness;
    }
    double omega = 2.0 * SUP_PI * def->frequency;
    element->sag = def->sag;
    if ( def->stiffness == def->stiffness )
    {
        omega = supSqrt( (double)def->stiffness / element->mass );
        element->sag = supSagOfGravity( omega, element->thickness );
    }
    double ratio = def->damping == def->damping ? def->damping / ( 2.0 * element->mass * omega ) : def->dampingRatio;
    if ( !supIsFinite( omega ) || !( omega > 0.0 ) || !supIsFinite( ratio ) )
    {
        return supFail( error, sup_errorData,
            "elements[%d] (\"%s\"): mass %g kg and stiffness %g N/m give no frequency", e, element->name,
            (double)element->mass, (double)def->stiffness );
    }
    element->spring = ( supSpring ){ (float)omega, (float)ratio, def->airFriction, def->amount };
    element->gravity = def->gravity;
    element->gravityScale = def->gravityScale;
    element->limit = def->limit;
    element->limitScale = def->limitScale;
    supFillElementLive( element );
    return sup_success;
}

/// One block for the result, sized by what was found.
static supFlesh* supAllocFlesh( const supFleshWork* work, const supAllocator* allocator )
{
    size_t touches = 0, touched = 0, letters = 0;
    for ( int32_t v = 0; v < work->vertexCount; ++v )
    {
        touches += (size_t)work->touchCounts[v];
        touched += work->touchCounts[v] > 0;
    }
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        letters += strlen( work->elements[e].name ) + 1;
    }
    supLayout layout = supMakeLayout();
    int32_t blocks = supFleshBlockCount( work->elementCount );
    supFlesh made = { .elementCount = work->elementCount,
        .blockCount = blocks,
        .skin = { .touchCount = (int32_t)touches,
            .touchedCount = (int32_t)touched,
            .elementCount = work->elementCount },
        .vertexCount = work->vertexCount,
        .size = supCharacter_Info( work->character )->size };
    SUP_PUT_NEW( &layout, supFlesh, flesh, 1 );
    SUP_PUT( &layout, made.elements, work->elementCount );
    SUP_PUT_WIDE( &layout, made.restRows, (size_t)blocks * sup_restRowCount * SUP_FLESH_LANES );
    SUP_PUT_ROWS( &layout, made.drivers, blocks, SUP_FLESH_LANES );
    SUP_PUT( &layout, made.vertices, touches );
    SUP_PUT( &layout, made.weights, touches );
    SUP_PUT( &layout, made.reach, touches );
    SUP_PUT( &layout, made.skin.touched, touched );
    SUP_PUT( &layout, made.skin.firsts, touched + 1 );
    SUP_PUT( &layout, made.skin.touches, touches );
    SUP_PUT( &layout, made.skin.elements, work->elementCount );
    SUP_PUT( &layout, made.skin.bones, work->elementCount );
    SUP_PUT_NEW( &layout, char, names, letters );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return NULL;
    }
    made.blockSize = layout.size;
    *flesh = made;
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        flesh->elements[e] = work->elements[e];
        size_t length = strlen( work->elements[e].name ) + 1;
        flesh->elements[e].name = memcpy( names, work->elements[e].name, length );
        names += length;
    }
    return flesh;
}

/// What kernels read of the elements; lanes beyond the last one are zero.
static void supFillRest( supFlesh* flesh )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supSetRowVec3( flesh->restRows, sup_restRowCount, sup_restAnchor, e, element->anchor );
        supSetRowVec3( flesh->restRows, sup_restRowCount, sup_restX, e, element->driverFromRest.x );
        supSetRowVec3( flesh->restRows, sup_restRowCount, sup_restY, e, element->driverFromRest.y );
        flesh->restRows[supRowPlace( sup_restRowCount, sup_restIsThere, e )] = 1.0f;
        flesh->drivers[e] = 12 * element->driver;
    }
}

/// What the rest of the library sees of an element.
static supElementView supViewElement( const supFlesh* flesh, const supFleshElement* e )
{
    return ( supElementView ){ .name = e->name,
        .driver = e->driver,
        .localFrame = e->localFrame,
        .boneLength = e->boneLength,
        .volume = e->volume,
        .mass = e->mass,
        .thickness = e->thickness,
        .frequency = (float)( e->spring.omega / ( 2.0 * SUP_PI ) ),
        .dampingRatio = e->spring.dampingRatio,
        .amount = e->spring.amount,
        .sag = e->sag,
        .largestEdgeJump = e->largestEdgeJump,
        .vertexCount = e->count,
        .vertices = flesh->vertices + e->first,
        .weights = flesh->weights + e->first,
        .reach = flesh->reach + e->first };
}

static void supFillFlesh( supFleshWork* work, supFlesh* flesh )
{
    int32_t at = 0;
    supFillRest( flesh );
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        const float* weights = supRow( work->factors, work, e );
        const float* reach = supRow( work->reach, work, e );
        flesh->elements[e].first = at;
        for ( int32_t v = 0; v < work->vertexCount; ++v )
        {
            if ( weights[v] > 0.0f )
            {
                flesh->vertices[at] = v;
                flesh->weights[at] = weights[v];
                flesh->reach[at] = reach[v];
                ++at;
            }
        }
    }

    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        flesh->skin.elements[e] = supViewElement( flesh, element );
        flesh->skin.bones[e] = ( supOffsetBone ){ element->boneFrom, element->boneTo, element->driverFromRest };
    }

    int32_t touch = 0, row = 0;
    for ( int32_t v = 0; v < work->vertexCount; ++v )
    {
        if ( work->touchCounts[v] == 0 )
        {
            continue;
        }
        flesh->skin.touched[row] = v;
        flesh->skin.firsts[row++] = touch;
        for ( int32_t e = 0; e < work->elementCount; ++e )
        {
            size_t cell = (size_t)e * (size_t)work->vertexCount + (size_t)v;
            if ( work->factors[cell] > 0.0f )
            {
                flesh->skin.touches[touch++] = ( supOffsetTouch ){ e, work->factors[cell], work->gradients[cell] };
            }
        }
    }
    flesh->skin.firsts[row] = touch;
}

/// Each element is weighed at each vertex while they share the skin out: 20 bytes and some 70 ns a cell.
#define SUP_MOST_CELLS 134217728

static supResult supCompileElements( supFleshWork* work, supError* error )
{
    supResult result = supFindMembers( work, error );
    supAreasAround( work->character, work->areas );
    for ( int32_t e = 0; e < work->elementCount && result == sup_success; ++e )
    {
        result = supWeighElement( work, e, error );
        if ( result == sup_success )
        {
            result = supTuneElement( work->defs[e], e, work->elements + e, error );
        }
    }
    return result;
}

supResult supCompileFlesh(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    const supCharacter* character = context->character;
    const supAllocator* allocator = context->allocator;
    const supElementDef* const* defs = (const supElementDef* const*)items;
    *out = NULL;
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount;
    size_t cells = 0;
    supLayout layout = supMakeLayout();
    if ( !supMulSize( vertices, (size_t)count, &cells ) || cells > SUP_MOST_CELLS )
    {
        return supFail( error, sup_errorLimit,
            "%d flesh elements on %zu vertices: elements times vertices may be %d at most; use fewer elements", count,
            vertices, SUP_MOST_CELLS );
    }
    supFleshWork work = {
        .character = character, .defs = defs, .elementCount = count, .vertexCount = (int32_t)vertices
    };
    SUP_PUT( &layout, work.elements, count );
    SUP_PUT( &layout, work.members, supCharacter_Info( character )->jointCount );
    SUP_PUT( &layout, work.factors, cells );
    SUP_PUT( &layout, work.reach, cells );
    SUP_PUT( &layout, work.gradients, cells );
    SUP_PUT( &layout, work.areas, vertices );
    SUP_PUT( &layout, work.touchCounts, vertices );
    SUP_PUT( &layout, work.rigid.pieces, vertices );
    layout.size = layout.size > 0 ? layout.size : 1;
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d flesh elements on %zu vertices", count, vertices );
    }
    for ( int32_t e = 0; e < count; ++e )
    {
        work.elements[e].name = defs[e]->name != NULL ? defs[e]->name : defs[e]->driver != NULL ? defs[e]->driver : "";
    }

    supResult result = supFindPieces( &work, allocator, error );
    result = result == sup_success ? supCompileElements( &work, error ) : result;
    supFlesh* flesh = result == sup_success ? supAllocFlesh( &work, allocator ) : NULL;
    if ( flesh != NULL )
    {
        supFillFlesh( &work, flesh );
    }
    else if ( result == sup_success )
    {
        result = supFail( error, sup_errorMemory, "no memory for the weights of %d flesh elements", count );
    }
    supFreeRigidSkin( &work.rigid, allocator );
    supFree( allocator, block, layout.size );
    *out = flesh;
    return result;
}

void supDestroyFlesh( void* compiled, const supAllocator* allocator )
{
    supFree( allocator, compiled, ( (supFlesh*)compiled )->blockSize );
}
