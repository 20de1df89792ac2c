// Supple: every reason to refuse a clip, each named.
// SPDX-License-Identifier: MIT
#include "character_data.h"

#include <stdio.h>

static const char* supPathName( supPath path )
{
    static const char* const names[4] = { "translation", "rotation", "scale", "weights" };
    return names[path];
}

void supNameTrack( const supCharacterDef* def, int32_t clip, int32_t track, char* text, size_t size )
{
    const supTrackDef* trackDef = def->clips[clip].tracks + track;
    supLabel clipLabel = supLabelOf( "clip", clip, def->clips[clip].name );
    supLabel jointLabel = supLabelOf( "joint", trackDef->joint, def->joints[trackDef->joint].name );
    snprintf( text, size, "%s, track %d (%s of %s)", clipLabel.text, (int)track, supPathName( trackDef->path ),
        jointLabel.text );
}

/// What must hold before anything of a track can be read, or even named.
static supResult supCheckTrackFields( const supCharacterDef* def, int32_t clip, int32_t index, supError* error )
{
    const supTrackDef* track = def->clips[clip].tracks + index;
    supLabel label = supLabelOf( "clip", clip, def->clips[clip].name );
    if ( track->joint < 0 || track->joint >= def->jointCount )
    {
        return supRefuse( def, error, sup_errorData, "%s, track %d: it moves joint %d, but there are %d joints",
            label.text, (int)index, (int)track->joint, (int)def->jointCount );
    }
    if ( (int)track->path < sup_pathTranslation || (int)track->path > sup_pathWeights )
    {
        return supRefuse(
            def, error, sup_errorArgument, "%s, track %d: %d is not a path", label.text, (int)index, (int)track->path );
    }
    if ( (int)track->interpolation < sup_interpolationStep || (int)track->interpolation > sup_interpolationCubic )
    {
        return supRefuse( def, error, sup_errorArgument, "%s, track %d: %d is not an interpolation", label.text,
            (int)index, (int)track->interpolation );
    }
    return sup_success;
}

static supResult supCheckTrack( const supCharacterDef* def, int32_t clip, int32_t index, supError* error )
{
    const supTrackDef* track = def->clips[clip].tracks + index;
    char name[256];
    supNameTrack( def, clip, index, name, sizeof( name ) );
    if ( track->keyCount < 1 )
    {
        return supRefuse( def, error, sup_errorData, "%s: has no keys", name );
    }
    if ( track->times == NULL || track->values == NULL )
    {
        return supRefuse( def, error, sup_errorArgument, "%s: there should be %d keys, but the array of %s is missing",
            name, (int)track->keyCount, track->times == NULL ? "times" : "values" );
    }
    const int32_t widths[3] = { 3, 4, 3 };
    if ( track->path == sup_pathWeights ? track->width < 1 : track->width != widths[track->path] )
    {
        return supRefuse( def, error, sup_errorData, "%s: a value cannot have %d numbers", name, (int)track->width );
    }
    return sup_success;
}

supResult supCheckClipDefs( const supCharacterDef* def, supError* error )
{
    supResult result = sup_success;
    for ( int32_t c = 0; result == sup_success && c < def->clipCount; ++c )
    {
        const supClipDef* clip = def->clips + c;
        supLabel label = supLabelOf( "clip", c, clip->name );
        if ( clip->trackCount < 0 || ( clip->trackCount > 0 && clip->tracks == NULL ) )
        {
            return supRefuse( def, error, sup_errorArgument, "%s: %d tracks%s", label.text, (int)clip->trackCount,
                clip->trackCount < 0 ? "" : ", but no array" );
        }
        for ( int32_t t = 0; result == sup_success && t < clip->trackCount; ++t )
        {
            result = supCheckTrackFields( def, c, t, error );
            result = result == sup_success ? supCheckTrack( def, c, t, error ) : result;
        }
    }
    return result;
}
