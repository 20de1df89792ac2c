// Files beside a document, by the names that it uses for them.

/** A name in an address, as people write it. */
export function decoded( uri )
{
    try
    {
        return decodeURIComponent( uri );
    }
    catch
    {
        return uri;
    }
}

/** The bytes of a file that a document names, or null. */
export function fileOf( files, uri )
{
    const name = [ decoded( uri ), uri, decoded( uri ).split( '/' ).pop() ].find( ( one ) => Object.hasOwn( files, one ) );
    return name === undefined ? null : files[name];
}
