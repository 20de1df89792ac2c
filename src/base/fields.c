// Supple: tables of fields: places and names.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include "base/field_types.h"
#include "base/names.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* supPathText( char text[SUP_PATH_TEXT], const char* format, ... )
{
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, SUP_PATH_TEXT, format, arguments );
    va_end( arguments );
    return text;
}

const supField* supFindField( const supField* fields, int32_t count, const char* name )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( strcmp( fields[i].name, name ) == 0 )
        {
            return fields + i;
        }
    }
    return NULL;
}

supResult supFailUnknown(
    const char* place, const char* key, const char* const* known, int32_t knownCount, supError* error )
{
    char nearest[128];
    supNearest( key, known, knownCount, 1, nearest, sizeof( nearest ) );
    const char* dot = place[0] != '\0' ? "." : "";
    if ( nearest[0] != '\0' )
    {
        return supFail( error, sup_errorData, "%s%s%.60s: unknown; did you mean %s?", place, dot, key, nearest );
    }
    return supFail( error, sup_errorData, "%s%s%.60s: unknown; notes of your own start with \"_\"", place, dot, key );
}

/// As many digits as make no overflow, or -1.
static int32_t supReadIndex( const char* text, const char** end )
{
    int32_t value = 0, digits = 0;
    for ( ; text[digits] >= '0' && text[digits] <= '9' && digits < 9; ++digits )
    {
        value = 10 * value + ( text[digits] - '0' );
    }
    *end = text + digits;
    return digits > 0 ? value : -1;
}

bool supReadFieldPath( const char* text, supFieldPath* path )
{
    *path = ( supFieldPath ){ 0 };
    size_t name = strcspn( text, "[" );
    const char* field = text;
    if ( text[name] == '[' )
    {
        const char* end;
        path->object = supReadIndex( text + name + 1, &end );
        if ( name == 0 || name >= SUP_FIELD_NAME || path->object < 0 || end[0] != ']' || end[1] != '.' )
        {
            return false;
        }
        memcpy( path->list, text, name );
        field = end + 2;
    }
    size_t length = strlen( field );
    if ( length == 0 || length >= SUP_FIELD_NAME )
    {
        return false;
    }
    memcpy( path->field, field, length );
    return true;
}

supResult supFailNoField( const char* place, const char* name, const supField* fields, int32_t count, supError* error )
{
    const char* known[128];
    int32_t knownCount = 0;
    for ( int32_t i = 0; i < count && knownCount < 128; ++i )
    {
        known[knownCount++] = fields[i].name;
    }
    return supFailUnknown( place, name, known, knownCount, error );
}

// ---------------------------------------------------------------------------------------------------------------
// Tables of fields: what can be done with a value of each type.

// ---------------------------------------------------------------------------------------------------------------
// Numbers

static void supGetBool( const void* value, float* numbers )
{
    *numbers = *(const bool*)value ? 1.0f : 0.0f;
}

static void supSetBool( void* value, const float* numbers )
{
    *(bool*)value = *numbers != 0.0f;
}

static void supGetFloat( const void* value, float* numbers )
{
    *numbers = *(const float*)value;
}

static void supSetFloat( void* value, const float* numbers )
{
    *(float*)value = *numbers;
}

static void supGetVec3( const void* value, float* numbers )
{
    memcpy( numbers, value, sizeof( supVec3 ) );
}

static void supSetVec3( void* value, const float* numbers )
{
    memcpy( value, numbers, sizeof( supVec3 ) );
}

static void supGetEnum( const void* value, float* numbers )
{
    *numbers = (float)*(const int32_t*)value;
}

static void supSetEnum( void* value, const float* numbers )
{
    *(int32_t*)value = (int32_t)*numbers;
}

// ---------------------------------------------------------------------------------------------------------------
// Not given

static bool supIsNoName( const void* value )
{
    return *(const char* const*)value == NULL;
}

