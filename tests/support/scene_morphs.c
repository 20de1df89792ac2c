#include "supple/bake.h"
#include "supple/creatures.h"
#include "supple/lab/hashes.h"
#include "supple/lab/items.h"
#include "support/hash_scenes.h"

#include <stdlib.h>

// The mushroom's first clip, simulated and baked as morphs: targets, their normals and weights.
void supScene_Morphs( supHash* hash, supTasks tasks )
{
    supCreature* creature = NULL;
    supRig* rig = NULL;
    supModel* model = NULL;
    supTake* take = NULL;
    supMorphBake* bake = NULL;
    supResult result = supCreateCreature( "mushroom", NULL, &creature, NULL );
    supElementDef element = supDefaultElementDef();
    element.driver = "stalk";
    result = result == sup_success ? supCreateRig( NULL, &rig, NULL ) : result;
    result = result == sup_success ? supRig_AddElement( rig, &element, NULL ) : result;
    if ( result == sup_success )
    {
        result = supCompileModel( supCreature_Character( creature ), rig, &model, NULL );
    }
    supTakeDef takeDef = supDefaultTakeDef();
    takeDef.model = model;
    result = result == sup_success ? supCreateTake( &takeDef, &take, NULL ) : result;
    const supTake* takes[1] = { take };
    supMorphBakeDef def = supDefaultMorphBakeDef();
    def.model = model;
    def.takeCount = 1;
    def.takes = takes;
    def.tolerance = 2e-3f;
    def.tasks = &tasks;
    result = result == sup_success ? supBakeMorphs( &def, &bake, NULL ) : result;
    if ( result != sup_success || supMorphBake_Info( bake )->groupCount == 0 ||
         supMorphBake_Info( bake )->groups[0].targetCount == 0 )
    {
        abort(); // a scene that computes nothing would agree with itself everywhere
    }
    supHash_Word( hash, supMorphBake_ClipHash( bake, 0 ) );
    supDestroyMorphBake( bake );
    supDestroyTake( take );
    supDestroyModel( model );
    supDestroyRig( rig );
    supDestroyCreature( creature );
}
