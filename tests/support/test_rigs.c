#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016)
uint32_t supTestRandom_Next( supTestRandom* random )
{
    uint64_t x = random->state != 0 ? random->state : 88172645463325252u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)( x * 2685821657736338717u >> 32 );
}

float supTestRandom_Float( supTestRandom* random, float lower, float upper )
{
    float t = (float)( supTestRandom_Next( random ) >> 8 ) / 16777215.0f;
    float value = (float)( (double)lower + ( (double)upper - (double)lower ) * (double)t );
    return value < lower ? lower : value > upper ? upper : value;
}

// Over several decades, as masses and stiffnesses are.
static float supRandomDecades( supTestRandom* random, float lower, float upper )
{
    float value = lower * powf( upper / lower, supTestRandom_Float( random, 0.0f, 1.0f ) );
    return value < lower ? lower : value > upper ? upper : value;
}

static supVec3 supRandomVec3( supTestRandom* random, float most )
{
    float x = supTestRandom_Float( random, -most, most );
    float y = supTestRandom_Float( random, -most, most );
    float z = supTestRandom_Float( random, -most, most );
    return ( supVec3 ){ x, y, z };
}

static supNameList supRandomNames( supTestRandom* random, supTestElement* block, int list )
{
    // Quotes, a backslash, a control character, letters of two, three and four bytes: all of it must come back.
    static const char* const kinds[] = { "hips", "spine \"low\"", "b\\Hip_01", "Bauch\xc3\xa4\n", "\xe8\x85\xb9",
        "\xf0\x9f\xa6\x8a#7" };
    int count = 1 + (int)( supTestRandom_Next( random ) % 3 );
    for ( int i = 0; i < count; ++i )
    {
        char* text = block->texts[4 + 3 * list + i];
        snprintf( text, sizeof( block->texts[0] ), "%s.%d", kinds[supTestRandom_Next( random ) % 6], i );
        block->names[list][i] = text;
    }
    return ( supNameList ){ count, block->names[list] };
}

static supVertexValueList supRandomPaint( supTestRandom* random, supTestElement* block )
{
    for ( int i = 0; i < 2; ++i )
    {
        int32_t vertex = 0;
        for ( int j = 0; j < 5; ++j )
        {
            vertex += (int32_t)( supTestRandom_Next( random ) % 100000 ) + ( j > 0 );
            block->vertices[i][j] = vertex;
            block->values[i][j] = supTestRandom_Float( random, 0.0f, 1.0f );
        }
        snprintf( block->texts[2 + i], sizeof( block->texts[0] ), "Body \"%d\"", i );
        block->paints[i] = ( supVertexValues ){ block->texts[2 + i], (int32_t)( supTestRandom_Next( random ) % 3 ),
            (int32_t)( supTestRandom_Next( random ) % 6 ), block->vertices[i], block->values[i] };
    }
    uint64_t high = supTestRandom_Next( random );
    return ( supVertexValueList ){ 2, block->paints, high << 32 | supTestRandom_Next( random ) };
}

static supKeyList supRandomKeys( supTestRandom* random, supTestElement* block )
{
    float position = -1.0f;
    for ( int i = 0; i < 4; ++i )
    {
        block->pairs[2 * i] = position;
        block->pairs[2 * i + 1] = supTestRandom_Float( random, 0.0f, 1.0f );
        position += supTestRandom_Float( random, 0.05f, 0.6f );
    }
    return ( supKeyList ){ 4, block->pairs };
}

static bool supGiven( supTestRandom* random, float share )
{
    return supTestRandom_Float( random, 0.0f, 0.999f ) < share;
}

#define SUP_GIVE( member, value )                                                                                      \
    if ( supGiven( random, share ) )                                                                                   \
    {                                                                                                                  \
        def->member = value;                                                                                           \
    }

