// The fourth paper's cases by its own way: an arm, a finger and a leg from one pose each; a knee beside LBS and DQS;
// where the equation's numbers count; curves and lofted surfaces of an arm, a hand and a whole body.
// SPDX-License-Identifier: MIT
//
// Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential equations",
// 2013, figures 1 and 6 to 9, and 11. With a folder it draws the pictures of docs/correctives.md into it. The sculpts
// are formulas (paper/sculpted_joint.h), so what a pose should look like is known everywhere.
#include "paper/film_strip.h"
#include "paper/sculpted_joint.h"
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/lab/drawing.h"
#include "supple/lab/patches.h"
#include "supple/lab/sewn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supPoses = 6, // j = 0 to 5, as in the paper
};

typedef struct supCase
{
    const char *figure, *creature, *words;
    int jointCount;
    const char* joints[3]; // that bend
    float degrees[3];      // in the example, about x
    int partCount;
    const char* part[4];
    int curves, nodes;
    float yaw;
} supCase;

static const supCase sup_cases[] = {
    { "arm_fine", "arm", "figure 6: arm, 31 curves of 103 nodes", 1, { "fore" }, { 110.0f }, 3,
        { "upper", "fore", "hand" }, 31, 103, 62.0f },
    { "arm", "arm", "figure 7: arm, 34 curves of 27 nodes", 1, { "fore" }, { 110.0f }, 3, { "upper", "fore", "hand" },
        34, 27, 62.0f },
    { "finger", "finger", "figure 8: finger, 64 curves of 22 nodes", 2, { "middle", "last" }, { 95.0f, 60.0f }, 3,
        { "knuckle", "middle", "last" }, 64, 22, 62.0f },
    { "leg", "leg", "figure 9: a horse's leg, 36 curves of 31 nodes", 3, { "shin", "cannon", "hoof" },
        { 30.0f, -55.0f, 62.0f }, 4, { "thigh", "shin", "cannon", "hoof" }, 36, 31, 90.0f },
};

// ---------------------------------------------------------------------------------------------------------------
// Sculpts as poses, a body that follows them

typedef struct supScene
{
    supCreature* creature;
    const supCharacter* character;
    supSculptedJoints sculpt;
    supModel* model;
    supBody* body;
    int32_t vertexCount;
    float *skins[3], *target; // by beams, LBS, DQS; the sculpt
    int32_t* all;             // the vertices' numbers
} supScene;

/// How curves go from pose to pose.
typedef struct supWay
{
    const char* words;
    int use, ends, between; // of supBeamsDef
    bool forced;            // pushed from behind, between the poses
    float middle;           // stiffness of the middle, against the ends
    int poseCount;
    double shares[2]; // of the case's degrees, at the poses
} supWay;

static const supWay sup_plainWay = { "", sup_beamsCorrect, sup_endsJoints, sup_betweenSmooth, false, 1.0f, 1, { 1.0 } };

/// The sculpt at a share of the case's bend, as a pose. `moves`: of all vertices.
static supBeamPose supSculptPose(
    supScene* s, const supCase* c, double share, supVec3* turns, supVertexValues* list, supVec3* moves )
{
    supSculptedJoints_Pose( &s->sculpt, share );
    supSculptedJoints_Skin( &s->sculpt, sup_skinningLinear, s->skins[1] );
    supSculptedJoints_Shape( &s->sculpt, s->target );
    const supVec3 *wanted = (const supVec3*)s->target, *smooth = (const supVec3*)s->skins[1];
    for ( int32_t v = 0; v < s->vertexCount; ++v )
    {
        moves[v] = ( supVec3 ){ wanted[v].x - smooth[v].x, wanted[v].y - smooth[v].y, wanted[v].z - smooth[v].z };
    }
    for ( int i = 0; i < c->jointCount; ++i )
    {
        turns[i] = ( supVec3 ){ (float)share * c->degrees[i], 0.0f, 0.0f };
    }
    *list = ( supVertexValues ){ supCharacter_Mesh( s->character, 0 ).name, 0, s->vertexCount, s->all,
        (const float*)moves };
    supBeamPose pose = supDefaultBeamPose();
    pose.pose = ( supPointList ){ c->jointCount, turns };
    pose.moves = ( supVertexValueList ){ 1, list, supCharacter_Info( s->character )->fingerprint };
    pose.space = sup_examplePosed;
    return pose;
}

