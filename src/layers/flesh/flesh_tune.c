// The springs of a body: life cycle and live edits.
// SPDX-License-Identifier: MIT

#include "layers/flesh/flesh.h"

#include "base/math.h"

#include <string.h>

/// Gravity that `sag` is measured in. m/s^2
static const float supStandardGravity = 9.81f;
static const double supStandardGravityD = 9.81;
/// Below this share of the thickness an elongation that nothing drives is put to rest: it cannot be seen, and numbers
/// that small are slow.
static const float supStill = 1e-7f;

/// Fills in the rows that follow from an element and its tune.
static void supRefreshTune( const supFlesh* flesh, supFleshState* state, int32_t e )
{
    const supFleshElement* element = flesh->elements + e;
    const supFleshTune* tune = supFleshTunes( state ) + e;
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
    supFleshStale( state )[e] = true;
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

int32_t supFleshShownCount( const void* compiled )
{
    return 3 * ( (const supFlesh*)compiled )->elementCount;
}

static size_t supRowsSize( const supFlesh* flesh )
{
    return sizeof( float ) * sup_fleshRowCount * SUP_FLESH_LANES * (size_t)flesh->blockCount;
}

size_t supFleshStateSize( const void* compiled )
{
    const supFlesh* flesh = compiled;
    size_t elements = (size_t)flesh->elementCount;
    return sizeof( supFleshState ) + supRowsSize( flesh ) + elements * ( sizeof( supFleshTune ) + sizeof( bool ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Live fields

/// A tune from the live fields of an element.
static supFleshTune supTuneOf( const supFleshElement* element, const float* live )
{
    supFleshTune tune = { .spring = { (float)( 2.0 * SUP_PI * live[sup_elementFrequency] ),
                              live[sup_elementDampingRatio], live[sup_elementAirFriction], live[sup_elementAmount] },
        .sag = live[sup_elementSag],
        .mass = live[sup_elementMass],
        .gravityScale = live[sup_elementGravityScale],
        .limitScale = live[sup_elementLimitScale] };
    if ( memcmp( live, element->live, sizeof( element->live ) ) == 0 )
    {
        tune.spring = element->spring; // to the last bit, as it was compiled
    }
    return tune;
}

/// Stiffness in N/m and damping in N s/m, from frequency, ratio and mass.
static void supFindPhysical( float* live )
{
    double omega = 2.0 * SUP_PI * live[sup_elementFrequency], mass = live[sup_elementMass];
    live[sup_elementStiffness] = (float)( omega * omega * mass );
    live[sup_elementDamping] = (float)( 2.0 * live[sup_elementDampingRatio] * omega * mass );
}

void supFillElementLive( supFleshElement* element )
{
    float* live = element->live;
    live[sup_elementFrequency] = (float)( element->spring.omega / ( 2.0 * SUP_PI ) );
    live[sup_elementDampingRatio] = element->spring.dampingRatio;
    live[sup_elementAmount] = element->spring.amount;
    live[sup_elementSag] = element->sag;
    live[sup_elementMass] = element->mass;
    live[sup_elementGravityScale] = element->gravityScale;
    live[sup_elementAirFriction] = element->spring.airFriction;
    live[sup_elementLimitScale] = element->limitScale;
    supFindPhysical( live );
}

float supSagOfGravity( double omega, float thickness )
{
    return (float)( supStandardGravity / ( omega * omega ) / thickness );
}

/// A spring's frequency and damping ratio, from what was set in newtons.
static supResult supFindSpring(
    const supFleshElement* element, float* live, double omega, double damping, supError* error )
{
    double frequency = omega / ( 2.0 * SUP_PI ), ratio = damping / ( 2.0 * live[sup_elementMass] * omega );
    if ( !( frequency >= 1e-6 && frequency <= 1e9 && ratio >= 0.0 && ratio <= 1e6 ) )
    {
        return supFail( error, sup_errorArgument,
            "element \"%s\": mass %g kg, stiffness %g N/m and damping %g N s/m give %g Hz and a damping ratio of %g",
            element->name, (double)live[sup_elementMass], omega * omega * live[sup_elementMass], damping, frequency,
            ratio );
    }
    live[sup_elementDampingRatio] = (float)ratio;
    return sup_success;
}

supResult supRelateElement( const void* compiled, int32_t item, int32_t field, float* live, supError* error )
{
    const supFleshElement* element = ( (const supFlesh*)compiled )->elements + item;
    double mass = live[sup_elementMass], damping = live[sup_elementDamping];
    double omega = 2.0 * SUP_PI * live[sup_elementFrequency];
    supResult result = sup_success;
    if ( field < 0 )
    {
        memcpy( live, element->live, sizeof( element->live ) ); // it was compiled from what is given
    }
    else if ( field == sup_elementStiffness )
    {
        omega = supSqrt( (double)live[sup_elementStiffness] / mass );
        result = supFindSpring( element, live, omega, damping, error );
        live[sup_elementFrequency] = (float)( omega / ( 2.0 * SUP_PI ) );
        live[sup_elementSag] = supSagOfGravity( omega, element->thickness );
    }
    else if ( field == sup_elementDamping )
    {
        result = supFindSpring( element, live, omega, damping, error );
    }
    else
    {
        supFindPhysical( live );
    }
    return result;
}

supSwingView supFleshSwing( const void* compiled, int32_t index, const float* live )
{
    const supFleshElement* element = ( (const supFlesh*)compiled )->elements + index;
    supFleshTune tune = supTuneOf( element, live + (size_t)index * sup_elementLiveCount );
    double omega = tune.spring.omega;
    return ( supSwingView ){ .joint = element->driver,
        .fromRest = element->driverFromRest,
        .lever = element->anchor,
        .share = 1.0f,
        .spring = tune.spring,
        .gain = (double)tune.sag * element->thickness * omega * omega * tune.gravityScale / supStandardGravityD,
        .relative = element->gravity == sup_gravityRelative,
        .limit = (double)element->thickness * tune.limitScale,
        .clamps = element->limit == sup_limitClamp };
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static void supInitFlesh( const supFlesh* flesh, supFleshState* state )
{
    state->elementCount = flesh->elementCount;
    state->blockCount = flesh->blockCount;
    state->worldScale = 1.0f;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supFleshTunes( state )[e] = supTuneOf( flesh->elements + e, flesh->elements[e].live );
        supRefreshTune( flesh, state, e );
    }
}

void supResetFlesh( const void* compiled, void* block, float* shown )
{
    const supFlesh* flesh = compiled;
    supFleshState* state = block;
    if ( state->blockCount == 0 )
    {
        supInitFlesh( flesh, state );
    }
    for ( int32_t b = 0; b < state->blockCount; ++b )
    {
        float* moving = state->rows + (size_t)b * sup_fleshRowCount * SUP_FLESH_LANES;
        memset( moving, 0, sizeof( float ) * sup_rowMovingEnd * SUP_FLESH_LANES );
    }
    memset( &state->times, 0, sizeof( state->times ) );
    state->started = false;
    memset( shown, 0, sizeof( float ) * (size_t)supFleshShownCount( flesh ) );
}

supVec3 supAnchorSpeed( const supFleshState* state, int32_t e )
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

supVec3 supKeepVelocity( const supFleshState* state, int32_t e, float amount )
{
    supVec3 s = supFleshVec3( state, sup_rowS, e );
    float more = amount - supFleshTunes( state )[e].spring.amount;
    return more != 0.0f ? supMulAdd( s, more, supAnchorSpeed( state, e ) ) : s;
}

void supTunedFlesh( const void* compiled, void* block, const float* live, int32_t e )
{
    const supFlesh* flesh = compiled;
    supFleshState* state = block;
    supFleshTune tune = supTuneOf( flesh->elements + e, live + (size_t)e * sup_elementLiveCount );
    supSetFleshVec3( state, sup_rowS, e, supKeepVelocity( state, e, tune.spring.amount ) );
    supFleshTunes( state )[e] = tune;
    supRefreshTune( flesh, state, e );
    if ( state->started )
    {
        supSetFleshVec3( state, sup_rowPull, e, supFleshPull( state, e ) );
    }
}

void supTeleportFlesh( const void* compiled, void* block, supMat34 motion )
{
    const supFlesh* flesh = compiled;
    supFleshState* state = block;
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

// ---------------------------------------------------------------------------------------------------------------
// Keeping and looking

/// Floats of a block of elements that move, and of all that a block has.
static const size_t supMoving = (size_t)sup_rowMovingEnd * SUP_FLESH_LANES;
static const size_t supWhole = (size_t)sup_fleshRowCount * SUP_FLESH_LANES;

size_t supFleshKeptSize( const void* compiled )
{
    return sizeof( supFleshState ) + sizeof( float ) * supMoving * (size_t)( (const supFlesh*)compiled )->blockCount;
}

void supKeepFlesh( const void* compiled, const void* state, void* kept )
{
    const float* from = ( (const supFleshState*)state )->rows;
    float* to = ( (supFleshState*)kept )->rows;
    memcpy( kept, state, sizeof( supFleshState ) );
    for ( size_t b = 0; b < (size_t)( (const supFlesh*)compiled )->blockCount; ++b )
    {
        memcpy( to + b * supMoving, from + b * supWhole, supMoving * sizeof( float ) );
    }
}

void supRestoreFlesh( const void* compiled, void* state, const void* kept )
{
    const float* from = ( (const supFleshState*)kept )->rows;
    float* to = ( (supFleshState*)state )->rows;
    int64_t limited = ( (supFleshState*)state )->limitedCount;
    memcpy( state, kept, sizeof( supFleshState ) );
    ( (supFleshState*)state )->limitedCount = limited;
    for ( size_t b = 0; b < (size_t)( (const supFlesh*)compiled )->blockCount; ++b )
    {
        memcpy( to + b * supWhole, from + b * supMoving, supMoving * sizeof( float ) );
    }
}

/// As whole numbers: compilers make wide code of that.
bool supFleshIsFinite( const void* compiled, const void* state )
{
    uint32_t bad = 0;
    for ( size_t b = 0; b < (size_t)( (const supFlesh*)compiled )->blockCount; ++b )
    {
        // elongations that are none show themselves
        const float* speeds = ( (const supFleshState*)state )->rows + b * supWhole + sup_rowS * SUP_FLESH_LANES;
        for ( size_t i = 0; i < 3 * SUP_FLESH_LANES; ++i )
        {
            uint32_t bits;
            memcpy( &bits, speeds + i, sizeof( bits ) );
            bad |= ( bits & 0x7f800000u ) == 0x7f800000u;
        }
    }
    return bad == 0;
}

static void supHashVec3( supHash* hash, supVec3 v )
{
    supHash_Float( hash, v.x );
    supHash_Float( hash, v.y );
    supHash_Float( hash, v.z );
}

void supHashFlesh( const void* compiled, const void* state, supHash* hash )
{
    for ( int32_t e = 0; e < ( (const supFlesh*)compiled )->elementCount; ++e )
    {
        supHashVec3( hash, supFleshVec3( state, sup_rowU, e ) );
        supHashVec3( hash, supFleshVec3( state, sup_rowS, e ) );
        supHashVec3( hash, supFleshVec3( state, sup_rowShown, e ) );
    }
}

supElementState supFleshElementState( const void* compiled, const void* block, int32_t element )
{
    (void)compiled;
    const supFleshState* state = block;
    float amount = supFleshTunes( state )[element].spring.amount;
    return ( supElementState ){
        .elongation = supFleshVec3( state, sup_rowShown, element ),
        .state = supFleshVec3( state, sup_rowU, element ),
        .velocity = supMulAdd( supFleshVec3( state, sup_rowS, element ), -amount, supAnchorSpeed( state, element ) ),
        .anchor = supAdd( supFleshVec3( state, sup_rowArm, element ), state->worldOrigin ),
        .limit = *supFleshFloat( state, sup_rowLimit, element ),
        .limited = *supFleshFloat( state, sup_rowLimited, element ) != 0.0f,
    };
}

void supPushFlesh( const void* compiled, void* state, int32_t e, supVec3 impulse )
{
    (void)compiled;
    supVec3 s = supFleshVec3( state, sup_rowS, e );
    supSetFleshVec3( state, sup_rowS, e, supMulAdd( s, 1.0f / supFleshTunes( state )[e].mass, impulse ) );
}

int64_t supFleshLimitedCount( const void* compiled, const void* state )
{
    (void)compiled;
    return ( (const supFleshState*)state )->limitedCount;
}
