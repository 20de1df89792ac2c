#pragma once
// with the words that the real one takes away
#define near
#define far
#define small char
#define interface struct
typedef unsigned long DWORD;
typedef unsigned short WORD;
typedef int BOOL;
typedef void* HANDLE;
typedef struct supStandInLock
{
    void* Ptr;
} SRWLOCK, CONDITION_VARIABLE;
#define INFINITE 0xffffffff
#define ALL_PROCESSOR_GROUPS 0xffff
__declspec( dllimport ) DWORD __stdcall GetActiveProcessorCount( WORD group );
__declspec( dllimport ) DWORD __stdcall WaitForSingleObject( HANDLE handle, DWORD milliseconds );
__declspec( dllimport ) BOOL __stdcall CloseHandle( HANDLE handle );
__declspec( dllimport ) void __stdcall InitializeSRWLock( SRWLOCK* lock );
__declspec( dllimport ) void __stdcall AcquireSRWLockExclusive( SRWLOCK* lock );
__declspec( dllimport ) void __stdcall ReleaseSRWLockExclusive( SRWLOCK* lock );
__declspec( dllimport ) void __stdcall InitializeConditionVariable( CONDITION_VARIABLE* condition );
__declspec( dllimport ) void __stdcall WakeAllConditionVariable( CONDITION_VARIABLE* condition );
__declspec( dllimport ) BOOL __stdcall SleepConditionVariableSRW(
    CONDITION_VARIABLE* condition, SRWLOCK* lock, DWORD milliseconds, DWORD flags );
