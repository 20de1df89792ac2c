// Texture coordinates of meshes that are compressed with Draco, by the package's own decoder: for the page to draw with.
import { fileOf } from '../page/files.js';
import { documentOf } from '../stage/look_document.js';

const name = 'KHR_draco_mesh_compression';
const whySize = 160, defSize = 24, mostBytes = 2 ** 27;

/** The bytes of a buffer view, or null. */
function viewBytes( { json, binary }, number, files )
{
    const { buffer = 0, byteOffset = 0, byteLength } = json.bufferViews?.[number] ?? {};
    const uri = json.buffers?.[buffer]?.uri;
    const whole = uri === undefined ? binary : /^data:/.test( uri ) ? fromData( uri ) : fileOf( files, uri );
    return whole && byteOffset + byteLength <= whole.length ? whole.subarray( byteOffset, byteOffset + byteLength ) : null;
}

const fromData = ( uri ) => Uint8Array.from( atob( uri.slice( uri.indexOf( ',' ) + 1 ) ), ( letter ) => letter.charCodeAt( 0 ) );

/** Two numbers of each vertex; null where there are none, or the stream is another than the document says. */
function coordinatesOf( draco, document, { attributes, indices, extensions }, files )
{
    const { json } = document, { bufferView, attributes: ids = {} } = extensions[name];
    const stream = viewBytes( document, bufferView, files );
    const points = json.accessors?.[attributes?.POSITION]?.count, corners = json.accessors?.[indices]?.count;
    const counts = [ ids.TEXCOORD_0, points, corners ];
    if ( stream === null || !counts.every( Number.isSafeInteger ) || stream.length + 8 * points > mostBytes )
    {
        return null;
    }
    // what the decoder takes for the memory of its caller
    const at = defSize + whySize, out = Math.ceil( ( at + stream.length ) / 4 ) * 4;
    const room = { buffer: new ArrayBuffer( out + 8 * points ), writeText: () => {} };
    new Uint8Array( room.buffer, at ).set( stream );
    new Uint32Array( room.buffer, 0, 6 ).set( [ at, stream.length, points, corners / 3, 1024, 64 ] );
    const mesh = draco.decode( room, 0, defSize, whySize );
    if ( mesh === 0 )
    {
        return null;
    }
    const isRead = draco.attribute( room, mesh, ids.TEXCOORD_0, 5126, 2, out, defSize, whySize );
    draco.destroy( mesh );
    return isRead ? new Float32Array( room.buffer, out, 2 * points ).slice() : null;
}

/** By mesh and primitive of the file: "0 1". `draco`: the package's decoder, or null where no mesh wanted it. */
export function dracoCoordinates( draco, bytes, files )
{
    const found = {};
    try
    {
        const document = draco && documentOf( bytes ), own = draco?.another();
        ( document?.json.meshes ?? [] ).forEach( ( { primitives }, mesh ) => primitives.forEach( ( primitive, number ) => {
            const coordinates = primitive.extensions?.[name] ? coordinatesOf( own, document, primitive, files ) : null;
            Object.assign( found, coordinates ? { [`${mesh} ${number}`]: coordinates } : {} );
        } ) );
    }
    catch
    {
        // looks alone are lost
    }
    return found;
}
