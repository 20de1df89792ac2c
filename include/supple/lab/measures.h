// Supple: what flesh and the layers above it do over a take, measured.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/bake.h"

/// Elongations as they are shown, in model space, one for each element, at any time of the clip (held outside). Exact:
/// no frames are involved. Allocates nothing, any thread.
SUP_API void supTake_Elongations( const supTake* take, double time, supVec3* elongations );
/// Their speeds: what a curve needs for its tangents. m/s
SUP_API void supTake_Speeds( const supTake* take, double time, supVec3* speeds );

/// Vertices that came past their bone: behind the line of the virtual bone as seen from the side where they stand at
/// rest, that side turned along by the vertex's own blended matrix, by more than 1e-6 of the size. Each is counted
/// once, however many frames it is there.
typedef struct supPastBone
{
    int32_t living; ///< of the living skin
    int32_t smooth; ///< of the smooth skin alone, at the same times: a bent knee, a curled trunk
    int32_t
        rigid; ///< of the living skin, and bound to the driver alone: none, unless elements overlap and `u` is large
    int32_t frameCount; ///< times looked at, the clip's start and end among them
} supPastBone;

/// Looks at `fps` frames per second of the clip.
SUP_API supResult supTake_PastBone( const supTake* take, double fps, supPastBone* out, supError* error );

typedef struct supLayerReport
{
    int32_t itemCount;   ///< of the rig; 0: there is nothing of this layer
    int32_t vertexCount; ///< that it may move
    /// The most that it moves any vertex, beyond flesh and the layers before it. Metres
    float maxDisplacement;
    /// How far a cycle was from closing, less the root's turn, before the rest was spread over it: the largest
    /// difference of any vertex. 0 for other clips. Metres
    float seam;
    /// The frequency of a vibration that hardly anything damps, and that swings a whole number of times in the cycle,
    /// so that no start returns. Hz; 0: there is none
    float resonance;
    /// Steps that the layer cut short (supBody_Counts), each item's added up, and how many steps the take has.
    int32_t cutCount, stepCount;
} supLayerReport;

/// Looks at 33 moments. `layer`: above flesh, as in supGetLayerInfo.
SUP_API supResult supMeasureLayer( const supTake* take, int32_t layer, supLayerReport* out, supError* error );

typedef struct supModeReport
{
    const char* name; ///< lives as long as the model
    int32_t element;  ///< of the model, by index
    bool turns;
    int32_t vertexCount; ///< that it moves
    float largest;       ///< elongation that is shown. Metres; radians where it turns
} supModeReport;

/// One report an item of the rig's `modes`, over all takes.
SUP_API supResult supMeasureModes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supModeReport* out, supError* error );

typedef struct supClothesReport
{
    int32_t vertices;     ///< of garments that follow the skin
    int32_t moments;      ///< that were looked at
    int32_t insideSmooth; ///< vertices that smooth skin alone has inside the body at some moment
    int32_t newWithout;   ///< that are inside at a moment when smooth skin's are not, without the layer
    int32_t newWith;      ///< the same with it
} supClothesReport;

/// Looks at 17 moments of each take. Zeros where the rig has no clothes.
SUP_API supResult supMeasureClothes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supClothesReport* out, supError* error );

typedef struct supEcorcheReport
{
    int32_t rays;     ///< in all; 0: the rig has no écorché
    int32_t followed; ///< near muscles
    int32_t outside;  ///< that stay on the skin, because muscles come far through it there at rest
    int32_t lost;     ///< the most that lost the surface in one frame and kept their last place
    float farthest;   ///< every other one has the surface within this, in every frame. Share of the size
    int32_t frames;   ///< that were looked at
} supEcorcheReport;

/// Looks at 60 frames per second of each take.
SUP_API supResult supMeasureEcorche(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supEcorcheReport* out, supError* error );

typedef struct supVolumeReport
{
    const char* name; ///< lives as long as the model
    /// The most that the volume between skin and bone differed from smooth skin's at the same moment, as a share of the
    /// element's volume: without the layer and with it
    float without, with;
} supVolumeReport;

/// One report an item of the rig's `volumes`, from 33 moments of each take.
SUP_API supResult supMeasureVolumes(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supVolumeReport* out, supError* error );

typedef struct supWrinkleReport
{
    const char* name; ///< lives as long as the model
    int32_t folds;
    float length; ///< of the line at rest. Metres
    /// The line has a piece for each fold. This is the most that the surface beneath shortens any, and the most that a
    /// shortened one is off its length at rest with folds on it. Shares of that length
    float without, with;
    float stretched; ///< the most that folds change a piece that is not shortened, as a share of its length
} supWrinkleReport;

/// One report an item of the rig's `wrinkles`, from 33 moments of each take.
SUP_API supResult supMeasureWrinkles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supWrinkleReport* out, supError* error );

typedef struct supMuscleReport
{
    const char* name;        ///< lives as long as the model
    float restVolume;        ///< m^3; 0: a filler
    float shortest, longest; ///< of its line, as shares of its length at rest
    float volumeChange;      ///< the most, up or down, as a share of the volume at rest
    float contraction;       ///< the most
    int32_t cuts;            ///< the most segments of its line that pass through solid fields at a moment
    float deepest;           ///< how deep a vertex came into one, as a share of the field's smallest radius
} supMuscleReport;

/// One report an item of the rig's `muscles`, from 33 moments of each take.
SUP_API supResult supMeasureMuscles(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supMuscleReport* out, supError* error );

typedef struct supContactReport
{
    float deepestSmooth;               ///< smooth skin's own overlap, where the living skin overlaps too. Metres
    float deepestWithout, deepestWith; ///< the most that flesh adds to smooth skin's own overlap. Metres
    double sumWithout, sumWith;        ///< the same, over all vertices and moments. Metres
} supContactReport;

/// From 17 moments of each take, on the skin itself: vertices that lie inside the surface of another part of the body,
/// and how far the closest point of that part is. Zeros where the rig has no contacts.
SUP_API supResult supMeasureContacts(
    const supModel* model, const supTake* const* takes, int32_t takeCount, supContactReport* out, supError* error );
