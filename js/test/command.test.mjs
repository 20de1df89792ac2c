// The command in npm does what the program does; and the package works when it is installed.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { asset, folderFor, program, root, run } from './support.mjs';

const command = `${root}js/bin/supple.js`;
const supple = ( words, options ) => run( process.execPath, [ command, ...words ], options );
const fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );
const withoutTime = ( text ) => text.replace( /\d+\.\d+ s$/gm, 'TIME' );

for ( const words of [ [ 'inspect', 'fox.glb' ], [ 'inspect', 'fox.glb', '--json' ], [ 'rig', 'fox.glb' ], [ 'rig', '-h' ],
    [ 'bake', 'fox.glb', 'out.glb', '--clip', 'Run' ], [ 'bake', 'fox.glb' ], [ 'bake', 'none.glb', 'out.glb' ],
    [ 'bake', 'fox.glb', 'nowhere/out.glb' ], [ 'bake', 'fox.glb', 'out.glb', '--clip', 'Swim' ], [ 'bake', '--fsp', '3' ],
    [ 'rig', 'fox.glb', 'out.rig.json' ] ] )
{
    test( `supple ${words.join( ' ' )}`, { skip: fox.skip }, ( t ) => {
        const [ here, there ] = [ folderFor( t ), folderFor( t ) ];
        writeFileSync( `${here}/fox.glb`, fox.bytes() );
        writeFileSync( `${there}/fox.glb`, fox.bytes() );
        const ours = supple( words, { cwd: here } );
        const theirs = run( program, words, { cwd: there } );
        assert.equal( ours.code, theirs.code );
        assert.equal( withoutTime( ours.out ), withoutTime( theirs.out ) );
        assert.equal( ours.words, theirs.words );
        for ( const name of [ 'out.glb', 'out.rig.json' ] )
        {
            assert.equal( existsSync( `${here}/${name}` ), existsSync( `${there}/${name}` ) );
            assert.ok( !existsSync( `${here}/${name}` )
                || Buffer.compare( readFileSync( `${here}/${name}` ), readFileSync( `${there}/${name}` ) ) === 0, name );
        }
    } );
}

test( 'other commands need the native program', () => {
    const { code, words } = supple( [ 'render', 'fox.glb', 'fox.png' ] );
    assert.equal( code, 1 );
    assert.match( words, /'render' needs the native program/ );
    assert.equal( supple( [ 'rneder' ] ).code, 2 );
    assert.equal( supple( [] ).code, 2 );
    assert.equal( supple( [ '-h' ] ).code, 0 );
    assert.match( supple( [ 'version' ] ).out, /^supple \d+\.\d+\.\d+ / );
} );

test( 'the package, packed and installed in an empty project', { skip: fox.skip }, ( t ) => {
    const folder = folderFor( t );
    const packed = run( 'npm', [ 'pack', '--silent', '--pack-destination', folder, `${root}js` ], { cwd: folder } );
    assert.equal( packed.code, 0, packed.words );
    mkdirSync( `${folder}/project` );
    const at = { cwd: `${folder}/project` };
    writeFileSync( `${folder}/project/package.json`, '{ "type": "module" }' );
    writeFileSync( `${folder}/project/fox.glb`, fox.bytes() );
    const installed = run( 'npm', [ 'install', '--offline', '--no-audit', '--no-fund', `supple@file:${folder}/${packed.out.trim()}` ], at );
    assert.equal( installed.code, 0, installed.words );
    writeFileSync( `${folder}/project/live.js`, `
        import { readFile } from 'node:fs/promises';
        import { Body, Character, Model, Pose, proposeRig } from 'supple';
        const bytes = await readFile( 'fox.glb' );
        ${readFileSync( `${root}docs/javascript.md`, 'utf8' ).match( /```js\nimport[^\n]* from 'supple';\n([^]*?)```/ )[1]}
        frame( 0, 0 );
        frame( 0.1, 0.1 );
        console.log( body.skin().positions.length );` );
    const lived = run( process.execPath, [ 'live.js' ], at );
    assert.equal( lived.out, '5184\n', lived.words );
    const baked = run( 'npx', [ '--no-install', 'supple', 'bake', 'fox.glb', 'out.glb', '--clip', 'Run' ], at );
    assert.equal( baked.code, 0, baked.words );
    assert.ok( existsSync( `${folder}/project/out.glb` ) );
} );
