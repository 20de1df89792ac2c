// An element's names looked up: driver, virtual bone, local frame, the joints whose skin belongs to it.
// SPDX-License-Identifier: MIT

#include "layers/flesh/flesh_weights.h"

#include "base/math.h"
#include "character/joint_tree.h"
#include "layers/layer.h"

#include <stdio.h>
#include <string.h>

enum
{
    supMostEnds = 64,
    supMostNames = 4096, ///< names looked through for the nearest ones
};

static supResult supFindEnds( const supCharacter* character, const supElementDef* def, int32_t index, int32_t driver,
    int32_t* ends, int32_t* endCount, supError* error )
{
    char place[64];
    *endCount = 0;
    if ( def->ends.count > supMostEnds )
    {
        return supFail( error, sup_errorLimit, "elements[%d].ends: %d joints, at most %d are possible", index,
            def->ends.count, (int)supMostEnds );
    }
    for ( int32_t i = 0; i < def->ends.count; ++i )
    {
        snprintf( place, sizeof( place ), "elements[%d].ends[%d]", index, i );
        int32_t joint = supFindJointWords( character, def->ends.names[i] );
        if ( joint < 0 )
        {
            return supNoJoint( character, place, def->ends.names[i], error );
        }
        if ( joint == driver || !supIsUnderJoint( character, joint, driver ) )
        {
            return supFail( error, sup_errorData, "%s: joint \"%s\" is not below the driver \"%s\"", place,
                def->ends.names[i], def->driver );
        }
        ends[( *endCount )++] = joint;
    }
    bool given = def->end.x == def->end.x;
    if ( def->ends.count > 0 || given )
    {
        return sup_success;
    }
    int32_t count = supCharacter_Info( character )->jointCount;
    for ( int32_t joint = 0; joint < count && *endCount < supMostEnds; ++joint )
    {
        if ( supCharacter_Joint( character, joint )->parent == driver )
        {
            ends[( *endCount )++] = joint;
        }
    }
    if ( *endCount == 0 )
    {
        return supFail( error, sup_errorData,
            "elements[%d].driver: joint \"%s\" has no joint below it: give the point where its bone ends as `end`",
            index, def->driver );
    }
    return sup_success;
}

static supResult supMarkMembers( const supCharacter* character, const supElementDef* def, int32_t index, int32_t driver,
    const int32_t* ends, int32_t endCount, uint8_t* members, supError* error )
{
    for ( int32_t i = 0; i < def->joints.count; ++i )
    {
        int32_t joint = supFindJointWords( character, def->joints.names[i] );
        if ( joint < 0 )
        {
            char place[64];
            snprintf( place, sizeof( place ), "elements[%d].joints[%d]", index, i );
            return supNoJoint( character, place, def->joints.names[i], error );
        }
        members[joint] = 1;
    }
    if ( def->joints.count > 0 )
    {
        return sup_success;
    }
    members[driver] = 1;
    for ( int32_t i = 0; i < endCount; ++i )
    {
        for ( int32_t joint = supCharacter_Joint( character, ends[i] )->parent; joint >= 0 && joint != driver;
              joint = supCharacter_Joint( character, joint )->parent )
        {
            members[joint] = 1;
        }
    }
    return sup_success;
}

/// The local frame: its origin in the middle of the bone, y along it, x and z anywhere across it, but always the same.
static supMat34 supMakeLocalFrame( supVec3 from, supVec3 to )
{
    supVec3 y = supNormalize( supSub( to, from ) );
    supVec3 away = supAbsF( y.x ) < 0.6f ? supMakeVec3( 1.0f, 0.0f, 0.0f ) : supMakeVec3( 0.0f, 0.0f, 1.0f );
    supVec3 z = supNormalize( supCross( away, y ) );
    return ( supMat34 ){ supCross( y, z ), y, z, supLerp( from, to, 0.5f ) };
}

