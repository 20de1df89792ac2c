// The panel on the right: three tabs, each built anew only when what it shows has another shape.
import { get } from '../page/words.js';
import { KeepPanel } from './keep.js';
import { MakePanel } from './make.js';
import { TunePanel } from './tune.js';

const tabs = [ 'tune', 'make', 'keep' ];

const touched = 'button, input, select, summary, [tabindex]';

/** What has the focus, so that it is found again among what is built anew. */
const placeOf = ( one ) => [ one.tagName, one.type, one.closest( 'fieldset' )?.querySelector( 'legend' ).textContent, one.closest( 'section' )?.firstChild.textContent,
    one.getAttribute( 'aria-label' ) ?? ( one.labels?.[0] ?? one ).textContent, one.dataset.field ].join( '|' );

export class Panel
{
    constructor( app )
    {
        this.app = app;
        this.memory = new Set();
        this.parts = { tune: new TunePanel( app, this.memory ), make: new MakePanel( app ), keep: new KeepPanel( app ) };
        this.now = 'tune';
        this.shows = [];
        tabs.forEach( ( name ) => get( `tab-${name}` ).addEventListener( 'click', () => this.open( name ) ) );
        get( 'tabs' ).addEventListener( 'keydown', ( event ) => this.walk( event ) );
        [ 'rig', 'history', 'copied', 'joints', 'form', 'clip', 'tool', 'report' ].forEach( ( what ) => app.on( what, () => this.update() ) );
        app.on( 'chosen', () => this.showChosen() );
        app.on( 'opened', () => this.listJoints() );
        this.listenForHelp();
    }

    open( name )
    {
        this.now = name;
        tabs.forEach( ( one ) => {
            get( `tab-${one}` ).setAttribute( 'aria-selected', String( one === name ) );
            get( `tab-${one}` ).tabIndex = one === name ? 0 : -1;
        } );
        get( 'panel' ).setAttribute( 'aria-labelledby', `tab-${name}` );
        this.shape = null;
        this.update();
        get( 'panel' ).scrollTop = 0;
    }

    walk( event )
    {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if ( way )
        {
            event.preventDefault();
            this.open( tabs[( tabs.indexOf( this.now ) + way + tabs.length ) % tabs.length] );
            get( `tab-${this.now}` ).focus();
        }
    }

    update()
    {
        if ( !this.app.session.isOpen )
        {
            return;
        }
        const part = this.parts[this.now];
        const shape = this.now + part.shape;
        if ( shape !== this.shape )
        {
            this.build( part );
            this.shape = shape;
        }
        this.shows.forEach( ( show ) => show() );
    }

    build( part )
    {
        const root = get( 'panel' ), { scrollTop } = root;
        this.shows = [];
        const held = root.contains( document.activeElement ) ? placeOf( document.activeElement ) : null;
        root.replaceChildren( ...part.build( this.shows ).filter( Boolean ) );
        root.scrollTop = scrollTop;
        if ( held )
        {
            [ ...root.querySelectorAll( touched ) ].find( ( one ) => placeOf( one ) === held )?.focus( { preventScroll: true } );
        }
    }

    /** Opens the numbers of what was chosen and brings them into sight. */
    showChosen()
    {
        const { chosen, edits, session } = this.app;
        if ( chosen )
        {
            this.memory.add( chosen.key === 'elements' ? edits.regionOf( chosen.item ) : `${chosen.key} ${session.rig[chosen.key][chosen.item].name}` );
            this.open( 'tune' );
            get( 'panel' ).querySelector( 'fieldset.chosen' )?.scrollIntoView( { block: 'center' } );
        }
        else
        {
            this.update();
        }
    }

    listJoints()
    {
        get( 'jointnames' ).replaceChildren( ...this.app.session.info.joints.filter( ( { isSkinJoint } ) => isSkinJoint ).map( ( { name } ) => new Option( name, name ) ) );
    }

    /** Words about what is touched, anywhere on the page, at the foot of the panel; of what has the focus where nothing is. */
    listenForHelp()
    {
        const wordsOf = ( one ) => { const said = one?.closest?.( '[data-words], [title]' ); return said?.dataset.words || said?.title || ''; };
        const tell = ( { target } ) => { get( 'fieldhelp' ).textContent = wordsOf( target ) || wordsOf( document.activeElement ); };
        document.addEventListener( 'focusin', ( event ) => {
            tell( event );
            if ( event.target.dataset.words )
            {
                event.target.setAttribute( 'aria-describedby', 'fieldhelp' ); // a title is read out anyhow
            }
        } );
        document.addEventListener( 'pointerover', tell );
    }
}
