// The écorché, compiled: rays, what is near each block of them, where they meet the surface at rest.
// SPDX-License-Identifier: MIT

#include "layers/muscles/ecorche_compile.h"

#include "base/fields.h"
#include "base/math.h"
#include "layers/layer.h"
#include "layers/muscles/ecorche_data.h"
#include "layers/muscles/muscles.h"

#include <string.h>

/// Pieces this near to a block of rays at rest act on it; share of the size.
static const float supNearRest = 0.02f;
/// Bones shorter than this do not set joints apart; share of the size.
static const float supShortBone = 0.03f;
/// Joints that carry them are at most so many steps apart.
enum
{
    supMostHops = 1,
    supSpreadTurns = 12,
};
/// From a muscle's surface on the skin's motion fades out over this; shares of the size.
static const float supFadeFrom = 0.025f, supFadeTo = 0.06f;
/// The écorché may come through the skin by this share of the size, and a few rays by more, where muscles cross a fold
/// (an armpit): these stay on the skin, and are counted. More is a mistake in the rig.
static const float supMostOutside = 0.01f, supMostOutsideAnywhere = 0.06f, supMostOutsideRays = 0.02f;
/// The middle of a piece may lie this far outside the skin, as a share of the size.
static const float supMostStray = 0.02f;
/// Hits are followed until their steps are smaller; share of the size.
static const float supStepShare = 2e-6f;
/// Blending width of what fills the way, as a share of it.
static const float supFillingBlend = 0.2f;

typedef struct supEcorcheCompile
{
    const supLayerContext* context;
    const supEcorcheDef* def;
    const supMuscles* muscles; ///< NULL: none in the rig
    const float* muscleLive;
    supEcorcheSkin* skin;
    supEcorcheMesh* mesh;
    supArray lines;                           ///< supCoreLine
    supArray near;                            ///< supImplicitEntry
    supArray shares;                          ///< float
    supArray skinList, firsts, rays, weights; ///< bonds
    supImplicitReady* pieces;                 ///< at rest
    int32_t pieceCount;
    size_t piecesSize;
    supEcorche* ecorche;
} supEcorcheCompile;

