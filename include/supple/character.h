// Supple: a character is what the artist already has: meshes, influences, skeleton, clips. It never changes once made.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

typedef struct supCharacter supCharacter;
typedef struct supPose supPose;

/// The most influences that one vertex may have.
#define SUP_MAX_INFLUENCES 8

/// How several joints share a vertex.
typedef enum supSkinning
{
    sup_skinningLinear = 0, ///< linear blend skinning: the blended matrix
    /// Kavan, Collins, Zara, O'Sullivan, "Geometric skinning with approximate dual quaternion blending", 2008. Scale
    /// and shear go first, blended linearly
    sup_skinningDualQuaternion = 1,
} supSkinning;

// ---------------------------------------------------------------------------------------------------------------
// Definition: plain arrays of the caller's, copied. Loaders and hosts fill these in.

/// A joint: any node of the transform tree, whether or not a skin uses it. Joint indices are the host's own: for glTF,
/// the node's.
typedef struct supJointDef
{
    const char* name;  ///< NULL: no name
    int32_t parent;    ///< another joint (in any order), or -1
    supTransform rest; ///< local, as the file stores it
    /// Local matrix instead of `rest` (may shear); such a joint is not animated. NULL: use `rest`
    const supMat34* matrix;
    /// Which bone of a human it is, in the words of VRM 1.0: "hips", "leftUpperLeg", … NULL: the file does not say
    const char* humanBone;
    /// Something in the host swings it already, such as a spring bone of VRM
    bool hasPhysics;
} supJointDef;

/// A list of joints that meshes are bound to.
typedef struct supSkinDef
{
    const char* name;
    int32_t jointCount;
    const int32_t* joints; ///< indices of joints
    /// jointCount of them, or NULL: identity, and rest is taken from the joints themselves
    const supMat34* inverseBind;
} supSkinDef;

/// One set of vertices with one material. Two of them for a glTF mesh of two primitives; one for each node that shows a
/// mesh.
typedef struct supMeshDef
{
    const char* name;     ///< of the mesh (or of its node where the mesh has none)
    const char* material; ///< NULL: none
    /// The node that shows it; carries it rigidly where `skin` is -1, and owns its morph weights
    int32_t joint;
    int32_t skin; ///< -1: not skinned
    int32_t vertexCount;
    const float* positions;       ///< 3 per vertex
    const float* normals;         ///< 3 per vertex, or NULL
    const float* tangents;        ///< 4 per vertex, or NULL
    int32_t influenceCount;       ///< per vertex, 1 to 8; ignored where `skin` is -1
    const uint16_t* jointIndices; ///< influenceCount per vertex, into the skin's list
    const float* weights;         ///< influenceCount per vertex; need not sum to one, nor be numbers
    int32_t indexCount;           ///< three per triangle; 0 for points and lines
    const uint32_t* indices;
    int32_t morphCount;
    const float* const* morphPositions; ///< each 3 per vertex, or NULL
    const float* const* morphNormals;
    const float* const* morphTangents;   ///< 3 per vertex
    const float* morphWeights;           ///< defaults; NULL: zeros
    const char* const* morphNames;       ///< NULL: none has a name; nor need single ones
    int32_t sourceMesh, sourcePrimitive; ///< where it stands in the host's file; -1: nowhere
} supMeshDef;

typedef enum supInterpolation
{
    sup_interpolationStep = 0,
    sup_interpolationLinear = 1, ///< spherical for rotations
    sup_interpolationCubic = 2,  ///< three values per key: in-tangent, value, out-tangent
} supInterpolation;

typedef enum supPath
{
    sup_pathTranslation = 0,
    sup_pathRotation = 1,
    sup_pathScale = 2,
    sup_pathWeights = 3, ///< of the morph targets of the meshes shown by the joint
} supPath;

typedef struct supTrackDef
{
    int32_t joint;
    supPath path;
    supInterpolation interpolation;
    int32_t keyCount;
    const float* times; ///< seconds, increasing
    /// keyCount * width, times 3 where cubic; width is 3, 4, 3, or the number of morph targets
    const float* values;
    int32_t width;
} supTrackDef;

typedef struct supClipDef
{
    const char* name;
    int32_t trackCount;
    const supTrackDef* tracks;
} supClipDef;

