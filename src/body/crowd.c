// Many bodies on several threads.
// SPDX-License-Identifier: MIT
//
//   memory   crowd | members | from, to, shown, rest of each member | bodies, each in a block of the largest model's
//   size work     members in fixed blocks of 16, one task each: which thread takes a block is chance, what is done in
//   it not
//
// A member whose springs are stepped every n-th frame shows, in the n frames after a step, the way from what it showed
// to the step's result, so it runs at most n frames behind and never jumps, whatever the levels were before.
#include "supple/crowd.h"
#include "supple/lab/hashes.h"
#include "supple/lab/machine.h"
#include "supple/lab/states.h"

#include "base/float_settings.h"
#include "base/hash.h"
#include "base/math.h"
#include "base/tasks.h"
#include "body/body_data.h"

#include <string.h>

enum
{
    supCrowdCookie = 0x43524f57,
    supMembersPerTask = 16,
    supSlowestRate = 16,
};

typedef struct supMember
{
    supBody* body; ///< NULL: nobody
    supCrowdFrame frame;
    supCrowdLevel level;
    float waited; ///< since its springs were last stepped. Seconds
    int32_t waitedFrames;
    int32_t way, wayLength; ///< frames of the way from `from` to `to` that are gone, and in all
    float strength;         ///< of the flesh, 0 to 1: fades
    bool hasFrame, wasAsleep, wasStepped, wasRefused, wasSkinned;
    supCrowdFrame skinned;    ///< where its vertices went last
    float *from, *to, *shown; ///< what its layers show
    float* rest;              ///< what they show at rest
} supMember;

struct supCrowd
{
    supAllocator allocator;
    supTasks tasks;
    size_t blockSize, bodySize;
    float fadeTime, dt;
    int32_t capacity, count, shownCount, modelCount; ///< shownCount: floats that the layers of a model show, at most
    int64_t frame;
    const supModel** models;
    supMember* members;
    char* bodies;
};

supCrowdDef supDefaultCrowdDef( void )
{
    return ( supCrowdDef ){ .fadeTime = 0.3f, .cookie = supCrowdCookie };
}

supCrowdLevel supDefaultCrowdLevel( void )
{
    return ( supCrowdLevel ){ .rate = 1, .flesh = true, .skin = true, .sleeps = true, .skinRate = 1 };
}

supCrowdLevel supCrowdLevelFor( float pixels )
{
    supCrowdLevel level = supDefaultCrowdLevel();
    level.rate = level.skinRate = pixels < 80.0f ? 4 : pixels < 160.0f ? 2 : 1;
    level.flesh = !( pixels < 40.0f );
    return level;
}

static supResult supCheckCrowdDef( const supCrowdDef* def, supError* error )
{
    if ( def->cookie != supCrowdCookie )
    {
        return supFail( error, sup_errorArgument, "crowd: the def was not made by supDefaultCrowdDef" );
    }
    if ( def->models == NULL || def->modelCount < 1 || def->capacity < 1 || !( def->fadeTime >= 0.0f ) )
    {
        return supFail( error, sup_errorArgument,
            "crowd: %d models, capacity %d, fadeTime %g s: models and capacity must be at least 1, fadeTime not below 0",
            def->modelCount, def->capacity, (double)def->fadeTime );
    }
    return sup_success;
}

/// Room for what layers show, four times `count` floats.
static void supPlaceShown( supMember* member, float* room, size_t count )
{
    member->from = room;
    member->to = room + count;
    member->shown = room + 2 * count;
    member->rest = room + 3 * count;
}

