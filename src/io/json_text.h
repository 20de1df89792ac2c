// Supple io: JSON. First what jansson does without looking whether there was memory. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define SUP_JSON_TOO_LARGE ( -2 ) ///< the line of an error: more memory than was allowed

/// json_loadb, where it takes at most `most` bytes, and there is memory for all of it: its parser may crash, or read
/// other numbers, where memory ends in the middle. `error` must be given; supFailJson has the words for it.
json_t* supLoadJsonUpTo( size_t most, const char* text, size_t size, size_t flags, json_error_t* error );
/// The same, up to SUP_MOST_JSON_MEMORY: of files that stand beside a character and have no budget of their own.
json_t* supLoadJson( const char* text, size_t size, size_t flags, json_error_t* error );
/// All of a value, or NULL: json_deep_copy leaves out members that it has no memory for. Takes NULL too.
json_t* supCopyJson( const json_t* value );
/// The same for an object, whose members are shared with the copy.
json_t* supCopyJsonObject( const json_t* object );

// ---------------------------------------------------------------------------------------------------------------
// A glTF's JSON as text.

/// The text of a JSON value, from malloc, with a NUL after its `size` bytes; NULL: no memory. Every number comes back
/// as the same double (integers as integers, reals as reals) in the fewest digits that do that: jansson's own writer
/// takes 17 for 0.1.
char* supGltfJsonText( const json_t* value, bool pretty, size_t* size );
