// Volume: flesh that keeps its volume, and bulges where it is squeezed.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_volumeLayer;
