// Action lines that move.
// SPDX-License-Identifier: MIT
//
// A line that relaxes starts every time from where its joints carry it: where it comes to rest follows from the posture
// alone, so nothing creeps, cycles close, and a posture that is held is not even solved again. (One that a frame's
// rounds have not brought to rest goes on in the next ones, as long as the posture is held.) All that it remembers is
// the fields that it goes around: turned far enough, the straight way would pass them on the other side. A line that
// swings is stepped in the world: its state is kept in model space, and carried over from the model's last place
// to the present one before each step.
//
// Where a point is bound or freed while it runs, balance is elsewhere at once. What is shown goes on from where it was:
// the difference is kept as an offset that dies away (after Bollo, "Inertialization", 2018).
#include "layers/muscles/muscles.h"

#include "base/hash.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/muscles/line_setup.h"
#include "layers/muscles/muscle_frame.h"

#include <string.h>

enum
{
    supRelaxRounds = 120,
    supMostFrames = 16, ///< that a posture which is held goes on relaxing for
    supSwingRounds = 3,
    supMostSubsteps = 8,
};

/// Relaxed to this share of the line's length. Where a frame's rounds end before that, it goes on in the next frames
/// only if it still moves by more than the other share: what is held is still, to the bit.
static const double supSettled = 1e-6, supNearlySettled = 1e-3;
/// Swinging lines that are slower than this share of their length a second, for so many seconds, are put to rest.
static const double supStill = 1e-5, supStillTime = 0.1;
/// The implicit method damps what is fast: steps as long as this at most, so that frame rates look alike. Seconds
static const double supSubstep = 1.0 / 120.0;

/// Over which such offsets die away, in seconds; what is less of them is none, as a share of the line's length.
static const float supSwitchTime = 0.08f, supLeastOffset = 1e-6f;

/// One muscle's own.
typedef struct supMuscleState
{
    uint64_t inputs; ///< hash of the posture that the line was last solved in; 0: none
    bool resting;    ///< it swings no more
    float still;     ///< for how long it has been slow. Seconds
    bool around;     ///< its line goes around a solid field
    int32_t frames;  ///< for which it has been relaxing in the posture that it stands in
    bool far;        ///< from its balance, when the last of them ended
    bool tensing;    ///< its activation changed in the last step
    bool swings;     ///< by its `motion` at the last step
    bool switched;   ///< other vertices are free than at the last step: this one goes on from what was shown
    bool easing;     ///< offsets are left
    float length;    ///< of the line at the last step. Metres
    supLineReport report;
} supMuscleState;

typedef struct supMusclesState
{
    supMat34 world; ///< of the last step
    bool started;
    bool tuned; ///< live fields were changed since the last step
} supMusclesState;

/// The pieces of the state's block.
typedef struct supStateArrays
{
    supMusclesState* all;
    supMuscleState* own; ///< one a muscle
    supVec3d* at;        ///< one a vertex, model space of the last step
    supVec3d* speeds;    ///< through the world, in the axes of model space. m/s
    supVec3* places;     ///< where the joints carried the vertices at the last step
    uint8_t* around;     ///< of each force and vertex: the line goes around it (supLineField.around)
    uint8_t* bound;      ///< one a vertex, at the last step
    supVec3* moves;      ///< one a vertex: what was shown at the last step
    supVec3* offsets;    ///< one a vertex: how much of that no longer follows from the line
} supStateArrays;

static size_t supLayOutState( const supMuscles* muscles, void* block, supStateArrays* pieces )
{
    supLayout layout = supLayoutIn( block );
    SUP_PUT( &layout, pieces->all, 1 );
    SUP_PUT( &layout, pieces->own, muscles->count );
    SUP_PUT( &layout, pieces->at, muscles->vertexCount );
    SUP_PUT( &layout, pieces->speeds, muscles->vertexCount );
    SUP_PUT( &layout, pieces->places, muscles->vertexCount );
    SUP_PUT( &layout, pieces->moves, muscles->vertexCount );
    SUP_PUT( &layout, pieces->offsets, muscles->vertexCount );
    SUP_PUT( &layout, pieces->around, muscles->sideCount );
    SUP_PUT( &layout, pieces->bound, muscles->vertexCount );
    return layout.size;
}

