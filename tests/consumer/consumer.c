/* A C program that uses the installed core: a triangle on one joint is lifted, on the core's pool of threads. */
#include <supple/lab/skin.h> // installed, though it may change
#include <supple/supple.h>

#include <stdio.h>

typedef struct Scene
{
    const supCharacter* character;
    float positions[8][9];
} Scene;

static const float s_triangle[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };

static int report( const supError* error )
{
    printf( "failed: %s\n", error->text );
    return 1;
}

static supResult create( supCharacter** out, supError* error )
{
    static const uint16_t indices[3] = { 0, 0, 0 };
    static const float weights[3] = { 1, 1, 1 };
    static const int32_t joints[1] = { 0 };
    const supJointDef joint = { .name = "root", .parent = -1, .rest = supTransform_identity };
    const supSkinDef skin = { .name = "skin", .jointCount = 1, .joints = joints };
    const supMeshDef mesh = { .name = "triangle",
        .skin = 0,
        .vertexCount = 3,
        .positions = s_triangle,
        .influenceCount = 1,
        .jointIndices = indices,
        .weights = weights,
        .sourceMesh = -1,
        .sourcePrimitive = -1 };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "consumer";
    def.jointCount = 1;
    def.joints = &joint;
    def.skinCount = 1;
    def.skins = &skin;
    def.meshCount = 1;
    def.meshes = &mesh;
    return supCreateCharacter( &def, out, error );
}

/* Lifts the triangle by `index` metres. */
static void lift( int32_t index, void* context )
{
    Scene* scene = context;
    supMat34 joint = supMat34_identity;
    supMat34 palette[1];
    joint.t.y = (float)index;
    supCharacter_Palette( scene->character, &joint, palette );
    supSkinJob job = supCharacter_SkinJob( scene->character, 0, palette, NULL );
    job.outPositions = ( supOutStream ){ scene->positions[index], 3, 12 };
    supSkinJob_Run( &job, NULL );
}

int main( void )
{
    supError error = { 0 };
    supCharacter* character = NULL;
    supPool* pool = NULL;
    supPoolDef poolDef = supDefaultPoolDef();
    poolDef.workerCount = 4;
    if ( create( &character, &error ) != sup_success || supCreatePool( &poolDef, &pool, &error ) != sup_success )
    {
        return report( &error );
    }
    Scene scene = { .character = character };
    supTasks tasks = supPool_Tasks( pool );
    tasks.run( lift, 8, &scene, tasks.user );
    for ( int i = 0; i < 8 * 9; ++i )
    {
        float expected = s_triangle[i % 9] + ( i % 3 == 1 ? (float)( i / 9 ) : 0.0f );
        if ( scene.positions[i / 9][i % 9] != expected )
        {
            printf( "lifted by %d: number %d is %g, not %g\n", i / 9, i % 9, scene.positions[i / 9][i % 9], expected );
            return 1;
        }
    }
    supDestroyPool( pool );
    supDestroyCharacter( character );
    printf( "C: supple %s\n", supVersion() );
    return 0;
}
