// What a page loads at first stays small: the module as a server packs it, without Draco.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const most = 600e3;

for ( const name of [ 'supple.wasm', 'supple_plain.wasm' ] )
{
    test( `${name} is at most ${most / 1000} kB, packed`, ( t ) => {
        const { length } = gzipSync( readFileSync( new URL( `../dist/${name}`, import.meta.url ) ), { level: 9 } );
        t.diagnostic( `${length} bytes` );
        assert.ok( length <= most, `${length} bytes` );
    } );
}
