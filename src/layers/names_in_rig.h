// Names that rigs use for things of the character and of other layers, looked up; with words where there is no such
// thing.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

/// "no joint "hips2"; did you mean "hips"?", with the place in the rig before it. `names`: those that there are.
supResult supNoName(
    const char* place, const char* kind, const char* name, const char* const* names, int32_t count, supError* error );

/// "name", or "name#7" for joint 7 where several have that name. -1: there is none.
int32_t supFindJointWords( const supCharacter* character, const char* words );
/// `wrinkles[2].joint: no joint "hips2"; did you mean "hips"?`. `place`: with the field.
supResult supNoJoint( const supCharacter* character, const char* place, const char* name, supError* error );

/// The place of a flesh element among the context's, or -1.
int32_t supFindElementNamed( const supLayerContext* context, const char* name );
supResult supNoElement( const supLayerContext* context, const char* place, const char* name, supError* error );

/// The mesh of that name, number `among` of those that have it; -1: there is none.
int32_t supFindMeshNamed( const supCharacter* character, const char* name, int32_t among );
/// Whether the character has a mesh of that name.
bool supHasMeshNamed( const supCharacter* character, const char* name );
supResult supNoMesh( const supCharacter* character, const char* place, const char* name, supError* error );
