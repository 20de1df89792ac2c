// supple loft
// SPDX-License-Identifier: MIT
#include "command.h"
#include "input.h"
#include "output.h"
#include "supple/bake.h"
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/lab/patches.h"
#include "supple/lab/sewn.h"
#include "supple/lab/states.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct supLoftOptions
{
    const char *in, *out, *clip, *rig;
    supTextList joints;
    int curves, nodes, detail;
    float time;
    bool json, sewn;
} supLoftOptions;

typedef struct supLoftJob
{
    const supLoftOptions* words;
    supInput input;
    supPatches* patches; ///< NULL: one sewn surface
    supSewn* sewn;
    supSewnReport sewnReport;
    float* skin; ///< of all vertices, in the pose asked for
    supLoftReport* reports;
    float* places; ///< of one patch
    float* vertices;
    float* normals;
    uint32_t* indices; ///< of all patches, one behind the other
    int32_t vertexCount, indexCount;
} supLoftJob;

// ---------------------------------------------------------------------------------------------------------------
// Patches

static supResult supFindLoftJoints(
    const supLoftOptions* words, const supCharacter* character, int32_t* joints, supError* error )
{
    int32_t count = supCharacter_Info( character )->jointCount;
    const char** names = calloc( (size_t)count + 1, sizeof( const char* ) );
    for ( int32_t j = 0; j < count && names != NULL; ++j )
    {
        names[j] = supCharacter_Joint( character, j )->name;
    }
    supResult result = names != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory" );
    for ( int i = 0; i < words->joints.count && result == sup_success; ++i )
    {
        joints[i] = supCharacter_FindJoint( character, words->joints.items[i] );
        const char* nearest = joints[i] < 0 ? supNearestWord( words->joints.items[i], names ) : NULL;
        if ( joints[i] < 0 )
        {
            result = supFail( error, sup_errorNotFound, "%s: no joint \"%s\"%s%s%s", words->in, words->joints.items[i],
                nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "\"?" : "" );
        }
    }
    free( names );
    return result;
}

