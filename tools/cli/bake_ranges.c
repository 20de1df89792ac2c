// supple bake: how far each region moves in each clip, in centimetres, and what may surprise about it.
// SPDX-License-Identifier: MIT
//
// A range is what studies of people measure: how far a marker on the skin travels relative to the bone beneath it, from
// one end of its way to the other. The marker is the vertex that an element moves most; its ways from the smooth to the
// living skin, of all layers together, are taken in the axes of the element's driver, and the range is the largest
// distance between any two of them.
#include "bake_job.h"
#include "columns.h"
#include "output.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// Looks at a clip: enough for the peaks of a swing of 8 Hz within 3%; of long clips fewer a second.
#define SUP_LOOKS_EACH_SECOND 60.0
#define SUP_MOST_LOOKS 600.0
/// Layers above flesh take milliseconds for a look.
#define SUP_FEWER_LOOKS_EACH_SECOND 15.0

/// How much farther one end of an edge goes than the other, as a share of its length, from which it shows as a crease.
static const double supHardEdge = 0.5;
/// Characters larger than this are in files that count in centimetres. Metres
static const double supGiant = 20.0;
/// A mesh that shows less of the motion than this share has it taken back by another layer.
static const double supTakenBack = 0.25;

/// What is looked at in all clips, on any threads.
typedef struct supRangeWork
{
    const supBakeJob* job;
    int32_t elementCount, meshCount;
    int32_t* markers; ///< one an element: a vertex
    int32_t* moved;   ///< vertices that move at all, rising
    int32_t movedCount;
    supShownMotion* shown; ///< clip by clip, as the job has them for all: sums then do not hang on who was first
    supResult* results;    ///< one a clip
    supError* errors;      ///< likewise
} supRangeWork;

/// One clip.
typedef struct supRangeLook
{
    const supRangeWork* work;
    int32_t index;
    supPose* pose;
    supVec3* skin; ///< from the smooth to the living skin, of all vertices
    supVec3* ways; ///< lookCount an element
    int32_t lookCount;

    supVec3* elongations; ///< where flesh alone moves the skin: that of each element; else NULL
    supBody* body;        ///< where layers above it do
    supVec3* smooth;      ///< likewise: of all vertices
} supRangeLook;

static supVec3 supIntoAxes( const supMat34* joint, supVec3 v )
{
    const supVec3 axes[3] = { joint->x, joint->y, joint->z };
    float parts[3];
    for ( int i = 0; i < 3; ++i )
    {
        supVec3 a = axes[i];
        float length = sqrtf( a.x * a.x + a.y * a.y + a.z * a.z );
        parts[i] = length > 0.0f ? ( v.x * a.x + v.y * a.y + v.z * a.z ) / length : 0.0f;
    }
    return ( supVec3 ){ parts[0], parts[1], parts[2] };
}

static double supWayLength( supVec3 a, supVec3 b )
{
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt( x * x + y * y + z * z );
}

/// The vertex that an element moves most; where several do, the one that lies farthest out.
static int32_t supMarkerOf( const supElementView* view )
{
    int32_t best = 0;
    for ( int32_t i = 1; i < view->vertexCount; ++i )
    {
        float more = view->weights[i] - view->weights[best];
        best = more > 1e-4f || ( more > -1e-4f && view->reach[i] > view->reach[best] ) ? i : best;
    }
    return view->vertices[best];
}

static double supLargestOf( const supRangeLook* look )
{
    double largest = 0.0;
    for ( int32_t i = 0; i < look->work->movedCount; ++i )
    {
        supVec3 way = look->skin[look->work->moved[i]];
        double square = (double)way.x * way.x + (double)way.y * way.y + (double)way.z * way.z;
        largest = square > largest ? square : largest;
    }
    return sqrt( largest );
}

