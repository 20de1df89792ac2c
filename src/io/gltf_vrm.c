// What a VRM file says of its joints: which bone of a human each is, and which of them the host swings.
// SPDX-License-Identifier: MIT
//
// A .vrm is a .glb with root extensions. Of the two versions:
//
//              bones of a human                                      swung
//   VRM 0.x    VRM.humanoid.humanBones: [{bone, node}]               VRM.secondaryAnimation.boneGroups[].bones: nodes,
//   and
//                                                                    all below them
//   VRM 1.0    VRMC_vrm.humanoid.humanBones: {hips: {node}, …}       VRMC_springBone.springs[].joints[].node
//
// None of it is needed to read the character, so what is wrong there is passed over, with a note.
#include "io/gltf_parts.h"

typedef struct supVrm
{
    const supScene* scene;
    supJointDef* joints;
    int32_t astray; ///< nodes that are not there
} supVrm;

/// The node that a number names; -1 where it names none. Exporters write -1 themselves where nothing is chosen.
static int32_t supVrmNode( supVrm* vrm, const json_t* value )
{
    json_int_t node = json_is_integer( value ) ? json_integer_value( value ) : -2;
    if ( node >= 0 && node < vrm->scene->nodeCount )
    {
        return (int32_t)node;
    }
    vrm->astray += node == -1 ? 0 : 1;
    return -1;
}

/// The first that names a joint counts.
static void supNameBone( supVrm* vrm, const char* bone, const json_t* value )
{
    int32_t node = bone != NULL ? supVrmNode( vrm, value ) : -1;
    if ( node >= 0 && vrm->joints[node].humanBone == NULL )
    {
        vrm->joints[node].humanBone = bone;
    }
}

static void supReadBones1( supVrm* vrm, const json_t* extension )
{
    json_t* bones = json_object_get( json_object_get( extension, "humanoid" ), "humanBones" );
    const char* bone;
    json_t* value;
    json_object_foreach( bones, bone, value )
    {
        supNameBone( vrm, bone, json_object_get( value, "node" ) );
    }
}

static void supReadBones0( supVrm* vrm, const json_t* extension )
{
    size_t i;
    json_t* entry;
    json_array_foreach( json_object_get( json_object_get( extension, "humanoid" ), "humanBones" ), i, entry )
    {
        supNameBone( vrm, json_string_value( json_object_get( entry, "bone" ) ), json_object_get( entry, "node" ) );
    }
}

static void supReadSprings1( supVrm* vrm, const json_t* extension )
{
    size_t i, k;
    json_t *spring, *joint;
    json_array_foreach( json_object_get( extension, "springs" ), i, spring )
    {
        json_array_foreach( json_object_get( spring, "joints" ), k, joint )
        {
            int32_t node = supVrmNode( vrm, json_object_get( joint, "node" ) );
            if ( node >= 0 )
            {
                vrm->joints[node].hasPhysics = true;
            }
        }
    }
}

/// Marks the topmost joints; everything below them follows.
static bool supReadSprings0( supVrm* vrm, const json_t* extension, bool* swung )
{
    size_t i, k;
    json_t *group, *bone;
    bool any = false;
    json_array_foreach( json_object_get( json_object_get( extension, "secondaryAnimation" ), "boneGroups" ), i, group )
    {
        json_array_foreach( json_object_get( group, "bones" ), k, bone )
        {
            int32_t node = supVrmNode( vrm, bone );
            if ( node >= 0 )
            {
                swung[node] = any = true;
            }
        }
    }
    return any;
}

/// A joint below one that is swung is swung. Each walk goes up to where the answer is known, and writes it along.
static void supSwingBelow( supVrm* vrm, bool* swung, bool* known )
{
    const int32_t* parents = vrm->scene->parents;
    for ( int32_t start = 0; start < vrm->scene->nodeCount; ++start )
    {
        int32_t top = start;
        while ( top >= 0 && known[top] == false && swung[top] == false )
        {
            top = parents[top];
        }
        bool isSwung = top >= 0 && swung[top];
        for ( int32_t node = start; node != top; node = parents[node] )
        {
            swung[node] = isSwung;
            known[node] = true;
        }
        vrm->joints[start].hasPhysics = vrm->joints[start].hasPhysics || swung[start];
    }
}

void supReader_Vrm( supReader* reader, supArena* arena, const supScene* scene, supJointDef* joints )
{
    const json_t* extensions = json_object_get( reader->document->root, "extensions" );
    const json_t* old = json_object_get( extensions, "VRM" );
    supVrm vrm = { .scene = scene, .joints = joints };
    if ( supReader_Ok( reader ) == false || joints == NULL )
    {
        return;
    }
    supReadBones1( &vrm, json_object_get( extensions, "VRMC_vrm" ) );
    supReadBones0( &vrm, old );
    supReadSprings1( &vrm, json_object_get( extensions, "VRMC_springBone" ) );
    if ( json_object_get( old, "secondaryAnimation" ) != NULL )
    {
        bool* swung = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( bool ) );
        bool* known = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( bool ) );
        if ( swung != NULL && known != NULL && supReadSprings0( &vrm, old, swung ) )
        {
            supSwingBelow( &vrm, swung, known );
        }
    }
    if ( vrm.astray > 0 && supReader_Ok( reader ) )
    {
        reader->where = ( supWhere ){ 0 };
        supReader_Note( reader, "its VRM extensions name %d nodes that are not there: passed over", vrm.astray );
    }
}
