// Sections of a surface by planes across a line, and their areas: how a limb keeps its girth.
#pragma once

#include "supple/lab/curves.h"

/// A place on the middle line of a limb and the line's direction there.
typedef struct supStation
{
    double center[3], along[3];
} supStation;

/// `count` stations along the curve through the curves' centers of a network (in the order of their parts), on a
/// surface of its topology; the same shares of the way between the same curves whatever the surface. Tips are left out.
void supMakeStations( const supCurveNetwork* network, const float* positions, int32_t count, supStation* stations );

/// Area that the plane through a station cuts out of a closed surface, of the loops around the station. Square metres.
double supSectionArea( const supStation* station, const float* positions, const uint32_t* indices, int32_t indexCount );
