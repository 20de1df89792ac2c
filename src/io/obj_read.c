// Wavefront OBJ: positions and faces, in and out.
// SPDX-License-Identifier: MIT
//
//     v x y z [w]            a vertex
//     f a b c …              a polygon; each corner i, i/t, i//n or i/t/n, counted from 1, or from the end with a minus
//     # …                    to the line's end; a backslash at the end of a line joins the next one to it
#include "base/float_settings.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/file_write.h"
#include "io/files.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supObj
{
    const char* name; ///< for messages
    const char* at;
    const char* end;
    int32_t line;
    supArray positions; ///< float[3]
    supArray indices;   ///< uint32_t
    supError* error;
} supObj;

/// The next word of the line, cut to fit; false at the line's end.
static bool supObj_Word( supObj* obj, char* word, size_t size )
{
    while ( obj->at < obj->end )
    {
        bool joined = *obj->at == '\\' && obj->at + 1 < obj->end && ( obj->at[1] == '\n' || obj->at[1] == '\r' );
        if ( joined )
        {
            while ( obj->at < obj->end && *obj->at != '\n' )
            {
                ++obj->at;
            }
            obj->line += 1;
        }
        else if ( *obj->at != ' ' && *obj->at != '\t' && *obj->at != '\r' )
        {
            break;
        }
        obj->at += obj->at < obj->end ? 1 : 0;
    }
    size_t length = 0;
    while ( obj->at < obj->end && memchr( " \t\r\n#", *obj->at, 5 ) == NULL )
    {
        if ( length + 1 < size )
        {
            word[length++] = *obj->at;
        }
        ++obj->at;
    }
    word[length] = '\0';
    return length > 0;
}

static void supObj_NextLine( supObj* obj )
{
    while ( obj->at < obj->end && *obj->at != '\n' )
    {
        ++obj->at;
    }
    obj->at += obj->at < obj->end ? 1 : 0;
    obj->line += 1;
}

static supResult supObj_Vertex( supObj* obj )
{
    float* p = supArray_Add( &obj->positions, 1 );
    if ( p == NULL )
    {
        return supFail( obj->error, sup_errorMemory, "%s: no memory for its vertices", obj->name );
    }
    for ( int i = 0; i < 3; ++i )
    {
        char word[64];
        bool any = supObj_Word( obj, word, sizeof( word ) );
        double number = 0.0;
        const char* end = supReadDecimal( word, &number );
        if ( !any || end == word || *end != '\0' || !isfinite( (float)number ) )
        {
            return supFail( obj->error, sup_errorFormat, "%s:%d: a vertex needs three numbers, not '%.40s'", obj->name,
                (int)obj->line, word );
        }
        p[i] = (float)number;
    }
    return sup_success;
}

static supResult supObj_Corner( supObj* obj, const char* word, uint32_t* out )
{
    char* end;
    long long number = strtoll( word, &end, 10 );
    long long count = (long long)obj->positions.count;
    if ( end == word || ( *end != '\0' && *end != '/' ) )
    {
        return supFail(
            obj->error, sup_errorFormat, "%s:%d: '%.40s' is not a corner of a face", obj->name, (int)obj->line, word );
    }
    long long index = number < 0 ? count + number : number - 1;
    if ( index < 0 || index >= count )
    {
        return supFail( obj->error, sup_errorData, "%s:%d: there is no vertex %lld; there are %lld so far", obj->name,
            (int)obj->line, number, count );
    }
    *out = (uint32_t)index;
    return sup_success;
}

static supResult supObj_Face( supObj* obj )
{
    char word[64];
    uint32_t first = 0, last = 0, corner = 0;
    int count = 0;
    while ( supObj_Word( obj, word, sizeof( word ) ) )
    {
        supResult result = supObj_Corner( obj, word, &corner );
        if ( result != sup_success )
        {
            return result;
        }
        if ( count >= 2 )
        {
            uint32_t* triangle = supArray_Add( &obj->indices, 3 );
            if ( triangle == NULL )
            {
                return supFail( obj->error, sup_errorMemory, "%s: no memory for its faces", obj->name );
            }
            triangle[0] = first;
            triangle[1] = last;
            triangle[2] = corner;
        }
        first = count == 0 ? corner : first;
        last = corner;
        count += 1;
    }
    return count >= 3
               ? sup_success
               : supFail( obj->error, sup_errorData, "%s:%d: a face of %d corners", obj->name, (int)obj->line, count );
}

