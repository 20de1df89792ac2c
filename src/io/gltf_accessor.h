// Supple io: typed arrays out of a glTF's buffer views. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/gltf_reader.h"

/// Component types, as a set of those that are allowed in a place. The bit is the glTF number less 5120.
typedef enum supComponents
{
    sup_componentByte = 1 << 0,
    sup_componentUnsignedByte = 1 << 1,
    sup_componentShort = 1 << 2,
    sup_componentUnsignedShort = 1 << 3,
    sup_componentUnsignedInt = 1 << 5,
    sup_componentFloat = 1 << 6,

    sup_componentsSigned = sup_componentByte | sup_componentShort,
    sup_componentsUnsigned = sup_componentUnsignedByte | sup_componentUnsignedShort,
    sup_componentsIndex = sup_componentsUnsigned | sup_componentUnsignedInt,
    /// Every type that KHR_mesh_quantization allows somewhere.
    sup_componentsQuantized = sup_componentsSigned | sup_componentsUnsigned | sup_componentFloat,
} supComponents;

/// An accessor without a buffer view is all zeros: no bytes stand behind its count, so a file of a hundred bytes could
/// ask for gigabytes. At most this many items.
#define SUP_GLTF_MOST_ZEROS ( 16 * 1024 * 1024 )

/// An accessor whose bounds have been checked: reading from it cannot fail.
typedef struct supAccessor
{
    int32_t index;
    int32_t count;
    int32_t rows, columns; ///< 3 and 1 for VEC3, 4 and 4 for MAT4
    supComponents component;
    bool normalized;
    const uint8_t* data; ///< NULL: zeros
    size_t stride;       ///< bytes from item to item
    size_t columnStride; ///< bytes from column to column: columns start at multiples of 4

    int32_t sparseCount; ///< items that are replaced
    const uint8_t* sparseIndices;
    supComponents sparseIndexComponent;
    const uint8_t* sparseValues; ///< tight
} supAccessor;

/// The accessor at `index` (in range, or -1: a failure), which must be of `rows` by `columns` and one of `allowed`.
/// `what` names its use in messages: "POSITION". On failure a zeroed one.
supAccessor supReader_Accessor(
    supReader* reader, int32_t index, const char* what, int32_t rows, int32_t columns, supComponents allowed );
/// The same with any number of rows up to 4.
supAccessor supReader_AccessorOfAnyWidth( supReader* reader, int32_t index, const char* what, supComponents allowed );
/// How many items an accessor says it has, without a look at its data. 0 on failure.
int32_t supReader_AccessorCount( supReader* reader, int32_t index );

/// All components of all items, tight, columns one after the other; normalised integers as the numbers they stand for.
void supAccessor_ReadFloats( const supAccessor* accessor, float* out );
/// The same for whole numbers.
void supAccessor_ReadIntegers( const supAccessor* accessor, uint32_t* out );

/// An accessor that was read as floats, so that whatever names it again has the same ones.
typedef struct supSharedFloats
{
    const float* values; ///< NULL: not read yet
    int32_t count, width;
    bool normalized;
} supSharedFloats;

/// All components of all items in memory of `blocks`, which must be the same in all calls with one reader. NULL on
/// failure.
const float* supReader_SharedFloats( supReader* reader, supArena* arena, const supAccessor* accessor );

/// Bytes of one component.
size_t supComponentSize( supComponents component );
