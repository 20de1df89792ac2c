// The path of a spring's anchor through a clip.
// SPDX-License-Identifier: MIT
//
// A clip tells where the anchor is at its keys. The flesh feels its acceleration, so between the keys the path must
// have a continuous one: a cubic spline. Straight lines between keys would be a blow at each of them.
//
// In a cycle the path goes on after its end as it began, moved by the root's own motion T (rigid, linear part R):
// x(t + P) = T x(t), so speed and acceleration at the end are R times those at the start. Where the pose does not quite
// close, neither does the path; then the gap is taken out of it evenly over the whole cycle, which adds a constant
// speed and no acceleration.

#include "bake/anchor_path.h"

#include "base/math.h"

/// Nodes of the neighbouring cycles that the spline of a cycle is laid through too. What a node does to the spline
/// falls at least by half with every node in between: 2^-64 of it is left.
enum
{
    supOverlap = 64
};

// ---------------------------------------------------------------------------------------------------------------
// The spline: second derivatives m_i at the nodes from
//     h_(i-1) m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_i m_(i+1) = 6 (d_i - d_(i-1)),   d_i = (x_(i+1) - x_i) / h_i
// with m_0 = m_1 and m_(n-1) = m_(n-2): at its ends the path is a parabola. (A zero second derivative there would tell
// the flesh that a runner is weightless at the clip's first frame.)

static supVec3d supChordSlope( const double* t, const supVec3d* x, int32_t i )
{
    return supScaleD( supSubD( x[i + 1], x[i] ), 1.0 / ( t[i + 1] - t[i] ) );
}

/// Forward elimination of a diagonally dominant tridiagonal system, back substitution; `ratios`: scratch.
static void supSpline( const double* t, const supVec3d* x, int32_t count, double* ratios, supVec3d* bends )
{
    if ( count < 3 )
    {
        for ( int32_t i = 0; i < count; ++i )
        {
            bends[i] = ( supVec3d ){ 0.0, 0.0, 0.0 };
        }
        return;
    }
    for ( int32_t i = 1; i + 1 < count; ++i )
    {
        double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
        supVec3d right = supScaleD( supSubD( supChordSlope( t, x, i ), supChordSlope( t, x, i - 1 ) ), 6.0 );
        double diagonal = 2.0 * ( before + after );
        diagonal += i == 1 ? before : 0.0;        // m_0 = m_1
        diagonal += i + 2 == count ? after : 0.0; // m_(n-1) = m_(n-2)
        if ( i > 1 )
        {
            diagonal -= before * ratios[i - 1];
            right = supMulAddD( right, -before, bends[i - 1] );
        }
        ratios[i] = after / diagonal;
        bends[i] = supScaleD( right, 1.0 / diagonal );
    }
    for ( int32_t i = count - 3; i >= 1; --i )
    {
        bends[i] = supMulAddD( bends[i], -ratios[i], bends[i + 1] );
    }
    bends[0] = bends[1];
    bends[count - 1] = bends[count - 2];
}

/// The nodes of a cycle with those of its neighbours on both sides.
static void supUnroll( const supAnchorPath* path, supMat34d motion, supMat34d inverse, double* t, supVec3d* x )
{
    int32_t spans = path->count - 1;
    double period = path->times[spans] - path->times[0];
    for ( int32_t i = 0; i < path->count; ++i )
    {
        t[supOverlap + i] = path->times[i];
        x[supOverlap + i] = path->places[i];
    }
    for ( int32_t i = supOverlap - 1; i >= 0; --i )
    {
        t[i] = t[i + spans] - period;
        x[i] = supTransformPointD( inverse, x[i + spans] );
    }
    for ( int32_t i = supOverlap + path->count; i < path->count + 2 * supOverlap; ++i )
    {
        t[i] = t[i - spans] + period;
        x[i] = supTransformPointD( motion, x[i - spans] );
    }
}

/// Takes what is left of the gap out of the path evenly, pull included.
static void supCloseGap( supAnchorPath* path, supMat34d motion )
{
    int32_t last = path->count - 1;
    supVec3d gap = supSubD( path->places[last], supTransformPointD( motion, path->places[0] ) );
    supVec3d pullGap = supSubD( path->pulls[last], supTransformVectorD( motion, path->pulls[0] ) );
    double period = path->times[last] - path->times[0];
    for ( int32_t i = 1; i <= last; ++i )
    {
        double share = -( path->times[i] - path->times[0] ) / period;
        path->places[i] = supMulAddD( path->places[i], share, gap );
        path->pulls[i] = supMulAddD( path->pulls[i], share, pullGap );
    }
}

static supResult supBendPath(
    supAnchorPath* path, const supRootMotion* root, const supAllocator* allocator, supError* error )
{
    bool loops = root->loops && path->count > 1;
    int32_t overlap = loops ? supOverlap : 0;
    size_t total = (size_t)path->count + 2 * (size_t)overlap;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, double, times, total );
    SUP_PUT_NEW( &layout, double, ratios, total );
    SUP_PUT_NEW( &layout, supVec3d, places, total );
    SUP_PUT_NEW( &layout, supVec3d, bends, total );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for an anchor's path of %d nodes", path->count );
    }
    supMat34d inverse;
    supInvertMatD( root->motion, &inverse );
    if ( loops )
    {
        supCloseGap( path, root->motion );
        supUnroll( path, root->motion, inverse, times, places );
    }
    supSpline( loops ? times : path->times, loops ? places : path->places, (int32_t)total, ratios, bends );
    for ( int32_t i = 0; i < path->count; ++i )
    {
        path->bends[i] = bends[overlap + i];
    }
    supFree( allocator, block, layout.size );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading the clip

