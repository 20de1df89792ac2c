// Supple: making and destroying a character.
// SPDX-License-Identifier: MIT
#include "supple/character.h"

#include "base/memory.h"
#include "character_data.h"

#include <assert.h>
#include <stdio.h>

supCharacterDef supDefaultCharacterDef( void )
{
    return ( supCharacterDef ){ .cookie = SUP_CHARACTER_COOKIE };
}

/// One line for each kind of thing that was put right.
static void supTellFixes( const supLog* log, const supFixes* fixes )
{
    const struct
    {
        int64_t count;
        const char* format;
    } kinds[] = {
        { fixes->negativeWeights, "weights of %lld vertices are below zero: taken as zero" },
        { fixes->weightSums, "weights of %lld vertices did not sum to one: normalised" },
        { fixes->weightless, "%lld vertices have no weight: given to the skin's first joint" },
        { fixes->restRotations, "rotations of %lld joints were not of unit length: normalised" },
        { fixes->keyRotations, "%lld rotation keys were not of unit length: normalised" },
        { fixes->matrixTracks, "%lld tracks move joints that stand by a matrix: ignored" },
        { fixes->idleWeightTracks, "%lld tracks move morph weights where there are no morph targets: ignored" },
        { fixes->replacedTracks, "%lld tracks move what a later track of the clip moves too: the last one counts" },
        { fixes->singularBinds,
            "%lld inverse bind matrices cannot be inverted: these joints rest where the nodes put them" },
    };
    for ( size_t i = 0; log->note != NULL && i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
    {
        if ( kinds[i].count > 0 )
        {
            char text[160];
            snprintf( text, sizeof( text ), kinds[i].format, (long long)kinds[i].count );
            log->note( text, log->user );
        }
    }
}

/// Finite numbers in the file can still multiply to something that is not.
static bool supIsRestFinite( const supCharacter* character, const supCharacterDef* def, supError* error )
{
    size_t count = (size_t)character->jointCount * 12;
    size_t at = supFindNotFinite( (const float*)character->restJoints, count );
    if ( at < count )
    {
        int32_t joint = (int32_t)( at / 12 );
        supLabel label = supLabelOf( "joint", joint, character->joints[joint].name );
        supRefuse( def, error, sup_errorData, "%s: stands too far away or is too large at rest", label.text );
        return false;
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        const supMeshView* mesh = character->meshes + m;
        count = (size_t)mesh->vertexCount * 3;
        at = supFindNotFinite( character->restPositions + 3 * (size_t)mesh->firstVertex, count );
        if ( at < count )
        {
            supLabel label = supLabelOf( "mesh", m, mesh->name );
            supRefuse( def, error, sup_errorData, "%s, vertex %lld: stands too far away at rest", label.text,
                (long long)( at / 3 ) );
            return false;
        }
    }
    if ( supFindNotFinite( &character->size, 1 ) == 0 )
    {
        supRefuse( def, error, sup_errorData, "the bounding box at rest is too large" );
        return false;
    }
    return true;
}

/// What is worked out from the copy: order, tracks, rest, welds.
static supResult supFinishCharacter(
    const supCharacterDef* def, supCharacter* character, supFixes* fixes, supError* error )
{
    size_t count = (size_t)character->jointCount * 4 + 1;
    int32_t* scratch = supAllocZeroed( def->allocator, count, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( scratch == NULL )
    {
        return supRefuse( def, error, sup_errorMemory, "no memory for %d joints", (int)character->jointCount );
    }
    supResolveTracks( character, scratch, fixes );
    int32_t cycle = supOrderJoints( character->joints, character->jointCount, character->jointOrder, scratch );
    supFree( def->allocator, scratch, count * sizeof( int32_t ) );
    if ( cycle >= 0 )
    {
        supLabel label = supLabelOf( "joint", cycle, character->joints[cycle].name );
        return supRefuse( def, error, sup_errorData, "%s: is its own ancestor", label.text );
    }
    if ( !supComputeRest( character, fixes ) || !supComputeWelds( character ) )
    {
        return supRefuse(
            def, error, sup_errorMemory, "no memory for the rest pose of %d vertices", (int)character->vertexCount );
    }
    if ( !supIsRestFinite( character, def, error ) )
    {
        return sup_errorData;
    }
    character->fingerprint = supComputeFingerprint( character );
    return sup_success;
}

supResult supCreateCharacter( const supCharacterDef* def, supCharacter** out, supError* error )
{
    assert( def != NULL && out != NULL );
    *out = NULL;
    if ( def->cookie != SUP_CHARACTER_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the character's def was not made by supDefaultCharacterDef" );
    }
    supResult result = supCheckCharacterDef( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supFixes fixes = { 0 };
    supCharacter* character = supCopyCharacterDef( def, &fixes );
    if ( character == NULL )
    {
        return supRefuse( def, error, sup_errorMemory, "no memory for the character" );
    }
    result = supFinishCharacter( def, character, &fixes, error );
    if ( result != sup_success )
    {
        supDestroyCharacter( character );
        return result;
    }
    supTellFixes( &def->log, &fixes );
    *out = character;
    return sup_success;
}

void supDestroyCharacter( supCharacter* character )
{
    if ( character != NULL )
    {
        supAllocator allocator = character->allocator;
        supFree( &allocator, character, character->blockSize );
    }
}
