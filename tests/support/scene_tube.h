// The tube that scenes throw about: three joints, two flesh elements.
#pragma once

#include "supple/body.h"

enum
{
    sup_tubeJoints = 3,
    sup_tubeRings = 21,
    sup_tubeSides = 10,
    sup_tubeVertices = sup_tubeRings * sup_tubeSides,
    sup_tubeIndices = ( sup_tubeRings - 1 ) * sup_tubeSides * 6,
    sup_tubeBodies = 8,
    sup_tubeSteps = 60,
};

typedef struct supTube
{
    float positions[3 * sup_tubeVertices];
    float normals[3 * sup_tubeVertices];
    uint16_t joints[2 * sup_tubeVertices];
    float weights[2 * sup_tubeVertices];
    uint32_t indices[sup_tubeIndices];
    supCharacter* character;
    supModel* model;
    uint64_t hashes[sup_tubeBodies];
} supTube;

/// Stops the program where it cannot be made: a scene that computes nothing would agree with itself everywhere.
supTube* supMakeTube( void );
void supDropTube( supTube* tube );
/// The tube with two muscles and an écorché of a hundred rays, and fat on them unless that is NULL. Stops the program
/// where it cannot be made.
supModel* supMakeTubeEcorche( const supTube* tube, const supFatDef* fat );
/// Both joints swing, and the whole runs, turns and rises. `body` makes each a little different.
void supTubeJoints( double time, int32_t body, supMat34* joints, supMat34* world );
