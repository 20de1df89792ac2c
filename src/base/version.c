// Supple: the library's version.
// SPDX-License-Identifier: MIT
#include "supple/base.h"

#define SUP_TEXT_OF( number ) #number
#define SUP_VERSION_TEXT( major, minor, patch ) SUP_TEXT_OF( major ) "." SUP_TEXT_OF( minor ) "." SUP_TEXT_OF( patch )

const char* supVersion( void )
{
    return SUP_VERSION_TEXT( SUP_VERSION_MAJOR, SUP_VERSION_MINOR, SUP_VERSION_PATCH );
}
