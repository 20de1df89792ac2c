// Materials and texture coordinates by three.js's own loader: looks, and only looks. What asks for too much is left out.
import { LoadingManager } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { fileOf } from '../page/files.js';
import { documentOf, looksAlone } from './look_document.js';
import { isModest } from './pictures.js';

const mostMetal = 0.35; // metal shows what is around it, and nothing is

/** null where it cannot be read, or asks for too much: the character is then grey. */
export async function loadLook( bytes, files )
{
    const manager = new LoadingManager();
    const urls = [];
    manager.setURLModifier( ( url ) => {
        const own = fileOf( files, url );
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
        const looks = looksAlone( document, isModest( document, files ) );
        return looks && await new GLTFLoader( manager ).setMeshoptDecoder( MeshoptDecoder ).parseAsync( looks.buffer, '' );
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

/** What three.js's loader makes of a mesh, by node and primitive of the file: { geometry, material, count }. */
export function looksOf( gltf )
{
    const found = new Map(), smooth = new Map();
    // the loader takes what has no normals for faceted; here they are the simulation's
    const shaded = ( material, isFlat ) => {
        if ( !isFlat && !smooth.has( material ) )
        {
            smooth.set( material, Object.assign( material.clone(), { flatShading: false } ) );
        }
        return isFlat ? material : smooth.get( material );
    };
    gltf?.scene.traverse( ( object ) => {
        if ( object.isMesh )
        {
            const { associations, json } = gltf.parser, own = associations.get( object );
            const node = own.nodes ?? associations.get( object.parent )?.nodes;
            [ object.material ].flat().forEach( ( one ) => { one.metalness = Math.min( one.metalness ?? 0, mostMetal ); } );
            const { count, isFlat } = json.meshes[own.meshes].primitives[own.primitives].extras;
            found.set( `${node} ${own.primitives}`, { geometry: object.geometry, material: shaded( object.material, isFlat ), count } );
        }
    } );
    return found;
}
