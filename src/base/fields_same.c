// Supple: tables of fields: whether two items are the same.
// SPDX-License-Identifier: MIT
#include "base/fields.h"

#include <assert.h>
#include <string.h>

size_t supFieldBytes( const supField* field )
{
    switch ( field->type )
    {
        case sup_fieldBool:
            return sizeof( bool );
        case sup_fieldFloat:
        case sup_fieldLength:
            return sizeof( float );
        case sup_fieldVec3:
            return sizeof( supVec3 );
        case sup_fieldEnum:
            return sizeof( int32_t );
        case sup_fieldName:
            return sizeof( const char* );
        case sup_fieldNames:
            return sizeof( supNameList );
        case sup_fieldKeys:
            return sizeof( supKeyList );
        case sup_fieldPaint:
            return sizeof( supPaintList );
        case sup_fieldSpheres:
            return sizeof( supSphereList );
        case sup_fieldPoints:
            return sizeof( supPointList );
        case sup_fieldMoves:
            return sizeof( supMoveList );
        case sup_fieldShape:
            return sizeof( supSculpt );
        case sup_fieldItems:
            return sizeof( supItemList );
    }
    assert( false );
    return 0;
}

static bool supSameText( const char* a, const char* b )
{
    return a == b || ( a != NULL && b != NULL && strcmp( a, b ) == 0 );
}

/// Arrays of `count` each.
static bool supSameBytes( const void* a, const void* b, int32_t count, size_t itemSize )
{
    return a == b || count == 0 || ( a != NULL && b != NULL && memcmp( a, b, (size_t)count * itemSize ) == 0 );
}

static bool supSameNames( const supNameList* a, const supNameList* b )
{
    bool same = a->count == b->count;
    for ( int32_t i = 0; i < a->count && same; ++i )
    {
        same = supSameText( a->names[i], b->names[i] );
    }
    return same;
}

static bool supSamePaint( const supPaintList* a, const supPaintList* b )
{
    bool same = a->count == b->count && a->fingerprint == b->fingerprint;
    for ( int32_t i = 0; i < a->count && same; ++i )
    {
        const supPaint *p = a->paints + i, *q = b->paints + i;
        same = supSameText( p->mesh, q->mesh ) && p->meshIndex == q->meshIndex && p->count == q->count &&
               supSameBytes( p->vertices, q->vertices, p->count, sizeof( int32_t ) ) &&
               supSameBytes( p->values, q->values, p->count, sizeof( float ) );
    }
    return same;
}

static bool supSameMoves( const supMoveList* a, const supMoveList* b )
{
    bool same = a->count == b->count && a->fingerprint == b->fingerprint;
    for ( int32_t i = 0; i < a->count && same; ++i )
    {
        const supMoves *p = a->meshes + i, *q = b->meshes + i;
        same = supSameText( p->mesh, q->mesh ) && p->meshIndex == q->meshIndex && p->count == q->count &&
               supSameBytes( p->vertices, q->vertices, p->count, sizeof( int32_t ) ) &&
               supSameBytes( p->moves, q->moves, p->count, sizeof( supVec3 ) );
    }
    return same;
}

static bool supSameShape( const supSculpt* a, const supSculpt* b )
{
    return supSameText( a->file, b->file ) && a->count == b->count && a->triangleCount == b->triangleCount &&
           supSameBytes( a->points, b->points, a->count, sizeof( supVec3 ) ) &&
           supSameBytes( a->corners, b->corners, a->triangleCount, 3 * sizeof( int32_t ) );
}

static bool supSameItems( const supFieldTable* table, const supItemList* a, const supItemList* b )
{
    bool same = a->count == b->count;
    for ( int32_t i = 0; i < a->count * table->count && same; ++i )
    {
        size_t at = (size_t)( i / table->count ) * table->itemSize;
        same = supSameField( table->fields + i % table->count, (const char*)a->items + at, (const char*)b->items + at );
    }
    return same;
}

bool supSameField( const supField* field, const void* itemA, const void* itemB )
{
    const void *a = (const char*)itemA + field->offset, *b = (const char*)itemB + field->offset;
    switch ( field->type )
    {
        case sup_fieldBool:
        case sup_fieldFloat:
        case sup_fieldLength:
        case sup_fieldVec3:
        case sup_fieldEnum:
            return memcmp( a, b, supFieldBytes( field ) ) == 0; // bits: NaN is the same as NaN
        case sup_fieldName:
            return supSameText( *(const char* const*)a, *(const char* const*)b );
        case sup_fieldNames:
            return supSameNames( a, b );
        case sup_fieldKeys:
        {
            const supKeyList *p = a, *q = b;
            return p->count == q->count && supSameBytes( p->pairs, q->pairs, p->count, 2 * sizeof( float ) );
        }
        case sup_fieldPaint:
            return supSamePaint( a, b );
        case sup_fieldSpheres:
        {
            const supSphereList *p = a, *q = b;
            return p->count == q->count && supSameBytes( p->spheres, q->spheres, p->count, sizeof( supSphere ) );
        }
        case sup_fieldPoints:
        {
            const supPointList *p = a, *q = b;
            return p->count == q->count && supSameBytes( p->points, q->points, p->count, sizeof( supVec3 ) );
        }
        case sup_fieldMoves:
            return supSameMoves( a, b );
        case sup_fieldShape:
            return supSameShape( a, b );
        case sup_fieldItems:
            return supSameItems( field->items, a, b );
    }
    assert( false );
    return false;
}
