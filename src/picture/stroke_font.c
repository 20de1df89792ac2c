// SPDX-License-Identifier: MIT
#include "picture/drawn_pixels.h"

#include <stddef.h>
#include <string.h>

static const char* const sup_asciiGlyphs[95] = {
    "", // space
    "0Q0I 0E0F",
    "0Q0N 3Q3N",
    "2E4Q 6E8Q 1I8I 0M7M",
    "~7O5P3P0N1L4K7J8H6F3F0G 4R4D",
    "0E8Q ~2Q0O2M4O2Q ~6I4G6E8G6I",
    "8E1M ~1M1P3Q5P5M3L0I1F3E5E8I",
    "0Q0N",
    "~3Q1N0I1D3A",
    "~0Q2N3I2D0A",
    "3P3J 0N6L 0L6N",
    "0I6I 3L3F",
    "1F0C",
    "0I5I",
    "0E0F",
    "0C6Q",
    "~3Q1O0K1G3E5G6K5O3Q",
    "1O3Q3E",
    "~0N1P3Q5P6N4J 4J0E6E",
    "~0O2Q4Q6O5L3K ~3K5J6H5F3E1F0G",
    "5E5Q0H7H",
    "6Q1Q0K ~0K2L4L6I5F3E1F0G",
    "~5P3Q1O0K0I1F3E5F6I5K3L1K0I",
    "0Q6Q2E",
    "~3K1L0N1P3Q5P6N5L3K ~3K1J0H1F3E5F6H5J3K",
    "~1F3E5G6K6M5P3Q1P0M1K3J5K6M",
    "0E0F 0L0M",
    "1F0C 1L1M",
    "6M0I6E",
    "0K6K 0G6G",
    "0M6I0E",
    "~0O1Q3Q5O4L2J 2J2H 2E2F",
    "~8H8M6P3P0M0H3E6E8F ~6K4L3I4G6I 6L6H ~6H7G8H",
    "0E4Q8E 1I7I",
    "5E0E0Q5Q 0K5K ~5Q7P8N7L5K ~5K7J8H7F5E",
    "~8O6Q4Q1O0K1G4E6E8G",
    "4E0E0Q4Q ~4Q7O8K7G4E",
    "7E0E0Q7Q 0K6K",
    "0E0Q7Q 0K6K",
    "~8O6Q4Q1O0K1G4E6E8G 8G8K5K",
    "0E0Q 8E8Q 0K8K",
    "0E0Q",
    "5Q5H ~5H4F3E1F0G",
    "0E0Q 8Q0J 3L8E",
    "0Q0E7E",
    "0E0Q5GaQaE",
    "0E0Q8E8Q",
    "~4Q1O0K1G4E7G8K7O4Q",
    "0E0Q5Q 5K0K ~5Q7P8N7L5K",
    "~4Q1O0K1G4E7G8K7O4Q 5H8D",
    "0E0Q5Q 5K0K ~5Q7P8N7L5K 4K8E",
    "~7O5Q3Q1P0N2L6J8H7F5E3E0G",
    "0Q8Q 4Q4E",
    "0Q0I 8I8Q ~0I1F4E7F8I",
    "0Q4E8Q",
    "0Q3E5M7EaQ",
    "0E8Q 0Q8E",
    "0Q4K8Q 4K4E",
    "0Q8Q0E8E",
    "2Q0Q0A2A",
    "0Q6C",
    "0Q2Q2A0A",
    "0N3Q6N",
    "0C7C",
    "0Q2O",
    "~6I5F3E1F0I1L3M5L6I 6M6E",
    "~0I1L3M5L6I5F3E1F0I 0Q0E",
    "~6K5L3M1L0I1F3E5F6G",
    "~6I5F3E1F0I1L3M5L6I 6Q6E",
    "0I6I ~6I5L3M1L0I1F3E4E6F",
    "~5Q4Q2P2N 2N2E 0M4M",
    "~6I5F3E1F0I1L3M5L6I 6M6D ~6D5B3A1A0B",
    "0Q0E ~0K1L3M5L6J 6J6E",
    "0M0E 0P0Q",
    "2M2C ~2C1A0A 2P2Q",
    "0Q0E 5M0H 2J6E",
    "0Q0E",
    "0M0E ~0K1L3M4L5J 5J5E ~5K6L8M9LaJ aJaE",
    "0M0E ~0K1L3M5L6J 6J6E",
    "~3M1L0I1F3E5F6I5L3M",
    "~0I1L3M5L6I5F3E1F0I 0M0A",
    "~6I5F3E1F0I1L3M5L6I 6M6A",
    "0M0E ~0J1L3M4M",
    "~5L3M1L0K2I4I5G4E2E0F",
    "2P2G ~2G3E5E 0M5M",
    "6M6E 0M0H ~0H1F3E5F6I",
    "0M3E6M",
    "0M2E4L6E8M",
    "0E6M 0M6E",
    "0M3E 6M2A0A",
    "0M6M0E6E",
    "3Q2Q1P1K0I1G1B2A3A",
    "0Q0A",
    "0Q1Q2P2K3I2G2B1A0A",
    "~0I2J4H6I",
};

