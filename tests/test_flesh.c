// The flesh layer on a limb: weights, sizes, what it does at rest and in motion.
#include "base/math.h"
#include "body/body_data.h"
#include "layers/flesh/flesh.h"
#include "layers/flesh/flesh_weights.h"
#include "supple/lab/drawing.h"
#include "supple/lab/items.h"
#include "supple/lab/states.h"
#include "support/limb.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const float supPi = 3.14159265f;

static void supTestAttenuation( void** state )
{
    (void)state;
    const float pairs[4] = { -0.5f, 0.8f, 0.25f, 1.0f };
    supKeyList keys = { 2, pairs }, none = { 0 };
    for ( int kind = sup_attenuationParabola; kind <= sup_attenuationHermite; ++kind )
    {
        float last = 0.0f;
        for ( int i = -1200; i <= 1200; ++i )
        {
            float value = supAttenuate( (supAttenuation)kind, keys, none, (float)i / 1000.0f );
            assert_true( value >= 0.0f && value <= 1.0f );
            assert_true( fabsf( value - last ) < 0.005f ); // no jump anywhere
            assert_true( value == 0.0f || ( i > -1000 && i < 1000 ) );
            last = value;
        }
    }
    assert_true( supAttenuate( sup_attenuationParabola, keys, none, 0.5f ) == 0.75f );
    assert_true( fabsf( supAttenuate( sup_attenuationWyvill, keys, none, 0.5f ) -
                        ( 1.0f + ( -4.0f / 64 + 17.0f / 16 - 5.5f ) / 9.0f ) ) < 1e-6f );
    assert_true( fabsf( supAttenuate( sup_attenuationHermite, keys, none, -0.5f ) - 0.8f ) < 1e-6f );
    assert_true( fabsf( supAttenuate( sup_attenuationHermite, keys, none, 0.25f ) - 1.0f ) < 1e-6f );
}

/// Tangents that the artist sets: the curve has them on both sides of their keys, and elsewhere its own.
static void supTestAttenuationSlopes( void** state )
{
    (void)state;
    const float pairs[6] = { -0.5f, 0.4f, 0.0f, 0.5f, 0.5f, 0.4f }, given[4] = { -0.5f, 0.1f, 0.0f, -0.6f };
    supKeyList keys = { 3, pairs }, none = { 0 }, slopes = { 2, given };
    const float expected[3] = { 0.1f, -0.6f, ( 0.0f - 0.5f ) / 1.0f };
    for ( int k = 0; k < 3; ++k )
    {
        float y = pairs[2 * k], h = 1e-3f;
        float before = supAttenuate( sup_attenuationHermite, keys, slopes, y - h );
        float at = supAttenuate( sup_attenuationHermite, keys, slopes, y );
        float after = supAttenuate( sup_attenuationHermite, keys, slopes, y + h );
        assert_true( fabsf( at - pairs[2 * k + 1] ) < 1e-6f );
        assert_true( fabsf( ( at - before ) / h - expected[k] ) < 0.01f );
        assert_true( fabsf( ( after - at ) / h - expected[k] ) < 0.01f );
    }
    // the span in the middle by Hermite's basis, half-way: ( v0 + v1 ) / 2 + ( m0 - m1 ) w / 8
    float middle = supAttenuate( sup_attenuationHermite, keys, slopes, -0.25f );
    assert_true( fabsf( middle - ( 0.45f + ( 0.1f + 0.6f ) * 0.5f / 8.0f ) ) < 1e-6f );
    // and beyond the last key nothing changes
    assert_true( supAttenuate( sup_attenuationHermite, keys, slopes, 0.75f ) ==
                 supAttenuate( sup_attenuationHermite, keys, none, 0.75f ) );
}

/// Flesh has no mass where the core around the bone does not move: what a thin bone leaves of a tube is known. It was
/// the same for any thickness.
static void supTestMassWithoutCore( void** state )
{
    (void)state;
    double full = 0.0;
    for ( int i = 0; i <= 4; ++i )
    {
        supElementDef def = supLimbElement();
        supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
        float size = supCharacter_Info( limb.character )->size;
        supDropLimb( &limb );
        def.boneThickness = ( (float)i - 1.0f ) * 0.02f / size; // -0.02 to 0.06 m of a tube of 0.1 m
        limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
        supElementView view = supModel_Info( limb.model )->elements[0];
        double core = i > 1 ? 0.02 * ( i - 1 ) : 0.0;
        full = i == 0 ? view.volume : full;
        assert_true( fabs( view.volume - ( full - SUP_PI * core * core ) ) < 0.01 * full );
        assert_true( fabs( view.mass - 1000.0 * view.volume ) < 1e-3 );
        supDropLimb( &limb );
    }
}

