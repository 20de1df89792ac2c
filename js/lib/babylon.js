// Living characters in Babylon.js: enliven( container, { from: bytes } ) once, living.update( dt ) before each frame.
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { Matrix, Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import { SuppleError } from './error.js';
import { checkInfluences, LivingBase, makeModel, modelNode, nodeFloats, nodeKind, SceneBody, SharedModel, wayFor,
    writeMissing, writeTransform } from './scene.js';

const shares = new WeakMap(); // of geometries: the character that they are of
const livings = new WeakMap(); // of roots

/** What is known of a character, for all its instances. */
class Shared extends SharedModel
{
    constructor( model )
    {
        super( model );
        this.meshOf = new WeakMap(); // of geometries: which mesh of the character it is
        this.plain = new Map();      // of meshes of the character: the geometry as it was loaded
    }

    /** The loader says of each mesh which mesh and primitive of the file it is. */
    read( meshes )
    {
        const taken = new Set();
        for ( const mesh of meshes )
        {
            for ( const pointer of mesh._internalMetadata?.gltf?.pointers ?? [] )
            {
                const [ , source, primitive ] = /^\/meshes\/(\d+)\/primitives\/(\d+)$/.exec( pointer ) ?? [];
                const number = this.model.character.meshes.findIndex( ( one, i ) => !taken.has( i )
                    && one.sourceMesh === Number( source ) && one.sourcePrimitive === Number( primitive ) );
                if ( number >= 0 && mesh.geometry )
                {
                    taken.add( number );
                    this.own( mesh.geometry, number );
                    this.plain.set( number, mesh.geometry );
                }
            }
        }
    }

    own( geometry, number )
    {
        shares.set( geometry, this );
        this.meshOf.set( geometry, number );
    }
}

const isHelper = ( bone ) => bone.name.startsWith( 'supple:' );

/** Gives a function that puts it back. */
function removeBone( bone )
{
    const { children } = bone.getParent();
    const { bones } = bone.getSkeleton();
    const place = bones.indexOf( bone );
    children.splice( children.indexOf( bone ), 1 );
    bones.splice( place, 1 );
    bone.getSkeleton()._markAsDirty();
    return () => {
        children.push( bone );
        bones.splice( place, 0, bone );
        bone.getSkeleton()._markAsDirty();
    };
}

const turn = new Quaternion(), inverse = new Matrix(), relative = new Matrix(), even = new Matrix();

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
        this.helpers = [];
        this.skins = [];
        this.isEven = true;
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
        this.meshes = this.model.character.meshes.map( () => null );
        for ( const mesh of root.getChildMeshes( false ) )
        {
            const number = mesh.geometry ? shared.meshOf.get( mesh.geometry ) : undefined;
            if ( number !== undefined && mesh.skeleton )
            {
                this.meshes[number] = mesh;
            }
        }
        this.nodes = this.#findNodes();
        if ( this.way === 'joints' )
        {
            this.#addHelpers( influences );
        }
        else
        {
            this.#takeVertices();
            this.update( 0 ); // as the bones are now, with no flesh moving: what is drawn before the first update
            this.body.reset();
        }
    }

    #leave()
    {
        this.undo.reverse().forEach( ( back ) => back() );
        this.body.dispose();
    }

    /** The geometry that it has now comes back where living fails: it may be that of a copy of one that lives. */
    #keepGeometry( mesh )
    {
        const { geometry } = mesh;
        this.undoFailed.push( () => geometry.applyToMesh( mesh ) );
    }

    #boneOf( number, place )
    {
        return this.meshes[number].skeleton.bones.find( ( bone, i ) => ( bone._index ?? i ) === place );
    }

    /** The nodes of all joints, by the bones that follow them, and of what is above these. */
    #findNodes()
    {
        const { joints, meshes, skins } = this.model.character;
        const nodes = joints.map( () => null );
        meshes.forEach( ( { skin }, number ) => {
            if ( this.meshes[number] && skin >= 0 )
            {
                skins[skin].joints.forEach( ( joint, place ) => {
                    nodes[joint] ??= this.#boneOf( number, place )?.getTransformNode() ?? null;
                    for ( let child = joint; joints[child].parent >= 0 && nodes[child]; child = joints[child].parent )
                    {
                        const above = nodes[child].parent;
                        nodes[joints[child].parent] ??= above === this.root ? null : above;
                    }
                } );
            }
        } );
        if ( nodes.every( ( node ) => node === null ) )
        {
            throw new SuppleError( `${this.root.name}: no skinned mesh of the file below it` );
        }
        return nodes.map( ( node, joint ) => node && { node, parent: nodes[joints[joint].parent] ?? this.root } );
    }

    #addHelpers( { packed, used } )
    {
        const { character, helpers } = this.model;
        const done = new Set();
        this.meshes.forEach( ( mesh, number ) => {
            const { skin } = character.meshes[number];
            if ( mesh === null || !packed[number] )
            {
                return;
            }
            const { skeleton } = mesh;
            if ( !done.has( skeleton ) )
            {
                done.add( skeleton );
                // a copy of one that lives has copies of them
                this.undoFailed.push( ...skeleton.bones.filter( isHelper ).map( removeBone ) );
                this.#extend( skeleton, number, character.skins[skin].joints, used[skin], helpers );
            }
            const { numBoneInfluencers } = mesh;
            const geometry = this.shared.plain.get( number );
            this.#keepGeometry( mesh );
            this.undo.push( () => {
                geometry.applyToMesh( mesh );
                mesh.numBoneInfluencers = numBoneInfluencers;
            } );
            this.#carry( mesh, number, packed[number] );
        } );
    }

    #extend( skeleton, number, joints, used, helpers )
    {
        used.forEach( ( helper, place ) => {
            const { joint, place: [ x, y, z ], name } = helpers[helper];
            const parent = this.#boneOf( number, joints.indexOf( joint ) );
            const bone = new Bone( `supple:${name}:${parent.name}`, skeleton, parent, Matrix.Translation( x, y, z ), null,
                null, joints.length + place );
            parent.getAbsoluteInverseBindMatrix().multiplyToRef(
                Matrix.Translation( -x, -y, -z ), bone.getAbsoluteInverseBindMatrix() );
            this.helpers.push( { bone, helper, matrix: new Matrix() } );
            this.undo.push( () => removeBone( bone ) );
        } );
    }

    /** New influences, in a geometry that all instances share. */
    #carry( mesh, number, { joints, weights, moreJoints, moreWeights } )
    {
        const { geometries } = this.shared;
        const key = `${number} ${moreJoints ? 8 : 4}`;
        if ( !geometries.has( key ) )
        {
            const own = mesh.geometry.copy( `${mesh.geometry.id} living` );
            own.setVerticesData( VertexBuffer.MatricesIndicesKind, Float32Array.from( joints ), false, 4 );
            own.setVerticesData( VertexBuffer.MatricesWeightsKind, weights, false, 4 );
            if ( moreJoints )
            {
                own.setVerticesData( VertexBuffer.MatricesIndicesExtraKind, Float32Array.from( moreJoints ), false, 4 );
                own.setVerticesData( VertexBuffer.MatricesWeightsExtraKind, moreWeights, false, 4 );
            }
            this.shared.own( own, number );
            geometries.set( key, own );
        }
        geometries.get( key ).applyToMesh( mesh );
        mesh.numBoneInfluencers = moreJoints ? 8 : 4;
    }

    /** Vertices are the module's, in the root's space: the mesh hangs on the root, without skeleton and morph targets. */
    #takeVertices()
    {
        this.meshes.forEach( ( mesh, number ) => {
            if ( mesh === null )
            {
                return;
            }
            const geometry = this.shared.plain.get( number );
            const { skeleton, parent, position, rotationQuaternion, rotation, scaling, morphTargetManager } = mesh;
            const place = [ position, scaling, rotation, rotationQuaternion ].map( ( one ) => one?.clone() ?? null );
            this.#keepGeometry( mesh );
            const own = geometry.copy( `${geometry.id} ${mesh.uniqueId} living` );
            this.undo.push( () => {
                own.dispose();
                geometry.applyToMesh( mesh );
                Object.assign( mesh, { skeleton, parent, morphTargetManager } );
                [ mesh.position, mesh.scaling, mesh.rotation, mesh.rotationQuaternion ] = place;
            } );
            this.shared.own( own, number );
            own.applyToMesh( mesh );
            Object.assign( mesh, { skeleton: null, parent: this.root, morphTargetManager: null, alwaysSelectAsActiveMesh: true } );
            mesh.position.setAll( 0 );
            mesh.scaling.setAll( 1 );
            mesh.rotationQuaternion = Quaternion.Identity();
            this.skins.push( { mesh, number, targets: morphTargetManager } );
        } );
        this.morphs = this.skins.some( ( { targets } ) => targets )
            ? new Float32Array( this.model.character.morphWeightCount ) : null;
        this.hasTangents = this.skins.some( ( { mesh } ) => mesh.isVerticesDataPresent( VertexBuffer.TangentKind ) );
    }

    /** Moves on by `dt` seconds to where the nodes are now. False: these or dt are no numbers, and it stays as it was. */
    update( dt )
    {
        this.#readWorld();
        this.#readNodes();
        if ( !this.body.stepNodes( dt ) )
        {
            return false;
        }
        if ( this.way === 'joints' )
        {
            const places = this.body.helperPlaces;
            for ( const { bone, helper, matrix } of this.helpers )
            {
                Matrix.FromArrayToRef( places, 16 * helper, matrix );
                bone._matrix = matrix;
            }
        }
        else
        {
            this.#writeVertices();
        }
        return true;
    }

    /** Where the root stands: turned and evenly scaled. A mirror (the loader's, in left-handed scenes) is the nodes'. */
    #readWorld()
    {
        const world = this.root.computeWorldMatrix( true );
        const m = world.asArray();
        const sizes = [ 0, 4, 8 ].map( ( i ) => Math.hypot( m[i], m[i + 1], m[i + 2] ) );
        const size = Math.cbrt( sizes[0] * sizes[1] * sizes[2] );
        const isMirrored = world.determinant() < 0;
        this.isEven = !isMirrored && sizes.every( ( one ) => Math.abs( one - size ) < 1e-4 * size );
        const to = this.body.world;
        for ( let column = 0; column < 4; ++column )
        {
            const factor = this.isEven || column === 3 ? 1
                : size / sizes[column] * ( isMirrored && column === 2 ? -1 : 1 );
            for ( let i = 0; i < 3; ++i )
            {
                to[3 * column + i] = m[4 * column + i] * factor;
            }
        }
        if ( !this.isEven )
        {
            Matrix.FromValuesToRef( to[0], to[1], to[2], 0, to[3], to[4], to[5], 0, to[6], to[7], to[8], 0, to[9], to[10],
                to[11], 1, even );
            even.invertToRef( inverse );
        }
    }

    #readNodes()
    {
        const to = this.body.nodes;
        const { nodes, root, isEven } = this;
        for ( let i = 0, at = 0; i < nodes.length; ++i, at += nodeFloats )
        {
            if ( nodes[i] === null )
            {
                writeMissing( to, at );
                continue;
            }
            const { node, parent } = nodes[i];
            if ( node.parent !== parent || ( !isEven && parent === root ) )
            {
                this.#readPlaced( node, to, at );
                continue;
            }
            const { position, scaling, rotation } = node;
            const q = node.rotationQuaternion ?? Quaternion.RotationYawPitchRollToRef( rotation.y, rotation.x, rotation.z, turn );
            writeTransform( position, q, scaling, to, at );
        }
    }

    #readPlaced( node, to, at )
    {
        if ( this.isEven )
        {
            this.root.getWorldMatrix().invertToRef( inverse );
        }
        const m = node.computeWorldMatrix( true ).multiplyToRef( inverse, relative ).asArray();
        for ( let column = 0; column < 4; ++column )
        {
            to[at + 3 * column] = m[4 * column];
            to[at + 3 * column + 1] = m[4 * column + 1];
            to[at + 3 * column + 2] = m[4 * column + 2];
        }
        to[at + nodeKind] = modelNode;
    }

    #writeVertices()
    {
        const { meshes } = this.model.character;
        if ( this.morphs )
        {
            this.skins.forEach( ( { number, targets } ) => {
                for ( let i = 0; targets && i < meshes[number].morphCount; ++i )
                {
                    this.morphs[meshes[number].firstMorphWeight + i] = targets.getTarget( i ).influence;
                }
            } );
            this.body.setMorphWeights( this.morphs );
        }
        const skin = this.body.skin( { normals: true, tangents: this.hasTangents } );
        for ( const { mesh, number } of this.skins )
        {
            const { firstVertex: first, vertexCount: count } = meshes[number];
            const put = ( kind, from, size ) => {
                if ( from && mesh.isVerticesDataPresent( kind ) )
                {
                    mesh.setVerticesData( kind, from.slice( size * first, size * ( first + count ) ), true, size );
                }
            };
            put( VertexBuffer.PositionKind, skin.positions, 3 );
            put( VertexBuffer.NormalKind, skin.normals, 3 );
            put( VertexBuffer.TangentKind, skin.tangents, 4 );
            if ( !this.isEven ) // the body's space is not the root's own: what was left over of it
            {
                this.root.getWorldMatrix().invertToRef( relative );
                even.multiplyToRef( relative, relative );
                relative.decompose( mesh.scaling, mesh.rotationQuaternion, mesh.position );
            }
        }
    }

    /** The root was put elsewhere without having travelled: call it before the next update. */
    teleport()
    {
        const from = Float32Array.from( this.body.world );
        this.#readWorld();
        this.body.teleport( from, Float32Array.from( this.body.world ) );
    }

    /** Everything as it was before. With the last of a character its model is freed. */
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

