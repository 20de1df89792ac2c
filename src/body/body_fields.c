// Live edits by name: one field of one item of any layer.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/math.h"
#include "body/body_data.h"
#include "rig/layer_list.h"

#include <math.h>
#include <string.h>

/// What a layer of the model says of itself; NULL where it has no items.
static const supLayerInfo* supInfoOf( const supBody* body, int32_t layer )
{
    int32_t at = supStack_Find( &body->model->stack, layer );
    return layer == sup_layerFlesh ? supGetLayerInfo( layer )
           : at >= 0               ? &body->model->stack.layers[at].layer->info
                                   : NULL;
}

/// The field, or words that name the place: "elements[2].frequncy: …".
static supResult supFindLiveField(
    const supBody* body, int32_t layer, int32_t item, const char* name, const supField** out, supError* error )
{
    const supLayerInfo* info = supInfoOf( body, layer );
    int32_t count = info != NULL ? supModel_ItemCount( body->model, layer ) : 0;
    if ( info == NULL || item < 0 || item >= count )
    {
        return supFail( error, sup_errorArgument, "layer %d, item %d: the model has %d of these", layer, item, count );
    }
    char place[SUP_PLACE_TEXT];
    supPlaceText( place, "%s[%d]", info->key, item );
    const supField* field = supFindField( info->fields, info->fieldCount, name );
    if ( field == NULL )
    {
        const char* known[64];
        int32_t knownCount = 0;
        for ( int32_t i = 0; i < info->fieldCount && knownCount < 64; ++i )
        {
            known[knownCount++] = info->fields[i].name;
        }
        return supFailUnknown( place, name, known, knownCount, error );
    }
    if ( !field->live )
    {
        return supFail(
            error, sup_errorUnsupported, "%s.%s: cannot be changed while it runs; compile a new model", place, name );
    }
    *out = field;
    return sup_success;
}

static supResult supCheckLiveValue(
    const supField* field, const supLayerInfo* info, int32_t item, float value, supError* error )
{
    float least = field->minimum, most = field->maximum;
    if ( field->type == sup_fieldBool || field->type == sup_fieldEnum )
    {
        least = 0.0f;
        most = 1.0f;
        for ( int32_t i = 0; field->type == sup_fieldEnum && field->choices[i] != NULL; ++i )
        {
            most = (float)i;
        }
        value = (double)value == supFloor( (double)value ) ? value : NAN;
    }
    if ( !( value >= least && value <= most ) )
    {
        return supFail( error, sup_errorArgument, "%s[%d].%s: %g is not in [%g, %g]%s%s", info->key, item, field->name,
            (double)value, (double)least, (double)most, field->unit[0] != '\0' ? " " : "", field->unit );
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Flesh keeps springs instead of fields

/// The number of a tuning that a field of an element stands for, or NULL.
static float* supTuningField( supElementTuning* tuning, const char* field )
{
    struct
    {
        const char* name;
        float* value;
    } const fields[] = { { "frequency", &tuning->frequency }, { "dampingRatio", &tuning->dampingRatio },
        { "amount", &tuning->amount }, { "sag", &tuning->sag }, { "mass", &tuning->mass },
        { "gravityScale", &tuning->gravityScale }, { "airFriction", &tuning->airFriction },
        { "limitScale", &tuning->limitScale } };
    for ( size_t i = 0; i < sizeof( fields ) / sizeof( fields[0] ); ++i )
    {
        if ( strcmp( fields[i].name, field ) == 0 )
        {
            return fields[i].value;
        }
    }
    return NULL;
}

/// Stiffness in N/m and damping in N s/m, from frequency, ratio and mass.
static void supPhysicalOf( const supElementTuning* tuning, float* stiffness, float* damping )
{
    double omega = 2.0 * SUP_PI * tuning->frequency;
    *stiffness = (float)( omega * omega * tuning->mass );
    *damping = (float)( 2.0 * tuning->dampingRatio * omega * tuning->mass );
}

static supResult supSetElementField( supBody* body, int32_t item, const char* name, float value, supError* error )
{
    supElementTuning tuning = supBody_Tuning( body, item );
    float* number = supTuningField( &tuning, name );
    if ( number != NULL )
    {
        *number = value;
        return supBody_Tune( body, item, &tuning, error );
    }
    float stiffness, damping;
    supPhysicalOf( &tuning, &stiffness, &damping );
    stiffness = strcmp( name, "stiffness" ) == 0 ? value : stiffness;
    damping = strcmp( name, "damping" ) == 0 ? value : damping;
    return supBody_TunePhysical( body, item, tuning.mass, stiffness, damping, error );
}

static float supElementField( const supBody* body, int32_t item, const char* name )
{
    supElementTuning tuning = supBody_Tuning( body, item );
    const float* number = supTuningField( &tuning, name );
    float stiffness, damping;
    supPhysicalOf( &tuning, &stiffness, &damping );
    return number != NULL ? *number : strcmp( name, "stiffness" ) == 0 ? stiffness : damping;
}

// ---------------------------------------------------------------------------------------------------------------
// Any layer

supResult supBody_SetField(
    supBody* body, int32_t layer, int32_t item, const char* field, float value, supError* error )
{
    const supField* about = NULL;
    supResult result = supFindLiveField( body, layer, item, field, &about, error );
    result = result == sup_success ? supCheckLiveValue( about, supInfoOf( body, layer ), item, value, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    if ( layer == sup_layerFlesh )
    {
        return supSetElementField( body, item, field, value, error );
    }
    int32_t at = supStack_Find( &body->model->stack, layer );
    const supStackLayer* entry = body->model->stack.layers + at;
    supBodyLayer* own = body->layers.layers + at;
    int32_t place = supLayer_FindLive( entry->layer, field );
    if ( place < 0 )
    {
        return supFail( error, sup_errorUnsupported, "%s[%d].%s: is no number", entry->layer->info.key, item, field );
    }
    own->live[item * entry->liveCount + place] = value;
    if ( entry->layer->tuned != NULL )
    {
        entry->layer->tuned( entry->compiled, own->state, own->live, item );
    }
    return sup_success;
}

float supBody_Field( const supBody* body, int32_t layer, int32_t item, const char* field )
{
    const supField* about = NULL;
    if ( supFindLiveField( body, layer, item, field, &about, NULL ) != sup_success )
    {
        return NAN;
    }
    if ( layer == sup_layerFlesh )
    {
        return supElementField( body, item, field );
    }
    int32_t at = supStack_Find( &body->model->stack, layer );
    const supStackLayer* entry = body->model->stack.layers + at;
    int32_t place = supLayer_FindLive( entry->layer, field );
    return place >= 0 ? body->layers.layers[at].live[item * entry->liveCount + place] : NAN;
}
