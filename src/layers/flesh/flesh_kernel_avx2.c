// Springs in bulk: the AVX2 path.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX2 1
#    include "flesh_kernel.inl"
#else
typedef int supNothingHere;
#endif
