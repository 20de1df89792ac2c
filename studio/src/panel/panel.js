// The panel: what was found and how it is put right, regions and pieces of flesh with their numbers, what is kept.
import { inWords, regionsOf, sureness } from './regions.js';

const kinds = [ 'human', 'quadruped', 'biped', 'fish', 'snake', 'many-legged', 'blob', 'machine' ];
const fronts = [ '+Z', '-Z', '+X', '-X', '+Y', '-Y' ];
const presets = [ 'subtle', 'natural', 'heavy', 'cartoon' ];
/** What artists reach for first, and where these sliders end: the fields themselves have no end. All else is folded away. */
const reaches = { frequency: [ 0.5, 15 ], dampingRatio: [ 0, 1 ], amount: [ 0, 3 ], sag: [ 0, 1 ] };

export function make( tag, fields = {}, ...children )
{
    const { attributes = {}, ...own } = fields;
    const element = Object.assign( document.createElement( tag ), own );
    Object.entries( attributes ).forEach( ( [ name, value ] ) => element.setAttribute( name, value ) );
    element.append( ...children );
    return element;
}

const short = ( value ) => String( Number( Number( value ).toPrecision( 3 ) ) );

/** A slider with its name, unit and words. `input` while it is moved, `done` when it is let go. */
function slider( { name, label, unit, words, min, max, value }, input, done )
{
    const range = make( 'input', { type: 'range', min, max, step: ( max - min ) / 400, value, title: words,
        attributes: { 'data-field': name, 'aria-label': `${label}${unit ? `, ${unit}` : ''}` } } );
    const number = make( 'input', { type: 'number', step: 'any', value: short( value ), title: words,
        attributes: { 'aria-label': `${label}, as a number` } } );
    range.addEventListener( 'input', () => { number.value = short( range.value ); input( Number( range.value ) ); } );
    range.addEventListener( 'change', () => done() );
    number.addEventListener( 'change', () => {
        if ( Number.isFinite( number.valueAsNumber ) )
        {
            range.value = number.value;
            input( number.valueAsNumber );
            done();
        }
    } );
    const row = make( 'div', { className: 'slider' }, make( 'span', { className: 'label', textContent: label, title: words } ), range,
        number, make( 'span', { className: 'unit', textContent: unit } ) );
    row.show = ( now ) => {
        if ( document.activeElement !== range || Number( range.value ) !== now )
        {
            range.value = now;
        }
        number.value = short( now );
    };
    return row;
}

function choice( label, options, value, title, choose )
{
    const select = make( 'select', { title }, ...options.map( ( one ) => make( 'option', { value: one, textContent: one } ) ) );
    select.value = value;
    select.addEventListener( 'change', () => choose( select.value ) );
    return make( 'label', { className: 'choice' }, make( 'span', { textContent: label } ), select );
}

const axisOf = ( vector ) => {
    const most = vector.reduce( ( best, value, i ) => ( Math.abs( value ) > Math.abs( vector[best] ) ? i : best ), 0 );
    return `${vector[most] < 0 ? '-' : '+'}${'XYZ'[most]}`;
};

export class Panel
{
    /** `act`: what the page does: set, master, propose, done, saveRig, loadRig, copy, jump, turn, push. */
    constructor( root, act )
    {
        Object.assign( this, { root, act, shows: [], opened: new Set() } );
    }

    /** All of it anew: after a file, or a rig with other items. */
    build( session )
    {
        this.shows = [];
        this.root.replaceChildren( this.foundPart( session ), this.regionsPart( session ), this.keepPart( session ) );
        this.shape = shapeOf( session );
        this.update( session );
    }

    /** Numbers as they are now. */
    update( session )
    {
        if ( this.shape !== shapeOf( session ) )
        {
            this.build( session );
            return;
        }
        this.shows.forEach( ( show ) => show( session ) );
    }