static void supRandomRegion( supTestRandom* random, supTestElement* block, float share )
{
    supElementDef* def = &block->def;
    SUP_GIVE( ends, supRandomNames( random, block, 0 ) )
    SUP_GIVE( end, supRandomVec3( random, 10.0f ) )
    SUP_GIVE( joints, supRandomNames( random, block, 1 ) )
    SUP_GIVE( skipMeshes, supRandomNames( random, block, 2 ) )
    SUP_GIVE( skipMaterials, supRandomNames( random, block, 3 ) )
    SUP_GIVE( paint, supRandomPaint( random, block ) )
    SUP_GIVE( facing, supRandomVec3( random, 1.0f ) )
    SUP_GIVE( spread, supTestRandom_Float( random, 0.0f, 3.1415927f ) )
    for ( int i = 0; i < 2; ++i )
    {
        block->spheres[i] = ( supSphere ){ supRandomVec3( random, 2.0f ), supTestRandom_Float( random, 1e-3f, 1.0f ) };
    }
    SUP_GIVE( spheres, ( ( supSphereList ){ 1 + (int32_t)( supTestRandom_Next( random ) % 2 ), block->spheres } ) )
    SUP_GIVE( attenuationKeys, supRandomKeys( random, block ) )
    if ( def->attenuationKeys.count > 0 )
    {
        block->slopes[0] = block->pairs[2];
        block->slopes[1] = 4.0f * block->pairs[3] - 2.0f;
        def->attenuationSlopes = ( supKeyList ){ 1, block->slopes };
    }
    int32_t choices = def->attenuationKeys.count > 0 ? 3 : 2;
    SUP_GIVE( attenuation, (int32_t)( supTestRandom_Next( random ) % (uint32_t)choices ) )
    SUP_GIVE( boneThickness, supTestRandom_Float( random, 0.0f, 1.0f ) )
}

void supTestRandom_Element( supTestRandom* random, supTestElement* block, int32_t index, float share )
{
    supElementDef* def = &block->def;
    *def = supDefaultElementDef();
    snprintf( block->texts[0], sizeof( block->texts[0] ), "element %d", index );
    snprintf( block->texts[1], sizeof( block->texts[1] ), "joint.%u", supTestRandom_Next( random ) % 100 );
    def->name = block->texts[0];
    def->driver = block->texts[1];
    supRandomRegion( random, block, share );
    SUP_GIVE( frequency, supRandomDecades( random, 0.01f, 1000.0f ) )
    SUP_GIVE( dampingRatio, supTestRandom_Float( random, 0.0f, 2.0f ) )
    SUP_GIVE( amount, supTestRandom_Float( random, 0.0f, 10.0f ) )
    SUP_GIVE( sag, supTestRandom_Float( random, 0.0f, 1.0f ) )
    SUP_GIVE( density, supRandomDecades( random, 1e-3f, 1e6f ) )
    SUP_GIVE( mass, supRandomDecades( random, 1e-9f, 1e9f ) )
    SUP_GIVE( stiffness, supRandomDecades( random, 1e-9f, 1e12f ) )
    SUP_GIVE( damping, supRandomDecades( random, 1e-9f, 1e12f ) )
    SUP_GIVE( gravity, (int32_t)( supTestRandom_Next( random ) % 2 ) )
    SUP_GIVE( gravityScale, supTestRandom_Float( random, -100.0f, 100.0f ) )
    SUP_GIVE( airFriction, supTestRandom_Float( random, 0.0f, 1000.0f ) )
    SUP_GIVE( limit, (int32_t)( supTestRandom_Next( random ) % 2 ) )
    SUP_GIVE( limitScale, supTestRandom_Float( random, 0.0f, 1.0f ) )
}

static bool supSame( const float* a, const float* b, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        if ( !( isnan( a[i] ) && isnan( b[i] ) ) && memcmp( a + i, b + i, sizeof( float ) ) != 0 )
        {
            return false;
        }
    }
    return true;
}

static bool supSameText( const char* a, const char* b )
{
    return a == NULL || b == NULL ? a == b : strcmp( a, b ) == 0;
}

