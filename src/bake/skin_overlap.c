// How deep vertices of a skin lie inside other parts of the body.
// SPDX-License-Identifier: MIT
#include "bake/skin_overlap.h"

#include "bake/take_data.h"
#include "base/math.h"
#include "base/memory.h"
#include "body/body_data.h"
#include "layers/moved_surface.h"
#include "layers/triangle_tree.h"
#include "rig/layer_list.h"
#include "supple/lab/measures.h"

#include <string.h>

enum
{
    supBins = 128,      ///< along a side of the pictures that rays are looked up in
    supMostAround = 32, ///< surfaces that one ray meets
    supGroup = 32,      ///< triangles, one after another in the file, that have a ball around them
};

/// A vertex is looked at this share of the size outside.
static const float supHair = 1e-4f;

typedef struct supSkinTriangle
{
    int32_t corners[3];
    int32_t piece; ///< -1: of an open one
    supVec3 middle;
    float radius;
} supSkinTriangle;

typedef struct supGroupBall
{
    supVec3 middle;
    float radius;
} supGroupBall;

/// Triangles seen along one axis, sorted into the fields of a chess board.
typedef struct supRayBins
{
    int32_t* starts; ///< of the fields, and the end
    int32_t* triangles;
    size_t room;
    float low[2], scale[2];
} supRayBins;

struct supSkinOverlap
{
    supAllocator allocator;
    const supCharacter* character;
    const int32_t* welds;
    float size;
    int32_t count;
    supSkinTriangle* triangles;
    supGroupBall* groups;
    int32_t* parts;   ///< of vertices
    supVec3* normals; ///< of welds
    const supVec3* positions;
    int longest;       ///< the axis along which the skin is longest: rays along it meet most
    int32_t lastFound; ///< a triangle: the next vertex is likely to come out close to it
    supRayBins bins[3];
    size_t blockSize;
};

// ---------------------------------------------------------------------------------------------------------------
// Making

static void supListOverlapTriangles( supSkinOverlap* overlap, const int32_t* pieces )
{
    for ( int32_t m = 0; m < supCharacter_Info( overlap->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( overlap->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supSkinTriangle* triangle = overlap->triangles + overlap->count++;
            for ( int k = 0; k < 3; ++k )
            {
                triangle->corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            triangle->piece = pieces[triangle->corners[0]];
        }
    }
}

supSkinOverlap* supMakeSkinOverlap( const supCharacter* character, const supAllocator* allocator )
{
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount, triangles = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        triangles += (size_t)supCharacter_Mesh( character, m ).indexCount / 3;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSkinOverlap, overlap, 1 );
    SUP_PUT_NEW( &layout, supSkinTriangle, trianglesRoom, triangles );
    SUP_PUT_NEW( &layout, supGroupBall, groups, triangles / supGroup + 1 );
    SUP_PUT_NEW( &layout, int32_t, parts, vertices );
    SUP_PUT_NEW( &layout, int32_t, pieces, vertices );
    SUP_PUT_NEW( &layout, supVec3, normals, vertices );
    SUP_PUT_NEW( &layout, int32_t, starts, 3 * ( supBins * supBins + 1 ) );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL || !supFindClosedPieces( character, allocator, pieces ) )
    {
        supFree( allocator, block, layout.size );
        return NULL;
    }
    *overlap = ( supSkinOverlap ){ .allocator = supKeepAllocator( allocator ),
        .character = character,
        .welds = supCharacter_Info( character )->welds,
        .size = supCharacter_Info( character )->size,
        .triangles = trianglesRoom,
        .groups = groups,
        .parts = parts,
        .normals = normals,
        .blockSize = layout.size };
    for ( int axis = 0; axis < 3; ++axis )
    {
        overlap->bins[axis].starts = starts + axis * ( supBins * supBins + 1 );
    }
    supFindSkinParts( character, overlap->parts );
    supListOverlapTriangles( overlap, pieces );
    return overlap;
}

void supDropSkinOverlap( supSkinOverlap* overlap )
{
    if ( overlap == NULL )
    {
        return;
    }
    supAllocator allocator = overlap->allocator;
    for ( int axis = 0; axis < 3; ++axis )
    {
        supFree( &allocator, overlap->bins[axis].triangles, overlap->bins[axis].room * sizeof( int32_t ) );
    }
    supFree( &allocator, overlap, overlap->blockSize );
}

// ---------------------------------------------------------------------------------------------------------------
// A skin

static float supComponent( supVec3 v, int axis )
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The two other axes, so that (axis, u, v) is right-handed.
static int supNextAxis( int axis, int step )
{
    return ( axis + step ) % 3;
}

