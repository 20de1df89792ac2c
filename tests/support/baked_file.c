#include "support/baked_file.h"
#include "supple/lab/items.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static void supMust( supResult result, const supError* error )
{
    if ( result != sup_success )
    {
        fail_msg( "%s", error->text );
    }
}

supBakedFileDef supDefaultBakedFileDef( const char* in, const char* out )
{
    return ( supBakedFileDef ){ .in = in, .out = out, .fps = 30.0f, .influences = 8 };
}

static void supWriteBaked( const supBakedFileDef* def, supBakedFile* baked, supGltf* document )
{
    supError error;
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.isBinary = supIsBinaryGltfName( def->out );
    options.isLive = def->isLive;
    options.keepNames = def->keepNames;
    options.dropOriginals = def->dropOriginals;
    options.rig = def->noEmbed ? NULL : baked->rig;
    supMust( def->asMorphs ? supGltf_AddMorphBake( document, baked->model, baked->morphs, &options, &error )
                           : supGltf_AddJointBake( document, baked->model, baked->joints, &options, &error ),
        &error );
    supMust( supGltf_Write( document, def->out, &error ), &error );
    char message[256];
    baked->file = evalLoad( def->out, message, sizeof( message ) );
    if ( baked->file == NULL )
    {
        fail_msg( "%s: the evaluator: %s", def->out, message );
    }
}

static void supRunBakedTakes( const supBakedFileDef* def, supBakedFile* baked )
{
    supError error;
    baked->clipCount = supCharacter_Info( baked->character )->clipCount;
    baked->takes = calloc( (size_t)baked->clipCount + 1, sizeof( supTake* ) );
    for ( int32_t i = 0; i < baked->clipCount; ++i )
    {
        supTakeDef take = supDefaultTakeDef();
        take.model = baked->model;
        take.clip = i;
        take.loop = def->loop;
        supMust( supCreateTake( &take, baked->takes + i, &error ), &error );
    }
    if ( def->asMorphs )
    {
        supMorphBakeDef morphs = supDefaultMorphBakeDef();
        morphs.model = baked->model;
        morphs.takeCount = baked->clipCount;
        morphs.takes = (const supTake* const*)baked->takes;
        morphs.fps = def->fps;
        morphs.normals = def->noNormals == false;
        supMust( supBakeMorphs( &morphs, &baked->morphs, &error ), &error );
        return;
    }
    supJointBakeDef joints = supDefaultJointBakeDef();
    joints.model = baked->model;
    joints.takeCount = baked->clipCount;
    joints.takes = (const supTake* const*)baked->takes;
    joints.fps = def->fps;
    joints.influences = def->influences;
    joints.keys = def->keys;
    supMust( supBakeJoints( &joints, &baked->joints, &error ), &error );
}

bool supMakeBakedFile( const supBakedFileDef* def, supBakedFile* out )
{
    supBakedFile baked = { 0 };
    supError error;
    supGltf* document;
    bool removed;
    supMust( supOpenGltf( def->in, ( supLog ){ 0 }, &document, &error ), &error );
    supMust( supGltf_RemoveBake( document, &removed, &error ), &error );
    supMust( supGltf_Character( document, NULL, &baked.character, &error ), &error );
    if ( def->rig == NULL )
    {
        supMust( supProposeRig( baked.character, sup_presetNatural, &baked.rig, &error ), &error );
    }
    const supRig* rig = def->rig != NULL ? def->rig : baked.rig;
    bool carries = supRig_ElementCount( rig ) > 0;
    if ( carries )
    {
        size_t vertices = (size_t)supCharacter_Info( baked.character )->vertexCount;
        supMust( supCompileModel( baked.character, rig, &baked.model, &error ), &error );
        supMust( supCreateBody( baked.model, &baked.body, &error ), &error );
        supMust( supCreatePose( baked.character, NULL, &baked.pose, &error ), &error );
        baked.size = (double)supCharacter_Info( baked.character )->size;
        baked.positions = calloc( vertices, 3 * sizeof( float ) );
        baked.normals = calloc( vertices, 3 * sizeof( float ) );
        baked.read = calloc( vertices, 3 * sizeof( double ) );
        supRunBakedTakes( def, &baked );
        supWriteBaked( def, &baked, document );
    }
    supCloseGltf( document );
    if ( carries == false )
    {
        supDropBakedFile( &baked );
    }
    *out = baked;
    return carries;
}

