// Which clip and which moments are drawn.
// SPDX-License-Identifier: MIT
#include "render_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_looksPerMoment = 16, // times that are looked at for each moment that is drawn
    sup_looksPerClip = 24,   // and for each clip, where two files are compared
    sup_maxFrameCount = 100000,
};

double supShotTime( const supShot* shot, double time )
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

double supRender_FrameTime( const supRender* render, int32_t frame )
{
    return render->times != NULL ? render->times[frame] : (double)frame / render->plan->fps;
}

// ---------------------------------------------------------------------------------------------------------------
// How far two skins are apart

static supShot* supLastShot( const supRender* render )
{
    return (supShot*)render->shots + render->plan->inputCount - 1;
}

bool supRender_Differs( const supRender* render )
{
    const supShot *first = render->shots, *last = supLastShot( render );
    return last->living ||
           ( first != last && supFigure_VertexCount( first->figure ) == supFigure_VertexCount( last->figure ) );
}

double supRender_Measure( supRender* render, double time )
{
    supShot *first = render->shots, *last = supLastShot( render );
    supShape shape = supShot_At( last, supShotTime( last, time ) );
    const float* from = last->living ? last->smooth : supShot_At( first, supShotTime( first, time ) ).positions;
    int32_t count = supFigure_VertexCount( last->figure );
    double sum = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const float *a = from + 3 * (size_t)i, *b = shape.positions + 3 * (size_t)i;
        double x = (double)( b[0] - a[0] ), y = (double)( b[1] - a[1] ), z = (double)( b[2] - a[2] );
        double square = x * x + y * y + z * z;
        sum += square;
        render->ways[i] = (float)sqrt( square );
    }
    return count > 0 ? sqrt( sum / count ) : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// The clip

static supResult supPlayAll( supRender* render, int32_t clip, supError* error )
{
    supResult result = sup_success;
    const char* name = supCharacter_Clip( supLastShot( render )->input.character, clip ).name;
    for ( int32_t k = 0; k < render->plan->inputCount && result == sup_success; ++k )
    {
        supShot* shot = render->shots + k;
        int32_t own = shot == supLastShot( render ) || render->plan->inputs[0] == render->plan->inputs[1]
                          ? clip
                          : supCharacter_FindClip( shot->input.character, name );
        result = supShot_Play( shot, own, error );
    }
    return result;
}

/// Whether there are elements of flesh to judge a clip by; layers above them have the skin alone.
static bool supHasElements( const supShot* shot )
{
    return shot->living && shot->flesh.model != NULL && supModel_ElementCount( shot->flesh.model ) > 0;
}

/// Of the clip that plays: of flesh the largest way as a share of its thickness, of layers alone and of two files as a
/// share of their size.
static double supLiveliness( supRender* render )
{
    supShot* last = supLastShot( render );
    if ( supHasElements( last ) )
    {
        return supShot_Liveliness( last );
    }
    double largest = 0.0, length = last->end - last->start;
    for ( int32_t i = 0; i < sup_looksPerClip; ++i )
    {
        largest = fmax( largest, supRender_Measure( render, length * i / sup_looksPerClip ) );
    }
    return largest / (double)supCharacter_Size( last->input.character );
}

/// Whether every file has a clip of that name.
static bool supAllHave( const supRender* render, const char* name )
{
    bool all = true;
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        all = all && supCharacter_FindClip( render->shots[k].input.character, name ) >= 0;
    }
    return all;
}

supResult supRender_ChooseClip( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    const supCharacter* character = supLastShot( render )->input.character;
    int32_t count = supCharacter_ClipCount( character ), best = -1;
    if ( plan->clip != NULL || plan->motions.count > 0 || count < 2 || supRender_Differs( render ) == false )
    {
        return sup_success;
    }
    double most = -1.0;
    supResult result = sup_success;
    for ( int32_t clip = 0; clip < count && result == sup_success; ++clip )
    {
        if ( supAllHave( render, supCharacter_Clip( character, clip ).name ) )
        {
            result = supPlayAll( render, clip, error );
            double lively = result == sup_success ? supLiveliness( render ) : 0.0;
            best = lively > most ? clip : best;
            most = fmax( most, lively );
        }
    }
    if ( result != sup_success || best < 0 )
    {
        return result;
    }
    const supShot* last = supLastShot( render );
    supProgress_Wipe( &render->progress );
    fprintf( stderr,
        supHasElements( last )
            ? "supple render: clip \"%s\" of %d, where the flesh comes out farthest (%.0f%% of its thickness); --clip "
              "plays another\n"
        : last->living
            ? "supple render: clip \"%s\" of %d, where the skin moves most (%.2g%% of the size); --clip plays another\n"
            : "supple render: clip \"%s\" of %d, where the two differ most (%.2g%% of the size); --clip plays another\n",
        supCharacter_Clip( character, best ).name, count, 100.0 * most );
    return supPlayAll( render, best, error );
}

// ---------------------------------------------------------------------------------------------------------------
// Moments

