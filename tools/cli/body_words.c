// What a character was read as, in words.
// SPDX-License-Identifier: MIT
#include "body_words.h"

#include "columns.h"
#include "supple/auto.h"

#include <math.h>
#include <string.h>

const char* supDirectionText( supVec3 direction, char text[sup_directionText] )
{
    static const float sup_axisCosine = 0.999f;
    const float parts[3] = { direction.x, direction.y, direction.z };
    for ( int i = 0; i < 3; ++i )
    {
        if ( fabsf( parts[i] ) > sup_axisCosine )
        {
            snprintf( text, sup_directionText, "%c%c", parts[i] < 0.0f ? '-' : '+', "XYZ"[i] );
            return text;
        }
    }
    double shown[3];
    for ( int i = 0; i < 3; ++i )
    {
        shown[i] = round( 100.0 * (double)parts[i] ) / 100.0 + 0.0; // no "-0"
    }
    snprintf( text, sup_directionText, "(%.2g, %.2g, %.2g)", shown[0], shown[1], shown[2] );
    return text;
}

static bool supIsTold( supVec3 direction )
{
    return direction.x != 0.0f || direction.y != 0.0f || direction.z != 0.0f;
}

void supPrintBody( const char* path, const supBodyReading* body, const supProposeDef* known, FILE* out )
{
    const supProposeDef nothing = { .kind = -1 };
    known = known != NULL ? known : &nothing;
    char front[sup_directionText], up[sup_directionText];
    const char* told = " (as told)";
    fprintf( out, "%s: %s%s, front %s%s, up %s%s, %.0f%% sure\n", path, supWordFor( sup_wordsBodyKind, body->kind ),
        known->kind >= 0 ? told : "", supDirectionText( body->front, front ), supIsTold( known->front ) ? told : "",
        supDirectionText( body->up, up ), supIsTold( known->up ) ? told : "", 100.0 * (double)body->confidence );
}

void supPrintEvidence( const supBodyReading* body, FILE* out )
{
    int cueWidth = (int)strlen( "cue" ), saysWidth = (int)strlen( "says" );
    for ( int32_t i = 0; i < body->evidenceCount; ++i )
    {
        int cue = supCountLetters( body->evidence[i].cue ), says = supCountLetters( body->evidence[i].says );
        cueWidth = cue > cueWidth ? cue : cueWidth;
        saysWidth = says > saysWidth ? says : saysWidth;
    }
    if ( body->evidenceCount == 0 )
    {
        fputs( "no evidence: what was read is a guess\n", out );
        return;
    }
    fprintf( out, "about  %-*s  %-*s  weight\n", cueWidth, "cue", saysWidth, "says" );
    for ( int32_t i = 0; i < body->evidenceCount; ++i )
    {
        const supEvidence* one = body->evidence + i;
        supPrintColumn( out, one->about, 5 );
        fputs( "  ", out );
        supPrintColumn( out, one->cue, cueWidth );
        fputs( "  ", out );
        supPrintColumn( out, one->says, saysWidth );
        fprintf( out, "  %+6.2f\n", (double)one->weight );
    }
}

json_t* supVectorToJson( supVec3 vector )
{
    return json_pack( "[f, f, f]", (double)vector.x, (double)vector.y, (double)vector.z );
}

json_t* supBodyToJson( const supBodyReading* body )
{
    json_t* evidence = json_array();
    for ( int32_t i = 0; i < body->evidenceCount; ++i )
    {
        const supEvidence* one = body->evidence + i;
        json_array_append_new( evidence, json_pack( "{s:s, s:s, s:s, s:f}", "about", one->about, "cue", one->cue,
                                             "says", one->says, "weight", (double)one->weight ) );
    }
    return json_pack( "{s:s, s:o, s:o, s:f, s:o}", "kind", supWordFor( sup_wordsBodyKind, body->kind ), "front",
        supVectorToJson( body->front ), "up", supVectorToJson( body->up ), "confidence", (double)body->confidence,
        "evidence", evidence );
}
