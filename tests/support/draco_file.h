#pragma once

#include "support/draco_encode.h"
#include "support/glb_edit.h"

/// A built-in character as a .glb, without its look.
void supSaveCreature( const char* name, const char* path );

/// A .glb whose first primitive is compressed with Draco.
typedef struct supCompressed
{
    supGlb glb;
    int view; ///< the stream's
} supCompressed;

/// The first primitive of a plain file becomes a stream; texture coordinates, which nothing here reads, are left out.
supCompressed supCompress( const char* path, bool isSequential, int bits );

/// The first primitive of the first mesh.
json_t* supFirstPrimitive( const supGlb* glb );