/// Adds what every mesh shows of an element's motion, and what its weights let it expect beside the marker's.
static void supAddShown( const supRangeLook* look, int32_t element, double marker )
{
    const supRangeWork* work = look->work;
    supElementView view = supModel_Info( work->job->model )->elements[element];
    float full = 0.0f;
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        full = view.weights[i] > full ? view.weights[i] : full;
    }
    supShownMotion* ofClip = work->shown + (size_t)look->index * (size_t)work->elementCount * (size_t)work->meshCount;
    int32_t mesh = 0;
    for ( int32_t i = 0; i < view.vertexCount && full > 0.0f; ++i )
    {
        supMeshView at = supCharacter_Mesh( work->job->character, mesh );
        while ( view.vertices[i] >= at.firstVertex + at.vertexCount )
        {
            at = supCharacter_Mesh( work->job->character, ++mesh );
        }
        supShownMotion* shown = ofClip + (size_t)element * (size_t)work->meshCount + (size_t)mesh;
        shown->expected += marker * (double)( view.weights[i] / full );
        shown->seen += supWayLength( look->skin[view.vertices[i]], ( supVec3 ){ 0 } );
        shown->vertexCount += 1;
    }
}

/// Flesh alone moves a vertex by the sum of its weights times the elongations.
static void supSumElements( supRangeLook* look, double time )
{
    const supModelInfo* model = supModel_Info( look->work->job->model );
    for ( int32_t i = 0; i < look->work->movedCount; ++i )
    {
        look->skin[look->work->moved[i]] = ( supVec3 ){ 0.0f, 0.0f, 0.0f };
    }
    supTake_Elongations( look->work->job->takes[look->index], time, look->elongations );
    for ( int32_t e = 0; e < model->elementCount; ++e )
    {
        const supElementView* view = model->elements + e;
        supVec3 u = look->elongations[e];
        for ( int32_t i = 0; i < view->vertexCount; ++i )
        {
            supVec3* way = look->skin + view->vertices[i];
            way->x += view->weights[i] * u.x;
            way->y += view->weights[i] * u.y;
            way->z += view->weights[i] * u.z;
        }
    }
}

/// By both skins in full.
static bool supCompareBothSkins( supRangeLook* look, double time )
{
    const supBakeJob* job = look->work->job;
    if ( supTake_Show( job->takes[look->index], time, supPose_Joints( look->pose ), look->body ) != sup_success )
    {
        return false; // a clip that shears a joint to nothing: what is shown stays as it was
    }
    supBody_Skin( look->body, &look->skin->x, NULL );
    supBody_SmoothSkin( look->body, &look->smooth->x, NULL );
    for ( int32_t v = 0; v < supCharacter_Info( job->character )->vertexCount; ++v )
    {
        supVec3 to = look->skin[v], from = look->smooth[v];
        look->skin[v] = ( supVec3 ){ to.x - from.x, to.y - from.y, to.z - from.z };
    }
    return true;
}

static void supLookAtClip( supRangeLook* look )
{
    const supRangeWork* work = look->work;
    const supBakeJob* job = work->job;
    supTakeInfo info = supTake_Info( job->takes[look->index] );
    double largest = 0.0;
    for ( int32_t i = 0; i < look->lookCount; ++i )
    {
        double time = info.start + ( info.end - info.start ) * i / fmax( look->lookCount - 1.0, 1.0 );
        supPose_Sample( look->pose, job->clips[look->index], time );
        if ( look->elongations != NULL )
        {
            supSumElements( look, time );
        }
        else if ( !supCompareBothSkins( look, time ) )
        {
            continue;
        }
        const supMat34* joints = supPose_Joints( look->pose );
        largest = fmax( largest, supLargestOf( look ) );
        for ( int32_t e = 0; e < work->elementCount; ++e )
        {
            supVec3 way = look->skin[work->markers[e]];
            int32_t driver = supModel_Info( job->model )->elements[e].driver;
            look->ways[(size_t)e * (size_t)look->lookCount + (size_t)i] = supIntoAxes( joints + driver, way );
            if ( i % 8 == 0 )
            {
                supAddShown( look, e, supWayLength( way, ( supVec3 ){ 0 } ) );
            }
        }
    }
    job->largest[look->index] = largest;
}

