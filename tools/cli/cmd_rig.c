// supple rig
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"
#include "supple/io.h"
#include "supple/model.h"

#include <stdlib.h>

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
static int supCheckRig( const char* path, const char* characterPath )
{
    supError error;
    supCharacter* character = NULL;
    if ( characterPath != NULL && supLoadGltf( characterPath, &character, &error ) != sup_success )
    {
        return supFailRig( &error );
    }
    supRig* rig = NULL;
    supModel* model = NULL;
    supResult result = supReadRig( path, character, NULL, &rig, &error );
    if ( result == sup_success && character != NULL )
    {
        supError inner;
        result = supCompileModel( character, rig, &model, &inner );
        if ( result != sup_success )
        {
            supFail( &error, result, "%s: %s", path, inner.text );
        }
    }
    int count = rig != NULL ? supRig_ElementCount( rig ) : 0;
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    if ( result != sup_success )
    {
        return supFailRig( &error );
    }
    printf( "%s: in order, %d element%s%s%s\n", path, count, count == 1 ? "" : "s",
        characterPath != NULL ? " for " : "", characterPath != NULL ? characterPath : "" );
    return sup_exitOk;
}

int supRunRig( int argc, char** args )
{
    bool schema = false, reference = false, check = false;
    const char* in = NULL;
    const char* character = NULL;
    const supOption options[] = {
        { .name = "check",
            .type = sup_optionFlag,
            .target = &check,
            .help = "read FILE, say what is wrong with it; with CHARACTER also\nlook up its joints and meshes there" },
        { .name = "schema", .type = sup_optionFlag, .target = &schema, .help = "print the JSON Schema of rig files" },
        { .name = "reference",
            .type = sup_optionFlag,
            .target = &reference,
            .help = "print the reference of all fields, in Markdown" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = {
        { .name = "FILE", .target = &in, .help = "a rig, NAME.rig.json" },
        { .name = "CHARACTER", .target = &character, .help = "the glTF file that it is for" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "rig", "rig files: checks them, prints their schema and reference", options, arguments,
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    if ( check + schema + reference != 1 )
    {
        return supReportMisuse( &usage, "one of --check, --schema and --reference is wanted" );
    }
    if ( check && in == NULL )
    {
        return supReportMisuse( &usage, "--check needs a FILE" );
    }
    if ( !check )
    {
        return supPrintText( schema ? supRigSchema : supRigReference );
    }
    return supCheckRig( in, character );
}
