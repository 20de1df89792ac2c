// Beams in the instructions that every processor of the target has.
// SPDX-License-Identifier: MIT
#define SUP_BEAM_PATH supSolveBeamsPlain
#include "solve/beam_kernel.inl"
