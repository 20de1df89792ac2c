// Files that a command reads by itself, told from what is none.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/// A regular file, opened for reading; NULL, and errno: there is none, or it is a folder, a device (EINVAL), or a pipe,
/// which would be waited for.
FILE* supOpenRegular( const char* path );
/// json_loadb, where it takes no more than SUP_MOST_JSON_MEMORY. NULL, and line -1 in *why (or NULL): errno says why.
json_t* supParseJson( const char* text, size_t size, size_t flags, json_error_t* why );
/// The same of a regular file. NULL, and line -1: it cannot be read.
json_t* supLoadRegularJson( const char* path, size_t flags, json_error_t* why );

typedef struct supBytes
{
    uint8_t* data; ///< with a zero behind them; to be freed
    size_t size;
} supBytes;

/// All of a file: one that says it is longer than what can be read was not read. What is no regular file is not even
/// opened: a pipe would be waited for. Bytes are none where it fails.
supResult supReadBytes( const char* path, supBytes* bytes, supError* error );
