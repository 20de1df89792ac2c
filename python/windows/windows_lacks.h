// What POSIX has and Windows lacks, or has under other names, as far as src/io asks for it: put in front of every file
// of its (-include), for the DLL of the Python package and the add-on. Paths are UTF-8. Windows ends programs otherwise
// than by signals, so none is held back; temporary files of programs that have ended are not looked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <direct.h>
#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

typedef unsigned sigset_t;
#define SIGHUP 1
#define SIGXFSZ 25
#define SIG_BLOCK 0
#define SIG_SETMASK 2
#define sigemptyset( set ) ( *( set ) = 0u )
#define sigaddset( set, signal ) ( *( set ) |= 1u << ( signal ) )
#define sigismember( set, signal ) ( (int)( *( set ) >> (signal)&1u ) )
#define sigpending( set ) ( *( set ) = 0u, 0 )
#define sigtimedwait( set, info, time ) ( (void)( set ), (void)( time ), -1 )
#undef pthread_sigmask
#define pthread_sigmask( how, set, before ) supWindowsMask( set, before )

#define O_NONBLOCK 0
#define O_DIRECTORY 0
#define O_CLOEXEC ( _O_BINARY | _O_NOINHERIT )
#define AT_SYMLINK_NOFOLLOW 0

#define open( ... ) supWindowsOpen( __VA_ARGS__, 0 )
#define stat( path, status ) supWindowsStat( path, status )
#define mkdir( path, mode ) supWindowsMakeFolder( path )
#define rename( from, to ) supWindowsRename( from, to )
#define unlink( path ) supWindowsRemove( path )
#define fsync( descriptor ) _commit( descriptor )
#define fchmod( descriptor, mode ) ( (void)( descriptor ), (void)( mode ), 0 )
#define realpath( path, resolved ) supWindowsRealPath( path )
#define readlink( path, text, size ) ( (void)( path ), (void)( text ), -1 )
#define kill( process, signal ) ( (void)( process ), 0 )
#define opendir( path ) ( (void)( path ), (DIR*)NULL )
#define dirfd( folder ) ( (void)( folder ), -1 )
#define fstatat( folder, name, status, flags ) ( (void)( folder ), (void)( name ), (void)( status ), -1 )
#define unlinkat( folder, name, flags ) (void)( folder ), (void)( name )
#define strndup( text, length ) supWindowsCopyText( text, length )
#define memmem( where, size, what, length ) supWindowsFind( where, size, what, length )

int supWindowsMask( const sigset_t* set, sigset_t* before );
int supWindowsOpen( const char* path, int flags, ... );
int supWindowsStat( const char* path, struct stat* status );
int supWindowsMakeFolder( const char* path );
int supWindowsRename( const char* from, const char* to );
int supWindowsRemove( const char* path );
char* supWindowsRealPath( const char* path );
char* supWindowsCopyText( const char* text, size_t length );
void* supWindowsFind( const void* where, size_t size, const void* what, size_t length );
