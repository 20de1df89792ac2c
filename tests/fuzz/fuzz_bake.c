// A whole bake of any bytes: opened within a budget, its rig or a plain one compiled, every clip taken, baked as joints
// or morphs, put into the document, packed, opened again and taken out. What comes out must be readable, and say in
// words where it is refused.
#include "fuzz/gltf_mutator.h"
#include "fuzz/json_arena.h"
#include "io/gltf_pack.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_MOST_VERTICES 400
#define SUP_MOST_SECONDS 4.0

const char* __asan_default_options( void );
const char* __asan_default_options( void )
{
    return "malloc_context_size=2:quarantine_size_mb=8:allocator_may_return_null=1";
}

static void supDie( const char* what, const char* words )
{
    fprintf( stderr, "%s: '%s'\n", what, words );
    abort();
}

static bool supIsGood( supResult result, const supError* error )
{
    if ( result != sup_success && ( error->text[0] == '\0' || strpbrk( error->text, "\n\x1b" ) != NULL ) )
    {
        supDie( "a bad message", error->text );
    }
    return result == sup_success;
}

/// Whether it is small enough to be baked thousands of times.
static bool supIsSmall( const supCharacter* character )
{
    bool small = supCharacter_Info( character )->vertexCount <= SUP_MOST_VERTICES &&
                 supCharacter_Info( character )->jointCount <= 32 && supCharacter_Info( character )->clipCount > 0 &&
                 supCharacter_Info( character )->clipCount <= 3;
    for ( int32_t c = 0; small && c < supCharacter_Info( character )->clipCount; ++c )
    {
        supClipView clip = supCharacter_Clip( character, c );
        small = clip.end - clip.start <= SUP_MOST_SECONDS && clip.trackCount <= 32;
        for ( int32_t t = 0; small && t < clip.trackCount; ++t )
        {
            small = supCharacter_Clip( character, c ).tracks[t].keyCount <= 200;
        }
    }
    return small;
}

/// What was baked is packed, opened and taken out again.
static void supCheckBaked( const supGltf* document )
{
    supError error = { 0 };
    supPacking packing = supStartPacking( document, "baked.glb", &error );
    supPacking_Run( &packing );
    if ( supReader_Ok( &packing.reader ) && packing.files.count == 1 )
    {
        const supOutFile* file = packing.files.data;
        supGltf* again = NULL;
        supCharacter* character = NULL;
        bool removed = false;
        const supLog silence = { NULL, NULL };
        supResult result = supOpenGltfMemory( file->data, file->size, "again", NULL, silence, &again, &error );
        result = result == sup_success ? supGltf_Character( again, NULL, &character, &error ) : result;
        result = result == sup_success ? supGltf_RemoveBake( again, &removed, &error ) : result;
        if ( result != sup_success && strstr( error.text, "memory" ) == NULL )
        {
            supDie( "a bake cannot be read back", error.text );
        }
        supDestroyCharacter( character );
        supCloseGltf( again );
    }
    supPacking_End( &packing );
}

typedef struct supFuzzBake
{
    supGltf* document;
    supCharacter* character;
    supRig* rig;
    supModel* model;
    supTake* takes[3];
    int32_t takeCount;
} supFuzzBake;

static bool supBakeAs( supFuzzBake* bake, bool asMorphs, supError* error )
{
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.rig = bake->rig;
    const supTake* const* takes = (const supTake* const*)bake->takes;
    if ( asMorphs )
    {
        supMorphBakeDef def = supDefaultMorphBakeDef();
        def.model = bake->model;
        def.takes = takes;
        def.takeCount = bake->takeCount;
        supMorphBake* morphs = NULL;
        bool good = supIsGood( supBakeMorphs( &def, &morphs, error ), error ) &&
                    supIsGood( supGltf_AddMorphBake( bake->document, bake->model, morphs, &options, error ), error );
        supDestroyMorphBake( morphs );
        return good;
    }
    supJointBakeDef def = supDefaultJointBakeDef();
    def.model = bake->model;
    def.takes = takes;
    def.takeCount = bake->takeCount;
    supJointBake* joints = NULL;
    bool good = supIsGood( supBakeJoints( &def, &joints, error ), error ) &&
                supIsGood( supGltf_AddJointBake( bake->document, bake->model, joints, &options, error ), error );
    supDestroyJointBake( joints );
    return good;
}

static void supBakeOne( const uint8_t* data, size_t size )
{
    supFuzzBake bake = { 0 };
    supError error = { 0 };
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.mostMemory = 64 << 20;
    def.isUntrusted = true;
    bool removed = false;
    bool good = supIsGood( supOpenGltfMemoryWith( data, size, "fuzz", NULL, &def, &bake.document, &error ), &error ) &&
                supIsGood( supGltf_RemoveBake( bake.document, &removed, &error ), &error ) &&
                supIsGood( supGltf_Character( bake.document, NULL, &bake.character, &error ), &error ) &&
                supIsSmall( bake.character ) &&
                supIsGood( supGltf_Rig( bake.document, bake.character, NULL, &bake.rig, &error ), &error );
    if ( good && bake.rig == NULL )
    {
        static const char plain[] = "{\"elements\":[{\"driver\":\"root\"}]}";
        good = supIsGood(
            supReadRigMemory( plain, sizeof( plain ) - 1, "plain", bake.character, NULL, &bake.rig, &error ), &error );
    }
    if ( good && supRig_ItemCount( bake.rig, supFindLayer( "fat" ) ) > 0 )
    {
        good = false; // seconds each; the target `rig` has it
    }
    good = good && supIsGood( supCompileModel( bake.character, bake.rig, &bake.model, &error ), &error );
    for ( int32_t c = 0; good && c < supCharacter_Info( bake.character )->clipCount; ++c )
    {
        supTakeDef take = supDefaultTakeDef();
        take.model = bake.model;
        take.clip = c;
        good = supIsGood( supCreateTake( &take, bake.takes + c, &error ), &error );
        bake.takeCount += good;
    }
    if ( good && supBakeAs( &bake, size % 2 == 1, &error ) )
    {
        supCheckBaked( bake.document );
    }
    for ( int32_t t = 0; t < bake.takeCount; ++t )
    {
        supDestroyTake( bake.takes[t] );
    }
    supDestroyModel( bake.model );
    supDestroyRig( bake.rig );
    supDestroyCharacter( bake.character );
    supCloseGltf( bake.document );
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
    supBakeOne( data, size );
    supArenaReset();
    return 0;
}
