// Which moments are drawn.
// SPDX-License-Identifier: MIT
#include "render_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_looksPerMoment = 16, // times that are looked at for each moment that is drawn
    sup_mostLooks = 512,     // of a whole contact sheet, as long as there is room for its moments
    sup_looksPerFilm = 48,   // and for a whole film
    sup_ticksKept = 1024,    // vertices whose way is kept of every look
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

supShot* supRender_LastShot( const supRender* render )
{
    return (supShot*)render->shots + render->plan->inputCount - 1;
}

bool supRender_Differs( const supRender* render )
{
    const supShot *first = render->shots, *last = supRender_LastShot( render );
    return last->living ||
           ( first != last && supFigure_VertexCount( first->figure ) == supFigure_VertexCount( last->figure ) );
}

double supRender_Measure( supRender* render, double time )
{
    supShot *first = render->shots, *last = supRender_LastShot( render );
    supShape shape = supShot_At( last, supShotTime( last, time ) );
    return supRender_MeasureWays( render,
        last->living ? last->smooth : supShot_At( first, supShotTime( first, time ) ).positions, shape.positions );
}

double supRender_MeasureWays( supRender* render, const float* from, const float* to )
{
    int32_t count = supFigure_VertexCount( supRender_LastShot( render )->figure );
    double sum = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const float *a = from + 3 * (size_t)i, *b = to + 3 * (size_t)i;
        double x = (double)( b[0] - a[0] ), y = (double)( b[1] - a[1] ), z = (double)( b[2] - a[2] );
        double square = x * x + y * y + z * z;
        sum += square;
        render->ways[i] = (float)sqrt( square );
    }
    return count > 0 ? sqrt( sum / count ) : 0.0;
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
        gap = fmaxf( gap, fabsf( shot->smooth[3 * i + 1] - begin[3 * i + 1] - ( to.y - from.y ) ) );
        gap = fmaxf( gap, fabsf( shot->smooth[3 * i + 2] - begin[3 * i + 2] - ( to.z - from.z ) ) );
    }
    free( begin );
    return gap < 0.03f * supCharacter_Info( shot->input.character )->size;
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

/// What is kept of the times that are looked at: the way of some vertices, from the first skin to the last.
typedef struct supLooks
{
    int32_t count;  ///< times, in the middle of as many even stretches of the clip
    int32_t stride; ///< every so many vertices one is kept
    int32_t kept;   ///< of each look
    float* ways;    ///< three a vertex. Metres
} supLooks;

static double supLookTime( const supRender* render, const supLooks* looks, int32_t look )
{
    return render->duration * ( look + 0.5 ) / looks->count;
}

static void supKeepLook( supRender* render, supLooks* looks, int32_t look )
{
    supShot *first = render->shots, *last = supRender_LastShot( render );
    double time = supLookTime( render, looks, look );
    supShape shape = supShot_At( last, supShotTime( last, time ) );
    const float* from = last->living ? last->smooth : supShot_At( first, supShotTime( first, time ) ).positions;
    float* out = looks->ways + 3 * (size_t)looks->kept * (size_t)look;
    for ( int32_t i = 0; i < looks->kept; ++i )
    {
        size_t vertex = 3 * (size_t)i * (size_t)looks->stride;
        for ( int k = 0; k < 3; ++k )
        {
            out[3 * i + k] = shape.positions[vertex + (size_t)k] - from[vertex + (size_t)k];
        }
    }
}

/// The square of how far the flesh is from where it was at another look; `other` below 0: from smooth skin.
static double supApart( const supLooks* looks, int32_t look, int32_t other )
{
    const float* a = looks->ways + 3 * (size_t)looks->kept * (size_t)look;
    const float* b = other >= 0 ? looks->ways + 3 * (size_t)looks->kept * (size_t)other : NULL;
    double sum = 0.0;
    for ( int32_t i = 0; i < 3 * looks->kept; ++i )
    {
        double way = (double)( b != NULL ? a[i] - b[i] : a[i] );
        sum += way * way;
    }
    return sum;
}

