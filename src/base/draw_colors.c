// Colours that are told apart easily.
// SPDX-License-Identifier: MIT

#include "supple/draw.h"
#include "supple/lab/drawing.h"

// Eight hues of similar lightness, neighbours in the row far apart in hue, and four between them: a man with belly,
// chest, bottom and four limbs in two parts has eleven elements. Linear light.
supColor supDraw_Distinct( int32_t n )
{
    static const supColor colors[12] = {
        { 0.80f, 0.09f, 0.03f, 1.0f }, // vermilion
        { 0.02f, 0.27f, 0.62f, 1.0f }, // blue
        { 0.90f, 0.45f, 0.02f, 1.0f }, // orange
        { 0.02f, 0.40f, 0.18f, 1.0f }, // green
        { 0.55f, 0.12f, 0.42f, 1.0f }, // purple
        { 0.10f, 0.55f, 0.75f, 1.0f }, // sky
        { 0.75f, 0.68f, 0.05f, 1.0f }, // yellow
        { 0.35f, 0.12f, 0.04f, 1.0f }, // brown
        { 0.16f, 0.06f, 0.62f, 1.0f }, // violet
        { 0.30f, 0.60f, 0.02f, 1.0f }, // lime
        { 0.90f, 0.16f, 0.32f, 1.0f }, // rose
        { 0.01f, 0.16f, 0.18f, 1.0f }, // petrol
    };
    return colors[n >= 0 ? n % 12 : 0];
}
