// Supple: from shapes at given times to a motion of curves.
// SPDX-License-Identifier: MIT

#include "motion_data.h"

#include <stdio.h>
#include <string.h>

#define SUP_MOTION_COOKIE 0x51c9

supCurveMotionDef supDefaultCurveMotionDef( void )
{
    return ( supCurveMotionDef ){ .wire = supDefaultWireDef(), .keepDetail = true, .cookie = SUP_MOTION_COOKIE };
}

static const char* supShapeName( const supCurveMotionDef* def, int32_t i, char* room, size_t size )
{
    if ( def->shapeNames != NULL && def->shapeNames[i] != NULL )
    {
        return def->shapeNames[i];
    }
    snprintf( room, size, "shape %d", (int)i );
    return room;
}

static supResult supCheckShape(
    const supCurveNetwork* network, const supCurveMotionDef* def, int32_t i, supError* error )
{
    char room[32];
    const char* name = supShapeName( def, i, room, sizeof( room ) );
    if ( def->vertexCounts != NULL && def->vertexCounts[i] != network->vertexCount )
    {
        return supFail( error, sup_errorData,
            "%.120s: has %d vertices, but the first shape has %d; all shapes must have the same vertices and triangles",
            name, (int)def->vertexCounts[i], (int)network->vertexCount );
    }
    if ( !supIsFinite( def->times[i] ) || ( i > 0 && !( def->times[i] > def->times[i - 1] ) ) )
    {
        return supFail( error, sup_errorData, "%.120s: its time is %g after %g: times must increase", name,
            def->times[i], i > 0 ? def->times[i - 1] : 0.0 );
    }
    for ( int64_t k = 0; k < 3 * (int64_t)network->vertexCount; ++k )
    {
        if ( !supIsFinite( def->shapes[i][k] ) )
        {
            return supFail( error, sup_errorData, "%.120s: vertex %d is not a number", name, (int)( k / 3 ) );
        }
    }
    return sup_success;
}

static supResult supCheckMotion( const supCurveNetwork* network, const supCurveMotionDef* def, supError* error )
{
    if ( def->cookie != SUP_MOTION_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the def was not made by supDefaultCurveMotionDef" );
    }
    const char* name = def->name != NULL ? def->name : "motion";
    if ( def->shapeCount < 1 )
    {
        return supFail( error, sup_errorData, "%.80s: has no shape; give one shape with forces, or two or more", name );
    }
    const double holds[3] = { def->apart, def->volume, def->folds };
    for ( int32_t i = 0; i < 3; ++i )
    {
        if ( !( holds[i] >= 0.0 && holds[i] <= 1.0 ) )
        {
            return supFail( error, sup_errorData, "%.80s: %s is %g: a share from 0 to 1", name,
                i == 0   ? "apart"
                : i == 1 ? "volume"
                         : "folds",
                holds[i] );
        }
    }
    supWireDef wire = def->wire;
    supResult result = sup_success;
    for ( int32_t c = 0; result == sup_success && c < network->curveCount; ++c )
    {
        // every curve by its name, open ones by their own bound
        wire.open = network->curves[c].open;
        wire.name = network->partNames[network->curves[c].part];
        result = supCheckWire( &wire, error );
    }
    for ( int32_t i = 0; result == sup_success && i < def->shapeCount; ++i )
    {
        result = supCheckShape( network, def, i, error );
        double unused;
        if ( result == sup_success && def->paperMean && i > 0 )
        {
            wire.open = false;
            wire.name = def->name;
            result = supWire_PaperMean( &wire, def->times[i - 1], def->times[i], def->times[i], &unused, error );
        }
    }
    return result;
}

static supCurveMotion* supAllocateMotion( const supCurveNetwork* network, const supCurveMotionDef* def )
{
    size_t keys = (size_t)def->shapeCount, curves = (size_t)network->curveCount;
    size_t coefficients = (size_t)network->coefficientCount, places = (size_t)network->pointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supCurveMotion, motion, 1 );
    SUP_PUT_NEW( &layout, double, times, keys );
    SUP_PUT_NEW( &layout, supCurveKey, keysRoom, keys * curves );
    SUP_PUT_NEW( &layout, supVec3d, turns, keys * curves );
    SUP_PUT_NEW( &layout, supVec3d, locals, keys * coefficients );
    SUP_PUT_NEW( &layout, supVec3d, edits, keys * coefficients );
    SUP_PUT_NEW( &layout, supVec3d, rates, keys * coefficients );
    SUP_PUT_NEW( &layout, supVec3d, details, keys * places );
    SUP_PUT_NEW( &layout, supCurvePose, poses, curves );
    SUP_PUT_NEW( &layout, supVec3d, shown, coefficients );
    char* block = supAllocLayout( def->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *motion = ( supCurveMotion ){ .network = network,
        .wire = def->wire,
        .smooth = def->smooth,
        .paperMean = def->paperMean,
        .keepDetail = def->keepDetail,
        .keyCount = def->shapeCount,
        .times = times,
        .keys = keysRoom,
        .turns = turns,
        .locals = locals,
        .edits = edits,
        .editRates = rates,
        .details = details,
        .poses = poses,
        .shown = shown,
        .block = block,
        .blockSize = layout.size,
        .allocator = supKeepAllocator( def->allocator ) };
    motion->wire.name = NULL;
    memcpy( motion->times, def->times, keys * sizeof( double ) );
    return motion;
}

