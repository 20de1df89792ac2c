// A file baked through the library and opened by the independent evaluator.
#pragma once

#include "evaluator/evaluator.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/io.h"

typedef struct supBakedFileDef
{
    const char* in;
    const char* out;
    const supRig* rig; ///< NULL: the automatic one
    float fps;
    int32_t influences;
    supKeyForm keys;
    supLoop loop;
    bool noEmbed, isLive, keepNames, dropOriginals;
    bool asMorphs, noNormals;
} supBakedFileDef;

/// All that went into it, and the file as others see it.
typedef struct supBakedFile
{
    supCharacter* character;
    supRig* rig;
    supModel* model;
    int32_t clipCount;
    supTake** takes;
    supJointBake* joints; ///< or
    supMorphBake* morphs;
    supBody* body;
    supPose* pose;
    evalFile* file;
    float* positions; ///< of the living skin, from the take
    float* normals;   ///< likewise
    double* read;     ///< of one draw
    double size;
} supBakedFile;

supBakedFileDef supDefaultBakedFileDef( const char* in, const char* out );
/// False where there is nothing in the file that could carry flesh. Fails the test on anything else.
bool supMakeBakedFile( const supBakedFileDef* def, supBakedFile* out );
void supDropBakedFile( supBakedFile* baked );

/// The living skin at a time, by the take, in `positions`.
void supBakedFile_Live( supBakedFile* baked, int32_t clip, double time );
/// The file's positions of all vertices of the character at a time of its clip; `xyz` 3 doubles a vertex.
void supBakedFile_Read( supBakedFile* baked, evalFile* file, int32_t clip, double time, double* xyz );

/// How far the file is from the living skin at a time: the largest of any vertex. Share of the size
double supBakedFile_Error( supBakedFile* baked, int32_t clip, double time );

typedef struct supBakeErrors
{
    double atKeys, between; ///< largest of any vertex; shares of the size
    int32_t worstClip;
} supBakeErrors;

/// The file against the living skin: at every key, and at `times` times the baked rate in between; every `stride`-th of
/// those.
supBakeErrors supBakedFile_Judge( supBakedFile* baked, int32_t times, int32_t stride );
