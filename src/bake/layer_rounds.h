// Cycles of layers that are stepped, round after round until they close.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/take_data.h"
#include "body/body_data.h"

/// Whether a layer of the model's stack is stepped along a take.
bool supIsStepped( const supStackLayer* entry );

/// Fills the take's layers, which have room for their nodes. `body`: at rest. `watched`, or NULL, may stop
/// it: sup_errorCanceled, without words.
supResult supRunRounds( supTake* take, supBody* body, supPose* pose, supWatched* watched, supError* error );
