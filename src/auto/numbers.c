// How soft every region is.
// SPDX-License-Identifier: MIT
//
// Frequencies and damping ratios are those that were measured on people, or chosen beside them (docs/automatic.md has
// the sources). Flesh feels all of the motion: amount 1. Only around limbs, where the whole section shifts with one
// spring, less of it looks right.

#include "auto/propose.h"
#include "auto/temper.h"

#include "base/math.h"

typedef struct supRegionNumbers
{
    float ceiling; ///< where the limit stands, as a share of the thickness
    float amount;
    float dampingRatio;
    float sag;
    float softness;         ///< frequency = softness / sqrt( thickness as a share of the size ). Hz
    float slowest, fastest; ///< of that. Hz
} supRegionNumbers;

static const supRegionNumbers sup_regionNumbers[sup_regionCount] = {
    [sup_regionBelly] = { 0.24f, 0.9f, 0.30f, 0.10f, 1.00f, 3.0f, 5.0f },
    [sup_regionBreast] = { 0.36f, 0.87f, 0.48f, 0.10f, 0.65f, 3.5f, 5.2f },
    [sup_regionBottom] = { 0.28f, 1.05f, 0.30f, 0.06f, 1.35f, 4.2f, 6.0f },
    [sup_regionThigh] = { 0.17f, 0.87f, 0.30f, 0.03f, 1.30f, 5.0f, 7.0f },
    [sup_regionCalf] = { 0.10f, 0.68f, 0.33f, 0.01f, 1.35f, 6.5f, 7.5f },
    [sup_regionUpperArm] = { 0.14f, 0.55f, 0.30f, 0.03f, 1.25f, 5.0f, 7.0f },
    [sup_regionForearm] = { 0.06f, 0.4f, 0.35f, 0.01f, 1.35f, 6.5f, 7.5f },
    [sup_regionCheek] = { 0.08f, 0.2f, 0.30f, 0.04f, 1.20f, 5.0f, 7.0f },
    [sup_regionChin] = { 0.12f, 0.24f, 0.28f, 0.06f, 1.00f, 4.0f, 6.0f },
    [sup_regionDewlap] = { 0.35f, 1.0f, 0.22f, 0.10f, 0.80f, 2.5f, 4.0f },
    [sup_regionHump] = { 0.25f, 0.9f, 0.28f, 0.06f, 1.10f, 3.0f, 5.0f },
    [sup_regionRump] = { 0.16f, 0.8f, 0.30f, 0.04f, 1.20f, 4.0f, 6.0f },
    [sup_regionUdder] = { 0.40f, 1.0f, 0.22f, 0.10f, 0.75f, 2.2f, 4.0f },
    [sup_regionSide] = { 0.20f, 0.8f, 0.30f, 0.03f, 1.10f, 3.5f, 5.5f },
    [sup_regionAbdomen] = { 0.20f, 0.9f, 0.28f, 0.06f, 1.05f, 3.0f, 5.0f },
    [sup_regionBody] = { 0.13f, 0.8f, 0.30f, 0.05f, 1.10f, 3.0f, 5.5f },
};

static const supTemper supTempers[] = {
    [sup_presetSubtle] = { 0.5f, 0.5f, 1.3f, 1.1f, 0.5f },
    [sup_presetNatural] = { 1.0f, 1.0f, 1.0f, 1.0f, 1.0f },
    [sup_presetHeavy] = { 1.65f, 1.15f, 0.88f, 0.78f, 1.5f },
    [sup_presetCartoon] = { 2.2f, 1.8f, 0.6f, 0.7f, 2.0f },
};

const supTemper* supTemperOf( supPreset preset )
{
    return supTempers + preset;
}

/// No faster than a quarter of the 30 keys a second that files have: what swings faster they hardly show. Hz
static const float supFastest = 7.5f;
/// The limit never lets a vertex come near its bone.
static const float supMostCeiling = 0.85f;
/// Nor does it pull the skin apart, or push it together, by more than this share of its length: beyond a third, flesh
/// looks like rubber, and coarse meshes crease.
static const float supMostStretch = 0.3f;
/// A bra holds breasts in `subtle` and `natural`; without one they go this much farther.
static const float supUnheld = 1.7f;
/// Bellies and chins of people hang on muscle and skin of their own, which no clothes replace: bare they gain less.
static const float supSelfHeld = 0.85f;

