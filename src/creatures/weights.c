// Supple: smooth influences of bones on a skin.
// SPDX-License-Identifier: MIT
//
// After Baran, Popovic, "Automatic rigging and animation of 3D characters", 2007: each bone in turn is held at one
// degree and the others at none; heat flows from the bone to the skin next to it, the better the nearer, and along the
// skin. In balance
//
//     ( L + H ) w = H p
//
// with L the cotangent Laplacian, H = area / distance^2 to the nearest bone that is seen through flesh alone, and p = 1
// where that is this bone. All bones' p sum to one, so their w do, and w stays between 0 and 1. Bones on the right are
// the mirror images of those on the left and are not solved for.

#include "creatures/surface.h"

#define SUP_MAX_RING 24

typedef struct supHeat
{
    const supCreatureSurface* surface;
    const supDraft* draft;
    int32_t n;
    int32_t* ringCounts;
    int32_t* ring;   // SUP_MAX_RING a vertex
    double* conduct; // of each ring edge, at least 0
    double* areas;
    double* hold;      // H
    double* diagonal;  // of L + H
    double* nearest;   // distance to the nearest bone's flesh
    double* depths;    // distance to that bone itself
    double* distances; // of the bones, one vertex at a time: jointCount
    double* share;     // p: jointCount a vertex
    double* heat;      // w: jointCount a vertex
    double *x, *r, *z, *d, *q;
} supHeat;

static double supSegmentDistance( supVec3d p, supVec3d a, supVec3d b, supVec3d* foot )
{
    supVec3d along = supSubD( b, a );
    double square = supDotD( along, along );
    double t = square > 0.0 ? supClamp( supDotD( supSubD( p, a ), along ) / square, 0.0, 1.0 ) : 0.0;
    *foot = supMulAddD( a, t, along );
    return supLengthD( supSubD( p, *foot ) );
}

// Whether the way from the skin to the bone stays in the flesh.
static bool supSeesBone( const supSolid* field, supVec3d from, supVec3d to )
{
    for ( int32_t i = 1; i <= 6; ++i )
    {
        if ( supSolid_Distance( field, supLerpD( from, to, i / 7.0 ), NULL ) > 0.1 * field->edge )
        {
            return false;
        }
    }
    return true;
}

// Finds the nearest bone of a vertex, and shares it among bones that are equally near, as at a joint between two.
static void supFindNearest( supHeat* h, int32_t v )
{
    const supDraft* draft = h->draft;
    supVec3d p = h->surface->points[v], foot;
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        const supDraftJoint* joint = &draft->joints[j];
        h->distances[j] = joint->bone ? supSegmentDistance( p, joint->start, joint->tip, &foot ) - joint->girth : 1e30;
    }
    double nearest = 1e30, seen = 1e30;
    double passed = -1e30;
    // In rising order, until one is seen.
    for ( int32_t tries = 0; tries < 4 && seen == 1e30; ++tries )
    {
        int32_t best = -1;
        for ( int32_t j = 0; j < draft->jointCount; ++j )
        {
            if ( draft->joints[j].bone && h->distances[j] > passed &&
                 ( best < 0 || h->distances[j] < h->distances[best] ) )
            {
                best = j;
            }
        }
        if ( best < 0 )
        {
            break;
        }
        passed = h->distances[best];
        nearest = supMin( nearest, passed );
        double depth = supSegmentDistance( p, draft->joints[best].start, draft->joints[best].tip, &foot );
        // A thick bone holds its skin from closer by, but not from within the skin.
        depth = supMax( depth - 0.5 * draft->joints[best].girth, 0.3 * depth );
        h->depths[v] = tries == 0 ? depth : h->depths[v];
        if ( supSeesBone( &draft->field, p, foot ) )
        {
            seen = passed;
            h->depths[v] = depth;
        }
    }
    h->nearest[v] = seen < 1e30 ? seen : nearest;
    double count = 0.0;
    for ( int32_t pass = 0; pass < 2; ++pass )
    {
        for ( int32_t j = 0; j < draft->jointCount; ++j )
        {
            bool near = supAbs( h->distances[j] - h->nearest[v] ) < 1e-4;
            count += pass == 0 && near ? 1.0 : 0.0;
            h->share[(size_t)v * (size_t)draft->jointCount + (size_t)j] = near && count > 0.0 ? 1.0 / count : 0.0;
        }
    }
}

