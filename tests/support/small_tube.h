// A tube along +Y on a chain of joints, 1 m long, with one clip in which it swings: small enough to be made, compiled
// and baked thousands of times.
#pragma once

#include "supple/character.h"

enum
{
    sup_tubeMostRings = 12,
    sup_tubeMostAround = 12,
    sup_tubeMostJoints = 5,
    sup_tubeMostKeys = 16,
    sup_tubeMostVertices = 2 * sup_tubeMostRings * sup_tubeMostAround,
};

typedef struct supTubeDef
{
    int32_t rings, around; ///< 2 and 3 at least
    int32_t joints;        ///< 1 at least: "j0", "j1", …, each the child of the one before
    int32_t keys;          ///< of the clip "swing"; 0: no clip
    float radius, swing;   ///< metres, radians
    float seconds;         ///< from key to key
    int32_t interpolation; ///< supInterpolation
    bool isClothed;        ///< a second mesh, "coat", around the first, "tube"
    bool hasMorph;         ///< a target "bulge" of the first mesh
    bool scales, moves;    ///< the clip has tracks of these too
} supTubeDef;

supTubeDef supDefaultTubeDef( void );
/// `allocator` may be NULL.
supResult supMakeSmallTube( const supTubeDef* def, const supAllocator* allocator, supCharacter** out, supError* error );
