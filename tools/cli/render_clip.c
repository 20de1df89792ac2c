// Which clip is drawn, where none was named: the liveliest, gaits and jumps before others, deaths and hits last.
// SPDX-License-Identifier: MIT
//
// Flesh has a closed form, so every clip of it is simulated as it would be drawn, in no time. Layers that are stepped
// (muscles, fat) are not: a cycle of theirs is run round after round, at 120 or 240 steps a second. To tell which clip
// is the liveliest a sketch does, in which the body runs once through each clip as it would on stage, in fewer steps;
// the clip that is chosen is then simulated in full.
#include "render_job.h"
#include "supple/lab/measures.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum
{
    sup_looksPerClip = 24, // where two files are compared
};

/// Steps a second of a sketch. On the heavy man and the woman the liveliest clip is the same at 12, 24 and 60 as in
/// full; at 24 a clip's figure is within 3% of that at 60 with fat on muscles, within 15% with fat or flesh alone.
static const double supSketchRate = 30.0;
/// Looks at flesh, which costs nothing.
static const double supLookRate = 60.0;
/// What a clip's liveliness counts that is no gait, and that of deaths and hits.
static const double supPlain = 0.6, supDisliked = 0.1;
/// Nobody waits for more of a clip than this. Seconds
static const double supLongestLook = 3600.0;

/// Whether a name holds one of some words, in small or capital letters.
static bool supHoldsAny( const char* name, const char* const* words, size_t count )
{
    bool holds = false;
    for ( size_t i = 0; i < count; ++i )
    {
        size_t length = strlen( words[i] );
        for ( const char* at = name; *at != '\0' && !holds; ++at )
        {
            size_t same = 0;
            while ( same < length && tolower( (unsigned char)at[same] ) == words[i][same] )
            {
                ++same;
            }
            holds = same == length;
        }
    }
    return holds;
}

static void supPlayAll( supRender* render, int32_t clip )
{
    const supShot* last = supRender_LastShot( render );
    const char* name = supCharacter_Clip( last->input.character, clip ).name;
    for ( int32_t k = 0; k < render->plan->inputCount; ++k )
    {
        supShot* shot = render->shots + k;
        int32_t own = shot == last || render->plan->inputs[0] == render->plan->inputs[1]
                          ? clip
                          : supCharacter_FindClip( shot->input.character, name );
        supShot_Play( shot, own );
    }
}

/// Whether there are elements of flesh to judge a clip by; layers above them have the skin alone.
static bool supHasElements( const supShot* shot )
{
    return shot->living && shot->life.model != NULL && supModel_Info( shot->life.model )->elementCount > 0;
}

/// Whether it takes steps to know how the skin moves.
static bool supIsSlow( const supShot* shot )
{
    return shot->living && supModel_Info( shot->life.model )->morphLayer >= 0;
}

/// The largest way of any element, as a share of its thickness.
static double supLargestElongation( const supShot* shot, const supVec3* elongations )
{
    double largest = 0.0;
    for ( int32_t e = 0; e < supModel_Info( shot->life.model )->elementCount; ++e )
    {
        supVec3 u = elongations[e];
        double thickness = (double)supModel_Info( shot->life.model )->elements[e].thickness;
        double way = sqrt( (double)u.x * (double)u.x + (double)u.y * (double)u.y + (double)u.z * (double)u.z );
        largest = thickness > 0.0 ? fmax( largest, way / thickness ) : largest;
    }
    return largest;
}

static double supElementLiveliness( supShot* shot )
{
    double largest = 0.0, length = fmin( shot->end - shot->start, supLongestLook );
    for ( double time = 0.0; shot->life.take != NULL && time <= length; time += 1.0 / supLookRate )
    {
        supTake_Elongations( shot->life.take, shot->start + time, shot->life.elongations );
        largest = fmax( largest, supLargestElongation( shot, shot->life.elongations ) );
    }
    return largest;
}

