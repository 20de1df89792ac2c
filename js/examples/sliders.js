// Every number of every piece of flesh, while she moves.
import { AnimationMixer } from 'three';
import { enliven } from 'supple/three';
import { loadCharacter, Stage, treadmill } from './stage.js';

const stage = new Stage();
const gltf = await loadCharacter();
stage.scene.add( gltf.scene );
const living = await enliven( gltf );
const mixer = new AnimationMixer( gltf.scene );
const stay = treadmill( gltf.scene );
const form = document.querySelector( '#sliders' );

function add( tag, parent, fields = {} )
{
    const element = Object.assign( document.createElement( tag ), fields );
    parent.append( element );
    return element;
}

function addChoice( title, choices, choose )
{
    const label = add( 'label', form, { className: 'wide', textContent: title } );
    const select = add( 'select', label );
    choices.forEach( ( value ) => add( 'option', select, { value, textContent: value } ) );
    select.addEventListener( 'input', () => choose( select.value ) );
    return select;
}

function addSlider( field, range )
{
    const label = add( 'label', form, { textContent: field.name, title: `${field.words} ${field.unit}` } );
    const input = add( 'input', label, { type: 'range', ...range, step: ( range.max - range.min ) / 200 } );
    const output = add( 'output', label );
    const show = ( value ) => {
        input.value = value;
        output.textContent = Number( value ).toFixed( 2 );
    };
    input.addEventListener( 'input', () => {
        living.set( chosen.value, { [field.name]: Number( input.value ) } );
        show( input.value );
    } );
    return show;
}

const play = ( name ) => {
    mixer.stopAllAction();
    mixer.clipAction( gltf.animations.find( ( clip ) => clip.name === name ) ).play();
};
const names = gltf.animations.map( ( clip ) => clip.name );
if ( names.length > 0 )
{
    const clip = addChoice( 'clip', names, play );
    clip.value = names.includes( 'run' ) ? 'run' : names[0];
    play( clip.value );
}
const chosen = addChoice( 'flesh', living.elements.map( ( { name } ) => name ), () => showAll() );
const ranges = { frequency: { min: 0.5, max: 12 }, dampingRatio: { min: 0, max: 1 }, amount: { min: 0, max: 4 }, sag: { min: 0, max: 1 } };
const shows = living.fields.filter( ( { name } ) => ranges[name] ).map(
    ( field ) => ( { name: field.name, show: addSlider( field, ranges[field.name] ) } ) );

function showAll()
{
    const element = living.elements.find( ( { name } ) => name === chosen.value );
    shows.forEach( ( { name, show } ) => show( element[name] ) );
}

showAll();
stage.run( ( dt ) => {
    mixer.update( dt );
    stay();
    living.update( dt );
} );
Object.assign( window, { stage, living } );
