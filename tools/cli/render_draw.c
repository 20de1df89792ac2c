// Pictures of characters, as a plan says.
// SPDX-License-Identifier: MIT
#include "render_draw.h"

#include "progress.h"
#include "render_shot.h"

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
    supShot shots[sup_maxShotCount];
    supView views[sup_maxShotCount];   ///< the same camera for all, widths that add up
    supPixels parts[sup_maxShotCount]; ///< one for each shot
    supPixels frame;                   ///< the shots side by side
    int32_t width, height;             ///< of what is written. Pixels
    double duration;                   ///< of the longest clip. Seconds
    int32_t frameCount;
    double fps;
    bool follow; ///< the camera goes along with the figures
} supRender;

/// Shots play from their own start; a clip that is longer than another goes on, the other repeats.
static double supShotTime( const supShot* shot, double time )
{
    double length = shot->end - shot->start;
    if ( !( length > 0.0 ) )
    {
        return shot->start;
    }
    double turns = floor( time / length );
    double rest = time - turns * length;
    return time <= length ? shot->start + time : shot->start + rest;
}

/// Times from the start of the clips at which pictures are drawn.
static double supFrameTime( const supRender* render, int32_t frame )
{
    const supRenderPlan* plan = render->plan;
    if ( plan->form == sup_renderStill )
    {
        return plan->hasTime ? plan->time - render->shots[0].start : 0.0;
    }
    if ( plan->form == sup_renderStrip )
    {
        return plan->stripCount > 1 ? render->duration * (double)frame / (double)( plan->stripCount - 1 ) : 0.0;
    }
    return (double)frame / render->fps;
}

/// Calls for moments of everything that will be drawn: all of the motion, or the one moment of a still.
typedef void supMomentFunction( supRender* render, const supShot* shot, supShape shape, void* context );

static void supForMoments( supRender* render, supMomentFunction* function, void* context )
{
    bool still = render->plan->form == sup_renderStill;
    int32_t samples = still ? 1 : sup_framingSamples;
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        supShot* shot = render->shots + k;
        for ( int32_t i = 0; i < samples; ++i )
        {
            double share = samples > 1 ? (double)i / (double)( samples - 1 ) : 0.0;
            double time = still ? supFrameTime( render, 0 ) : share * render->duration;
            supShape shape = supShot_At( shot, supShotTime( shot, time ) );
            function( render, shot, shape, context );
        }
    }
}

typedef struct supTravel
{
    supVec3 lower, upper;
    bool any;
} supTravel;

static void supAddTravel( supRender* render, const supShot* shot, supShape shape, void* context )
{
    (void)render, (void)shape;
    supTravel* travel = context;
    supVec3 at = shot->standing;
    travel->lower =
        travel->any ? ( supVec3 ){ fminf( travel->lower.x, at.x ), 0.0f, fminf( travel->lower.z, at.z ) } : at;
    travel->upper =
        travel->any ? ( supVec3 ){ fmaxf( travel->upper.x, at.x ), 0.0f, fmaxf( travel->upper.z, at.z ) } : at;
    travel->any = true;
}

/// In a contact sheet a figure that walks off would be a dot in each cell: there the camera goes along by itself.
static bool supShouldFollow( supRender* render )
{
    const supRenderPlan* plan = render->plan;
    if ( plan->camera != sup_cameraChoose || plan->form != sup_renderStrip )
    {
        return plan->camera == sup_cameraFollow;
    }
    supTravel travel = { .any = false };
    supForMoments( render, supAddTravel, &travel );
    float size = supCharacter_Size( render->shots[0].input.character );
    return hypotf( travel.upper.x - travel.lower.x, travel.upper.z - travel.lower.z ) > 0.4f * size;
}

static void supAddToFraming( supRender* render, const supShot* shot, supShape shape, void* context )
{
    supVec3 offset = render->follow ? ( supVec3 ){ -shot->standing.x, 0.0f, -shot->standing.z } : supVec3_zero;
    supFraming_Add( context, shape.positions, supFigure_VertexCount( shot->figure ), offset );
}

/// A still is framed by its moment alone, everything that moves by the whole motion.
static void supFrameShots( supRender* render )
{
    const supRenderPlan* plan = render->plan;
    supView view = plan->view;
    view.width = render->parts[0].width;
    view.height = render->parts[0].height;
    if ( plan->inputCount > 1 || plan->captions.count > 0 )
    {
        view.margin = 0.1f; // room for what is written below the feet
    }
    render->follow = supShouldFollow( render );
    supFraming framing = supBeginFraming( &view );
    supForMoments( render, supAddToFraming, &framing );
    supFraming_End( &framing, &view );
    view.supersample = plan->form == sup_renderMovie ? 1 : 2;
    for ( int32_t k = 0; k < plan->inputCount; ++k )
    {
        render->views[k] = view;
        render->views[k].width = render->parts[k].width;
    }
}

/// What is drawn over a shot.
typedef struct supShotOverlay
{
    const supRenderPlan* plan;
    const supShot* shot;
} supShotOverlay;

static void supDrawShotOverlay( const supDraw* draw, void* user )
{
    const supShotOverlay* overlay = user;
    const supShot* shot = overlay->shot;
    for ( int32_t i = 0; shot->living && supBody_DrawNames()[i] != NULL; ++i )
    {
        if ( overlay->plan->fleshShown[i] )
        {
            supBody_Draw( shot->flesh.body, supBody_DrawNames()[i], draw );
        }
    }
    if ( overlay->plan->bones )
    {
        supDrawBones( shot->input.character, supPose_Joints( shot->pose ), draw );
    }
}

