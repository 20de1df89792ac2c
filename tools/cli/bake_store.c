// Results of bakes by what they follow from.
// SPDX-License-Identifier: MIT
//
//     DIR/3f/3f0c….glb    the result
//     DIR/3f/3f0c….json   its digest and report, written last: without it there is no result
//
// The name is the SHA-256 of all that a result follows from: the program itself, the words that change it, and the
// bytes of every file that it reads. A result that names images beside itself is not whole without them: it is not
// kept, and counts as there while it and they stand where they were written.
#define _GNU_SOURCE // dladdr

#include "bake_store.h"

#include "output.h"
#include "regular_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------------------
// Files

static supDigest supDigestOf( const supBytes* bytes )
{
    supSha256 hash = supMakeSha256();
    supSha256_Add( &hash, bytes->data, bytes->size );
    return supSha256_Digest( hash );
}

static supResult supDigestFile( const char* path, supDigest* digest, supError* error )
{
    supBytes bytes;
    supResult result = supReadBytes( path, &bytes, error );
    if ( result == sup_success )
    {
        *digest = supDigestOf( &bytes );
        free( bytes.data );
    }
    return result;
}

/// The same, of a file that many tasks may read: once for all of them.
static supResult supKnownDigest( supBakeStore* store, const char* path, supDigest* digest, supError* error )
{
    const char* known = json_string_value( json_object_get( store->digests, path ) );
    if ( known != NULL )
    {
        snprintf( digest->text, sizeof( digest->text ), "%s", known );
        return sup_success;
    }
    supResult result = supDigestFile( path, digest, error );
    if ( result == sup_success )
    {
        json_object_set_new_nocheck( store->digests, path, json_string( digest->text ) );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The key

typedef struct supKeyWork
{
    supBakeStore* store;
    supSha256 hash;
    int fileCount; ///< beside the character
    supResult result;
    supError* error;
} supKeyWork;

static void supAddFileToKey( supKeyWork* work, const char* path )
{
    supDigest digest;
    if ( work->result == sup_success )
    {
        work->result = supKnownDigest( work->store, path, &digest, work->error );
    }
    if ( work->result == sup_success )
    {
        supSha256_AddText( &work->hash, digest.text );
    }
}

/// One that is missing may not be needed; where it is, the bake says so.
static void supAddFileBeside( const char* path, void* user )
{
    supKeyWork* work = user;
    work->fileCount += 1;
    supSha256_AddText( &work->hash, path );
    if ( access( path, R_OK ) == 0 )
    {
        supAddFileToKey( work, path );
    }
}

/// A character, a motion or a rig, with all that it names. One that is built in follows from the program alone.
static void supAddModelToKey( supKeyWork* work, const char* path )
{
    if ( access( path, F_OK ) != 0 )
    {
        supSha256_AddText( &work->hash, path );
        return;
    }
    supAddFileToKey( work, path );
    if ( work->result == sup_success && supEachFileBeside( path, supAddFileBeside, work ) == false &&
         work->result == sup_success )
    {
        work->result = supFail( work->error, sup_errorMemory, "%s: no memory to see which files it names", path );
    }
}

/// Clips are called after the files that they come from.
static void supAddTextToKey( supKeyWork* work, const supOption* option, const char* text )
{
    bool isFile = option->value != NULL && strcmp( option->value, "FILE" ) == 0;
    if ( text != NULL && isFile )
    {
        supSha256_AddText( &work->hash, supBaseName( text ) );
        supAddModelToKey( work, text );
    }
    else
    {
        supSha256_AddText( &work->hash, text != NULL ? text : "" );
    }
}

static void supAddOptionToKey( supKeyWork* work, const supOption* option )
{
    supSha256_AddText( &work->hash, option->name );
    switch ( option->type )
    {
        case sup_optionFlag:
            supSha256_Add( &work->hash, option->target, sizeof( bool ) );
            break;
        case sup_optionInt:
        case sup_optionChoice:
            supSha256_Add( &work->hash, option->target, sizeof( int ) );
            break;
        case sup_optionFloat:
            supSha256_Add( &work->hash, option->target, sizeof( float ) );
            break;
        case sup_optionText:
            supAddTextToKey( work, option, *(const char**)option->target );
            break;
        case sup_optionList:
            for ( int i = 0; i < ( (const supTextList*)option->target )->count; ++i )
            {
                supAddTextToKey( work, option, ( (const supTextList*)option->target )->items[i] );
            }
            supSha256_AddText( &work->hash, "" );
            break;
    }
}

/// Where images stay where they are, what comes out leads there.
static void supAddPlacesToKey( supKeyWork* work, const supBakeTask* task )
{
    char* in = realpath( task->in, NULL );
    char here[PATH_MAX] = "";
    supSha256_AddText( &work->hash, in != NULL ? in : task->in );
    supSha256_AddText( &work->hash, task->out[0] != '/' && getcwd( here, sizeof( here ) ) != NULL ? here : "" );
    supSha256_AddText( &work->hash, task->out );
    free( in );
}

supResult supBakeStore_Key(
    supBakeStore* store, const supBakeCall* call, const supBakeTask* task, supDigest* key, supError* error )
{
    supKeyWork work = { .store = store, .hash = supMakeSha256(), .error = error };
    supSha256_AddText( &work.hash, store->program.text );
    supSha256_AddText( &work.hash, strrchr( task->out, '.' ) );
    for ( const supOption* option = call->options; option->name != NULL; ++option )
    {
        if ( option->hidden == false && supIsBakeAside( option->name ) == false )
        {
            supAddOptionToKey( &work, option );
        }
    }
    work.fileCount = 0;
    supAddModelToKey( &work, task->in );
    if ( work.fileCount > 0 )
    {
        supAddPlacesToKey( &work, task );
    }
    *key = supSha256_Digest( work.hash );
    return work.result;
}

bool supBakeStore_IsKeyStill( const supBakeStore* store, const supBakeCall* call, const supBakeTask* task )
{
    supBakeStore fresh = *store;
    supDigest now = { "" };
    fresh.digests = json_object();
    bool isSame =
        supBakeStore_Key( &fresh, call, task, &now, NULL ) == sup_success && strcmp( now.text, task->key.text ) == 0;
    json_decref( fresh.digests );
    return isSame;
}

/// The files that the program runs from: its own, and the library's where that is another one.
static supResult supDigestProgram( supDigest* digest, supError* error )
{
    const char* own = "/proc/self/exe";
    supTakeDef ( *const function )( void ) = supDefaultTakeDef;
    void* symbol;
    memcpy( &symbol, &function, sizeof( symbol ) );
    Dl_info library = { 0 };
    bool isKnown = dladdr( symbol, &library ) != 0, hasOwn = access( own, R_OK ) == 0;
    bool isShared = isKnown && ( hasOwn == false || strstr( library.dli_fname, ".so" ) != NULL );
    supSha256 hash = supMakeSha256();
    supDigest one = { "" };
    supResult result = hasOwn ? supDigestFile( own, &one, error ) : sup_success;
    supSha256_AddText( &hash, one.text );
    if ( result == sup_success && isShared )
    {
        result = supDigestFile( library.dli_fname, &one, error );
        supSha256_AddText( &hash, one.text );
    }
    *digest = supSha256_Digest( hash );
    return result;
}

supResult supStartBakeStore( supBakeStore* store, const char* folder, supError* error )
{
    *store = ( supBakeStore ){ .folder = folder, .digests = json_object() };
    return store->digests != NULL ? supDigestProgram( &store->program, error )
                                  : supFail( error, sup_errorMemory, "no memory" );
}

void supBakeStore_End( supBakeStore* store )
{
    json_decref( store->digests );
}

// ---------------------------------------------------------------------------------------------------------------
// Results

/// "DIR/3f/3f0c….glb"
static void supWritePlace( const supBakeStore* store, const supDigest* key, const char* ending, char path[PATH_MAX] )
{
    snprintf( path, PATH_MAX, "%s/%.2s/%s%s", store->folder, key->text, key->text, ending );
}

typedef struct supBesideWork
{
    json_t* digests; ///< of files, by path
    bool isWhole;
} supBesideWork;

static void supAddBeside( const char* path, void* user )
{
    supBesideWork* work = user;
    supDigest digest;
    if ( supDigestFile( path, &digest, NULL ) == sup_success )
    {
        json_object_set_new_nocheck( work->digests, path, json_string( digest.text ) );
    }
    else
    {
        work->isWhole = false;
    }
}

/// What a result names beside itself, as it is now; NULL: some of it cannot be read.
static json_t* supBesideOf( const char* path )
{
    supBesideWork work = { json_object(), true };
    bool isKnown = supEachFileBeside( path, supAddBeside, &work );
    if ( work.isWhole == false || isKnown == false )
    {
        json_decref( work.digests );
        return NULL;
    }
    return work.digests;
}

/// Whether OUT is the result of an entry already.
static bool supStandsThere( const json_t* entry, const char* out )
{
    supDigest digest;
    const char* wanted = json_string_value( json_object_get( entry, "sha256" ) );
    if ( wanted == NULL || supDigestFile( out, &digest, NULL ) != sup_success || strcmp( wanted, digest.text ) != 0 )
    {
        return false;
    }
    const json_t* beside = json_object_get( entry, "beside" );
    if ( beside == NULL )
    {
        return true;
    }
    json_t* now = supBesideOf( out );
    bool same = now != NULL && json_equal( now, beside ) != 0;
    json_decref( now );
    return same;
}

/// Puts a kept result in place. False: there is none that is what was kept.
static bool supRestore( const supBakeStore* store, const json_t* entry, const supBakeTask* task )
{
    char path[PATH_MAX];
    supBytes bytes;
    const char* wanted = json_string_value( json_object_get( entry, "sha256" ) );
    supWritePlace( store, &task->key, strrchr( task->out, '.' ), path );
    if ( wanted == NULL || json_object_get( entry, "beside" ) != NULL ||
         supReadBytes( path, &bytes, NULL ) != sup_success )
    {
        return false;
    }
    bool isPut = strcmp( supDigestOf( &bytes ).text, wanted ) == 0 &&
                 supWriteFile( task->out, bytes.data, bytes.size, NULL ) == sup_success;
    free( bytes.data );
    return isPut;
}

static json_t* supLoadEntry( const supBakeStore* store, const supBakeTask* task )
{
    char path[PATH_MAX];
    supWritePlace( store, &task->key, ".json", path );
    return supLoadRegularJson( path, 0, NULL );
}

const char* supBakeStore_State( const supBakeStore* store, const supBakeTask* task )
{
    char path[PATH_MAX];
    json_t* entry = supLoadEntry( store, task );
    supWritePlace( store, &task->key, strrchr( task->out, '.' ), path );
    const char* state = supStandsThere( entry, task->out )           ? "unchanged"
                        : entry != NULL && access( path, R_OK ) == 0 ? "cache"
                                                                     : "missing";
    json_decref( entry );
    return state;
}

json_t* supBakeStore_Reuse( const supBakeStore* store, const supBakeTask* task )
{
    json_t* entry = supLoadEntry( store, task );
    json_t* report = json_incref( json_object_get( entry, "report" ) );
    bool isOne = json_is_object( report ); // a damaged entry may hold anything
    bool stands = isOne && supStandsThere( entry, task->out );
    if ( isOne && ( stands || supRestore( store, entry, task ) ) )
    {
        json_object_set_new( report, "input", supTextJson( task->in ) );
        json_object_set_new( report, "output", supTextJson( task->out ) );
        json_object_set_new( report, "state", json_string( stands ? "unchanged" : "cache" ) );
    }
    else
    {
        json_decref( report );
        report = NULL;
    }
    json_decref( entry );
    return report;
}

static supResult supWriteEntry(
    const supBakeStore* store, const supBakeTask* task, const json_t* entry, supError* error )
{
    char path[PATH_MAX];
    supWritePlace( store, &task->key, ".json", path );
    char* text = json_dumps( entry, JSON_REAL_PRECISION( 9 ) );
    supResult result = text != NULL ? supWriteFile( path, text, strlen( text ), error )
                                    : supFail( error, sup_errorMemory, "%s: no memory", path );
    free( text );
    return result;
}

supResult supBakeStore_Keep( const supBakeStore* store, const supBakeTask* task, json_t* report, supError* error )
{
    char path[PATH_MAX], folder[PATH_MAX];
    supBytes bytes = { 0 };
    json_t* beside = supBesideOf( task->out );
    snprintf( folder, sizeof( folder ), "%s/%.2s", store->folder, task->key.text );
    supWritePlace( store, &task->key, strrchr( task->out, '.' ), path );
    supResult result = supMakeFolders( folder, error );
    result = result == sup_success ? supReadBytes( task->out, &bytes, error ) : result;
    if ( result == sup_success )
    {
        json_object_set_new( report, "state", json_string( "baked" ) );
        json_object_set_new( report, "sha256", json_string( supDigestOf( &bytes ).text ) );
        json_t* entry = json_pack( "{s:O, s:O}", "sha256", json_object_get( report, "sha256" ), "report", report );
        bool isWhole = beside != NULL && json_object_size( beside ) == 0;
        if ( isWhole == false )
        {
            json_object_set( entry, "beside", beside );
        }
        result = isWhole ? supWriteFile( path, bytes.data, bytes.size, error ) : result;
        result = result == sup_success && beside != NULL ? supWriteEntry( store, task, entry, error ) : result;
        json_decref( entry );
    }
    json_decref( beside );
    free( bytes.data );
    return result;
}
