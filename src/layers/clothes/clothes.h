// Clothes: garments that go with the skin beneath them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_clothesLayer;
