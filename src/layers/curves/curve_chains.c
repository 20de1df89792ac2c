// Supple: level lines in a row.
// SPDX-License-Identifier: MIT
#include "curve_chains.h"

#include "base/memory.h"
#include "supple/lab/curves.h"

void supSampleLine( const supLevels* levels, const supLevelLine* line, double phase, int32_t count, supVec3d* points,
    supLinePlace* places )
{
    const supCrossing* crossings = (const supCrossing*)levels->crossings.data + line->first;
    int32_t spans = line->open ? line->count - 1 : line->count;
    double step = line->open ? line->length / ( count - 1 ) : line->length / count;
    double start = line->open ? 0.0 : ( phase - supFloor( phase ) ) * line->length;
    int32_t span = 0;
    double walked = 0.0;
    supVec3d a = supCrossingPoint( levels, crossings );
    supVec3d b = supCrossingPoint( levels, crossings + 1 % line->count );
    double width = supLengthD( supSubD( b, a ) );
    for ( int32_t k = 0; k < count; ++k )
    {
        double target = start + k * step;
        while ( target > walked + width && ( !line->open || span + 1 < spans ) && span < 2 * spans )
        {
            walked += width;
            ++span;
            a = b;
            b = supCrossingPoint( levels, crossings + ( span + 1 ) % line->count );
            width = supLengthD( supSubD( b, a ) );
        }
        double t = width > 0.0 ? supClamp( ( target - walked ) / width, 0.0, 1.0 ) : 0.0;
        points[k] = supLerpD( a, b, t );
        if ( places != NULL )
        {
            const supCrossing* from = crossings + span % line->count;
            const supCrossing* to = crossings + ( span + 1 ) % line->count;
            const int32_t *one = levels->mesh->edges[from->edge], *two = levels->mesh->edges[to->edge];
            places[k] = ( supLinePlace ){ { one[0], one[1], two[0], two[1] },
                { ( 1.0 - t ) * ( 1.0 - from->share ), ( 1.0 - t ) * from->share, t * ( 1.0 - to->share ),
                    t * to->share } };
        }
    }
}

/// How many lines end at each region from below and from above, and one of them.
typedef struct supRegionEnds
{
    int32_t lower, upper;
    int32_t lowerLine, upperLine;
} supRegionEnds;

static void supCountEnds( const supLevels* levels, supRegionEnds* ends )
{
    const supLevelLine* lines = levels->lines.data;
    for ( int32_t r = 0; r < levels->regionCount; ++r )
    {
        ends[r] = ( supRegionEnds ){ 0, 0, -1, -1 };
    }
    for ( int32_t i = 0; i < (int32_t)levels->lines.count; ++i )
    {
        if ( lines[i].dropped )
        {
            continue;
        }
        supRegionEnds* below = &ends[supLevels_Region( levels, lines[i].below )];
        supRegionEnds* above = &ends[supLevels_Region( levels, lines[i].above )];
        ++below->upper;
        below->upperLine = i;
        ++above->lower;
        if ( above->lowerLine < 0 || lines[i].length > lines[above->lowerLine].length )
        {
            above->lowerLine = i;
        }
    }
}

static bool supIsTube( const supLevels* levels, const supRegionEnds* ends )
{
    const supLevelLine* lines = levels->lines.data;
    return ends->lower == 1 && ends->upper == 1 && lines[ends->lowerLine].open == lines[ends->upperLine].open;
}

static int32_t supTipOf( const supLevels* levels, int32_t region, const supRegionEnds* ends, bool start, bool open )
{
    bool only = ends->lower + ends->upper == 1;
    if ( !only || ( levels->bordered[region] && !open ) )
    {
        return -1;
    }
    return start ? levels->nearest[region] : levels->farthest[region];
}

static bool supGatherChains( supChains* chains, const supRegionEnds* ends )
{
    supLevels* levels = chains->levels;
    const supLevelLine* lines = levels->lines.data;
    chains->chains.count = 0;
    chains->order.count = 0;
    for ( int32_t i = 0; i < (int32_t)levels->lines.count; ++i )
    {
        int32_t start = supLevels_Region( levels, lines[i].below );
        if ( lines[i].dropped || supIsTube( levels, &ends[start] ) )
        {
            continue;
        }
        supLineChain chain = {
            .first = (int32_t)chains->order.count, .startRegion = start, .before = ends[start].lowerLine
        };
        chain.startTip = supTipOf( levels, start, &ends[start], true, lines[i].open );
        int32_t line = i;
        for ( ;; )
        {
            int32_t* slot = supArray_Add( &chains->order, 1 );
            if ( slot == NULL )
            {
                return false;
            }
            *slot = line;
            ++chain.count;
            chain.endRegion = supLevels_Region( levels, lines[line].above );
            if ( !supIsTube( levels, &ends[chain.endRegion] ) )
            {
                break;
            }
            line = ends[chain.endRegion].upperLine;
        }
        chain.endTip = supTipOf( levels, chain.endRegion, &ends[chain.endRegion], false, lines[line].open );
        supLineChain* kept = supArray_Add( &chains->chains, 1 );
        if ( kept == NULL )
        {
            return false;
        }
        *kept = chain;
    }
    return true;
}

