// Voxels between the borders of fat.
// SPDX-License-Identifier: MIT
//
// Every node of a grid around the region knows how deep it lies below the skin and how high above the inner border. A
// voxel is full by the share of 4 x 4 x 4 points inside it where both, interpolated, are above zero; borders in steps
// would converge slowly. Its stiffness is weighed by the share inside the skin alone: the part below the inner border
// is held, not missing. Nodes nearer than a quarter of a voxel to the inner border, or below it, are anchored; that the
// border does not run through them is made up for by the stiffness of the voxels around (supHoldFactor).

#include "layers/fat/fat_voxels.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/unions.h"

#include <math.h>
#include <string.h>

/// Voxels that are less full are left out.
static const float supLeastFull = 0.08f;
/// How far from the inner border, in edges, nodes are still anchored.
static const float supAnchorReach = 0.25f;
/// How much softer or stiffer voxels around held nodes may be.
static const float supLeastHold = 0.5f, supMostHold = 4.0f;
enum
{
    supEnoughAnchors = 4,       ///< of a group of voxels
    supFillPoints = 4,          ///< each way
    supMostBoxNodes = 12000000, ///< of the grid around the region: about a gigabyte
};

/// Work on one grid.
typedef struct supCut
{
    const supFatRegion* region;
    supFatBox box;
    supFatDistance *skin, *inner;
    float *stiff, *full; ///< of each voxel, by its lowest node
    uint8_t* kinds;      ///< of each voxel
    uint8_t* anchored;   ///< of each node
    int32_t* groups;     ///< of each node: joined by voxels
    int32_t* numbers;    ///< of each node: its number, plus 1
    void* block;
    size_t size;
} supCut;

enum
{
    sup_voxelNone = 0,
    sup_voxelSmall,
    sup_voxelLarge,  ///< the first of eight that are one
    sup_voxelMerged, ///< the others
};

static int32_t supCorner( const supFatBox* box, int32_t node, int32_t corner, int32_t size )
{
    return node + size * ( ( corner & 1 ) + box->n[0] * ( ( corner >> 1 & 1 ) + box->n[1] * ( corner >> 2 & 1 ) ) );
}

static void supPlaceOf( const supFatBox* box, int32_t node, int32_t at[3] )
{
    at[0] = node % box->n[0];
    at[1] = node / box->n[0] % box->n[1];
    at[2] = node / ( box->n[0] * box->n[1] );
}

static bool supIsVoxel( const supFatBox* box, int32_t node )
{
    int32_t at[3];
    supPlaceOf( box, node, at );
    return at[0] + 1 < box->n[0] && at[1] + 1 < box->n[1] && at[2] + 1 < box->n[2];
}

/// Interpolates eight corners' values.
static float supInterpolate( const float values[8], float x, float y, float z )
{
    float low =
        ( values[0] * ( 1.0f - x ) + values[1] * x ) * ( 1.0f - y ) + ( values[2] * ( 1.0f - x ) + values[3] * x ) * y;
    float high =
        ( values[4] * ( 1.0f - x ) + values[5] * x ) * ( 1.0f - y ) + ( values[6] * ( 1.0f - x ) + values[7] * x ) * y;
    return low * ( 1.0f - z ) + high * z;
}

static bool supIsAnchored( const supCut* cut, int32_t node )
{
    return cut->anchored[node] != 0;
}

/// The square of the gradient of eight corners' values, on average, in the unit cube.
static float supMeanSlope( const float values[8] )
{
    float sum = 0.0f;
    for ( int g = 0; g < 8; ++g )
    {
        float low[3], square = 0.0f;
        for ( int k = 0; k < 3; ++k )
        {
            low[k] = ( g >> k & 1 ) != 0 ? 0.21132487f : 0.78867513f; // Gauss's two points
        }
        for ( int k = 0; k < 3; ++k )
        {
            float slope = 0.0f;
            for ( int c = 0; c < 8; ++c )
            {
                int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3;
                float share =
                    ( ( c >> a & 1 ) != 0 ? 1.0f - low[a] : low[a] ) * ( ( c >> b & 1 ) != 0 ? 1.0f - low[b] : low[b] );
                slope += ( ( c >> k & 1 ) != 0 ? share : -share ) * values[c];
            }
            square += slope * slope;
        }
        sum += 0.125f * square;
    }
    return sum;
}