/// The same of flesh, and of layers alone the skin's way, in a body that runs through the clip.
static double supSketchLiveliness( supRender* render, supShot* shot )
{
    supShotLife* flesh = &shot->life;
    double largest = 0.0, length = fmin( shot->end - shot->start, supLongestLook );
    int32_t steps = (int32_t)ceil( length * supSketchRate );
    supBody_Reset( flesh->body );
    for ( int32_t i = 0; i <= steps; ++i )
    {
        double dt = steps > 0 ? length / steps : 0.0;
        const float* living = supShot_StepTo( shot, shot->start + i * dt, (float)dt );
        for ( int32_t e = 0; e < supModel_Info( flesh->model )->elementCount; ++e )
        {
            flesh->elongations[e] = supBody_Element( flesh->body, e ).elongation;
        }
        largest = fmax( largest, supHasElements( shot ) ? supLargestElongation( shot, flesh->elongations )
                                                        : supRender_MeasureWays( render, shot->smooth, living ) );
    }
    supBody_Reset( flesh->body );
    return supHasElements( shot ) ? largest : largest / (double)supCharacter_Info( shot->input.character )->size;
}

/// Of the clip that plays: of flesh the largest way as a share of its thickness, of layers alone and of two files as a
/// share of their size.
static supResult supFindLiveliness( supRender* render, double* out, supError* error )
{
    supShot* last = supRender_LastShot( render );
    *out = 0.0;
    if ( supIsSlow( last ) )
    {
        *out = supSketchLiveliness( render, last );
        return sup_success;
    }
    const supWatch nobody = { NULL, NULL };
    supResult result = supShot_Record( last, nobody, error );
    if ( result != sup_success || supHasElements( last ) )
    {
        *out = result == sup_success ? supElementLiveliness( last ) : 0.0;
        return result;
    }
    double length = last->end - last->start;
    for ( int32_t i = 0; i < sup_looksPerClip; ++i )
    {
        *out = fmax( *out, supRender_Measure( render, length * i / sup_looksPerClip ) );
    }
    *out /= (double)supCharacter_Info( last->input.character )->size;
    return sup_success;
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

static void supTellClip( supRender* render, int32_t clip, double liveliness )
{
    const supShot* last = supRender_LastShot( render );
    supProgress_Wipe( &render->progress );
    fprintf( stderr,
        supHasElements( last )
            ? "supple render: clip \"%s\" of %d, where the flesh comes out far (%.0f%% of its thickness); --clip plays "
              "another\n"
        : last->living
            ? "supple render: clip \"%s\" of %d, where the skin moves most (%.2g%% of the size); --clip plays another\n"
            : "supple render: clip \"%s\" of %d, where the two differ most (%.2g%% of the size); --clip plays another\n",
        supCharacter_Clip( last->input.character, clip ).name, supCharacter_Info( last->input.character )->clipCount,
        100.0 * liveliness );
}

/// How much a clip is liked: as it gets about, a body shows what it is; nobody wants to see it die first.
static double supLikeClip( const char* name )
{
    static const char* const liked[] = { "walk", "run", "gallop", "trot", "canter", "jog", "sprint", "swim", "fly",
        "jump", "hop", "dance", "crawl", "slither", "march", "skip" };
    static const char* const last[] = { "death", "dead", "die", "dying", "hit", "damage", "defeat", "hurt", "knock",
        "sleep", "fall" };
    bool likes = supHoldsAny( name, liked, sizeof( liked ) / sizeof( liked[0] ) );
    bool dislikes = supHoldsAny( name, last, sizeof( last ) / sizeof( last[0] ) );
    return dislikes ? supDisliked : likes ? 1.0 : supPlain;
}

supResult supRender_ChooseClip( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    const supCharacter* character = supRender_LastShot( render )->input.character;
    int32_t count = supCharacter_Info( character )->clipCount, best = -1;
    if ( plan->clip != NULL || plan->motions.count > 0 || count < 2 || !supRender_Differs( render ) )
    {
        return sup_success;
    }
    double most = -1.0, shown = 0.0;
    supResult result = sup_success;
    supProgress_Stage( &render->progress, "choosing one of %d clips", count );
    for ( int32_t clip = 0; clip < count && result == sup_success; ++clip )
    {
        double lively = -1.0;
        if ( supAllHave( render, supCharacter_Clip( character, clip ).name ) )
        {
            supPlayAll( render, clip );
            result = supFindLiveliness( render, &lively, error );
        }
        double liked = lively * supLikeClip( supCharacter_Clip( character, clip ).name );
        best = liked > most ? clip : best;
        shown = liked > most ? lively : shown;
        most = fmax( most, liked );
        supProgress_Update( &render->progress, ( clip + 1.0 ) / count );
    }
    if ( result == sup_success && best >= 0 )
    {
        supTellClip( render, best, shown );
        supPlayAll( render, best );
    }
    return result;
}
