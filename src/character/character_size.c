// Supple: how much memory a character would take, before any of it is looked at.
// SPDX-License-Identifier: MIT
#include "character_data.h"

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
