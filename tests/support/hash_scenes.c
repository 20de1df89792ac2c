#include "support/hash_scenes.h"

static const supHashScene sup_hashScenes[] = {
    { "elementary", supScene_Elementary },
    { "rotations", supScene_Rotations },
    { "tasks", supScene_Tasks },
    { "wide", supScene_Wide },
    { "character", supScene_Character },
    { "body", supScene_Body },
    { "crowd", supScene_Crowd },
    { "bake", supScene_Bake },
    { "creature", supScene_Creature },
    { "morphs", supScene_Morphs },
    { "muscles", supScene_Muscles },
    { "ecorche", supScene_Ecorche },
    { "fat", supScene_Fat },
    { "tense fat", supScene_TenseFat },
    { "beams", supScene_Beams },
};

const supHashScene* supHashScenes( int32_t* count )
{
    *count = (int32_t)( sizeof( sup_hashScenes ) / sizeof( sup_hashScenes[0] ) );
    return sup_hashScenes;
}

uint64_t supHashOfScene( const supHashScene* scene, supTasks tasks )
{
    supHash hash = supMakeHash();
    scene->run( &hash, tasks );
    return supHash_Value( &hash );
}

double supTestNumber( uint64_t* seed )
{
    uint64_t x = *seed;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *seed = x;
    int64_t bits = (int64_t)( ( x * 0x2545f4914f6cdd1du ) >> 11 ); // 53 bits
    return (double)bits * ( 1.0 / 4503599627370496.0 ) - 1.0;      // 2^-52
}
