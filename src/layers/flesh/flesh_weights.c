// The weights of the second skinning.
// SPDX-License-Identifier: MIT
//
// Section 5 of the paper: alpha2 = shape * attenuation / max( shape * attenuation ). That is continuous along the bone
// only; around it, and where one joint's skin passes into the next, a factor that falls smoothly to 0 at the border is
// multiplied in first. Skin weights are such a factor, made by the artist.
#include "flesh_weights.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/scalar_math.h"
#include "character/character_data.h"
#include "layers/flesh/flesh_weights.h"
#include "layers/layer.h"
#include "layers/triangle_tree.h"

#include <string.h>

/// 1 at t = 0, 0 from t = 1 on, level at both.
static float supFallOff( float t )
{
    return t >= 1.0f ? 0.0f : supAttenuate( sup_attenuationWyvill, ( supKeyList ){ 0 }, ( supKeyList ){ 0 }, t );
}

static bool supIsListed( supNameList list, const char* name )
{
    for ( int32_t i = 0; i < list.count; ++i )
    {
        if ( strcmp( list.names[i], name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static void supSkinFactors(
    const supCharacter* character, const supMeshView* mesh, const uint8_t* members, float* factors )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh->firstPalette;
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        float sum = 0.0f;
        for ( int32_t i = 0; i < mesh->influenceCount; ++i )
        {
            int32_t at = v * mesh->influenceCount + i;
            sum += members[joints[mesh->jointIndices[at]]] != 0 ? mesh->weights[at] : 0.0f;
        }
        factors[v] = supClampF( sum, 0.0f, 1.0f );
    }
}

/// How much of a vertex belongs to the side of the bone that is wanted.
static float supSideFactor( const supElementDef* def, const supFleshElement* element, supVec3 position )
{
    supVec3 axis = element->localFrame.y;
    supVec3 across = supSub( position, supNearestOnBone( element, position ) );
    supVec3 side = supSub( def->facing, supScale( axis, supDot( def->facing, axis ) ) );
    across = supSub( across, supScale( axis, supDot( across, axis ) ) );
    float lengths = supLength( across ) * supLength( side );
    if ( !( lengths > 0.0f ) )
    {
        return 0.0f; // on the bone, where the shape is 0 anyway
    }
    float angle = supAcosF( supDot( across, side ) / lengths );
    return supFallOff( angle / def->spread );
}

/// The union of soft balls: 1 - prod (1 - ball), smooth where they meet.
static float supSphereFactor(
    const supCharacter* character, const supElementDef* def, const supFleshElement* element, supVec3 position )
{
    float size = supCharacter_Info( character )->size;
    supMat34 rest = supCharacter_Info( character )->restJoints[element->driver];
    supQuat turn = supNearestRotation( rest );
    float outside = 1.0f;
    for ( int32_t i = 0; i < def->spheres.count; ++i )
    {
        const supSphere* sphere = def->spheres.spheres + i;
        supVec3 center = supAdd( rest.t, supRotate( turn, supScale( sphere->center, size ) ) );
        outside *= 1.0f - supFallOff( supDistance( position, center ) / ( sphere->radius * size ) );
    }
    return 1.0f - outside;
}

/// Multiplies paint into the factors.
static supResult supPaintFactors(
    const supCharacter* character, const supElementDef* def, int32_t index, float* factors, supError* error )
{
    if ( def->paint.count == 0 )
    {
        return sup_success;
    }
    if ( def->paint.fingerprint != supCharacter_Info( character )->fingerprint )
    {
        return supFail( error, sup_errorData,
            "elements[%d].paint: painted on another mesh (fingerprint 0x%016llx, this one has 0x%016llx): paint it again, or drop it",
            index, (unsigned long long)def->paint.fingerprint,
            (unsigned long long)supCharacter_Info( character )->fingerprint );
    }
    // a vertex's value is kept as a negative factor until all paints are in: what stays positive was not painted
    for ( int32_t p = 0; p < def->paint.count; ++p )
    {
        const supVertexValues* paint = def->paint.meshes + p;
        int32_t at = supFindMeshNamed( character, paint->mesh, paint->meshIndex );
        if ( at < 0 )
        {
            return supFail( error, sup_errorNotFound,
                "elements[%d].paint[%d].mesh: no mesh \"%s\" (number %d of that name)", index, p, paint->mesh,
                paint->meshIndex );
        }
        supMeshView mesh = supCharacter_Mesh( character, at );
        for ( int32_t i = 0; i < paint->count; ++i )
        {
            int32_t v = paint->vertices[i];
            if ( v < 0 || v >= mesh.vertexCount )
            {
                return supFail( error, sup_errorData,
                    "elements[%d].paint[%d].vertices[%d]: vertex %d, mesh \"%s\" has %d", index, p, i, v, mesh.name,
                    mesh.vertexCount );
            }
            float* factor = factors + mesh.firstVertex + v;
            *factor = *factor > 0.0f ? -*factor * paint->values[i] : *factor;
        }
    }
    for ( int32_t v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        factors[v] = factors[v] < 0.0f ? -factors[v] : 0.0f;
    }
    return sup_success;
}

static bool supIsLeftOut( const supElementDef* def, const supMeshView* mesh )
{
    return supIsListed( def->skipMeshes, mesh->name ) || supIsListed( def->skipMaterials, mesh->material );
}

/// What stands in one place with something that is left out stays there with it: else a boot would part from the plate
/// that it goes on in.
static void supHoldSeams( const supCharacter* character, const supElementDef* def, float* factors )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    bool any = false;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool leftOut = mesh.skin >= 0 && supIsLeftOut( def, &mesh );
        any = any || leftOut;
        for ( int32_t v = mesh.firstVertex; leftOut && v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            factors[welds[v]] = -1.0f; // a mark, until all have seen it
        }
    }
    // backwards: the first that stands in a place bears its mark
    for ( int32_t v = supCharacter_Info( character )->vertexCount - 1; any && v >= 0; --v )
    {
        factors[v] = factors[welds[v]] < 0.0f ? 0.0f : factors[v];
    }
}

