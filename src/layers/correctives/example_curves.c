// Supple: curves along the part that an example corrects, and forces that bend them.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "base/scalar_math.h"
#include "layers/names_in_rig.h"
#include "supple/beams.h"

#include <string.h>

enum
{
    supMostPart = 64 ///< joints of a part
};

typedef struct supPart
{
    int32_t jointCount;
    int32_t joints[supMostPart];
    int32_t centerCount;
    supVec3 center[supMostPart + 1];
} supPart;

// ---------------------------------------------------------------------------------------------------------------
// The part: a chain of joints, the line through them, the skin around them

static supResult supFindPart( const supExampleWork* work, const int32_t* drivers, supPart* part )
{
    const supCharacter* character = work->context->character;
    const supNameList* names = &work->def->part;
    int32_t parent = supCharacter_JointParent( character, drivers[0] );
    if ( names->count == 0 )
    {
        if ( parent >= 0 )
        {
            part->joints[part->jointCount++] = parent;
        }
        part->joints[part->jointCount++] = drivers[0];
        return sup_success;
    }
    for ( int32_t i = 0; i < names->count; ++i )
    {
        char place[SUP_PLACE_TEXT];
        supPlaceText( place, "examples[%d].part[%d]", work->index, i );
        int32_t joint = supFindJointWords( character, names->names[i] );
        if ( joint < 0 || i >= supMostPart )
        {
            return joint < 0 ? supNoJoint( character, place, names->names[i], work->error )
                             : supFail( work->error, sup_errorLimit, "%s: %d joints at most", place, supMostPart );
        }
        int32_t above = joint;
        while ( i > 0 && above >= 0 && above != part->joints[i - 1] )
        {
            above = supCharacter_JointParent( character, above );
        }
        if ( i > 0 && ( above < 0 || joint == part->joints[i - 1] ) )
        {
            return supFail( work->error, sup_errorData,
                "%s: \"%s\" is not below \"%s\"; list a chain from the body outwards", place, names->names[i],
                names->names[i - 1] );
        }
        part->joints[part->jointCount++] = joint;
    }
    return sup_success;
}

/// How much of each vertex hangs on the part's joints.
static void supFindMembers( const supExampleWork* work, const supPart* part )
{
    const supCharacter* character = work->context->character;
    for ( int32_t i = 0; i < supCharacter_MeshCount( character ); ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        const int32_t* joints = supCharacter_PaletteJoints( character ) + mesh.firstPalette;
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            float sum = 0.0f;
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                size_t at = (size_t)v * (size_t)mesh.influenceCount + (size_t)k;
                for ( int32_t p = 0; p < part->jointCount; ++p )
                {
                    sum += joints[mesh.jointIndices[at]] == part->joints[p] ? mesh.weights[at] : 0.0f;
                }
            }
            work->members[mesh.firstVertex + v] = supMinF( sum, 1.0f );
        }
    }
}

/// Where the last bone ends: the middle of the joints below it, or where its skin does.
static supVec3 supFindEnd( const supExampleWork* work, const supPart* part, int32_t last )
{
    const supCharacter* character = work->context->character;
    const supMat34* rest = supCharacter_RestJoints( character );
    supVec3 head = rest[last].t, sum = supVec3_zero;
    int32_t children = 0;
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        if ( supCharacter_JointParent( character, j ) == last && supDistance( rest[j].t, head ) > 0.0f )
        {
            sum = supAdd( sum, rest[j].t );
            children += 1;
        }
    }
    if ( children > 0 )
    {
        return supScale( sum, 1.0f / (float)children );
    }
    supVec3 before = part->centerCount > 1 ? part->center[part->centerCount - 2] : supVec3_zero;
    supVec3 along = part->centerCount > 1 ? supNormalize( supSub( head, before ) ) : supNormalize( rest[last].y );
    float farthest = 0.0f;
    const supVec3* positions = (const supVec3*)supCharacter_RestPositions( character );
    for ( int32_t v = 0; v < supCharacter_VertexCount( character ); ++v )
    {
        if ( work->members[v] > 0.5f )
        {
            farthest = supMaxF( farthest, supDot( supSub( positions[v], head ), along ) );
        }
    }
    return supMulAdd( head, farthest, along );
}

static void supFindCenter( const supExampleWork* work, supPart* part )
{
    const supMat34* rest = supCharacter_RestJoints( work->context->character );
    float least = 1e-5f * supCharacter_Size( work->context->character );
    for ( int32_t i = 0; i <= part->jointCount; ++i )
    {
        bool isEnd = i == part->jointCount;
        supVec3 point = isEnd ? supFindEnd( work, part, part->joints[i - 1] ) : rest[part->joints[i]].t;
        if ( part->centerCount == 0 || supDistance( point, part->center[part->centerCount - 1] ) > least )
        {
            part->center[part->centerCount++] = point;
        }
    }
}

