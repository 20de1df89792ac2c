// The mushroom twice, moved alike.
// SPDX-License-Identifier: MIT
#include "mushroom_pair.h"

#include "../paper/program.h"
#include "supple/lab/items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Two swings from side to side, eased in, and held at the end of the second.
static double supTwoSwings( double t )
{
    double ease = fmin( t / 0.4, 1.0 ), phase = 2.0 * 3.14159265358979 * 2.5 * fmin( t, 0.8 );
    return ease * ease * ( 3.0 - 2.0 * ease ) * sin( phase );
}

void supSwing( double t, supBoneMotion* out )
{
    *out = supStill;
    out->shift[0] = 0.05 * supTwoSwings( t );
}

/// Away at a steady pace, and stopped within three hundredths of a second.
void supStop( double t, supBoneMotion* out )
{
    *out = supStill;
    double pace = 0.6, begun = 0.4, brake = 0.03;
    double ramp = t < begun ? 0.5 * t * t / begun : 0.5 * begun + ( t - begun );
    double end = 1.0;
    double over = t <= end          ? 0.0
                  : t < end + brake ? 0.5 * ( t - end ) * ( t - end ) / brake
                                    : 0.5 * brake + ( t - end - brake );
    out->shift[0] = pace * ( ramp - over );
}

/// Up and down.
void supBounce( double t, supBoneMotion* out )
{
    *out = supStill;
    out->shift[1] = 0.05 * supTwoSwings( t );
}

// ---------------------------------------------------------------------------------------------------------------
// Making them

