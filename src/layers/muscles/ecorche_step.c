// The écorché in motion.
// SPDX-License-Identifier: MIT
//
// State, one after the other: counters, t, slopes and offsets of all rays (whole blocks), the pieces of the frame, a
// list of those near a block, which rays were lost, the maps of the joints, the muscles' frame.

#include "base/hash.h"
#include "base/math.h"
#include "layers/muscles/ecorche_compile.h"
#include "layers/muscles/ecorche_data.h"
#include "layers/muscles/muscles.h"

#include <string.h>

/// Rays are looked for this far to both sides of the last hit first, in t; then along all of their way and this far
/// beyond the skin.
static const float supFollowReach = 0.3f, supFarthest = 3.0f;
/// Faster than this is a jump: shares of the size, a second and in any case.
static const float supJumpSpeed = 0.15f, supJumpLeast = 5e-4f;
/// Over which jumps die away, in seconds; what is less of them is none, in t.
static const float supJumpTime = 0.06f, supJumpGone = 1e-6f;

/// Hits that are as near as so many least steps are the same.
static const float supSameSteps = 16.0f;

typedef struct supEcorchePlaces
{
    float *t, *slopes;
    float* offsets; ///< a ray: what is left of jumps, in t
    supImplicitReady* pieces;
    supImplicitEntry* list;
    uint8_t* lost; ///< a ray: it kept its last place
    supMat34* carried;
    void* frame;
    size_t size;
} supEcorchePlaces;

/// Where things stand in the state. The muscles' frame is last: its size is asked for when it is known.
static supEcorchePlaces supPlacesIn( const supEcorche* ecorche, void* state )
{
    size_t rays = (size_t)ecorche->blockCount * SUP_IMPLICIT_LANES;
    supEcorchePlaces places;
    supLayout layout = supLayoutIn( state );
    SUP_PUT_NEW_WIDE( &layout, supEcorcheState, own, 1 );
    (void)own; // it comes first
    SUP_PUT_WIDE( &layout, places.t, rays );
    SUP_PUT_WIDE( &layout, places.slopes, rays );
    SUP_PUT_WIDE( &layout, places.offsets, rays );
    SUP_PUT_WIDE( &layout, places.pieces, ecorche->pieceCount );
    SUP_PUT_WIDE( &layout, places.list, ecorche->pieceCount );
    SUP_PUT_WIDE( &layout, places.lost, rays );
    SUP_PUT_WIDE( &layout, places.carried, ecorche->jointCount );
    SUP_PUT_BYTES( &layout, places.frame, ecorche->frameSize );
    places.size = layout.size;
    return places;
}

int32_t supEcorcheShownCount( const void* compiled )
{
    return ( (const supEcorche*)compiled )->rayCount;
}

size_t supEcorcheStateSize( const void* compiled )
{
    return supPlacesIn( compiled, NULL ).size;
}

static int32_t supRayOf( const supEcorche* ecorche, int32_t block, int lane )
{
    int32_t ray = block * SUP_IMPLICIT_LANES + lane;
    return ray < ecorche->rayCount ? ray : ecorche->rayCount - 1;
}

void supResetEcorche( const void* compiled, void* state, float* shown )
{
    const supEcorche* ecorche = compiled;
    supEcorchePlaces at = supPlacesIn( ecorche, state );
    *(supEcorcheState*)state = ( supEcorcheState ){ 0 };
    for ( int32_t i = 0; i < ecorche->blockCount * SUP_IMPLICIT_LANES; ++i )
    {
        int32_t r = supRayOf( ecorche, 0, i );
        at.t[i] = ecorche->rest[r];
        at.slopes[i] = ecorche->slopes[r];
        at.offsets[i] = 0.0f;
    }
    memset( at.lost, 0, (size_t)ecorche->blockCount * SUP_IMPLICIT_LANES );
    memset( shown, 0, (size_t)ecorche->rayCount * sizeof( float ) );
}

void supCarryJoints( const supEcorche* ecorche, const supMat34* joints, supMat34* carried )
{
    for ( int32_t j = 0; j < ecorche->jointCount; ++j )
    {
        carried[j] = supMulMat( joints[j], ecorche->fromRest[j] );
    }
}

supMat34 supCarryRay( const supRayHold* hold, const supMat34* carried )
{
    supMat34 sum = { supVec3_zero, supVec3_zero, supVec3_zero, supVec3_zero };
    for ( int32_t i = 0; i < hold->count; ++i )
    {
        const supMat34* m = carried + hold->joints[i];
        float w = hold->weights[i];
        sum.x = supMulAdd( sum.x, w, m->x );
        sum.y = supMulAdd( sum.y, w, m->y );
        sum.z = supMulAdd( sum.z, w, m->z );
        sum.t = supMulAdd( sum.t, w, m->t );
    }
    return sum;
}

