// Smooth skinning against what can be worked out by hand.
#include "supple/lab/skin.h"
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supSkinned
{
    float positions[3 * SUP_TWO_BONES_VERTICES];
    float normals[3 * SUP_TWO_BONES_VERTICES];
    float tangents[4 * SUP_TWO_BONES_VERTICES];
} supSkinned;

static void supRunBar( const supCharacter* character, const supMat34* joints, supSkinning method, supSkinned* out )
{
    supMat34 palette[8];
    supCharacter_Palette( character, joints, palette );
    supSkinJob job = supCharacter_SkinJob( character, 0, palette, NULL );
    job.method = method;
    job.outPositions = ( supOutStream ){ out->positions, SUP_TWO_BONES_VERTICES, 12 };
    job.outNormals = ( supOutStream ){ out->normals, SUP_TWO_BONES_VERTICES, 12 };
    job.outTangents = ( supOutStream ){ out->tangents, SUP_TWO_BONES_VERTICES, 16 };
    supError error = { 0 };
    if ( supSkinJob_Run( &job, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

static void supAssertPoint( const float* p, double x, double y, double z, double tolerance )
{
    if ( !( fabs( p[0] - x ) <= tolerance && fabs( p[1] - y ) <= tolerance && fabs( p[2] - z ) <= tolerance ) )
    {
        fail_msg( "(%.9g %.9g %.9g) is not (%.9g %.9g %.9g) within %g", (double)p[0], (double)p[1], (double)p[2], x, y,
            z, tolerance );
    }
}

/// Bent by 90 degrees, the upper half lies along -X; the lower half stands; the ring between is their mean.
static void supTestBend( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 1.0 );
    supSkinned skinned;
    supRunBar( character, supPose_Joints( pose ), sup_skinningLinear, &skinned );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        const float* p = bones.positions + 3 * v;
        double w = bones.weights[2 * v + 1];
        double turned[3] = { 1.0 - p[1], 1.0 + p[0], p[2] };
        supAssertPoint(
            skinned.positions + 3 * v, p[0] + w * ( turned[0] - p[0] ), p[1] + w * ( turned[1] - p[1] ), p[2], 2e-7 );
        double x = bones.normals[3 * v]; // along (1, 0, 0), turned to (0, 1, 0), half way between where both share
        supAssertPoint( skinned.normals + 3 * v,
            w == 1.0   ? 0.0
            : w == 0.5 ? x * sqrt( 0.5 )
                       : x,
            w == 1.0   ? x
            : w == 0.5 ? x * sqrt( 0.5 )
                       : 0.0,
            0.0, 2e-7 );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

// One vertex or a few, by hand
// ---------------------------------------------------------------------------------------------

typedef struct supVertex
{
    float position[3], normal[3], tangent[4];
} supVertex;

static supVertex supSkinVertex( supVertex from, int32_t count, const uint16_t* indices, const float* weights,
    const supMat34* palette, supSkinning method )
{
    supVertex to;
    supSkinJob job = supDefaultSkinJob();
    job.vertexCount = 1;
    job.influenceCount = count;
    job.jointIndices = ( supInStream ){ indices, 1, 2 * count };
    job.weights = ( supInStream ){ weights, 1, 4 * count };
    job.palette = palette;
    job.paletteCount = 65536;
    job.positions = ( supInStream ){ from.position, 1, 12 };
    job.normals = ( supInStream ){ from.normal, 1, 12 };
    job.tangents = ( supInStream ){ from.tangent, 1, 16 };
    job.outPositions = ( supOutStream ){ to.position, 1, 12 };
    job.outNormals = ( supOutStream ){ to.normal, 1, 12 };
    job.outTangents = ( supOutStream ){ to.tangent, 1, 16 };
    job.method = method;
    supError error = { 0 };
    if ( supSkinJob_Run( &job, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return to;
}

static float supRandom( uint32_t* seed )
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)( *seed >> 8 ) / 8388608.0f - 1.0f; // [-1, 1)
}

static supMat34 supAboutY( double angle )
{
    float c = (float)cos( angle ), s = (float)sin( angle );
    return ( supMat34 ){ { c, 0.0f, -s }, { 0.0f, 1.0f, 0.0f }, { s, 0.0f, c }, { 0.0f, 0.0f, 0.0f } };
}

static supMat34 supRandomRigid( uint32_t* seed )
{
    double q[4], length = 0.0;
    for ( int i = 0; i < 4; ++i )
    {
        q[i] = (double)supRandom( seed );
        length += q[i] * q[i];
    }
    double s = 2.0 / length, x = q[0], y = q[1], z = q[2], w = q[3];
    supMat34 m = { { (float)( 1.0 - s * ( y * y + z * z ) ), (float)( s * ( x * y + w * z ) ),
                       (float)( s * ( x * z - w * y ) ) },
        { (float)( s * ( x * y - w * z ) ), (float)( 1.0 - s * ( x * x + z * z ) ), (float)( s * ( y * z + w * x ) ) },
        { (float)( s * ( x * z + w * y ) ), (float)( s * ( y * z - w * x ) ), (float)( 1.0 - s * ( x * x + y * y ) ) },
        { supRandom( seed ), supRandom( seed ), supRandom( seed ) } };
    return m;
}

static void supApply( const supMat34* m, const float* p, double w, double* out )
{
    out[0] = (double)m->x.x * p[0] + (double)m->y.x * p[1] + (double)m->z.x * p[2] + w * (double)m->t.x;
    out[1] = (double)m->x.y * p[0] + (double)m->y.y * p[1] + (double)m->z.y * p[2] + w * (double)m->t.y;
    out[2] = (double)m->x.z * p[0] + (double)m->y.z * p[1] + (double)m->z.z * p[2] + w * (double)m->t.z;
}

static const supVertex sup_corner = { { 1.0f, 2.0f, 3.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f, 1.0f } };

/// Twisted by 170 degrees and shared by half, a linear blend falls in to cos(85 degrees) of its radius; dual
/// quaternions keep it, turned by 85.
static void supTestTwist( void** state )
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180.0;
    const supMat34 palette[2] = { supMat34_identity, supAboutY( 170.0 * degree ) };
    const uint16_t indices[2] = { 0, 1 };
    const float weights[2] = { 0.5f, 0.5f };
    const supVertex from = { { 1.0f, 2.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f, -1.0f } };
    supVertex linear = supSkinVertex( from, 2, indices, weights, palette, sup_skinningLinear );
    supVertex dual = supSkinVertex( from, 2, indices, weights, palette, sup_skinningDualQuaternion );
    double radius = cos( 85.0 * degree );
    supAssertPoint( linear.position, radius * cos( 85.0 * degree ), 2.0, -radius * sin( 85.0 * degree ), 1e-6 );
    supAssertPoint( dual.position, cos( 85.0 * degree ), 2.0, -sin( 85.0 * degree ), 1e-6 );
    supAssertPoint( dual.normal, cos( 85.0 * degree ), 0.0, -sin( 85.0 * degree ), 1e-6 );
    supAssertPoint( dual.tangent, 0.0, 1.0, 0.0, 1e-6 );
    assert_float_equal( dual.tangent[3], -1.0f, 0.0f );
}

/// 170 and 190 degrees lie 20 apart, not 340: half way is 180, whichever joint comes first and whichever has more
/// weight.
static void supTestAntipodes( void** state )
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180.0;
    const supMat34 palette[3] = { supAboutY( 170.0 * degree ), supAboutY( 190.0 * degree ),
        supAboutY( 180.0 * degree ) };
    const uint16_t orders[2][3] = { { 0, 1, 2 }, { 1, 2, 0 } };
    const float weights[2][3] = { { 0.5f, 0.5f, 0.0f }, { 0.375f, 0.25f, 0.375f } };
    const supVertex from = { { 1.0f, 2.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f, 1.0f } };
    for ( int i = 0; i < 2; ++i )
    {
        supVertex dual = supSkinVertex( from, 3, orders[i], weights[i], palette, sup_skinningDualQuaternion );
        supAssertPoint( dual.position, -1.0, 2.0, 0.0, 1e-6 );
        supAssertPoint( dual.normal, -1.0, 0.0, 0.0, 1e-6 );
        supAssertPoint( dual.tangent, 0.0, 0.0, -1.0, 1e-6 );
    }
}

/// Kavan's blend of two screw motions follows the screw: half way between rest and a half turn about the axis x = 1
/// that rises by 2.
static void supTestScrew( void** state )
{
    (void)state;
    supMat34 turned = supAboutY( 3.14159265358979323846 );
    turned.t = ( supVec3 ){ 2.0f, 2.0f, 0.0f };
    const supMat34 palette[2] = { supMat34_identity, turned };
    const uint16_t indices[2] = { 0, 1 };
    const float weights[2] = { 0.5f, 0.5f };
    supVertex dual = supSkinVertex( sup_corner, 2, indices, weights, palette, sup_skinningDualQuaternion );
    // (0, 3) about the axis, a quarter turn: x -> -z, z -> x
    supAssertPoint( dual.position, 1.0 + 3.0, 2.0 + 1.0, 0.0, 1e-6 );
    supAssertPoint( dual.normal, 0.0, 0.0, -1.0, 1e-6 );
}

/// One joint alone is its matrix, whatever that is, by both methods. Normals stand at right angles to the surface that
/// they belonged to, on the side where the outside now is, and the frame of normal, tangent and handedness goes where
/// the matrix takes it.
static void supTestAnyMatrix( void** state )
{
    (void)state;
    uint32_t seed = 1;
    const uint16_t index = 0;
    const float weight = 1.0f;
    int mirrored = 0;
    for ( int round = 0; round < 2000; ++round )
    {
        supMat34 m;
        for ( int i = 0; i < 12; ++i )
        {
            ( (float*)&m )[i] = supRandom( &seed );
        }
        supVertex from = sup_corner;
        const float bitangent[3] = { 0.0f, 0.0f, 1.0f }; // normal x tangent * handedness
        double position[3], tangent[3], other[3];
        supApply( &m, from.position, 1.0, position );
        supApply( &m, from.tangent, 0.0, tangent );
        supApply( &m, bitangent, 0.0, other );
        double n[3] = { tangent[1] * other[2] - tangent[2] * other[1], tangent[2] * other[0] - tangent[0] * other[2],
            tangent[0] * other[1] - tangent[1] * other[0] };
        double volume = (double)m.x.x * n[0] + (double)m.x.y * n[1] + (double)m.x.z * n[2];
        double length = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] ) * ( volume < 0.0 ? -1.0 : 1.0 );
        double along = sqrt( tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2] );
        mirrored += volume < 0.0;
        if ( fabs( volume ) < 1e-3 )
        {
            continue;
        }
        for ( int method = 0; method < 2; ++method )
        {
            supVertex to = supSkinVertex( from, 1, &index, &weight, &m, (supSkinning)method );
            supAssertPoint( to.position, position[0], position[1], position[2], 1e-6 );
            supAssertPoint( to.normal, n[0] / length, n[1] / length, n[2] / length, 1e-6 );
            supAssertPoint( to.tangent, tangent[0] / along, tangent[1] / along, tangent[2] / along, 1e-6 );
            assert_float_equal( to.tangent[3], volume < 0.0 ? -1.0f : 1.0f, 0.0f );
        }
    }
    assert_in_range( mirrored, 500, 1500 );
}

