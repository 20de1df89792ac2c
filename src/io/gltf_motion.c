// Motion from another file as clips of a document.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"
#include "io/files.h"
#include "io/gltf_edit.h"
#include "io/retarget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

supGltfMotionOptions supDefaultGltfMotionOptions( void )
{
    return ( supGltfMotionOptions ){ .isBinary = true };
}

/// By its first bytes: "glTF", or the start of JSON. A BVH starts with a word.
static bool supLooksLikeGltf( const char* path )
{
    char start[64] = "";
    FILE* file = fopen( path, "rb" );
    size_t size = file != NULL ? fread( start, 1, sizeof( start ) - 1, file ) : 0, at = 0;
    if ( file != NULL )
    {
        fclose( file );
    }
    at += size >= 3 && memcmp( start, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0;
    at += strspn( start + at, " \t\r\n" );
    return memcmp( start, "glTF", 4 ) == 0 || start[at] == '{';
}

supResult supLoadMotion( const char* path, supLog log, supCharacter** out, supError* error )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = log;
    return supLoadMotionWith( path, &def, out, error );
}

supResult supLoadMotionWith( const char* path, const supGltfOpenDef* def, supCharacter** out, supError* error )
{
    struct stat info;
    bool isFile = stat( path, &info ) == 0 && S_ISREG( info.st_mode ); // a pipe would block
    *out = NULL;
    if ( isFile ? supLooksLikeGltf( path ) : supIsGltfName( path ) )
    {
        supGltf* document = NULL;
        supResult result = supOpenGltfWith( path, def, &document, error );
        result = result == sup_success ? supGltf_Character( document, NULL, out, error ) : result;
        supCloseGltf( document );
        return result;
    }
    return supReadBvh( path, def->log, out, error );
}

