// The words of `supple render`.
// SPDX-License-Identifier: MIT
#include "render_words.h"
#include "film.h"

#include "command.h"
#include "input.h"
#include "progress.h"
#include "supple/auto.h"
#include "supple/body.h"
#include "supple/lab/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// As they come, before anything is understood.
typedef struct supRawOptions
{
    supTextList files;
    const char *clip, *size, *camera, *background, *show, *rig, *map, *closeUp, *times;
    supProposeOptions propose;
    float time, fps, duration, quality, fieldOfView;
    int strip, difference;
    bool compare, follow, stand, parallel, noGround, json, progress, hasTime, hasFps, hasDuration;
    supTextList captions, motions;
} supRawOptions;

static const float sup_degree = 0.01745329252f;

/// "WxH". False: not that.
static bool supReadSize( const char* text, int32_t* width, int32_t* height )
{
    char* end = NULL;
    long w = strtol( text, &end, 10 );
    if ( end == text || ( *end != 'x' && *end != 'X' ) )
    {
        return false;
    }
    const char* second = end + 1;
    long h = strtol( second, &end, 10 );
    if ( end == second || *end != '\0' || w < 1 || h < 1 || w > 1000000 || h > 1000000 )
    {
        return false;
    }
    *width = (int32_t)w;
    *height = (int32_t)h;
    return true;
}

/// "S,S,S": the moments of a contact sheet, and how many they are.
static bool supReadTimes( const char* text, supRenderPlan* plan )
{
    plan->hasTimes = true;
    for ( plan->stripCount = 0; plan->stripCount < sup_maxMomentCount; )
    {
        char* end = NULL;
        double time = strtod( text, &end );
        if ( end == text || isfinite( time ) == 0 || ( *end != ',' && *end != '\0' ) )
        {
            return false;
        }
        plan->times[plan->stripCount++] = time;
        if ( *end == '\0' )
        {
            return true;
        }
        text = end + 1;
    }
    return false;
}

/// A name, or "yaw,pitch" in degrees.
static bool supReadCamera( const char* text, supView* view )
{
    static const struct
    {
        const char* name;
        float yaw, pitch;
    } sup_cameras[] = { { "auto", 35.0f, 12.0f }, { "front", 0.0f, 6.0f }, { "three-quarter", 35.0f, 12.0f },
        { "side", 90.0f, 6.0f }, { "back", 180.0f, 6.0f } };
    for ( size_t i = 0; i < sizeof( sup_cameras ) / sizeof( sup_cameras[0] ); ++i )
    {
        if ( strcmp( text, sup_cameras[i].name ) == 0 )
        {
            view->yaw = sup_cameras[i].yaw * sup_degree;
            view->pitch = sup_cameras[i].pitch * sup_degree;
            return true;
        }
    }
    char* end = NULL;
    float yaw = strtof( text, &end );
    if ( end == text || *end != ',' )
    {
        return false;
    }
    const char* second = end + 1;
    float pitch = strtof( second, &end );
    if ( end == second || *end != '\0' || !( fabsf( yaw ) <= 3600.0f ) || !( fabsf( pitch ) < 90.0f ) )
    {
        return false;
    }
    view->yaw = yaw * sup_degree;
    view->pitch = pitch * sup_degree;
    return true;
}

static float supLinearOf( unsigned value )
{
    float v = (float)value / 255.0f;
    return v <= 0.04045f ? v / 12.92f : powf( ( v + 0.055f ) / 1.055f, 2.4f );
}

/// "studio", "white", "black", "grey", "transparent", "#rrggbb".
static bool supReadBackground( const char* text, supView* view )
{
    unsigned value = 0;
    char rest = 0;
    if ( strcmp( text, "studio" ) == 0 )
    {
        return true;
    }
    if ( strcmp( text, "transparent" ) == 0 )
    {
        view->top = view->bottom = ( supColor ){ 0.0f, 0.0f, 0.0f, 0.0f };
        return true;
    }
    value = strcmp( text, "white" ) == 0 ? 0xffffff : strcmp( text, "grey" ) == 0 ? 0x808080 : 0;
    if ( value == 0 && strcmp( text, "black" ) != 0 &&
         ( text[0] != '#' || strlen( text ) != 7 || sscanf( text + 1, "%6x%c", &value, &rest ) != 1 ) )
    {
        return false;
    }
    view->top =
        ( supColor ){ supLinearOf( value >> 16 ), supLinearOf( value >> 8 & 255 ), supLinearOf( value & 255 ), 1.0f };
    view->bottom = view->top;
    return true;
}

