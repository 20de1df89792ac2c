// Shots: characters opened for pictures.
// SPDX-License-Identifier: MIT
#include "render_shot.h"
#include "supple/lab/files.h"
#include "supple/lab/states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_shownClipCount = 12 // names in a message
};

static void supTellNote( const char* text, void* user )
{
    const supShot* shot = user;
    bool named = strstr( text, shot->input.path ) != NULL; // what comes from the loader names the file itself
    supProgress_Wipe( shot->input.progress );
    fprintf( stderr, "supple render: %s%s%s\n", named ? "" : shot->input.path, named ? "" : ": ", text );
}

/// "no clip 'Rnu', did you mean \"Run\"? There are: Survey, Walk, Run".
static supResult supFailClip( const supShot* shot, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( shot->input.character )->clipCount;
    const char** names = calloc( (size_t)count + 1, sizeof( *names ) );
    char near[120] = "", list[200] = "";
    for ( int32_t i = 0; names != NULL && i < count; ++i )
    {
        names[i] = supCharacter_Clip( shot->input.character, i ).name;
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
        return supFail( error, sup_errorNotFound, "%s: no clip '%s': the file has no clips", shot->input.path, name );
    }
    const char* more = count > sup_shownClipCount ? ", ..." : "";
    return near[0] != '\0' ? supFail( error, sup_errorNotFound, "%s: no clip '%s', did you mean %s? There are: %s%s",
                                 shot->input.path, name, near, list, more )
                           : supFail( error, sup_errorNotFound, "%s: no clip '%s'. There are: %s%s", shot->input.path,
                                 name, list, more );
}

static void supSetTimes( supShot* shot )
{
    if ( shot->clip >= 0 )
    {
        supClipView clip = supCharacter_Clip( shot->input.character, shot->clip );
        shot->start = clip.start;
        shot->end = clip.end;
    }
}

static supResult supChooseClip( supShot* shot, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( shot->input.character )->clipCount;
    shot->clip = count == 0 ? -1 : shot->input.ownClipCount < count ? shot->input.ownClipCount : 0;
    if ( name != NULL )
    {
        shot->clip = supCharacter_FindClip( shot->input.character, name );
        if ( shot->clip < 0 && strcmp( name, "none" ) != 0 )
        {
            return supFailClip( shot, name, error );
        }
    }
    supSetTimes( shot );
    return sup_success;
}

supResult supOpenShot( supShot* shot, supStage* stage, const supInputDef* def, const char* clip, supError* error )
{
    *shot = ( supShot ){ .clip = -1, .up = { 0.0f, 1.0f, 0.0f } };
    supLog log = { supTellNote, shot };
    supResult result = supOpenInput( &shot->input, def, error );
    result = result == sup_success ? supChooseClip( shot, clip, error ) : result;
    result = result == sup_success ? supCreatePose( shot->input.character, NULL, &shot->pose, error ) : result;
    result = result == sup_success
                 ? supCreateFigure( stage, shot->input.character, shot->input.look, log, &shot->figure, error )
                 : result;
    if ( result == sup_success && supCharacter_Info( shot->input.character )->vertexCount == 0 )
    {
        result = supFail( error, sup_errorData, "%s: there is no mesh in its scene, so nothing to draw", def->path );
    }
    return result;
}

static void supReleaseLife( supShotLife* flesh )
{
    supDestroyTake( flesh->take );
    supDestroyBody( flesh->body );
    supDestroyModel( flesh->model );
    free( flesh->elongations );
    free( flesh->positions );
    free( flesh->normals );
}

