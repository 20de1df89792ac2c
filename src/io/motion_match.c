// Which joint of a motion moves which joint of a character.
// SPDX-License-Identifier: MIT
//
// By a map first, then by name as it is, then by name with what exporters add taken off: "mixamorig:LeftArm",
// "Armature|left_arm" and "LeftArm" are one.
#include "io/files.h"
#include "io/retarget.h"

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

static int32_t supFindPlain( const supCharacter* motion, const char* name )
{
    char plain[SUP_LONGEST_NAME], other[SUP_LONGEST_NAME];
    supPlainName( name, plain );
    for ( int32_t j = 0; plain[0] != '\0' && j < supCharacter_JointCount( motion ); ++j )
    {
        supPlainName( supCharacter_JointName( motion, j ), other );
        if ( strcmp( plain, other ) == 0 )
        {
            return j;
        }
    }
    return -1;
}

static supResult supFailMapName(
    const char* mapPath, const supCharacter* whose, const char* what, const char* name, supError* error )
{
    int32_t count = supCharacter_JointCount( whose );
    const char** names = calloc( (size_t)count + 1, sizeof( char* ) );
    char near[120] = "";
    for ( int32_t j = 0; names != NULL && j < count; ++j )
    {
        names[j] = supCharacter_JointName( whose, j );
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
    json_error_t problem;
    json_t* map = json_load_file( mapPath, JSON_REJECT_DUPLICATES, &problem );
    if ( json_is_object( map ) == false )
    {
        json_decref( map );
        return supFail( error, sup_errorFormat, "%s:%d:%d: %s", mapPath, problem.line, problem.column,
            map == NULL ? problem.text : "a map is an object: {\"joint of the motion\": \"joint of the character\"}" );
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
            for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
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
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        const char* name = supCharacter_JointName( character, j );
        partners[j] = name[0] != '\0' ? supCharacter_FindJoint( motion, name ) : -1;
        partners[j] = partners[j] >= 0 ? partners[j] : supFindPlain( motion, name );
    }
    if ( mapPath != NULL && supReadMap( character, motion, mapPath, partners, error ) != sup_success )
    {
        return -1;
    }
    for ( int32_t j = 0; j < supCharacter_JointCount( character ); ++j )
    {
        found += partners[j] >= 0 ? 1 : 0;
    }
    return found;
}