static supStateArrays supPiecesOf( const void* compiled, const void* state )
{
    supStateArrays pieces;
    supLayOutState( compiled, (void*)state, &pieces );
    return pieces;
}

int32_t supMusclesShownCount( const void* compiled )
{
    const supMuscles* muscles = compiled;
    return 3 * muscles->vertexCount + muscles->count;
}

size_t supMusclesStateSize( const void* compiled )
{
    supStateArrays pieces;
    return supLayOutState( compiled, NULL, &pieces );
}

void supResetMuscles( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supMusclesStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supMusclesShownCount( compiled ) );
}

// ---------------------------------------------------------------------------------------------------------------
// One line

/// What its solution follows from.
static uint64_t supHashInputs( const supMuscles* muscles, const supMuscle* muscle, const float* live,
    const supLinePosture* posture, const supVec3* places )
{
    supHash hash = supMakeHash();
    supHash_Floats( &hash, &places->x, 3 * (size_t)muscle->vertexCount );
    supHash_Floats( &hash, live, sup_muscleContraction ); // of the line, and sharpness before them
    supHash_Floats(
        &hash, supMusclePointLiveOf( muscle, live, 0 ), (size_t)muscle->anchorCount * sup_musclePointLiveCount );
    supHash_Doubles( &hash, &posture->gravity.x, 3 );
    for ( int32_t i = 0; i < muscle->anchorCount; ++i )
    {
        supHash_Floats( &hash, &posture->joints[muscles->anchors[muscle->firstAnchor + i].joint].x.x, 9 );
    }
    for ( int32_t f = muscle->firstForce; f < muscle->firstForce + muscle->forceCount; ++f )
    {
        const supEllipsoid* ellipsoid = muscles->ellipsoids + muscles->forces[f];
        supHash_Floats( &hash, &posture->joints[ellipsoid->joint].x.x, 12 );
        supHash_Floats( &hash, supMuscleFieldLiveOf( muscle, live, ellipsoid ), sup_muscleFieldLiveCount );
    }
    uint64_t value = supHash_Value( &hash );
    return value != 0 ? value : 1;
}

/// Out of solid fields.
static void supKeepOut( const supLineSetup* setup, supVec3d* at )
{
    const supSpringLine* line = &setup->line;
    supProjectLine( line->fields, line->fieldCount, line->bound, line->count, at );
}

static void supFindBalance( const supLineSetup* setup, float length, supVec3d* at, supMuscleState* own )
{
    double tolerance = supSettled * length;
    supLineResult result = own->frames > 0 ? supSpringLine_GoOn( &setup->line, tolerance, supRelaxRounds, at )
                                           : supSpringLine_Relax( &setup->line, tolerance, supRelaxRounds, at );
    own->frames += 1;
    own->report.rounds = result.rounds;
    own->report.settled = result.moved <= tolerance;
    own->far = result.moved > supNearlySettled * length;
    supKeepOut( setup, at );
}

/// Whether a line that relaxes is still on its way, in a posture that is held.
static bool supGoesOn( const supMuscleState* own )
{
    return own->frames > 0 && own->frames < supMostFrames && own->far;
}

