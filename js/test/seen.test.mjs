// What layers show, takes of an editor, more motion, point caches: what a host like the studio stands on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { bake, Body, Character, Editor, Model, Pose, proposeRig, Take } from '../dist/index.js';
import { asset, folderFor, program, run } from './support.mjs';

const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );
const man = asset( 'mh_human/mh_heavy.glb' );
const walk = asset( 'bvh_cmu/02_01.bvh' );
const length = ( v ) => Math.hypot( ...v );

async function playing( file )
{
    const character = await Character.fromGltf( file.bytes(), { name: 'it.glb' } );
    const editor = new Editor( character, proposeRig( character ) ), pose = new Pose( character );
    for ( let i = 0; i < 40; ++i )
    {
        editor.step( pose.sample( 1, i / 60 ), null, 1 / 60 );
    }
    return { character, editor, pose };
}

test( 'layers draw themselves', { skip: fox.skip }, async () => {
    const { character, editor } = await playing( fox );
    const { drawNames } = character.supple;
    assert.ok( drawNames.includes( 'weights' ) && drawNames.includes( 'muscles' ) );
    assert.equal( editor.draw( 'weights' ).scalars.length, character.vertexCount );
    assert.equal( editor.draw( 'elements' ).colors.length, 4 * character.vertexCount );
    const { lines, points } = editor.draw( 'springs' );
    assert.ok( lines.length > 0 && lines.length % 11 === 0 && points.length === 8 * 2 * editor.model.elements.length );
    // a dash of displacement leads from the smooth skin to the living one
    const dashes = editor.draw( 'displacement' ).lines.slice(), smooth = editor.smoothSkin().positions.slice();
    const { positions } = editor.skin();
    for ( let row = 0; row < dashes.length; row += 11 )
    {
        const [ from, to ] = [ dashes.subarray( row, row + 3 ), dashes.subarray( row + 3, row + 6 ) ];
        let v = 0;
        while ( v < smooth.length && ( smooth[v] !== from[0] || smooth[v + 1] !== from[1] || smooth[v + 2] !== from[2] ) )
        {
            v += 3;
        }
        assert.ok( v < smooth.length && to.every( ( value, k ) => Math.abs( value - positions[v + k] ) < 1e-4 * character.size ) );
    }
    assert.equal( editor.draw( 'muscles' ).corners.length, 0 );
    assert.throws( () => editor.draw( 'nerves' ), /nothing is drawn as "nerves"; there are weights/ );
} );

test( 'weights of an element are those that are drawn', { skip: fox.skip }, async () => {
    const { character, editor } = await playing( fox );
    const sum = new Float32Array( character.vertexCount );
    editor.model.elements.forEach( ( _, i ) => editor.weights( i ).forEach( ( weight, v ) => { sum[v] += weight; } ) );
    editor.draw( 'weights' ).scalars.forEach( ( value, v ) => assert.ok( Math.abs( value - Math.min( 1, sum[v] ) ) < 1e-5 ) );
} );

test( 'an elongation is told with its limit, and stays within it', { skip: man.skip }, async () => {
    const { editor } = await playing( man );
    editor.model.elements.forEach( ( { thickness }, i ) => {
        const { elongation, limit } = editor.element( i );
        const scale = editor.get( 'elements', i, 'limitScale' );
        assert.ok( Math.abs( limit - thickness * scale ) <= 1e-6 * thickness );
        assert.ok( length( elongation ) <= 1.0001 * limit );
    } );
} );

test( 'a take of an editor is that of its rig, and ends with the next edit', { skip: man.skip }, async () => {
    const { character, editor } = await playing( man );
    editor.set( 'elements', 'belly', { frequency: 3 } );
    const take = editor.take( 'run' );
    take.show( 0.6, editor );
    const seen = editor.skin().positions.slice();
    const rig = proposeRig( character ).toJSON();
    rig.elements.find( ( { name } ) => name === 'belly' ).frequency = 3;
    const { Rig } = await import( '../dist/index.js' );
    const model = new Model( character, Rig.fromJson( rig, character ) ), body = new Body( model ), other = new Take( model, 'run' );
    other.show( 0.6, body );
    const own = body.skin().positions;
    assert.ok( seen.every( ( value, i ) => Math.abs( value - own[i] ) < 1e-6 * character.size ) );
    assert.ok( take.elongations( 0.6 ).every( ( value, i ) => Math.abs( value - other.elongations( 0.6 )[i] ) < 1e-6 * character.size ) );
    assert.throws( () => other.show( 0.6, editor ), /of its own model/ );
    editor.set( 'elements', 'belly', { frequency: 4 } );
    assert.ok( take.isDisposed );
    assert.throws( () => take.show( 0.6, editor ), /disposed/ );
    editor.take( 'run' );
    editor.dispose();
} );

test( 'an item is replaced as a whole', { skip: man.skip }, async () => {
    const { editor } = await playing( man );
    const belly = editor.rig.elements.find( ( { name } ) => name === 'belly' );
    editor.replace( 'elements', 'belly', { ...belly, attenuation: 'wyvill', attenuationKeys: undefined, frequency: 2.5 } );
    const now = editor.rig.elements.find( ( { name } ) => name === 'belly' );
    assert.equal( now.attenuation, 'wyvill' );
    assert.equal( now.frequency, 2.5 );
    assert.throws( () => editor.replace( 'elements', 'belly', { ...belly, driver: 'nobody' } ), /nobody/ );
    assert.deepEqual( editor.rig.elements.find( ( { name } ) => name === 'belly' ), now );
} );

test( 'more motion becomes clips, and bakes as by the program', { skip: man.skip || walk.skip }, async ( t ) => {
    const motions = [ { name: '02_01.bvh', data: walk.bytes() } ];
    const plain = await Character.fromGltf( man.bytes(), { name: 'man.glb' } );
    const character = await Character.fromGltf( man.bytes(), { name: 'man.glb', motions } );
    assert.equal( character.clips.length, plain.clips.length + 1 );
    assert.equal( character.fingerprint, plain.fingerprint );
    assert.equal( character.motions[0].clips, 1 );
    assert.ok( character.motions[0].matched > 15 );
    await assert.rejects( Character.fromGltf( fox.bytes(), { motions } ), /none of its 31 joints/ );
    const options = { name: 'man.glb', motions, clips: '02_01', fps: 10 };
    const folder = folderFor( t ), words = [ '--motion', walk.path, '--clip', '02_01', '--fps', '10' ];
    for ( const format of [ 'glb', 'pc2', 'mdd' ] )
    {
        const { bytes } = await bake( man.bytes(), { ...options, format } );
        const out = `${folder}/out.${format}`;
        assert.equal( run( program, [ 'bake', man.path, out, ...words ] ).code, 0 );
        assert.deepEqual( Buffer.from( bytes ), readFileSync( out ), format );
    }
} );
