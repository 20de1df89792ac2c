// Columns of tables: letters are counted, not bytes, and names of files are plain when they come to a terminal.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdio.h>

/// A control character becomes '?': all that a terminal would take as more than a letter. Gives the byte to print, and
/// goes on to what follows.
int supTakePlainByte( const char** text );
/// Letters of a UTF-8 text.
int supCountLetters( const char* text );
/// A text in `width` letters: filled up with blanks, or cut, the last letter then an ellipsis.
void supPrintColumn( FILE* out, const char* text, int width );
