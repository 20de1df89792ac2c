// Inner borders that are meshes of the character: a skull, a rib cage, a machine under the skin.
// SPDX-License-Identifier: MIT
//
// They have to be closed, or nothing could be inside of them. The wall of a hollow in one, wound the other way, is left
// out: there is no fat in a skull.

#include "layers/fat/fat_border.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/triangle_tree.h"

#include <string.h>

/// What may stick out of the skin without being counted. Share of the size
static const float supTouches = 1e-4f;
/// A closed piece of less volume is flat. Share of the cube of its diagonal
static const double supFlatVolume = 1e-9;

static int32_t supFindName( const supNameList* list, const char* name )
{
    int32_t at = 0;
    while ( at < list->count && strcmp( list->names[at], name ) != 0 )
    {
        ++at;
    }
    return at < list->count ? at : -1;
}

bool supIsInnerMesh( const supFatDef* def, const supMeshView* mesh )
{
    return supFindName( &def->inner, mesh->name ) >= 0;
}

void supCountInnerMeshes( const supFatRegion* region, const supFatDef* def, int32_t* points, int32_t* triangles )
{
    *points = *triangles = 0;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        bool inner = supIsInnerMesh( def, &mesh );
        *points += inner ? mesh.vertexCount : 0;
        *triangles += inner ? mesh.indexCount / 3 : 0;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Reading one

/// Adds the triangles of all meshes of a name: a file's mesh of several materials is several here.
static void supAddMeshesNamed( supFatRegion* region, const char* name )
{
    supFatBorder* inner = &region->inner;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        if ( strcmp( mesh.name, name ) != 0 )
        {
            continue;
        }
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                inner->corners[3 * inner->triangleCount + k] = inner->pointCount + (int32_t)mesh.indices[i + k];
            }
            inner->triangleCount += 1;
        }
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            inner->points[inner->pointCount] = region->outer.points[vertex];
            region->innerVertices[inner->pointCount++] = vertex;
        }
    }
}

/// Whether a piece that is inside out is the wall of a hollow: another one lies around it.
static bool supIsHollow( const supFatPieces* pieces, const supFatPiece* piece )
{
    bool around = false;
    for ( int32_t q = 0; q < pieces->count && !around; ++q )
    {
        const supFatPiece* other = pieces->pieces + q;
        around = other->volume > -piece->volume && other->low.x < piece->low.x && other->low.y < piece->low.y &&
                 other->low.z < piece->low.z && other->high.x > piece->high.x && other->high.y > piece->high.y &&
                 other->high.z > piece->high.z;
    }
    return around;
}

/// Whether a closed piece encloses nothing to speak of: a card with two sides.
static bool supIsFlat( const supFatPiece* piece )
{
    double across = (double)supDistance( piece->low, piece->high );
    return supAbs( piece->volume ) <= supFlatVolume * across * across * across;
}

static supResult supCheckPieces( const supFatPieces* pieces, const char* place, const char* name, supError* error )
{
    for ( int32_t p = 0; p < pieces->count; ++p )
    {
        const supFatPiece* piece = pieces->pieces + p;
        supVec3 at = piece->openCount > 0 ? piece->openAt : supLerp( piece->low, piece->high, 0.5f );
        if ( piece->openCount > 0 )
        {
            return supFail( error, sup_errorData,
                "%s: mesh \"%s\" is open: %d edges have a triangle on one side only, one of them at (%.3g, %.3g, %.3g); close it",
                place, name, piece->openCount, (double)at.x, (double)at.y, (double)at.z );
        }
        if ( supIsFlat( piece ) )
        {
            return supFail( error, sup_errorData,
                "%s: mesh \"%s\" is flat around (%.3g, %.3g, %.3g) and encloses nothing there; leave that piece out",
                place, name, (double)at.x, (double)at.y, (double)at.z );
        }
        if ( piece->volume < 0.0 && !supIsHollow( pieces, piece ) )
        {
            return supFail( error, sup_errorData,
                "%s: mesh \"%s\" is inside out around (%.3g, %.3g, %.3g); turn its triangles around", place, name,
                (double)at.x, (double)at.y, (double)at.z );
        }
    }
    return sup_success;
}

