// Supple: from a surface to its network of curves.
// SPDX-License-Identifier: MIT

#include "layers/curves/curve_chains.h"
#include "network_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_NETWORK_COOKIE 0x51c8

// A bump on a fork has curves of its own where it is higher than this: levels that tell it from the noise of the field,
// and tolerances that the surface without it would miss. With 2.5 levels and 1% of the size a deer lost its tail, and a
// face its lips and nostrils: 0.24% of the size rms instead of 0.20%, and 0.28% instead of 0.16%.
static const double supLeastLevels = 1.5, supLeastTolerances = 3.0;

typedef struct supOwnedBlock
{
    void* block;
    size_t size;
} supOwnedBlock;

void* supNetwork_Own( supCurveNetwork* network, size_t count, size_t itemSize )
{
    supOwnedBlock* owned = supArray_Add( &network->blocks, 1 );
    if ( owned == NULL )
    {
        return NULL;
    }
    count = count > 0 ? count : 1;
    owned->block = supAllocZeroed( &network->allocator, count, itemSize, SUP_MAX_ALIGNMENT );
    owned->size = count * itemSize;
    return owned->block;
}

supCurveNetworkDef supDefaultCurveNetworkDef( void )
{
    return ( supCurveNetworkDef ){
        .source = -1, .maxTerms = 12, .tolerance = 1e-3, .tips = true, .cookie = SUP_NETWORK_COOKIE
    };
}

static supResult supCheckNetworkDef( const supCurveNetworkDef* def, supError* error )
{
    const char* name = def->name != NULL ? def->name : "surface";
    if ( def->cookie != SUP_NETWORK_COOKIE )
    {
        return supFail( error, sup_errorArgument, "%.80s: the def was not made by supDefaultCurveNetworkDef", name );
    }
    if ( def->maxTerms < 1 || def->maxTerms > 31 || def->terms < 0 || def->terms > SUP_MAX_CURVE_TERMS )
    {
        return supFail(
            error, sup_errorArgument, "%.80s: maxTerms must be 1 to 31, and terms 0 to %d", name, SUP_MAX_CURVE_TERMS );
    }
    if ( def->pointCount < 0 || def->curveCount < 0 || def->parameterLimit < 0 || !( def->tolerance > 0.0 ) )
    {
        return supFail(
            error, sup_errorArgument, "%.80s: counts must not be below 0, and the tolerance must be above 0", name );
    }
    if ( def->source >= def->vertexCount )
    {
        return supFail( error, sup_errorArgument,
            "%.80s: there is no vertex %d for sections to start from; there are %d", name, (int)def->source,
            (int)def->vertexCount );
    }
    if ( def->pointCount > 0 && def->terms > 0 && def->pointCount < 2 * def->terms + 1 )
    {
        return supFail( error, sup_errorData, "%.80s: %d points per curve are too few for %d terms, which need %d",
            name, (int)def->pointCount, (int)def->terms, (int)( 2 * def->terms + 1 ) );
    }
    return sup_success;
}

// Every part must have a triangle: one with a corner in it.
static supResult supCheckParts( const supCurveNetworkDef* def, supError* error )
{
    for ( int32_t part = 0; part < def->partCount; ++part )
    {
        int32_t i = 0;
        while ( i < def->indexCount && def->parts[def->indices[i]] != part )
        {
            ++i;
        }
        if ( i == def->indexCount )
        {
            return supFail( error, sup_errorData, "part '%.80s' has no triangles", def->partNames[part] );
        }
    }
    for ( int32_t v = 0; def->partCount > 0 && v < def->vertexCount; ++v )
    {
        if ( def->parts[v] >= def->partCount )
        {
            return supFail( error, sup_errorArgument, "vertex %d belongs to part %d, but there are %d parts", (int)v,
                (int)def->parts[v], (int)def->partCount );
        }
    }
    return sup_success;
}

/// All that is in hand while a network is made.
typedef struct supNetworkWork
{
    const supCurveNetworkDef* def;
    supCurveMesh mesh;
    supLevels levels;
    supChains chains;
    supArray chosen;
} supNetworkWork;

