#include "support/knee.h"

#include "support/two_bones.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double sup_pi = 3.14159265358979323846;

static double supRingHeight( int ring )
{
    return -0.2 + 2.4 * ring / ( supKneeRings - 1 );
}

/// 0 on the thigh, 1 on the shin.
static double supAcrossKnee( double y )
{
    return fmin( fmax( ( y - 1.0 ) / SUP_KNEE_LENGTH + 0.5, 0.0 ), 1.0 );
}

static float supShinWeight( double y )
{
    double t = supAcrossKnee( y );
    return (float)( t * t * ( 3.0 - 2.0 * t ) );
}

/// The turn that skin with this share of the shin has made: the quaternion is ( 1 - w ) + w ( cos + sin i ) of the
/// half.
static double supTurnedBy( double bend, double w )
{
    return 2.0 * atan2( w * sin( 0.5 * bend ), 1.0 - w + w * cos( 0.5 * bend ) );
}

/// A point of the straight leg on the bent one: the section's centre where linear skin has it, the section itself not
/// squashed but turned, and swollen a little.
static supVec3 supBend( double bend, double swell, double x, double y, double z )
{
    double t = supAcrossKnee( y ), w = (double)supShinWeight( y ), turned = supTurnedBy( bend, w );
    double cosine = t > 0.0 && t < 1.0 ? cos( sup_pi * ( t - 0.5 ) ) : 0.0, k = 1.0 + swell * cosine * cosine;
    double py = ( 1.0 - w ) * y + w * ( 1.0 + ( y - 1.0 ) * cos( bend ) ) - k * z * sin( turned );
    double pz = w * ( y - 1.0 ) * sin( bend ) + k * z * cos( turned );
    return ( supVec3 ){ (float)( k * x ), (float)py, (float)pz };
}

static void supBendSwollen( double bend, double swell, supVec3 places[supKneeVertices] )
{
    for ( int r = 0; r < supKneeRings; ++r )
    {
        for ( int a = 0; a < supKneeAround; ++a )
        {
            double angle = 2.0 * sup_pi * a / supKneeAround, y = supRingHeight( r );
            places[r * supKneeAround + a] =
                supBend( bend, swell, SUP_KNEE_RADIUS * cos( angle ), y, SUP_KNEE_RADIUS * sin( angle ) );
        }
    }
    places[supKneeVertices - 2] = supBend( bend, swell, 0.0, supRingHeight( 0 ), 0.0 );
    places[supKneeVertices - 1] = supBend( bend, swell, 0.0, supRingHeight( supKneeRings - 1 ), 0.0 );
}

void supBentKnee( double bend, supVec3 places[supKneeVertices] )
{
    double low = -0.2, high = 0.5;
    supBendSwollen( 0.0, 0.0, places );
    double straight = supKneeVolume( places );
    for ( int i = 0; i < 30 && bend > 0.0; ++i )
    {
        double middle = 0.5 * ( low + high );
        supBendSwollen( bend, middle, places );
        *( supKneeVolume( places ) < straight ? &low : &high ) = middle;
    }
    supBendSwollen( bend, bend > 0.0 ? 0.5 * ( low + high ) : 0.0, places );
}

/// Outward triangles, the caps too; gives how many indices.
static int32_t supKneeTriangles( uint32_t* out )
{
    int32_t count = 0;
    for ( int a = 0; a < supKneeAround; ++a )
    {
        uint32_t b = (uint32_t)( ( a + 1 ) % supKneeAround ), own = (uint32_t)a;
        for ( int r = 0; r + 1 < supKneeRings; ++r )
        {
            uint32_t base = (uint32_t)( r * supKneeAround ), next = base + supKneeAround;
            const uint32_t two[6] = { base + own, next + own, base + b, base + b, next + own, next + b };
            memcpy( out + count, two, sizeof( two ) );
            count += 6;
        }
        uint32_t last = ( supKneeRings - 1 ) * supKneeAround;
        const uint32_t caps[6] = { supKneeVertices - 2, own, b, supKneeVertices - 1, last + b, last + own };
        memcpy( out + count, caps, sizeof( caps ) );
        count += 6;
    }
    return count;
}

double supKneeVolume( const supVec3 places[supKneeVertices] )
{
    static uint32_t triangles[6 * supKneeAround * supKneeRings];
    int32_t count = supKneeTriangles( triangles );
    double sum = 0.0;
    for ( int32_t i = 0; i < count; i += 3 )
    {
        const supVec3 *a = places + triangles[i], *b = places + triangles[i + 1], *c = places + triangles[i + 2];
        sum += (double)a->x * ( (double)b->y * c->z - (double)b->z * c->y ) +
               (double)a->y * ( (double)b->z * c->x - (double)b->x * c->z ) +
               (double)a->z * ( (double)b->x * c->y - (double)b->y * c->x );
    }
    return sum / 6.0;
}

