// Action lines at rest.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscles.h"

#include "base/fields.h"
#include "base/math.h"
#include "layers/names_in_rig.h"

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
