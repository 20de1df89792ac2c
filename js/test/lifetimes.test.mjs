// What has ended, what fails half-way and what throws in between leaves the memory of others as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bakeInWorker, Body, Character, Editor, loadSupple, Model, proposeRig, SuppleError, Take } from '../dist/index.js';
import { asset } from './support.mjs';

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
