// A document as the bytes of a .glb, and what is read back from them beside what the evaluator of the tests makes of
// them. For fuzz targets.
#pragma once

#define _GNU_SOURCE // memfd_create
#include "evaluator/evaluator.h"
#include "fuzz/byte_source.h"
#include "io/gltf_pack.h"
#include "supple/body.h"
#include "supple/io.h"

#include <sys/mman.h>
#include <unistd.h>

typedef struct supFuzzFile
{
    uint8_t* data; ///< from malloc; NULL: none
    size_t size;
} supFuzzFile;

static void supFuzzPack( const supGltf* document, supFuzzFile* file )
{
    supError error = { 0 };
    supPacking packing = supStartPacking( document, "baked.glb", &error );
    supPacking_Run( &packing );
    supFuzzCheck( supReader_Ok( &packing.reader ) && packing.files.count == 1, "a bake cannot be packed", error.text );
    const supOutFile* out = packing.files.data;
    file->data = malloc( out->size );
    file->size = out->size;
    memcpy( file->data, out->data, out->size );
    supPacking_End( &packing );
}

static evalFile* supFuzzEvaluate( const supFuzzFile* file )
{
    char path[64], message[256] = "";
    int handle = memfd_create( "packed.glb", 0 );
    supFuzzCheck( handle >= 0 && write( handle, file->data, file->size ) == (ssize_t)file->size, "memfd", "no room" );
    snprintf( path, sizeof( path ), "/proc/self/fd/%d", handle );
    evalFile* read = evalLoad( path, message, sizeof( message ) );
    supFuzzCheck( read != NULL, "the evaluator cannot read it", message );
    close( handle );
    return read;
}

/// Both skins of all clips at some moments: the same within rounding.
static void supFuzzCompare( const supCharacter* character, evalFile* judge )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    const supCharacterInfo* info = supCharacter_Info( character );
    float* skin = malloc( sizeof( float ) * 3 * (size_t)( info->vertexCount + 1 ) );
    double* judged = malloc( sizeof( double ) * 3 * (size_t)( info->vertexCount + 1 ) );
    supError error = { 0 };
    bool good = supFuzzGood( supCreateRig( NULL, &rig, &error ), &error ) &&
                supFuzzGood( supCompileModel( character, rig, &model, &error ), &error ) &&
                supFuzzGood( supCreateBody( model, &body, &error ), &error ) &&
                supFuzzGood( supCreatePose( character, NULL, &pose, &error ), &error );
    supFuzzCheck( good, "a baked character", error.text );
    supFuzzCheck( evalGetInfo( judge ).clipCount == info->clipCount, "clips", "are other ones" );
    supFuzzCheck( evalGetInfo( judge ).drawCount == info->meshCount, "meshes", "are other ones" );
    for ( int32_t c = -1; c < info->clipCount; ++c )
    {
        for ( int32_t i = 0; i < 4; ++i )
        {
            double time = c < 0 ? 0.0 : supCharacter_Clip( character, c ).end * 0.3 * i;
            supPose_Sample( pose, c, time );
            supFuzzCheck( supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 0.0f ) == sup_success,
                "a baked pose", "is refused" );
            supBody_SetMorphWeights( body, supPose_MorphWeights( pose ) );
            supBody_SmoothSkin( body, skin, NULL );
            evalPose( judge, c, time );
            int32_t at = 0;
            for ( int32_t m = 0; m < info->meshCount; ++m )
            {
                int32_t count = evalGetDraw( judge, m )->vertexCount;
                supFuzzCheck( at + count <= info->vertexCount, "vertices", "are too many" );
                evalPositions( judge, m, judged );
                for ( int32_t k = 0; k < 3 * count; ++k )
                {
                    double apart = fabs( judged[k] - (double)skin[3 * at + k] );
                    supFuzzCheck( apart <= 1e-4 * ( 1.0 + fabs( judged[k] ) ), "the evaluator", "has another skin" );
                }
                at += count;
            }
        }
    }
    free( skin );
    free( judged );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
}

/// Opened again, its rig read, compared with the evaluator, and its bake taken out. `file` without data: nothing.
static void supFuzzCheckFile( const supFuzzFile* file, const supCharacter* before )
{
    if ( file->data == NULL )
    {
        return;
    }
    supGltf* again = NULL;
    supCharacter *character = NULL, *bare = NULL;
    supRig* rig = NULL;
    supError error = { 0 };
    bool removed = false;
    const supLog silence = { NULL, NULL };
    bool good =
        supFuzzGood( supOpenGltfMemory( file->data, file->size, "again", NULL, silence, &again, &error ), &error ) &&
        supFuzzGood( supGltf_Character( again, NULL, &character, &error ), &error );
    supFuzzCheck( good, "a bake cannot be read back", error.text );
    evalFile* judge = supFuzzEvaluate( file );
    supFuzzCompare( character, judge );
    evalFree( judge );
    good = supFuzzGood( supGltf_RemoveBake( again, &removed, &error ), &error ) &&
           supFuzzGood( supGltf_Character( again, NULL, &bare, &error ), &error ) &&
           supFuzzGood( supGltf_Rig( again, bare, NULL, &rig, &error ), &error );
    supFuzzCheck( good && removed, "a bake cannot be taken out", error.text );
    const supCharacterInfo *was = supCharacter_Info( before ), *is = supCharacter_Info( bare );
    supFuzzCheck(
        was->vertexCount == is->vertexCount && was->clipCount == is->clipCount, "taking out", "leaves another" );
    supDestroyRig( rig );
    supDestroyCharacter( bare );
    supDestroyCharacter( character );
    supCloseGltf( again );
}
