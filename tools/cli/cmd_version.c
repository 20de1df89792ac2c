// supple version
// SPDX-License-Identifier: MIT
#include "command.h"
#include "options.h"
#include "supple/base.h"

int supRunVersion( const char* program, int argc, char** args )
{
    (void)program;
    bool json = false;
    const supOption options[] = {
        { .name = "json", .type = sup_optionFlag, .target = &json, .help = "one JSON object on stdout" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = { SUP_ARGUMENTS_END };
    const supUsage usage = { "version", "the program's version", options, arguments, NULL, NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    printf( json ? "{ \"version\": \"%s\" }\n" : "supple %s\n", supVersion() );
    return sup_exitOk;
}
