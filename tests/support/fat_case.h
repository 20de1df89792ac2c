// A body with one item of fat, for tests.
#pragma once

#include "layers/fat/fat.h"
#include "solve/elastic.h"
#include "supple/body.h"
#include "supple/creatures.h"

typedef struct supFatCase
{
    supCharacter* limb;
    const supCharacter* character;
    supModel* model;
    supBody* body;
    supVec3 *smooth, *living;
    int32_t vertexCount;
    const supFat* fat;
} supFatCase;

supModel* supCompileFatRig( const supCharacter* character, const supFatDef* def, supError* error );
/// `name`: a creature, or NULL: a limb. Fails the test where something cannot be made.
void supOpenFatCase( supFatCase* c, const char* name, const supFatDef* def );
void supCloseFatCase( supFatCase* c );
/// The largest displacement, after skinning both.
float supLargestFatShift( supFatCase* c );
const supMat34* supFatCaseRest( const supFatCase* c );
void supStepFatCase( supFatCase* c, supMat34 world, float dt );
supMat34 supTurned( supVec3 axis, float angle, supVec3 at );
/// Fat all around a limb.
supFatDef supLimbFat( void );

/// Adds to `out` what a solid has beside its own stiffness, times x.
typedef void supMoreStiffness( const double* x, double* out, void* user );
/// K u = f by conjugate gradients, on the solid that the reference keeps: a solver of the tests' own. `more` may be
/// NULL.
void supSolveByGradients( const supElastic* elastic, supMoreStiffness* more, void* user, const double* f, double* u );