/// Mirrored joints that share a vertex blend as their mirror images do.
static void supTestMirroredTwist( void** state )
{
    (void)state;
    supMat34 palette[2] = { supMat34_identity, supAboutY( 2.0 ) };
    const uint16_t indices[2] = { 0, 1 };
    const float weights[2] = { 0.625f, 0.375f };
    const supVertex from = { { -1.0f, 2.0f, 3.0f }, { -1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f, 1.0f } };
    supVertex plain = supSkinVertex( sup_corner, 2, indices, weights, palette, sup_skinningDualQuaternion );
    for ( int i = 0; i < 2; ++i )
    {
        palette[i].x = ( supVec3 ){ -palette[i].x.x, -palette[i].x.y, -palette[i].x.z }; // x turned round first
    }
    supVertex mirrored = supSkinVertex( from, 2, indices, weights, palette, sup_skinningDualQuaternion );
    supAssertPoint( mirrored.position, plain.position[0], plain.position[1], plain.position[2], 1e-6 );
    supAssertPoint( mirrored.normal, plain.normal[0], plain.normal[1], plain.normal[2], 1e-6 );
    assert_float_equal( mirrored.tangent[3], -1.0f, 0.0f );
}

/// When all joints move rigidly together, so does every vertex: by both methods, with many influences in any order.
static void supTestRigid( void** state )
{
    (void)state;
    uint32_t seed = 77;
    for ( int round = 0; round < 500; ++round )
    {
        supMat34 palette[100];
        palette[0] = supRandomRigid( &seed );
        for ( int i = 1; i < 100; ++i )
        {
            palette[i] = palette[0];
        }
        uint16_t indices[8];
        float weights[8], sum = 0.0f;
        int count = 1 + round % 8;
        for ( int i = 0; i < count; ++i )
        {
            indices[i] = (uint16_t)( ( round * 13 + i * 37 ) % 100 ); // more than the cache of factors holds
            weights[i] = 1.01f + supRandom( &seed );
            sum += weights[i];
        }
        for ( int i = 0; i < count; ++i )
        {
            weights[i] /= sum;
        }
        for ( int method = 0; method < 2; ++method )
        {
            supVertex to = supSkinVertex( sup_corner, count, indices, weights, palette, (supSkinning)method );
            double p[3], n[3], t[3];
            supApply( palette, sup_corner.position, 1.0, p );
            supApply( palette, sup_corner.normal, 0.0, n );
            supApply( palette, sup_corner.tangent, 0.0, t );
            supAssertPoint( to.position, p[0], p[1], p[2], 2e-6 );
            supAssertPoint( to.normal, n[0], n[1], n[2], 1e-6 );
            supAssertPoint( to.tangent, t[0], t[1], t[2], 1e-6 );
        }
    }
}

