// Nodes, meshes, skins, and the draws that a scene makes of them.

#include "eval_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool evalReadNodeWeights( evalFile* file, const json_t* json, const char* where, evalNode* node )
{
    const json_t* weights = NULL;
    if ( !evalGetArray( file, json, "weights", where, &weights ) )
    {
        return false;
    }
    if ( weights == NULL )
    {
        return true;
    }
    node->weightCount = (int)json_array_size( weights );
    node->weights = evalAllocate( file, (size_t)node->weightCount, sizeof( double ) );
    return node->weights != NULL && evalGetDoubles( file, json, "weights", where, node->weightCount, node->weights );
}

static bool evalReadNode( evalFile* file, int index )
{
    char where[40];
    snprintf( where, sizeof( where ), "node %d", index );
    evalNode* node = file->nodes + index;
    const json_t* json = json_array_get( json_object_get( file->json, "nodes" ), (size_t)index );
    if ( !json_is_object( json ) )
    {
        return evalFail( file, "%s: is not an object", where );
    }
    node->name = json_string_value( json_object_get( json, "name" ) );
    node->rotation[3] = 1.0;
    node->scale[0] = node->scale[1] = node->scale[2] = 1.0;
    node->hasMatrix = json_object_get( json, "matrix" ) != NULL;
    return evalGetDoubles( file, json, "matrix", where, 16, node->matrix ) &&
           evalGetDoubles( file, json, "translation", where, 3, node->translation ) &&
           evalGetDoubles( file, json, "rotation", where, 4, node->rotation ) &&
           evalGetDoubles( file, json, "scale", where, 3, node->scale ) &&
           evalGetIndex( file, json, "mesh", where, evalRootCount( file, "meshes" ), &node->mesh ) &&
           evalGetIndex( file, json, "skin", where, evalRootCount( file, "skins" ), &node->skin ) &&
           evalReadNodeWeights( file, json, where, node );
}

static bool evalReadParents( evalFile* file, int index )
{
    char where[40];
    snprintf( where, sizeof( where ), "node %d", index );
    const json_t* json = json_array_get( json_object_get( file->json, "nodes" ), (size_t)index );
    const json_t* children = NULL;
    if ( !evalGetArray( file, json, "children", where, &children ) )
    {
        return false;
    }
    for ( size_t i = 0; i < json_array_size( children ); ++i )
    {
        size_t child = 0;
        if ( !evalToSize( json_array_get( children, i ), &child ) || child >= (size_t)file->info.nodeCount )
        {
            return evalFail( file, "%s: child %zu is not a node", where, i );
        }
        if ( file->nodes[child].parent >= 0 )
        {
            return evalFail( file, "node %zu: has two parents, %d and %d", child, file->nodes[child].parent, index );
        }
        file->nodes[child].parent = index;
    }
    return true;
}

// A walk up that is longer than there are nodes is a cycle.
static bool evalSortNodes( evalFile* file )
{
    int count = file->info.nodeCount, placed = 0, deepest = 0;
    for ( int i = 0; i < count; ++i )
    {
        evalNode* node = file->nodes + i;
        for ( int p = node->parent; p >= 0; p = file->nodes[p].parent )
        {
            node->depth += 1;
            if ( node->depth > count )
            {
                return evalFail( file, "node %d: is its own ancestor", i );
            }
        }
        deepest = node->depth > deepest ? node->depth : deepest;
    }
    for ( int depth = 0; depth <= deepest; ++depth )
    {
        for ( int i = 0; i < count; ++i )
        {
            if ( file->nodes[i].depth == depth )
            {
                file->order[placed++] = i;
            }
        }
    }
    return true;
}

bool evalReadNodes( evalFile* file )
{
    int count = evalRootCount( file, "nodes" );
    file->nodes = evalAllocate( file, (size_t)count, sizeof( evalNode ) );
    file->order = evalAllocate( file, (size_t)count, sizeof( int ) );
    file->globals = evalAllocate( file, 16 * (size_t)count, sizeof( double ) );
    file->nodeWeights = evalAllocate( file, (size_t)count, sizeof( double* ) );
    if ( file->nodes == NULL || file->order == NULL || file->globals == NULL || file->nodeWeights == NULL )
    {
        return false;
    }
    file->info.nodeCount = count;
    for ( int i = 0; i < count; ++i )
    {
        file->nodes[i].parent = -1;
        if ( !evalReadNode( file, i ) )
        {
            return false;
        }
    }
    for ( int i = 0; i < count; ++i )
    {
        if ( !evalReadParents( file, i ) )
        {
            return false;
        }
    }
    return evalSortNodes( file );
}

