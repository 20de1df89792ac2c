// The automatic rig of strangers in motion: what one wild clip does to the others (nothing), peaks under their
// ceilings, walks and runs well below their limits, and trunks of animals that live.

#include "base/math.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
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

enum
{
    supMostElements = 64,
    supMostLooks = 512,
};

static supStranger supMet[supMostBodies];
static int32_t supMetCount;

/// Further characters with clips; of these only motion is looked at here.
static const char* const supMore[] = { "khronos_fox/glTF-Binary/Fox.glb", "quaternius/Horse.glb", "quaternius/Cow.glb",
    "khronos_cesiumman/glTF-Binary/CesiumMan.glb", "mh_human/mh_heavy.glb", "quaternius/Character.glb" };

static int supMeetAll( void** state )
{
    (void)state;
    supMetCount = supMeetStrangers( supMet, supMostBodies );
    for ( size_t i = 0; supTestAssets() != NULL && i < sizeof( supMore ) / sizeof( supMore[0] );
          i += SUP_SLOW_BUILD ? 3 : 1 )
    {
        supBodyTruth truth = { .kind = i < 3 ? sup_bodyQuadruped : sup_bodyHuman };
        const char* file = strrchr( supMore[i], '/' ) + 1;
        snprintf( truth.asset, sizeof( truth.asset ), "%s", supMore[i] );
        snprintf( truth.name, sizeof( truth.name ), "%.*s", (int)strcspn( file, "." ), file );
        supMeet( supMet + supMetCount++, &truth );
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
// A clip, looked at

/// What the elements show in a clip, at even moments.
typedef struct supShown
{
    int32_t lookCount, elementCount;
    bool loops;
    supVec3* elongations; ///< elementCount a look
} supShown;

/// `rate` a second; `most`: fewer where the clip is long.
static supShown supLookAtClip( const supFound* found, int32_t clip, double rate, int32_t most )
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
    supTakeInfo info = supTake_Info( take );
    supShown shown = { .elementCount = supModel_Info( found->model )->elementCount, .loops = info.loops };
    shown.lookCount = (int32_t)fmin( fmax( ( info.end - info.start ) * rate, 16.0 ), most );
    shown.elongations = calloc( (size_t)( shown.lookCount * shown.elementCount ) + 1, sizeof( supVec3 ) );
    for ( int32_t i = 0; i < shown.lookCount; ++i )
    {
        double time = info.start + ( info.end - info.start ) * i / ( shown.lookCount - 1 );
        supTake_Elongations( take, time, shown.elongations + (size_t)i * (size_t)shown.elementCount );
    }
    supDestroyTake( take );
    return shown;
}

static supVec3 supAt( const supShown* shown, int32_t look, int32_t element )
{
    return shown->elongations[(size_t)look * (size_t)shown->elementCount + (size_t)element];
}

/// The largest distance between any two of the elongations. Metres.
static float supRange( const supShown* shown, int32_t element )
{
    float largest = 0.0f;
    for ( int32_t i = 0; i < shown->lookCount; ++i )
    {
        for ( int32_t k = 0; k < i; ++k )
        {
            largest =
                fmaxf( largest, supLengthSquared( supSub( supAt( shown, i, element ), supAt( shown, k, element ) ) ) );
        }
    }
    return sqrtf( largest );
}

static float supPeak( const supShown* shown, int32_t element )
{
    float largest = 0.0f;
    for ( int32_t i = 0; i < shown->lookCount; ++i )
    {
        largest = fmaxf( largest, supLength( supAt( shown, i, element ) ) );
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------------------------
// A wild clip, a broken key

/// Other clips' ranges change by this much at most; and where the clip is broken that tells what is ordinary.
static const double sup_change = 0.05, sup_ordinaryChange = 0.25;

/// How much the ranges of the clips in common differ, but for one. Elements go by their place in the rig, which has to
/// be the same.
static double supCompareRanges(
    const supFound* plain, const supFound* other, int32_t without, char* words, size_t size )
{
    double worst = 0.0;
    if ( supModel_Info( plain->model )->elementCount != supModel_Info( other->model )->elementCount )
    {
        snprintf( words, size, "%d elements, were %d", supModel_Info( other->model )->elementCount,
            supModel_Info( plain->model )->elementCount );
        return 1.0;
    }
    for ( int32_t clip = 0; clip < supCharacter_Info( plain->character )->clipCount; ++clip )
    {
        if ( clip == without )
        {
            continue;
        }
        supShown a = supLookAtClip( plain, clip, 60.0, 120 ), b = supLookAtClip( other, clip, 60.0, 120 );
        for ( int32_t e = 0; e < a.elementCount; ++e )
        {
            double x = (double)supRange( &a, e ), y = (double)supRange( &b, e );
            // below a thousandth of the thickness there is nothing to see
            double least = 1e-3 * (double)supModel_Info( plain->model )->elements[e].thickness;
            double off = fmax( x, y ) > least ? fabs( x - y ) / fmax( x, least ) : 0.0;
            if ( off > worst )
            {
                worst = off;
                snprintf( words, size, "%s in %s: %.4g, was %.4g", supModel_Info( plain->model )->elements[e].name,
                    supCharacter_Clip( plain->character, clip ).name, y, x );
            }
        }
        free( a.elongations );
        free( b.elongations );
    }
    return worst;
}

/// Finds flesh on a copy, compares, and destroys the copy.
static int32_t supCheckCopy(
    const supStranger* stranger, supCharacter* copy, int32_t without, double most, const char* what )
{
    supFound other;
    supError error = { 0 };
    char words[200] = "";
    double worst = 1.0;
    if ( supTryFind( copy, sup_presetNatural, &other, &error ) )
    {
        worst = supCompareRanges( &stranger->found, &other, without, words, sizeof( words ) );
        supDropFound( &other );
    }
    else
    {
        snprintf( words, sizeof( words ), "refused: %.150s", error.text );
    }
    supDestroyCharacter( copy );
    print_message( "%-24s %-22s %8.2f%%  %s%s\n", stranger->truth.name, what, 100.0 * worst, words,
        worst > most ? "  WRONG" : "" );
    return worst > most;
}

static bool supNameHolds( const char* name, const char* word )
{
    char lower[128];
    size_t length = 0;
    for ( ; name[length] != '\0' && length + 1 < sizeof( lower ); ++length )
    {
        lower[length] = (char)tolower( (unsigned char)name[length] );
    }
    lower[length] = '\0';
    return strstr( lower, word ) != NULL;
}

/// Walks and runs of all sorts; a jump out of a gallop is a jump.
static bool supIsGait( const char* name )
{
    const char* const gaits[] = { "walk", "run", "gallop", "jog", "swim", "fly" };
    bool is = false;
    for ( size_t i = 0; i < sizeof( gaits ) / sizeof( gaits[0] ); ++i )
    {
        is = is || supNameHolds( name, gaits[i] );
    }
    return is && !supNameHolds( name, "jump" );
}

/// The last clip that no element's ordinary motion is taken from; -1: there is none.
static int32_t supSpareClip( const supStranger* stranger )
{
    int32_t spare = -1;
    for ( int32_t c = 0; c < supCharacter_Info( stranger->character )->clipCount; ++c )
    {
        bool used = false;
        for ( int32_t e = 0; e < stranger->found.proposal->elementCount; ++e )
        {
            used = used || stranger->found.proposal->elements[e].typicalClip == c;
        }
        spare = used || supIsGait( supCharacter_Clip( stranger->character, c ).name ) ? spare : c;
    }
    return supCharacter_Info( stranger->character )->clipCount > 1 ? spare : -1;
}

/// The clip that most elements' ordinary motion is taken from; -1: there is none.
static int32_t supLiveliestClip( const supStranger* stranger )
{
    int32_t liveliest = -1, most = 0;
    for ( int32_t c = 0; c < supCharacter_Info( stranger->character )->clipCount; ++c )
    {
        int32_t users = 0;
        for ( int32_t e = 0; e < stranger->found.proposal->elementCount; ++e )
        {
            users += stranger->found.proposal->elements[e].typicalClip == c;
        }
        liveliest = users > most ? c : liveliest;
        most = users > most ? users : most;
    }
    return supCharacter_Info( stranger->character )->clipCount > 1 ? liveliest : -1;
}

/// Breaks a key in a clip and compares the others.
static int32_t supCheckBroken( const supStranger* stranger, int32_t clip, float sizes, double most, const char* what )
{
    supCharacter* broken = clip >= 0 ? supBreakKey( stranger->character, clip, sizes ) : NULL;
    return broken != NULL ? supCheckCopy( stranger, broken, clip, most, what ) : 0;
}

static void supTestWild( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, looked = 0;
    print_message( "how much other clips' ranges change, at most\n" );
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        if ( !stranger->isFound )
        {
            print_message( "%-24sREFUSED: %s\n", stranger->truth.name, stranger->error.text );
            ++wrong;
            continue;
        }
        supCharacter* wild = supAddWildClip( stranger->character );
        if ( wild != NULL )
        {
            wrong += supCheckCopy( stranger, wild, -1, sup_change, "a wild clip" );
            ++looked;
        }
        wrong += supCheckBroken( stranger, supSpareClip( stranger ), 1000.0f, sup_change, "a broken key" );
        // of the clip that tells what is ordinary, the moments that the broken key leaves whole tell it then; people
        // run with 30 keys a second, animals with so few that hardly any are left
        bool person = stranger->found.proposal->body.kind == sup_bodyHuman;
        wrong += supCheckBroken(
            stranger, supLiveliestClip( stranger ), 0.2f, person ? sup_ordinaryChange : 1e30, "in the liveliest" );
    }
    assert_true( looked > 0 );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Peaks

/// What was seen of a character in one preset.
typedef struct supPeaks
{
    double highest;   ///< peak, as a share of the ceiling
    double nearLimit; ///< the largest share of a gait's frames that an element shows more than 90% of its limit in
    char highestAt[96], nearAt[96];
    int32_t overCount, nearCount; ///< elements and clips that are wrong
} supPeaks;

static void supRaisePeaks( const supFound* found, int32_t clip, supPeaks* peaks )
{
    const char* name = supCharacter_Clip( found->character, clip ).name;
    bool gait = supIsGait( name );
    supShown shown = supLookAtClip( found, clip, 120.0, 240 );
    for ( int32_t e = 0; e < shown.elementCount; ++e )
    {
        const supProposedElement* element = found->proposal->elements + e;
        float limit = element->ceiling * supModel_Info( found->model )->elements[e].thickness;
        double peak = (double)( supPeak( &shown, e ) / limit ), near = 0.0;
        for ( int32_t i = 0; i < shown.lookCount; ++i )
        {
            near += supLength( supAt( &shown, i, e ) ) > 0.9f * limit ? 1.0 / shown.lookCount : 0.0;
        }
        if ( peak > peaks->highest )
        {
            peaks->highest = peak;
            snprintf( peaks->highestAt, sizeof( peaks->highestAt ), "%s in %s", element->name, name );
        }
        peaks->overCount += !( peak <= 1.002 );
        if ( gait && near > peaks->nearLimit )
        {
            peaks->nearLimit = near;
            snprintf( peaks->nearAt, sizeof( peaks->nearAt ), "%s in %s", element->name, name );
        }
        peaks->nearCount += gait && near > 0.05;
    }
    free( shown.elongations );
}

static supPeaks supFindPeaks( const supCharacter* character, supPreset preset )
{
    supPeaks peaks = { 0 };
    supFound found;
    supError error = { 0 };
    if ( !supTryFind( character, preset, &found, &error ) )
    {
        fail_msg( "%s", error.text );
    }
    for ( int32_t e = 0; e < found.proposal->elementCount; ++e )
    {
        // the limit that is shown is the ceiling that is told
        const supElementDef* def = supRig_Element( found.rig, e );
        peaks.overCount +=
            !( fabsf( def->limitScale - found.proposal->elements[e].ceiling ) <= 0.01f * def->limitScale );
        peaks.overCount += def->limit != sup_limitSoft;
    }
    for ( int32_t clip = 0; clip < supCharacter_Info( character )->clipCount; ++clip )
    {
        supRaisePeaks( &found, clip, &peaks );
    }
    supDropFound( &found );
    return peaks;
}

static void supPrintPeaks( const char* name, const char* preset, const supPeaks* peaks )
{
    print_message( "%-24s %-8s %6.1f%% %s%-40s %5.1f%% %s%s\n", name, preset, 100.0 * peaks->highest,
        peaks->overCount > 0 ? "WRONG " : "", peaks->highestAt, 100.0 * peaks->nearLimit,
        peaks->nearCount > 0 ? "WRONG " : "", peaks->nearAt );
}

static void supTestPeaks( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t over = 0, near = 0, looked = 0;
    print_message( "peak over ceiling; largest share of a gait's frames above 90%% of the limit\n" );
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        if ( !stranger->isFound || supCharacter_Info( stranger->character )->clipCount == 0 )
        {
            continue; // told already; nothing moves
        }
        for ( int preset = 0; supWordFor( sup_wordsPreset, preset ) != NULL; ++preset )
        {
            supPeaks peaks = supFindPeaks( stranger->character, (supPreset)preset );
            supPrintPeaks( stranger->truth.name, supWordFor( sup_wordsPreset, preset ), &peaks );
            over += peaks.overCount;
            near += peaks.nearCount;
            looked += peaks.highest > 0.0;
        }
        supCharacter* wild = supAddWildClip( stranger->character );
        supPeaks peaks = supFindPeaks( wild, sup_presetNatural );
        supPrintPeaks( stranger->truth.name, "wild", &peaks );
        over += peaks.overCount;
        supDestroyCharacter( wild );
    }
    print_message( "%d over their ceilings, %d long at their limits\n", over, near );
    assert_true( looked > 0 );
    assert_int_equal( over, 0 );
    assert_int_equal( near, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Trunks that live

/// Elements of animals that need not come to 40% of their ceilings, and why: "NAME: region", one a line.
static const char* const supExcused[] = {
    "Frog: belly, its one cycle is an idle in which the trunk hardly moves; it gets about by jumps, which are no cycle",
    "Wasp: abdomen, it hovers on the spot: only its wings beat",
    "Whale: belly, it swims in one slow beat of 3 s, and what is left behind goes by the square of that",
    "Whale: side, the same",
    NULL,
};

static bool supIsExcused( const char* animal, supRegion region )
{
    char words[160];
    snprintf( words, sizeof( words ), "%s: %s", animal, supWordFor( sup_wordsRegion, region ) );
    for ( int i = 0; supExcused[i] != NULL; ++i )
    {
        if ( strncmp( supExcused[i], words, strlen( words ) ) == 0 )
        {
            return true;
        }
    }
    return false;
}

/// The cycle in which the trunk's elements come farthest, by the sum of their shares. -1: there is none.
static int32_t supFindLiveliest( const supFound* found )
{
    int32_t best = -1;
    double most = 0.0;
    for ( int32_t clip = 0; clip < supCharacter_Info( found->character )->clipCount; ++clip )
    {
        supShown shown = supLookAtClip( found, clip, 60.0, 240 );
        double sum = 0.0;
        for ( int32_t e = 0; e < shown.elementCount; ++e )
        {
            const supProposedElement* element = found->proposal->elements + e;
            float limit = element->ceiling * supModel_Info( found->model )->elements[e].thickness;
            sum += supIsOfTrunk( element->region ) ? (double)( supPeak( &shown, e ) / limit ) : 0.0;
        }
        // a gait is a cycle though its file does not close it
        bool cycle = shown.loops || supIsGait( supCharacter_Clip( found->character, clip ).name );
        best = cycle && sum > most ? clip : best;
        most = cycle ? fmax( sum, most ) : most;
        free( shown.elongations );
    }
    return best;
}

static int32_t supCheckTrunk( const supStranger* stranger )
{
    const supFound* found = &stranger->found;
    int32_t clip = supFindLiveliest( found ), wrong = 0;
    if ( clip < 0 )
    {
        print_message( "%-16s no cycle moves its trunk  WRONG\n", stranger->truth.name );
        return 1;
    }
    supShown shown = supLookAtClip( found, clip, 120.0, supMostLooks );
    for ( int32_t e = 0; e < shown.elementCount; ++e )
    {
        const supProposedElement* element = found->proposal->elements + e;
        if ( !supIsOfTrunk( element->region ) )
        {
            continue;
        }
        float thickness = supModel_Info( found->model )->elements[e].thickness, peak = supPeak( &shown, e ) / thickness;
        bool lives = peak >= 0.4f * element->ceiling, excused = supIsExcused( stranger->truth.name, element->region );
        print_message( "%-16s %-28s %-10s %-8s %5.1f%% of %4.1f%% (%3.0f%%), typical %4.1f%%%s\n", stranger->truth.name,
            supCharacter_Clip( found->character, clip ).name, supWordFor( sup_wordsRegion, element->region ),
            supWordFor( sup_wordsSide, element->side ), (double)( 100.0f * peak ),
            (double)( 100.0f * element->ceiling ), (double)( 100.0f * peak / element->ceiling ),
            (double)( 100.0f * element->typical ),
            lives     ? ""
            : excused ? "  excused"
                      : "  WRONG" );
        wrong += !lives && !excused;
    }
    free( shown.elongations );
    return wrong;
}

static void supTestTrunks( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, looked = 0;
    print_message( "trunks of animals in their liveliest cycle\n" );
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supStranger* stranger = supMet + i;
        supBodyKind kind = stranger->truth.kind;
        bool animal = kind != sup_bodyHuman && kind != sup_bodyMachine;
        if ( animal && stranger->isFound && supCharacter_Info( stranger->character )->clipCount > 0 )
        {
            wrong += supCheckTrunk( stranger );
            ++looked;
        }
    }
    assert_true( looked > 0 );
    assert_int_equal( wrong, 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestWild ),
        cmocka_unit_test( supTestPeaks ),
        cmocka_unit_test( supTestTrunks ),
    };
    return cmocka_run_group_tests( tests, supMeetAll, supLeaveAll );
}
