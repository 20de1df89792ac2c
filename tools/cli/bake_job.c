// supple bake: the work.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "output.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool supParseLength( const char* text, double size, double* share )
{
    static const struct
    {
        const char* name;
        double metres; ///< 0: a share
        double factor;
    } units[] = { { "", 0.0, 1.0 }, { "%", 0.0, 0.01 }, { "mm", 1e-3, 0.0 }, { "cm", 1e-2, 0.0 }, { "m", 1.0, 0.0 } };
    char* end;
    double number = strtod( text, &end );
    const char* word = end + strspn( end, " " );
    for ( size_t i = 0; end != text && i < sizeof( units ) / sizeof( units[0] ); ++i )
    {
        if ( strcmp( word, units[i].name ) == 0 )
        {
            *share = units[i].metres > 0.0 ? number * units[i].metres / size : number * units[i].factor;
            return *share >= 0.0 && *share <= 1e6;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// In

static void supTellBakeNote( const char* text, void* user )
{
    supBakeJob* job = user;
    if ( job->words->json == false )
    {
        supProgress_Wipe( &job->progress );
        fprintf( stderr, "supple bake: %s\n", text );
    }
}

/// "no clip "Rnu"; did you mean "Run"?", or which there are.
static supResult supFailClipName( const supBakeJob* job, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( job->character )->clipCount;
    const char** names = calloc( (size_t)count + 1, sizeof( char* ) );
    char near[160] = "", list[200] = "";
    for ( int32_t i = 0; names != NULL && i < count; ++i )
    {
        names[i] = supCharacter_Clip( job->character, i ).name;
        size_t length = strlen( list );
        if ( length + strlen( names[i] ) + 8 < sizeof( list ) )
        {
            snprintf( list + length, sizeof( list ) - length, "%s\"%s\"", length > 0 ? ", " : "", names[i] );
        }
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 2, near, sizeof( near ) );
    }
    free( names );
    return near[0] != '\0'
               ? supFail( error, sup_errorNotFound, "%s: no clip \"%s\"; did you mean %s?", job->words->in, name, near )
               : supFail( error, sup_errorNotFound, "%s: no clip \"%s\"; it has %s", job->words->in, name, list );
}

static supResult supChooseClips( supBakeJob* job, supError* error )
{
    const supTextList* asked = &job->words->clips;
    int32_t all = supCharacter_Info( job->character )->clipCount;
    if ( all == 0 && job->words->live == false )
    {
        return supFail( error, sup_errorData,
            "%s: has no clips, so there is no motion to add; --live adds helper joints alone", job->words->in );
    }
    job->clips = calloc( (size_t)all + 1, sizeof( int32_t ) );
    job->takes = calloc( (size_t)all + 1, sizeof( supTake* ) );
    job->past = calloc( (size_t)all + 1, sizeof( supPastBone ) );
    if ( job->clips == NULL || job->takes == NULL || job->past == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for %d clips", job->words->in, all );
    }
    for ( int i = 0; i < asked->count; ++i )
    {
        if ( supCharacter_FindClip( job->character, asked->items[i] ) < 0 )
        {
            return supFailClipName( job, asked->items[i], error );
        }
    }
    for ( int32_t c = 0; c < all; ++c )
    {
        bool wanted = asked->count == 0;
        for ( int i = 0; i < asked->count; ++i )
        {
            wanted = wanted || supCharacter_FindClip( job->character, asked->items[i] ) == c;
        }
        job->clips[job->clipCount] = c;
        job->clipCount += wanted ? 1 : 0;
    }
    return sup_success;
}

static supResult supChooseRig( supBakeJob* job, supError* error )
{
    const supBakeOptions* words = job->words;
    if ( words->rig != NULL )
    {
        job->source = sup_rigFromFile;
        return supReadAnyRig( words->rig, job->character, &job->rig, error );
    }
    const char* asked = supAsksForNewRig( &words->choices );
    if ( asked == NULL )
    {
        supResult result = supGltf_Rig( job->document, job->character, NULL, &job->rig, error );
        if ( result != sup_success || job->rig != NULL )
        {
            job->source = sup_rigInside;
            return result;
        }
    }
    else
    {
        supProgress_Wipe( &job->progress );
        supTellRigSetAside( "bake", words->in, asked, job->document, job->character );
    }
    supProgress_Stage( &job->progress, "looking for flesh" );
    job->source = sup_rigFound;
    supTasks tasks = supPool_Tasks( job->pool );
    const supProposeJob propose = { .character = job->character,
        .path = words->in,
        .choices = &words->choices,
        .clips = words->typicalBy == 1 ? job->clips : NULL,
        .clipCount = job->clipCount,
        .tasks = &tasks };
    supResult result = supProposeByOptions( &propose, &job->rig, &job->proposal, error );
    if ( result == sup_success && supRig_ElementCount( job->rig ) == 0 )
    {
        return supFail( error, sup_errorData,
            words->choices.pick != NULL
                ? "%s: nothing is left of what was found in it"
                : "%s: nothing was found in it that could carry flesh; write a rig and give it with --rig",
            words->in );
    }
    return result;
}

/// Compiles; places in the rig get the file's name before them.
static supResult supCompileRig( supBakeJob* job, supError* error )
{
    supError inner = { 0 };
    supResult result = supCompileWithProgress( job->character, job->rig, &job->progress, &job->model, &inner );
    if ( result != sup_success )
    {
        const char* place = job->source == sup_rigFromFile ? job->words->rig : job->words->in;
        supFail( error, result, "%s: %s%s", place, job->source == sup_rigInside ? "SUPPLE_rig: " : "", inner.text );
    }
    return result;
}

/// The fastest of all elements and of the modes that feel anything; how many are above `most` Hz.
static supFastest supFindFastest( const supBakeJob* job, float most )
{
    supFastest fastest = { .list = "elements" };
    for ( int32_t e = 0; e < supModel_Info( job->model )->elementCount; ++e )
    {
        supElementView element = supModel_Info( job->model )->elements[e];
        int32_t tooFast = fastest.tooFast + ( element.frequency > most );
        fastest = element.frequency > fastest.frequency
                      ? ( supFastest ){ "elements", e, element.name, element.frequency, 0 }
                      : fastest;
        fastest.tooFast = tooFast;
    }
    int32_t layer = supFindLayer( "modes" );
    for ( int32_t i = 0; i < supRig_ItemCount( job->rig, layer ); ++i )
    {
        const supModeDef* mode = supRig_Item( job->rig, layer, i );
        float frequency = mode->amount > 0.0f ? mode->frequency : 0.0f;
        int32_t tooFast = fastest.tooFast + ( frequency > most );
        fastest = frequency > fastest.frequency ? ( supFastest ){ "modes", i, mode->name, frequency, 0 } : fastest;
        fastest.tooFast = tooFast;
    }
    return fastest;
}

/// As many keys a second as were asked for; else 30, or the next multiple of it, which keeps in step with the keys that
/// files have, with four for each swing of the fastest element or mode. Frames of a cache are a host's own frames, and
/// stay what they are.
static void supChooseRate( supBakeJob* job )
{
    job->fps = job->words->fps;
    if ( job->fps == 0.0f )
    {
        bool chooses = supIsCachePath( job->words->out ) == false;
        float frequency = supFindFastest( job, 0.0f ).frequency;
        float multiple = chooses ? ceilf( 4.0f * frequency / SUP_DEFAULT_FPS ) : 1.0f;
        float most = floorf( (float)SUP_MOST_FPS / SUP_DEFAULT_FPS );
        job->fps = SUP_DEFAULT_FPS * ( multiple < 1.0f ? 1.0f : multiple < most ? multiple : most );
    }
    job->fastest = supFindFastest( job, 0.25f * job->fps );
}

static supResult supAddBakeMotions( supBakeJob* job, supError* error )
{
    const supBakeOptions* words = job->words;
    const supMotionsDef motions = { .command = "bake",
        .files = &words->motions,
        .map = words->map,
        .isBinary = supEndsWith( words->out, ".gltf" ) == false,
        .isQuiet = words->json };
    supProgress_Wipe( &job->progress );
    return supAddMotions( &motions, job->document, &job->character, error );
}

/// What is measured and told are shares of the size: there must be one.
static supResult supCheckSkinToBake( const supBakeJob* job, supError* error )
{
    if ( supCharacter_Info( job->character )->vertexCount == 0 )
    {
        return supFail( error, sup_errorData,
            "%s: there is no mesh in its scene, so there is no skin to bake; name the file that has the skin",
            job->words->in );
    }
    if ( supCharacter_Info( job->character )->size <= 0.0f )
    {
        return supFail( error, sup_errorData,
            "%s: all its vertices are in one point, so there is no skin to bake; look at its meshes and scales",
            job->words->in );
    }
    return sup_success;
}

supResult supBakeJob_Load( supBakeJob* job, supError* error )
{
    const supBakeOptions* words = job->words;
    supLog log = { supTellBakeNote, job };
    supResult result = supCheckRigFile( words->rig, error );
    if ( result == sup_success )
    {
        supProgress_Stage( &job->progress, "reading %.40s", supBaseName( words->in ) );
    }
    result = result == sup_success ? supOpenDocument( words->in, log, &job->document, error ) : result;
    job->bytesIn = supGltfSize( words->in );
    result = result == sup_success ? supGltf_RemoveBake( job->document, &job->replaced, error ) : result;
    result = result == sup_success ? supGltf_Character( job->document, NULL, &job->character, error ) : result;
    result = result == sup_success ? supAddBakeMotions( job, error ) : result;
    result = result == sup_success ? supChooseClips( job, error ) : result;
    result = result == sup_success ? supCheckSkinToBake( job, error ) : result;
    supPoolDef pool = supDefaultPoolDef();
    pool.workerCount = words->jobs;
    result = result == sup_success ? supCreatePool( &pool, &job->pool, error ) : result;
    result = result == sup_success ? supChooseRig( job, error ) : result;
    result = result == sup_success ? supCompileRig( job, error ) : result;
    if ( result == sup_success )
    {
        job->size = (double)supCharacter_Info( job->character )->size;
        supChooseRate( job );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The motion

typedef struct supTakeWork
{
    supBakeJob* job;
    int32_t* order; ///< of the clips, the longest first: whoever is done early finds short ones left
    double span;    ///< of all clips. Seconds
    supResult* results;
    supError* errors;
} supTakeWork;

/// One clip's part in the progress of all.
typedef struct supTakeShare
{
    supProgress* progress;
    double share; ///< of all
    float told;   ///< of it
} supTakeShare;

static bool supTellTake( const char* stage, float done, void* user )
{
    (void)stage;
    supTakeShare* take = user;
    supProgress_Add( take->progress, take->share * (double)( done - take->told ) );
    take->told = done;
    return true;
}

/// Times a second at which vertices are looked for that came past their bone.
static const double supPastLooks = 10.0;

static double supClipSpan( const supBakeJob* job, int32_t index )
{
    supClipView clip = supCharacter_Clip( job->character, job->clips[index] );
    return (double)clip.end - (double)clip.start;
}

static void supRunTakeTask( int32_t place, void* context )
{
    supTakeWork* work = context;
    int32_t index = work->order[place];
    supTakeDef def = supDefaultTakeDef();
    def.model = work->job->model;
    def.clip = work->job->clips[index];
    def.loop = (supLoop)work->job->words->loop;
    def.ends = (supEnds)work->job->words->ends;
    double span = work->span > 0.0 ? supClipSpan( work->job, index ) / work->span : 1.0 / work->job->clipCount;
    supTakeShare share = { &work->job->progress, span, 0.0f };
    def.watch = ( supWatch ){ supTellTake, &share };
    supTake** take = work->job->takes + index;
    work->results[index] = supCreateTake( &def, take, work->errors + index );
    if ( work->results[index] == sup_success )
    {
        work->results[index] = supTake_PastBone( *take, supPastLooks, work->job->past + index, work->errors + index );
    }
}

static void supOrderClips( const supBakeJob* job, int32_t* order )
{
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        int32_t at = i;
        for ( ; at > 0 && supClipSpan( job, order[at - 1] ) < supClipSpan( job, i ); --at )
        {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

supResult supBakeJob_RunTakes( supBakeJob* job, supError* error )
{
    supTakeWork work = { .job = job };
    work.results = calloc( (size_t)job->clipCount + 1, sizeof( supResult ) );
    work.errors = calloc( (size_t)job->clipCount + 1, sizeof( supError ) );
    work.order = calloc( (size_t)job->clipCount + 1, sizeof( int32_t ) );
    supResult result = sup_success;
    if ( work.results == NULL || work.errors == NULL || work.order == NULL )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory for %d clips", job->words->in, job->clipCount );
    }
    else
    {
        supOrderClips( job, work.order );
        for ( int32_t i = 0; i < job->clipCount; ++i )
        {
            work.span += supClipSpan( job, i );
        }
        supProgress_Stage( &job->progress, job->clipCount == 1 ? "moving %d clip" : "moving %d clips", job->clipCount );
        supTasks tasks = supPool_Tasks( job->pool );
        tasks.run( supRunTakeTask, job->clipCount, &work, tasks.user );
        for ( int32_t i = 0; result == sup_success && i < job->clipCount; ++i )
        {
            if ( work.results[i] != sup_success )
            {
                result = supFail( error, work.results[i], "%s: clip \"%s\": %s", job->words->in,
                    supCharacter_Clip( job->character, job->clips[i] ).name, work.errors[i].text );
            }
        }
    }
    free( work.results );
    free( work.errors );
    free( work.order );
    return result;
}

supResult supBakeJob_Run( supBakeJob* job, supError* error )
{
    supResult result = supBakeJob_RunTakes( job, error );
    job->before = supGltf_Bytes( job->document );
    supProgress_Stage( &job->progress, "measuring" );
    result = result == sup_success ? supMeasureClothes( job->model, (const supTake* const*)job->takes, job->clipCount,
                                         &job->clothes, error )
                                   : result;
    result = result == sup_success ? supBakeJob_MeasureRanges( job, error ) : result;
    result = result == sup_success ? supBakeJob_MeasureLayers( job, error ) : result;
    result = result == sup_success ? supMeasureEcorche( job->model, (const supTake* const*)job->takes, job->clipCount,
                                         &job->ecorche, error )
                                   : result;
    return result == sup_success ? supBakeJob_Fit( job, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Judging, out

/// A bound that the call may have, as a share of the size.
static double supBoundOf( const supBakeJob* job, const char* text )
{
    double bound = 1e30;
    if ( text != NULL )
    {
        supParseLength( text, job->size, &bound );
    }
    return bound;
}

supResult supBakeJob_JudgeClip(
    const supBakeJob* job, int32_t index, const supFittedClip* fitted, const char* advice, supError* error )
{
    double maxError = supBoundOf( job, job->words->maxError ), maxSeam = supBoundOf( job, job->words->maxSeam );
    supTakeInfo take = supTake_Info( job->takes[index] );
    const char* name = supCharacter_Clip( job->character, fitted->clip ).name;
    double worst = fitted->maxError > fitted->maxErrorAtKeys ? fitted->maxError : fitted->maxErrorAtKeys;
    if ( !( worst <= maxError * job->size ) )
    {
        return supFail( error, sup_errorLimit,
            "%s: clip \"%s\": error %.3g of the size at vertex %d, %.3f s is above --max-error %.3g%s; nothing was "
            "written",
            job->words->in, name, worst / job->size, fitted->worstVertex, fitted->worstTime, maxError, advice );
    }
    if ( take.loops && !( (double)take.seam <= maxSeam * job->size ) )
    {
        return supFail( error, sup_errorLimit,
            "%s: clip \"%s\": seam %.3g of the size is above --max-seam %.3g; nothing was written", job->words->in,
            name, (double)take.seam / job->size, maxSeam );
    }
    for ( int32_t layer = 1; layer < supLayerCount() && job->layers != NULL && take.loops; ++layer )
    {
        double seam = (double)supBakeJob_Layer( job, index, layer ).seam;
        if ( !( seam <= maxSeam * job->size ) )
        {
            return supFail( error, sup_errorLimit,
                "%s: clip \"%s\": seam %.3g of the size in the rig's %s is above --max-seam %.3g; nothing was written",
                job->words->in, name, seam / job->size, supGetLayerInfo( layer )->key, maxSeam );
        }
    }
    return sup_success;
}

/// Fails where --max-error or --max-seam is not held.
static supResult supBakeJob_Judge( const supBakeJob* job, supError* error )
{
    supResult result = sup_success;
    for ( int32_t i = 0; i < job->clipCount && result == sup_success; ++i )
    {
        supFittedClip fitted = supBakeJob_Clip( job, i );
        result = supBakeJob_JudgeClip( job, i, &fitted, "", error );
    }
    return result;
}

supResult supBakeJob_Write( supBakeJob* job, supError* error )
{
    const supBakeOptions* words = job->words;
    supProgress_Stage( &job->progress, "writing %.40s", supBaseName( words->out ) );
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.isBinary = supIsBinaryGltfName( words->out );
    options.keepNames = words->keepNames;
    options.dropOriginals = words->dropOriginals;
    options.isLive = words->live;
    options.rig = words->noEmbed ? NULL : job->rig;
    supResult result = job->morphs != NULL
                           ? supGltf_AddMorphBake( job->document, job->model, job->morphs, &options, error )
                           : supGltf_AddJointBake( job->document, job->model, job->joints, &options, error );
    job->after = supGltf_Bytes( job->document );
    result = result == sup_success ? supGltf_Write( job->document, words->out, error ) : result;
    job->bytesOut = result == sup_success ? supGltfSize( words->out ) : 0;
    return result;
}

supResult supBakeJob_Do( supBakeJob* job, supError* error )
{
    double start = supNowSeconds();
    supResult result = supCheckOutput( job->words->out, error );
    result = result == sup_success ? supBakeJob_Load( job, error ) : result;
    if ( result == sup_success )
    {
        supBakeJob_Warn( job );
        result = supBakeJob_Run( job, error );
    }
    result = result == sup_success ? supBakeJob_Judge( job, error ) : result;
    result = result == sup_success ? supBakeJob_Write( job, error ) : result;
    supProgress_End( &job->progress );
    job->seconds = supNowSeconds() - start;
    return result;
}

void supBakeJob_End( supBakeJob* job )
{
    for ( int32_t i = 0; i < job->clipCount && job->takes != NULL; ++i )
    {
        supDestroyTake( job->takes[i] );
    }
    free( job->takes );
    free( job->past );
    free( job->layers );
    free( job->modes );
    free( job->ranges );
    free( job->largest );
    free( job->shown );
    free( job->clips );
    supDestroyJointBake( job->joints );
    supDestroyMorphBake( job->morphs );
    supDestroyPool( job->pool );
    supDestroyModel( job->model );
    supDestroyProposal( job->proposal );
    supDestroyRig( job->rig );
    supDestroyCharacter( job->character );
    supCloseGltf( job->document );
}