static bool supIsNoShape( const void* value )
{
    const supSculpt* shape = value;
    return shape->file == NULL && shape->count == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The same

static bool supSameText( const char* a, const char* b )
{
    return a == b || ( a != NULL && b != NULL && strcmp( a, b ) == 0 );
}

/// Arrays of `count` each.
static bool supSameArray( const void* a, const void* b, size_t count, size_t itemSize )
{
    return a == b || count == 0 || ( a != NULL && b != NULL && memcmp( a, b, count * itemSize ) == 0 );
}

static bool supSameName( const supField* field, const void* a, const void* b )
{
    (void)field;
    return supSameText( *(const char* const*)a, *(const char* const*)b );
}

static bool supSameNames( const supField* field, const void* valueA, const void* valueB )
{
    (void)field;
    const supNameList *a = valueA, *b = valueB;
    bool same = a->count == b->count;
    for ( int32_t i = 0; i < a->count && same; ++i )
    {
        same = supSameText( a->names[i], b->names[i] );
    }
    return same;
}

static bool supSameList( const supField* field, const void* a, const void* b )
{
    supItemList p = supAnyList( a ), q = supAnyList( b );
    return p.count == q.count && supSameArray( p.items, q.items, (size_t)p.count, supOpsOf( field )->plainSize );
}

static bool supSameVertexValues( const supField* field, const void* valueA, const void* valueB )
{
    const supVertexValueList *a = valueA, *b = valueB;
    bool same = a->count == b->count && a->fingerprint == b->fingerprint;
    for ( int32_t i = 0; i < a->count && same; ++i )
    {
        const supVertexValues *p = a->meshes + i, *q = b->meshes + i;
        size_t count = (size_t)p->count;
        same = supSameText( p->mesh, q->mesh ) && p->meshIndex == q->meshIndex && p->count == q->count &&
               supSameArray( p->vertices, q->vertices, count, sizeof( int32_t ) ) &&
               supSameArray( p->values, q->values, count, supVertexWidth( field ) * sizeof( float ) );
    }
    return same;
}

static bool supSameShape( const supField* field, const void* valueA, const void* valueB )
{
    (void)field;
    const supSculpt *a = valueA, *b = valueB;
    return supSameText( a->file, b->file ) && a->count == b->count && a->triangleCount == b->triangleCount &&
           supSameArray( a->points, b->points, (size_t)a->count, sizeof( supVec3 ) ) &&
           supSameArray( a->corners, b->corners, (size_t)a->triangleCount, 3 * sizeof( int32_t ) );
}

static bool supSameItems( const supField* field, const void* valueA, const void* valueB )
{
    const supFieldTable* table = field->items;
    const supItemList *a = valueA, *b = valueB;
    bool same = a->count == b->count;
    for ( int32_t i = 0; i < a->count * table->count && same; ++i )
    {
        size_t at = (size_t)( i / table->count ) * table->itemSize;
        same = supSameField( table->fields + i % table->count, (const char*)a->items + at, (const char*)b->items + at );
    }
    return same;
}

// ---------------------------------------------------------------------------------------------------------------
// Copies

// A copy of an array; NULL while there is no block.
static void* supCopyBytes( supCopier* copier, const void* source, size_t count, size_t itemSize, size_t alignment )
{
    if ( count == 0 )
    {
        return NULL;
    }
    size_t offset = supLayoutArray( &copier->layout, count, itemSize, alignment );
    if ( copier->block == NULL )
    {
        return NULL;
    }
    return memcpy( copier->block + offset, source, count * itemSize );
}

#define SUP_COPY( copier, type, source, count )                                                                        \
    supCopyBytes( copier, source, (size_t)( count ), sizeof( type ), _Alignof( type ) )

static const char* supCopyText( supCopier* copier, const char* text )
{
    return text != NULL ? SUP_COPY( copier, char, text, strlen( text ) + 1 ) : NULL;
}

static void supCopyName( supCopier* copier, const supField* field, const void* from, void* out )
{
    (void)field;
    const char* text = supCopyText( copier, *(const char* const*)from );
    if ( out != NULL )
    {
        *(const char**)out = text;
    }
}

static void supCopyNames( supCopier* copier, const supField* field, const void* from, void* out )
{
    (void)field;
    const supNameList* source = from;
    const char** names = SUP_COPY( copier, const char*, source->names, source->count );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        const char* name = supCopyText( copier, source->names[i] );
        if ( names != NULL )
        {
            names[i] = name;
        }
    }
    if ( out != NULL )
    {
        *(supNameList*)out = ( supNameList ){ source->count, names };
    }
}

