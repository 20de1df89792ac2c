// What ordinary motion makes of a sketch, and the rig that comes of it.
// SPDX-License-Identifier: MIT
//
// Below the limit an elongation is linear in `amount` and `sag` together. So every clip is run once with both a
// hundredth of what the region asks for, where nothing saturates; what comes out at any amount follows.
//
// Ordinary motion is what a clip shows in 19 of its 20 moments, those left out in which the flesh is torn away as no
// living body's is: a single violent instant, a teleport or a broken key does not count. Of the clips, walks and runs
// count where there are any (by their names), else the quietest of those in which something moves: so a wild clip
// changes nothing for the others. Where ordinary motion would stand at the limit, the amount is lowered; what goes
// beyond it then and again is rounded off by the limit itself.
//
// An animal's flesh goes with its size, which files do not tell; but its gait does. Where ordinary motion hardly stirs
// the trunk of one, its flesh is made slower, to half the frequency.

#include "auto/joint_words.h"
#include "auto/propose.h"
#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "supple/bake.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"

#include <stdio.h>
#include <string.h>

/// How far the run is scaled down.
static const float supQuiet = 0.01f;
/// Ordinary motion reaches this share of the limit at most.
static const float supRoom = 0.85f;
/// The shares of a clip's moments below what is ordinary, what is typical and what is usual.
static const double supOrdinary = 0.95, supTypical = 0.75, supUsual = 0.5;
/// Moments beyond this many times the usual are torn. Beyond the second no footfall has done it, and those moments
/// after it are torn too in which it rings down: a gait whose feet hit hard comes to 9.
static const float supTorn = 6.0f, supBroken = 10.0f;
/// Clips in which less than this share of the limit is ordinary say nothing; walks and runs with this many times the
/// quietest one's are wild.
static const float supLively = 0.005f, supWildBeside = 100.0f;
/// The trunk of an animal is stirred to this share of its limit; its flesh is slowed down to this much for that.
static const float supStirred = 0.6f, supSlowest = 0.6f;
/// And where that is not enough, it feels this much more of the motion.
static const float supMostAdded = 1.7f;
/// A joint's skin carries flesh where this share of it moves, by weight.
static const float supGoodPart = 0.2f;
/// Flesh thinner than this is none. Share of the size.
static const float supThin = 0.008f;
/// Gravity stays the file's own where the body's way up is this near to it. Cosine.
static const float supAsItIs = 0.9f;
/// Times a second at which elongations are looked at, and the most of them in one clip: 36 minutes, longer ones less
/// often.
static const double supLooks = 120.0, supMostLooks = 1 << 18;

enum
{
    supBins = 512, ///< of elongations: shares of the thickness, from 1e-5 to 1e5, by logarithms
};

// ---------------------------------------------------------------------------------------------------------------
// The rig

static supResult supBuildRig( const supSketch* sketch, const supAllocator* allocator, supRig** out, supError* error )
{
    supResult result = supCreateRig( SUP_MAKE_IN( allocator ), out, error );
    supVec3 up = sketch->plan.up;
    if ( result == sup_success && up.y < supAsItIs && supLengthSquared( up ) > 0.5f )
    {
        // a body that lies in its file's axes (Z up) is pulled down its own way
        supRig_SetGravity( *out, supScale( up, -supLength( supRig_Gravity( *out ) ) ) );
    }
    for ( int32_t i = 0; i < sketch->count && result == sup_success; ++i )
    {
        result = supRig_AddElement( *out, &sketch->elements[i].def, error );
    }
    if ( result != sup_success )
    {
        supDestroyRig( *out );
        *out = NULL;
    }
    return result;
}

static supElementTuning supTuningOf( const supSketchElement* element )
{
    return ( supElementTuning ){
        .frequency = element->def.frequency,
        .dampingRatio = element->def.dampingRatio,
        .amount = supQuiet * element->def.amount,
        .sag = supQuiet * element->def.sag,
        .mass = 1.0f,
        .gravityScale = element->def.gravityScale,
        .airFriction = element->def.airFriction,
        .limitScale = 1.0f,
    };
}

