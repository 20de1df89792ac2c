// Light that shows form: a lamp from above that throws a shadow, a cool one from behind, the sky and the ground. There is
// no room around, which takes seconds to make where a processor draws; so metal is drawn less metallic (look_files.js).
import { DirectionalLight, HemisphereLight, Mesh, NeutralToneMapping, PCFSoftShadowMap, PlaneGeometry, ShadowMaterial } from 'three';

export class Lights
{
    constructor( renderer, scene )
    {
        renderer.toneMapping = NeutralToneMapping; // colours stay those of the file
        renderer.shadowMap.enabled = true;
        renderer.shadowMap.type = PCFSoftShadowMap;
        this.size = 0;
        this.sky = new HemisphereLight( 0xdfe8f5, 0x8a7d72, 1.5 );
        this.key = new DirectionalLight( 0xfff4e6, 2.2 );
        this.rim = new DirectionalLight( 0xbfd4ff, 1.0 );
        this.key.castShadow = true;
        this.key.shadow.mapSize.set( 1024, 1024 );
        this.key.shadow.radius = 5;
        this.floor = new Mesh( new PlaneGeometry( 1, 1 ).rotateX( -Math.PI / 2 ), new ShadowMaterial( { opacity: 0.28, depthWrite: false } ) );
        this.floor.receiveShadow = true;
        scene.add( this.sky, this.key, this.key.target, this.rim, this.rim.target, this.floor );
    }

    /** Lamps and floor go along with a character of this size. */
    stand( center, ground, size )
    {
        for ( const [ lamp, way ] of [ [ this.key, [ 0.9, 1.9, 1.5 ] ], [ this.rim, [ -1.5, 1, -1.5 ] ] ] )
        {
            lamp.target.position.copy( center );
            lamp.position.set( ...way ).multiplyScalar( size ).add( center );
        }
        this.floor.position.set( center.x, ground, center.z );
        if ( this.size !== size )
        {
            this.size = size;
            this.floor.scale.setScalar( 6 * size );
            const { camera } = this.key.shadow;
            Object.assign( camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 6 * size } );
            camera.updateProjectionMatrix();
            this.key.shadow.normalBias = 0.004 * size;
        }
    }
}
