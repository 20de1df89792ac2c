#pragma once
#ifdef NDEBUG
#    define assert( truth ) ( (void)0 )
#else
void supAssertFailed( void );
#    define assert( truth ) ( ( truth ) ? (void)0 : supAssertFailed() )
#endif
