// Files in memory, as the module asks for them (WASI preview 1): what a document names beside itself is put in before
// it is opened, and what the module writes is taken out. The module sees nothing else.

const errno = { success: 0, badf: 8, exist: 20, inval: 28, io: 29, isdir: 31, noent: 44, nosys: 52, notdir: 54, spipe: 70 };
/** What files of a machine fail with, by Node's names. */
const machineErrno = { EACCES: 2, EBUSY: 10, EEXIST: 20, EISDIR: 31, ENOENT: 44, ENOSPC: 51, ENOTDIR: 54, EPERM: 63,
    EROFS: 69 };
const filetype = { character: 2, directory: 3, regular: 4 };
const oflag = { create: 1, directory: 2, exclusive: 4, truncate: 8 };
const preopened = 3; // the root folder "/"

/** "/a/b" of any path: "." and ".." are resolved, and none leads out of the root. */
export function plainPath( path )
{
    const names = [];
    for ( const name of path.split( '/' ) )
    {
        if ( name === '..' )
        {
            names.pop();
        }
        else if ( name !== '' && name !== '.' )
        {
            names.push( name );
        }
    }
    return '/' + names.join( '/' );
}

/** The files themselves: paths and bytes. A folder is there as long as something is in it. */
export class MemoryFiles
{
    constructor()
    {
        this.entries = new Map();
    }

    /** What is at a path: { type, size }, or null. */
    stat( path )
    {
        const entry = this.entries.get( path );
        if ( entry )
        {
            return { type: filetype.regular, size: entry.length };
        }
        const folder = path === '/' ? path : path + '/';
        const isFolder = path === '/' || [ ...this.entries.keys() ].some( ( name ) => name.startsWith( folder ) );
        return isFolder ? { type: filetype.directory, size: 0 } : null;
    }

    read( path )
    {
        return this.entries.get( plainPath( path ) );
    }

    write( path, bytes )
    {
        this.entries.set( plainPath( path ), bytes );
    }

    remove( path )
    {
        return this.entries.delete( plainPath( path ) );
    }

    rename( from, to )
    {
        const bytes = this.entries.get( from );
        this.entries.delete( from );
        this.entries.set( to, bytes );
    }

    list( path )
    {
        const folder = path === '/' ? path : path + '/';
        const names = [ ...this.entries.keys() ].filter( ( name ) => name.startsWith( folder ) )
            .map( ( name ) => name.slice( folder.length ).split( '/' )[0] );
        return [ ...new Set( names ) ];
    }
}

/** Runs what may fail on a machine's files; gives its number. */
function attempt( work )
{
    try
    {
        work();
        return errno.success;
    }
    catch ( error )
    {
        if ( error.code === undefined )
        {
            throw error;
        }
        return machineErrno[error.code] ?? errno.io;
    }
}

/** Bytes that grow as they are written. */
class Growing
{
    constructor( bytes )
    {
        this.bytes = bytes;
        this.length = bytes.length;
    }

    write( at, piece )
    {
        const end = at + piece.length;
        if ( end > this.bytes.length )
        {
            const larger = new Uint8Array( Math.max( end, 2 * this.bytes.length, 65536 ) );
            larger.set( this.bytes.subarray( 0, this.length ) );
            this.bytes = larger;
        }
        this.bytes.set( piece, at );
        this.length = Math.max( this.length, end );
    }

    get done()
    {
        return this.bytes.subarray( 0, this.length );
    }
}

/**
 * What the module imports for files, clocks and words. `files`: MemoryFiles, or anything with its methods; `memory`: a
 * function that gives the module's memory; `print( descriptor, text )`: what is written to 1 and 2.
 */
