// What kind of body it is, and which way is up.
// SPDX-License-Identifier: MIT
//
// A body stands on limbs that reach the lowest skin and go down to it; the way up is the one in which it stands on
// most. Files are mostly modelled with Y up, then with Z up: where the body does not say, these do. What it stands on,
// how its trunk lies and whether it tapers to a fin tells its kind.

#include "auto/reading.h"

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/// A pair of appendages is a limb where it reaches this far and has this much skin.
static const float supLeastReach = 0.09f, supLeastArea = 0.012f;
/// Beside a long body legs are short: one of so many joints with this much skin may reach less.
static const float supShortReach = 0.05f, supShortArea = 0.025f;
static const int32_t supShortParts = 3;
/// It is a fin or a wing where it is thinner than this and this many times wider than thick.
static const float supFinThickness = 0.02f, supFinFlatness = 2.2f;
/// One of a part or two is a wing where it is this many times wider than thick.
static const float supWingFlatness = 3.5f;
/// Feet are this near to the lowest skin, and lie this far below where their leg begins (a share of its reach).
static const float supGround = 0.1f, supLeastDrop = 0.17f;
/// What the way of many legs counts, as what legs reach.
static const float supSpreadCount = 0.2f;
/// What skin on the ground counts, of a body without limbs.
static const float supLieCount = 2.0f;
/// Soles and hooves together have this share of the skin, and more.
static const float supWholeSole = 0.012f;
/// Ways closer than this are one. Cosine.
static const float supSameWay = 0.92f;
/// Insects and spiders are even: their mirror image is this near. Share of the size.
static const float supEvenBody = 0.012f;
/// What the way from named feet to a named head counts, as what legs reach.
static const float supNamedCount = 0.08f;
/// How soon a body falls over whose weight is beside its feet.
static const float supTopple = 5.0f;
/// But it may sit: legs count this much all the same.
static const float supSeated = 0.3f;
/// Legs that do not reach the ground have more than this share of the others' skin and length, and lie below where they
/// begin by this share of their own.
static const float supRaisedArea = 0.5f, supRaisedDrop = 0.3f;
/// Flippers point to the side by this much of their way, and begin this near to the ground. Shares of reach and size
static const float supFlipperDrop = 0.65f, supFlipperHeight = 0.13f;
/// A spine is straight whose points lie this near to the line between its ends, though it goes to and fro on it.
static const float supNearLine = 0.07f;
/// Made of hard pieces beyond this share.
static const float supMostHard = 0.55f;
/// What the file's own axes count, against a share of the size that legs reach.
static const float supPriorY = 0.06f, supPriorZ = 0.03f, supPriorSkew = 0.15f;

// ---------------------------------------------------------------------------------------------------------------
// Evidence

