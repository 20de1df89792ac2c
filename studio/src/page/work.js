// The work that a reload brings back: in the browser's own database, on this machine.

function openBase()
{
    return new Promise( ( resolve, reject ) => {
        const asking = indexedDB.open( 'supple-studio', 1 );
        asking.onupgradeneeded = () => asking.result.createObjectStore( 'work' );
        asking.onsuccess = () => resolve( asking.result );
        asking.onerror = () => reject( asking.error );
    } );
}

async function inBase( mode, ask )
{
    const base = await openBase();
    try
    {
        return await new Promise( ( resolve, reject ) => {
            const asking = ask( base.transaction( 'work', mode ).objectStore( 'work' ) );
            asking.onsuccess = () => resolve( asking.result ?? null );
            asking.onerror = () => reject( asking.error );
        } );
    }
    finally
    {
        base.close();
    }
}

export const readWork = () => inBase( 'readonly', ( store ) => store.get( 'last' ) );
export const writeWork = ( work ) => inBase( 'readwrite', ( store ) => ( work ? store.put( work, 'last' ) : store.delete( 'last' ) ) );
