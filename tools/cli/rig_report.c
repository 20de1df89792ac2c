// The automatic rig in words.
// SPDX-License-Identifier: MIT
#include "rig_report.h"
#include "output.h"

#include "bake_job.h"
#include "body_words.h"
#include "columns.h"
#include "overlap_words.h"
#include "supple/auto.h"
#include "supple/lab/compiled.h"
#include "supple/lab/items.h"

#include <string.h>

enum
{
    sup_shownJointCount = 6 // names of joints in one group, before "and 12 more"
};

/// By number where it has no name.
static void supNameClip( const supRigReport* report, int32_t clip, char* text, size_t size )
{
    const char* name = supCharacter_Clip( report->input->character, clip ).name;
    snprintf( text, size, "%s", name );
    if ( name[0] == '\0' )
    {
        snprintf( text, size, "clip %d", clip );
    }
}

static void supNameJoint( const supRigReport* report, int32_t joint, char* text, size_t size )
{
    const char* name = supCharacter_Joint( report->input->character, joint )->name;
    snprintf( text, size, "%s", name );
    if ( name[0] == '\0' )
    {
        snprintf( text, size, "#%d", joint );
    }
}

/// Why a joint's skin has no flesh: its region, or, where that would carry some, that it was not wanted, that it is
/// hard, or that there is too little of it. NULL: it has.
static const char* supWhyLeft( const supProposal* proposal, int32_t joint )
{
    supRegion region = proposal->regions[joint];
    if ( proposal->carriers[joint] >= 0 )
    {
        return NULL;
    }
    bool fleshy = region >= sup_regionBelly && region <= sup_regionBody;
    if ( proposal->unwanted[joint] )
    {
        return "not wanted";
    }
    const char* lacking = proposal->hardShares[joint] > 0.7f ? "hard" : "too thin";
    return fleshy ? lacking : supWordFor( sup_wordsRegion, region );
}

// ---------------------------------------------------------------------------------------------------------------
// For people

/// A clip's name without what all clips of a file have before theirs: "Armature|Run" is "Run".
static void supShortenClip( const supRigReport* report, int32_t clip, char* text, size_t size )
{
    char name[128];
    supNameClip( report, clip, name, sizeof( name ) );
    const char* bar = strrchr( name, '|' );
    snprintf( text, size, "%s", bar != NULL && bar[1] != '\0' ? bar + 1 : name );
}

/// Which columns the table of elements has, and how wide those of names are. All of it fits into 120.
typedef struct supElementTable
{
    int name, driver, clip;
    bool proposed, sides, clips; ///< regions too where proposed
} supElementTable;

enum
{
    sup_widestTable = 120,
    sup_numberWidth = 28,   // Hz, damping, amount, sag
    sup_proposedWidth = 10, // region
    sup_sideWidth = 8,
    sup_motionWidth = 24, // typical, peak, ceiling, and the space before the clip's name
    sup_widestName = 18,
    sup_widestDriver = 16
};

static int supLarger( int a, int b )
{
    return a > b ? a : b;
}

static supElementTable supMeasureTable( const supRigReport* report )
{
    supElementTable table = { .name = (int)strlen( "element" ), .driver = (int)strlen( "driver" ) };
    table.proposed = report->proposal != NULL;
    for ( int32_t e = 0; e < supModel_Info( report->model )->elementCount; ++e )
    {
        table.name = supLarger( table.name, supCountLetters( supModel_Info( report->model )->elements[e].name ) );
        table.driver = supLarger( table.driver, supCountLetters( supRig_Element( report->rig, e )->driver ) );
        table.sides = table.sides || ( table.proposed && report->proposal->elements[e].side != sup_sideMiddle );
        table.clips = table.clips || ( table.proposed && report->proposal->elements[e].peakClip >= 0 );
    }
    table.name = table.name < sup_widestName ? table.name : sup_widestName;
    table.driver = table.driver < sup_widestDriver ? table.driver : sup_widestDriver;
    int used = table.name + 2 + table.driver + sup_numberWidth + ( table.proposed ? sup_proposedWidth : 0 ) +
               ( table.sides ? sup_sideWidth : 0 ) + sup_motionWidth;
    table.clip = sup_widestTable - used;
    return table;
}

