// Between two poses, joint by joint. Engines have this already.
// SPDX-License-Identifier: MIT
#pragma once

#include "affine.h"
#include "supple/character.h"

/// Between two transforms: their axes are mixed and made square again, which is a turn along the shortest way.
static inline supMat34 supMixMats( const supMat34* a, const supMat34* b, float t )
{
    supVec3 x = supMix( a->x, b->x, t ), y = supMix( a->y, b->y, t );
    float scale = ( 1.0f - t ) * sqrtf( supDotOf( a->x, a->x ) ) + t * sqrtf( supDotOf( b->x, b->x ) );
    x = supTimesOf( x, 1.0f / fmaxf( sqrtf( supDotOf( x, x ) ), 1e-12f ) );
    float along = supDotOf( x, y );
    y = ( supVec3 ){ y.x - along * x.x, y.y - along * x.y, y.z - along * x.z };
    y = supTimesOf( y, 1.0f / fmaxf( sqrtf( supDotOf( y, y ) ), 1e-12f ) );
    return ( supMat34 ){ supTimesOf( x, scale ), supTimesOf( y, scale ), supTimesOf( supCrossOf( x, y ), scale ),
        supMix( a->t, b->t, t ) };
}

/// Model-space joints between two poses: each joint's own transform is mixed, and hung on its parent's.
static inline void supBlendJoints(
    const supCharacter* character, const supMat34* from, const supMat34* to, float share, supMat34* out )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    for ( int32_t i = 0; i < info->jointCount; ++i )
    {
        int32_t j = info->jointOrder[i], parent = supCharacter_Joint( character, j )->parent;
        supMat34 a = from[j], b = to[j];
        if ( parent >= 0 )
        {
            supMat34 backA = supBackOf( from + parent ), backB = supBackOf( to + parent );
            a = supTimesMat( &backA, from + j );
            b = supTimesMat( &backB, to + j );
        }
        supMat34 mixed = supMixMats( &a, &b, share );
        out[j] = parent >= 0 ? supTimesMat( out + parent, &mixed ) : mixed;
    }
}
