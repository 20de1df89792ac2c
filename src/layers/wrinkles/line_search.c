// A control line where the surface shortens most over the clips.
// SPDX-License-Identifier: MIT
//
// It begins in the middle of what shortens most, and follows the direction of shortening over the surface to both
// sides: first as far as a whole line's length, as long as the surface loses a third as much there; then the piece of
// it is kept that loses most.

#include "layers/wrinkles/wrinkles.h"

#include "base/fields.h"
#include "base/math.h"

typedef struct supSearch
{
    const supCharacter* character;
    const supLineSkin* skin;
    const supVec3* rest;
    supShrinkField field;
    float length, best; ///< metres; the most that is lost anywhere
    // the way over the surface: supSearchSteps before the start, the start, and as many after it
    supVec3 places[2 * supSearchSteps + 1];
    float scores[2 * supSearchSteps + 1];
} supSearch;

/// The share of a vertex's weight that hangs on a joint.
static float supWeightOn( const supCharacter* character, int32_t vertex, int32_t joint )
{
    int32_t m = 0;
    supMeshView mesh = supCharacter_Mesh( character, m );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( character, ++m );
    }
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh.influenceCount; ++i )
    {
        size_t at = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount + (size_t)i;
        sum += paletteJoints[mesh.firstPalette + mesh.jointIndices[at]] == joint ? mesh.weights[at] : 0.0f;
    }
    return sum;
}

static supLinePoint supTriangleMiddle( const supLineSkin* skin, int32_t triangle )
{
    const int32_t* c = skin->corners + 3 * (size_t)triangle;
    return ( supLinePoint ){ { c[0], c[1], c[2] }, { 1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f } };
}

/// The triangle that loses most, or -1 where none loses 2%: less is nothing to see.
static int32_t supFindWorst( supSearch* search, int32_t joint )
{
    int32_t found = -1;
    search->best = 0.02f;
    for ( int32_t t = 0; t < search->skin->triangleCount; ++t )
    {
        supVec3 along;
        supLinePoint middle = supTriangleMiddle( search->skin, t );
        float score = supShrinkField_At( &search->field, &middle, &along );
        if ( score > search->best &&
             ( joint < 0 || supWeightOn( search->character, middle.corners[0], joint ) >= 0.25f ) )
        {
            search->best = score;
            found = t;
        }
    }
    return found;
}

/// The point of the surface that is closest to a place.
static bool supPutOnSurface( const supSearch* search, supVec3 place, float reach, supLinePoint* out )
{
    supFootPoint foot = supTriangleTree_Closest( search->skin->tree, place, reach );
    if ( foot.triangle >= 0 )
    {
        *out = supTriangleMiddle( search->skin, foot.triangle );
        for ( int k = 0; k < 3; ++k )
        {
            out->shares[k] = foot.shares[k];
        }
    }
    return foot.triangle >= 0;
}

/// The middle of all that loses about as much as the worst triangle, in the same direction.
static supLinePoint supFindStart( const supSearch* search, int32_t worst )
{
    supVec3 along, sum = supVec3_zero;
    supLinePoint start = supTriangleMiddle( search->skin, worst ), middle;
    supVec3 from = supLinePlace( &start, search->rest );
    supShrinkField_At( &search->field, &start, &along );
    float count = 0.0f;
    for ( int32_t t = 0; t < search->skin->triangleCount; ++t )
    {
        supVec3 other;
        middle = supTriangleMiddle( search->skin, t );
        supVec3 place = supLinePlace( &middle, search->rest );
        bool near = supDistance( place, from ) <= search->length;
        if ( near && supShrinkField_At( &search->field, &middle, &other ) >= 0.95f * search->best &&
             supAbsF( supDot( along, other ) ) > 0.8f )
        {
            sum = supAdd( sum, place );
            count += 1.0f;
        }
    }
    bool good = supPutOnSurface( search, supScale( sum, 1.0f / supMaxF( count, 1.0f ) ), search->length, &middle ) &&
                supShrinkField_At( &search->field, &middle, &along ) >= 0.8f * search->best;
    return good ? middle : start;
}

/// Along the surface from the start to one side. Gives how many steps.
static int32_t supFollow( supSearch* search, supLinePoint at, int side )
{
    float step = search->length / (float)supSearchSteps;
    supVec3 place = supLinePlace( &at, search->rest ), way = supVec3_zero;
    int32_t done = 0;
    for ( ; done < supSearchSteps; ++done )
    {
        supVec3 along;
        supShrinkField_At( &search->field, &at, &along );
        const int32_t* c = at.corners;
        supVec3 normal = supFaceNormal( search->rest[c[0]], search->rest[c[1]], search->rest[c[2]] );
        along = supNormalize( supMulAdd( along, -supDot( along, normal ), normal ) );
        float sign = done == 0 ? (float)side : supDot( along, way ) < 0.0f ? -1.0f : 1.0f;
        along = supScale( along, sign );
        if ( done > 0 && supDot( along, way ) < 0.5f )
        {
            break; // it turns by more than 60 degrees: another place's shortening
        }
        way = along;
        supLinePoint next;
        bool there = supPutOnSurface( search, supMulAdd( place, step, way ), step, &next );
        supVec3 after = there ? supLinePlace( &next, search->rest ) : place;
        float score = there ? supShrinkField_At( &search->field, &next, &along ) : 0.0f;
        if ( score < search->best / 3.0f || supDistance( after, place ) < 0.3f * step )
        {
            break;
        }
        at = next;
        place = after;
        search->places[supSearchSteps + side * ( done + 1 )] = place;
        search->scores[supSearchSteps + side * ( done + 1 )] = score;
    }
    return done;
}

/// The piece of a line's length that loses most. Gives its first point; all of it where that is shorter.
static int32_t supBestPiece( const supSearch* search, int32_t first, int32_t last )
{
    int32_t best = first;
    float most = 0.0f;
    for ( int32_t from = first; from + supSearchSteps <= last; ++from )
    {
        float sum = 0.0f;
        for ( int32_t i = from; i <= from + supSearchSteps; ++i )
        {
            sum += search->scores[i];
        }
        best = sum > most ? from : best;
        most = supMaxF( most, sum );
    }
    return best;
}

supResult supSearchLine( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t joint,
    const supLineSkin* skin, supVec3* points, int32_t* count, supError* error )
{
    float size = supCharacter_Info( context->character )->size;
    supSearch search = { .character = context->character,
        .skin = skin,
        .rest = (const supVec3*)supCharacter_Info( context->character )->restPositions,
        .length = def->length * size };
    *count = 0;
    bool fits = supMakeShrinkField( context, skin, 0.5f * def->width * size, &search.field );
    int32_t worst = fits ? supFindWorst( &search, joint ) : -1;
    if ( worst >= 0 )
    {
        supLinePoint start = supFindStart( &search, worst );
        supVec3 along;
        search.places[supSearchSteps] = supLinePlace( &start, search.rest );
        search.scores[supSearchSteps] = supShrinkField_At( &search.field, &start, &along );
        int32_t first = supSearchSteps - supFollow( &search, start, -1 );
        int32_t last = supSearchSteps + supFollow( &search, start, 1 );
        first = supBestPiece( &search, first, last );
        for ( int32_t i = first; i <= last && i <= first + supSearchSteps; ++i )
        {
            points[( *count )++] = search.places[i];
        }
    }
    supDropShrinkField( &search.field, context->allocator );
    return fits ? sup_success : supFail( error, sup_errorMemory, "wrinkles[%d]: no memory to look at the clips", item );
}
