// Layers with a motion of their own, along a clip: their shown floats, recorded.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/take_data.h"
#include "body/body_data.h"
#include "rig/stack.h"
#include "supple/bake.h"

/// Runs the layers of the take's model along its clip, with the take's own elongations, on a body at rest. A take that
/// loops is run until its end returns to its start. Nothing to do, and nothing allocated, where no layer is stepped.
supResult supRecordLayers( supTake* take, supBody* body, supWatched* watched, supError* error );
/// Gives a body at rest the live fields that another one has.
void supCopyLiveFields( supBody* body, const supBody* from );
/// Keeps the live fields of a body's layers with the take.
supResult supKeepLiveFields( supTake* take, const supBody* body, supError* error );
/// And gives them to another body.
void supShowLiveFields( const supTake* take, supBody* body );
void supDropLayers( supTake* take );
/// The shown floats of all layers at a time of the clip, held outside: exact for those in closed form, a cubic through
/// the four nodes around it for those that are stepped. `joints`: of the pose at that time.
void supTakeLayers( const supTake* take, double time, const supMat34* joints, float* shown );
/// Adds what a layer on the stack lacked at the start, or had too much at the end, of a cycle before the rest of its
/// gap was spread over it. `shown`: of all layers.
void supOpenLayerGap( const supTake* take, int32_t layer, bool end, float* shown );
/// supLoopReport.resonance of a layer on the stack, where it keeps the cycle from closing. Hz; 0: none
float supLayerResonance( const supTake* take, int32_t layer );

// ---------------------------------------------------------------------------------------------------------------
// Cycles of layers that are stepped, round after round until they close.

/// Whether a layer of the model's stack is stepped along a take.
bool supIsStepped( const supStackLayer* entry );

/// Fills the take's layers, which have room for their nodes. `body`: at rest. `watched`, or NULL, may stop
/// it: sup_errorCanceled, without words.
supResult supRunRounds( supTake* take, supBody* body, supPose* pose, supWatched* watched, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// The skin over takes, without one layer and with it: what reports compare.

enum
{
    supLayerMoments = 33 ///< of a take
};

/// A moment: the smooth skin, and the living one without the layer and with it.
typedef struct supSkinsBeside
{
    const supVec3 *smooth, *without, *with;
} supSkinsBeside;

typedef void supLayerSkinsVisit( const supStackLayer* entry, supSkinsBeside skins, void* user );

/// `at`: of the layer on the model's stack; one whose only live field says how much of it there is. False: no memory.
bool supVisitLayerSkins( const supModel* model, int32_t at, const supTake* const* takes, int32_t takeCount,
    supLayerSkinsVisit* visit, void* user );
