// Living characters in three.js: enliven( gltf ) once, living.update( dt ) after mixer.update( dt ).
import { Bone, BufferAttribute, BufferGeometry, Matrix4, PropertyBinding, Skeleton } from 'three';
import { SuppleError } from './error.js';
import { checkInfluences, inverseBinds, LivingBase, localNode, makeModel, modelNode, nodeFloats, nodeKind, SceneBody,
    SharedModel, wayFor, writeMissing, writeTransform } from './scene.js';
import { applyEight, shadowMaterials, teachMaterial } from './three_eight.js';

// ------------------------------------------------------------------------------------------------------------------
// A character that is shared by all its instances

/** The bytes that GLTFLoader read, as a document with its buffers beside it. */
async function documentOf( parser )
{
    const json = structuredClone( parser.json );
    const files = new Map();
    for ( const [ number, buffer ] of ( json.buffers ?? [] ).entries() )
    {
        const isFallback = buffer.extensions?.EXT_meshopt_compression?.fallback === true;
        if ( !isFallback )
        {
            buffer.uri = `buffer${number}`;
            files.set( buffer.uri, await parser.getDependency( 'buffer', number ) );
        }
    }
    const bytes = new TextEncoder().encode( JSON.stringify( json ) );
    return { bytes, readFile: ( uri ) => files.get( uri ) ?? null };
}

const isHelper = ( object ) => object.userData.suppleHelper !== undefined;

/** All objects of a tree in order, but for helpers of ours. */
function objectsOf( root )
{
    const list = [];
    const visit = ( object ) => {
        list.push( object );
        object.children.forEach( ( child ) => isHelper( child ) || visit( child ) );
    };
    visit( root );
    return list;
}

/** What is known of a character, for all instances: its model, and which object of the tree is which node and mesh. */
class Shared extends SharedModel
{
    constructor( model )
    {
        super( model );
        this.names = [];
        this.order = [];  // of each object of the tree: { node, mesh }, -1 where it is none
    }

    /** By what GLTFLoader says. */
    readAssociations( root, associations )
    {
        const { meshes } = this.model.character;
        const places = new Map( meshes.map( ( mesh, number ) => [ `${mesh.joint} ${mesh.sourcePrimitive}`, number ] ) );
        this.read( root, ( object ) => {
            const own = associations.get( object ) ?? {};
            // of several primitives each is a child of the node's group
            const node = own.nodes ?? ( object.isMesh ? associations.get( object.parent )?.nodes : undefined );
            return { node: own.nodes ?? -1,
                mesh: object.isMesh ? places.get( `${node} ${own.primitives ?? 0}` ) ?? -1 : -1 };
        } );
    }

    /** By names, as GLTFLoader makes them of the file's: for objects that another loader made. */
    readNames( root )
    {
        const { joints, meshes } = this.model.character;
        const nodes = new Map( joints.map( ( { name }, node ) => [ PropertyBinding.sanitizeNodeName( name ), node ] ) );
        const taken = new Set();
        this.read( root, ( object ) => {
            const node = nodes.get( object.name ) ?? -1;
            const holder = object.isMesh && node < 0 ? nodes.get( object.parent?.name ) ?? -1 : node;
            const mesh = object.isMesh ? meshes.findIndex( ( one, number ) => one.joint === holder && !taken.has( number )
                && one.vertexCount === object.geometry.attributes.position?.count ) : -1;
            taken.add( mesh );
            return { node, mesh };
        } );
    }

    read( root, say )
    {
        for ( const object of objectsOf( root ) )
        {
            this.order.push( say( object ) );
            this.names.push( object.name );
            if ( object.isMesh )
            {
                shares.set( object.geometry, this );
            }
        }
    }

