// Fifty copies with one model: each has its own motion, its own size and its own flesh.
import { AnimationMixer } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { enliven } from 'supple/three';
import { loadCharacter, Stage, treadmill } from './stage.js';

const count = 50, row = 10;
const stage = new Stage( { from: [ 5, 3.6, 9.5 ], to: [ 0, 0.8, 0 ], size: 12 } );
const gltf = await loadCharacter();
const clips = gltf.animations.filter( ( { name } ) => name !== 'jump' );
const all = [];
for ( let i = 0; i < count; ++i )
{
    const root = clone( gltf.scene );
    root.position.set( ( i % row - ( row - 1 ) / 2 ) * 1.25 + ( Math.floor( i / row ) % 2 ) * 0.6, 0, 2.5 - Math.floor( i / row ) * 1.5 );
    root.rotation.y = 0.5 * Math.sin( 12.9 * i );
    root.scale.setScalar( 0.94 + 0.12 * ( ( i * 7 ) % 10 ) / 9 );
    stage.scene.add( root );
    all.push( { root, mixer: new AnimationMixer( root ), stay: treadmill( root ) } );
}
const first = await enliven( gltf ); // the file is read once; copies find its model by their geometry
for ( const [ i, one ] of all.entries() )
{
    one.living = await enliven( one.root );
    if ( clips.length > 0 )
    {
        one.mixer.clipAction( clips[i % clips.length] ).play();
        one.mixer.update( 0.37 * i );
    }
}

let spent = 0, frames = 0;
const words = document.querySelector( '#words' );
stage.run( ( dt ) => {
    all.forEach( ( { mixer, stay } ) => {
        mixer.update( dt );
        stay();
    } );
    const start = performance.now();
    all.forEach( ( { living } ) => living.update( dt ) );
    spent += performance.now() - start;
    if ( ++frames % 30 === 0 )
    {
        words.textContent = `Fifty, of one model: ${( spent / 30 ).toFixed( 2 )} ms a frame for all their flesh.`;
        spent = 0;
    }
} );
Object.assign( window, { stage, living: all[0].living, first } );
