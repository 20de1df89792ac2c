// Settings that people tuned for swinging bones elsewhere, put on the elements of a rig.
// SPDX-License-Identifier: MIT
//
// VRM, KawaiiPhysics and PhysBones move the tail of a bone once a frame, each by the same kind of rule: it keeps a
// share c of the way that it went in the last frame, gravity adds g, and what it then is off its rest shrinks to a
// share k. Small deflections d of the rest follow
//
//     d[n+1] = k ( d[n] + c ( d[n] - d[n-1] ) + g ),   so   z^2 - k ( 1 + c ) z + k c = 0   for d[n] = z^n.
//
// A damped spring sampled sixty times a second does the same with z = exp( l / 60 ), so its l1 and l2 are 60 ln z. Then
// l1 l2 = w^2 and l1 + l2 = -2 zeta w; d[n+1] = d[n] gives the sag k g / ( 1 - k ).
//
// VRM (VRMC_springBone 1.0): c = 1 - dragForce. Stiffness adds stiffness * dt along the rest direction, and the bone is
// brought back to its length L, which turns d into d L / ( L + stiffness dt ): that is k; g = gravityPower dt.
// KawaiiPhysics: c = 1 - damping, k = 1 - stiffness at its target of 60 frames, g = gravity dt^2 / 2.
// PhysBone publishes no rule. By what its pages say of 0 and 1: c = spring, k = 1 - pull; gravity is a share of the way
// from rest to hanging down, which a bone of length L goes: sag = gravity L.
#include "rig_import.h"

#include "columns.h"
#include "regular_file.h"
#include "supple/lab/items.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double supFrameRate = 60.0;

supTunedSpring supSpringOfFrames( double kept, double left, double pull )
{
    // what stops within one frame is taken as nearly so
    kept = fmin( fmax( kept, 1e-3 ), 1.0 );
    left = fmin( fmax( left, 1e-3 ), 1.0 - 1e-6 );
    double half = 0.5 * left * ( 1.0 + kept ), product = left * kept;
    double square = half * half - product;
    double sum, times; // of l1 and l2
    if ( square < 0.0 )
    {
        double real = 0.5 * log( product ), angle = atan2( sqrt( -square ), half );
        sum = 2.0 * real;
        times = real * real + angle * angle;
    }
    else
    {
        double a = log( half + sqrt( square ) ), b = log( fmax( half - sqrt( square ), 1e-9 ) );
        sum = a + b;
        times = a * b;
    }
    double w = sqrt( times );
    return ( supTunedSpring ){ w * supFrameRate / ( 2.0 * 3.14159265358979323846 ), -sum / ( 2.0 * w ),
        left * pull / ( 1.0 - left ) };
}

typedef enum supSystem
{
    sup_systemVrm,
    sup_systemKawaii,
    sup_systemPhysBone,
} supSystem;

static const char* const sup_systemNames[] = { "vrm", "kawaii", "physbone" };

/// A bone's settings as the file has them.
typedef struct supTunedBone
{
    const char* name;
    double stiffness, drag, gravity; ///< for PhysBone pull, spring and gravity
    double length;                   ///< metres; 0: from the skeleton
} supTunedBone;

/// What is asked of a joint.
typedef struct supBoneTarget
{
    double length;   ///< the distance to its first child, else VRM's 7 cm for a bone that has none. Metres
    double most;     ///< how much of its skin the element moves
    double held;     ///< the same of the element that is being looked at
    int32_t element; ///< the one that moves most of the skin that hangs on it, or -1
} supBoneTarget;

typedef struct supImport
{
    const char* path;
    const supModel* model;
    const supCharacter* character;
    supSystem system;
    const json_t* nodes;    ///< of a VRM file, or NULL
    supElementDef* defs;    ///< copies, changed
    supBoneTarget* targets; ///< by joint
    char ( *from )[64];     ///< the bone that changed each, or ""
    FILE* out;
    int32_t count; ///< bones that found an element
} supImport;

// ---------------------------------------------------------------------------------------------------------------
// Which element

