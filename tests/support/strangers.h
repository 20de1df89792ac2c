// Characters that the automatic rig was not made with, what is true of each, and what was found on it.
#pragma once

#include "support/altered_character.h"
#include "support/found_flesh.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------------------------
// What is true

typedef struct supRegionTruth
{
    supRegion region;
    char count[64]; ///< in words: "2", "0 or 1", "2 or more", "1 or more, or side, or body"
    char offset;    ///< where its centre lies from its driver's bone: 'f'ront, 'b'ack, 'd'own; 0: nothing is said
} supRegionTruth;

typedef struct supBodyTruth
{
    char asset[128]; ///< "strangers/Koi.glb"
    char name[64];   ///< the file's own, for tables
    supBodyKind kind;
    supVec3 front, up;
    int32_t regionCount;
    supRegionTruth regions[16];
} supBodyTruth;

enum
{
    supMostBodies = 64,
};

/// Reads {"bodies": […]}, as strangers/bodies.json has it; `folder` goes before the files' names. Gives how many.
/// Fails the test where it cannot be understood.
int32_t supReadTruths( json_t* root, const char* folder, supBodyTruth* out, int32_t room );
/// The strangers'; 0: the file is not there.
int32_t supReadStrangers( supBodyTruth* out, int32_t room );

/// Whether so many elements of each region are what the words say of `own`. Fails the test on words that say nothing.
bool supIsCount( const char* words, supRegion own, const int32_t counts[sup_regionCount] );

/// Regions that come in twos, left and right; all others lie in the middle or are not told.
bool supIsPaired( supRegion region );
/// Regions of the trunk, whatever kind of body it is.
bool supIsOfTrunk( supRegion region );

// ---------------------------------------------------------------------------------------------------------------
// What was found

/// Loads an asset. NULL, with words in `error`: it was refused.
supCharacter* supTryLoad( const char* asset, supError* error );
/// A rig and a model of a character that stays the caller's; false, with words in `error`: there is none.
bool supTryFind( const supCharacter* character, supPreset preset, supFound* out, supError* error );

/// A character with what is true of it and what was found on it.
typedef struct supStranger
{
    supBodyTruth truth;
    supCharacter* character; ///< NULL: it was refused
    supFound found;          ///< in `natural`
    bool isFound;
    supError error; ///< why not
} supStranger;

void supMeet( supStranger* stranger, const supBodyTruth* truth );
/// The strangers; fewer of them in slow builds, which is said. 0: their files are not there.
int32_t supMeetStrangers( supStranger* out, int32_t room );
void supLeave( supStranger* strangers, int32_t count );

/// Between two directions. Degrees; 180 where one of them is none.
double supAngle( supVec3 a, supVec3 b );
/// The middle of the skin along a direction: the mean place of its area, but for the tenth that lies farthest out on
/// either side (a sword, a bag).
float supMiddleAlong( const supCharacter* character, supVec3 direction );
/// Elements of each region.
void supCountRegions( const supFound* found, int32_t counts[sup_regionCount] );

/// How a rig of an altered character stands to that of the character itself.
typedef struct supLikeness
{
    bool kind, front, up;
    bool regions;    ///< the same ones on the same sides, and every centre within 1% of the size
    bool numbers;    ///< amount and frequency of each within 1%
    double farthest; ///< of the centres that go together. Share of the size
    double numberOff;
    char words[160]; ///< the first thing that differs, "" where all is alike
} supLikeness;

supLikeness supCompareFound( const supFound* plain, const supFound* other, const supAlteration* alteration );
