// The wide float on the path that every processor of the build has: SSE2, NEON, WASM SIMD or scalar.
#include "support/hash_scenes.h"
#include "support/wide_ops.h"

#define SUP_WIDE_COUNT 480

void supScene_Wide( supHash* hash, supTasks tasks )
{
    (void)tasks;
    float a[SUP_WIDE_COUNT], b[SUP_WIDE_COUNT], c[SUP_WIDE_COUNT];
    uint64_t seed = 3;
    for ( int i = 0; i < SUP_WIDE_COUNT; ++i )
    {
        a[i] = (float)( 10.0 * supTestNumber( &seed ) );
        b[i] = i % 9 == 0 ? a[i] : (float)( 10.0 * supTestNumber( &seed ) );
        c[i] = (float)supTestNumber( &seed );
    }
    // zeros of both signs, and a division by zero
    a[10] = 0.0f;
    b[10] = -0.0f;
    b[11] = 0.0f;
    static float out[sup_wideOperationCount * SUP_WIDE_COUNT];
    uint32_t masks[SUP_WIDE_COUNT / 16];
    supWideAnswers answers = { .out = out, .masks = masks };
    supWideOpsBest( &( supWideCase ){ a, b, c, SUP_WIDE_COUNT }, &answers );
    supHash_Floats( hash, out, sup_wideFma * SUP_WIDE_COUNT ); // all before the one that may round differently
    supHash_Floats( hash, answers.sums, 200 );
    for ( int i = 0; i < SUP_WIDE_COUNT / 16; ++i )
    {
        supHash_Word( hash, masks[i] );
    }
}
