// Supple: how the library's own loops use the host's tasks.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/float_settings.h"
#include "supple/base.h"

/// A piece of work, on a thread that may round otherwise than the one that asked for it.
typedef struct supTaskHere
{
    supTaskFunction* function;
    void* context;
} supTaskHere;

static inline void supRunTaskHere( int32_t index, void* context )
{
    const supTaskHere* piece = context;
    supFloatSettings host = supEnterFloatSettings();
    piece->function( index, piece->context );
    supLeaveFloatSettings( host );
}

/// Through the host's tasks, or here where there are none (`tasks` may be NULL) or there is but one piece.
static inline void supRunTasks( const supTasks* tasks, supTaskFunction* function, int32_t count, void* context )
{
    if ( tasks != NULL && tasks->run != NULL && count > 1 )
    {
        supTaskHere piece = { function, context };
        tasks->run( supRunTaskHere, count, &piece, tasks->user );
        return;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        function( i, context );
    }
}

/// Block `index` of `count` items cut into blocks of `size`: from *first up to, not including, what it gives.
static inline int32_t supBlock( int32_t index, int32_t size, int32_t count, int32_t* first )
{
    *first = index * size;
    return count - *first > size ? *first + size : count;
}

static inline int32_t supBlockCount( int32_t size, int32_t count )
{
    return count / size + ( count % size != 0 ? 1 : 0 );
}
