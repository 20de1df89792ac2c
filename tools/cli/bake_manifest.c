// What `supple bake --manifest` reads.
// SPDX-License-Identifier: MIT
//
//     { "characters": [ "people/*.glb", "fox.glb" ],      each of these …
//       "motions": [ "walks/*.bvh" ],                     … with each of these, or with its own clips alone
//       "presets": [ "natural", "heavy" ],
//       "outputs": { "joints": {}, "morphs": { "as": "morphs" } },
//       "options": { "influences": 8 },                   of all jobs; what a job or an output says itself wins
//       "jobs": [ { "character": "king.glb", "motions": [ "bow.bvh" ], "name": "king", "options": {} } ] }
//
// A job is called after its parts, CHARACTER-MOTION-PRESET-OUTPUT, those left out that the manifest does not name.
// Options are those of `supple bake`, and its own table of options says what is wrong with one.
#include "bake_manifest.h"

#include "bake_store.h"
#include "regular_file.h"
#include "supple/creatures.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// A few thousand names that are multiplied would be more jobs than any memory holds.
#define SUP_MOST_JOBS 100000

typedef struct supManifest
{
    supBakeBatch* batch;
    const char* path;
    char folder[PATH_MAX]; ///< that paths in it start at, with a slash, or ""
    const json_t* options; ///< of all jobs
    supError* error;
} supManifest;

/// A job as it is put together: its name, and words.
typedef struct supNamedJob
{
    char name[NAME_MAX + 1];
    const char* character;
    json_t* words; ///< after the character
} supNamedJob;

#define supFailManifest( manifest, ... ) supFail( ( manifest )->error, sup_errorData, __VA_ARGS__ )

static supResult supCheckKeys(
    const supManifest* manifest, const char* place, const json_t* object, const char* const* known )
{
    const char* key;
    json_t* value;
    if ( json_is_object( object ) == false )
    {
        return supFailManifest( manifest, "%s: %smust be an object {…}", manifest->path, place );
    }
    json_object_foreach( (json_t*)object, key, value )
    {
        int32_t count = 0;
        bool isKnown = false;
        for ( ; known[count] != NULL; ++count )
        {
            isKnown = isKnown || strcmp( known[count], key ) == 0;
        }
        if ( isKnown == false )
        {
            char near[160] = "";
            supNearestNames( key, known, count, 1, near, sizeof( near ) );
            return supFailManifest( manifest, "%s: %s\"%s\" is unknown%s%s", manifest->path, place, key,
                near[0] != '\0' ? "; did you mean " : "", near );
        }
    }
    return sup_success;
}

static supResult supFailNoMemory( const supManifest* manifest )
{
    return supFail( manifest->error, sup_errorMemory, "%s: no memory for its jobs", manifest->path );
}

/// A list's copy; NULL, and words: no memory. jansson's own leaves out what it has no memory for, and a job without one
/// of its options is another job.
static json_t* supCopyWords( const supManifest* manifest, const json_t* words )
{
    json_t* copy = json_copy( (json_t*)words );
    if ( copy == NULL || json_array_size( copy ) != json_array_size( words ) )
    {
        json_decref( copy );
        copy = NULL;
        supFailNoMemory( manifest );
    }
    return copy;
}

