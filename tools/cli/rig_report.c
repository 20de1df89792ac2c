// The automatic rig in words.
// SPDX-License-Identifier: MIT
#include "rig_report.h"

#include "bake_job.h"
#include "overlap_words.h"

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
    const char* name = supCharacter_JointName( report->input->character, joint );
    snprintf( text, size, "%s", name );
    if ( name[0] == '\0' )
    {
        snprintf( text, size, "#%d", joint );
    }
}

/// Why a joint's skin has no flesh: its region, or, where that would carry some, that it is hard or that there is too
/// little of it. NULL: it has.
static const char* supWhyLeft( const supProposal* proposal, int32_t joint )
{
    supRegion region = proposal->regions[joint];
    if ( proposal->carriers[joint] >= 0 )
    {
        return NULL;
    }
    bool fleshy = region == sup_regionTrunk || region == sup_regionUpperLimb || region == sup_regionLowerLimb;
    const char* lacking = proposal->hardShares[joint] > 0.7f ? "hard" : "too thin";
    return fleshy ? lacking : supRegionName( region );
}

// ---------------------------------------------------------------------------------------------------------------
// For people

static int supWidestName( const supRigReport* report )
{
    size_t widest = strlen( "element" );
    for ( int32_t e = 0; e < supModel_ElementCount( report->model ); ++e )
    {
        size_t length = strlen( supModel_Element( report->model, e ).name );
        widest = length > widest ? length : widest;
    }
    return widest < 28 ? (int)widest : 28;
}

/// "57% -> 25% (25%) by run": what the region's own amount gave and in which clip, what is left, the ceiling; or where
/// nothing had to be lowered, "11% (25%) in walk".
static void supPrintPeak( const supRigReport* report, const supProposedElement* element, bool tamed, FILE* out )
{
    char clip[128];
    if ( element->worstClip < 0 )
    {
        fputs( "  no clips to look at", out );
        return;
    }
    supNameClip( report, tamed ? element->firstClip : element->worstClip, clip, sizeof( clip ) );
    double first = 100.0 * (double)element->firstPeak, peak = 100.0 * (double)element->peak;
    double ceiling = 100.0 * (double)element->ceiling;
    if ( tamed )
    {
        fprintf( out, "  %.0f%% -> %.0f%% (%.0f%%) by %s", first, peak, ceiling, clip );
    }
    else
    {
        fprintf( out, "  %.0f%% (%.0f%%) in %s", peak, ceiling, clip );
    }
}

static void supPrintElements( const supRigReport* report, FILE* out )
{
    int widest = supWidestName( report );
    fprintf( out, "%-*s  %-20s %8s %6s %8s %15s %7s %9s%s\n", widest, "element", "driver", "vertices", "Hz", "damping",
        "amount", "sag", "edge jump", report->proposal != NULL ? "  peak of thickness (ceiling)" : "" );
    for ( int32_t e = 0; e < supModel_ElementCount( report->model ); ++e )
    {
        const supProposedElement* proposed = report->proposal != NULL ? report->proposal->elements + e : NULL;
        supElementView view = supModel_Element( report->model, e );
        const supElementDef* def = supRig_Element( report->rig, e );
        bool tamed = proposed != NULL && view.amount < proposed->firstAmount;
        char amount[48];
        snprintf( amount, sizeof( amount ), tamed ? "%.3g -> %.3g" : "%.3g",
            (double)( tamed ? proposed->firstAmount : view.amount ), (double)view.amount );
        fprintf( out, "%-*.*s  %-20.20s %8d %6.2f %8.2f %15s %7.2g %9.2f", widest, widest, view.name, def->driver,
            view.vertexCount, (double)view.frequency, (double)view.dampingRatio, amount, (double)view.sag,
            (double)view.largestEdgeJump );
        if ( proposed != NULL )
        {
            supPrintPeak( report, proposed, tamed, out );
        }
        fputc( '\n', out );
    }
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

void supPrintRigReport( const supRigReport* report, FILE* out )
{
    int32_t count = supModel_ElementCount( report->model );
    if ( count == 0 )
    {
        const char* why = report->proposal == NULL             ? "the rig inside it is empty"
                          : report->proposal->hardShare > 0.5f ? "made of hard pieces, so no flesh: the rig is empty"
                                                               : "no trunk with limbs, so no flesh: the rig is empty";
        fprintf( out, "%s: %s\n", report->input->path, why );
    }
    else
    {
        supPrintElements( report, out );
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
            report->proposal != NULL ? report->preset : "the rig inside it" );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// For machines

static json_t* supElementToJson( const supRigReport* report, int32_t element )
{
    const supProposedElement* proposed = report->proposal != NULL ? report->proposal->elements + element : NULL;
    supElementView view = supModel_Element( report->model, element );
    json_t* object = json_pack( "{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", view.name, "driver",
        supRig_Element( report->rig, element )->driver, "vertices", view.vertexCount, "mass", (double)view.mass,
        "thickness", (double)view.thickness, "frequency", (double)view.frequency, "dampingRatio",
        (double)view.dampingRatio, "amount", (double)view.amount, "sag", (double)view.sag, "largestEdgeJump",
        (double)view.largestEdgeJump );
    if ( object != NULL && proposed != NULL )
    {
        json_object_set_new( object, "region", json_string( supRegionName( proposed->region ) ) );
        json_object_set_new( object, "ceiling", json_real( (double)proposed->ceiling ) );
    }
    if ( object != NULL && proposed != NULL && proposed->worstClip >= 0 )
    {
        char clip[128];
        supNameClip( report, proposed->worstClip, clip, sizeof( clip ) );
        json_object_set_new( object, "firstPeak", json_real( (double)proposed->firstPeak ) );
        json_object_set_new( object, "peak", json_real( (double)proposed->peak ) );
        json_object_set_new( object, "worstClip", json_string( clip ) );
        supNameClip( report, proposed->firstClip, clip, sizeof( clip ) );
        json_object_set_new( object, "firstAmount", json_real( (double)proposed->firstAmount ) );
        json_object_set_new( object, "firstClip", json_string( clip ) );
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
    double size = (double)supCharacter_Size( report->input->character );
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
    for ( int32_t e = 0; e < supModel_ElementCount( report->model ); ++e )
    {
        json_array_append_new( elements, supElementToJson( report, e ) );
    }
    const supProposal none = { 0 }, *proposal = report->proposal != NULL ? report->proposal : &none;
    json_t* object = json_pack( "{s:s, s:s?, s:s, s:f, s:o, s:o, s:o, s:o, s:i, s:f}", "input", report->input->path,
        "output", report->output, "preset", report->preset, "size",
        (double)supCharacter_Size( report->input->character ), "elements", elements, "muscles",
        supMusclesToJson( report ), "fat", supFatToJson( report->model ), "leftAlone", supLeftAloneToJson( report ),
        "hardPieces", (int)proposal->hardCount, "hardShare", (double)proposal->hardShare );
    supAddOverlapsJson( report->model, object );
    if ( object != NULL && report->muscles.count > 0 )
    {
        json_object_set_new( object, "musclesBy", json_string( report->muscles.byNames ? "names" : "shape" ) );
    }
    return object;
}
