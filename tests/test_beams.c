// Beams as a layer: poses come back, what lies between is the equation's own solution, and equation 14 alone is a
// blend.
#include "base/scalar_math.h"
#include "layers/correctives/beams.h"
#include "supple/lab/states.h"
#include "support/dense_beam.h"
#include "support/knee.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double sup_degree = 3.14159265358979323846 / 180.0;
static const char* const sup_shin[] = { "shin" };
static const char* const sup_part[] = { "thigh", "shin" };
static int32_t sup_all[supKneeVertices];

/// Two poses of one knee whose posed shapes are the formula's, with bumps that no curve holds.
typedef struct supTwoPoses
{
    supCharacter* character;
    double bends[2]; // degrees
    supVec3 turns[2];
    supVec3 targets[2][supKneeVertices], moves[2][supKneeVertices];
    supVertexValues lists[2];
    supBeamPose poses[2];
    supBeamForce forces[2];
    supBeamsDef def;
} supTwoPoses;

static supTwoPoses sup_two;

static void supPlainKnee( const supCharacter* character, double bend, supVec3* places )
{
    supMat34 joints[3];
    supPoseKnee( character, bend, 0.0, joints );
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    assert_int_equal( supCompileModel( character, rig, &model, NULL ), sup_success );
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    assert_int_equal( supBody_Step( body, joints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &places[0].x, NULL );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
}

/// `bumps`: how far vertices are off the formula's surface.
static supBeamsDef* supMakeTwoPoses( supCharacter* character, double first, double second, double bumps )
{
    supTwoPoses* two = &sup_two;
    two->character = character;
    two->def = supDefaultBeamsDef();
    for ( int e = 0; e < 2; ++e )
    {
        double bend = e == 0 ? first : second;
        static supVec3 plain[supKneeVertices];
        two->bends[e] = bend;
        two->turns[e] = ( supVec3 ){ (float)bend, 0.0f, 0.0f };
        supPlainKnee( character, bend * sup_degree, plain );
        supBentKnee( bend * sup_degree, two->targets[e] );
        for ( int v = 0; v < supKneeVertices; ++v )
        {
            supVec3* p = two->targets[e] + v;
            p->x += (float)( bumps * sin( 7.0 * v + e ) );
            p->z += (float)( bumps * cos( 5.0 * v ) );
            sup_all[v] = v;
            two->moves[e][v] = ( supVec3 ){ p->x - plain[v].x, p->y - plain[v].y, p->z - plain[v].z };
        }
        two->lists[e] = ( supVertexValues ){ "Leg", 0, supKneeVertices, sup_all, (const float*)two->moves[e] };
        two->poses[e] = supDefaultBeamPose();
        two->poses[e].name = e == 0 ? "little" : "much";
        two->poses[e].pose = ( supPointList ){ 1, two->turns + e };
        two->poses[e].moves = ( supVertexValueList ){ 1, two->lists + e, supCharacter_Info( character )->fingerprint };
        two->poses[e].space = sup_examplePosed;
        two->forces[e] = supDefaultBeamForce();
    }
    two->def.joints = ( supNameList ){ 1, sup_shin };
    two->def.part = ( supNameList ){ 2, sup_part };
    two->def.poses = ( supItemList ){ 2, two->poses };
    return &two->def;
}

static supBody* supBodyOfBeams( const supCharacter* character, const supBeamsDef* def, supModel** model )
{
    supRig* rig = NULL;
    supBody* body = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    if ( supRig_AddItem( rig, supFindLayer( "beams" ), def, &error ) != sup_success ||
         supCompileModel( character, rig, model, &error ) != sup_success ||
         supCreateBody( *model, &body, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return body;
}

static void supShowBeams( supBody* body, double bend, supVec3* places )
{
    supMat34 joints[3];
    supPoseKnee( supModel_Info( supBody_Model( body ) )->character, bend * sup_degree, 0.0, joints );
    assert_int_equal( supBody_Step( body, joints, supMat34_identity, 0.0f ), sup_success );
    supBody_Skin( body, &places[0].x, NULL );
}

static double supFarthest( const supVec3* a, const supVec3* b )
{
    double most = 0.0;
    for ( int v = 0; v < supKneeVertices; ++v )
    {
        most = fmax( most, (double)supDistance( a[v], b[v] ) );
    }
    return most;
}

static supVec3 sup_places[supKneeVertices], sup_other[supKneeVertices];

// ---------------------------------------------------------------------------------------------------------------

/// Both poses by every way there is, coarse and fine; rest stays as it is, to the bit.
static void supTestPosesComeBack( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    double size = (double)supCharacter_Info( character )->size, worst = 0.0;
    for ( int way = 0; way < 16; ++way )
    {
        supBeamsDef* def = supMakeTwoPoses( character, 50.0, 110.0, 0.01 );
        def->use = way & 1;
        def->ends = way >> 1 & 1;
        def->between = way >> 2 & 1;
        def->curves = way & 8 ? 31.0f : 5.0f;
        def->nodes = way & 8 ? 103.0f : 5.0f;
        supModel* model = NULL;
        supBody* body = supBodyOfBeams( character, def, &model );
        for ( int e = 0; e < 2; ++e )
        {
            supShowBeams( body, sup_two.bends[e], sup_places );
            worst = fmax( worst, supFarthest( sup_places, sup_two.targets[e] ) / size );
        }
        supShowBeams( body, 0.0, sup_places );
        supPlainKnee( character, 0.0, sup_other );
        assert_memory_equal( sup_places, sup_other, sizeof( sup_places ) );
        supDestroyBody( body );
        supDestroyModel( model );
    }
    print_message( "poses come back to %.2g of the size\n", worst );
    assert_true( worst < 1e-6 );
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------
// Against the dense system

typedef struct supDenseCase
{
    float curves, nodes;
    supVec3 a1, a2;
    supKeyList stiffness;
    int ends, between;
    bool forced;
} supDenseCase;

/// Where a node is on some skin.
static void supOnSkin( const supTubeNode* node, const supVec3* skin, double out[3] )
{
    for ( int k = 0; k < 3; ++k )
    {
        out[k] = 0.0;
        for ( int i = 0; i < 3; ++i )
        {
            out[k] += (double)node->shares[i] * (double)( &skin[node->corners[i]].x )[k];
        }
    }
}

/// The chain hangs on the thigh, which stays at rest: displacements are those of model space.
static void supNodesOf( const supTube* tube, const supVec3* skin, double* out )
{
    int32_t columns = tube->curves * 3;
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        double at[3];
        supOnSkin( tube->grid + i, skin, at );
        for ( int k = 0; k < 3; ++k )
        {
            out[i % tube->nodes * columns + 3 * ( i / tube->nodes ) + k] =
                at[k] - (double)( &tube->grid[i].place.x )[k];
        }
    }
}

static double supStiffnessOf( const supKeyList* keys, double along )
{
    for ( int32_t i = 1; i < keys->count; ++i )
    {
        double x0 = keys->pairs[2 * i - 2], x1 = keys->pairs[2 * i];
        if ( along <= x1 || i + 1 == keys->count )
        {
            double y0 = keys->pairs[2 * i - 1], y1 = keys->pairs[2 * i + 1];
            return y0 + ( y1 - y0 ) * ( fmin( along, x1 ) - x0 ) / ( x1 - x0 );
        }
    }
    return 1.0;
}

/// Ends where the smooth skin has them; the first lies on the thigh, which rests, the last is turned with the shin.
static void supEndsOf( const supTube* tube, const double* smooth, double bend, double* given, double* const slopes[2] )
{
    int32_t columns = tube->curves * 3, last = tube->nodes - 1;
    for ( int32_t c = 0; c < columns; ++c )
    {
        given[c] = smooth[c];
        given[last * columns + c] = smooth[last * columns + c];
    }
    for ( int32_t c = 0; c < tube->curves; ++c )
    {
        const supTubeNode* end = tube->grid + c * tube->nodes + last;
        double y = ( (double)end[0].place.y - (double)end[-1].place.y ) * last,
               z = ( (double)end[0].place.z - (double)end[-1].place.z ) * last;
        double cosine = cos( bend * sup_degree ), sine = sin( bend * sup_degree );
        slopes[1][3 * c + 1] = cosine * y - sine * z - y;
        slopes[1][3 * c + 2] = sine * y + cosine * z - z;
    }
}

/// What the dense way needs beside the layer's curves: numbers `node * columns + 3 * curve + coordinate`.
typedef struct supDenseWay
{
    const supDenseCase* c;
    const supTube* tube;
    int32_t last, columns;
    size_t count;
    double *sum, *shape, *forces, *smooth, *truth, *stiffness, *slopes[2];
    double* block;
} supDenseWay;

static supDenseWay supOpenDenseWay( const supDenseCase* c, const supTube* tube )
{
    supDenseWay way = { .c = c, .tube = tube, .last = tube->nodes - 1, .columns = tube->curves * 3 };
    size_t count = way.count = (size_t)tube->nodes * (size_t)way.columns;
    way.block = calloc( 5 * count + 4 * (size_t)way.columns + (size_t)tube->nodes, sizeof( double ) );
    double** parts[5] = { &way.sum, &way.shape, &way.forces, &way.smooth, &way.truth };
    for ( size_t i = 0; i < 5; ++i )
    {
        *parts[i] = way.block + i * count;
    }
    way.stiffness = way.block + 5 * count;
    way.slopes[0] = way.stiffness + tube->nodes;
    way.slopes[1] = way.slopes[0] + way.columns;
    for ( int32_t i = 0; i <= way.last; ++i )
    {
        way.stiffness[i] = supStiffnessOf( &c->stiffness, (double)i / way.last );
    }
    return way;
}

/// What ends and slopes are at a bend, into `shape`.
static void supPutEnds( const supDenseWay* way, double bend, double* shape )
{
    memset( way->slopes[0], 0, 2 * (size_t)way->columns * sizeof( double ) );
    if ( way->c->ends == sup_endsJoints )
    {
        supPlainKnee( sup_two.character, bend * sup_degree, sup_other );
        supNodesOf( way->tube, sup_other, way->smooth );
        supEndsOf( way->tube, way->smooth, bend, shape, way->slopes );
    }
}

/// One coordinate, since each may have its own material: the columns of the others are left alone.
static void supSolveOneWay( const supDenseWay* way, int k, const double shares[2], double bend )
{
    const supBeamsDef* def = &sup_two.def;
    const double* held[2] = { way->slopes[0], way->slopes[1] };
    supDenseBeam beam = { way->last, (double)( &def->a1.x )[k], (double)( &def->a2.x )[k], way->stiffness };
    memset( way->sum, 0, way->count * sizeof( double ) );
    for ( int e = 0; e < 2; ++e )
    {
        supNodesOf( way->tube, sup_two.targets[e], way->shape );
        supPutEnds( way, sup_two.bends[e], way->shape );
        supDenseForces( &beam, way->columns, way->shape, held, way->forces );
        for ( size_t i = 0; i < way->count; ++i )
        {
            bool end = i < (size_t)way->columns || i >= way->count - (size_t)way->columns;
            way->sum[i] += shares[e] * ( end ? way->shape[i] : way->forces[i] );
        }
    }
    for ( int f = 0; f < 2 && way->c->forced; ++f )
    {
        double share = ( f == 0 ? shares[1] : 1.0 ) * 384.0 * beam.a1 * (double)( &sup_two.forces[f].force.x )[k] *
                       (double)supCharacter_Info( sup_two.character )->size;
        for ( int32_t i = 1; i < way->last; ++i )
        {
            double along = (double)i / way->last;
            bool in = f == 1 || ( along >= (double)0.3f - 1e-9 && along <= (double)0.7f + 1e-9 );
            for ( int32_t column = k; column < way->columns && in; column += 3 )
            {
                way->sum[i * way->columns + column] += share;
            }
        }
    }
    supPutEnds( way, bend, way->sum );
    supSolveDenseBeam( &beam, way->columns, way->sum, held, way->shape );
    for ( size_t i = (size_t)k; i < way->count; i += 3 )
    {
        way->truth[i] = way->shape[i];
    }
}

/// Shares of the two poses: of equation 14 by its own words.
static void supSharesAt( const supBeams* beams, double bend, double shares[2] )
{
    double b0 = sup_two.bends[0], b1 = sup_two.bends[1];
    if ( beams->between == sup_betweenLinear )
    {
        shares[0] = bend <= b0 ? bend / b0 : ( b1 - bend ) / ( b1 - b0 );
        shares[1] = bend <= b0 ? 0.0 : ( bend - b0 ) / ( b1 - b0 );
        return;
    }
    double features[supPoseFeatures];
    supMat34 joints[3];
    supPoseKnee( sup_two.character, bend * sup_degree, 0.0, joints );
    supReadFeatures( sup_two.character, &beams->group, joints, features );
    supPoseSpace_Shares( &beams->group.space, features, shares ); // test_pose_space holds these
}

static void supDefineDense( const supDenseCase* c )
{
    supBeamsDef* def = &sup_two.def;
    def->name = "knee";
    def->curves = c->curves;
    def->nodes = c->nodes;
    def->a1 = c->a1;
    def->a2 = c->a2;
    def->stiffness = c->stiffness;
    def->use = sup_beamsCarry;
    def->ends = c->ends;
    def->between = c->between;
    sup_two.forces[0].force = ( supVec3 ){ 0.02f, -0.03f, 0.05f };
    sup_two.forces[0].from = 0.3f;
    sup_two.forces[0].to = 0.7f;
    sup_two.forces[0].pose = "much";
    sup_two.forces[1].force = ( supVec3 ){ 0.0f, 0.0f, 0.04f };
    def->forces = c->forced ? ( supItemList ){ 2, sup_two.forces } : ( supItemList ){ 0 };
}

/// The layer's own nodes against the dense way's. `moved`: how far these are moved at most.
static double supCompareNodes( const supBeamsLayer* layer, const supDenseWay* way, double bend, double* moved )
{
    const supBeams* beams = layer->items;
    const supTube* tube = way->tube;
    supMat34 joints[3];
    supPoseKnee( sup_two.character, bend * sup_degree, 0.0, joints );
    double features[supPoseFeatures], own[2], forced[2];
    supReadFeatures( sup_two.character, &beams->group, joints, features );
    supBeams_Shares( beams, features, own );
    forced[0] = own[1];
    forced[1] = 1.0;
    supBeamRoom room = { malloc( 3 * layer->mostNumbers * sizeof( double ) ),
        malloc( 3 * 2 * supBeamLanes * (size_t)layer->mostPanels * sizeof( double ) ),
        malloc( (size_t)layer->mostNodes * sizeof( supBeamNode ) ) };
    supPlainKnee( sup_two.character, bend * sup_degree, sup_other );
    supBeamChain_Bend( beams, beams->chains, own, forced, joints, sup_other, &room );
    double worst = 0.0;
    *moved = 0.0;
    for ( int32_t i = 0; i < tube->curves * tube->nodes; ++i )
    {
        for ( int k = 0; k < 3; ++k )
        {
            double q = way->truth[i % tube->nodes * way->columns + 3 * ( i / tube->nodes ) + k];
            double place = (double)( &tube->grid[i].place.x )[k] + q;
            worst = fmax( worst, fabs( (double)room.nodes[i].at[k] - place ) );
            *moved = fmax( *moved, fabs( q ) );
        }
    }
    free( room.given );
    free( room.slopes );
    free( room.nodes );
    return worst;
}

/// All of the pipeline once more, by dense systems, from the shapes themselves; how far the layer's nodes are from it.
static double supCompareDense( const supDenseCase* c, double bend, double* moved )
{
    supDefineDense( c );
    supLayerContext context = { .character = sup_two.character };
    const void* items[1] = { &sup_two.def };
    void* compiled = NULL;
    supError error = { 0 };
    if ( supCompileBeams( &context, items, 1, &compiled, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    const supBeamsLayer* layer = compiled;
    assert_int_equal( layer->items->chainCount, 1 );
    supDenseWay way = supOpenDenseWay( c, layer->items->chains->tube );
    for ( int32_t i = 0; i < way.tube->curves * way.tube->nodes; ++i )
    {
        assert_true( supIsCovered( way.tube->grid + i ) );
    }
    double shares[2];
    supSharesAt( layer->items, bend, shares );
    for ( int k = 0; k < 3; ++k )
    {
        supSolveOneWay( &way, k, shares, bend );
    }
    double worst = supCompareNodes( layer, &way, bend, moved );
    free( way.block );
    supDestroyBeams( compiled, NULL );
    return worst / (double)supCharacter_Info( sup_two.character )->size;
}

/// Coarse and fine curves, a1 from 0.001 to 1000, ends by joints, edited forces, stiffness along the curve.
static void supTestAgainstDense( void** state )
{
    (void)state;
    static const float keys[] = { 0.0f, 1.0f, 0.4f, 1.0f, 0.5f, 20.0f, 0.6f, 0.05f, 1.0f, 3.0f };
    const supKeyList even = { 0 }, uneven = { 5, keys };
    const supVec3 one = { 1.0f, 1.0f, 1.0f }, soft = { 0.001f, 0.001f, 0.001f }, hard = { 1000.0f, 1000.0f, 1000.0f },
                  mixed = { 0.001f, 1.0f, 1000.0f }, none = { 0 }, taut = { -20.0f, 3.0f, 100.0f };
    const supDenseCase cases[] = {
        { 5.0f, 5.0f, one, none, even, sup_endsJoints, sup_betweenLinear, true },
        { 5.0f, 5.0f, soft, none, uneven, sup_endsJoints, sup_betweenLinear, true },
        { 31.0f, 103.0f, soft, none, even, sup_endsJoints, sup_betweenLinear, true },
        { 31.0f, 103.0f, hard, none, uneven, sup_endsJoints, sup_betweenSmooth, true },
        { 31.0f, 103.0f, mixed, taut, even, sup_endsJoints, sup_betweenSmooth, true },
        { 34.0f, 27.0f, one, none, uneven, sup_endsPoses, sup_betweenLinear, true },
        { 34.0f, 27.0f, hard, none, even, sup_endsPoses, sup_betweenSmooth, false },
    };
    supCharacter* character = supMakeKnee();
    supMakeTwoPoses( character, 50.0, 110.0, 0.0 );
    for ( size_t c = 0; c < sizeof( cases ) / sizeof( cases[0] ); ++c )
    {
        double moved, off = supCompareDense( cases + c, 80.0, &moved );
        print_message( "%g x %g curves, a1 %g to %g: %.2g of the size off the dense solution, which moves %.2g\n",
            (double)cases[c].curves, (double)cases[c].nodes, (double)cases[c].a1.x, (double)cases[c].a1.z, off, moved );
        assert_true( moved > 0.3 );
        assert_true( off < 1e-6 );
    }
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------

static void supShowWith( supCharacter* character, supBeamsDef* def, double bend, supVec3* places )
{
    supModel* model = NULL;
    supBody* body = supBodyOfBeams( character, def, &model );
    supShowBeams( body, bend, places );
    supDestroyBody( body );
    supDestroyModel( model );
}

/// By equation 14 alone a pose is the straight blend of the corrections, whatever the curves and their material; with
/// an edited force it is not.
static void supTestStraightBlend( void** state )
{
    (void)state;
    static const float keys[] = { 0.0f, 1.0f, 0.5f, 30.0f, 1.0f, 0.1f };
    supCharacter* character = supMakeKnee();
    double size = (double)supCharacter_Info( character )->size;
    static supVec3 plain[supKneeVertices], blend[supKneeVertices];
    supPlainKnee( character, 80.0 * sup_degree, plain );
    for ( int forced = 0; forced < 2; ++forced )
    {
        double least = 1e9, most = 0.0;
        for ( int i = 0; i < 5; ++i )
        {
            supBeamsDef* def = supMakeTwoPoses( character, 50.0, 110.0, 0.01 );
            def->between = sup_betweenLinear;
            def->ends = sup_endsPoses;
            def->curves = i < 2 ? 5.0f : 31.0f;
            def->nodes = i < 2 ? 5.0f : 103.0f;
            float a1 = i == 1 ? 0.001f : i == 3 ? 1000.0f : 1.0f;
            def->a1 = ( supVec3 ){ a1, a1, a1 };
            def->stiffness = i == 4 ? ( supKeyList ){ 3, keys } : ( supKeyList ){ 0 };
            sup_two.forces[0].force = ( supVec3 ){ 0.0f, 0.0f, 0.05f };
            sup_two.forces[0].from = 0.2f;
            sup_two.forces[0].to = 0.5f;
            def->forces = ( supItemList ){ forced, sup_two.forces };
            supShowWith( character, def, 80.0, i == 0 ? blend : sup_places );
            double off = i == 0 ? 0.0 : supFarthest( blend, sup_places ) / size;
            least = i == 0 ? least : fmin( least, off );
            most = fmax( most, off );
        }
        print_message( "%s: curves and material change %.2g to %.2g of the size\n",
            forced == 1 ? "an edited force" : "equation 14 alone", least, most );
        assert_true( forced == 1 ? most > 1e-3 : most < 1e-6 );
        assert_true( supFarthest( blend, plain ) > 0.01 * size );
    }
    supDestroyCharacter( character );
}

/// Ends that the joints drive keep the shin as long as it is, where the straight blend of a large bend shortens it.
static void supTestEndsByJoints( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    double lengths[2];
    for ( int ends = 0; ends < 2; ++ends )
    {
        supBeamsDef* def = supMakeTwoPoses( character, 1.0, 120.0, 0.0 );
        def->poses = ( supItemList ){ 1, sup_two.poses + 1 };
        def->use = sup_beamsCarry;
        def->ends = ends;
        def->between = sup_betweenLinear;
        supShowWith( character, def, 60.0, sup_places );
        int top = supKneeVertices - 1; // the tip of the leg: from the knee, 1.2 away
        lengths[ends] = hypot( (double)sup_places[top].y - 1.0, (double)sup_places[top].z );
    }
    print_message( "the shin, half-way bent: %.4f by joints, %.4f by equation 14 alone\n", lengths[0], lengths[1] );
    assert_true( fabs( lengths[0] - 1.2 ) < 1e-4 );
    assert_true( lengths[1] < 0.75 ); // cos 60 degrees of it, and what the detail adds
    supDestroyCharacter( character );
}

static void supTestRefusals( void** state )
{
    (void)state;
    supCharacter* character = supMakeKnee();
    const struct
    {
        int what;
        const char* words;
    } cases[] = {
        { 0, "it has neither poses nor forces" },
        { 1, "poses[1]: it says two poses" },
        { 2, "poses[0]: it has no shape, so there is nothing to correct" },
        { 3, "forces[0].pose: no pose of this item is called \"most\"" },
        { 4, "forces[0].to: must not be below from" },
        { 5, "a2[1]: a2 50" },
        { 6, "beams[0]: examples \"little\" and \"much\" are at one pose; keep one of them" },
        { 7, "no joint \"shim\"" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        static const char* const wrong[] = { "shim" };
        supBeamsDef* def = supMakeTwoPoses( character, 50.0, 110.0, 0.0 );
        int what = cases[i].what;
        def->poses.count = what == 0 ? 0 : 2;
        sup_two.poses[1].clip = what == 1 ? "bend" : NULL;
        sup_two.poses[0].moves.count = what == 2 ? 0 : 1;
        sup_two.forces[0].pose = what == 3 ? "most" : NULL;
        sup_two.forces[0].from = what == 4 ? 0.9f : 0.0f;
        sup_two.forces[0].to = what == 4 ? 0.1f : 1.0f;
        sup_two.forces[0].force.x = 0.1f;
        def->forces = ( supItemList ){ what == 3 || what == 4, sup_two.forces };
        def->a2 = what == 5 ? ( supVec3 ){ 0.0f, 50.0f, 0.0f } : def->a2;
        sup_two.turns[1] = what == 6 ? sup_two.turns[0] : sup_two.turns[1];
        def->joints.names = what == 7 ? wrong : sup_shin;
        supRig* rig = NULL;
        supModel* model = NULL;
        supError error = { 0 };
        assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
        supResult result = supRig_AddItem( rig, supFindLayer( "beams" ), def, &error );
        result = result == sup_success ? supCompileModel( character, rig, &model, &error ) : result;
        assert_int_not_equal( result, sup_success );
        if ( strstr( error.text, cases[i].words ) == NULL )
        {
            fail_msg( "\"%s\" instead of \"%s\"", error.text, cases[i].words );
        }
        supDestroyRig( rig );
    }
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestPosesComeBack ),
        cmocka_unit_test( supTestAgainstDense ),
        cmocka_unit_test( supTestStraightBlend ),
        cmocka_unit_test( supTestEndsByJoints ),
        cmocka_unit_test( supTestRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