/// Starts from where the joints carry the vertices, brought to the right side of solid fields. A line that went around
/// one before goes on from its last solution instead: past half a turn no start says any more which way round it is.
static void supRelaxLine( const supLineSetup* setup, float length, const supVec3* lastPlaces, supVec3d* at,
    supVec3d* speeds, supMuscleState* own )
{
    supVec3d start[sup_mostLineVertices];
    memcpy( start, setup->places, sizeof( supVec3d ) * (size_t)setup->line.count );
    bool around = supStartLine( setup->fields, setup->line.fieldCount, setup->bound, setup->line.count, start );
    bool goesOn = around && own->around && own->inputs != 0;
    for ( int32_t i = 0; i < setup->line.count; ++i )
    {
        supVec3d moved = supSubD( setup->places[i], supToDouble( lastPlaces[i] ) );
        at[i] = goesOn && !setup->bound[i] ? supAddD( at[i], moved ) : start[i];
        speeds[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    own->around = around;
    own->frames = 0;
    supFindBalance( setup, length, at, own );
}

/// dt seconds on; bound vertices, and the places that hold the free ones, go straight from `before` to where they are
/// now. Gives the largest move.
static double supSwingLine(
    supLineSetup* setup, double dt, const supVec3d* before, supVec3d* at, supVec3d* speeds, supLineReport* report )
{
    supSpringLine* line = &setup->line;
    supVec3d start[sup_mostLineVertices], ends[sup_mostLineVertices];
    memcpy( start, at, sizeof( supVec3d ) * (size_t)line->count );
    memcpy( ends, setup->places, sizeof( supVec3d ) * (size_t)line->count );
    int32_t steps = (int32_t)supClamp( supFloor( dt / supSubstep + 0.999 ), 1.0, supMostSubsteps );
    report->rounds = 0;
    for ( int32_t s = 1; s <= steps; ++s )
    {
        for ( int32_t i = 0; i < line->count; ++i )
        {
            setup->places[i] = supLerpD( before[i], ends[i], (double)s / steps );
            at[i] = line->bound[i] ? setup->places[i] : at[i];
        }
        if ( dt > 0.0 )
        {
            report->rounds +=
                supSpringLine_Step( line, dt / steps, setup->damping, 0.0, supSwingRounds, at, speeds ).rounds;
        }
        supKeepOut( setup, at );
    }
    double moved = 0.0;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        moved = supMax( moved, supLengthD( supSubD( at[i], start[i] ) ) );
    }
    return moved;
}

/// A muscle's pieces of the state, and where it stands now.
typedef struct supLineMoment
{
    const supMuscles* muscles;
    const supMuscle* muscle;
    const float* live;
    supLinePosture posture;
    supMat34d carry; ///< from model space at the last step to now
    bool carried;    ///< the model has moved
    double dt;       ///< 0 at the first step
    bool first;
} supLineMoment;

/// The line of one muscle, by its `motion`. Gives whether all that it follows from is what it was at the last step.
static bool supMoveLine( const supLineMoment* now, supMuscleState* own, const supVec3* places, supVec3* lastPlaces,
    supVec3d* at, supVec3d* speeds )
{
    const supMuscle* muscle = now->muscle;
    supLineSetup setup;
    uint64_t inputs = supHashInputs( now->muscles, muscle, now->live, &now->posture, places );
    bool swings = now->live[sup_muscleMotion] == (float)sup_lineSwing;
    bool stands = inputs == own->inputs && !now->carried;
    bool goesOn = inputs == own->inputs && !swings && supGoesOn( own );
    if ( inputs == own->inputs && !goesOn && ( !swings || ( own->resting && !now->carried ) ) )
    {
        return stands;
    }
    bool anyFree = supSetUpLine( now->muscles, muscle, now->live, &now->posture, places, &setup );
    if ( !anyFree )
    {
        own->report = ( supLineReport ){ .settled = true, .activated = own->report.activated };
        own->frames = 0;
        for ( int32_t i = 0; i < muscle->vertexCount; ++i )
        {
            at[i] = setup.places[i];
            speeds[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        }
    }
    else if ( goesOn )
    {
        supFindBalance( &setup, muscle->restLength, at, own );
    }
    else if ( !swings || now->first || own->inputs == 0 )
    {
        supRelaxLine( &setup, muscle->restLength, lastPlaces, at, speeds, own );
    }
    else
    {
        supVec3d before[sup_mostLineVertices];
        for ( int32_t i = 0; i < muscle->vertexCount; ++i )
        {
            before[i] = supTransformPointD( now->carry, supToDouble( lastPlaces[i] ) );
            at[i] = supTransformPointD( now->carry, at[i] );
            speeds[i] = supTransformVectorD( now->carry, speeds[i] );
        }
        double moved = supSwingLine( &setup, now->dt, before, at, speeds, &own->report );
        bool slow = inputs == own->inputs && !now->carried && moved <= supStill * muscle->restLength * now->dt;
        own->still = slow ? own->still + (float)now->dt : 0.0f;
        own->resting = own->still > supStillTime;
        own->report.settled = own->resting;
        own->frames = 0;
        for ( int32_t i = 0; i < muscle->vertexCount && own->resting; ++i )
        {
            speeds[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        }
    }
    own->inputs = inputs;
    return stands;
}

/// Notes which vertices are free, and whether others were at the last step, or the line moved by another rule.
static void supNoteSwitches( const supLineMoment* now, supMuscleState* own, uint8_t* bound )
{
    const supLineVertex* vertices = now->muscles->vertices + now->muscle->firstVertex;
    bool swings = now->live[sup_muscleMotion] == (float)sup_lineSwing, changed = own->swings != swings;
    for ( int32_t i = 0; i < now->muscle->vertexCount; ++i )
    {
        bool isBound = !supIsFreeNow( now->muscle, vertices + i, now->live );
        changed = changed || ( bound[i] != 0 ) != isBound;
        bound[i] = isBound;
    }
    own->swings = swings;
    own->switched = !now->first && now->dt > 0.0 && ( own->switched || changed );
}

/// Of offsets, in a step. A body that is paused keeps them all; one that is put elsewhere without time is there.
static float supOffsetsLeft( const supLineMoment* now, const supMuscleState* own, bool stands )
{
    float left = now->dt > 0.0 ? supExpF( -(float)now->dt / supSwitchTime ) : stands ? 1.0f : 0.0f;
    return own->easing ? left : 0.0f;
}

/// What free vertices have left their bound places by, in the frames of their joints. `left`: of offsets.
static void supShowLine( const supLineMoment* now, supMuscleState* own, const supVec3* places,
    const supStateArrays* pieces, float left, float* shown )
{
    size_t first = (size_t)now->muscle->firstVertex;
    const supLineVertex* vertices = now->muscles->vertices + first;
    float free = now->live[sup_muscleFree], least = supLeastOffset * now->muscle->restLength;
    own->easing = false;
    for ( int32_t i = 0; i < now->muscle->vertexCount; ++i )
    {
        size_t v = first + (size_t)i;
        supVec3d moved = supScaleD( supSubD( pieces->at[v], supToDouble( places[i] ) ), free );
        supMat34d inverse;
        bool shows = pieces->bound[v] == 0 &&
                     supInvertMatD( supMatToDouble( now->posture.joints[vertices[i].joint] ), &inverse );
        supVec3 u = shows ? supToFloat( supTransformVectorD( inverse, moved ) ) : supVec3_zero;
        supVec3 offset = own->switched ? supSub( pieces->moves[v], u ) : supScale( pieces->offsets[v], left );
        bool eases = vertices[i].free && supLengthSquared( offset ) > least * least;
        pieces->offsets[v] = eases ? offset : supVec3_zero;
        u = eases ? supAdd( u, offset ) : u;
        own->easing = own->easing || eases;
        pieces->moves[v] = u;
        memcpy( shown + 3 * (size_t)i, &u, sizeof( u ) );
    }
}

/// Below this a contraction that dies away is none, and one that nears what is wanted is there.
static const double supTensed = 1e-4;

/// Contraction by the muscle's own work, with a lag: it follows the rate of shortening, and how short it is held. (A
/// bent arm that is held up shortens no more, and yet its biceps works.)
static void supActivate( const supLineMoment* now, supMuscleState* own, const supVec3d* at )
{
    float length = 0.0f;
    for ( int32_t i = 0; i + 1 < now->muscle->vertexCount; ++i )
    {
        length += (float)supLengthD( supSubD( at[i + 1], at[i] ) );
    }
    length /= supMuscleScale( now->muscles, now->muscle, now->posture.joints );
    // tendons do not shorten: what the line loses is the belly's
    double belly = now->muscle->bellyLength, lag = now->live[sup_muscleActivationTime];
    bool moves = now->dt > 0.0 && !own->switched; // a line that is elsewhere at once has not shortened
    double rate = moves ? ( (double)own->length - length ) / ( now->dt * belly ) : 0.0;
    double held = ( (double)now->muscle->restLength - length ) / belly;
    double wanted =
        now->live[sup_muscleActivation] * supMax( rate, 0.0 ) + now->live[sup_muscleHolding] * supMax( held, 0.0 );
    wanted = supMin( wanted, 1.0 );
    double share = now->first || !( lag > 0.0 ) ? 1.0 : 1.0 - supExp( -now->dt / lag ), last = own->report.activated;
    double activated = last + share * ( wanted - last );
    own->report.activated = (float)( supAbs( wanted - activated ) > supTensed ? activated : wanted );
    own->tensing = own->report.activated != (float)last;
    own->length = length;
    own->switched = false;
}

void supStepMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supMuscles* muscles = compiled;
    supStateArrays pieces = supPiecesOf( muscles, state );
    supLineMoment now = { .muscles = muscles,
        .posture = { .joints = frame->joints, .around = pieces.around },
        .carry = supMat34d_identity,
        .dt = pieces.all->started ? (double)frame->dt : 0.0,
        .first = !pieces.all->started };
    supMat34d fromWorld;
    supInvertMatD( supMatToDouble( frame->world ), &fromWorld );
    now.posture.gravity = supTransformVectorD( fromWorld, supToDouble( frame->gravity ) );
    now.carried = pieces.all->started && memcmp( &pieces.all->world, &frame->world, sizeof( frame->world ) ) != 0;
    now.carry = now.carried ? supMulMatD( fromWorld, supMatToDouble( pieces.all->world ) ) : supMat34d_identity;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        now.muscle = muscles->muscles + m;
        now.live = frame->live + (size_t)m * sup_muscleLiveCount;
        if ( now.muscle->vertexCount == 0 )
        {
            continue;
        }
        size_t first = (size_t)now.muscle->firstVertex;
        supVec3 places[sup_mostLineVertices];
        supPlaceLine( muscles, now.muscle, frame->joints, places );
        supNoteSwitches( &now, pieces.own + m, pieces.bound + first );
        bool stands = supMoveLine(
            &now, pieces.own + m, places, pieces.places + first, pieces.at + first, pieces.speeds + first );
        float left = supOffsetsLeft( &now, pieces.own + m, stands );
        memcpy( pieces.places + first, places, sizeof( supVec3 ) * (size_t)now.muscle->vertexCount );
        supShowLine( &now, pieces.own + m, places, &pieces, left, shown + 3 * first );
        supActivate( &now, pieces.own + m, pieces.at + first );
        shown[3 * (size_t)muscles->vertexCount + (size_t)m] = pieces.own[m].report.activated;
    }
    pieces.all->world = frame->world;
    pieces.all->started = true;
    pieces.all->tuned = false;
}

// ---------------------------------------------------------------------------------------------------------------
// The rest of the layer

void supTeleportMuscles( const void* compiled, void* state, supMat34 motion )
{
    supStateArrays pieces = supPiecesOf( compiled, state );
    pieces.all->world = supMulMat( motion, pieces.all->world );
}

/// The place of a vertex of one line on another, whose vertices may be more or fewer: between `*at` and the next.
static float supPlaceAlong( const supLineVertex* line, int32_t count, float along, int32_t* at )
{
    int32_t i = 0;
    while ( i + 2 < count && line[i + 1].along <= along )
    {
        ++i;
    }
    *at = i;
    return supClampF( ( along - line[i].along ) / ( line[i + 1].along - line[i].along ), 0.0f, 1.0f );
}

/// A line that was divided otherwise goes on from the same places along it.
static void supAdoptLine( const supMuscles* muscles, const supMuscle* muscle, const supStateArrays* to,
    const supMuscles* old, const supMuscle* other, const supStateArrays* from )
{
    const supLineVertex* vertices = old->vertices + other->firstVertex;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        int32_t k;
        float along = muscles->vertices[muscle->firstVertex + i].along;
        float t = supPlaceAlong( vertices, other->vertexCount, along, &k );
        size_t a = (size_t)muscle->firstVertex + (size_t)i, b = (size_t)( other->firstVertex + k );
        to->at[a] = supLerpD( from->at[b], from->at[b + 1], t );
        to->speeds[a] = supLerpD( from->speeds[b], from->speeds[b + 1], t );
        to->places[a] = supLerp( from->places[b], from->places[b + 1], t );
        to->moves[a] = supLerp( from->moves[b], from->moves[b + 1], t );
    }
}

