// The borders of fat at rest.
// SPDX-License-Identifier: MIT
//
// Where a layer before this one has an inner border (the écorché), that is taken. Elsewhere the bones' own shape: a ray
// runs from the bone to every vertex of the skin, and the border lies on it at a share of the way. The share is the
// least radius around, against the vertex's own: so what stands out, a breast, a belly, a calf, is fat, and the smooth
// form beneath is not. Less `depth` of that radius all around.

#include "layers/fat/fat_border.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "character/character_data.h"
#include "layers/layer.h"
#include "layers/triangle_tree.h"

#include <assert.h>
#include <string.h>

/// How far around a vertex its least radius is looked for. Share of the size
static const float supLookAround = 0.05f;
/// Skin that is so near to the end of another layer's ray lies above that layer's border. Share of the size
static const float supRaysReach = 0.05f;
enum
{
    supSmoothings = 12,
    supMostLooks = 24,
};

void* supFatRegion_Array( supFatRegion* region, size_t count, size_t itemSize )
{
    assert( region->sizeCount < supMostFatArrays );
    void* block = supAllocZeroed( region->allocator, count + 1, itemSize, SUP_MAX_ALIGNMENT );
    if ( block != NULL )
    {
        region->blocks[region->sizeCount] = block;
        region->sizes[region->sizeCount++] = ( count + 1 ) * itemSize;
    }
    return block;
}

void supDropFatRegion( supFatRegion* region )
{
    for ( int32_t i = 0; i < region->sizeCount; ++i )
    {
        supFree( region->allocator, region->blocks[i], region->sizes[i] );
    }
    region->sizeCount = 0;
}

static bool supMeshCarriesFat( const supFatDef* def, const supMeshView* mesh )
{
    bool listed = def->meshes.count == 0;
    for ( int32_t i = 0; i < def->meshes.count && !listed; ++i )
    {
        listed = strcmp( def->meshes.names[i], mesh->name ) == 0;
    }
    return listed && mesh->skin >= 0 && mesh->influenceCount > 0 && !supIsInnerMesh( def, mesh );
}

// ---------------------------------------------------------------------------------------------------------------
// Joints and members

/// Marks the joints that carry fat: those named, or all.
static supResult supMarkJoints(
    const supLayerContext* context, const supFatDef* def, const char* place, uint8_t* marks, supError* error )
{
    char words[SUP_PATH_TEXT];
    int32_t count = supCharacter_Info( context->character )->jointCount;
    memset( marks, def->joints.count == 0, (size_t)count );
    for ( int32_t i = 0; i < def->joints.count; ++i )
    {
        int32_t joint = supFindJointWords( context->character, def->joints.names[i] );
        if ( joint < 0 )
        {
            return supNoJoint(
                context->character, supPathText( words, "%s.joints[%d]", place, i ), def->joints.names[i], error );
        }
        marks[joint] = 1;
    }
    for ( int32_t i = 0; i < def->meshes.count; ++i )
    {
        if ( !supHasMeshNamed( context->character, def->meshes.names[i] ) )
        {
            return supNoMesh(
                context->character, supPathText( words, "%s.meshes[%d]", place, i ), def->meshes.names[i], error );
        }
    }
    return sup_success;
}

/// The union of soft balls, 1 where there are none.
static float supInBalls( const supFatDef* def, supMat34 frame, float size, supVec3 p )
{
    float out = 1.0f;
    for ( int32_t i = 0; i < def->spheres.count; ++i )
    {
        const supSphere* ball = def->spheres.spheres + i;
        supVec3 center = supTransformPoint( frame, supScale( ball->center, size ) );
        float share = supDistance( p, center ) / ( ball->radius * size );
        float in = share < 1.0f ? 1.0f - share * share * ( 3.0f - 2.0f * share ) : 0.0f;
        // three quarters of the ball count in full
        out *= 1.0f - supMinF( 1.0f, 4.0f * in );
    }
    return def->spheres.count > 0 ? 1.0f - out : 1.0f;
}

