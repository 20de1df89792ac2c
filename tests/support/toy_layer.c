#include "support/toy_layer.h"

#include "base/math.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supToys
{
    int32_t count;
    int32_t touched[supToyCount];
} supToys;

typedef struct supToyState
{
    float lagging;
    bool started;
} supToyState;

static const supField sup_toyFields[] = {
    { .name = "name", .type = sup_fieldName, .offset = offsetof( supToyDef, name ), .unit = "", .words = "Name." },
    { .name = "width",
        .type = sup_fieldFloat,
        .offset = offsetof( supToyDef, width ),
        .unit = "",
        .maximum = 1.0f,
        .words = "Not live." },
    { .name = "height",
        .type = sup_fieldFloat,
        .offset = offsetof( supToyDef, height ),
        .unit = "m",
        .minimum = -1.0f,
        .maximum = 1.0f,
        .live = true,
        .words = "Live." },
};

static supResult supCompileToys(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    (void)items;
    supToys* toys = supAllocZeroed( context->allocator, 1, sizeof( supToys ), _Alignof( supToys ) );
    if ( toys == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for toys" );
    }
    toys->count = count;
    for ( int32_t i = 0; i < supToyCount; ++i )
    {
        toys->touched[i] = supToyFirst + i;
    }
    *out = toys;
    return sup_success;
}

static void supDestroyToys( void* compiled, const supAllocator* allocator )
{
    supFree( allocator, compiled, sizeof( supToys ) );
}

static int32_t supToysTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supToys*)compiled )->touched;
    return supToyCount;
}

static int32_t supToysShown( const void* compiled )
{
    (void)compiled;
    return 1;
}

static size_t supToysState( const void* compiled )
{
    (void)compiled;
    return sizeof( supToyState );
}

static void supResetToys( const void* compiled, void* state, float* shown )
{
    (void)compiled;
    *(supToyState*)state = ( supToyState ){ 0 };
    shown[0] = 0.0f;
}

static void supStepToys( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    (void)compiled;
    supToyState* toy = state;
    float target = frame->joints[2].t.y;
    float share = (float)( 1.0 - supExp( -4.0 * (double)frame->dt ) );
    toy->lagging = toy->started ? toy->lagging + share * ( target - toy->lagging ) : target;
    toy->started = true;
    shown[0] = toy->lagging;
}

static void supApplyToys( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supToys* toys = compiled;
    for ( int32_t item = 0; item < toys->count; ++item )
    {
        for ( int32_t i = 0; i < supToyCount; ++i )
        {
            positions[toys->touched[i]].x += frame->live[item] * shown[0];
        }
    }
}

const supLayer sup_toyLayer = {
    .info = { "toy", "toys", "Toys.", sizeof( supToyDef ), 3, sup_toyFields },
    .nameOffset = offsetof( supToyDef, name ),
    .compile = supCompileToys,
    .destroy = supDestroyToys,
    .touched = supToysTouched,
    .apply = supApplyToys,
    .shownCount = supToysShown,
    .stateSize = supToysState,
    .reset = supResetToys,
    .step = supStepToys,
    .takeRate = 1000.0f,
};

void supAddToys( supModel* model, const supToyDef* toys, int32_t count )
{
    const void* items[8];
    assert_in_range( count, 1, 8 );
    for ( int32_t i = 0; i < count; ++i )
    {
        items[i] = toys + i;
    }
    supElementView element = supModel_Element( model, 0 );
    supLayerContext context = {
        .character = model->character, .allocator = &model->allocator, .elementCount = 1, .elements = &element
    };
    supError error = { 0 };
    if ( supStack_Add( &model->stack, &sup_toyLayer, supToyIndex, items, count, &context, &error ) != sup_success ||
         supStack_Finish( &model->stack, &context, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}
