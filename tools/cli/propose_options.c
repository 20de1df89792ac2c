// What a call may say of the automatic rig.
// SPDX-License-Identifier: MIT
#include "propose_options.h"

#include "command.h"
#include "supple/auto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float sup_largestFactor = 10.0f;

void supListProposeOptions( supProposeOptions* words, supOption options[sup_proposeOptionCount] )
{
    for ( int i = 0; i <= sup_bodyKindCount; ++i )
    {
        words->kinds[i] = supWordFor( sup_wordsBodyKind, i ); // ends with NULL
    }
    for ( int i = 0; i <= sup_presetCartoon + 1; ++i )
    {
        words->presets[i] = supWordFor( sup_wordsPreset, i );
    }
    words->preset = sup_presetNatural;
    const supOption table[] = {
        { .name = "preset",
            .type = sup_optionChoice,
            .target = &words->preset,
            .choices = words->presets,
            .given = &words->hasPreset,
            .help = "how soft the flesh is that is found by itself; natural by\ndefault" },
        { .name = "region",
            .type = sup_optionList,
            .target = &words->regions,
            .value = "NAME=FACTOR",
            .help = "more or less of it: belly=1.5, breasts=0, \"thigh left\"=2; may be\nrepeated" },
        { .name = "only",
            .type = sup_optionList,
            .target = &words->only,
            .value = "LIST",
            .help = "no regions but these, with commas between: belly,bottom" },
        { .name = "without",
            .type = sup_optionList,
            .target = &words->without,
            .value = "LIST",
            .help = "all regions but these" },
        { .name = "kind",
            .type = sup_optionChoice,
            .target = &words->kind,
            .choices = words->kinds,
            .given = &words->hasKind,
            .help = "what the body is, where it was read wrongly" },
        { .name = "front",
            .type = sup_optionText,
            .target = &words->front,
            .value = "AXIS",
            .help = "where it looks: +X, -X, +Y, -Y, +Z, -Z, or x,y,z" },
        { .name = "up",
            .type = sup_optionText,
            .target = &words->up,
            .value = "AXIS",
            .help = "where its head or back is, likewise" },
    };
    _Static_assert( sizeof( table ) / sizeof( table[0] ) == sup_proposeOptionCount, "count the options" );
    memcpy( options, table, sizeof( table ) );
}

supProposeChoices supDefaultChoices( void )
{
    return ( supProposeChoices ){ .def = supDefaultProposeDef() };
}

supProposeChoices supPresetChoices( supPreset preset )
{
    supProposeChoices choices = supDefaultChoices();
    choices.def.preset = preset;
    choices.softness = "--preset";
    return choices;
}

// ---------------------------------------------------------------------------------------------------------------
// Directions

