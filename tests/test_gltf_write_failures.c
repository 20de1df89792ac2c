// When writing fails or is interrupted, the old file stays and no half-written one appears.
#include "io/gltf_document.h"
#include "support/gltf_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
// cmocka wants the headers above first
#include <cmocka.h>

#define SUP_BIG ( (size_t)6 << 20 ) // bytes: several pieces of writing

static const supLog sup_silence = { NULL, NULL };

/// A document with one big buffer.
static supGltf* supOpenBig( void )
{
    char json[256];
    snprintf( json, sizeof( json ),
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}]}",
        SUP_BIG, SUP_BIG );
    uint8_t* bin = calloc( 1, SUP_BIG );
    size_t size;
    uint8_t* file = supMakeGlb( json, bin, SUP_BIG, &size );
    supGltf* document;
    assert_int_equal( supOpenGltfMemory( file, size, "big.glb", NULL, sup_silence, &document, NULL ), sup_success );
    free( bin );
    free( file );
    return document;
}

static int supCountFiles( const char* folder )
{
    int count = 0;
    DIR* open = opendir( folder );
    for ( struct dirent* entry = open != NULL ? readdir( open ) : NULL; entry != NULL; entry = readdir( open ) )
    {
        count += entry->d_name[0] != '.' ? 1 : 0;
    }
    if ( open != NULL )
    {
        closedir( open );
    }
    return count;
}

/// Writing must fail, name the path and say why; the folder must hold what it held.
static void supCheckRefusal( const supGltf* document, const char* folder, const char* path, const char* why )
{
    int before = supCountFiles( folder );
    supError error = { 0 };
    assert_int_equal( supGltf_Write( document, path, &error ), sup_errorFile );
    print_message( "%s\n", error.text );
    const char* dot = strrchr( path, '.' ); // a .gltf's own .bin may be what fails
    assert_int_equal( strncmp( error.text, path, dot != NULL ? (size_t)( dot - path ) : strlen( path ) ), 0 );
    assert_non_null( strstr( error.text, why ) );
    assert_int_equal( supCountFiles( folder ), before );
}