static supResult supNoEcorcheMemory( supError* error )
{
    return supFail( error, sup_errorMemory, "ecorche: no memory" );
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces at rest

static bool supPlaceRestPieces( supEcorcheCompile* work )
{
    const supAllocator* allocator = work->context->allocator;
    work->pieceCount = supCountPieces( work->muscles );
    work->piecesSize = ( (size_t)work->pieceCount + 1 ) * sizeof( supImplicitReady );
    work->pieces = supAlloc( allocator, work->piecesSize, _Alignof( supImplicitReady ) );
    if ( work->muscles == NULL || work->pieces == NULL )
    {
        return work->pieces != NULL;
    }
    size_t frameSize = supMuscleFrame_Size( work->muscles );
    void* memory = supAlloc( allocator, frameSize, SUP_MAX_ALIGNMENT );
    if ( memory != NULL )
    {
        supMuscleFrame now = { 0 };
        supMuscleFrame_Place( &now, work->muscles, memory );
        supMuscleFrame_Pose(
            &now, work->muscles, supCharacter_Info( work->context->character )->restJoints, work->muscleLive, NULL );
        supPlacePieces( work->muscles, &now, work->muscleLive, work->pieces );
    }
    supFree( allocator, memory, frameSize );
    return memory != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

static supVec3 supNearestOnLine( const supCoreLine* line, supVec3 p )
{
    supVec3 way = supSub( line->b, line->a );
    float square = supLengthSquared( way );
    float t = square > 0.0f ? supClampF( supDot( supSub( p, line->a ), way ) / square, 0.0f, 1.0f ) : 0.0f;
    return supMulAdd( line->a, t, way );
}

static float supHeldShare( const supRayHold* hold, int32_t joint )
{
    float share = 0.0f;
    for ( int32_t i = 0; i < hold->count; ++i )
    {
        share += hold->joints[i] == joint ? hold->weights[i] : 0.0f;
    }
    return share;
}

/// Rays begin at the nearest point of the body's inner lines: of the parts that carry their skin.
static supVec3 supBeginningOf( const supEcorcheCompile* work, const supRayHold* hold, supVec3 tip )
{
    const supCoreLine* lines = work->lines.data;
    supVec3 best = tip;
    float nearest = -1.0f;
    for ( int pass = 0; pass < 2 && nearest < 0.0f; ++pass )
    {
        for ( size_t i = 0; i < work->lines.count; ++i )
        {
            bool own = supHeldShare( hold, lines[i].jointA ) > 0.1f || supHeldShare( hold, lines[i].jointB ) > 0.1f;
            supVec3 foot = supNearestOnLine( lines + i, tip );
            float distance = supDistance( tip, foot );
            if ( ( own || pass == 1 ) && ( nearest < 0.0f || distance < nearest ) )
            {
                nearest = distance;
                best = foot;
            }
        }
    }
    return best;
}

/// Neighbours that begin at different lines would cross: beginnings are spread evenly between them, each to the mean of
/// its neighbours' a few times. `way` and `lengths` are room for that.
static void supSpreadBeginnings( supEcorche* ecorche )
{
    for ( int turn = 0; turn < supSpreadTurns; ++turn )
    {
        for ( int32_t i = 0; i < ecorche->rayCount; ++i )
        {
            ecorche->way[i] = ecorche->from[i];
            ecorche->lengths[i] = 1.0f;
        }
        for ( int32_t i = 0; i < 3 * ecorche->triangleCount; ++i )
        {
            int32_t a = ecorche->triangles[i], b = ecorche->triangles[i % 3 == 2 ? i - 2 : i + 1];
            ecorche->way[a] = supAdd( ecorche->way[a], ecorche->from[b] );
            ecorche->way[b] = supAdd( ecorche->way[b], ecorche->from[a] );
            ecorche->lengths[a] += 1.0f;
            ecorche->lengths[b] += 1.0f;
        }
        for ( int32_t i = 0; i < ecorche->rayCount; ++i )
        {
            ecorche->from[i] = supScale( ecorche->way[i], 1.0f / ecorche->lengths[i] );
        }
    }
}

static void supPlaceRays( supEcorcheCompile* work )
{
    supEcorche* ecorche = work->ecorche;
    for ( int32_t i = 0; i < ecorche->rayCount; ++i )
    {
        int32_t v = work->mesh->vertices[i];
        supVec3 tip = work->skin->rest[v];
        ecorche->vertices[i] = v;
        ecorche->holds[i] = supEcorcheSkin_Hold( work->skin, v );
        ecorche->from[i] = supBeginningOf( work, ecorche->holds + i, tip );
    }
    memcpy( ecorche->triangles, work->mesh->triangles, 3 * (size_t)ecorche->triangleCount * sizeof( int32_t ) );
    supSpreadBeginnings( ecorche );
    for ( int32_t i = 0; i < ecorche->rayCount; ++i )
    {
        ecorche->way[i] = supSub( work->skin->rest[ecorche->vertices[i]], ecorche->from[i] );
        ecorche->lengths[i] = supLength( ecorche->way[i] );
    }
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    for ( int32_t j = 0; j < ecorche->jointCount; ++j )
    {
        supInvertMat( rest[j], ecorche->fromRest + j );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is near

static bool supBoxesMeet( supVec3 lowA, supVec3 highA, supVec3 lowB, supVec3 highB, float margin )
{
    return lowA.x <= highB.x + margin && lowB.x <= highA.x + margin && lowA.y <= highB.y + margin &&
           lowB.y <= highA.y + margin && lowA.z <= highB.z + margin && lowB.z <= highA.z + margin;
}

/// Bones between two joints, over their nearest common ancestor; short ones do not count. No more than supMostHops + 1.
static int32_t supHopsBetween( const supCharacter* character, int32_t a, int32_t b )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    float least = supShortBone * supCharacter_Info( character )->size;
    int32_t up = 0;
    for ( int32_t i = a; i >= 0 && up <= supMostHops; )
    {
        int32_t down = 0;
        for ( int32_t k = b; k >= 0 && up + down <= supMostHops; )
        {
            if ( k == i )
            {
                return up + down;
            }
            int32_t next = supCharacter_Joint( character, k )->parent;
            down += next >= 0 && supDistance( rest[k].t, rest[next].t ) > least;
            k = next;
        }
        int32_t next = supCharacter_Joint( character, i )->parent;
        up += next >= 0 && supDistance( rest[i].t, rest[next].t ) > least;
        i = next;
    }
    return supMostHops + 1;
}

/// How much a piece acts on a ray: by the ray's weights on joints next to those of the piece.
static float supShareOf( const supEcorcheCompile* work, const int32_t* joints, int32_t count, int32_t ray )
{
    const supRayHold* hold = work->ecorche->holds + ray;
    float sum = 0.0f;
    for ( int32_t i = 0; i < hold->count; ++i )
    {
        bool near = false;
        for ( int32_t k = 0; k < count && !near; ++k )
        {
            near = supHopsBetween( work->context->character, hold->joints[i], joints[k] ) <= supMostHops;
        }
        sum += near ? hold->weights[i] : 0.0f;
    }
    float x = supClampF( 1.5f * sum, 0.0f, 1.0f );
    return x * x * ( 3.0f - 2.0f * x );
}

/// Adds a piece to those of a block, unless none of its rays feels it. False: no memory.
static bool supAddNear( supEcorcheCompile* work, int32_t piece, int32_t block )
{
    int32_t joints[4], muscle;
    int32_t count = supPieceJoints( work->muscles, piece, &muscle, joints );
    float shares[SUP_IMPLICIT_LANES], most = 0.0f;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        int32_t r = block * SUP_IMPLICIT_LANES + i;
        shares[i] = supShareOf( work, joints, count, r < work->ecorche->rayCount ? r : work->ecorche->rayCount - 1 );
        most = supMaxF( most, shares[i] );
    }
    if ( !( most > 0.0f ) )
    {
        return true;
    }
    supImplicitEntry* to = supArray_Add( &work->near, 1 );
    float* lanes = supArray_Add( &work->shares, SUP_IMPLICIT_LANES );
    if ( to != NULL && lanes != NULL )
    {
        to->piece = piece;
        memcpy( lanes, shares, sizeof( shares ) );
    }
    return to != NULL && lanes != NULL;
}

/// Once the shares no longer move.
static void supPointAtShares( supArray* near, supArray* shares )
{
    for ( size_t i = 0; i < near->count; ++i )
    {
        ( (supImplicitEntry*)near->data )[i].shares = (const float*)shares->data + SUP_IMPLICIT_LANES * i;
    }
}

static bool supFindNear( supEcorcheCompile* work )
{
    supEcorche* ecorche = work->ecorche;
    for ( int32_t b = 0; b < ecorche->blockCount; ++b )
    {
        int32_t first = b * SUP_IMPLICIT_LANES, last = first + SUP_IMPLICIT_LANES - 1;
        last = last < ecorche->rayCount ? last : ecorche->rayCount - 1;
        supVec3 low = ecorche->from[first], high = low;
        for ( int32_t r = first; r <= last; ++r )
        {
            supVec3 tip = supAdd( ecorche->from[r], ecorche->way[r] );
            low = supMinVec3( low, supMinVec3( ecorche->from[r], tip ) );
            high = supMaxVec3( high, supMaxVec3( ecorche->from[r], tip ) );
        }
        ecorche->firstPiece[b] = (int32_t)work->near.count;
        for ( int32_t p = 0; p < work->pieceCount; ++p )
        {
            const supImplicitReady* piece = work->pieces + p;
            if ( supBoxesMeet( low, high, piece->low, piece->high, supNearRest * ecorche->size ) &&
                 !supAddNear( work, p, b ) )
            {
                return false;
            }
        }
    }
    ecorche->firstPiece[ecorche->blockCount] = (int32_t)work->near.count;
    supPointAtShares( &work->near, &work->shares );
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Hits at rest

static supRayBatch supRestBlock( const supEcorche* ecorche, int32_t block )
{
    supRayBatch rays;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        int32_t r = block * SUP_IMPLICIT_LANES + i;
        r = r < ecorche->rayCount ? r : ecorche->rayCount - 1;
        rays.from.x[i] = ecorche->from[r].x, rays.from.y[i] = ecorche->from[r].y, rays.from.z[i] = ecorche->from[r].z;
        rays.way.x[i] = ecorche->way[r].x, rays.way.y[i] = ecorche->way[r].y, rays.way.z[i] = ecorche->way[r].z;
        rays.steps[i] = ecorche->tolerance / supMaxF( ecorche->lengths[r], ecorche->tolerance );
        rays.filled[i] = ecorche->filling;
        rays.soft[i] = ecorche->soft;
    }
    return rays;
}

/// Fades by the way from the ray's end to the nearest muscle's surface.
static float supFadeOf( const supEcorcheCompile* work, int32_t ray, int32_t block )
{
    const supEcorche* ecorche = work->ecorche;
    const supImplicitEntry* near = work->near.data;
    supVec3 tip = supAdd( ecorche->from[ray], ecorche->way[ray] );
    float nearest = 1e30f;
    for ( int32_t i = ecorche->firstPiece[block]; i < ecorche->firstPiece[block + 1]; ++i )
    {
        const supImplicitReady* piece = work->pieces + near[i].piece;
        float along = supClampF( supDot( supSub( tip, piece->a ), piece->axis ), 0.0f, piece->length );
        float way = supDistance( tip, supMulAdd( piece->a, along, piece->axis ) ) - piece->radius;
        nearest = supMinF( nearest, way );
    }
    float x = ( nearest / ecorche->size - supFadeFrom ) / ( supFadeTo - supFadeFrom );
    x = supClampF( x, 0.0f, 1.0f );
    return 1.0f - x * x * ( 3.0f - 2.0f * x );
}

/// How far the surface is beyond the skin, where it is not before it.
typedef struct supOutside
{
    int32_t count, ray; ///< rays in all; the worst of them
    float most;         ///< metres
} supOutside;

/// Rays whose end on the skin is inside a muscle: it comes through the skin.
static void supSeekOutside(
    supEcorcheCompile* work, int32_t block, const supRayBatch* rays, supRayHits* hits, supOutside* outside )
{
    supEcorche* ecorche = work->ecorche;
    const supImplicitEntry* near = (const supImplicitEntry*)work->near.data + ecorche->firstPiece[block];
    int32_t count = ecorche->firstPiece[block + 1] - ecorche->firstPiece[block];
    supRayHits beyond = *hits;
    float values[SUP_IMPLICIT_LANES], low[SUP_IMPLICIT_LANES], high[SUP_IMPLICIT_LANES];
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        low[i] = beyond.t[i] = 1.0f;
        high[i] = 3.0f;
    }
    supRayValues( rays, low, work->pieces, near, count, values );
    supFollowRays( rays, work->pieces, near, count, low, high, &beyond );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        int32_t r = block * SUP_IMPLICIT_LANES + i;
        if ( values[i] <= 0.0f || r >= ecorche->rayCount )
        {
            continue;
        }
        float depth = ( ( beyond.found[i] ? beyond.t[i] : high[i] ) - 1.0f ) * ecorche->lengths[r];
        bool far = depth > supMostOutside * ecorche->size;
        hits->found[i] = !far;
        hits->t[i] = far ? 1.0f : beyond.t[i];
        hits->slopes[i] = beyond.slopes[i];
        outside->count += far;
        if ( depth > outside->most )
        {
            outside->most = depth;
            outside->ray = r;
        }
    }
}

