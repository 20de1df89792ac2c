// Supple: patches of a character.
// SPDX-License-Identifier: MIT
#include "supple/lab/patches.h"

#include "base/scalar_math.h"
#include "layers/correctives/patch_chains.h"
#include "layers/correctives/tube.h"
#include "layers/triangle_tree.h"

#include <stdlib.h>
#include <string.h>

#define SUP_PATCHES_COOKIE 0x50617463

typedef struct supPatch
{
    supChain chain;
    supTube* tube;
    supTubeNode poles[2]; ///< where the centre line leaves the skin at either end; no shares: it does not
    float depth;          ///< of the first cap where the part hangs on another, else 0. Metres
} supPatch;

struct supPatches
{
    const supCharacter* character;
    supAllocator allocator;
    supArray patches;
    supArray leftOut;
    int32_t curves, nodes;
};

// ---------------------------------------------------------------------------------------------------------------
// Making

supPatchesDef supDefaultPatchesDef( void )
{
    return ( supPatchesDef ){ .curves = 24, .nodes = 31, .cookie = SUP_PATCHES_COOKIE };
}

static supResult supCheckPatches( const supPatchesDef* def, supError* error )
{
    if ( def->cookie != SUP_PATCHES_COOKIE || def->character == NULL )
    {
        return supFail(
            error, sup_errorArgument, "patches: the def was not made by supDefaultPatchesDef, or has no character" );
    }
    if ( def->curves < 3 || def->nodes < 5 || def->curves > 4096 || def->nodes > 65536 )
    {
        return supFail( error, sup_errorArgument,
            "patches: %d curves of %d nodes; give 3 to 4096 curves of 5 to 65536 nodes", def->curves, def->nodes );
    }
    return sup_success;
}

/// Marks the joints that are listed.
static supResult supMarkWanted( const supPatchesDef* def, bool* wanted, supError* error )
{
    int32_t all = supCharacter_Info( def->character )->jointCount;
    for ( int32_t i = 0; i < def->jointCount; ++i )
    {
        int32_t joint = def->joints[i];
        if ( joint < 0 || joint >= all )
        {
            return supFail(
                error, sup_errorArgument, "patches: there is no joint %d; the character has %d", joint, all );
        }
        if ( wanted[joint] )
        {
            return supFail( error, sup_errorArgument, "patches: joint \"%s\" is listed twice",
                supCharacter_Joint( def->character, joint )->name );
        }
        wanted[joint] = true;
    }
    return sup_success;
}

/// Where a line from the middle of an end section outwards leaves the skin.
static supTubeNode supFindPole( const supCharacter* character, const supTube* tube, const float* members, bool isLast )
{
    const supTubeFrame* frame = tube->frames + ( isLast ? tube->nodes - 1 : 0 );
    supVec3 ray = isLast ? frame->along : supNeg( frame->along );
    const supVec3* positions = (const supVec3*)supCharacter_Info( character )->restPositions;
    supTubeNode pole = { 0 };
    float farthest = 0.0f;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t t = 0; t + 2 < mesh.indexCount; t += 3 )
        {
            supVec3 p[3];
            float member = 0.0f;
            for ( int k = 0; k < 3; ++k )
            {
                uint32_t v = mesh.indices[t + k] + (uint32_t)mesh.firstVertex;
                p[k] = supSub( positions[v], frame->origin );
                member += members[v];
            }
            // the shares of the corners are the volumes that the ray spans with the opposite edges
            float shares[3], sum = 0.0f;
            for ( int k = 0; k < 3; ++k )
            {
                shares[k] = supDot( ray, supCross( p[( k + 1 ) % 3], p[( k + 2 ) % 3] ) );
                sum += shares[k];
            }
            bool inside = sum != 0.0f && shares[0] / sum >= 0.0f && shares[1] / sum >= 0.0f && shares[2] / sum >= 0.0f;
            float distance = inside ? ( shares[0] * supDot( p[0], ray ) + shares[1] * supDot( p[1], ray ) +
                                          shares[2] * supDot( p[2], ray ) ) /
                                          sum
                                    : 0.0f;
            if ( member > 1.5f && distance > farthest )
            {
                farthest = distance;
                for ( int k = 0; k < 3; ++k )
                {
                    pole.corners[k] = mesh.indices[t + k] + (uint32_t)mesh.firstVertex;
                    pole.shares[k] = shares[k] / sum;
                }
            }
        }
    }
    return pole;
}