static void supAdoptMuscle( const supMuscles* muscles, int32_t m, const supStateArrays* to, const supMuscles* old,
    int32_t k, const supStateArrays* from )
{
    const supMuscle *muscle = muscles->muscles + m, *other = old->muscles + k;
    size_t count = (size_t)muscle->vertexCount, a = (size_t)muscle->firstVertex, b = (size_t)other->firstVertex;
    bool divided = muscle->vertexCount == other->vertexCount;
    to->own[m] = from->own[k];
    to->own[m].around = divided && muscle->forceCount == other->forceCount && from->own[k].around;
    if ( muscle->forceCount > 0 && to->own[m].around )
    {
        memcpy( to->around + muscles->firstSides[muscle->firstForce], from->around + old->firstSides[other->firstForce],
            (size_t)muscle->forceCount * count );
    }
    if ( divided )
    {
        memcpy( to->at + a, from->at + b, count * sizeof( supVec3d ) );
        memcpy( to->speeds + a, from->speeds + b, count * sizeof( supVec3d ) );
        memcpy( to->places + a, from->places + b, count * sizeof( supVec3 ) );
        memcpy( to->moves + a, from->moves + b, count * sizeof( supVec3 ) );
        memcpy( to->offsets + a, from->offsets + b, count * sizeof( supVec3 ) );
        memcpy( to->bound + a, from->bound + b, count );
    }
    else
    {
        supAdoptLine( muscles, muscle, to, old, other, from );
    }
    to->own[m].resting = false;
    to->own[m].inputs = 2; // whatever it was: not solved for this model
}

