// From a file to its curves and their motion.
// SPDX-License-Identifier: MIT
#include "curves_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostShapes = 64
};

static supResult supReadSurface( supCurvesJob* job, supError* error )
{
    const supInputDef def = { .command = "curves", .path = job->words->in, .takesBakeOff = true };
    if ( supEndsWith( job->words->in, ".obj" ) )
    {
        supResult result = supReadObj( job->words->in, &job->obj, error );
        job->character = job->obj;
        return result;
    }
    supResult result = supOpenInput( &job->input, &def, error );
    job->character = job->input.character;
    return result;
}

static supResult supJoinMeshes( supCurvesJob* job, supError* error )
{
    size_t count = 0;
    for ( int32_t m = 0; m < supCharacter_MeshCount( job->character ); ++m )
    {
        count += (size_t)supCharacter_Mesh( job->character, m ).indexCount;
    }
    job->indices = malloc( ( count + 1 ) * sizeof( uint32_t ) );
    if ( job->indices == NULL || count > INT32_MAX )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for its triangles", job->words->in );
    }
    for ( int32_t m = 0; m < supCharacter_MeshCount( job->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            job->indices[job->indexCount++] = mesh.indices[i] + (uint32_t)mesh.firstVertex;
        }
    }
    return sup_success;
}

static supResult supFindCurves( supCurvesJob* job, supError* error )
{
    const supCurvesWords* words = job->words;
    int32_t vertexCount = supCharacter_VertexCount( job->character );
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = words->in;
    def.vertexCount = vertexCount;
    def.positions = supCharacter_RestPositions( job->character );
    def.indexCount = job->indexCount;
    def.indices = job->indices;
    def.terms = words->terms;
    def.pointCount = words->points;
    def.curveCount = words->curves;
    def.parameterLimit = words->parameters;
    def.tolerance = (double)words->tolerance;
    int32_t* parts = malloc( ( (size_t)vertexCount + 1 ) * sizeof( int32_t ) );
    const char** names = malloc( ( (size_t)supCharacter_JointCount( job->character ) + 1 ) * sizeof( char* ) );
    bool skinned = supCharacter_SkinCount( job->character ) > 0;
    bool byWeights = words->parts == NULL ? skinned : strcmp( words->parts, "weights" ) == 0;
    supResult result =
        parts != NULL && names != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for parts" );
    if ( result == sup_success && byWeights && !skinned )
    {
        result = supFail( error, sup_errorData, "%s: no skin, so no parts from its weights: --parts shape", words->in );
    }
    if ( result == sup_success && byWeights )
    {
        def.partCount = supPartsOfCharacter( job->character, parts, names );
        def.parts = parts;
        def.partNames = names;
    }
    result = result == sup_success ? supCreateCurveNetwork( &def, &job->network, error ) : result;
    free( parts );
    free( names );
    return result;
}

static supResult supAddShape(
    supCurvesJob* job, const char* name, const float* positions, int32_t count, supError* error )
{
    if ( job->shapeCount == supMostShapes )
    {
        return supFail( error, sup_errorLimit, "%s: more than %d shapes", job->words->in, supMostShapes );
    }
    float* copy = malloc( 12 * (size_t)( count > 0 ? count : 1 ) );
    if ( copy == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for a shape", name );
    }
    memcpy( copy, positions, 12 * (size_t)count );
    job->shapes[job->shapeCount] = copy;
    job->shapeNames[job->shapeCount] = name;
    job->shapeCounts[job->shapeCount++] = count;
    return sup_success;
}

