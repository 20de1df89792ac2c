// What a rig moves twice, in words.
// SPDX-License-Identifier: MIT
#include "overlap_words.h"

enum
{
    sup_shownOverlaps = 16
};

void supPrintOverlaps( const supModel* model, FILE* out )
{
    supOverlap overlaps[sup_shownOverlaps];
    int32_t count = supModel_Overlaps( model, overlaps, sup_shownOverlaps );
    for ( int32_t i = 0; i < count && i < sup_shownOverlaps; ++i )
    {
        const supOverlap* one = overlaps + i;
        fprintf( out, "%s \"%s\" and %s \"%s\" both move %d vertices: they answer the same inertia twice\n",
            one->kinds[0], one->names[0], one->kinds[1], one->names[1], one->vertexCount );
    }
    if ( count > sup_shownOverlaps )
    {
        fprintf( out, "and %d more pairs\n", count - sup_shownOverlaps );
    }
}

void supAddOverlapsJson( const supModel* model, json_t* report )
{
    supOverlap overlaps[sup_shownOverlaps];
    int32_t count = supModel_Overlaps( model, overlaps, sup_shownOverlaps );
    json_t* list = count > 0 && report != NULL ? json_array() : NULL;
    for ( int32_t i = 0; list != NULL && i < count && i < sup_shownOverlaps; ++i )
    {
        const supOverlap* one = overlaps + i;
        json_array_append_new( list, json_pack( "{s:[s,s], s:[s,s], s:i}", "layers", one->kinds[0], one->kinds[1],
                                         "names", one->names[0], one->names[1], "vertices", one->vertexCount ) );
    }
    if ( list != NULL )
    {
        json_object_set_new( report, "overlaps", list );
        json_object_set_new( report, "overlapCount", json_integer( count ) ); // the list may be shorter
    }
}
