// SPDX-License-Identifier: MIT
#include "picture/stage_internal.h"

#include <float.h>
#include <math.h>

// Camera space: a to the right, b upwards, c towards the camera. A point is inside the picture when
//
//     |a - ea| <= tx ( ec - c )   and   |b - eb| <= ty ( ec - c )
//
// for an eye (ea, eb, ec) and the tangents of half the field of view. Each of the four is a half-space,
// a + tx c <= ea + tx ec and so on, so the points enter through four maxima alone, s0 = max( a + tx c ), s1 = max( -a +
// tx c ), s2 and s3 for b; the nearest eye that sees them all has ec = max( ( s0 + s1 ) / 2 tx, ( s2 + s3 ) / 2 ty ),
// ea = ( s0 - s1 ) / 2, eb = ( s2 - s3 ) / 2. With tx = ty = 0 the same sums are the extent of a parallel projection.

supView supDefaultView( void )
{
    return ( supView ){
        .width = 960,
        .height = 720,
        .supersample = 1,
        .front = { 0.0f, 0.0f, 1.0f },
        .up = { 0.0f, 1.0f, 0.0f },
        .yaw = 0.6f,
        .pitch = 0.2f,
        .fieldOfView = 0.5f,
        .margin = 0.06f,
        .eye = { 0.0f, 0.0f, 4.0f },
        .parallelHeight = 2.0f,
        .nearest = 0.1f,
        .farthest = 100.0f,
        .top = { 0.50f, 0.54f, 0.60f, 1.0f },
        .bottom = { 0.78f, 0.79f, 0.80f, 1.0f },
        .ground = true,
        .groundHeight = 0.0f,
        .groundSize = 1.0f,
    };
}

/// The figure's left, up and front: x, y and z where nothing else is said.
static void supFigureAxes( const supView* view, supVec3 axes[3] )
{
    axes[0] = supCross( view->up, view->front );
    axes[1] = view->up;
    axes[2] = view->front;
}

static supVec3 supAlongAxes( const supVec3 axes[3], float left, float up, float front )
{
    return supAdd( supAdd( supScale( axes[0], left ), supScale( axes[1], up ) ), supScale( axes[2], front ) );
}

static void supViewAxes( const supView* view, supVec3* right, supVec3* up, supVec3* back )
{
    float cy = cosf( view->yaw ), sy = sinf( view->yaw );
    float cp = cosf( view->pitch ), sp = sinf( view->pitch );
    supVec3 axes[3];
    supFigureAxes( view, axes );
    *right = supAlongAxes( axes, cy, 0.0f, -sy );
    *back = supAlongAxes( axes, sy * cp, sp, cy * cp );
    *up = supCross( *back, *right );
}

