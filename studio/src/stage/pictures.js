// How large the pictures of a file are, before a browser decodes them: some hundred bytes can ask for gigabytes.
import { fileOf } from '../page/files.js';

const mostPixels = 2 ** 27; // of all pictures together: half a gigabyte of the graphics memory

const text = ( bytes, from, to ) => new TextDecoder().decode( bytes.subarray( from, to ) );

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
        return fileOf( files, uri );
    }
    const { buffer = 0, byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    const name = json.buffers[buffer].uri;
    const whole = name === undefined ? binary : fileOf( files, name );
    return whole?.subarray( byteOffset, byteOffset + byteLength ) ?? null;
}

/** Whether all pictures together are small enough to be decoded. */
export function isModest( document, files )
{
    const pixels = ( document.json.images ?? [] ).map( ( image ) => pictureBytes( image, document, files ) ).filter( Boolean ).map( pixelsOf );
    return pixels.reduce( ( sum, one ) => sum + one, 0 ) <= mostPixels;
}
