// One spring for a cat: figures 1, 10 and 11.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005, section 6.3: a cat of 1,296 vertices, one element in the belly
// region with about 500 of them, run and jump with the same numbers. Section 6.5: one spring where others would use
// about 6,000. Both are put side by side here: the cat's trunk and limbs filled with about that many springs, stepped
// at their largest stable step, against the one.
//
//     example_paper_cat [FOLDER]     prints the figures, fails if one is missed; draws into FOLDER
#include "paper/film_strip.h"
#include "paper/performer.h"
#include "paper/program.h"
#include "physics/reference_body.h"
#include "supple/creatures.h"

#include <math.h>
#include <stdio.h>

/// The trunk from the hips to the chest, all that hangs below the spine.
static supElementDef supBelly( void )
{
    static const char* const ends[] = { "neck" };
    static const char* const joints[] = { "hips", "spine", "loin", "chest" };
    supElementDef def = supDefaultElementDef();
    def.name = "belly";
    def.driver = "hips";
    def.ends = ( supNameList ){ 1, ends };
    def.joints = ( supNameList ){ 4, joints };
    def.attenuation = sup_attenuationWyvill;
    def.frequency = 3.0f;
    def.dampingRatio = 0.2f;
    def.amount = 0.3f;
    def.sag = 0.05f;
    return def;
}

