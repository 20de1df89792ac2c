// SPDX-License-Identifier: MIT
#include "io/text_sink.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void supTextSink_Bytes( supTextSink* sink, const char* bytes, size_t count )
{
    if ( sink->length < sink->size )
    {
        size_t room = sink->size - sink->length;
        memcpy( sink->text + sink->length, bytes, count < room ? count : room );
    }
    sink->length += count;
}

void supTextSink_Text( supTextSink* sink, const char* text )
{
    supTextSink_Bytes( sink, text, strlen( text ) );
}

void supTextSink_Format( supTextSink* sink, const char* format, ... )
{
    char text[512];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supTextSink_Text( sink, text );
}

size_t supTextSink_End( supTextSink* sink )
{
    if ( sink->size > 0 )
    {
        sink->text[sink->length < sink->size ? sink->length : sink->size - 1] = '\0';
    }
    return sink->length;
}
