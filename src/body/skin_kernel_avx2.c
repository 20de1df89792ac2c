// Skinning by blocks: the avx2 path.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX2 1
#    include "body/skin_kernel.inl"
#else
typedef int supNothingHere;
#endif
