// supple bake --manifest: what has not changed is not baked again.
// SPDX-License-Identifier: MIT
//
//     OUT/NAME.glb             a result
//     OUT/records/NAME.json    what came of its job, with how often it was tried and where
//     OUT/records/NAME.lock    held while it is worked on: who comes second waits, and finds it done
//
// Everything is written whole or not at all, results before their entry in the cache, so that a call may be killed at
// any moment, and may run twice at once: what is whole is found, the rest is done again.
#define _GNU_SOURCE // gethostname

#include "bake_manifest.h"
#include "bake_store.h"
#include "command.h"
#include "output.h"
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct supBakeFarmWork
{
    supBakeStore store;
    char cache[PATH_MAX];
    const supBakeCall* call; ///< of tasks without words of their own
} supBakeFarmWork;

// ---------------------------------------------------------------------------------------------------------------
// Words

/// The words of a task, read. Gives an exit code: whether they are wrong, which was told, or there is no memory.
static int supReadTask( const supBakeTask* task, supBakeCall* call )
{
    int count = (int)json_array_size( task->args );
    char** args = calloc( (size_t)count + 1, sizeof( *args ) );
    for ( int i = 0; args != NULL && i < count; ++i )
    {
        args[i] = (char*)json_string_value( json_array_get( task->args, (size_t)i ) );
    }
    int code = args != NULL ? supReadBakeCall( call, count, args ) : sup_exitFailed;
    free( args );
    return code == sup_exitOk && call->isHelp ? sup_exitUsage : code;
}

/// Before the first bake. Gives an exit code.
static int supCheckTasks( const supBakeBatch* batch )
{
    supBakeCall call;
    for ( int i = 0; i < batch->count; ++i )
    {
        const supBakeTask* task = batch->tasks + i;
        int code = task->args != NULL ? supReadTask( task, &call ) : sup_exitOk;
        if ( code != sup_exitOk )
        {
            fprintf( stderr, "supple bake: %s: %s job '%s'\n", batch->words->manifest,
                code == sup_exitUsage ? "so it is asked for" : "no memory for", task->name );
            return code;
        }
    }
    return sup_exitOk;
}

// ---------------------------------------------------------------------------------------------------------------
// One task

static void supWriteRecordPath(
    const supBakeBatch* batch, const supBakeTask* task, const char* ending, char path[PATH_MAX] )
{
    snprintf( path, PATH_MAX, "%s/records/%s%s", batch->words->outDir, task->name, ending );
}

/// Waits until nobody else works on the task's OUT. It is released when this process ends, however it does.
static supResult supLockTask( const supBakeBatch* batch, const supBakeTask* task, supError* error )
{
    char path[PATH_MAX];
    supWriteRecordPath( batch, task, ".lock", path );
    int file = open( path, O_RDWR | O_CREAT | O_CLOEXEC, 0666 );
    int code = file < 0 ? -1 : flock( file, LOCK_EX );
    while ( code != 0 && file >= 0 && errno == EINTR )
    {
        code = flock( file, LOCK_EX );
    }
    return code == 0 ? sup_success
                     : supFail( error, sup_errorFile, "%s: cannot be locked: %s", path, strerror( errno ) );
}

static supResult supPrepareTask( supBakeBatch* batch, supBakeTask* task, supError* error )
{
    supBakeFarmWork* work = batch->user;
    supBakeCall own;
    const supBakeCall* call = work->call;
    if ( task->args != NULL )
    {
        call = &own;
        if ( supReadTask( task, &own ) != sup_exitOk ) // which was right before
        {
            return supFail( error, sup_errorMemory, "%s: no memory for its words", task->name );
        }
    }
    return supBakeStore_Key( &work->store, call, task, &task->key, error );
}

static json_t* supBakeAndKeep( const supBakeBatch* batch, const supBakeTask* task )
{
    const supBakeFarmWork* work = batch->user;
    supBakeCall own;
    supError error = { 0 };
    const supBakeCall* call = work->call;
    if ( task->args != NULL )
    {
        call = &own;
        if ( supReadTask( task, &own ) != sup_exitOk )
        {
            supFail( &error, sup_errorMemory, "%s: no memory for its words", task->name );
            return supBakeTask_Failed( task, &error );
        }
    }
    json_t* report = supBakeTask_Do( batch, task, &call->words );
    bool isBaked = report != NULL && json_object_get( report, "error" ) == NULL;
    if ( isBaked && supBakeStore_IsKeyStill( &work->store, call, task ) == false )
    {
        fprintf(
            stderr, "supple bake: %s: its files were changed meanwhile; the result is not in the cache\n", task->in );
        json_object_set_new( report, "state", json_string( "baked" ) );
    }
    else if ( isBaked && supBakeStore_Keep( &work->store, task, report, &error ) != sup_success )
    {
        json_decref( report );
        report = supBakeTask_Failed( task, &error );
    }
    return report;
}

