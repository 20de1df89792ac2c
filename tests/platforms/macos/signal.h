#pragma once
typedef unsigned sigset_t;
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIG_SETMASK 3
int sigfillset( sigset_t* set );
int sigdelset( sigset_t* set, int signal );
int pthread_sigmask( int how, const sigset_t* set, sigset_t* before );
