// supple curves
// SPDX-License-Identifier: MIT
#include "command.h"
#include "curves_job.h"
#include "input.h"
#include "output.h"
#include "supple/lab/files.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static int supFailCurves( const supError* error )
{
    fprintf( stderr, "supple curves: %s\n", error->text );
    return sup_exitFailed;
}

static json_t* supCurveList( const supCurveNetwork* network )
{
    json_t* list = json_array();
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ); ++c )
    {
        supNetworkCurve curve = supCurveNetwork_Curve( network, c );
        json_array_append_new(
            list, json_pack( "{s:s, s:i, s:s, s:i, s:i, s:f, s:f}", "part", curve.part, "number", curve.number, "kind",
                      curve.tip    ? "tip"
                      : curve.open ? "open"
                                   : "closed",
                      "terms", curve.terms, "points", curve.pointCount, "rmsError", curve.rmsError, "maxError",
                      curve.maxError ) );
    }
    return list;
}

static int supTellCurves( const supCurvesJob* job )
{
    supNetworkReport r = supCurveNetwork_Report( job->network );
    if ( !job->words->json )
    {
        printf( "%s: %d curve%s and %d tip%s in %d part%s, %d fork%s, %d points, %d parameters a coordinate\n",
            job->words->in, (int)r.curves, r.curves == 1 ? "" : "s", (int)r.tips, r.tips == 1 ? "" : "s", (int)r.parts,
            r.parts == 1 ? "" : "s", (int)r.forks, r.forks == 1 ? "" : "s", (int)r.points, (int)r.parameters );
        // what lies flat has no height
        double whole = r.height > 0.0 ? r.height : r.size;
        printf(
            "surface without kept detail: rms %.3g, 99%% within %.3g, largest %.3g (%.2f%%, %.2f%%, %.2f%% of the %s); %d vertices uncovered\n",
            r.rmsError, r.p99Error, r.maxError, 100.0 * r.rmsError / whole, 100.0 * r.p99Error / whole,
            100.0 * r.maxError / whole, r.height > 0.0 ? "height" : "size", (int)r.uncovered );
        if ( job->unseenRms >= 0.0 )
        {
            printf( "%s in %d stages: frames between their ends off by rms %.3g, largest %.3g\n", job->words->clip,
                job->words->stages, job->unseenRms, job->unseenMax );
        }
        if ( job->words->out != NULL )
        {
            printf( "%s: written\n", job->words->out );
        }
        return sup_exitOk;
    }
    json_t* object = json_pack( "{s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:i, s:o}", "input",
        supTextJson( job->words->in ), "curves", r.curves, "tips", r.tips, "points", r.points, "parameters",
        r.parameters, "parts", r.parts, "forks", r.forks, "size", r.size, "height", r.height, "rmsError", r.rmsError,
        "p99Error", r.p99Error, "maxError", r.maxError, "uncovered", r.uncovered, "list",
        supCurveList( job->network ) );
    if ( object != NULL && job->unseenRms >= 0.0 )
    {
        json_object_set_new( object, "unseenRmsError", json_real( job->unseenRms ) );
        json_object_set_new( object, "unseenMaxError", json_real( job->unseenMax ) );
    }
    if ( object == NULL )
    {
        fputs( "supple curves: no memory for a report\n", stderr );
        return sup_exitFailed;
    }
    json_dumpf( object, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputc( '\n', stdout );
    json_decref( object );
    return sup_exitOk;
}

static supResult supWriteCurvesRig( const supCurvesJob* job, supError* error )
{
    supRig* rig = NULL;
    supCurvesDef def = supDefaultCurvesDef();
    def.tolerance = job->words->tolerance;
    def.apart = job->words->apart;
    def.volume = job->words->volume;
    def.folds = job->words->folds;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "curves" ), &def, error ) : result;
    result = result == sup_success ? supWriteRig( rig, job->words->out, error ) : result;
    supDestroyRig( rig );
    return result;
}

static supResult supWriteCurves( const supCurvesJob* job, supError* error )
{
    if ( supEndsWith( job->words->out, ".rig.json" ) )
    {
        return supWriteCurvesRig( job, error );
    }
    if ( supEndsWith( job->words->out, ".forces.json" ) )
    {
        return supWriteCurveForces( job->network, job->motion, job->words->out, error );
    }
    int32_t count = supCharacter_Info( job->character )->vertexCount;
    float* shape = malloc( 12 * (size_t)count );
    if ( shape == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory", job->words->out );
    }
    supCurveMotion_At( job->motion, (double)job->words->at, shape );
    supResult result = supWriteObj( job->words->out, shape, count, job->indices, job->indexCount, error );
    free( shape );
    return result;
}

