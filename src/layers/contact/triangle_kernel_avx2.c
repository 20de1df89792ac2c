// Distances to triangles in AVX2.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX2 1
#    define SUP_TRIANGLES_PATH supMeasureTrianglesAvx2
#    include "layers/contact/triangle_kernel.inl"
#else
typedef int supNothingHere;
#endif
