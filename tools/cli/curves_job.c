// From a file to its curves and their motion.
// SPDX-License-Identifier: MIT
#include "curves_job.h"
#include "supple/lab/files.h"
#include "supple/lab/skin.h"

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
    for ( int32_t m = 0; m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        count += (size_t)supCharacter_Mesh( job->character, m ).indexCount;
    }
    job->indices = malloc( ( count + 1 ) * sizeof( uint32_t ) );
    if ( job->indices == NULL || count > INT32_MAX )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for its triangles", job->words->in );
    }
    for ( int32_t m = 0; m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            job->indices[job->indexCount++] = mesh.indices[i] + (uint32_t)mesh.firstVertex;
        }
    }
    return sup_success;
}

/// Parts while curves are looked for.
typedef struct supPartLists
{
    int32_t* parts;
    const char** joints; ///< names from the weights
    char** names;        ///< names from a file
    int32_t count;
} supPartLists;

static supResult supReadParts( const supCurvesJob* job, supPartLists* lists, supError* error )
{
    const char* where = job->words->parts;
    bool skinned = supCharacter_Info( job->character )->skinCount > 0;
    lists->parts = malloc( ( (size_t)supCharacter_Info( job->character )->vertexCount + 1 ) * sizeof( int32_t ) );
    lists->joints = malloc( ( (size_t)supCharacter_Info( job->character )->jointCount + 1 ) * sizeof( char* ) );
    if ( lists->parts == NULL || lists->joints == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for parts" );
    }
    if ( where != NULL && strcmp( where, "shape" ) != 0 && strcmp( where, "weights" ) != 0 )
    {
        return supReadPartList( where, job->character, lists->parts, &lists->names, &lists->count, error );
    }
    if ( where != NULL && strcmp( where, "weights" ) == 0 && !skinned )
    {
        return supFail(
            error, sup_errorData, "%s: no skin, so no parts from its weights: --parts shape", job->words->in );
    }
    if ( where == NULL ? skinned : strcmp( where, "weights" ) == 0 )
    {
        lists->count = supPartsOfCharacter( job->character, lists->parts, lists->joints );
    }
    return sup_success;
}