/// The same, over those of the last step. True: nothing has moved since.
static bool supCarryAgain( const supEcorche* ecorche, const supMat34* joints, supMat34* carried )
{
    bool same = true;
    for ( int32_t j = 0; j < ecorche->jointCount; ++j )
    {
        supMat34 m = supMulMat( joints[j], ecorche->fromRest[j] );
        same = same && memcmp( carried + j, &m, sizeof( m ) ) == 0;
        carried[j] = m;
    }
    return same;
}

/// A block's rays in the pose.
static supRayBatch supPoseBlock( const supEcorche* ecorche, int32_t block, const supMat34* carried )
{
    supRayBatch rays;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        int32_t r = supRayOf( ecorche, block, i );
        supMat34 m = supCarryRay( ecorche->holds + r, carried );
        supVec3 from = supTransformPoint( m, ecorche->from[r] ), way = supTransformVector( m, ecorche->way[r] );
        rays.from.x[i] = from.x, rays.from.y[i] = from.y, rays.from.z[i] = from.z;
        rays.way.x[i] = way.x, rays.way.y[i] = way.y, rays.way.z[i] = way.z;
        rays.steps[i] = ecorche->tolerance / supMaxF( ecorche->lengths[r], ecorche->tolerance );
        rays.filled[i] = ecorche->filling;
        rays.soft[i] = ecorche->soft;
    }
    return rays;
}

/// The block's pieces that come near its rays between `low` and `high`. Gives how many.
static int32_t supListPieces( const supEcorche* ecorche, int32_t block, const supRayBatch* rays, const float* low,
    const float* high, const supImplicitReady* pieces, supImplicitEntry* list )
{
    supVec3 least = { 1e30f, 1e30f, 1e30f }, most = { -1e30f, -1e30f, -1e30f };
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        supVec3 from = { rays->from.x[i], rays->from.y[i], rays->from.z[i] };
        supVec3 way = { rays->way.x[i], rays->way.y[i], rays->way.z[i] };
        supVec3 a = supMulAdd( from, low[i], way ), b = supMulAdd( from, high[i], way );
        least = supMinVec3( least, supMinVec3( a, b ) );
        most = supMaxVec3( most, supMaxVec3( a, b ) );
    }
    int32_t count = 0;
    for ( int32_t i = ecorche->firstPiece[block]; i < ecorche->firstPiece[block + 1]; ++i )
    {
        const supImplicitReady* piece = pieces + ecorche->near[i].piece;
        bool apart = piece->low.x > most.x || piece->high.x < least.x || piece->low.y > most.y ||
                     piece->high.y < least.y || piece->low.z > most.z || piece->high.z < least.z;
        list[count] = ecorche->near[i];
        count += apart ? 0 : 1;
    }
    return count;
}

static void supSetRange( const supRayHits* hits, float reach, float* low, float* high )
{
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        low[i] = supMaxF( hits->t[i] - reach, 0.0f );
        high[i] = supMinF( hits->t[i] + reach, supFarthest );
    }
}

/// Those that had not been found are taken from another look. True: now all are.
static bool supTakeFound( const supRayHits* other, supRayHits* hits )
{
    bool all = true;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        bool takes = !hits->found[i] && other->found[i];
        hits->t[i] = takes ? other->t[i] : hits->t[i];
        hits->slopes[i] = takes ? other->slopes[i] : hits->slopes[i];
        hits->found[i] = hits->found[i] || takes;
        all = all && hits->found[i];
    }
    return all;
}

/// A block's own rays that are near muscles; the others move nothing.
static bool supIsFollowed( const supEcorche* ecorche, int32_t block, int lane )
{
    int32_t r = block * SUP_IMPLICIT_LANES + lane;
    return r < ecorche->rayCount && ecorche->fades[r] > 0.0f;
}

static void supCountLost( const supEcorche* ecorche, supEcorcheState* state, const supEcorchePlaces* at, int32_t block,
    const supRayHits* hits )
{
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        bool lost = supIsFollowed( ecorche, block, i ) && !hits->found[i];
        state->lost += lost;
        at->lost[block * SUP_IMPLICIT_LANES + i] = lost;
    }
}

