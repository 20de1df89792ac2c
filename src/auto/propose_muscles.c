// Muscles for any human: the table's points on this skeleton, under this skin.
// SPDX-License-Identifier: MIT

#include "auto/humanoid.h"
#include "auto/muscle_table.h"
#include "base/float_settings.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/triangle_tree.h"
#include "supple/auto.h"

#include <stdio.h>
#include <string.h>

enum
{
    supMuscleLetters = 48,
    supJointLetters = 96,
    supNearFeet = 8,
    supFitPlaces = 8,
};

/// A machine's, or armour: where more of the surface than this is rigid there is no skin for muscles to move.
static const float supMostHardSkin = 0.5f;

/// From the trunk's middle to the skin of a body without fat, before and beside, as shares of the way from hips to
/// neck; and how much of what stands out farther the trunk's own walls do: the rest is fat, which lies on them.
static const float supLeanFront = 0.22f, supLeanSide = 0.3f, supWallShare = 0.5f;

/// A bone of the table on this body.
typedef struct supPlacedBone
{
    supVec3 from, to;
    supVec3 front, outer; ///< of unit length, across the bone
    int32_t joint;        ///< that carries it
    float typical;        ///< way from bone to skin at its middle. Metres
    float lean;           ///< the trunk's: hips to neck, which says how far a body without fat stands out; 0 of others
} supPlacedBone;

/// Triangles of the skin at rest, for measuring.
typedef struct supMuscleFitting
{
    const supPlan* plan;
    const supHumanoid* human;
    const supVec3* rest;
    int32_t* corners;
    int32_t triangleCount;
    supTriangleTree* tree; ///< of the same
    int side;
    supPlacedBone bones[sup_muscleBones];
} supMuscleFitting;

// ---------------------------------------------------------------------------------------------------------------
// The skin around

/// The way from a point inside to the skin; `otherwise` where there is none within twice that.
static float supWayToSkin( const supMuscleFitting* work, supVec3 from, supVec3 direction, float otherwise )
{
    float nearest = otherwise > 0.0f ? 2.0f * otherwise : work->plan->size;
    float way = supTriangleTree_Meet( work->tree, from, direction, 1e-4f * work->plan->size, nearest );
    return way >= 0.0f ? way : otherwise;
}

static bool supListSkinTriangles( supMuscleFitting* work, const supAllocator* allocator, size_t* size )
{
    const supCharacter* character = work->plan->character;
    size_t indices = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        indices += (size_t)supCharacter_Mesh( character, m ).indexCount;
    }
    *size = ( indices + 3 ) * sizeof( int32_t );
    work->corners = supAlloc( allocator, *size, _Alignof( int32_t ) );
    for ( int32_t m = 0; work->corners != NULL && m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount && mesh.skin >= 0 && !work->plan->isWorn[m]; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                work->corners[3 * (size_t)work->triangleCount + (size_t)k] =
                    mesh.firstVertex + (int32_t)mesh.indices[i + k];
            }
            work->triangleCount += 1;
        }
    }
    return work->corners != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Bones

static supVec3 supAcrossAxis( supVec3 v, supVec3 axis )
{
    return supNormalize( supMulAdd( v, -supDot( v, axis ), axis ) );
}

static supVec3 supDirectionAround( const supPlacedBone* bone, float degrees )
{
    float sine, cosine;
    supSinCosF( degrees * (float)( SUP_PI / 180.0 ), &sine, &cosine );
    return supMulAdd( supScale( bone->front, cosine ), sine, bone->outer );
}

/// Front and outer side: the body's, turned across the bone. An arm's outer side is its upper one where it is held out.
static supPlacedBone supPlaceBone( const supMuscleFitting* work, supVec3 from, supVec3 to, int32_t joint, float lift )
{
    const supHumanoid* human = work->human;
    supVec3 axis = supNormalize( supSub( to, from ) );
    supPlacedBone bone = { .from = from, .to = to, .joint = joint };
    bone.front = supAcrossAxis( human->forward, axis );
    supVec3 outer = supMulAdd( human->outward[work->side], lift, human->up );
    bone.outer = supAcrossAxis( supMulAdd( outer, -supDot( outer, bone.front ), bone.front ), axis );
    supVec3 middle = supLerp( from, to, 0.5f );
    float sum = 0.0f, most = 0.0f;
    for ( int k = 0; k < 8; ++k )
    {
        float way = supWayToSkin( work, middle, supDirectionAround( &bone, 45.0f * (float)k ), 0.0f );
        sum += way;
        most = supMaxF( most, way );
    }
    bone.typical = ( sum - most ) / 7.0f; // a way into the next part of the body does not count
    return bone;
}

