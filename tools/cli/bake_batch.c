// supple bake of many files: several at a time.
// SPDX-License-Identifier: MIT
//
// Each file is baked by a process of its own, which does what a call for that file alone would do, to the byte. One
// that fails, or even crashes, does not stop the others, and an interrupt at the terminal reaches all of them, each of
// which tidies up after itself. What came of it is handed back as JSON in a file without a name.
#include "bake_batch.h"

#include "command.h"
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#    include <sys/prctl.h>
#endif

/// Exit code of a process that had no memory: another time there may be some.
#define SUP_EXIT_MEMORY 75

// ---------------------------------------------------------------------------------------------------------------
// Which files

/// "DIR/NAME.glb"; a .vrm stays one.
static char* supOutputFor( const char* in, const char* folder )
{
    const char *name = supBaseName( in ), *dot = strrchr( name, '.' );
    int length = dot != NULL ? (int)( dot - name ) : (int)strlen( name );
    size_t size = strlen( folder ) + (size_t)length + sizeof( "/.glb" );
    char* out = malloc( size );
    if ( out != NULL )
    {
        snprintf( out, size, "%s/%.*s%s", folder, length, name, supEndsWith( name, ".vrm" ) ? ".vrm" : ".glb" );
    }
    return out;
}

supResult supBakeBatch_Add( supBakeBatch* batch, const char* in, const char* out, json_t* args, supError* error )
{
    if ( batch->count == batch->capacity )
    {
        int capacity = 2 * batch->capacity + 16;
        supBakeTask* tasks = realloc( batch->tasks, (size_t)capacity * sizeof( *tasks ) );
        if ( tasks == NULL )
        {
            json_decref( args );
            return supFail( error, sup_errorMemory, "no memory for %d files", capacity );
        }
        batch->tasks = tasks;
        batch->capacity = capacity;
    }
    supBakeTask task = {
        .in = strdup( in ), .out = out != NULL ? strdup( out ) : supOutputFor( in, batch->words->outDir ), .args = args
    };
    const char* dot = task.out != NULL ? strrchr( task.out, '.' ) : NULL;
    const char* name = task.out != NULL ? supBaseName( task.out ) : "";
    task.name = strndup( name, dot != NULL && dot > name ? (size_t)( dot - name ) : strlen( name ) );
    batch->tasks[batch->count++] = task;
    return task.in != NULL && task.out != NULL && task.name != NULL
               ? sup_success
               : supFail( error, sup_errorMemory, "%s: no memory", in );
}

static int supIsModel( const struct dirent* entry )
{
    return supIsGltfName( entry->d_name );
}

/// All .glb, .gltf and .vrm of a folder, in the order of their names' bytes, whatever the locale.
static int supCompareEntries( const struct dirent** a, const struct dirent** b )
{
    return strcmp( ( *a )->d_name, ( *b )->d_name );
}

static supResult supAddFolder( supBakeBatch* batch, const char* folder, supError* error )
{
    struct dirent** entries = NULL;
    int count = scandir( folder, &entries, supIsModel, supCompareEntries );
    supResult result = count > 0 ? sup_success
                       : count < 0
                           ? supFail( error, sup_errorFile, "%s: cannot be read: %s", folder, strerror( errno ) )
                           : supFail( error, sup_errorFile, "%s: there is no .glb, .gltf or .vrm in it", folder );
    size_t length = strlen( folder );
    const char* slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    for ( int i = 0; i < count; ++i )
    {
        char path[PATH_MAX];
        snprintf( path, sizeof( path ), "%s%s%s", folder, slash, entries[i]->d_name );
        result = result == sup_success ? supBakeBatch_Add( batch, path, NULL, NULL, error ) : result;
        free( entries[i] );
    }
    free( entries );
    return result;
}

supResult supBakeBatch_ListFiles( supBakeBatch* batch, supError* error )
{
    const supBakeOptions* words = batch->words;
    supResult result = sup_success;
    for ( int i = -1; i < words->more.count && result == sup_success; ++i )
    {
        const char* word = i < 0 ? words->in : words->more.items[i];
        struct stat info;
        bool isFolder = stat( word, &info ) == 0 && S_ISDIR( info.st_mode );
        result = isFolder ? supAddFolder( batch, word, error ) : supBakeBatch_Add( batch, word, NULL, NULL, error );
    }
    return result;
}

bool supParseShard( const char* text, int* part, int* count )
{
    int end = 0;
    return sscanf( text, "%9d/%9d%n", part, count, &end ) == 2 && text[end] == '\0' && *part >= 1 && *part <= *count;
}

