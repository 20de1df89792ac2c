// Rig files that the program wrote itself, told from those that somebody edited since.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/rig.h"

/// Writes a rig with a line "_written" that holds a checksum of all else in the file.
supResult supWriteMarkedRig( const supRig* rig, const char* path, supError* error );

/// Whether a rig may be written over what stands there: nothing, an empty file, or a rig whose checksum still fits.
supResult supMayOverwriteRig( const char* path, supError* error );
