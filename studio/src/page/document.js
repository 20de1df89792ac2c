// What was opened: a character as its file has it, the files beside it, and motion from elsewhere.

let count = 0;

/** It never changes, so that any number of states may share one; in texts it is its number. */
export class Document
{
    constructor( { name, source, files = {}, motions = [] } )
    {
        count += 1;
        Object.assign( this, { id: count, name, source, files, motions } );
        Object.freeze( this );
    }

    toJSON()
    {
        return this.id;
    }

    /** The same with more motion; of two files that are called alike the newer one counts. */
    withMotions( more )
    {
        const names = more.map( ( { name } ) => name );
        return new Document( { ...this, motions: [ ...this.motions.filter( ( { name } ) => !names.includes( name ) ), ...more ] } );
    }

    /** All that is kept in memory for it. */
    get parts()
    {
        return [ this.source, ...Object.values( this.files ), ...this.motions.map( ( { data } ) => data ) ];
    }
}
