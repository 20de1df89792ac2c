// Distances to triangles in the instructions that every processor of the target has.
// SPDX-License-Identifier: MIT
#define SUP_TRIANGLES_PATH supMeasureTrianglesPlain
#include "layers/contact/triangle_kernel.inl"