/// The place of a joint among those that carry fat, or -1.
static int32_t supJointColumn( const supFatRegion* region, int32_t joint )
{
    int32_t column = -1;
    for ( int32_t i = 0; i < region->jointCount && column < 0; ++i )
    {
        column = region->joints[i] == joint ? i : -1;
    }
    return column;
}

static void supListJoint( supFatRegion* region, int32_t joint )
{
    if ( supJointColumn( region, joint ) < 0 && region->jointCount < supMostFatJoints )
    {
        region->joints[region->jointCount++] = joint;
    }
}

/// How much of each vertex carries fat. Lists the joints that carry those that do.
static void supFindMembers( supFatRegion* region, const supFatDef* def, const uint8_t* marks, supMat34 frame )
{
    const int32_t* paletteJoints = supCharacter_Info( region->character )->paletteJoints;
    float size = supCharacter_Info( region->character )->size;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && supMeshCarriesFat( def, &mesh ); ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            float share = 0.0f;
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                size_t at = (size_t)v * (size_t)mesh.influenceCount + (size_t)k;
                int32_t joint = paletteJoints[mesh.firstPalette + mesh.jointIndices[at]];
                share += marks[joint] != 0 ? mesh.weights[at] : 0.0f;
            }
            region->members[vertex] =
                supMinF( share, 1.0f ) * supInBalls( def, frame, size, region->outer.points[vertex] );
            for ( int32_t k = 0; k < mesh.influenceCount && region->members[vertex] > 0.0f; ++k )
            {
                size_t at = (size_t)v * (size_t)mesh.influenceCount + (size_t)k;
                if ( mesh.weights[at] > 0.0f )
                {
                    supListJoint( region, paletteJoints[mesh.firstPalette + mesh.jointIndices[at]] );
                }
            }
        }
    }
}

/// The place of the joint that carries what hangs on another one: itself, or, where the list is full, the nearest one
/// above it. -1: none.
static int32_t supCarrierColumn( const supFatRegion* region, int32_t joint )
{
    int32_t column = supJointColumn( region, joint );
    while ( column < 0 && joint >= 0 && region->jointCount == supMostFatJoints )
    {
        joint = supCharacter_Joint( region->character, joint )->parent;
        column = supJointColumn( region, joint );
    }
    return column;
}

/// Rigid pieces carry no fat. False: no memory.
static bool supLeaveRigidOut( supFatRegion* region )
{
    size_t count = (size_t)region->outer.pointCount, room = ( count + 1 ) * sizeof( int32_t );
    int32_t* pieces = supAlloc( region->allocator, room, _Alignof( int32_t ) );
    bool done = pieces != NULL && supFindRigidPieces( region->character, region->allocator, pieces );
    for ( size_t v = 0; v < count && done; ++v )
    {
        region->members[v] = pieces[v] >= 0 ? 0.0f : region->members[v];
    }
    supFree( region->allocator, pieces, room );
    return done;
}

