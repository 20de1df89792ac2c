// The program in WebAssembly: `inspect`, `rig` and `bake` as they are, run by a host that has the files.
// SPDX-License-Identifier: MIT
//
// What needs processes, pictures or the built-in characters is left to the native program, and says so.
#include "../bake_job.h"
#include "../command.h"
#include "supple/creatures.h"

#include <string.h>
#include <unistd.h>

__attribute__( ( export_name( "supProgram_Run" ) ) ) int supProgram_Run( int argc, char** args );

__attribute__( ( export_name( "supProgram_Enter" ) ) ) int supProgram_Enter( const char* folder );

/// Where relative paths start. 0: there is such a folder.
int supProgram_Enter( const char* folder )
{
    return chdir( folder );
}

int supProgram_Run( int argc, char** args )
{
    static const supCommand commands[] = {
        { "bake", "", supRunBake },
        { "inspect", "", supRunInspect },
        { "rig", "", supRunRig },
    };
    int code = sup_exitUsage;
    for ( size_t i = 0; i < sizeof( commands ) / sizeof( commands[0] ); ++i )
    {
        if ( argc > 0 && strcmp( args[0], commands[i].name ) == 0 )
        {
            code = commands[i].run( "supple", argc, args );
        }
    }
    fflush( stdout );
    fflush( stderr );
    return code;
}

int supBakeMany( const supUsage* usage, const supBakeWords* words )
{
    (void)words;
    return supReportMisuse( usage, "--out-dir needs the native program; bake the files one by one" );
}

bool supIsCreatureName( const char* name )
{
    (void)name;
    return false;
}

supResult supCreateCreature( const char* name, const supAllocator* allocator, supCreature** out, supError* error )
{
    (void)allocator;
    *out = NULL;
    return supFail( error, sup_errorUnsupported, "%s: the built-in characters need the native program", name );
}

void supDestroyCreature( supCreature* creature )
{
    (void)creature;
}

const supCharacter* supCreature_Character( const supCreature* creature )
{
    (void)creature;
    return NULL;
}

const supLook* supCreature_Look( const supCreature* creature )
{
    (void)creature;
    return NULL;
}
