// Supple: level lines traced over edges, and the graph of the regions between them.
// SPDX-License-Identifier: MIT
#include "level_sets.h"

#include "base/unions.h"
#include "layers/curves/level_sets.h"

#include <assert.h>

enum
{
    supMostLevels = 600,   ///< of a piece
    supFewestLevels = 200, ///< on a coarse mesh too, where edges are longer than ears and paws
};

/// Work for one piece: its levels are lowest + ( i + 1/2 ) spacing, i < count; slab i lies below level i.
typedef struct supTracer
{
    supLevels* levels;
    double lowest, spacing;
    int32_t count;
    int32_t* visited;   ///< for each triangle: number of the level last traced through it, + 1
    int32_t* slabStart; ///< for each triangle: its first entry in `slabs`
    int32_t* slabLow;   ///< and the slab of that entry
    int32_t* slabs;     ///< parents of pieces of triangles, joined into regions
} supTracer;

static int32_t supSlabOf( const supTracer* tracer, double value )
{
    double at = ( value - tracer->lowest ) / tracer->spacing + 0.5; // level i gives i + 1: it is above itself
    return (int32_t)supClamp( supFloor( at ), 0.0, tracer->count );
}

static double supLevelAt( const supTracer* tracer, int32_t i )
{
    return tracer->lowest + ( i + 0.5 ) * tracer->spacing;
}

static bool supIsAbove( const supTracer* tracer, int32_t point, int32_t level )
{
    return supSlabOf( tracer, tracer->levels->field[point] ) > level;
}

int32_t supLevels_Region( const supLevels* levels, int32_t region )
{
    return region < 0 ? -1 : supFindRoot( levels->parents, region );
}

void supLevels_Drop( supLevels* levels, int32_t line )
{
    supLevelLine* own = (supLevelLine*)levels->lines.data + line;
    int32_t a = supLevels_Region( levels, own->below ), b = supLevels_Region( levels, own->above );
    own->dropped = true;
    if ( a == b )
    {
        return;
    }
    int32_t keep = a < b ? a : b, gone = a < b ? b : a;
    levels->parents[gone] = keep;
    levels->bordered[keep] = levels->bordered[keep] || levels->bordered[gone];
    int32_t far = levels->farthest[gone], near = levels->nearest[gone];
    if ( far >= 0 && ( levels->farthest[keep] < 0 || levels->field[far] > levels->field[levels->farthest[keep]] ) )
    {
        levels->farthest[keep] = far;
    }
    if ( near >= 0 && ( levels->nearest[keep] < 0 || levels->field[near] < levels->field[levels->nearest[keep]] ) )
    {
        levels->nearest[keep] = near;
    }
}

// The edge on which a level leaves a triangle that it entered on another; -1: not cut.
static int32_t supOtherEdge( const supTracer* tracer, int32_t triangle, int32_t entered, int32_t level )
{
    const supCurveMesh* mesh = tracer->levels->mesh;
    for ( int32_t c = 0; c < 3; ++c )
    {
        int32_t edge = mesh->edgesOf[triangle][c];
        bool cut =
            supIsAbove( tracer, mesh->edges[edge][0], level ) != supIsAbove( tracer, mesh->edges[edge][1], level );
        if ( edge != entered && cut )
        {
            return edge;
        }
    }
    return -1;
}

// The edge on which a level comes in: the one that goes up, counter-clockwise. Lines then all run the same way round.
static int32_t supUpEdge( const supTracer* tracer, int32_t triangle, int32_t level )
{
    const supCurveMesh* mesh = tracer->levels->mesh;
    for ( int32_t c = 0; c < 3; ++c )
    {
        int32_t a = mesh->triangles[triangle][c], b = mesh->triangles[triangle][( c + 1 ) % 3];
        if ( !supIsAbove( tracer, a, level ) && supIsAbove( tracer, b, level ) )
        {
            return mesh->edgesOf[triangle][c];
        }
    }
    return -1;
}

static bool supAddCrossing( supTracer* tracer, int32_t edge, int32_t level )
{
    supLevels* levels = tracer->levels;
    const int32_t* ends = levels->mesh->edges[edge];
    double a = levels->field[ends[0]], b = levels->field[ends[1]];
    supCrossing* crossing = supArray_Add( &levels->crossings, 1 );
    if ( crossing == NULL )
    {
        return false;
    }
    *crossing =
        ( supCrossing ){ edge, b != a ? supClamp( ( supLevelAt( tracer, level ) - a ) / ( b - a ), 0.0, 1.0 ) : 0.5 };
    return true;
}

