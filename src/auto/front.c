// Which way a body looks: every cue has a say.
// SPDX-License-Identifier: MIT
//
// All cues answer one question: is the front along `axis`, or opposite? Each says so with a number from -1 to 1, and
// has a weight. The skeleton's names are one cue among the others.

#include "auto/body_plan.h"
#include "auto/joint_words.h"
#include "auto/reading.h"
#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum
{
    supLooksPerClip = 24,
    supMostClipsSeen = 12,
};

/// Hard pieces with less of the skin than this may be eyes, teeth and nostrils.
static const float supMostEye = 0.015f;
/// What is called eyes or teeth has at most this share, or the name means more than that.
static const float supMostFace = 0.3f;
/// Eyes are this far from the plane of symmetry; and a face is this share of the skin.
static const float supLeastBeside = 0.004f, supLeastFace = 1e-4f;
/// What a piece in that plane says, beside two eyes.
static const float supMiddlePiece = 0.35f;
/// What eyes of people say that are called so.
static const float supNamedEyes = 1.5f;

typedef struct supFrontWork
{
    supBodyReader* reader;
    supVec3 axis, up;
    float sum, all;
} supFrontWork;

static void supSay( supFrontWork* work, const char* cue, float says, float weight )
{
    // what has no size says nothing
    float share = supAbsF( says ) < 1e30f ? supClampF( says, -1.0f, 1.0f ) * weight : 0.0f;
    work->sum += share;
    work->all += supAbsF( share );
    supNoteEvidence( work->reader, "front", cue, share > 0.0f ? "+" : "-", share );
}

// ---------------------------------------------------------------------------------------------------------------
// Feet

/// How far the soles lie before the shins.
static float supMeasureFeet( const supFrontWork* work, int32_t limb )
{
    const supBodyGraph* graph = work->reader->graph;
    float low = 1e30f, high = -1e30f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        if ( graph->parts[graph->samples[i].part].limb == limb )
        {
            float height = supDot( graph->samples[i].at, work->up );
            low = supMinF( low, height );
            high = supMaxF( high, height );
        }
    }
    float sole = 0.0f, shin = 0.0f, soles = 0.0f, shins = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        const supSample* sample = graph->samples + i;
        if ( graph->parts[sample->part].limb != limb )
        {
            continue;
        }
        float t = ( supDot( sample->at, work->up ) - low ) / supMaxF( high - low, 1e-30f );
        float x = supDot( sample->at, work->axis );
        sole += t < 0.1f ? sample->area * x : 0.0f;
        soles += t < 0.1f ? sample->area : 0.0f;
        shin += t > 0.16f && t < 0.38f ? sample->area * x : 0.0f;
        shins += t > 0.16f && t < 0.38f ? sample->area : 0.0f;
    }
    return soles > 0.0f && shins > 0.0f ? ( sole / soles - shin / shins ) / graph->size : 0.0f;
}