enum
{
    sup_plainLayerCount = 3
};

/// The names that --show knows, and where each is noted: skin, bones, wireframe, then what the body draws.
static int supListLayers( supRenderPlan* plan, const char** names, bool** targets )
{
    int count = 0;
    names[count] = "skin", targets[count++] = &plan->skin;
    names[count] = "bones", targets[count++] = &plan->bones;
    names[count] = "wireframe", targets[count++] = &plan->wireframe;
    for ( int i = 0; i < sup_maxFleshShown && supBody_DrawNames()[i] != NULL; ++i )
    {
        names[count] = supBody_DrawNames()[i], targets[count++] = plan->fleshShown + i;
    }
    names[count] = NULL;
    return count;
}

static int supFailLayer( const supUsage* usage, const char* word, const char* const* names )
{
    char list[256] = "";
    for ( int i = 0; names[i] != NULL; ++i )
    {
        size_t length = strlen( list );
        snprintf( list + length, sizeof( list ) - length, "%s%s", i > 0 ? ", " : "", names[i] );
    }
    const char* near = supNearestWord( word, names );
    return near != NULL ? supReportMisuse( usage, "--show: nothing is called '%s'; did you mean '%s'?", word, near )
                        : supReportMisuse( usage, "--show: nothing is called '%s'; there are %s", word, list );
}

static int supReadShow( const supUsage* usage, const char* text, supRenderPlan* plan )
{
    const char* names[sup_plainLayerCount + sup_maxFleshShown + 1];
    bool* targets[sup_plainLayerCount + sup_maxFleshShown];
    int count = supListLayers( plan, names, targets );
    plan->skin = false;
    bool flesh = false;
    do
    {
        char word[32];
        size_t length = strcspn( text, "," );
        snprintf( word, sizeof( word ), "%.*s", (int)length, text );
        int found = -1;
        for ( int i = 0; i < count; ++i )
        {
            found = strcmp( word, names[i] ) == 0 ? i : found;
        }
        if ( found < 0 )
        {
            return supFailLayer( usage, word, names );
        }
        *targets[found] = true;
        flesh = flesh || found >= sup_plainLayerCount;
        text += length + ( text[length] == ',' ? 1 : 0 );
    } while ( *text != '\0' );
    // flesh is drawn on a living skin, and most of it is nothing without one
    plan->skin = plan->skin || flesh;
    plan->living[plan->inputCount - 1] = plan->living[plan->inputCount - 1] || flesh;
    return 0;
}

/// Inputs, output and what is to become of them. Gives an exit code, 0 for all is well.
static int supReadFiles( const supUsage* usage, const supRawOptions* raw, supRenderPlan* plan )
{
    int count = raw->files.count;
    bool alone = count == 2;
    if ( !alone && !( raw->compare && count == 3 ) )
    {
        return raw->compare
                   ? supReportMisuse( usage,
                         "--compare takes two files and the picture to write (A B OUT), or one file to compare its smooth and living skin (IN OUT)" )
                   : supReportMisuse( usage, "give a file and the picture to write: IN OUT" );
    }
    int code = supReadProposeWords( usage, &raw->propose, &plan->choices );
    if ( code != 0 )
    {
        return code;
    }
    // how the body stands is for the camera too, whatever the rig is: it neither asks for one nor sets one aside
    plan->choices.body = NULL;
    const char* asked = supAsksForNewRig( &plan->choices );
    bool living = raw->rig != NULL || asked != NULL;
    if ( !alone && living )
    {
        return supReportMisuse(
            usage, "%s brings one file to life: IN OUT, or --compare IN OUT", raw->rig != NULL ? "--rig" : asked );
    }
    if ( raw->rig != NULL && supRefuseBesideRig( usage, &plan->choices ) != 0 )
    {
        return sup_exitUsage;
    }
    plan->inputCount = raw->compare ? 2 : 1;
    plan->inputs[0] = raw->files.items[0];
    plan->inputs[1] = alone ? plan->inputs[0] : raw->files.items[1];
    plan->living[plan->inputCount - 1] = living || ( alone && raw->compare );
    plan->rig = raw->rig;
    plan->output = raw->files.items[count - 1];
    plan->webp = supEndsWith( plan->output, ".webp" );
    plan->film = supIsFilmName( plan->output );
    if ( plan->webp == false && plan->film == false && supEndsWith( plan->output, ".png" ) == false )
    {
        return supReportMisuse( usage, "'%s' must end in .png, .webp, .gif or .mp4", plan->output );
    }
    if ( plan->film && ( raw->hasTime || raw->strip > 0 || raw->times != NULL ) )
    {
        return supReportMisuse( usage, "--time, --times and --strip make one picture: OUT.png or OUT.webp" );
    }
    if ( raw->map != NULL && raw->motions.count == 0 )
    {
        return supReportMisuse( usage, "--map is for --motion" );
    }
    if ( raw->follow && raw->stand )
    {
        return supReportMisuse(
            usage, "--camera-follow and --camera-stand contradict one another; give only one of them" );
    }
    if ( raw->hasTime && raw->strip > 0 )
    {
        return supReportMisuse( usage, "--time is one moment and --strip is several; give only one of them" );
    }
    if ( raw->times != NULL && ( raw->hasTime || raw->strip > 0 ) )
    {
        return supReportMisuse( usage, "--times names the moments of a contact sheet; leave out --time and --strip" );
    }
    if ( raw->times != NULL && supReadTimes( raw->times, plan ) == false )
    {
        return supReportMisuse( usage,
            "--times '%s': give moments in seconds with commas between, at most %d, such as 0,0.5,1", raw->times,
            sup_maxMomentCount );
    }
    bool moves = plan->film || ( plan->webp && raw->hasTime == false );
    plan->form = plan->stripCount > 0 ? sup_renderStrip : moves ? sup_renderMovie : sup_renderStill;
    if ( plan->form != sup_renderMovie && ( raw->hasFps || raw->hasDuration ) )
    {
        return supReportMisuse( usage,
            "--fps and --duration are for moving pictures: OUT.webp, .gif or .mp4 without --time, --times or --strip" );
    }
    return 0;
}

