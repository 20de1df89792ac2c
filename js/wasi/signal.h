// Found before the C library's own, which refuses to be included: in WebAssembly no signal ever comes.
// SPDX-License-Identifier: MIT
#pragma once

#define SIGHUP 1
#define SIGINT 2
#define SIGTERM 15
#define SIGXFSZ 25
#define SIG_BLOCK 0
#define SIG_SETMASK 2

typedef unsigned sigset_t;
struct timespec;

struct sigaction
{
    void ( *sa_handler )( int number );
};

static inline int sigemptyset( sigset_t* set )
{
    *set = 0;
    return 0;
}

static inline int sigaddset( sigset_t* set, int number )
{
    *set |= 1u << number;
    return 0;
}

static inline int sigismember( const sigset_t* set, int number )
{
    return ( *set >> number & 1u ) != 0;
}

static inline int sigpending( sigset_t* set )
{
    *set = 0;
    return 0;
}

static inline int sigtimedwait( const sigset_t* set, void* info, const struct timespec* timeout )
{
    (void)set, (void)info, (void)timeout;
    return -1;
}

static inline int pthread_sigmask( int how, const sigset_t* set, sigset_t* old )
{
    (void)how, (void)set;
    if ( old != 0 )
    {
        *old = 0;
    }
    return 0;
}
