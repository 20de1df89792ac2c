// Supple io: the vertices of Wavefront OBJ files. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/blocks.h"
#include "supple/rig.h"

/// Places of all vertices in the file's order, and how many triangles its faces make. Everything else is passed over.
supResult supReadObjPoints( const char* text, size_t size, supBlocks* blocks, supSculpt* out, supError* error );
