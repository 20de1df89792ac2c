// Sparse matrices of 3 x 3 blocks.
// SPDX-License-Identifier: MIT

#include "block_matrix.h"

void supBlockMatrix_Multiply( const supBlockMatrix* a, const double* x, double* out )
{
    for ( int32_t i = 0; i < a->count; ++i )
    {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for ( int64_t k = a->starts[i]; k < a->starts[i + 1]; ++k )
        {
            const double* block = a->blocks + 9 * k;
            const double* p = x + 3 * (size_t)a->columns[k];
            for ( int r = 0; r < 3; ++r )
            {
                sum[r] += block[3 * r] * p[0] + block[3 * r + 1] * p[1] + block[3 * r + 2] * p[2];
            }
        }
        for ( int r = 0; r < 3; ++r )
        {
            out[3 * (size_t)i + (size_t)r] = sum[r];
        }
    }
}