static bool supTakePlaces( supCurveNetwork* network, const supCurveMesh* mesh )
{
    network->vertexCount = mesh->sourceCount;
    network->pointCount = mesh->pointCount;
    size_t n = (size_t)mesh->pointCount;
    network->welded = supNetwork_Own( network, (size_t)mesh->sourceCount, sizeof( int32_t ) );
    network->sources = supNetwork_Own( network, n, sizeof( int32_t ) );
    network->rest = supNetwork_Own( network, n, sizeof( supVec3d ) );
    network->regionOf = supNetwork_Own( network, n, sizeof( int32_t ) );
    if ( network->welded == NULL || network->sources == NULL || network->rest == NULL || network->regionOf == NULL )
    {
        return false;
    }
    memcpy( network->welded, mesh->welded, (size_t)mesh->sourceCount * sizeof( int32_t ) );
    memcpy( network->sources, mesh->sources, n * sizeof( int32_t ) );
    memcpy( network->rest, mesh->points, n * sizeof( supVec3d ) );
    return true;
}

static bool supNameParts( supCurveNetwork* network, const supNetworkWork* work )
{
    const supCurveNetworkDef* def = work->def;
    int32_t count = def->partCount > 0 ? def->partCount : (int32_t)work->chains.chains.count;
    network->partCount = count;
    network->partNames = supNetwork_Own( network, (size_t)count, sizeof( char* ) );
    for ( int32_t i = 0; network->partNames != NULL && i < count; ++i )
    {
        char text[32];
        snprintf( text, sizeof( text ), "part %d", (int)( i + 1 ) );
        const char* name = def->partCount > 0 ? def->partNames[i] : text;
        char* copy = supNetwork_Own( network, strlen( name ) + 1, 1 );
        if ( copy == NULL )
        {
            return false;
        }
        memcpy( copy, name, strlen( name ) + 1 );
        network->partNames[i] = copy;
    }
    return network->partNames != NULL;
}

// Parts by the vertices that a curve runs over, weighed by its shares; -1 among them: none.
static int32_t supPartOfCurve(
    const supCurveNetworkDef* def, const int32_t* vertices, const double* shares, int32_t count, int32_t chain )
{
    if ( def->partCount == 0 )
    {
        return chain;
    }
    int32_t best = 0;
    double most = -1.0;
    for ( int32_t part = 0; part < def->partCount; ++part )
    {
        double sum = 0.0;
        for ( int32_t i = 0; i < 4 * count; ++i )
        {
            sum += def->parts[vertices[i]] == part ? shares[i] : 0.0;
        }
        if ( sum > most )
        {
            most = sum;
            best = part;
        }
    }
    return best;
}

static int32_t supPointsFor( const supCurveNetworkDef* def, const supChosenCurve* chosen, bool open )
{
    int32_t wanted = def->pointCount > 0 ? def->pointCount : 4 * chosen->terms + 5;
    int32_t least = supCurveCoefficientCount( open, chosen->terms );
    return chosen->line < 0 ? 1 : def->pointCount > 0 ? wanted : (int32_t)supMax( wanted, least );
}

static bool supAllocateCurves( supCurveNetwork* network, const supNetworkWork* work )
{
    const supChosenCurve* chosen = work->chosen.data;
    const supLevelLine* lines = work->levels.lines.data;
    network->curveCount = (int32_t)work->chosen.count;
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        bool open = chosen[c].line >= 0 && lines[chosen[c].line].open;
        network->coefficientCount += supCurveCoefficientCount( open, chosen[c].terms );
        network->curvePointCount += supPointsFor( work->def, &chosen[c], open );
    }
    size_t points = (size_t)network->curvePointCount;
    network->curves = supNetwork_Own( network, (size_t)network->curveCount, sizeof( supKeptCurve ) );
    network->vertices = supNetwork_Own( network, 4 * points, sizeof( int32_t ) );
    network->shares = supNetwork_Own( network, 4 * points, sizeof( double ) );
    network->coefficients = supNetwork_Own( network, (size_t)network->coefficientCount, sizeof( supVec3d ) );
    return network->curves != NULL && network->vertices != NULL && network->shares != NULL &&
           network->coefficients != NULL;
}

