// Sizes of pictures, and a camera that sees all that is drawn in them.
// SPDX-License-Identifier: MIT
#include "render_job.h"

#include <math.h>

enum
{
    sup_framingSamples = 48 // moments of a clip that the camera of a film is fitted to
};

typedef void supMomentFunction( supRender* render, const supShot* shot, supShape shape, void* context );

/// Calls for moments of everything that will be drawn: all of a film's motion, else the moments themselves.
static void supForMoments( supRender* render, supMomentFunction* function, void* context )
{
    int32_t samples = render->times != NULL ? render->frameCount : sup_framingSamples;
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        supShot* shot = render->shots + k;
        for ( int32_t i = 0; i < samples; ++i )
        {
            double time =
                render->times != NULL ? render->times[i] : render->duration * i / (double)( sup_framingSamples - 1 );
            supShape shape = supShot_At( shot, supShotTime( shot, time ) );
            function( render, shot, shape, context );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Where the figure looks

static float supDotOf( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bool supIsGiven( supVec3 v )
{
    return supDotOf( v, v ) > 0.25f; // a direction, not zero
}

/// The axis that a direction is near to, or else that direction itself. A picture need not show that a body at rest
/// leans by a few degrees, or looks past the axis by as much; and files look as they did where the front was right.
static supVec3 supNearAxis( supVec3 v )
{
    static const float sup_nearCosine = 0.96f; // of 16 degrees
    const float parts[3] = { v.x, v.y, v.z };
    for ( int i = 0; i < 3; ++i )
    {
        if ( fabsf( parts[i] ) > sup_nearCosine )
        {
            float sign = parts[i] < 0.0f ? -1.0f : 1.0f;
            return ( supVec3 ){ i == 0 ? sign : 0.0f, i == 1 ? sign : 0.0f, i == 2 ? sign : 0.0f };
        }
    }
    return v;
}

/// What is left of a direction across another, as a unit vector. False: nothing.
static bool supMakeSquare( supVec3* v, supVec3 to )
{
    float along = supDotOf( *v, to );
    supVec3 rest = { v->x - along * to.x, v->y - along * to.y, v->z - along * to.z };
    float length = sqrtf( supDotOf( rest, rest ) );
    *v = length > 0.1f ? ( supVec3 ){ rest.x / length, rest.y / length, rest.z / length } : *v;
    return length > 0.1f;
}

/// A direction across another: the first of the two that will do. glTF's own axes, or those of files whose up is Z.
static supVec3 supAcross( supVec3 to, supVec3 first, supVec3 second )
{
    supVec3 across = first;
    if ( supMakeSquare( &across, to ) == false )
    {
        across = second;
        supMakeSquare( &across, to );
    }
    return across;
}

void supRender_FindFront( supRender* render )
{
    const supProposeDef* told = &render->plan->choices.def;
    const supCharacter* character = render->shots[0].input.character;
    const supVec3 x = { 1.0f, 0.0f, 0.0f }, y = { 0.0f, 1.0f, 0.0f }, z = { 0.0f, 0.0f, 1.0f };
    supBodyReading body = { .front = z, .up = y };
    if ( supCharacter_Info( character )->skinCount > 0 )
    {
        supReadBody( character, told, &body, NULL );
    }
    render->up = supNearAxis( supIsGiven( told->up ) ? told->up : supIsGiven( body.up ) ? body.up : y );
    render->front = supNearAxis( supIsGiven( told->front ) ? told->front : supIsGiven( body.front ) ? body.front : z );
    if ( supMakeSquare( &render->front, render->up ) == false )
    {
        // one of them was told, and the other is not to be had from the body
        bool byFront = supIsGiven( told->front ) && supIsGiven( told->up ) == false;
        render->up = byFront ? supAcross( render->front, y, z ) : render->up;
        render->front = byFront ? render->front : supAcross( render->up, z, x );
    }
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        render->shots[k].up = render->up;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Whether the camera goes along

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
    supVec3 lower = travel->any ? travel->lower : at, upper = travel->any ? travel->upper : at;
    travel->lower = ( supVec3 ){ fminf( lower.x, at.x ), fminf( lower.y, at.y ), fminf( lower.z, at.z ) };
    travel->upper = ( supVec3 ){ fmaxf( upper.x, at.x ), fmaxf( upper.y, at.y ), fmaxf( upper.z, at.z ) };
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
    float size = supCharacter_Info( render->shots[0].input.character )->size;
    float x = travel.upper.x - travel.lower.x, y = travel.upper.y - travel.lower.y, z = travel.upper.z - travel.lower.z;
    return sqrtf( x * x + y * y + z * z ) > 0.4f * size;
}

// ---------------------------------------------------------------------------------------------------------------
// Framing

supVec3 supRender_OffsetOf( const supRender* render, const supShot* shot )
{
    return render->follow ? ( supVec3 ){ -shot->standing.x, -shot->standing.y, -shot->standing.z } : supVec3_zero;
}

void supFraming_StandBack( supFraming* framing, const float* positions, int32_t count, supVec3 offset )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* p = positions + 3 * (size_t)i;
        supVec3 at = { p[0] + offset.x, p[1] + offset.y, p[2] + offset.z };
        framing->frontMost = fmaxf( framing->frontMost, supDotOf( framing->back, at ) );
    }
}

static void supAddToFraming( supRender* render, const supShot* shot, supShape shape, void* context )
{
    supVec3 offset = supRender_OffsetOf( render, shot );
    int32_t all = shot->close == NULL ? supFigure_VertexCount( shot->figure ) : 0;
    supFraming_Add( context, shape.positions, all, offset );
    for ( int32_t i = 0; i < shot->closeCount; ++i )
    {
        supFraming_Add( context, shape.positions + 3 * (size_t)shot->close[i], 1, offset );
    }
    if ( shot->floats )
    {
        supFraming_StandBack( context, shape.positions, supFigure_VertexCount( shot->figure ), offset );
    }
}

static supView supFrameView( supRender* render, int32_t width, int32_t height )
{
    supView view = render->plan->view;
    view.front = render->front;
    view.up = render->up;
    view.yaw = render->yaw;
    view.pitch = render->pitch;
    view.width = width;
    view.height = height;
    supFraming framing = supBeginFraming( &view );
    supForMoments( render, supAddToFraming, &framing );
    supFraming_End( &framing, &view );
    view.supersample = render->plan->form == sup_renderMovie ? 1 : 2;
    view.ground = view.ground && render->shots[0].floats == false;
    return view;
}

typedef struct supExtent
{
    const supView* view;
    float left, right, top, bottom;
} supExtent;

static void supAddToExtent( supRender* render, const supShot* shot, supShape shape, void* context )
{
    supExtent* extent = context;
    supVec3 offset = supRender_OffsetOf( render, shot );
    int32_t count = shot->close != NULL ? shot->closeCount : supFigure_VertexCount( shot->figure );
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* p = shape.positions + 3 * (size_t)( shot->close != NULL ? shot->close[i] : i );
        float x, y, depth;
        supVec3 at = { p[0] + offset.x, p[1] + offset.y, p[2] + offset.z };
        if ( supView_Project( extent->view, at, &x, &y, &depth ) )
        {
            extent->left = fminf( extent->left, x ), extent->right = fmaxf( extent->right, x );
            extent->top = fminf( extent->top, y ), extent->bottom = fmaxf( extent->bottom, y );
        }
    }
}

