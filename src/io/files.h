// Supple io: whole files, folders and URIs. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <jansson.h>

/// All of a file, from malloc. Regular files only: a pipe or a device would block, or never end.
supResult supReadFile( const char* path, uint8_t** data, size_t* size, supError* error );
/// The same, at most `most` bytes of it: sup_errorLimit where it is longer.
supResult supReadFileUpTo( const char* path, size_t most, uint8_t** data, size_t* size, supError* error );
/// Whether a file stands in a folder or below it, links followed. False where one of them is not there.
bool supIsBelow( const char* folder, const char* path );
/// A JSON file, as json_load_file has it but for what is no regular file. NULL, and words: it cannot be read, is not
/// JSON, or there is no memory.
json_t* supReadJsonFile( const char* path, size_t flags, supError* error );
/// The words for a text that is not JSON: "path:line:column: why", or that there is no memory.
supResult supFailJson( const char* path, const json_error_t* why, supError* error );
/// The part of a path before its last name, "." where it is a name alone. From malloc; NULL: no memory.
char* supFolderOf( const char* path );
/// folder/name, from malloc; NULL: no memory.
char* supJoinPath( const char* folder, const char* name );

/// Whether a URI carries its data itself: "data:…".
bool supIsDataUri( const char* uri );
/// Decodes the base64 of a data URI, `length` bytes long. From malloc. Gives NULL, or what is wrong in words.
const char* supDecodeDataUri( const char* uri, size_t length, uint8_t** data, size_t* size );
/// NULL, or in words why a URI does not name a file near the document. Allowed: relative paths, also through "..". Not
/// allowed, since a file from anywhere should not decide what is read on this machine: schemes (http:, file:, C:) and
/// absolute paths.
const char* supRefuseUri( const char* uri );
/// A relative URI with its %20 and the like put back into bytes. From malloc; NULL: no memory.
char* supDecodeUri( const char* uri );
/// The reverse, for a path of this machine. From malloc; NULL: no memory.
char* supEncodeUri( const char* path );

/// The name, relative to `folder`, of the file that a URI names: with its escapes resolved, or, since not every
/// exporter escapes, as it is written. From malloc; NULL where there is no such file, or no memory.
char* supFindUri( const char* folder, const char* uri );
/// Whether two paths lead to one folder. False where one leads nowhere.
bool supIsSameFolder( const char* a, const char* b );
/// How to reach a file from a folder, both existing: "../in/fox.bin". From malloc; NULL where there is no way, or no
/// memory.
char* supRelativePath( const char* folder, const char* file );
/// Makes the folders in which a file below `folder` stands.
void supMakeFoldersFor( const char* folder, const char* file );
