#include "support/mannequin.h"

#include "base/math.h"
#include "support/two_bones.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostJoints = 80,
    supMostRings = 400,
    supAround = 14,
    supKeys = 31,
    supMostChain = 8,
    supHeld = 8, // influences of a vertex
};

typedef struct supDoll
{
    supMannequinDef def;
    int32_t jointCount;
    char names[supMostJoints][24];
    char given[supMostJoints][220]; ///< what the file calls them
    supJointDef joints[supMostJoints];
    supVec3 at[supMostJoints]; ///< at rest, model space; joints have no rotation there
    supMat34 inverseBind[supMostJoints];
    int32_t skinJoints[supMostJoints];
    int32_t vertexCount, indexCount;
    float positions[3 * supMostRings * supAround];
    float weights[supHeld * supMostRings * supAround];
    uint16_t influences[supHeld * supMostRings * supAround];
    uint32_t indices[6 * supMostRings * supAround];
    int32_t firstVertex[4], firstIndex[4], meshCount;
    supMeshDef meshes[4];
    float times[supKeys];
    float rotations[supMostJoints][4 * supKeys];
    float bounce[3 * supKeys];
    supTrackDef tracks[supMostJoints + 1];
    int32_t trackCount;
} supDoll;

/// A row of joints along a tube; the tube goes on past the last one.
typedef struct supChain
{
    int32_t count, joints[supMostChain];
} supChain;

static int32_t supAddJoint( supDoll* doll, const char* name, char side, int32_t parent, float x, float y, float z )
{
    int32_t j = doll->jointCount++;
    snprintf( doll->names[j], sizeof( doll->names[j] ), side != 0 ? "%s.%c" : "%s", name, side );
    doll->at[j] = supMakeVec3( x, y, z );
    supVec3 local = parent >= 0 ? supSub( doll->at[j], doll->at[parent] ) : doll->at[j];
    doll->joints[j] =
        ( supJointDef ){ doll->names[j], parent, { local, { 0, 0, 0, 1 }, { 1, 1, 1 } }, NULL, NULL, false };
    doll->inverseBind[j] = supMat34_identity;
    doll->inverseBind[j].t = supNeg( doll->at[j] );
    doll->skinJoints[j] = j;
    return j;
}

static void supAddTo( supChain* chain, int32_t joint )
{
    chain->joints[chain->count++] = joint;
}

/// Which joints hold a point `s` metres down a chain: one passes to the next over 8 cm.
static void supHold( const supDoll* doll, const supChain* chain, float s, float* held )
{
    float along = 0.0f;
    memset( held, 0, sizeof( float ) * supMostJoints );
    held[chain->joints[0]] = 1.0f;
    for ( int32_t i = 1; i < chain->count; ++i )
    {
        along += supDistance( doll->at[chain->joints[i - 1]], doll->at[chain->joints[i]] );
        float share = fminf( fmaxf( ( s - along ) / 0.08f + 0.5f, 0.0f ), 1.0f );
        if ( doll->def.gradual && strncmp( doll->names[chain->joints[i]], "line", 4 ) == 0 )
        {
            float before = supDistance( doll->at[chain->joints[i - 1]], doll->at[chain->joints[i]] );
            share = fminf( fmaxf( ( s - along + before ) / ( 2.0f * before ), 0.0f ), 1.0f );
        }
        held[chain->joints[i - 1]] *= 1.0f - share;
        held[chain->joints[i]] = share;
    }
}

/// A breast takes up to nine tenths of the skin around it.
static void supShareBreasts( const supDoll* doll, supVec3 p, float* held )
{
    for ( int32_t j = 0; j < doll->jointCount; ++j )
    {
        float share = 0.9f * fmaxf( 0.0f, 1.0f - supDistance( p, doll->at[j] ) / 0.12f );
        if ( strncmp( doll->names[j], "breast", 6 ) == 0 && share > 0.0f )
        {
            for ( int32_t k = 0; k < doll->jointCount; ++k )
            {
                held[k] *= 1.0f - share;
            }
            held[j] += share;
        }
    }
}