static float supDotOf( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// False: it has no length to speak of.
static bool supMakeUnit( supVec3* v )
{
    double x = (double)v->x, y = (double)v->y, z = (double)v->z, length = sqrt( x * x + y * y + z * z );
    if ( !( length > 1e-12 ) || isfinite( length ) == 0 )
    {
        return false;
    }
    *v = ( supVec3 ){ (float)( x / length ), (float)( y / length ), (float)( z / length ) };
    return true;
}

/// "+Z", "z", "-X", or three numbers. False: neither.
static bool supReadDirection( const char* text, supVec3* out )
{
    float sign = text[0] == '-' ? -1.0f : 1.0f;
    const char* letter = text + ( text[0] == '+' || text[0] == '-' ? 1 : 0 );
    if ( letter[0] != '\0' && letter[1] == '\0' && strchr( "xyzXYZ", letter[0] ) != NULL )
    {
        int axis = ( letter[0] | 0x20 ) - 'x';
        *out = ( supVec3 ){ axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f };
        return true;
    }
    float parts[3];
    for ( int i = 0; i < 3; ++i )
    {
        char* end = NULL;
        parts[i] = strtof( text, &end );
        if ( end == text || *end != ( i < 2 ? ',' : '\0' ) || isfinite( parts[i] ) == 0 )
        {
            return false;
        }
        text = end + 1;
    }
    *out = ( supVec3 ){ parts[0], parts[1], parts[2] };
    return supMakeUnit( out );
}

static int supReadDirections( const supUsage* usage, const supProposeOptions* words, supProposeDef* def )
{
    const struct
    {
        const char *name, *text;
        supVec3* out;
    } both[] = { { "front", words->front, &def->front }, { "up", words->up, &def->up } };
    for ( int i = 0; i < 2; ++i )
    {
        if ( both[i].text != NULL && supReadDirection( both[i].text, both[i].out ) == false )
        {
            return supReportMisuse( usage,
                "--%s '%s' is not a direction; give +X, -X, +Y, -Y, +Z or -Z, or a vector such as 1,0,1", both[i].name,
                both[i].text );
        }
    }
    if ( words->front == NULL || words->up == NULL )
    {
        return sup_exitOk;
    }
    static const float sup_tooNear = 0.98f; // cosine of 11 degrees
    float along = supDotOf( def->front, def->up );
    if ( fabsf( along ) > sup_tooNear )
    {
        return supReportMisuse( usage, "--front %s and --up %s are along the same line; give directions that differ",
            words->front, words->up );
    }
    def->front.x -= along * def->up.x;
    def->front.y -= along * def->up.y;
    def->front.z -= along * def->up.z;
    supMakeUnit( &def->front );
    return sup_exitOk;
}

// ---------------------------------------------------------------------------------------------------------------
// Regions

enum
{
    sup_fleshyRegions = sup_regionBody + 1, // those that carry flesh stand before it
    sup_sideCount = sup_sideRight + 1,
};

/// What was said of each region, before it is put together; by supSide, all sides where none was named.
typedef struct supPicks
{
    bool only[sup_sideCount][sup_regionCount], without[sup_sideCount][sup_regionCount];
    bool hasFactor[sup_sideCount][sup_regionCount];
    bool anyOnly;
    float factors[sup_sideCount][sup_regionCount];
} supPicks;

/// A region, and the side of it that was named; sup_sideMiddle: none was.
typedef struct supPick
{
    supRegion region;
    supSide side;
} supPick;

/// Cuts the side off: "thigh left", "left-thigh", "thigh.left".
static supSide supCutSide( char* word )
{
    static const char joints[] = " -_.";
    for ( supSide side = sup_sideLeft; side <= sup_sideRight; ++side )
    {
        const char* name = supWordFor( sup_wordsSide, side );
        size_t own = strlen( name ), length = strlen( word );
        if ( length <= own + 1 )
        {
            continue;
        }
        if ( strncmp( word, name, own ) == 0 && strchr( joints, word[own] ) != NULL )
        {
            memmove( word, word + own + 1, length - own );
            return side;
        }
        if ( strcmp( word + length - own, name ) == 0 && strchr( joints, word[length - own - 1] ) != NULL )
        {
            word[length - own - 1] = '\0';
            return side;
        }
    }
    return sup_sideMiddle;
}

static int supFindPick( const supUsage* usage, const char* option, const char* name, int length, supPick* out )
{
    char word[64];
    supError error = { 0 };
    snprintf( word, sizeof( word ), "%.*s", length, name );
    out->side = supCutSide( word );
    int32_t region = sup_regionNone;
    supResult found = word[0] != '\0' ? supFindWord( sup_wordsRegion, word, &region, &error ) : sup_errorNotFound;
    out->region = (supRegion)region;
    if ( found != sup_success )
    {
        return word[0] == '\0' ? supReportMisuse( usage, "--%s names no region: belly, thighs…", option )
                               : supReportMisuse( usage, "--%s: %s", option, error.text );
    }
    return sup_exitOk;
}

/// "belly,bottom", each marked.
static int supReadPickLists(
    const supUsage* usage, const char* option, const supTextList* lists, bool marks[][sup_regionCount] )
{
    for ( int i = 0; i < lists->count; ++i )
    {
        const char* text = lists->items[i];
        for ( ;; )
        {
            supPick pick;
            int length = (int)strcspn( text, "," );
            int code = supFindPick( usage, option, text, length, &pick );
            if ( code != sup_exitOk )
            {
                return code;
            }
            marks[pick.side][pick.region] = true;
            if ( text[length] == '\0' )
            {
                break;
            }
            text += length + 1;
        }
    }
    return sup_exitOk;
}

/// "belly=1.5".
static int supReadFactor( const supUsage* usage, const char* text, supPicks* picks )
{
    const char* equals = strchr( text, '=' );
    supPick pick;
    int code = supFindPick( usage, "region", text, (int)strcspn( text, "=" ), &pick );
    if ( code != sup_exitOk )
    {
        return code;
    }
    if ( equals == NULL )
    {
        return supReportMisuse(
            usage, "--region %s: the factor is missing; write --region %s=1.5, or 0 for none", text, text );
    }
    char* end = NULL;
    float factor = strtof( equals + 1, &end );
    if ( end == equals + 1 || *end != '\0' || !( factor >= 0.0f && factor <= sup_largestFactor ) )
    {
        return supReportMisuse(
            usage, "--region %s: the factor must be a number from 0 to %g", text, (double)sup_largestFactor );
    }
    picks->hasFactor[pick.side][pick.region] = true;
    picks->factors[pick.side][pick.region] = factor;
    return sup_exitOk;
}

/// Whether it was said of the region, or of this side of it.
static bool supIsSaid( bool said[][sup_regionCount], supSide side, supRegion region )
{
    return said[sup_sideMiddle][region] || said[side][region];
}

/// What was said about one region must go together.
static int supCheckPick( const supUsage* usage, supPicks* picks, supSide side, supRegion region )
{
    const char* name = supWordFor( sup_wordsRegion, region );
    bool without = picks->without[side][region], only = supIsSaid( picks->only, side, region );
    bool factor = picks->hasFactor[side][region];
    if ( without && ( picks->only[side][region] || factor ) )
    {
        return supReportMisuse( usage, "--without %s contradicts %s; give only one of them", name,
            picks->only[side][region] ? "--only" : "--region" );
    }
    bool partly = side == sup_sideMiddle && ( picks->only[sup_sideLeft][region] || picks->only[sup_sideRight][region] );
    if ( picks->anyOnly && factor && only == false && partly == false )
    {
        return supReportMisuse( usage, "--region names %s, which --only leaves out; give only one of them", name );
    }
    return sup_exitOk;
}

/// How much of a side of a region was asked for.
static float supPickedFactor( supPicks* picks, supSide side, supRegion region )
{
    bool dropped = supIsSaid( picks->without, side, region ) ||
                   ( picks->anyOnly && supIsSaid( picks->only, side, region ) == false );
    supSide from = picks->hasFactor[side][region] ? side : sup_sideMiddle;
    return dropped ? 0.0f : picks->hasFactor[from][region] ? picks->factors[from][region] : 1.0f;
}

static int supReadPicks( const supUsage* usage, const supProposeOptions* words, supProposeChoices* out )
{
    supPicks picks = { .anyOnly = words->only.count > 0 };
    out->isOnly = picks.anyOnly;
    int code = supReadPickLists( usage, "only", &words->only, picks.only );
    code = code == sup_exitOk ? supReadPickLists( usage, "without", &words->without, picks.without ) : code;
    for ( int i = 0; i < words->regions.count && code == sup_exitOk; ++i )
    {
        code = supReadFactor( usage, words->regions.items[i], &picks );
    }
    for ( int i = 0; i < sup_fleshyRegions && code == sup_exitOk; ++i )
    {
        bool sided = false;
        for ( int side = 0; side < sup_sideCount && code == sup_exitOk; ++side )
        {
            code = supCheckPick( usage, &picks, (supSide)side, (supRegion)i );
            out->named[side][i] = picks.only[side][i] || picks.without[side][i] || picks.hasFactor[side][i];
            sided = sided || ( side != sup_sideMiddle && out->named[side][i] );
            out->def.sides[side][i] = supPickedFactor( &picks, (supSide)side, (supRegion)i );
        }
        if ( sided == false ) // all sides alike
        {
            out->def.regions[i] = out->def.sides[sup_sideMiddle][i];
            out->def.sides[sup_sideMiddle][i] = out->def.sides[sup_sideLeft][i] = out->def.sides[sup_sideRight][i] =
                1.0f;
        }
    }
    return code;
}

int supReadProposeWords( const supUsage* usage, const supProposeOptions* words, supProposeChoices* out )
{
    *out = supDefaultChoices();
    out->softness = words->hasPreset ? "--preset" : NULL;
    out->pick = words->regions.count > 0   ? "--region"
                : words->only.count > 0    ? "--only"
                : words->without.count > 0 ? "--without"
                                           : NULL;
    out->body = words->hasKind ? "--kind" : words->front != NULL ? "--front" : words->up != NULL ? "--up" : NULL;
    out->def.preset = (supPreset)words->preset;
    out->def.kind = words->hasKind ? words->kind : -1;
    int code = supReadDirections( usage, words, &out->def );
    return code == sup_exitOk ? supReadPicks( usage, words, out ) : code;
}

int supRefuseBesideRig( const supUsage* usage, const supProposeChoices* choices )
{
    if ( choices->softness != NULL )
    {
        return supReportMisuse(
            usage, "--preset is for the automatic rig, and --rig gives another; give only one of them" );
    }
    if ( choices->pick != NULL )
    {
        return supReportMisuse( usage,
            "--region, --only and --without choose among what the automatic rig finds; edit the rig that --rig gives, or leave --rig out" );
    }
    return choices->body != NULL
               ? supReportMisuse( usage,
                     "%s tells the automatic rig how the body stands, and --rig gives another rig; give only one of them",
                     choices->body )
               : sup_exitOk;
}

const char* supAsksForNewRig( const supProposeChoices* choices )
{
    return choices->softness != NULL ? choices->softness : choices->pick != NULL ? choices->pick : choices->body;
}

/// "belly", "thigh left".
static void supNamePick( int side, int region, char* text, size_t size )
{
    bool sided = side != sup_sideMiddle;
    snprintf( text, size, "%s%s%s", supWordFor( sup_wordsRegion, region ), sided ? " " : "",
        sided ? supWordFor( sup_wordsSide, side ) : "" );
}

const char* supPickText( const supProposeChoices* choices, char* text, size_t size )
{
    size_t length = 0;
    text[0] = '\0';
    for ( int k = 0; k < sup_fleshyRegions * sup_sideCount; ++k )
    {
        int i = k / sup_sideCount, side = k % sup_sideCount;
        float factor = choices->def.regions[i] * choices->def.sides[side][i];
        bool named = choices->named[side][i];
        if ( named == false || ( factor == 1.0f && choices->isOnly == false ) || length >= size )
        {
            continue;
        }
        char times[24] = "", name[64];
        if ( factor > 0.0f && factor != 1.0f )
        {
            snprintf( times, sizeof( times ), " x %g", (double)factor );
        }
        supNamePick( side, i, name, sizeof( name ) );
        int written = snprintf( text + length, size - length, "%s%s%s%s",
            length > 0        ? ", "
            : choices->isOnly ? "only "
                              : "",
            factor == 0.0f ? "no " : "", name, times );
        length += written > 0 ? (size_t)written : 0;
    }
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// The rig

/// Which regions a body has, looked at without its clips; by side, and in the middle's place whether there is any.
static supResult supFindRegions( const supProposeJob* job, bool has[][sup_regionCount], supError* error )
{
    const int32_t none = 0;
    const supProposeDef everything = supDefaultProposeDef();
    supProposeDef def = job->choices->def;
    memcpy( def.regions, everything.regions, sizeof( def.regions ) );
    memcpy( def.sides, everything.sides, sizeof( def.sides ) );
    def.clips = &none;
    def.clipCount = 0;
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    supResult result = supProposeRigWith( job->character, &def, &rig, &proposal, error );
    for ( int32_t i = 0; result == sup_success && i < proposal->elementCount; ++i )
    {
        const supProposedElement* element = proposal->elements + i;
        has[element->side][element->region] = has[sup_sideMiddle][element->region] = true;
    }
    supDestroyProposal( proposal );
    supDestroyRig( rig );
    return result;
}

/// "fox.glb: no udder on this body; it has belly, thigh and calf".
static supResult supFailRegion( const char* path, const char* name, const bool* has, supError* error )
{
    char list[300] = "";
    int last = -1;
    for ( int i = 0; i < sup_fleshyRegions; ++i )
    {
        last = has[i] ? i : last;
    }
    for ( int i = 0; i <= last; ++i )
    {
        size_t length = strlen( list );
        const char* joint = length == 0 ? "" : i == last ? " and " : ", ";
        if ( has[i] )
        {
            snprintf( list + length, sizeof( list ) - length, "%s%s", joint, supWordFor( sup_wordsRegion, i ) );
        }
    }
    return supFail( error, sup_errorNotFound, "%s: no %s on this body; it has %s", path, name,
        last >= 0 ? list : "nothing that carries flesh" );
}

static supResult supCheckRegions( const supProposeJob* job, supError* error )
{
    const supProposeChoices* choices = job->choices;
    bool has[sup_sideCount][sup_regionCount] = { { false } };
    supResult result = choices->pick != NULL ? supFindRegions( job, has, error ) : sup_success;
    int picks = choices->pick != NULL ? sup_fleshyRegions * sup_sideCount : 0;
    for ( int k = 0; k < picks && result == sup_success; ++k )
    {
        int i = k / sup_sideCount, side = k % sup_sideCount;
        bool fulfilled = choices->forMany && choices->def.regions[i] * choices->def.sides[side][i] == 0.0f;
        if ( choices->named[side][i] && has[side][i] == false && fulfilled == false )
        {
            char name[64];
            supNamePick( side, i, name, sizeof( name ) );
            result = supFailRegion( job->path, name, has[sup_sideMiddle], error );
        }
    }
    return result;
}

supResult supProposeByOptions( const supProposeJob* job, supRig** out, supProposal** proposal, supError* error )
{
    *out = NULL;
    supProposeDef def = job->choices->def;
    def.clips = job->clips;
    def.clipCount = job->clipCount;
    def.tasks = job->tasks;
    supResult result = supCheckRegions( job, error );
    return result == sup_success ? supProposeRigWith( job->character, &def, out, proposal, error ) : result;
}