/// Control characters in names become spaces: whoever prints one prints no escape sequence.
typedef struct supCharacterDef
{
    const char* name; ///< for messages: the file's name
    int32_t jointCount, skinCount, meshCount, clipCount;
    const supJointDef* joints;
    const supSkinDef* skins;
    const supMeshDef* meshes;
    const supClipDef* clips;
    supLog log;                    ///< told what was put right, in one line
    const supAllocator* allocator; ///< copied; NULL: malloc
    size_t mostMemory;             ///< bytes that it may take, about; 0: no limit. Beyond: sup_errorLimit
    int32_t cookie;                ///< set by supDefaultCharacterDef
} supCharacterDef;

/// No joints, meshes or clips yet.
SUP_API supCharacterDef supDefaultCharacterDef( void );

/// Checks and copies everything. Refuses, naming the thing: cycles among joints; indices out of range with a weight;
/// NaN and infinity in transforms, bind matrices and places of corners of triangles; tracks without keys; more joints
/// than 65,535 in a skin, or none. Puts right what is clear, counts it, and says so in one line, "NAME: repaired: 12
/// vertices with NaN weights (taken as zero), 3 NaN keys (dropped)":
///   weights   NaN and below zero count as zero, infinite ones for all; the sum becomes one. A vertex without any takes
///             those of the nearest vertex of the skin that has some, along the surface where there is a way; where
///             none has any, the skin's first joint. A joint index out of range without weight is 0
///   vertices  NaN normals are computed anew, tangents laid across them; NaN places in no triangle go to another
///             vertex's
///   keys      NaN ones go, and a track with them where none is left; NaN tangents are zero; keys out of order are
///             sorted (refused where two of one time differ); of two at one time one is kept, or a jump is made
///   other     quaternions off unit length, two tracks that move the same thing (the last one counts), tracks that move
///             nothing (of a joint with a matrix, of weights where no mesh has targets)
/// `def->name` stands in front of the error's words.
SUP_API supResult supCreateCharacter( const supCharacterDef* def, supCharacter** out, supError* error );
/// Destroys a character that no model, pose, editor or figure uses any more. NULL is passed over.
SUP_API void supDestroyCharacter( supCharacter* character );

// ---------------------------------------------------------------------------------------------------------------
// Looking at one. Views point into the character and live as long as it does.

typedef struct supMeshView
{
    const char* name;     ///< never NULL
    const char* material; ///< never NULL
    int32_t joint, skin;
    int32_t vertexCount, influenceCount, indexCount, morphCount;
    int32_t firstVertex;          ///< where this mesh starts among all vertices of the character
    int32_t firstPalette;         ///< where its joints' matrices start in the palette
    const float* positions;       ///< as the file has them, before skinning
    const float* normals;         ///< or NULL
    const float* tangents;        ///< or NULL
    const uint16_t* jointIndices; ///< from firstPalette; in range, ordered by falling weight
    const float* weights;         ///< sum 1
    const uint32_t* indices;
    const float* const* morphPositions;
    const float* const* morphNormals;
    const float* const* morphTangents;
    const float* morphWeights;     ///< defaults
    const char* const* morphNames; ///< never NULL where there are targets; "" where one has none
    int32_t firstMorphWeight;      ///< where its weights start in a pose
    int32_t sourceMesh, sourcePrimitive;
} supMeshView;

/// A list of joints that meshes are bound to.
typedef struct supSkinView
{
    const char* name; ///< never NULL
    int32_t jointCount;
    const int32_t* joints;       ///< indices of joints
    const supMat34* inverseBind; ///< one for each of them
} supSkinView;

typedef struct supClipView
{
    const char* name;  ///< never NULL
    double start, end; ///< seconds; of the first and the last key
    int32_t trackCount;
    const supTrackDef* tracks;
} supClipView;

typedef struct supJointView
{
    const char* name;      ///< "" where it has none
    int32_t parent;        ///< -1: a root
    supMat34 local;        ///< the transform that the file stores, as a matrix
    const char* humanBone; ///< which bone of a human the file says it is, "leftUpperLeg"; "" where it says nothing
    bool isSkinJoint;      ///< some skin gives weight to it
    bool hasPhysics;       ///< something in the host swings it already
} supJointView;

