// The parts of modes: vertices that move together, and how.
// SPDX-License-Identifier: MIT

#include "layers/modes/modes.h"

#include "base/math.h"
#include "supple/lab/drawing.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Patterns

supPatternFrame supMakePatternFrame( const supElementView* element, const float* rest )
{
    float radius = 0.0f;
    for ( int32_t i = 0; i < element->vertexCount; ++i )
    {
        const float* p = rest + 3 * (size_t)element->vertices[i];
        supVec3 away = supSub( supMakeVec3( p[0], p[1], p[2] ), element->localFrame.t );
        supVec3 local = supTransposeVector( element->localFrame, away );
        local.y = 0.0f;
        radius = supMaxF( radius, supLength( local ) );
    }
    return ( supPatternFrame ){ element->localFrame, supMaxF( 0.5f * element->boneLength, 1e-12f ),
        supMaxF( radius, 1e-12f ) };
}

float supPatternAt( const supPatternFrame* frame, int32_t pattern, supVec3 point )
{
    supVec3 local = supTransposeVector( frame->frame, supSub( point, frame->frame.t ) );
    float x = local.x / frame->radius, z = local.z / frame->radius;
    switch ( pattern )
    {
        case sup_patternAlong:
            return supClampF( local.y / frame->halfLength, -1.0f, 1.0f );
        case sup_patternSide:
            return x;
        case sup_patternFront:
            return z;
        case sup_patternOval:
            return x * x - z * z;
        default:
            return 1.0f;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Compiling

static bool supIsEven( const supMode* mode )
{
    return mode->pattern == sup_patternEven;
}

/// The parts of one element, as they are laid out.
typedef struct supModeFrameWork
{
    supModes* modes;
    const supElementView* element;
    int32_t elementIndex;
    supPatternFrame frame;
    const float* rest;  ///< positions
    float turnScale;    ///< the largest sum of |p| of patterned turns on any vertex, at least 1
    supModeFrame start; ///< what all parts of the element share
    char* names;
    int32_t at; ///< next free vertex
} supModeFrameWork;

static float supPatternOn( const supModeFrameWork* work, int32_t mode, int32_t vertex )
{
    const float* p = work->rest + 3 * (size_t)work->element->vertices[vertex];
    return supPatternAt( &work->frame, work->modes->modes[mode].pattern, supMakeVec3( p[0], p[1], p[2] ) );
}

/// The sum of |p| of the element's patterned turns.
static float supTurnPatterns( const supModeFrameWork* work, int32_t vertex )
{
    float sum = 0.0f;
    for ( int32_t i = 0; i < work->modes->count; ++i )
    {
        const supMode* mode = work->modes->modes + i;
        bool counts = mode->element == work->elementIndex && mode->motion == sup_modeTurn && !supIsEven( mode );
        sum += counts ? supAbsF( supPatternOn( work, i, vertex ) ) : 0.0f;
    }
    return sum;
}

static supModeFrame* supAddPart(
    supModeFrameWork* work, int32_t mode, float factor, const char* name, const char* suffix )
{
    supModeFrame* part = work->modes->frames + work->modes->frameCount++;
    *part = work->start;
    part->mode = mode;
    part->factor = factor;
    part->first = work->at;
    part->name = work->names;
    memcpy( work->names, name, strlen( name ) );
    work->names += strlen( name );
    memcpy( work->names, suffix, strlen( suffix ) + 1 );
    work->names += strlen( suffix ) + 1;
    return part;
}

static void supAddToPart( supModeFrameWork* work, supModeFrame* part, int32_t vertex, float weight )
{
    if ( weight > 0.0f )
    {
        work->modes->vertices[work->at] = work->element->vertices[vertex];
        work->modes->weights[work->at++] = weight;
        ++part->count;
    }
}

/// The even modes of the element, all together: what patterned turns leave of its weights.
static void supAddEvenPart( supModeFrameWork* work, int32_t firstMode )
{
    supModeFrame* part = supAddPart( work, firstMode, 0.0f, work->element->name, "" );
    part->hasEven = true;
    for ( int32_t i = 0; i < work->modes->count; ++i )
    {
        const supMode* mode = work->modes->modes + i;
        bool turns = mode->element == work->elementIndex && mode->motion == sup_modeTurn && supIsEven( mode );
        part->turns = part->turns || turns;
    }
    for ( int32_t v = 0; v < work->element->vertexCount; ++v )
    {
        float left = 1.0f - supTurnPatterns( work, v ) / work->turnScale;
        supAddToPart( work, part, v, work->element->weights[v] * supMaxF( left, 0.0f ) );
    }
}

/// The vertices of a patterned mode that its pattern has on one side.
static void supAddSidePart( supModeFrameWork* work, int32_t index, float side, bool hasEven )
{
    const supMode* mode = work->modes->modes + index;
    bool turns = mode->motion == sup_modeTurn;
    float scale = turns ? work->turnScale : 1.0f;
    supModeFrame* part = supAddPart( work, index, side * scale, mode->name, side > 0.0f ? " +" : " -" );
    part->turns = turns;
    part->hasEven = turns && hasEven;
    for ( int32_t v = 0; v < work->element->vertexCount; ++v )
    {
        float pattern = side * supPatternOn( work, index, v );
        supAddToPart( work, part, v, work->element->weights[v] * pattern / scale );
    }
    if ( part->count == 0 )
    {
        --work->modes->frameCount;
    }
}

static void supAddElementParts( supModeFrameWork* work )
{
    int32_t firstEven = -1;
    for ( int32_t v = 0; v < work->element->vertexCount; ++v )
    {
        work->turnScale = supMaxF( work->turnScale, supTurnPatterns( work, v ) );
    }
    for ( int32_t i = work->modes->count - 1; i >= 0; --i )
    {
        const supMode* mode = work->modes->modes + i;
        firstEven = mode->element == work->elementIndex && supIsEven( mode ) ? i : firstEven;
    }
    if ( firstEven >= 0 )
    {
        supAddEvenPart( work, firstEven );
    }
    for ( int32_t i = 0; i < work->modes->count; ++i )
    {
        if ( work->modes->modes[i].element == work->elementIndex && !supIsEven( work->modes->modes + i ) )
        {
            supAddSidePart( work, i, 1.0f, firstEven >= 0 );
            supAddSidePart( work, i, -1.0f, firstEven >= 0 );
        }
    }
}

int32_t supMakeModeFrames( const supLayerContext* context, supModes* modes, char* names )
{
    supModeFrameWork work = {
        .modes = modes, .rest = supCharacter_Info( context->character )->restPositions, .names = names
    };
    for ( int32_t e = 0; e < context->elementCount; ++e )
    {
        const supMode* own = NULL;
        for ( int32_t i = 0; i < modes->count && own == NULL; ++i )
        {
            own = modes->modes[i].element == e ? modes->modes + i : NULL;
        }
        if ( own != NULL )
        {
            work.element = context->elements + e;
            work.elementIndex = e;
            work.frame = supMakePatternFrame( work.element, work.rest );
            work.turnScale = 1.0f;
            supVec3 pivot = work.element->localFrame.t;
            work.start = ( supModeFrame ){ .pivot = pivot, .middle = supTransformPoint( own->driverFromRest, pivot ) };
            supAddElementParts( &work );
        }
    }
    return work.at;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking

int32_t supModeFrameCount( const void* compiled )
{
    return ( (const supModes*)compiled )->frameCount;
}

supMotionView supModeFrameView( const void* compiled, int32_t index )
{
    const supModes* modes = compiled;
    const supModeFrame* part = modes->frames + index;
    // a shift that is added to the element's own leaves that as it is
    bool moves = part->factor == 0.0f || part->turns;
    return ( supMotionView ){ .name = part->name,
        .element = moves ? modes->modes[part->mode].element : -1,
        .turns = part->turns,
        .pivot = part->pivot,
        .count = part->count,
        .vertices = modes->vertices + part->first,
        .weights = modes->weights + part->first };
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

/// Adds `factor` of a mode's motion, in the driver's frame at rest.
static void supAddModeMotion( const supMode* mode, const float* u, double factor, supVec3d* turn, supVec3d* shift )
{
    supVec3d* sum = mode->motion == sup_modeTurn ? turn : shift;
    *sum = supMulAddD( *sum, factor, supToDouble( supMakeVec3( u[0], u[1], u[2] ) ) );
}

/// What a part does in the driver's frame at rest: a rotation vector and a shift. False: nothing.
static bool supPartMotion(
    const supModes* modes, const supModeFrame* part, const float* shown, supVec3d* turn, supVec3d* shift )
{
    *turn = *shift = ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < modes->count && part->hasEven; ++i )
    {
        if ( modes->modes[i].element == modes->modes[part->mode].element && supIsEven( modes->modes + i ) )
        {
            supAddModeMotion( modes->modes + i, shown + 3 * i, 1.0, turn, shift );
        }
    }
    if ( part->factor != 0.0f )
    {
        supAddModeMotion( modes->modes + part->mode, shown + 3 * part->mode, (double)part->factor, turn, shift );
    }
    return supDotD( *turn, *turn ) > 0.0 || supDotD( *shift, *shift ) > 0.0;
}

/// A part's motion in model space.
static supSkinMotion supPlacePart(
    const supModes* modes, const supModeFrame* part, const supMat34* joints, supVec3d turn, supVec3d shift )
{
    const supMode* mode = modes->modes + part->mode;
    supMat34 joint = joints[mode->driver];
    supQuatd frame = supNearestRotationD( supMatToDouble( supMulMat( joint, mode->driverFromRest ) ) );
    supSkinMotion motion = { .turn = { 0.0, 0.0, 0.0, 1.0 },
        .pivot = supToDouble( supTransformPoint( joint, part->middle ) ),
        .shift = supRotateD( frame, shift ) };
    supVec3d turned = supRotateD( frame, turn );
    double angle = supLengthD( turned );
    if ( angle > 0.0 )
    {
        motion.turn = supQuatFromAxisAngleD( supScaleD( turned, 1.0 / angle ), angle );
    }
    return motion;
}

void supModeFramesAt( const void* compiled, const supMat34* joints, const float* shown, supSkinMotion* out )
{
    const supModes* modes = compiled;
    for ( int32_t i = 0; i < modes->frameCount; ++i )
    {
        supVec3d turn, shift;
        supPartMotion( modes, modes->frames + i, shown, &turn, &shift );
        out[i] = supPlacePart( modes, modes->frames + i, joints, turn, shift );
    }
}

static void supMovePart( const supModes* modes, const supModeFrame* part, const supSkinMotion* motion,
    const supVec3* smooth, supVec3* positions )
{
    const int32_t* vertices = modes->vertices + part->first;
    const float* weights = modes->weights + part->first;
    supVec3 shift = supToFloat( motion->shift ), pivot = supToFloat( motion->pivot );
    supQuat turn = supQuatToFloat( motion->turn );
    for ( int32_t k = 0; k < part->count; ++k )
    {
        supVec3 step = shift;
        if ( part->turns )
        {
            supVec3 arm = supSub( smooth[vertices[k]], pivot );
            step = supAdd( step, supSub( supRotate( turn, arm ), arm ) );
        }
        positions[vertices[k]] = supMulAdd( positions[vertices[k]], weights[k], step );
    }
}

void supApplyModes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supModes* modes = compiled;
    for ( int32_t i = 0; i < modes->frameCount; ++i )
    {
        const supModeFrame* part = modes->frames + i;
        supVec3d turn, shift;
        if ( supPartMotion( modes, part, shown, &turn, &shift ) )
        {
            supSkinMotion motion = supPlacePart( modes, part, frame->joints, turn, shift );
            supMovePart( modes, part, &motion, frame->smooth, positions );
        }
    }
}

/// A point on each vertex that a mode moves: one colour where its pattern is above 0, another below, larger where it is
/// stronger.
void supDrawModes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)frame;
    (void)shown;
    (void)what;
    const supModes* modes = compiled;
    for ( int32_t i = 0; i < modes->frameCount && draw->point != NULL; ++i )
    {
        const supModeFrame* part = modes->frames + i;
        for ( int32_t k = part->first; k < part->first + part->count; ++k )
        {
            float weight = modes->weights[k];
            if ( weight > 0.02f )
            {
                draw->point( positions[modes->vertices[k]],
                    supDraw_Distinct( 2 * part->mode + ( part->factor < 0.0f ? 1 : 0 ) ),
                    1.0f + 6.0f * supMinF( weight, 1.0f ), draw->user );
            }
        }
    }
}