/// Width over height of a picture that the motion fills, with the margin around it.
static float supOwnAspect( supRender* render )
{
    supView view = supFrameView( render, 512, 512 );
    supExtent extent = { &view, 512.0f, 0.0f, 512.0f, 0.0f };
    supForMoments( render, supAddToExtent, &extent );
    float width = extent.right - extent.left, height = extent.bottom - extent.top;
    float aspect = width > 0.0f && height > 0.0f ? width / height : 1.0f;
    aspect = fmaxf( 0.4f, fminf( aspect, 2.4f ) );
    float rim = 2.0f * view.margin; // a share of the shorter side
    return aspect < 1.0f ? 1.0f / ( ( 1.0f - rim ) / aspect + rim ) : ( 1.0f - rim ) * aspect + rim;
}

// ---------------------------------------------------------------------------------------------------------------
// Sizes

/// Where no size was asked for: single pictures of a usual shape, others of the figure's own.
static void supChooseSize( supRender* render )
{
    const supRenderPlan* plan = render->plan;
    render->width = plan->width;
    render->height = plan->height;
    if ( plan->hasSize )
    {
        return;
    }
    if ( plan->form == sup_renderStrip )
    {
        float aspect = supOwnAspect( render ), side = render->shots[0].floats ? 400.0f : 320.0f;
        render->width = (int32_t)( side * sqrtf( aspect ) + 0.5f );
        render->height = (int32_t)( side / sqrtf( aspect ) + 0.5f );
        return;
    }
    render->height = plan->form == sup_renderStill ? 720 : 480;
    render->width = render->height * 4 / 3;
    if ( plan->inputCount > 1 )
    {
        float aspect = fmaxf( 0.6f, fminf( supOwnAspect( render ), 1.8f ) );
        render->width = render->panelCount * (int32_t)( aspect * (float)render->height + 0.5f );
    }
}

