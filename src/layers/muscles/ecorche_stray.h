// Muscles that lie beside the body instead of in it.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/ecorche_work.h"

/// The piece that lies farthest outside.
typedef struct supStrayPiece
{
    int32_t piece;  ///< -1: none
    supVec3 at;     ///< its middle, model space at rest
    float distance; ///< from there to the skin. Metres
} supStrayPiece;

/// Looks for pieces whose middle is outside the skin and farther than `tolerance` from it: rays from the bones meet
/// those that come through the skin, and pass these by. False: no memory.
bool supFindStrayPiece( const supEcorcheSkin* skin, const supImplicitReady* pieces, int32_t pieceCount, float tolerance,
    supStrayPiece* out );
