// supple render: pictures of characters.
// SPDX-License-Identifier: MIT
#include "command.h"
#include "progress.h"
#include "render_take.h"
#include "render_words.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
    sup_framingSamples = 48, // moments of a clip that the camera is fitted to
    sup_maxFrameCount = 100000,
};

/// A picture in the making.
typedef struct supRender
{
    const supRenderPlan* plan;
    supStage* stage;
    supTake takes[sup_maxTakeCount];
    supView views[sup_maxTakeCount];   ///< the same camera for all, widths that add up
    supPixels parts[sup_maxTakeCount]; ///< one for each take
    supPixels frame;                   ///< the takes side by side
    double duration;                   ///< of the longest clip. Seconds
    int32_t frameCount;
    double fps;
} supRender;

/// Takes play from their own start; a clip that is longer than another goes on, the other repeats.
static double supTakeTime( const supTake* take, double time )
{
    double length = take->end - take->start;
    if ( !( length > 0.0 ) )
    {
        return take->start;
    }
    double turns = floor( time / length );
    double rest = time - turns * length;
    return time <= length ? take->start + time : take->start + rest;
}

/// Where a figure stands on the floor: the middle of its vertices.
static supVec3 supStandingPoint( const supShape* shape, int32_t count )
{
    double x = 0.0, z = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        x += (double)shape->positions[3 * (size_t)i];
        z += (double)shape->positions[3 * (size_t)i + 2];
    }
    double share = count > 0 ? 1.0 / (double)count : 0.0;
    return ( supVec3 ){ (float)( x * share ), 0.0f, (float)( z * share ) };
}

/// Times from the start of the clips at which pictures are drawn.
static double supFrameTime( const supRender* render, int32_t frame )
{
    const supRenderPlan* plan = render->plan;
    if ( plan->form == sup_renderStill )
    {
        return plan->hasTime ? plan->time - render->takes[0].start : 0.0;
    }
    if ( plan->form == sup_renderStrip )
    {
        return plan->stripCount > 1 ? render->duration * (double)frame / (double)( plan->stripCount - 1 ) : 0.0;
    }
    return (double)frame / render->fps;
}

/// A still is framed by its moment alone, everything that moves by the whole motion.
static void supFrameTakes( supRender* render )
{
    const supRenderPlan* plan = render->plan;
    supView view = plan->view;
    view.width = render->parts[0].width;
    view.height = render->parts[0].height;
    supFraming framing = supBeginFraming( &view );
    int32_t samples = plan->form == sup_renderStill ? 1 : sup_framingSamples;
    for ( int32_t k = 0; k < plan->inputCount; ++k )
    {
        supTake* take = render->takes + k;
        take->source.rewind( take );
        for ( int32_t i = 0; i < samples; ++i )
        {
            double share = samples > 1 ? (double)i / (double)( samples - 1 ) : 0.0;
            double time = plan->form == sup_renderStill ? supFrameTime( render, 0 ) : share * render->duration;
            supShape shape = take->source.shapeAt( take, supTakeTime( take, time ) );
            int32_t count = supFigure_VertexCount( take->figure );
            supVec3 offset = supVec3_zero;
            if ( plan->follow )
            {
                supVec3 at = supStandingPoint( &shape, count );
                offset = ( supVec3 ){ -at.x, 0.0f, -at.z };
            }
            supFraming_Add( &framing, shape.positions, count, offset );
        }
        take->source.rewind( take );
    }
    supFraming_End( &framing, &view );
    view.supersample = plan->form == sup_renderMovie ? 1 : 2;
    for ( int32_t k = 0; k < plan->inputCount; ++k )
    {
        render->views[k] = view;
        render->views[k].width = render->parts[k].width;
    }
}

static void supDrawTakeOverlay( const supDraw* draw, void* user )
{
    const supTake* take = user;
    supDrawBones( take->character, supPose_Joints( take->pose ), draw );
}

static supResult supDrawTake( supRender* render, int32_t k, double time, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supTake* take = render->takes + k;
    supShape shape = take->source.shapeAt( take, supTakeTime( take, time ) );
    supActor actor = supDefaultActor( take->figure, shape );
    actor.skin = plan->skin;
    actor.wireframe = plan->wireframe;
    actor.overlay = plan->bones ? supDrawTakeOverlay : NULL;
    actor.user = take;
    supView view = render->views[k];
    if ( plan->follow )
    {
        supVec3 at = supStandingPoint( &shape, supFigure_VertexCount( take->figure ) );
        view.eye = ( supVec3 ){ view.eye.x + at.x, view.eye.y, view.eye.z + at.z };
        view.groundCenter = ( supVec3 ){ view.groundCenter.x + at.x, view.groundCenter.y, view.groundCenter.z + at.z };
    }
    return supStage_Draw( render->stage, &view, &actor, 1, render->parts + k, error );
}

static const char* supBaseName( const char* path )
{
    const char* slash = strrchr( path, '/' );
    return slash != NULL ? slash + 1 : path;
}