/// A joint beside a bone takes half of the skin of the bone's far half.
static void supShareBeside( const supDoll* doll, supVec3 center, float* held )
{
    for ( int32_t j = 0; j < doll->jointCount; ++j )
    {
        int32_t bone = doll->joints[j].parent;
        bool beside = strncmp( doll->names[j], "beside", 6 ) == 0,
             corrective = strncmp( doll->names[j], "fix", 3 ) == 0;
        if ( bone < 0 || !( beside || corrective ) || held[bone] == 0.0f )
        {
            continue;
        }
        float away = supDistance( center, doll->at[j] );
        float share =
            beside
                ? ( supDistance( center, doll->at[bone] ) > supDistance( doll->at[j], doll->at[bone] ) ? 0.5f : 0.0f )
                : 0.4f * fmaxf( 0.0f, 1.0f - away / 0.06f );
        held[j] += share * held[bone];
        held[bone] *= 1.0f - share;
    }
}

static void supAddVertex( supDoll* doll, supVec3 p, const float* held )
{
    int32_t v = doll->vertexCount++;
    memcpy( doll->positions + 3 * v, &p, sizeof( p ) );
    for ( int k = 0; k < supHeld; ++k )
    {
        doll->influences[supHeld * v + k] = 0;
        doll->weights[supHeld * v + k] = 0.0f;
    }
    int k = 0;
    for ( int32_t j = 0; j < doll->jointCount && k < supHeld; ++j )
    {
        if ( held[j] > 0.0f )
        {
            doll->influences[supHeld * v + k] = (uint16_t)j;
            doll->weights[supHeld * v + k++] = held[j];
        }
    }
}

/// A closed tube from a to b with radii ra and rb. `s0`: how far down the chain it begins.
static void supAddTube(
    supDoll* doll, const supChain* chain, supVec3 a, supVec3 b, float ra, float rb, float s0, int rings )
{
    supVec3 along = supSub( b, a );
    supVec3 side = fabsf( along.y ) > 0.7f * supLength( along ) ? supMakeVec3( 1, 0, 0 ) : supMakeVec3( 0, 1, 0 );
    supVec3 u = supNormalize( supCross( along, side ) ), w = supNormalize( supCross( along, u ) );
    uint32_t first = (uint32_t)( doll->vertexCount - doll->firstVertex[doll->meshCount] );
    float held[supMostJoints];
    for ( int r = 0; r < rings; ++r )
    {
        float t = (float)r / (float)( rings - 1 ),
              cap = sqrtf( fmaxf( 0.0f, 1.0f - powf( fabsf( 2.0f * t - 1.0f ), 12.0f ) ) );
        float radius = ( ra + t * ( rb - ra ) ) * fmaxf( cap, 0.05f );
        supVec3 center = supMulAdd( a, t, along );
        supHold( doll, chain, s0 + t * supLength( along ), held );
        supShareBeside( doll, center, held );
        for ( int k = 0; k < supAround; ++k )
        {
            double angle = 2.0 * 3.14159265358979 * k / supAround;
            supVec3 p =
                supMulAdd( supMulAdd( center, radius * (float)cos( angle ), u ), radius * (float)sin( angle ), w );
            float own[supMostJoints];
            memcpy( own, held, sizeof( own ) );
            supShareBreasts( doll, p, own );
            supAddVertex( doll, p, own );
            uint32_t q = first + (uint32_t)( r * supAround + k ),
                     n = first + (uint32_t)( r * supAround + ( k + 1 ) % supAround );
            const uint32_t quad[6] = { q, n, q + supAround, q + supAround, n, n + supAround };
            for ( int i = 0; i < 6 && r + 1 < rings; ++i )
            {
                doll->indices[doll->indexCount++] = quad[i];
            }
        }
    }
}