static void supMeasureLine( const supLevels* levels, supLevelLine* line )
{
    const supCrossing* crossings = (const supCrossing*)levels->crossings.data + line->first;
    int32_t spans = line->open ? line->count - 1 : line->count;
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < spans; ++i )
    {
        supVec3d a = supCrossingPoint( levels, crossings + i );
        supVec3d b = supCrossingPoint( levels, crossings + ( i + 1 ) % line->count );
        double length = supLengthD( supSubD( b, a ) );
        line->length += length;
        sum = supMulAddD( sum, length, supLerpD( a, b, 0.5 ) );
    }
    line->center = line->length > 0.0 ? supScaleD( sum, 1.0 / line->length ) : supCrossingPoint( levels, crossings );
}

// Follows a line from a triangle's edge to its end or back to its start.
static bool supTraceLine( supTracer* tracer, int32_t triangle, int32_t edge, int32_t level, bool open )
{
    supLevels* levels = tracer->levels;
    const supCurveMesh* mesh = levels->mesh;
    int32_t first = (int32_t)levels->crossings.count,
            slab = tracer->slabStart[triangle] - tracer->slabLow[triangle] + level;
    supLevelLine line = {
        .level = supLevelAt( tracer, level ), .first = first, .open = open, .below = slab, .above = slab + 1
    };
    int32_t start = edge;
    while ( triangle >= 0 && tracer->visited[triangle] != level + 1 )
    {
        tracer->visited[triangle] = level + 1;
        if ( !supAddCrossing( tracer, edge, level ) )
        {
            return false;
        }
        edge = supOtherEdge( tracer, triangle, edge, level );
        triangle = mesh->sides[edge][0] == triangle ? mesh->sides[edge][1] : mesh->sides[edge][0];
    }
    if ( open && edge != start && !supAddCrossing( tracer, edge, level ) )
    {
        return false;
    }
    line.count = (int32_t)levels->crossings.count - first;
    supMeasureLine( levels, &line );
    supLevelLine* kept = supArray_Add( &levels->lines, 1 );
    if ( kept == NULL )
    {
        return false;
    }
    *kept = line;
    return true;
}

// Open lines first, each from the border where it goes up, then the loops.
static bool supTraceLevel( supTracer* tracer, int32_t piece, int32_t level )
{
    const supCurveMesh* mesh = tracer->levels->mesh;
    for ( int32_t pass = 0; pass < 3; ++pass )
    {
        for ( int32_t t = 0; t < mesh->triangleCount; ++t )
        {
            if ( mesh->pieces[mesh->triangles[t][0]] != piece || tracer->visited[t] == level + 1 )
            {
                continue;
            }
            int32_t edge = supUpEdge( tracer, t, level );
            if ( edge < 0 )
            {
                continue;
            }
            int32_t other = supOtherEdge( tracer, t, edge, level );
            bool border = mesh->sides[edge][1] < 0;
            if ( pass == 1 && !border )
            {
                edge = mesh->sides[other][1] < 0 ? other : edge; // a surface whose triangles do not agree on a side
                border = mesh->sides[edge][1] < 0;
            }
            if ( ( pass < 2 ? border : true ) && !supTraceLine( tracer, t, edge, level, pass < 2 ) )
            {
                return false;
            }
        }
    }
    return true;
}

static void supJoinSlabs( supTracer* tracer )
{
    const supCurveMesh* mesh = tracer->levels->mesh;
    const double* field = tracer->levels->field;
    for ( int32_t e = 0; e < mesh->edgeCount; ++e )
    {
        int32_t a = mesh->sides[e][0], b = mesh->sides[e][1];
        int32_t low = supSlabOf( tracer, supMin( field[mesh->edges[e][0]], field[mesh->edges[e][1]] ) );
        int32_t high = supSlabOf( tracer, supMax( field[mesh->edges[e][0]], field[mesh->edges[e][1]] ) );
        for ( int32_t s = low; b >= 0 && s <= high; ++s )
        {
            supJoinRoots( tracer->slabs, tracer->slabStart[a] + s - tracer->slabLow[a],
                tracer->slabStart[b] + s - tracer->slabLow[b] );
        }
    }
}

