// Supple: which lines become curves: those between which the surface changes.
// SPDX-License-Identifier: MIT
//
// Each chain starts with its ends (lines at forks and borders, points at tips). Then, of all lines of all chains, the
// one goes in that the straight surface between its kept neighbours misses by most, until that is less than the
// tolerance or there are as many curves (or parameters) as were asked for.

#include "layers/curves/curve_chains.h"

#include "solve/trig_curve.h"

/// One place along a chain: a line, or the tip at either end.
typedef struct supChainNode
{
    int32_t chain;
    int32_t line, point;
    double level;
    bool kept, last; ///< last of its chain
    double miss;     ///< how far it is off the surface between its kept neighbours; 0: kept. Metres
    int32_t terms;
} supChainNode;

static double supSegmentDistance( supVec3d p, supVec3d a, supVec3d b )
{
    supVec3d ab = supSubD( b, a ), ap = supSubD( p, a );
    double length = supDotD( ab, ab );
    double t = length > 0.0 ? supClamp( supDotD( ap, ab ) / length, 0.0, 1.0 ) : 0.0;
    supVec3d off = supSubD( ap, supScaleD( ab, t ) );
    return supDotD( off, off );
}

static void supNodeSamples( const supChains* chains, const supChainNode* node, supVec3d* out )
{
    for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
    {
        out[i] = node->line >= 0 ? chains->samples[(size_t)node->line * SUP_LINE_SAMPLES + (size_t)i]
                                 : chains->levels->mesh->points[node->point];
    }
}

// How far a line lies off the ruled surface between two others, root mean square: at the share of the way that suits it
// best, each sample to the nearest place of the line found there.
static double supMissOf( const supVec3d* a, const supVec3d* b, const supVec3d* c, bool open )
{
    double along = 0.0, whole = 0.0;
    for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
    {
        supVec3d ab = supSubD( b[i], a[i] );
        along += supDotD( supSubD( c[i], a[i] ), ab );
        whole += supDotD( ab, ab );
    }
    double share = whole > 0.0 ? supClamp( along / whole, 0.0, 1.0 ) : 0.0;
    supVec3d between[SUP_LINE_SAMPLES];
    for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
    {
        between[i] = supLerpD( a[i], b[i], share );
    }
    double sum = 0.0;
    int32_t spans = open ? SUP_LINE_SAMPLES - 1 : SUP_LINE_SAMPLES;
    for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
    {
        double least = supInfinity();
        for ( int32_t k = 0; k < spans; ++k )
        {
            least = supMin( least, supSegmentDistance( c[i], between[k], between[( k + 1 ) % SUP_LINE_SAMPLES] ) );
        }
        sum += least;
    }
    return supSqrt( sum / SUP_LINE_SAMPLES );
}

// Fills in the misses between the kept neighbours around a node.
static void supMeasureAround( const supChains* chains, supChainNode* nodes, int32_t at )
{
    int32_t a = at;
    while ( !nodes[a].kept )
    {
        --a;
    }
    const supLevelLine* lines = chains->levels->lines.data;
    supVec3d one[SUP_LINE_SAMPLES], two[SUP_LINE_SAMPLES], own[SUP_LINE_SAMPLES];
    for ( int32_t side = 0; side < 2 && !nodes[a].last; ++side )
    {
        int32_t b = a + 1;
        while ( !nodes[b].kept )
        {
            ++b;
        }
        supNodeSamples( chains, &nodes[a], one );
        supNodeSamples( chains, &nodes[b], two );
        for ( int32_t i = a + 1; i < b; ++i )
        {
            supNodeSamples( chains, &nodes[i], own );
            nodes[i].miss = supMissOf( one, two, own, lines[nodes[i].line].open );
        }
        a = b;
    }
}

// As few harmonics as hold a line within the tolerance.
static int32_t supTermsFor(
    const supChains* chains, const supCurveNetworkDef* def, const supChainNode* node, double tolerance )
{
    if ( node->line < 0 )
    {
        return 0;
    }
    if ( def->terms > 0 )
    {
        return def->terms;
    }
    const supVec3d* samples = chains->samples + (size_t)node->line * SUP_LINE_SAMPLES;
    bool open = ( (const supLevelLine*)chains->levels->lines.data )[node->line].open;
    double basis[SUP_MAX_CURVE_COEFFICIENTS + 1];
    supVec3d series[SUP_MAX_CURVE_COEFFICIENTS + 1];
    int32_t most = open ? 2 * def->maxTerms : def->maxTerms;
    for ( int32_t terms = 1; terms < most; ++terms )
    {
        supTrigTransform( open, terms, samples, SUP_LINE_SAMPLES, series );
        double sum = 0.0;
        for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
        {
            supTrigBasis( open, terms, (double)i / ( open ? SUP_LINE_SAMPLES - 1 : SUP_LINE_SAMPLES ), basis, NULL );
            supVec3d off = samples[i];
            for ( int32_t k = 0; k < supCurveCoefficientCount( open, terms ); ++k )
            {
                off = supMulAddD( off, -basis[k], series[k] );
            }
            sum += supDotD( off, off );
        }
        if ( sum < tolerance * tolerance * SUP_LINE_SAMPLES )
        {
            return terms;
        }
    }
    return most;
}