/// Appends "--motion FILE" or the like.
static supResult supPutWords( const supManifest* manifest, json_t* words, const char* option, const char* value )
{
    bool isPut = json_array_append_new( words, json_string( option ) ) == 0 &&
                 json_array_append_new( words, json_string( value ) ) == 0;
    return isPut ? sup_success : supFailNoMemory( manifest );
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static void supPlacePath( const supManifest* manifest, const char* path, char full[PATH_MAX] )
{
    snprintf( full, PATH_MAX, "%s%s", path[0] == '/' ? "" : manifest->folder, path );
}

/// Appends a text to a list. JSON, which it goes through, holds UTF-8 alone.
static supResult supAppend( const supManifest* manifest, json_t* list, const char* text )
{
    return json_array_append_new( list, json_string( text ) ) == 0
               ? sup_success
               : supFailManifest( manifest, "%s: '%s': paths must be UTF-8", manifest->path, text );
}

/// The first `length` bytes of a path as glob() takes them for themselves.
static size_t supEscape( const char* path, size_t length, char escaped[2 * PATH_MAX] )
{
    size_t count = 0;
    for ( size_t i = 0; i < length; ++i )
    {
        if ( strchr( "*?[]\\", path[i] ) != NULL )
        {
            escaped[count++] = '\\';
        }
        escaped[count++] = path[i];
    }
    escaped[count] = '\0';
    return count;
}

/// Adds all of a folder, or all that a pattern finds. In a pattern the manifest's own folder is none.
static supResult supAddGlob( const supManifest* manifest, const char* list, const char* full, size_t plainLength,
    const char* const* endings, json_t* files )
{
    char pattern[2 * PATH_MAX + 2];
    glob_t found = { 0 };
    size_t before = json_array_size( files ), length = supEscape( full, plainLength, pattern );
    snprintf(
        pattern + length, sizeof( pattern ) - length, "%s", full[plainLength] != '\0' ? full + plainLength : "/*" );
    supResult result = sup_success;
    int code = glob( pattern, 0, NULL, &found );
    for ( size_t i = 0; code == 0 && result == sup_success && i < found.gl_pathc; ++i )
    {
        bool fits = false;
        for ( const char* const* ending = endings; *ending != NULL; ++ending )
        {
            fits = fits || supEndsWith( found.gl_pathv[i], *ending );
        }
        result = fits ? supAppend( manifest, files, found.gl_pathv[i] ) : result;
    }
    globfree( &found );
    return result != sup_success || json_array_size( files ) > before
               ? result
               : supFailManifest( manifest, "%s: %s: no file is like '%s%s'", manifest->path, list, full,
                     full[plainLength] != '\0' ? "" : "/*" );
}

/// Adds what a word of a list stands for: a file, all of a folder, all that a pattern finds, or a built-in character.
static supResult supAddMatches(
    const supManifest* manifest, const char* list, const char* word, const char* const* endings, json_t* files )
{
    char full[PATH_MAX];
    struct stat info;
    supPlacePath( manifest, word, full );
    bool isThere = stat( full, &info ) == 0, isFolder = isThere && S_ISDIR( info.st_mode );
    bool isBuiltIn = strcmp( list, "characters" ) == 0 && supIsCreatureName( word );
    if ( isFolder )
    {
        return supAddGlob( manifest, list, full, strlen( full ), endings, files );
    }
    if ( isThere || isBuiltIn )
    {
        return supAppend( manifest, files, isThere ? full : word );
    }
    if ( strpbrk( word, "*?[" ) != NULL )
    {
        return supAddGlob( manifest, list, full, strlen( full ) - strlen( word ), endings, files );
    }
    return supFailManifest( manifest, "%s: %s: %s: %s", manifest->path, list, full, strerror( ENOENT ) );
}

/// The files of a list of the manifest, in its order, each pattern's in the order of their names. NULL, and words:
/// something is wrong. A list that is not there has no files.
static json_t* supListMatches(
    const supManifest* manifest, const char* list, const json_t* words, const char* const* endings )
{
    json_t* files = json_array();
    supResult result = files == NULL ? supFailNoMemory( manifest )
                       : words == NULL || json_is_array( words )
                           ? sup_success
                           : supFailManifest( manifest, "%s: \"%s\" must be a list […]", manifest->path, list );
    for ( size_t i = 0; result == sup_success && i < json_array_size( words ); ++i )
    {
        const char* word = json_string_value( json_array_get( words, i ) );
        result = word != NULL ? supAddMatches( manifest, list, word, endings, files )
                              : supFailManifest( manifest, "%s: %s[%zu] must be a text", manifest->path, list, i );
    }
    if ( result == sup_success )
    {
        return files;
    }
    json_decref( files );
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Words

static supResult supAddWord( const supManifest* manifest, const char* key, const json_t* value, json_t* words )
{
    char text[PATH_MAX] = "";
    if ( json_is_false( value ) || json_is_null( value ) )
    {
        return sup_success;
    }
    if ( json_array_append_new( words, json_sprintf( "--%s", key ) ) != 0 )
    {
        return supFailNoMemory( manifest );
    }
    if ( json_is_true( value ) )
    {
        return sup_success;
    }
    bool isPath = strcmp( key, "rig" ) == 0 || strcmp( key, "map" ) == 0;
    if ( json_is_string( value ) && isPath )
    {
        supPlacePath( manifest, json_string_value( value ), text );
    }
    else if ( json_is_string( value ) )
    {
        snprintf( text, sizeof( text ), "%s", json_string_value( value ) );
    }
    else if ( json_is_integer( value ) )
    {
        snprintf( text, sizeof( text ), "%lld", (long long)json_integer_value( value ) );
    }
    else if ( json_is_real( value ) )
    {
        snprintf( text, sizeof( text ), "%.9g", json_real_value( value ) );
    }
    else
    {
        return supFailManifest(
            manifest, "%s: options: \"%s\" must be a text, a number, true, or a list of them", manifest->path, key );
    }
    return supAppend( manifest, words, text );
}

/// NULL, or why an option cannot be one of a job.
static const char* supRefuseOption( const char* key )
{
    bool isPlain = key[0] >= 'a' && key[0] <= 'z';
    for ( const char* c = key; *c != '\0'; ++c )
    {
        isPlain = isPlain && ( ( *c >= 'a' && *c <= 'z' ) || *c == '-' );
    }
    return !isPlain                                              ? "is no option of bake"
           : strcmp( key, "motion" ) == 0                        ? "is what \"motions\" lists"
           : strcmp( key, "help" ) == 0 || supIsBakeAside( key ) ? "is of the call, and not of a job"
                                                                 : NULL;
}

/// Options of `supple bake` as its words.
static supResult supAddOptions( const supManifest* manifest, const json_t* options, json_t* words )
{
    const char* key;
    json_t *value, *one;
    size_t i;
    if ( options != NULL && json_is_object( options ) == false )
    {
        return supFailManifest( manifest, "%s: options must be an object {…}", manifest->path );
    }
    supResult result = sup_success;
    json_object_foreach( (json_t*)options, key, value )
    {
        const char* why = supRefuseOption( key );
        if ( why != NULL )
        {
            return supFailManifest( manifest, "%s: options: \"%s\" %s", manifest->path, key, why );
        }
        if ( json_is_array( value ) == false )
        {
            result = result == sup_success ? supAddWord( manifest, key, value, words ) : result;
        }
        json_array_foreach( value, i, one )
        {
            result = result == sup_success ? supAddWord( manifest, key, one, words ) : result;
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Jobs

/// "fox" of "animals/fox.glb".
static void supAddName( supNamedJob* job, const char* path )
{
    const char *name = supBaseName( path ), *dot = strrchr( name, '.' );
    size_t length = strlen( job->name ), own = dot != NULL && dot > name ? (size_t)( dot - name ) : strlen( name );
    snprintf( job->name + length, sizeof( job->name ) - length, "%s%.*s", length > 0 ? "-" : "", (int)own, name );
}

/// Whether a text may be a file's name, and leaves a terminal alone.
static bool supIsFileName( const char* name )
{
    const size_t room = sizeof( "records/.json.tmp-12345678" );
    bool isPlain = name[0] != '\0' && strlen( name ) + room <= NAME_MAX;
    for ( const char* c = name; *c != '\0'; ++c )
    {
        isPlain = isPlain && *c != '/' && (unsigned char)*c >= 0x20 && *c != 0x7f;
    }
    return isPlain;
}

static supResult supAddJob( const supManifest* manifest, const supNamedJob* job )
{
    char out[PATH_MAX];
    if ( manifest->batch->count >= SUP_MOST_JOBS )
    {
        return supFail( manifest->error, sup_errorLimit, "%s: more than %d jobs; split it into several manifests",
            manifest->path, SUP_MOST_JOBS );
    }
    if ( supIsFileName( job->name ) == false )
    {
        return supFailManifest(
            manifest, "%s: '%s' cannot be the name of a job: it becomes that of a file", manifest->path, job->name );
    }
    snprintf( out, sizeof( out ), "%s/%s%s", manifest->batch->words->outDir, job->name,
        supEndsWith( job->character, ".vrm" ) ? ".vrm" : ".glb" );
    json_t* args = json_pack( "[s, o, o]", "bake", json_string( job->character ), json_string( out ) );
    if ( args == NULL )
    {
        return supFailManifest( manifest, "%s: job '%s': its paths must be UTF-8", manifest->path, job->name );
    }
    supResult result = supAddOptions( manifest, manifest->options, args );
    // later words win: a job's own
    if ( result == sup_success && json_array_extend( args, job->words ) != 0 )
    {
        result = supFailNoMemory( manifest );
    }
    if ( result != sup_success )
    {
        json_decref( args );
        return result;
    }
    return supBakeBatch_Add( manifest->batch, job->character, out, args, manifest->error );
}

static supResult supAddForms( const supManifest* manifest, const supNamedJob* job, const json_t* forms )
{
    const char* name;
    json_t* options;
    supResult result = forms == NULL ? supAddJob( manifest, job ) : sup_success;
    json_object_foreach( (json_t*)forms, name, options )
    {
        supNamedJob own = *job;
        own.words = result == sup_success ? supCopyWords( manifest, job->words ) : NULL;
        result = result == sup_success && own.words == NULL ? sup_errorMemory : result;
        size_t length = strlen( own.name );
        snprintf( own.name + length, sizeof( own.name ) - length, "-%s", name );
        result = result == sup_success ? supAddOptions( manifest, options, own.words ) : result;
        result = result == sup_success ? supAddJob( manifest, &own ) : result;
        json_decref( own.words );
    }
    return result;
}

/// Each of `list` with all that comes after it: `option` is the word before it.
static supResult supAddPresets(
    const supManifest* manifest, const supNamedJob* job, const json_t* presets, const json_t* forms )
{
    supResult result = json_array_size( presets ) == 0 ? supAddForms( manifest, job, forms ) : sup_success;
    for ( size_t i = 0; result == sup_success && i < json_array_size( presets ); ++i )
    {
        const char* preset = json_string_value( json_array_get( presets, i ) );
        if ( preset == NULL )
        {
            return supFailManifest( manifest, "%s: presets[%zu] must be a text", manifest->path, i );
        }
        supNamedJob own = *job;
        own.words = supCopyWords( manifest, job->words );
        result = own.words != NULL ? supPutWords( manifest, own.words, "--preset", preset ) : sup_errorMemory;
        size_t length = strlen( own.name );
        snprintf( own.name + length, sizeof( own.name ) - length, "-%s", preset );
        result = result == sup_success ? supAddForms( manifest, &own, forms ) : result;
        json_decref( own.words );
    }
    return result;
}

static supResult supAddCharacter( const supManifest* manifest, const char* character, const json_t* motions,
    const json_t* presets, const json_t* forms )
{
    supResult result = sup_success;
    for ( size_t i = 0; result == sup_success && ( i < json_array_size( motions ) || i == 0 ); ++i )
    {
        const char* motion = json_string_value( json_array_get( motions, i ) );
        supNamedJob job = { .character = character, .words = json_array() };
        supAddName( &job, character );
        if ( motion != NULL )
        {
            supAddName( &job, motion );
            result = supPutWords( manifest, job.words, "--motion", motion );
        }
        result = result == sup_success && job.words == NULL ? supFailNoMemory( manifest ) : result;
        result = result == sup_success ? supAddPresets( manifest, &job, presets, forms ) : result;
        json_decref( job.words );
    }
    return result;
}

static const char* const sup_models[] = { ".glb", ".gltf", ".vrm", NULL };
static const char* const sup_motions[] = { ".bvh", ".glb", ".gltf", ".vrm", NULL };

/// Characters by motions, presets and outputs.
static supResult supAddProduct( const supManifest* manifest, const json_t* root )
{
    const json_t* forms = json_object_get( root, "outputs" );
    const json_t* presets = json_object_get( root, "presets" );
    if ( ( forms != NULL && json_object_size( forms ) == 0 ) ||
         ( presets != NULL && json_is_array( presets ) == false ) )
    {
        return supFailManifest( manifest,
            forms != NULL && json_object_size( forms ) == 0
                ? "%s: \"outputs\" must be an object {…} with an output in it"
                : "%s: \"presets\" must be a list […]",
            manifest->path );
    }
    json_t* characters = supListMatches( manifest, "characters", json_object_get( root, "characters" ), sup_models );
    json_t* motions = characters != NULL
                          ? supListMatches( manifest, "motions", json_object_get( root, "motions" ), sup_motions )
                          : NULL;
    supResult result = motions != NULL ? sup_success : sup_errorData; // which has been told
    for ( size_t i = 0; result == sup_success && i < json_array_size( characters ); ++i )
    {
        const char* character = json_string_value( json_array_get( characters, i ) );
        result = supAddCharacter( manifest, character, motions, presets, forms );
    }
    json_decref( motions );
    json_decref( characters );
    return result;
}

/// A job of its own: one character, and all of its motions together.
static supResult supAddOwnJob( const supManifest* manifest, const json_t* item )
{
    static const char* const known[] = { "character", "motions", "name", "options", NULL };
    supResult result = supCheckKeys( manifest, "jobs: ", item, known );
    const char* character = json_string_value( json_object_get( item, "character" ) );
    if ( result == sup_success && character == NULL )
    {
        return supFailManifest( manifest, "%s: jobs: \"character\" is missing, or not a text", manifest->path );
    }
    json_t* list = json_pack( "[s]", character != NULL ? character : "" );
    json_t* files = result == sup_success ? supListMatches( manifest, "characters", list, sup_models ) : NULL;
    json_t* motions =
        files != NULL ? supListMatches( manifest, "motions", json_object_get( item, "motions" ), sup_motions ) : NULL;
    supNamedJob job = { .character = json_string_value( json_array_get( files, 0 ) ), .words = json_array() };
    result = result != sup_success || motions != NULL ? result : sup_errorData; // which has been told
    result = result == sup_success && job.words == NULL ? supFailNoMemory( manifest ) : result;
    if ( result == sup_success && json_array_size( files ) > 1 )
    {
        result = supFailManifest( manifest,
            "%s: jobs: \"character\": '%s' is %zu files; a job has one, and "
            "\"characters\" lists several",
            manifest->path, character, json_array_size( files ) );
    }
    for ( size_t i = 0; result == sup_success && i < json_array_size( motions ); ++i )
    {
        result = supPutWords( manifest, job.words, "--motion", json_string_value( json_array_get( motions, i ) ) );
    }
    if ( result == sup_success )
    {
        const char* name = json_string_value( json_object_get( item, "name" ) );
        snprintf( job.name, sizeof( job.name ), "%s", name != NULL ? name : "" );
        if ( name == NULL )
        {
            supAddName( &job, job.character );
        }
        result = supAddOptions( manifest, json_object_get( item, "options" ), job.words );
    }
    result = result == sup_success ? supAddJob( manifest, &job ) : result;
    json_decref( job.words );
    json_decref( motions );
    json_decref( files );
    json_decref( list );
    return result;
}

supResult supReadManifest( supBakeBatch* batch, const char* path, supError* error )
{
    static const char* const known[] = { "characters", "motions", "presets", "outputs", "options", "jobs", NULL };
    json_error_t why;
    supManifest manifest = { .batch = batch, .path = path, .error = error };
    const char* slash = strrchr( path, '/' );
    snprintf( manifest.folder, sizeof( manifest.folder ), "%.*s", slash != NULL ? (int)( slash - path ) + 1 : 0, path );
    json_t* root = supLoadRegularJson( path, JSON_REJECT_DUPLICATES, &why );
    if ( root == NULL )
    {
        int code = errno;
        return why.line > 0 ? supFail( error, sup_errorFormat, "%s:%d:%d: %s", path, why.line, why.column, why.text )
                            : supFail( error, sup_errorFile, "%s: cannot be read: %s", path,
                                  code == EINVAL ? "not a file" : strerror( code ) );
    }
    const json_t *jobs = json_object_get( root, "jobs" ), *item;
    size_t i;
    supResult result = supCheckKeys( &manifest, "", root, known );
    manifest.options = json_object_get( root, "options" );
    result = result == sup_success ? supAddProduct( &manifest, root ) : result;
    if ( result == sup_success && jobs != NULL && json_is_array( jobs ) == false )
    {
        result = supFailManifest( &manifest, "%s: \"jobs\" must be a list […]", path );
    }
    json_array_foreach( jobs, i, item )
    {
        result = result == sup_success ? supAddOwnJob( &manifest, item ) : result;
    }
    if ( result == sup_success && batch->count == 0 )
    {
        result = supFailManifest( &manifest, "%s: there is no job in it", path );
    }
    json_decref( root );
    return result;
}
