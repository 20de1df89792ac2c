// What a rig moves twice, in words.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/lab/overlaps.h"

#include <jansson.h>
#include <stdio.h>

/// One line for each pair of items that answer the same inertia.
void supPrintOverlaps( const supModel* model, FILE* out );
/// Adds `overlaps` to a report where there are any.
void supAddOverlapsJson( const supModel* model, json_t* report );
