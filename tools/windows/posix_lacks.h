// What POSIX has and Windows lacks, as far as src/io and the program ask for it: put in front of every file of theirs
// (-include). Paths are UTF-8, with slashes, and as long as they like. Files have no modes and no links.
// SPDX-License-Identifier: MIT
#pragma once

// before the names below take their places
#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define O_NONBLOCK 0
#define O_CLOEXEC 0
#define O_DIRECTORY 0
#ifndef PATH_MAX
#    define PATH_MAX 4096
#endif
#undef PATH_MAX
#define PATH_MAX 32768
#ifndef ENOTSUP
#    define ENOTSUP 129
#endif

struct supWindowsStat
{
    uint64_t st_dev, st_ino;
    int64_t st_size;
    time_t st_mtime;
    unsigned st_mode;
};

int supWindowsStat( const char* path, struct supWindowsStat* out );
int supWindowsFstat( int descriptor, struct supWindowsStat* out );
int supWindowsOpen( const char* path, int flags, ... );
FILE* supWindowsFopen( const char* path, const char* mode );
int supWindowsMkdir( const char* path, int mode );
int supWindowsAccess( const char* path, int how );
int supWindowsUnlink( const char* path );
/// Takes the place of a file that is there.
int supWindowsRename( const char* from, const char* to );
char* supWindowsRealpath( const char* path, char* resolved );
DIR* supWindowsOpendir( const char* path );

#undef stat
#undef fstat
#define stat supWindowsStat
#define fstat supWindowsFstat
#define open supWindowsOpen
#define fopen supWindowsFopen
#define mkdir supWindowsMkdir
#define access supWindowsAccess
#define unlink supWindowsUnlink
#define rename supWindowsRename
#define realpath supWindowsRealpath
#define opendir supWindowsOpendir

/// Nothing: leftovers of other processes are not swept up here.
#define readdir( folder ) ( (struct dirent*)NULL )
#define closedir( folder ) (void)( folder )
#define dirfd( folder ) ( (void)( folder ), -1 )
#define AT_SYMLINK_NOFOLLOW 0
#define fstatat( folder, name, out, flags ) ( (void)( out ), -1 )
#define unlinkat( folder, name, flags ) ( -1 )
#define kill( process, number ) ( 0 )
#define readlink( path, text, size ) ( (void)( text ), (ssize_t)-1 )
#define fchmod( descriptor, mode ) ( (void)( mode ), 0 )
#define fsync _commit

char* strndup( const char* text, size_t most );
void* memmem( const void* in, size_t inSize, const void* what, size_t whatSize );

// Signals: Ctrl-C ends the program, and that is all.
#define SIGHUP 1
#define SIGXFSZ 25
#define SIG_BLOCK 0
#define SIG_SETMASK 2
#define SA_RESETHAND 0
typedef unsigned supSignalSet;
#define sigset_t supSignalSet
struct sigaction
{
    void ( *sa_handler )( int number );
    int sa_flags;
    sigset_t sa_mask;
};
#define sigemptyset( set ) ( *( set ) = 0u )
#define sigaddset( set, number ) ( *( set ) |= 1u << ( number ) )
#define sigismember( set, number ) ( (int)( *( set ) >> (number)&1u ) )
#define sigpending( set ) ( *( set ) = 0u, 0 )
#define sigtimedwait( set, info, timeout ) ( (void)( set ), (void)( timeout ), -1 )
#undef pthread_sigmask
#define pthread_sigmask( how, set, old ) (void)( set ), (void)( old )
#define sigaction( number, action, old ) supWindowsSigaction( number, action, old )
int supWindowsSigaction( int number, const struct sigaction* action, struct sigaction* old );
