// Supple: the rig: what Supple adds to a character, as plain data. Every field has a default, so an empty rig is a
// valid one.
// SPDX-License-Identifier: MIT
//
// Each kind of item (flesh elements, and those of the layers above) is a plain struct described by a table of fields:
// name, type, unit, range, default and one line of words. JSON reading and writing, the JSON Schema, error places, the
// reference page and hosts' sliders all come from that table.
#pragma once

#include "supple/base.h"
#include "supple/character.h"

typedef struct supRig supRig;

// ---------------------------------------------------------------------------------------------------------------
// Field tables

typedef enum supFieldType
{
    sup_fieldBool,  ///< bool
    sup_fieldFloat, ///< float
    /// float, a share of the model's size; in JSON a number, or words: "5%", "2mm", "3cm", "0.1m"
    sup_fieldLength,
    sup_fieldVec3,    ///< supVec3
    sup_fieldEnum,    ///< int32_t, one of `choices`
    sup_fieldName,    ///< const char*; NULL: not given
    sup_fieldNames,   ///< supNameList
    sup_fieldKeys,    ///< supKeyList: pairs (position, value)
    sup_fieldPaint,   ///< supVertexValueList: a number on each vertex
    sup_fieldSpheres, ///< supSphereList
    sup_fieldPoints,  ///< supPointList
    sup_fieldMoves,   ///< supVertexValueList: a displacement of each vertex
    sup_fieldShape,   ///< supSculpt: in JSON the name of an OBJ file beside the rig's
    sup_fieldItems    ///< supItemList: objects with a table of their own
} supFieldType;

/// A field that is not a number can be "not given": lists with count 0, names NULL, floats NaN where the table says
/// `optional`.
typedef struct supField
{
    const char* name; ///< in JSON, camelCase
    supFieldType type;
    size_t offset; ///< in the item's struct
    /// "Hz", "kg", "size" (shares of the model's size), ""; for names what they name: "joint", "mesh"; never NULL
    const char* unit;
    /// Numbers: range and default; vectors: of each coordinate; lists: range of their values
    float minimum, maximum, fallback;
    bool optional;              ///< NaN is allowed and means "work it out"
    bool required;              ///< names: must be given
    bool live;                  ///< may be changed while a body runs, without a new model
    bool advanced;              ///< for experts: apart in the reference, and nothing for a first panel of sliders
    bool even;                  ///< vectors: one number may stand for all three
    const char* const* choices; ///< enums: names, NULL-terminated; fallback is an index
    const struct supFieldTable* items; ///< lists of objects: what each of them has
    const char* words;                 ///< one line
} supField;

/// What the objects of a list have: fields of any type but another list of objects.
typedef struct supFieldTable
{
    int32_t count;
    const supField* fields;
    size_t itemSize; ///< bytes of one object's struct
} supFieldTable;

/// Objects in a row, of the struct that the field's table describes.
typedef struct supItemList
{
    int32_t count;
    const void* items;
} supItemList;

typedef struct supNameList
{
    int32_t count;
    const char* const* names;
} supNameList;

/// Keys of a curve, by rising position.
typedef struct supKeyList
{
    int32_t count;
    const float* pairs; ///< position, value, position, value…
} supKeyList;

/// Values on vertices of one mesh: painted weights, one number each, or displacements, three numbers each. Vertices
/// that are not listed have 0.
typedef struct supVertexValues
{
    const char* mesh; ///< name of the mesh; its index among meshes of that name breaks ties
    int32_t meshIndex;
    int32_t count;
    const int32_t* vertices; ///< by rising number
    const float* values;     ///< paint: 0 to 1. Moves: x, y, z of each, metres
} supVertexValues;

typedef struct supVertexValueList
{
    int32_t count;
    const supVertexValues* meshes;
    /// That of the character that they were made on (supCharacter_Fingerprint); any other is refused
    uint64_t fingerprint;
} supVertexValueList;

/// A soft ball: 1 at the centre, falling smoothly to 0 at the radius.
typedef struct supSphere
{
    supVec3 center; ///< in the driver's frame at rest, in shares of the model's size
    float radius;   ///< share of the model's size
} supSphere;

