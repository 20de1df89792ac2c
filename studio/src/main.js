// The page: what it is made of, and how its parts hear of one another.
import { Edits } from './page/edits.js';
import { Engine } from './page/engine.js';
import { Exports } from './page/exports.js';
import { endBeyond } from './page/frames.js';
import { listenToKeys } from './page/keys.js';
import { Looks } from './page/looks.js';
import { Opening } from './page/opening.js';
import { Player } from './page/player.js';
import { Session } from './page/session.js';
import { startTheme } from './page/theme.js';
import { Tour } from './page/tour.js';
import { get, make, tell, tried } from './page/words.js';
import { Panel } from './panel/panel.js';
import { Stage } from './stage/stage.js';
import { Brush } from './tools/brush.js';
import { Hands } from './tools/hands.js';
import { JointPicker } from './tools/joints.js';
import { LineTool } from './tools/line.js';
import { Sculpt } from './tools/sculpt.js';
import { Touch } from './tools/touch.js';

class App
{
    constructor()
    {
        Object.assign( this, { listeners: new Map(), tool: null, chosen: null, isFilming: false, tell, tried } );
        this.session = new Session();
        this.engine = new Engine();
        this.stage = new Stage( get( 'canvas' ) );
        this.edits = new Edits( this );
        this.looks = new Looks( this );
        this.player = new Player( this );
        this.exports = new Exports( this );
        this.opening = new Opening( this );
        this.panel = new Panel( this );
        this.tour = new Tour( this );
        this.hands = new Hands( this );
        startTheme( this );
        listenToKeys( this );
        get( 'undo' ).addEventListener( 'click', () => this.undo() );
        get( 'redo' ).addEventListener( 'click', () => this.redo() );
        get( 'keys' ).addEventListener( 'click', () => get( 'help' ).showModal() );
        get( 'jump' ).addEventListener( 'click', () => this.player.jump() );
        get( 'turn' ).addEventListener( 'click', () => this.player.turn() );
        get( 'push' ).addEventListener( 'click', () => this.player.push() );
        for ( const does of [ 'grab', 'poke' ] )
        {
            get( does ).addEventListener( 'click', () => this.toggleTouch( does ) );
        }
        this.on( 'history', () => this.showHistory() );
        this.on( 'rig', () => this.afterEdit() );
    }

    // --------------------------------------------------------------------------------------------------------------
    // Who hears what: opened, rig, history, chosen, clip, paused, proposed, copied, joints, tool, form, report

    on( what, work )
    {
        this.listeners.set( what, [ ...( this.listeners.get( what ) ?? [] ), work ] );
    }

    changed( what )
    {
        ( this.listeners.get( what ) ?? [] ).forEach( ( work ) => work() );
    }

    showHistory()
    {
        const { canUndo, canRedo } = this.edits.history;
        get( 'undo' ).disabled = !canUndo;
        get( 'redo' ).disabled = !canRedo;
    }

    /** What the tool in the hand has not made yet goes first. */
    undo()
    {
        return this.tool?.undo?.() === true ? null : this.edits.go( -1 );
    }

    redo()
    {
        return this.tool?.redo?.() === true ? null : this.edits.go( 1 );
    }

    /** The rig is another: what was chosen may be gone, and the skin is asked for anew. */
    afterEdit()
    {
        const { chosen, session } = this;
        this.player.dirty = true;
        if ( chosen && !session.rig[chosen.key]?.[chosen.item] )
        {
            this.choose( null );
        }
        this.tool?.renew?.();
    }

    get clip()
    {
        return this.session.clips[this.player.clip] ?? null;
    }

    // --------------------------------------------------------------------------------------------------------------
    // What is chosen

    /** { key, item } of the rig, or null; its numbers are opened. */
    choose( chosen )
    {
        this.chosen = chosen;
        this.changed( 'chosen' );
    }

    /** The same without opening anything: the hand is there already. */
    mark( { key, item } )
    {
        if ( this.chosen?.key !== key || this.chosen.item !== item )
        {
            this.chosen = { key, item };
            this.looks.plot.draw();
        }
    }

    chooseNext( by )
    {
        const { length } = this.edits.elements;
        if ( length > 0 )
        {
            const now = this.chosen?.key === 'elements' ? this.chosen.item : by > 0 ? -1 : length;
            this.choose( { key: 'elements', item: ( now + by + length ) % length } );
        }
    }

    /** A name that no item of a layer has yet. */
    freeName( key, wanted )
    {
        const names = ( this.session.rig[key] ?? [] ).map( ( { name } ) => name );
        let name = wanted;
        for ( let i = 2; names.includes( name ); ++i )
        {
            name = `${wanted} ${i}`;
        }
        return name;
    }