static void supMirrorShares( supHeat* h )
{
    int32_t joints = h->draft->jointCount;
    for ( int32_t v = 0; v < h->surface->halfCount; ++v )
    {
        int32_t twin = h->surface->twins[v];
        if ( twin != v )
        {
            h->depths[twin] = h->depths[v];
            for ( int32_t j = 0; j < joints; ++j )
            {
                h->share[twin * joints + h->draft->joints[j].twin] = h->share[v * joints + j];
            }
        }
    }
}

static bool supAddConductance( supHeat* h, int32_t a, int32_t b, double value )
{
    int32_t* ring = h->ring + (size_t)a * SUP_MAX_RING;
    int32_t i = 0;
    while ( i < h->ringCounts[a] && ring[i] != b )
    {
        ++i;
    }
    if ( i == SUP_MAX_RING )
    {
        return false;
    }
    if ( i == h->ringCounts[a] )
    {
        ring[i] = b;
        h->ringCounts[a] += 1;
    }
    h->conduct[(size_t)a * SUP_MAX_RING + (size_t)i] += value;
    return true;
}

static bool supBuildLaplacian( supHeat* h )
{
    const supCreatureSurface* s = h->surface;
    for ( int32_t t = 0; t < s->triangleCount; ++t )
    {
        for ( int32_t i = 0; i < 3; ++i )
        {
            int32_t a = (int32_t)s->indices[3 * t + i], b = (int32_t)s->indices[3 * t + ( i + 1 ) % 3];
            int32_t c = (int32_t)s->indices[3 * t + ( i + 2 ) % 3];
            supVec3d u = supSubD( s->points[a], s->points[c] ), v = supSubD( s->points[b], s->points[c] );
            double area = supLengthD( supCrossD( u, v ) );
            double half = 0.5 * supMax( supDotD( u, v ) / area, 0.0 );
            if ( !supAddConductance( h, a, b, half ) || !supAddConductance( h, b, a, half ) )
            {
                return false;
            }
            h->areas[c] += area / 6.0;
        }
    }
    for ( int32_t v = 0; v < h->n; ++v )
    {
        h->hold[v] = h->areas[v] / ( h->depths[v] * h->depths[v] );
        h->diagonal[v] = h->hold[v];
        for ( int32_t i = 0; i < h->ringCounts[v]; ++i )
        {
            h->diagonal[v] += h->conduct[(size_t)v * SUP_MAX_RING + (size_t)i];
        }
    }
    return true;
}

static void supApplyHeat( const supHeat* h, const double* x, double* out )
{
    for ( int32_t v = 0; v < h->n; ++v )
    {
        double sum = h->diagonal[v] * x[v];
        const int32_t* ring = h->ring + (size_t)v * SUP_MAX_RING;
        const double* conduct = h->conduct + (size_t)v * SUP_MAX_RING;
        for ( int32_t i = 0; i < h->ringCounts[v]; ++i )
        {
            sum -= conduct[i] * x[ring[i]];
        }
        out[v] = sum;
    }
}

// Conjugate gradients with the diagonal as preconditioner, to a residual of 1e-5 of the first.
static void supSolveHeat( supHeat* h, int32_t joint )
{
    int32_t n = h->n, joints = h->draft->jointCount;
    double rz = 0.0;
    for ( int32_t v = 0; v < n; ++v )
    {
        h->x[v] = 0.0;
        h->r[v] = h->hold[v] * h->share[v * joints + joint];
        h->z[v] = h->r[v] / h->diagonal[v];
        h->d[v] = h->z[v];
        rz += h->r[v] * h->z[v];
    }
    double stop = rz * 1e-10;
    for ( int32_t step = 0; step < 300 && rz > stop; ++step )
    {
        supApplyHeat( h, h->d, h->q );
        double dq = 0.0, next = 0.0;
        for ( int32_t v = 0; v < n; ++v )
        {
            dq += h->d[v] * h->q[v];
        }
        double alpha = rz / dq;
        for ( int32_t v = 0; v < n; ++v )
        {
            h->x[v] += alpha * h->d[v];
            h->r[v] -= alpha * h->q[v];
            h->z[v] = h->r[v] / h->diagonal[v];
            next += h->r[v] * h->z[v];
        }
        double beta = next / rz;
        for ( int32_t v = 0; v < n; ++v )
        {
            h->d[v] = h->z[v] + beta * h->d[v];
        }
        rz = next;
    }
    int32_t twin = h->draft->joints[joint].twin;
    for ( int32_t v = 0; v < n; ++v )
    {
        double own = twin == joint ? 0.5 * ( h->x[v] + h->x[h->surface->twins[v]] ) : h->x[v];
        h->heat[v * joints + joint] = own;
        h->heat[h->surface->twins[v] * joints + twin] = own;
    }
}

