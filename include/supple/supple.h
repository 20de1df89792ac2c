// Supple: all that a host needs, in one include. Files are apart in supple/io.h, as their library is.
// SPDX-License-Identifier: MIT
//
// These headers are stable from 1.0 on: what is here stays, and only grows. What is in supple/lab/ may change in
// any release. The calls that a game makes, in their order:
//
//     supCharacter   supCreateCharacter, or supLoadGltf of supple/io.h
//     supRig         supProposeRig finds one by itself; supReadRig of supple/io.h reads one
//     supModel       supCompileModel: character and rig, shared by any number of bodies
//     supBody        supCreateBody, then each frame supBody_Step and supBody_Skin or supBody_HelperJoints
//     supCrowd       many bodies on many threads
//     supEditor      a body whose rig is under the user's hand
//     supTake        a clip simulated; supBakeJoints and supBakeMorphs fit it to what files can hold
#pragma once

#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/base.h"
#include "supple/body.h"
#include "supple/character.h"
#include "supple/crowd.h"
#include "supple/draw.h"
#include "supple/edit.h"
#include "supple/model.h"
#include "supple/rig.h"
