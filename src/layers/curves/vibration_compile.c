// Supple: rings of flesh from a network of curves.
// SPDX-License-Identifier: MIT

#include "layers/curves/vibration.h"

#include "base/math.h"
#include "layers/curves/network_data.h"
#include "layers/names_in_rig.h"

#include <stdio.h>
#include <string.h>

/// All that is in hand while rings are made.
typedef struct supRingWork
{
    const supLayerContext* context;
    const supCurvesDef* def;
    const supCurveNetwork* network;
    int32_t* meshOf;   ///< of each vertex
    float* carry;      ///< for each joint: how much of a curve it carries
    bool* wanted;      ///< for each joint
    supVec3d* middles; ///< for each joint: mean of its children, or itself
    double* thickness; ///< for each point of each curve
    int32_t* ringOf;   ///< for each curve, -1: none
} supRingWork;

static supVec3d supToDoubleV( supVec3 a )
{
    return ( supVec3d ){ a.x, a.y, a.z };
}

static supResult supFindWanted( const supRingWork* work, supError* error )
{
    const supCharacter* character = work->context->character;
    const supNameList* names = &work->def->joints;
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        work->wanted[j] = names->count == 0;
    }
    for ( int32_t i = 0; i < names->count; ++i )
    {
        int32_t joint = supFindJointWords( character, names->names[i] );
        if ( joint < 0 )
        {
            char place[64];
            snprintf( place, sizeof( place ), "curves[0].joints[%d]", (int)i );
            return supNoJoint( character, place, names->names[i], error );
        }
        work->wanted[joint] = true;
    }
    return sup_success;
}

// Where a joint's bone ends: the middle of its children; a last one goes on as its parent's did.
static void supFindMiddles( const supRingWork* work )
{
    const supCharacter* character = work->context->character;
    const supMat34* rest = supCharacter_RestJoints( character );
    int32_t count = supCharacter_JointCount( character );
    for ( int32_t j = 0; j < count; ++j )
    {
        supVec3d sum = { 0.0, 0.0, 0.0 }, own = supToDoubleV( rest[j].t );
        int32_t children = 0, parent = supCharacter_JointParent( character, j );
        for ( int32_t k = 0; k < count; ++k )
        {
            if ( supCharacter_JointParent( character, k ) == j )
            {
                sum = supAddD( sum, supToDoubleV( rest[k].t ) );
                ++children;
            }
        }
        work->middles[j] = children > 0  ? supScaleD( sum, 1.0 / children )
                           : parent >= 0 ? supMulAddD( own, 0.6, supSubD( own, supToDoubleV( rest[parent].t ) ) )
                                         : own;
    }
}

static double supSegmentAway( supVec3d p, supVec3d a, supVec3d b )
{
    supVec3d ab = supSubD( b, a ), ap = supSubD( p, a );
    double length = supDotD( ab, ab );
    double t = length > 0.0 ? supClamp( supDotD( ap, ab ) / length, 0.0, 1.0 ) : 0.0;
    return supLengthD( supMulAddD( ap, -t, ab ) );
}

// The joints that carry a curve, the heaviest first.
static void supFindCarriers( const supRingWork* work, const supKeptCurve* curve, supRing* ring )
{
    const supCharacter* character = work->context->character;
    const int32_t* paletteJoints = supCharacter_PaletteJoints( character );
    int32_t jointCount = supCharacter_JointCount( character );
    memset( work->carry, 0, (size_t)jointCount * sizeof( float ) );
    for ( int32_t i = 4 * curve->firstPoint; i < 4 * ( curve->firstPoint + curve->pointCount ); ++i )
    {
        int32_t v = work->network->vertices[i];
        supMeshView mesh = supCharacter_Mesh( character, work->meshOf[v] );
        for ( int32_t k = 0; mesh.skin >= 0 && k < mesh.influenceCount; ++k )
        {
            size_t at = (size_t)( v - mesh.firstVertex ) * (size_t)mesh.influenceCount + (size_t)k;
            work->carry[paletteJoints[mesh.firstPalette + mesh.jointIndices[at]]] +=
                mesh.weights[at] * (float)work->network->shares[i];
        }
        if ( mesh.skin < 0 )
        {
            work->carry[mesh.joint] += (float)work->network->shares[i];
        }
    }
    float sum = 0.0f;
    for ( int32_t k = 0; k < supRingJoints; ++k )
    {
        int32_t best = 0;
        for ( int32_t j = 1; j < jointCount; ++j )
        {
            best = work->carry[j] > work->carry[best] ? j : best;
        }
        ring->joints[k] = work->carry[best] > 0.0f ? best : -1;
        ring->shares[k] = work->carry[best];
        sum += work->carry[best];
        work->carry[best] = 0.0f;
    }
    for ( int32_t k = 0; k < supRingJoints; ++k )
    {
        ring->shares[k] = sum > 0.0f ? ring->shares[k] / sum : 0.0f;
    }
}

