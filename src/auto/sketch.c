// Elements of a sketch: names, bones, members.
// SPDX-License-Identifier: MIT
#include "auto/propose.h"

#include "auto/joint_words.h"
#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "character/joint_tree.h"

#include <stdio.h>
#include <string.h>

/// Of the surface that an element would move, at least this share is not hard.
static const float supLeastSoftShare = 0.25f;
/// Flesh is held beside rigid pieces as far as this share of its depth: a face does not slide under its eyes.
static const float supHeldMargin = 0.3f;

// ---------------------------------------------------------------------------------------------------------------
// Names

/// A joint's name with its number: "hips#12".
static const char* supNumber( supSketch* sketch, int32_t joint )
{
    if ( sketch->spelled[joint] == NULL )
    {
        const char* name = supCharacter_Joint( sketch->plan.character, joint )->name;
        char* text = sketch->letters + sketch->lettersUsed;
        size_t room = strlen( name ) + supNumberLetters;
        snprintf( text, room, "%s#%d", name, joint );
        sketch->lettersUsed += room;
        sketch->spelled[joint] = text;
    }
    return sketch->spelled[joint];
}

/// A joint's name as rigs spell it.
static const char* supSpell( supSketch* sketch, int32_t joint )
{
    const supCharacter* character = sketch->plan.character;
    const char* name = supCharacter_Joint( character, joint )->name;
    bool known = name[0] != 0 && supCharacter_FindJoint( character, name ) == joint;
    return known ? name : supNumber( sketch, joint );
}

void supAddName( supSketch* sketch, supSketchNames* names, int32_t joint )
{
    for ( int32_t i = 0; i < names->count; ++i )
    {
        if ( names->joints[i] == joint )
        {
            return;
        }
    }
    if ( names->count < supMostNames )
    {
        names->joints[names->count] = joint;
        names->names[names->count++] = supSpell( sketch, joint );
    }
}

/// The word for an element: "belly", "breast left".
static const char* supElementWord( supRegion region, supSide side )
{
    (void)side;
    return region == sup_regionUpperArm ? "upper arm" : supWordFor( sup_wordsRegion, region );
}