static const char* supMuscleName( const void* compiled, int32_t item )
{
    return ( (const supMuscles*)compiled )->muscles[item].name;
}

void supAdoptMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown )
{
    (void)frame;
    const supMuscles *muscles = compiled, *old = oldCompiled;
    supStateArrays to = supPiecesOf( muscles, state ), from = supPiecesOf( old, oldState );
    *to.all = *from.all;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        int32_t k = supFindAdopted( supMuscleName, muscles, muscles->count, m, old, old->count );
        if ( k >= 0 && muscle->vertexCount > 0 && old->muscles[k].vertexCount > 0 )
        {
            supAdoptMuscle( muscles, m, &to, old, k, &from );
            memcpy( shown + 3 * (size_t)muscle->firstVertex, to.moves + muscle->firstVertex,
                (size_t)muscle->vertexCount * sizeof( supVec3 ) );
            shown[3 * (size_t)muscles->vertexCount + (size_t)m] = oldShown[3 * (size_t)old->vertexCount + (size_t)k];
        }
    }
}

void supTunedMuscle( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)live, (void)item;
    supPiecesOf( compiled, state ).all->tuned = true;
}

bool supMusclesAreAtRest( const void* compiled, const void* state )
{
    const supMuscles* muscles = compiled;
    supStateArrays pieces = supPiecesOf( muscles, state );
    bool rests = pieces.all->started && !pieces.all->tuned;
    for ( int32_t m = 0; m < muscles->count && rests; ++m )
    {
        bool swings = false;
        for ( int32_t i = 0; i < muscles->muscles[m].vertexCount && !swings; ++i )
        {
            swings = supLengthD( pieces.speeds[muscles->muscles[m].firstVertex + i] ) > 0.0;
        }
        rests = ( !swings || pieces.own[m].resting ) && !pieces.own[m].tensing && !pieces.own[m].easing &&
                !supGoesOn( pieces.own + m );
    }
    return rests;
}