static supResult supFitLine( supCurveNetwork* network, const supNetworkWork* work, const supChosenCurve* chosen,
    supKeptCurve* curve, supError* error )
{
    const supCurveMesh* mesh = &work->mesh;
    int32_t count = curve->pointCount;
    supVec3d* points = supAllocZeroed( &network->allocator, (size_t)count, sizeof( supVec3d ), _Alignof( supVec3d ) );
    supLinePlace* places =
        supAllocZeroed( &network->allocator, (size_t)count, sizeof( supLinePlace ), _Alignof( supLinePlace ) );
    supResult result = sup_success;
    if ( points == NULL || places == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for curves" );
    }
    else
    {
        const supLevelLine* line = (const supLevelLine*)work->levels.lines.data + chosen->line;
        supSampleLine( &work->levels, line, work->chains.phases[chosen->line], count, points, places );
        for ( int32_t i = 0; i < count; ++i )
        {
            for ( int32_t k = 0; k < 4; ++k )
            {
                network->vertices[4 * ( curve->firstPoint + i ) + k] = mesh->sources[places[i].points[k]];
                network->shares[4 * ( curve->firstPoint + i ) + k] = places[i].shares[k];
            }
            curve->center = supMulAddD( curve->center, 1.0 / count, points[i] );
        }
        char name[96];
        curve->part = supPartOfCurve( work->def, network->vertices + 4 * curve->firstPoint,
            network->shares + 4 * curve->firstPoint, count, chosen->chain );
        snprintf( name, sizeof( name ), "part '%.60s', curve at %.4g m", network->partNames[curve->part], line->level );
        supCurveFitDef fit = {
            .name = name, .open = line->open, .terms = curve->terms, .pointCount = count, .points = &points[0].x
        };
        result = supFitCurve( &fit, &network->coefficients[curve->firstCoefficient].x, &curve->fit, error );
    }
    supFree( &network->allocator, points, (size_t)count * sizeof( supVec3d ) );
    supFree( &network->allocator, places, (size_t)count * sizeof( supLinePlace ) );
    return result;
}

static void supSetTip(
    supCurveNetwork* network, const supNetworkWork* work, const supChosenCurve* chosen, supKeptCurve* curve )
{
    int32_t vertex = work->mesh.sources[chosen->point];
    for ( int32_t k = 0; k < 4; ++k )
    {
        network->vertices[4 * curve->firstPoint + k] = vertex;
        network->shares[4 * curve->firstPoint + k] = k == 0 ? 1.0 : 0.0;
    }
    curve->tip = true;
    curve->center = network->coefficients[curve->firstCoefficient] = work->mesh.points[chosen->point];
    curve->part = supPartOfCurve( work->def, network->vertices + 4 * curve->firstPoint,
        network->shares + 4 * curve->firstPoint, 1, chosen->chain );
    int32_t region = supLevels_Region( &work->levels, work->levels.regionOf[chosen->point] );
    const supLineChain* chain = (const supLineChain*)work->chains.chains.data + chosen->chain;
    bool start = chosen->point == chain->startTip;
    curve->lower = start ? -1 : region;
    curve->upper = start ? region : -1;
}

