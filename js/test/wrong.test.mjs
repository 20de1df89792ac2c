// Files that are wrong get the program's own message, and the module lives on.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';
import { bake, Character, loadSupple, Model, Rig, SuppleError } from '../dist/index.js';
import { asset, assets, program, root, run } from './support.mjs';

const negative = `${assets}/negative`;

function filesBelow( folder )
{
    return readdirSync( folder, { withFileTypes: true } ).flatMap( ( entry ) => ( entry.isDirectory()
        ? filesBelow( join( folder, entry.name ) )
        : /\.(glb|gltf)$/.test( entry.name ) ? [ join( folder, entry.name ) ] : [] ) );
}

const readerOf = ( path ) => ( uri ) => {
    const file = join( dirname( path ), uri );
    return existsSync( file ) ? readFileSync( file ) : null;
};

/** What the package says of a file: its words, or '' where it is read. */
async function wordsOf( path, supple )
{
    try
    {
        const character = await Character.fromGltf( readFileSync( path ), { name: path, readFile: readerOf( path ), supple } );
        character.dispose();
        return '';
    }
    catch ( error )
    {
        assert.ok( error instanceof SuppleError, `${path}: ${error.stack}` );
        return error.message;
    }
}

test( 'wrong files: the words of the program', { skip: existsSync( negative ) ? false : 'no negative test assets' }, async ( t ) => {
    const supple = await loadSupple( {} );
    const all = filesBelow( negative );
    const files = process.env.SUPPLE_QUICK ? all.filter( ( _, i ) => i % 8 === 0 ) : all;
    let refused = 0;
    for ( const path of files )
    {
        const words = await wordsOf( path, supple );
        const native = run( program, [ 'inspect', '--json', '--untrusted', path ] );
        const theirs = native.code === 0 ? '' : native.words.trim().split( '\n' ).pop().replace( /^supple inspect: /, '' );
        // folders are called otherwise in memory
        const plain = ( text ) => text.replaceAll( dirname( path ), '' ).replace( /\/document\d+/g, '' );
        assert.equal( plain( words ), plain( theirs ), path );
        refused += words === '' ? 0 : 1;
    }
    t.diagnostic( `${files.length} files, ${refused} refused` );
    assert.ok( refused > files.length / 4 );
    const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );
    assert.equal( ( await Character.fromGltf( fox.bytes(), { supple } ) ).clips.length, 3, 'and the module lives on' );
} );

test( 'what fuzzing has found does no harm', async () => {
    const supple = await loadSupple( {} );
    for ( const name of readdirSync( `${root}tests/fuzz/corpus/gltf` ) )
    {
        await wordsOf( `${root}tests/fuzz/corpus/gltf/${name}`, supple );
    }
    assert.equal( supple.broken, null );
} );

test( 'a small file that asks for gigabytes is refused', async () => {
    const json = { asset: { version: '2.0' }, accessors: [ { componentType: 5126, count: 400000000, type: 'VEC4' } ],
        meshes: [ { primitives: [ { attributes: { POSITION: 0 } } ] } ], nodes: [ { mesh: 0 } ], scenes: [ { nodes: [ 0 ] } ] };
    json.accessors[0].type = 'VEC3';
    const bytes = new TextEncoder().encode( JSON.stringify( json ) );
    await assert.rejects( Character.fromGltf( bytes ), ( error ) => error instanceof SuppleError && error.code === 'limit' );
    await assert.rejects( bake( bytes, { name: 'big.gltf' } ), ( error ) => error instanceof SuppleError );
} );

test( 'a missing file, a file outside, what is no bytes', async () => {
    const with_ = ( uri ) => new TextEncoder().encode( JSON.stringify( { asset: { version: '2.0' },
        buffers: [ { uri, byteLength: 4 } ] } ) );
    await assert.rejects( Character.fromGltf( with_( 'a.bin' ), { readFile: () => null } ), /a\.bin/ );
    let asked = 0;
    await assert.rejects( Character.fromGltf( with_( '../../etc/passwd' ), { readFile: () => { asked += 1; return new Uint8Array( 4 ); } } ),
        /etc\/passwd/ );
    assert.equal( asked, 0 );
    await assert.rejects( Character.fromGltf( 'fox.glb' ), /bytes are wanted/ );
} );

test( 'rigs that are wrong, and things that were disposed of', { skip: asset( 'khronos_fox/glTF-Binary/Fox.glb' ).skip }, async () => {
    const character = await Character.fromGltf( asset( 'khronos_fox/glTF-Binary/Fox.glb' ).bytes() );
    assert.throws( () => Rig.fromJson( { elements: [ { name: 'a', frequncy: 3 } ] }, character, 'my.rig.json' ),
        /my\.rig\.json: elements\[0\]\.frequncy: unknown; did you mean "frequency"\?/ );
    const rig = Rig.fromJson( { elements: [ { name: 'a', driver: 'nobody' } ] }, character );
    assert.throws( () => new Model( character, rig ), /elements\[0\]\.driver: no joint "nobody"/ );
    rig.dispose();
    rig.dispose();
    assert.throws( () => rig.toText(), /this Rig was disposed of/ );
} );
