// supple bake --out-dir: many files, several at a time.
// SPDX-License-Identifier: MIT
//
// Each file is baked by a process of its own, which does what a call for that file alone would do, to the byte. One
// that fails, or even crashes, does not stop the others, and an interrupt at the terminal reaches all of them, each of
// which tidies up after itself. What came of it is handed back as JSON in a file without a name.
#include "bake_job.h"
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

typedef struct supBakeTask
{
    char *in, *out;
    pid_t process; ///< 0: not yet, or no more
    FILE* answer;
    bool isDone;    ///< the bake has ended, well or badly
    json_t* report; ///< what supBakeJob_Report gives, or input, output and error; NULL: none could be had
} supBakeTask;

typedef struct supBakeBatch
{
    const supBakeOptions* words;
    supBakeTask* tasks;
    int count, capacity;
    int begun, done, told, failed;
    int atOnce;  ///< files at a time
    int threads; ///< of each
} supBakeBatch;

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

static supResult supAddFile( supBakeBatch* batch, const char* in, supError* error )
{
    if ( batch->count == batch->capacity )
    {
        int capacity = 2 * batch->capacity + 16;
        supBakeTask* tasks = realloc( batch->tasks, (size_t)capacity * sizeof( *tasks ) );
        if ( tasks == NULL )
        {
            return supFail( error, sup_errorMemory, "no memory for %d files", capacity );
        }
        batch->tasks = tasks;
        batch->capacity = capacity;
    }
    supBakeTask task = { .in = strdup( in ), .out = supOutputFor( in, batch->words->outDir ) };
    batch->tasks[batch->count++] = task;
    return task.in != NULL && task.out != NULL ? sup_success : supFail( error, sup_errorMemory, "%s: no memory", in );
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
    supResult result =
        count > 0 ? sup_success : supFail( error, sup_errorFile, "%s: there is no .glb, .gltf or .vrm in it", folder );
    size_t length = strlen( folder );
    const char* slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    for ( int i = 0; i < count; ++i )
    {
        char path[PATH_MAX];
        snprintf( path, sizeof( path ), "%s%s%s", folder, slash, entries[i]->d_name );
        result = result == sup_success ? supAddFile( batch, path, error ) : result;
        free( entries[i] );
    }
    free( entries );
    return result;
}

static supResult supListFiles( supBakeBatch* batch, supError* error )
{
    const supBakeOptions* words = batch->words;
    supResult result = sup_success;
    for ( int i = -1; i < words->more.count && result == sup_success; ++i )
    {
        const char* word = i < 0 ? words->in : words->more.items[i];
        struct stat info;
        bool isFolder = stat( word, &info ) == 0 && S_ISDIR( info.st_mode );
        result = isFolder ? supAddFolder( batch, word, error ) : supAddFile( batch, word, error );
    }
    return result;
}