/// Densities of muscles over those of everything, where the rays meet the surface. Fillers, which stand after all
/// muscles, are bones and organs.
static void supMeasureRedness(
    const supEcorcheCompile* work, int32_t block, const supRayBatch* rays, const supRayHits* hits )
{
    supEcorche* ecorche = work->ecorche;
    const supImplicitEntry* near = (const supImplicitEntry*)work->near.data + ecorche->firstPiece[block];
    supImplicitBatch points = supPointsOn( rays, hits->t );
    float values[SUP_IMPLICIT_LANES];
    int32_t count = ecorche->firstPiece[block + 1] - ecorche->firstPiece[block];
    while ( count > 0 && near[count - 1].piece >= supCountSegments( work->muscles ) )
    {
        --count;
    }
    supImplicit_Value( work->pieces, near, count, &points, values );
    for ( int i = 0; i < SUP_IMPLICIT_LANES && block * SUP_IMPLICIT_LANES + i < ecorche->rayCount; ++i )
    {
        ecorche->redness[block * SUP_IMPLICIT_LANES + i] = supClampF( 1.0f + 2.0f * values[i], 0.0f, 1.0f );
    }
}

static supOutside supCatchAtRest( supEcorcheCompile* work )
{
    supEcorche* ecorche = work->ecorche;
    supOutside outside = { .ray = -1 };
    for ( int32_t b = 0; b < ecorche->blockCount; ++b )
    {
        supRayBatch rays = supRestBlock( ecorche, b );
        supRayHits hits;
        supCatchRays( &rays, work->pieces, (const supImplicitEntry*)work->near.data + ecorche->firstPiece[b],
            ecorche->firstPiece[b + 1] - ecorche->firstPiece[b], 0.0f, 1.0f, sup_catchSteps, &hits );
        supSeekOutside( work, b, &rays, &hits, &outside );
        supMeasureRedness( work, b, &rays, &hits );
        for ( int i = 0; i < SUP_IMPLICIT_LANES && b * SUP_IMPLICIT_LANES + i < ecorche->rayCount; ++i )
        {
            int32_t r = b * SUP_IMPLICIT_LANES + i;
            ecorche->rest[r] = hits.t[i];
            ecorche->slopes[r] = hits.slopes[i];
            ecorche->fades[r] = hits.found[i] ? supFadeOf( work, r, b ) : 0.0f;
        }
    }
    ecorche->outsideRays = outside.count;
    return outside;
}

