// Tiles of a front in AVX2.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_FRONT_PATH supSubtractTilesAvx2
#    define SUP_FRONT_FOURS 2
#    include "solve/front_kernel.inl"
#else
typedef int supNothingHere;
#endif