/// Near the last hits first; those that are not found there along all of their way from them; at last, once, from
/// outside.
static void supStepBlock(
    const supEcorche* ecorche, supEcorcheState* state, const supEcorchePlaces* at, int32_t block, supRayHits* hits )
{
    supRayBatch rays = supPoseBlock( ecorche, block, at->carried );
    float low[SUP_IMPLICIT_LANES], high[SUP_IMPLICIT_LANES];
    supSetRange( hits, supFollowReach, low, high );
    int32_t count = supListPieces( ecorche, block, &rays, low, high, at->pieces, at->list );
    state->lookUps += supFollowRays( &rays, at->pieces, at->list, count, low, high, hits );
    supRayHits again = *hits;
    uint8_t* lost = at->lost + (size_t)block * SUP_IMPLICIT_LANES;
    if ( supTakeFound( hits, hits ) )
    {
        memset( lost, 0, SUP_IMPLICIT_LANES );
        return;
    }
    supSetRange( hits, 10.0f, low, high );
    count = supListPieces( ecorche, block, &rays, low, high, at->pieces, at->list );
    state->lookUps += supFollowRays( &rays, at->pieces, at->list, count, low, high, &again );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        state->retried += supIsFollowed( ecorche, block, i ) && !hits->found[i];
    }
    bool all = supTakeFound( &again, hits ), isNew = false;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        isNew = isNew || ( !hits->found[i] && lost[i] == 0 && supIsFollowed( ecorche, block, i ) );
    }
    if ( !all && isNew ) // those that were lost before have been looked for so already
    {
        supCatchRays( &rays, at->pieces, at->list, count, 0.0f, supFarthest, sup_catchAgainSteps, &again );
        state->lookUps += sup_catchAgainSteps;
        supTakeFound( &again, hits );
    }
    supCountLost( ecorche, state, at, block, hits );
}

// Rays go on from where they were: where muscles lie over one another a posture that is reached in two ways could have
// two écorchés. So one that is held is looked at as the rest is, a share of the blocks in each of a few steps: from the
// skin inwards, or outwards where a muscle has come through it. What that changes dies away as jumps do.
static bool supSettlesNow( const supEcorcheState* state, int32_t block )
{
    int32_t steps = sup_ecorcheSettling - 1;
    return state->held > 0 && state->held <= steps && block % steps == state->held - 1;
}

static void supSettleBlock(
    const supEcorche* ecorche, supEcorcheState* state, const supEcorchePlaces* at, int32_t block, supRayHits* hits )
{
    supRayBatch rays = supPoseBlock( ecorche, block, at->carried );
    float bone[SUP_IMPLICIT_LANES], skin[SUP_IMPLICIT_LANES], beyond[SUP_IMPLICIT_LANES];
    supRayHits outer, through;
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        bone[i] = 0.0f;
        skin[i] = through.t[i] = 1.0f;
        beyond[i] = supFarthest;
        through.slopes[i] = ecorche->slopes[supRayOf( ecorche, block, i )];
    }
    int32_t count = supListPieces( ecorche, block, &rays, bone, beyond, at->pieces, at->list );
    supCatchRays( &rays, at->pieces, at->list, count, 0.0f, 1.0f, sup_catchAgainSteps, &outer );
    state->lookUps += sup_catchAgainSteps;
    state->lookUps += supFollowRays( &rays, at->pieces, at->list, count, skin, beyond, &through );
    supTakeFound( &through, &outer );
    for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
    {
        bool other = outer.found[i] && supAbsF( outer.t[i] - hits->t[i] ) > supSameSteps * rays.steps[i];
        hits->t[i] = other ? outer.t[i] : hits->t[i];
        hits->slopes[i] = other ? outer.slopes[i] : hits->slopes[i];
    }
}

/// How jumps are eased in a step.
typedef struct supEase
{
    float fastest; ///< a ray that moves by more than this has jumped. Metres
    float left;    ///< share of earlier jumps that is left
} supEase;

// Where a muscle slides off a ray, or a gap opens beneath it, the surface along the ray jumps, however smoothly the
// muscles move. The jump is kept as an offset that dies away: what is shown goes on from where it was (after Bollo,
// "Inertialization", 2018), while the hit itself is the new one at once.
static void supShowBlock( const supEcorche* ecorche, supEcorcheState* state, const supEcorchePlaces* at, int32_t block,
    const supRayHits* hits, const supEase* ease, float* shown )
{
    for ( int i = 0; i < SUP_IMPLICIT_LANES && block * SUP_IMPLICIT_LANES + i < ecorche->rayCount; ++i )
    {
        int32_t r = block * SUP_IMPLICIT_LANES + i;
        float move = hits->t[i] - at->t[r], offset = ease->left * at->offsets[r];
        offset = supAbsF( move ) * ecorche->lengths[r] > ease->fastest ? offset - move : offset;
        offset = supAbsF( offset ) < supJumpGone ? 0.0f : offset;
        state->moved = state->moved || offset != 0.0f;
        at->offsets[r] = offset;
        shown[r] = hits->t[i] - ecorche->rest[r] + offset;
    }
}

