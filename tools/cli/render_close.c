// Close-ups: the vertices that some joints carry most of, or those that move.
// SPDX-License-Identifier: MIT
#include "render_job.h"
#include "render_shot.h"
#include "supple/lab/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_jointLetters = 96
};

/// "no joint 'LeftAm', did you mean \"LeftArm\"?".
static supResult supFailJoint( const supShot* shot, const char* name, supError* error )
{
    int32_t count = supCharacter_Info( shot->input.character )->jointCount;
    const char** names = calloc( (size_t)count + 1, sizeof( *names ) );
    char near[120] = "";
    for ( int32_t i = 0; names != NULL && i < count; ++i )
    {
        names[i] = supCharacter_Joint( shot->input.character, i )->name;
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 3, near, sizeof( near ) );
    }
    free( names );
    return supFail( error, sup_errorNotFound, "%s: --close-up: no joint '%s'%s%s%s", shot->input.path, name,
        near[0] != '\0' ? ", did you mean " : "", near, near[0] != '\0' ? "?" : "" );
}

/// Marks the joints of a list with commas between.
static supResult supMarkJoints( const supShot* shot, const char* list, bool* marks, supError* error )
{
    for ( const char* from = list; *from != '\0'; )
    {
        size_t length = strcspn( from, "," );
        char name[sup_jointLetters];
        size_t kept = length < sizeof( name ) - 1 ? length : sizeof( name ) - 1;
        memcpy( name, from, kept );
        name[kept] = '\0';
        int32_t joint = supCharacter_FindJoint( shot->input.character, name );
        if ( joint < 0 )
        {
            return supFailJoint( shot, name, error );
        }
        marks[joint] = true;
        from += length + ( from[length] == ',' );
    }
    return sup_success;
}

/// Influences are ordered by falling weight: the first one carries most.
static void supListClose( supShot* shot, const bool* marks )
{
    const supCharacter* character = shot->input.character;
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.influenceCount > 0; ++v )
        {
            size_t first = (size_t)v * (size_t)mesh.influenceCount;
            if ( marks[joints[mesh.firstPalette + mesh.jointIndices[first]]] )
            {
                shot->close[shot->closeCount++] = mesh.firstVertex + v;
            }
        }
    }
}

supResult supShot_CloseUp( supShot* shot, const char* list, supError* error )
{
    size_t vertices = (size_t)supCharacter_Info( shot->input.character )->vertexCount;
    bool* marks = calloc( (size_t)supCharacter_Info( shot->input.character )->jointCount + 1, sizeof( *marks ) );
    shot->close = calloc( vertices + 1, sizeof( *shot->close ) );
    supResult result = marks != NULL && shot->close != NULL
                           ? supMarkJoints( shot, list, marks, error )
                           : supFail( error, sup_errorMemory, "no memory for %zu vertices", vertices );
    if ( result == sup_success )
    {
        supListClose( shot, marks );
        result = shot->closeCount > 0 ? result
                                      : supFail( error, sup_errorNotFound, "%s: --close-up: no skin hangs on '%s'",
                                            shot->input.path, list );
    }
    free( marks );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// What moves

/// Skin that goes this far, as a share of the largest way, is what is looked at; so much of the figure's size around it
/// is shown with it; and a piece of the figure that is nearly all of it is none.
static const float supMovingShare = 0.5f, supAround = 0.1f, supMostShown = 0.8f;

typedef struct supBox
{
    float lower[3], upper[3];
} supBox;

static const supBox supNoBox = { { 1e30f, 1e30f, 1e30f }, { -1e30f, -1e30f, -1e30f } };

static void supBox_Add( supBox* box, const float* p, float around )
{
    for ( int k = 0; k < 3; ++k )
    {
        box->lower[k] = fminf( box->lower[k], p[k] - around );
        box->upper[k] = fmaxf( box->upper[k], p[k] + around );
    }
}

static bool supBox_Holds( const supBox* box, const float* p )
{
    bool holds = true;
    for ( int k = 0; k < 3; ++k )
    {
        holds = holds && p[k] >= box->lower[k] && p[k] <= box->upper[k];
    }
    return holds;
}

static float supBox_Size( const supBox* box )
{
    float largest = 0.0f;
    for ( int k = 0; k < 3; ++k )
    {
        largest = fmaxf( largest, box->upper[k] - box->lower[k] );
    }
    return largest;
}

/// Marks the vertices that move at the moments that are drawn.
static void supMarkMoving( supRender* render, bool* marks )
{
    int32_t vertices = supFigure_VertexCount( supRender_LastShot( render )->figure );
    float least = supMovingShare * (float)render->largestWay;
    for ( int32_t i = 0; i < render->frameCount; ++i )
    {
        supRender_Measure( render, render->times[i] );
        for ( int32_t v = 0; v < vertices; ++v )
        {
            marks[v] = marks[v] || render->ways[v] > least;
        }
    }
}

static void supListNear( supShot* shot, const supBox* box, const float* positions )
{
    for ( int32_t v = 0; v < supFigure_VertexCount( shot->figure ); ++v )
    {
        if ( supBox_Holds( box, positions + 3 * (size_t)v ) )
        {
            shot->close[shot->closeCount++] = v;
        }
    }
}

supResult supRender_CloseIn( supRender* render, supError* error )
{
    size_t vertices = (size_t)supFigure_VertexCount( supRender_LastShot( render )->figure );
    bool* marks = calloc( vertices + 1, sizeof( *marks ) );
    supResult result =
        marks != NULL ? sup_success : supFail( error, sup_errorMemory, "no memory for %zu vertices", vertices );
    supBox near = supNoBox, all = supNoBox;
    if ( result == sup_success )
    {
        supMarkMoving( render, marks );
        supShot* first = render->shots;
        const float* smooth = supShot_At( first, supShotTime( first, render->times[0] ) ).positions;
        float around = supAround * supCharacter_Info( first->input.character )->size;
        for ( size_t v = 0; v < vertices; ++v )
        {
            supBox_Add( &all, smooth + 3 * v, 0.0f );
            if ( marks[v] )
            {
                supBox_Add( &near, smooth + 3 * v, around );
            }
        }
        for ( int32_t k = 0; k < sup_maxShotCount && supBox_Size( &near ) < supMostShown * supBox_Size( &all ); ++k )
        {
            render->shots[k].close = calloc( vertices + 1, sizeof( int32_t ) );
            if ( render->shots[k].close == NULL )
            {
                result = supFail( error, sup_errorMemory, "no memory for %zu vertices", vertices );
                break;
            }
            supListNear( render->shots + k, &near, smooth );
            render->shots[k].floats = render->follow = render->plan->camera != sup_cameraStand;
        }
    }
    free( marks );
    return result;
}
