// Folds that keep the length of a control line.
// SPDX-License-Identifier: MIT
//
// After Larboulette, Cani, "Real-time dynamic wrinkles", 2004. A control line is cut in as many pieces as there are
// folds; x runs from 0 to 1 along each. A vertex near the line rises along its normal by
//
//     A ( 1 - cos 2 pi y ) / 2 * ( 1 - ( d / width )^2 )^2          d: its distance from the line at rest
//
// with y from 0 to 1 a little inside of x, so that edges of the mesh do not reach from one fold's rise into the next
// piece, and where the height A of each fold is what makes its piece of the line, as the mesh has it, as long as at
// rest: the length grows with A, so A is found by halving. A piece that is as long as at rest, or longer, has no fold.

#include "layers/wrinkles/wrinkles.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/moved_surface.h"
#include "supple/lab/drawing.h"

#include <string.h>

enum
{
    supMostPoints = 256,
    supRounds = 3,
    supHalvings = 24,
};

/// More than this at both ends of a fold, and too little of it would be left to rise.
static const float supMostGap = 0.2f;

typedef struct supWrinkle
{
    int32_t folds;
    float foldWidth; ///< at rest. Metres
    float gap;       ///< at both ends of a fold, where nothing rises. Share of its width
    supLinePoint line[supLineSamples];
    int32_t rows[supLineSamples][3]; ///< of the surface; -1: does not move
    float restLengths[supMostFolds];
    supSurface* surface;
    float* profiles; ///< of the surface's vertices
    float* sums;     ///< of these: how long the sum of the normals of the triangles around is at rest
    int32_t* foldOf;
    size_t rowsSize;
} supWrinkle;

typedef struct supWrinkles
{
    int32_t count;
    supWrinkle* items;
    int32_t touchedCount;
    int32_t* touched;
    size_t touchedSize, scratchSize, blockSize;
} supWrinkles;

// ---------------------------------------------------------------------------------------------------------------
// Compiling

static float supPieceLength( const supWrinkle* wrinkle, int32_t fold, const supVec3* positions )
{
    float sum = 0.0f;
    for ( int32_t i = fold * supFoldSamples; i < ( fold + 1 ) * supFoldSamples; ++i )
    {
        sum += supDistance(
            supLinePlace( wrinkle->line + i, positions ), supLinePlace( wrinkle->line + i + 1, positions ) );
    }
    return sum;
}

/// The mean length of the edges that a line runs over.
static float supMeanEdge( const supLinePoint* line, int32_t count, const supVec3* rest )
{
    float sum = 0.0f;
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = line[i].corners;
        sum += supDistance( rest[c[0]], rest[c[1]] ) + supDistance( rest[c[1]], rest[c[2]] ) +
               supDistance( rest[c[2]], rest[c[0]] );
    }
    return sum / (float)( 3 * count );
}

/// How many folds: those asked for, if the mesh can show them, or as many as it can.
static supResult supChooseFolds(
    supWrinkle* wrinkle, const supWrinkleDef* def, int32_t item, const supVec3* rest, supError* error )
{
    wrinkle->folds = 1;
    float length = supPieceLength( wrinkle, 0, rest );
    float edge = supMeanEdge( wrinkle->line, supFoldSamples + 1, rest );
    int32_t most = (int32_t)supClampF( length / ( 2.0f * edge ), 0.0f, (float)supMostFolds );
    int32_t wanted = (int32_t)( def->folds + 0.5f );
    if ( !( length > 0.0f ) || most < 1 || wanted > most )
    {
        return supFail( error, sup_errorData,
            "wrinkles[%d].folds: the mesh is too coarse: %d on a line of %.3g m whose edges are %.3g m long, and an edge may be half a fold at most; %s",
            item, wanted > 0 ? wanted : 1, (double)length, (double)edge,
            most < 1 ? "make the line longer, or the mesh finer" : "ask for fewer, or make the mesh finer" );
    }
    int32_t fitting = most / 2 < 6 ? most / 2 : 6; // four edges and more each: two alone look torn
    wrinkle->folds = wanted > 0 ? wanted : fitting > 1 ? fitting : 1;
    wrinkle->foldWidth = length / (float)wrinkle->folds;
    wrinkle->gap = supMinF( edge / wrinkle->foldWidth, supMostGap );
    return sup_success;
}

