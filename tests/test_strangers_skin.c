// The skin of strangers under the automatic rig: seams that stay closed, no place that the flesh creases, and what is
// said of each joint; what a caller tells of body and joints holds on them too.

#include "base/math.h"
#include "supple/auto.h"
#include "supple/lab/items.h"
#include "support/strangers.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static supStranger supMet[supMostBodies];
static int32_t supMetCount;

static int supMeetAll( void** state )
{
    (void)state;
    supMetCount = supMeetStrangers( supMet, supMostBodies );
    return 0;
}

static int supLeaveAll( void** state )
{
    (void)state;
    supLeave( supMet, supMetCount );
    return 0;
}

/// The weights of one element, one a vertex of the character.
static float* supSpreadWeights( const supFound* found, int32_t element )
{
    supElementView view = supModel_Info( found->model )->elements[element];
    float* weights = calloc( (size_t)supCharacter_Info( found->character )->vertexCount + 1, sizeof( float ) );
    for ( int32_t k = 0; k < view.vertexCount; ++k )
    {
        weights[view.vertices[k]] = view.weights[k];
    }
    return weights;
}

// ---------------------------------------------------------------------------------------------------------------
// Seams

static supMeshView supMeshOf( const supCharacter* character, int32_t vertex )
{
    int32_t m = 0;
    while ( m + 1 < supCharacter_Info( character )->meshCount &&
            supCharacter_Mesh( character, m + 1 ).firstVertex <= vertex )
    {
        ++m;
    }
    return supCharacter_Mesh( character, m );
}

static float supHeldBy( const supCharacter* character, const supMeshView* mesh, int32_t vertex, int32_t joint )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints + mesh->firstPalette;
    float sum = 0.0f;
    for ( int32_t i = 0; i < mesh->influenceCount && mesh->skin >= 0; ++i )
    {
        int32_t at = ( vertex - mesh->firstVertex ) * mesh->influenceCount + i;
        sum += joints[mesh->jointIndices[at]] == joint ? mesh->weights[at] : 0.0f;
    }
    return sum;
}

/// How much the skin weights of two vertices differ, at most of one joint.
static float supDifferBy( const supCharacter* character, int32_t a, int32_t b )
{
    supMeshView meshA = supMeshOf( character, a ), meshB = supMeshOf( character, b );
    float most = 0.0f;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        most = fmaxf( most, fabsf( supHeldBy( character, &meshA, a, j ) - supHeldBy( character, &meshB, b, j ) ) );
    }
    return most;
}

/// Shares of the size by which a seam may part: where the skin weights on both sides are the same, and where the file's
/// own skinning parts it too.
static const float supClosed = 1e-6f, supNearlyClosed = 5e-5f;

/// How far the seams of one element part at its ceiling.
static int32_t supCheckSeams( const supStranger* stranger, int32_t e, float* worst )
{
    const supFound* found = &stranger->found;
    const supCharacterInfo* info = supCharacter_Info( stranger->character );
    float* weights = supSpreadWeights( found, e );
    float limit =
        found->proposal->elements[e].ceiling * supModel_Info( found->model )->elements[e].thickness / info->size;
    int32_t wrong = 0;
    for ( int32_t v = 0; v < info->vertexCount; ++v )
    {
        float jump = fabsf( weights[v] - weights[info->welds[v]] ) * limit;
        *worst = fmaxf( *worst, jump );
        if ( jump > supClosed )
        {
            bool same = supDifferBy( stranger->character, v, info->welds[v] ) < 1e-3f;
            wrong += same || jump > supNearlyClosed;
        }
    }
    free( weights );
    return wrong;
}

static void supTestSeams( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, seams = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supCharacterInfo* info = supCharacter_Info( supMet[i].character );
        float worst = 0.0f;
        int32_t own = 0;
        assert_true( supMet[i].isFound );
        for ( int32_t e = 0; e < supModel_Info( supMet[i].found.model )->elementCount; ++e )
        {
            own += supCheckSeams( supMet + i, e, &worst );
        }
        for ( int32_t v = 0; v < info->vertexCount; ++v )
        {
            seams += info->welds[v] != v;
        }
        print_message( "%-24s its seams part by %.5f%% of the size at most%s\n", supMet[i].truth.name,
            100.0 * (double)worst, own > 0 ? "  WRONG" : "" );
        wrong += own;
    }
    assert_true( seams > 0 );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Creases