static supResult supCompileCase( const supCase* c, const supWay* way, supScene* s, supError* error )
{
    supVec3 *moves = (supVec3*)malloc( 2 * sizeof( supVec3 ) * (size_t)s->vertexCount ), turns[2][3];
    supVertexValues lists[2];
    supBeamPose poses[2];
    for ( int e = 0; e < way->poseCount; ++e )
    {
        poses[e] =
            supSculptPose( s, c, way->shares[e], turns[e], lists + e, moves + (size_t)e * (size_t)s->vertexCount );
    }
    const float keys[6] = { 0.0f, 1.0f, 0.5f, way->middle, 1.0f, 1.0f };
    supBeamForce force = supDefaultBeamForce();
    force.force = ( supVec3 ){ 0.0f, 0.0f, -0.06f };
    force.from = 0.35f;
    force.to = 0.65f;
    supBeamsDef def = supDefaultBeamsDef();
    def.joints = ( supNameList ){ c->jointCount, c->joints };
    def.part = ( supNameList ){ c->partCount, c->part };
    def.poses = ( supItemList ){ way->poseCount, poses };
    def.forces = ( supItemList ){ way->forced ? 1 : 0, &force };
    def.use = way->use;
    def.ends = way->ends;
    def.between = way->between;
    def.stiffness = ( supKeyList ){ 3, keys };
    def.curves = (float)c->curves;
    def.nodes = (float)c->nodes;
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "beams" ), &def, error ) : result;
    result = result == sup_success ? supCompileModel( s->character, rig, &s->model, error ) : result;
    result = result == sup_success ? supCreateBody( s->model, &s->body, error ) : result;
    supDestroyRig( rig );
    free( moves );
    return result;
}

static supResult supOpenScene( const supCase* c, const supWay* way, supScene* s, supError* error )
{
    *s = ( supScene ){ 0 };
    supResult result = supCreateCreature( c->creature, NULL, &s->creature, error );
    if ( result != sup_success )
    {
        return result;
    }
    s->character = supCreature_Character( s->creature );
    s->vertexCount = supCharacter_Info( s->character )->vertexCount;
    for ( int i = 0; i < 3; ++i )
    {
        s->skins[i] = (float*)malloc( sizeof( supVec3 ) * (size_t)s->vertexCount );
    }
    s->target = (float*)malloc( sizeof( supVec3 ) * (size_t)s->vertexCount );
    s->all = (int32_t*)malloc( sizeof( int32_t ) * (size_t)s->vertexCount );
    for ( int32_t v = 0; v < s->vertexCount; ++v )
    {
        s->all[v] = v;
    }
    supOpenSculptedJoints( &s->sculpt, s->character, c->joints, c->degrees, c->jointCount );
    s->sculpt.presses = strcmp( c->creature, "leg" ) != 0;
    s->sculpt.keeps = true;
    return supCompileCase( c, way, s, error );
}

static void supCloseScene( supScene* s )
{
    supCloseSculptedJoints( &s->sculpt );
    supDestroyBody( s->body );
    supDestroyModel( s->model );
    supDestroyCreature( s->creature );
    for ( int i = 0; i < 3; ++i )
    {
        free( s->skins[i] );
    }
    free( s->target );
    free( s->all );
}

/// All three skins, and the sculpt, at a share of the case's bend.
static supResult supShow( supScene* s, double share )
{
    supSculptedJoints_Pose( &s->sculpt, share );
    supSculptedJoints_Skin( &s->sculpt, sup_skinningLinear, s->skins[1] );
    supSculptedJoints_Skin( &s->sculpt, sup_skinningDualQuaternion, s->skins[2] );
    supSculptedJoints_Shape( &s->sculpt, s->target );
    supResult result = supBody_Step( s->body, s->sculpt.joints, supMat34_identity, 0.0f );
    if ( result == sup_success )
    {
        supBody_Skin( s->body, s->skins[0], NULL );
    }
    return result;
}

static double supFarthest( const float* a, const float* b, int32_t count )
{
    double most = 0.0;
    for ( int32_t v = 0; v < count; ++v )
    {
        double x = (double)a[3 * v] - (double)b[3 * v], y = (double)a[3 * v + 1] - (double)b[3 * v + 1],
               z = (double)a[3 * v + 2] - (double)b[3 * v + 2];
        most = fmax( most, sqrt( x * x + y * y + z * z ) );
    }
    return most;
}

