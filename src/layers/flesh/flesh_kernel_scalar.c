// Springs in bulk: one element at a time, on every machine.
// SPDX-License-Identifier: MIT
#define SUP_WIDE_SCALAR 1
#include "flesh_kernel.inl"
