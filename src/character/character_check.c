// Supple: every reason to refuse a character, each named.
// SPDX-License-Identifier: MIT
#include "character_data.h"

#include <stdio.h>

static supResult supCheckCount(
    const supCharacterDef* def, const char* what, int64_t count, const void* data, supError* error )
{
    if ( count < 0 )
    {
        return supRefuse(
            def, error, sup_errorArgument, "%s: the count is %lld, but must not be negative", what, (long long)count );
    }
    if ( count > 0 && data == NULL )
    {
        return supRefuse( def, error, sup_errorArgument, "%s: there should be %lld of them, but the array is missing",
            what, (long long)count );
    }
    return sup_success;
}

static supResult supCheckJoints( const supCharacterDef* def, supError* error )
{
    for ( int32_t i = 0; i < def->jointCount; ++i )
    {
        const supJointDef* joint = def->joints + i;
        supLabel label = supLabelOf( "joint", i, joint->name );
        if ( joint->parent < -1 || joint->parent >= def->jointCount )
        {
            return supRefuse( def, error, sup_errorData, "%s: its parent is joint %d, but there are %d joints",
                label.text, (int)joint->parent, (int)def->jointCount );
        }
        const float* numbers = joint->matrix != NULL ? (const float*)joint->matrix : (const float*)&joint->rest;
        size_t count = joint->matrix != NULL ? 12 : 10;
        if ( supFindNotFinite( numbers, count ) < count )
        {
            return supRefuse(
                def, error, sup_errorData, "%s: its transform holds a number that is not finite", label.text );
        }
    }
    return sup_success;
}

static supResult supCheckSkin( const supCharacterDef* def, int32_t index, supError* error )
{
    const supSkinDef* skin = def->skins + index;
    supLabel label = supLabelOf( "skin", index, skin->name );
    if ( skin->jointCount < 1 || skin->joints == NULL )
    {
        return supRefuse( def, error, sup_errorData, "%s: has no joints", label.text );
    }
    if ( skin->jointCount > SUP_MAX_SKIN_JOINTS )
    {
        return supRefuse( def, error, sup_errorLimit, "%s: has %d joints; at most %d are allowed", label.text,
            (int)skin->jointCount, SUP_MAX_SKIN_JOINTS );
    }
    for ( int32_t i = 0; i < skin->jointCount; ++i )
    {
        if ( skin->joints[i] < 0 || skin->joints[i] >= def->jointCount )
        {
            return supRefuse( def, error, sup_errorData, "%s: entry %d is joint %d, but there are %d joints",
                label.text, (int)i, (int)skin->joints[i], (int)def->jointCount );
        }
        if ( skin->inverseBind != NULL && supFindNotFinite( (const float*)( skin->inverseBind + i ), 12 ) < 12 )
        {
            supLabel joint = supLabelOf( "joint", skin->joints[i], def->joints[skin->joints[i]].name );
            return supRefuse( def, error, sup_errorData,
                "%s: the inverse bind matrix of %s (entry %d) holds a number that is not finite", label.text,
                joint.text, (int)i );
        }
    }
    return sup_success;
}

/// Places that are not finite are put right where nothing is drawn there: then no triangle has such a corner. `what`
/// names them, `values` may be NULL.
static supResult supCheckPlaces( const supCharacterDef* def, const supLabel* label, const supMeshDef* mesh,
    const char* what, const float* values, supError* error )
{
    size_t count = values != NULL ? (size_t)mesh->vertexCount * 3 : 0;
    size_t at = supFindNotFinite( values, count );
    if ( at == count )
    {
        return sup_success;
    }
    size_t vertex = at / 3;
    bool isDrawn = mesh->indexCount == 0;
    for ( int32_t i = 0; !isDrawn && i < mesh->indexCount; ++i )
    {
        vertex = mesh->indices[i];
        isDrawn = supFindNotFinite( values + 3 * vertex, 3 ) < 3;
    }
    return isDrawn ? supRefuse( def, error, sup_errorData, "%s, vertex %lld: its %s is not a finite number",
                         label->text, (long long)vertex, what )
                   : sup_success;
}