/// An edge is stretched, at most, by how much its ends' weights differ times the ceiling, over its length. Beyond a
/// third of it flesh looks like rubber; of the edges that move, by their length, this share may.
static const double supStretched = 0.33, supFew = 0.015;

static double supStretchedShare( const supFound* found, int32_t e )
{
    const supCharacterInfo* info = supCharacter_Info( found->character );
    float* weights = supSpreadWeights( found, e );
    double limit =
        (double)( found->proposal->elements[e].ceiling * supModel_Info( found->model )->elements[e].thickness );
    double all = 0.0, far = 0.0;
    for ( int32_t m = 0; m < info->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( found->character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            int32_t a = mesh.firstVertex + (int32_t)mesh.indices[i];
            int32_t b = mesh.firstVertex + (int32_t)mesh.indices[i % 3 == 2 ? i - 2 : i + 1];
            const float *p = info->restPositions + 3 * (size_t)a, *q = info->restPositions + 3 * (size_t)b;
            double length = sqrt( pow( (double)( p[0] - q[0] ), 2.0 ) + pow( (double)( p[1] - q[1] ), 2.0 ) +
                                  pow( (double)( p[2] - q[2] ), 2.0 ) );
            if ( weights[a] > 0.0f || weights[b] > 0.0f )
            {
                all += length;
                far += limit * (double)fabsf( weights[a] - weights[b] ) > supStretched * length ? length : 0.0;
            }
        }
    }
    free( weights );
    return all > 0.0 ? far / all : 0.0;
}

