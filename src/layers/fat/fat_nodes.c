// What carries the nodes of fat.
// SPDX-License-Identifier: MIT
#include "layers/fat/fat_nodes.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_modes.h"

#include <string.h>

enum
{
    supMostSpreads = 400,
    supSmoothings = 2, ///< of weights over the nodes, so that neighbours whose nearest points are far apart agree
};

/// Rows of numbers, one a node: weights of the joints, then the thickness.
typedef struct supNodeRows
{
    size_t width;
    float *own, *sums;
    float* counts; ///< of each node: neighbours that were summed
    bool* known;
} supNodeRows;

static void supReadFoot( const supFatRegion* region, const supFootPoint* foot, float* row )
{
    size_t joints = (size_t)region->jointCount;
    for ( int k = 0; k < 3; ++k )
    {
        int32_t vertex = region->outer.corners[3 * (size_t)foot->triangle + (size_t)k];
        const float* weights = region->weights + (size_t)vertex * supMostFatJoints;
        for ( size_t j = 0; j < joints; ++j )
        {
            row[j] += foot->shares[k] * weights[j];
        }
        row[joints] += foot->shares[k] * region->thicknesses[vertex];
    }
}

/// Every node tells those of its voxels. Unknown ones take the mean; with `all` known ones go half way too. Gives how
/// many became known.
static int32_t supSpreadRows( const supFatMesh* mesh, supNodeRows* rows, bool all )
{
    size_t count = (size_t)mesh->nodeCount;
    int32_t learned = 0;
    memset( rows->sums, 0, sizeof( float ) * rows->width * count );
    memset( rows->counts, 0, sizeof( float ) * count );
    for ( int32_t i = 0; i < 64 * mesh->elementCount; ++i )
    {
        const int32_t* corners = mesh->corners + 8 * (size_t)( i / 64 );
        size_t to = (size_t)corners[i % 8], from = (size_t)corners[i / 8 % 8];
        if ( to != from && rows->known[from] && ( all || !rows->known[to] ) )
        {
            for ( size_t k = 0; k < rows->width; ++k )
            {
                rows->sums[to * rows->width + k] += rows->own[from * rows->width + k];
            }
            rows->counts[to] += 1.0f;
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        float share = rows->counts[i] > 0.0f ? ( rows->known[i] ? 0.5f : 1.0f ) : 0.0f;
        for ( size_t k = 0; k < rows->width && share > 0.0f; ++k )
        {
            float* own = rows->own + i * rows->width + k;
            *own += share * ( rows->sums[i * rows->width + k] / rows->counts[i] - *own );
        }
        learned += share > 0.0f && !rows->known[i];
        rows->known[i] = rows->known[i] || share > 0.0f;
    }
    return learned;
}

/// The four largest weights, summing to one.
static supFatHold supKeepHold( const float* row, size_t joints )
{
    supFatHold hold = { .room = row[joints] };
    for ( size_t j = 0; j < joints; ++j )
    {
        int at = supFatHolds;
        while ( at > 0 && row[j] > hold.weights[at - 1] )
        {
            --at;
        }
        for ( int k = supFatHolds - 1; k > at; --k )
        {
            hold.joints[k] = hold.joints[k - 1];
            hold.weights[k] = hold.weights[k - 1];
        }
        if ( at < supFatHolds )
        {
            hold.joints[at] = (int32_t)j;
            hold.weights[at] = row[j];
        }
    }
    float sum = 0.0f;
    for ( int k = 0; k < supFatHolds; ++k )
    {
        sum += hold.weights[k];
    }
    for ( int k = 0; k < supFatHolds; ++k )
    {
        hold.weights[k] = sum > 0.0f ? hold.weights[k] / sum : k == 0 ? 1.0f : 0.0f;
    }
    return hold;
}

static void supFillHolds( const supFatRegion* region, const supFatMesh* mesh, supNodeRows* rows, supFatHold* holds )
{
    for ( int32_t i = 0; i < mesh->nodeCount; ++i )
    {
        rows->known[i] = mesh->nodes[i].skin.triangle >= 0;
        if ( rows->known[i] )
        {
            supReadFoot( region, &mesh->nodes[i].skin, rows->own + (size_t)i * rows->width );
        }
    }
    for ( int32_t i = 0; i < supMostSpreads && supSpreadRows( mesh, rows, false ) > 0; ++i )
    {
    }
    for ( int32_t i = 0; i < supSmoothings; ++i )
    {
        supSpreadRows( mesh, rows, true );
    }
    for ( int32_t i = 0; i < mesh->nodeCount; ++i )
    {
        holds[i] = supKeepHold( rows->own + (size_t)i * rows->width, (size_t)region->jointCount );
    }
}

/// The direction of the nearest of the given lines, for each element. Lines end where a point repeats.
static void supFindFibers( const supFatRegion* region, const supFatMesh* mesh, const supFatDef* def, supVec3d* fibers )
{
    float size = supCharacter_Info( region->character )->size;
    for ( int32_t e = 0; e < mesh->elementCount; ++e )
    {
        const int32_t* corners = mesh->corners + 8 * (size_t)e;
        supVec3 middle = supLerp( mesh->nodes[corners[0]].place, mesh->nodes[corners[7]].place, 0.5f );
        float nearest = 1e30f;
        bool gap = false; // a point that repeats ends a line: the way on from it is none
        for ( int32_t i = 0; i + 1 < def->lines.count; ++i )
        {
            supVec3 a = supScale( def->lines.points[i], size ), b = supScale( def->lines.points[i + 1], size );
            supFootPoint foot = supClosestOnTriangle( middle, a, b, b );
            supVec3 along = supSub( b, a );
            bool repeats = supLengthSquared( along ) == 0.0f;
            if ( !repeats && !gap && foot.distance < nearest )
            {
                nearest = foot.distance;
                fibers[e] = supNormalizeD( supToDouble( along ) );
            }
            gap = repeats;
        }
    }
}

bool supReadFatNodes( const supFatRegion* region, const supFatMesh* mesh, const supFatDef* def, supFatNodes* nodes )
{
    size_t count = (size_t)mesh->nodeCount, width = (size_t)region->jointCount + 1;
    bool lines = def->lines.count > 1 && def->lineStiffness > 0.0f;
    supNodeRows rows = { .width = width };
    *nodes = ( supFatNodes ){ 0 };
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, nodes->holds, count );
    SUP_PUT( &layout, nodes->places, count );
    SUP_PUT( &layout, nodes->anchored, count );
    SUP_PUT_NEW( &layout, supVec3d, fibers, lines ? mesh->elementCount : 0 );
    supLayout work = supMakeLayout();
    SUP_PUT( &work, rows.own, width * count );
    SUP_PUT( &work, rows.sums, width * count );
    SUP_PUT( &work, rows.counts, count );
    SUP_PUT( &work, rows.known, count );
    nodes->block = supAllocLayout( region->allocator, &layout );
    nodes->size = layout.size;
    char* scratch = supAllocLayout( region->allocator, &work );
    bool done = nodes->block != NULL && scratch != NULL;
    if ( done )
    {
        nodes->fibers = lines ? fibers : NULL;
        supFillHolds( region, mesh, &rows, nodes->holds );
        for ( size_t i = 0; i < count; ++i )
        {
            nodes->places[i] = supToDouble( mesh->nodes[i].place );
            nodes->anchored[i] = mesh->nodes[i].anchored;
        }
        if ( lines )
        {
            supFindFibers( region, mesh, def, nodes->fibers );
        }
    }
    supFree( region->allocator, scratch, work.size );
    return done;
}

