// Takes: files opened for pictures.
// SPDX-License-Identifier: MIT
#include "render_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_shownClipCount = 12 // names in a message
};

static void supTellNote( const char* text, void* user )
{
    const supTake* take = user;
    fprintf( stderr, "supple render: %s: %s\n", take->path, text );
}

static supShape supSmoothShapeAt( supTake* take, double time )
{
    supPose_Sample( take->pose, take->clip, time );
    return supFigure_Pose( take->figure, supPose_Joints( take->pose ), supPose_MorphWeights( take->pose ) );
}

static void supRewindSmooth( supTake* take )
{
    (void)take; // a pose remembers nothing
}

/// "no clip 'Rnu', did you mean \"Run\"? There are: Survey, Walk, Run".
static supResult supFailClip( const supTake* take, const char* name, supError* error )
{
    int32_t count = supCharacter_ClipCount( take->character );
    const char** names = calloc( (size_t)count + 1, sizeof( *names ) );
    char near[120] = "", list[200] = "";
    for ( int32_t i = 0; names != NULL && i < count; ++i )
    {
        names[i] = supCharacter_Clip( take->character, i ).name;
        size_t length = strlen( list );
        if ( i < sup_shownClipCount && length < sizeof( list ) )
        {
            snprintf( list + length, sizeof( list ) - length, "%s%s", i > 0 ? ", " : "", names[i] );
        }
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 3, near, sizeof( near ) );
    }
    free( names );
    if ( count == 0 )
    {
        return supFail( error, sup_errorNotFound, "%s: no clip '%s': the file has no clips", take->path, name );
    }
    const char* more = count > sup_shownClipCount ? ", ..." : "";
    return near[0] != '\0'
               ? supFail( error, sup_errorNotFound, "%s: no clip '%s', did you mean %s? There are: %s%s", take->path,
                     name, near, list, more )
               : supFail( error, sup_errorNotFound, "%s: no clip '%s'. There are: %s%s", take->path, name, list, more );
}

static supResult supChooseClip( supTake* take, const char* name, supError* error )
{
    take->clip = supCharacter_ClipCount( take->character ) > 0 ? 0 : -1;
    if ( name != NULL )
    {
        take->clip = supCharacter_FindClip( take->character, name );
        if ( take->clip < 0 && strcmp( name, "none" ) != 0 )
        {
            return supFailClip( take, name, error );
        }
    }
    if ( take->clip >= 0 )
    {
        supClipView clip = supCharacter_Clip( take->character, take->clip );
        take->start = clip.start;
        take->end = clip.end;
    }
    return sup_success;
}

supResult supOpenTake( supTake* take, supStage* stage, const char* path, const char* clip, supError* error )
{
    *take = ( supTake ){ .path = path, .clip = -1, .source = { supSmoothShapeAt, supRewindSmooth, NULL } };
    const supLook* look = NULL;
    supLog log = { supTellNote, take };
    supResult result = supOpenGltf( path, log, &take->document, error );
    result = result == sup_success ? supGltf_Character( take->document, NULL, &take->character, error ) : result;
    result = result == sup_success ? supGltf_Look( take->document, &look, error ) : result;
    result = result == sup_success ? supChooseClip( take, clip, error ) : result;
    result = result == sup_success ? supCreatePose( take->character, NULL, &take->pose, error ) : result;
    result =
        result == sup_success ? supCreateFigure( stage, take->character, look, log, &take->figure, error ) : result;
    if ( result == sup_success && supCharacter_VertexCount( take->character ) == 0 )
    {
        result = supFail( error, sup_errorData, "%s: there is no mesh in its scene, so nothing to draw", path );
    }
    return result;
}

void supReleaseTake( supTake* take )
{
    supDestroyFigure( take->figure );
    supDestroyPose( take->pose );
    supDestroyCharacter( take->character );
    supCloseGltf( take->document );
    *take = ( supTake ){ 0 };
}

supResult supTake_CheckTime( const supTake* take, double time, supError* error )
{
    const double rounding = 1e-6;
    if ( take->clip < 0 )
    {
        return supFail(
            error, sup_errorNotFound, "%s: no time %g s: there is no clip to take it from", take->path, time );
    }
    if ( !( time >= take->start - rounding && time <= take->end + rounding ) )
    {
        return supFail( error, sup_errorNotFound, "%s: no time %g s: clip '%s' runs from %g to %g s", take->path, time,
            supCharacter_Clip( take->character, take->clip ).name, take->start, take->end );
    }
    return sup_success;
}
