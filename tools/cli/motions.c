// --motion: clips from other files, put on a character before anything is simulated.
// SPDX-License-Identifier: MIT
#include "motions.h"
#include "foreign.h"

#include "input.h"

static supResult supAddOneMotion(
    const supMotionsDef* def, const char* path, supGltf* document, const supCharacter* character, supError* error )
{
    const supLog silence = { NULL, NULL };
    supGltfMotionOptions options = supDefaultGltfMotionOptions();
    options.isBinary = def->isBinary;
    options.mapPath = def->map;
    supCharacter* motion = NULL;
    supGltfOpenDef open = supOpenDefForLog( silence );
    supMotionReport report = { 0 };
    supResult result = supRefuseForeign( path, error );
    result = result == sup_success ? supLoadMotionWith( path, &open, &motion, error ) : result;
    if ( result == sup_success )
    {
        result = supGltf_AddMotion( document, character, motion, path, &options, &report, error );
    }
    if ( result == sup_success && def->isQuiet == false )
    {
        fprintf( stderr, "supple %s: %s: %d clip%s on %d joint%s%s%s\n", def->command, path, report.clips,
            report.clips == 1 ? "" : "s", report.matched, report.matched == 1 ? "" : "s",
            report.unmatched > 0 ? "; joints of it that move nothing here: " : "", report.unmatchedNames );
    }
    supDestroyCharacter( motion );
    return result;
}

supResult supAddMotions( const supMotionsDef* def, supGltf* document, supCharacter** character, supError* error )
{
    supResult result = sup_success;
    for ( int i = 0; i < def->files->count && result == sup_success; ++i )
    {
        result = supAddOneMotion( def, def->files->items[i], document, *character, error );
    }
    if ( result != sup_success || def->files->count == 0 )
    {
        return result;
    }
    supDestroyCharacter( *character );
    *character = NULL;
    return supGltf_Character( document, NULL, character, error );
}
