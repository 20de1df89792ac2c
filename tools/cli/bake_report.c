// supple bake: the report, for people and for machines.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "command.h"
#include "output.h"
#include "overlap_words.h"
#include "supple/auto.h"
#include "supple/lab/files.h"
#include "supple/lab/measures.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void supBakeJob_Warn( supBakeJob* job )
{
    supFastest fastest = job->fastest;
    if ( fastest.tooFast == 0 )
    {
        return;
    }
    double enough = ceil( 4.0 * (double)fastest.frequency );
    char advice[60] = "no clip can follow it", others[40] = "";
    if ( enough <= SUP_MOST_FPS )
    {
        snprintf( advice, sizeof( advice ), "--fps %.0f would follow it", enough );
    }
    if ( fastest.tooFast > 1 )
    {
        snprintf( others, sizeof( others ), " (so do %d more, less fast)", fastest.tooFast - 1 );
    }
    supProgress_Wipe( &job->progress );
    fprintf( stderr,
        "supple bake: warning: %s[%d] (\"%s\") swings at %.3g Hz, above a quarter of %g %s a second%s; %s\n",
        fastest.list, fastest.index, fastest.name, (double)fastest.frequency, (double)job->fps,
        supIsCachePath( job->words->out ) ? "frames" : "keys", others, advice );
}

static bool supIsAbove( const supBakeJob* job, double length )
{
    const double rounding = 1.0 + 1e-6;
    return length > (double)supBakeJob_Tolerance( job ) * job->size * rounding;
}

/// Whether any clip misses the tolerance.
static bool supMissesTolerance( const supBakeJob* job )
{
    bool misses = false;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        misses = misses || supIsAbove( job, supBakeJob_Clip( job, i ).maxError );
    }
    return misses;
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static json_t* supElementJson( const supBakeJob* job, int32_t index )
{
    supElementView element = supModel_Info( job->model )->elements[index];
    json_t* json = json_pack( "{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "name", element.name, "driver",
        supCharacter_Joint( job->character, element.driver )->name, "vertices", element.vertexCount, "mass",
        (double)element.mass, "frequency", (double)element.frequency, "dampingRatio", (double)element.dampingRatio,
        "amount", (double)element.amount, "thickness", (double)element.thickness, "largestEdgeJump",
        (double)element.largestEdgeJump );
    const supProposedElement* proposed = job->proposal != NULL ? job->proposal->elements + index : NULL;
    if ( json != NULL && proposed != NULL )
    {
        json_object_set_new( json, "region", json_string( supWordFor( sup_wordsRegion, proposed->region ) ) );
        json_object_set_new( json, "side", json_string( supWordFor( sup_wordsSide, proposed->side ) ) );
    }
    return json;
}

static json_t* supClipJson( const supBakeJob* job, int32_t index )
{
    supFittedClip clip = supBakeJob_Clip( job, index );
    supTakeInfo take = supTake_Info( job->takes[index] );
    char hash[20];
    snprintf( hash, sizeof( hash ), "%016llx", clip.hash );
    return json_pack(
        "{s:s, s:i, s:f, s:b, s:f, s:f, s:i, s:f, s:f, s:f, s:s, s:i, s:f, s:f, s:f, s:i, s:i, s:b, s:o, s:f, s:o}",
        "name", supCharacter_Clip( job->character, clip.clip ).name, "frames", clip.keyCount, "fps", (double)job->fps,
        "loop", take.loops, "seam", (double)take.seam, "maxDisplacement", (double)take.maxDisplacement, "limited",
        take.limited, "maxErrorAtKeys", clip.maxErrorAtKeys, "maxError", clip.maxError, "rmsError", clip.rmsError,
        "hash", hash, "worstVertex", clip.worstVertex, "worstTime", clip.worstTime, "maxNormalError",
        clip.maxNormalError, "rmsNormalError", clip.rmsNormalError, "pastBone", job->past[index].living,
        "pastBoneSmooth", job->past[index].smooth, "onceByName", take.isOnceByName, "layers",
        supBakeJob_LayersJson( job, index ), "farthestCm", supBakeJob_Centimetres( job, job->largest[index] ),
        "rangesCm", supBakeJob_RangesJson( job, index ) );
}

/// Whether any mesh has normals that could be off.
static bool supHasNormals( const supCharacter* character )
{
    bool has = false;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        has = has || supCharacter_Mesh( character, m ).normals != NULL;
    }
    return has;
}