void supReleaseShot( supShot* shot )
{
    supReleaseLife( &shot->life );
    supDestroyFigure( shot->figure );
    supDestroyPose( shot->pose );
    free( shot->close );
    supCloseInput( &shot->input );
    *shot = ( supShot ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Flesh

static supResult supMakeRoom( supShot* shot, supError* error )
{
    supShotLife* flesh = &shot->life;
    size_t vertices = (size_t)supCharacter_Info( shot->input.character )->vertexCount;
    flesh->elongations = calloc( (size_t)supModel_Info( flesh->model )->elementCount + 1, sizeof( supVec3 ) );
    flesh->positions = calloc( 3 * vertices, sizeof( float ) );
    flesh->normals = calloc( 3 * vertices, sizeof( float ) );
    flesh->hasNormals = true;
    for ( int32_t m = 0; m < supCharacter_Info( shot->input.character )->meshCount; ++m )
    {
        flesh->hasNormals = flesh->hasNormals && supCharacter_Mesh( shot->input.character, m ).normals != NULL;
    }
    bool room = flesh->elongations != NULL && flesh->positions != NULL && flesh->normals != NULL;
    return room ? sup_success : supFail( error, sup_errorMemory, "no memory for %zu vertices", vertices );
}

supResult supShot_Animate( supShot* shot, const char* rigPath, const supProposeChoices* choices, supError* error )
{
    supShotLife* flesh = &shot->life;
    supRig* rig = NULL;
    supError inner;
    supResult result = supInput_Rig( &shot->input, rigPath, choices, NULL, &rig, NULL, error );
    if ( result == sup_success )
    {
        result = supCompileWithProgress( shot->input.character, rig, shot->input.progress, &flesh->model, &inner );
        if ( result != sup_success )
        {
            supFail( error, result, "%s: %s", rigPath != NULL ? rigPath : shot->input.path, inner.text );
        }
    }
    supDestroyRig( rig );
    result = result == sup_success ? supCreateBody( flesh->model, &flesh->body, error ) : result;
    result = result == sup_success ? supMakeRoom( shot, error ) : result;
    shot->living = result == sup_success;
    return result;
}

void supShot_Play( supShot* shot, int32_t clip )
{
    shot->clip = clip;
    supSetTimes( shot );
    supDestroyTake( shot->life.take );
    shot->life.take = NULL;
}

supResult supShot_Record( supShot* shot, supWatch watch, supError* error )
{
    supShotLife* flesh = &shot->life;
    if ( shot->living == false || shot->clip < 0 || flesh->take != NULL )
    {
        return sup_success;
    }
    supTakeDef def = supDefaultTakeDef();
    def.model = flesh->model;
    def.clip = shot->clip;
    def.watch = watch;
    return supCreateTake( &def, &flesh->take, error );
}

/// The middle of the vertices, on the floor; of a close-up that floats the middle of what it shows.
static supVec3 supStandingPoint( const supShot* shot, const supShape* shape )
{
    int32_t count = shot->floats ? shot->closeCount : supFigure_VertexCount( shot->figure );
    double x = 0.0, y = 0.0, z = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* p = shape->positions + 3 * (size_t)( shot->floats ? shot->close[i] : i );
        x += (double)p[0], y += (double)p[1], z += (double)p[2];
    }
    double share = count > 0 ? 1.0 / (double)count : 0.0;
    double u[3] = { (double)shot->up.x, (double)shot->up.y, (double)shot->up.z };
    double height = shot->floats ? 0.0 : x * u[0] + y * u[1] + z * u[2];
    return ( supVec3 ){ (float)( ( x - height * u[0] ) * share ), (float)( ( y - height * u[1] ) * share ),
        (float)( ( z - height * u[2] ) * share ) };
}

/// The figure's smooth shape with the living skin in its place.
static supShape supLivingShape( supShot* shot, double time, supShape smooth )
{
    supShotLife* flesh = &shot->life;
    supBody_SetMorphWeights( flesh->body, supPose_MorphWeights( shot->pose ) );
    if ( flesh->take != NULL )
    {
        supTake_Show( flesh->take, time, supPose_Joints( shot->pose ), flesh->body );
    }
    else
    {
        supBody_Show( flesh->body, supPose_Joints( shot->pose ), flesh->elongations );
    }
    supBody_Skin( flesh->body, flesh->positions, flesh->hasNormals ? flesh->normals : NULL );
    return ( supShape ){ flesh->positions, flesh->hasNormals ? flesh->normals : NULL, smooth.mirrored };
}

/// The smooth skin at a time.
static supShape supPoseShot( supShot* shot, double time )
{
    supPose_Sample( shot->pose, shot->clip, time );
    supShape shape = supFigure_Pose( shot->figure, supPose_Joints( shot->pose ), supPose_MorphWeights( shot->pose ) );
    shot->smooth = shape.positions;
    shot->standing = supStandingPoint( shot, &shape );
    return shape;
}

supShape supShot_At( supShot* shot, double time )
{
    supShape shape = supPoseShot( shot, time );
    return shot->living ? supLivingShape( shot, time, shape ) : shape;
}

const float* supShot_StepTo( supShot* shot, double time, float dt )
{
    supShotLife* flesh = &shot->life;
    supPoseShot( shot, time );
    supBody_SetMorphWeights( flesh->body, supPose_MorphWeights( shot->pose ) );
    supBody_Step( flesh->body, supPose_Joints( shot->pose ), supMat34_identity, dt );
    supBody_Skin( flesh->body, flesh->positions, NULL );
    return flesh->positions;
}

supResult supShot_CheckTime( const supShot* shot, double time, supError* error )
{
    const double rounding = 1e-6;
    if ( shot->clip < 0 )
    {
        return supFail(
            error, sup_errorNotFound, "%s: no time %g s: there is no clip to take it from", shot->input.path, time );
    }
    if ( !( time >= shot->start - rounding && time <= shot->end + rounding ) )
    {
        return supFail( error, sup_errorNotFound, "%s: no time %g s: clip '%s' runs from %g to %g s", shot->input.path,
            time, supCharacter_Clip( shot->input.character, shot->clip ).name, shot->start, shot->end );
    }
    return sup_success;
}
