// Every reason for which a skinning job is refused: a good job, broken in one way at a time.
#include "supple/lab/skin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const uint16_t sup_indices[8] = { 0, 1, 0, 1, 0, 1, 0, 1 };
static const float sup_weights[8] = { 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f };
static const float sup_numbers[16] = { 1.0f, 2.0f, 3.0f };
static const float* const sup_targets[1] = { sup_numbers };
static supMat34 sup_palette[2];
static float sup_out[3][16];

static supSkinJob supGoodJob( void )
{
    supSkinJob job = supDefaultSkinJob();
    job.vertexCount = 4;
    job.influenceCount = 2;
    job.jointIndices = ( supInStream ){ sup_indices, 4, 4 };
    job.weights = ( supInStream ){ sup_weights, 4, 8 };
    job.palette = sup_palette;
    job.paletteCount = 2;
    job.positions = ( supInStream ){ sup_numbers, 4, 12 };
    job.normals = ( supInStream ){ sup_numbers, 4, 12 };
    job.tangents = ( supInStream ){ sup_numbers, 4, 16 };
    job.morphCount = 1;
    job.morphWeights = sup_numbers;
    job.morphPositions = sup_targets;
    job.outPositions = ( supOutStream ){ sup_out[0], 4, 12 };
    job.outNormals = ( supOutStream ){ sup_out[1], 4, 12 };
    job.outTangents = ( supOutStream ){ sup_out[2], 4, 16 };
    return job;
}

#define SUP_BREAK( name, statement )                                                                                   \
    static void name( supSkinJob* job )                                                                                \
    {                                                                                                                  \
        statement;                                                                                                     \
    }

SUP_BREAK( supNoCookie, job->cookie = 0 )
SUP_BREAK( supCountBelowZero, job->vertexCount = -1 )
SUP_BREAK( supNoInfluences, job->influenceCount = 0 )
SUP_BREAK( supNineInfluences, job->influenceCount = 9 )
SUP_BREAK( supIndicesMissing, job->jointIndices.data = NULL )
SUP_BREAK( supWeightsMissing, job->weights.data = NULL )
SUP_BREAK( supPaletteMissing, job->palette = NULL )
SUP_BREAK( supPaletteEmpty, job->paletteCount = 0 )
SUP_BREAK( supNoMethod, job->method = (supSkinning)2 )
SUP_BREAK( supIndicesShort, job->jointIndices.count = 3 )
SUP_BREAK( supWeightsShort, job->weights.count = 3 )
SUP_BREAK( supPositionsShort, job->positions.count = 3 )
SUP_BREAK( supNormalsShort, job->normals.count = 3 )
SUP_BREAK( supTangentsShort, job->tangents.count = 3 )
SUP_BREAK( supOutPositionsShort, job->outPositions.count = 3 )
SUP_BREAK( supOutNormalsShort, job->outNormals.count = 3 )
SUP_BREAK( supOutTangentsShort, job->outTangents.count = 3 )
SUP_BREAK( supIndicesTight, job->jointIndices.stride = 3 )
SUP_BREAK( supWeightsTight, job->weights.stride = 7 )
SUP_BREAK( supPositionsTight, job->positions.stride = 11 )
SUP_BREAK( supNormalsTight, job->normals.stride = 11 )
SUP_BREAK( supTangentsTight, job->tangents.stride = 15 )
SUP_BREAK( supOutPositionsTight, job->outPositions.stride = 0 )
SUP_BREAK( supOutNormalsTight, job->outNormals.stride = -12 )
SUP_BREAK( supOutTangentsTight, job->outTangents.stride = 15 )
SUP_BREAK( supPositionsMissing, job->positions.data = NULL )
SUP_BREAK( supNormalsMissing, job->normals.data = NULL )
SUP_BREAK( supTangentsMissing, job->tangents.data = NULL )
SUP_BREAK( supMorphsBelowZero, job->morphCount = -1 )
SUP_BREAK( supMorphWeightsMissing, job->morphWeights = NULL )
SUP_BREAK( supTargetsMissing, job->morphPositions = NULL )

