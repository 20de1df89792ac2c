// Scenes whose results must have the same bits on every machine, in every build and for any number of threads.
#pragma once

#include "base/hash.h"
#include "supple/base.h"

/// A scene puts all that it computes into the hash. It takes no clock, no file and no random number from outside.
typedef struct supHashScene
{
    const char* name;
    void ( *run )( supHash* hash, supTasks tasks );
} supHashScene;

/// All scenes. To add one: a file scene_NAME.c beside this one, and a line in hash_scenes.c.
const supHashScene* supHashScenes( int32_t* count );

uint64_t supHashOfScene( const supHashScene* scene, supTasks tasks );

/// A fixed sequence of numbers in [-1, 1), the same everywhere (xorshift64*, Vigna, 2016). Start with any seed but 0.
double supTestNumber( uint64_t* seed );

void supScene_Elementary( supHash* hash, supTasks tasks );
void supScene_Rotations( supHash* hash, supTasks tasks );
void supScene_Tasks( supHash* hash, supTasks tasks );
void supScene_Wide( supHash* hash, supTasks tasks );
void supScene_Character( supHash* hash, supTasks tasks );
void supScene_Body( supHash* hash, supTasks tasks );
void supScene_Crowd( supHash* hash, supTasks tasks );
void supScene_Bake( supHash* hash, supTasks tasks );
void supScene_Creature( supHash* hash, supTasks tasks );
void supScene_Morphs( supHash* hash, supTasks tasks );
void supScene_Muscles( supHash* hash, supTasks tasks );
void supScene_Ecorche( supHash* hash, supTasks tasks );
void supScene_Fat( supHash* hash, supTasks tasks );
void supScene_TenseFat( supHash* hash, supTasks tasks );
void supScene_Beams( supHash* hash, supTasks tasks );
