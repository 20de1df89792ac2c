// Skinning by blocks: the avx512 path.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX512 1
#    include "body/skin_kernel.inl"
#else
typedef int supNothingHere;
#endif