static bool supSameNames( const supNameList* a, const supNameList* b )
{
    bool same = a->count == b->count;
    for ( int32_t i = 0; same && i < a->count; ++i )
    {
        same = supSameText( a->names[i], b->names[i] );
    }
    return same;
}

static bool supSamePaint( const supVertexValueList* a, const supVertexValueList* b )
{
    bool same = a->count == b->count && a->fingerprint == b->fingerprint;
    for ( int32_t i = 0; same && i < a->count; ++i )
    {
        const supVertexValues *p = a->meshes + i, *q = b->meshes + i;
        same = supSameText( p->mesh, q->mesh ) && p->meshIndex == q->meshIndex && p->count == q->count;
        size_t count = (size_t)p->count;
        same = same && ( count == 0 || memcmp( p->vertices, q->vertices, count * sizeof( int32_t ) ) == 0 ) &&
               supSame( p->values, q->values, count );
    }
    return same;
}

#define SUP_COMPARE( member, same )                                                                                    \
    if ( !( same ) )                                                                                                   \
    {                                                                                                                  \
        return #member;                                                                                                \
    }
#define SUP_COMPARE_TEXT( member ) SUP_COMPARE( member, supSameText( a->member, b->member ) )
#define SUP_COMPARE_NAMES( member ) SUP_COMPARE( member, supSameNames( &a->member, &b->member ) )
#define SUP_COMPARE_FLOAT( member ) SUP_COMPARE( member, supSame( &a->member, &b->member, 1 ) )
#define SUP_COMPARE_VEC3( member ) SUP_COMPARE( member, supSame( &a->member.x, &b->member.x, 3 ) )
#define SUP_COMPARE_INT( member ) SUP_COMPARE( member, a->member == b->member )

const char* supTestElementDifference( const supElementDef* a, const supElementDef* b )
{
    SUP_COMPARE_TEXT( name )
    SUP_COMPARE_TEXT( driver )
    SUP_COMPARE_NAMES( ends )
    SUP_COMPARE_VEC3( end )
    SUP_COMPARE_NAMES( joints )
    SUP_COMPARE_NAMES( skipMeshes )
    SUP_COMPARE_NAMES( skipMaterials )
    SUP_COMPARE( paint, supSamePaint( &a->paint, &b->paint ) )
    SUP_COMPARE_VEC3( facing )
    SUP_COMPARE_FLOAT( spread )
    SUP_COMPARE_INT( spheres.count )
    SUP_COMPARE( spheres,
        supSame( (const float*)a->spheres.spheres, (const float*)b->spheres.spheres, 4u * (size_t)a->spheres.count ) )
    SUP_COMPARE_INT( attenuation )
    SUP_COMPARE_INT( attenuationKeys.count )
    SUP_COMPARE( attenuationKeys,
        supSame( a->attenuationKeys.pairs, b->attenuationKeys.pairs, 2u * (size_t)a->attenuationKeys.count ) )
    SUP_COMPARE_INT( attenuationSlopes.count )
    SUP_COMPARE( attenuationSlopes,
        supSame( a->attenuationSlopes.pairs, b->attenuationSlopes.pairs, 2u * (size_t)a->attenuationSlopes.count ) )
    SUP_COMPARE_FLOAT( boneThickness )
    SUP_COMPARE_FLOAT( frequency )
    SUP_COMPARE_FLOAT( dampingRatio )
    SUP_COMPARE_FLOAT( amount )
    SUP_COMPARE_FLOAT( sag )
    SUP_COMPARE_FLOAT( density )
    SUP_COMPARE_FLOAT( mass )
    SUP_COMPARE_FLOAT( stiffness )
    SUP_COMPARE_FLOAT( damping )
    SUP_COMPARE_INT( gravity )
    SUP_COMPARE_FLOAT( gravityScale )
    SUP_COMPARE_FLOAT( airFriction )
    SUP_COMPARE_INT( limit )
    SUP_COMPARE_FLOAT( limitScale )
    return NULL;
}
