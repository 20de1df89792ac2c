// What the automatic rig reads off characters that it was not made with, against what is true of them: strangers and
// bodies.json of the test assets, and of the other assets what stands here.

#include "base/math.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "support/strangers.h"
#include "support/test_assets.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// Made by looking at each of them. Character is a robot in a jacket, which moves: built like a human.
static const char supOthers[] =
    "{ 'bodies': ["
    "{ 'file': 'khronos_fox/glTF-Binary/Fox.glb', 'kind': 'quadruped', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'belly': { 'count': 1, 'offset': 'down' }, 'thigh': { 'count': '2 or 4' } } },"
    "{ 'file': 'quaternius/Horse.glb', 'kind': 'quadruped', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'belly': { 'count': 1, 'offset': 'down' }, 'thigh': { 'count': '2 or 4' } } },"
    "{ 'file': 'quaternius/Cow.glb', 'kind': 'quadruped', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'belly': { 'count': 1, 'offset': 'down' }, 'thigh': { 'count': '2 or 4' } } },"
    "{ 'file': 'khronos_cesiumman/glTF-Binary/CesiumMan.glb', 'kind': 'human', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'belly': { 'count': 1, 'offset': 'front' }, 'thigh': { 'count': 2 } } },"
    "{ 'file': 'khronos_riggedfigure/glTF-Binary/RiggedFigure.glb', 'kind': 'human', 'front': [0, 0, 1],"
    "  'up': [0, 1, 0], 'regions': { 'belly': { 'count': '0 or 1', 'offset': 'front' } } },"
    "{ 'file': 'mh_human/mh_heavy.glb', 'kind': 'human', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'belly': { 'count': 1, 'offset': 'front' }, "
    "    'bottom': { 'count': 2, 'offset': 'back' }, 'thigh': { 'count': 2 }, 'calf': { 'count': 2 },"
    "    'upperArm': { 'count': 2 } } },"
    "{ 'file': 'quaternius/Character.glb', 'kind': 'human', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { 'upperArm': { 'count': '0 or 2' }, 'thigh': { 'count': 0 }, 'calf': { 'count': 0 } } },"
    "{ 'file': 'robotexpressive/RobotExpressive.glb', 'kind': 'machine', 'front': [0, 0, 1], 'up': [0, 1, 0],"
    "  'regions': { } } ] }";

static supStranger supMet[supMostBodies];
static int32_t supMetCount;

static int supMeetAll( void** state )
{
    (void)state;
    supMetCount = supMeetStrangers( supMet, supMostBodies );
    if ( supTestAssets() != NULL )
    {
        char text[sizeof( supOthers )];
        for ( size_t i = 0; i < sizeof( supOthers ); ++i )
        {
            text[i] = supOthers[i] == '\'' ? '"' : supOthers[i];
        }
        json_t* root = json_loads( text, 0, NULL );
        supBodyTruth truths[supMostBodies];
        int32_t count = supReadTruths( root, "", truths, supMostBodies );
        json_decref( root );
        for ( int32_t i = 0; i < count && supMetCount < supMostBodies; i += SUP_SLOW_BUILD ? 3 : 1 )
        {
            supMeet( supMet + supMetCount++, truths + i );
        }
    }
    return 0;
}

