// Supple io: a glTF file from a character that never was one: built-in ones, and what hosts made themselves.
// SPDX-License-Identifier: MIT

#include "io/gltf_save.h"

#include "base/math.h"
#include "io/gltf_pack.h"

#include <stdlib.h>
#include <string.h>

void supGltfMaker_Set( supGltfMaker* maker, json_t* object, const char* key, json_t* value )
{
    maker->failed |= json_object_set_new( object, key, value ) != 0;
}

int32_t supGltfMaker_Add( supGltfMaker* maker, const char* array, json_t* value )
{
    json_t* list = json_object_get( maker->root, array );
    if ( list == NULL )
    {
        list = json_array();
        supGltfMaker_Set( maker, maker->root, array, list );
    }
    maker->failed |= json_array_append_new( list, value ) != 0;
    return (int32_t)json_array_size( list ) - 1;
}

void supGltfMaker_Use( supGltfMaker* maker, const char* extension )
{
    const json_t* used = json_object_get( maker->root, "extensionsUsed" );
    for ( size_t i = 0; i < json_array_size( used ); ++i )
    {
        if ( strcmp( json_string_value( json_array_get( used, i ) ), extension ) == 0 )
        {
            return;
        }
    }
    supGltfMaker_Add( maker, "extensionsUsed", json_string( extension ) );
}

