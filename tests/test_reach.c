// How far living skin goes on real characters: never farther than its own reach, and not past its bone.
//
// Worked out here from the skins themselves, apart from what the library counts, and in double.

#include "supple/lab/items.h"
#include "supple/lab/measures.h"
#include "supple/lab/states.h"
#include "support/found_flesh.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    sup_seenLiving = 1,
    sup_seenSmooth = 2,
    sup_seenRigid = 4,
};

/// A character, its model, and the skins of one frame.
typedef struct supStage
{
    const char* name;
    const supCharacter* character;
    const supModel* model;
    supBody* body;
    supPose* pose;
    float *smooth, *living;
    supMat34* palette;
    double ( *back )[12]; ///< a vertex: its blended matrix at rest, inverted (3x3 in the first nine)
    uint8_t* seen;        ///< a vertex
    supVec3 elongations[64];
    double fullest; ///< the largest displacement as a share of what it may be
} supStage;

static void supBlendInto( const supStage* stage, int32_t vertex, double sum[12] )
{
    int32_t m = 0;
    supMeshView mesh = supCharacter_Mesh( stage->character, 0 );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( stage->character, ++m );
    }
    memset( sum, 0, 12 * sizeof( double ) );
    for ( int32_t k = 0; k < mesh.influenceCount; ++k )
    {
        size_t at = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount + (size_t)k;
        const float* from = (const float*)( stage->palette + mesh.firstPalette + mesh.jointIndices[at] );
        for ( int i = 0; i < 12; ++i )
        {
            sum[i] += (double)mesh.weights[at] * (double)from[i];
        }
    }
}

/// Columns x, y, z of a matrix times v.
static void supTurn( const double m[12], const double v[3], double out[3] )
{
    for ( int c = 0; c < 3; ++c )
    {
        out[c] = m[c] * v[0] + m[3 + c] * v[1] + m[6 + c] * v[2];
    }
}

static double supDot3( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The inverse of the 3x3 part, by cofactors.
static void supInvert( const double m[12], double out[12] )
{
    double det = 0.0;
    for ( int c = 0; c < 3; ++c )
    {
        for ( int r = 0; r < 3; ++r )
        {
            int c1 = ( c + 1 ) % 3, c2 = ( c + 2 ) % 3, r1 = ( r + 1 ) % 3, r2 = ( r + 2 ) % 3;
            out[3 * r + c] = m[3 * c1 + r1] * m[3 * c2 + r2] - m[3 * c2 + r1] * m[3 * c1 + r2];
        }
    }
    for ( int r = 0; r < 3; ++r )
    {
        det += m[r] * out[3 * r];
    }
    for ( int i = 0; i < 9; ++i )
    {
        out[i] /= det;
    }
}

static supStage supSetStage( const char* name, const supCharacter* character, const supModel* model )
{
    supStage stage = { .name = name, .character = character, .model = model };
    size_t vertices = (size_t)supCharacter_Info( character )->vertexCount;
    assert_true( supModel_Info( model )->elementCount <= 64 );
    assert_int_equal( supCreateBody( model, &stage.body, NULL ), sup_success );
    assert_int_equal( supCreatePose( character, NULL, &stage.pose, NULL ), sup_success );
    supBody_SetExact( stage.body, true );
    stage.smooth = malloc( 12 * vertices );
    stage.living = malloc( 12 * vertices );
    stage.palette = malloc( sizeof( supMat34 ) * (size_t)supCharacter_Info( character )->paletteCount );
    stage.back = malloc( sizeof( *stage.back ) * vertices );
    stage.seen = calloc( vertices, 1 );
    assert_true( stage.smooth && stage.living && stage.palette && stage.back && stage.seen );
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, stage.palette );
    for ( int32_t v = 0; v < (int32_t)vertices; ++v )
    {
        double blended[12];
        supBlendInto( &stage, v, blended );
        supInvert( blended, stage.back[v] );
    }
    return stage;
}