/// The muscle whose piece is thickest where a ray leaves the skin.
static const char* supNameOfOutside( const supEcorcheCompile* work, int32_t ray )
{
    const supEcorche* ecorche = work->ecorche;
    supVec3 tip = supAdd( ecorche->from[ray], ecorche->way[ray] );
    supImplicitBatch points;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        points.x[i] = tip.x, points.y[i] = tip.y, points.z[i] = tip.z;
    }
    const supImplicitEntry* near = work->near.data;
    int32_t block = ray / SUP_IMPLICIT_LANES, best = -1, joints[4];
    float most = -1.0f;
    for ( int32_t i = ecorche->firstPiece[block]; i < ecorche->firstPiece[block + 1]; ++i )
    {
        float values[SUP_IMPLICIT_LANES];
        int32_t muscle = -1;
        supImplicit_Value( work->pieces, near + i, 1, &points, values );
        supPieceJoints( work->muscles, near[i].piece, &muscle, joints );
        if ( values[ray % SUP_IMPLICIT_LANES] > most ) // shares of the pieces are the ray's own in its lane
        {
            most = values[ray % SUP_IMPLICIT_LANES];
            best = muscle;
        }
    }
    return best >= 0 ? work->muscles->muscles[best].name : NULL;
}

static supResult supRefuseOutside( const supEcorcheCompile* work, const supOutside* outside, supError* error )
{
    const supEcorche* ecorche = work->ecorche;
    supVec3 tip = supAdd( ecorche->from[outside->ray], ecorche->way[outside->ray] );
    const char* name = supNameOfOutside( work, outside->ray );
    const char* joint =
        supCharacter_Joint( work->context->character, work->skin->parts[ecorche->vertices[outside->ray]] )->name;
    return supFail( error, sup_errorData,
        "ecorche[0]: %s%s%s comes %.3g m through the skin at (%.3f, %.3f, %.3f), joint \"%s\" (%d of %d rays): make it "
        "thinner, or lower ecorche[0].filling",
        name != NULL ? "muscle \"" : "", name != NULL ? name : "it", name != NULL ? "\"" : "", (double)outside->most,
        (double)tip.x, (double)tip.y, (double)tip.z, joint, outside->count, ecorche->rayCount );
}

