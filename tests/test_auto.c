// The automatic rig: what it finds on characters that were made by others, and what it leaves alone.

#include "supple/lab/items.h"
#include "support/found_flesh.h"
#include "support/test_allocator.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

// ---------------------------------------------------------------------------------------------------------------
// Regions, against lists made by looking at each character

typedef struct supExpected
{
    const char* asset;
    const char* flesh; ///< joints whose skin must carry flesh, with blanks around each
    const char* left;  ///< joints whose skin must not
} supExpected;

static const supExpected supExpectations[] = {
    { "khronos_fox/glTF-Binary/Fox.glb",
        " b_Spine01_02 b_LeftUpperArm_09 b_RightUpperArm_06 b_LeftLeg01_015 b_RightLeg01_019 ",
        " b_Head_05 b_RightHand_08 b_LeftHand_011 b_LeftFoot01_017 b_LeftFoot02_018 b_RightFoot01_021 b_RightFoot02_022 "
        "b_Tail01_012 b_Tail02_013 b_Tail03_014 " },
    { "quaternius/Cow.glb", " Torso Torso2 BackLeg.L BackLeg.R FrontUpperLeg.L FrontUpperLeg.R ",
        " Neck1 Neck2 Neck3 Head FFB.L FFB.R FF.L FF.R IKBackLeg.L IKBackLeg.R IKFrontLeg.L "
        "IKFrontLeg.R BackLowerLeg.L BackLowerLeg.R Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 " },
    { "quaternius/Horse.glb", " Back Torso2 BackLeg.L BackLeg.R FrontUpperLeg.L FrontUpperLeg.R ",
        " Neck1 Neck2 Neck3 Head Ear1.L Ear2.L Ear1.R Ear2.R FFB.L FFB.R FF.L FF.R IKBackLeg.L IKBackLeg.R IKFrontLeg.L "
        "IKFrontLeg.R BackLowerLeg.L BackLowerLeg.R Tail2 Tail3 Tail4 Tail5 Tail6 Tail7 " },
    { "khronos_cesiumman/glTF-Binary/CesiumMan.glb",
        " Skeleton_torso_joint_1 Skeleton_torso_joint_2 leg_joint_L_1 leg_joint_R_1 Skeleton_arm_joint_L__4_ Skeleton_arm_joint_R ",
        " Skeleton_neck_joint_2 leg_joint_L_3 leg_joint_L_5 leg_joint_R_3 leg_joint_R_5 Skeleton_arm_joint_L__2_ "
        "Skeleton_arm_joint_R__3_ " },
    { "mh_human/mh_heavy.glb", " LowerBack Spine Spine1 LeftUpLeg RightUpLeg LeftArm RightArm ",
        " LeftHand LeftFingerBase LeftHandFinger1 LThumb RightHand RightFingerBase RightHandFinger1 RThumb "
        "LeftFoot LeftToeBase RightFoot RightToeBase " },
    // a robot in a jacket: the jacket's body and sleeves; all else is plates, balls and pistons
    { "quaternius/Character.glb", " Torso UpperArm.L UpperArm.R ",
        " Hips Head Hand.L Hand.R Foot.L Foot.R Weapon LowerArm.L LowerArm.R UpperLeg.L UpperLeg.R LowerLeg.L LowerLeg.R " },
    { "robotexpressive/RobotExpressive.glb", " ", " Palm2.L Palm2.R Thumb.L Thumb.R Middle1.L Middle1.R " },
};

static bool supIsListedIn( const char* list, const char* name )
{
    char word[160];
    snprintf( word, sizeof( word ), " %s ", name );
    return name[0] != '\0' && strstr( list, word ) != NULL;
}

