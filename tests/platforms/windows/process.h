#pragma once
#include <stdint.h>
uintptr_t _beginthreadex( void* security, unsigned stackSize, unsigned( __stdcall* start )( void* ), void* argument,
    unsigned flags, unsigned* id );