supResult supCreateCrowd( const supCrowdDef* def, supCrowd** out, supError* error )
{
    *out = NULL;
    supResult result = supCheckCrowdDef( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    size_t bodySize = 0, floats = 0, capacity = (size_t)def->capacity;
    for ( int32_t m = 0; m < def->modelCount; ++m )
    {
        size_t size = supBody_MemorySize( def->models[m] ), shown = (size_t)supStackShownCount( def->models[m] );
        bodySize = size > bodySize ? size : bodySize;
        floats = shown > floats ? shown : floats;
    }
    bodySize = ( bodySize + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supCrowd, crowd, 1 );
    SUP_PUT_NEW( &layout, const supModel*, models, def->modelCount );
    SUP_PUT_NEW( &layout, supMember, members, capacity );
    SUP_PUT_NEW_ROWS( &layout, float, shown, capacity, 4 * floats );
    SUP_PUT_NEW_WIDE( &layout, char, bodies, capacity* bodySize );
    bool overflows = bodySize > SIZE_MAX / capacity;
    if ( overflows || supAllocLayout( def->allocator, &layout ) == NULL )
    {
        return supFail(
            error, sup_errorMemory, "crowd: no memory for %d bodies of %zu bytes", def->capacity, bodySize );
    }
    *crowd = ( supCrowd ){ .allocator = supKeepAllocator( def->allocator ),
        .tasks = def->tasks,
        .blockSize = layout.size,
        .bodySize = bodySize,
        .fadeTime = def->fadeTime,
        .capacity = def->capacity,
        .shownCount = (int32_t)floats,
        .modelCount = def->modelCount,
        .models = models,
        .members = members,
        .bodies = bodies };
    memcpy( crowd->models, def->models, sizeof( supModel* ) * (size_t)def->modelCount );
    for ( size_t i = 0; i < capacity; ++i )
    {
        supPlaceShown( crowd->members + i, shown + 4 * floats * i, floats );
    }
    *out = crowd;
    return sup_success;
}

void supDestroyCrowd( supCrowd* crowd )
{
    if ( crowd != NULL )
    {
        supAllocator allocator = crowd->allocator;
        supFree( &allocator, crowd, crowd->blockSize );
    }
}

void supCrowd_SetTasks( supCrowd* crowd, supTasks tasks )
{
    crowd->tasks = tasks;
}

static supMember* supFindMember( const supCrowd* crowd, int32_t who )
{
    bool there = who >= 0 && who < crowd->capacity && crowd->members[who].body != NULL;
    return there ? crowd->members + who : NULL;
}

/// Nothing is on its way: all is as a body at rest has it.
static void supSettleMember( supMember* member )
{
    const supBodyStack* layers = &member->body->layers;
    for ( int32_t i = 0; i < layers->shownCount; ++i )
    {
        member->from[i] = member->to[i] = layers->shown[i];
        member->shown[i] = member->rest[i] = layers->shown[i];
    }
}

int32_t supCrowd_Add( supCrowd* crowd, int32_t model )
{
    int32_t who = 0;
    while ( who < crowd->capacity && crowd->members[who].body != NULL )
    {
        ++who;
    }
    if ( who == crowd->capacity || model < 0 || model >= crowd->modelCount )
    {
        return -1;
    }
    supMember* member = crowd->members + who;
    float* room = member->from;
    *member = ( supMember ){ .level = supDefaultCrowdLevel(), .strength = 1.0f };
    supPlaceShown( member, room, (size_t)crowd->shownCount );
    supInitBody(
        crowd->bodies + crowd->bodySize * (size_t)who, crowd->bodySize, crowd->models[model], &member->body, NULL );
    supSettleMember( member );
    crowd->count += 1;
    return who;
}

void supCrowd_Remove( supCrowd* crowd, int32_t who )
{
    supMember* member = supFindMember( crowd, who );
    if ( member != NULL )
    {
        member->body = NULL;
        crowd->count -= 1;
    }
}

supBody* supCrowd_Body( supCrowd* crowd, int32_t who )
{
    supMember* member = supFindMember( crowd, who );
    return member != NULL ? member->body : NULL;
}

static int32_t supNearestRate( int32_t rate )
{
    return rate < 1 ? 1 : rate > supSlowestRate ? supSlowestRate : rate;
}

void supCrowd_SetLevel( supCrowd* crowd, int32_t who, supCrowdLevel level )
{
    supMember* member = supFindMember( crowd, who );
    if ( member != NULL )
    {
        level.rate = supNearestRate( level.rate );
        level.skinRate = supNearestRate( level.skinRate );
        member->level = level;
    }
}

void supCrowd_SetFrame( supCrowd* crowd, int32_t who, const supCrowdFrame* frame )
{
    supMember* member = supFindMember( crowd, who );
    if ( member != NULL )
    {
        member->frame = *frame;
        member->hasFrame = frame->joints != NULL;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

/// Nothing has moved since the last step, and nothing would.
static bool supMaySleep( const supMember* member )
{
    const supBody* body = member->body;
    size_t joints = sizeof( supMat34 ) * (size_t)supCharacter_Info( body->model->character )->jointCount;
    return member->level.sleeps && member->way >= member->wayLength && supBody_IsAtRest( body ) &&
           memcmp( &member->frame.world, &body->world, sizeof( supMat34 ) ) == 0 &&
           memcmp( member->frame.joints, body->joints, joints ) == 0;
}

/// Steps the springs over all the time that has gone by, and starts on the way to where they are now.
static void supStepMember( supMember* member )
{
    supBody* body = member->body;
    size_t bytes = sizeof( float ) * (size_t)body->layers.shownCount;
    if ( bytes > 0 )
    {
        memcpy( body->layers.shown, member->to, bytes ); // as its last step left it, not faded
    }
    member->wasRefused = supBody_Step( body, member->frame.joints, member->frame.world, member->waited ) != sup_success;
    if ( !member->wasRefused )
    {
        if ( bytes > 0 )
        {
            memcpy( member->from, member->shown, bytes );
            memcpy( member->to, body->layers.shown, bytes );
        }
        // As many frames as the step stands for; coming from a slower rate one less each time: what lags behind
        // catches up without a jump.
        int32_t lag = member->way < member->wayLength ? member->wayLength - 1 : 0;
        lag = lag > member->waitedFrames ? lag : member->waitedFrames;
        member->wayLength = lag > member->level.rate ? lag : member->level.rate;
        member->way = 0;
        member->waitedFrames = 0;
        member->waited = 0.0f;
        member->wasStepped = true;
    }
}

/// What is shown in this frame: on the way, and as strong as the flesh is.
static void supShowMember( supMember* member )
{
    supBody* body = member->body;
    member->way += member->way < member->wayLength;
    bool arrived = member->way >= member->wayLength;
    float part = arrived ? 1.0f : (float)member->way / (float)member->wayLength;
    float s = member->strength, strength = s * s * ( 3.0f - 2.0f * s );
    for ( int32_t i = 0; i < body->layers.shownCount; ++i )
    {
        float from = member->from[i], to = member->to[i], rest = member->rest[i];
        float on = arrived ? to : from + part * ( to - from );
        member->shown[i] = on;
        body->layers.shown[i] = s < 1.0f ? rest + strength * ( on - rest ) : on;
    }
}

/// Flesh that is turned off fades, then its springs are left; turned on again it starts settled, and fades in.
static void supFadeMember( const supCrowd* crowd, supMember* member )
{
    float change = crowd->fadeTime > 0.0f ? crowd->dt / crowd->fadeTime : 1.0f;
    bool wasOff = member->strength <= 0.0f;
    member->strength = supMinF( supMaxF( member->strength + ( member->level.flesh ? change : -change ), 0.0f ), 1.0f );
    if ( wasOff && member->level.flesh )
    {
        supBody_Reset( member->body );
        supSettleMember( member );
        member->way = member->wayLength = member->waitedFrames = 0;
        member->waited = 0.0f;
    }
}

/// `due`: it is this one's turn; buffers that do not have its last vertices are written in any case.
static void supSkinMember( supMember* member, bool due )
{
    const supCrowdFrame *frame = &member->frame, *last = &member->skinned;
    bool elsewhere = frame->positions != last->positions || frame->normals != last->normals;
    elsewhere = elsewhere || frame->ordered != last->ordered;
    bool wanted = member->level.skin && frame->positions != NULL;
    member->wasSkinned = wanted && ( due || elsewhere );
    if ( member->wasSkinned && frame->ordered )
    {
        supBody_SkinOrdered( member->body, frame->positions, frame->normals );
    }
    else if ( member->wasSkinned )
    {
        supBody_Skin( member->body, frame->positions, frame->normals );
    }
    member->skinned = wanted ? *frame : ( supCrowdFrame ){ .positions = NULL };
}

static void supRunMember( const supCrowd* crowd, int32_t who )
{
    supMember* member = crowd->members + who;
    supBody* body = member->body;
    member->wasStepped = member->wasAsleep = member->wasRefused = false;
    supFadeMember( crowd, member );
    member->waited = supMinF( member->waited + crowd->dt, SUP_MOST_STEP );
    member->waitedFrames += 1;
    bool off = member->strength <= 0.0f;
    if ( !off && member->waited == crowd->dt && supMaySleep( member ) )
    {
        supBodyStack_Idle( body, crowd->dt );
        member->waited = 0.0f;
        member->waitedFrames = 0;
        member->wasAsleep = true;
    }
    else if ( !off && ( ( crowd->frame + who ) % member->level.rate == 0 || !body->jumps.started ) )
    {
        supStepMember( member );
    }
    else
    {
        member->wasRefused = supBody_Pose( body, member->frame.joints ) != sup_success;
        member->waited = off ? 0.0f : member->waited;
        member->waitedFrames = off ? 0 : member->waitedFrames;
    }
    supShowMember( member );
    supSkinMember( member, ( crowd->frame + who ) % member->level.skinRate == 0 );
}

static void supRunMembers( int32_t index, void* context )
{
    const supCrowd* crowd = context;
    int32_t first, end = supBlock( index, supMembersPerTask, crowd->capacity, &first );
    for ( int32_t who = first; who < end; ++who )
    {
        if ( crowd->members[who].body != NULL && crowd->members[who].hasFrame )
        {
            supRunMember( crowd, who );
        }
    }
}

void supCrowd_Run( supCrowd* crowd, float dt )
{
    supFloatSettings host = supEnterFloatSettings();
    crowd->dt = supIsSaneStep( dt ) ? dt : 0.0f;
    supRunTasks( &crowd->tasks, supRunMembers, supBlockCount( supMembersPerTask, crowd->capacity ), crowd );
    supLeaveFloatSettings( host );
    crowd->frame += 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

supCrowdReport supCrowd_Report( const supCrowd* crowd )
{
    supCrowdReport report = { .memory = crowd->blockSize, .bodyMemory = crowd->bodySize };
    for ( int32_t who = 0; who < crowd->capacity; ++who )
    {
        const supMember* member = crowd->members + who;
        if ( member->body != NULL )
        {
            bool ran = member->hasFrame; // without a frame it keeps the marks of when it had one
            report.bodies += 1;
            report.stepped += ran && member->wasStepped;
            report.asleep += ran && member->wasAsleep;
            report.refused += ran && member->wasRefused;
            report.healed += member->body->healedCount;
            report.skinned += ran && member->wasSkinned;
        }
    }
    return report;
}

uint64_t supCrowd_Hash( const supCrowd* crowd )
{
    supHash hash = supMakeHash();
    for ( int32_t who = 0; who < crowd->capacity; ++who )
    {
        const supMember* member = crowd->members + who;
        if ( member->body != NULL )
        {
            supHash_Word( &hash, supBody_Hash( member->body ) );
            supHash_Floats( &hash, member->shown, (size_t)member->body->layers.shownCount );
        }
    }
    return supHash_Value( &hash );
}