    /** The objects of an instance: of each node, and of each mesh. */
    find( root )
    {
        const list = objectsOf( root );
        const byName = new Map( list.map( ( object ) => [ object.name, object ] ) );
        const { joints, meshes } = this.model.character;
        const nodes = joints.map( () => null ), shown = meshes.map( () => null );
        this.order.forEach( ( { node, mesh }, i ) => {
            const object = list.length === this.order.length ? list[i] : byName.get( this.names[i] );
            if ( node >= 0 )
            {
                nodes[node] = object ?? null;
            }
            if ( mesh >= 0 )
            {
                shown[mesh] = object ?? null;
            }
        } );
        const lost = this.model.character.skins.flatMap( ( skin ) => skin.joints ).find( ( joint ) => !nodes[joint] );
        if ( lost !== undefined )
        {
            throw new SuppleError( `${root.name || 'the object'}: no bone "${joints[lost].name}" below it` );
        }
        return { nodes, meshes: shown };
    }
}

const shares = new WeakMap();    // of geometries: the character that they are of
const originals = new WeakMap(); // of geometries of ours: what they were made of
const livings = new WeakMap();   // of roots

function sharedOf( root )
{
    let found;
    root.traverse( ( object ) => { found ??= object.isMesh ? shares.get( object.geometry ) : undefined; } );
    return found?.model.isDisposed ? undefined : found;
}

// ------------------------------------------------------------------------------------------------------------------
// Geometry

/** Shares everything with another, until attributes are put in place of its own. */
function siblingOf( geometry )
{
    const sibling = new BufferGeometry();
    sibling.name = geometry.name;
    sibling.setIndex( geometry.index );
    Object.entries( geometry.attributes ).forEach( ( [ name, value ] ) => sibling.setAttribute( name, value ) );
    sibling.morphAttributes = { ...geometry.morphAttributes };
    sibling.morphTargetsRelative = geometry.morphTargetsRelative;
    sibling.groups = geometry.groups;
    sibling.drawRange = geometry.drawRange;
    sibling.userData = geometry.userData;
    sibling.boundingBox = geometry.boundingBox;
    sibling.boundingSphere = geometry.boundingSphere;
    return sibling;
}

function matrixOf( floats, place = 0 )
{
    const [ a, b, c, d, e, f, g, h, i, x, y, z ] = floats.subarray( 12 * place, 12 * place + 12 );
    return new Matrix4().set( a, d, g, x, b, e, h, y, c, f, i, z, 0, 0, 0, 1 );
}

/** What a mesh was before, to be put back. */
function remember( mesh )
{
    const { geometry, skeleton, customDepthMaterial, customDistanceMaterial, boundingSphere } = mesh;
    const matrix = mesh.bindMatrix.clone();
    return () => {
        mesh.geometry = geometry;
        mesh.bind( skeleton, matrix );
        mesh.customDepthMaterial = customDepthMaterial;
        mesh.customDistanceMaterial = customDistanceMaterial;
        mesh.boundingSphere = boundingSphere;
        delete mesh.applyBoneTransform;
    };
}

// ------------------------------------------------------------------------------------------------------------------
// One on stage

const inverse = new Matrix4(), relative = new Matrix4(), even = new Matrix4();

class Living extends LivingBase
{
    constructor( shared, root, way, most )
    {
        const influences = way === 'joints' ? shared.influencesFor( most ) : null;
        super( shared.model, new SceneBody( shared.model, way === 'joints' ), way, influences?.error ?? 0 );
        this.shared = shared;
        this.root = root;
        this.undo = [];
        this.undoFailed = []; // beside `undo`, where it cannot be made
        this.eights = [];
        this.skins = [];
        this.skeletons = [];
        this.helpers = [];
        try
        {
            this.#enter( influences );
        }
        catch ( error )
        {
            this.#leave();
            this.undoFailed.reverse().forEach( ( back ) => back() );
            throw error;
        }
        shared.users += 1;
        livings.set( root, this );
    }