static void supAskToes( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    float sum = 0.0f;
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        const supPair* pair = reader->pairs + reader->legs[i];
        sum += 0.5f * ( supMeasureFeet( work, pair->left ) + supMeasureFeet( work, pair->right ) );
    }
    bool stands = reader->reading->kind == sup_bodyHuman;
    if ( reader->legCount > 0 && reader->legCount < 3 )
    {
        supSay( work, "toes", sum / ( 0.02f * (float)reader->legCount ), stands ? 2.0f : 0.6f );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Head and tail

/// What lies beyond the legs at both ends of the spine.
static void supAskEnds( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    const supSpine* spine = &reader->signs->spine;
    float first = 0.45f, last = 0.55f;
    for ( int32_t i = 0; i < reader->legCount; ++i )
    {
        first = supMinF( first, reader->pairs[reader->legs[i]].along );
        last = supMaxF( last, reader->pairs[reader->legs[i]].along );
    }
    float areas[2] = { 0.0f, 0.0f }, radii[2] = { 0.0f, 0.0f }, sums[2] = { 1e-9f, 1e-9f };
    for ( int32_t b = 0; b < supProfileBins; ++b )
    {
        float t = ( (float)b + 0.5f ) / supProfileBins;
        areas[0] += t < first ? spine->areas[b] : 0.0f;
        areas[1] += t > last ? spine->areas[b] : 0.0f;
        int side = t < 0.5f ? 0 : 1;
        bool outer = b < 3 || b >= supProfileBins - 3;
        radii[side] += outer ? spine->areas[b] * spine->radii[b] : 0.0f;
        sums[side] += outer ? spine->areas[b] : 0.0f;
    }
    supVec3 chord = supSub( spine->points[0], spine->points[spine->count + 1] );
    float sign = supDot( chord, work->axis ) < 0.0f ? -1.0f : 1.0f;
    float both = areas[0] + areas[1];
    bool swims = reader->reading->kind == sup_bodyFish || reader->reading->kind == sup_bodySnake;
    if ( both > 0.0f && !swims )
    {
        // an insect's and a spider's abdomen is larger than its head
        bool legs = reader->reading->kind == sup_bodyManyLegged;
        supSay( work, legs ? "abdomen's bulk" : "head's bulk",
            ( legs ? -sign : sign ) * 1.5f * ( areas[0] - areas[1] ) / both, 1.0f );
    }
    if ( swims )
    {
        // the trunk is fullest before the middle: of the skin, more lies near the head
        float center = 0.0f, all = 0.0f;
        for ( int32_t b = 0; b < supProfileBins; ++b )
        {
            float volume = spine->areas[b] * spine->radii[b];
            center += volume * ( (float)b + 0.5f ) / supProfileBins;
            all += volume;
        }
        supSay( work, "taper", sign * 12.0f * ( 0.5f - center / supMaxF( all, 1e-9f ) ), 1.5f );
    }
    float ratio = ( radii[0] / sums[0] ) / supMaxF( radii[1] / sums[1], 1e-9f );
    float log2 = (float)( supLn( (double)supClampF( ratio, 0.05f, 20.0f ) ) / 0.693147 );
    if ( reader->reading->kind == sup_bodyQuadruped || reader->reading->kind == sup_bodyBiped )
    {
        supSay( work, "thin tail", sign * log2, 1.0f );
    }
    float rise = supDot( supSub( spine->points[0], spine->points[spine->count + 1] ), work->up );
    supSay( work, "raised head", sign * 2.0f * rise / supMaxF( supLength( chord ), 1e-30f ), 0.3f );
}

/// Pairs of small appendages hang on the head: ears, horns, eyebrows, mandibles.
static void supAskEars( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    const supSpine* spine = &reader->signs->spine;
    supVec3 chord = supSub( spine->points[0], spine->points[spine->count + 1] );
    float sign = supDot( chord, work->axis ) < 0.0f ? -1.0f : 1.0f, sum = 0.0f;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        const supPair* pair = reader->pairs + i;
        bool small = !pair->grounded && pair->reach < 0.16f && pair->area < 0.05f;
        float end = pair->along < 0.25f ? 1.0f : pair->along > 0.75f ? -1.0f : 0.0f;
        sum += small ? sign * end : 0.0f;
    }
    supSay( work, "ears", sum, 0.8f );
}

/// Fins and wings trail.
static void supAskFins( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    float sum = 0.0f;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        const supPair* pair = reader->pairs + i;
        supVec3 way = supSub( pair->tip, pair->base );
        bool fin = pair->flatness > 2.2f && pair->partCount < 4 && pair->reach > 0.05f && !pair->grounded;
        sum -= fin ? supDot( way, work->axis ) / supMaxF( pair->reach * reader->graph->size, 1e-30f ) : 0.0f;
    }
    supSay( work, "fins", 1.3f * sum, 0.8f );
}

