// Of a glTF document what looks are made of, and no more: materials, pictures, texture coordinates and colours of vertices,
// each mesh with a node of its own. Where vertices stand is the simulation's, so skins, motion and places are left out;
// what asks for too much is left out, too. Files are anybody's: nothing in one is believed.

const most = { parts: 20000, materials: 5000, textures: 2000, bytes: 2 ** 29 };
const kept = /^(TEXCOORD_[0-3]|COLOR_0)$/;
const known = /^(KHR_(materials|texture|mesh_quantization)|EXT_(meshopt_compression|texture))/;
const componentSizes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 }, widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

const listOf = ( value ) => ( Array.isArray( value ) ? value : [] );
const isCount = ( value ) => Number.isSafeInteger( value ) && value >= 0;

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

/** Whether an accessor takes no more than a share of memory, compressed or not; null where it is none. */
function sizeOf( { accessors, bufferViews }, number )
{
    const { count, type, componentType, sparse, bufferView } = accessors?.[number] ?? {};
    const size = count * widths[type] * componentSizes[componentType];
    const { EXT_meshopt_compression: packed } = bufferViews?.[bufferView]?.extensions ?? {};
    const unpacked = packed ? packed.count * packed.byteStride : 0;
    const isRead = isCount( count ) && isCount( size ) && isCount( unpacked ) && sparse === undefined;
    return isRead ? size + unpacked : Infinity;
}

function strippedPrimitive( json, { attributes = {}, material, extensions = {} }, budget )
{
    const own = {};
    for ( const [ name, accessor ] of Object.entries( attributes ) )
    {
        const size = kept.test( name ) ? sizeOf( json, accessor ) : 0;
        if ( size > 0 && size <= budget.bytes && json.accessors[accessor].bufferView !== undefined )
        {
            budget.bytes -= size;
            own[name] = accessor;
        }
    }
    const { KHR_materials_variants: variants } = extensions;
    return { attributes: own, ...( isCount( material ) ? { material } : {} ), ...( variants ? { extensions: { KHR_materials_variants: variants } } : {} ),
        extras: { count: json.accessors?.[attributes.POSITION]?.count, isFlat: attributes.NORMAL === undefined } };
}

/** Textures that a browser has no decoder for, and pictures that are too large, show nothing: none is asked for. */
function withoutTextures( json, isGone )
{
    return JSON.parse( JSON.stringify( json, ( key, value ) => ( /Texture$/.test( key ) && isGone( value?.index ) ? undefined : value ) ) );
}

const isShown = ( { source, extensions = {} } ) => isCount( source ?? extensions.EXT_texture_webp?.source ?? extensions.EXT_texture_avif?.source );

/** The document for looks, or null where it asks for too much. `hasPictures` false: with colours alone. */
export function looksAlone( { json, binary }, hasPictures )
{
    const meshes = listOf( json.meshes ), nodes = listOf( json.nodes ), budget = { bytes: most.bytes };
    const parts = nodes.reduce( ( sum, node ) => sum + listOf( meshes[node?.mesh]?.primitives ).length, 0 );
    if ( parts > most.parts || nodes.length > 10 * most.parts || listOf( json.materials ).length > most.materials ||
        listOf( json.textures ).length > most.textures )
    {
        return null;
    }
    const textures = listOf( json.textures );
    const plain = withoutTextures( { materials: json.materials ?? [] }, ( index ) => !hasPictures || !isShown( textures[index] ?? {} ) );
    const out = {
        asset: { version: '2.0' }, extensionsUsed: listOf( json.extensionsUsed ).filter( ( name ) => known.test( name ) ), materials: plain.materials,
        ...( hasPictures ? { textures, images: json.images, samplers: json.samplers } : {} ),
        meshes: meshes.map( ( { primitives } ) => ( { primitives: listOf( primitives ).map( ( one ) => strippedPrimitive( json, one, budget ) ) } ) ),
        nodes: nodes.map( ( node ) => ( isCount( node?.mesh ) ? { mesh: node.mesh } : {} ) ),
        scenes: [ { nodes: nodes.flatMap( ( node, i ) => ( isCount( node?.mesh ) ? [ i ] : [] ) ) } ], scene: 0,
        accessors: json.accessors, bufferViews: json.bufferViews, buffers: json.buffers,
    };
    return packed( JSON.stringify( out ), binary );
}

/** A .gltf, or a .glb where there is a binary part. */
function packed( words, binary )
{
    const json = new TextEncoder().encode( words );
    if ( binary === null )
    {
        return json;
    }
    const jsonLength = Math.ceil( json.length / 4 ) * 4, binaryLength = Math.ceil( binary.length / 4 ) * 4;
    const out = new Uint8Array( 28 + jsonLength + binaryLength ), view = new DataView( out.buffer );
    [ 0x46546c67, 2, out.length, jsonLength, 0x4e4f534a ].forEach( ( value, i ) => view.setUint32( 4 * i, value, true ) );
    out.fill( 0x20, 20, 20 + jsonLength ).set( json, 20 );
    view.setUint32( 20 + jsonLength, binaryLength, true );
    view.setUint32( 24 + jsonLength, 0x004e4942, true );
    out.set( binary, 28 + jsonLength );
    return out;
}
