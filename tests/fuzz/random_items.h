// Random small characters and random items of a rig: any field of any layer, within its range. For fuzz targets.
#pragma once

#include "base/fields.h"
#include "fuzz/byte_source.h"
#include "supple/lab/items.h"
#include "supple/rig.h"
#include "support/small_tube.h"

#include <math.h>
#include <string.h>

static inline supTubeDef supNextTube( supBytesLeft* left )
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

/// Counts that would take seconds, and what they are at most here.
static const struct
{
    const char* name;
    float most;
} sup_costly[] = { { "nodes", 60.0f }, { "modes", 6.0f }, { "rays", 60.0f }, { "curves", 8.0f }, { "segments", 6.0f },
    { "iterations", 10.0f }, { "folds", 8.0f } };

static inline bool supIsCostly( const supField* field )
{
    bool isCostly = false;
    for ( size_t i = 0; i < sizeof( sup_costly ) / sizeof( sup_costly[0] ); ++i )
    {
        isCostly = isCostly || strcmp( field->name, sup_costly[i].name ) == 0;
    }
    return isCostly;
}

static inline float supNextInRange( supBytesLeft* left, const supField* field )
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
    supMusclePoint ends[2];
    int32_t nameCount, pointCount;
} supRandomItem;

/// A field that the layer cannot do without, or that the bytes ask for.
static inline void supFillField( supRandomItem* to, const supField* field, int32_t joints, supBytesLeft* left )
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
            if ( ( wanted || field->required || strcmp( field->name, "joints" ) == 0 ) && to->nameCount < 8 &&
                 strcmp( field->name, "skipMaterials" ) != 0 ) // there are none
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

/// An item of a layer; `first`: the rig has none of it yet. Its names and lists live in `random`.
static inline void supMakeRandomItem(
    supRandomItem* random, int32_t layer, bool first, const supTubeDef* tube, supBytesLeft* left )
{
    const supLayerInfo* info = supGetLayerInfo( layer );
    memset( random, 0, sizeof( *random ) );
    supFuzzCheck( info->itemSize <= sizeof( random->item ), "an item is larger than thought", info->name );
    supFillDefaults( info->fields, info->fieldCount, random->item.bytes );
    for ( int32_t f = 0; f < info->fieldCount; ++f )
    {
        supFillField( random, info->fields + f, tube->joints, left );
    }
    if ( layer == 0 )
    {
        supElementDef* element = (supElementDef*)random->item.bytes;
        element->driver = first ? "j0" : element->driver;
        element->end = ( supVec3 ){ 0.0f, 0.9f / (float)tube->joints, 0.0f };
        element->boneThickness = fminf( element->boneThickness, 0.2f * tube->radius );
    }
    if ( strcmp( info->key, "muscles" ) == 0 )
    {
        random->ends[0] = random->ends[1] = supDefaultMusclePoint();
        random->ends[0].joint = "j0";
        random->ends[1].joint = sup_joints[tube->joints - 1];
        random->ends[0].at = ( supVec3 ){ 0.05f, 0.1f, 0.0f };
        random->ends[1].at = ( supVec3 ){ 0.05f, 0.2f, (float)supNextByte( left ) / 2560.0f };
        ( (supMuscleDef*)random->item.bytes )->points = ( supItemList ){ 2, random->ends };
    }
}

static inline supRig* supMakeRandomRig( const supTubeDef* tube, supBytesLeft* left )
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
            supMakeRandomItem( &random, layer, i == 0, tube, left );
            supRig_AddItem( rig, layer, random.item.bytes, NULL ); // two of one name are refused, and that is right
        }
    }
    return rig;
}