static void supFillWeights( supFatRegion* region )
{
    const int32_t* paletteJoints = supCharacter_Info( region->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        for ( int32_t i = 0; i < mesh.vertexCount * mesh.influenceCount; ++i )
        {
            int32_t column = supCarrierColumn( region, paletteJoints[mesh.firstPalette + mesh.jointIndices[i]] );
            size_t row = (size_t)( mesh.firstVertex + i / mesh.influenceCount ) * supMostFatJoints;
            if ( column >= 0 )
            {
                region->weights[row + (size_t)column] += mesh.weights[i];
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bones

/// The middle of a joint's children: of those that carry skin, or of all. False: it has none.
static bool supMiddleOfChildren( const supCharacter* character, int32_t joint, bool skinned, supVec3* out )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supVec3 sum = supVec3_zero;
    int32_t count = 0;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        bool child = supCharacter_Joint( character, j )->parent == joint &&
                     ( !skinned || supCharacter_Joint( character, j )->isSkinJoint );
        sum = child ? supAdd( sum, rest[j].t ) : sum;
        count += child;
    }
    *out = count > 0 ? supScale( sum, 1.0f / (float)count ) : *out;
    return count > 0;
}

/// As far past the middle of a joint's skin as the joint is before it.
static supVec3 supPastSkin( const supFatRegion* region, int32_t column )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    double total = 0.0;
    for ( int32_t v = 0; v < region->outer.pointCount; ++v )
    {
        double weight = region->weights[(size_t)v * supMostFatJoints + (size_t)column];
        sum = supMulAddD( sum, weight, supToDouble( region->outer.points[v] ) );
        total += weight;
    }
    supVec3 joint = supCharacter_Info( region->character )->restJoints[region->joints[column]].t;
    supVec3 middle = total > 0.0 ? supToFloat( supScaleD( sum, 1.0 / total ) ) : joint;
    return supMulAdd( middle, 1.0f, supSub( middle, joint ) );
}

/// Where each joint's bone ends.
static void supBoneEnds( const supFatRegion* region, supVec3* ends )
{
    for ( int32_t c = 0; c < region->jointCount; ++c )
    {
        int32_t joint = region->joints[c];
        bool found = supMiddleOfChildren( region->character, joint, true, ends + c ) ||
                     supMiddleOfChildren( region->character, joint, false, ends + c );
        ends[c] = found ? ends[c] : supPastSkin( region, c );
    }
}

/// Where the ray to a vertex leaves the bones: the nearest points of all bones that carry it, by its weights. False:
/// none of the fat's joints carries it.
static bool supBoneFoot( const supFatRegion* region, const supVec3* ends, int32_t vertex, supVec3* out )
{
    const supMat34* rest = supCharacter_Info( region->character )->restJoints;
    const float* weights = region->weights + (size_t)vertex * supMostFatJoints;
    supVec3 p = region->outer.points[vertex], sum = supVec3_zero;
    float total = 0.0f;
    for ( int32_t c = 0; c < region->jointCount; ++c )
    {
        supVec3 a = rest[region->joints[c]].t, ab = supSub( ends[c], a );
        float square = supDot( ab, ab );
        float t = square > 0.0f ? supClampF( supDot( supSub( p, a ), ab ) / square, 0.0f, 1.0f ) : 0.0f;
        sum = supMulAdd( sum, weights[c], supMulAdd( a, t, ab ) );
        total += weights[c];
    }
    *out = total > 0.0f ? supScale( sum, 1.0f / total ) : p;
    return total > 0.0f;
}

/// One look at the neighbours along all edges: keeps the least value (or, smoothing, goes half way to the mean).
static void supSpread( const supFatRegion* region, const float* from, float* to, float* counts, bool smooth )
{
    const int32_t* welds = supCharacter_Info( region->character )->welds;
    size_t count = (size_t)region->outer.pointCount;
    memcpy( to, from, sizeof( float ) * count );
    for ( size_t i = 0; i < count && smooth; ++i )
    {
        to[i] = counts[i] = 0.0f;
    }
    for ( int32_t i = 0; i < 3 * region->outer.triangleCount; ++i )
    {
        int32_t next = i % 3 == 2 ? i - 2 : i + 1;
        int32_t a = welds[region->outer.corners[i]], b = welds[region->outer.corners[next]];
        if ( smooth )
        {
            to[a] += from[b];
            to[b] += from[a];
            counts[a] += 1.0f;
            counts[b] += 1.0f;
        }
        else
        {
            to[a] = supMinF( to[a], from[b] );
            to[b] = supMinF( to[b], from[a] );
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        size_t own = (size_t)welds[i]; // the first of those in this place: done before the others
        bool mean = smooth && own == i;
        float around = mean && counts[i] > 0.0f ? to[i] / counts[i] : from[i];
        to[i] = mean ? 0.5f * ( from[i] + around ) : to[own];
    }
}

static float supMeanEdge( const supFatRegion* region )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < 3 * region->outer.triangleCount; ++i )
    {
        int32_t next = i % 3 == 2 ? i - 2 : i + 1;
        sum += supDistance(
            region->outer.points[region->outer.corners[i]], region->outer.points[region->outer.corners[next]] );
    }
    return region->outer.triangleCount > 0 ? (float)( sum / ( 3.0 * region->outer.triangleCount ) ) : 1.0f;
}