static void supFindLengths( const supCharacter* character, supBoneTarget* targets )
{
    const supCharacterInfo* info = supCharacter_Info( character );
    for ( int32_t i = 0; i < info->jointCount; ++i )
    {
        int32_t parent = supCharacter_Joint( character, i )->parent;
        if ( parent >= 0 && targets[parent].length <= 0.0 )
        {
            supVec3 a = info->restJoints[i].t, b = info->restJoints[parent].t;
            double x = (double)( a.x - b.x ), y = (double)( a.y - b.y ), z = (double)( a.z - b.z );
            double length = sqrt( x * x + y * y + z * z );
            targets[parent].length = length > 1e-6 * (double)info->size ? length : 0.0;
        }
    }
    for ( int32_t i = 0; i < info->jointCount; ++i )
    {
        targets[i].length = targets[i].length > 0.0 ? targets[i].length : 0.07;
    }
}

static int32_t supMeshOfVertex( const supCharacter* character, int32_t vertex )
{
    int32_t low = 0, high = supCharacter_Info( character )->meshCount;
    while ( high - low > 1 )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool isAfter = supCharacter_Mesh( character, middle ).firstVertex > vertex;
        low = isAfter ? low : middle;
        high = isAfter ? middle : high;
    }
    return low;
}

/// Each weight of a vertex, times `share`, goes to its joint.
static void supHoldVertex( const supCharacter* character, int32_t vertex, double share, supBoneTarget* targets )
{
    supMeshView mesh = supCharacter_Mesh( character, supMeshOfVertex( character, vertex ) );
    size_t n = (size_t)mesh.influenceCount, at = (size_t)( vertex - mesh.firstVertex ) * n;
    for ( size_t k = 0; mesh.skin >= 0 && k < n; ++k )
    {
        int32_t joint = supCharacter_Info( character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[at + k]];
        targets[joint].held += share * (double)mesh.weights[at + k];
    }
}

/// Of the joints of a vertex, those that this element moves more of than any before. What was held is forgotten.
static void supJudgeVertex( const supCharacter* character, int32_t vertex, int32_t element, supBoneTarget* targets )
{
    supMeshView mesh = supCharacter_Mesh( character, supMeshOfVertex( character, vertex ) );
    size_t n = (size_t)mesh.influenceCount, at = (size_t)( vertex - mesh.firstVertex ) * n;
    for ( size_t k = 0; mesh.skin >= 0 && k < n; ++k )
    {
        int32_t joint = supCharacter_Info( character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[at + k]];
        supBoneTarget* target = targets + joint;
        target->element = target->held > target->most ? element : target->element;
        target->most = fmax( target->most, target->held );
        target->held = 0.0;
    }
}

/// For all joints at once: a file may name each of them.
static void supFindTargets( const supModel* model, supBoneTarget* targets )
{
    const supModelInfo* info = supModel_Info( model );
    for ( int32_t i = 0; i < supCharacter_Info( info->character )->jointCount; ++i )
    {
        targets[i] = ( supBoneTarget ){ .element = -1 };
    }
    for ( int32_t e = 0; e < info->elementCount; ++e )
    {
        const supElementView* view = info->elements + e;
        for ( int32_t i = 0; i < view->vertexCount; ++i )
        {
            supHoldVertex( info->character, view->vertices[i], (double)view->weights[i], targets );
        }
        for ( int32_t i = 0; i < view->vertexCount; ++i )
        {
            supJudgeVertex( info->character, view->vertices[i], e, targets );
        }
    }
    supFindLengths( info->character, targets );
}

// ---------------------------------------------------------------------------------------------------------------
// One bone

static supTunedSpring supMeaningOf( supSystem system, const supTunedBone* bone )
{
    double dt = 1.0 / supFrameRate;
    if ( system == sup_systemVrm )
    {
        return supSpringOfFrames(
            1.0 - bone->drag, bone->length / ( bone->length + bone->stiffness * dt ), bone->gravity * dt );
    }
    if ( system == sup_systemKawaii )
    {
        return supSpringOfFrames( 1.0 - bone->drag, 1.0 - bone->stiffness, 0.5 * bone->gravity * dt * dt );
    }
    supTunedSpring spring = supSpringOfFrames( bone->drag, 1.0 - bone->stiffness, 0.0 );
    spring.sag = bone->gravity * bone->length;
    return spring;
}

