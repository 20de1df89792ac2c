#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/// A .glb taken apart, to be changed and put together again by a test.
typedef struct supGlb
{
    json_t* json;
    uint8_t* bin;
    size_t binSize;
} supGlb;

/// Fails the test where the file is none.
supGlb supOpenGlb( const char* path );
void supSaveGlb( const supGlb* glb, const char* path );
void supCloseGlb( supGlb* glb );

/// One of the root's things: supGlb_Item( &glb, "accessors", 3 ).
json_t* supGlb_Item( const supGlb* glb, const char* kind, int index );
int supGlb_Count( const supGlb* glb, const char* kind );

/// Where an accessor's first item stands, which must be in the BIN chunk and tight. Its numbers go to *count.
void* supGlb_Accessor( const supGlb* glb, int accessor, int componentType, int* count );
/// Puts bytes at the end as a buffer view; gives its index.
int supGlb_AddView( supGlb* glb, const void* data, size_t size );
/// Puts an accessor of them at the end; gives its index.
int supGlb_AddAccessor( supGlb* glb, const void* data, size_t size, int componentType, const char* type, int count );

/// The accessor of an attribute of a primitive.
int supGlb_Attribute( const supGlb* glb, int mesh, int primitive, const char* name );

/// How many accessors from `first` on hold a number that is not finite.
int supGlb_CountNotFinite( const supGlb* glb, int first );