int32_t supGltfMaker_View( supGltfMaker* maker, const void* data, size_t size, int32_t target )
{
    size_t offset = maker->bytes.count;
    uint8_t* to = supArray_Add( &maker->bytes, ( size + 3 ) / 4 * 4 );
    if ( to == NULL )
    {
        maker->failed = true;
        return 0;
    }
    memcpy( to, data, size );
    json_t* view =
        json_pack( "{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)offset, "byteLength", (json_int_t)size );
    if ( target != 0 )
    {
        supGltfMaker_Set( maker, view, "target", json_integer( target ) );
    }
    return supGltfMaker_Add( maker, "bufferViews", view );
}

static int32_t supTypeWidth( const char* type )
{
    static const char* const names[] = { "SCALAR", "VEC2", "VEC3", "VEC4", "MAT4" };
    static const int32_t widths[] = { 1, 2, 3, 4, 16 };
    int32_t i = 0;
    while ( strcmp( names[i], type ) != 0 )
    {
        ++i;
    }
    return widths[i];
}

static void supSetBounds( supGltfMaker* maker, json_t* accessor, const float* data, int32_t count, int32_t width )
{
    json_t *lower = json_array(), *upper = json_array();
    for ( int32_t k = 0; k < width; ++k )
    {
        float least = data[k], most = data[k];
        for ( size_t i = 1; i < (size_t)count; ++i )
        {
            float value = data[i * (size_t)width + (size_t)k];
            least = supMinF( least, value );
            most = supMaxF( most, value );
        }
        maker->failed |= json_array_append_new( lower, json_real( least ) ) != 0;
        maker->failed |= json_array_append_new( upper, json_real( most ) ) != 0;
    }
    supGltfMaker_Set( maker, accessor, "min", lower );
    supGltfMaker_Set( maker, accessor, "max", upper );
}

int32_t supGltfMaker_Accessor( supGltfMaker* maker, const void* data, int32_t count, const char* type,
    int32_t componentType, int32_t target, bool bounds )
{
    size_t width = (size_t)supTypeWidth( type );
    size_t size = componentType == sup_gltfUnsignedByte ? 1 : componentType == sup_gltfUnsignedShort ? 2 : 4;
    int32_t view = supGltfMaker_View( maker, data, (size_t)count * width * size, target );
    json_t* accessor = json_pack(
        "{s:i,s:i,s:i,s:s}", "bufferView", view, "componentType", componentType, "count", count, "type", type );
    if ( bounds && count > 0 )
    {
        supSetBounds( maker, accessor, data, count, (int32_t)width );
    }
    return supGltfMaker_Add( maker, "accessors", accessor );
}

static json_t* supPackVec3( supVec3 v )
{
    return json_pack( "[f,f,f]", (double)v.x, (double)v.y, (double)v.z );
}

// Translation, rotation and scale, which animation needs; a matrix where these do not make it up again (shear).
static void supSetTransform( supGltfMaker* maker, json_t* node, supMat34 m )
{
    supTransform a = { m.t, supQuat_identity, { supLength( m.x ), supLength( m.y ), supLength( m.z ) } };
    if ( supDeterminant( m ) < 0.0f )
    {
        a.scale.x = -a.scale.x;
    }
    a.rotation = supNearestRotation( ( supMat34 ){ supScale( m.x, a.scale.x < 0.0f ? -1.0f : 1.0f ), m.y, m.z, m.t } );
    supMat34 again = supMatFromTransform( a );
    float off = supDistance( again.x, m.x ) + supDistance( again.y, m.y ) + supDistance( again.z, m.z );
    if ( off > 1e-4f * ( supLength( m.x ) + supLength( m.y ) + supLength( m.z ) ) )
    {
        supGltfMaker_Set( maker, node, "matrix",
            json_pack( "[f,f,f,i,f,f,f,i,f,f,f,i,f,f,f,i]", (double)m.x.x, (double)m.x.y, (double)m.x.z, 0,
                (double)m.y.x, (double)m.y.y, (double)m.y.z, 0, (double)m.z.x, (double)m.z.y, (double)m.z.z, 0,
                (double)m.t.x, (double)m.t.y, (double)m.t.z, 1 ) );
        return;
    }
    if ( a.translation.x != 0.0f || a.translation.y != 0.0f || a.translation.z != 0.0f )
    {
        supGltfMaker_Set( maker, node, "translation", supPackVec3( a.translation ) );
    }
    supQuat q = a.rotation;
    if ( q.x != 0.0f || q.y != 0.0f || q.z != 0.0f )
    {
        supGltfMaker_Set(
            maker, node, "rotation", json_pack( "[f,f,f,f]", (double)q.x, (double)q.y, (double)q.z, (double)q.w ) );
    }
    if ( a.scale.x != 1.0f || a.scale.y != 1.0f || a.scale.z != 1.0f )
    {
        supGltfMaker_Set( maker, node, "scale", supPackVec3( a.scale ) );
    }
}

static void supSaveNodes( supGltfMaker* maker )
{
    const supCharacter* character = maker->character;
    json_t* roots = json_array();
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        json_t* node = json_object();
        if ( supCharacter_Joint( character, j )->name[0] != 0 )
        {
            supGltfMaker_Set( maker, node, "name", json_string( supCharacter_Joint( character, j )->name ) );
        }
        supSetTransform( maker, node, supCharacter_Joint( character, j )->local );
        supGltfMaker_Add( maker, "nodes", node );
    }
    const json_t* nodes = json_object_get( maker->root, "nodes" );
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        int32_t parent = supCharacter_Joint( character, j )->parent;
        json_t* list = roots;
        if ( parent >= 0 )
        {
            json_t* node = json_array_get( nodes, (size_t)parent );
            list = json_object_get( node, "children" );
            if ( list == NULL )
            {
                list = json_array();
                supGltfMaker_Set( maker, node, "children", list );
            }
        }
        maker->failed |= json_array_append_new( list, json_integer( j ) ) != 0;
    }
    supGltfMaker_Add( maker, "scenes", json_pack( "{s:o}", "nodes", roots ) );
}

static supResult supSaveMeshes( supGltfMaker* maker, supError* error )
{
    const supCharacter* character = maker->character;
    json_t* nodes = json_object_get( maker->root, "nodes" );
    int32_t count = supCharacter_Info( character )->meshCount;
    for ( int32_t first = 0; first < count; )
    {
        supMeshView view = supCharacter_Mesh( character, first );
        int32_t end = first + 1;
        while ( end < count && supCharacter_Mesh( character, end ).joint == view.joint &&
                supCharacter_Mesh( character, end ).skin == view.skin &&
                supCharacter_Mesh( character, end ).morphCount == view.morphCount )
        {
            ++end;
        }
        json_t* node = json_array_get( nodes, (size_t)view.joint );
        if ( json_object_get( node, "mesh" ) != NULL )
        {
            return supFail( error, sup_errorUnsupported,
                "%s: mesh '%s': its node shows another mesh with another skin or other morph targets; a glTF node has only one mesh",
                supCharacter_Info( character )->name, view.name );
        }
        supGltfMaker_Set( maker, node, "mesh", json_integer( supGltfMaker_Mesh( maker, first, end - first ) ) );
        if ( view.skin >= 0 )
        {
            supGltfMaker_Set( maker, node, "skin", json_integer( view.skin ) );
        }
        first = end;
    }
    return sup_success;
}

