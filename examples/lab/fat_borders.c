// Fat between several borders: a trunk with ribs and a pelvis below its skin, cut open; then bent, so that they push
// it.
// SPDX-License-Identifier: MIT
//
//     example_fat_borders [FOLDER]     figures on stdout; fat_borders.svg in the folder
#include "supple/body.h"
#include "supple/lab/compiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    supRings = 33,
    supAround = 48,
    supFormVertices = supRings * supAround,
    supFormIndices = 6 * ( supRings - 1 ) * supAround,
    supForms = 3, ///< the skin, ribs, a pelvis
};

static const float supPi = 3.14159265f;
static const float supChestAt = 0.3f; ///< above the hips. Metres
static const float supWay = 0.02f;    ///< that the ribs go sideways. Metres
static const double supScale = 700.0; ///< pixels a metre

/// A closed form around the y axis.
typedef struct supForm
{
    float positions[3 * supFormVertices], weights[2 * supFormVertices];
    uint16_t joints[2 * supFormVertices];
    uint32_t indices[supFormIndices];
} supForm;

typedef struct supFormShape
{
    const char* name;
    float middle;  ///< along y
    float half[3]; ///< its half sides
    int32_t joint; ///< -1: the skin, on both
} supFormShape;

static const supFormShape sup_shapes[supForms] = { { "skin", 0.24f, { 0.17f, 0.3f, 0.13f }, -1 },
    { "pelvis", 0.06f, { 0.11f, 0.07f, 0.08f }, 0 }, { "ribs", 0.36f, { 0.085f, 0.1f, 0.065f }, 2 } };

static void supFillForm( supForm* form, const supFormShape* shape )
{
    uint32_t* to = form->indices;
    for ( int32_t v = 0; v < supFormVertices; ++v )
    {
        int32_t ring = v / supAround, next = v % supAround == supAround - 1 ? v + 1 - supAround : v + 1;
        float down = supPi * (float)ring / ( supRings - 1 ), turn = 2.0f * supPi * (float)( v % supAround ) / supAround;
        bool pole = ring == 0 || ring == supRings - 1;
        float around = pole ? 0.0f : sinf( down ), up = cosf( down );
        // fuller below
        float wide = shape->joint < 0 ? around * ( 1.0f - 0.2f * up ) : around;
        float* p = form->positions + 3 * (size_t)v;
        p[0] = shape->half[0] * wide * cosf( turn );
        p[1] = shape->middle + shape->half[1] * up;
        p[2] = shape->half[2] * wide * sinf( turn );
        float share = fminf( fmaxf( ( p[1] - 0.12f ) / 0.25f, 0.0f ), 1.0f );
        form->weights[2 * v + 1] = share * share * ( 3.0f - 2.0f * share );
        form->weights[2 * v] = 1.0f - form->weights[2 * v + 1];
        form->joints[2 * v + 1] = 1;
        if ( ring < supRings - 1 )
        {
            uint32_t a = (uint32_t)v, b = (uint32_t)next, c = a + supAround, d = b + supAround;
            const uint32_t both[6] = { a, b, d, a, d, c };
            memcpy( to, both, sizeof( both ) );
            to += 6;
        }
    }
}

static supResult supMakeTrunk( supCharacter** out, supError* error )
{
    supForm* forms = (supForm*)calloc( supForms, sizeof( supForm ) );
    supJointDef joints[3] = { { .name = "hips", .parent = -1, .rest = supTransform_identity },
        { .name = "chest", .parent = 0, .rest = supTransform_identity },
        { .name = "ribs", .parent = 1, .rest = supTransform_identity } };
    joints[1].rest.translation.y = supChestAt;
    const int32_t list[2] = { 0, 1 };
    const supMat34 back[2] = { supMat34_identity,
        { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f }, { 0.0f, -supChestAt, 0.0f } } };
    const supSkinDef skin = { "skin", 2, list, back };
    supMeshDef meshes[supForms];
    for ( int i = 0; i < supForms && forms != NULL; ++i )
    {
        supFormShape shape = sup_shapes[i];
        shape.middle -= shape.joint == 2 ? supChestAt : 0.0f; // in its joint's frame
        supFillForm( forms + i, &shape );
        meshes[i] = ( supMeshDef ){ .name = shape.name,
            .joint = shape.joint < 0 ? 0 : shape.joint,
            .skin = shape.joint < 0 ? 0 : -1,
            .vertexCount = supFormVertices,
            .positions = forms[i].positions,
            .influenceCount = 2,
            .jointIndices = forms[i].joints,
            .weights = forms[i].weights,
            .indexCount = supFormIndices,
            .indices = forms[i].indices,
            .sourceMesh = -1,
            .sourcePrimitive = -1 };
    }
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "trunk";
    def.jointCount = 3, def.joints = joints;
    def.skinCount = 1, def.skins = &skin;
    def.meshCount = supForms, def.meshes = meshes;
    supResult result = forms != NULL ? supCreateCharacter( &def, out, error ) : sup_errorMemory;
    free( forms );
    return result;
}

