// The layer of muscles: action lines and the forms that hang on them. It moves no skin by itself: layers after it read
// where the muscles are (muscle_frame.h).
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_musclesLayer;
