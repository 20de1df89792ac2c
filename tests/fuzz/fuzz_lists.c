// Reads any bytes as one of the small JSON files that stand beside a character: which joint of a motion moves which,
// the forces on curves, the parts of a surface, what was tuned elsewhere for swinging bones. The first byte says which
// of them: m, f, p or s. What is read must be in range, and what is refused must have words and change nothing.
#define _GNU_SOURCE // memfd_create
#include "curves_job.h"
#include "fuzz/byte_source.h"
#include "fuzz/gltf_mutator.h"
#include "io/retarget.h"
#include "rig_import.h"
#include "supple/lab/curves.h"
#include "supple/lab/files.h"
#include "support/small_tube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static supCharacter* sup_tube;
static supCurveNetwork* sup_network;
static supModel* sup_model; // of the rig below
static const char* const sup_rigText = "{\"elements\":[{\"driver\":\"j0\"},{\"driver\":\"j1\"}]}";

static supRig* supMakeTubeRig( void )
{
    supRig* rig = NULL;
    supError error = { 0 };
    supFuzzCheck(
        supReadRigMemory( sup_rigText, strlen( sup_rigText ), "tube", sup_tube, NULL, &rig, &error ) == sup_success,
        "its rig", error.text );
    return rig;
}

static void supMakeTubeOnce( void )
{
    supError error = { 0 };
    supTubeDef tube = supDefaultTubeDef();
    tube.joints = 4;
    tube.rings = 10;
    supFuzzCheck( supMakeSmallTube( &tube, NULL, &sup_tube, &error ) == sup_success, "the tube", error.text );
    supMeshView mesh = supCharacter_Mesh( sup_tube, 0 );
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = "tube";
    def.vertexCount = mesh.vertexCount;
    def.positions = supCharacter_Info( sup_tube )->restPositions;
    def.indexCount = mesh.indexCount;
    def.indices = mesh.indices;
    supFuzzCheck( supCreateCurveNetwork( &def, &sup_network, &error ) == sup_success, "its curves", error.text );
    supRig* rig = supMakeTubeRig();
    supFuzzCheck( supCompileModel( sup_tube, rig, &sup_model, &error ) == sup_success, "its rig", error.text );
    supDestroyRig( rig );
}

static void supReadAsMap( const char* path )
{
    int32_t partners[sup_tubeMostJoints + 1], count = supCharacter_Info( sup_tube )->jointCount;
    supError error = { 0 };
    int32_t matched = supMatchJoints( sup_tube, sup_tube, path, partners, &error );
    supFuzzCheck( matched >= 0 || error.text[0] != '\0', "a map", "is refused without words" );
    for ( int32_t j = 0; j < count && matched >= 0; ++j )
    {
        supFuzzCheck( partners[j] >= -1 && partners[j] < count, "a partner", "is none" );
    }
}

static void supReadAsForces( const char* path )
{
    static float skin[3 * sup_tubeMostVertices];
    const double times[1] = { 0.0 };
    const float* const shapes[1] = { supCharacter_Info( sup_tube )->restPositions };
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.name = "tube";
    def.shapeCount = 1;
    def.times = times;
    def.shapes = shapes;
    supCurveMotion* motion = NULL;
    supError error = { 0 };
    supFuzzCheck( supCreateCurveMotion( sup_network, &def, &motion, &error ) == sup_success, "a motion", error.text );
    if ( supFuzzGood( supReadCurveForces( sup_network, motion, path, &error ), &error ) )
    {
        supCurveMotion_At( motion, 0.1, skin );
    }
    supDestroyCurveMotion( motion );
}

static void supReadAsParts( const char* path )
{
    static int32_t parts[sup_tubeMostVertices];
    char** names = NULL;
    int32_t count = 0;
    supError error = { 0 };
    if ( supFuzzGood( supReadPartList( path, sup_tube, parts, &names, &count, &error ), &error ) )
    {
        for ( int32_t v = 0; v < supCharacter_Info( sup_tube )->vertexCount; ++v )
        {
            supFuzzCheck( parts[v] >= -1 && parts[v] < count, "a part", "is none" );
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        free( names[i] );
    }
    free( (void*)names );
}

/// What comes of it can be compiled.
static void supReadAsSettings( const char* path )
{
    supRig* rig = supMakeTubeRig();
    supModel* model = NULL;
    supError error = { 0 };
    if ( supFuzzGood( supImportSettings( path, sup_model, &rig, NULL, &error ), &error ) )
    {
        supFuzzCheck( supCompileModel( sup_tube, rig, &model, &error ) == sup_success, "imported", error.text );
    }
    supDestroyModel( model );
    supDestroyRig( rig );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    if ( sup_network == NULL )
    {
        supMakeTubeOnce();
    }
    if ( size == 0 )
    {
        return 0;
    }
    char path[64];
    int handle = memfd_create( "list.json", 0 );
    supFuzzCheck( handle >= 0 && write( handle, data + 1, size - 1 ) == (ssize_t)( size - 1 ), "memfd", "no room" );
    snprintf( path, sizeof( path ), "/proc/self/fd/%d", handle );
    switch ( data[0] )
    {
        case 'm':
            supReadAsMap( path );
            break;
        case 'f':
            supReadAsForces( path );
            break;
        case 's':
            supReadAsSettings( path );
            break;
        default:
            supReadAsParts( path );
            break;
    }
    close( handle );
    return 0;
}