void supNoteEvidence( supBodyReader* reader, const char* about, const char* cue, const char* says, float weight )
{
    supBodyReading* reading = reader->reading;
    if ( reading->evidenceCount < supMostEvidence && weight != 0.0f )
    {
        supEvidence* evidence = reading->evidence + reading->evidenceCount++;
        evidence->about = about;
        evidence->cue = cue;
        evidence->weight = weight;
        snprintf( evidence->says, sizeof( evidence->says ), "%s", says );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs

static supVec3 supInPlane( const supBodyGraph* graph, supVec3 p )
{
    return supMulAdd( p, -supBodyGraph_Away( graph, p ), graph->normal );
}

static void supListPairs( supBodyReader* reader )
{
    const supBodyGraph* graph = reader->graph;
    for ( int32_t i = 0; i < reader->signs->appendageCount; ++i )
    {
        const supAppendage* a = reader->signs->appendages + i;
        if ( a->twin <= i || reader->pairCount == supMostPairs )
        {
            continue;
        }
        const supAppendage* b = reader->signs->appendages + a->twin;
        supPair* pair = reader->pairs + reader->pairCount++;
        *pair = ( supPair ){ .left = a->side > 0 ? i : a->twin, .right = a->side > 0 ? a->twin : i };
        pair->area = 0.5f * ( a->area + b->area );
        pair->soft = 0.5f * ( a->soft + b->soft );
        pair->reach = 0.5f * ( a->reach + b->reach );
        pair->thickness = 0.5f * ( a->thickness + b->thickness );
        pair->flatness = supMinF( a->flatness, b->flatness );
        pair->along = 0.5f * ( a->along + b->along );
        pair->partCount = a->partCount > b->partCount ? a->partCount : b->partCount;
        pair->base = supInPlane( graph, supLerp( a->base, b->base, 0.5f ) );
        pair->tip = supInPlane( graph, supLerp( a->tip, b->tip, 0.5f ) );
        pair->namedFin = supIsNamedFin( graph, i ) && supIsNamedFin( graph, a->twin );
    }
}

static bool supIsFinPair( const supPair* pair )
{
    return pair->namedFin || ( pair->thickness < supFinThickness && pair->flatness > supFinFlatness ) ||
           ( pair->partCount < 3 && pair->flatness > supWingFlatness );
}

static bool supReachesOut( float reach, float area, int32_t parts )
{
    bool isShort = reach > supShortReach && area > supShortArea && parts >= supShortParts;
    return isShort || ( reach > supLeastReach && area > supLeastArea );
}

static bool supIsLimbPair( const supPair* pair )
{
    return supReachesOut( pair->reach, pair->area, pair->partCount ) && !supIsFinPair( pair );
}

static float supLowest( const supBodyGraph* graph, supVec3 up )
{
    float lowest = 1e30f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        lowest = supMinF( lowest, supDot( graph->samples[i].at, up ) );
    }
    return lowest;
}

/// How much of a pair's skin lies on the ground. Share of all.
static float supSoleArea( const supBodyGraph* graph, const supPair* pair, supVec3 up, float lowest )
{
    float area = 0.0f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        int32_t limb = graph->parts[graph->samples[i].part].limb;
        bool low = supDot( graph->samples[i].at, up ) - lowest < 0.02f * graph->size;
        area += low && ( limb == pair->left || limb == pair->right ) ? graph->samples[i].area : 0.0f;
    }
    return area / supMaxF( graph->totalArea, 1e-30f );
}

/// How well the body stands with this way up: what it reaches on limbs that go down to the lowest skin, if its weight
/// is above them.
static float supStand( supBodyReader* reader, supVec3 up )
{
    const supBodyGraph* graph = reader->graph;
    supVec3 level = supCross( graph->normal, up );
    float lowest = supLowest( graph, up ), sum = 0.0f, back = 1e30f, fore = -1e30f;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        supPair* pair = reader->pairs + i;
        float fall = supDot( supSub( pair->base, pair->tip ), up );
        pair->drop = fall / supMaxF( pair->reach * graph->size, 1e-30f );
        pair->grounded = supIsLimbPair( pair ) && pair->drop > supLeastDrop &&
                         supDot( pair->tip, up ) - lowest < supGround * graph->size;
        if ( pair->grounded )
        {
            float down = supMinF( pair->drop, 1.0f ), x = supDot( supSub( pair->tip, graph->center ), level );
            float sole = supMinF( supSoleArea( graph, pair, up, lowest ) / supWholeSole, 1.0f );
            sum += supMinF( pair->reach, 0.3f ) * ( 0.2f + 0.8f * down * down ) * ( 0.4f + 0.8f * sole );
            back = supMinF( back, x );
            fore = supMaxF( fore, x );
        }
    }
    float outside = sum > 0.0f ? supMaxF( 0.0f, supMaxF( back, -fore ) ) / graph->size : 0.0f;
    return sum * supMaxF( supSeated, 1.0f - supTopple * outside );
}

// ---------------------------------------------------------------------------------------------------------------
// Up

static bool supIsLimbLike( const supAppendage* a )
{
    bool fin = ( a->thickness < supFinThickness && a->flatness > supFinFlatness ) ||
               ( a->partCount < 3 && a->flatness > supWingFlatness );
    return supReachesOut( a->reach, a->area, a->partCount ) && !fin;
}

/// Limbs of one side, of about the same reach, that hang on a short stretch of the spine.
static int32_t supCountCluster( const supBodyReader* reader )
{
    const supBodySigns* signs = reader->signs;
    int32_t most = 0;
    for ( int32_t i = 0; i < signs->appendageCount; ++i )
    {
        int32_t count = 0;
        const supAppendage* a = signs->appendages + i;
        for ( int32_t k = 0; k < signs->appendageCount; ++k )
        {
            const supAppendage* b = signs->appendages + k;
            bool alike = b->side == a->side && b->reach < 2.5f * a->reach && a->reach < 2.5f * b->reach &&
                         b->area < 4.0f * a->area;
            count += supIsLimbLike( b ) && alike && supAbsF( a->along - b->along ) < 0.25f;
        }
        most = supIsLimbLike( a ) && count > most ? count : most;
    }
    return most;
}

