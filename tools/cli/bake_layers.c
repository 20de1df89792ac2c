// supple bake: what the layers above flesh do, for people and for machines.
// SPDX-License-Identifier: MIT
#include "bake_job.h"
#include "supple/lab/items.h"
#include "supple/lab/measures.h"

#include <stdlib.h>
#include <string.h>

supResult supBakeJob_MeasureLayers( supBakeJob* job, supError* error )
{
    size_t layers = (size_t)supLayerCount(), modes = (size_t)supModel_ItemCount( job->model, supFindLayer( "modes" ) );
    job->layers = calloc( layers * (size_t)job->clipCount + 1, sizeof( supLayerReport ) );
    job->modes = calloc( modes + 1, sizeof( supModeReport ) );
    if ( job->layers == NULL || job->modes == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for a report", job->words->in );
    }
    supResult result = sup_success;
    for ( size_t i = 0; i < layers * (size_t)job->clipCount && result == sup_success; ++i )
    {
        supProgress_Update( &job->progress, (double)i / (double)( layers * (size_t)job->clipCount ) );
        if ( i % layers > 0 ) // flesh is the take's own
        {
            result = supMeasureLayer( job->takes[i / layers], (int32_t)( i % layers ), job->layers + i, error );
        }
    }
    const supTake* const* takes = (const supTake* const*)job->takes;
    return result == sup_success ? supMeasureModes( job->model, takes, job->clipCount, job->modes, error ) : result;
}

supLayerReport supBakeJob_Layer( const supBakeJob* job, int32_t clip, int32_t layer )
{
    return job->layers[(size_t)clip * (size_t)supLayerCount() + (size_t)layer];
}

/// The most of any clip.
static supLayerReport supLayerOfAll( const supBakeJob* job, int32_t layer )
{
    supLayerReport all = { 0 };
    for ( int32_t i = 0; i < job->clipCount; ++i )
    {
        supLayerReport one = supBakeJob_Layer( job, i, layer );
        one.maxDisplacement = one.maxDisplacement > all.maxDisplacement ? one.maxDisplacement : all.maxDisplacement;
        one.seam = one.seam > all.seam ? one.seam : all.seam;
        one.resonance = one.resonance > all.resonance ? one.resonance : all.resonance;
        all = one;
    }
    return all;
}

/// The rig's mode, as it was written.
static const supModeDef* supModeOf( const supBakeJob* job, int32_t index )
{
    return supRig_Item( job->rig, supFindLayer( "modes" ), index );
}

