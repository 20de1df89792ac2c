// What JavaScript calls: flat functions over the public headers. Addresses and numbers go in and come out; what has
// more parts comes as JSON. 0 means that it failed, and supJs_Error says why.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <jansson.h>

/// Marks a function that JavaScript calls, by its own name.
#define SUP_JS( name ) __attribute__( ( export_name( #name ) ) ) name

/// The words of the last failure: one thread, one place.
supError* supJsError( void );
/// Told to the host: notes of loaders; how far work has come, and whether it goes on.
supLog supJsLog( void );
supWatch supJsWatch( void );

/// A JSON value as text, from malloc, for the host to free; NULL: no memory. Takes the value.
char* supJsText( json_t* json );
json_t* supJsVector( supVec3 vector );