double supKneeRegion( void )
{
    double area = 0.5 * supKneeAround * sin( 2.0 * sup_pi / supKneeAround ) * SUP_KNEE_RADIUS * SUP_KNEE_RADIUS;
    return area * SUP_KNEE_LENGTH;
}

/// What must be added at rest for linear skin, less the shrinking: the blend of the two turns is a turn by some angle.
static void supKneeMorph( const supVec3* straight, const float* weights, float* morph )
{
    static supVec3 bent[supKneeVertices];
    supBentKnee( 0.5 * sup_pi, bent );
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        double w = (double)weights[2 * v + 1], y = straight[v].y, z = straight[v].z;
        double smoothY = ( 1.0 - w ) * y + w * ( 1.0 - z ), smoothZ = ( 1.0 - w ) * z + w * ( y - 1.0 );
        double angle = supTurnedBy( 0.5 * sup_pi, w );
        double dy = (double)bent[v].y - smoothY, dz = (double)bent[v].z - smoothZ;
        morph[3 * v] = bent[v].x - straight[v].x;
        morph[3 * v + 1] = (float)( dy * cos( angle ) + dz * sin( angle ) );
        morph[3 * v + 2] = (float)( dz * cos( angle ) - dy * sin( angle ) );
    }
}

supCharacter* supMakeKnee( void )
{
    static supVec3 places[supKneeVertices];
    static uint16_t indices[2 * supKneeVertices];
    static float weights[2 * supKneeVertices], morph[3 * supKneeVertices];
    static uint32_t triangles[6 * supKneeAround * supKneeRings];
    supBentKnee( 0.0, places );
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        indices[2 * v + 1] = 1;
        weights[2 * v + 1] = supShinWeight( places[v].y );
        weights[2 * v] = 1.0f - weights[2 * v + 1];
    }
    supKneeMorph( places, weights, morph );
    supJointDef joints[3] = { { "thigh", -1, supTransform_identity, NULL, NULL, false },
        { "shin", 0, supTransform_identity, NULL, NULL, false },
        { "foot", 1, supTransform_identity, NULL, NULL, false } };
    joints[1].rest.translation.y = 1.0f;
    joints[2].rest.translation.y = 1.0f;
    const int32_t skinJoints[2] = { 0, 1 };
    supMat34 inverseBind[2] = { supMat34_identity, supMat34_identity };
    inverseBind[1].t.y = -1.0f;
    supSkinDef skin = { "Leg", 2, skinJoints, inverseBind };
    const float* morphs[1] = { morph };
    const char* names[1] = { "knee90" };
    supMeshDef mesh = { .name = "Leg",
        .vertexCount = supKneeVertices,
        .positions = &places[0].x,
        .influenceCount = 2,
        .jointIndices = indices,
        .weights = weights,
        .indices = triangles,
        .morphCount = 1,
        .morphPositions = morphs,
        .morphNames = names,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    mesh.indexCount = supKneeTriangles( triangles );
    static float times[16], rotations[64];
    for ( int i = 0; i < 16; ++i )
    {
        double half = 0.5 * sup_pi / 180.0 * 10.0 * i;
        times[i] = 0.1f * (float)i;
        rotations[4 * i] = (float)sin( half );
        rotations[4 * i + 3] = (float)cos( half );
    }
    supTrackDef track = { 1, sup_pathRotation, sup_interpolationLinear, 16, times, rotations, 4 };
    supClipDef clip = { "bend", 1, &track };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "knee";
    def.jointCount = 3;
    def.joints = joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    def.clipCount = 1;
    def.clips = &clip;
    return supTestCreate( &def );
}

void supPoseKnee( const supCharacter* character, double bend, double twist, supMat34 joints[3] )
{
    memcpy( joints, supCharacter_Info( character )->restJoints, 3 * sizeof( supMat34 ) );
    float cb = (float)cos( bend ), sb = (float)sin( bend ), ct = (float)cos( twist ), st = (float)sin( twist );
    // turn about x, after a turn about y
    joints[1].x = ( supVec3 ){ ct, sb * st, -cb * st };
    joints[1].y = ( supVec3 ){ 0.0f, cb, sb };
    joints[1].z = ( supVec3 ){ st, -sb * ct, cb * ct };
    joints[2].x = joints[1].x;
    joints[2].y = joints[1].y;
    joints[2].z = joints[1].z;
    joints[2].t = ( supVec3 ){ 0.0f, 1.0f + cb, sb };
}