static double supRangeOfWays( const supVec3* ways, int32_t count )
{
    double range = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < i; ++k )
        {
            double x = (double)ways[i].x - (double)ways[k].x, y = (double)ways[i].y - (double)ways[k].y;
            double z = (double)ways[i].z - (double)ways[k].z, square = x * x + y * y + z * z;
            range = square > range ? square : range;
        }
    }
    return sqrt( range );
}

/// Room for a clip, and what moves its skin.
static supResult supOpenLook( supRangeLook* look, supError* error )
{
    const supBakeJob* job = look->work->job;
    supTakeInfo info = supTake_Info( job->takes[look->index] );
    bool isSlow = supModel_Info( job->model )->applyingLayer >= 0;
    double each = isSlow ? SUP_FEWER_LOOKS_EACH_SECOND : SUP_LOOKS_EACH_SECOND;
    look->lookCount = (int32_t)fmin( ceil( ( info.end - info.start ) * each ) + 1.0, SUP_MOST_LOOKS );
    size_t vertices = (size_t)supCharacter_Info( job->character )->vertexCount;
    size_t elements = (size_t)look->work->elementCount;
    look->ways = calloc( (size_t)look->lookCount * elements + 1, sizeof( supVec3 ) );
    look->skin = calloc( vertices + 1, sizeof( supVec3 ) );
    supVec3* more = calloc( ( isSlow ? vertices : elements ) + 1, sizeof( supVec3 ) );
    look->smooth = isSlow ? more : NULL;
    look->elongations = isSlow ? NULL : more;
    supResult result = look->ways != NULL && look->skin != NULL && more != NULL
                           ? supCreatePose( job->character, NULL, &look->pose, error )
                           : supFail( error, sup_errorMemory, "%s: no memory to measure ranges", job->words->in );
    if ( result == sup_success && isSlow )
    {
        result = supCreateBody( job->model, &look->body, error );
    }
    if ( look->body != NULL )
    {
        supBody_SetExact( look->body, true ); // the same numbers on every machine
    }
    return result;
}

static void supCloseLook( supRangeLook* look )
{
    supDestroyPose( look->pose );
    supDestroyBody( look->body );
    free( look->ways );
    free( look->skin );
    free( look->smooth );
    free( look->elongations );
}

static void supMeasureClip( int32_t index, void* context )
{
    const supRangeWork* work = context;
    supRangeLook look = { .work = work, .index = index };
    work->results[index] = supOpenLook( &look, work->errors + index );
    if ( work->results[index] == sup_success )
    {
        supLookAtClip( &look );
        for ( int32_t e = 0; e < work->elementCount; ++e )
        {
            work->job->ranges[(size_t)index * (size_t)work->elementCount + (size_t)e] =
                supRangeOfWays( look.ways + (size_t)e * (size_t)look.lookCount, look.lookCount );
        }
    }
    supCloseLook( &look );
}

/// Adds up what the clips have shown.
static void supSumShown( const supRangeWork* work )
{
    size_t pairs = (size_t)work->elementCount * (size_t)work->meshCount;
    for ( int32_t i = 0; i < work->job->clipCount; ++i )
    {
        for ( size_t at = 0; at < pairs; ++at )
        {
            const supShownMotion* from = work->shown + (size_t)i * pairs + at;
            supShownMotion* to = work->job->shown + at;
            to->expected += from->expected;
            to->seen += from->seen;
            to->vertexCount += from->vertexCount;
        }
    }
}

/// Lists the vertices that any element moves; all of them where other layers may. Ones in `marks` are listed already.
static void supListMoved( supRangeWork* work, uint8_t* marks )
{
    const supModelInfo* model = supModel_Info( work->job->model );
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        for ( int32_t i = 0; i < model->elements[e].vertexCount; ++i )
        {
            marks[model->elements[e].vertices[i]] = 1;
        }
    }
    for ( int32_t v = 0; v < supCharacter_Info( model->character )->vertexCount; ++v )
    {
        if ( marks[v] != 0 || model->applyingLayer >= 0 )
        {
            work->moved[work->movedCount++] = v;
        }
    }
}

