// A random small character with a random rig through everything: compiled, stepped, skinned, taken, baked as joints or
// morphs, made a glTF file, opened again and taken out of it. The bytes choose sizes, layers and the value of any field
// within its range, so that nearly every input goes all the way. Skins must be finite, a bake must be readable, its
// file must stand where the library has it according to the evaluator of the tests, and the exact path must agree with
// the live one.
#include "fuzz/packed_file.h"

#include "base/fields.h"
#include "supple/bake.h"
#include "supple/body.h"
#include "supple/io.h"
#include "supple/lab/items.h"
#include "support/small_tube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Counts that would take seconds, and what they are at most here.
static const struct
{
    const char* name;
    float most;
} sup_costly[] = { { "nodes", 60.0f }, { "modes", 6.0f }, { "rays", 60.0f }, { "curves", 8.0f }, { "segments", 6.0f },
    { "iterations", 10.0f }, { "folds", 8.0f } };

static float supNextInRange( supBytesLeft* left, const supField* field )
{
    float low = fmaxf( field->minimum, -1e6f ), high = fminf( field->maximum, 1e6f );
    for ( size_t i = 0; i < sizeof( sup_costly ) / sizeof( sup_costly[0] ); ++i )
    {
        high = strcmp( field->name, sup_costly[i].name ) == 0 ? fminf( high, sup_costly[i].most ) : high;
    }
    uint8_t kind = supNextByte( left );
    float share = (float)supNextByte( left ) / 255.0f;
    float even = low + share * ( high - low );
    float base = fmaxf( low, high * 1e-6f ), steep = low >= 0.0f ? base * powf( high / base, share ) : even;
    float near = field->fallback * ( 0.25f + 4.0f * share );
    float value = kind < 16 ? low : kind < 32 ? high : kind < 64 ? even : kind < 128 ? steep : near;
    return isfinite( value ) ? fminf( fmaxf( value, low ), high ) : field->fallback;
}

static const char* const sup_joints[] = { "j0", "j1", "j2", "j3", "j4" };

typedef struct supRandomItem
{
    union
    {
        char bytes[1024];
        double aligned;
    } item;
    const char* names[8];
    supVec3 points[16];
    int32_t nameCount, pointCount;
} supRandomItem;

/// A field that the layer cannot do without, or that the bytes ask for.
static void supFillField( supRandomItem* to, const supField* field, int32_t joints, supBytesLeft* left )
{
    if ( strcmp( field->name, "solver" ) == 0 )
    {
        return; // fat's reference takes up to 50,000 explicit steps a frame, and says so
    }
    if ( strcmp( field->name, "ends" ) == 0 || strcmp( field->name, "around" ) == 0 ||
         strcmp( field->name, "inner" ) == 0 )
    {
        return; // names that would hardly ever fit
    }
    void* value = to->item.bytes + field->offset;
    bool wanted = supNextByte( left ) >= 200;
    const char* joint = sup_joints[supNextByte( left ) % joints];
    switch ( field->type )
    {
        case sup_fieldBool:
            *(bool*)value = wanted ? !*(bool*)value : *(bool*)value;
            break;
        case sup_fieldFloat:
        case sup_fieldLength:
            *(float*)value = wanted || strcmp( field->name, "nodes" ) == 0 || strcmp( field->name, "rays" ) == 0
                                 ? supNextInRange( left, field )
                                 : *(float*)value;
            break;
        case sup_fieldEnum:
        {
            int32_t count = 0;
            while ( field->choices[count] != NULL )
            {
                count += 1;
            }
            *(int32_t*)value = wanted ? supNextByte( left ) % count : *(int32_t*)value;
            break;
        }
        case sup_fieldName:
            if ( field->required || ( wanted && strcmp( field->name, "name" ) != 0 ) )
            {
                *(const char**)value = strcmp( field->unit, "mesh" ) == 0 || strcmp( field->name, "mesh" ) == 0 ? "coat"
                                       : strcmp( field->name, "element" ) == 0                                  ? "j0"
                                       : strcmp( field->name, "morph" ) == 0 ? "bulge"
                                       : strcmp( field->name, "clip" ) == 0  ? "swing"
                                                                             : joint;
            }
            break;
        case sup_fieldNames:
            if ( ( wanted || field->required || strcmp( field->name, "joints" ) == 0 ) && to->nameCount < 8 )
            {
                to->names[to->nameCount] = strcmp( field->unit, "mesh" ) == 0 ? "tube" : joint;
                *(supNameList*)value = ( supNameList ){ 1, to->names + to->nameCount++ };
            }
            break;
        case sup_fieldPoints:
            if ( ( wanted || strcmp( field->name, "points" ) == 0 ) && to->pointCount + 3 <= 16 )
            {
                supVec3* points = to->points + to->pointCount;
                for ( int32_t i = 0; i < 3; ++i )
                {
                    points[i] = ( supVec3 ){ 0.1f, 0.2f + 0.3f * (float)i, (float)supNextByte( left ) / 2560.0f };
                }
                *(supPointList*)value = ( supPointList ){ strcmp( field->name, "pose" ) == 0 ? 1 : 3, points };
                to->pointCount += 3;
            }
            break;
        default:
            break;
    }
}