static const struct
{
    uint32_t codepoint;
    const char* strokes;
} sup_otherGlyphs[] = {
    { 0x00b0, "~2Q0O2M4O2Q" },           // degree
    { 0x00b1, "0K6K 3N3H 0F6F" },        // plus or minus
    { 0x00b2, "~0P1Q2Q3P2M 2M0K3K" },    // squared
    { 0x00b3, "~0P1Q3Q2N1N ~1N3M2K0L" }, // cubed
    { 0x00b5, "6M6E 0M0A ~0H1F3E5F6I" }, // micro
    { 0x00b7, "0I0J" },                  // middle dot
    { 0x00d7, "0F6L 0L6F" },             // times
    { 0x2013, "0I6I" },                  // dashes
    { 0x2014, "0I9I" },                  //
    { 0x2018, "0Q0N" },                  // quotation marks
    { 0x2019, "0Q0N" },                  //
    { 0x201c, "0Q0N 3Q3N" },             //
    { 0x201d, "0Q0N 3Q3N" },             //
    { 0x2026, "0E0F 3E3F 6E6F" },        // ellipsis
    { 0x2192, "0I8I 5L8I5F" },           // arrow
    { 0x2212, "0I6I" },                  // minus
    { 0x2264, "6O0K6G 0E6E" },           // at most
    { 0x2265, "0O6K0G 0E6E" },           // at least
};

/// U+00C0 to U+00FF without their accents.
static const char sup_latinBases[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";

const char* supGlyphStrokes( uint32_t codepoint )
{
    if ( codepoint >= 32 && codepoint < 127 )
    {
        return sup_asciiGlyphs[codepoint - 32];
    }
    for ( size_t i = 0; i < sizeof( sup_otherGlyphs ) / sizeof( sup_otherGlyphs[0] ); ++i )
    {
        if ( sup_otherGlyphs[i].codepoint == codepoint )
        {
            return sup_otherGlyphs[i].strokes;
        }
    }
    if ( codepoint >= 0xc0 && codepoint <= 0xff )
    {
        return sup_asciiGlyphs[sup_latinBases[codepoint - 0xc0] - 32];
    }
    return codepoint == 0xa0 ? "" : "0E0Q6Q6E0E";
}

int32_t supGlyphWidth( uint32_t codepoint )
{
    if ( codepoint == ' ' || codepoint == 0xa0 )
    {
        return 2;
    }
    if ( codepoint >= '0' && codepoint <= '9' )
    {
        return 6; // all alike, so that numbers stand below one another
    }
    int32_t width = 0;
    for ( const char* c = supGlyphStrokes( codepoint ); *c != '\0'; ++c )
    {
        int32_t x = *c >= '0' && *c <= '9' ? *c - '0' : *c >= 'a' && *c <= 'e' ? *c - 'a' + 10 : 0;
        width = x > width ? x : width;
    }
    return width;
}

uint32_t supNextCodepoint( const char** text )
{
    const unsigned char* p = (const unsigned char*)*text;
    if ( *p == 0 )
    {
        return 0;
    }
    int more = *p < 0x80 ? 0 : *p >= 0xf0 && *p < 0xf8 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : -1;
    if ( more < 0 || *p >= 0xf8 )
    {
        *text += 1;
        return 0xfffd;
    }
    uint32_t codepoint = more == 0 ? *p : *p & ( 0x3fu >> more );
    for ( int i = 1; i <= more; ++i )
    {
        if ( ( p[i] & 0xc0 ) != 0x80 )
        {
            *text += i;
            return 0xfffd;
        }
        codepoint = codepoint << 6 | ( p[i] & 0x3fu );
    }
    *text += more + 1;
    return codepoint;
}
