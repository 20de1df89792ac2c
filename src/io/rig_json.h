// Supple io: rigs and jansson's values. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/arena.h"
#include "supple/io.h"

#include <jansson.h>

/// The version of the format that "supple" in a rig stands for. See rig_read.c.
#define SUP_RIG_VERSION 2
#define SUP_VERSION_WORDS "Version of this format. A rig without it counts as one of the first version."
/// Gravity, each coordinate. m/s^2.
#define SUP_LARGEST_GRAVITY 10000.0f
#define SUP_GRAVITY_WORDS "Direction and size of gravity in the world. Unit: m/s^2."

/// What a rig is read with.
typedef struct supRigReader
{
    float size;         ///< of the character; 0: not known
    const char* folder; ///< where files lie that the rig names; NULL: nowhere
    bool isUntrusted;   ///< nothing outside of it is read
    supArena arena;     ///< lists, until the item is copied into the rig
    supError* error;
} supRigReader;

/// Rewrites a rig of one version as the next one has it, in place. False: no memory.
typedef bool ( *supRigStep )( json_t* root );

/// The same by these steps: the first leads from version 1 to 2. NULL: nothing to be done.
supResult supMigrateRigBy(
    const json_t* root, const supRigStep* steps, int32_t stepCount, json_t** out, supError* error );

/// A rig out of parsed JSON. Places in messages start at `root`, with no file's name before them.
supResult supRigFromJson( const json_t* root, const supCharacter* character, const char* folder, bool isUntrusted,
    const supAllocator* allocator, supRig** out, supError* error );
/// An object with the fields of a table: defaults for what is not there, an error for what is not in the table.
supResult supReadObject(
    supRigReader* reader, const supField* fields, int32_t count, const char* place, const json_t* value, void* item );
/// Three numbers; where `isLength`, three lengths.
supResult supReadVec3( supRigReader* reader, const char* place, const json_t* value, bool isLength, supVec3* out );
/// Whether a key is the user's own and passed over.
bool supIsNoteKey( const char* key );
/// `place: must be a number, not a list`
supResult supFailType( supRigReader* reader, const char* place, const char* wanted, const json_t* value );

/// A rig as jansson's values; NULL: no memory.
json_t* supRigToJsonValue( const supRig* rig );

/// Numbers that come from floats: whole ones as integers, others as the double nearest to their shortest text.
json_t* supJsonFloat( float value );
json_t* supJsonVec3( supVec3 value );
/// Takes over `value` in every case. False, and *failed set: there was no memory for one of them.
bool supJsonPut( json_t* object, const char* key, json_t* value, bool* failed );
bool supJsonAppend( json_t* array, json_t* value, bool* failed );

/// JSON for people: objects indented by four blanks, lists of plain values on one line, reals as the floats they are.
/// As snprintf: gives the length of all of it.
size_t supJsonText( const json_t* value, char* text, size_t size );
