// Hours of a crowd: characters with clips and a limb under every layer, on two threads, under random clips, cuts,
// teleports, levels, edits, pushes, wind, arrivals and departures, poses that are no numbers and changing frame times.
// The skins stay finite, nothing has to be healed, nothing is allocated, and once calm a member that has lived through
// all of it stands where one does that has just come. SUPPLE_SOAK_SECONDS: how long, in simulated seconds (./run soak:
// 24 hours); else 20.
#include "support/test_allocator.h"
#include "support/whole_rig.h"

#include "base/float_settings.h"
#include "supple/auto.h"
#include "supple/creatures.h"
#include "supple/crowd.h"
#include "supple/lab/states.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    sup_kinds = 3, ///< the limb, and two characters
    sup_places = 9,
    sup_mostJoints = 64,
};

/// A member of the crowd and what its host knows of it.
typedef struct supActor
{
    int32_t who, kind, clip;
    supPose* pose;
    double time, rate;
    supMat34 joints[sup_mostJoints], world;
    float *positions, *normals;
    bool isBad;
} supActor;

typedef struct supStageOfHours
{
    supWholeRig whole;
    supCreature* creatures[2];
    supRig* rigs[2];
    supModel* own[2];
    const supModel* models[sup_kinds];
    supTestAllocator memory;
    supPool* pool;
    supCrowd* crowd;
    supActor actors[sup_places];
    uint32_t random;
    int64_t refused, healed, frames, came, edits, bad;
} supStageOfHours;

static uint32_t supRoll( supStageOfHours* stage, uint32_t below )
{
    stage->random = stage->random * 1664525u + 1013904223u;
    return ( stage->random >> 8 ) % below;
}

static double supRollShare( supStageOfHours* stage )
{
    return supRoll( stage, 1 << 20 ) / (double)( 1 << 20 );
}

static const supCharacter* supCharacterOf( const supStageOfHours* stage, int32_t kind )
{
    return supModel_Info( stage->models[kind] )->character;
}

static void supSetStage( supStageOfHours* stage )
{
    static const char* const names[2] = { "mushroom", "cat" };
    stage->whole = supMakeWholeRig( false );
    stage->models[0] = stage->whole.model;
    for ( int k = 0; k < 2; ++k )
    {
        assert_int_equal( supCreateCreature( names[k], NULL, &stage->creatures[k], NULL ), sup_success );
        const supCharacter* character = supCreature_Character( stage->creatures[k] );
        assert_int_equal( supProposeRig( character, sup_presetHeavy, &stage->rigs[k], NULL ), sup_success );
        assert_int_equal( supCompileModel( character, stage->rigs[k], &stage->own[k], NULL ), sup_success );
        stage->models[k + 1] = stage->own[k];
    }
    supPoolDef poolDef = supDefaultPoolDef();
    poolDef.workerCount = 2;
    assert_int_equal( supCreatePool( &poolDef, &stage->pool, NULL ), sup_success );
    stage->memory = ( supTestAllocator ){ .failAt = -1 };
    supAllocator counted = supMakeTestAllocator( &stage->memory );
    supCrowdDef def = supDefaultCrowdDef();
    def.models = stage->models;
    def.modelCount = sup_kinds;
    def.capacity = sup_places + 1; // one place for who is compared at the end
    def.tasks = supPool_Tasks( stage->pool );
    def.allocator = &counted;
    assert_int_equal( supCreateCrowd( &def, &stage->crowd, NULL ), sup_success );
    for ( int i = 0; i < sup_places; ++i )
    {
        supActor* actor = stage->actors + i;
        *actor = ( supActor ){ .kind = i % sup_kinds, .clip = -1, .rate = 1.0, .world = supMat34_identity };
        const supCharacter* character = supCharacterOf( stage, actor->kind );
        size_t floats = 3 * (size_t)supCharacter_Info( character )->vertexCount;
        assert_true( supCharacter_Info( character )->jointCount <= sup_mostJoints );
        assert_int_equal( supCreatePose( character, NULL, &actor->pose, NULL ), sup_success );
        actor->who = supCrowd_Add( stage->crowd, actor->kind );
        actor->positions = calloc( floats, sizeof( float ) );
        actor->normals = calloc( floats, sizeof( float ) );
        assert_true( actor->who >= 0 && actor->positions != NULL && actor->normals != NULL );
    }
}