static void supTestUnwritable( void** state )
{
    (void)state;
    char folder[256], path[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    supGltf* document = supOpenBig();
    static const char* const endings[] = { "glb", "gltf" };
    for ( int i = 0; i < 2; ++i )
    {
        snprintf( path, sizeof( path ), "%s/missing/out.%s", folder, endings[i] );
        supCheckRefusal( document, folder, path, strerror( ENOENT ) );
        snprintf( path, sizeof( path ), "%s/file", folder );
        supWriteWhole( path, "x", 1 );
        snprintf( path, sizeof( path ), "%s/file/out.%s", folder, endings[i] );
        supCheckRefusal( document, folder, path, strerror( ENOTDIR ) );
        snprintf( path, sizeof( path ), "%s/folder.%s", folder, endings[i] );
        mkdir( path, 0777 );
        supCheckRefusal( document, folder, path, "not a regular file" );
    }
    snprintf( path, sizeof( path ), "/dev/full" );
    supCheckRefusal( document, folder, path, "not a regular file" );
    supCloseGltf( document );
    supRemoveTestFolder( folder );
}

/// Runs a check in a process of its own, for what would change this one. The child says with its exit code whether all
/// was well.
static int supRunApart( int ( *check )( const char* folder ), const char* folder )
{
    fflush( NULL );
    pid_t child = fork();
    assert_true( child >= 0 );
    if ( child == 0 )
    {
        _exit( check( folder ) );
    }
    int status = 0;
    assert_int_equal( waitpid( child, &status, 0 ), child );
    return WIFEXITED( status ) ? WEXITSTATUS( status ) : 128 + WTERMSIG( status );
}

/// A limit on file sizes stands for a full disk: writing stops in the middle with an error.
static int supWriteWithLimit( const char* folder )
{
    char path[512];
    struct rlimit limit = { SUP_BIG / 2, SUP_BIG / 2 };
    supGltf* document = supOpenBig();
    supError error = { 0 };
    if ( setrlimit( RLIMIT_FSIZE, &limit ) != 0 )
    {
        return 2;
    }
    snprintf( path, sizeof( path ), "%s/out.glb", folder );
    supResult binary = supGltf_Write( document, path, &error );
    bool named = strncmp( error.text, path, strlen( path ) ) == 0;
    snprintf( path, sizeof( path ), "%s/out.gltf", folder );
    supResult text = supGltf_Write( document, path, &error );
    supCloseGltf( document );
    return binary == sup_errorFile && text == sup_errorFile && named ? 0 : 1;
}

static void supTestFullDisk( void** state )
{
    (void)state;
    char folder[256], path[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/out.glb", folder );
    supWriteWhole( path, "old", 3 );
    assert_int_equal( supRunApart( supWriteWithLimit, folder ), 0 );
    assert_int_equal( supCountFiles( folder ), 1 );
    size_t size;
    uint8_t* data = supReadWhole( path, &size );
    assert_int_equal( size, 3 );
    assert_memory_equal( data, "old", 3 );
    free( data );
    supRemoveTestFolder( folder );
}

/// As nobody: root may write anywhere.
static int supWriteAsNobody( const char* folder )
{
    char path[512];
    snprintf( path, sizeof( path ), "%s/out.glb", folder );
    supGltf* document = supOpenBig();
    if ( chmod( folder, 0555 ) != 0 || ( getuid() == 0 && setuid( 65534 ) != 0 ) )
    {
        return 2;
    }
    supError error = { 0 };
    supResult result = supGltf_Write( document, path, &error );
    supCloseGltf( document );
    return result == sup_errorFile && strstr( error.text, strerror( EACCES ) ) != NULL ? 0 : 1;
}

static void supTestReadOnlyFolder( void** state )
{
    (void)state;
    char folder[256];
    supMakeTestFolder( folder, sizeof( folder ) );
    assert_int_equal( supRunApart( supWriteAsNobody, folder ), 0 );
    assert_int_equal( supCountFiles( folder ), 0 );
    chmod( folder, 0777 );
    supRemoveTestFolder( folder );
}

/// The signal waits already when writing starts: it is found after the first piece, in the middle of the file.
static int supWriteWithSignalWaiting( const char* folder )
{
    char path[512];
    snprintf( path, sizeof( path ), "%s/out.glb", folder );
    supGltf* document = supOpenBig();
    sigset_t signals;
    sigemptyset( &signals );
    sigaddset( &signals, SIGTERM );
    sigprocmask( SIG_BLOCK, &signals, NULL );
    raise( SIGTERM );
    supError error = { 0 };
    supResult result = supGltf_Write( document, path, &error );
    supCloseGltf( document );
    return result == sup_errorFile && supCountFiles( folder ) == 0 ? 0 : 1;
}

static void supTestInterruptInside( void** state )
{
    (void)state;
    char folder[256];
    supMakeTestFolder( folder, sizeof( folder ) );
    assert_int_equal( supRunApart( supWriteWithSignalWaiting, folder ), 0 );
    supRemoveTestFolder( folder );
}

static void supWait( long microseconds )
{
    struct timespec time = { 0, 1000 * microseconds };
    nanosleep( &time, NULL );
}

static int supWriteForever( const char* folder )
{
    char path[512];
    snprintf( path, sizeof( path ), "%s/out.gltf", folder );
    supGltf* document = supOpenBig();
    while ( supGltf_Write( document, path, NULL ) == sup_success )
    {
    }
    return 1;
}

/// Interrupts from outside, at whatever moment they come: the process ends by the signal; its files are whole, and no
/// others are there.
static void supTestInterruptFromOutside( void** state )
{
    (void)state;
    for ( int i = 0; i < 10; ++i )
    {
        char folder[256], path[512];
        supMakeTestFolder( folder, sizeof( folder ) );
        snprintf( path, sizeof( path ), "%s/out.gltf", folder );
        fflush( NULL );
        pid_t child = fork();
        assert_true( child >= 0 );
        if ( child == 0 )
        {
            _exit( supWriteForever( folder ) );
        }
        while ( access( path, R_OK ) != 0 )
        {
            supWait( 500 );
        }
        supWait( 1000 * i );
        kill( child, i % 2 == 0 ? SIGINT : SIGTERM );
        int status = 0;
        assert_int_equal( waitpid( child, &status, 0 ), child );
        assert_true( WIFSIGNALED( status ) );
        assert_int_equal( supCountFiles( folder ), 2 ); // out.gltf and out.bin
        supGltf* document;
        assert_int_equal( supOpenGltf( path, sup_silence, &document, NULL ), sup_success );
        supCloseGltf( document );
        supRemoveTestFolder( folder );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Ended between two renames

static int sup_renames, sup_killedAt; // 0: never

/// The library's calls come here.
int rename( const char* from, const char* to )
{
    sup_renames += 1;
    if ( sup_renames == sup_killedAt )
    {
        raise( SIGKILL );
    }
    return renameat( AT_FDCWD, from, AT_FDCWD, to );
}

/// A document that says `value`, over a buffer of that value.
static supGltf* supOpenMarked( uint8_t value )
{
    char json[160];
    uint8_t bin[64];
    size_t size;
    snprintf( json, sizeof( json ),
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%d\"},\"buffers\":[{\"byteLength\":64}]}", value );
    memset( bin, value, sizeof( bin ) );
    uint8_t* file = supMakeGlb( json, bin, sizeof( bin ), &size );
    supGltf* document = NULL;
    assert_int_equal( supOpenGltfMemory( file, size, "a.glb", NULL, sup_silence, &document, NULL ), sup_success );
    free( file );
    return document;
}

/// What a document says; fails the test where its bytes say something else.
static int supReadMark( const char* path )
{
    supGltf* document = NULL;
    supError error = { 0 };
    if ( supOpenGltf( path, sup_silence, &document, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    const char* text = json_string_value( json_object_get( json_object_get( document->root, "asset" ), "generator" ) );
    int mark = atoi( text );
    assert_int_equal( document->bufferCount, 1 );
    for ( size_t i = 0; i < document->buffers[0].byteLength; ++i )
    {
        assert_int_equal( document->buffers[0].data[i], mark );
    }
    supCloseGltf( document );
    return mark;
}

static void supWriteMarked( const char* path, uint8_t value )
{
    supGltf* document = supOpenMarked( value );
    supError error = { 0 };
    if ( supGltf_Write( document, path, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supCloseGltf( document );
}

/// A .gltf and its .bin are two files, and a program may end between them: then the old document stands on the old
/// bytes, or the new one on the new ones. What it leaves behind is swept away later.
static void supTestKilledBetweenRenames( void** state )
{
    (void)state;
    char folder[256], path[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/a.gltf", folder );
    supWriteMarked( path, 1 );
    for ( int round = 0; round < 6; ++round )
    {
        uint8_t value = (uint8_t)( 2 + round );
        int before = supReadMark( path );
        pid_t child = fork();
        if ( child == 0 )
        {
            sup_renames = 0;
            sup_killedAt = 1 + round % 3;
            supWriteMarked( path, value );
            _exit( 0 );
        }
        int status = 0;
        assert_int_equal( waitpid( child, &status, 0 ), child );
        int after = supReadMark( path );
        assert_int_equal( after, WIFSIGNALED( status ) ? before : value );
        assert_true( WIFSIGNALED( status ) == ( round % 3 < 2 ) );
    }
    // the same once more: as two files, and nothing beside them once what was left is old
    DIR* open = opendir( folder );
    for ( struct dirent* entry = readdir( open ); entry != NULL; entry = readdir( open ) )
    {
        const struct timespec old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
        if ( strstr( entry->d_name, ".tmp" ) != NULL )
        {
            assert_int_equal( utimensat( dirfd( open ), entry->d_name, old, 0 ), 0 );
        }
    }
    closedir( open );
    supWriteMarked( path, 9 );
    supWriteMarked( path, 9 );
    assert_int_equal( supReadMark( path ), 9 );
    assert_true( supCountFiles( folder ) == 2 + 2 ); // and those .bin that were renamed for a document that never came
    supRemoveTestFolder( folder );
}

/// A pipe is neither read from nor waited for.
static void supTestPipe( void** state )
{
    (void)state;
    char folder[256], path[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/a.gltf", folder );
    assert_int_equal( mkfifo( path, 0666 ), 0 );
    supGltf* document = supOpenMarked( 1 );
    supError error = { 0 };
    alarm( 60 );
    assert_int_equal( supGltf_Write( document, path, &error ), sup_errorFile );
    alarm( 0 );
    assert_non_null( strstr( error.text, "not a regular file" ) );
    assert_int_equal( supCountFiles( folder ), 1 );
    supCloseGltf( document );
    supRemoveTestFolder( folder );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestUnwritable ),
        cmocka_unit_test( supTestFullDisk ),
        cmocka_unit_test( supTestReadOnlyFolder ),
        cmocka_unit_test( supTestInterruptInside ),
        cmocka_unit_test( supTestInterruptFromOutside ),
        cmocka_unit_test( supTestKilledBetweenRenames ),
        cmocka_unit_test( supTestPipe ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
