// One field of an item, as its type wants it: all words, ranges and defaults are the field table's.
import { button, make, short, titled } from '../page/words.js';
import { checkbox, choice, labelled, row, slider, textRow } from './widgets.js';

/** Where sliders end that artists reach for first: the fields themselves have no end. */
const reaches = { frequency: [ 0.5, 15 ], dampingRatio: [ 0, 1 ], amount: [ 0, 3 ], sag: [ 0, 1 ], spread: [ 0, 3.1416 ], radius: [ 0.002, 0.08 ],
    width: [ 0.002, 0.15 ], length: [ 0.01, 0.5 ], reach: [ 0.005, 0.2 ], boneThickness: [ 0, 0.1 ], density: [ 500, 1500 ], limit: [ 0, 1 ],
        swell: [ 0, 3 ],
    activation: [ 0, 5 ], holding: [ 0, 5 ], airFriction: [ 0, 20 ], gravityScale: [ 0, 4 ] };

/** What it means, from where to where, and what it is by itself. */
function wordsOf( { words, minimum, maximum, fallback, unit } )
{
    const range = minimum === null && maximum === null ? '' : ` From ${short( minimum ?? 0 )} to ${maximum === null ? 'any' : short( maximum )}${unit ? ` ${unit}` : ''}.`;
    return `${words}${range}${fallback === null ? '' : ` Default ${short( fallback )}.`}`;
}

/** `context`: { app, key, item, shows }. Rows tell `shows` how they are renewed. */
export function fieldRow( context, field )
{
    const { app, key, item, shows } = context, { name } = field;
    const valueOf = () => app.session.rig[key]?.[item]?.[name];
    const set = ( value ) => app.edits.set( key, item, { [name]: value } );
    const make_ = rows[field.type] ?? summary;
    const made = make_( { ...context, field, label: titled( name ), words: wordsOf( field ), valueOf, set } );
    if ( made.show )
    {
        shows.push( () => made.show( made.read() ) );
    }
    return made;
}

const withRead = ( made, read ) => Object.assign( made, { read } );

function number( { app, key, item, field, label, words, valueOf, set } )
{
    const { name, unit, minimum, maximum, fallback, live } = field;
    const [ min, max ] = reaches[name] ?? [ minimum ?? 0, maximum !== null && maximum <= 1000 ? maximum : Math.max( 1, 4 * ( fallback ?? 0.25 ) ) ];
    const read = () => { const value = valueOf() ?? fallback; return typeof value === 'number' ? value : null; };
    let waiting = null;
    const made = slider( { name, label, unit, words, min, max, value: read() }, {
        input: ( value ) => ( live ? set( value ) : ( waiting = value ) ),
        done: () => {
            if ( waiting !== null )
            {
                set( waiting ); // what compiles is set when it is let go
                waiting = null;
            }
            else if ( live )
            {
                app.edits.done();
            }
        },
        reset: () => app.edits.replace( key, item, { [name]: undefined } ),
    } );
    made.querySelector( 'input' ).dataset.item = app.session.rig[key][item].name ?? '';
    return withRead( made, read );
}

function vector( { field, label, words, valueOf, set } )
{
    const read = () => valueOf() ?? ( field.fallback === null ? null : [ field.fallback, field.fallback, field.fallback ] );
    const textOf = ( now, k ) => ( now === null ? '' : short( now[k] ) );
    const inputs = [ 'X', 'Y', 'Z' ].map( ( axis, k ) => {
        const input = make( 'input', { type: 'number', step: 'any', value: textOf( read(), k ), placeholder: 'auto',
            attributes: { 'data-words': words, 'aria-label': `${label} ${axis}` } } );
        input.addEventListener( 'change', () => set( inputs.map( ( one ) => one.valueAsNumber || 0 ) ) );
        return input;
    } );
    const made = make( 'div', { className: 'vector' }, make( 'span', { className: 'label', textContent: label, title: words } ), ...inputs );
    made.show = ( now ) => inputs.forEach( ( input, k ) => { if ( document.activeElement !== input ) { input.value = textOf( now, k ); } } );
    return withRead( made, read );
}

