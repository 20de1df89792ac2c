// Muscles: from the rig's items to what a body needs.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscles.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/muscles/muscle_frame.h"

#include <string.h>

/// Share of the size.
static const float supLeastSection = 1e-5f;

/// What is compiled, while it is.
typedef struct supMuscleWork
{
    const supLayerContext* context;
    const void* const* items;
    supMuscles* muscles;
    supError* error;
} supMuscleWork;

static const supMuscleDef* supDefOf( const supMuscleWork* work, int32_t item )
{
    return work->items[item];
}

static int32_t supFindMuscleNamed( const void* const* items, int32_t count, const char* name )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( ( (const supMuscleDef*)items[i] )->name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Room

/// Adds up what a muscle needs, and notes where it will stand.
static void supCountMuscle(
    const supMuscleWork* work, int32_t item, int32_t count, supMuscle* muscle, supMuscles* sums )
{
    const supMuscleDef* def = supDefOf( work, item );
    int32_t vertices = supCountLineVertices( def ), strands = supCountStrands( def );
    bool hasMesh = def->shape == sup_muscleMesh && def->mesh.corners != NULL;
    int32_t forces = vertices > 0 ? def->fields.count : 0;
    for ( int32_t i = 0; i < def->around.count; ++i )
    {
        int32_t other = supFindMuscleNamed( work->items, count, def->around.names[i] );
        forces += other >= 0 && other != item && vertices > 0 ? supDefOf( work, other )->fields.count : 0;
    }
    *muscle = ( supMuscle ){ .shape = def->shape,
        .firstAnchor = sums->anchorCount,
        .anchorCount = vertices > 0 ? def->points.count : 0,
        .firstVertex = sums->vertexCount,
        .vertexCount = vertices,
        .firstStrand = sums->strandCount,
        .strandCount = strands,
        .firstStrandVertex = sums->strandVertexCount,
        .firstEllipsoid = sums->ellipsoidCount,
        .ellipsoidCount = def->fields.count,
        .firstForce = sums->forceCount,
        .forceCount = forces,
        .firstHang = sums->hangCount,
        .hangCount = hasMesh ? def->mesh.count : 0,
        .firstCorner = sums->cornerCount,
        .triangleCount = hasMesh ? def->mesh.triangleCount : 0,
        .liveAt = item * sup_muscleLiveCount,
        .pointsAt = count * sup_muscleLiveCount + sums->listedLive };
    muscle->fieldsAt = muscle->pointsAt + def->points.count * sup_musclePointLiveCount;
    sums->listedLive += def->points.count * sup_musclePointLiveCount + def->fields.count * sup_muscleFieldLiveCount;
    sums->anchorCount += muscle->anchorCount;
    sums->vertexCount += vertices;
    sums->strandCount += strands;
    sums->strandVertexCount += strands * vertices;
    sums->ellipsoidCount += muscle->ellipsoidCount;
    sums->forceCount += forces;
    sums->hangCount += muscle->hangCount;
    sums->cornerCount += 3 * muscle->triangleCount;
}

/// More vertices, triangles or fields than this in one rig are a slip, and would not fit in the counts.
#define SUP_MOST_OF_ALL 100000000.0

/// Whether all muscles together can be counted.
static bool supCanCount( const supMuscleWork* work, int32_t count )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const supMuscleDef* def = supDefOf( work, i );
        double forces = def->fields.count;
        for ( int32_t k = 0; k < def->around.count; ++k )
        {
            int32_t other = supFindMuscleNamed( work->items, count, def->around.names[k] );
            forces += other >= 0 ? supDefOf( work, other )->fields.count : 0;
        }
        sum += (double)def->mesh.count + 3.0 * def->mesh.triangleCount + forces * sup_mostLineVertices;
        sum += (double)def->points.count * sup_musclePointLiveCount;
        sum += (double)sup_mostLineVertices * supCountStrands( def );
    }
    return sum <= SUP_MOST_OF_ALL;
}