// ---------------------------------------------------------------------------------------------------------------
// Clips

/// One clip's elongations, as shares of the thickness, at the region's own amounts.
typedef struct supClipMotion
{
    float ordinary[supMostElements], typical[supMostElements], peak[supMostElements];
    int32_t turn; ///< which clip is looked at in its place
    supResult result;
    supError error;
} supClipMotion;

typedef struct supMotionWork
{
    const supModel* model;
    const supProposeDef* def;
    const supAllocator* allocator;
    supElementTuning tunings[supMostElements];
    supClipMotion* clips;
} supMotionWork;

/// A clip of those that are looked at.
static int32_t supLookedAt( const supProposeDef* def, int32_t index )
{
    return def->clips != NULL ? def->clips[index] : index;
}

static double supSpanOf( const supCharacter* character, const supProposeDef* def, int32_t index )
{
    supClipView view = supCharacter_Clip( character, supLookedAt( def, index ) );
    return (double)view.end - (double)view.start;
}

/// The longest clips first: whoever is done early finds short ones left.
static void supOrderClips(
    const supCharacter* character, const supProposeDef* def, int32_t count, supClipMotion* clips )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t at = i;
        for ( ; at > 0 && supSpanOf( character, def, clips[at - 1].turn ) < supSpanOf( character, def, i ); --at )
        {
            clips[at].turn = clips[at - 1].turn;
        }
        clips[at].turn = i;
    }
}

static int32_t supBinOf( float share )
{
    double place = share > 1e-5f ? ( supLn( (double)share ) / 2.302585093 + 5.0 ) * ( supBins / 10.0 ) : 0.0;
    return place < supBins - 1 ? (int32_t)place : supBins - 1;
}

/// The middle of a bin, as supBinOf counts.
static float supShareOfBin( int32_t bin )
{
    return bin > 0 ? (float)supExp( ( ( bin + 0.5 ) / ( supBins / 10.0 ) - 5.0 ) * 2.302585093 ) : 0.0f;
}

/// What a share of all moments stays below.
static float supPercentile( const uint32_t* bins, double count, double share )
{
    double left = share * count;
    for ( int32_t b = 0; b < supBins; ++b )
    {
        if ( left <= bins[b] && bins[b] > 0 )
        {
            double place = ( b + left / bins[b] ) / ( supBins / 10.0 ) - 5.0;
            return (float)supExp( place * 2.302585093 );
        }
        left -= bins[b];
    }
    return 0.0f;
}

/// What was looked at: `bins` of all elements at each look, one look after the other.
typedef struct supSeen
{
    int32_t looks, elements;
    double step; ///< between two looks. s
    bool loops;
    uint16_t* bins;
    bool* torn; ///< one element's looks
} supSeen;

/// How many of one element's looks lie in each bin, those left out that are torn. Returns how many are left.
static double supCountBins( const supSeen* seen, int32_t element, uint32_t* counts )
{
    double left = 0.0;
    memset( counts, 0, supBins * sizeof( uint32_t ) );
    for ( int32_t n = 0; n < seen->looks; ++n )
    {
        counts[seen->bins[(size_t)n * (size_t)seen->elements + (size_t)element]] += !seen->torn[n];
        left += !seen->torn[n];
    }
    return left;
}

/// Marks the looks in which an element is torn, and those in which it still swings by more than is usual from being
/// broken. That rings down by `decay` from one look to the next, in a loop from its end on into its start.
static void supMarkTorn( const supSeen* seen, int32_t element, float usual, float decay )
{
    float swing = 0.0f;
    for ( int32_t n = seen->loops ? -seen->looks : 0; n < seen->looks; ++n )
    {
        int32_t look = n < 0 ? n + seen->looks : n;
        float share = supShareOfBin( seen->bins[(size_t)look * (size_t)seen->elements + (size_t)element] );
        swing = supMaxF( swing * decay, share > supBroken * usual ? share : 0.0f );
        seen->torn[look] = swing > usual || share > supTorn * usual;
    }
}

