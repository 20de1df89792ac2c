// Helper joints: a child of joint j stands where j stands, so it shares j's inverse bind matrix in every skin. One that
// turns stands at its pivot instead, and its matrix is moved by as much.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/gltf_bake.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// "supple:ELEMENT:JOINT", "supple:MODE:JOINT", or "supple:mix 41:JOINT" where it adds several elements
static json_t* supHelperName( const supBakeEdit* bake, int32_t index )
{
    supBakedHelper helper = supJointBake_Info( bake->bake )->helpers[index];
    char text[256], mix[24];
    snprintf( mix, sizeof( mix ), "mix %d", index );
    bool isMix = index >= supModel_Info( bake->model )->helperCount;
    snprintf( text, sizeof( text ), "supple:%.100s:%.100s",
        isMix ? mix : supModel_Info( bake->model )->helpers[index].name,
        supCharacter_Joint( bake->character, helper.joint )->name );
    return json_string( supIsUtf8( text ) ? text : "supple" ); // a name cut within a letter is not UTF-8
}

static void supAddHelperNode( supBakeEdit* bake, int32_t index )
{
    supBakedHelper helper = supJointBake_Info( bake->bake )->helpers[index];
    json_t* extras = json_object();
    json_t* node = json_object();
    supEdit_Put( &bake->edit, node, "name", supHelperName( bake, index ) );
    supEdit_Put( &bake->edit, extras, SUP_HELPER_MARK, json_integer( index ) );
    supEdit_Put( &bake->edit, node, "extras", extras );
    if ( helper.turns )
    {
        json_t* place =
            json_pack( "[f, f, f]", (double)helper.place.x, (double)helper.place.y, (double)helper.place.z );
        supEdit_Put( &bake->edit, node, "translation", place );
    }
    int32_t at = supEdit_Append( &bake->edit, "nodes", node );
    json_t* parent = supGltf_Item( bake->edit.document, "nodes", helper.joint );
    json_t* children = json_object_get( parent, "children" );
    size_t count = json_array_size( children );
    if ( count == 0 || json_integer_value( json_array_get( children, count - 1 ) ) < bake->firstHelper )
    {
        supBakeEdit_Note( bake, "children", helper.joint, children != NULL ? (int32_t)count : -1, false, 0, NULL );
    }
    if ( children == NULL )
    {
        children = json_array();
        supEdit_Put( &bake->edit, parent, "children", children );
    }
    supEdit_Push( &bake->edit, children, json_integer( at ) );
}

/// Where a joint stands in a skin, or -1.
static int32_t supFindInSkin( const supCharacter* character, int32_t skin, int32_t joint )
{
    supSkinView view = supCharacter_Skin( character, skin );
    for ( int32_t i = 0; i < view.jointCount; ++i )
    {
        if ( view.joints[i] == joint )
        {
            return i;
        }
    }
    return -1;
}

/// Identity for all, as files without such matrices have it.
static void supFillIdentities( float* matrices, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        memset( matrices + 16 * i, 0, 16 * sizeof( float ) );
        for ( size_t k = 0; k < 4; ++k )
        {
            matrices[16 * i + 5 * k] = 1.0f;
        }
    }
}

/// The last row of an affine matrix says nothing, and readers pass it over: what is not finite there is put right.
static void supMendLastRows( float* matrices, size_t count )
{
    for ( size_t i = 0; i < 4 * count; ++i )
    {
        float* last = matrices + 4 * i + 3;
        *last = isfinite( *last ) ? *last : i % 4 == 3 ? 1.0f : 0.0f;
    }
}

