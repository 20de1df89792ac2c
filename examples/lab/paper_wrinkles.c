// Wrinkles as a third layer: figure 13, and a sleeve.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005, section 6.6: smooth skinning, flesh on top of it, and on top of
// both the folds of Larboulette, Cani, "Real-time dynamic wrinkles", 2004. Their cat, here with as many vertices as
// folds need, in its jump: folds on the nape as it lands with its head up, by a line of two points; and on the
// shoulders, where the layer finds the lines by itself. Then a garment: a sleeve whose arm is bent.
//
//     example_paper_wrinkles [FOLDER]     prints the figures, fails if one is missed; draws into FOLDER, with finer meshes
#include "paper/film_strip.h"
#include "paper/garment.h"
#include "paper/performer.h"
#include "paper/program.h"
#include "supple/auto.h"
#include "supple/creatures.h"
#include "supple/lab/measures.h"

#include <math.h>
#include <stdio.h>

/// Shows a moment with the folds or without.
static void supShowFolded( supPerformer* performer, double time, bool folded )
{
    int32_t layer = supFindLayer( "wrinkles" );
    for ( int32_t i = 0; i < supModel_ItemCount( performer->model, layer ); ++i )
    {
        supBody_SetField( performer->body, layer, i, "height", folded ? 1.0f : 0.0f, NULL );
    }
    supPerformer_Show( performer, time, NULL );
}

/// What the folds do over the clip that plays: asked for is the line's length within 1%, and nothing where it
/// stretches.
static int supCheckLengths( const char* what, const supPerformer* performer )
{
    supWrinkleReport reports[8];
    supError error;
    const supTake* takes[1] = { performer->take };
    if ( supMeasureWrinkles( performer->model, takes, 1, reports, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    int missed = 0;
    for ( int32_t i = 0; i < supModel_ItemCount( performer->model, supFindLayer( "wrinkles" ) ); ++i )
    {
        const supWrinkleReport* r = reports + i;
        printf(
            "%s, %-8s %d folds on %3.0f mm: shortened by up to %2.0f%%, kept within %.1e; where it stretches moved by "
            "%.0e\n",
            what, r->name, r->folds, 1e3 * (double)r->length, 100.0 * (double)r->without, (double)r->with,
            (double)r->stretched );
        missed += !( r->without > 0.05f && r->with < 0.01f && r->stretched < 0.01f );
    }
    return missed;
}

// ---------------------------------------------------------------------------------------------------------------
// The cat

static supResult supMakeCat( const supCharacter* character, supPerformer* cat, supError* error )
{
    float size = supCharacter_Info( character )->size;
    const supVec3 nape[2] = { { 0.0f, 0.35f / size, 0.09f / size }, { 0.0f, 0.42f / size, 0.21f / size } };
    static const char* const found[] = { "upperArm.L", "upperArm.R" };
    supRig* rig = NULL;
    supResult result = supProposeRig( character, sup_presetNatural, &rig, error );
    for ( int i = 0; i < 3 && result == sup_success; ++i )
    {
        supWrinkleDef def = supDefaultWrinkleDef();
        def.name = i == 0 ? "nape" : found[i - 1];
        def.joint = i == 0 ? NULL : found[i - 1];
        def.points = ( supPointList ){ i == 0 ? 2 : 0, nape };
        def.folds = 4.0f;
        def.width = i == 0 ? 0.08f : 0.06f;
        def.length = 0.12f;
        result = supRig_AddItem( rig, supFindLayer( "wrinkles" ), &def, error );
    }
    result = result == sup_success ? supMakeRiggedPerformer( character, rig, cat, error ) : result;
    supDestroyRig( rig );
    return result;
}

#ifdef SUP_HAS_SUPPLE_PICTURE
/// A row: skin alone, with flesh, with flesh and folds.
static supResult supDrawThreeLayers( supFilmStrip* strip, supPerformer* cat, int row, double time, supError* error )
{
    static const char* const words[] = { "smooth skin", "flesh", "flesh and wrinkles" };
    supResult result = sup_success;
    for ( int column = 0; column < 3 && result == sup_success; ++column )
    {
        supShowFolded( cat, time, column == 2 );
        result = supFilmStrip_Draw( strip, column, row, column == 0 ? cat->smooth : cat->living, cat->offset, NULL,
            row == 0 ? words[column] : NULL, error );
    }
    return result;
}

static int supDrawCat( const supCreature* creature, supPerformer* cat, const char* folder )
{
    const double time = 1.23;
    supError error;
    supFilmStrip strip;
    supResult result =
        supBeginFilmStrip( &strip, cat->character, supCreature_Look( creature ), 3, 3, 440, 330, 60.0f, 8.0f, &error );
    if ( result == sup_success )
    {
        supShowFolded( cat, time, true );
        supFilmStrip_Frame( &strip, cat->living, cat->offset );
        result = supDrawThreeLayers( &strip, cat, 0, time, &error );
    }
    static const struct
    {
        const char* joint;
        float yaw, pitch, radius; // radians, metres
    } closeUps[] = { { "neck", 1.9f, 0.5f, 0.10f }, { "upperArm.L", 1.2f, 0.1f, 0.10f } };
    for ( int i = 0; i < 2 && result == sup_success; ++i )
    {
        supShowFolded( cat, time, true );
        strip.view.yaw = closeUps[i].yaw;
        strip.view.pitch = closeUps[i].pitch;
        supVec3 place = supPose_Joints( cat->pose )[supCharacter_FindJoint( cat->character, closeUps[i].joint )].t;
        supFilmStrip_FrameNear( &strip, cat->living, cat->offset, place, closeUps[i].radius );
        result = supDrawThreeLayers( &strip, cat, i + 1, time, &error );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "cat_three_layers", &error ) : result;
    supEndFilmStrip( &strip );
    return result == sup_success ? 0 : supFailed( &error );
}
#endif

static int supTryCat( const char* folder )
{
    supError error;
    supCreature* creature;
    supPerformer cat;
    if ( supCreateCreature( folder != NULL ? "cat:20000" : "cat:6000", NULL, &creature, &error ) != sup_success ||
         supMakeCat( supCreature_Character( creature ), &cat, &error ) != sup_success ||
         supPerformer_Play( &cat, "jump", &error ) != sup_success )
    {
        return supFailed( &error );
    }
    int missed = supCheckLengths( "cat, jump", &cat );
#ifdef SUP_HAS_SUPPLE_PICTURE
    missed += folder != NULL ? supDrawCat( creature, &cat, folder ) : 0;
#else
    (void)folder;
#endif
    supDropPerformer( &cat );
    supDestroyCreature( creature );
    return missed;
}

// ---------------------------------------------------------------------------------------------------------------
// The sleeve

static bool supIsUnderSleeve( supVec3 place )
{
    return place.y > 0.06f && place.y < 0.48f;
}

static supResult supMakeSleeve( const supCharacter* character, supPerformer* arm, supError* error )
{
    static const char* const sleeve[] = { "sleeve" };
    float size = supCharacter_Info( character )->size;
    const supVec3 inside[2] = { { 0.0f, 0.24f / size, 0.06f / size }, { 0.0f, 0.42f / size, 0.06f / size } };
    supWrinkleDef def = supDefaultWrinkleDef();
    def.name = "elbow";
    def.points = ( supPointList ){ 2, inside };
    def.meshes = ( supNameList ){ 1, sleeve };
    def.folds = 5.0f;
    def.width = 0.12f;
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "wrinkles" ), &def, error ) : result;
    result = result == sup_success ? supMakeRiggedPerformer( character, rig, arm, error ) : result;
    supDestroyRig( rig );
    return result;
}