/// Where all limbs come from, seen from their ends: many legs point down, whichever way each leans.
static supVec3 supAwayFromLimbs( const supBodyReader* reader )
{
    const supBodyGraph* graph = reader->graph;
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < reader->signs->appendageCount; ++i )
    {
        const supAppendage* limb = reader->signs->appendages + i;
        supVec3 way = supSub( limb->base, limb->tip );
        sum = supIsLimbLike( limb ) ? supAdd( sum, way ) : sum;
    }
    sum = supMulAdd( sum, -supDot( sum, graph->normal ), graph->normal );
    return supLengthSquared( sum ) > 0.0f ? supNormalize( sum ) : supVec3_zero;
}

/// How well a body without legs lies with this way up: how much of its skin is on the ground, if its weight is above.
static float supLie( const supBodyReader* reader, supVec3 up )
{
    const supBodyGraph* graph = reader->graph;
    supVec3 level = supCross( graph->normal, up );
    float lowest = supLowest( graph, up ), area = 0.0f, back = 1e30f, fore = -1e30f;
    for ( int32_t i = 0; i < graph->sampleCount; ++i )
    {
        const supSample* sample = graph->samples + i;
        if ( supDot( sample->at, up ) - lowest < 0.03f * graph->size )
        {
            float x = supDot( supSub( sample->at, graph->center ), level );
            area += sample->area;
            back = supMinF( back, x );
            fore = supMaxF( fore, x );
        }
    }
    float outside = supMaxF( 0.0f, supMaxF( back, -fore ) ) / graph->size;
    return area / supMaxF( graph->totalArea, 1e-30f ) * supMaxF( 0.0f, 1.0f - supTopple * outside );
}

enum
{
    supMostWays = 96,
};

typedef struct supWays
{
    int32_t count;
    supVec3 ways[supMostWays];
} supWays;

/// Offers a way and its opposite, brought into the plane of symmetry, unless one like it was offered before.
static void supOfferWay( const supBodyGraph* graph, supVec3 way, supWays* ways )
{
    supVec3 flat = supMulAdd( way, -supDot( way, graph->normal ), graph->normal );
    float length = supLength( flat );
    for ( int32_t i = 0; i < ways->count; ++i )
    {
        length = supAbsF( supDot( flat, ways->ways[i] ) ) > supSameWay * length ? 0.0f : length;
    }
    if ( length > 0.5f * supLength( way ) && length > 0.0f && ways->count + 2 <= supMostWays )
    {
        ways->ways[ways->count++] = supScale( flat, 1.0f / length );
        ways->ways[ways->count++] = supScale( flat, -1.0f / length );
    }
}

static supVec3 supFileAxis( int axis )
{
    return supMakeVec3( axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f );
}

/// What the file's axes say of a way: Y up, else Z; bodies are seldom modelled askew.
static float supPrior( supVec3 up )
{
    float most = supMaxF( supAbsF( up.x ), supMaxF( supAbsF( up.y ), supAbsF( up.z ) ) );
    float axis = up.y > 0.97f ? supPriorY : up.z > 0.97f ? supPriorZ : -supPriorZ;
    return most > 0.97f ? axis : -supPriorSkew;
}

/// The file's own axis where one is near: bodies are modelled in them.
static supVec3 supSnap( const supBodyGraph* graph, supVec3 way, float cosine )
{
    for ( int k = 0; k < 6; ++k )
    {
        supVec3 axis = supScale( supFileAxis( k / 2 ), k % 2 == 0 ? 1.0f : -1.0f );
        supVec3 flat = supMulAdd( axis, -supDot( axis, graph->normal ), graph->normal );
        if ( supDot( way, axis ) > cosine && supLength( flat ) > 0.99f )
        {
            return supNormalize( flat );
        }
    }
    return way;
}

