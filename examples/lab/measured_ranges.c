// How far flesh moves on people, in centimetres, to be held against what was measured on people: the automatic rig in
// `natural` and `heavy`, walking and running.
// SPDX-License-Identifier: MIT
//
//     example_measured_ranges [FILE...]     a table on stdout; without files the people among the test assets
//     example_measured_ranges --markdown    the tables of docs/calibration.md, which has the sources by number
//
// Studies give ranges: how far a marker on the skin travels relative to the trunk or the bone beneath it, from one end
// to the other, within a cycle. So does this: of each element the fullest vertex (the one that moves most), the way
// from the smooth to the living skin there, in the frame of the element's driver. The resultant is the largest distance
// between any two of these ways, the vertical part their range along the body's up at rest.
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostLooks = 600,
};

static const double supLooksEachSecond = 120.0;
/// A human's, where a file's unit is not to be believed. Centimetres.
static const double supHeight = 170.0;
/// What is shown may be off from what was measured by this factor, up or down.
static const double supSlack = 1.5;

static const char* const supPeople[] = { "strangers/woman_mixamo.glb", "strangers/heavywoman_unreal.glb",
    "strangers/man_unity.glb", "strangers/muscleman_mixamo.glb", "strangers/woman_clothes_unreal.glb",
    "mh_human/mh_heavy.glb" };

/// From the least to the most. Centimetres; 0: nothing is said.
typedef struct supSpan
{
    double least, most;
} supSpan;

enum
{
    supNatural = 0,
    supHeavy = 1,
    supWalk = 0,
    supRun = 1,
};

static const supPreset supShownPresets[] = { sup_presetNatural, sup_presetHeavy };
static const char* const supShownClips[] = { "walk", "run" };

/// What is known of a region of people like these.
typedef struct supCited
{
    supRegion region;
    const char* people; ///< files' names
    const char* who;
    const char* basis;   ///< M: measured, D: derived from what was measured, E: an estimate; then the sources
    supSpan spans[2][2]; ///< vertical, by preset and clip
    bool held[2];        ///< by preset: what is shown must be near; what rests on an estimate is only told
} supCited;

#define SUP_SLIM "woman_mixamo man_unity"
#define SUP_ORDINARY "woman_mixamo man_unity woman_clothes_unreal"
#define SUP_HEAVY "heavywoman_unreal mh_heavy"
#define SUP_STRONG "muscleman_mixamo"