static double supVolume( const supCharacter* character, const float* skin )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    double sum = 0.0;
    for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
    {
        const float *a = skin + 3 * mesh.indices[i], *b = skin + 3 * mesh.indices[i + 1],
                    *c = skin + 3 * mesh.indices[i + 2];
        sum += (double)a[0] * ( (double)b[1] * (double)c[2] - (double)b[2] * (double)c[1] ) +
               (double)a[1] * ( (double)b[2] * (double)c[0] - (double)b[0] * (double)c[2] ) +
               (double)a[2] * ( (double)b[0] * (double)c[1] - (double)b[1] * (double)c[0] );
    }
    return sum / 6.0;
}

/// Volume against rest, as a share.
static double supGain( const supScene* s, int skin )
{
    return supVolume( s->character, s->skins[skin] ) /
               supVolume( s->character, supCharacter_Info( s->character )->restPositions ) -
           1.0;
}

/// The mean curvature at each vertex, from its neighbours: on a ball of radius r they lie e^2 / 2r below the tangent
/// plane. 1/m; below 0 in a dent. Vertices of a seam count by themselves.
static void supCurvatures( const supCharacter* character, const float* skin, double* out )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    double* sums = (double*)calloc( 8 * (size_t)mesh.vertexCount, sizeof( double ) ); // normal, way, square, count
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        uint32_t a = mesh.indices[i], b = mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
        uint32_t c = mesh.indices[i % 3 == 0 ? i + 2 : i - 1];
        double ab[3], ac[3], *own = sums + 8 * (size_t)a;
        for ( uint32_t k = 0; k < 3; ++k )
        {
            ab[k] = (double)skin[3 * b + k] - (double)skin[3 * a + k];
            ac[k] = (double)skin[3 * c + k] - (double)skin[3 * a + k];
        }
        for ( int k = 0; k < 3; ++k )
        {
            own[k] += ab[( k + 1 ) % 3] * ac[( k + 2 ) % 3] - ab[( k + 2 ) % 3] * ac[( k + 1 ) % 3];
            own[3 + k] += ab[k];
            own[6] += ab[k] * ab[k];
        }
    }
    for ( int32_t v = 0; v < mesh.vertexCount; ++v )
    {
        const double* own = sums + 8 * (size_t)v;
        double length = sqrt( own[0] * own[0] + own[1] * own[1] + own[2] * own[2] );
        double below = own[0] * own[3] + own[1] * own[4] + own[2] * own[5];
        out[v] = length * own[6] > 0.0 ? -2.0 * below / ( length * own[6] ) : 0.0;
    }
    free( sums );
}

/// How much more dented a skin is than the sculpt, at most, where the sculpt moves LBS by more than a thousandth of the
/// size. 1/m.
static double supDeepestDent( const supScene* s, int skin )
{
    size_t count = (size_t)s->vertexCount;
    double size = (double)supCharacter_Info( s->character )->size, deepest = 0.0;
    double *own = (double*)malloc( 2 * count * sizeof( double ) ), *wanted = own + count;
    supCurvatures( s->character, s->skins[skin], own );
    supCurvatures( s->character, s->target, wanted );
    for ( size_t v = 0; v < count; ++v )
    {
        bool moved = supFarthest( s->skins[1] + 3 * v, s->target + 3 * v, 1 ) > 1e-3 * size;
        deepest = moved ? fmax( deepest, wanted[v] - own[v] ) : deepest;
    }
    free( own );
    return deepest;
}