static supVec3 supSpineChord( const supBodyReader* reader )
{
    const supSpine* spine = &reader->signs->spine;
    supVec3 chord = spine->count > 0 ? supSub( spine->points[0], spine->points[spine->count + 1] ) : supVec3_zero;
    return supLengthSquared( chord ) > 0.0f ? supNormalize( chord ) : supVec3_zero;
}

static supVec3 supFindUp( supBodyReader* reader )
{
    const supBodyGraph* graph = reader->graph;
    supWays ways = { 0 };
    for ( int axis = 0; axis < 3; ++axis )
    {
        supOfferWay( graph, supFileAxis( axis ), &ways );
    }
    supVec3 chord = supSpineChord( reader );
    supOfferWay( graph, chord, &ways );
    supOfferWay( graph, supCross( chord, graph->normal ), &ways );
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        if ( supIsLimbPair( reader->pairs + i ) )
        {
            supOfferWay( graph, supSub( reader->pairs[i].base, reader->pairs[i].tip ), &ways );
        }
    }
    supVec3 away = supCountCluster( reader ) >= 3 ? supAwayFromLimbs( reader ) : supVec3_zero;
    bool limbs = false;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        limbs = limbs || supIsLimbPair( reader->pairs + i );
    }
    float best = -1.0f;
    supVec3 up = supFileAxis( 1 ), named = supNamedUp( reader->graph );
    for ( int32_t i = 0; i < ways.count; ++i )
    {
        float stand = supLengthSquared( away ) > 0.0f ? supSpreadCount * supDot( ways.ways[i], away )
                      : limbs                         ? supStand( reader, ways.ways[i] )
                                                      : supLieCount * supLie( reader, ways.ways[i] );
        float score = stand + supPrior( ways.ways[i] ) + supNamedCount * supDot( ways.ways[i], named );
        up = score > best + 1e-4f ? ways.ways[i] : up;
        best = supMaxF( best, score );
    }
    return supSnap( graph, up, 0.9f );
}

// ---------------------------------------------------------------------------------------------------------------
// Kind

/// What the body stands on, and its other limbs.
static void supSortGrounded( supBodyReader* reader )
{
    reader->legCount = reader->armCount = 0;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        const supPair* pair = reader->pairs + i;
        if ( pair->grounded )
        {
            reader->legs[reader->legCount++] = i;
        }
        else if ( supIsLimbPair( pair ) )
        {
            reader->arms[reader->armCount++] = i;
        }
    }
}

/// The same of a body whose way up is known.
static void supSortLimbs( supBodyReader* reader, supVec3 up )
{
    supStand( reader, up );
    supSortGrounded( reader );
}

/// How much thinner the spine's end is than its middle, and whether it widens again into a fin.
typedef struct supTaper
{
    float slimness; ///< length by mean diameter
    float end;      ///< the thinner end's radius by the largest
    float fin;      ///< radius at that end by the narrowest before it; 1 without a fin
    bool first;     ///< the thinner end is the spine's first
} supTaper;

static supTaper supMeasureTaper( const supBodyReader* reader )
{
    const supSpine* spine = &reader->signs->spine;
    float most = 0.0f, mean = 0.0f, area = 0.0f;
    for ( int32_t b = 0; b < supProfileBins; ++b )
    {
        most = supMaxF( most, spine->radii[b] );
        mean += spine->radii[b] * spine->areas[b];
        area += spine->areas[b];
    }
    mean = area > 0.0f ? mean / area : 0.0f;
    float narrow[2] = { 1e30f, 1e30f }, wide[2] = { 0.0f, 0.0f }, fins[2] = { 1.0f, 1.0f };
    for ( int side = 0; side < 2; ++side )
    {
        for ( int32_t k = 0; k < 6; ++k ) // from the outside in: a fin is wide, then narrow
        {
            float radius = spine->radii[side == 0 ? k : supProfileBins - 1 - k];
            wide[side] = k < 4 ? supMaxF( wide[side], radius ) : wide[side];
            if ( radius < narrow[side] )
            {
                narrow[side] = radius;
                fins[side] = k > 0 ? wide[side] / supMaxF( radius, 1e-6f ) : 1.0f;
            }
        }
    }
    bool first = narrow[0] < narrow[1];
    float length = spine->lengths[spine->count + 1] / reader->graph->size;
    return ( supTaper ){ length / supMaxF( 2.0f * mean, 1e-6f ), narrow[first ? 0 : 1] / supMaxF( most, 1e-6f ),
        fins[first ? 0 : 1], first };
}

