#include "support/found_flesh.h"

#include "support/creature_cache.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t supReadWord( const uint8_t* data )
{
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

supCharacter* supLoadEdited( const char* asset, supJsonEdit* edit, void* context )
{
    char path[1024];
    assert_true( supTestAssetPath( asset, path, sizeof( path ) ) );
    size_t size = 0, glbSize = 0;
    uint8_t* file = supReadWhole( path, &size );
    assert_true( size > 28 && memcmp( file, "glTF", 4 ) == 0 );
    uint32_t jsonSize = supReadWord( file + 12 ), binSize = supReadWord( file + 20 + jsonSize );
    json_t* root = json_loadb( (const char*)file + 20, jsonSize, 0, NULL );
    assert_non_null( root );
    if ( edit != NULL )
    {
        edit( root, context );
    }
    char* text = json_dumps( root, JSON_REAL_PRECISION( 17 ) );
    uint8_t* glb = supMakeGlb( text, file + 28 + jsonSize, binSize, &glbSize );
    supError error = { 0 };
    supGltf* document = NULL;
    supCharacter* character = NULL;
    supLog log = { 0 };
    if ( supOpenGltfMemory( glb, glbSize, asset, NULL, log, &document, &error ) != sup_success ||
         supGltf_Character( document, NULL, &character, &error ) != sup_success )
    {
        fail_msg( "%s: %s", asset, error.text );
    }
    supCloseGltf( document );
    free( glb );
    free( text );
    json_decref( root );
    free( file );
    return character;
}

supFound supFindFleshOn( const supCharacter* character, supPreset preset )
{
    supFound found = { .name = supCharacter_Info( character )->name, .character = character };
    supError error = { 0 };
    supProposeDef def = supDefaultProposeDef();
    def.preset = preset;
    if ( supProposeRigWith( character, &def, &found.rig, &found.proposal, &error ) != sup_success ||
         supCompileModel( character, found.rig, &found.model, &error ) != sup_success )
    {
        fail_msg( "%s: %s", found.name, error.text );
    }
    assert_int_equal( found.proposal->elementCount, supModel_Info( found.model )->elementCount );
    return found;
}

supFound supFindFlesh( const char* name, supPreset preset )
{
    supCharacter* own = strchr( name, '/' ) != NULL ? supLoadEdited( name, NULL, NULL ) : NULL;
    supFound found = supFindFleshOn( own != NULL ? own : supTestCreature( name ), preset );
    found.name = name;
    found.own = own;
    return found;
}

void supDropFound( supFound* found )
{
    supDestroyModel( found->model );
    supDestroyProposal( found->proposal );
    supDestroyRig( found->rig );
    supDestroyCharacter( found->own );
    *found = ( supFound ){ 0 };
}

int32_t* supMainJoints( const supCharacter* character )
{
    int32_t* main = calloc( (size_t)supCharacter_Info( character )->vertexCount + 1, sizeof( int32_t ) );
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            // influences stand by falling weight
            main[mesh.firstVertex + v] =
                mesh.skin >= 0 ? joints[mesh.firstPalette + mesh.jointIndices[v * mesh.influenceCount]] : -1;
        }
    }
    return main;
}

float* supFleshWeights( const supModel* model )
{
    float* sums =
        calloc( (size_t)supCharacter_Info( supModel_Info( model )->character )->vertexCount + 1, sizeof( float ) );
    for ( int32_t e = 0; e < supModel_Info( model )->elementCount; ++e )
    {
        supElementView view = supModel_Info( model )->elements[e];
        for ( int32_t i = 0; i < view.vertexCount; ++i )
        {
            sums[view.vertices[i]] += view.weights[i];
        }
    }
    return sums;
}

float* supVertexAreas( const supCharacter* character )
{
    float* areas = calloc( (size_t)supCharacter_Info( character )->vertexCount + 1, sizeof( float ) );
    const float* rest = supCharacter_Info( character )->restPositions;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            const float* p[3];
            double a[3], b[3];
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = rest + 3 * ( (size_t)mesh.firstVertex + mesh.indices[i + k] );
            }
            for ( int k = 0; k < 3; ++k )
            {
                a[k] = (double)( p[1][k] - p[0][k] );
                b[k] = (double)( p[2][k] - p[0][k] );
            }
            double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
            for ( int k = 0; k < 3; ++k )
            {
                areas[(size_t)mesh.firstVertex + mesh.indices[i + k]] += (float)( sqrt( x * x + y * y + z * z ) / 6.0 );
            }
        }
    }
    return areas;
}

int32_t supListedJoint( const supCharacter* character, const char* name )
{
    int32_t joint = supCharacter_FindJoint( character, name );
    const char* number = strrchr( name, '#' );
    return joint < 0 && number != NULL ? (int32_t)strtol( number + 1, NULL, 10 ) : joint;
}