/// The strongest flesh on each joint's skin: on vertices that hang on it at least by `share`.
static float* supStrongestFlesh( const supFound* found, float share )
{
    float* strongest = calloc( (size_t)supCharacter_Info( found->character )->jointCount, sizeof( float ) );
    float* weights = supFleshWeights( found->model );
    const int32_t* joints = supCharacter_Info( found->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( found->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( found->character, m );
        for ( int32_t i = 0; mesh.skin >= 0 && i < mesh.vertexCount * mesh.influenceCount; ++i )
        {
            float* value = strongest + joints[mesh.firstPalette + mesh.jointIndices[i]];
            float flesh = weights[mesh.firstVertex + i / mesh.influenceCount];
            *value = mesh.weights[i] >= share ? fmaxf( *value, flesh ) : *value;
        }
    }
    free( weights );
    return strongest;
}

static int32_t supCountWords( const char* list )
{
    int32_t count = 0;
    for ( const char* p = list; p[1] != '\0'; ++p )
    {
        count += p[0] == ' ' && p[1] != ' ';
    }
    return count;
}

static void supCheckRegions( const supExpected* expected )
{
    supFound found = supFindFlesh( expected->asset, sup_presetNatural );
    float* any = supStrongestFlesh( &found, 0.3f );
    float* most = supStrongestFlesh( &found, 0.51f );
    int32_t wrong = 0, known = 0;
    for ( int32_t j = 0; j < supCharacter_Info( found.character )->jointCount; ++j )
    {
        const char* name = supCharacter_Joint( found.character, j )->name;
        if ( supCharacter_FindJoint( found.character, name ) != j )
        {
            continue;
        }
        bool flesh = supIsListedIn( expected->flesh, name ), left = supIsListedIn( expected->left, name );
        known += flesh + left;
        if ( ( flesh && any[j] < 0.4f ) || ( left && most[j] > 0.1f ) )
        {
            print_message( "%s: %s: flesh up to %.3f, %s expected\n", expected->asset, name,
                (double)( flesh ? any[j] : most[j] ), flesh ? "some" : "none" );
            ++wrong;
        }
    }
    assert_int_equal( known, supCountWords( expected->flesh ) + supCountWords( expected->left ) );
    assert_int_equal( wrong, 0 );
    free( any );
    free( most );
    supDropFound( &found );
}

static void supTestRegions( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    for ( size_t i = 0; i < sizeof( supExpectations ) / sizeof( supExpectations[0] ); ++i )
    {
        supCheckRegions( supExpectations + i );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The same character in other words

static const char* const supBodies[] = { "khronos_fox/glTF-Binary/Fox.glb", "quaternius/Cow.glb",
    "quaternius/Horse.glb", "khronos_cesiumman/glTF-Binary/CesiumMan.glb", "mh_human/mh_heavy.glb",
    "quaternius/Character.glb" };

enum
{
    supBodyCount = sizeof( supBodies ) / sizeof( supBodies[0] )
};

static void supSameJoints( const supFound* a, const supFound* b, supNameList x, supNameList y )
{
    assert_int_equal( x.count, y.count );
    for ( int32_t i = 0; i < x.count; ++i )
    {
        assert_int_equal( supListedJoint( a->character, x.names[i] ), supListedJoint( b->character, y.names[i] ) );
    }
}

/// The same elements on the same joints with the same numbers, to `slack` of each; names may differ.
static void supSameRig( const supFound* a, const supFound* b, double slack )
{
    assert_int_equal( supRig_ElementCount( a->rig ), supRig_ElementCount( b->rig ) );
    for ( int32_t e = 0; e < supRig_ElementCount( a->rig ); ++e )
    {
        const supElementDef *x = supRig_Element( a->rig, e ), *y = supRig_Element( b->rig, e );
        assert_int_equal( supListedJoint( a->character, x->driver ), supListedJoint( b->character, y->driver ) );
        supSameJoints( a, b, x->ends, y->ends );
        supSameJoints( a, b, x->joints, y->joints );
        const float one[] = { x->frequency, x->dampingRatio, x->amount, x->sag, x->spread, x->facing.x, x->facing.y,
            x->facing.z, a->proposal->elements[e].ceiling };
        const float other[] = { y->frequency, y->dampingRatio, y->amount, y->sag, y->spread, y->facing.x, y->facing.y,
            y->facing.z, b->proposal->elements[e].ceiling };
        for ( size_t i = 0; i < sizeof( one ) / sizeof( one[0] ); ++i )
        {
            if ( fabs( (double)( one[i] - other[i] ) ) > slack * fabs( (double)one[i] ) + 1e-4 )
            {
                fail_msg( "%s: element %s: number %zu is %g, and %g in other words", a->name, x->name, i,
                    (double)one[i], (double)other[i] );
            }
        }
        int32_t count = supModel_Info( a->model )->elements[e].vertexCount;
        assert_true(
            abs( count - supModel_Info( b->model )->elements[e].vertexCount ) <= 1 + count / 200 ); // at the border
    }
}

static void supRenameAtRandom( json_t* root, void* context )
{
    uint32_t* seed = context;
    size_t index;
    json_t* node;
    json_array_foreach( json_object_get( root, "nodes" ), index, node )
    {
        char name[32];
        *seed = *seed * 1664525u + 1013904223u;
        snprintf( name, sizeof( name ), "%c%u_%zu", 'a' + (int)( *seed >> 28 ), *seed >> 12, index );
        json_object_set_new( node, "name", json_string( name ) );
    }
}

static void supNameAllAlike( json_t* root, void* context )
{
    (void)context;
    size_t index;
    json_t* node;
    json_array_foreach( json_object_get( root, "nodes" ), index, node )
    {
        json_object_set_new( node, "name", json_string( "Bone" ) );
    }
}

static void supForgetNames( json_t* root, void* context )
{
    (void)context;
    size_t index;
    json_t* node;
    json_array_foreach( json_object_get( root, "nodes" ), index, node )
    {
        json_object_del( node, "name" );
    }
}

/// Puts the whole scene under a new node, last in the list, that scales it.
static void supScaleScene( json_t* root, void* context )
{
    double scale = *(const double*)context;
    json_t* scene = json_array_get( json_object_get( root, "scenes" ), 0 );
    json_t* nodes = json_object_get( root, "nodes" );
    json_t* above =
        json_pack( "{s:[f,f,f], s:O}", "scale", scale, scale, scale, "children", json_object_get( scene, "nodes" ) );
    json_object_set_new( scene, "nodes", json_pack( "[i]", (int)json_array_size( nodes ) ) );
    json_array_append_new( nodes, above );
}

static void supDropClips( json_t* root, void* context )
{
    (void)context;
    json_object_del( root, "animations" );
}

static void supDropClipsAndNames( json_t* root, void* context )
{
    supDropClips( root, NULL );
    supRenameAtRandom( root, context );
}

static void supCompareEdited( const char* asset, supJsonEdit* edit, void* context, double slack )
{
    supFound plain = supFindFlesh( asset, sup_presetNatural );
    supCharacter* edited = supLoadEdited( asset, edit, context );
    supFound other = supFindFleshOn( edited, sup_presetNatural );
    assert_true( supRig_ElementCount( plain.rig ) > 0 );
    supSameRig( &plain, &other, slack );
    supDropFound( &other );
    supDestroyCharacter( edited );
    supDropFound( &plain );
}

/// Names are one piece of evidence among others: on these bodies the others are enough.
static void supTestOtherNames( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    uint32_t seed = 4711;
    for ( int i = 0; i < supBodyCount; ++i )
    {
        supCompareEdited( supBodies[i], supRenameAtRandom, &seed, 0.01 );
    }
    supCompareEdited( "khronos_fox/glTF-Binary/Fox.glb", supNameAllAlike, NULL, 0.01 );
    supCompareEdited( "quaternius/Cow.glb", supForgetNames, NULL, 0.01 );
}

/// Bones are found without clips too, where elbows and knees bend no more than twist joints: the same elements on the
/// same joints, and names play no part there either.
static void supTestBonesWithoutClips( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    uint32_t seed = 1517;
    for ( int i = 0; i < supBodyCount; ++i )
    {
        if ( strstr( supBodies[i], "Character.glb" ) != NULL )
        {
            continue; // a robot whose claws point backwards: only how its knees bend tells its front
        }
        supFound moving = supFindFlesh( supBodies[i], sup_presetNatural );
        supCharacter* still = supLoadEdited( supBodies[i], supDropClipsAndNames, &seed );
        supFound found = supFindFleshOn( still, sup_presetNatural );
        print_message( "%s\n", supBodies[i] );
        assert_int_equal( supRig_ElementCount( moving.rig ), supRig_ElementCount( found.rig ) );
        for ( int32_t e = 0; e < supRig_ElementCount( found.rig ); ++e )
        {
            const supElementDef *x = supRig_Element( moving.rig, e ), *y = supRig_Element( found.rig, e );
            assert_int_equal( supListedJoint( moving.character, x->driver ), supListedJoint( still, y->driver ) );
            supSameJoints( &moving, &found, x->ends, y->ends );
            supSameJoints( &moving, &found, x->joints, y->joints );
        }
        supDropFound( &found );
        supDestroyCharacter( still );
        supDropFound( &moving );
    }
}

// Numbers are rounded to three digits in the rig: another digit may be the last one.
static void supTestAnyScale( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    const double scales[2] = { 0.01, 100.0 };
    for ( int i = 0; i < supBodyCount; ++i )
    {
        for ( int k = 0; k < 2; ++k )
        {
            double scale = scales[k];
            supCompareEdited( supBodies[i], supScaleScene, &scale, 0.01 );
        }
    }
}

static void supTestNoClips( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supCharacter* stands = supLoadEdited( "mh_human/mh_heavy.glb", supDropClips, NULL );
    supFound found = supFindFleshOn( stands, sup_presetNatural );
    supFound moving = supFindFlesh( "mh_human/mh_heavy.glb", sup_presetNatural );
    assert_int_equal( supRig_ElementCount( found.rig ), supRig_ElementCount( moving.rig ) );
    for ( int32_t e = 0; e < supRig_ElementCount( found.rig ); ++e )
    {
        const supProposedElement* still = found.proposal->elements + e;
        assert_true( still->typicalClip == -1 && still->peakClip == -1 );
        assert_true( still->typical == 0.0f && still->peak == 0.0f );
        assert_true( supRig_Element( found.rig, e )->amount > 0.0f );
        assert_true( supRig_Element( found.rig, e )->frequency == supRig_Element( moving.rig, e )->frequency );
        assert_true( still->ceiling == moving.proposal->elements[e].ceiling );
    }
    supDropFound( &moving );
    supDropFound( &found );
    supDestroyCharacter( stands );
}

// ---------------------------------------------------------------------------------------------------------------
// Left and right

/// The element on the other side: of the same region, and the nearest one in height and length. -1: there is none.
static int32_t supFindTwin( const supFound* found, int32_t element )
{
    const supBodyReading* body = &found->proposal->body;
    const supProposedElement* x = found->proposal->elements + element;
    int32_t best = -1;
    float nearest = 0.02f * supCharacter_Info( found->character )->size;
    for ( int32_t e = 0; e < found->proposal->elementCount; ++e )
    {
        const supProposedElement* y = found->proposal->elements + e;
        supVec3 way = { y->center.x - x->center.x, y->center.y - x->center.y, y->center.z - x->center.z };
        float up = way.x * body->up.x + way.y * body->up.y + way.z * body->up.z;
        float front = way.x * body->front.x + way.y * body->front.y + way.z * body->front.z;
        float off = fabsf( up ) + fabsf( front );
        if ( y->region == x->region && y->side != x->side && y->side != sup_sideMiddle && off < nearest )
        {
            best = e;
            nearest = off;
        }
    }
    return best;
}

static double supWeighFlesh( const supFound* found, int32_t element, const float* areas )
{
    supElementView view = supModel_Info( found->model )->elements[element];
    double sum = 0.0;
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        sum += (double)( view.weights[i] * areas[view.vertices[i]] );
    }
    return sum;
}

/// `slack`: how far the flesh itself may differ, by the area that it moves; the numbers are the same to the last digit.
static void supCheckSides( const char* name, double slack, int32_t leastPairs )
{
    supFound found = supFindFlesh( name, sup_presetNatural );
    float* areas = supVertexAreas( found.character );
    int32_t pairs = 0;
    for ( int32_t e = 0; e < supRig_ElementCount( found.rig ); ++e )
    {
        if ( found.proposal->elements[e].side == sup_sideMiddle )
        {
            continue;
        }
        int32_t twin = supFindTwin( &found, e );
        assert_true( twin >= 0 );
        const supElementDef *x = supRig_Element( found.rig, e ), *y = supRig_Element( found.rig, twin );
        assert_true( x->frequency == y->frequency && x->dampingRatio == y->dampingRatio );
        assert_true( x->amount == y->amount && x->sag == y->sag );
        double left = supWeighFlesh( &found, e, areas ), right = supWeighFlesh( &found, twin, areas );
        if ( fabs( left - right ) > slack * left )
        {
            fail_msg( "%s: %s moves %g, %s %g", name, x->name, left, y->name, right );
        }
        pairs += twin > e;
    }
    assert_true( pairs >= leastPairs );
    free( areas );
    supDropFound( &found );
}

static void supTestSides( void** state )
{
    (void)state;
    supCheckSides( "woman", 0.01, 3 );
    supCheckSides( "cat", 0.01, 4 );
    SUP_SKIP_WITHOUT_ASSETS();
    supCheckSides( "mh_human/mh_heavy.glb", 0.02, 4 );
    supCheckSides( "quaternius/Character.glb", 0.01, 1 );
}

// ---------------------------------------------------------------------------------------------------------------
// Memory and time

static void supTestFailingAllocator( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, &error ), sup_success );
    int32_t calls = 0, failAt = -1;
    do
    {
        supTestAllocator test = { .failAt = failAt };
        supAllocator allocator = supMakeTestAllocator( &test );
        supRig* rig = NULL;
        supProposal* proposal = NULL;
        supProposeDef def = supDefaultProposeDef();
        def.allocator = &allocator;
        supResult result = supProposeRigWith( supCreature_Character( creature ), &def, &rig, &proposal, &error );
        assert_int_equal( result, failAt < 0 ? sup_success : sup_errorMemory );
        assert_true( failAt < 0 || ( rig == NULL && proposal == NULL && error.text[0] != '\0' ) );
        calls = failAt < 0 ? test.calls : calls;
        supDestroyProposal( proposal );
        supDestroyRig( rig );
        assert_int_equal( test.live, 0 );
        failAt += failAt < 12 ? 1 : 1 + calls / 16; // all of the first ones, then some of each part
    } while ( failAt < calls );
    assert_true( calls > 4 );
    supDestroyCreature( creature );
}

