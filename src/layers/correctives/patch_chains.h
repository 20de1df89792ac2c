// Supple: the skin of a character, bone by bone, and chains of bones that each run through one tube of it.
// SPDX-License-Identifier: MIT
//
// A bone here is a joint that was asked for, or several that lie side by side in one piece of skin (the metacarpals of
// a palm). Bones hang together as the joints do. Files whose joints all hang on one node (hands of WebXR) say nothing
// about that: there, bones that share most skin hang together.
#pragma once

#include "base/math.h"
#include "base/memory.h"
#include "layers/correctives/tube.h"
#include "supple/character.h"

typedef struct supSkinBone
{
    int32_t jointCount;
    int32_t above;     ///< the bone that it hangs on, -1: none
    bool hasBelow;     ///< joints hang on it, wanted or not
    int32_t count;     ///< vertices that hang on it more than on any other
    float thickness;   ///< mean distance of these from the bone. Metres
    supVec3 head, tip; ///< at rest; the tip is in the middle of the joints below, or twice as far as the skin's middle
} supSkinBone;

typedef struct supSkinCensus
{
    int32_t jointCount, boneCount;
    int32_t* boneOf; ///< of each joint of the character, -1: not asked for
    supSkinBone* bones;
    size_t blockSize; ///< one block, to be freed with the census's own address
} supSkinCensus;

/// `wanted`: one a joint; NULL: all that carry skin. NULL: no memory.
supSkinCensus* supTakeCensus( const supCharacter* character, const bool* wanted, const supAllocator* allocator );

enum
{
    supMostChain = 64 ///< joints of a chain
};

/// Joints from the body outwards, and the rough centre line through them.
typedef struct supChain
{
    int32_t jointCount;
    int32_t joints[supMostChain];
    int32_t centerCount; ///< 1: all in one place, there is no line
    supVec3 center[supMostChain + 1];
    supVec3 end;       ///< of the last bone
    bool hangs;        ///< on another chain
    bool endsInSkin;   ///< nothing hangs on it, or the chain forks there: it goes on as far as its skin does
    bool beginsInSkin; ///< the same of its beginning: several chains hang on its first bone, and that on none
} supChain;

/// Splits bones into chains. Where several bones hang on one, its chain goes on into the one that is about as thick and
/// bends least, if any (a spine into the chest, but a palm into no finger). A chain of more than supMostChain joints
/// goes on as another. False: no memory.
bool supFindChains( const supSkinCensus* census, supArray* chains );

/// How much of each vertex hangs on the chain's joints.
void supFindMembers( const supCharacter* character, const supChain* chain, float* members );

/// The chain's centre line, shortened to where planes cut sections of it, and lengthwise curves on the skin that hangs
/// on it. `members`: room for all vertices of the character. *out stays NULL where the joints are all in one place.
supResult supMakeChainTube( const supCharacter* character, supChain* chain, int32_t curves, int32_t nodes,
    float* members, const supAllocator* allocator, supTube** out, supError* error );
