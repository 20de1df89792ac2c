// Fat as a layer of a body: the écorché below pushes it, voxels of two sizes, lines that stiffen it, viscosity and
// limit. Truth is solved here, in closed form or by gradients.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/fat/fat_step.h"
#include "layers/muscles/ecorche_data.h"
#include "layers/triangle_tree.h"
#include "rig/layer_list.h"
#include "support/fat_case.h"
#include "support/limb.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// What the fat of a body shows: of the live solver, its vibrations first.
static const float* supShownFat( const supBody* body )
{
    return body->layers.layers[supStack_Find( &body->model->stack, sup_layerFat )].shown;
}

static float supLimbSize( void )
{
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    float size = supCharacter_Info( limb )->size;
    supDestroyCharacter( limb );
    return size;
}

/// Fat around the middle of the limb alone, away from its open ends. `ball` must outlive it.
static supFatDef supMiddleFat( supSphere* ball, float radius, float size )
{
    supFatDef def = supLimbFat();
    *ball = ( supSphere ){ { 0.0f, 0.5f / size, 0.0f }, radius / size };
    def.spheres = ( supSphereList ){ 1, ball };
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// The écorché's push

enum
{
    sup_pushLow = 14,  ///< rings of the limb: below the muscle's middle
    sup_pushHigh = 19, ///< and above it
    sup_pushFar = 29,  ///< from here on nothing is pushed
};

/// As easy to squeeze as to shear: what can not be squeezed has to follow its border at once.
static const double sup_pushMu = 200.0;

/// A limb with a muscle beside its bone, in the middle, without fat and with it: live, and by the reference, which
/// keeps its matrix.
typedef struct supPushCase
{
    supCharacter* limb;
    supModel* models[3];
    supBody* bodies[3];
    const supFat* fats[3];
    supVec3* skins[3];
} supPushCase;

static void supAddPush( supRig* rig, float size )
{
    static const float heights[2] = { 0.3f, 0.7f };
    supMusclePoint points[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
    for ( int i = 0; i < 2; ++i )
    {
        points[i].joint = "bone";
        points[i].at = supMakeVec3( 0.013f / size, heights[i] / size, 0.007f / size );
    }
    supMuscleDef muscle = supDefaultMuscleDef();
    muscle.name = "muscle";
    muscle.points = ( supItemList ){ 2, points };
    muscle.radius = 0.05f / size;
    supEcorcheDef ecorche = supDefaultEcorcheDef();
    ecorche.filling = 0.1f;
    assert_int_equal( supRig_AddItem( rig, sup_layerMuscles, &muscle, NULL ), sup_success );
    assert_int_equal( supRig_AddItem( rig, sup_layerEcorche, &ecorche, NULL ), sup_success );
}

/// `count`: 3 with the reference, 2 without.
static void supOpenPush( supPushCase* c, int count )
{
    supError error = { 0 };
    *c = ( supPushCase ){ .limb = supMakeLimbCharacter( 1.0f, false ) };
    for ( int i = 0; i < count; ++i )
    {
        supRig* rig;
        supSphere ball;
        float size = supCharacter_Info( c->limb )->size;
        supFatDef def = supMiddleFat( &ball, 0.5f, size );
        def.modes = SUP_SLOW_BUILD ? 64.0f : 96.0f;
        def.mu = (float)sup_pushMu;
        def.incompressibility = 1.0f;
        def.dampingRatio = 1.0f; // of the slowest; all others die away as fast, and swing meanwhile
        def.viscosity = 0.0f;
        def.muscleTension = 0.0f; // or it would be lifted out of its sag too
        def.solver = i == 2 ? sup_fatReference : sup_fatLive;
        assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
        supAddPush( rig, size );
        if ( ( i > 0 && supRig_AddItem( rig, sup_layerFat, &def, &error ) != sup_success ) ||
             supCompileModel( c->limb, rig, &c->models[i], &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        supDestroyRig( rig );
        assert_int_equal( supCreateBody( c->models[i], &c->bodies[i], NULL ), sup_success );
        supBody_SetExact( c->bodies[i], true );
        c->skins[i] = malloc( sizeof( supVec3 ) * SUP_LIMB_VERTICES );
        const supStack* stack = &c->models[i]->stack;
        c->fats[i] =
            i > 0 ? ( (const supFats*)stack->layers[supStack_Find( stack, sup_layerFat )].compiled )->fats : NULL;
    }
}

static void supClosePush( supPushCase* c )
{
    for ( int i = 0; i < 3; ++i )
    {
        supDestroyBody( c->bodies[i] );
        supDestroyModel( c->models[i] );
        free( c->skins[i] );
    }
    supDestroyCharacter( c->limb );
}

/// One step of the limb without fat and of that with it.
static void supStepPush( supPushCase* c, float contraction, float dt )
{
    for ( int i = 0; i < 2; ++i )
    {
        assert_int_equal(
            supBody_SetField( c->bodies[i], sup_layerMuscles, 0, "contraction", contraction, NULL ), sup_success );
        assert_int_equal( supBody_Step( c->bodies[i], supCharacter_Info( c->limb )->restJoints, supMat34_identity, dt ),
            sup_success );
        supBody_Skin( c->bodies[i], &c->skins[i][0].x, NULL );
    }
}

/// How far a vertex has come out.
static float supComeOut( const supPushCase* c, int body, int vertex )
{
    supVec3 p = c->skins[body][vertex];
    return supSqrtF( p.x * p.x + p.z * p.z ) - 0.1f;
}

/// How far the border has moved at the place of an anchored node: nearest triangle, found by trying all.
static supVec3d supBorderMove( const supInnerBorder* border, const float* shares, supVec3 place )
{
    supFootPoint best = { .triangle = -1, .distance = 1e30f };
    for ( int32_t t = 0; t < border->triangleCount; ++t )
    {
        supVec3 corners[3];
        for ( int i = 0; i < 3; ++i )
        {
            int32_t ray = border->triangles[3 * t + i];
            corners[i] = supMulAdd( border->from[ray], supMinF( border->rest[ray], 1.0f ), border->way[ray] );
        }
        supFootPoint foot = supClosestOnTriangle( place, corners[0], corners[1], corners[2] );
        if ( foot.distance < best.distance )
        {
            best = foot;
            best.triangle = t;
        }
    }
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int i = 0; i < 3; ++i )
    {
        int32_t ray = border->triangles[3 * best.triangle + i];
        sum = supMulAddD( sum, (double)( best.shares[i] * shares[ray] ), supToDouble( border->way[ray] ) );
    }
    return sum;
}

/// A voxel's stiffness with fibres, and where its corners are among the free nodes.
static void supVoxelStiffness(
    const supFat* fat, int32_t e, const supElasticMaterial* material, supVec3d fiber, double* stiffness )
{
    supVec3d places[supHexCorners];
    for ( int c = 0; c < supHexCorners; ++c )
    {
        places[c] = supToDouble( fat->places[fat->corners[supHexCorners * (size_t)e + (size_t)c]] );
    }
    assert_true( supHexStiffness( places, material, fiber, stiffness ) );
}

/// Forces on the free nodes by anchors that have moved: -K_fa u_a.
static void supPushForces( const supFat* fat, const supVec3d* moves, double* f )
{
    const supElasticMaterial material = { sup_pushMu, sup_pushMu, 0.0 };
    double stiffness[supHexSize * supHexSize];
    for ( int32_t e = 0; e < fat->elementCount; ++e )
    {
        const int32_t* corners = fat->corners + supHexCorners * (size_t)e;
        supVoxelStiffness( fat, e, &material, ( supVec3d ){ 0.0, 0.0, 0.0 }, stiffness );
        for ( int i = 0; i < supHexSize * supHexSize; ++i )
        {
            int32_t row = fat->freeOf[corners[i / supHexSize / 3]], node = corners[i % supHexSize / 3];
            if ( row >= 0 && fat->freeOf[node] < 0 )
            {
                f[3 * row + i / supHexSize % 3] -=
                    (double)fat->stiffs[e] * stiffness[i] * ( &moves[node].x )[i % supHexSize % 3];
            }
        }
    }
}

/// Where the solid would come to rest on the moved border, by gradients.
static double* supRestOnBorder( const supPushCase* c )
{
    const supFat* fat = c->fats[2];
    const supStack* stack = &c->models[1]->stack;
    int32_t place = supStack_Find( stack, sup_layerEcorche );
    const float* shares = c->bodies[1]->layers.layers[place].shown;
    supInnerBorder border;
    sup_ecorcheLayer.border( stack->layers[place].compiled, &border );
    supVec3d* moves = calloc( (size_t)fat->nodeCount, sizeof( supVec3d ) );
    for ( int32_t i = 0; i < fat->nodeCount; ++i )
    {
        if ( fat->freeOf[i] < 0 )
        {
            moves[i] = supBorderMove( &border, shares, fat->places[i] );
        }
    }
    double *f = calloc( 3 * (size_t)fat->freeCount, sizeof( double ) ),
           *u = calloc( 3 * (size_t)fat->freeCount, sizeof( double ) );
    supPushForces( fat, moves, f );
    supSolveByGradients( fat->elastic, NULL, NULL, f, u );
    free( moves );
    free( f );
    return u;
}

/// The border jumps out from below (by less than the écorché eases), and the nodes are left behind by as much as the
/// solid at rest on it would move: each vibration begins with its share of that. Of the slowest: faster ones are found
/// less exactly.
static void TestLeftBehind( void** state )
{
    (void)state;
    supPushCase c;
    supOpenPush( &c, 3 );
    for ( int i = 0; i < 8; ++i ) // it stood still for a while
    {
        supStepPush( &c, 0.0f, i == 0 ? 0.0f : 1e-6f );
    }
    supStepPush( &c, 0.03f, 1e-6f );
    const supFat* fat = c.fats[1];
    const float* shown = supShownFat( c.bodies[1] );
    double *u = supRestOnBorder( &c ), wrong = 0.0, all = 0.0;
    assert_int_equal( fat->freeCount, c.fats[2]->freeCount );
    for ( int32_t k = 0; k < 10; ++k )
    {
        double wanted = 0.0;
        for ( int32_t i = 0; i < 3 * fat->freeCount; ++i )
        {
            wanted -= (double)fat->masses[i / 3] * (double)fat->rows[(size_t)k * fat->rowSize + (size_t)i] * u[i];
        }
        wrong += ( shown[k] - wanted ) * ( shown[k] - wanted );
        all += wanted * wanted;
    }
    print_message(
        "left behind: the slowest vibrations begin within %.4f%% of the solid's\n", 100.0 * sqrt( wrong / all ) );
    assert_true( all > 0.0 && wrong < 1e-4 * all );
    free( u );
    supClosePush( &c );
}

/// A muscle contracts and holds: the skin above is late, overshoots, and comes to rest where the écorché alone puts it.
static void TestPushedOut( void** state )
{
    (void)state;
    supPushCase c;
    supOpenPush( &c, 2 );
    for ( int i = 0; i < 10; ++i )
    {
        supStepPush( &c, 0.0f, i == 0 ? 0.0f : 1.0f / 240.0f );
    }
    for ( int v = 0; v < SUP_LIMB_VERTICES; ++v ) // nothing yet
    {
        assert_true( supDistance( c.skins[0][v], c.skins[1][v] ) == 0.0f );
    }
    float late = 0.0f, beyond = 0.0f, pushed = 0.0f, apart = 0.0f, away = 0.0f;
    for ( int i = 0; i < 320; ++i )
    {
        supStepPush( &c, 1.0f, i < 120 ? 1.0f / 240.0f : 1.0f / 30.0f );
        for ( int v = sup_pushLow * SUP_LIMB_AROUND; v < sup_pushHigh * SUP_LIMB_AROUND; ++v )
        {
            float ahead = supComeOut( &c, 1, v ) - supComeOut( &c, 0, v );
            late = i < 48 ? supMaxF( late, -ahead ) : late;
            beyond = i >= 24 ? supMaxF( beyond, ahead ) : beyond;
        }
    }
    for ( int v = 0; v < SUP_LIMB_VERTICES; ++v )
    {
        pushed = supMaxF( pushed, supComeOut( &c, 1, v ) );
        apart = supMaxF( apart, supDistance( c.skins[1][v], c.skins[0][v] ) );
        away = v >= sup_pushFar * SUP_LIMB_AROUND ? supMaxF( away, supAbsF( supComeOut( &c, 1, v ) ) ) : away;
    }
    print_message( "pushed out by %.3f mm (%.4f mm far away); late by %.3f mm, beyond by %.3f; at rest %.5f mm apart\n",
        1e3 * (double)pushed, 1e3 * (double)away, 1e3 * (double)late, 1e3 * (double)beyond, 1e3 * (double)apart );
    assert_true( pushed > 1e-3f && away < 0.001f * pushed );
    assert_true( late > 0.01f * pushed && late < 0.5f * pushed );
    assert_true( beyond > 0.01f * pushed && beyond < 0.5f * pushed );
    assert_true( apart < 0.001f * pushed );
    supClosePush( &c );
}

// ---------------------------------------------------------------------------------------------------------------
// Voxels of two sizes

typedef struct supSizesCase
{
    const char* words;
    const char* creature; ///< NULL: a limb
    float voxel;          ///< of its size
    float left;           ///< the largest share of nodes to be solved for that may be left
} supSizesCase;

/// One and two sizes of voxels on the same borders: as soft, as fast, the skin at the same place all over, and fewer
/// nodes to solve for where there is room.
static void supCompareSizes( const supSizesCase* which, supFatDef def )
{
    float sags[2], firsts[2], apart = 0.0f;
    int32_t nodes[2], large[2];
    supFatCase cases[2];
    for ( int i = 0; i < 2; ++i )
    {
        supFatCase* c = cases + i;
        def.voxel = SUP_SLOW_BUILD ? 1.2f * which->voxel : which->voxel;
        def.mixed = i == 1;
        def.modes = 8.0f;
        def.mu = 20000.0f; // sags of a few millimetres: the solids are compared, not what is of second order
        def.limit = 10.0f;
        supOpenFatCase( c, which->creature, &def );
        supStepFatCase( c, supMat34_identity, 0.0f );
        sags[i] = supLargestFatShift( c );
        firsts[i] = c->fat->firstFrequency;
        nodes[i] = c->fat->freeCount;
        large[i] = c->fat->largeCount;
    }
    for ( int32_t v = 0; v < cases[0].vertexCount; ++v )
    {
        apart = supMaxF( apart, supDistance( cases[0].living[v], cases[1].living[v] ) );
    }
    print_message( "%s: one size: %d free nodes, %.3f mm, %.4f Hz; two: %d, %d large, %+.2f%%, %+.2f%%; skins at most "
                   "%.2f%% apart\n",
        which->words, nodes[0], 1e3 * (double)sags[0], (double)firsts[0], nodes[1], large[1],
        100.0 * (double)( sags[1] / sags[0] - 1.0f ), 100.0 * (double)( firsts[1] / firsts[0] - 1.0f ),
        100.0 * (double)( apart / sags[0] ) );
    assert_true( large[0] == 0 && large[1] > 0 );
    assert_true( (float)nodes[1] < which->left * (float)nodes[0] || SUP_SLOW_BUILD );
    assert_true( supAbsF( sags[1] / sags[0] - 1.0f ) < 0.05f );
    assert_true( supAbsF( firsts[1] / firsts[0] - 1.0f ) < 0.05f );
    assert_true( apart < 0.05f * sags[0] );
    supCloseFatCase( &cases[0] );
    supCloseFatCase( &cases[1] );
}

/// Held nodes in the middle of a large voxel's edge held nothing once: a limb with a thin core sagged twice as far. And
/// large ones right beside the core made it turn in 1.4 times as fast.
static void TestMixed( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef breast = supTorsoBreasts( balls ), woman = supDefaultFatDef();
    breast.spheres.count = 1;
    woman.depth = 0.7f;
    woman.gravity = sup_gravityPlain;
    supCompareSizes( &( supSizesCase ){ "a breast", "torso", 0.012f, 0.8f }, breast );
    if ( SUP_SLOW_BUILD )
    {
        return;
    }
    supCompareSizes( &( supSizesCase ){ "a woman", "woman", 0.011f, 0.9f }, woman );
    supSphere ball;
    supFatDef limb = supMiddleFat( &ball, 0.3f, supLimbSize() );
    limb.depth = 0.9f;
    limb.gravity = sup_gravityPlain;
    supCompareSizes( &( supSizesCase ){ "a limb with a thin core", NULL, 0.0125f, 0.55f }, limb );
}

// ---------------------------------------------------------------------------------------------------------------
// Lines

static const float sup_lineStiffness = 30.0f;

/// What fibres along x add to a voxel: all are the same cube.
typedef struct supFibersAlongX
{
    const supFat* fat;
    double added[supHexSize * supHexSize];
} supFibersAlongX;

static void supMakeFibers( supFibersAlongX* fibers, const supFat* fat )
{
    const double mu = 2000.0, lambda = 2.0 * mu, young = mu * ( 3.0 * lambda + 2.0 * mu ) / ( lambda + mu );
    const supElasticMaterial material = { mu, lambda, (double)sup_lineStiffness * young };
    double without[supHexSize * supHexSize];
    fibers->fat = fat;
    supVoxelStiffness( fat, 0, &material, ( supVec3d ){ 1.0, 0.0, 0.0 }, fibers->added );
    supVoxelStiffness( fat, 0, &material, ( supVec3d ){ 0.0, 0.0, 0.0 }, without );
    for ( int i = 0; i < supHexSize * supHexSize; ++i )
    {
        fibers->added[i] -= without[i];
    }
}

static void supStiffenAlongX( const double* x, double* out, void* user )
{
    const supFibersAlongX* fibers = user;
    const supFat* fat = fibers->fat;
    for ( int32_t e = 0; e < fat->elementCount; ++e )
    {
        const int32_t* corners = fat->corners + supHexCorners * (size_t)e;
        for ( int i = 0; i < supHexCorners * supHexCorners; ++i )
        {
            int r = i / supHexCorners, k = i % supHexCorners;
            int32_t row = fat->freeOf[corners[r]], column = fat->freeOf[corners[k]];
            if ( row >= 0 && column >= 0 ) // fibres along x feel nothing else
            {
                out[3 * row] += (double)fat->stiffs[e] * fibers->added[3 * supHexSize * r + 3 * k] * x[3 * column];
            }
        }
    }
}

static supFatDef supLinedFat( supSphere* ball, supVec3* points, int32_t count )
{
    float size = supLimbSize();
    supFatDef def = supMiddleFat( ball, 0.3f, size );
    def.nodes = 250.0f;
    def.gravity = sup_gravityPlain;
    def.limit = 10.0f;
    def.mu = 2000.0f;
    def.incompressibility = 2.0f;
    def.modes = 12.0f;
    for ( int32_t i = 0; i < count; ++i )
    {
        points[i] = supScale( points[i], 1.0f / size );
    }
    def.lines = ( supPointList ){ count, points };
    def.lineStiffness = count > 0 ? sup_lineStiffness : 0.0f;
    return def;
}

/// The largest shift of a node, with the body turned so that its own x axis hangs down, then its y axis.
static void supLinedSags( supFatDef def, float sags[2] )
{
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    float* moved = malloc( sizeof( float ) * c.fat->rowSize );
    for ( int axis = 0; axis < 2; ++axis )
    {
        float turn = axis == 0 ? -0.5f * (float)SUP_PI : (float)SUP_PI;
        supBody_Reset( c.body );
        supStepFatCase( &c, supTurned( supMakeVec3( 0.0f, 0.0f, 1.0f ), turn, supVec3_zero ), 0.0f );
        supFatDisplacements( c.fat, supShownFat( c.body ), 100.0f, moved );
        sags[axis] = 0.0f;
        for ( int32_t i = 0; i < 3 * c.fat->freeCount; i += 3 )
        {
            sags[axis] = supMaxF( sags[axis], supLength( supMakeVec3( moved[i], moved[i + 1], moved[i + 2] ) ) );
        }
    }
    free( moved );
    supCloseFatCase( &c );
}

/// The same of voxels that all have fibres along x: solved by gradients.
static void supTrueLinedSags( float sags[2] )
{
    supSphere ball;
    supFatDef def = supLinedFat( &ball, NULL, 0 );
    def.solver = sup_fatReference;
    supFatCase c;
    supFibersAlongX fibers;
    supOpenFatCase( &c, NULL, &def );
    supMakeFibers( &fibers, c.fat );
    size_t count = 3 * (size_t)c.fat->freeCount;
    double *f = calloc( 2 * count, sizeof( double ) ), *u = f + count;
    for ( size_t axis = 0; axis < 2; ++axis )
    {
        double largest = 0.0;
        for ( size_t i = 0; i < count; ++i )
        {
            f[i] = i % 3 == axis ? 9.81 * c.fat->elastic->masses[i / 3] : 0.0;
        }
        supSolveByGradients( c.fat->elastic, supStiffenAlongX, &fibers, f, u );
        for ( size_t i = 0; i < count; i += 3 )
        {
            largest = fmax( largest, sqrt( u[i] * u[i] + u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2] ) );
        }
        sags[axis] = (float)largest;
    }
    free( f );
    supCloseFatCase( &c );
}

/// Two lines across the limb, at its ends: it sags far less across, and along itself as before: as with fibres across
/// it everywhere. Were they one line, most fibres would run along the limb.
static void TestLines( void** state )
{
    (void)state;
    supSphere ball;
    float none[2], apart[2], joined[2], truth[2];
    supVec3 two[5] = { { -0.1f, 0.1f, 0.0f }, { 0.1f, 0.1f, 0.0f }, { 0.1f, 0.1f, 0.0f }, { 0.1f, 0.9f, 0.0f },
        { -0.1f, 0.9f, 0.0f } };
    supVec3 one[4] = { two[0], two[1], two[3], two[4] };
    supLinedSags( supLinedFat( &ball, NULL, 0 ), none );
    supLinedSags( supLinedFat( &ball, two, 5 ), apart );
    supLinedSags( supLinedFat( &ball, one, 4 ), joined );
    supTrueLinedSags( truth );
    for ( int i = 0; i < 2; ++i )
    {
        print_message( "sag %s: %.4f mm, with lines across %.4f (truth %.4f), joined to one %.4f\n",
            i == 0 ? "across" : "along", 1e3 * (double)none[i], 1e3 * (double)apart[i], 1e3 * (double)truth[i],
            1e3 * (double)joined[i] );
        assert_true( supAbsF( apart[i] / truth[i] - 1.0f ) < 0.001f );
    }
    assert_true( none[0] > 1.7f * apart[0] && supAbsF( none[1] / apart[1] - 1.0f ) < 0.02f );
    assert_true( joined[0] > 1.7f * apart[0] && joined[1] < 0.7f * apart[1] );
}

// ---------------------------------------------------------------------------------------------------------------
// Viscosity and limit

/// Let go from its sag, each vibration swings out as a spring of its own damping does: without viscosity all lose as
/// much in a second, with it fast ones lose more.
static void TestViscosity( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.nodes = 200.0f;
    def.modes = 16.0f;
    def.frequency = 2.0f;
    def.dampingRatio = 0.02f;
    def.gravity = sup_gravityPlain;
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    const float* q = supShownFat( c.body );
    float left[2] = { 0.0f, 0.0f };
    for ( int viscous = 0; viscous < 2; ++viscous )
    {
        float start[16], worst = 0.0f, largest = 0.0f, scale = 0.0f;
        supBody_SetField( c.body, sup_layerFat, 0, "viscosity", (float)viscous, NULL );
        supBody_Reset( c.body );
        supBody_SetGravity( c.body, supMakeVec3( 7.0f, -5.0f, 4.0f ) );
        supStepFatCase( &c, supMat34_identity, 0.0f );
        memcpy( start, q, sizeof( start ) );
        supBody_SetGravity( c.body, supVec3_zero );
        supStepFatCase( &c, supMat34_identity, 1e-5f ); // gravity goes from what it was
        for ( int n = 1; n <= 240; ++n )
        {
            supStepFatCase( &c, supMat34_identity, 1.0f / 240.0f );
            for ( int k = 0; k < 16; ++k )
            {
                double first = 2.0 * SUP_PI * 2.0, omega = first * c.fat->omegas[k] / c.fat->omegas[0], t = n / 240.0;
                double ratio = 0.02 * ( viscous ? omega / first : first / omega ), fade = exp( -ratio * omega * t );
                double turning = omega * sqrt( 1.0 - ratio * ratio );
                double wanted = start[k] * fade * ( cos( turning * t ) + ratio * omega / turning * sin( turning * t ) );
                worst = supMaxF( worst, supAbsF( q[k] - (float)wanted ) );
                scale = supMaxF( scale, supAbsF( start[k] ) );
                bool late = n > 180 && k > 7;
                largest = late ? supMaxF( largest, supAbsF( q[k] / supMaxF( supAbsF( start[k] ), 1e-9f ) ) ) : largest;
            }
        }
        left[viscous] = largest;
        print_message( "viscosity %d: within %.5f of closed form\n", viscous, (double)( worst / scale ) );
        assert_true( scale > 0.0f && worst < 2e-3f * scale );
    }
    print_message( "left of fast ones in the end: %.4f, %.4f\n", (double)left[0], (double)left[1] );
    assert_true( left[1] < 0.9f * left[0] );
    supCloseFatCase( &c );
}

/// However strong the pull, no node passes its share of the thickness around it, nor does the skin; a weak pull is as
/// without.
static void TestLimit( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    def.nodes = 200.0f;
    def.modes = 8.0f;
    def.gravity = sup_gravityPlain;
    def.sag = 0.02f;
    def.keepVolume = 0.0f;
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    static const float limits[3] = { 10.0f, 0.3f, 0.1f };
    float weak[3], strong[3], *moved = malloc( sizeof( float ) * c.fat->rowSize );
    for ( int i = 0; i < 3; ++i )
    {
        assert_int_equal( supBody_SetField( c.body, sup_layerFat, 0, "limit", limits[i], NULL ), sup_success );
        supBody_SetGravity( c.body, supMakeVec3( 9.81f, 0.0f, 0.0f ) );
        supBody_Reset( c.body );
        supStepFatCase( &c, supMat34_identity, 0.0f );
        weak[i] = supLargestFatShift( &c );
        supBody_SetGravity( c.body, supMakeVec3( 981.0f, 0.0f, 0.0f ) );
        supBody_Reset( c.body );
        supStepFatCase( &c, supMat34_identity, 0.0f );
        strong[i] = supLargestFatShift( &c );
        supFatDisplacements( c.fat, supShownFat( c.body ), limits[i], moved );
        for ( int32_t n = 0; n < c.fat->freeCount; ++n )
        {
            float by = supLength( supMakeVec3( moved[3 * n], moved[3 * n + 1], moved[3 * n + 2] ) );
            assert_true( by <= 1.0001f * limits[i] * c.fat->holds[n].room );
        }
    }
    float thick = c.fat->thickest;
    print_message( "of the thickness: weak %.4f %.4f %.4f, a hundred times that %.4f %.4f %.4f\n",
        (double)( weak[0] / thick ), (double)( weak[1] / thick ), (double)( weak[2] / thick ),
        (double)( strong[0] / thick ), (double)( strong[1] / thick ), (double)( strong[2] / thick ) );
    assert_true( supAbsF( strong[0] / weak[0] / 100.0f - 1.0f ) < 0.01f );
    assert_true( supAbsF( weak[1] / weak[0] - 1.0f ) < 1e-4f && supAbsF( weak[2] / weak[0] - 1.0f ) < 1e-4f );
    for ( int i = 1; i < 3; ++i )
    {
        assert_true( strong[i] > 0.5f * limits[i] * thick && strong[i] < 1.001f * limits[i] * thick );
    }
    free( moved );
    supCloseFatCase( &c );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestLeftBehind ),
        cmocka_unit_test( TestPushedOut ),
        cmocka_unit_test( TestMixed ),
        cmocka_unit_test( TestLines ),
        cmocka_unit_test( TestViscosity ),
        cmocka_unit_test( TestLimit ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