typedef struct supSphereList
{
    int32_t count;
    const supSphere* spheres;
} supSphereList;

/// Points of a line, in its order. In shares of the model's size where the table's unit is "size".
typedef struct supPointList
{
    int32_t count;
    const supVec3* points;
} supPointList;

/// Where all vertices of a character, or of one of its meshes, were put by a sculptor.
typedef struct supSculpt
{
    const char* file; ///< where it comes from; NULL: nowhere
    int32_t count;    ///< 0: not read
    const supVec3* points;
    int32_t triangleCount;  ///< 0: not known
    const int32_t* corners; ///< three a triangle; NULL: not known
} supSculpt;

// ---------------------------------------------------------------------------------------------------------------
// Flesh elements: Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing
// character animation", 2005

typedef enum supAttenuation
{
    sup_attenuationParabola = 0, ///< 1 - y^2
    sup_attenuationWyvill = 1,   ///< 1 + (-4y^6 + 17y^4 - 22y^2) / 9: level at both ends
    sup_attenuationHermite = 2,  ///< `attenuationKeys`
} supAttenuation;

typedef enum supLimit
{
    sup_limitSoft = 0,  ///< the state stays linear, what is shown is saturated smoothly: loops stay exact
    sup_limitClamp = 1, ///< the paper's: the position is put back on the limit, the speed left alone
} supLimit;

typedef enum supGravity
{
    /// Relative to rest: standing as modelled nothing moves; lying down it sags the other way
    sup_gravityRelative = 0,
    sup_gravityPlain = 1, ///< the paper's: all of it, always
} supGravity;

/// One region of flesh that swings on one damped spring. Lengths are shares of the character's size. Ranges and
/// defaults stand in the table. Joints go by name. Where several have the same, "hips#12" is joint 12 of the character,
/// which must be called "hips".
typedef struct supElementDef
{
    const char* name;   ///< of its own in the rig; NULL: the driver's, filled in when it is added
    const char* driver; ///< joint that carries it. Required
    /// Descendants of the driver whose barycentre ends the virtual bone; none: `end`, or the driver's children
    supNameList ends;
    /// End point for a driver without descendants, in its frame at rest, shares of the size; NaN: not given
    supVec3 end;
    /// Joints whose skin weights make the membership; none: the driver and those between it and the ends
    supNameList joints;
    supNameList skipMeshes, skipMaterials; ///< left out by name
    /// Leaves out rigid pieces: connected, on the same joints by the same weights all over. Default false
    bool skipRigid;
    float rigidMargin; ///< with skipRigid: how far around such a piece flesh is held. Share of its depth. Default 0
    supVertexValueList paint; ///< multiplied in
    supVec3 facing;           ///< keeps one side of the bone: a direction in model space at rest; zero: all around
    /// Half angle about `facing` within which flesh belongs, falling smoothly to 0. Radians. Default pi/2
    float spread;
    supSphereList spheres; ///< if any: membership is multiplied by their union

    int32_t attenuation; ///< supAttenuation
    supKeyList attenuationKeys;
    supKeyList attenuationSlopes; ///< position of a key, and the slope there; other keys' slopes follow from neighbours
    float boneThickness; ///< this much around it is rigid; below 0: skin counts as farther. Share of size. Default 0

    // artists' parameters
    float frequency;    ///< how fast it swings. Hertz. Soft belly 2.5, firm thigh 8. Default 4
    float dampingRatio; ///< 0 swings for ever, 1 does not swing. Default 0.2
    float amount;       ///< how much of the motion it feels; more than 1 exaggerates. 0 to 10. Default 1
    float sag;          ///< displacement that gravity would give, as a share of the thickness. Default 0.1

    // physical parameters; where given (not NaN) they take over
    float density;   ///< kg/m^3. Default 1000
    float mass;      ///< kilograms; NaN: density times volume
    float stiffness; ///< N/m; NaN: from frequency and mass
    float damping;   ///< N s/m; NaN: from dampingRatio

    int32_t gravity;    ///< supGravity
    float gravityScale; ///< times the rig's gravity, for stiffness in N/m and plain gravity. Default 1
    float airFriction;  ///< rate at which the air stops it. 1/s. Default 0
    int32_t limit;      ///< supLimit
    /// Times the largest elongation that keeps every vertex on its side of the bone. 0 to 1. Default 1
    float limitScale;
} supElementDef;