/// Where a place lies along the line, 0 to 1, and how far from it.
static float supAlongLine( const supWrinkle* wrinkle, const supVec3* places, supVec3 p, float* distance )
{
    int32_t last = wrinkle->folds * supFoldSamples;
    float best = 1e30f, along = 0.0f;
    for ( int32_t i = 0; i < last; ++i )
    {
        supVec3 a = places[i], ab = supSub( places[i + 1], a );
        float square = supDot( ab, ab );
        float t = square > 0.0f ? supClampF( supDot( supSub( p, a ), ab ) / square, 0.0f, 1.0f ) : 0.0f;
        float d = supDistance( p, supMulAdd( a, t, ab ) );
        if ( d < best )
        {
            best = d;
            along = ( (float)i + t ) / (float)last;
        }
    }
    *distance = best;
    return along;
}

/// Vertices within reach of the line, rising, on its side of the skin. Gives how many.
static int32_t supListNear( const supWrinkle* wrinkle, const supLineSkin* skin, const supVec3* rest,
    const supVec3* places, float width, int32_t vertexCount, uint8_t* marks, int32_t* vertices )
{
    int32_t count = 0;
    supVec3 facing = supVec3_zero;
    for ( int32_t i = 0; i <= wrinkle->folds * supFoldSamples; ++i )
    {
        const int32_t* c = wrinkle->line[i].corners;
        facing = supAdd( facing, supFaceNormal( rest[c[0]], rest[c[1]], rest[c[2]] ) );
    }
    for ( int32_t t = 0; t < skin->triangleCount; ++t )
    {
        const int32_t* c = skin->corners + 3 * (size_t)t;
        bool sameSide = supDot( supFaceNormal( rest[c[0]], rest[c[1]], rest[c[2]] ), facing ) > 0.0f;
        for ( int k = 0; k < 3 && sameSide; ++k )
        {
            marks[c[k]] = 1;
        }
    }
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        float distance = 1e30f;
        if ( marks[v] != 0 )
        {
            supAlongLine( wrinkle, places, rest[v], &distance );
        }
        if ( distance < width )
        {
            vertices[count++] = v;
        }
        marks[v] = 0;
    }
    return count;
}

static void supFillProfiles( supWrinkle* wrinkle, const supVec3* rest, const supVec3* places, float width )
{
    for ( int32_t row = 0; row < wrinkle->surface->count; ++row )
    {
        float distance, s = supAlongLine( wrinkle, places, rest[wrinkle->surface->vertices[row]], &distance );
        float x = s * (float)wrinkle->folds, side = supMaxF( 1.0f - distance * distance / ( width * width ), 0.0f );
        int32_t fold = (int32_t)x < wrinkle->folds ? (int32_t)x : wrinkle->folds - 1;
        float y = ( x - (float)fold - wrinkle->gap ) / ( 1.0f - 2.0f * wrinkle->gap );
        float rise = (float)( 0.5 - 0.5 * supCos( 2.0 * SUP_PI * (double)supClampF( y, 0.0f, 1.0f ) ) );
        wrinkle->foldOf[row] = fold;
        wrinkle->profiles[row] = rise * side * side;
    }
    for ( int32_t i = 0; i <= wrinkle->folds * supFoldSamples; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            wrinkle->rows[i][k] = -1;
            for ( int32_t row = 0; row < wrinkle->surface->count; ++row )
            {
                bool same = wrinkle->surface->vertices[row] == wrinkle->line[i].corners[k];
                wrinkle->rows[i][k] = same ? row : wrinkle->rows[i][k];
            }
        }
    }
}

static bool supFillSums( supWrinkle* wrinkle, const supVec3* rest, const supAllocator* allocator )
{
    const supSurface* surface = wrinkle->surface;
    size_t bytes = sizeof( supVec3 ) * (size_t)( surface->triangleCount + surface->count + 1 );
    supVec3* faces = supAlloc( allocator, bytes, _Alignof( supVec3 ) );
    if ( faces == NULL )
    {
        return false;
    }
    supVec3* sums = faces + surface->triangleCount;
    supSurface_Normals( surface, rest, faces, sums );
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        wrinkle->sums[row] = supLength( sums[row] );
    }
    supFree( allocator, faces, bytes );
    return true;
}

