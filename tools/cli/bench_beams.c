// The bench of clamped beams: the sizes of Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters
// using ordinary differential equations", 2013, against its method, the dense inverse times the force.
// SPDX-License-Identifier: MIT
#include "bench_sweeps.h"
#include "command.h"
#include "supple/beams.h"

#include <math.h>
#include <stdlib.h>

enum
{
    supBeamFrames = 30
};

/// Frames of fresh forces on curves, three coordinates each, in panels and as plain columns.
typedef struct supBeamScene
{
    int curves, nodes, panels, frames;
    supBeam beam;
    void* block;
    double *given, *places;  ///< panels of every frame; of one
    double *columns, *dense; ///< the same forces, column by column; what the dense method makes of one frame
    double* inverse;         ///< of the inner nodes, row by row; NULL: not wanted
} supBeamScene;

static void supRunBanded( void* context )
{
    supBeamScene* scene = context;
    size_t frame = (size_t)scene->panels * (size_t)scene->nodes * supBeamLanes;
    for ( int f = 0; f < scene->frames; ++f )
    {
        supBeam_Solve( &scene->beam, scene->panels, scene->given + (size_t)f * frame, scene->places );
    }
}

static void supRunDense( void* context )
{
    supBeamScene* scene = context;
    size_t inner = (size_t)scene->nodes - 2, columns = 3 * (size_t)scene->curves;
    for ( size_t c = 0; c < columns * (size_t)scene->frames; ++c )
    {
        const double* force = scene->columns + c * inner;
        double* out = scene->dense + c % columns * inner;
        for ( size_t i = 0; i < inner; ++i )
        {
            const double* row = scene->inverse + i * inner;
            double sum = 0.0;
            for ( size_t k = 0; k < inner; ++k )
            {
                sum += row[k] * force[k];
            }
            out[i] = sum;
        }
    }
}

/// The matrix of the equation, written down and inverted by elimination: nothing of the banded solver is in it.
static bool supInvertDense( double* inverse, int inner )
{
    size_t n = (size_t)inner;
    double* matrix = calloc( n * n, sizeof( double ) );
    double scale = pow( inner + 1.0, 4.0 );
    for ( size_t i = 0; matrix != NULL && i < n; ++i )
    {
        static const double row[5] = { 1.0, -4.0, 6.0, -4.0, 1.0 };
        for ( size_t k = 0; k < 5; ++k )
        {
            if ( i + k >= 2 && i + k - 2 < n )
            {
                matrix[i * n + i + k - 2] = scale * row[k];
            }
        }
        matrix[i * n + i] += i == 0 || i + 1 == n ? scale : 0.0; // zero slope at the ends
        inverse[i * n + i] = 1.0;
    }
    for ( size_t p = 0; matrix != NULL && p < n; ++p )
    {
        double over = 1.0 / matrix[p * n + p]; // positive definite: no pivoting
        for ( size_t k = 0; k < n; ++k )
        {
            matrix[p * n + k] *= over;
            inverse[p * n + k] *= over;
        }
        for ( size_t i = 0; i < n; ++i )
        {
            double factor = matrix[i * n + p];
            for ( size_t k = 0; k < n && i != p && factor != 0.0; ++k )
            {
                matrix[i * n + k] -= factor * matrix[p * n + k];
                inverse[i * n + k] -= factor * inverse[p * n + k];
            }
        }
    }
    free( matrix );
    return matrix != NULL;
}

static void supDropBeams( supBeamScene* scene )
{
    free( scene->block );
    free( scene->given );
    free( scene->places );
    free( scene->columns );
    free( scene->dense );
    free( scene->inverse );
}

