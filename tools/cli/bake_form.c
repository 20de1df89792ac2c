// supple bake: joints or morphs.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "supple/lab/hashes.h"

#include <stdio.h>

/// Joints cost an engine less than morph targets: they may be off by this many tolerances before morphs are looked at.
static const double supJointsPatience = 2.0;
/// And morphs may be larger by this, for their smaller error.
static const double supMorphsPatience = 20.0;

float supBakeJob_Tolerance( const supBakeJob* job )
{
    double tolerance = 0.0;
    bool given = job->words->tolerance != NULL && supParseLength( job->words->tolerance, job->size, &tolerance );
    return given ? (float)tolerance : supDefaultJointBakeDef().tolerance; // that of morphs is the same
}

/// Four, which every engine reads; eight for --live: without mixed helpers, which no host drives, four dent the skin,
/// and who links the library has a say in how many influences are read.
static int32_t supInfluencesOf( const supBakeOptions* words )
{
    bool asked = words->influences > 0;
    return ( asked ? words->influences == 2 : words->live ) ? 8 : 4;
}

static supResult supFitJoints( supBakeJob* job, supError* error )
{
    supProgress_Stage( &job->progress, "fitting joints" );
    supTasks tasks = supPool_Tasks( job->pool );
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = job->model;
    def.takeCount = job->clipCount;
    def.takes = (const supTake* const*)job->takes;
    def.fps = job->fps;
    def.keys = (supKeyForm)job->words->keys;
    def.influences = supInfluencesOf( job->words );
    def.modelHelpersOnly = job->words->live;
    def.tolerance = supBakeJob_Tolerance( job );
    def.tasks = &tasks;
    def.watch = supProgress_WatchShare( &job->progress );
    return supBakeJoints( &def, &job->joints, error );
}

static supResult supFitMorphs( supBakeJob* job, supError* error )
{
    supProgress_Stage( &job->progress, "fitting morphs" );
    supTasks tasks = supPool_Tasks( job->pool );
    supMorphBakeDef def = supDefaultMorphBakeDef();
    def.model = job->model;
    def.takeCount = job->clipCount;
    def.takes = (const supTake* const*)job->takes;
    def.fps = job->fps;
    def.normals = job->words->noNormals == false;
    def.tolerance = supBakeJob_Tolerance( job );
    def.tasks = &tasks;
    def.watch = supProgress_WatchShare( &job->progress );
    return supBakeMorphs( &def, &job->morphs, error );
}

// ---------------------------------------------------------------------------------------------------------------
// The choice

static double supJointsError( const supBakeJob* job )
{
    double worst = 0.0;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        double error = (double)supJointBake_Info( job->joints )->clips[i].maxError;
        worst = error > worst ? error : worst;
    }
    return worst / job->size;
}

static double supMorphsError( const supBakeJob* job )
{
    double worst = 0.0;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        double error = (double)supMorphBake_Info( job->morphs )->errors[i].maxError;
        worst = error > worst ? error : worst;
    }
    return worst / job->size;
}

/// What joints add to a file, without its JSON.
static double supJointsBytes( const supBakeJob* job )
{
    double bytes = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        supBakedMesh mesh = supJointBake_Info( job->joints )->meshes[m];
        bytes +=
            mesh.changed ? (double)supCharacter_Mesh( job->character, m ).vertexCount * mesh.influenceCount * 5 : 0;
    }
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supBakedClip clip = supJointBake_Info( job->joints )->clips[i];
        double numbers =
            3.0 * supJointBake_Info( job->joints )->helperCount + 4.0 * supJointBake_Info( job->joints )->turningCount;
        double values = ( clip.keys == sup_keysCubic ? 12.0 : 4.0 ) * numbers;
        bytes += (double)clip.keyCount * ( 4.0 + values );
    }
    return bytes;
}

static double supMorphsBytes( const supBakeJob* job )
{
    double bytes = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        int32_t group = supMorphBake_Info( job->morphs )->meshes[m].group;
        int32_t targets = group >= 0 ? supMorphBake_Info( job->morphs )->groups[group].targetCount : 0;
        for ( int32_t t = 0; t < targets; ++t )
        {
            supMorphTarget target = supMorphBake_Info( job->morphs )->meshes[m].targets[t];
            bytes += 14.0 * target.count + 14.0 * target.normalCount;
        }
    }
    for ( int32_t g = 0; g < supMorphBake_Info( job->morphs )->groupCount; ++g )
    {
        for ( int32_t i = 0; i < job->clipCount; ++i )
        {
            bytes += 4.0 * supMorphBake_Info( job->morphs )->groups[g].keys[i].keyCount *
                     ( 1 + supMorphBake_Info( job->morphs )->groups[g].targetCount );
        }
    }
    return bytes;
}