/// The look at which the flesh is farthest both from smooth skin and from where it is at those taken already: after the
/// moment in which it is farthest down comes the one in which it is farthest up. -1: none is left.
static int32_t supFarthestLook( const supLooks* looks, const int32_t* taken, int32_t count, int32_t gap )
{
    int32_t best = -1;
    double most = -1.0;
    for ( int32_t look = 0; look < looks->count; ++look )
    {
        double least = supApart( looks, look, -1 );
        for ( int32_t k = 0; k < count; ++k )
        {
            bool near = abs( look - taken[k] ) < gap || abs( look - taken[k] ) > looks->count - gap;
            least = near ? -1.0 : fmin( least, supApart( looks, look, taken[k] ) );
        }
        best = least > most ? look : best;
        most = fmax( most, least );
    }
    return best;
}

static int supCompareLooks( const void* a, const void* b )
{
    return *(const int32_t*)a - *(const int32_t*)b;
}

supResult supRender_PickMoments( supRender* render, int32_t count, double* times, supError* error )
{
    int32_t vertices = supFigure_VertexCount( supRender_LastShot( render )->figure );
    int32_t wanted = sup_looksPerMoment * count, room = sup_mostLooks > 4 * count ? sup_mostLooks : 4 * count;
    supLooks looks = { .count = wanted < room ? wanted : room, .stride = 1 + vertices / sup_ticksKept };
    looks.kept = vertices / looks.stride;
    looks.ways = calloc( 3 * (size_t)looks.kept * (size_t)looks.count + 1, sizeof( float ) );
    int32_t* taken = calloc( (size_t)count + 1, sizeof( int32_t ) );
    for ( int32_t look = 0; looks.ways != NULL && taken != NULL && look < looks.count; ++look )
    {
        supKeepLook( render, &looks, look );
    }
    int32_t gap = looks.count / ( 4 * count ); // a quarter of an even share: there is always room for the rest
    for ( int32_t i = 0; looks.ways != NULL && taken != NULL && i < count; ++i )
    {
        int32_t look = supFarthestLook( &looks, taken, i, gap );
        taken[i] = look >= 0 ? look : looks.count - 1;
    }
    bool done = looks.ways != NULL && taken != NULL;
    if ( done )
    {
        qsort( taken, (size_t)count, sizeof( int32_t ), supCompareLooks );
    }
    for ( int32_t i = 0; done && i < count; ++i )
    {
        times[i] = supLookTime( render, &looks, taken[i] );
    }
    free( looks.ways );
    free( taken );
    return done ? sup_success : supFail( error, sup_errorMemory, "no memory to look for %d moments", count );
}

/// The largest way at the moments that are drawn, or over the whole film.
static void supFindLargestWay( supRender* render )
{
    int32_t looks = render->times != NULL ? render->frameCount : sup_looksPerFilm;
    int32_t vertices = supFigure_VertexCount( supRender_LastShot( render )->figure );
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
        return supFail( error, sup_errorLimit, "%s: %g seconds at %g frames per second are more than %d frames",
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
        if ( picks && plan->hasTimes == false )
        {
            result = supRender_PickMoments( render, render->frameCount, render->times, error );
        }
        else
        {
            ( plan->hasTimes ? supTakeMoments : supSpreadMoments )( render );
        }
    }
    if ( result == sup_success && supRender_Differs( render ) )
    {
        supFindLargestWay( render );
        if ( render->largestWay <= supRender_LeastWay( render ) && plan->inputCount > 1 )
        {
            supProgress_Wipe( &render->progress );
            fprintf( stderr, "supple render: nothing moves: %s\n",
                supCharacter_Info( render->shots[0].input.character )->clipCount > 0
                    ? "the two skins are the same at every moment that is drawn"
                    : "the file has no clips; --motion FILE plays those of another" );
        }
    }
    return result;
}