static supResult supFindCurves( supCurvesJob* job, supError* error )
{
    const supCurvesOptions* words = job->words;
    supPartLists lists = { 0 };
    supResult result = supReadParts( job, &lists, error );
    if ( result == sup_success )
    {
        supCurveNetworkDef def = supDefaultCurveNetworkDef();
        def.name = words->in;
        def.vertexCount = supCharacter_Info( job->character )->vertexCount;
        def.positions = supCharacter_Info( job->character )->restPositions;
        def.indexCount = job->indexCount;
        def.indices = job->indices;
        def.terms = words->terms;
        def.pointCount = words->points;
        def.curveCount = words->curves;
        def.parameterLimit = words->parameters;
        def.source = words->source;
        def.tolerance = (double)words->tolerance;
        def.partCount = lists.count;
        def.parts = lists.parts;
        def.partNames = lists.names != NULL ? (const char* const*)lists.names : lists.joints;
        result = supCreateCurveNetwork( &def, &job->network, error );
    }
    for ( int32_t i = 0; lists.names != NULL && i < lists.count; ++i )
    {
        free( lists.names[i] );
    }
    free( lists.names );
    free( lists.parts );
    free( (void*)lists.joints );
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

// A mesh's target by its name, or by its number.
static int32_t supFindMorph( const supMeshView* mesh, const char* word )
{
    for ( int32_t i = 0; i < mesh->morphCount; ++i )
    {
        if ( strcmp( mesh->morphNames[i], word ) == 0 )
        {
            return i;
        }
    }
    char* end;
    long number = strtol( word, &end, 10 );
    return end != word && *end == '\0' && number >= 0 && number < mesh->morphCount ? (int32_t)number : -1;
}

// morph:NAME: the rest with that target of every mesh at 1.
static supResult supAddMorph( supCurvesJob* job, const char* word, supError* error )
{
    int32_t count = supCharacter_Info( job->character )->vertexCount;
    bool any = false;
    supResult result = supAddShape( job, word, supCharacter_Info( job->character )->restPositions, count, error );
    for ( int32_t m = 0; result == sup_success && m < supCharacter_Info( job->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        int32_t target = supFindMorph( &mesh, word + strlen( "morph:" ) );
        bool has = target >= 0 && mesh.morphPositions[target] != NULL;
        float* shape = job->shapes[job->shapeCount - 1] + 3 * (size_t)mesh.firstVertex;
        for ( int32_t i = 0; has && i < 3 * mesh.vertexCount; ++i )
        {
            shape[i] += mesh.morphPositions[target][i];
        }
        any = any || has;
    }
    return any || result != sup_success ? result
                                        : supFail( error, sup_errorNotFound, "%s: no morph target '%.60s'",
                                              job->words->in, word + strlen( "morph:" ) );
}

// Vertices are compared by the motion; other faces on as many vertices are another topology too.
static supResult supAddObj( supCurvesJob* job, const char* path, supError* error )
{
    supCharacter* shape = NULL;
    supResult result = supReadObj( path, &shape, error );
    if ( result != sup_success )
    {
        return result;
    }
    int32_t count = supCharacter_Info( shape )->vertexCount, indices = supCharacter_Mesh( shape, 0 ).indexCount;
    if ( count == supCharacter_Info( job->character )->vertexCount && indices != job->indexCount )
    {
        result = supFail( error, sup_errorData,
            "%s: has %d triangles, but the first shape has %d; all shapes must have the same vertices and triangles",
            path, (int)( indices / 3 ), (int)( job->indexCount / 3 ) );
    }
    result = result == sup_success ? supAddShape( job, path, supCharacter_Info( shape )->restPositions, count, error )
                                   : result;
    supDestroyCharacter( shape );
    return result;
}

static supResult supAddGivenShapes( supCurvesJob* job, supError* error )
{
    const supCurvesOptions* words = job->words;
    supResult result = supAddShape( job, words->in, supCharacter_Info( job->character )->restPositions,
        supCharacter_Info( job->character )->vertexCount, error );
    for ( int i = 0; result == sup_success && i < words->shapes.count; ++i )
    {
        const char* word = words->shapes.items[i];
        bool morph = strncmp( word, "morph:", strlen( "morph:" ) ) == 0;
        result = morph ? supAddMorph( job, word, error ) : supAddObj( job, word, error );
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
    for ( int32_t m = 0; result == sup_success && m < supCharacter_Info( job->character )->meshCount; ++m )
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
    def.paperMean = job->words->paperMean;
    def.keepDetail = !job->words->noDetail;
    def.apart = (double)job->words->apart;
    def.volume = (double)job->words->volume;
    def.folds = (double)job->words->folds;
    def.wire.density = (double)job->words->density;
    def.wire.damping = (double)job->words->damping;
    for ( int axis = 0; axis < 3; ++axis )
    {
        def.wire.a1[axis] = (double)job->words->a1;
        def.wire.a2[axis] = (double)job->words->a2;
    }
    supResult result = supCreateCurveMotion( job->network, &def, &job->motion, error );
    return result == sup_success && job->words->forces != NULL
               ? supReadCurveForces( job->network, job->motion, job->words->forces, error )
               : result;
}

// Stages of a clip from their end frames alone, and how far the frames between are off.
static supResult supStageClip(
    supCurvesJob* job, supPose* pose, supMat34* palette, float* frame, float* found, supError* error )
{
    int32_t clip = supCharacter_FindClip( job->character, job->words->clip ), stages = job->words->stages;
    if ( clip < 0 )
    {
        char list[96] = "";
        for ( int32_t i = 0; i < supCharacter_Info( job->character )->clipCount && strlen( list ) + 40 < sizeof( list );
              ++i )
        {
            size_t length = strlen( list );
            snprintf( list + length, sizeof( list ) - length, "%s%.30s", i > 0 ? ", " : "",
                supCharacter_Clip( job->character, i ).name );
        }
        return supFail( error, sup_errorNotFound, "%s: no clip '%.60s'. There are: %s", job->words->in,
            job->words->clip, list[0] != '\0' ? list : "none" );
    }
    supClipView view = supCharacter_Clip( job->character, clip );
    int32_t count = supCharacter_Info( job->character )->vertexCount;
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
    size_t bytes = 12 * (size_t)supCharacter_Info( job->character )->vertexCount;
    supPose* pose = NULL;
    supMat34* palette =
        malloc( ( (size_t)supCharacter_Info( job->character )->paletteCount + 1 ) * sizeof( supMat34 ) );
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
        // one shape alone stands at 0
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

supResult supOpenCurvesJob( supCurvesJob* job, const supCurvesOptions* words, supError* error )
{
    *job = ( supCurvesJob ){ .words = words, .unseenRms = -1.0, .unseenMax = -1.0 };
    supResult result = supReadSurface( job, error );
    result = result == sup_success ? supJoinMeshes( job, error ) : result;
    result = result == sup_success ? supFindCurves( job, error ) : result;
    if ( result == sup_success && words->clip != NULL )
    {
        result = supAddClip( job, error );
    }
    else if ( result == sup_success )
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
