// Supple: the hot loop of supBeam_Solve, compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/beams.h"

typedef void supBeamFunction( const supBeam* beam, const double* given, double* places );

supBeamFunction supSolveBeamPanelPlain;
supBeamFunction supSolveBeamPanelAvx2;
