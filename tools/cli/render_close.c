// Close-ups: the vertices that some joints carry most of.
// SPDX-License-Identifier: MIT
#include "render_shot.h"

#include <stdlib.h>
#include <string.h>

enum
{
    sup_jointLetters = 96
};

/// "no joint 'LeftAm', did you mean \"LeftArm\"?".
static supResult supFailJoint( const supShot* shot, const char* name, supError* error )
{
    int32_t count = supCharacter_JointCount( shot->input.character );
    const char** names = calloc( (size_t)count + 1, sizeof( *names ) );
    char near[120] = "";
    for ( int32_t i = 0; names != NULL && i < count; ++i )
    {
        names[i] = supCharacter_JointName( shot->input.character, i );
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 3, near, sizeof( near ) );
    }
    free( names );
    return supFail( error, sup_errorNotFound, "%s: --close-up: no joint '%s'%s%s%s", shot->input.path, name,
        near[0] != '\0' ? ", did you mean " : "", near, near[0] != '\0' ? "?" : "" );
}

/// Marks the joints of a list with commas between.
static supResult supMarkJoints( const supShot* shot, const char* list, bool* marks, supError* error )
{
    for ( const char* from = list; *from != '\0'; )
    {
        size_t length = strcspn( from, "," );
        char name[sup_jointLetters];
        size_t kept = length < sizeof( name ) - 1 ? length : sizeof( name ) - 1;
        memcpy( name, from, kept );
        name[kept] = '\0';
        int32_t joint = supCharacter_FindJoint( shot->input.character, name );
        if ( joint < 0 )
        {
            return supFailJoint( shot, name, error );
        }
        marks[joint] = true;
        from += length + ( from[length] == ',' );
    }
    return sup_success;
}

/// Influences are ordered by falling weight: the first one carries most.
static void supListClose( supShot* shot, const bool* marks )
{
    const supCharacter* character = shot->input.character;
    const int32_t* joints = supCharacter_PaletteJoints( character );
    for ( int32_t m = 0; m < supCharacter_MeshCount( character ); ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.influenceCount > 0; ++v )
        {
            size_t first = (size_t)v * (size_t)mesh.influenceCount;
            if ( marks[joints[mesh.firstPalette + mesh.jointIndices[first]]] )
            {
                shot->close[shot->closeCount++] = mesh.firstVertex + v;
            }
        }
    }
}

supResult supShot_CloseUp( supShot* shot, const char* list, supError* error )
{
    size_t vertices = (size_t)supCharacter_VertexCount( shot->input.character );
    bool* marks = calloc( (size_t)supCharacter_JointCount( shot->input.character ) + 1, sizeof( *marks ) );
    shot->close = calloc( vertices + 1, sizeof( *shot->close ) );
    supResult result = marks != NULL && shot->close != NULL
                           ? supMarkJoints( shot, list, marks, error )
                           : supFail( error, sup_errorMemory, "no memory for %zu vertices", vertices );
    if ( result == sup_success )
    {
        supListClose( shot, marks );
        result = shot->closeCount > 0 ? result
                                      : supFail( error, sup_errorNotFound, "%s: --close-up: no skin hangs on '%s'",
                                            shot->input.path, list );
    }
    free( marks );
    return result;
}
