// SPDX-License-Identifier: MIT
#include "io/file_write.h"
#include "io/files.h"
#include "io/gltf_pack.h"

#include <stdlib.h>
#include <unistd.h>

/// Every file under its temporary name, flushed: from here on only renaming can fail. Gives how many were begun.
static supResult supWriteAll( const supPacking* packing, supFileWriter* writers, size_t count, supError* error )
{
    const supOutFile* files = packing->files.data;
    supResult result = sup_success;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        supMakeFoldersFor( packing->folder, files[i].path );
        result = supBeginFile( writers + i, files[i].path, error );
        if ( result == sup_success )
        {
            supFileWriter_Write( writers + i, files[i].data, files[i].size );
            result = supFileWriter_Close( writers + i, error );
        }
    }
    return result;
}

/// The document itself comes last: until then nothing points at the files beside it.
static supResult supCommitAll( supFileWriter* writers, size_t count, supError* error )
{
    supResult result = sup_success;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supFileWriter_Commit( writers + i, error );
    }
    return result;
}

static supResult supWriteFiles( const supPacking* packing, supError* error )
{
    size_t count = packing->files.count;
    supFileWriter* writers = calloc( count + 1, sizeof( supFileWriter ) );
    if ( writers == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for writing", packing->path );
    }
    supHeldSignals held = supHoldSignals();
    supResult result = supWriteAll( packing, writers, count, error );
    result = result == sup_success ? supCommitAll( writers, count, error ) : result;
    for ( size_t i = 0; result == sup_success && i < packing->stale.count; ++i )
    {
        const char* path = ( (char**)packing->stale.data )[i];
        if ( path != NULL )
        {
            unlink( path ); // nothing points at it any more; where it cannot go, it only takes room
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        supFileWriter_Drop( writers + i );
    }
    supReleaseSignals( &held );
    free( writers );
    return result;
}

supResult supGltf_Write( const supGltf* document, const char* path, supError* error )
{
    supPacking packing = supStartPacking( document, path, error );
    supPacking_Run( &packing );
    supResult result = supReader_Ok( &packing.reader ) ? supWriteFiles( &packing, error ) : packing.reader.result;
    supPacking_End( &packing );
    return result;
}
