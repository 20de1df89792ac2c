// One item of any layer with all its fields: those that artists reach for first, then its shape, then what is advanced.
import { button, inWords, make } from '../page/words.js';
import { curveEditor } from './curve.js';
import { fieldRow, wordsOf } from './fields.js';
import { choice, folded } from './widgets.js';

const first = new Set( [ 'frequency', 'dampingRatio', 'amount', 'sag' ] );
const own = new Set( [ 'name', 'attenuation', 'attenuationKeys', 'attenuationSlopes' ] ); // shown otherwise, or not at all

/** The actions that each item has. */
function actions( { app, key, item } )
{
    const { edits, session } = app, { name } = session.rig[key][item];
    const isPiece = key === 'elements';
    const isMuted = Object.hasOwn( session.muted, name );
    const other = edits.other( key, item );
    const { copied } = session;
    return make( 'div', { className: 'row actions' },
        isPiece ? button( isMuted ? 'On' : 'Off', 'Without it, and with it again', () => edits.mute( [ item ], !isMuted ),
            { pressed: isMuted } ) : null,
        isPiece ? button( 'Solo', 'This piece alone, and all again', () => edits.solo( item ), { pressed: edits.isSolo( item ) } ) : null,
        button( 'Mirror', other >= 0 ? `"${session.rig[key][other].name}" becomes as this one` : 'Makes the same on the other side',
            () => edits.mirror( key, item ), { className: 'small mirror' } ),
        isPiece ? button( 'Copy', 'Takes its numbers along, for another piece', () => edits.copy( key, item ) ) : null,
        isPiece && copied && copied.name !== name ? button( 'Paste', `The numbers of "${copied.name}"`, () => edits.paste( item ) ) : null,
        button( 'Remove', 'Takes it out of the rig', () => edits.remove( key, item ) ) );
}

/** How motion fades towards the ends of the bone: a choice and a curve. */
function attenuationPart( { app, key, item, shows }, fields )
{
    const field = fields.find( ( { name } ) => name === 'attenuation' );
    const read = () => app.session.rig[key]?.[item]?.attenuation ?? field.choices[field.fallback ?? 0];
    const keys = () => app.session.rig[key]?.[item]?.attenuationKeys ?? [];
    const box = make( 'div' );
    const slopes = () => app.session.rig[key]?.[item]?.attenuationSlopes ?? [];
    const change = ( { kind, keys: list } ) => {
        const left = kind === 'hermite' ? slopes().filter( ( [ place ] ) => list.some( ( [ y ] ) => y === place ) ) : []; // of keys that stayed
        app.edits.replace( key, item, { attenuation: kind, attenuationKeys: kind === 'hermite' ? list : undefined,
            attenuationSlopes: left.length > 0 ? left : undefined } );
    };
    const choose = ( kind ) => change( { kind, keys: [ [ -1, 0 ], [ -0.5, 0.75 ], [ 0, 1 ], [ 0.5, 0.75 ], [ 1, 0 ] ] } );
    const list = choice( 'Fades as', field.choices.map( ( one ) => [ one, one === 'hermite' ? 'your own curve' : one ] ), read(), wordsOf( field ),
        choose );
    let shown = '';
    const show = () => {
        const now = JSON.stringify( [ read(), keys(), slopes() ] );
        list.show( read() );
        if ( now !== shown && !box.contains( document.activeElement ) )
        {
            box.replaceChildren( curveEditor( { kind: read(), keys: keys(), slopes: slopes() },
                'How motion fades along the bone, from the driver on the left to its end', change ) );
            shown = now;
        }
    };
    shows.push( show );
    show();
    return make( 'div', {}, list, box );
}

export function itemPart( context )
{
    const { app, key, item, memory } = context, { session } = app;
    const { fields } = session.layers.find( ( layer ) => layer.key === key );
    const { name } = session.rig[key][item];
    const among = ( pick ) => fields.filter( ( field ) => !own.has( field.name ) && pick( field ) ).map( ( field ) => fieldRow( context, field ) );
    const isFirst = ( field ) => first.has( field.name ) && field.live;
    const isPlain = ( field ) => !isFirst( field ) && !field.advanced;
    const plain = among( isPlain ), advanced = among( ( field ) => field.advanced && !isFirst( field ) );
    const chosen = app.chosen?.key === key && app.chosen.item === item;
    const part = make( 'fieldset', { className: chosen ? 'chosen' : '' }, make( 'legend', { textContent: name ?? `${inWords( key )} ${item + 1}` } ),
        actions( context ),
        ...among( isFirst ),
        key === 'elements' ? folded( memory, `${key} ${name} shape`, 'Shape and more', attenuationPart( context, fields ), ...plain ) : null,
        ...( key === 'elements' ? [] : plain ),
        advanced.length > 0 ? folded( memory, `${key} ${name} advanced`, 'Advanced', ...advanced ) : null );
    part.addEventListener( 'focusin', () => app.mark( { key, item } ) );
    return part;
}
