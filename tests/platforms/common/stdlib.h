#pragma once
#include <stddef.h>
void* malloc( size_t size );
void free( void* block );
double strtod( const char* text, char** end );
long strtol( const char* text, char** end, int base );
void qsort( void* items, size_t count, size_t size, int ( *compare )( const void* a, const void* b ) );
int abs( int x );
void abort( void );
#ifndef _WIN32
void* aligned_alloc( size_t alignment, size_t size );
#endif
