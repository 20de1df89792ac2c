// A line of springs.
// SPDX-License-Identifier: MIT
//
// Both problems are one: find x with
//
//     w ( x - y ) = F( x ),      w = m / dt^2 + m damping / dt, y where inertia alone would take a vertex;   w = 0: balance
//
// by Newton's method. With the springs' tensions T as unknowns of their own, T = k ( L - L0 ), and then eliminated, the
// matrix of segment i is k n n^T + T / L ( 1 - n n^T ) with T from the last solution, and the forces those of the
// present stretch. Steps are kept below the segments' lengths; where nothing holds a vertex across the line (a slack
// chain), the load itself does so until it has settled.

#include "solve/spring_line.h"

#include "solve/line_levels.h"

enum
{
    sup_mostContacts = 64,
};

/// A vertex on a solid field, in this round.
typedef struct supContact
{
    int32_t vertex, field;
    supVec3d way; ///< out
    double depth; ///< metres
} supContact;

/// What one solution works with.
typedef struct supLineWork
{
    supVec3d inertia[sup_mostLineNodes]; ///< y
    double weights[sup_mostLineNodes];   ///< w
    double tensions[sup_mostLineNodes];
    supVec3d ways[sup_mostLineNodes]; ///< of segments, unit length
    double spans[sup_mostLineNodes];  ///< lengths of segments now
    supSym3 diagonal[sup_mostLineNodes], off[sup_mostLineNodes];
    supVec3d x[sup_mostLineNodes];
    uint64_t pressed[sup_mostLineNodes]; ///< bit f: the vertex lies on solid field f, which pushes it
    int32_t contactCount;
    supContact contacts[sup_mostContacts];
} supLineWork;