/// One block for all of it. NULL: no memory.
static supMuscles* supMakeMuscles( const supMuscleWork* work, int32_t count )
{
    supMuscles sums = { .count = count, .gravity = work->context->gravity };
    size_t nameBytes = 0, sides = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        supMuscle muscle;
        supCountMuscle( work, i, count, &muscle, &sums );
        nameBytes += strlen( supDefOf( work, i )->name ) + 1;
        sides += (size_t)muscle.forceCount * (size_t)muscle.vertexCount;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMuscles, out, 1 );
    SUP_PUT_NEW( &layout, supMuscle, items, count );
    SUP_PUT_NEW( &layout, supLineAnchor, anchors, sums.anchorCount );
    SUP_PUT_NEW( &layout, supLineVertex, vertices, sums.vertexCount );
    SUP_PUT_NEW( &layout, float, floats, 5 * (size_t)sums.strandVertexCount + (size_t)sums.strandCount );
    SUP_PUT_NEW( &layout, supMeshHang, hangs, sums.hangCount );
    SUP_PUT_NEW( &layout, int32_t, corners, sums.cornerCount );
    SUP_PUT_NEW( &layout, supEllipsoid, ellipsoids, sums.ellipsoidCount );
    SUP_PUT_NEW( &layout, int32_t, forces, 2 * (size_t)sums.forceCount );
    SUP_PUT_NEW( &layout, supVec3, sidesRoom, sides );
    SUP_PUT_NEW( &layout, char, names, nameBytes );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    size_t strandVertices = (size_t)sums.strandVertexCount;
    *out = ( supMuscles ){ .count = count,
        .gravity = sums.gravity,
        .leastSection = supLeastSection * supCharacter_Info( work->context->character )->size,
        .muscles = items,
        .anchors = anchors,
        .vertices = vertices,
        .restWidths = floats,
        .restDepths = floats + strandVertices,
        .offsets = floats + 2 * strandVertices,
        .asideWide = floats + 3 * strandVertices,
        .asideDeep = floats + 4 * strandVertices,
        .restVolumes = floats + 5 * strandVertices,
        .hangs = hangs,
        .corners = corners,
        .ellipsoids = ellipsoids,
        .forces = forces,
        .firstSides = forces + sums.forceCount,
        .sides = sidesRoom,
        .sideCount = (int32_t)sides,
        .blockSize = layout.size };
    for ( int32_t i = 0; i < count; ++i )
    {
        supCountMuscle( work, i, count, out->muscles + i, out );
        out->muscles[i].name = names;
        names += strlen( strcpy( names, supDefOf( work, i )->name ) ) + 1;
    }
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// Ellipsoids

static supResult supCompileEllipsoid( const supMuscleWork* work, int32_t item, int32_t index )
{
    const supCharacter* character = work->context->character;
    const supMuscleDef* def = supDefOf( work, item );
    const supMuscleField* field = (const supMuscleField*)def->fields.items + index;
    supEllipsoid* out = work->muscles->ellipsoids + work->muscles->muscles[item].firstEllipsoid + index;
    int32_t joint = supFindJointWords( character, field->joint );
    if ( joint < 0 )
    {
        char place[SUP_PATH_TEXT];
        supPathText( place, "muscles[%d].fields[%d].joint", item, index );
        return supNoJoint( character, place, field->joint, work->error );
    }
    float size = supCharacter_Info( character )->size;
    supMat34 frame = supCharacter_Info( character )->restJoints[joint], inverse;
    supQuat turn = supNearestRotation( frame );
    double angle = supLengthD( supToDouble( field->turn ) ) * SUP_PI / 180.0;
    if ( angle > 0.0 )
    {
        supVec3d axis = supNormalizeD( supToDouble( field->turn ) );
        turn = supMulQuat( turn, supQuatToFloat( supQuatFromAxisAngleD( axis, angle ) ) );
    }
    supMat34 axes = supMatFromQuat( turn );
    axes.x = supScale( axes.x, size * field->radii.x );
    axes.y = supScale( axes.y, size * field->radii.y );
    axes.z = supScale( axes.z, size * field->radii.z );
    axes.t = supAdd( frame.t, supRotate( supNearestRotation( frame ), supScale( field->center, size ) ) );
    supInvertMat( frame, &inverse );
    *out = ( supEllipsoid ){ .muscle = item,
        .joint = joint,
        .inJoint = supMulMat( inverse, axes ),
        .smallest = size * supMinF( supMinF( field->radii.x, field->radii.y ), field->radii.z ),
        .liveAt = work->muscles->muscles[item].fieldsAt + index * sup_muscleFieldLiveCount,
        .fills = def->shape == sup_muscleFiller };
    return sup_success;
}

