// supple demo: a built-in character through the whole of it.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "command.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "render_draw.h"
#include "supple/lab/items.h"
#include "supple/model.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    sup_maxDemoPath = 4096 + 64 // a folder, and a name in it
};

/// What shows best on a built-in character.
typedef struct supDemoShow
{
    const char *name, *clip;
    float yaw, pitch; ///< of the camera. Radians
} supDemoShow;

static const supDemoShow sup_demoShows[] = {
    { "woman", "run", 0.9f, 0.1f },
    { "cat", "run", 1.15f, 0.12f },
    { "mushroom", "bounce", 0.5f, 0.1f },
};

typedef struct supDemo
{
    const char *name, *folder;
    supProposeChoices choices;
    const char* program; ///< as it was called
    supDemoShow show;
    double seconds; ///< of the moving picture: the clip as often as it takes to see it
    char before[sup_maxDemoPath], after[sup_maxDemoPath], rig[sup_maxDemoPath];
    char movie[sup_maxDemoPath], strip[sup_maxDemoPath];
} supDemo;

static void supNameFile( const supDemo* demo, const char* ending, char path[sup_maxDemoPath] )
{
    snprintf( path, sup_maxDemoPath, "%s/%s%s", demo->folder, demo->name, ending );
}

static void supTellFile( const char* path, const char* words )
{
    struct stat info = { 0 };
    double kilobytes = stat( path, &info ) == 0 ? (double)info.st_size / 1e3 : 0.0;
    printf( "%-28s %7.0f kB  %s\n", path, kilobytes, words );
    fflush( stdout );
}

static supResult supWriteBefore( supDemo* demo, supError* error )
{
    supCreature* creature = NULL;
    supResult result = supCreateCreature( demo->name, NULL, &creature, error );
    result = result == sup_success ? supMakeFolders( demo->folder, error ) : result;
    if ( result == sup_success )
    {
        result = supSaveGltf( supCreature_Character( creature ), supCreature_Look( creature ), demo->before, error );
    }
    supDestroyCreature( creature );
    if ( result == sup_success )
    {
        supTellFile( demo->before, "the character as an artist hands it over: smooth skin, clips" );
    }
    return result;
}

static supResult supWriteDemoRig( supDemo* demo, const supInput* input, supRig** rig, supError* error )
{
    supResult result = supInput_Rig( input, NULL, &demo->choices, NULL, rig, NULL, error );
    if ( result == sup_success && demo->choices.pick != NULL && supRig_ElementCount( *rig ) == 0 )
    {
        result = supFail( error, sup_errorData, "%s: nothing is left of what was found on it", demo->name );
    }
    result = result == sup_success ? supWriteRig( *rig, demo->rig, error ) : result;
    if ( result == sup_success )
    {
        char words[300];
        int32_t count = supRig_ElementCount( *rig );
        int length = snprintf( words, sizeof( words ),
            "%d %s of flesh, found by the shape of skeleton and skin:", count, count == 1 ? "element" : "elements" );
        for ( int32_t e = 0; e < count && length < (int)sizeof( words ) - 40; ++e )
        {
            length += snprintf( words + length, sizeof( words ) - (size_t)length, "%s %s", e > 0 ? "," : "",
                supRig_Element( *rig, e )->name );
        }
        supTellFile( demo->rig, words );
    }
    return result;
}

static void supTellBake( const supDemo* demo, const supBakeJob* job )
{
    float largest = 0.0f;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supTakeInfo take = supTake_Info( job->takes[i] );
        largest = take.maxDisplacement > largest ? take.maxDisplacement : largest;
    }
    char words[200];
    snprintf( words, sizeof( words ),
        "%d clips with the flesh's motion (up to %.1f cm), in %d ordinary joints: plays everywhere", job->clipCount,
        100.0 * (double)largest, supJointBake_Info( job->joints )->helperCount );
    supTellFile( demo->after, words );
}

static supResult supBakeDemo( const supDemo* demo, supError* error )
{
    supBakeOptions words = { .in = demo->before, .out = demo->after, .rig = demo->rig, .form = sup_formJoints };
    supBakeJob job = { .words = &words };
    supStartProgress( &job.progress, "demo", sup_progressBar );
    supResult result = supBakeJob_Load( &job, error );
    result = result == sup_success ? supBakeJob_Run( &job, error ) : result;
    result = result == sup_success ? supBakeJob_Write( &job, error ) : result;
    supProgress_End( &job.progress );
    if ( result == sup_success )
    {
        supTellBake( demo, &job );
    }
    supBakeJob_End( &job );
    return result;
}

