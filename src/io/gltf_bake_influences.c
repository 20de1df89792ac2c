// New influences of the primitives that carry flesh.
// SPDX-License-Identifier: MIT
//
// A glTF mesh may be shown by several nodes, each with a skin of its own, and the same joint may stand elsewhere in
// each. Nodes that need the same influences share one mesh; the first of them keeps the mesh as it was numbered, others
// get a copy at the end that differs in its JOINTS_n and WEIGHTS_n alone. Where somebody needs the mesh as it was (a
// node outside the scene, with another skin), all get copies.
#include "io/gltf_bake.h"

#include <stdio.h>
#include <string.h>

/// A node that shows a mesh.
typedef struct supShowing
{
    int32_t node;
    int32_t skin;   ///< -1: none
    int32_t leader; ///< the showing whose influences serve for it; -1: needs the mesh as it was
    bool isKnown;   ///< its primitives are meshes of the character
} supShowing;

// ---------------------------------------------------------------------------------------------------------------
// One primitive

/// The character's mesh for a primitive as a node shows it, or -1.
static int32_t supFindMesh( const supBakeEdit* bake, int32_t node, int32_t mesh, int32_t primitive )
{
    for ( int32_t i = 0; i < supCharacter_Info( bake->character )->meshCount; ++i )
    {
        supMeshView view = supCharacter_Mesh( bake->character, i );
        if ( view.joint == node && view.sourceMesh == mesh && view.sourcePrimitive == primitive )
        {
            return i;
        }
    }
    return -1;
}

/// The baked influences in the file's numbers: `joints` in the skin's list. Gives the largest.
static uint16_t supMapJoints(
    const supBakeEdit* bake, int32_t skin, const supBakedMesh* baked, size_t count, uint16_t* joints )
{
    int32_t jointCount = supCharacter_Skin( bake->character, skin ).jointCount;
    uint16_t largest = 0;
    for ( size_t i = 0; i < count; ++i )
    {
        int32_t joint = baked->joints[i];
        if ( joint >= jointCount )
        {
            joint = bake->slots[(size_t)skin * (size_t)bake->helperCount + (size_t)( joint - jointCount )];
        }
        joints[i] = baked->weights[i] > 0.0f ? (uint16_t)joint : 0; // what has no weight names no joint
        largest = joints[i] > largest ? joints[i] : largest;
    }
    return largest;
}

/// How many sets of four are used at all.
static int32_t supUsedSets( const supBakedMesh* baked, size_t vertexCount )
{
    int32_t sets = 1;
    for ( size_t v = 0; v < vertexCount; ++v )
    {
        for ( int32_t k = 4 * sets; k < baked->influenceCount; ++k )
        {
            sets = baked->weights[v * (size_t)baked->influenceCount + (size_t)k] > 0.0f ? k / 4 + 1 : sets;
        }
    }
    return sets;
}

/// JOINTS_n as bytes where they fit, else as 16 bits.
static int32_t supAddJointSet(
    supBakeEdit* bake, const uint16_t* joints, size_t vertexCount, size_t width, int32_t set, bool asBytes )
{
    uint16_t* wide = supReader_Take( &bake->edit.reader, &bake->arena, vertexCount, 4 * sizeof( uint16_t ) );
    uint8_t* bytes = (uint8_t*)wide;
    for ( size_t i = 0; i < 4 * vertexCount && wide != NULL; ++i )
    {
        uint16_t joint = joints[i / 4 * width + 4 * (size_t)set + i % 4];
        if ( asBytes )
        {
            bytes[i] = (uint8_t)joint;
        }
        else
        {
            bytes[2 * i] = (uint8_t)joint;
            bytes[2 * i + 1] = (uint8_t)( joint >> 8 );
        }
    }
    size_t size = 4 * vertexCount * ( asBytes ? 1 : 2 );
    supNewAccessor accessor = { .component = asBytes ? sup_componentUnsignedByte : sup_componentUnsignedShort,
        .type = "VEC4",
        .count = (int32_t)vertexCount };
    accessor.view = wide != NULL ? supEdit_AddView( &bake->edit, wide, size, SUP_TARGET_VERTICES ) : -1;
    return supEdit_AddAccessor( &bake->edit, &accessor );
}

static int32_t supAddWeightSet( supBakeEdit* bake, const float* weights, size_t vertexCount, size_t width, int32_t set )
{
    float* tight = supReader_Take( &bake->edit.reader, &bake->arena, vertexCount, 4 * sizeof( float ) );
    for ( size_t v = 0; v < vertexCount && tight != NULL; ++v )
    {
        memcpy( tight + 4 * v, weights + v * width + 4 * (size_t)set, 4 * sizeof( float ) );
    }
    supNewAccessor accessor = { .component = sup_componentFloat, .type = "VEC4", .count = (int32_t)vertexCount };
    accessor.view = tight != NULL
                        ? supEdit_AddView( &bake->edit, tight, vertexCount * 4 * sizeof( float ), SUP_TARGET_VERTICES )
                        : -1;
    return supEdit_AddAccessor( &bake->edit, &accessor );
}

