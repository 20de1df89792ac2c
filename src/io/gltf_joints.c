// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "io/gltf_parts.h"

/// The affine part of a column-major 4x4.
static supMat34 supAffinePart( const float* m )
{
    return ( supMat34 ){ { m[0], m[1], m[2] }, { m[4], m[5], m[6] }, { m[8], m[9], m[10] }, { m[12], m[13], m[14] } };
}

static void supReadJoint( supReader* reader, supArena* arena, const json_t* json, supJointDef* joint )
{
    float t[3] = { 0.0f, 0.0f, 0.0f }, r[4] = { 0.0f, 0.0f, 0.0f, 1.0f }, s[3] = { 1.0f, 1.0f, 1.0f }, m[16];
    supReader_Numbers( reader, json, "translation", t, 3 );
    supReader_Numbers( reader, json, "rotation", r, 4 );
    supReader_Numbers( reader, json, "scale", s, 3 );
    joint->name = supReader_Text( reader, json, "name" );
    joint->rest = ( supTransform ){ { t[0], t[1], t[2] }, { r[0], r[1], r[2], r[3] }, { s[0], s[1], s[2] } };
    if ( supReader_Numbers( reader, json, "matrix", m, 16 ) )
    {
        supMat34* matrix = supReader_Take( reader, arena, 1, sizeof( supMat34 ) );
        if ( matrix != NULL )
        {
            *matrix = supAffinePart( m );
            joint->matrix = matrix;
        }
    }
}

void supReader_Joints( supReader* reader, supArena* arena, const supScene* scene, supCharacterDef* def )
{
    supJointDef* joints = supReader_Take( reader, arena, (size_t)scene->nodeCount, sizeof( supJointDef ) );
    for ( int32_t i = 0; i < scene->nodeCount && supReader_Ok( reader ); ++i )
    {
        const json_t* json = supGltf_Item( reader->document, "nodes", i );
        supReader_At( reader, "node", i, json );
        joints[i].parent = scene->parents[i];
        supReadJoint( reader, arena, json, joints + i );
    }
    supReader_Vrm( reader, arena, scene, joints );
    def->joints = joints;
    def->jointCount = scene->nodeCount;
}

static const supMat34* supReadInverseBind( supReader* reader, supArena* arena, const json_t* json, int32_t jointCount )
{
    int32_t index = supReader_Index( reader, json, "inverseBindMatrices", "accessors" );
    if ( index < 0 )
    {
        return NULL;
    }
    supAccessor accessor = supReader_Accessor( reader, index, "inverseBindMatrices", 4, 4, sup_componentFloat );
    if ( supReader_Ok( reader ) && accessor.count < jointCount )
    {
        supReader_Fail(
            reader, sup_errorData, "has %d joints and %d inverse bind matrices", jointCount, accessor.count );
    }
    accessor.count = jointCount < accessor.count ? jointCount : accessor.count; // those beyond are nobody's
    float* numbers = supReader_Take( reader, arena, (size_t)accessor.count, 16 * sizeof( float ) );
    supMat34* matrices = supReader_Take( reader, arena, (size_t)jointCount, sizeof( supMat34 ) );
    if ( supReader_Ok( reader ) == false )
    {
        return NULL;
    }
    supAccessor_ReadFloats( &accessor, numbers );
    for ( int32_t i = 0; i < jointCount; ++i )
    {
        matrices[i] = supAffinePart( numbers + 16 * (size_t)i );
    }
    return matrices;
}

static void supReadSkin( supReader* reader, supArena* arena, const json_t* json, supSkinDef* skin )
{
    const json_t* array = supReader_Array( reader, json, "joints" );
    size_t count = json_array_size( array );
    if ( count == 0 )
    {
        supReader_Fail( reader, sup_errorData, "has no joints: remove the skin, or bind it to some" );
        return;
    }
    int32_t* joints = supReader_Take( reader, arena, count, sizeof( int32_t ) );
    for ( size_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        joints[i] = supReader_IndexValue( reader, json_array_get( array, i ), "joints", "nodes" );
    }
    skin->name = supReader_Text( reader, json, "name" );
    skin->joints = joints;
    skin->jointCount = (int32_t)count;
    skin->inverseBind = supReadInverseBind( reader, arena, json, skin->jointCount );
}

void supReader_Skins( supReader* reader, supArena* arena, supCharacterDef* def )
{
    int32_t count = supGltf_Count( reader->document, "skins" );
    supSkinDef* skins = supReader_Take( reader, arena, (size_t)count, sizeof( supSkinDef ) );
    for ( int32_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        const json_t* json = supGltf_Item( reader->document, "skins", i );
        supReader_At( reader, "skin", i, json );
        supReadSkin( reader, arena, json, skins + i );
    }
    def->skins = skins;
    def->skinCount = count;
}
