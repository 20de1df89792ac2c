// What POSIX has and WebAssembly lacks, as far as src/io and the program ask for it: put in front of every file of
// theirs (-include). Files have no modes and no links; there is one process.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

char* realpath( const char* path, char* resolved );
int getpid( void );
int kill( int process, int signal );
int fchmod( int descriptor, mode_t mode );
