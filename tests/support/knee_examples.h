// Bodies with examples on the knee.
#pragma once

#include "supple/rig.h"
#include "support/knee.h"

/// An example of the shin alone, in a pose of one rotation, degrees.
supExampleDef supShinExample( const char* name, const supVec3* pose );
supResult supTryExamples(
    const supCharacter* character, const supExampleDef* defs, int32_t count, supModel** model, supError* error );
/// Fails the test, with the words, where they are refused.
supBody* supBodyWith( const supCharacter* character, const supExampleDef* defs, int32_t count, supModel** model );
void supShowJoints( supBody* body, const supMat34* joints, supVec3 places[supKneeVertices] );
/// The shin bent and twisted. Radians.
void supShowKnee( supBody* body, double bend, double twist, supVec3 places[supKneeVertices] );
double supFarthestOf( const supVec3* a, const supVec3* b );