/// How much stiffer a voxel is that has held corners. Near the border displacements grow as the height z above it, from
/// nothing at z = 0; with that, fat takes the energy of |grad z|^2 = 1 wherever z > 0, `over` of the voxel. Between the
/// voxel's corners, the held ones at nothing wherever they lie, z takes another: the slower growth from a node below
/// the border too little, the faster one from a node above it too much. The factor is the ratio of both. What lies
/// between the border and held nodes above it belongs to voxels that are held all over: a quarter of a column each. A
/// flat border at a depth d above the held nodes: 1 / (1 - d), as it should be.
static float supHoldFactor( const supCut* cut, int32_t voxel, const float above[8], float over )
{
    float heights[8], edge = cut->box.edge;
    int32_t held = 0;
    for ( int32_t c = 0; c < 8; ++c )
    {
        bool holds = supIsAnchored( cut, supCorner( &cut->box, voxel, c, 1 ) );
        heights[c] = holds ? 0.0f : above[c] / edge;
        over += holds && above[c] > 0.0f ? 0.25f * above[c] / edge : 0.0f;
        held += holds;
    }
    float slope = held > 0 && held < 8 ? supMeanSlope( heights ) : 0.0f;
    return slope > 0.0f ? supClampF( over / slope, supLeastHold, supMostHold ) : 1.0f;
}

static void supFillVoxel( supCut* cut, int32_t voxel )
{
    float below[8], above[8], deepest = -1e30f, highest = -1e30f;
    for ( int32_t c = 0; c < 8; ++c )
    {
        int32_t node = supCorner( &cut->box, voxel, c, 1 );
        below[c] = cut->skin[node].inside;
        above[c] = -cut->inner[node].inside;
        deepest = supMaxF( deepest, below[c] );
        highest = supMaxF( highest, above[c] );
    }
    if ( deepest <= 0.0f || highest <= 0.0f )
    {
        return;
    }
    int32_t inside = 0, between = 0, over = 0;
    for ( int32_t i = 0; i < supFillPoints * supFillPoints * supFillPoints; ++i )
    {
        float x = ( (float)( i % supFillPoints ) + 0.5f ) / supFillPoints,
              y = ( (float)( i / supFillPoints % supFillPoints ) + 0.5f ) / supFillPoints,
              z = ( (float)( i / ( supFillPoints * supFillPoints ) ) + 0.5f ) / supFillPoints;
        bool in = supInterpolate( below, x, y, z ) > 0.0f, out = supInterpolate( above, x, y, z ) > 0.0f;
        inside += in;
        over += out;
        between += in && out;
    }
    float factor = supHoldFactor( cut, voxel, above, (float)over / ( supFillPoints * supFillPoints * supFillPoints ) );
    cut->stiff[voxel] = factor * (float)inside / ( supFillPoints * supFillPoints * supFillPoints );
    cut->full[voxel] = (float)between / ( supFillPoints * supFillPoints * supFillPoints );
    cut->kinds[voxel] = cut->full[voxel] >= supLeastFull ? sup_voxelSmall : sup_voxelNone;
}

/// Anchors the nearest corner of the voxel around a point of the inner border, where that has none yet.
static void supAnchorAround( supCut* cut, supVec3 p )
{
    const supFatBox* box = &cut->box;
    supVec3 off = supScale( supSub( p, box->low ), 1.0f / box->edge );
    float at[3] = { floorf( off.x ), floorf( off.y ), floorf( off.z ) };
    for ( int axis = 0; axis < 3; ++axis )
    {
        if ( !( at[axis] >= 0.0f && at[axis] + 1.0f < (float)box->n[axis] ) )
        {
            return;
        }
    }
    int32_t voxel = supBoxNode( box, (int32_t)at[0], (int32_t)at[1], (int32_t)at[2] ), nearest = -1;
    float least = 1e30f;
    for ( int32_t c = 0; c < 8; ++c )
    {
        int32_t node = supCorner( box, voxel, c, 1 );
        float distance = supDistance( p, supBoxPlace( box, node ) );
        if ( cut->anchored[node] != 0 )
        {
            return;
        }
        nearest = distance < least ? node : nearest;
        least = supMinF( distance, least );
    }
    cut->anchored[nearest] = 1;
}

