// A small server for one page on one machine.
// SPDX-License-Identifier: MIT
//
// A web page from elsewhere can send requests to 127.0.0.1 too, or have its own name lead there (DNS rebinding). So
// each request must know the secret in the path, must name this address as its host, and may come from no other origin.
#define _XOPEN_SOURCE 700 // realpath
#include "studio_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SUP_HAS_MICROHTTPD

#    include <arpa/inet.h>
#    include <fcntl.h>
#    include <limits.h>
#    include <microhttpd.h>
#    include <sys/stat.h>
#    include <unistd.h>

enum
{
    sup_tokenLength = 32
};

struct supStudioServer
{
    struct MHD_Daemon* daemon;
    char token[sup_tokenLength + 1];
    char page[PATH_MAX], files[PATH_MAX]; ///< as the system calls them, without links
    char host[32], address[96];
};

static const char* supTypeOf( const char* path )
{
    static const char* const types[][2] = { { ".html", "text/html; charset=utf-8" }, { ".js", "text/javascript" },
        { ".css", "text/css" }, { ".json", "application/json" }, { ".wasm", "application/wasm" },
        { ".glb", "model/gltf-binary" }, { ".png", "image/png" } };
    const char* dot = strrchr( path, '.' );
    for ( size_t i = 0; dot != NULL && i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( dot, types[i][0] ) == 0 )
        {
            return types[i][1];
        }
    }
    return "application/octet-stream";
}

static enum MHD_Result supAnswer( struct MHD_Connection* connection, unsigned code, struct MHD_Response* response )
{
    static const char* const headers[][2] = {
        { "X-Content-Type-Options", "nosniff" },
        { "Referrer-Policy", "no-referrer" },
        { "Cache-Control", "no-store" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Content-Security-Policy",
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' "
            "blob: data:; connect-src 'self' blob: data:; worker-src 'self'; frame-ancestors 'none'; form-action 'self'" },
    };
    for ( size_t i = 0; i < sizeof( headers ) / sizeof( headers[0] ); ++i )
    {
        MHD_add_response_header( response, headers[i][0], headers[i][1] );
    }
    enum MHD_Result result = MHD_queue_response( connection, code, response );
    MHD_destroy_response( response );
    return result;
}

static enum MHD_Result supRefuse( struct MHD_Connection* connection, unsigned code )
{
    return supAnswer( connection, code, MHD_create_response_from_buffer( 0, NULL, MHD_RESPMEM_PERSISTENT ) );
}

/// The same length of work wherever the first difference is.
static bool supIsSecret( const char* secret, const char* said )
{
    unsigned difference = 0;
    for ( int i = 0; i < sup_tokenLength; ++i )
    {
        if ( said[i] == '\0' )
        {
            return false;
        }
        difference |= (unsigned)( secret[i] ^ said[i] );
    }
    return difference == 0;
}

static bool supIsOwnRequest( const supStudioServer* server, struct MHD_Connection* connection )
{
    const char* host = MHD_lookup_connection_value( connection, MHD_HEADER_KIND, "Host" );
    const char* origin = MHD_lookup_connection_value( connection, MHD_HEADER_KIND, "Origin" );
    const char* site = MHD_lookup_connection_value( connection, MHD_HEADER_KIND, "Sec-Fetch-Site" );
    bool sameOrigin =
        origin == NULL || ( strncmp( origin, "http://", 7 ) == 0 && strcmp( origin + 7, server->host ) == 0 );
    bool sameSite = site == NULL || strcmp( site, "same-origin" ) == 0 || strcmp( site, "none" ) == 0;
    return host != NULL && strcmp( host, server->host ) == 0 && sameOrigin && sameSite;
}

/// A file below a folder, opened for reading; -1: there is none. Links that lead out of the folder are not followed.
static int supOpenBelow( const char* folder, const char* name, struct stat* info )
{
    char path[2 * PATH_MAX], real[PATH_MAX];
    size_t length = strlen( folder );
    snprintf( path, sizeof( path ), "%s/%s", folder, name );
    if ( length == 0 || realpath( path, real ) == NULL || strncmp( real, folder, length ) != 0 || real[length] != '/' )
    {
        return -1;
    }
    int file = open( real, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK );
    if ( file >= 0 && ( fstat( file, info ) != 0 || S_ISREG( info->st_mode ) == 0 ) )
    {
        close( file );
        file = -1;
    }
    return file;
}