// ---------------------------------------------------------------------------------------------------------------
// One block

/// Room for the rays and all that has one entry a ray, a joint or a block.
static supEcorche* supAllocEcorche( const supEcorcheCompile* work )
{
    size_t rays = (size_t)work->mesh->rayCount, blocks = ( rays + SUP_IMPLICIT_LANES - 1 ) / SUP_IMPLICIT_LANES;
    size_t joints = (size_t)supCharacter_Info( work->context->character )->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supEcorche, ecorche, 1 );
    SUP_PUT_NEW( &layout, supVec3, places, 2 * rays );
    SUP_PUT_NEW( &layout, supRayHold, holds, rays );
    SUP_PUT_NEW( &layout, int32_t, vertices, rays );
    SUP_PUT_NEW( &layout, float, floats, 5 * rays );
    SUP_PUT_NEW( &layout, int32_t, triangles, 3 * (size_t)work->mesh->triangleCount );
    SUP_PUT_NEW( &layout, supMat34, fromRest, joints );
    SUP_PUT_NEW( &layout, int32_t, first, blocks + 1 );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *ecorche = ( supEcorche ){ .rayCount = (int32_t)rays,
        .blockCount = (int32_t)blocks,
        .from = places,
        .way = places + rays,
        .holds = holds,
        .vertices = vertices,
        .rest = floats,
        .slopes = floats + rays,
        .lengths = floats + 2 * rays,
        .fades = floats + 3 * rays,
        .redness = floats + 4 * rays,
        .jointCount = (int32_t)joints,
        .fromRest = fromRest,
        .triangleCount = work->mesh->triangleCount,
        .triangles = triangles,
        .pieceCount = work->pieceCount,
        .filling = work->def->filling,
        .soft = supFillingBlend * work->def->filling,
        .firstPiece = first,
        .size = supCharacter_Info( work->context->character )->size,
        .tolerance = supStepShare * supCharacter_Info( work->context->character )->size,
        .frameSize = work->muscles != NULL ? supMuscleFrame_Size( work->muscles ) : 0,
        .blockSize = layout.size };
    return ecorche;
}