#ifdef SUP_HAS_SUPPLE_PICTURE
static int supDrawSleeve( supPerformer* arm, const char* folder )
{
    static const supMaterial materials[2] = {
        { .name = "skin", .baseColor = { 0.72f, 0.42f, 0.32f, 1.0f }, .image = -1, .roughness = 0.7f },
        { .name = "cloth",
            .baseColor = { 0.10f, 0.20f, 0.42f, 1.0f },
            .image = -1,
            .doubleSided = true,
            .roughness = 0.9f },
    };
    static const supMeshLook meshes[2] = { { .material = 0 }, { .material = 1 } };
    const supLook look = { .materialCount = 2, .meshCount = 2, .materials = materials, .meshes = meshes };
    supError error;
    supFilmStrip strip;
    supResult result = supBeginFilmStrip( &strip, arm->character, &look, 3, 2, 440, 360, 50.0f, 25.0f, &error );
    if ( result == sup_success )
    {
        supVec3 elbow =
            supCharacter_Info( arm->character )->restJoints[supCharacter_FindJoint( arm->character, "fore" )].t;
        supShowFolded( arm, 0.3, true );
        supFilmStrip_FrameNear( &strip, arm->living, arm->offset, elbow, 0.15f );
    }
    for ( int i = 0; i < 6 && result == sup_success; ++i )
    {
        double time = 0.15 * ( 1 + i % 3 );
        char words[48];
        snprintf( words, sizeof( words ), "%s, %.2f s", i < 3 ? "smooth" : "with folds", time );
        supShowFolded( arm, time, i >= 3 );
        result = supFilmStrip_Draw( &strip, i % 3, i / 3, arm->living, arm->offset, NULL, words, &error );
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "sleeve_folds", &error ) : result;
    supEndFilmStrip( &strip );
    return result == sup_success ? 0 : supFailed( &error );
}
#endif

static int supTrySleeve( const char* folder )
{
    supError error;
    supCreature* creature;
    supCharacter* dressed = NULL;
    supPerformer arm;
    if ( supCreateCreature( folder != NULL ? "arm:12000" : "arm:4000", NULL, &creature, &error ) != sup_success ||
         supDressCharacter( supCreature_Character( creature ), "sleeve", supIsUnderSleeve, 0.004f, &dressed, &error ) !=
             sup_success ||
         supMakeSleeve( dressed, &arm, &error ) != sup_success ||
         supPerformer_Play( &arm, "bend", &error ) != sup_success )
    {
        return supFailed( &error );
    }
    int missed = supCheckLengths( "sleeve, bend", &arm );
#ifdef SUP_HAS_SUPPLE_PICTURE
    missed += folder != NULL ? supDrawSleeve( &arm, folder ) : 0;
#else
    (void)folder;
#endif
    supDropPerformer( &arm );
    supDestroyCharacter( dressed );
    supDestroyCreature( creature );
    return missed;
}

int main( int argc, char** args )
{
    const char* folder = argc > 1 ? args[1] : NULL;
    int missed = supTryCat( folder ) + supTrySleeve( folder );
    printf( missed != 0 ? "MISSED\n" : "all figures held\n" );
    return missed != 0;
}