supResult supMakeFactors( const supCharacter* character, const supElementDef* def, int32_t index,
    const supFleshElement* element, const uint8_t* members, float* factors, supError* error )
{
    const float* rest = supCharacter_Info( character )->restPositions;
    memset( factors, 0, sizeof( float ) * (size_t)supCharacter_Info( character )->vertexCount );
    bool sided = supLengthSquared( def->facing ) > 0.0f && def->spread > 0.0f;

    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        if ( mesh.skin < 0 || supIsLeftOut( def, &mesh ) )
        {
            continue;
        }
        float* own = factors + mesh.firstVertex;
        supSkinFactors( character, &mesh, members, own );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            const float* p = rest + 3 * ( (size_t)mesh.firstVertex + (size_t)v );
            supVec3 position = { p[0], p[1], p[2] };
            if ( own[v] > 0.0f && sided )
            {
                own[v] *= supSideFactor( def, element, position );
            }
            if ( own[v] > 0.0f && def->spheres.count > 0 )
            {
                own[v] *= supSphereFactor( character, def, element, position );
            }
        }
    }
    supHoldSeams( character, def, factors );
    return supPaintFactors( character, def, index, factors, error );
}

void supShareFactors( float* factors, int32_t elementCount, int32_t vertexCount )
{
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        float sum = 0.0f;
        for ( int32_t e = 0; e < elementCount; ++e )
        {
            sum += factors[(size_t)e * (size_t)vertexCount + (size_t)v];
        }
        for ( int32_t e = 0; e < elementCount && sum > 1.0f; ++e )
        {
            factors[(size_t)e * (size_t)vertexCount + (size_t)v] /= sum;
        }
    }
}