/// One element's ordinary motion. What is usual is asked for twice, since the moments that are torn counted at first.
static void supJudgeLooks( const supSeen* seen, int32_t element, float decay, uint32_t* counts, supClipMotion* out )
{
    memset( seen->torn, 0, sizeof( bool ) * (size_t)seen->looks );
    for ( int32_t turn = 0; turn < 2; ++turn )
    {
        double left = supCountBins( seen, element, counts );
        supMarkTorn( seen, element, supPercentile( counts, left, supUsual ), decay );
    }
    double left = supCountBins( seen, element, counts );
    out->ordinary[element] = supMinF( out->peak[element], supPercentile( counts, left, supOrdinary ) );
    out->typical[element] = supMinF( out->peak[element], supPercentile( counts, left, supTypical ) );
}

static void supLookAtTake( const supMotionWork* work, const supTake* take, supSeen* seen, supClipMotion* out )
{
    double start = supTake_Info( take ).start;
    uint32_t counts[supBins];
    supVec3 elongations[supMostElements];
    for ( int32_t n = 0; n < seen->looks; ++n )
    {
        supTake_Elongations( take, start + seen->step * n, elongations );
        for ( int32_t e = 0; e < seen->elements; ++e )
        {
            float share =
                supLength( elongations[e] ) / ( supQuiet * supModel_Info( work->model )->elements[e].thickness );
            out->peak[e] = supMaxF( out->peak[e], share );
            seen->bins[(size_t)n * (size_t)seen->elements + (size_t)e] = (uint16_t)supBinOf( share );
        }
    }
    for ( int32_t e = 0; e < seen->elements; ++e )
    {
        const supElementTuning* tuning = work->tunings + e;
        double rate = 6.283185307 * (double)( tuning->frequency * tuning->dampingRatio );
        supJudgeLooks( seen, e, (float)supExp( -rate * seen->step ), counts, out );
    }
}

static void supMotionTask( int32_t index, void* context )
{
    const supMotionWork* work = context;
    int32_t own = work->clips[index].turn;
    supClipMotion* out = work->clips + own;
    supTakeDef def = supDefaultTakeDef();
    def.model = work->model;
    def.clip = supLookedAt( work->def, own );
    def.tunings = work->tunings;
    def.allocator = work->allocator;
    supTake* take = NULL;
    out->result = supCreateTake( &def, &take, &out->error );
    if ( out->result != sup_success )
    {
        return;
    }
    supTakeInfo info = supTake_Info( take );
    supSeen seen = { .elements = supModel_Info( work->model )->elementCount, .loops = info.loops };
    seen.looks = (int32_t)supMin( ( info.end - info.start ) * supLooks, supMostLooks ) + 2;
    seen.step = ( info.end - info.start ) / ( seen.looks - 1 );
    supLayout layout = supMakeLayout();
    SUP_PUT_ROWS( &layout, seen.bins, seen.looks, seen.elements );
    SUP_PUT( &layout, seen.torn, seen.looks );
    char* block = supAllocLayout( work->allocator, &layout );
    if ( block != NULL )
    {
        supLookAtTake( work, take, &seen, out );
    }
    else
    {
        out->result = supFail( &out->error, sup_errorMemory, "no memory to look at a clip" );
    }
    supFree( work->allocator, block, layout.size );
    supDestroyTake( take );
}

// ---------------------------------------------------------------------------------------------------------------
// What is ordinary

/// Whether a clip's name says that it is how the body gets about.
static bool supIsGait( const char* name )
{
    static const char* const words[] = { "walk", "run", "jog", "trot", "gallop", "sprint", "swim", "fly", "crawl",
        "march", "stroll", "canter", "flight", "slither" };
    static const char* const others[] = { "stop", "jump" };
    return supHoldsWord( name, words, SUP_COUNT( words ) ) && !supHoldsWord( name, others, SUP_COUNT( others ) );
}

