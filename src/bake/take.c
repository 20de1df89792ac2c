// Takes: one clip, simulated.
// SPDX-License-Identifier: MIT
#include "bake/take_data.h"

#include "base/float_settings.h"
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"

#include <assert.h>

#define SUP_TAKE_COOKIE 0x54414b45

/// Frames of one clip: nine hours at 30 a second. A slip of the units makes days of it, and no machine holds those.
static const double supMostFrames = 1 << 20;

/// Over how long a clip that ends at rest is brought there. Seconds
static const double supRestSpan = 0.5;

supTakeDef supDefaultTakeDef( void )
{
    return ( supTakeDef ){ .cookie = SUP_TAKE_COOKIE };
}

// ---------------------------------------------------------------------------------------------------------------
// Any time

/// 1 before the last half second, 0 at the end, level at both to the second derivative.
static double supTakeRestBlend( const supTake* take, double time, double* slope )
{
    *slope = 0.0;
    double span = supMin( supRestSpan, take->info.end - take->info.start );
    double left = take->info.end - time;
    if ( take->ends != sup_endsRest || take->info.loops || left >= span || !( span > 0.0 ) )
    {
        return 1.0;
    }
    double q = left / span;
    *slope = -30.0 * q * q * ( q - 1.0 ) * ( q - 1.0 ) / span;
    return q * q * q * ( q * ( 6.0 * q - 15.0 ) + 10.0 );
}

/// Where gravity alone would hold it, and how fast that moves.
static supVec3d supSettledAt( const supTakeSpring* spring, const supAnchorPath* path, double time, supVec3d* speed )
{
    *speed = ( supVec3d ){ 0.0, 0.0, 0.0 };
    if ( path->count == 1 )
    {
        return supScaleD( path->pulls[0], 1.0 / spring->stiffness );
    }
    int32_t i = supAnchorPath_Find( path, time );
    double span = path->times[i + 1] - path->times[i];
    supVec3d step = supSubD( path->pulls[i + 1], path->pulls[i] );
    *speed = supScaleD( step, 1.0 / ( span * spring->stiffness ) );
    supVec3d pull = supMulAddD( path->pulls[i], ( time - path->times[i] ) / span, step );
    return supScaleD( pull, 1.0 / spring->stiffness );
}

supVec3d supTakeSwingState( const supTake* take, int32_t swing, double time, supVec3d* speed )
{
    const supTakeSpring* spring = &take->swings[swing].spring;
    const supAnchorPath* path = &take->swings[swing].path;
    bool outside = time < take->info.start || time > take->info.end;
    double at = supClamp( time, take->info.start, take->info.end );
    supVec3d u, rate;
    supTakeSpringAt( spring, path, at, &u, &rate );
    double slope, blend = supTakeRestBlend( take, at, &slope );
    if ( blend < 1.0 )
    {
        supVec3d settledRate, settled = supSettledAt( spring, path, at, &settledRate );
        supVec3d off = supSubD( u, settled );
        rate = supAddD( settledRate, supScaleD( supSubD( rate, settledRate ), blend ) );
        rate = supMulAddD( rate, slope, off );
        u = supMulAddD( settled, blend, off );
    }
    if ( outside )
    {
        rate = ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    supVec3d shown = supShowElongation( spring, u, &rate );
    if ( speed != NULL )
    {
        *speed = rate;
    }
    return shown;
}

void supTake_Elongations( const supTake* take, double time, supVec3* elongations )
{
    for ( int32_t e = 0; e < take->elementCount; ++e )
    {
        elongations[e] = supToFloat( supTakeSwingState( take, e, time, NULL ) );
    }
}

void supTake_Speeds( const supTake* take, double time, supVec3* speeds )
{
    for ( int32_t e = 0; e < take->elementCount; ++e )
    {
        supVec3d speed;
        supTakeSwingState( take, e, time, &speed );
        speeds[e] = supToFloat( speed );
    }
}

supResult supTake_Show( const supTake* take, double time, const supMat34* joints, supBody* body )
{
    assert( body->model == take->model );
    supFloatSettings host = supEnterFloatSettings();
    supResult result = supBody_Pose( body, joints );
    if ( result == sup_success )
    {
        supTakeLayers( take, time, joints, body->layers.shown );
        supShowLiveFields( take, body );
    }
    supLeaveFloatSettings( host );
    return result;
}

supTakeInfo supTake_Info( const supTake* take )
{
    return take->info;
}

// ---------------------------------------------------------------------------------------------------------------
// Figures

/// The largest displacement that elongations `u` give any vertex.
static double supLargestDisplacement( const supSkinOffsets* offsets, const supVec3d* u )
{
    double largest = 0.0;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        supVec3d sum = { 0.0, 0.0, 0.0 };
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            sum = supMulAddD( sum, offsets->touches[i].weight, u[offsets->touches[i].element] );
        }
        largest = supMax( largest, supDotD( sum, sum ) );
    }
    return supSqrt( largest );
}