/// On a tube everything is known: its volume, its thickness, the weight at every height.
static void supTestTube( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.attenuation = sup_attenuationParabola;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    supElementView view = supModel_Info( limb.model )->elements[0];
    double polygon = 0.5 * SUP_LIMB_AROUND * 0.01 * sin( 2.0 * SUP_PI / SUP_LIMB_AROUND );
    assert_true( fabs( view.volume - polygon ) < 1e-6 );
    assert_true( fabs( view.mass - 1000.0 * polygon ) < 1e-3 );
    assert_true( fabsf( view.thickness - 0.1f ) < 1e-6f );
    assert_true( fabsf( view.boneLength - 1.0f ) < 1e-6f );
    assert_int_equal( view.vertexCount, ( SUP_LIMB_RINGS - 2 ) * SUP_LIMB_AROUND );
    const float* rest = supCharacter_Info( limb.character )->restPositions;
    for ( int i = 0; i < view.vertexCount; ++i )
    {
        float y = 2.0f * rest[3 * view.vertices[i] + 1] - 1.0f;
        assert_true( fabsf( view.weights[i] - ( 1.0f - y * y ) ) < 1e-5f );
        assert_true( fabsf( view.reach[i] - 0.1f * ( 1.0f - y * y ) ) < 1e-6f );
    }
    supDropLimb( &limb );
}

static void supTestBoneThickness( void** state )
{
    (void)state;
    supLimb plain = supMakeLimb( ( supLimbDef ){ 0 } );
    supElementDef def = supLimbElement();
    def.boneThickness = 0.04f / supCharacter_Info( plain.character )->size;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    assert_true( fabsf( supModel_Info( limb.model )->elements[0].thickness - 0.06f ) < 1e-6f );
    supDropLimb( &limb );
    supDropLimb( &plain );
}

/// Two elements over the same skin share it: no vertex can go further than its own reach.
static void supTestOverlap( void** state )
{
    (void)state;
    supElementDef defs[2] = { supLimbElement(), supLimbElement() };
    defs[1].name = "again";
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = defs, .elementCount = 2 } );
    supElementView a = supModel_Info( limb.model )->elements[0], b = supModel_Info( limb.model )->elements[1];
    assert_true( fabsf( a.thickness - 0.05f ) < 1e-6f && fabsf( b.thickness - 0.05f ) < 1e-6f );
    assert_true( limb.model != NULL && supModel_Info( limb.model )->helperCount == 2 );
    supDropLimb( &limb );
}

/// One side of the limb: nothing behind, a smooth way between.
static void supTestFacing( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.facing = ( supVec3 ){ 0.0f, 0.3f, 1.0f };
    def.spread = 0.5f * supPi;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    supElementView view = supModel_Info( limb.model )->elements[0];
    const float* rest = supCharacter_Info( limb.character )->restPositions;
    for ( int i = 0; i < view.vertexCount; ++i )
    {
        assert_true( rest[3 * view.vertices[i] + 2] > 0.0f );
    }
    assert_true( view.largestEdgeJump < 0.35f && view.vertexCount > SUP_LIMB_VERTICES / 3 );
    supDropLimb( &limb );
}

