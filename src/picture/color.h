// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// sRGB's curve, IEC 61966-2-1: byte to linear light, 256 values.
void supFillSrgbTable( float* linear );
/// Linear light (cut to [0, 1]) to the nearest sRGB byte.
uint8_t supEncodeSrgb( float linear );
