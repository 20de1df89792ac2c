// The best few of many influences.
// SPDX-License-Identifier: MIT
//
// With the candidates' errors as columns (where each alone would put the vertex, less where it should be, over all
// frames) the squared error of weights that sum to 1 is w^T C w. On a given set its minimum is w = z / (1 . z), C z =
// 1, and the cost 1 / (1 . z). Which set: where there are few candidates all are tried, else from a good larger one the
// least missed are taken away one at a time, then single swaps as long as they help.

#include "bake/refit.h"

#include "base/math.h"

enum
{
    supMostTries = 130 ///< sets that are tried one by one
};

/// C z = 1 on the chosen ones, by Cholesky; a little is added to the diagonal so that candidates that never differ are
/// shared evenly. False where that fails.
static bool supSolveSet( const supWeightProblem* problem, supWeightChoice* choice )
{
    enum
    {
        n = SUP_MAX_CANDIDATES
    };
    double l[n][n], z[n];
    double trace = 0.0;
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        trace += problem->costs[choice->chosen[i]][choice->chosen[i]];
    }
    double little = 1e-9 * trace + 1e-300;
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        double rest = 1.0;
        for ( int32_t j = 0; j <= i; ++j )
        {
            double sum = problem->costs[choice->chosen[i]][choice->chosen[j]] + ( i == j ? little : 0.0 );
            for ( int32_t k = 0; k < j; ++k )
            {
                sum -= l[i][k] * l[j][k];
            }
            if ( i == j && !( sum > 0.0 ) )
            {
                return false;
            }
            l[i][j] = i == j ? supSqrt( sum ) : sum / l[j][j];
        }
        for ( int32_t k = 0; k < i; ++k )
        {
            rest -= l[i][k] * z[k];
        }
        z[i] = rest / l[i][i];
    }
    double total = 0.0;
    for ( int32_t i = choice->count - 1; i >= 0; --i )
    {
        for ( int32_t k = i + 1; k < choice->count; ++k )
        {
            z[i] -= l[k][i] * z[k];
        }
        z[i] /= l[i][i];
        total += z[i];
    }
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        choice->weights[i] = z[i] / total;
    }
    choice->cost = 1.0 / total;
    return total > 0.0;
}

void supSolveWeights( const supWeightProblem* problem, supWeightChoice* choice )
{
    while ( choice->count > 0 )
    {
        if ( !supSolveSet( problem, choice ) )
        {
            choice->cost = supInfinity();
            return;
        }
        int32_t least = 0;
        for ( int32_t i = 1; i < choice->count; ++i )
        {
            least = choice->weights[i] < choice->weights[least] ? i : least;
        }
        if ( choice->weights[least] >= 0.0 )
        {
            return;
        }
        choice->chosen[least] = choice->chosen[--choice->count];
    }
}

static bool supIsChosen( const supWeightChoice* choice, int32_t candidate )
{
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        if ( choice->chosen[i] == candidate )
        {
            return true;
        }
    }
    return false;
}

/// All sets of `room` candidates, in order.
static supWeightChoice supTryAll( const supWeightProblem* problem, int32_t room )
{
    supWeightChoice best = { .cost = supInfinity() };
    int32_t set[SUP_MAX_CANDIDATES];
    for ( int32_t i = 0; i < room; ++i )
    {
        set[i] = i;
    }
    for ( ;; )
    {
        supWeightChoice choice = { .count = room };
        for ( int32_t i = 0; i < room; ++i )
        {
            choice.chosen[i] = set[i];
        }
        supSolveWeights( problem, &choice );
        best = choice.cost < best.cost ? choice : best;
        int32_t at = room - 1;
        while ( at >= 0 && set[at] == problem->count - room + at )
        {
            --at;
        }
        if ( at < 0 )
        {
            return best;
        }
        for ( ++set[at]; at + 1 < room; ++at )
        {
            set[at + 1] = set[at] + 1;
        }
    }
}

static supWeightChoice supTakeAway( const supWeightProblem* problem, const supWeightChoice* start, int32_t room )
{
    supWeightChoice choice = *start;
    supSolveWeights( problem, &choice );
    while ( choice.count > room )
    {
        supWeightChoice best = { .cost = supInfinity() };
        for ( int32_t i = 0; i < choice.count; ++i )
        {
            supWeightChoice less = choice;
            less.chosen[i] = less.chosen[--less.count];
            supSolveWeights( problem, &less );
            best = less.cost < best.cost || best.count == 0 ? less : best;
        }
        choice = best;
    }
    return choice;
}

/// Exchanges one candidate at a time as long as that helps.
static supWeightChoice supSwapWeights( const supWeightProblem* problem, supWeightChoice choice, int32_t room )
{
    for ( bool better = true; better; )
    {
        better = false;
        supWeightChoice best = choice;
        for ( int32_t candidate = 0; candidate < problem->count; ++candidate )
        {
            int32_t places = choice.count < room ? choice.count + 1 : choice.count;
            for ( int32_t i = 0; i < places && !supIsChosen( &choice, candidate ); ++i )
            {
                supWeightChoice other = choice;
                other.count = i == choice.count ? choice.count + 1 : choice.count;
                other.chosen[i] = candidate;
                supSolveWeights( problem, &other );
                best = other.cost < best.cost * ( 1.0 - 1e-6 ) ? other : best;
            }
        }
        better = best.cost < choice.cost;
        choice = best;
    }
    return choice;
}

supWeightChoice supChooseWeights( const supWeightProblem* problem, const supWeightChoice* start, int32_t room )
{
    int64_t sets = 1;
    for ( int32_t i = 0; i < room && sets <= supMostTries; ++i )
    {
        sets = sets * ( problem->count - i ) / ( i + 1 );
    }
    if ( problem->count <= room || sets <= supMostTries )
    {
        return supTryAll( problem, problem->count < room ? problem->count : room );
    }
    return supSwapWeights( problem, supTakeAway( problem, start, room ), room );
}
