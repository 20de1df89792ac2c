// Supple: smooth skinning as a stateless job. Buffers belong to the caller and carry strides.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/base.h"
#include "supple/character.h"

/// Morphs, then skins. Fill in from supDefaultSkinJob(), or from supCharacter_SkinJob().
///
/// Fails (sup_errorArgument, with words) when: the job was not made by supDefaultSkinJob; vertexCount < 0;
/// influenceCount is not in [1, 8]; jointIndices, weights or palette is missing; a stream's count is less than
/// vertexCount, or its stride less than its item (jointIndices 2 * influenceCount, weights 4 * influenceCount,
/// positions and normals 12, tangents 16 bytes); an output is wanted whose input is missing; morphCount < 0, or > 0
/// without weights or targets; method is not one of the two. Joint indices are not checked here: they must be less than
/// paletteCount (supCreateCharacter has checked its own).
typedef struct supSkinJob
{
    int32_t vertexCount;
    int32_t influenceCount;   ///< for every vertex the same, 1 to 8; unused ones have weight 0
    supInStream jointIndices; ///< uint16_t[influenceCount] a vertex
    supInStream weights;      ///< float[influenceCount] a vertex, sum 1
    const supMat34* palette;  ///< one matrix a joint: model-space joint times inverse bind
    int32_t paletteCount;

    supInStream positions; ///< float[3] a vertex
    supInStream normals;   ///< float[3] a vertex, or none
    /// float[4] a vertex, or none; w, the handedness, is passed through (turned by a mirroring matrix)
    supInStream tangents;

    int32_t morphCount;                 ///< targets; 0: none
    const float* morphWeights;          ///< morphCount of them
    const float* const* morphPositions; ///< each float[3 * vertexCount], tight, or NULL; may be NULL itself
    const float* const* morphNormals;   ///< likewise
    const float* const* morphTangents;  ///< likewise, 3 floats per vertex

    supOutStream outPositions; ///< float[3] a vertex
    supOutStream outNormals;   ///< float[3] a vertex, unit length
    supOutStream outTangents;  ///< float[4] a vertex, xyz of unit length

    supSkinning method;
    int32_t cookie; ///< set by supDefaultSkinJob
} supSkinJob;

SUP_API supSkinJob supDefaultSkinJob( void );
SUP_API supResult supSkinJob_Validate( const supSkinJob* job, supError* error );
/// Validates and runs the plain C reference: the truth that every faster path is tested against. Allocates nothing.
/// Blends in double precision and rounds each result once. A direction that a matrix flattens to nothing stays what it
/// was before. Outputs may not overlap inputs. Any number of threads may run jobs at once.
SUP_API supResult supSkinJob_Run( const supSkinJob* job, supError* error );

/// A job for one mesh; give it outputs and run it. `morphWeights` as a pose has them (all meshes), or NULL for the
/// defaults.
SUP_API supSkinJob supCharacter_SkinJob(
    const supCharacter* character, int32_t mesh, const supMat34* palette, const float* morphWeights );
