// Plain C, naive. Compiled at -O2.
// SPDX-License-Identifier: MIT
#include "bench_plain.h"

void supPlainNaive( void* context )
{
    const supPlainJob* job = context;
    const supMeshView* mesh = &job->mesh;
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        const float* p = mesh->positions + 3 * v;
        float x = 0.0f, y = 0.0f, z = 0.0f;
        for ( int32_t i = 0; i < mesh->influenceCount; ++i )
        {
            float w = mesh->weights[mesh->influenceCount * v + i];
            const supMat34* m = job->palette + mesh->jointIndices[mesh->influenceCount * v + i];
            x += w * ( m->x.x * p[0] + m->y.x * p[1] + m->z.x * p[2] + m->t.x );
            y += w * ( m->x.y * p[0] + m->y.y * p[1] + m->z.y * p[2] + m->t.y );
            z += w * ( m->x.z * p[0] + m->y.z * p[1] + m->z.z * p[2] + m->t.z );
        }
        job->positions[3 * v] = x;
        job->positions[3 * v + 1] = y;
        job->positions[3 * v + 2] = z;
    }
}
