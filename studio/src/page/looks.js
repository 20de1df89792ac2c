// How the character is looked at: with and without flesh, what its layers show, and how far its flesh is out.
import { Vector3 } from 'three';
import { Plot } from './plot.js';
import { get } from './words.js';

/** What layers draw, in words, and whose items it takes. What is not listed is there by its own name. */
const drawn = {
    elements: [ 'pieces of flesh', 'elements' ], weights: [ 'weights', 'elements' ], displacement: [ 'displacement lines', 'elements' ],
    springs: [ 'springs', 'elements' ], modes: [ 'modes', 'modes' ], correctives: [ 'correctives', 'examples' ],
    beams: [ 'beams', 'beams' ], curves: [ 'curves', 'curves' ],
    muscles: [ 'muscles', 'muscles' ], lines: [ 'action lines', 'muscles' ], fields: [ 'fields of muscles', 'muscles' ], ecorche: [ 'écorché',
        'ecorche' ],
    fat: [ 'fat', 'fat' ], volume: [ 'volume', 'volumes' ], contact: [ 'contact', 'contacts' ], clothes: [ 'clothes', 'clothes' ],
        wrinkles: [ 'wrinkles', 'wrinkles' ],
};
const badges = { living: '', smooth: 'without flesh', both: 'without flesh · living', split: 'without flesh | living', moved: 'how far flesh moves' };

export class Looks
{
    constructor( app )
    {
        Object.assign( this, { app, look: 'living', over: '', held: false } );
        this.plot = new Plot( app );
        get( 'look' ).addEventListener( 'change', ( { target } ) => this.choose( target.value ) );
        get( 'over' ).addEventListener( 'change', ( { target } ) => this.showOver( target.value ) );
        get( 'plotting' ).addEventListener( 'click', () => this.plot.toggle() );
        get( 'framing' ).addEventListener( 'click', () => this.frameAll() );
        this.listenToSplit();
        app.on( 'rig', () => this.listDrawn() );
    }

    choose( look )
    {
        this.look = look;
        get( 'look' ).value = look;
        this.refresh();
    }

    showOver( name )
    {
        this.over = name;
        get( 'over' ).value = name;
        this.refresh();
    }

    /** Whether this rig has something of it. */
    isDrawn( name )
    {
        return [ ...get( 'over' ).options ].some( ( { value } ) => value === name );
    }

    hold( held )
    {
        this.held = held;
        this.refresh();
    }

    frameAll()
    {
        const { session, stage } = this.app;
        if ( session.isOpen )
        {
            stage.frame( session.info, session.proposal );
        }
    }

    /** Another motion: the camera sees all of it, unless somebody put it elsewhere. */
    frameAgain()
    {
        if ( this.app.stage.isFramed )
        {
            this.frameAll();
        }
    }

    refresh()
    {
        this.app.player.dirty = true;
        const look = this.now;
        get( 'badge' ).textContent = this.app.session.isOpen ? badges[look] : '';
        get( 'split' ).hidden = look !== 'split' || !this.app.session.isOpen;
    }

    get now()
    {
        return this.held ? 'smooth' : this.look;
    }

    /** What this rig has something of to draw. */
    listDrawn()
    {
        const { session } = this.app;
        const names = session.info.drawNames.filter( ( name ) => !drawn[name] || ( session.rig[drawn[name][1]] ?? [] ).length > 0 );
        const list = [ [ '', 'nothing' ], [ 'bones', 'bones' ], ...names.map( ( name ) => [ name, drawn[name]?.[0] ?? name ] ) ];
        const text = JSON.stringify( list );
        if ( text !== this.listed )
        {
            this.listed = text;
            get( 'over' ).replaceChildren( ...list.map( ( [ value, words ] ) => new Option( words, value ) ) );
            this.over = list.some( ( [ name ] ) => name === this.over ) ? this.over : '';
            get( 'over' ).value = this.over;
        }
        this.refresh();
    }

    // --------------------------------------------------------------------------------------------------------------
    // Frames

    /** What a frame must bring. */
    wants()
    {
        const { tool } = this.app;
        const look = this.now, isDrawn = this.over !== '' && this.over !== 'bones' && !this.held;
        return { living: look !== 'smooth', smooth: look !== 'living', draw: isDrawn ? this.over : null,
            joints: this.over === 'bones' || tool?.wantsJoints === true, states: this.plot.isOpen };
    }

    put( skins, world )
    {
        const { app } = this;
        app.stage.put( skins, { look: this.now, world, painted: app.tool?.painted?.() ?? null } );
        const points = app.tool?.marks?.( skins ) ?? ( this.over === 'bones' && skins.joints ? bonesOf( app.session.info.joints,
            skins.joints ) : null );
        if ( points )
        {
            app.stage.marks.putPoints( points.places, points.colors, points.pairs );
        }
        else
        {
            app.stage.marks.empty();
        }
        if ( skins.states )
        {
            this.plot.add( app.player.time, skins.states );
        }
    }

    // --------------------------------------------------------------------------------------------------------------
    // The split

    splitAt( share )
    {
        const { stage } = this.app, handle = get( 'split' );
        stage.split = Math.min( 0.97, Math.max( 0.03, share ) );
        handle.style.left = `${100 * stage.split}%`;
        handle.setAttribute( 'aria-valuenow', String( Math.round( 100 * stage.split ) ) );
    }

    listenToSplit()
    {
        const handle = get( 'split' );
        handle.addEventListener( 'pointerdown', ( event ) => handle.setPointerCapture( event.pointerId ) );
        handle.addEventListener( 'pointermove', ( event ) => {
            if ( handle.hasPointerCapture( event.pointerId ) )
            {
                const { left, width } = get( 'view' ).getBoundingClientRect();
                this.splitAt( ( event.clientX - left ) / width );
            }
        } );
        handle.addEventListener( 'keydown', ( event ) => {
            const way = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
            if ( way )
            {
                event.preventDefault();
                this.splitAt( this.app.stage.split + way );
            }
        } );
    }
}

/** Joints that skins use as points, with lines to their parents. */
export function bonesOf( joints, matrices, colorOf = () => [ 0.95, 0.75, 0.4 ] )
{
    const used = new Map(), places = [], colors = [], pairs = [];
    const place = new Vector3();
    joints.forEach( ( { isSkinJoint }, i ) => {
        if ( isSkinJoint )
        {
            used.set( i, places.length );
            places.push( place.fromArray( matrices, 12 * i + 9 ).toArray() );
            colors.push( colorOf( i ) );
        }
    } );
    used.forEach( ( own, i ) => {
        const parent = used.get( joints[i].parent );
        if ( parent !== undefined )
        {
            pairs.push( [ own, parent ] );
        }
    } );
    return { places, colors, pairs, numbers: [ ...used.keys() ] };
}
