// Elements of a body by their number: conveniences over the layer that has offsets, its live fields and its state.
// SPDX-License-Identifier: MIT

#include "base/float_settings.h"
#include "base/math.h"
#include "body/body_data.h"
#include "supple/lab/states.h"

#include <string.h>

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

supResult supBody_TunePhysical(
    supBody* body, int32_t element, float mass, float stiffness, float damping, supError* error )
{
    if ( !( mass > 0.0f && stiffness > 0.0f && damping >= 0.0f ) || !supIsFinite( mass ) || !supIsFinite( stiffness ) ||
         !supIsFinite( damping ) )
    {
        return supFail( error, sup_errorArgument,
            "element \"%s\": mass %g kg, stiffness %g N/m, damping %g N s/m: mass and stiffness must be above 0, damping not below",
            body->model->offsets.elements[element].name, (double)mass, (double)stiffness, (double)damping );
    }
    supElements elements = supElementsOf( body );
    int32_t massAt = supLivePlace( &elements, "mass" ), stiffnessAt = supLivePlace( &elements, "stiffness" );
    supElementTuning before = supBody_Tuning( body, element );
    float* live = elements.own->live + (size_t)element * (size_t)elements.entry->liveCount;
    live[massAt] = mass;
    live[supLivePlace( &elements, "damping" )] = damping;
    supResult result = supBody_SetLive( body, elements.at, element, stiffnessAt, &stiffness, 1, error );
    if ( result != sup_success )
    {
        supBody_Tune( body, element, &before, NULL );
    }
    return result;
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