/// A rigid motion after the palette moves the result and changes nothing else: G (blend of M) = blend of G M.
static void supTestMovedAfter( void** state )
{
    (void)state;
    uint32_t seed = 5;
    const uint16_t indices[3] = { 0, 1, 2 };
    const float weights[3] = { 0.5f, 0.25f, 0.25f };
    for ( int round = 0; round < 500; ++round )
    {
        supMat34 palette[3], moved[3], g = supRandomRigid( &seed );
        for ( int i = 0; i < 3; ++i )
        {
            palette[i] = supRandomRigid( &seed );
            for ( int column = 0; column < 4; ++column )
            {
                double out[3];
                supApply( &g, (const float*)&palette[i] + 3 * column, column == 3 ? 1.0 : 0.0, out );
                ( &moved[i].x )[column] = ( supVec3 ){ (float)out[0], (float)out[1], (float)out[2] };
            }
        }
        for ( int method = 0; method < 2; ++method )
        {
            supVertex still = supSkinVertex( sup_corner, 3, indices, weights, palette, (supSkinning)method );
            supVertex to = supSkinVertex( sup_corner, 3, indices, weights, moved, (supSkinning)method );
            double p[3];
            supApply( &g, still.position, 1.0, p );
            supAssertPoint( to.position, p[0], p[1], p[2], 3e-5 ); // opposite rotations nearly cancel in some rounds
        }
    }
}

