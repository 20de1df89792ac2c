// Uses the installed core as a game would, and prints what every system must print alike.
// SPDX-License-Identifier: MIT
#include "supple/creatures.h"
#include "supple/supple.h"

#include <math.h>
#include <stdio.h>

int main( void )
{
    supError error = { 0 };
    supCreature* cat = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    supResult result = supCreateCreature( "cat", NULL, &cat, &error );
    const supCharacter* character = result == sup_success ? supCreature_Character( cat ) : NULL;
    result = result == sup_success ? supProposeRig( character, sup_presetNatural, &rig, &error ) : result;
    result = result == sup_success ? supCompileModel( character, rig, &model, &error ) : result;
    result = result == sup_success ? supCreateBody( model, &body, &error ) : result;
    result = result == sup_success ? supCreatePose( character, NULL, &pose, &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
        return 1;
    }
    static float living[3 * 100000], smooth[3 * 100000];
    double sum = 0.0;
    supBody_SetExact( body, true ); // the same bits on every processor
    for ( int frame = 0; frame < 60; ++frame )
    {
        supPose_Sample( pose, 0, frame / 60.0 );
        supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( body, living, NULL );
        supBody_SmoothSkin( body, smooth, NULL );
        for ( int i = 0; i < 3 * supCharacter_Info( character )->vertexCount; ++i )
        {
            sum += fabs( (double)living[i] - (double)smooth[i] );
        }
    }
    printf( "%d elements, %.17g\n", supModel_Info( model )->elementCount, sum );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( cat );
    return sum > 0.0 ? 0 : 1;
}
