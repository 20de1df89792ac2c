// The joints above an element's anchor, sampled by themselves in double precision.
// SPDX-License-Identifier: MIT
//
// A pose rounds its matrices to float: good enough to look at, not to take two derivatives of a path that may lie a
// hundred metres from the origin.

#include "bake/anchor_path.h"

#include "bake/key_times.h"
#include "base/math.h"
#include "character/character_data.h"
#include "character/joint_tree.h"

#include <string.h>

/// Keys farther apart than this are not samples of a motion but its corners: what happens between them counts. Seconds
static const double supDenseSpan = 1.0 / 20.0;
/// Distance of the times put between them. Seconds
static const double supFineSpan = 1.0 / 60.0;
/// The most spans that are made by dividing: a clip of hours with two keys must not eat the machine.
static const double supMostSpans = 65536.0;

// ---------------------------------------------------------------------------------------------------------------
// The chain

static void supAddTracks( supChainLink* link, const supClip* clip, int32_t joint )
{
    for ( int32_t t = 0; t < clip->trackCount; ++t )
    {
        const supTrackDef* track = clip->tracks + t;
        if ( clip->isUsed[t] && track->joint == joint && track->path != sup_pathWeights )
        {
            int path = (int)track->path;
            link->tracks[path] = *track;
            link->isStep[path] = track->interpolation == sup_interpolationStep;
            if ( link->isStep[path] )
            {
                link->tracks[path].interpolation = sup_interpolationLinear;
            }
        }
    }
}

supResult supMakeChain( supChain* chain, const supCharacter* character, int32_t joint, int32_t clip,
    const supAllocator* allocator, supError* error )
{
    *chain = ( supChain ){ .links = supMakeArray( sizeof( supChainLink ), allocator ) };
    size_t count = (size_t)character->joints[joint].depth + 1;
    supChainLink* links = supArray_Add( &chain->links, count );
    if ( links == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a chain of %zu joints", count );
    }
    for ( size_t i = count; i-- > 0; joint = character->joints[joint].view.parent )
    {
        links[i].joint = character->joints + joint;
        if ( clip >= 0 )
        {
            supAddTracks( links + i, character->clips + clip, joint );
        }
    }
    chain->start = clip >= 0 ? character->clips[clip].start : 0.0;
    chain->end = clip >= 0 ? character->clips[clip].end : 0.0;
    return sup_success;
}

void supChain_Destroy( supChain* chain )
{
    supArray_Destroy( &chain->links );
}

static supMat34d supSampleLink( supChainLink* link, double time )
{
    if ( link->joint->hasMatrix )
    {
        return supMatToDouble( link->joint->matrix );
    }
    supTransformd local = supJointTransform( link->joint );
    supKeySpan spans[3];
    for ( int path = 0; path < 3; ++path )
    {
        if ( link->tracks[path].keyCount > 0 )
        {
            spans[path] = supFindKeys( link->tracks + path, time, link->cursors + path );
        }
    }
    if ( link->tracks[sup_pathTranslation].keyCount > 0 )
    {
        local.translation = supSampleVector( link->tracks + sup_pathTranslation, spans[sup_pathTranslation] );
    }
    if ( link->tracks[sup_pathRotation].keyCount > 0 )
    {
        local.rotation = supSampleRotation( link->tracks + sup_pathRotation, spans[sup_pathRotation] );
    }
    if ( link->tracks[sup_pathScale].keyCount > 0 )
    {
        local.scale = supSampleVector( link->tracks + sup_pathScale, spans[sup_pathScale] );
    }
    return supMatFromTransformD( local );
}

supMat34d supChain_Sample( supChain* chain, double time )
{
    supChainLink* links = chain->links.data;
    supMat34d m = supSampleLink( links, time );
    for ( size_t i = 1; i < chain->links.count; ++i )
    {
        m = supMulMatD( m, supSampleLink( links + i, time ) );
    }
    return m;
}

// ---------------------------------------------------------------------------------------------------------------
// Times

/// The keys of all that moves, in any order; false: no memory.
static bool supGatherKeys( const supChain* chain, supArray* keys, bool* allStep )
{
    bool fits = supAddTime( keys, chain->start ) && supAddTime( keys, chain->end );
    const supChainLink* links = chain->links.data;
    *allStep = true;
    for ( size_t i = 0; i < chain->links.count && fits; ++i )
    {
        for ( int path = 0; path < 3 && fits; ++path )
        {
            const supTrackDef* track = links[i].tracks + path;
            if ( track->keyCount < 2 || links[i].joint->hasMatrix || !supTrackMoves( track ) )
            {
                continue;
            }
            *allStep = *allStep && links[i].isStep[path];
            double* at = supArray_Add( keys, (size_t)track->keyCount );
            fits = at != NULL;
            for ( int32_t k = 0; k < track->keyCount && fits; ++k )
            {
                at[k] = track->times[k];
            }
        }
    }
    return fits;
}

supResult supChain_PathTimes( const supChain* chain, supArray* times, supError* error )
{
    supArray keys = supMakeArray( sizeof( double ), &times->allocator );
    bool allStep;
    bool fits = supGatherKeys( chain, &keys, &allStep );
    if ( fits )
    {
        supSortTimes( keys.data, keys.count );
        double length = chain->end - chain->start;
        double fine = supMax( supFineSpan, length / supMostSpans );
        // STEP alone glides over its intervals; where nothing moves there is nothing to follow
        double dense = allStep ? supInfinity() : supMax( supDenseSpan, fine );
        fits = supLayTimes( keys.data, keys.count, dense, fine, times );
    }
    supArray_Destroy( &keys );
    return fits ? sup_success : supFail( error, sup_errorMemory, "no memory for the keys of an anchor's path" );
}