static int supMakeOurs( supPair* pair, const supElementDef* def )
{
    supError error;
    supDestroyBody( pair->body );
    supDestroyModel( pair->model );
    supDestroyRig( pair->rig );
    pair->body = NULL;
    pair->model = NULL;
    if ( supCreateRig( NULL, &pair->rig, &error ) != sup_success ||
         supRig_AddElement( pair->rig, def, &error ) != sup_success ||
         supCompileModel( pair->character, pair->rig, &pair->model, &error ) != sup_success ||
         supCreateBody( pair->model, &pair->body, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    pair->element = supModel_Info( pair->model )->elements[0];
    return 0;
}

/// The cap and the stalk as one element around a bone that reaches the cap's top; 4 cm of it are rigid.
static supElementDef supCapElement( const supPair* pair )
{
    float size = supCharacter_Info( pair->character )->size;
    supElementDef def = supDefaultElementDef();
    def.name = "cap";
    def.driver = "stalk";
    def.end = ( supVec3 ){ 0.0f, 0.39f / size, 0.0f };
    def.boneThickness = 0.04f / size;
    def.attenuation = sup_attenuationParabola;
    def.sag = 0.0f;
    if ( pair->stiffness > 0.0 )
    {
        def.mass = pair->element.mass;
        def.stiffness = (float)pair->stiffness;
        def.damping = (float)pair->damping;
        def.amount = (float)pair->amount;
        def.gravity = sup_gravityPlain;
        def.gravityScale = (float)pair->amount; // gravity cannot be told from an acceleration
    }
    return def;
}

int supMakePair( supPair* pair )
{
    memset( pair, 0, sizeof( *pair ) );
    supError error;
    if ( supCreateCreature( "mushroom", NULL, &pair->creature, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    pair->character = supCreature_Character( pair->creature );
    supElementDef element = supCapElement( pair );
    if ( supMakeOurs( pair, &element ) != 0 )
    {
        return 1;
    }
    supMeshView mesh = supCharacter_Mesh( pair->character, 0 );
    supReferenceDef def = { .positions = supCharacter_Info( pair->character )->restPositions,
        .vertexCount = mesh.vertexCount,
        .indices = mesh.indices,
        .indexCount = mesh.indexCount,
        .boneTo = { 0.0, 0.39, 0.0 },
        .boneRadius = 0.04,
        .cell = 0.0435,
        .density = 1000.0,
        .young = 110e3,
        .damping = 0.0025 };
    if ( !supMakeReference( &def, &pair->reference ) )
    {
        fprintf( stderr, "no memory for the reference body\n" );
        return 1;
    }
    pair->young = def.young;
    pair->stable = supReference_StableStep( &pair->reference );
    pair->step = 1.0 / supRate / ceil( 4.0 / supRate / pair->stable ); // a quarter of it, or less
    return 0;
}

void supDropPair( supPair* pair )
{
    supDropReference( &pair->reference );
    supDestroyBody( pair->body );
    supDestroyModel( pair->model );
    supDestroyRig( pair->rig );
    supDestroyCreature( pair->creature );
}

// ---------------------------------------------------------------------------------------------------------------
// Running them

/// The elongation that fits the reference's skin best: sum alpha d / sum alpha^2, d the displacement from the bone's
/// rigid motion.
static void supProject( const supPair* pair, const supBoneMotion* motion, double u[3] )
{
    const float* rest = supCharacter_Info( pair->character )->restPositions;
    double sum[3] = { 0.0, 0.0, 0.0 }, weight = 0.0;
    for ( int32_t i = 0; i < pair->element.vertexCount; ++i )
    {
        int32_t v = pair->element.vertices[i];
        double alpha = pair->element.weights[i], p[3];
        supReference_Vertex( &pair->reference, v, p );
        for ( int c = 0; c < 3; ++c )
        {
            double rigid = motion->shift[c];
            for ( int k = 0; k < 3; ++k )
            {
                rigid += motion->turn[3 * k + c] * rest[3 * v + k];
            }
            sum[c] += alpha * ( p[c] - rigid );
        }
        weight += alpha * alpha;
    }
    for ( int c = 0; c < 3; ++c )
    {
        u[c] = sum[c] / weight;
    }
}

/// The reference through a motion. The same gravity from the start; it begins as it is.
void supRunReference(
    supPair* pair, supMotion* motion, const double gravity[3], double seconds, double step, supTrace* out )
{
    supBoneMotion at;
    out->count = 0;
    int perFrame = (int)( 1.0 / supRate / step + 0.5 );
    for ( int frame = 0; frame <= (int)( seconds * supRate ) && frame < supMostFrames; ++frame )
    {
        for ( int i = 1; i <= perFrame && frame > 0; ++i )
        {
            motion( ( frame - 1 + (double)i / perFrame ) / supRate, &at );
            supReference_Step( &pair->reference, &at, gravity, 1.0 / supRate / perFrame );
        }
        motion( (double)frame / supRate, &at );
        supProject( pair, &at, out->u[out->count++] );
    }
}

void supMoveJoints( const supPair* pair, const supBoneMotion* at, supMat34* joints )
{
    const supMat34* rest = supCharacter_Info( pair->character )->restJoints;
    int32_t count = supCharacter_Info( pair->character )->jointCount;
    for ( int32_t j = 0; j < count && j < supMostJoints; ++j )
    {
        joints[j] = rest[j];
        joints[j].t.x += (float)at->shift[0];
        joints[j].t.y += (float)at->shift[1];
        joints[j].t.z += (float)at->shift[2];
    }
}

void supRunOurs( supPair* pair, supMotion* motion, double seconds, supTrace* out )
{
    supMat34 posed[supMostJoints];
    supBody_Reset( pair->body );
    supBody_SetGravity( pair->body, supVec3_zero ); // as in the reference
    out->count = 0;
    for ( int frame = 0; frame <= (int)( seconds * supRate ) && frame < supMostFrames; ++frame )
    {
        supBoneMotion at;
        motion( (double)frame / supRate, &at );
        supMoveJoints( pair, &at, posed );
        supBody_Step( pair->body, posed, supMat34_identity, 1.0f / supRate );
        supVec3 u = supBody_Element( pair->body, 0 ).elongation;
        double* to = out->u[out->count++];
        to[0] = u.x;
        to[1] = u.y;
        to[2] = u.z;
    }
}

void supHold( double t, supBoneMotion* out )
{
    (void)t;
    *out = supStill;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

/// From the crossings of zero while it swings by more than a tenth of the first swing. Hz
static double supMainFrequency( const supTrace* trace, int axis, int start, double first )
{
    int crossings = 0;
    double firstCrossing = 0.0, lastCrossing = 0.0;
    for ( int i = start + 1; i < trace->count; ++i )
    {
        double a = trace->u[i - 1][axis], b = trace->u[i][axis], level = 0.0;
        for ( int k = i; k < trace->count && k < i + supRate / 2; ++k )
        {
            level = fmax( level, fabs( trace->u[k][axis] ) );
        }
        if ( a * b < 0.0 && level > 0.1 * first )
        {
            lastCrossing = ( i - 1 + a / ( a - b ) ) / supRate;
            firstCrossing = crossings == 0 ? lastCrossing : firstCrossing;
            crossings += 1;
        }
    }
    return crossings > 1 ? 0.5 * ( crossings - 1 ) / ( lastCrossing - firstCrossing ) : 0.0;
}

/// Settling by the peaks alone would come in steps of half a swing, an eighth of it here. So it is taken from the line
/// through them: between the last peak above the level and the next one it falls as an exponential does.
static void supMeasurePeaks( const supTrace* trace, int axis, int start, supSwingFigures* f )
{
    double level = 0.1 * f->first, lastTime = 0.0, last = 0.0, nextTime = 0.0, next = 0.0;
    for ( int i = start > 0 ? start : 1; i + 1 < trace->count; ++i )
    {
        const double* u = trace->u[i];
        double size = fabs( u[axis] );
        if ( size < fabs( trace->u[i - 1][axis] ) || size <= fabs( trace->u[i + 1][axis] ) )
        {
            continue;
        }
        if ( size > level )
        {
            lastTime = (double)i / supRate;
            last = size;
            nextTime = 0.0;
            double across = sqrt( fmax( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - size * size, 0.0 ) );
            f->aside = fmax( f->aside, atan2( across, size ) * 180.0 / 3.14159265358979 );
        }
        else if ( nextTime == 0.0 )
        {
            nextTime = (double)i / supRate;
            next = size;
        }
    }
    f->settling = next > 0.0 ? lastTime + ( nextTime - lastTime ) * log( last / level ) / log( last / next ) : lastTime;
}

supSwingFigures supMeasure( const supTrace* trace, int axis, double from )
{
    supSwingFigures f = { 0 };
    int start = (int)( from * supRate );
    for ( int i = 0; i < trace->count; ++i )
    {
        f.first = fmax( f.first, fabs( trace->u[i][axis] ) );
    }
    f.frequency = supMainFrequency( trace, axis, start, f.first );
    supMeasurePeaks( trace, axis, start, &f );
    f.settling -= from;
    return f;
}

/// Lets the reference settle under a gravity; gives the elongation along an axis.
double supSettle( supPair* pair, const double gravity[3], int axis )
{
    supReference_Reset( &pair->reference, &supStill );
    static supTrace trace;
    supRunReference(
        pair, supHold, gravity, 1.6, 2.0 * pair->step, &trace ); // where it rests does not depend on the step
    return trace.u[trace.count - 1][axis];
}

double supSettleOurs( supPair* pair, const double gravity[3], int axis )
{
    const supMat34* rest = supCharacter_Info( pair->character )->restJoints;
    supBody_SetGravity( pair->body, ( supVec3 ){ (float)gravity[0], (float)gravity[1], (float)gravity[2] } );
    for ( int frame = 0; frame <= 10 * supRate; ++frame )
    {
        supBody_Step( pair->body, rest, supMat34_identity, 1.0f / supRate );
    }
    supVec3 u = supBody_Element( pair->body, 0 ).state;
    return axis == 0 ? (double)u.x : axis == 1 ? (double)u.y : (double)u.z;
}

/// The free decay after a release, fitted: frequency and damping from the decay itself, the amount from how far a
/// steady push had bent it.
int supCalibrate( supPair* pair, int axis )
{
    static supTrace trace;
    const double steady = 3.0, none[3] = { 0.0, 0.0, 0.0 };
    double push[3] = { 0.0, 0.0, 0.0 };
    push[axis] = steady;
    double bent = supSettle( pair, push, axis );
    supRunReference( pair, supHold, none, 1.5, pair->step, &trace );

    // frequency from the crossings of zero; the ratio that fades to a tenth in the time the reference takes
    supSwingFigures decay = supMeasure( &trace, axis, 0.0 );
    double swing = 2.0 * 3.14159265358979 * decay.frequency, rate = log( 10.0 ) / decay.settling;
    double omega = sqrt( swing * swing + rate * rate ), mass = (double)pair->element.mass;
    pair->frequency = omega / ( 2.0 * 3.14159265358979 );
    pair->dampingRatio = rate / omega;
    pair->amount = omega * omega * bent / steady;
    pair->stiffness = mass * omega * omega;
    pair->damping = 2.0 * mass * rate;
    supElementDef def = supCapElement( pair );
    return supMakeOurs( pair, &def );
}
