// Wrinkles: folds across a control line, that keep its length.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_wrinklesLayer;
