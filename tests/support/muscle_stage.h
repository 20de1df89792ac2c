// Muscles on the bar of two bones, for tests: a body that is stepped, and where its lines and sections then are.
#pragma once

#include "layers/muscles/muscle_frame.h"
#include "supple/body.h"
#include "support/two_bones.h"

enum
{
    sup_stagePoints = 4,
    sup_stageFields = 2,
};

/// A muscle with points and fields to change. Do not copy it: its lists lead into itself.
typedef struct supStageMuscle
{
    supMuscleDef def;
    supMusclePoint points[sup_stagePoints];
    supMuscleField fields[sup_stageFields];
} supStageMuscle;

typedef struct supMuscleStage
{
    supTwoBones bones;
    supCharacter* character;
    bool borrowed; ///< the character is another stage's
    float size;
    supModel* model;
    supBody* body;
    supMat34 joints[3];        ///< to be changed before a step; "upper" is the last
    int32_t layer, at;         ///< of the muscles: in the list of layers, and in the model's stack
    const supMuscles* muscles; ///< compiled
    supMuscleFrame now;        ///< after the last step
    void* memory;
} supMuscleStage;

/// The character at rest, without muscles.
void supMuscleStage_Init( supMuscleStage* stage );
/// Another stage for the character of the first, which must be dropped after it.
void supMuscleStage_InitBeside( supMuscleStage* stage, const supMuscleStage* first );
/// Compiles the muscles and makes the body. Fails the test where that fails.
void supMuscleStage_Make( supMuscleStage* stage, const supStageMuscle* const* muscles, int32_t count );
void supMuscleStage_Drop( supMuscleStage* stage );
/// A step in a world that stands still; `now` is then the muscles as they are.
void supMuscleStage_Step( supMuscleStage* stage, float dt );
void supMuscleStage_Set( supMuscleStage* stage, int32_t muscle, const char* field, float value );
/// What the layer shows of a body: three numbers a vertex, then one a muscle.
const float* supMuscleStage_Shown( const supMuscleStage* stage );

/// A straight line beside the bar: from "lower" at ( 0.3, 0.2, 0 ) to "upper" at ( 0.3, 1.4, 0 ) of model space, 1.2 m
/// long, 0.16 m thick. No tendons, no hold, no weight, 1000 N/m.
void supInitStageMuscle( supStageMuscle* muscle, const char* name, float size );
/// A point between both, on "lower", that is free. In metres
void supStageMuscle_AddFree( supStageMuscle* muscle, supVec3 at, float size );
/// A ball on "lower" that does nothing yet. In metres
void supStageMuscle_AddBall( supStageMuscle* muscle, supVec3 center, float radius, float size );