/// Where the inner border is thinner than a voxel no node lies inside it: every triangle sees to it that its voxel is
/// held all the same.
static void supFindAnchors( supCut* cut )
{
    for ( int32_t i = 0; i < cut->box.count; ++i )
    {
        cut->anchored[i] = -cut->inner[i].inside < supAnchorReach * cut->box.edge;
    }
    const supFatBorder* inner = &cut->region->inner;
    for ( int32_t t = 0; t < inner->triangleCount; ++t )
    {
        const int32_t* c = inner->corners + 3 * (size_t)t;
        supVec3 sum = supAdd( supAdd( inner->points[c[0]], inner->points[c[1]] ), inner->points[c[2]] );
        supAnchorAround( cut, supScale( sum, 1.0f / 3.0f ) );
    }
}

/// Joins voxels that share a face. A shared edge or corner alone would be a hinge.
static void supJoinFaces( supCut* cut )
{
    const supFatBox* box = &cut->box;
    const int32_t steps[3] = { 1, box->n[0], box->n[0] * box->n[1] };
    for ( int32_t v = 0; v < box->count; ++v )
    {
        cut->groups[v] = v;
    }
    for ( int32_t v = 0; v < box->count; ++v )
    {
        for ( int axis = 0; axis < 3 && cut->kinds[v] != sup_voxelNone; ++axis )
        {
            // a voxel has a node beyond it along each axis, so this stays within the box
            int32_t other = v + steps[axis];
            if ( cut->kinds[other] != sup_voxelNone )
            {
                supJoinRoots( cut->groups, v, other );
            }
        }
    }
}

/// Counts the anchored nodes of each group, four at most. `marks`: zeros, and left so.
static void supCountAnchors( supCut* cut, uint8_t* held, int32_t* marks )
{
    const supFatBox* box = &cut->box;
    for ( int32_t v = 0; v < box->count; ++v )
    {
        for ( int32_t c = 0; c < 8 && cut->kinds[v] != sup_voxelNone; ++c )
        {
            int32_t node = supCorner( box, v, c, 1 ), root = supFindRoot( cut->groups, v );
            bool fresh = supIsAnchored( cut, node ) && cut->inner[node].foot.triangle >= 0 && marks[node] != root + 1;
            held[root] = (uint8_t)( held[root] + ( fresh && held[root] < supEnoughAnchors ? 1 : 0 ) );
            marks[node] = fresh ? root + 1 : marks[node];
        }
    }
    memset( marks, 0, sizeof( int32_t ) * (size_t)box->count );
}

/// Leaves out voxels that are anchored all over, and groups that too few nodes hold: one would turn about a point, two
/// about a line. Gives how many voxels of the second kind.
static int32_t supDropLoose( supCut* cut, uint8_t* held )
{
    const supFatBox* box = &cut->box;
    for ( int32_t v = 0; v < box->count; ++v )
    {
        bool all = true;
        held[v] = 0;
        for ( int32_t c = 0; c < 8 && cut->kinds[v] != sup_voxelNone; ++c )
        {
            all = all && supIsAnchored( cut, supCorner( box, v, c, 1 ) );
        }
        cut->kinds[v] = all ? sup_voxelNone : cut->kinds[v];
    }
    supJoinFaces( cut );
    supCountAnchors( cut, held, cut->numbers );
    int32_t dropped = 0;
    for ( int32_t v = 0; v < box->count; ++v )
    {
        bool loose = cut->kinds[v] != sup_voxelNone && held[supFindRoot( cut->groups, v )] < supEnoughAnchors;
        cut->kinds[v] = loose ? sup_voxelNone : cut->kinds[v];
        dropped += loose;
    }
    return dropped;
}