/// Takes away the sets that are used no more.
static void supDropSets( json_t* attributes, int32_t from )
{
    for ( int32_t set = from;; ++set )
    {
        char joints[24], weights[24];
        snprintf( joints, sizeof( joints ), "JOINTS_%d", set );
        snprintf( weights, sizeof( weights ), "WEIGHTS_%d", set );
        if ( json_object_get( attributes, joints ) == NULL && json_object_get( attributes, weights ) == NULL )
        {
            return;
        }
        json_object_del( attributes, joints );
        json_object_del( attributes, weights );
    }
}

static void supEditPrimitive( supBakeEdit* bake, json_t* primitive, int32_t skin, const supBakedMesh* baked )
{
    size_t vertexCount = (size_t)supCharacter_Mesh( bake->character, baked->mesh ).vertexCount;
    size_t width = (size_t)baked->influenceCount;
    uint16_t* joints = supReader_Take( &bake->edit.reader, &bake->arena, vertexCount * width, sizeof( uint16_t ) );
    if ( joints == NULL )
    {
        return;
    }
    uint16_t largest = supMapJoints( bake, skin, baked, vertexCount * width, joints );
    int32_t sets = supUsedSets( baked, vertexCount );
    json_t* attributes = json_object_get( primitive, "attributes" );
    for ( int32_t set = 0; set < sets; ++set )
    {
        char jointKey[24], weightKey[24];
        snprintf( jointKey, sizeof( jointKey ), "JOINTS_%d", set );
        snprintf( weightKey, sizeof( weightKey ), "WEIGHTS_%d", set );
        int32_t jointSet = supAddJointSet( bake, joints, vertexCount, width, set, largest <= UINT8_MAX );
        int32_t weightSet = supAddWeightSet( bake, baked->weights, vertexCount, width, set );
        supEdit_Put( &bake->edit, attributes, jointKey, json_integer( jointSet ) );
        supEdit_Put( &bake->edit, attributes, weightKey, json_integer( weightSet ) );
    }
    supDropSets( attributes, sets );
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes that show a mesh

static supBakedMesh supBakedOf( const supBakeEdit* bake, int32_t node, int32_t mesh, int32_t primitive )
{
    int32_t found = supFindMesh( bake, node, mesh, primitive );
    return found >= 0 ? supJointBake_Info( bake->bake )->meshes[found] : ( supBakedMesh ){ .mesh = -1 };
}

static bool supCarriesFlesh( const supBakeEdit* bake, const supShowing* showing, int32_t mesh, int32_t primitiveCount )
{
    bool carries = false;
    for ( int32_t p = 0; p < primitiveCount; ++p )
    {
        carries = carries || supBakedOf( bake, showing->node, mesh, p ).changed;
    }
    return carries;
}

/// Whether joints have the same numbers in two skins: so helpers have, too.
static bool supIsSameList( const supBakeEdit* bake, int32_t skinA, int32_t skinB )
{
    if ( skinA < 0 || skinB < 0 )
    {
        return skinA == skinB;
    }
    supSkinView a = supCharacter_Skin( bake->character, skinA ), b = supCharacter_Skin( bake->character, skinB );
    return a.jointCount == b.jointCount && memcmp( a.joints, b.joints, (size_t)a.jointCount * sizeof( int32_t ) ) == 0;
}

/// Whether two nodes were baked to the same influences.
static bool supIsSameBake( const supBakeEdit* bake, int32_t nodeA, int32_t nodeB, int32_t mesh, int32_t primitiveCount )
{
    for ( int32_t p = 0; p < primitiveCount; ++p )
    {
        supBakedMesh a = supBakedOf( bake, nodeA, mesh, p ), b = supBakedOf( bake, nodeB, mesh, p );
        if ( a.changed != b.changed || ( a.changed && a.influenceCount != b.influenceCount ) )
        {
            return false;
        }
        if ( a.changed )
        {
            size_t count = (size_t)supCharacter_Mesh( bake->character, a.mesh ).vertexCount * (size_t)a.influenceCount;
            if ( memcmp( a.joints, b.joints, count * sizeof( int32_t ) ) != 0 ||
                 memcmp( a.weights, b.weights, count * sizeof( float ) ) != 0 )
            {
                return false;
            }
        }
    }
    return true;
}

/// All nodes of the document that show the mesh. Gives their number.
static int32_t supListShowings( supBakeEdit* bake, int32_t mesh, supShowing* showings )
{
    int32_t count = 0;
    for ( int32_t n = 0; n < bake->firstHelper; ++n )
    {
        const json_t* node = supGltf_Item( bake->edit.document, "nodes", n );
        if ( json_object_get( node, "mesh" ) == NULL ||
             supReader_Index( &bake->edit.reader, node, "mesh", "meshes" ) != mesh )
        {
            continue;
        }
        showings[count] = ( supShowing ){ .node = n, .leader = -1 };
        showings[count].skin = supReader_Index( &bake->edit.reader, node, "skin", "skins" );
        for ( int32_t i = 0; i < supCharacter_Info( bake->character )->meshCount; ++i )
        {
            supMeshView view = supCharacter_Mesh( bake->character, i );
            showings[count].isKnown =
                showings[count].isKnown || ( view.joint == n && view.sourceMesh == mesh && view.skin >= 0 );
        }
        count += 1;
    }
    return count;
}

/// Leaders are nodes of the character; others follow one that has their skin, or any where they have none.
static void supFindLeaders(
    const supBakeEdit* bake, supShowing* showings, int32_t count, int32_t mesh, int32_t primitiveCount )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < i && showings[i].isKnown && showings[i].leader < 0; ++k )
        {
            bool same = showings[k].leader == k && supIsSameList( bake, showings[k].skin, showings[i].skin ) &&
                        supIsSameBake( bake, showings[k].node, showings[i].node, mesh, primitiveCount );
            showings[i].leader = same ? k : -1;
        }
        if ( showings[i].isKnown && showings[i].leader < 0 )
        {
            showings[i].leader = i;
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < count && showings[i].leader < 0; ++k )
        {
            bool serves = showings[k].leader == k &&
                          ( showings[i].skin < 0 || supIsSameList( bake, showings[i].skin, showings[k].skin ) );
            showings[i].leader = serves ? k : -1;
        }
    }
}