/// How deep the first cap goes into the body that the chain hangs on, at rest: to its joint, and by its own radius
/// beyond. 0: it hangs on no other chain.
static float supFindDepth( const supCharacter* character, const supChain* chain, const supTube* tube )
{
    const supTubeFrame* frame = tube->frames;
    supVec3 joint = supCharacter_Info( character )->restJoints[chain->joints[0]].t;
    float depth = supMaxF( supDot( supSub( frame->origin, joint ), frame->along ), 0.0f );
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        depth += supDistance( tube->grid[c * tube->nodes].place, frame->origin ) / (float)tube->curves;
    }
    return chain->hangs ? depth : 0.0f;
}

/// Makes the patch of a chain, or leaves its joints out.
static supResult supAddPatch( supPatches* patches, supChain* chain, float* members, supError* error )
{
    supTube* tube = NULL;
    supResult result = supMakeChainTube(
        patches->character, chain, patches->curves, patches->nodes, members, &patches->allocator, &tube, error );
    if ( result != sup_success )
    {
        return result;
    }
    if ( tube == NULL || 2 * tube->uncovered > tube->curves * tube->nodes )
    {
        supFree( &patches->allocator, tube, tube != NULL ? tube->blockSize : 0 );
        int32_t* left = supArray_Add( &patches->leftOut, (size_t)chain->jointCount );
        if ( left == NULL )
        {
            return supFail( error, sup_errorMemory, "no memory for patches" );
        }
        memcpy( left, chain->joints, sizeof( int32_t ) * (size_t)chain->jointCount );
        return sup_success;
    }
    supPatch* patch = supArray_Add( &patches->patches, 1 );
    if ( patch == NULL )
    {
        supFree( &patches->allocator, tube, tube->blockSize );
        return supFail( error, sup_errorMemory, "no memory for patches" );
    }
    *patch = ( supPatch ){ *chain, tube,
        { supFindPole( patches->character, tube, members, false ),
            supFindPole( patches->character, tube, members, true ) },
        supFindDepth( patches->character, chain, tube ) };
    return sup_success;
}

static supResult supFillPatches( const supPatchesDef* def, supPatches* patches, supError* error )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, bool, wanted, (size_t)supCharacter_Info( def->character )->jointCount );
    SUP_PUT_NEW( &layout, float, members, (size_t)supCharacter_Info( def->character )->vertexCount );
    char* scratch = supAllocLayout( &patches->allocator, &layout );
    if ( scratch == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for patches" );
    }
    supArray chains = supMakeArray( sizeof( supChain ), &patches->allocator );
    supResult result = supMarkWanted( def, wanted, error );
    supSkinCensus* census = supTakeCensus( def->character, def->jointCount > 0 ? wanted : NULL, &patches->allocator );
    if ( result == sup_success && ( census == NULL || !supFindChains( census, &chains ) ) )
    {
        result = supFail( error, sup_errorMemory, "no memory for chains of joints" );
    }
    for ( size_t i = 0; i < chains.count && result == sup_success; ++i )
    {
        result = supAddPatch( patches, (supChain*)chains.data + i, members, error );
    }
    if ( result == sup_success && patches->patches.count == 0 )
    {
        result = supFail( error, sup_errorData,
            "patches: no joint of \"%s\" has a tube of skin around it that curves could run along",
            supCharacter_Info( def->character )->name );
    }
    supArray_Destroy( &chains );
    supFree( &patches->allocator, census, census != NULL ? census->blockSize : 0 );
    supFree( &patches->allocator, scratch, layout.size );
    return result;
}

