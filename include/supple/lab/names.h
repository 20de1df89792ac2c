// Supple: kinds of bodies, regions, sides and presets by name.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/auto.h"

SUP_API const char* supBodyKindName( supBodyKind kind ); ///< "many-legged"
SUP_API supResult supFindBodyKind( const char* name, supBodyKind* out, supError* error );
/// By its name, singular or plural: "belly", "breasts", "upperArms", "upper-arm". Only regions that carry flesh.
SUP_API supResult supFindRegion( const char* name, supRegion* out, supError* error );
SUP_API const char* supSideName( supSide side );                                      ///< "left"
SUP_API supResult supFindPreset( const char* name, supPreset* out, supError* error ); ///< "natural"