/// Farthest vertex in a clip, and when. Metres, seconds.
static int supLookAt( supPerformer* cat, const char* clip, double* farthest )
{
    supError error;
    if ( supPerformer_Play( cat, clip, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    double best = 0.0, at = 0.0;
    for ( double time = cat->start; time <= cat->end; time += 1.0 / 60.0 )
    {
        supPerformer_Show( cat, time, &error );
        double far = supPerformer_Farthest( cat );
        at = far > best ? time : at;
        best = fmax( best, far );
    }
    supTakeInfo info = supTake_Info( cat->take );
    printf( "%-4s %.2f s: farthest vertex %.1f mm from the smooth skin, at %.2f s", clip, cat->end - cat->start,
        1e3 * best, at );
    printf( info.loops ? "; a loop, which closes within %.4f mm\n" : "\n", 1e3 * (double)info.seam );
    *farthest = best;
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// One spring, or thousands

/// The whole cat as masses and springs, rigid around its spine.
static supReferenceDef supCatReference( const supCharacter* character )
{
    supMeshView mesh = supCharacter_Mesh( character, 0 );
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supVec3 hips = rest[supCharacter_FindJoint( character, "hips" )].t;
    supVec3 neck = rest[supCharacter_FindJoint( character, "neck" )].t;
    return ( supReferenceDef ){ .positions = supCharacter_Info( character )->restPositions,
        .vertexCount = mesh.vertexCount,
        .indices = mesh.indices,
        .indexCount = mesh.indexCount,
        .boneFrom = { hips.x, hips.y, hips.z },
        .boneTo = { neck.x, neck.y, neck.z },
        .boneRadius = 0.02,
        .cell = 0.0345,
        .density = 1000.0,
        .young = 20e3,
        .damping = 0.002 };
}

/// Time a frame at 60 Hz of both, step and skin. Printed, never judged.
static int supCompareTimes( supPerformer* cat )
{
    supReferenceDef def = supCatReference( cat->character );
    supReference reference;
    if ( !supMakeReference( &def, &reference ) )
    {
        fprintf( stderr, "no memory for the reference body\n" );
        return 1;
    }
    const supBoneMotion still = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };
    const double none[3] = { 0.0, 0.0, 0.0 };
    double stable = supReference_StableStep( &reference ), best[3] = { 1e30, 1e30, 1e30 }, sink = 0.0;
    int substeps = (int)ceil( 1.0 / 60.0 / stable );
    supReference_Reset( &reference, &still );
    for ( int round = 0; round < 20; ++round )
    {
        double start = supWallSeconds(), p[3];
        for ( int i = 0; i < substeps; ++i )
        {
            supReference_Step( &reference, &still, none, 1.0 / 60.0 / substeps );
        }
        for ( int32_t v = 0; v < reference.vertexCount; ++v )
        {
            supReference_Vertex( &reference, v, p );
            sink += p[0];
        }
        double stepped = supWallSeconds();
        supPose_Sample( cat->pose, cat->clip, round / 60.0 );
        for ( int i = 0; i < 100; ++i )
        {
            supBody_Step( cat->body, supPose_Joints( cat->pose ), supMat34_identity, 1.0f / 60.0f );
        }
        double ours = supWallSeconds();
        for ( int i = 0; i < 10; ++i )
        {
            supBody_Skin( cat->body, cat->living, NULL );
        }
        double skinned = supWallSeconds();
        best[0] = fmin( best[0], stepped - start );
        best[1] = fmin( best[1], ( ours - stepped ) / 100.0 );
        best[2] = fmin( best[2], ( skinned - ours ) / 10.0 );
    }
    printf(
        "springs: 1 of ours; %d in a cat filled with masses and springs; %d on a skin of them (every edge, and one to "
        "the bone from every vertex)%s\n",
        reference.edgeCount, reference.vertexCount + supCharacter_Mesh( cat->character, 0 ).indexCount / 2,
        sink == 1e300 ? "!" : "" );
    printf( "time a frame at 60 Hz: %.1f us (%d steps of its largest stable one) against %.2f us, and %.1f us with all "
            "skinning\n",
        1e6 * best[0], substeps, 1e6 * best[1], 1e6 * ( best[1] + best[2] ) );
    int missed = reference.edgeCount < 5000 || reference.edgeCount > 7000;
    supDropReference( &reference );
    return missed;
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

#ifdef SUP_HAS_SUPPLE_PICTURE
/// A clip as a row of moments with the displacement as dashes: figures 1 and 11.
static supResult supDrawClip( supFilmStrip* strip, supPerformer* cat, const char* clip, int row, bool frame,
    double from, double to, supError* error )
{
    supResult result = supPerformer_Play( cat, clip, error );
    for ( int i = 0; i < strip->columns && result == sup_success; ++i )
    {
        double time = from + ( to - from ) * i / ( strip->columns - 1 );
        supStripOverlay overlay = { .body = cat->body, .names = { "displacement" } };
        char words[32];
        snprintf( words, sizeof( words ), "%s, %.2f s", clip, time );
        supPerformer_Show( cat, time, error );
        if ( frame )
        {
            supFilmStrip_Frame( strip, cat->living, cat->offset );
            continue;
        }
        result = supFilmStrip_Draw( strip, i, row, cat->living, cat->offset, &overlay, words, error );
    }
    return result;
}

/// Weights, and the spring with its two frames: figure 10.
static supResult supDrawElement( supFilmStrip* strip, supPerformer* cat, supError* error )
{
    supResult result = supPerformer_Play( cat, "jump", error );
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int i = 0; i < 2 && result == sup_success; ++i )
        {
            supStripOverlay overlay = {
                .body = cat->body, .names = { i == 0 ? "weights" : "springs" }, .wordless = true
            };
            supPerformer_Show( cat, i == 0 ? 0.0 : 0.92, error );
            if ( pass == 0 )
            {
                supFilmStrip_Frame( strip, cat->living, cat->offset );
                continue;
            }
            result = supFilmStrip_Draw( strip, i, 0, cat->living, cat->offset, &overlay,
                i == 0 ? "weights" : "the spring and its two frames, jump, 0.92 s", error );
        }
    }
    return result;
}

static int supDrawCat( const supCreature* creature, supPerformer* cat, const char* folder )
{
    supError error;
    supFilmStrip strip;
    const supLook* look = supCreature_Look( creature );
    supResult result = supBeginFilmStrip( &strip, cat->character, look, 5, 2, 250, 210, 75.0f, 5.0f, &error );
    for ( int pass = 0; pass < 2 && result == sup_success; ++pass )
    {
        result = supDrawClip( &strip, cat, "run", 0, pass == 0, 0.0, 0.4, &error );
        result = result == sup_success ? supDrawClip( &strip, cat, "jump", 1, pass == 0, 0.4, 1.6, &error ) : result;
    }
    result = result == sup_success ? supFilmStrip_Write( &strip, folder, "cat", &error ) : result;
    supEndFilmStrip( &strip );
    if ( result == sup_success )
    {
        result = supBeginFilmStrip( &strip, cat->character, look, 2, 1, 480, 330, 75.0f, 5.0f, &error );
        result = result == sup_success ? supDrawElement( &strip, cat, &error ) : result;
        result = result == sup_success ? supFilmStrip_Write( &strip, folder, "cat-element", &error ) : result;
        supEndFilmStrip( &strip );
    }
    return result == sup_success ? 0 : supFailed( &error );
}
#endif

int main( int argc, char** args )
{
    supError error;
    supCreature* creature;
    supPerformer cat;
    supElementDef belly = supBelly();
    if ( supCreateCreature( "cat", NULL, &creature, &error ) != sup_success ||
         supMakePerformer( supCreature_Character( creature ), &belly, 1, &cat, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    supElementView element = supModel_Info( cat.model )->elements[0];
    printf( "%d vertices, %d of them in the belly's element, %.2f kg, %.0f mm thick\n", cat.vertexCount,
        element.vertexCount, (double)element.mass, 1e3 * (double)element.thickness );
    int failed = cat.vertexCount != 1296 || element.vertexCount < 400 || element.vertexCount > 600;
    double run = 0.0, jump = 0.0;
    failed += supLookAt( &cat, "run", &run );
    failed += supLookAt( &cat, "jump", &jump );
    // to be seen in both, and never through the bone
    failed += run < 0.005 || jump < 0.005 || fmax( run, jump ) > (double)element.thickness;
    failed += supCompareTimes( &cat );
#ifdef SUP_HAS_SUPPLE_PICTURE
    failed += argc > 1 ? supDrawCat( creature, &cat, args[1] ) : 0;
#else
    (void)argc;
    (void)args;
#endif
    supDropPerformer( &cat );
    supDestroyCreature( creature );
    printf( failed ? "MISSED\n" : "all figures held\n" );
    return failed ? 1 : 0;
}
