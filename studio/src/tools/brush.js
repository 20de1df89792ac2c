// A brush on the skin: what belongs to a piece of flesh is painted.
import { mirrorMap } from '../page/mirror.js';
import { paintOf, valuesOf } from '../page/painted.js';
import { button, make } from '../page/words.js';
import { dabAt, Surface } from './surface.js';

const modes = { add: 'Add', remove: 'Remove', smooth: 'Smooth' };

/** What both brushes have: a size, a strength, both sides, strokes of dabs. */
export class Strokes
{
    constructor( app, { modes: own, mode } )
    {
        Object.assign( this, { app, modes: own, mode, radius: 0.04, strength: 0.5, isMirrored: false, isStroke: false } );
        this.surface = new Surface( app.session.info );
    }

    /** The controls in the bar of the tool. */
    controls()
    {
        const mode = make( 'select', { name: 'brush', title: 'What the brush does; with Alt it does the opposite', attributes: { 'aria-label': 'What the brush does' } },
            ...Object.entries( this.modes ).map( ( [ value, words ] ) => new Option( words, value ) ) );
        mode.value = this.mode;
        mode.addEventListener( 'change', () => { this.mode = mode.value; } );
        const slider = ( name, words, title, min, max ) => {
            const range = make( 'input', { type: 'range', name, title, min, max, step: ( max - min ) / 50, value: this[name] } );
            range.addEventListener( 'input', () => { this[name] = Number( range.value ); } );
            return make( 'label', { textContent: `${words} ` }, range );
        };
        const both = make( 'input', { type: 'checkbox', name: 'both', title: 'Strokes count on the other side of the body, too', checked: this.isMirrored } );
        both.addEventListener( 'change', () => { this.isMirrored = both.checked; } );
        return [ mode, slider( 'radius', 'Size', 'How wide the brush is ([ and ])', 0.01, 0.15 ),
            slider( 'strength', 'Strength', 'How much one stroke does', 0.05, 1 ), make( 'label', {}, both, 'Both sides' ) ];
    }

    get positions()
    {
        return ( this.app.player.skins.living ?? this.app.player.skins.smooth ).positions;
    }

    down( event )
    {
        const hit = this.app.stage.pick( event.clientX, event.clientY );
        this.isStroke = hit !== null;
        if ( hit )
        {
            this.app.player.pause();
            this.dab( hit, event );
        }
        return this.isStroke;
    }

    move( event )
    {
        const hit = this.isStroke ? this.app.stage.pick( event.clientX, event.clientY ) : null;
        if ( hit )
        {
            this.dab( hit, event );
        }
    }

    up()
    {
        if ( this.isStroke )
        {
            this.isStroke = false;
            this.commit();
        }
    }

    /** Vertices of a dab, and of the same on the other side: [ vertex, share, isOther ]. */
    reached( hit )
    {
        const dab = dabAt( this.positions, hit.point, this.radius * this.app.session.info.size );
        if ( !this.isMirrored )
        {
            return dab;
        }
        this.map ??= mirrorMap( this.app.session );
        const own = new Set( dab.map( ( [ v ] ) => v ) );
        return [ ...dab, ...dab.map( ( [ v, share ] ) => [ this.map[v], share, true ] ).filter( ( [ v ] ) => v >= 0 && !own.has( v ) ) ];
    }

    pressed( { key } )
    {
        const way = { '[': 1 / 1.2, ']': 1.2 }[key];
        if ( way )
        {
            this.radius = Math.min( 0.15, Math.max( 0.01, this.radius * way ) );
        }
        return way !== undefined;
    }
}

export class Brush extends Strokes
{
    constructor( app, item )
    {
        super( app, { modes, mode: 'remove' } );
        this.item = item;
        this.name = app.session.rig.elements[item].name;
        this.words = `Paint what belongs to "${this.name}". Alt does the opposite; [ and ] change the size.`;
        this.values = null;
    }

    /** One where it has flesh now; or as it was painted before. */
    async start()
    {
        const { app } = this;
        const { paint } = app.session.rig.elements[this.item];
        const { weights } = await app.engine.call( 'weightsOf', { item: this.item } );
        this.values = paint ? valuesOf( app.session, paint ) : weights.map( ( weight ) => ( weight > 1e-3 ? 1 : 0 ) );
        this.committed = JSON.stringify( paint );
        app.player.dirty = true;
    }

    /** Undo took the paint elsewhere. */
    renew()
    {
        const item = this.app.edits.elements.findIndex( ( { name } ) => name === this.name );
        if ( item < 0 )
        {
            this.app.setTool( null );
        }
        else if ( JSON.stringify( this.app.session.rig.elements[item].paint ) !== this.committed )
        {
            this.item = item;
            return this.start();
        }
        return null;
    }

    painted()
    {
        return this.values;
    }

    dab( hit, { altKey } )
    {
        const mode = altKey ? { add: 'remove', remove: 'add', smooth: 'smooth' }[this.mode] : this.mode;
        const before = this.values.slice();
        for ( const [ v, share ] of this.reached( hit ) )
        {
            const [ to ] = mode === 'smooth' ? this.surface.meanBeside( before, v ) : [ mode === 'add' ? 1 : 0 ];
            this.values[v] += ( to - before[v] ) * Math.min( 1, share * this.strength );
        }
        this.app.player.dirty = true;
    }

    commit()
    {
        const paint = paintOf( this.app.session, this.values.map( ( value ) => ( value < 0.004 ? 0 : Math.min( 1, value ) ) ) );
        this.committed = JSON.stringify( paint );
        return this.app.edits.replace( 'elements', this.item, { paint } ).then( () => {
            const own = this.app.session.rig.elements?.[this.item]?.paint;
            this.committed = JSON.stringify( own );
        } );
    }

    buttons()
    {
        return [ button( 'No paint', 'Takes all paint away', () => this.app.edits.replace( 'elements', this.item, { paint: undefined } ) ) ];
    }
}
