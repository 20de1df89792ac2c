// Supple: examples as a table of fields.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_correctivesLayer;
