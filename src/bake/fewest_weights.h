// The best few of many influences.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"

/// The cost of weights w is w^T costs w; they are at least 0 and sum to 1.
typedef struct supWeightProblem
{
    int32_t count;
    double costs[SUP_MAX_CANDIDATES][SUP_MAX_CANDIDATES];
} supWeightProblem;

/// A choice of candidates and their weights.
typedef struct supWeightChoice
{
    int32_t count;
    int32_t chosen[SUP_MAX_CANDIDATES];
    double weights[SUP_MAX_CANDIDATES];
    double cost;
} supWeightChoice;

/// The best weights on the chosen candidates alone; those that would be negative are dropped one by one.
void supSolveWeights( const supWeightProblem* problem, supWeightChoice* choice );
/// The best `room` candidates. `start`: a choice that is good but too large.
supWeightChoice supChooseWeights( const supWeightProblem* problem, const supWeightChoice* start, int32_t room );
/// Exchanges one candidate at a time as long as that helps.
supWeightChoice supSwapWeights( const supWeightProblem* problem, supWeightChoice choice, int32_t room );