static bool evalReadMesh( evalFile* file, int index )
{
    char where[60];
    snprintf( where, sizeof( where ), "mesh %d", index );
    evalMesh* mesh = file->meshes + index;
    const json_t* json = json_array_get( json_object_get( file->json, "meshes" ), (size_t)index );
    const json_t *primitives = NULL, *weights = NULL;
    if ( !evalGetArray( file, json, "primitives", where, &primitives ) ||
         !evalGetArray( file, json, "weights", where, &weights ) )
    {
        return false;
    }
    int count = (int)json_array_size( primitives );
    mesh->primitives = evalAllocate( file, (size_t)count, sizeof( evalPrimitive ) );
    if ( mesh->primitives == NULL )
    {
        return false;
    }
    mesh->primitiveCount = count;
    for ( int i = 0; i < count; ++i )
    {
        snprintf( where, sizeof( where ), "mesh %d primitive %d", index, i );
        evalPrimitive* primitive = mesh->primitives + i;
        if ( !evalReadPrimitive( file, json_array_get( primitives, (size_t)i ), where, primitive ) )
        {
            return false;
        }
        mesh->targetCount = primitive->targetCount > mesh->targetCount ? primitive->targetCount : mesh->targetCount;
    }
    mesh->weights = evalAllocate( file, (size_t)mesh->targetCount, sizeof( double ) );
    return mesh->weights != NULL &&
           ( weights == NULL || evalGetDoubles( file, json, "weights", where, mesh->targetCount, mesh->weights ) );
}

bool evalReadMeshes( evalFile* file )
{
    int count = evalRootCount( file, "meshes" );
    file->meshes = evalAllocate( file, (size_t)count, sizeof( evalMesh ) );
    if ( file->meshes == NULL )
    {
        return false;
    }
    file->info.meshCount = count;
    for ( int i = 0; i < count; ++i )
    {
        if ( !evalReadMesh( file, i ) )
        {
            return false;
        }
    }
    for ( int i = 0; i < file->info.nodeCount; ++i )
    {
        const evalNode* node = file->nodes + i;
        int targets = node->mesh >= 0 ? file->meshes[node->mesh].targetCount : 0;
        if ( node->weights != NULL && node->mesh >= 0 && node->weightCount != targets )
        {
            return evalFail( file, "node %d: %d weights for %d morph targets", i, node->weightCount, targets );
        }
        file->nodeWeights[i] = evalAllocate( file, (size_t)targets, sizeof( double ) );
        if ( file->nodeWeights[i] == NULL )
        {
            return false;
        }
    }
    return true;
}

static bool evalReadInverseBinds( evalFile* file, const json_t* json, const char* where, evalSkin* skin )
{
    int accessor = -1;
    evalArray array;
    if ( !evalGetIndex( file, json, "inverseBindMatrices", where, evalRootCount( file, "accessors" ), &accessor ) )
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
    skin->inverseBinds = array.values;
    if ( array.width != 16 || array.count < skin->jointCount )
    {
        return evalFail( file, "%s: %d inverse bind matrices for %d joints", where, array.count, skin->jointCount );
    }
    return true;
}

static bool evalReadSkin( evalFile* file, int index )
{
    char where[40];
    snprintf( where, sizeof( where ), "skin %d", index );
    evalSkin* skin = file->skins + index;
    const json_t* json = json_array_get( json_object_get( file->json, "skins" ), (size_t)index );
    const json_t* joints = NULL;
    if ( !evalGetArray( file, json, "joints", where, &joints ) )
    {
        return false;
    }
    int count = (int)json_array_size( joints );
    skin->joints = evalAllocate( file, (size_t)count, sizeof( int ) );
    if ( skin->joints == NULL )
    {
        return false;
    }
    skin->jointCount = count;
    for ( int i = 0; i < count; ++i )
    {
        size_t joint = 0;
        if ( !evalToSize( json_array_get( joints, (size_t)i ), &joint ) || joint >= (size_t)file->info.nodeCount )
        {
            return evalFail( file, "%s: joint %d is not a node", where, i );
        }
        skin->joints[i] = (int)joint;
    }
    return evalReadInverseBinds( file, json, where, skin );
}

bool evalReadSkins( evalFile* file )
{
    int count = evalRootCount( file, "skins" ), largest = 0;
    file->skins = evalAllocate( file, (size_t)count, sizeof( evalSkin ) );
    if ( file->skins == NULL )
    {
        return false;
    }
    file->info.skinCount = count;
    for ( int i = 0; i < count; ++i )
    {
        if ( !evalReadSkin( file, i ) )
        {
            return false;
        }
        largest = file->skins[i].jointCount > largest ? file->skins[i].jointCount : largest;
    }
    file->palette = evalAllocate( file, 16 * (size_t)largest, sizeof( double ) );
    return file->palette != NULL;
}