static void supEndMesh( supDoll* doll, const char* name )
{
    int32_t m = doll->meshCount++, first = doll->firstVertex[m], index = doll->firstIndex[m];
    doll->meshes[m] = ( supMeshDef ){ .name = name,
        .joint = 0,
        .skin = 0,
        .vertexCount = doll->vertexCount - first,
        .positions = doll->positions + 3 * first,
        .influenceCount = supHeld,
        .jointIndices = doll->influences + supHeld * first,
        .weights = doll->weights + supHeld * first,
        .indexCount = doll->indexCount - index,
        .indices = doll->indices + index,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    doll->firstVertex[m + 1] = doll->vertexCount;
    doll->firstIndex[m + 1] = doll->indexCount;
}

// ---------------------------------------------------------------------------------------------------------------
// The body

/// A bone from `from` to `to`, with whatever hangs on it. Gives the joint that the next one hangs on.
static int32_t supAddBone(
    supDoll* doll, supChain* chain, const char* name, char side, int32_t parent, supVec3 from, supVec3 to )
{
    int32_t bone = supAddJoint( doll, name, side, parent, from.x, from.y, from.z ), last = bone;
    supAddTo( chain, bone );
    char text[24];
    supVec3 middle = supScale( supAdd( from, to ), 0.5f );
    bool upper = strcmp( name, "upperArm" ) == 0 || strcmp( name, "thigh" ) == 0;
    if ( doll->def.twistsInLine || ( upper ? doll->def.twistsUpper : doll->def.twistsLower ) )
    {
        snprintf( text, sizeof( text ), "line_%s", name );
        last = supAddJoint( doll, text, side, bone, middle.x, middle.y, middle.z );
        supAddTo( chain, last );
    }
    if ( doll->def.twistsBeside )
    {
        snprintf( text, sizeof( text ), "beside_%s", name );
        supAddJoint( doll, text, side, bone, middle.x, middle.y, middle.z );
    }
    if ( doll->def.helpers )
    {
        snprintf( text, sizeof( text ), "fix_%s", name );
        supAddJoint( doll, text, side, bone, to.x, to.y, to.z - 0.03f );
        snprintf( text, sizeof( text ), "pole_%s", name );
        supAddJoint( doll, text, side, 0, to.x, to.y, to.z + 0.5f );
        snprintf( text, sizeof( text ), "ik_%s", name );
        supAddJoint( doll, text, side, 0, to.x, to.y, to.z );
    }
    return last;
}

typedef struct supDollLimbs
{
    supChain arm, leg;
} supDollLimbs;

typedef struct supDollJoints
{
    supChain trunk;
    int32_t hips, head;
    supDollLimbs left, right;
} supDollJoints;

static supDollLimbs supAddLimbJoints( supDoll* doll, int32_t hips, int32_t chest, float x, char side )
{
    supDollLimbs limbs = { { 0 }, { 0 } };
    int32_t clavicle = supAddJoint( doll, "clavicle", side, chest, 0.04f * x, 1.42f, 0.0f );
    supAddTo( &limbs.arm, clavicle );
    int32_t last = supAddBone( doll, &limbs.arm, "upperArm", side, clavicle, supMakeVec3( 0.18f * x, 1.42f, 0.0f ),
        supMakeVec3( 0.46f * x, 1.42f, 0.0f ) );
    last = supAddBone( doll, &limbs.arm, "foreArm", side, last, supMakeVec3( 0.46f * x, 1.42f, 0.0f ),
        supMakeVec3( 0.72f * x, 1.42f, 0.0f ) );
    last = supAddJoint( doll, "hand", side, last, 0.72f * x, 1.42f, 0.0f );
    supAddTo( &limbs.arm, last );
    supAddTo( &limbs.arm, supAddJoint( doll, "fingers", side, last, 0.82f * x, 1.42f, 0.0f ) );
    last = supAddBone( doll, &limbs.leg, "thigh", side, hips, supMakeVec3( 0.1f * x, 0.92f, 0.0f ),
        supMakeVec3( 0.1f * x, 0.5f, 0.0f ) );
    last = supAddBone( doll, &limbs.leg, "shin", side, last, supMakeVec3( 0.1f * x, 0.5f, 0.0f ),
        supMakeVec3( 0.1f * x, 0.09f, 0.0f ) );
    last = supAddJoint( doll, "foot", side, last, 0.1f * x, 0.09f, 0.0f );
    supAddTo( &limbs.leg, last );
    supAddTo( &limbs.leg, supAddJoint( doll, "toes", side, last, 0.1f * x, 0.03f, 0.12f ) );
    return limbs;
}

static void supAddLimbTubes( supDoll* doll, const supDollLimbs* limbs, float x )
{
    supVec3 ankle = supMakeVec3( 0.1f * x, 0.06f, 0.0f );
    supAddTube( doll, &limbs->arm, supMakeVec3( 0.04f * x, 1.42f, 0.0f ), supMakeVec3( 0.9f * x, 1.42f, 0.0f ), 0.05f,
        0.04f, 0.0f, 44 );
    supAddTube( doll, &limbs->leg, supMakeVec3( 0.1f * x, 0.92f, 0.0f ), ankle, 0.09f, 0.055f, 0.0f, 44 );
    supAddTube( doll, &limbs->leg, ankle, supMakeVec3( 0.1f * x, 0.02f, 0.2f ), 0.045f, 0.03f, 0.85f, 10 );
}

/// A ring of iron around the left upper arm, and a helmet.
static void supAddArmour( supDoll* doll, const supDollLimbs* left, int32_t head )
{
    supChain arm = { 1, { left->arm.joints[1] } }, helmet = { 1, { head } };
    supAddTube(
        doll, &arm, supMakeVec3( 0.24f, 1.42f, 0.0f ), supMakeVec3( 0.4f, 1.42f, 0.0f ), 0.065f, 0.065f, 0.0f, 8 );
    supEndMesh( doll, "plate" );
    supAddTube(
        doll, &helmet, supMakeVec3( 0.0f, 1.64f, 0.0f ), supMakeVec3( 0.0f, 1.78f, 0.0f ), 0.12f, 0.12f, 0.0f, 8 );
    supEndMesh( doll, "helmet" );
}

/// Hard things in the body's own mesh: a plate on the thigh, a belt, and a piston held half and half across the knee.
static void supAddShells( supDoll* doll, const supDollLimbs* limbs, int32_t hips, float x )
{
    supChain thigh = { 1, { limbs->leg.joints[0] } }, belt = { 1, { hips } };
    supAddTube( doll, &thigh, supMakeVec3( 0.1f * x, 0.8f, 0.1f ), supMakeVec3( 0.1f * x, 0.62f, 0.1f ), 0.03f, 0.03f,
        0.0f, 8 );
    if ( x > 0.0f )
    {
        supAddTube(
            doll, &belt, supMakeVec3( 0.0f, 1.0f, 0.0f ), supMakeVec3( 0.0f, 1.05f, 0.0f ), 0.2f, 0.2f, 0.0f, 8 );
    }
    int32_t first = doll->vertexCount;
    supAddTube( doll, &thigh, supMakeVec3( 0.1f * x, 0.56f, 0.1f ), supMakeVec3( 0.1f * x, 0.44f, 0.1f ), 0.02f, 0.02f,
        0.0f, 8 );
    for ( int32_t v = first; v < doll->vertexCount; ++v )
    {
        doll->weights[supHeld * v] = 0.5f;
        doll->influences[supHeld * v + 1] = (uint16_t)limbs->leg.joints[1];
        doll->weights[supHeld * v + 1] = 0.5f;
    }
}

/// A rigid block on every joint of a chain but the last, from it to the next, with air between them.
static void supAddBlocks( supDoll* doll, const supChain* chain, int32_t first, float radius )
{
    for ( int32_t i = first; i + 1 < chain->count; ++i )
    {
        supChain one = { 1, { chain->joints[i] } };
        supVec3 a = doll->at[chain->joints[i]], b = doll->at[chain->joints[i + 1]];
        supAddTube( doll, &one, supLerp( a, b, 0.04f ), supLerp( a, b, 0.96f ), radius, radius, 0.0f, 12 );
    }
}

/// The names that the file gives to its joints.
static void supNameJoints( supDoll* doll )
{
    const char* const taken[3][2] = { { "upperArm.L", "belly" }, { "thigh.L", "chest" }, { "thigh.R", "bottom" } };
    for ( int32_t j = 0; j < doll->jointCount; ++j )
    {
        char* given = doll->given[j];
        memcpy( given, doll->names[j], sizeof( doll->names[j] ) );
        for ( int i = 0; i < 3 && doll->def.clashes; ++i )
        {
            if ( strcmp( doll->names[j], taken[i][0] ) == 0 )
            {
                snprintf( given, sizeof( doll->given[j] ), "%s", taken[i][1] );
            }
        }
        if ( doll->def.scrambled )
        {
            snprintf( given, sizeof( doll->given[j] ), "q%d", ( j * 37 + 11 ) % 101 );
        }
        if ( doll->def.longNames )
        {
            memset( given, 'n', 200 );
            given[200] = '\0';
        }
        doll->joints[j].name = given;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The clip: runs in place

static void supTurn( supDoll* doll, const char* name, supVec3 axis, float size, float phase )
{
    for ( int32_t j = 0; j < doll->jointCount; ++j )
    {
        if ( strcmp( doll->names[j], name ) != 0 )
        {
            continue;
        }
        for ( int k = 0; k < supKeys; ++k )
        {
            double angle = 0.5 * (double)size * sin( 6.283185307 * k / ( supKeys - 1 ) + (double)phase );
            float* q = doll->rotations[j] + 4 * k;
            q[0] = axis.x * (float)sin( angle );
            q[1] = axis.y * (float)sin( angle );
            q[2] = axis.z * (float)sin( angle );
            q[3] = (float)cos( angle );
        }
        doll->tracks[doll->trackCount++] = ( supTrackDef ){ j, sup_pathRotation, sup_interpolationLinear, supKeys,
            doll->times, doll->rotations[j], 4 };
    }
}

static void supMoveLimbs( supDoll* doll, char side, float phase )
{
    const struct
    {
        const char* name;
        supVec3 axis;
        float size;
    } turns[] = { { "upperArm", { 0, 0, 1 }, 0.9f }, { "foreArm", { 0, 1, 0 }, 0.8f }, { "hand", { 0, 0, 1 }, 0.3f },
        { "thigh", { 1, 0, 0 }, 0.7f }, { "shin", { 1, 0, 0 }, 0.7f }, { "foot", { 1, 0, 0 }, 0.3f },
        { "line_upperArm", { 1, 0, 0 }, 0.3f }, { "line_foreArm", { 1, 0, 0 }, 0.5f },
        { "line_thigh", { 0, 1, 0 }, 0.2f }, { "line_shin", { 0, 1, 0 }, 0.2f },
        { "beside_upperArm", { 1, 0, 0 }, 0.3f }, { "beside_thigh", { 0, 1, 0 }, 0.2f } };
    for ( size_t i = 0; i < sizeof( turns ) / sizeof( turns[0] ); ++i )
    {
        char name[24];
        snprintf( name, sizeof( name ), "%s.%c", turns[i].name, side );
        if ( doll->def.twistsStill && strncmp( name, "line", 4 ) == 0 )
        {
            continue;
        }
        supTurn( doll, name, turns[i].axis, turns[i].size, phase );
    }
}

static void supAddMotion( supDoll* doll, int32_t hips )
{
    for ( int k = 0; k < supKeys; ++k )
    {
        doll->times[k] = (float)k / (float)( supKeys - 1 );
        doll->bounce[3 * k + 1] = 1.0f + 0.06f * (float)sin( 4.0 * 3.14159265358979 * k / ( supKeys - 1 ) );
    }
    doll->tracks[doll->trackCount++] =
        ( supTrackDef ){ hips, sup_pathTranslation, sup_interpolationLinear, supKeys, doll->times, doll->bounce, 3 };
    supMoveLimbs( doll, 'L', 0.0f );
    supMoveLimbs( doll, 'R', 3.14159265f );
}

static supDollJoints supAddJoints( supDoll* doll )
{
    supDollJoints out = { .trunk = { 0 } };
    int32_t root = supAddJoint( doll, "root", 0, -1, 0.0f, 0.0f, 0.0f );
    out.hips = supAddJoint( doll, "hips", 0, root, 0.0f, 1.0f, 0.0f );
    int32_t spine = supAddJoint( doll, "spine", 0, out.hips, 0.0f, 1.15f, 0.0f );
    int32_t chest = supAddJoint( doll, "chest", 0, spine, 0.0f, 1.32f, 0.0f );
    int32_t neck = supAddJoint( doll, "neck", 0, chest, 0.0f, 1.5f, 0.0f );
    out.head = supAddJoint( doll, "head", 0, neck, 0.0f, 1.6f, 0.0f );
    const int32_t row[] = { out.hips, spine, chest, neck, out.head };
    for ( int i = 0; i < 5; ++i )
    {
        supAddTo( &out.trunk, row[i] );
    }
    if ( doll->def.breasts )
    {
        supAddJoint( doll, "breast", 'L', chest, 0.07f, 1.36f, 0.12f );
        supAddJoint( doll, "breast", 'R', chest, -0.07f, 1.36f, 0.12f );
    }
    out.left = supAddLimbJoints( doll, out.hips, chest, 1.0f, 'L' );
    out.right = supAddLimbJoints( doll, out.hips, chest, -1.0f, 'R' );
    if ( doll->def.pectorals )
    {
        supAddJoint( doll, "breast", 'L', out.left.arm.joints[0], 0.07f, 1.36f, 0.12f );
        supAddJoint( doll, "breast", 'R', out.right.arm.joints[0], -0.07f, 1.36f, 0.12f );
    }
    return out;
}

static void supAddBody( supDoll* doll, const supDollJoints* joints )
{
    const supDollLimbs* sides[2] = { &joints->left, &joints->right };
    if ( doll->def.blocks )
    {
        supAddBlocks( doll, &joints->trunk, 0, 0.12f );
    }
    else
    {
        supAddTube( doll, &joints->trunk, supMakeVec3( 0.0f, 0.88f, 0.0f ), supMakeVec3( 0.0f, 1.5f, 0.0f ), 0.16f,
            0.14f, -0.12f, 32 );
        supAddTube( doll, &joints->trunk, supMakeVec3( 0.0f, 1.5f, 0.0f ), supMakeVec3( 0.0f, 1.75f, 0.0f ), 0.07f,
            0.1f, 0.5f, 12 );
    }
    for ( int i = 0; i < 2; ++i )
    {
        float x = i == 0 ? 1.0f : -1.0f;
        if ( doll->def.blocks || doll->def.blockLimbs )
        {
            supAddBlocks( doll, &sides[i]->arm, 1, 0.045f );
            supAddBlocks( doll, &sides[i]->leg, 0, 0.07f );
        }
        else
        {
            supAddLimbTubes( doll, sides[i], x );
        }
    }
    for ( int i = 0; i < 2 && doll->def.shells; ++i )
    {
        supAddShells( doll, sides[i], joints->hips, i == 0 ? 1.0f : -1.0f );
    }
    supEndMesh( doll, "body" );
    if ( doll->def.armour )
    {
        supAddArmour( doll, &joints->left, joints->head );
    }
}

supCharacter* supMakeMannequin( supMannequinDef def )
{
    supDoll* doll = calloc( 1, sizeof( supDoll ) );
    doll->def = def;
    supDollJoints joints = supAddJoints( doll );
    supAddBody( doll, &joints );
    if ( !def.still )
    {
        supAddMotion( doll, joints.hips );
    }
    supNameJoints( doll );
    supSkinDef skin = { "doll", doll->jointCount, doll->skinJoints, doll->inverseBind };
    supClipDef clip = { "run", doll->trackCount, doll->tracks };
    supCharacterDef out = supDefaultCharacterDef();
    out.name = "mannequin";
    out.jointCount = doll->jointCount;
    out.joints = doll->joints;
    out.skinCount = 1;
    out.skins = &skin;
    out.meshCount = doll->meshCount;
    out.meshes = doll->meshes;
    out.clipCount = def.still ? 0 : 1;
    out.clips = &clip;
    supCharacter* character = supTestCreate( &out );
    free( doll );
    return character;
}
