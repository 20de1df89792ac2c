// Whether a clip is a cycle, and how the root moves on from one to the next.
// SPDX-License-Identifier: MIT
//
// The skin at the clip's start is compared with the skin at its end. Root motion is a travel and a turn about the
// vertical, the best fit over all vertices; of the three that a root can do (nothing, a travel, a travel and a turn)
// the simplest that closes the pose is taken, so that a walk on the spot that does not quite close is not taken for a
// slow turn.

#include "bake/take_data.h"

#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/states.h"

#include <string.h>

/// A pose closes by itself within this share of the size…
static const double supClosed = 1e-3;
/// …and if its name says that it should, within this one.
static const double supNearlyClosed = 0.06;

// ---------------------------------------------------------------------------------------------------------------
// Names

static char supLower( char c )
{
    return (char)( c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c );
}

static bool supIsLetter( char c )
{
    return supLower( c ) >= 'a' && supLower( c ) <= 'z';
}

/// Takes the next word off a name, in small letters: letters alone, a new one at each capital after a small letter.
static const char* supNextWord( const char* text, char* word, size_t size )
{
    while ( *text != '\0' && !supIsLetter( *text ) )
    {
        ++text;
    }
    size_t length = 0;
    for ( const char* first = text; supIsLetter( *text ); ++text )
    {
        bool capital = *text >= 'A' && *text <= 'Z';
        bool afterSmall = text > first && text[-1] >= 'a' && text[-1] <= 'z';
        if ( capital && afterSmall )
        {
            break;
        }
        if ( length + 1 < size )
        {
            word[length++] = supLower( *text );
        }
    }
    word[length] = '\0';
    return text;
}

