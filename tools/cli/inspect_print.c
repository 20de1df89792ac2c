// What `supple inspect` says about a file, for people.
// SPDX-License-Identifier: MIT
#include "inspect_report.h"

#include "body_words.h"
#include "columns.h"

#include <stdlib.h>
#include <string.h>

typedef struct supPrinter
{
    FILE* out;
    bool bold;
    bool listsJoints; ///< each on a line, with its place
    const json_t* joints;
} supPrinter;

static const char* supTextOf( const json_t* object, const char* key )
{
    const char* text = json_string_value( json_object_get( object, key ) );
    return text != NULL ? text : "";
}

static json_int_t supIntOf( const json_t* object, const char* key )
{
    return json_integer_value( json_object_get( object, key ) );
}

static double supRealOf( const json_t* object, const char* key )
{
    return json_number_value( json_object_get( object, key ) );
}

/// 12345678 as "12,345,678". `text` has room for 32.
static const char* supGrouped( json_int_t number, char* text )
{
    char digits[24];
    int length = snprintf( digits, sizeof( digits ), "%lld", (long long)number );
    char* to = text;
    for ( int i = 0; i < length; ++i )
    {
        if ( i > 0 && ( length - i ) % 3 == 0 && digits[i - 1] != '-' )
        {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/// Names in files may hold anything; what goes to a terminal is plain.
static void supPrintName( const supPrinter* printer, const char* name, int width )
{
    int printed = 0;
    while ( *name != '\0' )
    {
        printed += ( (unsigned char)*name & 0xc0 ) != 0x80 ? 1 : 0; // letters, not bytes of them
        fputc( supTakePlainByte( &name ), printer->out );
    }
    fprintf( printer->out, "%*s", printed < width ? width - printed : 0, "" );
}

/// A thing's name, or "#3" where the file gives it none.
static void supPrintNameOf( const supPrinter* printer, const json_t* thing, const char* key, size_t index, int width )
{
    char number[24];
    const char* name = supTextOf( thing, key );
    snprintf( number, sizeof( number ), "#%zu", index );
    supPrintName( printer, name[0] != '\0' ? name : number, width );
}

static void supPrintHeading( const supPrinter* printer, const char* text )
{
    fprintf( printer->out, "\n%s%s%s\n", printer->bold ? "\033[1m" : "", text, printer->bold ? "\033[0m" : "" );
}

static int supWidest( const json_t* array, const char* key )
{
    size_t i;
    json_t* item;
    int widest = 0;
    json_array_foreach( array, i, item )
    {
        int length = 0;
        for ( const char* at = supTextOf( item, key ); *at != '\0'; ++at )
        {
            length += ( *at & 0xc0 ) != 0x80 ? 1 : 0;
        }
        widest = length > widest ? length : widest;
    }
    return widest < 3 ? 3 : widest < 40 ? widest : 40; // at least "#12"
}

static void supPrintSummary( const supPrinter* printer, const json_t* report )
{
    char a[32], b[32], c[32], d[32];
    supPrintName( printer, supTextOf( report, "input" ), 0 );
    fprintf( printer->out, "\n  %s bytes, %s vertices in %s places, %s triangles\n",
        supGrouped( supIntOf( report, "bytes" ), a ), supGrouped( supIntOf( report, "vertices" ), b ),
        supGrouped( supIntOf( report, "places" ), c ), supGrouped( supIntOf( report, "triangles" ), d ) );
    const json_t* lower = json_object_get( json_object_get( report, "bounds" ), "lower" );
    const json_t* upper = json_object_get( json_object_get( report, "bounds" ), "upper" );
    double extent[3];
    for ( size_t i = 0; i < 3; ++i )
    {
        extent[i] = json_number_value( json_array_get( upper, i ) ) - json_number_value( json_array_get( lower, i ) );
    }
    fprintf( printer->out, "  size %.4g (%.4g x %.4g x %.4g)\n", supRealOf( report, "size" ), extent[0], extent[1],
        extent[2] );
}

/// Those that have one, some of them where they are many.
static void supPrintMorphNames( const supPrinter* printer, const json_t* names )
{
    enum
    {
        most = 12
    };
    size_t index, shown = 0, named = 0;
    const json_t* name;
    json_array_foreach( names, index, name )
    {
        const char* text = json_string_value( name );
        named += text[0] != '\0' ? 1 : 0;
        if ( text[0] != '\0' && shown < most )
        {
            fputs( shown++ == 0 ? ": " : ", ", printer->out );
            supPrintName( printer, text, 0 );
        }
    }
    if ( named > shown )
    {
        fputs( ", ...", printer->out );
    }
}

static void supPrintMeshes( const supPrinter* printer, const json_t* report )
{
    const json_t* meshes = json_object_get( report, "meshes" );
    const json_t* skins = json_object_get( report, "skins" );
    int width = supWidest( meshes, "name" ), materialWidth = supWidest( meshes, "material" );
    size_t i;
    json_t* mesh;
    char a[32], b[32];
    supPrintHeading( printer, "meshes" );
    json_array_foreach( meshes, i, mesh )
    {
        fputs( "  ", printer->out );
        supPrintNameOf( printer, mesh, "name", i, width + 2 );
        supPrintName( printer, supTextOf( mesh, "material" ), materialWidth + 2 );
        fprintf( printer->out, "%8s vertices %8s triangles  ", supGrouped( supIntOf( mesh, "vertices" ), a ),
            supGrouped( supIntOf( mesh, "triangles" ), b ) );
        const json_t* skin = json_object_get( mesh, "skin" );
        if ( json_is_integer( skin ) )
        {
            const char* name = supTextOf( json_array_get( skins, (size_t)json_integer_value( skin ) ), "name" );
            fprintf( printer->out, "skin %lld%s", (long long)json_integer_value( skin ), name[0] != '\0' ? " " : "" );
            supPrintName( printer, name, 0 );
            fprintf( printer->out, ", %lld influences", (long long)supIntOf( mesh, "influences" ) );
        }
        else
        {
            fputs( "not skinned", printer->out );
        }
        if ( supIntOf( mesh, "morphTargets" ) > 0 )
        {
            fprintf( printer->out, ", %lld morph targets", (long long)supIntOf( mesh, "morphTargets" ) );
            supPrintMorphNames( printer, json_object_get( mesh, "morphTargetNames" ) );
        }
        fputs( "\n", printer->out );
    }
}

static void supPrintClips( const supPrinter* printer, const json_t* report )
{
    const json_t* clips = json_object_get( report, "clips" );
    int width = supWidest( clips, "name" );
    size_t i;
    json_t* clip;
    char keys[32];
    supPrintHeading( printer, "clips" );
    json_array_foreach( clips, i, clip )
    {
        fputs( "  ", printer->out );
        supPrintNameOf( printer, clip, "name", i, width + 2 );
        fprintf( printer->out, "%8.3f s  %4lld tracks  %9s keys", supRealOf( clip, "duration" ),
            (long long)supIntOf( clip, "tracks" ), supGrouped( supIntOf( clip, "keys" ), keys ) );
        if ( supRealOf( clip, "start" ) != 0.0 )
        {
            fprintf( printer->out, "  from %.3f s", supRealOf( clip, "start" ) );
        }
        fputs( "\n", printer->out );
    }
}

/// The joints that move skin and those above them, as a tree of indices; -1 ends a list. One block.
typedef struct supTree
{
    int* firstChild; ///< count of them, and one more: the roots
    int* nextSibling;
} supTree;

static bool supMakeTree( const supPrinter* printer, supTree* tree )
{
    int count = (int)json_array_size( printer->joints );
    bool* holds = calloc( (size_t)count + 1, sizeof( bool ) );
    tree->firstChild = malloc( ( 2 * (size_t)count + 1 ) * sizeof( int ) );
    if ( holds == NULL || tree->firstChild == NULL )
    {
        free( holds );
        return false;
    }
    tree->nextSibling = tree->firstChild + count + 1;
    memset( tree->firstChild, 0xff, ( 2 * (size_t)count + 1 ) * sizeof( int ) );
    for ( int i = 0; i < count; ++i )
    {
        bool skinned = json_is_true( json_object_get( json_array_get( printer->joints, (size_t)i ), "skinned" ) );
        for ( int j = i; skinned && j >= 0 && holds[j] == false; )
        {
            holds[j] = true;
            j = (int)supIntOf( json_array_get( printer->joints, (size_t)j ), "parent" );
        }
    }
    for ( int i = count - 1; i >= 0; --i ) // from the end, so that each list is in the file's order
    {
        if ( holds[i] )
        {
            int parent = (int)supIntOf( json_array_get( printer->joints, (size_t)i ), "parent" );
            int list = parent >= 0 ? parent : count;
            tree->nextSibling[i] = tree->firstChild[list];
            tree->firstChild[list] = i;
        }
    }
    free( holds );
    return true;
}

static void supPrintJointName( const supPrinter* printer, int joint )
{
    supPrintNameOf( printer, json_array_get( printer->joints, (size_t)joint ), "name", (size_t)joint, 0 );
}

/// Where a joint stands at rest, in a column of its own.
static void supPrintPlace( const supPrinter* printer, int joint, int depth )
{
    const json_t* it = json_array_get( printer->joints, (size_t)joint );
    const json_t* place = json_object_get( it, "position" );
    int name = (int)strlen( supTextOf( it, "name" ) ), column = 40 - 2 * depth;
    fprintf( printer->out, "%*s %9.4f %9.4f %9.4f", name < column ? column - name : 0, "",
        json_number_value( json_array_get( place, 0 ) ), json_number_value( json_array_get( place, 1 ) ),
        json_number_value( json_array_get( place, 2 ) ) );
}

/// A chain stays on its line; where it branches each branch gets one, indented. Deeper than anybody reads is left out.
static void supPrintBranches( const supPrinter* printer, const supTree* tree, int list, int depth )
{
    for ( int first = tree->firstChild[list]; first >= 0 && depth < 60; first = tree->nextSibling[first] )
    {
        int joint = first;
        fprintf( printer->out, "  %*s", 2 * depth, "" );
        supPrintJointName( printer, joint );
        if ( printer->listsJoints )
        {
            supPrintPlace( printer, joint, depth );
        }
        while (
            !printer->listsJoints && tree->firstChild[joint] >= 0 && tree->nextSibling[tree->firstChild[joint]] < 0 )
        {
            joint = tree->firstChild[joint];
            fputs( " > ", printer->out );
            supPrintJointName( printer, joint );
        }
        fputs( "\n", printer->out );
        supPrintBranches( printer, tree, joint, depth + 1 );
    }
}

/// What a file says of its joints, as VRM files do.
static void supPrintJointFacts( const supPrinter* printer )
{
    size_t i;
    json_t* joint;
    int bones = 0, swung = 0;
    json_array_foreach( (json_t*)printer->joints, i, joint )
    {
        bones += json_object_get( joint, "humanBone" ) != NULL ? 1 : 0;
        swung += json_is_true( json_object_get( joint, "hasPhysics" ) ) ? 1 : 0;
    }
    if ( bones > 0 || swung > 0 )
    {
        fprintf(
            printer->out, "  the file names %d bones of a human; %d joints are swung by the host\n", bones, swung );
    }
}

static void supPrintJoints( const supPrinter* printer )
{
    supTree tree = { NULL, NULL };
    supPrintHeading( printer, printer->listsJoints ? "joints, and where they stand at rest (x, y, z)"
                                                   : "joints (--joints gives their places)" );
    supPrintJointFacts( printer );
    if ( supMakeTree( printer, &tree ) )
    {
        supPrintBranches( printer, &tree, (int)json_array_size( printer->joints ), 0 );
    }
    free( tree.firstChild );
}

static const char* supDirectionOf( const json_t* body, const char* key, char text[sup_directionText] )
{
    const json_t* parts = json_object_get( body, key );
    supVec3 direction = { (float)json_number_value( json_array_get( parts, 0 ) ),
        (float)json_number_value( json_array_get( parts, 1 ) ),
        (float)json_number_value( json_array_get( parts, 2 ) ) };
    return supDirectionText( direction, text );
}

static void supPrintReading( const supPrinter* printer, const json_t* body )
{
    char front[sup_directionText], up[sup_directionText];
    supPrintHeading( printer, "body" );
    fprintf( printer->out, "  %s, front %s, up %s, %.0f%% sure\n", supTextOf( body, "kind" ),
        supDirectionOf( body, "front", front ), supDirectionOf( body, "up", up ),
        100.0 * supRealOf( body, "confidence" ) );
}

static void supPrintCarriers( const supPrinter* printer, const json_t* report )
{
    const json_t* carriers = json_object_get( report, "couldCarryFlesh" );
    int width = supWidest( carriers, "element" );
    size_t i;
    json_t* carrier;
    supPrintHeading( printer, "could carry flesh" );
    json_array_foreach( carriers, i, carrier )
    {
        fputs( "  ", printer->out );
        supPrintNameOf( printer, carrier, "element", i, width + 2 );
        const char* side = supTextOf( carrier, "side" );
        bool middle = strcmp( side, "middle" ) == 0;
        fprintf( printer->out, "%s%s%s\n", supTextOf( carrier, "region" ), middle ? "" : ", ", middle ? "" : side );
    }
    if ( json_array_size( carriers ) == 0 )
    {
        fputs(
            "  nothing that the automatic rig would take: no skin, or none that is soft; a rig by hand can name any joint\n",
            printer->out );
    }
}

static void supPrintNotes( const supPrinter* printer, const json_t* notes )
{
    size_t i;
    json_t* note;
    supPrintHeading( printer, "notes" );
    json_array_foreach( notes, i, note )
    {
        fputs( "  ", printer->out );
        supPrintName( printer, json_string_value( note ), 0 );
        fputs( "\n", printer->out );
    }
}

void supPrintInspectReport( const json_t* report, FILE* out, bool bold, bool joints )
{
    supPrinter printer = { out, bold, joints, json_object_get( report, "joints" ) };
    supPrintSummary( &printer, report );
    if ( json_array_size( json_object_get( report, "meshes" ) ) > 0 )
    {
        supPrintMeshes( &printer, report );
    }
    if ( json_array_size( json_object_get( report, "clips" ) ) > 0 )
    {
        supPrintClips( &printer, report );
    }
    if ( json_array_size( json_object_get( report, "skins" ) ) > 0 )
    {
        supPrintJoints( &printer );
    }
    if ( json_object_get( report, "body" ) != NULL )
    {
        supPrintReading( &printer, json_object_get( report, "body" ) );
    }
    supPrintCarriers( &printer, report );
    const json_t* notes = json_object_get( report, "notes" );
    if ( json_array_size( notes ) > 0 )
    {
        supPrintNotes( &printer, notes );
    }
}
