// Contact: flesh that presses against the body's other parts and does not pass through them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_contactLayer;
