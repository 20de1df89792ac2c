// Which voxel of a fat a place lies in.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_voxels.h"

#include "base/math.h"
#include "layers/triangle_tree.h"

enum
{
    supFewVoxels = 8 ///< that share a box without any below it
};

/// A stretch of the list of voxels, and the box around it.
typedef struct supVoxelRun
{
    int32_t box, first, end;
} supVoxelRun;

size_t supVoxelBoxCount( int32_t voxelCount )
{
    size_t leaves = 1;
    while ( leaves * supFewVoxels < (size_t)voxelCount )
    {
        leaves *= 2;
    }
    return 2 * leaves; // the first is not used
}

static bool supIsLeaf( supVoxelRun run )
{
    return run.end - run.first <= supFewVoxels;
}

static supVoxelRun supHalfOf( supVoxelRun run, int32_t half )
{
    int32_t middle = run.first + ( run.end - run.first ) / 2;
    return ( supVoxelRun ){ 2 * run.box + half, half == 0 ? run.first : middle, half == 0 ? middle : run.end };
}

static supBounds supVoxelBounds( const supFat* fat, int32_t voxel )
{
    const int32_t* corners = fat->corners + 8 * (size_t)voxel;
    return ( supBounds ){ fat->places[corners[0]], fat->places[corners[7]] };
}

static supBounds supFillRun( supFat* fat, supVoxelRun run )
{
    supBounds bounds = supVoxelBounds( fat, run.first );
    for ( int32_t e = run.first; e < run.end && supIsLeaf( run ); ++e )
    {
        bounds = supUnite( bounds, supVoxelBounds( fat, e ) );
    }
    if ( !supIsLeaf( run ) )
    {
        supBounds before = supFillRun( fat, supHalfOf( run, 0 ) );
        bounds = supUnite( before, supFillRun( fat, supHalfOf( run, 1 ) ) );
    }
    fat->voxelBoxes[run.box] = bounds;
    return bounds;
}

void supFillVoxelBoxes( supFat* fat )
{
    supFillRun( fat, ( supVoxelRun ){ 1, 0, fat->elementCount } );
}

// ---------------------------------------------------------------------------------------------------------------

typedef struct supVoxelSearch
{
    const supFat* fat;
    supVec3 p;
    float nearest; ///< square of the distance. m^2
    int32_t found;
} supVoxelSearch;

/// Looks into the nearer half first, and into the other one if it may hold a voxel that is as near.
static void supSearchRun( supVoxelSearch* search, supVoxelRun run )
{
    for ( int32_t e = run.first; e < run.end && supIsLeaf( run ); ++e )
    {
        supBounds box = supVoxelBounds( search->fat, e );
        float square = supBoxDistance( &box, search->p );
        if ( square < search->nearest || ( square == search->nearest && e < search->found ) )
        {
            search->nearest = square;
            search->found = e;
        }
    }
    if ( supIsLeaf( run ) )
    {
        return;
    }
    const supBounds* halves = search->fat->voxelBoxes + 2 * (size_t)run.box;
    float squares[2] = { supBoxDistance( halves, search->p ), supBoxDistance( halves + 1, search->p ) };
    int32_t nearer = squares[1] < squares[0];
    for ( int32_t k = 0; k < 2; ++k )
    {
        int32_t half = k == 0 ? nearer : 1 - nearer;
        if ( squares[half] <= search->nearest )
        {
            supSearchRun( search, supHalfOf( run, half ) );
        }
    }
}

int32_t supFindVoxel( const supFat* fat, supVec3 p )
{
    supVoxelSearch search = { fat, p, 1e30f, 0 };
    supSearchRun( &search, ( supVoxelRun ){ 1, 0, fat->elementCount } );
    return search.found;
}