static bool supHasFins( const supBodyReader* reader )
{
    bool has = false;
    for ( int32_t i = 0; i < reader->pairCount; ++i )
    {
        const supPair* pair = reader->pairs + i;
        has = has || ( supIsFinPair( pair ) && pair->reach > 0.06f && pair->area > 0.008f );
    }
    return has;
}

/// Whether a spine is straight: its way is little longer than from end to end, or all of it lies near that line.
static bool supIsStraight( const supSpine* spine )
{
    if ( spine->count == 0 )
    {
        return true;
    }
    supVec3 from = spine->points[0], way = supSub( spine->points[spine->count + 1], from );
    float chord = supLength( way ), most = 0.0f;
    for ( int32_t i = 0; i < spine->count && chord > 0.0f; ++i )
    {
        supVec3 p = supSub( spine->points[i + 1], from );
        most = supMaxF( most, supLength( supMulAdd( p, -supDot( p, way ) / ( chord * chord ), way ) ) );
    }
    return chord > 0.85f * spine->lengths[spine->count + 1] || most < supNearLine * chord;
}

/// A body that stands on nothing: what swims, what crawls, and lumps.
static supBodyKind supLimblessKind( supBodyReader* reader )
{
    supTaper taper = supMeasureTaper( reader );
    const supSpine* spine = &reader->signs->spine;
    bool fins = supHasFins( reader ), tail = taper.fin > 1.6f && taper.end < 0.5f;
    bool straight = supIsStraight( spine );
    char words[40];
    snprintf( words, sizeof( words ), "%.1f times longer than thick", (double)taper.slimness );
    supNoteEvidence( reader, "kind", "spine", words, 1.0f );
    if ( reader->armCount == 0 && spine->count >= 4 && taper.slimness > 5.0f && !fins &&
         ( !straight || taper.slimness > 9.0f || taper.fin < 1.3f ) )
    {
        return sup_bodySnake;
    }
    bool swims = fins || tail || ( taper.end < 0.25f && spine->count >= 4 );
    if ( !swims && supIsNamedSwimmer( reader->graph->character ) )
    {
        supNoteEvidence( reader, "kind", "names", "it swims", 1.0f );
        swims = true;
    }
    return spine->count >= 3 && taper.slimness > 1.6f && straight && swims ? sup_bodyFish : sup_bodyBlob;
}

/// The trunk between two places on the spine, towards the second.
static supVec3 supTrunkWay( const supBodyReader* reader, int32_t from, int32_t to )
{
    return supSub( reader->pairs[to].base, reader->pairs[from].base );
}

/// The arms, of the pairs that the body does not stand on: the largest that do not hang on the spine's far end.
int32_t supChooseArms( const supBodyReader* reader, int32_t legs )
{
    int32_t best = -1;
    float most = 0.0f;
    for ( int32_t i = 0; i < reader->armCount; ++i )
    {
        const supPair* pair = reader->pairs + reader->arms[i];
        // ears and horns hang at the head's end, beyond the arms: of two pairs the one nearer to the legs
        float away = supAbsF( pair->along - reader->pairs[legs].along );
        float score = pair->reach * supSqrtF( pair->area ) / ( 0.3f + away );
        best = score > most ? reader->arms[i] : best;
        most = supMaxF( most, score );
    }
    return best;
}

/// A second pair of legs does not reach the ground in every rest pose, nor where a coarse mesh lacks its feet: as an
/// arm's it would be too long and too large, beside the legs of a trunk that lies.
static int32_t supRaisedLegs( const supBodyReader* reader, supVec3 up )
{
    int32_t legs = reader->legs[0], arms = supChooseArms( reader, legs );
    const supPair *hind = reader->pairs + legs, *fore = arms >= 0 ? reader->pairs + arms : hind;
    supVec3 way = supSub( fore->base, hind->base );
    bool lies = supAbsF( supDot( way, up ) ) < 0.5f * supLength( way ) && supLength( way ) > 0.0f;
    bool large = fore->area > supRaisedArea * hind->area && fore->reach > supRaisedArea * hind->reach;
    return lies && large && fore->drop > supRaisedDrop ? arms : -1;
}