static const supCited supCitations[] = {
    { sup_regionBreast, "woman_mixamo woman_clothes_unreal", "D cup", "natural D, heavy M: 1, 3, 4, 5",
        { { { 1.0, 1.4 }, { 4.0, 5.5 } }, { { 1.5, 2.2 }, { 7.0, 9.0 } } }, { true, true } },
    { sup_regionBreast, "heavywoman_unreal", "E to G cups", "D: 1, 3, 4",
        { { { 1.3, 2.0 }, { 5.5, 7.5 } }, { { 2.0, 3.0 }, { 9.0, 12.0 } } }, { true, true } },
    { sup_regionBelly, SUP_SLIM, "slim", "E", { { { 0.1, 0.2 }, { 0.3, 0.6 } }, { { 0.2, 0.4 }, { 0.5, 1.0 } } },
        { false, false } },
    { sup_regionBelly, SUP_STRONG, "slim", "E", { { { 0.1, 0.2 }, { 0.3, 0.6 } }, { { 0.2, 0.4 }, { 0.5, 1.0 } } },
        { false, false } },
    { sup_regionBelly, "woman_clothes_unreal", "average", "D: 9",
        { { { 0.2, 0.6 }, { 0.8, 2.0 } }, { { 0.5, 1.0 }, { 1.5, 3.0 } } }, { true, true } },
    { sup_regionBelly, SUP_HEAVY, "heavy", "D/E: 9", { { { 0.6, 1.2 }, { 2.0, 3.5 } }, { { 1.0, 3.0 }, { 3.0, 7.0 } } },
        { true, true } },
    { sup_regionBottom, SUP_ORDINARY, "average", "E",
        { { { 0.4, 1.0 }, { 1.0, 2.5 } }, { { 1.0, 1.8 }, { 2.5, 4.0 } } }, { false, false } },
    { sup_regionBottom, SUP_STRONG, "fit", "E", { { { 0.2, 0.4 }, { 0.5, 1.0 } }, { { 0.4, 0.8 }, { 1.0, 2.0 } } },
        { false, false } },
    { sup_regionBottom, SUP_HEAVY, "heavy", "E", { { { 0.8, 1.5 }, { 2.0, 3.5 } }, { { 1.5, 2.5 }, { 4.0, 6.0 } } },
        { false, false } },
    { sup_regionThigh, SUP_ORDINARY, "average", "D: 10 to 16",
        { { { 0.3, 0.8 }, { 1.0, 2.0 } }, { { 0.6, 1.2 }, { 1.5, 3.0 } } }, { true, true } },
    { sup_regionThigh, SUP_STRONG, "fit", "D: 10 to 16",
        { { { 0.2, 0.4 }, { 0.5, 1.0 } }, { { 0.3, 0.6 }, { 0.8, 1.5 } } }, { false, false } },
    { sup_regionThigh, SUP_HEAVY, "heavy", "D/E: 10 to 16",
        { { { 0.6, 1.2 }, { 2.0, 3.0 } }, { { 1.0, 1.8 }, { 3.0, 4.5 } } }, { true, false } },
    { sup_regionCalf, SUP_ORDINARY " " SUP_STRONG, "average", "D: 13, 17",
        { { { 0.2, 0.4 }, { 0.5, 1.2 } }, { { 0.3, 0.6 }, { 1.0, 1.8 } } }, { true, true } },
    { sup_regionCalf, SUP_HEAVY, "heavy, 1.6 times", "D/E: 13, 17",
        { { { 0.32, 0.64 }, { 0.8, 1.92 } }, { { 0.48, 0.96 }, { 1.6, 2.88 } } }, { true, false } },
    { sup_regionUpperArm, SUP_ORDINARY, "average", "D: 18",
        { { { 0.1, 0.3 }, { 0.4, 0.8 } }, { { 0.2, 0.4 }, { 0.8, 1.5 } } }, { true, true } },
    { sup_regionUpperArm, SUP_STRONG, "average", "D: 18",
        { { { 0.1, 0.3 }, { 0.4, 0.8 } }, { { 0.2, 0.4 }, { 0.8, 1.5 } } }, { false, false } },
    { sup_regionUpperArm, SUP_HEAVY, "heavy, twice", "D/E: 18",
        { { { 0.2, 0.6 }, { 0.8, 1.6 } }, { { 0.4, 0.8 }, { 1.6, 3.0 } } }, { false, false } },
    { sup_regionCheek, SUP_HEAVY, "heavy, twice", "E",
        { { { 0.0, 0.2 }, { 0.2, 0.6 } }, { { 0.0, 0.2 }, { 0.4, 1.0 } } }, { false, false } },
    { sup_regionChin, SUP_HEAVY, "heavy, twice", "E",
        { { { 0.0, 0.2 }, { 0.2, 0.6 } }, { { 0.0, 0.2 }, { 0.4, 1.0 } } }, { false, false } },
};

// Scurr, White, Hedger, "Supported and unsupported breast displacement in three dimensions across treadmill activity
// levels", 2011: D cups without support, relative to the trunk. The resultant, walking and running. Centimetres.
static const char* const supResultantOf = "woman_mixamo";
static const double supResultants[] = { 4.2, 15.2 };

typedef struct supPerson
{
    const char* path;
    supCharacter* character;
    supRig* rig;
    supProposal* proposal;
    supModel* model;
    supBody* body;
    supPose* pose;
    double centimetres; ///< a unit of the file
} supPerson;

static int supFailRanges( const char* what, const supError* error )
{
    fprintf( stderr, "measured_ranges: %s: %s\n", what, error->text );
    return 1;
}