/// Whether a node needs the mesh as it was.
static bool supNeedsOriginal(
    const supBakeEdit* bake, const supShowing* showings, int32_t count, int32_t mesh, int32_t primitiveCount )
{
    bool needs = false;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t leader = showings[i].leader;
        needs = needs || leader < 0 || !supCarriesFlesh( bake, showings + leader, mesh, primitiveCount );
    }
    return needs;
}

/// Gives the mesh that a leader edits: the one it showed, or a copy that it and its followers show from now on.
static int32_t supGiveMesh(
    supBakeEdit* bake, const supShowing* showings, int32_t count, int32_t leader, int32_t mesh, const json_t* original )
{
    if ( original == NULL )
    {
        return mesh;
    }
    int32_t copy = supEdit_Append( &bake->edit, "meshes", supEdit_Copy( &bake->edit, original ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( showings[i].leader == leader )
        {
            json_t* node = supGltf_Item( bake->edit.document, "nodes", showings[i].node );
            supBakeEdit_Note( bake, "nodes", showings[i].node, mesh, false, 0, NULL );
            supEdit_Put( &bake->edit, node, "mesh", json_integer( copy ) );
        }
    }
    return copy;
}

static void supEditMesh( supBakeEdit* bake, int32_t mesh, supShowing* showings )
{
    json_t* primitives = json_object_get( supGltf_Item( bake->edit.document, "meshes", mesh ), "primitives" );
    int32_t primitiveCount = (int32_t)json_array_size( primitives );
    int32_t count = supListShowings( bake, mesh, showings );
    supFindLeaders( bake, showings, count, mesh, primitiveCount );
    json_t* original = supEdit_Copy( &bake->edit, supGltf_Item( bake->edit.document, "meshes", mesh ) );
    bool isFree = supNeedsOriginal( bake, showings, count, mesh, primitiveCount ) == false;
    for ( int32_t i = 0; i < count && supEdit_Ok( &bake->edit ); ++i )
    {
        if ( showings[i].leader != i || !supCarriesFlesh( bake, showings + i, mesh, primitiveCount ) )
        {
            continue;
        }
        int32_t target = supGiveMesh( bake, showings, count, i, mesh, isFree ? NULL : original );
        json_t* list = json_object_get( supGltf_Item( bake->edit.document, "meshes", target ), "primitives" );
        for ( int32_t p = 0; p < primitiveCount && supEdit_Ok( &bake->edit ); ++p )
        {
            supBakedMesh baked = supBakedOf( bake, showings[i].node, mesh, p );
            json_t* primitive = json_array_get( list, (size_t)p );
            if ( baked.changed && isFree )
            {
                supBakeEdit_Note( bake, "primitives", mesh, p, false, 0, supEdit_Copy( &bake->edit, primitive ) );
            }
            if ( baked.changed )
            {
                supEditPrimitive( bake, primitive, showings[i].skin, &baked );
            }
        }
        isFree = false;
    }
    json_decref( original );
}

void supBakeEdit_AddInfluences( supBakeEdit* bake )
{
    supShowing* showings = supReader_Take(
        &bake->edit.reader, &bake->arena, (size_t)supGltf_Count( bake->edit.document, "nodes" ), sizeof( supShowing ) );
    int32_t meshCount = supGltf_Count( bake->edit.document, "meshes" );
    for ( int32_t m = 0; m < meshCount && supEdit_Ok( &bake->edit ) && bake->helperCount > 0; ++m )
    {
        bool carries = false;
        for ( int32_t i = 0; i < supCharacter_Info( bake->character )->meshCount && carries == false; ++i )
        {
            carries = supCharacter_Mesh( bake->character, i ).sourceMesh == m &&
                      supJointBake_Info( bake->bake )->meshes[i].changed;
        }
        if ( carries )
        {
            supEditMesh( bake, m, showings );
        }
    }
}