static void supEndOneTask( supBakeTask* task )
{
    free( task->in );
    free( task->out );
    free( task->name );
    json_decref( task->args );
    json_decref( task->report );
}

void supBakeBatch_TakePart( supBakeBatch* batch )
{
    int count = 0;
    for ( int i = 0; i < batch->count; ++i )
    {
        if ( i % batch->words->partCount == batch->words->part - 1 )
        {
            batch->tasks[count++] = batch->tasks[i];
        }
        else
        {
            supEndOneTask( batch->tasks + i );
        }
    }
    batch->count = count;
}

static int supCompareOutputs( const void* a, const void* b )
{
    const supBakeTask *first = *(supBakeTask*const*)a, *second = *(supBakeTask*const*)b;
    int order = strcmp( first->out, second->out );
    return order != 0 ? order : first < second ? -1 : 1;
}

/// Of a cache or manifest: records are called after a file without its ending.
static int supCompareNames( const void* a, const void* b )
{
    const supBakeTask *first = *(supBakeTask*const*)a, *second = *(supBakeTask*const*)b;
    int order = strcmp( first->name, second->name );
    return order != 0 ? order : first < second ? -1 : 1;
}

const supBakeTask* supBakeBatch_FindClash( const supBakeBatch* batch, const supBakeTask** first )
{
    const supBakeTask** order = calloc( (size_t)batch->count + 1, sizeof( *order ) );
    const supBakeTask* clash = NULL;
    bool hasRecords = batch->manner.prepare != NULL;
    for ( int i = 0; order != NULL && i < batch->count; ++i )
    {
        order[i] = batch->tasks + i;
    }
    if ( order != NULL )
    {
        qsort( order, (size_t)batch->count, sizeof( *order ), hasRecords ? supCompareNames : supCompareOutputs );
    }
    for ( int i = 1; order != NULL && clash == NULL && i < batch->count; ++i )
    {
        const supBakeTask *before = order[i - 1], *task = order[i];
        if ( hasRecords ? strcmp( before->name, task->name ) == 0 : strcmp( before->out, task->out ) == 0 )
        {
            *first = before;
            clash = task;
        }
    }
    free( order );
    return clash;
}

// ---------------------------------------------------------------------------------------------------------------
// Processes

static json_t* supFailedReport( const supBakeTask* task, const char* why )
{
    return json_pack( "{s:o, s:o, s:o}", "input", supTextJson( task->in ), "output", supTextJson( task->out ), "error",
        supTextJson( why ) );
}

json_t* supBakeTask_Failed( const supBakeTask* task, const supError* error )
{
    json_t* report = supFailedReport( task, error->text );
    if ( error->code == sup_errorMemory )
    {
        json_object_set_new( report, "again", json_true() );
    }
    return report;
}

bool supBakeTask_HasFailed( const supBakeTask* task )
{
    return task->report == NULL || json_object_get( task->report, "error" ) != NULL;
}

json_t* supBakeTask_Do( const supBakeBatch* batch, const supBakeTask* task, const supBakeOptions* words )
{
    supBakeOptions own = *words;
    own.in = task->in;
    own.out = task->out;
    own.jobs = batch->threads;
    supBakeJob job = { .words = &own };
    supError error = { 0 };
    supResult result = supBakeJob_Do( &job, &error );
    json_t* report = result == sup_success ? supBakeJob_Report( &job ) : supBakeTask_Failed( task, &error );
    supBakeJob_End( &job );
    return report;
}

/// In the process of its own: bakes, and writes down what came of it.
static void supWorkInChild( const supBakeBatch* batch, const supBakeTask* task )
{
#ifdef __linux__
    prctl( PR_SET_PDEATHSIG, SIGTERM ); // nobody would hear of it
#endif
    json_t* report = batch->manner.work( batch, task );
    bool again = json_object_del( report, "again" ) == 0;
    bool written = report != NULL && json_dumpf( report, task->answer, JSON_REAL_PRECISION( 9 ) ) == 0 &&
                   fflush( task->answer ) == 0;
    json_decref( report );
    _exit( again ? SUP_EXIT_MEMORY : written ? sup_exitOk : sup_exitFailed );
}

static void supEndTask( supBakeBatch* batch, supBakeTask* task, json_t* report )
{
    task->process = 0;
    task->report = report;
    task->isDone = true;
    batch->done += 1;
    if ( batch->manner.keep != NULL )
    {
        batch->manner.keep( batch, task );
    }
}

