// A character with flesh on it, shown at any moment of its clips.
// SPDX-License-Identifier: MIT
#include "performer.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostElements = 16,
};

supResult supMakeRiggedPerformer( const supCharacter* character, const supRig* rig, supPerformer* out, supError* error )
{
    memset( out, 0, sizeof( *out ) );
    out->character = character;
    out->clip = -1;
    out->vertexCount = supCharacter_Info( character )->vertexCount;
    int32_t count = supRig_ElementCount( rig );
    if ( count > supMostElements )
    {
        return supFail( error, sup_errorArgument, "%d elements, %d are the most here", count, supMostElements );
    }
    supResult result = supCompileModel( character, rig, &out->model, error );
    if ( result == sup_success )
    {
        result = supCreateBody( out->model, &out->body, error );
    }
    if ( result == sup_success )
    {
        result = supCreatePose( character, NULL, &out->pose, error );
    }
    out->smooth = (float*)calloc( 6 * (size_t)out->vertexCount, sizeof( float ) );
    if ( result == sup_success && out->smooth == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for %d vertices", out->vertexCount );
    }
    if ( result != sup_success )
    {
        supDropPerformer( out );
        return result;
    }
    out->living = out->smooth + 3 * (size_t)out->vertexCount;
    return sup_success;
}

supResult supMakePerformer(
    const supCharacter* character, const supElementDef* elements, int count, supPerformer* out, supError* error )
{
    supRig* rig;
    supResult result = supCreateRig( NULL, &rig, error );
    for ( int i = 0; i < count && result == sup_success; ++i )
    {
        result = supRig_AddElement( rig, elements + i, error );
    }
    result = result == sup_success ? supMakeRiggedPerformer( character, rig, out, error ) : result;
    supDestroyRig( rig );
    return result;
}

void supDropPerformer( supPerformer* performer )
{
    supDestroyTake( performer->take );
    supDestroyPose( performer->pose );
    supDestroyBody( performer->body );
    supDestroyModel( performer->model );
    free( performer->smooth );
    memset( performer, 0, sizeof( *performer ) );
}

supResult supPerformer_Play( supPerformer* performer, const char* clip, supError* error )
{
    supDestroyTake( performer->take );
    performer->take = NULL;
    performer->clip = supCharacter_FindClip( performer->character, clip );
    if ( performer->clip < 0 )
    {
        return supFail( error, sup_errorNotFound, "no clip '%s'", clip );
    }
    supTakeDef def = supDefaultTakeDef();
    def.model = performer->model;
    def.clip = performer->clip;
    supResult result = supCreateTake( &def, &performer->take, error );
    if ( result == sup_success )
    {
        supTakeInfo info = supTake_Info( performer->take );
        performer->start = info.start;
        performer->end = info.end;
    }
    return result;
}

supResult supPerformer_Show( supPerformer* performer, double time, supError* error )
{
    supVec3 elongations[supMostElements];
    supPose_Sample( performer->pose, performer->clip, time );
    supTake_Elongations( performer->take, time, elongations );
    const supMat34* joints = supPose_Joints( performer->pose );
    supResult result = supBody_Show( performer->body, joints, elongations );
    if ( result != sup_success )
    {
        return supFail( error, result, "the pose at %.3f s is not finite", time );
    }
    supBody_SmoothSkin( performer->body, performer->smooth, NULL );
    supBody_Skin( performer->body, performer->living, NULL );
    int32_t root = supCharacter_Info( performer->character )->jointOrder[0];
    supVec3 rest = supCharacter_Info( performer->character )->restJoints[root].t, now = joints[root].t;
    performer->offset = ( supVec3 ){ rest.x - now.x, 0.0f, rest.z - now.z };
    return sup_success;
}

double supPerformer_Farthest( const supPerformer* performer )
{
    double farthest = 0.0;
    for ( int32_t v = 0; v < performer->vertexCount; ++v )
    {
        double squares = 0.0;
        for ( int32_t i = 3 * v; i < 3 * v + 3; ++i )
        {
            double d = (double)performer->living[i] - (double)performer->smooth[i];
            squares += d * d;
        }
        farthest = fmax( farthest, sqrt( squares ) );
    }
    return farthest;
}
