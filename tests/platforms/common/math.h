#pragma once
#define INFINITY ( __builtin_inff() )
#define NAN ( __builtin_nanf( "" ) )
#define HUGE_VAL ( __builtin_huge_val() )
#define isnan( x ) __builtin_isnan( x )
#define isinf( x ) __builtin_isinf( x )
#define isfinite( x ) __builtin_isfinite( x )
#define signbit( x ) __builtin_signbit( x )
double sqrt( double x );
float sqrtf( float x );
double fabs( double x );
float fabsf( float x );
double floor( double x );
float floorf( float x );
double ceil( double x );
float ceilf( float x );
double rint( double x );
double nearbyint( double x );
double round( double x );
float roundf( float x );
long lround( double x );
long lroundf( float x );
double trunc( double x );
float truncf( float x );
double fmin( double a, double b );
float fminf( float a, float b );
double fmax( double a, double b );
float fmaxf( float a, float b );
double fmod( double a, double b );
float fmodf( float a, float b );
double ldexp( double x, int exponent );
double frexp( double x, int* exponent );
double copysign( double x, double sign );
float copysignf( float x, float sign );
