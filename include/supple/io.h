// Supple: files in and out (library supple_io). The core knows nothing of files.
// SPDX-License-Identifier: MIT
//
// Documents take their memory from malloc, as the libraries beneath them do, within a budget (supGltfOpenDef). What is
// made for the core (characters, rigs) takes it from where a supMakeDef says.
#pragma once

#include "supple/bake.h"
#include "supple/base.h"
#include "supple/character.h"
#include "supple/look.h"
#include "supple/rig.h"

// ---------------------------------------------------------------------------------------------------------------
// glTF documents: a .glb or .gltf as it stands in the file, to read characters from and to edit without harm

/// A glTF file in memory: its JSON, kept whole, and its buffers.
typedef struct supGltf supGltf;

/// Whether a name ends as glTF files do: .glb, .gltf, or .vrm, which is a .glb. In capitals or not.
SUP_API bool supIsGltfName( const char* path );
/// Whether a name is of those that hold everything in one file: .glb and .vrm.
SUP_API bool supIsBinaryGltfName( const char* path );

/// Reads .glb (also called .vrm), or .gltf with its buffers (files beside it, percent-encoded names, data URIs). By
/// content, not by name. Every length and index is checked here or where it is used: a document that was opened can be
/// asked anything.
SUP_API supResult supOpenGltf( const char* path, supLog log, supGltf** out, supError* error );
/// The same from memory (copied). `folder`: where external files are looked for, or NULL: there are none to be had.
SUP_API supResult supOpenGltfMemory(
    const void* data, size_t size, const char* name, const char* folder, supLog log, supGltf** out, supError* error );
SUP_API void supCloseGltf( supGltf* document );

/// How a document is opened. What it may take in memory is one budget for all of it: JSON, buffers, decoded views,
/// whatever accessors ask for, the character made of them, and its pictures once they are decoded. A file of a few
/// hundred bytes can ask for gigabytes; beyond the budget sup_errorLimit says so.
typedef struct supGltfOpenDef
{
    supLog log;
    size_t mostMemory; ///< bytes; 0: no limit. Default 2,000,000,000
    /// The file is a stranger's, and runs in a service: nothing outside of the document's own folder is read, links
    /// included, and a rig inside of it is held to limits (supGltf_Rig). Default false: paths may lead through ".."
    bool isUntrusted;
    int32_t cookie; ///< set by supDefaultGltfOpenDef
} supGltfOpenDef;

SUP_API supGltfOpenDef supDefaultGltfOpenDef( void );
SUP_API supResult supOpenGltfWith( const char* path, const supGltfOpenDef* def, supGltf** out, supError* error );
SUP_API supResult supOpenGltfMemoryWith( const void* data, size_t size, const char* name, const char* folder,
    const supGltfOpenDef* def, supGltf** out, supError* error );

/// The character in it: the default scene's nodes, meshes, skins, and all clips. Joint indices are node indices.
SUP_API supResult supGltf_Character(
    const supGltf* document, const supMakeDef* def, supCharacter** out, supError* error );
/// Materials, images, texture coordinates, colours; lives as long as the document.
SUP_API supResult supGltf_Look( supGltf* document, const supLook** out, supError* error );

/// Writes .glb (.vrm) or .gltf + .bin by the name's ending: to a temporary file beside it, flushed, then renamed. A
/// failed or interrupted call leaves neither a half-written file nor a changed one. With nothing edited every JSON
/// value and every byte of every buffer view is kept.
SUP_API supResult supGltf_Write( const supGltf* document, const char* path, supError* error );

/// A document made of a character and its look (NULL: none), as a .glb would hold it: for characters that never were a
/// file. Nodes are the joints, in their order. Refused: a node that shows meshes of several skins, which glTF cannot
/// say.
SUP_API supResult supMakeGltf( const supCharacter* character, const supLook* look, supGltf** out, supError* error );
/// Makes such a document, writes it and closes it.
SUP_API supResult supSaveGltf( const supCharacter* character, const supLook* look, const char* path, supError* error );