// ---------------------------------------------------------------------------------------------------------------

static int32_t supListTriangles( const supFatRegion* region, const supFatDef* def, int32_t* corners )
{
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount && supMeshCarriesFat( def, &mesh ); i += 3 )
        {
            for ( int32_t k = 0; k < 3 && corners != NULL; ++k )
            {
                corners[3 * count + k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            ++count;
        }
    }
    return count;
}

/// How thick the fat is below the vertices that no ray ends on.
static bool supMeasureBetween( supFatRegion* region )
{
    supTriangleTree* tree = supMakeTriangleTree(
        region->inner.points, NULL, region->inner.corners, region->inner.triangleCount, region->allocator );
    float reach = supCharacter_Info( region->character )->size;
    for ( int32_t v = 0; v < region->outer.pointCount && tree != NULL; ++v )
    {
        if ( region->members[v] > 0.0f )
        {
            supFootPoint foot = supTriangleTree_Closest( tree, region->outer.points[v], reach );
            region->thicknesses[v] = foot.triangle >= 0 ? foot.distance : 0.0f;
        }
    }
    bool done = tree != NULL;
    supDropTriangleTree( tree, region->allocator );
    return done;
}

/// How thick the fat is below each ray's vertex, and the box around all of it.
static bool supMeasureRegion( supFatRegion* region )
{
    region->low = supMakeVec3( 1e30f, 1e30f, 1e30f );
    region->high = supNeg( region->low );
    int32_t rays = region->border != NULL ? region->border->rayCount : 0;
    for ( int32_t i = 0; i < region->inner.pointCount; ++i )
    {
        int32_t vertex = region->innerVertices[i];
        if ( i >= rays && region->boned[vertex] == 0 )
        {
            continue;
        }
        supVec3 p = region->outer.points[vertex], q = region->inner.points[i];
        float thickness = supDistance( p, q );
        region->thicknesses[vertex] = thickness;
        if ( thickness > 0.0f )
        {
            region->low = supMinVec3( region->low, supMinVec3( p, q ) );
            region->high = supMaxVec3( region->high, supMaxVec3( p, q ) );
        }
        if ( thickness > region->thickest )
        {
            region->thickest = thickness;
            region->thickestAt = vertex;
        }
    }
    return region->border == NULL || supMeasureBetween( region );
}

