// Supple: results, memory, math types and tasks. Every other header includes this one.
// SPDX-License-Identifier: MIT
//
// Conventions of the whole library
//   units      metres, kilograms, seconds, radians; right-handed, +Y up (glTF's)
//   names      supThing types, supVerbThing life cycle, supThing_Verb methods, sup_thingValue enumerators
//   errors     data from files and users gives a supResult and words in a supError; broken promises assert
//   memory     whoever creates destroys; objects copy what they need from their defs; nothing is allocated per frame
//   threads    objects are independent of one another; immutable ones (character, compiled rig, model) may be shared
//   globals    none
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#    define SUP_EXTERN_C extern "C"
#else
#    define SUP_EXTERN_C extern
#endif

#if defined( _WIN32 ) && defined( SUP_SHARED )
#    if defined( SUP_BUILDING )
#        define SUP_API SUP_EXTERN_C __declspec( dllexport )
#    else
#        define SUP_API SUP_EXTERN_C __declspec( dllimport )
#    endif
#elif defined( __GNUC__ )
#    define SUP_API SUP_EXTERN_C __attribute__( ( visibility( "default" ) ) )
#else
#    define SUP_API SUP_EXTERN_C
#endif

#if defined( __MINGW32__ ) && !defined( __clang__ ) // C's formats, where Windows' own would be meant
#    define SUP_PRINTF( formatIndex, firstArgument )                                                                   \
        __attribute__( ( format( gnu_printf, formatIndex, firstArgument ) ) )
#elif defined( __GNUC__ )
#    define SUP_PRINTF( formatIndex, firstArgument ) __attribute__( ( format( printf, formatIndex, firstArgument ) ) )
#else
#    define SUP_PRINTF( formatIndex, firstArgument )
#endif

/// May change in any release; everything without this mark is meant to stay.
#define SUP_EXPERIMENTAL

#define SUP_VERSION_MAJOR 0
#define SUP_VERSION_MINOR 1
#define SUP_VERSION_PATCH 0

/// The library's version, "major.minor.patch".
SUP_API const char* supVersion( void );

// ---------------------------------------------------------------------------------------------------------------
// Results and messages

/// What became of a call. The numbers are stable; new ones are only ever appended.
typedef enum supResult
{
    sup_success = 0,
    sup_errorMemory = 1, ///< the allocator gave nothing
    /// The call itself is wrong: a def that was never initialised, a count below zero
    sup_errorArgument = 2,
    sup_errorFile = 3,   ///< a file cannot be opened, read, written or renamed
    sup_errorFormat = 4, ///< the file is not what its name says, or is cut off
    /// The file can be read but says something impossible: an index out of range, a NaN
    sup_errorData = 5,
    /// Understood, but not something that Supple can do; the text says what to do instead
    sup_errorUnsupported = 6,
    sup_errorNotFound = 7, ///< a name that is not there; the text gives the nearest ones
    sup_errorLimit = 8,    ///< beyond a limit of a format or of the machine
    sup_errorCanceled = 9, ///< the host asked to stop
} supResult;

/// The name of a result in plain words, "data error". Never NULL.
SUP_API const char* supResultText( supResult result );

#define SUP_ERROR_TEXT 400

/// A result in words: which file, which thing in it, what is wrong, what to do. One line, no newline at its end:
/// "fox.glb: mesh 'Body', vertex 9041: its joint index is 212, but skin 'Body' has 190 joints". Every function accepts
/// NULL for it.
typedef struct supError
{
    supResult code;
    char text[SUP_ERROR_TEXT];
} supError;

/// Fills in `error` (which may be NULL) and gives back `code`, so that a function can fail in one line.
SUP_API supResult supFail( supError* error, supResult code, const char* format, ... ) SUP_PRINTF( 3, 4 );

/// Receives notes about things that are not errors, such as "fox.glb: repaired: 3 NaN keys (dropped)". It is called
/// once per kind of thing and object. `text` has no newline and dies with the call.
typedef struct supLog
{
    void ( *note )( const char* text, void* user ); ///< NULL: silence
    void* user;
} supLog;

/// Watches work that may take long, and may end it.
typedef struct supWatch
{
    /// Told now and then, on the thread that does the work. `stage`: what is being done, "fat: vibrations"; dies with
    /// the call. `done`: the share of all that is done, never less than before, 1 at last. False: stop. The work then
    /// fails with sup_errorCanceled, and nothing is left of it. NULL: nobody looks.
    bool ( *tell )( const char* stage, float done, void* user );
    void* user;
} supWatch;

