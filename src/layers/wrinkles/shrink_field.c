// Where a surface shortens over a character's clips, and in which direction.
// SPDX-License-Identifier: MIT
//
// A triangle is carried from rest to a moment by a linear map F of its plane. The smaller eigenvalue of F^T F is the
// square of the stretch in the direction that is pressed most. Each triangle remembers its worst moment. Triangles of
// one mesh disagree with their neighbours, so what is asked for is a mean around a place: of tensors s d d^T, which
// know no sign of d and cancel where directions differ.

#include "layers/wrinkles/wrinkles.h"

#include "base/math.h"
#include "base/memory.h"
#include "supple/lab/skin.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The smooth skin at moments of a character's clips

/// `positions`: of all vertices, model space, linear skinning.
typedef void supMomentVisit( const supVec3* positions, void* user );

static void supSkinMoment( const supCharacter* character, const supPose* pose, supMat34* palette, supVec3* positions )
{
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, palette, supPose_MorphWeights( pose ) );
        job.outPositions =
            ( supOutStream ){ positions + mesh.firstVertex, vertices - mesh.firstVertex, (int32_t)sizeof( supVec3 ) };
        supResult result = supSkinJob_Run( &job, NULL );
        assert( result == sup_success );
        (void)result;
    }
}

/// Visits about `most` moments, spread evenly over the clips and within each, ends included. No clips: none. False: no
/// memory.
static bool supVisitClipMoments(
    const supCharacter* character, int32_t most, const supAllocator* allocator, supMomentVisit* visit, void* user )
{
    int32_t clips = supCharacter_Info( character )->clipCount;
    if ( clips == 0 || most < 1 )
    {
        return true;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMat34, palette, supCharacter_Info( character )->paletteCount );
    SUP_PUT_NEW( &layout, supVec3, positions, supCharacter_Info( character )->vertexCount + 1 );
    char* block = supAllocLayout( allocator, &layout );
    supPose* pose = NULL;
    bool fits = block != NULL && supCreatePose( character, SUP_MAKE_IN( allocator ), &pose, NULL ) == sup_success;
    int32_t stride = ( clips + most - 1 ) / most, each = most / ( ( clips + stride - 1 ) / stride );
    for ( int32_t c = 0; c < clips && fits; c += stride )
    {
        supClipView clip = supCharacter_Clip( character, c );
        for ( int32_t i = 0; i < each; ++i )
        {
            double share = each > 1 ? (double)i / ( each - 1 ) : 0.5;
            supPose_Sample( pose, c, clip.start + ( clip.end - clip.start ) * share );
            supSkinMoment( character, pose, palette, positions );
            visit( positions, user );
        }
    }
    supDestroyPose( pose );
    supFree( allocator, block, layout.size );
    return fits;
}

// ---------------------------------------------------------------------------------------------------------------
// What triangles lose

/// What one triangle loses at its worst moment.
typedef struct supPressed
{
    float stretch; ///< in the direction that is pressed most; 1: none
    supVec3 along; ///< that direction, at rest
} supPressed;

typedef struct supShrinkWork
{
    const supLineSkin* skin;
    const supVec3* rest;
    supPressed* triangles;
} supShrinkWork;

static supPressed supPressTriangle( const supVec3* rest, const supVec3* moved, const int32_t* c )
{
    supPressed none = { 1.0f, supVec3_zero };
    supVec3 ab = supSub( rest[c[1]], rest[c[0]] ), ac = supSub( rest[c[2]], rest[c[0]] );
    float length = supLength( ab );
    supVec3 e1 = supNormalize( ab ), e2 = supNormalize( supMulAdd( ac, -supDot( ac, e1 ), e1 ) );
    float shift = supDot( ac, e1 ), height = supDot( ac, e2 );
    if ( !( length > 0.0f ) || !( height > 1e-3f * length ) )
    {
        return none; // a sliver says nothing
    }
    supVec3 f1 = supScale( supSub( moved[c[1]], moved[c[0]] ), 1.0f / length );
    supVec3 f2 = supScale( supMulAdd( supSub( moved[c[2]], moved[c[0]] ), -shift, f1 ), 1.0f / height );
    float c11 = supDot( f1, f1 ), c12 = supDot( f1, f2 ), c22 = supDot( f2, f2 );
    float half = 0.5f * ( c11 - c22 ), root = supSqrtF( half * half + c12 * c12 );
    float least = supMaxF( 0.5f * ( c11 + c22 ) - root, 0.0f );
    // ( C - least ) v = 0, from the row that is larger
    bool first = supAbsF( least - c11 ) >= supAbsF( least - c22 );
    float x = first ? c12 : least - c22, y = first ? least - c11 : c12;
    supVec3 along = supNormalize( supMulAdd( supScale( e1, x ), y, e2 ) );
    return ( supPressed ){ supSqrtF( least ), along };
}

static void supNotePressed( const supVec3* positions, void* user )
{
    supShrinkWork* work = user;
    for ( int32_t t = 0; t < work->skin->triangleCount; ++t )
    {
        supPressed now = supPressTriangle( work->rest, positions, work->skin->corners + 3 * (size_t)t );
        work->triangles[t] = now.stretch < work->triangles[t].stretch ? now : work->triangles[t];
    }
}

/// What a stretch counts for. Folds can take up a half. Below that the skin of two parts meets in a crease (an armpit,
/// the back of a knee), and there is less and less room for them.
static float supShrinkOf( float stretch )
{
    return supMinF( 1.0f - stretch, supMaxF( 2.0f * stretch - 0.5f, 0.0f ) );
}