void supDropBakedFile( supBakedFile* baked )
{
    evalFree( baked->file );
    for ( int32_t i = 0; i < baked->clipCount; ++i )
    {
        supDestroyTake( baked->takes[i] );
    }
    free( baked->takes );
    free( baked->positions );
    free( baked->normals );
    free( baked->read );
    supDestroyJointBake( baked->joints );
    supDestroyMorphBake( baked->morphs );
    supDestroyPose( baked->pose );
    supDestroyBody( baked->body );
    supDestroyModel( baked->model );
    supDestroyRig( baked->rig );
    supDestroyCharacter( baked->character );
    *baked = ( supBakedFile ){ 0 };
}

void supBakedFile_Live( supBakedFile* baked, int32_t clip, double time )
{
    supPose_Sample( baked->pose, clip, time );
    supBody_SetMorphWeights( baked->body, supPose_MorphWeights( baked->pose ) );
    supResult shown = supTake_Show( baked->takes[clip], time, supPose_Joints( baked->pose ), baked->body );
    assert_int_equal( shown, sup_success );
    supBody_Skin( baked->body, baked->positions, baked->normals );
}

/// The draw of one of the character's meshes; a bake may have given its node a copy of the mesh.
static int supFindDraw( const evalFile* file, const supMeshView* mesh )
{
    for ( int i = 0; i < evalGetInfo( file ).drawCount; ++i )
    {
        const evalDraw* draw = evalGetDraw( file, i );
        if ( draw->node == mesh->joint && draw->primitive == mesh->sourcePrimitive &&
             draw->vertexCount == mesh->vertexCount )
        {
            return i;
        }
    }
    fail_msg( "no draw for mesh %s", mesh->name );
    return -1;
}

void supBakedFile_Read( supBakedFile* baked, evalFile* file, int32_t clip, double time, double* xyz )
{
    evalPose( file, clip, time );
    for ( int32_t m = 0; m < supCharacter_Info( baked->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( baked->character, m );
        evalPositions( file, supFindDraw( file, &mesh ), xyz + 3 * (size_t)mesh.firstVertex );
    }
}

double supBakedFile_Error( supBakedFile* baked, int32_t clip, double time )
{
    double largest = 0.0;
    supBakedFile_Live( baked, clip, time );
    supBakedFile_Read( baked, baked->file, clip, time, baked->read );
    for ( size_t v = 0; v < (size_t)supCharacter_Info( baked->character )->vertexCount; ++v )
    {
        double x = (double)baked->positions[3 * v] - baked->read[3 * v];
        double y = (double)baked->positions[3 * v + 1] - baked->read[3 * v + 1];
        double z = (double)baked->positions[3 * v + 2] - baked->read[3 * v + 2];
        largest = fmax( largest, sqrt( x * x + y * y + z * z ) );
    }
    return largest / baked->size;
}

supBakeErrors supBakedFile_Judge( supBakedFile* baked, int32_t times, int32_t stride )
{
    supBakeErrors errors = { .worstClip = -1 };
    int32_t turn = 0;
    for ( int32_t i = 0; i < supJointBake_Info( baked->joints )->clipCount; ++i )
    {
        supBakedClip clip = supJointBake_Info( baked->joints )->clips[i];
        for ( int32_t k = 0; k < clip.keyCount; ++k )
        {
            bool last = k + 1 == clip.keyCount;
            errors.atKeys = fmax( errors.atKeys,
                turn % stride == 0 || last ? supBakedFile_Error( baked, clip.clip, (double)clip.times[k] ) : 0.0 );
            double step = last ? 0.0 : (double)clip.times[k + 1] - (double)clip.times[k];
            // Around a STEP of the pose two keys stand 20 microseconds apart: nothing can be right between them.
            for ( int32_t part = 1; step > 1e-4 && part < times; ++part )
            {
                double share = (double)part / times;
                double error = turn++ % stride == 0
                                   ? supBakedFile_Error( baked, clip.clip, (double)clip.times[k] + share * step )
                                   : 0.0;
                errors.worstClip = error > errors.between ? i : errors.worstClip;
                errors.between = fmax( errors.between, error );
            }
        }
    }
    return errors;
}
