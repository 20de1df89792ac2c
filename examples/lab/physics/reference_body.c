// A body of masses and springs inside a surface.
// SPDX-License-Identifier: MIT
#include "reference_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Inside or outside

/// Whether a ray from p along a fixed, crooked direction passes through the surface an odd number of times.
static bool supIsInside( const supReferenceDef* def, const double p[3] )
{
    static const double ray[3] = { 0.5773, 0.5131, 0.6352 };
    int crossings = 0;
    for ( int32_t i = 0; i < def->indexCount; i += 3 )
    {
        double corner[3][3], e1[3], e2[3], s[3];
        for ( int k = 0; k < 3; ++k )
        {
            for ( int c = 0; c < 3; ++c )
            {
                corner[k][c] = def->positions[3 * def->indices[i + k] + (uint32_t)c];
            }
        }
        for ( int c = 0; c < 3; ++c )
        {
            e1[c] = corner[1][c] - corner[0][c];
            e2[c] = corner[2][c] - corner[0][c];
            s[c] = p[c] - corner[0][c];
        }
        double h[3] = { ray[1] * e2[2] - ray[2] * e2[1], ray[2] * e2[0] - ray[0] * e2[2],
            ray[0] * e2[1] - ray[1] * e2[0] };
        double q[3] = { s[1] * e1[2] - s[2] * e1[1], s[2] * e1[0] - s[0] * e1[2], s[0] * e1[1] - s[1] * e1[0] };
        double det = e1[0] * h[0] + e1[1] * h[1] + e1[2] * h[2];
        double u = ( s[0] * h[0] + s[1] * h[1] + s[2] * h[2] ) / det;
        double v = ( ray[0] * q[0] + ray[1] * q[1] + ray[2] * q[2] ) / det;
        double t = ( e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2] ) / det;
        crossings += u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0;
    }
    return crossings % 2 == 1;
}

// ---------------------------------------------------------------------------------------------------------------
// The lattice

typedef struct supLattice
{
    double origin[3], cell;
    int32_t size[3]; // cubes
    int32_t* index;  // node of each lattice point, -1: none yet; corners first, then middles
    int32_t ( *tetrahedra )[4];
    int32_t tetrahedronCount, capacity;
} supLattice;

static int64_t supPointIndex( const supLattice* l, int middle, int32_t i, int32_t j, int32_t k )
{
    int64_t nx = l->size[0] + 1, ny = l->size[1] + 1, nz = l->size[2] + 1;
    return ( ( middle * nz + k ) * ny + j ) * nx + i;
}

static void supPointPlace( const supLattice* l, int64_t point, double out[3] )
{
    int64_t nx = l->size[0] + 1, ny = l->size[1] + 1, nz = l->size[2] + 1;
    double half = point >= nx * ny * nz ? 0.5 : 0.0;
    point %= nx * ny * nz;
    out[0] = l->origin[0] + l->cell * ( (double)( point % nx ) + half );
    out[1] = l->origin[1] + l->cell * ( (double)( point / nx % ny ) + half );
    out[2] = l->origin[2] + l->cell * ( (double)( point / ( nx * ny ) ) + half );
}

static bool supKeepIfInside( const supReferenceDef* def, supLattice* l, const int64_t points[4] )
{
    double middle[3] = { 0.0, 0.0, 0.0 }, p[3];
    for ( int i = 0; i < 4; ++i )
    {
        supPointPlace( l, points[i], p );
        for ( int c = 0; c < 3; ++c )
        {
            middle[c] += 0.25 * p[c];
        }
    }
    if ( !supIsInside( def, middle ) )
    {
        return true;
    }
    if ( l->tetrahedronCount == l->capacity )
    {
        l->capacity = 2 * l->capacity + 256;
        void* grown = realloc( l->tetrahedra, sizeof( *l->tetrahedra ) * (size_t)l->capacity );
        if ( grown == NULL )
        {
            return false;
        }
        l->tetrahedra = (int32_t( * )[4])grown;
    }
    for ( int i = 0; i < 4; ++i )
    {
        l->tetrahedra[l->tetrahedronCount][i] = (int32_t)points[i];
    }
    l->tetrahedronCount += 1;
    return true;
}

