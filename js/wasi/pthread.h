// Found in the place of a header that WebAssembly has not: there are no threads, and masks
// of signals are in signal.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>
