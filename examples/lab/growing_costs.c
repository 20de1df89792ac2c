// What a file costs as it grows: more and more joints, vertices, keys, clips, meshes and elements, one kind at a time,
// from 1,000 to 1,000,000 of each. Every character is saved as a glTF file, read back, given flesh, compiled, stepped,
// skinned and baked. The last column is the exponent of the cost between one size and the next: 1 is linear.
//
//     example_growing_costs               small sizes, as a test: everything works
//     example_growing_costs MOST [PLOT]   up to MOST of each (1000000); the plot as a file, .svg or .png
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/io.h"
#if SUP_HAS_SUPPLE_PICTURE
#    include "supple/lab/plot.h"
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum supKind
{
    sup_kindJoints,
    sup_kindVertices,
    sup_kindKeys,
    sup_kindClips,
    sup_kindMeshes,
    sup_kindElements,
    sup_kindCount
} supKind;

static const char* const sup_kinds[sup_kindCount] = { "joints", "vertices", "keys", "clips", "meshes", "elements" };

enum
{
    sup_stageSave,
    sup_stageRead,
    sup_stageRig,
    sup_stageCompile,
    sup_stageFrame,
    sup_stageBake,
    sup_stageCount
};

/// "joint" and any whole number.
enum
{
    supNameRoom = 24
};

static const char* const sup_stages[sup_stageCount] = { "save", "read", "rig", "compile", "frame", "bake" };

/// Numbers of a thing while it is made.
typedef struct supGrown
{
    supKind kind;
    int32_t joints, trunk, vertices, keys, clips, meshes, elements; ///< trunk: joints that carry the skin
    supJointDef* jointDefs;
    char* names;
    float *positions, *weights, *times, *values;
    uint16_t* influences;
    uint32_t* indices;
    supMeshDef* meshDefs;
    supClipDef* clipDefs;
    supTrackDef track;
    int32_t* skinJoints;
    supMat34* binds;
} supGrown;

static void* supRoom( size_t count, size_t size )
{
    void* room = calloc( count + 1, size );
    if ( room == NULL )
    {
        fprintf( stderr, "no memory\n" );
        exit( 1 );
    }
    return room;
}

/// A trunk of joints along +Y that carries the skin, each at its share of the height, beside which all others stand.
static void supGrowJoints( supGrown* grown )
{
    grown->jointDefs = (supJointDef*)supRoom( (size_t)grown->joints, sizeof( supJointDef ) );
    grown->names = (char*)supRoom( (size_t)grown->joints, supNameRoom );
    grown->skinJoints = (int32_t*)supRoom( (size_t)grown->joints, sizeof( int32_t ) );
    grown->binds = (supMat34*)supRoom( (size_t)grown->joints, sizeof( supMat34 ) );
    for ( int32_t j = 0; j < grown->joints; ++j )
    {
        char* name = grown->names + supNameRoom * (size_t)j;
        snprintf( name, supNameRoom, "joint%d", (int)j );
        grown->jointDefs[j] = ( supJointDef ){ .name = name, .parent = j == 0 ? -1 : 0 };
        grown->jointDefs[j].rest = supTransform_identity;
        grown->jointDefs[j].rest.translation.y = (float)( j % grown->trunk ) / (float)grown->trunk;
        grown->skinJoints[j] = j;
        grown->binds[j] = supMat34_identity;
        grown->binds[j].t.y = -grown->jointDefs[j].rest.translation.y;
    }
}