static supResult supCheckMeshCounts( const supCharacterDef* def, int32_t index, supError* error )
{
    const supMeshDef* mesh = def->meshes + index;
    supLabel label = supLabelOf( "mesh", index, mesh->name );
    if ( mesh->vertexCount < 0 || mesh->indexCount < 0 || mesh->morphCount < 0 )
    {
        return supRefuse( def, error, sup_errorArgument,
            "%s: a count below zero (%d vertices, %d indices, %d morph targets)", label.text, (int)mesh->vertexCount,
            (int)mesh->indexCount, (int)mesh->morphCount );
    }
    if ( mesh->joint < 0 || mesh->joint >= def->jointCount )
    {
        return supRefuse( def, error, sup_errorData, "%s: shown by joint %d, but there are %d joints", label.text,
            (int)mesh->joint, (int)def->jointCount );
    }
    if ( mesh->skin < -1 || mesh->skin >= def->skinCount )
    {
        return supRefuse( def, error, sup_errorData, "%s: bound to skin %d, but there are %d skins", label.text,
            (int)mesh->skin, (int)def->skinCount );
    }
    if ( mesh->vertexCount > 0 && mesh->positions == NULL )
    {
        return supRefuse( def, error, sup_errorData, "%s: has no positions", label.text );
    }
    if ( mesh->indexCount > 0 && mesh->indices == NULL )
    {
        return supRefuse( def, error, sup_errorArgument, "%s: there should be %d indices, but the array is missing",
            label.text, (int)mesh->indexCount );
    }
    if ( mesh->indexCount % 3 != 0 )
    {
        return supRefuse( def, error, sup_errorData, "%s: %d indices do not make whole triangles", label.text,
            (int)mesh->indexCount );
    }
    if ( mesh->skin >= 0 && ( mesh->influenceCount < 1 || mesh->influenceCount > SUP_MAX_INFLUENCES ) )
    {
        return supRefuse( def, error, sup_errorLimit, "%s: %d joints per vertex; 1 to %d are allowed", label.text,
            (int)mesh->influenceCount, SUP_MAX_INFLUENCES );
    }
    if ( mesh->skin >= 0 && mesh->vertexCount > 0 && ( mesh->jointIndices == NULL || mesh->weights == NULL ) )
    {
        return supRefuse( def, error, sup_errorData, "%s: bound to a skin, but has no %s", label.text,
            mesh->jointIndices == NULL ? "joint indices" : "weights" );
    }
    return sup_success;
}

static supResult supCheckInfluences(
    const supCharacterDef* def, const supLabel* label, const supMeshDef* mesh, supError* error )
{
    const supSkinDef* skin = def->skins + mesh->skin;
    size_t width = (size_t)mesh->influenceCount;
    size_t count = (size_t)mesh->vertexCount * width;
    for ( size_t i = 0; i < count; ++i )
    {
        // what is zero, below or NaN counts as zero, and then nothing is meant by the index
        if ( mesh->weights[i] > 0.0f && mesh->jointIndices[i] >= skin->jointCount )
        {
            supLabel skinLabel = supLabelOf( "skin", mesh->skin, skin->name );
            return supRefuse( def, error, sup_errorData, "%s, vertex %lld: its joint index is %d, but %s has %d joints",
                label->text, (long long)( i / width ), (int)mesh->jointIndices[i], skinLabel.text,
                (int)skin->jointCount );
        }
    }
    return sup_success;
}

