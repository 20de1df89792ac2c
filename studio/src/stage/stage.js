// What is seen: the character with its own materials, drawn where the simulation says that its vertices are.
import { AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, GridHelper, HemisphereLight, LoadingManager,
    Mesh, MeshStandardMaterial, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

/** Materials and texture coordinates by three.js's own loader; null where it cannot read the file, which is then grey. */
export async function loadLook( bytes, name, files )
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
        const loader = new GLTFLoader( manager ).setMeshoptDecoder( MeshoptDecoder );
        return await loader.parseAsync( bytes.slice().buffer, '' );
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
function looksOf( gltf )
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

const grey = () => new MeshStandardMaterial( { color: 0xb9a699, roughness: 0.75 } );
const painted = new MeshStandardMaterial( { vertexColors: true, roughness: 0.85 } );

/** One skin of the character: all its meshes. */
class Figure extends Group
{
    constructor( info, looks )
    {
        super();
        this.parts = info.meshes.map( ( mesh, number ) => {
            const look = looks.get( `${mesh.joint} ${mesh.sourcePrimitive}` );
            const fits = look?.geometry.attributes.position?.count === mesh.vertexCount;
            const geometry = new BufferGeometry();
            for ( const name of [ 'position', 'normal', 'color' ] )
            {
                geometry.setAttribute( name, new BufferAttribute( new Float32Array( 3 * mesh.vertexCount ), 3 ) );
            }
            for ( const name of fits ? [ 'uv', 'uv1', 'uv2' ] : [] )
            {
                if ( look.geometry.attributes[name] )
                {
                    geometry.setAttribute( name, look.geometry.attributes[name] );
                }
            }
            geometry.setIndex( fits && look.geometry.index ? look.geometry.index : new BufferAttribute( info.indices[number], 1 ) );
            const material = fits ? look.material : grey();
            const part = new Mesh( geometry, material );
            part.frustumCulled = false;
            part.visible = look?.visible ?? true;
            this.add( part );
            return { part, mesh, material };
        } );
    }

    /** Puts vertices where they are; `other`: painted by how far they are from those. */
    put( { positions, normals }, other, most )
    {
        for ( const { part, mesh: { firstVertex, vertexCount }, material } of this.parts )
        {
            const { position, normal, color } = part.geometry.attributes;
            const [ from, to ] = [ 3 * firstVertex, 3 * ( firstVertex + vertexCount ) ];
            position.array.set( positions.subarray( from, to ) );
            normal.array.set( normals.subarray( from, to ) );
            position.needsUpdate = true;
            normal.needsUpdate = true;
            if ( other )
            {
                paint( color.array, positions, other.positions, from, to, most );
                color.needsUpdate = true;
            }
            part.material = other ? painted : material;
        }
    }

    dispose()
    {
        this.parts.forEach( ( { part, material } ) => {
            part.geometry.dispose();
            Object.values( material ).forEach( ( value ) => value?.isTexture && value.dispose() );
            [ material ].flat().forEach( ( one ) => one.dispose() );
        } );
        this.removeFromParent();
    }
}

const cold = new Color( 0x39506b ), warm = new Color( 0xffb347 ), hot = new Color( 0xd7263d ), mixed = new Color();

function paint( colors, a, b, from, to, most )
{
    for ( let i = from; i < to; i += 3 )
    {
        const far = Math.min( 1, Math.hypot( a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2] ) / most );
        mixed.copy( cold ).lerp( warm, Math.min( 1, 2 * far ) ).lerp( hot, Math.max( 0, 2 * far - 1 ) );
        mixed.toArray( colors, i - from );
    }
}

export class Stage
{
    constructor( canvas )
    {
        this.canvas = canvas;
        this.renderer = new WebGLRenderer( { canvas, antialias: true, preserveDrawingBuffer: true } );
        this.scene = new Scene();
        this.camera = new PerspectiveCamera( 32, 1, 0.01, 1000 );
        this.controls = new OrbitControls( this.camera, canvas );
        this.controls.enableDamping = false;
        const key = new DirectionalLight( 0xfff4e6, 2.4 ), rim = new DirectionalLight( 0xbfd4ff, 1.1 );
        key.position.set( 2, 3, 4 );
        rim.position.set( -3, 2, -3 );
        this.scene.add( key, rim, new HemisphereLight( 0xdfe8f5, 0x6b5f55, 1.2 ), new AmbientLight( 0xffffff, 0.25 ) );
        this.figures = [];
        this.grid = null;
        new ResizeObserver( () => this.resize() ).observe( canvas.parentElement );
        this.resize();
    }

    resize()
    {
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        this.renderer.setPixelRatio( Math.min( window.devicePixelRatio, 2 ) );
        this.renderer.setSize( clientWidth, clientHeight, false );
        this.camera.aspect = clientWidth / Math.max( clientHeight, 1 );
        this.camera.updateProjectionMatrix();
    }

    /** The colours of the page around it. */
    setColors( { ground, line } )
    {
        this.scene.background = new Color( ground );
        this.line = new Color( line );
        if ( this.grid )
        {
            this.grid.material.color.copy( this.line );
        }
    }