/// On which side of each ellipsoid the line runs at rest.
static void supNoteSides( const supMuscleWork* work, const supMuscle* muscle, int32_t force, supVec3* sides )
{
    const supMuscles* muscles = work->muscles;
    const supEllipsoid* ellipsoid = muscles->ellipsoids + muscles->forces[force];
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    supMat34 toUnit;
    supInvertMat( supMulMat( rest[ellipsoid->joint], ellipsoid->inJoint ), &toUnit );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        supVec3 at = muscles->vertices[muscle->firstVertex + i].rest;
        sides[i] = supNormalize( supTransformPoint( toUnit, at ) );
    }
}

/// Lists the ellipsoids that act on each line: its own, and those of the muscles that it names.
static supResult supListForces( const supMuscleWork* work )
{
    supMuscles* muscles = work->muscles;
    int32_t side = 0;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscleDef* def = supDefOf( work, m );
        const supMuscle* muscle = muscles->muscles + m;
        int32_t at = muscle->firstForce;
        for ( int32_t k = -1; k < def->around.count; ++k )
        {
            int32_t other = k < 0 ? m : supFindMuscleNamed( work->items, muscles->count, def->around.names[k] );
            if ( other < 0 )
            {
                return supFail( work->error, sup_errorNotFound, "muscles[%d].around[%d]: no muscle \"%s\" in the rig",
                    m, k, def->around.names[k] );
            }
            bool acts = muscle->vertexCount > 0 && ( k < 0 || other != m );
            for ( int32_t e = 0; acts && e < muscles->muscles[other].ellipsoidCount; ++e )
            {
                muscles->firstSides[at] = side;
                muscles->forces[at] = muscles->muscles[other].firstEllipsoid + e;
                supNoteSides( work, muscle, at++, muscles->sides + side );
                side += muscle->vertexCount;
            }
        }
        if ( muscle->forceCount > sup_mostLineForces )
        {
            return supFail( work->error, sup_errorLimit,
                "muscles[%d]: %d fields act on its line (its own and those around it), but at most %d are allowed; leave some out",
                m, muscle->forceCount, sup_mostLineForces );
        }
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Lines and forms

/// The way of the breadth at both ends, each in the frame of its joint.
static void supChooseWide( const supMuscleWork* work, const supMuscleDef* def, supMuscle* muscle )
{
    const supMat34* rest = supCharacter_Info( work->context->character )->restJoints;
    const supLineAnchor* anchors = work->muscles->anchors + muscle->firstAnchor;
    supMat34 first = rest[anchors[0].joint], last = rest[anchors[muscle->anchorCount - 1].joint], inverse;
    supVec3 line[sup_mostLineVertices], normals[sup_mostLineVertices], wide[sup_mostLineVertices];
    supPlaceLine( work->muscles, muscle, rest, line );
    supLineNormals( line, muscle->vertexCount, normals );
    supVec3 outward = supSub( line[muscle->vertexCount / 2], first.t );
    supVec3 way = supLengthSquared( def->wide ) > 0.0f ? supRotate( supNearestRotation( first ), def->wide )
                                                       : supCross( outward, normals[0] );
    supCarryWide( way, normals, muscle->vertexCount, wide );
    supInvertMat( first, &inverse );
    muscle->wideFirst = supTransformVector( inverse, wide[0] );
    supInvertMat( last, &inverse );
    muscle->wideLast = supTransformVector( inverse, wide[muscle->vertexCount - 1] );
}

/// Shares of the twist: a stretch yields by its length over the square of its thickness.
static void supShareTwist( const supMuscles* muscles, const supMuscle* muscle )
{
    supLineVertex* line = muscles->vertices + muscle->firstVertex;
    const float* depths = muscles->restDepths + muscle->firstStrandVertex;
    float sum = 0.0f;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        line[i].turn = sum;
        float depth = i + 1 < muscle->vertexCount ? 0.5f * ( depths[i] + depths[i + 1] ) : 1.0f;
        sum += line[i].restLength / ( depth * depth );
    }
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        line[i].turn /= sum;
    }
}

