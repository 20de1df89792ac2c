// What an edit of a running body costs.
// SPDX-License-Identifier: MIT
//
// The built-in woman, or a character of yours (`edit_costs FILE.glb`), with the automatic muscles, écorché and fat, in
// the hands of a supEditor. Each field goes to another value and back, with a step in between; the faster counts.
// Printed, never judged.
#include "paper/program.h"
#include "supple/auto.h"
#include "supple/creatures.h"
#include "supple/edit.h"
#include "supple/io.h"
#include "supple/lab/compiled.h"
#include "supple/lab/items.h"

#include <stdio.h>
#include <string.h>

typedef struct supCostEdit
{
    const char *key, *field;
    float values[2];
} supCostEdit;

/// Seconds of the fastest, and what it compiled.
static supResult supTimeEdit(
    supEditor* editor, const supCharacter* character, const supCostEdit* edit, double* best, supError* error )
{
    supResult result = sup_success;
    *best = 1e30;
    for ( int round = 0; round < 2 && result == sup_success; ++round )
    {
        double start = supWallSeconds();
        result =
            supEditor_SetNumber( editor, supFindLayer( edit->key ), 0, edit->field, edit->values[round % 2], error );
        double took = supWallSeconds() - start;
        *best = took < *best ? took : *best;
        if ( result == sup_success )
        {
            result = supBody_Step( supEditor_View( editor ).body, supCharacter_Info( character )->restJoints,
                supMat34_identity, 1.0f / 60.0f );
        }
    }
    return result;
}

static supResult supPrintEdits( supEditor* editor, const supCharacter* character, supError* error )
{
    static const supCostEdit edits[] = {
        { "muscles", "swell", { 1.05f, 1.0f } },
        { "muscles", "points[0].stiffness", { 2.0f, 1.0f } },
        { "fat", "frequency", { 4.0f, 3.5f } },
        { "ecorche", "falloff", { 1.1f, 1.0f } },
        { "ecorche", "filling", { 0.49f, 0.5f } },
        { "fat", "modes", { 40.0f, 48.0f } },
        { "muscles", "belly", { 0.51f, 0.5f } },
    };
    supResult result = sup_success;
    printf( "| edit | compiled anew | takes |\n|---|---|---|\n" );
    for ( size_t i = 0; i < sizeof( edits ) / sizeof( edits[0] ) && result == sup_success; ++i )
    {
        double best = 0.0;
        result = supTimeEdit( editor, character, edits + i, &best, error );
        uint32_t compiled = supEditor_View( editor ).compiled;
        printf( "| `%s` of %s |", edits[i].field, edits[i].key );
        for ( int32_t layer = 0; layer < supLayerCount(); ++layer )
        {
            printf( "%s%s", ( compiled >> layer & 1u ) != 0 ? " " : "",
                ( compiled >> layer & 1u ) != 0 ? supGetLayerInfo( layer )->key : "" );
        }
        printf( compiled == 0 ? " nothing | %.1f us |\n" : " | %.0f ms |\n", best * ( compiled == 0 ? 1e6 : 1e3 ) );
    }
    return result;
}

int main( int argc, char** argv )
{
    supError error = { sup_success, "" };
    supCreature* creature = NULL;
    supCharacter* loaded = NULL;
    supRig* rig = NULL;
    supEditor* editor = NULL;
    supResult result =
        argc > 1 ? supLoadGltf( argv[1], &loaded, &error ) : supCreateCreature( "woman", NULL, &creature, &error );
    const supCharacter* character = argc > 1 ? loaded : creature != NULL ? supCreature_Character( creature ) : NULL;
    result = result == sup_success ? supCreateRig( NULL, &rig, &error ) : result;
    result = result == sup_success ? supProposeMuscles( character, NULL, rig, NULL, &error ) : result;
    result = result == sup_success ? supProposeFat( character, NULL, rig, &error ) : result;
    result = result == sup_success ? supCreateEditor( character, rig, NULL, &editor, &error ) : result;
    if ( result == sup_success )
    {
        supFatView fat = { 0 };
        supModel_Fat( supEditor_View( editor ).model, 0, &fat );
        printf( "%d vertices, %d muscles, %d nodes of fat\n\n", supCharacter_Info( character )->vertexCount,
            supRig_ItemCount( rig, supFindLayer( "muscles" ) ), fat.nodeCount );
        result = supPrintEdits( editor, character, &error );
    }
    supDestroyEditor( editor );
    supDestroyRig( rig );
    supDestroyCreature( creature );
    supDestroyCharacter( loaded );
    return result == sup_success ? 0 : supFailed( &error );
}
