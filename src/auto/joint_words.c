// What the name of a joint says.
// SPDX-License-Identifier: MIT
//
// A name is cut into words, its side is taken out, and what is left is looked up.
#include "auto/joint_words.h"

#include "supple/auto.h"

#include <stddef.h>
#include <string.h>

static bool supIsUpper( char c )
{
    return c >= 'A' && c <= 'Z';
}

static bool supIsLower( char c )
{
    return c >= 'a' && c <= 'z';
}

static bool supIsFigure( char c )
{
    return c >= '0' && c <= '9';
}

static char supLower( char c )
{
    return supIsUpper( c ) ? (char)( c - 'A' + 'a' ) : c;
}

static bool supBeginsWith( const char* text, const char* word )
{
    while ( *word != '\0' && supLower( *text ) == *word )
    {
        text += 1;
        word += 1;
    }
    return *word == '\0';
}

bool supHoldsWord( const char* name, const char* const* words, int32_t count )
{
    bool found = false;
    for ( const char* c = name; *c != '\0' && !found; ++c )
    {
        for ( int32_t i = 0; i < count && !found; ++i )
        {
            found = supBeginsWith( c, words[i] );
        }
    }
    return found;
}

/// Words that say nothing about which bone it is.
static bool supIsIdleWord( const char* word )
{
    static const char* const idle[] = { "mixamorig", "def", "bip", "j", "c", "cc", "base", "bone", "jnt", "joint",
        "armature", "skel", "bind", "sk", "deform", "ctrl", "b", "valve", "biped", "char", "character", "rig" };
    bool found = false;
    for ( size_t i = 0; i < sizeof( idle ) / sizeof( idle[0] ) && !found; ++i )
    {
        found = strcmp( word, idle[i] ) == 0;
    }
    return found;
}

/// Figures at its end only count bones and characters ("upperarm01", "Bip001", "Character1").
static void supTakeWord( supNameWords* words, char* word )
{
    size_t length = strlen( word );
    while ( length > 0 && supIsFigure( word[length - 1] ) )
    {
        word[--length] = '\0';
    }
    if ( strcmp( word, "left" ) == 0 || strcmp( word, "l" ) == 0 )
    {
        words->side = 0;
    }
    else if ( strcmp( word, "right" ) == 0 || strcmp( word, "r" ) == 0 )
    {
        words->side = 1;
    }
    else if ( !supIsIdleWord( word ) )
    {
        size_t used = strlen( words->letters ), more = strlen( word );
        if ( used + more < supNameLetters )
        {
            memcpy( words->letters + used, word, more + 1 );
        }
    }
}

/// Leaves out a namespace ("mixamorig12:"). Cuts at separators, where a capital follows a small letter, and before the
/// last of several capitals ("LHip").
supNameWords supReadName( const char* name )
{
    supNameWords words = { .side = -1 };
    char word[supNameLetters];
    size_t length = 0;
    const char* space = strrchr( name, ':' );
    for ( const char* c = space != NULL ? space + 1 : name;; ++c )
    {
        bool letter = supIsUpper( *c ) || supIsLower( *c ) || supIsFigure( *c );
        bool rises = length > 0 && supIsUpper( *c ) &&
                     ( supIsLower( c[-1] ) || supIsFigure( c[-1] ) || ( supIsUpper( c[-1] ) && supIsLower( c[1] ) ) );
        if ( !letter || rises )
        {
            word[length] = '\0';
            supTakeWord( &words, word );
            length = 0;
        }
        if ( letter && length + 1 < supNameLetters )
        {
            word[length++] = supLower( *c );
        }
        if ( *c == '\0' )
        {
            return words;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Parts of a body

typedef struct supPartName
{
    const char* word;
    supNamedPart part;
} supPartName;

static supNamedPart supPartOfName( const char* name )
{
    // the first that a name holds; "forehead" and "hindfoot" come out right, "toe" stands before "foot"
    static const supPartName names[] = { { "toe", sup_namedToe }, { "ball", sup_namedToe }, { "eye", sup_namedFace },
        { "jaw", sup_namedFace }, { "nose", sup_namedFace }, { "mouth", sup_namedFace }, { "beak", sup_namedFace },
        { "snout", sup_namedFace }, { "muzzle", sup_namedFace }, { "tongue", sup_namedFace }, { "lip", sup_namedFace },
        { "teeth", sup_namedFace }, { "brow", sup_namedFace }, { "face", sup_namedFace }, { "ear", sup_namedEar },
        { "horn", sup_namedEar }, { "antenna", sup_namedEar }, { "hair", sup_namedEar }, { "neck", sup_namedNeck },
        { "head", sup_namedHead }, { "tail", sup_namedTail }, { "breast", sup_namedBreast },
        { "bust", sup_namedBreast }, { "boob", sup_namedBreast }, { "hips", sup_namedHips },
        { "pelvis", sup_namedHips }, { "foot", sup_namedFoot }, { "ankle", sup_namedFoot }, { "hand", sup_namedHand },
        { "wrist", sup_namedHand }, { "wing", sup_namedWing }, { "fin", sup_namedFin }, { "flipper", sup_namedFin },
        { "abdomen", sup_namedAbdomen } };
    static const supPartName others[] = { { "forearm", sup_namedNothing }, { "finger", sup_namedHand },
        { "flipper", sup_namedFin }, { "clip", sup_namedNothing }, { "spear", sup_namedNothing },
        { "gear", sup_namedNothing }, { "handle", sup_namedNothing } };
    supNameWords words = supReadName( name );
    for ( size_t i = 0; i < sizeof( others ) / sizeof( others[0] ); ++i )
    {
        if ( strstr( words.letters, others[i].word ) != NULL )
        {
            return others[i].part;
        }
    }
    for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
    {
        if ( strstr( words.letters, names[i].word ) != NULL )
        {
            return names[i].part;
        }
    }
    return sup_namedNothing;
}

supNamedPart supPartOfJointName( const supCharacter* character, int32_t joint )
{
    const char* bone = supCharacter_Joint( character, joint )->humanBone;
    return supPartOfName( bone[0] != '\0' ? bone : supCharacter_Joint( character, joint )->name );
}

// ---------------------------------------------------------------------------------------------------------------
// The words of the automatic rig: presets, kinds of body, regions, sides.

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