static void supStrike( supStage* stage )
{
    supDestroyBody( stage->body );
    supDestroyPose( stage->pose );
    free( stage->smooth );
    free( stage->living );
    free( stage->palette );
    free( stage->back );
    free( stage->seen );
}

/// Every displacement against the reach: at most the elements' weights times their thickness, which is a mean of the
/// vertex's own rest shape * attenuation over its elements, so at most the largest of these.
static void supCheckReach( supStage* stage, double time )
{
    size_t vertices = (size_t)supCharacter_Info( stage->character )->vertexCount;
    double* most = calloc( 2 * vertices, sizeof( double ) );
    double* largest = most + vertices;
    for ( int32_t e = 0; e < supModel_Info( stage->model )->elementCount; ++e )
    {
        supElementView view = supModel_Info( stage->model )->elements[e];
        for ( int32_t i = 0; i < view.vertexCount; ++i )
        {
            int32_t v = view.vertices[i];
            most[v] += (double)view.weights[i] * (double)view.thickness;
            largest[v] = fmax( largest[v], (double)view.reach[i] );
        }
    }
    double rounding = 1e-6 * (double)supCharacter_Info( stage->character )->size;
    for ( size_t v = 0; v < vertices; ++v )
    {
        double moved[3];
        for ( int c = 0; c < 3; ++c )
        {
            moved[c] = (double)stage->living[3 * v + (size_t)c] - (double)stage->smooth[3 * v + (size_t)c];
        }
        double length = sqrt( supDot3( moved, moved ) );
        stage->fullest = fmax( stage->fullest, length > 1e3 * rounding ? length / most[v] : 0.0 );
        if ( length > most[v] + rounding || most[v] > largest[v] * 1.00001 + rounding )
        {
            fail_msg( "%s: vertex %zu moves by %g at %g s; %g is its share, %g its reach", stage->name, v, length, time,
                most[v], largest[v] );
        }
    }
    free( most );
}

/// Behind the line of an element's bone, as seen from where the vertex's own matrix has carried its side?
static bool supIsBehind( const supStage* stage, const supElementView* view, int32_t vertex, const float* skin )
{
    const supMat34* joints = supPose_Joints( stage->pose );
    const supMat34* rest = supCharacter_Info( stage->character )->restJoints;
    const float* p = supCharacter_Info( stage->character )->restPositions + 3 * (size_t)vertex;
    supVec3 a = view->localFrame.y, o = view->localFrame.t;
    double out[3] = { (double)p[0] - (double)o.x, (double)p[1] - (double)o.y, (double)p[2] - (double)o.z };
    double axis[3] = { (double)a.x, (double)a.y, (double)a.z };
    double along = supDot3( out, axis ), across[3], home[3], side[3], blended[12];
    for ( int c = 0; c < 3; ++c )
    {
        across[c] = out[c] - along * axis[c];
    }
    supTurn( stage->back[vertex], across, home );
    supBlendInto( stage, vertex, blended );
    supTurn( blended, home, side );

    // the driver's motion: joint * rest^-1
    double restBack[12], restColumns[12], joint[12], bone[3], center[3], local[3];
    for ( int i = 0; i < 12; ++i )
    {
        restColumns[i] = (double)( (const float*)( rest + view->driver ) )[i];
        joint[i] = (double)( (const float*)( joints + view->driver ) )[i];
    }
    supInvert( restColumns, restBack );
    supTurn( restBack, axis, local );
    supTurn( joint, local, bone );
    double shift[3] = { (double)o.x - restColumns[9], (double)o.y - restColumns[10], (double)o.z - restColumns[11] };
    supTurn( restBack, shift, local );
    supTurn( joint, local, center );
    double length = sqrt( supDot3( bone, bone ) ), off[3];
    for ( int c = 0; c < 3; ++c )
    {
        bone[c] /= length;
        off[c] = (double)skin[3 * (size_t)vertex + (size_t)c] - center[c] - joint[9 + c];
    }
    double slant = supDot3( side, bone );
    for ( int c = 0; c < 3; ++c )
    {
        side[c] -= slant * bone[c];
    }
    double behind = -supDot3( off, side ) / sqrt( supDot3( side, side ) );
    return behind > 1e-6 * (double)supCharacter_Info( stage->character )->size;
}

