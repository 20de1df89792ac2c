// Meshes compressed with Draco: a module of its own, with a memory of its own, that is loaded when a file has some.
import { fileImports, importsFor, MemoryFiles } from './files.js';

const defSize = 24; // supDracoDef: data, size, points, faces, most bytes of a point, most attributes
/** What the decoder's memory may hold, and what it needs for its own work beside what it hands out. */
const mostBytes = 1 << 30, ownBytes = 1 << 20;
const componentSizes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

/** The decoder as the main module imports it. A stream that ends its instance gets another for the next. */
export class Draco
{
    constructor( module )
    {
        this.module = module;
        this.meshes = new Map();
        this.start();
    }

    start()
    {
        let exports = null;
        const calls = fileImports( new MemoryFiles(), () => exports.memory );
        exports = new WebAssembly.Instance( this.module, importsFor( this.module, calls, {} ) ).exports;
        exports._initialize();
        this.exports = exports;
        this.meshes.clear();
    }

    /** Another decoder of the same module. */
    another()
    {
        return new Draco( this.module );
    }

    bytes( at, size )
    {
        return new Uint8Array( this.exports.memory.buffer, at, size );
    }

    /** Runs `work`; what ends the instance is told as words, and the next stream finds a new one. */
    guarded( host, why, whySize, work )
    {
        try
        {
            return work();
        }
        catch ( error )
        {
            if ( !( error instanceof WebAssembly.RuntimeError || error instanceof RangeError ) )
            {
                throw error;
            }
            this.start();
            host.writeText( why, whySize, 'needs more memory than there is, or is broken' );
            return 0;
        }
    }

    /** Room in the decoder's memory; 0 where there is none, which `why` then says. */
    room( host, size, why, whySize )
    {
        const at = size > mostBytes - ownBytes ? 0 : this.exports.malloc( size );
        if ( at === 0 )
        {
            host.writeText( why, whySize, `needs ${Math.ceil( size / 1e6 )} MB more, and what reads Draco may take 1 GB` );
        }
        return at;
    }

    decode( host, def, why, whySize )
    {
        return this.guarded( host, why, whySize, () => {
            const numbers = new Uint32Array( host.buffer, def, defSize / 4 );
            const [ data, size, pointCount, faceCount ] = numbers;
            const at = this.room( host, size + defSize + whySize + 16, why, whySize );
            if ( at === 0 )
            {
                return 0;
            }
            const own = at + defSize + whySize;
            this.bytes( own, size ).set( new Uint8Array( host.buffer, data, size ) );
            new Uint32Array( this.exports.memory.buffer, at, defSize / 4 ).set( numbers );
            new Uint32Array( this.exports.memory.buffer, at, 1 )[0] = own;
            const mesh = this.exports.supDecodeDraco( at, at + defSize, whySize );
            new Uint8Array( host.buffer, why, whySize ).set( this.bytes( at + defSize, whySize ) );
            this.exports.free( at );
            const corners = mesh === 0 ? null : this.readCorners( host, mesh, 12 * faceCount, why, whySize );
            if ( corners === null )
            {
                this.exports.supDestroyDracoMesh( mesh );
                return 0;
            }
            this.meshes.set( mesh, { pointCount, corners } );
            return mesh;
        } );
    }

    /** At once, because this can fail for want of memory, and who asks for them later is told nothing. */
    readCorners( host, mesh, size, why, whySize )
    {
        const at = this.room( host, size + 1, why, whySize );
        if ( at === 0 )
        {
            return null;
        }
        this.exports.supDracoMesh_Corners( mesh, at );
        const corners = this.bytes( at, size ).slice();
        this.exports.free( at );
        return corners;
    }

    corners( host, mesh, out )
    {
        const { corners } = this.meshes.get( mesh );
        new Uint8Array( host.buffer, out, corners.length ).set( corners );
    }

    attribute( host, mesh, id, componentType, rows, out, why, whySize )
    {
        return this.guarded( host, why, whySize, () => {
            const size = this.meshes.get( mesh ).pointCount * rows * ( componentSizes[componentType] ?? 4 );
            const at = this.room( host, size + whySize + 1, why, whySize );
            if ( at === 0 )
            {
                return 0;
            }
            const read = this.exports.supDracoMesh_Attribute( mesh, id, componentType, rows, at + whySize, at, whySize );
            if ( read )
            {
                new Uint8Array( host.buffer, out, size ).set( this.bytes( at + whySize, size ) );
            }
            new Uint8Array( host.buffer, why, whySize ).set( this.bytes( at, whySize ) );
            this.exports.free( at );
            return read;
        } );
    }

    destroy( mesh )
    {
        if ( this.meshes.delete( mesh ) )
        {
            this.exports.supDestroyDracoMesh( mesh );
        }
    }
}
