// Fat, compiled: from borders to voxels, vibrations and a skin that hangs on them.
// SPDX-License-Identifier: MIT

#include "base/fields.h"
#include "base/math.h"
#include "base/watched.h"
#include "layers/fat/fat.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_nodes.h"
#include "layers/fat/fat_step.h"
#include "layers/fat/fat_tension.h"
#include "layers/fat/fat_voxels.h"
#include "layers/triangle_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Of a node's own stiffness: nothing against lambda and mu, and enough to hold what only an edge would.
static const double supFoundation = 2e-6;
enum
{
    supMostTries = 6,     ///< at finding a voxel's size
    supMostRestRounds = 6 ///< at finding the shape that sags into the modelled one
};
/// Of the sag: what a rest shape may be off by.
static const float supRestTolerance = 0.003f;

/// Of the size: thinner fat is none.
static const float supThinnest = 1e-3f;

/// Everything of one item while it is compiled.
typedef struct supFatWork
{
    const supLayerContext* context;
    const supFatDef* def;
    const char* place;
    supFat* fat; ///< what comes of it
    supInnerBorder border;
    bool hasBorder;
    const supEarlierLayer* muscles; ///< or NULL
    supFatRegion region;
    supFatMesh mesh;
    supFatNodes nodes;
    supElastic* elastic;
    supBlockFactor* factor;
    supElasticModes* modes;
    supFatSkin skin;
    supArray pairs; ///< supFatPair
    float restOff;  ///< of the sag
} supFatWork;

static void supDropFatWork( supFatWork* work )
{
    const supAllocator* allocator = work->context->allocator;
    supArray_Destroy( &work->pairs );
    supDropFatSkin( &work->skin );
    supDestroyElasticModes( work->modes, allocator );
    supDestroyBlockFactor( work->factor, allocator );
    supDestroyElastic( work->elastic, allocator );
    supDropFatNodes( &work->nodes, allocator );
    supDropFatMesh( &work->mesh );
    supDropFatRegion( &work->region );
}

// ---------------------------------------------------------------------------------------------------------------
// Voxels

/// Nothing fits at the size that was tried: says which would, having tried it, or why none does.
static supResult supFailToFit( supFatWork* work, float edge, supError* error )
{
    static const float shares[] = { 0.5f, 0.3f, 0.15f };
    const supFatRegion* region = &work->region;
    double size = (double)supCharacter_Info( region->character )->size, thickest = (double)region->thickest;
    bool empty = true;
    for ( size_t i = 0; i < sizeof( shares ) / sizeof( shares[0] ); ++i )
    {
        char words[32];
        snprintf( words, sizeof( words ), "%.2g", supMin( (double)shares[i] * thickest, (double)edge ) / size );
        float tried = (float)( strtod( words, NULL ) * size );
        supDropFatMesh( &work->mesh );
        supResult result = supCutVoxels( region, tried, work->def->mixed, work->place, &work->mesh, error );
        if ( result == sup_errorMemory )
        {
            return result;
        }
        if ( result == sup_success )
        {
            return supFail( error, sup_errorData,
                "%s.voxel: voxels of %.3g m do not fit between the borders, which are at most %.3g m apart; %s (%.2g m) does",
                work->place, (double)edge, thickest, words, (double)tried );
        }
        empty = empty && result == sup_errorData && work->mesh.elementCount == 0;
    }
    return empty
               ? supFail( error, sup_errorData,
                     "%s: the skin encloses nothing: it is open or flat, or its triangles face inwards", work->place )
               : supFail( error, sup_errorData,
                     "%s.voxel: voxels of %.3g m do not fit between the borders, which are at most %.3g m apart, and neither do smaller ones; give more depth, or make the muscles thinner",
                     work->place, (double)edge, thickest );
}

enum
{
    supMostFatNodes = 200000, ///< as of the field `nodes`: beyond that compiling takes the better part of an hour
};