    foundPart( { proposal, options } )
    {
        const why = proposal.evidence.map( ( { about, cue, says } ) => `${about}: ${says} (by ${cue})` ).join( '\n' );
        return make( 'section', { className: 'part' }, make( 'h2', { textContent: 'What was found' } ),
            make( 'p', { id: 'foundline', textContent: `${inWords( proposal.kind )}, ${sureness( proposal.confidence )} ` +
                `(${Math.round( 100 * proposal.confidence )}%)`, title: why } ),
            choice( 'Kind', kinds, options.kind ?? proposal.kind, 'What the body is, where it was read wrongly.',
                ( kind ) => this.act.propose( { kind } ) ),
            choice( 'Front', fronts, options.front ?? axisOf( proposal.front ), 'Where it looks.', ( front ) => this.act.propose( { front } ) ),
            choice( 'Preset', presets, options.preset ?? 'natural', 'How soft the flesh is: all of it is found anew.',
                ( preset ) => this.act.propose( { preset } ) ) );
    }

    regionsPart( session )
    {
        const { rig, proposal, options } = session;
        const regions = regionsOf( rig.elements ?? [], proposal );
        const gone = ( options.without ?? [] ).filter( ( name ) => !regions.some( ( one ) => one.name === name ) );
        const none = make( 'p', { className: 'quiet', textContent: 'No flesh was found. Put the kind right, or add a rig.' } );
        return make( 'section', { className: 'part' }, make( 'h2', { textContent: 'Flesh' } ),
            ...( regions.length + gone.length === 0 ? [ none ] : regions.map( ( region ) => this.region( region, session ) ) ),
            ...gone.map( ( name ) => make( 'div', { className: 'region off' }, this.toggle( name, false ) ) ) );
    }

    toggle( name, isOn )
    {
        const box = make( 'input', { type: 'checkbox', checked: isOn, title: 'With or without it.' } );
        box.addEventListener( 'change', () => this.act.region( name, box.checked ) );
        return make( 'label', { className: 'toggle' }, box, inWords( name ) );
    }

    region( region, session )
    {
        const label = `All of ${inWords( region.name )}`;
        const master = slider( { name: `master ${region.name}`, label, unit: '×', min: 0, max: 3,
            value: session.masters[region.name] ?? 1, words: 'Times the amount of every piece of this region.' },
        ( value ) => this.act.master( region, value ), () => this.act.done() );
        this.shows.push( ( { masters } ) => master.show( masters[region.name] ?? 1 ) );
        const details = make( 'details', { open: this.opened.has( region.name ) },
            make( 'summary', { textContent: region.elements.length > 1 ? `${region.elements.length} pieces` : 'numbers' } ),
            ...region.elements.map( ( number ) => this.element( number, session ) ) );
        details.addEventListener( 'toggle', () => this.opened[details.open ? 'add' : 'delete']( region.name ) );
        return make( 'div', { className: 'region' }, this.toggle( region.name, true ), master, details );
    }

    element( number, session )
    {
        const { fields } = session.layers.find( ( { key } ) => key === 'elements' );
        const shown = fields.filter( ( { type, live } ) => live && ( type === 'number' || type === 'length' ) );
        const rows = ( list ) => list.map( ( field ) => this.field( number, field, session ) );
        const isFirst = ( { name } ) => name in reaches;
        const experts = shown.filter( ( field ) => !isFirst( field ) );
        const element = session.rig.elements[number];
        const other = this.other( number, session );
        const mirror = make( 'button', { type: 'button', className: 'small', textContent: 'Same on the other side',
            title: 'Gives the other side these numbers' } );
        mirror.addEventListener( 'click', () => this.act.mirror( number, other, shown.map( ( { name } ) => name ) ) );
        return make( 'fieldset', {}, make( 'legend', { textContent: element.name ?? `element ${number + 1}` } ),
            ...rows( shown.filter( isFirst ) ),
            ...( experts.length > 0 ? [ make( 'details', {}, make( 'summary', { textContent: 'more' } ), ...rows( experts ) ) ] : [] ),
            ...( other >= 0 ? [ mirror ] : [] ) );
    }

