// Loaded before the C library (LD_PRELOAD): counts the program's calls of the system, and lets one of them fail or end
// the program.
//
//     SUP_FAULT=rename:2          the second rename fails
//     SUP_FAULT=fwrite:3:kill     the program is killed before its third fwrite; `term` sends it SIGTERM instead
//     SUP_FAULT=malloc:40:on      from the fortieth allocation on, none is served
//     SUP_FAULT_COUNTS=FILE       how often each was called, a line each, when the program ends
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// name, errno where it fails
#define SUP_CALLS( X )                                                                                                 \
    X( open, EACCES )                                                                                                  \
    X( read, EIO )                                                                                                     \
    X( write, ENOSPC )                                                                                                 \
    X( close, EIO )                                                                                                    \
    X( fopen, EMFILE )                                                                                                 \
    X( fdopen, ENOMEM )                                                                                                \
    X( fread, EIO )                                                                                                    \
    X( fwrite, ENOSPC )                                                                                                \
    X( fflush, ENOSPC )                                                                                                \
    X( fclose, ENOSPC )                                                                                                \
    X( fsync, EIO )                                                                                                    \
    X( rename, EACCES )                                                                                                \
    X( unlink, EACCES )                                                                                                \
    X( mkdir, EROFS )                                                                                                  \
    X( opendir, EMFILE )                                                                                               \
    X( stat, EIO )                                                                                                     \
    X( fstat, EIO )                                                                                                    \
    X( fchmod, EPERM )                                                                                                 \
    X( readlink, EIO )                                                                                                 \
    X( realpath, ENOMEM )                                                                                              \
    X( fork, EAGAIN )                                                                                                  \
    X( waitpid, EINTR )                                                                                                \
    X( tmpfile, EMFILE )                                                                                               \
    X( pthread_create, EAGAIN )                                                                                        \
    X( malloc, ENOMEM )

#define SUP_ENUM( name, code ) sup_call_##name,
enum
{
    SUP_CALLS( SUP_ENUM ) sup_callCount
};

#define SUP_NAME( name, code ) #name,
static const char* const sup_names[] = { SUP_CALLS( SUP_NAME ) };
#define SUP_CODE( name, code ) code,
static const int sup_codes[] = { SUP_CALLS( SUP_CODE ) };

static long sup_counts[sup_callCount];
static int sup_chosen = -1, sup_how; // 0 fails, 1 killed, 2 terminated, 3 fails from then on
static long sup_at;
static int sup_isReady;

__attribute__( ( constructor ) ) static void supStartFaults( void )
{
    char name[32] = "", how[8] = "";
    const char* fault = getenv( "SUP_FAULT" );
    if ( fault != NULL && sscanf( fault, "%31[^:]:%ld:%7s", name, &sup_at, how ) >= 2 )
    {
        for ( int i = 0; i < sup_callCount; ++i )
        {
            sup_chosen = strcmp( name, sup_names[i] ) == 0 ? i : sup_chosen;
        }
        sup_how = strcmp( how, "kill" ) == 0 ? 1 : strcmp( how, "term" ) == 0 ? 2 : strcmp( how, "on" ) == 0 ? 3 : 0;
    }
    sup_isReady = 1;
}

__attribute__( ( destructor ) ) static void supTellCounts( void )
{
    const char* path = getenv( "SUP_FAULT_COUNTS" );
    sup_isReady = 0;
    if ( path == NULL )
    {
        return;
    }
    FILE* file = fopen( path, "w" );
    for ( int i = 0; file != NULL && i < sup_callCount; ++i )
    {
        fprintf( file, "%s %ld\n", sup_names[i], sup_counts[i] );
    }
    if ( file != NULL )
    {
        fclose( file );
    }
}

/// Inside jansson's parser, which has bugs of its own where memory ends (src/io/json_text.h).
static __thread int sup_isSpared;

/// Whether this call is the one.
static int supFails( int call )
{
    if ( !sup_isReady || sup_isSpared )
    {
        return 0;
    }
    long count = __atomic_add_fetch( sup_counts + call, 1, __ATOMIC_RELAXED );
    if ( call != sup_chosen || ( sup_how == 3 ? count < sup_at : count != sup_at ) )
    {
        return 0;
    }
    if ( sup_how == 1 || sup_how == 2 )
    {
        kill( getpid(), sup_how == 1 ? SIGKILL : SIGTERM );
        return 0;
    }
    errno = sup_codes[call];
    return 1;
}