/// Triangles that hang on the part for the most, of all meshes.
static int32_t supPartTriangles( const supExampleWork* work, uint32_t* out )
{
    const supCharacter* character = work->context->character;
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_MeshCount( character ); ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t t = 0; t + 2 < mesh.indexCount; t += 3 )
        {
            uint32_t corners[3];
            float sum = 0.0f;
            for ( int k = 0; k < 3; ++k )
            {
                corners[k] = mesh.indices[t + k] + (uint32_t)mesh.firstVertex;
                sum += work->members[corners[k]];
            }
            if ( sum > 0.75f )
            {
                if ( out != NULL )
                {
                    memcpy( out + 3 * (size_t)count, corners, sizeof( corners ) );
                }
                count += 1;
            }
        }
    }
    return count;
}

static supResult supMakeTube( const supExampleWork* work, const supPart* part, supTube** out )
{
    const supAllocator* allocator = work->context->allocator;
    int32_t count = supPartTriangles( work, NULL );
    size_t room = ( 3 * (size_t)count + 1 ) * sizeof( uint32_t );
    uint32_t* triangles = supAlloc( allocator, room, _Alignof( uint32_t ) );
    if ( triangles == NULL )
    {
        return supFail( work->error, sup_errorMemory, "no memory for the part of examples[%d]", work->index );
    }
    supPartTriangles( work, triangles );
    supTubeDef def = { .centerCount = part->centerCount,
        .center = part->center,
        .vertexCount = supCharacter_VertexCount( work->context->character ),
        .positions = (const supVec3*)supCharacter_RestPositions( work->context->character ),
        .triangleCount = count,
        .triangles = triangles,
        .curves = (int32_t)work->def->curves,
        .nodes = (int32_t)work->def->nodes,
        .allocator = allocator };
    supResult result = supCreateTube( &def, out, work->error );
    supFree( allocator, triangles, room );
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
    size_t atBeam = SUP_LAYOUT_ARRAY( &layout, char, supBeam_MemorySize( tube->nodes - 1 ) );
    size_t atPlaces = SUP_LAYOUT_WIDE( &layout, double, (size_t)panels* panelSize );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( work->error, sup_errorMemory, "no memory for the curves of examples[%d]", work->index );
    }
    supBeam beam;
    supError inner = { 0 };
    supResult result = supInitBeam( &beam, block + atBeam, tube->nodes - 1, (double)a1, (double)a2, &inner );
    double* places = (double*)( block + atPlaces );
    double strength = 384.0 * (double)a1 * (double)force * (double)supCharacter_Size( work->context->character );
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
    const supVec3* positions = (const supVec3*)supCharacter_RestPositions( work->context->character );
    for ( int32_t v = 0; v < supCharacter_VertexCount( work->context->character ); ++v )
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

supResult supBendExample( const supExampleWork* work, const int32_t* drivers, supExample* example )
{
    const supExampleDef* def = work->def;
    bool isForced = def->force.x != 0.0f || def->force.y != 0.0f || def->force.z != 0.0f;
    supPart part = { 0 };
    supResult result = supFindPart( work, drivers, &part );
    if ( result != sup_success )
    {
        return result;
    }
    supFindMembers( work, &part );
    supFindCenter( work, &part );
    if ( part.centerCount < 2 )
    {
        // a sculpt needs no curves
        return isForced ? supFail( work->error, sup_errorData,
                              "examples[%d].part: its joints are in one place; forces need a line: list other joints",
                              work->index )
                        : sup_success;
    }
    supTube* tube = NULL;
    result = supMakeTube( work, &part, &tube );
    if ( result != sup_success )
    {
        return result;
    }
    size_t count = (size_t)tube->curves * (size_t)tube->nodes;
    example->curveMoves = supKeepBlock( work->out, count, sizeof( supVec3 ) );
    example->tube = tube;
    if ( example->curveMoves == NULL )
    {
        return supFail( work->error, sup_errorMemory, "no memory for the curves of examples[%d]", work->index );
    }
    for ( int axis = 0; axis < 3 && result == sup_success; ++axis )
    {
        result = supSolveCoordinate( work, tube, axis, example->curveMoves );
    }
    if ( isForced && result == sup_success )
    {
        supAddTied( work, tube, example->curveMoves );
    }
    supReadCurves( work, tube, example->curveMoves );
    return result;
}