/// Files of the same name are told apart by their whole path.
static const char* supCaptionOf( const supRender* render, int32_t k )
{
    const supRenderPlan* plan = render->plan;
    if ( k < plan->captions.count )
    {
        return plan->captions.items[k];
    }
    if ( plan->inputCount < 2 )
    {
        return NULL;
    }
    bool same = strcmp( supBaseName( plan->inputs[0] ), supBaseName( plan->inputs[1] ) ) == 0;
    return same ? plan->inputs[k] : supBaseName( plan->inputs[k] );
}

/// White letters on a dark ribbon, or the other way round: readable on every background.
static void supDrawCaption( supPixels* pixels, float x0, float x1, const char* text )
{
    float height = fmaxf( 6.0f, fminf( 0.026f * (float)pixels->height, 0.05f * ( x1 - x0 ) ) );
    float width = supTextWidth( text, height ), middle = 0.5f * ( x0 + x1 );
    if ( width > 0.94f * ( x1 - x0 ) )
    {
        height *= 0.94f * ( x1 - x0 ) / width;
        width = supTextWidth( text, height );
    }
    float base = (float)pixels->height - 1.3f * height;
    supPixels_Box( pixels, middle - 0.5f * width - height, base - 1.8f * height, middle + 0.5f * width + height,
        base + 0.8f * height, ( supColor ){ 0.01f, 0.012f, 0.015f, 0.7f } );
    supPixels_Text( pixels, middle, base, height, sup_alignCenter, 0, text, ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f } );
}

static supResult supDrawFrame( supRender* render, double time, supError* error )
{
    float left = 0.0f;
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        supResult result = supDrawTake( render, k, time, error );
        if ( result != sup_success )
        {
            return result;
        }
        supPixels_Paste( &render->frame, render->parts + k, (int32_t)left, 0 );
        float right = left + (float)render->parts[k].width;
        const char* caption = supCaptionOf( render, k );
        if ( caption != NULL )
        {
            supDrawCaption( &render->frame, left, right, caption );
        }
        if ( k > 0 )
        {
            supPixels_Box( &render->frame, left - 0.5f, 0.0f, left + 0.5f, (float)render->frame.height,
                ( supColor ){ 0.0f, 0.0f, 0.0f, 0.35f } );
        }
        left = right;
    }
    return sup_success;
}

static supResult supRenderStill( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = supDrawFrame( render, supFrameTime( render, 0 ), error );
    if ( result != sup_success )
    {
        return result;
    }
    return plan->webp ? supWriteWebp( &render->frame, plan->quality, plan->output, error )
                      : supWritePng( &render->frame, plan->output, error );
}

static supResult supRenderStrip( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    int32_t count = plan->stripCount, width = render->frame.width, height = render->frame.height;
    int32_t columns = (int32_t)ceil( sqrt( 1.6 * (double)count * (double)height / (double)width ) );
    columns = columns < 1 ? 1 : columns > count ? count : columns;
    int32_t rows = ( count + columns - 1 ) / columns;
    columns = ( count + rows - 1 ) / rows;
    if ( columns > SUP_MAX_PIXELS / width || rows > SUP_MAX_PIXELS / height )
    {
        return supFail( error, sup_errorLimit, "%d moments of %d x %d pixels do not fit in one picture of %d a side",
            count, width, height, SUP_MAX_PIXELS );
    }
    supPixels sheet;
    supResult result = supCreatePixels( columns * width, rows * height, &sheet, error );
    if ( result != sup_success )
    {
        return result;
    }
    supPixels_Fill( &sheet, plan->view.bottom );
    supProgress progress = supStartProgress( "drawing" );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        char text[32];
        double time = supFrameTime( render, i );
        result = supDrawFrame( render, time, error );
        snprintf( text, sizeof( text ), "%.2f s", render->takes[0].start + time );
        float letter = fmaxf( 7.0f, 0.024f * (float)height );
        supPixels_Text( &render->frame, letter, 2.0f * letter, letter, sup_alignLeft, 0, text,
            ( supColor ){ 0.02f, 0.02f, 0.02f, 0.8f } );
        supPixels_Paste( &sheet, &render->frame, i % columns * width, i / columns * height );
        supProgress_Update( &progress, (double)( i + 1 ) / (double)count );
    }
    supProgress_End( &progress );
    if ( result == sup_success )
    {
        result = plan->webp ? supWriteWebp( &sheet, plan->quality, plan->output, error )
                            : supWritePng( &sheet, plan->output, error );
    }
    supDestroyPixels( &sheet );
    return result;
}

static supResult supRenderMovie( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supMovieDef def = supDefaultMovieDef();
    def.width = render->frame.width;
    def.height = render->frame.height;
    def.quality = plan->quality;
    supMovie* movie = NULL;
    supResult result = supCreateMovie( &def, &movie, error );
    supProgress progress = supStartProgress( "drawing" );
    for ( int32_t i = 0; i < render->frameCount && result == sup_success; ++i )
    {
        result = supDrawFrame( render, supFrameTime( render, i ), error );
        if ( result == sup_success )
        {
            result = supMovie_Add( movie, &render->frame, (double)( i + 1 ) / render->fps, error );
        }
        supProgress_Update( &progress, (double)( i + 1 ) / (double)render->frameCount );
    }
    supProgress_End( &progress );
    if ( result == sup_success )
    {
        result = supMovie_Write( movie, plan->output, error );
    }
    supDestroyMovie( movie );
    return result;
}