typedef struct supOrdinaryMotion
{
    float share; ///< of the thickness; 0: no clip has any
    int32_t clip;
} supOrdinaryMotion;

/// What is ordinary in a clip, on the livelier side.
static float supShareIn( const supMotionWork* work, const supSketch* sketch, int32_t clip, int32_t element )
{
    int32_t mirror = sketch->elements[element].mirror;
    float share = work->clips[clip].ordinary[element];
    return mirror >= 0 ? supMaxF( share, work->clips[clip].ordinary[mirror] ) : share;
}

/// Of walks and runs the liveliest that is not wild beside the quietest of them; without any, the quietest clip in
/// which something moves. What a wild clip adds is above these, and changes nothing.
static supOrdinaryMotion supFindOrdinary(
    const supMotionWork* work, const supSketch* sketch, int32_t clips, int32_t element )
{
    float least = supLively * sketch->elements[element].ceiling, most = 0.0f;
    supOrdinaryMotion quiet[2] = { { 0.0f, -1 }, { 0.0f, -1 } }, gait = { 0.0f, -1 }; // of all, of walks and runs
    for ( int32_t c = 0; c < clips; ++c )
    {
        float share = supShareIn( work, sketch, c, element );
        int32_t clip = supLookedAt( work->def, c );
        bool gets = supIsGait( supCharacter_Clip( sketch->plan.character, clip ).name );
        for ( int k = 0; k < 2; ++k )
        {
            bool quieter = share > least && ( quiet[k].clip < 0 || share < quiet[k].share ) && ( k == 0 || gets );
            quiet[k] = quieter ? ( supOrdinaryMotion ){ share, clip } : quiet[k];
        }
    }
    most = supWildBeside * quiet[1].share;
    for ( int32_t c = 0; c < clips; ++c )
    {
        float share = supShareIn( work, sketch, c, element );
        int32_t clip = supLookedAt( work->def, c );
        bool gets = supIsGait( supCharacter_Clip( sketch->plan.character, clip ).name );
        gait = gets && share <= most && share > gait.share ? ( supOrdinaryMotion ){ share, clip } : gait;
    }
    return gait.clip >= 0 ? gait : quiet[0];
}

/// A number that reads well in a file: three digits.
static float supRound( float x )
{
    double scale = 1.0;
    while ( x > 0.0f && x * scale < 100.0 && scale < 1e6 )
    {
        scale *= 10.0;
    }
    return (float)( supFloor( x * scale + 0.5 ) / scale );
}

/// What is shown of an elongation, both as shares of the thickness: the flesh layer's own limit.
static float supShown( float share, float limit )
{
    double r = limit > 0.0f ? (double)( share / limit ) : 0.0, r2 = r * r, r8 = r2 * r2 * r2 * r2;
    return r < 1e4 ? (float)( (double)share / supSqrt( supSqrt( supSqrt( 1.0 + r8 ) ) ) ) : limit;
}

static bool supIsTrunkRegion( supRegion region )
{
    return region == sup_regionBelly || region == sup_regionSide || region == sup_regionAbdomen ||
           region == sup_regionBody || region == sup_regionRump || region == sup_regionHump ||
           region == sup_regionUdder || region == sup_regionDewlap;
}

