// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath

#include "io/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUP_MOST_TRIES 100
#define SUP_PIECE ( (size_t)1 << 20 ) ///< bytes written between two looks for a waiting signal

/// Those that end a process unless it has other plans.
static sigset_t supEndingSignals( void )
{
    sigset_t signals;
    sigemptyset( &signals );
    sigaddset( &signals, SIGINT );
    sigaddset( &signals, SIGTERM );
    sigaddset( &signals, SIGHUP );
    return signals;
}

supHeldSignals supHoldSignals( void )
{
    supHeldSignals held;
    sigset_t signals = supEndingSignals();
    sigaddset( &signals, SIGXFSZ ); // a limit on file sizes: writing fails, and that is enough
    pthread_sigmask( SIG_BLOCK, &signals, &held.before );
    return held;
}

void supReleaseSignals( const supHeldSignals* held )
{
    if ( sigismember( &held->before, SIGXFSZ ) == 0 )
    {
        sigset_t limit;
        sigemptyset( &limit );
        sigaddset( &limit, SIGXFSZ );
        const struct timespec now = { 0, 0 };
        while ( sigtimedwait( &limit, NULL, &now ) > 0 )
        {
        }
    }
    pthread_sigmask( SIG_SETMASK, &held->before, NULL );
}

static bool supIsSignalWaiting( void )
{
    sigset_t waiting;
    return sigpending( &waiting ) == 0 &&
           ( sigismember( &waiting, SIGINT ) == 1 || sigismember( &waiting, SIGTERM ) == 1 ||
               sigismember( &waiting, SIGHUP ) == 1 );
}

static supResult supFailWrite( const supFileWriter* writer, int code, supError* error )
{
    return supFail( error, code == ENOMEM ? sup_errorMemory : sup_errorFile, "%s: cannot be written: %s", writer->path,
        strerror( code ) );
}

// Where the bytes go: the end of links, so that a link stays one.
static char* supFindTarget( const char* path )
{
    char* real = realpath( path, NULL );
    if ( real == NULL && errno == ENOENT )
    {
        size_t size = strlen( path ) + 1;
        real = malloc( size );
        if ( real != NULL )
        {
            memcpy( real, path, size );
        }
    }
    return real;
}

// "target.PID-N.tmp", one that nobody has. Gives a descriptor, or -1 with errno set.
static int supOpenTemporary( supFileWriter* writer )
{
    size_t size = strlen( writer->target ) + 40;
    writer->temporary = malloc( size );
    if ( writer->temporary == NULL )
    {
        errno = ENOMEM;
        return -1;
    }
    int descriptor = -1;
    for ( int i = 0; i < SUP_MOST_TRIES && descriptor < 0; ++i )
    {
        snprintf( writer->temporary, size, "%s.%ld-%d.tmp", writer->target, (long)getpid(), i );
        descriptor = open( writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666 );
        if ( descriptor < 0 && errno != EEXIST )
        {
            break;
        }
    }
    if ( descriptor < 0 )
    {
        int code = errno;
        free( writer->temporary );
        writer->temporary = NULL;
        errno = code;
    }
    return descriptor;
}

supResult supBeginFile( supFileWriter* writer, const char* path, supError* error )
{
    *writer = ( supFileWriter ){ .path = path };
    writer->target = supFindTarget( path );
    struct stat old;
    bool exists = writer->target != NULL && stat( writer->target, &old ) == 0;
    if ( exists && !S_ISREG( old.st_mode ) )
    {
        supFileWriter_Drop( writer );
        return supFail( error, sup_errorFile, "%s: cannot be written: not a regular file", path );
    }
    int descriptor = writer->target != NULL ? supOpenTemporary( writer ) : -1;
    if ( descriptor >= 0 && exists )
    {
        // A file system without modes may refuse; the content matters more.
        (void)!fchmod( descriptor, old.st_mode & 07777 );
    }
    writer->file = descriptor >= 0 ? fdopen( descriptor, "wb" ) : NULL;
    if ( writer->file == NULL )
    {
        int code = errno;
        if ( descriptor >= 0 )
        {
            close( descriptor );
        }
        supFileWriter_Drop( writer );
        return supFailWrite( writer, code, error );
    }
    return sup_success;
}

static void supRememberFailure( supFileWriter* writer, bool failed )
{
    if ( failed && !writer->failed )
    {
        writer->failed = true;
        writer->code = errno != 0 ? errno : EIO;
    }
}

void supFileWriter_Write( supFileWriter* writer, const void* data, size_t size )
{
    const char* bytes = data;
    for ( size_t at = 0; at < size && !writer->failed; )
    {
        size_t piece = size - at < SUP_PIECE ? size - at : SUP_PIECE;
        supRememberFailure( writer, fwrite( bytes + at, 1, piece, writer->file ) != piece );
        if ( supIsSignalWaiting() )
        {
            errno = EINTR;
            supRememberFailure( writer, true );
        }
        at += piece;
    }
}

supResult supFileWriter_Close( supFileWriter* writer, supError* error )
{
    supRememberFailure( writer, fflush( writer->file ) != 0 );
    supRememberFailure( writer, fsync( fileno( writer->file ) ) != 0 && errno != EINVAL && errno != ENOTSUP );
    supRememberFailure( writer, fclose( writer->file ) != 0 );
    writer->file = NULL;
    if ( writer->failed )
    {
        supFileWriter_Drop( writer );
        return supFailWrite( writer, writer->code, error );
    }
    return sup_success;
}

supResult supFileWriter_Commit( supFileWriter* writer, supError* error )
{
    if ( rename( writer->temporary, writer->target ) != 0 )
    {
        int code = errno;
        supFileWriter_Drop( writer );
        return supFailWrite( writer, code, error );
    }
    free( writer->temporary );
    writer->temporary = NULL;
    supFileWriter_Drop( writer );
    return sup_success;
}

void supFileWriter_Drop( supFileWriter* writer )
{
    if ( writer->file != NULL )
    {
        fclose( writer->file );
    }
    if ( writer->temporary != NULL )
    {
        unlink( writer->temporary );
    }
    free( writer->temporary );
    free( writer->target );
    writer->file = NULL;
    writer->temporary = NULL;
    writer->target = NULL;
}

supResult supWriteFile( const char* path, const void* data, size_t size, supError* error )
{
    supFileWriter writer;
    supHeldSignals held = supHoldSignals();
    supResult result = supBeginFile( &writer, path, error );
    if ( result == sup_success )
    {
        supFileWriter_Write( &writer, data, size );
        result = supFileWriter_Close( &writer, error );
    }
    result = result == sup_success ? supFileWriter_Commit( &writer, error ) : result;
    supReleaseSignals( &held );
    return result;
}