static supResult supMakeCurves( supCurveNetwork* network, const supNetworkWork* work, supError* error )
{
    const supChosenCurve* chosen = work->chosen.data;
    const supLevelLine* lines = work->levels.lines.data;
    if ( !supNameParts( network, work ) || !supAllocateCurves( network, work ) )
    {
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    int32_t firstPoint = 0, firstCoefficient = 0;
    supResult result = sup_success;
    for ( int32_t c = 0; result == sup_success && c < network->curveCount; ++c )
    {
        supKeptCurve* curve = &network->curves[c];
        const supLevelLine* line = chosen[c].line >= 0 ? lines + chosen[c].line : NULL;
        *curve = ( supKeptCurve ){ .open = line != NULL && line->open,
            .terms = chosen[c].terms,
            .firstPoint = firstPoint,
            .firstCoefficient = firstCoefficient,
            .level = chosen[c].level };
        curve->coefficientCount = supCurveCoefficientCount( curve->open, curve->terms );
        curve->pointCount = supPointsFor( work->def, &chosen[c], curve->open );
        if ( line == NULL )
        {
            supSetTip( network, work, &chosen[c], curve );
        }
        else
        {
            curve->lower = supLevels_Region( &work->levels, line->below );
            curve->upper = supLevels_Region( &work->levels, line->above );
            result = supFitLine( network, work, &chosen[c], curve, error );
        }
        firstPoint += curve->pointCount;
        firstCoefficient += curve->coefficientCount;
    }
    for ( int32_t c = 0; result == sup_success && c < network->curveCount; ++c )
    {
        for ( int32_t k = 0; k < c; ++k )
        {
            network->curves[c].number += network->curves[k].part == network->curves[c].part;
        }
    }
    return result;
}

// Takes out the lines that were not chosen; what is left between the others are the regions of the places.
static void supCloseRegions( supCurveNetwork* network, supNetworkWork* work )
{
    const supChosenCurve* chosen = work->chosen.data;
    supLevelLine* lines = work->levels.lines.data;
    for ( int32_t i = 0; i < (int32_t)work->levels.lines.count; ++i )
    {
        bool found = false;
        for ( size_t c = 0; c < work->chosen.count && !found; ++c )
        {
            found = chosen[c].line == i;
        }
        if ( !found && !lines[i].dropped )
        {
            supLevels_Drop( &work->levels, i );
        }
    }
    for ( int32_t p = 0; p < work->mesh.pointCount; ++p )
    {
        network->regionOf[p] = supLevels_Region( &work->levels, work->levels.regionOf[p] );
    }
}

static bool supMakeLinks( supCurveNetwork* network )
{
    for ( int32_t pass = 0; pass < 2; ++pass )
    {
        network->linkCount = 0;
        for ( int32_t a = 0; a < network->curveCount; ++a )
        {
            for ( int32_t b = a + 1; b < network->curveCount; ++b )
            {
                const supKeptCurve *x = &network->curves[a], *y = &network->curves[b];
                bool share = ( x->lower >= 0 && ( x->lower == y->lower || x->lower == y->upper ) ) ||
                             ( x->upper >= 0 && ( x->upper == y->lower || x->upper == y->upper ) );
                if ( share && pass == 1 )
                {
                    network->links[network->linkCount][0] = a;
                    network->links[network->linkCount][1] = b;
                }
                network->linkCount += share;
            }
        }
        if ( pass == 0 )
        {
            network->links = supNetwork_Own( network, (size_t)network->linkCount, sizeof( int32_t[2] ) );
        }
        if ( network->links == NULL )
        {
            return false;
        }
    }
    return true;
}

static int supCompareErrors( const void* a, const void* b )
{
    double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

static int32_t supCountForks( const supCurveNetwork* network )
{
    int32_t forks = 0;
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        // counted at the first of its curves
        for ( int32_t side = 0; side < 2; ++side )
        {
            int32_t region = side == 0 ? network->curves[c].lower : network->curves[c].upper, ends = 0;
            bool first = true;
            for ( int32_t k = 0; region >= 0 && k < network->curveCount; ++k )
            {
                bool touches = network->curves[k].lower == region || network->curves[k].upper == region;
                ends += touches;
                first = first && !( touches && k < c );
            }
            forks += first && ends > 2;
        }
    }
    return forks;
}

static bool supMeasureNetwork( supCurveNetwork* network, const supNetworkWork* work )
{
    supNetworkReport* report = &network->report;
    report->size = work->mesh.size;
    double low = supInfinity(), high = -supInfinity();
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        low = supMin( low, network->rest[p].y );
        high = supMax( high, network->rest[p].y );
    }
    report->height = high - low;
    report->parts = network->partCount;
    report->forks = supCountForks( network );
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        const supKeptCurve* curve = &network->curves[c];
        report->tips += curve->tip;
        report->curves += !curve->tip;
        report->points += curve->tip ? 0 : curve->pointCount;
        report->parameters += curve->tip ? 0 : 2 * curve->coefficientCount;
    }
    double* errors =
        supAllocZeroed( &network->allocator, (size_t)network->pointCount, sizeof( double ), _Alignof( double ) );
    if ( errors == NULL )
    {
        return false;
    }
    int32_t count = 0;
    double sum = 0.0;
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        if ( network->regionOf[p] >= 0 )
        {
            errors[count] = supLengthD( network->detail[p] );
            sum += errors[count] * errors[count];
            ++count;
        }
    }
    qsort( errors, (size_t)count, sizeof( double ), supCompareErrors );
    if ( count > 0 )
    {
        report->rmsError = supSqrt( sum / count );
        report->p99Error = errors[count - 1 - count / 100]; // at most a hundredth of the points lie above it
        report->maxError = errors[count - 1];
    }
    supFree( &network->allocator, errors, (size_t)network->pointCount * sizeof( double ) );
    return true;
}