static int supBinAt( const supRayBins* bins, int side, float value )
{
    return (int)supClampF( ( value - bins->low[side] ) * bins->scale[side], 0.0f, supBins - 1 );
}

/// The fields that a triangle covers, by its box.
static void supBinsOf(
    const supSkinOverlap* overlap, int axis, const supSkinTriangle* triangle, int low[2], int high[2] )
{
    const supRayBins* bins = overlap->bins + axis;
    for ( int side = 0; side < 2; ++side )
    {
        float least = 1e30f, most = -1e30f;
        for ( int k = 0; k < 3; ++k )
        {
            float at = supComponent( overlap->positions[triangle->corners[k]], supNextAxis( axis, side + 1 ) );
            least = supMinF( least, at );
            most = supMaxF( most, at );
        }
        low[side] = supBinAt( bins, side, least );
        high[side] = supBinAt( bins, side, most );
    }
}

/// Counts the triangles of each field, or files them where `file`: then `starts` run up to the next field's.
static void supFileTriangles( supSkinOverlap* overlap, int axis, bool file )
{
    supRayBins* bins = overlap->bins + axis;
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        int low[2], high[2];
        if ( overlap->triangles[t].piece < 0 )
        {
            continue;
        }
        supBinsOf( overlap, axis, overlap->triangles + t, low, high );
        for ( int v = low[1]; v <= high[1]; ++v )
        {
            for ( int u = low[0]; u <= high[0]; ++u )
            {
                int32_t* at = bins->starts + v * supBins + u;
                if ( file )
                {
                    bins->triangles[*at] = t;
                }
                *at += 1;
            }
        }
    }
}

static bool supFillBins( supSkinOverlap* overlap, int axis, supVec3 low, supVec3 high )
{
    supRayBins* bins = overlap->bins + axis;
    for ( int side = 0; side < 2; ++side )
    {
        float from = supComponent( low, supNextAxis( axis, side + 1 ) );
        float to = supComponent( high, supNextAxis( axis, side + 1 ) );
        bins->low[side] = from;
        bins->scale[side] = to > from ? (float)supBins / ( to - from ) : 0.0f;
    }
    memset( bins->starts, 0, sizeof( int32_t ) * ( supBins * supBins + 1 ) );
    supFileTriangles( overlap, axis, false );
    int32_t sum = 0;
    for ( int i = 0; i <= supBins * supBins; ++i )
    {
        int32_t own = bins->starts[i];
        bins->starts[i] = sum;
        sum += own;
    }
    if ( (size_t)sum > bins->room )
    {
        supFree( &overlap->allocator, bins->triangles, bins->room * sizeof( int32_t ) );
        bins->room = 2 * (size_t)sum;
        bins->triangles = supAlloc( &overlap->allocator, bins->room * sizeof( int32_t ), _Alignof( int32_t ) );
        bins->room = bins->triangles != NULL ? bins->room : 0;
        if ( bins->triangles == NULL )
        {
            return false;
        }
    }
    supFileTriangles( overlap, axis, true );
    // filing has moved every start to the next field's
    memmove( bins->starts + 1, bins->starts, sizeof( int32_t ) * supBins * supBins );
    bins->starts[0] = 0;
    return true;
}

/// Balls around the triangles of each group, by their own.
static void supLayGroups( supSkinOverlap* overlap )
{
    for ( int32_t from = 0; from < overlap->count; from += supGroup )
    {
        int32_t to = from + supGroup < overlap->count ? from + supGroup : overlap->count;
        supGroupBall* group = overlap->groups + from / supGroup;
        *group = ( supGroupBall ){ supVec3_zero, 0.0f };
        for ( int32_t t = from; t < to; ++t )
        {
            group->middle = supMulAdd( group->middle, 1.0f / (float)( to - from ), overlap->triangles[t].middle );
        }
        for ( int32_t t = from; t < to; ++t )
        {
            const supSkinTriangle* triangle = overlap->triangles + t;
            group->radius = supMaxF( group->radius, supDistance( group->middle, triangle->middle ) + triangle->radius );
        }
    }
}

