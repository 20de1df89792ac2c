// supple rig
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"
#include "output.h"
#include "overlap_words.h"
#include "rig_report.h"

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

/// Reads the rig; with a character also looks up every name in it and works out the flesh, as a bake would.
static int supCheckRig( const char* path, const char* characterPath, supProgress* progress )
{
    supError error;
    supInput input = { 0 };
    supInputDef def = { .command = "rig", .path = characterPath, .progress = progress };
    if ( characterPath != NULL &&
         ( supGlanceAtRig( path, &error ) != sup_success || supOpenInput( &input, &def, &error ) != sup_success ) )
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
        result = character != NULL ? supCompileAsTold( character, rig, progress, &model, &inner )
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
        fputs( "supple rig: no memory for a report, or a name that is not UTF-8\n", stderr );
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
static supResult supAddMore(
    const supInput* input, const supRigMore* more, supRig** rig, supMuscleProposal* muscles, supError* error )
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
        result = supProposeFat( input->character, NULL, *rig, &inner );
    }
    return result == sup_success ? result : supFail( error, result, "%s: %s", input->path, inner.text );
}

/// What the fat was cut into. `hard`: what the automatic rig says of hard pieces, or "".
static void supTellFat( const supModel* model, const char* in, const char* out, const char* hard )
{
    supFatView fat;
    for ( int32_t i = 0; supModel_Fat( model, i, &fat ); ++i )
    {
        double size = (double)supCharacter_Size( supModel_Character( model ) );
        printf( "%s%s%s: %s on %s, in place of springs\n", in, out != NULL ? " -> " : "", out != NULL ? out : "",
            fat.name, fat.onMuscles ? "muscles" : "bones" );
        printf( "  %d voxels of %.2g%% of the size, %d nodes, %d of them held; at most %.2g%% thick; %d vibrations; "
                "moves %d vertices\n",
            fat.voxelCount, 100.0 * (double)fat.voxel / size, fat.nodeCount, fat.anchoredCount,
            100.0 * (double)fat.thickest / size, fat.modeCount, fat.vertexCount );
        if ( fat.outsideCount > 0 )
        {
            const float* p = supCharacter_RestPositions( supModel_Character( model ) ) + 3 * (size_t)fat.outsideAt;
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

/// The rig of a character: the one inside it, unless a preset asks for a new one, or else the automatic one.
static int supMakeRig(
    const char* in, const char* out, const char* preset, supRigMore more, bool asJson, supProgress* progress )
{
    supError error = { 0 };
    const supInputDef def = { .command = "rig", .path = in, .takesBakeOff = true, .progress = progress };
    supInput input = { 0 };
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    supModel* model = NULL;
    supMuscleProposal muscles = { 0 };
    supResult result = out != NULL ? supCheckOutput( out, &error ) : sup_success;
    result = result == sup_success ? supOpenInput( &input, &def, &error ) : result;
    result = result == sup_success ? supInput_Rig( &input, NULL, preset, NULL, &rig, &proposal, &error ) : result;
    result = result == sup_success ? supAddMore( &input, &more, &rig, &muscles, &error ) : result;
    char hard[120] = "";
    if ( result == sup_success && more.fat )
    {
        supWriteHard( rig, proposal, hard, sizeof( hard ) );
    }
    if ( more.fat )
    {
        // it speaks of elements that are there no more
        supDestroyProposal( proposal );
        proposal = NULL;
    }
    result = result == sup_success ? supCompileAsTold( input.character, rig, progress, &model, &error ) : result;
    supProgress_End( progress );
    result = result == sup_success && out != NULL ? supWriteRig( rig, out, &error ) : result;
    const char* how = more.fat           ? "fat"
                      : proposal == NULL ? "inside"
                      : preset != NULL   ? preset
                                         : supPresetNames()[sup_presetNatural];
    supRigReport report = { &input, out, how, rig, model, proposal, muscles };
    int code = result != sup_success ? supFailRig( &error ) : sup_exitOk;
    if ( result == sup_success && more.fat && !asJson )
    {
        supTellFat( model, in, out, hard );
    }
    else if ( result == sup_success )
    {
        code = supTellRig( &report, asJson );
    }
    if ( result == sup_success && !asJson )
    {
        supPrintOverlaps( model, stdout );
    }
    supDestroyModel( model );
    supDestroyProposal( proposal );
    supDestroyRig( rig );
    supCloseInput( &input );
    return code;
}

typedef struct supRigWords
{
    bool schema, reference, check, json, progress, hasPreset;
    supRigMore more;
    int preset;
    const char *in, *out;
} supRigWords;

/// One thing at a time, and what it needs.
static int supRunRigWords( const supUsage* usage, const supRigWords* words )
{
    int asked = words->check + words->schema + words->reference;
    if ( asked > 1 || ( asked == 1 && ( words->hasPreset || words->more.muscles || words->more.fat || words->json ) ) )
    {
        return supReportMisuse( usage, "--check, --schema and --reference each stand alone" );
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
    const char* preset = words->hasPreset ? supPresetNames()[words->preset] : NULL;
    return words->check ? supCheckRig( words->in, words->out, &progress )
                        : supMakeRig( words->in, words->out, preset, words->more, words->json, &progress );
}

int supRunRig( const char* program, int argc, char** args )
{
    (void)program;
    supRigWords words = { .preset = sup_presetNatural };
    const supOption options[] = {
        { .name = "preset",
            .type = sup_optionChoice,
            .target = &words.preset,
            .choices = supPresetNames(),
            .given = &words.hasPreset,
            .help = "how soft it is; natural by default, unless there is a rig\ninside IN" },
        { .name = "muscles",
            .type = sup_optionFlag,
            .target = &words.more.muscles,
            .help = "of a human: the muscles beneath the skin too, which bulge\nand carry it" },
        { .name = "fat",
            .type = sup_optionFlag,
            .target = &words.more.fat,
            .help = "fat in place of the flesh: a soft solid between the bones\n(or the muscles) and the skin" },
        { .name = "json", .type = sup_optionFlag, .target = &words.json, .help = "one JSON object on stdout" },
        { .name = "progress", .type = sup_optionFlag, .target = &words.progress, .help = SUP_PROGRESS_HELP },
        { .name = "check",
            .type = sup_optionFlag,
            .target = &words.check,
            .help = "instead: IN is a rig; say what is wrong with it. With a\ncharacter as OUT also look up its joints "
                    "and meshes there" },
        { .name = "schema",
            .type = sup_optionFlag,
            .target = &words.schema,
            .help = "instead: print the JSON Schema of rig files" },
        { .name = "reference",
            .type = sup_optionFlag,
            .target = &words.reference,
            .help = "instead: print the reference of all fields, in Markdown" },
        SUP_OPTIONS_END,
    };
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
        "  supple rig woman woman.rig.json --muscles --fat\n"
        "  supple rig --check fox.rig.json fox.glb",
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    return parsed != sup_parseOk ? supExitCodeOf( parsed ) : supRunRigWords( &usage, &words );
}