static supResult supMakeModel( const supCharacter* character, float nodes, supModel** out, supError* error )
{
    const char* inner[2] = { "ribs", "pelvis" };
    supFatDef def = supDefaultFatDef();
    def.inner = ( supNameList ){ .count = 2, .names = inner };
    def.depth = 0.8f; // of the bones' own shape a spine is left
    def.nodes = nodes;
    supRig* rig = NULL;
    supResult result = supCreateRig( NULL, &rig, error );
    result = result == sup_success ? supRig_AddItem( rig, supFindLayer( "fat" ), &def, error ) : result;
    result = result == sup_success ? supCompileModel( character, rig, out, error ) : result;
    supDestroyRig( rig );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The picture: what the plane z = 0 cuts

typedef struct supSheet
{
    FILE* file;
    double x; ///< where the panel's middle stands. Pixels
} supSheet;

static void supWritePlace( const supSheet* sheet, double x, double y )
{
    fprintf( sheet->file, "%.1f,%.1f ", sheet->x + supScale * x, 430.0 - supScale * y );
}

/// Where the plane cuts a triangle, if it does.
static int supCutTriangle( const float* const p[3], double cut[2][2] )
{
    int count = 0;
    for ( int k = 0; k < 3 && count < 2; ++k )
    {
        const float *a = p[k], *b = p[( k + 1 ) % 3];
        // a little beside the plane, where no vertex lies
        double za = (double)a[2] - 1e-5, zb = (double)b[2] - 1e-5;
        if ( ( za < 0.0 ) != ( zb < 0.0 ) )
        {
            double t = za / ( za - zb );
            cut[count][0] = a[0] + t * ( b[0] - a[0] );
            cut[count++][1] = a[1] + t * ( b[1] - a[1] );
        }
    }
    return count;
}

static void supDrawCut(
    const supSheet* sheet, const supCharacter* character, int32_t m, const float* positions, const char* style )
{
    supMeshView mesh = supCharacter_Mesh( character, m );
    fprintf( sheet->file, "<path fill=\"none\" %s d=\"", style );
    for ( int32_t i = 0; i + 2 < mesh.indexCount; i += 3 )
    {
        const float* p[3];
        double cut[2][2];
        for ( int k = 0; k < 3; ++k )
        {
            p[k] = positions + 3 * ( (size_t)mesh.firstVertex + mesh.indices[i + k] );
        }
        if ( supCutTriangle( p, cut ) == 2 )
        {
            fputs( "M", sheet->file );
            supWritePlace( sheet, cut[0][0], cut[0][1] );
            supWritePlace( sheet, cut[1][0], cut[1][1] );
        }
    }
    fputs( "\"/>\n", sheet->file );
}

/// Voxels that the plane cuts, and those of their nodes that are held.
static void supDrawVoxels( const supSheet* sheet, const supFatView* fat )
{
    for ( int32_t e = 0; e < fat->voxelCount; ++e )
    {
        const int32_t* c = fat->corners + 8 * (size_t)e;
        supVec3 low = fat->places[c[0]], high = fat->places[c[7]];
        if ( low.z <= 1e-4f && high.z > 1e-4f )
        {
            fprintf( sheet->file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#f7ecc8\" stroke=\"#b9a76a\" "
                "stroke-width=\"0.7\"/>\n",
                sheet->x + supScale * low.x, 430.0 - supScale * high.y, supScale * ( high.x - low.x ),
                supScale * ( high.y - low.y ) );
        }
    }
    for ( int32_t i = 0; i < fat->nodeCount; ++i )
    {
        supVec3 p = fat->places[i];
        if ( fat->freeOf[i] == -1 && p.z > -0.5f * fat->voxel && p.z <= 0.5f * fat->voxel )
        {
            fprintf( sheet->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\" fill=\"#b03030\"/>\n",
                sheet->x + supScale * p.x, 430.0 - supScale * p.y );
        }
    }
}

static const char* const sup_skinLine = "stroke=\"#272c30\" stroke-width=\"2\"";
static const char* const sup_smoothLine = "stroke=\"#8a9199\" stroke-width=\"1.5\"";
static const char* const sup_innerLine = "stroke=\"#3f6fa3\" stroke-width=\"2\"";

static supResult supDrawSheet( const char* folder, const supCharacter* character, const supFatView* fat,
    const float* smooth, const float* living, supError* error )
{
    char path[600];
    snprintf( path, sizeof( path ), "%s/fat_borders.svg", folder );
    supSheet sheet = { .file = fopen( path, "w" ), .x = 180.0 };
    if ( sheet.file == NULL )
    {
        *error = ( supError ){ .code = sup_errorFile };
        snprintf( error->text, sizeof( error->text ), "cannot write %.100s", path );
        return sup_errorFile;
    }
    fputs( "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"500\" viewBox=\"0 0 720 500\" "
           "font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\" fill=\"#272c30\">\n"
           "<rect width=\"720\" height=\"500\" fill=\"#ffffff\"/>\n"
           "<text x=\"180\" y=\"490\">at rest: voxels, held nodes red</text>\n"
           "<text x=\"520\" y=\"490\">ribs moved by 2 cm; grey: the skin without fat</text>\n",
        sheet.file );
    supDrawVoxels( &sheet, fat );
    const float* rest = supCharacter_Info( character )->restPositions;
    for ( int32_t m = 0; m < supForms; ++m )
    {
        supDrawCut( &sheet, character, m, rest, m == 0 ? sup_skinLine : sup_innerLine );
    }
    sheet.x = 520.0;
    supDrawCut( &sheet, character, 0, smooth, sup_smoothLine );
    for ( int32_t m = 0; m < supForms; ++m )
    {
        supDrawCut( &sheet, character, m, living, m == 0 ? sup_skinLine : sup_innerLine );
    }
    fputs( "</svg>\n", sheet.file );
    bool written = ferror( sheet.file ) == 0;
    written = fclose( sheet.file ) == 0 && written;
    return written ? sup_success : sup_errorFile;
}

// ---------------------------------------------------------------------------------------------------------------

static supResult supRunTrunk( const supModel* model, const char* folder, supError* error )
{
    const supCharacter* character = supModel_Info( model )->character;
    size_t count = 3 * (size_t)supCharacter_Info( character )->vertexCount;
    float* smooth = (float*)malloc( sizeof( float ) * 2 * count );
    supBody* body = NULL;
    supMat34 joints[3];
    memcpy( joints, supCharacter_Info( character )->restJoints, sizeof( joints ) );
    joints[2].t.x += supWay;
    supResult result = smooth != NULL ? supCreateBody( model, &body, error ) : sup_errorMemory;
    result = result == sup_success ? supBody_Step( body, joints, supMat34_identity, 0.0f ) : result;
    supFatView fat = { 0 };
    if ( result == sup_success && supModel_Fat( model, 0, &fat ) )
    {
        float *living = smooth + count, most = 0.0f;
        supBody_SmoothSkin( body, smooth, NULL );
        supBody_Skin( body, living, NULL );
        for ( size_t i = 0; i < count; i += 3 )
        {
            most = fmaxf( most, hypotf( living[i] - smooth[i], living[i + 1] - smooth[i + 1] ) );
        }
        printf( "%d voxels between skin, ribs, pelvis and spine, %d nodes, %d held; ribs that move by %.0f mm move the "
                "skin by up to %.1f mm\n",
            fat.voxelCount, fat.nodeCount, fat.anchoredCount, 1e3 * (double)supWay, 1e3 * (double)most );
        result = folder != NULL ? supDrawSheet( folder, character, &fat, smooth, living, error ) : result;
    }
    supDestroyBody( body );
    free( smooth );
    return result;
}

int main( int argc, char** argv )
{
    supCharacter* character = NULL;
    supModel* model = NULL;
    supError error = { sup_success, "" };
    supResult result = supMakeTrunk( &character, &error );
    result = result == sup_success ? supMakeModel( character, argc > 1 ? 3000.0f : 1000.0f, &model, &error ) : result;
    result = result == sup_success ? supRunTrunk( model, argc > 1 ? argv[1] : NULL, &error ) : result;
    if ( result != sup_success )
    {
        fprintf( stderr, "%s\n", error.text );
    }
    supDestroyModel( model );
    supDestroyCharacter( character );
    return result == sup_success ? 0 : 1;
}
