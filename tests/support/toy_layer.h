// A layer for tests: each item pushes the second and third ring of the bar (bake_bar.h) along x by `height` times a
// float that lags behind the height of the joint "tip" by 1/4 s.
#pragma once

#include "layers/layer.h"
#include "rig/model_data.h"

typedef struct supToyDef
{
    const char* name;
    float height;
    float width;
} supToyDef;

enum
{
    supToyIndex = 100, ///< its place in the list of layers, where it does not stand
    supToyFirst = 12,
    supToyCount = 24,
};

extern const supLayer sup_toyLayer;