/// What a character is as a whole.
///
/// Rest is the bind pose, in world units. For a skin with inverse bind matrices the bind pose is carried into model
/// space by the skin's topmost joint, S = joint * inverse bind (with the joint where the file's nodes put it): so a
/// file whose mesh is in centimetres, quantized or lying on its back rests in metres, upright. Without them, and for
/// joints of no skin, rest is the nodes', under the rest of the parent. Where skins share joints, the one whose topmost
/// joint comes first in the joint order places them, and the others hang on it. A bind matrix that cannot be inverted
/// (zero scale) leaves its joint to the nodes; that is said once. The default weights of morph targets belong to rest:
/// supPose_Rest, skinned, gives the rest positions.
typedef struct supCharacterInfo
{
    const char* name; ///< for messages: the file's name
    int32_t jointCount, skinCount, meshCount, clipCount;
    int32_t vertexCount;      ///< of all meshes together
    int32_t morphWeightCount; ///< of all meshes together
    /// Matrices that skinning multiplies vertices with: one for every joint of every skin, and one for every mesh that
    /// is not skinned
    int32_t paletteCount;
    const int32_t* paletteJoints; ///< which joint stands behind each of them
    const int32_t* jointOrder;    ///< all joints, parents before children
    const supMat34* restJoints;   ///< model-space matrices of all joints at rest
    const float* restPositions;   ///< of all vertices at rest, 3 floats each
    /// Each vertex's first vertex in the same place at rest (itself where it is the first). Seams of normals and
    /// texture coordinates split vertices in files that are one to the artist
    const int32_t* welds;
    supVec3 lower, upper; ///< the corners of the bounding box of the rest positions
    float size;           ///< its diagonal. Metres. Defaults and tolerances are shares of it
    /// A hash of the topology and the rest positions: rigs that list vertices carry it, so that a re-export cannot
    /// misapply them
    uint64_t fingerprint;
} supCharacterInfo;

/// What it is as a whole. Never NULL, and lives as long as the character.
SUP_API const supCharacterInfo* supCharacter_Info( const supCharacter* character );
/// One joint. Never NULL, and lives as long as the character.
SUP_API const supJointView* supCharacter_Joint( const supCharacter* character, int32_t joint );
/// The first joint that has this name; -1: there is none.
SUP_API int32_t supCharacter_FindJoint( const supCharacter* character, const char* name );
/// One mesh, skin or clip, by its index. What the views point to lives as long as the character.
SUP_API supMeshView supCharacter_Mesh( const supCharacter* character, int32_t mesh );
SUP_API supSkinView supCharacter_Skin( const supCharacter* character, int32_t skin );
SUP_API supClipView supCharacter_Clip( const supCharacter* character, int32_t clip );
/// The first clip that has this name; -1: there is none.
SUP_API int32_t supCharacter_FindClip( const supCharacter* character, const char* name );

// ---------------------------------------------------------------------------------------------------------------
// The palette: what skinning multiplies vertices with

/// Model-space joints (as many as the character has) to palette: joint times inverse bind for every joint of every
/// skin, and the joint itself for every mesh that is not skinned. Allocates nothing.
SUP_API void supCharacter_Palette( const supCharacter* character, const supMat34* joints, supMat34* palette );

// ---------------------------------------------------------------------------------------------------------------
// Poses: where the joints are at a time of a clip. One pose for each thread; sampling allocates nothing.

/// Makes a pose, at rest. The character must outlive it. `def` may be NULL. The caller destroys it.
SUP_API supResult supCreatePose( const supCharacter* character, const supMakeDef* def, supPose** out, supError* error );
/// NULL is passed over.
SUP_API void supDestroyPose( supPose* pose );
/// Samples a clip at a time in seconds, held before its first and after its last key; joints that it does not animate
/// stand where the file puts them. clip -1: all of them do. Worked out in double precision, rounded once.
SUP_API void supPose_Sample( supPose* pose, int32_t clip, double time );
/// Every joint at rest (the bind pose).
SUP_API void supPose_Rest( supPose* pose );
/// Model-space matrices, as many as the character has joints. They are the pose's own, and change with it.
SUP_API const supMat34* supPose_Joints( const supPose* pose );
/// Weights of the morph targets of all meshes (morphWeightCount of them). They are the pose's own, and change with it.
SUP_API const float* supPose_MorphWeights( const supPose* pose );
