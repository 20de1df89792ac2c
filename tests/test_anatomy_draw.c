// What `--show muscles,lines,fields,ecorche,fat` hand to whoever draws: shapes that lie in the body and are what they
// stand for.
#include "base/math.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/lab/compiled.h"
#include "supple/lab/drawing.h"
#include "supple/lab/states.h"
#include "support/arm_anatomy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supDrawCase
{
    supCreature* creature;
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supVec3 low, high; ///< of the skin at rest, and 1% of the size around
} supDrawCase;

/// All that was drawn.
typedef struct supDrawn
{
    int32_t lines, points, triangles;
    int32_t outside; ///< corners and ends outside the box of the skin
    int32_t against; ///< corners whose normal faces the other way than their triangle
    int32_t pale, red;
    int32_t clear;     ///< triangles that are not seen at all
    float least, most; ///< heights of what is seen for the most part. Metres
    double volume;     ///< that the triangles enclose. m^3
    const supDrawCase* c;
} supDrawn;

static void supLookAt( supDrawn* drawn, supVec3 p )
{
    supVec3 low = drawn->c->low, high = drawn->c->high;
    drawn->outside +=
        !( p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z );
}

static void supSeeLine( supVec3 from, supVec3 to, supColor color, float width, void* user )
{
    (void)color, (void)width;
    supDrawn* drawn = user;
    drawn->lines += 1;
    drawn->least = supMinF( drawn->least, supMinF( from.y, to.y ) );
    drawn->most = supMaxF( drawn->most, supMaxF( from.y, to.y ) );
    supLookAt( drawn, from );
    supLookAt( drawn, to );
}

static void supSeePoint( supVec3 at, supColor color, float diameter, void* user )
{
    (void)color, (void)diameter;
    supDrawn* drawn = user;
    drawn->points += 1;
    supLookAt( drawn, at );
}

static double supSixth( supVec3 a, supVec3 b, supVec3 c )
{
    return (double)supDot( a, supCross( b, c ) ) / 6.0;
}

static void supSeeTriangles( const supDrawCorner* corners, int32_t triangleCount, void* user )
{
    supDrawn* drawn = user;
    drawn->triangles += triangleCount;
    for ( int32_t t = 0; t < triangleCount; ++t )
    {
        const supDrawCorner* c = corners + 3 * (size_t)t;
        supVec3 face = supCross( supSub( c[1].at, c[0].at ), supSub( c[2].at, c[0].at ) );
        drawn->volume += supSixth( c[0].at, c[1].at, c[2].at );
        drawn->clear += !( c[0].color.a > 0.0f || c[1].color.a > 0.0f || c[2].color.a > 0.0f );
        for ( int k = 0; k < 3; ++k )
        {
            supLookAt( drawn, c[k].at );
            drawn->least = c[k].color.a > 0.5f ? supMinF( drawn->least, c[k].at.y ) : drawn->least;
            drawn->most = c[k].color.a > 0.5f ? supMaxF( drawn->most, c[k].at.y ) : drawn->most;
            drawn->against += supDot( c[k].normal, face ) < 0.0f;
            drawn->pale += c[k].color.g > 0.5f;
            drawn->red += c[k].color.r > 3.0f * c[k].color.g;
        }
    }
}

static supDrawn supDrawIt( const supDrawCase* c, const char* what )
{
    supDrawn drawn = { .c = c, .least = 1e9f, .most = -1e9f };
    supDraw draw = { .line = supSeeLine, .point = supSeePoint, .triangles = supSeeTriangles, .user = &drawn };
    assert_true( supBody_Draw( c->body, what, &draw ) );
    return drawn;
}

static void supMeasureSkin( supDrawCase* c )
{
    int32_t count = supCharacter_Info( c->character )->vertexCount;
    supVec3* skin = malloc( (size_t)count * sizeof( supVec3 ) );
    supBody_SmoothSkin( c->body, &skin->x, NULL );
    c->low = c->high = skin[0];
    for ( int32_t v = 1; v < count; ++v )
    {
        c->low = supMinVec3( c->low, skin[v] );
        c->high = supMaxVec3( c->high, skin[v] );
    }
    float margin = 0.01f * supDistance( c->low, c->high );
    c->low = supSub( c->low, supMakeVec3( margin, margin, margin ) );
    c->high = supAdd( c->high, supMakeVec3( margin, margin, margin ) );
    free( skin );
}

