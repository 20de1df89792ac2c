// A character with its automatic rig, and what there is to measure on it.
#pragma once

#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/io.h"

#include <jansson.h>

typedef struct supFound
{
    const char* name;
    supCharacter* own;
    const supCharacter* character;
    supRig* rig;
    supProposal* proposal;
    supModel* model;
} supFound;

/// Changes the JSON of a file before it is read.
typedef void supJsonEdit( json_t* root, void* context );

/// The character in a .glb, with its JSON changed first where `edit` is given. Fails the test where it cannot be had.
supCharacter* supLoadEdited( const char* asset, supJsonEdit* edit, void* context );

/// An asset, "quaternius/Cow.glb", or a built-in character by its name. Fails the test where that does not work.
supFound supFindFlesh( const char* name, supPreset preset );
/// The same for a character that is already there, and stays the caller's.
supFound supFindFleshOn( const supCharacter* character, supPreset preset );
void supDropFound( supFound* found );

/// The joint that a vertex mostly hangs on, one a vertex, -1 where it is not skinned. From malloc.
int32_t* supMainJoints( const supCharacter* character );
/// The sum of all elements' weights at each vertex. From malloc.
float* supFleshWeights( const supModel* model );
/// A third of the area of the triangles around each vertex at rest. From malloc.
float* supVertexAreas( const supCharacter* character );

/// The joint that an element's name in a list stands for, "hips" or "hips#12".
int32_t supListedJoint( const supCharacter* character, const char* name );