    #enter( influences )
    {
        const { shared, root } = this;
        this.#removeCopies();
        const { nodes, meshes } = shared.find( root );
        const { joints } = this.model.character;
        this.nodes = nodes.map( ( object, joint ) => ( object === null ? null
            : { object, parent: joints[joint].parent < 0 ? root : nodes[joints[joint].parent] } ) );
        this.meshes = meshes;
        this.morphs = meshes.some( ( mesh ) => mesh?.morphTargetInfluences )
            ? new Float32Array( this.model.character.morphWeightCount ) : null;
        this.isEven = true;
        if ( this.way === 'joints' )
        {
            this.#addHelpers( influences );
        }
        else
        {
            this.#takeVertices();
            this.#showPose();
        }
    }

    /** A copy of a living character has copies of its helpers too. */
    #removeCopies()
    {
        const found = [];
        this.root.traverse( ( object ) => { if ( isHelper( object ) ) { found.push( object ); } } );
        found.forEach( ( object ) => {
            const { parent } = object;
            this.undoFailed.push( () => parent.add( object ) );
            object.removeFromParent();
        } );
    }

    /** As the bones are now, with no flesh moving: what is drawn, and measured for culling, before the first update. */
    #showPose()
    {
        this.update( 0 );
        this.body.reset();
    }