/// Hands are held before the body, if not straight out.
static void supAskHands( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    int32_t arms = reader->legCount > 0 ? supChooseArms( reader, reader->legs[0] ) : -1;
    if ( arms >= 0 )
    {
        const supPair* pair = reader->pairs + arms;
        float ahead = supDot( supSub( pair->tip, pair->base ), work->axis );
        supSay( work, "hands", 2.0f * ahead / supMaxF( pair->reach * reader->graph->size, 1e-30f ), 0.6f );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Face

typedef struct supFace
{
    supVec3 sum;
    float area;
} supFace;

/// Whether a mesh is a face's by its own name or its material's.
static bool supIsNamedFace( const supMeshView* mesh )
{
    static const char* const words[] = { "eye", "pupil", "teeth", "tooth", "mouth", "tongue", "nose", "beak" };
    return supHoldsWord( mesh->name, words, SUP_COUNT( words ) ) ||
           supHoldsWord( mesh->material, words, SUP_COUNT( words ) );
}

/// The middle of what is called eyes, teeth and the like; area 0 where nothing is, or most of the skin.
static supFace supFindNamedFace( const supFrontWork* work )
{
    const supPlan* plan = work->reader->plan;
    supFace face = { supVec3_zero, 0.0f };
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount && supIsNamedFace( &mesh ); ++v )
        {
            face.sum = supMulAdd( face.sum, plan->vertexArea[v], supPlan_Vertex( plan, v ) );
            face.area += plan->vertexArea[v];
        }
    }
    return face.area < supMostFace * work->reader->graph->totalArea ? face : ( supFace ){ supVec3_zero, 0.0f };
}

/// The middle of small hard pieces: eyes, teeth. Eyes stand in twos beside the plane of symmetry; what lies in it may
/// be a tail as well, and counts where there is nothing else.
static bool supFindFace( const supFrontWork* work, const supAllocator* allocator, supFace* out, bool* isMiddle )
{
    const supPlan* plan = work->reader->plan;
    const supBodyGraph* graph = work->reader->graph;
    size_t count = (size_t)supCharacter_Info( plan->character )->vertexCount;
    float* areas = supAllocZeroed( allocator, 2 * ( count + 1 ), sizeof( float ), _Alignof( float ) );
    supFace beside = { supVec3_zero, 0.0f }, within = { supVec3_zero, 0.0f };
    if ( areas == NULL )
    {
        return false;
    }
    float* aways = areas + count + 1; // of a piece: how far it is from the plane, by its area
    for ( size_t v = 0; v < count; ++v )
    {
        size_t piece = plan->pieces[v] >= 0 ? (size_t)plan->pieces[v] : count;
        areas[piece] += plan->vertexArea[v];
        aways[piece] += plan->vertexArea[v] * supBodyGraph_Away( graph, supPlan_Vertex( plan, (int32_t)v ) );
    }
    for ( size_t v = 0; v < count; ++v )
    {
        int32_t piece = plan->pieces[v];
        if ( piece >= 0 && areas[piece] < supMostEye * graph->totalArea )
        {
            bool far = supAbsF( aways[piece] ) > supLeastBeside * graph->size * areas[piece];
            supFace* face = far ? &beside : &within;
            face->sum = supMulAdd( face->sum, plan->vertexArea[v], supPlan_Vertex( plan, (int32_t)v ) );
            face->area += plan->vertexArea[v];
        }
    }
    supFree( allocator, areas, 2 * ( count + 1 ) * sizeof( float ) );
    *isMiddle = !( beside.area > supLeastFace * graph->totalArea );
    *out = *isMiddle ? within : beside;
    return true;
}

/// The part at the end of the spine that is farther from the legs: a standing body's head.
static int32_t supTopPart( const supBodyReader* reader )
{
    const supSpine* spine = &reader->signs->spine;
    if ( spine->count == 0 )
    {
        return -1;
    }
    float along = reader->legCount > 0 ? reader->pairs[reader->legs[0]].along : 1.0f;
    return spine->parts[along > 0.5f ? 0 : spine->count - 1];
}