static supResult supObj_Lines( supObj* obj )
{
    supResult result = sup_success;
    while ( result == sup_success && obj->at < obj->end )
    {
        char word[16];
        if ( supObj_Word( obj, word, sizeof( word ) ) )
        {
            result = strcmp( word, "v" ) == 0   ? supObj_Vertex( obj )
                     : strcmp( word, "f" ) == 0 ? supObj_Face( obj )
                                                : result;
        }
        if ( result == sup_success )
        {
            supObj_NextLine( obj );
        }
    }
    if ( result == sup_success &&
         ( obj->indices.count == 0 || obj->positions.count > INT32_MAX / 3 || obj->indices.count > INT32_MAX ) )
    {
        result =
            supFail( obj->error, sup_errorData, "%s: has no face, or too many; it is not an OBJ surface", obj->name );
    }
    return result;
}

supResult supReadObjMemory( const char* text, size_t size, const char* name, supCharacter** out, supError* error )
{
    *out = NULL;
    supObj obj = { .name = name, .at = text, .end = text + size, .line = 1, .error = error };
    obj.positions = supMakeArray( 3 * sizeof( float ), NULL );
    obj.indices = supMakeArray( sizeof( uint32_t ), NULL );
    supFloatSettings host = supEnterFloatSettings();
    supResult result = supObj_Lines( &obj );
    supLeaveFloatSettings( host );
    if ( result == sup_success )
    {
        supJointDef joint = { .name = "shape", .parent = -1, .rest = supTransform_identity };
        supMeshDef mesh = { .name = name,
            .skin = -1,
            .vertexCount = (int32_t)obj.positions.count,
            .positions = obj.positions.data,
            .indexCount = (int32_t)obj.indices.count,
            .indices = obj.indices.data,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
        supCharacterDef def = supDefaultCharacterDef();
        def.name = name;
        def.jointCount = 1;
        def.joints = &joint;
        def.meshCount = 1;
        def.meshes = &mesh;
        result = supCreateCharacter( &def, out, error );
    }
    supArray_Destroy( &obj.positions );
    supArray_Destroy( &obj.indices );
    return result;
}

supResult supReadObj( const char* path, supCharacter** out, supError* error )
{
    *out = NULL;
    uint8_t* data = NULL;
    size_t size = 0;
    supResult result = supReadFile( path, &data, &size, error );
    if ( result == sup_success )
    {
        result = supReadObjMemory( (const char*)data, size, path, out, error );
    }
    free( data );
    return result;
}

supResult supWriteObj( const char* path, const float* positions, int32_t vertexCount, const uint32_t* indices,
    int32_t indexCount, supError* error )
{
    supHeldSignals held = supHoldSignals();
    supFileWriter writer;
    supResult result = supBeginFile( &writer, path, error );
    if ( result == sup_success )
    {
        char line[3 * SUP_FLOAT_TEXT + 16], x[SUP_FLOAT_TEXT], y[SUP_FLOAT_TEXT], z[SUP_FLOAT_TEXT];
        for ( int32_t v = 0; v < vertexCount; ++v )
        {
            const float* p = positions + 3 * (size_t)v;
            int length = snprintf( line, sizeof( line ), "v %s %s %s\n", supFloatText( p[0], x ),
                supFloatText( p[1], y ), supFloatText( p[2], z ) );
            supFileWriter_Write( &writer, line, (size_t)length );
        }
        for ( int32_t i = 0; i + 2 < indexCount; i += 3 )
        {
            int length = snprintf( line, sizeof( line ), "f %u %u %u\n", (unsigned)indices[i] + 1,
                (unsigned)indices[i + 1] + 1, (unsigned)indices[i + 2] + 1 );
            supFileWriter_Write( &writer, line, (size_t)length );
        }
        result = supFileWriter_Close( &writer, error );
        result = result == sup_success ? supFileWriter_Commit( &writer, error ) : result;
        if ( result != sup_success )
        {
            supFileWriter_Drop( &writer );
        }
    }
    supReleaseSignals( &held );
    return result;
}
