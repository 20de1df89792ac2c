// supple bake: a file in, a file out that plays the new motion in every engine, with no plug-in.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "command.h"
#include "output.h"

#include <string.h>
#include <sys/stat.h>

/// Options of `supple bake` that do not change what comes out. Ends with NULL.
static const char* const sup_bakeAside[] = { "out-dir", "manifest", "cache", "shard", "retries", "jobs", "dry-run",
    "json", "progress", "hash", "max-memory", "untrusted", NULL };

bool supIsBakeAside( const char* name )
{
    for ( const char* const* at = sup_bakeAside; *at != NULL; ++at )
    {
        if ( strcmp( name, *at ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static int supFailBake( const supError* error )
{
    fprintf( stderr, "supple bake: %s\n", error->text );
    return sup_exitFailed;
}

/// Point caches need no fitting: the takes, frame by frame.
static int supBakeCaches( const supBakeOptions* words )
{
    supBakeJob job = { .words = words };
    supError error = { 0 };
    supStartProgress( &job.progress, "bake", words->progress ? sup_progressLines : sup_progressBar );
    supResult result = supCheckOutput( words->out, &error );
    result = result == sup_success ? supBakeJob_Load( &job, &error ) : result;
    if ( result == sup_success )
    {
        supBakeJob_Warn( &job );
        result = supBakeJob_RunTakes( &job, &error );
    }
    result = result == sup_success ? supBakeJob_WriteCaches( &job, &error ) : result;
    supProgress_End( &job.progress );
    supBakeJob_End( &job );
    return result == sup_success ? sup_exitOk : supFailBake( &error );
}

static int supBake( const supBakeOptions* words )
{
    supBakeJob job = { .words = words };
    supError error = { 0 };
    supStartProgress( &job.progress, "bake", words->progress ? sup_progressLines : sup_progressBar );
    supResult result = supBakeJob_Do( &job, &error );
    int code = sup_exitOk;
    if ( result != sup_success )
    {
        code = supFailBake( &error );
    }
    else if ( words->json )
    {
        code = supBakeJob_PrintJson( &job );
    }
    else
    {
        supBakeJob_PrintTables( &job, stdout );
    }
    supBakeJob_End( &job );
    return code;
}

/// What the table of options cannot know. Exit code, or sup_exitOk.
static int supCheckBakeWords( const supUsage* usage, const supBakeOptions* words )
{
    const struct
    {
        const char* name;
        const char* text;
    } lengths[] = { { "tolerance", words->tolerance }, { "max-error", words->maxError },
        { "max-seam", words->maxSeam } };
    for ( size_t i = 0; i < sizeof( lengths ) / sizeof( lengths[0] ); ++i )
    {
        double share;
        if ( lengths[i].text != NULL && supParseLength( lengths[i].text, 1.0, &share ) == false )
        {
            return supReportMisuse( usage,
                "--%s: '%s' is not a length; write a share of the size (0.0005 or 0.05%%), or 2mm, 3cm, 0.1m",
                lengths[i].name, lengths[i].text );
        }
    }
    bool isCache = supIsCachePath( words->out );
    if ( supIsGltfName( words->out ) == false && isCache == false )
    {
        return supReportMisuse( usage, "'%s' must end in .glb, .gltf, .vrm, .pc2 or .mdd", words->out );
    }
    if ( words->map != NULL && words->motions.count == 0 )
    {
        return supReportMisuse( usage, "--map is for --motion" );
    }
    if ( isCache && words->live )
    {
        return supReportMisuse( usage, "--live is for .glb, .gltf and .vrm; a cache holds motion and nothing else" );
    }
    if ( isCache == false && words->weld )
    {
        return supReportMisuse( usage, "--weld is for .pc2 and .mdd; a glTF file needs its seams" );
    }
    if ( words->rig != NULL && words->typicalBy != 0 )
    {
        return supReportMisuse(
            usage, "--typical-by is for the automatic rig, and --rig gives its own amounts; give only one of them" );
    }
    if ( words->rig != NULL && supRefuseBesideRig( usage, &words->choices ) != sup_exitOk )
    {
        return sup_exitUsage;
    }
    double tolerance;
    if ( words->tolerance != NULL && supParseLength( words->tolerance, 1.0, &tolerance ) && tolerance <= 0.0 )
    {
        return supReportMisuse( usage, "--tolerance must be above 0, not %s", words->tolerance );
    }
    if ( words->form == sup_formMorphs && ( words->live || isCache ) )
    {
        return supReportMisuse( usage, words->live
                                           ? "--live drives joints, and --as morphs has none; give only one of them"
                                           : "--as is for .glb, .gltf and .vrm; a cache holds points" );
    }
    if ( words->keepNames && words->dropOriginals )
    {
        return supReportMisuse(
            usage, "--keep-names keeps the originals, and --drop-originals does not; give only one of them" );
    }
    return sup_exitOk;
}

/// Whose flesh. Gives the number of options.
static int supRigOptions( supBakeOptions* words, supOption* options )
{
    static const char* const typical[] = { "all", "baked", NULL };
    options[0] = ( supOption ){ .name = "rig",
        .type = sup_optionText,
        .target = &words->rig,
        .value = "FILE",
        .help = "a rig, NAME.rig.json, or a .glb with one inside; without: the\none inside IN, else found by itself" };
    supListProposeOptions( &words->propose, options + 1 );
    options[sup_proposeOptionCount + 1] = ( supOption ){
        .name = "typical-by",
        .type = sup_optionChoice,
        .target = &words->typicalBy,
        .choices = typical,
        .help =
            "whose ordinary motion a rig that is found is made for: of all\nclips of the file (default), or of those baked now"
    };
    // as it was called when peaks lowered the amounts
    options[sup_proposeOptionCount + 2] = ( supOption ){
        .name = "tame-by", .type = sup_optionChoice, .target = &words->typicalBy, .choices = typical, .hidden = true
    };
    return sup_proposeOptionCount + 3;
}

/// What moves, and how. Gives the number of options.
static int supMotionOptions( supBakeOptions* words, supOption* options )
{
    static const char* const loops[] = { "auto", "on", "off", NULL };
    static const char* const ends[] = { "free", "rest", NULL };
    const supOption table[] = {
        { .name = "clip",
            .type = sup_optionList,
            .target = &words->clips,
            .value = "NAME",
            .help = "only this clip; may be repeated" },
        { .name = "motion",
            .type = sup_optionList,
            .target = &words->motions,
            .value = "FILE",
            .help = "add the clips of a BVH or glTF file, joint by name; may be\nrepeated" },
        { .name = "map",
            .type = sup_optionText,
            .target = &words->map,
            .value = "FILE",
            .help = "for --motion: names that differ, {\"THEIRS\": \"OURS\"}" },
        { .name = "loop",
            .type = sup_optionChoice,
            .target = &words->loop,
            .choices = loops,
            .help = "whether clips are cycles; auto looks at the pose and name" },
        { .name = "ends",
            .type = sup_optionChoice,
            .target = &words->ends,
            .choices = ends,
            .help = "how clips that are no cycles end" },
        { .name = "jobs",
            .letter = 'j',
            .type = sup_optionInt,
            .target = &words->jobs,
            .min = 0,
            .max = 256,
            .value = "N",
            .help =
                "how much at a time, clips or files (0: as many as there are\nprocessors); the same bytes for any" },
    };
    memcpy( options, table, sizeof( table ) );
    return (int)( sizeof( table ) / sizeof( table[0] ) );
}

/// How it is kept in the file.
static int supFormOptions( supBakeOptions* words, supOption* options )
{
    static const char* const forms[] = { "auto", "joints", "morphs", NULL };
    static const char* const influences[] = { "auto", "4", "8", NULL };
    static const char* const keys[] = { "linear", "cubic", NULL };
    const supOption table[] = {
        { .name = "as",
            .type = sup_optionChoice,
            .target = &words->form,
            .choices = forms,
            .help =
                "what carries the motion in OUT; auto: joints, unless they\nmiss the tolerance and morphs do better" },
        { .name = "no-normals",
            .type = sup_optionFlag,
            .target = &words->noNormals,
            .help = "morphs without normals: half the size" },
        { .name = "influences",
            .type = sup_optionChoice,
            .target = &words->influences,
            .choices = influences,
            .help =
                "a vertex; 4: refitted where more are needed, 8: exact\nwithout modes, which may need more; auto: 4, for --live 8" },
        { .name = "fps",
            .type = sup_optionFloat,
            .target = &words->fps,
            .min = 1,
            .max = SUP_MOST_FPS,
            .value = "N",
            .help =
                "keys a second at least (30; 60, 90… for rigs faster than\n7.5 Hz); more come where the tolerance asks for them" },
        { .name = "tolerance",
            .type = sup_optionText,
            .target = &words->tolerance,
            .value = "T",
            .help = "largest error between keys: a share of the size (0.0005),\n0.05%, or 2mm" },
        { .name = "keys",
            .type = sup_optionChoice,
            .target = &words->keys,
            .choices = keys,
            .help = "how engines pass from key to key" },
        { .name = "max-error",
            .type = sup_optionText,
            .target = &words->maxError,
            .value = "E",
            .help = "fail, and write nothing, where an error is larger" },
        { .name = "max-seam",
            .type = sup_optionText,
            .target = &words->maxSeam,
            .value = "E",
            .help = "the same for the seam of a cycle" },
    };
    memcpy( options, table, sizeof( table ) );
    return (int)( sizeof( table ) / sizeof( table[0] ) );
}

/// What else goes into the file, and what is printed.
static int supOutputOptions( supBakeOptions* words, supOption* options )
{
    const supOption table[] = {
        { .name = "out-dir",
            .type = sup_optionText,
            .target = &words->outDir,
            .value = "DIR",
            .help =
                "all words are files, or folders of files, to bake into DIR as\nNAME.glb (NAME.vrm of .vrm); one that fails does not stop the others" },
        { .name = "live",
            .type = sup_optionFlag,
            .target = &words->live,
            .help = "helper joints and influences without motion, for programs\nthat drive them with libsupple" },
        { .name = "keep-names",
            .type = sup_optionFlag,
            .target = &words->keepNames,
            .help = "originals keep name and place; the living clips follow as\n\"NAME (living)\"" },
        { .name = "drop-originals",
            .type = sup_optionFlag,
            .target = &words->dropOriginals,
            .help = "leave out the originals, \"NAME (smooth)\"" },
        { .name = "weld",
            .type = sup_optionFlag,
            .target = &words->weld,
            .help = "in caches: vertices that seams have split are one again;\nwhich went where: OUT.map.json" },
        { .name = "no-embed",
            .type = sup_optionFlag,
            .target = &words->noEmbed,
            .help = "do not put the rig into OUT" },
        { .name = "dry-run",
            .type = sup_optionFlag,
            .target = &words->dryRun,
            .help =
                "write nothing: say what would move, how far, and how long\nthe bake would take; OUT may be left out. With a cache: which\nfiles would be baked" },
        { .name = "hash", .type = sup_optionFlag, .target = &words->hash, .help = "print a hash of every clip's keys" },
        { .name = "json", .type = sup_optionFlag, .target = &words->json, .help = "one JSON object on stdout" },
        { .name = "progress", .type = sup_optionFlag, .target = &words->progress, .help = SUP_PROGRESS_HELP },
        SUP_TRUST_OPTIONS,
    };
    memcpy( options, table, sizeof( table ) );
    return (int)( sizeof( table ) / sizeof( table[0] ) );
}

/// Many files, again and again, on several machines.
static int supFarmOptions( supBakeOptions* words, supOption* options )
{
    const supOption table[] = {
        { .name = "manifest",
            .type = sup_optionText,
            .target = &words->manifest,
            .value = "FILE.json",
            .help = "bake what it lists into --out-dir: characters by motions,\npresets and forms (docs/farm.md)" },
        { .name = "cache",
            .type = sup_optionText,
            .target = &words->cache,
            .value = "DIR",
            .help =
                "with --out-dir: what follows from the same files, words and\nprogram is not baked again; with --manifest it is DIR/cache" },
        { .name = "shard",
            .type = sup_optionText,
            .target = &words->shard,
            .value = "I/N",
            .help = "only the I-th of N parts of all files, from 1 on" },
        { .name = "retries",
            .type = sup_optionInt,
            .target = &words->retries,
            .min = 0,
            .max = 100,
            .value = "N",
            .help = "with a cache: how often a bake is tried again that crashed or\nhad no memory (1)" },
        SUP_OPTIONS_END,
    };
    memcpy( options, table, sizeof( table ) );
    return (int)( sizeof( table ) / sizeof( table[0] ) );
}

/// So that the table of options tells which of them were given.
static void supWatchOptions( supBakeCall* call )
{
    memset( call->given, 0, sizeof( call->given ) );
    for ( int i = 0; call->options[i].name != NULL; ++i )
    {
        if ( call->options[i].given == NULL )
        {
            call->options[i].given = call->given + i;
        }
    }
}

/// How a job is baked is said by the manifest alone.
static int supCheckBesideManifest( const supBakeCall* call )
{
    for ( const supOption* option = call->options; option->name != NULL; ++option )
    {
        if ( *option->given && supIsBakeAside( option->name ) == false )
        {
            return supReportMisuse( &call->usage,
                strcmp( option->name, "motion" ) == 0
                    ? "--%s is not for --manifest, whose \"motions\" list them"
                    : "--%s is not for --manifest: write it into the manifest's \"options\", which are of all jobs",
                option->name );
        }
    }
    return sup_exitOk;
}

/// Many files: what their words cannot be.
static int supCheckMany( const supUsage* usage, supBakeOptions* words )
{
    bool hasCache = words->manifest != NULL || words->cache != NULL;
    if ( words->manifest != NULL && words->in != NULL )
    {
        return supReportMisuse( usage, "'%s' beside --manifest, which lists what is baked", words->in );
    }
    if ( words->shard != NULL && supParseShard( words->shard, &words->part, &words->partCount ) == false )
    {
        return supReportMisuse( usage, "--shard: '%s' is not I/N with I from 1 to N", words->shard );
    }
    if ( words->retries >= 0 && hasCache == false )
    {
        return supReportMisuse( usage, "--retries is for --manifest and --cache" );
    }
    words->out = "NAME.glb"; // of every file: what cannot be had there is refused before the first
    return supCheckBakeWords( usage, words );
}

/// Which word is OUT, and whether they go together.
static int supSortWords( const supUsage* usage, supBakeOptions* words )
{
    const supTextList* more = &words->more;
    bool hasCache = words->manifest != NULL || words->cache != NULL;
    if ( words->outDir != NULL && words->dryRun && hasCache == false )
    {
        return supReportMisuse(
            usage, "--dry-run is for one file, or for --out-dir with --manifest or --cache, whose state it tells" );
    }
    if ( words->in == NULL && words->manifest == NULL )
    {
        return supReportMisuse( usage, "IN is missing" );
    }
    if ( words->outDir != NULL )
    {
        return supCheckMany( usage, words );
    }
    if ( words->manifest != NULL || words->cache != NULL || words->shard != NULL || words->retries >= 0 )
    {
        return supReportMisuse( usage, "--manifest, --cache, --shard and --retries need --out-dir DIR" );
    }
    if ( more->count == 0 && words->dryRun )
    {
        words->out = "OUT.glb";
        return supCheckBakeWords( usage, words );
    }
    if ( more->count == 0 )
    {
        return supReportMisuse( usage, "OUT is missing" );
    }
    if ( more->count > 1 )
    {
        return supReportMisuse( usage,
            "unexpected argument '%s'; to bake several files, name a folder with --out-dir DIR", more->items[1] );
    }
    struct stat info;
    if ( stat( words->in, &info ) == 0 && S_ISDIR( info.st_mode ) )
    {
        return supReportMisuse( usage, "'%s' is a folder; --out-dir DIR bakes all files in it", words->in );
    }
    words->out = more->items[0];
    return supCheckBakeWords( usage, words );
}

int supReadBakeCall( supBakeCall* call, int argc, char** args )
{
    supBakeOptions* words = &call->words;
    *words = ( supBakeOptions ){ .retries = -1, .part = 1, .partCount = 1 };
    int count = supRigOptions( words, call->options );
    count += supMotionOptions( words, call->options + count );
    count += supFormOptions( words, call->options + count );
    count += supOutputOptions( words, call->options + count );
    supFarmOptions( words, call->options + count );
    supWatchOptions( call );
    const supArgument arguments[] = {
        { .name = "IN",
            .target = &words->in,
            .help = "a glTF file, .glb, .gltf or .vrm; or mushroom, cat, woman,\narm, finger, leg, horse, torso" },
        { .name = "OUT",
            .list = &words->more,
            .help =
                "what to write: .glb, .gltf or .vrm, which may be IN and replaces\nan earlier bake in it; or a point cache, "
                ".pc2 or .mdd. With --out-dir:\nmore files to bake" },
        SUP_ARGUMENTS_END,
    };
    memcpy( call->arguments, arguments, sizeof( arguments ) );
    call->usage =
        ( supUsage ){ "bake", "adds the motion of flesh to a file, for every engine", call->options, call->arguments,
            "examples:\n"
            "  supple bake fox.glb soft-fox.glb\n"
            "  supple bake fox.glb soft-fox.glb --preset heavy --clip Run\n"
            "  supple bake fox.glb soft-fox.glb --region belly=1.5 --without calves\n"
            "  supple bake man.glb living.glb --motion walk.bvh\n"
            "  supple bake characters --out-dir living --jobs 4\n"
            "  supple bake --manifest night.json --out-dir living --shard 3/8",
            "IN OUT [OPTIONS]\n       supple bake IN... --out-dir DIR [OPTIONS]\n"
            "       supple bake --manifest FILE.json --out-dir DIR [OPTIONS]" };
    supParseResult parsed = supParseWords( &call->usage, argc, args );
    call->isHelp = parsed == sup_parseHelp;
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    int code = words->manifest != NULL ? supCheckBesideManifest( call ) : sup_exitOk;
    code = code == sup_exitOk ? supReadProposeWords( &call->usage, &words->propose, &words->choices ) : code;
    words->choices.forMany = words->outDir != NULL;
    return code == sup_exitOk ? supSortWords( &call->usage, words ) : code;
}

int supRunBake( const char* program, int argc, char** args )
{
    (void)program;
    supBakeCall call;
    int code = supReadBakeCall( &call, argc, args );
    const supBakeOptions* words = &call.words;
    if ( code != sup_exitOk || call.isHelp )
    {
        return code;
    }
    bool isFarm = words->manifest != NULL || words->cache != NULL;
    return isFarm                         ? supBakeFarm( &call )
           : words->dryRun                ? supBakeDry( words )
           : words->outDir != NULL        ? supBakeMany( &call )
           : supIsCachePath( words->out ) ? supBakeCaches( words )
                                          : supBake( words );
}
