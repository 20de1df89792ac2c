// A strip for tests: a flat piece of skin, one metre along x, with a coat of the same shape above it. It shortens where
// it goes over from one joint to the next: from x = 0.2 to 0.4 by a tenth, from x = 0.6 to 0.8 by three tenths, at the
// end of the clip "press"; nowhere else.
#pragma once

#include "supple/character.h"

#define SUP_STRIP_ALONG 101
#define SUP_STRIP_ACROSS 21
#define SUP_STRIP_VERTICES ( SUP_STRIP_ALONG * SUP_STRIP_ACROSS )

/// Meshes "skin" and "coat", of SUP_STRIP_VERTICES each; joints "left", "middle", "right".
supCharacter* supMakeStrip( void );
