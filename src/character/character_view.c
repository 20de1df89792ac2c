// Supple: looking at a character.
// SPDX-License-Identifier: MIT

#include "base/names.h"
#include "character_data.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const supCharacterInfo* supCharacter_Info( const supCharacter* character )
{
    return &character->info;
}

const supJointView* supCharacter_Joint( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return &character->joints[joint].view;
}

supMeshView supCharacter_Mesh( const supCharacter* character, int32_t mesh )
{
    assert( 0 <= mesh && mesh < character->meshCount );
    return character->meshes[mesh];
}

supSkinView supCharacter_Skin( const supCharacter* character, int32_t skin )
{
    assert( 0 <= skin && skin < character->skinCount );
    const supSkin* found = character->skins + skin;
    return ( supSkinView ){ found->name, found->jointCount, found->joints, found->inverseBind };
}

supClipView supCharacter_Clip( const supCharacter* character, int32_t clip )
{
    assert( 0 <= clip && clip < character->clipCount );
    const supClip* found = character->clips + clip;
    return ( supClipView ){ found->name, found->start, found->end, found->trackCount, found->tracks };
}

int32_t supCharacter_FindClip( const supCharacter* character, const char* name )
{
    for ( int32_t i = 0; name != NULL && i < character->clipCount; ++i )
    {
        if ( strcmp( character->clips[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------
// How much memory a character would take, before any of it is looked at.

/// In memory of the block, at rest (places, welds and the table that finds them), and what is needed for a while.
static double supMeshBytes( const supMeshDef* mesh )
{
    double influences = mesh->skin >= 0 ? mesh->influenceCount : 1.0;
    double vertex = 12.0 + ( mesh->normals != NULL ? 12.0 : 0.0 ) + ( mesh->tangents != NULL ? 16.0 : 0.0 ) +
                    6.0 * influences + 12.0 + 4.0 + 16.0;
    const float* const* const streams[3] = { mesh->morphPositions, mesh->morphNormals, mesh->morphTangents };
    for ( int s = 0; s < 3; ++s )
    {
        for ( int32_t m = 0; streams[s] != NULL && m < mesh->morphCount; ++m )
        {
            vertex += streams[s][m] != NULL ? 12.0 : 0.0;
        }
    }
    return vertex * mesh->vertexCount + 4.0 * mesh->indexCount + 64.0 * mesh->morphCount + sizeof( supMeshView );
}

static double supClipBytes( const supClipDef* clip )
{
    double bytes = sizeof( supClip );
    for ( int32_t t = 0; clip->tracks != NULL && t < clip->trackCount; ++t )
    {
        const supTrackDef* track = clip->tracks + t;
        double values = track->width * ( track->interpolation == sup_interpolationCubic ? 3.0 : 1.0 );
        bytes += sizeof( supTrackDef ) + sizeof( bool ) + 4.0 * track->keyCount * ( 1.0 + values );
    }
    return bytes;
}

double supCharacterDefBytes( const supCharacterDef* def )
{
    double bytes = def->jointCount * ( sizeof( supJoint ) + sizeof( supMat34 ) + 32.0 );
    for ( int32_t i = 0; i < def->skinCount; ++i )
    {
        bytes += sizeof( supSkin ) + def->skins[i].jointCount * ( sizeof( supMat34 ) + 200.0 );
    }
    for ( int32_t i = 0; i < def->meshCount; ++i )
    {
        bytes += supMeshBytes( def->meshes + i );
    }
    for ( int32_t i = 0; i < def->clipCount; ++i )
    {
        bytes += supClipBytes( def->clips + i );
    }
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------------
// How things of a character are named in messages.

supLabel supLabelOf( const char* kind, int32_t index, const char* name )
{
    supLabel label;
    if ( name != NULL && name[0] != 0 )
    {
        snprintf( label.text, sizeof( label.text ), "%s '%.*s'", kind, (int)supWholeCharacters( name, 64 ), name );
    }
    else
    {
        snprintf( label.text, sizeof( label.text ), "%s %d", kind, (int)index );
    }
    return label;
}

supResult supRefuse( const supCharacterDef* def, supError* error, supResult code, const char* format, ... )
{
    char text[SUP_ERROR_TEXT];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supTakeControlsOut( text, '?' );
    bool hasName = def->name != NULL && def->name[0] != 0;
    return supFail( error, code, "%s%s%s", hasName ? def->name : "", hasName ? ": " : "", text );
}

size_t supFindNotFinite( const float* values, size_t count )
{
    size_t i = 0;
    while ( i < count && isfinite( values[i] ) )
    {
        ++i;
    }
    return i;
}
