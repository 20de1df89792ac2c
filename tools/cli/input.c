// Characters from files and by name.
// SPDX-License-Identifier: MIT
#include "input.h"
#include "foreign.h"
#include "supple/lab/items.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

supTrust sup_trust = { .maxMemory = 2.0f };

supGltfOpenDef supOpenDefForLog( supLog log )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = log;
    def.mostMemory = (size_t)( 1e9 * (double)sup_trust.maxMemory );
    def.isUntrusted = sup_trust.untrusted;
    return def;
}

static void supTellNote( const char* text, void* user )
{
    const supInput* input = user;
    bool named = strstr( text, input->path ) != NULL; // most notes name the file themselves
    supProgress_Wipe( input->progress );
    fprintf( stderr, "supple %s: %s%s%s\n", input->command, named ? "" : input->path, named ? "" : ": ", text );
}

/// Whether a built-in character is meant: there is no file of that name.
static bool supIsCreature( const char* name )
{
    struct stat info;
    return stat( name, &info ) != 0 && supIsCreatureName( name );
}

supResult supOpenDocument( const char* path, supLog log, supGltf** out, supError* error )
{
    *out = NULL;
    if ( supIsCreature( path ) == false )
    {
        supGltfOpenDef def = supOpenDefForLog( log );
        supResult known = supRefuseForeign( path, error );
        return known == sup_success ? supOpenGltfWith( path, &def, out, error ) : known;
    }
    supCreature* creature = NULL;
    supResult result = supCreateCreature( path, NULL, &creature, error );
    if ( result == sup_success )
    {
        result = supMakeGltf( supCreature_Character( creature ), supCreature_Look( creature ), out, error );
    }
    supDestroyCreature( creature );
    return result;
}

/// The character of the open document, with motion from elsewhere, and its look.
static supResult supReadDocument( supInput* input, const supInputDef* def, supError* error )
{
    supResult result = supGltf_Character( input->document, NULL, &input->own, error );
    if ( result == sup_success )
    {
        input->ownClipCount = supCharacter_Info( input->own )->clipCount;
    }
    if ( result == sup_success && def->motions != NULL )
    {
        const supMotionsDef motions = {
            .command = def->command, .files = def->motions, .map = def->map, .isBinary = true
        };
        result = supAddMotions( &motions, input->document, &input->own, error );
    }
    result = result == sup_success ? supGltf_Look( input->document, &input->look, error ) : result;
    input->character = input->own;
    return result;
}

static supResult supOpenFile( supInput* input, const supInputDef* def, supError* error )
{
    supLog log = { supTellNote, input };
    supGltfOpenDef open = supOpenDefForLog( log );
    supResult result = supRefuseForeign( input->path, error );
    result = result == sup_success ? supOpenGltfWith( input->path, &open, &input->document, error ) : result;
    if ( result == sup_success && def->takesBakeOff )
    {
        result = supGltf_RemoveBake( input->document, &input->tookBakeOff, error );
    }
    return result == sup_success ? supReadDocument( input, def, error ) : result;
}

/// As it is made; where it gets motion of other files, as the document that would hold it.
static supResult supOpenCreature( supInput* input, const supInputDef* def, supError* error )
{
    supResult result = supCreateCreature( input->path, NULL, &input->creature, error );
    if ( result != sup_success )
    {
        return result;
    }
    input->character = supCreature_Character( input->creature );
    input->look = supCreature_Look( input->creature );
    input->ownClipCount = supCharacter_Info( input->character )->clipCount;
    if ( def->motions == NULL || def->motions->count == 0 )
    {
        return sup_success;
    }
    result = supMakeGltf( input->character, input->look, &input->document, error );
    return result == sup_success ? supReadDocument( input, def, error ) : result;
}

supResult supOpenInput( supInput* input, const supInputDef* def, supError* error )
{
    *input = ( supInput ){ .path = def->path, .command = def->command, .progress = def->progress };
    supProgress_Stage( input->progress, "reading %.40s", supBaseName( def->path ) );
    return supIsCreature( def->path ) ? supOpenCreature( input, def, error ) : supOpenFile( input, def, error );
}

void supCloseInput( supInput* input )
{
    supDestroyCharacter( input->own );
    supDestroyCreature( input->creature );
    supCloseGltf( input->document );
    *input = ( supInput ){ 0 };
}

// ---------------------------------------------------------------------------------------------------------------
// Rigs

supResult supReadAnyRig( const char* path, const supCharacter* character, supRig** out, supError* error )
{
    *out = NULL;
    if ( supIsGltfName( path ) == false )
    {
        return supReadRig( path, character, NULL, out, error );
    }
    const supLog silence = { NULL, NULL };
    supGltf* document = NULL;
    supGltfOpenDef open = supOpenDefForLog( silence );
    supResult result = supOpenGltfWith( path, &open, &document, error );
    result = result == sup_success ? supGltf_Rig( document, character, NULL, out, error ) : result;
    supCloseGltf( document );
    if ( result == sup_success && *out == NULL )
    {
        result = supFail( error, sup_errorData,
            "%s: a character with no rig inside; 'supple rig' writes one to a file, and without --rig it is found by "
            "itself",
            path );
    }
    return result;
}

