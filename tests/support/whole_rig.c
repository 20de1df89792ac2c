#include "support/whole_rig.h"

#include "rig/layer_list.h"
#include "support/edited_limb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void supPutWhole( supRig* rig, int32_t layer, const void* item )
{
    supError error = { 0 };
    if ( supRig_AddItem( rig, layer, item, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

supWholeRig supMakeWholeRig( bool withCurves )
{
    supWholeRig whole = { .character = supMakeLimbCharacter( 1.0f, true ) };
    whole.rig = supMakeEditedRig( whole.character );
    supElementDef element = supLimbElement();
    element.name = "flesh";
    element.airFriction = 1.0f;
    supPutWhole( whole.rig, sup_layerFlesh, &element );
    supModeDef mode = supDefaultModeDef();
    mode.element = "flesh";
    supPutWhole( whole.rig, sup_layerModes, &mode );
    supVolumeDef volume = supDefaultVolumeDef();
    volume.element = "flesh";
    supPutWhole( whole.rig, sup_layerVolume, &volume );
    supContactDef contact = supDefaultContactDef();
    contact.element = "flesh";
    supPutWhole( whole.rig, sup_layerContact, &contact );
    supWrinkleDef wrinkle = supDefaultWrinkleDef();
    float size = supCharacter_Info( whole.character )->size;
    const supVec3 across[3] = { { -0.1f / size, 0.5f / size, 0.0f }, { 0.0f, 0.5f / size, 0.1f / size },
        { 0.1f / size, 0.5f / size, 0.0f } };
    wrinkle.points = ( supPointList ){ 3, across };
    supPutWhole( whole.rig, sup_layerWrinkles, &wrinkle );
    supCurvesDef curves = supDefaultCurvesDef();
    if ( withCurves )
    {
        supPutWhole( whole.rig, sup_layerCurves, &curves );
    }
    supError error = { 0 };
    if ( supCompileModel( whole.character, whole.rig, &whole.model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return whole;
}

void supDropWholeRig( supWholeRig* whole )
{
    supDestroyModel( whole->model );
    supDestroyRig( whole->rig );
    supDestroyCharacter( whole->character );
}