static bool supHangsOn( const supCharacter* character, int32_t vertex, int32_t joint )
{
    int32_t m = 0;
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    while ( vertex >= mesh.firstVertex + mesh.vertexCount )
    {
        mesh = supCharacter_Mesh( character, ++m );
    }
    size_t first = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount;
    int32_t main = supCharacter_Info( character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[first]];
    return main == joint && ( mesh.influenceCount == 1 || mesh.weights[first + 1] == 0.0f );
}

static void supLookForPast( supStage* stage )
{
    for ( int32_t e = 0; e < supModel_Info( stage->model )->elementCount; ++e )
    {
        supElementView view = supModel_Info( stage->model )->elements[e];
        for ( int32_t i = 0; i < view.vertexCount; ++i )
        {
            int32_t v = view.vertices[i];
            bool living = supIsBehind( stage, &view, v, stage->living );
            bool smooth = supIsBehind( stage, &view, v, stage->smooth );
            bool rigid = living && supHangsOn( stage->character, v, view.driver );
            stage->seen[v] |= (uint8_t)( ( living ? sup_seenLiving : 0 ) | ( smooth ? sup_seenSmooth : 0 ) |
                                         ( rigid ? sup_seenRigid : 0 ) );
        }
    }
}

/// All frames of a clip. `push` multiplies every element's amount.
static supPastBone supPlayClip( supStage* stage, int32_t clip, double fps, float push, supPastBone* counted )
{
    supElementTuning tunings[64];
    for ( int32_t e = 0; e < supModel_Info( stage->model )->elementCount; ++e )
    {
        tunings[e] = supBody_Tuning( stage->body, e );
        tunings[e].amount *= push;
    }
    supTakeDef def = supDefaultTakeDef();
    def.model = stage->model;
    def.clip = clip;
    def.tunings = tunings;
    supTake* take = NULL;
    assert_int_equal( supCreateTake( &def, &take, NULL ), sup_success );
    supTakeInfo info = supTake_Info( take );
    int32_t vertices = supCharacter_Info( stage->character )->vertexCount;
    memset( stage->seen, 0, (size_t)vertices );
    assert_int_equal( supTake_PastBone( take, fps, counted, NULL ), sup_success );
    for ( int32_t k = 0; k < counted->frameCount; ++k )
    {
        double time = info.start + ( info.end - info.start ) * k / ( counted->frameCount - 1 );
        supPose_Sample( stage->pose, clip, time );
        supTake_Elongations( take, time, stage->elongations );
        supBody_SetMorphWeights( stage->body, supPose_MorphWeights( stage->pose ) );
        supBody_Show( stage->body, supPose_Joints( stage->pose ), stage->elongations );
        supBody_SmoothSkin( stage->body, stage->smooth, NULL );
        supBody_Skin( stage->body, stage->living, NULL );
        supCharacter_Palette( stage->character, supPose_Joints( stage->pose ), stage->palette );
        supCheckReach( stage, time );
        supLookForPast( stage );
    }
    supDestroyTake( take );
    supPastBone mine = { .frameCount = counted->frameCount };
    for ( int32_t v = 0; v < vertices; ++v )
    {
        mine.living += ( stage->seen[v] & sup_seenLiving ) != 0;
        mine.smooth += ( stage->seen[v] & sup_seenSmooth ) != 0;
        mine.rigid += ( stage->seen[v] & sup_seenRigid ) != 0;
    }
    return mine;
}

/// Vertices with all their weight on the driver of an element that they belong to.
static int32_t supCountBound( const supModel* model )
{
    int32_t count = 0;
    for ( int32_t e = 0; e < supModel_Info( model )->elementCount; ++e )
    {
        supElementView view = supModel_Info( model )->elements[e];
        for ( int32_t i = 0; i < view.vertexCount; ++i )
        {
            count += supHangsOn( supModel_Info( model )->character, view.vertices[i], view.driver );
        }
    }
    return count;
}

