// supple render: pictures of characters.
// SPDX-License-Identifier: MIT
#include "body_words.h"
#include "command.h"
#include "film.h"
#include "output.h"
#include "render_draw.h"

#include <jansson.h>

static void supPrintReport( const supRenderPlan* plan, const supRenderReport* made )
{
    if ( made->unseen[0] != '\0' )
    {
        fprintf(
            stderr, "supple render: --show %s: there is nothing of it to show; does the rig have it?\n", made->unseen );
    }
    if ( plan->json == false )
    {
        fprintf( stderr, "%s: %d x %d pixels, %d %s, %lld bytes\n", plan->output, made->width, made->height,
            made->frames, made->frames == 1 ? "picture" : "pictures", made->bytes );
        return;
    }
    json_t* inputs = json_array();
    for ( int32_t k = 0; k < plan->inputCount; ++k )
    {
        json_array_append_new( inputs, supTextJson( plan->inputs[k] ) );
    }
    const char* form = plan->form == sup_renderStill ? "still" : plan->form == sup_renderStrip ? "strip" : "movie";
    json_t* report = json_pack( "{s:o, s:o, s:s, s:s?, s:i, s:i, s:i, s:f, s:I, s:s, s:o, s:o, s:[f, f]}", "inputs",
        inputs, "output", supTextJson( plan->output ), "form", form, "clip", made->clip[0] != '\0' ? made->clip : NULL,
        "width", made->width, "height", made->height, "frames", made->frames, "seconds", made->seconds, "bytes",
        (json_int_t)made->bytes, "driver", made->driver, "front", supVectorToJson( made->front ), "up",
        supVectorToJson( made->up ), "camera", made->yaw, made->pitch );
    if ( json_array_size( made->times ) > 0 )
    {
        json_object_set( report, "times", made->times );
    }
    json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 12 ) );
    fputc( '\n', stdout );
    json_decref( report );
}

int supRunRender( const char* program, int argc, char** args )
{
    (void)program;
    supRenderPlan plan;
    supParseResult parsed = supReadRenderWords( argc, args, &plan );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    supError error = { 0 };
    supRenderReport made = { 0 };
    supResult result = supCheckOutput( plan.output, &error );
    result = result == sup_success && plan.film ? supFindFilmMaker( plan.output, &error ) : result;
    result = result == sup_success ? supDrawPlan( &plan, &made, &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "supple render: %s\n", error.text );
        return sup_exitFailed;
    }
    supPrintReport( &plan, &made );
    json_decref( made.times );
    return sup_exitOk;
}