static supResult supMeasureClips( supRangeWork* work, supError* error )
{
    const supBakeJob* job = work->job;
    for ( int32_t e = 0; e < work->elementCount; ++e )
    {
        supElementView view = supModel_Info( job->model )->elements[e];
        work->markers[e] = supMarkerOf( &view );
    }
    supTasks tasks = supPool_Tasks( job->pool );
    tasks.run( supMeasureClip, job->clipCount, work, tasks.user );
    supResult result = sup_success;
    for ( int32_t i = 0; i < job->clipCount && result == sup_success; ++i )
    {
        result = work->results[i];
        if ( result != sup_success )
        {
            supFail( error, result, "%s", work->errors[i].text );
        }
    }
    supSumShown( work );
    return result;
}

supResult supBakeJob_MeasureRanges( supBakeJob* job, supError* error )
{
    supRangeWork work = { .job = job,
        .elementCount = supModel_Info( job->model )->elementCount,
        .meshCount = supCharacter_Info( job->character )->meshCount };
    size_t clips = (size_t)job->clipCount, pairs = (size_t)work.elementCount * (size_t)work.meshCount;
    job->ranges = calloc( clips * (size_t)work.elementCount + 1, sizeof( double ) );
    job->largest = calloc( clips + 1, sizeof( double ) );
    job->shown = calloc( pairs + 1, sizeof( supShownMotion ) );
    work.markers = calloc( (size_t)work.elementCount + 1, sizeof( int32_t ) );
    size_t vertices = (size_t)supCharacter_Info( job->character )->vertexCount;
    uint8_t* marks = calloc( vertices + 1, 1 );
    work.moved = calloc( vertices + 1, sizeof( int32_t ) );
    work.shown = calloc( clips * pairs + 1, sizeof( supShownMotion ) );
    work.results = calloc( clips + 1, sizeof( supResult ) );
    work.errors = calloc( clips + 1, sizeof( supError ) );
    bool fits = job->ranges != NULL && job->largest != NULL && job->shown != NULL && work.markers != NULL &&
                work.shown != NULL && work.results != NULL && work.errors != NULL && marks != NULL &&
                work.moved != NULL;
    if ( fits )
    {
        supListMoved( &work, marks );
    }
    supResult result = fits ? supMeasureClips( &work, error )
                            : supFail( error, sup_errorMemory, "%s: no memory to measure ranges", job->words->in );
    free( marks );
    free( work.moved );
    free( work.markers );
    free( work.shown );
    free( work.results );
    free( work.errors );
    return result;
}

/// How far the skin of an element travels relative to its bone in a clip of the job. Metres
static double supBakeJob_Range( const supBakeJob* job, int32_t clip, int32_t element )
{
    return job->ranges[(size_t)clip * (size_t)supModel_Info( job->model )->elementCount + (size_t)element];
}

double supBakeJob_Centimetres( const supBakeJob* job, double length )
{
    return job->size > supGiant ? length : 100.0 * length;
}

json_t* supBakeJob_RangesJson( const supBakeJob* job, int32_t clip )
{
    json_t* ranges = json_object();
    for ( int32_t e = 0; e < supModel_Info( job->model )->elementCount; ++e )
    {
        json_object_set_new( ranges, supModel_Info( job->model )->elements[e].name,
            json_real( supBakeJob_Centimetres( job, supBakeJob_Range( job, clip, e ) ) ) );
    }
    return ranges;
}

/// "12", "1.2", "0.12": two digits, at most two behind the point.
static const char* supCentimetreText( double cm, char text[24] )
{
    snprintf( text, 24, cm >= 9.95 ? "%.0f" : cm >= 0.995 ? "%.1f" : "%.2f", cm );
    return text;
}

/// How many bytes the names of all clips begin with alike, up to a '|' or ':': where exporters put the skeleton's name.
static size_t supSharedStart( const supBakeJob* job )
{
    size_t shared = 0;
    const char* first = job->clipCount > 1 ? supCharacter_Clip( job->character, job->clips[0] ).name : "";
    for ( size_t length = 1; first[length - 1] != '\0'; ++length )
    {
        bool ends = first[length - 1] == '|' || first[length - 1] == ':';
        for ( int32_t i = 1; i < job->clipCount && ends; ++i )
        {
            ends = strncmp( supCharacter_Clip( job->character, job->clips[i] ).name, first, length ) == 0;
        }
        shared = ends ? length : shared;
    }
    return shared;
}