/// "     12%   21%      25%  run": ordinary motion, the largest of all clips, the ceiling, the clip of the largest.
static void supPrintMotion(
    const supRigReport* report, const supElementTable* table, const supProposedElement* element, FILE* out )
{
    char clip[128];
    supShortenClip( report, element->peakClip, clip, sizeof( clip ) );
    fprintf( out, " %6.0f%% %4.0f%% %7.0f%%  ", 100.0 * (double)element->typical, 100.0 * (double)element->peak,
        100.0 * (double)element->ceiling );
    int letters = supCountLetters( clip );
    supPrintColumn( out, clip, letters < table->clip ? letters : table->clip );
}

static void supPrintElementNames( const supElementTable* table, const char* name, const char* region, const char* side,
    const char* driver, FILE* out )
{
    supPrintColumn( out, name, table->name );
    fputs( "  ", out );
    if ( table->proposed )
    {
        supPrintColumn( out, region, sup_proposedWidth );
    }
    if ( table->sides )
    {
        supPrintColumn( out, side, sup_sideWidth );
    }
    supPrintColumn( out, driver, table->driver );
}

static void supPrintElements( const supRigReport* report, FILE* out )
{
    supElementTable table = supMeasureTable( report );
    supPrintElementNames( &table, "element", "region", "side", "driver", out );
    fprintf( out, " %5s %7s %6s %6s%s\n", "Hz", "damping", "amount", "sag",
        table.clips ? " typical  peak  ceiling  peak in" : "" );
    for ( int32_t e = 0; e < supModel_Info( report->model )->elementCount; ++e )
    {
        const supProposedElement* proposed = table.proposed ? report->proposal->elements + e : NULL;
        supElementView view = supModel_Info( report->model )->elements[e];
        supPrintElementNames( &table, view.name,
            proposed != NULL ? supWordFor( sup_wordsRegion, proposed->region ) : "",
            proposed != NULL ? supWordFor( sup_wordsSide, proposed->side ) : "",
            supRig_Element( report->rig, e )->driver, out );
        fprintf( out, " %5.2f %7.2f %6.3g %6.2g", (double)view.frequency, (double)view.dampingRatio,
            (double)view.amount, (double)view.sag );
        if ( proposed != NULL && proposed->peakClip >= 0 )
        {
            supPrintMotion( report, &table, proposed, out );
        }
        fputc( '\n', out );
    }
}

/// Where the amounts came from.
static void supPrintReasons( const supRigReport* report, FILE* out )
{
    char picks[200];
    supPickText( report->choices, picks, sizeof( picks ) );
    fprintf( out, "amounts: %s%s%s; each by its region and thickness%s\n", report->preset, picks[0] != '\0' ? ", " : "",
        picks, supMeasureTable( report ).clips ? ", and by ordinary motion in the clips" : ": there are no clips" );
    fputs(
        supMeasureTable( report ).clips
            ? "  typical: ordinary motion of the liveliest clip; peak: the largest of all; shares of the thickness.\n"
              "  what would pass the ceiling is rounded off by the limit\n"
            : "",
        out );
}

/// "head or neck (Neck, Head)", a group for each reason, by its first joint.
static void supPrintLeftAlone( const supRigReport* report, FILE* out )
{
    const supProposal* proposal = report->proposal;
    const char* separator = "left alone: ";
    for ( int32_t first = 0; first < proposal->jointCount; ++first )
    {
        const char* why = supWhyLeft( proposal, first );
        bool said = why == NULL;
        for ( int32_t j = 0; j < first && !said; ++j )
        {
            const char* other = supWhyLeft( proposal, j );
            said = other != NULL && strcmp( other, why ) == 0;
        }
        if ( said )
        {
            continue;
        }
        fprintf( out, "%s%s (", separator, why );
        separator = ", ";
        int32_t count = 0;
        for ( int32_t j = first; j < proposal->jointCount; ++j )
        {
            const char* other = supWhyLeft( proposal, j );
            if ( other == NULL || strcmp( other, why ) != 0 || count++ >= sup_shownJointCount )
            {
                continue;
            }
            char name[128];
            supNameJoint( report, j, name, sizeof( name ) );
            fprintf( out, "%s%s", count > 1 ? ", " : "", name );
        }
        if ( count > sup_shownJointCount )
        {
            fprintf( out, ", and %d more", count - sup_shownJointCount );
        }
        fputc( ')', out );
    }
    fputs( separator[0] == ',' ? "\n" : "", out );
}

