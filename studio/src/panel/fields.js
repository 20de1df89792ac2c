// One field of an item, as its type wants it: all words, ranges and defaults are the field table's.
import { button, make, short, titled, unitWords } from '../page/words.js';
import { checkbox, choice, folded, labelled, row, slider, textRow } from './widgets.js';

/** Where sliders end that artists reach for first: the fields themselves have no end. */
const reaches = { frequency: [ 0.5, 15 ], dampingRatio: [ 0, 1 ], amount: [ 0, 3 ], sag: [ 0, 1 ], spread: [ 0, 3.1416 ], radius: [ 0.002, 0.08 ],
    width: [ 0.002, 0.15 ], length: [ 0.01, 0.5 ], reach: [ 0.005, 0.2 ], boneThickness: [ 0, 0.1 ], density: [ 500, 1500 ], limit: [ 0, 1 ],
        swell: [ 0, 3 ],
    activation: [ 0, 5 ], holding: [ 0, 5 ], airFriction: [ 0, 20 ], gravityScale: [ 0, 4 ] };

/** What it means, from where to where, and what it is by itself. */
export function wordsOf( { words, minimum, maximum, fallback, unit } )
{
    const range = minimum === null && maximum === null ? '' : ` From ${short( minimum ?? 0 )} to ${maximum === null ? 'any' : short( maximum )}${unit === 'size' ? ' of the size' : unit ? ` ${unitWords( unit )}` : ''}.`;
    const plain = words.replace( /`(\w+)`/g, ( _, name_ ) => `“${titled( name_ )}”` ); // as the panel calls other fields
    return `${plain}${range}${fallback === null ? '' : ` Default ${short( fallback )}.`}`;
}

/**
 * `context`: { app, key, item, shows }; of an object in a list of the item also { object, write }: how it is read, and how
 * other fields of it are written. Rows tell `shows` how they are renewed.
 */
export function fieldRow( context, field )
{
    const { app, key, item, shows, object = () => app.session.rig[key]?.[item],
        write = ( fields ) => app.edits.set( key, item, fields ) } = context;
    const { name } = field;
    const valueOf = () => object()?.[name];
    const set = ( value ) => write( { [name]: value } );
    const make_ = rows[field.type] ?? summary;
    const made = make_( { ...context, field, label: titled( name ), words: wordsOf( field ), valueOf, set } );
    if ( made.show )
    {
        shows.push( () => made.show( made.read() ) );
    }
    return made;
}

const withRead = ( made, read ) => Object.assign( made, { read } );

function number( { app, key, item, field, label, words, valueOf, set, object, path = '' } )
{
    const { name, unit, minimum, maximum, fallback, live } = field;
    const fits = reaches[name]?.[0] >= ( minimum ?? -Infinity ) && reaches[name][1] <= ( maximum ?? Infinity );
    const [ min, max ] = fits ? reaches[name] : [ minimum ?? 0, maximum !== null && maximum <= 1000 ? maximum : Math.max( 1, 4 * ( fallback ?? 0.25 ) ) ];
    const read = () => { const value = valueOf() ?? fallback; return typeof value === 'number' ? value : null; };
    let waiting = null;
    const made = slider( { name, label, unit, words, min, max, value: read() }, {
        input: ( value ) => ( live ? app.edits.set( key, item, { [path + name]: value } ) : ( waiting = value ) ),
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
        reset: () => ( object === undefined ? app.edits.replace( key, item, { [name]: undefined } ) : set( undefined ) ),
    } );
    made.querySelector( 'input' ).dataset.item = app.session.rig[key][item].name ?? '';
    return withRead( made, read );
}

