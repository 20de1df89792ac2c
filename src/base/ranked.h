// Supple: things in the order of a number each.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>
#include <stdlib.h>

/// Something, by its number, and what it is sorted by.
typedef struct supRanked
{
    double key;
    int32_t item;
} supRanked;

static inline int supCompareRanked( const void* a, const void* b )
{
    const supRanked *p = a, *q = b;
    return p->key != q->key ? ( p->key < q->key ? -1 : 1 ) : ( p->item > q->item ) - ( p->item < q->item );
}

/// By rising keys, those of equal keys by their numbers: the same order with every C library.
static inline void supSortRanked( supRanked* list, size_t count )
{
    qsort( list, count, sizeof( supRanked ), supCompareRanked );
}
