// Modes, compiled: which vertices, with which weights, and what of the driver's motion excites them.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/modes/modes.h"
#include "layers/names_in_rig.h"

#include <string.h>

/// The pattern at a point of the element's frame: 1 at the ends of the bone, and at `radius` from it.
static float supPatternAt( int32_t pattern, supVec3 local, float halfLength, float radius )
{
    float x = local.x / radius, y = supClampF( local.y / halfLength, -1.0f, 1.0f ), z = local.z / radius;
    switch ( pattern )
    {
        case sup_patternAlong:
            return y;
        case sup_patternSide:
            return x;
        case sup_patternFront:
            return z;
        case sup_patternOval:
            return x * x - z * z;
        default:
            return 1.0f;
    }
}

/// Into the element's frame, whose axes are of unit length.
static supVec3 supToFrame( supMat34 frame, supVec3 point )
{
    return supTransposeVector( frame, supSub( point, frame.t ) );
}

/// The largest distance from the bone: what patterns across it are measured by.
static float supElementRadius( const supElementView* element, const float* rest )
{
    float radius = 0.0f;
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        const float* p = rest + 3 * (size_t)element->vertices[i];
        supVec3 local = supToFrame( element->localFrame, supMakeVec3( p[0], p[1], p[2] ) );
        local.y = 0.0f;
        radius = supMaxF( radius, supLength( local ) );
    }
    return supMaxF( radius, 1e-12f );
}

static supResult supCompileMode( const supLayerContext* context, const supModeDef* def, int32_t index, supModes* modes,
    int32_t* at, supError* error )
{
    int32_t e = supFindElementNamed( context, def->element );
    if ( e < 0 )
    {
        char place[SUP_PLACE_TEXT];
        return supNoElement( context, supPlaceText( place, "modes[%d].element", index ), def->element, error );
    }
    const supElementView* element = context->elements + e;
    const float* rest = supCharacter_RestPositions( context->character );
    supMode* mode = modes->modes + index;
    mode->driver = element->driver;
    supInvertMat( supCharacter_RestJoints( context->character )[element->driver], &mode->driverFromRest );
    mode->motion = def->motion;
    mode->direction = supLengthSquared( def->direction ) > 0.0f
                          ? supNormalize( supTransformVector( element->localFrame, def->direction ) )
                          : supVec3_zero;
    mode->middle = supTransformPoint( mode->driverFromRest, element->localFrame.t );
    mode->thickness = element->thickness;
    mode->first = *at;
    mode->count = element->vertexCount;
    float radius = supElementRadius( element, rest ), halfLength = supMaxF( 0.5f * element->boneLength, 1e-12f );
    double sum = 0.0, squares = 0.0;
    supVec3d lever = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        const float* p = rest + 3 * (size_t)element->vertices[i];
        supVec3 place = supMakeVec3( p[0], p[1], p[2] );
        double pattern = supPatternAt( def->pattern, supToFrame( element->localFrame, place ), halfLength, radius );
        double weight = element->weights[i] * pattern;
        modes->vertices[*at] = element->vertices[i];
        modes->weights[*at] = (float)weight;
        ++*at;
        lever = supMulAddD( lever, weight, supToDouble( supTransformPoint( mode->driverFromRest, place ) ) );
        sum += weight;
        squares += weight * pattern;
    }
    double scale = squares > 0.0 ? 1.0 / squares : 0.0;
    mode->lever = supToFloat( supScaleD( lever, scale ) );
    mode->share = (float)( sum * scale );
    return sup_success;
}

static void supGatherTouched( supModes* modes, int32_t total, int32_t vertexCount, uint8_t* marks )
{
    for ( int32_t i = 0; i < total; ++i )
    {
        marks[modes->vertices[i]] = 1;
    }
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        if ( marks[v] != 0 )
        {
            modes->touched[modes->touchedCount++] = v;
        }
    }
}

/// Vertices of all modes together, and the bytes of their names; elements that are not there count as empty.
static void supCountModes(
    const supLayerContext* context, const void* const* items, int32_t count, size_t* vertices, size_t* nameBytes )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const supModeDef* def = items[i];
        int32_t e = supFindElementNamed( context, def->element );
        *vertices += e >= 0 ? (size_t)context->elements[e].vertexCount : 0;
        *nameBytes += strlen( def->name ) + 1;
    }
}

supResult supCompileModes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    size_t vertices = 0, nameBytes = 0;
    supCountModes( context, items, count, &vertices, &nameBytes );
    int32_t vertexCount = supCharacter_VertexCount( context->character );
    supLayout layout = supMakeLayout();
    size_t atModes = SUP_LAYOUT_ARRAY( &layout, supModes, 1 );
    size_t atItems = SUP_LAYOUT_ARRAY( &layout, supMode, (size_t)count );
    size_t atVertices = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atWeights = SUP_LAYOUT_ARRAY( &layout, float, vertices );
    size_t atTouched = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atNames = SUP_LAYOUT_ARRAY( &layout, char, nameBytes );
    char* block = supAllocLayout( context->allocator, &layout );
    uint8_t* marks = supAllocZeroed( context->allocator, (size_t)vertexCount + 1, 1, 1 );
    supResult result = block != NULL && marks != NULL
                           ? sup_success
                           : supFail( error, sup_errorMemory, "no memory for %d modes", count );
    if ( result == sup_success )
    {
        memset( block, 0, layout.size );
        supModes* modes = (supModes*)( block + atModes );
        *modes = ( supModes ){ .count = count,
            .modes = (supMode*)( block + atItems ),
            .vertices = (int32_t*)( block + atVertices ),
            .weights = (float*)( block + atWeights ),
            .touched = (int32_t*)( block + atTouched ),
            .blockSize = layout.size };
        char* names = block + atNames;
        int32_t at = 0;
        for ( int32_t i = 0; i < count && result == sup_success; ++i )
        {
            const supModeDef* def = items[i];
            size_t bytes = strlen( def->name ) + 1;
            memcpy( names, def->name, bytes );
            modes->modes[i].name = names;
            names += bytes;
            result = supCompileMode( context, def, i, modes, &at, error );
        }
        supGatherTouched( modes, at, vertexCount, marks );
        *out = modes;
    }
    supFree( context->allocator, marks, (size_t)vertexCount + 1 );
    if ( result != sup_success )
    {
        supFree( context->allocator, block, layout.size );
        *out = NULL;
    }
    return result;
}
