// The automatic rig in motion: peaks under their ceilings, limbs that stay on their bones.

#include "base/math.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"
#include "support/found_flesh.h"
#include "support/strangers.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMostElements = 64,
    supSections = 8,
};

static supTake* supMakeTake( const supFound* found, int32_t clip )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = found->model;
    def.clip = clip;
    supTake* take = NULL;
    supError error = { 0 };
    if ( supCreateTake( &def, &take, &error ) != sup_success )
    {
        fail_msg( "%s: %s", found->name, error.text );
    }
    return take;
}

// ---------------------------------------------------------------------------------------------------------------
// Ceilings

/// Peaks of all elements over one clip, as shares of the thickness. 400 looks a second: not those of the rig's own
/// search.
static void supRaisePeaks( const supFound* found, int32_t clip, float* peaks, int32_t* worst )
{
    supTake* take = supMakeTake( found, clip );
    supTakeInfo info = supTake_Info( take );
    int32_t looks = (int32_t)( ( info.end - info.start ) * 400.0 ) + 1;
    supVec3 elongations[supMostElements];
    for ( int32_t i = 0; i <= looks; ++i )
    {
        supTake_Elongations( take, info.start + ( info.end - info.start ) * i / looks, elongations );
        for ( int32_t e = 0; e < supModel_Info( found->model )->elementCount; ++e )
        {
            float peak = supLength( elongations[e] ) / supModel_Info( found->model )->elements[e].thickness;
            worst[e] = peak > peaks[e] ? clip : worst[e];
            peaks[e] = fmaxf( peaks[e], peak );
        }
    }
    supDestroyTake( take );
}

static void supCheckCeilings( const char* name, supPreset preset, bool tell )
{
    supFound found = supFindFlesh( name, preset );
    float peaks[supMostElements] = { 0 };
    int32_t worst[supMostElements] = { 0 };
    assert_true( found.proposal->elementCount <= supMostElements );
    for ( int32_t clip = 0; clip < supCharacter_Info( found.character )->clipCount; ++clip )
    {
        supRaisePeaks( &found, clip, peaks, worst );
    }
    for ( int32_t e = 0; e < found.proposal->elementCount; ++e )
    {
        const supProposedElement* element = found.proposal->elements + e;
        if ( tell )
        {
            print_message( "%-28.28s %-24s %-10s %5.1f%% of %2.0f%%  %s\n", name, element->name,
                supWordFor( sup_wordsRegion, element->region ), (double)( 100.0f * peaks[e] ),
                (double)( 100.0f * element->ceiling ), supCharacter_Clip( found.character, worst[e] ).name );
        }
        // the limit rounds it off there, and the proposal tells what is shown
        bool held = fabsf( supRig_Element( found.rig, e )->limitScale - element->ceiling ) <= 0.01f * element->ceiling;
        bool told = fabsf( peaks[e] - element->peak ) <= 0.02f * element->ceiling;
        if ( !held || !told || !( element->ceiling > 0.0f && element->ceiling <= 1.0f ) ||
             peaks[e] > 1.002f * element->ceiling )
        {
            fail_msg( "%s, %s: %s peaks at %g (%g is told), its ceiling is %g, its limit %g", name,
                supWordFor( sup_wordsPreset, preset ), element->name, (double)peaks[e], (double)element->peak,
                (double)element->ceiling, (double)supRig_Element( found.rig, e )->limitScale );
        }
    }
    supDropFound( &found );
}

