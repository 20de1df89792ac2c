// Files of other formats, answered with the command that converts them.
// SPDX-License-Identifier: MIT
#include "foreign.h"

#include "input.h"
#include "regular_file.h"

#include <stdio.h>
#include <string.h>

typedef struct supForeign
{
    const char* ending;
    const char* name;   ///< for people
    const char* magic;  ///< its first bytes, or NULL
    const char* import; ///< what Blender calls its reader; NULL: it opens such files itself
} supForeign;

static const supForeign sup_foreign[] = {
    { ".fbx", "FBX", "Kaydara FBX Binary", "import_scene.fbx" },
    { ".blend", "a file of Blender", "BLENDER", NULL },
    { ".usd", "USD", NULL, "wm.usd_import" },
    { ".usda", "USD", "#usda", "wm.usd_import" },
    { ".usdc", "USD", "PXR-USDC", "wm.usd_import" },
    { ".usdz", "USD", NULL, "wm.usd_import" },
    { ".dae", "Collada", NULL, "wm.collada_import" },
    { ".obj", "OBJ", NULL, "wm.obj_import" },
};

static const supForeign* supFindForeign( const char* path )
{
    char head[32] = "";
    FILE* file = supOpenRegular( path );
    size_t size = file != NULL ? fread( head, 1, sizeof( head ) - 1, file ) : 0;
    head[size] = '\0';
    if ( file != NULL )
    {
        fclose( file );
    }
    for ( size_t i = 0; i < sizeof( sup_foreign ) / sizeof( sup_foreign[0] ); ++i )
    {
        const supForeign* one = sup_foreign + i;
        bool starts = one->magic != NULL && strncmp( head, one->magic, strlen( one->magic ) ) == 0;
        if ( starts || ( file != NULL && supEndsWith( path, one->ending ) ) )
        {
            return one;
        }
    }
    return NULL;
}

supResult supRefuseForeign( const char* path, supError* error )
{
    const supForeign* foreign = supFindForeign( path );
    if ( foreign == NULL )
    {
        return sup_success;
    }
    // a path that would need quotes within quotes, or more room than a message has, is called IN
    bool isPlain = strlen( path ) < 60 && strpbrk( path, "'\"\\$`!" ) == NULL;
    size_t stem = isPlain ? strcspn( supBaseName( path ), "." ) + (size_t)( supBaseName( path ) - path ) : 2;
    const char* in = isPlain ? path : "IN";
    if ( foreign->import == NULL )
    {
        return supFail( error, sup_errorUnsupported,
            "%.120s: %s is not read; Blender makes a glTF file of it: "
            "blender -b '%s' --python-expr \"import bpy; bpy.ops.export_scene.gltf(filepath='%.*s.glb')\"",
            path, foreign->name, in, (int)stem, in );
    }
    return supFail( error, sup_errorUnsupported,
        "%.120s: %s is not read; Blender makes a glTF file of it: "
        "blender -b --python-expr \"import bpy; bpy.ops.wm.read_homefile(use_empty=True); "
        "bpy.ops.%s(filepath='%s'); bpy.ops.export_scene.gltf(filepath='%.*s.glb')\"",
        path, foreign->name, foreign->import, in, (int)stem, in );
}