static void supTellBone( const supImport* import, const supTunedBone* bone, const char* words )
{
    if ( import->out != NULL )
    {
        fputs( "  ", import->out );
        supPrintColumn( import->out, bone->name, 24 );
        fprintf( import->out, " %9.3g %9.3g %9.3g   %s\n", bone->stiffness, bone->drag, bone->gravity, words );
    }
}

/// Gives a bone's settings to its element; of a chain of bones on one element the first counts.
static void supTakeBone( supImport* import, supTunedBone bone )
{
    int32_t joint = supCharacter_FindJoint( import->character, bone.name );
    int32_t e = joint >= 0 ? import->targets[joint].element : -1;
    char words[160];
    if ( e < 0 || import->from[e][0] != '\0' )
    {
        snprintf( words, sizeof( words ),
            e >= 0      ? "\"%s\" already has those of %s"
            : joint < 0 ? "no such joint"
                        : "no element moves its skin",
            e >= 0 ? import->defs[e].name : "", e >= 0 ? import->from[e] : "" );
        supTellBone( import, &bone, words );
        return;
    }
    bone.length = bone.length > 0.0 ? bone.length : import->targets[joint].length;
    supTunedSpring spring = supMeaningOf( import->system, &bone );
    double thickness = (double)supModel_Info( import->model )->elements[e].thickness;
    double sag = thickness > 0.0 ? spring.sag / thickness : 0.0;
    import->defs[e].frequency = (float)fmin( fmax( spring.frequency, 0.01 ), 1000.0 );
    import->defs[e].dampingRatio = (float)fmin( fmax( spring.dampingRatio, 0.0 ), 100.0 );
    import->defs[e].sag = (float)fmin( fmax( sag, 0.0 ), 10.0 );
    snprintf( import->from[e], sizeof( import->from[e] ), "%s", bone.name );
    import->count += 1;
    snprintf( words, sizeof( words ), "\"%s\": %.3g Hz, damping ratio %.3g, sag %.3g cm (%.0f%% of the thickness)",
        import->defs[e].name, spring.frequency, spring.dampingRatio, 100.0 * spring.sag, 100.0 * sag );
    supTellBone( import, &bone, words );
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static double supNumberOf( const json_t* object, const char* key, double fallback )
{
    const json_t* value = json_object_get( object, key );
    return json_is_number( value ) ? json_number_value( value ) : fallback;
}

static supResult supCheckNumbers( const supImport* import, const supTunedBone* bone, supError* error )
{
    bool isShare = import->system != sup_systemVrm;
    bool good = bone->stiffness >= 0.0 && ( !isShare || bone->stiffness <= 1.0 ) && bone->drag >= 0.0 &&
                bone->drag <= 1.0 && bone->gravity >= 0.0 && bone->length >= 0.0 && bone->stiffness < 1e6 &&
                bone->gravity < 1e6 && bone->length < 1e6;
    return good ? sup_success
                : supFail( error, sup_errorData,
                      "%s: \"%.60s\": out of range; drag, damping, spring, pull and KawaiiPhysics' stiffness are 0 to "
                      "1, nothing is below 0",
                      import->path, bone->name );
}

static supResult supTakeVrmBone(
    supImport* import, const json_t* node, const json_t* settings, const char* stiffness, supError* error )
{
    const json_t* it = json_is_integer( node ) && json_integer_value( node ) >= 0
                           ? json_array_get( import->nodes, (size_t)json_integer_value( node ) )
                           : NULL;
    const char* name = json_string_value( json_object_get( it, "name" ) );
    if ( name == NULL )
    {
        return sup_success; // a bone without a name is none of a rig's
    }
    // VRM 0 has no defaults of its own; these are those of VRM 1
    const supTunedBone bone = { name, supNumberOf( settings, stiffness, 1.0 ),
        supNumberOf( settings, "dragForce", 0.5 ), supNumberOf( settings, "gravityPower", 0.0 ), 0.0 };
    supResult result = supCheckNumbers( import, &bone, error );
    if ( result == sup_success )
    {
        supTakeBone( import, bone );
    }
    return result;
}

static supResult supTakeVrm( supImport* import, const json_t* root, supError* error )
{
    const json_t* extensions = json_object_get( root, "extensions" );
    const json_t* springs = json_object_get( json_object_get( extensions, "VRMC_springBone" ), "springs" );
    const json_t* groups =
        json_object_get( json_object_get( json_object_get( extensions, "VRM" ), "secondaryAnimation" ), "boneGroups" );
    supResult result = sup_success;
    import->system = sup_systemVrm;
    import->nodes = json_object_get( root, "nodes" );
    for ( size_t i = 0; i < json_array_size( springs ) && result == sup_success; ++i )
    {
        const json_t* joints = json_object_get( json_array_get( springs, i ), "joints" );
        for ( size_t k = 0; k < json_array_size( joints ) && result == sup_success; ++k )
        {
            const json_t* joint = json_array_get( joints, k );
            result = supTakeVrmBone( import, json_object_get( joint, "node" ), joint, "stiffness", error );
        }
    }
    for ( size_t i = 0; i < json_array_size( groups ) && result == sup_success; ++i )
    {
        const json_t* group = json_array_get( groups, i );
        const json_t* bones = json_object_get( group, "bones" );
        for ( size_t k = 0; k < json_array_size( bones ) && result == sup_success; ++k )
        {
            // spelled so in the format
            result = supTakeVrmBone( import, json_array_get( bones, k ), group, "stiffiness", error );
        }
    }
    if ( json_array_size( springs ) + json_array_size( groups ) == 0 )
    {
        return supFail(
            error, sup_errorData, "%s: has neither spring bones nor \"system\" and \"bones\"", import->path );
    }
    return result;
}

static supResult supTakeSettings( supImport* import, const json_t* root, supError* error )
{
    const char* system = json_string_value( json_object_get( root, "system" ) );
    const json_t* bones = json_object_get( root, "bones" );
    int which = -1;
    for ( int i = 0; system != NULL && i < 3; ++i )
    {
        which = strcmp( system, sup_systemNames[i] ) == 0 ? i : which;
    }
    if ( which < 0 || !json_is_array( bones ) )
    {
        return supFail( error, sup_errorData,
            "%s: \"system\" must be \"vrm\", \"kawaii\" or \"physbone\", and \"bones\" a list of objects",
            import->path );
    }
    import->system = (supSystem)which;
    supResult result = sup_success;
    for ( size_t i = 0; i < json_array_size( bones ) && result == sup_success; ++i )
    {
        const json_t* it = json_array_get( bones, i );
        const char* name = json_string_value( json_object_get( it, "bone" ) );
        if ( name == NULL )
        {
            return supFail( error, sup_errorData, "%s: bones[%zu]: \"bone\" is missing", import->path, i );
        }
        bool isPhysBone = which == sup_systemPhysBone, isVrm = which == sup_systemVrm;
        // what each system starts with
        const supTunedBone bone = { name,
            supNumberOf( it, isPhysBone ? "pull" : "stiffness",
                isPhysBone ? 0.2
                : isVrm    ? 1.0
                           : 0.05 ),
            supNumberOf( it,
                isPhysBone ? "spring"
                : isVrm    ? "dragForce"
                           : "damping",
                isPhysBone ? 0.2
                : isVrm    ? 0.5
                           : 0.1 ),
            supNumberOf( it, isVrm ? "gravityPower" : "gravity", 0.0 ), supNumberOf( it, "length", 0.0 ) };
        result = supCheckNumbers( import, &bone, error );
        if ( result == sup_success )
        {
            supTakeBone( import, bone );
        }
    }
    return result;
}

/// The first chunk of a .glb or .vrm; NULL: it is none.
static json_t* supLoadFirstChunk( const char* path, bool* isBinary, json_error_t* why )
{
    unsigned char head[20];
    struct stat info;
    FILE* file = supOpenRegular( path );
    *isBinary = file != NULL && fread( head, 1, sizeof( head ), file ) == sizeof( head ) &&
                memcmp( head, "glTF", 4 ) == 0 && fstat( fileno( file ), &info ) == 0;
    json_t* root = NULL;
    if ( *isBinary )
    {
        size_t size = head[12] | (size_t)head[13] << 8 | (size_t)head[14] << 16 | (size_t)head[15] << 24;
        bool isInside = size <= (size_t)info.st_size - sizeof( head );
        char* text = isInside ? malloc( size + 1 ) : NULL;
        why->line = -1;
        errno = isInside ? ENOMEM : EINVAL;
        root = text != NULL && fread( text, 1, size, file ) == size ? supParseJson( text, size, 0, why ) : NULL;
        free( text );
    }
    if ( file != NULL )
    {
        int code = errno;
        fclose( file );
        errno = code;
    }
    return root;
}

/// The JSON of a file: all of it, or the first chunk of a .glb or .vrm.
static json_t* supLoadSettings( const char* path, supError* error )
{
    json_error_t why = { 0 };
    bool isBinary;
    json_t* root = supLoadFirstChunk( path, &isBinary, &why );
    root = isBinary ? root : supLoadRegularJson( path, JSON_REJECT_DUPLICATES, &why );
    if ( root == NULL && why.line < 0 )
    {
        bool isCut = errno == EINVAL;
        supFail( error, sup_errorFile, "%s: cannot be read: %s", path,
            isCut && isBinary ? "it ends within its JSON"
            : isCut           ? "not a file"
                              : strerror( errno ) );
    }
    else if ( root == NULL )
    {
        supFail( error, sup_errorFormat, "%s: line %d: not JSON: %s", path, why.line, why.text );
    }
    return root;
}

/// The rig anew, with the changed elements.
static supResult supPutElements( const supImport* import, supRig** rig, supError* error )
{
    supRig* changed = NULL;
    supResult result = supCreateRig( NULL, &changed, error );
    if ( result == sup_success )
    {
        supRig_SetGravity( changed, supRig_Gravity( *rig ) );
    }
    for ( int32_t layer = 0; layer < supLayerCount() && result == sup_success; ++layer )
    {
        for ( int32_t i = 0; i < supRig_ItemCount( *rig, layer ) && result == sup_success; ++i )
        {
            const void* item = layer == 0 ? (const void*)( import->defs + i ) : supRig_Item( *rig, layer, i );
            result = supRig_AddItem( changed, layer, item, error );
        }
    }
    if ( result == sup_success )
    {
        supDestroyRig( *rig );
        *rig = changed;
        return result;
    }
    supDestroyRig( changed );
    return result;
}

supResult supImportSettings( const char* path, const supModel* model, supRig** rig, FILE* out, supError* error )
{
    json_t* root = supLoadSettings( path, error );
    if ( root == NULL )
    {
        return error->code;
    }
    int32_t count = supRig_ElementCount( *rig );
    supImport import = { .path = path, .model = model, .character = supModel_Info( model )->character, .out = out };
    import.defs = calloc( (size_t)count + 1, sizeof( supElementDef ) );
    import.from = calloc( (size_t)count + 1, sizeof( *import.from ) );
    import.targets = calloc( (size_t)supCharacter_Info( import.character )->jointCount + 1, sizeof( supBoneTarget ) );
    supResult result = import.defs != NULL && import.from != NULL && import.targets != NULL
                           ? sup_success
                           : supFail( error, sup_errorMemory, "%s: no memory for %d elements", path, count );
    for ( int32_t e = 0; e < count && result == sup_success; ++e )
    {
        import.defs[e] = *supRig_Element( *rig, e );
    }
    if ( result == sup_success )
    {
        supFindTargets( model, import.targets );
        if ( out != NULL )
        {
            fprintf( out, "%s:\n  %-24s %9s %9s %9s   what it means\n", path, "bone", "stiffness", "drag", "gravity" );
        }
        result = json_object_get( root, "system" ) != NULL ? supTakeSettings( &import, root, error )
                                                           : supTakeVrm( &import, root, error );
    }
    if ( result == sup_success && import.count == 0 )
    {
        result = supFail( error, sup_errorData, "%s: none of its bones carries skin that an element moves", path );
    }
    result = result == sup_success ? supPutElements( &import, rig, error ) : result;
    free( import.defs );
    free( import.from );
    free( import.targets );
    json_decref( root );
    return result;
}