static json_t* supBytesJson( supGltfBytes bytes )
{
    json_t* json = json_object();
    for ( int kind = 0; kind < sup_gltfBytesCount; ++kind )
    {
        json_object_set_new(
            json, supGltfBytesName( (supGltfBytesKind)kind ), json_integer( (json_int_t)bytes.of[kind] ) );
    }
    return json;
}

/// What four influences cost, and whether the tolerance was held.
static void supAddFitJson( const supBakeJob* job, json_t* report )
{
    json_object_set_new( report, "tolerance", json_real( (double)supBakeJob_Tolerance( job ) * job->size ) );
    json_object_set_new( report, "aboveTolerance", json_boolean( supMissesTolerance( job ) ) );
    if ( job->joints != NULL )
    {
        double error = (double)supJointBake_Info( job->joints )->refitError;
        json_object_set_new( report, "refitted", json_integer( supJointBake_Info( job->joints )->refittedCount ) );
        json_object_set_new( report, "refitError", json_real( error ) );
        json_object_set_new(
            report, "refitEdgeJump", json_real( (double)supJointBake_Info( job->joints )->refitEdgeJump ) );
        json_object_set_new( report, "refitAboveTolerance", json_boolean( supIsAbove( job, error ) ) );
    }
}

static int32_t supTargetCount( const supBakeJob* job )
{
    int32_t count = 0;
    for ( int32_t g = 0; job->morphs != NULL && g < supMorphBake_Info( job->morphs )->groupCount; ++g )
    {
        count += supMorphBake_Info( job->morphs )->groups[g].targetCount;
    }
    return count;
}

/// Room for as many muscles as the rig has, filled; NULL: none.
static supMuscleReport* supMeasuredMuscles( const supBakeJob* job, int32_t* count )
{
    *count = supModel_ItemCount( job->model, supFindLayer( "muscles" ) );
    supMuscleReport* reports = *count > 0 ? calloc( (size_t)*count, sizeof( supMuscleReport ) ) : NULL;
    bool measured = reports != NULL && supMeasureMuscles( job->model, (const supTake* const*)job->takes, job->clipCount,
                                           reports, NULL ) == sup_success;
    if ( !measured )
    {
        free( reports );
        *count = 0;
    }
    return measured ? reports : NULL;
}

static void supAddMusclesJson( const supBakeJob* job, json_t* report )
{
    int32_t count;
    supMuscleReport* reports = supMeasuredMuscles( job, &count );
    json_t* list = count > 0 ? json_array() : NULL;
    for ( int32_t i = 0; i < count; ++i )
    {
        const supMuscleReport* one = reports + i;
        json_array_append_new(
            list, json_pack( "{s:s, s:f, s:f, s:f, s:f, s:f, s:i, s:f}", "name", one->name, "volume",
                      (double)one->restVolume, "shortest", (double)one->shortest, "longest", (double)one->longest,
                      "volumeChange", (double)one->volumeChange, "contraction", (double)one->contraction, "cuts",
                      one->cuts, "deepest", (double)one->deepest ) );
    }
    if ( list != NULL )
    {
        json_object_set_new( report, "muscles", list );
    }
    free( reports );
}

json_t* supBakeJob_Report( const supBakeJob* job )
{
    json_t* elements = json_array();
    json_t* clips = json_array();
    for ( int32_t i = 0; i < supModel_Info( job->model )->elementCount; ++i )
    {
        json_array_append_new( elements, supElementJson( job, i ) );
    }
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        json_array_append_new( clips, supClipJson( job, i ) );
    }
    const char* form = job->morphs != NULL ? "morphs" : job->words->live ? "live joints" : "joints";
    json_t* report = json_pack( "{s:o, s:o, s:s, s:I, s:I, s:f, s:f, s:o, s:o, s:s, s:i, s:o, s:o, s:b}", "input",
        supTextJson( job->words->in ), "output", supTextJson( job->words->out ), "form", form, "bytesIn",
        (json_int_t)job->bytesIn, "bytesOut", (json_int_t)job->bytesOut, "seconds", job->seconds, "size", job->size,
        "elements", elements, "clips", clips, "why", job->why, "targets", supTargetCount( job ), "bytesBefore",
        supBytesJson( job->before ), "bytesAfter", supBytesJson( job->after ), "normals",
        supHasNormals( job->character ) );
    if ( report != NULL )
    {
        json_object_set_new( report, "modes", supBakeJob_ModesJson( job ) );
        supAddFitJson( job, report );
        supAddMusclesJson( job, report );
        supAddOverlapsJson( job->model, report );
        json_object_set_new( report, "notes", supBakeJob_Notes( job ) );
    }
    return report;
}