static void supBegin( supBakeBatch* batch, supBakeTask* task )
{
    supError error = { 0 };
    task->tries += 1;
    if ( task->tries == 1 && batch->manner.prepare != NULL &&
         batch->manner.prepare( batch, task, &error ) != sup_success )
    {
        supEndTask( batch, task, supFailedReport( task, error.text ) );
        return;
    }
    task->answer = tmpfile();
    fflush( stdout );
    fflush( stderr );
    task->process = task->answer != NULL ? fork() : -1;
    if ( task->process == 0 )
    {
        supWorkInChild( batch, task );
    }
    batch->running += 1;
    if ( task->process < 0 )
    {
        if ( task->answer != NULL )
        {
            fclose( task->answer );
        }
        batch->running -= 1;
        supEndTask( batch, task, supFailedReport( task, "no process or temporary file could be made for it" ) );
    }
}

/// Takes what a process has left, or begins another where it came to an end that need not come again.
static void supFinish( supBakeBatch* batch, supBakeTask* task, int status )
{
    char why[PATH_MAX + 80];
    rewind( task->answer );
    json_t* report = json_loadf( task->answer, 0, NULL );
    fclose( task->answer );
    task->answer = NULL;
    batch->running -= 1;
    bool noMemory = WIFEXITED( status ) && WEXITSTATUS( status ) == SUP_EXIT_MEMORY;
    if ( ( report == NULL || noMemory ) && task->tries <= batch->retries )
    {
        json_decref( report );
        supBegin( batch, task );
        return;
    }
    if ( report == NULL )
    {
        int number = WIFSIGNALED( status ) ? WTERMSIG( status ) : 0;
        snprintf(
            why, sizeof( why ), number != 0 ? "%s: ended by signal %d" : "%s: no report of it", task->in, number );
        report = supFailedReport( task, why );
    }
    supEndTask( batch, task, report );
}

