// A torso with breasts of fat, or on springs, and motions for both.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/body.h"
#include "supple/creatures.h"

/// One model on stage.
typedef struct supFatStage
{
    const supCharacter* character;
    supModel* model;
    supBody* body;
    int32_t vertexCount;
    float *living, *smooth; ///< skins, three a vertex
    double seconds;         ///< to compile it
} supFatStage;

supResult supOpenFatStage( supFatStage* stage, const supCharacter* character, const supRig* rig, supError* error );
/// A rig of one fat.
supResult supOpenFatOf( supFatStage* stage, const supCharacter* character, const supFatDef* def, supError* error );
void supCloseFatStage( supFatStage* stage );

/// From no gravity to gravity that is switched on.
void supFatStage_Release( supFatStage* stage, supMat34 world );
/// Starts at rest, where gravity has taken it.
void supFatStage_Settle( supFatStage* stage, supMat34 world );
/// One step as it stands at rest in the body, the body in the world.
void supFatStage_Step( supFatStage* stage, supMat34 world, float dt );
/// Both skins.
void supFatStage_Skin( supFatStage* stage );
/// What a vertex is off smooth skin by. Metres
supVec3 supFatStage_Shift( const supFatStage* stage, int32_t vertex );
/// The largest of these.
double supFatStage_Largest( const supFatStage* stage, int32_t* vertex );
/// What the living skin holds more than the smooth one, by the divergence theorem. m^3
double supFatStage_Gained( const supFatStage* stage );
/// The fastest of so many runs of one second at 60 steps, gravity switched on. Seconds
double supFatStage_BestSecond( supFatStage* stage, bool skins, int rounds );

/// A turn about an axis through the origin. Radians
supMat34 supTurnAbout( supVec3 axis, double angle );
