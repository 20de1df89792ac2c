// An element's names looked up: driver, virtual bone, local frame, the joints whose skin belongs to it.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"

/// Fills in driver, bone and frame of `element`, and marks in `members` (one byte a joint) the joints whose weights
/// make the membership. Errors begin with `elements[index].field:`.
supResult supFindBone( const supCharacter* character, const supElementDef* def, int32_t index, supFleshElement* element,
    uint8_t* members, supError* error );

/// Refuses names of meshes and materials to leave out that the character does not have: a slip of the pen there would
/// let flesh grow on armour, silently.
supResult supCheckSkipped( const supCharacter* character, const supElementDef* def, int32_t index, supError* error );

/// Where a point lies along the virtual bone, -1 to 1 and beyond, and how far it is from the bone's segment.
void supMeasureFromBone( const supFleshElement* element, supVec3 point, float* along, float* distance );
/// The nearest point of the bone's segment.
supVec3 supNearestOnBone( const supFleshElement* element, supVec3 point );