/// Every field at its default.
SUP_API supElementDef supDefaultElementDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Modes: further springs on a flesh element

typedef enum supModeMotion
{
    sup_modeShift = 0, ///< the flesh moves
    sup_modeTurn = 1,  ///< the flesh turns about the middle of the virtual bone
} supModeMotion;

/// What the element's weights are multiplied by; y along the bone, both ends at 1.
typedef enum supModePattern
{
    sup_patternEven = 0,  ///< 1: all of it together
    sup_patternAlong = 1, ///< y: both ends against one another
    sup_patternSide = 2,  ///< x: both sides against one another
    sup_patternFront = 3, ///< z: front and back against one another
    sup_patternOval = 4,  ///< x^2 - z^2: the section's roundness
} supModePattern;

/// One more way for an element to swing, added to its own spring. Ranges and defaults stand in the table.
typedef struct supModeDef
{
    const char* name;    ///< of its own in the rig; NULL: the element's, filled in when it is added
    const char* element; ///< flesh element. Required
    int32_t motion;      ///< supModeMotion
    int32_t pattern;     ///< supModePattern
    supVec3
        direction; ///< in the element's frame, y along its bone: it moves along (or turns about) this alone; zero: any
    float frequency;    ///< Hertz, 0.01 to 1000. Default 5
    float dampingRatio; ///< 0 to 100. Default 0.2
    float amount;       ///< how much of the motion it feels. 0 to 10. Default 1
    float limit;        ///< largest shift, as a share of the element's thickness. 0 to 10. Default 0.25
    float limitAngle;   ///< largest turn. Radians, 0 to 3. Default 0.35
} supModeDef;

/// Every field at its default.
SUP_API supModeDef supDefaultModeDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Volume

/// A flesh element that keeps the volume between its skin and its bone: what is squeezed in one place bulges in
/// another.
typedef struct supVolumeDef
{
    const char* name;    ///< of its own in the rig; NULL: the element's, filled in when it is added
    const char* element; ///< flesh element. Required
    float amount;        ///< how much of the change is made up for. 0 to 1. Default 1
} supVolumeDef;

/// Every field at its default.
SUP_API supVolumeDef supDefaultVolumeDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Contact

/// A flesh element that presses against the skin of the body's other parts: it does not come deeper into them than
/// smooth skin does.
typedef struct supContactDef
{
    const char* name;    ///< of its own in the rig; NULL: the element's, filled in when it is added
    const char* element; ///< flesh element. Required
    supNameList joints;  ///< of the parts that it presses against; none: all others
    float amount;        ///< how much of what flesh adds is taken out. 0 to 1. Default 1
} supContactDef;

/// Every field at its default.
SUP_API supContactDef supDefaultContactDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Écorché: the body without skin and fat, and the skin that goes with it. Aubel, Thalmann, "Realistic deformation of
// human body shapes", 2000

/// A surface blended from the rig's muscles and what lies between them, caught by rays from the bones to the
/// skin. Where muscles change it the skin follows. One a rig.
typedef struct supEcorcheDef
{
    const char* name;   ///< NULL: "ecorche"
    supNameList meshes; ///< the skin; none: all that have one
    float rays;         ///< about how many; all vertices where there are fewer. Default 4000
    float filling;      ///< how far what no muscle stands for reaches, as a share of the way to the skin. Default 0.5
    float falloff;      ///< over how wide a circle a ray moves the skin, in thicknesses of what lies above. Default 1
    float limit;        ///< largest move of the écorché, as a share of the way to the skin. Live. Default 0.35
    float amount;       ///< times what the skin takes of it. Live. Default 1
    float inward;       ///< and times what it takes of motion towards the bone. 0 to 1. Live. Default 0.35
} supEcorcheDef;

/// Every field at its default.
SUP_API supEcorcheDef supDefaultEcorcheDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Wrinkles: Larboulette, Cani, "Real-time dynamic wrinkles", 2004

