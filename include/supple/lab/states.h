// Supple: the state of a body, looked at, shown, taken over and tuned element by element.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/body.h"

SUP_API const supModel* supBody_Model( const supBody* body );
/// Takes a pose and elongations (model space, one for each element; NULL where there are none) from elsewhere, a take
/// for example, and shows them. The springs themselves are not touched.
SUP_API supResult supBody_Show( supBody* body, const supMat34* joints, const supVec3* elongations );
/// Takes over the state of a body of another model of the same character, element by element of the same name: for a
/// rig whose structure was edited.
SUP_API void supBody_Adopt( supBody* body, const supBody* from );
SUP_API supElementTuning supBody_Tuning( const supBody* body, int32_t element );
/// Refuses NaN and numbers out of range, and keeps what was.
SUP_API supResult supBody_Tune( supBody* body, int32_t element, const supElementTuning* tuning, supError* error );

/// A muscle as it is now.
typedef struct supMuscleView
{
    const char* name;
    float restLength, length; ///< of its action line. Metres
    float restVolume, volume; ///< of its form; bellies that overlap are counted each. m^3
    float contraction;        ///< the given one and what its motion activates. 0 to 1
    bool settled;             ///< its line is in balance in this posture; one that swings moves no more
    int32_t cuts;             ///< segments of its line that pass through solid fields
    float deepest;            ///< how deep a vertex is in one, as a share of the field's smallest radius
} supMuscleView;

/// All muscles of the rig, in its order, fillers left at 0. Gives how many; `views` may be NULL. Uses memory of the
/// body's: one thread at a time.
SUP_API int32_t supBody_Muscles( const supBody* body, supMuscleView* views );
