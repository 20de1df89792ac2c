// Tuning: what was found and how it is put right, regions and pieces of flesh, items of all other layers.
import { regionsOf, sureness } from '../page/regions.js';
import { button, inWords, make, titled } from '../page/words.js';
import { itemPart } from './item.js';
import { checkbox, choice, folded, note, row, section, slider } from './widgets.js';

const kinds = [ 'human', 'quadruped', 'biped', 'fish', 'snake', 'many-legged', 'blob', 'machine' ];
const fronts = [ '+Z', '-Z', '+X', '-X', '+Y', '-Y' ];
const presets = [ 'subtle', 'natural', 'heavy', 'cartoon' ];

const axisOf = ( vector ) => {
    const most = vector.reduce( ( best, value, i ) => ( Math.abs( value ) > Math.abs( vector[best] ) ? i : best ), 0 );
    return `${vector[most] < 0 ? '-' : '+'}${'XYZ'[most]}`;
};

export class TunePanel
{
    constructor( app, memory )
    {
        Object.assign( this, { app, memory } );
    }

    /** What must be the same for sliders to stay as they are. */
    get shape()
    {
        const { session, chosen } = this.app, { rig, options, name, proposal, muted, copied } = session;
        const items = Object.entries( rig ).filter( ( [ , list ] ) => Array.isArray( list ) ).map( ( [ key, list ] ) => [ key,
            ...list.map( ( one ) => [ one?.name, ...Object.values( one ?? {} ).filter( Array.isArray ).map( ( { length } ) => length ),
                one?.paint?.meshes?.length, one?.moves?.meshes?.length ] ) ] );
        return JSON.stringify( [ name, proposal.kind, proposal.front, options, items, Object.keys( muted ), copied?.name, chosen ] );
    }

    build( shows )
    {
        return [ this.foundPart(), this.fleshPart( shows ), ...this.otherParts( shows ) ];
    }

    foundPart()
    {
        const { app } = this, { proposal, options } = app.session;
        const why = proposal.evidence.map( ( { about, cue, says } ) => `${about}: ${says} (by ${cue})` );
        const front = choice( 'Front', fronts, options.front ?? axisOf( proposal.front ), 'Where it looks.',
            ( value ) => app.edits.propose( { front: value } ) );
        const up = choice( 'Up', fronts, options.up ?? axisOf( proposal.up ), 'Where its head is, or its back.',
            ( value ) => app.edits.propose( { up: value } ) );
        front.append( button( 'Facing me', 'Its front is the side that you see', () => app.edits.propose( { front: app.stage.axisToEye() } ) ) );
        return section( 'What was found',
            make( 'p', { id: 'foundline', textContent: `${titled( proposal.kind )}, ${sureness( proposal.confidence )} (${Math.round( 100 * proposal.confidence )}%)` } ),
            folded( this.memory, 'why', 'Why', make( 'ul', { className: 'why' }, ...why.map( ( textContent ) => make( 'li', { textContent } ) ) ) ),
            choice( 'Kind', kinds, options.kind ?? proposal.kind, 'What the body is, where it was read wrongly.',
                ( kind ) => app.edits.propose( { kind } ) ),
            front, up,
            choice( 'Preset', presets, options.preset ?? 'natural', 'How soft the flesh is: all of it is found anew.',
                ( preset ) => app.edits.propose( { preset } ) ) );
    }

    fleshPart( shows )
    {
        const { rig, proposal, options } = this.app.session;
        const regions = regionsOf( rig.elements ?? [], proposal );
        const gone = ( options.without ?? [] ).filter( ( name ) => !regions.some( ( one ) => one.name === name ) );
        if ( regions.length + gone.length === 0 )
        {
            return section( 'Flesh', note( 'No flesh was found. Put the kind right, load a rig, or make a piece by hand under Make.' ) );
        }
        return section( 'Flesh', ...regions.map( ( region ) => this.region( region, shows ) ),
            ...gone.map( ( name ) => make( 'div', { className: 'region off' }, this.toggle( name, false ) ) ) );
    }

    toggle( name, isOn )
    {
        const box = checkbox( titled( name ), isOn, 'With or without it.', ( now ) => this.app.edits.region( name, now ) );
        box.classList.add( 'toggle' );
        return box;
    }

    region( region, shows )
    {
        const { app, memory } = this, { session } = app;
        const read = () => ( Object.hasOwn( session.masters, region.name ) ? session.masters[region.name] : 1 );
        const isFound = session.proposal.elements.some( ( one ) => one.region === region.name );
        const master = slider( { name: `master ${region.name}`, label: `All of ${inWords( region.name )}`, unit: '×', min: 0, max: 3, value: read(),
            words: 'Times the amount of every piece of this region.' },
        { input: ( value ) => app.edits.master( region, value ), done: () => app.edits.done() } );
        shows.push( () => master.show( read() ) );
        return make( 'div', { className: 'region' }, isFound ? this.toggle( region.name, true ) : make( 'div', { className: 'toggle',
            textContent: titled( region.name ) } ), master,
            folded( memory, region.name, region.elements.length > 1 ? `${region.elements.length} pieces` : 'Numbers',
                ...region.elements.map( ( item ) => itemPart( { app, key: 'elements', item, shows, memory } ) ) ) );
    }

    /** Layers above flesh that have items. */
    otherParts( shows )
    {
        const { app, memory } = this, { session } = app;
        return session.layers.filter( ( { key } ) => key !== 'elements' && ( session.rig[key] ?? [] ).length > 0 ).map( ( { key, words } ) => {
            const list = session.rig[key];
            const parts = list.map( ( one, item ) => folded( memory, `${key} ${one.name ?? item}`, one.name ?? `${inWords( key )} ${item + 1}`,
                itemPart( { app, key, item, shows, memory } ) ) );
            const all = row( button( 'Remove all', 'Takes all of this layer away', () => app.removeLayer( key ) ) );
            return section( titled( key ), note( words ), ...parts, list.length > 1 ? all : null );
        } );
    }
}