static bool supAskFace( supFrontWork* work, const supAllocator* allocator )
{
    const supBodyReader* reader = work->reader;
    const supBodyGraph* graph = reader->graph;
    supFace face;
    bool isMiddle = false;
    if ( !supFindFace( work, allocator, &face, &isMiddle ) )
    {
        return false;
    }
    supFace named = supFindNamedFace( work );
    bool called = named.area > supLeastFace * graph->totalArea;
    face = called ? named : face;
    if ( !( face.area > supLeastFace * graph->totalArea ) )
    {
        return true;
    }
    float trust = isMiddle && !called ? supMiddlePiece : 1.0f;
    supVec3 middle = supScale( face.sum, 1.0f / face.area );
    supBodyKind kind = reader->reading->kind;
    if ( kind == sup_bodyHuman )
    {
        int32_t head = supTopPart( reader );
        supVec3 away = supSub( middle, head >= 0 ? graph->parts[head].center : graph->center );
        // buttons and buckles are no eyes
        if ( called || supAbsF( supDot( away, work->up ) ) < 0.08f * graph->size )
        {
            float says = supDot( away, work->axis ) / ( 0.02f * graph->size );
            supSay( work, "eyes", says, called ? supNamedEyes : trust );
        }
        return true;
    }
    float reach = kind == sup_bodyBlob ? 0.1f : 0.25f;
    supSay(
        work, "eyes", supDot( supSub( middle, graph->center ), work->axis ) / ( reach * graph->size ), 1.2f * trust );
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Names

typedef struct supNamedSums
{
    supVec3 sums[sup_namedAbdomen + 1];
    float counts[sup_namedAbdomen + 1];
} supNamedSums;

static float supAhead( const supNamedSums* named, supNamedPart a, supNamedPart b, supVec3 axis )
{
    if ( named->counts[a] == 0.0f || named->counts[b] == 0.0f )
    {
        return 0.0f;
    }
    supVec3 x = supScale( named->sums[a], 1.0f / named->counts[a] );
    supVec3 y = supScale( named->sums[b], 1.0f / named->counts[b] );
    return supDot( supSub( x, y ), axis );
}

static void supAskNames( supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    const supBodyGraph* graph = reader->graph;
    supNamedSums named = { 0 };
    for ( int32_t j = 0; j < graph->jointCount; ++j )
    {
        supNamedPart part = supPartOfJointName( graph->character, j );
        supVec3 at = supPlan_Joint( reader->plan, j );
        int32_t own = graph->partOf[j];
        bool skinned = own >= 0 && graph->parts[own].joint == j;
        bool counts = part != sup_namedNothing && ( skinned || part == sup_namedFace || part == sup_namedToe );
        if ( counts && supCharacter_Joint( graph->character, j )->isSkinJoint )
        {
            named.sums[part] = supAdd( named.sums[part], skinned ? graph->parts[own].center : at );
            named.counts[part] += 1.0f;
        }
    }
    float sum = supAhead( &named, sup_namedToe, sup_namedFoot, work->axis );
    sum += supAhead( &named, sup_namedFace, sup_namedHead, work->axis );
    sum += supAhead( &named, sup_namedHead, sup_namedTail, work->axis );
    if ( reader->reading->kind != sup_bodyHuman ) // whose head is above all of these, not before them
    {
        sum += supAhead( &named, sup_namedHead, sup_namedHips, work->axis );
        sum += supAhead( &named, sup_namedHead, sup_namedAbdomen, work->axis );
        bool alone = named.counts[sup_namedTail] + named.counts[sup_namedHips] + named.counts[sup_namedAbdomen] == 0.0f;
        if ( alone && named.counts[sup_namedHead] > 0.0f )
        {
            supVec3 head = supScale( named.sums[sup_namedHead], 1.0f / named.counts[sup_namedHead] );
            sum += supDot( supSub( head, graph->center ), work->axis );
        }
    }
    supSay( work, "names", sum / ( 0.03f * graph->size ), 1.5f );
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

typedef struct supGait
{
    int32_t trunk; ///< joint
    int32_t count;
    int32_t hips[4], knees[4], feet[4]; ///< joints of up to four legs, or -1
    supVec3 soles[4];                   ///< what goes with the foot's joint: a place in its frame
} supGait;

/// The joint on a leg's way that is nearest to a height, 0 at its foot and 1 at its hip.
static int32_t supLegJoint( const supFrontWork* work, const supAppendage* leg, int32_t limb, float where )
{
    const supBodyGraph* graph = work->reader->graph;
    float low = supDot( leg->tip, work->up ), high = supDot( leg->base, work->up ), nearest = 0.25f;
    int32_t best = -1;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supVec3 at = supPlan_Joint( work->reader->plan, graph->parts[p].joint );
        float t = ( supDot( at, work->up ) - low ) / supMaxF( high - low, 1e-30f );
        if ( graph->parts[p].limb == limb && supAbsF( t - where ) < nearest )
        {
            nearest = supAbsF( t - where );
            best = graph->parts[p].joint;
        }
    }
    return best;
}

static supGait supReadGait( const supFrontWork* work )
{
    const supBodyReader* reader = work->reader;
    supGait gait = { .trunk = -1 };
    for ( int32_t i = 0; i < reader->legCount && i < 2; ++i )
    {
        const supPair* pair = reader->pairs + reader->legs[i];
        for ( int side = 0; side < 2; ++side )
        {
            int32_t limb = side == 0 ? pair->left : pair->right;
            const supAppendage* leg = reader->signs->appendages + limb;
            int32_t attach = leg->attach >= 0 ? leg->attach : leg->root;
            gait.trunk = gait.trunk < 0 ? reader->graph->parts[attach].joint : gait.trunk;
            gait.hips[gait.count] = supLegJoint( work, leg, limb, 1.0f );
            gait.knees[gait.count] = supLegJoint( work, leg, limb, 0.5f );
            int32_t foot = supLegJoint( work, leg, limb, 0.05f );
            gait.feet[gait.count] = foot;
            if ( foot < 0 ) // the leg's end goes with its last joint
            {
                gait.feet[gait.count] = foot = reader->graph->parts[leg->end].joint;
                supMat34 back;
                bool can = supInvertMat( supCharacter_Info( reader->plan->character )->restJoints[foot], &back );
                gait.soles[gait.count] = can ? supTransformPoint( back, leg->tip ) : supVec3_zero;
            }
            gait.count += 1;
        }
    }
    return gait;
}

typedef struct supMotionSums
{
    float knees, kneesAll;
    float stance, stanceAll;
    float travel;
} supMotionSums;

/// Where a joint is, as the trunk sees it, with the trunk turned back to how it rests.
static supVec3 supSeenFrom( const supMat34* joints, const supMat34* rest, int32_t trunk, supVec3 at )
{
    supQuat now = supNearestRotation( joints[trunk] ), then = supNearestRotation( rest[trunk] );
    supVec3 away = supSub( at, joints[trunk].t );
    return supRotate( then, supRotate( supConjugate( now ), away ) );
}

static supVec3 supSoleAt( const supGait* gait, int32_t leg, const supMat34* joints )
{
    return supTransformPoint( joints[gait->feet[leg]], gait->soles[leg] );
}

/// Knees come forward when they bend.
static void supWatchKnees( const supFrontWork* work, const supGait* gait, const supMat34* joints, supMotionSums* sums )
{
    const supMat34* rest = supCharacter_Info( work->reader->plan->character )->restJoints;
    for ( int32_t i = 0; i < gait->count; ++i )
    {
        bool apart = gait->knees[i] != gait->feet[i] || supLengthSquared( gait->soles[i] ) > 0.0f;
        if ( gait->hips[i] < 0 || gait->knees[i] < 0 || gait->knees[i] == gait->hips[i] || !apart )
        {
            continue;
        }
        supVec3 hip = supSeenFrom( joints, rest, gait->trunk, joints[gait->hips[i]].t );
        supVec3 knee = supSeenFrom( joints, rest, gait->trunk, joints[gait->knees[i]].t );
        supVec3 along = supSub( supSeenFrom( joints, rest, gait->trunk, supSoleAt( gait, i, joints ) ), hip );
        float t = supDot( supSub( knee, hip ), along ) / supMaxF( supLengthSquared( along ), 1e-30f );
        float bend = supDot( supSub( knee, supMulAdd( hip, t, along ) ), work->axis ) / work->reader->graph->size;
        sums->knees += bend;
        sums->kneesAll += supAbsF( bend );
    }
}

enum
{
    supTrackLength = supLooksPerClip + 1,
};

/// Feet on the ground go backwards under the body.
static void supWatchStance( const supFrontWork* work, const supVec3* track, supMotionSums* sums )
{
    float low = 1e30f, high = -1e30f, fore = -1e30f, back = 1e30f, size = work->reader->graph->size;
    for ( int32_t k = 0; k < supTrackLength; ++k )
    {
        float height = supDot( track[k], work->up ), x = supDot( track[k], work->axis );
        low = supMinF( low, height );
        high = supMaxF( high, height );
        fore = supMaxF( fore, x );
        back = supMinF( back, x );
    }
    if ( high - low < 0.01f * size || fore - back < 0.05f * size )
    {
        return;
    }
    for ( int32_t k = 0; k + 1 < supTrackLength; ++k )
    {
        float height = 0.5f * ( supDot( track[k], work->up ) + supDot( track[k + 1], work->up ) );
        float step = supDot( supSub( track[k + 1], track[k] ), work->axis ) / size;
        if ( height < low + 0.3f * ( high - low ) )
        {
            sums->stance -= step;
            sums->stanceAll += supAbsF( step );
        }
    }
}

static void supWatchClip(
    const supFrontWork* work, const supGait* gait, supPose* pose, int32_t clip, supMotionSums* sums )
{
    const supCharacter* character = work->reader->plan->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supClipView view = supCharacter_Clip( character, clip );
    supVec3 tracks[4][supTrackLength], start = supVec3_zero, end = supVec3_zero;
    for ( int32_t k = 0; k < supTrackLength; ++k )
    {
        supPose_Sample( pose, clip, view.start + ( view.end - view.start ) * k / supLooksPerClip );
        const supMat34* joints = supPose_Joints( pose );
        supWatchKnees( work, gait, joints, sums );
        for ( int32_t i = 0; i < gait->count; ++i )
        {
            tracks[i][k] = supSeenFrom( joints, rest, gait->trunk, supSoleAt( gait, i, joints ) );
        }
        start = k == 0 ? joints[gait->trunk].t : start;
        end = joints[gait->trunk].t;
    }
    for ( int32_t i = 0; i < gait->count; ++i )
    {
        supWatchStance( work, tracks[i], sums );
    }
    float travel = supDot( supSub( end, start ), work->axis ) / work->reader->graph->size;
    sums->travel += supAbsF( travel ) > 0.3f ? supClampF( travel, -1.0f, 1.0f ) : 0.0f;
}

static bool supAskMotion( supFrontWork* work, const supAllocator* allocator )
{
    supGait gait = supReadGait( work );
    supPose* pose = NULL;
    int32_t clips = supCharacter_Info( work->reader->plan->character )->clipCount;
    if ( gait.trunk < 0 || clips == 0 )
    {
        return true;
    }
    if ( supCreatePose( work->reader->plan->character, SUP_MAKE_IN( allocator ), &pose, NULL ) != sup_success )
    {
        return false;
    }
    supMotionSums sums = { 0 };
    int32_t step = 1 + clips / supMostClipsSeen;
    for ( int32_t c = 0; c < clips; c += step )
    {
        supWatchClip( work, &gait, pose, c, &sums );
    }
    supDestroyPose( pose );
    if ( work->reader->reading->kind == sup_bodyHuman && sums.kneesAll > 0.0f )
    {
        supSay( work, "knees", 1.5f * sums.knees / sums.kneesAll, 1.5f );
    }
    if ( sums.stanceAll > 0.0f )
    {
        supSay( work, "stance", 1.5f * sums.stance / sums.stanceAll, 1.0f );
    }
    supSay( work, "travel", sums.travel, 0.5f );
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

/// Where a snake's head points: from its neck on.
static void supAskHead( supFrontWork* work )
{
    const supSpine* spine = &work->reader->signs->spine;
    float radii[2] = { 0.0f, 0.0f };
    for ( int32_t b = 0; b < supProfileBins / 2; ++b )
    {
        radii[0] += spine->areas[b];
        radii[1] += spine->areas[supProfileBins - 1 - b];
    }
    bool first = radii[0] > radii[1];
    supVec3 end = spine->points[first ? 0 : spine->count + 1];
    int32_t back = spine->count > 2 ? 3 : 1;
    supVec3 neck = spine->points[first ? back : spine->count + 1 - back];
    supVec3 way = supSub( end, neck );
    supSay( work, "head's way", supDot( way, work->axis ) / supMaxF( supLength( way ), 1e-30f ) * 2.0f, 1.5f );
}

/// A direction in words: an axis of the file, or numbers.
static void supSayDirection( supVec3 way, char* out, size_t size )
{
    const float parts[3] = { way.x, way.y, way.z };
    for ( int k = 0; k < 3; ++k )
    {
        if ( supAbsF( parts[k] ) > 0.96f )
        {
            snprintf( out, size, "%c%c", parts[k] < 0.0f ? '-' : '+', 'X' + k );
            return;
        }
    }
    snprintf( out, size, "(%.2f, %.2f, %.2f)", (double)way.x, (double)way.y, (double)way.z );
}

/// Cues were noted as for or against `axis`: now as the direction they speak for, and for or against the verdict.
static void supSignEvidence( supBodyReading* reading, supVec3 axis, float sign )
{
    for ( int32_t i = 0; i < reading->evidenceCount; ++i )
    {
        supEvidence* evidence = reading->evidence + i;
        if ( strcmp( evidence->about, "front" ) == 0 )
        {
            supVec3 way = evidence->weight < 0.0f ? supNeg( axis ) : axis;
            supSayDirection( way, evidence->says, sizeof( evidence->says ) );
            evidence->weight *= sign;
        }
    }
}

bool supJudgeFront( supBodyReader* reader, supVec3 axis, const supAllocator* allocator, float* out )
{
    supFrontWork work = { .reader = reader, .axis = axis, .up = reader->reading->up };
    supBodyKind kind = reader->reading->kind;
    bool lies =
        kind == sup_bodyQuadruped || kind == sup_bodyBiped || kind == sup_bodyFish || kind == sup_bodyManyLegged;
    supAskToes( &work );
    if ( lies && reader->signs->spine.count > 0 )
    {
        supAskEnds( &work );
        supAskEars( &work );
        supAskFins( &work );
    }
    if ( kind == sup_bodyHuman )
    {
        supAskHands( &work );
    }
    if ( kind == sup_bodySnake )
    {
        supAskHead( &work );
    }
    if ( !supAskFace( &work, allocator ) || !supAskMotion( &work, allocator ) )
    {
        return false;
    }
    supAskNames( &work );
    float agreement = work.all > 0.0f ? supAbsF( work.sum ) / work.all : 0.0f;
    float strength = supMinF( 1.0f, work.all / 1.5f );
    reader->reading->confidence = 0.5f + 0.5f * agreement * strength;
    supSignEvidence( reader->reading, axis, work.sum < 0.0f ? -1.0f : 1.0f );
    *out = work.sum;
    return true;
}