/// Matrices that flatten, vanish, or are very small or large: directions of unit length, the old one where none is
/// left.
static void supTestDegenerate( void** state )
{
    (void)state;
    const uint16_t index = 0;
    const float weight = 1.0f;
    for ( int method = 0; method < 2; ++method )
    {
        supMat34 m = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f }, { 4.0f, 5.0f, 6.0f } };
        supVertex to = supSkinVertex( sup_corner, 1, &index, &weight, &m, (supSkinning)method );
        supAssertPoint( to.position, 4.0, 5.0, 6.0, 0.0 );
        supAssertPoint( to.normal, 1.0, 0.0, 0.0, 0.0 );
        supAssertPoint( to.tangent, 0.0, 1.0, 0.0, 0.0 );
        m = supMat34_identity;
        m.y.y = 0.0f; // on to the plane y = 0: the normal along x and the tangent along y are lost
        to = supSkinVertex( sup_corner, 1, &index, &weight, &m, (supSkinning)method );
        supAssertPoint( to.position, 1.0, 0.0, 3.0, 1e-6 );
        supAssertPoint( to.normal, 1.0, 0.0, 0.0, 0.0 );
        supAssertPoint( to.tangent, 0.0, 1.0, 0.0, 0.0 );
        supVertex upright = sup_corner;
        upright.normal[1] = 1.0f;
        to = supSkinVertex( upright, 1, &index, &weight, &m, (supSkinning)method );
        supAssertPoint( to.normal, 0.0, 1.0, 0.0, 1e-6 );
        const float scales[2] = { 1e-30f, 1e30f };
        for ( int i = 0; i < 2; ++i )
        {
            m = supAboutY( 1.0 );
            for ( int k = 0; k < 9; ++k )
            {
                ( (float*)&m )[k] *= scales[i];
            }
            to = supSkinVertex( sup_corner, 1, &index, &weight, &m, (supSkinning)method );
            supAssertPoint( to.normal, cos( 1.0 ), 0.0, -sin( 1.0 ), 1e-6 );
        }
        supVertex lost = sup_corner;
        memset( lost.normal, 0, sizeof( lost.normal ) );
        to = supSkinVertex( lost, 1, &index, &weight, &m, (supSkinning)method );
        supAssertPoint( to.normal, 0.0, 0.0, 0.0, 0.0 );
    }
}

