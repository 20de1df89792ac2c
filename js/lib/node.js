/**
 * A module of Node's own, "fs/promises". Bundlers for browsers look for what an import names; this one names nothing that
 * they could read, and is never reached there.
 */
export function nodeModule( name )
{
    return import( /* webpackIgnore: true */ /* @vite-ignore */ `node:${name}` );
}
