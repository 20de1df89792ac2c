// The wide float's operations, one lane.
// SPDX-License-Identifier: MIT
#define SUP_WIDE_SCALAR 1
#define SUP_WIDE_OPS supWideOpsScalar
#include "wide_ops_kernel.inl"