float supReach( const supElementDef* def, const supFleshElement* element, float size, supVec3 position )
{
    float along, distance;
    supMeasureFromBone( element, position, &along, &distance );
    float shape = supMaxF( distance - def->boneThickness * size, 0.0f );
    supAttenuation kind = (supAttenuation)def->attenuation;
    return shape * supAttenuate( kind, def->attenuationKeys, def->attenuationSlopes, along );
}

// ---------------------------------------------------------------------------------------------------------------
// What follows from the weights

static supVec3 supCorner( const float* positions, uint32_t vertex )
{
    const float* p = positions + 3 * (size_t)vertex;
    return ( supVec3 ){ p[0], p[1], p[2] };
}

/// Where the vertices that stand in one place are summed up: seams split vertices that are one; those of another mesh,
/// in a space of its own, are kept apart.
static int32_t supWeldOf( const int32_t* welds, const supMeshView* mesh, int32_t vertex )
{
    return welds[vertex] >= mesh->firstVertex ? welds[vertex] : vertex;
}

static supVec3 supTwiceArea( const supVec3 p[3] )
{
    return supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) );
}

/// Twice the area times the gradient of the function that is linear on the triangle: sum_i w_i (n x e_i), e_i the edge
/// opposite corner i.
static supVec3 supTriangleGradient( const supVec3 p[3], const float w[3] )
{
    supVec3 normal = supNormalize( supTwiceArea( p ) );
    supVec3 sum = supVec3_zero;
    for ( int i = 0; i < 3; ++i )
    {
        supVec3 edge = supSub( p[( i + 2 ) % 3], p[( i + 1 ) % 3] );
        sum = supMulAdd( sum, w[i], supCross( normal, edge ) );
    }
    return sum;
}

void supAreasAround( const supCharacter* character, float* areas )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    memset( areas, 0, sizeof( float ) * (size_t)supCharacter_Info( character )->vertexCount );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supVec3 p[3];
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supCorner( mesh.positions, mesh.indices[i + k] );
            }
            float twiceArea = supLength( supTwiceArea( p ) );
            for ( int k = 0; k < 3; ++k )
            {
                areas[supWeldOf( welds, &mesh, mesh.firstVertex + (int32_t)mesh.indices[i + k] )] += twiceArea;
            }
        }
    }
}

void supWeightGradients( const supCharacter* character, const float* weights, const float* areas, supVec3* gradients )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supVec3 p[3];
            float w[3];
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supCorner( mesh.positions, mesh.indices[i + k] );
                w[k] = weights[mesh.firstVertex + (int32_t)mesh.indices[i + k]];
            }
            if ( w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f )
            {
                continue; // most of them: an element is a small part of a body
            }
            supVec3 gradient = supTriangleGradient( p, w );
            for ( int k = 0; k < 3; ++k )
            {
                int32_t weld = supWeldOf( welds, &mesh, mesh.firstVertex + (int32_t)mesh.indices[i + k] );
                gradients[weld] = supAdd( gradients[weld], gradient );
            }
        }
        // backwards: a weld is the first of its vertices, and is divided last
        for ( int32_t k = mesh.vertexCount - 1; k >= 0; --k )
        {
            int32_t v = mesh.firstVertex + k, weld = supWeldOf( welds, &mesh, v );
            gradients[v] = areas[weld] > 0.0f ? supScale( gradients[weld], 1.0f / areas[weld] ) : supVec3_zero;
        }
    }
}

float supLargestEdgeJump( const supCharacter* character, const float* weights )
{
    float largest = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const float* own = weights + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                float jump = own[mesh.indices[i + k]] - own[mesh.indices[i + ( k + 1 ) % 3]];
                largest = supMaxF( largest, supAbsF( jump ) );
            }
        }
    }
    return largest;
}

