// A primitive's vertices: attributes, morph targets, influences.

#include "eval_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads an attribute that must have the given width, and as many elements as there are vertices. NULL where absent.
static bool evalReadAttribute(
    evalFile* file, const json_t* attributes, const char* key, const char* where, int width, int count, double** out )
{
    char name[120];
    int accessor = -1;
    evalArray array;
    snprintf( name, sizeof( name ), "%.60s %s", where, key );
    *out = NULL;
    if ( !evalGetIndex( file, attributes, key, where, evalRootCount( file, "accessors" ), &accessor ) )
    {
        return false;
    }
    if ( accessor < 0 )
    {
        return true;
    }
    if ( !evalReadAccessor( file, accessor, name, &array ) )
    {
        return false;
    }
    *out = array.values;
    if ( array.width != width )
    {
        return evalFail( file, "%s: %d numbers an element, not %d", name, array.width, width );
    }
    return array.count == count ? true : evalFail( file, "%s: %d elements for %d vertices", name, array.count, count );
}

static bool evalReadPositions( evalFile* file, const json_t* attributes, const char* where, evalPrimitive* out )
{
    int accessor = -1;
    evalArray array;
    if ( !evalGetIndex( file, attributes, "POSITION", where, evalRootCount( file, "accessors" ), &accessor ) )
    {
        return false;
    }
    if ( accessor < 0 )
    {
        return true;
    }
    if ( !evalReadAccessor( file, accessor, where, &array ) )
    {
        return false;
    }
    out->positions = array.values;
    out->vertexCount = array.count;
    return array.width == 3 ? true : evalFail( file, "%s: POSITION is not VEC3", where );
}

static bool evalReadTargets( evalFile* file, const json_t* json, const char* where, evalPrimitive* out )
{
    const json_t* targets = NULL;
    if ( !evalGetArray( file, json, "targets", where, &targets ) )
    {
        return false;
    }
    int count = (int)json_array_size( targets );
    out->targets = evalAllocate( file, (size_t)count, sizeof( evalTarget ) );
    if ( out->targets == NULL )
    {
        return false;
    }
    out->targetCount = count;
    for ( int i = 0; i < count; ++i )
    {
        const json_t* target = json_array_get( targets, (size_t)i );
        evalTarget* t = out->targets + i;
        char name[100];
        snprintf( name, sizeof( name ), "%.50s target %d", where, i );
        if ( !evalReadAttribute( file, target, "POSITION", name, 3, out->vertexCount, &t->positions ) ||
             !evalReadAttribute( file, target, "NORMAL", name, 3, out->vertexCount, &t->normals ) ||
             !evalReadAttribute( file, target, "TANGENT", name, 3, out->vertexCount, &t->tangents ) )
        {
            return false;
        }
    }
    return true;
}

// One JOINTS_n, WEIGHTS_n pair into columns 4n of the primitive's influences.
static bool evalReadInfluenceSet(
    evalFile* file, const json_t* attributes, const char* where, int set, evalPrimitive* out )
{
    char jointKey[24], weightKey[24];
    double *joints = NULL, *weights = NULL;
    int n = out->influenceCount;
    snprintf( jointKey, sizeof( jointKey ), "JOINTS_%d", set );
    snprintf( weightKey, sizeof( weightKey ), "WEIGHTS_%d", set );
    bool ok = evalReadAttribute( file, attributes, jointKey, where, 4, out->vertexCount, &joints ) &&
              evalReadAttribute( file, attributes, weightKey, where, 4, out->vertexCount, &weights );
    for ( int v = 0; ok && v < out->vertexCount; ++v )
    {
        for ( int k = 0; ok && k < 4; ++k )
        {
            double joint = joints[4 * v + k], weight = weights[4 * v + k];
            if ( weight < 0.0 || joint < 0.0 || joint != floor( joint ) || joint > 1e6 )
            {
                ok = evalFail( file, "%s: vertex %d has joint %g with weight %g", where, v, joint, weight );
                break;
            }
            out->joints[(size_t)v * (size_t)n + (size_t)( 4 * set + k )] = (int)joint;
            out->weights[(size_t)v * (size_t)n + (size_t)( 4 * set + k )] = weight;
        }
    }
    free( joints );
    free( weights );
    return ok;
}

static void evalNormaliseWeights( evalFile* file, evalPrimitive* primitive )
{
    evalInfo* info = &file->info;
    for ( int v = 0; v < primitive->vertexCount; ++v )
    {
        double* weights = primitive->weights + (size_t)v * (size_t)primitive->influenceCount;
        double sum = 0.0;
        int used = 0;
        for ( int k = 0; k < primitive->influenceCount; ++k )
        {
            sum += weights[k];
            used += weights[k] != 0.0;
        }
        if ( sum == 0.0 )
        {
            continue;
        }
        info->renormalisedVertices += fabs( sum - 1.0 ) > 2e-7 * used;
        info->largestWeightSum = fmax( info->largestWeightSum, sum );
        info->smallestWeightSum = info->smallestWeightSum == 0.0 ? sum : fmin( info->smallestWeightSum, sum );
        for ( int k = 0; k < primitive->influenceCount; ++k )
        {
            weights[k] /= sum;
        }
    }
}

