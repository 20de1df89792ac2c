// What the evaluator's files share.
#pragma once

#include "evaluator.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct evalBytes
{
    uint8_t* data;
    size_t size;
} evalBytes;

typedef struct evalBuffer
{
    evalBytes bytes;
    bool isLoaded;
} evalBuffer;

typedef struct evalView
{
    const uint8_t* data;
    uint8_t* owned; // decoded by meshoptimizer; else NULL, and data points into a buffer
    size_t size;
    size_t stride; // 0: not given
    bool isLoaded;
} evalView;

// An accessor's elements as doubles, `width` to an element.
typedef struct evalArray
{
    double* values;
    int count;
    int width;
    bool isUnsignedInteger; // stored as unsigned integers and not normalised: usable as indices
} evalArray;

typedef struct evalNode
{
    const char* name;
    int parent; // -1: root
    int depth;  // number of ancestors
    int mesh;   // -1: none
    int skin;   // -1: none
    bool hasMatrix;
    double matrix[16];
    double translation[3];
    double rotation[4];
    double scale[3];
    double* weights; // of the node, or NULL: the mesh's apply
    int weightCount;
} evalNode;

typedef struct evalTarget
{
    double* positions; // deltas, 3 a vertex; NULL where absent
    double* normals;
    double* tangents;
} evalTarget;

typedef struct evalPrimitive
{
    int vertexCount; // 0: no POSITION
    int mode;        // 4: triangles
    int* indices;
    int indexCount;
    double* positions;
    double* normals;  // NULL where absent
    double* tangents; // 4 a vertex; NULL where absent
    evalTarget* targets;
    int targetCount;
    int influenceCount; // a vertex: 4 for each JOINTS_n, WEIGHTS_n pair
    int* joints;
    double* weights; // normalised; all zero where they are in the file
} evalPrimitive;

typedef struct evalMesh
{
    evalPrimitive* primitives;
    int primitiveCount;
    int targetCount;
    double* weights; // targetCount of them, zero by default
} evalMesh;

typedef struct evalSkin
{
    int* joints;
    int jointCount;
    double* inverseBinds; // 16 a joint; NULL: all identity
} evalSkin;

typedef enum evalPath
{
    eval_pathTranslation,
    eval_pathRotation,
    eval_pathScale,
    eval_pathWeights,
} evalPath;

typedef enum evalInterpolation
{
    eval_interpolationStep,
    eval_interpolationLinear,
    eval_interpolationCubic,
} evalInterpolation;

typedef struct evalChannel
{
    int node;
    evalPath path;
    evalInterpolation interpolation;
    int keyCount;
    int width;      // numbers in one value
    double* times;  // keyCount
    double* values; // keyCount * width, or three times as many: in-tangent, value, out-tangent
} evalChannel;

typedef struct evalClip
{
    const char* name;
    evalChannel* channels;
    int channelCount;
    double start, end;
} evalClip;

struct evalFile
{
    char* message; // where evalFail writes, while loading
    size_t messageSize;

    char* folder; // of the file, with its slash; "" for none
    evalBytes container;
    evalBytes chunk; // the binary chunk of a .glb, inside container
    json_t* json;

    evalBuffer* buffers;
    int bufferCount;
    evalView* views;
    int viewCount;

    evalNode* nodes;
    int* order; // nodes, parents first
    evalMesh* meshes;
    evalSkin* skins;
    evalClip* clips;
    evalDraw* draws;
    int drawCapacity;
    evalInfo info;

    double* globals;      // 16 a node: the current pose
    double** nodeWeights; // for each node: morph weights in the current pose, or NULL
    double* palette;      // 16 a joint of the largest skin
};

// --- eval_math.c
void evalIdentity( double* m );
void evalMultiply( double* out, const double* a, const double* b ); // out = a b; out may be neither
void evalCompose( double* m, const double* t, const double* r, const double* s );
void evalTransformPoint( double* out, const double* m, const double* p );
void evalTransformVector( double* out, const double* m, const double* v );
void evalTransformNormal( double* out, const double* m, const double* n ); // by the inverse transpose, not normalised
void evalNormalise( double* v, int count );                                // leaves a zero vector alone
void evalSlerp( double* out, const double* a, const double* b, double t );

// --- eval_json.c. The functions that return bool say in the message what was wrong before they return false.
bool evalFail( evalFile* file, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
void* evalAllocate( evalFile* file, size_t count, size_t size ); // zeroed; NULL and a message without memory
bool evalGetArray( evalFile* file, const json_t* object, const char* key, const char* where, const json_t** array );
bool evalGetObject( evalFile* file, const json_t* object, const char* key, const char* where, const json_t** member );
bool evalToSize( const json_t* value, size_t* out );
bool evalGetSize(
    evalFile* file, const json_t* object, const char* key, const char* where, size_t fallback, size_t* out );
bool evalGetIndex( evalFile* file, const json_t* object, const char* key, const char* where, int count, int* out );
bool evalGetDoubles( evalFile* file, const json_t* object, const char* key, const char* where, int count, double* out );
int evalRootCount( const evalFile* file, const char* key );

// --- eval_container.c
bool evalReadContainer( evalFile* file, const char* path );
bool evalReadUri( evalFile* file, const char* uri, int buffer, evalBytes* out );

// --- eval_accessor.c
bool evalReadAccessor( evalFile* file, int accessor, const char* where, evalArray* out );

// --- eval_primitive.c
bool evalReadPrimitive( evalFile* file, const json_t* json, const char* where, evalPrimitive* out );
void evalFreePrimitive( evalPrimitive* primitive );

// --- eval_scene.c
bool evalReadNodes( evalFile* file );
bool evalReadMeshes( evalFile* file );
bool evalReadSkins( evalFile* file );
bool evalReadDraws( evalFile* file );
void evalFreeScene( evalFile* file );

// --- eval_clip.c
bool evalReadClips( evalFile* file );
void evalFreeClips( evalFile* file );
void evalSampleChannel( const evalChannel* channel, double time, double* out );