    field( number, { name, unit, words, minimum, maximum, fallback }, session )
    {
        const [ low, high ] = reaches[name] ?? [ minimum ?? 0, maximum ?? Math.max( 1, 4 * ( fallback ?? 0.25 ) ) ];
        const valueOf = ( { rig } ) => rig.elements[number][name] ?? fallback ?? 0;
        const text = `${words} ${minimum ?? ''}${minimum !== null || maximum !== null ? ' to ' : ''}${maximum ?? ''}` +
            `${fallback === null ? '' : `; ${short( fallback )} by default`}`;
        const row = slider( { name, label: inWords( name ), unit, words: text, min: low, max: high, value: valueOf( session ) },
            ( value ) => this.act.set( number, { [name]: value } ), () => this.act.done() );
        row.querySelector( 'input' ).dataset.element = session.rig.elements[number].name;
        this.shows.push( ( now ) => row.show( valueOf( now ) ) );
        return row;
    }

    /** Opens the numbers of a piece and brings them into sight. */
    choose( item, session )
    {
        const { name } = session.rig.elements[item];
        const region = regionsOf( session.rig.elements, session.proposal ).find( ( { elements } ) => elements.includes( item ) );
        this.opened.add( region.name );
        this.build( session );
        const chosen = [ ...this.root.querySelectorAll( 'fieldset' ) ].find( ( one ) => one.querySelector( 'legend' ).textContent === name );
        chosen.classList.add( 'chosen' );
        chosen.scrollIntoView( { block: 'center' } );
    }

    /** The same piece on the other side, or -1. */
    other( number, { rig } )
    {
        const { name = '' } = rig.elements[number];
        const swapped = name.replace( /\b(left|right)\b/, ( side ) => ( side === 'left' ? 'right' : 'left' ) );
        return swapped === name ? -1 : rig.elements.findIndex( ( one ) => one.name === swapped );
    }

    keepPart( session )
    {
        const line = make( 'code', { id: 'command', tabIndex: 0 } );
        this.shows.push( ( now ) => { line.textContent = now.command; } );
        const button = ( id, text, title, click ) => {
            const one = make( 'button', { id, type: 'button', textContent: text, title } );
            one.addEventListener( 'click', click );
            return one;
        };
        const report = make( 'p', { id: 'report', className: 'quiet' } );
        this.shows.push( ( now ) => { report.textContent = now.report ?? ''; } );
        return make( 'section', { className: 'part' }, make( 'h2', { textContent: 'Move it' } ),
            make( 'div', { className: 'row' }, button( 'jump', 'Jump', 'Let it jump (J)', () => this.act.jump() ),
                button( 'turn', 'Turn', 'Let it turn (T)', () => this.act.turn() ), button( 'push', 'Push', 'Push it (P)', () => this.act.push() ) ),
            make( 'p', { className: 'quiet', textContent: 'Shift and drag shakes it.' } ),
            make( 'h2', { textContent: 'Keep' } ),
            make( 'div', { className: 'row' }, button( 'save', 'Save rig', 'The rig as a .rig.json', () => this.act.saveRig() ),
                button( 'load', 'Load rig…', 'A .rig.json in the place of this one', () => this.act.loadRig() ),
                button( 'picture', 'Picture', 'What is seen, as a PNG', () => this.act.picture() ) ),
            make( 'p', { className: 'quiet', textContent: 'The same with the program:' } ), line,
            button( 'copy', 'Copy', 'Copies the command', () => this.act.copy( session ) ), report );
    }
}

/** What must be the same for sliders to stay as they are. */
const shapeOf = ( { rig, options, name, proposal } ) => JSON.stringify( [ name, proposal.kind, proposal.front, options,
    ( rig.elements ?? [] ).map( ( one ) => one.name ) ] );
