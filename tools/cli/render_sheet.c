// Contact sheets: a column for each moment, a row for each panel, in as many blocks as give the sheet a good shape.
// SPDX-License-Identifier: MIT
//
//              0.00 s    0.12 s    0.24 s
//     smooth   [     ]   [     ]   [     ]
//     living   [     ]   [     ]   [     ]
#include "render_job.h"

#include <math.h>

typedef struct supSheet
{
    int32_t columns, blocks;
    int32_t left;  ///< for captions of rows. Pixels
    int32_t above; ///< each block, for its times
    int32_t cellWidth, cellHeight;
    float letter; ///< height of captions
    supPixels pixels;
} supSheet;

static supSheet supLayOut( const supRender* render, int32_t columns )
{
    float letter = fmaxf( supCaptionHeight( render->height ), fminf( 9.0f, 0.05f * (float)render->height ) );
    supSheet sheet = { .columns = columns, .cellWidth = render->width, .cellHeight = render->height, .letter = letter };
    sheet.blocks = ( render->frameCount + columns - 1 ) / columns;
    sheet.left = supRender_HasCaptions( render ) ? (int32_t)( 2.2f * letter + 0.5f ) : 0;
    sheet.above = (int32_t)( 2.2f * letter + 0.5f );
    return sheet;
}

static double supSheetWidth( const supSheet* sheet )
{
    return (double)sheet->left + (double)sheet->columns * sheet->cellWidth;
}

static double supSheetHeight( const supRender* render, const supSheet* sheet )
{
    return (double)sheet->blocks * ( sheet->above + (double)render->panelCount * sheet->cellHeight );
}

/// The number of columns that comes nearest to a screen's shape, with no moment left over where that can be had.
static supSheet supChooseLayout( const supRender* render )
{
    const double shape = 1.7;
    supSheet best = supLayOut( render, 1 );
    double least = 1e30;
    for ( int32_t columns = 1; columns <= render->frameCount; ++columns )
    {
        supSheet sheet = supLayOut( render, columns );
        double off = fabs( log( supSheetWidth( &sheet ) / supSheetHeight( render, &sheet ) / shape ) );
        double empty = (double)( sheet.columns * sheet.blocks - render->frameCount ) / render->frameCount;
        if ( off + 2.0 * empty < least )
        {
            least = off + 2.0 * empty;
            best = sheet;
        }
    }
    return best;
}

static supResult supDrawMoment( supRender* render, supSheet* sheet, int32_t moment, supError* error )
{
    int32_t column = moment % sheet->columns, block = moment / sheet->columns;
    int32_t x = sheet->left + column * sheet->cellWidth;
    int32_t y = block * ( sheet->above + render->panelCount * sheet->cellHeight );
    char text[200];
    snprintf( text, sizeof( text ), "%.2f s", render->shots[0].start + render->times[moment] );
    const float head[4] = { (float)x, (float)y, (float)( x + sheet->cellWidth ), (float)( y + sheet->above ) };
    supDrawCaption( render, &sheet->pixels, head, sheet->letter, 0, text );
    for ( int32_t k = 0; k < render->panelCount; ++k )
    {
        int32_t top = y + sheet->above + k * sheet->cellHeight;
        supResult result = supRender_DrawPanel( render, k, render->times[moment], error );
        if ( result != sup_success )
        {
            return result;
        }
        supPixels_Paste( &sheet->pixels, render->parts + k, x, top );
        if ( column == 0 && sheet->left > 0 )
        {
            supRender_Caption( render, k, text, sizeof( text ) );
            const float side[4] = { 0.0f, (float)top, (float)sheet->left, (float)( top + sheet->cellHeight ) };
            supDrawCaption( render, &sheet->pixels, side, sheet->letter, 1, text );
        }
    }
    return sup_success;
}

static supResult supDrawSheet( supRender* render, supSheet* sheet, supError* error )
{
    supProgress_Stage( &render->progress, "drawing" );
    supResult result = sup_success;
    supPixels_Fill( &sheet->pixels, render->plan->view.bottom );
    for ( int32_t i = 0; i < render->frameCount && result == sup_success; ++i )
    {
        result = supDrawMoment( render, sheet, i, error );
        supProgress_Update( &render->progress, (double)( i + 1 ) / (double)render->frameCount );
    }
    return result;
}

supResult supRender_Sheet( supRender* render, supError* error )
{
    const supRenderPlan* plan = render->plan;
    supSheet sheet = supChooseLayout( render );
    if ( supSheetWidth( &sheet ) > SUP_MAX_PIXELS || supSheetHeight( render, &sheet ) > SUP_MAX_PIXELS )
    {
        return supFail( error, sup_errorLimit, "%d moments of %d x %d pixels do not fit in one picture of %d a side",
            render->frameCount, render->width, render->height, SUP_MAX_PIXELS );
    }
    render->width = (int32_t)supSheetWidth( &sheet );
    render->height = (int32_t)supSheetHeight( render, &sheet );
    supResult result = supCreatePixels( render->width, render->height, &sheet.pixels, error );
    result = result == sup_success ? supDrawSheet( render, &sheet, error ) : result;
    if ( result == sup_success )
    {
        result = plan->webp ? supWriteWebp( &sheet.pixels, plan->quality, plan->output, error )
                            : supWritePng( &sheet.pixels, plan->output, error );
    }
    supDestroyPixels( &sheet.pixels );
    return result;
}
