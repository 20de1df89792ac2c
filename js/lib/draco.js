// Meshes compressed with Draco: a module of its own, with a memory of its own, that is loaded when a file has some.
import { fileImports, importsFor, MemoryFiles } from './files.js';

const defSize = 24; // supDracoDef: data, size, points, faces, most bytes of a point, most attributes
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

    decode( host, def, why, whySize )
    {
        return this.guarded( host, why, whySize, () => {
            const numbers = new Uint32Array( host.buffer, def, defSize / 4 );
            const [ data, size, pointCount, faceCount ] = numbers;
            const at = this.exports.malloc( size + defSize + whySize + 16 );
            if ( at === 0 )
            {
                host.writeText( why, whySize, 'needs more memory than there is' );
                return 0;
            }
            const own = at + defSize + whySize;
            this.bytes( own, size ).set( new Uint8Array( host.buffer, data, size ) );
            new Uint32Array( this.exports.memory.buffer, at, defSize / 4 ).set( numbers );
            new Uint32Array( this.exports.memory.buffer, at, 1 )[0] = own;
            const mesh = this.exports.supDecodeDraco( at, at + defSize, whySize );
            new Uint8Array( host.buffer, why, whySize ).set( this.bytes( at + defSize, whySize ) );
            this.exports.free( at );
            if ( mesh !== 0 )
            {
                this.meshes.set( mesh, { pointCount, faceCount } );
            }
            return mesh;
        } );
    }

    corners( host, mesh, out )
    {
        const size = 12 * this.meshes.get( mesh ).faceCount;
        const at = this.exports.malloc( size + 1 );
        this.exports.supDracoMesh_Corners( mesh, at );
        new Uint8Array( host.buffer, out, size ).set( this.bytes( at, size ) );
        this.exports.free( at );
    }

    attribute( host, mesh, id, componentType, rows, out, why, whySize )
    {
        return this.guarded( host, why, whySize, () => {
            const size = this.meshes.get( mesh ).pointCount * rows * ( componentSizes[componentType] ?? 4 );
            const at = this.exports.malloc( size + whySize + 1 );
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