/// Whether eight voxels, `voxel` the lowest, may be one: all are there, and no node of theirs, nor any next to those,
/// is held. (A held one in the middle of an edge or face would follow its corners, and hold no more. And strain falls
/// off fast from what holds: as 1 / r around a thin core, as 1 / r^2 where that is turned in; large voxels right beside
/// it are too stiff. Below the skin there is hardly any, so those may well be partly full.)
static bool supMayMerge( const supCut* cut, int32_t voxel )
{
    const supFatBox* box = &cut->box;
    int32_t at[3];
    supPlaceOf( box, voxel, at );
    bool merges = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        merges = merges && at[axis] % 2 == 0 && at[axis] + 2 < box->n[axis];
    }
    for ( int32_t c = 0; c < 8 && merges; ++c )
    {
        merges = cut->kinds[supCorner( box, voxel, c, 1 )] == sup_voxelSmall;
    }
    for ( int32_t i = 0; i < 125 && merges; ++i )
    {
        int32_t x = at[0] + i % 5 - 1, y = at[1] + i / 5 % 5 - 1, z = at[2] + i / 25 - 1;
        bool within = x >= 0 && y >= 0 && z >= 0 && x < box->n[0] && y < box->n[1] && z < box->n[2];
        merges = !within || !supIsAnchored( cut, supBoxNode( box, x, y, z ) );
    }
    return merges;
}

