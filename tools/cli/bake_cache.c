// supple bake to .pc2 and .mdd: the living skin itself, every vertex at every frame.
// SPDX-License-Identifier: MIT
//
// A cache holds one object and one clip: where there are several, the names say which, NAME-CLIP-OBJECT.pc2. An object
// is a node with its mesh, all primitives together, as modelling programs have it after reading the file.
//
// At its frames a cache is the living skin itself, but for vertices that were welded. Between frames programs go
// straight from point to point: that error is the whole motion's, not the flesh's alone, and falls with --fps.
#include "bake_job.h"
#include "output.h"
#include "supple/lab/files.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct supCacheObject
{
    const char* name;
    int32_t firstVertex, vertexCount; ///< of the character
    int32_t pointCount;
} supCacheObject;

typedef struct supCacheJob
{
    supBakeJob* bake;
    supBody* body;
    supPose* pose;
    float* positions;      ///< of the whole character
    float *before, *after; ///< points of two frames
    int32_t* points;       ///< of every vertex, within its object
    supCacheObject* objects;
    int32_t objectCount;
    char** paths; ///< clip by clip, object by object
    int32_t pathCount;
    json_t* rows; ///< of the report

    // the one being written
    int32_t clip; ///< of the job's
    const supCacheObject* object;
} supCacheJob;

