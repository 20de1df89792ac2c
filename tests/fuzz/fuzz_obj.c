// Reads any bytes as OBJ. What is read must be a surface whose indices and numbers are right, and curves over it must
// either be found or be refused in words.
#include "supple/io.h"
#include "supple/lab/curves.h"
#include "supple/lab/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void supExpect( bool right, const char* what, const char* words )
{
    if ( !right )
    {
        fprintf( stderr, "%s: '%s'\n", what, words );
        abort();
    }
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    supCharacter* shape = NULL;
    supError error = { 0 };
    if ( supReadObjMemory( (const char*)data, size, "fuzz", &shape, &error ) != sup_success )
    {
        supExpect( strncmp( error.text, "fuzz", 4 ) == 0, "a bad message", error.text );
        supExpect( shape == NULL, "a failure", "left a shape" );
        return 0;
    }
    supMeshView mesh = supCharacter_Mesh( shape, 0 );
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        supExpect( mesh.indices[i] < (uint32_t)mesh.vertexCount, "an index", "out of range" );
    }
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.name = "fuzz";
    def.vertexCount = mesh.vertexCount;
    def.positions = supCharacter_Info( shape )->restPositions;
    def.indexCount = mesh.indexCount;
    def.indices = mesh.indices;
    supCurveNetwork* network = NULL;
    // a network takes a second on a large shape: those that are quick are enough to see every path
    if ( mesh.vertexCount <= 120 && mesh.indexCount <= 600 &&
         supCreateCurveNetwork( &def, &network, &error ) == sup_success )
    {
        supNetworkReport report = supCurveNetwork_Report( network );
        supExpect( isfinite( report.rmsError ), "an error", "is not a number" );
        supExpect( report.uncovered <= mesh.vertexCount, "uncovered", "more than there are" );
    }
    supDestroyCurveNetwork( network );
    supDestroyCharacter( shape );
    return 0;
}
