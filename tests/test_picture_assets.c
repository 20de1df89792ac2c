// Every readable file of the test assets is drawn: something is to be seen, inside the picture, not black; and every
// vertex, as the independent evaluator places it, falls inside the silhouette to two pixels.
//
// SUPPLE_SHEETS=FOLDER also writes contact sheets of all files there, to be looked at.
#include "evaluator/evaluator.h"
#include "support/gltf_files.h"
#include "support/picture_test.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum
{
    sup_side = 240,
    sup_columns = 6,
    sup_rows = 5,
    sup_reach = 2, // pixels that a vertex may stand beside the silhouette
};

typedef struct supTour
{
    supStage* stage;
    supPixels picture, sheet;
    const char* folder; // for sheets; NULL: none
    int drawn, onSheet, sheetCount;
    long vertices, outside;
    double farthest; // pixels
} supTour;

static supView supViewOf( supTestShow* show, int32_t clip, double start, double end )
{
    supView view = supDefaultView();
    view.width = view.height = sup_side;
    supFraming framing = supBeginFraming( &view );
    for ( int i = 0; i <= 8; ++i )
    {
        supShape shape = supTestShapeAt( show, clip, start + ( end - start ) * i / 8.0 );
        supFraming_Add( &framing, shape.positions, supFigure_VertexCount( show->figure ), supVec3_zero );
    }
    supFraming_End( &framing, &view );
    return view;
}

static void supPasteOnSheet( supTour* tour, const char* path )
{
    if ( tour->folder == NULL )
    {
        return;
    }
    const char* name = strrchr( path, '/' ) + 1;
    supPixels_Text( &tour->picture, 4.0f, 12.0f, 7.0f, sup_alignLeft, 0, name, ( supColor ){ 0.0f, 0.0f, 0.0f, 1.0f } );
    supPixels_Paste(
        &tour->sheet, &tour->picture, tour->onSheet % sup_columns * sup_side, tour->onSheet / sup_columns * sup_side );
    tour->onSheet += 1;
    if ( tour->onSheet == sup_columns * sup_rows )
    {
        char file[600];
        snprintf( file, sizeof( file ), "%s/sheet_%02d.png", tour->folder, tour->sheetCount++ );
        assert_int_equal( supWritePng( &tour->sheet, file, NULL ), sup_success );
        supPixels_Fill( &tour->sheet, ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f } );
        tour->onSheet = 0;
    }
}

static bool supIsCovered( const supPixels* picture, int x, int y )
{
    return x >= 0 && y >= 0 && x < picture->width && y < picture->height &&
           picture->data[4 * ( (size_t)y * (size_t)picture->width + (size_t)x ) + 3] > 0;
}

/// How far the nearest covered pixel is from a point, up to a few pixels. 0: inside.
static double supDistanceOutside( const supPixels* picture, float x, float y )
{
    double nearest = 99.0;
    int px = (int)floorf( x ), py = (int)floorf( y );
    for ( int dy = -4; dy <= 4; ++dy )
    {
        for ( int dx = -4; dx <= 4; ++dx )
        {
            if ( supIsCovered( picture, px + dx, py + dy ) )
            {
                double ex = fmax( 0.0, fabs( (double)( px + dx ) + 0.5 - (double)x ) - 0.5 );
                double ey = fmax( 0.0, fabs( (double)( py + dy ) + 0.5 - (double)y ) - 0.5 );
                nearest = fmin( nearest, sqrt( ex * ex + ey * ey ) );
            }
        }
    }
    return nearest;
}

/// Whether a triangle faces the camera, as the picture's y points down. Sheets that show their back are not drawn.
static bool supFacesCamera( const supView* view, const double* xyz, const int* corners )
{
    float x[3], y[3], depth;
    for ( int k = 0; k < 3; ++k )
    {
        const double* p = xyz + 3 * (size_t)corners[k];
        supView_Project( view, ( supVec3 ){ (float)p[0], (float)p[1], (float)p[2] }, &x[k], &y[k], &depth );
    }
    return ( x[1] - x[0] ) * ( y[2] - y[0] ) - ( x[2] - x[0] ) * ( y[1] - y[0] ) < 0.0f;
}

