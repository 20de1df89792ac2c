// What anchored nodes of fat stand on.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_nodes.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

int32_t supReadFootRays( const supFatRegion* region, const supFatNode* node, supFootRay rays[supFootRays] )
{
    const supInnerBorder* border = region->border;
    const supFootPoint* foot = &node->anchor;
    int32_t count = 0;
    for ( int c = 0; c < supFootRays && foot->triangle >= 0; ++c )
    {
        int32_t ray = region->inner.corners[supFootRays * (size_t)foot->triangle + (size_t)c];
        if ( ray >= border->rayCount )
        {
            break; // of the bones' shape, or of a mesh
        }
        float moves = foot->shares[c] * region->members[border->vertices[ray]];
        rays[count++] = ( supFootRay ){ ray, supScale( border->way[ray], moves ) };
    }
    return count;
}

bool supKeepFatGround( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supFatRegion* region,
    const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    fat->ground = NULL;
    SUP_PUT( &layout, fat->ground, 1 );
    SUP_PUT_NEW( &layout, supFootRay, rays, supFootRays * (size_t)elastic->anchorCount );
    SUP_PUT_NEW( &layout, float, rest, fat->rayCount );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return false;
    }
    *fat->ground = ( supFatGround ){ elastic->anchorCount, rays, rest, layout.size };
    for ( int32_t a = 0; a < elastic->anchorCount; ++a )
    {
        supReadFootRays( region, mesh->nodes + elastic->anchors[a], fat->ground->rays + supFootRays * (size_t)a );
    }
    memcpy( fat->ground->rest, region->border->rest, sizeof( float ) * (size_t)fat->rayCount );
    return true;
}

void supFatGround_Moves( const supFatGround* ground, const float* shares, double* held )
{
    memset( held, 0, sizeof( double ) * 3 * (size_t)ground->anchorCount );
    for ( size_t i = 0; i < supFootRays * (size_t)ground->anchorCount; ++i )
    {
        const supFootRay* foot = ground->rays + i;
        double change = (double)shares[foot->ray] - ground->rest[foot->ray], *own = held + 3 * ( i / supFootRays );
        own[0] += change * foot->way.x;
        own[1] += change * foot->way.y;
        own[2] += change * foot->way.z;
    }
}
