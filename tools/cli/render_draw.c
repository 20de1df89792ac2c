// Pictures of characters, as a plan says.
// SPDX-License-Identifier: MIT
#include "render_draw.h"
#include "film.h"

#include "render_job.h"
#include "supple/lab/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static supResult supRenderStill( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = supRender_DrawFrame( render, render->times[0], error );
    if ( result != sup_success )
    {
        return result;
    }
    return plan->webp ? supWriteWebp( &render->frame, plan->quality, plan->output, error )
                      : supWritePng( &render->frame, plan->output, error );
}

/// A film by ffmpeg.
static supResult supRenderFilm( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    const supFilmDef def = { .path = plan->output,
        .width = render->frame.width,
        .height = render->frame.height,
        .fps = plan->fps,
        .quality = plan->quality };
    supFilm* film = NULL;
    supResult result = supStartFilm( &def, &film, error );
    supProgress_Stage( &render->progress, "drawing" );
    for ( int32_t i = 0; i < render->frameCount && result == sup_success; ++i )
    {
        result = supRender_DrawFrame( render, supRender_FrameTime( render, i ), error );
        result = result == sup_success ? supFilm_Add( film, &render->frame, error ) : result;
        supProgress_Update( &render->progress, (double)( i + 1 ) / (double)render->frameCount );
    }
    if ( film != NULL )
    {
        // ffmpeg's own words say more than that it stopped
        supResult ended = supFilm_End( film, result == sup_success, error );
        result = result == sup_success ? ended : result;
    }
    return result;
}

static supResult supRenderMovie( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    if ( plan->film )
    {
        return supRenderFilm( render, error );
    }
    supMovieDef def = supDefaultMovieDef();
    def.width = render->frame.width;
    def.height = render->frame.height;
    def.quality = plan->quality;
    supMovie* movie = NULL;
    supResult result = supCreateMovie( &def, &movie, error );
    supProgress_Stage( &render->progress, "drawing" );
    for ( int32_t i = 0; i < render->frameCount && result == sup_success; ++i )
    {
        result = supRender_DrawFrame( render, supRender_FrameTime( render, i ), error );
        if ( result == sup_success )
        {
            result = supMovie_Add( movie, &render->frame, (double)( i + 1 ) / plan->fps, error );
        }
        supProgress_Update( &render->progress, (double)( i + 1 ) / (double)render->frameCount );
    }
    if ( result == sup_success )
    {
        result = supMovie_Write( movie, plan->output, error );
    }
    supDestroyMovie( movie );
    return result;
}

/// A file that is brought to life starts from what it was before an earlier bake; so does its smooth side.
static bool supShowsUnbaked( const supRenderPlan* plan, int32_t k )
{
    int32_t last = plan->inputCount - 1;
    return plan->living[k] || ( plan->living[last] && plan->inputs[k] == plan->inputs[last] );
}

static supResult supOpenShots( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = sup_success;
    for ( int32_t k = 0; k < plan->inputCount && result == sup_success; ++k )
    {
        supShot* shot = render->shots + k;
        supInputDef def = { "render", plan->inputs[k], supShowsUnbaked( plan, k ), &plan->motions, plan->map,
            &render->progress };
        result = supOpenShot( shot, render->stage, &def, plan->clip, error );
        if ( result == sup_success && plan->living[k] )
        {
            result = supShot_Animate( shot, plan->rig, &plan->choices, error );
        }
        if ( result == sup_success && plan->closeUp != NULL )
        {
            result = supShot_CloseUp( shot, plan->closeUp, error );
        }
    }
    return result;
}

/// Room for the way of every vertex, and whether there is a panel to show it in: of one file with and without flesh, or
/// of two files of the same vertices.
static supResult supPrepareDifference( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    bool wanted = plan->difference == sup_differenceOn ||
                  ( plan->difference == sup_differenceChoose && plan->form == sup_renderStrip );
    bool ofTwo = plan->inputCount > 1 && supRender_Differs( render ) &&
                 ( plan->inputs[0] == plan->inputs[1] || plan->living[plan->inputCount - 1] == false );
    render->panelCount = plan->inputCount + ( wanted && ofTwo ? 1 : 0 );
    if ( plan->difference == sup_differenceOn && ofTwo == false )
    {
        return supFail( error, sup_errorArgument,
            plan->inputCount > 1 ? "%s: --difference needs two files of the same vertices"
                                 : "%s: --difference is for --compare",
            plan->inputs[0] );
    }
    size_t count = (size_t)supFigure_VertexCount( render->shots[plan->inputCount - 1].figure ) + 1;
    render->ways = calloc( count, sizeof( float ) );
    render->heat = calloc( count, sizeof( supColor ) );
    return render->ways != NULL && render->heat != NULL
               ? sup_success
               : supFail( error, sup_errorMemory, "no memory for %zu vertices", count );
}

