// Skinning by blocks: one vertex at a time, on every machine.
// SPDX-License-Identifier: MIT
#define SUP_WIDE_SCALAR 1
#include "body/skin_kernel.inl"