static double supFarthestLimit( const supRig* rig )
{
    double farthest = 0.0;
    for ( int32_t e = 0; e < supRig_ElementCount( rig ); ++e )
    {
        farthest = fmax( farthest, (double)supRig_Element( rig, e )->limitScale );
    }
    return farthest;
}

/// All clips, as they are and driven hard.
static void supCheckAll(
    const char* name, const supCharacter* character, const supModel* model, double farthest, int32_t mostClips )
{
    static const float pushes[] = { 1.0f, 30.0f };
    supStage stage = supSetStage( name, character, model );
    int32_t bound = supCountBound( model );
    for ( int push = 0; push < 2; ++push )
    {
        double fps = SUP_SLOW_BUILD ? 4.0 : push == 0 ? 30.0 : 10.0;
        supPastBone sum = { 0 };
        stage.fullest = 0.0;
        for ( int32_t clip = 0; clip < supCharacter_Info( character )->clipCount && clip < mostClips; ++clip )
        {
            supPastBone counted, mine = supPlayClip( &stage, clip, fps, pushes[push], &counted );
            // floats and doubles may part over one that stands on the line itself
            assert_true( abs( counted.living - mine.living ) <= 1 && abs( counted.smooth - mine.smooth ) <= 1 );
            assert_int_equal( counted.rigid, 0 );
            assert_int_equal( mine.rigid, 0 );
            assert_true( push > 0 || mine.living <= mine.smooth + 5 );
            sum.living += mine.living;
            sum.smooth += mine.smooth;
            sum.frameCount += mine.frameCount;
        }
        print_message( "%-44s amount x%-3g %5d frames: up to %3.0f%% of the reach; past the bone %d, smooth skin %d, "
                       "of %d bound to the driver alone 0\n",
            name, (double)pushes[push], sum.frameCount, 100.0 * stage.fullest, sum.living, sum.smooth, bound );
        // the limit stands at each region's ceiling: driven hard, the farthest of them is reached
        assert_true( stage.fullest <= 1.001 && ( push == 0 || stage.fullest > 0.7 * farthest ) );
    }
    supStrike( &stage );
}

static void test_automatic_rigs( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const char* const names[] = { "mh_human/mh_heavy.glb", "khronos_fox/glTF-Binary/Fox.glb",
        "quaternius/Horse.glb", "quaternius/Cow.glb", "khronos_cesiumman/glTF-Binary/CesiumMan.glb" };
    for ( size_t i = 0; i < sizeof( names ) / sizeof( names[0] ); ++i )
    {
        supFound found = supFindFlesh( names[i], sup_presetNatural );
        supCheckAll( names[i], found.character, found.model, supFarthestLimit( found.rig ), SUP_SLOW_BUILD ? 2 : 100 );
        supDropFound( &found );
    }
}

static void test_written_rigs( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    static const struct
    {
        const char *asset, *rig;
    } cases[] = { { "mh_human/mh_heavy.glb", "examples/heavy_man.rig.json" },
        { "khronos_fox/glTF-Binary/Fox.glb", "examples/fox.rig.json" },
        { "quaternius/Horse.glb", "examples/horse.rig.json" } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        char path[1024];
        supCharacter* character = NULL;
        supRig* rig = NULL;
        supModel* model = NULL;
        supError error = { 0 };
        if ( !supTestAssetPath( cases[i].asset, path, sizeof( path ) ) )
        {
            print_message( "skipped: no %s\n", cases[i].asset );
            continue;
        }
        bool ready = supLoadGltf( path, &character, &error ) == sup_success;

        ready = ready && supReadRig( cases[i].rig, character, NULL, &rig, &error ) == sup_success;
        if ( !ready || supCompileModel( character, rig, &model, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        supCheckAll( cases[i].rig, character, model, supFarthestLimit( rig ), SUP_SLOW_BUILD ? 2 : 100 );
        supDestroyModel( model );
        supDestroyRig( rig );
        supDestroyCharacter( character );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_automatic_rigs ),
        cmocka_unit_test( test_written_rigs ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