void supStepEcorche( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supEcorche* ecorche = compiled;
    const supEarlierLayer* earlier = supFindEarlier( frame->earlier, frame->earlierCount, &sup_musclesLayer );
    const supMuscles* muscles = earlier != NULL ? earlier->compiled : NULL;
    supEcorchePlaces at = supPlacesIn( ecorche, state );
    supEcorcheState* own = state;
    float dt = own->started ? frame->dt : 0.0f;
    int32_t held = own->tuned ? 0 : own->held;
    uint64_t before = own->muscles;
    *own = ( supEcorcheState ){ .started = true };
    if ( muscles == NULL )
    {
        return;
    }
    supMuscleFrame now;
    supMuscleFrame_Place( &now, muscles, at.frame );
    supMuscleFrame_Pose( &now, muscles, frame->joints, earlier->live, earlier->shown );
    supPlacePieces( muscles, &now, earlier->live, at.pieces );
    supHash tuned = supMakeHash();
    supHash_Floats( &tuned, earlier->live, (size_t)( muscles->count * sup_muscleLiveCount + muscles->listedLive ) );
    own->muscles = supHash_Value( &tuned );
    bool alike = supCarryAgain( ecorche, frame->joints, at.carried ) && own->muscles == before;
    bool stands = alike && dt > 0.0f;
    own->held = !stands ? 0 : held < sup_ecorcheSettling ? held + 1 : held;
    own->moved = stands && own->held < sup_ecorcheSettling;
    // without time nothing eases: a body that is paused stays as it is, one that is put somewhere is there
    supEase ease = { dt > 0.0f ? ecorche->size * ( supJumpSpeed * dt + supJumpLeast ) : 1e30f,
        dt > 0.0f ? supExpF( -dt / supJumpTime )
        : alike   ? 1.0f
                  : 0.0f };
    for ( int32_t b = 0; b < ecorche->blockCount; ++b )
    {
        if ( ecorche->firstPiece[b] == ecorche->firstPiece[b + 1] )
        {
            continue; // no muscles near: it keeps its share of the way
        }
        int32_t first = b * SUP_IMPLICIT_LANES;
        supRayHits hits;
        memcpy( hits.t, at.t + first, sizeof( hits.t ) );
        memcpy( hits.slopes, at.slopes + first, sizeof( hits.slopes ) );
        supEase eased = ease;
        if ( supSettlesNow( own, b ) )
        {
            supSettleBlock( ecorche, own, &at, b, &hits );
            eased.fastest = 0.0f;
        }
        supStepBlock( ecorche, own, &at, b, &hits );
        own->moved = own->moved || memcmp( hits.t, at.t + first, sizeof( hits.t ) ) != 0;
        supShowBlock( ecorche, own, &at, b, &hits, &eased, shown );
        memcpy( at.t + first, hits.t, sizeof( hits.t ) );
        memcpy( at.slopes + first, hits.slopes, sizeof( hits.slopes ) );
    }
}

/// The rays live in model space: where the entity stands is nothing to them.
void supTeleportEcorche( const void* compiled, void* state, supMat34 motion )
{
    (void)compiled, (void)state, (void)motion;
}

/// What the old écorché added to the skin above a ray, as a share of the ray's way.
static float supShareOnSkin( const supEcorche* ecorche, int32_t ray, const supEcorche* old, const float* oldShown )
{
    int32_t low = 0, high = old->skinCount, vertex = ecorche->vertices[ray];
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        low = old->skin[middle] < vertex ? middle + 1 : low;
        high = old->skin[middle] < vertex ? high : middle;
    }
    float sum = 0.0f;
    bool found = low < old->skinCount && old->skin[low] == vertex;
    for ( int32_t k = found ? old->firstBond[low] : 0; found && k < old->firstBond[low + 1]; ++k )
    {
        sum += old->bondWeights[k] * oldShown[old->bondRays[k]] * old->lengths[old->bondRays[k]];
    }
    return sum / supMaxF( ecorche->lengths[ray], ecorche->tolerance );
}

