// A body with one item of fat, for tests.
#include "support/fat_case.h"

#include "base/math.h"
#include "rig/layer_list.h"
#include "rig/model_data.h"
#include "support/creature_cache.h"
#include "support/limb.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

supModel* supCompileFatRig( const supCharacter* character, const supFatDef* def, supError* error )
{
    supRig* rig;
    supModel* model = NULL;
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    if ( supRig_AddItem( rig, sup_layerFat, def, error ) == sup_success )
    {
        supCompileModel( character, rig, &model, error );
    }
    supDestroyRig( rig );
    return model;
}

void supOpenFatCase( supFatCase* c, const char* name, const supFatDef* def )
{
    supError error = { 0 };
    *c = ( supFatCase ){ 0 };
    if ( name != NULL )
    {
        c->character = supTestCreature( name );
    }
    else
    {
        c->limb = supMakeLimbCharacter( 1.0f, false );
        c->character = c->limb;
    }
    c->model = supCompileFatRig( c->character, def, &error );
    if ( c->model == NULL )
    {
        fail_msg( "%s", error.text );
    }
    c->fat = ( (const supFats*)c->model->stack.layers[0].compiled )->fats;
    assert_int_equal( supCreateBody( c->model, &c->body, &error ), sup_success );
    supBody_SetExact( c->body, true );
    c->vertexCount = supCharacter_Info( c->character )->vertexCount;
    c->smooth = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
    c->living = malloc( sizeof( supVec3 ) * (size_t)c->vertexCount );
}

void supCloseFatCase( supFatCase* c )
{
    supDestroyBody( c->body );
    supDestroyModel( c->model );
    supDestroyCharacter( c->limb );
    free( c->smooth );
    free( c->living );
}

float supLargestFatShift( supFatCase* c )
{
    supBody_SmoothSkin( c->body, &c->smooth[0].x, NULL );
    supBody_Skin( c->body, &c->living[0].x, NULL );
    float largest = 0.0f;
    for ( int32_t v = 0; v < c->vertexCount; ++v )
    {
        largest = supMaxF( largest, supDistance( c->smooth[v], c->living[v] ) );
    }
    return largest;
}

const supMat34* supFatCaseRest( const supFatCase* c )
{
    return supCharacter_Info( c->character )->restJoints;
}

void supStepFatCase( supFatCase* c, supMat34 world, float dt )
{
    assert_int_equal( supBody_Step( c->body, supFatCaseRest( c ), world, dt ), sup_success );
}

supMat34 supTurned( supVec3 axis, float angle, supVec3 at )
{
    supMat34 world = supMatFromQuat( supQuatFromAxisAngle( supNormalize( axis ), angle ) );
    world.t = at;
    return world;
}

supFatDef supLimbFat( void )
{
    supFatDef def = supDefaultFatDef();
    def.depth = 0.6f;
    def.nodes = SUP_SLOW_BUILD ? 300.0f : 700.0f;
    return def;
}

void supSolveByGradients( const supElastic* elastic, supMoreStiffness* more, void* user, const double* f, double* u )
{
    size_t count = 3 * (size_t)elastic->freeCount;
    double *r = malloc( 4 * sizeof( double ) * count ), *p = r + count, *image = p + count, *scaled = image + count;
    double *diagonal = calloc( count, sizeof( double ) ), old = 0.0, first = 0.0;
    for ( int32_t i = 0; i < elastic->freeCount; ++i )
    {
        for ( int64_t k = elastic->stiffness.starts[i]; k < elastic->stiffness.starts[i + 1]; ++k )
        {
            for ( int d = 0; d < 3 && elastic->stiffness.columns[k] == i; ++d )
            {
                diagonal[3 * i + d] = elastic->stiffness.blocks[9 * k + 4 * d];
            }
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        u[i] = 0.0;
        r[i] = f[i];
        p[i] = 0.0;
    }
    for ( int step = 0; step < 20000; ++step )
    {
        double now = 0.0, bent = 0.0;
        for ( size_t i = 0; i < count; ++i )
        {
            scaled[i] = r[i] / diagonal[i];
            now += r[i] * scaled[i];
        }
        first = step == 0 ? now : first;
        if ( now <= 1e-22 * first )
        {
            break;
        }
        for ( size_t i = 0; i < count; ++i )
        {
            p[i] = scaled[i] + ( step > 0 ? now / old : 0.0 ) * p[i];
        }
        supBlockMatrix_Multiply( &elastic->stiffness, p, image );
        if ( more != NULL )
        {
            more( p, image, user );
        }
        for ( size_t i = 0; i < count; ++i )
        {
            bent += p[i] * image[i];
        }
        for ( size_t i = 0; i < count; ++i )
        {
            u[i] += now / bent * p[i];
            r[i] -= now / bent * image[i];
        }
        old = now;
    }
    free( r );
    free( diagonal );
}