static void supMeasureSegments( const supSpringLine* line, const supVec3d* at, supLineWork* work )
{
    for ( int32_t i = 0; i + 1 < line->count; ++i )
    {
        supVec3d step = supSubD( at[i + 1], at[i] );
        work->spans[i] = supLengthD( step );
        // vertices in one place pull in no direction
        work->ways[i] = work->spans[i] > 0.0 ? supScaleD( step, 1.0 / work->spans[i] ) : ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
}

static double supTensionNow( const supSpringLine* line, const supLineWork* work, int32_t segment )
{
    return line->stiffness[segment] * ( work->spans[segment] - line->lengths[segment] );
}

/// Across the line only: there it holds the vertex, along it the vertex slides.
static void supAddHold(
    const supSpringLine* line, const supLineWork* work, int32_t i, supVec3d at, supVec3d* force, supSym3* matrix )
{
    supVec3d before = work->ways[i > 0 ? i - 1 : 0], after = work->ways[i + 1 < line->count ? i : i - 1];
    supVec3d along = supNormalizeD( supAddD( before, after ) );
    supSym3 hold = supAlongAcross3( along, 0.0, line->holds[i] );
    *force = supAddD( *force, supMulSym3( hold, supSubD( line->places[i], at ) ) );
    *matrix = supAddSym3( *matrix, hold );
}

/// A vertex inside a solid field is pushed to its surface; one that lies on it is held there as long as that takes a
/// push, not a pull: with a push for every vertex that happens to be inside, and none for its neighbours, lines would
/// chatter in and out for ever.
static void supAddContact( const supSpringLine* line, supLineWork* work, int32_t f, int32_t i, supVec3d at )
{
    supContact contact = { .vertex = i, .field = f };
    int32_t number = line->numbers != NULL ? line->numbers[i] : i;
    contact.depth = supLineField_Depth( line->fields + f, number, at, &contact.way );
    bool holds = contact.depth > 0.0 || ( work->pressed[i] >> f & 1u ) != 0;
    if ( holds && work->contactCount < sup_mostContacts )
    {
        supAddSpring3( contact.way, contact.depth, line->fields[f].barrier, work->x + i, work->diagonal + i );
        work->contacts[work->contactCount++] = contact;
    }
}

/// Which of them the solution still pushes.
static void supKeepPressed( supLineWork* work )
{
    for ( int32_t c = 0; c < work->contactCount; ++c )
    {
        const supContact* contact = work->contacts + c;
        uint64_t bit = (uint64_t)1 << contact->field;
        bool pushes = contact->depth - supDotD( contact->way, work->x[contact->vertex] ) > 0.0;
        work->pressed[contact->vertex] =
            pushes ? work->pressed[contact->vertex] | bit : work->pressed[contact->vertex] & ~bit;
    }
}

/// The linear system of one round. `firm`: added to the diagonal.
static void supAssemble( const supSpringLine* line, const supVec3d* at, double firm, supLineWork* work )
{
    const supSym3 none = { 0 };
    work->contactCount = 0;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        work->x[i] = supMulAddD( line->loads[i], work->weights[i], supSubD( work->inertia[i], at[i] ) );
        work->diagonal[i] = supAddDiagonal3( none, work->weights[i] + firm );
        if ( !line->bound[i] && line->holds != NULL )
        {
            supAddHold( line, work, i, at[i], work->x + i, work->diagonal + i );
        }
        for ( int32_t f = 0; f < line->fieldCount && !line->bound[i]; ++f )
        {
            supLineField_Add( line->fields + f, at[i], work->x + i, work->diagonal + i );
            if ( line->fields[f].solid )
            {
                supAddContact( line, work, f, i, at[i] );
            }
        }
    }
    for ( int32_t i = 0; i + 1 < line->count; ++i )
    {
        double across = work->spans[i] > 0.0 ? supMax( work->tensions[i], 0.0 ) / work->spans[i] : 0.0;
        supSym3 spring = supAlongAcross3( work->ways[i], line->stiffness[i], across );
        supVec3d pull = supScaleD( work->ways[i], supTensionNow( line, work, i ) );
        work->x[i] = supAddD( work->x[i], pull );
        work->x[i + 1] = supSubD( work->x[i + 1], pull );
        work->diagonal[i] = supAddSym3( work->diagonal[i], spring );
        work->diagonal[i + 1] = supAddSym3( work->diagonal[i + 1], spring );
        bool joined = !line->bound[i] && !line->bound[i + 1];
        work->off[i] = joined ? supSubSym3( none, spring ) : none;
    }
    for ( int32_t i = 0; i < line->count; ++i )
    {
        if ( line->bound[i] )
        {
            work->x[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
            work->diagonal[i] = supAddDiagonal3( none, 1.0 );
        }
    }
}

/// Takes the solution's step, shortened to less than a segment, and its tensions. Gives the largest move.
static double supTakeStep( const supSpringLine* line, double most, supLineWork* work, supVec3d* at )
{
    double largest = 0.0;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        largest = supMax( largest, supLengthD( work->x[i] ) );
    }
    double share = largest > most ? most / largest : 1.0;
    for ( int32_t i = 0; i + 1 < line->count; ++i )
    {
        double stretch = supDotD( work->ways[i], supSubD( work->x[i + 1], work->x[i] ) );
        double wanted = supTensionNow( line, work, i ) + line->stiffness[i] * stretch;
        work->tensions[i] += share * ( wanted - work->tensions[i] );
    }
    for ( int32_t i = 0; i < line->count; ++i )
    {
        at[i] = supMulAddD( at[i], share, work->x[i] );
    }
    return share * largest;
}

static double supMeanLength( const supSpringLine* line, const supLineWork* work )
{
    double sum = 0.0;
    for ( int32_t i = 0; i + 1 < line->count; ++i )
    {
        sum += supMax( work->spans[i], line->lengths[i] );
    }
    return sum / ( line->count - 1 );
}

static double supLargestLoad( const supSpringLine* line )
{
    double largest = 0.0;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        largest = line->bound[i] ? largest : supMax( largest, supLengthD( line->loads[i] ) );
    }
    return largest;
}