/// No vertex is displaced by more than this: weights are at most 1 and their sum at most the helpers' gain.
static double supBoundDisplacement( const supTake* take, const supVec3d* u )
{
    double sum = 0.0, largest = 0.0;
    for ( int32_t e = 0; e < take->elementCount; ++e )
    {
        double length = supLengthD( u[e] );
        sum += length;
        largest = supMax( largest, length );
    }
    const supSkinMotions* motions = take->model->motions;
    return motions->anyLayers ? sum : supMin( sum, largest * motions->gain ); // layers share weights otherwise
}

static void supMeasureTake( supTake* take, supVec3d* u )
{
    const supSkinOffsets* offsets = &take->model->offsets;
    int32_t longest = 0;
    for ( int32_t e = 0; e < take->elementCount; ++e )
    {
        longest = take->swings[e].path.count > take->swings[longest].path.count ? e : longest;
    }
    double largest = 0.0;
    for ( int32_t i = 0; take->elementCount > 0 && i < take->swings[longest].path.count; ++i )
    {
        for ( int32_t e = 0; e < take->elementCount; ++e )
        {
            u[e] = supTakeSwingState( take, e, take->swings[longest].path.times[i], NULL );
        }
        if ( supBoundDisplacement( take, u ) > largest )
        {
            largest = supMax( largest, supLargestDisplacement( offsets, u ) );
        }
    }
    for ( int32_t e = 0; e < take->elementCount; ++e )
    {
        supVec3d start = supTakeSwingState( take, e, take->info.start, NULL );
        supVec3d end = supTakeSwingState( take, e, take->info.end, NULL );
        supMat34d turn = take->info.loops ? take->root.motion : supMat34d_identity;
        u[e] = supSubD( end, supTransformVectorD( turn, start ) );
    }
    take->info.nodeCount = take->elementCount > 0 ? take->swings[longest].path.count : 0;
    take->info.maxDisplacement = (float)largest;
    take->info.seam = (float)supLargestDisplacement( offsets, u );
}

// ---------------------------------------------------------------------------------------------------------------
// Layers that are nothing but springs on joints, along a clip: in closed form.
//
// The path of each spring's anchor is a smooth curve through the clip's own keys (anchor_path.c), and the spring on it
// has an exact flow (take_spring.c): at every time, at any frequency, and a cycle is solved for the start that returns
// to itself. The state is in model space, where the clip is; what is shown is in the frame of the joint.

bool supIsSwings( const supStackLayer* entry )
{
    return entry->layer->swing != NULL && entry->shownCount > 0;
}

static supTakeSpring supSpringOfSwing( const supSwingView* view )
{
    const supSpring* spring = &view->spring;
    double omega = spring->omega, own = 2.0 * spring->dampingRatio * omega;
    return ( supTakeSpring ){ .own = own,
        .friction = own + spring->airFriction,
        .stiffness = omega * omega,
        .amount = spring->amount,
        .limit = view->limit,
        .clamps = view->clamps };
}

static supResult supSolveSwing( supTake* take, supTakeSwing* swing, const supSwingView* view, supError* error )
{
    const supModel* model = take->model;
    supDriverChain chain;
    supResult result = supMakeChain( &chain, model->character, view->joint, take->clip, &take->allocator, error );
    if ( result == sup_success )
    {
        result = supMakeAnchorPath( &swing->path, view, model->gravity, &chain, &take->root, &take->allocator, error );
    }
    supChain_Destroy( &chain );
    if ( result == sup_success )
    {
        swing->joint = view->joint;
        swing->spring = supSpringOfSwing( view );
        take->info.limited += supSolveTakeSpring( &swing->spring, &swing->path, &take->root );
    }
    return result;
}