static supVec3 supAtJoint( const supMuscleFitting* work, int32_t joint )
{
    return supPlan_Joint( work->plan, joint );
}

static void supPlaceBones( supMuscleFitting* work )
{
    const supHumanoid* human = work->human;
    const int32_t* own = human->sides[work->side];
    supVec3 hips = supLerp(
        supAtJoint( work, human->sides[0][sup_boneThigh] ), supAtJoint( work, human->sides[1][sup_boneThigh] ), 0.5f );
    supVec3 neck = supAtJoint( work, human->neck ), head = supAtJoint( work, human->head );
    int32_t base = human->spine[0], chest = human->spine[human->spineCount - 1];
    float tall = supDot( supSub( neck, hips ), human->up );
    supVec3 above = human->head != human->neck ? head : supMulAdd( neck, 0.15f * tall, human->up );
    supVec3 shoulder = supAtJoint( work, own[sup_boneUpperArm] ), collar = supAtJoint( work, own[sup_boneClavicle] );
    collar = own[sup_boneClavicle] == chest ? supLerp( neck, shoulder, 0.15f ) : collar;
    supPlacedBone* bones = work->bones;
    bones[sup_onTrunk] = supPlaceBone( work, hips, supMulAdd( hips, tall, human->up ), base, 0.0f );
    bones[sup_onTrunk].lean = tall;
    bones[sup_onNeck] = supPlaceBone( work, neck, above, human->neck, 0.0f );
    bones[sup_onClavicle] = supPlaceBone( work, collar, shoulder, own[sup_boneClavicle], 1.0f );
    bones[sup_onUpperArm] =
        supPlaceBone( work, shoulder, supAtJoint( work, own[sup_boneForearm] ), own[sup_boneUpperArm], 1.0f );
    bones[sup_onForearm] = supPlaceBone( work, supAtJoint( work, own[sup_boneForearm] ),
        supAtJoint( work, own[sup_boneHand] ), own[sup_boneForearm], 1.0f );
    bones[sup_onThigh] = supPlaceBone(
        work, supAtJoint( work, own[sup_boneThigh] ), supAtJoint( work, own[sup_boneShin] ), own[sup_boneThigh], 0.0f );
    bones[sup_onShin] = supPlaceBone(
        work, supAtJoint( work, own[sup_boneShin] ), supAtJoint( work, own[sup_boneFoot] ), own[sup_boneShin], 0.0f );
    bones[sup_onPelvis] = ( supPlacedBone ){ .joint = base };
    bones[sup_onFoot] = ( supPlacedBone ){ .joint = own[sup_boneFoot] };
    bones[sup_onHead] = ( supPlacedBone ){ .joint = human->head };
}

// ---------------------------------------------------------------------------------------------------------------
// Points

/// The middle of the section there: bones seldom run through it, and the spine runs near the back.
static supVec3 supMiddleOfSection( const supMuscleFitting* work, const supPlacedBone* bone, supVec3 at )
{
    const supVec3 ways[2] = { bone->front, bone->outer };
    for ( int k = 0; k < 2; ++k )
    {
        float most = 1.2f * bone->typical;
        float one = supMinF( supWayToSkin( work, at, ways[k], bone->typical ), most );
        float other = supMinF( supWayToSkin( work, at, supNeg( ways[k] ), bone->typical ), most );
        at = supMulAdd( at, 0.5f * ( one - other ), ways[k] );
    }
    return at;
}