static supShrink supAddShrink( supShrink a, float s, supShrink b )
{
    return ( supShrink ){ a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz, a.yy + s * b.yy, a.yz + s * b.yz,
        a.zz + s * b.zz };
}

static supShrink supTensorOf( supPressed pressed )
{
    supVec3 d = pressed.along;
    supShrink outer = { d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z };
    return supAddShrink( ( supShrink ){ 0 }, supShrinkOf( pressed.stretch ), outer );
}

/// From triangles to places: means by area. `tensors` NULL: of the triangles' own, else of the places' from before.
static void supSpreadShrink(
    const supShrinkWork* work, const int32_t* welds, int32_t vertexCount, float* areas, supShrink* from, supShrink* to )
{
    memset( to, 0, (size_t)vertexCount * sizeof( supShrink ) );
    memset( areas, 0, (size_t)vertexCount * sizeof( float ) );
    for ( int32_t t = 0; t < work->skin->triangleCount; ++t )
    {
        const int32_t* c = work->skin->corners + 3 * (size_t)t;
        supVec3 cross =
            supCross( supSub( work->rest[c[1]], work->rest[c[0]] ), supSub( work->rest[c[2]], work->rest[c[0]] ) );
        float area = supLength( cross );
        supShrink mean = { 0 };
        for ( int k = 0; k < 3 && from != NULL; ++k )
        {
            mean = supAddShrink( mean, 1.0f / 3.0f, from[welds[c[k]]] );
        }
        mean = from != NULL ? mean : supTensorOf( work->triangles[t] );
        for ( int k = 0; k < 3; ++k )
        {
            to[welds[c[k]]] = supAddShrink( to[welds[c[k]]], area, mean );
            areas[welds[c[k]]] += area;
        }
    }
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        float share = areas[v] > 0.0f ? 1.0f / areas[v] : 0.0f;
        to[v] = supAddShrink( ( supShrink ){ 0 }, share, to[v] );
    }
}

static float supMeanSide( const supShrinkWork* work )
{
    float sum = 0.0f;
    for ( int32_t t = 0; t < work->skin->triangleCount; ++t )
    {
        const int32_t* c = work->skin->corners + 3 * (size_t)t;
        sum += supDistance( work->rest[c[0]], work->rest[c[1]] );
    }
    return work->skin->triangleCount > 0 ? sum / (float)work->skin->triangleCount : 0.0f;
}

bool supMakeShrinkField( const supLayerContext* context, const supLineSkin* skin, float reach, supShrinkField* out )
{
    const supCharacter* character = context->character;
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supPressed, triangles, skin->triangleCount );
    SUP_PUT_NEW( &layout, float, areasRoom, vertices );
    SUP_PUT_NEW( &layout, supShrink, otherArray, vertices );
    char* block = supAllocLayout( context->allocator, &layout );
    *out = ( supShrinkField ){ .welds = supCharacter_Info( character )->welds,
        .blockSize = ( (size_t)vertices + 1 ) * sizeof( supShrink ) };
    out->places = supAlloc( context->allocator, out->blockSize, _Alignof( supShrink ) );
    supShrinkWork work = { skin, (const supVec3*)supCharacter_Info( character )->restPositions, NULL };
    bool fits = block != NULL && out->places != NULL;
    if ( fits )
    {
        work.triangles = triangles;
        for ( int32_t t = 0; t < skin->triangleCount; ++t )
        {
            work.triangles[t] = ( supPressed ){ 1.0f, supVec3_zero };
        }
        fits = supVisitClipMoments( character, 64, context->allocator, supNotePressed, &work );
    }
    if ( fits )
    {
        // a round evens out over about an edge, n of them over sqrt( n ) edges
        float edges = supClampF( reach / supMaxF( supMeanSide( &work ), 1e-9f ), 1.0f, 8.0f );
        float* areas = areasRoom;
        supShrink* other = otherArray;
        supSpreadShrink( &work, out->welds, vertices, areas, NULL, out->places );
        for ( int32_t i = 0; i < (int32_t)( 0.5f * edges * edges ); ++i )
        {
            supSpreadShrink( &work, out->welds, vertices, areas, out->places, other );
            supSpreadShrink( &work, out->welds, vertices, areas, other, out->places );
        }
    }
    supFree( context->allocator, block, layout.size );
    return fits;
}

void supDropShrinkField( supShrinkField* field, const supAllocator* allocator )
{
    supFree( allocator, field->places, field->blockSize );
    *field = ( supShrinkField ){ 0 };
}

float supShrinkField_At( const supShrinkField* field, const supLinePoint* point, supVec3* along )
{
    supShrink m = { 0 };
    for ( int k = 0; k < 3; ++k )
    {
        m = supAddShrink( m, point->shares[k], field->places[field->welds[point->corners[k]]] );
    }
    // the largest eigenvalue, by repeated multiplication; begun with the largest column
    supVec3 d = m.xx >= m.yy && m.xx >= m.zz ? supMakeVec3( m.xx, m.xy, m.xz )
                : m.yy >= m.zz               ? supMakeVec3( m.xy, m.yy, m.yz )
                                             : supMakeVec3( m.xz, m.yz, m.zz );
    float largest = 0.0f;
    for ( int i = 0; i < 16; ++i )
    {
        d = supNormalize( d );
        d = supMakeVec3( m.xx * d.x + m.xy * d.y + m.xz * d.z, m.xy * d.x + m.yy * d.y + m.yz * d.z,
            m.xz * d.x + m.yz * d.y + m.zz * d.z );
        largest = supLength( d );
    }
    *along = supNormalize( d );
    return largest;
}
