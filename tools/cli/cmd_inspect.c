// supple inspect: what is in a file.
// SPDX-License-Identifier: MIT
#include "command.h"
#include "input.h"
#include "inspect_report.h"
#include "options.h"
#include "output.h"
#include "supple/lab/files.h"

#include <string.h>
#include <unistd.h>

/// Keeps what the reader put right, without the file's name in front.
typedef struct supNotes
{
    json_t* list;
    const char* path;
} supNotes;

static void supKeepNote( const char* text, void* user )
{
    supNotes* notes = user;
    size_t length = strlen( notes->path );
    bool named = strncmp( text, notes->path, length ) == 0 && strncmp( text + length, ": ", 2 ) == 0;
    json_array_append_new( notes->list, supTextJson( named ? text + length + 2 : text ) );
}

static int supFailInspect( const supError* error )
{
    fprintf( stderr, "supple inspect: %s\n", error->text );
    return sup_exitFailed;
}

static int supPrintReport( json_t* report, const char* path, bool asJson, bool joints )
{
    if ( report == NULL )
    {
        supError error;
        supFail( &error, sup_errorMemory, "%s: no memory for a report", path );
        return supFailInspect( &error );
    }
    if ( asJson )
    {
        json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
        fputs( "\n", stdout );
    }
    else
    {
        supPrintInspectReport( report, stdout, isatty( STDOUT_FILENO ) == 1, joints );
    }
    json_decref( report );
    return sup_exitOk;
}

static int supInspect( const char* path, bool asJson, bool joints )
{
    supNotes notes = { json_array(), path };
    supLog log = { supKeepNote, &notes };
    supGltf* document = NULL;
    supCharacter* character = NULL;
    supError error = { 0 };
    supResult result = supOpenDocument( path, log, &document, &error );
    result = result == sup_success ? supGltf_Character( document, NULL, &character, &error ) : result;
    supCloseGltf( document );
    if ( result != sup_success )
    {
        json_decref( notes.list );
        return supFailInspect( &error );
    }
    json_t* report = supMakeInspectReport( path, supGltfSize( path ), character, notes.list );
    supDestroyCharacter( character );
    return supPrintReport( report, path, asJson, joints );
}

int supRunInspect( const char* program, int argc, char** args )
{
    (void)program;
    const char* path = NULL;
    bool json = false, joints = false;
    const supOption options[] = {
        { .name = "joints",
            .type = sup_optionFlag,
            .target = &joints,
            .help = "every joint on a line of its own, with its place at rest" },
        { .name = "json", .type = sup_optionFlag, .target = &json, .help = "one JSON object on stdout" },
        SUP_TRUST_OPTIONS,
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = {
        { .name = "IN",
            .target = &path,
            .required = true,
            .help = "a glTF file, .glb, .gltf or .vrm; or mushroom, cat, woman,\narm, finger, leg, horse, torso" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "inspect", "meshes, skins, joints, clips, and what could carry flesh", options, arguments,
        NULL, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    return parsed != sup_parseOk ? supExitCodeOf( parsed ) : supInspect( path, json, joints );
}