/// The word itself, or with one of the endings that such names have.
static bool supIsForm( const char* word, const char* stem )
{
    size_t length = strlen( stem );
    if ( strncmp( word, stem, length ) != 0 )
    {
        return false;
    }
    static const char* const endings[] = { "", "s", "ed", "ing", "ning", "ging", "ming", "ting", "ping", "cycle",
        "loop" };
    for ( size_t i = 0; i < sizeof( endings ) / sizeof( endings[0] ); ++i )
    {
        if ( strcmp( word + length, endings[i] ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static bool supIsAnyForm( const char* word, const char* const* stems )
{
    for ( ; *stems != NULL; ++stems )
    {
        if ( supIsForm( word, *stems ) )
        {
            return true;
        }
    }
    return false;
}

/// Whether any word of a name is a form of one of these.
static bool supNameHasAny( const char* name, const char* const* stems )
{
    char word[32];
    for ( const char* at = supNextWord( name, word, sizeof( word ) ); word[0] != '\0';
          at = supNextWord( at, word, sizeof( word ) ) )
    {
        if ( supIsAnyForm( word, stems ) )
        {
            return true;
        }
    }
    return false;
}

bool supNameSaysLoop( const char* name )
{
    static const char* const cycles[] = { "walk", "run", "gallop", "trot", "canter", "idle", "idl", "loop", "cycle",
        "jog", "swim", "fly", "sprint", "march", "crawl", "hover", "breathe", "breath", "breathing", "stroll", "sneak",
        "strafe", "pedal", "tread", NULL };
    static const char* const breaks[] = { "start", "stop", "begin", "end", "to", "into", "transition", "turn", NULL };
    return supNameHasAny( name, cycles ) && !supNameHasAny( name, breaks ) && !supNameSaysOnce( name );
}

bool supNameSaysOnce( const char* name )
{
    // a death, a jump or a blow taken is over when it is over, whatever it broke into: Gallop_Jump, Idle_HitReact
    static const char* const always[] = { "death", "die", "dying", "dead", "jump", "leap", "hit", "react", "reaction",
        "hurt", "damage", NULL };
    // these also go on and on above a walk or a stance: Run_Shoot, Idle_Attack
    static const char* const mostly[] = { "punch", "kick", "shoot", "attack", "slash", "stab", "throw", "headbutt",
        "dodge", "roll", NULL };
    static const char* const cycles[] = { "walk", "run", "gallop", "idle", "jog", "sprint", "strafe", NULL };
    static const char* const repeats[] = { "loop", "cycle", "looped", "looping", NULL };
    return !supNameHasAny( name, repeats ) &&
           ( supNameHasAny( name, always ) || ( supNameHasAny( name, mostly ) && !supNameHasAny( name, cycles ) ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Root motion

/// The skins that are compared, and which vertices count.
typedef struct supLoopSkins
{
    const supModel* model;
    int32_t clip;
    supBody* body;
    supPose* pose;
    supVec3* rest; ///< elongations, all zero
    float *start, *end, *other;
    uint8_t* counts; ///< one a vertex
    int32_t counted;
} supLoopSkins;

/// Vertices of the meshes that carry flesh; of all where none does. Marked first, so that many meshes with much flesh
/// do not cost the product of both.
static void supChooseVertices( supLoopSkins* skins )
{
    const supCharacter* character = skins->model->character;
    const supSkinOffsets* offsets = &skins->model->offsets;
    memset( skins->counts, 0, (size_t)supCharacter_Info( character )->vertexCount );
    for ( int32_t i = 0; i < offsets->touchedCount; ++i )
    {
        skins->counts[offsets->touched[i]] = 1;
    }
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        uint8_t* counts = skins->counts + mesh.firstVertex;
        bool touched = offsets->touchedCount == 0 || memchr( counts, 1, (size_t)mesh.vertexCount ) != NULL;
        memset( counts, touched, (size_t)mesh.vertexCount );
        skins->counted += touched ? mesh.vertexCount : 0;
    }
}

static void supSkinAt( supLoopSkins* skins, double time, float* positions )
{
    supPose_Sample( skins->pose, skins->clip, time );
    supBody_SetMorphWeights( skins->body, supPose_MorphWeights( skins->pose ) );
    supBody_Show( skins->body, supPose_Joints( skins->pose ), skins->rest );
    supBody_SmoothSkin( skins->body, positions, NULL );
}

static supVec3d supPointOf( const float* positions, int32_t vertex )
{
    const float* p = positions + 3 * (size_t)vertex;
    return ( supVec3d ){ p[0], p[1], p[2] };
}

static supVec3d supCentroid( const supLoopSkins* skins, const float* positions )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t v = 0; v < supCharacter_Info( skins->model->character )->vertexCount; ++v )
    {
        sum = skins->counts[v] != 0 ? supAddD( sum, supPointOf( positions, v ) ) : sum;
    }
    return supScaleD( sum, skins->counted > 0 ? 1.0 / skins->counted : 0.0 );
}

static double supGapUnder( const supLoopSkins* skins, supMat34d motion )
{
    double largest = 0.0;
    for ( int32_t v = 0; v < supCharacter_Info( skins->model->character )->vertexCount; ++v )
    {
        if ( skins->counts[v] != 0 )
        {
            supVec3d moved = supTransformPointD( motion, supPointOf( skins->start, v ) );
            supVec3d off = supSubD( moved, supPointOf( skins->end, v ) );
            largest = supMax( largest, supDotD( off, off ) );
        }
    }
    return supSqrt( largest );
}

static supMat34d supTurnAbout( supVec3d up, double angle, supVec3d from, supVec3d to )
{
    supMat34d turn = supMatFromQuatD( supQuatFromAxisAngleD( up, angle ) );
    turn.t = supSubD( to, supTransformVectorD( turn, from ) );
    return turn;
}

/// The turn about the vertical that fits best: with p and q the two skins less their centroids, in the plane,
/// tan(angle) = sum up . (p x q) / sum p . q.
static double supBestTurn( const supLoopSkins* skins, supVec3d up, supVec3d from, supVec3d to )
{
    double sine = 0.0, cosine = 0.0;
    for ( int32_t v = 0; v < supCharacter_Info( skins->model->character )->vertexCount; ++v )
    {
        if ( skins->counts[v] != 0 )
        {
            supVec3d p = supSubD( supPointOf( skins->start, v ), from );
            supVec3d q = supSubD( supPointOf( skins->end, v ), to );
            sine += supDotD( up, supCrossD( p, q ) );
            cosine += supDotD( p, q ) - supDotD( p, up ) * supDotD( q, up );
        }
    }
    return supAtan2( sine, cosine );
}

/// How far the skin moves from one to the other: the root of the mean square.
static double supTravel( const supLoopSkins* skins, const float* from, const float* to )
{
    double sum = 0.0;
    for ( int32_t v = 0; v < supCharacter_Info( skins->model->character )->vertexCount; ++v )
    {
        supVec3d step = supSubD( supPointOf( to, v ), supPointOf( from, v ) );
        sum += skins->counts[v] != 0 ? supDotD( step, step ) : 0.0;
    }
    return supSqrt( skins->counted > 0 ? sum / skins->counted : 0.0 );
}

/// A root that moves on from cycle to cycle is on its way at the clip's start and at its end: what sets off, or slides
/// and stops, is no cycle, though its pose less root motion closes.
static bool supMovesOn( supLoopSkins* skins )
{
    static const double part = 1.0 / 8.0; // longer than the holds of a STEP clip
    static const double least = 0.25;
    supClipView clip = supCharacter_Clip( skins->model->character, skins->clip );
    double span = part * ( clip.end - clip.start );
    double pace = part * supTravel( skins, skins->start, skins->end );
    supSkinAt( skins, clip.start + span, skins->other );
    double first = supTravel( skins, skins->start, skins->other );
    supSkinAt( skins, clip.end - span, skins->other );
    double last = supTravel( skins, skins->other, skins->end );
    return first >= least * pace && last >= least * pace;
}

static void supChooseMotion( supLoopSkins* skins, supLoop loop, supRootMotion* out, supTakeInfo* info )
{
    const supCharacter* character = skins->model->character;
    double size = supCharacter_Info( character )->size;
    supVec3d gravity = supToDouble( skins->model->gravity );
    supVec3d up =
        supDotD( gravity, gravity ) > 0.0 ? supNormalizeD( supNegD( gravity ) ) : ( supVec3d ){ 0.0, 1.0, 0.0 };
    supVec3d from = supCentroid( skins, skins->start ), to = supCentroid( skins, skins->end );

    supMat34d motions[3];
    double gaps[3];
    motions[0] = supMat34d_identity;
    motions[1] = supMat34d_identity;
    motions[1].t = supSubD( to, from );
    motions[2] = supTurnAbout( up, supBestTurn( skins, up, from, to ), from, to );
    int best = 0;
    for ( int i = 0; i < 3; ++i )
    {
        gaps[i] = supGapUnder( skins, motions[i] );
        best = gaps[i] < gaps[best] ? i : best;
    }

    bool named = loop == sup_loopOn || supNameSaysLoop( supCharacter_Clip( character, skins->clip ).name );
    int chosen = -1;
    for ( int i = 0; i < 3 && chosen < 0; ++i )
    {
        bool closes = gaps[i] <= supClosed * size;
        chosen = closes && ( i == 0 || named || supMovesOn( skins ) ) ? i : -1;
    }
    for ( int i = 0; i < 3 && chosen < 0 && named; ++i )
    {
        chosen = gaps[i] <= supNearlyClosed * size ? i : -1;
    }
    chosen = chosen < 0 && loop == sup_loopOn ? best : chosen;
    bool closes = chosen >= 0 && loop != sup_loopOff;
    info->isOnceByName =
        closes && loop != sup_loopOn && supNameSaysOnce( supCharacter_Clip( character, skins->clip ).name );
    out->loops = closes && !info->isOnceByName;
    out->motion = motions[out->loops ? chosen : best];
    info->poseGap = (float)gaps[out->loops ? chosen : best];
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static supResult supLoadSkins( supLoopSkins* skins, const supAllocator* allocator, supError* error )
{
    supClipView clip = supCharacter_Clip( skins->model->character, skins->clip );
    supResult result = supCreateBody( skins->model, &skins->body, error );
    if ( result == sup_success )
    {
        supBody_SetExact( skins->body, true );
        result = supCreatePose( skins->model->character, SUP_MAKE_IN( allocator ), &skins->pose, error );
    }
    if ( result == sup_success )
    {
        supChooseVertices( skins );
        supSkinAt( skins, clip.start, skins->start );
        supSkinAt( skins, clip.end, skins->end );
    }
    return result;
}

supResult supFindLoop( const supModel* model, int32_t clip, supLoop loop, const supAllocator* allocator,
    supRootMotion* out, supTakeInfo* info, supError* error )
{
    *out = ( supRootMotion ){ false, supMat34d_identity };
    info->isOnceByName = false;
    info->poseGap = 0.0f;
    size_t vertices = (size_t)supCharacter_Info( model->character )->vertexCount;
    supLayout layout = supMakeLayout();
    supLoopSkins skins = { .model = model, .clip = clip };
    SUP_PUT( &layout, skins.start, 3 * vertices );
    SUP_PUT( &layout, skins.end, 3 * vertices );
    SUP_PUT( &layout, skins.other, 3 * vertices );
    SUP_PUT( &layout, skins.counts, vertices );
    SUP_PUT( &layout, skins.rest, model->offsets.elementCount + 1 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the skin of %zu vertices", vertices );
    }
    supResult result = supLoadSkins( &skins, allocator, error );
    if ( result == sup_success )
    {
        supChooseMotion( &skins, loop, out, info );
    }
    supDestroyPose( skins.pose );
    supDestroyBody( skins.body );
    supFree( allocator, block, layout.size );
    return result;
}
