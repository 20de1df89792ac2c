// Supple: surfaces carried by trigonometric curves: fits, wires, networks of curves over a mesh, and their motion.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
// After You, Yang, Zhang, "Dynamic skin deformation with characteristic curves", 2008, with its mistakes put right
// (docs/curves.md says which, and the tests hold each).
#pragma once

#include "supple/base.h"
#include "supple/character.h"
#include "supple/draw.h"

// ---------------------------------------------------------------------------------------------------------------
// Trigonometric curves. Points and coefficients are 3 doubles each.
//
// Closed: q(v) = e0 + sum_n e(2n-1) cos 2 n pi v + e(2n) sin 2 n pi v, v in [0, 1): 2N + 1 coefficients e0 ... e2N.
// Open:   q(s) = (1 - s) q(0) + s q(1) + sum_n b_n sin n pi s, s in [0, 1]: N + 2 coefficients q(0), q(1), b_1 ... b_N.
// The closed series has period 1 and can never meet two different ends; the open one meets them exactly.

/// The most harmonics that a curve takes.
#define SUP_MAX_CURVE_TERMS 64

/// 2N + 1 for a closed curve, N + 2 for an open one.
SUP_API int32_t supCurveCoefficientCount( bool open, int32_t terms );
/// The curve at a parameter, and its slope there (may be NULL).
SUP_API void supCurve_At(
    bool open, int32_t terms, const double* coefficients, double v, double point[3], double slope[3] );

/// Points to fit a curve to.
typedef struct supCurveFitDef
{
    const char* name; ///< for messages; NULL: "curve"
    bool open;
    int32_t terms;        ///< N, 0 to SUP_MAX_CURVE_TERMS
    int32_t pointCount;   ///< at least 2N + 1 (closed) or N + 2 (open)
    const double* points; ///< 3 a point, in order along the curve
    const double*
        parameters; ///< v of each point, increasing; NULL: equal steps, the first at 0 (an open curve's last at 1)
} supCurveFitDef;

typedef struct supCurveFit
{
    double rmsError, maxError; ///< between each point and the curve at the point's parameter. Metres
} supCurveFit;

/// Least squares. With equal steps that is a discrete Fourier (sine) transform, which loses nothing; with uneven ones a
/// system is solved, and refused where the points cannot fix the terms asked. Refuses too few points, NaN, parameters
/// that do not increase, and points that all stand in one place. `report` may be NULL.
SUP_API supResult supFitCurve( const supCurveFitDef* def, double* coefficients, supCurveFit* report, supError* error );

/// A polyline's points at equal steps of arc length. Closed: `count` points, the first where the line's first is, the
/// last one step before it. Open: both ends included. `at`: for each new point the place on the line as index +
/// fraction (may be NULL). Refuses lines of no length, NaN, fewer than two points.
SUP_API supResult supResampleCurve( const char* name, bool open, const double* points, int32_t pointCount,
    int32_t count, double* out, double* at, supError* error );

/// How far each point is from the nearest place on a curve, however the curve is parametrised there: root mean square
/// and largest. Metres.
SUP_API supCurveFit supMeasureCurve(
    bool open, int32_t terms, const double* coefficients, const double* points, int32_t pointCount );

