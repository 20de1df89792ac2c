// By what rigid motion a body was put elsewhere.
#pragma once

#include "body/body_data.h"

/// The one that takes the joints' posture to what it is now, and `from` to `to`. World space
supMat34 supFindMotion( supBody* body, const supMat34* joints, supMat34 world, supVec3 from, supVec3 to );
/// By what the world alone was put elsewhere, had it gone on till then as in the step before. `from` is where the body
/// would be. False: by nothing that has an inverse.
bool supFindPut( const supBody* body, supMat34 world, supVec3 from, float dt, supMat34* out );
/// A share of a rigid motion: turned by it about the place that it takes `from` from.
supMat34 supMotionShare( supMat34 motion, supVec3 from, float share );
/// A motion between two, by where they take `from`.
supMat34 supMotionBetween( supMat34 a, supMat34 b, supVec3 from, float share );
/// For the next step: where the world was, so that both tell how it goes. A jump is not how it goes.
void supNoteWorld( supBody* body, supMat34 world, float dt, float whole );