/// Whether this build reads primitives that are compressed with Draco (KHR_draco_mesh_compression). Bakes write them
/// plain.
SUP_API bool supReadsDraco( void );

/// Opens a document, reads its character and closes it: the short way.
SUP_API supResult supLoadGltf( const char* path, supCharacter** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Bakes in glTF documents

typedef struct supGltfBakeOptions
{
    /// The document will be written as .glb, and so takes that form now: buffers merged, pictures inside. Default true
    bool isBinary;
    /// Originals keep name and place, living clips follow as "NAME (living)". Default: the living clip takes both, the
    /// original follows as "NAME (smooth)"
    bool keepNames;
    bool dropOriginals; ///< no "NAME (smooth)" at all
    /// Helper joints and influences, and no motion: for a host that drives them with supBody_HelperJoints
    bool isLive;
    const supRig* rig; ///< goes in as SUPPLE_rig; NULL: not
    int32_t cookie;    ///< set by supDefaultGltfBakeOptions
} supGltfBakeOptions;

SUP_API supGltfBakeOptions supDefaultGltfBakeOptions( void );

/// Puts a bake into the document that the model's character was read from (after supGltf_RemoveBake). Append only:
/// helper nodes, named "supple:ELEMENT:JOINT", stand at the end of "nodes" in the order of the bake's own, with
/// their number in extras.suppleHelper; they are joints of every skin that has their parent. Every clip that is not
/// baked gets a zero key for each of them. Primitives compressed with Draco become plain. The same input gives the same
/// bytes. After an error the document is only good to be closed.
SUP_API supResult supGltf_AddJointBake( supGltf* document, const supModel* model, const supJointBake* joints,
    const supGltfBakeOptions* options, supError* error );
/// The same for a bake as morphs: new targets stand after those that the meshes have, named "supple:1" and on;
/// primitives beside those that move get empty ones; meshes that other nodes show too are copied. Weights that were
/// animated before go on as they did, with zeros for the new ones.
SUP_API supResult supGltf_AddMorphBake( supGltf* document, const supModel* model, const supMorphBake* morphs,
    const supGltfBakeOptions* options, supError* error );
/// Takes an earlier bake out. The document is then what it was, except for a rig that the bake put in: it stays to be
/// read, and leaves with the next supGltf_AddJointBake. *removed says whether there was a bake. Fails where another
/// program has changed the file since.
SUP_API supResult supGltf_RemoveBake( supGltf* document, bool* removed, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Motion from other files

/// A BVH file as a character without skin: its joints, y up, in its own unit, and one clip called as the file. A first
/// frame that is a pose to start from, as CMU's files in BVH have it, is rest and no part of the clip. Every count is
/// checked against what is there.
SUP_API supResult supReadBvh( const char* path, supLog log, supCharacter** out, supError* error );
SUP_API supResult supReadBvhMemory(
    const char* text, size_t size, const char* name, supLog log, supCharacter** out, supError* error );
/// A glTF file or a BVH, by its content.
SUP_API supResult supLoadMotion( const char* path, supLog log, supCharacter** out, supError* error );
SUP_API supResult supLoadMotionWith( const char* path, const supGltfOpenDef* def, supCharacter** out, supError* error );

typedef struct supGltfMotionOptions
{
    bool isBinary;       ///< the document will be written as .glb. Default true
    const char* mapPath; ///< a JSON file {"joint of the motion": "joint of the character", "one to leave out": null};
                         ///< NULL: names alone
} supGltfMotionOptions;

SUP_API supGltfMotionOptions supDefaultGltfMotionOptions( void );

typedef struct supMotionReport
{
    int32_t joints;           ///< of the motion
    int32_t matched;          ///< joints of the character that it moves
    int32_t unmatched;        ///< joints of the motion that move nothing
    char unmatchedNames[400]; ///< those, as many as fit: "\"Toe\", \"Thumb\""
    int32_t clips;            ///< that were added
} supMotionReport;

/// Adds all clips of a motion to a document, on joints called alike: as they are, else without prefixes ("mixamorig:"),
/// punctuation and case. Units and rest poses are reconciled: turns since rest are shared, long bones of limbs point
/// where the motion's do, the root's path is scaled by the ratio of leg lengths, begins over the origin and keeps the
/// feet on the ground. On the same skeleton the tracks are taken as they are. `character`: the document's. Fails where
/// no joint matches. `name`: of the motion, for messages.
SUP_API supResult supGltf_AddMotion( supGltf* document, const supCharacter* character, const supCharacter* motion,
    const char* name, const supGltfMotionOptions* options, supMotionReport* report, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Point caches: every vertex at every frame, for modelling programs

typedef struct supPointCache
{
    int32_t pointCount, frameCount; ///< both > 0; 2 GB together at most
    double fps;                     ///< frames per second
    /// Fills in 3 floats per point. It is called once per frame, in order
    void ( *frame )( int32_t frame, float* positions, void* user );
    void* user;
} supPointCache;

/// Writes .pc2 or .mdd by the name's ending: whole or not at all. Refused: the same, and positions that are not finite.
SUP_API supResult supWritePointCache( const supPointCache* cache, const char* path, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Rigs as JSON: beside the character (fox.rig.json), or inside it as the glTF root extension SUPPLE_rig

/// Reads a rig. `{}` is one. Errors give the place: `fox.rig.json: elements[2].frequncy: unknown; did you mean
/// "frequency"?`, and line and column where the text is not JSON: `fox.rig.json:3:12: …`. Refused: unknown keys (notes
/// of your own start with "_", or are called "extras"; they are passed over), wrong types, numbers out of range, keys
/// and element names given twice. `character`: turns lengths such as "2mm" into shares of its size; NULL: only shares
/// are understood, and lengths in metres give sup_errorArgument. Joints and meshes are looked up when a model is
/// compiled.
SUP_API supResult supReadRig(
    const char* path, const supCharacter* character, const supMakeDef* def, supRig** out, supError* error );
/// The same from memory. `name`: for messages.
SUP_API supResult supReadRigMemory( const char* text, size_t size, const char* name, const supCharacter* character,
    const supMakeDef* def, supRig** out, supError* error );

/// Writes a rig: only what differs from the defaults, numbers with the fewest digits that give them back; the same rig,
/// the same bytes. To a temporary file beside it that is then renamed: a failed call leaves neither a half-written file
/// nor a changed one.
SUP_API supResult supWriteRig( const supRig* rig, const char* path, supError* error );

/// The rig inside a document, its root extension SUPPLE_rig; *out NULL where it has none. `character`: as in
/// supReadRig. In a document that is not trusted (supGltfOpenDef), a rig of more than 200 items, 5,000 nodes or 200
/// modes of fat, or 20,000 rays is refused.
SUP_API supResult supGltf_Rig(
    const supGltf* document, const supCharacter* character, const supMakeDef* def, supRig** out, supError* error );
/// Puts a rig into a document, in the place of the one it had; NULL takes that one out. Listed in extensionsUsed, never
/// required: who does not know Supple reads the file as before. On an error the document has no rig.
SUP_API supResult supGltf_SetRig( supGltf* document, const supRig* rig, supError* error );

// Texts. Each writes as much as fits with an end mark, and gives the length that all of it needs without one, as
// snprintf does: call with (NULL, 0) first. 0: no memory.

/// A rig as supWriteRig would write it.
SUP_API size_t supRigToJson( const supRig* rig, char* text, size_t size );
/// The JSON Schema (draft 7) of rig files, made from the layers' field tables: for editors and pipelines.
SUP_API size_t supRigSchema( char* text, size_t size );
