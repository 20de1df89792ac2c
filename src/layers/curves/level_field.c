// Supple: the field whose level lines become curves: distance over the surface from one end of it.
// SPDX-License-Identifier: MIT

#include "layers/curves/level_sets.h"

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

supResult supMakeLevelField( const supCurveMesh* mesh, int32_t source, const supAllocator* allocator, double* field,
    int32_t* sources, supError* error )
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