export function fileImports( files, memory, print )
{
    const open = new Map();
    let next = preopened + 1;
    const view = () => new DataView( memory().buffer );
    const bytesAt = ( at, size ) => new Uint8Array( memory().buffer, at, size );
    const textAt = ( at, size ) => new TextDecoder().decode( bytesAt( at, size ).slice() );
    const folderOf = ( descriptor ) => ( descriptor === preopened ? '/' : open.get( descriptor )?.path );
    const pathAt = ( descriptor, at, size ) => plainPath( folderOf( descriptor ) + '/' + textAt( at, size ) );

    /** Calls `each` with every piece of an I/O vector until it gives less than the piece is long. */
    function eachPiece( at, count, each )
    {
        let total = 0;
        for ( let i = 0; i < count; ++i )
        {
            const data = view();
            const size = data.getUint32( at + 8 * i + 4, true );
            const done = each( bytesAt( data.getUint32( at + 8 * i, true ), size ), total );
            total += done;
            if ( done < size )
            {
                break;
            }
        }
        return total;
    }

    function writeStat( at, { type, size } )
    {
        bytesAt( at, 64 ).fill( 0 );
        view().setUint8( at + 16, type );
        view().setBigUint64( at + 24, 1n, true );
        view().setBigUint64( at + 32, BigInt( size ), true );
        return errno.success;
    }

    function keep( file )
    {
        if ( file.changed )
        {
            files.write( file.path, file.content.done.slice() );
            file.changed = false;
        }
    }

    const calls = {
        args_get: () => errno.success,
        args_sizes_get( count, size )
        {
            view().setUint32( count, 0, true );
            view().setUint32( size, 0, true );
            return errno.success;
        },
        environ_get: () => errno.success,
        environ_sizes_get( count, size )
        {
            return calls.args_sizes_get( count, size );
        },
        clock_time_get( id, precision, at )
        {
            view().setBigUint64( at, BigInt( Math.round( 1e6 * ( id === 0 ? Date.now() : performance.now() ) ) ), true );
            return errno.success;
        },
        proc_exit( code )
        {
            throw new WebAssembly.RuntimeError( `the module ended itself with code ${code}` );
        },
        fd_prestat_get( descriptor, at )
        {
            if ( descriptor !== preopened )
            {
                return errno.badf;
            }
            view().setUint32( at, 0, true );
            view().setUint32( at + 4, 1, true );
            return errno.success;
        },
        fd_prestat_dir_name( descriptor, at )
        {
            bytesAt( at, 1 )[0] = 47; // "/"
            return descriptor === preopened ? errno.success : errno.badf;
        },
        fd_fdstat_get( descriptor, at )
        {
            const file = open.get( descriptor );
            if ( descriptor > preopened && !file )
            {
                return errno.badf;
            }
            bytesAt( at, 24 ).fill( 0 );
            const type = descriptor < preopened ? filetype.character
                : descriptor === preopened || file.isFolder ? filetype.directory
                                                            : filetype.regular;
            view().setUint8( at, type );
            view().setBigUint64( at + 8, 0x1fffffffn, true );
            view().setBigUint64( at + 16, 0x1fffffffn, true );
            return errno.success;
        },
        fd_fdstat_set_flags: () => errno.success,
        fd_filestat_get( descriptor, at )
        {
            const file = open.get( descriptor );
            if ( !file )
            {
                return descriptor <= preopened
                    ? writeStat( at, { type: descriptor < preopened ? filetype.character : filetype.directory, size: 0 } )
                    : errno.badf;
            }
            return writeStat( at, { type: file.isFolder ? filetype.directory : filetype.regular,
                size: file.isFolder ? 0 : file.content.length } );
        },
        fd_sync: () => errno.success,
        fd_tell( descriptor, at )
        {
            view().setBigUint64( at, BigInt( open.get( descriptor )?.at ?? 0 ), true );
            return errno.success;
        },
        fd_seek( descriptor, offset, whence, at )
        {
            const file = open.get( descriptor );
            if ( !file || file.isFolder )
            {
                return descriptor < preopened ? errno.spipe : errno.badf;
            }
            const to = Number( offset ) + ( whence === 0 ? 0 : whence === 1 ? file.at : file.content.length );
            if ( to < 0 )
            {
                return errno.inval;
            }
            file.at = to;
            view().setBigUint64( at, BigInt( to ), true );
            return errno.success;
        },
        fd_read( descriptor, vectors, count, at )
        {
            const file = open.get( descriptor );
            if ( !file || file.isFolder )
            {
                return file ? errno.isdir : errno.badf;
            }
            const total = eachPiece( vectors, count, ( piece ) => {
                const some = file.content.done.subarray( file.at, file.at + piece.length );
                piece.set( some );
                file.at += some.length;
                return some.length;
            } );
            view().setUint32( at, total, true );
            return errno.success;
        },
        fd_write( descriptor, vectors, count, at )
        {
            const file = open.get( descriptor );
            if ( !file && ( descriptor < 1 || descriptor > 2 ) )
            {
                return errno.badf;
            }
            const total = eachPiece( vectors, count, ( piece ) => {
                if ( file )
                {
                    file.content.write( file.at, piece );
                    file.at += piece.length;
                    file.changed = true;
                }
                else
                {
                    print?.( descriptor, piece.slice() );
                }
                return piece.length;
            } );
            view().setUint32( at, total, true );
            return errno.success;
        },
        fd_close( descriptor )
        {
            const file = open.get( descriptor );
            if ( !file )
            {
                return errno.badf;
            }
            open.delete( descriptor );
            return attempt( () => keep( file ) );
        },
        fd_readdir( descriptor, at, size, cookie, used )
        {
            const folder = folderOf( descriptor );
            if ( folder === undefined )
            {
                return errno.badf;
            }
            let written = 0;
            const names = files.list( folder );
            for ( let i = Number( cookie ); i < names.length && written < size; ++i )
            {
                const name = new TextEncoder().encode( names[i] );
                const entry = new Uint8Array( 24 + name.length );
                const data = new DataView( entry.buffer );
                data.setBigUint64( 0, BigInt( i + 1 ), true );
                data.setBigUint64( 8, BigInt( i + 1 ), true );
                data.setUint32( 16, name.length, true );
                data.setUint8( 20, files.stat( plainPath( folder + '/' + names[i] ) )?.type ?? 0 );
                entry.set( name, 24 );
                const room = Math.min( entry.length, size - written );
                bytesAt( at + written, room ).set( entry.subarray( 0, room ) );
                written += room;
            }
            view().setUint32( used, written, true );
            return errno.success;
        },
        path_open( descriptor, lookup, nameAt, nameSize, flags, rights, inheriting, fdflags, at )
        {
            const path = pathAt( descriptor, nameAt, nameSize );
            const found = files.stat( path );
            if ( !found && !( flags & oflag.create ) )
            {
                return errno.noent;
            }
            if ( found && ( flags & oflag.create ) && ( flags & oflag.exclusive ) )
            {
                return errno.exist;
            }
            const isFolder = found?.type === filetype.directory;
            if ( ( flags & oflag.directory ) && !isFolder )
            {
                return errno.notdir;
            }
            const file = { path, isFolder, at: 0, content: null, changed: !found };
            const why = attempt( () => {
                const isNew = !found || ( flags & oflag.truncate );
                file.content = isFolder ? null : new Growing( isNew ? new Uint8Array( 0 ) : files.read( path ) );
                keep( file );
            } );
            if ( why !== errno.success )
            {
                return why;
            }
            open.set( next, file );
            view().setUint32( at, next++, true );
            return errno.success;
        },
        path_filestat_get( descriptor, flags, nameAt, nameSize, at )
        {
            const found = files.stat( pathAt( descriptor, nameAt, nameSize ) );
            return found ? writeStat( at, found ) : errno.noent;
        },
        path_rename( descriptor, fromAt, fromSize, toDescriptor, toAt, toSize )
        {
            const [ from, to ] = [ pathAt( descriptor, fromAt, fromSize ), pathAt( toDescriptor, toAt, toSize ) ];
            return attempt( () => files.rename( from, to ) );
        },
        path_unlink_file( descriptor, nameAt, nameSize )
        {
            const path = pathAt( descriptor, nameAt, nameSize );
            return files.stat( path ) ? attempt( () => files.remove( path ) ) : errno.noent;
        },
        path_create_directory: () => errno.success,
        path_readlink: () => errno.inval,
    };
    return calls;
}

/** Those of `calls` that a module imports; anything else answers that there is no such thing. */
export function importsFor( module, calls, own )
{
    const imports = {};
    for ( const { module: from, name, kind } of WebAssembly.Module.imports( module ) )
    {
        const known = from === 'wasi_snapshot_preview1' ? calls[name] ?? ( () => errno.nosys ) : own[name];
        if ( kind !== 'function' || !known )
        {
            throw new Error( `the module wants ${from}.${name}, which this host does not give` );
        }
        imports[from] ??= {};
        imports[from][name] = known;
    }
    return imports;
}