/// Folds across a control line on the skin or on a garment. Where the surface along the line gets shorter, they rise
/// until the line is as long as at rest; where it stretches there is nothing.
typedef struct supWrinkleDef
{
    const char* name; ///< of its own in the rig; NULL: the joint's, or "wrinkles"
    const char*
        joint; ///< `points` are in its frame at rest; NULL: in model space. Without points: whose skin is searched
    supPointList points; ///< of the line, near the surface, shares of the size; none: where the surface shortens most
                         ///< over the clips
    supVertexValueList vertices; ///< instead of points: the line runs over these, by rising value
    float length;                ///< of a line that is found. Share of the size. Default 0.15
    supNameList meshes;          ///< that it lies on; none: all
    float width;                 ///< how far to both sides of the line the folds reach. Share of the size. Default 0.05
    float folds;                 ///< how many; 0: as many as have four edges of the mesh each, 6 at most. Default 0
    float height;                ///< times the height that keeps the line's length. 0 to 2. Default 1
} supWrinkleDef;

/// Every field at its default.
SUP_API supWrinkleDef supDefaultWrinkleDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Clothes: garments that go with the skin beneath them

/// A garment: every vertex takes the displacement of the point of the skin that lies closest to it at rest, whatever
/// elements it belongs to itself. So cloth and skin move together, and neither comes through the other.
typedef struct supClothDef
{
    const char* name;      ///< of its own in the rig; NULL: the mesh's, filled in when it is added
    const char* mesh;      ///< the garment. Required
    supNameList materials; ///< only these of its materials; none: all
    supNameList skin;      ///< meshes that it lies on; none: all that are no garments
    /// As far from the skin as this it follows in full; twice as far it is left alone. Share of the size. Default 0.05
    float reach;
    float amount; ///< how much of the skin's displacement it takes. 0 to 1. Default 1
} supClothDef;

/// Every field at its default.
SUP_API supClothDef supDefaultClothDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Curves: You, Yang, Zhang, "Dynamic skin deformation with characteristic curves", 2008, their future work

/// Skin that vibrates by the wire's equation: curves are found around the body (supCreateCurveNetwork), and each
/// harmonic of a curve's displacement is a damped oscillator, loaded by the body's motion and by gravity in the measure
/// of the flesh's thickness. Neighbouring curves may hold their order, the volume and the length of skin between them.
/// Several items share the curves of a character by the joints around which they run. Ranges and defaults stand in the
/// table.
typedef struct supCurvesDef
{
    const char* name;   ///< of its own in the rig; NULL: the first joint's, or "curves"
    supNameList joints; ///< curves around these joints alone; none: around all that no other item names
    float tolerance;    ///< between curves, as a share of the size; the smallest of all items counts. Default 0.002
    float frequency;    ///< of a whole ring on its foundation, sqrt(a0 / rho) / 2 pi. Hertz. Default 4
    float dampingRatio; ///< of the same. Default 0.15
    float bending;      ///< A_1 / a0: harmonic n swings sqrt(1 + bending n^4) times as fast. Default 0.5
    float amount;       ///< how much of the motion it feels. Default 0.5
    float sag;          ///< how far gravity pulls, relative to rest, as a share of the thickness. Default 0.1
    float limit;        ///< largest shift, as a share of the thickness. Default 0.4
    float apart;  ///< share of their rest distance that neighbouring curves keep. 0 to 1. Default 0: they may cross
    float volume; ///< how much of the volume between them is kept. 0 to 1. Default 0
    float folds;  ///< how much of a lost length between them goes into folds. 0 to 1. Default 0
} supCurvesDef;

/// Every field at its default.
SUP_API supCurvesDef supDefaultCurvesDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Examples: a few sculpted shapes correct every pose. After Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for
// animated characters using ordinary differential equations", 2013

typedef enum supExampleSpace
{
    sup_exampleRest = 0,  ///< as the skin is before it is posed: morph targets, shape keys
    sup_examplePosed = 1, ///< as it is seen in the pose
} supExampleSpace;