static supResult supCheckMorphs(
    const supCharacterDef* def, const supLabel* label, const supMeshDef* mesh, supError* error )
{
    for ( int32_t m = 0; mesh->morphPositions != NULL && m < mesh->morphCount; ++m )
    {
        char what[64];
        snprintf( what, sizeof( what ), "position in morph target %d", (int)m );
        supResult result = supCheckPlaces( def, label, mesh, what, mesh->morphPositions[m], error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    size_t count = mesh->morphWeights != NULL ? (size_t)mesh->morphCount : 0;
    size_t at = supFindNotFinite( mesh->morphWeights, count );
    if ( at < count )
    {
        return supRefuse( def, error, sup_errorData, "%s: the weight of morph target %d is not a finite number",
            label->text, (int)at );
    }
    return sup_success;
}

static supResult supCheckMesh( const supCharacterDef* def, int32_t index, supError* error )
{
    const supMeshDef* mesh = def->meshes + index;
    supLabel label = supLabelOf( "mesh", index, mesh->name );
    for ( int32_t i = 0; i < mesh->indexCount; ++i )
    {
        if ( mesh->indices[i] >= (uint32_t)mesh->vertexCount )
        {
            return supRefuse( def, error, sup_errorData,
                "%s, triangle %d: it uses vertex %lld, but there are %d vertices", label.text, (int)( i / 3 ),
                (long long)mesh->indices[i], (int)mesh->vertexCount );
        }
    }
    supResult result = supCheckPlaces( def, &label, mesh, "position", mesh->positions, error );
    if ( result == sup_success && mesh->skin >= 0 )
    {
        result = supCheckInfluences( def, &label, mesh, error );
    }
    return result == sup_success ? supCheckMorphs( def, &label, mesh, error ) : result;
}

/// What is counted over all skins and meshes is an int32_t in the views.
static supResult supCheckTotals( const supCharacterDef* def, supError* error )
{
    int64_t vertices = 0, morphs = 0, palette = 0;
    for ( int32_t i = 0; i < def->meshCount; ++i )
    {
        vertices += def->meshes[i].vertexCount;
        morphs += def->meshes[i].morphCount;
        palette += def->meshes[i].skin < 0 ? 1 : 0;
    }
    for ( int32_t i = 0; i < def->skinCount; ++i )
    {
        palette += def->skins[i].jointCount;
    }
    if ( vertices > INT32_MAX || morphs > INT32_MAX || palette > INT32_MAX )
    {
        return supRefuse( def, error, sup_errorLimit,
            "too large: %lld vertices, %lld morph targets, %lld joint matrices; at most %d of each are allowed",
            (long long)vertices, (long long)morphs, (long long)palette, (int)INT32_MAX );
    }
    double bytes = def->mostMemory > 0 ? supCharacterDefBytes( def ) : 0.0;
    if ( bytes > (double)def->mostMemory )
    {
        return supRefuse( def, error, sup_errorLimit,
            "would take %.3g MB as a character, but only %.3g MB of its memory budget are left; raise the budget (--max-memory) if you trust it",
            1e-6 * bytes, 1e-6 * (double)def->mostMemory );
    }
    return sup_success;
}

supResult supCheckCharacterDef( const supCharacterDef* def, supError* error )
{
    const struct
    {
        const char* what;
        int32_t count;
        const void* data;
    } lists[4] = { { "joints", def->jointCount, def->joints }, { "skins", def->skinCount, def->skins },
        { "meshes", def->meshCount, def->meshes }, { "clips", def->clipCount, def->clips } };
    supResult result = sup_success;
    for ( int32_t i = 0; result == sup_success && i < 4; ++i )
    {
        result = supCheckCount( def, lists[i].what, lists[i].count, lists[i].data, error );
    }
    result = result == sup_success ? supCheckJoints( def, error ) : result;
    for ( int32_t i = 0; result == sup_success && i < def->skinCount; ++i )
    {
        result = supCheckSkin( def, i, error );
    }
    for ( int32_t i = 0; result == sup_success && i < def->meshCount; ++i )
    {
        result = supCheckMeshCounts( def, i, error );
    }
    result = result == sup_success ? supCheckTotals( def, error ) : result;
    for ( int32_t i = 0; result == sup_success && i < def->meshCount; ++i )
    {
        result = supCheckMesh( def, i, error );
    }
    return result == sup_success ? supCheckClipDefs( def, error ) : result;
}