static void supTestCreases( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t wrong = 0, looked = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        double worst = 0.0;
        const char* at = "";
        for ( int32_t e = 0; e < supModel_Info( supMet[i].found.model )->elementCount; ++e )
        {
            double share = supStretchedShare( &supMet[i].found, e );
            at = share > worst ? supMet[i].found.proposal->elements[e].name : at;
            worst = fmax( worst, share );
            ++looked;
        }
        print_message( "%-24s %5.2f%% of the edges of %s stretch by a third and more%s\n", supMet[i].truth.name,
            100.0 * worst, at[0] != '\0' ? at : "any element", worst > supFew ? "  WRONG" : "" );
        wrong += worst > supFew;
    }
    assert_true( looked > 0 );
    assert_int_equal( wrong, 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Joints

/// How much of a joint's skin the flesh of all elements moves at most, by weight.
static double supMovedShare( const supFound* found, int32_t joint )
{
    const supCharacterInfo* info = supCharacter_Info( found->character );
    double most = 0.0;
    for ( int32_t e = 0; e < supModel_Info( found->model )->elementCount; ++e )
    {
        float* weights = supSpreadWeights( found, e );
        double all = 0.0, moved = 0.0;
        for ( int32_t m = 0; m < info->meshCount; ++m )
        {
            supMeshView mesh = supCharacter_Mesh( found->character, m );
            for ( int32_t v = mesh.firstVertex; v < mesh.firstVertex + mesh.vertexCount; ++v )
            {
                double held = (double)supHeldBy( found->character, &mesh, v, joint );
                all += held;
                moved += held * (double)weights[v];
            }
        }
        most = fmax( most, all > 0.0 ? moved / all : 0.0 );
        free( weights );
    }
    return most;
}

/// Joints that are said to be left alone, of which flesh moves half of the skin and more. (Here vertices count alike,
/// there by their area.)
static int32_t supCheckMoved( const supStranger* stranger )
{
    const supFound* found = &stranger->found;
    int32_t looked = 0;
    for ( int32_t j = 0; j < found->proposal->jointCount; ++j )
    {
        double share = found->proposal->carriers[j] < 0 ? supMovedShare( found, j ) : 0.0;
        if ( share > 0.5 )
        {
            fail_msg( "%s: flesh moves %.0f%% of what hangs on %s, which is left alone", stranger->truth.name,
                100.0 * share, supCharacter_Joint( found->character, j )->name );
        }
        looked += share > 0.0;
    }
    return looked;
}

/// What carries flesh is not said to be left alone.
static void supTestCarriers( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t looked = 0;
    for ( int32_t i = 0; i < supMetCount; ++i )
    {
        const supFound* found = &supMet[i].found;
        for ( int32_t e = 0; e < found->proposal->elementCount; ++e )
        {
            const supElementDef* def = supRig_Element( found->rig, e );
            supRegion region = found->proposal->elements[e].region;
            bool limb = region >= sup_regionThigh && region <= sup_regionForearm;
            int32_t joint = supCharacter_FindJoint( found->character, def->driver );
            if ( limb && joint >= 0 && found->proposal->carriers[joint] < 0 )
            {
                fail_msg( "%s: %s carries %s, and is left alone", supMet[i].truth.name, def->driver, def->name );
            }
            looked += limb && joint >= 0;
        }
        looked += supCheckMoved( supMet + i );
    }
    assert_true( looked > 0 );
}

/// Whichever way is told to be up, there is a front across it.
static void supTestUps( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    for ( int32_t i = 0; i < supMetCount; i += 3 )
    {
        for ( int k = 0; k < 6; ++k )
        {
            float sign = k < 3 ? 1.0f : -1.0f;
            supProposeDef def = supDefaultProposeDef();
            supBodyReading reading;
            supError error = { 0 };
            def.up = supMakeVec3( k % 3 == 0 ? sign : 0.0f, k % 3 == 1 ? sign : 0.0f, k % 3 == 2 ? sign : 0.0f );
            assert_int_equal( supReadBody( supMet[i].character, &def, &reading, &error ), sup_success );
            assert_float_equal( supLength( reading.front ), 1.0f, 1e-4f );
            assert_float_equal( supDot( reading.front, def.up ), 0.0f, 1e-3f );
        }
    }
}

static bool supNames( supNameList list, const char* name )
{
    bool names = false;
    for ( int32_t i = 0; i < list.count; ++i )
    {
        names = names || strcmp( list.names[i], name ) == 0;
    }
    return names;
}

/// No element hangs on a joint that something else swings already, and none takes its skin.
static void supTestSwung( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    int32_t marked = 0;
    for ( int32_t i = 0; i < supMetCount; i += 5 )
    {
        supError error = { 0 };
        supCharacter* own = supTryLoad( supMet[i].truth.asset, &error );
        assert_non_null( own );
        int32_t joints = supCharacter_Info( own )->jointCount;
        for ( int32_t j = 0; j < joints; ++j )
        {
            // as a file would have said it; every third of those that carry flesh
            bool carries = supMet[i].found.proposal->carriers[j] >= 0;
            ( (supJointView*)supCharacter_Joint( own, j ) )->hasPhysics = carries && j % 3 == 0;
            marked += carries && j % 3 == 0;
        }
        supFound found;
        assert_true( supTryFind( own, sup_presetNatural, &found, &error ) );
        for ( int32_t e = 0; e < found.proposal->elementCount; ++e )
        {
            const supElementDef* def = supRig_Element( found.rig, e );
            for ( int32_t j = 0; j < joints; ++j )
            {
                const supJointView* joint = supCharacter_Joint( own, j );
                bool named = strcmp( def->driver, joint->name ) == 0 || supNames( def->joints, joint->name );
                assert_false( joint->hasPhysics && named );
            }
        }
        supDropFound( &found );
        supDestroyCharacter( own );
    }
    assert_true( marked > 0 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSeams ),
        cmocka_unit_test( supTestCreases ),
        cmocka_unit_test( supTestCarriers ),
        cmocka_unit_test( supTestUps ),
        cmocka_unit_test( supTestSwung ),
    };
    return cmocka_run_group_tests( tests, supMeetAll, supLeaveAll );
}
