#include "support/strangers.h"

#include "base/math.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// How far directions of an altered body may be from the altered directions. Degrees.
static const double supSameDirection = 3.0;

// ---------------------------------------------------------------------------------------------------------------
// What is true

static supVec3 supReadVec3( const json_t* list )
{
    assert_int_equal( json_array_size( list ), 3 );
    return supMakeVec3( (float)json_number_value( json_array_get( list, 0 ) ),
        (float)json_number_value( json_array_get( list, 1 ) ), (float)json_number_value( json_array_get( list, 2 ) ) );
}

static supRegionTruth supReadRegion( const char* name, const json_t* entry )
{
    supRegionTruth truth = { 0 };
    supError error = { 0 };
    int32_t region = sup_regionNone;
    if ( supFindWord( sup_wordsRegion, name, &region, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    truth.region = (supRegion)region;
    const json_t* count = json_object_get( entry, "count" );
    const char* offset = json_string_value( json_object_get( entry, "offset" ) );
    if ( json_is_string( count ) )
    {
        snprintf( truth.count, sizeof( truth.count ), "%s", json_string_value( count ) );
    }
    else
    {
        assert_true( json_is_integer( count ) );
        snprintf( truth.count, sizeof( truth.count ), "%d", (int)json_integer_value( count ) );
    }
    truth.offset = offset != NULL ? offset[0] : 0;
    assert_true( offset == NULL || strchr( "fbd", offset[0] ) != NULL );
    return truth;
}

int32_t supReadTruths( json_t* root, const char* folder, supBodyTruth* out, int32_t room )
{
    int32_t count = 0;
    size_t index;
    json_t* body;
    json_array_foreach( json_object_get( root, "bodies" ), index, body )
    {
        assert_true( count < room );
        supBodyTruth* truth = out + count++;
        memset( truth, 0, sizeof( *truth ) );
        const char* file = json_string_value( json_object_get( body, "file" ) );
        const char* kind = json_string_value( json_object_get( body, "kind" ) );
        assert_true( file != NULL && kind != NULL );
        snprintf( truth->asset, sizeof( truth->asset ), "%s%s", folder, file );
        const char* name = strrchr( file, '/' ) != NULL ? strrchr( file, '/' ) + 1 : file;
        snprintf( truth->name, sizeof( truth->name ), "%.*s", (int)strcspn( name, "." ), name );
        supError error = { 0 };
        int32_t found = sup_bodyHuman;
        if ( supFindWord( sup_wordsBodyKind, kind, &found, &error ) != sup_success )
        {
            fail_msg( "%s: %s", file, error.text );
        }
        truth->kind = (supBodyKind)found;
        truth->front = supReadVec3( json_object_get( body, "front" ) );
        truth->up = supReadVec3( json_object_get( body, "up" ) );
        const char* region;
        json_t* entry;
        json_object_foreach( json_object_get( body, "regions" ), region, entry )
        {
            assert_true( truth->regionCount < (int32_t)( sizeof( truth->regions ) / sizeof( truth->regions[0] ) ) );
            truth->regions[truth->regionCount++] = supReadRegion( region, entry );
        }
    }
    return count;
}

int32_t supReadStrangers( supBodyTruth* out, int32_t room )
{
    char path[1024];
    if ( !supTestAssetPath( "strangers/bodies.json", path, sizeof( path ) ) )
    {
        return 0;
    }
    json_error_t error;
    json_t* root = json_load_file( path, 0, &error );
    if ( root == NULL )
    {
        fail_msg( "%s: %s", path, error.text );
    }
    int32_t count = supReadTruths( root, "strangers/", out, room );
    json_decref( root );
    for ( int32_t i = 0; i < count; ++i )
    {
        // the list has +z for the wasp, across which its wings spread: it looks along +x (supTestWasp shows it)
        if ( strcmp( out[i].name, "Wasp" ) == 0 )
        {
            out[i].front = ( supVec3 ){ 1.0f, 0.0f, 0.0f };
        }
    }
    return count;
}

/// Which counts the words allow.
typedef struct supCountWords
{
    int32_t numbers[8], numberCount;
    int32_t least; ///< so many and more; -1: nothing is said
    supRegion others[8];
    int32_t otherCount;
} supCountWords;

static supCountWords supReadCount( const char* words )
{
    supCountWords read = { .least = -1 };
    char text[64];
    snprintf( text, sizeof( text ), "%s", words );
    for ( char* word = strtok( text, " ," ); word != NULL; word = strtok( NULL, " ," ) )
    {
        int32_t region;
        if ( word[0] >= '0' && word[0] <= '9' && read.numberCount < 8 )
        {
            read.numbers[read.numberCount++] = (int32_t)strtol( word, NULL, 10 );
        }
        else if ( strcmp( word, "more" ) == 0 && read.numberCount > 0 )
        {
            read.least = read.numbers[read.numberCount - 1];
        }
        else if ( supFindWord( sup_wordsRegion, word, &region, NULL ) == sup_success && read.otherCount < 8 )
        {
            read.others[read.otherCount++] = (supRegion)region;
        }
        else if ( strcmp( word, "or" ) != 0 )
        {
            fail_msg( "\"%s\": what does \"%s\" count?", words, word );
        }
    }
    assert_true( read.numberCount > 0 );
    return read;
}

static bool supAllows( const supCountWords* words, int32_t count )
{
    bool allowed = words->least >= 0 && count >= words->least;
    for ( int32_t i = 0; i < words->numberCount; ++i )
    {
        allowed = allowed || words->numbers[i] == count;
    }
    return allowed;
}

bool supIsCount( const char* words, supRegion own, const int32_t counts[sup_regionCount] )
{
    supCountWords read = supReadCount( words );
    bool allowed = supAllows( &read, counts[own] );
    for ( int32_t i = 0; i < read.otherCount; ++i )
    {
        allowed = allowed || supAllows( &read, counts[read.others[i]] );
    }
    return allowed;
}

bool supIsPaired( supRegion region )
{
    return region == sup_regionBreast || region == sup_regionBottom || region == sup_regionThigh ||
           region == sup_regionCalf || region == sup_regionUpperArm || region == sup_regionForearm ||
           region == sup_regionCheek;
}

bool supIsOfTrunk( supRegion region )
{
    return region == sup_regionBelly || region == sup_regionBreast || region == sup_regionBottom ||
           region == sup_regionDewlap || region == sup_regionHump || region == sup_regionRump ||
           region == sup_regionUdder || region == sup_regionSide || region == sup_regionAbdomen ||
           region == sup_regionBody;
}

// ---------------------------------------------------------------------------------------------------------------
// What was found

supCharacter* supTryLoad( const char* asset, supError* error )
{
    char path[1024];
    supCharacter* character = NULL;
    if ( !supTestAssetPath( asset, path, sizeof( path ) ) )
    {
        supFail( error, sup_errorFile, "%s: not there", asset );
        return NULL;
    }
    return supLoadGltf( path, &character, error ) == sup_success ? character : NULL;
}

bool supTryFind( const supCharacter* character, supPreset preset, supFound* out, supError* error )
{
    *out = ( supFound ){ .name = supCharacter_Info( character )->name, .character = character };
    supProposeDef def = supDefaultProposeDef();
    def.preset = preset;
    if ( supProposeRigWith( character, &def, &out->rig, &out->proposal, error ) == sup_success &&
         supCompileModel( character, out->rig, &out->model, error ) == sup_success )
    {
        return true;
    }
    supDropFound( out );
    return false;
}

void supMeet( supStranger* stranger, const supBodyTruth* truth )
{
    *stranger = ( supStranger ){ .truth = *truth };
    stranger->character = supTryLoad( truth->asset, &stranger->error );
    stranger->isFound = stranger->character != NULL &&
                        supTryFind( stranger->character, sup_presetNatural, &stranger->found, &stranger->error );
}

int32_t supMeetStrangers( supStranger* out, int32_t room )
{
    supBodyTruth truths[supMostBodies];
    int32_t all = supReadStrangers( truths, supMostBodies ), count = 0;
    for ( int32_t i = 0; i < all; i += SUP_SLOW_BUILD ? 6 : 1 )
    {
        assert_true( count < room );
        supMeet( out + count++, truths + i );
    }
    if ( all > 0 && SUP_SLOW_BUILD )
    {
        print_message( "a slow build: %d of %d strangers\n", count, all );
    }
    return count;
}

void supLeave( supStranger* strangers, int32_t count )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        supDropFound( &strangers[i].found );
        supDestroyCharacter( strangers[i].character );
    }
}