static void supSaveSkins( supGltfMaker* maker )
{
    const supCharacter* character = maker->character;
    for ( int32_t s = 0; s < supCharacter_Info( character )->skinCount; ++s )
    {
        supSkinView view = supCharacter_Skin( character, s );
        const int32_t* joints = view.joints;
        int32_t count = view.jointCount;
        const supMat34* bind = view.inverseBind;
        size_t size = (size_t)count * 16 * sizeof( float );
        float* matrices = supAllocZeroed( NULL, 1, size, _Alignof( float ) );
        json_t* list = json_array();
        for ( int32_t j = 0; j < count; ++j )
        {
            maker->failed |= json_array_append_new( list, json_integer( joints[j] ) ) != 0;
            for ( int32_t c = 0; c < 4 && matrices != NULL; ++c )
            {
                const supVec3* column = &( &bind[j].x )[c];
                float four[4] = { column->x, column->y, column->z, c == 3 ? 1.0f : 0.0f };
                memcpy( matrices + 16 * j + 4 * c, four, sizeof( four ) );
            }
        }
        json_t* skin = json_object();
        if ( supCharacter_Skin( character, s ).name[0] != 0 )
        {
            supGltfMaker_Set( maker, skin, "name", json_string( supCharacter_Skin( character, s ).name ) );
        }
        supGltfMaker_Set( maker, skin, "joints", list );
        if ( matrices != NULL )
        {
            int32_t accessor = supGltfMaker_Accessor( maker, matrices, count, "MAT4", sup_gltfFloat, 0, false );
            supGltfMaker_Set( maker, skin, "inverseBindMatrices", json_integer( accessor ) );
        }
        maker->failed |= matrices == NULL;
        supFree( NULL, matrices, size );
        supGltfMaker_Add( maker, "skins", skin );
    }
}

// The accessor of a track's times: that of an earlier track of the clip where they are the same.
static int32_t supTimesAccessor( supGltfMaker* maker, int32_t clip, int32_t track, const json_t* samplers )
{
    supTrackDef own = supCharacter_Clip( maker->character, clip ).tracks[track];
    for ( int32_t t = 0; t < track; ++t )
    {
        supTrackDef other = supCharacter_Clip( maker->character, clip ).tracks[t];
        if ( other.keyCount == own.keyCount &&
             memcmp( other.times, own.times, (size_t)own.keyCount * sizeof( float ) ) == 0 )
        {
            return (int32_t)json_integer_value( json_object_get( json_array_get( samplers, (size_t)t ), "input" ) );
        }
    }
    return supGltfMaker_Accessor( maker, own.times, own.keyCount, "SCALAR", sup_gltfFloat, 0, true );
}

static void supSaveClip( supGltfMaker* maker, int32_t clip )
{
    static const char* const paths[] = { "translation", "rotation", "scale", "weights" };
    static const char* const types[] = { "VEC3", "VEC4", "VEC3", "SCALAR" };
    static const char* const ways[] = { "STEP", "LINEAR", "CUBICSPLINE" };
    supClipView view = supCharacter_Clip( maker->character, clip );
    json_t *samplers = json_array(), *channels = json_array();
    for ( int32_t t = 0; t < view.trackCount; ++t )
    {
        supTrackDef track = supCharacter_Clip( maker->character, clip ).tracks[t];
        int32_t values = track.keyCount * ( track.interpolation == sup_interpolationCubic ? 3 : 1 );
        values *= track.path == sup_pathWeights ? track.width : 1;
        int32_t input = supTimesAccessor( maker, clip, t, samplers );
        int32_t output =
            supGltfMaker_Accessor( maker, track.values, values, types[track.path], sup_gltfFloat, 0, false );
        maker->failed |= json_array_append_new( samplers, json_pack( "{s:i,s:i,s:s}", "input", input, "output", output,
                                                              "interpolation", ways[track.interpolation] ) ) != 0;
        maker->failed |= json_array_append_new( channels, json_pack( "{s:i,s:{s:i,s:s}}", "sampler", t, "target",
                                                              "node", track.joint, "path", paths[track.path] ) ) != 0;
    }
    json_t* animation = json_object();
    if ( view.name[0] != 0 )
    {
        supGltfMaker_Set( maker, animation, "name", json_string( view.name ) );
    }
    supGltfMaker_Set( maker, animation, "samplers", samplers );
    supGltfMaker_Set( maker, animation, "channels", channels );
    supGltfMaker_Add( maker, "animations", animation );
}

