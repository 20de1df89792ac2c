// Reads any bytes as BVH. What is read must pose with finite numbers and go onto another skeleton.
#include "io/retarget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void supExpect( bool right, const char* what, const char* words )
{
    if ( !right )
    {
        fprintf( stderr, "%s: '%s'\n", what, words );
        abort();
    }
}

/// The motion's own clip on a skeleton of three joints, one of them called as most do.
static void supPutOnThree( const supCharacter* motion )
{
    supJointDef joints[3] = { { .name = "Hips", .parent = -1, .rest = supTransform_identity },
        { .name = "Chest", .parent = 0, .rest = supTransform_identity },
        { .name = "LeftArm", .parent = 1, .rest = supTransform_identity } };
    joints[1].rest.translation.y = 1.0f;
    joints[2].rest.translation.x = 1.0f;
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "three";
    def.jointCount = 3;
    def.joints = joints;
    supCharacter* three = NULL;
    supError error = { 0 };
    supExpect( supCreateCharacter( &def, &three, &error ) == sup_success, "three joints", error.text );
    int32_t partners[3];
    if ( supMatchJoints( three, motion, NULL, partners, &error ) > 0 )
    {
        supArena arena = { 0 };
        const supTrackDef* tracks = NULL;
        int32_t count = supRetargetClip( three, motion, 0, partners, &arena, &tracks );
        for ( int32_t i = 0; i < count; ++i )
        {
            bool isRotation = tracks[i].path == sup_pathRotation;
            for ( int32_t k = 0; isRotation && k < tracks[i].keyCount * tracks[i].width; ++k )
            {
                supExpect( isfinite( tracks[i].values[k] ), "a rotation", "is not a number" );
            }
        }
        supArena_Free( &arena );
    }
    supDestroyCharacter( three );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    const supLog silence = { NULL, NULL };
    supCharacter* motion = NULL;
    supError error = { 0 };
    if ( supReadBvhMemory( (const char*)data, size, "fuzz", silence, &motion, &error ) != sup_success )
    {
        supExpect( strncmp( error.text, "fuzz", 4 ) == 0, "a bad message", error.text );
        supExpect( motion == NULL, "a failure", "left a character" );
        return 0;
    }
    supPutOnThree( motion );
    supDestroyCharacter( motion );
    return 0;
}
