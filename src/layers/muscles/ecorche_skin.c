// The skin over the écorché.
// SPDX-License-Identifier: MIT
//
// A vertex of the skin follows the rays around it: its displacement is the weighted mean of theirs,
//
//     u = sum of w ( t - t at rest ) way,
//
// the anatomical skin less the same binding carried by smooth skinning: ray and way are carried by the skin's own
// weights, so at rest, and wherever the surface keeps its share of the way, there is nothing to add. Weights fall
// smoothly with the distance on the skin, over as wide a circle as the flesh above the écorché is thick, so that deep
// muscles show as soft forms and shallow ones as sharp ones.

#include "base/math.h"
#include "base/ranked.h"
#include "layers/muscles/ecorche_compile.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Binding

/// A ray that a vertex may follow.
typedef struct supBond
{
    int32_t ray;
    float weight;
} supBond;

typedef struct supBinding
{
    const supEcorcheSkin* skin;
    const supEcorche* ecorche;
    const supRanked* places; ///< along y
    float* reaches;          ///< of each ray. Metres
    float farthest;
} supBinding;

/// Mean way between a ray and its neighbours in the mesh.
static void supMeasureSpacing( const supEcorcheSkin* skin, const supEcorche* ecorche, float* sums, int32_t* counts )
{
    for ( int32_t t = 0; t < ecorche->triangleCount; ++t )
    {
        for ( int k = 0; k < 3; ++k )
        {
            int32_t a = ecorche->triangles[3 * t + k], b = ecorche->triangles[3 * t + ( k + 1 ) % 3];
            float way = supDistance( skin->rest[ecorche->vertices[a]], skin->rest[ecorche->vertices[b]] );
            sums[a] += way, sums[b] += way;
            counts[a] += 1, counts[b] += 1;
        }
    }
    for ( int32_t r = 0; r < ecorche->rayCount; ++r )
    {
        sums[r] = counts[r] > 0 ? sums[r] / (float)counts[r] : 0.0f;
    }
}

static void supInsertBond( supBond* bonds, int32_t* count, supBond bond )
{
    int32_t most = sup_ecorcheBonds + 1, at = *count < most ? ( *count )++ : most - 1;
    if ( at == most - 1 && *count == most && bonds[at].weight >= bond.weight && bonds[at].ray >= 0 )
    {
        return;
    }
    for ( ; at > 0 && bonds[at - 1].weight < bond.weight; --at )
    {
        bonds[at] = bonds[at - 1];
    }
    bonds[at] = bond;
}

/// The rays around a vertex by falling weight: one more than are kept, so that what is left out fades before it goes.
static int32_t supFindBonds( const supBinding* binding, int32_t vertex, supBond bonds[sup_ecorcheBonds + 1] )
{
    const supEcorche* ecorche = binding->ecorche;
    const supEcorcheSkin* skin = binding->skin;
    supVec3 p = skin->rest[vertex], n = supNormalize( skin->normals[vertex] );
    int32_t low = 0, high = ecorche->rayCount, count = 0;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = binding->places[middle].key < p.y - binding->farthest;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for ( int32_t i = 0; i <= sup_ecorcheBonds; ++i )
    {
        bonds[i] = ( supBond ){ -1, 0.0f };
    }
    for ( ; low < ecorche->rayCount && binding->places[low].key <= p.y + binding->farthest; ++low )
    {
        int32_t r = binding->places[low].item, v = ecorche->vertices[r];
        float x = supDistance( p, skin->rest[v] ) / binding->reaches[r];
        float facing = supDot( n, supNormalize( skin->normals[v] ) );
        float fall = 1.0f - x * x;
        if ( x < 1.0f && facing > 0.0f )
        {
            supInsertBond( bonds, &count, ( supBond ){ r, facing * fall * fall * fall } );
        }
    }
    return count;
}

