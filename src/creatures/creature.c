// Supple: built-in characters, from draft to character.
// SPDX-License-Identifier: MIT

#include "supple/creatures.h"

#include "base/float_settings.h"
#include "creatures/gait.h"
#include "creatures/surface.h"

#include <string.h>

static const char* const sup_creatureNames[] = { "mushroom", "cat", "woman", "arm", "finger", "leg", "horse", "torso" };
static void ( *const sup_creatureDrafts[] )( supDraft* draft ) = { supDraftMushroom, supDraftCat, supDraftWoman,
    supDraftArm, supDraftFinger, supDraftLeg, supDraftHorse, supDraftTorso };
#define SUP_CREATURE_COUNT ( (int32_t)( sizeof( sup_creatureNames ) / sizeof( sup_creatureNames[0] ) ) )
#define SUP_MOST_CREATURE_VERTICES 100000

struct supCreature
{
    supCharacter* character;
    supLook look;
    supMeshLook meshLook;
    supMaterial material;
    supImage image;
    supArray png;
    size_t blockSize;
    supAllocator allocator;
};

int32_t supCreatureNames( const char* const** names )
{
    if ( names != NULL )
    {
        *names = sup_creatureNames;
    }
    return SUP_CREATURE_COUNT;
}

// The joints and the skin of a draft as definitions. The mesh hangs on a node of its own beside the root.
typedef struct supSkeletonSheet
{
    supJointDef joints[SUP_MAX_DRAFT_JOINTS + 1];
    int32_t skinJoints[SUP_MAX_DRAFT_JOINTS];
    supMat34 inverseBind[SUP_MAX_DRAFT_JOINTS];
    uint16_t skinIndex[SUP_MAX_DRAFT_JOINTS]; // of each joint, in the skin's list
    int32_t skinJointCount;
} supSkeletonSheet;

static void supFillSkeleton( const supDraft* draft, supSkeletonSheet* sheet )
{
    sheet->skinJointCount = 0;
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        supVec3d rest = joint->parent < 0 ? joint->place : supSubD( joint->place, draft->joints[joint->parent].place );
        supTransform local = supTransform_identity;
        local.translation = ( supVec3 ){ (float)rest.x, (float)rest.y, (float)rest.z };
        sheet->joints[j] = ( supJointDef ){ .name = joint->name, .parent = joint->parent, .rest = local };
        if ( joint->bone )
        {
            supMat34 bind = supMat34_identity;
            bind.t = ( supVec3 ){ (float)-joint->place.x, (float)-joint->place.y, (float)-joint->place.z };
            sheet->skinIndex[j] = (uint16_t)sheet->skinJointCount;
            sheet->inverseBind[sheet->skinJointCount] = bind;
            sheet->skinJoints[sheet->skinJointCount++] = j;
        }
    }
    sheet->joints[draft->jointCount] =
        ( supJointDef ){ .name = draft->name, .parent = -1, .rest = supTransform_identity };
}

// A morph target: how far each vertex goes.
static void supFillShape( supShapeFormula* formula, const supCreatureSurface* surface, float* shape )
{
    for ( int32_t v = 0; v < surface->vertexCount; ++v )
    {
        supVec3d way = supSubD( formula( surface->points[v] ), surface->points[v] );
        shape[3 * v] = (float)way.x;
        shape[3 * v + 1] = (float)way.y;
        shape[3 * v + 2] = (float)way.z;
    }
}

// Rounds the surface to floats; influences by their places in the skin.
static void supFillStreams( const supCreatureSurface* surface, const supSkeletonSheet* skeleton, float* positions,
    float* normals, uint16_t* joints )
{
    for ( size_t v = 0; v < (size_t)surface->vertexCount; ++v )
    {
        supVec3d p = surface->points[v], q = surface->normals[v];
        float six[6] = { (float)p.x, (float)p.y, (float)p.z, (float)q.x, (float)q.y, (float)q.z };
        memcpy( positions + 3 * v, six, 3 * sizeof( float ) );
        memcpy( normals + 3 * v, six + 3, 3 * sizeof( float ) );
        for ( size_t i = 0; i < SUP_SKIN_INFLUENCES; ++i )
        {
            size_t at = SUP_SKIN_INFLUENCES * v + i;
            joints[at] = skeleton->skinIndex[surface->joints[at]];
        }
    }
}