/// Above a column of numbers.
static void supPrintClipName( FILE* out, const char* name )
{
    int letters = supCountLetters( name ), width = letters < 10 ? letters : 10;
    fprintf( out, "%*s", 12 - width, "" );
    supPrintColumn( out, name, width );
}

void supBakeJob_PrintRanges( const supBakeJob* job, FILE* out )
{
    size_t shared = supSharedStart( job );
    int32_t count = supModel_Info( job->model )->elementCount;
    int width = 8;
    for ( int32_t e = 0; e < count; ++e )
    {
        int name = supCountLetters( supModel_Info( job->model )->elements[e].name );
        width = name > width && name <= 40 ? name : width;
    }
    fprintf( out, "\nhow far it moves, from one end of its way to the other, in cm%s\n",
        job->size > supGiant ? " (the file counts in centimetres: it would be larger than 20 m)" : "" );
    // clips side by side, six to a block: a line stays readable
    for ( int32_t first = 0; first < job->clipCount; first += 6 )
    {
        int32_t last = first + 6 < job->clipCount ? first + 6 : job->clipCount;
        fputs( "  ", out );
        supPrintColumn( out, "region", width );
        for ( int32_t i = first; i < last; ++i )
        {
            supPrintClipName( out, supCharacter_Clip( job->character, job->clips[i] ).name + shared );
        }
        fputs( "\n", out );
        for ( int32_t e = 0; e < count; ++e )
        {
            char text[24];
            fputs( "  ", out );
            supPrintColumn( out, supModel_Info( job->model )->elements[e].name, width );
            for ( int32_t i = first; i < last; ++i )
            {
                fprintf( out, "  %10s",
                    supCentimetreText( supBakeJob_Centimetres( job, supBakeJob_Range( job, i, e ) ), text ) );
            }
            fputs( "\n", out );
        }
        fputs( "  ", out );
        supPrintColumn( out, "farthest", width );
        for ( int32_t i = first; i < last; ++i )
        {
            char text[24];
            fprintf( out, "  %10s", supCentimetreText( supBakeJob_Centimetres( job, job->largest[i] ), text ) );
        }
        fputs( "\n", out );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What may surprise

static void supAddNote( json_t* notes, const char* format, ... )
{
    char text[400];
    va_list values;
    va_start( values, format );
    vsnprintf( text, sizeof( text ), format, values );
    va_end( values );
    json_array_append_new( notes, supTextJson( text ) );
}

/// Whether nothing at all moves, and why that may be.
static void supNoteStillness( const supBakeJob* job, json_t* notes )
{
    double largest = 0.0, amount = 0.0;
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        largest = fmax( largest, job->largest[i] );
    }
    int32_t count = supModel_Info( job->model )->elementCount;
    for ( int32_t e = 0; e < count; ++e )
    {
        amount = fmax( amount, (double)supModel_Info( job->model )->elements[e].amount );
    }
    if ( job->clipCount > 0 && largest < 1e-5 * job->size )
    {
        supAddNote( notes, "nothing moves: %s",
            count > 0 && amount <= 0.0 ? "the amount of every element is 0"
                                       : "no clip shakes the joints that the flesh is on" );
    }
}

/// The steepest edge of an element: how much farther one end goes than the other for its length, at a range of 1.
/// `weights`: of all vertices, zero before and after.
static double supSteepestEdge( const supBakeJob* job, int32_t element, float* weights )
{
    supElementView view = supModel_Info( job->model )->elements[element];
    const supCharacterInfo* info = supCharacter_Info( job->character );
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        weights[view.vertices[i]] = view.weights[i];
    }
    double steepest = 0.0;
    for ( int32_t m = 0; m < info->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( job->character, m );
        const float* own = weights + mesh.firstVertex;
        for ( int32_t i = 0; i + 2 < mesh.indexCount; ++i )
        {
            // of a triangle's three edges each index starts one
            uint32_t a = mesh.indices[i], b = mesh.indices[i % 3 < 2 ? i + 1 : i - 2];
            if ( own[a] == own[b] )
            {
                continue; // nearly all edges: no element has a part in them
            }
            const float *p = info->restPositions + 3 * ( (size_t)mesh.firstVertex + a ),
                        *q = info->restPositions + 3 * ( (size_t)mesh.firstVertex + b );
            double length = supWayLength( ( supVec3 ){ p[0], p[1], p[2] }, ( supVec3 ){ q[0], q[1], q[2] } );
            double jump = fabs( (double)own[a] - (double)own[b] );
            steepest = length > 1e-6 * job->size ? fmax( steepest, jump / length ) : steepest;
        }
    }
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        weights[view.vertices[i]] = 0.0f;
    }
    return steepest;
}