static const char* supChoiceText( const char* field, int32_t choice )
{
    const supLayerInfo* info = supGetLayerInfo( supFindLayer( "modes" ) );
    for ( int32_t i = 0; i < info->fieldCount; ++i )
    {
        if ( strcmp( info->fields[i].name, field ) == 0 )
        {
            return info->fields[i].choices[choice];
        }
    }
    return "";
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

json_t* supBakeJob_LayersJson( const supBakeJob* job, int32_t clip )
{
    json_t* list = json_array();
    for ( int32_t layer = 1; layer < supLayerCount(); ++layer )
    {
        supLayerReport report = supBakeJob_Layer( job, clip, layer );
        if ( report.itemCount > 0 )
        {
            json_array_append_new(
                list, json_pack( "{s:s, s:i, s:i, s:f, s:f, s:f, s:i, s:i}", "layer", supGetLayerInfo( layer )->key,
                          "items", report.itemCount, "vertices", report.vertexCount, "maxDisplacement",
                          (double)report.maxDisplacement, "seam", (double)report.seam, "resonance",
                          (double)report.resonance, "cutSteps", report.cutCount, "steps", report.stepCount ) );
        }
    }
    return list;
}

json_t* supBakeJob_ModesJson( const supBakeJob* job )
{
    json_t* list = json_array();
    for ( int32_t i = 0; i < supModel_ItemCount( job->model, supFindLayer( "modes" ) ); ++i )
    {
        const supModeDef* def = supModeOf( job, i );
        const supModeReport* report = job->modes + i;
        json_array_append_new( list,
            json_pack( "{s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f}", "name", report->name, "element", def->element,
                "motion", supChoiceText( "motion", def->motion ), "pattern", supChoiceText( "pattern", def->pattern ),
                "vertices", report->vertexCount, "frequency", (double)def->frequency, "dampingRatio",
                (double)def->dampingRatio, "amount", (double)def->amount, "largest", (double)report->largest ) );
    }
    return list;
}

// ---------------------------------------------------------------------------------------------------------------
// Tables

void supBakeJob_PrintModes( const supBakeJob* job, FILE* out )
{
    int32_t count = supModel_ItemCount( job->model, supFindLayer( "modes" ) );
    int width = 4, elementWidth = 7;
    for ( int32_t i = 0; i < count; ++i )
    {
        int name = (int)strlen( job->modes[i].name ), element = (int)strlen( supModeOf( job, i )->element );
        width = name > width && name <= 24 ? name : width;
        elementWidth = element > elementWidth && element <= 24 ? element : elementWidth;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        const supModeDef* def = supModeOf( job, i );
        const supModeReport* report = job->modes + i;
        char largest[24];
        if ( i == 0 )
        {
            fprintf( out, "\n  %-*s  %-*s  motion  pattern  vertices      Hz  damping  amount  largest\n", width,
                "mode", elementWidth, "element" );
        }
        if ( report->turns )
        {
            snprintf( largest, sizeof( largest ), "%.2g deg", (double)report->largest * 57.29577951308232 );
        }
        else
        {
            supBakeJob_Share( job, (double)report->largest, largest );
        }
        fprintf( out, "  %-*s  %-*s  %-6s  %-7s  %8d %7.2f %8.2f %7.2f %8s\n", width, report->name, elementWidth,
            def->element, supChoiceText( "motion", def->motion ), supChoiceText( "pattern", def->pattern ),
            report->vertexCount, (double)def->frequency, (double)def->dampingRatio, (double)def->amount, largest );
    }
}

/// A cycle that no start returns to.
static void supPrintResonances( const supBakeJob* job, FILE* out )
{
    for ( int32_t i = 0; i < job->clipCount * supLayerCount(); ++i )
    {
        int32_t clip = i / supLayerCount(), layer = i % supLayerCount();
        double resonance = layer > 0 ? (double)supBakeJob_Layer( job, clip, layer ).resonance : 0.0;
        if ( resonance > 0.0 )
        {
            fprintf( out,
                "  %s, clip \"%s\": nothing damps its vibration at %.3g Hz, which swings a whole number of times in the "
                "clip and so ever farther: no start returns, and the jump is spread over the clip; raise dampingRatio\n",
                supGetLayerInfo( layer )->key, supCharacter_Clip( job->character, job->clips[clip] ).name, resonance );
        }
    }
}

/// Steps that a solver had no time to finish: what follows is a body whose time ran slower.
static void supPrintCuts( const supBakeJob* job, FILE* out )
{
    for ( int32_t i = 0; i < job->clipCount * supLayerCount(); ++i )
    {
        int32_t clip = i / supLayerCount(), layer = i % supLayerCount();
        supLayerReport report = supBakeJob_Layer( job, clip, layer );
        if ( report.cutCount > 0 )
        {
            fprintf( out,
                "  %s, clip \"%s\": %d of %d steps cut short: stiffness and viscosity ask its solver for more work than "
                "there is time for, so its time runs slower; lower dampingRatio or viscosity, or take the live solver\n",
                supGetLayerInfo( layer )->key, supCharacter_Clip( job->character, job->clips[clip] ).name,
                report.cutCount, report.stepCount * report.itemCount );
        }
    }
}

void supBakeJob_PrintLayers( const supBakeJob* job, FILE* out )
{
    bool first = true;
    for ( int32_t layer = 1; layer < supLayerCount() && job->clipCount > 0; ++layer )
    {
        supLayerReport report = supLayerOfAll( job, layer );
        char largest[24], seam[24];
        if ( report.itemCount == 0 || report.vertexCount == 0 )
        {
            continue;
        }
        fputs( first ? "\n  layer above flesh  items  vertices  largest     seam\n" : "", out );
        fprintf( out, "  %-17s  %5d  %8d %8s %8s\n", supGetLayerInfo( layer )->key, report.itemCount,
            report.vertexCount, supBakeJob_Share( job, (double)report.maxDisplacement, largest ),
            supBakeJob_Share( job, (double)report.seam, seam ) );
        first = false;
    }
    supPrintResonances( job, out );
    supPrintCuts( job, out );
}