static void supPlaceRing( const supRingWork* work, const supKeptCurve* curve, supRing* ring )
{
    const supMat34* rest = supCharacter_RestJoints( work->context->character );
    for ( int32_t k = 0; k < supRingJoints && ring->joints[k] >= 0; ++k )
    {
        supMat34d inverse;
        supInvertMatD( supMatToDouble( rest[ring->joints[k]] ), &inverse );
        supVec3d local = supTransformPointD( inverse, curve->center );
        ring->centers[k] = ( supVec3 ){ (float)local.x, (float)local.y, (float)local.z };
        ring->frame = k == 0 ? supMatToFloat( inverse ) : ring->frame;
    }
}

// Closed curves around wanted joints that can be inverted become rings; thickness of the flesh about the bone.
static int32_t supMakeRings( const supRingWork* work, supVibration* vibration )
{
    const supCurveNetwork* network = work->network;
    const supMat34* rest = supCharacter_RestJoints( work->context->character );
    int32_t count = 0;
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        const supKeptCurve* curve = &network->curves[c];
        supRing ring = { 0 };
        work->ringOf[c] = -1;
        if ( curve->tip || curve->open )
        {
            continue;
        }
        supFindCarriers( work, curve, &ring );
        int32_t joint = ring.joints[0];
        if ( joint < 0 || !work->wanted[joint] || supDeterminantD( supMatToDouble( rest[joint] ) ) == 0.0 )
        {
            continue;
        }
        supPlaceRing( work, curve, &ring );
        const supVec3d* series = network->coefficients + curve->firstCoefficient;
        for ( int32_t i = 0; i < curve->pointCount; ++i )
        {
            supVec3d p = supTrigPoint( false, curve->terms, series, (double)i / curve->pointCount );
            double away = supSegmentAway( p, supToDoubleV( rest[joint].t ), work->middles[joint] );
            work->thickness[curve->firstPoint + i] = away;
            vibration->thickness = supMaxF( vibration->thickness, (float)away );
        }
        vibration->rings[count] = ring;
        work->ringOf[c] = count++;
    }
    return count;
}

// The series of the thickness over the largest.
static void supWeighRings( const supRingWork* work, supVibration* vibration )
{
    for ( int32_t c = 0; c < work->network->curveCount; ++c )
    {
        const supKeptCurve* curve = &work->network->curves[c];
        if ( work->ringOf[c] < 0 )
        {
            continue;
        }
        double basis[2 * supRingTerms + 1], sums[2 * supRingTerms + 1] = { 0 };
        int32_t terms = (int32_t)supMin( supRingTerms, ( curve->pointCount - 1 ) / 2 );
        for ( int32_t i = 0; i < curve->pointCount; ++i )
        {
            supTrigBasis( false, terms, (double)i / curve->pointCount, basis, NULL );
            for ( int32_t k = 0; k <= 2 * terms; ++k )
            {
                sums[k] += basis[k] * work->thickness[curve->firstPoint + i];
            }
        }
        for ( int32_t k = 0; k <= 2 * terms; ++k )
        {
            double scale = ( k == 0 ? 1.0 : 2.0 ) / ( curve->pointCount * (double)vibration->thickness );
            vibration->rings[work->ringOf[c]].weights[k] = (float)( scale * sums[k] );
        }
    }
}

static int32_t supAddShares( supStationShare* out, int32_t ring, double v, double share )
{
    if ( ring < 0 || !( share > 0.0 ) )
    {
        return 0;
    }
    double at = ( v - supFloor( v ) ) * supRingStations;
    int32_t first = (int32_t)at % supRingStations;
    double part = at - (int32_t)at;
    out[0] = ( supStationShare ){ ring * supRingStations + first, (float)( share * ( 1.0 - part ) ) };
    out[1] = ( supStationShare ){ ring * supRingStations + ( first + 1 ) % supRingStations, (float)( share * part ) };
    return 2;
}