static void supStrikeStage( supStageOfHours* stage )
{
    for ( int i = 0; i < sup_places; ++i )
    {
        free( stage->actors[i].positions );
        free( stage->actors[i].normals );
        supDestroyPose( stage->actors[i].pose );
    }
    supDestroyCrowd( stage->crowd );
    supDestroyPool( stage->pool );
    for ( int k = 0; k < 2; ++k )
    {
        supDestroyModel( stage->own[k] );
        supDestroyRig( stage->rigs[k] );
        supDestroyCreature( stage->creatures[k] );
    }
    supDropWholeRig( &stage->whole );
    assert_int_equal( stage->memory.live, 0 );
}

/// The limb has no clip: it swings. Now and then one number of the pose is none, or absurd.
static void supPoseActor( supStageOfHours* stage, supActor* actor, double dt )
{
    static const float odd[] = { NAN, INFINITY, -INFINITY, 1e30f, -1e20f, 3e38f };
    const supCharacter* character = supCharacterOf( stage, actor->kind );
    int32_t joints = supCharacter_Info( character )->jointCount;
    actor->time += dt * actor->rate;
    double phase = actor->time;
    if ( actor->clip >= 0 )
    {
        supClipView clip = supCharacter_Clip( character, actor->clip );
        phase = clip.end > clip.start ? clip.start + fmod( actor->time, clip.end - clip.start ) : clip.start;
    }
    supPose_Sample( actor->pose, actor->clip, phase );
    memcpy( actor->joints, supPose_Joints( actor->pose ), sizeof( supMat34 ) * (size_t)joints );
    if ( actor->kind == 0 )
    {
        actor->joints[1].t.x += 0.03f * (float)sin( 5.0 * phase );
        actor->joints[2].t.x += 0.05f * (float)sin( 6.5 * phase );
        actor->joints[2].t.y -= 0.04f * (float)( 1.0 - cos( 5.0 * phase ) );
    }
    actor->world.t.x += 0.01f * (float)sin( 0.7 * actor->time );
    actor->isBad = supRoll( stage, 500 ) == 0;
    if ( actor->isBad )
    {
        ( &actor->joints[supRoll( stage, (uint32_t)joints )].x.x )[supRoll( stage, 12 )] = odd[supRoll( stage, 6 )];
    }
}

/// An edit of the running body: a tuning between half and twice what it was made with.
static void supEditActor( supStageOfHours* stage, supActor* actor )
{
    static const char* const fields[] = { "frequency", "dampingRatio", "airFriction" };
    supBody* body = supCrowd_Body( stage->crowd, actor->who );
    const char* field = fields[supRoll( stage, 3 )];
    const supRig* rig = actor->kind == 0 ? stage->whole.rig : stage->rigs[actor->kind - 1];
    int32_t item = (int32_t)supRoll( stage, (uint32_t)supRig_ItemCount( rig, 0 ) );
    const supElementDef* element = supRig_Item( rig, 0, item );
    float made = field[0] == 'f' ? element->frequency : field[0] == 'd' ? element->dampingRatio : element->airFriction;
    float value = made * (float)( 0.5 + 1.5 * supRollShare( stage ) );
    supError error = { 0 };
    if ( isfinite( value ) && supBody_SetField( body, 0, item, field, value, &error ) != sup_success )
    {
        assert_true( error.text[0] != '\0' );
    }
    stage->edits += 1;
}