// ---------------------------------------------------------------------------------------------------------------
// Memory

/// Where memory comes from. A zeroed allocator, or a NULL pointer to one, means malloc and free.
typedef struct supAllocator
{
    /// At least `size` bytes (never 0) at a multiple of `alignment` (a power of two, at most 64), or NULL.
    void* ( *allocate )( size_t size, size_t alignment, void* user );
    /// Takes back what `allocate` gave, with the same size. Never called with NULL.
    void ( *release )( void* block, size_t size, void* user );
    void* user;
} supAllocator;

/// How something is made: where its memory comes from, and who watches. Every maker that needs to know no more takes a
/// pointer to one; NULL means the default: malloc, and nobody watches. It is copied.
typedef struct supMakeDef
{
    const supAllocator* allocator; ///< NULL: malloc and free. Copied into what is made
    supWatch watch;                ///< told by makers that take long; the others pass it over
    int32_t cookie;                ///< set by supDefaultMakeDef
} supMakeDef;

/// malloc and free, and nobody watches.
SUP_API supMakeDef supDefaultMakeDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Math, by value. Public buffers are plain float*, so alignment never depends on compiler flags.

typedef struct supVec3
{
    float x, y, z;
} supVec3;

/// A rotation as a unit quaternion, glTF's order.
typedef struct supQuat
{
    float x, y, z, w;
} supQuat;

/// An affine map, as the images of the axes and of the origin: p -> x*p.x + y*p.y + z*p.z + t. Twelve floats in that
/// order: a column-major 4x4 without its last row.
typedef struct supMat34
{
    supVec3 x, y, z, t;
} supMat34;

/// Scale first, then rotation, then translation, as a glTF node.
typedef struct supTransform
{
    supVec3 translation;
    supQuat rotation;
    supVec3 scale;
} supTransform;

static const supVec3 supVec3_zero = { 0.0f, 0.0f, 0.0f };
static const supQuat supQuat_identity = { 0.0f, 0.0f, 0.0f, 1.0f };
static const supMat34 supMat34_identity = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f },
    { 0.0f, 0.0f, 0.0f } };
static const supTransform supTransform_identity = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f },
    { 1.0f, 1.0f, 1.0f } };

// ---------------------------------------------------------------------------------------------------------------
// Strided buffers of the caller's, as jobs take them

/// `count` items to read, `stride` bytes from one to the next. `data` NULL: not given.
typedef struct supInStream
{
    const void* data;
    int32_t count;
    int32_t stride;
} supInStream;

/// `count` items to write, `stride` bytes from one to the next. `data` NULL: not wanted.
typedef struct supOutStream
{
    void* data;
    int32_t count;
    int32_t stride;
} supOutStream;

// ---------------------------------------------------------------------------------------------------------------
// Tasks

/// One of `count` independent pieces of work.
typedef void supTaskFunction( int32_t index, void* context );

/// How work is spread over threads: the host's own job system, or a pool of ours. Results never depend on it.
/// A zeroed supTasks runs everything on the calling thread.
typedef struct supTasks
{
    /// Calls function( i, context ) once for each i in [0, count), in any order, on any threads; returns when all are
    /// done.
    void ( *run )( supTaskFunction* function, int32_t count, void* context, void* user );
    void* user;
    int32_t workerCount; ///< how many run at once, a hint for sizing blocks; 0 counts as 1
} supTasks;

/// A small pool of threads for hosts that have none.
typedef struct supPool supPool;

typedef struct supPoolDef
{
    /// Threads altogether, the calling one included. 0: as many as the machine has; 1: no thread is made. Default 0
    int32_t workerCount;
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultPoolDef
} supPoolDef;

/// As many workers as the machine has.
SUP_API supPoolDef supDefaultPoolDef( void );
/// Makes a pool. `def` may be NULL: the default. Refuses more than 256 workers, and fails with sup_errorLimit where the
/// system gives fewer threads. The caller destroys it.
SUP_API supResult supCreatePool( const supPoolDef* def, supPool** out, supError* error );
/// Ends the threads and waits for them. Nothing may run in the pool any more. NULL is passed over.
SUP_API void supDestroyPool( supPool* pool );
/// What to hand to whatever takes a supTasks, good as long as the pool. One `run` at a time for each pool.
SUP_API supTasks supPool_Tasks( supPool* pool );
