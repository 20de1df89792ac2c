// supple bake: what is asked for, and what comes of it.
// SPDX-License-Identifier: MIT
#pragma once

#include "input.h"
#include "options.h"
#include "progress.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/lab/measures.h"

#include <jansson.h>

/// What carries the motion in a glTF file.
typedef enum supBakeForm
{
    sup_formAuto,
    sup_formJoints,
    sup_formMorphs,
} supBakeForm;

/// The most keys a second that may be asked for.
#define SUP_MOST_FPS 1000
/// As many as there are where nothing asks for more.
#define SUP_DEFAULT_FPS 30

/// The call's words.
typedef struct supBakeOptions
{
    const char* in;
    const char* out;
    supTextList more;   ///< words after the first: OUT, or further files
    const char* outDir; ///< of many files, or NULL
    const char* manifest;
    const char* cache;
    const char* shard;
    int part, partCount; ///< the shard understood: 1 of 1 is all
    int retries;         ///< -1: not given
    const char* rig;
    supProposeOptions propose;
    supProposeChoices choices; ///< the same understood
    int typicalBy; ///< clips that typical motion is taken from, of a rig that is found: 0 all of the file's, 1 those
                   ///< that are baked
    supTextList clips;
    float fps;      ///< 0: not given
    int loop;       ///< supLoop
    int ends;       ///< supEnds
    int form;       ///< supBakeForm
    int influences; ///< 0: as it serves, 1: 4, 2: 8
    const char* tolerance;
    int keys; ///< supKeyForm
    const char* maxError;
    const char* maxSeam;
    int jobs;
    bool weld;
    bool noNormals;
    supTextList motions;
    const char* map;
    bool live, hash, keepNames, dropOriginals, noEmbed, json, progress, dryRun;
} supBakeOptions;

/// Whether an option of `supple bake` is of the call, and does not change what comes out.
bool supIsBakeAside( const char* name );

/// A call of `supple bake`, its table of options and what was read by it. Must stay where it is.
typedef struct supBakeCall
{
    supBakeOptions words;
    supOption options[64];
    bool given[64]; ///< which of them were
    supArgument arguments[3];
    supUsage usage;
    bool isHelp; ///< which was printed
} supBakeCall;

/// The element or mode that swings fastest.
typedef struct supFastest
{
    const char* list; ///< of the rig: "elements", "modes"
    int32_t index;    ///< in it
    const char* name; ///< lives as long as model and rig
    float frequency;  ///< 0: nothing swings. Hz
    int32_t tooFast;  ///< how many swing above a quarter of the keys or frames a second
} supFastest;

/// What a mesh shows of an element's motion, summed over vertices and looks. Metres
typedef struct supShownMotion
{
    double expected, seen;
    int64_t vertexCount; ///< looked at, in all looks together
} supShownMotion;

/// Everything of one bake. Zeroed: nothing yet.
typedef struct supBakeJob
{
    const supBakeOptions* words;
    supGltf* document;
    bool replaced; ///< an earlier bake was taken out
    supCharacter* character;
    supRig* rig;
    supProposal* proposal; ///< of a rig that was found; else NULL
    supRigSource source;
    supModel* model;
    int32_t clipCount;
    int32_t* clips;       ///< of the character
    supTake** takes;      ///< one a clip
    supPastBone* past;    ///< one a clip
    supJointBake* joints; ///< or
    supMorphBake* morphs;
    supClothesReport clothes; ///< zeros: the rig has none
    supLayerReport* layers;   ///< supLayerCount a clip
    supModeReport* modes;     ///< one an item of the rig's modes
    supEcorcheReport ecorche; ///< likewise
    char why[300];            ///< the form was chosen here: the reason
    double* ranges;           ///< of each element in each clip, clip by clip. Metres
    double* largest;          ///< of any vertex, by all layers, one a clip. Metres
    supShownMotion* shown;    ///< one a mesh for each element
    const char* dryForm;      ///< of --dry-run: "joints" or "morphs"
    supGltfBytes before, after;
    supPool* pool;
    supProgress progress;
    double size; ///< of the character
    float fps;   ///< keys or frames a second: as asked for, or enough for the fastest element or mode
    supFastest fastest;
    double seconds;
    size_t bytesIn, bytesOut;
} supBakeJob;

/// Reads "0.01", "1%" or "2mm" as a share of `size`. False: it is none.
bool supParseLength( const char* text, double size, double* share );

