// Bakes have the very bytes of the program, and its report.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test from 'node:test';
import { bake, bakeInWorker, Character, loadSupple } from '../dist/index.js';
import { characters } from './characters.mjs';
import { asset, builds, folderFor, program, run } from './support.mjs';

/** A report without what names files and time. */
export function plainReport( { input, output, seconds, ...report } )
{
    return report;
}

/** What the program makes of a file. */
function bakeNatively( file, clip, form, folder )
{
    const { code, out, words } = run( program, [ 'bake', file, `${folder}/out.glb`, '--json', '--clip', clip, '--as', form ] );
    assert.equal( code, 0, words );
    return { bytes: new Uint8Array( readFileSync( `${folder}/out.glb` ) ), report: JSON.parse( out ) };
}

const readerOf = ( path ) => ( uri ) => {
    try
    {
        return readFileSync( `${dirname( path )}/${uri}` );
    }
    catch
    {
        return null;
    }
};

for ( const [ i, [ name, clip, form ] ] of characters.entries() )
{
    const file = asset( name );
    const skip = process.env.SUPPLE_QUICK && i > 3 ? "left to './run test all'" : file.skip;
    test( `${name} as ${form}: the bytes of the program`, { skip }, async ( t ) => {
        const options = { name: name.split( '/' ).pop(), as: form, readFile: readerOf( file.path ) };
        const character = await Character.fromGltf( file.bytes(), options );
        const clips = [ typeof clip === 'number' ? character.clips[clip].name : clip ];
        character.dispose();
        const native = bakeNatively( file.path, clips[0], form, folderFor( t ) );
        for ( const { name: build, simd } of builds )
        {
            const supple = await loadSupple( { simd } );
            const { bytes, report } = await bake( file.bytes(), { ...options, clips, supple } );
            assert.ok( Buffer.compare( bytes, native.bytes ) === 0, `${build}: other bytes than the program's` );
            assert.deepEqual( plainReport( report ), plainReport( { ...native.report, bytesIn: report.bytesIn } ) );
        }
    } );
}

const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );

test( 'in a worker the same comes out, and the thread goes on meanwhile', { skip: fox.skip }, async () => {
    const stages = new Set();
    let beats = 0;
    const pulse = setInterval( () => { beats += 1; }, 5 );
    const beside = await bakeInWorker( fox.bytes(), { clips: [ 'Run' ] }, { onProgress: ( { stage } ) => stages.add( stage ) } );
    clearInterval( pulse );
    const here = await bake( fox.bytes(), { clips: 'Run' } );
    assert.ok( Buffer.compare( beside.bytes, here.bytes ) === 0 );
    assert.ok( stages.has( 'looking for flesh' ) && stages.size >= 4, [ ...stages ].join( ', ' ) );
    assert.ok( beats > 3, `${beats} beats of the clock` );
} );

test( 'a bake ends when it is told to, and another goes on', { skip: fox.skip }, async () => {
    const abort = new AbortController();
    await assert.rejects( bake( fox.bytes(), {}, { signal: abort.signal, onProgress: () => abort.abort() } ), { name: 'AbortError' } );
    const other = new AbortController();
    const running = bakeInWorker( fox.bytes(), {}, { signal: other.signal, onProgress: () => other.abort() } );
    await assert.rejects( running, { name: 'AbortError' } );
    const throws = { onProgress: () => { throw new Error( 'the bar is gone' ); } };
    await assert.rejects( bake( fox.bytes(), {}, throws ), /the bar is gone/ );
    await assert.rejects( bakeInWorker( fox.bytes(), {}, throws ), /the bar is gone/ );
    assert.ok( ( await bake( fox.bytes(), { clips: 'Run' } ) ).bytes.length > 1000 );
} );

test( 'options are the words of the program, and wrong ones get its words', { skip: fox.skip }, async ( t ) => {
    const folder = folderFor( t );
    run( program, [ 'bake', fox.path, `${folder}/a.glb`, '--preset', 'heavy', '--region', 'belly=1.5', '--without', 'thighs',
        '--fps', '60', '--clip', 'Walk', '--drop-originals', '--no-embed', '--influences', '8', '--tolerance', '0.1%' ] );
    const { bytes } = await bake( fox.bytes(), { preset: 'heavy', regions: { belly: 1.5 }, without: [ 'thighs' ], fps: 60,
        clips: [ 'Walk' ], dropOriginals: true, embed: false, influences: 8, tolerance: '0.1%' } );
    assert.ok( Buffer.compare( bytes, readFileSync( `${folder}/a.glb` ) ) === 0 );
    await assert.rejects( bake( fox.bytes(), { clips: 'Swim' } ), /no clip "?'?Swim/ );
    await assert.rejects( bake( fox.bytes(), { fps: 0 } ), /fps/ );
    await assert.rejects( bake( fox.bytes(), { speed: 3 } ), /no option "speed"/ );
} );

test( 'a rig goes in as a value', { skip: fox.skip }, async () => {
    const first = await bake( fox.bytes(), { clips: 'Run' } );
    const character = await Character.fromGltf( first.bytes, { removeBake: true } );
    const again = await bake( fox.bytes(), { clips: 'Run', rig: character.insideRig } );
    assert.deepEqual( again.report.clips[0].hash, first.report.clips[0].hash );
    assert.equal( again.report.elements.length, first.report.elements.length );
} );