static int supLeaveAll( void** state )
{
    (void)state;
    supLeave( supMet, supMetCount );
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The words for counts

static void supTestCounts( void** state )
{
    (void)state;
    int32_t counts[sup_regionCount] = { 0 };
    counts[sup_regionBelly] = 1;
    counts[sup_regionThigh] = 4;
    counts[sup_regionSide] = 2;
    assert_true( supIsCount( "1", sup_regionBelly, counts ) && !supIsCount( "2", sup_regionBelly, counts ) );
    assert_true( supIsCount( "0 or 1", sup_regionBelly, counts ) && supIsCount( "0 or 1", sup_regionCalf, counts ) );
    assert_true( supIsCount( "2 or 4", sup_regionThigh, counts ) && !supIsCount( "2 or 4", sup_regionBelly, counts ) );
    assert_true( supIsCount( "2 or more", sup_regionThigh, counts ) );
    assert_true( !supIsCount( "2 or more", sup_regionBelly, counts ) );
    assert_true( supIsCount( "1 or more, or side, or body", sup_regionUdder, counts ) );
    assert_true( !supIsCount( "1 or more, or body", sup_regionUdder, counts ) );
    assert_true( !supIsCount( "3 or more, or side, or body", sup_regionUdder, counts ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Kind, front, up

static int32_t supCheckReading( const supStranger* stranger )
{
    const supBodyTruth* truth = &stranger->truth;
    print_message( "%-24s", truth->name );
    if ( !stranger->isFound )
    {
        print_message( "REFUSED: %s\n", stranger->error.text );
        return 1;
    }
    const supBodyReading* body = &stranger->found.proposal->body;
    double front = supAngle( truth->front, body->front ), up = supAngle( truth->up, body->up );
    bool kind = body->kind == truth->kind;
    // of a machine most of which has no skin, a skeleton of two arms is left: nothing tells its front
    front = body->kind == sup_bodyMachine && body->confidence <= 0.5f ? 0.0 : front;
    print_message( "%-12s %s  front %3.0f %s  up %3.0f %s  confidence %.2f",
        supWordFor( sup_wordsBodyKind, body->kind ), kind ? "ok   " : "WRONG", front, front <= 10.0 ? "ok   " : "WRONG",
        up, up <= 10.0 ? "ok   " : "WRONG", (double)body->confidence );
    print_message( "%s%s\n", kind ? "" : "  is ", kind ? "" : supWordFor( sup_wordsBodyKind, truth->kind ) );
    bool square = fabsf( supDot( body->front, body->up ) ) < 1e-3f &&
                  supDistance( supCross( body->up, body->front ), body->left ) < 1e-3f &&
                  fabsf( supLength( body->front ) - 1.0f ) < 1e-3f;
    if ( !square )
    {
        print_message( "    WRONG: front, up and left are not a frame of unit vectors\n" );
    }
    bool sure = body->confidence > 0.0f && body->confidence <= 1.0f && body->evidenceCount > 0;
    if ( !sure )
    {
        print_message(
            "    WRONG: a confidence of %g on %d pieces of evidence\n", (double)body->confidence, body->evidenceCount );
    }
    return !kind + ( front > 10.0 ) + ( up > 10.0 ) + !square + !sure;
}

/// Why the wasp's front is +x and not, as its list has it, +z: left and right wing lie on both sides of its thorax
/// along z, by as much, and its head lies before the thorax along +x.
static void supTestWasp( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supCharacter* wasp = strcmp( supMet[i].truth.name, "Wasp" ) == 0 ? supMet[i].character : NULL;
        if ( wasp == NULL )
        {
            continue;
        }
        const supMat34* rest = supCharacter_Info( wasp )->restJoints;
        const char* const names[] = { "Thorax", "Wing.L", "Wing.R", "Head" };
        supVec3 at[4];
        for ( int k = 0; k < 4; ++k )
        {
            int32_t joint = supCharacter_FindJoint( wasp, names[k] );
            assert_true( joint >= 0 );
            at[k] = supSub( rest[joint].t, k > 0 ? at[0] : supVec3_zero );
        }
        float size = supCharacter_Info( wasp )->size;
        assert_true( at[1].z * at[2].z < 0.0f );
        assert_true( fabsf( at[1].z + at[2].z ) < 0.02f * size && fabsf( at[1].z - at[2].z ) > 0.05f * size );
        assert_true( fabsf( at[1].x - at[2].x ) < 0.02f * size );
        assert_true( at[3].x > 0.1f * size && fabsf( at[3].z ) < 0.02f * size );
    }
}

static void supTestReadings( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, wrongBodies = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        int32_t here = supCheckReading( supMet + i );
        wrong += here;
        wrongBodies += here > 0;
    }
    print_message( "%d of %d bodies read right\n", supMetCount - wrongBodies, supMetCount );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Regions

/// What a body's own directions are by truth.
typedef struct supAxes
{
    supVec3 front, up, left;
    float middle; ///< along `left`
} supAxes;

static supAxes supTrueAxes( const supStranger* stranger )
{
    supAxes axes = { .front = stranger->truth.front, .up = stranger->truth.up };
    axes.left = supCross( axes.up, axes.front );
    axes.middle = supMiddleAlong( stranger->character, axes.left );
    return axes;
}

static void supPrintRegions( const supFound* found )
{
    for ( int region = 0; region < sup_regionCount; ++region )
    {
        int32_t sides[3] = { 0 };
        for ( int32_t e = 0; e < found->proposal->elementCount; ++e )
        {
            const supProposedElement* element = found->proposal->elements + e;
            sides[element->side] += element->region == (supRegion)region;
        }
        if ( sides[0] + sides[1] + sides[2] > 0 )
        {
            // in all; left and right
            print_message( " %s %d", supWordFor( sup_wordsRegion, region ), sides[0] + sides[1] + sides[2] );
            if ( sides[1] + sides[2] > 0 )
            {
                print_message( " (%d|%d)", sides[1], sides[2] );
            }
        }
    }
}

/// Where an element lies from its bone: the way that is said, and that way most of all. Of a left or a right one what
/// it lies aside does not count.
static const char* supCheckOffset( const supProposedElement* element, char way, const supAxes* axes, float size )
{
    supVec3 off = supSub( element->center, element->origin );
    float front = supDot( off, axes->front ), up = supDot( off, axes->up ), left = supDot( off, axes->left );
    float along = way == 'f' ? front : way == 'b' ? -front : -up;
    float across = way == 'd' ? fabsf( front ) : fabsf( up );
    across = element->side == sup_sideMiddle ? fmaxf( across, fabsf( left ) ) : across;
    if ( !( along > 0.0f ) )
    {
        return "on the wrong side of its bone";
    }
    return supLength( off ) > 0.01f * size && along < across ? "more aside than that" : NULL;
}

static const char* supCheckSide( const supProposedElement* element, const supAxes* axes, float size )
{
    float left = supDot( element->center, axes->left ) - axes->middle;
    if ( element->side == sup_sideMiddle )
    {
        return fabsf( left ) > 0.06f * size ? "not in the middle" : NULL; // tails are bent
    }
    return ( left > 0.0f ) == ( element->side == sup_sideLeft ) ? NULL : "on the other side of the body";
}

/// Centre and origin are what they are said to be, by the weights and the bone of the model.
static const char* supCheckCenter( const supFound* found, int32_t e, const float* areas, float size )
{
    const supProposedElement* element = found->proposal->elements + e;
    supElementView view = supModel_Info( found->model )->elements[e];
    const float* rest = supCharacter_Info( found->character )->restPositions;
    supVec3d sum = { 0 };
    double all = 0.0;
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        const float* p = rest + 3 * (size_t)view.vertices[i];
        double weight = (double)( view.weights[i] * areas[view.vertices[i]] );
        sum = supMulAddD( sum, weight, ( supVec3d ){ p[0], p[1], p[2] } );
        all += weight;
    }
    supVec3 center = supToFloat( supScaleD( sum, all > 0.0 ? 1.0 / all : 0.0 ) );
    if ( !( supDistance( center, element->center ) <= 0.03f * size ) )
    {
        return "its centre is not where its weights are";
    }
    supVec3 along = supNormalize( view.localFrame.y );
    float half = 0.5f * view.boneLength, at = supDot( supSub( element->center, view.localFrame.t ), along );
    supVec3 origin = supMulAdd( view.localFrame.t, fminf( fmaxf( at, -half ), half ), along );
    // a bone that was made up to end beyond the skin, such as an abdomen's, gives no place: then it is the joint
    supVec3 joint = supCharacter_Info( found->character )->restJoints[view.driver].t;
    bool there = supDistance( origin, element->origin ) <= 0.02f * size ||
                 supDistance( joint, element->origin ) <= 0.001f * size;
    return there ? NULL : "its origin is not on its bone";
}

static int32_t supComplain( const supProposedElement* element, const char* complaint )
{
    if ( complaint != NULL )
    {
        print_message( "    WRONG: %s (%s %s): %s\n", element->name, supWordFor( sup_wordsRegion, element->region ),
            supWordFor( sup_wordsSide, element->side ), complaint );
    }
    return complaint != NULL;
}

static int32_t supCheckCounts( const supStranger* stranger )
{
    int32_t wrong = 0, counts[sup_regionCount];
    supCountRegions( &stranger->found, counts );
    for ( int32_t r = 0; r < stranger->truth.regionCount; ++r )
    {
        const supRegionTruth* truth = stranger->truth.regions + r;
        if ( !supIsCount( truth->count, truth->region, counts ) )
        {
            print_message( "    WRONG: %s: %d, not %s\n", supWordFor( sup_wordsRegion, truth->region ),
                counts[truth->region], truth->count );
            ++wrong;
        }
    }
    bool machine = stranger->truth.kind == sup_bodyMachine;
    if ( ( stranger->found.proposal->elementCount == 0 ) != machine )
    {
        print_message( "    WRONG: %s\n", machine ? "flesh on a machine" : "empty" );
        ++wrong;
    }
    for ( int region = 0; region < sup_regionCount; ++region )
    {
        int32_t sides[3] = { 0 };
        for ( int32_t e = 0; e < stranger->found.proposal->elementCount; ++e )
        {
            const supProposedElement* element = stranger->found.proposal->elements + e;
            sides[element->side] += element->region == (supRegion)region;
        }
        if ( supIsPaired( (supRegion)region ) && ( sides[sup_sideMiddle] > 0 || sides[1] != sides[2] ) )
        {
            print_message( "    WRONG: %s: %d in the middle, %d left, %d right\n",
                supWordFor( sup_wordsRegion, region ), sides[0], sides[1], sides[2] );
            ++wrong;
        }
    }
    return wrong;
}

static int32_t supCheckRegions( const supStranger* stranger )
{
    print_message( "%-24s", stranger->truth.name );
    if ( !stranger->isFound )
    {
        print_message( "REFUSED: %s\n", stranger->error.text );
        return 1;
    }
    const supFound* found = &stranger->found;
    supPrintRegions( found );
    print_message( "\n" );
    int32_t wrong = supCheckCounts( stranger );
    supAxes axes = supTrueAxes( stranger );
    float size = supCharacter_Info( stranger->character )->size;
    float* areas = supVertexAreas( stranger->character );
    for ( int32_t e = 0; e < found->proposal->elementCount; ++e )
    {
        const supProposedElement* element = found->proposal->elements + e;
        wrong += supComplain( element, supCheckSide( element, &axes, size ) );
        wrong += supComplain( element, supCheckCenter( found, e, areas, size ) );
        for ( int32_t r = 0; r < stranger->truth.regionCount; ++r )
        {
            const supRegionTruth* truth = stranger->truth.regions + r;
            if ( truth->region == element->region && truth->offset != 0 )
            {
                wrong += supComplain( element, supCheckOffset( element, truth->offset, &axes, size ) );
            }
        }
    }
    free( areas );
    return wrong;
}

static void supTestRegions( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, wrongBodies = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        int32_t here = supCheckRegions( supMet + i );
        wrong += here;
        wrongBodies += here > 0;
    }
    print_message(
        "%d of %d bodies have the regions that they ought to have\n", supMetCount - wrongBodies, supMetCount );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// What carries none

/// Whether one of the words in a list, with blanks around each, is a word of a name: "Ear1.L" has "ear" and "l",
/// "LeftForeArm" has "left", "fore" and "arm".
static bool supHasWord( const char* name, const char* list )
{
    char word[80] = " ";
    size_t length = 1;
    bool found = false;
    for ( const char* p = name;; ++p )
    {
        bool letter = isalpha( (unsigned char)*p ) != 0;
        bool starts = letter && p > name && isupper( (unsigned char)*p ) && islower( (unsigned char)p[-1] );
        if ( ( !letter || starts ) && length > 1 )
        {
            word[length] = ' ';
            word[length + 1] = '\0';
            found = found || strstr( list, word ) != NULL;
            length = 1;
        }
        if ( *p == '\0' )
        {
            return found;
        }
        if ( letter && length + 3 < sizeof( word ) )
        {
            word[length++] = (char)tolower( (unsigned char)*p );
        }
    }
}

static void supTestWords( void** state )
{
    (void)state;
    assert_true( supHasWord( "Ear1.L", " ear hand " ) && supHasWord( "mixamorig:LeftHandIndex1", " ear hand " ) );
    assert_true( supHasWord( "middle_01_l", " middle " ) && supHasWord( "Koi_Fins", " fins " ) );
    assert_true( !supHasWord( "LeftForeArm", " ear hand " ) && !supHasWord( "", " ear " ) );
}

/// Joints' and materials' words in the files as they are.
static const char supBareJoints[] = " hand finger fingers thumb thumb2 index middle ring pinky foot toe toebase ball "
                                    "fist palm lthumb rthumb eye ear horn wing fin flipper sting tongue weapon gun ";
static const char supBareOfPeople[] = " head jaw eyebrow ";
static const char supBareMaterials[] = " horns teeth tongue eye eyes iris hooves mouth blade gun eyecolor ";
/// Thin, and grown out of what moves: they need not be still at their roots.
static const char supFinMaterials[] = " fins ";

static bool supIsBareJoint( const supStranger* stranger, const char* name )
{
    bool people = stranger->truth.kind == sup_bodyHuman;
    return supHasWord( name, supBareJoints ) || ( people && supHasWord( name, supBareOfPeople ) );
}

/// The sum of all elements' weights but those of cheeks and chins. From malloc.
static float* supWeighBodyFlesh( const supFound* found )
{
    float* sums = calloc( (size_t)supCharacter_Info( found->character )->vertexCount + 1, sizeof( float ) );
    for ( int32_t e = 0; e < supModel_Info( found->model )->elementCount; ++e )
    {
        supElementView view = supModel_Info( found->model )->elements[e];
        supRegion region = found->proposal->elements[e].region;
        for ( int32_t i = 0; region != sup_regionCheek && region != sup_regionChin && i < view.vertexCount; ++i )
        {
            sums[view.vertices[i]] += view.weights[i];
        }
    }
    return sums;
}

/// The most flesh on what carries none, and where; the mean of it on fins.
typedef struct supBareFlesh
{
    float most;
    const char* where;
    int32_t looked; ///< vertices
    double fins, finArea;
} supBareFlesh;

/// Marks every place where there is skin that may carry flesh: borders of materials stand in one place with it.
static bool* supMarkSoftPlaces( const supCharacter* character )
{
    bool* marks = calloc( (size_t)supCharacter_Info( character )->vertexCount + 1, sizeof( bool ) );
    const int32_t* welds = supCharacter_Info( character )->welds;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool soft = !supHasWord( mesh.material, supBareMaterials ) && !supHasWord( mesh.material, supFinMaterials );
        for ( int32_t v = mesh.firstVertex; soft && v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            marks[welds[v]] = true;
        }
    }
    return marks;
}

static supBareFlesh supLookAtBare( const supStranger* stranger )
{
    supBareFlesh bare = { .where = "" };
    float* flesh = supWeighBodyFlesh( &stranger->found );
    float* areas = supVertexAreas( stranger->character );
    bool* soft = supMarkSoftPlaces( stranger->character );
    const int32_t *joints = supCharacter_Info( stranger->character )->paletteJoints,
                  *welds = supCharacter_Info( stranger->character )->welds;
    for ( int32_t m = 0; m < supCharacter_Info( stranger->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( stranger->character, m );
        bool hard = supHasWord( mesh.material, supBareMaterials ), fin = supHasWord( mesh.material, supFinMaterials );
        for ( int32_t v = 0; mesh.skin >= 0 && v < mesh.vertexCount; ++v )
        {
            size_t first = (size_t)v * (size_t)mesh.influenceCount; // the largest influence
            int32_t vertex = mesh.firstVertex + v;
            const char* joint =
                supCharacter_Joint( stranger->character, joints[mesh.firstPalette + mesh.jointIndices[first]] )->name;
            bool hangs = mesh.weights[first] >= 0.51f && supIsBareJoint( stranger, joint );
            bool counts = hangs || ( hard && !soft[welds[vertex]] );
            bare.looked += counts || fin;
            bare.fins += fin ? (double)( areas[vertex] * flesh[vertex] ) : 0.0;
            bare.finArea += fin ? (double)areas[vertex] : 0.0;
            if ( counts && flesh[vertex] > bare.most )
            {
                bare.most = flesh[vertex];
                bare.where = hangs ? joint : mesh.material;
            }
        }
    }
    bare.fins /= fmax( bare.finArea, 1e-12 );
    free( soft );
    free( areas );
    free( flesh );
    return bare;
}

static void supTestBare( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, looked = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        if ( !supMet[i].isFound )
        {
            print_message( "%-24sREFUSED: %s\n", supMet[i].truth.name, supMet[i].error.text );
            ++wrong;
            continue;
        }
        supBareFlesh bare = supLookAtBare( supMet + i );
        bool kept = bare.most <= 0.1f && bare.fins <= 0.1;
        print_message( "%-24s %5d vertices, flesh up to %.3f %s, on fins %.3f%s\n", supMet[i].truth.name, bare.looked,
            (double)bare.most, bare.where, bare.fins, kept ? "" : "  WRONG" );
        wrong += !kept;
        looked += bare.looked > 0;
    }
    assert_true( looked > supMetCount / 2 );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Left and right

/// How far the farthest but 1% of the vertices are from a vertex of the mirrored skin: the mesh is symmetric where that
/// is little. Share of the size; looks at 400 of them.
static double supAsymmetry( const supStranger* stranger, const supAxes* axes )
{
    enum
    {
        looks = 400
    };
    float off[looks];
    int32_t count = supCharacter_Info( stranger->character )->vertexCount, taken = 0;
    const float* rest = supCharacter_Info( stranger->character )->restPositions;
    for ( int32_t k = 0; k < looks; ++k )
    {
        const float* from = rest + 3 * (size_t)( (int64_t)count * k / looks );
        supVec3 p = { from[0], from[1], from[2] };
        p = supMulAdd( p, -2.0f * ( supDot( p, axes->left ) - axes->middle ), axes->left );
        float nearest = 1e30f;
        for ( size_t v = 0; v < (size_t)count; ++v )
        {
            float x = rest[3 * v] - p.x, y = rest[3 * v + 1] - p.y, z = rest[3 * v + 2] - p.z;
            nearest = fminf( nearest, x * x + y * y + z * z );
        }
        int32_t at = taken++;
        for ( ; at > 0 && off[at - 1] > nearest; --at )
        {
            off[at] = off[at - 1];
        }
        off[at] = nearest;
    }
    return sqrt( (double)off[looks - looks / 100 - 1] ) / (double)supCharacter_Info( stranger->character )->size;
}

static double supShare( double a, double b )
{
    return fabs( a - b ) / fmax( fmax( fabs( a ), fabs( b ) ), 1e-12 );
}

static double supFleshArea( const supFound* found, int32_t element, const float* areas )
{
    supElementView view = supModel_Info( found->model )->elements[element];
    double sum = 0.0;
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        sum += (double)( view.weights[i] * areas[view.vertices[i]] );
    }
    return sum;
}

/// The largest difference of an element and the one on the other side; 1: there is none.
static double supCompareTwins(
    const supStranger* stranger, int32_t e, const supAxes* axes, const float* areas, double uneven[2] )
{
    const supFound* found = &stranger->found;
    const supProposedElement* left = found->proposal->elements + e;
    supVec3 mirrored =
        supMulAdd( left->center, -2.0f * ( supDot( left->center, axes->left ) - axes->middle ), axes->left );
    float size = supCharacter_Info( stranger->character )->size;
    double best = 1.0;
    for ( int32_t t = 0; t < found->proposal->elementCount; ++t )
    {
        const supProposedElement* right = found->proposal->elements + t;
        if ( right->region != left->region || right->side != sup_sideRight )
        {
            continue;
        }
        const supElementDef *x = supRig_Element( found->rig, e ), *y = supRig_Element( found->rig, t );
        supElementView a = supModel_Info( found->model )->elements[e], b = supModel_Info( found->model )->elements[t];
        const double pairs[][2] = { { x->frequency, y->frequency }, { x->dampingRatio, y->dampingRatio },
            { x->amount, y->amount }, { x->sag, y->sag }, { left->ceiling, right->ceiling } };
        // joints and weights are seldom as even as the mesh: what follows from them is told, not held
        uneven[0] = fmax( uneven[0], supShare( a.thickness, b.thickness ) );
        uneven[1] = fmax( uneven[1], supShare( supFleshArea( found, e, areas ), supFleshArea( found, t, areas ) ) );
        double off = (double)( supDistance( right->center, mirrored ) / size );
        for ( size_t k = 0; k < sizeof( pairs ) / sizeof( pairs[0] ); ++k )
        {
            off = fmax( off, supShare( pairs[k][0], pairs[k][1] ) );
        }
        best = fmin( best, off );
    }
    return best;
}

static void supTestSides( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, pairs = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        if ( !stranger->isFound )
        {
            continue; // told already
        }
        supAxes axes = supTrueAxes( stranger ), zero = axes; // most are modelled about the origin
        zero.middle = 0.0f;
        double asymmetry = supAsymmetry( stranger, &axes ), aboutZero = supAsymmetry( stranger, &zero ), worst = 0.0;
        axes = aboutZero < asymmetry ? zero : axes;
        asymmetry = fmin( asymmetry, aboutZero );
        float* areas = supVertexAreas( stranger->character );
        double uneven[2] = { 0.0 };
        int32_t here = 0;
        for ( int32_t e = 0; e < stranger->found.proposal->elementCount; ++e )
        {
            if ( stranger->found.proposal->elements[e].side == sup_sideLeft )
            {
                worst = fmax( worst, supCompareTwins( stranger, e, &axes, areas, uneven ) );
                ++here;
            }
        }
        free( areas );
        bool symmetric = asymmetry <= 1e-3 && uneven[0] < 0.05; // and painted alike
        print_message( "%-24s %-13s (%.4f)  %d pairs, %.4f apart (thickness %.3f, area %.3f)%s\n", stranger->truth.name,
            symmetric ? "symmetric" : "not symmetric", asymmetry, here, worst, uneven[0], uneven[1],
            symmetric && worst > 0.01 ? "  WRONG" : "" );
        wrong += symmetric && worst > 0.01;
        pairs += symmetric ? here : 0;
    }
    assert_true( pairs > 0 );
    assert_int_equal( wrong, 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCounts ),
        cmocka_unit_test( supTestWords ),
        cmocka_unit_test( supTestWasp ),
        cmocka_unit_test( supTestReadings ),
        cmocka_unit_test( supTestRegions ),
        cmocka_unit_test( supTestBare ),
        cmocka_unit_test( supTestSides ),
    };
    return cmocka_run_group_tests( tests, supMeetAll, supLeaveAll );
}