static supResult supFindLoftPatches( supLoftJob* job, supError* error )
{
    int32_t joints[sup_maxListCount];
    supPatchesDef def = supDefaultPatchesDef();
    def.character = job->input.character;
    def.curves = job->words->curves;
    def.nodes = job->words->nodes;
    def.jointCount = job->words->joints.count;
    def.joints = joints;
    supResult result = supFindLoftJoints( job->words, def.character, joints, error );
    return result == sup_success ? supCreatePatches( &def, &job->patches, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// The skin in a pose

static supResult supShowSkin( supLoftJob* job, int32_t clip, supBody* body, supError* error )
{
    supPose* pose = NULL;
    supTake* take = NULL;
    supTakeDef def = supDefaultTakeDef();
    def.model = supBody_Model( body );
    def.clip = clip;
    supResult result = supCreatePose( job->input.character, NULL, &pose, error );
    result = result == sup_success && clip >= 0 ? supCreateTake( &def, &take, error ) : result;
    if ( result == sup_success && clip >= 0 )
    {
        supPose_Sample( pose, clip, (double)job->words->time );
        result = supTake_Show( take, (double)job->words->time, supPose_Joints( pose ), body );
    }
    else if ( result == sup_success )
    {
        supPose_Rest( pose );
        result = supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f );
    }
    if ( result == sup_success )
    {
        supBody_Skin( body, job->skin, NULL );
    }
    supDestroyTake( take );
    supDestroyPose( pose );
    return result;
}

static supResult supPoseSkin( supLoftJob* job, supError* error )
{
    const supCharacter* character = job->input.character;
    int32_t clip = -1;
    if ( job->words->clip != NULL )
    {
        clip = supCharacter_FindClip( character, job->words->clip );
        if ( clip < 0 )
        {
            return supFail( error, sup_errorNotFound, "%s: no clip \"%s\"; 'supple inspect' lists them", job->words->in,
                job->words->clip );
        }
    }
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supResult result = job->words->rig != NULL ? supReadAnyRig( job->words->rig, character, &rig, error )
                                               : supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supCompileModel( character, rig, &model, error ) : result;
    result = result == sup_success ? supCreateBody( model, &body, error ) : result;
    result = result == sup_success ? supShowSkin( job, clip, body, error ) : result;
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Surfaces

static supResult supMakeLofts( supLoftJob* job, supError* error )
{
    const supLoftOptions* words = job->words;
    int32_t count = supPatches_Count( job->patches ), vertices, indices;
    if ( !supLoftSize( words->curves, words->nodes, words->detail, &vertices, &indices ) ||
         indices > INT32_MAX / count )
    {
        return supFail( error, sup_errorLimit, "%d patches of %d curves x %d nodes with %d steps between: too large",
            count, words->curves, words->nodes, words->detail );
    }
    job->vertexCount = count * vertices;
    job->indexCount = count * indices;
    job->reports = calloc( (size_t)count, sizeof( supLoftReport ) );
    job->places = calloc( (size_t)words->curves * (size_t)words->nodes + 2, sizeof( supVec3 ) );
    job->vertices = calloc( (size_t)count * (size_t)vertices, sizeof( supVec3 ) );
    job->indices = calloc( (size_t)count * (size_t)indices, sizeof( uint32_t ) );
    if ( job->reports == NULL || job->places == NULL || job->vertices == NULL || job->indices == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d surfaces of %d vertices", count, vertices );
    }
    supResult result = sup_success;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        uint32_t* own = job->indices + (size_t)i * (size_t)indices;
        supPatches_Places( job->patches, i, job->skin, job->places );
        supLoftCurves( words->curves, words->nodes, job->places, words->detail,
            job->vertices + 3 * (size_t)i * (size_t)vertices, own );
        for ( int32_t k = 0; k < indices; ++k )
        {
            own[k] += (uint32_t)( i * vertices );
        }
        result = supPatches_Measure( job->patches, job->skin, job->places, words->detail, job->reports + i, error );
    }
    return result;
}

static supResult supMakeSewn( supLoftJob* job, supError* error )
{
    supSewnDef def = supDefaultSewnDef();
    def.character = job->input.character;
    def.detail = job->words->detail;
    supResult result = supCreateSewn( &def, &job->sewn, error );
    if ( result != sup_success )
    {
        return result;
    }
    supSewnView view = supSewn_View( job->sewn );
    size_t indices = (size_t)view.indexCount;
    job->vertexCount = view.vertexCount;
    job->indexCount = view.indexCount;
    job->vertices = calloc( (size_t)view.vertexCount, sizeof( supVec3 ) );
    job->normals = calloc( (size_t)view.vertexCount, sizeof( supVec3 ) );
    job->indices = calloc( indices, sizeof( uint32_t ) );
    if ( job->vertices == NULL || job->normals == NULL || job->indices == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a surface of %d vertices", view.vertexCount );
    }
    memcpy( job->indices, view.indices, indices * sizeof( uint32_t ) );
    result = supSewn_Places( job->sewn, job->skin, job->vertices, job->normals, error );
    return result == sup_success ? supSewn_Measure( job->sewn, job->skin, job->vertices, &job->sewnReport, error )
                                 : result;
}

// One normal for each vertex, by the areas around it.
static supResult supMakeNormals( supLoftJob* job, supError* error )
{
    job->normals = job->normals != NULL ? job->normals : calloc( (size_t)job->vertexCount, sizeof( supVec3 ) );
    if ( job->normals == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for normals" );
    }
    memset( job->normals, 0, (size_t)job->vertexCount * sizeof( supVec3 ) );
    for ( int32_t i = 0; i < job->indexCount; i += 3 )
    {
        float* places[3];
        double a[3], b[3];
        for ( int k = 0; k < 3; ++k )
        {
            places[k] = job->vertices + 3 * (size_t)job->indices[i + k];
        }
        for ( int k = 0; k < 3; ++k )
        {
            a[k] = (double)places[1][k] - (double)places[0][k];
            b[k] = (double)places[2][k] - (double)places[0][k];
        }
        for ( int k = 0; k < 9; ++k )
        {
            int x = ( k + 1 ) % 3, y = ( k + 2 ) % 3;
            job->normals[3 * (size_t)job->indices[i + k / 3] + (size_t)( k % 3 )] +=
                (float)( a[x] * b[y] - a[y] * b[x] );
        }
    }
    for ( int32_t v = 0; v < job->vertexCount; ++v )
    {
        float* n = job->normals + 3 * (size_t)v;
        double length = sqrt( (double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2] );
        for ( int k = 0; k < 3; ++k )
        {
            n[k] = length > 0.0 ? (float)( n[k] / length ) : (float)( k == 1 );
        }
    }
    return sup_success;
}

// The surfaces with the character's joints and clips.
static supResult supWriteLoftGltf( supLoftJob* job, supError* error )
{
    supResult result = job->sewn != NULL ? sup_success : supMakeNormals( job, error );
    supSurfaceDef surface = { .name = "loft",
        .vertexCount = job->vertexCount,
        .indexCount = job->indexCount,
        .positions = job->vertices,
        .normals = job->normals,
        .indices = job->indices };
    if ( job->sewn != NULL )
    {
        surface.corners = supSewn_View( job->sewn ).corners;
        surface.shares = supSewn_View( job->sewn ).shares;
    }
    supCharacter* made = NULL;
    result = result == sup_success ? supCreateSurfaceCharacter( job->input.character, &surface, NULL, &made, error )
                                   : result;
    result = result == sup_success ? supSaveGltf( made, NULL, job->words->out, error ) : result;
    supDestroyCharacter( made );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Report

/// Prints a report as JSON, and lets go of it. NULL: there was no memory to make it.
static int supPrintReport( json_t* object )
{
    if ( object == NULL )
    {
        fputs( "supple loft: no memory for a report\n", stderr );
        return sup_exitFailed;
    }
    json_dumpf( object, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputc( '\n', stdout );
    json_decref( object );
    return sup_exitOk;
}

static void supPrintSewn( const supLoftJob* job )
{
    double size = (double)supCharacter_Info( job->input.character )->size;
    const supSewnReport* report = &job->sewnReport;
    supSewnView view = supSewn_View( job->sewn );
    supNetworkReport network = supCurveNetwork_Report( view.network );
    printf( "%s: one surface of %d vertices through %d curves, %d forks\n", job->words->in, job->vertexCount,
        network.curves, network.forks );
    printf( "covered: %.2f%% of the skin is within 0.5%% of the size, %.3g m; rms %.3f%%, 99%% within %.3f%%, largest "
            "%.2f%%\n",
        100.0 * report->covered, size, 100.0 * report->rms / size, 100.0 * report->p99 / size,
        100.0 * report->largest / size );
    if ( view.openEdges == 0 )
    {
        puts( "closed: no open edge" );
    }
    else
    {
        printf( "%d open edges, where the skin is open too\n", view.openEdges );
    }
}

static int supDumpSewn( const supLoftJob* job )
{
    const supSewnReport* report = &job->sewnReport;
    supSewnView view = supSewn_View( job->sewn );
    supNetworkReport network = supCurveNetwork_Report( view.network );
    json_t* object = json_pack( "{s:o, s:f, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f}", "input",
        supTextJson( job->words->in ), "size", (double)supCharacter_Info( job->input.character )->size, "vertices",
        job->vertexCount, "curves", network.curves, "parameters", network.parameters, "forks", network.forks,
        "openEdges", view.openEdges, "covered", report->covered, "rmsError", report->rms, "p99Error", report->p99,
        "largestError", report->largest );
    return supPrintReport( object );
}

static void supPrintLofts( const supLoftJob* job )
{
    double size = (double)supCharacter_Info( job->input.character )->size;
    int32_t count = supPatches_Count( job->patches );
    printf( "%s: %d patch%s of %d curves x %d nodes; %d vertices in all\n\n", job->words->in, count,
        count == 1 ? "" : "es", job->words->curves, job->words->nodes, job->vertexCount );
    printf( "%-28s %6s %9s %9s %9s %9s %9s\n", "patch", "joints", "length m", "bare", "rms", "99%", "largest" );
    for ( int32_t i = 0; i < supPatches_Count( job->patches ); ++i )
    {
        supPatchView view = supPatches_View( job->patches, i );
        const supLoftReport* report = job->reports + i;
        printf( "%-28s %6d %9.3f %8.1f%% %8.3f%% %8.3f%% %8.3f%%\n", view.name, view.jointCount, (double)view.length,
            100.0 * view.uncovered / ( view.curves * view.nodes ), 100.0 * report->rms / size,
            100.0 * report->p99 / size, 100.0 * report->largest / size );
    }
    const int32_t* left;
    int32_t leftCount = supPatches_LeftOut( job->patches, &left );
    printf( "\ndistances from the skin are shares of the size, %.3g m\n", size );
    for ( int32_t i = 0; i < leftCount; ++i )
    {
        printf( "%s%s%s", i == 0 ? "no tube of skin around: " : ", ",
            supCharacter_Joint( job->input.character, left[i] )->name, i + 1 == leftCount ? "\n" : "" );
    }
}

static int supDumpLofts( const supLoftJob* job )
{
    json_t* list = json_array();
    for ( int32_t i = 0; i < supPatches_Count( job->patches ); ++i )
    {
        supPatchView view = supPatches_View( job->patches, i );
        const supLoftReport* report = job->reports + i;
        json_array_append_new(
            list, json_pack( "{s:s, s:i, s:f, s:i, s:i, s:f, s:f, s:f}", "name", view.name, "joints", view.jointCount,
                      "length", (double)view.length, "bareNodes", view.uncovered, "crossings", view.crossings,
                      "rmsError", report->rms, "p99Error", report->p99, "largestError", report->largest ) );
    }
    json_t* object = json_pack( "{s:o, s:f, s:i, s:i, s:i, s:o}", "input", supTextJson( job->words->in ), "size",
        (double)supCharacter_Info( job->input.character )->size, "curves", job->words->curves, "nodes",
        job->words->nodes, "vertices", job->vertexCount, "patches", list );
    return supPrintReport( object );
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static supResult supRunLoftJob( supLoftJob* job, supError* error )
{
    const supLoftOptions* words = job->words;
    supInputDef def = { .command = "loft", .path = words->in, .takesBakeOff = true };
    supResult result = words->out != NULL ? supCheckOutput( words->out, error ) : sup_success;
    result = result == sup_success ? supOpenInput( &job->input, &def, error ) : result;
    result = result == sup_success && !words->sewn ? supFindLoftPatches( job, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    job->skin = calloc( (size_t)supCharacter_Info( job->input.character )->vertexCount + 1, sizeof( supVec3 ) );
    result = job->skin != NULL ? supPoseSkin( job, error ) : supFail( error, sup_errorMemory, "no memory" );
    if ( result == sup_success )
    {
        result = words->sewn ? supMakeSewn( job, error ) : supMakeLofts( job, error );
    }
    if ( result != sup_success || words->out == NULL )
    {
        return result;
    }
    return supEndsWith( words->out, ".obj" )
               ? supWriteObj( words->out, job->vertices, job->vertexCount, job->indices, job->indexCount, error )
               : supWriteLoftGltf( job, error );
}

static void supCloseLoftJob( supLoftJob* job )
{
    free( job->skin );
    free( job->reports );
    free( job->places );
    free( job->vertices );
    free( job->normals );
    free( job->indices );
    supDestroyPatches( job->patches );
    supDestroySewn( job->sewn );
    supCloseInput( &job->input );
}

static int supRunLoftWords( const supUsage* usage, const supLoftOptions* words )
{
    bool glb = words->out != NULL && supEndsWith( words->out, ".glb" );
    if ( words->out != NULL && !glb && !supEndsWith( words->out, ".obj" ) )
    {
        return supReportMisuse( usage, "OUT is NAME.obj or NAME.glb" );
    }
    if ( glb && ( words->clip != NULL || words->rig != NULL ) )
    {
        return supReportMisuse(
            usage, "NAME.glb has the surface at rest and all clips: --clip and --rig are for NAME.obj" );
    }
    if ( words->sewn && words->joints.count > 0 )
    {
        return supReportMisuse( usage, "--sewn is one surface of the whole character: leave --joint out" );
    }
    if ( words->sewn && words->detail > 8 )
    {
        return supReportMisuse( usage, "--sewn takes a --detail of 1 to 8" );
    }
    if ( words->time != 0.0f && words->clip == NULL )
    {
        return supReportMisuse( usage, "--time is a time of --clip" );
    }
    supLoftJob job = { .words = words };
    supError error = { 0 };
    supResult result = supRunLoftJob( &job, &error );
    int code = sup_exitFailed;
    if ( result != sup_success )
    {
        fprintf( stderr, "supple loft: %s\n", error.text );
    }
    else if ( words->json )
    {
        code = words->sewn ? supDumpSewn( &job ) : supDumpLofts( &job );
    }
    else
    {
        ( words->sewn ? supPrintSewn : supPrintLofts )( &job );
        code = sup_exitOk;
    }
    supCloseLoftJob( &job );
    return code;
}

int supRunLoft( const char* program, int argc, char** args )
{
    (void)program;
    supLoftOptions words = { .curves = 24, .nodes = 31, .detail = 2 };
    const supOption options[] = {
        { .name = "joint",
            .type = sup_optionList,
            .target = &words.joints,
            .value = "NAME",
            .help = "only the skin around these; may be repeated; all by default" },
        { .name = "curves",
            .type = sup_optionInt,
            .target = &words.curves,
            .value = "N",
            .min = 3,
            .max = 1024,
            .help = "of a patch; 24 by default" },
        { .name = "nodes",
            .type = sup_optionInt,
            .target = &words.nodes,
            .value = "N",
            .min = 5,
            .max = 4096,
            .help = "of a curve; 31 by default" },
        { .name = "detail",
            .type = sup_optionInt,
            .target = &words.detail,
            .value = "N",
            .min = 1,
            .max = 16,
            .help = "steps of the surface from node to node; 2 by default" },
        { .name = "sewn",
            .type = sup_optionFlag,
            .target = &words.sewn,
            .help = "instead: one surface without seams, through rings that cover all of the skin" },
        { .name = "clip",
            .type = sup_optionText,
            .target = &words.clip,
            .value = "NAME",
            .help = "the curves as they are in this clip; at rest by default" },
        { .name = "time", .type = sup_optionFloat, .target = &words.time, .value = "S", .help = "when in the clip" },
        { .name = "rig",
            .type = sup_optionText,
            .target = &words.rig,
            .value = "FILE",
            .help = "living skin: a .rig.json, or a .glb with one inside" },
        { .name = "json", .type = sup_optionFlag, .target = &words.json, .help = "one JSON object on stdout" },
        SUP_TRUST_OPTIONS,
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = {
        { .name = "IN", .target = &words.in, .required = true, .help = "a glTF file, or arm, finger, woman, ..." },
        { .name = "OUT",
            .target = &words.out,
            .help = "NAME.obj: the surfaces; NAME.glb: with the joints and clips; none: only say what was found" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "loft", "new surfaces through the curves of a character", options, arguments,
        "examples:\n"
        "  supple loft woman\n"
        "  supple loft arm arm.obj --curves 34 --nodes 27 --clip bend --time 0.5\n"
        "  supple loft woman woman.glb --sewn\n"
        "  supple loft man.glb hand.obj --joint hand.L --joint thumb.L --joint index.L\n",
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    return parsed != sup_parseOk ? supExitCodeOf( parsed ) : supRunLoftWords( &usage, &words );
}
