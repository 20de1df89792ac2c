// The words of the automatic rig: presets, kinds of body, regions, sides.
// SPDX-License-Identifier: MIT

#include "supple/auto.h"

#include <string.h>

enum
{
    supRegionLetters = 24,
};

const char* const* supPresetNames( void )
{
    static const char* const names[] = { "subtle", "natural", "heavy", "cartoon", NULL };
    return names;
}

supResult supFindPreset( const char* name, supPreset* out, supError* error )
{
    for ( int i = 0; supPresetNames()[i] != NULL; ++i )
    {
        if ( strcmp( name, supPresetNames()[i] ) == 0 )
        {
            *out = (supPreset)i;
            return sup_success;
        }
    }
    return supFail( error, sup_errorNotFound, "no preset \"%s\"; there are subtle, natural, heavy and cartoon", name );
}

const char* supBodyKindName( supBodyKind kind )
{
    static const char* const names[sup_bodyKindCount] = { [sup_bodyHuman] = "human",
        [sup_bodyQuadruped] = "quadruped",
        [sup_bodyBiped] = "biped",
        [sup_bodyFish] = "fish",
        [sup_bodySnake] = "snake",
        [sup_bodyManyLegged] = "many-legged",
        [sup_bodyBlob] = "blob",
        [sup_bodyMachine] = "machine" };
    return names[kind];
}

supResult supFindBodyKind( const char* name, supBodyKind* out, supError* error )
{
    for ( int i = 0; i < sup_bodyKindCount; ++i )
    {
        if ( strcmp( name, supBodyKindName( (supBodyKind)i ) ) == 0 )
        {
            *out = (supBodyKind)i;
            return sup_success;
        }
    }
    return supFail( error, sup_errorNotFound,
        "no kind of body \"%s\"; there are human, quadruped, biped, fish, snake, many-legged, blob and machine", name );
}

const char* supSideName( supSide side )
{
    static const char* const names[] = { "middle", "left", "right" };
    return names[side];
}

const char* supRegionName( supRegion region )
{
    static const char* const names[sup_regionCount] = { [sup_regionNone] = "no skin",
        [sup_regionBelly] = "belly",
        [sup_regionBreast] = "breast",
        [sup_regionBottom] = "bottom",
        [sup_regionThigh] = "thigh",
        [sup_regionCalf] = "calf",
        [sup_regionUpperArm] = "upperArm",
        [sup_regionForearm] = "forearm",
        [sup_regionCheek] = "cheek",
        [sup_regionChin] = "chin",
        [sup_regionDewlap] = "dewlap",
        [sup_regionHump] = "hump",
        [sup_regionRump] = "rump",
        [sup_regionUdder] = "udder",
        [sup_regionSide] = "side",
        [sup_regionAbdomen] = "abdomen",
        [sup_regionBody] = "body",
        [sup_regionExtremity] = "hand or foot",
        [sup_regionHead] = "head or neck",
        [sup_regionTail] = "tail",
        [sup_regionFin] = "fin or wing",
        [sup_regionHard] = "hard",
        [sup_regionOther] = "not a body" };
    return names[region];
}

/// Small letters alone: "upper-arms" and "UpperArms" are both "upperarms".
static void supPlainLetters( const char* name, char* out )
{
    size_t length = 0;
    for ( const char* c = name; *c != '\0' && length + 1 < supRegionLetters; ++c )
    {
        char lower = *c >= 'A' && *c <= 'Z' ? (char)( *c - 'A' + 'a' ) : *c;
        if ( lower >= 'a' && lower <= 'z' )
        {
            out[length++] = lower;
        }
    }
    out[length] = '\0';
}

/// Whether `word` is `region`, or its plural: breasts, bellies, calves, bodies.
static bool supMeans( const char* word, const char* region )
{
    size_t length = strlen( region );
    if ( strcmp( word, region ) == 0 )
    {
        return true;
    }
    char last = length > 0 ? region[length - 1] : '\0';
    bool turns = last == 'y' || last == 'f'; // belly, bellies; calf, calves
    const char* ending = last == 'y' ? "ies" : last == 'f' ? "ves" : "s";
    size_t stem = turns ? length - 1 : length;
    return strncmp( word, region, stem ) == 0 && strcmp( word + stem, ending ) == 0;
}

supResult supFindRegion( const char* name, supRegion* out, supError* error )
{
    static const struct
    {
        const char* word;
        supRegion region;
    } others[] = { { "chest", sup_regionBreast }, { "bust", sup_regionBreast }, { "buttock", sup_regionBottom },
        { "butt", sup_regionBottom }, { "glute", sup_regionBottom }, { "arm", sup_regionUpperArm },
        { "lowerarm", sup_regionForearm }, { "stomach", sup_regionBelly }, { "doublechin", sup_regionChin } };
    char word[supRegionLetters], region[supRegionLetters];
    supPlainLetters( name, word );
    for ( int i = sup_regionBelly; i <= sup_regionBody; ++i )
    {
        supPlainLetters( supRegionName( (supRegion)i ), region );
        if ( supMeans( word, region ) )
        {
            *out = (supRegion)i;
            return sup_success;
        }
    }
    for ( size_t i = 0; i < sizeof( others ) / sizeof( others[0] ); ++i )
    {
        if ( supMeans( word, others[i].word ) )
        {
            *out = others[i].region;
            return sup_success;
        }
    }
    return supFail( error, sup_errorNotFound,
        "no region \"%s\"; there are belly, breast, bottom, thigh, calf, upperArm, forearm, cheek, chin, dewlap, hump, "
        "rump, udder, side, abdomen and body",
        name );
}