    #replace( mesh, number, make )
    {
        const { vertexCount, name } = this.model.character.meshes[number];
        const has = mesh.geometry.attributes.position.count;
        if ( has !== vertexCount )
        {
            throw new SuppleError( `mesh "${mesh.name || name}" has ${has} vertices, and ${vertexCount} in the file` );
        }
        if ( originals.has( mesh.geometry ) ) // a copy of one that lives: first it is as if it were not
        {
            this.undoFailed.push( remember( mesh ) );
            mesh.geometry = originals.get( mesh.geometry );
            mesh.bind( new Skeleton( ...this.#bonesOf( this.model.character.meshes[number].skin ) ), new Matrix4() );
            mesh.boundingSphere = null;
        }
        this.undo.push( remember( mesh ) );
        const geometry = make( mesh.geometry );
        originals.set( geometry, mesh.geometry );
        shares.set( geometry, this.shared );
        mesh.geometry = geometry;
    }

    /** The bones of a skin, and their inverse bind matrices. */
    #bonesOf( skin )
    {
        const { joints } = this.model.character.skins[skin];
        const binds = inverseBinds( this.model.character, skin );
        return [ joints.map( ( joint ) => this.nodes[joint].object ), joints.map( ( _, place ) => matrixOf( binds, place ) ) ];
    }

    #addHelpers( { packed, used } )
    {
        const { character, helpers } = this.model;
        const bones = helpers.map( () => null );
        used.flat().forEach( ( helper ) => {
            if ( bones[helper] === null )
            {
                const bone = new Bone();
                bone.name = `supple:${helpers[helper].name}:${character.joints[helpers[helper].joint].name}`;
                bone.userData.suppleHelper = helper;
                bone.matrixAutoUpdate = false;
                bone.matrix.makeTranslation( ...helpers[helper].place );
                this.nodes[helpers[helper].joint].object.add( bone );
                bones[helper] = bone;
                this.helpers.push( { bone, helper } );
            }
        } );
        const skeletons = character.skins.map( ( skin, number ) => {
            const [ own, inverses ] = this.#bonesOf( number );
            for ( const helper of used[number] )
            {
                const { joint, place } = helpers[helper];
                const bind = inverses[skin.joints.indexOf( joint )];
                own.push( bones[helper] );
                inverses.push( new Matrix4().makeTranslation( -place[0], -place[1], -place[2] ).multiply( bind ) );
            }
            return used[number].length > 0 ? new Skeleton( own, inverses ) : null;
        } );
        this.meshes.forEach( ( mesh, number ) => {
            if ( mesh?.isSkinnedMesh && packed[number] )
            {
                this.#replace( mesh, number, ( geometry ) => this.#carried( geometry, number, packed[number] ) );
                mesh.bind( skeletons[character.meshes[number].skin], mesh.bindMatrix );
                if ( packed[number].moreJoints )
                {
                    const { depth, distance } = shadowMaterials();
                    mesh.customDepthMaterial = mesh.customDepthMaterial ? teachMaterial( mesh.customDepthMaterial ) : depth;
                    mesh.customDistanceMaterial = mesh.customDistanceMaterial
                        ? teachMaterial( mesh.customDistanceMaterial ) : distance;
                    mesh.applyBoneTransform = applyEight;
                    this.eights.push( { mesh, material: null } );
                }
            }
        } );
        this.skeletons = skeletons.filter( ( one ) => one !== null );
        this.#teach();
    }

    /** The geometry with new influences, one for all instances. */
    #carried( geometry, number, { joints, weights, moreJoints, moreWeights } )
    {
        const { geometries } = this.shared;
        const key = `${number} ${moreJoints ? 8 : 4}`;
        if ( !geometries.has( key ) )
        {
            const own = siblingOf( geometry );
            own.setAttribute( 'skinIndex', new BufferAttribute( joints, 4 ) );
            own.setAttribute( 'skinWeight', new BufferAttribute( weights, 4 ) );
            if ( moreJoints )
            {
                own.setAttribute( 'suppleIndex', new BufferAttribute( moreJoints, 4 ) );
                own.setAttribute( 'suppleWeight',
                    new BufferAttribute( moreWeights.map( ( w, i ) => ( i % 4 === 3 ? 1 - w : w ) ), 4 ) );
            }
            geometries.set( key, own );
        }
        return geometries.get( key );
    }

    /** Materials may be changed at any time: the one that is there now reads eight. */
    #teach()
    {
        for ( const one of this.eights )
        {
            if ( one.material !== one.mesh.material )
            {
                one.material = one.mesh.material;
                [ one.material ].flat().forEach( teachMaterial );
            }
        }
    }

    /** Vertices are the module's: in the root's space, morphed and skinned. The mesh follows the root as its one bone. */
    #takeVertices()
    {
        this.meshes.forEach( ( mesh, number ) => {
            const { skin, vertexCount } = this.model.character.meshes[number];
            if ( !mesh?.isSkinnedMesh || skin < 0 )
            {
                return;
            }
            const skeleton = new Skeleton( [ this.root ], [ new Matrix4() ] );
            this.#replace( mesh, number, ( geometry ) => {
                const own = siblingOf( geometry );
                for ( const [ name, size ] of [ [ 'position', 3 ], [ 'normal', 3 ], [ 'tangent', 4 ] ] )
                {
                    if ( geometry.attributes[name] )
                    {
                        own.setAttribute( name, new BufferAttribute( new Float32Array( size * vertexCount ), size ) );
                    }
                }
                const weights = new Float32Array( 4 * vertexCount ).map( ( _, i ) => ( i % 4 === 0 ? 1 : 0 ) );
                own.setAttribute( 'skinIndex', new BufferAttribute( new Uint16Array( 4 * vertexCount ), 4 ) );
                own.setAttribute( 'skinWeight', new BufferAttribute( weights, 4 ) );
                own.morphAttributes = {};
                return own;
            } );
            mesh.bind( skeleton, new Matrix4() );
            this.skeletons.push( skeleton );
            this.skins.push( { mesh, number, skeleton } );
        } );
        this.hasTangents = this.skins.some( ( { mesh } ) => mesh.geometry.attributes.tangent );
    }

    /**
     * Moves on by `dt` seconds to where the bones are now. After the mixer and whatever else moves them.
     * False: bones or dt are no numbers, and it stays as it was.
     */
    update( dt )
    {
        this.root.updateWorldMatrix( true, false );
        this.#readWorld();
        this.#readNodes();
        if ( !this.body.stepNodes( dt ) )
        {
            return false;
        }
        if ( this.way === 'joints' )
        {
            this.#moveHelpers();
        }
        else
        {
            this.#writeVertices();
        }
        return true;
    }