static int32_t supEndCount( const supRegionEnds* ends )
{
    return ends->lower + ends->upper;
}

// Takes the lines of one chain out that is too short: a bump on a fork, or a tube between two forks. Gives whether
// there was one.
static bool supDropShortest( supChains* chains, const supRegionEnds* ends, double least )
{
    supLevels* levels = chains->levels;
    const supLevelLine* lines = levels->lines.data;
    const int32_t* order = chains->order.data;
    const supLineChain* shortest = NULL;
    double length = least;
    for ( size_t c = 0; c < chains->chains.count; ++c )
    {
        const supLineChain* chain = (const supLineChain*)chains->chains.data + c;
        bool forkBelow = supEndCount( &ends[chain->startRegion] ) > 2,
             forkAbove = supEndCount( &ends[chain->endRegion] ) > 2;
        double from = lines[order[chain->first]].level, to = lines[order[chain->first + chain->count - 1]].level;
        bool lone = supEndCount( &ends[chain->endRegion] ) == 1;
        int32_t top = levels->farthest[chain->endRegion];
        double own = lone && forkBelow && top >= 0 ? levels->field[top] - from
                     : forkBelow && forkAbove      ? 2.0 * ( to - from )
                                                   : supInfinity();
        if ( own < length )
        {
            length = own;
            shortest = chain;
        }
    }
    for ( int32_t i = 0; shortest != NULL && i < shortest->count; ++i )
    {
        supLevels_Drop( levels, order[shortest->first + i] );
    }
    return shortest != NULL;
}

static supVec3d supLoopNormal( const supVec3d* points, int32_t count, supVec3d center )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < count; ++i )
    {
        sum = supAddD( sum, supCrossD( supSubD( points[i], center ), supSubD( points[( i + 1 ) % count], center ) ) );
    }
    return supNormalizeD( sum );
}

// The least turn that carries one direction to another.
static supQuatd supLeastTurn( supVec3d from, supVec3d to )
{
    supVec3d axis = supCrossD( from, to );
    return supNormalizeQuatD( ( supQuatd ){ axis.x, axis.y, axis.z, 1.0 + supMax( supDotD( from, to ), -0.999 ) } );
}

// Where v = 0 has to be for a line to lie under another, sample for sample: the shift of least squares, between steps
// by the parabola through its neighbours.
static double supAlignLine(
    const supLevels* levels, const supLevelLine* line, const supVec3d* other, supVec3d otherCenter )
{
    enum
    {
        supFine = 4 * SUP_LINE_SAMPLES
    };
    supVec3d fine[supFine], turned[SUP_LINE_SAMPLES];
    supSampleLine( levels, line, 0.0, supFine, fine, NULL );
    supQuatd turn = supLeastTurn(
        supLoopNormal( other, SUP_LINE_SAMPLES, otherCenter ), supLoopNormal( fine, supFine, line->center ) );
    for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
    {
        turned[i] = supRotateD( turn, supSubD( other[i], otherCenter ) );
    }
    double costs[supFine];
    int32_t best = 0;
    for ( int32_t shift = 0; shift < supFine; ++shift )
    {
        costs[shift] = 0.0;
        for ( int32_t i = 0; i < SUP_LINE_SAMPLES; ++i )
        {
            supVec3d off = supSubD( supSubD( fine[( 4 * i + shift ) % supFine], line->center ), turned[i] );
            costs[shift] += supDotD( off, off );
        }
        best = costs[shift] < costs[best] ? shift : best;
    }
    double a = costs[( best + supFine - 1 ) % supFine], b = costs[best], c = costs[( best + 1 ) % supFine];
    double bend = a - 2.0 * b + c;
    double part = bend > 0.0 ? supClamp( 0.5 * ( a - c ) / bend, -0.5, 0.5 ) : 0.0;
    return ( best + part ) / supFine;
}

static double supTopmost( const supLevels* levels, const supLevelLine* line )
{
    supVec3d points[SUP_LINE_SAMPLES];
    supSampleLine( levels, line, 0.0, SUP_LINE_SAMPLES, points, NULL );
    int32_t best = 0;
    for ( int32_t i = 1; i < SUP_LINE_SAMPLES; ++i )
    {
        best = points[i].y > points[best].y ? i : best;
    }
    return (double)best / SUP_LINE_SAMPLES;
}

static void supAlignChains( supChains* chains )
{
    const supLevels* levels = chains->levels;
    const supLevelLine* lines = levels->lines.data;
    for ( size_t c = 0; c < chains->chains.count; ++c )
    {
        const supLineChain* chain = (const supLineChain*)chains->chains.data + c;
        int32_t last = chain->before;
        for ( int32_t i = 0; i < chain->count; ++i )
        {
            int32_t line = ( (const int32_t*)chains->order.data )[chain->first + i];
            const supLevelLine* own = lines + line;
            if ( own->open )
            {
                chains->phases[line] = 0.0;
            }
            else if ( last >= 0 && !lines[last].open )
            {
                chains->phases[line] =
                    supAlignLine( levels, own, chains->samples + (size_t)last * SUP_LINE_SAMPLES, lines[last].center );
            }
            else
            {
                chains->phases[line] = supTopmost( levels, own );
            }
            supSampleLine( levels, own, chains->phases[line], SUP_LINE_SAMPLES,
                chains->samples + (size_t)line * SUP_LINE_SAMPLES, NULL );
            last = line;
        }
    }
}