/// One pair that spreads sideways from a trunk that lies on the ground: the flippers of a whale or a seal.
static bool supIsOnFlippers( const supBodyReader* reader, supVec3 up )
{
    const supPair* pair = reader->pairs + reader->legs[0];
    float height = supDot( pair->base, up ) - supLowest( reader->graph, up );
    float lies = supAbsF( supDot( supSpineChord( reader ), up ) );
    return reader->legCount == 1 && reader->armCount == 0 && lies < 0.4f && pair->drop < supFlipperDrop &&
           height < supFlipperHeight * reader->graph->size;
}

/// A body on one pair of legs stands, or lies like a dinosaur's.
static supBodyKind supTwoLeggedKind( supBodyReader* reader, supVec3 up )
{
    int32_t legs = reader->legs[0], arms = supChooseArms( reader, legs );
    const supSpine* spine = &reader->signs->spine;
    supVec3 way = arms >= 0 ? supTrunkWay( reader, legs, arms ) : supVec3_zero;
    // the spine on both sides of the legs: a tail behind them is as long as half of what is before
    float along = reader->pairs[legs].along, length = spine->lengths[spine->count + 1];
    float shorter = supMinF( along, 1.0f - along ) * length / reader->graph->size;
    supVec3 far = spine->points[along < 0.5f ? spine->count + 1 : 0];
    supVec3 trunk =
        supLengthSquared( way ) > 0.0f ? supNormalize( way ) : supNormalize( supSub( far, reader->pairs[legs].base ) );
    supVec3 whole = supSub( far, reader->pairs[legs].base );
    whole = supLengthSquared( whole ) > 0.0f ? supNormalize( whole ) : up;
    float stands = supMaxF( supDot( trunk, up ), supDot( whole, up ) );
    char words[40];
    snprintf( words, sizeof( words ), "trunk at %.0f degrees, tail %.2f", 57.2958 * supAsin( (double)stands ),
        (double)shorter );
    supNoteEvidence( reader, "kind", "trunk", words, 1.0f );
    bool tail = shorter > 0.18f;
    bool human = stands > 0.75f || ( stands > 0.5f && !tail );
    // what has wings, a tail and no arms is a bird, however upright it holds itself
    bool bird = arms < 0 && supHasFins( reader ) && ( stands < 0.9f || tail );
    return human && !bird && !( tail && stands < 0.85f ) ? sup_bodyHuman : sup_bodyBiped;
}

static supBodyKind supFindKind( supBodyReader* reader, supVec3 up )
{
    char words[40];
    int32_t cluster = supCountCluster( reader );
    snprintf( words, sizeof( words ), "stands on %d, %d other limbs", 2 * reader->legCount, 2 * reader->armCount );
    supNoteEvidence( reader, "kind", "limbs", words, 1.0f );
    // a hand has many fingers too, but no two sides
    if ( ( reader->legCount >= 3 || cluster >= 3 ) && reader->graph->mirrorError < supEvenBody )
    {
        return sup_bodyManyLegged;
    }
    int32_t raised = reader->legCount == 1 ? supRaisedLegs( reader, up ) : -1;
    if ( raised >= 0 )
    {
        reader->pairs[raised].grounded = true;
        supSortGrounded( reader );
    }
    if ( reader->legCount == 2 )
    {
        return sup_bodyQuadruped;
    }
    if ( reader->legCount == 1 && supIsOnFlippers( reader, up ) )
    {
        reader->pairs[reader->legs[0]].grounded = false;
        reader->pairs[reader->legs[0]].namedFin = true;
        supSortGrounded( reader );
    }
    return reader->legCount == 1 ? supTwoLeggedKind( reader, up ) : supLimblessKind( reader );
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

static bool supIsGiven( supVec3 v )
{
    return supLengthSquared( v ) > 0.0f;
}

static supVec3 supAcross( supVec3 v, supVec3 n, supVec3 otherwise )
{
    supVec3 flat = supMulAdd( v, -supDot( v, n ), n );
    return supLengthSquared( flat ) > 1e-12f ? supNormalize( flat ) : otherwise;
}

/// The spine lies: what swims and what runs on all fours has its back up. Of the two ways across, the file's.
static supVec3 supUpAcrossSpine( const supBodyReader* reader, supVec3 up )
{
    supVec3 chord = supSpineChord( reader ), across = supCross( chord, reader->graph->normal );
    if ( !supIsGiven( chord ) )
    {
        return up;
    }
    across = supSnap( reader->graph, across, 0.9f );
    float here = supPrior( across ), there = supPrior( supNeg( across ) );
    bool turn = here == there ? supDot( up, across ) < 0.0f : there > here;
    return turn ? supNeg( across ) : across;
}

/// Made of hard pieces: what gives way is no body of several parts. One bone alone cannot tell.
static bool supIsMachine( const supBodyReader* reader )
{
    const supBodyGraph* graph = reader->graph;
    float all = 0.0f, soft = 0.0f;
    int32_t softParts = 0;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        const supPart* part = graph->parts + p;
        all += part->area;
        soft += part->area * part->soft;
        softParts += part->soft > 0.2f && part->area > 0.02f * graph->totalArea;
    }
    bool hard = soft < ( 1.0f - supMostHard ) * all && softParts < 3;
    return reader->plan->plateShare > supMostHard || ( graph->partCount > 1 && hard );
}

