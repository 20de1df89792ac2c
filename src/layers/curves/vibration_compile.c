// Supple: vibrating curves from the items of a rig.
// SPDX-License-Identifier: MIT

#include "layers/curves/vibration.h"

#include "layers/layer.h"

#include <stdio.h>

// Which joints an item takes: those that it names, or all that no other one does.
static supResult supNameJoints( const supRingWork* work, int32_t item, supError* error )
{
    const supCharacter* character = work->context->character;
    const supNameList* names = &work->items[item]->joints;
    for ( int32_t i = 0; i < names->count; ++i )
    {
        char place[64];
        snprintf( place, sizeof( place ), "curves[%d].joints[%d]", (int)item, (int)i );
        int32_t joint = supFindJointWords( character, names->names[i] );
        if ( joint < 0 )
        {
            return supNoJoint( character, place, names->names[i], error );
        }
        if ( work->itemOf[joint] >= 0 )
        {
            return supFail( error, sup_errorData,
                "%s: the curves around '%.60s' already belong to curves[%d]; name the joint in one of them only", place,
                names->names[i], (int)work->itemOf[joint] );
        }
        work->itemOf[joint] = item;
    }
    return sup_success;
}

static supResult supShareJoints( const supRingWork* work, supError* error )
{
    int32_t jointCount = supCharacter_Info( work->context->character )->jointCount, rest = -1;
    for ( int32_t j = 0; j < jointCount; ++j )
    {
        work->itemOf[j] = -1;
    }
    for ( int32_t i = 0; i < work->itemCount; ++i )
    {
        supResult result = supNameJoints( work, i, error );
        if ( result != sup_success )
        {
            return result;
        }
        if ( work->items[i]->joints.count == 0 && rest >= 0 )
        {
            return supFail( error, sup_errorData,
                "curves[%d].joints: missing; curves[%d] already takes all joints that no item names", (int)i,
                (int)rest );
        }
        rest = work->items[i]->joints.count == 0 ? i : rest;
    }
    for ( int32_t j = 0; j < jointCount; ++j )
    {
        work->itemOf[j] = work->itemOf[j] < 0 ? rest : work->itemOf[j];
    }
    return sup_success;
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

static void supFillBasis( supVibration* vibration )
{
    for ( int32_t open = 0; open < 2; ++open )
    {
        for ( int32_t i = 0; i < supRingStations; ++i )
        {
            double basis[supRingWeights], v = (double)i / ( open ? supRingStations - 1 : supRingStations );
            supTrigBasis( open, supRingTerms, v, basis, NULL );
            for ( int32_t k = 0; k < supCurveCoefficientCount( open, supRingTerms ); ++k )
            {
                vibration->basis[open][i * supRingWeights + k] = (float)basis[k];
            }
        }
    }
}

/// All meshes of a character as one, and the network over it.
static supResult supMakeNetwork(
    const supLayerContext* context, float tolerance, int32_t* meshOf, supCurveNetwork** out, supError* error )
{
    const supCharacter* character = context->character;
    supArray indices = supMakeArray( sizeof( uint32_t ), context->allocator );
    bool good = true;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        uint32_t* room = mesh.indexCount > 0 ? supArray_Add( &indices, (size_t)mesh.indexCount ) : NULL;
        good = good && ( room != NULL || mesh.indexCount == 0 );
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
    net.name = supCharacter_Info( character )->name;
    net.vertexCount = supCharacter_Info( character )->vertexCount;
    net.positions = supCharacter_Info( character )->restPositions;
    net.indexCount = (int32_t)indices.count;
    net.indices = indices.data;
    net.tolerance = tolerance;
    net.allocator = context->allocator;
    supResult result =
        good ? supCreateCurveNetwork( &net, out, error ) : supFail( error, sup_errorMemory, "no memory for curves" );
    supArray_Destroy( &indices );
    return result;
}

static supVibration* supAllocateVibration( const supRingWork* work )
{
    size_t rings = (size_t)work->network->curveCount, items = (size_t)work->itemCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVibration, vibration, 1 );
    SUP_PUT_NEW( &layout, float, thickness, items );
    SUP_PUT_NEW( &layout, supRing, ringsRoom, rings );
    SUP_PUT_NEW( &layout, float, basis, 2 * supRingStations * supRingWeights );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *vibration = ( supVibration ){ .itemCount = work->itemCount,
        .thickness = thickness,
        .rings = ringsRoom,
        .basis = { basis, basis + supRingStations * supRingWeights },
        .block = block,
        .blockSize = layout.size };
    return vibration;
}

