// The wide float's operations, eight lanes.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"
#include "wide_ops.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX2 1
#    define SUP_WIDE_OPS supWideOpsAvx2
#    include "wide_ops_kernel.inl"
#endif