static int supOpenDrawCase( void** state )
{
    supDrawCase* c = calloc( 1, sizeof( supDrawCase ) );
    supError error;
    assert_int_equal( supCreateCreature( "arm", NULL, &c->creature, &error ), sup_success );
    c->character = supCreature_Character( c->creature );
    supRig* rig = supArmAnatomy( 0.0f, true );
    supResult result = supCompileModel( c->character, rig, &c->model, &error );
    supDestroyRig( rig );
    if ( result != sup_success )
    {
        print_message( "%s\n", error.text );
        return 1;
    }
    assert_int_equal( supCreateBody( c->model, &c->body, &error ), sup_success );
    const supMat34* rest = supCharacter_Info( c->character )->restJoints;
    assert_int_equal( supBody_Step( c->body, rest, supMat34_identity, 1.0f / 60.0f ), sup_success );
    supMeasureSkin( c );
    *state = c;
    return 0;
}

static int supCloseDrawCase( void** state )
{
    supDrawCase* c = *state;
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCreature( c->creature );
    free( c );
    return 0;
}

/// The drawn form encloses the volume that is reported of the muscle; its ends are tendons.
static void supTestMuscles( void** state )
{
    const supDrawCase* c = *state;
    supDrawn drawn = supDrawIt( c, "muscles" );
    supMuscleView view;
    assert_int_equal( supBody_Muscles( c->body, &view ), 1 );
    print_message( "a muscle of %.1f ml, drawn with %.1f\n", 1e6 * (double)view.volume, 1e6 * drawn.volume );
    assert_true( drawn.triangles > 0 && drawn.outside == 0 && drawn.against == 0 );
    assert_true( drawn.pale > 0 && drawn.red > drawn.pale );
    assert_true( fabs( drawn.volume / (double)view.volume - 1.0 ) < 0.01 );
}

static void supTestLinesAndFields( void** state )
{
    supDrawn lines = supDrawIt( *state, "lines" ), fields = supDrawIt( *state, "fields" );
    assert_true( lines.lines >= 2 && lines.outside == 0 );
    assert_int_equal( lines.points, lines.lines + 1 ); // one line of vertices
    assert_true( fields.lines > 0 && fields.outside == 0 );
}

/// Inside the skin, and there alone where muscles are near: along the arm no more than a twelfth of it past their line.
static void supTestEcorche( void** state )
{
    const supDrawCase* c = *state;
    supDrawn drawn = supDrawIt( c, "ecorche" ), lines = supDrawIt( c, "lines" );
    float tall = c->high.y - c->low.y;
    print_message( "skin from %.2f to %.2f m, écorché from %.2f to %.2f, line from %.2f to %.2f\n", (double)c->low.y,
        (double)c->high.y, (double)drawn.least, (double)drawn.most, (double)lines.least, (double)lines.most );
    assert_true( drawn.triangles > 0 && drawn.outside == 0 && drawn.clear == 0 );
    assert_true( drawn.against < drawn.triangles / 50 ); // sharp creases
    assert_true( drawn.least > lines.least - tall / 12.0f && drawn.most < lines.most + tall / 12.0f );
    assert_true( drawn.most - drawn.least > lines.most - lines.least );
    assert_true( drawn.red > 0 && drawn.pale > 0 );
}

/// A point for every held node; lines along voxels, which may stand half outside.
static void supTestFat( void** state )
{
    const supDrawCase* c = *state;
    supDrawn drawn = supDrawIt( c, "fat" );
    supFatView view;
    assert_true( supModel_Fat( c->model, 0, &view ) );
    assert_int_equal( drawn.points, view.anchoredCount );
    assert_true( drawn.lines >= 12 && drawn.lines <= 12 * view.voxelCount );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestMuscles ),
        cmocka_unit_test( supTestLinesAndFields ),
        cmocka_unit_test( supTestEcorche ),
        cmocka_unit_test( supTestFat ),
    };
    return cmocka_run_group_tests( tests, supOpenDrawCase, supCloseDrawCase );
}