/// How far the bones' shape reaches on the way to each vertex: the least radius around over its own, less `depth` of
/// it. `feet`: where the ways begin. False: no memory.
static bool supFindBoneShares( const supFatRegion* region, float depth, supVec3* feet, float* shares )
{
    size_t count = (size_t)region->outer.pointCount, room = 4 * ( count + 1 ) * sizeof( float );
    supVec3 ends[supMostFatJoints];
    float* radii = supAlloc( region->allocator, room, SUP_MAX_ALIGNMENT );
    if ( radii == NULL )
    {
        return false;
    }
    float *least = radii + count, *other = least + count, *counts = other + count;
    supBoneEnds( region, ends );
    float largest = 0.0f;
    for ( size_t v = 0; v < count; ++v )
    {
        bool carried = supBoneFoot( region, ends, (int32_t)v, feet + v );
        radii[v] = supDistance( feet[v], region->outer.points[v] );
        largest = supMaxF( largest, radii[v] );
        least[v] = carried ? radii[v] : -1.0f;
    }
    for ( size_t v = 0; v < count; ++v )
    {
        // skin that others carry says nothing about how thick these bones' is
        least[v] = least[v] < 0.0f ? largest : least[v];
    }
    float looks = supLookAround * supCharacter_Info( region->character )->size / supMeanEdge( region );
    for ( int32_t i = 0; i < (int32_t)supClampF( looks, 1.0f, (float)supMostLooks ); ++i )
    {
        supSpread( region, least, other, counts, false );
        memcpy( least, other, sizeof( float ) * count );
    }
    for ( int32_t i = 0; i < supSmoothings; ++i )
    {
        supSpread( region, least, other, counts, true );
        memcpy( least, other, sizeof( float ) * count );
    }
    for ( size_t v = 0; v < count; ++v )
    {
        shares[v] = radii[v] > 0.0f ? supMinF( least[v] / radii[v], 1.0f ) * ( 1.0f - depth ) : 1.0f;
    }
    supFree( region->allocator, radii, room );
    return true;
}

/// Adds the bones' shape to the inner border, below all skin that is `boned`.
static bool supShapeBones( supFatRegion* region, const supFatDef* def )
{
    supFatBorder* inner = &region->inner;
    size_t count = (size_t)region->outer.pointCount, room = ( count + 1 ) * sizeof( float );
    supVec3* points = inner->points + inner->pointCount;
    float* shares = supAlloc( region->allocator, room, _Alignof( float ) );
    bool done = shares != NULL && supFindBoneShares( region, def->depth, points, shares );
    for ( size_t v = 0; v < count && done; ++v )
    {
        float below = region->members[v] * ( 1.0f - shares[v] );
        points[v] = supLerp( region->outer.points[v], points[v], below );
        region->innerVertices[(size_t)inner->pointCount + v] = (int32_t)v;
    }
    for ( int32_t t = 0; t < region->outer.triangleCount && done; ++t )
    {
        const int32_t* c = region->outer.corners + 3 * (size_t)t;
        for ( int k = 0; k < 3 && region->boned[c[0]] != 0; ++k )
        {
            inner->corners[3 * inner->triangleCount + k] = inner->pointCount + c[k];
        }
        inner->triangleCount += region->boned[c[0]] != 0;
    }
    inner->pointCount += (int32_t)count;
    supFree( region->allocator, shares, room );
    return done;
}

/// Adds the inner border of a layer before this one, up to the skin where there is no fat.
static void supTakeBorder( supFatRegion* region )
{
    const supInnerBorder* border = region->border;
    for ( int32_t r = 0; r < border->rayCount; ++r )
    {
        float member = region->members[border->vertices[r]], rest = supMinF( border->rest[r], 1.0f );
        float share = 1.0f - member * ( 1.0f - rest );
        if ( border->rest[r] > 1.001f && member > 0.0f )
        {
            float by = ( border->rest[r] - 1.0f ) * supLength( border->way[r] );
            region->outsideAt = by > region->outsideBy ? border->vertices[r] : region->outsideAt;
            region->outsideBy = supMaxF( by, region->outsideBy );
            region->outsideCount += 1;
        }
        region->rayCount += member > 0.0f;
        region->inner.points[r] = supMulAdd( border->from[r], share, border->way[r] );
        region->innerVertices[r] = border->vertices[r];
    }
    region->inner.pointCount = border->rayCount;
    region->inner.triangleCount = border->triangleCount;
    memcpy( region->inner.corners, border->triangles, 3 * sizeof( int32_t ) * (size_t)border->triangleCount );
}

