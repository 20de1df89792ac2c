// How large the pictures of a file are, before a browser decodes them: some hundred bytes can ask for gigabytes.

const mostPixels = 2 ** 27; // of all pictures together: half a gigabyte of the graphics memory

const mostNumbers = 2 ** 25; // of all accessors together, sixteen bytes each at most

const text = ( bytes, from, to ) => new TextDecoder().decode( bytes.subarray( from, to ) );

/** The parts of a .glb or .gltf: { json, binary }. */
export function documentOf( bytes )
{
    if ( text( bytes, 0, 4 ) !== 'glTF' )
    {
        return { json: JSON.parse( text( bytes, 0, bytes.length ) ), binary: null };
    }
    const length = new DataView( bytes.buffer, bytes.byteOffset ).getUint32( 12, true );
    return { json: JSON.parse( text( bytes, 20, 20 + length ) ), binary: bytes.subarray( 28 + length ) };
}

/** Pixels of a JPEG: its frame says so. */
function jpegPixels( view )
{
    for ( let at = 2; at + 9 < view.byteLength && view.getUint8( at ) === 0xff; at += 2 + view.getUint16( at + 2 ) )
    {
        const kind = view.getUint8( at + 1 );
        if ( kind >= 0xc0 && kind <= 0xcf && ![ 0xc4, 0xc8, 0xcc ].includes( kind ) )
        {
            return view.getUint16( at + 5 ) * view.getUint16( at + 7 );
        }
    }
    return Infinity;
}

/** Pixels of a WebP, in each of its three forms. */
function webpPixels( view, form )
{
    const bits24 = ( at ) => view.getUint16( at, true ) + 65536 * view.getUint8( at + 2 );
    if ( form === 'VP8X' )
    {
        return ( 1 + bits24( 24 ) ) * ( 1 + bits24( 27 ) );
    }
    const both = form === 'VP8L' ? view.getUint32( 21, true ) : 0;
    return form === 'VP8L' ? ( 1 + ( both & 0x3fff ) ) * ( 1 + ( ( both >> 14 ) & 0x3fff ) )
        : ( view.getUint16( 26, true ) & 0x3fff ) * ( view.getUint16( 28, true ) & 0x3fff );
}

/** What a picture takes once it is decoded; Infinity where nobody knows its form. */
function pixelsOf( bytes )
{
    const view = new DataView( bytes.buffer, bytes.byteOffset, bytes.byteLength );
    if ( bytes.length < 30 )
    {
        return Infinity;
    }
    if ( view.getUint32( 0 ) === 0x89504e47 )
    {
        return view.getUint32( 16 ) * view.getUint32( 20 );
    }
    if ( view.getUint16( 0 ) === 0xffd8 )
    {
        return jpegPixels( view );
    }
    return text( bytes, 8, 12 ) === 'WEBP' ? webpPixels( view, text( bytes, 12, 16 ) ) : Infinity;
}

function pictureBytes( { uri, bufferView }, { json, binary }, files )
{
    if ( uri?.startsWith( 'data:' ) )
    {
        return Uint8Array.from( atob( uri.slice( uri.indexOf( ',' ) + 1 ) ), ( letter ) => letter.charCodeAt( 0 ) );
    }
    if ( uri !== undefined )
    {
        return files[decodeURIComponent( uri )] ?? files[uri.split( '/' ).pop()] ?? null;
    }
    const { buffer = 0, byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    const name = json.buffers[buffer].uri;
    const whole = name === undefined ? binary : files[decodeURIComponent( name )];
    return whole?.subarray( byteOffset, byteOffset + byteLength ) ?? null;
}

/** Whether all accessors together are small enough: one that has no bytes in the file may ask for any number of zeros. */
export function isSmall( { json } )
{
    return ( json.accessors ?? [] ).reduce( ( sum, { count } ) => sum + count, 0 ) <= mostNumbers;
}

/** Whether all pictures together are small enough to be decoded. */
export function isModest( document, files )
{
    const pixels = ( document.json.images ?? [] ).map( ( image ) => pictureBytes( image, document, files ) ).filter( Boolean ).map( pixelsOf );
    return pixels.reduce( ( sum, one ) => sum + one, 0 ) <= mostPixels;
}

/** The same document with colours alone, as a .gltf. */
export function withoutPictures( { json, binary } )
{
    const plain = JSON.parse( JSON.stringify( json, ( key, value ) => ( /Texture$/.test( key ) ? undefined : value ) ) );
    delete plain.images;
    delete plain.textures;
    if ( binary && plain.buffers?.[0] && plain.buffers[0].uri === undefined )
    {
        let letters = '';
        for ( let at = 0; at < binary.length; at += 8192 )
        {
            letters += String.fromCharCode( ...binary.subarray( at, at + 8192 ) );
        }
        plain.buffers[0].uri = `data:application/octet-stream;base64,${btoa( letters )}`;
    }
    return new TextEncoder().encode( JSON.stringify( plain ) );
}