/// Eight voxels become one, as full as they are on average.
static void supMergeVoxels( supCut* cut )
{
    const supFatBox* box = &cut->box;
    for ( int32_t v = 0; v < box->count; ++v )
    {
        bool merges = supMayMerge( cut, v );
        float stiff = 0.0f, full = 0.0f;
        for ( int32_t c = 0; c < 8 && merges; ++c )
        {
            int32_t part = supCorner( box, v, c, 1 );
            stiff += 0.125f * cut->stiff[part];
            full += 0.125f * cut->full[part];
            cut->kinds[part] = c == 0 ? sup_voxelLarge : sup_voxelMerged;
        }
        cut->stiff[v] = merges ? stiff : cut->stiff[v];
        cut->full[v] = merges ? full : cut->full[v];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Into a mesh

/// The mesh's node at a place of the grid: its number plus 1. 0: no memory.
static int32_t supNumberOf( supCut* cut, supFatMesh* mesh, int32_t node )
{
    if ( cut->numbers[node] == 0 )
    {
        supFatNode* own = supArray_Add( &mesh->arrays[0], 1 );
        if ( own == NULL )
        {
            return 0;
        }
        *own = ( supFatNode ){ supBoxPlace( &cut->box, node ), supIsAnchored( cut, node ), cut->skin[node].inside,
            -cut->inner[node].inside, cut->skin[node].foot, cut->inner[node].foot };
        cut->numbers[node] = (int32_t)mesh->arrays[0].count;
    }
    return cut->numbers[node];
}

static bool supAddVoxel( supCut* cut, supFatMesh* mesh, int32_t voxel, int32_t size )
{
    int32_t* corners = supArray_Add( &mesh->arrays[1], 8 );
    float* stiff = supArray_Add( &mesh->arrays[2], 1 );
    float* full = supArray_Add( &mesh->arrays[3], 1 );
    bool done = corners != NULL && stiff != NULL && full != NULL;
    for ( int32_t c = 0; c < 8 && done; ++c )
    {
        corners[c] = supNumberOf( cut, mesh, supCorner( &cut->box, voxel, c, size ) ) - 1;
        done = corners[c] >= 0;
    }
    if ( done )
    {
        *stiff = cut->stiff[voxel];
        *full = cut->full[voxel];
        mesh->volume += (double)*full * size * size * size * cut->box.edge * cut->box.edge * cut->box.edge;
    }
    return done;
}

/// A node in the middle of a larger voxel, or of its edge or face, if smaller ones or the skin use it.
static bool supAddHanging( supCut* cut, supFatMesh* mesh, int32_t voxel, const int32_t middle[3] )
{
    const supFatBox* box = &cut->box;
    int32_t node = voxel + middle[0] + box->n[0] * ( middle[1] + box->n[1] * middle[2] );
    bool known = cut->numbers[node]<0, used = cut->numbers[node]> 0 || cut->skin[node].foot.triangle >= 0;
    if ( known || !used )
    {
        return true;
    }
    int32_t number = supNumberOf( cut, mesh, node );
    supHangingNode* hanging = supArray_Add( &mesh->arrays[4], 1 );
    if ( number == 0 || hanging == NULL )
    {
        return false;
    }
    *hanging = ( supHangingNode ){ .node = number - 1 };
    for ( int32_t c = 0; c < 8; ++c )
    {
        // corners of the edge or face that the node is the middle of
        bool own = true;
        for ( int axis = 0; axis < 3; ++axis )
        {
            own = own && ( middle[axis] == 1 || middle[axis] == 2 * ( c >> axis & 1 ) );
        }
        if ( own )
        {
            hanging->parents[hanging->parentCount++] = cut->numbers[supCorner( box, voxel, c, 2 )] - 1;
        }
    }
    cut->numbers[node] = -number; // once is enough
    return true;
}

static bool supFindHanging( supCut* cut, supFatMesh* mesh )
{
    bool done = true;
    for ( int32_t v = 0; v < cut->box.count && done; ++v )
    {
        for ( int32_t i = 0; i < 27 && cut->kinds[v] == sup_voxelLarge && done; ++i )
        {
            int32_t middle[3] = { i % 3, i / 3 % 3, i / 9 };
            int32_t ones = ( middle[0] == 1 ) + ( middle[1] == 1 ) + ( middle[2] == 1 );
            done = ones == 0 || supAddHanging( cut, mesh, v, middle );
        }
    }
    return done;
}

static bool supListVoxels( supCut* cut, supFatMesh* mesh )
{
    bool done = true;
    for ( int32_t v = 0; v < cut->box.count && done; ++v )
    {
        bool large = cut->kinds[v] == sup_voxelLarge;
        mesh->largeCount += large;
        done = cut->kinds[v] == sup_voxelNone || cut->kinds[v] == sup_voxelMerged ||
               supAddVoxel( cut, mesh, v, large ? 2 : 1 );
    }
    done = done && supFindHanging( cut, mesh );
    mesh->nodes = mesh->arrays[0].data;
    mesh->corners = mesh->arrays[1].data;
    mesh->stiff = mesh->arrays[2].data;
    mesh->full = mesh->arrays[3].data;
    mesh->hanging = mesh->arrays[4].data;
    mesh->nodeCount = (int32_t)mesh->arrays[0].count;
    mesh->elementCount = (int32_t)mesh->arrays[2].count;
    mesh->hangingCount = (int32_t)mesh->arrays[4].count;
    for ( int32_t i = 0; i < mesh->nodeCount; ++i )
    {
        mesh->anchoredCount += mesh->nodes[i].anchored;
    }
    return done;
}

// ---------------------------------------------------------------------------------------------------------------

/// The grid, its middle on the region's: what is symmetric stays so.
static bool supMakeBox( const supFatRegion* region, float edge, supFatBox* box, double* wanted )
{
    supVec3 sides = supSub( region->high, region->low );
    float reach[3] = { sides.x, sides.y, sides.z }, middle[3] = { 0.5f * ( region->low.x + region->high.x ),
        0.5f * ( region->low.y + region->high.y ), 0.5f * ( region->low.z + region->high.z ) };
    float* low[3] = { &box->low.x, &box->low.y, &box->low.z };
    *wanted = 1.0;
    box->edge = edge;
    for ( int axis = 0; axis < 3; ++axis )
    {
        // an even number of voxels, with one to spare on each side
        double half = floor( 0.5 * (double)reach[axis] / edge ) + 2.0;
        *wanted *= 2.0 * half + 1.0;
        box->n[axis] = half < 1e6 ? (int32_t)( 2.0 * half ) + 1 : 0;
        *low[axis] = middle[axis] - (float)half * edge;
    }
    box->count = *wanted < supMostBoxNodes ? (int32_t)*wanted : 0;
    return *wanted < supMostBoxNodes;
}

static bool supAllocCut( supCut* cut, const supAllocator* allocator )
{
    size_t count = (size_t)cut->box.count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, cut->skin, count );
    SUP_PUT( &layout, cut->inner, count );
    SUP_PUT( &layout, cut->stiff, 2 * count );
    SUP_PUT( &layout, cut->groups, count );
    SUP_PUT( &layout, cut->kinds, 3 * count );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    cut->block = block;
    cut->size = layout.size;
    cut->full = cut->stiff + count;
    cut->anchored = cut->kinds + 2 * count;
    return true;
}

static supResult supCutBox( supCut* cut, bool mixed, const char* place, supFatMesh* mesh, supError* error )
{
    const supAllocator* allocator = cut->region->allocator;
    if ( !supAllocCut( cut, allocator ) ||
         !supMeasureDistances( &cut->box, &cut->region->outer, allocator, cut->skin ) ||
         !supMeasureDistances( &cut->box, &cut->region->inner, allocator, cut->inner ) )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for a grid of %d nodes", place, cut->box.count );
    }
    supFindAnchors( cut );
    for ( int32_t v = 0; v < cut->box.count; ++v )
    {
        if ( supIsVoxel( &cut->box, v ) )
        {
            supFillVoxel( cut, v );
        }
    }
    cut->numbers = mesh->numbers = supArray_Add( &mesh->arrays[5], (size_t)cut->box.count + 1 );
    if ( cut->numbers == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for a grid of %d nodes", place, cut->box.count );
    }
    mesh->box = cut->box;
    mesh->dropped = supDropLoose( cut, cut->kinds + cut->box.count );
    if ( mixed )
    {
        supMergeVoxels( cut );
    }
    if ( !supListVoxels( cut, mesh ) )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for its voxels", place );
    }
    if ( mesh->nodeCount == mesh->anchoredCount )
    {
        return supFail( error, sup_errorData,
            "%s.voxel: voxels of %.3g m do not fit between the borders, which are at most %.3g m apart", place,
            (double)cut->box.edge, (double)cut->region->thickest );
    }
    return sup_success;
}