double supAngle( supVec3 a, supVec3 b )
{
    supVec3d x = supToDouble( a ), y = supToDouble( b );
    if ( !( supLengthD( x ) > 0.5 && supLengthD( y ) > 0.5 ) )
    {
        return 180.0;
    }
    return atan2( supLengthD( supCrossD( x, y ) ), supDotD( x, y ) ) * ( 180.0 / 3.14159265358979323846 );
}

typedef struct supWeighed
{
    float at, area;
} supWeighed;

static int supComesBefore( const void* a, const void* b )
{
    float x = ( (const supWeighed*)a )->at, y = ( (const supWeighed*)b )->at;
    return x < y ? -1 : x > y;
}

float supMiddleAlong( const supCharacter* character, supVec3 direction )
{
    int32_t count = 0;
    const float* rest = supCharacter_Info( character )->restPositions;
    float* areas = supVertexAreas( character );
    supWeighed* list = calloc( (size_t)supCharacter_Info( character )->vertexCount + 1, sizeof( supWeighed ) );
    double all = 0.0, below = 0.0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = mesh.firstVertex; mesh.skin >= 0 && v < mesh.firstVertex + mesh.vertexCount; ++v )
        {
            supVec3 p = { rest[3 * (size_t)v], rest[3 * (size_t)v + 1], rest[3 * (size_t)v + 2] };
            list[count++] = ( supWeighed ){ supDot( p, direction ), areas[v] };
            all += (double)areas[v];
        }
    }
    qsort( list, (size_t)count, sizeof( supWeighed ), supComesBefore );
    double sum = 0.0, within = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        double area = (double)list[i].area;
        below += area;
        if ( below > 0.1 * all && below - area < 0.9 * all )
        {
            sum += area * (double)list[i].at;
            within += area;
        }
    }
    float middle = (float)( sum / fmax( within, 1e-30 ) );
    free( list );
    free( areas );
    return middle;
}

