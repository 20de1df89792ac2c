// Supple: a line of springs with some of its free vertices left out, for a longer one to begin on.
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/spring_line.h"

/// A line of fewer vertices. It points into itself: do not copy it.
typedef struct supShorterLine
{
    supSpringLine line;
    int32_t kept[sup_mostLineNodes]; ///< which ones of the longer line its vertices are; rising
    bool bound[sup_mostLineNodes];
    double stiffness[sup_mostLineNodes], lengths[sup_mostLineNodes], holds[sup_mostLineNodes];
    supVec3d loads[sup_mostLineNodes], places[sup_mostLineNodes], at[sup_mostLineNodes];
    supLineField fields[sup_mostLineFields];
} supShorterLine;

/// Between kept vertices: so many segments of the line that is solved first. 1: the line is short enough by itself.
int32_t supFirstStride( const supSpringLine* line );
/// Leaves out all free vertices but every stride-th. `at`: where the longer line is.
void supMakeShorterLine( const supSpringLine* line, const supVec3d* at, int32_t stride, supShorterLine* out );
/// Puts the longer line where the shorter one is; vertices between are where their springs pull alike.
void supTakeShorterLine( const supSpringLine* line, const supShorterLine* shorter, supVec3d* at );