function vector( { field, label, words, valueOf, set } )
{
    const read = () => {
        const value = valueOf() ?? field.fallback;
        return typeof value === 'number' ? [ value, value, value ] : value; // one number may stand for all three
    };
    const textOf = ( now, k ) => ( now === null ? '' : short( now[k] ) );
    const inputs = [ 'X', 'Y', 'Z' ].map( ( axis, k ) => {
        const input = make( 'input', { type: 'number', name: `${field.name} ${axis}`, step: 'any', value: textOf( read(), k ), placeholder: 'auto',
            attributes: { 'data-words': words, 'aria-label': `${label} ${axis}` } } );
        // the other two keep all their digits; what is emptied goes back to its default
        input.addEventListener( 'change', () => set( input.value === '' ? undefined : ( read() ?? [ 0, 0, 0 ] ).map( ( old, i ) => ( i === k
            ? input.valueAsNumber || 0 : old ) ) ) );
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
        mesh: () => [ ...new Set( session.info.meshes.map( ( one ) => one.name ) ) ] }[field.unit];
    if ( among )
    {
        return withRead( choice( label, [ [ '', '—' ], ...among().map( ( one ) => [ one, one ] ) ], read(), words,
            ( value ) => set( value || undefined ) ), read );
    }
    const isJoint = field.unit === 'joint';
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
        const input = make( 'input', { type: 'number', name: `${label} ${i} ${k}`, step: 0.005, value: short( value ), attributes: { 'data-words': words,
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

/** Places in a row, three numbers each. */
function points( { app, key, item, label, words, valueOf, set } )
{
    const list = valueOf() ?? [];
    const numbers = ( place, i ) => place.map( ( value, k ) => {
        const input = make( 'input', { type: 'number', name: `${label} ${i} ${k}`, step: 'any', value: short( value ), attributes: { 'data-words': words,
            'aria-label': `${label} ${i + 1}, ${'XYZ'[k]}` } } );
        input.addEventListener( 'change', () => {
            const all = structuredClone( list );
            all[i][k] = input.valueAsNumber || 0;
            set( all );
        } );
        return input;
    } );
    const without = ( i ) => ( list.length > 1 ? list.filter( ( _, k ) => k !== i ) : undefined );
    return make( 'div', {}, make( 'div', { className: 'label', textContent: `${label}${list.length === 0 ? ': none' : ''}`, title: words } ),
        ...list.map( ( place, i ) => make( 'div', { className: 'vector points' }, ...numbers( place, i ),
            button( '×', 'Takes this point away', () => set( without( i ) ) ) ) ),
        row( button( 'Add a point', words, () => set( [ ...list, [ ...( list.at( -1 ) ?? [ 0, 0, 0 ] ) ] ] ) ),
            key === 'wrinkles' && list.length > 0 ? button( 'Drag them…', 'Handles on the body', () => app.dragPoints( key, item ) ) : null ) );
}

/** Objects in a row, with all fields of each: points of an action line, ellipsoids beside it. */
function items( context )
{
    const { app, key, item, field, label, words, valueOf, set, memory } = context;
    const list = valueOf() ?? [], { name } = app.session.rig[key][item];
    const one = field.name.replace( /s$/, '' );
    const part = ( _, i ) => {
        const object = () => valueOf()?.[i];
        const write = ( fields ) => set( valueOf().map( ( old, k ) => ( k === i ? cleaned( { ...old, ...fields } ) : old ) ) );
        const rows_ = field.fields.map( ( own ) => fieldRow( { ...context, object, write, path: `${field.name}[${i}].` }, own ) );
        return folded( memory, `${key} ${name} ${field.name} ${i}`, `${titled( one )} ${i + 1}: ${jointWords( object().joint )}`, ...rows_,
            row( button( 'Remove', `Takes this ${one} away`, () => set( list.length > 1 ? list.filter( ( _1, k ) => k !== i ) : undefined ) ) ) );
    };
    const add = () => set( [ ...list, list.length > 0 ? structuredClone( list.at( -1 ) ) : besideLine( app.session.rig[key][item].points ?? [] ) ] );
    return make( 'div', { className: 'items' }, make( 'div', { className: 'label', textContent: `${label}${list.length === 0 ? ': none' : ''}`,
        title: words } ), ...list.map( part ),
        row( button( `Add a ${one}`, words, add ), key === 'muscles' && field.name === 'points' && list.length > 0
            ? button( 'Drag them…', 'Handles on the body', () => app.dragPoints( key, item ) ) : null ) );
}

/** The first of a list: in the middle of the points that go with the first one's joint. */
function besideLine( line )
{
    const [ { joint } = {} ] = line, own = line.filter( ( point ) => jointWords( point.joint ) === jointWords( joint ) && point.at );
    const center = [ 0, 1, 2 ].map( ( k ) => own.reduce( ( sum, { at } ) => sum + at[k], 0 ) / Math.max( own.length, 1 ) );
    return { joint, ...( own.length > 0 ? { center: center.map( ( value ) => Number( value.toPrecision( 5 ) ) ) } : {} ) };
}

/** Fields that were taken back are not written. */
const cleaned = ( fields ) => Object.fromEntries( Object.entries( fields ).filter( ( [ , value ] ) => value !== undefined ) );
const jointWords = ( joint ) => ( typeof joint === 'object' && joint !== null ? `${joint.name}#${joint.index}` : joint ?? '' );

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

const rows = { number, length: number, switch: flag, choice: oneOf, vector, name, names, spheres, paint, moves, points, items, keys: summary,
    shape: summary };
