// Supple: the wire's equation in closed form.
// SPDX-License-Identifier: MIT
//
// You, Yang, Zhang, "Dynamic skin deformation with characteristic curves", 2008, equations (3) to (8). A cosine or sine
// of wave number k turns d^4/dv^4 into k^4 and d^2/dv^2 into -k^2, so that each harmonic obeys
//     rho q'' + eta q' + A q = F(t),    A = k^2 (k^2 a1 - a2) + a0.
// Where A is negative, q grows without bound: the compressed wire buckles. With F = c + r t and A > 0
//     q(t) = (c + (t - eta / A) r) / A
// is a solution, a straight line in t whatever the material (the paper's (5)); with A = 0 and F = c (1 + t)
//     q(t) = q(0) + (c / eta) t (1 - rho / eta + t / 2).

#include "base/memory.h"
#include "solve/spring_step.h"
#include "solve/trig_curve.h"

#define SUP_WIRE_COOKIE 0x51c7

supWireDef supDefaultWireDef( void )
{
    return ( supWireDef ){ .a1 = { 1.0, 1.0, 1.0 }, .density = 1.0, .damping = 1.0, .cookie = SUP_WIRE_COOKIE };
}

supResult supCheckWire( const supWireDef* wire, supError* error )
{
    const char* name = wire->name != NULL ? wire->name : "wire";
    if ( wire->cookie != SUP_WIRE_COOKIE )
    {
        return supFail( error, sup_errorArgument, "%.80s: the def was not made by supDefaultWireDef", name );
    }
    double bound = wire->open ? SUP_PI * SUP_PI : 4.0 * SUP_PI * SUP_PI;
    for ( int32_t axis = 0; axis < 3; ++axis )
    {
        double a1 = wire->a1[axis], a2 = wire->a2[axis];
        if ( !( a1 >= 0.0 ) || !supIsFinite( a1 ) )
        {
            return supFail( error, sup_errorData, "%.80s: a1 is %g: a wire's stiffness cannot be negative", name, a1 );
        }
        if ( !( a2 < bound * a1 ) || !supIsFinite( a2 ) )
        {
            return supFail( error, sup_errorData,
                "%.80s: a2 is %g: past %s a1 = %g the wire buckles; take less, or a stiffer a1", name, a2,
                wire->open ? "pi^2" : "4 pi^2", bound * a1 );
        }
    }
    if ( !( wire->density > 0.0 ) || !supIsFinite( wire->density ) )
    {
        return supFail( error, sup_errorData, "%.80s: density is %g: it must be above zero", name, wire->density );
    }
    if ( !( wire->damping > 0.0 ) || !supIsFinite( wire->damping ) )
    {
        return supFail( error, sup_errorData, "%.80s: damping is %g: it must be above zero", name, wire->damping );
    }
    if ( !( wire->a0 >= 0.0 ) || !supIsFinite( wire->a0 ) )
    {
        return supFail( error, sup_errorData, "%.80s: a0 is %g: a foundation cannot push away", name, wire->a0 );
    }
    return sup_success;
}

double supWire_Stiffness( const supWireDef* wire, int32_t axis, int32_t coefficient )
{
    double wave =
        wire->open ? SUP_PI * (double)supMax( coefficient - 1, 0 ) : 2.0 * SUP_PI * ( ( coefficient + 1 ) / 2 );
    double k2 = wave * wave;
    return k2 * ( k2 * wire->a1[axis] - wire->a2[axis] ) + wire->a0;
}

// (t / eta)(1 - rho / eta + t / 2): how the paper's mean runs under a force of 1 + t.
static double supMeanRun( const supWireDef* wire, double t )
{
    return t / wire->damping * ( 1.0 - wire->density / wire->damping + 0.5 * t );
}