/// The moments that were named are in the clip.
static supResult supCheckTimes( const supRenderPlan* plan, const supShot* shot, supError* error )
{
    supResult result = plan->hasTime ? supShot_CheckTime( shot, plan->time, error ) : sup_success;
    for ( int32_t i = 0; plan->hasTimes && i < plan->stripCount && result == sup_success; ++i )
    {
        result = supShot_CheckTime( shot, plan->times[i], error );
    }
    return result;
}

static supResult supRecordShot( supRender* render, supShot* shot, supError* error )
{
    if ( shot->living && shot->clip >= 0 )
    {
        const char* name = supCharacter_Clip( shot->input.character, shot->clip ).name;
        supProgress_Stage( &render->progress, "moving \"%.40s\"", name );
    }
    return supShot_Record( shot, supProgress_WatchShare( &render->progress ), error );
}

/// Opens the shots, chooses clip, moments and camera.
static supResult supPrepareRender( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = supCheckRigFile( plan->rig, error );
    result = result == sup_success ? supCreateStage( &render->stage, error ) : result;
    result = result == sup_success ? supOpenShots( render, error ) : result;
    if ( result == sup_success )
    {
        supRender_FindFront( render );
    }
    result = result == sup_success ? supPrepareDifference( render, error ) : result;
    result = result == sup_success ? supRender_ChooseClip( render, error ) : result;
    for ( int32_t k = 0; k < plan->inputCount && result == sup_success; ++k )
    {
        supShot* shot = render->shots + k;
        render->duration = fmax( render->duration, shot->end - shot->start );
        result = supCheckTimes( plan, shot, error );
        result = result == sup_success ? supRecordShot( render, shot, error ) : result;
    }
    result = result == sup_success ? supRender_ChooseMoments( render, error ) : result;
    return result == sup_success ? supRender_Frame( render, error ) : result;
}

static void supReleaseRender( supRender* render )
{
    for ( int32_t k = 0; k < sup_maxPanelCount; ++k )
    {
        supDestroyPixels( render->parts + k );
    }
    for ( int32_t k = 0; k < sup_maxShotCount; ++k )
    {
        supReleaseShot( render->shots + k );
    }
    supDestroyPixels( &render->frame );
    supDestroyPixels( &render->mask );
    free( render->times );
    free( render->ways );
    free( render->heat );
    supDestroyStage( render->stage );
}

static void supTellWhatWasMade( const supRender* render, supRenderReport* report )
{
    const supRenderPlan* plan = render->plan;
    const supShot* shot = render->shots;
    struct stat info = { 0 };
    *report = ( supRenderReport ){ .width = render->width, .height = render->height, .frames = render->frameCount };
    report->front = render->front;
    report->up = render->up;
    report->yaw = round( (double)render->yaw * 57.29577951 );
    report->pitch = round( (double)render->pitch * 57.29577951 );
    report->bytes = stat( plan->output, &info ) == 0 ? (long long)info.st_size : 0;
    report->seconds = plan->form == sup_renderMovie ? (double)render->frameCount / plan->fps : 0.0;
    report->times = json_array();
    for ( int32_t i = 0; render->times != NULL && i < render->frameCount; ++i )
    {
        json_array_append_new( report->times, json_real( shot->start + render->times[i] ) );
    }
    snprintf( report->driver, sizeof( report->driver ), "%s", supStage_Driver( render->stage ) );
    if ( shot->clip >= 0 )
    {
        snprintf(
            report->clip, sizeof( report->clip ), "%s", supCharacter_Clip( shot->input.character, shot->clip ).name );
    }
}

/// What was asked for in vain: a layer that the rig has not, or that has nothing to show.
static void supListUnseen( const supRender* render, char* text, size_t size )
{
    const supRenderPlan* plan = render->plan;
    for ( int i = 0; i < sup_maxFleshShown && supBody_DrawNames()[i] != NULL; ++i )
    {
        size_t length = strlen( text );
        if ( plan->fleshShown[i] && !render->seen[i] )
        {
            snprintf( text + length, size - length, "%s%s", length > 0 ? ", " : "", supBody_DrawNames()[i] );
        }
    }
}

supResult supDrawPlan( const supRenderPlan* plan, supRenderReport* report, supError* error )
{
    supRender render = { .plan = plan };
    supStartProgress( &render.progress, "render", plan->progress ? sup_progressLines : sup_progressBar );
    supResult result = supPrepareRender( &render, error );
    if ( result == sup_success )
    {
        result = plan->form == sup_renderStill   ? supRenderStill( &render, error )
                 : plan->form == sup_renderStrip ? supRender_Sheet( &render, error )
                                                 : supRenderMovie( &render, error );
    }
    supProgress_End( &render.progress );
    if ( result == sup_success )
    {
        supTellWhatWasMade( &render, report );
        supListUnseen( &render, report->unseen, sizeof( report->unseen ) );
    }
    supReleaseRender( &render );
    return result;
}
