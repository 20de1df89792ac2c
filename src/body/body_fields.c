// Live edits by name: one field of one item of any layer.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/math.h"
#include "body/body_data.h"
#include "rig/layer_list.h"
#include "supple/lab/states.h"

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

/// A live field of an item, or of an object in one of its lists.
typedef struct supLiveField
{
    const supField* field;
    char place[SUP_PLACE_TEXT]; ///< "muscles[2].points[1]"
    int32_t list, object;       ///< -1: the item's own
} supLiveField;

/// The table of an object in a list, whose place is noted; NULL: there is none, and the words for that.
static const supFieldTable* supFindList(
    const supStackLayer* entry, int32_t item, const supFieldPath* path, supLiveField* out, supError* error )
{
    for ( int32_t i = 0; i < entry->listCount && out->list < 0; ++i )
    {
        out->list = strcmp( supLayer_List( entry->layer, i )->name, path->list ) == 0 ? i : -1;
    }
    int32_t objects = out->list >= 0 ? entry->lists[item * entry->listCount + out->list] : 0;
    if ( path->object >= objects )
    {
        supFail( error, sup_errorArgument, "%s.%s[%d]: there are %d of these", out->place, path->list, path->object,
            objects );
        return NULL;
    }
    out->object = path->object;
    supPlaceText( out->place, "%s[%d].%s[%d]", entry->layer->info.key, item, path->list, path->object );
    return supLayer_List( entry->layer, out->list )->items;
}

/// The field, or words that name the place: "elements[2].frequncy: …".
static supResult supFindLiveField(
    const supBody* body, int32_t layer, int32_t item, const char* name, supLiveField* out, supError* error )
{
    const supLayerInfo* info = supInfoOf( body, layer );
    int32_t count = info != NULL ? supModel_ItemCount( body->model, layer ) : 0;
    if ( info == NULL || item < 0 || item >= count )
    {
        return supFail( error, sup_errorArgument, "layer %d, item %d: the model has %d of these", layer, item, count );
    }
    *out = ( supLiveField ){ .list = -1 };
    supPlaceText( out->place, "%s[%d]", info->key, item );
    const supField* fields = info->fields;
    int32_t fieldCount = info->fieldCount;
    supFieldPath path;
    if ( !supReadFieldPath( name, &path ) )
    {
        return supFailNoField( out->place, name, fields, fieldCount, error );
    }
    if ( path.list[0] != '\0' )
    {
        int32_t at = supStack_Find( &body->model->stack, layer );
        const supFieldTable* table =
            at >= 0 ? supFindList( body->model->stack.layers + at, item, &path, out, error ) : NULL;
        if ( table == NULL )
        {
            return at >= 0 ? sup_errorArgument : supFailNoField( out->place, name, fields, fieldCount, error );
        }
        fields = table->fields;
        fieldCount = table->count;
    }
    out->field = supFindField( fields, fieldCount, path.field );
    if ( out->field == NULL )
    {
        return supFailNoField( out->place, path.field, fields, fieldCount, error );
    }
    return out->field->live ? sup_success
                            : supFail( error, sup_errorUnsupported,
                                  "%s.%s: cannot be changed in place; use supEditor_Set, which compiles the rig anew",
                                  out->place, path.field );
}

/// Where a body keeps it among the live fields of a layer above flesh, or -1: it is no number.
static int32_t supLiveAt( const supStackLayer* entry, int32_t item, const supLiveField* live )
{
    const supFieldTable* table = live->list >= 0 ? supLayer_List( entry->layer, live->list )->items : NULL;
    const supField* fields = table != NULL ? table->fields : entry->layer->info.fields;
    int32_t place =
        supFindLiveIn( fields, table != NULL ? table->count : entry->layer->info.fieldCount, live->field->name );
    int32_t first =
        table != NULL ? supStackLayer_ListedAt( entry, item, live->list, live->object ) : item * entry->liveCount;
    return place >= 0 ? first + place : -1;
}

/// A number that may be "not given" is taken back with NaN.
static supResult supCheckLiveValue( const supLiveField* live, bool optional, float value, supError* error )
{
    const supField* field = live->field;
    float least = field->minimum, most = field->maximum;
    bool whole = true;
    if ( field->type == sup_fieldBool || field->type == sup_fieldEnum )
    {
        least = 0.0f;
        most = 1.0f;
        for ( int32_t i = 0; field->type == sup_fieldEnum && field->choices[i] != NULL; ++i )
        {
            most = (float)i;
        }
        whole = (double)value == supFloor( (double)value );
    }
    bool notGiven = optional && field->optional && value != value;
    if ( !notGiven && !( value >= least && value <= most && whole ) )
    {
        return supFail( error, sup_errorArgument, "%s.%s: %g is not in [%g, %g]%s%s", live->place, field->name,
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
    supLiveField about;
    supResult result = supFindLiveField( body, layer, item, field, &about, error );
    // an element's springs are worked out from what is given, and forget what was not
    result = result == sup_success ? supCheckLiveValue( &about, layer != sup_layerFlesh, value, error ) : result;
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
    int32_t place = supLiveAt( entry, item, &about );
    if ( place < 0 )
    {
        return supFail( error, sup_errorUnsupported, "%s.%s: is not a number", about.place, about.field->name );
    }
    own->live[place] = value;
    if ( entry->layer->motion != NULL && entry->layer->motion->tuned != NULL )
    {
        entry->layer->motion->tuned( entry->compiled, own->state, own->live, item );
    }
    return sup_success;
}

float supBody_Field( const supBody* body, int32_t layer, int32_t item, const char* field )
{
    supLiveField about;
    if ( supFindLiveField( body, layer, item, field, &about, NULL ) != sup_success )
    {
        return NAN;
    }
    if ( layer == sup_layerFlesh )
    {
        return supElementField( body, item, field );
    }
    int32_t at = supStack_Find( &body->model->stack, layer );
    int32_t place = supLiveAt( body->model->stack.layers + at, item, &about );
    return place >= 0 ? body->layers.layers[at].live[place] : NAN;
}