static supResult supFillNetwork( supCurveNetwork* network, supNetworkWork* work, supError* error )
{
    const supCurveNetworkDef* def = work->def;
    const char* name = def->name != NULL ? def->name : "surface";
    supResult result = supCheckParts( def, error );
    if ( result == sup_success )
    {
        int32_t source = def->source >= 0 ? work->mesh.welded[def->source] : -1;
        result = supCreateLevels( &work->mesh, source, def->allocator, &work->levels, error );
    }
    if ( result == sup_success )
    {
        double bump =
            supMax( supLeastLevels * work->levels.spacing, supLeastTolerances * def->tolerance * work->mesh.size );
        result = supCreateChains( &work->levels, bump, &work->chains, error );
        if ( result == sup_success )
        {
            result = supChooseCurves( &work->chains, def, work->mesh.size, &work->chosen, error );
            if ( result == sup_success && work->chosen.count == 0 )
            {
                result = supFail( error, sup_errorData, "%.80s: too small or too coarse for a single curve", name );
            }
            if ( result == sup_success && !supTakePlaces( network, &work->mesh ) )
            {
                result = supFail( error, sup_errorMemory, "%.80s: no memory for curves", name );
            }
            if ( result == sup_success )
            {
                supCloseRegions( network, work );
                result = supMakeCurves( network, work, error );
            }
            if ( result == sup_success )
            {
                result = supHangPlaces( network, &work->mesh, error );
            }
            if ( result == sup_success && ( !supMakeLinks( network ) || !supMeasureNetwork( network, work ) ) )
            {
                result = supFail( error, sup_errorMemory, "%.80s: no memory for curves", name );
            }
            supChains_Destroy( &work->chains );
        }
        supLevels_Destroy( &work->levels );
    }
    return result;
}

supResult supCreateCurveNetwork( const supCurveNetworkDef* def, supCurveNetwork** out, supError* error )
{
    *out = NULL;
    supResult result = supCheckNetworkDef( def, error );
    supNetworkWork work = { .def = def };
    if ( result == sup_success )
    {
        result = supCreateCurveMesh( def->name != NULL ? def->name : "surface", def->vertexCount, def->positions,
            def->indexCount, def->indices, def->allocator, &work.mesh, error );
    }
    if ( result != sup_success )
    {
        return result;
    }
    supCurveNetwork* network =
        supAllocZeroed( def->allocator, 1, sizeof( supCurveNetwork ), _Alignof( supCurveNetwork ) );
    if ( network == NULL )
    {
        supCurveMesh_Destroy( &work.mesh );
        return supFail( error, sup_errorMemory, "no memory for a network of curves" );
    }
    network->allocator = supKeepAllocator( def->allocator );
    network->blocks = supMakeArray( sizeof( supOwnedBlock ), def->allocator );
    work.chosen = supMakeArray( sizeof( supChosenCurve ), def->allocator );
    result = supFillNetwork( network, &work, error );
    supArray_Destroy( &work.chosen );
    supCurveMesh_Destroy( &work.mesh );
    if ( result != sup_success )
    {
        supDestroyCurveNetwork( network );
        return result;
    }
    *out = network;
    return sup_success;
}

void supDestroyCurveNetwork( supCurveNetwork* network )
{
    if ( network == NULL )
    {
        return;
    }
    const supOwnedBlock* blocks = network->blocks.data;
    for ( size_t i = 0; i < network->blocks.count; ++i )
    {
        supFree( &network->allocator, blocks[i].block, blocks[i].size );
    }
    supArray_Destroy( &network->blocks );
    supAllocator allocator = network->allocator;
    supFree( &allocator, network, sizeof( supCurveNetwork ) );
}
