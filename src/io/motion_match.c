// Which joint of a motion moves which joint of a character.
// SPDX-License-Identifier: MIT
//
// By a map first, then by name as it is, then by name with what exporters add taken off: "mixamorig:LeftArm",
// "Armature|left_arm" and "LeftArm" are one.
#include "io/arena.h"
#include "io/files.h"
#include "io/retarget.h"
#include "supple/lab/files.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SUP_LONGEST_NAME 256

/// Lower case, letters and figures alone, without what stands before ':' or '|'.
static void supPlainName( const char* name, char plain[SUP_LONGEST_NAME] )
{
    static const char prefix[] = "mixamorig";
    const char* start = name;
    for ( const char* c = name; *c != '\0'; ++c )
    {
        start = ( *c == ':' || *c == '|' ) && c[1] != '\0' ? c + 1 : start;
    }
    size_t length = 0;
    for ( const char* c = start; *c != '\0' && length + 1 < SUP_LONGEST_NAME; ++c )
    {
        unsigned char letter = (unsigned char)*c;
        if ( letter >= 128 || isalnum( letter ) )
        {
            plain[length++] = (char)( letter < 128 ? tolower( letter ) : letter );
        }
    }
    plain[length] = '\0';
    size_t skip = sizeof( prefix ) - 1;
    if ( length > skip && memcmp( plain, prefix, skip ) == 0 )
    {
        memmove( plain, plain + skip, length - skip + 1 );
    }
}

/// A joint's name, as it is or plain.
typedef struct supNamed
{
    const char* name;
    int32_t joint;
} supNamed;

/// By name; of one name the first joint comes first.
static int supCompareNamed( const void* left, const void* right )
{
    const supNamed *a = left, *b = right;
    int order = strcmp( a->name, b->name );
    return order != 0 ? order : ( a->joint > b->joint ) - ( a->joint < b->joint );
}

/// All joints of a motion, to be found by name without a look at each of them.
typedef struct supNameIndex
{
    int32_t count;
    supNamed *names, *plains;
    supArena arena;
} supNameIndex;

static bool supMakeNameIndex( const supCharacter* motion, supNameIndex* index )
{
    int32_t count = supCharacter_Info( motion )->jointCount;
    *index = ( supNameIndex ){ .count = count };
    index->names = supArena_Take( &index->arena, (size_t)count + 1, sizeof( supNamed ) );
    index->plains = supArena_Take( &index->arena, (size_t)count + 1, sizeof( supNamed ) );
    bool fits = index->names != NULL && index->plains != NULL;
    for ( int32_t j = 0; j < count && fits; ++j )
    {
        char plain[SUP_LONGEST_NAME];
        supPlainName( supCharacter_Joint( motion, j )->name, plain );
        index->names[j] = ( supNamed ){ supCharacter_Joint( motion, j )->name, j };
        index->plains[j] = ( supNamed ){ supArena_TakeText( &index->arena, plain, strlen( plain ) ), j };
        fits = index->plains[j].name != NULL;
    }
    if ( fits && count > 0 )
    {
        qsort( index->names, (size_t)count, sizeof( supNamed ), supCompareNamed );
        qsort( index->plains, (size_t)count, sizeof( supNamed ), supCompareNamed );
    }
    return fits;
}

/// The first joint of that name, or -1.
static int32_t supFindNamed( const supNamed* names, int32_t count, const char* name )
{
    int32_t low = 0, high = count;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = strcmp( names[middle].name, name ) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < count && strcmp( names[low].name, name ) == 0 ? names[low].joint : -1;
}

static int32_t supFindPlain( const supNameIndex* index, const char* name )
{
    char plain[SUP_LONGEST_NAME];
    supPlainName( name, plain );
    return plain[0] != '\0' ? supFindNamed( index->plains, index->count, plain ) : -1;
}

static supResult supFailMapName(
    const char* mapPath, const supCharacter* whose, const char* what, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( whose )->jointCount;
    const char** names = calloc( (size_t)count + 1, sizeof( char* ) );
    char near[120] = "";
    for ( int32_t j = 0; names != NULL && j < count; ++j )
    {
        names[j] = supCharacter_Joint( whose, j )->name;
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 2, near, sizeof( near ) );
    }
    free( names );
    return supFail( error, sup_errorNotFound,
        near[0] != '\0' ? "%s: %s has no joint \"%.60s\"; did you mean %s?" : "%s: %s has no joint \"%.60s\"%s",
        mapPath, what, name, near );
}

/// {"joint of the motion": "joint of the character", …}; null for one that is to be left out.
static supResult supReadMap(
    const supCharacter* character, const supCharacter* motion, const char* mapPath, int32_t* partners, supError* error )
{
    supError problem = { 0 };
    json_t* map = supReadJsonFile( mapPath, JSON_REJECT_DUPLICATES, &problem );
    if ( map == NULL )
    {
        return supFail( error, problem.code, "%s", problem.text );
    }
    if ( json_is_object( map ) == false )
    {
        json_decref( map );
        return supFail( error, sup_errorFormat,
            "%s: a map is an object: {\"joint of the motion\": \"joint of the character\"}", mapPath );
    }
    supResult result = sup_success;
    const char* key;
    json_t* value;
    json_object_foreach( map, key, value )
    {
        int32_t source = supCharacter_FindJoint( motion, key );
        const char* name = json_string_value( value );
        int32_t target = name != NULL ? supCharacter_FindJoint( character, name ) : -1;
        if ( result != sup_success )
        {
            break;
        }
        if ( source < 0 )
        {
            result = supFailMapName( mapPath, motion, "the motion", key, error );
        }
        else if ( name == NULL && json_is_null( value ) == false )
        {
            result =
                supFail( error, sup_errorData, "%s: \"%.60s\" needs a name, or null to leave it out", mapPath, key );
        }
        else if ( name != NULL && target < 0 )
        {
            result = supFailMapName( mapPath, character, "the character", name, error );
        }
        else if ( target >= 0 )
        {
            partners[target] = source;
        }
        else
        {
            for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
            {
                partners[j] = partners[j] == source ? -1 : partners[j];
            }
        }
    }
    json_decref( map );
    return result;
}

int32_t supMatchJoints(
    const supCharacter* character, const supCharacter* motion, const char* mapPath, int32_t* partners, supError* error )
{
    int32_t found = 0;
    supNameIndex index;
    bool fits = supMakeNameIndex( motion, &index );
    for ( int32_t j = 0; fits && j < supCharacter_Info( character )->jointCount; ++j )
    {
        const char* name = supCharacter_Joint( character, j )->name;
        partners[j] = name[0] != '\0' ? supFindNamed( index.names, index.count, name ) : -1;
        partners[j] = partners[j] >= 0 ? partners[j] : supFindPlain( &index, name );
    }
    supArena_Free( &index.arena );
    if ( !fits )
    {
        supFail( error, sup_errorMemory, "no memory to match %d joints", supCharacter_Info( motion )->jointCount );
        return -1;
    }
    if ( mapPath != NULL && supReadMap( character, motion, mapPath, partners, error ) != sup_success )
    {
        return -1;
    }
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        found += partners[j] >= 0 ? 1 : 0;
    }
    return found;
}
