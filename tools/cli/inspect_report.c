// What `supple inspect` says about a file.
// SPDX-License-Identifier: MIT
#include "inspect_report.h"

#include "body_words.h"
#include "output.h"
#include "supple/auto.h"
#include "supple/lab/items.h"

#include <stdlib.h>
#include <string.h>

/// The names of a mesh's morph targets, "" where one has none.
static json_t* supMorphNamesJson( const supMeshView* mesh )
{
    json_t* names = json_array();
    for ( int32_t m = 0; m < mesh->morphCount; ++m )
    {
        json_array_append_new( names, json_string( mesh->morphNames[m] ) );
    }
    return names;
}

static json_t* supMeshesJson( const supCharacter* character )
{
    json_t* meshes = json_array();
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        json_t* skin = mesh.skin < 0 ? json_null() : json_integer( mesh.skin );
        json_array_append_new( meshes,
            json_pack( "{s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:s}", "name", mesh.name, "material", mesh.material,
                "vertices", mesh.vertexCount, "triangles", mesh.indexCount / 3, "influences",
                mesh.skin < 0 ? 0 : mesh.influenceCount, "morphTargets", mesh.morphCount, "morphTargetNames",
                supMorphNamesJson( &mesh ), "skin", skin, "node", supCharacter_Joint( character, mesh.joint )->name ) );
    }
    return meshes;
}

static json_t* supSkinsJson( const supCharacter* character )
{
    json_t* skins = json_array();
    for ( int32_t i = 0; i < supCharacter_Info( character )->skinCount; ++i )
    {
        supSkinView skin = supCharacter_Skin( character, i );
        json_array_append_new( skins, json_pack( "{s:s, s:i}", "name", skin.name, "joints", skin.jointCount ) );
    }
    return skins;
}

static json_t* supClipsJson( const supCharacter* character )
{
    json_t* clips = json_array();
    for ( int32_t i = 0; i < supCharacter_Info( character )->clipCount; ++i )
    {
        supClipView clip = supCharacter_Clip( character, i );
        json_int_t keys = 0;
        for ( int32_t track = 0; track < clip.trackCount; ++track )
        {
            keys += supCharacter_Clip( character, i ).tracks[track].keyCount;
        }
        json_array_append_new(
            clips, json_pack( "{s:s, s:f, s:f, s:f, s:i, s:I}", "name", clip.name, "start", clip.start, "end", clip.end,
                       "duration", clip.end - clip.start, "tracks", clip.trackCount, "keys", keys ) );
    }
    return clips;
}

/// How much of the skin each joint holds: places (vertices that stand in one place count once), shared out by weight.
/// Gives their sum.
static double supShareSkin( const supCharacter* character, double* shares )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    double sum = 0.0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        supMeshView mesh = supCharacter_Mesh( character, i );
        for ( int32_t v = 0; mesh.skin >= 0 && v < mesh.vertexCount; ++v )
        {
            if ( welds[mesh.firstVertex + v] != mesh.firstVertex + v )
            {
                continue;
            }
            for ( int32_t k = 0; k < mesh.influenceCount; ++k )
            {
                size_t at = (size_t)v * (size_t)mesh.influenceCount + (size_t)k;
                shares[paletteJoints[mesh.firstPalette + mesh.jointIndices[at]]] += (double)mesh.weights[at];
            }
            sum += 1.0;
        }
    }
    return sum;
}

static int32_t supCountPlaces( const supCharacter* character )
{
    const int32_t* welds = supCharacter_Info( character )->welds;
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->vertexCount; ++i )
    {
        count += welds[i] == i ? 1 : 0;
    }
    return count;
}

static json_t* supJointsJson( const supCharacter* character, const double* shares, double sum )
{
    json_t* joints = json_array();
    for ( int32_t i = 0; i < supCharacter_Info( character )->jointCount; ++i )
    {
        json_t* joint = json_pack( "{s:s, s:i, s:b, s:f}", "name", supCharacter_Joint( character, i )->name, "parent",
            supCharacter_Joint( character, i )->parent, "skinned",
            supCharacter_Joint( character, i )->isSkinJoint ? 1 : 0, "skinShare", sum > 0.0 ? shares[i] / sum : 0.0 );
        json_object_set_new( joint, "position", supVectorToJson( supCharacter_Info( character )->restJoints[i].t ) );
        const char* bone = supCharacter_Joint( character, i )->humanBone;
        if ( bone[0] != '\0' )
        {
            json_object_set_new( joint, "humanBone", json_string( bone ) );
        }
        if ( supCharacter_Joint( character, i )->hasPhysics )
        {
            json_object_set_new( joint, "hasPhysics", json_true() );
        }
        json_array_append_new( joints, joint );
    }
    return joints;
}

/// What the automatic rig would take, in its own order, and what it read the body as; an empty list where it finds
/// nothing. Where it fails there is no "body": looking at a file never does.
static void supAddCarriers( const supCharacter* character, json_t* report )
{
    json_t* carriers = json_array();
    supRig* rig = NULL;
    supProposal* proposal = NULL;
    bool found = supProposeRigWith( character, NULL, &rig, &proposal, NULL ) == sup_success;
    for ( int32_t i = 0; found && i < proposal->elementCount; ++i )
    {
        const supProposedElement* element = proposal->elements + i;
        json_array_append_new(
            carriers, json_pack( "{s:s, s:s, s:s, s:s}", "element", element->name, "driver",
                          supRig_Element( rig, i )->driver, "region", supWordFor( sup_wordsRegion, element->region ),
                          "side", supWordFor( sup_wordsSide, element->side ) ) );
    }
    if ( found && supCharacter_Info( character )->skinCount > 0 )
    {
        json_object_set_new( report, "body", supBodyToJson( &proposal->body ) );
    }
    json_object_set_new( report, "couldCarryFlesh", carriers );
    supDestroyProposal( proposal );
    supDestroyRig( rig );
}

static int32_t supCountTriangles( const supCharacter* character )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < supCharacter_Info( character )->meshCount; ++i )
    {
        count += supCharacter_Mesh( character, i ).indexCount / 3;
    }
    return count;
}

json_t* supMakeInspectReport( const char* path, size_t bytes, const supCharacter* character, json_t* notes )
{
    double* shares = calloc( (size_t)supCharacter_Info( character )->jointCount + 1, sizeof( double ) );
    if ( shares == NULL )
    {
        json_decref( notes );
        return NULL;
    }
    double sum = supShareSkin( character, shares );
    supVec3 lower = supCharacter_Info( character )->lower, upper = supCharacter_Info( character )->upper;
    json_t* joints = supJointsJson( character, shares, sum );
    free( shares );
    json_t* report = json_pack( "{s:o, s:I, s:f, s:{s:o, s:o}, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "input",
        supTextJson( path ), "bytes", (json_int_t)bytes, "size", (double)supCharacter_Info( character )->size, "bounds",
        "lower", supVectorToJson( lower ), "upper", supVectorToJson( upper ), "vertices",
        supCharacter_Info( character )->vertexCount, "places", supCountPlaces( character ), "triangles",
        supCountTriangles( character ), "meshes", supMeshesJson( character ), "skins", supSkinsJson( character ),
        "clips", supClipsJson( character ), "joints", joints, "notes", notes );
    if ( report != NULL )
    {
        supAddCarriers( character, report );
    }
    return report;
}
