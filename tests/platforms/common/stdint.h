#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef int16_t int_least16_t, int_fast16_t;
typedef uint16_t uint_least16_t, uint_fast16_t;
typedef int32_t int_least32_t, int_fast32_t;
typedef uint32_t uint_least32_t, uint_fast32_t;
typedef int64_t int_least64_t, int_fast64_t;
typedef uint64_t uint_least64_t, uint_fast64_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#define INT8_MAX 127
#define INT16_MIN ( -32767 - 1 )
#define INT16_MAX 32767
#define INT32_MIN ( -2147483647 - 1 )
#define INT32_MAX 2147483647
#define INT64_MAX __INT64_MAX__
#define INT64_MIN ( -__INT64_MAX__ - 1 )
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX __UINT64_MAX__
#define SIZE_MAX __SIZE_MAX__
#define INT64_C( number ) number##ll
#define UINT64_C( number ) number##ull