/// The size at which there are about as many nodes as asked for. Fat of thickness t in voxels of edge h has about
/// volume / h^3 nodes, and a layer more: counted and corrected until it is right to a tenth.
static supResult supFindVoxels( supFatWork* work, supError* error )
{
    float size = supCharacter_Info( work->region.character )->size, edge = 0.4f * work->region.thickest;
    float wanted = work->def->nodes;
    supResult result = sup_success;
    bool close = false;
    int empty = 0; // sizes at which there was no voxel at all
    for ( int i = 0; i < supMostTries && !close && empty < 3; ++i )
    {
        if ( !supWatched_Tell( work->context->watched, NULL, (double)i / supMostTries ) )
        {
            return sup_errorCanceled;
        }
        supDropFatMesh( &work->mesh );
        edge = supMinF( edge, 0.75f * work->region.thickest );
        result = supCutVoxels( &work->region, edge, work->def->mixed, work->place, &work->mesh, error );
        if ( result == sup_errorLimit )
        {
            edge *= 1.5f;
            continue;
        }
        if ( result == sup_errorMemory )
        {
            break;
        }
        empty += work->mesh.elementCount == 0;
        float ratio = supMaxF( (float)( work->mesh.nodeCount - work->mesh.hangingCount ), 20.0f ) / wanted;
        close = result == sup_success && ratio > 0.9f && ratio < 1.1f;
        // between a sheet and a solid
        float root = supSqrtF( supSqrtF( supClampF( ratio, 0.05f, 20.0f ) ) );
        float next = edge * root * supSqrtF( root );
        close = close || ( next >= 0.75f * work->region.thickest && edge >= 0.74f * work->region.thickest );
        edge = close ? edge : supClampF( next, 0.0005f * size, size );
    }
    int32_t nodes = work->mesh.nodeCount - work->mesh.hangingCount;
    if ( result == sup_success && nodes > supMostFatNodes )
    {
        return supFail( error, sup_errorLimit,
            "%s.nodes: %g would become %d nodes, but at most %d are allowed; ask for fewer", work->place,
            (double)wanted, nodes, supMostFatNodes );
    }
    return result == sup_errorData ? supFailToFit( work, work->mesh.edge, error ) : result;
}

/// There is nothing to put fat under.
static supResult supFailWithoutSkin( const supFatWork* work, supError* error )
{
    if ( work->region.outer.triangleCount == 0 && work->def->inner.count > 0 )
    {
        return supFail( error, sup_errorData,
            "%s.inner: all skin is in `inner`; leave out the mesh that the fat lies under", work->place );
    }
    return supFail( error, sup_errorData,
        "%s: there is no fat between the borders, since there is no skin on its joints%s", work->place,
        work->def->spheres.count > 0 ? ", or none inside its spheres" : "" );
}

