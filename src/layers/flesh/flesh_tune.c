// The springs of a body: life cycle and live edits.
// SPDX-License-Identifier: MIT

#include "flesh_tune.h"

#include "base/math.h"

#include <string.h>

/// Gravity that `sag` is measured in. m/s^2
static const float supStandardGravity = 9.81f;
/// Below this share of the thickness an elongation that nothing drives is put to rest: it cannot be seen, and numbers
/// that small are slow.
static const float supStill = 1e-7f;

void supRefreshTune( const supFlesh* flesh, supFleshState* state, int32_t e )
{
    const supFleshElement* element = flesh->elements + e;
    const supFleshTune* tune = state->tunes + e;
    float stiffness = tune->spring.omega * tune->spring.omega, limit = element->thickness * tune->limitScale;
    // sag * thickness is how far standard gravity would pull it; omega^2 makes an acceleration of it
    *supFleshFloat( state, sup_rowGain, e ) =
        tune->sag * element->thickness * stiffness * tune->gravityScale / supStandardGravity;
    *supFleshFloat( state, sup_rowAirFriction, e ) = tune->spring.airFriction;
    *supFleshFloat( state, sup_rowCompliance, e ) = 1.0f / stiffness;
    *supFleshFloat( state, sup_rowPeriod, e ) = 1.0f / tune->spring.omega;
    *supFleshFloat( state, sup_rowLimit, e ) = limit;
    *supFleshFloat( state, sup_rowInverseLimit2, e ) = supMinF( 1.0f / ( limit * limit ), 1e37f );
    *supFleshFloat( state, sup_rowStill, e ) = supStill * element->thickness;
    *supFleshFloat( state, sup_rowRelative, e ) = element->gravity == sup_gravityRelative ? 1.0f : 0.0f;
    *supFleshFloat( state, sup_rowClamps, e ) = element->limit == sup_limitClamp ? 1.0f : 0.0f;
    state->stale[e] = true;
    state->anyStale = true;
}

supVec3 supFleshSettled( const supFleshState* state, int32_t e )
{
    return supScale( supFleshVec3( state, sup_rowPull, e ), *supFleshFloat( state, sup_rowCompliance, e ) );
}

supMat34 supFleshTurn( const supFleshState* state, int32_t which, int32_t e )
{
    supFleshRow row = (supFleshRow)( sup_rowTurns + 6 * which );
    supVec3 x = supFleshVec3( state, row, e ), y = supFleshVec3( state, (supFleshRow)( row + 3 ), e );
    return ( supMat34 ){ x, y, supCross( x, y ), supVec3_zero };
}

supVec3 supFleshPull( const supFleshState* state, int32_t e )
{
    supVec3 turned = supTransformVector( supFleshTurn( state, state->newestTurn, e ), state->gravity );
    supVec3 felt = supSub( state->gravity, supScale( turned, *supFleshFloat( state, sup_rowRelative, e ) ) );
    supVec3 pull = supScale( felt, *supFleshFloat( state, sup_rowGain, e ) * state->worldScale );
    return supAdd( pull, supScale( state->wind, *supFleshFloat( state, sup_rowAirFriction, e ) ) );
}

void supFlesh_Reset( const supFlesh* flesh, supFleshState* state )
{
    (void)flesh;
    for ( int32_t b = 0; b < state->blockCount; ++b )
    {
        float* moving = state->rows + (size_t)b * sup_fleshRowCount * SUP_FLESH_LANES;
        memset( moving, 0, sizeof( float ) * sup_rowMovingEnd * SUP_FLESH_LANES );
    }
    memset( &state->times, 0, sizeof( state->times ) );
    state->started = false;
    state->recentSpeed = 0.0f;
}