static int supRunCurvesWords( const supUsage* usage, const supCurvesOptions* words )
{
    bool isObj = words->out != NULL && supEndsWith( words->out, ".obj" );
    bool isJson =
        words->out != NULL && ( supEndsWith( words->out, ".rig.json" ) || supEndsWith( words->out, ".forces.json" ) );
    if ( words->out != NULL && !isObj && !isJson )
    {
        return supReportMisuse( usage,
            "OUT is NAME.obj (a shape at a time), NAME.forces.json (forces to edit) or NAME.rig.json (curves that vibrate)" );
    }
    if ( words->clip != NULL && words->shapes.count > 0 )
    {
        return supReportMisuse( usage, "--clip and --shape both give shapes; give only one of them" );
    }
    if ( words->hasAt && !isObj )
    {
        return supReportMisuse( usage, "--at is the time of the shape in OUT.obj" );
    }
    supError error = { 0 };
    supCurvesJob job = { 0 };
    if ( words->parts != NULL && words->parts[0] == '\0' )
    {
        return supReportMisuse( usage, "--parts takes weights, shape or a file" );
    }
    supResult result = words->out != NULL ? supCheckOutput( words->out, &error ) : sup_success;
    if ( result == sup_success )
    {
        result = supOpenCurvesJob( &job, words, &error );
        result = result == sup_success && words->out != NULL ? supWriteCurves( &job, &error ) : result;
    }
    int code = result == sup_success ? supTellCurves( &job ) : supFailCurves( &error );
    supCloseCurvesJob( &job );
    return code;
}

// What curves are looked for.
static int supFindOptions( supCurvesOptions* words, supOption* out )
{
    const supOption options[] = {
        { .name = "terms",
            .type = sup_optionInt,
            .target = &words->terms,
            .value = "N",
            .min = 1,
            .max = 64,
            .help = "harmonics of every curve; as few as each needs by default" },
        { .name = "points",
            .type = sup_optionInt,
            .target = &words->points,
            .value = "N",
            .min = 3,
            .max = 1000,
            .help = "points of every curve" },
        { .name = "curves",
            .type = sup_optionInt,
            .target = &words->curves,
            .value = "N",
            .min = 1,
            .max = 10000,
            .help = "how many; as the tolerance asks by default" },
        { .name = "parameters",
            .type = sup_optionInt,
            .target = &words->parameters,
            .value = "N",
            .min = 1,
            .max = 1000000,
            .help = "no further curve past so many, for each coordinate" },
        { .name = "tolerance",
            .type = sup_optionFloat,
            .target = &words->tolerance,
            .value = "T",
            .min = 1e-6,
            .max = 0.5,
            .help = "of sections between curves, a share of the size; 0.001 by default" },
        { .name = "parts",
            .type = sup_optionText,
            .target = &words->parts,
            .value = "weights|shape|FILE.json",
            .help =
                "where parts come from; the skin's weights where there is one,\nor a list: {\"ear\": [12, [40, 60], \"Ear.L\"]}" },
        { .name = "source",
            .type = sup_optionInt,
            .target = &words->source,
            .value = "VERTEX",
            .min = 0,
            .max = 2147483647,
            .help = "where sections start from; an end of the surface by default" },
    };
    memcpy( out, options, sizeof( options ) );
    return (int)( sizeof( options ) / sizeof( options[0] ) );
}

// The shapes that they go through, and what is written.
static int supShapeOptions( supCurvesOptions* words, supOption* out )
{
    const supOption options[] = {
        { .name = "shape",
            .type = sup_optionList,
            .target = &words->shapes,
            .value = "FILE.obj|morph:NAME",
            .help = "a further shape of the same topology, or a morph target by\nname or number; may be repeated" },
        { .name = "times",
            .type = sup_optionText,
            .target = &words->times,
            .value = "T,T,...",
            .help = "of IN and the shapes; 0 to 1 in equal steps by default" },
        { .name = "clip",
            .type = sup_optionText,
            .target = &words->clip,
            .value = "NAME",
            .help = "instead: frames of this clip, the ends of its stages" },
        { .name = "stages",
            .type = sup_optionInt,
            .target = &words->stages,
            .value = "N",
            .min = 1,
            .max = 60,
            .help = "of the clip; 4 by default" },
        { .name = "smooth",
            .type = sup_optionFlag,
            .target = &words->smooth,
            .help = "velocities go on without a jump at inner shapes" },
        { .name = "forces",
            .type = sup_optionText,
            .target = &words->forces,
            .value = "FILE.json",
            .help =
                "forces in the place of those that carry one shape to the next;\nwithout --shape they move IN alone" },
        { .name = "at",
            .type = sup_optionFloat,
            .target = &words->at,
            .value = "T",
            .given = &words->hasAt,
            .help = "the time of the shape in OUT.obj, also before and after all" },
        { .name = "no-detail",
            .type = sup_optionFlag,
            .target = &words->noDetail,
            .help = "the surface of the curves alone" },
        { .name = "json", .type = sup_optionFlag, .target = &words->json, .help = "one JSON object on stdout" },
    };
    memcpy( out, options, sizeof( options ) );
    return (int)( sizeof( options ) / sizeof( options[0] ) );
}