// A joint that has weight must be in the skin; one without may be any number.
static bool evalCheckJoints( evalFile* file, const evalPrimitive* primitive, const evalDraw* draw )
{
    int jointCount = file->skins[draw->skin].jointCount;
    for ( int v = 0; v < primitive->vertexCount; ++v )
    {
        double sum = 0.0;
        for ( int k = 0; k < primitive->influenceCount; ++k )
        {
            size_t i = (size_t)v * (size_t)primitive->influenceCount + (size_t)k;
            if ( primitive->weights[i] > 0.0 && primitive->joints[i] >= jointCount )
            {
                return evalFail( file, "mesh %d primitive %d: vertex %d has joint %d, skin %d has %d joints",
                    draw->mesh, draw->primitive, v, primitive->joints[i], draw->skin, jointCount );
            }
            sum += primitive->weights[i];
        }
        file->info.weightlessVertices += sum == 0.0;
    }
    return true;
}

static bool evalAddDraws( evalFile* file, int node )
{
    int meshIndex = file->nodes[node].mesh;
    for ( int i = 0; meshIndex >= 0 && i < file->meshes[meshIndex].primitiveCount; ++i )
    {
        const evalPrimitive* primitive = file->meshes[meshIndex].primitives + i;
        if ( primitive->vertexCount == 0 )
        {
            continue;
        }
        if ( file->info.drawCount == file->drawCapacity )
        {
            int capacity = 2 * file->drawCapacity + 16;
            evalDraw* draws = realloc( file->draws, (size_t)capacity * sizeof( evalDraw ) );
            if ( draws == NULL )
            {
                return evalFail( file, "out of memory for %d draws", capacity );
            }
            file->draws = draws;
            file->drawCapacity = capacity;
        }
        evalDraw* draw = file->draws + file->info.drawCount++;
        *draw = ( evalDraw ){ node, meshIndex, i, file->nodes[node].skin, primitive->vertexCount, primitive->mode,
            primitive->normals != NULL, primitive->tangents != NULL };
        draw->skin = primitive->influenceCount > 0 ? draw->skin : -1;
        if ( draw->skin >= 0 && !evalCheckJoints( file, primitive, draw ) )
        {
            return false;
        }
    }
    return true;
}

// Marks the root nodes that are drawn. Whatever hangs below them is drawn too.
static bool evalMarkRoots( evalFile* file, bool* isDrawn )
{
    const json_t* scenes = json_object_get( file->json, "scenes" );
    const json_t* roots = NULL;
    int scene = -1;
    if ( !evalGetIndex( file, file->json, "scene", "glTF", evalRootCount( file, "scenes" ), &scene ) )
    {
        return false;
    }
    if ( json_array_size( scenes ) == 0 )
    {
        for ( int i = 0; i < file->info.nodeCount; ++i )
        {
            isDrawn[i] = file->nodes[i].parent < 0;
        }
        return true;
    }
    if ( !evalGetArray( file, json_array_get( scenes, scene < 0 ? 0 : (size_t)scene ), "nodes", "scene", &roots ) )
    {
        return false;
    }
    for ( size_t i = 0; i < json_array_size( roots ); ++i )
    {
        size_t node = 0;
        if ( !evalToSize( json_array_get( roots, i ), &node ) || node >= (size_t)file->info.nodeCount )
        {
            return evalFail( file, "scene: entry %zu of its nodes is not a node", i );
        }
        if ( file->nodes[node].parent >= 0 )
        {
            return evalFail( file, "scene: node %zu is not a root", node );
        }
        isDrawn[node] = true;
    }
    return true;
}

// In the order of the nodes' indices, whatever their place in the tree.
bool evalReadDraws( evalFile* file )
{
    bool* isDrawn = evalAllocate( file, (size_t)file->info.nodeCount, sizeof( bool ) );
    if ( isDrawn == NULL )
    {
        return false;
    }
    bool ok = evalMarkRoots( file, isDrawn );
    for ( int i = 0; ok && i < file->info.nodeCount; ++i )
    {
        int node = file->order[i], parent = file->nodes[node].parent;
        isDrawn[node] = parent < 0 ? isDrawn[node] : isDrawn[parent];
    }
    for ( int i = 0; ok && i < file->info.nodeCount; ++i )
    {
        ok = !isDrawn[i] || evalAddDraws( file, i );
    }
    free( isDrawn );
    return ok;
}

void evalFreeScene( evalFile* file )
{
    for ( int i = 0; i < file->info.nodeCount; ++i )
    {
        free( file->nodes[i].weights );
        free( file->nodeWeights[i] );
    }
    for ( int i = 0; i < file->info.meshCount; ++i )
    {
        for ( int k = 0; k < file->meshes[i].primitiveCount; ++k )
        {
            evalFreePrimitive( file->meshes[i].primitives + k );
        }
        free( file->meshes[i].primitives );
        free( file->meshes[i].weights );
    }
    for ( int i = 0; i < file->info.skinCount; ++i )
    {
        free( file->skins[i].joints );
        free( file->skins[i].inverseBinds );
    }
    free( file->nodes );
    free( file->order );
    free( file->globals );
    free( file->nodeWeights );
    free( file->meshes );
    free( file->skins );
    free( file->palette );
    free( file->draws );
}
