// Live fields of a layer: those that a body keeps for itself.
// SPDX-License-Identifier: MIT

#include "layers/layer.h"

#include <string.h>

static bool supIsLive( const supField* field )
{
    bool number = field->type == sup_fieldFloat || field->type == sup_fieldLength || field->type == sup_fieldBool ||
                  field->type == sup_fieldEnum;
    return field->live && number;
}

const supEarlierLayer* supFindEarlier( const supEarlierLayer* earlier, int32_t count, const supLayer* layer )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( earlier[i].layer == layer )
        {
            return earlier + i;
        }
    }
    return NULL;
}

int32_t supLayer_LiveCount( const supLayer* layer )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < layer->info.fieldCount; ++i )
    {
        count += supIsLive( layer->info.fields + i );
    }
    return count;
}

int32_t supLayer_FindLive( const supLayer* layer, const char* field )
{
    int32_t place = 0;
    for ( int32_t i = 0; i < layer->info.fieldCount; ++i )
    {
        if ( !supIsLive( layer->info.fields + i ) )
        {
            continue;
        }
        if ( strcmp( layer->info.fields[i].name, field ) == 0 )
        {
            return place;
        }
        ++place;
    }
    return -1;
}

void supLayer_ReadLive( const supLayer* layer, const void* item, float* live )
{
    for ( int32_t i = 0; i < layer->info.fieldCount; ++i )
    {
        const supField* field = layer->info.fields + i;
        const void* at = (const char*)item + field->offset;
        if ( supIsLive( field ) )
        {
            *live++ = field->type == sup_fieldBool   ? ( *(const bool*)at ? 1.0f : 0.0f )
                      : field->type == sup_fieldEnum ? (float)*(const int32_t*)at
                                                     : *(const float*)at;
        }
    }
}