    /** Where the root stands. A body takes turns and an even scale; what is left over goes to the nodes. */
    #readWorld()
    {
        const m = this.root.matrixWorld.elements;
        const x = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
        const y = m[4] * m[4] + m[5] * m[5] + m[6] * m[6];
        const z = m[8] * m[8] + m[9] * m[9] + m[10] * m[10];
        this.isEven = Math.abs( x - y ) + Math.abs( x - z ) < 1e-4 * x && this.root.matrixWorld.determinant() > 0;
        const world = this.isEven ? this.root.matrixWorld : evened( this.root.matrixWorld );
        const to = this.body.world, from = world.elements;
        for ( let column = 0; column < 4; ++column )
        {
            to[3 * column] = from[4 * column];
            to[3 * column + 1] = from[4 * column + 1];
            to[3 * column + 2] = from[4 * column + 2];
        }
        if ( !this.isEven )
        {
            inverse.copy( world ).invert();
        }
    }

    #readNodes()
    {
        const to = this.body.nodes;
        const { nodes, root, isEven } = this;
        for ( let i = 0, at = 0; i < nodes.length; ++i, at += nodeFloats )
        {
            const node = nodes[i];
            if ( node === null )
            {
                writeMissing( to, at );
                continue;
            }
            const { object } = node;
            if ( object.parent !== node.parent || object === root || ( !isEven && node.parent === root ) )
            {
                this.#readPlaced( object, to, at );
            }
            else if ( !object.matrixAutoUpdate )
            {
                writeMatrix( object.matrix, localNode, to, at );
            }
            else
            {
                writeTransform( object.position, object.quaternion, object.scale, to, at );
            }
        }
    }

    /** A node that stands elsewhere in the scene than in the file: by where it is in the world. */
    #readPlaced( object, to, at )
    {
        object.updateWorldMatrix( true, false );
        if ( this.isEven )
        {
            inverse.copy( this.root.matrixWorld ).invert();
        }
        writeMatrix( relative.multiplyMatrices( inverse, object.matrixWorld ), modelNode, to, at );
    }

    #moveHelpers()
    {
        const places = this.body.helperPlaces;
        for ( const { bone, helper } of this.helpers )
        {
            const { elements } = bone.matrix;
            for ( let i = 0, at = 16 * helper; i < 16; ++i, ++at )
            {
                elements[i] = places[at];
            }
            bone.matrixWorldNeedsUpdate = true;
        }
        this.#teach();
    }

    #writeVertices()
    {
        if ( this.morphs )
        {
            this.model.character.meshes.forEach( ( { firstMorphWeight }, number ) => {
                const weights = this.meshes[number]?.morphTargetInfluences;
                if ( weights )
                {
                    this.morphs.set( weights, firstMorphWeight );
                }
            } );
            this.body.setMorphWeights( this.morphs );
        }
        const skin = this.body.skin( { normals: true, tangents: this.hasTangents } );
        for ( const { mesh, number, skeleton } of this.skins )
        {
            const { firstVertex, vertexCount } = this.model.character.meshes[number];
            const { position, normal, tangent } = mesh.geometry.attributes;
            const take = ( attribute, from, size ) => {
                if ( attribute && from )
                {
                    attribute.array.set( from.subarray( size * firstVertex, size * ( firstVertex + vertexCount ) ) );
                    attribute.needsUpdate = true;
                }
            };
            take( position, skin.positions, 3 );
            take( normal, skin.normals, 3 );
            take( tangent, skin.tangents, 4 );
            skeleton.boneInverses[0].identity();
            if ( !this.isEven )
            {
                skeleton.boneInverses[0].copy( this.root.matrixWorld ).invert().multiply( even );
            }
        }
    }

