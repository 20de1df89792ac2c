// What the static program has in place of loading libraries: a driver for pictures belongs to the system's own C
// library, and a static program has another one. It says that there is none, and the program tells how pictures can be
// had.
// SPDX-License-Identifier: MIT
#include <stddef.h>

void* dlopen( const char* name, int flags );
void* dlsym( void* library, const char* name );
int dlclose( void* library );
char* dlerror( void );

void* dlopen( const char* name, int flags )
{
    (void)name;
    (void)flags;
    return NULL;
}

void* dlsym( void* library, const char* name )
{
    (void)library;
    (void)name;
    return NULL;
}

int dlclose( void* library )
{
    (void)library;
    return 0;
}

char* dlerror( void )
{
    static char text[] = "a static program loads no libraries";
    return text;
}