/// The same rig for any number of threads.
static void supTestThreads( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    supPool* pool = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, &error ), sup_success );
    supPoolDef poolDef = supDefaultPoolDef();
    poolDef.workerCount = 3;
    assert_int_equal( supCreatePool( &poolDef, &pool, &error ), sup_success );
    supTasks tasks = supPool_Tasks( pool );
    supRig* rigs[2] = { NULL };
    supProposal* proposals[2] = { NULL };
    for ( int i = 0; i < 2; ++i )
    {
        supProposeDef def = supDefaultProposeDef();
        def.preset = sup_presetHeavy;
        def.tasks = i == 0 ? NULL : &tasks;
        assert_int_equal( supProposeRigWith( supCreature_Character( creature ), &def, rigs + i, proposals + i, &error ),
            sup_success );
    }
    assert_true( proposals[0]->elementCount > 0 );
    assert_int_equal( proposals[0]->elementCount, proposals[1]->elementCount );
    for ( int32_t e = 0; e < proposals[0]->elementCount; ++e )
    {
        const supElementDef *a = supRig_Element( rigs[0], e ), *b = supRig_Element( rigs[1], e );
        assert_true( a->amount == b->amount && a->sag == b->sag && a->frequency == b->frequency );
        const supProposedElement *x = proposals[0]->elements + e, *y = proposals[1]->elements + e;
        assert_true( x->peak == y->peak && x->typical == y->typical );
        assert_true( x->peakClip == y->peakClip && x->typicalClip == y->typicalClip );
    }
    for ( int i = 0; i < 2; ++i )
    {
        supDestroyProposal( proposals[i] );
        supDestroyRig( rigs[i] );
    }
    supDestroyPool( pool );
    supDestroyCreature( creature );
}