supResult supWire_PaperMean( const supWireDef* wire, double t0, double t1, double t, double* share, supError* error )
{
    supResult result = supCheckWire( wire, error );
    if ( result != sup_success )
    {
        return result;
    }
    const char* name = wire->name != NULL ? wire->name : "wire";
    if ( !( t0 != t1 ) || !supIsFinite( t0 ) || !supIsFinite( t1 ) )
    {
        return supFail( error, sup_errorData, "%.80s: two shapes at the same time, %g", name, t0 );
    }
    // run(t1) - run(t0) = (t1 - t0) / eta times this
    double ratio = wire->density / wire->damping;
    double slope = 1.0 - ratio + 0.5 * ( t0 + t1 );
    if ( supAbs( slope ) < 1e-9 * ( 1.0 + ratio ) )
    {
        return supFail( error, sup_errorData,
            "%.80s: density / damping = %g = 1 + (t0 + t1) / 2: the paper's mean cannot move there; change one of "
            "them, or take the mean out with the rigid motion",
            name, ratio );
    }
    *share = ( supMeanRun( wire, t ) - supMeanRun( wire, t0 ) ) / ( slope * ( t1 - t0 ) / wire->damping );
    return sup_success;
}

supResult supWire_ReadForces( const supWireDef* wire, int32_t terms, double t0, const double* shape0, double t1,
    const double* shape1, double* constant, double* rate, supError* error )
{
    double unused;
    supResult result = supWire_PaperMean( wire, t0, t1, t0, &unused, error );
    if ( result != sup_success && ( !wire->open || !( t0 != t1 ) || supCheckWire( wire, NULL ) != sup_success ) )
    {
        return result;
    }
    int32_t count = supCurveCoefficientCount( wire->open, terms );
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        double stiffness = supWire_Stiffness( wire, i % 3, i / 3 );
        double slope = ( shape1[i] - shape0[i] ) / ( t1 - t0 );
        if ( stiffness > 0.0 )
        {
            rate[i] = stiffness * slope;
            constant[i] = stiffness * ( shape0[i] - slope * t0 ) + wire->damping * slope;
        }
        else if ( wire->open )
        {
            rate[i] = 0.0; // the ends of an open curve: a steady speed against the damping
            constant[i] = wire->damping * slope;
        }
        else
        {
            constant[i] = ( shape1[i] - shape0[i] ) / ( supMeanRun( wire, t1 ) - supMeanRun( wire, t0 ) );
            rate[i] = constant[i];
        }
    }
    return sup_success;
}

void supWire_FromForces( const supWireDef* wire, int32_t terms, const double* constant, const double* rate, double t0,
    const double* start, double t, double* shape, double* velocity )
{
    int32_t count = supCurveCoefficientCount( wire->open, terms );
    double eta = wire->damping, rho = wire->density;
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        double stiffness = supWire_Stiffness( wire, i % 3, i / 3 );
        double value, speed;
        if ( stiffness > 0.0 )
        {
            value = ( constant[i] + ( t - eta / stiffness ) * rate[i] ) / stiffness;
            speed = rate[i] / stiffness;
        }
        else
        {
            // rho q'' + eta q' = c + r t, the solution without the decaying part:
            // q' = (c - rho r / eta + r t) / eta
            double even = ( constant[i] - rho * rate[i] / eta ) / eta;
            value = start[i] + even * ( t - t0 ) + 0.5 * rate[i] / eta * ( t * t - t0 * t0 );
            speed = even + rate[i] / eta * t;
        }
        shape[i] = value;
        if ( velocity != NULL )
        {
            velocity[i] = speed;
        }
    }
}

supResult supWire_Move( const supWireDef* wire, int32_t terms, const double* shape, const double* speed,
    const double* constant, const double* rate, double t, double* moved, double* velocity, supError* error )
{
    supResult result = supCheckWire( wire, error );
    if ( result != sup_success )
    {
        return result;
    }
    if ( !supIsFinite( t ) )
    {
        return supFail(
            error, sup_errorData, "%.80s: a time is not a number", wire->name != NULL ? wire->name : "wire" );
    }
    int32_t count = supCurveCoefficientCount( wire->open, terms );
    double friction = wire->damping / wire->density;
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        double u = 0.0, du = speed != NULL ? speed[i] : 0.0;
        if ( t > 0.0 )
        {
            double stiffness = supWire_Stiffness( wire, i % 3, i / 3 ) / wire->density;
            supResponse flow = supSpringResponse( friction, stiffness, t );
            double c = constant[i] / wire->density, r = rate[i] / wire->density * t;
            double start = du;
            u = flow.e[0][1] * start + flow.r[0][0] * c + flow.r[0][1] * r;
            du = flow.e[1][1] * start + flow.r[1][0] * c + flow.r[1][1] * r;
        }
        moved[i] = shape[i] + u;
        if ( velocity != NULL )
        {
            velocity[i] = du;
        }
    }
    return sup_success;
}