bool supSkinOverlap_Look( supSkinOverlap* overlap, const supVec3* positions )
{
    int32_t vertices = supCharacter_Info( overlap->character )->vertexCount;
    overlap->positions = positions;
    overlap->lastFound = -1;
    memset( overlap->normals, 0, sizeof( supVec3 ) * (size_t)vertices );
    supVec3 low = positions[0], high = positions[0];
    for ( int32_t v = 0; v < vertices; ++v )
    {
        low = supMinVec3( low, positions[v] );
        high = supMaxVec3( high, positions[v] );
    }
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        supSkinTriangle* triangle = overlap->triangles + t;
        supVec3 a = positions[triangle->corners[0]], b = positions[triangle->corners[1]],
                c = positions[triangle->corners[2]];
        supVec3 area = supCross( supSub( b, a ), supSub( c, a ) );
        triangle->middle = supScale( supAdd( supAdd( a, b ), c ), 1.0f / 3.0f );
        triangle->radius = supMaxF( supDistance( triangle->middle, a ),
            supMaxF( supDistance( triangle->middle, b ), supDistance( triangle->middle, c ) ) );
        for ( int k = 0; k < 3; ++k )
        {
            supVec3* normal = overlap->normals + overlap->welds[triangle->corners[k]];
            *normal = supAdd( *normal, area );
        }
    }
    supVec3 sides = supSub( high, low );
    overlap->longest = sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2;
    supLayGroups( overlap );
    bool fits = true;
    for ( int axis = 0; axis < 3 && fits; ++axis )
    {
        fits = supFillBins( overlap, axis, low, high );
    }
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// A vertex

/// How often each surface goes around a point.
typedef struct supCrossings
{
    int32_t count;
    int32_t pieces[supMostAround];
    int turns[supMostAround][3]; ///< by a ray along each axis
} supCrossings;

static void supAddCrossing( supCrossings* crossings, int32_t piece, int axis, int turn )
{
    int32_t at = 0;
    while ( at < crossings->count && crossings->pieces[at] != piece )
    {
        ++at;
    }
    if ( at == crossings->count && at < supMostAround )
    {
        crossings->pieces[at] = piece;
        memset( crossings->turns[at], 0, sizeof( crossings->turns[at] ) );
        crossings->count += 1;
    }
    if ( at < supMostAround )
    {
        crossings->turns[at][axis] += turn;
    }
}

/// Twice the area of (a, b, p) as seen along the axis.
static double supSeenArea( supVec3 a, supVec3 b, supVec3 p, int axis )
{
    int u = supNextAxis( axis, 1 ), v = supNextAxis( axis, 2 );
    double au = (double)supComponent( a, u ) - (double)supComponent( p, u ),
           av = (double)supComponent( a, v ) - (double)supComponent( p, v );
    double bu = (double)supComponent( b, u ) - (double)supComponent( p, u ),
           bv = (double)supComponent( b, v ) - (double)supComponent( p, v );
    return au * bv - av * bu;
}

/// Crossings of the ray from p along an axis: +1 where it leaves a surface, -1 where it enters one.
static void supCrossRay( const supSkinOverlap* overlap, supVec3 p, int axis, supCrossings* crossings )
{
    const supRayBins* bins = overlap->bins + axis;
    int u = supBinAt( bins, 0, supComponent( p, supNextAxis( axis, 1 ) ) ),
        v = supBinAt( bins, 1, supComponent( p, supNextAxis( axis, 2 ) ) );
    for ( int32_t i = bins->starts[v * supBins + u]; i < bins->starts[v * supBins + u + 1]; ++i )
    {
        const supSkinTriangle* triangle = overlap->triangles + bins->triangles[i];
        supVec3 c[3] = { overlap->positions[triangle->corners[0]], overlap->positions[triangle->corners[1]],
            overlap->positions[triangle->corners[2]] };
        double areas[3] = { supSeenArea( c[1], c[2], p, axis ), supSeenArea( c[2], c[0], p, axis ),
            supSeenArea( c[0], c[1], p, axis ) };
        bool left = areas[0] > 0.0 && areas[1] > 0.0 && areas[2] > 0.0,
             right = areas[0] < 0.0 && areas[1] < 0.0 && areas[2] < 0.0;
        if ( !left && !right )
        {
            continue;
        }
        double sum = areas[0] + areas[1] + areas[2], at = 0.0;
        for ( int k = 0; k < 3; ++k )
        {
            at += areas[k] / sum * (double)supComponent( c[k], axis );
        }
        if ( at > (double)supComponent( p, axis ) )
        {
            supAddCrossing( crossings, triangle->piece, axis, left ? 1 : -1 );
        }
    }
}