/// Voxels of the size that was asked for, or as many as were.
static supResult supMakeVoxels( supFatWork* work, supError* error )
{
    if ( !( work->region.thickest > 0.0f ) || work->region.outer.triangleCount == 0 )
    {
        return supFailWithoutSkin( work, error );
    }
    if ( work->region.thickest < supThinnest * supCharacter_Info( work->region.character )->size )
    {
        return supFail( error, sup_errorData,
            "%s: there is no room for fat between the borders, which are at most %.3g m apart; %s", work->place,
            (double)work->region.thickest,
            work->def->inner.count > 0 ? "the meshes of `inner` fill the skin"
                                       : "give more depth, or make the muscles thinner" );
    }
    if ( !( work->def->voxel > 0.0f ) )
    {
        return supFindVoxels( work, error );
    }
    float edge = work->def->voxel * supCharacter_Info( work->region.character )->size;
    supResult result = supCutVoxels( &work->region, edge, work->def->mixed, work->place, &work->mesh, error );
    int32_t nodes = work->mesh.nodeCount - work->mesh.hangingCount;
    if ( result == sup_success && nodes > supMostFatNodes )
    {
        return supFail( error, sup_errorLimit,
            "%s.voxel: %.3g m is too small: there would be %d nodes, but at most %d are allowed", work->place,
            (double)edge, nodes, supMostFatNodes );
    }
    return result == sup_errorData ? supFailToFit( work, edge, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// The solid

static supElasticMaterial supMaterialOf( const supFatDef* def )
{
    double mu = def->mu > 0.0f ? def->mu : 1000.0;
    double ratio = def->lambda > 0.0f && def->mu > 0.0f ? (double)def->lambda / def->mu : def->incompressibility;
    double lambda = ratio * mu, young = mu * ( 3.0 * lambda + 2.0 * mu ) / ( lambda + mu );
    return ( supElasticMaterial ){ mu, lambda, def->lineStiffness * young };
}

/// The solid, and the factor of its stiffness.
static supResult supFactorSolid( supFatWork* work, supError* error )
{
    const supAllocator* allocator = work->context->allocator;
    const supFatMesh* mesh = &work->mesh;
    if ( !supReadFatNodes( &work->region, mesh, work->def, &work->nodes ) )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for %d nodes", work->place, mesh->nodeCount );
    }
    supElasticDef def = { .nodeCount = mesh->nodeCount,
        .places = work->nodes.places,
        .anchored = work->nodes.anchored,
        .hangingCount = mesh->hangingCount,
        .hanging = mesh->hanging,
        .elementCount = mesh->elementCount,
        .corners = mesh->corners,
        .stiff = mesh->stiff,
        .full = mesh->full,
        .fibers = work->nodes.fibers,
        .material = supMaterialOf( work->def ),
        .density = work->def->density,
        .foundation = supFoundation };
    supResult result = supCreateElastic( &def, allocator, &work->elastic, error );
    if ( result != sup_success )
    {
        return result;
    }
    work->factor = supPlanFactor( &work->elastic->stiffness, work->elastic->places, allocator );
    double bytes = work->factor != NULL ? supBlockFactor_Bytes( work->factor ) : 0.0;
    bool sweeps = bytes > 1e9 * (double)work->def->memory;
    if ( sweeps && work->def->touch )
    {
        return supFail( error, sup_errorLimit,
            "%s.touch: needs a factor, which would take %.3g GB at %d nodes, but `memory` is %.3g GB; make the voxels larger, or raise `memory`",
            work->place, 1e-9 * bytes, mesh->nodeCount, (double)work->def->memory );
    }
    result = work->factor == NULL ? sup_errorMemory
             : sweeps
                 ? supBlockFactor_Sweep( work->factor, &work->elastic->stiffness, allocator )
                 : supBlockFactor_Fill( work->factor, &work->elastic->stiffness, work->context->watched, allocator );
    if ( result != sup_success )
    {
        return supFail( error, result,
            result == sup_errorMemory ? "%s: no memory to factor %d nodes"
                                      : "%s: the solid of %d nodes is not held anywhere",
            work->place, mesh->nodeCount );
    }
    return sup_success;
}

/// A shape that would have to be this much larger than the modelled one is none that sags into it: the search runs
/// away, and voxels of the same edge would fill it by the million.
static const float supMostRestGrowth = 3.0f;

/// `modelled`: the extents of the region as it was modelled.
static supResult supCheckRestBox( const supFatWork* work, supVec3 modelled, supError* error )
{
    supVec3 now = supSub( work->region.high, work->region.low );
    float most = supMostRestGrowth * supMaxF( modelled.x, supMaxF( modelled.y, modelled.z ) );
    if ( now.x <= most && now.y <= most && now.z <= most )
    {
        return sup_success;
    }
    return supFail( error, sup_errorLimit,
        "%s.restShape: no shape sags into the modelled one: at a sag of %.3g under %.3g m/s^2 it would be %.3g m large instead of %.3g; lower sag or gravity, or turn restShape off",
        work->place, (double)work->def->sag, (double)supLength( work->context->gravity ),
        (double)supMaxF( now.x, supMaxF( now.y, now.z ) ), (double)most / (double)supMostRestGrowth );
}

static supResult supCheckRestNodes( const supFatWork* work, supError* error )
{
    int32_t nodes = work->mesh.nodeCount - work->mesh.hangingCount;
    return nodes <= supMostFatNodes
               ? sup_success
               : supFail( error, sup_errorLimit,
                     "%s.restShape: the shape that sags into the modelled one would have %d nodes, but at most %d are allowed; make the voxels larger, or lower sag",
                     work->place, nodes, supMostFatNodes );
}

/// The shape that gravity takes into the modelled one becomes the region's, and its voxels and solid the work's.
static supResult supFindRestShape( supFatWork* work, supError* error )
{
    const supAllocator* allocator = work->context->allocator;
    const supFatDef* def = work->def;
    float sag = def->sag >= 0.0f ? def->sag : def->mu > 0.0f ? -1.0f : SUP_FAT_SAG;
    supWatched* watched = work->context->watched;
    const double share = 1.0 / ( supMostRestRounds + 1 );
    supVec3 modelled = supSub( work->region.high, work->region.low );
    supWatchedShare whole = supWatched_Enter( watched, 0.0, share );
    supResult result = supFactorSolid( work, error );
    supWatched_Leave( watched, whole );
    for ( int round = 0; result == sup_success; ++round )
    {
        supFatSag now;
        bool last = round == supMostRestRounds;
        float tolerance = last ? 1e30f : supRestTolerance;
        if ( !supSagRegion( &work->region, &work->mesh, work->elastic, work->factor, work->context->gravity, sag,
                 tolerance, &now ) )
        {
            return supFail( error, sup_errorMemory, "%s.restShape: no memory", work->place );
        }
        work->restOff = now.largest > 0.0f ? now.off / now.largest : 0.0f;
        if ( work->restOff <= tolerance )
        {
            break;
        }
        float edge = work->mesh.edge;
        supDestroyBlockFactor( work->factor, allocator );
        supDestroyElastic( work->elastic, allocator );
        supDropFatNodes( &work->nodes, allocator );
        supDropFatMesh( &work->mesh );
        work->factor = NULL;
        work->elastic = NULL;
        result = supCheckRestBox( work, modelled, error );
        result = result == sup_success
                     ? supCutVoxels( &work->region, edge, def->mixed, work->place, &work->mesh, error )
                     : result;
        result = result == sup_success ? supCheckRestNodes( work, error ) : result;
        whole = supWatched_Enter( watched, ( round + 1 ) * share, ( round + 2 ) * share );
        result = result == sup_success ? supFactorSolid( work, error ) : result;
        supWatched_Leave( watched, whole );
    }
    return result;
}

static supResult supMakeSolid( supFatWork* work, supError* error )
{
    return work->def->restShape ? supFindRestShape( work, error ) : supFactorSolid( work, error );
}

static supResult supFindVibrations( supFatWork* work, supError* error )
{
    // as many as were asked for, or as the joints' motion makes something of
    int32_t asked = (int32_t)( work->def->modes > 0.0f ? supMinF( work->def->modes, (float)supMostFatModes ) : 0.0f );
    supModeWish wish = { asked > 0 ? asked : supLeastFatModes, asked > 0 ? asked : supUsualFatModes };
    supFatLoading loading = { &work->nodes, &work->mesh, &work->region };
    supElasticLoads loads = supFatLoads( &loading );
    return supFindElasticModes( work->elastic, work->factor, &loads, wish, work->context->watched,
        work->context->allocator, &work->modes, error );
}

// ---------------------------------------------------------------------------------------------------------------
// What is kept

static size_t supWhole( size_t count )
{
    return ( count + 15 ) / 16 * 16;
}

/// Room for all arrays of one fat, in one block.
static bool supAllocFat( const supFatWork* work, supFat* fat )
{
    size_t nodes = (size_t)work->mesh.nodeCount, joints = (size_t)work->region.jointCount,
           freeCount = (size_t)work->elastic->freeCount, skin = work->skin.vertices.count,
           links = work->skin.links.count;
    fat->modeCount = work->modes->count;
    fat->rowSize = supWhole( 3 * freeCount );
    fat->modeSize = supWhole( (size_t)fat->modeCount );
    fat->rayCount = work->hasBorder ? work->border.rayCount : 0;
    size_t rowNumbers = 0, gatherNumbers = 0, pushNumbers = 0;
    supLayout layout = supMakeLayout();
    fat->pairCount = (int32_t)work->pairs.count;
    layout.tooLarge =
        !supMulSize( (size_t)fat->modeCount + 3 * joints + 12 * work->pairs.count, fat->rowSize, &rowNumbers ) ||
        !supMulSize( 12 * joints, fat->modeSize, &gatherNumbers ) ||
        !supMulSize( (size_t)fat->rayCount, fat->modeSize, &pushNumbers );
    SUP_PUT_WIDE( &layout, fat->rows, rowNumbers );
    SUP_PUT_WIDE( &layout, fat->gather, gatherNumbers );
    SUP_PUT_WIDE( &layout, fat->pushes, pushNumbers );
    SUP_PUT_WIDE( &layout, fat->pairRows, 12 * work->pairs.count * fat->modeSize );
    SUP_PUT( &layout, fat->pairs, work->pairs.count );
    SUP_PUT( &layout, fat->masses, freeCount );
    SUP_PUT_WIDE( &layout, fat->omegas, fat->modeSize );
    SUP_PUT( &layout, fat->places, nodes );
    SUP_PUT( &layout, fat->freeOf, nodes );
    SUP_PUT( &layout, fat->corners, 8 * (size_t)work->mesh.elementCount );
    SUP_PUT( &layout, fat->voxelBoxes, supVoxelBoxCount( work->mesh.elementCount ) );
    SUP_PUT( &layout, fat->hanging, work->mesh.hangingCount );
    SUP_PUT( &layout, fat->stiffs, work->mesh.elementCount );
    SUP_PUT( &layout, fat->allHolds, nodes );
    SUP_PUT( &layout, fat->holds, freeCount );
    SUP_PUT_WIDE( &layout, fat->flux, fat->rowSize );
    SUP_PUT_WIDE( &layout, fat->swell, fat->rowSize );
    SUP_PUT( &layout, fat->slopes, freeCount );
    SUP_PUT( &layout, fat->joints, joints );
    SUP_PUT( &layout, fat->fromRest, joints );
    SUP_PUT( &layout, fat->skin, skin );
    SUP_PUT( &layout, fat->starts, skin + 1 );
    SUP_PUT( &layout, fat->links, links );
    SUP_PUT( &layout, fat->shares, links );
    SUP_PUT_NEW( &layout, char, name, strlen( work->def->name ) + 1 );
    char* block = supAllocLayout( work->context->allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    fat->block = block;
    fat->blockSize = layout.size;
    fat->name = strcpy( name, work->def->name );
    return true;
}

static void supCopyArray( void* to, const supArray* from )
{
    if ( from->count > 0 )
    {
        memcpy( to, from->data, from->count * from->itemSize );
    }
}

/// What steps and skin are made of. False: no memory, or it was to stop.
static bool supFillSolidRows( const supFatWork* work, supFat* fat )
{
    supWatched* watched = work->context->watched;
    bool pairs = fat->pairCount > 0;
    supWatchedShare whole = supWatched_Enter( watched, 0.0, pairs ? 0.5 : 1.0 );
    bool done = supFillFatRows(
        fat, &work->mesh, work->elastic, work->factor, work->modes, &work->region, watched, work->context->allocator );
    supWatched_Leave( watched, whole );
    done = done && supFillFatFlow( fat, &work->region, &work->mesh, work->elastic );
    supFatSolid solid = { &work->region, &work->mesh, work->nodes.holds, work->elastic, work->factor, work->modes,
        watched };
    whole = supWatched_Enter( watched, 0.5, 1.0 );
    done = done && supFillMeshPushes( fat, &solid );
    supWatched_Leave( watched, whole );
    return done;
}

static supResult supKeepFat( supFatWork* work, supError* error )
{
    supFat* fat = work->fat;
    const supElastic* elastic = work->elastic;
    bool live = work->def->solver == sup_fatLive;
    work->pairs = supMakeArray( sizeof( supFatPair ), work->context->allocator );
    bool tenses = work->muscles != NULL;
    if ( ( tenses && !supSortIntoBlocks( work->modes, elastic, &work->nodes, &work->region, fat ) ) ||
         !supHangSkin( &work->region, &work->mesh, elastic, &work->skin ) ||
         ( live && !supFindMeshPairs( &work->region, &work->mesh, work->nodes.holds, &work->pairs ) ) ||
         !supAllocFat( work, fat ) )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for %d nodes", work->place, work->mesh.nodeCount );
    }
    fat->density = work->def->density;
    fat->restGravity = work->context->gravity;
    fat->nodeCount = work->mesh.nodeCount;
    fat->freeCount = elastic->freeCount;
    fat->anchoredCount = work->mesh.anchoredCount;
    fat->elementCount = work->mesh.elementCount;
    fat->hangingCount = work->mesh.hangingCount;
    fat->largeCount = work->mesh.largeCount;
    fat->outsideCount = work->region.outsideCount;
    fat->outsideAt = work->region.outsideAt;
    fat->outsideBy = work->region.outsideBy;
    fat->droppedCount = work->mesh.dropped;
    fat->restOff = work->restOff;
    fat->straight = work->def->restShape;
    fat->edge = work->mesh.edge;
    fat->thickest = work->region.thickest;
    fat->volume = work->mesh.volume;
    fat->factorBytes = work->factor->swept == NULL ? supBlockFactor_Bytes( work->factor ) : 0.0;
    // a part in ten million of the thickness, for all of the mass
    fat->still = 1e-7f * fat->thickest * supSqrtF( (float)( work->def->density * fat->volume ) );
    fat->mu = supMaterialOf( work->def ).mu;
    fat->jointCount = work->region.jointCount;
    fat->skinCount = (int32_t)work->skin.vertices.count;
    fat->rowCount = fat->shownCount = fat->modeCount + 3 * fat->jointCount + 12 * fat->pairCount;
    for ( int32_t i = 0; i < fat->nodeCount; ++i )
    {
        fat->places[i] = work->mesh.nodes[i].place;
        fat->allHolds[i] = work->nodes.holds[i];
        fat->freeOf[i] = work->mesh.nodes[i].anchored ? -1 : -2;
    }
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        fat->freeOf[elastic->freeNodes[i]] = i;
        fat->holds[i] = work->nodes.holds[elastic->freeNodes[i]];
        fat->masses[i] = (float)elastic->masses[i];
    }
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        fat->joints[j] = work->region.joints[j];
        supInvertMat( supCharacter_Info( work->context->character )->restJoints[fat->joints[j]], &fat->fromRest[j] );
    }
    memcpy( fat->corners, work->mesh.corners, 8 * sizeof( int32_t ) * (size_t)fat->elementCount );
    supFillVoxelBoxes( fat );
    memcpy( fat->stiffs, work->mesh.stiff, sizeof( float ) * (size_t)fat->elementCount );
    supCopyArray( fat->pairs, &work->pairs );
    supCopyArray( fat->hanging, &work->mesh.arrays[4] );
    supCopyArray( fat->skin, &work->skin.vertices );
    supCopyArray( fat->starts, &work->skin.starts );
    supCopyArray( fat->links, &work->skin.links );
    supCopyArray( fat->shares, &work->skin.shares );
    bool done = supFillSolidRows( work, fat );
    bool reference = work->def->solver == sup_fatReference;
    supTenseSource source = { work->context, work->muscles, &work->mesh, &work->nodes, elastic, work->modes,
        supMaterialOf( work->def ), reference };
    done = done && ( !tenses || supFillTension( fat, &source ) );
    done = done && ( !reference || fat->rayCount == 0 ||
                       supKeepFatGround( fat, &work->mesh, elastic, &work->region, work->context->allocator ) );
    if ( reference )
    {
        fat->elastic = work->elastic; // both are kept
        fat->factor = work->factor;
        work->elastic = NULL;
        work->factor = NULL;
        fat->shownCount = 3 * fat->freeCount;
    }
    else if ( work->def->touch )
    {
        fat->factor = work->factor; // kept
        work->factor = NULL;
        fat->shownCount += 3 * fat->freeCount;
    }
    fat->tensionsAt = fat->shownCount;
    fat->shownCount += fat->tenseCount > 0 ? fat->tenseCount + 1 : 0;
    fat->firstFrequency = (float)( work->modes->omegas[0] / ( 2.0 * SUP_PI ) );
    return done ? sup_success : supFail( error, sup_errorMemory, "%s: no memory for its rows", work->place );
}