/// Leaves the triangles of hollows' walls out.
static void supLeaveHollowsOut( supFatBorder* inner, int32_t first, supFatPieces* pieces )
{
    int32_t kept = first;
    for ( int32_t t = first; t < inner->triangleCount; ++t )
    {
        if ( pieces->pieces[pieces->of[t]].volume > 0.0 )
        {
            memmove( inner->corners + 3 * (size_t)kept, inner->corners + 3 * (size_t)t, 3 * sizeof( int32_t ) );
            pieces->of[kept++] = pieces->of[t];
        }
    }
    inner->triangleCount = kept;
}

static supResult supReadInnerMesh(
    supFatRegion* region, const supFatDef* def, int32_t index, const char* place, supError* error )
{
    const char* name = def->inner.names[index];
    if ( !supHasMeshNamed( region->character, name ) )
    {
        return supNoMesh( region->character, place, name, error );
    }
    if ( supFindName( &def->meshes, name ) >= 0 )
    {
        return supFail( error, sup_errorData, "%s: mesh \"%s\" is also in `meshes`; a mesh is skin or inner, not both",
            place, name );
    }
    if ( supFindName( &def->inner, name ) < index )
    {
        return sup_success; // named twice
    }
    int32_t first = region->inner.triangleCount;
    supAddMeshesNamed( region, name );
    supFatPieces pieces;
    if ( !supFindFatPieces( region, &region->inner, region->innerVertices, first, &pieces ) )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for mesh \"%s\"", place, name );
    }
    supResult result = pieces.count > 0
                           ? supCheckPieces( &pieces, place, name, error )
                           : supFail( error, sup_errorData, "%s: mesh \"%s\" has no triangles", place, name );
    if ( result == sup_success )
    {
        supLeaveHollowsOut( &region->inner, first, &pieces );
    }
    supDropFatPieces( region, &pieces );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Against the skin

/// Bodies of a border that can be asked how far inside of them a place lies.
typedef struct supSides
{
    const supFatRegion* region;
    int32_t* corners; ///< of the border, as vertices of the character; from its triangle `first` on
    int32_t first, count;
    size_t cornersSize;
    supTriangleTree* trees[supMostFatBodies];
    int32_t firsts[supMostFatBodies]; ///< of each tree: its first triangle
} supSides;

static bool supAddSide( supSides* sides, int32_t first, int32_t end )
{
    const supFatRegion* region = sides->region;
    int32_t n = sides->count++;
    sides->firsts[n] = first;
    sides->trees[n] = supMakeTriangleTree( region->outer.points, supCharacter_Info( region->character )->welds,
        sides->corners + 3 * (size_t)( first - sides->first ), end - first, region->allocator );
    return sides->trees[n] != NULL;
}

/// Of the bodies from `body` on. `vertices`: of the border's points; NULL: the same. False: no memory.
static bool supMakeSides(
    const supFatRegion* region, const supFatBorder* border, const int32_t* vertices, int32_t body, supSides* out )
{
    int32_t first = body > 0 ? border->bodyEnds[body - 1] : 0, last = border->bodyEnds[border->bodyCount - 1];
    size_t corners = 3 * (size_t)( last - first );
    *out = ( supSides ){ .region = region, .first = first, .cornersSize = ( corners + 1 ) * sizeof( int32_t ) };
    out->corners = supAlloc( region->allocator, out->cornersSize, _Alignof( int32_t ) );
    bool done = out->corners != NULL;
    for ( size_t i = 0; i < corners && done; ++i )
    {
        int32_t point = border->corners[3 * (size_t)first + i];
        out->corners[i] = vertices != NULL ? vertices[point] : point;
    }
    for ( int32_t b = body; b < border->bodyCount && done; ++b )
    {
        int32_t from = b > 0 ? border->bodyEnds[b - 1] : 0;
        done = from == border->bodyEnds[b] || supAddSide( out, from, border->bodyEnds[b] );
    }
    return done;
}

static void supDropSides( supSides* sides )
{
    const supAllocator* allocator = sides->region != NULL ? sides->region->allocator : NULL;
    for ( int32_t n = 0; n < sides->count; ++n )
    {
        supDropTriangleTree( sides->trees[n], allocator );
    }
    supFree( allocator, sides->corners, sides->cornersSize );
}

/// How far inside their union a place lies; below zero: outside. `corners`: of the nearest triangle, or NULL.
static float supInside( const supSides* sides, supVec3 p, const int32_t** corners )
{
    float reach = supCharacter_Info( sides->region->character )->size, inside = -reach;
    for ( int32_t n = 0; n < sides->count; ++n )
    {
        const supTriangleTree* tree = sides->trees[n];
        supTreeSide side = supTriangleTree_Side( tree, tree->points, tree->boxes, p, reach, -1 );
        if ( side.triangle >= 0 && -side.distance > inside )
        {
            inside = -side.distance;
            *corners = tree->corners + 3 * (size_t)side.triangle;
        }
    }
    return inside;
}

