// Matrices (column by column, as in glTF) and quaternions (x, y, z, w) in double precision.

#include "eval_internal.h"

#include <math.h>
#include <string.h>

void evalIdentity( double* m )
{
    memset( m, 0, 16 * sizeof( double ) );
    m[0] = m[5] = m[10] = m[15] = 1.0;
}

void evalMultiply( double* out, const double* a, const double* b )
{
    for ( int column = 0; column < 4; ++column )
    {
        for ( int row = 0; row < 4; ++row )
        {
            double sum = 0.0;
            for ( int k = 0; k < 4; ++k )
            {
                sum += a[4 * k + row] * b[4 * column + k];
            }
            out[4 * column + row] = sum;
        }
    }
}

// T * R * S. The rotation's columns are the images of the axes under q v q*, |q| = 1.
void evalCompose( double* m, const double* t, const double* r, const double* s )
{
    double q[4] = { r[0], r[1], r[2], r[3] };
    evalNormalise( q, 4 );
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double columns[9] = {
        1.0 - 2.0 * ( y * y + z * z ), 2.0 * ( x * y + w * z ), 2.0 * ( x * z - w * y ), //
        2.0 * ( x * y - w * z ), 1.0 - 2.0 * ( x * x + z * z ), 2.0 * ( y * z + w * x ), //
        2.0 * ( x * z + w * y ), 2.0 * ( y * z - w * x ), 1.0 - 2.0 * ( x * x + y * y ), //
    };
    for ( int column = 0; column < 3; ++column )
    {
        for ( int row = 0; row < 3; ++row )
        {
            m[4 * column + row] = columns[3 * column + row] * s[column];
        }
        m[4 * column + 3] = 0.0;
        m[12 + column] = t[column];
    }
    m[15] = 1.0;
}

void evalTransformVector( double* out, const double* m, const double* v )
{
    double x = v[0], y = v[1], z = v[2];
    for ( int row = 0; row < 3; ++row )
    {
        out[row] = m[row] * x + m[4 + row] * y + m[8 + row] * z;
    }
}

void evalTransformPoint( double* out, const double* m, const double* p )
{
    evalTransformVector( out, m, p );
    out[0] += m[12];
    out[1] += m[13];
    out[2] += m[14];
}

static void evalCross( double* out, const double* a, const double* b )
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// With columns a, b, c the inverse transpose has the columns (b x c, c x a, a x b) / det. Only the direction matters,
// so only the sign of the determinant is kept, which lets a flattened matrix still give a normal.
void evalTransformNormal( double* out, const double* m, const double* n )
{
    double bc[3], ca[3], ab[3];
    evalCross( bc, m + 4, m + 8 );
    evalCross( ca, m + 8, m );
    evalCross( ab, m, m + 4 );
    double det = m[0] * bc[0] + m[1] * bc[1] + m[2] * bc[2];
    double sign = det < 0.0 ? -1.0 : 1.0;
    double x = sign * n[0], y = sign * n[1], z = sign * n[2];
    for ( int row = 0; row < 3; ++row )
    {
        out[row] = bc[row] * x + ca[row] * y + ab[row] * z;
    }
}

void evalNormalise( double* v, int count )
{
    double largest = 0.0;
    for ( int i = 0; i < count; ++i )
    {
        largest = fmax( largest, fabs( v[i] ) );
    }
    if ( largest == 0.0 )
    {
        return;
    }
    double sum = 0.0;
    for ( int i = 0; i < count; ++i )
    {
        v[i] /= largest;
        sum += v[i] * v[i];
    }
    double length = sqrt( sum );
    for ( int i = 0; i < count; ++i )
    {
        v[i] /= length;
    }
}

// Along the shorter arc of the unit sphere. The angle comes from the chord, |b - a| = 2 sin(angle / 2), which stays
// exact where the arc cosine of a dot product near 1 does not.
void evalSlerp( double* out, const double* a, const double* b, double t )
{
    double p[4], q[4];
    memcpy( p, a, sizeof( p ) );
    memcpy( q, b, sizeof( q ) );
    evalNormalise( p, 4 );
    evalNormalise( q, 4 );
    double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double chord = 0.0;
    for ( int i = 0; i < 4; ++i )
    {
        q[i] *= sign;
        chord += ( q[i] - p[i] ) * ( q[i] - p[i] );
    }
    double angle = 2.0 * asin( fmin( 1.0, 0.5 * sqrt( chord ) ) );
    double sine = sin( angle );
    double wa = 1.0 - t, wb = t;
    if ( sine > 1e-12 )
    {
        wa = sin( angle * ( 1.0 - t ) ) / sine;
        wb = sin( angle * t ) / sine;
    }
    for ( int i = 0; i < 4; ++i )
    {
        out[i] = wa * p[i] + wb * q[i];
    }
    evalNormalise( out, 4 );
}
