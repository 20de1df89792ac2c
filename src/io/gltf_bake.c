// SPDX-License-Identifier: MIT
#include "io/gltf_bake.h"

#include "base/float_settings.h"

#include <stdio.h>
#include <string.h>

#define SUP_GLTF_BAKE_COOKIE 0x62616b65

supGltfBakeOptions supDefaultGltfBakeOptions( void )
{
    return ( supGltfBakeOptions ){ .isBinary = true, .cookie = SUP_GLTF_BAKE_COOKIE };
}

/// The rig of an earlier bake leaves with it; the new one takes the place of any other.
static supResult supEmbedRig( supGltf* document, const supRig* rig, supError* error )
{
    supResult result = sup_success;
    if ( rig != NULL || document->hasBakedRig )
    {
        result = supGltf_SetRig( document, NULL, error );
    }
    document->hasBakedRig = false;
    return result == sup_success && rig != NULL ? supGltf_SetRig( document, rig, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Clips of a baked document.
//
// The living clip takes the old name and place, since viewers play clip 0 and game code plays "Run". The original
// follows at the end as "Run (smooth)", with accessors of its own kept: only the JSON of its channels is written twice.
// Every clip that has no motion for the helpers gets a zero key for each: some engines keep the last value when clips
// switch.

/// For each animation its baked clip, or -1. NULL without memory, which the reader then has.
static const int32_t* supListBaked( supBakeEdit* bake, int32_t clipCount )
{
    int32_t* bakedOf = supReader_Take( &bake->edit.reader, &bake->arena, (size_t)clipCount, sizeof( int32_t ) );
    for ( int32_t i = 0; bakedOf != NULL && i < clipCount; ++i )
    {
        bakedOf[i] = -1;
    }
    int32_t count = bake->morphs != NULL ? supMorphBake_Info( bake->morphs )->clipCount
                                         : supJointBake_Info( bake->bake )->clipCount;
    for ( int32_t i = count - 1; bakedOf != NULL && i >= 0; --i ) // the first of several stays
    {
        int32_t clip = bake->morphs != NULL ? supMorphBake_Info( bake->morphs )->errors[i].clip
                                            : supJointBake_Info( bake->bake )->clips[i].clip;
        if ( clip >= 0 && clip < clipCount )
        {
            bakedOf[clip] = i;
        }
    }
    return bakedOf;
}

/// Remembers the names of all animations. `names` is a table from a name to the last number that was tried behind it:
/// a search through the document for every copy would cost a square of the clips.
static void supListNames( supBakeEdit* bake, int32_t clipCount )
{
    bake->names = json_object();
    for ( int32_t i = 0; i < clipCount; ++i )
    {
        json_t* name = json_object_get( supGltf_Item( bake->edit.document, "animations", i ), "name" );
        if ( json_is_string( name ) )
        {
            supEdit_Put( &bake->edit, bake->names, json_string_value( name ), json_integer( 1 ) );
        }
    }
}

int32_t supBakeEdit_AddFloats( supBakeEdit* bake, const float* floats, size_t count, const char* type, int32_t rows )
{
    supNewAccessor accessor = { .view =
                                    supEdit_AddView( &bake->edit, floats, count * (size_t)rows * sizeof( float ), 0 ),
        .component = sup_componentFloat,
        .type = type,
        .count = (int32_t)count,
        .bounds = floats,
        .rows = rows };
    return supEdit_AddAccessor( &bake->edit, &accessor );
}

/// "Run (smooth)", or "Run (smooth 2)" where another clip is called that.
static void supNameCopy( supBakeEdit* bake, json_t* copy, int32_t clip, const char* kind )
{
    const char* name = json_string_value( json_object_get( copy, "name" ) );
    char base[32];
    snprintf( base, sizeof( base ), "Clip %d", clip + 1 );
    name = name != NULL && name[0] != '\0' ? name : base;
    size_t size = strlen( name ) + 40;
    char* first = supReader_Take( &bake->edit.reader, &bake->arena, size, 2 );
    if ( first == NULL )
    {
        return;
    }
    char* text = first + size;
    snprintf( first, size, "%s (%s)", name, kind );
    memcpy( text, first, size );
    json_int_t number = json_integer_value( json_object_get( bake->names, first ) ); // 0: nothing is called that
    while ( json_object_get( bake->names, text ) != NULL )
    {
        number += 1;
        snprintf( text, size, "%s (%s %d)", name, kind, (int)number );
    }
    supEdit_Put( &bake->edit, bake->names, text, json_integer( 1 ) );
    supEdit_Put( &bake->edit, bake->names, first, json_integer( number > 1 ? number : 1 ) );
    supEdit_Put( &bake->edit, copy, "name", json_string( text ) );
}

static void supAddTrack( supBakeEdit* bake, json_t* clip, int32_t sampler, int32_t helper, const char* path )
{
    supEdit_Push( &bake->edit, json_object_get( clip, "channels" ),
        json_pack(
            "{s:i, s:{s:i, s:s}}", "sampler", sampler, "target", "node", bake->firstHelper + helper, "path", path ) );
}

int32_t supBakeEdit_AddSampler( supBakeEdit* bake, json_t* clip, int32_t input, int32_t output, const char* form )
{
    json_t* samplers = json_object_get( clip, "samplers" );
    supEdit_Push( &bake->edit, samplers,
        json_pack( "{s:i, s:s, s:i}", "input", input, "interpolation", form, "output", output ) );
    return (int32_t)json_array_size( samplers ) - 1;
}

/// One key, at rest, of a helper that turns, at the time of accessor `input`.
static void supAddStillKey( supBakeEdit* bake, json_t* clip, int32_t input, int32_t helper )
{
    static const float straight[4] = { 0.0f, 0.0f, 0.0f, 1.0f };
    supVec3 place = supJointBake_Info( bake->bake )->helpers[helper].place;
    int32_t still = supBakeEdit_AddFloats( bake, &place.x, 1, "VEC3", 3 );
    int32_t turn = supBakeEdit_AddFloats( bake, straight, 1, "VEC4", 4 );
    supAddTrack( bake, clip, supBakeEdit_AddSampler( bake, clip, input, still, "LINEAR" ), helper, "translation" );
    supAddTrack( bake, clip, supBakeEdit_AddSampler( bake, clip, input, turn, "LINEAR" ), helper, "rotation" );
}

/// One key, nothing, for all helpers, where the clip starts. `zeros`: -1 where all of them turn.
static void supAddZeroKeys( supBakeEdit* bake, json_t* clip, int32_t index, int32_t zeros )
{
    float time = (float)supCharacter_Clip( bake->character, index ).start;
    int32_t view = supEdit_AddView( &bake->edit, &time, sizeof( time ), 0 );
    supNewAccessor input = {
        .view = view, .component = sup_componentFloat, .type = "SCALAR", .count = 1, .bounds = &time, .rows = 1
    };
    int32_t times = supEdit_AddAccessor( &bake->edit, &input );
    int32_t sampler = zeros >= 0 ? supBakeEdit_AddSampler( bake, clip, times, zeros, "LINEAR" ) : -1;
    for ( int32_t h = 0; h < bake->helperCount; ++h )
    {
        if ( supJointBake_Info( bake->bake )->helpers[h].turns )
        {
            supAddStillKey( bake, clip, times, h );
        }
        else
        {
            supAddTrack( bake, clip, sampler, h, "translation" );
        }
    }
}

/// One channel of each helper that has it: `values` of `width` numbers a key, helper after helper.
static void supAddChannels(
    supBakeEdit* bake, json_t* clip, const supBakedClip* baked, int32_t times, const float* values, int32_t width )
{
    bool cubic = baked->keys == sup_keysCubic, turns = width == 4;
    size_t perHelper = (size_t)width * (size_t)baked->keyCount * ( cubic ? 3 : 1 );
    int32_t helpers = turns ? supJointBake_Info( bake->bake )->turningCount : bake->helperCount;
    int32_t view = supEdit_AddView( &bake->edit, values, perHelper * (size_t)helpers * sizeof( float ), 0 );
    size_t at = 0;
    for ( int32_t h = 0; h < bake->helperCount && supEdit_Ok( &bake->edit ); ++h )
    {
        if ( turns && !supJointBake_Info( bake->bake )->helpers[h].turns )
        {
            continue;
        }
        supNewAccessor output = { .view = view,
            .offset = at * sizeof( float ),
            .component = sup_componentFloat,
            .type = turns ? "VEC4" : "VEC3",
            .count = (int32_t)( perHelper / (size_t)width ),
            .bounds = values + at,
            .rows = width };
        int32_t sampler = supBakeEdit_AddSampler(
            bake, clip, times, supEdit_AddAccessor( &bake->edit, &output ), cubic ? "CUBICSPLINE" : "LINEAR" );
        supAddTrack( bake, clip, sampler, h, turns ? "rotation" : "translation" );
        at += perHelper;
    }
}

static void supAddMotion( supBakeEdit* bake, json_t* clip, const supBakedClip* baked )
{
    int32_t timeView = supEdit_AddView( &bake->edit, baked->times, (size_t)baked->keyCount * sizeof( float ), 0 );
    supNewAccessor input = { .view = timeView,
        .component = sup_componentFloat,
        .type = "SCALAR",
        .count = baked->keyCount,
        .bounds = baked->times,
        .rows = 1 };
    int32_t times = supEdit_AddAccessor( &bake->edit, &input );
    supAddChannels( bake, clip, baked, times, baked->translations, 3 );
    if ( supJointBake_Info( bake->bake )->turningCount > 0 )
    {
        supAddChannels( bake, clip, baked, times, baked->rotations, 4 );
    }
}

static json_t* supCopyClip( supBakeEdit* bake, json_t* clip, int32_t index, const char* kind )
{
    json_t* copy = supEdit_Copy( &bake->edit, clip );
    supNameCopy( bake, copy, index, kind );
    supEdit_Append( &bake->edit, "animations", copy );
    return copy;
}

static void supBakeWeights( supBakeEdit* bake, json_t* living, json_t* smooth, int32_t index, int32_t baked )
{
    if ( living != NULL && supEdit_Ok( &bake->edit ) )
    {
        supBakeEdit_AddWeights( bake, living, index, baked );
    }
    if ( smooth != NULL && supEdit_Ok( &bake->edit ) )
    {
        supBakeEdit_AddWeights( bake, smooth, index, -1 );
    }
}

static void supBakeClip( supBakeEdit* bake, int32_t index, int32_t baked, int32_t zeros )
{
    json_t* clip = supGltf_Item( bake->edit.document, "animations", index );
    if ( bake->morphs == NULL )
    {
        supBakeEdit_Note( bake, "clips", index, (int32_t)json_array_size( json_object_get( clip, "channels" ) ), true,
            (int32_t)json_array_size( json_object_get( clip, "samplers" ) ), NULL );
    }
    json_t* smooth = baked < 0 ? clip : NULL;
    json_t* living = baked < 0 ? NULL : clip;
    if ( baked >= 0 && bake->options->keepNames )
    {
        smooth = clip;
        living = supCopyClip( bake, clip, index, "living" );
    }
    else if ( baked >= 0 && bake->options->dropOriginals == false )
    {
        smooth = supCopyClip( bake, clip, index, "smooth" );
    }
    if ( bake->morphs != NULL )
    {
        supBakeWeights( bake, living, smooth, index, baked );
        return;
    }
    if ( living != NULL && supEdit_Ok( &bake->edit ) )
    {
        supBakedClip motion = supJointBake_Info( bake->bake )->clips[baked];
        supAddMotion( bake, living, &motion );
    }
    if ( smooth != NULL && supEdit_Ok( &bake->edit ) )
    {
        supAddZeroKeys( bake, smooth, index, zeros );
    }
}

/// Living clips, the originals beside them, zero keys in all others.
static void supBakeEdit_AddClips( supBakeEdit* bake )
{
    int32_t count = supGltf_Count( bake->edit.document, "animations" );
    if ( ( bake->helperCount == 0 && bake->morphs == NULL ) || count == 0 || supEdit_Ok( &bake->edit ) == false )
    {
        return;
    }
    static const float nothing[3] = { 0.0f, 0.0f, 0.0f };
    bool shifts = bake->morphs == NULL && supJointBake_Info( bake->bake )->turningCount < bake->helperCount;
    int32_t zeroKey = shifts ? supBakeEdit_AddFloats( bake, nothing, 1, "VEC3", 3 ) : -1;
    const int32_t* bakedOf = supListBaked( bake, count );
    supListNames( bake, count );
    for ( int32_t i = 0; i < count && supEdit_Ok( &bake->edit ); ++i )
    {
        json_t* clip = supGltf_Item( bake->edit.document, "animations", i );
        bool isWhole = json_is_array( json_object_get( clip, "channels" ) ) &&
                       json_is_array( json_object_get( clip, "samplers" ) );
        if ( isWhole )
        {
            supBakeClip( bake, i, bakedOf[i], zeroKey );
        }
    }
    json_decref( bake->names );
    bake->names = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static supResult supAddBake( supGltf* document, supBakeEdit bake, supError* error )
{
    const supGltfBakeOptions* options = bake.options;
    if ( options->cookie != SUP_GLTF_BAKE_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the options were not made by supDefaultGltfBakeOptions" );
    }
    bake.character = supModel_Info( bake.model )->character;
    if ( supCharacter_Info( bake.character )->jointCount != supGltf_Count( document, "nodes" ) )
    {
        return supFail( error, sup_errorArgument,
            "the model is of another document: it has %d joints, %d nodes are here",
            supCharacter_Info( bake.character )->jointCount, supGltf_Count( document, "nodes" ) );
    }
    supResult result = options->isBinary ? supGltf_MakeBinary( document, error ) : sup_success;
    if ( result == sup_success )
    {
        // before the record is begun: taking the bake out leaves it plain, and baking again gives the same bytes
        supGltfEdit plain = supStartEdit( document, options->isBinary, error );
        supEdit_MakePlain( &plain );
        result = plain.reader.result;
    }
    if ( result != sup_success )
    {
        return result;
    }
    supFloatSettings host = supEnterFloatSettings();
    bake.edit = supStartEdit( document, options->isBinary, error );
    supBakeEdit_StartRecord( &bake );
    if ( bake.morphs != NULL )
    {
        supBakeEdit_AddTargets( &bake );
    }
    else
    {
        supBakeEdit_AddHelpers( &bake );
        supBakeEdit_AddInfluences( &bake );
    }
    if ( options->isLive == false )
    {
        supBakeEdit_AddClips( &bake );
    }
    result = bake.edit.reader.result;
    result = result == sup_success ? supEmbedRig( document, options->rig, error ) : result;
    if ( result == sup_success )
    {
        supBakeEdit_EndRecord( &bake, options->rig != NULL );
        result = bake.edit.reader.result;
    }
    supLeaveFloatSettings( host );
    json_decref( bake.record );
    supArena_Free( &bake.arena );
    return result;
}

supResult supGltf_AddJointBake( supGltf* document, const supModel* model, const supJointBake* joints,
    const supGltfBakeOptions* options, supError* error )
{
    return supAddBake( document, ( supBakeEdit ){ .model = model, .bake = joints, .options = options }, error );
}

supResult supGltf_AddMorphBake( supGltf* document, const supModel* model, const supMorphBake* morphs,
    const supGltfBakeOptions* options, supError* error )
{
    if ( options->isLive )
    {
        return supFail( error, sup_errorArgument, "a bake as morphs has no helper joints to drive" );
    }
    return supAddBake( document, ( supBakeEdit ){ .model = model, .morphs = morphs, .options = options }, error );
}