/// Names of what stays out are looked up like any other.
static void supTestSkippedNames( void** state )
{
    (void)state;
    supCharacter* character = supMakeLimbCharacter( 1.0f, false );
    const char *known = "limb", *slip = "limp", *other = "armour of steel";
    const struct
    {
        supNameList meshes, materials;
        const char* text;
    } cases[] = {
        { { 1, &slip }, { 0 }, "elements[0].skipMeshes[0]: no mesh \"limp\"; did you mean \"limb\"?" },
        { { 1, &other }, { 0 },
            "elements[0].skipMeshes[0]: no mesh \"armour of steel\"; `supple inspect` lists the meshes" },
        { { 0 }, { 1, &other },
            "elements[0].skipMaterials[0]: no material \"armour of steel\"; `supple inspect` lists the materials" },
        { { 1, &known }, { 0 },
            "elements[0] (\"flesh\"): no vertex belongs to it: none is skinned to its joints, or paint, side, spheres and skipRigid leave nothing" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supElementDef def = supLimbElement();
        def.skipMeshes = cases[i].meshes;
        def.skipMaterials = cases[i].materials;
        supRig* rig = NULL;
        supModel* model = NULL;
        supError error = { 0 };
        assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
        assert_int_equal( supRig_AddElement( rig, &def, &error ), sup_success );
        assert_true( supCompileModel( character, rig, &model, &error ) != sup_success );
        assert_string_equal( error.text, cases[i].text );
        supDestroyRig( rig );
    }
    supDestroyCharacter( character );
}

/// The weights of the only element on the limb with a plate, a vertex; 0 where it has none.
static void supWeighBesidePlate( const supCharacter* character, float margin, float weights[SUP_LIMB_VERTICES + 4] )
{
    supElementDef def = supLimbElement();
    def.skipRigid = true;
    def.rigidMargin = margin;
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    assert_int_equal( supRig_AddElement( rig, &def, &error ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, &error ), sup_success );
    const supElementView* view = supModel_Info( model )->elements;
    memset( weights, 0, sizeof( float ) * ( SUP_LIMB_VERTICES + 4 ) );
    for ( int i = 0; i < view->vertexCount; ++i )
    {
        weights[view->vertices[i]] = view->weights[i];
    }
    supDestroyModel( model );
    supDestroyRig( rig );
}

/// Beside a rigid plate flesh keeps the share that the distance to it says, and all of it farther away.
static void supTestBesideRigid( void** state )
{
    (void)state;
    supCharacter* character = supMakeLimbWithPlate();
    const supVec3* rest = (const supVec3*)supCharacter_Info( character )->restPositions;
    static float loose[SUP_LIMB_VERTICES + 4], held[SUP_LIMB_VERTICES + 4];
    const float margin = 0.5f;
    supElementDef def = supLimbElement();
    supWeighBesidePlate( character, 0.0f, loose );
    supWeighBesidePlate( character, margin, held );
    int some = 0;
    for ( int v = 0; v < SUP_LIMB_VERTICES; ++v )
    {
        float beside[3] = { 0.11f - rest[v].x, fabsf( rest[v].y - 0.5f ) - 0.05f, fabsf( rest[v].z ) - 0.05f };
        float y = fmaxf( beside[1], 0.0f ), z = fmaxf( beside[2], 0.0f );
        float depth =
            0.1f * supAttenuate( def.attenuation, def.attenuationKeys, def.attenuationSlopes, 2.0f * rest[v].y - 1.0f );
        float t =
            depth <= 0.0f ? 1.0f : fminf( sqrtf( beside[0] * beside[0] + y * y + z * z ) / ( margin * depth ), 1.0f );
        float share = t * t * ( 3.0f - 2.0f * t );
        assert_true( fabsf( held[v] - share * loose[v] ) < 1e-4f );
        some += share < 0.5f && loose[v] > 0.5f;
    }
    assert_true( some >= 9 );
    for ( int v = SUP_LIMB_VERTICES; v < SUP_LIMB_VERTICES + 4; ++v )
    {
        assert_true( loose[v] == 0.0f && held[v] == 0.0f ); // the plate itself stays
    }
    supDestroyCharacter( character );
}

/// Standing as modelled nothing moves, bit for bit; hung upside down it sags the other way by twice its sag.
static void supTestRelativeGravity( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.sag = 0.1f;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .blended = true, .elements = &def, .elementCount = 1 } );
    static float smooth[3 * SUP_LIMB_VERTICES], living[3 * SUP_LIMB_VERTICES], normals[2][3 * SUP_LIMB_VERTICES];
    for ( int n = 0; n < 100; ++n )
    {
        supStepLimb( &limb, supMat34_identity, 1.0f / 60.0f );
    }
    supBody_SmoothSkin( limb.body, smooth, normals[0] );
    supBody_Skin( limb.body, living, normals[1] );
    assert_memory_equal( smooth, living, sizeof( smooth ) );
    assert_memory_equal( normals[0], normals[1], sizeof( normals[0] ) );

    supMat34 over = supMat34_identity;
    over.x.x = -1.0f;
    over.y.y = -1.0f; // half a turn about z
    supBody_Reset( limb.body );
    supStepLimb( &limb, over, 1.0f / 60.0f );
    supElementState hung = supBody_Element( limb.body, 0 );
    float thickness = supModel_Info( limb.model )->elements[0].thickness;
    assert_true( fabsf( hung.state.y + 0.2f * thickness ) < 1e-6f );
    supDropLimb( &limb );
}

