// Four elements on one skin: the woman of figure 12.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005, section 6.3: a model of 5,554 vertices with four elements,
// breast, each arm, belly and bottom. The promise is that the skin stays smooth where an element ends. It is measured:
// the mean curvature at every vertex, from the angles around it, and its jump along every edge that leaves an element.
// Their root mean square and the largest of them, for each element on every frame of every clip, may be at most a tenth
// more on the living skin than on the smooth one.
//
//     example_paper_woman [FOLDER]     prints the figures, fails if one is missed; draws into FOLDER
#include "paper/film_strip.h"
#include "paper/performer.h"
#include "paper/program.h"
#include "supple/creatures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supElements = 4,
    supMeasures = 2, // of the jumps along a border: root mean square, largest
    supFramesASecond = 60,
};

static supElementDef supElement( const char* name, const char* driver, float frequency, float amount )
{
    supElementDef def = supDefaultElementDef();
    def.name = name;
    def.driver = driver;
    def.attenuation = sup_attenuationWyvill;
    def.frequency = frequency;
    def.dampingRatio = 0.25f;
    def.amount = amount;
    def.sag = 0.05f;
    return def;
}

/// Breast, both arms, belly and bottom.
static void supFourElements( supElementDef out[supElements] )
{
    static const char* const trunk[] = { "hips", "spine", "chest" };
    static const char* const below[] = { "hips", "spine", "chest", "thigh.L", "thigh.R" };
    static const char *const elbowLeft[] = { "lowerArm.L" }, *const elbowRight[] = { "lowerArm.R" };
    static const char* const neck[] = { "neck" };
    out[0] = supElement( "breast", "spine", 4.5f, 0.8f );
    out[0].ends = ( supNameList ){ 1, neck };
    out[0].joints = ( supNameList ){ 3, trunk };
    out[0].facing = ( supVec3 ){ 0.0f, 0.0f, 1.0f };
    out[0].spread = 1.4f;
    out[1] = supElement( "arm.L", "upperArm.L", 6.0f, 0.15f );
    out[1].ends = ( supNameList ){ 1, elbowLeft };
    out[2] = supElement( "arm.R", "upperArm.R", 6.0f, 0.15f );
    out[2].ends = ( supNameList ){ 1, elbowRight };
    // from the loins down to the middle of the thighs' upper half, all around
    out[3] = supElement( "belly and bottom", "spine", 4.5f, 0.7f );
    out[3].end = ( supVec3 ){ 0.0f, -0.133f, 0.0f };
    out[3].joints = ( supNameList ){ 5, below };
}

// ---------------------------------------------------------------------------------------------------------------
// Curvature

/// Edges of the mesh that leave an element: one corner has its weight, the other has none.
typedef struct supBorder
{
    int32_t count;
    int32_t ( *edges )[2];
} supBorder;

static void supFindBorder( const supMeshView* mesh, const supElementView* element, bool* inside, supBorder* out )
{
    memset( inside, 0, sizeof( bool ) * (size_t)mesh->vertexCount );
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        inside[element->vertices[i]] = element->weights[i] > 0.0f;
    }
    out->count = 0;
    for ( int32_t i = 0; i < mesh->indexCount; ++i )
    {
        int32_t a = (int32_t)mesh->indices[i], b = (int32_t)mesh->indices[i % 3 == 2 ? i - 2 : i + 1];
        if ( inside[a] && !inside[b] ) // each edge stands in two triangles, once in each direction
        {
            out->edges[out->count][0] = a;
            out->edges[out->count++][1] = b;
        }
    }
}

static void supSubtract( const float* a, const float* b, double out[3] )
{
    for ( int c = 0; c < 3; ++c )
    {
        out[c] = (double)a[c] - (double)b[c];
    }
}

static void supCross( const double a[3], const double b[3], double out[3] )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double supDot( const double a[3], const double b[3] )
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Mean curvature with its sign, 1/m: the cotangent Laplacian against the normal, over a third of the area around.
/// Meyer, Desbrun, Schroeder, Barr, "Discrete differential-geometry operators for triangulated 2-manifolds", 2003.
/// `sums`: 7 a vertex.
static void supMeanCurvatures( const supMeshView* mesh, const float* at, double* sums, double* out )
{
    memset( sums, 0, sizeof( double ) * 7 * (size_t)mesh->vertexCount );
    for ( int32_t i = 0; i < mesh->indexCount; i += 3 )
    {
        for ( int k = 0; k < 3; ++k )
        {
            uint32_t a = mesh->indices[i + k], b = mesh->indices[i + ( k + 1 ) % 3];
            uint32_t c = mesh->indices[i + ( k + 2 ) % 3];
            double u[3], v[3], normal[3], edge[3];
            supSubtract( at + 3 * b, at + 3 * a, u );
            supSubtract( at + 3 * c, at + 3 * a, v );
            supSubtract( at + 3 * c, at + 3 * b, edge );
            supCross( u, v, normal );
            double twice = sqrt( supDot( normal, normal ) ), cotangent = twice > 0.0 ? supDot( u, v ) / twice : 0.0;
            for ( int d = 0; d < 3; ++d ) // the angle at a belongs to the edge from b to c
            {
                sums[7 * b + (uint32_t)d] += 0.5 * cotangent * edge[d];
                sums[7 * c + (uint32_t)d] -= 0.5 * cotangent * edge[d];
                sums[7 * a + 3 + (uint32_t)d] += normal[d];
            }
            sums[7 * a + 6] += twice / 6.0;
        }
    }
    for ( int32_t v = 0; v < mesh->vertexCount; ++v )
    {
        const double* s = sums + 7 * v;
        double length = sqrt( supDot( s + 3, s + 3 ) );
        out[v] = length > 0.0 ? -0.5 * supDot( s, s + 3 ) / length / s[6] : 0.0;
    }
}

