// Supple: the sculpted shapes of examples, from wherever they come, as displacements at rest.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "base/scalar_math.h"
#include "layers/correctives/patch_chains.h"
#include "layers/layer.h"
#include "supple/lab/beams.h"
#include "supple/lab/skin.h"

#include <string.h>

/// All vertices of a mesh under the work's palette, into work->skinned.
static supResult supSkinMesh(
    const supExampleWork* work, const supMeshView* mesh, int32_t index, const float* morphWeights, supSkinning method )
{
    supSkinJob job = supCharacter_SkinJob( work->context->character, index, work->palette, morphWeights );
    job.normals = ( supInStream ){ 0 };
    job.tangents = ( supInStream ){ 0 };
    job.outPositions = ( supOutStream ){ work->skinned + mesh->firstVertex, mesh->vertexCount, sizeof( supVec3 ) };
    job.method = method;
    return mesh->vertexCount > 0 ? supSkinJob_Run( &job, work->error ) : sup_success;
}

supResult supSkinExample( const supExampleWork* work, supSkinning method )
{
    const supCharacter* character = work->context->character;
    supCharacter_Palette( character, work->joints, work->palette );
    supResult result = sup_success;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount && result == sup_success; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        result = supSkinMesh( work, &mesh, i, NULL, method );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Morph targets

static int32_t supFindMorph( const supMeshView* mesh, const char* name )
{
    for ( int32_t m = 0; m < mesh->morphCount; ++m )
    {
        if ( mesh->morphPositions != NULL && strcmp( mesh->morphNames[m], name ) == 0 )
        {
            return m;
        }
    }
    return -1;
}

static supResult supNoMorph( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    const char* names[256];
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t m = 0; m < mesh.morphCount && count < 256; ++m )
        {
            names[count] = mesh.morphNames[m];
            count += names[count][0] != 0;
        }
    }
    char place[SUP_PATH_TEXT];
    supPathText( place, "%s.morph", work->place );
    return supNoName( place, "morph target", work->def->morph, names, count, work->error );
}

/// What the target does to the skin at rest: with it, less without it. Weights are the file's.
static supResult supAddMorph( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, work->palette );
    bool found = false;
    supResult result = sup_success;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount && result == sup_success; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        int32_t morph = supFindMorph( &mesh, work->def->morph );
        if ( morph < 0 )
        {
            continue;
        }
        found = true;
        float* weights = work->morphWeights + mesh.firstMorphWeight;
        memcpy( weights, mesh.morphWeights, (size_t)mesh.morphCount * sizeof( float ) );
        for ( int pass = 0; pass < 2 && result == sup_success; ++pass )
        {
            weights[morph] = pass == 0 ? 0.0f : 1.0f;
            result = supSkinMesh( work, &mesh, i, work->morphWeights, sup_skinningLinear );
            for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
            {
                work->moves[v] = supMulAdd( work->moves[v], pass == 0 ? -1.0f : 1.0f, work->skinned[v] );
            }
        }
    }
    return result != sup_success || found ? result : supNoMorph( work );
}

// ---------------------------------------------------------------------------------------------------------------
// Moves and shapes, at rest or posed

supTurn supTurnOfVertex( const supExampleWork* work, const supMeshView* mesh, int32_t vertex )
{
    const int32_t* joints = supCharacter_Info( work->context->character )->paletteJoints + mesh->firstPalette;
    size_t first = (size_t)vertex * (size_t)mesh->influenceCount;
    supHold holds[SUP_MAX_INFLUENCES];
    int32_t count = 0;
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        float weight = mesh->weights[first + (size_t)i];
        if ( weight > 0.0f )
        {
            holds[count++] = ( supHold ){ joints[mesh->jointIndices[first + (size_t)i]], weight };
        }
    }
    return supBlendTurns( work->turns, holds, count );
}

