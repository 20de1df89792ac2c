// supple bake of many files: several at a time, each in a process of its own.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake_job.h"
#include "sha256.h"

#include <sys/types.h>

typedef struct supBakeTask
{
    char *in, *out;
    char* name;    ///< of its record: OUT without folder and ending
    json_t* args;  ///< the words of a call of its own, "bake" first; NULL: those of the call for all
    supDigest key; ///< of the cache: follows from all that the result follows from
    pid_t process; ///< 0: not yet, or no more
    int tries;     ///< processes begun for it
    FILE* answer;
    bool isDone;    ///< the bake has ended, well or badly
    json_t* report; ///< what supBakeJob_Report gives, or input, output and error; NULL: none could be had
} supBakeTask;

typedef struct supBakeBatch supBakeBatch;

/// How tasks are done. All but `work` may be NULL.
typedef struct supBakeManner
{
    /// In this process, before one begins: what the work of several has in common. What fails is the task's failure.
    supResult ( *prepare )( supBakeBatch* batch, supBakeTask* task, supError* error );
    /// In a process of its own. Gives the report.
    json_t* ( *work )( const supBakeBatch* batch, const supBakeTask* task );
    /// In this process, when it has ended.
    void ( *keep )( const supBakeBatch* batch, const supBakeTask* task );
} supBakeManner;

struct supBakeBatch
{
    const supBakeOptions* words;
    supBakeManner manner;
    void* user;  ///< the manner's own
    int retries; ///< of a task that was ended by a signal, or had no memory
    supBakeTask* tasks;
    int count, capacity;
    int begun, running, done, told;
    int failed, unchanged, restored;
    int atOnce;  ///< files at a time
    int threads; ///< of each
};

/// A task of this file. `out`: NULL is "DIR/NAME.glb" of --out-dir, .vrm of a .vrm.
supResult supBakeBatch_Add( supBakeBatch* batch, const char* in, const char* out, json_t* args, supError* error );
/// Two files of one name would overwrite each other's bake, or its record. Gives the second of them, or NULL.
const supBakeTask* supBakeBatch_FindClash( const supBakeBatch* batch, const supBakeTask** first );
/// All of a call that names many files, or folders of files.
supResult supBakeBatch_ListFiles( supBakeBatch* batch, supError* error );
/// Leaves the tasks of the call's shard.
void supBakeBatch_TakePart( supBakeBatch* batch );
/// Bakes the one file of a task by these words: the report, or what failed.
json_t* supBakeTask_Do( const supBakeBatch* batch, const supBakeTask* task, const supBakeOptions* words );
json_t* supBakeTask_Failed( const supBakeTask* task, const supError* error );
bool supBakeTask_HasFailed( const supBakeTask* task );
/// All tasks. Gives an exit code.
int supBakeBatch_Run( supBakeBatch* batch );
void supBakeBatch_End( supBakeBatch* batch );
