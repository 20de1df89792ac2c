#include "supple/creatures.h"
#include "support/hash_scenes.h"

// A built-in character from its formulas: field, mesh, weights, paint and clips. The smallest, since scenes are run
// many times.
void supScene_Creature( supHash* hash, supTasks tasks )
{
    (void)tasks;
    supCreature* creature;
    supResult result = supCreateCreature( "mushroom", NULL, &creature, NULL );
    supHash_Word( hash, (uint64_t)result );
    if ( result != sup_success )
    {
        return;
    }
    const supCharacter* character = supCreature_Character( creature );
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    size_t n = (size_t)mesh.vertexCount;
    supHash_Floats( hash, mesh.positions, 3 * n );
    supHash_Floats( hash, mesh.normals, 3 * n );
    supHash_Floats( hash, mesh.weights, (size_t)mesh.influenceCount * n );
    supHash_Bytes( hash, mesh.indices, (size_t)mesh.indexCount * sizeof( uint32_t ) );
    const supLook* look = supCreature_Look( creature );
    supHash_Floats( hash, look->meshes[0].colors, 4 * n );
    supHash_Bytes( hash, look->images[0].data, look->images[0].size );
    for ( int32_t clip = 0; clip < supCharacter_Info( character )->clipCount; ++clip )
    {
        for ( int32_t t = 0; t < supCharacter_Clip( character, clip ).trackCount; ++t )
        {
            supTrackDef track = supCharacter_Clip( character, clip ).tracks[t];
            supHash_Floats( hash, track.values, (size_t)track.keyCount * (size_t)track.width );
        }
    }
    supDestroyCreature( creature );
}
