// A hash of what a baked clip holds.
// SPDX-License-Identifier: MIT
#include "bake/joint_bake_data.h"
#include "base/hash.h"
#include "supple/lab/hashes.h"

uint64_t supJointBake_ClipHash( const supJointBake* bake, int32_t index )
{
    const supBakedClip* clip = bake->clips + index;
    size_t values = (size_t)clip->keyCount * 3 * ( clip->keys == sup_keysCubic ? 3 : 1 );
    supHash hash = supMakeHash();
    supHash_Floats( &hash, clip->times, (size_t)clip->keyCount );
    supHash_Floats( &hash, clip->translations, values * (size_t)supJointBake_HelperCount( bake ) );
    if ( bake->turningCount > 0 )
    {
        supHash_Floats( &hash, clip->rotations, values / 3 * 4 * (size_t)bake->turningCount );
    }
    return supHash_Value( &hash );
}