static supResult supReadBorders( supFatWork* work, supError* error )
{
    const supInnerBorder* border = work->hasBorder ? &work->border : NULL;
    return supReadFatRegion( work->context, work->def, border, work->place, &work->region, error );
}

/// Step by step.
static supResult supRunFatWork( supFatWork* work, supError* error )
{
    static const struct
    {
        const char* stage; ///< NULL: the layer's own name
        double end;        ///< share of the time, with some thousands of nodes
        supResult ( *run )( supFatWork* work, supError* error );
    } steps[] = { { NULL, 0.1, supReadBorders }, { "fat: voxels", 0.2, supMakeVoxels },
        { "fat: stiffness", 0.3, supMakeSolid }, { "fat: vibrations", 0.65, supFindVibrations },
        { "fat: skin", 1.0, supKeepFat } };
    supWatched* watched = work->context->watched;
    supResult result = sup_success;
    for ( size_t i = 0; i < sizeof( steps ) / sizeof( steps[0] ) && result == sup_success; ++i )
    {
        supWatchedShare whole = supWatched_Enter( watched, i > 0 ? steps[i - 1].end : 0.0, steps[i].end );
        bool goes = supWatched_Tell( watched, steps[i].stage, 0.0 );
        result = goes ? steps[i].run( work, error ) : sup_errorCanceled;
        supWatched_Leave( watched, whole );
    }
    return result;
}

