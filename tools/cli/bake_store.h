// Results of bakes by what they follow from: the cache of `supple bake --manifest`.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake_batch.h"

typedef struct supBakeStore
{
    const char* folder;
    supDigest program; ///< of the files that this program runs from
    json_t* digests;   ///< of files that were read already, by path
} supBakeStore;

/// Must be ended.
supResult supStartBakeStore( supBakeStore* store, const char* folder, supError* error );
void supBakeStore_End( supBakeStore* store );
/// What the result of a task follows from: the program, the words that change it, and the bytes of all files.
supResult supBakeStore_Key(
    supBakeStore* store, const supBakeCall* call, const supBakeTask* task, supDigest* key, supError* error );
/// Whether a task's key is that of its files as they are now, each of them read again.
bool supBakeStore_IsKeyStill( const supBakeStore* store, const supBakeCall* call, const supBakeTask* task );
/// Whether the result of a task's key stands in the task's OUT ("unchanged"), is kept ("cache"), or neither
/// ("missing").
const char* supBakeStore_State( const supBakeStore* store, const supBakeTask* task );
/// The report of the result of a task's key, which now stands in the task's OUT: "state" is "unchanged" where it stood
/// there before, else "cache". NULL: it must be baked.
json_t* supBakeStore_Reuse( const supBakeStore* store, const supBakeTask* task );
/// Keeps what a task has baked, and completes its report.
supResult supBakeStore_Keep( const supBakeStore* store, const supBakeTask* task, json_t* report, supError* error );