    removeLayer( key )
    {
        const { [key]: gone, ...rig } = this.session.rig;
        return this.edits.loadRig( JSON.stringify( rig ) );
    }

    // --------------------------------------------------------------------------------------------------------------
    // Tools

    /** The tool in the hand; null: none. Its words and controls stand above the picture. */
    setTool( tool )
    {
        if ( this.tool === tool )
        {
            return;
        }
        this.tool = tool;
        [ 'grab', 'poke' ].forEach( ( does ) => get( does ).setAttribute( 'aria-pressed', String( tool?.does === does ) ) );
        get( 'toolbar' ).hidden = tool === null;
        if ( tool )
        {
            const end = make( 'button', { type: 'button', className: 'small', textContent: 'Done', title: 'Puts the tool down (Esc)' } );
            end.addEventListener( 'click', () => this.setTool( null ) );
            get( 'toolbar' ).replaceChildren( make( 'span', { className: 'words', textContent: tool.words } ), ...tool.controls(), ...tool.buttons(),
                end );
            tried( () => tool.start?.() );
        }
        this.player.dirty = true;
        this.changed( 'tool' );
    }

    toggleTouch( does )
    {
        this.setTool( this.tool?.does === does ? null : new Touch( this, does ) );
    }

    pickJoints( panel )
    {
        const isOn = this.tool?.isPicking === true;
        this.setTool( isOn ? null : new JointPicker( this, ( joints ) => panel.setJoints( joints ) ) );
    }

    paint( item )
    {
        this.player.pause();
        this.setTool( new Brush( this, item ) );
    }

    sculpt( { name, joints, clip, time } )
    {
        this.player.pause();
        this.setTool( new Sculpt( this, { name, joints, clip, time } ) );
    }

    dragPoints( key, item )
    {
        this.player.pause();
        this.setTool( new LineTool( this, { key, item } ) );
    }

    // --------------------------------------------------------------------------------------------------------------
    // New items

    /** A piece of flesh on the joints that were chosen, and the brush for it. */
    async makePiece( panel )
    {
        if ( panel.joints.length === 0 )
        {
            tell( 'error', 'choose a joint first: it carries the flesh' );
            return;
        }
        const name = this.freeName( 'elements', panel.name || `flesh on ${panel.joints[0]}` );
        const value = { name, driver: panel.joints[0], ...( panel.joints.length > 1 ? { joints: panel.joints } : {} ),
            ...this.endOf( panel.joints[0] ) };
        const done = await this.edits.add( 'elements', value );
        const item = this.edits.elements.findIndex( ( one ) => one.name === name );
        if ( done && item >= 0 )
        {
            this.choose( { key: 'elements', item } );
            this.paint( item );
        }
    }

    /** A joint with none below it gets an end for its bone: as long again as the way from its parent. */
    endOf( driver )
    {
        const { joints, restJoints, size } = this.session.info;
        const number = joints.findIndex( ( { name } ) => name === driver );
        if ( joints.some( ( { parent, isSkinJoint } ) => parent === number && isSkinJoint ) )
        {
            return {};
        }
        return { end: endBeyond( joints, restJoints, number, size ) };
    }

    placeMuscle()
    {
        const made = async ( points ) => {
            const name = this.freeName( 'muscles', 'muscle' );
            const hasSkin = ( this.session.rig.ecorche ?? [] ).length > 0;
            this.setTool( null );
            await this.edits.add( 'muscles', { name, points: points.map( ( point, i ) => ( i > 0 && i < points.length - 1 ? { ...point,
                free: true } : point ) ) } );
            if ( !hasSkin && ( this.session.rig.muscles ?? [] ).length > 0 )
            {
                await this.edits.add( 'ecorche', {} ); // muscles alone move no skin
            }
            this.looks.showOver( 'muscles' );
            this.chooseLast( 'muscles' );
        };
        this.setTool( new LineTool( this, { key: 'muscles', made } ) );
    }

    drawWrinkle()
    {
        const made = async ( points ) => {
            this.setTool( null );
            await this.edits.add( 'wrinkles', { name: this.freeName( 'wrinkles', 'wrinkles' ), points } );
            this.chooseLast( 'wrinkles' );
        };
        this.setTool( new LineTool( this, { key: 'wrinkles', made } ) );
    }

    chooseLast( key )
    {
        const { length } = this.session.rig[key] ?? [];
        this.choose( length > 0 ? { key, item: length - 1 } : null );
    }
}

const app = new App();
/** For tests, and for those who want to look inside. */
window.studio = app;
await app.opening.listBuiltIn();
app.player.showTransport();
await app.opening.start();
app.isReady = true;
