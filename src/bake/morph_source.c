// The takes' flesh as something that moves skin.
// SPDX-License-Identifier: MIT

#include "bake/morph_data.h"
#include "bake/take_data.h"
#include "body/body_data.h"

#include <string.h>

/// Element by element: both its vertices and those of the source rise.
static void supFleshMoves( int32_t take, double time, const supMat34* joints, supVec3* moves, void* user )
{
    (void)joints;
    const supMorphBakeDef* def = user;
    const supFlesh* flesh = def->model->flesh;
    memset( moves, 0, sizeof( supVec3 ) * (size_t)flesh->touchedCount );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supVec3 u = supToFloat( supTakeElement( def->takes[take], e, time, NULL ) );
        int32_t row = 0;
        for ( int32_t i = element->first; i < element->first + element->count; ++i )
        {
            while ( row < flesh->touchedCount && flesh->touched[row] < flesh->vertices[i] )
            {
                ++row;
            }
            if ( row < flesh->touchedCount && flesh->touched[row] == flesh->vertices[i] )
            {
                moves[row] = supMulAdd( moves[row], flesh->weights[i], u );
            }
        }
    }
}

/// Through a body, which turns the normals of the smooth skin. Leaves zeros where there is no memory or no normal.
static void supFleshNormals( int32_t take, double time, const supMat34* joints, supVec3* normals, void* user )
{
    const supMorphBakeDef* def = user;
    const supFlesh* flesh = def->model->flesh;
    size_t vertices = (size_t)supCharacter_VertexCount( def->model->character );
    size_t elements = (size_t)flesh->elementCount;
    supLayout layout = supMakeLayout();
    size_t atPositions = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atNormals = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atShown = SUP_LAYOUT_ARRAY( &layout, supVec3, elements + 1 );
    size_t atBody = supLayoutAdd( &layout, supBody_MemorySize( def->model ), SUP_MAX_ALIGNMENT );
    char* block = supAllocLayout( def->allocator, &layout );
    memset( normals, 0, sizeof( supVec3 ) * (size_t)flesh->touchedCount );
    supBody* body = NULL;
    if ( block == NULL || supInitBody( block + atBody, layout.size - atBody, def->model, &body, NULL ) != sup_success )
    {
        supFree( def->allocator, block, layout.size );
        return;
    }
    supBody_SetExact( body, true );
    supVec3* shown = (supVec3*)( block + atShown );
    supVec3* all = (supVec3*)( block + atNormals );
    supBody_SetExact( body, true ); // the same bits everywhere
    supTake_Elongations( def->takes[take], time, shown );
    supBody_Show( body, joints, shown );
    supBody_Skin( body, (float*)( block + atPositions ), (float*)all );
    for ( int32_t i = 0; i < flesh->touchedCount; ++i )
    {
        normals[i] = all[flesh->touched[i]];
    }
    supFree( def->allocator, block, layout.size );
}

supMorphSource supFleshMorphSource( const supMorphBakeDef* def )
{
    const supFlesh* flesh = def->model->flesh;
    return ( supMorphSource ){ flesh->touchedCount, flesh->touched, supFleshMoves, supFleshNormals, (void*)def };
}