static bool supMakeFolds( supWrinkle* wrinkle, const supLayerContext* context, const supLineSkin* skin, float width )
{
    const supCharacter* character = context->character;
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    int32_t all = supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, uint8_t, marks, all + 1 );
    SUP_PUT_NEW( &layout, int32_t, vertices, all + 1 );
    SUP_PUT_NEW( &layout, supVec3, places, supLineSamples );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    for ( int32_t i = 0; i <= wrinkle->folds * supFoldSamples; ++i )
    {
        places[i] = supLinePlace( wrinkle->line + i, rest );
    }
    for ( int32_t f = 0; f < wrinkle->folds; ++f )
    {
        wrinkle->restLengths[f] = supPieceLength( wrinkle, f, rest );
    }
    int32_t count = supListNear( wrinkle, skin, rest, places, width, all, marks, vertices );
    wrinkle->surface = supMakeSurface( character, vertices, count, false, context->allocator );
    size_t rows = wrinkle->surface != NULL ? (size_t)wrinkle->surface->count + 1 : 1;
    wrinkle->rowsSize = rows * sizeof( float );
    wrinkle->profiles = supAlloc( context->allocator, wrinkle->rowsSize, _Alignof( float ) );
    wrinkle->foldOf = supAlloc( context->allocator, wrinkle->rowsSize, _Alignof( int32_t ) );
    wrinkle->sums = supAlloc( context->allocator, wrinkle->rowsSize, _Alignof( float ) );
    bool fits = wrinkle->surface != NULL && wrinkle->profiles != NULL && wrinkle->foldOf != NULL &&
                wrinkle->sums != NULL && supFillSums( wrinkle, rest, context->allocator );
    if ( fits )
    {
        supFillProfiles( wrinkle, rest, places, width );
    }
    supFree( context->allocator, block, layout.size );
    return fits;
}

static supResult supMakeWrinkle(
    supWrinkle* wrinkle, const supLayerContext* context, const supWrinkleDef* def, int32_t item, supError* error )
{
    const supVec3* rest = (const supVec3*)supCharacter_Info( context->character )->restPositions;
    char place[SUP_PATH_TEXT];
    supPathText( place, "wrinkles[%d].joint", item );
    int32_t joint = def->joint != NULL ? supFindJointWords( context->character, def->joint ) : -1;
    if ( def->joint != NULL && joint < 0 )
    {
        return supNoJoint( context->character, place, def->joint, error );
    }
    supLineSkin skin = { 0 };
    supVec3 points[supMostPoints];
    supResult result = supMakeLineSkin( context, def, item, &skin, error );
    int32_t count = 0;
    if ( result == sup_success )
    {
        result = supFindLine( context, def, item, joint, &skin, supMostPoints, points, &count, error );
    }
    if ( result == sup_success && count < 2 )
    {
        result = supFail( error, sup_errorData,
            "wrinkles[%d].points: missing, and no clip shortens the surface by 2%% anywhere; give points", item );
    }
    if ( result == sup_success )
    {
        supLayLine( &skin, points, count, supFoldSamples + 1, wrinkle->line );
        result = supChooseFolds( wrinkle, def, item, rest, error );
    }
    if ( result == sup_success )
    {
        supLayLine( &skin, points, count, wrinkle->folds * supFoldSamples + 1, wrinkle->line );
        bool fits = supMakeFolds( wrinkle, context, &skin, def->width * supCharacter_Info( context->character )->size );
        result = fits ? result : supFail( error, sup_errorMemory, "wrinkles[%d]: no memory", item );
    }
    supDropLineSkin( &skin, context->allocator );
    return result;
}

/// All vertices with a profile, rising.
static bool supListWrinkled( supWrinkles* wrinkles, const supLayerContext* context )
{
    size_t all = (size_t)supCharacter_Info( context->character )->vertexCount;
    uint8_t* marks = supAllocZeroed( context->allocator, all + 1, 1, 1 );
    for ( int32_t i = 0; marks != NULL && i < wrinkles->count; ++i )
    {
        const supWrinkle* wrinkle = wrinkles->items + i;
        for ( int32_t row = 0; row < wrinkle->surface->count; ++row )
        {
            uint8_t* mark = marks + wrinkle->surface->vertices[row];
            wrinkles->touchedCount += *mark == 0 && wrinkle->profiles[row] > 0.0f;
            *mark = *mark != 0 || wrinkle->profiles[row] > 0.0f;
        }
    }
    wrinkles->touchedSize = ( (size_t)wrinkles->touchedCount + 1 ) * sizeof( int32_t );
    wrinkles->touched =
        marks != NULL ? supAlloc( context->allocator, wrinkles->touchedSize, _Alignof( int32_t ) ) : NULL;
    int32_t at = 0;
    for ( size_t v = 0; wrinkles->touched != NULL && v < all; ++v )
    {
        if ( marks[v] != 0 )
        {
            wrinkles->touched[at++] = (int32_t)v;
        }
    }
    supFree( context->allocator, marks, all + 1 );
    return wrinkles->touched != NULL;
}

