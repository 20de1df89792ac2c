#include "support/picture_test.h"

#if defined( SUP_HAS_SUPPLE_PICTURE ) && defined( SUP_HAS_SUPPLE_IO )

#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>

supStage* supMakeTestStage( void )
{
    supStage* stage = NULL;
    supError error;
    if ( supCreateStage( &stage, &error ) != sup_success )
    {
        printf( "%s\n", error.text );
        if ( strstr( error.text, "libegl1" ) == NULL ) // there is a driver, and something is wrong with us
        {
            abort();
        }
        return NULL;
    }
    return stage;
}

bool supOpenTestShow( supTestShow* show, supStage* stage, const char* path )
{
    *show = ( supTestShow ){ 0 };
    supLog silence = { NULL, NULL };
    const supLook* look = NULL;
    bool ok = supOpenGltf( path, silence, &show->document, NULL ) == sup_success;
    ok = ok && supGltf_Character( show->document, NULL, &show->character, NULL ) == sup_success;
    ok = ok && supGltf_Look( show->document, &look, NULL ) == sup_success;
    ok = ok && supCreatePose( show->character, NULL, &show->pose, NULL ) == sup_success;
    ok = ok && supCreateFigure( stage, show->character, look, silence, &show->figure, NULL ) == sup_success;
    if ( ok == false )
    {
        supCloseTestShow( show );
    }
    return ok;
}

void supCloseTestShow( supTestShow* show )
{
    supDestroyFigure( show->figure );
    supDestroyPose( show->pose );
    supDestroyCharacter( show->character );
    supCloseGltf( show->document );
    *show = ( supTestShow ){ 0 };
}

supShape supTestShapeAt( supTestShow* show, int32_t clip, double time )
{
    supPose_Sample( show->pose, clip, time );
    return supFigure_Pose( show->figure, supPose_Joints( show->pose ), supPose_MorphWeights( show->pose ) );
}

#endif