/// Everything but the names. `outside`: what comes through the skin.
static bool supBuildEcorche( supEcorcheCompile* work, supOutside* outside )
{
    const supAllocator* allocator = work->context->allocator;
    work->skin = supReadEcorcheSkin( work->context->character, &work->def->meshes, allocator );
    if ( work->skin == NULL || !supDrawCore( work->skin, &work->lines ) || !supPlaceRestPieces( work ) )
    {
        return false;
    }
    work->mesh = supMakeEcorcheMesh( work->skin, (int32_t)work->def->rays );
    work->ecorche = work->mesh != NULL ? supAllocEcorche( work ) : NULL;
    if ( work->ecorche == NULL )
    {
        return false;
    }
    supPlaceRays( work );
    if ( !supFindNear( work ) )
    {
        return false;
    }
    *outside = supCatchAtRest( work );
    return supBindEcorche(
        work->skin, work->ecorche, work->def->falloff, &work->skinList, &work->firsts, &work->rays, &work->weights );
}

/// Hands the arrays over to the compiled écorché.
static void supKeepArrays( supEcorcheCompile* work )
{
    supEcorche* ecorche = work->ecorche;
    supArray* all[sup_ecorcheArrays] = { &work->near, &work->shares, &work->skinList, &work->firsts, &work->rays,
        &work->weights };
    for ( int i = 0; i < sup_ecorcheArrays; ++i )
    {
        ecorche->arrays[i] = *all[i];
        *all[i] = ( supArray ){ 0 };
    }
    ecorche->near = ecorche->arrays[0].data;
    ecorche->shares = ecorche->arrays[1].data;
    ecorche->skinCount = (int32_t)ecorche->arrays[2].count;
    ecorche->skin = ecorche->arrays[2].data;
    ecorche->firstBond = ecorche->arrays[3].data;
    ecorche->bondRays = ecorche->arrays[4].data;
    ecorche->bondWeights = ecorche->arrays[5].data;
}

/// Rays from the bones pass by what lies wholly beside the body.
static supResult supRefuseStray( const supEcorcheCompile* work, supError* error )
{
    supStrayBlob stray;
    if ( !supFindStrayBlob( work->skin, work->pieces, work->pieceCount, supMostStray * work->ecorche->size, &stray ) )
    {
        return supNoEcorcheMemory( error );
    }
    if ( stray.piece < 0 )
    {
        return sup_success;
    }
    int32_t muscle = -1, joints[4];
    supPieceJoints( work->muscles, stray.piece, &muscle, joints );
    return supFail( error, sup_errorData,
        "ecorche[0]: muscle \"%s\" lies %.3g m outside the skin at (%.3f, %.3f, %.3f); move its points into the body",
        work->muscles->muscles[muscle].name, (double)stray.distance, (double)stray.at.x, (double)stray.at.y,
        (double)stray.at.z );
}

