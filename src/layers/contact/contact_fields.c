// Contacts as a table of fields.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "layers/contact/contact.h"

#include <stddef.h>

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supContactDef, member, type, unit )

static const supField sup_contactFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two may have the same. Not given: the element's name." },
    { SUP_FIELD( element, sup_fieldName, "element" ), .required = true,
        .words = "The flesh element that presses against the body's other parts." },
    { SUP_FIELD( joints, sup_fieldNames, "joint" ),
        .words = "The parts that it presses against, by their joints. Not given: all others." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of what flesh adds to the overlap is taken out: 0 nothing, 1 all of it." },
};

supContactDef supDefaultContactDef( void )
{
    supContactDef def = { 0 };
    supFillDefaults( sup_contactFields, SUP_COUNT( sup_contactFields ), &def );
    return def;
}

static void supCompleteContact( void* item )
{
    supContactDef* def = item;
    def->name = def->name != NULL ? def->name : def->element;
}

static const char* const sup_contactPictures[] = { "contact", NULL };

static const supLayerPictures sup_contactDrawing = {
    .names = sup_contactPictures,
    .draw = supDrawContacts,
};

const supLayer sup_contactLayer = {
    .info = { .name = "contact",
        .key = "contacts",
        .words = "Flesh elements that press against the body's other parts and do not pass through them.",
        .itemSize = sizeof( supContactDef ),
        .fieldCount = SUP_COUNT( sup_contactFields ),
        .fields = sup_contactFields },
    .nameOffset = offsetof( supContactDef, name ),
    .complete = supCompleteContact,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileContacts,
    .destroy = supDestroyContacts,
    .touched = supContactsTouched,
    .wantsSmooth = true,
    .scratchSize = supContactsScratch,
    .apply = supApplyContacts,
    .pictures = &sup_contactDrawing,
};