int supBakeJob_PrintJson( const supBakeJob* job )
{
    json_t* report = supBakeJob_Report( job );
    if ( report == NULL )
    {
        fprintf( stderr, "supple bake: %s: no memory for a report\n", job->words->in );
        return sup_exitFailed;
    }
    json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputs( "\n", stdout );
    json_decref( report );
    return sup_exitOk;
}

// ---------------------------------------------------------------------------------------------------------------
// Tables

const char* supBakeJob_Share( const supBakeJob* job, double length, char text[24] )
{
    double percent = job->size > 0.0 ? 100.0 * length / job->size : 0.0;
    snprintf( text, 24, percent > 0.0 && percent < 1e-7 ? "<1e-7%%" : "%.2g%%", percent );
    return text;
}

/// At most `width` columns of a name; bytes beyond the first of a letter count none.
static int supPadding( const char* name, int width )
{
    int columns = 0;
    for ( ; *name != '\0'; ++name )
    {
        columns += ( (unsigned char)*name & 0xc0 ) != 0x80 ? 1 : 0;
    }
    return columns < width ? width - columns : 0;
}

static void supPrintName( FILE* out, const char* name, int width )
{
    fprintf( out, "  %s%*s", name, supPadding( name, width ), "" );
}

static void supPrintElements( const supBakeJob* job, FILE* out )
{
    int nameWidth = 7, driverWidth = 6;
    for ( int32_t e = 0; e < supModel_Info( job->model )->elementCount; ++e )
    {
        supElementView element = supModel_Info( job->model )->elements[e];
        int name = (int)strlen( element.name ),
            driver = (int)strlen( supCharacter_Joint( job->character, element.driver )->name );
        nameWidth = name > nameWidth && name <= 24 ? name : nameWidth;
        driverWidth = driver > driverWidth && driver <= 24 ? driver : driverWidth;
    }
    fputs( "\n", out );
    supPrintName( out, "element", nameWidth );
    supPrintName( out, "driver", driverWidth );
    fputs( "  vertices    mass kg      Hz  damping  amount  thickness  edge jump\n", out );
    for ( int32_t e = 0; e < supModel_Info( job->model )->elementCount; ++e )
    {
        supElementView element = supModel_Info( job->model )->elements[e];
        char thickness[24];
        supPrintName( out, element.name, nameWidth );
        supPrintName( out, supCharacter_Joint( job->character, element.driver )->name, driverWidth );
        fprintf( out, "  %8d %10.3g %7.2f %8.2f %7.2f %10s %10.2f", element.vertexCount, (double)element.mass,
            (double)element.frequency, (double)element.dampingRatio, (double)element.amount,
            supBakeJob_Share( job, (double)element.thickness, thickness ), (double)element.largestEdgeJump );
        fputs( "\n", out );
    }
}

/// Clips whose pose closes but whose name says that they play once.
static void supPrintOnce( const supBakeJob* job, FILE* out )
{
    const char* separator = "\n";
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        if ( supTake_Info( job->takes[i] ).isOnceByName )
        {
            fprintf( out, "%s%s", separator, supCharacter_Clip( job->character, job->clips[i] ).name );
            separator = ", ";
        }
    }
    fputs( separator[0] == ',' ? ": no cycle, by name, though the pose closes; --loop on makes it one\n" : "", out );
}

static void supPrintClips( const supBakeJob* job, FILE* out )
{
    int nameWidth = 4;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        int name = (int)strlen( supCharacter_Clip( job->character, job->clips[i] ).name );
        nameWidth = name > nameWidth && name <= 40 ? name : nameWidth;
    }
    fputs( "\n", out );
    supPrintName( out, "clip", nameWidth );
    fprintf( out, "   keys  loop  pose gap     seam  largest  limited  past bone   at keys   between       rms%s\n",
        job->words->hash ? "  hash" : "" );
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supFittedClip clip = supBakeJob_Clip( job, i );
        supTakeInfo take = supTake_Info( job->takes[i] );
        char texts[6][24], past[24];
        snprintf( past, sizeof( past ), "%d (%d)", job->past[i].living, job->past[i].smooth );
        supPrintName( out, supCharacter_Clip( job->character, clip.clip ).name, nameWidth );
        fprintf( out, " %6d  %4s  %8s %8s %8s %8d %10s %9s %9s %9s", clip.keyCount,
            take.loops          ? "yes"
            : take.isOnceByName ? "once"
                                : "no",
            supBakeJob_Share( job, (double)take.poseGap, texts[0] ),
            take.loops ? supBakeJob_Share( job, (double)take.seam, texts[1] ) : "-",
            supBakeJob_Share( job, (double)take.maxDisplacement, texts[2] ), take.limited, past,
            supBakeJob_Share( job, clip.maxErrorAtKeys, texts[3] ), supBakeJob_Share( job, clip.maxError, texts[4] ),
            supBakeJob_Share( job, clip.rmsError, texts[5] ) );
        if ( job->words->hash )
        {
            fprintf( out, "  %016llx", clip.hash );
        }
        fputs( supIsAbove( job, clip.maxError ) ? "  above the tolerance\n" : "\n", out );
    }
    if ( supModel_Info( job->model )->applyingLayer >= 0 )
    {
        fputs( "  seam, largest, limited and past bone are of the flesh, without the layers below; errors are of all\n",
            out );
    }
    supPrintOnce( job, out );
}

