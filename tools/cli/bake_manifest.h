// What `supple bake --manifest` reads.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake_batch.h"

/// Adds a task for every job that a manifest lists; paths in it start at its own folder. Refused, with the place: what
/// is not known, and files that are not there.
supResult supReadManifest( supBakeBatch* batch, const char* path, supError* error );
