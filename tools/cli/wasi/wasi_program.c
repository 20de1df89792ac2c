// The program in WebAssembly: `inspect`, `rig` and `bake` as they are, run by a host that has the files.
// SPDX-License-Identifier: MIT
//
// What needs processes, pictures or the built-in characters is left to the native program, and says so.
#include "../bake_job.h"
#include "../command.h"
#include "../foreign.h"
#include "../propose_options.h"
#include "../rig_import.h"
#include "supple/character.h"
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

int supProgram_Propose(
    const supCharacter* character, int argc, char** args, supRig** rig, supProposal** proposal, supError* error );

/// The automatic rig as the words of `supple rig` ask for it, of a character that is open already. Gives an exit code:
/// 2 after saying on stderr which word is wrong, 1 with an error.
int supProgram_Propose(
    const supCharacter* character, int argc, char** args, supRig** rig, supProposal** proposal, supError* error )
{
    supProposeOptions words = { 0 };
    supOption options[sup_proposeOptionCount + 1] = { 0 }; // the last one ends it
    supListProposeOptions( &words, options );
    const supArgument arguments[] = { SUP_ARGUMENTS_END };
    const supUsage usage = { "rig", "", options, arguments, NULL, NULL };
    supProposeChoices choices;
    supParseResult parsed = supParseWords( &usage, argc, args );
    int code = parsed == sup_parseOk ? supReadProposeWords( &usage, &words, &choices ) : supExitCodeOf( parsed );
    if ( code == sup_exitOk )
    {
        const char* name = supCharacter_Info( character )->name;
        supProposeJob job = { .character = character, .path = name, .choices = &choices };
        code = supProposeByOptions( &job, rig, proposal, error ) == sup_success ? sup_exitOk : sup_exitFailed;
    }
    fflush( stderr );
    return code;
}

int supBakeMany( const supBakeCall* call )
{
    return supReportMisuse( &call->usage, "--out-dir needs the native program; bake the files one by one" );
}

int supBakeFarm( const supBakeCall* call )
{
    return supBakeMany( call );
}

bool supParseShard( const char* text, int* part, int* count )
{
    (void)text;
    (void)part;
    (void)count;
    return true; // --out-dir is refused, and it does without that
}

// Left out of the module, which a page loads: what pages do not ask for.

int supBakeDry( const supBakeOptions* words )
{
    fprintf( stderr, "supple bake: %s: --dry-run needs the native program\n", words->in );
    return sup_exitFailed;
}

supResult supImportSettings( const char* path, const supModel* model, supRig** rig, FILE* out, supError* error )
{
    (void)model;
    (void)rig;
    (void)out;
    return supFail( error, sup_errorUnsupported, "%s: --import needs the native program", path );
}

size_t supRigReference( char* text, size_t size )
{
    int length = snprintf( text, size, "the native program prints the reference\n" );
    return length > 0 ? (size_t)length : 0;
}

supResult supRefuseForeign( const char* path, supError* error )
{
    (void)path;
    (void)error;
    return sup_success;
}

bool supIsCreatureName( const char* name )
{
    (void)name;
    return false;
}

supResult supCreateCreature( const char* name, const supMakeDef* def, supCreature** out, supError* error )
{
    (void)def;
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
