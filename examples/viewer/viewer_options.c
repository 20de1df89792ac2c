// SPDX-License-Identifier: MIT
#include "viewer_options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char supUsage[] =
    "usage: viewer [FILE.glb | NAME] [--way gpu|vertices] [--crowd N] [--clip NAME] [--blend NAME] [--flesh FACTOR]\n"
    "              [--region NAME=FACTOR] [--width W] [--height H] [--shot FILE.ppm] [--frames N]\n";

/// Gives the first word that is not understood, or NULL.
static const char* supReadWords( supViewerOptions* out, int count, char** words )
{
    const struct
    {
        const char* word;
        const char** text;
        int *number, most;
    } options[] = { { "--way", &out->way, NULL, 0 }, { "--clip", &out->clip, NULL, 0 },
        { "--blend", &out->blend, NULL, 0 }, { "--region", &out->region, NULL, 0 }, { "--flesh", &out->flesh, NULL, 0 },
        { "--shot", &out->shot, NULL, 0 }, { "--crowd", NULL, &out->bodies, 100 },
        { "--frames", NULL, &out->frames, 100000 }, { "--width", NULL, &out->width, 8192 },
        { "--height", NULL, &out->height, 8192 } };
    for ( int i = 1; i < count; ++i )
    {
        const char* word = words[i];
        bool good = word[0] != '-';
        out->file = good ? word : out->file;
        for ( size_t k = 0; k < sizeof( options ) / sizeof( options[0] ) && !good && i + 1 < count; ++k )
        {
            if ( strcmp( word, options[k].word ) == 0 && options[k].text != NULL )
            {
                *options[k].text = words[++i];
                good = true;
            }
            else if ( strcmp( word, options[k].word ) == 0 )
            {
                good = sscanf( words[++i], "%d", options[k].number ) == 1 && *options[k].number > 0 &&
                       *options[k].number <= options[k].most;
            }
        }
        if ( !good )
        {
            return word;
        }
    }
    bool isWay = strcmp( out->way, "gpu" ) == 0 || strcmp( out->way, "vertices" ) == 0;
    return isWay ? NULL : out->way;
}

bool supReadViewerOptions( supViewerOptions* out, int count, char** words )
{
    const char* wrong = supReadWords( out, count, words );
    if ( wrong != NULL )
    {
        fprintf( stderr, "viewer: '%s' is not understood\n%s", wrong, supUsage );
    }
    return wrong == NULL;
}
