// What the names of joints and clips say of a body's kind and of its way up. They are one cue among others.
// SPDX-License-Identifier: MIT

#include "auto/body_plan.h"
#include "auto/joint_words.h"
#include "auto/reading.h"
#include "base/fields.h"
#include "base/math.h"

/// Whether half of the parts of an appendage are called fins or wings, or more.
bool supIsNamedFin( const supBodyGraph* graph, int32_t appendage )
{
    int32_t all = 0, fins = 0;
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        bool own = graph->parts[p].limb == appendage;
        supNamedPart named = own ? supPartOfJointName( graph->character, graph->parts[p].joint ) : sup_namedNothing;
        all += own;
        fins += named == sup_namedFin || named == sup_namedWing;
    }
    return 2 * fins >= all && fins > 0;
}

/// The way from what is called feet to what is called a head, in the plane of symmetry; zero where nothing is.
supVec3 supNamedUp( const supBodyGraph* graph )
{
    supVec3 sums[2] = { supVec3_zero, supVec3_zero };
    float counts[2] = { 0.0f, 0.0f };
    for ( int32_t p = 0; p < graph->partCount; ++p )
    {
        supNamedPart named = supPartOfJointName( graph->character, graph->parts[p].joint );
        bool high = named == sup_namedHead || named == sup_namedFace;
        if ( high || named == sup_namedFoot || named == sup_namedToe )
        {
            sums[high] = supAdd( sums[high], graph->parts[p].center );
            counts[high] += 1.0f;
        }
    }
    if ( counts[0] == 0.0f || counts[1] == 0.0f )
    {
        return supVec3_zero;
    }
    supVec3 way = supSub( supScale( sums[1], 1.0f / counts[1] ), supScale( sums[0], 1.0f / counts[0] ) );
    way = supMulAdd( way, -supDot( way, graph->normal ), graph->normal );
    return supLength( way ) > 0.1f * graph->size ? supNormalize( way ) : supVec3_zero;
}

/// Whether names say that it swims: its joints or its clips do.
bool supIsNamedSwimmer( const supCharacter* character )
{
    static const char* const words[] = { "swim", "fish", "shark", "whale", "dolphin" };
    bool swims = false;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        swims = swims || supHoldsWord( supCharacter_Joint( character, j )->name, words, SUP_COUNT( words ) );
    }
    for ( int32_t c = 0; c < supCharacter_Info( character )->clipCount; ++c )
    {
        swims = swims || supHoldsWord( supCharacter_Clip( character, c ).name, words, 1 );
    }
    return swims;
}
