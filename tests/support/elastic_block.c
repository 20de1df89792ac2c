#include "support/elastic_block.h"

#include <stdlib.h>

int32_t supTestBlockNode( const supTestBlock* block, int32_t x, int32_t y, int32_t z )
{
    return x + ( block->n[0] + 1 ) * ( y + ( block->n[1] + 1 ) * z );
}

supTestBlock supMakeTestBlock( int32_t x, int32_t y, int32_t z, double edge )
{
    supTestBlock block = { { x, y, z }, edge, ( x + 1 ) * ( y + 1 ) * ( z + 1 ), x * y * z, NULL, NULL, NULL };
    block.places = calloc( (size_t)block.nodeCount, sizeof( supVec3d ) );
    block.anchored = calloc( (size_t)block.nodeCount, 1 );
    block.corners = calloc( (size_t)block.elementCount * supHexCorners, sizeof( int32_t ) );
    for ( int32_t i = 0; i < block.nodeCount; ++i )
    {
        int32_t at[3] = { i % ( x + 1 ), i / ( x + 1 ) % ( y + 1 ), i / ( ( x + 1 ) * ( y + 1 ) ) };
        block.places[i] = ( supVec3d ){ edge * at[0], edge * at[1], edge * at[2] };
        block.anchored[i] = at[1] == 0;
    }
    for ( int32_t e = 0; e < block.elementCount; ++e )
    {
        int32_t at[3] = { e % x, e / x % y, e / ( x * y ) };
        for ( int32_t c = 0; c < supHexCorners; ++c )
        {
            block.corners[supHexCorners * e + c] =
                supTestBlockNode( &block, at[0] + ( c & 1 ), at[1] + ( c >> 1 & 1 ), at[2] + ( c >> 2 & 1 ) );
        }
    }
    return block;
}

void supDropTestBlock( supTestBlock* block )
{
    free( block->places );
    free( block->anchored );
    free( block->corners );
}

supElasticDef supTestBlockDef( const supTestBlock* block )
{
    return ( supElasticDef ){ .nodeCount = block->nodeCount,
        .places = block->places,
        .anchored = block->anchored,
        .elementCount = block->elementCount,
        .corners = block->corners,
        .material = { 1000.0, 200000.0, 0.0 },
        .density = 1000.0 };
}