/// Opens the takes and decides how many pictures there will be.
static supResult supPrepareRender( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = supCreateStage( &render->stage, error );
    if ( result == sup_success &&
         ( plan->width > supStage_MaxSize( render->stage ) || plan->height > supStage_MaxSize( render->stage ) ) )
    {
        return supFail( error, sup_errorLimit,
            "a picture of %d x %d pixels is beyond this driver (%s): at most %d a side", plan->width, plan->height,
            supStage_Driver( render->stage ), supStage_MaxSize( render->stage ) );
    }
    for ( int32_t k = 0; k < plan->inputCount && result == sup_success; ++k )
    {
        supTake* take = render->takes + k;
        result = supOpenTake( take, render->stage, plan->inputs[k], plan->clip, error );
        if ( result == sup_success && plan->hasTime )
        {
            result = supTake_CheckTime( take, plan->time, error );
        }
        render->duration = fmax( render->duration, take->end - take->start );
    }
    int32_t left = 0;
    for ( int32_t k = 0; k < plan->inputCount && result == sup_success; ++k )
    {
        int32_t right = (int32_t)( (int64_t)plan->width * ( k + 1 ) / plan->inputCount );
        result = supCreatePixels( right - left, plan->height, render->parts + k, error );
        left = right;
    }
    if ( result == sup_success )
    {
        result = supCreatePixels( plan->width, plan->height, &render->frame, error );
    }
    double length = plan->duration > 0.0 ? plan->duration : render->duration;
    double frames = plan->form == sup_renderMovie ? floor( length * plan->fps + 0.5 ) : 1.0;
    if ( result == sup_success && frames > (double)sup_maxFrameCount )
    {
        return supFail( error, sup_errorLimit, "%s: %g seconds at %g frames a second are more than %d frames",
            plan->inputs[0], length, plan->fps, sup_maxFrameCount );
    }
    render->fps = plan->fps;
    render->frameCount = plan->form == sup_renderStrip ? plan->stripCount : frames < 1.0 ? 1 : (int32_t)frames;
    return result;
}

static void supReleaseRender( supRender* render )
{
    for ( int32_t k = 0; k < sup_maxTakeCount; ++k )
    {
        supDestroyPixels( render->parts + k );
        supReleaseTake( render->takes + k );
    }
    supDestroyPixels( &render->frame );
    supDestroyStage( render->stage );
}

static void supTellWhatWasMade( const supRender* render )
{
    const supRenderPlan* plan = render->plan;
    struct stat info = { 0 };
    double bytes = stat( plan->output, &info ) == 0 ? (double)info.st_size : 0.0;
    int32_t clip = render->takes[0].clip;
    const char* name = clip >= 0 ? supCharacter_Clip( render->takes[0].character, clip ).name : NULL;
    if ( plan->json == false )
    {
        fprintf( stderr, "%s: %d x %d pixels, %d %s, %.0f bytes\n", plan->output, plan->width, plan->height,
            render->frameCount, render->frameCount == 1 ? "picture" : "pictures", bytes );
        return;
    }
    json_t* inputs = json_array();
    for ( int32_t k = 0; k < plan->inputCount; ++k )
    {
        json_array_append_new( inputs, json_string( plan->inputs[k] ) );
    }
    const char* form = plan->form == sup_renderStill ? "still" : plan->form == sup_renderStrip ? "strip" : "movie";
    json_t* report = json_pack( "{s:o, s:s, s:s, s:s?, s:i, s:i, s:i, s:f, s:f, s:s}", "inputs", inputs, "output",
        plan->output, "form", form, "clip", name, "width", plan->width, "height", plan->height, "frames",
        render->frameCount, "seconds", plan->form == sup_renderMovie ? (double)render->frameCount / render->fps : 0.0,
        "bytes", bytes, "driver", supStage_Driver( render->stage ) );
    json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 12 ) );
    fputc( '\n', stdout );
    json_decref( report );
}

int supRunRender( int argc, char** args )
{
    supRenderPlan plan;
    supParseResult parsed = supReadRenderWords( argc, args, &plan );
    if ( parsed != sup_parseOk )
    {
        return supExitCodeOf( parsed );
    }
    supRender render = { .plan = &plan };
    supError error = { 0 };
    supResult result = supPrepareRender( &render, &error );
    if ( result == sup_success )
    {
        supFrameTakes( &render );
        result = plan.form == sup_renderStill   ? supRenderStill( &render, &error )
                 : plan.form == sup_renderStrip ? supRenderStrip( &render, &error )
                                                : supRenderMovie( &render, &error );
    }
    if ( result == sup_success )
    {
        supTellWhatWasMade( &render );
    }
    else
    {
        fprintf( stderr, "supple render: %s\n", error.text );
    }
    supReleaseRender( &render );
    return result == sup_success ? sup_exitOk : sup_exitFailed;
}
