// The panels of a picture: a shot each, and how far they are apart; captions.
// SPDX-License-Identifier: MIT
#include "render_job.h"
#include "render_seen.h"
#include "supple/lab/drawing.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What is drawn on the skin

typedef struct supShotOverlay
{
    supRender* render;
    const supShot* shot;
    bool isDifference;
} supShotOverlay;

/// Grey where nothing moves, through amber to red where it moves most. Linear colours.
static supColor supHeatColor( float share )
{
    static const supColor stops[] = { { 0.36f, 0.37f, 0.39f, 1.0f }, { 0.92f, 0.55f, 0.06f, 1.0f },
        { 0.62f, 0.02f, 0.02f, 1.0f } };
    float place = 2.0f * fmaxf( 0.0f, fminf( share, 1.0f ) );
    int stop = place < 1.0f ? 0 : 1;
    float t = place - (float)stop;
    const supColor *a = stops + stop, *b = a + 1;
    return ( supColor ){ a->r + t * ( b->r - a->r ), a->g + t * ( b->g - a->g ), a->b + t * ( b->b - a->b ), 1.0f };
}

static void supDrawShotOverlay( const supDraw* draw, void* user )
{
    const supShotOverlay* overlay = user;
    const supShot* shot = overlay->shot;
    const supRenderPlan* plan = overlay->render->plan;
    if ( overlay->isDifference )
    {
        draw->colors( overlay->render->heat, supFigure_VertexCount( shot->figure ), draw->user );
        return;
    }
    for ( int32_t i = 0; shot->living && supBody_DrawNames()[i] != NULL; ++i )
    {
        if ( plan->fleshShown[i] )
        {
            supSeenDraw watch = { draw, overlay->render->seen[i] };
            const supDraw watched = supWatchDraw( &watch );
            supBody_Draw( shot->life.body, supBody_DrawNames()[i], &watched );
            overlay->render->seen[i] = watch.seen;
        }
    }
    if ( plan->bones )
    {
        supDrawBones( shot->input.character, supPose_Joints( shot->pose ), draw );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Panels

/// The panel's view at this moment. A comparison has one camera: it follows the first figure for all.
static supView supViewOf( supRender* render, int32_t panel, double time )
{
    supView view = render->views[panel];
    if ( render->follow )
    {
        supShot* first = render->shots;
        if ( panel > 0 )
        {
            supShot_At( first, supShotTime( first, time ) );
        }
        supVec3 at = first->standing;
        supVec3 middle = view.groundCenter;
        view.eye = ( supVec3 ){ view.eye.x + at.x, view.eye.y + at.y, view.eye.z + at.z };
        view.groundCenter = ( supVec3 ){ middle.x + at.x, middle.y + at.y, middle.z + at.z };
    }
    return view;
}

/// The outline of the first figure over the last one.
static supResult supDrawOutline( supRender* render, supView view, double time, supPixels* pixels, supError* error )
{
    supShot* first = render->shots;
    supActor actor = supDefaultActor( first->figure, supShot_At( first, supShotTime( first, time ) ) );
    view.ground = false;
    view.top = view.bottom = ( supColor ){ 0.0f, 0.0f, 0.0f, 0.0f };
    supResult result = supStage_Draw( render->stage, &view, &actor, 1, &render->mask, error );
    if ( result == sup_success )
    {
        supPixels_Outline( pixels, &render->mask, ( supColor ){ 0.0f, 0.0f, 0.0f, 0.85f } );
    }
    return result;
}

supResult supRender_DrawPanel( supRender* render, int32_t panel, double time, supError* error )
{
    const supRenderPlan* plan = render->plan;
    bool isDifference = panel >= plan->inputCount;
    supShot* shot = render->shots + ( isDifference ? plan->inputCount - 1 : panel );
    supShape shape = supShot_At( shot, supShotTime( shot, time ) );
    supView view = supViewOf( render, panel, time );
    if ( isDifference )
    {
        supRender_Measure( render, time );
        bool moves = render->largestWay > supRender_LeastWay( render );
        for ( int32_t i = 0; i < supFigure_VertexCount( shot->figure ); ++i )
        {
            render->heat[i] = supHeatColor( moves ? render->ways[i] / (float)render->largestWay : 0.0f );
        }
    }
    supShotOverlay overlay = { render, shot, isDifference };
    supActor actor = supDefaultActor( shot->figure, shape );
    actor.skin = isDifference || plan->skin;
    actor.wireframe = isDifference == false && plan->wireframe;
    actor.overlay = supDrawShotOverlay;
    actor.user = &overlay;
    supResult result = supStage_Draw( render->stage, &view, &actor, 1, render->parts + panel, error );
    return result == sup_success && isDifference ? supDrawOutline( render, view, time, render->parts + panel, error )
                                                 : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Captions

void supRender_Caption( const supRender* render, int32_t panel, char* text, size_t size )
{
    const supRenderPlan* plan = render->plan;
    text[0] = '\0';
    if ( panel < plan->captions.count )
    {
        snprintf( text, size, "%s", plan->captions.items[panel] );
    }
    else if ( panel >= plan->inputCount )
    {
        double share = render->largestWay / (double)supCharacter_Info( render->shots[0].input.character )->size;
        bool moves = render->largestWay > supRender_LeastWay( render );
        snprintf( text, size, moves ? "difference (red: %.2g%% of the size)" : "no difference", 100.0 * share );
    }
    else if ( plan->inputCount > 1 && plan->inputs[0] == plan->inputs[1] )
    {
        // one file on both sides is told apart by what became of its skin
        const char* how = plan->rig != NULL                ? supBaseName( plan->rig )
                          : plan->choices.softness != NULL ? supWordFor( sup_wordsPreset, plan->choices.def.preset )
                                                           : NULL;
        bool named = plan->living[panel] && how != NULL;
        snprintf(
            text, size, "%s%s%s", plan->living[panel] ? "living" : "smooth", named ? ", " : "", named ? how : "" );
    }
    else if ( plan->inputCount > 1 )
    {
        // files of the same name by their whole path
        bool same = strcmp( supBaseName( plan->inputs[0] ), supBaseName( plan->inputs[1] ) ) == 0;
        snprintf( text, size, "%s", same ? plan->inputs[panel] : supBaseName( plan->inputs[panel] ) );
    }
}

bool supRender_HasCaptions( const supRender* render )
{
    return render->plan->inputCount > 1 || render->plan->captions.count > 0;
}

float supCaptionHeight( int32_t height )
{
    return fmaxf( 6.0f, fminf( 0.026f * (float)height, 16.0f ) );
}

void supDrawCaption(
    const supRender* render, supPixels* pixels, const float box[4], float height, int32_t turn, const char* text )
{
    supColor paper = render->plan->view.bottom, ink = { 0.02f, 0.022f, 0.025f, 1.0f };
    if ( paper.a < 1.0f ) // on whatever the picture is laid upon
    {
        paper = ( supColor ){ 0.01f, 0.012f, 0.015f, 0.7f };
    }
    if ( 0.2f * paper.r + 0.7f * paper.g + 0.1f * paper.b < 0.18f )
    {
        ink = ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f };
    }
    supPixels_Box( pixels, box[0], box[1], box[2], box[3], paper );
    float room = 0.94f * ( turn == 0 ? box[2] - box[0] : box[3] - box[1] ), width = supTextWidth( text, height );
    height = width > room ? height * room / width : height;
    float x = 0.5f * ( box[0] + box[2] ), y = 0.5f * ( box[1] + box[3] );
    x += turn == 0 ? 0.0f : 0.5f * height;
    y += turn == 0 ? 0.5f * height : 0.0f;
    supPixels_Text( pixels, x, y, height, sup_alignCenter, turn, text, ink );
}

supResult supRender_DrawFrame( supRender* render, double time, supError* error )
{
    float left = 0.0f, top = (float)( render->height - render->band );
    for ( int32_t k = 0; k < render->panelCount; ++k )
    {
        supResult result = supRender_DrawPanel( render, k, time, error );
        if ( result != sup_success )
        {
            return result;
        }
        supPixels_Paste( &render->frame, render->parts + k, (int32_t)left, 0 );
        float right = left + (float)render->parts[k].width;
        if ( render->band > 0 )
        {
            char caption[200];
            supRender_Caption( render, k, caption, sizeof( caption ) );
            const float box[4] = { left, top, right, (float)render->height };
            supDrawCaption( render, &render->frame, box, supCaptionHeight( render->height ), 0, caption );
        }
        if ( k > 0 )
        {
            supPixels_Box(
                &render->frame, left - 0.5f, 0.0f, left + 0.5f, top, ( supColor ){ 0.0f, 0.0f, 0.0f, 0.35f } );
        }
        left = right;
    }
    return sup_success;
}