/// How the skin should look in one pose. Examples with the same `joints` belong together: each pose takes a share of
/// each of them. Ranges and defaults stand in the table. Joints go by name, as in supElementDef.
typedef struct supExampleDef
{
    const char* name;   ///< of its own in the rig; NULL: the first joint's, filled in when it is added
    supNameList joints; ///< whose rotations call for it. Required
    supNameList part;   ///< a chain of joints around which curves run; none: the first joint's parent and the joint

    // the pose: one of the two
    const char* clip;  ///< a clip of the character
    float time;        ///< in it. Seconds
    supPointList pose; ///< one rotation vector a joint, against rest, in the joint's own frame. Degrees

    // the shape: any of them, summed
    const char* morph; ///< the name of a morph target, in rest space
    supVertexValueList moves;
    supSculpt shape;
    int32_t space;    ///< supExampleSpace, of `moves` and `shape`
    int32_t skinning; ///< supSkinning under which a posed shape was made

    // forces on the curves
    supVec3 force;     ///< how far it would move the middle of a curve if it pulled on all of it. Shares of the size
    float forceFrom;   ///< along the part, 0 to 1
    float forceTo;     ///< the same as forceFrom: at a point. 0 to 1. Default 1
    float forceAngle;  ///< around the part. Degrees. NaN: all around
    float forceSpread; ///< to either side of forceAngle, fading out. Degrees, 1 to 180. Default 60
    float curves;      ///< how many run along the part. 3 to 1024. Default 24
    float nodes;       ///< of each curve. 5 to 4096. Default 31
    supVec3 a1;        ///< how hard the curves are to bend, for each coordinate. Default 1
    supVec3 a2;        ///< how hard they are to stretch, for each coordinate. Default 0

    float amount; ///< times its share. Live. Default 1
} supExampleDef;

/// Every field at its default.
SUP_API supExampleDef supDefaultExampleDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Beams: the same paper's own way. Poses become forces on curves, and the curves are solved in every frame

typedef enum supBeamsUse
{
    sup_beamsCorrect = 0, ///< curves correct the smooth skin: displacements at rest, turned with the skin
    sup_beamsCarry = 1,   ///< curves carry the skin by themselves, as the paper has it
} supBeamsUse;

typedef enum supBeamEnds
{
    sup_endsJoints = 0, ///< where the joints put them, with the slopes that they have there
    sup_endsPoses = 1,  ///< blended from those of the poses, as forces are
} supBeamEnds;

typedef enum supBeamsBetween
{
    sup_betweenSmooth = 0, ///< shares that pass through all poses smoothly
    sup_betweenLinear = 1, ///< the paper's equation 14: from one pose of the list to the next, by the way between them
} supBeamsBetween;

/// A shape in a pose.
typedef struct supBeamPose
{
    const char* name; ///< what forces call it by; NULL: none

    // the pose: one of the two
    const char* clip;  ///< a clip of the character
    float time;        ///< in it. Seconds
    supPointList pose; ///< one rotation vector a joint, against rest, in the joint's own frame. Degrees

    // the shape: any of them, summed; none: the smooth skin in that pose
    const char* morph; ///< the name of a morph target, in rest space
    supVertexValueList moves;
    supSculpt shape;
    int32_t space;    ///< supExampleSpace, of `moves` and `shape`
    int32_t skinning; ///< supSkinning under which a posed shape was made

    float amount; ///< times its share. Live. Default 1
} supBeamPose;

/// A force beside those of the poses.
typedef struct supBeamForce
{
    const char* pose; ///< acts as much as this pose has a share; NULL: always
    supVec3 force; ///< how far it would move the middle of an even curve if it pulled on all of it. Shares of the size
    float from;    ///< along the part, 0 to 1
    float to;      ///< the same as from: at a point. 0 to 1. Default 1
    float angle;   ///< around the part. Degrees. NaN: all around
    float spread;  ///< to either side of `angle`, fading out. Degrees, 1 to 180. Default 60
    float amount;  ///< times the force. Live. Default 1
} supBeamForce;

