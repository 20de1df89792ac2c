// Two upright rods side by side for tests, 1 m long, 0.1 m in radius: "left" around x = -0.11 m, "right" around 0.11 m.
// Each hangs on a joint of its own, children of "root", 0.3 m below.
#pragma once

#include "supple/character.h"

#define SUP_ROD_RINGS 33
#define SUP_ROD_AROUND 24
#define SUP_ROD_VERTICES ( SUP_ROD_RINGS * SUP_ROD_AROUND )

enum
{
    sup_rodLeft = 1, ///< joints
    sup_rodRight = 2,
};

supCharacter* supMakeTwoRods( void );
/// A vertex of the skin: rings are 1/32 m apart; vertex 0 of one is at +x, a quarter on at +z.
int32_t supRodVertex( int32_t rod, int32_t ring, int32_t around );