/// What the body's own front is measured along: the way across its middle.
static supVec3 supFrontAxis( const supBodyReader* reader, supVec3 up )
{
    supVec3 axis = supCross( reader->graph->normal, up );
    if ( supLengthSquared( axis ) > 1e-4f )
    {
        return supNormalize( axis );
    }
    // up is told to be where the sides are: the front is the spine's way then, or any that is across up
    supVec3 any = supAbsF( up.z ) < 0.9f ? supMakeVec3( 0.0f, 0.0f, 1.0f ) : supMakeVec3( 1.0f, 0.0f, 0.0f );
    return supAcross( supSpineChord( reader ), up, supAcross( any, up, any ) );
}

bool supReadKind( supBodyReader* reader, const supProposeDef* known, const supAllocator* allocator )
{
    supBodyReading* reading = reader->reading;
    *reading = ( supBodyReading ){ .kind = sup_bodyBlob };
    supListPairs( reader );
    bool upGiven = known != NULL && supIsGiven( known->up ), frontGiven = known != NULL && supIsGiven( known->front );
    supVec3 up = upGiven ? supNormalize( known->up ) : supFindUp( reader );
    if ( frontGiven && !upGiven && supAbsF( supDot( supNormalize( known->front ), up ) ) > 0.9f )
    {
        // the way that was taken for up is told to be the front: then up is across both that and the sides
        supVec3 across = supAcross( supCross( reader->graph->normal, known->front ), known->front, up );
        up = supSnap(
            reader->graph, supPrior( across ) < supPrior( supNeg( across ) ) ? supNeg( across ) : across, 0.9f );
    }
    supSortLimbs( reader, up );
    reading->kind = supFindKind( reader, up );
    if ( reading->kind == sup_bodyFish && !upGiven )
    {
        up = supUpAcrossSpine( reader, up );
    }
    if ( reader->plan->otherMeshes > 0 )
    {
        supNoteEvidence( reader, "kind", "others", "the largest of several bodies is read", 1.0f );
    }
    bool hard = supIsMachine( reader );
    if ( hard )
    {
        char words[40];
        float share = supMaxF( reader->plan->hardShare, reader->plan->plateShare );
        snprintf( words, sizeof( words ), "%.0f%% hard pieces", 100.0 * (double)share );
        supNoteEvidence( reader, "kind", "hardness", words, 2.0f * share );
        reading->kind = sup_bodyMachine;
    }
    reading->kind = known != NULL && known->kind >= 0 ? (supBodyKind)known->kind : reading->kind;
    reading->up = up;
    supVec3 front =
        frontGiven ? supAcross( supNormalize( known->front ), up, supFrontAxis( reader, up ) ) : supVec3_zero;
    reading->confidence = 1.0f; // of what was told
    if ( !frontGiven )
    {
        supVec3 axis = supFrontAxis( reader, up );
        float sum = 0.0f;
        if ( !supJudgeFront( reader, axis, allocator, &sum ) )
        {
            return false;
        }
        front = sum < 0.0f ? supNeg( axis ) : axis;
    }
    reading->front = supAdd( front, supVec3_zero ); // no zeros below zero
    reading->up = supAdd( up, supVec3_zero );
    reading->left = supCross( up, front );
    return true;
}
