// Supple io: rigs of earlier versions.
// SPDX-License-Identifier: MIT
//
// A rig says in "supple" which version of the format it was written in; one that does not say was written before that
// was asked for, or by hand, and counts as the first. Where a field changes its meaning, or its default, the version is
// raised and a step is added below that rewrites the JSON of the version before, so that old rigs keep their motion to
// the bit. The steps run one after the other, and all readers (files, memory, glTF) pass through here.
#include "io/rig_json.h"

#include "io/json_checked.h"

// From 1 to 2: every field means what it did. The second version stands for rigs of the automatic rig that knows
// regions and sides, whose amounts are made for ordinary motion: numbers that any version plays the same.
static const supRigStep sup_rigSteps[SUP_RIG_VERSION - 1] = { NULL };

/// What "supple" says; 1 where it is absent. Fails where that is no version, or above `newest`.
static supResult supReadRigVersion( const json_t* root, int32_t newest, int32_t* version, supError* error )
{
    const json_t* value = json_object_get( root, "supple" );
    json_int_t number = value != NULL ? json_integer_value( value ) : 1;
    if ( value != NULL && ( !json_is_integer( value ) || number < 1 ) )
    {
        return supFail(
            error, sup_errorData, "supple: must be the version of the format, a number from 1 to %d", newest );
    }
    if ( number > newest )
    {
        return supFail( error, sup_errorUnsupported,
            "supple: version %lld: made by a newer version of Supple; this one reads versions up to %d, so get a newer one",
            (long long)number, newest );
    }
    *version = (int32_t)number;
    return sup_success;
}

supResult supMigrateRigBy(
    const json_t* root, const supRigStep* steps, int32_t stepCount, json_t** out, supError* error )
{
    int32_t version = 1;
    *out = NULL;
    supResult result = supReadRigVersion( root, stepCount + 1, &version, error );
    if ( result != sup_success )
    {
        return result;
    }
    json_t* own = NULL; // the document's own rig is left alone
    for ( int32_t i = version - 1; i < stepCount; ++i )
    {
        if ( steps[i] == NULL )
        {
            continue;
        }
        own = own != NULL ? own : supCopyJson( root );
        if ( own == NULL || steps[i]( own ) == false )
        {
            json_decref( own );
            return supFail( error, sup_errorMemory, "out of memory for a rig of version %d", version );
        }
    }
    *out = own != NULL ? own : json_incref( (json_t*)root );
    return sup_success;
}

supResult supMigrateRig( const json_t* root, json_t** out, supError* error )
{
    return supMigrateRigBy( root, sup_rigSteps, SUP_RIG_VERSION - 1, out, error );
}