static void supNoteBorders( const supBakeJob* job, json_t* notes )
{
    float* weights = calloc( (size_t)supCharacter_Info( job->character )->vertexCount + 1, sizeof( float ) );
    char names[160] = "";
    double worst = 0.0;
    int32_t count = 0;
    for ( int32_t e = 0; weights != NULL && e < supModel_Info( job->model )->elementCount; ++e )
    {
        double most = 0.0;
        for ( int32_t i = 0; i < job->clipCount; ++i )
        {
            most = fmax( most, supBakeJob_Range( job, i, e ) );
        }
        // both ways of a swing are in the range; a border is at most as far from rest as half of it
        double slope = 0.5 * most * supSteepestEdge( job, e, weights );
        size_t length = strlen( names );
        if ( slope > supHardEdge )
        {
            snprintf( names + length, sizeof( names ) - length, "%s\"%s\"", count > 0 ? ", " : "",
                supModel_Info( job->model )->elements[e].name );
            worst = fmax( worst, slope );
            count += 1;
        }
    }
    free( weights );
    if ( count > 0 )
    {
        supAddNote( notes,
            "hard edge%s at the border of %s: one end of an edge goes farther than the other by up to %.0f%% of its "
            "length; smoother skin weights, a paint or a wider spread soften it",
            count > 1 ? "s" : "", names, 100.0 * worst );
    }
}

static void supNoteTakenBack( const supBakeJob* job, json_t* notes )
{
    int32_t meshCount = supCharacter_Info( job->character )->meshCount;
    bool hasClothes = supModel_ItemCount( job->model, supFindLayer( "clothes" ) ) > 0;
    for ( int32_t e = 0; e < supModel_Info( job->model )->elementCount; ++e )
    {
        int32_t vertices = supModel_Info( job->model )->elements[e].vertexCount;
        for ( int32_t m = 0; m < meshCount; ++m )
        {
            const supShownMotion* shown = job->shown + (size_t)e * (size_t)meshCount + (size_t)m;
            double expected = shown->vertexCount > 0 ? shown->expected / (double)shown->vertexCount : 0.0;
            bool isMuch = shown->vertexCount > 0 && shown->expected > 0.0 && expected > 1e-4 * job->size;
            if ( isMuch && vertices > 0 && shown->seen < supTakenBack * shown->expected )
            {
                supAddNote( notes, "mesh \"%s\" shows %.0f%% of the motion of \"%s\": %s",
                    supCharacter_Mesh( job->character, m ).name, 100.0 * shown->seen / shown->expected,
                    supModel_Info( job->model )->elements[e].name,
                    hasClothes ? "the rig's clothes hold it on skin that does not move"
                               : "another layer of the rig takes it back" );
            }
        }
    }
}

json_t* supBakeJob_Notes( const supBakeJob* job )
{
    json_t* notes = json_array();
    supNoteStillness( job, notes );
    supNoteBorders( job, notes );
    supNoteTakenBack( job, notes );
    return notes;
}

void supBakeJob_PrintNotes( const supBakeJob* job, FILE* out )
{
    json_t* notes = supBakeJob_Notes( job );
    size_t i;
    json_t* note;
    json_array_foreach( notes, i, note )
    {
        fprintf( out, "note: %s\n", json_string_value( note ) );
    }
    json_decref( notes );
}