void supTellRigSetAside(
    const char* command, const char* path, const char* option, const supGltf* document, const supCharacter* character )
{
    supRig* inside = NULL;
    if ( document != NULL && supGltf_Rig( document, character, NULL, &inside, NULL ) == sup_success && inside != NULL )
    {
        fprintf( stderr, "supple %s: %s: the rig inside it is set aside: %s finds a new one, without it that is used\n",
            command, path, option );
    }
    supDestroyRig( inside );
}

static void supTellSource( const supInput* input, supRigSource source )
{
    const char* off = input->tookBakeOff ? "an earlier bake was taken off" : "";
    const char* inside = source == sup_rigInside ? "the rig inside it is used (--preset finds a new one)" : "";
    if ( off[0] != '\0' || inside[0] != '\0' )
    {
        supProgress_Wipe( input->progress );
        fprintf( stderr, "supple %s: %s: %s%s%s\n", input->command, input->path, off,
            off[0] != '\0' && inside[0] != '\0' ? "; " : "", inside );
    }
}

supResult supInput_Rig( const supInput* input, const char* rigPath, const supProposeChoices* choices,
    supRigSource* source, supRig** out, supProposal** proposal, supError* error )
{
    *out = NULL;
    supRigSource from = sup_rigFromFile;
    supResult result = sup_success;
    const char* asked = supAsksForNewRig( choices );
    if ( rigPath != NULL )
    {
        result = supReadAnyRig( rigPath, input->character, out, error );
    }
    else if ( asked == NULL && input->document != NULL )
    {
        from = sup_rigInside;
        result = supGltf_Rig( input->document, input->character, NULL, out, error );
    }
    else if ( asked != NULL )
    {
        supProgress_Wipe( input->progress );
        supTellRigSetAside( input->command, input->path, asked, input->document, input->character );
    }
    if ( result == sup_success && *out == NULL )
    {
        const supProposeJob job = { .character = input->character, .path = input->path, .choices = choices };
        supProgress_Stage( input->progress, "looking for flesh" );
        from = sup_rigFound;
        result = supProposeByOptions( &job, out, proposal, error );
    }
    if ( result == sup_success )
    {
        supTellSource( input, from );
    }
    if ( source != NULL )
    {
        *source = from;
    }
    return result;
}

supResult supCheckRigFile( const char* path, supError* error )
{
    supRig* rig = NULL;
    supError inner = { 0 };
    supResult result = path != NULL ? supReadAnyRig( path, NULL, &rig, error ) : sup_success;
    if ( result == sup_success && rig != NULL && supRig_CheckNames( rig, &inner ) != sup_success )
    {
        result = supFail( error, inner.code, "%s: %s", path, inner.text );
    }
    supDestroyRig( rig );
    return result == sup_errorArgument ? sup_success : result;
}

/// What a rig that is not trusted may take to be compiled.
#define SUP_STRANGE_SECONDS 120

typedef struct supDeadline
{
    supWatch inner;
    time_t end;
} supDeadline;

static bool supTellInTime( const char* stage, float done, void* user )
{
    const supDeadline* deadline = user;
    bool goesOn = deadline->inner.tell == NULL || deadline->inner.tell( stage, done, deadline->inner.user );
    return goesOn && time( NULL ) <= deadline->end;
}

supResult supCompileWithProgress(
    const supCharacter* character, const supRig* rig, supProgress* progress, supModel** out, supError* error )
{
    supMakeDef def = supDefaultMakeDef();
    supDeadline deadline = { supProgress_Watch( progress ), time( NULL ) + SUP_STRANGE_SECONDS };
    def.watch = sup_trust.untrusted ? ( supWatch ){ supTellInTime, &deadline } : deadline.inner;
    supResult result = supCompileModelWith( character, rig, &def, out, error );
    if ( result == sup_errorCanceled && sup_trust.untrusted && time( NULL ) > deadline.end )
    {
        result = supFail( error, sup_errorLimit,
            "compiling takes more than %d seconds, the most for a rig that is not trusted", SUP_STRANGE_SECONDS );
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Names

const char* supRigText( const supRig* rig, char text[160] )
{
    int32_t elements = supRig_ElementCount( rig );
    int length = snprintf( text, 160, "%d element%s", elements, elements == 1 ? "" : "s" );
    const char* before = " (and ";
    for ( int32_t layer = 1; layer < supLayerCount() && length < 120; ++layer )
    {
        int32_t count = supRig_ItemCount( rig, layer );
        if ( count > 0 )
        {
            length += snprintf(
                text + length, (size_t)( 160 - length ), "%s%s: %d", before, supGetLayerInfo( layer )->key, count );
            before = ", ";
        }
    }
    snprintf( text + length, (size_t)( 160 - length ), "%s", before[0] == ',' ? ")" : "" );
    return text;
}

const char* supBaseName( const char* path )
{
    const char* slash = strrchr( path, '/' );
    return slash != NULL ? slash + 1 : path;
}

bool supEndsWith( const char* text, const char* ending )
{
    size_t length = strlen( text ), tail = strlen( ending );
    return length > tail && strcasecmp( text + length - tail, ending ) == 0;
}
