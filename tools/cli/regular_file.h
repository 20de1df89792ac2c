// Files that a command reads by itself, told from what is none.
// SPDX-License-Identifier: MIT
#pragma once

#include <jansson.h>
#include <stdio.h>

/// A regular file, opened for reading; NULL, and errno: there is none, or it is a folder, a device (EINVAL), or a pipe,
/// which would be waited for.
FILE* supOpenRegular( const char* path );
/// json_load_file of a regular file.
json_t* supLoadRegularJson( const char* path, size_t flags, json_error_t* why );