static enum MHD_Result supServe( void* user, struct MHD_Connection* connection, const char* url, const char* method,
    const char* version, const char* upload, size_t* uploadSize, void** state )
{
    (void)version;
    (void)upload;
    (void)state;
    const supStudioServer* server = user;
    if ( supIsOwnRequest( server, connection ) == false || url[0] != '/' ||
         supIsSecret( server->token, url + 1 ) == false || url[1 + sup_tokenLength] != '/' )
    {
        return supRefuse( connection, MHD_HTTP_FORBIDDEN );
    }
    if ( *uploadSize != 0 || ( strcmp( method, "GET" ) != 0 && strcmp( method, "HEAD" ) != 0 ) )
    {
        return supRefuse( connection, MHD_HTTP_METHOD_NOT_ALLOWED );
    }
    const char* name = url + 2 + sup_tokenLength;
    name = name[0] == '\0' ? "index.html" : name;
    bool isFile = strncmp( name, "file/", 5 ) == 0;
    struct stat info;
    int file = supOpenBelow( isFile ? server->files : server->page, isFile ? name + 5 : name, &info );
    if ( file < 0 )
    {
        return supRefuse( connection, MHD_HTTP_NOT_FOUND );
    }
    struct MHD_Response* response = MHD_create_response_from_fd64( (uint64_t)info.st_size, file );
    MHD_add_response_header( response, "Content-Type", supTypeOf( name ) );
    return supAnswer( connection, MHD_HTTP_OK, response );
}

static supResult supMakeToken( char* token, supError* error )
{
    unsigned char bytes[sup_tokenLength / 2];
    int file = open( "/dev/urandom", O_RDONLY | O_CLOEXEC );
    ssize_t count = file >= 0 ? read( file, bytes, sizeof( bytes ) ) : -1;
    if ( file >= 0 )
    {
        close( file );
    }
    if ( count != (ssize_t)sizeof( bytes ) )
    {
        return supFail( error, sup_errorFile, "/dev/urandom: cannot be read, and without a secret nothing is served" );
    }
    for ( size_t i = 0; i < sizeof( bytes ); ++i )
    {
        snprintf( token + 2 * i, 3, "%02x", bytes[i] );
    }
    return sup_success;
}

static supResult supFindFolders( const supStudioDef* def, supStudioServer* server, supError* error )
{
    char index[PATH_MAX + 16];
    if ( realpath( def->page, server->page ) != NULL )
    {
        snprintf( index, sizeof( index ), "%s/index.html", server->page );
        if ( access( index, R_OK ) == 0 )
        {
            return def->files == NULL || realpath( def->files, server->files ) != NULL
                       ? sup_success
                       : supFail( error, sup_errorFile, "%s: no such folder", def->files );
        }
    }
    return supFail( error, sup_errorFile, "%s: the page is not there; './run studio --build' makes it", def->page );
}

supResult supStartStudio( const supStudioDef* def, supStudioServer** out, supError* error )
{
    *out = NULL;
    supStudioServer* server = calloc( 1, sizeof( *server ) );
    supResult result = server != NULL ? supFindFolders( def, server, error )
                                      : supFail( error, sup_errorMemory, "no memory for the server" );
    result = result == sup_success ? supMakeToken( server->token, error ) : result;
    if ( result == sup_success )
    {
        struct sockaddr_in place = { .sin_family = AF_INET, .sin_port = htons( (uint16_t)def->port ) };
        place.sin_addr.s_addr = htonl( INADDR_LOOPBACK );
        server->daemon = MHD_start_daemon( MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, (uint16_t)def->port, NULL,
            NULL, supServe, server, MHD_OPTION_SOCK_ADDR, &place, MHD_OPTION_CONNECTION_LIMIT, 64u,
            MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_END );
        result = server->daemon != NULL
                     ? sup_success
                     : supFail( error, sup_errorFile, "127.0.0.1:%d: cannot be served on", def->port );
    }
    if ( result == sup_success )
    {
        const union MHD_DaemonInfo* info = MHD_get_daemon_info( server->daemon, MHD_DAEMON_INFO_BIND_PORT );
        snprintf( server->host, sizeof( server->host ), "127.0.0.1:%u", info != NULL ? info->port : 0u );
        snprintf( server->address, sizeof( server->address ), "http://%s/%s/", server->host, server->token );
        *out = server;
        return sup_success;
    }
    free( server );
    return result;
}

void supStopStudio( supStudioServer* server )
{
    if ( server != NULL )
    {
        MHD_stop_daemon( server->daemon );
        free( server );
    }
}

const char* supStudioServer_Address( const supStudioServer* server )
{
    return server->address;
}

#else

supResult supStartStudio( const supStudioDef* def, supStudioServer** out, supError* error )
{
    (void)def;
    *out = NULL;
    return supFail(
        error, sup_errorUnsupported, "this program was built without libmicrohttpd, which serves the studio" );
}

void supStopStudio( supStudioServer* server )
{
    (void)server;
}

const char* supStudioServer_Address( const supStudioServer* server )
{
    (void)server;
    return "";
}

#endif
