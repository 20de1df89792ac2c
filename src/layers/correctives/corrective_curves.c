// Supple: curves along the part that an example corrects, and forces that bend them.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "base/scalar_math.h"
#include "layers/correctives/patch_chains.h"
#include "layers/names_in_rig.h"
#include "supple/lab/beams.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The part: some joints, in chains

/// Marks the joints of the part: those listed, or the first driving joint and its parent.
static supResult supFindPart( const supExampleWork* work, const int32_t* drivers, bool* wanted )
{
    const supCharacter* character = work->context->character;
    const supNameList* names = &work->def->part;
    memset( wanted, 0, (size_t)supCharacter_Info( character )->jointCount * sizeof( bool ) );
    if ( names->count == 0 )
    {
        int32_t parent = supCharacter_Joint( character, drivers[0] )->parent;
        wanted[drivers[0]] = true;
        wanted[parent >= 0 ? parent : drivers[0]] = true;
    }
    for ( int32_t i = 0; i < names->count; ++i )
    {
        char place[SUP_PATH_TEXT];
        supPathText( place, "examples[%d].part[%d]", work->index, i );
        int32_t joint = supFindJointWords( character, names->names[i] );
        if ( joint < 0 )
        {
            return supNoJoint( character, place, names->names[i], work->error );
        }
        if ( wanted[joint] )
        {
            return supFail( work->error, sup_errorData, "%s: \"%s\" is listed twice", place, names->names[i] );
        }
        wanted[joint] = true;
    }
    return sup_success;
}

static supResult supNoRoom( const supExampleWork* work )
{
    return supFail( work->error, sup_errorMemory, "no memory for the curves of examples[%d]", work->index );
}

/// The part's joints as chains, each with a line through it.
static supResult supFindPartChains( const supExampleWork* work, const int32_t* drivers, supArray* chains )
{
    const supCharacter* character = work->context->character;
    size_t room = (size_t)supCharacter_Info( character )->jointCount * sizeof( bool );
    bool* wanted = supAlloc( work->context->allocator, room, _Alignof( bool ) );
    supSkinCensus* census = NULL;
    supResult result = wanted != NULL ? supFindPart( work, drivers, wanted ) : supNoRoom( work );
    if ( result == sup_success )
    {
        census = supTakeCensus( character, wanted, work->context->allocator );
        result = census != NULL && supFindChains( census, chains ) ? sup_success : supNoRoom( work );
    }
    supFree( work->context->allocator, census, census != NULL ? census->blockSize : 0 );
    supFree( work->context->allocator, wanted, room );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Forces

/// How much of the force a node feels. All of it at one point weighs as much as if it were spread over the whole curve.
static double supForceAt( const supExampleDef* def, const supTube* tube, int32_t curve, int32_t node )
{
    double intervals = tube->nodes - 1, along = node / intervals, share = 1.0;
    if ( def->forceTo - def->forceFrom < 1.0f / (float)intervals )
    {
        double place =
            supClamp( 0.5 * ( (double)def->forceFrom + (double)def->forceTo ) * intervals, 1.0, intervals - 1.0 );
        double off = supAbs( node - place );
        share = off < 1.0 ? ( 1.0 - off ) * intervals : 0.0;
    }
    else if ( along < (double)def->forceFrom - 1e-9 || along > (double)def->forceTo + 1e-9 )
    {
        share = 0.0;
    }
    if ( supIsFinite( def->forceAngle ) )
    {
        double off = supAbs( 360.0 * curve / tube->curves - (double)def->forceAngle );
        off -= 360.0 * supFloor( off / 360.0 );
        off = off > 180.0 ? 360.0 - off : off;
        double cosine = off < (double)def->forceSpread ? supCos( 0.5 * SUP_PI * off / (double)def->forceSpread ) : 0.0;
        share *= cosine * cosine;
    }
    return share;
}

/// Solves one coordinate of all curves under the force. A force all along a beam with clamped ends moves its middle by
/// F / ( 384 a1 ) where a2 is 0: so a rigger's unit is a displacement.
static supResult supSolveCoordinate( const supExampleWork* work, const supTube* tube, int axis, supVec3* nodes )
{
    const supExampleDef* def = work->def;
    const float a1 = ( &def->a1.x )[axis], a2 = ( &def->a2.x )[axis], force = ( &def->force.x )[axis];
    int32_t panels = ( tube->curves + supBeamLanes - 1 ) / supBeamLanes;
    size_t panelSize = (size_t)tube->nodes * supBeamLanes;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_WIDE( &layout, char, beamRoom, supBeam_MemorySize( tube->nodes - 1 ) );
    SUP_PUT_NEW_WIDE( &layout, double, places, (size_t)panels* panelSize );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return supNoRoom( work );
    }
    supBeam beam;
    supError inner = { 0 };
    supResult result = supInitBeam( &beam, beamRoom, tube->nodes - 1, (double)a1, (double)a2, &inner );
    double strength = 384.0 * (double)a1 * (double)force * (double)supCharacter_Info( work->context->character )->size;
    for ( int32_t c = 0; c < tube->curves && result == sup_success; ++c )
    {
        double* column = places + (size_t)( c / supBeamLanes ) * panelSize + c % supBeamLanes;
        for ( int32_t n = 1; n + 1 < tube->nodes; ++n )
        {
            column[(size_t)n * supBeamLanes] = strength * supForceAt( def, tube, c, n );
        }
    }
    if ( result == sup_success )
    {
        supBeam_Solve( &beam, panels, places, places );
        for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
        {
            int32_t c = i / tube->nodes, n = i % tube->nodes;
            ( &nodes[i].x )[axis] = (float)places[(size_t)( c / supBeamLanes ) * panelSize + (size_t)n * supBeamLanes +
                                                  (size_t)( c % supBeamLanes )];
        }
    }
    supFree( work->context->allocator, block, layout.size );
    return result == sup_success
               ? result
               : supFail( work->error, result, "examples[%d].a2[%d]: %s", work->index, axis, inner.text );
}