/// Whether any mesh of the bake has more than four influences.
static bool supHasEight( const supBakeJob* job )
{
    for ( int32_t m = 0; job->joints != NULL && m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        if ( supJointBake_Info( job->joints )->meshes[m].influenceCount > 4 )
        {
            return true;
        }
    }
    return false;
}

/// What would be nearer. Flesh needs one influence more than a vertex has joints for each element on it; modes may need
/// more than eight.
static const char* supAdviceOf( const supBakeJob* job, bool eight, bool isAbove )
{
    if ( eight )
    {
        return isAbove ? ": --as morphs is nearer" : "";
    }
    bool modes = supRig_ItemCount( job->rig, supFindLayer( "modes" ) ) > 0;
    return modes     ? isAbove ? ": --influences 8 is nearer" : "; --influences 8 is nearer"
           : isAbove ? ": --influences 8 is exact"
                     : "; --influences 8 is exact";
}

static void supPrintFit( const supBakeJob* job, FILE* out )
{
    char error[24], jump[24], tolerance[24];
    int32_t refitted = job->joints != NULL ? supJointBake_Info( job->joints )->refittedCount : 0;
    if ( job->words->live && supHasEight( job ) )
    {
        fputs( "\neight influences, JOINTS_1 too: four would need mixed helpers, which no host drives; for an engine "
               "that reads four --influences 4 refits, and prints the cost\n",
            out );
    }
    if ( refitted > 0 )
    {
        double largest = (double)supJointBake_Info( job->joints )->refitError;
        bool eight = supHasEight( job );
        fprintf( out,
            "\n%s influences: %d vertices needed more and were refitted%s; largest error %s, largest jump along an "
            "edge %s; ",
            eight ? "eight" : "four", refitted, job->words->live ? " without mixed helpers, which no host drives" : "",
            supBakeJob_Share( job, largest, error ),
            supBakeJob_Share( job, (double)supJointBake_Info( job->joints )->refitEdgeJump, jump ) );
        fprintf( out, "%s the tolerance of %s%s\n", supIsAbove( job, largest ) ? "above" : "within",
            supBakeJob_Share( job, (double)supBakeJob_Tolerance( job ) * job->size, tolerance ),
            supAdviceOf( job, eight, supIsAbove( job, largest ) ) );
    }
}

const char* supBytesText( size_t bytes, char text[24] )
{
    if ( bytes < 100000 )
    {
        snprintf( text, 24, "%zu bytes", bytes );
    }
    else if ( bytes < 10000000 )
    {
        snprintf( text, 24, "%.1f kB", (double)bytes * 1e-3 );
    }
    else
    {
        snprintf( text, 24, "%.2f MB", (double)bytes * 1e-6 );
    }
    return text;
}

/// How far a player's normals are from the living ones, which only morphs can follow.
static void supPrintTurn( const supBakeJob* job, double turn, double rms, FILE* out )
{
    if ( supHasNormals( job->character ) == false )
    {
        fputs( "; the file has no normals", out );
        return;
    }
    bool turns = ( job->morphs != NULL && job->words->noNormals == false ) ||
                 ( job->joints != NULL && supJointBake_Info( job->joints )->turningCount > 0 );
    char largest[24];
    snprintf( largest, sizeof( largest ), turn < 99.5 ? "%.2g" : "%.0f", turn );
    fprintf( out, "; normals%s within %s degrees, rms %.2g", turns ? "" : ", which do not turn with the flesh,",
        largest, rms );
}

