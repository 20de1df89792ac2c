#pragma once

#include "supple/io.h"

/// A character of the test assets, "fox/Fox.glb". Fails the test where it cannot be read.
supCharacter* supLoadTestAsset( const char* name );

/// Calls `visit` for every .glb and .gltf below a folder, in the order of their names. Gives their number.
int supForEachGltf( const char* folder, void ( *visit )( const char* path, void* user ), void* user );

/// A whole file, from malloc. Fails the test where it cannot be read.
uint8_t* supReadWhole( const char* path, size_t* size );

/// Writes bytes as a file. Fails the test where that does not work.
void supWriteWhole( const char* path, const void* data, size_t size );

/// A fresh folder below the system's temporary one; the path lives in `path`.
void supMakeTestFolder( char* path, size_t size );
/// Removes it and all in it.
void supRemoveTestFolder( const char* path );

/// A .glb of a JSON text and bytes, from malloc.
uint8_t* supMakeGlb( const char* json, const void* bin, size_t binSize, size_t* size );

/// Opens a document that stands in memory and reads its character. Only where both work is *character not NULL.
supResult supReadText( const char* json, supCharacter** character, supError* error );
