// Small words that several parts of the page say.

export const get = ( id ) => document.getElementById( id );

let doneUntil = 0;

/** A line of the page: an error, what is being done, or what was; "" takes it away. */
export function tell( id, text )
{
    get( id ).textContent = text;
    get( id ).hidden = text === '';
    if ( id === 'error' )
    {
        get( 'enderror' ).hidden = text === '';
    }
    if ( id === 'done' && text !== '' ) // good news goes by itself
    {
        clearTimeout( doneUntil );
        doneUntil = setTimeout( () => tell( 'done', '' ), 8000 );
    }
}

/** Runs work of a click: what goes wrong is told, and the page goes on. Gives null where it failed. */
export async function tried( work )
{
    tell( 'error', '' );
    tell( 'done', '' );
    try
    {
        return await work();
    }
    catch ( error )
    {
        tell( 'error', error.message );
        return null;
    }
    finally
    {
        tell( 'busy', '' );
    }
}

export function make( tag, fields = {}, ...children )
{
    const { attributes = {}, ...own } = fields;
    const element = Object.assign( document.createElement( tag ), own );
    Object.entries( attributes ).forEach( ( [ name, value ] ) => element.setAttribute( name, value ) );
    element.append( ...children.filter( ( child ) => child !== null && child !== undefined ) );
    return element;
}

export function button( text, title, click, { id = '', className = 'small', pressed } = {} )
{
    const one = make( 'button', { type: 'button', textContent: text, title, className } );
    if ( id )
    {
        one.id = id;
    }
    if ( pressed !== undefined )
    {
        one.setAttribute( 'aria-pressed', String( pressed ) );
    }
    one.addEventListener( 'click', () => click( one ) );
    return one;
}

/** Hands a file to whoever sits there. */
export function download( name, data, type )
{
    const url = URL.createObjectURL( new Blob( [ data ], { type } ) );
    make( 'a', { href: url, download: name } ).click();
    setTimeout( () => URL.revokeObjectURL( url ), 10000 );
}

/** A word of a shell. */
export const quoted = ( text ) => ( /^[\w@%+=:,./-]+$/.test( text ) ? text : `'${text.replaceAll( "'", "'\\''" )}'` );

/** "upperArm" as people write it. */
export const inWords = ( name ) => name.replace( /([a-z])([A-Z])/g, ( _, a, b ) => `${a} ${b.toLowerCase()}` );

/** The same with a capital at the start. */
export const titled = ( text ) => inWords( text ).replace( /^./, ( letter ) => letter.toUpperCase() );

/** A unit as people write it. */
export const unitWords = ( unit ) => ( unit ?? '' ).replace( '^2', '²' ).replace( '^3', '³' ).replace( 'N s', 'N·s' );

/** A number with no more digits than people read. */
export const short = ( value ) => String( Number( Math.abs( value ) < 0.01 ? Number( value ).toFixed( 5 ) : Number( value ).toPrecision( 3 ) ) );
