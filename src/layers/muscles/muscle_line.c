// Action lines at rest.
// SPDX-License-Identifier: MIT
#include "layers/muscles/muscles.h"

#include "base/fields.h"
#include "base/math.h"
#include "layers/layer.h"
#include "layers/muscles/line_setup.h"

enum
{
    supUsualSegments = 8,
};

/// Points that are nearer to one another than this share of the size make no segment.
static const float supLeastSegment = 1e-6f;

int32_t supCountLineVertices( const supMuscleDef* def )
{
    if ( def->shape == sup_muscleFiller )
    {
        return 0;
    }
    int32_t wanted = def->segments > 0.0f ? (int32_t)def->segments : supUsualSegments;
    int32_t least = def->points.count - 1;
    int32_t segments = wanted > least ? wanted : least;
    return segments + 1 < sup_mostLineVertices ? segments + 1 : sup_mostLineVertices;
}

static supResult supFindPointJoint( const supCharacter* character, const char* name, const char* field, int32_t item,
    int32_t point, int32_t* joint, supError* error )
{
    *joint = supFindJointWords( character, name );
    if ( *joint >= 0 )
    {
        return sup_success;
    }
    char place[SUP_PATH_TEXT];
    return supNoJoint( character, supPathText( place, "muscles[%d].points[%d].%s", item, point, field ), name, error );
}

supResult supBindLinePoints(
    const supCharacter* character, const supMuscleDef* def, int32_t item, supLineAnchor* anchors, supError* error )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    const supMusclePoint* points = def->points.items;
    float size = supCharacter_Info( character )->size;
    for ( int32_t i = 0; i < def->points.count; ++i )
    {
        const supMusclePoint* point = points + i;
        supLineAnchor* anchor = anchors + i;
        supResult result = supFindPointJoint( character, point->joint, "joint", item, i, &anchor->joint, error );
        anchor->other = anchor->joint;
        if ( result == sup_success && point->other != NULL )
        {
            result = supFindPointJoint( character, point->other, "other", item, i, &anchor->other, error );
        }
        if ( result != sup_success )
        {
            return result;
        }
        anchor->share = point->other != NULL ? point->share : 0.0f;
        supMat34 frame = rest[anchor->joint];
        anchor->rest = supAdd( frame.t, supRotate( supNearestRotation( frame ), supScale( point->at, size ) ) );
        supMat34 inverse;
        supInvertMat( frame, &inverse );
        anchor->inJoint = supTransformPoint( inverse, anchor->rest );
        supInvertMat( rest[anchor->other], &inverse );
        anchor->inOther = supTransformPoint( inverse, anchor->rest );
        if ( i > 0 && !( supDistance( anchor->rest, anchors[i - 1].rest ) > supLeastSegment * size ) )
        {
            return supFail(
                error, sup_errorData, "muscles[%d].points[%d]: at the same place as points[%d]", item, i, i - 1 );
        }
    }
    return sup_success;
}

supVec3 supAnchorPlace( const supLineAnchor* anchor, const supMat34* joints )
{
    supVec3 at = supTransformPoint( joints[anchor->joint], anchor->inJoint );
    return anchor->other == anchor->joint
               ? at
               : supLerp( at, supTransformPoint( joints[anchor->other], anchor->inOther ), anchor->share );
}

/// How many segments each stretch between two points gets: one, and the rest where they would be longest.
static void supShareSegments( const supLineAnchor* anchors, int32_t stretches, int32_t segments, int32_t* shares )
{
    for ( int32_t i = 0; i < stretches; ++i )
    {
        shares[i] = 1;
    }
    for ( int32_t left = segments - stretches; left > 0; --left )
    {
        int32_t longest = 0;
        float most = -1.0f;
        for ( int32_t i = 0; i < stretches; ++i )
        {
            float length = supDistance( anchors[i].rest, anchors[i + 1].rest ) / (float)shares[i];
            longest = length > most ? i : longest;
            most = supMaxF( length, most );
        }
        shares[longest] += 1;
    }
}