static supVec3d supPlaceIn( const float* shape, int32_t vertex )
{
    const float* p = shape + 3 * (size_t)vertex;
    return ( supVec3d ){ p[0], p[1], p[2] };
}

// Points on one line leave the turn about it open.
static bool supIsStraight( const supVec3d* points, supVec3d center, int32_t count )
{
    supVec3d along = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d off = supSubD( points[i], center );
        along = supDotD( off, off ) > supDotD( along, along ) ? off : along;
    }
    double length = supLengthD( along ), across = 0.0;
    for ( int32_t i = 0; length > 0.0 && i < count; ++i )
    {
        supVec3d off = supCrossD( supScaleD( along, 1.0 / length ), supSubD( points[i], center ) );
        across = supMax( across, supLengthD( off ) );
    }
    return !( across > 0.02 * length );
}

// Then the ends of the mesh edges that the curve runs over say how it turns.
static supQuatd supTurnOfEdges(
    const supCurveNetwork* network, const supKeptCurve* curve, const float* shape, supVec3d* rest, supVec3d* points )
{
    supVec3d restCenter = { 0.0, 0.0, 0.0 }, center = { 0.0, 0.0, 0.0 };
    int32_t count = 4 * curve->pointCount;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t vertex = network->vertices[4 * curve->firstPoint + i];
        rest[i] = network->rest[network->welded[vertex]];
        points[i] = supPlaceIn( shape, vertex );
        restCenter = supMulAddD( restCenter, 1.0 / count, rest[i] );
        center = supMulAddD( center, 1.0 / count, points[i] );
    }
    return supBestTurn( rest, restCenter, points, center, count );
}

// A curve in a shape: its mean, its turn from rest, and what is left of it in the turned frame.
static void supReadKey(
    supCurveMotion* motion, int32_t k, int32_t c, const float* shape, supVec3d* rest, supVec3d* points )
{
    const supCurveNetwork* network = motion->network;
    const supKeptCurve* curve = &network->curves[c];
    supCurveKey* key = &motion->keys[k * network->curveCount + c];
    for ( int32_t i = 0; i < curve->pointCount; ++i )
    {
        supVec3d sum = { 0.0, 0.0, 0.0 }, own = { 0.0, 0.0, 0.0 };
        for ( int32_t j = 4 * ( curve->firstPoint + i ); j < 4 * ( curve->firstPoint + i ) + 4; ++j )
        {
            sum = supMulAddD( sum, network->shares[j], supPlaceIn( shape, network->vertices[j] ) );
            own = supMulAddD( own, network->shares[j], network->rest[network->welded[network->vertices[j]]] );
        }
        points[i] = sum;
        rest[i] = own;
        key->center = supMulAddD( key->center, 1.0 / curve->pointCount, sum );
    }
    key->turn = curve->tip ? ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 }
                : supIsStraight( rest, curve->center, curve->pointCount )
                    ? supTurnOfEdges( network, curve, shape, rest + curve->pointCount, points + curve->pointCount )
                    : supBestTurn( rest, curve->center, points, key->center, curve->pointCount );
    supQuatd back = supConjugateD( key->turn );
    for ( int32_t i = 0; i < curve->pointCount; ++i )
    {
        points[i] = supRotateD( back, supSubD( points[i], key->center ) );
    }
    supVec3d* local = motion->locals + (size_t)k * (size_t)network->coefficientCount + curve->firstCoefficient;
    if ( curve->tip )
    {
        local[0] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        return;
    }
    supTrigTransform( curve->open, curve->terms, points, curve->pointCount, local );
}

static int32_t supNeighbourOfTip( const supCurveNetwork* network, int32_t tip )
{
    for ( int32_t i = 0; i < network->linkCount; ++i )
    {
        const int32_t* link = network->links[i];
        if ( link[0] == tip || link[1] == tip )
        {
            return link[0] == tip ? link[1] : link[0];
        }
    }
    return tip;
}