static bool supKeepBonds( const supBinding* binding, int32_t vertex, supBond* bonds, int32_t count, supArray* vertices,
    supArray* firsts, supArray* rays, supArray* weights )
{
    float least = count > sup_ecorcheBonds ? bonds[sup_ecorcheBonds].weight : 0.0f, sum = 0.0f;
    count = count > sup_ecorcheBonds ? sup_ecorcheBonds : count;
    bool moves = false;
    for ( int32_t i = 0; i < count; ++i )
    {
        bonds[i].weight -= least;
        sum += bonds[i].weight;
        moves = moves || binding->ecorche->fades[bonds[i].ray] > 0.0f;
    }
    if ( !moves || !( sum > 0.0f ) )
    {
        return true;
    }
    int32_t *v = supArray_Add( vertices, 1 ), *first = supArray_Add( firsts, 1 );
    if ( v == NULL || first == NULL )
    {
        return false;
    }
    *v = vertex;
    *first = (int32_t)rays->count;
    for ( int32_t i = 0; i < count; ++i )
    {
        float weight = bonds[i].weight / sum * binding->ecorche->fades[bonds[i].ray];
        if ( weight > 0.0f )
        {
            int32_t* ray = supArray_Add( rays, 1 );
            float* share = supArray_Add( weights, 1 );
            if ( ray == NULL || share == NULL )
            {
                return false;
            }
            *ray = bonds[i].ray;
            *share = weight;
        }
    }
    return true;
}