// The four largest of a vertex, falling. In the plane x = 0 a pair counts as one: both are kept, or neither.
static void supKeepLargest( supCreatureSurface* s, const supDraft* draft, int32_t v, double* heat )
{
    uint16_t* joints = s->joints + SUP_SKIN_INFLUENCES * v;
    float* weights = s->weights + SUP_SKIN_INFLUENCES * v;
    double kept[SUP_SKIN_INFLUENCES] = { 0.0 }, sum = 0.0;
    int32_t count = 0;
    // Faint influences fade out smoothly before the fifth and smaller ones are cut.
    for ( int32_t j = 0; j < draft->jointCount; ++j )
    {
        heat[j] = supMax( heat[j] - 0.02, 0.0 );
    }
    while ( count < SUP_SKIN_INFLUENCES )
    {
        int32_t best = 0;
        for ( int32_t j = 1; j < draft->jointCount; ++j )
        {
            best = heat[j] > heat[best] ? j : best;
        }
        int32_t twin = draft->joints[best].twin;
        bool pair = s->twins[v] == v && twin != best;
        if ( heat[best] <= 0.0 || ( pair && count + 2 > SUP_SKIN_INFLUENCES ) )
        {
            break;
        }
        for ( int32_t i = 0; i < ( pair ? 2 : 1 ); ++i )
        {
            int32_t j = i == 0 ? best : twin;
            kept[count] = heat[best];
            sum += heat[best];
            joints[count++] = (uint16_t)j;
        }
        heat[best] = 0.0;
        heat[twin] = pair ? 0.0 : heat[twin];
    }
    for ( int32_t i = 0; i < SUP_SKIN_INFLUENCES; ++i )
    {
        weights[i] = i < count ? (float)( kept[i] / sum ) : 0.0f;
        joints[i] = i < count ? joints[i] : joints[0];
    }
}

static void supWriteWeights( supCreatureSurface* s, supHeat* h )
{
    for ( int32_t v = 0; v < s->halfCount; ++v )
    {
        supKeepLargest( s, h->draft, v, h->heat + (size_t)v * (size_t)h->draft->jointCount );
        int32_t twin = s->twins[v];
        for ( int32_t i = 0; i < SUP_SKIN_INFLUENCES && twin != v; ++i )
        {
            int32_t joint = s->joints[SUP_SKIN_INFLUENCES * v + i];
            s->joints[SUP_SKIN_INFLUENCES * twin + i] = (uint16_t)h->draft->joints[joint].twin;
            s->weights[SUP_SKIN_INFLUENCES * twin + i] = s->weights[SUP_SKIN_INFLUENCES * v + i];
        }
    }
}

static void* supAllocateHeat( supHeat* h, const supAllocator* allocator, supLayout* layout )
{
    size_t n = (size_t)h->n, joints = (size_t)h->draft->jointCount;
    *layout = supMakeLayout();
    SUP_PUT( layout, h->ringCounts, n );
    SUP_PUT( layout, h->ring, n * SUP_MAX_RING );
    SUP_PUT( layout, h->conduct, n * SUP_MAX_RING );
    double** vectors[10] = { &h->areas, &h->hold, &h->diagonal, &h->nearest, &h->depths, &h->x, &h->r, &h->z, &h->d,
        &h->q };
    for ( size_t i = 0; i < 10; ++i )
    {
        SUP_PUT( layout, *vectors[i], n );
    }
    SUP_PUT( layout, h->distances, joints );
    SUP_PUT( layout, h->share, n * joints );
    SUP_PUT( layout, h->heat, n * joints );
    return supAllocLayout( allocator, layout );
}

supResult supBindSurface(
    supCreatureSurface* surface, const supDraft* draft, const supAllocator* allocator, supError* error )
{
    supHeat h = { .surface = surface, .draft = draft, .n = surface->vertexCount };
    supLayout layout;
    void* block = supAllocateHeat( &h, allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to bind %d vertices", h.n );
    }
    for ( int32_t v = 0; v < surface->halfCount; ++v )
    {
        supFindNearest( &h, v );
    }
    supMirrorShares( &h );
    supResult result = sup_success;
    if ( !supBuildLaplacian( &h ) )
    {
        result = supFail( error, sup_errorLimit, "more than %d edges at a vertex", SUP_MAX_RING );
    }
    for ( int32_t j = 0; j < draft->jointCount && result == sup_success; ++j )
    {
        if ( draft->joints[j].bone && draft->joints[j].twin >= j )
        {
            supSolveHeat( &h, j );
        }
    }
    if ( result == sup_success )
    {
        supWriteWeights( surface, &h );
    }
    supFree( allocator, block, layout.size );
    return result;
}