// Cuts every triangle in slabs; gives their number.
static int64_t supCutTriangles( supTracer* tracer, bool count )
{
    const supCurveMesh* mesh = tracer->levels->mesh;
    const double* field = tracer->levels->field;
    int64_t total = 0;
    for ( int32_t t = 0; t < mesh->triangleCount; ++t )
    {
        const int32_t* c = mesh->triangles[t];
        double low = supMin( supMin( field[c[0]], field[c[1]] ), field[c[2]] );
        double high = supMax( supMax( field[c[0]], field[c[1]] ), field[c[2]] );
        int32_t from = supSlabOf( tracer, low ), to = supSlabOf( tracer, high );
        if ( !count )
        {
            tracer->slabStart[t] = (int32_t)total;
            tracer->slabLow[t] = from;
        }
        total += to - from + 1;
    }
    return total;
}

static void supNameRegions( supTracer* tracer, int32_t slabCount )
{
    supLevels* levels = tracer->levels;
    const supCurveMesh* mesh = levels->mesh;
    for ( int32_t i = 0; i < slabCount; ++i )
    {
        levels->parents[i] = supFindRoot( tracer->slabs, i );
        levels->farthest[i] = levels->nearest[i] = -1;
        levels->bordered[i] = false;
    }
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        levels->regionOf[p] = -1;
        if ( mesh->fanStart[p] == mesh->fanStart[p + 1] )
        {
            continue;
        }
        int32_t t = mesh->fan[mesh->fanStart[p]];
        int32_t slab = tracer->slabStart[t] + supSlabOf( tracer, levels->field[p] ) - tracer->slabLow[t];
        int32_t region = levels->parents[slab];
        levels->regionOf[p] = region;
        levels->bordered[region] = levels->bordered[region] || mesh->border[p];
        int32_t far = levels->farthest[region], near = levels->nearest[region];
        levels->farthest[region] = far < 0 || levels->field[p] > levels->field[far] ? p : far;
        levels->nearest[region] = near < 0 || levels->field[p] < levels->field[near] ? p : near;
    }
}

static supResult supTraceAll( supTracer* tracer, supError* error )
{
    supLevels* levels = tracer->levels;
    const supCurveMesh* mesh = levels->mesh;
    int64_t slabCount = supCutTriangles( tracer, true );
    if ( slabCount > INT32_MAX / 2 )
    {
        return supFail( error, sup_errorLimit, "a surface too large to run curves over" );
    }
    size_t n = (size_t)slabCount, triangles = (size_t)mesh->triangleCount;
    levels->regionCount = (int32_t)n;
    tracer->slabs = supAllocZeroed( &levels->allocator, n, sizeof( int32_t ), _Alignof( int32_t ) );
    tracer->visited = supAllocZeroed( &levels->allocator, 3 * triangles, sizeof( int32_t ), _Alignof( int32_t ) );
    levels->parents = supAllocZeroed( &levels->allocator, 3 * n, sizeof( int32_t ), _Alignof( int32_t ) );
    levels->bordered = supAllocZeroed( &levels->allocator, n, sizeof( bool ), _Alignof( bool ) );
    supResult result = sup_success;
    if ( tracer->slabs == NULL || tracer->visited == NULL || levels->parents == NULL || levels->bordered == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for level lines" );
    }
    else
    {
        levels->farthest = levels->parents + n;
        levels->nearest = levels->farthest + n;
        tracer->slabStart = tracer->visited + triangles;
        tracer->slabLow = tracer->slabStart + triangles;
        supCutTriangles( tracer, false );
        for ( int32_t i = 0; i < (int32_t)n; ++i )
        {
            tracer->slabs[i] = i;
        }
        supJoinSlabs( tracer );
        supNameRegions( tracer, (int32_t)n );
        for ( int32_t piece = 0; result == sup_success && piece < mesh->pieceCount; ++piece )
        {
            for ( int32_t level = 0; result == sup_success && level < tracer->count; ++level )
            {
                if ( !supTraceLevel( tracer, piece, level ) )
                {
                    result = supFail( error, sup_errorMemory, "no memory for level lines" );
                }
            }
            for ( size_t t = 0; t < triangles; ++t )
            {
                tracer->visited[t] = 0;
            }
        }
    }
    supFree( &levels->allocator, tracer->slabs, n * sizeof( int32_t ) );
    supFree( &levels->allocator, tracer->visited, 3 * triangles * sizeof( int32_t ) );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The field whose level lines become curves: distance over the surface from one end of it.

static int32_t supFarthestOf( const supCurveMesh* mesh, const double* field, int32_t piece )
{
    int32_t best = -1;
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        if ( mesh->pieces[p] == piece && supIsFinite( field[p] ) && ( best < 0 || field[p] > field[best] ) )
        {
            best = p;
        }
    }
    return best;
}

