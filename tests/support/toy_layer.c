#include "support/toy_layer.h"

#include "base/math.h"

#include <stddef.h>

static const int32_t sup_toyTouched[supToyCount] = { 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
    29, 30, 31, 32, 33, 34, 35 };

#define SUP_TOY_FIELD( member, kind ) .name = #member, .type = kind, .offset = offsetof( supToyDef, member )
static const supField sup_toyFields[] = {
    { SUP_TOY_FIELD( name, sup_fieldName ), .unit = "", .words = "Name." },
    { SUP_TOY_FIELD( width, sup_fieldFloat ), .unit = "", .maximum = 1.0f, .words = "Not live." },
    { SUP_TOY_FIELD( height, sup_fieldFloat ), .unit = "m", .minimum = -1.0f, .maximum = 1.0f, .live = true,
        .words = "Live." },
};

static int32_t supToysTouched( const void* compiled, const int32_t** vertices )
{
    (void)compiled;
    *vertices = sup_toyTouched;
    return supToyCount;
}

static void supApplyToys( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)compiled;
    for ( int32_t i = 0; i < supToyCount * frame->itemCount; ++i )
    {
        positions[sup_toyTouched[i % supToyCount]].x += frame->live[i / supToyCount] * shown[0];
    }
}

static int32_t supToysShownCount( const void* compiled )
{
    return compiled == NULL ? 1 : 0;
}

static void supResetToys( const void* compiled, void* state, float* shown )
{
    (void)compiled;
    *(bool*)state = false; // not started
    shown[0] = 0.0f;
}

static void supStepToys( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    (void)compiled;
    float target = frame->joints[2].t.y, share = (float)( 1.0 - supExp( -4.0 * (double)frame->dt ) );
    shown[0] = *(bool*)state ? shown[0] + share * ( target - shown[0] ) : target;
    *(bool*)state = true;
}

static size_t supToysStateSize( const void* compiled )
{
    return compiled == NULL ? sizeof( bool ) : 0;
}

static const supLayerMotion sup_toyMotion = { supToysShownCount, supToysStateSize, supResetToys, supStepToys,
    .takeRate = 1000.0f };

const supLayer sup_toyLayer = { .info = { "toy", "toys", "Toys.", sizeof( supToyDef ), 3, sup_toyFields },
    .nameOffset = offsetof( supToyDef, name ),
    .touched = supToysTouched,
    .apply = supApplyToys,
    .motion = &sup_toyMotion };