static supRig* supMakeRandomRig( const supTubeDef* tube, supBytesLeft* left )
{
    supRig* rig = NULL;
    if ( supCreateRig( NULL, &rig, NULL ) != sup_success )
    {
        return NULL;
    }
    for ( int32_t layer = 0; layer < supLayerCount(); ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        uint8_t choice = supNextByte( left );
        int32_t count = choice < ( layer == 0 ? 20 : 190 ) ? 0 : 1 + choice % 3;
        bool needsFlesh = strcmp( info->key, "modes" ) == 0 || strcmp( info->key, "volumes" ) == 0 ||
                          strcmp( info->key, "contacts" ) == 0;
        bool needsCoat = strcmp( info->key, "clothes" ) == 0;
        count = ( needsFlesh && supRig_ItemCount( rig, 0 ) == 0 ) || ( needsCoat && !tube->isClothed ) ? 0 : count;
        for ( int32_t i = 0; i < count; ++i )
        {
            supRandomItem random;
            memset( &random, 0, sizeof( random ) );
            supFuzzCheck( info->itemSize <= sizeof( random.item ), "an item is larger than thought", info->name );
            supFillDefaults( info->fields, info->fieldCount, random.item.bytes );
            for ( int32_t f = 0; f < info->fieldCount; ++f )
            {
                supFillField( &random, info->fields + f, tube->joints, left );
            }
            if ( layer == 0 )
            {
                supElementDef* element = (supElementDef*)random.item.bytes;
                element->driver = i == 0 ? "j0" : element->driver;
                element->end = ( supVec3 ){ 0.0f, 0.9f / (float)tube->joints, 0.0f };
                element->boneThickness = fminf( element->boneThickness, 0.2f * tube->radius );
            }
            if ( strcmp( info->key, "muscles" ) == 0 )
            {
                supMusclePoint ends[2] = { supDefaultMusclePoint(), supDefaultMusclePoint() };
                ends[0].joint = "j0";
                ends[1].joint = sup_joints[tube->joints - 1];
                ends[0].at = ( supVec3 ){ 0.05f, 0.1f, 0.0f };
                ends[1].at = ( supVec3 ){ 0.05f, 0.2f, (float)supNextByte( left ) / 2560.0f };
                ( (supMuscleDef*)random.item.bytes )->points = ( supItemList ){ 2, ends };
                supRig_AddItem( rig, layer, random.item.bytes, NULL );
                continue;
            }
            supRig_AddItem( rig, layer, random.item.bytes, NULL ); // two of one name are refused, and that is right
        }
    }
    return rig;
}

