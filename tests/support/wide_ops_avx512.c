// The wide float's operations, sixteen lanes.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"
#include "wide_ops.h"

#if SUP_TARGET_X86
#    define SUP_WIDE_AVX512 1
#    define SUP_WIDE_OPS supWideOpsAvx512
#    include "wide_ops_kernel.inl"
#endif