/// How far a point is beneath the skin; below zero outside. Metres. Several triangles meet at the closest point where
/// that is a corner: together they tell the side.
static float supBeneath( const supMuscleFitting* work, supVec3 p )
{
    supFootPoint feet[supNearFeet];
    int32_t corners[3 * supNearFeet];
    int32_t count = supTriangleTree_Nearest( work->tree, p, work->plan->size, supNearFeet, feet );
    for ( int32_t i = 0; i < count; ++i )
    {
        memcpy( corners + 3 * i, work->corners + 3 * (size_t)feet[i].triangle, 3 * sizeof( int32_t ) );
    }
    supVec3 normal;
    return -supSignedDistance( p, work->rest, corners, count, &normal );
}

/// The spine's joint that carries a height of the trunk.
static int32_t supSpineAt( const supMuscleFitting* work, supVec3 p )
{
    const supHumanoid* human = work->human;
    int32_t joint = human->spine[0];
    for ( int32_t i = 0; i < human->spineCount; ++i )
    {
        bool below = supDot( supSub( supAtJoint( work, human->spine[i] ), p ), human->up ) <= 0.0f;
        joint = below ? human->spine[i] : joint;
    }
    return joint;
}

typedef struct supPlacedPoint
{
    supVec3 at, outward; ///< model space at rest
    int32_t joint;
    float way; ///< from bone to skin. Metres
} supPlacedPoint;

/// How far the walls of the trunk stand out, where the skin does by `way`. A belly's muscles lie beneath its fat, not a
/// share of the way to the skin below it. Before and beside alone: behind there are bones next to the skin.
static float supWallOfTrunk( const supPlacedBone* bone, float around, float way )
{
    float sine, cosine;
    supSinCosF( around * (float)( SUP_PI / 180.0 ), &sine, &cosine );
    float a = cosine / supLeanFront, b = sine / supLeanSide;
    float lean = bone->lean / supSqrtF( a * a + b * b );
    float here = supClampF( 0.5f + cosine, 0.0f, 1.0f ); // all of it up to 60 degrees, none from 120 on
    return way - here * ( 1.0f - supWallShare ) * supMaxF( way - lean, 0.0f );
}

static supPlacedPoint supPlacePoint( const supMuscleFitting* work, const supTablePoint* point )
{
    const supPlacedBone* bone = work->bones + point->place;
    supVec3 at = supLerp( bone->from, bone->to, point->along );
    at = supMiddleOfSection( work, bone, at );
    supPlacedPoint placed = { .outward = supDirectionAround( bone, point->around ) };
    placed.way = supMinF( supWayToSkin( work, at, placed.outward, bone->typical ), 1.3f * bone->typical );
    placed.way = bone->lean > 0.0f ? supWallOfTrunk( bone, point->around, placed.way ) : placed.way;
    placed.at = supMulAdd( at, point->depth * placed.way, placed.outward );
    placed.joint = point->carrier == sup_onTrunk ? supSpineAt( work, placed.at ) : work->bones[point->carrier].joint;
    return placed;
}

/// "hips", or "hips#12" where several joints have that name.
static const char* supSpellJoint( const supCharacter* character, int32_t joint, char text[supJointLetters] )
{
    const char* name = supCharacter_Joint( character, joint )->name;
    int32_t alike = 0;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        alike += strcmp( supCharacter_Joint( character, j )->name, name ) == 0;
    }
    if ( alike > 1 )
    {
        snprintf( text, supJointLetters, "%.70s#%d", name, joint );
        return text;
    }
    return name;
}

static supVec3 supIntoJoint( const supMuscleFitting* work, int32_t joint, supVec3 direction )
{
    supQuat turn = supNearestRotation( supCharacter_Info( work->plan->character )->restJoints[joint] );
    return supRotate( supConjugate( turn ), direction );
}

// ---------------------------------------------------------------------------------------------------------------
// Muscles

/// A place along the line at rest: 0 to 1, by equal shares of the stretches between its points.
static supVec3 supAlongLine( const supPlacedPoint* placed, int32_t count, float t )
{
    float at = t * (float)( count - 1 );
    int32_t i = (int32_t)at < count - 2 ? (int32_t)at : count - 2;
    return supLerp( placed[i].at, placed[i + 1].at, at - (float)i );
}

