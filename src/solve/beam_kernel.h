// Supple: the hot loop of supBeam_Solve, compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/lab/beams.h"

typedef void supBeamFunction( const supBeam* beam, int32_t panels, const double* given, double* places );

supBeamFunction supSolveBeamsPlain;
supBeamFunction supSolveBeamsAvx2;