/// More of another layer's border lies outside the skin than inside: where it does most, and whose skin that is.
static supResult supFailOutside( const supFatRegion* region, const char* place, supError* error )
{
    int32_t vertex = region->outsideAt, column = 0;
    const float* weights = region->weights + (size_t)vertex * supMostFatJoints;
    for ( int32_t c = 1; c < region->jointCount; ++c )
    {
        column = weights[c] > weights[column] ? c : column;
    }
    supVec3 p = region->outer.points[vertex];
    return supFail( error, sup_errorData,
        "%s: the muscles' border lies outside the skin at %d of %d places, by %.3g m at vertex %d (%.3g, %.3g, %.3g), of "
        "joint \"%s\": make the muscles there thinner",
        place, region->outsideCount, region->rayCount, (double)region->outsideBy, vertex, (double)p.x, (double)p.y,
        (double)p.z, supCharacter_Joint( region->character, region->joints[column] )->name );
}

/// Whether rays of the other layer's border end on a mesh, or so near to all of it that they speak for it.
static bool supHasRays( const supFatRegion* region, const supMeshView* mesh )
{
    const supInnerBorder* border = region->border;
    int32_t count = border != NULL ? border->rayCount : 0, end = mesh->firstVertex + mesh->vertexCount;
    float reach = supRaysReach * supCharacter_Info( region->character )->size;
    for ( int32_t r = 0; r < count; ++r )
    {
        if ( border->vertices[r] >= mesh->firstVertex && border->vertices[r] < end )
        {
            return true;
        }
    }
    bool near = count > 0;
    for ( int32_t v = mesh->firstVertex; v < end && near; ++v )
    {
        near = false;
        for ( int32_t r = 0; r < count && !near; ++r )
        {
            near = supDistance( region->outer.points[v], region->outer.points[border->vertices[r]] ) < reach;
        }
    }
    return near;
}

/// Marks the skin below which the bones' own shape is the border. Gives whether there is any.
static bool supFindBoned( supFatRegion* region, const supFatDef* def )
{
    bool any = false;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        bool boned = supMeshCarriesFat( def, &mesh ) && !supHasRays( region, &mesh );
        memset( region->boned + mesh.firstVertex, boned, (size_t)mesh.vertexCount );
        any = any || boned;
    }
    return any;
}

/// The écorché, the bones' shape where that has nothing to say, and meshes of the character: all of the inner border.
static supResult supMakeInner( supFatRegion* region, const supFatDef* def, const char* place, supError* error )
{
    size_t rays = region->border != NULL ? (size_t)region->border->rayCount : 0,
           rayTriangles = region->border != NULL ? (size_t)region->border->triangleCount : 0;
    bool boned = supFindBoned( region, def );
    int32_t meshPoints, meshTriangles;
    supCountInnerMeshes( region, def, &meshPoints, &meshTriangles );
    size_t points = rays + ( boned ? (size_t)region->outer.pointCount : 0 ) + (size_t)meshPoints,
           triangles = rayTriangles + (size_t)region->outer.triangleCount + (size_t)meshTriangles;
    region->inner.points = supFatRegion_Array( region, points, sizeof( supVec3 ) );
    region->innerVertices = supFatRegion_Array( region, points, sizeof( int32_t ) );
    region->inner.corners = supFatRegion_Array( region, 3 * triangles, sizeof( int32_t ) );
    region->inner.bodyEnds = supFatRegion_Array( region, 1, sizeof( int32_t ) );
    bool room = region->inner.points != NULL && region->innerVertices != NULL && region->inner.corners != NULL &&
                region->inner.bodyEnds != NULL;
    if ( room && region->border != NULL )
    {
        supTakeBorder( region );
    }
    room = room && ( !boned || supShapeBones( region, def ) );
    if ( !room )
    {
        return supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
    }
    if ( 2 * region->outsideCount > region->rayCount ) // these alone so far, and no mesh's places
    {
        return supFailOutside( region, place, error );
    }
    // the two meet where one ends: one surface
    region->inner.bodyEnds[region->inner.bodyCount++] = region->inner.triangleCount;
    return supMeasureRegion( region ) ? supAddInnerMeshes( region, def, place, error )
                                      : supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
}