static int supUnderstand( const supUsage* usage, const supRawOptions* raw, supRenderPlan* plan )
{
    plan->view = supDefaultView();
    plan->view.ground = raw->noGround == false;
    plan->view.fieldOfView = raw->parallel ? 0.0f : raw->fieldOfView * sup_degree;
    plan->clip = raw->clip;
    plan->motions = raw->motions;
    plan->map = raw->map;
    plan->hasTime = raw->hasTime;
    plan->time = (double)raw->time;
    plan->stripCount = raw->strip;
    plan->fps = (double)raw->fps;
    plan->duration = (double)raw->duration;
    plan->quality = raw->quality;
    plan->camera = raw->follow ? sup_cameraFollow : raw->stand ? sup_cameraStand : sup_cameraChoose;
    plan->closesIn = raw->closeUp != NULL && strcmp( raw->closeUp, "moving" ) == 0;
    plan->closeUp =
        plan->closesIn || ( raw->closeUp != NULL && strcmp( raw->closeUp, "all" ) == 0 ) ? NULL : raw->closeUp;
    plan->json = raw->json;
    plan->progress = raw->progress;
    plan->difference = (supDifference)raw->difference;
    plan->captions = raw->captions;
    int code = supReadFiles( usage, raw, plan );
    if ( code == 0 )
    {
        code = supReadShow( usage, raw->show, plan );
    }
    if ( code == 0 && plan->closesIn && ( plan->form != sup_renderStrip || plan->inputCount < sup_maxShotCount ) )
    {
        code =
            supReportMisuse( usage, "--close-up moving is for contact sheets of a comparison: --compare and --strip" );
    }
    plan->hasSize = raw->size != NULL;
    if ( code == 0 && plan->hasSize && supReadSize( raw->size, &plan->width, &plan->height ) == false )
    {
        code = supReportMisuse( usage, "--size '%s': give width and height in pixels, such as 640x360", raw->size );
    }
    if ( code == 0 && plan->hasSize && plan->inputCount > 1 && plan->width < sup_maxShotCount + 1 )
    {
        code = supReportMisuse( usage, "--size %dx%d: pictures side by side need a width of at least %d", plan->width,
            plan->height, sup_maxShotCount + 1 );
    }
    plan->hasCamera = strcmp( raw->camera, "auto" ) != 0;
    if ( code == 0 && supReadCamera( raw->camera, &plan->view ) == false )
    {
        code = supReportMisuse( usage,
            "--camera '%s': give auto, front, side, three-quarter, back, or yaw,pitch in degrees (pitch between -90 and 90)",
            raw->camera );
    }
    if ( code == 0 && supReadBackground( raw->background, &plan->view ) == false )
    {
        code = supReportMisuse(
            usage, "--background '%s': give studio, white, grey, black, transparent, or #rrggbb", raw->background );
    }
    return code;
}