// Buffers
// ------------------------------------------------------------------------------------------------------------------

/// Interleaved, at odd addresses: the same as separate arrays, and nothing in between is touched.
static void supTestStrides( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = NULL;
    assert_int_equal( supCreatePose( character, NULL, &pose, NULL ), sup_success );
    supPose_Sample( pose, 0, 0.4 );
    enum
    {
        stride = 71
    };
    static unsigned char in[stride * SUP_TWO_BONES_VERTICES + 1], out[stride * SUP_TWO_BONES_VERTICES + 1];
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    memset( out, 0xab, sizeof( out ) );
    for ( int v = 0; v < SUP_TWO_BONES_VERTICES; ++v )
    {
        unsigned char* at = in + 1 + stride * v;
        memcpy( at, mesh.positions + 3 * v, 12 );
        memcpy( at + 12, mesh.normals + 3 * v, 12 );
        memcpy( at + 24, mesh.tangents + 4 * v, 16 );
        memcpy( at + 40, mesh.jointIndices + 2 * v, 4 );
        memcpy( at + 44, mesh.weights + 2 * v, 8 );
    }
    for ( int method = 0; method < 2; ++method )
    {
        supSkinned apart;
        supRunBar( character, supPose_Joints( pose ), (supSkinning)method, &apart );
        supMat34 palette[8];
        supCharacter_Palette( character, supPose_Joints( pose ), palette );
        supSkinJob job = supCharacter_SkinJob( character, 0, palette, supPose_MorphWeights( pose ) );
        const int32_t count = SUP_TWO_BONES_VERTICES;
        job.method = (supSkinning)method;
        job.positions = ( supInStream ){ in + 1, count, stride };
        job.normals = ( supInStream ){ in + 13, count, stride };
        job.tangents = ( supInStream ){ in + 25, count, stride };
        job.jointIndices = ( supInStream ){ in + 41, count, stride };
        job.weights = ( supInStream ){ in + 45, count, stride };
        job.outPositions = ( supOutStream ){ out + 1, count, stride };
        job.outNormals = ( supOutStream ){ out + 14, count, stride };
        job.outTangents = ( supOutStream ){ out + 27, count, stride };
        assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
        for ( int v = 0; v < count; ++v )
        {
            const unsigned char* at = out + 1 + stride * v;
            assert_memory_equal( at, apart.positions + 3 * v, 12 );
            assert_memory_equal( at + 13, apart.normals + 3 * v, 12 );
            assert_memory_equal( at + 26, apart.tangents + 4 * v, 16 );
            assert_int_equal( at[12], 0xab );
            assert_int_equal( at[25], 0xab );
            assert_int_equal( at[42], 0xab );
            assert_int_equal( at[stride - 1], 0xab );
        }
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// Targets are added before skinning, each with its weight; targets that are missing, and streams without targets, stay
/// as they are.
static void supTestMorphs( void** state )
{
    (void)state;
    const uint16_t index = 0;
    const float weight = 1.0f;
    const supMat34 turned = { { 0.0f, 1.0f, 0.0f }, { -1.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 1.0f },
        { 0.0f, 0.0f, 10.0f } };
    const float first[3] = { 4.0f, 0.0f, 0.0f }, second[3] = { 0.0f, 0.0f, -8.0f }, normal[3] = { 0.0f, 2.0f, 0.0f };
    const float* const positions[3] = { first, NULL, second };
    const float* const normals[3] = { normal, NULL, NULL };
    const float morphWeights[3] = { 0.5f, 9.0f, 0.25f };
    supVertex to;
    supSkinJob job = supDefaultSkinJob();
    job.vertexCount = job.influenceCount = job.paletteCount = 1;
    job.jointIndices = ( supInStream ){ &index, 1, 2 };
    job.weights = ( supInStream ){ &weight, 1, 4 };
    job.palette = &turned;
    job.positions = ( supInStream ){ sup_corner.position, 1, 12 };
    job.normals = ( supInStream ){ sup_corner.normal, 1, 12 };
    job.tangents = ( supInStream ){ sup_corner.tangent, 1, 16 };
    job.outPositions = ( supOutStream ){ to.position, 1, 12 };
    job.outNormals = ( supOutStream ){ to.normal, 1, 12 };
    job.outTangents = ( supOutStream ){ to.tangent, 1, 16 };
    job.morphCount = 3;
    job.morphWeights = morphWeights;
    job.morphPositions = positions;
    job.morphNormals = normals;
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    supAssertPoint( to.position, -2.0, 3.0, 11.0, 0.0 ); // (3, 2, 1), turned and moved
    supAssertPoint( to.normal, -sqrt( 0.5 ), sqrt( 0.5 ), 0.0, 1e-7 );
    supAssertPoint( to.tangent, -1.0, 0.0, 0.0, 0.0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestBend ), cmocka_unit_test( supTestTwist ),
        cmocka_unit_test( supTestAntipodes ), cmocka_unit_test( supTestScrew ), cmocka_unit_test( supTestAnyMatrix ),
        cmocka_unit_test( supTestMirroredTwist ), cmocka_unit_test( supTestRigid ),
        cmocka_unit_test( supTestMovedAfter ), cmocka_unit_test( supTestDegenerate ),
        cmocka_unit_test( supTestStrides ), cmocka_unit_test( supTestMorphs ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
