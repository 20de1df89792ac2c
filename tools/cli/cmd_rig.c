// supple rig
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"
#include "output.h"
#include "overlap_words.h"
#include "rig_import.h"
#include "rig_keep.h"
#include "rig_report.h"
#include "supple/lab/compiled.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int supFailRig( const supError* error )
{
    fprintf( stderr, "supple rig: %s\n", error->text );
    return sup_exitFailed;
}

/// Prints a text that the library makes.
static int supPrintText( size_t ( *make )( char* text, size_t size ) )
{
    size_t length = make( NULL, 0 );
    char* text = length > 0 ? malloc( length + 1 ) : NULL;
    if ( text == NULL )
    {
        fputs( "supple rig: out of memory\n", stderr );
        return sup_exitFailed;
    }
    make( text, length + 1 );
    fputs( text, stdout );
    free( text );
    return sup_exitOk;
}

/// Where a sphere of an element stands at rest: in the axes of its driver, in shares of the size.
static supVec3 supSphereCenter( const supMat34* joint, supVec3 share, float size )
{
    const supVec3 axes[3] = { joint->x, joint->y, joint->z };
    const float parts[3] = { share.x, share.y, share.z };
    supVec3 center = joint->t;
    for ( int i = 0; i < 3; ++i )
    {
        supVec3 a = axes[i];
        float length = sqrtf( a.x * a.x + a.y * a.y + a.z * a.z );
        float by = length > 0.0f ? parts[i] * size / length : 0.0f;
        center = ( supVec3 ){ center.x + by * a.x, center.y + by * a.y, center.z + by * a.z };
    }
    return center;
}

/// Says which spheres of elements hold no skin: they stand beside the body, most often because they were given in
/// metres or in model space, and take nothing.
static void supWarnOfSpheres( const char* path, const supCharacter* character, const supRig* rig )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    for ( int32_t e = 0; e < supRig_ElementCount( rig ); ++e )
    {
        const supElementDef* def = supRig_Element( rig, e );
        int32_t driver = supCharacter_FindJoint( character, def->driver );
        for ( int32_t k = 0; driver >= 0 && k < def->spheres.count; ++k )
        {
            const supSphere* sphere = def->spheres.spheres + k;
            supVec3 center = supSphereCenter( info->restJoints + driver, sphere->center, info->size );
            double nearest = INFINITY;
            for ( size_t v = 0; v < (size_t)info->vertexCount; ++v )
            {
                const float* p = info->restPositions + 3 * v;
                double x = (double)( p[0] - center.x ), y = (double)( p[1] - center.y ),
                       z = (double)( p[2] - center.z );
                nearest = fmin( nearest, sqrt( x * x + y * y + z * z ) );
            }
            if ( nearest >= (double)( sphere->radius * info->size ) )
            {
                printf(
                    "%s: warning: elements[%d].spheres[%d] (\"%s\"): no skin inside it; the nearest vertex is %.2g%% of "
                    "the size from its centre, the radius is %.2g%%\n",
                    path, e, k, def->name, 100.0 * nearest / (double)info->size, 100.0 * (double)sphere->radius );
            }
        }
    }
}

/// Reads the rig; with a character also looks up every name in it and works out the flesh, as a bake would.
static int supCheckRig( const char* path, const char* characterPath, supProgress* progress )
{
    supError error;
    supInput input = { 0 };
    supInputDef def = { .command = "rig", .path = characterPath, .progress = progress };
    if ( characterPath != NULL &&
         ( supCheckRigFile( path, &error ) != sup_success || supOpenInput( &input, &def, &error ) != sup_success ) )
    {
        supProgress_End( progress );
        supCloseInput( &input );
        return supFailRig( &error );
    }
    const supCharacter* character = input.character;
    supRig* rig = NULL;
    supModel* model = NULL;
    supResult result = supReadAnyRig( path, character, &rig, &error );
    if ( result == sup_success )
    {
        supError inner;
        result = character != NULL ? supCompileWithProgress( character, rig, progress, &model, &inner )
                                   : supRig_CheckNames( rig, &inner );
        if ( result != sup_success )
        {
            supFail( &error, result, "%s: %s", path, inner.text );
        }
    }
    char count[160] = "";
    if ( rig != NULL )
    {
        supRigText( rig, count );
    }
    supProgress_End( progress );
    if ( rig != NULL && character != NULL )
    {
        supWarnOfSpheres( path, character, rig );
    }
    if ( result == sup_success && model != NULL )
    {
        supPrintOverlaps( model, stdout );
    }
    supDestroyModel( model );
    supDestroyRig( rig );
    supCloseInput( &input );
    if ( result != sup_success )
    {
        return supFailRig( &error );
    }
    printf( "%s: in order, %s%s%s\n", path, count, characterPath != NULL ? " for " : "",
        characterPath != NULL ? characterPath : "" );
    return sup_exitOk;
}