// What flesh moves already is its own: the share that it leaves is ours.
static void supLeaveToFlesh( const supLayerContext* context, float* left )
{
    for ( int32_t e = 0; e < context->elementCount; ++e )
    {
        for ( int32_t i = 0; i < context->elements[e].vertexCount; ++i )
        {
            float* own = left + context->elements[e].vertices[i];
            *own = supMaxF( *own - context->elements[e].weights[i], 0.0f );
        }
    }
}

static void supHangVertices( const supRingWork* work, const float* left, supVibration* vibration )
{
    const supCurveNetwork* network = work->network;
    int32_t shares = 0, touched = 0;
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        int32_t place = network->welded[v], before = shares;
        vibration->shareStart[touched] = shares;
        for ( int32_t i = network->hangStart[place]; i < network->hangStart[place + 1]; ++i )
        {
            const supHang* hang = &network->hangs[i];
            double whole = hang->weight * left[v], ratio = hang->b >= 0 ? hang->ratio : 0.0;
            shares +=
                supAddShares( vibration->shares + shares, work->ringOf[hang->a], hang->vA, whole * ( 1.0 - ratio ) );
            if ( hang->b >= 0 )
            {
                shares += supAddShares( vibration->shares + shares, work->ringOf[hang->b], hang->vB, whole * ratio );
            }
        }
        if ( shares > before )
        {
            vibration->touched[touched++] = v;
        }
    }
    vibration->shareStart[touched] = shares;
    vibration->touchedCount = touched;
}

static void supFillBasis( supVibration* vibration )
{
    for ( int32_t i = 0; i < supRingStations; ++i )
    {
        double basis[2 * supRingTerms + 1];
        supTrigBasis( false, supRingTerms, (double)i / supRingStations, basis, NULL );
        for ( int32_t k = 0; k <= 2 * supRingTerms; ++k )
        {
            vibration->basis[i * ( 2 * supRingTerms + 1 ) + k] = (float)basis[k];
        }
    }
}

/// All meshes of a character as one, and the network over it.
static supResult supMakeNetwork(
    const supLayerContext* context, const supCurvesDef* def, int32_t* meshOf, supCurveNetwork** out, supError* error )
{
    const supCharacter* character = context->character;
    supArray indices = supMakeArray( sizeof( uint32_t ), context->allocator );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        uint32_t* room = mesh.indexCount > 0 ? supArray_Add( &indices, (size_t)mesh.indexCount ) : NULL;
        for ( int32_t i = 0; room != NULL && i < mesh.indexCount; ++i )
        {
            room[i] = mesh.indices[i] + (uint32_t)mesh.firstVertex;
        }
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            meshOf[mesh.firstVertex + v] = m;
        }
    }
    supCurveNetworkDef net = supDefaultCurveNetworkDef();
    net.name = supCharacter_Name( character );
    net.vertexCount = supCharacter_VertexCount( character );
    net.positions = supCharacter_RestPositions( character );
    net.indexCount = (int32_t)indices.count;
    net.indices = indices.data;
    net.tolerance = def->tolerance;
    net.allocator = context->allocator;
    supResult result = supCreateCurveNetwork( &net, out, error );
    supArray_Destroy( &indices );
    return result;
}

static supVibration* supAllocateVibration( const supLayerContext* context, const supCurveNetwork* network )
{
    size_t vertices = (size_t)network->vertexCount, rings = (size_t)network->curveCount;
    size_t hangs = 0;
    for ( size_t v = 0; v < vertices; ++v )
    {
        int32_t place = network->welded[v];
        hangs += (size_t)( network->hangStart[place + 1] - network->hangStart[place] );
    }
    supLayout layout = supMakeLayout();
    size_t atVibration = SUP_LAYOUT_ARRAY( &layout, supVibration, 1 );
    size_t atRings = SUP_LAYOUT_ARRAY( &layout, supRing, rings );
    size_t atBasis = SUP_LAYOUT_ARRAY( &layout, float, supRingStations*( 2 * supRingTerms + 1 ) );
    size_t atTouched = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices );
    size_t atStart = SUP_LAYOUT_ARRAY( &layout, int32_t, vertices + 1 );
    size_t atShares = SUP_LAYOUT_ARRAY( &layout, supStationShare, 4 * hangs );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supVibration* vibration = (supVibration*)( block + atVibration );
    *vibration = ( supVibration ){ .rings = (supRing*)( block + atRings ),
        .basis = (float*)( block + atBasis ),
        .touched = (int32_t*)( block + atTouched ),
        .shareStart = (int32_t*)( block + atStart ),
        .shares = (supStationShare*)( block + atShares ),
        .character = context->character,
        .block = block,
        .blockSize = layout.size };
    return vibration;
}