/// The softest spring: a small share of it keeps a vertex that nothing else holds.
static double supLeastStiffness( const supSpringLine* line )
{
    double least = line->stiffness[0];
    for ( int32_t i = 1; i + 1 < line->count; ++i )
    {
        least = supMin( least, line->stiffness[i] );
    }
    return least;
}

static supLineResult supSolveLine(
    const supSpringLine* line, double tolerance, int32_t mostRounds, supLineWork* work, supVec3d* at )
{
    supLineResult result = { 0, 0.0 };
    supMeasureSegments( line, at, work );
    for ( int32_t i = 0; i < line->count; ++i )
    {
        work->tensions[i] = i + 1 < line->count ? supTensionNow( line, work, i ) : 0.0;
        work->pressed[i] = 0;
    }
    double mean = supMeanLength( line, work ), most = 0.5 * mean;
    double loose = supLargestLoad( line ) / most, floor = 1e-9 * supLeastStiffness( line );
    double settled = 1.0; // how far the last round still moved, as a share of what it may
    for ( ; result.rounds < mostRounds && ( result.rounds == 0 || result.moved > tolerance ); ++result.rounds )
    {
        supAssemble( line, at, settled * loose + floor, work );
        supSolveBlockTridiagonal( line->count, work->diagonal, work->off, work->x );
        supKeepPressed( work );
        result.moved = supTakeStep( line, most, work, at );
        settled = supMin( settled, result.moved / most );
        supMeasureSegments( line, at, work );
    }
    return result;
}

supLineResult supSpringLine_GoOn( const supSpringLine* line, double tolerance, int32_t mostRounds, supVec3d* at )
{
    supLineWork work;
    for ( int32_t i = 0; i < line->count; ++i )
    {
        work.weights[i] = 0.0;
        work.inertia[i] = at[i];
    }
    return supSolveLine( line, tolerance, mostRounds, &work, at );
}

supLineResult supSpringLine_Relax( const supSpringLine* line, double tolerance, int32_t mostRounds, supVec3d* at )
{
    int32_t rounds = 0;
    // a shorter line could slip past what this one goes around
    bool bends = false;
    for ( int32_t f = 0; f < line->fieldCount; ++f )
    {
        bends = bends || line->fields[f].solid;
    }
    for ( int32_t stride = bends ? 1 : supFirstStride( line ); stride > 1; stride /= 2 )
    {
        supShorterLine shorter;
        supMakeShorterLine( line, at, stride, &shorter );
        rounds += supSpringLine_GoOn( &shorter.line, tolerance, mostRounds, shorter.at ).rounds;
        supTakeShorterLine( line, &shorter, at );
    }
    supLineResult result = supSpringLine_GoOn( line, tolerance, mostRounds, at );
    result.rounds += rounds;
    return result;
}

// With v' = ( x - x0 ) / dt and m ( v' - v ) / dt = F - m damping v':  y is where w ( y - x0 ) = m v / dt.
supLineResult supSpringLine_Step( const supSpringLine* line, double dt, double damping, double tolerance,
    int32_t mostRounds, supVec3d* at, supVec3d* speeds )
{
    supLineWork work;
    supVec3d before[sup_mostLineNodes];
    for ( int32_t i = 0; i < line->count; ++i )
    {
        before[i] = at[i];
        work.weights[i] = line->masses[i] * ( 1.0 / dt + damping ) / dt;
        work.inertia[i] = supMulAddD( at[i], dt / ( 1.0 + damping * dt ), speeds[i] );
    }
    supLineResult result = supSolveLine( line, tolerance, mostRounds, &work, at );
    for ( int32_t i = 0; i < line->count; ++i )
    {
        supVec3d speed = supScaleD( supSubD( at[i], before[i] ), 1.0 / dt );
        speeds[i] = line->bound[i] ? ( supVec3d ){ 0.0, 0.0, 0.0 } : speed;
    }
    return result;
}