/// Where the system says that no process is left, those that are still counted have ended unseen: what they have
/// written is taken all the same.
static void supAwaitOne( supBakeBatch* batch )
{
    int status = 0;
    pid_t process = waitpid( -1, &status, 0 );
    bool noneLeft = process < 0 && errno == ECHILD;
    for ( int i = batch->told; i < batch->begun; ++i )
    {
        supBakeTask* task = batch->tasks + i;
        if ( task->process > 0 && ( task->process == process || noneLeft ) )
        {
            supFinish( batch, task, status );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What came of it

static double supLargestError( const json_t* report )
{
    double largest = 0.0;
    size_t i;
    json_t* clip;
    json_array_foreach( json_object_get( report, "clips" ), i, clip )
    {
        double error = json_real_value( json_object_get( clip, "maxError" ) );
        largest = error > largest ? error : largest;
    }
    double size = json_real_value( json_object_get( report, "size" ) );
    return size > 0.0 ? largest / size : 0.0;
}

/// "unchanged", "cache", or NULL: it was baked now.
static const char* supStateOf( const supBakeTask* task )
{
    const char* state = json_string_value( json_object_get( task->report, "state" ) );
    return state != NULL && strcmp( state, "baked" ) != 0 ? state : NULL;
}

static void supTellFile( const supBakeTask* task )
{
    char in[PATH_MAX], out[PATH_MAX];
    const json_t* report = task->report;
    supPlainPath( task->in, in, sizeof( in ) );
    supPlainPath( task->out, out, sizeof( out ) );
    if ( supBakeTask_HasFailed( task ) )
    {
        const char* error = json_string_value( json_object_get( report, "error" ) );
        char plain[PATH_MAX + 160];
        supPlainPath( error != NULL ? error : "no memory for a report", plain, sizeof( plain ) );
        fprintf( stderr, "supple bake: %s\n", plain );
        return;
    }
    const char* state = supStateOf( task );
    if ( state != NULL )
    {
        bool isKept = strcmp( state, "cache" ) == 0, isMissing = strcmp( state, "missing" ) == 0;
        printf( "%s -> %s: %s\n", in, out, isKept ? "from the cache" : isMissing ? "to be baked" : state );
        return;
    }
    char before[24], after[24];
    int elements = (int)json_array_size( json_object_get( report, "elements" ) ),
        clips = (int)json_array_size( json_object_get( report, "clips" ) );
    printf( "%s -> %s: %d element%s, %d clip%s, as %s, largest error %.2g%% of the size%s, %s -> %s, %.2f s\n", in, out,
        elements, elements == 1 ? "" : "s", clips, clips == 1 ? "" : "s",
        json_string_value( json_object_get( report, "form" ) ), 100.0 * supLargestError( report ),
        json_is_true( json_object_get( report, "aboveTolerance" ) ) ? " (above the tolerance)" : "",
        supBytesText( (size_t)json_integer_value( json_object_get( report, "bytesIn" ) ), before ),
        supBytesText( (size_t)json_integer_value( json_object_get( report, "bytesOut" ) ), after ),
        json_real_value( json_object_get( report, "seconds" ) ) );
}

static void supCountTask( supBakeBatch* batch, const supBakeTask* task )
{
    const char* state = supStateOf( task );
    bool hasFailed = supBakeTask_HasFailed( task );
    bool isThere = state != NULL && strcmp( state, "unchanged" ) == 0;
    bool isKept = state != NULL && strcmp( state, "cache" ) == 0;
    batch->failed += hasFailed ? 1 : 0;
    batch->unchanged += isThere ? 1 : 0;
    batch->restored += isKept ? 1 : 0;
}

/// Lines in the order of the files, as far as all before them are done.
static void supTellDone( supBakeBatch* batch, supProgress* progress )
{
    while ( batch->told < batch->count && batch->tasks[batch->told].isDone )
    {
        const supBakeTask* task = batch->tasks + batch->told++;
        supCountTask( batch, task );
        if ( batch->words->json == false )
        {
            supProgress_Wipe( progress );
            supTellFile( task );
            fflush( stdout );
        }
    }
    supProgress_Update( progress, (double)batch->done / (double)batch->count );
}

static int supBakedNow( const supBakeBatch* batch )
{
    return batch->count - batch->failed - batch->unchanged - batch->restored;
}

static void supTellAllInWords( const supBakeBatch* batch, double seconds )
{
    printf( "%d of %d files %sbaked into %s", supBakedNow( batch ), batch->count, batch->words->dryRun ? "to be " : "",
        batch->words->outDir );
    if ( batch->unchanged + batch->restored > 0 )
    {
        printf( ", %d unchanged, %d from the cache, %d failed", batch->unchanged, batch->restored, batch->failed );
    }
    printf( ", %.2f s\n", seconds );
}

static void supTellAll( const supBakeBatch* batch, double seconds )
{
    if ( batch->words->json == false )
    {
        supTellAllInWords( batch, seconds );
        return;
    }
    json_t* files = json_array();
    for ( int i = 0; i < batch->count; ++i )
    {
        const json_t* one = batch->tasks[i].report;
        json_array_append_new( files, one != NULL ? json_incref( (json_t*)one ) : json_null() );
    }
    json_t* report = json_pack( "{s:o, s:i, s:i}", "output", supTextJson( batch->words->outDir ), "baked",
        supBakedNow( batch ), "failed", batch->failed );
    if ( batch->manner.prepare != NULL )
    {
        json_object_set_new( report, "unchanged", json_integer( batch->unchanged ) );
        json_object_set_new( report, "restored", json_integer( batch->restored ) );
    }
    json_object_set_new( report, "seconds", json_real( seconds ) );
    json_object_set_new( report, "files", files );
    if ( json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) ) != 0 )
    {
        fputs( "supple bake: no memory for a report\n", stderr );
    }
    fputs( "\n", stdout );
    json_decref( report );
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

int supBakeBatch_Run( supBakeBatch* batch )
{
    double start = supNowSeconds();
    long processors = sysconf( _SC_NPROCESSORS_ONLN );
    int jobs = batch->words->jobs > 0 ? batch->words->jobs : processors > 0 ? (int)processors : 1;
    batch->atOnce = jobs < batch->count || batch->count == 0 ? jobs : batch->count;
    batch->threads = jobs / batch->atOnce;
    supProgress progress;
    // A parent that ignores SIGCHLD hands this down, and then nobody is told how a process has ended.
    signal( SIGCHLD, SIG_DFL );
    supStartProgress( &progress, "bake", batch->words->progress ? sup_progressLines : sup_progressBarByHand );
    supProgress_Stage( &progress, "baking %d files", batch->count );
    while ( batch->done < batch->count )
    {
        while ( batch->begun < batch->count && batch->running < batch->atOnce )
        {
            supBegin( batch, batch->tasks + batch->begun++ );
        }
        if ( batch->running > 0 )
        {
            supAwaitOne( batch );
        }
        supTellDone( batch, &progress );
    }
    supProgress_End( &progress );
    supTellAll( batch, supNowSeconds() - start );
    return batch->failed > 0 ? sup_exitFailed : sup_exitOk;
}

void supBakeBatch_End( supBakeBatch* batch )
{
    for ( int i = 0; i < batch->count; ++i )
    {
        supEndOneTask( batch->tasks + i );
    }
    free( batch->tasks );
}
