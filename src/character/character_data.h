// Supple: the inside of a character. One block of memory holds all of it:
//
//     supCharacter | joints | skins | mesh views | clips | names | arrays of each skin, mesh and track
//     | rest, welds, palette
//
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "supple/character.h"

#define SUP_CHARACTER_COOKIE 0x43484152
#define SUP_MAX_SKIN_JOINTS 65535

typedef struct supJoint
{
    supJointView view; // `local` last of all
    int32_t depth;     // 0: a root
    int32_t firstMesh; // that it shows, -1: none; the next ones follow supCharacter::nextMeshes
    bool hasMatrix;    // stands by `matrix` and is not animated
    supTransform rest; // rotation of unit length
    supMat34 matrix;
} supJoint;

typedef struct supSkin
{
    const char* name;
    int32_t jointCount;
    int32_t firstPalette;
    bool hasInverseBind;
    int32_t* joints;
    supMat34* inverseBind; // identity where the def has none
} supSkin;

typedef struct supClip
{
    const char* name;
    double start, end;
    int32_t trackCount;
    supTrackDef* tracks; // their pointers lead into the block
    bool* isUsed;        // of each: not replaced by a later track, and there is something to move
} supClip;

struct supCharacter
{
    supAllocator allocator;
    size_t blockSize;
    const char* name;
    int32_t jointCount, skinCount, meshCount, clipCount;
    int32_t vertexCount, morphWeightCount, paletteCount;
    int32_t mostTracks; // in one clip
    supJoint* joints;
    int32_t* jointOrder;
    int32_t* jointsByName; // sorted; of one name the first joint comes first
    supSkin* skins;
    supMeshView* meshes;
    int32_t* nextMeshes; // of each mesh: the next one that the same joint shows, or -1
    supClip* clips;
    supMat34* restJoints;
    float* restPositions;
    int32_t* welds;
    int32_t* paletteJoints;
    supVec3 lower, upper;
    float size;
    uint64_t fingerprint;
    supCharacterInfo info; // what of all this is shown, filled in last
};

/// What was put right, counted while copying, told at the end in one line.
typedef struct supFixes
{
    // vertices, each counted for the first of these that is true of it
    int64_t nanWeights, infiniteWeights, negativeWeights, weightSums;
    int64_t weightless;        // that had no weight: of these
    int64_t borrowedWeights;   // took those of the nearest vertex that has some
    int64_t strayIndices;      // joint indices out of range, without weight
    int64_t strayPositions;    // NaN places of vertices in no triangle
    int64_t normals, tangents; // NaN; those of morph targets too
    int64_t restRotations, keyRotations;
    int64_t nanKeys, nanTangents, twinKeys; // keys
    int64_t sortedTracks, emptyTracks;
    int64_t matrixTracks, idleWeightTracks, replacedTracks;
    int64_t singularBinds;
} supFixes;

/// "mesh 'Body'", or "mesh 3" where it has no name.
typedef struct supLabel
{
    char text[96];
} supLabel;

supLabel supLabelOf( const char* kind, int32_t index, const char* name );

/// Refuses: the file's name goes in front, and what is not printable is taken out, so that it stays one line.
supResult supRefuse( const supCharacterDef* def, supError* error, supResult code, const char* format, ... )
    SUP_PRINTF( 4, 5 );

/// Where the first NaN or infinity stands among `count` floats; `count` where there is none.
size_t supFindNotFinite( const float* values, size_t count );

// character_check.c and clip_repair.c: every reason to refuse a def but cycles. Reads nothing before its count is
// checked.
supResult supCheckCharacterDef( const supCharacterDef* def, supError* error );
/// Bytes that it would take, about. Its counts are checked.
double supCharacterDefBytes( const supCharacterDef* def );
supResult supCheckClipDefs( const supCharacterDef* def, supError* error );

// character_copy.c: lays out the block of so many bytes and copies the def into it. NULL: no memory.
supCharacter* supCopyCharacterDef( const supCharacterDef* def, supFixes* fixes, size_t* bytes );

// vertex_repair.c: copies a skinned mesh's influences: in range, falling, sum 1; all 0 where a vertex has none.
void supCopyInfluences(
    const supMeshDef* def, int32_t skinJointCount, uint16_t* indices, float* weights, supFixes* fixes );

// borrow_weights.c: vertices without weights take those of the nearest that have some, else the skin's first joint.
// False: no memory for the work.
bool supBorrowWeights( supCharacter* character, supFixes* fixes );

// vertex_repair.c: what is not finite in copies of a mesh's arrays, put right. `indices` are in range.
void supRepairPositions( const supMeshDef* def, float* positions, supFixes* fixes );
void supRepairNormals( const supMeshDef* def, const float* positions, float* normals, supFixes* fixes );
void supRepairTangents( const supMeshDef* def, const float* normals, float* tangents, supFixes* fixes );
void supRepairDeltas( int32_t vertexCount, float* deltas, int64_t* fixed );

// clip_repair.c: keys that are not finite go, times rise, rotations have unit length; tracks with no key left go. Fails
// where it is not clear what times mean.
supResult supRepairClips( const supCharacterDef* def, supCharacter* character, supFixes* fixes, supError* error );
/// Brings a quaternion to unit length, or makes it the identity where it has none. Whether it had to be put right.
bool supRepairRotation( float* q );

// clip_repair.c: decides which tracks are used. `stamps` has 4 a joint, zeroed.
void supResolveTracks( supCharacter* character, int32_t* stamps, supFixes* fixes );

// joint_tree.c: parents before children, in `order`, with depths. A joint on a cycle, or -1. `scratch` has 2 * count
// + 1.
int32_t supOrderJoints( supJoint* joints, int32_t count, int32_t* order, int32_t* scratch );

// joint_tree.c. `scratch`: as many as there are joints.
void supSortJointNames( supCharacter* character, int32_t* scratch );

// same_points.c: of each point the first that stands in its place. Finite points alone. False: no memory for the work.
bool supFindSamePoints( const float* points, int32_t count, int32_t* firsts, const supAllocator* allocator );

// rest.c and same_points.c: what is worked out once. False: no memory for the work.
bool supComputeRest( supCharacter* character, supFixes* fixes );
bool supComputeWelds( supCharacter* character );
uint64_t supComputeFingerprint( const supCharacter* character );

// ---------------------------------------------------------------------------------------------------------------
// Pieces of a surface that are carried as they are: shells, belts, buckles, pistons, props.

/// Marks the vertices of all pieces of skinned surface that are rigid: connected, seams welded, on the same joints by
/// the same weights all over. `pieces`, one a vertex: a number that all of its piece have, or -1 where it is not rigid.
/// False: no memory for the work.
bool supFindRigidPieces( const supCharacter* character, const supAllocator* allocator, int32_t* pieces );

// ---------------------------------------------------------------------------------------------------------------
// One track at one time.

/// Between which keys a time falls. Held ends have key == next.
typedef struct supKeySpan
{
    int32_t key, next;
    double fraction; // in [0, 1) from key to next
    double duration; // seconds from key to next; 0 where held
} supKeySpan;

/// `cursor` is where the last search ended: a hint that saves time and never changes the answer.
supKeySpan supFindKeys( const supTrackDef* track, double time, int32_t* cursor );

/// Component `component` of a value, as the track interpolates it. Not for linear rotations.
double supSampleNumber( const supTrackDef* track, supKeySpan span, int32_t component );

supVec3d supSampleVector( const supTrackDef* track, supKeySpan span );

/// Of unit length.
supQuatd supSampleRotation( const supTrackDef* track, supKeySpan span );
