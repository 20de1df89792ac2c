// The layer of the écorché: the skin over muscles.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_ecorcheLayer;