static void supTestCeilings( void** state )
{
    (void)state;
    const char* const names[] = { "woman", "cat", "mushroom", "khronos_fox/glTF-Binary/Fox.glb", "quaternius/Cow.glb",
        "quaternius/Horse.glb", "quaternius/Character.glb", "khronos_cesiumman/glTF-Binary/CesiumMan.glb",
        "khronos_riggedfigure/glTF-Binary/RiggedFigure.glb", "mh_human/mh_heavy.glb",
        "robotexpressive/RobotExpressive.glb" };
    for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
    {
        if ( i == 3 )
        {
            SUP_SKIP_WITHOUT_ASSETS();
        }
        for ( int preset = 0; supWordFor( sup_wordsPreset, preset ) != NULL; ++preset )
        {
            supCheckCeilings( names[i], (supPreset)preset, preset == sup_presetNatural );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sections of limbs

/// A limb cut across its bone: which vertices are in which section, at rest.
typedef struct supCuts
{
    int32_t element;
    int32_t* section; ///< a vertex: its section, or -1
    double radius[supSections], area[supSections];
    double shift[supSections]; ///< the largest so far
} supCuts;

/// Vertices of the limb are those that mostly hang on its driver; a section is an eighth of the bone's length.
static supCuts supCutLimb( const supFound* found, int32_t element, const int32_t* main, const float* areas )
{
    const supElementDef* def = supRig_Element( found->rig, element );
    int32_t driver = supListedJoint( found->character, def->driver );
    const supMat34* rest = supCharacter_Info( found->character )->restJoints;
    supVec3 from = rest[driver].t,
            along = supSub( rest[supListedJoint( found->character, def->ends.names[0] )].t, from );
    supCuts cuts = { .element = element };
    cuts.section = calloc( (size_t)supCharacter_Info( found->character )->vertexCount, sizeof( int32_t ) );
    for ( int32_t v = 0; v < supCharacter_Info( found->character )->vertexCount; ++v )
    {
        const float* p = supCharacter_Info( found->character )->restPositions + 3 * (size_t)v;
        supVec3 away = supSub( supMakeVec3( p[0], p[1], p[2] ), from );
        float t = supDot( away, along ) / supLengthSquared( along );
        int32_t section = main[v] == driver && t >= 0.0f && t < 1.0f ? (int32_t)( t * supSections ) : -1;
        cuts.section[v] = section;
        if ( section >= 0 )
        {
            cuts.radius[section] += (double)( areas[v] * supLength( supMulAdd( away, -t, along ) ) );
            cuts.area[section] += (double)areas[v];
        }
    }
    for ( int s = 0; s < supSections; ++s )
    {
        cuts.radius[s] = cuts.area[s] > 0.0 ? cuts.radius[s] / cuts.area[s] : 0.0;
    }
    return cuts;
}

/// How far the centre of each section is from where the bone would carry it: the mean way of its skin, whatever moved
/// it.
static void supRaiseShifts(
    supCuts* cuts, int32_t vertexCount, const float* areas, const float* living, const float* smooth )
{
    double sums[supSections][3] = { { 0 } };
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        for ( int k = 0; k < 3 && cuts->section[v] >= 0; ++k )
        {
            size_t i = 3 * (size_t)v + (size_t)k;
            sums[cuts->section[v]][k] += (double)areas[v] * ( (double)living[i] - (double)smooth[i] );
        }
    }
    for ( int s = 0; s < supSections; ++s )
    {
        const double* sum = sums[s];
        double shift = sqrt( sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] );
        shift = cuts->radius[s] > 0.0 ? shift / cuts->area[s] / cuts->radius[s] : 0.0;
        cuts->shift[s] = fmax( cuts->shift[s], shift );
    }
}

static void supWatchClip( const supFound* found, int32_t clip, supCuts* cuts, int32_t cutCount, const float* areas )
{
    supTake* take = supMakeTake( found, clip );
    supTakeInfo info = supTake_Info( take );
    supBody* body = NULL;
    supPose* pose = NULL;
    supError error;
    assert_int_equal( supCreateBody( found->model, &body, &error ), sup_success );
    assert_int_equal( supCreatePose( found->character, NULL, &pose, &error ), sup_success );
    int32_t vertexCount = supCharacter_Info( found->character )->vertexCount;
    float* living = calloc( 6 * (size_t)vertexCount, sizeof( float ) );
    float* smooth = living + 3 * (size_t)vertexCount;
    supVec3 elongations[supMostElements];
    int32_t looks = (int32_t)( ( info.end - info.start ) * 40.0 ) + 1;
    for ( int32_t i = 0; i < looks; ++i )
    {
        double time = info.start + ( info.end - info.start ) * i / looks;
        supPose_Sample( pose, clip, time );
        supTake_Elongations( take, time, elongations );
        supBody_Show( body, supPose_Joints( pose ), elongations );
        supBody_Skin( body, living, NULL );
        supBody_SmoothSkin( body, smooth, NULL );
        for ( int32_t c = 0; c < cutCount; ++c )
        {
            supRaiseShifts( cuts + c, vertexCount, areas, living, smooth );
        }
    }
    free( living );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyTake( take );
}

static void supCheckSections( const char* name )
{
    supFound found = supFindFlesh( name, sup_presetNatural );
    int32_t* main = supMainJoints( found.character );
    float* areas = supVertexAreas( found.character );
    supCuts cuts[supMostElements];
    int32_t count = 0;
    for ( int32_t e = 0; e < found.proposal->elementCount; ++e )
    {
        if ( !supIsOfTrunk( found.proposal->elements[e].region ) && supRig_Element( found.rig, e )->ends.count > 0 )
        {
            cuts[count++] = supCutLimb( &found, e, main, areas );
        }
    }
    for ( int32_t clip = 0; clip < supCharacter_Info( found.character )->clipCount; ++clip )
    {
        supWatchClip( &found, clip, cuts, count, areas );
    }
    double largest = 0.0;
    for ( int32_t c = 0; c < count; ++c )
    {
        print_message( "%-22s %-16s", name, found.proposal->elements[cuts[c].element].name );
        for ( int s = 0; s < supSections; ++s )
        {
            print_message( " %5.1f%%", 100.0 * cuts[c].shift[s] );
            largest = fmax( largest, cuts[c].shift[s] );
        }
        print_message( "\n" );
        free( cuts[c].section );
    }
    assert_true( count >= 6 && largest > 0.005 );
    assert_true( largest <= 0.17 ); // the ceiling around upper limbs
    free( areas );
    free( main );
    supDropFound( &found );
}

static void supTestSections( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    print_message( "largest shift of each eighth of a limb, against its radius\n" );
    supCheckSections( "mh_human/mh_heavy.glb" );
    supCheckSections( "quaternius/Horse.glb" );
    supCheckSections( "quaternius/Cow.glb" );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestCeilings ),
        cmocka_unit_test( supTestSections ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