static void supSettleElement( const supMotionWork* work, supSketch* sketch, int32_t clips, int32_t index )
{
    supSketchElement* element = sketch->elements + index;
    supOrdinaryMotion ordinary = supFindOrdinary( work, sketch, clips, index );
    element->ceiling = element->def.limitScale = supRound( element->def.limitScale );
    float more = supWantedOf( work->def, element ), room = supRoom * element->ceiling / supMaxF( more, 1.0f );
    float factor = ordinary.share > room ? room / ordinary.share : 1.0f;
    bool animal = sketch->plan.reading.kind != sup_bodyHuman && supIsTrunkRegion( element->region );
    float wanted = supStirred * element->ceiling;
    if ( animal && ordinary.clip >= 0 && ordinary.share < wanted )
    {
        factor = supMinF( supMostAdded, wanted / ordinary.share );
    }
    factor *= more;
    element->def.amount = supRound( element->def.amount * factor );
    element->def.sag = supRound( element->def.sag * factor );
    for ( int32_t c = 0; c < clips; ++c )
    {
        const supClipMotion* clip = work->clips + c;
        float peak = supShown( factor * clip->peak[index], element->ceiling );
        element->peakClip = peak > element->peak ? supLookedAt( work->def, c ) : element->peakClip;
        element->peak = supMaxF( element->peak, peak );
        if ( supLookedAt( work->def, c ) == ordinary.clip )
        {
            element->typical = supShown( factor * clip->typical[index], element->ceiling );
            element->typicalClip = ordinary.clip;
        }
    }
    element->def.frequency = supRound( element->def.frequency );
    element->def.dampingRatio = supRound( element->def.dampingRatio );
}

static supResult supRunClips( supMotionWork* work, const supSketch* sketch, int32_t clips, supError* error )
{
    memset( work->clips, 0, sizeof( supClipMotion ) * (size_t)clips );
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        work->tunings[i] = supTuningOf( sketch->elements + i );
    }
    supOrderClips( sketch->plan.character, work->def, clips, work->clips );
    supRunTasks( work->def->tasks, supMotionTask, sketch->count > 0 ? clips : 0, work );
    supResult result = sup_success;
    for ( int32_t c = 0; c < clips && result == sup_success; ++c )
    {
        result = work->clips[c].result;
        if ( result != sup_success )
        {
            supFail( error, result, "%s", work->clips[c].error.text );
        }
    }
    return result;
}

/// Slows down what hardly moves: far below its frequency flesh is left behind by the square of it. True: some was.
static bool supSlowDown( const supMotionWork* work, supSketch* sketch, int32_t clips )
{
    bool any = false;
    for ( int32_t i = 0; i < sketch->count && sketch->plan.reading.kind != sup_bodyHuman; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        supOrdinaryMotion ordinary = supFindOrdinary( work, sketch, clips, i );
        float wanted = supStirred * element->ceiling;
        if ( supIsTrunkRegion( element->region ) && ordinary.clip >= 0 && ordinary.share < wanted )
        {
            element->def.frequency *= supMaxF( supSlowest, supSqrtF( ordinary.share / wanted ) );
            any = true;
        }
    }
    return any;
}

static supResult supLookAtClips( supSketch* sketch, const supModel* model, const supProposeDef* def, supError* error )
{
    int32_t all = supCharacter_Info( sketch->plan.character )->clipCount;
    int32_t clips = def->clips != NULL ? def->clipCount : all;
    supMotionWork work = { .model = model, .def = def, .allocator = def->allocator };
    size_t room = (size_t)clips + 1;
    work.clips = supAllocZeroed( def->allocator, room, sizeof( supClipMotion ), _Alignof( supClipMotion ) );
    if ( work.clips == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for the motion of %d clips", clips );
    }
    supResult result = supRunClips( &work, sketch, clips, error );
    if ( result == sup_success && supSlowDown( &work, sketch, clips ) )
    {
        result = supRunClips( &work, sketch, clips, error );
    }
    for ( int32_t i = 0; i < sketch->count && result == sup_success; ++i )
    {
        supSettleElement( &work, sketch, clips, i );
    }
    supFree( def->allocator, work.clips, room * sizeof( supClipMotion ) );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

/// Twins share their numbers by place: when one goes, those after it move up.
static void supDropElement( supSketch* sketch, int32_t index )
{
    for ( int32_t i = index; i + 1 < sketch->count; ++i )
    {
        supSketchElement* to = sketch->elements + i;
        *to = sketch->elements[i + 1];
        // lists inside an element move with it
        to->def.name = to->name;
        to->def.ends.names = to->ends.names;
        to->def.joints.names = to->joints.names;
        to->def.spheres.spheres = to->def.spheres.count > 0 ? &to->sphere : NULL;
        to->def.attenuationKeys.pairs = to->def.attenuationKeys.count > 0 ? to->keys : NULL;
    }
    sketch->count -= 1;
    for ( int32_t j = 0; j < sketch->plan.jointCount; ++j )
    {
        int32_t* moved = sketch->moved + j;
        *moved = *moved == index ? -1 : *moved > index ? *moved - 1 : *moved;
    }
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        int32_t* mirror = &sketch->elements[i].mirror;
        *mirror = *mirror == index ? -1 : *mirror > index ? *mirror - 1 : *mirror;
    }
}