static supResult supFillMaker( supGltfMaker* maker, supError* error )
{
    supGltfMaker_Set( maker, maker->root, "asset",
        json_pack( "{s:s,s:s+}", "version", "2.0", "generator", "Supple ", supVersion() ) );
    supGltfMaker_Set( maker, maker->root, "scene", json_integer( 0 ) );
    supSaveNodes( maker );
    supResult result = supSaveMeshes( maker, error );
    if ( result != sup_success )
    {
        return result;
    }
    supSaveSkins( maker );
    for ( int32_t clip = 0; clip < supCharacter_Info( maker->character )->clipCount; ++clip )
    {
        // glTF has no empty animations.
        if ( supCharacter_Clip( maker->character, clip ).trackCount > 0 )
        {
            supSaveClip( maker, clip );
        }
    }
    supGltfMaker_Materials( maker );
    if ( maker->bytes.count > 0 )
    {
        supGltfMaker_Add( maker, "buffers", json_pack( "{s:I}", "byteLength", (json_int_t)maker->bytes.count ) );
    }
    return sup_success;
}

// Header, JSON padded with spaces, BIN.
static supResult supPackGlb( supGltfMaker* maker, supArray* out, supError* error )
{
    char* text = maker->failed ? NULL : json_dumps( maker->root, JSON_COMPACT );
    size_t textSize = text != NULL ? strlen( text ) : 0, binary = maker->bytes.count;
    size_t size = 12 + supChunkSize( textSize ) + ( binary > 0 ? supChunkSize( binary ) : 0 );
    supResult result = sup_success;
    uint8_t* to = text == NULL || size > UINT32_MAX ? NULL : supArray_Add( out, size );
    if ( to != NULL )
    {
        to = supPutGlbHeader( to, (uint32_t)size );
        to = supPutChunk( to, SUP_GLB_JSON, text, textSize, ' ' );
        to = binary > 0 ? supPutChunk( to, SUP_GLB_BIN, maker->bytes.data, binary, 0 ) : to;
    }
    else if ( size > UINT32_MAX )
    {
        result = supFail( error, sup_errorLimit, "%s: %zu bytes are more than a .glb can hold (4 GB)",
            supCharacter_Info( maker->character )->name, size );
    }
    else
    {
        result =
            supFail( error, sup_errorMemory, "%s: no memory to write it", supCharacter_Info( maker->character )->name );
    }
    free( text );
    return result;
}

supResult supMakeGltf( const supCharacter* character, const supLook* look, supGltf** out, supError* error )
{
    *out = NULL;
    supGltfMaker maker = { .character = character, .look = look, .root = json_object() };
    maker.bytes = supMakeArray( 1, NULL );
    supArray file = supMakeArray( 1, NULL );
    supResult result = supFillMaker( &maker, error );
    if ( result == sup_success )
    {
        result = supPackGlb( &maker, &file, error );
    }
    if ( result == sup_success )
    {
        supLog silent = { 0 };
        result =
            supOpenGltfMemory( file.data, file.count, supCharacter_Info( character )->name, NULL, silent, out, error );
    }
    json_decref( maker.root );
    supArray_Destroy( &maker.bytes );
    supArray_Destroy( &file );
    return result;
}

supResult supSaveGltf( const supCharacter* character, const supLook* look, const char* path, supError* error )
{
    supGltf* document;
    supResult result = supMakeGltf( character, look, &document, error );
    if ( result == sup_success )
    {
        result = supGltf_Write( document, path, error );
        supCloseGltf( document );
    }
    return result;
}