enum
{
    sup_whatOptionCount = 14,
    sup_howOptionCount = 14,
};

/// What is drawn: the clip, its moments, its skin.
static void supListWhat( supRawOptions* raw, supOption options[sup_whatOptionCount] )
{
    static const char* const sup_differences[] = { "auto", "on", "off", NULL };
    const supOption table[] = {
        { .name = "clip",
            .type = sup_optionText,
            .target = &raw->clip,
            .value = "NAME",
            .help =
                "the clip to play; by default the one that moves the flesh\nmost, or the first; none: as the file stands" },
        { .name = "motion",
            .type = sup_optionList,
            .target = &raw->motions,
            .value = "FILE",
            .help = "add the clips of a BVH or glTF file, joint by name, and play\nits first; may be repeated" },
        { .name = "map",
            .type = sup_optionText,
            .target = &raw->map,
            .value = "FILE",
            .help = "for --motion: names that differ, {\"THEIRS\": \"OURS\"}" },
        { .name = "time",
            .type = sup_optionFloat,
            .target = &raw->time,
            .value = "S",
            .given = &raw->hasTime,
            .help = "the moment, in seconds; by default where the flesh is farthest\nout, or the clip's start" },
        { .name = "strip",
            .type = sup_optionInt,
            .target = &raw->strip,
            .value = "N",
            .min = 1,
            .max = sup_maxMomentCount,
            .help =
                "a contact sheet of N moments, spread over the clip; where flesh\nmoves, those in which it is far out" },
        { .name = "times",
            .type = sup_optionText,
            .target = &raw->times,
            .value = "LIST",
            .help = "a contact sheet of these moments, in seconds, with commas between" },
        { .name = "fps",
            .type = sup_optionFloat,
            .target = &raw->fps,
            .value = "N",
            .min = 1,
            .max = 240,
            .given = &raw->hasFps,
            .help = "frames a second of a moving picture; 30 by default" },
        { .name = "duration",
            .type = sup_optionFloat,
            .target = &raw->duration,
            .value = "S",
            .min = 0.001,
            .max = 3600,
            .given = &raw->hasDuration,
            .help = "its length in seconds, the clip repeated as needed; once by default" },
        { .name = "rig",
            .type = sup_optionText,
            .target = &raw->rig,
            .value = "FILE",
            .help = "living skin with this rig, NAME.rig.json, or a .glb with one\ninside" },
        { .name = "compare",
            .type = sup_optionFlag,
            .target = &raw->compare,
            .help = "side by side: two files (A B OUT), or smooth and living skin\nof one (IN OUT)" },
        { .name = "difference",
            .type = sup_optionChoice,
            .target = &raw->difference,
            .choices = sup_differences,
            .help =
                "a third picture in a comparison: how far the skins are apart,\nin colours; auto: in contact sheets" },
        { .name = "caption",
            .type = sup_optionList,
            .target = &raw->captions,
            .value = "TEXT",
            .help = "written below; repeated, for each picture of a comparison" },
        { .name = "json",
            .type = sup_optionFlag,
            .target = &raw->json,
            .help = "one JSON object on stdout: what was made" },
        { .name = "progress", .type = sup_optionFlag, .target = &raw->progress, .help = SUP_PROGRESS_HELP },
    };
    _Static_assert( sizeof( table ) / sizeof( table[0] ) == sup_whatOptionCount, "count the options" );
    memcpy( options, table, sizeof( table ) );
}

