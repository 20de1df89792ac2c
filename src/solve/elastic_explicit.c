// The elastic solid, stepped explicitly: the reference.
// SPDX-License-Identifier: MIT
//
// Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, step their fat with an explicit scheme of fourth
// order and a step that follows the speed of waves. They print the speeds the wrong way round: compression travels at
// sqrt( (lambda + 2 mu) / rho ), shear at sqrt( mu / rho ), and the step follows the faster one.

#include "solve/elastic.h"

#include <string.h>

/// Of what RK4 could hold, kept back.
static const double supSafety = 0.95;

double supElastic_StableStep( const supElastic* elastic, supElasticDamping damping, double stiffer )
{
    // a cube of edge h swings fastest at 2.42 c / h; partly filled and squeezed ones faster, as was found
    double wave = 2.42 * elastic->longitudinal / elastic->smallest, found = supSqrt( elastic->stiffest );
    double omega = ( wave > found ? wave : found ) * supSqrt( stiffer );
    double swing = 2.6 / omega, slow = 2.78 / ( damping.mass + damping.stiffness * omega * omega + 1e-300 );
    return supSafety * ( swing < slow ? swing : slow );
}

size_t supElastic_ScratchCount( const supElastic* elastic )
{
    return 7 * 3 * (size_t)elastic->freeCount;
}

/// The acceleration under displacement u and speed v, both less those of the tie: M^-1 ( f - K ( u + b v ) ) - a v.
/// `slack`: scratch of two vectors.
static void supAccelerate( const supElastic* elastic, const supElasticFrame* frame, double time, const double* u,
    const double* v, double* slack, double* out )
{
    size_t count = 3 * (size_t)elastic->freeCount;
    double *strained = slack, *slowed = slack + count, theta = time / frame->span;
    for ( size_t i = 0; i < count; ++i )
    {
        double place = 0.0, speed = 0.0;
        if ( frame->path != NULL )
        {
            supElasticFrame_Tie( frame, count, i, theta, &place, &speed );
        }
        slowed[i] = v[i] - speed;
        strained[i] = u[i] - place + frame->damping.stiffness * slowed[i];
    }
    supBlockMatrix_Multiply( &elastic->stiffness, strained, out );
    if ( frame->more != NULL )
    {
        frame->more( strained, out, frame->user );
    }
    for ( size_t i = 0; i < count; ++i )
    {
        double force = frame->forces[0][i] + theta * ( frame->forces[1][i] - frame->forces[0][i] );
        out[i] = ( force - out[i] ) / elastic->masses[i / 3] - frame->damping.mass * slowed[i];
    }
}

void supElastic_StepExplicit( const supElastic* elastic, const supElasticFrame* frame, double time, double h,
    double* moved, double* speed, double* scratch )
{
    static const double reach[4] = { 0.0, 0.5, 0.5, 1.0 }, share[4] = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 };
    size_t count = 3 * (size_t)elastic->freeCount;
    double *u = scratch, *v = scratch + count, *slope = scratch + 2 * count, *slack = scratch + 3 * count,
           *gained = scratch + 5 * count, *gone = scratch + 6 * count;
    memset( gained, 0, sizeof( double ) * 2 * count );
    for ( int stage = 0; stage < 4; ++stage )
    {
        for ( size_t i = 0; i < count; ++i )
        {
            // v still holds the speed of the stage before, `slope` its acceleration
            double before = stage > 0 ? v[i] : 0.0, pull = stage > 0 ? slope[i] : 0.0;
            u[i] = moved[i] + reach[stage] * h * before;
            v[i] = speed[i] + reach[stage] * h * pull;
        }
        supAccelerate( elastic, frame, time + reach[stage] * h, u, v, slack, slope );
        for ( size_t i = 0; i < count; ++i )
        {
            gone[i] += share[stage] * v[i];
            gained[i] += share[stage] * slope[i];
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        moved[i] += h * gone[i];
        speed[i] += h * gained[i];
    }
}
