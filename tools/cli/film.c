// GIF and MP4: frames are handed to the program ffmpeg, where it is installed.
// SPDX-License-Identifier: MIT
#include "film.h"

#include "input.h"
#include "regular_file.h"
#include "supple/lab/files.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct supFilm
{
    supFilmDef def;
    char temporary[PATH_MAX]; ///< beside the film, which it is written to at the end
    pid_t child;
    int frames;  ///< where they are written to
    FILE* words; ///< what ffmpeg says of failures
    struct sigaction pipeWas;
};

bool supIsFilmName( const char* path )
{
    return supEndsWith( path, ".gif" ) || supEndsWith( path, ".mp4" );
}

supResult supFindFilmMaker( const char* path, supError* error )
{
    const char* places = getenv( "PATH" );
    char program[PATH_MAX];
    while ( places != NULL && places[0] != '\0' )
    {
        int length = (int)strcspn( places, ":" );
        snprintf( program, sizeof( program ), "%.*s/ffmpeg", length, places );
        if ( length > 0 && access( program, X_OK ) == 0 )
        {
            return sup_success;
        }
        places += length + ( places[length] == ':' ? 1 : 0 );
    }
    return supFail( error, sup_errorUnsupported,
        "%s: the program ffmpeg makes such films, and it is not installed; a film that ends in .webp needs nothing",
        path );
}

/// The words that ffmpeg is called with; `texts` holds those that are made here.
static void supListFilmWords( const supFilm* film, char texts[3][32], const char* words[40] )
{
    const supFilmDef* def = &film->def;
    bool isGif = supEndsWith( def->path, ".gif" );
    snprintf( texts[0], 32, "%dx%d", def->width, def->height );
    snprintf( texts[1], 32, "%.6g", def->fps );
    snprintf( texts[2], 32, "%.0f", 51.0 - 0.38 * (double)def->quality ); // 75: 22, which few can tell from the frames
    int count = 0;
    const char* const all[] = { "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
        "-s", texts[0], "-r", texts[1], "-i", "pipe:0" };
    const char* const gif[] = { "-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse",
        "-loop", "0", "-f", "gif" };
    const char* const mp4[] = { "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        "-crf", texts[2], "-movflags", "+faststart", "-f", "mp4" };
    for ( size_t i = 0; i < sizeof( all ) / sizeof( all[0] ); ++i )
    {
        words[count++] = all[i];
    }
    size_t size = isGif ? sizeof( gif ) / sizeof( gif[0] ) : sizeof( mp4 ) / sizeof( mp4[0] );
    for ( size_t i = 0; i < size; ++i )
    {
        words[count++] = isGif ? gif[i] : mp4[i];
    }
    words[count++] = film->temporary;
    words[count] = NULL;
}

/// In the child: becomes ffmpeg, which reads frames and speaks into a file.
static void supBecomeFilmMaker( const supFilm* film, int frames )
{
    char texts[3][32];
    const char* words[40];
    supListFilmWords( film, texts, words );
    dup2( frames, STDIN_FILENO );
    dup2( fileno( film->words ), STDOUT_FILENO );
    dup2( fileno( film->words ), STDERR_FILENO );
    execvp( words[0], (char* const*)words );
    _exit( 127 );
}

supResult supStartFilm( const supFilmDef* def, supFilm** out, supError* error )
{
    *out = NULL;
    int ends[2] = { -1, -1 };
    supFilm* film = calloc( 1, sizeof( supFilm ) );
    FILE* words = tmpfile();
    if ( film == NULL || words == NULL || pipe( ends ) != 0 )
    {
        if ( words != NULL )
        {
            fclose( words );
        }
        free( film );
        return supFail( error, sup_errorFile, "%s: ffmpeg cannot be started: %s", def->path, strerror( errno ) );
    }
    film->def = *def;
    film->words = words;
    film->frames = ends[1];
    int length = snprintf( film->temporary, sizeof( film->temporary ), "%s.%d.part", def->path, (int)getpid() );
    // ffmpeg takes a name that starts with a dash for an option
    if ( def->path[0] == '-' )
    {
        length = snprintf( film->temporary, sizeof( film->temporary ), "./%s.%d.part", def->path, (int)getpid() );
    }
    fflush( stdout );
    film->child = length < (int)sizeof( film->temporary ) ? fork() : -1;
    if ( film->child == 0 )
    {
        close( ends[1] );
        supBecomeFilmMaker( film, ends[0] );
    }
    close( ends[0] );
    if ( film->child < 0 )
    {
        close( ends[1] );
        fclose( words );
        free( film );
        return supFail( error, sup_errorFile, "%s: ffmpeg cannot be started", def->path );
    }
    // an ffmpeg that gives up must not end the program that writes to it
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigaction( SIGPIPE, &ignore, &film->pipeWas );
    *out = film;
    return sup_success;
}

supResult supFilm_Add( supFilm* film, const supPixels* frame, supError* error )
{
    const char* at = (const char*)frame->data;
    size_t left = 4 * (size_t)film->def.width * (size_t)film->def.height;
    while ( left > 0 )
    {
        ssize_t written = write( film->frames, at, left );
        if ( written < 0 && errno == EINTR )
        {
            continue;
        }
        if ( written <= 0 )
        {
            return supFail( error, sup_errorFile, "%s: ffmpeg stopped", film->def.path );
        }
        at += written;
        left -= (size_t)written;
    }
    return sup_success;
}

/// The first line of what ffmpeg said.
static void supReadFilmWords( FILE* words, char* text, size_t size )
{
    rewind( words );
    if ( fgets( text, (int)size, words ) == NULL )
    {
        snprintf( text, size, "it says nothing" );
    }
    text[strcspn( text, "\r\n" )] = '\0';
}

supResult supFilm_End( supFilm* film, bool keep, supError* error )
{
    int status = 0;
    char words[200];
    close( film->frames );
    while ( waitpid( film->child, &status, 0 ) < 0 && errno == EINTR )
    {
    }
    sigaction( SIGPIPE, &film->pipeWas, NULL );
    bool made = WIFEXITED( status ) && WEXITSTATUS( status ) == 0;
    supResult result = sup_success;
    if ( !made )
    {
        supReadFilmWords( film->words, words, sizeof( words ) );
        result = supFail( error, sup_errorFile, "%s: ffmpeg failed: %s", film->def.path, words );
    }
    else if ( keep )
    {
        supBytes bytes;
        result = supReadBytes( film->temporary, &bytes, error );
        result = result == sup_success ? supWriteFile( film->def.path, bytes.data, bytes.size, error ) : result;
        free( bytes.data );
    }
    remove( film->temporary );
    fclose( film->words );
    free( film );
    return result;
}
