// The declarations are sound, and declare what is there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import * as supple from '../dist/index.js';
import { root, run } from './support.mjs';

const tsc = `${root}js/node_modules/typescript/bin/tsc`;

for ( const lib of [ 'es2022,dom', 'esnext,dom' ] ) // the second has Symbol.dispose itself
{
    test( `tsc agrees with the declarations, with ${lib}`, { skip: existsSync( tsc ) ? false : "no tsc: './run test' installs it" }, () => {
        const { code, out } = run( process.execPath, [ tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext',
            '--moduleResolution', 'nodenext', '--lib', lib, `${root}js/test/types_sample.ts` ] );
        assert.equal( out, '' );
        assert.equal( code, 0 );
    } );
}

test( 'what is exported is declared, and the other way round', () => {
    const text = readFileSync( new URL( '../dist/index.d.ts', import.meta.url ), 'utf8' );
    const declared = [ ...text.matchAll( /^export (?:class|function) (\w+)/gm ) ].map( ( [ , name ] ) => name );
    assert.deepEqual( declared.filter( ( name ) => name !== 'Handle' ).sort(), Object.keys( supple ).sort() );
} );