// The character from buffers that live until it has copied them.
static supResult supBuildCharacter( const supDraft* draft, const supCreatureSurface* surface, const supClipSheet* clips,
    const supAllocator* allocator, supCharacter** out, supError* error )
{
    supSkeletonSheet skeleton;
    supFillSkeleton( draft, &skeleton );
    size_t n = (size_t)surface->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, float, positions, 3 * n );
    SUP_PUT_NEW( &layout, float, normals, 3 * n );
    SUP_PUT_NEW( &layout, uint16_t, joints, SUP_SKIN_INFLUENCES * n );
    SUP_PUT_NEW( &layout, float, shapes, 3 * n * (size_t)draft->shapeCount );
    SUP_PUT_NEW( &layout, const float*, morphs, draft->shapeCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for '%s'", draft->name );
    }
    supFillStreams( surface, &skeleton, positions, normals, joints );
    for ( int32_t i = 0; i < draft->shapeCount; ++i )
    {
        float* shape = shapes + 3 * n * (size_t)i;
        supFillShape( draft->shapes[i], surface, shape );
        morphs[i] = shape;
    }
    supSkinDef skin = { .name = draft->name,
        .jointCount = skeleton.skinJointCount,
        .joints = skeleton.skinJoints,
        .inverseBind = skeleton.inverseBind };
    supMeshDef mesh = { .name = draft->name,
        .material = draft->name,
        .joint = draft->jointCount,
        .skin = 0,
        .vertexCount = surface->vertexCount,
        .positions = positions,
        .normals = normals,
        .influenceCount = SUP_SKIN_INFLUENCES,
        .jointIndices = joints,
        .weights = surface->weights,
        .indexCount = 3 * surface->triangleCount,
        .indices = surface->indices,
        .morphCount = draft->shapeCount,
        .morphPositions = morphs,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = draft->name;
    def.jointCount = draft->jointCount + 1;
    def.joints = skeleton.joints;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    def.clipCount = clips->clipCount;
    def.clips = clips->clips;
    def.allocator = allocator;
    supResult result = supCreateCharacter( &def, out, error );
    supFree( allocator, block, layout.size );
    return result;
}

static supResult supBuildCreature( const supDraft* draft, const supCreatureSurface* surface, const supClipSheet* clips,
    const supAllocator* allocator, supCreature** out, supError* error )
{
    size_t colorCount = 4 * (size_t)surface->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supCreature, creature, 1 );
    SUP_PUT_NEW( &layout, float, colors, colorCount );
    SUP_PUT_NEW( &layout, float, texcoords, colorCount / 2 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for '%s'", draft->name );
    }
    creature->blockSize = layout.size;
    creature->allocator = supKeepAllocator( allocator );
    creature->png = supMakeArray( 1, allocator );
    memcpy( colors, surface->colors, colorCount * sizeof( float ) );
    creature->material = ( supMaterial ){ .name = draft->name,
        .baseColor = { 1.0f, 1.0f, 1.0f, 1.0f },
        .image = 0,
        .uvScale = { 1.0f, 1.0f },
        .alphaCutoff = 0.5f,
        .roughness = (float)draft->roughness };
    creature->meshLook = ( supMeshLook ){ .material = 0, .texcoords = { texcoords, NULL }, .colors = colors };
    creature->look = ( supLook ){ .materialCount = 1,
        .materials = &creature->material,
        .imageCount = 1,
        .images = &creature->image,
        .meshCount = 1,
        .meshes = &creature->meshLook };
    supResult result = supPaintTexture( draft, surface, texcoords, &creature->png, allocator, error );
    if ( result == sup_success )
    {
        creature->image = ( supImage ){ .name = draft->name, .data = creature->png.data, .size = creature->png.count };
        result = supBuildCharacter( draft, surface, clips, allocator, &creature->character, error );
    }
    if ( result != sup_success )
    {
        supDestroyCreature( creature );
        return result;
    }
    *out = creature;
    return sup_success;
}