static supResult supCompileFat(
    const supLayerContext* context, const supFatDef* def, int32_t index, supFats* fats, supError* error )
{
    char place[SUP_PATH_TEXT];
    supFatWork work = {
        .context = context, .def = def, .place = supPathText( place, "fat[%d]", index ), .fat = fats->fats + index
    };
    for ( int32_t i = 0; i < context->earlierCount; ++i )
    {
        const supLayer* layer = context->earlier[i].layer;
        if ( layer->border != NULL )
        {
            layer->border( context->earlier[i].compiled, &work.border );
            work.hasBorder = true;
            fats->border = layer;
        }
        if ( layer->tension != NULL )
        {
            work.muscles = context->earlier + i;
            fats->muscles = layer;
        }
    }
    supResult result = supRunFatWork( &work, error );
    supDropFatWork( &work );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------

/// Vertices that any of them moves, rising.
static bool supGatherTouched( supFats* fats, const supLayerContext* context )
{
    size_t vertices = (size_t)supCharacter_Info( context->character )->vertexCount;
    uint8_t* marks = supAllocZeroed( context->allocator, vertices + 1, 1, 1 );
    fats->touchedSize = ( vertices + 1 ) * sizeof( int32_t );
    fats->touched = supAlloc( context->allocator, fats->touchedSize, _Alignof( int32_t ) );
    bool done = marks != NULL && fats->touched != NULL;
    for ( int32_t f = 0; f < fats->count && done; ++f )
    {
        for ( int32_t i = 0; i < fats->fats[f].skinCount; ++i )
        {
            marks[fats->fats[f].skin[i]] = 1;
        }
    }
    for ( size_t v = 0; v < vertices && done; ++v )
    {
        if ( marks[v] != 0 )
        {
            fats->touched[fats->touchedCount++] = (int32_t)v;
        }
    }
    supFree( context->allocator, marks, vertices + 1 );
    return done;
}

supResult supCompileFats(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supFats, fats, 1 );
    SUP_PUT_NEW( &layout, supFat, fatsRoom, count );
    char* block = supAllocLayout( context->allocator, &layout );
    *out = NULL;
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d items of fat", count );
    }
    *fats = ( supFats ){ .count = count, .fats = fatsRoom, .blockSize = layout.size };
    supResult result = sup_success;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        supWatchedShare whole = supWatched_Enter( context->watched, (double)i / count, ( i + 1.0 ) / count );
        result = supCompileFat( context, items[i], i, fats, error );
        supWatched_Leave( context->watched, whole );
    }
    if ( result == sup_success && !supGatherTouched( fats, context ) )
    {
        result = supFail( error, sup_errorMemory, "no memory for the skin of fat" );
    }
    if ( result != sup_success )
    {
        supDestroyFats( fats, context->allocator );
        return result;
    }
    supPlaceFatStates( fats );
    *out = fats;
    return sup_success;
}

void supDestroyFats( void* compiled, const supAllocator* allocator )
{
    supFats* fats = compiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supDestroyElastic( fats->fats[i].elastic, allocator );
        supDestroyBlockFactor( fats->fats[i].factor, allocator );
        supDropTension( fats->fats + i, allocator );
        supFree( allocator, fats->fats[i].ground, fats->fats[i].ground != NULL ? fats->fats[i].ground->blockSize : 0 );
        supFree( allocator, fats->fats[i].block, fats->fats[i].blockSize );
    }
    supFree( allocator, fats->touched, fats->touchedSize );
    supFree( allocator, fats, fats->blockSize );
}
