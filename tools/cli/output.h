// Where a command is going to write.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <jansson.h>

/// Whether a file of this name could be written, asked before the work and not after it: its folder must be there and
/// take files, and no folder may stand in its place.
supResult supCheckOutput( const char* path, supError* error );
/// Makes a folder and those above it, where they are missing, and sees that it takes files.
supResult supMakeFolders( const char* path, supError* error );
/// A path or a message for a terminal: control characters, which a stranger's file may have in its name, become '?'.
/// Gives `plain`.
const char* supPlainPath( const char* path, char* plain, size_t size );
/// A text for a report in JSON, which takes UTF-8 alone: bytes of a file's name that are not become U+FFFD each. NULL:
/// no memory.
json_t* supTextJson( const char* text );
