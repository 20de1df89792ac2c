// Supple: a small PNG writer.
// SPDX-License-Identifier: MIT
//
// Painted pictures are flat areas with soft edges, so deflate (Deutsch, RFC 1951, 1996) with its fixed codes does well,
// and the only places looked at for repeats are the pixel to the left and the one above. The library needs no zlib for
// it, and the bytes depend on nothing else.

#include "creatures/surface.h"

#include <string.h>

typedef struct supBitSink
{
    supArray* out;
    uint32_t bits;
    int32_t count;
    bool failed;
} supBitSink;

static void supPutByte( supBitSink* sink, uint8_t byte )
{
    uint8_t* to = supArray_Add( sink->out, 1 );
    if ( to == NULL )
    {
        sink->failed = true;
        return;
    }
    *to = byte;
}

// Lowest bit first.
static void supPutBits( supBitSink* sink, uint32_t value, int32_t count )
{
    sink->bits |= value << sink->count;
    sink->count += count;
    while ( sink->count >= 8 )
    {
        supPutByte( sink, (uint8_t)sink->bits );
        sink->bits >>= 8;
        sink->count -= 8;
    }
}

// Huffman codes go highest bit first.
static void supPutCode( supBitSink* sink, uint32_t code, int32_t count )
{
    uint32_t turned = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        turned |= ( code >> i & 1u ) << ( count - 1 - i );
    }
    supPutBits( sink, turned, count );
}

// The fixed code of literals and lengths, RFC 1951, 3.2.6.
static void supPutSymbol( supBitSink* sink, uint32_t symbol )
{
    if ( symbol < 144 )
    {
        supPutCode( sink, 0x30 + symbol, 8 );
    }
    else if ( symbol < 256 )
    {
        supPutCode( sink, 0x190 + symbol - 144, 9 );
    }
    else if ( symbol < 280 )
    {
        supPutCode( sink, symbol - 256, 7 );
    }
    else
    {
        supPutCode( sink, 0xc0 + symbol - 280, 8 );
    }
}

// A number `value` counted from `base` as a symbol and extra bits: groups of `group` symbols share a number of extra
// bits, which starts at none for the first two groups' worth.
static void supPutLength( supBitSink* sink, uint32_t length )
{
    if ( length == 258 )
    {
        supPutSymbol( sink, 285 );
        return;
    }
    uint32_t rest = length - 3, extra = 0;
    while ( rest >> extra >= 8 )
    {
        extra += 1;
    }
    supPutSymbol( sink, 257 + 4 * extra + ( rest >> extra ) );
    supPutBits( sink, rest & ( ( 1u << extra ) - 1u ), (int32_t)extra );
}

static void supPutDistance( supBitSink* sink, uint32_t distance )
{
    uint32_t rest = distance - 1, extra = 0;
    while ( rest >> extra >= 4 )
    {
        extra += 1;
    }
    supPutCode( sink, 2 * extra + ( rest >> extra ), 5 );
    supPutBits( sink, rest & ( ( 1u << extra ) - 1u ), (int32_t)extra );
}

static uint32_t supRepeat( const uint8_t* data, size_t at, size_t size, size_t distance )
{
    uint32_t length = 0;
    if ( at < distance )
    {
        return 0;
    }
    while ( length < 258 && at + length < size && data[at + length] == data[at + length - distance] )
    {
        length += 1;
    }
    return length;
}

static void supDeflate( supBitSink* sink, const uint8_t* data, size_t size, size_t rowSize )
{
    supPutBits( sink, 3, 3 ); // the last block, fixed codes
    for ( size_t at = 0; at < size; )
    {
        size_t distance = 3;
        uint32_t length = supRepeat( data, at, size, 3 );
        uint32_t above = supRepeat( data, at, size, rowSize );
        if ( above > length )
        {
            distance = rowSize;
            length = above;
        }
        if ( length < 4 )
        {
            supPutSymbol( sink, data[at] );
            at += 1;
            continue;
        }
        supPutLength( sink, length );
        supPutDistance( sink, (uint32_t)distance );
        at += length;
    }
    supPutSymbol( sink, 256 );
    supPutBits( sink, 0, ( 8 - sink->count ) & 7 );
}

static uint32_t supAdler( const uint8_t* data, size_t size )
{
    uint32_t a = 1, b = 0;
    for ( size_t i = 0; i < size; ++i )
    {
        a = ( a + data[i] ) % 65521u;
        b = ( b + a ) % 65521u;
    }
    return b << 16 | a;
}

static uint32_t supCrc( const uint8_t* data, size_t size )
{
    uint32_t crc = 0xffffffffu;
    for ( size_t i = 0; i < size; ++i )
    {
        crc ^= data[i];
        for ( int32_t k = 0; k < 8; ++k )
        {
            crc = crc >> 1 ^ ( crc & 1u ? 0xedb88320u : 0u );
        }
    }
    return ~crc;
}

static void supPutBig( supBitSink* sink, uint32_t value )
{
    for ( int32_t shift = 24; shift >= 0; shift -= 8 )
    {
        supPutByte( sink, (uint8_t)( value >> shift ) );
    }
}

// Chunks are begun with a length of zero, which is filled in at their end.
static size_t supBeginChunk( supBitSink* sink, const char* type )
{
    supPutBig( sink, 0 );
    size_t start = sink->out->count;
    for ( int32_t i = 0; i < 4; ++i )
    {
        supPutByte( sink, (uint8_t)type[i] );
    }
    return start;
}

static void supEndChunk( supBitSink* sink, size_t start )
{
    if ( sink->failed )
    {
        return;
    }
    uint8_t* bytes = sink->out->data;
    size_t size = sink->out->count - start;
    for ( size_t i = 0; i < 4; ++i )
    {
        bytes[start - 4 + i] = (uint8_t)( ( size - 4 ) >> ( 24 - 8 * i ) );
    }
    supPutBig( sink, supCrc( bytes + start, size ) );
}

bool supAppendPng( const uint8_t* pixels, int32_t width, int32_t height, supArray* out )
{
    supBitSink sink = { .out = out };
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    for ( int32_t i = 0; i < 8; ++i )
    {
        supPutByte( &sink, signature[i] );
    }
    size_t start = supBeginChunk( &sink, "IHDR" );
    supPutBig( &sink, (uint32_t)width );
    supPutBig( &sink, (uint32_t)height );
    static const uint8_t kind[5] = { 8, 2, 0, 0, 0 }; // 8 bits, RGB
    for ( int32_t i = 0; i < 5; ++i )
    {
        supPutByte( &sink, kind[i] );
    }
    supEndChunk( &sink, start );
    // Rows with a filter byte, 0 for none, before each.
    size_t rowSize = 3 * (size_t)width + 1, size = rowSize * (size_t)height;
    uint8_t* rows = supAllocZeroed( &out->allocator, 1, size, 1 );
    if ( rows == NULL )
    {
        return false;
    }
    for ( size_t y = 0; y < (size_t)height; ++y )
    {
        memcpy( rows + y * rowSize + 1, pixels + y * 3 * (size_t)width, 3 * (size_t)width );
    }
    start = supBeginChunk( &sink, "IDAT" );
    supPutByte( &sink, 0x78 ); // zlib: deflate, a window of 32 KB
    supPutByte( &sink, 0x01 );
    supDeflate( &sink, rows, size, rowSize );
    supPutBig( &sink, supAdler( rows, size ) );
    supEndChunk( &sink, start );
    supFree( &out->allocator, rows, size );
    supEndChunk( &sink, supBeginChunk( &sink, "IEND" ) );
    return !sink.failed;
}