static bool supOpenBeams( supBeamScene* scene, int curves, int nodes, int frames, bool dense )
{
    int columns = 3 * curves, inner = nodes - 2;
    *scene = ( supBeamScene ){ .curves = curves, .nodes = nodes, .frames = frames };
    scene->panels = ( columns + supBeamLanes - 1 ) / supBeamLanes;
    size_t frame = (size_t)scene->panels * (size_t)nodes * supBeamLanes;
    scene->block = malloc( supBeam_MemorySize( nodes - 1 ) );
    scene->given = calloc( frame * (size_t)frames, sizeof( double ) );
    scene->places = calloc( frame, sizeof( double ) );
    scene->columns = calloc( dense ? (size_t)columns * (size_t)inner * (size_t)frames : 1, sizeof( double ) );
    scene->dense = calloc( dense ? (size_t)columns * (size_t)inner : 1, sizeof( double ) );
    scene->inverse = calloc( dense ? (size_t)inner * (size_t)inner : 1, sizeof( double ) );
    if ( scene->block == NULL || scene->given == NULL || scene->places == NULL || scene->columns == NULL ||
         scene->dense == NULL || scene->inverse == NULL ||
         supInitBeam( &scene->beam, scene->block, nodes - 1, 1.0, 0.0, NULL ) != sup_success ||
         ( dense && !supInvertDense( scene->inverse, inner ) ) )
    {
        return false;
    }
    for ( int f = 0; f < frames; ++f )
    {
        for ( int i = 0; i < columns * inner; ++i )
        {
            int c = i / inner, n = i % inner;
            double force = sin( 0.37 * i + 1.3 * f );
            double* panel =
                scene->given + (size_t)f * frame + (size_t)( c / supBeamLanes ) * (size_t)nodes * supBeamLanes;
            panel[( n + 1 ) * supBeamLanes + c % supBeamLanes] = force;
            if ( dense )
            {
                scene->columns[(size_t)f * (size_t)( columns * inner ) + (size_t)i] = force;
            }
        }
    }
    return true;
}

/// How far the two are apart in the last frame, as a share of the largest answer.
static double supBeamDifference( supBeamScene* scene )
{
    int inner = scene->nodes - 2;
    double most = 0.0, largest = 0.0;
    supRunBanded( scene );
    supRunDense( scene );
    for ( int i = 0; i < 3 * scene->curves * inner; ++i )
    {
        int c = i / inner, n = i % inner;
        const double* panel = scene->places + (size_t)( c / supBeamLanes ) * (size_t)scene->nodes * supBeamLanes;
        most = fmax( most, fabs( panel[( n + 1 ) * supBeamLanes + c % supBeamLanes] - scene->dense[i] ) );
        largest = fmax( largest, fabs( scene->dense[i] ) );
    }
    return most / largest;
}

int supBenchBeams( supBench* bench )
{
    static const struct
    {
        const char* name;
        int curves, nodes;
    } sizes[4] = { { "finger 64 x 22", 64, 22 }, { "leg 36 x 31", 36, 31 }, { "arm 34 x 27", 34, 27 },
        { "arm 31 x 103", 31, 103 } };
    bool fits = true;
    for ( int i = 0; i < 4 && fits; ++i )
    {
        supBeamScene scene;
        fits = supOpenBeams( &scene, sizes[i].curves, sizes[i].nodes, supBeamFrames, true );
        double difference = fits ? supBeamDifference( &scene ) : 0.0;
        const supBenchCase cases[] = {
            { sizes[i].name, "dense inverse times force", "plain C", "frame", supBeamFrames, NULL, supRunDense,
                &scene },
            { sizes[i].name, "banded", "double", "frame", supBeamFrames, "dense inverse times force", supRunBanded,
                &scene },
        };
        if ( fits )
        {
            supMeasure( bench, cases, 2 );
        }
        supDropBeams( &scene );
        if ( difference > 1e-6 )
        {
            fprintf( stderr, "supple bench: %s: the two methods differ by %g\n", sizes[i].name, difference );
            return sup_exitFailed;
        }
    }
    static const char* const names[4] = { "100 nodes", "1,000 nodes", "10,000 nodes", "100,000 nodes" };
    for ( int i = 0, nodes = 100; i < 4 && fits; ++i, nodes *= 10 )
    {
        supBeamScene scene;
        fits = supOpenBeams( &scene, 5, nodes, 1, false ); // one panel
        const supBenchCase one = { "beams", names[i], "double", "node", 15.0 * nodes, NULL, supRunBanded, &scene };
        if ( fits )
        {
            supMeasure( bench, &one, 1 );
        }
        supDropBeams( &scene );
    }
    if ( !fits )
    {
        fprintf( stderr, "supple bench: no memory for beams\n" );
    }
    return fits ? sup_exitOk : sup_exitFailed;
}