/// A muscle's form on this body. Metres.
typedef struct supMuscleForm
{
    float radius, width, spreadFrom, spreadTo;
} supMuscleForm;

/// Makes it thinner where its belly would come through the skin, and narrower where its edges would.
static supMuscleForm supFitUnder( const supMuscleFitting* work, const supTableMuscle* table,
    const supPlacedPoint* placed, supVec3 wide, supMuscleForm form )
{
    bool flat = table->shape != sup_muscleFusiform;
    float thin = 1.0f, narrow = 1.0f;
    for ( int k = 1; k < supFitPlaces; ++k )
    {
        float t = (float)k / supFitPlaces, share = 4.0f * t * ( 1.0f - t );
        float need = share * ( flat ? form.radius : supMaxF( form.radius, form.width ) );
        supVec3 p = supAlongLine( placed, table->pointCount, t );
        thin = supMinF( thin, supClampF( 0.9f * supBeneath( work, p ) / need, 0.1f, 1.0f ) );
        for ( int side = -1; side <= 1 && flat; side += 2 )
        {
            float edge = supMaxF( share * form.width, form.spreadFrom * ( 1.0f - t ) );
            while ( narrow > 0.15f &&
                    supBeneath( work, supMulAdd( p, (float)side * narrow * edge, wide ) ) < 0.5f * thin * need )
            {
                narrow -= 0.1f;
            }
        }
    }
    form.radius *= thin;
    form.width *= flat ? narrow : thin;
    form.spreadFrom *= narrow;
    form.spreadTo *= narrow;
    return form;
}

/// Beneath fat a limb's muscle has to do more to be seen: it tenses as it works, and as long as it is held short.
/// Sheets of the trunk follow every breath of a pose, and would swell with it. No bones stand in the way of a line: it
/// is held beside them the more.
static void supGiveWork( bool limb, supMuscleDef* def )
{
    def->hold = 40.0f;
    def->activation = limb ? 1.0f : 0.5f;
    def->holding = limb ? 3.5f : 0.0f;
}

static void supGiveForm(
    const supMuscleFitting* work, const supTableMuscle* table, const supPlacedPoint* placed, supMuscleDef* def )
{
    // across the line and the way outwards
    int32_t middle = ( table->pointCount - 1 ) / 2;
    float way = placed[middle].way, inverse = 1.0f / supCharacter_Info( work->plan->character )->size;
    supVec3 along = supSub( placed[middle + 1].at, placed[middle - 1].at );
    supVec3 wide = supNormalize( supCross( placed[middle].outward, along ) );
    supMuscleForm form = { table->radius * way, table->width * way, table->spreadFrom * way, table->spreadTo * way };
    form = supFitUnder( work, table, placed, wide, form );
    def->shape = table->shape;
    def->radius = form.radius * inverse;
    def->width = form.width * inverse;
    def->tendonRadius = supMinF( 0.25f * def->radius, 0.003f );
    def->tendonFrom = table->tendonFrom;
    def->tendonTo = table->tendonTo;
    def->belly = table->belly;
    def->bellies = 3.0f;
    def->spreadFrom = form.spreadFrom * inverse;
    def->spreadTo = form.spreadTo * inverse;
    def->sharpness = table->sharpness;
    supGiveWork( table->shape == sup_muscleFusiform, def );
    def->wide = supIntoJoint( work, placed[0].joint, wide );
}

/// Points that are not beneath the skin come in towards their bone.
static supPlacedPoint supPlaceBeneath( const supMuscleFitting* work, const supTablePoint* point, float radius )
{
    supTablePoint moved = *point;
    supPlacedPoint placed = supPlacePoint( work, &moved );
    for ( int k = 0; k < 6 && supBeneath( work, placed.at ) < 0.4f * radius * placed.way; ++k )
    {
        moved.depth *= 0.85f;
        placed = supPlacePoint( work, &moved );
    }
    return placed;
}