static supResult supCompileMuscle( const supMuscleWork* work, int32_t item )
{
    const supMuscleDef* def = supDefOf( work, item );
    supMuscles* muscles = work->muscles;
    supMuscle* muscle = muscles->muscles + item;
    supResult result = sup_success;
    for ( int32_t e = 0; e < muscle->ellipsoidCount && result == sup_success; ++e )
    {
        result = supCompileEllipsoid( work, item, e );
    }
    if ( result != sup_success || muscle->vertexCount == 0 )
    {
        return result;
    }
    if ( def->shape == sup_muscleMesh && ( def->mesh.count < 4 || def->mesh.corners == NULL ) )
    {
        return supFail( work->error, sup_errorData, "muscles[%d].mesh: %s was not read, or has no triangles", item,
            def->mesh.file != NULL ? def->mesh.file : "the mesh" );
    }
    const supCharacter* character = work->context->character;
    supLineAnchor* anchors = muscles->anchors + muscle->firstAnchor;
    supLineVertex* line = muscles->vertices + muscle->firstVertex;
    result = supBindLinePoints( character, def, item, anchors, work->error );
    if ( result == sup_success )
    {
        supDivideLine( character, def, anchors, muscle, line );
        supShapeMuscle( def, supCharacter_Info( character )->size, line, muscle, muscles );
        supShareTwist( muscles, muscle );
        supChooseWide( work, def, muscle );
    }
    return result;
}

/// Any number of 64 bits for a directed edge. (After Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", 2014.)
static uint64_t supEdgeNumber( int32_t a, int32_t b )
{
    uint64_t x = ( (uint64_t)(uint32_t)a << 32 | (uint32_t)b ) + 0x9e3779b97f4a7c15u;
    x = ( x ^ x >> 30 ) * 0xbf58476d1ce4e5b9u;
    x = ( x ^ x >> 27 ) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/// Closed: every edge has a twin that runs the other way. Then, and else hardly ever, the numbers of all edges and of
/// their twins have the same sum.
static bool supIsClosed( const supSculpt* mesh )
{
    uint64_t sum = 0;
    for ( int32_t i = 0; i < 3 * mesh->triangleCount; ++i )
    {
        int32_t a = mesh->corners[i], b = mesh->corners[i % 3 == 2 ? i - 2 : i + 1];
        sum += supEdgeNumber( a, b ) - supEdgeNumber( b, a );
    }
    return sum == 0;
}

/// A mesh of the user's has to lie around its line, in metres of model space, and to be closed: else it has no volume.
static supResult supCheckMesh( const supMuscleWork* work, int32_t item )
{
    const supMuscle* muscle = work->muscles->muscles + item;
    const supSculpt* mesh = &supDefOf( work, item )->mesh;
    const char* file = mesh->file != NULL ? mesh->file : "the mesh";
    float farthest = 0.0f;
    int32_t vertex = 0;
    for ( int32_t v = 0; v < muscle->hangCount; ++v )
    {
        const supMeshHang* hang = work->muscles->hangs + muscle->firstHang + v;
        float off = supLength( supMakeVec3( hang->along, hang->wide, hang->deep ) );
        vertex = off > farthest ? v : vertex;
        farthest = supMaxF( farthest, off );
    }
    if ( !( farthest <= muscle->restLength ) )
    {
        return supFail( work->error, sup_errorData,
            "muscles[%d].mesh: vertex %d of %s is %.3g m from the line, which is %.3g m long: it is in metres of model "
            "space at rest",
            item, vertex, file, (double)farthest, (double)muscle->restLength );
    }
    return supIsClosed( mesh ) ? sup_success
                               : supFail( work->error, sup_errorData,
                                     "muscles[%d].mesh: %s is not closed: some edge has no triangle beside it, or two "
                                     "that are wound against one another",
                                     item, file );
}

/// The volumes of a muscle's strands at rest, and of its form.
static void supMeasureVolumes( supMuscles* muscles, supMuscle* muscle, const supMuscleFrame* rest )
{
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        supSection sections[sup_mostLineVertices];
        int32_t first = muscle->firstStrandVertex + k * muscle->vertexCount;
        for ( int32_t i = 0; i < muscle->vertexCount; ++i )
        {
            const supStrandVertex* vertex = rest->strands + first + i; // posed before a mesh was hung on it
            supVec3 middle = supMulAdd( vertex->at, muscles->asideWide[first + i], vertex->wide );
            middle = supMulAdd( middle, muscles->asideDeep[first + i], vertex->deep );
            sections[i] = ( supSection ){ middle, vertex->wide, vertex->deep };
        }
        muscles->restVolumes[muscle->firstStrand + k] = supSectionsVolume( muscles, muscle, k, sections, NULL );
    }
    muscle->restVolume = muscle->vertexCount > 0 ? (float)supMuscleVolume( muscles, muscle, rest ) : 0.0f;
}

