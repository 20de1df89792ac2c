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
            supTrack* track = clip->tracks + t;
            const supJoint* joint = character->joints + track->def.joint;
            int32_t* stamp = stamps + (size_t)track->def.joint * 4 + (size_t)track->def.path;
            bool isMorph = track->def.path == sup_pathWeights;
            bool isFixed = joint->hasMatrix && !isMorph;
            bool isIdle = isMorph && !supShowsMorphs( character, track->def.joint );
            bool isReplaced = *stamp == c + 1;
            track->isUsed = !isFixed && !isIdle && !isReplaced;
            fixes->matrixTracks += isFixed;
            fixes->idleWeightTracks += isIdle;
            fixes->replacedTracks += isReplaced && !isFixed && !isIdle;
            *stamp = c + 1;
        }
    }
}
