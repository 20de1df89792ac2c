// SPDX-License-Identifier: MIT
#include "sculpted_joint.h"

#include "supple/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Vectors, in doubles

typedef struct supPoint
{
    double x, y, z;
} supPoint;

static supPoint supPointOf( supVec3 v )
{
    return ( supPoint ){ (double)v.x, (double)v.y, (double)v.z };
}

static supPoint supPlus( supPoint a, double s, supPoint b )
{
    return ( supPoint ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double supDots( supPoint a, supPoint b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static supPoint supUnit( supPoint a )
{
    double length = sqrt( supDots( a, a ) );
    return length > 0.0 ? ( supPoint ){ a.x / length, a.y / length, a.z / length } : a;
}

/// By an angle about x.
static supPoint supTurned( supPoint p, double angle )
{
    return ( supPoint ){ p.x, cos( angle ) * p.y - sin( angle ) * p.z, sin( angle ) * p.y + cos( angle ) * p.z };
}

// ---------------------------------------------------------------------------------------------------------------
// Poses

void supOpenSculptedJoints( supSculptedJoints* sculpt, const supCharacter* character, const char* const* joints,
    const float* degrees, int count )
{
    *sculpt = ( supSculptedJoints ){ .character = character, .count = count, .degrees = degrees };
    for ( int i = 0; i < count; ++i )
    {
        sculpt->bent[i] = supCharacter_FindJoint( character, joints[i] );
    }
    sculpt->joints = (supMat34*)malloc( sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->jointCount );
    sculpt->palette = (supMat34*)malloc( sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->paletteCount );
}

void supCloseSculptedJoints( supSculptedJoints* sculpt )
{
    free( sculpt->joints );
    free( sculpt->palette );
}

/// How far a joint is turned about x in all, those above it included; joints of built-in characters stand unturned.
static double supAngleOf( const supSculptedJoints* sculpt, int32_t joint, double share )
{
    double angle = 0.0;
    for ( ; joint >= 0; joint = supCharacter_Joint( sculpt->character, joint )->parent )
    {
        for ( int i = 0; i < sculpt->count; ++i )
        {
            angle += sculpt->bent[i] == joint ? share * (double)sculpt->degrees[i] * 3.14159265358979 / 180.0 : 0.0;
        }
    }
    return angle;
}

void supSculptedJoints_Pose( supSculptedJoints* sculpt, double share )
{
    const supCharacter* character = sculpt->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    for ( int32_t i = 0; i < supCharacter_Info( character )->jointCount; ++i )
    {
        int32_t joint = order[i], parent = supCharacter_Joint( character, joint )->parent;
        supPoint place = supPointOf( rest[joint].t );
        if ( parent >= 0 )
        {
            supPoint offset = supPlus( place, -1.0, supPointOf( rest[parent].t ) );
            place = supPlus(
                supPointOf( sculpt->joints[parent].t ), 1.0, supTurned( offset, supAngleOf( sculpt, parent, share ) ) );
        }
        float c = (float)cos( supAngleOf( sculpt, joint, share ) ),
              s = (float)sin( supAngleOf( sculpt, joint, share ) );
        sculpt->joints[joint] = supMat34_identity;
        sculpt->joints[joint].y = ( supVec3 ){ 0.0f, c, s };
        sculpt->joints[joint].z = ( supVec3 ){ 0.0f, -s, c };
        sculpt->joints[joint].t = ( supVec3 ){ (float)place.x, (float)place.y, (float)place.z };
    }
    supCharacter_Palette( character, sculpt->joints, sculpt->palette );
}

void supSculptedJoints_Skin( const supSculptedJoints* sculpt, supSkinning method, float* out )
{
    supSkinJob job = supCharacter_SkinJob( sculpt->character, 0, sculpt->palette, NULL );
    job.normals = ( supInStream ){ 0 };
    job.tangents = ( supInStream ){ 0 };
    job.outPositions = ( supOutStream ){ out, supCharacter_Info( sculpt->character )->vertexCount, sizeof( supVec3 ) };
    job.method = method;
    supSkinJob_Run( &job, NULL );
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

static bool supHangsBelow( const supCharacter* character, int32_t joint, int32_t below )
{
    while ( below >= 0 && below != joint )
    {
        below = supCharacter_Joint( character, below )->parent;
    }
    return below >= 0;
}

/// Along a joint's bone, unit length: to a joint below, or on as the bone before it came.
static supPoint supBoneDirection( const supCharacter* character, const supMat34* joints, int32_t joint )
{
    int32_t from = supCharacter_Joint( character, joint )->parent, to = joint;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        if ( supCharacter_Joint( character, j )->parent == joint )
        {
            from = joint;
            to = j;
        }
    }
    return from >= 0 ? supUnit( supPlus( supPointOf( joints[to].t ), -1.0, supPointOf( joints[from].t ) ) )
                     : ( supPoint ){ 0.0, 1.0, 0.0 };
}

/// What a vertex hangs on.
typedef struct supHanging
{
    int32_t count;
    const uint16_t* indices;
    const float* weights;
    const int32_t* joints;
} supHanging;

/// The middle of a vertex's section: where it is nearest to the bones that it hangs on.
static supPoint supMiddleOf( const supSculptedJoints* sculpt, const supHanging* on, supPoint p )
{
    const supMat34* rest = supCharacter_Info( sculpt->character )->restJoints;
    supPoint sum = { 0.0, 0.0, 0.0 };
    for ( int32_t k = 0; k < on->count; ++k )
    {
        int32_t joint = on->joints[on->indices[k]];
        supPoint head = supPointOf( rest[joint].t ), along = supBoneDirection( sculpt->character, rest, joint );
        double way = supDots( supPlus( p, -1.0, head ), along );
        sum = supPlus( sum, (double)on->weights[k], supPlus( head, way, along ) );
    }
    return sum;
}

/// How near a section is to a bent joint: 1 at it, fading out over twice the limb's thickness.
static double supNearJoint( const supSculptedJoints* sculpt, supPoint middle, double thickness )
{
    const supMat34* rest = supCharacter_Info( sculpt->character )->restJoints;
    double most = 0.0;
    for ( int i = 0; i < sculpt->count; ++i )
    {
        supPoint off = supPlus( middle, -1.0, supPointOf( rest[sculpt->bent[i]].t ) );
        most = fmax( most, exp( -supDots( off, off ) / ( 4.0 * thickness * thickness + 1e-12 ) ) );
    }
    return most;
}

/// Sections whole: their middles where linear skin has them, all else turned about these by the blend of the turns, and
/// swollen near the joints.
static supPoint supKeepSection( const supSculptedJoints* sculpt, const supHanging* on, double swell, supPoint p )
{
    const supMat34* rest = supCharacter_Info( sculpt->character )->restJoints;
    supPoint middle = supMiddleOf( sculpt, on, p ), moved = { 0.0, 0.0, 0.0 };
    double cosine = 0.0, sine = 0.0; // of half the turn, as unit quaternions blend
    for ( int32_t k = 0; k < on->count; ++k )
    {
        int32_t joint = on->joints[on->indices[k]];
        const supMat34* posed = sculpt->joints + joint;
        double weight = (double)on->weights[k], angle = atan2( (double)posed->y.z, (double)posed->y.y );
        supPoint arm = supTurned( supPlus( middle, -1.0, supPointOf( rest[joint].t ) ), angle );
        moved = supPlus( moved, weight, supPlus( supPointOf( posed->t ), 1.0, arm ) );
        cosine += weight * cos( 0.5 * angle );
        sine += weight * sin( 0.5 * angle );
    }
    supPoint off = supPlus( p, -1.0, middle );
    double wider = 1.0 + swell * supNearJoint( sculpt, middle, sqrt( supDots( off, off ) ) );
    return supPlus( moved, wider, supTurned( off, 2.0 * atan2( sine, cosine ) ) );
}

/// Flesh of the two bones ends at the plane between them, and what is pressed goes aside. It begins to give way at a
/// distance, `soft`, so that there is no edge.
static supPoint supPress( const supSculptedJoints* sculpt, int32_t joint, double lowerShare, double soft, supPoint p )
{
    bool isLower = lowerShare > 0.5;
    supPoint at = supPointOf( sculpt->joints[joint].t );
    int32_t parent = supCharacter_Joint( sculpt->character, joint )->parent;
    supPoint upper = supUnit( supPlus( supPointOf( sculpt->joints[parent].t ), -1.0, at ) );
    supPoint lower = supBoneDirection( sculpt->character, sculpt->joints, joint );
    supPoint between = supUnit( supPlus( upper, 1.0, lower ) ), across = { 0.0, between.z, -between.y };
    double side = ( supDots( across, lower ) < 0.0 ) == isLower ? -1.0 : 1.0;
    supPoint arm = supPlus( p, -1.0, at );
    double inside = fmin( fmax( supDots( arm, between ) / soft, 0.0 ), 1.0 ), past = -side * supDots( arm, across );
    double pressed = past > soft ? past : past > -soft ? ( past + soft ) * ( past + soft ) / ( 4.0 * soft ) : 0.0;
    double own = fmin( fabs( 2.0 * lowerShare - 1.0 ), 1.0 ); // the skin between the two gives way to neither
    pressed *= own * inside * inside * ( 3.0 - 2.0 * inside );
    p = supPlus( p, side * pressed, across );
    p.x += 0.3 * pressed * arm.x / ( fabs( arm.x ) + soft );
    return p;
}

/// Six times the volume within a skin.
static double supSixVolumes( const supMeshView* mesh, const float* skin )
{
    double sum = 0.0;
    for ( int32_t i = 0; i + 2 < mesh->indexCount; i += 3 )
    {
        const float *a = skin + 3 * mesh->indices[i], *b = skin + 3 * mesh->indices[i + 1],
                    *c = skin + 3 * mesh->indices[i + 2];
        sum += (double)a[0] * ( (double)b[1] * (double)c[2] - (double)b[2] * (double)c[1] ) +
               (double)a[1] * ( (double)b[2] * (double)c[0] - (double)b[0] * (double)c[2] ) +
               (double)a[2] * ( (double)b[0] * (double)c[1] - (double)b[1] * (double)c[0] );
    }
    return sum;
}

static void supShapeSwollen( const supSculptedJoints* sculpt, double swell, float* out )
{
    const supCharacter* character = sculpt->character;
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        size_t first = (size_t)v * (size_t)mesh.influenceCount;
        supHanging on = { mesh.influenceCount, mesh.jointIndices + first, mesh.weights + first,
            supCharacter_Info( character )->paletteJoints + mesh.firstPalette };
        supPoint straight = supPointOf( rest[v] ),
                 off = supPlus( straight, -1.0, supMiddleOf( sculpt, &on, straight ) );
        supPoint p = supKeepSection( sculpt, &on, swell, straight );
        double thickness = sqrt( supDots( off, off ) );
        for ( int i = 0; i < sculpt->count; ++i )
        {
            int32_t joint = sculpt->bent[i], parent = supCharacter_Joint( character, joint )->parent;
            double lower = 0.0, near = 0.0;
            for ( int32_t k = 0; k < on.count; ++k )
            {
                int32_t own = on.joints[on.indices[k]];
                lower += supHangsBelow( character, joint, own ) ? (double)on.weights[k] : 0.0;
                near += own == joint || own == parent ? (double)on.weights[k] : 0.0;
            }
            p = near > 0.95 && sculpt->presses ? supPress( sculpt, joint, lower, 0.5 * thickness + 1e-6, p ) : p;
        }
        out[3 * v] = (float)p.x;
        out[3 * v + 1] = (float)p.y;
        out[3 * v + 2] = (float)p.z;
    }
}

void supSculptedJoints_Shape( const supSculptedJoints* sculpt, float* out )
{
    supMeshView mesh = supCharacter_Mesh( sculpt->character, 0 );
    double rest = supSixVolumes( &mesh, supCharacter_Info( sculpt->character )->restPositions );
    double at[2] = { 0.0, 0.05 }, off[2];
    supShapeSwollen( sculpt, at[0], out );
    off[0] = supSixVolumes( &mesh, out ) - rest;
    for ( int i = 0; i < 6 && sculpt->keeps && fabs( off[0] ) > 1e-7 * rest; ++i )
    {
        supShapeSwollen( sculpt, at[1], out );
        off[1] = supSixVolumes( &mesh, out ) - rest;
        double next = at[1] - off[1] * ( at[1] - at[0] ) / ( off[1] - off[0] );
        at[0] = at[1];
        off[0] = off[1];
        at[1] = next;
    }
}
