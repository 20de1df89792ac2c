// What a character was read as, in words.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/auto.h"

#include <jansson.h>
#include <stdio.h>

enum
{
    sup_directionText = 48 ///< room for a direction in words
};

/// "+Z" where it is an axis, to 2.5 degrees; else "(0.71, 0, 0.71)".
const char* supDirectionText( supVec3 direction, char text[sup_directionText] );

/// "fox.glb: quadruped, front +Z, up +Y, 93% sure". `known`: what the call said itself; NULL: nothing.
void supPrintBody( const char* path, const supBodyReading* body, const supProposeDef* known, FILE* out );
/// A table of what spoke for it and what against.
void supPrintEvidence( const supBodyReading* body, FILE* out );
/// {kind, front, up, confidence, evidence}. NULL: no memory.
json_t* supBodyToJson( const supBodyReading* body );

/// [x, y, z]
json_t* supVectorToJson( supVec3 vector );