/// Curves along a part of the body that bend as beams do, solved in every frame. Ranges and defaults stand in the
/// table. Joints go by name, as in supElementDef.
typedef struct supBeamsDef
{
    const char* name;     ///< of its own in the rig; NULL: the first joint's, filled in when it is added
    supNameList joints;   ///< whose rotations say how much of each pose there is. Required
    supNameList part;     ///< a chain of joints around which curves run; none: the first joint's parent and the joint
    supItemList poses;    ///< supBeamPose
    supItemList forces;   ///< supBeamForce
    int32_t use;          ///< supBeamsUse
    int32_t ends;         ///< supBeamEnds
    int32_t between;      ///< supBeamsBetween
    float curves;         ///< how many run along the part. 3 to 1024. Default 24
    float nodes;          ///< of each curve. 5 to 4096. Default 31
    supVec3 a1;           ///< how hard the curves are to bend, for each coordinate. Default 1
    supVec3 a2;           ///< how hard they are pushed, for each coordinate. Default 0
    supKeyList stiffness; ///< times a1, by the place along the part; none: even
    float amount;         ///< of all of it. Live. Default 1
} supBeamsDef;

/// Every field at its default.
SUP_API supBeamPose supDefaultBeamPose( void );
SUP_API supBeamForce supDefaultBeamForce( void );
SUP_API supBeamsDef supDefaultBeamsDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Muscles: Aubel, Thalmann, "Realistic deformation of human body shapes", 2000

typedef enum supMuscleShape
{
    sup_muscleFusiform = 0, ///< one round belly between two tendons
    sup_muscleBellies = 1,  ///< several bellies side by side that run together at the insertion: the pectoral
    sup_muscleFlat = 2,     ///< one belly, broad and thin: the dorsal
    sup_muscleMesh = 3,     ///< a mesh of the user's
    /// No line at all: its `fields` fill gaps in the flayed body, and act on the lines that name it in `around`
    sup_muscleFiller = 4,
} supMuscleShape;

typedef enum supLineMotion
{
    sup_lineRelax = 0, ///< at rest in every posture: the pose alone says where the line is
    sup_lineSwing = 1, ///< with a mass and a motion of its own
} supLineMotion;

/// A vertex of an action line, as given.
typedef struct supMusclePoint
{
    const char* joint; ///< it follows. Required
    const char* other; ///< a second joint that it follows too; NULL: none
    float share;       ///< the second joint's. 0 to 1. Default 0.5
    supVec3 at;        ///< in the (first) joint's frame at rest, shares of the size
    bool free;         ///< goes where its springs pull it. The first and the last are bound in any case
    float stiffness;   ///< of the line from here to the next point, times the muscle's own. Default 1
    float sharpness;   ///< of the same stretch, times the muscle's own. Default 1
} supMusclePoint;

typedef enum supForceFieldKind
{
    sup_forceEllipsoid = 0, ///< pulls to its surface, or away from it
    sup_forceMetaball = 1,  ///< pulls to its centre, or away from it, by a density that ends at `reach`
} supForceFieldKind;

/// An ellipsoid that goes with a joint.
typedef struct supMuscleField
{
    const char* joint; ///< Required
    supVec3 center;    ///< in the joint's frame at rest, shares of the size
    supVec3 radii;     ///< shares of the size. Default 0.02
    supVec3 turn;      ///< of its axes in the joint's frame at rest: a rotation vector. Degrees
    int32_t kind;      ///< supForceFieldKind
    float pull;        ///< above 0 attracts, below repels; times the muscle's stiffness. Default 0
    float reach;       ///< how far it acts, in its radii. Default 2
    bool solid;        ///< no vertex of the line stays inside. Default true
} supMuscleField;

