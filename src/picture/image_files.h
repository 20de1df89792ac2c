// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Writes a whole file: beside its name first, then renamed, so that a failed call leaves neither half a file nor a
/// changed one.
supResult supWriteWholeFile( const char* path, const void* data, size_t size, supError* error );