/// Whether the clip ends as it began, wherever it has walked to.
static bool supIsCycle( supRender* render )
{
    supShot* shot = render->shots;
    int32_t count = supFigure_VertexCount( shot->figure );
    float* begin = malloc( 3 * (size_t)count * sizeof( float ) + 1 );
    if ( begin == NULL || shot->clip < 0 )
    {
        free( begin );
        return false;
    }
    supShot_At( shot, shot->start );
    supVec3 from = shot->standing;
    memcpy( begin, shot->smooth, 3 * (size_t)count * sizeof( float ) );
    supShot_At( shot, shot->end );
    supVec3 to = shot->standing;
    float gap = 0.0f;
    for ( size_t i = 0; i < (size_t)count; ++i )
    {
        gap = fmaxf( gap, fabsf( shot->smooth[3 * i] - begin[3 * i] - ( to.x - from.x ) ) );
        gap = fmaxf( gap, fabsf( shot->smooth[3 * i + 1] - begin[3 * i + 1] ) );
        gap = fmaxf( gap, fabsf( shot->smooth[3 * i + 2] - begin[3 * i + 2] - ( to.z - from.z ) ) );
    }
    free( begin );
    return gap < 0.03f * supCharacter_Size( shot->input.character );
}

/// Evenly over the clip; the end of a cycle is its start, and is left out.
static void supSpreadMoments( supRender* render )
{
    int32_t count = render->frameCount;
    double steps = supIsCycle( render ) ? (double)count : (double)( count - 1 );
    for ( int32_t i = 0; i < count; ++i )
    {
        render->times[i] = steps > 0.0 ? render->duration * i / steps : 0.0;
    }
}

/// As many stretches of the clip as there are moments, and in each the one in which the skins are farthest apart, at
/// least half a stretch after the last one.
static void supPickMoments( supRender* render )
{
    int32_t count = render->frameCount;
    double stretch = render->duration / count, previous = -stretch;
    for ( int32_t i = 0; i < count; ++i )
    {
        double most = -1.0, first = fmax( i * stretch, previous + 0.5 * stretch );
        double last = fmin( ( i + 1 ) * stretch, render->times[0] + render->duration - 0.5 * stretch );
        render->times[i] = first;
        for ( int32_t k = 0; k < sup_looksPerMoment; ++k )
        {
            double time = ( i + ( k + 0.5 ) / sup_looksPerMoment ) * stretch;
            double way = time >= first && ( i == 0 || time <= last ) ? supRender_Measure( render, time ) : -1.0;
            render->times[i] = way > most ? time : render->times[i];
            most = fmax( most, way );
        }
        previous = render->times[i];
    }
}

/// The largest way at the moments that are drawn, or over the whole film.
static void supFindLargestWay( supRender* render )
{
    int32_t looks = render->times != NULL ? render->frameCount : 2 * sup_looksPerClip;
    int32_t vertices = supFigure_VertexCount( supLastShot( render )->figure );
    for ( int32_t i = 0; i < looks; ++i )
    {
        supRender_Measure( render, render->times != NULL ? render->times[i] : render->duration * i / looks );
        for ( int32_t v = 0; v < vertices; ++v )
        {
            render->largestWay = fmax( render->largestWay, (double)render->ways[v] );
        }
    }
}

/// The moments that were named.
static void supTakeMoments( supRender* render )
{
    for ( int32_t i = 0; i < render->frameCount; ++i )
    {
        render->times[i] = render->plan->times[i] - render->shots[0].start;
    }
}

static void supChooseStill( supRender* render )
{
    const supRenderPlan* plan = render->plan;
    bool chooses = plan->hasTime == false && supRender_Differs( render ) && render->duration > 0.0;
    render->times[0] = plan->hasTime ? plan->time - render->shots[0].start : 0.0;
    if ( chooses )
    {
        double most = 0.0;
        int32_t looks = 4 * sup_looksPerMoment;
        for ( int32_t i = 0; i < looks; ++i )
        {
            double time = render->duration * i / looks, way = supRender_Measure( render, time );
            render->times[0] = way > most ? time : render->times[0];
            most = fmax( most, way );
        }
        supProgress_Wipe( &render->progress );
        fprintf( stderr, "supple render: at %.2f s, where the flesh is farthest out; --time shows another moment\n",
            render->shots[0].start + render->times[0] );
    }
}

static supResult supCountFrames( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    double length = plan->duration > 0.0 ? plan->duration : render->duration;
    double frames = plan->form == sup_renderMovie ? floor( length * plan->fps + 0.5 ) : 1.0;
    if ( frames > (double)sup_maxFrameCount )
    {
        return supFail( error, sup_errorLimit, "%s: %g seconds at %g frames a second are more than %d frames",
            plan->inputs[0], length, plan->fps, sup_maxFrameCount );
    }
    render->frameCount = plan->form == sup_renderStrip ? plan->stripCount : frames < 1.0 ? 1 : (int32_t)frames;
    return sup_success;
}

supResult supRender_ChooseMoments( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supResult result = supCountFrames( render, error );
    if ( result != sup_success )
    {
        return result;
    }
    if ( plan->form != sup_renderMovie )
    {
        render->times = calloc( (size_t)render->frameCount + 1, sizeof( double ) );
        if ( render->times == NULL )
        {
            return supFail( error, sup_errorMemory, "no memory for %d moments", render->frameCount );
        }
    }
    supProgress_Stage( &render->progress, "choosing moments" );
    if ( plan->form == sup_renderStill )
    {
        supChooseStill( render );
    }
    else if ( plan->form == sup_renderStrip )
    {
        bool picks = supRender_Differs( render ) && render->duration > 0.0 && render->frameCount > 1;
        ( plan->hasTimes ? supTakeMoments : picks ? supPickMoments : supSpreadMoments )( render );
    }
    if ( render->panelCount > plan->inputCount )
    {
        supFindLargestWay( render );
    }
    return sup_success;
}