/// The matrices of the skin's joints as they lie in the file, and behind them each helper's: its joint's own, for one
/// that turns moved by its place.
static void supAddBindMatrices( supBakeEdit* bake, int32_t skin, json_t* json, int32_t jointCount, int32_t added )
{
    supReader* reader = &bake->edit.reader;
    int32_t index = supReader_Index( reader, json, "inverseBindMatrices", "accessors" );
    if ( index < 0 && supJointBake_Info( bake->bake )->turningCount == 0 )
    {
        return; // identity for all, for helpers too
    }
    supAccessor accessor = { 0 };
    if ( index >= 0 )
    {
        accessor = supReader_Accessor( reader, index, "inverseBindMatrices", 4, 4, sup_componentFloat );
    }
    size_t most = (size_t)( accessor.count > jointCount ? accessor.count : jointCount ) + (size_t)added;
    float* matrices = supReader_Take( reader, &bake->arena, most, 16 * sizeof( float ) );
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    if ( index >= 0 )
    {
        supAccessor_ReadFloats( &accessor, matrices );
        supMendLastRows( matrices, (size_t)accessor.count );
    }
    else
    {
        supFillIdentities( matrices, most );
    }
    for ( int32_t h = 0; h < bake->helperCount; ++h )
    {
        int32_t slot = bake->slots[(size_t)skin * (size_t)bake->helperCount + (size_t)h];
        if ( slot >= 0 )
        {
            supBakedHelper helper = supJointBake_Info( bake->bake )->helpers[h];
            float* own = matrices + 16 * (size_t)slot;
            int32_t joint = supFindInSkin( bake->character, skin, helper.joint );
            memcpy( own, matrices + 16 * (size_t)joint, 16 * sizeof( float ) );
            own[12] -= helper.place.x;
            own[13] -= helper.place.y;
            own[14] -= helper.place.z;
        }
    }
    int32_t count = jointCount + added;
    int32_t view = supEdit_AddView( &bake->edit, matrices, (size_t)count * 16 * sizeof( float ), 0 );
    supNewAccessor made = { .view = view, .component = sup_componentFloat, .type = "MAT4", .count = count };
    supEdit_Put( &bake->edit, json, "inverseBindMatrices", json_integer( supEdit_AddAccessor( &bake->edit, &made ) ) );
}

static void supExtendSkin( supBakeEdit* bake, int32_t skin )
{
    json_t* json = supGltf_Item( bake->edit.document, "skins", skin );
    json_t* joints = json_object_get( json, "joints" );
    int32_t jointCount = (int32_t)json_array_size( joints ), added = 0;
    for ( int32_t h = 0; h < bake->helperCount; ++h )
    {
        bool inSkin = supFindInSkin( bake->character, skin, supJointBake_Info( bake->bake )->helpers[h].joint ) >= 0;
        bake->slots[(size_t)skin * (size_t)bake->helperCount + (size_t)h] = inSkin ? jointCount + added : -1;
        added += inSkin ? 1 : 0;
    }
    if ( added == 0 )
    {
        return;
    }
    if ( jointCount + added > UINT16_MAX )
    {
        supReader_Fail( &bake->edit.reader, sup_errorLimit, "skin %d would have %d joints, glTF allows %d", skin,
            jointCount + added, UINT16_MAX );
        return;
    }
    json_t* bind = json_object_get( json, "inverseBindMatrices" );
    supBakeEdit_Note(
        bake, "skins", skin, jointCount, true, bind != NULL ? (int32_t)json_number_value( bind ) : -1, NULL );
    supAddBindMatrices( bake, skin, json, jointCount, added );
    for ( int32_t h = 0; h < bake->helperCount; ++h )
    {
        if ( bake->slots[(size_t)skin * (size_t)bake->helperCount + (size_t)h] >= 0 )
        {
            supEdit_Push( &bake->edit, joints, json_integer( bake->firstHelper + h ) );
        }
    }
}

void supBakeEdit_AddHelpers( supBakeEdit* bake )
{
    int32_t skins = supCharacter_Info( bake->character )->skinCount;
    bake->helperCount = supJointBake_Info( bake->bake )->helperCount;
    bake->firstHelper = supGltf_Count( bake->edit.document, "nodes" );
    bake->slots = supReader_Take(
        &bake->edit.reader, &bake->arena, (size_t)skins * (size_t)bake->helperCount + 1, sizeof( int32_t ) );
    for ( int32_t h = 0; h < bake->helperCount && supEdit_Ok( &bake->edit ); ++h )
    {
        supAddHelperNode( bake, h );
    }
    for ( int32_t s = 0; s < skins && supEdit_Ok( &bake->edit ); ++s )
    {
        supExtendSkin( bake, s );
    }
}
