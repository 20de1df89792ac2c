// Nothing leaks: frames, and everything that is made and freed again.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Body, Character, Editor, loadSupple, Model, Pose, proposeRig, Take } from '../dist/index.js';
import { asset } from './support.mjs';

const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );

test( '10,000 frames take no memory', { skip: fox.skip }, async () => {
    const supple = await loadSupple( {} );
    const character = await Character.fromGltf( fox.bytes(), { supple } );
    const body = new Body( new Model( character, proposeRig( character ) ) );
    const pose = new Pose( character );
    const frame = ( i ) => {
        body.step( pose.sample( 'Run', ( i / 60 ) % 1.1 ), null, 1 / 60 );
        body.skin();
        body.helperJoints();
    };
    frame( 0 );
    const before = supple.memorySize;
    const { positions } = body.skin();
    for ( let i = 0; i < 10000; ++i )
    {
        frame( i );
    }
    assert.equal( supple.memorySize, before );
    assert.equal( body.skin().positions, positions, 'the same view, while the memory has not grown' );
} );

test( 'what is made and disposed of again and again takes no memory', { skip: fox.skip }, async () => {
    const supple = await loadSupple( {} );
    const once = async () => {
        const character = await Character.fromGltf( fox.bytes(), { supple } );
        const rig = proposeRig( character );
        const model = new Model( character, rig );
        const all = [ rig, new Body( model ), new Pose( character ), new Take( model, 'Run' ), new Editor( character, rig ) ];
        all[1].skin();
        character.dispose(); // what stands on it holds on to it
        model.dispose();
        assert.ok( all[1].step( all[2].sample( 'Run', 0 ), null, 0 ) );
        all.reverse().forEach( ( one ) => one.dispose() );
    };
    await once();
    await once();
    const before = supple.memorySize;
    for ( let i = 0; i < 20; ++i )
    {
        await once();
    }
    assert.equal( supple.memorySize, before );
} );

test( 'views are made anew when the memory has grown', { skip: fox.skip }, async () => {
    const supple = await loadSupple( {} );
    const character = await Character.fromGltf( fox.bytes(), { supple } );
    const model = new Model( character, proposeRig( character ) );
    const body = new Body( model );
    const pose = new Pose( character );
    body.step( pose.sample( 'Run', 0.2 ), null, 0 );
    const before = Float32Array.from( body.skin().positions );
    const size = supple.memorySize;
    const more = [];
    while ( supple.memorySize === size )
    {
        more.push( new Body( model ) );
    }
    assert.deepEqual( body.skin().positions, before );
    assert.equal( pose.joints.length, 12 * character.jointCount );
    assert.ok( body.step( pose.joints, null, 0 ) );
} );
