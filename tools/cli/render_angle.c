// Where the camera stands in a comparison, where nobody said: two skins are told apart best there.
// SPDX-License-Identifier: MIT
//
// Whether motion is seen hangs on what lies before it, on which way it goes, and on the light: the belly of a dog is
// behind its forelegs, and a bottom that shakes is not seen from the front. So it is tried: both skins are drawn small
// from a ring of places, at moments in which they are far apart, and the place from which most pixels differ is taken.
// Faces are liked, and so is looking down on a figure: other places must show more. A long body is nearer to the camera
// from its end than from its side, and larger in the picture; that is taken out, or whales would be seen from the front
// alone.
#include "render_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_trialMoments = 3, // at most
    sup_trialSide = 128,  // pixels
};

static const float sup_degree = 0.01745329252f;
/// Rounding of motion that is none leaves this much of the size at most.
static const double supLeastShare = 5e-5;

typedef struct supAngle
{
    float yaw, pitch; ///< degrees
    float liked;      ///< what is seen from there counts so much
} supAngle;

static const supAngle supAngles[] = {
    { 35.0f, 12.0f, 1.15f },
    { 0.0f, 6.0f, 0.6f },
    { -35.0f, 12.0f, 1.1f },
    { 65.0f, 8.0f, 1.1f },
    { -65.0f, 8.0f, 1.0f },
    { 90.0f, 4.0f, 0.95f },
    { 140.0f, 10.0f, 0.65f },
    { 180.0f, 8.0f, 0.45f },
    { 25.0f, 40.0f, 0.85f },
    { 40.0f, -14.0f, 0.85f },
    { 75.0f, -14.0f, 0.85f },
};

/// Both skins at one moment, copied.
typedef struct supTrial
{
    supShape shapes[sup_maxShotCount];
    supVec3 offsets[sup_maxShotCount];
    float* copies[sup_maxShotCount][2]; ///< positions; normals or NULL
} supTrial;

double supRender_LeastWay( const supRender* render )
{
    return supLeastShare * (double)supCharacter_Info( render->shots[0].input.character )->size;
}

bool supRender_ChoosesCamera( const supRender* render )
{
    const supRenderPlan* plan = render->plan;
    return plan->hasCamera == false && plan->inputCount == sup_maxShotCount && supRender_Differs( render ) &&
           render->largestWay > supRender_LeastWay( render );
}

// ---------------------------------------------------------------------------------------------------------------
// The moments that are tried

static float* supCopyFloats( const float* from, size_t count )
{
    float* to = malloc( count * sizeof( float ) + 1 );
    if ( to != NULL )
    {
        memcpy( to, from, count * sizeof( float ) );
    }
    return to;
}

static bool supKeepTrial( supRender* render, double time, supTrial* trial )
{
    bool kept = true;
    for ( int32_t k = 0; k < sup_maxShotCount; ++k )
    {
        supShot* shot = render->shots + k;
        supShape shape = supShot_At( shot, supShotTime( shot, time ) );
        size_t floats = 3 * (size_t)supFigure_VertexCount( shot->figure );
        trial->copies[k][0] = supCopyFloats( shape.positions, floats );
        trial->copies[k][1] = shape.normals != NULL ? supCopyFloats( shape.normals, floats ) : NULL;
        trial->shapes[k] = ( supShape ){ trial->copies[k][0], trial->copies[k][1], shape.mirrored };
        trial->offsets[k] = supRender_OffsetOf( render, shot );
        kept = kept && trial->copies[k][0] != NULL && ( shape.normals == NULL || trial->copies[k][1] != NULL );
    }
    return kept;
}