static supResult supCheckRings( const supVibration* vibration, supError* error )
{
    for ( int32_t i = 0; i < vibration->itemCount; ++i )
    {
        if ( !( vibration->thickness[i] > 0.0f ) )
        {
            return supFail( error, sup_errorData, "curves[%d]: no curve around any of its joints", (int)i );
        }
    }
    return sup_success;
}

static supResult supFillVibration( const supRingWork* work, float* left, supVibration* vibration, supError* error )
{
    for ( int32_t v = 0; v < work->network->vertexCount; ++v )
    {
        left[v] = 1.0f;
    }
    supLeaveToFlesh( work->context, left );
    supFillBasis( vibration );
    supMakeRings( work, vibration );
    supResult result = supCheckRings( vibration, error );
    supRingMap map = { vibration->ringCount, work->ringOf, work->curveOf, work->ringItems };
    if ( result == sup_success )
    {
        result = supMakeRingHold( work->network, &map, work->context->allocator, &vibration->hold, error );
    }
    if ( result == sup_success )
    {
        result = supMakeRingSkin(
            work->network, &map, vibration->hold.next, left, work->context->allocator, &vibration->skin, error );
    }
    return result;
}

static supResult supMakeVibration( supRingWork* work, supVibration** out, supError* error )
{
    const supAllocator* allocator = work->context->allocator;
    size_t joints = (size_t)supCharacter_Info( work->context->character )->jointCount;
    size_t curves = (size_t)work->network->curveCount, vertices = (size_t)work->network->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, work->carry, joints );
    SUP_PUT( &layout, work->itemOf, joints );
    SUP_PUT( &layout, work->middles, joints );
    SUP_PUT( &layout, work->thickness, work->network->curvePointCount );
    SUP_PUT( &layout, work->ringOf, 3 * curves );
    SUP_PUT_NEW( &layout, float, left, vertices );
    char* room = supAllocLayout( allocator, &layout );
    supVibration* vibration = room != NULL ? supAllocateVibration( work ) : NULL;
    supResult result = sup_success;
    if ( vibration == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for curves" );
    }
    else
    {
        work->curveOf = work->ringOf + curves;
        work->ringItems = work->curveOf + curves;
        result = supShareJoints( work, error );
        result = result == sup_success ? supFillVibration( work, left, vibration, error ) : result;
    }
    if ( result != sup_success && vibration != NULL )
    {
        supDestroyVibration( vibration, allocator );
        vibration = NULL;
    }
    supFree( allocator, room, layout.size );
    *out = vibration;
    return result;
}

// One network for all items, as fine as the finest asks.
supResult supCompileVibration(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    size_t vertices = (size_t)supCharacter_Info( context->character )->vertexCount;
    supRingWork work = { .context = context, .items = (const supCurvesDef* const*)items, .itemCount = count };
    float tolerance = work.items[0]->tolerance;
    for ( int32_t i = 1; i < count; ++i )
    {
        tolerance = supMinF( tolerance, work.items[i]->tolerance );
    }
    supCurveNetwork* network = NULL;
    supVibration* vibration = NULL;
    work.meshOf = supAllocZeroed( context->allocator, vertices, sizeof( int32_t ), _Alignof( int32_t ) );
    supResult result = work.meshOf != NULL ? supMakeNetwork( context, tolerance, work.meshOf, &network, error )
                                           : supFail( error, sup_errorMemory, "no memory for curves" );
    if ( result == sup_success )
    {
        work.network = network;
        result = supMakeVibration( &work, &vibration, error );
    }
    if ( result == sup_success )
    {
        vibration->network = network;
        *out = vibration;
    }
    else
    {
        supDestroyCurveNetwork( network );
    }
    supFree( context->allocator, work.meshOf, vertices * sizeof( int32_t ) );
    return result;
}

void supDestroyVibration( void* compiled, const supAllocator* allocator )
{
    supVibration* vibration = compiled;
    supDestroyCurveNetwork( vibration->network );
    supFree( allocator, vibration->skin.block, vibration->skin.blockSize );
    supFree( allocator, vibration->hold.block, vibration->hold.blockSize );
    supFree( allocator, vibration->block, vibration->blockSize );
}