#define SUP_NEXT( name ) ( (__typeof__( &name ))dlsym( RTLD_NEXT, #name ) )
// Calls with the same words in and out.
#define SUP_WRAP( type, name, failed, parameters, ... )                                                                \
    type name parameters                                                                                               \
    {                                                                                                                  \
        return supFails( sup_call_##name ) ? ( failed ) : SUP_NEXT( name )( __VA_ARGS__ );                             \
    }

SUP_WRAP( ssize_t, read, -1, ( int file, void* to, size_t size ), file, to, size )
SUP_WRAP( ssize_t, write, -1, ( int file, const void* from, size_t size ), file, from, size )
SUP_WRAP( FILE*, fopen, NULL, ( const char* path, const char* mode ), path, mode )
SUP_WRAP( FILE*, fdopen, NULL, ( int file, const char* mode ), file, mode )
SUP_WRAP( size_t, fread, 0, ( void* to, size_t size, size_t count, FILE* file ), to, size, count, file )
SUP_WRAP( int, fsync, -1, ( int file ), file )
SUP_WRAP( int, rename, -1, ( const char* from, const char* to ), from, to )
SUP_WRAP( int, unlink, -1, ( const char* path ), path )
SUP_WRAP( int, mkdir, -1, ( const char* path, mode_t mode ), path, mode )
SUP_WRAP( DIR*, opendir, NULL, ( const char* path ), path )
SUP_WRAP( int, stat, -1, ( const char* path, struct stat* to ), path, to )
SUP_WRAP( int, fstat, -1, ( int file, struct stat* to ), file, to )
SUP_WRAP( int, fchmod, -1, ( int file, mode_t mode ), file, mode )
SUP_WRAP( ssize_t, readlink, -1, ( const char* path, char* to, size_t size ), path, to, size )
SUP_WRAP( char*, realpath, NULL, ( const char* path, char* to ), path, to )
SUP_WRAP( pid_t, fork, -1, (void), )
SUP_WRAP( pid_t, waitpid, -1, ( pid_t child, int* status, int how ), child, status, how )
SUP_WRAP( FILE*, tmpfile, NULL, (void), )
SUP_WRAP( int, pthread_create, EAGAIN,
    ( pthread_t * thread, const pthread_attr_t* how, void* ( *run )(void*), void* user ), thread, how, run, user )

int open( const char* path, int flags, ... )
{
    va_list rest;
    va_start( rest, flags );
    mode_t mode = ( flags & O_CREAT ) != 0 ? va_arg( rest, mode_t ) : 0;
    va_end( rest );
    return supFails( sup_call_open ) ? -1 : SUP_NEXT( open )( path, flags, mode );
}

/// These give their resources back even where they fail.
int close( int file )
{
    int failed = supFails( sup_call_close ), code = errno;
    int result = SUP_NEXT( close )( file );
    errno = failed ? code : errno;
    return failed ? -1 : result;
}

int fclose( FILE* file )
{
    int failed = supFails( sup_call_fclose ), code = errno;
    int result = SUP_NEXT( fclose )( file );
    errno = failed ? code : errno;
    return failed ? EOF : result;
}

/// Half of the bytes arrive.
size_t fwrite( const void* from, size_t size, size_t count, FILE* file )
{
    if ( supFails( sup_call_fwrite ) )
    {
        int code = errno;
        SUP_NEXT( fwrite )( from, size, count / 2, file );
        errno = code;
        return count / 2;
    }
    return SUP_NEXT( fwrite )( from, size, count, file );
}

int fflush( FILE* file )
{
    return supFails( sup_call_fflush ) ? EOF : SUP_NEXT( fflush )( file );
}

typedef struct json_t json_t;
json_t* json_loadb( const char* text, size_t size, size_t flags, void* error );
json_t* json_loadf( FILE* file, size_t flags, void* error );

json_t* json_loadb( const char* text, size_t size, size_t flags, void* error )
{
    __typeof__( &json_loadb ) next = SUP_NEXT( json_loadb );
    sup_isSpared = 1;
    json_t* root = next( text, size, flags, error );
    sup_isSpared = 0;
    return root;
}

json_t* json_loadf( FILE* file, size_t flags, void* error )
{
    __typeof__( &json_loadf ) next = SUP_NEXT( json_loadf );
    sup_isSpared = 1;
    json_t* root = next( file, flags, error );
    sup_isSpared = 0;
    return root;
}

#ifndef SUP_FAULTS_LEAVE_MEMORY
// The C library's own names: dlsym itself allocates.
void* __libc_malloc( size_t size );
void* __libc_calloc( size_t count, size_t size );
void* __libc_realloc( void* block, size_t size );
void* __libc_memalign( size_t alignment, size_t size );

void* malloc( size_t size )
{
    return supFails( sup_call_malloc ) ? NULL : __libc_malloc( size );
}

void* calloc( size_t count, size_t size )
{
    return supFails( sup_call_malloc ) ? NULL : __libc_calloc( count, size );
}

void* realloc( void* block, size_t size )
{
    return supFails( sup_call_malloc ) ? NULL : __libc_realloc( block, size );
}

void* aligned_alloc( size_t alignment, size_t size )
{
    return supFails( sup_call_malloc ) ? NULL : __libc_memalign( alignment, size );
}

int posix_memalign( void** out, size_t alignment, size_t size )
{
    void* block = supFails( sup_call_malloc ) ? NULL : __libc_memalign( alignment, size );
    *out = block != NULL ? block : *out;
    return block != NULL ? 0 : ENOMEM;
}
#endif