void supPrintRigBody( const supRigReport* report, FILE* out )
{
    supPrintBody( report->input->path, report->body, &report->choices->def, out );
    if ( report->evidence )
    {
        supPrintEvidence( report->body, out );
    }
}

static bool supIsHard( const supProposal* proposal )
{
    return proposal->body.kind == sup_bodyMachine || proposal->hardShare > 0.5f;
}

static const char* supWhyEmpty( const supRigReport* report )
{
    const supProposal* proposal = report->proposal;
    if ( proposal == NULL )
    {
        return "so it was inside the file";
    }
    bool hard = supIsHard( proposal );
    return report->choices->pick != NULL ? "nothing is left of what was found"
           : hard                        ? "made of hard pieces, so no flesh"
                                         : "nothing in it could carry flesh";
}

/// Whether fat could be put on what springs find nothing on. Compiles it: about a second.
static bool supFatWouldWork( const supRigReport* report )
{
    const supCharacter* character = report->input->character;
    supRig* rig = NULL;
    supModel* model = NULL;
    bool asked = report->proposal != NULL && report->choices->pick == NULL && !supIsHard( report->proposal );
    bool works = asked && supCreateRig( NULL, &rig, NULL ) == sup_success &&
                 supProposeFat( character, NULL, rig, NULL ) == sup_success &&
                 supCompileModel( character, rig, &model, NULL ) == sup_success;
    supDestroyModel( model );
    supDestroyRig( rig );
    return works;
}

