// What most of these programs need.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Prints the words, and gives what main returns then.
int supFailed( const supError* error );
/// Since any moment.
double supWallSeconds( void );
