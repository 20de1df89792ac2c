// An evaluator of glTF 2.0 files in double precision, written from the specification alone. It shares no code with the
// library and includes none of its headers: what the library reads, skins and bakes is judged against it.
//
// Where the specification leaves room, this is the reading taken here:
//  - A rotation is normalised before it is used, whether it comes from a node, a key or a spline.
//  - LINEAR rotations: spherical interpolation along the shorter arc. Outside its keys a sampler holds its end values.
//  - Weights are divided by their sum. evalInfo tells how many vertices that changed by more than rounding.
//  - A vertex of a skinned mesh whose weights are all zero follows the mesh's own node, as if it were not skinned.
//  - A skinned mesh ignores its node's transform; joint matrices are global(joint) * inverseBind(joint).
//  - The nodes drawn are those of the scene `scene` names; else of scene 0; else, with no scenes, all root nodes.
//  - Primitives without POSITION are not drawn. Lines and points are: every vertex of it counts, used or not.
//  - Normals go by the inverse transpose of the blended 3x3 and are normalised; tangents by the 3x3 itself, normalised,
//    their w kept.
//  - Animation channels with no target node, or with a path not known to glTF 2.0, are ignored.
//
// Positions are in the world's units. Matrices are 4x4, column by column, as glTF stores them. Not thread safe: one
// evalFile holds one pose.
#pragma once

#include <stddef.h>

typedef struct evalFile evalFile;

// One primitive of one mesh under one node: what a player would draw in one go.
typedef struct evalDraw
{
    int node;
    int mesh;
    int primitive;
    int skin;        // -1: not skinned
    int vertexCount; // number of elements of POSITION
    int mode;        // 4: triangles; the others as in glTF
    int hasNormals;
    int hasTangents;
} evalDraw;

typedef struct evalInfo
{
    int nodeCount;
    int meshCount;
    int skinCount;
    int clipCount;
    int drawCount;
    int renormalisedVertices; // sum of weights off by more than the specification's 2e-7 for each weight that is not 0
    int weightlessVertices;   // of skinned draws, all weights zero
    double largestWeightSum;  // over the vertices that have weights; 0 without any
    double smallestWeightSum; // over the vertices whose sum is not zero; 0 without any
} evalInfo;

// Reads a .glb or .gltf and all it refers to. NULL on failure, and then `message` (of `messageSize` bytes) says why in
// one line. evalFree takes NULL too.
evalFile* evalLoad( const char* path, char* message, size_t messageSize );
void evalFree( evalFile* file );

evalInfo evalGetInfo( const evalFile* file );
const evalDraw* evalGetDraw( const evalFile* file, int draw );

// Names are NULL where the file gives none.
const char* evalNodeName( const evalFile* file, int node );
const char* evalClipName( const evalFile* file, int clip );

// The clip of that name, or -1.
int evalFindClip( const evalFile* file, const char* name );

// First and last key time over the clip's channels, seconds. Both 0 for a clip without usable channels.
void evalClipTimes( const evalFile* file, int clip, double* start, double* end );

// The draw's vertices in the order in which they are drawn: three to a triangle in mode 4. 0, 1, 2, ... where the
// primitive has no indices.
const int* evalIndices( const evalFile* file, int draw, int* count );

// Poses all nodes: clip -1 is the nodes as the file has them. evalLoad leaves the file in that pose.
void evalPose( evalFile* file, int clip, double time );

// The node's global matrix in the current pose, 16 doubles.
const double* evalNodeMatrix( const evalFile* file, int node );

// The morph weights of the draw in the current pose; count may be NULL.
const double* evalMorphWeights( const evalFile* file, int draw, int* count );

// Positions of the draw in the current pose, 3 doubles a vertex.
void evalPositions( evalFile* file, int draw, double* xyz );

// 3 and 4 doubles a vertex. 0 (and nothing written) where the primitive has none.
int evalNormals( evalFile* file, int draw, double* xyz );
int evalTangents( evalFile* file, int draw, double* xyzw );

// Positions in rest, 3 doubles a vertex. Skinned draws stand as bound: each joint at S * inverse(inverse bind), so that
// every joint matrix is S. S brings the bind pose from the mesh's units to the world's: global(j) * inverseBind(j) with
// the nodes as the file has them, j being the skin's joint with the fewest ancestors (the first of several). Without
// inverse bind matrices, and for draws that are not skinned, the nodes stand as the file has them. Morph weights are
// the file's own. Keeps the current pose.
void evalRestPositions( evalFile* file, int draw, double* xyz );

// The box around all draws in rest, and in the current pose. 0, and an empty box, without any vertex.
int evalRestBox( evalFile* file, double lower[3], double upper[3] );
int evalPoseBox( evalFile* file, double lower[3], double upper[3] );

// The diagonal of the rest box: the model's size.
double evalSize( evalFile* file );
