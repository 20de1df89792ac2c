// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath

#include "io/file_write.h"

#include "io/files.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUP_MOST_TRIES 100
#define SUP_MOST_LINKS 40
#define SUP_STALE_SECONDS 600         ///< after which a temporary file of a process that is gone is removed
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

/// Where a link leads, from the folder that it stands in; NULL: it is none.
static char* supFollowLink( const char* path )
{
    char text[PATH_MAX];
    ssize_t length = readlink( path, text, sizeof( text ) - 1 );
    if ( length <= 0 )
    {
        return NULL;
    }
    text[length] = '\0';
    char* folder = text[0] == '/' ? NULL : supFolderOf( path );
    char* next = text[0] == '/' ? strdup( text ) : folder != NULL ? supJoinPath( folder, text ) : NULL;
    free( folder );
    return next;
}

// Where the bytes go: the end of links, so that a link stays one; also one to a file that is not there yet.
static char* supFindTarget( const char* path )
{
    char* real = realpath( path, NULL );
    if ( real == NULL && errno == ENOENT )
    {
        real = strdup( path );
        for ( int i = 0; i < SUP_MOST_LINKS && real != NULL; ++i )
        {
            char* next = supFollowLink( real );
            if ( next == NULL )
            {
                break;
            }
            free( real );
            real = next;
        }
    }
    return real;
}

/// The process that a temporary file, "NAME.PID-N.tmp", is of; 0: it is no such file.
static long supOwnerOf( const char* name )
{
    size_t length = strlen( name );
    long owner = 0;
    int try = 0, end = 0;
    if ( length < 5 || strcmp( name + length - 4, ".tmp" ) != 0 )
    {
        return 0;
    }
    size_t at = length - 4;
    while ( at > 0 && name[at - 1] != '.' )
    {
        at -= 1;
    }
    bool fits =
        sscanf( name + at, "%ld-%d.tmp%n", &owner, &try, &end ) == 2 && end > 0 && name[at + (size_t)end] == '\0';
    return fits && owner > 0 ? owner : 0;
}

/// Temporary files of a program that has ended without tidying up, killed or cut off, of this name or of files beside
/// it: removed where nobody has that number and it has stood for a while.
static void supSweepTemporaries( const char* target )
{
    char* folder = supFolderOf( target );
    const char* slash = strrchr( target, '/' );
    const char* name = slash != NULL ? slash + 1 : target;
    const char* dot = strrchr( name, '.' );
    size_t stem = dot != NULL ? (size_t)( dot - name ) : strlen( name );
    DIR* open = folder != NULL ? opendir( folder ) : NULL;
    for ( struct dirent* entry = open != NULL ? readdir( open ) : NULL; entry != NULL; entry = readdir( open ) )
    {
        long owner = strncmp( entry->d_name, name, stem ) == 0 ? supOwnerOf( entry->d_name ) : 0;
        struct stat info;
        bool isGone = owner > 0 && kill( (pid_t)owner, 0 ) != 0 && errno == ESRCH;
        if ( isGone && fstatat( dirfd( open ), entry->d_name, &info, AT_SYMLINK_NOFOLLOW ) == 0 &&
             S_ISREG( info.st_mode ) && time( NULL ) - info.st_mtime > SUP_STALE_SECONDS )
        {
            unlinkat( dirfd( open ), entry->d_name, 0 );
        }
    }
    if ( open != NULL )
    {
        closedir( open );
    }
    free( folder );
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
    if ( writer->target != NULL )
    {
        supSweepTemporaries( writer->target );
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

/// A name is on the disk once its folder is. Where that cannot be had the file itself is whole all the same.
static void supFlushFolderOf( const char* path )
{
    char* folder = supFolderOf( path );
    int descriptor = folder != NULL ? open( folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC ) : -1;
    if ( descriptor >= 0 )
    {
        (void)!fsync( descriptor );
        close( descriptor );
    }
    free( folder );
}

supResult supFileWriter_Commit( supFileWriter* writer, supError* error )
{
    if ( rename( writer->temporary, writer->target ) != 0 )
    {
        int code = errno;
        supFileWriter_Drop( writer );
        return supFailWrite( writer, code, error );
    }
    supFlushFolderOf( writer->target );
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