/// Takes a triangle for the way out where it is closer, of that piece, and has no corner in that part.
static void supTryWayOut(
    const supSkinOverlap* overlap, supVec3 p, int32_t piece, int32_t part, int32_t triangle, supWayOut* out )
{
    const int32_t* c = overlap->triangles[triangle].corners;
    const supVec3* x = overlap->positions;
    if ( overlap->triangles[triangle].piece != piece || overlap->parts[c[0]] == part || overlap->parts[c[1]] == part ||
         overlap->parts[c[2]] == part )
    {
        return;
    }
    supFootPoint foot = supClosestOnTriangle( p, x[c[0]], x[c[1]], x[c[2]] );
    if ( out->triangle < 0 || foot.distance < out->depth )
    {
        out->depth = foot.distance;
        out->triangle = triangle;
        memcpy( out->corners, c, sizeof( out->corners ) );
        memcpy( out->shares, foot.shares, sizeof( out->shares ) );
    }
}

/// The closest triangle of a piece that has no corner in `part`; depth 0: there is none. `guess`: a triangle that may
/// be close, or -1; what it gives rules out most others.
static supWayOut supToOtherPart( const supSkinOverlap* overlap, supVec3 p, int32_t piece, int32_t part, int32_t guess )
{
    supWayOut out = { .triangle = -1 };
    if ( guess >= 0 )
    {
        supTryWayOut( overlap, p, piece, part, guess, &out );
    }
    for ( int32_t t = 0; t < overlap->count; ++t )
    {
        float most = out.triangle >= 0 ? out.depth : overlap->size;
        const supGroupBall* group = overlap->groups + t / supGroup;
        if ( t % supGroup == 0 && supDistance( p, group->middle ) > most + group->radius )
        {
            t += supGroup - 1;
            continue;
        }
        const supSkinTriangle* triangle = overlap->triangles + t;
        supVec3 off = supSub( p, triangle->middle );
        float bound = most + triangle->radius;
        if ( supDot( off, off ) <= bound * bound )
        {
            supTryWayOut( overlap, p, piece, part, t, &out );
        }
    }
    return out;
}

/// How many rays say that a surface goes around the point.
static int supInsideVotes( const supCrossings* crossings, int32_t surface )
{
    const int* turns = crossings->turns[surface];
    return ( turns[0] > 0 ) + ( turns[1] > 0 ) + ( turns[2] > 0 );
}

supWayOut supSkinOverlap_Depth( supSkinOverlap* overlap, int32_t vertex )
{
    supVec3 own = overlap->positions[vertex], normal = supNormalize( overlap->normals[overlap->welds[vertex]] );
    supVec3 p = supMulAdd( own, supHair * overlap->size, normal );
    supCrossings crossings = { 0 };
    // two of three: a ray through an edge, or through a small hole, may be wrong. The longest way is asked last
    bool agree = true;
    supCrossRay( overlap, p, supNextAxis( overlap->longest, 1 ), &crossings );
    supCrossRay( overlap, p, supNextAxis( overlap->longest, 2 ), &crossings );
    for ( int32_t i = 0; i < crossings.count; ++i )
    {
        agree = agree && supInsideVotes( &crossings, i ) != 1;
    }
    if ( !agree )
    {
        supCrossRay( overlap, p, overlap->longest, &crossings );
    }
    supWayOut deepest = { 0 };
    for ( int32_t i = 0; i < crossings.count; ++i )
    {
        if ( supInsideVotes( &crossings, i ) >= 2 )
        {
            supWayOut out =
                supToOtherPart( overlap, own, crossings.pieces[i], overlap->parts[vertex], overlap->lastFound );
            overlap->lastFound = out.triangle >= 0 ? out.triangle : overlap->lastFound;
            deepest = out.depth > deepest.depth ? out : deepest;
        }
    }
    return deepest;
}

// ---------------------------------------------------------------------------------------------------------------
// How much deeper flesh brings parts of the body into one another, with contact and without.

enum
{
    supContactMoments = 17 ///< of a take
};

typedef struct supContactWork
{
    const supStackLayer* entry;
    int32_t at; ///< of the layer on the stack
    int32_t vertices;
    supBody* body;
    supPose* pose;
    supSkinOverlap* overlap;
    supVec3 *smooth, *living;
    float* depths; ///< of each vertex: without contact, with it
    float* most;   ///< of each vertex, the same: what flesh can have added
} supContactWork;

/// How far flesh has moved a vertex against the point of the skin where it would come out, along the way out: it cannot
/// have brought it deeper than this. (The closest way out of a part can change from one side to another where the skin
/// folds; depths jump there though nothing else does.)
static float supMovedAgainst( const supContactWork* work, int32_t vertex, const supWayOut* out )
{
    supVec3 moved = supSub( work->living[vertex], work->smooth[vertex] ), q = supVec3_zero;
    for ( int k = 0; k < 3; ++k )
    {
        supVec3 corner = supSub( work->living[out->corners[k]], work->smooth[out->corners[k]] );
        moved = supMulAdd( moved, -out->shares[k], corner );
        q = supMulAdd( q, out->shares[k], work->living[out->corners[k]] );
    }
    supVec3 way = supNormalize( supSub( q, work->living[vertex] ) );
    return supMaxF( -supDot( moved, way ), 0.0f );
}