    show( info, gltf )
    {
        this.clear();
        const looks = looksOf( gltf );
        this.info = info;
        this.figures = [ new Figure( info, looks ), new Figure( info, looks ) ];
        this.scene.add( ...this.figures );
        this.grid = new GridHelper( 8 * info.size, 32, 0xffffff, 0xffffff );
        this.grid.material.color.copy( this.line ?? new Color( 0x888888 ) );
        this.grid.material.transparent = true;
        this.grid.material.opacity = 0.35;
        this.scene.add( this.grid );
        this.center = null;
        this.frame( info );
    }

    /** The character in the middle, seen from before and a little from the side. */
    frame( { framed, size, proposal } )
    {
        this.grid.position.y = framed.low[1];
        const center = this.center ?? new Vector3( ( framed.low[0] + framed.high[0] ) / 2, ( framed.low[1] + framed.high[1] ) / 2,
            ( framed.low[2] + framed.high[2] ) / 2 );
        const [ x, , z ] = proposal.front;
        const ahead = Math.hypot( x, z ) > 0.1 ? new Vector3( x, 0, z ).normalize() : new Vector3( 0, 0, 1 );
        const angle = 0.6, turned = new Vector3( ahead.x * Math.cos( angle ) + ahead.z * Math.sin( angle ), 0.16,
            ahead.z * Math.cos( angle ) - ahead.x * Math.sin( angle ) );
        const far = 0.46 * size / Math.tan( this.camera.fov * Math.PI / 360 ) * Math.max( 1, 0.9 / this.camera.aspect );
        this.controls.target.copy( center );
        this.camera.position.copy( center ).addScaledVector( turned, far );
        this.camera.near = size / 200;
        this.camera.far = size * 60;
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Skins of this frame, and how they are looked at. */
    put( { living, smooth }, look, world )
    {
        const { size } = this.info;
        const [ first, second ] = this.figures;
        const shown = look === 'smooth' ? smooth : living;
        first.put( shown, look === 'moved' ? smooth : null, 0.02 * size );
        second.visible = look === 'both';
        if ( look === 'both' )
        {
            second.put( smooth );
        }
        const aside = look === 'both' ? this.aside().multiplyScalar( 0.28 * size ) : new Vector3();
        const place = new Vector3( world[9], world[10], world[11] );
        this.figures.forEach( ( figure, i ) => {
            figure.matrixAutoUpdate = false;
            figure.matrix.set( world[0], world[3], world[6], world[9], world[1], world[4], world[7], world[10],
                world[2], world[5], world[8], world[11], 0, 0, 0, 1 );
            const shift = aside.clone().multiplyScalar( i === 0 ? 1 : -1 );
            figure.matrix.elements[12] += shift.x;
            figure.matrix.elements[14] += shift.z;
        } );
        this.follow( shown.positions );
        return place;
    }

    /** The vertex under the pointer, and the way that the eye looks there; null: beside the skin. */
    pick( x, y )
    {
        const { left, top, width, height } = this.canvas.getBoundingClientRect();
        const caster = new Raycaster();
        caster.setFromCamera( new Vector2( 2 * ( x - left ) / width - 1, 1 - 2 * ( y - top ) / height ), this.camera );
        const [ figure ] = this.figures;
        figure?.updateMatrixWorld( true );
        figure?.parts.forEach( ( { part } ) => part.geometry.computeBoundingSphere() );
        const [ hit ] = figure ? caster.intersectObjects( figure.parts.filter( ( { part } ) => part.visible ).map( ( { part } ) => part ), false ) : [];
        const own = hit && figure.parts.find( ( { part } ) => part === hit.object );
        return hit ? { vertex: own.mesh.firstVertex + hit.face.a, way: caster.ray.direction.toArray() } : null;
    }

    /** To the right of the camera, along the ground. */
    aside()
    {
        const { elements: e } = this.camera.matrixWorld;
        return new Vector3( e[0], 0, e[2] ).normalize();
    }

    /** The camera goes where the character goes, along the ground. */
    follow( positions )
    {
        const middle = new Vector3();
        let count = 0;
        for ( let i = 0; i < positions.length; i += 51 )
        {
            middle.x += positions[i];
            middle.y += positions[i + 1];
            middle.z += positions[i + 2];
            count += 1;
        }
        middle.divideScalar( Math.max( count, 1 ) );
        const isFirst = this.center === null;
        this.center ??= this.controls.target.clone();
        const way = middle.clone().sub( this.center );
        way.y = 0;
        // a body that sways does not move the camera; one that runs takes it along
        way.multiplyScalar( isFirst ? 1 : Math.min( 1, Math.max( 0.1, way.length() / ( 0.12 * this.info.size ) ) ) );
        this.center.add( way );
        this.camera.position.add( way );
        this.controls.target.add( way );
    }

    draw()
    {
        this.controls.update();
        this.renderer.render( this.scene, this.camera );
    }

    clear()
    {
        this.figures.forEach( ( figure ) => figure.dispose() );
        this.figures = [];
        this.grid?.geometry.dispose();
        this.grid?.removeFromParent();
        this.grid = null;
    }
}