/// The vertex inside a stretch that is nearest to the end of a tendon is put there, so that no segment is half tendon
/// where that can be helped. `places`: of the points along the line.
static void supMoveToTendon(
    supLineVertex* vertices, int32_t count, const supLineAnchor* anchors, const float* places, float place )
{
    int32_t nearest = -1;
    for ( int32_t i = 1; i + 1 < count; ++i )
    {
        bool inside = vertices[i].t > 0.0f;
        bool nearer = nearest < 0 || supAbsF( vertices[i].along - place ) < supAbsF( vertices[nearest].along - place );
        nearest = inside && nearer ? i : nearest;
    }
    if ( nearest < 0 )
    {
        return;
    }
    supLineVertex* vertex = vertices + nearest;
    float from = places[vertex->anchor], to = places[vertex->anchor + 1];
    float before = vertices[nearest - 1].along, after = vertices[nearest + 1].along;
    float gap = 0.1f * ( after - before );
    if ( place > before + gap && place < after - gap && place > from && place < to )
    {
        vertex->t = ( place - from ) / ( to - from );
        vertex->along = place;
        vertex->rest = supLerp( anchors[vertex->anchor].rest, anchors[vertex->anchor + 1].rest, vertex->t );
    }
}

/// How much of [from, to] lies outside [first, last].
static float supShareOutside( float from, float to, float first, float last )
{
    float inside = supMaxF( supMinF( to, last ) - supMaxF( from, first ), 0.0f );
    return to > from ? 1.0f - inside / ( to - from ) : 0.0f;
}

static void supMeasureLine( const supMuscleDef* def, supMuscle* muscle, supLineVertex* vertices )
{
    int32_t count = muscle->vertexCount;
    muscle->bellyLength = 0.0f;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        supLineVertex* vertex = vertices + i;
        vertex->restLength = supDistance( vertex->rest, vertices[i + 1].rest );
        vertex->tendon = supShareOutside( vertex->along, vertices[i + 1].along, def->tendonFrom, 1.0f - def->tendonTo );
        muscle->bellyLength += vertex->restLength * ( 1.0f - vertex->tendon );
    }
    muscle->bellyLength = supMaxF( muscle->bellyLength, 0.01f * muscle->restLength );
}

/// Places of the points along the line, 0 to 1; gives its length.
static float supPlacePoints( const supLineAnchor* anchors, int32_t count, float* places )
{
    float length = 0.0f;
    for ( int32_t i = 0; i < count; ++i )
    {
        length += i > 0 ? supDistance( anchors[i - 1].rest, anchors[i].rest ) : 0.0f;
        places[i] = length;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        places[i] /= length;
    }
    return length;
}

void supDivideLine( const supCharacter* character, const supMuscleDef* def, const supLineAnchor* anchors,
    supMuscle* muscle, supLineVertex* vertices )
{
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    int32_t stretches = def->points.count - 1, shares[sup_mostLineVertices];
    float places[sup_mostLineVertices];
    supShareSegments( anchors, stretches, muscle->vertexCount - 1, shares );
    muscle->restLength = supPlacePoints( anchors, def->points.count, places );
    int32_t at = 0;
    for ( int32_t i = 0; i <= stretches; ++i )
    {
        int32_t share = i < stretches ? shares[i] : 1;
        for ( int32_t k = 0; k < share; ++k )
        {
            float t = (float)k / (float)share;
            vertices[at++] = ( supLineVertex ){ .anchor = i,
                .t = t,
                .free = k > 0 || ( i > 0 && i < stretches ),
                .along = k > 0 ? places[i] + t * ( places[i + 1] - places[i] ) : places[i],
                .rest = k > 0 ? supLerp( anchors[i].rest, anchors[i + 1].rest, t ) : anchors[i].rest };
        }
    }
    supMoveToTendon( vertices, muscle->vertexCount, anchors, places, def->tendonFrom );
    supMoveToTendon( vertices, muscle->vertexCount, anchors, places, 1.0f - def->tendonTo );
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        supLineVertex* vertex = vertices + i;
        vertex->joint = anchors[vertex->anchor + ( vertex->t > 0.5f ? 1 : 0 )].joint;
        supInvertMat( rest[vertex->joint], &vertex->jointFromRest );
    }
    supMeasureLine( def, muscle, vertices );
}

// ---------------------------------------------------------------------------------------------------------------
// An action line in a posture, as a line of springs.
//
// At rest every spring pulls with the same tension T = k ( 1 - slack ) l, l the belly's length: a muscle is never fully
// relaxed, and shortens without buckling. So a segment of length L has the stiffness k l / ( L c ), c = 1 for belly and
// 1 / tendonStiffness for tendon, and pulls no more at L - T / stiffness. What that tension, and gravity where it is
// taken relative to rest, would move at rest is held against by a load that turns with the vertex's joint: as modelled,
// nothing moves.

_Static_assert( (int)sup_mostLineVertices <= (int)sup_mostLineNodes, "a line fits into the solver" );
_Static_assert( sup_mostLineForces <= 64, "a bit for each field in the solver's contacts" );