/// What bent curves do to the skin around them, added to the moves; less towards where the part ends.
static void supAddTied( const supExampleWork* work, const supTube* tube, const supVec3* nodes )
{
    const supVec3* positions = (const supVec3*)supCharacter_Info( work->context->character )->restPositions;
    for ( int32_t v = 0; v < supCharacter_Info( work->context->character )->vertexCount; ++v )
    {
        if ( work->members[v] <= 0.0f )
        {
            continue;
        }
        float along, angle, shares[supTubeTies];
        int32_t ties[supTubeTies];
        supTube_Locate( tube, positions[v], &along, &angle );
        supTube_Tie( tube, along, angle, ties, shares );
        supVec3 sum = supVec3_zero;
        for ( int32_t i = 0; i < supTubeTies; ++i )
        {
            sum = supMulAdd( sum, shares[i], nodes[ties[i]] );
        }
        work->moves[v] = supMulAdd( work->moves[v], work->members[v], sum );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

/// Curves as the sculpt has them, for pictures.
static void supReadCurves( const supExampleWork* work, const supTube* tube, supVec3* nodes )
{
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        nodes[i] = supVec3_zero;
        for ( int k = 0; k < 3; ++k )
        {
            nodes[i] = supMulAdd( nodes[i], tube->grid[i].shares[k], work->moves[tube->grid[i].corners[k]] );
        }
    }
}

/// The curves of one chain, bent by the force. Leaves out->tube NULL where there is no line.
static supResult supBendChain( const supExampleWork* work, supChain* chain, bool isForced, supExampleTube* out )
{
    const supExampleDef* def = work->def;
    supResult result = supMakeChainTube( work->context->character, chain, (int32_t)def->curves, (int32_t)def->nodes,
        work->members, work->context->allocator, &out->tube, work->error );
    if ( result != sup_success || out->tube == NULL )
    {
        return result;
    }
    out->moves = supKeepBlock( work->out, (size_t)out->tube->curves * (size_t)out->tube->nodes, sizeof( supVec3 ) );
    result = out->moves != NULL ? sup_success : supNoRoom( work );
    for ( int axis = 0; axis < 3 && result == sup_success; ++axis )
    {
        result = supSolveCoordinate( work, out->tube, axis, out->moves );
    }
    if ( isForced && result == sup_success )
    {
        supAddTied( work, out->tube, out->moves );
    }
    return result;
}

supResult supBendExample( const supExampleWork* work, const int32_t* drivers, supExample* example )
{
    const supExampleDef* def = work->def;
    bool isForced = def->force.x != 0.0f || def->force.y != 0.0f || def->force.z != 0.0f;
    supArray chains = supMakeArray( sizeof( supChain ), work->context->allocator );
    supResult result = supFindPartChains( work, drivers, &chains );
    if ( result == sup_success )
    {
        example->tubes = supKeepBlock( work->out, chains.count, sizeof( supExampleTube ) );
        result = example->tubes != NULL ? sup_success : supNoRoom( work );
    }
    for ( size_t i = 0; i < chains.count && result == sup_success; ++i )
    {
        supExampleTube* tube = example->tubes + example->tubeCount;
        result = supBendChain( work, (supChain*)chains.data + i, isForced, tube );
        example->tubeCount += tube->tube != NULL ? 1 : 0; // kept where it failed later, too, to be freed
    }
    if ( result == sup_success && isForced && example->tubeCount == 0 )
    {
        result = supFail( work->error, sup_errorData,
            "examples[%d].part: its joints are in one place; forces need a line: list other joints", work->index );
    }
    for ( int32_t i = 0; i < example->tubeCount && result == sup_success; ++i )
    {
        supReadCurves( work, example->tubes[i].tube, example->tubes[i].moves );
    }
    supArray_Destroy( &chains );
    return result;
}
