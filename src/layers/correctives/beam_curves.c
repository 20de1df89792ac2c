// Supple: the curves of beams: material, nodes, what hangs on them, and forces beside those of the poses.
// SPDX-License-Identifier: MIT
#include "base/scalar_math.h"
#include "layers/correctives/beams_work.h"
#include "layers/correctives/patch_chains.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Material

/// The stiffness at a place along the part: straight lines between the keys, held beyond them.
static double supStiffnessAt( const supKeyList* keys, double along )
{
    const float* pairs = keys->pairs;
    if ( keys->count == 0 )
    {
        return 1.0;
    }
    int32_t next = 0;
    while ( next < keys->count && (double)pairs[2 * next] <= along )
    {
        ++next;
    }
    if ( next == 0 || next == keys->count )
    {
        return (double)pairs[next == 0 ? 1 : 2 * keys->count - 1];
    }
    double from = (double)pairs[2 * next - 2], to = (double)pairs[2 * next];
    double share = to > from ? ( along - from ) / ( to - from ) : 1.0;
    return (double)pairs[2 * next - 1] + share * ( (double)pairs[2 * next + 1] - (double)pairs[2 * next - 1] );
}

supResult supFactorBeams( const supBeamsWork* work )
{
    const supBeamsDef* def = work->beams->def;
    int32_t intervals = (int32_t)def->nodes - 1;
    double* stiffness = supKeepBlock( &work->layer->kept, (size_t)intervals + 1, sizeof( double ) );
    supResult result = stiffness != NULL ? sup_success : supNoRoomForBeams( work );
    for ( int32_t i = 0; i <= intervals && result == sup_success; ++i )
    {
        stiffness[i] = supStiffnessAt( &def->stiffness, (double)i / intervals );
    }
    for ( int axis = 0; axis < 3 && result == sup_success; ++axis )
    {
        void* block = supKeepBlock( &work->layer->kept, supBeam_MemorySize( intervals ), 1 );
        double a1 = (double)( &def->a1.x )[axis], a2 = (double)( &def->a2.x )[axis];
        supError inner = { 0 };
        supBeam* beam = work->beams->beams + axis;
        result = block == NULL               ? supNoRoomForBeams( work )
                 : def->stiffness.count == 0 ? supInitBeam( beam, block, intervals, a1, a2, &inner )
                                             : supInitBeamAlong( beam, block, intervals, a1, a2, stiffness, &inner );
        if ( result != sup_success && block != NULL )
        {
            return supFail( work->example.error, result, "beams[%d].a2[%d]: %s", work->item, axis, inner.text );
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Curves

/// What the skin hangs on at a vertex.
static void supFindEndJoints( const supCharacter* character, int32_t vertex, supBeamEnd* end )
{
    int32_t m = 0;
    supMeshView mesh = supCharacter_Mesh( character, m );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( character, ++m );
    }
    const int32_t* palette = supCharacter_Info( character )->paletteJoints + mesh.firstPalette;
    size_t first = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount;
    for ( int32_t k = 0; k < mesh.influenceCount; ++k )
    {
        int32_t joint = palette[mesh.jointIndices[first + (size_t)k]];
        supMat34d unrest;
        if ( mesh.weights[first + (size_t)k] > 0.0f &&
             supInvertMatD( supMatToDouble( supCharacter_Info( character )->restJoints[joint] ), &unrest ) )
        {
            end->joints[end->count] = joint;
            end->weights[end->count] = mesh.weights[first + (size_t)k];
            end->unrest[end->count++] = unrest;
        }
    }
}

/// For each curve the nearest one around, itself first, whose end is on the skin, and what that hangs on.
static void supFindEnds( const supCharacter* character, const supTube* tube, int side, supBeamEnd* ends )
{
    int32_t own = side == 0 ? 0 : tube->nodes - 1, beside = side == 0 ? 1 : tube->nodes - 2;
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        supBeamEnd* end = ends + c;
        end->curve = -1;
        for ( int32_t k = 0; k < 2 * tube->curves && end->curve < 0; ++k )
        {
            int32_t step = k % 2 == 0 ? k / 2 : -( k + 1 ) / 2;
            int32_t other = ( c + step + 2 * tube->curves ) % tube->curves;
            const supTubeNode* grid = tube->grid + (size_t)other * (size_t)tube->nodes;
            if ( supIsCovered( grid + own ) && supIsCovered( grid + beside ) )
            {
                const float* shares = grid[own].shares;
                int best = shares[1] > shares[0] ? 1 : 0;
                best = shares[2] > shares[best] ? 2 : best;
                end->curve = other;
                supFindEndJoints( character, (int32_t)grid[own].corners[best], end );
            }
        }
    }
}

/// The tie's sixteen nodes as four in a row on each of four curves.
static void supTieVertex( const supTube* tube, supVec3 place, supBeamTie* tie )
{
    float along, angle, shares[supTubeTies];
    int32_t nodes[supTubeTies];
    supTube_Locate( tube, place, &along, &angle );
    supTube_Tie( tube, along, angle, nodes, shares );
    for ( int c = 0; c < 4; ++c )
    {
        int32_t curve = nodes[4 * c + 1] / tube->nodes, second = nodes[4 * c + 1] % tube->nodes;
        int32_t first = second - 1 < 0 ? 0 : second - 1;
        first = first + 4 > tube->nodes ? tube->nodes - 4 : first;
        tie->at[c] = curve * tube->nodes + first;
        tie->around[c] = 0.0f;
        for ( int r = 0; r < 4; ++r )
        {
            tie->around[c] += shares[4 * c + r]; // shares along sum to 1
        }
    }
    // along is the same on all four curves: read it where most of it is
    int best = 0;
    for ( int c = 1; c < 4; ++c )
    {
        best = supAbsF( tie->around[c] ) > supAbsF( tie->around[best] ) ? c : best;
    }
    for ( int r = 0; r < 4; ++r )
    {
        tie->along[r] = 0.0f;
    }
    for ( int r = 0; r < 4; ++r )
    {
        int32_t at = nodes[4 * best + r] - tie->at[best];
        if ( at >= 0 && at < 4 )
        {
            tie->along[at] += shares[4 * best + r] / tie->around[best];
        }
    }
}

static supResult supTieSkin( const supBeamsWork* work, supBeamChain* chain )
{
    const supCharacterInfo* info = supCharacter_Info( work->example.context->character );
    const supVec3* rest = (const supVec3*)info->restPositions;
    int32_t count = 0;
    for ( int32_t v = 0; v < info->vertexCount; ++v )
    {
        count += work->example.members[v] > 0.0f;
    }
    chain->ties = supKeepBlock( &work->layer->kept, (size_t)count, sizeof( supBeamTie ) );
    if ( chain->ties == NULL )
    {
        return supNoRoomForBeams( work );
    }
    for ( int32_t i = 0; i < chain->tube->curves * chain->tube->nodes; ++i )
    {
        supVec3 p = chain->rest[i];
        work->room.nodes[i] = ( supBeamNode ){ { p.x, p.y, p.z, 0.0f } };
    }
    for ( int32_t v = 0; v < info->vertexCount; ++v )
    {
        if ( work->example.members[v] > 0.0f )
        {
            supBeamTie* tie = chain->ties + chain->tieCount++;
            supTieVertex( chain->tube, rest[v], tie );
            tie->row = v; // of the character until all is there
            tie->member = work->example.members[v];
            tie->detail = supSub( rest[v], supBeamTie_At( tie, work->room.nodes ) );
            work->marks[v] = 1;
        }
    }
    return sup_success;
}

static supResult supAddBeamChain( supBeamsWork* work, supChain* chain )
{
    supBeams* beams = work->beams;
    supExampleWork* example = &work->example;
    supBeamChain* out = beams->chains + beams->chainCount;
    const supCharacter* character = example->context->character;
    supResult result = supMakeChainTube( character, chain, (int32_t)beams->def->curves, (int32_t)beams->def->nodes,
        example->members, example->context->allocator, &out->tube, example->error );
    if ( out->tube == NULL )
    {
        return result;
    }
    beams->chainCount += 1;
    const supTube* tube = out->tube;
    size_t nodes = (size_t)tube->curves * (size_t)tube->nodes;
    out->panels = ( tube->curves + supBeamLanes - 1 ) / supBeamLanes;
    out->numbers = (size_t)out->panels * (size_t)tube->nodes * supBeamLanes;
    out->frame = chain->joints[0];
    if ( !supInvertMatD( supMatToDouble( supCharacter_Info( character )->restJoints[out->frame] ), &out->unframe ) )
    {
        out->unframe = supMat34d_identity;
    }
    supArray* kept = &work->layer->kept;
    out->rest = supKeepBlock( kept, nodes, sizeof( supVec3 ) );
    out->ends[0] = supKeepBlock( kept, (size_t)tube->curves, sizeof( supBeamEnd ) );
    out->ends[1] = supKeepBlock( kept, (size_t)tube->curves, sizeof( supBeamEnd ) );
    out->poses = supKeepBlock( kept, (size_t)beams->poseCount * 3 * out->numbers, sizeof( double ) );
    out->forces = supKeepBlock( kept, (size_t)beams->forceCount * 3 * out->numbers, sizeof( double ) );
    if ( result != sup_success || out->rest == NULL || out->ends[0] == NULL || out->ends[1] == NULL ||
         out->poses == NULL || out->forces == NULL )
    {
        return result != sup_success ? result : supNoRoomForBeams( work );
    }
    for ( size_t i = 0; i < nodes; ++i )
    {
        out->rest[i] = tube->grid[i].place;
    }
    supFindEnds( character, tube, 0, out->ends[0] );
    supFindEnds( character, tube, 1, out->ends[1] );
    return supTieSkin( work, out );
}

supResult supAddBeamChains( supBeamsWork* work, const int32_t* drivers )
{
    supBeams* beams = work->beams;
    work->def.part = beams->def->part;
    supPathText( work->example.place, "beams[%d]", work->item );
    supArray chains = supMakeArray( sizeof( supChain ), work->example.context->allocator );
    supResult result = supFindPartChains( &work->example, drivers, &chains );
    if ( result == sup_success )
    {
        beams->chains = supKeepBlock( &work->layer->kept, chains.count, sizeof( supBeamChain ) );
        result = beams->chains != NULL ? sup_success : supNoRoomForBeams( work );
    }
    for ( size_t i = 0; i < chains.count && result == sup_success; ++i )
    {
        result = supAddBeamChain( work, (supChain*)chains.data + i );
    }
    if ( result == sup_success && beams->chainCount == 0 )
    {
        result = supFail( work->example.error, sup_errorData,
            "beams[%d].part: its joints are in one place; curves need a line: list other joints", work->item );
    }
    supArray_Destroy( &chains );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Forces

/// A force all along a beam with clamped ends moves its middle by F / ( 384 a1 ) where a2 is 0: so a rigger's unit is a
/// displacement.
void supFillForces( const supBeamsWork* work, const supBeamChain* chain )
{
    const supBeams* beams = work->beams;
    const supBeamForce* forces = beams->def->forces.items;
    const supTube* tube = chain->tube;
    double size = (double)supCharacter_Info( work->example.context->character )->size;
    for ( int32_t f = 0; f < beams->forceCount; ++f )
    {
        const supForceSpan span = { forces[f].from, forces[f].to, forces[f].angle, forces[f].spread };
        double* to = chain->forces + (size_t)f * 3 * chain->numbers;
        for ( int32_t c = 0; c < tube->curves; ++c )
        {
            for ( int32_t n = 1; n + 1 < tube->nodes; ++n )
            {
                double share = 384.0 * size * supForceAt( &span, tube, c, n );
                for ( size_t k = 0; k < 3; ++k )
                {
                    to[k * chain->numbers + supBeamPlace( tube, c, n )] =
                        share * (double)( &forces[f].force.x )[k] * (double)( &beams->def->a1.x )[k];
                }
            }
        }
    }
}

void supFindForcePoses( const supBeams* beams )
{
    const supBeamForce* forces = beams->def->forces.items;
    const supBeamPose* poses = beams->def->poses.items;
    for ( int32_t f = 0; f < beams->forceCount; ++f )
    {
        beams->forcePoses[f] = -1;
        for ( int32_t e = 0; e < beams->poseCount && forces[f].pose != NULL; ++e )
        {
            bool same = poses[e].name != NULL && strcmp( poses[e].name, forces[f].pose ) == 0;
            beams->forcePoses[f] = same ? e : beams->forcePoses[f];
        }
    }
}