/// A muscle on an action line, or (shape `filler`) ellipsoids alone. Lengths are shares of the character's size. Ranges
/// and defaults stand in the table. Joints go by name, as in supElementDef.
typedef struct supMuscleDef
{
    const char* name;   ///< of its own in the rig. Required
    int32_t shape;      ///< supMuscleShape
    supItemList points; ///< supMusclePoint: the line from origin to insertion, two at least
    float segments;     ///< that the line is divided into; 0: eight, or as many as the points make
    supItemList fields; ///< supMuscleField
    supNameList around; ///< muscles whose fields act on this line too

    float radius;          ///< half the belly's thickness. Default 0.015
    float width;           ///< half its breadth; NaN: the radius; where it is flat, its spread
    float tendonRadius;    ///< half the tendons' thickness. Default 0.003
    float tendonFrom;      ///< tendon at the origin, share of the line's length. Default 0.1
    float tendonTo;        ///< tendon at the insertion. Default 0.1
    float belly;           ///< where between the tendons it is thickest. 0.05 to 0.95. Default 0.5
    float bellies;         ///< how many, for that shape. Default 3
    float spreadFrom;      ///< half the breadth over which bellies (or a flat muscle) begin. Default 0.05
    float spreadTo;        ///< and end. Default 0.01
    supVec3 wide;          ///< the way of the breadth, in the first point's frame at rest; zero: across the line and
                           ///< the way from the joint
    supSculpt mesh;        ///< model space at rest, with its triangles; for shape `mesh`
    float sharpness;       ///< of the belly in the flayed body: 1 blends softly, more shows its form. Default 1
    float tendonSharpness; ///< of the tendons. Default 4

    // the line, live
    int32_t motion;        ///< supLineMotion
    float free;            ///< how much of their way free points go: 0 none, all follow their joints. Default 1
    float freeFrom;        ///< points before this place along the line are bound. 0 to 1. Default 0
    float freeTo;          ///< and those after this. Default 1
    float frequency;       ///< of the muscle's mass on its belly's spring. Hertz. Default 5
    float stiffness;       ///< of the belly along its line. N/m; NaN: from frequency and mass
    float tendonStiffness; ///< times that of the belly. Default 50
    float slack;           ///< length at which the belly pulls no more, as a share of that at rest. Default 0.5
    float hold;            ///< how strongly the line is held beside its bones, times the stiffness. Default 4
    float dampingRatio;    ///< of its swinging. Default 0.7
    float density;         ///< kg/m^3. Default 1060
    int32_t gravity;       ///< supGravity
    float gravityScale;    ///< times the rig's gravity. Default 1
    float tension;         ///< isometric: takes this much of gravity away. 0 to 1. Default 0.5
    float fieldScale;      ///< times the pull of all fields. Default 1

    // the form, live
    float contraction;    ///< isometric: bulges without shortening; as modelled it is relaxed. 0 to 1. Default 0
    float activation;     ///< contraction for shortening by the belly's length in a second. Default 0
    float holding;        ///< contraction for being short by the belly's length. Default 0
    float activationTime; ///< how long it takes to tense. Seconds. Default 0.1
    float widening;       ///< how much of the shortening widens it. Default 1
    float twist;          ///< how much the section turns with the bone at its end. 0 to 1. Default 1
    float swell;          ///< times its radii. Default 1
} supMuscleDef;

/// Every field at its default.
SUP_API supMuscleDef supDefaultMuscleDef( void );
/// The same for a point of its line.
SUP_API supMusclePoint supDefaultMusclePoint( void );
/// The same for one of its fields.
SUP_API supMuscleField supDefaultMuscleField( void );

// ---------------------------------------------------------------------------------------------------------------
// Fat: Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, section 5

typedef enum supFatSolver
{
    sup_fatLive = 0,      ///< vibrations, stepped exactly, and a correction
    sup_fatReference = 1, ///< the paper's: explicit, of fourth order; slow
} supFatSolver;