/// The ellipse that is nearest to the points in the sum of squares of closest distances (a closed curve of one term,
/// 3 coefficients): found by turns, the nearest places for the ellipse and the ellipse for the places.
SUP_API supResult supFitEllipse( const char* name, const double* points, int32_t pointCount, double coefficients[9],
    supCurveFit* report, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Wires: a1 q'''' + a2 q'' + a0 q + rho q_tt + eta q_t = F(v, t), for each harmonic and each coordinate by itself:
//     rho q_tt + eta q_t + (A_n + a0) q = F_n(t),    A_n = k^2 (k^2 a1 - a2),    k = 2 pi n (closed) or pi n (open).

typedef struct supWireDef
{
    const char* name; ///< of the curve or part, for messages; NULL: "wire"
    bool open;
    double a1[3];   ///< bending stiffness along each axis of the part's frame; N m^2 in units of v. Default 1
    double a2[3];   ///< below 4 pi^2 a1 (closed) or pi^2 a1 (open): past that the wire buckles. Default 0
    double a0;      ///< foundation stiffness, at least 0. Default 0
    double density; ///< rho, above 0. Default 1
    double damping; ///< eta, above 0. Default 1
    int32_t cookie; ///< set by supDefaultWireDef
} supWireDef;

SUP_API supWireDef supDefaultWireDef( void );
/// Refuses, naming the wire: a1 < 0, a2 past the buckling bound, density or damping not above zero, a0 < 0, NaN.
SUP_API supResult supCheckWire( const supWireDef* wire, supError* error );
/// A_n + a0 along an axis; 0 + a0 for the mean of a closed curve and for the two ends of an open one. `coefficient`:
/// its index in the curve.
SUP_API double supWire_Stiffness( const supWireDef* wire, int32_t axis, int32_t coefficient );

/// The forces that carry a curve from one shape to another as the paper has them, F_n(t) = constant + rate t for the
/// harmonics (and constant (1 + t) for the mean of a closed curve, where `rate` is the same as `constant`). Shapes and
/// forces: supCurveCoefficientCount * 3 doubles. Refuses equal times and, for closed curves, the ratio
/// density / damping = 1 + (t0 + t1) / 2, at which the paper's mean cannot move.
SUP_API supResult supWire_ReadForces( const supWireDef* wire, int32_t terms, double t0, const double* shape0, double t1,
    const double* shape1, double* constant, double* rate, supError* error );
/// The paper's equation (5): where those forces hold the curve at a time. `start`: the integration constants of the
/// coefficients without stiffness, as supWire_ReadForces' shapes give them: their place at `t0`. `velocity` may be
/// NULL.
SUP_API void supWire_FromForces( const supWireDef* wire, int32_t terms, const double* constant, const double* rate,
    double t0, const double* start, double t, double* shape, double* velocity );
/// One known shape and forces F = constant + rate t from t = 0 on: the displacement from the shape obeys the equation,
/// the homogeneous solution included, so that nothing jumps at 0: shape + u(t), u(0) = 0, u'(0) = `speed` (NULL: 0).
/// t below 0 gives the shape. `velocity` may be NULL.
SUP_API supResult supWire_Move( const supWireDef* wire, int32_t terms, const double* shape, const double* speed,
    const double* constant, const double* rate, double t, double* moved, double* velocity, supError* error );
/// How far the paper's mean has gone from t0 (0) to t1 (1) at a time. Refuses the singular ratio.
SUP_API supResult supWire_PaperMean(
    const supWireDef* wire, double t0, double t1, double t, double* share, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Networks: the curves of a surface, found from it, and every vertex hung on them. Immutable once made.

typedef struct supCurveNetwork supCurveNetwork;

typedef struct supCurveNetworkDef
{
    const char* name; ///< for messages: the file's
    int32_t vertexCount;
    const float* positions; ///< 3 per vertex. Vertices that stand in one place are one
    int32_t indexCount;     ///< three a triangle
    const uint32_t* indices;
    int32_t partCount;            ///< 0: parts from the shape, one for each tube between forks
    const char* const* partNames; ///< partCount of them
    const int32_t* parts;         ///< for each vertex its part, -1: none
    int32_t source;               ///< the vertex that sections start from; -1: an end of the surface, found. Default -1
    int32_t terms;                ///< N of every curve; 0: as few as each needs, up to maxTerms. Default 0
    int32_t maxTerms;             ///< Default 12, at most 31
    int32_t pointCount;           ///< points of every curve; 0: 4 N + 5 for each. Default 0
    int32_t curveCount; ///< how many curves, where the surface's forks allow it; 0: as the tolerance asks. Default 0
    int32_t parameterLimit; ///< no further curve that would take the parameters past this; 0: no limit. Default 0
    double tolerance; ///< how far sections may be off the surface between curves, root mean square, as a share of the
                      ///< size. Default 1e-3
    bool tips;        ///< a point that closes the surface beyond the last curve of a tube. Default true
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultCurveNetworkDef
} supCurveNetworkDef;

SUP_API supCurveNetworkDef supDefaultCurveNetworkDef( void );

/// Sections are level lines of the distance over the surface from one end of it: closed loops over mesh edges, open
/// lines between borders. Where there are very many, those are kept between which the surface changes. Refuses meshes
/// without triangles, indices out of range, NaN, a part that no vertex belongs to, too few points for the terms asked.
SUP_API supResult supCreateCurveNetwork( const supCurveNetworkDef* def, supCurveNetwork** out, supError* error );
SUP_API void supDestroyCurveNetwork( supCurveNetwork* network );

/// One curve. Views live as long as the network.
typedef struct supNetworkCurve
{
    const char* part; ///< its name, never NULL
    int32_t number;   ///< along its part, from 0
    bool open, tip;   ///< a tip is a single point
    int32_t terms;
    int32_t pointCount;
    const int32_t* vertices;    ///< 4 a point: the vertices of the mesh edges that it runs over
    const double* shares;       ///< 4 a point, sum 1
    const double* coefficients; ///< at rest
    double rmsError, maxError;  ///< of the fit, at its points. Metres
} supNetworkCurve;

typedef struct supNetworkReport
{
    int32_t curves; ///< without tips
    int32_t tips;
    int32_t points;     ///< of all curves
    int32_t parameters; ///< for each coordinate: sum of 2 (2N + 1) over closed curves and 2 (N + 2) over open ones: two
                        ///< shapes
    int32_t parts;
    int32_t forks;
    double size;                         ///< diagonal of the bounding box. Metres
    double height;                       ///< along y. Metres
    double rmsError, p99Error, maxError; ///< of the surface, without the kept detail. Metres
    int32_t uncovered;                   ///< vertices that lie between no curves: they follow the nearest one
} supNetworkReport;

SUP_API supNetworkReport supCurveNetwork_Report( const supCurveNetwork* network );
SUP_API int32_t supCurveNetwork_CurveCount( const supCurveNetwork* network ); ///< tips included
SUP_API supNetworkCurve supCurveNetwork_Curve( const supCurveNetwork* network, int32_t curve );
/// Where a curve's points are on a surface of the same topology. `points`: 3 doubles each.
SUP_API void supCurveNetwork_Points(
    const supCurveNetwork* network, int32_t curve, const float* positions, double* points );
/// The curves as lines, coloured by part, on a surface of the same topology (NULL: at rest).
SUP_API void supCurveNetwork_Draw( const supCurveNetwork* network, const float* positions, const supDraw* draw );
/// The parts as colours of the vertices, and the regions between curves as shades of them.
SUP_API void supCurveNetwork_DrawParts( const supCurveNetwork* network, bool regions, const supDraw* draw );

/// Parts from the skinning weights: joints in a row without a fork are one part, named after the first of them.
/// `parts`: one for each vertex of the character; `names`: as many as there are joints, of which the first `count` are
/// set. They live as long as the character.
SUP_API int32_t supPartsOfCharacter( const supCharacter* character, int32_t* parts, const char** names );

// ---------------------------------------------------------------------------------------------------------------
// Motion: shapes at given times, and every shape between and beyond them

typedef struct supCurveMotion supCurveMotion;

typedef struct supCurveMotionDef
{
    const char* name;              ///< for messages
    int32_t shapeCount;            ///< 1: that shape under the forces of supCurveMotion_SetForces, from `times[0]` on
    const double* times;           ///< seconds, increasing
    const float* const* shapes;    ///< for each the positions of all vertices, in the network's order
    const char* const* shapeNames; ///< for messages; NULL: by number
    const int32_t* vertexCounts;   ///< for each shape, checked against the network's; NULL: not checked
    supWireDef wire;
    bool smooth;     ///< no jump of velocity at shapes in between. Default false: piecewise, as the paper
    bool paperMean;  ///< the mean runs as the paper's equation has it, not with the rigid motion. Default false
    bool keepDetail; ///< what the curves do not hold is kept in frames that turn with them. Default true
    /// What neighbouring curves hold, each 0 to 1, default 0: the share of their rest distance that they keep and never
    /// cross; of a lost or gained volume between them that is made up for; of a lost length that goes into folds. Where
    /// one of them has something to do the surface is not the given one, at the given times too
    double apart, volume, folds;
    /// For each curve a rotation vector from the first shape to the second that its turn is near to (from the joints),
    /// 3 doubles each; NULL: the neighbours decide at half turns
    const double* turns;
    const supAllocator* allocator; ///< copied; NULL: malloc
    int32_t cookie;                ///< set by supDefaultCurveMotionDef
} supCurveMotionDef;

SUP_API supCurveMotionDef supDefaultCurveMotionDef( void );

/// Copies what it needs; the network must outlive it. Refuses, and changes nothing: no shape, times that do not
/// increase, other topology (which shape, and the counts), NaN, wires that supCheckWire refuses, the singular ratio of
/// the paper's mean.
SUP_API supResult supCreateCurveMotion(
    const supCurveNetwork* network, const supCurveMotionDef* def, supCurveMotion** out, supError* error );
SUP_API void supDestroyCurveMotion( supCurveMotion* motion );

/// The surface at a time, inside or outside the shapes' times: 3 floats per vertex. Each curve's rigid motion goes on
/// as a screw, its shape as the wire's equation has it. Allocates nothing; one motion may serve one thread at a time.
SUP_API void supCurveMotion_At( supCurveMotion* motion, double time, float* positions );
SUP_API int32_t supCurveMotion_ShapeCount( const supCurveMotion* motion );
/// A curve's coefficients at a time, in the world.
SUP_API void supCurveMotion_CurveAt( const supCurveMotion* motion, int32_t curve, double time, double* coefficients );
/// The forces on a curve between shape `span` and the next, in the frame that turns with it: constant + rate t for the
/// time of the motion, 3 doubles for each coefficient. With one shape: span 0, and t counts from its time.
SUP_API void supCurveMotion_Forces(
    const supCurveMotion* motion, int32_t curve, int32_t span, double* constant, double* rate );
/// Puts other forces in their place. What they hold is what comes out: at the ends of the span the given shapes come
/// back only where the forces are those that were read. With one shape they move it as supWire_Move has it. Refuses,
/// and changes nothing: NaN, and between shapes another force on what has no stiffness (the mean, an open curve's
/// ends): that goes with the rigid motion, and a further shape moves it.
SUP_API supResult supCurveMotion_SetForces(
    supCurveMotion* motion, int32_t curve, int32_t span, const double* constant, const double* rate, supError* error );
/// Whether it would refuse them.
SUP_API supResult supCurveMotion_CheckForces( const supCurveMotion* motion, int32_t curve, int32_t span,
    const double* constant, const double* rate, supError* error );
