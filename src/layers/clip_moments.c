// The smooth skin at moments of a character's clips.
// SPDX-License-Identifier: MIT

#include "layers/clip_moments.h"

#include "base/math.h"
#include "base/memory.h"
#include "supple/lab/skin.h"

#include <assert.h>

static void supSkinMoment( const supCharacter* character, const supPose* pose, supMat34* palette, supVec3* positions )
{
    int32_t vertices = supCharacter_Info( character )->vertexCount;
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, palette, supPose_MorphWeights( pose ) );
        job.outPositions =
            ( supOutStream ){ positions + mesh.firstVertex, vertices - mesh.firstVertex, (int32_t)sizeof( supVec3 ) };
        supResult result = supSkinJob_Run( &job, NULL );
        assert( result == sup_success );
        (void)result;
    }
}

bool supVisitClipMoments(
    const supCharacter* character, int32_t most, const supAllocator* allocator, supMomentVisit* visit, void* user )
{
    int32_t clips = supCharacter_Info( character )->clipCount;
    if ( clips == 0 || most < 1 )
    {
        return true;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supMat34, palette, supCharacter_Info( character )->paletteCount );
    SUP_PUT_NEW( &layout, supVec3, positions, supCharacter_Info( character )->vertexCount + 1 );
    char* block = supAllocLayout( allocator, &layout );
    supPose* pose = NULL;
    bool fits = block != NULL && supCreatePose( character, SUP_MAKE_IN( allocator ), &pose, NULL ) == sup_success;
    int32_t stride = ( clips + most - 1 ) / most, each = most / ( ( clips + stride - 1 ) / stride );
    for ( int32_t c = 0; c < clips && fits; c += stride )
    {
        supClipView clip = supCharacter_Clip( character, c );
        for ( int32_t i = 0; i < each; ++i )
        {
            double share = each > 1 ? (double)i / ( each - 1 ) : 0.5;
            supPose_Sample( pose, c, clip.start + ( clip.end - clip.start ) * share );
            supSkinMoment( character, pose, palette, positions );
            visit( positions, user );
        }
    }
    supDestroyPose( pose );
    supFree( allocator, block, layout.size );
    return fits;
}