supResult supBakeJob_Load( supBakeJob* job, supError* error );
supResult supBakeJob_Run( supBakeJob* job, supError* error );
/// Bakes in the form that was asked for, or in the one that serves better.
supResult supBakeJob_Fit( supBakeJob* job, supError* error );

/// A clip of either form.
typedef struct supFittedClip
{
    int32_t clip, keyCount;
    double maxErrorAtKeys, maxError, rmsError; ///< metres
    int32_t worstVertex;
    double worstTime;
    double maxNormalError, rmsNormalError; ///< degrees
    unsigned long long hash;
} supFittedClip;

supFittedClip supBakeJob_Clip( const supBakeJob* job, int32_t index );
/// Largest error that was asked for. Share of the size.
float supBakeJob_Tolerance( const supBakeJob* job );
/// The takes alone: one a clip, side by side.
supResult supBakeJob_RunTakes( supBakeJob* job, supError* error );
/// The same for one clip of the job: `fitted` says what its errors are, `advice` what would lessen them, or "".
supResult supBakeJob_JudgeClip(
    const supBakeJob* job, int32_t index, const supFittedClip* fitted, const char* advice, supError* error );
supResult supBakeJob_Write( supBakeJob* job, supError* error );
/// Whether a name ends in .pc2 or .mdd.
bool supIsCachePath( const char* path );
/// Writes point caches of the takes, one a clip and object, and prints the report.
supResult supBakeJob_WriteCaches( supBakeJob* job, supError* error );
void supBakeJob_End( supBakeJob* job );
/// The whole of one bake to .glb or .gltf: loads, simulates, fits, judges, writes, and takes the time.
supResult supBakeJob_Do( supBakeJob* job, supError* error );
/// Reads words, "bake" first, and says on stderr which are wrong. Gives an exit code.
int supReadBakeCall( supBakeCall* call, int argc, char** args );
/// Reads "3/8". False: it is none.
bool supParseShard( const char* text, int* part, int* count );
/// --out-dir: many files, several at a time. Gives an exit code.
int supBakeMany( const supBakeCall* call );
/// --manifest, --cache: what has not changed is not baked again. Gives an exit code.
int supBakeFarm( const supBakeCall* call );

/// --dry-run: says what a bake would do. Gives an exit code.
int supBakeDry( const supBakeOptions* words );

/// Fills in `ranges`, `largest` and `shown`.
supResult supBakeJob_MeasureRanges( supBakeJob* job, supError* error );
/// A length of the character in centimetres: files count in metres, those of giants in centimetres.
double supBakeJob_Centimetres( const supBakeJob* job, double length );
/// The ranges of all elements by name. Centimetres
json_t* supBakeJob_RangesJson( const supBakeJob* job, int32_t clip );
void supBakeJob_PrintRanges( const supBakeJob* job, FILE* out );
/// What may surprise: stillness, hard borders, motion that another layer takes back. An array of texts.
json_t* supBakeJob_Notes( const supBakeJob* job );
void supBakeJob_PrintNotes( const supBakeJob* job, FILE* out );

/// Fills in `layers` and `modes`.
supResult supBakeJob_MeasureLayers( supBakeJob* job, supError* error );
/// What a layer above flesh does in a clip of the job.
supLayerReport supBakeJob_Layer( const supBakeJob* job, int32_t clip, int32_t layer );
json_t* supBakeJob_LayersJson( const supBakeJob* job, int32_t clip );
json_t* supBakeJob_ModesJson( const supBakeJob* job );
void supBakeJob_PrintModes( const supBakeJob* job, FILE* out );
void supBakeJob_PrintLayers( const supBakeJob* job, FILE* out );
/// A length as a share of the size: "0.05%".
const char* supBakeJob_Share( const supBakeJob* job, double length, char text[24] );

/// The report as an object; NULL: no memory.
json_t* supBakeJob_Report( const supBakeJob* job );
/// The report: one JSON object on stdout, or tables. Gives an exit code.
int supBakeJob_PrintJson( const supBakeJob* job );
void supBakeJob_PrintTables( const supBakeJob* job, FILE* out );
/// Sizes as people say them: "1234.5 kB".
const char* supBytesText( size_t bytes, char text[24] );
/// A line on stderr where elements swing faster than the frames can show.
void supBakeJob_Warn( supBakeJob* job );
