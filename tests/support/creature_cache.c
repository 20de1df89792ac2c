#include "support/creature_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMostKept = 8
};

static struct
{
    char name[32];
    supCreature* creature;
} supKept[supMostKept];

static void supDropKept( void )
{
    for ( int i = 0; i < supMostKept; ++i )
    {
        supDestroyCreature( supKept[i].creature );
        supKept[i].creature = NULL;
    }
}

const supCharacter* supTestCreature( const char* name )
{
    int i = 0;
    while ( i < supMostKept && supKept[i].creature != NULL && strcmp( supKept[i].name, name ) != 0 )
    {
        ++i;
    }
    assert_true( i < supMostKept && strlen( name ) < sizeof( supKept[i].name ) );
    if ( supKept[i].creature == NULL )
    {
        supError error = { 0 };
        if ( supCreateCreature( name, NULL, &supKept[i].creature, &error ) != sup_success )
        {
            fail_msg( "%s", error.text );
        }
        strcpy( supKept[i].name, name );
        if ( i == 0 )
        {
            atexit( supDropKept );
        }
    }
    return supCreature_Character( supKept[i].creature );
}