/// The pose comes back, or the program fails. Then how far poses between are from their own sculpts, and volumes beside
/// those of LBS and DQS: the largest loss is to be at most half of dual quaternions'.
static supResult supCheckCase( const supCase* c, supScene* s, supError* error )
{
    double size = (double)supCharacter_Info( s->character )->size, off[3] = { 0.0 }, gains[3][2] = { { 0.0 } };
    double dents[3][2] = { { 0.0 } }; // between, and at the last pose
    supResult result = sup_success;
    double back = 0.0;
    for ( int j = 1; j < supPoses && result == sup_success; ++j )
    {
        result = supShow( s, j / ( supPoses - 1.0 ) );
        for ( int i = 0; i < 3; ++i )
        {
            double own = supFarthest( s->skins[i], s->target, s->vertexCount ) / size, gain = supGain( s, i );
            back = i == 0 ? own : back; // of the last pose, in the end
            off[i] = fmax( off[i], own );
            gains[i][0] = fmin( gains[i][0], gain );
            gains[i][1] = fmax( gains[i][1], gain );
            double* dent = &dents[i][j == supPoses - 1];
            *dent = fmax( *dent, supDeepestDent( s, i ) );
        }
    }
    printf( "%s: comes back to %.2g of the size\n", c->words, back );
    for ( int i = 0; i < 3; ++i )
    {
        static const char* const names[3] = { "beams", "LBS", "DQS" };
        printf( "    %-5s largest distance from the sculpts %.2f%% of the size; volume %+.2f%% to %+.2f%%\n", names[i],
            100.0 * off[i], 100.0 * gains[i][0], 100.0 * gains[i][1] );
    }
    printf( "    dents, deepest beyond the sculpt's own, 1/m: at the last pose beams %.2g, LBS %.3g, DQS %.3g; between "
            "%.3g, %.3g, %.3g\n",
        dents[0][1], dents[1][1], dents[2][1], dents[0][0], dents[1][0], dents[2][0] );
    if ( result == sup_success && dents[0][1] > 0.01 * dents[2][1] )
    {
        return supFail( error, sup_errorData, "%s: the pose has a dent that its sculpt has not", c->words );
    }
    if ( result == sup_success && back > 1e-6 )
    {
        return supFail( error, sup_errorData, "%s: the pose does not come back", c->words );
    }
    if ( result == sup_success && gains[0][0] < 0.5 * gains[2][0] )
    {
        return supFail( error, sup_errorData, "%s: it loses more than half of dual quaternions' volume", c->words );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

#ifdef SUP_HAS_SUPPLE_PICTURE
/// Figures 6 to 9: the poses, and the curves in them.
static supResult supDrawPoses( const supCase* c, supScene* s, const char* folder, supError* error )
{
    supFilmStrip strip;
    supResult result = supBeginFilmStrip(
        &strip, s->character, supCreature_Look( s->creature ), supPoses, 2, 250, 330, c->yaw, 8.0f, error );
    for ( int j = 0; result == sup_success && j < supPoses; ++j )
    {
        result = supShow( s, j / ( supPoses - 1.0 ) );
        supFilmStrip_Frame( &strip, s->skins[0], supVec3_zero );
    }
    for ( int j = 0; result == sup_success && j < supPoses; ++j )
    {
        char words[64];
        supStripOverlay curves = { .body = s->body, .names = { "beams" }, .wordless = true };
        snprintf( words, sizeof( words ), j == 0 ? "j = 0: at rest" : j == 5 ? "j = 5: the pose given" : "j = %d", j );
        result = supShow( s, j / ( supPoses - 1.0 ) );
        for ( int row = 0; row < 2 && result == sup_success; ++row )
        {
            result = supFilmStrip_Draw(
                &strip, j, row, s->skins[0], supVec3_zero, row == 1 ? &curves : NULL, row == 0 ? words : NULL, error );
        }
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, c->figure, error ) : result;
    supEndFilmStrip( &strip );
    return result;
}

/// Figure 11: a knee, given at 120 degrees, beside LBS and DQS; the camera sees the left leg alone.
static supResult supDrawKnee( supScene* s, const char* folder, supError* error )
{
    static const double bends[2] = { 120.0, 90.0 };
    static const char* const words[2][3] = { { "120 degrees: the pose given", "LBS", "DQS" },
        { "90 degrees: solved between", "LBS", "DQS" } };
    supFilmStrip strip;
    supResult result =
        supBeginFilmStrip( &strip, s->character, supCreature_Look( s->creature ), 3, 2, 400, 400, 100.0f, 4.0f, error );
    for ( int row = 0; result == sup_success && row < 2; ++row )
    {
        result = supShow( s, bends[row] / 120.0 );
        for ( int32_t v = 0; v < s->vertexCount; ++v )
        {
            const float* rest = supCharacter_Info( s->character )->restPositions + 3 * v;
            if ( rest[0] > 0.02f && rest[1] > 0.2f && rest[1] < 0.75f )
            {
                supFraming_Add( &strip.framing, s->skins[0] + 3 * v, 1, supVec3_zero );
            }
        }
    }
    for ( int i = 0; result == sup_success && i < 6; ++i )
    {
        result = supShow( s, bends[i / 3] / 120.0 );
        result = result == sup_success ? supFilmStrip_Draw( &strip, i % 3, i / 3, s->skins[i % 3], supVec3_zero, NULL,
                                             words[i / 3][i % 3], error )
                                       : result;
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "knee", error ) : result;
    supEndFilmStrip( &strip );
    return result;
}

enum
{
    supWays = 4
};

/// Where the numbers of the equation count: the arm carried by its curves, a quarter bent, from the poses at half and
/// at the whole bend.
static supResult supDrawWays( const char* folder, supError* error )
{
    static const supWay ways[supWays] = {
        { "equation 14 alone", sup_beamsCarry, sup_endsPoses, sup_betweenLinear, false, 1.0f, 2, { 0.5, 1.0 } },
        { "ends by the joints", sup_beamsCarry, sup_endsJoints, sup_betweenLinear, false, 1.0f, 2, { 0.5, 1.0 } },
        { "and a force, pushing back", sup_beamsCarry, sup_endsJoints, sup_betweenLinear, true, 1.0f, 2, { 0.5, 1.0 } },
        { "and a soft middle", sup_beamsCarry, sup_endsJoints, sup_betweenLinear, true, 0.1f, 2, { 0.5, 1.0 } },
    };
    supScene scenes[supWays] = { { 0 } };
    supFilmStrip strip;
    supResult result = sup_success;
    for ( int i = 0; i < supWays && result == sup_success; ++i )
    {
        result = supOpenScene( sup_cases + 1, ways + i, scenes + i, error );
        result = result == sup_success ? supShow( scenes + i, 0.25 ) : result;
    }
    if ( result == sup_success )
    {
        result = supBeginFilmStrip( &strip, scenes[0].character, supCreature_Look( scenes[0].creature ), supWays, 2,
            300, 330, 62.0f, 8.0f, error );
        for ( int i = 0; i < supWays && result == sup_success; ++i )
        {
            supFilmStrip_Frame( &strip, scenes[i].skins[0], supVec3_zero );
        }
        for ( int i = 0; i < 2 * supWays && result == sup_success; ++i )
        {
            supScene* s = scenes + i % supWays;
            supStripOverlay curves = { .body = s->body, .names = { "beams" }, .wordless = true };
            result = supFilmStrip_Draw( &strip, i % supWays, i / supWays, s->skins[0], supVec3_zero,
                i < supWays ? NULL : &curves, i < supWays ? ways[i].words : NULL, error );
        }
        result = result == sup_success ? supFilmStrip_Write( &strip, folder, "beams", error ) : result;
        supEndFilmStrip( &strip );
    }
    for ( int i = 0; i < supWays; ++i )
    {
        if ( scenes[i].all != NULL )
        {
            supCloseScene( scenes + i );
        }
    }
    return result;
}

typedef struct supPatchesOverlay
{
    const supPatches* patches;
    float* places;
} supPatchesOverlay;

static void supDrawPatches( const supDraw* draw, void* user )
{
    const supPatchesOverlay* overlay = (const supPatchesOverlay*)user;
    for ( int32_t p = 0; p < supPatches_Count( overlay->patches ); ++p )
    {
        supPatchView view = supPatches_View( overlay->patches, p );
        supPatches_Places( overlay->patches, p, NULL, overlay->places );
        const supVec3* places = (const supVec3*)overlay->places;
        for ( int32_t i = 0; i < view.curves * view.nodes; ++i )
        {
            int32_t around = ( i + view.nodes ) % ( view.curves * view.nodes );
            if ( ( i + 1 ) % view.nodes != 0 )
            {
                draw->line( places[i], places[i + 1], supDraw_Distinct( p ), 1.5f, draw->user );
            }
            if ( i % view.nodes % 5 == 0 ) // some of the sections
            {
                draw->line( places[i], places[around], ( supColor ){ 0.1f, 0.1f, 0.1f, 1.0f }, 1.0f, draw->user );
            }
        }
    }
}

/// The surfaces of all patches as a character without joints.
static supResult supMakeLoft( const supPatches* patches, float* places, supCharacter** out, supError* error )
{
    enum
    {
        detail = 2
    };
    int32_t count = supPatches_Count( patches ), vertexCount, indexCount;
    supPatchView view = supPatches_View( patches, 0 );
    supLoftSize( view.curves, view.nodes, detail, &vertexCount, &indexCount );
    float* vertices = (float*)malloc( sizeof( supVec3 ) * (size_t)count * (size_t)vertexCount );
    uint32_t* indices = (uint32_t*)malloc( sizeof( uint32_t ) * (size_t)count * (size_t)indexCount );
    for ( int32_t p = 0; p < count; ++p )
    {
        supPatches_Places( patches, p, NULL, places );
        supLoftCurves( view.curves, view.nodes, places, detail, vertices + 3 * (size_t)p * (size_t)vertexCount,
            indices + (size_t)p * (size_t)indexCount );
        for ( int32_t i = 0; i < indexCount; ++i )
        {
            indices[p * indexCount + i] += (uint32_t)( p * vertexCount );
        }
    }
    supJointDef joint = { "loft", -1, supTransform_identity, NULL, NULL, false };
    supMeshDef mesh = { .name = "loft",
        .skin = -1,
        .vertexCount = count * vertexCount,
        .positions = vertices,
        .indexCount = count * indexCount,
        .indices = indices,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "loft";
    def.jointCount = 1;
    def.joints = &joint;
    def.meshCount = 1;
    def.meshes = &mesh;
    supResult result = supCreateCharacter( &def, out, error );
    free( vertices );
    free( indices );
    return result;
}

/// One picture of a character with curves over it, or of a loft.
static supResult supDrawOne( const supCharacter* character, const supCharacter* framed, supPatchesOverlay* overlay,
    float yaw, const char* folder, const char* name, const char* words, supError* error )
{
    supFilmStrip strip;
    supResult result = supBeginFilmStrip( &strip, character, NULL, 1, 1, 420, 560, yaw, 10.0f, error );
    if ( result == sup_success )
    {
        supFraming_Add( &strip.framing, supCharacter_Info( framed )->restPositions,
            supCharacter_Info( framed )->vertexCount, supVec3_zero );
        supFraming_End( &strip.framing, &strip.view );
        supActor actor =
            supDefaultActor( strip.figure, ( supShape ){ .positions = supCharacter_Info( character )->restPositions } );
        actor.overlay = overlay != NULL ? supDrawPatches : NULL;
        actor.user = overlay;
        result = supStage_Draw( strip.stage, &strip.view, &actor, 1, &strip.cell, error );
        supPixels_Paste( &strip.sheet, &strip.cell, 0, supStripMargin );
        supPixels_Text( &strip.sheet, 8.0f, (float)supStripMargin - 11.0f, 11.0f, sup_alignLeft, 0, words,
            ( supColor ){ 0.1f, 0.1f, 0.1f, 1.0f } );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, name, error ) : result;
    supEndFilmStrip( &strip );
    return result;
}

/// One surface without seams, as a character with the same joints.
static supResult supSew( const supCharacter* character, supCharacter** out, supError* error )
{
    supSewnDef def = supDefaultSewnDef();
    def.character = character;
    supSewn* sewn = NULL;
    supResult result = supCreateSewn( &def, &sewn, error );
    if ( result != sup_success )
    {
        return result;
    }
    supSewnView view = supSewn_View( sewn );
    float* places = (float*)malloc( 2 * sizeof( supVec3 ) * (size_t)view.vertexCount );
    supSurfaceDef surface = { .name = "sewn",
        .vertexCount = view.vertexCount,
        .indexCount = view.indexCount,
        .positions = places,
        .normals = places + 3 * (size_t)view.vertexCount,
        .indices = view.indices,
        .corners = view.corners,
        .shares = view.shares };
    result = supSewn_Places( sewn, NULL, places, places + 3 * (size_t)view.vertexCount, error );
    result = result == sup_success ? supCreateSurfaceCharacter( character, &surface, NULL, out, error ) : result;
    free( places );
    supDestroySewn( sewn );
    return result;
}

/// Figure 1: curves of all patches, the surfaces through them, and one without seams.
static supResult supDrawCurves(
    const supCharacter* character, const char* name, float yaw, const char* folder, supError* error )
{
    supPatchesDef def = supDefaultPatchesDef();
    def.character = character;
    supPatches* patches = NULL;
    supCharacter* loft = NULL;
    supResult result = supCreatePatches( &def, &patches, error );
    if ( result != sup_success )
    {
        return result;
    }
    supPatchesOverlay overlay = { patches,
        (float*)malloc( sizeof( supVec3 ) * ( (size_t)def.curves * (size_t)def.nodes + 2 ) ) };
    char words[96], file[96];
    snprintf( words, sizeof( words ), "%s: %d patch%s of %d x %d", name, supPatches_Count( patches ),
        supPatches_Count( patches ) == 1 ? "" : "es", def.curves, def.nodes );
    snprintf( file, sizeof( file ), "curves_%s", name );
    result = supMakeLoft( patches, overlay.places, &loft, error );
    result =
        result == sup_success ? supDrawOne( character, character, &overlay, yaw, folder, file, words, error ) : result;
    snprintf( file, sizeof( file ), "loft_%s", name );
    result = result == sup_success
                 ? supDrawOne( loft, character, NULL, yaw, folder, file, "surfaces through the curves", error )
                 : result;
    supCharacter* sewn = NULL;
    result = result == sup_success ? supSew( character, &sewn, error ) : result;
    snprintf( file, sizeof( file ), "sewn_%s", name );
    result = result == sup_success
                 ? supDrawOne( sewn, character, NULL, yaw, folder, file, "one surface without seams", error )
                 : result;
    free( overlay.places );
    supDestroyCharacter( sewn );
    supDestroyCharacter( loft );
    supDestroyPatches( patches );
    return result;
}

static supResult supDrawAllCurves( const char* folder, const char* hand, supError* error )
{
    static const char* const names[2] = { "arm", "woman" };
    supResult result = sup_success;
    for ( int i = 0; i < 2 && result == sup_success; ++i )
    {
        supCreature* creature = NULL;
        result = supCreateCreature( names[i], NULL, &creature, error );
        result = result == sup_success ? supDrawCurves( supCreature_Character( creature ), names[i],
                                             i == 0 ? 40.0f : 25.0f, folder, error )
                                       : result;
        supDestroyCreature( creature );
    }
    if ( hand != NULL && result == sup_success )
    {
        supCharacter* character = NULL;
        result = supLoadGltf( hand, &character, error );
        result = result == sup_success ? supDrawCurves( character, "hand", 110.0f, folder, error ) : result;
        supDestroyCharacter( character );
    }
    return result;
}
#endif

// ---------------------------------------------------------------------------------------------------------------

static supResult supRunCase( const supCase* c, const char* folder, supError* error )
{
    supScene s;
    supResult result = supOpenScene( c, &sup_plainWay, &s, error );
    result = result == sup_success ? supCheckCase( c, &s, error ) : result;
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && folder != NULL ? supDrawPoses( c, &s, folder, error ) : result;
#else
    (void)folder;
#endif
    supCloseScene( &s );
    return result;
}

static supResult supRunKnee( const char* folder, supError* error )
{
    static const supCase knee = { "knee", "woman", "figure 11: a woman's knee at 120 degrees", 1, { "shin.L" },
        { 120.0f }, 2, { "thigh.L", "shin.L" }, 36, 31, 100.0f };
    supScene s;
    supResult result = supOpenScene( &knee, &sup_plainWay, &s, error );
    result = result == sup_success ? supCheckCase( &knee, &s, error ) : result;
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && folder != NULL ? supDrawKnee( &s, folder, error ) : result;
#else
    (void)folder;
#endif
    supCloseScene( &s );
    return result;
}

int main( int argc, char** argv )
{
    const char *folder = argc > 1 ? argv[1] : NULL, *hand = argc > 2 ? argv[2] : NULL;
    supError error = { sup_success, "" };
    supResult result = sup_success;
    for ( size_t i = 0; i < sizeof( sup_cases ) / sizeof( sup_cases[0] ) && result == sup_success; ++i )
    {
        result = supRunCase( sup_cases + i, folder, &error );
    }
    result = result == sup_success ? supRunKnee( folder, &error ) : result;
#ifdef SUP_HAS_SUPPLE_PICTURE
    result = result == sup_success && folder != NULL ? supDrawWays( folder, &error ) : result;
    result = result == sup_success && folder != NULL ? supDrawAllCurves( folder, hand, &error ) : result;
#else
    (void)hand;
#endif
    if ( result != sup_success )
    {
        fprintf( stderr, "paper_correctives: %s\n", error.text );
        return 1;
    }
    return 0;
}
