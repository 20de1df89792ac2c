// The wide float's operations, on the path that every processor of the target has.
// SPDX-License-Identifier: MIT
#define SUP_WIDE_OPS supWideOpsBest
#include "wide_ops_kernel.inl"