/// Says what was found; a report that cannot be made is a failure too.
static int supTellRig( const supRigReport* report, bool asJson )
{
    if ( !asJson )
    {
        supPrintRigReport( report, stdout );
        return sup_exitOk;
    }
    json_t* object = supMakeRigReport( report );
    if ( object == NULL )
    {
        fputs( "supple rig: no memory for a report\n", stderr );
        return sup_exitFailed;
    }
    json_dumpf( object, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputc( '\n', stdout );
    json_decref( object );
    return sup_exitOk;
}

/// What is added to a rig beside its flesh, or in its place.
typedef struct supRigMore
{
    bool muscles, fat;
} supRigMore;

/// Whether its items stand on flesh elements.
static bool supNeedsElements( const supLayerInfo* layer )
{
    bool needs = false;
    for ( int32_t i = 0; i < layer->fieldCount; ++i )
    {
        needs = needs || strcmp( layer->fields[i].name, "element" ) == 0;
    }
    return needs;
}

/// The rig without its springs, and without what stands on them.
static supResult supTakeOutFlesh( supRig** rig, supError* error )
{
    supRig* rest = NULL;
    supResult result = supCreateRig( NULL, &rest, error );
    if ( result == sup_success )
    {
        supRig_SetGravity( rest, supRig_Gravity( *rig ) );
    }
    for ( int32_t layer = 1; layer < supLayerCount() && result == sup_success; ++layer )
    {
        int32_t count = supNeedsElements( supGetLayerInfo( layer ) ) ? 0 : supRig_ItemCount( *rig, layer );
        for ( int32_t i = 0; i < count && result == sup_success; ++i )
        {
            result = supRig_AddItem( rest, layer, supRig_Item( *rig, layer, i ), error );
        }
    }
    supDestroyRig( *rig );
    *rig = rest;
    return result;
}

/// Muscles, where they were asked for. Fat takes the place of the flesh: both answer the same motion.
static supResult supAddMore( const supInput* input, const supRigMore* more, supPreset preset, supRig** rig,
    supMuscleProposal* muscles, supError* error )
{
    supError inner = { 0 };
    supResult result = sup_success;
    if ( more->fat )
    {
        result = supTakeOutFlesh( rig, &inner );
    }
    if ( result == sup_success && more->muscles )
    {
        supProgress_Stage( input->progress, "looking for muscles" );
        result = supProposeMuscles( input->character, NULL, *rig, muscles, &inner );
    }
    if ( result == sup_success && more->fat )
    {
        supProgress_Stage( input->progress, "looking for fat" );
        result = supProposeFatAs( input->character, preset, NULL, *rig, &inner );
    }
    return result == sup_success ? result : supFail( error, result, "%s: %s", input->path, inner.text );
}

/// The body, and what the fat was cut into. `hard`: what the automatic rig says of hard pieces, or "".
static void supTellFat( const supRigReport* report, const char* hard )
{
    const supModel* model = report->model;
    const char *in = report->input->path, *out = report->output;
    supFatView fat;
    supPrintRigBody( report, stdout );
    for ( int32_t i = 0; supModel_Fat( model, i, &fat ); ++i )
    {
        double size = (double)supCharacter_Info( supModel_Info( model )->character )->size;
        printf( "%s%s%s: %s on %s, in place of springs\n", in, out != NULL ? " -> " : "", out != NULL ? out : "",
            fat.name, fat.onMuscles ? "muscles" : "bones" );
        printf( "  %d voxels of %.2g%% of the size, %d nodes, %d of them held; at most %.2g%% thick; %d vibrations; "
                "moves %d vertices\n",
            fat.voxelCount, 100.0 * (double)fat.voxel / size, fat.nodeCount, fat.anchoredCount,
            100.0 * (double)fat.thickest / size, fat.modeCount, fat.vertexCount );
        if ( fat.outsideCount > 0 )
        {
            const float* p =
                supCharacter_Info( supModel_Info( model )->character )->restPositions + 3 * (size_t)fat.outsideAt;
            printf(
                "  no fat at %d places where muscles reach through the skin, by %.3g at most: vertex %d (%.3g, %.3g, "
                "%.3g)\n",
                fat.outsideCount, (double)fat.outsideBy, fat.outsideAt, (double)p[0], (double)p[1], (double)p[2] );
        }
        if ( fat.largeCount > 0 )
        {
            printf( "  %d voxels stand for eight each: %d nodes need no solving\n", fat.largeCount, fat.hangingCount );
        }
        if ( hard[0] != '\0' )
        {
            printf( "  %s\n", hard );
        }
        if ( fat.droppedCount > 0 )
        {
            printf( "  %d loose voxels left out\n", fat.droppedCount );
        }
    }
}

/// What fat leaves out: the pieces that the automatic rig has found. "" where there are none.
static void supWriteHard( const supRig* rig, const supProposal* proposal, char* text, size_t size )
{
    int32_t layer = supFindLayer( "fat" );
    const supFatDef* fat = supRig_ItemCount( rig, layer ) > 0 ? supRig_Item( rig, layer, 0 ) : NULL;
    if ( fat != NULL && fat->skipRigid && proposal != NULL && proposal->hardCount > 0 )
    {
        snprintf( text, size, "no fat on hard pieces: %d, %.0f%% of the surface", proposal->hardCount,
            100.0 * (double)proposal->hardShare );
    }
}

typedef struct supRigCommand
{
    bool schema, reference, check, json, evidence, progress, force;
    supRigMore more;
    supProposeOptions propose;
    supProposeChoices choices;
    const char *in, *out, *import;
} supRigCommand;

/// Everything of one rig. Zeroed: nothing yet.
typedef struct supRigJob
{
    supInput input;
    supRig* rig;
    supProposal* proposal; ///< NULL: it was inside, or fat took the place of what was found
    supModel* model;
    supBodyReading body;
    supMuscleProposal muscles;
    char hard[120]; ///< what the automatic rig says of hard pieces, for fat
} supRigJob;

/// Settings that were tuned elsewhere, on the elements that move the same skin; works the rig out anew.
static supResult supAddTuned( supRigJob* job, const supRigCommand* words, supProgress* progress, supError* error )
{
    supProgress_Wipe( progress );
    supResult result = supImportSettings( words->import, job->model, &job->rig, words->json ? NULL : stdout, error );
    if ( result != sup_success )
    {
        return result;
    }
    supDestroyModel( job->model );
    job->model = NULL;
    // it speaks of frequencies that are there no more
    supDestroyProposal( job->proposal );
    job->proposal = NULL;
    return supCompileWithProgress( job->input.character, job->rig, progress, &job->model, error );
}

/// Opens the character, finds its rig and works it out.
static supResult supFindRig( supRigJob* job, const supRigCommand* words, supProgress* progress, supError* error )
{
    const supInputDef def = { .command = "rig", .path = words->in, .takesBakeOff = true, .progress = progress };
    supResult result = words->out != NULL ? supCheckOutput( words->out, error ) : sup_success;
    if ( result == sup_success && words->out != NULL && !words->force )
    {
        result = supMayOverwriteRig( words->out, error );
    }
    result = result == sup_success ? supOpenInput( &job->input, &def, error ) : result;
    result = result == sup_success
                 ? supInput_Rig( &job->input, NULL, &words->choices, NULL, &job->rig, &job->proposal, error )
                 : result;
    if ( result == sup_success && job->proposal != NULL )
    {
        job->body = job->proposal->body;
    }
    else if ( result == sup_success )
    {
        result = supReadBody( job->input.character, &words->choices.def, &job->body, error );
    }
    result = result == sup_success
                 ? supAddMore( &job->input, &words->more, words->choices.def.preset, &job->rig, &job->muscles, error )
                 : result;
    if ( result == sup_success && words->more.fat )
    {
        supWriteHard( job->rig, job->proposal, job->hard, sizeof( job->hard ) );
    }
    if ( words->more.fat )
    {
        // it speaks of elements that are there no more
        supDestroyProposal( job->proposal );
        job->proposal = NULL;
    }
    result = result == sup_success
                 ? supCompileWithProgress( job->input.character, job->rig, progress, &job->model, error )
                 : result;
    return result == sup_success && words->import != NULL ? supAddTuned( job, words, progress, error ) : result;
}

/// The rig of a character: the one inside it, unless a preset asks for a new one, or else the automatic one.
static int supMakeRig( const supRigCommand* words, supProgress* progress )
{
    supError error = { 0 };
    supRigJob job = { 0 };
    supResult result = supFindRig( &job, words, progress, &error );
    supProgress_End( progress );
    result = result == sup_success && words->out != NULL ? supWriteMarkedRig( job.rig, words->out, &error ) : result;
    const char* how = words->more.fat         ? "fat"
                      : words->import != NULL ? "imported"
                      : job.proposal == NULL  ? "inside"
                                              : supWordFor( sup_wordsPreset, words->choices.def.preset );
    const supRigReport report = { .input = &job.input,
        .output = words->out,
        .preset = how,
        .rig = job.rig,
        .model = job.model,
        .proposal = job.proposal,
        .muscles = job.muscles,
        .body = &job.body,
        .choices = &words->choices,
        .evidence = words->evidence };
    int code = result != sup_success ? supFailRig( &error ) : sup_exitOk;
    if ( result == sup_success && words->more.fat && !words->json )
    {
        supTellFat( &report, job.hard );
    }
    else if ( result == sup_success )
    {
        code = supTellRig( &report, words->json );
    }
    if ( result == sup_success && !words->json )
    {
        supPrintOverlaps( job.model, stdout );
    }
    supDestroyModel( job.model );
    supDestroyProposal( job.proposal );
    supDestroyRig( job.rig );
    supCloseInput( &job.input );
    return code;
}

/// One thing at a time, and what it needs. Gives an exit code, 0 for all is well.
static int supCheckRigWords( const supUsage* usage, const supRigCommand* words )
{
    const supProposeChoices* choices = &words->choices;
    int asked = words->check + words->schema + words->reference;
    bool more =
        supAsksForNewRig( choices ) != NULL || words->more.muscles || words->more.fat || words->json || words->evidence;
    if ( asked > 1 || ( asked == 1 && more ) )
    {
        return supReportMisuse( usage, "--check, --schema and --reference cannot be combined" );
    }
    if ( words->more.fat && ( choices->pick != NULL || choices->body != NULL ) )
    {
        return supReportMisuse( usage, "--fat takes the place of the flesh that %s is for; give only one of them",
            choices->pick != NULL ? choices->pick : choices->body );
    }
    if ( words->import != NULL && ( words->more.fat || asked > 0 ) )
    {
        return supReportMisuse( usage, "--import is for the springs of a rig that is made; leave out %s",
            words->more.fat ? "--fat" : "--check, --schema and --reference" );
    }
    return sup_exitOk;
}

static int supRunRigWords( const supUsage* usage, const supRigCommand* words )
{
    int code = supCheckRigWords( usage, words );
    if ( code != sup_exitOk )
    {
        return code;
    }
    if ( words->schema || words->reference )
    {
        return supPrintText( words->schema ? supRigSchema : supRigReference );
    }
    if ( words->in == NULL )
    {
        return supReportMisuse( usage, words->check ? "--check needs a rig file" : "IN is missing: the character" );
    }
    if ( !words->check && words->out != NULL && !supEndsWith( words->out, ".json" ) )
    {
        return supReportMisuse( usage, "OUT is NAME.rig.json" );
    }
    supProgress progress;
    supStartProgress( &progress, "rig", words->progress ? sup_progressLines : sup_progressBar );
    return words->check ? supCheckRig( words->in, words->out, &progress ) : supMakeRig( words, &progress );
}

enum
{
    sup_ownOptionCount = 13
};

/// What this command knows beside the automatic rig's words. Ends the table.
static void supListOwnOptions( supRigCommand* words, supOption options[sup_ownOptionCount] )
{
    const supOption table[] = {
        { .name = "muscles",
            .type = sup_optionFlag,
            .target = &words->more.muscles,
            .help = "of a human: the muscles beneath the skin too, which bulge\nand carry it" },
        { .name = "fat",
            .type = sup_optionFlag,
            .target = &words->more.fat,
            .help = "fat in place of the flesh: a soft solid between the bones\n(or the muscles) and the skin" },
        { .name = "evidence",
            .type = sup_optionFlag,
            .target = &words->evidence,
            .help = "what spoke for the kind, front and up that were read, and\nwhat against" },
        { .name = "import",
            .type = sup_optionText,
            .target = &words->import,
            .value = "FILE",
            .help = "take over what was tuned elsewhere: the spring bones of a VRM\nfile, or KawaiiPhysics or PhysBone "
                    "settings as JSON" },
        { .name = "force",
            .type = sup_optionFlag,
            .target = &words->force,
            .help = "write OUT even where somebody edited it by hand" },
        { .name = "json", .type = sup_optionFlag, .target = &words->json, .help = "one JSON object on stdout" },
        { .name = "progress", .type = sup_optionFlag, .target = &words->progress, .help = SUP_PROGRESS_HELP },
        { .name = "check",
            .type = sup_optionFlag,
            .target = &words->check,
            .help = "instead: IN is a rig; say what is wrong with it. With a\ncharacter as OUT also look up its joints "
                    "and meshes there" },
        { .name = "schema",
            .type = sup_optionFlag,
            .target = &words->schema,
            .help = "instead: print the JSON Schema of rig files" },
        { .name = "reference",
            .type = sup_optionFlag,
            .target = &words->reference,
            .help = "instead: print the reference of all fields, in Markdown" },
        SUP_TRUST_OPTIONS,
        SUP_OPTIONS_END,
    };
    _Static_assert( sizeof( table ) / sizeof( table[0] ) == sup_ownOptionCount, "count the options" );
    memcpy( options, table, sizeof( table ) );
}

int supRunRig( const char* program, int argc, char** args )
{
    (void)program;
    supRigCommand words = { 0 };
    supOption options[sup_proposeOptionCount + sup_ownOptionCount];
    supListProposeOptions( &words.propose, options );
    supListOwnOptions( &words, options + sup_proposeOptionCount );
    const supArgument arguments[] = {
        { .name = "IN",
            .target = &words.in,
            .help = "a glTF file, or mushroom, cat, woman, arm,\nfinger, leg, horse, torso" },
        { .name = "OUT",
            .target = &words.out,
            .help = "the rig to write, NAME.rig.json; none: only say what was found" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "rig", "the automatic rig of a character; checks of rig files", options, arguments,
        "examples:\n"
        "  supple rig fox.glb fox.rig.json\n"
        "  supple rig fox.glb fox.rig.json --preset heavy --region belly=1.5 --without calves\n"
        "  supple rig woman woman.rig.json --muscles --fat\n"
        "  supple rig --check fox.rig.json fox.glb",
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    int code = supReadProposeWords( &usage, &words.propose, &words.choices );
    return code == sup_exitOk ? supRunRigWords( &usage, &words ) : code;
}