/// The paper's gravity: the elongation at rest is m g / k, for its three gravities.
static void supTestPlainGravity( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.gravity = sup_gravityPlain;
    def.mass = 2.5f;
    def.stiffness = 8000.0f;
    def.damping = 20.0f;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    const float gravities[3] = { 16.3f, 36.4f, 63.4f };
    for ( int i = 0; i < 3; ++i )
    {
        supBody_SetGravity( limb.body, ( supVec3 ){ 0.0f, -gravities[i], 0.0f } );
        for ( int n = 0; n < 2000; ++n )
        {
            supStepLimb( &limb, supMat34_identity, 1.0f / 60.0f );
        }
        double truth = -2.5 * gravities[i] / 8000.0;
        assert_true( fabs( supBody_Element( limb.body, 0 ).state.y - truth ) < 1e-6 * fabs( truth ) + 1e-9 );
    }
    supDropLimb( &limb );
}

/// Air alone pulls the flesh along until the spring holds it: u = air * wind / omega^2.
static void supTestWind( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.airFriction = 3.0f;
    def.frequency = 5.0f;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    supBody_SetWind( limb.body, ( supVec3 ){ 2.0f, 0.0f, 0.0f } );
    for ( int n = 0; n < 1200; ++n )
    {
        supStepLimb( &limb, supMat34_identity, 1.0f / 60.0f );
    }
    double omega = 2.0 * SUP_PI * 5.0;
    assert_true( fabs( supBody_Element( limb.body, 0 ).state.x - 6.0 / ( omega * omega ) ) < 1e-6 );

    // at rest in this wind, but not in another, nor under another gravity: a host may not leave out steps then
    assert_true( supBody_IsAtRest( limb.body ) );
    supBody_SetWind( limb.body, supVec3_zero );
    assert_false( supBody_IsAtRest( limb.body ) );
    supBody_SetWind( limb.body, ( supVec3 ){ 2.0f, 0.0f, 0.0f } );
    assert_true( supBody_IsAtRest( limb.body ) );

    // a body that runs with the wind feels none
    supBody_Reset( limb.body );
    for ( int n = 0; n < 1200; ++n )
    {
        supStepLimb( &limb, supMoved( 2.0f * (float)n / 60.0f, 0.0f, 0.0f ), 1.0f / 60.0f );
    }
    assert_true( fabsf( supBody_Element( limb.body, 0 ).state.x ) < 2e-5f );
    supDropLimb( &limb );
}

/// A push of p on a mass m starts at p / m, and swings at the damped frequency: also one that comes right after the
/// frame that a body starts with, before it has any speed.
static void supComparePush( int framesBefore )
{
    supElementDef def = supLimbElement();
    def.mass = 4.0f;
    def.frequency = 2.0f;
    def.dampingRatio = 0.1f;
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    for ( int n = 0; n < framesBefore; ++n )
    {
        supStepLimb( &limb, supMat34_identity, 0.01f );
    }
    supBody_Push( limb.body, 0, ( supVec3 ){ 0.0f, 0.0f, 0.8f } );
    double omega = 4.0 * SUP_PI, decay = 0.1 * omega, swing = omega * sqrt( 1.0 - 0.01 );
    for ( int n = 1; n <= 200; ++n )
    {
        supStepLimb( &limb, supMat34_identity, 0.01f );
        double t = 0.01 * n, truth = 0.2 * exp( -decay * t ) * sin( swing * t ) / swing;
        assert_true( fabs( supBody_Element( limb.body, 0 ).state.z - truth ) < 1e-5 );
    }
    supDropLimb( &limb );
}

static void supTestPush( void** state )
{
    (void)state;
    supComparePush( 1 );
    supComparePush( 2 );
}