// morph:N: the rest with that target of every mesh at 1.
static supResult supAddMorph( supCurvesJob* job, const char* word, supError* error )
{
    int target = atoi( word + 6 );
    int32_t count = supCharacter_VertexCount( job->character );
    bool any = false;
    supResult result = supAddShape( job, word, supCharacter_RestPositions( job->character ), count, error );
    for ( int32_t m = 0; result == sup_success && m < supCharacter_MeshCount( job->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        bool has = target >= 0 && target < mesh.morphCount && mesh.morphPositions[target] != NULL;
        float* shape = job->shapes[job->shapeCount - 1] + 3 * (size_t)mesh.firstVertex;
        for ( int32_t i = 0; has && i < 3 * mesh.vertexCount; ++i )
        {
            shape[i] += mesh.morphPositions[target][i];
        }
        any = any || has;
    }
    return any || result != sup_success
               ? result
               : supFail( error, sup_errorNotFound, "%s: no morph target %d", job->words->in, target );
}

static supResult supAddGivenShapes( supCurvesJob* job, supError* error )
{
    const supCurvesWords* words = job->words;
    supResult result = supAddShape( job, words->in, supCharacter_RestPositions( job->character ),
        supCharacter_VertexCount( job->character ), error );
    for ( int i = 0; result == sup_success && i < words->shapes.count; ++i )
    {
        const char* word = words->shapes.items[i];
        if ( strncmp( word, "morph:", 6 ) == 0 )
        {
            result = supAddMorph( job, word, error );
            continue;
        }
        supCharacter* shape = NULL;
        result = supReadObj( word, &shape, error );
        if ( result == sup_success )
        {
            result =
                supAddShape( job, word, supCharacter_RestPositions( shape ), supCharacter_VertexCount( shape ), error );
        }
        supDestroyCharacter( shape );
    }
    return result;
}

/// The smooth skin of all meshes at a time of a clip.
static supResult supSkinAt(
    const supCurvesJob* job, supPose* pose, int32_t clip, double time, supMat34* palette, float* out, supError* error )
{
    supPose_Sample( pose, clip, time );
    supCharacter_Palette( job->character, supPose_Joints( pose ), palette );
    supResult result = sup_success;
    for ( int32_t m = 0; result == sup_success && m < supCharacter_MeshCount( job->character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        supSkinJob skin = supCharacter_SkinJob( job->character, m, palette, supPose_MorphWeights( pose ) );
        skin.outPositions = ( supOutStream ){ out + 3 * (size_t)mesh.firstVertex, mesh.vertexCount, 12 };
        result = supSkinJob_Run( &skin, error );
    }
    return result;
}

static supResult supMakeMotion( supCurvesJob* job, supError* error )
{
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.name = job->words->in;
    def.shapeCount = job->shapeCount;
    def.times = job->times;
    def.shapes = (const float* const*)job->shapes;
    def.shapeNames = job->shapeNames;
    def.vertexCounts = job->shapeCounts;
    def.smooth = job->words->smooth;
    return supCreateCurveMotion( job->network, &def, &job->motion, error );
}

// Stages of a clip from their end frames alone, and how far the frames between are off.
static supResult supStageClip(
    supCurvesJob* job, supPose* pose, supMat34* palette, float* frame, float* found, supError* error )
{
    int32_t clip = supCharacter_FindClip( job->character, job->words->clip ), stages = job->words->stages;
    if ( clip < 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no clip '%.80s'", job->words->in, job->words->clip );
    }
    supClipView view = supCharacter_Clip( job->character, clip );
    int32_t count = supCharacter_VertexCount( job->character );
    supResult result = sup_success;
    for ( int32_t i = 0; result == sup_success && i <= stages; ++i )
    {
        job->times[i] = view.start + ( view.end - view.start ) * i / stages;
        result = supSkinAt( job, pose, clip, job->times[i], palette, frame, error );
        result = result == sup_success ? supAddShape( job, job->words->clip, frame, count, error ) : result;
    }
    result = result == sup_success ? supMakeMotion( job, error ) : result;
    double sum = 0.0, most = 0.0, values = 0.0;
    for ( int32_t i = 0; result == sup_success && i < 4 * stages; ++i )
    {
        double time = view.start + ( view.end - view.start ) * i / ( 4 * stages );
        if ( i % 4 == 0 )
        {
            continue;
        }
        result = supSkinAt( job, pose, clip, time, palette, frame, error );
        supCurveMotion_At( job->motion, time, found );
        for ( int32_t v = 0; v < count; ++v )
        {
            double x = frame[3 * v] - found[3 * v], y = frame[3 * v + 1] - found[3 * v + 1],
                   z = frame[3 * v + 2] - found[3 * v + 2];
            sum += x * x + y * y + z * z;
            most = fmax( most, x * x + y * y + z * z );
            values += 1.0;
        }
    }
    job->unseenRms = values > 0.0 ? sqrt( sum / values ) : -1.0;
    job->unseenMax = values > 0.0 ? sqrt( most ) : -1.0;
    return result;
}

static supResult supAddClip( supCurvesJob* job, supError* error )
{
    size_t bytes = 12 * (size_t)supCharacter_VertexCount( job->character );
    supPose* pose = NULL;
    supMat34* palette = malloc( ( (size_t)supCharacter_PaletteCount( job->character ) + 1 ) * sizeof( supMat34 ) );
    float *frame = malloc( bytes ), *found = malloc( bytes );
    supResult result = palette != NULL && frame != NULL && found != NULL
                           ? supCreatePose( job->character, NULL, &pose, error )
                           : supFail( error, sup_errorMemory, "%s: no memory for a clip", job->words->in );
    result = result == sup_success ? supStageClip( job, pose, palette, frame, found, error ) : result;
    supDestroyPose( pose );
    free( palette );
    free( frame );
    free( found );
    return result;
}

// "0,0.1": one for each shape; by themselves they go from 0 to 1 in equal steps.
static supResult supReadTimes( supCurvesJob* job, supError* error )
{
    const char* at = job->words->times;
    for ( int32_t i = 0; i < job->shapeCount; ++i )
    {
        job->times[i] = job->shapeCount > 1 ? (double)i / ( job->shapeCount - 1 ) : 0.0;
        if ( at == NULL )
        {
            continue;
        }
        char* end;
        job->times[i] = strtod( at, &end );
        bool last = i + 1 == job->shapeCount;
        if ( end == at || *end != ( last ? '\0' : ',' ) )
        {
            return supFail( error, sup_errorData, "--times %s: %d shapes need as many times, with commas between",
                job->words->times, (int)job->shapeCount );
        }
        at = end + 1;
    }
    return sup_success;
}

supResult supOpenCurvesJob( supCurvesJob* job, const supCurvesWords* words, supError* error )
{
    *job = ( supCurvesJob ){ .words = words, .unseenRms = -1.0, .unseenMax = -1.0 };
    supResult result = supReadSurface( job, error );
    result = result == sup_success ? supJoinMeshes( job, error ) : result;
    result = result == sup_success ? supFindCurves( job, error ) : result;
    if ( result == sup_success && words->clip != NULL )
    {
        result = supAddClip( job, error );
    }
    else if ( result == sup_success && words->shapes.count > 0 )
    {
        result = supAddGivenShapes( job, error );
        result = result == sup_success ? supReadTimes( job, error ) : result;
        result = result == sup_success ? supMakeMotion( job, error ) : result;
    }
    return result;
}

void supCloseCurvesJob( supCurvesJob* job )
{
    for ( int32_t i = 0; i < job->shapeCount; ++i )
    {
        free( job->shapes[i] );
    }
    supDestroyCurveMotion( job->motion );
    supDestroyCurveNetwork( job->network );
    free( job->indices );
    supDestroyCharacter( job->obj );
    if ( job->obj == NULL )
    {
        supCloseInput( &job->input );
    }
}