supResult supCreatePatches( const supPatchesDef* def, supPatches** out, supError* error )
{
    *out = NULL;
    supResult result = supCheckPatches( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supPatches* patches = supAllocZeroed( def->allocator, 1, sizeof( supPatches ), _Alignof( supPatches ) );
    if ( patches == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for patches" );
    }
    *patches = ( supPatches ){ .character = def->character,
        .allocator = supKeepAllocator( def->allocator ),
        .patches = supMakeArray( sizeof( supPatch ), def->allocator ),
        .leftOut = supMakeArray( sizeof( int32_t ), def->allocator ),
        .curves = def->curves,
        .nodes = def->nodes };
    result = supFillPatches( def, patches, error );
    if ( result != sup_success )
    {
        supDestroyPatches( patches );
        return result;
    }
    *out = patches;
    return sup_success;
}

void supDestroyPatches( supPatches* patches )
{
    if ( patches == NULL )
    {
        return;
    }
    const supPatch* all = patches->patches.data;
    for ( size_t i = 0; i < patches->patches.count; ++i )
    {
        supFree( &patches->allocator, all[i].tube, all[i].tube->blockSize );
    }
    supArray_Destroy( &patches->patches );
    supArray_Destroy( &patches->leftOut );
    supAllocator allocator = patches->allocator;
    supFree( &allocator, patches, sizeof( supPatches ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Views

static const supPatch* supPatchAt( const supPatches* patches, int32_t index )
{
    return (const supPatch*)patches->patches.data + index;
}

int32_t supPatches_Count( const supPatches* patches )
{
    return (int32_t)patches->patches.count;
}

int32_t supPatches_LeftOut( const supPatches* patches, const int32_t** joints )
{
    *joints = patches->leftOut.data;
    return (int32_t)patches->leftOut.count;
}

supPatchView supPatches_View( const supPatches* patches, int32_t index )
{
    const supPatch* patch = supPatchAt( patches, index );
    return ( supPatchView ){ supCharacter_Joint( patches->character, patch->chain.joints[0] )->name,
        patch->chain.jointCount, patch->chain.joints, patch->tube->curves, patch->tube->nodes, patch->tube->uncovered,
        patch->tube->crossings, patch->tube->length };
}

static supVec3 supOnSkin( const supTubeNode* node, const supVec3* skin )
{
    supVec3 sum = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        sum = supMulAdd( sum, node->shares[k], skin[node->corners[k]] );
    }
    return sum;
}

static const supVec3* supSkinOr( const supPatches* patches, const float* positions )
{
    return (const supVec3*)( positions != NULL ? positions : supCharacter_Info( patches->character )->restPositions );
}

/// The top of a cap: within the body that the part hangs on, on the skin, or in the middle of the section.
static supVec3 supCapTop( const supPatch* patch, int end, const supVec3* skin, const supVec3* places )
{
    const supTube* tube = patch->tube;
    const supVec3* section = places + ( end == 0 ? 0 : tube->nodes - 1 );
    supVec3 middle = supVec3_zero, area = supVec3_zero; // the area looks along the part
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        supVec3 next = section[( c + 1 ) % tube->curves * tube->nodes];
        middle = supMulAdd( middle, 1.0f / (float)tube->curves, section[c * tube->nodes] );
        area = supAdd( area, supCross( section[c * tube->nodes], next ) );
    }
    if ( end == 0 && patch->depth > 0.0f )
    {
        return supMulAdd( middle, -patch->depth, supNormalize( area ) );
    }
    return supIsCovered( patch->poles + end ) ? supOnSkin( patch->poles + end, skin ) : middle;
}

void supPatches_Places( const supPatches* patches, int32_t index, const float* positions, float* places )
{
    const supPatch* patch = supPatchAt( patches, index );
    const supTube* tube = patch->tube;
    const supVec3* skin = supSkinOr( patches, positions );
    supVec3* out = (supVec3*)places;
    int32_t count = tube->curves * tube->nodes;
    supVec3 middle = supVec3_zero; // of all nodes on the skin: for those without any to stand between
    for ( int32_t i = 0; i < count; ++i )
    {
        out[i] = supOnSkin( tube->grid + i, skin );
        middle = supMulAdd( middle, 1.0f / (float)( count - tube->uncovered ), out[i] );
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        out[i] = supIsCovered( tube->grid + i ) ? out[i] : middle;
    }
    supFillUncovered( tube, out );
    out[count] = supCapTop( patch, 0, skin, out );
    out[count + 1] = supCapTop( patch, 1, skin, out );
}

// ---------------------------------------------------------------------------------------------------------------
// How far a surface is from the skin

static int supCompareDistances( const void* a, const void* b )
{
    float x = *(const float*)a, y = *(const float*)b;
    return ( x > y ) - ( x < y );
}

/// All triangles of the character, three corners each, into `out`; gives how many. `out` may be NULL.
static int32_t supAllTriangles( const supCharacter* character, int32_t* out )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t k = 0; k + 2 < mesh.indexCount && out != NULL; k += 3 )
        {
            for ( int corner = 0; corner < 3; ++corner )
            {
                out[3 * count + k + corner] = (int32_t)mesh.indices[k + corner] + mesh.firstVertex;
            }
        }
        count += mesh.indexCount / 3;
    }
    return count;
}

