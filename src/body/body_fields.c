// Live edits by name: one field of one item of any layer.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/float_settings.h"
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/states.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// A live field of an item, or of an object in one of its lists.
typedef struct supLiveField
{
    const supField* field;
    char place[SUP_PATH_TEXT]; ///< "muscles[2].points[1]"
    int32_t list, object;      ///< -1: the item's own
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
    supPathText( out->place, "%s[%d].%s[%d]", entry->layer->info.key, item, path->list, path->object );
    return supLayer_List( entry->layer, out->list )->items;
}

/// The field, or words that name the place: "elements[2].frequncy: …".
static supResult supFindLiveField(
    const supBody* body, int32_t layer, int32_t item, const char* name, supLiveField* out, supError* error )
{
    int32_t at = supStack_Find( &body->model->stack, layer );
    const supStackLayer* entry = at >= 0 ? body->model->stack.layers + at : NULL;
    int32_t count = entry != NULL ? entry->itemCount : 0;
    if ( item < 0 || item >= count )
    {
        return supFail( error, sup_errorArgument, "layer %d, item %d: the model has %d of these", layer, item, count );
    }
    const supLayerInfo* info = &entry->layer->info;
    *out = ( supLiveField ){ .list = -1 };
    supPathText( out->place, "%s[%d]", info->key, item );
    const supField* fields = info->fields;
    int32_t fieldCount = info->fieldCount;
    supFieldPath path;
    if ( !supReadFieldPath( name, &path ) )
    {
        return supFailNoField( out->place, name, fields, fieldCount, error );
    }
    if ( path.list[0] != '\0' )
    {
        const supFieldTable* table = supFindList( entry, item, &path, out, error );
        if ( table == NULL )
        {
            return sup_errorArgument;
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

/// Where a body keeps it among the live fields of its layer, or -1: it is no number.
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
// Any layer

/// Sets `count` live fields of an item, from `place` on, of the layer that is `at` on the stack, and all that follows
/// from them. On an error nothing changes.
static supResult supBody_SetLive(
    supBody* body, int32_t at, int32_t item, int32_t place, const float* values, int32_t count, supError* error )
{
    const supStackLayer* entry = body->model->stack.layers + at;
    const supLayerMotion* motion = entry->layer->motion;
    supBodyLayer* own = body->layers.layers + at;
    float* live = own->live + (size_t)item * (size_t)entry->liveCount;
    float before[SUP_MOST_LIVE];
    assert( entry->liveCount <= SUP_MOST_LIVE );
    memcpy( before, live, sizeof( float ) * (size_t)entry->liveCount );
    memcpy( live + place, values, sizeof( float ) * (size_t)count );
    supFloatSettings host = supEnterFloatSettings();
    supResult result = sup_success;
    if ( motion != NULL && motion->relate != NULL )
    {
        result = motion->relate( entry->compiled, item, place, live, error );
    }
    if ( result != sup_success )
    {
        memcpy( live, before, sizeof( float ) * (size_t)entry->liveCount );
    }
    else if ( motion != NULL && motion->tuned != NULL )
    {
        motion->tuned( entry->compiled, own->state, own->live, item );
    }
    supLeaveFloatSettings( host );
    return result;
}

supResult supBody_SetField(
    supBody* body, int32_t layer, int32_t item, const char* field, float value, supError* error )
{
    supLiveField about;
    supResult result = supFindLiveField( body, layer, item, field, &about, error );
    if ( result != sup_success )
    {
        return result;
    }
    int32_t at = supStack_Find( &body->model->stack, layer );
    const supStackLayer* entry = body->model->stack.layers + at;
    // what follows from other fields is known here whether it was given or not
    bool known = entry->layer->motion != NULL && entry->layer->motion->relate != NULL;
    result = supCheckLiveValue( &about, !known, value, error );
    if ( result != sup_success )
    {
        return result;
    }
    supBodyLayer* own = body->layers.layers + at;
    int32_t place = supLiveAt( entry, item, &about );
    if ( place < 0 )
    {
        return supFail( error, sup_errorUnsupported, "%s.%s: is not a number", about.place, about.field->name );
    }
    if ( own->live[place] == value )
    {
        return sup_success; // others that follow from it stay what they are, to the last bit
    }
    if ( about.list < 0 )
    {
        return supBody_SetLive( body, at, item, place - item * entry->liveCount, &value, 1, error );
    }
    own->live[place] = value;
    supFloatSettings host = supEnterFloatSettings();
    if ( entry->layer->motion != NULL && entry->layer->motion->tuned != NULL )
    {
        entry->layer->motion->tuned( entry->compiled, own->state, own->live, item );
    }
    supLeaveFloatSettings( host );
    return sup_success;
}

float supBody_Field( const supBody* body, int32_t layer, int32_t item, const char* field )
{
    supLiveField about;
    if ( supFindLiveField( body, layer, item, field, &about, NULL ) != sup_success )
    {
        return NAN;
    }
    int32_t at = supStack_Find( &body->model->stack, layer );
    int32_t place = supLiveAt( body->model->stack.layers + at, item, &about );
    return place >= 0 ? body->layers.layers[at].live[place] : NAN;
}

// ---------------------------------------------------------------------------------------------------------------
// Elements of a body by their number: conveniences over the layer that has offsets, its live fields and its state.

/// The layer that the elements are items of.
typedef struct supElements
{
    int32_t at; ///< on the stack
    const supStackLayer* entry;
    const supLayerOffsets* offsets;
    supBodyLayer* own;
} supElements;

static supElements supElementsOf( const supBody* body )
{
    int32_t at = supStack_Offsets( &body->model->stack );
    const supStackLayer* entry = body->model->stack.layers + at;
    return ( supElements ){ at, entry, entry->layer->offsets, body->layers.layers + at };
}

/// The live fields that a tuning has, in its order.
static const char* const sup_tuningFields[] = { "frequency", "dampingRatio", "amount", "sag", "mass", "gravityScale",
    "airFriction", "limitScale" };

enum
{
    supTuningCount = sizeof( sup_tuningFields ) / sizeof( sup_tuningFields[0] )
};

_Static_assert( sizeof( supElementTuning ) == supTuningCount * sizeof( float ), "a name for every number" );

static int32_t supLivePlace( const supElements* elements, const char* field )
{
    const supLayerInfo* info = &elements->entry->layer->info;
    return supFindLiveIn( info->fields, info->fieldCount, field );
}

static const float* supLiveOf( const supElements* elements, int32_t element )
{
    return elements->own->live + (size_t)element * (size_t)elements->entry->liveCount;
}

supElementTuning supBody_Tuning( const supBody* body, int32_t element )
{
    supElements elements = supElementsOf( body );
    supElementTuning tuning;
    for ( int i = 0; i < supTuningCount; ++i )
    {
        ( &tuning.frequency )[i] = supLiveOf( &elements, element )[supLivePlace( &elements, sup_tuningFields[i] )];
    }
    return tuning;
}

/// Everything about it finite and in range, or words about the first thing that is not.
static supResult supCheckTuning( const supElementTuning* t, const char* name, supError* error )
{
    const struct
    {
        const char* field;
        double value, least, most;
    } checks[] = {
        { "frequency", t->frequency, 1e-6, 1e9 },
        { "dampingRatio", t->dampingRatio, 0.0, 1e6 },
        { "amount", t->amount, 0.0, 1e3 },
        { "sag", t->sag, 0.0, 1e3 },
        { "mass", t->mass, 1e-12, 1e12 },
        { "gravityScale", t->gravityScale, -1e3, 1e3 },
        { "airFriction", t->airFriction, 0.0, 1e6 },
        { "limitScale", t->limitScale, 0.0, 1.0 },
    };
    for ( size_t i = 0; i < sizeof( checks ) / sizeof( checks[0] ); ++i )
    {
        if ( !( checks[i].value >= checks[i].least && checks[i].value <= checks[i].most ) )
        {
            return supFail( error, sup_errorArgument, "element \"%s\": %s %g is not in [%g, %g]", name, checks[i].field,
                checks[i].value, checks[i].least, checks[i].most );
        }
    }
    return sup_success;
}

supResult supBody_Tune( supBody* body, int32_t element, const supElementTuning* tuning, supError* error )
{
    supElements elements = supElementsOf( body );
    supResult result = supCheckTuning( tuning, body->model->offsets.elements[element].name, error );
    if ( result != sup_success )
    {
        return result;
    }
    float live[SUP_MOST_LIVE];
    memcpy( live, supLiveOf( &elements, element ), sizeof( float ) * (size_t)elements.entry->liveCount );
    for ( int i = 0; i < supTuningCount; ++i )
    {
        live[supLivePlace( &elements, sup_tuningFields[i] )] = ( &tuning->frequency )[i];
    }
    return supBody_SetLive( body, elements.at, element, 0, live, elements.entry->liveCount, error );
}

void supBody_Push( supBody* body, int32_t element, supVec3 impulse )
{
    if ( supIsSaneVec3( impulse, SUP_MOST_FORCE ) )
    {
        supElements elements = supElementsOf( body );
        supFloatSettings host = supEnterFloatSettings();
        elements.offsets->push( elements.entry->compiled, elements.own->state, element, impulse );
        supLeaveFloatSettings( host );
    }
}

supElementState supBody_Element( const supBody* body, int32_t element )
{
    supElements elements = supElementsOf( body );
    return elements.offsets->element( elements.entry->compiled, elements.own->state, element );
}

int64_t supBody_LimitedSteps( const supBody* body )
{
    bool any = body->model->offsets.elementCount > 0;
    supElements elements = any ? supElementsOf( body ) : ( supElements ){ 0 };
    return any ? elements.offsets->limitedCount( elements.entry->compiled, elements.own->state ) : 0;
}