// What they are made of, and what neighbours hold.
static int supWireOptions( supCurvesOptions* words, supOption* out )
{
    const supOption options[] = {
        { .name = "paper-mean",
            .type = sup_optionFlag,
            .target = &words->paperMean,
            .help = "centers run as the paper's equation has it" },
        { .name = "a1",
            .type = sup_optionFloat,
            .target = &words->a1,
            .value = "N",
            .help = "of the wire: bending stiffness; 1 by default" },
        { .name = "a2",
            .type = sup_optionFloat,
            .target = &words->a2,
            .value = "N",
            .help = "how it is pushed; 0 by default" },
        { .name = "density", .type = sup_optionFloat, .target = &words->density, .value = "N", .help = "1 by default" },
        { .name = "damping", .type = sup_optionFloat, .target = &words->damping, .value = "N", .help = "1 by default" },
        { .name = "apart",
            .type = sup_optionFloat,
            .target = &words->apart,
            .value = "SHARE",
            .max = 1.0,
            .help = "of their rest distance that neighbouring curves keep" },
        { .name = "volume",
            .type = sup_optionFloat,
            .target = &words->volume,
            .value = "SHARE",
            .max = 1.0,
            .help = "of a lost or gained volume between them that is made up for" },
        { .name = "folds",
            .type = sup_optionFloat,
            .target = &words->folds,
            .value = "SHARE",
            .max = 1.0,
            .help = "of a lost length between them that goes into folds" },
    };
    memcpy( out, options, sizeof( options ) );
    return (int)( sizeof( options ) / sizeof( options[0] ) );
}

int supRunCurves( const char* program, int argc, char** args )
{
    (void)program;
    supCurvesOptions words = {
        .stages = 4, .tolerance = 1e-3f, .source = -1, .a1 = 1.0f, .density = 1.0f, .damping = 1.0f
    };
    supOption options[40];
    int count = supFindOptions( &words, options );
    count += supShapeOptions( &words, options + count );
    count += supWireOptions( &words, options + count );
    const supOption trust[] = { SUP_TRUST_OPTIONS };
    options[count++] = trust[0];
    options[count++] = trust[1];
    options[count] = (supOption)SUP_OPTIONS_END;
    const supArgument arguments[] = {
        { .name = "IN", .target = &words.in, .required = true, .help = "a glTF or OBJ file, or arm, leg, horse, ..." },
        { .name = "OUT",
            .target = &words.out,
            .help =
                "NAME.obj: the shape at --at; NAME.forces.json: the forces between\nshapes; NAME.rig.json: curves that vibrate; none: only say what\nwas found" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "curves", "a surface carried by trigonometric curves, between shapes and beyond them",
        options, arguments,
        "examples:\n"
        "  supple curves horse --json\n"
        "  supple curves arm bent.obj --curves 9 --points 31 --terms 15 --shape morph:0 --at 0.5\n"
        "  supple curves arm twisted.obj --shape morph:1 --times 0,0.1 --at 1\n"
        "  supple curves arm half.obj --shape bent.obj --at 0.5     # edit half.obj, then\n"
        "  supple curves arm out.obj --shape half.obj --shape bent.obj --smooth --at 0.7\n"
        "  supple curves arm arm.forces.json --shape bent.obj       # edit it, then\n"
        "  supple curves arm out.obj --shape bent.obj --forces arm.forces.json --at 0.5\n"
        "  supple curves horse --clip gallop --stages 4\n"
        "  supple curves horse horse.rig.json && supple render horse out.png --rig horse.rig.json --show curves\n",
        NULL };
    supParseResult parsed = supParseWords( &usage, argc, args );
    return parsed != sup_parseOk ? supExitCodeOf( parsed ) : supRunCurvesWords( &usage, &words );
}