static supResult supMakeFromDraft(
    const supDraft* draft, const supAllocator* allocator, supCreature** out, supError* error )
{
    supCreatureSurface surface;
    supResult result = supCreateSurface( draft, allocator, &surface, error );
    if ( result != sup_success )
    {
        return result;
    }
    supClipSheet clips;
    result = supCreateClipSheet( draft, allocator, &clips, error );
    if ( result == sup_success )
    {
        result = supBuildCreature( draft, &surface, &clips, allocator, out, error );
        supClipSheet_Destroy( &clips );
    }
    supCreatureSurface_Destroy( &surface );
    return result;
}

/// The place of a name among the built-in ones, or -1. `count`: how many vertices were asked for after a colon, -1
/// where that is no number; 0 without one.
static int32_t supFindCreature( const char* name, int64_t* count )
{
    const char* colon = strchr( name, ':' );
    size_t length = colon != NULL ? (size_t)( colon - name ) : strlen( name );
    *count = 0;
    for ( const char* digit = colon != NULL ? colon + 1 : ""; *digit != '\0' && *count >= 0; ++digit )
    {
        bool fits = *digit >= '0' && *digit <= '9' && *count <= SUP_MOST_CREATURE_VERTICES;
        *count = fits ? 10 * *count + ( *digit - '0' ) : -1;
    }
    *count = colon != NULL && *count == 0 ? -1 : *count;
    for ( int32_t i = 0; i < SUP_CREATURE_COUNT; ++i )
    {
        if ( strlen( sup_creatureNames[i] ) == length && strncmp( name, sup_creatureNames[i], length ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

bool supIsCreatureName( const char* name )
{
    int64_t count;
    return name != NULL && supFindCreature( name, &count ) >= 0;
}

supResult supCreateCreature( const char* name, const supMakeDef* def, supCreature** out, supError* error )
{
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    int64_t count = 0;
    int32_t i = name != NULL ? supFindCreature( name, &count ) : -1;
    if ( name == NULL )
    {
        return supFail( error, sup_errorArgument, "no name for a built-in character" );
    }
    if ( i < 0 )
    {
        return supFail( error, sup_errorNotFound,
            "no built-in character '%.60s': there are mushroom, cat, woman, arm, finger, leg, horse and torso", name );
    }
    supDraft* draft = supAllocZeroed( allocator, 1, sizeof( supDraft ), _Alignof( supDraft ) );
    if ( draft == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for '%s'", name );
    }
    supFloatSettings host = supEnterFloatSettings();
    draft->name = sup_creatureNames[i];
    sup_creatureDrafts[i]( draft );
    supResult result = sup_success;
    if ( count != 0 && ( count < draft->vertexCount || count > SUP_MOST_CREATURE_VERTICES ) )
    {
        result = supFail( error, sup_errorArgument,
            "'%.60s': the number after the colon is the number of vertices; give %d to %d", name, draft->vertexCount,
            SUP_MOST_CREATURE_VERTICES );
    }
    draft->vertexCount = count > 0 ? (int32_t)count : draft->vertexCount;
    result = result == sup_success ? supMakeFromDraft( draft, allocator, out, error ) : result;
    supLeaveFloatSettings( host );
    supFree( allocator, draft, sizeof( supDraft ) );
    return result;
}

void supDestroyCreature( supCreature* creature )
{
    if ( creature != NULL )
    {
        supDestroyCharacter( creature->character );
        supArray_Destroy( &creature->png );
        supAllocator allocator = creature->allocator;
        supFree( &allocator, creature, creature->blockSize );
    }
}

const supCharacter* supCreature_Character( const supCreature* creature )
{
    return creature->character;
}

const supLook* supCreature_Look( const supCreature* creature )
{
    return &creature->look;
}
