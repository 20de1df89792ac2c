// Supple: which tracks of a clip count.
// SPDX-License-Identifier: MIT
#include "character_data.h"

/// Whether some mesh that the joint shows has morph targets.
static bool supShowsMorphs( const supCharacter* character, int32_t joint )
{
    for ( int32_t m = character->joints[joint].firstMesh; m >= 0; m = character->nextMeshes[m] )
    {
        if ( character->meshes[m].morphCount > 0 )
        {
            return true;
        }
    }
    return false;
}

void supResolveTracks( supCharacter* character, int32_t* stamps, supFixes* fixes )
{
    for ( int32_t c = 0; c < character->clipCount; ++c )
    {
        supClip* clip = character->clips + c;
        // From the last to the first: what a later track of this clip has stamped is taken.
        for ( int32_t t = clip->trackCount - 1; t >= 0; --t )
        {
            const supTrackDef* track = clip->tracks + t;
            const supJoint* joint = character->joints + track->joint;
            int32_t* stamp = stamps + (size_t)track->joint * 4 + (size_t)track->path;
            bool isMorph = track->path == sup_pathWeights;
            bool isFixed = joint->hasMatrix && !isMorph;
            bool isIdle = isMorph && !supShowsMorphs( character, track->joint );
            bool isReplaced = *stamp == c + 1;
            clip->isUsed[t] = !isFixed && !isIdle && !isReplaced;
            fixes->matrixTracks += isFixed;
            fixes->idleWeightTracks += isIdle;
            fixes->replacedTracks += isReplaced && !isFixed && !isIdle;
            *stamp = c + 1;
        }
    }
}
