// Supple io: the reference page of rig files in Markdown, made from the layers' field tables.
// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "io/arena.h"
#include "io/rig_types.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"

#include <math.h>

static bool supIsNumber( const supField* field )
{
    return field->type == sup_fieldFloat || field->type == sup_fieldLength || field->type == sup_fieldVec3;
}

static void supWriteRange( supTextSink* sink, const supField* field )
{
    char lower[SUP_FLOAT_TEXT], upper[SUP_FLOAT_TEXT];
    if ( field->type == sup_fieldEnum )
    {
        for ( int i = 0; field->choices[i] != NULL; ++i )
        {
            supTextSink_Format( sink, "%s`\"%s\"`", i > 0 ? ", " : "", field->choices[i] );
        }
    }
    else if ( supIsNumber( field ) )
    {
        const char* unit = supIsShare( field ) ? "of the size" : field->unit;
        supTextSink_Format( sink, "%s to %s%s%s", supFloatText( field->minimum, lower ),
            supFloatText( field->maximum, upper ), unit[0] != '\0' ? " " : "", unit );
    }
}

static void supWriteDefault( supTextSink* sink, const supField* field )
{
    char number[SUP_FLOAT_TEXT];
    supFloatText( field->fallback, number );
    if ( field->type == sup_fieldEnum )
    {
        supTextSink_Format( sink, "`\"%s\"`", field->choices[(int)field->fallback] );
    }
    else if ( field->type == sup_fieldBool )
    {
        supTextSink_Text( sink, field->fallback != 0.0f ? "true" : "false" );
    }
    else if ( field->required )
    {
        supTextSink_Text( sink, "**must be given**" );
    }
    else if ( !supIsNumber( field ) || isnan( field->fallback ) )
    {
        supTextSink_Text( sink, "not given" );
    }
    else if ( field->type == sup_fieldVec3 )
    {
        supTextSink_Format( sink, "[%s, %s, %s]", number, number, number );
    }
    else
    {
        supTextSink_Text( sink, number );
    }
}

static int32_t supCountFields( const supField* fields, int32_t count, bool advanced )
{
    int32_t found = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        found += fields[i].advanced == advanced ? 1 : 0;
    }
    return found;
}

/// The fields that are advanced, or those that are not; with `words` before them. Nothing where there are none.
static void supWriteTable(
    supTextSink* sink, const supField* fields, int32_t count, bool advanced, const char* words, const char* name )
{
    if ( supCountFields( fields, count, advanced ) == 0 )
    {
        return;
    }
    supTextSink_Format( sink, words, name );
    supTextSink_Text( sink, "| field | type | range | default | what it does |\n|---|---|---|---|---|\n" );
    for ( int32_t i = 0; i < count; ++i )
    {
        const supField* field = fields + i;
        if ( field->advanced != advanced )
        {
            continue;
        }
        supTextSink_Format(
            sink, "| `%s`%s | %s | ", field->name, field->live ? " *" : "", supFieldTypeWords( field ) );
        supWriteRange( sink, field );
        supTextSink_Text( sink, " | " );
        supWriteDefault( sink, field );
        supTextSink_Text( sink, " | " );
        supTextSink_Text( sink, field->words );
        supTextSink_Text( sink, " |\n" );
    }
}

/// A layer's fields that are advanced, or those that are not, and those of the objects in its lists.
static void supWriteFields( supTextSink* sink, const supLayerInfo* layer, bool advanced )
{
    const char* words = advanced ? "\n### `%s`\n\n" : "";
    supWriteTable( sink, layer->fields, layer->fieldCount, advanced, words, layer->key );
    for ( int32_t i = 0; i < layer->fieldCount; ++i )
    {
        const supField* field = layer->fields + i;
        if ( field->type == sup_fieldItems )
        {
            supWriteTable(
                sink, field->items->fields, field->items->count, advanced, "\nEach object of `%s`:\n\n", field->name );
        }
    }
}

static void supWriteLayer( supTextSink* sink, const supLayerInfo* layer )
{
    supTextSink_Format( sink, "\n## `%s`\n\n%s\n\n", layer->key, layer->words );
    supWriteFields( sink, layer, false );
    supTextSink_Text( sink, "\n\\* This field may be changed while a body runs, without a new model.\n" );
    if ( supCountFields( layer->fields, layer->fieldCount, true ) > 0 )
    {
        supTextSink_Text( sink, "There are [advanced fields](#advanced-fields) too.\n" );
    }
}

static const char* const sup_referenceHead =
    "# Rig files, field by field\n"
    "\n"
    "This page lists every field of a rig. [Writing a rig by hand](rig.md) shows how to use them, and\n"
    "[rig.schema.json](rig.schema.json) is the same as JSON Schema, for editors and pipelines. `./run docs` makes both from\n"
    "the tables in the source; change them there.\n"
    "\n"
    "| at the top | type | default | what it is |\n"
    "|---|---|---|---|\n"
    "| `supple` | number | 1 | " SUP_VERSION_WORDS " |\n"
    "| `gravity` | three numbers | [0, -9.81, 0] | " SUP_GRAVITY_WORDS " |\n";

static const char* const sup_referenceTail =
    "\n"
    "## How values are written\n"
    "\n"
    "| type | as |\n"
    "|---|---|\n"
    "| length | A share of the model's size (the diagonal of its bounding box at rest): `0.02` or `\"2%\"`; or `\"2mm\"`, `\"3cm\"`, `\"0.1m\"`, in the units of the file at rest. |\n"
    "| joint | Its name. If several joints share it, write `{ \"name\": \"hips\", \"index\": 12 }` or, shorter, `\"hips#12\"` for joint 12 of the character; in a glTF, node 12. |\n"
    "| list of pairs | `[[-1, 0], [0, 1], [1, 0]]`, by rising position. |\n"
    "| list of balls | `[{ \"center\": [0, 0.1, 0.05], \"radius\": 0.1 }]`, in lengths. |\n"
    "| list of points | `[[0, 0.1, 0.05], [0, 0.2, 0.05]]`, in lengths. |\n"
    "| paint | `{ \"fingerprint\": \"0x0123456789abcdef\", \"meshes\": [{ \"mesh\": \"Body\", \"vertices\": [3, 4, 9], \"values\": [0.2, 1, 0.5] }] }`. `\"index\": 1` beside `mesh` is the second mesh of that name. Vertices are in rising order. The fingerprint is the character's, and paint is refused on any other mesh. |\n"
    "\n"
    "Keys that start with `_`, and `extras`, are for your own notes. They are ignored, and not kept when a program writes\n"
    "the rig anew. Every other key that is not in these tables is an error, so a typing mistake does not go unnoticed.\n";

static const char* const sup_advancedHead =
    "\n"
    "## Advanced fields\n"
    "\n"
    "Their defaults are right for almost every character. They are for whoever compares solvers, has measured material\n"
    "at hand, or wants what the fields above do not reach. The schema marks them with `\"x-advanced\": true`.\n";

size_t supRigReference( char* text, size_t size )
{
    supTextSink sink = { text, size, 0 };
    supTextSink_Text( &sink, sup_referenceHead );
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        supWriteLayer( &sink, supGetLayerInfo( i ) );
    }
    supTextSink_Text( &sink, sup_referenceTail );
    supTextSink_Text( &sink, sup_advancedHead );
    for ( int32_t i = 0; i < supLayerCount(); ++i )
    {
        supWriteFields( &sink, supGetLayerInfo( i ), true );
    }
    return supTextSink_End( &sink );
}