/// Solid fields keep vertices out with this many times the stiffest segment.
static const double supBarrier = 4.0;
/// Segments are counted that pass deeper than this share of a field's radius.
static const double supCutShare = 0.01;

/// The belly's stiffness, from its frequency where it is not given. N/m
static double supBellyStiffness( const float* live, double mass )
{
    double omega = 2.0 * SUP_PI * live[sup_muscleFrequency];
    return supIsFinite( live[sup_muscleStiffness] ) ? live[sup_muscleStiffness] : mass * omega * omega;
}

static void supSetUpSegments( const supMuscle* muscle, const supLineVertex* vertices, const float* live,
    double stiffness, double* tensions, supLineSetup* setup )
{
    double tension = stiffness * ( 1.0 - live[sup_muscleSlack] ) * muscle->bellyLength;
    for ( int32_t i = 0; i + 1 < muscle->vertexCount; ++i )
    {
        const supLineVertex* vertex = vertices + i;
        double yields = 1.0 - vertex->tendon + vertex->tendon / live[sup_muscleTendonStiffness];
        double factor = supMusclePointLiveOf( muscle, live, vertex->anchor )[sup_musclePointStiffness];
        setup->stiffness[i] = stiffness * factor * muscle->bellyLength / ( vertex->restLength * yields );
        setup->lengths[i] = supMax( vertex->restLength - tension / setup->stiffness[i], 0.0 );
        tensions[i] = setup->stiffness[i] * ( vertex->restLength - setup->lengths[i] );
    }
}

/// In a pose that is larger than the rest springs are longer by as much, and pull by as much more; so do the loads,
/// which turn and grow with the joints.
static void supScaleSegments( int32_t count, float scale, supLineSetup* setup )
{
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        setup->lengths[i] *= scale;
    }
}

/// The segment's way at rest times its tension.
static supVec3d supRestPull( const supLineVertex* vertices, const double* tensions, int32_t segment )
{
    supVec3 step = supSub( vertices[segment + 1].rest, vertices[segment].rest );
    return supScaleD( supToDouble( step ), tensions[segment] / vertices[segment].restLength );
}

/// Gravity, and what keeps tension and gravity in balance at rest.
static void supSetUpLoads( const supMuscles* muscles, const supMuscle* muscle, const float* live,
    const supLinePosture* posture, const double* tensions, supLineSetup* setup )
{
    const supLineVertex* vertices = muscles->vertices + muscle->firstVertex;
    double felt = live[sup_muscleGravityScale] * ( 1.0 - live[sup_muscleTension] );
    bool relative = live[sup_muscleGravity] == (float)sup_gravityRelative;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        setup->loads[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        if ( setup->bound[i] )
        {
            continue;
        }
        double weight = felt * setup->masses[i];
        supVec3d held = supSubD( supRestPull( vertices, tensions, i - 1 ), supRestPull( vertices, tensions, i ) );
        held = relative ? supMulAddD( held, -weight, supToDouble( muscles->gravity ) ) : held;
        supMat34 turned = supMulMat( posture->joints[vertices[i].joint], vertices[i].jointFromRest );
        supVec3d carried = supToDouble( supTransformVector( turned, supToFloat( held ) ) );
        setup->loads[i] = supMulAddD( carried, weight, posture->gravity );
    }
}

static void supSetUpFields( const supMuscles* muscles, const supMuscle* muscle, const float* live,
    const supLinePosture* posture, double stiffness, supLineSetup* setup )
{
    double stiffest = 0.0;
    for ( int32_t i = 0; i + 1 < muscle->vertexCount; ++i )
    {
        stiffest = supMax( stiffest, setup->stiffness[i] );
    }
    setup->line.fieldCount = 0;
    for ( int32_t f = muscle->firstForce; f < muscle->firstForce + muscle->forceCount; ++f )
    {
        const supEllipsoid* ellipsoid = muscles->ellipsoids + muscles->forces[f];
        const float* own = supMuscleFieldLiveOf( muscle, live, ellipsoid );
        supLineField* field = setup->fields + setup->line.fieldCount;
        supMat34 placed = supMulMat( posture->joints[ellipsoid->joint], ellipsoid->inJoint );
        *field = ( supLineField ){ .fromUnit = supMatToDouble( placed ),
            .kind = own[sup_muscleFieldKind] == (float)sup_forceMetaball ? sup_fieldToCenter : sup_fieldToSurface,
            .stiffness = stiffness * own[sup_muscleFieldPull] * live[sup_muscleFieldScale],
            .reach = own[sup_muscleFieldReach],
            .smallest = ellipsoid->smallest,
            .solid = own[sup_muscleFieldSolid] != 0.0f,
            .barrier = supBarrier * stiffest,
            .sides = muscles->sides + muscles->firstSides[f],
            .around = posture->around != NULL ? posture->around + muscles->firstSides[f] : NULL };
        // a joint that a pose flattens has no inside: its field does nothing
        setup->line.fieldCount += supInvertMatD( field->fromUnit, &field->toUnit );
    }
}