static json_t* supWorkOnTask( const supBakeBatch* batch, const supBakeTask* task )
{
    const supBakeFarmWork* work = batch->user;
    supError error = { 0 };
    if ( supLockTask( batch, task, &error ) != sup_success )
    {
        return supBakeTask_Failed( task, &error );
    }
    json_t* report = supBakeStore_Reuse( &work->store, task );
    return report != NULL ? report : supBakeAndKeep( batch, task );
}

/// --dry-run: only looks.
static json_t* supLookAtTask( const supBakeBatch* batch, const supBakeTask* task )
{
    const supBakeFarmWork* work = batch->user;
    return json_pack( "{s:o, s:o, s:o, s:s, s:s}", "name", supTextJson( task->name ), "input", supTextJson( task->in ),
        "output", supTextJson( task->out ), "key", task->key.text, "state", supBakeStore_State( &work->store, task ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Records

/// Whether a record says the same already.
static bool supIsRecorded( const char* path, const supBakeTask* task )
{
    json_t* record = supLoadRegularJson( path, 0, NULL );
    const char* key = json_string_value( json_object_get( record, "key" ) );
    bool same = key != NULL && strcmp( key, task->key.text ) == 0 && json_object_get( record, "error" ) == NULL;
    json_decref( record );
    return same;
}

static void supKeepRecord( const supBakeBatch* batch, const supBakeTask* task )
{
    char path[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
    const char* state = json_string_value( json_object_get( task->report, "state" ) );
    supWriteRecordPath( batch, task, ".json", path );
    if ( state != NULL && strcmp( state, "unchanged" ) == 0 && supIsRecorded( path, task ) )
    {
        return;
    }
    gethostname( host, sizeof( host ) - 1 );
    json_t* record = json_pack( "{s:o, s:s, s:s, s:i, s:o}", "name", supTextJson( task->name ), "state",
        supBakeTask_HasFailed( task ) ? "failed" : state, "key", task->key.text, "tries", task->tries, "host",
        supTextJson( host ) );
    json_object_update_missing( record, task->report );
    char* text = json_dumps( record, JSON_INDENT( 1 ) | JSON_REAL_PRECISION( 9 ) );
    supError error = { 0 };
    if ( text == NULL || supWriteFile( path, text, strlen( text ), &error ) != sup_success )
    {
        fprintf( stderr, "supple bake: %s: no record: %s\n", task->out, text == NULL ? "no memory" : error.text );
    }
    free( text );
    json_decref( record );
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static supResult supOpenFarm( supBakeBatch* batch, supBakeFarmWork* work, supError* error )
{
    const supBakeOptions* words = batch->words;
    char records[PATH_MAX];
    snprintf( records, sizeof( records ), "%s/records", words->outDir );
    snprintf( work->cache, sizeof( work->cache ), "%s%s", words->cache != NULL ? words->cache : words->outDir,
        words->cache != NULL ? "" : "/cache" );
    supResult result = words->manifest != NULL ? supReadManifest( batch, words->manifest, error )
                                               : supBakeBatch_ListFiles( batch, error );
    if ( words->dryRun == false )
    {
        result = result == sup_success ? supMakeFolders( records, error ) : result;
        result = result == sup_success ? supMakeFolders( work->cache, error ) : result;
    }
    return result == sup_success ? supStartBakeStore( &work->store, work->cache, error ) : result;
}

int supBakeFarm( const supBakeCall* call )
{
    supBakeFarmWork work = { .call = call };
    supBakeBatch batch = { .words = &call->words,
        .manner = { supPrepareTask, supWorkOnTask, supKeepRecord },
        .user = &work,
        .retries = call->words.retries >= 0 ? call->words.retries : 1 };
    if ( call->words.dryRun )
    {
        batch.manner = ( supBakeManner ){ supPrepareTask, supLookAtTask, NULL };
    }
    supError error = { 0 };
    const supBakeTask* first = NULL;
    supResult result = supOpenFarm( &batch, &work, &error );
    const supBakeTask* clash = result == sup_success ? supBakeBatch_FindClash( &batch, &first ) : NULL;
    int code = sup_exitFailed;
    if ( clash != NULL )
    {
        bool isSame = strcmp( first->out, clash->out ) == 0;
        code = isSame ? supReportMisuse(
                            &call->usage, "'%s' and '%s' would both become %s", first->in, clash->in, clash->out )
                      : supReportMisuse( &call->usage, "'%s' and '%s' would share the record '%s'", first->in,
                            clash->in, clash->name );
    }
    else if ( result != sup_success )
    {
        fprintf( stderr, "supple bake: %s\n", error.text );
    }
    else
    {
        code = supCheckTasks( &batch );
        supBakeBatch_TakePart( &batch );
        code = code == sup_exitOk ? supBakeBatch_Run( &batch ) : code;
    }
    supBakeStore_End( &work.store );
    supBakeBatch_End( &batch );
    return code;
}
