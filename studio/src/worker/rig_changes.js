// One rig becomes another on a running editor, by as few edits as it takes: numbers first, whole items else.

const same = ( a, b ) => JSON.stringify( a ) === JSON.stringify( b );

/** Names of the fields of an item that are not the same in another. */
function changedFields( before, after )
{
    return Object.keys( { ...before, ...after } ).filter( ( name ) => !same( before[name], after[name] ) );
}

function changeItem( editor, key, item, before, after )
{
    const names = changedFields( before, after );
    if ( names.length === 0 )
    {
        return;
    }
    if ( names.every( ( name ) => typeof before[name] === 'number' && typeof after[name] === 'number' ) )
    {
        editor.set( key, item, Object.fromEntries( names.map( ( name ) => [ name, after[name] ] ) ) );
    }
    else
    {
        editor.replace( key, item, after );
    }
}

/** The list of a layer becomes another; items in the middle of which some were put are beyond this. */
function changeList( editor, key, before, after )
{
    const names = after.map( ( { name } ) => name );
    for ( let i = before.length - 1; i >= 0; --i )
    {
        if ( !names.includes( before[i].name ) )
        {
            editor.remove( key, i );
        }
    }
    const left = before.filter( ( { name } ) => names.includes( name ) );
    left.forEach( ( one, i ) => changeItem( editor, key, i, one, after[i] ) );
    after.slice( left.length ).forEach( ( one ) => editor.add( key, one ) );
}

const isItemList = ( value ) => Array.isArray( value ) && value.every( ( one ) => typeof one === 'object' && one !== null && !Array.isArray( one ) );

/** Whether edits of items lead from one list to the other: those that stay are in front, in their order. */
function isReached( before, after )
{
    const names = after.map( ( { name } ) => name );
    const left = before.filter( ( { name } ) => names.includes( name ) );
    return isItemList( before ) && isItemList( after ) && left.every( ( { name }, i ) => name === names[i] );
}

/** True: done. False: nothing was changed, and a new editor is needed. Throws where the rig does not compile. */
export function changeRig( editor, before, after )
{
    const keys = Object.keys( { ...before, ...after } ).filter( ( key ) => !same( before[key], after[key] ) );
    if ( keys.some( ( key ) => !Array.isArray( before[key] ?? [] ) || !Array.isArray( after[key] ?? [] ) || key === 'gravity' ) ||
        keys.some( ( key ) => !isReached( before[key] ?? [], after[key] ?? [] ) ) )
    {
        return false;
    }
    keys.forEach( ( key ) => changeList( editor, key, before[key] ?? [], after[key] ?? [] ) );
    return true;
}