/// The pictures are of the two files, as any program would play them.
static supResult supDrawDemo( const supDemo* demo, supError* error )
{
    supRenderPlan plan = supDefaultRenderPlan();
    plan.inputCount = 2;
    plan.inputs[0] = demo->before;
    plan.inputs[1] = demo->after;
    plan.captions = ( supTextList ){ { "before", "after" }, 2 };
    plan.choices = demo->choices;
    plan.clip = demo->show.clip;
    plan.camera = sup_cameraFollow;
    plan.hasCamera = true;
    plan.view.yaw = demo->show.yaw;
    plan.view.pitch = demo->show.pitch;
    plan.output = demo->strip;
    plan.form = sup_renderStrip;
    plan.stripCount = 5;
    supRenderReport report = { 0 };
    supResult result = supDrawPlan( &plan, &report, error );
    json_decref( report.times );
    if ( result != sup_success )
    {
        return result;
    }
    supTellFile( demo->strip, "five moments: before, after, and how far the skin moved (red: most)" );
    plan.output = demo->movie;
    plan.webp = true;
    plan.form = sup_renderMovie;
    plan.duration = demo->seconds;
    report = ( supRenderReport ){ 0 };
    result = supDrawPlan( &plan, &report, error );
    json_decref( report.times );
    if ( result == sup_success )
    {
        supTellFile( demo->movie, "both side by side, moving: open it in a browser" );
    }
    return result;
}

/// How long to show the clip: whole turns, a second and a half at least.
static double supShowLength( const supDemo* demo, const supCharacter* character )
{
    int32_t clip = demo->show.clip != NULL ? supCharacter_FindClip( character, demo->show.clip ) : 0;
    double length = 0.0;
    if ( clip >= 0 && clip < supCharacter_Info( character )->clipCount )
    {
        supClipView view = supCharacter_Clip( character, clip );
        length = view.end - view.start;
    }
    return length > 0.0 ? length * ceil( 1.5 / length ) : 0.0;
}

static void supTellWhatNext( const supDemo* demo )
{
    const char* program = demo->program;
    printf( "\ntry next:\n" );
    printf( "  %s bake YOUR.glb soft.glb        the same for a character of yours\n", program );
    printf( "  %s bake %s %s --preset cartoon\n", program, demo->before, demo->after );
    printf( "  edit \"frequency\" and \"amount\" in %s, then\n", demo->rig );
    printf( "  %s render --compare %s %s/mine.webp --rig %s\n", program, demo->before, demo->folder, demo->rig );
}

static supResult supPlayDemo( supDemo* demo, supError* error )
{
    supNameFile( demo, ".glb", demo->before );
    supNameFile( demo, ".living.glb", demo->after );
    supNameFile( demo, ".rig.json", demo->rig );
    supNameFile( demo, ".webp", demo->movie );
    supNameFile( demo, ".png", demo->strip );
    const supInputDef def = { .command = "demo", .path = demo->before };
    supInput input = { 0 };
    supRig* rig = NULL;
    supResult result = supWriteBefore( demo, error );
    result = result == sup_success ? supOpenInput( &input, &def, error ) : result;
    result = result == sup_success ? supWriteDemoRig( demo, &input, &rig, error ) : result;
    demo->seconds = result == sup_success ? supShowLength( demo, input.character ) : 0.0;
    supDestroyRig( rig );
    supCloseInput( &input );
    result = result == sup_success ? supBakeDemo( demo, error ) : result;
    result = result == sup_success ? supDrawDemo( demo, error ) : result;
    if ( result == sup_success )
    {
        supTellWhatNext( demo );
    }
    return result;
}

static supDemoShow supFindShow( const char* name )
{
    for ( size_t i = 0; i < sizeof( sup_demoShows ) / sizeof( sup_demoShows[0] ); ++i )
    {
        if ( strcmp( sup_demoShows[i].name, name ) == 0 )
        {
            return sup_demoShows[i];
        }
    }
    return ( supDemoShow ){ name, NULL, 0.6f, 0.15f };
}

int supRunDemo( const char* program, int argc, char** args )
{
    supDemo demo = { .name = "woman", .folder = "out/demo", .program = program };
    supProposeOptions propose = { 0 };
    supOption options[sup_proposeOptionCount + 1] = { [sup_proposeOptionCount] = SUP_OPTIONS_END };
    supListProposeOptions( &propose, options );
    const supArgument arguments[] = {
        { .name = "NAME", .target = &demo.name, .help = "woman (default), cat or mushroom" },
        { .name = "OUT", .target = &demo.folder, .help = "the folder to write to; out/demo by default" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "demo", "a built-in character before and after, as files and as a moving picture", options,
        arguments, NULL, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    int code = supReadProposeWords( &usage, &propose, &demo.choices );
    if ( code != sup_exitOk )
    {
        return code;
    }
    demo.show = supFindShow( demo.name );
    supError error = { 0 };
    if ( supPlayDemo( &demo, &error ) != sup_success )
    {
        fprintf( stderr, "supple demo: %s\n", error.text );
        return sup_exitFailed;
    }
    return sup_exitOk;
}