/// A viscoelastic layer between the flayed body (or the bones' own shape, where there are no muscles) and the skin: a
/// solid of voxels under inertia and gravity. Lengths are shares of the character's size. Ranges and defaults stand in
/// the table. Joints go by name, as in supElementDef.
typedef struct supFatDef
{
    const char* name;      ///< of its own in the rig; NULL: "fat"
    supNameList joints;    ///< whose skin carries fat; none: all
    supNameList meshes;    ///< the skin; none: all that are skinned
    supNameList inner;     ///< closed meshes that hold it beside the muscles and the bones' shape; none: these alone
    const char* joint;     ///< `spheres` are in its frame at rest; NULL: in model space
    supSphereList spheres; ///< if any: fat lies in their union alone
    bool skipRigid; ///< none on rigid pieces: connected, on the same joints by the same weights all over. Default false
    float depth;    ///< without muscles: this much of the least radius around is fat. 0 to 0.95. Default 0.35

    // voxels
    float voxel;    ///< their edge; NaN: as `nodes` asks for
    float nodes;    ///< about how many there should be. Default 1000
    bool mixed;     ///< eight voxels that nothing near them holds become one. Default false
    int32_t solver; ///< supFatSolver
    float modes;  ///< vibrations that are followed. Default NAN: as many as joints make something of, from 48 up to 160
    float memory; ///< most that compiling may take for a factor; past that it does without, and is slow. GB. Default 2
    bool touch;   ///< what these leave out of forces on the skin is solved for: more memory, and time. Default false

    // material
    float frequency;         ///< of the slowest vibration. Hertz. Default 3.5
    float mu;                ///< Lame's; NaN: from the frequency. Pa
    float lambda;            ///< Lame's, with mu alone; NaN: `incompressibility` times mu. Pa
    float incompressibility; ///< lambda over mu, where lambda is not given. Default 200
    float density;           ///< kg/m^3. Default 950
    supPointList lines; ///< lines on the skin (Langer's) along which it is stiffer; a line ends at a point that repeats
    float lineStiffness; ///< what they add to Young's modulus along them, times it. Default 0
    float dampingRatio;  ///< of the slowest vibration. Default 0.2
    float viscosity;     ///< share of the damping that grows with frequency. 0 to 1. Default 0.5

    float amount;     ///< how much of the motion it feels. Default 1
    int32_t gravity;  ///< supGravity; relative: the sag that the model already has is undone first
    bool restShape;   ///< the shape that sags into the modelled one is looked for when compiled. Default false
    float sag;        ///< what gravity pulls, as a share of the thickness; NaN: what it would by the material
    float limit;      ///< largest shift, as a share of the thickness around. Default 0.5
    float keepVolume; ///< how much displacements go round rather than straight, which gains volume. 0 to 1. Default 1
    float tension;    ///< stiffens all of it. 0 to 1. Default 0
    float muscleTension; ///< how much the muscles below stiffen what lies above them as they contract. Default 1
} supFatDef;

/// Every field at its default.
SUP_API supFatDef supDefaultFatDef( void );

// ---------------------------------------------------------------------------------------------------------------
// Layers: the kinds of items, for files, references and hosts that show whatever there is

typedef struct supLayerInfo
{
    const char* name;  ///< "flesh"
    const char* key;   ///< of the list of its items in a rig's JSON: "elements"
    const char* words; ///< one line
    size_t itemSize;   ///< bytes of an item's struct
    int32_t fieldCount;
    const supField* fields;
} supLayerInfo;

/// One of the layers, which are counted in the order in which they run. Layer 0 is flesh; those after it work on the
/// skin that it leaves. NULL: there is no such layer.
SUP_API const supLayerInfo* supGetLayerInfo( int32_t layer );
/// Finds a layer by the key of its list in a rig's JSON: "muscles", "fat". -1: there is none.
SUP_API int32_t supFindLayer( const char* key );

// ---------------------------------------------------------------------------------------------------------------
// The rig

/// Makes a rig without items. `def` may be NULL. The caller destroys it.
SUP_API supResult supCreateRig( const supMakeDef* def, supRig** out, supError* error );
/// Models and editors have copies: a rig may go as soon as they are made. NULL is passed over.
SUP_API void supDestroyRig( supRig* rig );

/// Direction and size of gravity in world space. m/s^2. Default (0, -9.81, 0).
SUP_API void supRig_SetGravity( supRig* rig, supVec3 gravity );
/// What was set. m/s^2.
SUP_API supVec3 supRig_Gravity( const supRig* rig );

/// Adds an item to a layer: an element of flesh, a muscle. `item`: the layer's struct, copied with all its names and
/// lists. Numbers are checked against the layer's table, and no other item of the layer may have its name; joints and
/// meshes are looked up when a model is compiled. Errors give the place, with the item's index as it would be:
/// `elements[2].frequency: -3 is below 0.01 Hz`. On an error the rig is as it was.
SUP_API supResult supRig_AddItem( supRig* rig, int32_t layer, const void* item, supError* error );
/// How many items a layer has.
SUP_API int32_t supRig_ItemCount( const supRig* rig, int32_t layer );
/// An item of a layer, which lives as long as the rig.
SUP_API const void* supRig_Item( const supRig* rig, int32_t layer, int32_t index );