/// A person's belly: muscle holds a slim one, little of it moves and fast; fat hangs.
static const supRegionNumbers supHumanBelly = { 0.30f, 0.62f, 0.32f, 0.10f, 1.32f, 3.6f, 6.5f };
/// Thickness of a belly without fat, and what a heavy one has more. Shares of the size
static const float supSlimBelly = 0.045f, supFatBelly = 0.065f, supLeastFat = 0.45f;

/// Muscle that is thick moves this much of what fat as thick would.
static const float supMuscleMoves = 0.2f;

/// Regions in which muscle is as thick as fat is on others. Breasts, chins and cheeks have none.
static bool supIsMuscle( supRegion region )
{
    return region == sup_regionBelly || region == sup_regionBottom || region == sup_regionThigh ||
           region == sup_regionCalf || region == sup_regionUpperArm || region == sup_regionForearm;
}

void supChooseNumbers( supSketch* sketch, const supProposeDef* def, const supModel* model )
{
    const supTemper* temper = supTempers + def->preset;
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supSketchElement* element = sketch->elements + i;
        bool person = sketch->plan.reading.kind == sup_bodyHuman;
        bool belly = person && element->region == sup_regionBelly;
        const supRegionNumbers* numbers = belly ? &supHumanBelly : sup_regionNumbers + element->region;
        float thickness = supModel_Info( model )->elements[i].thickness / sketch->plan.size;
        if ( element->mirror >= 0 )
        {
            float twin = supModel_Info( model )->elements[element->mirror].thickness / sketch->plan.size;
            thickness = 0.5f * ( thickness + twin );
        }
        // what skin only counts as farther is no flesh, and no share of it moves
        float flesh = supMaxF( 1.0f - element->fill / supMaxF( thickness, 1e-20f ), 0.5f );
        thickness *= flesh;
        // joints lie right below an animal's back, and so does the bone: what the rump stands out by is its flesh
        float thin = thickness, ceiling = numbers->ceiling;
        thickness = element->fullness > 0.0f ? element->fullness : thickness;
        ceiling *= element->region == sup_regionRump ? supMaxF( thickness / supMaxF( thin, 1e-6f ), 1.0f ) : 1.0f;
        float frequency = supClampF( numbers->softness / supSqrtF( thickness ), numbers->slowest, numbers->fastest );
        float more = supMaxF( supWantedOf( def, element ), 1.0f );
        float lean =
            supIsMuscle( element->region ) ? supMuscleMoves + ( 1.0f - supMuscleMoves ) * sketch->fatness : 1.0f;
        ceiling *= supSqrtF( lean ) * flesh;
        float steepness = element->steepness;
        steepness =
            element->mirror >= 0 ? supMaxF( steepness, sketch->elements[element->mirror].steepness ) : steepness;
        ceiling = supMinF( ceiling, supMostStretch / supMaxF( steepness, 1e-3f ) );
        bool held =
            element->region != sup_regionBreast || def->preset == sup_presetSubtle || def->preset == sup_presetNatural;
        bool selfHeld = belly || element->region == sup_regionChin;
        float unheld = held ? 1.0f : supUnheld;
        unheld *= selfHeld && def->preset == sup_presetHeavy ? supSelfHeld : 1.0f;
        element->ceiling = supMinF( ceiling * temper->ceiling * unheld * more, supMostCeiling );
        element->def.limitScale = element->ceiling;
        element->def.frequency = supMinF( frequency * temper->frequency, supFastest );
        element->def.dampingRatio = numbers->dampingRatio * temper->dampingRatio;
        element->def.amount = numbers->amount * temper->amount * unheld;
        element->def.amount *=
            belly ? supClampF( ( thickness - supSlimBelly ) / supFatBelly, supLeastFat, 1.0f ) : 1.0f;
        element->def.amount *= lean;
        element->def.sag = numbers->sag * temper->sag * flesh;
    }
}
