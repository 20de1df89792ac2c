// What is seen: the character with its own materials, drawn where the simulation says that its vertices are.
import { Color, GridHelper, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Figure, heatOf, waysBetween } from './figure.js';
import { Lights } from './lights.js';
import { looksOf } from './look_files.js';
import { Overlay } from './overlay.js';

const bars = 116; // pixels that stand above and below the character

export class Stage
{
    constructor( canvas )
    {
        this.canvas = canvas;
        this.renderer = new WebGLRenderer( { canvas, antialias: true, preserveDrawingBuffer: true } );
        this.renderer.autoClear = false;
        this.scene = new Scene();
        this.camera = new PerspectiveCamera( 32, 1, 0.01, 1000 );
        this.controls = new OrbitControls( this.camera, canvas );
        this.controls.enableDamping = false;
        this.lights = new Lights( this.renderer, this.scene );
        this.figures = [];
        this.layers = new Overlay(); // what layers show
        this.marks = new Overlay(); // what tools show
        this.scene.add( this.layers, this.marks );
        this.split = 0.5;
        this.look = 'living';
        this.grid = null;
        this.isStale = true; // something is to be drawn that is not
        this.isFramed = false; // the camera stands where it was put to see all, and no hand has moved it
        this.controls.addEventListener( 'change', () => { this.isStale = true; } );
        this.controls.addEventListener( 'start', () => { this.isFramed = false; } );
        new ResizeObserver( () => this.resize() ).observe( canvas.parentElement );
        this.resize();
    }

    resize()
    {
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        const before = this.room;
        this.room = clientHeight / Math.max( clientHeight - bars, clientHeight / 2, 1 );
        this.camera.position.sub( this.controls.target ).multiplyScalar( this.room / ( before ?? this.room ) ).add( this.controls.target );
        this.renderer.setPixelRatio( Math.min( window.devicePixelRatio, 2 ) );
        this.renderer.setSize( clientWidth, clientHeight, false );
        this.camera.aspect = clientWidth / Math.max( clientHeight, 1 );
        this.camera.updateProjectionMatrix();
        this.isStale = true;
    }

    /** The colours of the page around it. */
    setColors( { ground, line } )
    {
        this.isStale = true;
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
        this.info = info;
        const looks = looksOf( gltf );
        this.gltf = gltf;
        this.figures = [ new Figure( info, looks ), new Figure( info, looks ) ];
        this.scene.add( ...this.figures );
        this.grid = new GridHelper( 8 * info.size, 32, 0xffffff, 0xffffff );
        this.grid.material.color.copy( this.line ?? new Color( 0x888888 ) );
        this.grid.material.transparent = true;
        this.grid.material.opacity = 0.35;
        this.scene.add( this.grid );
        this.center = null;
        this.frame( info, info.proposal );
    }

    /** The character in the middle, seen from before and a little from the side. */
    frame( { framed, size }, proposal )
    {
        this.grid.position.y = framed.low[1];
        this.isStale = true;
        const middle = new Vector3( ...framed.low ).add( new Vector3( ...framed.high ) ).multiplyScalar( 0.5 );
        if ( this.center )
        {
            middle.set( this.center.x, middle.y, this.center.z ); // where it has gone meanwhile
        }
        const [ x, , z ] = proposal.front;
        const ahead = Math.hypot( x, z ) > 0.1 ? new Vector3( x, 0, z ).normalize() : new Vector3( 0, 0, 1 );
        const angle = 0.6, turned = new Vector3( ahead.x * Math.cos( angle ) + ahead.z * Math.sin( angle ), 0.16,
            ahead.z * Math.cos( angle ) - ahead.x * Math.sin( angle ) );
        // all of the motion's height between the bars, and all of the body's width
        const half = Math.max( 0.53 * ( framed.high[1] - framed.low[1] ) * this.room, 0.46 * size * Math.max( 1, 0.9 / this.camera.aspect ) );
        const far = half / Math.tan( this.camera.fov * Math.PI / 360 );
        this.controls.target.copy( middle );
        this.camera.position.copy( middle ).addScaledVector( turned, far );
        this.camera.near = size / 200;
        this.camera.far = size * 60;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.isFramed = true;
    }