/// `distances`: of `count` points, in any order; sorted here.
static supLoftReport supReportOf( float* distances, int32_t count )
{
    double squares = 0.0;
    qsort( distances, (size_t)count, sizeof( float ), supCompareDistances );
    for ( int32_t i = 0; i < count; ++i )
    {
        squares += (double)distances[i] * (double)distances[i];
    }
    return ( supLoftReport ){ supSqrt( squares / count ), (double)distances[( count - 1 ) * 99 / 100],
        (double)distances[count - 1] };
}

supResult supPatches_Measure( const supPatches* patches, const float* positions, const float* places, int32_t detail,
    supLoftReport* report, supError* error )
{
    const supCharacter* character = patches->character;
    int32_t vertices, indices, triangles = supAllTriangles( character, NULL );
    if ( !supLoftSize( patches->curves, patches->nodes, detail, &vertices, &indices ) )
    {
        return supFail( error, sup_errorLimit,
            "%d curves x %d nodes with %d steps between make too large a surface; ask for fewer", patches->curves,
            patches->nodes, detail );
    }
    int32_t count = ( ( patches->nodes - 1 ) * detail + 1 ) * patches->curves * detail;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVec3, points, (size_t)vertices );
    SUP_PUT_NEW( &layout, uint32_t, lofted, (size_t)indices );
    SUP_PUT_NEW( &layout, float, distances, (size_t)count );
    SUP_PUT_NEW( &layout, int32_t, corners, 3 * (size_t)triangles );
    char* scratch = supAllocLayout( &patches->allocator, &layout );
    supTriangleTree* tree = NULL;
    if ( scratch != NULL )
    {
        supAllTriangles( character, corners );
        tree = supMakeTriangleTree( supSkinOr( patches, positions ), NULL, corners, triangles, &patches->allocator );
    }
    if ( tree == NULL )
    {
        supFree( &patches->allocator, scratch, layout.size );
        return supFail( error, sup_errorMemory, "no memory to measure a surface" );
    }
    float reach = 2.0f * supCharacter_Info( character )->size;
    supLoftCurves( patches->curves, patches->nodes, places, detail, (float*)points, lofted );
    for ( int32_t i = 0; i < count; ++i )
    {
        distances[i] = supTriangleTree_Closest( tree, points[i], reach ).distance;
    }
    *report = supReportOf( distances, count );
    supDropTriangleTree( tree, &patches->allocator );
    supFree( &patches->allocator, scratch, layout.size );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Closed surfaces through lengthwise curves.
//
//     first cap        sections            last cap
//     top, rings       rings of columns    rings, top
//
// Between nodes and between curves the surface is Catmull and Rom's cubic, as skin that hangs on the curves is
// (supTube_Tie). A cap is half an ellipsoid: from the end section towards its top as cosine and sine of a quarter turn.

typedef struct supLoftGrid
{
    int32_t columns, rows; ///< of the sections' vertices
    int32_t capRings;      ///< of a cap between the section and the top
    int32_t tops[2];       ///< the vertices on top of the caps
} supLoftGrid;

static supLoftGrid supMakeLoftGrid( int32_t curves, int32_t nodes, int32_t detail )
{
    supLoftGrid grid = { curves * detail, ( nodes - 1 ) * detail + 1, 2 * detail, { 0, 0 } };
    grid.tops[0] = grid.rows * grid.columns + 2 * grid.capRings * grid.columns;
    grid.tops[1] = grid.tops[0] + 1;
    return grid;
}

bool supLoftSize( int32_t curves, int32_t nodes, int32_t detail, int32_t* vertices, int32_t* indices )
{
    // six indices a cell, caps included, with room to spare
    double cells = (double)curves * detail * ( (double)nodes * detail + 4.0 * detail + 2.0 );
    if ( 6.0 * cells > 2e9 )
    {
        return false;
    }
    supLoftGrid grid = supMakeLoftGrid( curves, nodes, detail );
    *vertices = grid.tops[1] + 1;
    *indices = 6 * grid.columns * ( grid.rows - 1 + 2 * grid.capRings ) + 2 * 3 * grid.columns;
    return true;
}

