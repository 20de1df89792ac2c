// supple bake --motion: clips from other files, before anything is simulated.
// SPDX-License-Identifier: MIT
#include "bake_job.h"

#include <string.h>
#include <strings.h>

static supResult supAddOneMotion( supBakeJob* job, const char* path, supError* error )
{
    const supLog silence = { NULL, NULL };
    const char* dot = strrchr( job->words->out, '.' );
    supGltfMotionOptions options = supDefaultGltfMotionOptions();
    options.isBinary = dot == NULL || strcasecmp( dot, ".gltf" ) != 0;
    options.mapPath = job->words->map;
    supCharacter* motion = NULL;
    supMotionReport report = { 0 };
    supResult result = supLoadMotion( path, silence, &motion, error );
    if ( result == sup_success )
    {
        result = supGltf_AddMotion( job->document, job->character, motion, path, &options, &report, error );
    }
    if ( result == sup_success && job->words->json == false )
    {
        supProgress_End( &job->progress );
        fprintf( stderr, "supple bake: %s: %d clip%s on %d joints%s%s\n", path, report.clips,
            report.clips == 1 ? "" : "s", report.matched,
            report.unmatched > 0 ? "; joints of it that move nothing here: " : "", report.unmatchedNames );
    }
    supDestroyCharacter( motion );
    return result;
}

supResult supBakeJob_AddMotions( supBakeJob* job, supError* error )
{
    supResult result = sup_success;
    for ( int i = 0; i < job->words->motions.count && result == sup_success; ++i )
    {
        result = supAddOneMotion( job, job->words->motions.items[i], error );
    }
    if ( result != sup_success || job->words->motions.count == 0 )
    {
        return result;
    }
    supDestroyCharacter( job->character );
    job->character = NULL;
    return supGltf_Character( job->document, NULL, &job->character, error );
}