    /** Where the camera is: numbers, to be kept. */
    get view()
    {
        return { from: this.camera.position.toArray(), to: this.controls.target.toArray(), center: this.center?.toArray() ?? null };
    }

    set view( { from, to, center } )
    {
        this.camera.position.fromArray( from );
        this.controls.target.fromArray( to );
        this.center = center === null ? null : new Vector3().fromArray( center );
        this.isFramed = false;
        this.controls.update();
    }

    /** The axis of the ground or of height that the camera looks along, towards it: "+Z". */
    axisToEye()
    {
        const way = this.camera.position.clone().sub( this.controls.target ).toArray();
        const [ most ] = [ 0, 2 ].sort( ( a, b ) => Math.abs( way[b] ) - Math.abs( way[a] ) );
        return `${way[most] < 0 ? '-' : '+'}${'XYZ'[most]}`;
    }

    /** Skins of this frame, and how they are looked at: `painted`: a value a vertex in the place of its looks. */
    put( { living, smooth, drawn }, { look, world, painted = null } )
    {
        this.look = look;
        this.isStale = true;
        const [ first, second ] = this.figures;
        const shown = look === 'smooth' ? smooth : living;
        first.put( shown, { colors: this.colorsOf( look, { living, smooth, drawn, painted } ),
            isVeiled: drawn !== null && drawn.corners.length > 0 } );
        if ( look === 'both' || look === 'split' )
        {
            second.put( smooth );
        }
        const aside = look === 'both' ? this.aside().multiplyScalar( 0.28 * this.info.size ) : new Vector3();
        [ first, second, this.layers, this.marks ].forEach( ( one ) => this.place( one, world,
            aside.clone().multiplyScalar( one === second ? -1 : 1 ) ) );
        if ( drawn )
        {
            this.layers.put( drawn );
        }
        else
        {
            this.layers.empty();
        }
        this.follow( shown.positions );
    }

    colorsOf( look, { living, smooth, drawn, painted } )
    {
        if ( painted )
        {
            return heatOf( painted );
        }
        if ( look === 'moved' )
        {
            return waysBetween( living.positions, smooth.positions, 0.02 * this.info.size );
        }
        if ( drawn?.scalars.length > 0 )
        {
            return heatOf( drawn.scalars );
        }
        return drawn?.colors.length > 0 ? Float32Array.from( { length: drawn.colors.length / 4 * 3 }, ( _,
            i ) => drawn.colors[4 * Math.floor( i / 3 ) + i % 3] ) : null;
    }

    place( object, w, shift )
    {
        object.matrix.set( w[0], w[3], w[6], w[9] + shift.x, w[1], w[4], w[7], w[10], w[2], w[5], w[8], w[11] + shift.z, 0, 0, 0, 1 );
        object.matrixWorldNeedsUpdate = true;
    }

    // --------------------------------------------------------------------------------------------------------------
    // Under the pointer

    toScreen( x, y )
    {
        const { left, top, width, height } = this.canvas.getBoundingClientRect();
        return new Vector2( 2 * ( x - left ) / width - 1, 1 - 2 * ( y - top ) / height );
    }

    /** What of the skin is under the pointer: vertex, corners and shares, point and normal; null: beside it. */
    pick( x, y )
    {
        const [ figure ] = this.figures;
        if ( !figure )
        {
            return null;
        }
        const caster = new Raycaster();
        caster.setFromCamera( this.toScreen( x, y ), this.camera );
        figure.updateMatrixWorld( true );
        const seen = figure.parts.filter( ( { part } ) => part.visible );
        seen.forEach( ( { part } ) => part.geometry.computeBoundingSphere() );
        const [ hit ] = caster.intersectObjects( seen.map( ( { part } ) => part ), false );
        if ( !hit )
        {
            return null;
        }
        const { firstVertex } = seen.find( ( { part } ) => part === hit.object ).mesh;
        const corners = [ hit.face.a, hit.face.b, hit.face.c ].map( ( one ) => firstVertex + one );
        const shares = hit.barycoord?.toArray() ?? [ 1, 0, 0 ];
        return { corners, shares, vertex: corners[shares.indexOf( Math.max( ...shares ) )], point: figure.worldToLocal( hit.point.clone() ),
            normal: hit.face.normal.clone(), way: caster.ray.direction.toArray() };
    }

