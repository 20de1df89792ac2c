#pragma once

#include "supple/io.h"
#include "supple/picture.h"

/// A file on a stage, for tests of pictures.
typedef struct supTestShow
{
    supGltf* document;
    supCharacter* character;
    supPose* pose;
    supFigure* figure;
} supTestShow;

/// A stage, or NULL with a word where this machine has no driver. (`./run` installs one.)
supStage* supMakeTestStage( void );
/// False where the file cannot be read.
bool supOpenTestShow( supTestShow* show, supStage* stage, const char* path );
void supCloseTestShow( supTestShow* show );

/// Smooth skin at a time of a clip.
supShape supTestShapeAt( supTestShow* show, int32_t clip, double time );

/// In a cmocka test: leaves it as skipped where there is no stage.
#define SUP_SKIP_WITHOUT_STAGE( stage )                                                                                \
    do                                                                                                                 \
    {                                                                                                                  \
        if ( ( stage ) == NULL )                                                                                       \
        {                                                                                                              \
            print_message( "skipped: this machine has no driver to draw with\n" );                                     \
            skip();                                                                                                    \
        }                                                                                                              \
    } while ( 0 )