/// Counts the places of one mesh that lie outside the skin, where that carries fat. More than half of them: an error.
static supResult supCheckOutside(
    supFatRegion* region, const supSides* skin, const char* name, const char* place, supError* error )
{
    int32_t counted = 0, outside = 0, at = -1;
    float by = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( region->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( region->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && strcmp( mesh.name, name ) == 0; ++v )
        {
            const int32_t* near = NULL;
            float out = -supInside( skin, region->outer.points[mesh.firstVertex + v], &near );
            float member = near != NULL ? supMaxF( region->members[near[0]],
                                              supMaxF( region->members[near[1]], region->members[near[2]] ) )
                                        : 0.0f;
            bool sticksOut = member > 0.0f && out > supTouches * supCharacter_Info( region->character )->size;
            counted += member > 0.0f;
            outside += sticksOut;
            at = sticksOut && out > by ? near[0] : at;
            by = sticksOut ? supMaxF( by, out ) : by;
        }
    }
    region->outsideCount += outside;
    region->outsideAt = by > region->outsideBy ? at : region->outsideAt;
    region->outsideBy = supMaxF( by, region->outsideBy );
    supVec3 p = at >= 0 ? region->outer.points[at] : supVec3_zero;
    return 2 * outside > counted
               ? supFail( error, sup_errorData,
                     "%s: mesh \"%s\" lies outside the skin at %d of %d places, by %.3g m at vertex %d (%.3g, %.3g, "
                     "%.3g): make it smaller",
                     place, name, outside, counted, (double)by, at, (double)p.x, (double)p.y, (double)p.z )
               : sup_success;
}

/// The skin is no farther from the inner border than from these meshes.
static void supTakeThicknessOff( supFatRegion* region, const supSides* inner )
{
    region->thickest = 0.0f;
    for ( int32_t v = 0; v < region->outer.pointCount; ++v )
    {
        const int32_t* near = NULL;
        float above =
            region->thicknesses[v] > 0.0f ? supMaxF( -supInside( inner, region->outer.points[v], &near ), 0.0f ) : 0.0f;
        region->thicknesses[v] = supMinF( region->thicknesses[v], above );
        if ( region->thicknesses[v] > region->thickest )
        {
            region->thickest = region->thicknesses[v];
            region->thickestAt = v;
        }
    }
}

static supResult supCompareBorders( supFatRegion* region, const supFatDef* def, const char* place, supError* error )
{
    char words[SUP_PATH_TEXT];
    supSides skin = { 0 }, inner = { 0 };
    supResult result = supMakeSides( region, &region->outer, NULL, 0, &skin ) &&
                               supMakeSides( region, &region->inner, region->innerVertices, 1, &inner )
                           ? sup_success
                           : supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
    for ( int32_t i = 0; i < def->inner.count && result == sup_success; ++i )
    {
        bool again = supFindName( &def->inner, def->inner.names[i] ) < i;
        supPathText( words, "%s.inner[%d]", place, i );
        result = again ? sup_success : supCheckOutside( region, &skin, def->inner.names[i], words, error );
    }
    if ( result == sup_success )
    {
        supTakeThicknessOff( region, &inner );
    }
    supDropSides( &skin );
    supDropSides( &inner );
    return result;
}

supResult supAddInnerMeshes( supFatRegion* region, const supFatDef* def, const char* place, supError* error )
{
    char words[SUP_PATH_TEXT];
    int32_t first = region->inner.triangleCount;
    region->firstMeshPoint = region->inner.pointCount;
    supResult result = sup_success;
    for ( int32_t i = 0; i < def->inner.count && result == sup_success; ++i )
    {
        result = supReadInnerMesh( region, def, i, supPathText( words, "%s.inner[%d]", place, i ), error );
    }
    if ( result != sup_success || def->inner.count == 0 )
    {
        return result;
    }
    supFatPieces pieces;
    bool sorted = supFindFatPieces( region, &region->inner, region->innerVertices, first, &pieces ) &&
                  supSortFatBodies( region, &region->inner, first, &pieces );
    supDropFatPieces( region, &pieces );
    return sorted ? supCompareBorders( region, def, place, error )
                  : supFail( error, sup_errorMemory, "no memory for the borders of %s", place );
}
