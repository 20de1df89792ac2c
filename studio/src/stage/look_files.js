// Materials and texture coordinates by three.js's own loader: looks, and only looks. What asks for too much is left out.
import { LoadingManager } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { documentOf, isModest, isSmall, withoutPictures } from './pictures.js';

/** null where it cannot be read, or asks for too much: the character is then grey. */
export async function loadLook( bytes, files )
{
    const manager = new LoadingManager();
    const urls = [];
    manager.setURLModifier( ( url ) => {
        const own = files[decodeURIComponent( url )] ?? files[url.split( '/' ).pop()];
        if ( !own )
        {
            return /^(blob|data):/.test( url ) ? url : 'data:,';
        }
        urls.push( URL.createObjectURL( new Blob( [ own ] ) ) );
        return urls[urls.length - 1];
    } );
    try
    {
        const document = documentOf( bytes );
        if ( !isSmall( document ) )
        {
            return null;
        }
        const safe = isModest( document, files ) ? bytes : withoutPictures( document );
        const loader = new GLTFLoader( manager ).setMeshoptDecoder( MeshoptDecoder );
        return await loader.parseAsync( safe.slice().buffer, '' );
    }
    catch
    {
        return null;
    }
    finally
    {
        urls.forEach( ( url ) => URL.revokeObjectURL( url ) );
    }
}

/** The meshes of three.js's loader, by node and primitive of the file. */
export function looksOf( gltf )
{
    const found = new Map();
    gltf?.scene.updateMatrixWorld( true );
    gltf?.scene.traverse( ( object ) => {
        if ( object.isMesh )
        {
            const own = gltf.parser.associations.get( object ) ?? {};
            const node = own.nodes ?? gltf.parser.associations.get( object.parent )?.nodes;
            found.set( `${node} ${own.primitives ?? 0}`, object );
        }
    } );
    return found;
}
