// Names that rigs use, looked up.
// SPDX-License-Identifier: MIT

#include "layers/names_in_rig.h"

#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum
{
    supMostNames = 4096, ///< looked through for the nearest ones
};

int32_t supFindJointWords( const supCharacter* character, const char* words )
{
    int32_t joint = supCharacter_FindJoint( character, words );
    const char* mark = strrchr( words, '#' );
    if ( joint >= 0 || mark == NULL || mark[1] == 0 )
    {
        return joint;
    }
    char* end;
    long index = strtol( mark + 1, &end, 10 );
    if ( *end != 0 || index < 0 || index >= supCharacter_Info( character )->jointCount )
    {
        return -1;
    }
    const char* name = supCharacter_Joint( character, (int32_t)index )->name;
    size_t length = (size_t)( mark - words );
    return strlen( name ) == length && memcmp( name, words, length ) == 0 ? (int32_t)index : -1;
}

supResult supNoName(
    const char* place, const char* kind, const char* name, const char* const* names, int32_t count, supError* error )
{
    char near[120];
    supNearest( name, names, count, 2, near, sizeof( near ) );
    if ( near[0] != 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no %s \"%s\"; did you mean %s?", place, kind, name, near );
    }
    if ( strcmp( kind, "element" ) == 0 || strcmp( kind, "muscle" ) == 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no %s \"%s\" in the rig's `%ss`", place, kind, name, kind );
    }
    const char* plural = strcmp( kind, "mesh" ) == 0 ? "es" : "s";
    return supFail( error, sup_errorNotFound, "%s: no %s \"%s\"; `supple inspect` lists the %s%s", place, kind, name,
        kind, plural );
}

supResult supNoJoint( const supCharacter* character, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = supCharacter_Info( character )->jointCount;
    count = count < supMostNames ? count : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = supCharacter_Joint( character, i )->name;
    }
    return supNoName( place, "joint", name, names, count, error );
}

int32_t supFindElementNamed( const supLayerContext* context, const char* name )
{
    for ( int32_t i = 0; i < context->elementCount; ++i )
    {
        if ( strcmp( context->elements[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

supResult supNoElement( const supLayerContext* context, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = context->elementCount < supMostNames ? context->elementCount : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = context->elements[i].name;
    }
    return supNoName( place, "element", name, names, count, error );
}

int32_t supFindMeshNamed( const supCharacter* character, const char* name, int32_t among )
{
    int32_t seen = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        if ( strcmp( supCharacter_Mesh( character, i ).name, name ) == 0 && seen++ == among )
        {
            return i;
        }
    }
    return -1;
}

bool supHasMeshNamed( const supCharacter* character, const char* name )
{
    return supFindMeshNamed( character, name, 0 ) >= 0;
}

supResult supNoMesh( const supCharacter* character, const char* place, const char* name, supError* error )
{
    const char* names[supMostNames];
    int32_t count = supCharacter_Info( character )->meshCount;
    count = count < supMostNames ? count : supMostNames;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = supCharacter_Mesh( character, i ).name;
    }
    return supNoName( place, "mesh", name, names, count, error );
}