static bool evalReadInfluences( evalFile* file, const json_t* attributes, const char* where, evalPrimitive* out )
{
    int sets = 0;
    for ( ;; ++sets )
    {
        char jointKey[24], weightKey[24];
        snprintf( jointKey, sizeof( jointKey ), "JOINTS_%d", sets );
        snprintf( weightKey, sizeof( weightKey ), "WEIGHTS_%d", sets );
        const json_t* joints = json_object_get( attributes, jointKey );
        const json_t* weights = json_object_get( attributes, weightKey );
        if ( ( joints == NULL ) != ( weights == NULL ) )
        {
            return evalFail( file, "%s: one of %s and %s is missing", where, jointKey, weightKey );
        }
        if ( joints == NULL )
        {
            break;
        }
    }
    size_t count = (size_t)out->vertexCount * (size_t)sets * 4;
    out->influenceCount = 4 * sets;
    out->joints = evalAllocate( file, count, sizeof( int ) );
    out->weights = evalAllocate( file, count, sizeof( double ) );
    if ( out->joints == NULL || out->weights == NULL )
    {
        return false;
    }
    for ( int set = 0; set < sets; ++set )
    {
        if ( !evalReadInfluenceSet( file, attributes, where, set, out ) )
        {
            return false;
        }
    }
    evalNormaliseWeights( file, out );
    return true;
}

static bool evalCopyIndices( evalFile* file, const evalArray* array, const char* where, evalPrimitive* out )
{
    if ( array->width != 1 || !array->isUnsignedInteger )
    {
        return evalFail( file, "%s: its indices are not unsigned integers", where );
    }
    for ( int i = 0; i < array->count; ++i )
    {
        if ( array->values[i] >= out->vertexCount )
        {
            return evalFail(
                file, "%s: index %d is %.0f, it has %d vertices", where, i, array->values[i], out->vertexCount );
        }
        out->indices[i] = (int)array->values[i];
    }
    return true;
}

// Without indices the vertices follow one another.
static bool evalReadIndices( evalFile* file, const json_t* json, const char* where, evalPrimitive* out )
{
    int accessor = -1;
    size_t mode = 4;
    evalArray array = { .values = NULL, .count = out->vertexCount };
    if ( !evalGetIndex( file, json, "indices", where, evalRootCount( file, "accessors" ), &accessor ) ||
         !evalGetSize( file, json, "mode", where, 4, &mode ) )
    {
        return false;
    }
    if ( mode > 6 )
    {
        return evalFail( file, "%s: mode %zu is unknown", where, mode );
    }
    if ( accessor >= 0 && !evalReadAccessor( file, accessor, where, &array ) )
    {
        return false;
    }
    out->mode = (int)mode;
    out->indices = evalAllocate( file, (size_t)array.count, sizeof( int ) );
    out->indexCount = array.count;
    bool ok = out->indices != NULL;
    for ( int i = 0; ok && accessor < 0 && i < array.count; ++i )
    {
        out->indices[i] = i;
    }
    ok = ok && ( accessor < 0 || evalCopyIndices( file, &array, where, out ) );
    free( array.values );
    return ok;
}

bool evalReadPrimitive( evalFile* file, const json_t* json, const char* where, evalPrimitive* out )
{
    const json_t* attributes = NULL;
    if ( !json_is_object( json ) )
    {
        return evalFail( file, "%s: is not an object", where );
    }
    if ( json_object_get( json_object_get( json, "extensions" ), "KHR_draco_mesh_compression" ) != NULL )
    {
        return evalFail( file, "%s: Draco compression is not supported", where );
    }
    if ( !evalGetObject( file, json, "attributes", where, &attributes ) ||
         !evalReadPositions( file, attributes, where, out ) )
    {
        return false;
    }
    if ( out->positions == NULL )
    {
        return true;
    }
    return evalReadIndices( file, json, where, out ) &&
           evalReadAttribute( file, attributes, "NORMAL", where, 3, out->vertexCount, &out->normals ) &&
           evalReadAttribute( file, attributes, "TANGENT", where, 4, out->vertexCount, &out->tangents ) &&
           evalReadTargets( file, json, where, out ) && evalReadInfluences( file, attributes, where, out );
}

void evalFreePrimitive( evalPrimitive* primitive )
{
    for ( int i = 0; i < primitive->targetCount; ++i )
    {
        free( primitive->targets[i].positions );
        free( primitive->targets[i].normals );
        free( primitive->targets[i].tangents );
    }
    free( primitive->targets );
    free( primitive->indices );
    free( primitive->positions );
    free( primitive->normals );
    free( primitive->tangents );
    free( primitive->joints );
    free( primitive->weights );
}
