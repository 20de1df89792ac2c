// Tiles of a front in the instructions that every processor of the target has.
// SPDX-License-Identifier: MIT
#define SUP_FRONT_PATH supSubtractTilesPlain
#define SUP_FRONT_FOURS 1
#include "solve/front_kernel.inl"