/// A displacement that is seen in the pose, taken back to rest.
static supVec3 supUnpose( const supExampleWork* work, const supMeshView* mesh, int32_t vertex, supVec3 move )
{
    supTurn turn = supTurnOfVertex( work, mesh, vertex );
    return turn.scale > 0.0f ? supScale( supRotate( supConjugate( turn.rotation ), move ), 1.0f / turn.scale )
                             : supVec3_zero;
}

static void supAddMove( const supExampleWork* work, const supMeshView* mesh, int32_t vertex, supVec3 move )
{
    if ( work->def->space == sup_examplePosed )
    {
        move = supUnpose( work, mesh, vertex, move );
    }
    int32_t v = mesh->firstVertex + vertex;
    work->moves[v] = supAdd( work->moves[v], move );
}

static supResult supAddMoves( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    const supVertexValueList* list = &work->def->moves;
    if ( list->fingerprint != supCharacter_Info( character )->fingerprint )
    {
        return supFail( work->error, sup_errorData,
            "%s.moves: made for another mesh (fingerprint 0x%016llx, this mesh has 0x%016llx); make them again, or remove them",
            work->place, (unsigned long long)list->fingerprint,
            (unsigned long long)supCharacter_Info( character )->fingerprint );
    }
    for ( int32_t p = 0; p < list->count; ++p )
    {
        const supVertexValues* moves = list->meshes + p;
        int32_t at = supFindMeshNamed( character, moves->mesh, moves->meshIndex );
        if ( at < 0 )
        {
            char place[SUP_PATH_TEXT];
            supPathText( place, "%s.moves.meshes[%d].mesh", work->place, p );
            return supNoMesh( character, place, moves->mesh, work->error );
        }
        supMeshView mesh = supCharacter_Mesh( character, at );
        for ( int32_t i = 0; i < moves->count; ++i )
        {
            if ( moves->vertices[i] >= mesh.vertexCount )
            {
                return supFail( work->error, sup_errorData,
                    "%s.moves.meshes[%d].vertices[%d]: there is no vertex %d; there are %d in \"%s\"", work->place, p,
                    i, moves->vertices[i], mesh.vertexCount, mesh.name );
            }
            supAddMove( work, &mesh, moves->vertices[i], ( (const supVec3*)moves->values )[i] );
        }
    }
    return sup_success;
}

/// The vertices that a shape stands for: all of the character's, or those of the one mesh that has as many.
static supResult supMatchShape( const supExampleWork* work, int32_t* firstMesh, int32_t* meshCount )
{
    const supCharacter* character = work->context->character;
    const supSculpt* shape = &work->def->shape;
    int32_t all = supCharacter_Info( character )->meshCount, vertices = supCharacter_Info( character )->vertexCount;
    *firstMesh = 0;
    *meshCount = all;
    bool fits = shape->count == vertices;
    for ( int32_t i = 0; i < all && !fits; ++i )
    {
        fits = supCharacter_Mesh( character, i ).vertexCount == shape->count;
        *firstMesh = i;
        *meshCount = 1;
    }
    int64_t triangles = 0;
    for ( int32_t i = *firstMesh; i < *firstMesh + *meshCount; ++i )
    {
        triangles += supCharacter_Mesh( character, i ).indexCount / 3;
    }
    if ( shape->count == 0 )
    {
        return supFail( work->error, sup_errorData,
            "%s.shape: \"%s\" was not read; only a rig that is a file itself can name files", work->place,
            shape->file );
    }
    if ( !fits )
    {
        return supFail( work->error, sup_errorData,
            "%s.shape: \"%s\" has %d vertices, but the character has %d in %d meshes, none of which has %d; export it with the same vertices in the same order",
            work->place, shape->file, shape->count, vertices, all, shape->count );
    }
    if ( shape->triangleCount > 0 && shape->triangleCount != triangles )
    {
        return supFail( work->error, sup_errorData,
            "%s.shape: \"%s\" has %d triangles, but the character has %lld; export it from the same mesh", work->place,
            shape->file, shape->triangleCount, (long long)triangles );
    }
    return sup_success;
}

