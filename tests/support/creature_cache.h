#pragma once

#include "supple/creatures.h"

/// A built-in character. Made when first asked for and kept until the program ends: making one takes longer than most
/// of what is tried with it. Fails the test where it cannot be made.
const supCharacter* supTestCreature( const char* name );