bool supIsCachePath( const char* path )
{
    const char* dot = strrchr( path, '.' );
    return dot != NULL && ( strcasecmp( dot, ".pc2" ) == 0 || strcasecmp( dot, ".mdd" ) == 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Objects and their points

/// Whether two vertices of one rest position always stand together: the same joints by the same weights, and no morph
/// target of the mesh that would part them.
static bool supStandTogether( const supMeshView* a, int32_t i, const supMeshView* b, int32_t k )
{
    if ( a->skin != b->skin || a->influenceCount != b->influenceCount || a->morphCount != b->morphCount )
    {
        return false;
    }
    size_t n = (size_t)a->influenceCount;
    if ( a->skin >= 0 && ( memcmp( a->jointIndices + n * (size_t)i, b->jointIndices + n * (size_t)k, 2 * n ) != 0 ||
                             memcmp( a->weights + n * (size_t)i, b->weights + n * (size_t)k, 4 * n ) != 0 ) )
    {
        return false;
    }
    for ( int32_t m = 0; m < a->morphCount; ++m )
    {
        const float *p = a->morphPositions != NULL ? a->morphPositions[m] : NULL,
                    *q = b->morphPositions != NULL ? b->morphPositions[m] : NULL;
        for ( int c = 0; c < 3; ++c )
        {
            float left = p != NULL ? p[3 * i + c] : 0.0f, right = q != NULL ? q[3 * k + c] : 0.0f;
            if ( left != right )
            {
                return false;
            }
        }
    }
    return true;
}

static int32_t supMeshOfVertex( const supCharacter* character, int32_t vertex )
{
    int32_t mesh = 0;
    while ( mesh + 1 < supCharacter_Info( character )->meshCount &&
            supCharacter_Mesh( character, mesh + 1 ).firstVertex <= vertex )
    {
        mesh += 1;
    }
    return mesh;
}

/// Numbers the points of an object in the order of the file; with --weld, vertices that stand together share one.
static void supNumberPoints( supCacheJob* job, supCacheObject* object )
{
    const supCharacter* character = job->bake->character;
    const int32_t* welds = supCharacter_Info( character )->welds;
    for ( int32_t v = object->firstVertex; v < object->firstVertex + object->vertexCount; ++v )
    {
        int32_t first = welds[v];
        job->points[v] = -1;
        if ( job->bake->words->weld && first != v && first >= object->firstVertex )
        {
            supMeshView mesh = supCharacter_Mesh( character, supMeshOfVertex( character, v ) );
            supMeshView other = supCharacter_Mesh( character, supMeshOfVertex( character, first ) );
            bool together = supStandTogether( &mesh, v - mesh.firstVertex, &other, first - other.firstVertex );
            job->points[v] = together ? job->points[first] : -1;
        }
        if ( job->points[v] < 0 )
        {
            job->points[v] = object->pointCount++;
        }
    }
}

/// Meshes that one node shows follow one another.
static void supFindObjects( supCacheJob* job )
{
    const supCharacter* character = job->bake->character;
    int32_t joint = -1;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        if ( job->objectCount == 0 || mesh.joint != joint )
        {
            const char* node = supCharacter_Joint( character, mesh.joint )->name;
            job->objects[job->objectCount++] =
                ( supCacheObject ){ .name = node[0] != '\0' ? node : mesh.name, .firstVertex = mesh.firstVertex };
        }
        job->objects[job->objectCount - 1].vertexCount += mesh.vertexCount;
        joint = mesh.joint;
    }
    for ( int32_t o = 0; o < job->objectCount; ++o )
    {
        supNumberPoints( job, job->objects + o );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

/// The living skin at a time that is counted in frames.
static void supCacheSkin( supCacheJob* job, double frame )
{
    const supTake* take = job->bake->takes[job->clip];
    double time = supTake_Info( take ).start + frame / (double)job->bake->fps;
    supPose_Sample( job->pose, job->bake->clips[job->clip], time );
    supBody_SetMorphWeights( job->body, supPose_MorphWeights( job->pose ) );
    supTake_Show( take, time, supPose_Joints( job->pose ), job->body );
    supBody_Skin( job->body, job->positions, NULL );
}

static void supCacheFrame( int32_t frame, float* positions, void* user )
{
    supCacheJob* job = user;
    supCacheSkin( job, (double)frame );
    for ( int32_t i = job->object->vertexCount; i-- > 0; ) // backwards: the first vertex of a point counts
    {
        int32_t v = job->object->firstVertex + i;
        memcpy( positions + 3 * job->points[v], job->positions + 3 * (size_t)v, 12 );
    }
}

static int32_t supCacheFrameCount( const supCacheJob* job, int32_t clip )
{
    supTakeInfo info = supTake_Info( job->bake->takes[clip] );
    double frames = floor( ( info.end - info.start ) * (double)job->bake->fps + 1e-4 ) + 1.0;
    return frames < 2e9 ? (int32_t)frames : 2000000000;
}

/// "OUT-CLIP-OBJECT.pc2", with what no file system takes put right.
static void supPlainCachePath( const supCacheJob* job, int32_t clip, int32_t object, char* path, size_t size )
{
    const char* out = job->bake->words->out;
    const char* dot = strrchr( out, '.' );
    const char* names[2] = {
        job->bake->clipCount > 1 ? supCharacter_Clip( job->bake->character, job->bake->clips[clip] ).name : NULL,
        job->objectCount > 1 ? job->objects[object].name : NULL
    };
    size_t length = (size_t)snprintf( path, size, "%.*s", (int)( dot - out ), out );
    for ( int i = 0; i < 2 && length + 1 < size; ++i )
    {
        for ( const char* c = names[i]; c != NULL && *c != '\0' && length + 2 < size; ++c )
        {
            if ( c == names[i] )
            {
                path[length++] = '-';
            }
            path[length++] = (unsigned char)*c < 32 || strchr( "/\\:*?\"<>|", *c ) != NULL ? '_' : *c;
        }
    }
    snprintf( path + length, size - length, "%s", dot );
}

typedef struct supCacheName
{
    char* path;
    int32_t place; ///< clip by clip, object by object
} supCacheName;

/// Capitals do not tell names apart on every file system.
static int supCompareCacheNames( const void* left, const void* right )
{
    const supCacheName *a = left, *b = right;
    int order = strcasecmp( a->path, b->path );
    return order != 0 ? order : ( a->place > b->place ) - ( a->place < b->place );
}

static char* supNumberedPath( const char* path, int32_t number )
{
    const char* dot = strrchr( path, '.' );
    size_t size = strlen( path ) + 16;
    char* out = malloc( size );
    if ( out != NULL )
    {
        snprintf( out, size, "%.*s~%d%s", (int)( dot - path ), path, (int)number, dot );
    }
    return out;
}

/// Numbers those that another one has too. Gives how many, or -1: no memory.
static int32_t supNumberRepeats( supCacheJob* job, supCacheName* names )
{
    int32_t repeats = 0, same = 1;
    for ( int32_t i = 0; i < job->pathCount; ++i )
    {
        names[i] = ( supCacheName ){ job->paths[i], i };
    }
    qsort( names, (size_t)job->pathCount, sizeof( supCacheName ), supCompareCacheNames );
    for ( int32_t i = 1; i < job->pathCount; ++i )
    {
        // names[i - same]: the first of them, which keeps its path
        same = strcasecmp( names[i].path, names[i - same].path ) == 0 ? same + 1 : 1;
        if ( same > 1 )
        {
            char* path = supNumberedPath( names[i].path, same );
            if ( path == NULL )
            {
                return -1;
            }
            free( job->paths[names[i].place] );
            job->paths[names[i].place] = path;
            repeats += 1;
        }
    }
    return repeats;
}

/// A path for each cache: clips of one name, or of names that only differ in what no file system takes, get a number
/// from the second on, "run~2.pc2"; until all differ, since a clip may be called just that. False: no memory.
static bool supNameCaches( supCacheJob* job )
{
    int32_t count = job->bake->clipCount * job->objectCount, repeats = 1;
    supCacheName* names = calloc( (size_t)count + 1, sizeof( supCacheName ) );
    job->paths = calloc( (size_t)count + 1, sizeof( char* ) );
    job->pathCount = job->paths != NULL ? count : 0;
    bool fits = names != NULL && job->paths != NULL;
    for ( int32_t i = 0; i < count && fits; ++i )
    {
        char path[4096];
        supPlainCachePath( job, i / job->objectCount, i % job->objectCount, path, sizeof( path ) );
        job->paths[i] = strdup( path );
        fits = job->paths[i] != NULL;
    }
    while ( fits && count > 0 && repeats > 0 )
    {
        repeats = supNumberRepeats( job, names );
        fits = repeats >= 0;
    }
    free( names );
    return fits;
}

static const char* supCachePath( const supCacheJob* job )
{
    return job->paths[job->clip * job->objectCount + (int32_t)( job->object - job->objects )];
}

// ---------------------------------------------------------------------------------------------------------------
// Errors

/// Of one cache.
typedef struct supCacheErrors
{
    double atFrames, between, sum; ///< metres; the sum of squares
    int64_t count;
    int32_t worstVertex;
    double worstFrame;
} supCacheErrors;

/// The skin in `positions` against the middle of two frames' points.
static double supLookAtCache( const supCacheJob* job, double frame, supCacheErrors* errors )
{
    double largest = 0.0;
    for ( int32_t i = 0; i < job->object->vertexCount; ++i )
    {
        int32_t v = job->object->firstVertex + i;
        double square = 0.0;
        for ( size_t c = 0; c < 3; ++c )
        {
            size_t at = 3 * (size_t)job->points[v] + c;
            double off =
                0.5 * ( (double)job->before[at] + (double)job->after[at] ) - (double)job->positions[3 * (size_t)v + c];
            square += off * off;
        }
        errors->sum += square;
        double worst = errors->atFrames > errors->between ? errors->atFrames : errors->between;
        double length = sqrt( square );
        largest = length > largest ? length : largest;
        if ( length > worst && length >= largest )
        {
            errors->worstVertex = v;
            errors->worstFrame = frame;
        }
    }
    errors->count += job->object->vertexCount;
    return largest;
}

static supCacheErrors supMeasureCache( supCacheJob* job, int32_t frameCount )
{
    supCacheErrors errors = { .worstVertex = job->object->firstVertex };
    for ( int32_t f = 0; f < frameCount; ++f )
    {
        size_t bytes = 12 * (size_t)job->object->pointCount;
        supCacheFrame( f, job->after, job );
        if ( f > 0 )
        {
            supCacheSkin( job, f - 0.5 );
            double between = supLookAtCache( job, f - 0.5, &errors );
            errors.between = between > errors.between ? between : errors.between;
            supCacheSkin( job, (double)f );
        }
        memcpy( job->before, job->after, bytes );
        double atFrame = supLookAtCache( job, (double)f, &errors );
        errors.atFrames = atFrame > errors.atFrames ? atFrame : errors.atFrames;
    }
    return errors;
}

static supPointCache supMakeCache( supCacheJob* job )
{
    return ( supPointCache ){ .pointCount = job->object->pointCount,
        .frameCount = supCacheFrameCount( job, job->clip ),
        .fps = (double)job->bake->fps,
        .frame = supCacheFrame,
        .user = job };
}

/// Checks, measures and judges one cache, and adds its row to the report.
static supResult supPlanOneCache( supCacheJob* job, supError* error )
{
    const char* path = supCachePath( job );
    supPointCache cache = supMakeCache( job );
    supResult result = supCheckPointCache( &cache, path, error );
    if ( result != sup_success )
    {
        return result;
    }
    supCacheErrors errors = supMeasureCache( job, cache.frameCount );
    supTakeInfo take = supTake_Info( job->bake->takes[job->clip] );
    supFittedClip fitted = { .clip = job->bake->clips[job->clip],
        .keyCount = cache.frameCount,
        .maxErrorAtKeys = errors.atFrames,
        .maxError = errors.between > errors.atFrames ? errors.between : errors.atFrames,
        .rmsError = sqrt( errors.sum / (double)errors.count ),
        .worstVertex = errors.worstVertex,
        .worstTime = take.start + errors.worstFrame / cache.fps };
    bool isMdd = strcasecmp( strrchr( path, '.' ), ".mdd" ) == 0;
    json_int_t positions = 12 * (json_int_t)cache.pointCount * cache.frameCount,
               header = isMdd ? 8 + 4 * (json_int_t)cache.frameCount : 32;
    json_array_append_new( job->rows,
        json_pack( "{s:o, s:s, s:s, s:i, s:i, s:i, s:f, s:I, s:I, s:f, s:f, s:f, s:i, s:f, s:f, s:b, s:f}", "output",
            supTextJson( path ), "clip", supCharacter_Clip( job->bake->character, fitted.clip ).name, "object",
            job->object->name, "vertices", job->object->vertexCount, "points", cache.pointCount, "frames",
            cache.frameCount, "fps", cache.fps, "bytes", positions + header, "bytesHeader", header, "maxErrorAtFrames",
            fitted.maxErrorAtKeys, "maxError", fitted.maxError, "rmsError", fitted.rmsError, "worstVertex",
            fitted.worstVertex, "worstFrame", errors.worstFrame, "worstTime", fitted.worstTime, "loop", take.loops,
            "seam", (double)take.seam ) );
    return supBakeJob_JudgeClip( job->bake, job->clip, &fitted, "; more --fps lessen what is between frames", error );
}

static supResult supWriteOneCache( supCacheJob* job, supError* error )
{
    char path[4096 + 16];
    snprintf( path, sizeof( path ), "%s", supCachePath( job ) );
    supPointCache cache = supMakeCache( job );
    supResult result = supWritePointCache( &cache, path, error );
    if ( result == sup_success && job->bake->words->weld )
    {
        size_t length = strlen( path );
        length -= strlen( strrchr( path, '.' ) );
        snprintf( path + length, sizeof( path ) - length, ".map.json" );
        result = supWritePointMap(
            job->points + job->object->firstVertex, job->object->vertexCount, job->object->pointCount, path, error );
    }
    return result;
}

/// All of them are planned before the first is written: where one is refused there is none.
static supResult supWriteAllCaches( supCacheJob* job, supError* error )
{
    supResult result = supNameCaches( job ) ? sup_success : supFail( error, sup_errorMemory, "no memory for names" );
    supProgress_Stage( &job->bake->progress, "writing caches" );
    for ( int pass = 0; pass < 2 && result == sup_success; ++pass )
    {
        for ( int32_t clip = 0; clip < job->bake->clipCount && result == sup_success; ++clip )
        {
            for ( int32_t o = 0; o < job->objectCount && result == sup_success; ++o )
            {
                job->clip = clip;
                job->object = job->objects + o;
                supProgress_Update( &job->bake->progress, 0.5 * pass + 0.5 * clip / job->bake->clipCount );
                result = pass == 0 ? supPlanOneCache( job, error ) : supWriteOneCache( job, error );
            }
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static double supRowNumber( const json_t* row, const char* key )
{
    return json_number_value( json_object_get( row, key ) );
}

static const char* supRowText( const json_t* row, const char* key )
{
    return json_string_value( json_object_get( row, key ) );
}

static void supPrintCacheTable( const supCacheJob* job )
{
    size_t index;
    json_t *row, *worst = NULL;
    double bytes = 0.0, header = 0.0;
    char texts[3][24];
    json_array_foreach( job->rows, index, row )
    {
        printf( "%s: clip \"%s\" of \"%s\", %d points (of %d vertices), %d frames at %g a second, %s\n",
            supRowText( row, "output" ), supRowText( row, "clip" ), supRowText( row, "object" ),
            (int)supRowNumber( row, "points" ), (int)supRowNumber( row, "vertices" ),
            (int)supRowNumber( row, "frames" ), (double)job->bake->fps,
            supBytesText( (size_t)supRowNumber( row, "bytes" ), texts[0] ) );
        bytes += supRowNumber( row, "bytes" );
        header += supRowNumber( row, "bytesHeader" );
        bool more = worst == NULL || supRowNumber( row, "maxError" ) > supRowNumber( worst, "maxError" );
        worst = more ? row : worst;
    }
    if ( worst == NULL )
    {
        return;
    }
    double size = job->bake->size;
    bool isFile = job->bake->bytesIn > 0; // a built-in character is none
    printf(
        "at frames within %.2g%% of the size; halfway between, where programs go straight, %.3g (%.2g%%, rms %.2g%%) "
        "at vertex %d, frame %.1f of \"%s\"; the format has no normals, programs make them from the points\n"
        "positions %s, headers and times %s%s%s%s%s\n",
        100.0 * supRowNumber( worst, "maxErrorAtFrames" ) / size, supRowNumber( worst, "maxError" ),
        100.0 * supRowNumber( worst, "maxError" ) / size, 100.0 * supRowNumber( worst, "rmsError" ) / size,
        (int)supRowNumber( worst, "worstVertex" ), supRowNumber( worst, "worstFrame" ), supRowText( worst, "clip" ),
        supBytesText( (size_t)( bytes - header ), texts[0] ), supBytesText( (size_t)header, texts[1] ),
        isFile ? "; " : "", isFile ? job->bake->words->in : "", isFile ? " has " : "",
        isFile ? supBytesText( (size_t)job->bake->bytesIn, texts[2] ) : "" );
    if ( job->bake->words->weld )
    {
        puts( "which vertex became which point: beside each cache, NAME.map.json" );
    }
}

static void supPrintCaches( const supCacheJob* job )
{
    supProgress_End( &job->bake->progress );
    if ( job->bake->words->json == false )
    {
        supPrintCacheTable( job );
        return;
    }
    json_t* report =
        json_pack( "{s:o, s:s, s:f, s:O, s:I, s:b}", "input", supTextJson( job->bake->words->in ), "form", "cache",
            "size", job->bake->size, "caches", job->rows, "bytesIn", (json_int_t)job->bake->bytesIn, "normals", 0 );
    json_dumpf( report, stdout, JSON_INDENT( 2 ) | JSON_REAL_PRECISION( 9 ) );
    fputs( "\n", stdout );
    json_decref( report );
}

supResult supBakeJob_WriteCaches( supBakeJob* bake, supError* error )
{
    size_t vertices = (size_t)supCharacter_Info( bake->character )->vertexCount;
    supCacheJob job = { .bake = bake, .rows = json_array() };
    job.positions = calloc( vertices + 1, 12 );
    job.before = calloc( vertices + 1, 12 );
    job.after = calloc( vertices + 1, 12 );
    job.points = calloc( vertices + 1, sizeof( int32_t ) );
    job.objects = calloc( (size_t)supCharacter_Info( bake->character )->meshCount + 1, sizeof( supCacheObject ) );
    bool fits =
        job.positions != NULL && job.before != NULL && job.after != NULL && job.points != NULL && job.objects != NULL;
    supResult result = supCreatePose( bake->character, NULL, &job.pose, error );
    result = result == sup_success ? supCreateBody( bake->model, &job.body, error ) : result;
    if ( fits == false )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory for %zu vertices", bake->words->in, vertices );
    }
    else if ( result == sup_success )
    {
        supBody_SetExact( job.body, true ); // the same bytes on every machine
        supFindObjects( &job );
        result = supWriteAllCaches( &job, error );
    }
    if ( result == sup_success )
    {
        supPrintCaches( &job );
    }
    supDestroyBody( job.body );
    supDestroyPose( job.pose );
    free( job.positions );
    free( job.before );
    free( job.after );
    free( job.points );
    free( job.objects );
    for ( int32_t i = 0; i < job.pathCount; ++i )
    {
        free( job.paths[i] );
    }
    free( job.paths );
    json_decref( job.rows );
    return result;
}
