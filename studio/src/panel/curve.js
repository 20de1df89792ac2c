// How motion fades along the bone: a curve with handles. The bone lies across, from the driver on the left to its end.
import { make } from '../page/words.js';

const wide = 280, high = 96, pad = 10;
const space = 'http://www.w3.org/2000/svg';
const at = { x: ( y ) => pad + ( y + 1 ) / 2 * ( wide - 2 * pad ), y: ( value ) => high - pad - value * ( high - 2 * pad ) };

/** As the library has it (supAttenuate): a parabola, Wyvill's polynomial, cubics between keys with level ends. `slopes`: tangents of some keys. */
function attenuate( kind, keys, slopes, y )
{
    const y2 = y * y;
    const value = kind === 'parabola' ? 1 - y2 : kind === 'wyvill' ? 1 + y2 * ( -22 + y2 * ( 17 - 4 * y2 ) ) / 9 : between( keys, slopes, y );
    return Math.min( 1, Math.max( 0, value ) );
}

function between( keys, slopes, y )
{
    const key = ( i ) => ( i < 0 ? [ -1, 0 ] : i >= keys.length ? [ 1, 0 ] : keys[i] );
    const slope = ( i ) => {
        const [ [ y0, v0 ], [ y1, v1 ] ] = [ key( i - 1 ), key( i + 1 ) ], given = slopes.find( ( [ place ] ) => place === keys[i]?.[0] );
        return given !== undefined ? given[1] : i < 0 || i >= keys.length || y1 <= y0 ? 0 : ( v1 - v0 ) / ( y1 - y0 );
    };
    const index = keys.findIndex( ( [ place ] ) => place > y ), i = index < 0 ? keys.length : index;
    const [ [ y0, v0 ], [ y1, v1 ] ] = [ key( i - 1 ), key( i ) ], width = y1 - y0;
    if ( !( width > 0 ) )
    {
        return v1;
    }
    const t = ( y - y0 ) / width, t2 = t * t, t3 = t2 * t;
    return ( 2 * t3 - 3 * t2 + 1 ) * v0 + ( t3 - 2 * t2 + t ) * slope( i - 1 ) * width + ( 3 * t2 - 2 * t3 ) * v1 + ( t3 - t2 ) * slope( i ) * width;
}

const svg = ( tag, attributes ) => {
    const one = document.createElementNS( space, tag );
    Object.entries( attributes ).forEach( ( [ name, value ] ) => one.setAttribute( name, value ) );
    return one;
};

/** Five keys on a curve that has none of its own. */
const keysOn = ( kind ) => [ -1, -0.5, 0, 0.5, 1 ].map( ( y ) => [ y, Number( attenuate( kind, [], [], y ).toFixed( 3 ) ) ] );

/** `kind` and `keys` as they are; `change` is told both when a handle is let go. */
export function curveEditor( { kind, keys, slopes = [] }, words, change )
{
    const own = { kind, keys: kind === 'hermite' ? keys.map( ( key ) => [ ...key ] ) : keysOn( kind ) };
    const line = svg( 'path', { class: 'curve' } ), bone = svg( 'path', { class: 'bone', d: `M${at.x( -1 )} ${at.y( 0 )}H${at.x( 1 )}` } );
    const root = svg( 'svg', { viewBox: `0 0 ${wide} ${high}`, class: 'attenuation', role: 'group', 'aria-label': words } );
    root.append( bone, line );
    const draw = () => {
        const points = Array.from( { length: 65 }, ( _,
            i ) => -1 + i / 32 ).map( ( y ) => `${at.x( y )} ${at.y( attenuate( own.kind, own.keys, slopes, y ) )}` );
        line.setAttribute( 'd', `M${points.join( 'L' )}` );
        root.querySelectorAll( 'circle' ).forEach( ( handle, i ) => {
            const [ y, value ] = own.keys[i];
            handle.setAttribute( 'cx', at.x( y ) );
            handle.setAttribute( 'cy', at.y( value ) );
            handle.setAttribute( 'aria-valuenow', String( Math.round( 100 * value ) ) );
        } );
    };
    const put = ( i, y, value ) => {
        own.kind = 'hermite';
        const [ low, high_ ] = [ own.keys[i - 1]?.[0] ?? -1, own.keys[i + 1]?.[0] ?? 1 ];
        const room = i === 0 || i === own.keys.length - 1 ? 0 : 0.02;
        own.keys[i] = [ Math.min( high_ - room, Math.max( low + room, y ) ), Math.min( 1, Math.max( 0,
            value ) ) ].map( ( one ) => Number( one.toFixed( 3 ) ) );
        draw();
    };
    const tell = () => change( { kind: own.kind, keys: own.keys } );
    own.keys.forEach( ( _, i ) => root.append( handleOf( i, own, root, { put, tell } ) ) );
    draw();
    return make( 'div', { className: 'curvebox' }, root );
}

function handleOf( i, own, root, { put, tell } )
{
    const handle = svg( 'circle', { r: 6, tabindex: 0, role: 'slider', 'aria-label': `Handle ${i + 1}`,
        'data-words': 'How much of the motion there is at this place of the bone. Drag it, or move it by the arrow keys.', 'aria-valuemin': 0, 'aria-valuemax': 100,
        'aria-valuenow': 0 } );
    handle.addEventListener( 'pointerdown', ( event ) => { handle.setPointerCapture( event.pointerId ); event.stopPropagation(); } );
    handle.addEventListener( 'pointermove', ( event ) => {
        if ( handle.hasPointerCapture( event.pointerId ) )
        {
            const box = root.getBoundingClientRect();
            const x = ( event.clientX - box.left ) / box.width * wide, y = ( event.clientY - box.top ) / box.height * high;
            put( i, ( x - pad ) / ( wide - 2 * pad ) * 2 - 1, ( high - pad - y ) / ( high - 2 * pad ) );
        }
    } );
    handle.addEventListener( 'pointerup', tell );
    handle.addEventListener( 'keydown', ( event ) => {
        const way = { ArrowUp: [ 0, 0.05 ], ArrowDown: [ 0, -0.05 ], ArrowLeft: [ -0.05, 0 ], ArrowRight: [ 0.05, 0 ] }[event.key];
        if ( way )
        {
            event.preventDefault();
            event.stopPropagation();
            put( i, own.keys[i][0] + way[0], own.keys[i][1] + way[1] );
        }
    } );
    handle.addEventListener( 'keyup', ( { key } ) => key.startsWith( 'Arrow' ) && tell() );
    return handle;
}