/// Plain values are floats, alone or in structs.
static void supCopyList( supCopier* copier, const supField* field, const void* from, void* out )
{
    supItemList source = supAnyList( from );
    const void* items =
        supCopyBytes( copier, source.items, (size_t)source.count, supOpsOf( field )->plainSize, _Alignof( float ) );
    if ( out != NULL )
    {
        memcpy( out, &( supItemList ){ source.count, items }, sizeof( supItemList ) );
    }
}

static void supCopyVertexValues( supCopier* copier, const supField* field, const void* from, void* out )
{
    const supVertexValueList* source = from;
    supVertexValues* meshes = SUP_COPY( copier, supVertexValues, source->meshes, source->count );
    for ( int32_t i = 0; i < source->count; ++i )
    {
        const supVertexValues* one = source->meshes + i;
        const char* mesh = supCopyText( copier, one->mesh );
        const int32_t* vertices = SUP_COPY( copier, int32_t, one->vertices, one->count );
        const float* values = SUP_COPY( copier, float, one->values, supVertexWidth( field ) * (size_t)one->count );
        if ( meshes != NULL )
        {
            meshes[i] = ( supVertexValues ){ mesh, one->meshIndex, one->count, vertices, values };
        }
    }
    if ( out != NULL )
    {
        *(supVertexValueList*)out = ( supVertexValueList ){ source->count, meshes, source->fingerprint };
    }
}

static void supCopyShape( supCopier* copier, const supField* field, const void* from, void* out )
{
    (void)field;
    const supSculpt* source = from;
    const char* file = supCopyText( copier, source->file );
    const supVec3* points = SUP_COPY( copier, supVec3, source->points, source->count );
    size_t cornerCount = source->corners != NULL ? 3 * (size_t)source->triangleCount : 0;
    const int32_t* corners = SUP_COPY( copier, int32_t, source->corners, cornerCount );
    if ( out != NULL )
    {
        *(supSculpt*)out = ( supSculpt ){ file, source->count, points, source->triangleCount, corners };
    }
}

/// Structs in a row, each with all its names and lists. Tables of objects hold no lists of objects: one level deep.
static void* supCopyStructs( supCopier* copier, const supFieldTable* table, const void* source, int32_t count )
{
    char* out = supCopyBytes( copier, source, (size_t)count, table->itemSize, SUP_ANY_ALIGNMENT );
    for ( int32_t i = 0; i < count * table->count; ++i )
    {
        const supField* field = table->fields + i % table->count;
        const supFieldOps* ops = supOpsOf( field );
        size_t at = (size_t)( i / table->count ) * table->itemSize + field->offset;
        if ( ops->copy != NULL )
        {
            ops->copy( copier, field, (const char*)source + at, out != NULL ? out + at : NULL );
        }
    }
    return out;
}

static void supCopyItems( supCopier* copier, const supField* field, const void* from, void* out )
{
    const supItemList* source = from;
    const void* items = supCopyStructs( copier, field->items, source->items, source->count );
    if ( out != NULL )
    {
        *(supItemList*)out = ( supItemList ){ source->count, items };
    }
}

void* supCopyItem( const supField* fields, int32_t count, size_t itemSize, const void* item,
    const supAllocator* allocator, size_t* blockSize )
{
    const supFieldTable table = { count, fields, itemSize };
    supCopier copier = { supMakeLayout(), NULL };
    supCopyStructs( &copier, &table, item, 1 );
    *blockSize = copier.layout.size;
    copier.block = supAllocLayout( allocator, &copier.layout );
    if ( copier.block == NULL )
    {
        return NULL;
    }
    copier.layout = supMakeLayout();
    return supCopyStructs( &copier, &table, item, 1 );
}

// ---------------------------------------------------------------------------------------------------------------
// The table

#define SUP_NUMBER( type, count, about )                                                                               \
    .size = sizeof( type ), .numberCount = count, .get = supGet##about, .set = supSet##about