static supVec3 supSubtract( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static float supDotOf( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float supLengthOf( supVec3 a )
{
    return sqrtf( supDotOf( a, a ) );
}

/// A direction in the axes of a joint, whatever its scale.
static supVec3 supIntoJoint( const supMat34* joint, supVec3 v )
{
    return ( supVec3 ){ supDotOf( v, joint->x ) / supLengthOf( joint->x ),
        supDotOf( v, joint->y ) / supLengthOf( joint->y ), supDotOf( v, joint->z ) / supLengthOf( joint->z ) };
}

static const char* supNameOf( const char* path )
{
    const char* slash = strrchr( path, '/' );
    return slash != NULL ? slash + 1 : path;
}

// ---------------------------------------------------------------------------------------------------------------
// A person

static void supDropPerson( supPerson* person )
{
    supDestroyPose( person->pose );
    supDestroyBody( person->body );
    supDestroyModel( person->model );
    supDestroyProposal( person->proposal );
    supDestroyRig( person->rig );
    supDestroyCharacter( person->character );
    *person = ( supPerson ){ 0 };
}

static supResult supMeetPerson( const char* path, supPreset preset, supPerson* out, supError* error )
{
    *out = ( supPerson ){ .path = path };
    supResult r = supLoadGltf( path, &out->character, error );
    supProposeDef def = supDefaultProposeDef();
    def.preset = preset;
    r = r == sup_success ? supProposeRigWith( out->character, &def, &out->rig, &out->proposal, error ) : r;
    r = r == sup_success ? supCompileModel( out->character, out->rig, &out->model, error ) : r;
    r = r == sup_success ? supCreateBody( out->model, &out->body, error ) : r;
    r = r == sup_success ? supCreatePose( out->character, NULL, &out->pose, error ) : r;
    if ( r != sup_success )
    {
        return r;
    }
    const float* rest = supCharacter_Info( out->character )->restPositions;
    supVec3 up = out->proposal->body.up;
    float lowest = INFINITY, highest = -INFINITY;
    for ( size_t v = 0; v < (size_t)supCharacter_Info( out->character )->vertexCount; ++v )
    {
        float at = rest[3 * v] * up.x + rest[3 * v + 1] * up.y + rest[3 * v + 2] * up.z;
        lowest = fminf( lowest, at );
        highest = fmaxf( highest, at );
    }
    double height = (double)( highest - lowest );
    out->centimetres = height > 1.0 && height < 3.0 ? 100.0 : supHeight / height;
    return sup_success;
}

/// The vertex that an element moves most; where several do, the one that lies farthest out.
static int32_t supFullest( const supElementView* view )
{
    int32_t best = 0;
    for ( int32_t i = 1; i < view->vertexCount; ++i )
    {
        float more = view->weights[i] - view->weights[best];
        best = more > 1e-4f || ( more > -1e-4f && view->reach[i] > view->reach[best] ) ? i : best;
    }
    return view->vertices[best];
}

// ---------------------------------------------------------------------------------------------------------------
// A clip

/// Ways from the smooth to the living skin, one an element a look, in the drivers' axes.
typedef struct supWays
{
    int32_t lookCount;
    supVec3* ways; ///< by element
} supWays;

static supResult supWatchClip( const supPerson* person, int32_t clip, supWays* out, supError* error )
{
    supTakeDef def = supDefaultTakeDef();
    def.model = person->model;
    def.clip = clip;
    supTake* take = NULL;
    supResult r = supCreateTake( &def, &take, error );
    if ( r != sup_success )
    {
        return r;
    }
    supTakeInfo info = supTake_Info( take );
    int32_t elementCount = supModel_Info( person->model )->elementCount;
    size_t vertexCount = (size_t)supCharacter_Info( person->character )->vertexCount;
    double looks = fmin( ceil( ( info.end - info.start ) * supLooksEachSecond ) + 1.0, supMostLooks );
    out->lookCount = (int32_t)looks;
    out->ways = (supVec3*)calloc( (size_t)out->lookCount * (size_t)elementCount + 1, sizeof( supVec3 ) );
    float* living = (float*)calloc( 6 * vertexCount + 1, sizeof( float ) );
    float* smooth = living + 3 * vertexCount;
    for ( int32_t i = 0; i < out->lookCount; ++i )
    {
        double time = info.start + ( info.end - info.start ) * i / fmax( looks - 1.0, 1.0 );
        supPose_Sample( person->pose, clip, time );
        const supMat34* joints = supPose_Joints( person->pose );
        supTake_Show( take, time, joints, person->body );
        supBody_Skin( person->body, living, NULL );
        supBody_SmoothSkin( person->body, smooth, NULL );
        for ( int32_t e = 0; e < elementCount; ++e )
        {
            supElementView view = supModel_Info( person->model )->elements[e];
            size_t v = 3 * (size_t)supFullest( &view );
            supVec3 way = { living[v] - smooth[v], living[v + 1] - smooth[v + 1], living[v + 2] - smooth[v + 2] };
            out->ways[(size_t)e * (size_t)out->lookCount + (size_t)i] = supIntoJoint( joints + view.driver, way );
        }
    }
    free( living );
    supDestroyTake( take );
    return sup_success;
}

typedef struct supRange
{
    double resultant, vertical; ///< centimetres
} supRange;

static supRange supRangeOf( const supPerson* person, const supWays* ways, int32_t element )
{
    const supVec3* all = ways->ways + (size_t)element * (size_t)ways->lookCount;
    int32_t driver = supModel_Info( person->model )->elements[element].driver;
    supVec3 up = supIntoJoint( supCharacter_Info( person->character )->restJoints + driver, person->proposal->body.up );
    float resultant = 0.0f, lowest = INFINITY, highest = -INFINITY;
    for ( int32_t i = 0; i < ways->lookCount; ++i )
    {
        float at = supDotOf( all[i], up );
        lowest = fminf( lowest, at );
        highest = fmaxf( highest, at );
        for ( int32_t k = 0; k < i; ++k )
        {
            resultant = fmaxf( resultant, supLengthOf( supSubtract( all[i], all[k] ) ) );
        }
    }
    return ( supRange ){ (double)resultant * person->centimetres, (double)( highest - lowest ) * person->centimetres };
}

/// What is known of people like this one; NULL: nothing.
static const supCited* supFindCited( const supPerson* person, supRegion region )
{
    char name[64];
    const char* file = supNameOf( person->path );
    snprintf( name, sizeof( name ), "%.*s", (int)strcspn( file, "." ), file );
    for ( size_t i = 0; i < sizeof( supCitations ) / sizeof( supCitations[0] ); ++i )
    {
        const char* at = supCitations[i].region == region ? strstr( supCitations[i].people, name ) : NULL;
        if ( at != NULL && ( at == supCitations[i].people || at[-1] == ' ' ) )
        {
            return supCitations + i;
        }
    }
    return NULL;
}

/// How many times too far, or too little (below 1), a range is; 1 within the span.
static double supBeyond( double range, supSpan span )
{
    return range > span.most ? range / span.most : range < span.least ? range / span.least : 1.0;
}

static bool supIsNear( double range, supSpan span )
{
    double beyond = supBeyond( range, span );
    return beyond <= supSlack && beyond >= 1.0 / supSlack;
}

// ---------------------------------------------------------------------------------------------------------------
// A person in both presets and both clips

/// One region of one person; of left and right the larger range.
typedef struct supRow
{
    supRegion region;
    supRange ranges[2][2];
    const supCited* cited;
} supRow;

typedef struct supTable
{
    const char* path;
    int32_t count;
    supRow rows[sup_regionCount];
} supTable;

static void supKeepRange(
    supTable* table, const supPerson* person, int preset, int clip, supRegion region, supRange range )
{
    int32_t at = 0;
    while ( at < table->count && table->rows[at].region != region )
    {
        ++at;
    }
    if ( at == table->count )
    {
        table->rows[table->count++] = ( supRow ){ .region = region, .cited = supFindCited( person, region ) };
    }
    supRange* kept = &table->rows[at].ranges[preset][clip];
    kept->resultant = fmax( kept->resultant, range.resultant );
    kept->vertical = fmax( kept->vertical, range.vertical );
}

/// Prints a row for each element; gives how many are wrong.
static int supReport( const supPerson* person, int preset, int clip, const supWays* ways, supTable* table, bool quiet )
{
    int wrong = 0;
    for ( int32_t e = 0; e < supModel_Info( person->model )->elementCount; ++e )
    {
        const supProposedElement* element = person->proposal->elements + e;
        supElementView view = supModel_Info( person->model )->elements[e];
        supRange range = supRangeOf( person, ways, e );
        const supCited* cited = supFindCited( person, element->region );
        bool unsupported = preset == supHeavy && element->region == sup_regionBreast &&
                           strstr( supNameOf( person->path ), supResultantOf ) == supNameOf( person->path );
        double resultant = unsupported ? supResultants[clip] : 0.0;
        bool moves = range.resultant > 0.0 && range.vertical <= 1.001 * range.resultant && isfinite( range.resultant );
        bool held = cited != NULL && cited->held[preset];
        bool near = cited == NULL || supIsNear( range.vertical, cited->spans[preset][clip] );
        bool nearResultant = !unsupported || supIsNear( range.resultant, ( supSpan ){ resultant, resultant } );
        supKeepRange( table, person, preset, clip, element->region, range );
        wrong += !moves + ( held && !near ) + !nearResultant;
        if ( quiet )
        {
            continue;
        }
        printf( "%-26s %-8s %-5s %-9s %-7s %6.2f %6.2f %6.1f %5.2f %5.2f %4.0f%%", supNameOf( person->path ),
            supWordFor( sup_wordsPreset, supShownPresets[preset] ), supShownClips[clip],
            supWordFor( sup_wordsRegion, element->region ), supWordFor( sup_wordsSide, element->side ), range.resultant,
            range.vertical, (double)view.thickness * person->centimetres, (double)view.frequency, (double)view.amount,
            (double)( 100.0f * element->ceiling ) );
        if ( cited != NULL )
        {
            supSpan span = cited->spans[preset][clip];
            printf( "   vertical %.1f to %.1f (%s)%s", span.least, span.most, cited->basis,
                near   ? ""
                : held ? "  WRONG"
                       : "  beyond" );
        }
        if ( unsupported )
        {
            printf( "   measured %.1f: %.2f times%s", resultant, range.resultant / resultant,
                nearResultant ? "" : "  WRONG" );
        }
        printf( moves ? "\n" : "  WRONG\n" );
    }
    return wrong;
}

static int supMeasure( const char* path, int preset, supTable* table, bool quiet )
{
    supPerson person;
    supError error = { sup_success, "" };
    int wrong = 0;
    table->path = path;
    if ( supMeetPerson( path, supShownPresets[preset], &person, &error ) != sup_success )
    {
        supDropPerson( &person );
        return supFailRanges( path, &error );
    }
    for ( int c = 0; c < 2; ++c )
    {
        int32_t clip = supCharacter_FindClip( person.character, supShownClips[c] );
        supWays ways = { 0 };
        if ( clip < 0 )
        {
            printf( "%-26s %-8s %-5s no such clip\n", supNameOf( path ),
                supWordFor( sup_wordsPreset, supShownPresets[preset] ), supShownClips[c] );
        }
        else if ( supWatchClip( &person, clip, &ways, &error ) != sup_success )
        {
            wrong += supFailRanges( path, &error );
        }
        else
        {
            wrong += supReport( &person, preset, c, &ways, table, quiet );
        }
        free( ways.ways );
    }
    wrong += supModel_Info( person.model )->elementCount == 0;
    supDropPerson( &person );
    return wrong;
}

// ---------------------------------------------------------------------------------------------------------------
// Markdown

static void supPrintCell( const supRow* row, int preset, int clip )
{
    const supRange* range = &row->ranges[preset][clip];
    supSpan span = row->cited != NULL ? row->cited->spans[preset][clip] : ( supSpan ){ 0.0, 0.0 };
    bool far = row->cited != NULL && !supIsNear( range->vertical, span );
    printf( " %s%.2f%s", far ? "**" : "", range->vertical, far ? "**" : "" );
    if ( row->cited != NULL )
    {
        printf( " (%g–%g)", span.least, span.most );
    }
    printf( " |" );
}

static void supPrintMarkdown( const supTable* tables, int count )
{
    printf( "| person | region | taken for | natural walk | natural run | heavy walk | heavy run | basis, sources |\n"
            "|---|---|---|---|---|---|---|---|\n" );
    for ( int i = 0; i < count; ++i )
    {
        const char* name = supNameOf( tables[i].path );
        for ( int32_t r = 0; r < tables[i].count; ++r )
        {
            const supRow* row = tables[i].rows + r;
            printf( "| %.*s | %s | %s |", r == 0 ? (int)strcspn( name, "." ) : 0, name,
                supWordFor( sup_wordsRegion, row->region ), row->cited != NULL ? row->cited->who : "" );
            for ( int cell = 0; cell < 4; ++cell )
            {
                supPrintCell( row, cell / 2, cell % 2 );
            }
            printf( " %s |\n", row->cited != NULL ? row->cited->basis : "nothing found" );
        }
    }
    printf( "\n| resultant of the breast | walk | run |\n|---|---|---|\n"
            "| measured, D cups without support (1) | %.1f | %.1f |\n",
        supResultants[supWalk], supResultants[supRun] );
    for ( int i = 0; i < count; ++i )
    {
        const char* name = supNameOf( tables[i].path );
        for ( int32_t r = 0; r < tables[i].count; ++r )
        {
            const supRow* row = tables[i].rows + r;
            for ( int preset = 0; preset < 2 && row->region == sup_regionBreast; ++preset )
            {
                printf( "| %.*s, %s | %.1f | %.1f |\n", (int)strcspn( name, "." ), name,
                    supWordFor( sup_wordsPreset, supShownPresets[preset] ), row->ranges[preset][supWalk].resultant,
                    row->ranges[preset][supRun].resultant );
            }
        }
    }
}

int main( int argc, char** argv )
{
    enum
    {
        people = sizeof( supPeople ) / sizeof( supPeople[0] )
    };
    const char* named = getenv( "SUPPLE_ASSETS" );
    const char* folder = named != NULL && named[0] != '\0' ? named : "../shared/assets";
    bool markdown = argc == 2 && strcmp( argv[1], "--markdown" ) == 0, own = argc == 1 || markdown;
    int count = own ? (int)people : argc - 1, wrong = 0;
    char first[1024];
    snprintf( first, sizeof( first ), "%s/%s", folder, supPeople[0] );
    FILE* file = own ? fopen( first, "rb" ) : NULL;
    if ( own && file == NULL )
    {
        fprintf(
            markdown ? stderr : stdout, "skipped: no test assets; SUPPLE_ASSETS names their folder, or name files\n" );
        return 77;
    }
    if ( file != NULL )
    {
        fclose( file );
    }
    if ( !markdown )
    {
        printf( "ranges in cm: resultant, vertical; thickness in cm, Hz, amount, ceiling\n" );
    }
    static supTable tables[people];
    static char paths[people][1024];
    for ( int i = 0; i < count; ++i )
    {
        supTable other = { 0 };
        supTable* table = own ? tables + i : &other;
        const char* path = own ? paths[i] : argv[i + 1];
        if ( own )
        {
            snprintf( paths[i], sizeof( paths[i] ), "%s/%s", folder, supPeople[i] );
        }
        wrong += supMeasure( path, supNatural, table, markdown );
        wrong += supMeasure( path, supHeavy, table, markdown );
    }
    if ( markdown )
    {
        supPrintMarkdown( tables, count );
    }
    else
    {
        printf( "%d wrong\n", wrong );
    }
    return wrong > 0;
}