static int32_t supParametersOf( const supChains* chains, const supChainNode* node, int32_t terms )
{
    bool open = node->line >= 0 && ( (const supLevelLine*)chains->levels->lines.data )[node->line].open;
    return node->line < 0 ? 0 : 2 * supCurveCoefficientCount( open, terms );
}

static bool supMakeNodes( const supChains* chains, supArray* nodes )
{
    const supLevelLine* lines = chains->levels->lines.data;
    for ( int32_t c = 0; c < (int32_t)chains->chains.count; ++c )
    {
        const supLineChain* chain = (const supLineChain*)chains->chains.data + c;
        int32_t tips = ( chain->startTip >= 0 ) + ( chain->endTip >= 0 );
        supChainNode* node = supArray_Add( nodes, (size_t)( chain->count + tips ) );
        if ( node == NULL )
        {
            return false;
        }
        supChainNode* first = node;
        if ( chain->startTip >= 0 )
        {
            *node++ = ( supChainNode ){
                .chain = c, .line = -1, .point = chain->startTip, .level = chains->levels->field[chain->startTip]
            };
        }
        for ( int32_t i = 0; i < chain->count; ++i )
        {
            int32_t line = ( (const int32_t*)chains->order.data )[chain->first + i];
            *node++ = ( supChainNode ){ .chain = c, .line = line, .point = -1, .level = lines[line].level };
        }
        if ( chain->endTip >= 0 )
        {
            *node++ = ( supChainNode ){
                .chain = c, .line = -1, .point = chain->endTip, .level = chains->levels->field[chain->endTip]
            };
        }
        first->kept = true;
        ( node - 1 )->kept = ( node - 1 )->last = true;
    }
    return true;
}

/// What choosing has come to.
typedef struct supChoiceState
{
    int32_t curves, parameters;
} supChoiceState;

static void supKeepNode( const supChains* chains, supChainNode* node, supChoiceState* state, int32_t terms )
{
    node->kept = true;
    node->miss = 0.0;
    node->terms = terms;
    state->curves += node->line >= 0;
    state->parameters += supParametersOf( chains, node, terms );
}

static void supAddByMiss( const supChains* chains, const supCurveNetworkDef* def, double size, supChainNode* nodes,
    int32_t count, supChoiceState* state )
{
    double tolerance = def->tolerance * size;
    for ( ;; )
    {
        int32_t worst = -1;
        for ( int32_t i = 0; i < count; ++i )
        {
            if ( !nodes[i].kept && ( worst < 0 || nodes[i].miss > nodes[worst].miss ) )
            {
                worst = i;
            }
        }
        bool enough =
            def->curveCount > 0 ? state->curves >= def->curveCount : worst >= 0 && nodes[worst].miss < tolerance;
        if ( worst < 0 || enough )
        {
            return;
        }
        int32_t terms = supTermsFor( chains, def, &nodes[worst], tolerance );
        int32_t more = supParametersOf( chains, &nodes[worst], terms );
        if ( def->parameterLimit > 0 && state->parameters + more > def->parameterLimit )
        {
            return;
        }
        supKeepNode( chains, &nodes[worst], state, terms );
        // around it: measured from the kept one before it
        int32_t before = worst - 1;
        while ( !nodes[before].kept )
        {
            --before;
        }
        supMeasureAround( chains, nodes, before );
    }
}

supResult supChooseCurves(
    const supChains* chains, const supCurveNetworkDef* def, double size, supArray* curves, supError* error )
{
    supArray array = supMakeArray( sizeof( supChainNode ), &chains->levels->allocator );
    supChoiceState state = { 0, 0 };
    if ( !supMakeNodes( chains, &array ) )
    {
        supArray_Destroy( &array );
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    supChainNode* nodes = array.data;
    int32_t count = (int32_t)array.count;
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( nodes[i].kept )
        {
            supKeepNode( chains, &nodes[i], &state, supTermsFor( chains, def, &nodes[i], def->tolerance * size ) );
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( i == 0 || nodes[i - 1].last )
        {
            supMeasureAround( chains, nodes, i );
        }
    }
    supAddByMiss( chains, def, size, nodes, count, &state );
    supResult result = sup_success;
    for ( int32_t i = 0; result == sup_success && i < count; ++i )
    {
        if ( nodes[i].kept && ( def->tips || nodes[i].line >= 0 ) )
        {
            supChosenCurve* curve = supArray_Add( curves, 1 );
            result = curve != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for curves" );
            if ( curve != NULL )
            {
                *curve =
                    ( supChosenCurve ){ nodes[i].chain, nodes[i].line, nodes[i].point, nodes[i].terms, nodes[i].level };
            }
        }
    }
    supArray_Destroy( &array );
    return result;
}
