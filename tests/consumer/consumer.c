/* A C program that uses the installed core: work on its pool of threads, and an error with its words. */
#include <supple/base.h>

#include <stdio.h>

static void square( int32_t index, void* context )
{
    int32_t* numbers = context;
    numbers[index] = index * index;
}

int main( void )
{
    supError error = { 0 };
    supPool* pool = NULL;
    if ( supCreatePool( 4, NULL, &pool, &error ) != sup_success )
    {
        printf( "%s\n", error.text );
        return 1;
    }
    int32_t numbers[100];
    supTasks tasks = supPool_Tasks( pool );
    tasks.run( square, 100, numbers, tasks.user );
    supDestroyPool( pool );
    for ( int32_t i = 0; i < 100; ++i )
    {
        if ( numbers[i] != i * i )
        {
            printf( "task %d was not run\n", (int)i );
            return 1;
        }
    }
    printf( "C: supple %s\n", supVersion() );
    return 0;
}
