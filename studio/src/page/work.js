// The work that a reload brings back: in the browser's own database, on this machine. What was opened may be large and is
// written once; the state of the work is written after each change.

function openBase()
{
    return new Promise( ( resolve, reject ) => {
        const asking = indexedDB.open( 'supple-studio', 1 );
        asking.onupgradeneeded = () => asking.result.createObjectStore( 'work' );
        asking.onsuccess = () => resolve( asking.result );
        asking.onerror = () => reject( asking.error );
    } );
}

/** Asks all of one transaction; gives the answers. */
async function inBase( mode, ask )
{
    const base = await openBase();
    try
    {
        return await new Promise( ( resolve, reject ) => {
            const transaction = base.transaction( 'work', mode );
            const asking = ask( transaction.objectStore( 'work' ) );
            transaction.oncomplete = () => resolve( asking.map( ( { result } ) => result ?? null ) );
            transaction.onerror = transaction.onabort = () => reject( transaction.error );
        } );
    }
    finally
    {
        base.close();
    }
}

/** { document, kept }, or null. */
export async function readWork()
{
    const [ document, kept ] = await inBase( 'readonly', ( store ) => [ store.get( 'document' ), store.get( 'state' ) ] );
    return document && kept && kept.document === document.id ? { document, kept } : null;
}

let written = null; // of this visit

export async function writeWork( { document, ...state } )
{
    const isNew = document !== written;
    await inBase( 'readwrite', ( store ) => [ ...( isNew ? [ store.put( { ...document }, 'document' ) ] : [] ),
        store.put( { ...state, document: document.id }, 'state' ) ] );
    written = document;
}