bool supBindEcorche( const supEcorcheSkin* skin, const supEcorche* ecorche, float falloff, supArray* vertices,
    supArray* firsts, supArray* rays, supArray* weights )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supRanked, places, ecorche->rayCount + 1 );
    SUP_PUT_NEW( &layout, float, reaches, ecorche->rayCount + 1 );
    SUP_PUT_NEW( &layout, int32_t, counts, ecorche->rayCount + 1 );
    char* block = supAllocLayout( skin->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    supBinding binding = { skin, ecorche, places, reaches, 0.0f };
    supMeasureSpacing( skin, ecorche, binding.reaches, counts );
    for ( int32_t r = 0; r < ecorche->rayCount; ++r )
    {
        places[r] = ( supRanked ){ skin->rest[ecorche->vertices[r]].y, r };
        float depth = supMaxF( 1.0f - ecorche->rest[r], 0.0f ) * ecorche->lengths[r];
        binding.reaches[r] = supMaxF( 2.0f * binding.reaches[r], falloff * depth );
        binding.reaches[r] = supMaxF( binding.reaches[r], 1e-4f * ecorche->size );
        binding.farthest = supMaxF( binding.farthest, binding.reaches[r] );
    }
    supSortRanked( places, (size_t)ecorche->rayCount );
    bool fits = true;
    for ( int32_t v = 0; v < skin->vertexCount && fits; ++v )
    {
        supBond bonds[sup_ecorcheBonds + 1];
        int32_t count = skin->parts[v] >= 0 ? supFindBonds( &binding, v, bonds ) : 0;
        fits = supKeepBonds( &binding, v, bonds, count, vertices, firsts, rays, weights );
    }
    int32_t* last = fits ? supArray_Add( firsts, 1 ) : NULL;
    if ( last != NULL )
    {
        *last = (int32_t)rays->count;
    }
    supFree( skin->allocator, block, layout.size );
    return last != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

int32_t supEcorcheTouched( const void* compiled, const int32_t** vertices )
{
    const supEcorche* ecorche = compiled;
    *vertices = ecorche->skin;
    return ecorche->skinCount;
}

/// Maps of joints and a vector a ray.
size_t supEcorcheScratch( const void* compiled )
{
    const supEcorche* ecorche = compiled;
    return (size_t)ecorche->jointCount * sizeof( supMat34 ) + 2 * (size_t)ecorche->rayCount * sizeof( supVec3 );
}

/// Within the limit, which it nears smoothly: x below a half of it, never above.
static float supSoftly( float x, float limit )
{
    float size = supAbsF( x ), half = 0.5f * limit;
    if ( !( size > half ) )
    {
        return x;
    }
    float bent = half + half * ( size - half ) / size;
    return x < 0.0f ? -bent : bent;
}

/// How far each ray's end moves the skin.
static void supMoveRays( const supEcorche* ecorche, const supLayerFrame* frame, const float* shown, supVec3* moves )
{
    supMat34* carried = frame->scratch;
    float amount = frame->live[sup_ecorcheAmount], limit = frame->live[sup_ecorcheLimit];
    float inward = amount * frame->live[sup_ecorcheInward];
    supCarryJoints( ecorche, frame->joints, carried );
    for ( int32_t r = 0; r < ecorche->rayCount; ++r )
    {
        float rise = ( shown[r] < 0.0f ? inward : amount ) * supSoftly( shown[r], limit );
        moves[r] = supVec3_zero;
        if ( rise != 0.0f )
        {
            supMat34 m = supCarryRay( ecorche->holds + r, carried );
            moves[r] = supScale( supTransformVector( m, ecorche->way[r] ), rise );
        }
    }
}

void supApplyEcorche( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supEcorche* ecorche = compiled;
    supVec3* moves = (supVec3*)( (supMat34*)frame->scratch + ecorche->jointCount );
    supMoveRays( ecorche, frame, shown, moves );
    for ( int32_t i = 0; i < ecorche->skinCount; ++i )
    {
        supVec3 u = supVec3_zero;
        for ( int32_t k = ecorche->firstBond[i]; k < ecorche->firstBond[i + 1]; ++k )
        {
            u = supMulAdd( u, ecorche->bondWeights[k], moves[ecorche->bondRays[k]] );
        }
        if ( u.x != 0.0f || u.y != 0.0f || u.z != 0.0f )
        {
            positions[ecorche->skin[i]] = supAdd( positions[ecorche->skin[i]], u );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// The points of the écorché in a pose. `scratch`: a matrix a joint.
static void supEcorchePoints(
    const supEcorche* ecorche, const supMat34* joints, const float* shown, supMat34* scratch, supVec3* points )
{
    supCarryJoints( ecorche, joints, scratch );
    for ( int32_t r = 0; r < ecorche->rayCount; ++r )
    {
        supMat34 m = supCarryRay( ecorche->holds + r, scratch );
        points[r] = supTransformPoint( m, supMulAdd( ecorche->from[r], ecorche->rest[r] + shown[r], ecorche->way[r] ) );
    }
}

/// Of all triangles around each ray's end, by their areas.
static void supEcorcheNormals( const supEcorche* ecorche, const supVec3* points, supVec3* normals )
{
    memset( normals, 0, (size_t)ecorche->rayCount * sizeof( supVec3 ) );
    for ( int32_t t = 0; t < ecorche->triangleCount; ++t )
    {
        const int32_t* c = ecorche->triangles + 3 * (size_t)t;
        supVec3 n = supCross( supSub( points[c[1]], points[c[0]] ), supSub( points[c[2]], points[c[0]] ) );
        for ( int k = 0; k < 3; ++k )
        {
            normals[c[k]] = supAdd( normals[c[k]], n );
        }
    }
}

/// Whether a muscle is near one of its corners. A head, hands and feet without muscles of their own rest inside the
/// skin as a shrunken copy of it, which is nobody's flesh.
static bool supIsNearMuscles( const supEcorche* ecorche, const int32_t* corners )
{
    return ecorche->fades[corners[0]] > 0.0f || ecorche->fades[corners[1]] > 0.0f || ecorche->fades[corners[2]] > 0.0f;
}

/// Muscles red, what lies between them pale; both end where there are no muscles, and the skin's motion with them.
void supDrawEcorche( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)what, (void)positions;
    const supEcorche* ecorche = compiled;
    if ( draw->triangles == NULL )
    {
        return;
    }
    supVec3* points = (supVec3*)( (supMat34*)frame->scratch + ecorche->jointCount );
    supVec3* normals = points + ecorche->rayCount;
    supEcorchePoints( ecorche, frame->joints, shown, frame->scratch, points );
    supEcorcheNormals( ecorche, points, normals );
    for ( int32_t t = 0; t < ecorche->triangleCount; ++t )
    {
        supDrawCorner corners[3];
        const int32_t* rays = ecorche->triangles + 3 * (size_t)t;
        if ( !supIsNearMuscles( ecorche, rays ) )
        {
            continue;
        }
        for ( int k = 0; k < 3; ++k )
        {
            int32_t r = rays[k];
            float red = ecorche->redness[r];
            corners[k] = ( supDrawCorner ){ points[r], normals[r],
                { 0.78f - 0.2f * red, 0.62f - 0.54f * red, 0.5f - 0.44f * red, ecorche->fades[r] } };
        }
        draw->triangles( corners, 1, draw->user );
    }
}
