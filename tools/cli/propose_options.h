// What a call may say of the automatic rig: the same words in every command that may propose one.
// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"
#include "supple/auto.h"

/// As they come.
typedef struct supProposeOptions
{
    int preset, kind;
    bool hasPreset, hasKind;
    const char *front, *up;
    supTextList regions, only, without;
    const char* kinds[sup_bodyKindCount + 1];   ///< the choices of --kind
    const char* presets[sup_presetCartoon + 2]; ///< the choices of --preset
} supProposeOptions;

enum
{
    sup_proposeOptionCount = 7
};

/// Their part of a table of options: --preset, --region, --only, --without, --kind, --front, --up.
void supListProposeOptions( supProposeOptions* words, supOption options[sup_proposeOptionCount] );

/// The same understood. `softness`, `pick` and `body` name the first option of that sort that was given: --preset;
/// --region, --only or --without; --kind, --front or --up. NULL: none was.
typedef struct supProposeChoices
{
    supProposeDef def; ///< preset, kind, front, up, regions; clips and tasks are the caller's
    const char *softness, *pick, *body;
    bool named[3][sup_regionCount]; ///< these were asked for by name; by supSide, in the middle's place without a side
    bool isOnly;                    ///< no others
    bool forMany;                   ///< one call for many files: those that lack what is not wanted are no mistake
} supProposeChoices;

/// Nothing was said: natural, all of it.
supProposeChoices supDefaultChoices( void );
/// Only a preset.
supProposeChoices supPresetChoices( supPreset preset );

/// Understands the words. Gives an exit code: 0, or 2 after saying what is wrong.
int supReadProposeWords( const supUsage* usage, const supProposeOptions* words, supProposeChoices* out );

/// Refuses words that go with the automatic rig alone where --rig gives another. Gives an exit code: 0 or 2.
int supRefuseBesideRig( const supUsage* usage, const supProposeChoices* choices );

/// Which option asks for a new rig where one is inside the file; NULL: none does.
const char* supAsksForNewRig( const supProposeChoices* choices );

/// "belly x 1.5, no breast", "only belly, thigh": what was picked, as text; "" for nothing.
const char* supPickText( const supProposeChoices* choices, char* text, size_t size );

/// The automatic rig of a character, as it was asked for. A region that was named and that this body has none of is an
/// error, which lists those that it has. `path` stands before the words. `clips` NULL: all; `tasks` and `proposal` may
/// be NULL.
typedef struct supProposeJob
{
    const supCharacter* character;
    const char* path;
    const supProposeChoices* choices;
    const int32_t* clips;
    int32_t clipCount;
    const supTasks* tasks;
} supProposeJob;

supResult supProposeByOptions( const supProposeJob* job, supRig** out, supProposal** proposal, supError* error );