/// Typical motion and peaks are those of the clips that are asked for.
static void supTestChosenClips( void** state )
{
    (void)state;
    supFound all = supFindFlesh( "woman", sup_presetNatural );
    int32_t jump = supCharacter_FindClip( all.character, "jump" ),
            walk = supCharacter_FindClip( all.character, "walk" );
    assert_true( jump >= 0 && walk >= 0 );
    supProposeDef def = supDefaultProposeDef();
    def.clips = &walk;
    def.clipCount = 1;
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRigWith( all.character, &def, &rig, &proposal, &error ), sup_success );
    assert_true( proposal->elementCount > 0 );
    assert_int_equal( proposal->elementCount, all.proposal->elementCount );
    for ( int32_t e = 0; e < proposal->elementCount; ++e )
    {
        const supProposedElement *one = proposal->elements + e, *any = all.proposal->elements + e;
        assert_int_equal( one->typicalClip, walk );
        assert_int_equal( one->peakClip, walk );
        assert_true( one->peak > 0.0f && one->peak <= one->ceiling );
        assert_true( one->typical > 0.0f );
        assert_true( any->typicalClip >= 0 && any->peakClip >= 0 && any->peak <= any->ceiling );
    }
    supDestroyProposal( proposal );
    supDestroyRig( rig );
    supDropFound( &all );
}

