// Every snippet of docs/javascript.md runs as it stands there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import '@babylonjs/core/Animations/animatable.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Scene as BabylonScene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { AnimationMixer, Scene } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import * as supple from '../dist/index.js';
import { asset, root } from './support.mjs';
import { editGlb } from './three_support.mjs';

globalThis.self ??= globalThis;
const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );
const page = readFileSync( `${root}docs/javascript.md`, 'utf8' );

/** The snippets below a heading, as one text each. */
function snippets( heading )
{
    const part = page.split( /^## /m ).find( ( one ) => one.startsWith( heading ) );
    const found = [ ...part.matchAll( /^```js\n([^]*?)^```/gm ) ].map( ( [ , text ] ) => text );
    assert.ok( found.length > 0, heading );
    return found;
}

/** Runs snippets one after the other in one scope, with these names around them; gives what `result` is then. */
async function runs( texts, around, result = 'null' )
{
    const text = texts.join( '\n' ).replace( /^import (\{.*\}) from '(supple.*)';$/gm,
        ( _, names, from ) => `const ${names} = await load( '${from}' );` );
    const all = { load: ( from ) => import( `../dist/${from === 'supple' ? 'index' : from.slice( 7 )}.js` ), ...around };
    const AsyncFunction = ( async () => {} ).constructor;
    return new AsyncFunction( ...Object.keys( all ), `${text}\nreturn ${result};` )( ...Object.values( all ) );
}

const bytesOf = () => editGlb( fox.bytes(), ( json ) => {
    delete json.materials;
    json.meshes.forEach( ( mesh ) => mesh.primitives.forEach( ( primitive ) => delete primitive.material ) );
} );
const buffer = ( bytes ) => bytes.buffer.slice( bytes.byteOffset, bytes.byteOffset + bytes.length );

class Loader extends GLTFLoader
{
    loadAsync()
    {
        return this.parseAsync( buffer( bytesOf() ), '' );
    }
}

test( 'three.js', { skip: fox.skip }, async () => {
    let frames = 0;
    const renderer = { setAnimationLoop: ( loop ) => [ 1, 2, 3 ].forEach( loop ), render: () => { frames += 1; } };
    const { living, twin } = await runs( snippets( 'In three.js' ), { GLTFLoader: Loader, AnimationMixer, clone, renderer,
        scene: new Scene(), camera: null, clock: { getDelta: () => 1 / 60 } }, '{ living, twin }' );
    assert.equal( frames, 3 );
    assert.equal( living.body.isDisposed, true );
    assert.equal( twin.update( 0.1 ), true );
    twin.dispose();
} );

test( 'Babylon.js', { skip: fox.skip }, async ( t ) => {
    const engine = new NullEngine();
    t.after( () => engine.dispose() );
    const scene = new BabylonScene( engine );
    const { living, twin } = await runs( snippets( 'In Babylon.js' ), { scene, url: '', LoadAssetContainerAsync: () =>
        LoadAssetContainerAsync( `data:base64,${bytesOf().toString( 'base64' )}`, scene, { pluginExtension: '.glb' } ),
        fetch: async () => ( { arrayBuffer: async () => buffer( bytesOf() ) } ) }, '{ living, twin }' );
    scene.onBeforeRenderObservable.notifyObservers( scene );
    assert.equal( twin.model, living.model );
    [ living, twin ].forEach( ( one ) => one.dispose() );
} );

test( 'by hand, with files, without SIMD', { skip: fox.skip }, async () => {
    const bytes = buffer( fox.bytes() );
    const frame = await runs( snippets( 'By hand' ), { bytes }, 'frame' );
    frame( 0.1, 1 / 60 );
    const other = await runs( snippets( 'Other files' ), { bytes, base: '', Character: supple.Character }, 'character' );
    assert.ok( other.vertexCount > 0 );
    const local = ( { simd } ) => supple.loadSupple( { simd } ); // there is nothing at the address of the page
    const plain = await runs( snippets( 'SIMD' ), { bytes, loadSupple: local, Character: supple.Character }, 'character' );
    assert.match( plain.supple.simd, /scalar/ );
} );

test( 'bakes', { skip: fox.skip }, async () => {
    const [ here, beside ] = snippets( 'Baking' );
    const report = await runs( [ here ], { fox: fox.bytes() }, 'report' );
    assert.ok( report );
    const bar = {};
    const length = await runs( [ beside ], { fox: fox.bytes(), bar, bakeInWorker: supple.bakeInWorker }, 'bytes.length' );
    assert.ok( length > 0 && bar.textContent.endsWith( '%' ) );
} );
