// Undo and redo of everything: states are plain values, and none is changed after it was kept.

export class History
{
    constructor( changed )
    {
        this.changed = changed;
        this.clear( null );
    }

    clear( state )
    {
        this.states = [ state ];
        this.at = 0;
        this.changed( this );
    }

    get now()
    {
        return this.states[this.at];
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
            this.states = [ ...this.states.slice( 0, this.at + 1 ), state ].slice( -200 );
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