// Turns as rotation vectors. At a half turn both ways round look the same, and past it the shorter one is wrong: from
// the curve that turns least the others follow along the links, each as near to its neighbour's turn as it can be.
static void supUnwrapSpan( supCurveMotion* motion, int32_t span, const double* given, bool* done )
{
    const supCurveNetwork* network = motion->network;
    int32_t n = network->curveCount;
    supVec3d* turns = motion->turns + (size_t)span * (size_t)n;
    for ( int32_t c = 0; c < n; ++c )
    {
        const supCurveKey *from = &motion->keys[span * n + c], *to = &motion->keys[( span + 1 ) * n + c];
        turns[c] = supRotationVectorD( supMulQuatD( to->turn, supConjugateD( from->turn ) ) );
        done[c] = false;
        if ( given != NULL )
        {
            turns[c] = supUnwrapTurn( turns[c], ( supVec3d ){ given[3 * c], given[3 * c + 1], given[3 * c + 2] } );
            done[c] = true;
        }
    }
    for ( int32_t round = 0; round < n; ++round )
    {
        int32_t best = -1;
        for ( int32_t c = 0; c < n; ++c )
        {
            if ( !done[c] && ( best < 0 || supLengthD( turns[c] ) < supLengthD( turns[best] ) ) )
            {
                best = c;
            }
        }
        if ( best < 0 )
        {
            return;
        }
        // a curve that has a finished neighbour comes before one that starts a new row
        int32_t next = -1, neighbour = -1;
        double least = supInfinity();
        for ( int32_t i = 0; i < network->linkCount; ++i )
        {
            for ( int32_t side = 0; side < 2; ++side )
            {
                int32_t a = network->links[i][side], b = network->links[i][!side];
                supVec3d off = supSubD( supUnwrapTurn( turns[b], turns[a] ), turns[a] );
                if ( done[a] && !done[b] && supDotD( off, off ) < least )
                {
                    least = supDotD( off, off );
                    next = b;
                    neighbour = a;
                }
            }
        }
        if ( next >= 0 )
        {
            turns[next] = supUnwrapTurn( turns[next], turns[neighbour] );
            best = next;
        }
        done[best] = true;
    }
}

// What the curves do not hold of each shape, in frames that turn with them: with it every given shape comes back.
static void supReadDetail( supCurveMotion* motion, int32_t k, const float* shape )
{
    const supCurveNetwork* network = motion->network;
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        const supCurveKey* key = &motion->keys[k * network->curveCount + c];
        motion->poses[c] = ( supCurvePose ){ key->center, key->turn };
    }
    const supVec3d* locals = motion->locals + (size_t)k * (size_t)network->coefficientCount;
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        supMat34d blend, inverse;
        supVec3d put = supNetwork_Place( network, p, motion->poses, locals, &blend );
        supVec3d left = supSubD( supPlaceIn( shape, network->sources[p] ), put );
        bool plain = supAbs( supDeterminantD( blend ) ) > 0.05 && supInvertMatD( blend, &inverse );
        motion->details[(size_t)k * (size_t)network->pointCount + (size_t)p] =
            plain ? supTransformVectorD( inverse, left ) : network->detail[p];
    }
}

static supResult supFillMotion( supCurveMotion* motion, const supCurveMotionDef* def, supError* error )
{
    const supCurveNetwork* network = motion->network;
    int32_t most = 1, n = network->curveCount;
    for ( int32_t c = 0; c < n; ++c )
    {
        most = (int32_t)supMax( most, network->curves[c].pointCount );
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVec3d, rest, 5 * most );
    SUP_PUT_NEW( &layout, supVec3d, points, 5 * most );
    SUP_PUT_NEW( &layout, bool, done, n );
    char* work = supAllocLayout( def->allocator, &layout );
    if ( work == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a motion of curves" );
    }
    for ( int32_t k = 0; k < def->shapeCount; ++k )
    {
        for ( int32_t c = 0; c < n; ++c )
        {
            supReadKey( motion, k, c, def->shapes[k], rest, points );
        }
        for ( int32_t c = 0; c < n; ++c )
        {
            if ( network->curves[c].tip )
            {
                motion->keys[k * n + c].turn = motion->keys[k * n + supNeighbourOfTip( network, c )].turn;
            }
        }
        supReadDetail( motion, k, def->shapes[k] );
    }
    for ( int32_t k = 0; k + 1 < def->shapeCount; ++k )
    {
        supUnwrapSpan( motion, k, k == 0 ? def->turns : NULL, done );
    }
    supFree( def->allocator, work, layout.size );
    return sup_success;
}

supResult supCreateCurveMotion(
    const supCurveNetwork* network, const supCurveMotionDef* def, supCurveMotion** out, supError* error )
{
    *out = NULL;
    supResult result = supCheckMotion( network, def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supCurveMotion* motion = supAllocateMotion( network, def );
    if ( motion == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a motion of curves" );
    }
    result = supFillMotion( motion, def, error );
    result = result == sup_success ? supHoldMotion( motion, def, error ) : result;
    if ( result != sup_success )
    {
        supDestroyCurveMotion( motion );
        return result;
    }
    *out = motion;
    return sup_success;
}

void supDestroyCurveMotion( supCurveMotion* motion )
{
    if ( motion != NULL )
    {
        supAllocator allocator = motion->allocator;
        supFree( &allocator, motion->hold.block, motion->hold.blockSize );
        supFree( &allocator, motion->skin.block, motion->skin.blockSize );
        supFree( &allocator, motion->holdBlock, motion->holdBlockSize );
        supFree( &allocator, motion->block, motion->blockSize );
    }
}
