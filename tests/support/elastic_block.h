// A block of voxels, clamped at its lowest layer of nodes, for tests of elastic solids.
#pragma once

#include "solve/elastic.h"

typedef struct supTestBlock
{
    int32_t n[3]; ///< voxels each way
    double edge;  ///< metres
    int32_t nodeCount, elementCount;
    supVec3d* places;
    uint8_t* anchored;
    int32_t* corners;
} supTestBlock;

supTestBlock supMakeTestBlock( int32_t x, int32_t y, int32_t z, double edge );
void supDropTestBlock( supTestBlock* block );
/// Density 1000, mu 1 kPa, lambda 200 mu.
supElasticDef supTestBlockDef( const supTestBlock* block );
int32_t supTestBlockNode( const supTestBlock* block, int32_t x, int32_t y, int32_t z );