static supResult supAddMuscle(
    const supMuscleFitting* work, const supTableMuscle* table, int32_t layer, supRig* rig, supError* error )
{
    supPlacedPoint placed[supMostTablePoints];
    supMusclePoint points[supMostTablePoints];
    char spelled[supMostTablePoints][supJointLetters], name[supMuscleLetters];
    const supCharacter* character = work->plan->character;
    for ( int32_t i = 0; i < table->pointCount; ++i )
    {
        placed[i] = supPlaceBeneath( work, table->points + i, table->radius );
        points[i] = supDefaultMusclePoint();
        supVec3 origin = supPlan_Joint( work->plan, placed[i].joint );
        supVec3 in = supIntoJoint( work, placed[i].joint, supSub( placed[i].at, origin ) );
        points[i].joint = supSpellJoint( character, placed[i].joint, spelled[i] );
        points[i].at = supScale( in, 1.0f / supCharacter_Info( work->plan->character )->size );
        points[i].free = i > 0 && i + 1 < table->pointCount;
    }
    snprintf( name, sizeof( name ), "%s_%s", table->name, work->side == 0 ? "left" : "right" );
    supMuscleDef def = supDefaultMuscleDef();
    def.name = name;
    def.points = ( supItemList ){ table->pointCount, points };
    supGiveForm( work, table, placed, &def );
    return supRig_AddItem( rig, layer, &def, error );
}

static supResult supAddAllMuscles( supMuscleFitting* work, supRig* rig, supMuscleProposal* proposal, supError* error )
{
    int32_t count, layer = supFindLayer( "muscles" ), ecorche = supFindLayer( "ecorche" );
    if ( supRig_ItemCount( rig, layer ) > 0 )
    {
        return supFail(
            error, sup_errorData, "the rig already has %d muscles; remove them first", supRig_ItemCount( rig, layer ) );
    }
    const supTableMuscle* table = supMuscleTable( &count );
    supResult result = sup_success;
    for ( int side = 0; side < 2 && result == sup_success; ++side )
    {
        work->side = side;
        supPlaceBones( work );
        for ( int32_t i = 0; i < count && result == sup_success; ++i )
        {
            result = supAddMuscle( work, table + i, layer, rig, error );
            proposal->count += result == sup_success;
        }
    }
    if ( result == sup_success && supRig_ItemCount( rig, ecorche ) == 0 )
    {
        supEcorcheDef def = supDefaultEcorcheDef();
        result = supRig_AddItem( rig, ecorche, &def, error );
    }
    return result;
}

supResult supProposeMuscles(
    const supCharacter* character, const supMakeDef* def, supRig* rig, supMuscleProposal* proposal, supError* error )
{
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supPlan plan;
    supHumanoid human;
    const char* why = "";
    supMuscleProposal own = { 0 };
    if ( !supReadPlan( character, NULL, allocator, &plan ) )
    {
        return supFail( error, sup_errorMemory, "no memory to look for muscles" );
    }
    supResult result = sup_success;
    if ( !supFindHumanoid( &plan, &human, &why ) )
    {
        result = supFail( error, sup_errorData, "muscles are for humans, and this is not one: %s", why );
    }
    else if ( plan.hardShare > supMostHardSkin )
    {
        result = supFail( error, sup_errorData,
            "muscles would not be seen: %.0f%% of the surface are rigid pieces (%d), which do not give way",
            100.0 * (double)plan.hardShare, plan.hardCount );
    }
    if ( result == sup_success )
    {
        size_t size = 0;
        supMuscleFitting work = {
            .plan = &plan, .human = &human, .rest = (const supVec3*)supCharacter_Info( character )->restPositions
        };
        supFloatSettings host = supEnterFloatSettings();
        bool fits = supListSkinTriangles( &work, allocator, &size );
        work.tree = fits ? supMakeTriangleTree( work.rest, NULL, work.corners, work.triangleCount, allocator ) : NULL;
        result = work.tree != NULL ? supAddAllMuscles( &work, rig, &own, error )
                                   : supFail( error, sup_errorMemory, "no memory for the skin's triangles" );
        supLeaveFloatSettings( host );
        own.byNames = human.byNames;
        supDropTriangleTree( work.tree, allocator );
        supFree( allocator, work.corners, size );
    }
    supDropPlan( &plan, allocator );
    if ( proposal != NULL )
    {
        *proposal = own;
    }
    return result;
}