void supFlesh_Init( const supFlesh* flesh, supFleshState* state, supVec3 gravity )
{
    memset( state->rows, 0, sizeof( float ) * sup_fleshRowCount * SUP_FLESH_LANES * (size_t)state->blockCount );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        state->tunes[e] = ( supFleshTune ){ element->spring, element->sag, element->mass, element->gravityScale,
            element->limitScale };
        supRefreshTune( flesh, state, e );
    }
    state->gravity = gravity;
    state->wind = supVec3_zero;
    state->worldScale = 1.0f;
    state->limitedCount = 0;
    supFlesh_Reset( flesh, state );
}

/// The anchor's speed at the end of the last frame, from the path's own slope there; zero before there is a path.
static supVec3 supAnchorSpeed( const supFleshState* state, int32_t e )
{
    supVec3 slope = supVec3_zero;
    for ( int j = 0; j < SUP_PATH_SPANS && state->times.count > 0; ++j )
    {
        double sum = 0.0;
        for ( int k = 0; k < SUP_PATH_SPANS; ++k )
        {
            sum += ( k + 1 ) * state->basis.m[k][j];
        }
        supVec3 delta = supFleshVec3( state, supDeltaRow( state, j ), e );
        slope = supMulAdd( slope, (float)( sum / state->times.spans[0] ), delta );
    }
    return slope;
}

supVec3 supFleshVelocity( const supFleshState* state, int32_t e )
{
    return supMulAdd( supFleshVec3( state, sup_rowS, e ), -state->tunes[e].spring.amount, supAnchorSpeed( state, e ) );
}

/// s = u' + amount * x' under another amount, with the same u'.
static supVec3 supKeepVelocity( const supFleshState* state, int32_t e, float amount )
{
    supVec3 s = supFleshVec3( state, sup_rowS, e );
    float more = amount - state->tunes[e].spring.amount;
    return more != 0.0f ? supMulAdd( s, more, supAnchorSpeed( state, e ) ) : s;
}

void supFlesh_Tune( const supFlesh* flesh, supFleshState* state, int32_t e, supFleshTune tune )
{
    supSetFleshVec3( state, sup_rowS, e, supKeepVelocity( state, e, tune.spring.amount ) );
    state->tunes[e] = tune;
    supRefreshTune( flesh, state, e );
    if ( state->started )
    {
        supSetFleshVec3( state, sup_rowPull, e, supFleshPull( state, e ) );
    }
}

void supFlesh_Push( supFleshState* state, int32_t e, supVec3 impulse )
{
    supVec3 s = supFleshVec3( state, sup_rowS, e );
    supSetFleshVec3( state, sup_rowS, e, supMulAdd( s, 1.0f / state->tunes[e].mass, impulse ) );
}

float supSagOfGravity( double omega, float thickness )
{
    return (float)( supStandardGravity / ( omega * omega ) / thickness );
}

void supFlesh_Teleport( const supFlesh* flesh, supFleshState* state, supMat34 motion )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supFleshRow carried[5 + SUP_PATH_SPANS] = { sup_rowU, sup_rowS, sup_rowShown, sup_rowArm, sup_rowPull };
        for ( int i = 0; i < SUP_PATH_SPANS; ++i )
        {
            carried[5 + i] = supDeltaRow( state, i );
        }
        for ( int i = 0; i < 5 + SUP_PATH_SPANS; ++i )
        {
            supVec3 old = supFleshVec3( state, carried[i], e );
            supSetFleshVec3( state, carried[i], e, supTransformVector( motion, old ) );
        }
        supMat34 turn = supFleshTurn( state, state->newestTurn, e );
        supFleshRow row = supTurnRow( state );
        supSetFleshVec3( state, row, e, supNormalize( supTransformVector( motion, turn.x ) ) );
        supSetFleshVec3( state, (supFleshRow)( row + 3 ), e, supNormalize( supTransformVector( motion, turn.y ) ) );
    }
    state->worldOrigin = supTransformPoint( motion, state->worldOrigin );
}

