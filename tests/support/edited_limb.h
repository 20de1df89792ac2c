// A limb with muscles, an écorché and fat, shaken and bent, whose rig is edited: for tests.
#pragma once

#include "supple/edit.h"
#include "support/limb.h"

enum
{
    supBone = 0, ///< muscles of the rig: a filler
    supBiceps,   ///< fusiform, three points
    supFan,      ///< bellies
    supSheet,    ///< flat
    supMuscleCount,
    supBefore = 14, ///< frames before an edit, and after it
    supAfter = 20,
};

supMusclePoint supPointAt( const char* joint, float x, float y, float z, float size );
/// On "bone". Metres
supMuscleField supFieldAt( supVec3 at, float radius, float size );
supRig* supMakeEditedRig( const supCharacter* limb );

void supStepAt( const supCharacter* limb, supBody* body, double time, float dt );
/// Frames from, up to but not including to.
void supRun( const supCharacter* limb, supBody* body, int from, int to );
/// How far two skins are apart, in the mean; fails the test where one is not finite. Metres
float supSkinsApart( const supBody* a, const supBody* b );

// Values of fields, as supEditor_Set takes them
#define SUP_NUMBER( number ) ( &( const float ){ number } )
#define SUP_SWITCH( on ) ( &( const bool ){ on } )
#define SUP_CHOICE( choice ) ( &( const int32_t ){ choice } )
#define SUP_VECTOR( x, y, z ) ( &( const supVec3 ){ x, y, z } )
#define SUP_NAME( text ) ( &( const char* const ){ text } )
#define SUP_NAMES( ... ) ( &( const supNameList ){ 1, ( const char* const[] ){ __VA_ARGS__ } } )
