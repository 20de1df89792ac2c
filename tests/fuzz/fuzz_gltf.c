// Opens any bytes as a glTF, reads the character and its looks, plays every clip and skins every mesh, writes what is
// compressed plain. Nothing touches the disk.
#include "fuzz/gltf_mutator.h"
#include "fuzz/json_arena.h"
#include "io/gltf_edit.h"
#include "io/gltf_pack.h"
#include "supple/io.h"
#include "supple/lab/skin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_MOST_SKINNED 4096 // vertices: enough to see every path, few enough to be quick

const char* __asan_default_options( void );

/// Stack traces and a long quarantine for every allocation would take most of the time.
const char* __asan_default_options( void )
{
    return "malloc_context_size=2:quarantine_size_mb=8:allocator_may_return_null=1";
}

static void supSkinAll( const supCharacter* character, const supPose* pose, supMat34* palette, float* out )
{
    supCharacter_Palette( character, supPose_Joints( pose ), palette );
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        if ( mesh.vertexCount > SUP_MOST_SKINNED )
        {
            continue;
        }
        supSkinJob job = supCharacter_SkinJob( character, i, palette, supPose_MorphWeights( pose ) );
        job.outPositions = ( supOutStream ){ out, mesh.vertexCount, 12 };
        supError error;
        if ( supSkinJob_Run( &job, &error ) != sup_success )
        {
            fprintf( stderr, "a character's own job was refused: %s\n", error.text );
            abort();
        }
    }
}

static void supPlay( const supCharacter* character )
{
    supPose* pose;
    size_t paletteSize = (size_t)supCharacter_Info( character )->paletteCount * sizeof( supMat34 );
    supMat34* palette = malloc( paletteSize + 1 );
    float* out = malloc( SUP_MOST_SKINNED * 12 );
    if ( palette != NULL && out != NULL && supCreatePose( character, NULL, &pose, NULL ) == sup_success )
    {
        supSkinAll( character, pose, palette, out );
        for ( int32_t i = 0; i < supCharacter_Info( character )->clipCount && i < 4; ++i )
        {
            supClipView clip = supCharacter_Clip( character, i );
            supPose_Sample( pose, i, clip.start + 0.37 * ( clip.end - clip.start ) );
            supSkinAll( character, pose, palette, out );
        }
        supDestroyPose( pose );
    }
    free( palette );
    free( out );
}

/// A refusal must have words, one line of them, with the file's name in front.
static void supCheckWords( supResult result, const supError* error )
{
    if ( result != sup_success && ( strncmp( error->text, "fuzz: ", 6 ) != 0 || strchr( error->text, '\n' ) != NULL ) )
    {
        fprintf( stderr, "a bad message: '%s'\n", error->text );
        abort();
    }
}

/// What was opened can be packed, and what was packed can be opened.
static void supPackAndOpen( const supGltf* document )
{
    supError error = { 0 };
    supPacking packing = supStartPacking( document, "packed.glb", &error );
    supPacking_Run( &packing );
    const supOutFile* file = packing.files.data;
    supGltf* again = NULL;
    if ( supReader_Ok( &packing.reader ) == false || packing.files.count != 1 ||
         supOpenGltfMemory( file->data, file->size, "again", NULL, ( supLog ){ NULL, NULL }, &again, &error ) !=
             sup_success )
    {
        fprintf( stderr, "a document that was opened cannot be packed and opened: %s\n", error.text );
        abort();
    }
    supCloseGltf( again );
    supPacking_End( &packing );
}

/// What was read of a compressed document is read of it made plain.
static void supReadPlain( supGltf* document, const supCharacter* character )
{
    supError error = { 0 };
    supCharacter* plain = NULL;
    supGltfEdit edit = supStartEdit( document, true, &error );
    supEdit_MakePlain( &edit );
    if ( supEdit_Ok( &edit ) == false || supGltf_Character( document, NULL, &plain, &error ) != sup_success ||
         supCharacter_Info( plain )->fingerprint != supCharacter_Info( character )->fingerprint )
    {
        fprintf( stderr, "made plain, it is another character: %s\n", error.text );
        abort();
    }
    supDestroyCharacter( plain );
}

static void supReadOne( const uint8_t* data, size_t size )
{
    supGltf* document;
    supError error = { 0 };
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.mostMemory = 16 << 20; // the limits are the real ones, the budget is small enough to be quick
    supResult result = supOpenGltfMemoryWith( data, size, "fuzz", NULL, &def, &document, &error );
    supCheckWords( result, &error );
    if ( result != sup_success )
    {
        return;
    }
    supCharacter* character = NULL;
    supResult readResult = supGltf_Character( document, NULL, &character, &error );
    supCheckWords( readResult, &error );
    if ( readResult == sup_success )
    {
        supPlay( character );
    }
    const supLook* look;
    result = supGltf_Look( document, &look, &error );
    supCheckWords( result, &error );
    if ( size % 4 == 0 )
    {
        supPackAndOpen( document );
    }
    if ( readResult == sup_success )
    {
        supReadPlain( document, character );
        supDestroyCharacter( character );
    }
    supCloseGltf( document );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerInitialize( int* argc, char*** argv );

int LLVMFuzzerInitialize( int* argc, char*** argv )
{
    (void)argc;
    (void)argv;
    supArenaStart();
    return 0;
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    supReadOne( data, size );
    supArenaReset();
    return 0;
}