    /** The root was put elsewhere without having travelled: call it before the next update. */
    teleport()
    {
        const from = Float32Array.from( this.body.world );
        this.root.updateWorldMatrix( true, false );
        this.#readWorld();
        this.body.teleport( from, Float32Array.from( this.body.world ) );
    }

    #leave()
    {
        this.skins.forEach( ( { mesh } ) => mesh.geometry.dispose() );
        this.undo.reverse().forEach( ( back ) => back() );
        this.helpers.forEach( ( { bone } ) => bone.removeFromParent() );
        this.skeletons.forEach( ( skeleton ) => skeleton.dispose() );
        this.body.dispose();
    }

    /** Everything as it was before: meshes, skeletons, bones. With the last of a character its model is freed. */
    dispose()
    {
        if ( this.body.isDisposed )
        {
            return;
        }
        this.#leave();
        livings.delete( this.root );
        this.shared.release();
    }
}

function writeMatrix( matrix, kind, to, at )
{
    const from = matrix.elements;
    for ( let column = 0; column < 4; ++column )
    {
        to[at + 3 * column] = from[4 * column];
        to[at + 3 * column + 1] = from[4 * column + 1];
        to[at + 3 * column + 2] = from[4 * column + 2];
    }
    to[at + nodeKind] = kind;
}

/** A matrix near another one, without shear, mirror or uneven scale. */
function evened( matrix )
{
    const size = Math.cbrt( Math.abs( matrix.determinant() ) );
    even.extractRotation( matrix );
    if ( even.determinant() < 0 )
    {
        even.elements[8] *= -1;
        even.elements[9] *= -1;
        even.elements[10] *= -1;
    }
    even.scale( { x: size, y: size, z: size } );
    return even.copyPosition( matrix );
}

// ------------------------------------------------------------------------------------------------------------------

/**
 * Brings a character of GLTFLoader's to life, or a copy of one that lives already (SkeletonUtils.clone), which shares
 * its model. Options: way ('joints', 'vertices'), influences (8, or 4 for renderers that read no more), rig (the JSON of
 * a rig, or a Rig), from (the bytes of the file, for objects of other loaders), and those of proposeRig: preset, kind,
 * front, up, regions, only, without. Where it fails, everything stands as before.
 */
export async function enliven( gltf, { way = 'auto', influences = 8, from, ...options } = {} )
{
    const root = gltf.isObject3D ? gltf : gltf.scene;
    if ( !root?.isObject3D )
    {
        throw new SuppleError( 'what GLTFLoader gives is wanted, or an object of three.js' );
    }
    checkInfluences( influences );
    refuseLiving( root );
    const isPlain = options.rig === undefined && Object.keys( options ).length === 0;
    const shared = ( isPlain ? sharedOf( root ) : undefined ) ?? await makeShared( gltf, root, from, options );
    try
    {
        refuseLiving( root ); // another call may have been quicker
        return new Living( shared, root, wayFor( shared.model, way ), influences );
    }
    catch ( error )
    {
        shared.releaseUnused();
        throw error;
    }
}

function refuseLiving( root )
{
    if ( livings.has( root ) )
    {
        throw new SuppleError( `${root.name || 'the object'} lives already: dispose() of that first` );
    }
}

async function makeShared( gltf, root, from, options )
{
    if ( !from && !gltf.parser )
    {
        throw new SuppleError( `${root.name || 'the object'}: no character that lives already, and no file: give ` +
            'enliven() the result of GLTFLoader, or the bytes of the file as `from`' );
    }
    const { bytes, readFile } = from ? { bytes: from } : await documentOf( gltf.parser );
    const shared = new Shared( await makeModel( bytes, { readFile, ...options } ) );
    if ( gltf.parser )
    {
        shared.readAssociations( root, gltf.parser.associations );
    }
    else
    {
        shared.readNames( root );
    }
    return shared;
}
