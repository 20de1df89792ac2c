// Cycles of layers that are stepped, round after round until they close.
// SPDX-License-Identifier: MIT
//
// A cycle is run again and again, each time with the world moved on by the root's motion, so that the layers feel one
// unbroken walk. Layers that are linear in their start (fat, curves) are solved for the one that returns to itself
// after each round: the first begins at rest, knowing nothing of the walk before it, the second at the start that this
// gives, the third closes, whatever the damping is. Others forget their start by a constant factor a round, about ln(
// 1e4 ) / ( 2 pi zeta f T ) rounds in all; what hangs on them closes when they do. What is left of the gap is kept for
// the report, and spread over the round so that the cycle closes exactly.

#include "bake/take_data.h"

#include "base/math.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"

#include <string.h>

enum
{
    supMostRounds = 60,
    supFewRounds = 3,  ///< after these a linear layer whose gap falls no more has closed as far as it can
    supVainRounds = 4, ///< and any other that has come no nearer for so many: rays that come to rest on either of two
                       ///< muscles do so for ever
};

/// A cycle has closed when the gap of every layer is this share of the largest float that it shows…
static const double supClosed = 1e-4;
/// …and that of a linear one this share of what it moves by: about what rounding leaves.
static const double supClosedLinear = 2e-6;
/// Nearer is a gap that is so much less.
static const double supNearer = 0.98;
/// A resonance is told where it leaves a larger gap than this.
static const double supToldGap = 1e-4;
/// A layer whose floats are all below this (of the size, where that is less than a metre) stands still.
static const double supStill = 1e-6;
/// Steps of all rounds together: past these a cycle is closed as it is.
static const double supMostSteps = 4e5;

typedef struct supRounds
{
    supTake* take;
    supBody* body;
    supPose* pose;
    supWatched* watched;
    int32_t round;                          ///< that runs
    void* loops[SUP_MOST_LAYERS];           ///< of linear layers: what their rounds are watched with; NULL: not
    supLoopReport reports[SUP_MOST_LAYERS]; ///< of the last round
    double gapsBefore[SUP_MOST_LAYERS];     ///< of the round before it
    double least[SUP_MOST_LAYERS];          ///< gap of a layer in any round
    int32_t vain[SUP_MOST_LAYERS];          ///< rounds since it was
    void* block;
    size_t size;
} supRounds;

bool supIsStepped( const supStackLayer* entry )
{
    return entry->shownCount > 0 && !supIsSwings( entry );
}

static double supNodeTime( const supTake* take, int32_t node )
{
    double share = take->layers.nodeCount > 1 ? (double)node / ( take->layers.nodeCount - 1 ) : 0.0;
    return take->info.start + ( take->info.end - take->info.start ) * share;
}

static size_t supLoopSizeOf( const supStackLayer* entry )
{
    return supIsStepped( entry ) && entry->layer->loop != NULL ? entry->layer->loop->size( entry->compiled ) : 0;
}

/// Room to watch the rounds of linear layers. False: no memory.
static bool supOpenRounds( supRounds* rounds )
{
    const supStack* stack = &rounds->take->model->stack;
    supLayout layout = supMakeLayout();
    for ( int32_t i = 0; i < stack->count && rounds->take->info.loops; ++i )
    {
        size_t size = supLoopSizeOf( stack->layers + i );
        if ( size > 0 )
        {
            SUP_PUT_BYTES( &layout, rounds->loops[i], size );
        }
    }
    rounds->size = layout.size;
    rounds->block = supAllocLayout( &rounds->take->allocator, &layout );
    return layout.size == 0 || rounds->block != NULL;
}

/// After a step of the round: node 0 is where it begins.
static void supWatchRound( const supRounds* rounds, int32_t node )
{
    const supStack* stack = &rounds->take->model->stack;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        if ( rounds->loops[i] != NULL )
        {
            ( node == 0 ? entry->layer->loop->begin : entry->layer->loop->step )(
                entry->compiled, rounds->body->layers.layers[i].state, rounds->loops[i] );
        }
    }
}

/// Adds to each layer's count the steps that it has cut short since it was reset, `times` each.
static void supAddCuts( supLayerTake* layers, const supBody* body, int32_t times )
{
    for ( int32_t i = 0; i < body->model->stack.count; ++i )
    {
        layers->cuts[i] += times * (int32_t)supBodyStack_CutCount( body, i );
    }
}

/// How far all rounds have come. A cycle closes nobody knows when, mostly after three to ten: the share left falls ever
/// more slowly.
static double supShareDone( const supRounds* rounds, int32_t node )
{
    double share = (double)node / rounds->take->layers.nodeCount;
    return rounds->take->info.loops ? 1.0 - 3.0 / ( 3.0 + rounds->round + share ) : share;
}

/// One round over the clip: every node stepped and kept. False: to stop.
static bool supRunRound( const supRounds* rounds )
{
    supTake* take = rounds->take;
    supBody* body = rounds->body;
    supLayerTake* layers = &take->layers;
    float dt = (float)( supNodeTime( take, 1 ) - supNodeTime( take, 0 ) );
    memset( layers->cuts, 0, sizeof( layers->cuts ) );
    body->jumps.inClip = true;
    supAddCuts( layers, body, -1 );
    bool goes = true;
    for ( int32_t n = 0; n < layers->nodeCount && goes; ++n )
    {
        double time = supNodeTime( take, n );
        goes = supWatched_Tell( rounds->watched, NULL, supShareDone( rounds, n ) );
        supPose_Sample( rounds->pose, take->clip, time );
        supTakeSwings( take, time, supPose_Joints( rounds->pose ), body->layers.shown );
        // the first node of a later round is the last of the round before
        supBody_Advance( body, supPose_Joints( rounds->pose ), body->world, n == 0 ? 0.0f : dt );
        supWatchRound( rounds, n );
        memcpy( layers->values + (size_t)n * (size_t)layers->floatCount, body->layers.shown,
            (size_t)layers->floatCount * sizeof( float ) );
    }
    supAddCuts( layers, body, 1 );
    return goes;
}

