// SPDX-License-Identifier: MIT
#pragma once

/// GLSL 3.30 sources, without their #version line.
extern const char sup_skinVertexShader[];
extern const char sup_skinFragmentShader[];
extern const char sup_shadowVertexShader[];
extern const char sup_shadowFragmentShader[];
extern const char sup_blurVertexShader[];
extern const char sup_blurFragmentShader[];
extern const char sup_backgroundFragmentShader[];
extern const char sup_groundVertexShader[];
extern const char sup_groundFragmentShader[];
extern const char sup_overlayVertexShader[];
extern const char sup_overlayFragmentShader[];
extern const char sup_surfaceShaderPart[]; ///< stands before the fragment shaders that know materials
