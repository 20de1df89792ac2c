// Supple: what a body shows of its layers, drawn by name through callbacks of the host's.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/body.h"
#include "supple/draw.h"

/// Draws one thing by name, "weights" for example. False: no layer knows it.
SUP_API bool supBody_Draw( const supBody* body, const char* what, const supDraw* draw );
/// The names that the layers know, NULL-terminated.
SUP_API const char* const* supBody_DrawNames( void );
/// The n-th of a row of colours that are told apart easily, for elements and clips.
SUP_API supColor supDraw_Distinct( int32_t n );