const supLineReport* supMuscleLineReport( const supMuscles* muscles, const void* state, int32_t muscle )
{
    return &supPiecesOf( muscles, state ).own[muscle].report;
}

// ---------------------------------------------------------------------------------------------------------------
// Muscles as parts that tense, for layers above them.

int32_t supTensingMuscleCount( const void* compiled )
{
    return ( (const supMuscles*)compiled )->count;
}

const char* supTensingMuscleName( const void* compiled, int32_t part )
{
    return ( (const supMuscles*)compiled )->muscles[part].name;
}

/// How far a point is from a segment of a strand whose section is taken for a circle of the mean radius.
static float supSegmentGap( const supStrandVertex* a, const supStrandVertex* b, supVec3 p )
{
    supVec3 way = supSub( b->middle, a->middle );
    float square = supLengthSquared( way );
    float t = square > 0.0f ? supClampF( supDot( supSub( p, a->middle ), way ) / square, 0.0f, 1.0f ) : 0.0f;
    float radius = 0.5f * ( ( 1.0f - t ) * ( a->width + a->depth ) + t * ( b->width + b->depth ) );
    return supDistance( p, supMulAdd( a->middle, t, way ) ) - radius;
}

static float supMuscleGap( const supMuscle* muscle, const supMuscleFrame* now, supVec3 p )
{
    float least = 1e30f;
    for ( int32_t k = 0; k < muscle->strandCount; ++k )
    {
        const supStrandVertex* strand = now->strands + muscle->firstStrandVertex + (ptrdiff_t)k * muscle->vertexCount;
        for ( int32_t i = 0; i + 1 < muscle->vertexCount; ++i )
        {
            least = supMinF( least, supSegmentGap( strand + i, strand + i + 1, p ) );
        }
    }
    return least;
}

bool supMuscleDistances(
    const supEarlierLayer* self, const supLayerContext* context, const supVec3* points, int32_t pointCount, float* out )
{
    const supMuscles* muscles = self->compiled;
    size_t size = supMuscleFrame_Size( muscles );
    void* memory = supAlloc( context->allocator, size, SUP_MAX_ALIGNMENT );
    if ( memory == NULL )
    {
        return false;
    }
    supMuscleFrame now;
    supMuscleFrame_Place( &now, muscles, memory );
    supMuscleFrame_Pose( &now, muscles, supCharacter_Info( context->character )->restJoints, self->live, NULL );
    for ( int32_t i = 0; i < pointCount; ++i )
    {
        for ( int32_t m = 0; m < muscles->count; ++m )
        {
            *out++ = supMuscleGap( muscles->muscles + m, &now, points[i] );
        }
    }
    supFree( context->allocator, memory, size );
    return true;
}

void supMuscleTensions( const supEarlierLayer* self, float* out )
{
    const supMuscles* muscles = self->compiled;
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        out[m] = supMuscleContraction( muscles, m, self->live, self->shown );
    }
}