supFraming supBeginFraming( const supView* view )
{
    supFraming framing = { .lower = { FLT_MAX, FLT_MAX, FLT_MAX }, .upper = { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
    supViewAxes( view, &framing.right, &framing.up, &framing.back );
    supFigureAxes( view, framing.axes );
    float shorter = (float)( view->width < view->height ? view->width : view->height );
    if ( view->fieldOfView > 0.0f )
    {
        float tangent = tanf( 0.5f * view->fieldOfView );
        framing.tangentY = tangent * ( 1.0f - 2.0f * view->margin * shorter / (float)view->height );
        framing.tangentX = tangent * ( (float)view->width - 2.0f * view->margin * shorter ) / (float)view->height;
    }
    for ( int i = 0; i < 4; ++i )
    {
        framing.support[i] = -FLT_MAX;
    }
    framing.frontMost = -FLT_MAX;
    framing.backMost = FLT_MAX;
    return framing;
}

void supFraming_Add( supFraming* framing, const float* positions, int32_t count, supVec3 offset )
{
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* q = positions + 3 * (size_t)i;
        supVec3 p = supAdd( ( supVec3 ){ q[0], q[1], q[2] }, offset );
        if ( isfinite( p.x + p.y + p.z ) == 0 )
        {
            continue;
        }
        float a = supDot( framing->right, p ), b = supDot( framing->up, p ), c = supDot( framing->back, p );
        float tx = framing->tangentX, ty = framing->tangentY;
        framing->support[0] = fmaxf( framing->support[0], a + tx * c );
        framing->support[1] = fmaxf( framing->support[1], -a + tx * c );
        framing->support[2] = fmaxf( framing->support[2], b + ty * c );
        framing->support[3] = fmaxf( framing->support[3], -b + ty * c );
        framing->frontMost = fmaxf( framing->frontMost, c );
        framing->backMost = fminf( framing->backMost, c );
        p = ( supVec3 ){ supDot( framing->axes[0], p ), supDot( framing->axes[1], p ), supDot( framing->axes[2], p ) };
        framing->lower = ( supVec3 ){ fminf( framing->lower.x, p.x ), fminf( framing->lower.y, p.y ),
            fminf( framing->lower.z, p.z ) };
        framing->upper = ( supVec3 ){ fmaxf( framing->upper.x, p.x ), fmaxf( framing->upper.y, p.y ),
            fmaxf( framing->upper.z, p.z ) };
        framing->count += 1;
    }
}

static void supPlaceEye( const supFraming* framing, float radius, supView* view )
{
    const float* s = framing->support;
    float ea = 0.5f * ( s[0] - s[1] ), eb = 0.5f * ( s[2] - s[3] ), ec;
    if ( framing->tangentX > 0.0f )
    {
        ec = fmaxf( ( s[0] + s[1] ) / ( 2.0f * framing->tangentX ), ( s[2] + s[3] ) / ( 2.0f * framing->tangentY ) );
        ec = fmaxf( ec, framing->frontMost + 0.2f * radius );
    }
    else
    {
        float shorter = (float)( view->width < view->height ? view->width : view->height );
        float freeX = 1.0f - 2.0f * view->margin * shorter / (float)view->width;
        float freeY = 1.0f - 2.0f * view->margin * shorter / (float)view->height;
        float byWidth = ( s[0] + s[1] ) / freeX * (float)view->height / (float)view->width;
        view->parallelHeight = fmaxf( fmaxf( byWidth, ( s[2] + s[3] ) / freeY ), 1e-3f * radius );
        ec = framing->frontMost + 2.0f * radius;
    }
    view->eye =
        supAdd( supAdd( supScale( framing->right, ea ), supScale( framing->up, eb ) ), supScale( framing->back, ec ) );
    float first = ec - framing->frontMost, last = ec - framing->backMost;
    view->nearest = fmaxf( 0.5f * first, 0.01f * last );
    view->farthest = last + 12.0f * radius;
}

void supFraming_End( const supFraming* framing, supView* view )
{
    if ( framing->count == 0 )
    {
        supFraming metre = supBeginFraming( view );
        const float corners[] = { -0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f };
        supFraming_Add( &metre, corners, 2, supVec3_zero );
        supFraming_End( &metre, view );
        return;
    }
    supVec3 extent = supSub( framing->upper, framing->lower );
    float radius = 0.5f * sqrtf( supDot( extent, extent ) );
    radius = radius > 1e-20f ? radius : 0.5f; // a single point
    supPlaceEye( framing, radius, view );
    view->groundHeight = framing->lower.y;
    view->groundSize = radius;
    supVec3 middle = supScale( supAdd( framing->lower, framing->upper ), 0.5f );
    view->groundCenter = supAlongAxes( framing->axes, middle.x, framing->lower.y, middle.z );
}

bool supView_Project( const supView* view, supVec3 point, float* x, float* y, float* depth )
{
    supVec3 right, up, back;
    supViewAxes( view, &right, &up, &back );
    supVec3 d = supSub( point, view->eye );
    float distance = -supDot( back, d );
    float half = view->fieldOfView > 0.0f ? tanf( 0.5f * view->fieldOfView ) * distance : 0.5f * view->parallelHeight;
    *depth = distance;
    if ( !( distance > 0.0f ) || !( half > 0.0f ) )
    {
        return false;
    }
    float perMetre = 0.5f * (float)view->height / half;
    *x = 0.5f * (float)view->width + supDot( right, d ) * perMetre;
    *y = 0.5f * (float)view->height - supDot( up, d ) * perMetre;
    return true;
}

static supVec3 supUnit( supVec3 v )
{
    return supScale( v, 1.0f / sqrtf( supDot( v, v ) ) );
}

/// Lights walk around with the camera, so that every view is lit alike.
static void supPlaceLights( float yaw, supCamera* camera )
{
    supVec3 r = supAlongAxes( camera->axes, cosf( yaw ), 0.0f, -sinf( yaw ) );
    supVec3 b = supAlongAxes( camera->axes, sinf( yaw ), 0.0f, cosf( yaw ) ), u = camera->axes[1];
    camera->key = supUnit( supAdd( supAdd( supScale( r, -0.55f ), supScale( u, 0.75f ) ), supScale( b, 0.75f ) ) );
    camera->fill = supUnit( supAdd( supAdd( supScale( r, 0.85f ), supScale( u, 0.15f ) ), supScale( b, 0.55f ) ) );
    camera->rim = supUnit( supAdd( supAdd( supScale( r, 0.35f ), supScale( u, 0.65f ) ), supScale( b, -0.9f ) ) );
    camera->shadow = supUnit( supAdd( supAdd( supScale( r, -0.45f ), u ), supScale( b, 0.25f ) ) );
}

supCamera supMakeCamera( const supView* view, int32_t supersample )
{
    supCamera camera = {
        .width = view->width * supersample, .height = view->height * supersample, .scale = (float)supersample
    };
    supViewAxes( view, &camera.right, &camera.up, &camera.back );
    supFigureAxes( view, camera.axes );
    supPlaceLights( view->yaw, &camera );
    float n = view->nearest, f = view->farthest, aspect = (float)view->width / (float)view->height;
    float p[4][4] = { { 0.0f } }; // projection, p[row][column], of camera space with c before the eye negative
    if ( view->fieldOfView > 0.0f )
    {
        float s = 1.0f / tanf( 0.5f * view->fieldOfView );
        p[0][0] = s / aspect;
        p[1][1] = s;
        p[2][2] = -( f + n ) / ( f - n );
        p[2][3] = -2.0f * f * n / ( f - n );
        p[3][2] = -1.0f;
    }
    else
    {
        p[0][0] = 2.0f / ( view->parallelHeight * aspect );
        p[1][1] = 2.0f / view->parallelHeight;
        p[2][2] = -2.0f / ( f - n );
        p[2][3] = -( f + n ) / ( f - n );
        p[3][3] = 1.0f;
    }
    const supVec3 axes[3] = { camera.right, camera.up, camera.back };
    float v[4][4] = { { 0.0f }, { 0.0f }, { 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
    for ( int i = 0; i < 3; ++i )
    {
        v[i][0] = axes[i].x;
        v[i][1] = axes[i].y;
        v[i][2] = axes[i].z;
        v[i][3] = -supDot( axes[i], view->eye );
    }
    for ( int row = 0; row < 4; ++row )
    {
        for ( int column = 0; column < 4; ++column )
        {
            float sum = 0.0f;
            for ( int k = 0; k < 4; ++k )
            {
                sum += p[row][k] * v[k][column];
            }
            camera.viewProjection[4 * column + row] = sum;
        }
    }
    return camera;
}