/**
 * Brings a character of the glTF loader's to life: an AssetContainer, what ImportMeshAsync gives, or what
 * instantiateModelsToScene() gives of a container that lives already, which shares its model. Options: from (the bytes
 * of the file; readFile for what it names beside itself), way ('joints', 'vertices'), influences (8 or 4), rig, and those
 * of proposeRig. Where it fails, everything stands as before.
 */
export async function enliven( loaded, { way = 'auto', influences = 8, from, ...options } = {} )
{
    const root = loaded.rootNodes?.[0] ?? loaded.meshes?.[0];
    if ( !root?.getChildMeshes )
    {
        throw new SuppleError( 'what the glTF loader gives is wanted: an AssetContainer, or the result of ImportMeshAsync' );
    }
    checkInfluences( influences );
    refuseLiving( root );
    const meshes = root.getChildMeshes( false );
    let shared = from ? undefined : meshes.map( ( mesh ) => shares.get( mesh.geometry ) ).find( ( one ) => one );
    if ( !shared || shared.model.isDisposed )
    {
        if ( !from )
        {
            throw new SuppleError( `${root.name}: no character that lives already, and no file: give its bytes as \`from\`` );
        }
        shared = new Shared( await makeModel( from, options ) );
        shared.read( meshes );
    }
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
        throw new SuppleError( `${root.name} lives already: dispose() of that first` );
    }
}