supResult supCompileWrinkles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    *out = NULL;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supWrinkles, wrinkles, 1 );
    SUP_PUT_NEW( &layout, supWrinkle, itemsRoom, count );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "wrinkles: no memory" );
    }
    *wrinkles = ( supWrinkles ){ .items = itemsRoom, .blockSize = layout.size };
    supResult result = sup_success;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        wrinkles->count = i + 1;
        result = supMakeWrinkle( wrinkles->items + i, context, items[i], i, error );
        const supSurface* surface = wrinkles->items[i].surface;
        size_t bytes =
            result == sup_success ? supSurface_ScratchSize( surface ) + sizeof( supVec3 ) * (size_t)surface->count : 0;
        wrinkles->scratchSize = bytes > wrinkles->scratchSize ? bytes : wrinkles->scratchSize;
    }
    if ( result == sup_success && !supListWrinkled( wrinkles, context ) )
    {
        result = supFail( error, sup_errorMemory, "wrinkles: no memory" );
    }
    *out = wrinkles;
    if ( result != sup_success )
    {
        supDestroyWrinkles( wrinkles, context->allocator );
        *out = NULL;
    }
    return result;
}

void supDestroyWrinkles( void* compiled, const supAllocator* allocator )
{
    supWrinkles* wrinkles = compiled;
    for ( int32_t i = 0; i < wrinkles->count; ++i )
    {
        supWrinkle* wrinkle = wrinkles->items + i;
        supFree( allocator, wrinkle->profiles, wrinkle->rowsSize );
        supFree( allocator, wrinkle->foldOf, wrinkle->rowsSize );
        supFree( allocator, wrinkle->sums, wrinkle->rowsSize );
        supFree( allocator, wrinkle->surface, wrinkle->surface != NULL ? wrinkle->surface->blockSize : 0 );
    }
    supFree( allocator, wrinkles->touched, wrinkles->touchedSize );
    supFree( allocator, wrinkles, wrinkles->blockSize );
}

int32_t supWrinklesTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supWrinkles*)compiled )->touched;
    return ( (const supWrinkles*)compiled )->touchedCount;
}