static void supJumps( const supBorder* border, const double* curvature, double out[supMeasures] )
{
    double squares = 0.0, largest = 0.0;
    for ( int32_t i = 0; i < border->count; ++i )
    {
        double jump = fabs( curvature[border->edges[i][0]] - curvature[border->edges[i][1]] );
        squares += jump * jump;
        largest = fmax( largest, jump );
    }
    out[0] = sqrt( squares / border->count );
    out[1] = largest;
}

// ---------------------------------------------------------------------------------------------------------------
// All frames of all clips

typedef struct supWorst
{
    double ratios[supMeasures][supElements]; // jump on the living skin : on the smooth one, of the worst frame
    double farthest;                         // m
    int frames;
} supWorst;

typedef struct supScratch
{
    bool* inside;
    double *sums, *smooth, *living;
    supBorder borders[supElements];
} supScratch;

static void supMeasureFrame( const supPerformer* woman, supScratch* s, supWorst* worst )
{
    supMeshView mesh = supCharacter_Mesh( woman->character, 0 );
    supMeanCurvatures( &mesh, woman->smooth, s->sums, s->smooth );
    supMeanCurvatures( &mesh, woman->living, s->sums, s->living );
    for ( int e = 0; e < supElements; ++e )
    {
        double living[supMeasures], smooth[supMeasures];
        supJumps( s->borders + e, s->living, living );
        supJumps( s->borders + e, s->smooth, smooth );
        for ( int m = 0; m < supMeasures; ++m )
        {
            worst->ratios[m][e] = fmax( worst->ratios[m][e], living[m] / smooth[m] );
        }
    }
    worst->farthest = fmax( worst->farthest, supPerformer_Farthest( woman ) );
    worst->frames += 1;
}

static int supMeasureClips( supPerformer* woman, bool print, supWorst* all )
{
    supError error;
    supMeshView mesh = supCharacter_Mesh( woman->character, 0 );
    size_t n = (size_t)mesh.vertexCount, edges = (size_t)mesh.indexCount;
    supScratch s = { (bool*)calloc( n, sizeof( bool ) ), (double*)calloc( 7 * n, sizeof( double ) ),
        (double*)calloc( n, sizeof( double ) ), (double*)calloc( n, sizeof( double ) ), { { 0, NULL } } };
    int failed = 0;
    memset( all, 0, sizeof( *all ) );
    for ( int e = 0; e < supElements; ++e )
    {
        supElementView element = supModel_Info( woman->model )->elements[e];
        s.borders[e].edges = (int32_t( * )[2])calloc( edges, sizeof( *s.borders[e].edges ) );
        supFindBorder( &mesh, &element, s.inside, s.borders + e );
        if ( print )
        {
            printf( "%-17s %4d vertices, %3d edges across its border\n", element.name, element.vertexCount,
                s.borders[e].count );
        }
    }
    for ( int32_t c = 0; c < supCharacter_Info( woman->character )->clipCount && !failed; ++c )
    {
        supWorst worst = { 0 };
        const char* name = supCharacter_Clip( woman->character, c ).name;
        failed = supPerformer_Play( woman, name, &error ) != sup_success ? supFailed( &error ) : 0;
        int frames = failed ? -1 : (int)( ( woman->end - woman->start ) * supFramesASecond + 0.5 );
        for ( int f = 0; f <= frames; ++f )
        {
            supPerformer_Show( woman, woman->start + (double)f / supFramesASecond, &error );
            supMeasureFrame( woman, &s, &worst );
        }
        for ( int i = 0; i < supMeasures * supElements; ++i )
        {
            double* most = &all->ratios[i / supElements][i % supElements];
            *most = fmax( *most, worst.ratios[i / supElements][i % supElements] );
        }
        all->farthest = fmax( all->farthest, worst.farthest );
        all->frames += worst.frames;
        if ( print && !failed )
        {
            const double *square = worst.ratios[0], *largest = worst.ratios[1];
            printf( "%-5s %3d frames, farthest %4.1f mm; jump of curvature at the borders, living to smooth, at most: "
                    "%.3f %.3f %.3f %.3f, largest of a border: %.3f %.3f %.3f %.3f\n",
                name, worst.frames, 1e3 * worst.farthest, square[0], square[1], square[2], square[3], largest[0],
                largest[1], largest[2], largest[3] );
        }
    }
    for ( int e = 0; e < supElements; ++e )
    {
        free( s.borders[e].edges );
    }
    free( s.inside );
    free( s.sums );
    free( s.smooth );
    free( s.living );
    return failed;
}