/// No vertex is ever displaced by more than its own shape * attenuation, and none that hangs on the driver alone comes
/// past the bone.
static void supTestReach( void** state )
{
    (void)state;
    for ( int limit = sup_limitSoft; limit <= sup_limitClamp; ++limit )
    {
        supElementDef def = supLimbElement();
        def.frequency = 2.0f;
        def.limit = limit;
        supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
        supElementView view = supModel_Info( limb.model )->elements[0];
        static float smooth[3 * SUP_LIMB_VERTICES], living[3 * SUP_LIMB_VERTICES];
        for ( int n = 0; n < 400; ++n )
        {
            // near its own frequency: a body that is shaken much harder feels less, since it takes that for jumps
            supMat34 world = supMoved( 0.4f * sinf( 0.2f * (float)n ), 0.2f * cosf( 0.3f * (float)n ), 0.0f );
            supStepLimb( &limb, world, 1.0f / 60.0f );
            supBody_SmoothSkin( limb.body, smooth, NULL );
            supBody_Skin( limb.body, living, NULL );
            supVec3 bone = { smooth[0] - 0.1f, 0.0f, 0.0f }; // vertex 0 stands at +0.1 beside the bone and never moves
            for ( int i = 0; i < view.vertexCount; ++i )
            {
                const float *a = smooth + 3 * view.vertices[i], *b = living + 3 * view.vertices[i];
                supVec3 moved = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
                assert_true( supLength( moved ) <= view.reach[i] * 1.00001f + 1e-6f );
                supVec3 before = { a[0] - bone.x, 0.0f, a[2] }, after = { b[0] - bone.x, 0.0f, b[2] };
                assert_true( supDot( before, after ) >= -1e-6f );
            }
        }
        assert_true( supBody_Counts( limb.body ).limited > 100 ); // it really was driven into the limit
        supDropLimb( &limb );
    }
}

/// What a body shows of an elongation along y.
static float supShownOf( supBody* body, float length )
{
    supFleshState* flesh = body->layers.layers[0].state;
    supSetFleshVec3( flesh, sup_rowU, 0, ( supVec3 ){ 0.0f, length, 0.0f } );
    supFlesh_Show( flesh );
    return supFleshVec3( flesh, sup_rowShown, 0 ).y;
}

static void supTestSaturation( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    float last = 0.0f, limit = *supFleshFloat( limb.body->layers.layers[0].state, sup_rowLimit, 0 );
    for ( int i = 1; i < 10000; ++i )
    {
        float length = 0.01f * (float)i, shown = supShownOf( limb.body, limit * length ) / limit;
        assert_true( shown <= 1.000001f && shown >= last - 1e-6f ); // to rounding
        assert_true( length > 0.5f || fabsf( shown - length ) < 1e-3f * length );
        last = shown;
    }
    for ( float length = 1.0f; length < 1e18f; length *= 3.0f )
    {
        float shown = supShownOf( limb.body, limit * length ) / limit;
        assert_true( shown <= 1.000001f && shown > 0.9f );
    }
    assert_true( supShownOf( limb.body, 0.0f ) == 0.0f );
    supDropLimb( &limb );
}