static bool supStepAndSkin( const supModel* model, supBytesLeft* left )
{
    static float skins[2][3 * sup_tubeMostVertices], normals[3 * sup_tubeMostVertices];
    const supCharacter* character = supModel_Info( model )->character;
    supBody* body = NULL;
    supPose* pose = NULL;
    bool good = supCreateBody( model, &body, NULL ) == sup_success &&
                supCreatePose( character, NULL, &pose, NULL ) == sup_success;
    int32_t count = 3 * supCharacter_Info( character )->vertexCount;
    for ( int32_t i = 0; good && i < 12; ++i )
    {
        float dt = i == 0 ? 0.0f : 0.002f * (float)( 1 + supNextByte( left ) % 40 );
        supPose_Sample( pose, supCharacter_Info( character )->clipCount > 0 ? 0 : -1, 0.05 * i );
        supMat34 world = supMat34_identity;
        world.t.y = 0.002f * (float)supNextByte( left );
        supFuzzCheck(
            supBody_Step( body, supPose_Joints( pose ), world, dt ) == sup_success, "a plain step", "refused" );
        supBody_Skin( body, skins[0], normals );
        supBody_SetExact( body, true );
        supBody_Skin( body, skins[1], NULL );
        supBody_SetExact( body, false );
        for ( int32_t k = 0; k < count; ++k )
        {
            supFuzzCheck( isfinite( skins[0][k] ) && isfinite( normals[k] ), "the skin", "is not finite" );
            float apart = fabsf( skins[0][k] - skins[1][k] ), size = 1.0f + fabsf( skins[1][k] );
            supFuzzCheck( apart <= 1e-4f * size, "the exact path", "is another" );
        }
        supFuzzCheck( supBody_Counts( body ).healed == 0, "a plain step", "had to be healed" );
    }
    supDestroyPose( pose );
    supDestroyBody( body );
    return good;
}

static void supBakeRandom( const supModel* model, const supRig* rig, bool asMorphs, supFuzzFile* file )
{
    supError error = { 0 };
    supTake* take = NULL;
    supGltf* document = NULL;
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    bool good = supFuzzGood( supCreateTake( &takeDef, &take, &error ), &error ) &&
                supFuzzGood( supMakeGltf( supModel_Info( model )->character, NULL, &document, &error ), &error );
    const supTake* takes[1] = { take };
    supGltfBakeOptions options = supDefaultGltfBakeOptions();
    options.rig = rig;
    if ( good && asMorphs )
    {
        supMorphBakeDef def = supDefaultMorphBakeDef();
        def.model = model;
        def.takes = takes;
        def.takeCount = 1;
        supMorphBake* bake = NULL;
        good = supFuzzGood( supBakeMorphs( &def, &bake, &error ), &error ) &&
               supFuzzGood( supGltf_AddMorphBake( document, model, bake, &options, &error ), &error );
        supDestroyMorphBake( bake );
    }
    else if ( good )
    {
        supJointBakeDef def = supDefaultJointBakeDef();
        def.model = model;
        def.takes = takes;
        def.takeCount = 1;
        supJointBake* bake = NULL;
        good = supFuzzGood( supBakeJoints( &def, &bake, &error ), &error ) &&
               supFuzzGood( supGltf_AddJointBake( document, model, bake, &options, &error ), &error );
        supDestroyJointBake( bake );
    }
    if ( good )
    {
        supFuzzPack( document, file );
    }
    supCloseGltf( document );
    supDestroyTake( take );
}

static supTubeDef supNextTube( supBytesLeft* left )
{
    supTubeDef tube = supDefaultTubeDef();
    tube.rings = 3 + supNextByte( left ) % 6;
    tube.around = 3 + supNextByte( left ) % 6;
    tube.joints = 1 + supNextByte( left ) % 4;
    uint8_t flags = supNextByte( left );
    tube.keys = 1 + supNextByte( left ) % 8;
    tube.interpolation = supNextByte( left ) % 3;
    tube.isClothed = ( flags & 1 ) != 0;
    tube.hasMorph = ( flags & 2 ) != 0;
    tube.scales = ( flags & 4 ) != 0;
    tube.moves = ( flags & 8 ) != 0;
    tube.radius = ( flags & 16 ) != 0 ? 0.12f : 0.001f * (float)( 1 + supNextByte( left ) );
    tube.swing = ( flags & 32 ) != 0 ? 0.5f : 0.02f * (float)supNextByte( left );
    return tube;
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
    supBytesLeft left = { data, size };
    uint8_t how = supNextByte( &left );
    supTubeDef tube = supNextTube( &left );
    supCharacter* character = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    if ( !supFuzzGood( supMakeSmallTube( &tube, NULL, &character, &error ), &error ) )
    {
        return 0;
    }
    supRig* rig = supMakeRandomRig( &tube, &left );
    supFuzzFile file = { 0 };
    if ( rig != NULL && supFuzzGood( supCompileModel( character, rig, &model, &error ), &error ) &&
         supStepAndSkin( model, &left ) )
    {
        supBakeRandom( model, rig, how % 2 == 1, &file );
        supFuzzCheckFile( &file, character );
    }
    free( file.data );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCharacter( character );
    return 0;
}