static supResult supDrawShot( supRender* render, int32_t k, double time, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supShot* shot = render->shots + k;
    supShape shape = supShot_At( shot, supShotTime( shot, time ) );
    supShotOverlay overlay = { plan, shot };
    supActor actor = supDefaultActor( shot->figure, shape );
    actor.skin = plan->skin;
    actor.wireframe = plan->wireframe;
    actor.overlay = supDrawShotOverlay;
    actor.user = &overlay;
    supView view = render->views[k];
    if ( render->follow )
    {
        supVec3 at = shot->standing;
        view.eye = ( supVec3 ){ view.eye.x + at.x, view.eye.y, view.eye.z + at.z };
        view.groundCenter = ( supVec3 ){ view.groundCenter.x + at.x, view.groundCenter.y, view.groundCenter.z + at.z };
    }
    return supStage_Draw( render->stage, &view, &actor, 1, render->parts + k, error );
}

/// Files of the same name are told apart by their whole path, and one file on both sides by what became of its skin.
static void supCaptionOf( const supRender* render, int32_t k, char* text, size_t size )
{
    const supRenderPlan* plan = render->plan;
    text[0] = '\0';
    if ( k < plan->captions.count )
    {
        snprintf( text, size, "%s", plan->captions.items[k] );
    }
    else if ( plan->inputCount > 1 && plan->inputs[0] == plan->inputs[1] )
    {
        const char* how = plan->rig != NULL ? supBaseName( plan->rig ) : plan->preset;
        const char* comma = how != NULL ? ", " : "";
        snprintf( text, size, "%s%s%s", plan->living[k] ? "living" : "smooth", plan->living[k] ? comma : "",
            plan->living[k] && how != NULL ? how : "" );
    }
    else if ( plan->inputCount > 1 )
    {
        bool same = strcmp( supBaseName( plan->inputs[0] ), supBaseName( plan->inputs[1] ) ) == 0;
        snprintf( text, size, "%s", same ? plan->inputs[k] : supBaseName( plan->inputs[k] ) );
    }
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
        supResult result = supDrawShot( render, k, time, error );
        if ( result != sup_success )
        {
            return result;
        }
        supPixels_Paste( &render->frame, render->parts + k, (int32_t)left, 0 );
        float right = left + (float)render->parts[k].width;
        char caption[200];
        supCaptionOf( render, k, caption, sizeof( caption ) );
        if ( caption[0] != '\0' )
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
    render->width = sheet.width;
    render->height = sheet.height;
    supPixels_Fill( &sheet, plan->view.bottom );
    supProgress progress = supStartProgress( "drawing" );
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        char text[32];
        double time = supFrameTime( render, i );
        result = supDrawFrame( render, time, error );
        snprintf( text, sizeof( text ), "%.2f s", render->shots[0].start + time );
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

/// A file that is brought to life starts from what it was before an earlier bake; so does its smooth side.
static bool supShowsUnbaked( const supRenderPlan* plan, int32_t k )
{
    int32_t last = plan->inputCount - 1;
    return plan->living[k] || ( plan->living[last] && plan->inputs[k] == plan->inputs[last] );
}

/// Opens the shots and decides how many pictures there will be.
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
        supShot* shot = render->shots + k;
        supInputDef def = { "render", plan->inputs[k], supShowsUnbaked( plan, k ), &plan->motions, plan->map };
        result = supOpenShot( shot, render->stage, &def, plan->clip, error );
        if ( result == sup_success && plan->hasTime )
        {
            result = supShot_CheckTime( shot, plan->time, error );
        }
        if ( result == sup_success && plan->living[k] )
        {
            result = supShot_Animate( shot, plan->rig, plan->preset, error );
        }
        render->duration = fmax( render->duration, shot->end - shot->start );
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
    render->width = plan->width;
    render->height = plan->height;
    render->frameCount = plan->form == sup_renderStrip ? plan->stripCount : frames < 1.0 ? 1 : (int32_t)frames;
    return result;
}

static void supReleaseRender( supRender* render )
{
    for ( int32_t k = 0; k < sup_maxShotCount; ++k )
    {
        supDestroyPixels( render->parts + k );
        supReleaseShot( render->shots + k );
    }
    supDestroyPixels( &render->frame );
    supDestroyStage( render->stage );
}

static void supTellWhatWasMade( const supRender* render, supRenderReport* report )
{
    const supRenderPlan* plan = render->plan;
    const supShot* shot = render->shots;
    struct stat info = { 0 };
    *report = ( supRenderReport ){ .width = render->width, .height = render->height, .frames = render->frameCount };
    report->bytes = stat( plan->output, &info ) == 0 ? (long long)info.st_size : 0;
    report->seconds = plan->form == sup_renderMovie ? (double)render->frameCount / render->fps : 0.0;
    snprintf( report->driver, sizeof( report->driver ), "%s", supStage_Driver( render->stage ) );
    if ( shot->clip >= 0 )
    {
        snprintf(
            report->clip, sizeof( report->clip ), "%s", supCharacter_Clip( shot->input.character, shot->clip ).name );
    }
}

supResult supDrawPlan( const supRenderPlan* plan, supRenderReport* report, supError* error )
{
    supRender render = { .plan = plan };
    supResult result = supPrepareRender( &render, error );
    if ( result == sup_success )
    {
        supFrameShots( &render );
        result = plan->form == sup_renderStill   ? supRenderStill( &render, error )
                 : plan->form == sup_renderStrip ? supRenderStrip( &render, error )
                                                 : supRenderMovie( &render, error );
    }
    if ( result == sup_success )
    {
        supTellWhatWasMade( &render, report );
    }
    supReleaseRender( &render );
    return result;
}
