// SPDX-License-Identifier: MIT
#include "io/gltf_bake.h"
#include "base/float_settings.h"

#define SUP_GLTF_BAKE_COOKIE 0x62616b65

supGltfBakeOptions supDefaultGltfBakeOptions( void )
{
    return ( supGltfBakeOptions ){ .isBinary = true, .cookie = SUP_GLTF_BAKE_COOKIE };
}

/// The rig of an earlier bake leaves with it; the new one takes the place of any other.
static supResult supEmbedRig( supGltf* document, const supRig* rig, supError* error )
{
    supResult result = sup_success;
    if ( rig != NULL || document->hasBakedRig )
    {
        result = supGltf_SetRig( document, NULL, error );
    }
    document->hasBakedRig = false;
    return result == sup_success && rig != NULL ? supGltf_SetRig( document, rig, error ) : result;
}

static supResult supAddBake( supGltf* document, supBakeEdit bake, supError* error )
{
    const supGltfBakeOptions* options = bake.options;
    if ( options->cookie != SUP_GLTF_BAKE_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the options were not made by supDefaultGltfBakeOptions" );
    }
    bake.character = supModel_Info( bake.model )->character;
    if ( supCharacter_Info( bake.character )->jointCount != supGltf_Count( document, "nodes" ) )
    {
        return supFail( error, sup_errorArgument,
            "the model is of another document: it has %d joints, %d nodes are here",
            supCharacter_Info( bake.character )->jointCount, supGltf_Count( document, "nodes" ) );
    }
    supResult result = options->isBinary ? supGltf_MakeBinary( document, error ) : sup_success;
    if ( result == sup_success )
    {
        // before the record is begun: taking the bake out leaves it plain, and baking again gives the same bytes
        supGltfEdit plain = supStartEdit( document, options->isBinary, error );
        supEdit_MakePlain( &plain );
        result = plain.reader.result;
    }
    if ( result != sup_success )
    {
        return result;
    }
    supFloatSettings host = supEnterFloatSettings();
    bake.edit = supStartEdit( document, options->isBinary, error );
    supBakeEdit_StartRecord( &bake );
    if ( bake.morphs != NULL )
    {
        supBakeEdit_AddTargets( &bake );
    }
    else
    {
        supBakeEdit_AddHelpers( &bake );
        supBakeEdit_AddInfluences( &bake );
    }
    if ( options->isLive == false )
    {
        supBakeEdit_AddClips( &bake );
    }
    result = bake.edit.reader.result;
    result = result == sup_success ? supEmbedRig( document, options->rig, error ) : result;
    if ( result == sup_success )
    {
        supBakeEdit_EndRecord( &bake, options->rig != NULL );
        result = bake.edit.reader.result;
    }
    supLeaveFloatSettings( host );
    json_decref( bake.record );
    supArena_Free( &bake.arena );
    return result;
}

supResult supGltf_AddJointBake( supGltf* document, const supModel* model, const supJointBake* joints,
    const supGltfBakeOptions* options, supError* error )
{
    return supAddBake( document, ( supBakeEdit ){ .model = model, .bake = joints, .options = options }, error );
}

supResult supGltf_AddMorphBake( supGltf* document, const supModel* model, const supMorphBake* morphs,
    const supGltfBakeOptions* options, supError* error )
{
    if ( options->isLive )
    {
        return supFail( error, sup_errorArgument, "a bake as morphs has no helper joints to drive" );
    }
    return supAddBake( document, ( supBakeEdit ){ .model = model, .morphs = morphs, .options = options }, error );
}
