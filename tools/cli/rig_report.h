// What the automatic rig found on a character, and what it left alone.
// SPDX-License-Identifier: MIT
#pragma once

#include "input.h"
#include "supple/auto.h"
#include "supple/model.h"

#include <jansson.h>
#include <stdio.h>

typedef struct supRigReport
{
    const supInput* input;
    const char* output; ///< NULL: none was written
    const char* preset; ///< or "inside": it was in the file
    const supRig* rig;
    const supModel* model;
    const supProposal* proposal; ///< NULL: the rig was inside
    supMuscleProposal muscles;   ///< count 0: none were proposed
    const supBodyReading* body;
    const supProposeChoices* choices; ///< what the call said of body and regions
    bool evidence;                    ///< of the body, for people; machines get it in any case
} supRigReport;

/// What the body was read as: a line, and the evidence where it is asked for.
void supPrintRigBody( const supRigReport* report, FILE* out );
/// All of it, with a table, for people.
void supPrintRigReport( const supRigReport* report, FILE* out );
/// The same as one object. NULL: out of memory.
json_t* supMakeRigReport( const supRigReport* report );
