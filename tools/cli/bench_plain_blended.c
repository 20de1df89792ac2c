// Plain C with blended matrices and with dual quaternions. Compiled at -O3.
// SPDX-License-Identifier: MIT
#include "bench_plain.h"

#include <math.h>

/// The blended matrix of a vertex, 12 floats as a supMat34.
static inline void supPlainBlend( const supPlainJob* job, int32_t v, float* restrict m )
{
    const supMeshView* mesh = &job->mesh;
    for ( int k = 0; k < 12; ++k )
    {
        m[k] = 0.0f;
    }
    for ( int32_t i = 0; i < mesh->influenceCount; ++i )
    {
        float w = mesh->weights[mesh->influenceCount * v + i];
        const float* from = &job->palette[mesh->jointIndices[mesh->influenceCount * v + i]].x.x;
        for ( int k = 0; k < 12; ++k )
        {
            m[k] += w * from[k];
        }
    }
}

static inline void supPlainPlace( const supPlainJob* job, int32_t v, const float* m )
{
    const float* p = job->mesh.positions + 3 * v;
    for ( int c = 0; c < 3; ++c )
    {
        job->positions[3 * v + c] = m[c] * p[0] + m[3 + c] * p[1] + m[6 + c] * p[2] + m[9 + c];
    }
}

void supPlainBlended( void* context )
{
    const supPlainJob* job = context;
    for ( int32_t v = 0; v < job->mesh.vertexCount; ++v )
    {
        float m[12];
        supPlainBlend( job, v, m );
        supPlainPlace( job, v, m );
    }
}

void supPlainBlendedNormals( void* context )
{
    const supPlainJob* job = context;
    for ( int32_t v = 0; v < job->mesh.vertexCount; ++v )
    {
        float m[12], n[3];
        supPlainBlend( job, v, m );
        supPlainPlace( job, v, m );
        const float* r = job->mesh.normals + 3 * v;
        for ( int c = 0; c < 3; ++c )
        {
            n[c] = m[c] * r[0] + m[3 + c] * r[1] + m[6 + c] * r[2];
        }
        float scale = 1.0f / sqrtf( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
        for ( int c = 0; c < 3; ++c )
        {
            job->normals[3 * v + c] = n[c] * scale;
        }
    }
}

void supPlainDualPalette( const supMat34* palette, int32_t count, float* duals )
{
    for ( int32_t j = 0; j < count; ++j, duals += 8 )
    {
        const supMat34* m = palette + j;
        // the largest of the four comes first (Shepperd, "Quaternion from rotation matrix", 1978)
        float ww = m->x.x + m->y.y + m->z.z, most = fmaxf( fmaxf( m->x.x, m->y.y ), fmaxf( m->z.z, ww ) );
        float q[4];
        if ( most == ww )
        {
            float s = 0.5f / sqrtf( 1.0f + ww );
            q[0] = ( m->y.z - m->z.y ) * s, q[1] = ( m->z.x - m->x.z ) * s, q[2] = ( m->x.y - m->y.x ) * s;
            q[3] = 0.25f / s;
        }
        else
        {
            int a = most == m->x.x ? 0 : most == m->y.y ? 1 : 2, b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
            const float* e = &m->x.x; // e[3 * column + row]
            float s = 0.5f / sqrtf( 1.0f + e[4 * a] - e[4 * b] - e[4 * c] );
            q[a] = 0.25f / s;
            q[b] = ( e[3 * a + b] + e[3 * b + a] ) * s;
            q[c] = ( e[3 * a + c] + e[3 * c + a] ) * s;
            q[3] = ( e[3 * b + c] - e[3 * c + b] ) * s;
        }
        const float t[3] = { 0.5f * m->t.x, 0.5f * m->t.y, 0.5f * m->t.z };
        for ( int k = 0; k < 4; ++k )
        {
            duals[k] = q[k];
        }
        duals[4] = t[0] * q[3] + t[1] * q[2] - t[2] * q[1];
        duals[5] = t[1] * q[3] + t[2] * q[0] - t[0] * q[2];
        duals[6] = t[2] * q[3] + t[0] * q[1] - t[1] * q[0];
        duals[7] = -t[0] * q[0] - t[1] * q[1] - t[2] * q[2];
    }
}

void supPlainDual( void* context )
{
    const supPlainJob* job = context;
    const supMeshView* mesh = &job->mesh;
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        float q[8] = { 0.0f };
        const float* first = job->duals + 8 * mesh->jointIndices[mesh->influenceCount * v];
        for ( int32_t i = 0; i < mesh->influenceCount; ++i )
        {
            float w = mesh->weights[mesh->influenceCount * v + i];
            const float* d = job->duals + 8 * mesh->jointIndices[mesh->influenceCount * v + i];
            w = first[0] * d[0] + first[1] * d[1] + first[2] * d[2] + first[3] * d[3] < 0.0f ? -w : w;
            for ( int k = 0; k < 8; ++k )
            {
                q[k] += w * d[k];
            }
        }
        const float* p = mesh->positions + 3 * v;
        float scale = 2.0f / ( q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] );
        float a = q[1] * p[2] - q[2] * p[1] + q[3] * p[0] + q[4], b = q[2] * p[0] - q[0] * p[2] + q[3] * p[1] + q[5];
        float c = q[0] * p[1] - q[1] * p[0] + q[3] * p[2] + q[6];
        job->positions[3 * v] = p[0] + scale * ( q[1] * c - q[2] * b + q[3] * q[4] - q[7] * q[0] );
        job->positions[3 * v + 1] = p[1] + scale * ( q[2] * a - q[0] * c + q[3] * q[5] - q[7] * q[1] );
        job->positions[3 * v + 2] = p[2] + scale * ( q[0] * b - q[1] * a + q[3] * q[6] - q[7] * q[2] );
    }
}