/// Four tetrahedra around the line between two neighbouring middles, one for each edge of the face they share.
static bool supFillFace( const supReferenceDef* def, supLattice* l, int axis, int32_t i, int32_t j, int32_t k )
{
    int32_t here[3] = { i, j, k }, next[3] = { i, j, k };
    next[axis] += 1;
    int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
    static const int around[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
    for ( int e = 0; e < 4; ++e )
    {
        int32_t a[3] = { next[0], next[1], next[2] }, b[3] = { next[0], next[1], next[2] };
        a[u] += around[e][0];
        a[v] += around[e][1];
        b[u] += around[e + 1][0];
        b[v] += around[e + 1][1];
        const int64_t points[4] = { supPointIndex( l, 1, here[0], here[1], here[2] ),
            supPointIndex( l, 1, next[0], next[1], next[2] ), supPointIndex( l, 0, a[0], a[1], a[2] ),
            supPointIndex( l, 0, b[0], b[1], b[2] ) };
        if ( !supKeepIfInside( def, l, points ) )
        {
            return false;
        }
    }
    return true;
}

static bool supFillLattice( const supReferenceDef* def, supLattice* l )
{
    double lower[3] = { 1e30, 1e30, 1e30 }, upper[3] = { -1e30, -1e30, -1e30 };
    for ( int32_t v = 0; v < def->vertexCount; ++v )
    {
        for ( int c = 0; c < 3; ++c )
        {
            lower[c] = fmin( lower[c], def->positions[3 * v + c] );
            upper[c] = fmax( upper[c], def->positions[3 * v + c] );
        }
    }
    memset( l, 0, sizeof( *l ) );
    l->cell = def->cell;
    for ( int c = 0; c < 3; ++c )
    {
        l->size[c] = (int32_t)ceil( ( upper[c] - lower[c] ) / def->cell ) + 2;
        l->origin[c] = 0.5 * ( lower[c] + upper[c] - l->size[c] * def->cell ); // in the middle: left and right alike
    }
    bool good = true;
    for ( int axis = 0; axis < 3; ++axis )
    {
        for ( int32_t k = 0; k + ( axis == 2 ) < l->size[2] && good; ++k )
        {
            for ( int32_t j = 0; j + ( axis == 1 ) < l->size[1] && good; ++j )
            {
                for ( int32_t i = 0; i + ( axis == 0 ) < l->size[0] && good; ++i )
                {
                    good = supFillFace( def, l, axis, i, j, k );
                }
            }
        }
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes and springs

static double supDistanceToBone( const supReferenceDef* def, const double p[3] )
{
    double along[3], d[3], dot = 0.0, squared = 0.0, sum = 0.0;
    for ( int c = 0; c < 3; ++c )
    {
        along[c] = def->boneTo[c] - def->boneFrom[c];
        d[c] = p[c] - def->boneFrom[c];
        dot += along[c] * d[c];
        squared += along[c] * along[c];
    }
    double t = fmin( fmax( dot / squared, 0.0 ), 1.0 );
    for ( int c = 0; c < 3; ++c )
    {
        sum += ( d[c] - t * along[c] ) * ( d[c] - t * along[c] );
    }
    return sqrt( sum );
}

static bool supNumberNodes( const supReferenceDef* def, supLattice* l, supReference* out )
{
    int64_t points = 2 * (int64_t)( l->size[0] + 1 ) * ( l->size[1] + 1 ) * ( l->size[2] + 1 );
    l->index = (int32_t*)malloc( sizeof( int32_t ) * (size_t)points );
    out->nodes = (supNode*)calloc( (size_t)( 4 * l->tetrahedronCount + 1 ), sizeof( supNode ) );
    if ( l->index == NULL || out->nodes == NULL )
    {
        return false;
    }
    memset( l->index, 0xff, sizeof( int32_t ) * (size_t)points );
    for ( int32_t t = 0; t < l->tetrahedronCount; ++t )
    {
        for ( int i = 0; i < 4; ++i )
        {
            int32_t* node = l->index + l->tetrahedra[t][i];
            if ( *node < 0 )
            {
                *node = out->nodeCount++;
                supNode* made = out->nodes + *node;
                supPointPlace( l, l->tetrahedra[t][i], made->rest );
                made->rigid = supDistanceToBone( def, made->rest ) <= def->boneRadius;
                out->rigidCount += made->rigid;
            }
            l->tetrahedra[t][i] = *node;
        }
    }
    return true;
}

static double supVolume( const supReference* body, const int32_t tetrahedron[4] )
{
    double e[3][3];
    for ( int i = 0; i < 3; ++i )
    {
        for ( int c = 0; c < 3; ++c )
        {
            e[i][c] = body->nodes[tetrahedron[i + 1]].rest[c] - body->nodes[tetrahedron[0]].rest[c];
        }
    }
    double det = e[0][0] * ( e[1][1] * e[2][2] - e[1][2] * e[2][1] ) -
                 e[0][1] * ( e[1][0] * e[2][2] - e[1][2] * e[2][0] ) +
                 e[0][2] * ( e[1][0] * e[2][1] - e[1][1] * e[2][0] );
    return fabs( det ) / 6.0;
}

// Shares of the springs along the lattice's axes and along the diagonals of its cubes: derived in the header.
static const double supAxisShare = 1.2, supDiagonalShare = 0.9;

static int supCompareEdges( const void* a, const void* b )
{
    const supEdge *x = (const supEdge*)a, *y = (const supEdge*)b;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/// One spring for each edge; `stiffness` first gathers the volume around it.
static bool supLinkNodes( const supReferenceDef* def, const supLattice* l, supReference* out )
{
    out->edges = (supEdge*)calloc( (size_t)( 6 * l->tetrahedronCount + 1 ), sizeof( supEdge ) );
    if ( out->edges == NULL )
    {
        return false;
    }
    int32_t count = 0;
    for ( int32_t t = 0; t < l->tetrahedronCount; ++t )
    {
        double volume = supVolume( out, l->tetrahedra[t] );
        out->volume += volume;
        for ( int i = 0; i < 4; ++i )
        {
            out->nodes[l->tetrahedra[t][i]].mass += 0.25 * volume * def->density;
            for ( int j = i + 1; j < 4; ++j )
            {
                int32_t a = l->tetrahedra[t][i], b = l->tetrahedra[t][j];
                out->edges[count++] = ( supEdge ){ a < b ? a : b, a < b ? b : a, 0.0, volume, 0.0 };
            }
        }
    }
    qsort( out->edges, (size_t)count, sizeof( supEdge ), supCompareEdges );
    for ( int32_t i = 0; i < count; ++i )
    {
        supEdge* last = out->edges + out->edgeCount - 1;
        if ( out->edgeCount > 0 && last->a == out->edges[i].a && last->b == out->edges[i].b )
        {
            last->stiffness += out->edges[i].stiffness;
        }
        else
        {
            out->edges[out->edgeCount++] = out->edges[i];
        }
    }
    for ( int32_t i = 0; i < out->edgeCount; ++i )
    {
        supEdge* edge = out->edges + i;
        const double *a = out->nodes[edge->a].rest, *b = out->nodes[edge->b].rest;
        edge->length = sqrt(
            ( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) + ( a[2] - b[2] ) * ( a[2] - b[2] ) );
        double share = edge->length > 0.93 * def->cell ? supAxisShare : supDiagonalShare; // 1 or 0.866 cells long
        edge->stiffness *= share * def->young / ( edge->length * edge->length );
        edge->damping = def->damping * edge->stiffness;
    }
    out->mass = def->density * out->volume;
    return true;
}

/// Barycentric coordinates of p; gives the smallest: above 0 inside.
static double supBarycentric( const supReference* body, const int32_t t[4], const double p[3], double w[4] )
{
    double m[3][3], d[3];
    for ( int c = 0; c < 3; ++c )
    {
        for ( int i = 0; i < 3; ++i )
        {
            m[c][i] = body->nodes[t[i + 1]].rest[c] - body->nodes[t[0]].rest[c];
        }
        d[c] = p[c] - body->nodes[t[0]].rest[c];
    }
    double det = m[0][0] * ( m[1][1] * m[2][2] - m[1][2] * m[2][1] ) -
                 m[0][1] * ( m[1][0] * m[2][2] - m[1][2] * m[2][0] ) +
                 m[0][2] * ( m[1][0] * m[2][1] - m[1][1] * m[2][0] );
    w[1] = ( d[0] * ( m[1][1] * m[2][2] - m[1][2] * m[2][1] ) - m[0][1] * ( d[1] * m[2][2] - m[1][2] * d[2] ) +
               m[0][2] * ( d[1] * m[2][1] - m[1][1] * d[2] ) ) /
           det;
    w[2] = ( m[0][0] * ( d[1] * m[2][2] - m[1][2] * d[2] ) - d[0] * ( m[1][0] * m[2][2] - m[1][2] * m[2][0] ) +
               m[0][2] * ( m[1][0] * d[2] - d[1] * m[2][0] ) ) /
           det;
    w[3] = ( m[0][0] * ( m[1][1] * d[2] - d[1] * m[2][1] ) - m[0][1] * ( m[1][0] * d[2] - d[1] * m[2][0] ) +
               d[0] * ( m[1][0] * m[2][1] - m[1][1] * m[2][0] ) ) /
           det;
    w[0] = 1.0 - w[1] - w[2] - w[3];
    return fmin( fmin( w[0], w[1] ), fmin( w[2], w[3] ) );
}

static bool supBindSurface( const supReferenceDef* def, const supLattice* l, supReference* out )
{
    out->vertexCount = def->vertexCount;
    out->bindings = (supBinding*)calloc( (size_t)def->vertexCount, sizeof( supBinding ) );
    for ( int32_t v = 0; v < def->vertexCount && out->bindings != NULL; ++v )
    {
        const double p[3] = { def->positions[3 * v], def->positions[3 * v + 1], def->positions[3 * v + 2] };
        double best = -1e30;
        for ( int32_t t = 0; t < l->tetrahedronCount; ++t )
        {
            double w[4], least = supBarycentric( out, l->tetrahedra[t], p, w );
            if ( least > best )
            {
                best = least;
                memcpy( out->bindings[v].nodes, l->tetrahedra[t], sizeof( out->bindings[v].nodes ) );
                memcpy( out->bindings[v].weights, w, sizeof( w ) );
            }
        }
    }
    return out->bindings != NULL;
}

bool supMakeReference( const supReferenceDef* def, supReference* out )
{
    memset( out, 0, sizeof( *out ) );
    supLattice lattice;
    bool good = supFillLattice( def, &lattice ) && supNumberNodes( def, &lattice, out ) &&
                supLinkNodes( def, &lattice, out ) && supBindSurface( def, &lattice, out );
    out->tetrahedronCount = lattice.tetrahedronCount;
    out->forces = good ? (double*)calloc( (size_t)( 3 * out->nodeCount ), sizeof( double ) ) : NULL;
    free( lattice.tetrahedra );
    free( lattice.index );
    if ( out->forces == NULL )
    {
        supDropReference( out );
        return false;
    }
    return true;
}

void supDropReference( supReference* body )
{
    free( body->nodes );
    free( body->edges );
    free( body->bindings );
    free( body->forces );
    memset( body, 0, sizeof( *body ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Time

static void supCarry( const supBoneMotion* motion, const double rest[3], double out[3] )
{
    for ( int c = 0; c < 3; ++c )
    {
        out[c] = motion->turn[c] * rest[0] + motion->turn[3 + c] * rest[1] + motion->turn[6 + c] * rest[2] +
                 motion->shift[c];
    }
}

void supReference_Reset( supReference* body, const supBoneMotion* motion )
{
    for ( int32_t i = 0; i < body->nodeCount; ++i )
    {
        supCarry( motion, body->nodes[i].rest, body->nodes[i].place );
        memset( body->nodes[i].speed, 0, sizeof( body->nodes[i].speed ) );
    }
}

static void supAddSpringForces( supReference* body )
{
    for ( int32_t i = 0; i < body->edgeCount; ++i )
    {
        const supEdge* edge = body->edges + i;
        const supNode *a = body->nodes + edge->a, *b = body->nodes + edge->b;
        double d[3] = { b->place[0] - a->place[0], b->place[1] - a->place[1], b->place[2] - a->place[2] };
        double length = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] ), inverse = 1.0 / length;
        double rate = inverse * ( ( b->speed[0] - a->speed[0] ) * d[0] + ( b->speed[1] - a->speed[1] ) * d[1] +
                                    ( b->speed[2] - a->speed[2] ) * d[2] );
        double force = inverse * ( edge->stiffness * ( length - edge->length ) + edge->damping * rate );
        for ( int c = 0; c < 3; ++c )
        {
            body->forces[3 * edge->a + c] += force * d[c];
            body->forces[3 * edge->b + c] -= force * d[c];
        }
    }
}

void supReference_Step( supReference* body, const supBoneMotion* motion, const double gravity[3], double dt )
{
    memset( body->forces, 0, sizeof( double ) * 3 * (size_t)body->nodeCount );
    supAddSpringForces( body );
    for ( int32_t i = 0; i < body->nodeCount; ++i )
    {
        supNode* node = body->nodes + i;
        double before[3] = { node->place[0], node->place[1], node->place[2] };
        if ( node->rigid )
        {
            supCarry( motion, node->rest, node->place );
        }
        for ( int c = 0; c < 3; ++c )
        {
            if ( node->rigid )
            {
                node->speed[c] = ( node->place[c] - before[c] ) / dt;
                continue;
            }
            node->speed[c] += dt * ( body->forces[3 * i + c] / node->mass + gravity[c] );
            node->place[c] += dt * node->speed[c];
        }
    }
}

void supReference_Vertex( const supReference* body, int32_t vertex, double out[3] )
{
    const supBinding* binding = body->bindings + vertex;
    for ( int c = 0; c < 3; ++c )
    {
        out[c] = 0.0;
        for ( int i = 0; i < 4; ++i )
        {
            out[c] += binding->weights[i] * body->nodes[binding->nodes[i]].place[c];
        }
    }
}

double supReference_StrainEnergy( const supReference* body, const double e[6] )
{
    double energy = 0.0;
    for ( int32_t i = 0; i < body->edgeCount; ++i )
    {
        const supEdge* edge = body->edges + i;
        const double *a = body->nodes[edge->a].rest, *b = body->nodes[edge->b].rest;
        double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        double longer =
            e[0] * x * x + e[1] * y * y + e[2] * z * z + 2.0 * ( e[3] * x * y + e[4] * y * z + e[5] * z * x );
        longer /= edge->length;
        energy += 0.5 * edge->stiffness * longer * longer;
    }
    return energy;
}

static bool supIsStable( supReference* body, double dt )
{
    static const supBoneMotion still = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };
    static const double none[3] = { 0.0, 0.0, 0.0 };
    supReference_Reset( body, &still );
    for ( int32_t i = 0; i < body->nodeCount; ++i )
    {
        // a rough push, different for every node: all modes are in it
        body->nodes[i].speed[i % 3] = body->nodes[i].rigid ? 0.0 : 1e-3 * ( ( i * 7919 ) % 13 - 6 );
    }
    double speed = 0.0;
    for ( int n = 0; n < 1500 && speed < 1.0; ++n )
    {
        supReference_Step( body, &still, none, dt );
        speed = 0.0;
        for ( int32_t i = 0; i < body->nodeCount; ++i )
        {
            const double* v = body->nodes[i].speed;
            speed = fmax( speed, fabs( v[0] ) + fabs( v[1] ) + fabs( v[2] ) );
        }
    }
    return speed < 0.1; // false for NaN too
}

double supReference_StableStep( supReference* body )
{
    double good = 1e-6, bad = 0.1;
    while ( bad / good > 1.02 )
    {
        double middle = sqrt( good * bad );
        if ( supIsStable( body, middle ) )
        {
            good = middle;
        }
        else
        {
            bad = middle;
        }
    }
    return good;
}
