// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "supple/io.h"
#include "supple/lab/files.h"

const char* supNearestNames(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize )
{
    return supNearest( name, names, count, most, text, textSize );
}
