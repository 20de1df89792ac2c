// Supple: which lines become curves.
// SPDX-License-Identifier: MIT
#pragma once

#include "curve_chains.h"
#include "supple/lab/curves.h"

/// A line that was chosen, or a tip.
typedef struct supChosenCurve
{
    int32_t chain;
    int32_t line;  ///< -1: a tip
    int32_t point; ///< of the mesh; of a tip
    int32_t terms;
    double level;
} supChosenCurve;

/// Chosen curves, chain by chain and along each. `curves`: an array of supChosenCurve to fill.
supResult supChooseCurves(
    const supChains* chains, const supCurveNetworkDef* def, double size, supArray* curves, supError* error );