/// The bodies of the skin.
static bool supMakeOuter( supFatRegion* region )
{
    supFatPieces pieces;
    bool done = supFindFatPieces( region, &region->outer, NULL, 0, &pieces ) &&
                supSortFatBodies( region, &region->outer, 0, &pieces );
    supDropFatPieces( region, &pieces );
    return done;
}

static bool supAllocRegion( supFatRegion* region, const supFatDef* def )
{
    size_t vertices = (size_t)supCharacter_Info( region->character )->vertexCount;
    region->outer.points = supFatRegion_Array( region, vertices, sizeof( supVec3 ) );
    region->boned = supFatRegion_Array( region, vertices, 1 );
    region->members = supFatRegion_Array( region, vertices, sizeof( float ) );
    region->thicknesses = supFatRegion_Array( region, vertices, sizeof( float ) );
    region->weights = supFatRegion_Array( region, vertices, supMostFatJoints * sizeof( float ) );
    region->outer.triangleCount = supListTriangles( region, def, NULL );
    region->outer.corners = supFatRegion_Array( region, 3 * (size_t)region->outer.triangleCount, sizeof( int32_t ) );
    region->outer.pointCount = (int32_t)vertices;
    return region->sizeCount == 6;
}

/// Skin with fat that no joint of the list carries, nor one above it.
static supResult supCheckCarried( const supFatRegion* region, const char* place, supError* error )
{
    for ( int32_t v = 0; v < region->outer.pointCount; ++v )
    {
        const float* weights = region->weights + (size_t)v * supMostFatJoints;
        float sum = region->members[v] > 0.0f ? 0.0f : 1.0f;
        for ( int32_t c = 0; c < region->jointCount; ++c )
        {
            sum += weights[c];
        }
        if ( !( sum > 0.0f ) )
        {
            return supFail( error, sup_errorLimit,
                "%s.joints: its skin hangs on more than %d joints; name those that carry fat, or make two items", place,
                supMostFatJoints );
        }
    }
    return sup_success;
}

supResult supReadFatRegion( const supLayerContext* context, const supFatDef* def, const supInnerBorder* border,
    const char* place, supFatRegion* region, supError* error )
{
    *region = ( supFatRegion ){
        .character = context->character, .allocator = context->allocator, .border = border, .outsideAt = -1
    };
    size_t joints = (size_t)supCharacter_Info( context->character )->jointCount;
    uint8_t* marks = supAlloc( context->allocator, joints + 1, 1 );
    if ( marks == NULL || !supAllocRegion( region, def ) )
    {
        supFree( context->allocator, marks, joints + 1 );
        return supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
    }
    const float* rest = supCharacter_Info( context->character )->restPositions;
    memcpy( region->outer.points, rest, sizeof( supVec3 ) * (size_t)region->outer.pointCount );
    supResult result = supMarkJoints( context, def, place, marks, error );
    supMat34 frame = supMat34_identity;
    if ( result == sup_success && def->joint != NULL )
    {
        char words[SUP_PATH_TEXT];
        int32_t joint = supFindJointWords( context->character, def->joint );
        result = joint < 0
                     ? supNoJoint( context->character, supPathText( words, "%s.joint", place ), def->joint, error )
                     : sup_success;
        frame = joint >= 0 ? supCharacter_Info( context->character )->restJoints[joint] : frame;
    }
    if ( result == sup_success )
    {
        supListTriangles( region, def, region->outer.corners );
        supFindMembers( region, def, marks, frame );
        supFillWeights( region );
        result = supCheckCarried( region, place, error );
    }
    if ( result == sup_success )
    {
        bool done = ( !def->skipRigid || supLeaveRigidOut( region ) ) && supMakeOuter( region );
        result = done ? supMakeInner( region, def, place, error )
                      : supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
    }
    supFree( context->allocator, marks, joints + 1 );
    return result;
}
