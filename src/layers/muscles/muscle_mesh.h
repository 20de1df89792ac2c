// Meshes of muscles: made around strands, or the user's, hung between the planes across its line.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_frame.h"

enum
{
    sup_ringSides = 16, ///< of a strand's mesh
};

/// The corners of a strand's section.
void supStrandRing( const supStrandVertex* vertex, supVec3 ring[sup_ringSides] );

/// Hangs a user's mesh on its muscle's line as it stands in `rest`, and measures from it how thick the muscle is.
void supHangMesh( const supMuscleDef* def, const supMuscleFrame* rest, supMuscle* muscle, supMuscles* muscles );
/// Where a vertex of it is: both planes carry it, and it is between.
supVec3 supHungVertex( const supMeshHang* hang, const supStrandVertex* strand );

/// The volume of a muscle's form: its mesh, or the sum of its strands. m^3
double supMuscleVolume( const supMuscles* muscles, const supMuscle* muscle, const supMuscleFrame* now );
