// Files for three.js and Babylon.js in Node, where no picture can be decoded, and what the C library makes of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { run, truth } from './support.mjs';

/** A .glb with its JSON edited, and `more` bytes behind its own; by default without pictures. */
export function editGlb( bytes, edit = () => {}, more = Buffer.alloc( 0 ) )
{
    const length = bytes.readUInt32LE( 12 );
    const json = JSON.parse( bytes.subarray( 20, 20 + length ).toString() );
    for ( const kind of [ 'images', 'textures', 'samplers' ] )
    {
        delete json[kind];
    }
    json.materials = json.materials?.map( ( { name } ) => ( { name } ) );
    const rest = Buffer.concat( [ bytes.subarray( 20 + length ), more ] );
    rest.writeUInt32LE( rest.length - 8, 0 );
    json.buffers[0].byteLength += more.length;
    edit( json );
    const text = Buffer.from( JSON.stringify( json ) );
    const head = Buffer.alloc( 20 + 4 * Math.ceil( text.length / 4 ), ' ' );
    text.copy( head, 20 );
    [ 0x46546c67, 2, head.length + rest.length, head.length - 20, 0x4e4f534a ].forEach(
        ( value, i ) => head.writeUInt32LE( value, 4 * i ) );
    return Buffer.concat( [ head, rest ] );
}

/** What the C library has after 90 frames of the first clip: live positions of all vertices, in model space. */
export function livingTruth( path, folder, vertexCount )
{
    const out = `${folder}/truth`;
    const { code, words } = run( truth, [ path, out ] );
    assert.equal( code, 0, words );
    const floats = new Float32Array( new Uint8Array( readFileSync( out ) ).buffer );
    return floats.subarray( 0, 3 * vertexCount );
}

/** The walk that it made: where the character stands at a frame. */
export const walkedTo = ( frame ) => [ frame / 64, 0, ( frame % 8 ) / 32 ];
export const frames = 90, rate = 64;

export function farthest( a, b )
{
    let most = 0;
    for ( let i = 0; i < a.length; i += 3 )
    {
        most = Math.max( most, Math.hypot( a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2] ) );
    }
    return most;
}