/// Where the largest error of all clips is, and of the normals.
static void supPrintWorst( const supBakeJob* job, FILE* out )
{
    supFittedClip worst = { .clip = -1, .worstVertex = -1 };
    double turn = 0.0, rms = 0.0;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supFittedClip clip = supBakeJob_Clip( job, i );
        turn = clip.maxNormalError > turn ? clip.maxNormalError : turn;
        rms = clip.rmsNormalError > rms ? clip.rmsNormalError : rms;
        worst = worst.clip < 0 || clip.maxError > worst.maxError ? clip : worst;
    }
    if ( worst.worstVertex < 0 )
    {
        return;
    }
    char share[24];
    fprintf( out, "\nlargest error: %.3g (%s) at vertex %d, frame %.1f (%.3f s) of \"%s\"", worst.maxError,
        supBakeJob_Share( job, worst.maxError, share ), worst.worstVertex,
        ( worst.worstTime - supCharacter_Clip( job->character, worst.clip ).start ) * (double)job->fps, worst.worstTime,
        supCharacter_Clip( job->character, worst.clip ).name );
    supPrintTurn( job, turn, rms, out );
    fputs( "\n", out );
}

/// What became of garments.
static void supPrintClothes( const supBakeJob* job, FILE* out )
{
    const supClothesReport* clothes = &job->clothes;
    if ( clothes->vertices > 0 )
    {
        fprintf( out,
            "clothes: %d vertices go with the skin beneath; inside the body at some moment: %d in the smooth animation; "
            "new ones %d -> %d\n",
            clothes->vertices, clothes->insideSmooth, clothes->newWithout, clothes->newWith );
    }
}

/// How the écorché's rays fared.
static void supPrintEcorche( const supBakeJob* job, FILE* out )
{
    const supEcorcheReport* ecorche = &job->ecorche;
    if ( ecorche->rays > 0 )
    {
        fprintf( out,
            "ecorche: %d of %d rays followed over %d frames, at most %d lost in one (%.2g%%); the others within %.1g of the "
            "size of the surface; %d stay on the skin\n",
            ecorche->followed, ecorche->rays, ecorche->frames, ecorche->lost,
            100.0 * ecorche->lost / ( ecorche->followed > 0 ? ecorche->followed : 1 ), (double)ecorche->farthest,
            ecorche->outside );
    }
}

/// How well elements keep their volume, where the rig asks them to.
static void supPrintVolumes( const supBakeJob* job, FILE* out )
{
    supVolumeReport reports[64];
    int32_t layer = supFindLayer( "volumes" );
    int32_t count = layer >= 0 ? supModel_ItemCount( job->model, layer ) : 0;
    if ( count < 1 || count > 64 ||
         supMeasureVolumes( job->model, (const supTake* const*)job->takes, job->clipCount, reports, NULL ) !=
             sup_success )
    {
        return;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        fprintf( out, "volume of \"%s\": within %.2g%% of smooth skin's, without the constraint %.2g%%\n",
            reports[i].name, 100.0 * (double)reports[i].with, 100.0 * (double)reports[i].without );
    }
}

/// How well folds keep the length of their lines.
static void supPrintWrinkles( const supBakeJob* job, FILE* out )
{
    supWrinkleReport reports[64];
    int32_t count = supModel_ItemCount( job->model, supFindLayer( "wrinkles" ) );
    if ( count < 1 || count > 64 ||
         supMeasureWrinkles( job->model, (const supTake* const*)job->takes, job->clipCount, reports, NULL ) !=
             sup_success )
    {
        return;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        fprintf( out,
            "wrinkles \"%s\": %d folds keep the length of a line of %.3g within %.2g%%, where it shortens by %.2g%% at most\n",
            reports[i].name, reports[i].folds, (double)reports[i].length, 100.0 * (double)reports[i].with,
            100.0 * (double)reports[i].without );
    }
}

/// How far muscles shorten, how well they keep their volume, and what passes through what.
static void supPrintMuscles( const supBakeJob* job, FILE* out )
{
    int32_t count, shortest = 0, worst = 0, cut = 0;
    supMuscleReport* reports = supMeasuredMuscles( job, &count );
    double volume = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        volume += (double)reports[i].restVolume;
        shortest = reports[i].shortest < reports[shortest].shortest ? i : shortest;
        worst = reports[i].volumeChange > reports[worst].volumeChange ? i : worst;
        cut += reports[i].cuts > 0 ? 1 : 0;
    }
    if ( count > 0 )
    {
        fprintf( out,
            "muscles: %d, %.3g m^3 in all; \"%s\" shortens most, by %.0f%%; volumes within %.2g%% (\"%s\"); lines that "
            "pass through solid fields: %d\n",
            count, volume, reports[shortest].name, 100.0 * ( 1.0 - (double)reports[shortest].shortest ),
            100.0 * (double)reports[worst].volumeChange, reports[worst].name, cut );
    }
    free( reports );
}

