// What `supple inspect` says about a file, as JSON; the words for people are made from the same object.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/io.h"

#include <jansson.h>
#include <stdio.h>

/// Everything there is to say. `notes`: what the reader put right, texts; taken over. NULL: no memory.
json_t* supMakeInspectReport( const char* path, size_t bytes, const supCharacter* character, json_t* notes );

/// For people. `bold`: the output is a terminal; `joints`: each on a line, with its place at rest.
void supPrintInspectReport( const json_t* report, FILE* out, bool bold, bool joints );
