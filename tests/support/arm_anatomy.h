// A rig for the built-in arm, for tests: one muscle around a ball, its écorché, and fat.
#pragma once

#include "supple/rig.h"

/// Fails the test where it cannot be made.
supRig* supArmAnatomy( float contraction, bool withFat );