    /** Where a point of the model is on the page. */
    onPage( point )
    {
        const { left, top, width, height } = this.canvas.getBoundingClientRect();
        this.figures[0].updateMatrixWorld( true );
        const at = new Vector3( ...point ).applyMatrix4( this.figures[0].matrix ).project( this.camera );
        return { x: left + ( at.x + 1 ) / 2 * width, y: top + ( 1 - at.y ) / 2 * height, isAhead: at.z < 1 };
    }

    /** Which of some points of the model is under the pointer, or -1. */
    nearest( points, x, y, reach = 14 )
    {
        let best = -1, least = reach;
        points.forEach( ( point, i ) => {
            const at = this.onPage( point );
            const far = Math.hypot( at.x - x, at.y - y );
            [ best, least ] = at.isAhead && far < least ? [ i, far ] : [ best, least ];
        } );
        return best;
    }

    /** A point of the model after a way of the pointer, across the line of sight. */
    dragged( point, from, to )
    {
        const { height } = this.canvas.getBoundingClientRect();
        const world = new Vector3( ...point ).applyMatrix4( this.figures[0].matrix );
        const scale = 2 * world.distanceTo( this.camera.position ) * Math.tan( this.camera.fov * Math.PI / 360 ) / height;
        const { elements: e } = this.camera.matrixWorld;
        const right = new Vector3( e[0], e[1], e[2] ), up = new Vector3( e[4], e[5], e[6] );
        world.addScaledVector( right, ( to.x - from.x ) * scale ).addScaledVector( up, ( from.y - to.y ) * scale );
        return this.figures[0].worldToLocal( world ).toArray();
    }

    // --------------------------------------------------------------------------------------------------------------
    // The camera

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
        this.lights.stand( this.center, this.grid.position.y, this.info.size );
    }

    // --------------------------------------------------------------------------------------------------------------
    // Pictures

    /** Draws what changed since it was drawn last; `isAnyhow`: even where nothing did. */
    draw( isAnyhow = false )
    {
        this.controls.update();
        if ( !this.isStale && !isAnyhow )
        {
            return;
        }
        this.isStale = false;
        this.renderer.setScissorTest( false );
        this.renderer.clear();
        const [ living, smooth ] = this.figures;
        if ( this.look !== 'split' || !living )
        {
            this.drawPart( true, this.look === 'both' );
            return;
        }
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        this.renderer.setScissorTest( true );
        this.renderer.setScissor( 0, 0, width * this.split, height );
        this.drawPart( false, true );
        this.renderer.setScissor( width * this.split, 0, width * ( 1 - this.split ), height );
        this.drawPart( true, false );
        this.renderer.setScissorTest( false );
        smooth.visible = false;
    }

    drawPart( isLiving, isSmooth )
    {
        const [ living, smooth ] = this.figures;
        if ( living )
        {
            living.visible = isLiving;
            smooth.visible = isSmooth;
        }
        this.renderer.render( this.scene, this.camera );
    }

    clear()
    {
        this.figures.forEach( ( figure ) => figure.dispose() );
        this.gltf?.scene.traverse( ( object ) => {
            object.geometry?.dispose();
            object.skeleton?.dispose();
        } );
        Object.assign( this, { figures: [], gltf: null } );
        this.layers.empty();
        this.marks.empty();
        this.grid?.geometry.dispose();
        this.grid?.material.dispose();
        this.grid?.removeFromParent();
        this.grid = null;
    }
}