/// What flesh adds to the overlaps of smooth skin, where the rig has contacts.
static void supPrintContacts( const supBakeJob* job, FILE* out )
{
    supContactReport report;
    supResult result =
        supMeasureContacts( job->model, (const supTake* const*)job->takes, job->clipCount, &report, NULL );
    if ( result == sup_success && report.sumWithout > 0.0 )
    {
        char before[24], after[24];
        fprintf( out,
            "contact: flesh adds at most %s to the overlaps of smooth skin, without contact %s; %.0f%% is gone\n",
            supBakeJob_Share( job, (double)report.deepestWith, after ),
            supBakeJob_Share( job, (double)report.deepestWithout, before ),
            100.0 * ( 1.0 - report.sumWith / report.sumWithout ) );
    }
}

/// Bytes of what the bake changed.
static void supPrintKinds( const supBakeJob* job, FILE* out )
{
    const char* comma = "";
    for ( int kind = 0; kind < sup_gltfBytesCount; ++kind )
    {
        if ( job->before.of[kind] != job->after.of[kind] )
        {
            char before[24], after[24];
            fprintf( out, "%s%s %s -> %s", comma, supGltfBytesName( (supGltfBytesKind)kind ),
                supBytesText( job->before.of[kind], before ), supBytesText( job->after.of[kind], after ) );
            comma = ", ";
        }
    }
    fputs( comma[0] != '\0' ? "\n" : "", out );
}

void supBakeJob_PrintTables( const supBakeJob* job, FILE* out )
{
    const supBakeOptions* words = job->words;
    char items[160], picks[200];
    supRigText( job->rig, items );
    switch ( job->source )
    {
        case sup_rigFromFile:
            fprintf( out, "%s: %s from %s", words->in, items, words->rig );
            break;
        case sup_rigInside:
            fprintf( out, "%s: %s from the rig inside it", words->in, items );
            break;
        default:
            supPickText( &words->choices, picks, sizeof( picks ) );
            fprintf( out, "%s: no rig given; found %s (%s%s%s)", words->in, items,
                supWordFor( sup_wordsPreset, words->choices.def.preset ), picks[0] != '\0' ? ", " : "", picks );
    }
    if ( job->morphs != NULL )
    {
        fprintf( out, ", %d morph targets", supTargetCount( job ) );
    }
    else
    {
        fprintf( out, ", %d helper joints", supJointBake_Info( job->joints )->helperCount );
    }
    fprintf( out, "%s\n", job->replaced ? "; an earlier bake was replaced" : "" );
    if ( job->why[0] != '\0' )
    {
        fprintf( out, "%s\n", job->why );
    }
    if ( words->fps == 0.0f && job->fps > SUP_DEFAULT_FPS && job->clipCount > 0 )
    {
        fprintf( out, "at least %g keys a second: four for each swing of \"%s\", %.3g Hz\n", (double)job->fps,
            job->fastest.name, (double)job->fastest.frequency );
    }
    fprintf( out, "lengths below are shares of its size, %.4g\n", job->size );
    supPrintElements( job, out );
    supBakeJob_PrintModes( job, out );
    if ( job->clipCount > 0 )
    {
        supPrintClips( job, out );
        supBakeJob_PrintRanges( job, out );
        supBakeJob_PrintLayers( job, out );
    }
    supPrintOverlaps( job->model, out );
    supPrintFit( job, out );
    supPrintWorst( job, out );
    supPrintClothes( job, out );
    supPrintEcorche( job, out );
    supPrintVolumes( job, out );
    supPrintWrinkles( job, out );
    supPrintMuscles( job, out );
    supPrintContacts( job, out );
    supBakeJob_PrintNotes( job, out );
    supPrintKinds( job, out );
    char before[24], after[24];
    bool isFile = job->bytesIn > 0; // a built-in character is none
    fprintf( out, "\n%s: %s%s%s, %.2f s\n", words->out, isFile ? supBytesText( job->bytesIn, before ) : "",
        isFile ? " -> " : "", supBytesText( job->bytesOut, after ), job->seconds );
}