/// How deep the living skin at hand is inside other parts.
static bool supFillLiving( supContactWork* work, int with )
{
    bool fits = supSkinOverlap_Look( work->overlap, work->living );
    for ( int32_t v = 0; v < work->vertices && fits; ++v )
    {
        supWayOut out = supSkinOverlap_Depth( work->overlap, v );
        work->depths[2 * (size_t)v + (size_t)with] = out.depth;
        work->most[2 * (size_t)v + (size_t)with] = out.depth > 0.0f ? supMovedAgainst( work, v, &out ) : 0.0f;
    }
    return fits;
}

static bool supLookAtContacts( supContactWork* work, const supTake* take, double time, supContactReport* out )
{
    supPose_Sample( work->pose, take->clip, time );
    supBody_SetMorphWeights( work->body, supPose_MorphWeights( work->pose ) );
    supTake_Show( take, time, supPose_Joints( work->pose ), work->body );
    supBody_SmoothSkin( work->body, &work->smooth->x, NULL );
    bool fits = true;
    for ( int with = 0; with < 2 && fits; ++with )
    {
        for ( int32_t i = 0; i < work->entry->allLive; ++i )
        {
            work->body->layers.layers[work->at].live[i] = with == 1 ? work->entry->live[i] : 0.0f;
        }
        supBody_Skin( work->body, &work->living->x, NULL );
        fits = supFillLiving( work, with );
    }
    fits = fits && supSkinOverlap_Look( work->overlap, work->smooth );
    for ( int32_t v = 0; v < work->vertices && fits; ++v )
    {
        const float *depths = work->depths + 2 * (size_t)v, *most = work->most + 2 * (size_t)v;
        bool inside = depths[0] > 0.0f || depths[1] > 0.0f;
        float smooth = inside ? supSkinOverlap_Depth( work->overlap, v ).depth : 0.0f;
        float without = supClampF( depths[0] - smooth, 0.0f, most[0] ),
              with = supClampF( depths[1] - smooth, 0.0f, most[1] );
        out->deepestSmooth = supMaxF( out->deepestSmooth, smooth );
        out->deepestWithout = supMaxF( out->deepestWithout, without );
        out->deepestWith = supMaxF( out->deepestWith, with );
        out->sumWithout += (double)without;
        out->sumWith += (double)with;
    }
    return fits;
}

supResult supMeasureContacts(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supContactReport* out, supError* error )
{
    *out = ( supContactReport ){ 0 };
    supContactWork work = { .at = supStack_Find( &model->stack, sup_layerContact ),
        .vertices = supCharacter_Info( model->character )->vertexCount };
    if ( work.at < 0 )
    {
        return sup_success;
    }
    work.entry = model->stack.layers + work.at;
    size_t skinSize = 2 * (size_t)work.vertices * sizeof( supVec3 ),
           depthsSize = 4 * (size_t)work.vertices * sizeof( float );
    work.smooth = supAlloc( &model->allocator, skinSize, _Alignof( supVec3 ) );
    work.depths = supAlloc( &model->allocator, depthsSize, _Alignof( float ) );
    work.overlap = supMakeSkinOverlap( model->character, &model->allocator );
    bool fits = work.smooth != NULL && work.depths != NULL && work.overlap != NULL &&
                supCreateBody( model, &work.body, NULL ) == sup_success &&
                supCreatePose( model->character, SUP_MAKE_IN( &model->allocator ), &work.pose, NULL ) == sup_success;
    work.living = fits ? work.smooth + work.vertices : NULL;
    work.most = fits ? work.depths + 2 * (size_t)work.vertices : NULL;
    for ( int32_t n = 0; fits && n < takeCount * supContactMoments; ++n )
    {
        const supTake* take = takes[n / supContactMoments];
        double share = (double)( n % supContactMoments ) / ( supContactMoments - 1 );
        fits = supLookAtContacts( &work, take, take->info.start + ( take->info.end - take->info.start ) * share, out );
    }
    supDestroyBody( work.body );
    supDestroyPose( work.pose );
    supDropSkinOverlap( work.overlap );
    supFree( &model->allocator, work.depths, depthsSize );
    supFree( &model->allocator, work.smooth, skinSize );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory to measure contacts" );
}