size_t supWrinklesScratch( const void* compiled )
{
    return ( (const supWrinkles*)compiled )->scratchSize;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// A place of the line with folds of these heights. `rises`: normal times profile of the surface's vertices.
static supVec3 supFoldedPlace( const supWrinkle* wrinkle, int32_t i, const supVec3* places, const supVec3* rises,
    const float* heights, int32_t fold, float height )
{
    supVec3 p = places[i];
    for ( int k = 0; k < 3; ++k )
    {
        int32_t row = wrinkle->rows[i][k];
        if ( row >= 0 )
        {
            float own = wrinkle->foldOf[row] == fold ? height : heights[wrinkle->foldOf[row]];
            p = supMulAdd( p, wrinkle->line[i].shares[k] * own, rises[row] );
        }
    }
    return p;
}

static float supFoldedLength( const supWrinkle* wrinkle, const supVec3* places, const supVec3* rises,
    const float* heights, int32_t fold, float height )
{
    float sum = 0.0f;
    supVec3 last = supFoldedPlace( wrinkle, fold * supFoldSamples, places, rises, heights, fold, height );
    for ( int32_t i = fold * supFoldSamples + 1; i <= ( fold + 1 ) * supFoldSamples; ++i )
    {
        supVec3 next = supFoldedPlace( wrinkle, i, places, rises, heights, fold, height );
        sum += supDistance( last, next );
        last = next;
    }
    return sum;
}

/// The height that makes one piece of the line as long as it is at rest. A piece is at least twice as long as it is
/// high, so half the fold's width would do, but for what the mesh cuts off its peak: three times that (on a cat of
/// 6,000 vertices one and a half times was too little, and the line 12% too short).
static float supFoldHeight(
    const supWrinkle* wrinkle, const supVec3* places, const supVec3* rises, const float* heights, int32_t fold )
{
    float rest = wrinkle->restLengths[fold];
    if ( supFoldedLength( wrinkle, places, rises, heights, fold, 0.0f ) >= rest )
    {
        return 0.0f;
    }
    float low = 0.0f, high = 1.5f * wrinkle->foldWidth;
    for ( int i = 0; i < supHalvings; ++i )
    {
        float middle = 0.5f * ( low + high );
        bool shorter = supFoldedLength( wrinkle, places, rises, heights, fold, middle ) < rest;
        low = shorter ? middle : low;
        high = shorter ? high : middle;
    }
    return 0.5f * ( low + high );
}

/// From sums of normals to unit directions times profiles. Where the skin is pressed to little area, or folded, the
/// triangles around a vertex say little about its normal: there the fold's own mean direction counts.
static void supAimRises( const supWrinkle* wrinkle, supVec3* rises )
{
    supVec3 means[supMostFolds] = { { 0.0f, 0.0f, 0.0f } };
    for ( int32_t row = 0; row < wrinkle->surface->count; ++row )
    {
        supVec3* mean = means + wrinkle->foldOf[row];
        *mean = supMulAdd( *mean, wrinkle->profiles[row], rises[row] );
    }
    for ( int32_t row = 0; row < wrinkle->surface->count; ++row )
    {
        float trust = supClampF( supLength( rises[row] ) / ( 0.5f * wrinkle->sums[row] + 1e-30f ), 0.0f, 1.0f );
        supVec3 along = supLerp( supNormalize( means[wrinkle->foldOf[row]] ), supNormalize( rises[row] ), trust );
        rises[row] = supScale( supNormalize( along ), wrinkle->profiles[row] );
    }
}

static void supFold( const supWrinkle* wrinkle, void* scratch, float height, supVec3* positions )
{
    const supSurface* surface = wrinkle->surface;
    supVec3 places[supLineSamples];
    float heights[supMostFolds] = { 0.0f };
    bool shortened = false;
    for ( int32_t i = 0; i <= wrinkle->folds * supFoldSamples; ++i )
    {
        places[i] = supLinePlace( wrinkle->line + i, positions );
    }
    for ( int32_t f = 0; f < wrinkle->folds; ++f )
    {
        // rounding at rest is no shortening
        shortened = shortened || supPieceLength( wrinkle, f, positions ) < ( 1.0f - 1e-4f ) * wrinkle->restLengths[f];
    }
    if ( !shortened || !( height > 0.0f ) )
    {
        return;
    }
    supVec3* faces = scratch;
    supVec3* rises = faces + surface->triangleCount;
    supSurface_Normals( surface, positions, faces, rises );
    supAimRises( wrinkle, rises );
    // a triangle can lie across two folds: a few rounds
    for ( int32_t i = 0; i < supRounds * wrinkle->folds; ++i )
    {
        heights[i % wrinkle->folds] = supFoldHeight( wrinkle, places, rises, heights, i % wrinkle->folds );
    }
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        float rise = height * heights[wrinkle->foldOf[row]];
        supVec3* p = positions + surface->vertices[row];
        *p = rise > 0.0f && wrinkle->profiles[row] > 0.0f ? supMulAdd( *p, rise, rises[row] ) : *p;
    }
}

void supApplyWrinkles( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supWrinkles* wrinkles = compiled;
    for ( int32_t i = 0; i < wrinkles->count; ++i )
    {
        supFold( wrinkles->items + i, frame->scratch, frame->live[i], positions );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

int32_t supWrinkleFolds( const void* compiled, int32_t item )
{
    return ( (const supWrinkles*)compiled )->items[item].folds;
}

float supWrinkleLength( const void* compiled, int32_t item, int32_t fold, const supVec3* positions, float* rest )
{
    const supWrinkle* wrinkle = ( (const supWrinkles*)compiled )->items + item;
    *rest = wrinkle->restLengths[fold];
    return supPieceLength( wrinkle, fold, positions );
}

/// The control lines, with points between folds.
void supDrawWrinkles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown, (void)what, (void)frame;
    const supWrinkles* wrinkles = compiled;
    for ( int32_t i = 0; draw->line != NULL && i < wrinkles->count; ++i )
    {
        const supWrinkle* wrinkle = wrinkles->items + i;
        for ( int32_t n = 0; n < wrinkle->folds * supFoldSamples; ++n )
        {
            supVec3 from = supLinePlace( wrinkle->line + n, positions ),
                    to = supLinePlace( wrinkle->line + n + 1, positions );
            draw->line( from, to, supDraw_Distinct( i ), 3.0f, draw->user );
            if ( draw->point != NULL && n % supFoldSamples == 0 )
            {
                draw->point( from, supDraw_Distinct( i ), 7.0f, draw->user );
            }
        }
    }
}
