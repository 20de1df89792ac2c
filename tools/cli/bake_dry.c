// supple bake --dry-run: what would move, how far, and how long the bake would take; nothing is written.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "command.h"
#include "output.h"
#include "supple/lab/measures.h"

static double supTakeSpan( const supTake* take )
{
    supTakeInfo info = supTake_Info( take );
    return info.end - info.start;
}

/// The clips to try: the shortest, and then the next.
typedef struct supShortest
{
    supTake* takes[2];
    int32_t clips[2];
} supShortest;

static supShortest supFindShortest( const supBakeJob* job )
{
    int32_t at[2] = { -1, -1 };
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        double span = supTakeSpan( job->takes[i] );
        if ( at[0] < 0 || span < supTakeSpan( job->takes[at[0]] ) )
        {
            at[1] = at[0];
            at[0] = i;
        }
        else if ( at[1] < 0 || span < supTakeSpan( job->takes[at[1]] ) )
        {
            at[1] = i;
        }
    }
    supShortest shortest = { 0 };
    for ( int i = 0; i < 2 && at[i] >= 0; ++i )
    {
        shortest.takes[i] = job->takes[at[i]];
        shortest.clips[i] = job->clips[at[i]];
    }
    return shortest;
}

/// How long so many of the shortest clips take to be fitted. Seconds
static supResult supTimeFit(
    supBakeJob* job, supShortest* shortest, int32_t clipCount, double* seconds, supError* error )
{
    supBakeJob part = *job;
    part.clipCount = clipCount;
    part.takes = shortest->takes;
    part.clips = shortest->clips;
    double start = supNowSeconds();
    supResult result = supBakeJob_Fit( &part, error );
    *seconds = supNowSeconds() - start;
    job->progress = part.progress;
    job->dryForm = part.morphs != NULL ? "morphs" : "joints";
    supDestroyJointBake( part.joints );
    supDestroyMorphBake( part.morphs );
    return result;
}

/// Fitting takes a time for the character and a time for each second of clips: the shortest clip, and then the two
/// shortest together, tell both.
static supResult supGuessFit( supBakeJob* job, double* seconds, supError* error )
{
    double all = 0.0, one = 0.0, two = 0.0;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        all += supTakeSpan( job->takes[i] );
    }
    supShortest shortest = supFindShortest( job );
    supResult result = supTimeFit( job, &shortest, job->clipCount < 1 ? 0 : 1, &one, error );
    *seconds = one;
    if ( result != sup_success || job->clipCount < 2 )
    {
        return result;
    }
    result = supTimeFit( job, &shortest, 2, &two, error );
    double first = supTakeSpan( shortest.takes[0] ), second = supTakeSpan( shortest.takes[1] );
    double each = second > 0.0 && two > one ? ( two - one ) / second : 0.0;
    *seconds = two + each * ( all - first - second );
    return result;
}

static json_t* supDryJson( const supBakeJob* job, double seconds )
{
    json_t* clips = json_array();
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supTakeInfo info = supTake_Info( job->takes[i] );
        json_array_append_new( clips,
            json_pack( "{s:s, s:f, s:b, s:f, s:o}", "name", supCharacter_Clip( job->character, job->clips[i] ).name,
                "duration", info.end - info.start, "loop", info.loops, "farthestCm",
                supBakeJob_Centimetres( job, job->largest[i] ), "rangesCm", supBakeJob_RangesJson( job, i ) ) );
    }
    return json_pack( "{s:o, s:b, s:s, s:f, s:f, s:o, s:o}", "input", supTextJson( job->words->in ), "dryRun", 1,
        "form", job->dryForm, "size", job->size, "estimatedSeconds", seconds, "clips", clips, "notes",
        supBakeJob_Notes( job ) );
}

static void supTellDryRun( const supBakeJob* job, double seconds )
{
    if ( job->words->json )
    {
        json_t* report = supDryJson( job, seconds );
        json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
        fputs( "\n", stdout );
        json_decref( report );
        return;
    }
    char items[160];
    printf( "%s: %s, %d clip%s, as %s; nothing is written\n", job->words->in, supRigText( job->rig, items ),
        job->clipCount, job->clipCount == 1 ? "" : "s", job->dryForm );
    supBakeJob_PrintRanges( job, stdout );
    supBakeJob_PrintNotes( job, stdout );
    printf( "\nthe bake would take about %.2g s\n", seconds );
}

int supBakeDry( const supBakeOptions* words )
{
    supBakeJob job = { .words = words };
    supError error = { 0 };
    double start = supNowSeconds(), fitting = 0.0;
    supStartProgress( &job.progress, "bake", words->progress ? sup_progressLines : sup_progressBar );
    supResult result = supBakeJob_Load( &job, &error );
    result = result == sup_success ? supBakeJob_RunTakes( &job, &error ) : result;
    result = result == sup_success ? supBakeJob_MeasureRanges( &job, &error ) : result;
    double before = supNowSeconds() - start;
    result = result == sup_success ? supGuessFit( &job, &fitting, &error ) : result;
    supProgress_End( &job.progress );
    int code = sup_exitOk;
    if ( result == sup_success )
    {
        supTellDryRun( &job, before + fitting );
    }
    else
    {
        fprintf( stderr, "supple bake: %s\n", error.text );
        code = sup_exitFailed;
    }
    supBakeJob_End( &job );
    return code;
}
