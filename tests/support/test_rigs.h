#pragma once

#include "supple/rig.h"

/// A small generator with a fixed start: the same rigs on every run.
typedef struct supTestRandom
{
    uint64_t state;
} supTestRandom;

uint32_t supTestRandom_Next( supTestRandom* random );
/// In [lower, upper], full of digits.
float supTestRandom_Float( supTestRandom* random, float lower, float upper );

/// An element with every field of the table given, each within its range. Names and lists live in `block` until the
/// next call with it.
typedef struct supTestElement
{
    supElementDef def;
    char texts[16][40];
    const char* names[4][3];
    float pairs[8];
    float slopes[2];
    int32_t vertices[2][5];
    float values[2][5];
    supVertexValues paints[2];
    supSphere spheres[2];
} supTestElement;

/// `share` of 0 to 1: how many of the fields are given. `index` makes its name its own.
void supTestRandom_Element( supTestRandom* random, supTestElement* block, int32_t index, float share );

/// Whether two elements are the same in every field and in all that they point to; bit for bit, NaN like NaN. The name
/// of the first field that differs, or NULL. Written against the struct, not the table.
const char* supTestElementDifference( const supElementDef* a, const supElementDef* b );