/// A tube of rings of eight around the trunk.
static void supGrowSkin( supGrown* grown )
{
    int32_t rings = grown->vertices / 8, count = 8 * rings;
    grown->positions = (float*)supRoom( 3 * (size_t)count, sizeof( float ) );
    grown->weights = (float*)supRoom( (size_t)count, sizeof( float ) );
    grown->influences = (uint16_t*)supRoom( (size_t)count, sizeof( uint16_t ) );
    grown->indices = (uint32_t*)supRoom( 48 * (size_t)rings, sizeof( uint32_t ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t ring = i / 8, next = i % 8 == 7 ? i - 7 : i + 1;
        double angle = 0.785398163397448 * ( i % 8 ), y = ( ring + 0.5 ) / rings;
        grown->positions[3 * i] = 0.1f * (float)cos( angle );
        grown->positions[3 * i + 1] = (float)y;
        grown->positions[3 * i + 2] = 0.1f * (float)sin( angle );
        grown->weights[i] = 1.0f;
        grown->influences[i] = (uint16_t)( (double)grown->trunk * y );
        const int32_t corners[6] = { i, i + 8, next, next, i + 8, next + 8 };
        for ( int k = 0; k < 6 && ring + 1 < rings; ++k )
        {
            grown->indices[6 * i + k] = (uint32_t)corners[k];
        }
    }
}

static void supGrowClips( supGrown* grown )
{
    grown->times = (float*)supRoom( (size_t)grown->keys, sizeof( float ) );
    grown->values = (float*)supRoom( 3 * (size_t)grown->keys, sizeof( float ) );
    for ( int32_t k = 0; k < grown->keys; ++k )
    {
        grown->times[k] = grown->kind == sup_kindKeys ? (float)k / 1000.0f : (float)k / 30.0f;
        grown->values[3 * k] = 0.05f * (float)sin( 6.283185307179586 * k / 15.0 );
    }
    grown->track = ( supTrackDef ){ .joint = 1,
        .path = sup_pathTranslation,
        .interpolation = sup_interpolationLinear,
        .keyCount = grown->keys,
        .times = grown->times,
        .values = grown->values,
        .width = 3 };
    grown->clipDefs = (supClipDef*)supRoom( (size_t)grown->clips, sizeof( supClipDef ) );
    for ( int32_t c = 0; c < grown->clips; ++c )
    {
        grown->clipDefs[c] = ( supClipDef ){ .name = "swing", .trackCount = 1, .tracks = &grown->track };
    }
}

static supResult supMakeGrown( supGrown* grown, supCharacter** out, supError* error )
{
    int32_t skinJoints = grown->joints < 65535 ? grown->joints : 65535; // of one skin: glTF's own limit
    supGrowJoints( grown );
    supGrowSkin( grown );
    supGrowClips( grown );
    grown->meshDefs = (supMeshDef*)supRoom( (size_t)grown->meshes, sizeof( supMeshDef ) );
    for ( int32_t m = 0; m < grown->meshes; ++m )
    {
        grown->meshDefs[m] = ( supMeshDef ){ .name = "tube",
            .vertexCount = grown->vertices,
            .positions = grown->positions,
            .influenceCount = 1,
            .jointIndices = grown->influences,
            .weights = grown->weights,
            .indexCount = 6 * ( grown->vertices - 8 ),
            .indices = grown->indices,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
    }
    const supSkinDef skin = {
        .name = "skin", .jointCount = skinJoints, .joints = grown->skinJoints, .inverseBind = grown->binds
    };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = sup_kinds[grown->kind];
    def.jointCount = grown->joints;
    def.joints = grown->jointDefs;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = grown->meshes;
    def.meshes = grown->meshDefs;
    def.clipCount = grown->clips;
    def.clips = grown->clipDefs;
    return supCreateCharacter( &def, out, error );
}

static void supDropGrown( supGrown* grown )
{
    free( grown->jointDefs );
    free( grown->names );
    free( grown->skinJoints );
    free( grown->binds );
    free( grown->positions );
    free( grown->weights );
    free( grown->influences );
    free( grown->indices );
    free( grown->times );
    free( grown->values );
    free( grown->clipDefs );
    free( grown->meshDefs );
}

static double supSecondsSince( clock_t* start )
{
    clock_t now = clock();
    double seconds = (double)( now - *start ) / CLOCKS_PER_SEC;
    *start = now;
    return seconds;
}

/// The rig: elements on the first joints of the trunk. What the automatic rig makes of a tube is thrown away: its look
/// at the character is what is measured.
static supResult supRigGrown( const supGrown* grown, const supCharacter* character, supRig** rig, supError* error )
{
    if ( grown->kind != sup_kindElements )
    {
        supRig* found = NULL;
        supResult result = supProposeRig( character, sup_presetNatural, &found, error );
        supDestroyRig( found );
        if ( result != sup_success )
        {
            return result;
        }
    }
    supResult result = supCreateRig( NULL, rig, error );
    for ( int32_t e = 0; e < grown->elements && result == sup_success; ++e )
    {
        char name[24], driver[24];
        snprintf( name, sizeof( name ), "element%d", (int)e );
        snprintf( driver, sizeof( driver ), "joint%d", (int)e );
        supElementDef element = supDefaultElementDef();
        element.name = name;
        element.driver = driver;
        element.end = ( supVec3 ){ 0.0f, 1.0f / (float)grown->trunk, 0.0f };
        result = supRig_AddItem( *rig, supFindLayer( "elements" ), &element, error );
    }
    return result;
}

static supResult supBakeGrown( const supCharacter* character, const supModel* model, supError* error )
{
    supTake* take = NULL;
    supJointBake* bake = NULL;
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    supResult result = supCreateTake( &takeDef, &take, error );
    const supTake* takes[1] = { take };
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = model;
    def.takes = takes;
    def.takeCount = 1;
    (void)character;
    result = result == sup_success ? supBakeJoints( &def, &bake, error ) : result;
    supDestroyJointBake( bake );
    supDestroyTake( take );
    return result;
}

/// All stages of one size; their seconds. A refusal is printed: the limit has a name.
static bool supMeasureGrown( supGrown* grown, double seconds[sup_stageCount] )
{
    char path[64];
    snprintf( path, sizeof( path ), "/tmp/supple-costs-%s-%d.glb", sup_kinds[grown->kind], (int)grown->joints );
    supError error;
    error.text[0] = '\0';
    supCharacter *made = NULL, *character = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supMakeGrown( grown, &made, &error );
    clock_t start = clock();
    result = result == sup_success ? supSaveGltf( made, NULL, path, &error ) : result;
    seconds[sup_stageSave] = supSecondsSince( &start );
    result = result == sup_success ? supLoadGltf( path, &character, &error ) : result;
    seconds[sup_stageRead] = supSecondsSince( &start );
    result = result == sup_success ? supRigGrown( grown, character, &rig, &error ) : result;
    seconds[sup_stageRig] = supSecondsSince( &start );
    result = result == sup_success ? supCompileModel( character, rig, &model, &error ) : result;
    seconds[sup_stageCompile] = supSecondsSince( &start );
    size_t floats = result == sup_success ? 3 * (size_t)supCharacter_Info( character )->vertexCount : 0;
    float* skin = (float*)supRoom( floats, sizeof( float ) );
    result = result == sup_success ? supCreateBody( model, &body, &error ) : result;
    result = result == sup_success ? supCreatePose( character, NULL, &pose, &error ) : result;
    start = clock();
    for ( int i = 0; i < 10 && result == sup_success; ++i )
    {
        supPose_Sample( pose, 0, 0.1 * i );
        result = supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( body, skin, NULL );
    }
    seconds[sup_stageFrame] = supSecondsSince( &start ) / 10.0;
    result = result == sup_success ? supBakeGrown( character, model, &error ) : result;
    seconds[sup_stageBake] = supSecondsSince( &start );
    if ( result != sup_success )
    {
        printf( "| %s | | refused: %s |\n", sup_kinds[grown->kind], error.text );
    }
    remove( path );
    free( skin );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    supDestroyCharacter( made );
    return result == sup_success;
}

static supGrown supGrownOf( supKind kind, int32_t count )
{
    supGrown grown = {
        .kind = kind, .joints = 16, .trunk = 16, .vertices = 512, .keys = 16, .clips = 1, .meshes = 1, .elements = 2
    };
    switch ( kind )
    {
        case sup_kindJoints:
            grown.joints = count;
            break;
        case sup_kindVertices:
            grown.vertices = count;
            break;
        case sup_kindKeys:
            grown.keys = count;
            break;
        case sup_kindClips:
            grown.clips = count;
            break;
        case sup_kindMeshes:
            grown.meshes = count;
            grown.vertices = 32;
            grown.trunk = 2;
            break;
        default:
            grown.elements = grown.joints = grown.trunk = count;
            grown.vertices = 16 * count;
            break;
    }
    return grown;
}

#define SUP_MOST_SIZES 8

typedef struct supCosts
{
    double sizes[SUP_MOST_SIZES], totals[SUP_MOST_SIZES];
    int32_t count;
} supCosts;

static bool supGrowKind( supKind kind, double most, supCosts* costs )
{
    for ( double size = 1000.0; size <= most * 1.001 && costs->count < SUP_MOST_SIZES; size *= 10.0 )
    {
        double seconds[sup_stageCount] = { 0.0 }, total = 0.0;
        supGrown grown = supGrownOf( kind, (int32_t)( size + 0.5 ) );
        bool good = supMeasureGrown( &grown, seconds );
        supDropGrown( &grown );
        if ( !good )
        {
            return size > 1000.0; // beyond a limit with a name
        }
        printf( "| %s | %.0f |", sup_kinds[kind], size );
        for ( int s = 0; s < sup_stageCount; ++s )
        {
            printf( " %.4g |", seconds[s] );
            total += seconds[s];
        }
        int32_t at = costs->count++;
        costs->sizes[at] = size;
        costs->totals[at] = total;
        double exponent = at > 0 ? log( total / costs->totals[at - 1] ) / log( size / costs->sizes[at - 1] ) : NAN;
        printf( at > 0 ? " %.3g | %.2f |\n" : " %.3g | |\n", total, exponent );
        fflush( stdout );
    }
    return true;
}

int main( int argc, char** argv )
{
    double most = argc > 1 ? atof( argv[1] ) : 1000.0;
    static supCosts costs[sup_kindCount];
    bool good = true;
    printf( "| what | how many |" );
    for ( int s = 0; s < sup_stageCount; ++s )
    {
        printf( " %s |", sup_stages[s] );
    }
    printf( " all, seconds | exponent |\n|---|---|---|---|---|---|---|---|---|---|\n" );
    for ( int k = 0; k < sup_kindCount; ++k )
    {
        good = supGrowKind( (supKind)k, most, costs + k ) && good;
    }
#if SUP_HAS_SUPPLE_PICTURE
    if ( argc > 2 )
    {
        supSeries series[sup_kindCount + 1];
        for ( int k = 0; k < sup_kindCount; ++k )
        {
            series[k] = ( supSeries ){
                .name = sup_kinds[k], .x = costs[k].sizes, .y = costs[k].totals, .count = costs[k].count, .marker = 6.0f
            };
        }
        static const double ideal[2][2] = { { 1e3, 1e6 }, { 1e-3, 2.0 } };
        series[sup_kindCount] =
            ( supSeries ){ .name = "n log n", .x = ideal[0], .y = ideal[1], .count = 2, .dashed = true };
        supPlotDef plot = supDefaultPlotDef();
        plot.title = "What a file costs as it grows";
        plot.xLabel = "how many";
        plot.yLabel = "save, read, rig, compile, frame and bake (seconds)";
        plot.xLog = plot.yLog = true;
        plot.series = series;
        plot.seriesCount = sup_kindCount + 1;
        supError error;
        error.text[0] = '\0';
        if ( supWritePlot( &plot, argv[2], &error ) != sup_success )
        {
            fprintf( stderr, "%s\n", error.text );
            good = false;
        }
    }
#endif
    return good ? 0 : 1;
}
