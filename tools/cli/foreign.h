// Files of other formats, answered with the command that converts them.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Fails where a file is FBX, USD, a .blend, Collada or OBJ, by its name or by its first bytes, and says how
/// Blender makes a glTF file of it. Success for all else, a missing file too: whoever opens it has words for that.
supResult supRefuseForeign( const char* path, supError* error );
