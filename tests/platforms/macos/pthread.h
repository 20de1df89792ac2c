#pragma once
#include <signal.h>
typedef struct supStandInThread* pthread_t;
typedef struct supStandInMutex
{
    long words[8];
} pthread_mutex_t;
typedef struct supStandInCondition
{
    long words[6];
} pthread_cond_t;
int pthread_create( pthread_t* thread, const void* attributes, void* ( *start )(void*), void* argument );
int pthread_join( pthread_t thread, void** out );
int pthread_mutex_init( pthread_mutex_t* mutex, const void* attributes );
int pthread_mutex_destroy( pthread_mutex_t* mutex );
int pthread_mutex_lock( pthread_mutex_t* mutex );
int pthread_mutex_unlock( pthread_mutex_t* mutex );
int pthread_cond_init( pthread_cond_t* condition, const void* attributes );
int pthread_cond_destroy( pthread_cond_t* condition );
int pthread_cond_wait( pthread_cond_t* condition, pthread_mutex_t* mutex );
int pthread_cond_broadcast( pthread_cond_t* condition );