static void supHappen( supStageOfHours* stage, supActor* actor )
{
    supBody* body = supCrowd_Body( stage->crowd, actor->who );
    const supCharacterInfo* info = supCharacter_Info( supCharacterOf( stage, actor->kind ) );
    switch ( supRoll( stage, 4000 ) )
    {
        case 0:
        case 1: // a cut within the crowd's clips
        case 2:
        case 3:
            actor->clip = (int32_t)supRoll( stage, (uint32_t)info->clipCount + 1 ) - 1;
            actor->time = 10.0 * supRollShare( stage );
            actor->rate = 0.25 + 1.75 * supRollShare( stage );
            break;
        case 4: // told
        case 5: // not told
        {
            supMat34 to = supMat34_identity;
            to.t.x = (float)( 200.0 * supRollShare( stage ) - 100.0 );
            to.t.z = (float)( 200.0 * supRollShare( stage ) - 100.0 );
            if ( supRoll( stage, 2 ) == 0 )
            {
                supBody_Teleport( body, actor->world, to );
            }
            actor->world = to;
            break;
        }
        case 6:
            supBody_Push( body, 0, ( supVec3 ){ 0.02f, 0.0f, 0.01f } );
            break;
        case 7:
            supBody_SetWind( body, ( supVec3 ){ (float)supRoll( stage, 10 ), 0.0f, 0.0f } );
            break;
        case 8:
            supBody_Reset( body );
            break;
        case 9:
        case 10:
            supEditActor( stage, actor );
            break;
        case 11:
            supCrowd_SetLevel( stage->crowd, actor->who,
                ( supCrowdLevel ){
                    1 + (int32_t)supRoll( stage, 16 ), supRoll( stage, 4 ) != 0, true, supRoll( stage, 2 ) != 0, 1 } );
            break;
        case 12:
            supCrowd_SetLevel( stage->crowd, actor->who, supDefaultCrowdLevel() );
            break;
        case 13: // goes, and another comes in its place
            stage->healed += supBody_Counts( body ).healed;
            supCrowd_Remove( stage->crowd, actor->who );
            actor->who = supCrowd_Add( stage->crowd, actor->kind );
            assert_true( actor->who >= 0 );
            stage->came += 1;
            break;
        default:
            break;
    }
}

static double supFrameSpan( supStageOfHours* stage )
{
    static const double spans[] = { 1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0, 0.25, 0.0 };
    uint32_t kind = supRoll( stage, 100 );
    return spans[kind < 90 ? 0 : kind < 94 ? 1 : kind < 97 ? 2 : kind < 99 ? 3 : 4];
}

static void supCheckSkins( const supStageOfHours* stage )
{
    for ( int i = 0; i < sup_places; ++i )
    {
        const supActor* actor = stage->actors + i;
        size_t floats = 3 * (size_t)supCharacter_Info( supCharacterOf( stage, actor->kind ) )->vertexCount;
        bool isFinite = true;
        for ( size_t k = 0; k < floats; ++k )
        {
            isFinite = isFinite && isfinite( actor->positions[k] ) && isfinite( actor->normals[k] );
        }
        if ( !isFinite )
        {
            fail_msg( "frame %lld: member %d, of kind %d, has a skin that is not finite", (long long)stage->frames, i,
                actor->kind );
        }
    }
}

static void supRunHours( supStageOfHours* stage, int64_t frames )
{
    for ( ; stage->frames < frames; ++stage->frames )
    {
        double dt = supFrameSpan( stage );
        bool isSkinned = stage->frames % 60 == 0;
        int bad = 0;
        for ( int i = 0; i < sup_places; ++i )
        {
            supActor* actor = stage->actors + i;
            supHappen( stage, actor );
            supPoseActor( stage, actor, dt );
            bad += actor->isBad;
            supCrowdFrame frame = { .joints = actor->joints, .world = actor->world };
            frame.positions = isSkinned ? actor->positions : NULL;
            frame.normals = isSkinned ? actor->normals : NULL;
            supCrowd_SetFrame( stage->crowd, actor->who, &frame );
        }
        supCrowd_Run( stage->crowd, (float)dt );
        int32_t refused = supCrowd_Report( stage->crowd ).refused;
        assert_true( refused <= bad ); // who rests or waits for its turn is not looked at
        stage->bad += bad;
        stage->refused += refused;
        if ( isSkinned )
        {
            supCheckSkins( stage );
        }
    }
}

