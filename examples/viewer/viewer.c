// A viewer: loads a character, finds its flesh, plays and blends its clips, and draws it living, alone or as a crowd.
// SPDX-License-Identifier: MIT
//
//     viewer [FILE.glb | NAME] [--way gpu|vertices] [--crowd N] [--clip NAME] [--blend NAME] [--flesh FACTOR]
//            [--region NAME=FACTOR] [--width W] [--height H] [--shot FILE.ppm] [--frames N]
//
// Keys: 1 to 9 a clip, with a blend; V the way; C the crowd; F flesh on and off; space stops; the mouse turns, the
// wheel goes near, and the bars on the left are how much each region moves. With --shot nothing is shown: N frames of
// 1/60 s are played, and the last one is written.
//
// There are two ways to draw living flesh, and both are here.
//   gpu       helper joints: supBakeJoints gives every vertex its influences once, and supBody_HelperJoints a matrix
//   for
//             each helper in each frame. The graphics card skins as it always does; the processor touches no vertex.
//   vertices  the library skins, and its positions and normals are uploaded in each frame. Any layer of a rig shows.
//
// All that has to do with Supple is in this file. card.c has the window and the shaders, affine.h the vectors.
#include "affine.h"
#include "card.h"
#include "pose_blend.h"
#include "sliders.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/crowd.h"
#include "supple/io.h"
#include "supple/supple.h"
#include "viewer_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supMostBodies = 100,
};

#define SUP_BLEND_SECONDS 0.3
#define SUP_BLEND_FRAME 30 // of pictures with --blend

/// One of those on stage.
typedef struct supMember
{
    supBody* body; ///< the crowd's
    int32_t who;
    int32_t clip, lastClip; ///< that it plays, and that it comes from
    double time, lastTime;  ///< since their starts
    double blend;           ///< how far the new clip has come in: 0 to 1
    supMat34 world;
    supMat34* joints;           ///< model space, one a node of the file
    float *positions, *normals; ///< where the library skins
    GLuint buffer, *arrays;     ///< the same on the card, and one vertex array a mesh
} supMember;

/// A mesh as the card has it.
typedef struct supPart
{
    GLuint array, buffer, indices;
    int32_t indexCount, firstVertex;
    int32_t firstHelper; ///< where its helpers' matrices are in a body's palette
    float color[3];
    bool faceted; ///< it has no normals
} supPart;

typedef struct supViewer
{
    supViewerOptions asked;
    int bodies;
    bool onGpu, paused;
    float flesh; ///< of all regions together

    // Supple's
    supCharacter* loaded;
    supCreature* creature;
    const supCharacter* character;
    supRig* rig;
    supProposal* proposal;
    supModel* model;
    supJointBake* bake;
    supPool* pool;
    supCrowd* crowd;
    supPose *pose, *lastPose;
    supMember members[supMostBodies];
    supSliders sliders;

    // the card's
    supCard card;
    supPart* parts;
    int32_t paletteStride; ///< matrices a body
    float* palette;        ///< 12 floats each, by rows
    supMat34* matrices;    ///< scratch: the character's own, and the helpers'
    float turn, tilt, distance;
    struct
    {
        double animate, simulate, draw; // milliseconds of a frame, smoothed
    } times;
} supViewer;

