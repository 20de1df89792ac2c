// Supple io: a glTF's JSON as text. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/// The text of a JSON value, from malloc, with a NUL after its `size` bytes; NULL: no memory. Every number comes back
/// as the same double (integers as integers, reals as reals) in the fewest digits that do that: jansson's own writer
/// takes 17 for 0.1.
char* supGltfJsonText( const json_t* value, bool pretty, size_t* size );