static supResult supCheckSize( const supRender* render, supError* error )
{
    int32_t most = supStage_MaxSize( render->stage );
    if ( render->width > most || render->height > most )
    {
        return supFail( error, sup_errorLimit,
            "a picture of %d x %d pixels is too large for this driver (%s); at most %d per side are allowed",
            render->width, render->height, supStage_Driver( render->stage ), most );
    }
    return sup_success;
}

/// The pictures themselves: cells of a contact sheet, or parts of a frame.
static supResult supMakePanels( supRender* render, supError* error )
{
    bool isSheet = render->plan->form == sup_renderStrip;
    render->band = isSheet == false && supRender_HasCaptions( render )
                       ? (int32_t)( 2.4f * supCaptionHeight( render->height ) + 0.5f )
                       : 0;
    render->band = render->band < render->height ? render->band : 0;
    supResult result = isSheet ? sup_success : supCreatePixels( render->width, render->height, &render->frame, error );
    int32_t left = 0;
    for ( int32_t k = 0; k < render->panelCount && result == sup_success; ++k )
    {
        int32_t right = (int32_t)( (int64_t)render->width * ( k + 1 ) / render->panelCount );
        int32_t width = isSheet ? render->width : right - left;
        result = supCreatePixels( width, render->height - render->band, render->parts + k, error );
        left = right;
    }
    if ( result == sup_success && render->panelCount > render->plan->inputCount )
    {
        const supPixels* last = render->parts + render->panelCount - 1;
        result = supCreatePixels( last->width, last->height, &render->mask, error );
    }
    return result;
}

supResult supRender_Frame( supRender* render, supError* error )
{
    render->follow = supShouldFollow( render );
    render->yaw = render->plan->view.yaw;
    render->pitch = render->plan->view.pitch;
    supResult result = sup_success;
    if ( render->plan->closesIn && supRender_Differs( render ) && render->largestWay > supRender_LeastWay( render ) )
    {
        result = supRender_CloseIn( render, error );
    }
    if ( result == sup_success && supRender_ChoosesCamera( render ) )
    {
        result = supRender_ChooseAngles( render, error );
    }
    supChooseSize( render );
    result = result == sup_success ? supCheckSize( render, error ) : result;
    result = result == sup_success ? supMakePanels( render, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    supView view = supFrameView( render, render->parts[0].width, render->parts[0].height );
    for ( int32_t k = 0; k < render->panelCount; ++k )
    {
        render->views[k] = view;
        render->views[k].width = render->parts[k].width;
    }
    return sup_success;
}