supResult supFindBone( const supCharacter* character, const supElementDef* def, int32_t index, supFleshElement* element,
    uint8_t* members, supError* error )
{
    char place[64];
    snprintf( place, sizeof( place ), "elements[%d].driver", index );
    if ( def->driver == NULL )
    {
        return supFail( error, sup_errorData, "%s: missing; every element needs the joint that carries it", place );
    }
    int32_t driver = supFindJointWords( character, def->driver );
    if ( driver < 0 )
    {
        return supNoJoint( character, place, def->driver, error );
    }

    int32_t ends[supMostEnds], endCount;
    supResult result = supFindEnds( character, def, index, driver, ends, &endCount, error );
    if ( result != sup_success )
    {
        return result;
    }

    const supMat34* rest = supCharacter_Info( character )->restJoints;
    float size = supCharacter_Info( character )->size;
    supVec3 from = rest[driver].t, to = supVec3_zero;
    for ( int32_t i = 0; i < endCount; ++i )
    {
        to = supMulAdd( to, 1.0f / (float)endCount, rest[ends[i]].t );
    }
    if ( endCount == 0 )
    {
        // the frame's axes without their scale: `end` is in shares of the size whatever the file's units are
        supQuat turn = supNearestRotation( rest[driver] );
        to = supAdd( from, supRotate( turn, supScale( def->end, size ) ) );
    }

    float length = supDistance( from, to );
    if ( !( length > 1e-6f * size ) )
    {
        return supFail( error, sup_errorData,
            "elements[%d]: the bone from \"%s\" to its end has no length: both stand in the same place; name other `ends`, or give `end`",
            index, def->driver );
    }

    supMat34 inverse;
    if ( !supInvertMat( rest[driver], &inverse ) )
    {
        return supFail( error, sup_errorData, "%s: joint \"%s\" has no size at rest (a scale of zero): choose another",
            place, def->driver );
    }
    element->driver = driver;
    element->boneFrom = from;
    element->boneTo = to;
    element->boneLength = length;
    element->localFrame = supMakeLocalFrame( from, to );
    element->driverFromRest = inverse;
    element->anchor = supTransformPoint( inverse, element->localFrame.t );
    return supMarkMembers( character, def, index, driver, ends, endCount, members, error );
}

/// Every name of one list must be a mesh's, or a material's.
static supResult supCheckSkipList( const supCharacter* character, const supNameList* list, const char* field,
    bool isMaterials, int32_t index, supError* error )
{
    const char* names[supMostNames];
    int32_t meshes = supCharacter_Info( character )->meshCount;
    for ( int32_t i = 0; i < list->count; ++i )
    {
        int32_t kept = 0;
        bool found = false;
        for ( int32_t m = 0; m < meshes && !found; ++m )
        {
            supMeshView mesh = supCharacter_Mesh( character, m );
            const char* name = isMaterials ? mesh.material : mesh.name;
            found = strcmp( name, list->names[i] ) == 0;
            bool isNew = name[0] != 0 && kept < supMostNames;
            for ( int32_t k = 0; k < kept && isNew; ++k )
            {
                isNew = strcmp( names[k], name ) != 0; // meshes share names and materials: each is offered once
            }
            if ( isNew )
            {
                names[kept++] = name;
            }
        }
        if ( !found )
        {
            char place[64];
            snprintf( place, sizeof( place ), "elements[%d].%s[%d]", index, field, i );
            return supNoName( place, isMaterials ? "material" : "mesh", list->names[i], names, kept, error );
        }
    }
    return sup_success;
}

supResult supCheckSkipped( const supCharacter* character, const supElementDef* def, int32_t index, supError* error )
{
    supResult result = supCheckSkipList( character, &def->skipMeshes, "skipMeshes", false, index, error );
    return result == sup_success
               ? supCheckSkipList( character, &def->skipMaterials, "skipMaterials", true, index, error )
               : result;
}

supVec3 supNearestOnBone( const supFleshElement* element, supVec3 point )
{
    supVec3 bone = supSub( element->boneTo, element->boneFrom );
    float t = supDot( supSub( point, element->boneFrom ), bone ) / supLengthSquared( bone );
    return supMulAdd( element->boneFrom, supClampF( t, 0.0f, 1.0f ), bone );
}

void supMeasureFromBone( const supFleshElement* element, supVec3 point, float* along, float* distance )
{
    supVec3 bone = supSub( element->boneTo, element->boneFrom );
    float t = supDot( supSub( point, element->boneFrom ), bone ) / supLengthSquared( bone );
    *along = 2.0f * t - 1.0f;
    *distance = supDistance( point, supMulAdd( element->boneFrom, supClampF( t, 0.0f, 1.0f ), bone ) );
}