void supPrintRigReport( const supRigReport* report, FILE* out )
{
    int32_t count = supModel_Info( report->model )->elementCount;
    supPrintRigBody( report, out );
    if ( count == 0 )
    {
        fprintf( out, "%s: %s: the rig is empty%s\n", report->input->path, supWhyEmpty( report ),
            supFatWouldWork( report ) ? "; --fat would find room for fat below its skin" : "" );
    }
    else
    {
        supPrintElements( report, out );
    }
    if ( count > 0 && report->proposal != NULL )
    {
        supPrintReasons( report, out );
    }
    if ( report->proposal != NULL )
    {
        supPrintLeftAlone( report, out );
    }
    if ( report->proposal != NULL && report->proposal->hardCount > 0 )
    {
        fprintf( out, "hard pieces, left alone wherever they are: %d, %.0f%% of the surface\n",
            report->proposal->hardCount, 100.0 * (double)report->proposal->hardShare );
    }
    if ( report->muscles.count > 0 )
    {
        fprintf( out, "muscles: %d on a skeleton that is known by its %s\n", report->muscles.count,
            report->muscles.byNames ? "names" : "shape" );
    }
    if ( report->output != NULL )
    {
        char items[160];
        fprintf( out, "%s -> %s: %s, %s\n", report->input->path, report->output, supRigText( report->rig, items ),
            strcmp( report->preset, "inside" ) != 0 ? report->preset : "the rig inside it" );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// For machines

/// Its name; null: none.
static json_t* supClipToJson( const supRigReport* report, int32_t clip )
{
    const char* name = clip >= 0 ? supCharacter_Clip( report->input->character, clip ).name : NULL;
    return name == NULL ? json_null() : name[0] != '\0' ? json_string( name ) : json_sprintf( "clip %d", clip );
}

static json_t* supElementToJson( const supRigReport* report, int32_t element )
{
    const supProposedElement* proposed = report->proposal != NULL ? report->proposal->elements + element : NULL;
    supElementView view = supModel_Info( report->model )->elements[element];
    json_t* object = json_pack( "{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", view.name, "driver",
        supRig_Element( report->rig, element )->driver, "vertices", view.vertexCount, "mass", (double)view.mass,
        "thickness", (double)view.thickness, "frequency", (double)view.frequency, "dampingRatio",
        (double)view.dampingRatio, "amount", (double)view.amount, "sag", (double)view.sag, "largestEdgeJump",
        (double)view.largestEdgeJump );
    if ( object != NULL && proposed != NULL )
    {
        json_object_set_new( object, "region", json_string( supWordFor( sup_wordsRegion, proposed->region ) ) );
        json_object_set_new( object, "side", json_string( supWordFor( sup_wordsSide, proposed->side ) ) );
        json_object_set_new( object, "center", supVectorToJson( proposed->center ) );
        json_object_set_new( object, "origin", supVectorToJson( proposed->origin ) );
        json_object_set_new( object, "ceiling", json_real( (double)proposed->ceiling ) );
        json_object_set_new( object, "typical", json_real( (double)proposed->typical ) );
        json_object_set_new( object, "typicalClip", supClipToJson( report, proposed->typicalClip ) );
        json_object_set_new( object, "peak", json_real( (double)proposed->peak ) );
        json_object_set_new( object, "peakClip", supClipToJson( report, proposed->peakClip ) );
    }
    return object;
}

static json_t* supLeftAloneToJson( const supRigReport* report )
{
    json_t* groups = json_object();
    int32_t joints = report->proposal != NULL ? report->proposal->jointCount : 0;
    for ( int32_t j = 0; groups != NULL && j < joints; ++j )
    {
        const char* why = supWhyLeft( report->proposal, j );
        if ( why == NULL )
        {
            continue;
        }
        if ( json_object_get( groups, why ) == NULL )
        {
            json_object_set_new( groups, why, json_array() );
        }
        char name[128];
        supNameJoint( report, j, name, sizeof( name ) );
        json_array_append_new( json_object_get( groups, why ), json_string( name ) );
    }
    return groups;
}

/// What the items of fat were cut into.
static json_t* supFatToJson( const supModel* model )
{
    json_t* items = json_array();
    supFatView fat;
    for ( int32_t i = 0; supModel_Fat( model, i, &fat ); ++i )
    {
        json_array_append_new( items,
            json_pack( "{s:s, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:b, s:i, s:i, s:f, s:i}", "name", fat.name,
                "nodes", fat.nodeCount, "held", fat.anchoredCount, "voxels", fat.voxelCount, "vibrations",
                fat.modeCount, "vertices", fat.vertexCount, "voxel", (double)fat.voxel, "thickest",
                (double)fat.thickest, "volume", fat.volume, "onMuscles", fat.onMuscles, "outside", fat.outsideCount,
                "outsideVertex", fat.outsideAt, "outsideBy", (double)fat.outsideBy, "looseVoxels", fat.droppedCount ) );
    }
    return items;
}

/// Every muscle of the rig: name, points of its line, half its thickness in metres.
static json_t* supMusclesToJson( const supRigReport* report )
{
    json_t* muscles = json_array();
    int32_t layer = supFindLayer( "muscles" );
    double size = (double)supCharacter_Info( report->input->character )->size;
    for ( int32_t i = 0; i < supRig_ItemCount( report->rig, layer ); ++i )
    {
        const supMuscleDef* def = supRig_Item( report->rig, layer, i );
        json_array_append_new( muscles, json_pack( "{s:s, s:i, s:f}", "name", def->name, "points", def->points.count,
                                            "radius", size * (double)def->radius ) );
    }
    return muscles;
}

json_t* supMakeRigReport( const supRigReport* report )
{
    json_t* elements = json_array();
    for ( int32_t e = 0; e < supModel_Info( report->model )->elementCount; ++e )
    {
        json_array_append_new( elements, supElementToJson( report, e ) );
    }
    const supProposal none = { 0 }, *proposal = report->proposal != NULL ? report->proposal : &none;
    json_t* object = json_pack( "{s:o, s:o?, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:i, s:f}", "input",
        supTextJson( report->input->path ), "output", report->output != NULL ? supTextJson( report->output ) : NULL,
        "preset", report->preset, "size", (double)supCharacter_Info( report->input->character )->size, "body",
        supBodyToJson( report->body ), "elements", elements, "muscles", supMusclesToJson( report ), "fat",
        supFatToJson( report->model ), "leftAlone", supLeftAloneToJson( report ), "hardPieces",
        (int)proposal->hardCount, "hardShare", (double)proposal->hardShare );
    supAddOverlapsJson( report->model, object );
    if ( object != NULL && report->muscles.count > 0 )
    {
        json_object_set_new( object, "musclesBy", json_string( report->muscles.byNames ? "names" : "shape" ) );
    }
    return object;
}
