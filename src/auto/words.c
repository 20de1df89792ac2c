// The words of the automatic rig: presets, kinds of body, regions, sides.
// SPDX-License-Identifier: MIT

#include "supple/auto.h"

#include <string.h>

enum
{
    supRegionLetters = 24,
};

/// A list of words, and what to say of one that is not among them.
typedef struct supWordTable
{
    const char* const* words;
    int32_t count;
    const char* missing;
} supWordTable;

static const char* const sup_presetWords[] = { "subtle", "natural", "heavy", "cartoon" };
static const char* const sup_kindWords[sup_bodyKindCount] = { [sup_bodyHuman] = "human",
    [sup_bodyQuadruped] = "quadruped",
    [sup_bodyBiped] = "biped",
    [sup_bodyFish] = "fish",
    [sup_bodySnake] = "snake",
    [sup_bodyManyLegged] = "many-legged",
    [sup_bodyBlob] = "blob",
    [sup_bodyMachine] = "machine" };
static const char* const sup_regionWords[sup_regionCount] = { [sup_regionNone] = "no skin",
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
    [sup_regionFin] = "fin, wing or thin leg",
    [sup_regionHard] = "hard",
    [sup_regionOther] = "not a body" };
static const char* const sup_sideWords[] = { "middle", "left", "right" };

static const supWordTable* supTableOf( supWords words )
{
    static const supWordTable tables[] = {
        [sup_wordsPreset] = { sup_presetWords, 4, "no preset \"%s\"; there are subtle, natural, heavy and cartoon" },
        [sup_wordsBodyKind] = { sup_kindWords, sup_bodyKindCount,
            "no kind of body \"%s\"; there are human, quadruped, biped, fish, snake, many-legged, blob and machine" },
        [sup_wordsRegion] = { sup_regionWords, sup_regionCount,
            "no region \"%s\"; there are belly, breast, bottom, thigh, calf, upperArm, forearm, cheek, chin, dewlap, "
            "hump, rump, udder, side, abdomen and body" },
        [sup_wordsSide] = { sup_sideWords, 3, "no side \"%s\"; there are middle, left and right" },
    };
    static const supWordTable none = { NULL, 0, "no word \"%s\"" };
    return (size_t)words < sizeof( tables ) / sizeof( *tables ) ? tables + words : &none;
}

const char* supWordFor( supWords words, int32_t value )
{
    const supWordTable* table = supTableOf( words );
    return value >= 0 && value < table->count ? table->words[value] : NULL;
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

/// A region that carries flesh, singular or plural; -1: there is none.
static int32_t supFindRegionWord( const char* name )
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
        supPlainLetters( sup_regionWords[i], region );
        if ( supMeans( word, region ) )
        {
            return i;
        }
    }
    for ( size_t i = 0; i < sizeof( others ) / sizeof( others[0] ); ++i )
    {
        if ( supMeans( word, others[i].word ) )
        {
            return (int32_t)others[i].region;
        }
    }
    return -1;
}

supResult supFindWord( supWords words, const char* word, int32_t* out, supError* error )
{
    const supWordTable* table = supTableOf( words );
    int32_t found = words == sup_wordsRegion ? supFindRegionWord( word ) : -1;
    for ( int32_t i = 0; i < table->count && words != sup_wordsRegion; ++i )
    {
        found = strcmp( word, table->words[i] ) == 0 ? i : found;
    }
    if ( found >= 0 )
    {
        *out = found;
        return sup_success;
    }
    return supFail( error, sup_errorNotFound, table->missing, word );
}
