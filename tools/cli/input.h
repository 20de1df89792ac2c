// A character that a command was given: a glTF file, or a built-in one by its name.
// SPDX-License-Identifier: MIT
#pragma once

#include "motions.h"
#include "progress.h"
#include "propose_options.h"
#include "supple/auto.h"
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/model.h"

/// How far files are trusted, by the words of the call.
typedef struct supTrust
{
    float maxMemory; ///< gigabytes
    bool untrusted;
} supTrust;

extern supTrust sup_trust; ///< the options below fill it in

// clang-format off
#define SUP_TRUST_OPTIONS                                                                                              \
    { .name = "max-memory", .type = sup_optionFloat, .target = &sup_trust.maxMemory, .value = "GB", .min = 1e-3,       \
      .max = 1e6, .help = "what a file may take in memory; 2 by default" },                                            \
    { .name = "untrusted", .type = sup_optionFlag, .target = &sup_trust.untrusted,                                     \
      .help = "a stranger's file: nothing outside of its folder is read,\na rig inside is held to limits" }
// clang-format on

/// A document opened as the call's words have it.
supGltfOpenDef supOpenDefForLog( supLog log );

typedef struct supInputDef
{
    const char* command;        ///< stands before notes on stderr
    const char* path;           ///< as given
    bool takesBakeOff;          ///< the character as it was before an earlier bake, where there was one
    const supTextList* motions; ///< clips of other files to add, or NULL
    const char* map;            ///< names that differ in those, or NULL
    supProgress* progress;      ///< told what is read, and wiped before notes; or NULL
} supInputDef;

typedef struct supInput
{
    const char* path;
    const char* command;
    supGltf* document; ///< NULL for a built-in character
    supCreature* creature;
    supCharacter* own; ///< what `character` points to, where it came from a file
    const supCharacter* character;
    const supLook* look;
    bool tookBakeOff;
    int32_t ownClipCount; ///< clips before those of `motions`
    supProgress* progress;
} supInput;

/// A glTF file; where there is none of that name, a built-in character as the document that would hold it.
supResult supOpenDocument( const char* path, supLog log, supGltf** out, supError* error );

/// Opens a file; where there is none of that name, a built-in character. Must be closed in either case.
supResult supOpenInput( supInput* input, const supInputDef* def, supError* error );
void supCloseInput( supInput* input );

/// Where a rig came from.
typedef enum supRigSource
{
    sup_rigFromFile,
    sup_rigInside,
    sup_rigFound,
} supRigSource;

/// The rig to use: the file `rigPath`; without one, the automatic rig where the choices ask for it; else the rig inside
/// the document, or the automatic one as chosen. Says on stderr what the user could not know: that an earlier bake was
/// taken off, that the rig inside is used. `proposal` (may be NULL) is set where the automatic one was made.
supResult supInput_Rig( const supInput* input, const char* rigPath, const supProposeChoices* choices,
    supRigSource* source, supRig** out, supProposal** proposal, supError* error );

/// A line on stderr where a document has a rig inside, which this option sets aside.
void supTellRigSetAside(
    const char* command, const char* path, const char* option, const supGltf* document, const supCharacter* character );
/// A rig from a .rig.json, or the one inside a .glb, .gltf or .vrm.
supResult supReadAnyRig( const char* path, const supCharacter* character, supRig** out, supError* error );

/// Looks at a rig before the character that it is for is there, which may take long: what is wrong with it by itself is
/// told at once. Lengths in metres need the character, and wait for it. `path` NULL: there is none.
supResult supCheckRigFile( const char* path, supError* error );

/// Compiles a model, and tells how far it has come.
supResult supCompileWithProgress(
    const supCharacter* character, const supRig* rig, supProgress* progress, supModel** out, supError* error );

/// How much is in a rig, layer by layer: `12 elements (and modes: 2, clothes: 1)`.
const char* supRigText( const supRig* rig, char text[160] );

/// The last part of a path.
const char* supBaseName( const char* path );
/// Whether it ends so, in capitals or not.
bool supEndsWith( const char* text, const char* ending );