void supCountRegions( const supFound* found, int32_t counts[sup_regionCount] )
{
    memset( counts, 0, sizeof( int32_t ) * sup_regionCount );
    for ( int32_t e = 0; e < found->proposal->elementCount; ++e )
    {
        ++counts[found->proposal->elements[e].region];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Altered bodies

static void supNoteDifference( supLikeness* likeness, const char* format, ... ) SUP_PRINTF( 2, 3 );

static void supNoteDifference( supLikeness* likeness, const char* format, ... )
{
    if ( likeness->words[0] == '\0' )
    {
        va_list arguments;
        va_start( arguments, format );
        vsnprintf( likeness->words, sizeof( likeness->words ), format, arguments );
        va_end( arguments );
    }
}

static supSide supOtherSide( supSide side )
{
    return side == sup_sideMiddle ? side : side == sup_sideLeft ? sup_sideRight : sup_sideLeft;
}

/// The element of the same region, on the same side, whose centre is nearest to where it ought to be. -1: none.
static int32_t supFindSame(
    const supProposal* other, const supProposedElement* like, supVec3 center, const bool* taken )
{
    int32_t best = -1;
    for ( int32_t e = 0; e < other->elementCount; ++e )
    {
        const supProposedElement* it = other->elements + e;
        if ( !taken[e] && it->region == like->region && it->side == like->side &&
             ( best < 0 || supDistance( it->center, center ) < supDistance( other->elements[best].center, center ) ) )
        {
            best = e;
        }
    }
    return best;
}

static double supOff( float a, float b )
{
    return fabs( (double)( a - b ) ) / fmax( fmax( fabs( (double)a ), fabs( (double)b ) ), 1e-9 );
}

static void supCompareElements(
    const supFound* plain, const supFound* other, const supAlteration* alteration, supLikeness* likeness )
{
    bool* taken = calloc( (size_t)other->proposal->elementCount + 1, sizeof( bool ) );
    double size = (double)( supCharacter_Info( plain->character )->size * alteration->scale );
    for ( int32_t e = 0; e < plain->proposal->elementCount; ++e )
    {
        supProposedElement like = plain->proposal->elements[e];
        like.side = alteration->isMirrored ? supOtherSide( like.side ) : like.side;
        supVec3 center = supAlteration_Point( alteration, like.center );
        int32_t same = supFindSame( other->proposal, &like, center, taken );
        if ( same < 0 )
        {
            likeness->regions = false;
            supNoteDifference( likeness, "no %s (%s)", supWordFor( sup_wordsRegion, like.region ),
                supWordFor( sup_wordsSide, like.side ) );
            continue;
        }
        taken[same] = true;
        double off = (double)supDistance( other->proposal->elements[same].center, center ) / size;
        likeness->farthest = fmax( likeness->farthest, off );
        likeness->regions = likeness->regions && off <= 0.01;
        if ( off > 0.01 )
        {
            supNoteDifference( likeness, "%s is %.1f%% of the size away", like.name, 100.0 * off );
        }
        const supElementDef *x = supRig_Element( plain->rig, e ), *y = supRig_Element( other->rig, same );
        double number = fmax( supOff( x->amount, y->amount ), supOff( x->frequency, y->frequency ) );
        likeness->numberOff = fmax( likeness->numberOff, number );
        likeness->numbers = likeness->numbers && number <= 0.01;
        if ( number > 0.01 )
        {
            supNoteDifference( likeness, "%s: amount %.3g and %.3g, %.3g and %.3g Hz", like.name, (double)x->amount,
                (double)y->amount, (double)x->frequency, (double)y->frequency );
        }
    }
    for ( int32_t e = 0; e < other->proposal->elementCount; ++e )
    {
        if ( !taken[e] )
        {
            const supProposedElement* more = other->proposal->elements + e;
            likeness->regions = false;
            supNoteDifference( likeness, "a %s (%s) more", supWordFor( sup_wordsRegion, more->region ),
                supWordFor( sup_wordsSide, more->side ) );
        }
    }
    free( taken );
}

supLikeness supCompareFound( const supFound* plain, const supFound* other, const supAlteration* alteration )
{
    const supBodyReading *a = &plain->proposal->body, *b = &other->proposal->body;
    supLikeness likeness = { .regions = true, .numbers = true };
    double front = supAngle( supAlteration_Direction( alteration, a->front ), b->front );
    double up = supAngle( supAlteration_Direction( alteration, a->up ), b->up );
    likeness.kind = a->kind == b->kind;
    likeness.front = front <= supSameDirection;
    likeness.up = up <= supSameDirection;
    if ( !likeness.kind )
    {
        supNoteDifference( &likeness, "%s, was %s", supWordFor( sup_wordsBodyKind, b->kind ),
            supWordFor( sup_wordsBodyKind, a->kind ) );
    }
    if ( !likeness.front || !likeness.up )
    {
        supNoteDifference( &likeness, "front is %.0f, up %.0f degrees off", front, up );
    }
    supCompareElements( plain, other, alteration, &likeness );
    return likeness;
}