/// Flesh and modes are exactly what joints can do, but for the number of influences: only their error speaks against
/// them. Other layers are more than joints can do.
static supResult supChooseForm( supBakeJob* job, supError* error )
{
    int32_t layer = supModel_Info( job->model )->morphLayer;
    if ( layer >= 0 )
    {
        snprintf( job->why, sizeof( job->why ),
            "as morphs: the rig has %s, and joints can carry flesh and modes alone; --as joints leaves all else out",
            supGetLayerInfo( layer )->key );
        return supFitMorphs( job, error );
    }
    supResult result = supFitJoints( job, error );
    double tolerance = (double)supBakeJob_Tolerance( job );
    double joints = result == sup_success ? supJointsError( job ) : 0.0;
    if ( result != sup_success || joints <= supJointsPatience * tolerance )
    {
        snprintf( job->why, sizeof( job->why ),
            "as joints: all that this rig does, joints can do, and they hold it within %.2g%% of the size",
            100 * joints );
        return result;
    }
    result = supFitMorphs( job, error );
    if ( result != sup_success )
    {
        return result;
    }
    double morphs = supMorphsError( job ), jointsBytes = supJointsBytes( job ), morphsBytes = supMorphsBytes( job );
    bool better = morphs < 0.5 * joints && morphsBytes < supMorphsPatience * jointsBytes;
    snprintf( job->why, sizeof( job->why ),
        "as %s: joints are off by %.2g%% of the size in %.0f kB, morphs by %.2g%% in %.0f kB; --as %s is the other",
        better ? "morphs" : "joints", 100 * joints, 1e-3 * jointsBytes, 100 * morphs, 1e-3 * morphsBytes,
        better ? "joints" : "morphs" );
    if ( better )
    {
        supDestroyJointBake( job->joints );
        job->joints = NULL;
    }
    else
    {
        supDestroyMorphBake( job->morphs );
        job->morphs = NULL;
    }
    return sup_success;
}

supResult supBakeJob_Fit( supBakeJob* job, supError* error )
{
    if ( job->words->form == sup_formMorphs )
    {
        return supFitMorphs( job, error );
    }
    bool chooses = job->words->form == sup_formAuto && job->words->live == false;
    int32_t layer = supModel_Info( job->model )->morphLayer;
    if ( !chooses && layer >= 0 )
    {
        snprintf( job->why, sizeof( job->why ),
            "as joints: flesh and modes alone; '%s' and whatever else needs morphs is left out, --as morphs has it",
            supGetLayerInfo( layer )->key );
        if ( supModel_Info( job->model )->elementCount == 0 )
        {
            return supFail( error, sup_errorData,
                "joints can carry only flesh and modes, and this rig has neither: '%s' needs --as morphs",
                supGetLayerInfo( layer )->key );
        }
    }
    return chooses ? supChooseForm( job, error ) : supFitJoints( job, error );
}

supFittedClip supBakeJob_Clip( const supBakeJob* job, int32_t index )
{
    if ( job->morphs == NULL )
    {
        supBakedClip clip = supJointBake_Info( job->joints )->clips[index];
        return ( supFittedClip ){ clip.clip, clip.keyCount, (double)clip.maxErrorAtKeys, (double)clip.maxError,
            (double)clip.rmsError, clip.worstVertex, clip.worstTime, (double)clip.maxNormalError,
            (double)clip.rmsNormalError, (unsigned long long)supJointBake_ClipHash( job->joints, index ) };
    }
    supMorphErrors errors = supMorphBake_Info( job->morphs )->errors[index];
    int32_t most = 0;
    for ( int32_t g = 0; g < supMorphBake_Info( job->morphs )->groupCount; ++g )
    {
        int32_t keys = supMorphBake_Info( job->morphs )->groups[g].keys[index].keyCount;
        most = keys > most ? keys : most;
    }
    return ( supFittedClip ){ errors.clip, most, (double)errors.maxErrorAtKeys, (double)errors.maxError,
        (double)errors.rmsError, errors.worstVertex, errors.worstTime, (double)errors.maxNormalError,
        (double)errors.rmsNormalError, (unsigned long long)supMorphBake_ClipHash( job->morphs, index ) };
}