/// A vertex of a cap: ring 0 is the end section, ring capRings + 1 would be the top.
static int32_t supCapVertex( const supLoftGrid* grid, int end, int32_t ring, int32_t column )
{
    column = column % grid->columns;
    int32_t section = end == 0 ? 0 : grid->rows - 1, first = grid->rows + end * grid->capRings;
    return ( ring == 0 ? section : first + ring - 1 ) * grid->columns + column;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

static void supLoftSections( const supTube* shape, const supLoftGrid* grid, const supVec3* places, supVec3* out )
{
    for ( int32_t row = 0; row < grid->rows; ++row )
    {
        for ( int32_t column = 0; column < grid->columns; ++column )
        {
            int32_t ties[supTubeTies];
            float shares[supTubeTies], along = (float)row / (float)( grid->rows - 1 );
            float angle = (float)( 2.0 * SUP_PI * column / grid->columns );
            supTube_Tie( shape, along, angle, ties, shares );
            supVec3 sum = supVec3_zero;
            for ( int i = 0; i < supTubeTies; ++i )
            {
                sum = supMulAdd( sum, shares[i], places[ties[i]] );
            }
            out[row * grid->columns + column] = sum;
        }
    }
}

static void supLoftCap( const supLoftGrid* grid, int end, supVec3 top, supVec3* out )
{
    supVec3 middle = supVec3_zero;
    for ( int32_t c = 0; c < grid->columns; ++c )
    {
        middle = supMulAdd( middle, 1.0f / (float)grid->columns, out[supCapVertex( grid, end, 0, c )] );
    }
    for ( int32_t ring = 1; ring <= grid->capRings; ++ring )
    {
        double sine, cosine;
        supSinCos( 0.5 * SUP_PI * ring / ( grid->capRings + 1 ), &sine, &cosine );
        for ( int32_t c = 0; c < grid->columns; ++c )
        {
            supVec3 arm = supSub( out[supCapVertex( grid, end, 0, c )], middle );
            out[supCapVertex( grid, end, ring, c )] =
                supMulAdd( supMulAdd( middle, (float)cosine, arm ), (float)sine, supSub( top, middle ) );
        }
    }
    out[grid->tops[end]] = top;
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

/// Two triangles between a and b of one ring and c and d of the next one along the part.
static uint32_t* supAddQuad( uint32_t* to, int32_t a, int32_t b, int32_t c, int32_t d )
{
    const int32_t corners[6] = { a, b, c, b, d, c };
    for ( int i = 0; i < 6; ++i )
    {
        *to++ = (uint32_t)corners[i];
    }
    return to;
}

static uint32_t* supCapTriangles( const supLoftGrid* grid, int end, uint32_t* to )
{
    for ( int32_t c = 0; c < grid->columns; ++c )
    {
        for ( int32_t ring = 0; ring < grid->capRings; ++ring )
        {
            int32_t a = supCapVertex( grid, end, ring, c ), b = supCapVertex( grid, end, ring, c + 1 );
            int32_t over = supCapVertex( grid, end, ring + 1, c ), beside = supCapVertex( grid, end, ring + 1, c + 1 );
            to = end == 0 ? supAddQuad( to, over, beside, a, b ) : supAddQuad( to, a, b, over, beside );
        }
        int32_t a = supCapVertex( grid, end, grid->capRings, c ), b = supCapVertex( grid, end, grid->capRings, c + 1 );
        *to++ = (uint32_t)( end == 0 ? b : a );
        *to++ = (uint32_t)( end == 0 ? a : b );
        *to++ = (uint32_t)grid->tops[end];
    }
    return to;
}

void supLoftCurves(
    int32_t curves, int32_t nodes, const float* places, int32_t detail, float* vertices, uint32_t* indices )
{
    const supTube shape = { .curves = curves, .nodes = nodes };
    supLoftGrid grid = supMakeLoftGrid( curves, nodes, detail );
    const supVec3* from = (const supVec3*)places;
    supVec3* out = (supVec3*)vertices;
    supLoftSections( &shape, &grid, from, out );
    uint32_t* to = indices;
    for ( int32_t row = 0; row + 1 < grid.rows; ++row )
    {
        for ( int32_t c = 0; c < grid.columns; ++c )
        {
            int32_t next = ( c + 1 ) % grid.columns, a = row * grid.columns, over = a + grid.columns;
            to = supAddQuad( to, a + c, a + next, over + c, over + next );
        }
    }
    for ( int end = 0; end < 2; ++end )
    {
        supLoftCap( &grid, end, from[curves * nodes + end], out );
        to = supCapTriangles( &grid, end, to );
    }
}