/// A member that has lived and one that has just come, both held at rest in one place for half a minute: how far apart
/// they stand then. Metres
static float supCompareMember( supStageOfHours* stage, supActor* actor )
{
    const supCharacterInfo* info = supCharacter_Info( supCharacterOf( stage, actor->kind ) );
    size_t floats = 3 * (size_t)info->vertexCount;
    float* fresh = calloc( floats, sizeof( float ) );
    int32_t other = supCrowd_Add( stage->crowd, actor->kind );
    assert_true( other >= 0 && fresh != NULL );
    supBody *old = supCrowd_Body( stage->crowd, actor->who ), *young = supCrowd_Body( stage->crowd, other );
    supBody_SetWind( old, supVec3_zero );
    for ( int32_t e = 0; e < supModel_ItemCount( stage->models[actor->kind], 0 ); ++e )
    {
        supElementTuning tuning = supBody_Tuning( young, e ); // the edits taken back
        assert_int_equal( supBody_Tune( old, e, &tuning, NULL ), sup_success );
    }
    supCrowd_SetLevel( stage->crowd, actor->who, supDefaultCrowdLevel() );
    for ( int frame = 0; frame < 1800; ++frame )
    {
        bool last = frame == 1799;
        supCrowdFrame given = {
            .joints = info->restJoints, .world = actor->world, .positions = last ? actor->positions : NULL
        };
        supCrowd_SetFrame( stage->crowd, actor->who, &given );
        given.positions = last ? fresh : NULL;
        supCrowd_SetFrame( stage->crowd, other, &given );
        supCrowd_Run( stage->crowd, 1.0f / 60.0f );
    }
    float apart = 0.0f;
    for ( size_t k = 0; k < floats; ++k )
    {
        apart = fmaxf( apart, fabsf( fresh[k] - actor->positions[k] ) );
    }
    supCrowd_Remove( stage->crowd, other );
    free( fresh );
    return apart / info->size;
}

static void supTestHours( void** state )
{
    (void)state;
    static supStageOfHours stage;
    stage = ( supStageOfHours ){ .random = 11 };
    supSetStage( &stage );
    int32_t calls = stage.memory.calls;
    const char* text = getenv( "SUPPLE_SOAK_SECONDS" );
    supRunHours( &stage, (int64_t)( 60.0 * ( text != NULL ? atof( text ) : 20.0 ) ) );
    float apart = 0.0f;
    for ( int i = 0; i < sup_places; ++i )
    {
        for ( int k = 0; k < sup_places; ++k ) // the others stand still meanwhile
        {
            supCrowd_SetFrame( stage.crowd, stage.actors[k].who, &( supCrowdFrame ){ .joints = NULL } );
        }
        apart = fmaxf( apart, supCompareMember( &stage, stage.actors + i ) );
    }
    stage.healed += supCrowd_Report( stage.crowd ).healed;
    print_message(
        "%lld frames of %d members: %lld poses that are none, of which %lld were looked at and refused, %lld "
        "edits, %lld came anew, healed %lld times; once calm %.2g of its size from who has just come\n",
        (long long)stage.frames, sup_places, (long long)stage.bad, (long long)stage.refused, (long long)stage.edits,
        (long long)stage.came, (long long)stage.healed, (double)apart );
    assert_int_equal( stage.healed, 0 );
    assert_int_equal( stage.memory.calls, calls );
    assert_true( stage.refused > 0 );
    assert_true( apart < 1e-4f );
    supStrikeStage( &stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestHours ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
