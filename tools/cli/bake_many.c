// supple bake --out-dir: all files of a call, each by the call's words.
// SPDX-License-Identifier: MIT
#include "bake_batch.h"
#include "command.h"
#include "output.h"

static json_t* supBakeByCall( const supBakeBatch* batch, const supBakeTask* task )
{
    return supBakeTask_Do( batch, task, batch->words );
}

int supBakeMany( const supBakeCall* call )
{
    const supBakeOptions* words = &call->words;
    supBakeBatch batch = { .words = words, .manner = { .work = supBakeByCall } };
    supError error = { 0 };
    const supBakeTask* first = NULL;
    int code = sup_exitFailed;
    supResult result = supBakeBatch_ListFiles( &batch, &error );
    const supBakeTask* clash = result == sup_success ? supBakeBatch_FindClash( &batch, &first ) : NULL;
    if ( clash != NULL )
    {
        code = supReportMisuse( &call->usage, "'%s' and '%s' would both become %s", first->in, clash->in, clash->out );
    }
    else if ( result != sup_success || supMakeFolders( words->outDir, &error ) != sup_success )
    {
        fprintf( stderr, "supple bake: %s\n", error.text );
    }
    else
    {
        supBakeBatch_TakePart( &batch );
        code = supBakeBatch_Run( &batch );
    }
    supBakeBatch_End( &batch );
    return code;
}