/// The largest difference between both ends of the last round, as a share of the largest float: of `count` floats from
/// `first` on.
static double supGapOf( const supLayerTake* layers, size_t first, size_t count, double still )
{
    size_t last = (size_t)( layers->nodeCount - 1 ), width = (size_t)layers->floatCount;
    double gap = 0.0, largest = 0.0;
    for ( size_t i = first; i < first + count; ++i )
    {
        for ( size_t n = 0; n <= last; ++n )
        {
            largest = supMax( largest, supAbs( layers->values[n * width + i] ) );
        }
        gap = supMax( gap, supAbs( (double)layers->values[last * width + i] - layers->values[i] ) );
    }
    return largest > still ? gap / largest : 0.0;
}

/// Looks at what the round has left open, layer by layer, since each shows floats of another kind; linear ones are put
/// to where the next round is to begin. `turn`: by which the world was carried on.
static void supEndRound( supRounds* rounds, supMat34 turn )
{
    const supTake* take = rounds->take;
    const supStack* stack = &take->model->stack;
    double still = supStill * supMin( 1.0, supCharacter_Info( take->model->character )->size );
    size_t first = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        const supBodyLayer* layer = rounds->body->layers.layers + i;
        size_t count = (size_t)entry->shownCount;
        rounds->gapsBefore[i] = rounds->reports[i].gap;
        if ( rounds->loops[i] != NULL )
        {
            rounds->reports[i] =
                entry->layer->loop->end( entry->compiled, layer->state, rounds->loops[i], layer->live, turn );
        }
        else if ( supIsStepped( entry ) )
        {
            rounds->reports[i].gap = supGapOf( &take->layers, first, count, still );
        }
        bool nearer = rounds->reports[i].gap < supNearer * rounds->least[i] || rounds->least[i] == 0.0;
        rounds->vain[i] = nearer ? 0 : rounds->vain[i] + 1;
        rounds->least[i] = nearer ? rounds->reports[i].gap : rounds->least[i];
        first += count;
    }
}

static bool supHasClosed( const supRounds* rounds, int32_t round )
{
    bool closed = true;
    for ( int32_t i = 0; i < rounds->take->model->stack.count; ++i )
    {
        double gap = rounds->reports[i].gap;
        bool linear = rounds->loops[i] != NULL;
        bool stalls =
            linear ? round >= supFewRounds && gap > 0.5 * rounds->gapsBefore[i] : rounds->vain[i] >= supVainRounds;
        closed = closed && ( stalls || gap <= ( linear ? supClosedLinear : supClosed ) );
    }
    return closed;
}

/// Spreads what is left of the gap over the round.
static void supCloseRound( supLayerTake* layers )
{
    size_t count = (size_t)layers->floatCount, last = count * (size_t)( layers->nodeCount - 1 );
    for ( size_t i = 0; i < count; ++i )
    {
        double gap = (double)layers->values[last + i] - layers->values[i];
        for ( int32_t n = 0; n < layers->nodeCount; ++n )
        {
            double share = (double)n / ( layers->nodeCount - 1 ) - 0.5;
            float* value = layers->values + (size_t)n * count + i;
            *value = (float)( *value - gap * share );
        }
        layers->values[last + i] = layers->values[i];
        layers->gaps[i] = (float)gap;
    }
}

static void supFinishRounds( const supRounds* rounds )
{
    supTake* take = rounds->take;
    take->info.layerRounds = rounds->round;
    take->info.layerGap = 0.0f;
    for ( int32_t i = 0; i < take->model->stack.count && take->info.loops; ++i )
    {
        supLoopReport report = rounds->reports[i];
        take->info.layerGap = supMaxF( take->info.layerGap, (float)report.gap );
        take->layers.gaps[take->layers.floatCount + i] = report.gap > supToldGap ? report.resonance : 0.0f;
    }
    if ( take->info.loops )
    {
        supCloseRound( &take->layers );
    }
}

supResult supRunRounds( supTake* take, supBody* body, supPose* pose, supWatched* watched, supError* error )
{
    supRounds rounds = { .take = take, .body = body, .pose = pose, .watched = watched };
    supMat34d world = supMat34d_identity;
    bool again, goes;
    for ( int32_t i = 0; i < take->model->stack.count; ++i )
    {
        body->layers.held |= supIsSwings( take->model->stack.layers + i ) ? 1u << i : 0u;
    }
    if ( !supOpenRounds( &rounds ) )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu bytes to close the cycle of clip \"%s\"",
            rounds.size, supCharacter_Clip( take->model->character, take->clip ).name );
    }
    do
    {
        supMat34d next = supMulMatD( world, take->root.motion ), back = supMat34d_identity;
        body->world = supMatToFloat( world );
        goes = supRunRound( &rounds );
        supInvertMatD( world, &back );
        supEndRound( &rounds, supMatToFloat( supMulMatD( next, back ) ) );
        world = next;
        int32_t round = ++rounds.round;
        again = goes && take->info.loops && !supHasClosed( &rounds, round ) && round < supMostRounds &&
                (double)( round + 1 ) * take->layers.nodeCount < supMostSteps;
    } while ( again );
    supFinishRounds( &rounds );
    supFree( &take->allocator, rounds.block, rounds.size );
    return goes ? sup_success : sup_errorCanceled;
}