/// Where the take has the live fields of a layer: its own, or the model's.
static const float* supTakeLive( const supTake* take, int32_t layer )
{
    const supStack* stack = &take->model->stack;
    size_t at = 0;
    for ( int32_t i = 0; i < layer; ++i )
    {
        at += (size_t)stack->layers[i].allLive;
    }
    return take->layers.live != NULL ? take->layers.live + at : stack->layers[layer].live;
}

static supResult supSolveLayer( supTake* take, int32_t layer, int32_t place, supError* error )
{
    const supStackLayer* entry = take->model->stack.layers + layer;
    supResult result = sup_success;
    for ( int32_t i = 0; i < entry->shownCount / 3 && result == sup_success; ++i )
    {
        supTakeSwing* swing = take->swings + take->swingCount++;
        const float* live = supTakeLive( take, layer );
        *swing = ( supTakeSwing ){ .layer = layer, .index = i, .place = place + 3 * i, .live = live };
        supSwingView view = entry->layer->swing->view( entry->compiled, i, live );
        result = supSolveSwing( take, swing, &view, error );
    }
    return result;
}

/// Solves all springs of the take's layers.
static supResult supSolveSwings( supTake* take, supError* error )
{
    const supStack* stack = &take->model->stack;
    size_t count = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        count += supIsSwings( stack->layers + i ) ? (size_t)stack->layers[i].shownCount / 3 : 0;
    }
    if ( count == 0 )
    {
        return sup_success;
    }
    take->swings = supAllocZeroed( &take->allocator, count, sizeof( supTakeSwing ), _Alignof( supTakeSwing ) );
    if ( take->swings == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu springs", count );
    }
    take->swingRoom = (int32_t)count;
    supResult result = sup_success;
    int32_t place = 0;
    for ( int32_t i = 0; i < stack->count && result == sup_success; ++i )
    {
        result = supIsSwings( stack->layers + i ) ? supSolveLayer( take, i, place, error ) : sup_success;
        place += stack->layers[i].shownCount;
    }
    return result;
}

static void supDropSwings( supTake* take )
{
    for ( int32_t i = 0; i < take->swingCount; ++i )
    {
        supAnchorPath_Destroy( &take->swings[i].path, &take->allocator );
    }
    supFree( &take->allocator, take->swings, (size_t)take->swingRoom * sizeof( supTakeSwing ) );
}

supVec3 supTakeSwingAt( const supTake* take, int32_t index, double time, const supMat34* joints )
{
    const supTakeSwing* swing = take->swings + index;
    const supStackLayer* entry = take->model->stack.layers + swing->layer;
    supVec3d u = supTakeSwingState( take, index, time, NULL );
    return entry->layer->swing->shown == NULL
               ? supToFloat( u )
               : entry->layer->swing->shown( entry->compiled, swing->index, swing->live, joints[swing->joint], u );
}