static supResult supCheckMeshes( const supEcorcheCompile* work, supError* error )
{
    const supCharacter* character = work->context->character;
    for ( int32_t i = 0; i < work->def->meshes.count; ++i )
    {
        if ( !supHasMeshNamed( character, work->def->meshes.names[i] ) )
        {
            char place[SUP_PATH_TEXT];
            supPathText( place, "ecorche[0].meshes[%d]", i );
            return supNoMesh( character, place, work->def->meshes.names[i], error );
        }
    }
    return sup_success;
}

static void supDropEcorcheWork( supEcorcheCompile* work )
{
    const supAllocator* allocator = work->context->allocator;
    supFree( allocator, work->skin, work->skin != NULL ? work->skin->blockSize : 0 );
    supFree( allocator, work->mesh, work->mesh != NULL ? work->mesh->blockSize : 0 );
    supFree( allocator, work->pieces, work->piecesSize );
    supArray* all[] = { &work->lines, &work->near, &work->shares, &work->skinList, &work->firsts, &work->rays,
        &work->weights };
    for ( size_t i = 0; i < sizeof( all ) / sizeof( all[0] ); ++i )
    {
        supArray_Destroy( all[i] );
    }
}

supResult supCompileEcorche(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    if ( count > 1 )
    {
        return supFail(
            error, sup_errorData, "ecorche[1]: a body has only one écorché; move its `meshes` into ecorche[0]" );
    }
    const supEarlierLayer* muscles = supFindEarlier( context->earlier, context->earlierCount, &sup_musclesLayer );
    const supAllocator* allocator = context->allocator;
    supEcorcheCompile work = { .context = context,
        .def = items[0],
        .muscles = muscles != NULL ? muscles->compiled : NULL,
        .muscleLive = muscles != NULL ? muscles->live : NULL,
        .lines = supMakeArray( sizeof( supCoreLine ), allocator ),
        .near = supMakeArray( sizeof( supImplicitEntry ), allocator ),
        .shares = supMakeArray( sizeof( float ), allocator ),
        .skinList = supMakeArray( sizeof( int32_t ), allocator ),
        .firsts = supMakeArray( sizeof( int32_t ), allocator ),
        .rays = supMakeArray( sizeof( int32_t ), allocator ),
        .weights = supMakeArray( sizeof( float ), allocator ) };
    supOutside outside = { .ray = -1 };
    supResult result = work.muscles != NULL
                           ? supCheckMeshes( &work, error )
                           : supFail( error, sup_errorData, "ecorche[0]: the rig has no muscles to blend it from" );
    if ( result == sup_success )
    {
        result = supBuildEcorche( &work, &outside ) ? sup_success : supNoEcorcheMemory( error );
    }
    if ( result == sup_success && work.ecorche->rayCount == 0 )
    {
        result =
            supFail( error, sup_errorData, "ecorche[0].meshes: there is no skin over it: no mesh hangs on joints" );
    }
    if ( result == sup_success && ( outside.most > supMostOutsideAnywhere * work.ecorche->size ||
                                      (float)outside.count > supMostOutsideRays * (float)work.ecorche->rayCount ) )
    {
        result = supRefuseOutside( &work, &outside, error );
    }
    result = result == sup_success ? supRefuseStray( &work, error ) : result;
    if ( result == sup_success )
    {
        supKeepArrays( &work );
        *out = work.ecorche;
    }
    else if ( work.ecorche != NULL )
    {
        supFree( allocator, work.ecorche, work.ecorche->blockSize );
    }
    supDropEcorcheWork( &work );
    return result;
}

void supDestroyEcorche( void* compiled, const supAllocator* allocator )
{
    supEcorche* ecorche = compiled;
    for ( int i = 0; i < sup_ecorcheArrays; ++i )
    {
        supArray_Destroy( ecorche->arrays + i );
    }
    supFree( allocator, ecorche, ecorche->blockSize );
}