static void supCheckVertices( supTour* tour, const supView* view, evalFile* file, const char* path )
{
    evalInfo info = evalGetInfo( file );
    for ( int d = 0; d < info.drawCount; ++d )
    {
        const evalDraw* draw = evalGetDraw( file, d );
        int indexCount = 0;
        const int* indices = evalIndices( file, d, &indexCount );
        double* xyz = malloc( 3 * sizeof( double ) * ( (size_t)draw->vertexCount + 1 ) );
        evalPositions( file, d, xyz );
        for ( int i = 0; i + 2 < indexCount && draw->mode == 4; i += 3 )
        {
            if ( supFacesCamera( view, xyz, indices + i ) == false )
            {
                continue;
            }
            for ( int k = 0; k < 3; ++k )
            {
                const double* p = xyz + 3 * (size_t)indices[i + k];
                float x, y, depth;
                assert_true(
                    supView_Project( view, ( supVec3 ){ (float)p[0], (float)p[1], (float)p[2] }, &x, &y, &depth ) );
                double distance = supDistanceOutside( &tour->picture, x, y );
                tour->vertices += 1;
                tour->farthest = fmax( tour->farthest, distance );
                if ( distance > (double)sup_reach )
                {
                    tour->outside += 1;
                    print_message(
                        "%s: draw %d vertex %d is %.1f pixels outside\n", path, d, indices[i + k], distance );
                }
            }
        }
        free( xyz );
    }
}

/// Looks at a picture on a transparent background.
static void supCheckPicture( const supPixels* picture, const char* path )
{
    long covered = 0, border = 0, lit = 0;
    for ( int y = 0; y < picture->height; ++y )
    {
        for ( int x = 0; x < picture->width; ++x )
        {
            const uint8_t* p = picture->data + 4 * ( (size_t)y * (size_t)picture->width + (size_t)x );
            bool edge = x == 0 || y == 0 || x == picture->width - 1 || y == picture->height - 1;
            covered += p[3] > 0;
            border += p[3] > 0 && edge;
            lit += p[3] > 0 && p[0] + p[1] + p[2] > 24;
        }
    }
    if ( covered == 0 || border > 0 || 2 * lit < covered )
    {
        fail_msg( "%s: %ld pixels covered, %ld of them on the border, %ld lit", path, covered, border, lit );
    }
}

static void supVisit( const char* path, void* user )
{
    supTour* tour = user;
    supTestShow show;
    if ( supOpenTestShow( &show, tour->stage, path ) == false )
    {
        return; // what is refused, and why, is test_gltf_assets' business
    }
    int32_t clip = supCharacter_Info( show.character )->clipCount > 0 ? 0 : -1;
    supClipView times = clip >= 0 ? supCharacter_Clip( show.character, clip ) : ( supClipView ){ 0 };
    double time = times.start + 0.3 * ( times.end - times.start );
    supView view = supViewOf( &show, clip, times.start, times.end );
    supActor actor = supDefaultActor( show.figure, supTestShapeAt( &show, clip, time ) );
    supError error = { 0 };
    if ( tour->folder != NULL )
    {
        view.supersample = 2;
        assert_int_equal( supStage_Draw( tour->stage, &view, &actor, 1, &tour->picture, &error ), sup_success );
        supPasteOnSheet( tour, path );
    }
    view.supersample = 1;
    view.ground = false;
    view.top = view.bottom = ( supColor ){ 0.0f, 0.0f, 0.0f, 0.0f };
    assert_int_equal( supStage_Draw( tour->stage, &view, &actor, 1, &tour->picture, &error ), sup_success );
    if ( strstr( path, "egative/" ) ==
         NULL ) // there, matrices of zeros and triangles without an extent; not to crash is enough
    {
        char message[300];
        evalFile* file = evalLoad( path, message, sizeof( message ) );
        supCheckPicture( &tour->picture, path );
        if ( file != NULL )
        {
            evalPose( file, clip, time );
            supCheckVertices( tour, &view, file, path );
            evalFree( file );
        }
    }
    tour->drawn += 1;
    supCloseTestShow( &show );
}

static void supTestEveryAsset( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTour tour = { .stage = supMakeTestStage(), .folder = getenv( "SUPPLE_SHEETS" ) };
    SUP_SKIP_WITHOUT_STAGE( tour.stage );
    assert_int_equal( supCreatePixels( sup_side, sup_side, &tour.picture, NULL ), sup_success );
    assert_int_equal( supCreatePixels( sup_side * sup_columns, sup_side * sup_rows, &tour.sheet, NULL ), sup_success );
    supForEachGltf( supTestAssets(), supVisit, &tour );
    if ( tour.onSheet > 0 )
    {
        char file[600];
        snprintf( file, sizeof( file ), "%s/sheet_%02d.png", tour.folder, tour.sheetCount );
        assert_int_equal( supWritePng( &tour.sheet, file, NULL ), sup_success );
    }
    print_message( "%d files drawn; %ld vertices, %ld outside; the farthest is %.2f pixels outside\n", tour.drawn,
        tour.vertices, tour.outside, tour.farthest );
    assert_true( tour.drawn > 100 );
    assert_true( tour.vertices > 100000 );
    assert_int_equal( tour.outside, 0 );
    supDestroyPixels( &tour.picture );
    supDestroyPixels( &tour.sheet );
    supDestroyStage( tour.stage );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestEveryAsset ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