/// Those that are drawn, or of a film those in which the skins are farthest apart.
static supResult supKeepTrials( supRender* render, supTrial* trials, int32_t* count, supError* error )
{
    double times[sup_trialMoments];
    bool film = render->times == NULL;
    *count = film ? sup_trialMoments : render->frameCount < sup_trialMoments ? render->frameCount : sup_trialMoments;
    supResult result = film ? supRender_PickMoments( render, *count, times, error ) : sup_success;
    for ( int32_t i = 0; i < *count && result == sup_success; ++i )
    {
        // of many moments some from beginning to end
        double time = film ? times[i] : render->times[(int64_t)i * render->frameCount / *count];
        result = supKeepTrial( render, time, trials + i )
                     ? sup_success
                     : supFail( error, sup_errorMemory, "no memory to choose a camera" );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Trying

static supView supTrialView( const supRender* render, const supTrial* trials, int32_t count, supAngle angle )
{
    supView view = render->plan->view;
    view.front = render->front;
    view.up = render->up;
    view.yaw = angle.yaw * sup_degree;
    view.pitch = angle.pitch * sup_degree;
    view.width = view.height = sup_trialSide;
    view.ground = false;
    view.top = view.bottom = ( supColor ){ 0.6f, 0.6f, 0.6f, 1.0f };
    supFraming framing = supBeginFraming( &view );
    for ( int32_t i = 0; i < count * sup_maxShotCount; ++i )
    {
        const supTrial* trial = trials + i / sup_maxShotCount;
        int32_t k = i % sup_maxShotCount;
        const supShot* shot = render->shots + k;
        const float* positions = trial->shapes[k].positions;
        supFraming_Add(
            &framing, positions, shot->close == NULL ? supFigure_VertexCount( shot->figure ) : 0, trial->offsets[k] );
        for ( int32_t c = 0; c < shot->closeCount; ++c )
        {
            supFraming_Add( &framing, positions + 3 * (size_t)shot->close[c], 1, trial->offsets[k] );
        }
        supFraming_StandBack( &framing, positions, supFigure_VertexCount( shot->figure ), trial->offsets[k] );
    }
    supFraming_End( &framing, &view );
    return view;
}

/// How much two pictures of the same size differ.
static double supPixelsApart( const supPixels* a, const supPixels* b )
{
    double sum = 0.0;
    for ( size_t i = 0; i < 4 * (size_t)a->width * (size_t)a->height; ++i )
    {
        sum += abs( a->data[i] - b->data[i] );
    }
    return sum;
}

static supResult supTryAngle( supRender* render, const supTrial* trials, int32_t count, supAngle angle,
    supPixels* pixels, double* seen, supError* error )
{
    supView view = supTrialView( render, trials, count, angle );
    supResult result = sup_success;
    *seen = 0.0;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        for ( int32_t k = 0; k < sup_maxShotCount && result == sup_success; ++k )
        {
            supActor actor = supDefaultActor( render->shots[k].figure, trials[i].shapes[k] );
            actor.offset = trials[i].offsets[0]; // one camera, which follows the first figure
            result = supStage_Draw( render->stage, &view, &actor, 1, pixels + k, error );
        }
        double away = 0.5 * (double)( view.nearest + view.farthest );
        double liked = away * away * (double)angle.liked;
        *seen += result == sup_success ? liked * supPixelsApart( pixels, pixels + 1 ) : 0.0;
    }
    return result;
}

supResult supRender_ChooseAngles( supRender* render, supError* error )
{
    supTrial trials[sup_trialMoments] = { 0 };
    supPixels pixels[sup_maxShotCount] = { 0 };
    int32_t count = 0;
    double most = -1.0, seen = 0.0;
    supResult result = supKeepTrials( render, trials, &count, error );
    for ( int32_t k = 0; k < sup_maxShotCount && result == sup_success; ++k )
    {
        result = supCreatePixels( sup_trialSide, sup_trialSide, pixels + k, error );
    }
    for ( size_t a = 0; a < sizeof( supAngles ) / sizeof( supAngles[0] ) && result == sup_success; ++a )
    {
        result = supTryAngle( render, trials, count, supAngles[a], pixels, &seen, error );
        if ( result == sup_success && seen > most )
        {
            most = seen;
            render->yaw = supAngles[a].yaw * sup_degree;
            render->pitch = supAngles[a].pitch * sup_degree;
        }
    }
    for ( int32_t i = 0; i < sup_trialMoments * sup_maxShotCount; ++i )
    {
        supTrial* trial = trials + i / sup_maxShotCount;
        free( trial->copies[i % sup_maxShotCount][0] );
        free( trial->copies[i % sup_maxShotCount][1] );
    }
    supDestroyPixels( pixels );
    supDestroyPixels( pixels + 1 );
    return result;
}