/// Percent more than on the smooth skin, at the worst border on the worst frame.
static double supMore( const supWorst* worst, int measure )
{
    const double* ratios = worst->ratios[measure];
    return 100.0 * ( fmax( fmax( ratios[0], ratios[1] ), fmax( ratios[2], ratios[3] ) ) - 1.0 );
}

/// The same elements cut off sharply at both ends: what the measure says of a skin that does break.
static int supMeasureControl( const supCharacter* character, supWorst* out )
{
    static const float flat[] = { -1.0f, 1.0f, 1.0f, 1.0f };
    supElementDef elements[supElements];
    supError error;
    supPerformer woman;
    supFourElements( elements );
    for ( int e = 0; e < supElements; ++e )
    {
        elements[e].attenuation = sup_attenuationHermite;
        elements[e].attenuationKeys = ( supKeyList ){ 2, flat };
    }
    if ( supMakePerformer( character, elements, supElements, &woman, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    int failed = supMeasureClips( &woman, false, out );
    supDropPerformer( &woman );
    return failed;
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

#ifdef SUP_HAS_SUPPLE_PICTURE
/// Weights, springs, and four moments of the jump, as figure 12 has them.
static int supDrawWoman( const supCreature* creature, supPerformer* woman, const char* folder )
{
    static const double moments[] = { 0.55, 0.75, 1.25, 1.45 };
    supError error;
    supFilmStrip strip;
    if ( supBeginFilmStrip( &strip, woman->character, supCreature_Look( creature ), 6, 1, 210, 400, 35.0f, 6.0f,
             &error ) != sup_success ||
         supPerformer_Play( woman, "jump", &error ) != sup_success )
    {
        return supFailed( &error );
    }
    supResult result = sup_success;
    for ( int pass = 0; pass < 2; ++pass ) // all is framed first, then drawn
    {
        for ( int i = 0; i < 6 && result == sup_success; ++i )
        {
            static const char* const shown[6] = { "weights", "springs", "displacement", "displacement", "displacement",
                "displacement" };
            supStripOverlay overlay = { .body = woman->body, .names = { shown[i] }, .wordless = true };
            char words[32];
            snprintf( words, sizeof( words ), "jump, %.2f s", i < 2 ? 0.0 : moments[i - 2] );
            supPerformer_Show( woman, i < 2 ? 0.0 : moments[i - 2], &error );
            if ( pass == 0 )
            {
                supFilmStrip_Frame( &strip, woman->living, woman->offset );
                continue;
            }
            result = supFilmStrip_Draw( &strip, i, 0, woman->living, woman->offset, &overlay,
                i == 0   ? "weights"
                : i == 1 ? "springs"
                         : words,
                &error );
        }
    }
    if ( result == sup_success )
    {
        result = supFilmStrip_Write( &strip, folder, "woman", &error );
    }
    supEndFilmStrip( &strip );
    return result == sup_success ? 0 : supFailed( &error );
}
#endif

int main( int argc, char** args )
{
    supError error;
    supCreature* creature;
    supPerformer woman;
    supElementDef elements[supElements];
    supFourElements( elements );
    if ( supCreateCreature( "woman", NULL, &creature, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    const supCharacter* character = supCreature_Character( creature );
    if ( supMakePerformer( character, elements, supElements, &woman, &error ) != sup_success )
    {
        return supFailed( &error );
    }
    printf( "%d vertices\n", woman.vertexCount );
    supWorst worst, control;
    int failed = supMeasureClips( &woman, true, &worst );
    failed += supMeasureControl( character, &control );
    static const char* const names[supMeasures] = { "root mean square", "largest" };
    for ( int m = 0; m < supMeasures; ++m )
    {
        double more = supMore( &worst, m ), sharp = supMore( &control, m );
        printf(
            "%s: at most %.1f%% more than on the smooth skin, over %d frames (asked: 10%%)%s; the same elements cut "
            "off sharply: up to %.0f%% more%s\n",
            names[m], more, worst.frames, more <= 10.0 ? "" : "  MISSED", sharp,
            sharp > 10.0 ? "" : "  MISSED: the measure sees nothing" );
        failed += !( more <= 10.0 && sharp > 10.0 );
    }
#ifdef SUP_HAS_SUPPLE_PICTURE
    failed += argc > 1 ? supDrawWoman( creature, &woman, args[1] ) : 0;
#else
    (void)argc;
    (void)args;
#endif
    supDropPerformer( &woman );
    supDestroyCreature( creature );
    return failed ? 1 : 0;
}