static void supTestRefusals( void** state )
{
    (void)state;
    static const struct
    {
        void ( *breakJob )( supSkinJob* );
        const char* words;
    } cases[] = {
        { supNoCookie, "was not made by supDefaultSkinJob" },
        { supCountBelowZero, "vertexCount is -1" },
        { supNoInfluences, "influenceCount is 0; 1 to 8 are allowed" },
        { supNineInfluences, "influenceCount is 9; 1 to 8 are allowed" },
        { supIndicesMissing, "jointIndices is missing" },
        { supWeightsMissing, "weights is missing" },
        { supPaletteMissing, "palette is missing" },
        { supPaletteEmpty, "palette is missing" },
        { supNoMethod, "2 is not a method" },
        { supIndicesShort, "jointIndices has 3 items for 4 vertices" },
        { supWeightsShort, "weights has 3 items for 4 vertices" },
        { supPositionsShort, "positions has 3 items for 4 vertices" },
        { supNormalsShort, "normals has 3 items for 4 vertices" },
        { supTangentsShort, "tangents has 3 items for 4 vertices" },
        { supOutPositionsShort, "outPositions has 3 items for 4 vertices" },
        { supOutNormalsShort, "outNormals has 3 items for 4 vertices" },
        { supOutTangentsShort, "outTangents has 3 items for 4 vertices" },
        { supIndicesTight, "the stride of jointIndices is 3 bytes, but its items have 4" },
        { supWeightsTight, "the stride of weights is 7 bytes, but its items have 8" },
        { supPositionsTight, "the stride of positions is 11 bytes, but its items have 12" },
        { supNormalsTight, "the stride of normals is 11 bytes, but its items have 12" },
        { supTangentsTight, "the stride of tangents is 15 bytes, but its items have 16" },
        { supOutPositionsTight, "the stride of outPositions is 0 bytes, but its items have 12" },
        { supOutNormalsTight, "the stride of outNormals is -12 bytes, but its items have 12" },
        { supOutTangentsTight, "the stride of outTangents is 15 bytes, but its items have 16" },
        { supPositionsMissing, "positions are asked for, but not given" },
        { supNormalsMissing, "normals are asked for, but not given" },
        { supTangentsMissing, "tangents are asked for, but not given" },
        { supMorphsBelowZero, "-1 morph targets, not a count" },
        { supMorphWeightsMissing, "1 morph targets, but no weights" },
        { supTargetsMissing, "1 morph targets, but no targets" },
    };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supSkinJob job = supGoodJob();
        cases[i].breakJob( &job );
        char words[SUP_ERROR_TEXT];
        snprintf( words, sizeof( words ), "skinning job: %s", cases[i].words );
        supError error = { 0 };
        assert_int_equal( supSkinJob_Validate( &job, &error ), sup_errorArgument );
        assert_string_equal( error.text, words );
        memset( sup_out, 0x55, sizeof( sup_out ) );
        float untouched[3][16];
        memcpy( untouched, sup_out, sizeof( sup_out ) );
        assert_int_equal( supSkinJob_Run( &job, NULL ), sup_errorArgument );
        assert_memory_equal( sup_out, untouched, sizeof( sup_out ) );
    }
}

static void supTestDefault( void** state )
{
    (void)state;
    supSkinJob job = supDefaultSkinJob();
    assert_int_equal( supSkinJob_Validate( &job, NULL ), sup_errorArgument );
}

/// What may be left out: no vertices, no outputs, no morph targets, inputs that nothing needs.
static void supTestGood( void** state )
{
    (void)state;
    supSkinJob job = supGoodJob();
    assert_int_equal( supSkinJob_Validate( &job, NULL ), sup_success );
    job.morphCount = 0;
    job.morphPositions = NULL;
    job.morphWeights = NULL;
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    job.vertexCount = 0;
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
    job.vertexCount = 4;
    job.outPositions.data = job.outNormals.data = job.outTangents.data = NULL;
    job.positions.data = job.normals.data = job.tangents.data = NULL;
    assert_int_equal( supSkinJob_Run( &job, NULL ), sup_success );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestRefusals ), cmocka_unit_test( supTestDefault ),
        cmocka_unit_test( supTestGood ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
