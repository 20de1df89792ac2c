// The major superficial muscles of a human.
// SPDX-License-Identifier: MIT
//
// Origins and insertions after Richer, "Artistic anatomy", 1890 (in the translation of 1971). Lines lie in the middle
// of the belly, so a depth and a radius that add up to less than 1 stay beneath the skin; where fat lies over the
// muscle they add up to less.

#include "auto/muscle_table.h"

#define SUP_AT( place, along, around, depth )                                                                          \
    {                                                                                                                  \
        sup_on##place, sup_on##place, along, around, depth                                                             \
    }
/// Placed by one bone, carried by another.
#define SUP_BY( place, carrier, along, around, depth )                                                                 \
    {                                                                                                                  \
        sup_on##place, sup_on##carrier, along, around, depth                                                           \
    }

static const supTableMuscle sup_muscleTable[] = {
    // trunk, before
    { "pectoral", sup_muscleBellies, 4,
        { SUP_AT( Trunk, 0.7f, 10.0f, 0.74f ), SUP_AT( Trunk, 0.72f, 40.0f, 0.72f ),
            SUP_BY( UpperArm, Clavicle, -0.06f, 0.0f, 0.5f ), SUP_AT( UpperArm, 0.24f, 20.0f, 0.4f ) },
        0.17f, 0.2f, 0.03f, 0.12f, 0.42f, 0.45f, 0.08f, 1.2f },
    { "rectus_abdominis", sup_muscleFlat, 4,
        { SUP_AT( Trunk, 0.6f, 12.0f, 0.72f ), SUP_AT( Trunk, 0.43f, 12.0f, 0.7f ),
            SUP_AT( Trunk, 0.25f, 12.0f, 0.68f ), SUP_BY( Trunk, Pelvis, 0.04f, 8.0f, 0.66f ) },
        0.144f, 0.293f, 0.03f, 0.056f, 0.5f, 0.24f, 0.14f, 1.2f },
    { "oblique", sup_muscleFlat, 4,
        { SUP_AT( Trunk, 0.6f, 75.0f, 0.76f ), SUP_AT( Trunk, 0.45f, 68.0f, 0.75f ),
            SUP_AT( Trunk, 0.3f, 60.0f, 0.75f ), SUP_BY( Trunk, Pelvis, 0.14f, 52.0f, 0.72f ) },
        0.144f, 0.39f, 0.03f, 0.056f, 0.5f, 0.3f, 0.2f, 1.0f },
    { "serratus", sup_muscleFlat, 3,
        { SUP_AT( Trunk, 0.57f, 82.0f, 0.76f ), SUP_AT( Trunk, 0.66f, 92.0f, 0.74f ),
            SUP_AT( Trunk, 0.75f, 112.0f, 0.68f ) },
        0.12f, 0.268f, 0.03f, 0.07f, 0.4f, 0.2f, 0.14f, 1.5f },

    // trunk, behind
    { "trapezius_upper", sup_muscleFlat, 3,
        { SUP_AT( Neck, 0.55f, 160.0f, 0.55f ), SUP_AT( Neck, 0.02f, 125.0f, 0.62f ),
            SUP_AT( Clavicle, 0.82f, 110.0f, 0.4f ) },
        0.288f, 0.488f, 0.03f, 0.056f, 0.5f, 0.3f, 0.3f, 1.0f },
    { "trapezius_lower", sup_muscleFlat, 3,
        { SUP_AT( Trunk, 0.55f, 175.0f, 0.76f ), SUP_AT( Trunk, 0.75f, 160.0f, 0.78f ),
            SUP_AT( Clavicle, 0.75f, 165.0f, 0.5f ) },
        0.144f, 0.415f, 0.048f, 0.07f, 0.6f, 0.12f, 0.25f, 1.0f },
    { "latissimus", sup_muscleFlat, 5,
        { SUP_AT( Trunk, 0.25f, 162.0f, 0.74f ), SUP_AT( Trunk, 0.45f, 142.0f, 0.76f ),
            SUP_AT( Trunk, 0.62f, 122.0f, 0.76f ), SUP_AT( Trunk, 0.73f, 110.0f, 0.7f ),
            SUP_AT( UpperArm, 0.2f, 265.0f, 0.3f ) },
        0.168f, 0.439f, 0.048f, 0.126f, 0.6f, 0.42f, 0.1f, 1.0f },
    { "infraspinatus", sup_muscleFlat, 3,
        { SUP_AT( Trunk, 0.72f, 158.0f, 0.72f ), SUP_AT( Trunk, 0.77f, 135.0f, 0.74f ),
            SUP_AT( UpperArm, 0.08f, 130.0f, 0.45f ) },
        0.168f, 0.342f, 0.03f, 0.14f, 0.45f, 0.25f, 0.12f, 1.2f },
    { "erector", sup_muscleFusiform, 4,
        { SUP_BY( Trunk, Pelvis, 0.08f, 170.0f, 0.7f ), SUP_AT( Trunk, 0.3f, 168.0f, 0.72f ),
            SUP_AT( Trunk, 0.5f, 168.0f, 0.72f ), SUP_AT( Trunk, 0.72f, 170.0f, 0.7f ) },
        0.192f, 0.244f, 0.06f, 0.14f, 0.4f, 1.0f, 1.0f, 1.2f },
    { "sternomastoid", sup_muscleFusiform, 3,
        { SUP_BY( Neck, Head, 0.85f, 120.0f, 0.62f ), SUP_AT( Neck, 0.45f, 75.0f, 0.72f ),
            SUP_AT( Trunk, 0.93f, 12.0f, 0.6f ) },
        0.18f, 0.195f, 0.06f, 0.105f, 0.45f, 1.0f, 1.0f, 2.0f },

    // shoulder
    { "deltoid_front", sup_muscleFusiform, 4,
        { SUP_AT( Clavicle, 0.72f, 30.0f, 0.45f ), SUP_AT( UpperArm, 0.0f, 42.0f, 0.6f ),
            SUP_AT( UpperArm, 0.22f, 50.0f, 0.6f ), SUP_AT( UpperArm, 0.5f, 85.0f, 0.42f ) },
        0.336f, 0.366f, 0.048f, 0.105f, 0.45f, 1.0f, 1.0f, 1.3f },
    { "deltoid_middle", sup_muscleFusiform, 4,
        { SUP_AT( Clavicle, 0.9f, 95.0f, 0.4f ), SUP_AT( UpperArm, 0.04f, 92.0f, 0.58f ),
            SUP_AT( UpperArm, 0.24f, 92.0f, 0.62f ), SUP_AT( UpperArm, 0.52f, 92.0f, 0.42f ) },
        0.336f, 0.39f, 0.048f, 0.105f, 0.45f, 1.0f, 1.0f, 1.3f },
    { "deltoid_back", sup_muscleFusiform, 4,
        { SUP_AT( Clavicle, 0.74f, 160.0f, 0.45f ), SUP_AT( UpperArm, 0.0f, 142.0f, 0.6f ),
            SUP_AT( UpperArm, 0.22f, 134.0f, 0.6f ), SUP_AT( UpperArm, 0.5f, 98.0f, 0.42f ) },
        0.336f, 0.366f, 0.048f, 0.105f, 0.45f, 1.0f, 1.0f, 1.3f },

    // arm
    { "biceps", sup_muscleFusiform, 5,
        { SUP_BY( UpperArm, Clavicle, 0.04f, 15.0f, 0.4f ), SUP_AT( UpperArm, 0.34f, 0.0f, 0.46f ),
            SUP_AT( UpperArm, 0.6f, 0.0f, 0.5f ), SUP_AT( UpperArm, 0.84f, 0.0f, 0.46f ),
            SUP_AT( Forearm, 0.16f, 0.0f, 0.35f ) },
        0.432f, 0.488f, 0.084f, 0.112f, 0.56f, 1.0f, 1.0f, 1.4f },
    { "brachialis", sup_muscleFusiform, 3,
        { SUP_AT( UpperArm, 0.42f, 60.0f, 0.35f ), SUP_AT( UpperArm, 0.76f, 48.0f, 0.46f ),
            SUP_AT( Forearm, 0.1f, 15.0f, 0.25f ) },
        0.312f, 0.342f, 0.06f, 0.105f, 0.5f, 1.0f, 1.0f, 1.2f },
    { "triceps_long", sup_muscleFusiform, 4,
        { SUP_BY( UpperArm, Clavicle, 0.04f, 195.0f, 0.4f ), SUP_AT( UpperArm, 0.38f, 200.0f, 0.5f ),
            SUP_AT( UpperArm, 0.7f, 190.0f, 0.48f ), SUP_AT( Forearm, -0.02f, 180.0f, 0.5f ) },
        0.384f, 0.439f, 0.06f, 0.175f, 0.45f, 1.0f, 1.0f, 1.3f },
    { "triceps_lateral", sup_muscleFusiform, 4,
        { SUP_AT( UpperArm, 0.2f, 140.0f, 0.4f ), SUP_AT( UpperArm, 0.45f, 148.0f, 0.52f ),
            SUP_AT( UpperArm, 0.7f, 158.0f, 0.48f ), SUP_AT( Forearm, -0.02f, 172.0f, 0.5f ) },
        0.336f, 0.366f, 0.048f, 0.196f, 0.42f, 1.0f, 1.0f, 1.3f },
    { "brachioradialis", sup_muscleFusiform, 4,
        { SUP_AT( UpperArm, 0.76f, 72.0f, 0.46f ), SUP_AT( Forearm, 0.08f, 62.0f, 0.5f ),
            SUP_AT( Forearm, 0.32f, 48.0f, 0.52f ), SUP_AT( Forearm, 0.92f, 60.0f, 0.45f ) },
        0.36f, 0.39f, 0.048f, 0.28f, 0.45f, 1.0f, 1.0f, 1.3f },
    { "forearm_flexors", sup_muscleFusiform, 4,
        { SUP_AT( UpperArm, 0.95f, 285.0f, 0.48f ), SUP_AT( Forearm, 0.2f, 315.0f, 0.5f ),
            SUP_AT( Forearm, 0.45f, 335.0f, 0.5f ), SUP_AT( Forearm, 0.96f, 350.0f, 0.45f ) },
        0.408f, 0.488f, 0.048f, 0.28f, 0.42f, 1.0f, 1.0f, 1.2f },
    { "forearm_extensors", sup_muscleFusiform, 4,
        { SUP_AT( UpperArm, 0.95f, 105.0f, 0.48f ), SUP_AT( Forearm, 0.2f, 135.0f, 0.5f ),
            SUP_AT( Forearm, 0.45f, 155.0f, 0.5f ), SUP_AT( Forearm, 0.96f, 165.0f, 0.45f ) },
        0.384f, 0.464f, 0.048f, 0.28f, 0.42f, 1.0f, 1.0f, 1.2f },

    // hip
    { "gluteus_maximus", sup_muscleFusiform, 4,
        { SUP_BY( Trunk, Pelvis, 0.1f, 164.0f, 0.7f ), SUP_BY( Trunk, Pelvis, -0.04f, 152.0f, 0.72f ),
            SUP_AT( Thigh, 0.1f, 158.0f, 0.66f ), SUP_AT( Thigh, 0.32f, 105.0f, 0.42f ) },
        0.34f, 0.42f, 0.02f, 0.04f, 0.42f, 1.0f, 1.0f, 1.0f },
    { "gluteus_medius", sup_muscleFlat, 3,
        { SUP_BY( Trunk, Pelvis, 0.17f, 108.0f, 0.68f ), SUP_BY( Trunk, Pelvis, 0.08f, 98.0f, 0.7f ),
            SUP_AT( Thigh, 0.06f, 92.0f, 0.6f ) },
        0.17f, 0.342f, 0.03f, 0.105f, 0.45f, 0.3f, 0.15f, 1.0f },
    { "tensor_fasciae", sup_muscleFusiform, 4,
        { SUP_BY( Trunk, Pelvis, 0.12f, 62.0f, 0.7f ), SUP_AT( Thigh, 0.08f, 60.0f, 0.66f ),
            SUP_AT( Thigh, 0.3f, 78.0f, 0.66f ), SUP_AT( Shin, 0.03f, 80.0f, 0.62f ) },
        0.192f, 0.22f, 0.024f, 0.42f, 0.5f, 1.0f, 1.0f, 1.2f },

    // thigh
    { "rectus_femoris", sup_muscleFusiform, 5,
        { SUP_BY( Thigh, Pelvis, -0.04f, 25.0f, 0.5f ), SUP_AT( Thigh, 0.28f, 5.0f, 0.54f ),
            SUP_AT( Thigh, 0.55f, 0.0f, 0.54f ), SUP_AT( Thigh, 0.85f, 0.0f, 0.56f ),
            SUP_AT( Shin, 0.09f, 0.0f, 0.6f ) },
        0.36f, 0.415f, 0.048f, 0.154f, 0.5f, 1.0f, 1.0f, 1.3f },
    { "vastus_lateralis", sup_muscleFusiform, 5,
        { SUP_AT( Thigh, 0.08f, 85.0f, 0.5f ), SUP_AT( Thigh, 0.35f, 66.0f, 0.54f ),
            SUP_AT( Thigh, 0.62f, 52.0f, 0.55f ), SUP_AT( Thigh, 0.86f, 42.0f, 0.55f ),
            SUP_AT( Shin, 0.06f, 20.0f, 0.58f ) },
        0.384f, 0.464f, 0.036f, 0.126f, 0.55f, 1.0f, 1.0f, 1.3f },
    { "vastus_medialis", sup_muscleFusiform, 4,
        { SUP_AT( Thigh, 0.26f, 330.0f, 0.46f ), SUP_AT( Thigh, 0.58f, 318.0f, 0.53f ),
            SUP_AT( Thigh, 0.84f, 318.0f, 0.56f ), SUP_AT( Shin, 0.06f, 340.0f, 0.58f ) },
        0.36f, 0.415f, 0.036f, 0.098f, 0.62f, 1.0f, 1.0f, 1.4f },
    { "sartorius", sup_muscleFusiform, 5,
        { SUP_BY( Trunk, Pelvis, 0.1f, 52.0f, 0.7f ), SUP_AT( Thigh, 0.16f, 10.0f, 0.66f ),
            SUP_AT( Thigh, 0.5f, 308.0f, 0.66f ), SUP_AT( Thigh, 0.86f, 276.0f, 0.64f ),
            SUP_AT( Shin, 0.1f, 305.0f, 0.6f ) },
        0.12f, 0.159f, 0.03f, 0.07f, 0.5f, 1.0f, 1.0f, 1.6f },
    { "adductors", sup_muscleFusiform, 4,
        { SUP_BY( Thigh, Pelvis, 0.02f, 290.0f, 0.5f ), SUP_AT( Thigh, 0.2f, 275.0f, 0.5f ),
            SUP_AT( Thigh, 0.4f, 265.0f, 0.48f ), SUP_AT( Thigh, 0.72f, 262.0f, 0.4f ) },
        0.384f, 0.464f, 0.03f, 0.14f, 0.42f, 1.0f, 1.0f, 1.0f },
    { "biceps_femoris", sup_muscleFusiform, 5,
        { SUP_BY( Thigh, Pelvis, 0.04f, 175.0f, 0.5f ), SUP_AT( Thigh, 0.32f, 160.0f, 0.54f ),
            SUP_AT( Thigh, 0.6f, 150.0f, 0.55f ), SUP_AT( Thigh, 0.88f, 140.0f, 0.56f ),
            SUP_AT( Shin, 0.1f, 118.0f, 0.56f ) },
        0.36f, 0.415f, 0.048f, 0.06f, 0.6f, 1.0f, 1.0f, 1.3f },
    { "semitendinosus", sup_muscleFusiform, 5,
        { SUP_BY( Thigh, Pelvis, 0.04f, 190.0f, 0.5f ), SUP_AT( Thigh, 0.32f, 205.0f, 0.54f ),
            SUP_AT( Thigh, 0.6f, 214.0f, 0.55f ), SUP_AT( Thigh, 0.88f, 224.0f, 0.56f ),
            SUP_AT( Shin, 0.12f, 245.0f, 0.52f ) },
        0.36f, 0.415f, 0.048f, 0.06f, 0.54f, 1.0f, 1.0f, 1.3f },

    // leg
    { "gastrocnemius_lateral", sup_muscleFusiform, 5,
        { SUP_AT( Thigh, 0.93f, 160.0f, 0.5f ), SUP_AT( Shin, 0.1f, 152.0f, 0.58f ),
            SUP_AT( Shin, 0.26f, 152.0f, 0.58f ), SUP_AT( Shin, 0.46f, 162.0f, 0.55f ),
            SUP_BY( Shin, Foot, 0.97f, 180.0f, 0.65f ) },
        0.36f, 0.415f, 0.036f, 0.336f, 0.5f, 1.0f, 1.0f, 1.5f },
    { "gastrocnemius_medial", sup_muscleFusiform, 5,
        { SUP_AT( Thigh, 0.93f, 200.0f, 0.5f ), SUP_AT( Shin, 0.1f, 208.0f, 0.58f ),
            SUP_AT( Shin, 0.28f, 210.0f, 0.58f ), SUP_AT( Shin, 0.5f, 198.0f, 0.55f ),
            SUP_BY( Shin, Foot, 0.97f, 180.0f, 0.65f ) },
        0.384f, 0.439f, 0.036f, 0.308f, 0.5f, 1.0f, 1.0f, 1.5f },
    { "soleus", sup_muscleFusiform, 4,
        { SUP_AT( Shin, 0.14f, 180.0f, 0.35f ), SUP_AT( Shin, 0.42f, 180.0f, 0.44f ),
            SUP_AT( Shin, 0.64f, 180.0f, 0.5f ), SUP_BY( Shin, Foot, 0.97f, 180.0f, 0.62f ) },
        0.408f, 0.586f, 0.048f, 0.21f, 0.5f, 1.0f, 1.0f, 1.2f },
    { "tibialis", sup_muscleFusiform, 4,
        { SUP_AT( Shin, 0.08f, 45.0f, 0.52f ), SUP_AT( Shin, 0.3f, 38.0f, 0.58f ), SUP_AT( Shin, 0.62f, 25.0f, 0.56f ),
            SUP_BY( Shin, Foot, 0.98f, 350.0f, 0.55f ) },
        0.288f, 0.342f, 0.036f, 0.28f, 0.45f, 1.0f, 1.0f, 1.4f },
    { "peroneus", sup_muscleFusiform, 4,
        { SUP_AT( Shin, 0.08f, 100.0f, 0.52f ), SUP_AT( Shin, 0.3f, 98.0f, 0.58f ),
            SUP_AT( Shin, 0.62f, 105.0f, 0.56f ), SUP_BY( Shin, Foot, 0.98f, 125.0f, 0.55f ) },
        0.264f, 0.305f, 0.036f, 0.294f, 0.45f, 1.0f, 1.0f, 1.4f },
};

const supTableMuscle* supMuscleTable( int32_t* count )
{
    *count = (int32_t)( sizeof( sup_muscleTable ) / sizeof( sup_muscleTable[0] ) );
    return sup_muscleTable;
}