#define SUP_PLAIN_LIST( type, one ) .size = sizeof( type ), .plainSize = one, .same = supSameList, .copy = supCopyList
#define SUP_VERTEX_VALUES                                                                                              \
    .size = sizeof( supVertexValueList ), .same = supSameVertexValues, .copy = supCopyVertexValues,                    \
    .check = supCheckVertexValues

static const supFieldOps sup_fieldOps[] = {
    [sup_fieldBool] = { SUP_NUMBER( bool, 1, Bool ) },
    [sup_fieldFloat] = { SUP_NUMBER( float, 1, Float ), .check = supCheckFloat },
    [sup_fieldLength] = { SUP_NUMBER( float, 1, Float ), .check = supCheckFloat },
    [sup_fieldVec3] = { SUP_NUMBER( supVec3, 3, Vec3 ), .check = supCheckVec3Field },
    [sup_fieldEnum] = { SUP_NUMBER( int32_t, 1, Enum ), .check = supCheckEnum },
    [sup_fieldName] = { sizeof( const char* ), .isNone = supIsNoName, .same = supSameName, .copy = supCopyName,
        .check = supCheckName },
    [sup_fieldNames] = { sizeof( supNameList ), .same = supSameNames, .copy = supCopyNames, .check = supCheckNames },
    [sup_fieldKeys] = { SUP_PLAIN_LIST( supKeyList, 2 * sizeof( float ) ), .check = supCheckKeys },
    [sup_fieldPaint] = { SUP_VERTEX_VALUES },
    [sup_fieldSpheres] = { SUP_PLAIN_LIST( supSphereList, sizeof( supSphere ) ), .check = supCheckSpheres },
    [sup_fieldPoints] = { SUP_PLAIN_LIST( supPointList, sizeof( supVec3 ) ), .check = supCheckPoints },
    [sup_fieldMoves] = { SUP_VERTEX_VALUES },
    [sup_fieldShape] = { sizeof( supSculpt ), .isNone = supIsNoShape, .same = supSameShape, .copy = supCopyShape,
        .check = supCheckShape },
    [sup_fieldItems] = { sizeof( supItemList ), .same = supSameItems, .copy = supCopyItems, .check = supCheckItems },
};

const supFieldOps* supOpsOf( const supField* field )
{
    assert( (size_t)field->type < sizeof( sup_fieldOps ) / sizeof( sup_fieldOps[0] ) );
    return sup_fieldOps + field->type;
}

size_t supFieldBytes( const supField* field )
{
    return supOpsOf( field )->size;
}

int32_t supFieldNumberCount( const supField* field )
{
    return supOpsOf( field )->numberCount;
}

bool supFieldNumber( const supField* field, const void* value, float* out )
{
    const supFieldOps* ops = supOpsOf( field );
    if ( ops->numberCount == 1 )
    {
        ops->get( value, out );
    }
    return ops->numberCount == 1;
}

void supFillDefaults( const supField* fields, int32_t count, void* item )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const supFieldOps* ops = supOpsOf( fields + i );
        void* value = (char*)item + fields[i].offset;
        float fallback = fields[i].fallback;
        memset( value, 0, ops->size );
        if ( ops->numberCount > 0 )
        {
            ops->set( value, ( float[] ){ fallback, fallback, fallback } );
        }
    }
}

bool supFieldIsDefault( const supField* field, const void* item )
{
    const supFieldOps* ops = supOpsOf( field );
    const char* value = (const char*)item + field->offset;
    if ( ops->numberCount == 0 )
    {
        return ops->isNone != NULL ? ops->isNone( value ) : supAnyList( value ).count == 0;
    }
    float numbers[3];
    ops->get( value, numbers );
    bool same = true;
    for ( int32_t i = 0; i < ops->numberCount; ++i )
    {
        same = same && ( numbers[i] == field->fallback || ( isnan( numbers[i] ) && isnan( field->fallback ) ) );
    }
    return same;
}

bool supSameField( const supField* field, const void* itemA, const void* itemB )
{
    const supFieldOps* ops = supOpsOf( field );
    const void *a = (const char*)itemA + field->offset, *b = (const char*)itemB + field->offset;
    return ops->same != NULL ? ops->same( field, a, b ) : memcmp( a, b, ops->size ) == 0;
}
