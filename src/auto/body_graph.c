// Parts of a body, places on its skin, and what hangs together.
// SPDX-License-Identifier: MIT

#include "auto/body_graph.h"

#include "auto/body_plan.h"
#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// A joint with less than this share of all skin is a helper, no part of its own.
static const float supLeastPart = 0.002f;
/// What two parts share of the smaller one's area before they are taken to hang together.
static const float supLeastBond = 0.01f;

// ---------------------------------------------------------------------------------------------------------------
// Parts

/// The largest ones where there are too many.
static float supPartThreshold( const supPlan* plan, float total )
{
    float least = supLeastPart * total;
    for ( ;; )
    {
        int32_t count = 0;
        for ( int32_t j = 0; j < plan->jointCount; ++j )
        {
            count += plan->area[j] > least;
        }
        if ( count <= supMostParts )
        {
            return least;
        }
        least *= 1.5f;
    }
}

static void supListParts( supBodyGraph* graph, const supPlan* plan )
{
    const int32_t* order = supCharacter_Info( graph->character )->jointOrder;
    for ( int32_t j = 0; j < graph->jointCount; ++j )
    {
        graph->totalArea += plan->area[j];
    }
    float least = supPartThreshold( plan, graph->totalArea );
    for ( int32_t i = 0; i < graph->jointCount; ++i )
    {
        int32_t j = order[i], up = supCharacter_Joint( graph->character, j )->parent;
        graph->partOf[j] = up >= 0 ? graph->partOf[up] : -1;
        if ( plan->area[j] > least )
        {
            graph->partOf[j] = graph->partCount;
            graph->parts[graph->partCount++] =
                ( supPart ){ .joint = j, .twin = -1, .kin = -1, .parent = -1, .limb = -1 };
        }
    }
    for ( int32_t j = 0; j < graph->jointCount; ++j )
    {
        if ( graph->partOf[j] >= 0 )
        {
            graph->parts[graph->partOf[j]].area += plan->area[j];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Samples

/// The part that holds most of a vertex.
static int32_t supPartOfVertex( const supBodyGraph* graph, const supMeshView* mesh, int32_t vertex )
{
    const int32_t* joints = supCharacter_Info( graph->character )->paletteJoints + mesh->firstPalette;
    int32_t parts[8], best = -1;
    float held[8], most = 0.0f;
    int32_t count = 0;
    for ( int32_t i = 0; i < mesh->influenceCount && i < 8; ++i )
    {
        int32_t at = vertex * mesh->influenceCount + i, part = graph->partOf[joints[mesh->jointIndices[at]]], k = 0;
        while ( k < count && parts[k] != part )
        {
            ++k;
        }
        if ( k == count )
        {
            parts[count] = part;
            held[count++] = 0.0f;
        }
        held[k] += mesh->weights[at];
        if ( part >= 0 && held[k] > most )
        {
            most = held[k];
            best = part;
        }
    }
    return best;
}

static void supAddSample( supBodyGraph* graph, supVec3 at, float area, int32_t part, bool hard )
{
    if ( part >= 0 && graph->sampleCount < supMostSamples )
    {
        graph->samples[graph->sampleCount++] = ( supSample ){ at, area, part, hard };
    }
}

typedef struct supCutTriangle
{
    supVec3 corners[3];
    int32_t parts[3];
    float area;
    bool hard;
} supCutTriangle;

/// A large triangle is cut in four, as often as it takes: the same places whichever corner comes first.
static void supSampleTriangle( supBodyGraph* graph, const supCutTriangle* triangle, float grain, int32_t depth )
{
    const supVec3* p = triangle->corners;
    if ( triangle->area <= grain || depth == 4 )
    {
        supVec3 middle = supScale( supAdd( supAdd( p[0], p[1] ), p[2] ), 1.0f / 3.0f );
        bool pair = triangle->parts[1] == triangle->parts[2]; // two of three agree, or the first one
        supAddSample( graph, middle, triangle->area, triangle->parts[pair ? 1 : 0], triangle->hard );
        return;
    }
    supVec3 middles[3];
    for ( int k = 0; k < 3; ++k )
    {
        middles[k] = supLerp( p[( k + 1 ) % 3], p[( k + 2 ) % 3], 0.5f );
    }
    for ( int k = 0; k < 3; ++k )
    {
        supCutTriangle cut = { { p[k], middles[( k + 1 ) % 3], middles[( k + 2 ) % 3] },
            { triangle->parts[k], triangle->parts[k], triangle->parts[k] }, 0.25f * triangle->area, triangle->hard };
        supSampleTriangle( graph, &cut, grain, depth + 1 );
    }
    supCutTriangle inner = { { middles[0], middles[1], middles[2] },
        { triangle->parts[0], triangle->parts[1], triangle->parts[2] }, 0.25f * triangle->area, triangle->hard };
    supSampleTriangle( graph, &inner, grain, depth + 1 );
}

/// Small triangles give one sample for each `grain` of area.
static void supSampleMesh( supBodyGraph* graph, const supPlan* plan, int32_t index, float grain, float* saved )
{
    supMeshView mesh = supCharacter_Mesh( graph->character, index );
    for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
    {
        supCutTriangle triangle;
        for ( int k = 0; k < 3; ++k )
        {
            int32_t v = (int32_t)mesh.indices[i + k];
            triangle.corners[k] = supPlan_Vertex( plan, mesh.firstVertex + v );
        }
        const supVec3* p = triangle.corners;
        triangle.area = 0.5f * supLength( supCross( supSub( p[1], p[0] ), supSub( p[2], p[0] ) ) );
        *saved += triangle.area;
        if ( *saved < grain )
        {
            continue;
        }
        for ( int k = 0; k < 3; ++k )
        {
            triangle.parts[k] = supPartOfVertex( graph, &mesh, (int32_t)mesh.indices[i + k] );
        }
        triangle.hard = plan->pieces[mesh.firstVertex + (int32_t)mesh.indices[i]] >= 0;
        triangle.area = *saved;
        *saved = 0.0f;
        supSampleTriangle( graph, &triangle, 2.0f * grain, 0 );
    }
}

/// Where the skin of every part lies, by all of its vertices.
static void supCenterParts( supBodyGraph* graph, const supPlan* plan )
{
    const int32_t* palette = supCharacter_Info( graph->character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( graph->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( graph->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; ++v )
        {
            int32_t vertex = mesh.firstVertex + v;
            for ( int32_t i = 0; i < mesh.influenceCount; ++i )
            {
                int32_t at = v * mesh.influenceCount + i;
                int32_t part = graph->partOf[palette[mesh.firstPalette + mesh.jointIndices[at]]];
                float share = part >= 0 ? mesh.weights[at] * plan->vertexArea[vertex] : 0.0f;
                if ( share > 0.0f )
                {
                    supPart* own = graph->parts + part;
                    own->center = supMulAdd( own->center, share, supPlan_Vertex( plan, vertex ) );
                    own->soft += plan->pieces[vertex] >= 0 ? 0.0f : share;
                    own->samples += share;
                    graph->center = supMulAdd( graph->center, share, supPlan_Vertex( plan, vertex ) );
                }
            }
        }
    }
    graph->center = supScale( graph->center, graph->totalArea > 0.0f ? 1.0f / graph->totalArea : 0.0f );
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supPart* part = graph->parts + p;
        supVec3 joint = supPlan_Joint( plan, part->joint );
        part->center = part->samples > 0.0f ? supScale( part->center, 1.0f / part->samples ) : joint;
        part->soft = part->samples > 0.0f ? part->soft / part->samples : 0.0f;
    }
}

static void supTakeSamples( supBodyGraph* graph, const supPlan* plan )
{
    float saved = 0.0f, grain = graph->totalArea / ( 0.4f * (float)supMostSamples );
    for ( int32_t m = 0; m < supCharacter_Info( graph->character )->meshCount; ++m )
    {
        if ( supCharacter_Mesh( graph->character, m ).skin >= 0 && !plan->isWorn[m] )
        {
            supSampleMesh( graph, plan, m, grain, &saved );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bonds

/// Skin that two parts hold together.
static void supMeasureShared( supBodyGraph* graph, const supPlan* plan )
{
    const int32_t* palette = supCharacter_Info( graph->character )->paletteJoints;
    int32_t n = graph->partCount;
    for ( int32_t m = 0; m < supCharacter_Info( graph->character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( graph->character, m );
        for ( int32_t v = 0; v < mesh.vertexCount && mesh.skin >= 0 && !plan->isWorn[m]; ++v )
        {
            float area = plan->vertexArea[mesh.firstVertex + v];
            for ( int32_t i = 1; i < mesh.influenceCount; ++i )
            {
                int32_t at = v * mesh.influenceCount;
                int32_t b = graph->partOf[palette[mesh.firstPalette + mesh.jointIndices[at + i]]];
                for ( int32_t k = 0; k < i && mesh.weights[at + i] > 0.0f && b >= 0; ++k )
                {
                    int32_t a = graph->partOf[palette[mesh.firstPalette + mesh.jointIndices[at + k]]];
                    if ( a >= 0 && a != b )
                    {
                        float shared = area * supMinF( mesh.weights[at + i], mesh.weights[at + k] );
                        graph->strengths[(size_t)a * (size_t)n + (size_t)b] += shared;
                        graph->strengths[(size_t)b * (size_t)n + (size_t)a] += shared;
                    }
                }
            }
        }
        for ( int32_t i = 0; i + 2 < mesh.indexCount && mesh.skin >= 0 && !plan->isWorn[m]; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                int32_t va = (int32_t)mesh.indices[i + k], vb = (int32_t)mesh.indices[i + ( k + 1 ) % 3];
                int32_t a = supPartOfVertex( graph, &mesh, va ), b = supPartOfVertex( graph, &mesh, vb );
                if ( a >= 0 && b >= 0 && a != b )
                {
                    float shared =
                        0.1f * ( plan->vertexArea[mesh.firstVertex + va] + plan->vertexArea[mesh.firstVertex + vb] );
                    graph->strengths[(size_t)a * (size_t)n + (size_t)b] += shared;
                    graph->strengths[(size_t)b * (size_t)n + (size_t)a] += shared;
                }
            }
        }
    }
}

static bool supIsParentPart( const supBodyGraph* graph, int32_t a, int32_t b )
{
    int32_t up = supCharacter_Joint( graph->character, graph->parts[b].joint )->parent;
    return up >= 0 && graph->partOf[up] == a;
}

/// How near two parts are: 1 where they touch, falling to 0 over half of the size.
static float supNearness( const supBodyGraph* graph, const supPlan* plan, int32_t a, int32_t b )
{
    float away = supDistance( supPlan_Joint( plan, graph->parts[b].joint ), graph->parts[a].center );
    away = supMinF( away, supDistance( supPlan_Joint( plan, graph->parts[a].joint ), graph->parts[b].center ) );
    away = supMinF( away, supDistance( graph->parts[a].center, graph->parts[b].center ) );
    return supMaxF( 0.0f, 1.0f - away / ( 0.5f * graph->size ) );
}

/// What two parts share, as a share of the smaller one.
static float supShared( const supBodyGraph* graph, int32_t a, int32_t b )
{
    float smaller = supMinF( graph->parts[a].area, graph->parts[b].area );
    return graph->strengths[(size_t)a * (size_t)graph->partCount + (size_t)b] / supMaxF( smaller, 1e-30f );
}

/// Marks parts of a side that share skin with the middle: where limbs begin.
static void supFindRoots( supBodyGraph* graph )
{
    for ( int32_t a = 0; a < graph->partCount; ++a )
    {
        for ( int32_t b = 0; b < graph->partCount && graph->parts[a].side != 0; ++b )
        {
            bool meets = graph->parts[b].side == 0 && supShared( graph, a, b ) > supLeastBond;
            graph->parts[a].meetsMiddle = graph->parts[a].meetsMiddle || meets;
        }
    }
}

/// What speaks for a bond: shared skin, then the skeleton, then nearness.
static float supStrength( const supBodyGraph* graph, const supPlan* plan, int32_t a, int32_t b )
{
    const supPart *x = graph->parts + a, *y = graph->parts + b;
    float shared = supShared( graph, a, b );
    bool kin = supIsParentPart( graph, a, b ) || supIsParentPart( graph, b, a );
    float strength = shared > supLeastBond ? 1.0f + 2.0f * supMinF( shared, 0.5f ) : 0.0f;
    strength += kin ? 0.6f : 0.0f;
    strength += 0.2f * supNearness( graph, plan, a, b );
    // what hangs on a limb's joint is the limb's, though it lies on the trunk: a breast on a collarbone
    const supPart* side = x->side != 0 ? x : y;
    int32_t above = supCharacter_Joint( graph->character, side->joint )->parent;
    int32_t holder = above >= 0 ? graph->partOf[above] : -1;
    bool held = holder >= 0 && side->side != 0 && graph->parts[holder].side == side->side;
    strength *= held && !kin && x->side * y->side == 0 ? 0.3f : 1.0f;
    // the two sides of a body hang together in its middle, and so do two limbs of one side
    bool across = x->side * y->side < 0, roots = x->meetsMiddle && y->meetsMiddle;
    int32_t up = supCharacter_Joint( graph->character, x->joint )->parent;
    bool siblings = up >= 0 && up == supCharacter_Joint( graph->character, y->joint )->parent;
    bool neighbours = x->side * y->side > 0 && !kin && ( roots || siblings );
    return across ? 0.05f * strength : neighbours ? 0.08f * strength : strength;
}

bool supFindBonds( supBodyGraph* graph, const supPlan* plan, const supAllocator* allocator )
{
    size_t n = (size_t)graph->partCount;
    if ( n < 2 )
    {
        return true;
    }
    graph->strengths = supAllocZeroed( allocator, n * n, sizeof( float ), _Alignof( float ) );
    if ( graph->strengths == NULL )
    {
        return false;
    }
    supMeasureShared( graph, plan );
    supFindRoots( graph );
    // Prim's way: the part that is bound most strongly to those that are in already comes next; the middle first, so
    // that no limb comes between its parts
    float best[supMostParts];
    int32_t to[supMostParts];
    bool in[supMostParts] = { false };
    int32_t last = 0, middles = 0;
    for ( int32_t p = graph->partCount - 1; p >= 0; --p )
    {
        best[p] = -1.0f;
        to[p] = -1;
        last = graph->parts[p].side == 0 ? p : last;
        middles += graph->parts[p].side == 0;
    }
    in[last] = true;
    for ( int32_t round = 1; round < graph->partCount; ++round )
    {
        int32_t next = -1;
        for ( int32_t p = 0; p < graph->partCount; ++p )
        {
            if ( in[p] )
            {
                continue;
            }
            float strength = supStrength( graph, plan, last, p );
            to[p] = strength > best[p] ? last : to[p];
            best[p] = supMaxF( best[p], strength );
            bool may = round >= middles || graph->parts[p].side == 0;
            next = may && ( next < 0 || best[p] > best[next] ) ? p : next;
        }
        graph->bonds[graph->bondCount++] = ( supPartBond ){ to[next], next, best[next] };
        in[next] = true;
        last = next;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

bool supMakeBodyGraph( const supPlan* plan, const supAllocator* allocator, supBodyGraph* graph )
{
    memset( graph, 0, sizeof( *graph ) );
    graph->character = plan->character;
    graph->size = plan->size;
    graph->jointCount = plan->jointCount;
    graph->partOf = supAllocZeroed( allocator, (size_t)plan->jointCount + 1, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( graph->partOf == NULL )
    {
        return false;
    }
    supListParts( graph, plan );
    supCenterParts( graph, plan );
    supTakeSamples( graph, plan );
    return true;
}

void supDropBodyGraph( supBodyGraph* graph, const supAllocator* allocator )
{
    supFree( allocator, graph->partOf, ( (size_t)graph->jointCount + 1 ) * sizeof( int32_t ) );
    size_t n = (size_t)graph->partCount;
    supFree( allocator, graph->strengths, n * n * sizeof( float ) );
    memset( graph, 0, sizeof( *graph ) );
}