/// Normals and tangents against the living surface itself: rings and columns of the tube as they stand.
static void supTestNormals( void** state )
{
    (void)state;
    supElementDef def = supLimbElement();
    def.attenuation = sup_attenuationParabola; // steeper at the ends: the harder case
    supLimb limb = supMakeLimb( ( supLimbDef ){ .elements = &def, .elementCount = 1 } );
    supMat34 joints[3];
    supPoseLimb( &limb, supMat34_identity, joints );
    supVec3 u = { 0.04f, 0.03f, -0.05f };
    assert_int_equal( supBody_Show( limb.body, joints, &u ), sup_success );
    static float positions[3 * SUP_LIMB_VERTICES], normals[3 * SUP_LIMB_VERTICES], tangents[4 * SUP_LIMB_VERTICES];
    assert_int_equal( supBody_SkinStreams( limb.body, ( supOutStream ){ positions, SUP_LIMB_VERTICES, 12 },
                          ( supOutStream ){ normals, SUP_LIMB_VERTICES, 12 },
                          ( supOutStream ){ tangents, SUP_LIMB_VERTICES, 16 }, NULL ),
        sup_success );
    float worst = 0.0f;
    for ( int ring = 2; ring < SUP_LIMB_RINGS - 2; ++ring )
    {
        for ( int around = 0; around < SUP_LIMB_AROUND; ++around )
        {
            int v = ring * SUP_LIMB_AROUND + around;
            // analytically: p(angle, y) = (0.1 c, y, 0.1 s) + (1 - (2y-1)^2) u
            float y = (float)ring / ( SUP_LIMB_RINGS - 1 ), angle = 2.0f * supPi * (float)around / SUP_LIMB_AROUND;
            supVec3 along = supMulAdd( supMakeVec3( 0.0f, 1.0f, 0.0f ), -4.0f * ( 2.0f * y - 1.0f ), u );
            supVec3 around3 = supMakeVec3( -sinf( angle ), 0.0f, cosf( angle ) );
            supVec3 truth = supNormalize( supCross( along, around3 ) );
            supVec3 normal = supMakeVec3( normals[3 * v], normals[3 * v + 1], normals[3 * v + 2] );
            supVec3 tangent = supMakeVec3( tangents[4 * v], tangents[4 * v + 1], tangents[4 * v + 2] );
            worst = fmaxf( worst, supLength( supCross( normal, truth ) ) );
            assert_true( supDot( normal, truth ) > 0.0f );
            assert_true( supDot( tangent, around3 ) > 0.999f && tangents[4 * v + 3] == 1.0f );
        }
    }
    assert_true( worst < 0.01f ); // radians: the mesh's own gradients are those of a tube of 24 flat sides
    supDropLimb( &limb );
}

static void supTestPictures( void** state )
{
    (void)state;
    supLimb limb = supMakeLimb( ( supLimbDef ){ 0 } );
    supDraw silent = { 0 };
    for ( const char* const* name = supBody_DrawNames(); *name != NULL; ++name )
    {
        assert_true( supBody_Draw( limb.body, *name, &silent ) );
    }
    assert_false( supBody_Draw( limb.body, "muscles of marble", &silent ) );
    supDropLimb( &limb );
}

typedef struct supDashes
{
    int32_t count;
    float longest;
} supDashes;

static void supCountDash( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    (void)color, (void)width;
    supDashes* dashes = user;
    ++dashes->count;
    dashes->longest = fmaxf( dashes->longest, supDistance( from, to ) );
}

/// Dashes are as long as the way of the skin; a skin that hardly moves has none.
static void supTestDashes( void** state )
{
    (void)state;
    supLimb limb = supMakeLimb( ( supLimbDef ){ 0 } );
    supMat34 joints[3];
    supPoseLimb( &limb, supMat34_identity, joints );
    const float size = supCharacter_Info( limb.character )->size;
    const float elongations[] = { 0.0f, 0.9e-3f, 0.02f };
    for ( int i = 0; i < 3; ++i )
    {
        supDashes dashes = { 0 };
        supDraw draw = { .line = supCountDash, .user = &dashes };
        supVec3 shown = { elongations[i] * size, 0.0f, 0.0f };
        assert_int_equal( supBody_Show( limb.body, joints, &shown ), sup_success );
        assert_true( supBody_Draw( limb.body, "displacement", &draw ) );
        assert_true( i < 2 ? dashes.count == 0 : dashes.count > SUP_LIMB_VERTICES / 2 );
        assert_true( i < 2 || fabsf( dashes.longest - shown.x ) < 1e-5f * size );
    }
    supDropLimb( &limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestAttenuation ),
        cmocka_unit_test( supTestAttenuationSlopes ),
        cmocka_unit_test( supTestMassWithoutCore ),
        cmocka_unit_test( supTestTube ),
        cmocka_unit_test( supTestBoneThickness ),
        cmocka_unit_test( supTestOverlap ),
        cmocka_unit_test( supTestFacing ),
        cmocka_unit_test( supTestSkippedNames ),
        cmocka_unit_test( supTestBesideRigid ),
        cmocka_unit_test( supTestRelativeGravity ),
        cmocka_unit_test( supTestPlainGravity ),
        cmocka_unit_test( supTestWind ),
        cmocka_unit_test( supTestPush ),
        cmocka_unit_test( supTestReach ),
        cmocka_unit_test( supTestSaturation ),
        cmocka_unit_test( supTestNormals ),
        cmocka_unit_test( supTestPictures ),
        cmocka_unit_test( supTestDashes ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