/// Two files of one name would overwrite each other's bake. Gives the second of them, or NULL.
static const supBakeTask* supFindClash( const supBakeBatch* batch, const supBakeTask** first )
{
    for ( int i = 0; i < batch->count; ++i )
    {
        for ( int k = 0; k < i; ++k )
        {
            if ( strcmp( batch->tasks[i].out, batch->tasks[k].out ) == 0 )
            {
                *first = batch->tasks + k;
                return batch->tasks + i;
            }
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Processes

static json_t* supFailedReport( const supBakeTask* task, const char* why )
{
    return json_pack( "{s:o, s:o, s:o}", "input", supTextJson( task->in ), "output", supTextJson( task->out ), "error",
        supTextJson( why ) );
}

static void supEndTask( supBakeBatch* batch, supBakeTask* task, json_t* report )
{
    task->process = 0;
    task->report = report;
    task->isDone = true;
    batch->done += 1;
}

/// In the process of its own: bakes, and writes down what came of it.
static void supBakeInChild( const supBakeBatch* batch, const supBakeTask* task )
{
#ifdef __linux__
    prctl( PR_SET_PDEATHSIG, SIGTERM ); // nobody would hear of it
#endif
    supBakeOptions words = *batch->words;
    words.in = task->in;
    words.out = task->out;
    words.jobs = batch->threads;
    supBakeJob job = { .words = &words };
    supError error = { 0 };
    supResult result = supBakeJob_Do( &job, &error );
    json_t* report = result == sup_success ? supBakeJob_Report( &job ) : supFailedReport( task, error.text );
    bool written = report != NULL && json_dumpf( report, task->answer, JSON_REAL_PRECISION( 9 ) ) == 0 &&
                   fflush( task->answer ) == 0;
    json_decref( report );
    supBakeJob_End( &job );
    _exit( written ? sup_exitOk : sup_exitFailed );
}

static void supBegin( supBakeBatch* batch, supBakeTask* task )
{
    task->answer = tmpfile();
    fflush( stdout );
    fflush( stderr );
    task->process = task->answer != NULL ? fork() : -1;
    if ( task->process == 0 )
    {
        supBakeInChild( batch, task );
    }
    if ( task->process < 0 )
    {
        supEndTask( batch, task, supFailedReport( task, "no process or temporary file could be made for it" ) );
    }
    batch->begun += 1;
}

/// Takes what a process has left.
static void supFinish( supBakeBatch* batch, supBakeTask* task, int status )
{
    char why[PATH_MAX + 80];
    rewind( task->answer );
    json_t* report = json_loadf( task->answer, 0, NULL );
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
    for ( int i = 0; i < batch->begun; ++i )
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

static bool supHasFailed( const supBakeTask* task )
{
    return task->report == NULL || json_object_get( task->report, "error" ) != NULL;
}

static void supTellFile( const supBakeTask* task )
{
    const json_t* report = task->report;
    if ( supHasFailed( task ) )
    {
        const char* error = json_string_value( json_object_get( report, "error" ) );
        fprintf( stderr, "supple bake: %s\n", error != NULL ? error : "no memory for a report" );
        return;
    }
    char before[24], after[24];
    int elements = (int)json_array_size( json_object_get( report, "elements" ) ),
        clips = (int)json_array_size( json_object_get( report, "clips" ) );
    printf( "%s -> %s: %d element%s, %d clip%s, as %s, largest error %.2g%% of the size%s, %s -> %s, %.2f s\n",
        task->in, task->out, elements, elements == 1 ? "" : "s", clips, clips == 1 ? "" : "s",
        json_string_value( json_object_get( report, "form" ) ), 100.0 * supLargestError( report ),
        json_is_true( json_object_get( report, "aboveTolerance" ) ) ? " (above the tolerance)" : "",
        supBytesText( (size_t)json_integer_value( json_object_get( report, "bytesIn" ) ), before ),
        supBytesText( (size_t)json_integer_value( json_object_get( report, "bytesOut" ) ), after ),
        json_real_value( json_object_get( report, "seconds" ) ) );
}

/// Lines in the order of the files, as far as all before them are done.
static void supTellDone( supBakeBatch* batch, supProgress* progress )
{
    while ( batch->told < batch->count && batch->tasks[batch->told].isDone )
    {
        const supBakeTask* task = batch->tasks + batch->told++;
        batch->failed += supHasFailed( task ) ? 1 : 0;
        if ( batch->words->json == false )
        {
            supProgress_Wipe( progress );
            supTellFile( task );
            fflush( stdout );
        }
    }
    supProgress_Update( progress, (double)batch->done / (double)batch->count );
}

static void supTellAll( supBakeBatch* batch, double seconds )
{
    if ( batch->words->json == false )
    {
        printf( "%d of %d files baked into %s, %.2f s\n", batch->count - batch->failed, batch->count,
            batch->words->outDir, seconds );
        return;
    }
    json_t* files = json_array();
    for ( int i = 0; i < batch->count; ++i )
    {
        const json_t* one = batch->tasks[i].report;
        json_array_append_new( files, one != NULL ? json_incref( (json_t*)one ) : json_null() );
    }
    json_t* report = json_pack( "{s:o, s:i, s:i, s:f, s:o}", "output", supTextJson( batch->words->outDir ), "baked",
        batch->count - batch->failed, "failed", batch->failed, "seconds", seconds, "files", files );
    json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputs( "\n", stdout );
    json_decref( report );
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static void supRunBatch( supBakeBatch* batch )
{
    double start = supNowSeconds();
    long processors = sysconf( _SC_NPROCESSORS_ONLN );
    int jobs = batch->words->jobs > 0 ? batch->words->jobs : processors > 0 ? (int)processors : 1;
    batch->atOnce = jobs < batch->count ? jobs : batch->count;
    batch->threads = jobs / batch->atOnce;
    supProgress progress;
    // A parent that ignores SIGCHLD hands this down, and then nobody is told how a process has ended.
    signal( SIGCHLD, SIG_DFL );
    supStartProgress( &progress, "bake", batch->words->progress ? sup_progressLines : sup_progressBarByHand );
    supProgress_Stage( &progress, "baking %d files", batch->count );
    while ( batch->done < batch->count )
    {
        while ( batch->begun < batch->count && batch->begun - batch->done < batch->atOnce )
        {
            supBegin( batch, batch->tasks + batch->begun );
        }
        if ( batch->done < batch->begun )
        {
            supAwaitOne( batch );
        }
        supTellDone( batch, &progress );
    }
    supProgress_End( &progress );
    supTellAll( batch, supNowSeconds() - start );
}

static void supEndBatch( supBakeBatch* batch )
{
    for ( int i = 0; i < batch->count; ++i )
    {
        supBakeTask* task = batch->tasks + i;
        free( task->in );
        free( task->out );
        json_decref( task->report );
        if ( task->answer != NULL )
        {
            fclose( task->answer );
        }
    }
    free( batch->tasks );
}

int supBakeMany( const supUsage* usage, const supBakeOptions* words )
{
    supBakeBatch batch = { .words = words };
    supError error = { 0 };
    const supBakeTask* first = NULL;
    int code = sup_exitFailed;
    supResult result = supListFiles( &batch, &error );
    const supBakeTask* clash = result == sup_success ? supFindClash( &batch, &first ) : NULL;
    if ( clash != NULL )
    {
        code = supReportMisuse( usage, "'%s' and '%s' would both become %s", first->in, clash->in, clash->out );
    }
    else if ( result != sup_success || supMakeFolders( words->outDir, &error ) != sup_success )
    {
        fprintf( stderr, "supple bake: %s\n", error.text );
    }
    else
    {
        supRunBatch( &batch );
        code = batch.failed > 0 ? sup_exitFailed : sup_exitOk;
    }
    supEndBatch( &batch );
    return code;
}