/// The element of the same name, or -1.
static int32_t supFindSame( const supFlesh* flesh, const char* name )
{
    int32_t found = -1;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        found = strcmp( name, flesh->elements[e].name ) == 0 ? e : found;
    }
    return found;
}

/// What element `e` takes over from the old body: of its own name's element the elongation and u' (s = u' + amount *
/// x'); where there was none it is settled and moves with the rest of the body.
static void supAdoptOne( supFleshState* state, int32_t e, const supFleshState* oldState, int32_t old )
{
    int32_t from = old >= 0 ? old : 0;
    float amount = state->tunes[e].spring.amount;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        supSetFleshVec3(
            state, supDeltaRow( state, i ), e, supFleshVec3( oldState, supDeltaRow( oldState, i ), from ) );
    }
    if ( old >= 0 )
    {
        supSetFleshVec3( state, sup_rowU, e, supFleshVec3( oldState, sup_rowU, old ) );
        supSetFleshVec3( state, sup_rowS, e, supKeepVelocity( oldState, old, amount ) );
    }
    else
    {
        supSetFleshVec3( state, sup_rowU, e, supFleshSettled( state, e ) );
        supSetFleshVec3( state, sup_rowS, e, supScale( supAnchorSpeed( oldState, from ), amount ) );
    }
}

void supFlesh_Adopt( const supFlesh* flesh, supFleshState* state, const supFlesh* oldFlesh,
    const supFleshState* oldState, const supMat34* joints, supMat34 world )
{
    if ( oldFlesh->elementCount == 0 || !oldState->started )
    {
        return;
    }
    state->times = oldState->times;
    state->basis = oldState->basis;
    state->worldOrigin = oldState->worldOrigin;
    state->worldScale = oldState->worldScale;
    state->recentSpeed = oldState->recentSpeed;
    state->gravity = oldState->gravity;
    state->wind = oldState->wind;
    state->started = true;
    supFlesh_Stand( flesh, state, joints, world );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supAdoptOne( state, e, oldState, supFindSame( oldFlesh, flesh->elements[e].name ) );
        state->stale[e] = true;
    }
    state->anyStale = true;
    int64_t limited = state->limitedCount;
    supFlesh_Show( state ); // the new limit may be a narrower one
    state->limitedCount = limited;
}

void supFlesh_AdoptTunes( const supFlesh* flesh, supFleshState* state, const supFlesh* oldFlesh,
    const supFleshState* oldState, int32_t edited )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        int32_t o = e == edited ? -1 : supFindSame( oldFlesh, flesh->elements[e].name );
        if ( o < 0 )
        {
            continue;
        }
        const supFleshElement* before = oldFlesh->elements + o;
        supFleshTune *tune = state->tunes + e, was = oldState->tunes[o];
        bool sprung = memcmp( &was.spring, &before->spring, sizeof( was.spring ) ) != 0;
        tune->spring = sprung ? was.spring : tune->spring;
        tune->sag = was.sag != before->sag ? was.sag : tune->sag;
        tune->mass = was.mass != before->mass ? was.mass : tune->mass;
        tune->gravityScale = was.gravityScale != before->gravityScale ? was.gravityScale : tune->gravityScale;
        tune->limitScale = was.limitScale != before->limitScale ? was.limitScale : tune->limitScale;
        supRefreshTune( flesh, state, e );
    }
}

void supFlesh_CopyState( const supFlesh* flesh, supFleshState* state, const supFleshState* from )
{
    supFleshState own = *state;
    *state = *from;
    state->rows = own.rows;
    state->tunes = own.tunes;
    state->stale = own.stale;
    size_t elements = (size_t)flesh->elementCount;
    memcpy( own.rows, from->rows, sizeof( float ) * sup_fleshRowCount * SUP_FLESH_LANES * (size_t)own.blockCount );
    memcpy( own.tunes, from->tunes, elements * sizeof( *own.tunes ) );
    memcpy( own.stale, from->stale, elements * sizeof( *own.stale ) );
}