/** A name: of a joint, of a piece, of a mesh, of a clip, or one's own. */
function name( { app, field, label, words, valueOf, set } )
{
    const { session } = app;
    const read = () => { const value = valueOf(); return typeof value === 'object' && value !== null ? `${value.name}#${value.index}` : value ?? ''; };
    const among = { element: () => ( session.rig.elements ?? [] ).map( ( one ) => one.name ), clip: () => session.clips.map( ( one ) => one.name ),
        mesh: () => [ ...new Set( session.info.meshes.map( ( one ) => one.name ) ) ] }[field.name];
    if ( among )
    {
        return withRead( choice( label, [ [ '', '—' ], ...among().map( ( one ) => [ one, one ] ) ], read(), words,
            ( value ) => set( value || undefined ) ), read );
    }
    const isJoint = [ 'driver', 'joint' ].includes( field.name );
    return withRead( textRow( label, read(), words, ( value ) => set( value || undefined ), isJoint ? { list: 'jointnames' } : {} ), read );
}

function names( { label, words, valueOf, set } )
{
    const read = () => ( valueOf() ?? [] ).map( ( one ) => ( typeof one === 'object' ? `${one.name}#${one.index}` : one ) ).join( ', ' );
    return withRead( textRow( label, read(), `${words} Names, with commas between.`,
        ( text ) => set( text === '' ? undefined : text.split( ',' ).map( ( one ) => one.trim() ).filter( Boolean ) ) ), read );
}

function flag( { field, label, words, valueOf, set } )
{
    const read = () => valueOf() ?? field.fallback === 1;
    return withRead( checkbox( label, read(), words, set ), read );
}

function oneOf( { field, label, words, valueOf, set } )
{
    const read = () => valueOf() ?? field.choices[field.fallback ?? 0];
    return withRead( choice( label, field.choices, read(), words, set ), read );
}

/** Balls: a centre and a radius each. */
function spheres( { label, words, valueOf, set } )
{
    const list = valueOf() ?? [];
    const numbers = ( ball, i ) => [ ...ball.center, ball.radius ].map( ( value, k ) => {
        const input = make( 'input', { type: 'number', step: 0.005, value: short( value ), attributes: { 'data-words': words,
            'aria-label': `${label} ${i + 1}, ${[ 'X', 'Y', 'Z', 'radius' ][k]}` } } );
        input.addEventListener( 'change', () => {
            const all = structuredClone( list );
            ( k < 3 ? all[i].center : all[i] )[k < 3 ? k : 'radius'] = input.valueAsNumber;
            set( all );
        } );
        return input;
    } );
    const remove = ( i ) => button( '×', 'Takes this ball away', () => set( list.length > 1 ? list.filter( ( _, k ) => k !== i ) : undefined ) );
    return make( 'div', {}, make( 'div', { className: 'label', textContent: label, title: words } ),
        ...list.map( ( ball, i ) => make( 'div', { className: 'vector four' }, ...numbers( ball, i ), remove( i ) ) ),
        row( button( 'Add a ball', words, () => set( [ ...list, { center: [ 0, 0, 0 ], radius: 0.1 } ] ) ) ) );
}

function paint( { app, key, item, label, words, valueOf } )
{
    const count = ( valueOf()?.meshes ?? [] ).reduce( ( sum, { vertices } ) => sum + vertices.length, 0 );
    return labelled( label, words, make( 'span', { className: 'quiet', textContent: count > 0 ? `${count} vertices` : 'not painted' } ),
        key === 'elements' ? button( 'Paint…', 'A brush on the skin', () => app.paint( item ) ) : null );
}

function points( { app, key, item, label, words, valueOf } )
{
    const count = ( valueOf() ?? [] ).length;
    const isLine = [ 'muscles', 'wrinkles' ].includes( key ) && count > 0;
    return labelled( label, words, make( 'span', { className: 'quiet', textContent: count === 0 ? 'none' : String( count ) } ),
        isLine ? button( 'Drag them…', 'Handles on the body', () => app.dragPoints( key, item ) ) : null );
}

function moves( context )
{
    const { app, key, item } = context;
    const row_ = paint( { ...context, key: '' } );
    if ( key === 'examples' )
    {
        row_.append( button( 'Sculpt…', 'Goes on with the brush', () => app.sculpt( app.session.rig.examples[item] ) ) );
    }
    return row_;
}

/** What has no control of its own here is said, and edited in the file. */
function summary( { label, words, valueOf } )
{
    const value = valueOf();
    const text = value === undefined ? 'not given' : Array.isArray( value ) ? `${value.length}` : typeof value === 'object' ? 'given' : String( value );
    return labelled( label, words, make( 'span', { className: 'quiet', textContent: text } ) );
}

const rows = { number, length: number, switch: flag, choice: oneOf, vector, name, names, spheres, paint, moves, points, items: points, keys: summary,
    shape: summary };
