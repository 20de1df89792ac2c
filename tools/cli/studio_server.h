// What `supple studio` serves, and to whom.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Serves the page to this machine alone: on 127.0.0.1, below a path that starts with a secret, to requests that name
/// this very address, and to no other origin. Reads only below `page`, and below `files` as "file/…".
typedef struct supStudioDef
{
    const char* page;  ///< the folder of the page
    const char* files; ///< the folder of the opened file; NULL: none
    int port;          ///< 0: a free one
} supStudioDef;

typedef struct supStudioServer supStudioServer;

supResult supStartStudio( const supStudioDef* def, supStudioServer** out, supError* error );
void supStopStudio( supStudioServer* server );
/// "http://127.0.0.1:40123/0f3c…/"
const char* supStudioServer_Address( const supStudioServer* server );