static supResult supAddShape( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    int32_t first = 0, count = 0;
    supResult result = supMatchShape( work, &first, &count );
    bool isPosed = work->def->space == sup_examplePosed;
    const supMat34* joints = isPosed ? work->joints : supCharacter_Info( character )->restJoints;
    supSkinning method = isPosed ? (supSkinning)work->def->skinning : sup_skinningLinear;
    supCharacter_Palette( character, joints, work->palette );
    const supVec3* target = work->def->shape.points;
    for ( int32_t i = first; i < first + count && result == sup_success; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        result = supSkinMesh( work, &mesh, i, NULL, method );
        for ( int32_t v = 0; v < mesh.vertexCount && result == sup_success; ++v, ++target )
        {
            supAddMove( work, &mesh, v, supSub( *target, work->skinned[mesh.firstVertex + v] ) );
        }
    }
    return result;
}

supResult supSculptExample( const supExampleWork* work )
{
    supResult result = work->def->morph != NULL ? supAddMorph( work ) : sup_success;
    result = result == sup_success && work->def->moves.count > 0 ? supAddMoves( work ) : result;
    return result == sup_success && work->def->shape.file != NULL ? supAddShape( work ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Curves along the part that an example corrects, and forces that bend them.

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
        supPathText( place, "%s.part[%d]", work->place, i );
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
    return supFail( work->error, sup_errorMemory, "no memory for the curves of %s", work->place );
}

/// The part's joints as chains, each with a line through it.
supResult supFindPartChains( const supExampleWork* work, const int32_t* drivers, supArray* chains )
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
double supForceAt( const supForceSpan* span, const supTube* tube, int32_t curve, int32_t node )
{
    double intervals = tube->nodes - 1, along = node / intervals, share = 1.0;
    if ( span->to - span->from < 1.0f / (float)intervals )
    {
        double place = supClamp( 0.5 * ( (double)span->from + (double)span->to ) * intervals, 1.0, intervals - 1.0 );
        double off = supAbs( node - place );
        share = off < 1.0 ? ( 1.0 - off ) * intervals : 0.0;
    }
    else if ( along < (double)span->from - 1e-9 || along > (double)span->to + 1e-9 )
    {
        share = 0.0;
    }
    if ( supIsFinite( span->angle ) )
    {
        double off = supAbs( 360.0 * curve / tube->curves - (double)span->angle );
        off -= 360.0 * supFloor( off / 360.0 );
        off = off > 180.0 ? 360.0 - off : off;
        double cosine = off < (double)span->spread ? supCos( 0.5 * SUP_PI * off / (double)span->spread ) : 0.0;
        share *= cosine * cosine;
    }
    return share;
}

/// Solves one coordinate of all curves under the force. A force all along a beam with clamped ends moves its middle by
/// F / ( 384 a1 ) where a2 is 0: so a rigger's unit is a displacement.
static supResult supSolveCoordinate( const supExampleWork* work, const supTube* tube, int axis, supVec3* nodes )
{
    const supExampleDef* def = work->def;
    const supForceSpan span = { def->forceFrom, def->forceTo, def->forceAngle, def->forceSpread };
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
            column[(size_t)n * supBeamLanes] = strength * supForceAt( &span, tube, c, n );
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
    return result == sup_success ? result
                                 : supFail( work->error, result, "%s.a2[%d]: %s", work->place, axis, inner.text );
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
    out->moves = supKeepBlock( work->kept, (size_t)out->tube->curves * (size_t)out->tube->nodes, sizeof( supVec3 ) );
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
        example->tubes = supKeepBlock( work->kept, chains.count, sizeof( supExampleTube ) );
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
            "%s.part: its joints are in one place; forces need a line: list other joints", work->place );
    }
    for ( int32_t i = 0; i < example->tubeCount && result == sup_success; ++i )
    {
        supReadCurves( work, example->tubes[i].tube, example->tubes[i].moves );
    }
    supArray_Destroy( &chains );
    return result;
}
