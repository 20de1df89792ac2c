// What the name of a joint says, whatever the convention.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"

enum
{
    supNameLetters = 64,
};

typedef struct supNameWords
{
    char letters[supNameLetters]; ///< lower case, without sides, prefixes and separators
    int side;                     ///< 0 left, 1 right, -1 none
} supNameWords;

/// "mixamorig:LeftForeArm", "DEF-forearm.L", "lowerarm_l", "J_Bip_L_LowerArm" and "Bip01 L Forearm" all hold a side,
/// and "forearm" or "lowerarm".
supNameWords supReadName( const char* name );

/// Whether a name of anything holds one of these words, which are in lower case.
bool supHoldsWord( const char* name, const char* const* words, int32_t count );

/// What a joint is by its name alone.
typedef enum supNamedPart
{
    sup_namedNothing = 0,
    sup_namedHead,
    sup_namedFace, ///< eyes, jaw, nose, mouth, beak, tongue: before the head
    sup_namedNeck,
    sup_namedTail,
    sup_namedHips,
    sup_namedFoot,
    sup_namedToe,
    sup_namedHand,
    sup_namedBreast,
    sup_namedWing,
    sup_namedFin,
    sup_namedEar, ///< and horns, antennae, hair
    sup_namedAbdomen,
} supNamedPart;

/// The same of a joint: by a VRM's own table of bones where it has one, else by its name.
supNamedPart supPartOfJointName( const supCharacter* character, int32_t joint );