static bool supIsTaken( const supSketch* sketch, const char* name )
{
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        if ( strcmp( sketch->elements[i].def.name, name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

/// "belly", "breast left", "body 3".
static void supNameElement( const supSketch* sketch, supSketchElement* element )
{
    const char* word = supElementWord( element->region, element->side );
    const char* side = element->side == sup_sideMiddle ? "" : element->side == sup_sideLeft ? " left" : " right";
    snprintf( element->name, sizeof( element->name ), "%s%s", word, side );
    for ( int32_t n = 2; supIsTaken( sketch, element->name ) && n < 100; ++n )
    {
        snprintf( element->name, sizeof( element->name ), "%s%s %d", word, side, n );
    }
    element->def.name = element->name;
}

// ---------------------------------------------------------------------------------------------------------------
// Materials

static bool supIsHardWord( const char* name )
{
    static const char* const words[] = { "eye", "teeth", "tooth", "horn", "claw", "hoof", "nail", "fang", "tusk",
        "beak", "helmet", "armor", "armour", "sword", "weapon", "shield", "metal", "glass", "lens", "spike" };
    return supHoldsWord( name, words, SUP_COUNT( words ) );
}

bool supIsSkippedMaterial( const supSketch* sketch, const char* material )
{
    for ( int32_t i = 0; i < sketch->skippedCount; ++i )
    {
        if ( strcmp( sketch->skipped[i], material ) == 0 )
        {
            return true;
        }
    }
    return false;
}

/// Materials whose names say that they are hard: names are evidence too, where shape is silent.
static void supFindHardMaterials( supSketch* sketch )
{
    const supCharacter* character = sketch->plan.character;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        bool known = supIsSkippedMaterial( sketch, mesh.material );
        if ( mesh.skin >= 0 && !known && supIsHardWord( mesh.material ) && sketch->skippedCount < supMostSkipped )
        {
            sketch->skipped[sketch->skippedCount++] = mesh.material;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

bool supIsSwung( const supPlan* plan, int32_t joint )
{
    return supCharacter_Joint( plan->character, joint )->hasPhysics;
}

supSketchElement* supAddElement( supSketch* sketch, supRegion region, supSide side, int32_t driver )
{
    if ( sketch->count == supMostElements || supIsSwung( &sketch->plan, driver ) )
    {
        return NULL;
    }
    supSketchElement* element = sketch->elements + sketch->count;
    memset( element, 0, sizeof( *element ) );
    element->region = region;
    element->side = side;
    element->mirror = -1;
    element->driver = driver;
    element->typicalClip = element->peakClip = -1;
    element->def = supDefaultElementDef();
    supNameElement( sketch, element );
    element->def.driver = supSpell( sketch, driver );
    element->def.attenuation = sup_attenuationWyvill;
    element->def.skipRigid = sketch->plan.hardCount > 0;
    element->def.rigidMargin = element->def.skipRigid ? supHeldMargin : 0.0f;
    element->def.skipMaterials = ( supNameList ){ sketch->skippedCount, sketch->skipped };
    // twins are sketched one after the other: left, then right
    supSketchElement* before = sketch->count > 0 ? element - 1 : NULL;
    if ( side == sup_sideRight && before != NULL && before->region == region && before->side == sup_sideLeft )
    {
        element->mirror = sketch->count - 1;
        before->mirror = sketch->count;
    }
    sketch->count += 1;
    return element;
}

void supEndAt( supSketch* sketch, supSketchElement* element, supVec3 place )
{
    supMat34 rest = supCharacter_Info( sketch->plan.character )->restJoints[element->driver];
    supVec3 away = supScale( supSub( place, rest.t ), 1.0f / supCharacter_Info( sketch->plan.character )->size );
    element->def.end = supRotate( supConjugate( supNearestRotation( rest ) ), away );
}

void supEndAtJoint( supSketch* sketch, supSketchElement* element, int32_t joint )
{
    const supCharacter* character = sketch->plan.character;
    if ( joint != element->driver && supIsUnderJoint( character, joint, element->driver ) )
    {
        supAddName( sketch, &element->ends, joint );
        return;
    }
    supEndAt( sketch, element, supPlan_Joint( &sketch->plan, joint ) );
}

void supBallAround( supSketch* sketch, supSketchElement* element, supVec3 center, float radius )
{
    supMat34 rest = supCharacter_Info( sketch->plan.character )->restJoints[element->driver];
    float size = supCharacter_Info( sketch->plan.character )->size;
    supVec3 away = supScale( supSub( center, rest.t ), 1.0f / size );
    element->sphere.center = supRotate( supConjugate( supNearestRotation( rest ) ), away );
    element->sphere.radius = radius / size;
    element->def.spheres = ( supSphereList ){ 1, &element->sphere };
}

void supSetKeys( supSketchElement* element, int32_t count, const float* pairs )
{
    memcpy( element->keys, pairs, sizeof( float ) * 2 * (size_t)count );
    element->def.attenuation = sup_attenuationHermite;
    element->def.attenuationKeys = ( supKeyList ){ count, element->keys };
}

void supAddPartJoints( supSketch* sketch, supSketchElement* element, int32_t part )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->graph->partOf[j] == part && plan->area[j] > 0.0f && !supIsSwung( plan, j ) )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
}

void supAddTrunkJoints( supSketch* sketch, supSketchElement* element )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        if ( plan->inTrunk[j] && !supIsSwung( plan, j ) )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
    for ( int32_t i = 0; i < plan->limbCount; ++i )
    {
        for ( int32_t s = 0; s < plan->limbs[i].girdle; ++s )
        {
            int32_t joint = plan->limbs[i].segments[s].joint;
            if ( !supIsSwung( plan, joint ) )
            {
                supAddName( sketch, &element->joints, joint );
            }
        }
    }
}

/// The joints of a bone, and those that hang on it without being on the chain: twist and volume helpers beside it.
void supAddBone( supSketch* sketch, supSketchElement* element, const supSegment* segment )
{
    const supPlan* plan = &sketch->plan;
    for ( int32_t i = 0; i < segment->memberCount; ++i )
    {
        if ( !supIsSwung( plan, segment->members[i] ) )
        {
            supAddName( sketch, &element->joints, segment->members[i] );
        }
    }
    supVec3 from = supPlan_Joint( plan, segment->joint ), along = supSub( supPlan_Joint( plan, segment->next ), from );
    for ( int32_t j = 0; j < plan->jointCount; ++j )
    {
        // also those with too little skin to be anything else
        int32_t up = plan->parent[j] == -2 ? supCharacter_Joint( plan->character, j )->parent : plan->parent[j];
        if ( up < 0 || !supSegment_Has( segment, up ) || supSegment_Has( segment, j ) || j == segment->next ||
             plan->area[j] <= 0.0f || supIsSwung( plan, j ) )
        {
            continue;
        }
        supVec3 p = supSub( supPlan_Joint( plan, j ), from );
        float t = supDot( p, along ) / supMaxF( supLengthSquared( along ), 1e-30f );
        bool leads = plan->reach[j] > 0.3f * segment->length; // a thumb, not a twist joint
        if ( t > -0.1f && t < 0.95f && !leads && supLength( supMulAdd( p, -t, along ) ) < segment->radius )
        {
            supAddName( sketch, &element->joints, j );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is soft

typedef struct supSoftSum
{
    const supSketchElement* element;
    supVec3 from, along; ///< along: divided by its squared length
    supVec3 ball;
    float radius; ///< 0: no ball
    float all, soft;
} supSoftSum;

static void supAddSoft( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context )
{
    supSoftSum* sum = context;
    const supElementDef* def = &sum->element->def;
    bool listed = false;
    for ( int32_t i = 0; i < sum->element->joints.count; ++i )
    {
        listed = listed || sum->element->joints.joints[i] == joint;
    }
    supVec3 at = supPlan_Vertex( plan, vertex ), p = supSub( at, sum->from );
    float t = supDot( p, sum->along );
    bool inside = listed && t > 0.05f && t < 0.95f && weight > 0.1f;
    if ( inside && supLengthSquared( def->facing ) > 0.0f )
    {
        supVec3 across = supMulAdd( p, -t / supMaxF( supLengthSquared( sum->along ), 1e-30f ), sum->along );
        float cosine = supDot( across, def->facing ) / supMaxF( supLength( across ), 1e-6f * plan->size );
        inside = cosine > supCosF( 0.7f * def->spread );
    }
    inside = inside && ( sum->radius <= 0.0f || supDistance( at, sum->ball ) < 0.8f * sum->radius );
    if ( inside )
    {
        float area = weight * plan->vertexArea[vertex];
        sum->all += area;
        sum->soft += plan->pieces[vertex] < 0 ? area : 0.0f;
    }
}

bool supKeepSoft( supSketch* sketch )
{
    supPlan* plan = &sketch->plan;
    supSketchElement* element = sketch->elements + sketch->count - 1;
    supMat34 rest = supCharacter_Info( plan->character )->restJoints[element->driver];
    supQuat turn = supNearestRotation( rest );
    supVec3 to = supVec3_zero;
    for ( int32_t i = 0; i < element->ends.count; ++i )
    {
        to = supMulAdd( to, 1.0f / (float)element->ends.count, supPlan_Joint( plan, element->ends.joints[i] ) );
    }
    to = element->ends.count == 0
             ? supAdd(
                   rest.t, supRotate( turn, supScale( element->def.end, supCharacter_Info( plan->character )->size ) ) )
             : to;
    supVec3 along = supSub( to, rest.t );
    float squared = supLengthSquared( along );
    supSoftSum sum = { .element = element, .from = rest.t };
    sum.along = supScale( along, squared > 0.0f ? 1.0f / squared : 0.0f );
    sum.radius =
        element->def.spheres.count > 0 ? element->sphere.radius * supCharacter_Info( plan->character )->size : 0.0f;
    sum.ball = supAdd(
        rest.t, supRotate( turn, supScale( element->sphere.center, supCharacter_Info( plan->character )->size ) ) );
    if ( squared > 1e-10f * plan->size * plan->size )
    {
        supPlan_ForInfluences( plan, supAddSoft, &sum );
    }
    bool keeps = sum.soft > 1e-5f * plan->graph->totalArea && sum.soft >= supLeastSoftShare * sum.all;
    if ( !keeps )
    {
        if ( element->mirror >= 0 )
        {
            sketch->elements[element->mirror].mirror = -1;
        }
        sketch->count -= 1;
        return false;
    }
    element->def.ends = ( supNameList ){ element->ends.count, element->ends.names };
    element->def.joints = ( supNameList ){ element->joints.count, element->joints.names };
    return true;
}

void supSketchRig( supSketch* sketch )
{
    supFindHardMaterials( sketch );
    sketch->fatness = 1.0f;
    switch ( sketch->plan.reading.kind )
    {
        case sup_bodyHuman:
            supSketchHuman( sketch );
            break;
        case sup_bodyQuadruped:
        case sup_bodyBiped:
            supSketchAnimal( sketch );
            break;
        case sup_bodyFish:
            supSketchSwimmer( sketch );
            break;
        case sup_bodySnake:
            supSketchTube( sketch );
            break;
        case sup_bodyManyLegged:
            supSketchInsect( sketch );
            break;
        case sup_bodyMachine:
            break;
        default:
            supSketchLump( sketch );
            break;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// How steeply an element's motion rises over the skin.
//
// Flesh that is shifted by u moves a vertex of weight w by w u, so two places of the skin that are d apart part by
// |grad w| d u. Where |grad w| u comes near 1 the skin between them is stretched to twice its length on one side and
// folded on the other: that is a crease, whatever made the weights steep (a short bone in a thick body, a ball that
// ends in the middle of a face, a mesh of few large triangles). So the ceiling of an element follows from how steep it
// is.

enum
{
    supSteepBins = 256,
};

/// The steepest triangles, this share of the surface that moves, are left out: slivers, and single points.
static const float supSteepShare = 0.03f;
/// Steepness is counted in steps of this. Thickness of the flesh in each way along the skin
static const float supSteepStep = 0.05f;

/// |grad w| on a triangle, and its area.
static float supSlopeOf( const supVec3 p[3], const float w[3], float* area )
{
    supVec3 a = supSub( p[1], p[0] ), b = supSub( p[2], p[0] ), normal = supCross( a, b );
    float twice = supLength( normal ), wa = w[1] - w[0], wb = w[2] - w[0];
    *area = 0.5f * twice;
    // |wa b - wb a| / |a x b|: the gradient turned by a quarter
    return twice > 0.0f ? supLength( supSub( supScale( b, wa ), supScale( a, wb ) ) ) / twice : 0.0f;
}

static float supMeasureElement( const supPlan* plan, const supElementView* view, const float* weights )
{
    float bins[supSteepBins] = { 0.0f }, all = 0.0f;
    for ( int32_t m = 0; m < supCharacter_Info( plan->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( plan->character, m );
        for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
        {
            supVec3 p[3];
            float w[3], area;
            for ( int k = 0; k < 3; ++k )
            {
                w[k] = weights[mesh.firstVertex + (int32_t)mesh.indices[i + k]];
            }
            if ( w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f )
            {
                continue;
            }
            for ( int k = 0; k < 3; ++k )
            {
                p[k] = supPlan_Vertex( plan, mesh.firstVertex + (int32_t)mesh.indices[i + k] );
            }
            float slope = supSlopeOf( p, w, &area ) * view->thickness / supSteepStep;
            bins[slope < (float)( supSteepBins - 1 ) ? (int32_t)slope : supSteepBins - 1] += area;
            all += area;
        }
    }
    float left = supSteepShare * all;
    for ( int32_t b = supSteepBins - 1; b >= 0; --b )
    {
        if ( left < bins[b] )
        {
            return ( (float)b + 1.0f - left / bins[b] ) * supSteepStep;
        }
        left -= bins[b];
    }
    return 0.0f;
}

supResult supFindSteepness( supSketch* sketch, const supModel* model, const supAllocator* allocator, supError* error )
{
    size_t count = (size_t)supCharacter_Info( sketch->plan.character )->vertexCount;
    float* weights = supAllocZeroed( allocator, count + 1, sizeof( float ), _Alignof( float ) );
    if ( weights == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to measure weights on %zu vertices", count );
    }
    for ( int32_t i = 0; i < sketch->count; ++i )
    {
        supElementView view = supModel_Info( model )->elements[i];
        for ( int32_t k = 0; k < view.vertexCount; ++k )
        {
            weights[view.vertices[k]] = view.weights[k];
        }
        sketch->elements[i].steepness = supMeasureElement( &sketch->plan, &view, weights );
        for ( int32_t k = 0; k < view.vertexCount; ++k )
        {
            weights[view.vertices[k]] = 0.0f;
        }
    }
    supFree( allocator, weights, ( count + 1 ) * sizeof( float ) );
    return sup_success;
}