static supResult supFillVibration( supRingWork* work, char* room, size_t atLeft, supVibration** out, supError* error )
{
    supResult result = supFindWanted( work, error );
    if ( result != sup_success )
    {
        return result;
    }
    supVibration* vibration = supAllocateVibration( work->context, work->network );
    if ( vibration == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    float* left = (float*)( room + atLeft );
    for ( int32_t v = 0; v < work->network->vertexCount; ++v )
    {
        left[v] = 1.0f;
    }
    supLeaveToFlesh( work->context, left );
    supFindMiddles( work );
    supFillBasis( vibration );
    vibration->ringCount = supMakeRings( work, vibration );
    if ( vibration->ringCount == 0 || !( vibration->thickness > 0.0f ) )
    {
        supFree( work->context->allocator, vibration->block, vibration->blockSize );
        return supFail( error, sup_errorData, "curves[0]: no closed curve around any of its joints" );
    }
    supWeighRings( work, vibration );
    supHangVertices( work, left, vibration );
    *out = vibration;
    return sup_success;
}

supResult supCompileVibration(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    if ( count > 1 )
    {
        return supFail( error, sup_errorData, "curves[1]: one item holds all curves of a character" );
    }
    size_t vertices = (size_t)supCharacter_VertexCount( context->character );
    size_t joints = (size_t)supCharacter_JointCount( context->character );
    supRingWork work = { .context = context, .def = items[0] };
    supCurveNetwork* network = NULL;
    int32_t* meshOf = supAllocZeroed( context->allocator, vertices, sizeof( int32_t ), _Alignof( int32_t ) );
    supResult result = meshOf != NULL ? supMakeNetwork( context, work.def, meshOf, &network, error )
                                      : supFail( error, sup_errorMemory, "no memory for curves" );
    supLayout layout = supMakeLayout();
    char* room = NULL;
    if ( result == sup_success )
    {
        size_t atCarry = SUP_LAYOUT_ARRAY( &layout, float, joints );
        size_t atWanted = SUP_LAYOUT_ARRAY( &layout, bool, joints );
        size_t atMiddles = SUP_LAYOUT_ARRAY( &layout, supVec3d, joints );
        size_t atThickness = SUP_LAYOUT_ARRAY( &layout, double, network->curvePointCount );
        size_t atRingOf = SUP_LAYOUT_ARRAY( &layout, int32_t, network->curveCount );
        size_t atLeft = SUP_LAYOUT_ARRAY( &layout, float, vertices );
        room = supAllocLayout( context->allocator, &layout );
        supVibration* vibration = NULL;
        if ( room != NULL )
        {
            work.network = network;
            work.meshOf = meshOf;
            work.carry = (float*)( room + atCarry );
            work.wanted = (bool*)( room + atWanted );
            work.middles = (supVec3d*)( room + atMiddles );
            work.thickness = (double*)( room + atThickness );
            work.ringOf = (int32_t*)( room + atRingOf );
        }
        result = room != NULL ? supFillVibration( &work, room, atLeft, &vibration, error )
                              : supFail( error, sup_errorMemory, "no memory for curves" );
        if ( result == sup_success )
        {
            vibration->network = network;
            *out = vibration;
        }
        else
        {
            supDestroyCurveNetwork( network );
        }
    }
    supFree( context->allocator, room, layout.size );
    supFree( context->allocator, meshOf, vertices * sizeof( int32_t ) );
    return result;
}

void supDestroyVibration( void* compiled, const supAllocator* allocator )
{
    supVibration* vibration = compiled;
    supDestroyCurveNetwork( vibration->network );
    supFree( allocator, vibration->block, vibration->blockSize );
}
