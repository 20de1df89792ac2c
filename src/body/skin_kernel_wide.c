// Skinning by blocks: the wide path that every processor of the target has.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"

#if SUP_TARGET_WIDE
#    include "body/skin_kernel.inl"
#else
typedef int supNothingHere;
#endif
