// Poses, morph targets and linear blend skinning.

#include "eval_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct evalTransform
{
    double translation[3];
    double rotation[4];
    double scale[3];
} evalTransform;

static void evalApplyChannels( evalFile* file, const evalClip* clip, double time, evalTransform* locals )
{
    for ( int i = 0; i < clip->channelCount; ++i )
    {
        const evalChannel* channel = clip->channels + i;
        if ( channel->node < 0 )
        {
            continue;
        }
        evalTransform* local = locals + channel->node;
        double* targets[] = { local->translation, local->rotation, local->scale, file->nodeWeights[channel->node] };
        evalSampleChannel( channel, time, targets[channel->path] );
    }
}

static void evalResetWeights( evalFile* file, int index )
{
    const evalNode* node = file->nodes + index;
    if ( node->mesh >= 0 )
    {
        const evalMesh* mesh = file->meshes + node->mesh;
        const double* weights = node->weights != NULL ? node->weights : mesh->weights;
        memcpy( file->nodeWeights[index], weights, (size_t)mesh->targetCount * sizeof( double ) );
    }
}

void evalPose( evalFile* file, int clip, double time )
{
    int count = file->info.nodeCount;
    evalTransform* locals = malloc( (size_t)( count + 1 ) * sizeof( evalTransform ) );
    if ( locals == NULL )
    {
        abort();
    }
    for ( int i = 0; i < count; ++i )
    {
        memcpy( locals[i].translation, file->nodes[i].translation, sizeof( locals[i].translation ) );
        memcpy( locals[i].rotation, file->nodes[i].rotation, sizeof( locals[i].rotation ) );
        memcpy( locals[i].scale, file->nodes[i].scale, sizeof( locals[i].scale ) );
        evalResetWeights( file, i );
    }
    if ( clip >= 0 )
    {
        evalApplyChannels( file, file->clips + clip, time, locals );
    }
    for ( int i = 0; i < count; ++i )
    {
        int node = file->order[i], parent = file->nodes[node].parent;
        double local[16];
        if ( file->nodes[node].hasMatrix )
        {
            memcpy( local, file->nodes[node].matrix, sizeof( local ) );
        }
        else
        {
            evalCompose( local, locals[node].translation, locals[node].rotation, locals[node].scale );
        }
        if ( parent < 0 )
        {
            memcpy( file->globals + 16 * node, local, sizeof( local ) );
        }
        else
        {
            evalMultiply( file->globals + 16 * node, file->globals + 16 * parent, local );
        }
    }
    free( locals );
}

const double* evalNodeMatrix( const evalFile* file, int node )
{
    return file->globals + 16 * node;
}

const double* evalMorphWeights( const evalFile* file, int draw, int* count )
{
    const evalDraw* d = file->draws + draw;
    if ( count != NULL )
    {
        *count = file->meshes[d->mesh].targetCount;
    }
    return file->nodeWeights[d->node];
}

static const evalPrimitive* evalDrawPrimitive( const evalFile* file, const evalDraw* draw )
{
    return file->meshes[draw->mesh].primitives + draw->primitive;
}

const int* evalIndices( const evalFile* file, int draw, int* count )
{
    const evalPrimitive* primitive = evalDrawPrimitive( file, file->draws + draw );
    *count = primitive->indexCount;
    return primitive->indices;
}

static int evalTopmostJoint( const evalFile* file, const evalSkin* skin )
{
    int top = 0;
    for ( int i = 1; i < skin->jointCount; ++i )
    {
        top = file->nodes[skin->joints[i]].depth < file->nodes[skin->joints[top]].depth ? i : top;
    }
    return top;
}

static void evalFillPalette( evalFile* file, const evalDraw* draw, bool isRest )
{
    if ( draw->skin < 0 )
    {
        return;
    }
    const evalSkin* skin = file->skins + draw->skin;
    int top = isRest ? evalTopmostJoint( file, skin ) : -1;
    for ( int i = 0; i < skin->jointCount; ++i )
    {
        double* out = file->palette + 16 * i;
        if ( skin->inverseBinds == NULL )
        {
            memcpy( out, file->globals + 16 * skin->joints[i], 16 * sizeof( double ) );
            continue;
        }
        int joint = isRest ? top : i;
        evalMultiply( out, file->globals + 16 * skin->joints[joint], skin->inverseBinds + 16 * joint );
    }
}

// The weighted sum of the joint matrices, or the node's own matrix.
static void evalBlend(
    const evalFile* file, const evalDraw* draw, const evalPrimitive* primitive, int vertex, double* m )
{
    bool hasWeight = false;
    if ( draw->skin >= 0 )
    {
        size_t first = (size_t)vertex * (size_t)primitive->influenceCount;
        memset( m, 0, 16 * sizeof( double ) );
        for ( int k = 0; k < primitive->influenceCount; ++k )
        {
            double weight = primitive->weights[first + (size_t)k];
            if ( weight == 0.0 )
            {
                continue;
            }
            const double* joint = file->palette + 16 * primitive->joints[first + (size_t)k];
            for ( int i = 0; i < 16; ++i )
            {
                m[i] += weight * joint[i];
            }
            hasWeight = true;
        }
    }
    if ( !hasWeight )
    {
        memcpy( m, file->globals + 16 * draw->node, 16 * sizeof( double ) );
    }
}

typedef enum evalAttribute
{
    eval_attributePosition,
    eval_attributeNormal,
    eval_attributeTangent,
} evalAttribute;

