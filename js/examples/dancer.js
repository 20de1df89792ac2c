// One character that goes from clip to clip; the flesh follows whatever the mixer makes of them.
import { AnimationMixer } from 'three';
import { enliven } from 'supple/three';
import { loadCharacter, Stage, treadmill } from './stage.js';

const stage = new Stage();
const gltf = await loadCharacter();
stage.scene.add( gltf.scene );
const living = await enliven( gltf );

const mixer = new AnimationMixer( gltf.scene );
const stay = treadmill( gltf.scene );
const actions = gltf.animations.map( ( clip ) => mixer.clipAction( clip ) );
const figures = [ 'turn', 'jump', 'run', 'jump', 'turn', 'walk' ].map(
    ( name ) => actions.find( ( action ) => action.getClip().name === name ) ).filter( ( action ) => action );
const dance = figures.length > 0 ? figures : actions;
let step = 0, left = 0, now = null;

/** The next figure comes in while the last one goes out. */
function nextFigure()
{
    const next = dance[step++ % dance.length];
    left = Math.max( 1.5, next.getClip().duration );
    next.reset().play();
    if ( now !== null && now !== next )
    {
        next.crossFadeFrom( now, 0.3 );
    }
    now = next;
}

stage.run( ( dt ) => {
    left -= dt;
    if ( left <= 0 && dance.length > 0 )
    {
        nextFigure();
    }
    mixer.update( dt );
    stay();
    living.update( dt );
} );
Object.assign( window, { stage, living } );