void supTakeSwings( const supTake* take, double time, const supMat34* joints, float* shown )
{
    for ( int32_t i = 0; i < take->swingCount; ++i )
    {
        supVec3 u = supTakeSwingAt( take, i, time, joints );
        float* to = shown + take->swings[i].place;
        to[0] = u.x;
        to[1] = u.y;
        to[2] = u.z;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

/// Tunings are checked by a body; what another body has edited is taken over. The take keeps both.
static supResult supTuneBody( supTake* take, supBody* body, const supTakeDef* def, supError* error )
{
    supResult result = sup_success;
    if ( def->tunedAs != NULL )
    {
        supCopyLiveFields( body, def->tunedAs );
    }
    for ( int32_t e = 0; def->tunings != NULL && e < take->elementCount && result == sup_success; ++e )
    {
        result = supBody_Tune( body, e, def->tunings + e, error );
    }
    bool tuned = def->tunedAs != NULL || def->tunings != NULL;
    return tuned && result == sup_success ? supKeepLiveFields( take, body, error ) : result;
}

static supResult supRunTake(
    supTake* take, const supTakeDef* def, supVec3d* scratch, supWatched* watched, supError* error )
{
    supClipView clip = supCharacter_Clip( def->model->character, def->clip );
    take->info.start = clip.start;
    take->info.end = clip.end;
    supResult result =
        supFindLoop( def->model, def->clip, def->loop, &take->allocator, &take->root, &take->info, error );
    take->root.loops = take->root.loops && clip.end > clip.start;
    take->info.loops = take->root.loops;
    supBody* body = NULL;
    result = result == sup_success ? supCreateBody( def->model, &body, error ) : result;
    result = result == sup_success ? supTuneBody( take, body, def, error ) : result;
    result = result == sup_success ? supSolveSwings( take, error ) : result;
    if ( result == sup_success )
    {
        supMeasureTake( take, scratch );
        result = supRecordLayers( take, body, watched, error );
    }
    supDestroyBody( body );
    return result;
}

supResult supCheckFrames( const supModel* model, int32_t clip, double fps, supError* error )
{
    supClipView view = supCharacter_Clip( model->character, clip );
    double seconds = view.end - view.start;
    return seconds * fps <= supMostFrames
               ? sup_success
               : supFail( error, sup_errorLimit,
                     "clip \"%s\" lasts %.4g seconds, which is more than %.0f frames at %g per second; are its times in seconds?",
                     view.name, seconds, supMostFrames, fps );
}

supResult supCheckTakes(
    const supModel* model, const supTake* const* takes, int32_t count, double fps, supError* error )
{
    if ( count < 0 || ( count > 0 && takes == NULL ) )
    {
        return supFail( error, sup_errorArgument, "there should be %d takes, but the array is missing", count );
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( takes[i] == NULL || takes[i]->model != model )
        {
            return supFail( error, sup_errorArgument, "take %d is not of this model", i );
        }
        supResult result = supCheckFrames( model, takes[i]->clip, fps, error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

supResult supCreateTake( const supTakeDef* def, supTake** out, supError* error )
{
    assert( def != NULL && out != NULL );
    *out = NULL;
    if ( def->cookie != SUP_TAKE_COOKIE || def->model == NULL )
    {
        return supFail( error, sup_errorArgument, "the take's def was not made by supDefaultTakeDef, or has no model" );
    }
    if ( def->tunedAs != NULL && def->tunedAs->model != def->model )
    {
        return supFail( error, sup_errorArgument, "tunedAs is a body of another model" );
    }
    int32_t clipCount = supCharacter_Info( def->model->character )->clipCount;
    if ( def->clip < 0 || def->clip >= clipCount )
    {
        return supFail( error, sup_errorArgument, "there is no clip %d; the character has %d", def->clip, clipCount );
    }
    int32_t elements = def->model->offsets.elementCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supTake, take, 1 );
    SUP_PUT_NEW( &layout, supVec3d, scratch, elements );
    if ( supAllocLayout( def->allocator, &layout ) == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a take of %d elements", elements );
    }
    *take = ( supTake ){ .allocator = supKeepAllocator( def->allocator ),
        .model = def->model,
        .clip = def->clip,
        .ends = def->ends,
        .elementCount = elements,
        .blockSize = layout.size };
    supWatched watched = supStartWatched( &def->watch );
    bool goes = supWatched_Tell( &watched, supCharacter_Clip( def->model->character, def->clip ).name, 0.0 );
    supFloatSettings host = supEnterFloatSettings();
    supResult result = goes ? supRunTake( take, def, scratch, &watched, error ) : sup_errorCanceled;
    supLeaveFloatSettings( host );
    if ( result == sup_success )
    {
        supWatched_Tell( &watched, NULL, 1.0 );
    }
    result = supWatched_End( &watched, result, error );
    if ( result != sup_success )
    {
        supDestroyTake( take );
        return result;
    }
    *out = take;
    return sup_success;
}

void supDestroyTake( supTake* take )
{
    if ( take == NULL )
    {
        return;
    }
    supAllocator allocator = take->allocator;
    supDropSwings( take );
    supDropLayers( take );
    supFree( &allocator, take, take->blockSize );
}