/// What needs the muscles at rest: meshes of the user's, volumes.
static supResult supMeasureAtRest( const supMuscleWork* work )
{
    supMuscles* muscles = work->muscles;
    const supMat34* joints = supCharacter_Info( work->context->character )->restJoints;
    size_t size = supMuscleFrame_Size( muscles ),
           liveSize = (size_t)muscles->count * sup_muscleLiveCount * sizeof( float );
    void* memory = supAlloc( work->context->allocator, size + 1, SUP_MAX_ALIGNMENT );
    float* live = supAlloc( work->context->allocator, liveSize + 1, _Alignof( float ) );
    bool room = memory != NULL && live != NULL;
    supResult result =
        room ? sup_success : supFail( work->error, sup_errorMemory, "no memory for %d muscles", muscles->count );
    if ( room )
    {
        for ( int32_t m = 0; m < muscles->count; ++m )
        {
            supLayer_ReadLive( &sup_musclesLayer, work->items[m], live + (size_t)m * sup_muscleLiveCount );
            // a form is measured relaxed
            live[(size_t)m * sup_muscleLiveCount + sup_muscleContraction] = 0.0f;
            live[(size_t)m * sup_muscleLiveCount + sup_muscleSwell] = 1.0f;
        }
        supMuscleFrame rest;
        supMuscleFrame_Place( &rest, muscles, memory );
        supMuscleFrame_Pose( &rest, muscles, joints, live, NULL );
        for ( int32_t m = 0; m < muscles->count; ++m )
        {
            supMuscle* muscle = muscles->muscles + m;
            if ( muscle->hangCount > 0 )
            {
                supHangMesh( supDefOf( work, m ), &rest, muscle, muscles );
                supShareTwist( muscles, muscle );
                result = result == sup_success ? supCheckMesh( work, m ) : result;
            }
            supMeasureVolumes( muscles, muscle, &rest );
        }
    }
    supFree( work->context->allocator, memory, size + 1 );
    supFree( work->context->allocator, live, liveSize + 1 );
    return result;
}

supResult supCompileMuscles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    supMuscleWork work = { .context = context, .items = items, .error = error };
    if ( !supCanCount( &work, count ) )
    {
        *out = NULL;
        return supFail( error, sup_errorLimit,
            "muscles: more than %.0f million vertices, triangles and fields altogether; leave some out",
            SUP_MOST_OF_ALL / 1e6 );
    }
    work.muscles = supMakeMuscles( &work, count );
    supResult result =
        work.muscles != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for %d muscles", count );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supCompileMuscle( &work, i );
    }
    result = result == sup_success ? supListForces( &work ) : result;
    result = result == sup_success ? supMeasureAtRest( &work ) : result;
    if ( result != sup_success && work.muscles != NULL )
    {
        supFree( context->allocator, work.muscles, work.muscles->blockSize );
    }
    *out = result == sup_success ? work.muscles : NULL;
    return result;
}