/// Those that were not wanted.
static void supDropUnwanted( supSketch* sketch, const supProposeDef* def )
{
    for ( int32_t i = sketch->count - 1; i >= 0; --i )
    {
        const supSketchElement* element = sketch->elements + i;
        if ( supWantedOf( def, element ) <= 0.0f )
        {
            for ( int32_t k = 0; k < element->joints.count; ++k )
            {
                sketch->unwanted[element->joints.joints[k]] = true;
            }
            for ( int32_t j = 0; j < sketch->plan.jointCount; ++j )
            {
                sketch->unwanted[j] = sketch->unwanted[j] || sketch->moved[j] == i;
            }
            supDropElement( sketch, i );
        }
    }
}

/// Compiles the elements; those in which no flesh is left to move are dropped.
static supResult supCompileSketch( supSketch* sketch, const supProposeDef* def, supModel** out, supError* error )
{
    supMakeDef compile = supDefaultMakeDef();
    compile.allocator = def->allocator;
    for ( ;; )
    {
        supRig* rig = NULL;
        supError own = { 0 };
        supResult result = supBuildRig( sketch, def->allocator, &rig, &own );
        result =
            result == sup_success ? supCompileModelWith( sketch->plan.character, rig, &compile, out, &own ) : result;
        supDestroyRig( rig );
        // the message names the element by its place
        int bad = -1;
        bool named = result == sup_errorData && sscanf( own.text, "elements[%d]", &bad ) == 1;
        bad = named && bad >= 0 && bad < sketch->count ? bad : -1;
        if ( result == sup_success || bad < 0 )
        {
            return result == sup_success ? sup_success : supFail( error, result, "%s", own.text );
        }
        int32_t twin = sketch->elements[bad].mirror;
        supDropElement( sketch, twin > bad ? twin : bad );
        if ( twin >= 0 )
        {
            supDropElement( sketch, twin > bad ? bad : twin );
        }
    }
}

/// Where the elements lie: the middle of their weights, and the place of their bone that is nearest to it.
static void supPlaceElements( supSketch* sketch, const supModel* model )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        supElementView view = supModel_Info( model )->elements[i];
        double sum[4] = { 0.0 };
        for ( int32_t k = 0; k < view.vertexCount; ++k )
        {
            supVec3 p = supPlan_Vertex( plan, view.vertices[k] );
            double share = (double)( view.weights[k] * plan->vertexArea[view.vertices[k]] );
            sum[0] += share * (double)p.x;
            sum[1] += share * (double)p.y;
            sum[2] += share * (double)p.z;
            sum[3] += share;
        }
        double inverse = sum[3] > 0.0 ? 1.0 / sum[3] : 0.0;
        element->center =
            supMakeVec3( (float)( sum[0] * inverse ), (float)( sum[1] * inverse ), (float)( sum[2] * inverse ) );
        supVec3 joint = supPlan_Joint( plan, element->driver ), axis = view.localFrame.y;
        float half = 0.5f * view.boneLength;
        float t = supClampF( supDot( supSub( element->center, view.localFrame.t ), axis ), -half, half );
        element->origin = element->atJoint ? joint : supMulAdd( view.localFrame.t, t, axis );
    }
}

