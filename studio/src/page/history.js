// Undo and redo of everything: states are plain values, and none is changed after it was kept.

const mostStates = 200;
/** States hold what was opened: so many characters, and so many bytes of them, are kept besides the one that is open. */
const mostCharacters = 4, mostBytes = 3e8;

/** The newest states, as far back as what they hold is not too much. */
function withinMemory( states )
{
    const parts = new Set(), characters = new Set();
    let bytes = 0;
    for ( let i = states.length - 1; i >= 0; --i )
    {
        const { document } = states[i];
        characters.add( document.source );
        document.parts.filter( ( part ) => !parts.has( part ) ).forEach( ( part ) => { parts.add( part ); bytes += part.length; } );
        if ( characters.size > mostCharacters || ( bytes > mostBytes && document !== states.at( -1 ).document ) )
        {
            return states.slice( i + 1 );
        }
    }
    return states;
}

export class History
{
    constructor( changed )
    {
        Object.assign( this, { changed, states: [], at: -1 } );
    }

    /** Nothing before this. */
    clear( state )
    {
        Object.assign( this, { states: [ state ], at: 0 } );
        this.changed( this );
    }

    get now()
    {
        return this.states[this.at] ?? null;
    }

    get canUndo()
    {
        return this.at > 0;
    }

    get canRedo()
    {
        return this.at < this.states.length - 1;
    }

    keep( state )
    {
        if ( JSON.stringify( state ) !== JSON.stringify( this.now ) )
        {
            this.states = withinMemory( [ ...this.states.slice( 0, this.at + 1 ), state ].slice( -mostStates ) );
            this.at = this.states.length - 1;
        }
        this.changed( this );
    }

    /** What one step back, or on, would show; null where there is none. */
    peek( by )
    {
        return this.states[this.at + by] ?? null;
    }

    /** Goes back by one, or on; gives the state to be shown, or null where there is none. */
    go( by )
    {
        if ( !this.states[this.at + by] )
        {
            return null;
        }
        this.at += by;
        this.changed( this );
        return this.now;
    }
}
