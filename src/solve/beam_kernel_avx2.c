// Beams in AVX2.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_BEAM_PATH supSolveBeamsAvx2
#    include "solve/beam_kernel.inl"
#else
typedef int supNothingHere;
#endif