static bool supHasClip( const supGltf* document, const char* name )
{
    for ( int32_t i = 0; i < supGltf_Count( document, "animations" ); ++i )
    {
        const char* other = json_string_value( json_object_get( supGltf_Item( document, "animations", i ), "name" ) );
        if ( other != NULL && strcmp( other, name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

/// The name, or the first of "NAME 2", "NAME 3" that is free.
static void supFreeName( const supGltf* document, const char* name, char* text, size_t size )
{
    snprintf( text, size, "%s", name );
    for ( int32_t number = 2; supHasClip( document, text ); ++number )
    {
        snprintf( text, size, "%s %d", name, number );
    }
}

static int32_t supAddFloats( supGltfEdit* edit, const float* floats, size_t count, const char* type, int32_t rows )
{
    supNewAccessor accessor = { .view = supEdit_AddView( edit, floats, count * (size_t)rows * sizeof( float ), 0 ),
        .component = sup_componentFloat,
        .type = type,
        .count = (int32_t)count,
        .bounds = floats,
        .rows = rows };
    return supEdit_AddAccessor( edit, &accessor );
}

static void supAddAnimation( supGltfEdit* edit, const char* name, const supTrackDef* tracks, int32_t count )
{
    static const char* const paths[] = { "translation", "rotation", "scale" };
    static const char* const forms[] = { "STEP", "LINEAR", "CUBICSPLINE" };
    json_t *channels = json_array(), *samplers = json_array();
    const float* times = NULL;
    int32_t input = -1;
    for ( int32_t i = 0; i < count && supEdit_Ok( edit ); ++i )
    {
        const supTrackDef* track = tracks + i;
        if ( track->times != times ) // neighbours share them
        {
            times = track->times;
            input = supAddFloats( edit, times, (size_t)track->keyCount, "SCALAR", 1 );
        }
        size_t values = (size_t)track->keyCount * ( track->interpolation == sup_interpolationCubic ? 3 : 1 );
        int32_t output = supAddFloats( edit, track->values, values, track->width == 4 ? "VEC4" : "VEC3", track->width );
        supEdit_Push( edit, samplers,
            json_pack(
                "{s:i, s:s, s:i}", "input", input, "interpolation", forms[track->interpolation], "output", output ) );
        supEdit_Push( edit, channels,
            json_pack(
                "{s:i, s:{s:i, s:s}}", "sampler", i, "target", "node", track->joint, "path", paths[track->path] ) );
    }
    supEdit_Append(
        edit, "animations", json_pack( "{s:s, s:o, s:o}", "name", name, "channels", channels, "samplers", samplers ) );
}

/// What moves nothing here: joints of the motion without a partner, by name.
static void supReportUnmatched(
    const supCharacter* motion, const int32_t* partners, int32_t count, supMotionReport* report )
{
    size_t length = 0;
    report->unmatchedNames[0] = '\0';
    for ( int32_t s = 0; s < supCharacter_Info( motion )->jointCount; ++s )
    {
        bool used = false;
        for ( int32_t j = 0; j < count && used == false; ++j )
        {
            used = partners[j] == s;
        }
        if ( used )
        {
            continue;
        }
        const char* name = supCharacter_Joint( motion, s )->name;
        report->unmatched += 1;
        if ( length + strlen( name ) + 8 < sizeof( report->unmatchedNames ) )
        {
            length += (size_t)snprintf( report->unmatchedNames + length, sizeof( report->unmatchedNames ) - length,
                "%s\"%s\"", length > 0 ? ", " : "", name );
        }
    }
}

static supResult supAddClips( supGltf* document, const supCharacter* character, const supCharacter* motion,
    const char* name, const supGltfMotionOptions* options, const int32_t* partners, supMotionReport* report,
    supError* error )
{
    supArena arena = { 0 };
    supResult result = options->isBinary ? supGltf_MakeBinary( document, error ) : sup_success;
    supGltfEdit edit = supStartEdit( document, options->isBinary, error );
    for ( int32_t c = 0; c < supCharacter_Info( motion )->clipCount && result == sup_success; ++c )
    {
        char clip[256];
        const supTrackDef* tracks = NULL;
        int32_t count = supRetargetClip( character, motion, c, partners, &arena, &tracks );
        if ( count < 0 )
        {
            result = supFail( error, sup_errorMemory, "%s: no memory for its motion", name );
        }
        else if ( count > 0 )
        {
            supFreeName( document, supCharacter_Clip( motion, c ).name, clip, sizeof( clip ) );
            supAddAnimation( &edit, clip, tracks, count );
            report->clips += 1;
            if ( supEdit_Ok( &edit ) == false )
            {
                result = edit.reader.result != sup_success
                             ? edit.reader.result
                             : supFail( error, sup_errorMemory, "%s: no memory for its motion", name );
            }
        }
    }
    supArena_Free( &arena );
    return result;
}

supResult supGltf_AddMotion( supGltf* document, const supCharacter* character, const supCharacter* motion,
    const char* name, const supGltfMotionOptions* options, supMotionReport* report, supError* error )
{
    *report = ( supMotionReport ){ .joints = supCharacter_Info( motion )->jointCount };
    int32_t count = supCharacter_Info( character )->jointCount;
    if ( supCharacter_Info( motion )->clipCount == 0 )
    {
        return supFail( error, sup_errorData, "%s: has no motion", name );
    }
    int32_t* partners = calloc( (size_t)count + 1, sizeof( int32_t ) );
    if ( partners == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for %d joints", name, count );
    }
    report->matched = supMatchJoints( character, motion, options->mapPath, partners, error );
    supResult result = report->matched < 0 ? sup_errorData : sup_success;
    if ( report->matched == 0 )
    {
        const char* example = report->joints > 0 ? supCharacter_Joint( motion, 0 )->name : "";
        result = supFail( error, sup_errorNotFound,
            "%s: none of its %d joints has the name of a joint of the character; --map FILE can say which is which: {\"%.40s\": \"…\"}",
            name, report->joints, example );
    }
    if ( result == sup_success )
    {
        supReportUnmatched( motion, partners, count, report );
        supFloatSettings host = supEnterFloatSettings();
        result = supAddClips( document, character, motion, name, options, partners, report, error );
        supLeaveFloatSettings( host );
    }
    free( partners );
    return result;
}