/// Gravity on the spring with its joint standing like this: as the live body has it (flesh_step.c), in double.
static supVec3d supPullAt( const supSwingView* swing, supVec3d gravity, supMat34d joint )
{
    if ( !swing->relative )
    {
        return supScaleD( gravity, swing->gain );
    }
    supMat34d m = supMulMatD( joint, supMatToDouble( swing->fromRest ) );
    supVec3d y = supNormalizeD( m.y );
    supVec3d x = supNormalizeD( supMulAddD( m.x, -supDotD( m.x, y ), y ) );
    supMat34d turn = { x, y, supCrossD( x, y ), { 0.0, 0.0, 0.0 } };
    return supScaleD( supSubD( gravity, supTransformVectorD( turn, gravity ) ), swing->gain );
}

static supResult supAllocPath( supAnchorPath* path, size_t count, const supAllocator* allocator, supError* error )
{
    supLayout layout = supMakeLayout();
    supAnchorPath made = { .count = (int32_t)count };
    SUP_PUT( &layout, made.times, count );
    SUP_PUT( &layout, made.places, count );
    SUP_PUT( &layout, made.bends, count );
    SUP_PUT( &layout, made.pulls, count );
    SUP_PUT( &layout, made.u, count );
    SUP_PUT( &layout, made.s, count );
    char* block = count <= INT32_MAX / 2 ? supAllocLayout( allocator, &layout ) : NULL;
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for an anchor's path of %zu nodes", count );
    }
    made.blockSize = layout.size;
    *path = made;
    return sup_success;
}

/// The path with its times, and nothing on it yet.
static supResult supLayPath(
    supAnchorPath* path, const supDriverChain* chain, const supAllocator* allocator, supError* error )
{
    *path = ( supAnchorPath ){ 0 };
    supArray times = supMakeArray( sizeof( double ), allocator );
    supResult result = supChain_PathTimes( chain, &times, error );
    if ( result == sup_success )
    {
        result = supAllocPath( path, times.count, allocator, error );
    }
    for ( int32_t i = 0; i < path->count; ++i )
    {
        path->times[i] = ( (const double*)times.data )[i];
    }
    supArray_Destroy( &times );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The path
//
// A place is linear in the joint's matrix, and so is its path; it may have only a share of the root's travel.
//
// What turns feels angular acceleration, so its path is the integral of the angular velocity w: the sum of the rotation
// vectors from one time to the next, where these are close together. In a cycle w( t + P ) = R w( t ), so the path goes
// on as R x + x( P ) - R x( 0 ); a gap in the pose is a constant in w, which nothing feels.

enum
{
    supTurnSteps = 8 ///< of a span, for the sum of rotation vectors
};

static supQuatd supSwingTurn( const supSwingView* swing, supDriverChain* chain, double time )
{
    return supNearestRotationD( supMulMatD( supChain_Sample( chain, time ), supMatToDouble( swing->fromRest ) ) );
}

static void supTurnAlong( supAnchorPath* path, const supSwingView* swing, supDriverChain* chain )
{
    supQuatd turn = supSwingTurn( swing, chain, path->times[0] );
    path->places[0] = ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i + 1 < path->count; ++i )
    {
        supVec3d sum = path->places[i];
        for ( int k = 1; k <= supTurnSteps; ++k )
        {
            double share = (double)k / supTurnSteps;
            supQuatd next =
                supSwingTurn( swing, chain, path->times[i] + share * ( path->times[i + 1] - path->times[i] ) );
            sum = supAddD( sum, supRotationVectorD( supMulQuatD( next, supConjugateD( turn ) ) ) );
            turn = next;
        }
        path->places[i + 1] = sum;
    }
}

supResult supMakeAnchorPath( supAnchorPath* path, const supSwingView* swing, supVec3 gravity, supDriverChain* chain,
    const supRootMotion* root, const supAllocator* allocator, supError* error )
{
    supResult result = supLayPath( path, chain, allocator, error );
    if ( result != sup_success )
    {
        return result;
    }
    supRootMotion onwards = *root;
    onwards.motion.t = supScaleD( root->motion.t, swing->share );
    for ( int32_t i = 0; i < path->count; ++i )
    {
        supMat34d joint = supChain_Sample( chain, path->times[i] );
        supVec3d arm = supTransformVectorD( joint, supToDouble( swing->lever ) );
        path->places[i] = supMulAddD( arm, swing->share, joint.t );
        path->pulls[i] =
            swing->gain != 0.0 ? supPullAt( swing, supToDouble( gravity ), joint ) : ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    if ( swing->turns )
    {
        supTurnAlong( path, swing, chain );
        onwards.motion.t = path->places[path->count - 1];
    }
    return supBendPath( path, &onwards, allocator, error );
}

void supAnchorPath_Destroy( supAnchorPath* path, const supAllocator* allocator )
{
    supFree( allocator, path->times, path->blockSize );
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

supPathSpan supAnchorPath_Span( const supAnchorPath* path, int32_t index )
{
    double h = path->times[index + 1] - path->times[index];
    supVec3d first = path->bends[index], second = path->bends[index + 1];
    supVec3d chord = supSubD( path->places[index + 1], path->places[index] );
    supPathSpan span = { .length = h };
    span.steps[1] = supScaleD( first, 0.5 * h * h );
    span.steps[2] = supScaleD( supSubD( second, first ), h * h / 6.0 );
    span.steps[0] = supSubD( supSubD( chord, span.steps[1] ), span.steps[2] );
    return span;
}

int32_t supAnchorPath_Find( const supAnchorPath* path, double time )
{
    int32_t low = 0, high = path->count - 1;
    while ( high - low > 1 )
    {
        int32_t middle = low + ( high - low ) / 2;
        if ( path->times[middle] <= time )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}