/// Seconds of the processor's time, the best of five.
static double supTimeRig( const supCharacter* character )
{
    double best = 1e9;
    for ( int i = 0; i < 5; ++i )
    {
        supRig* rig = NULL;
        supError error;
        clock_t start = clock();
        assert_int_equal( supProposeRig( character, sup_presetNatural, &rig, &error ), sup_success );
        best = fmin( best, (double)( clock() - start ) / CLOCKS_PER_SEC );
        supDestroyRig( rig );
    }
    return best;
}

/// 0.05 s for the body and 0.15 s with its clips are what it is to take: told here, since machines differ. Held is what
/// does not hang on the machine: looking at all clips costs no more than a few times reading the body.
static void supTestTime( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supCharacter* moves = supLoadEdited( "mh_human/mh_heavy.glb", NULL, NULL );
    supCharacter* stands = supLoadEdited( "mh_human/mh_heavy.glb", supDropClips, NULL );
    double body = supTimeRig( stands ), clips = supTimeRig( moves );
    print_message( "the heavy man's rig took %.3f s for the body, %.3f s with its clips\n", body, clips );
    assert_true( clips <= 8.0 * body + 0.01 );
    supDestroyCharacter( stands );
    supDestroyCharacter( moves );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestRegions ),
        cmocka_unit_test( supTestOtherNames ),
        cmocka_unit_test( supTestBonesWithoutClips ),
        cmocka_unit_test( supTestAnyScale ),
        cmocka_unit_test( supTestNoClips ),
        cmocka_unit_test( supTestSides ),
        cmocka_unit_test( supTestFailingAllocator ),
        cmocka_unit_test( supTestThreads ),
        cmocka_unit_test( supTestChosenClips ),
        cmocka_unit_test( supTestTime ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
