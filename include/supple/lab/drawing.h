// Supple: colours for what is drawn.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/body.h"
#include "supple/draw.h"

/// The n-th of a row of colours that are told apart easily, for elements and clips.
SUP_API supColor supDraw_Distinct( int32_t n );