bool supIsFreeNow( const supMuscle* muscle, const supLineVertex* vertex, const float* live )
{
    bool between = vertex->t > 0.0f;
    bool given = between || supMusclePointLiveOf( muscle, live, vertex->anchor )[sup_musclePointFree] != 0.0f;
    bool inside = vertex->along >= live[sup_muscleFreeFrom] && vertex->along <= live[sup_muscleFreeTo];
    return vertex->free && given && inside && live[sup_muscleFree] > 0.0f;
}

bool supSetUpLine( const supMuscles* muscles, const supMuscle* muscle, const float* live, const supLinePosture* posture,
    const supVec3* places, supLineSetup* setup )
{
    const supLineVertex* vertices = muscles->vertices + muscle->firstVertex;
    int32_t count = muscle->vertexCount;
    double mass = supMax( (double)live[sup_muscleDensity] * muscle->restVolume, 1e-12 );
    double stiffness = supBellyStiffness( live, mass ), tensions[sup_mostLineVertices];
    bool anyFree = false;
    setup->line = ( supSpringLine ){ .count = count,
        .bound = setup->bound,
        .stiffness = setup->stiffness,
        .lengths = setup->lengths,
        .masses = setup->masses,
        .loads = setup->loads,
        .holds = setup->holds,
        .places = setup->places,
        .fields = setup->fields };
    setup->damping = 2.0 * live[sup_muscleDampingRatio] * supSqrt( stiffness / mass );
    for ( int32_t i = 0; i < count; ++i )
    {
        double around = 0.5 * ( vertices[i].restLength + ( i > 0 ? vertices[i - 1].restLength : 0.0f ) );
        double share = around / muscle->restLength;
        setup->bound[i] = !supIsFreeNow( muscle, vertices + i, live );
        setup->masses[i] = mass * share;
        setup->holds[i] = live[sup_muscleHold] * stiffness * share;
        setup->places[i] = supToDouble( places[i] );
        anyFree = anyFree || !setup->bound[i];
    }
    supSetUpSegments( muscle, vertices, live, stiffness, tensions, setup );
    supScaleSegments( count, supMuscleScale( muscles, muscle, posture->joints ), setup );
    supSetUpLoads( muscles, muscle, live, posture, tensions, setup );
    supSetUpFields( muscles, muscle, live, posture, stiffness, setup );
    return anyFree;
}

void supLookAtFields( const supMuscles* muscles, const supMuscle* muscle, const float* live, const supMuscleFrame* now,
    int32_t* cuts, float* deepest )
{
    supLineField fields[sup_mostLineForces];
    supVec3d line[sup_mostLineVertices];
    int32_t count = 0;
    *cuts = 0;
    *deepest = 0.0f;
    for ( int32_t i = 0; i < muscle->vertexCount; ++i )
    {
        line[i] = supToDouble( now->line[muscle->firstVertex + i] );
    }
    for ( int32_t f = muscle->firstForce; f < muscle->firstForce + muscle->forceCount; ++f )
    {
        const supEllipsoid* ellipsoid = muscles->ellipsoids + muscles->forces[f];
        supLineField* field = fields + count;
        *field = ( supLineField ){ .fromUnit = supMatToDouble( now->ellipsoids[muscles->forces[f]] ),
            .smallest = ellipsoid->smallest,
            .solid = true };
        bool solid = supMuscleFieldLiveOf( muscle, live, ellipsoid )[sup_muscleFieldSolid] != 0.0f;
        bool acts = solid && supInvertMatD( field->fromUnit, &field->toUnit );
        for ( int32_t i = 0; i < muscle->vertexCount && acts; ++i )
        {
            supVec3d way;
            bool free = supIsFreeNow( muscle, muscles->vertices + muscle->firstVertex + i, live );
            double depth = free ? supLineField_Depth( field, i, line[i], &way ) / field->smallest : 0.0;
            *deepest = supMaxF( *deepest, (float)depth );
        }
        count += acts;
    }
    *cuts = supCountCuts( fields, count, line, muscle->vertexCount, supCutShare );
}