supResult supCutVoxels(
    const supFatRegion* region, float edge, bool mixed, const char* place, supFatMesh* mesh, supError* error )
{
    static const size_t sizes[6] = { sizeof( supFatNode ), sizeof( int32_t ), sizeof( float ), sizeof( float ),
        sizeof( supHangingNode ), sizeof( int32_t ) };
    *mesh = ( supFatMesh ){ .edge = edge, .allocator = region->allocator };
    for ( int i = 0; i < 6; ++i )
    {
        mesh->arrays[i] = supMakeArray( sizes[i], region->allocator );
    }
    supCut cut = { .region = region };
    double wanted;
    if ( !supMakeBox( region, edge, &cut.box, &wanted ) )
    {
        return supFail( error, sup_errorLimit,
            "%s.voxel: %.3g m is too small: the grid would have %.3g nodes, but at most %d are allowed", place,
            (double)edge, wanted, supMostBoxNodes );
    }
    supResult result = supCutBox( &cut, mixed, place, mesh, error );
    supFree( region->allocator, cut.block, cut.size );
    return result;
}

int32_t supFatMesh_NodeAt( const supFatMesh* mesh, int32_t x, int32_t y, int32_t z )
{
    const int32_t* n = mesh->box.n;
    bool within = x >= 0 && y >= 0 && z >= 0 && x < n[0] && y < n[1] && z < n[2];
    int32_t number = within ? mesh->numbers[supBoxNode( &mesh->box, x, y, z )] : 0;
    return ( number < 0 ? -number : number ) - 1;
}

void supDropFatMesh( supFatMesh* mesh )
{
    for ( int i = 0; i < 6; ++i )
    {
        supArray_Destroy( &mesh->arrays[i] );
    }
}