/// Rays that end on the same vertices go on from where they were, as far from rest; others from where the skin was.
void supAdoptEcorche( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown )
{
    (void)frame;
    const supEcorche *ecorche = compiled, *old = oldCompiled;
    supEcorchePlaces at = supPlacesIn( ecorche, state ), from = supPlacesIn( old, (void*)oldState );
    bool same = ecorche->rayCount == old->rayCount &&
                memcmp( ecorche->vertices, old->vertices, (size_t)old->rayCount * sizeof( int32_t ) ) == 0;
    supEcorcheState* own = state;
    own->started = ( (const supEcorcheState*)oldState )->started;
    own->tuned = true;
    for ( int32_t i = 0; i < ecorche->blockCount * SUP_IMPLICIT_LANES && own->started; ++i )
    {
        int32_t r = supRayOf( ecorche, 0, i );
        float rest = ecorche->rest[r];
        bool kept = same && rest == old->rest[r]; // to the bit
        float share = same ? from.t[r] - old->rest[r] : supShareOnSkin( ecorche, r, old, oldShown );
        at.t[i] = kept ? from.t[r] : rest + share;
        at.slopes[i] = kept ? from.slopes[r] : at.slopes[i];
        at.offsets[i] = same ? from.offsets[r] : 0.0f;
        shown[r] = same ? oldShown[r] : share;
    }
}

bool supEcorcheIsAtRest( const void* compiled, const void* state )
{
    (void)compiled;
    const supEcorcheState* own = state;
    return own->started && !own->moved && !own->tuned;
}

void supTunedEcorche( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)compiled, (void)live, (void)item;
    ( (supEcorcheState*)state )->tuned = true;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking again

/// How far to both sides of each hit the surface has changed sides, in metres; no less than the tolerance.
static void supBoundHits( const supEcorche* ecorche, const supEcorchePlaces* at, int32_t block, float* bounds )
{
    supRayBatch rays = supPoseBlock( ecorche, block, at->carried );
    const supImplicitEntry* near = ecorche->near + ecorche->firstPiece[block];
    int32_t count = ecorche->firstPiece[block + 1] - ecorche->firstPiece[block];
    float reach = ecorche->tolerance;
    memset( bounds, 0, SUP_IMPLICIT_LANES * sizeof( float ) );
    for ( bool open = true; open && reach < ecorche->size; reach *= 2.0f )
    {
        float before[SUP_IMPLICIT_LANES], after[SUP_IMPLICIT_LANES], inside[SUP_IMPLICIT_LANES],
            outside[SUP_IMPLICIT_LANES];
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            int32_t r = supRayOf( ecorche, block, i );
            float step = reach / supMaxF( ecorche->lengths[r], ecorche->tolerance );
            before[i] = at->t[block * SUP_IMPLICIT_LANES + i] - step;
            after[i] = at->t[block * SUP_IMPLICIT_LANES + i] + step;
        }
        supRayValues( &rays, before, at->pieces, near, count, inside );
        supRayValues( &rays, after, at->pieces, near, count, outside );
        open = false;
        for ( int i = 0; i < SUP_IMPLICIT_LANES; ++i )
        {
            bool holds = inside[i] >= 0.0f && outside[i] <= 0.0f;
            bounds[i] = bounds[i] == 0.0f && holds ? reach : bounds[i];
            open = open || bounds[i] == 0.0f;
        }
    }
}

const uint8_t* supEcorcheLost( const void* compiled, void* state )
{
    return supPlacesIn( compiled, state ).lost;
}

supEcorcheAudit supAuditEcorche( const void* compiled, void* state )
{
    const supEcorche* ecorche = compiled;
    supEcorchePlaces at = supPlacesIn( ecorche, state );
    supEcorcheAudit audit = {
        .rays = ecorche->rayCount, .outside = ecorche->outsideRays, .lost = ( (const supEcorcheState*)state )->lost
    };
    for ( int32_t b = 0; b < ecorche->blockCount; ++b )
    {
        float bounds[SUP_IMPLICIT_LANES];
        bool near = ecorche->firstPiece[b] < ecorche->firstPiece[b + 1];
        if ( near )
        {
            supBoundHits( ecorche, &at, b, bounds );
        }
        for ( int i = 0; near && i < SUP_IMPLICIT_LANES && b * SUP_IMPLICIT_LANES + i < ecorche->rayCount; ++i )
        {
            int32_t r = b * SUP_IMPLICIT_LANES + i;
            audit.followed += ecorche->fades[r] > 0.0f;
            bool kept = at.lost[r] != 0 || !( ecorche->fades[r] > 0.0f );
            float bound = bounds[i] > 0.0f ? bounds[i] / ecorche->size : 1.0f;
            audit.farthest = kept ? audit.farthest : supMaxF( audit.farthest, bound );
        }
    }
    return audit;
}
