// Action lines at rest: points on joints, divided into segments.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_data.h"

/// How many vertices the line of a muscle has; 0: none.
int32_t supCountLineVertices( const supMuscleDef* def );
/// Looks up the joints of a muscle's points and puts them at rest.
supResult supBindLinePoints(
    const supCharacter* character, const supMuscleDef* def, int32_t item, supLineAnchor* anchors, supError* error );
/// Divides the way between the points: all of a line's vertices, with lengths and joints.
void supDivideLine( const supCharacter* character, const supMuscleDef* def, const supLineAnchor* anchors,
    supMuscle* muscle, supLineVertex* vertices );
/// Where a point is in a pose.
supVec3 supAnchorPlace( const supLineAnchor* anchor, const supMat34* joints );