static void supCheck( supResult result, const supError* error )
{
    if ( result != sup_success )
    {
        supStop( error->text );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The character and its flesh

/// Reads the character, finds its flesh, and makes what all bodies share.
static void supOpen( supViewer* v )
{
    supError error;
    if ( supIsCreatureName( v->asked.file ) )
    {
        supCheck( supCreateCreature( v->asked.file, NULL, &v->creature, &error ), &error );
        v->character = supCreature_Character( v->creature );
    }
    else
    {
        supCheck( supLoadGltf( v->asked.file, &v->loaded, &error ), &error );
        v->character = v->loaded;
    }
    supProposeDef def = supDefaultProposeDef();
    supCheck( supProposeRigWith( v->character, &def, &v->rig, &v->proposal, &error ), &error );
    supCheck( supCompileModel( v->character, v->rig, &v->model, &error ), &error );

    // helper joints and influences as arrays: a bake of no takes
    supJointBakeDef bake = supDefaultJointBakeDef();
    bake.model = v->model;
    bake.modelHelpersOnly = true;
    bake.influences = 8;
    supCheck( supBakeJoints( &bake, &v->bake, &error ), &error );

    for ( int32_t e = 0; e < v->proposal->elementCount; ++e )
    {
        supSliders_Add( &v->sliders, v->proposal->elements[e].region );
    }
}

/// -1: none was asked for.
static int32_t supFindClip( const supViewer* v, const char* name )
{
    int32_t clip = name != NULL ? supCharacter_FindClip( v->character, name ) : -1;
    if ( name != NULL && clip < 0 )
    {
        supStop( "there is no clip of that name" );
    }
    return clip;
}

/// The crowd: bodies in rows, each with a clip and a moment of its own.
static void supFillStage( supViewer* v )
{
    supError error;
    supCheck( supCreatePool( NULL, &v->pool, &error ), &error );
    const supModel* models[1] = { v->model };
    supCrowdDef def = supDefaultCrowdDef();
    def.models = models;
    def.modelCount = 1;
    def.capacity = supMostBodies;
    def.tasks = supPool_Tasks( v->pool );
    supCheck( supCreateCrowd( &def, &v->crowd, &error ), &error );
    supCheck( supCreatePose( v->character, NULL, &v->pose, &error ), &error );
    supCheck( supCreatePose( v->character, NULL, &v->lastPose, &error ), &error );
    const supCharacterInfo* info = supCharacter_Info( v->character );
    float gap = 0.6f * info->size;
    int32_t asked = supFindClip( v, v->asked.clip );
    for ( int32_t i = 0; i < supMostBodies; ++i )
    {
        supMember* m = v->members + i;
        m->who = supCrowd_Add( v->crowd, 0 );
        m->body = supCrowd_Body( v->crowd, m->who );
        m->clip = asked >= 0 ? asked : info->clipCount > 0 ? i % info->clipCount : -1;
        m->time = 0.37 * i;
        m->blend = 1.0;
        m->world = supMat34_identity;
        m->world.t = ( supVec3 ){ gap * (float)( ( i % 10 + 5 ) % 10 - 5 ), 0.0f, -gap * (float)( i / 10 ) };
        m->joints = (supMat34*)supGet( (size_t)info->jointCount, sizeof( supMat34 ) );
    }
}

/// How much each region moves, on every body: in place, while they swing.
static void supTune( supViewer* v )
{
    int32_t layer = supFindLayer( "elements" );
    for ( int32_t e = 0; e < v->proposal->elementCount; ++e )
    {
        float factor = v->flesh * supSliders_Factor( &v->sliders, v->proposal->elements[e].region );
        for ( int32_t i = 0; i < supMostBodies; ++i )
        {
            supBody_SetField( v->members[i].body, layer, e, "amount",
                fminf( factor * supModel_Info( v->model )->elements[e].amount, 10.0f ), NULL );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static void supSampleClip( const supViewer* v, supPose* pose, int32_t clip, double time )
{
    supClipView view = { 0 };
    view = clip >= 0 ? supCharacter_Clip( v->character, clip ) : view;
    double length = view.end - view.start;
    supPose_Sample( pose, clip, length > 0.0 ? view.start + fmod( time, length ) : 0.0 );
}

/// The joints of a member now: of its clip, or joint by joint between two clips.
static void supFindJoints( supViewer* v, supMember* m )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    supSampleClip( v, v->pose, m->clip, m->time );
    const supMat34* to = supPose_Joints( v->pose );
    memcpy( m->joints, to, sizeof( supMat34 ) * (size_t)info->jointCount );
    if ( m->blend >= 1.0 )
    {
        return;
    }
    supSampleClip( v, v->lastPose, m->lastClip, m->lastTime );
    supBlendJoints( v->character, supPose_Joints( v->lastPose ), to, (float)m->blend, m->joints );
}

static void supSwitchClip( supViewer* v, int32_t clip )
{
    for ( int32_t i = 0; i < supMostBodies && clip >= 0 && clip < supCharacter_Info( v->character )->clipCount; ++i )
    {
        supMember* m = v->members + i;
        m->lastClip = m->clip;
        m->lastTime = m->time;
        m->clip = clip;
        m->blend = 0.0;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes on the card

/// A vertex for the card's own skinning. The first eight influences; they fall.
typedef struct supVertex
{
    float position[3], normal[3];
    uint16_t joints[8];
    float weights[8];
} supVertex;

/// Positions, normals and influences of a mesh: the bake's where it carries flesh, else its own. A joint is an index
/// into the body's palette: the character's own matrices first, then this mesh's helpers.
static supVertex* supMakeVertices(
    const supViewer* v, const supMeshView* mesh, const supBakedMesh* baked, int firstHelper )
{
    supVertex* vertices = (supVertex*)supGet( (size_t)mesh->vertexCount, sizeof( supVertex ) );
    int own = mesh->skin >= 0 ? supCharacter_Skin( v->character, mesh->skin ).jointCount : 1;
    int count = baked->changed ? baked->influenceCount : mesh->influenceCount;
    for ( int32_t i = 0; i < mesh->vertexCount; ++i )
    {
        supVertex* vertex = vertices + i;
        memcpy( vertex->position, mesh->positions + 3 * (size_t)i, sizeof( vertex->position ) );
        float up[3] = { 0.0f, 1.0f, 0.0f };
        memcpy( vertex->normal, mesh->normals != NULL ? mesh->normals + 3 * (size_t)i : up, sizeof( up ) );
        float sum = 0.0f;
        for ( int k = 0; k < ( count < 8 ? count : 8 ); ++k )
        {
            size_t at = (size_t)i * (size_t)count + (size_t)k;
            int joint = baked->changed ? baked->joints[at] : mesh->jointIndices[at];
            int place = joint < own || !baked->changed ? mesh->firstPalette + joint : firstHelper + joint - own;
            vertex->joints[k] = (uint16_t)place;
            vertex->weights[k] = baked->changed ? baked->weights[at] : mesh->weights[at];
            sum += vertex->weights[k];
        }
        for ( int k = 0; k < 8 && sum > 0.0f; ++k )
        {
            vertex->weights[k] /= sum;
        }
        if ( !( sum > 0.0f ) ) // a mesh that hangs on its node
        {
            vertex->joints[0] = (uint16_t)mesh->firstPalette;
            vertex->weights[0] = 1.0f;
        }
    }
    return vertices;
}

static void supMakeParts( supViewer* v )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    const supJointBakeInfo* bake = supJointBake_Info( v->bake );
    v->parts = (supPart*)supGet( (size_t)info->meshCount, sizeof( supPart ) );
    v->paletteStride = info->paletteCount + info->meshCount * bake->helperCount;
    for ( int32_t i = 0; i < info->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( v->character, i );
        supPart* part = v->parts + i;
        static const float colors[3][3] = { { 0.83f, 0.62f, 0.52f }, { 0.48f, 0.58f, 0.7f }, { 0.62f, 0.66f, 0.48f } };
        memcpy( part->color, colors[i % 3], sizeof( part->color ) );
        part->firstVertex = mesh.firstVertex;
        part->faceted = mesh.normals == NULL;
        part->indexCount = mesh.indexCount;
        part->firstHelper = info->paletteCount + i * bake->helperCount;
        supVertex* vertices = supMakeVertices( v, &mesh, bake->meshes + i, part->firstHelper );
        glGenVertexArrays( 1, &part->array );
        glBindVertexArray( part->array );
        glGenBuffers( 1, &part->buffer );
        glBindBuffer( GL_ARRAY_BUFFER, part->buffer );
        glBufferData(
            GL_ARRAY_BUFFER, (GLsizeiptr)( sizeof( supVertex ) * (size_t)mesh.vertexCount ), vertices, GL_STATIC_DRAW );
        supSetAttribute( 0, 3, GL_FLOAT, sizeof( supVertex ), offsetof( supVertex, position ) );
        supSetAttribute( 1, 3, GL_FLOAT, sizeof( supVertex ), offsetof( supVertex, normal ) );
        for ( GLuint half = 0; half < 2; ++half )
        {
            supSetAttribute(
                2 + half, 4, GL_UNSIGNED_SHORT, sizeof( supVertex ), offsetof( supVertex, joints ) + 8 * half );
            supSetAttribute( 4 + half, 4, GL_FLOAT, sizeof( supVertex ), offsetof( supVertex, weights ) + 16 * half );
        }
        glGenBuffers( 1, &part->indices );
        glBindBuffer( GL_ELEMENT_ARRAY_BUFFER, part->indices );
        glBufferData( GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)( sizeof( uint32_t ) * (size_t)mesh.indexCount ),
            mesh.indices, GL_STATIC_DRAW );
        free( vertices );
    }
    v->palette = (float*)supGet( 12 * (size_t)v->paletteStride, sizeof( float ) );
    v->matrices = (supMat34*)supGet( (size_t)( info->paletteCount + bake->helperCount ), sizeof( supMat34 ) );
}

/// For the way by vertices: positions, then normals of all meshes, as the library writes them.
static void supMakeSkinBuffer( supViewer* v, supMember* m )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    size_t bytes = 3 * sizeof( float ) * (size_t)info->vertexCount;
    m->positions = (float*)supGet( 1, bytes );
    m->normals = (float*)supGet( 1, bytes );
    m->arrays = (GLuint*)supGet( (size_t)info->meshCount, sizeof( GLuint ) );
    glGenBuffers( 1, &m->buffer );
    glGenVertexArrays( info->meshCount, m->arrays );
    for ( int32_t i = 0; i < info->meshCount; ++i )
    {
        glBindVertexArray( m->arrays[i] );
        glBindBuffer( GL_ARRAY_BUFFER, m->buffer );
        size_t first = 3 * sizeof( float ) * (size_t)v->parts[i].firstVertex;
        supSetAttribute( 0, 3, GL_FLOAT, 3 * sizeof( float ), first );
        supSetAttribute( 1, 3, GL_FLOAT, 3 * sizeof( float ), bytes + first );
        glBindBuffer( GL_ELEMENT_ARRAY_BUFFER, v->parts[i].indices );
    }
}

/// From where a mesh's vertices are to the space of a joint: what its skin says; of meshes without one, and of joints
/// that are not the skin's, nothing is needed.
static supMat34 supBindOf( const supViewer* v, const supMeshView* mesh, int32_t joint )
{
    supSkinView skin = { 0 };
    skin = mesh->skin >= 0 ? supCharacter_Skin( v->character, mesh->skin ) : skin;
    for ( int32_t k = 0; k < skin.jointCount; ++k )
    {
        if ( skin.joints[k] == joint )
        {
            return skin.inverseBind[k];
        }
    }
    return supMat34_identity;
}

/// The matrices that the card skins a body with: its joints', and after them each mesh's helpers'.
static void supFillPalette( supViewer* v, const supMember* m )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    const supJointBakeInfo* bake = supJointBake_Info( v->bake );
    supMat34* matrices = v->matrices;
    supCharacter_Palette( v->character, m->joints, matrices );
    for ( int32_t i = 0; i < info->paletteCount; ++i )
    {
        supSetRows( v->palette + 12 * (size_t)i, matrices + i );
    }
    supMat34* helpers = matrices + info->paletteCount;
    supBody_HelperJoints( m->body, helpers );
    for ( int32_t i = 0; i < info->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( v->character, i );
        for ( int32_t h = 0; h < bake->helperCount && bake->meshes[i].changed; ++h )
        {
            supMat34 bind = supBindOf( v, &mesh, bake->helpers[h].joint );
            supVec3 place = bake->helpers[h].place;
            bind.t = ( supVec3 ){ bind.t.x - place.x, bind.t.y - place.y, bind.t.z - place.z };
            supMat34 whole = supTimesMat( helpers + h, &bind );
            supSetRows( v->palette + 12 * (size_t)( v->parts[i].firstHelper + h ), &whole );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

static double supNow( void )
{
    return 1e3 * (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static void supSmooth( double* mean, double now )
{
    *mean += *mean > 0.0 ? 0.1 * ( now - *mean ) : now;
}

/// A frame of all that are on stage: poses, then springs, and the skin where the library is to make it.
static void supPlay( supViewer* v, double dt )
{
    double start = supNow();
    supCrowdLevel level = supDefaultCrowdLevel();
    level.skin = !v->onGpu; // helper joints need no vertices
    level.flesh = v->flesh > 0.0f;
    for ( int32_t i = 0; i < supMostBodies; ++i )
    {
        supMember* m = v->members + i;
        supCrowdFrame frame = { .world = m->world, .positions = m->positions, .normals = m->normals };
        if ( i < v->bodies )
        {
            m->time += dt;
            m->lastTime += dt;
            m->blend = fmin( m->blend + dt / SUP_BLEND_SECONDS, 1.0 );
            supFindJoints( v, m );
            if ( !v->onGpu && m->positions == NULL )
            {
                supMakeSkinBuffer( v, m );
                frame.positions = m->positions;
                frame.normals = m->normals;
            }
            frame.joints = m->joints;
        }
        supCrowd_SetLevel( v->crowd, m->who, level );
        supCrowd_SetFrame( v->crowd, m->who, &frame );
    }
    double posed = supNow();
    supCrowd_Run( v->crowd, (float)dt );
    supSmooth( &v->times.animate, posed - start );
    supSmooth( &v->times.simulate, supNow() - posed );
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

/// Around the middle of what is on stage; one alone is followed where it goes.
static void supFindView( const supViewer* v, float view[16] )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    bool many = v->bodies > 1;
    supVec3 middle = supMix( info->lower, info->upper, 0.5f );
    middle.z -= many ? 2.7f * info->size : 0.0f;
    float count = 0.0f;
    supVec3 way = { 0.0f, 0.0f, 0.0f };
    for ( int32_t i = 0; i < info->paletteCount && !many; ++i )
    {
        int32_t joint = info->paletteJoints[i];
        bool helps = strncmp( supCharacter_Joint( v->character, joint )->name, "supple:", 7 ) == 0; // of a baked file
        supVec3 now = v->members[0].joints[joint].t, rest = info->restJoints[joint].t;
        way.x += helps ? 0.0f : now.x - rest.x;
        way.z += helps ? 0.0f : now.z - rest.z;
        count += helps ? 0.0f : 1.0f;
    }
    middle.x += way.x / fmaxf( count, 1.0f );
    middle.z += way.z / fmaxf( count, 1.0f );
    float away = v->distance * info->size * ( many ? 6.5f : 1.05f ), tilt = v->tilt + ( many ? 0.35f : 0.0f );
    supLookAt( middle, v->turn, tilt, away, (float)v->card.width / (float)v->card.height, view );
}

static void supDrawMember( supViewer* v, supMember* m )
{
    const supCharacterInfo* info = supCharacter_Info( v->character );
    if ( v->onGpu )
    {
        supFillPalette( v, m );
        glBindBuffer( GL_TEXTURE_BUFFER, v->card.paletteBuffer );
        glBufferData( GL_TEXTURE_BUFFER, (GLsizeiptr)( 12 * sizeof( float ) * (size_t)v->paletteStride ), v->palette,
            GL_STREAM_DRAW );
        glTexBuffer( GL_TEXTURE_BUFFER, GL_RGBA32F, v->card.paletteBuffer );
    }
    else
    {
        size_t bytes = 3 * sizeof( float ) * (size_t)info->vertexCount;
        glBindBuffer( GL_ARRAY_BUFFER, m->buffer );
        glBufferData( GL_ARRAY_BUFFER, (GLsizeiptr)( 2 * bytes ), NULL, GL_STREAM_DRAW );
        glBufferSubData( GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, m->positions );
        glBufferSubData( GL_ARRAY_BUFFER, (GLintptr)bytes, (GLsizeiptr)bytes, m->normals );
    }
    glUniform3f( glGetUniformLocation( v->card.program, "place" ), m->world.t.x, m->world.t.y, m->world.t.z );
    for ( int32_t i = 0; i < info->meshCount; ++i )
    {
        glUniform3fv( glGetUniformLocation( v->card.program, "tint" ), 1, v->parts[i].color );
        glUniform1i( glGetUniformLocation( v->card.program, "faceted" ), v->parts[i].faceted );
        glBindVertexArray( v->onGpu ? v->parts[i].array : m->arrays[i] );
        glDrawElements( GL_TRIANGLES, v->parts[i].indexCount, GL_UNSIGNED_INT, NULL );
    }
}

/// Sliders, and what a frame takes.
static void supDrawPanel( supViewer* v )
{
    char line[96];
    supSliders_Draw( &v->sliders, &v->card );
    snprintf( line, sizeof( line ), "%d x %s  poses %.2f  flesh %.2f  draw %.2f ms", v->bodies,
        v->onGpu ? "gpu" : "vertices", v->times.animate, v->times.simulate, v->times.draw );
    if ( v->asked.shot == NULL ) // times are no part of a picture that is to be compared
    {
        supCard_Words( &v->card, 16.0f, (float)v->card.height - 24.0f, line );
    }
    supCard_DrawPanel( &v->card );
}

static void supDrawFrame( supViewer* v )
{
    double start = supNow();
    float view[16];
    supFindView( v, view );
    glViewport( 0, 0, v->card.width, v->card.height );
    glClearColor( 0.13f, 0.15f, 0.18f, 1.0f );
    glClear( GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT );
    glEnable( GL_DEPTH_TEST );
    glUseProgram( v->card.program );
    glUniformMatrix4fv( glGetUniformLocation( v->card.program, "view" ), 1, GL_FALSE, view );
    glUniform1i( glGetUniformLocation( v->card.program, "skinned" ), v->onGpu );
    glBindTexture( GL_TEXTURE_BUFFER, v->card.paletteTexture );
    for ( int32_t i = 0; i < v->bodies; ++i )
    {
        supDrawMember( v, v->members + i );
    }
    supDrawPanel( v );
    if ( v->asked.shot != NULL )
    {
        glFinish();
    }
    supSmooth( &v->times.draw, supNow() - start );
}

// ---------------------------------------------------------------------------------------------------------------
// Keys and mouse

static void supTakeMouse( supViewer* v, const SDL_Event* event )
{
    if ( supSliders_Take( &v->sliders, event ) )
    {
        supTune( v );
    }
    else if ( event->type == SDL_MOUSEMOTION && ( event->motion.state & SDL_BUTTON_LMASK ) != 0 )
    {
        v->turn -= 0.008f * (float)event->motion.xrel;
        v->tilt = fmaxf( -1.4f, fminf( v->tilt + 0.008f * (float)event->motion.yrel, 1.4f ) );
    }
}

static void supTakeKey( supViewer* v, SDL_Keycode key )
{
    v->onGpu = key == SDLK_v ? !v->onGpu : v->onGpu;
    v->paused = key == SDLK_SPACE ? !v->paused : v->paused;
    v->bodies = key == SDLK_c ? ( v->bodies > 1 ? 1 : supMostBodies ) : v->bodies;
    if ( key == SDLK_f )
    {
        v->flesh = v->flesh > 0.0f ? 0.0f : 1.0f;
        supTune( v );
    }
    if ( key >= SDLK_1 && key <= SDLK_9 )
    {
        supSwitchClip( v, key - SDLK_1 );
    }
}

/// False: the window is closed.
static bool supTakeEvents( supViewer* v )
{
    bool open = true;
    for ( SDL_Event event; SDL_PollEvent( &event ) != 0; )
    {
        bool isKey = event.type == SDL_KEYDOWN;
        open = open && event.type != SDL_QUIT && !( isKey && event.key.keysym.sym == SDLK_ESCAPE );
        if ( isKey )
        {
            supTakeKey( v, event.key.keysym.sym );
        }
        else if ( event.type == SDL_MOUSEWHEEL )
        {
            v->distance *= event.wheel.y > 0 ? 0.9f : 1.1f;
        }
        else if ( event.type >= SDL_MOUSEMOTION && event.type <= SDL_MOUSEBUTTONUP )
        {
            supTakeMouse( v, &event );
        }
    }
    SDL_GL_GetDrawableSize( v->card.window, &v->card.width, &v->card.height );
    return open;
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

/// Plays frames of 1/60 s that nobody sees, and writes the last one.
static void supMakeShot( supViewer* v )
{
    int32_t next = supFindClip( v, v->asked.blend );
    for ( int n = 0; n < v->asked.frames; ++n )
    {
        if ( n == SUP_BLEND_FRAME && next >= 0 )
        {
            supSwitchClip( v, next );
        }
        supPlay( v, 1.0 / 60.0 );
    }
    supDrawFrame( v );
    supCard_WriteShot( &v->card, v->asked.shot );
    printf( "%d bodies by %s: poses %.3f ms, flesh %.3f ms, drawing %.3f ms a frame\n", v->bodies,
        v->onGpu ? "gpu" : "vertices", v->times.animate, v->times.simulate, v->times.draw );
}

static void supShowWindow( supViewer* v )
{
    double last = supNow();
    while ( supTakeEvents( v ) )
    {
        double now = supNow();
        supPlay( v, v->paused ? 0.0 : 1e-3 * ( now - last ) );
        last = now;
        supDrawFrame( v );
        SDL_GL_SwapWindow( v->card.window );
    }
}

static void supClose( supViewer* v )
{
    for ( int32_t i = 0; i < supMostBodies; ++i )
    {
        free( v->members[i].joints );
        free( v->members[i].positions );
        free( v->members[i].normals );
        free( v->members[i].arrays );
    }
    free( v->parts );
    free( v->palette );
    free( v->matrices );
    supCloseCard( &v->card );
    supDestroyPose( v->lastPose );
    supDestroyPose( v->pose );
    supDestroyCrowd( v->crowd );
    supDestroyPool( v->pool );
    supDestroyJointBake( v->bake );
    supDestroyModel( v->model );
    supDestroyProposal( v->proposal );
    supDestroyRig( v->rig );
    supDestroyCharacter( v->loaded );
    supDestroyCreature( v->creature );
}

int main( int argc, char** argv )
{
    static supViewer viewer = { .turn = 0.5f, .tilt = 0.12f, .distance = 1.0f };
    supViewer* v = &viewer;
    v->asked = ( supViewerOptions ){
        .file = "woman", .way = "gpu", .flesh = "1", .bodies = 1, .frames = 60, .width = 1280, .height = 800
    };
    if ( !supReadViewerOptions( &v->asked, argc, argv ) )
    {
        return 2;
    }
    v->onGpu = strcmp( v->asked.way, "gpu" ) == 0;
    v->bodies = v->asked.bodies;
    v->card.width = v->asked.width;
    v->card.height = v->asked.height;
    if ( sscanf( v->asked.flesh, "%f", &v->flesh ) != 1 || !( v->flesh >= 0.0f ) || v->flesh > 10.0f )
    {
        supStop( "--flesh is a factor from 0 to 10" );
    }
    supOpen( v );
    if ( v->asked.region != NULL && !supSliders_Set( &v->sliders, v->asked.region ) )
    {
        supStop( "there is no such region on this character" );
    }
    supFillStage( v );
    supTune( v );
    supOpenCard( &v->card, v->asked.shot != NULL );
    supMakeParts( v );
    if ( v->asked.shot != NULL )
    {
        supMakeShot( v );
    }
    else
    {
        supShowWindow( v );
    }
    supClose( v );
    return 0;
}