static void supMarchFrom( const supCurveMesh* mesh, int32_t source, double* field, int32_t* heap )
{
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        field[p] = p == source ? 0.0 : supInfinity();
    }
    supMarchDistance( mesh, field, heap );
}

// The direction in which a piece is longest, by iterating its covariance on a start that is no eigenvector of anything
// usual.
static supVec3d supLongAxis( const supCurveMesh* mesh, int32_t piece, supVec3d* middle )
{
    supVec3d sum = { 0.0, 0.0, 0.0 }, axis = supNormalizeD( ( supVec3d ){ 0.31, 0.73, 0.61 } );
    int32_t count = 0;
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        if ( mesh->pieces[p] == piece )
        {
            sum = supAddD( sum, mesh->points[p] );
            ++count;
        }
    }
    *middle = supScaleD( sum, 1.0 / supMax( 1, count ) );
    for ( int32_t round = 0; round < 32; ++round )
    {
        supVec3d next = { 0.0, 0.0, 0.0 };
        for ( int32_t p = 0; p < mesh->pointCount; ++p )
        {
            if ( mesh->pieces[p] == piece )
            {
                supVec3d off = supSubD( mesh->points[p], *middle );
                next = supMulAddD( next, supDotD( off, axis ), off );
            }
        }
        axis = supLengthD( next ) > 0.0 ? supNormalizeD( next ) : axis;
    }
    return axis;
}

// The two ends of the longest way over the piece; of these the one that lies farther out along the piece's long axis: a
// horse's muzzle, not its hoof.
static int32_t supFindSource( const supCurveMesh* mesh, int32_t piece, double* field, int32_t* heap )
{
    int32_t start = 0;
    while ( mesh->pieces[start] != piece )
    {
        ++start;
    }
    supMarchFrom( mesh, start, field, heap );
    int32_t one = supFarthestOf( mesh, field, piece );
    supMarchFrom( mesh, one, field, heap );
    int32_t two = supFarthestOf( mesh, field, piece );
    supVec3d middle, axis = supLongAxis( mesh, piece, &middle );
    double first = supAbs( supDotD( supSubD( mesh->points[one], middle ), axis ) );
    double second = supAbs( supDotD( supSubD( mesh->points[two], middle ), axis ) );
    return second > 1.02 * first ? two : one;
}

// A source on a border takes the border's whole rim with it, so that the lines run parallel to the cut; not the rim of
// a sheet, which goes round the whole of it.
static void supStartFrom( const supCurveMesh* mesh, int32_t source, double* field, int32_t* stack, bool rims )
{
    int32_t count = 0;
    field[source] = 0.0;
    if ( !mesh->border[source] || !rims )
    {
        return;
    }
    stack[count++] = source;
    while ( count > 0 )
    {
        int32_t at = stack[--count];
        for ( int32_t k = mesh->fanStart[at]; k < mesh->fanStart[at + 1]; ++k )
        {
            int32_t t = mesh->fan[k];
            for ( int32_t c = 0; c < 3; ++c )
            {
                const int32_t* edge = mesh->edges[mesh->edgesOf[t][c]];
                bool rim = mesh->sides[mesh->edgesOf[t][c]][1] < 0 && ( edge[0] == at || edge[1] == at );
                int32_t next = edge[0] == at ? edge[1] : edge[0];
                if ( rim && field[next] != 0.0 )
                {
                    field[next] = 0.0;
                    stack[count++] = next;
                }
            }
        }
    }
}

