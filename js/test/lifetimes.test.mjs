// What has ended, what fails half-way and what throws in between leaves the memory of others as it was.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bakeInWorker, Body, Character, Editor, loadSupple, Model, proposeRig, SuppleError, Take } from '../dist/index.js';
import { Draco } from '../dist/draco.js';
import { asset, folderFor, program, run } from './support.mjs';

const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );

async function make( options )
{
    const character = await Character.fromGltf( fox.bytes(), { supple: await loadSupple( {} ) } );
    const rig = proposeRig( character, options );
    return { character, rig, model: new Model( character, rig ), supple: character.supple };
}

test( 'a body that was disposed of writes nothing', { skip: fox.skip }, async () => {
    const { character, model, supple } = await make();
    const gone = new Body( model );
    const joints = new Float32Array( 12 * character.jointCount ).fill( 0.5 );
    gone.dispose();
    const other = new Body( model );
    const before = Uint8Array.from( new Uint8Array( supple.buffer ) );
    assert.throws( () => gone.step( joints, null, 1 / 60 ), SuppleError );
    assert.throws( () => gone.setWind( [ 1, 2, 3 ] ), SuppleError );
    assert.throws( () => gone.joints, /disposed of/ );
    assert.equal( Buffer.compare( Buffer.from( supple.buffer ), before ), 0 );
    other.dispose();
} );

test( 'an editor that fails half-way knows its helpers', { skip: fox.skip }, async () => {
    const { character, rig } = await make();
    const editor = new Editor( character, rig );
    const [ name ] = editor.model.items.elements;
    editor.set( 'elements', name, { boneThickness: 0.06 } );
    editor.helperJoints();
    assert.throws( () => editor.set( 'elements', name, { boneThickness: 0, frequency: -5 } ), SuppleError );
    assert.equal( editor.helperJoints().length, 12 * editor.model.helpers.length );
    assert.equal( editor.get( 'elements', name, 'boneThickness' ), 0 );
    assert.throws( () => editor.add( '_note', { driver: 'x' } ), /no layer/ );
} );

test( 'a take refuses a body of another model', { skip: fox.skip }, async () => {
    const { character, model } = await make();
    const take = new Take( model, 0 );
    const other = new Model( character, proposeRig( character, { regions: { belly: 2 } } ) );
    assert.throws( () => take.show( 0, new Body( other ) ), /its own model/ );
    assert.equal( take.show( 0, new Body( model ) ), true );
} );

test( 'options that there are not are told', { skip: fox.skip }, async () => {
    const { character } = await make();
    assert.throws( () => proposeRig( character, { presett: 'heavy' } ), /no option "presett"; there are preset/ );
    assert.throws( () => new Body( new Model( character, proposeRig( character ) ) ).setWind( [ 1, 0 ] ), /three numbers/ );
} );

test( 'only, without, regions and directions mean what they mean to the program', { skip: fox.skip }, async ( t ) => {
    const { character } = await make();
    const names = ( options ) => proposeRig( character, options ).toJSON().elements.map( ( { name } ) => name );
    const all = names();
    assert.deepEqual( names( { only: 'belly' } ), all.filter( ( name ) => name.startsWith( 'belly' ) ) );
    assert.deepEqual( names( { without: [ 'belly', 'thigh left' ] } ),
        all.filter( ( name ) => !/^belly|^thigh left/.test( name ) ) );
    assert.ok( names( { regions: { 'thigh left': 0 } } ).length < all.length );
    assert.deepEqual( names( { front: '+Z', up: [ 0, 1, 0 ], kind: 'quadruped' } ), all );
    const out = `${folderFor( t )}/fox.rig.json`;
    const { words } = run( program, [ 'rig', fox.path, out, '--only', 'belly,udder' ] );
    assert.throws( () => proposeRig( character, { only: [ 'belly', 'udder' ] } ),
        ( { message, code } ) => code === 'notFound' && words.includes( message.slice( message.indexOf( 'no udder' ) ) ) );
    assert.throws( () => proposeRig( character, { only: 'belly', without: 'belly' } ), ( { message, code } ) =>
        code === 'argument' && message === '--without belly contradicts --only; give only one of them' );
    assert.throws( () => proposeRig( character, { front: 'sideways' } ), /--front/ );
    assert.throws( () => proposeRig( character, { preset: 'soft' } ), /--preset/ );
    const text = proposeRig( character, { without: 'belly', preset: 'heavy' } ).toText();
    run( program, [ 'rig', fox.path, out, '--without', 'belly', '--preset', 'heavy' ] );
    // the program says below how it tells whether somebody edits the file
    const written = readFileSync( out, 'utf8' ).replace( /,\n    "_written": "by supple rig, checksum [0-9a-f]{16}"/, '' );
    assert.equal( text, written );
} );

test( 'what is too large for Draco is refused with words', () => {
    const host = { buffer: new ArrayBuffer( 4096 ), said: '', writeText( at, size, text ) { this.said = text; } };
    const draco = new Draco( new WebAssembly.Module( readFileSync( new URL( '../dist/supple_draco.wasm', import.meta.url ) ) ) );
    for ( const [ pointCount, needs ] of [ [ 1.2e8, 1440 ], [ 2 ** 32 / 12 + 100, 4295 ] ] ) // the second wraps 32 bits
    {
        draco.meshes.set( 16, { pointCount: Math.ceil( pointCount ), corners: new Uint8Array( 0 ) } );
        assert.equal( draco.attribute( host, 16, 0, 5126, 3, 0, 1024, 200 ), 0 );
        const told = /^needs (\d+) MB more, and what reads Draco may take 1 GB$/.exec( host.said );
        assert.ok( Math.abs( told[1] - needs ) <= 1, host.said );
    }
    new Uint32Array( host.buffer, 0, 6 ).set( [ 64, 2 ** 31, 1, 1, 1, 1 ] );
    assert.equal( draco.decode( host, 0, 1024, 200 ), 0 );
    assert.match( host.said, /^needs 2148 MB more/ );
    assert.ok( draco.exports.malloc( 64 ) > 0, 'it lives on' );
} );

test( 'what a callback throws arrives, and leaves no memory behind', { skip: fox.skip }, async () => {
    const { character, rig, supple } = await make();
    const once = () => assert.throws(
        () => new Model( character, rig, { onProgress() { throw new Error( 'enough' ); } } ), /enough/ );
    once();
    const size = supple.buffer.byteLength;
    for ( let i = 0; i < 300; ++i )
    {
        once();
    }
    assert.equal( supple.buffer.byteLength, size );
} );

test( 'a bake in a worker that is not up yet can be ended', { skip: fox.skip }, async () => {
    const controller = new AbortController();
    const baking = bakeInWorker( fox.bytes(), {}, { signal: controller.signal } );
    controller.abort( new Error( 'no longer wanted' ) );
    await assert.rejects( baking, /no longer wanted/ );
} );