static void evalAddMorphs( const evalFile* file, const evalDraw* draw, const evalPrimitive* primitive,
    evalAttribute attribute, int vertex, double* v )
{
    const double* weights = file->nodeWeights[draw->node];
    for ( int k = 0; k < primitive->targetCount; ++k )
    {
        const evalTarget* target = primitive->targets + k;
        const double* deltas[] = { target->positions, target->normals, target->tangents };
        if ( deltas[attribute] == NULL || weights[k] == 0.0 )
        {
            continue;
        }
        for ( int i = 0; i < 3; ++i )
        {
            v[i] += weights[k] * deltas[attribute][3 * (size_t)vertex + (size_t)i];
        }
    }
}

static void evalDeform( evalFile* file, const evalDraw* draw, evalAttribute attribute, bool isRest, double* out )
{
    const evalPrimitive* primitive = evalDrawPrimitive( file, draw );
    const double* sources[] = { primitive->positions, primitive->normals, primitive->tangents };
    size_t width = attribute == eval_attributeTangent ? 4 : 3;
    evalFillPalette( file, draw, isRest );
    for ( int vertex = 0; vertex < primitive->vertexCount; ++vertex )
    {
        const double* source = sources[attribute] + width * (size_t)vertex;
        double* result = out + width * (size_t)vertex;
        double v[3] = { source[0], source[1], source[2] }, m[16];
        evalAddMorphs( file, draw, primitive, attribute, vertex, v );
        evalBlend( file, draw, primitive, vertex, m );
        switch ( attribute )
        {
            case eval_attributePosition:
                evalTransformPoint( result, m, v );
                break;
            case eval_attributeNormal:
                evalTransformNormal( result, m, v );
                evalNormalise( result, 3 );
                break;
            case eval_attributeTangent:
                evalTransformVector( result, m, v );
                evalNormalise( result, 3 );
                result[3] = source[3];
                break;
        }
    }
}

void evalPositions( evalFile* file, int draw, double* xyz )
{
    evalDeform( file, file->draws + draw, eval_attributePosition, false, xyz );
}

int evalNormals( evalFile* file, int draw, double* xyz )
{
    if ( !file->draws[draw].hasNormals )
    {
        return 0;
    }
    evalDeform( file, file->draws + draw, eval_attributeNormal, false, xyz );
    return 1;
}

int evalTangents( evalFile* file, int draw, double* xyzw )
{
    if ( !file->draws[draw].hasTangents )
    {
        return 0;
    }
    evalDeform( file, file->draws + draw, eval_attributeTangent, false, xyzw );
    return 1;
}

// Swaps the nodes' own pose in and the current one back, so that callers may ask in the middle of a clip.
typedef struct evalSavedPose
{
    double* globals;
    double* weights; // node after node
} evalSavedPose;

static size_t evalWeightCount( const evalFile* file, int node )
{
    int mesh = file->nodes[node].mesh;
    return mesh >= 0 ? (size_t)file->meshes[mesh].targetCount : 0;
}

static evalSavedPose evalSavePose( const evalFile* file )
{
    size_t total = 0, matrixSize = 16 * (size_t)file->info.nodeCount * sizeof( double );
    for ( int i = 0; i < file->info.nodeCount; ++i )
    {
        total += evalWeightCount( file, i );
    }
    evalSavedPose saved = { malloc( matrixSize + 1 ), malloc( total * sizeof( double ) + 1 ) };
    if ( saved.globals == NULL || saved.weights == NULL )
    {
        abort();
    }
    memcpy( saved.globals, file->globals, matrixSize );
    double* next = saved.weights;
    for ( int i = 0; i < file->info.nodeCount; ++i )
    {
        memcpy( next, file->nodeWeights[i], evalWeightCount( file, i ) * sizeof( double ) );
        next += evalWeightCount( file, i );
    }
    return saved;
}

static void evalRestorePose( evalFile* file, evalSavedPose saved )
{
    memcpy( file->globals, saved.globals, 16 * (size_t)file->info.nodeCount * sizeof( double ) );
    const double* next = saved.weights;
    for ( int i = 0; i < file->info.nodeCount; ++i )
    {
        memcpy( file->nodeWeights[i], next, evalWeightCount( file, i ) * sizeof( double ) );
        next += evalWeightCount( file, i );
    }
    free( saved.globals );
    free( saved.weights );
}

void evalRestPositions( evalFile* file, int draw, double* xyz )
{
    evalSavedPose saved = evalSavePose( file );
    evalPose( file, -1, 0.0 );
    evalDeform( file, file->draws + draw, eval_attributePosition, true, xyz );
    evalRestorePose( file, saved );
}

static int evalBox( evalFile* file, bool isRest, double lower[3], double upper[3] )
{
    int total = 0;
    for ( int i = 0; i < 3; ++i )
    {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
    for ( int draw = 0; draw < file->info.drawCount; ++draw )
    {
        int count = file->draws[draw].vertexCount;
        double* xyz = malloc( 3 * (size_t)count * sizeof( double ) );
        if ( xyz == NULL )
        {
            abort();
        }
        if ( isRest )
        {
            evalRestPositions( file, draw, xyz );
        }
        else
        {
            evalPositions( file, draw, xyz );
        }
        for ( int i = 0; i < 3 * count; ++i )
        {
            lower[i % 3] = fmin( lower[i % 3], xyz[i] );
            upper[i % 3] = fmax( upper[i % 3], xyz[i] );
        }
        total += count;
        free( xyz );
    }
    return total > 0;
}

int evalRestBox( evalFile* file, double lower[3], double upper[3] )
{
    return evalBox( file, true, lower, upper );
}

int evalPoseBox( evalFile* file, double lower[3], double upper[3] )
{
    return evalBox( file, false, lower, upper );
}

double evalSize( evalFile* file )
{
    double lower[3], upper[3];
    if ( !evalRestBox( file, lower, upper ) )
    {
        return 0.0;
    }
    double x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return sqrt( x * x + y * y + z * z );
}
