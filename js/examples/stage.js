// A stage for the examples: light, ground, camera, and a loop that stops while nobody looks.
import { ACESFilmicToneMapping, CircleGeometry, Clock, Color, DirectionalLight, Fog, HemisphereLight, Mesh,
    MeshStandardMaterial, PCFSoftShadowMap, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** The character of the address (?file=…), else the built-in woman. */
export async function loadCharacter()
{
    const file = new URLSearchParams( location.search ).get( 'file' ) ?? 'out/woman.glb';
    const gltf = await new GLTFLoader().loadAsync( file );
    gltf.scene.traverse( ( object ) => {
        object.castShadow = object.receiveShadow = object.isMesh === true;
        object.frustumCulled = false;
    } );
    return gltf;
}

/** Gives what keeps a character over one spot, as on a treadmill, where its clips walk away. Call it after the mixer. */
export function treadmill( root )
{
    const spot = root.position.clone(), place = new Vector3();
    let hips = null;
    root.traverse( ( object ) => { hips = object.isBone && ( hips === null || /hips|pelvis/i.test( object.name ) ) ? object : hips; } );
    return () => {
        if ( hips !== null )
        {
            hips.updateWorldMatrix( true, false );
            place.setFromMatrixPosition( hips.matrixWorld );
            root.position.x += spot.x - place.x;
            root.position.z += spot.z - place.z;
        }
    };
}

export class Stage
{
    constructor( { from = [ 1.9, 1.5, 3.9 ], to = [ 0, 0.95, 0 ], size = 6 } = {} )
    {
        this.renderer = new WebGLRenderer( { antialias: true } );
        this.renderer.setPixelRatio( Math.min( devicePixelRatio, 2 ) );
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFSoftShadowMap;
        this.renderer.toneMapping = ACESFilmicToneMapping;
        this.renderer.toneMappingExposure = 1.1;
        document.body.append( this.renderer.domElement );
        this.scene = new Scene();
        this.scene.background = new Color( 0x2b3038 );
        this.scene.fog = new Fog( 0x2b3038, size, 4 * size );
        this.camera = new PerspectiveCamera( 35, 1, 0.05, 200 );
        this.camera.position.set( ...from );
        this.controls = new OrbitControls( this.camera, this.renderer.domElement );
        this.controls.target.set( ...to );
        this.controls.enableDamping = true;
        this.#light( size );
        addEventListener( 'resize', () => this.#resize() );
        this.#resize();
    }

    #light( size )
    {
        const key = new DirectionalLight( 0xfff1e0, 3.2 );
        key.position.set( 0.6 * size, size, 0.8 * size );
        key.castShadow = true;
        key.shadow.mapSize.set( 2048, 2048 );
        Object.assign( key.shadow.camera, { left: -size, right: size, top: size, bottom: -size, far: 4 * size } );
        key.shadow.normalBias = 0.02;
        const rim = new DirectionalLight( 0x9fc3ff, 1.6 );
        rim.position.set( -size, 0.7 * size, -size );
        const ground = new Mesh( new CircleGeometry( 8 * size, 96 ).rotateX( -Math.PI / 2 ),
            new MeshStandardMaterial( { color: 0x4a4f57, roughness: 0.95 } ) );
        ground.receiveShadow = true;
        this.scene.add( new HemisphereLight( 0xcfe0ff, 0x5a4a40, 1.1 ), key, rim, ground );
    }

    #resize()
    {
        this.renderer.setSize( innerWidth, innerHeight );
        this.camera.aspect = innerWidth / innerHeight;
        this.camera.updateProjectionMatrix();
    }

    /** Calls `frame( dt )` before each picture. */
    run( frame )
    {
        const clock = new Clock();
        this.renderer.setAnimationLoop( () => {
            frame( clock.getDelta() );
            this.controls.update();
            this.renderer.render( this.scene, this.camera );
        } );
    }
}
