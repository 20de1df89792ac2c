// SPDX-License-Identifier: MIT
#include "bench_text.h"

#include <stdlib.h>

FILE* supBeginText( supTextFile* file )
{
    *file = ( supTextFile ){ 0 };
    file->stream = open_memstream( &file->text, &file->size );
    return file->stream;
}

supResult supEndText( supTextFile* file, const char* path, supError* error )
{
    bool good = ferror( file->stream ) == 0;
    good = fclose( file->stream ) == 0 && good;
    supResult result = good ? supWriteFile( path, file->text, file->size, error )
                            : supFail( error, sup_errorMemory, "%s: no memory", path );
    free( file->text );
    return result;
}
