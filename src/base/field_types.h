// Supple: what can be done with a value of each type of field. Internal to the tables of fields.
// SPDX-License-Identifier: MIT
//
// A new type is a row of the table in fields.c and, for JSON, one in src/io/rig_types.c.
#pragma once

#include "base/fields.h"
#include "base/memory.h"

/// Where a check stands and where its words go.
typedef struct supChecker
{
    const supField* field;
    const char* place;
    supError* error;
} supChecker;

/// One walk over an item serves twice: first without a block, to add up the sizes, then with one, to copy. Both times
/// the pieces come in the same order, so they land at the same offsets.
typedef struct supCopier
{
    supLayout layout;
    char* block; ///< NULL: only the sizes
} supCopier;

typedef supResult supCheckValue( const supChecker* at, const void* value );

/// NULL stands for what most types do.
typedef struct supFieldOps
{
    size_t size;                                        ///< bytes in the item's struct
    int32_t numberCount;                                ///< as many floats stand for it; 0: none do
    void ( *get )( const void* value, float* numbers ); ///< NULL where numberCount is 0
    void ( *set )( void* value, const float* numbers );
    bool ( *isNone )( const void* value ); ///< not given; NULL: a list of none. Where numberCount is 0
    /// Lists of plain values: bytes of one. These are the same and are copied by their bytes.
    size_t plainSize;
    /// NULL: the same bytes, so that NaN is the same as NaN
    bool ( *same )( const supField* field, const void* a, const void* b );
    /// `out`: in the copy of the item's struct, NULL while there is no block. NULL: copied with the struct.
    void ( *copy )( supCopier* copier, const supField* field, const void* from, void* out );
    supCheckValue* check; ///< NULL: any value will do
} supFieldOps;

const supFieldOps* supOpsOf( const supField* field );

supCheckValue supCheckFloat, supCheckVec3Field, supCheckEnum, supCheckName, supCheckNames, supCheckKeys,
    supCheckVertexValues, supCheckSpheres, supCheckPoints, supCheckShape, supCheckItems;