void supDropFatNodes( supFatNodes* nodes, const supAllocator* allocator )
{
    supFree( allocator, nodes->block, nodes->size );
    nodes->block = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The shape that gravity takes into the modelled one.
//
// What a modeller has sculpted hangs already. The shape X0 without gravity is looked for with X0 + u( X0 ) = X, X the
// modelled skin and u the sag of the solid inside X0: X0 <- X0 - ( X0 + u( X0 ) - X ), the solid cut anew each time.
// The inner border stays. The first of these steps is what taking u( X ) off the modelled shape would give.

/// Displacements of the free nodes under gravity, in `force`, three each.
static void supSolveSag( const supElastic* elastic, const supBlockFactor* factor, supVec3 gravity, double* force )
{
    const double pull[3] = { gravity.x, gravity.y, gravity.z };
    size_t size = 3 * (size_t)elastic->freeCount;
    for ( size_t i = 0; i < size; ++i )
    {
        force[i] = pull[i % 3] * elastic->masses[i / 3];
    }
    supBlockFactor_SolveOne( factor, force, force + size );
}

/// The sag of one vertex, by its links.
static supVec3 supSagAt( const supFatSkin* skin, int32_t row, const double* moved )
{
    const int32_t *starts = skin->starts.data, *links = skin->links.data;
    const float* shares = skin->shares.data;
    supVec3 sum = supVec3_zero;
    for ( int32_t k = starts[row]; k < starts[row + 1]; ++k )
    {
        const double* u = moved + 3 * (size_t)links[k];
        sum = supMulAdd( sum, shares[k], supMakeVec3( (float)u[0], (float)u[1], (float)u[2] ) );
    }
    return sum;
}

/// What a vertex of the region, sagged by u, has missed the modelled one by.
static supVec3 supMissed( const supFatRegion* region, const supFatSkin* skin, int32_t row, supVec3 u )
{
    int32_t v = ( (const int32_t*)skin->vertices.data )[row];
    const float* p = supCharacter_Info( region->character )->restPositions + 3 * (size_t)v;
    return supSub( supAdd( region->outer.points[v], u ), supMakeVec3( p[0], p[1], p[2] ) );
}

bool supSagRegion( supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic,
    const supBlockFactor* factor, supVec3 gravity, float sag, float tolerance, supFatSag* out )
{
    size_t size = 3 * (size_t)elastic->freeCount;
    size_t room = sizeof( double ) * ( supBlockFactor_ScratchCount( factor ) + ( SUP_FACTOR_COLUMNS + 2 ) * size + 8 );
    double* moved = supAlloc( region->allocator, room, SUP_MAX_ALIGNMENT );
    supFatSkin skin = { 0 };
    bool done = moved != NULL && supHangSkin( region, mesh, elastic, &skin );
    *out = ( supFatSag ){ 0 };
    float unit = 0.0f;
    if ( done )
    {
        unit = supUnitSag( elastic, factor, moved, moved + size );
        supSolveSag( elastic, factor, gravity, moved );
    }
    // as supGravityGain has it
    float gain = sag >= 0.0f && unit > 0.0f ? sag * region->thickest / ( unit * SUP_FAT_GRAVITY ) : 1.0f;
    for ( int32_t row = 0; done && row < (int32_t)skin.vertices.count; ++row )
    {
        supVec3 u = supScale( supSagAt( &skin, row, moved ), gain );
        out->largest = supMaxF( out->largest, supLength( u ) );
        out->off = supMaxF( out->off, supLength( supMissed( region, &skin, row, u ) ) );
    }
    bool corrects = out->off > tolerance * out->largest;
    for ( int32_t row = 0; done && corrects && row < (int32_t)skin.vertices.count; ++row )
    {
        supVec3* p = region->outer.points + ( (const int32_t*)skin.vertices.data )[row];
        supVec3 u = supScale( supSagAt( &skin, row, moved ), gain );
        *p = supSub( *p, supMissed( region, &skin, row, u ) );
        region->low = supMinVec3( region->low, *p );
        region->high = supMaxVec3( region->high, *p );
    }
    supDropFatSkin( &skin );
    supFree( region->allocator, moved, room );
    return done;
}

// ---------------------------------------------------------------------------------------------------------------
// What anchored nodes of fat stand on.

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
