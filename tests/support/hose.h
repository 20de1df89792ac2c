// A hose on a chain of ten joints: many influences a vertex, elements that overlap. For bakes.
#pragma once

#include "supple/model.h"

enum
{
    supLinks = 10,
    supHoseRings = 37,
    supHoseSides = 10,
    supHoseVertices = supHoseRings * supHoseSides,
    supHoseKeys = 46
};

typedef struct supHose
{
    supCharacter* character;
    supModel* model;
} supHose;

/// `influences` joints a vertex, 1 to 8; `elements` regions of flesh, 0 to 3, each over four links. Two metres long
/// times `scale`. One clip, "wave". Fails the test where it cannot be made.
supHose supMakeHose( int influences, int elements, double scale );
void supFreeHose( supHose* hose );