supResult supCreateChains( supLevels* levels, double least, supChains* out, supError* error )
{
    const supAllocator* allocator = &levels->allocator;
    *out = ( supChains ){ .levels = levels, .lineCount = levels->lines.count };
    out->chains = supMakeArray( sizeof( supLineChain ), allocator );
    out->order = supMakeArray( sizeof( int32_t ), allocator );
    size_t n = levels->lines.count + 1, regions = (size_t)levels->regionCount;
    out->phases = supAllocZeroed( allocator, n, sizeof( double ), _Alignof( double ) );
    out->samples = supAllocZeroed( allocator, n * SUP_LINE_SAMPLES, sizeof( supVec3d ), _Alignof( supVec3d ) );
    supRegionEnds* ends = supAllocZeroed( allocator, regions, sizeof( supRegionEnds ), _Alignof( supRegionEnds ) );
    bool good = out->phases != NULL && out->samples != NULL && ends != NULL;
    // A line of fewer than three crossings goes round nothing.
    const supLevelLine* lines = levels->lines.data;
    for ( int32_t i = 0; good && i < (int32_t)levels->lines.count; ++i )
    {
        if ( lines[i].count < ( lines[i].open ? 2 : 3 ) || !( lines[i].length > 0.0 ) )
        {
            supLevels_Drop( levels, i );
        }
    }
    bool more = good;
    while ( more )
    {
        supCountEnds( levels, ends );
        good = supGatherChains( out, ends );
        more = good && supDropShortest( out, ends, least );
    }
    if ( good )
    {
        supAlignChains( out );
    }
    supFree( allocator, ends, regions * sizeof( supRegionEnds ) );
    if ( !good )
    {
        supChains_Destroy( out );
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    return sup_success;
}

void supChains_Destroy( supChains* chains )
{
    const supAllocator* allocator = &chains->levels->allocator;
    size_t n = chains->lineCount + 1;
    supFree( allocator, chains->phases, n * sizeof( double ) );
    supFree( allocator, chains->samples, n * SUP_LINE_SAMPLES * sizeof( supVec3d ) );
    supArray_Destroy( &chains->chains );
    supArray_Destroy( &chains->order );
    chains->phases = NULL;
    chains->samples = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Parts of a character from its skinning weights.

// The joint that carries most of a vertex.
static int32_t supMainJoint( const supCharacter* character, const supMeshView* mesh, int32_t v )
{
    const int32_t* joints = supCharacter_Info( character )->paletteJoints;
    if ( mesh->skin < 0 )
    {
        return mesh->joint;
    }
    size_t at = (size_t)v * (size_t)mesh->influenceCount;
    return joints[mesh->firstPalette + mesh->jointIndices[at]]; // they are ordered by falling weight
}

// Upwards as long as the joint is its parent's only child that carries skin below it, and the parent carries some.
static int32_t supFirstOfRow( const supCharacter* character, const int32_t* branches, const bool* used, int32_t joint )
{
    for ( ;; )
    {
        int32_t parent = supCharacter_Joint( character, joint )->parent;
        if ( parent < 0 || branches[parent] != 1 || !used[parent] )
        {
            return joint;
        }
        joint = parent;
    }
}

int32_t supPartsOfCharacter( const supCharacter* character, int32_t* parts, const char** names )
{
    size_t n = (size_t)supCharacter_Info( character )->jointCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, bool, used, n );
    SUP_PUT_NEW( &layout, bool, below, n );
    SUP_PUT_NEW( &layout, int32_t, branches, n );
    SUP_PUT_NEW( &layout, int32_t, partOf, n );
    char* block = supAllocLayout( NULL, &layout );
    if ( block == NULL )
    {
        return 0;
    }
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t i = 0; i < mesh.indexCount; ++i )
        {
            used[supMainJoint( character, &mesh, (int32_t)mesh.indices[i] )] = true;
        }
    }
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    for ( size_t i = n; i-- > 0; )
    {
        int32_t joint = order[i], parent = supCharacter_Joint( character, joint )->parent;
        below[joint] = below[joint] || used[joint];
        if ( parent >= 0 && below[joint] )
        {
            below[parent] = true;
            ++branches[parent];
        }
        partOf[joint] = -1;
    }
    int32_t count = 0;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < mesh.vertexCount; ++v )
        {
            int32_t joint = supMainJoint( character, &mesh, v );
            int32_t first = used[joint] ? supFirstOfRow( character, branches, used, joint ) : -1;
            if ( first >= 0 && partOf[first] < 0 )
            {
                names[count] = supCharacter_Joint( character, first )->name;
                partOf[first] = count++;
            }
            parts[mesh.firstVertex + v] = first >= 0 ? partOf[first] : -1;
        }
    }
    supFree( NULL, block, layout.size );
    return count;
}