// The field r/2, r the vector across from the bone's line, has divergence 1 and does not pass through planes across the
// bone. So the volume between a piece of skin and the bone is its flux through that piece: on a triangle, that at the
// middle times the area. Signed: what faces the bone takes away what the skin behind it adds. Without a core of radius
// b the field is ( r - b^2 / r ) / 2 outside of it and 0 within: it does not pass through the core's own surface.
float supFleshVolume( const supCharacter* character, const supFleshElement* element, const float* factors, float core )
{
    const float* rest = supCharacter_Info( character )->restPositions;
    double sum = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const float* own = factors + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            const uint32_t* corner = mesh.indices + i;
            float factor = ( own[corner[0]] + own[corner[1]] + own[corner[2]] ) / 3.0f;
            if ( !( factor > 0.0f ) )
            {
                continue;
            }
            supVec3 p[3], middle = supVec3_zero;
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supCorner( rest, (uint32_t)mesh.firstVertex + corner[k] );
                middle = supMulAdd( middle, 1.0f / 3.0f, p[k] );
            }
            float along, distance;
            supMeasureFromBone( element, middle, &along, &distance );
            if ( along > -1.0f && along < 1.0f )
            {
                supVec3 across = supSub( middle, supNearestOnBone( element, middle ) );
                supVec3 twiceArea = supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) );
                float squared = supLengthSquared( across );
                float outside = squared > core * core ? 1.0f - core * core / squared : 0.0f;
                sum += (double)( factor * ( core > 0.0f ? outside : 1.0f ) * supDot( across, twiceArea ) );
            }
        }
    }
    return (float)supAbs( sum / 4.0 ); // half of r, half of twice the area
}

// ---------------------------------------------------------------------------------------------------------------
// How an element's weight falls along its bone: section 5.2 of the paper, Wyvill's polynomial, or the artist's curve.

/// A key of the artist's curve, with the two ends that the curve always has.
static void supHermiteKey( supKeyList keys, int32_t index, float* y, float* value )
{
    if ( index < 0 || index >= keys.count )
    {
        *y = index < 0 ? -1.0f : 1.0f;
        *value = 0.0f;
        return;
    }
    *y = keys.pairs[2 * index];
    *value = keys.pairs[2 * index + 1];
}

/// Slope at a key: the artist's own, or from neighbour to neighbour; level at both ends of the bone so that the skin
/// leaves it smoothly.
static float supHermiteSlope( supKeyList keys, supKeyList slopes, int32_t index )
{
    if ( index < 0 || index >= keys.count )
    {
        return 0.0f;
    }
    for ( int32_t i = 0; i < slopes.count; ++i )
    {
        if ( slopes.pairs[2 * i] == keys.pairs[2 * index] )
        {
            return slopes.pairs[2 * i + 1];
        }
    }
    float y0, v0, y1, v1;
    supHermiteKey( keys, index - 1, &y0, &v0 );
    supHermiteKey( keys, index + 1, &y1, &v1 );
    return y1 > y0 ? ( v1 - v0 ) / ( y1 - y0 ) : 0.0f;
}

static float supHermite( supKeyList keys, supKeyList slopes, float y )
{
    int32_t index = 0;
    while ( index < keys.count && keys.pairs[2 * index] <= y )
    {
        ++index;
    }
    float y0, v0, y1, v1;
    supHermiteKey( keys, index - 1, &y0, &v0 );
    supHermiteKey( keys, index, &y1, &v1 );
    float width = y1 - y0;
    if ( !( width > 0.0f ) )
    {
        return v1;
    }
    float t = ( y - y0 ) / width;
    float m0 = supHermiteSlope( keys, slopes, index - 1 ) * width;
    float m1 = supHermiteSlope( keys, slopes, index ) * width;
    float t2 = t * t, t3 = t2 * t;
    return ( 2 * t3 - 3 * t2 + 1 ) * v0 + ( t3 - 2 * t2 + t ) * m0 + ( 3 * t2 - 2 * t3 ) * v1 + ( t3 - t2 ) * m1;
}