// Whether the rim through a point stays within half of the way to the piece's other end.
static bool supHasShortRim( const supCurveMesh* mesh, int32_t source, double* work, int32_t* heap )
{
    if ( !mesh->border[source] )
    {
        return false;
    }
    supMarchFrom( mesh, source, work, heap );
    double end = work[supFarthestOf( mesh, work, mesh->pieces[source] )];
    double farthest = 0.0;
    int32_t count = 0, *stack = heap;
    stack[count++] = source;
    work[source] = -1.0;
    while ( count > 0 )
    {
        int32_t at = stack[--count];
        for ( int32_t k = mesh->fanStart[at]; k < mesh->fanStart[at + 1]; ++k )
        {
            for ( int32_t c = 0; c < 3; ++c )
            {
                int32_t e = mesh->edgesOf[mesh->fan[k]][c];
                const int32_t* edge = mesh->edges[e];
                int32_t next = edge[0] == at ? edge[1] : edge[0];
                if ( mesh->sides[e][1] < 0 && ( edge[0] == at || edge[1] == at ) && work[next] >= 0.0 )
                {
                    farthest = supMax( farthest, work[next] );
                    work[next] = -1.0; // seen
                    stack[count++] = next;
                }
            }
        }
    }
    return farthest < 0.5 * end;
}

/// For each point the distance over the surface from its piece's source, smoothed a little; for each piece its source.
/// `source` as in supCreateLevels.
static supResult supMakeLevelField( const supCurveMesh* mesh, int32_t source, const supAllocator* allocator,
    double* field, int32_t* sources, supError* error )
{
    size_t n = (size_t)mesh->pointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, double, work, n );
    SUP_PUT_NEW( &layout, int32_t, heap, 2 * n );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for distances over a surface" );
    }
    for ( int32_t piece = 0; piece < mesh->pieceCount; ++piece )
    {
        bool given = source >= 0 && mesh->pieces[source] == piece;
        sources[piece] = given ? source : supFindSource( mesh, piece, work, heap );
    }
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        field[p] = supInfinity();
    }
    for ( int32_t piece = 0; piece < mesh->pieceCount; ++piece )
    {
        supStartFrom( mesh, sources[piece], field, heap, supHasShortRim( mesh, sources[piece], work, heap ) );
    }
    supMarchDistance( mesh, field, heap );
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        field[p] = supIsFinite( field[p] ) ? field[p] : 0.0; // points of no triangle
    }
    supFree( allocator, block, layout.size );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

supResult supCreateLevels(
    const supCurveMesh* mesh, int32_t source, const supAllocator* allocator, supLevels* out, supError* error )
{
    size_t n = (size_t)mesh->pointCount;
    *out = ( supLevels ){ .mesh = mesh, .allocator = supKeepAllocator( allocator ) };
    out->lines = supMakeArray( sizeof( supLevelLine ), allocator );
    out->crossings = supMakeArray( sizeof( supCrossing ), allocator );
    out->field = supAllocZeroed( allocator, n, sizeof( double ), _Alignof( double ) );
    out->regionOf = supAllocZeroed( allocator, n, sizeof( int32_t ), _Alignof( int32_t ) );
    out->sources = supAllocZeroed( allocator, n, sizeof( int32_t ), _Alignof( int32_t ) );
    supResult result = sup_success;
    if ( out->field == NULL || out->regionOf == NULL || out->sources == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for level lines" );
    }
    else
    {
        result = supMakeLevelField( mesh, source, allocator, out->field, out->sources, error );
    }
    if ( result == sup_success )
    {
        double range = 0.0;
        for ( size_t p = 0; p < n; ++p )
        {
            range = supMax( range, out->field[p] );
        }
        double count = supClamp( supFloor( range / ( 0.6 * mesh->meanEdge ) ), supFewestLevels, supMostLevels );
        out->spacing = range / count;
        supTracer tracer = { .levels = out, .spacing = out->spacing, .count = (int32_t)count };
        result = supTraceAll( &tracer, error );
    }
    if ( result != sup_success )
    {
        supLevels_Destroy( out );
    }
    return result;
}

void supLevels_Destroy( supLevels* levels )
{
    size_t points = (size_t)levels->mesh->pointCount, regions = (size_t)levels->regionCount;
    supFree( &levels->allocator, levels->field, points * sizeof( double ) );
    supFree( &levels->allocator, levels->regionOf, points * sizeof( int32_t ) );
    supFree( &levels->allocator, levels->sources, points * sizeof( int32_t ) );
    supFree( &levels->allocator, levels->parents, 3 * regions * sizeof( int32_t ) );
    supFree( &levels->allocator, levels->bordered, regions * sizeof( bool ) );
    supArray_Destroy( &levels->lines );
    supArray_Destroy( &levels->crossings );
    *levels = ( supLevels ){ .mesh = levels->mesh, .lines = levels->lines, .crossings = levels->crossings };
}
