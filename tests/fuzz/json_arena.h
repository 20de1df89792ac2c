// Memory for jansson while fuzzing. Most of an execution is the parser's thousand small allocations, which
// AddressSanitizer makes dear: here they come from one block, taken back at once. What was taken back, and the gaps
// between pieces, are poisoned: a use after the document was closed, or past a piece, is still seen.
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined( __SANITIZE_ADDRESS__ )
#    define SUP_HAS_POISON 1
#elif defined( __has_feature )
#    if __has_feature( address_sanitizer )
#        define SUP_HAS_POISON 1
#    endif
#endif
#ifdef SUP_HAS_POISON
#    include <sanitizer/asan_interface.h>
#else
#    define ASAN_POISON_MEMORY_REGION( address, size ) ( (void)( address ), (void)( size ) )
#    define ASAN_UNPOISON_MEMORY_REGION( address, size ) ( (void)( address ), (void)( size ) )
#endif

enum
{
    sup_arenaSize = 4 << 20
};

static _Alignas( 16 ) unsigned char sup_arena[sup_arenaSize];
static size_t sup_arenaUsed = 0;

static void* supArenaTake( size_t size )
{
    size_t room = ( size + 31 ) / 16 * 16; // and a gap of 16 bytes or more
    if ( room > sup_arenaSize - sup_arenaUsed )
    {
        return NULL;
    }
    void* piece = sup_arena + sup_arenaUsed;
    sup_arenaUsed += room;
    ASAN_UNPOISON_MEMORY_REGION( piece, size );
    return piece;
}

static void supArenaFree( void* piece )
{
    (void)piece;
}

static void supArenaReset( void )
{
    ASAN_POISON_MEMORY_REGION( sup_arena, sup_arenaUsed );
    sup_arenaUsed = 0;
}

static void supArenaStart( void )
{
    ASAN_POISON_MEMORY_REGION( sup_arena, sup_arenaSize );
    json_set_alloc_funcs( supArenaTake, supArenaFree );
}
