// Supple io: files that appear whole or not at all. Internal to src/io.
// SPDX-License-Identifier: MIT
//
//     supFileWriter writer;
//     supResult result = supBeginFile( &writer, path, error );     // opens a temporary file beside `path`
//     supFileWriter_Write( &writer, data, size );                  // failures are remembered
//     result = supFileWriter_Close( &writer, error );              // flushed to the disk
//     result = supFileWriter_Commit( &writer, error );             // renamed; or supFileWriter_Drop: as if never begun
//
// Several files that belong together: begin, write and close all of them, then commit all of them.
//
// An interrupt (Ctrl-C, a terminating signal, a hang-up) must not leave a temporary file behind. Handlers would be
// global state; instead the signals are held back from the calling thread while files are written, looked for between
// pieces, and let through when all is tidy:
//
//     supHeldSignals held = supHoldSignals();
//     ... begin, write, close, commit; a write that finds a signal waiting fails ...
//     supReleaseSignals( &held );                                  // here the signal takes its effect
#pragma once

#include "supple/base.h"

#include <signal.h>
#include <stdio.h>

typedef struct supFileWriter
{
    const char* path; ///< as the caller has it, for messages; must outlive the writer
    char* target;     ///< the file itself where `path` is a link
    char* temporary;
    FILE* file;
    bool failed;
    int code; ///< errno of the first failure
} supFileWriter;

/// Refuses what is not a regular file (a folder, a device: renaming over it would take its place). A new file's mode is
/// the process's usual one; an old one's is kept.
supResult supBeginFile( supFileWriter* writer, const char* path, supError* error );
void supFileWriter_Write( supFileWriter* writer, const void* data, size_t size );
/// On an error the writer is dropped.
supResult supFileWriter_Close( supFileWriter* writer, supError* error );
supResult supFileWriter_Commit( supFileWriter* writer, supError* error );
/// Closes and removes the temporary file. Also right after a failed begin or a commit.
void supFileWriter_Drop( supFileWriter* writer );

/// The signals that were held back before.
typedef struct supHeldSignals
{
    sigset_t before;
} supHeldSignals;

supHeldSignals supHoldSignals( void );
void supReleaseSignals( const supHeldSignals* held );
