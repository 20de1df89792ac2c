#pragma once
long sysconf( int name );
#if !defined( _POSIX_C_SOURCE ) || defined( _DARWIN_C_SOURCE )
#    define _SC_NPROCESSORS_ONLN 58
#endif