/// How it is drawn: camera, size, background, layers. Ends the table.
static void supListHow( supRawOptions* raw, supOption options[sup_howOptionCount] )
{
    const supOption table[] = {
        { .name = "size",
            .type = sup_optionText,
            .target = &raw->size,
            .value = "WxH",
            .help = "pixels; of each cell in a contact sheet" },
        { .name = "camera",
            .type = sup_optionText,
            .target = &raw->camera,
            .value = "WHERE",
            .help =
                "front, side, three-quarter, back, or yaw,pitch in degrees: 0 looks\nit in the face, 90 at its left side. auto (default): three-quarter;\nin a comparison where the difference is best seen" },
        { .name = "camera-follow",
            .type = sup_optionFlag,
            .target = &raw->follow,
            .help = "the camera goes along, instead of framing the whole motion" },
        { .name = "camera-stand",
            .type = sup_optionFlag,
            .target = &raw->stand,
            .help = "it does not, not even in a contact sheet of a clip that travels" },
        { .name = "close-up",
            .type = sup_optionText,
            .target = &raw->closeUp,
            .value = "JOINTS",
            .help =
                "frame the skin that hangs on these joints: names with commas\nbetween; all (default): the whole figure; moving, in contact\nsheets of a comparison: what moves" },
        { .name = "field-of-view",
            .type = sup_optionFloat,
            .target = &raw->fieldOfView,
            .value = "DEG",
            .min = 5,
            .max = 120,
            .help = "from top to bottom, in degrees; 28 by default" },
        { .name = "parallel", .type = sup_optionFlag, .target = &raw->parallel, .help = "parallel projection" },
        { .name = "background",
            .type = sup_optionText,
            .target = &raw->background,
            .value = "WHAT",
            .help = "studio (default), white, grey, black, transparent, #rrggbb" },
        { .name = "no-ground", .type = sup_optionFlag, .target = &raw->noGround, .help = "neither floor nor shadow" },
        { .name = "show",
            .type = sup_optionText,
            .target = &raw->show,
            .value = "LIST",
            .help =
                "of skin, bones, wireframe, and of the living skin: weights,\ndisplacement, springs, elements, or a layer of the "
                "rig: modes,\ncorrectives, curves, muscles, lines, fields, ecorche, fat, volume,\ncontact, clothes, wrinkles; with commas between; skin by default" },
        { .name = "quality",
            .type = sup_optionFloat,
            .target = &raw->quality,
            .value = "N",
            .min = 0,
            .max = 100,
            .help = "of WebP; 75 by default, 100 loses nothing" },
        SUP_TRUST_OPTIONS,
        SUP_OPTIONS_END,
    };
    _Static_assert( sizeof( table ) / sizeof( table[0] ) == sup_howOptionCount, "count the options" );
    memcpy( options, table, sizeof( table ) );
}

supRenderPlan supDefaultRenderPlan( void )
{
    supRenderPlan plan = { .inputCount = 1, .fps = 30.0, .width = 960, .height = 720, .quality = 75.0f, .skin = true };
    plan.view = supDefaultView();
    plan.choices = supDefaultChoices();
    return plan;
}

supParseResult supReadRenderWords( int argc, char** args, supRenderPlan* plan )
{
    supRawOptions raw = {
        .camera = "auto", .background = "studio", .show = "skin", .fps = 30.0f, .quality = 75.0f, .fieldOfView = 28.0f
    };
    supOption options[sup_whatOptionCount + sup_proposeOptionCount + sup_howOptionCount];
    supListWhat( &raw, options );
    supListProposeOptions( &raw.propose, options + sup_whatOptionCount );
    supListHow( &raw, options + sup_whatOptionCount + sup_proposeOptionCount );
    const supArgument arguments[] = {
        { .name = "IN OUT",
            .list = &raw.files,
            .required = true,
            .help =
                "a glTF file (or mushroom, cat, woman, arm, finger, leg, horse, torso),\nand the picture: .png, or .webp, which moves; .gif and .mp4 by\nthe program ffmpeg" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = {
        "render", "pictures of a character", options, arguments,
        "the skin is as the file has it; --compare IN OUT, --rig, --preset, --region, --only, --without and what --show\n"
        "knows of flesh draw the living one\n"
        "\n"
        "examples:\n"
        "  supple render fox.glb fox.png --clip Run --time 0.4\n"
        "  supple render fox.glb run.webp --clip Run --camera side\n"
        "  supple render fox.glb sheet.png --clip Run --strip 12 --show skin,bones\n"
        "  supple render --compare fox.glb fox.webp --preset heavy --only belly\n"
        "  supple render --compare fox.glb sheet.png --strip 4\n"
        "  supple render --compare fox.glb soft-fox.glb both.webp",
        "IN OUT [OPTIONS]\n       supple render --compare IN OUT [OPTIONS]\n       supple render --compare A B OUT [OPTIONS]"
    };
    supParseResult parsed = supParseWords( &usage, argc, args );
    if ( parsed != sup_parseOk )
    {
        return parsed;
    }
    *plan = supDefaultRenderPlan();
    return supUnderstand( &usage, &raw, plan ) == 0 ? sup_parseOk : sup_parseWrong;
}