float supAttenuate( supAttenuation kind, supKeyList keys, supKeyList slopes, float y )
{
    if ( !( y > -1.0f && y < 1.0f ) )
    {
        return 0.0f;
    }
    float y2 = y * y;
    float value = 0.0f;
    switch ( kind )
    {
        case sup_attenuationParabola:
            value = 1.0f - y2;
            break;
        case sup_attenuationWyvill:
            value = 1.0f + y2 * ( -22.0f + y2 * ( 17.0f - 4.0f * y2 ) ) / 9.0f;
            break;
        case sup_attenuationHermite:
            value = supHermite( keys, slopes, y );
            break;
    }
    return supClampF( value, 0.0f, 1.0f );
}

// ---------------------------------------------------------------------------------------------------------------
// Rigid pieces beside flesh: they carry none, and hold the flesh that they sit on.
//
// A belt, a horn or an eye stays where its joint has it. Flesh that swung freely right beside it would slide under it,
// so skin that is near to a rigid piece moves less, and where it touches not at all. How far that reaches grows with
// the depth of the flesh: what holds the surface of a deep layer is felt farther away than on a thin one.

/// What touches a piece keeps this share, so that an element which is held all over is thin, and not an error.
static const float supLeastHeld = 1e-3f;

static bool supIsRigidTriangle( const int32_t* pieces, const int32_t corners[3] )
{
    return pieces[corners[0]] >= 0 && pieces[corners[1]] >= 0 && pieces[corners[2]] >= 0;
}

/// Lists the triangles of all rigid pieces, or only counts them where `out` is NULL.
static int32_t supListRigidTriangles( const supCharacter* character, const int32_t* pieces, int32_t* out )
{
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            int32_t corners[3];
            for ( int k = 0; k < 3; ++k )
            {
                corners[k] = mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            if ( supIsRigidTriangle( pieces, corners ) )
            {
                for ( int k = 0; k < 3 && out != NULL; ++k )
                {
                    out[3 * count + k] = corners[k];
                }
                ++count;
            }
        }
    }
    return count;
}

bool supFindRigidSkin( const supCharacter* character, const supAllocator* allocator, bool near, supRigidSkin* skin )
{
    if ( !supFindRigidPieces( character, allocator, skin->pieces ) )
    {
        return false;
    }
    int32_t count = near ? supListRigidTriangles( character, skin->pieces, NULL ) : 0;
    if ( count == 0 )
    {
        return true;
    }
    skin->cornersSize = 3 * (size_t)count * sizeof( int32_t );
    skin->corners = supAlloc( allocator, skin->cornersSize, _Alignof( int32_t ) );
    if ( skin->corners == NULL )
    {
        return false;
    }
    supListRigidTriangles( character, skin->pieces, skin->corners );
    const supVec3* points = (const supVec3*)supCharacter_Info( character )->restPositions;
    skin->tree = supMakeTriangleTree( points, NULL, skin->corners, count, allocator );
    return skin->tree != NULL;
}

void supFreeRigidSkin( supRigidSkin* skin, const supAllocator* allocator )
{
    supDropTriangleTree( skin->tree, allocator );
    if ( skin->corners != NULL )
    {
        supFree( allocator, skin->corners, skin->cornersSize );
    }
}

float supHeldByRigid( const supRigidSkin* skin, supVec3 place, float reach )
{
    if ( skin->tree == NULL || !( reach > 0.0f ) )
    {
        return 1.0f;
    }
    supFootPoint foot = supTriangleTree_Closest( skin->tree, place, reach );
    if ( foot.triangle < 0 )
    {
        return 1.0f;
    }
    float t = supClampF( foot.distance / reach, 0.0f, 1.0f );
    return supMaxF( t * t * ( 3.0f - 2.0f * t ), supLeastHeld );
}