/// How much of each joint's skin an element moves, by its weights. Areas of `shares`; zero before.
static void supAddMoved( const supPlan* plan, const supElementView* view, float* shares )
{
    const int32_t* palette = supCharacter_Info( plan->character )->paletteJoints;
    int32_t m = 0;
    for ( int32_t k = 0; k < view->vertexCount; ++k ) // vertices stand by rising number
    {
        while ( view->vertices[k] >= supCharacter_Mesh( plan->character, m ).firstVertex +
                                         supCharacter_Mesh( plan->character, m ).vertexCount )
        {
            ++m;
        }
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        float area = view->weights[k] * plan->vertexArea[view->vertices[k]];
        for ( int32_t i = 0; i < mesh.influenceCount && mesh.skin >= 0; ++i )
        {
            int32_t at = ( view->vertices[k] - mesh.firstVertex ) * mesh.influenceCount + i;
            shares[palette[mesh.firstPalette + mesh.jointIndices[at]]] += area * mesh.weights[at];
        }
    }
}

/// Which element moves a good part of a joint's skin, for the words about each joint.
static supResult supFindMoved( supSketch* sketch, const supModel* model, const supProposeDef* def, supError* error )
{
    const supPlan* plan = &sketch->plan;
    size_t count = (size_t)plan->jointCount + 1;
    float* shares = supAllocZeroed( def->allocator, 2 * count, sizeof( float ), _Alignof( float ) );
    if ( shares == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to look at %d joints", plan->jointCount );
    }
    float* most = shares + count;
    for ( int32_t e = 0; e < sketch->count; ++e )
    {
        memset( shares, 0, count * sizeof( float ) );
        supAddMoved( plan, supModel_Info( model )->elements + e, shares );
        for ( int32_t j = 0; j < plan->jointCount; ++j )
        {
            if ( shares[j] > supMaxF( supGoodPart * plan->area[j], most[j] ) && plan->area[j] > 0.0f )
            {
                most[j] = shares[j];
                sketch->moved[j] = e;
            }
        }
    }
    supFree( def->allocator, shares, 2 * count * sizeof( float ) );
    return sup_success;
}

/// Drops what is too thin to be seen to move, with its twin. True: there was some.
static bool supDropThin( supSketch* sketch, const supModel* model )
{
    bool thin[supMostElements] = { false }, any = false;
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        int32_t mirror = sketch->elements[i].mirror;
        float fullness = sketch->elements[i].fullness * sketch->plan.size;
        bool own = supMaxF( supModel_Info( model )->elements[i].thickness, fullness ) < supThin * sketch->plan.size;
        thin[i] = thin[i] || own;
        thin[mirror >= 0 ? mirror : i] = thin[mirror >= 0 ? mirror : i] || own;
        any = any || own;
    }
    bool all = true; // a long thin body, not one without flesh
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        all = all && thin[i];
    }
    for ( int32_t i = sketch->count - 1; i >= 0 && any && !all; --i )
    {
        if ( thin[i] )
        {
            supDropElement( sketch, i );
        }
    }
    return any && !all;
}

supResult supFinishRig( supSketch* sketch, const supProposeDef* def, supRig** out, supError* error )
{
    supModel* model = NULL;
    supResult result = supCompileSketch( sketch, def, &model, error );
    if ( result == sup_success && supDropThin( sketch, model ) )
    {
        supDestroyModel( model );
        model = NULL;
        result = supCompileSketch( sketch, def, &model, error );
    }
    if ( result == sup_success )
    {
        supPlaceElements( sketch, model );
        result = supFindMoved( sketch, model, def, error );
    }
    if ( result == sup_success )
    {
        result = supFindSteepness( sketch, model, def->allocator, error );
    }
    if ( result == sup_success )
    {
        supChooseNumbers( sketch, def, model );
        result = supLookAtClips( sketch, model, def, error );
    }
    // only now: what is not wanted leaves the numbers of the others as they are
    supDropUnwanted( sketch, def );
    result = result == sup_success ? supBuildRig( sketch, def->allocator, out, error ) : result;
    supDestroyModel( model );
    return result;
}
