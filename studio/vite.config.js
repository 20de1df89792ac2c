// The page stands on the built package (js/dist) and is a folder of files for any web host: all addresses are relative.
import { defineConfig } from 'vite';

export default defineConfig( {
    base: './',
    resolve: { alias: { supple: new URL( '../js/dist/index.js', import.meta.url ).pathname } },
    server: { fs: { allow: [ '..' ] } },
    worker: { format: 'es' },
    build: { target: 'es2022', chunkSizeWarningLimit: 900, assetsInlineLimit: 0 },
} );
