// Supple: making and destroying a character.
// SPDX-License-Identifier: MIT
#include "supple/character.h"

#include "base/float_settings.h"
#include "base/memory.h"
#include "base/names.h"
#include "character/joint_tree.h"
#include "character_data.h"

#include <assert.h>
#include <stdio.h>

supCharacterDef supDefaultCharacterDef( void )
{
    return ( supCharacterDef ){ .cookie = SUP_CHARACTER_COOKIE };
}

/// All that was put right, in one line: "fox.glb: repaired: 12 vertices with NaN weights (taken as zero), 3 NaN keys
/// (dropped)".
static void supTellFixes( const supCharacterDef* def, const supFixes* fixes )
{
    const struct
    {
        int64_t count;
        const char *one, *many, *done;
    } kinds[] = {
        { fixes->nanWeights, "vertex with NaN weights", "vertices with NaN weights", "taken as zero" },
        { fixes->infiniteWeights, "vertex with infinite weights", "vertices with infinite weights", "taken for all" },
        { fixes->negativeWeights, "vertex with weights below zero", "vertices with weights below zero",
            "taken as zero" },
        { fixes->weightSums, "vertex whose weights do not sum to one", "vertices whose weights do not sum to one",
            "normalised" },
        { fixes->borrowedWeights, "vertex without weights", "vertices without weights",
            "given those of the nearest vertex" },
        { fixes->weightless, "vertex without weights", "vertices without weights", "given to the skin's first joint" },
        { fixes->strayIndices, "joint index out of range without weight", "joint indices out of range without weight",
            "taken as 0" },
        { fixes->strayPositions, "NaN position in no triangle", "NaN positions in no triangle",
            "put where another vertex is" },
        { fixes->normals, "NaN normal", "NaN normals", "computed anew" },
        { fixes->tangents, "NaN tangent", "NaN tangents", "laid across the normal" },
        { fixes->restRotations, "rotation of a joint off unit length", "rotations of joints off unit length",
            "normalised" },
        { fixes->nanKeys, "NaN key", "NaN keys", "dropped" },
        { fixes->nanTangents, "key with NaN tangents", "keys with NaN tangents", "taken as zero" },
        { fixes->twinKeys, "key at the time of another", "keys at the time of another",
            "one kept, a jump where they differ" },
        { fixes->sortedTracks, "track with keys out of order", "tracks with keys out of order", "sorted" },
        { fixes->emptyTracks, "track with no key left", "tracks with no key left", "dropped" },
        { fixes->keyRotations, "rotation key off unit length", "rotation keys off unit length", "normalised" },
        { fixes->matrixTracks, "track of a joint that stands by a matrix", "tracks of joints that stand by a matrix",
            "ignored" },
        { fixes->idleWeightTracks, "track of morph weights without morph targets",
            "tracks of morph weights without morph targets", "ignored" },
        { fixes->replacedTracks, "track that moves what a later one of the clip moves too",
            "tracks that move what a later one of the clip moves too", "the last one counts" },
        { fixes->singularBinds, "inverse bind matrix that cannot be inverted",
            "inverse bind matrices that cannot be inverted", "these joints rest where the nodes put them" },
    };
    char text[2400];
    bool hasName = def->name != NULL && def->name[0] != 0;
    size_t start = hasName ? (size_t)snprintf( text, SUP_ERROR_TEXT, "%s: ", def->name ) : 0;
    size_t length = start < SUP_ERROR_TEXT ? start : SUP_ERROR_TEXT - 1;
    const char* before = "repaired: ";
    for ( size_t i = 0; i < sizeof( kinds ) / sizeof( kinds[0] ); ++i )
    {
        if ( kinds[i].count > 0 )
        {
            const char* what = kinds[i].count == 1 ? kinds[i].one : kinds[i].many;
            length += (size_t)snprintf( text + length, sizeof( text ) - length, "%s%lld %s (%s)", before,
                (long long)kinds[i].count, what, kinds[i].done );
            before = ", ";
        }
    }
    if ( def->log.note != NULL && before[0] == ',' )
    {
        supTakeControlsOut( text, '?' );
        def->log.note( text, def->log.user );
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
        supLabel label = supLabelOf( "joint", joint, character->joints[joint].view.name );
        supRefuse( def, error, sup_errorData, "%s: is too far away or too large at rest", label.text );
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
            supRefuse( def, error, sup_errorData, "%s, vertex %lld: is too far away at rest", label.text,
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

/// What is shown of it, now that all is worked out.
static void supFillInfo( supCharacter* character )
{
    for ( int32_t i = 0; i < character->jointCount; ++i )
    {
        character->joints[i].view.local = supMatToFloat( supJointLocal( character->joints + i ) );
    }
    character->info = ( supCharacterInfo ){
        .name = character->name,
        .jointCount = character->jointCount,
        .skinCount = character->skinCount,
        .meshCount = character->meshCount,
        .clipCount = character->clipCount,
        .vertexCount = character->vertexCount,
        .morphWeightCount = character->morphWeightCount,
        .paletteCount = character->paletteCount,
        .paletteJoints = character->paletteJoints,
        .jointOrder = character->jointOrder,
        .restJoints = character->restJoints,
        .restPositions = character->restPositions,
        .welds = character->welds,
        .lower = character->lower,
        .upper = character->upper,
        .size = character->size,
        .fingerprint = character->fingerprint,
    };
}

/// What is worked out from the copy: order, tracks, rest, welds.
static supResult supFinishCharacter(
    const supCharacterDef* def, supCharacter* character, supFixes* fixes, supError* error )
{
    supResult result = supRepairClips( def, character, fixes, error );
    if ( result != sup_success )
    {
        return result;
    }
    size_t count = (size_t)character->jointCount * 4 + 1;
    int32_t* scratch = supAllocZeroed( def->allocator, count, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( scratch == NULL )
    {
        return supRefuse( def, error, sup_errorMemory, "no memory for %d joints", (int)character->jointCount );
    }
    supResolveTracks( character, scratch, fixes );
    int32_t cycle = supOrderJoints( character->joints, character->jointCount, character->jointOrder, scratch );
    supSortJointNames( character, scratch );
    supFree( def->allocator, scratch, count * sizeof( int32_t ) );
    if ( cycle >= 0 )
    {
        supLabel label = supLabelOf( "joint", cycle, character->joints[cycle].view.name );
        return supRefuse( def, error, sup_errorData, "%s: is its own ancestor", label.text );
    }
    bool isPlaced = supComputeRest( character, fixes );
    // before welding: no NaN equals another, so that each would be looked for among all before it
    if ( isPlaced && !supIsRestFinite( character, def, error ) )
    {
        return sup_errorData;
    }
    if ( !isPlaced || !supComputeWelds( character ) )
    {
        return supRefuse(
            def, error, sup_errorMemory, "no memory for the rest pose of %d vertices", (int)character->vertexCount );
    }
    character->fingerprint = supComputeFingerprint( character );
    supFillInfo( character );
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
    supFloatSettings host = supEnterFloatSettings();
    size_t bytes = 0;
    supCharacter* character = supCopyCharacterDef( def, &fixes, &bytes );
    result = character != NULL ? supFinishCharacter( def, character, &fixes, error )
                               : supRefuse( def, error, sup_errorMemory,
                                     "no memory for the character, which takes %.3g MB", 1e-6 * (double)bytes );
    supLeaveFloatSettings( host );
    if ( result != sup_success )
    {
        supDestroyCharacter( character );
        return result;
    }
    supTellFixes( def, &fixes );
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
